"""A group of regulars on their phones: founded, joined, played in, looked back at."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from django.conf import settings
from playwright.sync_api import expect

from games.keys import registry
from games.models import Group, GroupRole
from tests.browser.conftest import OpenPhone
from tests.browser.facts import outside
from tests.browser.group_states import full_group
from tests.browser.phone import Phone
from tests.browser.prepared import give
from tests.browser.sizes import LAPTOP, SMALL
from tests.cast.groups import new_group, played
from tests.pages.test_group_history import at

pytestmark = pytest.mark.browser


def come_in(phone: Phone, group: Group, role: GroupRole = GroupRole.OWNER) -> Phone:
    """Let a phone bear a key of a group."""
    give(phone, registry.issue(group=group, role=role, label="Ana’s phone"))
    return phone


def fill(phone: Phone, label: str, text: str) -> None:
    """Type into the field that is called so."""
    phone.page.get_by_label(label, exact=True).fill(text)


def found(phone: Phone, name: str = "Thursday club") -> None:
    """Found a group from home."""
    phone.open("/")
    phone.tap("New group")
    fill(phone, "Name of the group", name)
    fill(phone, "Whose phone is this?", "Ana’s phone")
    phone.tap("Create group")
    expect(phone.page.get_by_role("heading", name=name)).to_be_visible()


def games_listed(phone: Phone) -> list[str]:
    """What the rows of the games say first."""
    return phone.page.locator(".is-games b").all_inner_texts()


def play_one_round(phone: Phone) -> None:
    """A whole game of one round for three, by quick entry and tally."""
    phone.note_board(start="Ana", discard="njet", trump="blue", supertrump="black", points="2")
    phone.name_team()
    phone.tally({"Ana": (5, 1), "Ben": (4, 1), "Cleo": (3, 1)}, typing=True)


def test_a_group_is_founded_and_the_second_phone_plays_in_it(open_phone: OpenPhone) -> None:
    ana, ben = open_phone(), open_phone()

    found(ana)
    ana.tap("Players")
    for name in ("Ana", "Ben"):
        fill(ana, "Name", name)
        ana.tap("Add")
        ana.page.locator(".people").get_by_text(name, exact=True).wait_for()
    ana.tap("Back to the group")
    ana.tap("Members QR", exact=False)
    ana.tap("Show the QR code", exact=False)
    code = ana.page.locator(".big-code").inner_text()

    ben.open("/")
    ben.tap("Join", exact=False)
    ben.page.locator('[name="code"]').fill(code)
    ben.tap("Next")
    assert ben.sees("You join as a member")
    fill(ben, "Whose phone is this?", "Ben’s phone")
    ben.tap("Join")
    ben.tap("New table")
    ben.touch(ben.page.locator(".rules summary"))
    ben.tap("1 to 9, 1997", exact=False)
    ben.tap("Goldsieber 1997, Dutch", exact=False)
    ben.page.locator('.preset[aria-pressed="true"][value="goldsieber-dutch"]').wait_for()
    for name in ("Ana", "Ben"):
        ben.tap(f"+ {name}")
        ben.page.get_by_role("button", name=f"+ {name}").wait_for(state="detached")
    ben.page.locator('[name="name-2"]').fill("Cleo")
    ben.touch(ben.page.locator(".rules summary"))
    ben.page.get_by_label("Rounds", exact=False).fill("1")
    ben.tap("Start")
    ben.at_table(["Ana", "Ben", "Cleo"])
    game = ben.game_id

    ana.tap("Back to the group")
    assert ana.sees("Being played")
    ana.tap("Ana, Ben, Cleo", exact=False)
    ana.tap("Record here")
    ana.at_table(["Ana", "Ben", "Cleo"])
    play_one_round(ana)
    assert ana.victory == "Ana wins, 24"

    ana.tap("The evening")
    assert ana.sees("The games")
    assert games_listed(ana) == ["Ana won"]
    ana.tap("Back to the group")
    ana.tap("All games", exact=False)
    assert ana.sees("Filter")
    assert games_listed(ana) == ["Ana won"]
    ana.touch(ana.page.get_by_text("Filter"))
    ana.page.locator('[name="player"]').select_option(label="Cleo")
    ana.page.locator('[name="players"]').select_option("3")
    ana.tap("Show")
    ana.page.wait_for_url("**players=3**")
    assert games_listed(ana) == ["Ana won"]
    ana.touch(ana.page.get_by_text("Filter"))
    ana.page.locator('[name="players"]').select_option("5")
    ana.tap("Show")
    assert ana.sees("No finished game like that.")
    ana.tap("All games")
    ana.tap("Ana won", exact=False)
    ana.page.wait_for_url(f"**/g/{game}/sheet/")


def test_a_long_name_of_a_group_stays_in_the_head_and_a_long_list_in_its_page(open_phone: OpenPhone) -> None:
    group, _, _ = full_group()
    phone = come_in(open_phone(SMALL), group)

    for address in ("", "statistics/", "games/"):
        phone.open(f"/groups/{group.pk}/{address}")
        assert outside(phone.page, "h1", ".bar") == [], address
    phone.open(f"/groups/{group.pk}/statistics/")
    assert outside(phone.page, ".ranking", "main") == []


def test_the_keyboard_reaches_everything_on_the_page_of_the_keys(open_phone: OpenPhone) -> None:
    group, _, _ = full_group()
    desk = come_in(open_phone(LAPTOP, mobile=False, scale=1), group)
    desk.open(f"/groups/{group.pk}/keys/")

    # Tab stops once in a group of radio buttons.
    fields = "input:not([type=hidden], [type=radio]:not(:checked))"
    wanted = desk.page.locator("main").locator(f"a, button, summary, {fields}, select").filter(visible=True)
    reached = []
    for _ in range(wanted.count() + 1):
        desk.page.keyboard.press("Tab")
        reached.append(desk.focused)

    names = [" ".join((each.get_attribute("aria-label") or each.inner_text()).split()) for each in wanted.all()]
    assert [name for name in names if name and name not in reached] == []
    desk.tab_to(desk.page.locator("summary"))
    desk.page.keyboard.press("Enter")
    desk.tab_to(desk.page.get_by_role("button", name="Invite a viewer"))
    desk.page.keyboard.press("Enter")
    expect(desk.page.locator(".big-code")).to_be_visible()
    desk.open(f"/groups/{group.pk}/settings/")
    desk.tab_to(desk.page.get_by_role("button", name="Make a key"))
    desk.page.keyboard.press("Enter")
    expect(desk.page.locator("code#secret")).to_be_visible()


@pytest.mark.parametrize("zone", ["America/Los_Angeles", "Pacific/Auckland"])
def test_the_first_page_of_a_phone_has_its_days_already(open_phone: OpenPhone, zone: str) -> None:
    group = new_group()
    at(played(group), datetime(2026, 11, 21, 3, 30, tzinfo=UTC), minutes=0)
    phone = come_in(open_phone(), group)
    phone.page.context.new_cdp_session(phone.page).send("Emulation.setTimezoneOverride", {"timezoneId": zone})
    day = "20" if zone.startswith("America") else "21"

    phone.open(f"/groups/{group.pk}/games/?from=2026-11-{day}&to=2026-11-{day}")

    expect(phone.page.locator(".is-games time")).to_contain_text(f"{day} Nov 2026")
    (cookie,) = [each for each in phone.page.context.cookies() if each["name"] == settings.TIME_ZONE_COOKIE_NAME]
    assert (cookie["value"], cookie["sameSite"]) == (zone, "Lax")

"""A group of regulars on their phones: founded, joined, played in, looked back at."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest
from django.conf import settings
from playwright.sync_api import expect

from games.keys import invitations, registry
from games.models import Group, GroupRole
from games.services import group_players
from tests.browser.audit import CONTRAST, problems_of, violations_of
from tests.browser.conftest import ARTEFACTS, OpenPhone
from tests.browser.phone import LAPTOP, NARROW, PHONE, Phone
from tests.browser.prepared import give, sit
from tests.cast.clubs import new_group, played, player, three
from tests.cast.tables import Table
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


def test_a_viewers_phone_only_looks(open_phone: OpenPhone) -> None:
    group = new_group()
    finished, running = played(group), Table(three(), group=group)
    phone = come_in(open_phone(), group, GroupRole.VIEWER)

    phone.open(f"/groups/{group.pk}/")
    assert not phone.page.get_by_role("link", name="New table").count()
    phone.tap("Ana won", exact=False)
    assert phone.sees("Round 1 in detail")
    assert not phone.page.get_by_role("link", name="Correct this round").count()
    phone.tap("Replay, step by step")
    phone.page.wait_for_url(f"**/g/{finished.id}/replay/*")
    phone.open(f"/groups/{group.pk}/")
    phone.tap("Ana, Ben, Cleo", exact=False)
    phone.page.wait_for_url(f"**/g/{running.id}/enter/")
    assert not phone.page.get_by_role("button", name="Record here").count()
    phone.tap("Only look")
    assert phone.sees("You are watching.")


def test_everything_works_without_script(open_phone: OpenPhone) -> None:
    phone = open_phone(script=False)

    found(phone)
    phone.tap("New table")
    for place, name in enumerate(("Ana", "Ben", "Cleo")):
        phone.page.locator(f'[name="name-{place}"]').fill(name)
    phone.touch(phone.page.locator(".rules summary"))
    phone.tap("Goldsieber 1997, Dutch", exact=False)
    phone.page.get_by_label("Rounds", exact=False).fill("1")
    phone.tap("Start")
    phone.at_table(["Ana", "Ben", "Cleo"])
    play_one_round(phone)
    phone.go("export/")
    phone.page.wait_for_url("**/export/")
    text = phone.page.request.get(f"/g/{phone.game_id}/export/njet.txt").text()
    group = Group.objects.get()
    phone.open(f"/groups/{group.pk}/")
    phone.tap("Import a game")
    phone.page.locator("textarea").fill(text)
    phone.tap("Import")
    assert phone.sees("The group already has this game.")
    phone.page.get_by_label("Into the group").select_option("")
    phone.tap("Import")
    assert phone.sees("Ana wins.")

    phone.open(f"/groups/{group.pk}/games/")
    assert games_listed(phone) == ["Ana won"]
    phone.open(f"/groups/{group.pk}/players/")
    phone.tap("Change Cleo")
    fill(phone, "Name", "Klea")
    phone.tap("Save")
    assert phone.sees("Klea")


def pages_of(group: Group, table: Table, running: Table) -> Iterator[tuple[str, str]]:
    """Every page of a group by name, with its address."""
    ana, ben = player(group, "Ana").pk, player(group, "Ben").pk
    base = f"/groups/{group.pk}/"
    yield from [("new", "/groups/new/"), ("none", "/groups/000000000000/"), ("group", base)]
    yield from [("history", f"{base}games/"), ("history-narrowed", f"{base}games/?player={ana}&players=3")]
    yield from [("history-none", f"{base}games/?players=5"), ("history-refused", f"{base}games/?cursor=x")]
    yield from [("evening", f"{base}evening/{table.id}/"), ("players", f"{base}players/"), ("keys", f"{base}keys/")]
    yield from [("edit", f"{base}players/{ana}/edit/"), ("merge", f"{base}players/{ana}/merge/?into={ben}")]
    yield from [
        ("erase", f"{base}players/{ana}/erase/"),
        ("dissolve", f"{base}dissolve/"),
        ("settings", f"{base}settings/"),
    ]
    invitation = invitations.invite_to_group(group=group, role=GroupRole.MEMBER)
    yield from [("welcome", f"/join/{invitation.token}/"), ("enter", f"/g/{running.id}/enter/")]
    yield from [("adopt", f"/g/{table.id}/group/"), ("export", f"/g/{table.id}/export/"), ("import", "/import/")]
    yield from [("home", "/"), ("new-table", f"/new/?group={group.pk}"), ("sheet", f"/g/{running.id}/sheet/")]


@pytest.fixture
def full_group() -> tuple[Group, Table, Table]:
    """A group with everything that a page of it can show: long names, tokens, programs, phones, several games."""
    group = new_group("The Thursday club of the Hohenzollernstraße")
    names = ("Ana", "Maximiliane-Alexandra", "Ben")
    table = played(group, *names)
    for _ in range(2):
        played(group, *names)
    running = Table(three("Ben", "Ana", "Wolfeschlegelstein"), group=group)
    group_players.change_player(group_id=group.pk, player_id=player(group, "Ana").pk, token="pink")
    group_players.add_player(group_id=group.pk, name="Friedrich-Wilhelm", token="lilac")
    registry.issue(group=group, role=GroupRole.VIEWER, label="nightly export", program=True)
    registry.issue(group=group, role=GroupRole.VIEWER, label="Friedrich-Wilhelm’s phone")
    return group, table, running


@pytest.mark.gallery
def test_every_page_of_a_group_is_fit_to_show(open_phone: OpenPhone, full_group: tuple[Group, Table, Table]) -> None:
    group, table, running = full_group
    phone = come_in(open_phone(mobile=False, scale=1), group)
    sit(phone, table)

    problems = []
    for name, address in pages_of(group, table, running):
        phone.open(address)
        phone.page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true })")
        for size, scheme, text in [
            (PHONE, "light", 100),
            (PHONE, "dark", 100),
            (NARROW, "light", 100),
            (PHONE, "light", 200),
        ]:
            phone.turn_into(size, scheme, text=text)
            # The head of the sheet has one line for a name.
            is_narrow = name == "sheet" or text > 100
            found = problems_of(phone.page, may_shorten=is_narrow, may_scroll=is_narrow)
            if text == 100 and size == PHONE:
                found += violations_of(phone.page, only="" if scheme == "light" else CONTRAST)
                phone.show(ARTEFACTS / "groups" / f"{name}-{scheme}.png", whole=True)
            problems += [f"{name} {size} {scheme} {text}: {each}" for each in found]
    assert not problems, "\n".join(problems)


def test_ios_zooms_into_no_field_of_an_import_or_export(
    open_phone: OpenPhone, full_group: tuple[Group, Table, Table]
) -> None:
    group, table, _ = full_group
    phone = come_in(open_phone(mobile=False), group)
    sit(phone, table)

    for address in ("/import/", f"/g/{table.id}/export/"):
        phone.open(address)
        assert [each for each in problems_of(phone.page) if "small letters" in each] == []


def test_a_long_name_of_a_group_takes_two_lines_of_the_head(
    open_phone: OpenPhone, full_group: tuple[Group, Table, Table]
) -> None:
    group, _, _ = full_group
    phone = come_in(open_phone(NARROW), group)

    for address in ("", "statistics/", "games/"):
        phone.open(f"/groups/{group.pk}/{address}")
        bar, head = (phone.page.locator(each).bounding_box() for each in (".bar", "h1"))
        assert bar is not None
        assert head is not None
        assert head["height"] <= bar["height"] == 52, address


def test_a_game_in_a_list_takes_two_lines_of_a_phone(
    open_phone: OpenPhone, full_group: tuple[Group, Table, Table]
) -> None:
    group, _, _ = full_group
    phone = come_in(open_phone(NARROW), group)

    phone.open(f"/groups/{group.pk}/games/")

    row = phone.page.locator(".is-games li").first.bounding_box()
    assert row is not None
    assert row["height"] <= 72


def test_a_long_name_leaves_the_ranking_inside_the_page(
    open_phone: OpenPhone, full_group: tuple[Group, Table, Table]
) -> None:
    group, _, _ = full_group
    phone = come_in(open_phone(), group)

    phone.open(f"/groups/{group.pk}/statistics/")

    ranking, head = (phone.page.locator(each).bounding_box() for each in (".ranking", "#ranking h2"))
    assert ranking is not None
    assert head is not None
    assert ranking["width"] == head["width"]


def test_the_keyboard_reaches_everything_on_the_page_of_the_keys(
    open_phone: OpenPhone, full_group: tuple[Group, Table, Table]
) -> None:
    group, _, _ = full_group
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
    expect(desk.page.locator("code.secret")).to_be_visible()


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

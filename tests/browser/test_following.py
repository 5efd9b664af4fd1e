"""The phones of a table stay together when one of them begins its next game: a rematch, or another one of a group."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from games.keys import registry
from games.models import Game, Group, GroupRole, Role
from tests.browser.conftest import OpenPhone
from tests.browser.phone import Phone
from tests.browser.prepared import give, lay, sit, viewer_of
from tests.browser.sizes import LARGE_PHONE, TELEVISION
from tests.builders import dutch
from tests.cast.groups import new_group, played
from tests.cast.tables import ROUND_1, ROUND_2

pytestmark = pytest.mark.browser


def test_who_begins_the_rematch_takes_the_others_along(open_phone: OpenPhone) -> None:
    ana, ben, eve, screen = open_phone(), open_phone(), open_phone(), open_phone(TELEVISION, mobile=False)
    table = lay(ana, dutch(3, rounds=2), *ROUND_1, *ROUND_2)
    registry.rename(table.key, "Ana")
    watching = viewer_of(table)
    sit(ben, table, registry.issue(game=table.game, role=Role.SCOREKEEPER, label="Ben"))
    sit(eve, table, watching)
    sit(screen, table, watching)
    for phone in (ben, eve):
        phone.go_to(table.id, "")
    screen.go_to(table.id, "board/")
    # The streams are open.
    for phone in (ana, ben):
        expect(phone.page.locator(".here-button")).to_contain_text("3")
    expect(ben.page.get_by_role("button", name="Rematch · Cleo deals")).to_be_visible()

    ana.tap("Rematch · Cleo deals")
    expect(ana.table).to_have_class(re.compile("is-setup"))
    following = ana.game_id

    # No one has touched the others.  A phone is never led away from what it shows.
    for phone in (ben, eve):
        expect(phone.page.get_by_role("link", name="Go there Ana began the rematch")).to_be_visible()
        assert phone.game_id == table.id
    screen.page.wait_for_url(re.compile(rf"/g/{following}/board/"))
    expect(screen.page.locator("#screen")).to_have_class(re.compile("is-placing"))
    for phone in (ben, eve):
        phone.tap("Go there", exact=False)
        expect(phone.table).to_have_class(re.compile("is-setup"))
        assert phone.game_id == following

    ben.tap("Start placing")
    ben.cover("trump", "red")
    expect(screen.page.locator("#trump-red")).to_contain_text("covered")


def test_who_opens_the_next_table_in_a_group_takes_the_others_along(open_phone: OpenPhone) -> None:
    """Ana and Cleo are members, Ben is a guest; Eve only looks."""
    ana, ben, cleo, eve = phones = open_phone(), open_phone(), open_phone(LARGE_PHONE), open_phone()
    screen = open_phone(TELEVISION, mobile=False)
    group = new_group()
    table = played(group)
    for phone, name in ((ana, "Ana"), (ben, "Ben"), (cleo, "Cleo")):
        member = None if phone is ben else registry.issue(group=group, role=GroupRole.MEMBER, label=name)
        if member is not None:
            give(phone, member)
        sit(phone, table, registry.issue(game=table.game, role=Role.SCOREKEEPER, label=name, through=member))
    watching = viewer_of(table)
    sit(eve, table, watching)
    sit(screen, table, watching)
    for phone in phones:
        phone.go_to(table.id, "")
    screen.go_to(table.id, "board/")
    # The streams are open.
    expect(cleo.page.locator(".here-button")).to_contain_text("4")

    # Cleo is about to open it too.
    fill_in(cleo, group)
    fill_in(ana, group)
    ana.tap("Start")
    expect(ana.table).to_have_class(re.compile("is-setup"))
    following = ana.game_id

    screen.page.wait_for_url(re.compile(rf"/g/{following}/board/"))
    for phone in (ben, eve):
        link = phone.page.get_by_role("link", name="Go there Ana began the next game")
        expect(link).to_be_visible()
        assert phone.game_id == table.id
        phone.touch(link)
    cleo.tap("Start")
    for phone in (ben, cleo, eve):
        expect(phone.table).to_have_class(re.compile("is-setup"))
        assert phone.game_id == following
    assert Game.objects.filter(group=group).count() == 2

    ben.tap("Start placing")
    ben.cover("trump", "red")
    for phone in (ana, cleo, eve):
        expect(phone.page.locator("#trump-red")).to_have_class(re.compile("is-covered"))
    expect(screen.page.locator("#trump-red")).to_contain_text("covered")
    assert not eve.page.get_by_role("button", name="Undo").count()


def fill_in(phone: Phone, group: Group) -> None:
    """Fill in the form of another table of the group."""
    phone.open(f"/groups/{group.pk}/")
    phone.tap("New table")
    for place, name in enumerate(("Ana", "Ben", "Finn")):
        phone.page.locator(f'[name="name-{place}"]').fill(name)


def test_two_taps_on_two_phones_begin_one_rematch(open_phone: OpenPhone) -> None:
    # Without script a page does not hear of the other's tap.
    ana, ben = open_phone(), open_phone(script=False)
    table = lay(ana, dutch(3, rounds=2), *ROUND_1, *ROUND_2)
    sit(ben, table, registry.issue(game=table.game, role=Role.SCOREKEEPER, label="Ben"))
    ben.go_to(table.id, "")

    ana.tap("Rematch · Cleo deals")
    expect(ana.table).to_have_class(re.compile("is-setup"))
    ben.tap("Rematch · Cleo deals")

    expect(ben.table).to_have_class(re.compile("is-setup"))
    assert ben.game_id == ana.game_id

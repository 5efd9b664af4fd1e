"""What pages offer to everybody who may open them, and what the matrix does not try: forged forms, locked games.

Who may open which page and send which form stands in `tests.test_matrix.PAGES`; each address is requested by everybody
there.
"""

from __future__ import annotations

import pytest
from django.test import Client

from games.models import Game, Group, GroupInvite, GroupKey, GroupRole, Invite, Key, Player
from tests.cast.groups import played, player
from tests.cast.pages import Phone, come_in, read_html
from tests.cast.tables import Table, stored
from tests.pages.addresses import views_of_a_group, views_of_a_table
from tests.test_matrix import PAGES, stated

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

VIEWS = {view.name: view for view in views_of_a_table()}
CHANGING = {name: view for name, view in VIEWS.items() if view.changes}
GROUP_VIEWS = {view.name: view for view in views_of_a_group()}

MAY = stated(PAGES, "table")


def sent_by(role: str) -> set[str]:
    """The pages of a table that a role may send a form to."""
    return {name for (name, method), by_role in MAY.items() if method == "POST" and role in by_role} & VIEWS.keys()


def everything() -> list[object]:
    """All that is stored of all games and groups, their players, keys and invitations."""
    rows = (Key, Invite, Group, GroupKey, GroupInvite, Player)
    return [
        [stored(game.pk) for game in Game.objects.order_by("pk")],
        *(list(each.objects.order_by("pk").values_list()) for each in rows),
    ]


def test_every_page_of_the_matrix_takes_the_methods_that_it_states() -> None:
    for view in (*VIEWS.values(), *GROUP_VIEWS.values()):
        assert view.methods - {"HEAD"} == {method for name, method in MAY if name == view.name}, view.name


def test_head_is_answered_like_get_without_a_body(table: Table, ana: Phone, subtests: pytest.Subtests) -> None:
    for view in VIEWS.values():
        with subtests.test(view.name):
            asked, found = (ana.client.generic(method, view.of(table.id)) for method in ("HEAD", "GET"))

            assert (asked.status_code, asked.content) == (found.status_code, b"")
            assert asked.headers.keys() == found.headers.keys()


def test_the_page_without_a_key_says_how_to_come_in_and_nothing_of_what_is_there(round_2: Table, group: Group) -> None:
    played(group)

    for address, secrets in (
        (f"/g/{round_2.id}/", (round_2.id, "Ana", "Ben", "Cleo", ">24<")),
        (f"/groups/{group.pk}/", (group.pk, "Thursday", "Ana", "Ben")),
    ):
        page = Phone().get(address)

        assert page.status == 404
        assert page.press("Join with a code").status == 200
        assert not any(word in page.html for word in secrets)


@pytest.mark.parametrize("name", ["x", "%00", "%ff", "%F0%9F%90%95", "0" * 500, "'; DROP TABLE games_game; --"])
def test_what_has_any_other_name_does_not_exist_either(ana: Phone, olga: Phone, name: str) -> None:
    assert ana.get(f"/g/{name}/").status == olga.get(f"/groups/{name}/").status == 404


# --- what is offered ---


def test_a_viewer_is_offered_only_what_they_may_do(table: Table, cleo: Phone) -> None:
    table.record("trump red")
    pages = [cleo.open(name) for name in ("table", "sheet", "history", "menu")]

    links = {node.attrs["href"] for page in pages for node in page.root.all("a")}
    forms = {form.attrs["action"] for page in pages for form in page.root.all("form")}

    forbidden = {CHANGING[name].of(table.id) for name in CHANGING.keys() - sent_by("viewer")}
    assert links.isdisjoint(forbidden)
    assert forms == {cleo.address_of("act"), cleo.address_of("phones")}
    assert all("disabled" in button.attrs for button in pages[0].root.all("button", name="space"))


@pytest.mark.slow
@pytest.mark.parametrize("role", GroupRole)
def test_no_one_is_offered_what_they_may_not_do(group: Group, role: GroupRole, subtests: pytest.Subtests) -> None:
    game, ana, ben = played(group), player(group, "Ana").pk, player(group, "Ben").pk
    known = {"player_id": ana, "one_id": ana, "other_id": ben, "game_id": game.id}
    phone = come_in(group, role)
    names = ("group", "group_games", "evening", "players", "group_statistics", "group_keys")
    pages = {name: phone.get(GROUP_VIEWS[name].of(group.pk, **known)) for name in names}

    for name, page in pages.items():
        links = {node.attrs["href"] for node in page.root.all("a")}
        for link in links - {"/"}:
            with subtests.test(f"{name}: {link}"):
                assert phone.client.get(link if link.startswith("/") else page.address + link).status_code in (200, 302)
    if role == GroupRole.VIEWER:
        forms = [form for page in pages.values() for form in page.root.all("form", method="post")]
        invite = phone.address_of("group_invite")
        assert {form.attrs["action"] for form in forms} == {
            invite,
            phone.address_of("group_revoke", phone.group_key.pk),
        }
        buttons = [button for form in forms if form.attrs["action"] == invite for button in form.all("button")]
        assert {button.attrs["value"] for button in buttons} == {"viewer"}


def test_who_has_no_seat_is_led_to_the_way_in_and_a_sheet_offers_them_no_change(group: Group, max_: Phone) -> None:
    table = played(group)

    assert max_.client.get(f"/g/{table.id}/").headers["Location"] == f"/g/{table.id}/enter/"
    pages = [max_.get(VIEWS[name].of(table.id)) for name in ("sheet", "history", "exports")]
    assert not any(page.root.all("form") for page in pages)
    assert not any(page.offers("Correct") for page in pages)
    assert not Key.objects.filter(through__isnull=False).exists()


# --- forged forms ---


def test_a_form_from_another_site_does_nothing(
    round_2: Table, ana: Phone, group: Group, olga: Phone, subtests: pytest.Subtests
) -> None:
    before = everything()
    of_the_group = [view for view in GROUP_VIEWS.values() if view.changes]

    for phone, views, owner in ((ana, CHANGING.values(), round_2.id), (olga, of_the_group, group.pk)):
        for view in views:
            with subtests.test(view.name):
                fields = {"version": "3", "sure": "1", "name": "Eve", "role": "owner"}
                response = phone.client.post(view.of(owner), fields)

                assert response.status_code == 403
                assert read_html(response.content.decode()).one(role="alert")

    assert everything() == before


@pytest.mark.parametrize("address", ["/new/", "/join/", "/join/anything/", "/groups/new/", "/import/"])
def test_a_form_from_another_site_opens_and_joins_nothing(db: None, address: str) -> None:
    phone = Client(enforce_csrf_checks=True)

    response = phone.post(
        address, {"name-0": "Ana", "name-1": "Ben", "sit": "1", "code": "0000-0000", "name": "CastGroup"}
    )

    assert response.status_code == 403
    assert not Game.objects.exists()
    assert not Group.objects.exists()
    assert "njet_session" not in response.cookies


# --- locked games ---

OPEN_WHEN_LOCKED = {"phones", "label", "withdraw", "revoke", "rematch", "delete", "adopt"}
WHEN_LOCKED: dict[str, dict[str, str]] = {
    "act": {"do": "penalty", "seat": "0", "points": "-5", "reason": "revoke"},
    "undo": {"sure": "1"},
    "confirm_round": {"seat": "0"},
    "ask_confirmation": {"asked": "1"},
    "undo_to": {"version": "7"},
    "correct_confirm": {"changes": '[{"seq": 3, "delete": true}]'},
    "setup": {"rounds": "3"},
    "occasion": {"day": "2026-01-15"},
    "void": {"reason": "misdeal"},
    "penalty": {"seat": "0", "points": "-5", "reason": "revoke", "sure": "0:-5:revoke"},
}
"""What is sent to those that need something."""


@pytest.mark.slow
def test_a_locked_game_is_changed_by_nothing(locked: Table, ana: Phone, subtests: pytest.Subtests) -> None:
    before = stored(locked.id)

    for name in CHANGING.keys() - OPEN_WHEN_LOCKED:
        for version in {"version": "7"}, {}:
            with subtests.test(f"{name} {version}"):
                fields = {"request_id": "a", **version, **WHEN_LOCKED.get(name, {})}
                page = ana.post_to(VIEWS[name].of(locked.id), fields)

                assert page.status == 409
                assert page.notice

    assert stored(locked.id) == before


def test_a_locked_game_offers_no_change(locked: Table, ana: Phone) -> None:
    table, menu, sheet, history = (ana.open(name) for name in ("table", "menu", "sheet", "history"))

    assert [form.attrs["action"] for form in table.root.all("form")] == [
        ana.address_of("phones"),
        ana.address_of("rematch"),
    ]
    assert not any(menu.offers(label) for label in ("Note a penalty", "Table details", "Misdeal", "Finish"))
    assert menu.offers("Rematch")
    assert not sheet.offers("Correct this round")
    assert not history.offers("Undo this and everything after it")
    assert not history.offers("Correct")

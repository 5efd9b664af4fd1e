"""Who is let in: walks every address of a table, whatever it is called."""

from __future__ import annotations

import pytest
from django.test import Client

from games import access
from games.models import Game, Invite, Key
from tests.services.tables import Table, stored
from tests.views.addresses import ANY_GAME, View, names_of_the_others, views_of_a_table
from tests.views.pages import CSRF_COOKIE, Phone, read_html

pytestmark = pytest.mark.django_db

VIEWS = {view.name: view for view in views_of_a_table()}
CHANGING = {name: view for name, view in VIEWS.items() if view.changes}

# A viewer may show the sheet to others, as viewers, and say whose phone his own is.
OPEN_TO_VIEWERS = {"phones", "label"}
READABLE = {"table", "screen", "sheet", "sheet_csv", "history", "rules", "menu", "phones"}
OPEN_WHEN_LOCKED = {"phones", "label", "revoke", "rematch", "delete"}


def everything() -> tuple[list[object], ...]:
    """All that is stored of all games, their keys and invitations."""
    games = [stored(game.pk) for game in Game.objects.order_by("pk")]
    return games, list(Key.objects.order_by("pk").values_list()), list(Invite.objects.order_by("pk").values_list())


def test_the_walk_finds_the_pages_that_this_test_was_written_with() -> None:
    assert {"table", "act", "undo", "correct_confirm", "delete", "rematch"} <= CHANGING.keys() | {"table"}
    assert READABLE - {"phones"} | {"quick"} == VIEWS.keys() - CHANGING.keys()
    assert names_of_the_others() == {"home", "manifest", "worker", "new", "join", "join_link", "live", "sign_of_life"}


def test_every_other_method_is_not_allowed(table: Table, ana: Phone, subtests: pytest.Subtests) -> None:
    before = everything()

    for view in VIEWS.values():
        for method in {"GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"} - view.methods:
            with subtests.test(f"{method} {view.name}"):
                response = ana.client.generic(method, view.of(table.id), HTTP_X_CSRFTOKEN=CSRF_COOKIE)

                assert response.status_code == 405

    assert everything() == before


# --- without a key the table does not exist ---


def answers(phone: Phone, view: View, game_id: str) -> list[tuple[int, bytes]]:
    """What every method of a page answers."""
    asked = []
    if "GET" in view.methods:
        asked.append(phone.client.get(view.of(game_id)))
    if "POST" in view.methods:
        asked.append(phone.client.post(view.of(game_id), {"csrfmiddlewaretoken": CSRF_COOKIE}))
    return [(response.status_code, response.content) for response in asked]


def assert_nothing_is_there(phone: Phone, table: Table, subtests: pytest.Subtests) -> None:
    """Every address of the table answers as if there were no such table, to the byte."""
    before = everything()

    for view in VIEWS.values():
        with subtests.test(view.name):
            found = answers(phone, view, table.id)

            assert {status for status, _ in found} == {404}
            assert found == answers(phone, view, ANY_GAME)

    assert everything() == before


def test_without_a_key_a_table_does_not_exist(round_2: Table, eve: Phone, subtests: pytest.Subtests) -> None:
    assert_nothing_is_there(eve, round_2, subtests)


def test_with_the_key_of_another_table_it_does_not_exist(round_2: Table, dan: Phone, subtests: pytest.Subtests) -> None:
    assert_nothing_is_there(dan, round_2, subtests)


def test_with_a_key_that_was_taken_back_it_does_not_exist_any_more(
    round_2: Table, ben: Phone, subtests: pytest.Subtests
) -> None:
    assert ben.open().status == 200

    access.revoke(ben.key)

    assert_nothing_is_there(ben, round_2, subtests)


def test_the_page_without_a_key_says_how_to_come_in_and_nothing_of_the_table(round_2: Table, eve: Phone) -> None:
    page = eve.open()

    assert page.is_page
    assert page.press("Join with a code").status == 200
    assert not any(word in page.html for word in (round_2.id, "Ana", "Ben", "Cleo", "24"))


@pytest.mark.parametrize("game_id", ["x", "%00", "%ff", "%F0%9F%90%95", "0" * 500, "'; DROP TABLE games_game; --"])
def test_a_table_of_any_other_name_does_not_exist_either(ana: Phone, game_id: str) -> None:
    page = ana.get(f"/g/{game_id}/")

    assert page.status == 404


# --- viewers ---


def test_a_viewer_changes_nothing(round_2: Table, cleo: Phone, subtests: pytest.Subtests) -> None:
    before = everything()

    for name in CHANGING.keys() - OPEN_TO_VIEWERS:
        with subtests.test(name):
            page = cleo.post_to(CHANGING[name].of(round_2.id), {"version": "3", "request_id": "a"})

            assert page.status == 403
            assert "only a scorekeeper can" in page.notice

    assert everything() == before


def test_a_viewer_reads_everything_and_is_shown_no_page_that_changes(
    round_2: Table, cleo: Phone, subtests: pytest.Subtests
) -> None:
    for view in VIEWS.values():
        if "GET" in view.methods:
            with subtests.test(view.name):
                response = cleo.client.get(view.of(round_2.id))

                assert response.status_code == (200 if view.name in READABLE else 403)


def test_a_viewer_is_offered_only_what_he_may_do(table: Table, cleo: Phone) -> None:
    table.record("trump red")
    pages = [cleo.open(name) for name in ("table", "sheet", "history", "menu")]

    links = {node.attrs["href"] for page in pages for node in page.root.all("a")}
    forms = {form.attrs["action"] for page in pages for form in page.root.all("form")}

    forbidden = {CHANGING[name].of(table.id) for name in CHANGING.keys() - OPEN_TO_VIEWERS}
    assert links.isdisjoint(forbidden)
    assert forms == {cleo.address_of("act")}
    assert all("disabled" in button.attrs for button in pages[0].root.all("button", name="space"))


# --- forged forms ---


def test_a_form_from_another_site_does_nothing(round_2: Table, ana: Phone, subtests: pytest.Subtests) -> None:
    before = everything()

    for view in CHANGING.values():
        with subtests.test(view.name):
            response = ana.client.post(view.of(round_2.id), {"version": "3", "sure": "1"})

            assert response.status_code == 403
            assert "stood open too long" in read_html(response.content.decode()).one(role="alert").text

    assert everything() == before


@pytest.mark.parametrize("address", ["/new/", "/join/", "/join/anything/"])
def test_a_form_from_another_site_opens_and_joins_nothing(db: None, address: str) -> None:
    phone = Client(enforce_csrf_checks=True)

    response = phone.post(address, {"name-0": "Ana", "name-1": "Ben", "sit": "1", "code": "0000-0000"})

    assert response.status_code == 403
    assert not Game.objects.exists()
    assert "njet_session" not in response.cookies


# --- locked games ---

WHEN_LOCKED: dict[str, dict[str, str]] = {
    "act": {"do": "penalty", "seat": "0", "points": "-5", "reason": "revoke"},
    "undo": {"sure": "1"},
    "undo_to": {"version": "7"},
    "correct": {},
    "correct_confirm": {"changes": '[{"seq": 3, "delete": true}]'},
    "setup": {"rounds": "3"},
    "void": {"reason": "misdeal"},
    "penalty": {"seat": "0", "points": "-5", "reason": "revoke", "sure": "0:-5:revoke"},
    "finish": {},
    "lock": {},
    "reopen": {},
}


def test_every_changing_page_is_tried_on_a_locked_game() -> None:
    assert WHEN_LOCKED.keys() == CHANGING.keys() - OPEN_WHEN_LOCKED


def test_a_locked_game_is_changed_by_nothing(locked: Table, ana: Phone, subtests: pytest.Subtests) -> None:
    before = stored(locked.id)

    for name, fields in WHEN_LOCKED.items():
        for version in {"version": "7"}, {}:
            with subtests.test(f"{name} {version}"):
                page = ana.post_to(VIEWS[name].of(locked.id), {"request_id": "a", **version, **fields})

                assert page.status == (422 if name == "correct" else 409)
                assert page.notice

    assert stored(locked.id) == before


def test_a_locked_game_offers_no_change(locked: Table, ana: Phone) -> None:
    table, menu, sheet, history = (ana.open(name) for name in ("table", "menu", "sheet", "history"))

    assert [form.attrs["action"] for form in table.root.all("form")] == [ana.address_of("rematch")]
    assert not any(menu.offers(label) for label in ("Note an agreed penalty", "Correct names", "Misdeal", "Finish"))
    assert menu.offers("Rematch")
    assert not sheet.offers("Correct this round")
    assert not history.offers("Undo back to here")
    assert not history.offers("Correct")

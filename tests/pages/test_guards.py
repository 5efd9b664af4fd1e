"""Access: every address of a table and of a group is requested by everybody."""

from __future__ import annotations

import pytest
from django.test import Client

from games.keys import registry
from games.models import Game, Group, GroupInvite, GroupKey, GroupRole, Invite, Key, Player
from games.services import groups
from tests.cast.clubs import new_group, played, player
from tests.cast.pages import CSRF_COOKIE, Phone, come_in, read_html
from tests.cast.tables import Table, stored
from tests.pages.addresses import (
    ANY_GAME,
    ANY_GROUP,
    View,
    names_of_the_others,
    views_of_a_digital_table,
    views_of_a_group,
    views_of_a_table,
)
from tests.test_matrix import SHOWN_TO_GROUPS

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

VIEWS = {view.name: view for view in views_of_a_table()}
CHANGING = {name: view for name, view in VIEWS.items() if view.changes}

# A viewer may show the sheet to others, as viewers, and say whose phone their own is.
# Invitations that a phone's page does not list are not there for it: `withdraw` answers 404.
OPEN_TO_VIEWERS = {"phones", "label", "withdraw"}
# Leads on to an evening, or back to a table that is still being played.
LEADS_ON = {"table_evening"}
# Anyone who is of the table's group may see these without a seat.
SHOWN_TO_THE_GROUP = SHOWN_TO_GROUPS & VIEWS.keys() - LEADS_ON
READABLE = {"table", "screen", "menu", "phones"} | SHOWN_TO_THE_GROUP
OPEN_WHEN_LOCKED = {"phones", "label", "withdraw", "revoke", "rematch", "delete", "adopt"}

CLUB_VIEWS = {view.name: view for view in views_of_a_group()}
CLUB_CHANGING = {name for name, view in CLUB_VIEWS.items() if view.changes}
FOR_OWNERS = {"merge_player", "erase_player", "group_token", "group_renew", "group_rename", "group_dissolve"}
FOR_MEMBERS = {"edit_player"}
# Anyone who is of a group may invite others to as much as they may do themselves, and leave; members also add players.
BY_WHAT_IS_SENT = {"players", "group_invite", "group_revoke"}


def everything() -> list[object]:
    """All that is stored of all games and groups, their players, keys and invitations."""
    rows = (Key, Invite, Group, GroupKey, GroupInvite, Player)
    return [
        [stored(game.pk) for game in Game.objects.order_by("pk")],
        *(list(each.objects.order_by("pk").values_list()) for each in rows),
    ]


def test_the_walk_finds_the_pages_that_this_test_was_written_with() -> None:
    assert {"table", "act", "undo", "correct_confirm", "delete", "rematch"} <= CHANGING.keys() | {"table"}
    assert READABLE - {"phones"} | {"quick", "pad"} | LEADS_ON == VIEWS.keys() - CHANGING.keys()
    assert CLUB_CHANGING - {"group_withdraw"} == FOR_OWNERS | FOR_MEMBERS | BY_WHAT_IS_SENT
    assert {
        *("group", "group_games", "group_csv", "evening", "player", "pair"),
        *("group_statistics", "group_keys", "group_settings"),
    } == CLUB_VIEWS.keys() - CLUB_CHANGING
    assert names_of_the_others() == (
        {"home", "robots", "manifest", "worker", "new", "join", "join_link", "live", "sign_of_life"}
        | {"import", "group_new", "enter", "bgstats_play", "appearance", "language", "learn", "lesson"}
    )


@pytest.mark.parametrize(
    "view", [*views_of_a_table(), *views_of_a_digital_table(), *views_of_a_group()], ids=lambda view: view.name
)
def test_every_view_says_which_methods_it_takes(view: View) -> None:
    assert view.methods, (
        f"`{view.name}` has no require_GET, require_POST or require_http_methods as its first decorator"
    )


def test_every_other_method_is_not_allowed(table: Table, ana: Phone, subtests: pytest.Subtests) -> None:
    before = everything()

    for view in VIEWS.values():
        for method in {"GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"} - view.methods:
            with subtests.test(f"{method} {view.name}"):
                response = ana.client.generic(method, view.of(table.id), HTTP_X_CSRFTOKEN=CSRF_COOKIE)

                assert response.status_code == 405

    assert everything() == before


def test_head_is_answered_like_get_without_a_body(table: Table, ana: Phone, subtests: pytest.Subtests) -> None:
    for view in VIEWS.values():
        with subtests.test(view.name):
            asked, found = (ana.client.generic(method, view.of(table.id)) for method in ("HEAD", "GET"))

            assert (asked.status_code, asked.content) == (found.status_code, b"")
            assert asked.headers.keys() == found.headers.keys()


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


@pytest.mark.slow
def test_with_a_key_that_was_taken_back_it_does_not_exist_any_more(
    round_2: Table, ben: Phone, subtests: pytest.Subtests
) -> None:
    assert ben.open().status == 200

    registry.revoke(ben.key)

    assert_nothing_is_there(ben, round_2, subtests)


def test_the_page_without_a_key_says_how_to_come_in_and_nothing_of_the_table(round_2: Table, eve: Phone) -> None:
    page = eve.open()

    assert page.is_page
    assert page.press("Join with a code").status == 200
    assert not any(word in page.html for word in (round_2.id, "Ana", "Ben", "Cleo", ">24<"))


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
            assert "Only a scorekeeper can" in page.notice

    assert everything() == before


def test_a_viewer_reads_everything_and_is_shown_no_page_that_changes(
    round_2: Table, cleo: Phone, subtests: pytest.Subtests
) -> None:
    for view in VIEWS.values():
        if "GET" in view.methods:
            with subtests.test(view.name):
                response = cleo.client.get(view.of(round_2.id))

                assert response.status_code == (200 if view.name in READABLE else 302 if view.name in LEADS_ON else 403)


def test_a_viewer_is_offered_only_what_they_may_do(table: Table, cleo: Phone) -> None:
    table.record("trump red")
    pages = [cleo.open(name) for name in ("table", "sheet", "history", "menu")]

    links = {node.attrs["href"] for page in pages for node in page.root.all("a")}
    forms = {form.attrs["action"] for page in pages for form in page.root.all("form")}

    forbidden = {CHANGING[name].of(table.id) for name in CHANGING.keys() - OPEN_TO_VIEWERS}
    assert links.isdisjoint(forbidden)
    assert forms == {cleo.address_of("act"), cleo.address_of("phones")}
    assert all("disabled" in button.attrs for button in pages[0].root.all("button", name="space"))


# --- groups: without a key they do not exist ---


def club_answers(phone: Phone, view: View, group_id: str, **known: object) -> list[tuple[int, bytes]]:
    """What every method of a group's page answers."""
    address = view.of(group_id, **known)
    asked = []
    if "GET" in view.methods:
        asked.append(phone.client.get(address))
    if "POST" in view.methods:
        asked.append(phone.client.post(address, {"csrfmiddlewaretoken": CSRF_COOKIE, "name": "Eve", "role": "owner"}))
    return [(response.status_code, response.content) for response in asked]


def known_in(group: Group) -> dict[str, object]:
    """A player, a game and a key of a group, for its addresses."""
    game = played(group)
    ana, ben = player(group, "Ana").pk, player(group, "Ben").pk
    key = GroupKey.objects.filter(group=group).order_by("pk").first()
    assert key is not None
    return {"player_id": ana, "one_id": ana, "other_id": ben, "game_id": game.id, "key_id": key.pk}


def assert_no_group_is_there(phone: Phone, group: Group, subtests: pytest.Subtests) -> None:
    """Every address of the group answers as if there were no such group, to the byte."""
    known = known_in(group)
    before = everything()

    for view in CLUB_VIEWS.values():
        with subtests.test(view.name):
            found = club_answers(phone, view, group.pk, **known)

            assert {status for status, _ in found} == {404}
            assert found == club_answers(phone, view, ANY_GROUP, **known)

    assert everything() == before


def test_without_a_key_a_group_does_not_exist(group: Group, subtests: pytest.Subtests) -> None:
    assert_no_group_is_there(Phone(), group, subtests)


def test_with_the_key_of_another_group_it_does_not_exist(group: Group, subtests: pytest.Subtests) -> None:
    assert_no_group_is_there(come_in(new_group("Fridays"), GroupRole.OWNER), group, subtests)


def test_with_a_key_of_a_group_that_was_taken_back_it_does_not_exist_any_more(
    group: Group, max_: Phone, subtests: pytest.Subtests
) -> None:
    assert max_.open("group").status == 200

    groups.revoke_key(group_id=group.pk, key_id=max_.club.pk)

    assert_no_group_is_there(max_, group, subtests)


def test_the_page_without_a_key_says_how_to_come_into_a_group_and_nothing_of_it(group: Group) -> None:
    played(group)

    page = Phone().get(f"/groups/{group.pk}/")

    assert page.press("Join with a code").status == 200
    assert not any(word in page.html for word in (group.pk, "Thursday", "Ana", "Ben"))


@pytest.mark.parametrize("group_id", ["x", "%00", "%ff", "0" * 500, "'; DROP TABLE games_group; --"])
def test_a_group_of_any_other_name_does_not_exist_either(olga: Phone, group_id: str) -> None:
    assert olga.get(f"/groups/{group_id}/").status == 404


# --- groups: who may do what ---


def refused(phone: Phone, view: View, group: Group, known: dict[str, object]) -> set[int]:
    return {status for status, _ in club_answers(phone, view, group.pk, **known)}


def test_a_viewer_of_a_group_is_refused_what_members_and_owners_do(
    group: Group, vera: Phone, subtests: pytest.Subtests
) -> None:
    known = known_in(group)
    before = everything()

    for name in FOR_OWNERS | FOR_MEMBERS:
        with subtests.test(name):
            assert refused(vera, CLUB_VIEWS[name], group, known) == {403}
    for name in BY_WHAT_IS_SENT:
        with subtests.test(name):
            # The page of the players is there to be read; adding one is refused.
            assert refused(vera, CLUB_VIEWS[name], group, known) - {200} == {403}

    assert everything() == before


def test_a_member_of_a_group_is_refused_what_owners_do(group: Group, max_: Phone, subtests: pytest.Subtests) -> None:
    known = known_in(group)
    before = everything()

    for name in FOR_OWNERS | {"group_invite", "group_revoke"}:
        with subtests.test(name):
            page = max_.post_to(CLUB_VIEWS[name].of(group.pk, **known), {"role": "owner", "name": "Eve"})

            assert page.status == 403
            assert page.notice == "Only an owner of the group can do that."
            if "GET" in CLUB_VIEWS[name].methods:
                assert max_.get(CLUB_VIEWS[name].of(group.pk, **known)).status == 403

    assert everything() == before


def test_a_viewer_of_a_group_reads_everything_and_changes_nothing_by_reading(
    group: Group, vera: Phone, subtests: pytest.Subtests
) -> None:
    known = known_in(group)
    one, other = sorted([known["one_id"], known["other_id"]])
    for name in CLUB_VIEWS.keys() - CLUB_CHANGING | {"players"}:
        with subtests.test(name):
            before = everything()

            page = vera.get(CLUB_VIEWS[name].of(group.pk, **{**known, "one_id": one, "other_id": other}))

            assert page.status == (403 if name == "group_settings" else 200)
            assert everything() == before


@pytest.mark.slow
@pytest.mark.parametrize("role", GroupRole)
def test_no_one_is_offered_what_they_may_not_do(group: Group, role: GroupRole, subtests: pytest.Subtests) -> None:
    known = known_in(group)
    phone = come_in(group, role)
    names = ("group", "group_games", "evening", "players", "group_statistics", "group_keys")
    pages = {name: phone.get(CLUB_VIEWS[name].of(group.pk, **known)) for name in names}

    for name, page in pages.items():
        links = {node.attrs["href"] for node in page.root.all("a")}
        for link in links - {"/"}:
            with subtests.test(f"{name}: {link}"):
                assert phone.client.get(link if link.startswith("/") else page.address + link).status_code in (200, 302)
    if role == GroupRole.VIEWER:
        forms = [form for page in pages.values() for form in page.root.all("form", method="post")]
        invite = phone.address_of("group_invite")
        assert {form.attrs["action"] for form in forms} == {invite, phone.address_of("group_revoke", phone.club.pk)}
        buttons = [button for form in forms if form.attrs["action"] == invite for button in form.all("button")]
        assert {button.attrs["value"] for button in buttons} == {"viewer"}


# --- a group's tables ---


@pytest.fixture
def club_table(group: Group) -> Table:
    """A finished table of the group, opened by somebody else."""
    return played(group)


def test_a_member_is_redirected_from_a_table_to_its_enter_page(
    club_table: Table, max_: Phone, vera: Phone, subtests: pytest.Subtests
) -> None:
    before = everything()

    for phone in (max_, vera):
        for view in VIEWS.values():
            if "GET" in view.methods and view.name not in SHOWN_TO_THE_GROUP | LEADS_ON:
                with subtests.test(view.name):
                    response = phone.client.get(view.of(club_table.id))

                    assert (response.status_code, response.headers["Location"]) == (302, f"/g/{club_table.id}/enter/")

    assert everything() == before


def test_the_group_sees_the_sheet_and_everything_else_that_only_shows_without_a_seat(
    club_table: Table, vera: Phone, subtests: pytest.Subtests
) -> None:
    for name in SHOWN_TO_THE_GROUP:
        with subtests.test(name):
            response = vera.client.get(VIEWS[name].of(club_table.id))

            assert response.status_code == 200

    assert not Key.objects.filter(through__isnull=False).exists()


@pytest.mark.slow
def test_no_one_of_the_group_changes_a_table_without_a_seat(
    club_table: Table, olga: Phone, max_: Phone, vera: Phone, subtests: pytest.Subtests
) -> None:
    before = everything()

    for phone in (olga, max_, vera):
        for view in CHANGING.values():
            with subtests.test(view.name):
                page = phone.post_to(view.of(club_table.id), {"version": "6", "sure": "1"})

                assert page.status == 404

    assert everything() == before


def test_a_sheet_offers_no_change_to_anyone_who_has_no_seat(club_table: Table, max_: Phone) -> None:
    pages = [max_.get(VIEWS[name].of(club_table.id)) for name in ("sheet", "history", "exports")]

    assert not any(page.root.all("form") for page in pages)
    assert not any(page.offers("Correct") for page in pages)


@pytest.mark.slow
def test_the_key_of_a_group_opens_no_table_of_another(club_table: Table, subtests: pytest.Subtests) -> None:
    phone = come_in(new_group("Fridays"), GroupRole.OWNER)
    phone.table = club_table

    assert_nothing_is_there(phone, club_table, subtests)
    assert phone.get(f"/g/{club_table.id}/enter/").status == 404
    assert phone.post_to(f"/g/{club_table.id}/enter/", {"role": "viewer"}).status == 404


# --- forged forms ---


def test_a_form_from_another_site_does_nothing(round_2: Table, ana: Phone, subtests: pytest.Subtests) -> None:
    before = everything()

    for view in CHANGING.values():
        with subtests.test(view.name):
            response = ana.client.post(view.of(round_2.id), {"version": "3", "sure": "1"})

            assert response.status_code == 403
            assert "stood open too long" in read_html(response.content.decode()).one(role="alert").text

    assert everything() == before


def test_a_form_from_another_site_does_nothing_in_a_group(group: Group, olga: Phone, subtests: pytest.Subtests) -> None:
    before = everything()

    for name in CLUB_CHANGING:
        with subtests.test(name):
            response = olga.client.post(CLUB_VIEWS[name].of(group.pk), {"name": "Eve", "role": "owner"})

            assert response.status_code == 403
            assert "stood open too long" in read_html(response.content.decode()).one(role="alert").text

    assert everything() == before


@pytest.mark.parametrize("address", ["/new/", "/join/", "/join/anything/", "/groups/new/", "/import/"])
def test_a_form_from_another_site_opens_and_joins_nothing(db: None, address: str) -> None:
    phone = Client(enforce_csrf_checks=True)

    response = phone.post(address, {"name-0": "Ana", "name-1": "Ben", "sit": "1", "code": "0000-0000", "name": "Club"})

    assert response.status_code == 403
    assert not Game.objects.exists()
    assert not Group.objects.exists()
    assert "njet_session" not in response.cookies


# --- locked games ---

WHEN_LOCKED: dict[str, dict[str, str]] = {
    "act": {"do": "penalty", "seat": "0", "points": "-5", "reason": "revoke"},
    "undo": {"sure": "1"},
    "confirm_round": {"seat": "0"},
    "withdraw_correction": {},
    "ask_confirmation": {"asked": "1"},
    "undo_to": {"version": "7"},
    "correct": {},
    "correct_entries": {},
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


@pytest.mark.slow
def test_a_locked_game_is_changed_by_nothing(locked: Table, ana: Phone, subtests: pytest.Subtests) -> None:
    before = stored(locked.id)

    for name, fields in WHEN_LOCKED.items():
        for version in {"version": "7"}, {}:
            with subtests.test(f"{name} {version}"):
                page = ana.post_to(VIEWS[name].of(locked.id), {"request_id": "a", **version, **fields})

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

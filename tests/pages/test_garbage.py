"""A page answers every request with a sentence: never with a server error, never with something broken stored.

Every field of every form is tried with several kinds of rubbish, the others as they should be; then whole forms are
made of chance.  Each try is taken back, so that all of them meet the same table.
"""

from __future__ import annotations

import base64
import json
import random
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

import pytest
from django.conf import settings
from django.db import connection, transaction

from games.models import Group, GroupRole, Key
from games.rules import Setup
from tests.builders import dutch, english
from tests.cast.groups import played
from tests.cast.pages import CSRF_COOKIE, Phone, come_in, sit_down
from tests.cast.tables import ROUND_1, ROUND_2, Table, stored
from tests.pages.addresses import views_of_a_table
from tests.test_matrix import PAGES, World, answered, everything, stated

pytestmark = [pytest.mark.django_db, pytest.mark.slow, pytest.mark.postgresql]

Fields = dict[str, str]

RUBBISH: tuple[str | None, ...] = (
    None,  # the field is missing
    "",
    "a\0b",
    "-1",
    "1.5",
    "9" * 4300,  # the longest number that Python reads
    "0:" + "9" * 4300,
    "start:" + "9" * 4301,
    "٣",
    "\ud800",
    "\u202e🐕{seat}%s</p>" + "x" * 5000,
)

ANSWERS = {200, 204, 302, 400, 403, 404, 409, 422, 429}


@contextmanager
def taken_back(phone: Phone) -> Iterator[None]:
    """Everything that the block stores is rolled back, and no text in it breaks any database."""
    cookie = phone.client.cookies[settings.SESSION_COOKIE_NAME].value

    def check(execute: Callable[..., object], sql: str, params: object, many: bool, context: object) -> object:
        assert "\\x00" not in repr(params), "a NUL reached the database"
        assert "\\ud800" not in repr(params), "half a surrogate pair reached the database"
        return execute(sql, params, many, context)

    with transaction.atomic(), connection.execute_wrapper(check):
        yield
        transaction.set_rollback(True)
    phone.client.cookies[settings.SESSION_COOKIE_NAME] = cookie


def kept(phone: Phone) -> list[object]:
    """What is stored of the phone's table, or of everything."""
    return everything() if phone.table is None else [stored(phone.table.id)]


def assert_answered(phone: Phone, address: str, fields: Mapping[str, object]) -> None:
    """A form is done, or refused with a sentence and nothing else."""
    with taken_back(phone):
        before = kept(phone)
        response = phone.send_to(address, {"csrfmiddlewaretoken": CSRF_COOKIE, **fields})
        assert response.status_code in ANSWERS
        if response.status_code == 302:
            return
        html = response.content.decode()
        if response.status_code >= 400 and response.headers["Content-Type"] == "application/json":
            # What a script sends is answered to it.
            assert json.loads(html)["error"]["message"]
            assert kept(phone) == before
        elif response.status_code >= 400:
            assert 'role="alert"' in html or "This phone has not joined" in html
            assert kept(phone) == before
        assert "None" not in html
        assert "Traceback" not in html


def spoilt(good: Fields) -> Iterator[Fields]:
    """The form with one field wrong; each field meets every third kind of rubbish, so that each form meets them all."""
    for number, field in enumerate(good):
        for kind, rubbish in enumerate(RUBBISH):
            if (number + kind) % 3:
                continue
            fields = dict(good)
            if rubbish is None:
                del fields[field]
            else:
                fields[field] = rubbish
            yield fields


# --- a good form for every page that takes one ---


def begun() -> Table:
    return Table(dutch(3, rounds=2))


def teams() -> Table:
    return Table(dutch(3, rounds=2), ROUND_1[0])


def counting() -> Table:
    return Table(dutch(3, rounds=2), *ROUND_1[:2])


def over() -> Table:
    return Table(dutch(3, rounds=2), *ROUND_1, *ROUND_2)


def mixed() -> Table:
    """A round with every kind of entry in it."""
    return Table(
        dutch(3, rounds=2),
        "trump red",
        "open 0 njet blue black 2",
        "team alone monster 0",
        "penalty 1 -5 late",
        "trick 0+1",
        "trick 1",
    )


STAMP = {"version": "", "request_id": "a"}
FORMS: dict[str, tuple[str, Callable[[], Table], Fields]] = {
    "place": ("act", begun, {"do": "place", "space": "trump:red"}),
    "quick entry": (
        "act",
        begun,
        {"do": "conditions", "start": "0", "discard": "njet", "trump": "red", "supertrump": "blue", "points": "3"},
    ),
    "team": ("act", teams, {"do": "team", "team": "1:2", "start": ""}),
    "trick": ("act", counting, {"do": "trick", "trick": "0:1"}),
    "tally": (
        "act",
        counting,
        {"do": "tally", "tricks-0": "5", "tricks-1": "4", "tricks-2": "3"}
        | {"captured-0": "1", "captured-1": "1", "captured-2": "1"},
    ),
    "penalty at the end": ("penalty", over, {"seat": "0", "points": "-5", "reason": "late", "sure": "0:-5:late"}),
    "setup": (
        "setup",
        begun,
        {"name-0": "Ana", "name-1": "Ben", "name-2": "Cleo", "token-0": "bear", "token-1": "wolf"}
        | {"token-2": "raven", "dealer": "1", "rounds": "3"},
    ),
    "draw the dealer": ("setup", begun, {"draw": "1"}),
    "correct": (
        "correct",
        lambda: Table(dutch(3, rounds=2), *ROUND_1),
        {"was": "", "start": "0", "discard": "njet", "trump": "red", "supertrump": "black", "points": "3"}
        | {"asked": "0", "partners": "1", "monster": "2"}
        | {"tricks-0": "6", "tricks-1": "3", "tricks-2": "3", "captured-0": "1", "captured-1": "1", "captured-2": "1"},
    ),
    "correct tricks": (
        "correct",
        lambda: Table(english(2), "open 1 njet red blue 2", *["trick 0"] * 15),
        {"start": "0", "discard": "njet", "trump": "red", "supertrump": "black", "points": "3"}
        | {"tricks-0": "6", "tricks-1": "9", "captured-0": "1", "captured-1": "1"},
    ),
    "correct an entry": (
        "correct_entries",
        mixed,
        {"e1.0-kind": "place", "e1.0-space": "trump:black", "e1.0-insert": ""}
        | {"e2.0-kind": "conditions", "e2.0-start": "0", "e2.0-discard": "njet", "e2.0-trump": "blue"}
        | {"e2.0-supertrump": "black", "e2.0-points": "3"}
        | {"e3.0-kind": "team", "e3.0-monster": "0", "e4.0-kind": "penalty", "e4.0-seat": "1"}
        | {"e4.0-points": "-6", "e4.0-reason": "later", "e5.0-kind": "trick", "e5.0-winner": "1"}
        | {"e5.0-captured": "0", "e6.0-kind": "trick", "e6.0-winner": "1", "e6.0-captured": "1"},
    ),
    "correct a tally": (
        "correct_entries",
        lambda: Table(dutch(3, rounds=2), *ROUND_1),
        {"e3.0-kind": "tally", "e3.0-tricks-0": "6", "e3.0-tricks-1": "3", "e3.0-tricks-2": "3"}
        | {"e3.0-captured-0": "1", "e3.0-captured-1": "1", "e3.0-captured-2": "1"},
    ),
}

CORRECTIONS = (
    "",
    "x",
    "null",
    "[]",
    "{}",
    "[null]",
    "[[]]",
    "[{}]",
    '[{"seq": 3}]',
    '[{"seq": 99, "delete": true}]',
    '[{"seq": 0, "delete": true}]',
    '[{"seq": 3, "delete": 1}]',
    '[{"seq": 3.0, "delete": true}]',
    '[{"seq": "3", "delete": true}]',
    '[{"seq": NaN, "delete": true}]',
    '[{"seq": -1, "part": -1, "delete": true}]',
    '[{"seq": 3, "delete": true, "\\ud800": 1}]',
    '[{"after_seq": 3, "action": {"type": "\\ud800"}}]',
    '[{"after_seq": 3, "action": {"type": "place", "row": "\\ud800", "space": "red"}}]',
    '[{"seq": 1, "action": {"type": "place", "row": "trump", "space": "\\ud800"}}]',
    '[{"seq": 1, "action": {"type": "place", "row": "trump", "space": "\\u0000"}}]',
    '[{"after_seq": 1, "action": {"type": "void_round", "reason": "\\ud800"}}]',
    '[{"after_seq": 0, "action": {"type": "penalty", "seat": 0, "points": -5, "reason": "a\\u0000b"}}]',
    '[{"after_seq": 0, "action": {"type": "penalty", "seat": 0, "points": 1e400, "reason": "a"}}]',
    '[{"after_seq": 0, "action": {"type": "deal", "hands": [null], "counts": [3]}}]',
    '[{"after_seq": 0, "action": {"type": "play", "card": "\\ud800"}}]',
    f'[{{"seq": {"9" * 4301}, "delete": true}}]',
    f'[{{"seq": {"9" * 4300}, "delete": true}}]',
    '[{"seq": 3, "action": {"type": "tally", "tricks": [' + ", ".join(["9" * 4300] * 3) + '], "captured": [1, 1, 1]}}]',
    "[" * 20_000,
    '{"a":' * 5_000,
)


def phone_at(table: Table, name: str) -> tuple[Phone, str]:
    """A scorekeeper's phone and the address that the form goes to."""
    view = {view.name: view for view in views_of_a_table()}[name]
    return Phone().sits(table, table.key), view.of(table.id)


TRIED_AT_A_TABLE = {
    name
    for (name, method), by_role in stated(PAGES, "table").items()
    if method == "POST" and set(by_role.values()) - {404}
} - {"act"}


@pytest.mark.parametrize("mode", ["table", "digital"])
def test_no_field_of_a_form_that_the_matrix_knows_can_break_a_page(
    db: None, mode: str, subtests: pytest.Subtests
) -> None:
    world = World(mode)
    for route, method, by_role in answered(world, "games"):
        roles = [role for role in by_role if role in world.sessions]
        if method != "POST" or not roles or (mode == "digital" and route.name in TRIED_AT_A_TABLE):
            continue
        phone = Phone()
        phone.client.cookies[settings.SESSION_COOKIE_NAME] = world.sessions[roles[0]]
        good = {name: str(value) for name, value in world.bodies["games"].get(route.name, {}).items()}
        for fields in spoilt(STAMP | good | {"banana": ""}):
            with subtests.test(str(route)):
                assert_answered(phone, world.address(route), fields)


@pytest.mark.parametrize("title", FORMS)
def test_no_field_of_a_form_can_break_a_page(db: None, title: str) -> None:
    name, tables, good = FORMS[title]
    phone, address = phone_at(tables(), name)

    for fields in spoilt(STAMP | good):
        assert_answered(phone, address, fields)


def test_no_correction_can_break_the_page_that_confirms_it(db: None, subtests: pytest.Subtests) -> None:
    phone, address = phone_at(Table(dutch(3, rounds=2), *ROUND_1), "correct_confirm")

    for changes in CORRECTIONS:
        with subtests.test(changes[:80]):
            assert_answered(phone, address, {**STAMP, "changes": changes})


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("htmx", [False, True], ids=["page", "fragment"])
def test_no_form_made_of_chance_can_break_a_page(db: None, seed: int, htmx: bool) -> None:
    chance = random.Random(seed)
    tables = [sit_down(made(), htmx=htmx) for made in (begun, teams, counting, over, mixed)]
    views = [view for view in views_of_a_table() if view.changes]
    names = sorted({field for _, _, fields in FORMS.values() for field in STAMP | fields})
    values = [value for value in RUBBISH if value is not None and len(value) < 5000]
    values += [value for _, _, fields in FORMS.values() for value in fields.values()]

    for _ in range(35):
        phone, view = chance.choice(tables), chance.choice(views)
        fields: dict[str, object] = {name: chance.choice(values) for name in chance.sample(names, 8)}
        fields[chance.choice(names)] = [chance.choice(values), chance.choice(values)]
        if view.name == "act":
            fields["do"] = chance.choice(["place", "conditions", "team", "trick", "tally", "penalty", "finish"])
        assert_answered(phone, view.of(phone.table.id), fields)


# --- the pages that belong to no table ---

OPENING: Fields = {
    "preset": "njet-english",
    **{f"name-{place}": name for place, name in enumerate(["Ana", "Ben", "Cleo", "Dan", ""])},
    "token-0": "pink",
    "dealer": "1",
    "option-rounds": "3",
    "option-start_row": "False",
    "option-score_record": "difference",
    "label": "Ana’s phone",
}


@pytest.mark.parametrize("button", ["", "switch"])
def test_no_field_of_a_new_table_can_break_it(ana: Phone, button: str) -> None:
    good = OPENING | ({button: "njet-wikipedia"} if button else {})

    for fields in spoilt({**good, "option-banana": "", "name-9": "", "token-9": ""}):
        assert_answered(ana, "/new/", fields)


# --- lists and addresses ---


def cursor(*document: object) -> str:
    """What looks like a cursor that was given out."""
    return base64.urlsafe_b64encode(json.dumps(document).encode()).decode().rstrip("=")


WHEN = "2026-11-21T18:00:00+00:00"
CURSORS = (
    cursor(),
    cursor(1, 2, 3),
    cursor(WHEN, "x", 2),
    cursor(WHEN, "x", [0]),
    cursor(WHEN, ["x"], 0),
    cursor(WHEN, "a\0b", 0),
    cursor(WHEN, "\ud800", 0),
    cursor("2026-11-21T18:00:00", "x", 0),
    cursor("9999-12-31T23:59:59-12:00", "x", 0),
    cursor("0001-01-01T00:00:00+12:00", "x", 1),
    base64.urlsafe_b64encode(b"[" * 20_000).decode(),
    "é",
    "=",
    "A" * 5000,
)


@pytest.mark.parametrize("field", ["player", "preset", "players", "from", "to", "cursor"])
def test_no_filter_can_break_the_history(group: Group, field: str) -> None:
    played(group)
    phone = come_in(group)
    values = [value.encode(errors="surrogatepass") for value in RUBBISH if value is not None]
    values += [value.encode() for value in CURSORS] if field == "cursor" else [b"9999-12-31", b"0001-01-01", b"6"]

    for value in values:
        with taken_back(phone):
            response = phone.client.get(phone.address_of("group_games"), {field: value})

        assert response.status_code in (200, 400, 414), value
        assert ('role="alert"' in response.content.decode()) == (response.status_code == 400)


@pytest.mark.parametrize("part", ["%00", "%ff", "9" * 400, "%F0%9F%90%95", "..", "a" * 300])
def test_no_id_in_an_address_can_break_a_page_of_a_group(group: Group, part: str) -> None:
    phone = come_in(group, GroupRole.OWNER)
    addresses = [f"/groups/{group.pk}/players/{part}/{page}" for page in ("", "edit/", "merge/", "erase/")]
    addresses += [f"/groups/{group.pk}/evening/{part}/", f"/groups/{group.pk}/pairs/{part}/{part}/"]
    addresses += [f"/groups/{group.pk}/keys/{part}/{page}/" for page in ("renew", "revoke")]
    addresses += [f"/groups/{group.pk}/keys/invites/{part}/withdraw/"]
    addresses += [f"/g/{part}/{page}" for page in ("", "enter/", "sheet/", "placements/", "evening/")]
    addresses += [f"/g/{part}/{page}" for page in ("export/", "export/njet.txt")]
    addresses += [f"/new/?group={part}", f"/import/?group={part}", f"/g/{played(group).id}/export/{part}"]

    for address in addresses:
        with taken_back(phone):
            assert phone.client.get(address).status_code in (200, 302, 404, 405), address
            sent = phone.send_to(address, {"csrfmiddlewaretoken": CSRF_COOKIE, "role": "viewer"})
            assert sent.status_code in ANSWERS | {405}, address


# --- addresses ---


@pytest.mark.parametrize("htmx", [False, True], ids=["page", "fragment"])
@pytest.mark.parametrize("setup", [english(5, start_row=False), dutch(3)], ids=["start free", "start settled"])
def test_no_address_can_break_a_page(db: None, setup: Setup, htmx: bool) -> None:
    board = "open njet red blue 2" if setup.ruleset.players == 5 else "open 0 njet blue black 2"
    phone = sit_down(Table(setup, board), htmx=htmx)
    hostile = [value for value in RUBBISH if value is not None and len(value) < 5000]

    for field in ("board", "partners", "start", "count"):
        for value in hostile:
            value = value.encode(errors="surrogatepass")
            response = phone.client.get(phone.address_of("table"), {field: value}, headers=phone.headers)

            assert response.status_code in (200, 400, 414), field


@pytest.mark.parametrize("number", ["0", "99", "9" * 19, "9" * 400])
@pytest.mark.parametrize(
    "address", ["correct/{}/", "correct/{}/confirm/", "undo/{}/", "phones/{}/revoke/", "phones/invites/{}/withdraw/"]
)
def test_no_number_in_an_address_can_break_a_page(round_2: Table, ana: Phone, address: str, number: str) -> None:
    there = ana.address_of("table") + address.format(number)

    assert ana.client.get(there).status_code in (200, 404, 405, 409)
    assert_answered(ana, there, {"version": "3"})
    assert Key.objects.filter(revoked_at=None).count() == 3


@pytest.mark.parametrize("content_type", ["application/json", "text/plain", "multipart/form-data", "x"])
@pytest.mark.parametrize("body", [b"", b"{", b"\0\xff", b"--x\r\n", json.dumps({"do": "place"}).encode()])
def test_no_body_can_break_a_page(table: Table, ana: Phone, content_type: str, body: bytes) -> None:
    response = ana.client.post(ana.address_of("act"), body, content_type=content_type, HTTP_X_CSRFTOKEN=CSRF_COOKIE)

    assert response.status_code == 400
    assert table.version == 0


def test_a_form_with_too_many_fields_is_refused(table: Table, ana: Phone) -> None:
    page = ana.post_to(ana.address_of("act"), {f"f{number}": "" for number in range(2000)})

    assert page.status == 400

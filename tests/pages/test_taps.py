"""Taps on the table and taking them back: done, refused with a sentence, too late and offered again, sent twice."""

from __future__ import annotations

import pytest

from games.models import LogEntry
from games.rules import Place, RowKey
from games.rules.editions import NJET
from tests.builders import english
from tests.cast.pages import Page, Phone, sit_down
from tests.cast.tables import ROUND_1, Table, stored

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

both = pytest.mark.parametrize("htmx", [False, True], ids=["page", "fragment"])


@pytest.fixture
def phone(table: Table, htmx: bool) -> Phone:
    """Ana's phone, without script and with."""
    return Phone(htmx=htmx).sits(table, table.key)


# --- covering a space ---


@both
def test_one_tap_covers_a_space(table: Table, phone: Phone) -> None:
    page = phone.open(board="").press("Cover blue")

    assert page.status == 200
    assert table.version == 1
    assert page.root.one("button", value="trump:blue").name == "blue trump: covered by Ben"
    assert page.version == 1


def test_without_script_a_tap_leads_back_to_the_table(table: Table, ana: Phone) -> None:
    page = ana.open(board="").press("Cover blue")

    assert page.response.redirect_chain == [(ana.address_of("table"), 302)]


def test_with_script_a_tap_answers_the_fragment_and_the_address_of_the_table(table: Table, ana_htmx: Phone) -> None:
    page = ana_htmx.open(board="").press("Cover blue")

    assert page.is_fragment
    assert page.response.headers["HX-Replace-Url"] == ana_htmx.address_of("table")


def test_a_reload_after_a_tap_shows_the_identical_screen(table: Table, ana_htmx: Phone) -> None:
    tapped = ana_htmx.open(board="").press("Cover blue")

    assert ana_htmx.open().text == tapped.text


def test_every_kind_of_entry_can_be_tapped_without_script(table: Table, ana: Phone) -> None:
    page = ana.open().press("Enter the board")
    page = page.fill_in(
        {"start": "0", "discard": "njet", "trump": "blue", "supertrump": "black", "points": "2"}, press="Use this board"
    )
    page = page.press("alone")
    page = page.press("Ana wins the trick")

    assert page.status == 200
    assert [entry.kind for entry in LogEntry.objects.filter(game=table.id)] == ["conditions", "team", "trick"]


@both
@pytest.mark.parametrize(
    ("key", "left"),
    [("start", "0"), ("discard", "pass_2_right"), ("trump", "yellow"), ("supertrump", NJET), ("points", "-2")],
)
def test_the_last_open_space_of_a_row_refuses_the_tap_and_says_why(db: None, htmx: bool, key: str, left: str) -> None:
    table = Table(english(5))
    row = RowKey(key)
    table.record(*(Place(row, space) for space in table.state.ruleset.spaces(row) if space != left))
    phone = sit_down(table, htmx=htmx)
    page = phone.open()
    (space,) = (node for node in page.root.all("button", name="space") if "is-left" in node.attrs["class"])
    before = stored(table.id)

    page = page.press(space.name)

    assert (page.status, page.code) == (422, "last_open_space")
    assert page.is_fragment is htmx
    assert stored(table.id) == before
    assert page.press("Close").notice == ""


@both
def test_a_covered_space_refuses_another_marker(table: Table, phone: Phone) -> None:
    table.record("trump red")

    page = phone.open().press("red trump: covered by Ben")

    assert (page.status, page.code) == (422, "space_covered")
    assert page.offers("Cover blue")


@both
def test_every_other_tap_is_refused_where_it_was_made(table: Table, phone: Phone) -> None:
    before = stored(table.id)

    for fields, status, code in (
        ({}, 400, "unknown_action"),
        ({"do": "place", "space": "trump"}, 422, "unknown_space"),
        ({"do": "place", "space": "moon:red"}, 400, "unknown_row"),
        ({"do": "tally"}, 422, "wrong_phase"),
        ({"do": "penalty", "seat": "0", "points": "-5"}, 422, "reason_missing"),
        ({"do": "place", "space": "trump:red", "version": "x"}, 400, "wrong_type"),
    ):
        page = phone.post_to(phone.address_of("act"), fields)

        assert (page.status, page.code) == (status, code)
        assert page.is_fragment is phone.htmx
        assert stored(table.id) == before


# --- too late: somebody else was faster ---


@both
def test_a_tap_that_comes_too_late_is_shown_the_fresh_table_and_done_with_one_more(table: Table, phone: Phone) -> None:
    page = phone.open(board="")
    table.record("points 4")

    page = page.press("Cover blue")

    assert page.status == 409
    assert page.is_fragment is phone.htmx
    assert page.version == 1
    assert page.root.one("button", value="points:4").name == "4 points: covered by Ben"
    assert page.code == "stale_version"
    page = page.press("Record it now: Cleo covered blue trump")
    assert page.status == 200
    assert page.notice == ""
    assert table.version == 2
    assert page.root.one("button", value="trump:blue").name == "blue trump: covered by Cleo"


@both
def test_after_a_tap_that_came_too_late_the_very_next_tap_succeeds(table: Table, phone: Phone) -> None:
    page = phone.open(board="")
    table.record("points 4")
    page = page.press("Cover blue")

    page = page.press("Cover red")

    assert page.status == 200
    assert table.version == 2


@both
def test_what_became_impossible_since_is_not_offered_again(table: Table, phone: Phone) -> None:
    page = phone.open(board="")
    table.record("trump blue")

    page = page.press("Cover blue")

    assert page.status == 409
    assert page.code == "space_covered"
    assert not page.offers("Record it now")


@both
@pytest.mark.parametrize(
    ("before", "query", "button", "typed", "shown"),
    [
        (ROUND_1[:1], {}, "with Ben", {}, "Ana plays with Ben; Cleo scores double"),
        (ROUND_1[:2], {"count": "trick"}, "Ana wins the trick and captures 1", {}, "Ana won a trick, 1 captured card"),
        (
            ROUND_1[:2],
            {"count": "tally"},
            "Count the round",
            {"tricks-0": "5", "tricks-1": "4", "tricks-2": "3", "captured-1": "1"},
            "Round counted, tricks (captured): Ana 5, Ben 4 (1), Cleo 3",
        ),
    ],
    ids=["team", "trick", "tally"],
)
def test_every_tap_can_be_repeated(
    table: Table,
    phone: Phone,
    before: tuple[str, ...],
    query: dict[str, str],
    button: str,
    typed: dict[str, str],
    shown: str,
) -> None:
    table.record(*before)
    page = phone.open(**query)
    table.record("penalty 1 -5 late")

    page = page.fill_in(typed, press=button)
    assert page.status == 409
    page = page.press(f"Record it now: {shown}")

    assert page.status == 200
    assert table.version == len(before) + 2


@both
def test_an_offer_that_comes_too_late_itself_is_made_again(table: Table, phone: Phone) -> None:
    page = phone.open(board="")
    table.record("points 4")
    page = page.press("Cover blue")
    table.record("points 3")

    page = page.press("Record it now")

    assert page.status == 409
    assert page.press("Record it now: Ana covered blue trump").status == 200


# --- sent twice ---


@both
def test_a_form_that_is_sent_again_with_another_tap_is_offered_as_a_new_one(table: Table, phone: Phone) -> None:
    page = phone.open(board="")
    page.press("Cover blue")

    page = page.press("Cover red")

    assert page.status == 409
    assert page.press("Record it now: Cleo covered red trump").status == 200
    assert table.version == 2


def test_each_answer_carries_a_new_request_id(table: Table, ana_htmx: Phone) -> None:
    page = ana_htmx.open(board="")
    seen = {page.fields("Cover blue")["request_id"]}

    for button in ("Cover blue", "Cover red", "Cover green"):
        page = page.press(button)
        seen.add(page.root.all(name="request_id")[0].attrs["value"])

    assert len(seen) == 4


# --- undo ---


@both
@pytest.mark.parametrize(
    ("lines", "shown"),
    [
        (("points 4",), "Ben covered 4 points"),
        (("trump red", "start 0"), "Cleo covered Ana’s token"),
        (("supertrump green",), "Ben covered green super trump"),
        (("discard njet",), "Ben covered “njet” (discard)"),
        (ROUND_1[:1], "the board"),
        (ROUND_1[:2], "Ana plays alone and scores double"),
        ((*ROUND_1[:2], "trick 0+1"), "Ana: trick +1"),
        ((*ROUND_1[:2], "trick 0"), "Ana: trick"),
        (ROUND_1, "the count of the round"),
        (("trump red", "void misdeal"), "Dealt again: misdeal"),
        (("penalty 1 -5 late",), "Ben −5: late"),
        (("penalty 1 5 kindness",), "Ben +5: kindness"),
        ((*ROUND_1, "finish"), "Game finished early"),
    ],
)
def test_undo_names_what_it_undoes_and_does_it(table: Table, phone: Phone, lines: tuple[str, ...], shown: str) -> None:
    table.record(*lines[:-1])
    before = table.state
    table.record(lines[-1])

    page = phone.open().press(f"Undo: {shown}")

    assert page.status == 200
    assert table.state == before
    assert not page.offers(f"Undo: {shown}")


@both
@pytest.mark.parametrize("lines", [(), ROUND_1], ids=["round 1", "round 2"])
def test_undo_of_the_first_marker_leaves_the_empty_board(
    table: Table, phone: Phone, ben: Phone, lines: tuple[str, ...]
) -> None:
    table.record(*lines)
    phone.open(board="").press("Cover blue")
    page = phone.open().press("Undo: ")

    assert table.state.current is not None
    assert table.state.current.board.is_untouched
    assert page.root.one("form", class_="board")
    assert page.text == phone.open().text
    assert ben.open().root.one("form", class_="board")


def test_undo_of_a_settled_board_leads_to_the_set_up_card(table: Table, ana: Phone) -> None:
    table.record("open 0 njet blue black 2")

    assert ana.open().press("Undo: ").root.one("div", id="table").attrs["data-phase"] == "setup-1"


def test_where_nothing_was_entered_nothing_can_be_undone(table: Table, ana: Phone) -> None:
    assert not ana.open().offers("Undo")

    page = ana.post("undo", version="0")

    assert page.status == 409
    assert page.code == "undo_not_allowed"


@both
def test_undo_of_somebody_elses_entry_asks_first_and_names_it(table: Table, htmx: bool) -> None:
    table.record("trump red")
    ben = sit_down(table, label="Ben’s phone", htmx=htmx)

    page = ben.open().press("Undo: Ben covered red trump")

    assert page.status == 200
    assert page.is_fragment is htmx
    assert "Phone 1 recorded: Ben covered red trump." in page.notice
    assert table.version == 1
    page = page.press("Take it back")
    assert page.status == 200
    assert table.version == 2
    assert table.state.current.board.is_untouched


def test_the_question_can_be_closed_without_taking_anything_back(table: Table, ben: Phone) -> None:
    table.record("trump red")

    page = ben.open().press("Undo: ").press("Close")

    assert page.notice == ""
    assert table.version == 1


@both
def test_an_undo_that_comes_too_late_takes_nothing_back(table: Table, phone: Phone) -> None:
    table.record("trump red")
    page = phone.open()
    table.record("points 4")

    page = page.press("Undo: Ben covered red trump")

    assert page.status == 409
    assert page.code == "stale_version"
    assert table.version == 2
    assert page.press("Undo: Cleo covered 4 points").status == 200


@both
def test_the_answer_to_the_question_may_come_too_late_too(table: Table, htmx: bool) -> None:
    table.record("trump red")
    page = sit_down(table, htmx=htmx).open().press("Undo: ")
    table.record("points 4")

    page = page.press("Take it back")

    assert page.status == 409
    assert table.version == 2
    page = page.press("Undo: Cleo covered 4 points").press("Take it back")
    assert page.status == 200
    assert table.version == 3


# --- undo of several entries ---


def undo_page(phone: Phone, seq: int) -> Page:
    """The page that asks whether to take back everything from an entry on."""
    return phone.open("undo_to", seq)


def test_undo_of_several_entries_names_them_before(round_2: Table, ana: Phone) -> None:
    round_2.record("trump red")

    page = undo_page(ana, 3)

    assert page.root.one("p", class_="lead").text == "2 entries are taken back, the latest first:"
    assert page.texts("li") == [
        "Cleo covered red trump",
        "Round counted, tricks (captured): Ana 5 (1), Ben 4 (1), Cleo 3 (1)",
    ]
    assert round_2.version == 4
    page = page.press("Take back")
    assert page.offers("Count the round") or page.offers("Ana wins the trick")
    assert round_2.version == 6


def test_undo_of_several_that_comes_too_late_names_them_again(round_2: Table, ana: Phone) -> None:
    page = undo_page(ana, 3)
    round_2.record("trump red")

    page = page.press("Take back")

    assert page.status == 409
    assert round_2.version == 4
    assert page.texts("li") == [
        "Cleo covered red trump",
        "Round counted, tricks (captured): Ana 5 (1), Ben 4 (1), Cleo 3 (1)",
    ]
    page.press("Take back")
    assert round_2.version == 6


# --- quick entry ---


def test_quick_entry_shows_the_board_and_what_is_covered_already(table: Table, ana: Phone) -> None:
    table.record("trump red", "discard njet")

    page = ana.open("quick")

    covered = [node for node in page.root.all("input", type="radio") if "disabled" in node.attrs]
    assert {node.attrs["aria-label"] for node in covered} == {"red", "no discard", "raven"}
    assert all("required" in node.attrs for node in page.root.all("input", type="radio"))


def test_quick_entry_notes_the_settled_board(table: Table, ana: Phone) -> None:
    table.record("trump red", "discard njet")

    page = ana.open("quick").fill_in(
        {"start": "2", "discard": "discard_1", "trump": "blue", "supertrump": "njet", "points": "3"},
        press="Use this board",
    )

    assert page.root.one("section", class_="turn").text == "C Cleo picks partners Cleo leads the first trick"
    conditions = table.state.current.conditions
    assert (conditions.start, conditions.discard, conditions.supertrump, conditions.points) == (2, "discard_1", None, 3)


def test_quick_entry_with_a_row_left_out_is_refused_by_name(table: Table, ana: Phone) -> None:
    page = ana.open("quick").fill_in({"start": "0", "trump": "blue"}, press="Use this board")

    assert page.status == 400
    assert page.code == "missing_field"
    assert table.version == 0


def test_quick_entry_that_comes_too_late_is_offered_again(table: Table, ana: Phone) -> None:
    page = ana.open("quick")
    table.record("trump red")

    page = page.fill_in(
        {"start": "0", "discard": "njet", "trump": "blue", "supertrump": "njet", "points": "3"}, press="Use this board"
    )

    assert page.status == 409
    page = page.press("Record it now: Board: Ana starts, nothing is discarded, blue is trump")
    assert page.status == 200
    assert table.state.current.conditions.points == 3


@pytest.mark.parametrize("lines", [ROUND_1[:1], ROUND_1[:2]])
def test_once_the_board_is_settled_quick_entry_leads_to_the_table(
    table: Table, ana: Phone, lines: tuple[str, ...]
) -> None:
    table.record(*lines)

    response = ana.client.get(ana.address_of("quick"))

    assert (response.status_code, response.url) == (302, ana.address_of("table"))

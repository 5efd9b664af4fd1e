"""Putting right what was entered: a round's entries as a form, the preview of what changes, the confirmation."""

from __future__ import annotations

import pytest

from games.rules import RowKey
from tests.builders import dutch, english, placing
from tests.cast.pages import Page, Phone, sit_down
from tests.cast.tables import ROUND_1, Table, instead, stored

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

SHOW, CONFIRM = "Preview", "Correct it"


def preview_of(page: Page) -> tuple[list[str], list[str]]:
    """What a preview shows: the entries, and the standings (or the sentence that nothing moves)."""
    entries, sheet = page.root.all("section", class_="card")
    return [line.text for line in entries.all("li")], [line.text for line in sheet.all("li") or sheet.all("p")]


def placed(conditions: str = "0 njet blue black 2") -> Table:
    """Ana, Ben and Cleo by the Dutch text; every marker of round 1 is on the board (entries 1 to 14)."""
    table = Table(dutch(3, rounds=2))
    table.record(*placing(table.state, conditions))
    return table


def mark(table: Table, space: str) -> object:
    """Who covered a space: “trump red”."""
    key, name = space.split()
    row = next(row for row in table.state.current.board.rows if row.key is RowKey(key))
    return dict(zip(row.spaces, row.marks, strict=True))[name]


# --- the form ---


def test_the_form_of_a_round_shows_its_entries_as_they_stand(db: None) -> None:
    table = Table(dutch(3, rounds=2), "trump red", "penalty 1 -5 late", *ROUND_1[:2], "trick 0+1", "trick 2")

    page = sit_down(table).open("correct_entries", 1)

    assert [entry.all("summary")[0].text for entry in page.root.all("details", class_="edit")] == [
        "1. Ben covered red trump",
        "2. Ben −5: late",
        "3. Board: Ana starts, nothing is discarded, blue is trump, black 1s are super trumps, 2 a trick",
        "4. Ana plays alone and scores double",
        "5. Ana won a trick, 1 captured card",
        "6. Cleo won a trick",
    ]
    fields = page.fields(SHOW)
    assert {name: value for name, value in fields.items() if name.startswith("e") and "kind" not in name} == {
        "e1.0-space": "trump:red",
        "e1.0-insert": "",
        "e2.0-seat": "1",
        "e2.0-way": "takes",
        "e2.0-points": "5",
        "e2.0-reason": "late",
        "e3.0-start": "0",
        "e3.0-discard": "njet",
        "e3.0-trump": "blue",
        "e3.0-supertrump": "black",
        "e3.0-points": "2",
        "e4.0-monster": "0",
        "e5.0-winner": "0",
        "e5.0-captured": "1",
        "e6.0-winner": "2",
        "e6.0-captured": "0",
        **{
            f"e{entry}.0-insert-{place}-{field}": ""
            for entry in (4, 5, 6)
            for place in (1, 2, 3)
            for field in ("winner", "captured")
        },
    }


def test_every_kind_of_round_can_be_sent_as_it_stands_and_changes_nothing(db: None) -> None:
    for setup, lines in [
        (dutch(3, rounds=2), ("trump red", "penalty 1 -5 late", *ROUND_1[:2], "trick 0+1")),
        (dutch(3), ROUND_1),
        (english(5), ("open 0 pass_2_right njet njet -2", "team 1 2 monster 4", "tally 12 0 0 0 0", "void x")),
        (english(4, start_row=False), ("open njet red blue 2", "team 2 start 1", "trick 0")),
        (english(2), ("open 1 discard_2_no_zero red blue 2", "trick 0+1")),
    ]:
        table = Table(setup, *lines)
        page = sit_down(table).open("correct_entries", 1).press(SHOW)

        assert (page.status, page.code, table.version) == (422, "unchanged", len(lines))


def test_the_form_leads_to_the_other_rounds(finished: Table, ana: Phone) -> None:
    page = ana.open("correct_entries", 2)
    assert page.root.one("h1").text == "Correct round 2"

    page = page.press("1")

    assert page.root.one("h1").text == "Correct round 1"
    assert [chip.text for chip in page.root.all("a", class_="chip", aria_current="true")] == ["1"]


@pytest.mark.parametrize("number", [0, 2, 99])
def test_a_round_that_was_never_begun_has_nothing_to_correct(table: Table, ana: Phone, number: int) -> None:
    page = ana.open("correct_entries", number)
    sent = ana.post_to(page.address, {"e1.0-kind": "place", "e1.0-delete": "on"})

    assert page.status == 200
    assert not page.offers(SHOW)
    assert (sent.status, sent.code) == (422, "unchanged")


# --- preview and confirmation ---


def test_a_wrong_tally_is_shown_before_it_is_corrected(finished: Table, ana: Phone) -> None:
    before = stored(finished.id)
    page = ana.open("correct_entries", 1)

    page = page.fill_in({"e3.0-tricks-0": "1", "e3.0-captured-0": "0", "e3.0-tricks-1": "8"}, press=SHOW)

    assert page.status == 200
    assert preview_of(page) == (
        ["Ana: tricks 5 → 1, captured 1 → 0", "Ben: tricks 4 → 8"],
        ["A Ana 54 → 34 first → third", "B Ben 48 → 56 second → first", "C Cleo 48 → 56 second → first"],
    )
    assert stored(finished.id) == before
    page = page.press(CONFIRM)
    assert page.address == ana.address_of("sheet")
    assert (
        page.root.one(role="status").text
        == "Round 1 is corrected: Ana: tricks 5 → 1, captured 1 → 0; Ben: tricks 4 → 8"
    )
    assert finished.state.totals == (34, 56, 56)
    assert finished.state.winners == (1, 2)


def test_a_preview_can_be_left_without_changing_anything(finished: Table, ana: Phone) -> None:
    page = ana.open("correct_entries", 1).fill_in({"e3.0-tricks-0": "4", "e3.0-tricks-1": "5"}, press=SHOW)

    page = page.press("Cancel")

    assert page.root.one("h1").text == "Correct round 1"
    assert finished.version == 6


def corrected(table: Table, typed: dict[str, str | None], number: int = 1) -> None:
    """The entries of a round with these fields changed are previewed and confirmed."""
    page = sit_down(table).open("correct_entries", number).fill_in(typed, press=SHOW)
    assert (page.status, page.code) == (200, "")
    page.press(CONFIRM)


@pytest.mark.parametrize(
    ("lines", "number", "typed", "totals"),
    [
        (ROUND_1, 1, {"e2.0-partner-1": "on", "e2.0-monster": "2"}, (22, 22, 16)),
        (ROUND_1, 1, {"e1.0-points": "3", "e1.0-trump": "red"}, (36, 27, 27)),
        (
            (*ROUND_1, "penalty 1 -5 late"),
            2,
            {"e4.0-seat": "2", "e4.0-points": "−3", "e4.0-reason": "noise"},
            (24, 18, 15),
        ),
        # An inserted trick completes the round.
        (
            (*ROUND_1[:2], *["trick 0"] * 5, *["trick 1"] * 4, *["trick 2"] * 2),
            1,
            {"e5.0-insert-1-winner": "2", "e5.0-insert-1-captured": "1"},
            (20, 16, 16),
        ),
    ],
    ids=["team", "board", "penalty", "last trick"],
)
def test_a_correction_changes_the_sheet(
    table: Table, lines: tuple[str, ...], number: int, typed: dict[str, str | None], totals: tuple[int, ...]
) -> None:
    table.record(*lines)

    corrected(table, typed, number)

    assert table.state.totals == totals


RED, FOUR = "trump red", "points 4"


@pytest.mark.parametrize(
    ("lines", "typed", "marks"),
    [
        ((RED, FOUR, "points 3"), {"e2.0-delete": "on"}, {FOUR: None, "points 3": 2}),
        ((RED, FOUR), {"e1.0-insert": "trump:blue"}, {RED: 1, "trump blue": 2, FOUR: 0}),
        ((RED, FOUR), {"e1.0-delete": "on", "e1.0-insert": "trump:blue"}, {RED: None, "trump blue": 1, FOUR: 2}),
        (
            (RED, FOUR, "discard njet"),
            {"e1.0-delete": "on", "e1.0-insert": "trump:blue", "e2.0-delete": "on", "e2.0-insert": "points:3"},
            {"trump blue": 1, "points 3": 2, "discard njet": 0},
        ),
        # A space of another row.
        ((RED,), {"e1.0-space": "discard:njet"}, {RED: None, "discard njet": 1}),
    ],
    ids=["deleted", "inserted", "in the place of one", "in the place of two", "another row"],
)
def test_markers_are_deleted_and_inserted(
    table: Table, lines: tuple[str, ...], typed: dict[str, str | None], marks: dict[str, int | None]
) -> None:
    table.record(*lines)

    corrected(table, typed)

    assert {space: mark(table, space) for space in marks} == marks


@pytest.mark.parametrize(
    ("tricks", "typed", "winners"),
    [
        ("0 1+1", {"e4.0-winner": "2", "e4.0-captured": "0"}, [(0, 0), (2, 0)]),
        ("0 1+1 2", {"e4.0-insert-1-winner": "2", "e4.0-insert-1-captured": "1"}, [(0, 0), (1, 1), (2, 1), (2, 0)]),
        ("0", {"e2.0-insert-1-winner": "1"}, [(1, 0), (0, 0)]),
        (
            "0 1",
            {"e3.0-insert-1-winner": "2", "e3.0-insert-2-winner": "1", "e3.0-insert-2-captured": "1"}
            | {"e4.0-insert-1-winner": "0"},
            [(0, 0), (2, 0), (1, 1), (1, 0), (0, 0)],
        ),
        (
            "0 1",
            {"e3.0-delete": "on", "e3.0-insert-1-winner": "2", "e4.0-delete": "on", "e4.0-insert-1-winner": "0"},
            [(2, 0), (0, 0)],
        ),
    ],
    ids=["changed", "inserted", "after the teams", "several", "in the place of others"],
)
def test_tricks_are_corrected_and_inserted(
    table: Table, tricks: str, typed: dict[str, str | None], winners: list[tuple[int, int]]
) -> None:
    table.record(*ROUND_1[:2], *(f"trick {each}" for each in tricks.split()))

    corrected(table, typed)

    assert [(trick.winner, trick.captured) for trick in table.state.current.tricks] == winners


def test_a_trick_noted_twice_makes_room_for_the_one_that_was_forgotten(table: Table) -> None:
    table.record(*ROUND_1[:2], *["trick 0"] * 6, *["trick 1"] * 4, *["trick 2"] * 2)

    corrected(table, {"e4.0-delete": "on", "e14.0-insert-1-winner": "2"})

    assert [won.tricks for won in table.state.finished[0].won] == [5, 4, 3]


def test_the_start_player_is_corrected_together_with_the_team_that_follows(db: None) -> None:
    table = placed()
    table.record("team 1 monster 2", "tally 5 4 3")

    corrected(table, {"e1.0-space": "start:0", "e15.0-partner-1": None, "e15.0-partner-2": "on", "e15.0-monster": "0"})

    done = table.state.finished[0]
    assert (done.conditions.start, done.teams.own, done.teams.monster) == (1, (1, 2), 0)
    assert table.state.totals == (20, 14, 14)


def test_as_many_tricks_can_be_inserted_at_a_place_as_are_missing_but_no_more_than_three(
    table: Table, ana: Phone
) -> None:
    def places() -> set[str]:
        fields = ana.open("correct_entries", 1).fields(SHOW)
        return {name.split("insert-")[1].split("-")[0] for name in fields if name.startswith("e3.0-insert")}

    table.record(*ROUND_1[:2], "trick 0")
    assert places() == {"1", "2", "3"}
    table.record(*["trick 1"] * 9)
    assert places() == {"1", "2"}
    table.record("trick 1")
    assert places() == {"1"}
    table.record("trick 2")
    assert places() == {"1"}


def test_a_round_that_was_counted_at_once_offers_no_tricks_to_insert(round_2: Table, ana: Phone) -> None:
    assert not [name for name in ana.open("correct_entries", 1).fields(SHOW) if "insert" in name]


def test_before_the_teams_no_trick_can_be_inserted(table: Table, ana: Phone) -> None:
    table.record("penalty 1 -5 late", *ROUND_1[:2], "trick 0")

    fields = ana.open("correct_entries", 1).fields(SHOW)

    assert {name.split("-")[0] for name in fields if "insert" in name} == {"e3.0", "e4.0"}


@pytest.mark.parametrize(
    ("typed", "status", "code"),
    [
        ({"e3.0-insert-1-captured": "1"}, 400, "missing_field"),
        ({"e3.0-insert-1-winner": "0", "e3.0-insert-1-captured": "x"}, 400, "wrong_type"),
        ({"e3.0-insert-1-winner": "0", "e3.0-insert-1-captured": "9"}, 422, "too_many_captured"),
    ],
)
def test_an_inserted_trick_that_cannot_be_is_refused_and_stays_typed(
    table: Table, ana: Phone, typed: dict[str, str], status: int, code: str
) -> None:
    table.record(*ROUND_1[:2], "trick 1")

    page = ana.open("correct_entries", 1).fill_in(typed, press=SHOW)

    assert (page.status, page.code) == (status, code)
    kept = page.fields(SHOW)
    assert {name: kept[name] for name in typed} == typed
    details = page.root.one(id="e3.0").one("details", class_="edit")
    assert "open" in details.attrs


def test_one_trick_more_than_the_round_has_names_the_entry_in_the_way(table: Table, ana: Phone) -> None:
    table.record(*ROUND_1[:2], *["trick 0"] * 12)

    page = ana.open("correct_entries", 1).fill_in({"e5.0-insert-1-winner": "1"}, press=SHOW)

    assert page.status == 422
    assert page.code == "amendment_conflicts"
    assert "14" in page.notice


def test_who_corrected_what_stays_readable(round_2: Table, ben: Phone) -> None:
    ben.open("correct_entries", 1).fill_in({"e3.0-tricks-0": "4", "e3.0-tricks-1": "5"}, press=SHOW).press(CONFIRM)

    latest = ben.open("history").root.all("article")[0]

    assert latest.one("p").text == "4. Round 1 is corrected: Ana: tricks 5 → 4; Ben: tricks 4 → 5"
    assert latest.one("small").text.startswith("Ben’s phone · ")


# --- refused ---


def test_a_correction_that_cannot_be_is_refused_in_words_and_stays_typed(round_2: Table, ana: Phone) -> None:
    page = ana.open("correct_entries", 1).fill_in({"e3.0-tricks-0": "9", "e3.0-captured-1": "3"}, press=SHOW)

    assert page.status == 422
    assert page.code == "wrong_trick_sum"
    kept = page.fields(SHOW)
    assert (kept["e3.0-tricks-0"], kept["e3.0-captured-1"], kept["e3.0-tricks-2"]) == ("9", "3", "3")
    assert round_2.version == 3


def test_a_conflict_says_players_names_and_no_seats(round_2: Table, ana: Phone) -> None:
    page = ana.open("correct_entries", 1).fill_in({"e1.0-start": "1"}, press=SHOW)
    assert page.status == 422
    assert page.code == "amendment_conflicts"
    assert "Ana plays alone" in page.notice

    page = page.fill_in({"e2.0-monster": "1"}, press=SHOW)

    assert preview_of(page)[0][1] == "Ana plays alone and scores double → Ben plays alone and scores double"


@pytest.mark.parametrize(
    ("typed", "status", "code"),
    [
        ({"e1.0-kind": "trick"}, 400, "wrong_type"),
        ({"e1.0-points": "7"}, 422, "unknown_space"),
        ({"e1.0-discard": ""}, 400, "missing_field"),
        ({"e3.0-tricks-0": "x"}, 400, "wrong_type"),
        ({"e3.0-tricks-0": "-1", "e3.0-tricks-1": "10"}, 422, "negative_count"),
        ({"e2.0-partner-0": "on"}, 422, "own_partner"),
        ({"e2.0-monster": ""}, 422, "monster_missing"),
    ],
)
def test_what_cannot_be_corrected_like_that_is_refused(
    round_2: Table, ana: Phone, typed: dict[str, str], status: int, code: str
) -> None:
    fields = ana.open("correct_entries", 1).fields(SHOW)

    page = ana.post_to(ana.address_of("correct_entries", 1), fields | typed)

    assert (page.status, page.code) == (status, code)
    assert round_2.version == 3


# --- too late, and twice ---


def test_a_correction_that_comes_too_late_is_shown_again_and_made_with_one_more_tap(round_2: Table, ana: Phone) -> None:
    page = ana.open("correct_entries", 1).fill_in({"e3.0-tricks-0": "4", "e3.0-tricks-1": "5"}, press=SHOW)
    round_2.record("penalty 0 -5 late")

    page = page.press(CONFIRM)

    assert page.status == 409
    assert preview_of(page) == (
        ["Ana: tricks 5 → 4", "Ben: tricks 4 → 5"],
        ["A Ana 19 → 15 first → third", "B Ben 18 → 20 second → first", "C Cleo 18 → 20 second → first"],
    )
    assert round_2.version == 4
    page = page.press(CONFIRM)
    assert page.address == ana.address_of("sheet")
    assert round_2.state.totals == (15, 20, 20)


def test_a_correction_of_what_was_taken_back_since_is_refused(round_2: Table, ana: Phone) -> None:
    page = ana.open("correct_entries", 1).fill_in({"e3.0-tricks-0": "4", "e3.0-tricks-1": "5"}, press=SHOW)
    round_2.undo()

    page = page.press(CONFIRM)

    assert page.status == 422
    assert page.code == "unknown_entry"
    assert round_2.version == 4
    assert page.root.one("h1").text == "Correct round 1"


def test_a_form_from_before_somebody_elses_correction_shows_that_it_would_undo_it(round_2: Table, ana: Phone) -> None:
    page = ana.open("correct_entries", 1)
    round_2.amend(instead(2, "team 1 monster 2"))

    page = page.fill_in({"e3.0-tricks-0": "4", "e3.0-tricks-1": "5"}, press=SHOW)

    assert preview_of(page)[0] == [
        "Ana plays with Ben; Cleo scores double → Ana plays alone and scores double",
        "Ana: tricks 5 → 4",
        "Ben: tricks 4 → 5",
    ]


@pytest.mark.parametrize("changes", ["", "x", "{}", "[]", "[1]", '[{"seq": 3}]', '[{"seq": 3, "delete": "yes"}]'])
def test_corrections_that_cannot_be_read_are_refused(round_2: Table, ana: Phone, changes: str) -> None:
    page = ana.post("correct_confirm", 1, version="3", changes=changes)

    assert page.status == 400
    assert page.notice
    assert round_2.version == 3


# --- the set-up ---


def test_names_tokens_dealer_and_rounds_are_corrected(round_2: Table, ana: Phone) -> None:
    typed = {"name-2": "Eve", "token-0": "falcon", "token-2": "raven", "dealer": "2", "rounds": "3"}

    page = ana.open("menu").press("Table details").fill_in(typed, press="Save")

    assert page.address == ana.address_of("table")
    assert page.root.one("h1").text == "Round 1 counted Ana deals next"
    setup = round_2.ledger.current_setup
    assert setup.names == ("Ana", "Ben", "Eve")
    assert [seat.token for seat in setup.seats] == ["falcon", "wolf", "raven"]
    assert (setup.dealer, setup.ruleset.options.rounds) == (2, 3)
    assert "Eve" in ana.open("home").text


@pytest.mark.parametrize(
    ("typed", "code"),
    [
        ({"name-1": "ana"}, "name_twice"),
        ({"name-1": " "}, "name_missing"),
        ({"token-1": "bear"}, "token_twice"),
        ({"rounds": "0"}, "option_not_allowed"),
        ({"rounds": "x"}, "wrong_type"),
    ],
)
def test_a_set_up_that_cannot_be_is_refused_and_stays_typed(
    round_2: Table, ana: Phone, typed: dict[str, str], code: str
) -> None:
    page = ana.open("setup").fill_in({"name-2": "Eve", **typed}, press="Save")

    assert page.status in (400, 422)
    assert page.code == code
    kept = page.fields("Save")
    assert {name: kept[name] for name in ("name-2", *typed)} == {"name-2": "Eve", **typed}
    assert round_2.version == 3


def test_fewer_rounds_than_were_played_name_the_entry_in_the_way(finished: Table, ana: Phone) -> None:
    page = ana.open("setup").fill_in({"rounds": "1"}, press="Save")

    assert page.status == 422
    assert page.code == "amendment_conflicts"


def test_a_set_up_that_comes_too_late_is_saved_with_one_more_tap(table: Table, ana: Phone) -> None:
    page = ana.open("setup")
    table.record("trump red")

    page = page.fill_in({"name-2": "Eve"}, press="Save")

    assert page.status == 409
    assert page.fields("Save")["name-2"] == "Eve"
    page = page.press("Save")
    assert page.status == 200
    assert table.ledger.current_setup.names == ("Ana", "Ben", "Eve")


def test_the_dealer_picked_in_round_1_is_an_entry_that_can_be_undone(table: Table, ana: Phone) -> None:
    page = ana.open().press("Cleo")

    page = page.press("Undo: Set-up corrected")

    assert page.root.one("h1").text == "Round 1 of 2 Ana deals"

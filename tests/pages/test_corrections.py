"""Putting right what was entered: a round's entries as a form, the preview of what changes, the confirmation."""

from __future__ import annotations

import pytest

from games.models import LogEntry
from games.rules import Place, RowKey
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
        "3. Board: Ana starts, nothing is discarded, blue is trump, black 1s, 2 a trick",
        "4. Ana plays alone and scores double",
        "5. Ana won a trick, 1 captured card",
        "6. Cleo won a trick",
    ]
    fields = page.fields(SHOW)
    assert {name: value for name, value in fields.items() if name.startswith("e") and "kind" not in name} == {
        "e1.0-space": "trump:red",
        "e1.0-insert": "",
        "e2.0-seat": "1",
        "e2.0-points": "-5",
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


def test_a_form_that_is_sent_as_it_stands_changes_nothing(db: None) -> None:
    table = Table(dutch(3, rounds=2), "trump red", "penalty 1 -5 late", *ROUND_1[:2], "trick 0+1")
    phone = sit_down(table)

    page = phone.open("correct_entries", 1).press(SHOW)

    assert page.status == 422
    assert page.notice == "Nothing was changed."
    assert table.version == 5


def test_every_kind_of_round_can_be_sent_as_it_stands(db: None) -> None:
    for setup, lines in [
        (dutch(3), ROUND_1),
        (english(5), ("open 0 pass_2_right njet njet -2", "team 1 2 monster 4", "tally 12 0 0 0 0", "void x")),
        (english(4, start_row=False), ("open njet red blue 2", "team 2 start 1", "trick 0")),
        (english(2), ("open 1 discard_2_no_zero red blue 2", "trick 0+1")),
    ]:
        page = sit_down(Table(setup, *lines)).open("correct_entries", 1).press(SHOW)

        assert page.notice == "Nothing was changed."


def test_the_form_leads_to_the_other_rounds(finished: Table, ana: Phone) -> None:
    page = ana.open("correct_entries", 2)
    assert page.root.one("h1").text == "Correct round 2"

    page = page.press("1")

    assert page.root.one("h1").text == "Correct round 1"
    assert [chip.text for chip in page.root.all("a", class_="chip", aria_current="true")] == ["1"]


@pytest.mark.parametrize("number", [0, 2, 99])
def test_a_round_that_was_never_begun_has_nothing_to_correct(table: Table, ana: Phone, number: int) -> None:
    page = ana.open("correct_entries", number)

    assert page.status == 200
    assert "Nothing has been entered in this round." in page.text
    assert not page.offers(SHOW)


def test_a_form_for_a_round_that_was_never_begun_changes_nothing(finished: Table, ana: Phone) -> None:
    page = ana.post_to(ana.address_of("correct_entries", 99), {"e1.0-kind": "place", "e1.0-delete": "on"})

    assert page.status == 422
    assert page.notice == "Nothing was changed."


# --- preview and confirmation ---


def test_a_wrong_tally_is_shown_before_it_is_corrected(finished: Table, ana: Phone) -> None:
    before = stored(finished.id)
    page = ana.open("correct_entries", 1)

    page = page.fill_in({"e3.0-tricks-0": "1", "e3.0-captured-0": "0", "e3.0-tricks-1": "8"}, press=SHOW)

    assert page.status == 200
    assert preview_of(page) == (
        ["Ana: tricks 5 → 1, captured 1 → 0", "Ben: tricks 4 → 8"],
        [
            "A Ana 54 → 34 first → third",
            "B Ben 48 → 56 second → first",
            "C Cleo 48 → 56 second → first",
        ],
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


def test_what_moves_no_one_says_so(db: None) -> None:
    table = placed()
    page = sit_down(table).open("correct_entries", 1)

    page = page.fill_in({"e1.0-space": "start:2", "e2.0-space": "start:1"}, press=SHOW)

    assert preview_of(page)[1] == ["Totals and places stay as they are."]


def test_a_preview_can_be_left_without_changing_anything(finished: Table, ana: Phone) -> None:
    page = ana.open("correct_entries", 1).fill_in({"e3.0-tricks-0": "4", "e3.0-tricks-1": "5"}, press=SHOW)

    page = page.press("Cancel")

    assert page.root.one("h1").text == "Correct round 1"
    assert finished.version == 6


def test_two_markers_are_swapped_at_once(db: None) -> None:
    table = placed()
    assert (mark(table, "start 1"), mark(table, "start 2")) == (1, 2)
    page = sit_down(table).open("correct_entries", 1)

    page = page.fill_in({"e1.0-space": "start:2", "e2.0-space": "start:1"}, press=SHOW)

    assert preview_of(page)[0] == [
        "Ben covered their own token → Ben covered Cleo’s token",
        "Cleo covered their own token → Cleo covered Ben’s token",
    ]
    page.press(CONFIRM)
    assert (mark(table, "start 1"), mark(table, "start 2")) == (2, 1)
    assert table.version == 15


def test_the_start_player_is_corrected_together_with_the_team_that_follows(db: None) -> None:
    table = placed()
    table.record("team 1 monster 2", "tally 5 4 3")
    page = sit_down(table).open("correct_entries", 1)
    assert page.fields(SHOW)["e1.0-space"] == "start:1"

    page = page.fill_in(
        {"e1.0-space": "start:0", "e15.0-partner-1": None, "e15.0-partner-2": "on", "e15.0-monster": "0"},
        press=SHOW,
    )

    assert preview_of(page)[0] == [
        "Ben covered their own token → Ben covered Ana’s token",
        "Ana plays with Ben; Cleo scores double → Ben plays with Cleo; Ana scores double",
    ]
    page.press(CONFIRM)
    done = table.state.finished[0]
    assert (done.conditions.start, done.teams.own, done.teams.monster) == (1, (1, 2), 0)
    assert table.state.totals == (20, 14, 14)


def test_a_wrong_team_is_corrected(round_2: Table, ana: Phone) -> None:
    page = ana.open("correct_entries", 1).fill_in({"e2.0-partner-1": "on", "e2.0-monster": "2"}, press=SHOW)

    assert preview_of(page) == (
        ["Ana plays alone and scores double → Ana plays with Ben; Cleo scores double"],
        ["A Ana 24 → 22", "B Ben 18 → 22 second → first", "C Cleo 18 → 16 second → third"],
    )
    page.press(CONFIRM)
    assert round_2.state.totals == (22, 22, 16)


def test_a_wrong_trick_is_corrected(table: Table, ana: Phone) -> None:
    table.record(*ROUND_1[:2], "trick 0", "trick 1+1")

    page = ana.open("correct_entries", 1).fill_in({"e4.0-winner": "2", "e4.0-captured": "0"}, press=SHOW)

    assert preview_of(page)[0] == ["Ben won a trick, 1 captured card → Cleo won a trick"]
    page.press(CONFIRM)
    assert [(trick.winner, trick.captured) for trick in table.state.current.tricks] == [(0, 0), (2, 0)]


def test_a_quick_entry_is_corrected(round_2: Table, ana: Phone) -> None:
    page = ana.open("correct_entries", 1).fill_in({"e1.0-points": "3", "e1.0-trump": "red"}, press=SHOW)

    assert preview_of(page)[0] == [
        "Board: Ana starts, nothing is discarded, blue is trump, black 1s, 2 a trick → "
        "Board: Ana starts, nothing is discarded, red is trump, black 1s, 3 a trick"
    ]
    page.press(CONFIRM)
    assert round_2.state.totals == (36, 27, 27)


def test_a_penalty_is_corrected(round_2: Table, ana: Phone) -> None:
    round_2.record("penalty 1 -5 late")

    page = ana.open("correct_entries", 2).fill_in(
        {"e4.0-seat": "2", "e4.0-points": "−3", "e4.0-reason": "noise"}, press=SHOW
    )

    assert preview_of(page)[0] == ["Ben −5: late → Cleo −3: noise"]
    page.press(CONFIRM)
    assert round_2.state.totals == (24, 18, 15)


def test_the_reason_of_a_misdeal_is_corrected(table: Table, ana: Phone) -> None:
    table.record("trump red", "void misdeal")

    page = ana.open("correct_entries", 1).fill_in({"e2.0-reason": "a card was missing"}, press=SHOW)

    assert preview_of(page)[0] == ["Dealt again: misdeal → Dealt again: a card was missing"]
    page.press(CONFIRM)
    assert LogEntry.objects.filter(game=table.id).count() == 3


def test_an_entry_too_many_is_deleted(table: Table, ana: Phone) -> None:
    table.record("trump red", "points 4", "points 3")

    page = ana.open("correct_entries", 1).fill_in({"e2.0-delete": "on"}, press=SHOW)

    assert preview_of(page)[0] == ["Cleo covered 4 points → deleted"]
    page.press(CONFIRM)
    assert (mark(table, "points 4"), mark(table, "points 3")) == (None, 2)


def test_a_forgotten_marker_is_inserted(table: Table, ana: Phone) -> None:
    table.record("trump red", "points 4")

    page = ana.open("correct_entries", 1).fill_in({"e1.0-insert": "trump:blue"}, press=SHOW)

    assert preview_of(page)[0] == ["inserted: Cleo covered blue trump"]
    page.press(CONFIRM)
    assert [mark(table, space) for space in ("trump red", "trump blue", "points 4")] == [1, 2, 0]


def test_an_inserted_marker_can_be_corrected_itself(table: Table, ana: Phone) -> None:
    table.record("trump red", "points 4")
    ana.open("correct_entries", 1).fill_in({"e1.0-insert": "trump:blue"}, press=SHOW).press(CONFIRM)

    page = ana.open("correct_entries", 1).fill_in({"e3.1-space": "trump:green"}, press=SHOW)

    assert preview_of(page)[0] == ["Cleo covered blue trump → Cleo covered green trump"]
    page.press(CONFIRM)
    assert mark(table, "trump green") == 2


def test_a_marker_is_inserted_in_the_place_of_a_deleted_one(table: Table, ana: Phone) -> None:
    table.record("trump red", "points 4")

    ana.open("correct_entries", 1).fill_in({"e1.0-delete": "on", "e1.0-insert": "trump:blue"}, press=SHOW).press(
        CONFIRM
    )

    assert [mark(table, space) for space in ("trump red", "trump blue", "points 4")] == [None, 1, 2]


def test_markers_are_inserted_in_the_place_of_several_deleted_ones(table: Table, ana: Phone) -> None:
    table.record("trump red", "points 4", "discard njet")
    typed = {"e1.0-delete": "on", "e1.0-insert": "trump:blue", "e2.0-delete": "on", "e2.0-insert": "points:3"}

    page = ana.open("correct_entries", 1).fill_in(typed, press=SHOW)

    assert page.notice == ""
    page.press(CONFIRM)
    assert [mark(table, space) for space in ("trump blue", "points 3", "discard njet")] == [1, 2, 0]


def winners(table: Table) -> list[tuple[int, int]]:
    """The tricks of the present round: who won each, with how many captured cards."""
    return [(trick.winner, trick.captured) for trick in table.state.current.tricks]


def test_a_forgotten_trick_is_inserted(table: Table, ana: Phone) -> None:
    table.record(*ROUND_1[:2], "trick 0", "trick 1+1", "trick 2")

    page = ana.open("correct_entries", 1).fill_in(
        {"e4.0-insert-1-winner": "2", "e4.0-insert-1-captured": "1"}, press=SHOW
    )

    assert preview_of(page)[0] == ["inserted: Cleo won a trick, 1 captured card"]
    assert winners(table) == [(0, 0), (1, 1), (2, 0)]
    page.press(CONFIRM)
    assert winners(table) == [(0, 0), (1, 1), (2, 1), (2, 0)]


def test_the_first_trick_of_a_round_is_inserted_after_the_teams(table: Table, ana: Phone) -> None:
    table.record(*ROUND_1[:2], "trick 0")

    page = ana.open("correct_entries", 1).fill_in({"e2.0-insert-1-winner": "1"}, press=SHOW)

    assert preview_of(page)[0] == ["inserted: Ben won a trick"]
    page.press(CONFIRM)
    assert winners(table) == [(1, 0), (0, 0)]


def test_with_two_players_the_first_trick_is_inserted_after_the_board(db: None) -> None:
    table = Table(english(2), "open 1 discard_2_no_zero red blue 2", "trick 0+1")

    sit_down(table).open("correct_entries", 1).fill_in({"e1.0-insert-1-winner": "1"}, press=SHOW).press(CONFIRM)

    assert winners(table) == [(1, 0), (0, 1)]


def test_several_tricks_that_are_missing_are_inserted_at_once_in_their_order(table: Table, ana: Phone) -> None:
    table.record(*ROUND_1[:2], "trick 0", "trick 1")
    typed = {
        "e3.0-insert-1-winner": "2",
        "e3.0-insert-2-winner": "1",
        "e3.0-insert-2-captured": "1",
        "e4.0-insert-1-winner": "0",
    }

    page = ana.open("correct_entries", 1).fill_in(typed, press=SHOW)

    assert preview_of(page)[0] == [
        "inserted: Cleo won a trick",
        "inserted: Ben won a trick, 1 captured card",
        "inserted: Ana won a trick",
    ]
    page.press(CONFIRM)
    assert winners(table) == [(0, 0), (2, 0), (1, 1), (1, 0), (0, 0)]


def test_an_inserted_trick_that_completes_the_round_shows_what_it_does_to_the_sheet(table: Table, ana: Phone) -> None:
    table.record(*ROUND_1[:2], *["trick 0"] * 5, *["trick 1"] * 4, *["trick 2"] * 2)

    page = ana.open("correct_entries", 1).fill_in(
        {"e5.0-insert-1-winner": "2", "e5.0-insert-1-captured": "1"}, press=SHOW
    )

    assert preview_of(page)[1] == ["A Ana 0 → 20", "B Ben 0 → 16 first → second", "C Cleo 0 → 16 first → second"]
    page.press(CONFIRM)
    assert table.state.current.number == 2


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


def test_a_trick_noted_twice_makes_room_for_the_one_that_was_forgotten(table: Table, ana: Phone) -> None:
    table.record(*ROUND_1[:2], *["trick 0"] * 6, *["trick 1"] * 4, *["trick 2"] * 2)

    typed = {"e4.0-delete": "on", "e14.0-insert-1-winner": "2"}
    page = ana.open("correct_entries", 1).fill_in(typed, press=SHOW)

    assert preview_of(page)[0] == ["Ana won a trick → deleted", "inserted: Cleo won a trick"]
    page.press(CONFIRM)
    assert [won.tricks for won in table.state.finished[0].won] == [5, 4, 3]


def test_a_trick_takes_the_place_of_a_deleted_one(table: Table, ana: Phone) -> None:
    table.record(*ROUND_1[:2], "trick 0", "trick 1")
    typed = {"e3.0-delete": "on", "e3.0-insert-1-winner": "2", "e4.0-delete": "on", "e4.0-insert-1-winner": "0"}

    ana.open("correct_entries", 1).fill_in(typed, press=SHOW).press(CONFIRM)

    assert winners(table) == [(2, 0), (0, 0)]


def test_a_round_that_was_counted_at_once_offers_no_tricks_to_insert(round_2: Table, ana: Phone) -> None:
    assert not [name for name in ana.open("correct_entries", 1).fields(SHOW) if "insert" in name]


def test_before_the_teams_no_trick_can_be_inserted(table: Table, ana: Phone) -> None:
    table.record("penalty 1 -5 late", *ROUND_1[:2], "trick 0")

    fields = ana.open("correct_entries", 1).fields(SHOW)

    assert {name.split("-")[0] for name in fields if "insert" in name} == {"e3.0", "e4.0"}


@pytest.mark.parametrize(
    ("typed", "status", "sentence"),
    [
        ({"e3.0-insert-1-captured": "1"}, 400, "Who won the trick that is inserted? Choose a player."),
        ({"e3.0-insert-1-winner": "0", "e3.0-insert-1-captured": "x"}, 400, "“Captured” has to be a whole number."),
        (
            {"e3.0-insert-1-winner": "0", "e3.0-insert-1-captured": "9"},
            422,
            "Ana cannot have captured 9 cards: at most 2.",
        ),
    ],
)
def test_an_inserted_trick_that_cannot_be_is_refused_and_stays_typed(
    table: Table, ana: Phone, typed: dict[str, str], status: int, sentence: str
) -> None:
    table.record(*ROUND_1[:2], "trick 1")

    page = ana.open("correct_entries", 1).fill_in(typed, press=SHOW)

    assert (page.status, page.notice) == (status, sentence)
    kept = page.fields(SHOW)
    assert {name: kept[name] for name in typed} == typed
    details = page.root.one(id="e3.0").one("details", class_="edit")
    assert "open" in details.attrs


def test_one_trick_more_than_the_round_has_names_the_entry_in_the_way(table: Table, ana: Phone) -> None:
    table.record(*ROUND_1[:2], *["trick 0"] * 12)

    page = ana.open("correct_entries", 1).fill_in({"e5.0-insert-1-winner": "1"}, press=SHOW)

    assert page.status == 422
    assert page.notice.startswith("Entry 14, “Ana won a trick”, would become impossible")


def test_a_correction_can_be_corrected_again_and_taken_back(round_2: Table, ana: Phone) -> None:
    for tricks in ("6", "4"):
        typed = {"e3.0-tricks-0": tricks, "e3.0-tricks-1": str(9 - int(tricks))}
        ana.open("correct_entries", 1).fill_in(typed, press=SHOW).press(CONFIRM)
    assert round_2.state.finished[0].won[0].tricks == 4

    page = ana.open().press("Undo: the correction")

    assert round_2.state.finished[0].won[0].tricks == 6
    assert page.status == 200


def test_who_corrected_what_stays_readable(round_2: Table, ben: Phone) -> None:
    ben.open("correct_entries", 1).fill_in({"e3.0-tricks-0": "4", "e3.0-tricks-1": "5"}, press=SHOW).press(CONFIRM)

    latest = ben.open("history").root.all("article")[0]

    assert latest.one("p").text == "4. Round 1 is corrected: Ana: tricks 5 → 4; Ben: tricks 4 → 5"
    assert latest.one("small").text.startswith("Ben’s phone · ")


def test_the_agreed_start_player_can_be_corrected_with_the_team(db: None) -> None:
    table = Table(english(4, start_row=False), "open njet red blue 2", "team 2 start 1")

    page = (
        sit_down(table).open("correct_entries", 1).fill_in({"e2.0-partner-2": None, "e2.0-partner-3": "on"}, press=SHOW)
    )

    assert preview_of(page)[0] == ["Ben plays with Cleo → Ben plays with Dan"]


# --- refused ---


def test_a_correction_that_cannot_be_is_refused_in_words_and_stays_typed(round_2: Table, ana: Phone) -> None:
    page = ana.open("correct_entries", 1).fill_in({"e3.0-tricks-0": "9", "e3.0-captured-1": "3"}, press=SHOW)

    assert page.status == 422
    assert page.notice == "4 tricks too many: 16 are entered, the round had 12."
    kept = page.fields(SHOW)
    assert (kept["e3.0-tricks-0"], kept["e3.0-captured-1"], kept["e3.0-tricks-2"]) == ("9", "3", "3")
    assert round_2.version == 3


def test_a_later_entry_that_would_become_impossible_is_named(db: None) -> None:
    table = Table(dutch(3, rounds=2), "trump red", "trump blue", "points 4")
    page = sit_down(table).open("correct_entries", 1)

    page = page.fill_in({"e1.0-space": "points:4"}, press=SHOW)

    assert page.status == 422
    assert page.notice == (
        "Entry 3, “Ana covered 4 points”, would become impossible: "
        "The space “4” of the row “Points a trick” is covered already."
    )
    assert page.fields(SHOW)["e1.0-space"] == "points:4"


def test_a_conflict_says_players_names_and_no_seats(round_2: Table, ana: Phone) -> None:
    page = ana.open("correct_entries", 1).fill_in({"e1.0-start": "1"}, press=SHOW)
    assert page.status == 422
    assert page.notice == (
        "Entry 2, “Ana plays alone and scores double”, would become impossible: "
        "The monster card belongs to the smaller team: Ana is in the larger one."
    )

    page = page.fill_in({"e2.0-monster": "1"}, press=SHOW)

    assert preview_of(page)[0][1] == "Ana plays alone and scores double → Ben plays alone and scores double"


def test_a_conflict_in_a_later_round_is_named_too(finished: Table, ana: Phone) -> None:
    page = ana.open("correct_entries", 1).fill_in({"e3.0-delete": "on"}, press=SHOW)

    assert page.status == 422
    assert page.notice.startswith("Entry 4, “Board: Ben starts, nothing is discarded, red is trump")
    assert "e3.0-delete" in page.fields(SHOW)


@pytest.mark.parametrize(
    ("typed", "status", "sentence"),
    [
        ({"e1.0-kind": "trick"}, 400, "“Kind of entry” has to be “Entering the board”."),
        ({"e1.0-points": "7"}, 422, "The row “Points a trick” has no space “7”."),
        ({"e1.0-discard": ""}, 400, "Choose the space that stays open in the row “Discard”."),
        ({"e3.0-tricks-0": "x"}, 400, "“Tricks” has to be a whole number."),
        ({"e3.0-tricks-0": "-1", "e3.0-tricks-1": "10"}, 422, "Tricks and captured cards cannot be negative."),
        ({"e2.0-partner-0": "on"}, 422, "The start player cannot be their own partner."),
        ({"e2.0-monster": ""}, 422, "One player of the smaller team has to hold the monster card."),
    ],
)
def test_what_cannot_be_corrected_like_that_is_refused(
    round_2: Table, ana: Phone, typed: dict[str, str], status: int, sentence: str
) -> None:
    fields = ana.open("correct_entries", 1).fields(SHOW)

    page = ana.post_to(ana.address_of("correct_entries", 1), fields | typed)

    assert page.status == status
    assert page.notice == sentence
    assert round_2.version == 3


def test_a_space_of_another_row_may_take_the_place_of_a_marker(db: None) -> None:
    table = Table(dutch(3), "trump red")

    page = sit_down(table).open("correct_entries", 1).fill_in({"e1.0-space": "discard:njet"}, press=SHOW)
    page.press(CONFIRM)

    assert [step.action for step in table.ledger.replay.applied] == [Place(RowKey.DISCARD, "njet")]


# --- too late, and twice ---


def test_a_correction_that_comes_too_late_is_shown_again_and_made_with_one_more_tap(round_2: Table, ana: Phone) -> None:
    page = ana.open("correct_entries", 1).fill_in({"e3.0-tricks-0": "4", "e3.0-tricks-1": "5"}, press=SHOW)
    round_2.record("penalty 0 -5 late")

    page = page.press(CONFIRM)

    assert page.status == 409
    assert page.notice.startswith("The game has moved on")
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
    assert page.notice == "Entry 3 is no action that could be corrected."
    assert round_2.version == 4
    assert page.root.one("h1").text == "Correct round 1"


def test_a_correction_that_is_sent_twice_is_made_once(round_2: Table, ana: Phone) -> None:
    page = ana.open("correct_entries", 1).fill_in({"e3.0-tricks-0": "4", "e3.0-tricks-1": "5"}, press=SHOW)
    page.press(CONFIRM)

    again = page.press(CONFIRM)

    assert again.address == ana.address_of("sheet")
    assert round_2.version == 4


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
    ("typed", "sentence"),
    [
        ({"name-1": "ana"}, "Two players are called “ana”: give one of them another name."),
        ({"name-1": " "}, "Player 2 has no name."),
        ({"token-1": "bear"}, "Two players have the token “bear”."),
        ({"rounds": "0"}, "“Rounds” cannot be “0” in this edition. Possible: 1–99."),
        ({"rounds": "x"}, "“Rounds” has to be a whole number."),
    ],
)
def test_a_set_up_that_cannot_be_is_refused_and_stays_typed(
    round_2: Table, ana: Phone, typed: dict[str, str], sentence: str
) -> None:
    page = ana.open("setup").fill_in({"name-2": "Eve", **typed}, press="Save")

    assert page.status in (400, 422)
    assert page.notice == sentence
    kept = page.fields("Save")
    assert {name: kept[name] for name in ("name-2", *typed)} == {"name-2": "Eve", **typed}
    assert round_2.version == 3


def test_fewer_rounds_than_were_played_name_the_entry_in_the_way(finished: Table, ana: Phone) -> None:
    page = ana.open("setup").fill_in({"rounds": "1"}, press="Save")

    assert page.status == 422
    assert page.notice == (
        "Entry 4, “Board: Ben starts, nothing is discarded, red is trump, green 1s, 3 a trick”, "
        "would become impossible: The game is over."
    )


def test_more_rounds_reopen_a_finished_game(finished: Table, ana: Phone) -> None:
    page = ana.open("setup").fill_in({"rounds": "3"}, press="Save")

    assert page.root.one("h1").text == "Round 2 counted Cleo deals next"
    assert "Round 3 of 3: set up" in page.text


def test_another_dealer_gives_the_markers_to_others(table: Table, ana: Phone) -> None:
    table.record("trump red")

    page = ana.open("setup").fill_in({"dealer": "1"}, press="Save")

    assert page.root.one("button", value="trump:red").name == "red trump: covered by Cleo"


def test_a_set_up_that_comes_too_late_is_saved_with_one_more_tap(table: Table, ana: Phone) -> None:
    page = ana.open("setup")
    table.record("trump red")

    page = page.fill_in({"name-2": "Eve"}, press="Save")

    assert page.status == 409
    assert page.notice.startswith("The game has moved on")
    assert page.fields("Save")["name-2"] == "Eve"
    page = page.press("Save")
    assert page.status == 200
    assert table.ledger.current_setup.names == ("Ana", "Ben", "Eve")


def test_a_set_up_that_is_sent_twice_is_saved_once(table: Table, ana: Phone) -> None:
    page = ana.open("setup")

    for _ in range(2):
        assert page.fill_in({"name-2": "Eve"}, press="Save").status == 200

    assert table.version == 1


def test_the_dealer_picked_in_round_1_is_an_entry_that_can_be_undone(table: Table, ana: Phone) -> None:
    page = ana.open().press("Cleo")

    page = page.press("Undo: Set-up corrected")

    assert page.root.one("h1").text == "Round 1 of 2 Ana deals"

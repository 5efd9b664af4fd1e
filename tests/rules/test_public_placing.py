"""RULES.md section 3: placing and the start player, in a table game as everyone sees it."""

import pytest

from games.rules import NjetError, Phase, Place, RowKey, Setup, Suit
from games.rules.errors import (
    LastOpenSpace,
    MissingField,
    NotYourTurn,
    OwnPartner,
    RowClosed,
    RowNotUsed,
    SpaceCovered,
    StartNotFree,
    UnknownSeat,
    UnknownSpace,
)
from tests.builders import dutch, english, french, italian, placing, play, read, wikipedia
from tests.rules.public_states import BOARD, refusal_of

# --- placing: turns ---


@pytest.mark.parametrize(
    ("setup", "first"),
    [
        (english(5, dealer=0), 0),
        (english(5, dealer=3), 3),
        (wikipedia(4, dealer=2), 2),
        (french(4, dealer=0), 1),
        (dutch(3, dealer=2), 0),
        (italian(dealer=3), 0),
        (english(4, dealer=1, first_placer="left_of_dealer"), 2),
        (dutch(4, dealer=1, first_placer="dealer"), 1),
    ],
)
def test_the_dealer_or_the_left_neighbour_places_first(setup: Setup, first: int) -> None:
    state = play(setup)

    assert state.phase is Phase.PLACING
    assert (state.first_placer, state.acting_seats) == (first, (first,))


@pytest.mark.parametrize(
    ("setup", "order"),
    [
        (english(5, dealer=3), [3, 4, 0, 1, 2] * 4),
        (english(4, dealer=0), [0, 1, 2, 3] * 4 + [0, 1, 2]),
        (english(2, dealer=1), [1, 0] * 8 + [1]),
        (wikipedia(3, dealer=1, start_row=False), [1, 2, 0] * 5 + [1]),
        (dutch(4, dealer=0), [1, 2, 3, 0] * 3 + [1, 2, 3]),
        (dutch(3, dealer=1), [2, 0, 1] * 4 + [2, 0]),
    ],
)
def test_markers_are_placed_strictly_clockwise_from_the_first_placer(setup: Setup, order: list[int]) -> None:
    conditions = "njet red blue 2" if not setup.ruleset.options.start_row else "0 njet red blue 2"
    state, placers = play(setup), []

    for place in placing(setup, conditions):
        placers += state.acting_seats
        state = state.apply(place)

    assert placers == order
    assert state.phase is not Phase.PLACING


@pytest.mark.parametrize(
    ("setup", "each"),
    [
        (english(5), (4, 4, 4, 4, 4)),
        (english(4), (5, 5, 5, 4)),
        (english(3), (6, 6, 6)),
        (english(2), (9, 8)),
        (english(5, start_row=False), (4, 3, 3, 3, 3)),
        (english(4, start_row=False), (4, 4, 4, 4)),
        (english(3, start_row=False), (6, 5, 5)),
        (english(2, start_row=False), (8, 8)),
        (italian(dealer=3), (4, 4, 4, 3)),
        (dutch(3, dealer=2), (5, 5, 4)),
    ],
)
def test_the_markers_left_of_each_player_run_out_with_the_board(setup: Setup, each: tuple[int, ...]) -> None:
    conditions = "njet red blue 2" if not setup.ruleset.options.start_row else "0 njet red blue 2"
    state = play(setup)
    assert state.markers_left == each

    for place in placing(setup, conditions):
        (placer,), before = state.acting_seats, state.markers_left
        state = state.apply(place)

        if state.phase is Phase.PLACING:
            assert state.markers_left == tuple(left - (seat == placer) for seat, left in enumerate(before))
        else:
            assert sum(before) == before[placer] == 1

    assert set(state.markers_left) == {0}


def test_the_marker_remembers_its_player() -> None:
    state = play(dutch(3, dealer=0), "trump red", "trump blue", "points 1", "trump green")

    marks = {row.key.value: row.marks for row in state.current.board.rows}

    assert marks["trump"] == (1, None, 2, 1)
    assert marks["points"] == (0, None, None, None)


def test_playing_out_of_turn_is_refused() -> None:
    state = play(english(4, dealer=1), "trump red")

    refusal = refusal_of(state, "trump blue", seat=3)

    assert type(refusal) is NotYourTurn
    assert refusal.params == {"seat": 3, "acting": [2]}
    assert state.apply(read("trump blue"), seat=2) == state.apply(read("trump blue"))


# --- placing: spaces ---


@pytest.mark.parametrize(
    ("setup", "lines", "refused", "refusal", "params"),
    [
        (english(4), ["trump red"], "trump red", SpaceCovered, {"row": "trump", "space": "red"}),
        (
            english(4),
            ["trump red", "trump black", "trump blue", "trump yellow"],
            "trump njet",
            LastOpenSpace,
            {"row": "trump", "space": "njet"},
        ),
        (
            english(4),
            ["trump red", "trump black", "trump blue", "trump yellow"],
            "trump red",
            RowClosed,
            {"row": "trump", "space": "red"},
        ),
        (english(2), ["start 1"], "start 0", LastOpenSpace, {"row": "start", "space": "0"}),
        (english(2), ["start 1"], "start 1", RowClosed, {"row": "start", "space": "1"}),
        (english(2), [], "start 2", UnknownSpace, {"row": "start", "space": "2"}),
        (dutch(4), [], "points -2", UnknownSpace, {"row": "points", "space": "-2"}),
        (wikipedia(4, start_row=False), [], "start 0", RowNotUsed, {"row": "start"}),
    ],
)
def test_a_space_that_cannot_be_covered_is_refused(
    setup, lines, refused: str, refusal: type[NjetError], params
) -> None:
    state = play(setup, *lines)

    error = refusal_of(state, refused)

    assert (type(error), error.params) == (refusal, params)


def test_a_closed_row_leaves_the_other_rows_open() -> None:
    state = play(dutch(3), "start 0", "start 1", "discard njet")

    legal = [action for action in state.legal_actions() if isinstance(action, Place)]

    assert {action.row for action in legal} == {RowKey.DISCARD, RowKey.TRUMP, RowKey.SUPERTRUMP, RowKey.POINTS}
    assert len(legal) == 2 + 4 + 5 + 4


def test_the_open_spaces_of_a_settled_board_are_the_conditions() -> None:
    setup = english(4)

    state = play(setup, *placing(setup, "2 pass_2_right njet yellow -2"))

    conditions = state.current.conditions
    assert (conditions.start, conditions.discard, conditions.points) == (2, "pass_2_right", -2)
    assert (conditions.trump, conditions.supertrump) == (None, Suit.YELLOW)
    assert state.phase is Phase.TEAMS


@pytest.mark.parametrize("row", RowKey)
def test_there_are_no_conditions_before_the_last_marker_in_any_row(row: RowKey) -> None:
    setup = english(4)
    *early, last = sorted(placing(setup, "2 njet njet yellow -2"), key=lambda place: place.row is row)

    state = play(setup, *early)

    assert last.row is row
    assert (state.phase, state.current.conditions) == (Phase.PLACING, None)
    assert play(state, last).current.conditions == play(setup, "open 2 njet njet yellow -2").current.conditions


# --- placing: quick entry ---


def test_quick_entry_settles_the_board_like_the_markers() -> None:
    setup = english(5)

    entered, placed = play(setup, "open 3 discard_1 njet red 4"), play(setup, *placing(setup, "3 discard_1 njet red 4"))

    assert entered.current.conditions == placed.current.conditions
    assert (entered.phase, entered.acting_seats) == (placed.phase, placed.acting_seats) == (Phase.TEAMS, (3,))


def test_quick_entry_is_possible_in_the_middle_of_placing() -> None:
    state = play(dutch(3, dealer=0), "trump red", "start 2")

    settled = play(state, "open 0 njet blue black 2")

    marks = {row.key.value: row.marks for row in settled.current.board.rows}
    assert marks["trump"] == (1, "entry", None, "entry")
    assert marks["start"] == (None, "entry", 2)
    assert settled.current.conditions.trump is Suit.BLUE


@pytest.mark.parametrize(
    ("setup", "line", "refusal", "params"),
    [
        (english(4), "open 0 njet red blue 2", SpaceCovered, {"row": "trump", "space": "red"}),
        (english(4), "open 4 njet blue blue 2", UnknownSpace, {"row": "start", "space": "4"}),
        (english(4), "open 0 njet green blue 2", UnknownSpace, {"row": "trump", "space": "green"}),
        (english(4), "open 0 discard_3 blue blue 2", UnknownSpace, {"row": "discard", "space": "discard_3"}),
        (english(4), "open 0 njet blue blue 5", UnknownSpace, {"row": "points", "space": "5"}),
        (english(4), "open njet blue blue 2", MissingField, {"action": "conditions", "field": "start"}),
        (wikipedia(4, start_row=False), "open 0 njet blue blue 2", RowNotUsed, {"row": "start"}),
        (dutch(4), "open 0 njet njet blue 2", UnknownSpace, {"row": "trump", "space": "njet"}),
        (dutch(4), "open 0 pass_2_right blue blue 2", UnknownSpace, {"row": "discard", "space": "pass_2_right"}),
        (dutch(4), "open 0 njet blue yellow 2", UnknownSpace, {"row": "supertrump", "space": "yellow"}),
        (dutch(4), "open 0 njet blue blue -2", UnknownSpace, {"row": "points", "space": "-2"}),
    ],
)
def test_quick_entry_of_an_impossible_board_is_refused(setup, line: str, refusal: type[NjetError], params) -> None:
    state = play(setup, "trump red")

    error = refusal_of(state, line)

    assert (type(error), error.params) == (refusal, params)


# --- the start player ---


def test_the_open_space_of_row_1_names_the_start_player() -> None:
    state = play(english(4, dealer=1), "open 3 njet red blue 2")

    assert (state.acting_seats, state.current.leader) == ((3,), 3)


@pytest.mark.parametrize(
    ("setup", "start", "own"),
    [
        (wikipedia(4, dealer=2, start_row=False), 2, (0, 2)),
        (wikipedia(4, dealer=2, start_row=False, first_placer="left_of_dealer"), 3, (0, 3)),
    ],
)
def test_without_the_start_row_the_first_placer_is_the_start_player(setup: Setup, start: int, own) -> None:
    state = play(setup, "open njet red blue 2")

    assert state.current.conditions.start == start
    assert state.acting_seats == (start,)
    assert play(state, "team 0").current.teams.own == own


@pytest.mark.parametrize(("first_placer", "start"), [("dealer", 1), ("left_of_dealer", 0)])
def test_without_the_start_row_two_players_start_with_the_first_placer(first_placer: str, start: int) -> None:
    state = play(english(2, dealer=1, start_row=False, first_placer=first_placer), "open njet red blue 2")

    assert (state.phase, state.current.leader) == (Phase.TRICKS, start)
    assert state.current.teams.own == (start,)


def test_without_the_start_row_the_table_may_override_the_start_player() -> None:
    state = play(wikipedia(5, dealer=2, start_row=False), "open njet red blue 2")

    named = play(state, "team 1 monster 4 start 4")

    assert (named.current.teams.own, named.current.conditions.start, named.current.leader) == ((1, 4), 4, 4)


def test_with_the_start_row_no_choice_overrides_the_start_player() -> None:
    state = play(wikipedia(4), BOARD)

    refusals = [refusal_of(state, line) for line in ("team 1 start 0", "team 1 start 2", "team 1 start 9")]

    assert [(type(each), each.params) for each in refusals] == [(StartNotFree, {"start": 0})] * 3


def test_an_overriding_start_player_sits_at_the_table_and_is_not_their_own_partner() -> None:
    state = play(wikipedia(4, start_row=False), "open njet red blue 2")

    refusals = [refusal_of(state, line) for line in ("team 1 start 4", "team 1 start -1", "team 2 start 2")]

    assert [type(each) for each in refusals] == [UnknownSeat, UnknownSeat, OwnPartner]
    assert [each.params for each in refusals] == [{"seat": 4}, {"seat": -1}, {"seat": 2}]

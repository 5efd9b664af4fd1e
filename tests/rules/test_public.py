"""RULES.md sections 3, 5 and 7: a table game as everyone sees it, phase by phase."""

import pytest

from games.rules import (
    AddPenalty,
    Claim,
    Deal,
    Discard,
    Hidden,
    NjetError,
    Pass,
    PenaltyLine,
    Phase,
    Place,
    Play,
    PublicState,
    RowKey,
    Setup,
    Suit,
    Template,
)
from games.rules.errors import (
    CapturedSumTooLarge,
    CapturedSumTooSmall,
    CapturedWithoutTrick,
    DigitalOnly,
    GameOver,
    LastOpenSpace,
    MissingField,
    MonsterInLargerTeam,
    MonsterMissing,
    MonsterNotUsed,
    NegativeCount,
    NothingToFinish,
    NotYourTurn,
    OwnPartner,
    PartnerTwice,
    PenaltyOutOfRange,
    ReasonMissing,
    ReasonTooLong,
    RowClosed,
    RowNotUsed,
    SpaceCovered,
    StartNotFree,
    TooManyCaptured,
    UnknownSeat,
    UnknownSpace,
    WrongPhase,
    WrongTallyLength,
    WrongTeamSize,
    WrongTrickSum,
)
from tests.builders import dutch, english, french, in_order, italian, placing, play, read, setup_of, wikipedia

BOARD = "open 0 njet red blue 2"


def _refuse(state: PublicState | Setup, line, *, seat: int | None = None) -> NjetError:
    """The refusal that an action meets."""
    before = play(state)
    with pytest.raises(NjetError) as refused:
        before.apply(read(line) if isinstance(line, str) else line, seat=seat)
    return refused.value


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

    refusal = _refuse(state, "trump blue", seat=3)

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

    error = _refuse(state, refused)

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

    error = _refuse(state, line)

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

    refusals = [_refuse(state, line) for line in ("team 1 start 0", "team 1 start 2", "team 1 start 9")]

    assert [(type(each), each.params) for each in refusals] == [(StartNotFree, {"start": 0})] * 3


def test_an_overriding_start_player_sits_at_the_table_and_is_not_their_own_partner() -> None:
    state = play(wikipedia(4, start_row=False), "open njet red blue 2")

    refusals = [_refuse(state, line) for line in ("team 1 start 4", "team 1 start -1", "team 2 start 2")]

    assert [type(each) for each in refusals] == [UnknownSeat, UnknownSeat, OwnPartner]
    assert [each.params for each in refusals] == [{"seat": 4}, {"seat": -1}, {"seat": 2}]


# --- teams ---


@pytest.mark.parametrize(
    ("setup", "line", "own", "other", "monster"),
    [
        (english(3), "team alone monster 0", (0,), (1, 2), 0),
        (english(3), "team 2 monster 1", (0, 2), (1,), 1),
        (english(4), "team 3", (0, 3), (1, 2), None),
        (english(5), "team 3 monster 0", (0, 3), (1, 2, 4), 0),
        (english(5), "team 3 monster 3", (0, 3), (1, 2, 4), 3),
        (english(5), "team 3 1 monster 4", (0, 1, 3), (2, 4), 4),
        (dutch(3), "team alone monster 0", (0,), (1, 2), 0),
    ],
)
def test_the_start_player_names_the_teams_and_the_holder_of_the_monster(setup, line, own, other, monster) -> None:
    state = play(setup, BOARD)

    named = play(state, line)

    assert (named.current.teams.own, named.current.teams.other) == (own, other)
    assert named.current.teams.monster == monster
    assert named.phase is Phase.TRICKS


@pytest.mark.parametrize(
    ("setup", "line", "refusal"),
    [
        (english(4), "team alone", WrongTeamSize),
        (english(4), "team 0", OwnPartner),
        (english(4), "team 4", UnknownSeat),
        (english(5), "team 1 1 monster 3", PartnerTwice),
        (english(5), "team 1 2 monster 0", MonsterInLargerTeam),
        (english(5), "team 1 2", MonsterMissing),
        (dutch(3), "team alone", MonsterMissing),
        (dutch(4), "team 1 monster 0", MonsterNotUsed),
    ],
)
def test_impossible_teams_are_refused(setup: Setup, line: str, refusal: type[NjetError]) -> None:
    state = play(setup, BOARD)

    error = _refuse(state, line)

    assert type(error) is refusal


def test_only_the_start_player_names_the_teams() -> None:
    state = play(english(4), "open 2 njet red blue 2")

    refusal = _refuse(state, "team 1", seat=0)

    assert type(refusal) is NotYourTurn
    assert refusal.params == {"seat": 0, "acting": [2]}
    assert state.apply(read("team 1"), seat=2) == play(state, "team 1")


def test_two_players_have_no_choice_of_teams() -> None:
    state = play(english(2), "open 1 njet red blue 2")

    refusal = _refuse(state, "team alone")

    assert (state.current.teams.own, state.current.teams.other, state.current.teams.monster) == ((1,), (0,), None)
    assert (state.phase, type(refusal)) == (Phase.TRICKS, WrongPhase)


@pytest.mark.parametrize(
    ("setup", "ways"),
    [
        (english(3), 3),
        (english(4), 3),
        (english(5), 20),
        (wikipedia(3, start_row=False), 3 * 3),
        (wikipedia(4, start_row=False), 4 * 3),
        (wikipedia(5, start_row=False), 5 * 20),
    ],
)
def test_every_way_to_name_the_teams_is_offered(setup: Setup, ways: int) -> None:
    state = play(setup, BOARD if setup.ruleset.options.start_row else "open njet red blue 2")

    offered = [action for action in state.legal_actions() if not isinstance(action, Template)]

    assert len(offered) == len(set(offered)) == ways


@pytest.mark.parametrize(
    ("lines", "phase"), [([], "placing"), (["trump red"], "placing"), ([BOARD], "teams"), ([BOARD, "team 1"], "tricks")]
)
@pytest.mark.parametrize(
    ("line", "action", "needed"),
    [
        ("trump blue", "place", "placing"),
        (BOARD, "conditions", "placing"),
        ("team 1", "team", "teams"),
        ("trick 0", "trick", "tricks"),
        ("tally 15 0 0 0", "tally", "tricks"),
    ],
)
def test_each_action_belongs_to_its_phase(lines: list[str], phase: str, line: str, action: str, needed: str) -> None:
    state = play(english(4), *lines)
    assert state.phase == phase

    refusal = _refuse(state, line) if phase != needed else None

    if refusal is not None:
        assert type(refusal) is WrongPhase
        assert refusal.params == {"action": action, "phase": phase, "needed": needed}


def test_a_tally_has_no_bounds_before_the_teams_are_named() -> None:
    states = [play(english(4)), play(english(4), BOARD), play(english(4), BOARD, "team 1")]

    assert [state.tally_bounds is None for state in states] == [True, True, False]


# --- tricks ---


def test_the_start_player_leads_and_the_winner_of_a_trick_leads_the_next() -> None:
    state = play(english(4), "open 2 njet red blue 2", "team 1")
    leaders = [state.current.leader]

    for line in ("trick 3", "trick 3+1", "trick 0"):
        state = play(state, line)
        leaders.append(state.current.leader)

    assert leaders == [2, 3, 3, 0]
    assert [trick.leader for trick in state.current.tricks] == [2, 3, 3]


def test_tricks_and_captures_belong_to_the_player_who_won_the_trick() -> None:
    state = play(english(4), BOARD, "team 1", "trick 3+2", "trick 0", "trick 3+1")

    counts = [(each.tricks, each.captured) for each in state.current.won(4)]

    assert counts == [(1, 0), (0, 0), (0, 0), (2, 3)]


def test_while_tricks_are_counted_no_single_seat_is_due() -> None:
    state = play(english(4), BOARD, "team 1", "trick 3+2")

    assert (state.phase, state.acting_seats) == (Phase.TRICKS, ())


@pytest.mark.parametrize(
    ("setup", "team", "tricks", "refused", "refusal", "params"),
    [
        (english(4), "team 1", [], "trick 4", UnknownSeat, {"seat": 4}),
        (english(4), "team 1", [], "trick -1", UnknownSeat, {"seat": -1}),
        (english(4), "team 1", [], "trick 0+-1", NegativeCount, {"captured": -1}),
        (english(4), "team 1", [], "trick 0+3", TooManyCaptured, {"seat": 0, "captured": 3, "most": 2}),
        (english(5), "team 1 monster 0", [], "trick 1+4", TooManyCaptured, {"seat": 1, "captured": 4, "most": 3}),
        (english(5), "team 1 monster 0", [], "trick 2+3", TooManyCaptured, {"seat": 2, "captured": 3, "most": 2}),
        (english(3), "team alone monster 0", [], "trick 1+2", TooManyCaptured, {"seat": 1, "captured": 2, "most": 1}),
        (english(4), "team 1", ["trick 0+2"] * 6, "trick 0+1", CapturedSumTooLarge, {"sum": 13, "most": 12}),
        (dutch(4), "team 1", ["trick 0+2"] * 4, "trick 0+1", CapturedSumTooLarge, {"sum": 9, "most": 8}),
        (french(4), "team 1", [], "trick 0+5", TooManyCaptured, {"seat": 0, "captured": 5, "most": 4}),
        (french(4), "team 1", ["trick 0"] * 8, "trick 0+3", CapturedSumTooSmall, {"sum": 3, "least": 4}),
        (
            french(4),
            "team 1",
            ["trick 0+2"] * 3 + ["trick 0"] * 6,
            "trick 0+1",
            CapturedSumTooSmall,
            {"sum": 7, "least": 8},
        ),
    ],
)
def test_an_impossible_trick_is_refused(setup, team, tricks, refused, refusal, params) -> None:
    state = play(setup, BOARD, team, *tricks)

    error = _refuse(state, refused)

    assert (type(error), error.params) == (refusal, params)


@pytest.mark.parametrize(
    ("discard", "tricks"), [("njet", 15), ("discard_1", 14), ("discard_2_no_zero", 13), ("pass_2_right", 15)]
)
def test_the_round_is_over_with_the_last_trick(discard: str, tricks: int) -> None:
    state = play(english(4), f"open 0 {discard} red blue 2", "team 1")

    counted = play(state, *["trick 1"] * (tricks - 1))
    done = play(counted, "trick 2+1")

    assert (counted.current.number, len(counted.current.tricks), counted.finished) == (1, tricks - 1, ())
    assert done.current.number == 2
    assert [(each.tricks, each.captured) for each in done.finished[0].won] == [(0, 0), (tricks - 1, 0), (1, 1), (0, 0)]
    assert len(done.finished[0].tricks) == tricks


def test_after_the_round_the_next_begins_by_itself_with_the_left_neighbour_as_dealer() -> None:
    state = play(english(4, dealer=3), BOARD, "team 1", "tally 15 0 0 0")

    assert (state.phase, state.current.number, state.current.dealer) == (Phase.PLACING, 2, 0)
    assert (state.acting_seats, state.current.board.is_untouched) == ((0,), True)
    assert (state.finished[0].number, state.finished[0].dealer) == (1, 3)


# --- the tally ---


def test_a_tally_replaces_the_tricks_recorded_one_by_one_so_far() -> None:
    state = play(english(4), BOARD, "team 1", "trick 3+2", "trick 3+2", "trick 2")

    done = play(state, "tally 15 0 0 0")

    assert [(each.tricks, each.captured) for each in done.finished[0].won] == [(15, 0), (0, 0), (0, 0), (0, 0)]
    assert done.finished[0].tricks == ()
    assert done.totals == (30, 30, 0, 0)


@pytest.mark.parametrize(
    ("setup", "tally", "refusal"),
    [
        (english(4), "tally 15 0 0", WrongTallyLength),
        (english(4), "tally 16 -1 0 0", NegativeCount),
        (english(4), "tally 15+-1 0 0 0", NegativeCount),
        (english(4), "tally 14 0 0 0", WrongTrickSum),
        (english(4), "tally 16 0 0 0", WrongTrickSum),
        (english(4), "tally 15 0+1 0 0", CapturedWithoutTrick),
        (english(4), "tally 14 1+3 0 0", TooManyCaptured),
        (english(4), "tally 8+7 0 7+6 0", CapturedSumTooLarge),
        (french(4), "tally 5+3 0 5+4 0", CapturedSumTooSmall),
    ],
)
def test_an_impossible_tally_is_refused(setup: Setup, tally: str, refusal: type[NjetError]) -> None:
    state = play(setup, BOARD, "team 1")

    error = _refuse(state, tally)

    assert type(error) is refusal


def test_with_two_players_any_number_of_zeros_may_be_missing() -> None:
    state = play(english(2, captured_from="everyone"), BOARD)

    done = play(state, "tally 7 8+1")

    assert done.totals == (14, 18)


# --- recording trick by trick never gets stuck ---


@pytest.mark.parametrize("discard", ["njet", "discard_1", "discard_2"])
@pytest.mark.parametrize("captured_from", ["opponents", "everyone"])
@pytest.mark.parametrize(
    ("preset", "players"),
    [("njet-english", 2), ("njet-english", 3), ("njet-english", 4), ("njet-english", 5), ("goldsieber-dutch", 3),
     ("goldsieber-dutch", 4)],
)  # fmt: skip
def test_trick_by_trick_never_gets_stuck(preset: str, players: int, captured_from: str, discard: str) -> None:
    setup = setup_of(preset, players, captured_from=captured_from)
    start = play(setup, f"open 0 {discard} red blue 1")
    if players > 2:
        start = play(start, start.legal_actions()[0])
    total = setup.ruleset.tricks(discard)

    for take in ("least", "most", "least, then most", "most, then least"):
        state = start
        for number in range(total):
            (trick,) = [each for each in state.legal_actions() if isinstance(each, Template) and each.kind == "trick"]
            winner = trick.bounds["winner"][number % len(trick.bounds["winner"])]
            limits = trick.bounds["captured"][winner]
            assert limits["least"] <= limits["most"]
            first, _, later = take.partition(", then ")
            state = play(state, f"trick {winner}+{limits[later if later and number >= total // 2 else first]}")

        captured = sum(each.captured for each in state.finished[0].won)
        zeros = setup.ruleset.edition.capturable_cards
        missing = players * {"njet": 0, "discard_1": 1, "discard_2": 2}[discard]
        assert captured <= zeros
        assert captured_from == "opponents" or players == 2 or captured >= zeros - missing


def test_the_bounds_of_the_next_trick_are_offered_by_seat() -> None:
    state = play(french(4), BOARD, "team 1", *["trick 0"] * 8)

    (trick,) = [each for each in state.legal_actions() if isinstance(each, Template) and each.kind == "trick"]

    assert trick.bounds == {"winner": [0, 1, 2, 3], "captured": [{"least": 4, "most": 4}] * 4}
    assert state.captures_of_next_trick(2) == (4, 4)


def test_the_bounds_of_the_tally_are_offered() -> None:
    state = play(english(5), "open 0 discard_1 red blue 2", "team 1 monster 0")

    (tally,) = [each for each in state.legal_actions() if isinstance(each, Template) and each.kind == "tally"]

    assert tally.bounds == {
        "tricks": 11,
        "captured_per_trick": [3, 3, 2, 2, 2],
        "captured": {"least": 0, "most": 12},
    }


@pytest.mark.parametrize("lines", [[], [BOARD], [BOARD, "team 1", "trick 0"]], ids=len)
def test_the_bounds_of_a_misdeal_and_of_a_penalty_are_offered_in_every_phase(lines: list[str]) -> None:
    state = play(english(4), *lines)

    offered = {each.kind: each.bounds for each in state.legal_actions() if isinstance(each, Template)}

    assert offered["void_round"] == {"reason": {"longest": 200}}
    assert offered["penalty"] == {
        "seat": [0, 1, 2, 3],
        "points": {"least": -999, "most": 999, "not": [0]},
        "reason": {"longest": 200},
    }


def test_the_open_spaces_are_offered_for_a_quick_entry() -> None:
    state = play(dutch(3, dealer=0), "trump red", "start 2")

    (entry,) = [each for each in state.legal_actions() if isinstance(each, Template) and each.kind == "conditions"]

    assert entry.bounds == {
        "start": ["0", "1"],
        "discard": ["discard_1", "discard_2", "njet"],
        "trump": ["black", "blue", "green"],
        "supertrump": ["red", "black", "blue", "green", "njet"],
        "points": ["1", "2", "3", "4"],
    }


def test_there_is_no_next_trick_before_the_teams() -> None:
    state = play(english(4), BOARD)

    with pytest.raises(WrongPhase) as refused:
        state.captures_of_next_trick(0)

    assert refused.value.params == {"action": "trick", "phase": "teams", "needed": "tricks"}


# --- the sheet and the end ---


def test_the_sheet_adds_the_rounds_up() -> None:
    state = play(
        dutch(3),
        *("open 0 njet blue black 2", "team alone monster 0", "tally 5+1 4+1 3+1"),
        *("open 1 discard_1 red njet 4", "team 2 monster 0", "tally 1 5+1 5"),
    )

    assert [done.score.points for done in state.finished] == [(24, 18, 18), (8, 44, 44)]
    assert (state.totals, state.leaders, state.ranks) == ((32, 62, 62), (1, 2), (3, 1, 1))
    assert state.winners == ()


def test_by_difference_the_gaps_add_up_and_the_raw_scores_are_kept() -> None:
    state = play(
        english(4, score_record="difference"),
        *("open 0 njet blue black 2", "team 1", "tally 10 0 5 0"),
        *("open 0 njet blue black -2", "team 2", "tally 10 0 5 0"),
    )

    assert [done.score.raw for done in state.finished] == [(20, 20, 10, 10), (-30, 0, -30, 0)]
    assert [done.score.points for done in state.finished] == [(10, 10, 0, 0), (0, 30, 0, 30)]
    assert state.totals == (10, 40, 0, 30)


def test_no_seat_leads_before_a_line_is_on_the_sheet() -> None:
    state = play(english(4), BOARD, "team 1", "trick 0")

    assert (state.totals, state.leaders, state.winners) == ((0, 0, 0, 0), (), ())


def test_the_last_round_finishes_the_game() -> None:
    state = play(dutch(4, rounds=2), BOARD, "team 1", "tally 10 0 0 0", BOARD, "team 2", "tally 10 0 0 0")

    assert (state.phase, state.current, len(state.finished)) == (Phase.FINISHED, None, 2)
    assert (state.totals, state.winners, state.acting_seats) == ((40, 20, 20, 0), (0,), ())
    assert (state.legal_actions(), state.first_placer, state.tally_bounds) == ((), None, None)
    assert state.markers_left == (0, 0, 0, 0)


def test_the_last_trick_of_the_last_round_finishes_the_game_too() -> None:
    state = play(dutch(4, rounds=1), "open 0 discard_2 red blue 1", "team 1", *["trick 2"] * 7)

    finished = play(state, "trick 2+1")

    assert (state.phase, finished.phase) == (Phase.TRICKS, Phase.FINISHED)
    assert (finished.totals, finished.winners) == ((0, 0, 9, 9), (2, 3))


def test_equal_totals_share_the_victory() -> None:
    state = play(english(4, rounds=1), BOARD, "team 2", "tally 9 0 6 0")

    assert (state.winners, state.ranks) == ((0, 2), (1, 3, 1, 3))


@pytest.mark.parametrize(
    "line", ["trump red", BOARD, "team 1", "trick 0", "tally 10 0 0 0", "void misdeal", "penalty 0 -5 late", "finish"]
)
def test_a_finished_game_takes_no_more_actions(line: str) -> None:
    state = play(dutch(4, rounds=1), BOARD, "team 1", "tally 10 0 0 0")

    refusal = _refuse(state, line)

    assert type(refusal) is GameOver


@pytest.mark.parametrize(
    "lines", [[], ["trump red"], [BOARD], [BOARD, "team 1"], [BOARD, "team 1", "trick 0+2"]], ids=len
)
def test_finish_ends_the_game_after_the_rounds_that_are_complete(lines: list[str]) -> None:
    complete = play(english(4), BOARD, "team 1", "tally 10 0 5 0")

    finished = play(complete, *lines, "finish")

    assert finished.phase is Phase.FINISHED
    assert finished.finished == complete.finished
    assert (finished.totals, finished.winners) == ((20, 20, 10, 10), (0, 1))


def test_a_game_finished_early_keeps_its_penalties() -> None:
    state = play(english(4), BOARD, "team 1", "tally 10 0 5 0", "penalty 0 -1 late", BOARD)

    finished = play(state, "finish")

    assert (finished.totals, finished.winners) == ((19, 20, 10, 10), (1,))
    assert finished.penalties == state.penalties


@pytest.mark.parametrize(
    "lines", [[], [BOARD], [BOARD, "team 1", "trick 0"], ["penalty 0 -5 late"], ["void misdeal"]], ids=str
)
def test_without_a_complete_round_there_is_nothing_to_finish(lines: list[str]) -> None:
    state = play(english(4), *lines)

    refusal = _refuse(state, "finish")

    assert type(refusal) is NothingToFinish
    assert read("finish") not in state.legal_actions()


# --- void and penalty ---


@pytest.mark.parametrize(
    "lines", [[], ["trump red"], [BOARD], [BOARD, "team 1"], [BOARD, "team 1", "trick 0+2"]], ids=len
)
def test_a_misdeal_voids_the_round_which_is_dealt_again_by_the_same_dealer(lines: list[str]) -> None:
    second_round = play(english(4, dealer=2), BOARD, "team 1", "tally 10 0 5 0")

    again = play(second_round, *lines, "void misdeal")

    assert again == second_round
    assert (again.current.number, again.current.dealer, again.acting_seats) == (2, 3, (3,))


def test_a_voided_round_leaves_the_penalties_on_the_sheet() -> None:
    state = play(english(4), "penalty 1 -5 revoke", BOARD)

    again = play(state, "void misdeal")

    assert (again.totals, len(again.penalties)) == ((0, -5, 0, 0), 1)


def test_a_penalty_is_a_line_of_its_own_with_its_reason() -> None:
    state = play(english(4), BOARD, "team 1", "tally 10 0 5 0", "open 1 njet red blue 2", "team 0", "trick 2")

    punished = play(state, "penalty 1 -5 Ben revoked", "penalty 3 2 agreed")

    assert punished.penalties == (PenaltyLine(1, -5, "Ben revoked", 1), PenaltyLine(3, 2, "agreed", 1))
    assert (state.totals, punished.totals) == ((20, 20, 10, 10), (20, 15, 10, 12))
    assert (punished.current, punished.finished) == (state.current, state.finished)


def test_a_penalty_before_the_first_round_counts_too() -> None:
    state = play(english(4), "penalty 1 -5 late")

    assert (state.totals, state.leaders, state.ranks) == ((0, -5, 0, 0), (0, 2, 3), (1, 4, 1, 1))
    assert state.penalties[0].after_round == 0


def test_a_penalty_can_decide_the_game() -> None:
    state = play(english(4, rounds=1), BOARD, "team 1", "penalty 0 -11 revoke", "tally 10 0 5 0")

    assert (state.totals, state.winners) == ((9, 20, 10, 10), (1,))


@pytest.mark.parametrize(
    ("line", "refusal", "params"),
    [
        ("penalty 4 -5 revoke", UnknownSeat, {"seat": 4}),
        ("penalty -1 -5 revoke", UnknownSeat, {"seat": -1}),
        ("penalty 1 0 revoke", PenaltyOutOfRange, {"points": 0, "most": 999}),
        ("penalty 1 1000 revoke", PenaltyOutOfRange, {"points": 1000, "most": 999}),
        ("penalty 1 -1000 revoke", PenaltyOutOfRange, {"points": -1000, "most": 999}),
        ("penalty 1 -5", ReasonMissing, {}),
        ("penalty 1 -5 \u200b", ReasonMissing, {}),
        ("void", ReasonMissing, {}),
        ("void \u200b", ReasonMissing, {}),
    ],
)
def test_what_breaks_the_rules_is_written_down_with_a_seat_points_and_a_reason(line, refusal, params) -> None:
    state = play(english(4), BOARD)

    error = _refuse(state, line)

    assert (type(error), error.params) == (refusal, params)


def test_a_reason_fits_in_one_line_of_the_sheet() -> None:
    state = play(english(4), AddPenalty(1, -5, "  revoke,\n noticed\t late "))

    reason = state.penalties[0].reason

    assert reason == "revoke, noticed late"


def test_a_reason_longer_than_a_line_is_refused() -> None:
    state = play(english(4), AddPenalty(1, -5, "x" * 200))

    error = _refuse(state, AddPenalty(1, -5, "x" * 201))

    assert (type(error), error.params) == (ReasonTooLong, {"most": 200})


@pytest.mark.parametrize("points", [-999, -1, 1, 999])
def test_a_penalty_may_take_and_give_points(points: int) -> None:
    state = play(english(4), f"penalty 2 {points} agreed")

    assert state.totals == (0, 0, points, 0)


# --- what a physical table keeps to itself ---


@pytest.mark.parametrize(
    "action",
    [Deal((Hidden(15),) * 4), Discard(in_order("R1")), Pass(in_order("R1 B0")), Play(in_order("R7")[0]), Claim(0, 0)],
    ids=lambda action: type(action).__name__,
)
@pytest.mark.parametrize("lines", [[], [BOARD], [BOARD, "team 1"]], ids=len)
def test_at_a_physical_table_the_cards_are_on_the_table(lines: list[str], action) -> None:
    state = play(english(4), *lines)

    refusal = _refuse(state, action)

    assert (type(refusal), refusal.params) == (DigitalOnly, {"action": action.kind})


@pytest.mark.parametrize("timing", ["after_teams", "before_teams"])
@pytest.mark.parametrize("discard", ["discard_1", "discard_2", "discard_2_no_zero", "pass_2_right", "njet"])
def test_the_log_of_a_physical_table_does_not_care_about_discarding(timing: str, discard: str) -> None:
    state = play(english(4, discard_timing=timing), f"open 0 {discard} red blue 2")

    named = play(state, "team 1")

    assert (state.phase, named.phase) == (Phase.TEAMS, Phase.TRICKS)


def test_a_game_is_over_when_its_last_round_is_complete_or_it_is_finished_early() -> None:
    begun = play(english(4, rounds=2), "open 0 njet red blue 2", "team 1", "tally 10 0 5 0")

    assert not begun.is_over
    assert begun.apply(read("finish")).is_over
    assert play(english(4, rounds=1), "open 0 njet red blue 2", "team 1", "tally 10 0 5 0").is_over

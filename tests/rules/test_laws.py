"""The laws: what holds in every game, tried on random ones (laws 1–4 and 7–10)."""

from __future__ import annotations

import json
import pickle
from collections import Counter
from dataclasses import replace
from itertools import combinations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.rules import (
    Action,
    ActionEntry,
    AddPenalty,
    AmendEntry,
    Card,
    EnterConditions,
    Key,
    NameTeam,
    NjetError,
    Phase,
    Place,
    PublicState,
    RecordTally,
    RecordTrick,
    ReplaceAction,
    RowKey,
    Setup,
    Template,
    TrickRules,
    UndoEntry,
    VoidRound,
    from_json,
    replay,
    to_json,
)
from games.rules.options import SupertrumpSuit
from games.rules.text import clean_line
from tests.builders import dutch, english, wikipedia
from tests.rules.card_table import deal, discard_or_pass, play_out
from tests.rules.renaming import Renaming
from tests.strategies import NO_SPACES, SEAT_SPACES, SPACES, Game, any_actions, games, progress, setups, sort_legal


def positions() -> st.SearchStrategy[PublicState]:
    """Any state of a random game."""
    return games(to_the_end=True).flatmap(lambda game: st.sampled_from(game.states)) | games().map(lambda g: g.state)


@st.composite
def before_teams(draw: st.DrawFn) -> PublicState:
    """A settled board, in the first round or the second."""
    setup = draw(setups().filter(lambda setup: setup.ruleset.players > 2))
    state = PublicState.start(setup)
    number = draw(st.integers(1, min(2, setup.ruleset.options.rounds)))
    while state.current.number < number or state.phase is Phase.PLACING:
        state = state.apply(draw(progress(state, in_one_go=True)))
    return state


# --- 1: every legal action applies; every other well-formed action is refused and changes nothing ---


def _listed(state: PublicState, action: Action) -> bool:
    """Whether an action is among the legal ones, or within the bounds of a template."""
    plain, templates = sort_legal(state)
    match action:
        case NameTeam(partners, monster, start):
            settled = state.current.conditions.start if state.phase is Phase.TEAMS else None
            if start == settled and not state.ruleset.options.start_row:
                start = None  # to name the settled start player names no other player
            return NameTeam(tuple(sorted(partners)), monster, start) in plain
        case EnterConditions() if "conditions" in templates:
            bounds, spaces = templates["conditions"].bounds, action.spaces
            return spaces.keys() == bounds.keys() and all(space in bounds[row] for row, space in spaces.items())
        case RecordTrick(winner, captured) if "trick" in templates:
            bounds = templates["trick"].bounds
            if winner not in bounds["winner"]:
                return False
            return bounds["captured"][winner]["least"] <= captured <= bounds["captured"][winner]["most"]
        case RecordTally(tricks, captured) if "tally" in templates:
            bounds = templates["tally"].bounds
            if not len(tricks) == len(captured) == state.players or min(*tricks, *captured) < 0:
                return False
            most = [count * each for count, each in zip(tricks, bounds["captured_per_trick"], strict=True)]
            return (
                sum(tricks) == bounds["tricks"]
                and all(taken <= limit for taken, limit in zip(captured, most, strict=True))
                and bounds["captured"]["least"] <= sum(captured) <= bounds["captured"]["most"]
            )
        case VoidRound(reason) if "void_round" in templates:
            return 0 < len(clean_line(reason)) <= templates["void_round"].bounds["reason"]["longest"]
        case AddPenalty(seat, points, reason) if "penalty" in templates:
            bounds = templates["penalty"].bounds
            within = bounds["points"]["least"] <= points <= bounds["points"]["most"]
            fits = 0 < len(clean_line(reason)) <= bounds["reason"]["longest"]
            return seat in bounds["seat"] and within and points != 0 and fits
    return action in plain


def _taken(state: PublicState, action: Action) -> bool:
    """Whether the state takes an action; a refusal is an error of the rules with plain parameters."""
    try:
        state.apply(action)
    except NjetError as refused:
        json.dumps(refused.params, allow_nan=False)
        return False
    return True


@given(games(to_the_end=True))
def test_law_1_every_legal_action_applies(game: Game) -> None:
    for state in game.states:
        plain, _ = sort_legal(state)

        for action in plain:
            assert _taken(state, action)


@given(positions())
def test_law_1_every_legal_action_is_listed_once(state: PublicState) -> None:
    listed = state.legal_actions()

    assert len(set(listed)) == len(listed)


@given(positions(), any_actions())
def test_law_1_every_other_action_is_refused_and_changes_nothing(state: PublicState, action: Action) -> None:
    before = repr(state)

    taken = _taken(state, action)

    assert taken == _listed(state, action)
    assert repr(state) == before


@given(positions())
def test_law_1_of_all_placements_exactly_the_legal_ones_apply(state: PublicState) -> None:
    every_place = [Place(row, space) for row in RowKey for space in (*SPACES, *SEAT_SPACES, *NO_SPACES)]

    taken = {action for action in every_place if _taken(state, action)}

    assert taken == {action for action in state.legal_actions() if isinstance(action, Place)}


@given(before_teams())
def test_law_1_of_all_teams_exactly_the_legal_ones_apply(state: PublicState) -> None:
    seats = range(-1, state.players + 1)
    every_team = [
        NameTeam(partners, monster, start)
        for size in range(state.players + 1)
        for partners in combinations(range(state.players + 1), size)
        for monster in (None, *seats)
        for start in (None, *seats)
    ]

    taken = {action for action in every_team if _taken(state, action)}

    settled = state.current.conditions.start
    legal = {action for action in state.legal_actions() if isinstance(action, NameTeam)}
    if not state.ruleset.options.start_row:
        legal |= {replace(action, start=settled) for action in legal if action.start is None}
    assert taken == legal


@given(positions().filter(lambda state: state.phase is not Phase.TEAMS))
def test_law_1_outside_the_phase_teams_no_team_can_be_named(state: PublicState) -> None:
    every_team = [
        NameTeam(partners, monster, start)
        for partners in ((), (0,), (1,), (1, 2))
        for monster in (None, *range(state.players))
        for start in (None, 0)
    ]

    taken = [action for action in every_team if _taken(state, action)]

    assert taken == []


@given(positions())
def test_law_1_of_all_tricks_exactly_those_within_the_bounds_apply(state: PublicState) -> None:
    every_trick = [
        RecordTrick(winner, captured) for winner in range(-1, state.players + 2) for captured in range(-1, 14)
    ]

    taken = {action for action in every_trick if _taken(state, action)}

    assert taken == {action for action in every_trick if _listed(state, action)}
    assert bool(taken) == (state.phase is Phase.TRICKS)


# --- 2: a round that is not over has an acting seat with a legal action; others have none ---


@given(games(to_the_end=True))
def test_law_2_as_long_as_the_game_is_not_over_somebody_can_go_on(game: Game) -> None:
    for state in game.states:
        plain, templates = sort_legal(state)

        match state.phase:
            case Phase.FINISHED:
                assert (state.acting_seats, plain, templates) == ((), [], {})
            case Phase.PLACING | Phase.TEAMS:
                assert len(state.acting_seats) == 1
                assert any(isinstance(action, Place | NameTeam) for action in plain)
            case Phase.TRICKS:  # a physical table: the scorekeeper counts, no single seat is due
                assert state.acting_seats == ()
                assert {"trick", "tally"} <= templates.keys()


@given(positions().filter(lambda state: state.phase in (Phase.PLACING, Phase.TEAMS)), st.data())
def test_law_2_only_the_acting_seat_goes_on(state: PublicState, data: st.DataObject) -> None:
    action = data.draw(progress(state))

    may = []
    for seat in range(state.players):
        try:
            state.apply(action, seat=seat)
        except NjetError as refused:
            assert refused.code == "not_your_turn"  # noqa: PT017 (a refusal is allowed, and not demanded)
        else:
            may.append(seat)

    assert tuple(may) == state.acting_seats


# --- 3: cards are conserved as multisets ---


@given(setups(), st.data(), st.randoms(use_true_random=False))
def test_law_3_cards_are_conserved_as_multisets(setup: Setup, data: st.DataObject, random: Random) -> None:
    state = data.draw(settled_tables(setup))
    ruleset, current = state.ruleset, state.current
    deck = Counter(ruleset.deck())
    table = deal(ruleset, random)

    discard_or_pass(table, ruleset, current.conditions.discard, random)
    assert Counter(table.cards) == deck
    assert {len(hand) for hand in table.hands} == {ruleset.tricks(current.conditions.discard)}
    tricks = 0
    for _ in play_out(table, current, TrickRules.of(ruleset, current.conditions), random):
        tricks += 1
        assert Counter(table.cards) == deck

    assert tricks == ruleset.tricks(current.conditions.discard)
    assert len(table.played) == tricks * state.players


# --- 4: `apply` never changes its input; replaying prefix and rest equals replaying all ---


@given(games(to_the_end=True))
def test_law_4_apply_never_changes_its_input(game: Game) -> None:
    for state, action in zip(game.states, game.actions, strict=False):
        state_before, action_before = pickle.loads(pickle.dumps((state, action)))

        state.apply(action)
        state.legal_actions()

        assert (state, action) == (state_before, action_before)


@given(games(to_the_end=True), st.data())
def test_law_4_replaying_prefix_and_rest_equals_replaying_all(game: Game, data: st.DataObject) -> None:
    cut = data.draw(st.integers(0, len(game.actions)))

    state = PublicState.start(game.setup)
    for action in game.actions[:cut]:
        state = state.apply(action)
    prefix = state
    for action in game.actions[cut:]:
        state = state.apply(action)

    assert prefix == game.states[cut]
    assert state == game.state


# --- 7: JSON round-trips ---


@given(games())
def test_law_7_a_game_read_back_from_json_is_the_same_game(game: Game) -> None:
    text = json.dumps([to_json(action) for action in game.actions])

    read = [from_json(value) for value in json.loads(text)]

    assert tuple(read) == game.actions
    assert Game(game.setup, tuple(read)).state == game.state


@given(games())
def test_law_7_what_is_legal_can_be_written_as_json(game: Game) -> None:
    for state in game.states:
        for each in state.legal_actions():
            if isinstance(each, Template):
                assert json.loads(json.dumps(each.bounds)) == each.bounds
            else:
                assert from_json(json.loads(json.dumps(to_json(each)))) == each


# --- 8: renaming suits or rotating seats renames the result and nothing else ---


def _same_under(renaming: Renaming, game: Game) -> None:
    renamed = Game(renaming.setup(game.setup), tuple(renaming.action(action) for action in game.actions))

    for state, other in zip(game.states, renamed.states, strict=True):
        assert other == renaming.state(state)
        assert other.totals == renaming.by_seat(state.totals)
        assert other.ranks == renaming.by_seat(state.ranks)
        assert other.winners == renaming.seats(state.winners)
        assert other.markers_left == renaming.by_seat(state.markers_left)
        assert other.acting_seats == renaming.seats(state.acting_seats)
        legal = {renaming.action(action) for action in sort_legal(state)[0]}
        assert legal == set(sort_legal(other)[0])


@given(games(to_the_end=True), st.data())
def test_law_8_rotating_the_seats_rotates_the_result_and_nothing_else(game: Game, data: st.DataObject) -> None:
    players = game.setup.ruleset.players
    turn = data.draw(st.integers(1, players - 1))
    renaming = Renaming(lambda seat: (seat + turn) % players, {})

    _same_under(renaming, game)


@given(games(to_the_end=True), st.data())
def test_law_8_renaming_the_suits_renames_the_conditions_and_nothing_else(game: Game, data: st.DataObject) -> None:
    suits = game.setup.ruleset.edition.suits
    renamed = dict(zip(suits, data.draw(st.permutations(suits)), strict=True))
    renaming = Renaming(lambda seat: seat, renamed)

    _same_under(renaming, game)


@given(setups(), st.data())
def test_law_8_renaming_the_suits_renames_the_play_and_nothing_else(setup: Setup, data: st.DataObject) -> None:
    suits = setup.ruleset.edition.suits
    names = dict(zip(suits, data.draw(st.permutations(suits)), strict=True))
    suit = st.none() | st.sampled_from(suits)
    options = setup.ruleset.options
    rules = TrickRules(
        trump=data.draw(suit),
        supertrump=data.draw(suit),
        edition=setup.ruleset.edition,
        supertrump_suit=data.draw(st.sampled_from(SupertrumpSuit)),
        must_trump_when_void=options.must_trump_when_void,
        captured_from=options.captured_from,
    )
    renamed = replace(rules, trump=names.get(rules.trump), supertrump=names.get(rules.supertrump))
    deck = st.sampled_from(setup.ruleset.deck())
    hand = data.draw(st.lists(deck, min_size=1, max_size=6))
    trick = data.draw(st.lists(deck, min_size=2, max_size=5))

    def other(card: Card) -> Card:
        return Card.of(names[card.suit], card.rank)

    legal = renamed.legal_cards([other(card) for card in hand], other(trick[0]))
    assert set(legal) == {other(card) for card in rules.legal_cards(hand, trick[0])}
    assert renamed.winner([other(card) for card in trick]) == rules.winner(trick)


# --- 9: a round recorded card by card, trick by trick and as a tally scores alike ---


@st.composite
def settled_tables(draw: st.DrawFn, setup: Setup) -> PublicState:
    """A first round whose board is settled and whose teams are named."""
    state = PublicState.start(setup)
    while state.phase in (Phase.PLACING, Phase.TEAMS):
        state = state.apply(draw(progress(state, in_one_go=state.phase is Phase.PLACING)))
    return state


@given(setups(), st.data(), st.randoms(use_true_random=False))
def test_law_9_card_by_card_trick_by_trick_and_as_a_tally_a_round_scores_alike(setup, data, random: Random) -> None:
    state = data.draw(settled_tables(setup))
    ruleset, current = state.ruleset, state.current
    table = deal(ruleset, random)
    discard_or_pass(table, ruleset, current.conditions.discard, random)
    tricks = list(play_out(table, current, TrickRules.of(ruleset, current.conditions), random))

    by_trick = state
    for trick in tricks:
        by_trick = by_trick.apply(trick)
    won = [[each for each in tricks if each.winner == seat] for seat in range(state.players)]
    tally = RecordTally(tuple(map(len, won)), tuple(sum(each.captured for each in mine) for mine in won))
    by_tally = state.apply(tally)

    scores = _score_by_hand(by_tally)
    assert by_trick.finished[0].score == by_tally.finished[0].score
    assert by_trick.finished[0].won == by_tally.finished[0].won
    assert by_trick.totals == by_tally.totals == scores
    assert replace(by_trick, finished=()) == replace(by_tally, finished=())


def _score_by_hand(state: PublicState) -> tuple[int, ...]:
    """The formula of RULES.md section 5.1, a second time."""
    (done,) = state.finished
    sums = {}
    for team in (done.teams.own, done.teams.other):
        counts = [(2 if seat == done.teams.monster else 1) * done.won[seat].counted for seat in team]
        sums |= dict.fromkeys(team, done.conditions.points * sum(counts))
    lowest = min(sums.values()) if state.ruleset.options.score_record == "difference" else 0
    return tuple(sums[seat] - lowest for seat in range(state.players))


# --- 10: undo after any action gives the state before; amend to the same action changes nothing ---


def _log(game: Game) -> list[ActionEntry]:
    return [ActionEntry(seq, action) for seq, action in enumerate(game.actions, start=1)]


@given(games())
def test_law_10_undo_after_any_action_gives_the_state_before(game: Game) -> None:
    log = _log(game)

    for length in range(1, len(log) + 1):
        undone = replay(game.setup, [*log[:length], UndoEntry(length + 1, undoes=length)])

        assert undone.error is None
        assert undone.state == game.states[length - 1]


@given(games())
def test_law_10_undo_after_undo_leads_back_to_the_beginning(game: Game) -> None:
    log = list(_log(game))
    count = len(log)

    log += [UndoEntry(count + step + 1, undoes=count - step) for step in range(count)]

    assert replay(game.setup, log).state == PublicState.start(game.setup)


@given(games())
def test_law_10_amending_to_the_same_action_changes_nothing(game: Game) -> None:
    log = _log(game)

    for entry in log:
        amendment = AmendEntry(len(log) + 1, (ReplaceAction(Key(entry.seq), entry.action),))
        same = replay(game.setup, [*log, amendment])

        assert same.error is None
        assert same.state == game.state


# --- counting lines of play ---


def _lines(state: PublicState, markers: int) -> int:
    """In how many ways the next markers can be placed."""
    if markers == 0:
        return 1
    places = [action for action in state.legal_actions() if isinstance(action, Place)]
    return sum(_lines(state.apply(place), markers - 1) for place in places)


@pytest.mark.parametrize(
    ("setup", "lines"),
    [
        (dutch(3), (19, 19 * 18, 19 * 18 * 17 - 2 * 6)),  # not all three spaces of the rows start and discard
        (english(2), (22, 22 * 21 - 2, 22 * 21 * 20 - 20 * 6)),  # not both spaces of the row start
        (wikipedia(4, start_row=False), (20, 20 * 19, 20 * 19 * 18)),
    ],
)
def test_the_number_of_ways_to_place_the_first_markers(setup: Setup, lines: tuple[int, ...]) -> None:
    state = PublicState.start(setup)

    counted = tuple(_lines(state, markers) for markers in (1, 2, 3))

    assert counted == lines

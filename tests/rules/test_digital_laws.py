"""The laws of digital play: what holds in every digital game, tried on random ones (laws 1–9)."""

from __future__ import annotations

import json
import pickle
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations_with_replacement
from random import Random
from typing import NamedTuple

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from games.rules import (
    Action,
    Card,
    Claim,
    Deal,
    Discard,
    Finish,
    IllegalAction,
    NameTeam,
    NjetError,
    Pass,
    Phase,
    Place,
    Play,
    PublicState,
    RecordTally,
    RecordTrick,
    RowKey,
    Setup,
    TrickRules,
    from_json,
    to_json,
)
from games.rules.cards import CARDS, sort_hand
from games.rules.editions import EXCHANGES
from games.rules.full import FullState, State, advance, public_of
from games.rules.redaction import read_by, view_for
from games.rules.replay import ActionEntry, Entry, replay
from tests.builders import dealt_by_chance, placing, settled
from tests.rules.renaming import Renaming
from tests.strategies import (
    NO_SPACES,
    SEAT_SPACES,
    SPACES,
    DigitalGame,
    Step,
    any_actions,
    chance_step,
    digital_games,
    setups,
)

PARTS = ("public", "hands", "aside", "chosen", "discarded", "passed", "received")
"""Everything that a full state tells."""


def facts_of(state: FullState) -> dict[str, object]:
    return {part: getattr(state, part) for part in PARTS}


def positions() -> st.SearchStrategy[FullState]:
    """Any state of a random game."""
    return digital_games(most_rounds=2).map(lambda game: game.state)


@st.composite
def choosing(draw: st.DrawFn) -> FullState:
    """A state in which some have discarded or passed already: chance alone would seldom come by."""
    # The other presets know two discards alone.
    setup = draw(setups(presets=("njet-english", "njet-wikipedia", "goldsieber-french"), digital=True))
    random = Random(draw(st.integers(0, 2**32 - 1)))
    rows = PublicState.start(setup).current.board.rows
    spaces = {row.key: random.choice(row.spaces) for row in rows}
    wanted = [space for space in setup.ruleset.spaces(RowKey.DISCARD) if EXCHANGES[space].cards]
    spaces[RowKey.DISCARD] = draw(st.sampled_from(wanted[::-1]))
    state = settled(setup, " ".join(spaces.values()), None, dealt_by_chance(setup.ruleset, random))
    while state.public.phase is Phase.TEAMS:
        (seat,) = state.acting_seats
        state = state.apply(random.choice(state.legal_actions(seat)))
    for seat in random.sample(range(state.public.players), random.randrange(state.public.players)):
        state = state.apply(random.choice(state.legal_actions(seat)), seat=seat)
    return state


def taken(state: FullState, action: Action, seat: int | None) -> bool:
    """Whether the state takes an action; a refusal is one of the rules, with plain parameters."""
    try:
        state.apply(action, seat=seat)
    except NjetError as refused:
        is_of_cards = isinstance(action, Play | Discard | Pass)
        assert isinstance(refused, IllegalAction) or not is_of_cards  # noqa: PT017 (a refusal is allowed)
        json.dumps(refused.params, allow_nan=False)
        return False
    return True


# --- 1: every legal action applies; every other well-formed action is refused and changes nothing ---


@given(digital_games())
def test_law_1_every_legal_action_applies(game: DigitalGame) -> None:
    for state in game.states[::3]:
        for seat in range(state.public.players):
            for action in state.legal_actions(seat)[:25]:
                assert taken(state, action, seat)


def every_choice(state: FullState, *, most: int = 2) -> Iterator[Action]:
    """All plays, and all discards and passes of up to this number of cards, held or not."""
    yield from map(Play, CARDS)
    deck = sorted(set(state.public.ruleset.deck()))
    for count in range(most + 1):
        for cards in combinations_with_replacement(deck, count):
            yield Discard(cards)
            yield Pass(cards)


@settings(max_examples=12)  # each of them tries two thousand choices
@given(choosing(), st.data())
def test_law_1_of_all_choices_exactly_the_legal_ones_are_taken(state: FullState, data: st.DataObject) -> None:
    before, seat = repr(state), data.draw(st.sampled_from(state.acting_seats))

    found = {action for action in every_choice(state) if taken(state, action, seat)}

    assert found == set(state.legal_actions(seat))
    assert len(found) == len(state.legal_actions(seat))
    assert repr(state) == before


@given(positions(), st.data())
def test_law_1_of_all_cards_exactly_the_legal_ones_are_taken(state: FullState, data: st.DataObject) -> None:
    before, seat = repr(state), data.draw(st.integers(0, state.public.players - 1))

    found = {action for action in every_choice(state, most=1) if taken(state, action, seat)}

    legal = {action for action in state.legal_actions(seat) if isinstance(action, Play | Discard | Pass)}
    assert found == {action for action in legal if isinstance(action, Play) or len(action.cards) == 1}
    assert repr(state) == before


@given(positions(), st.data())
def test_law_1_of_all_placements_exactly_the_legal_ones_are_taken(state: FullState, data: st.DataObject) -> None:
    seat = data.draw(st.integers(0, state.public.players - 1))
    every_place = [
        Place(row.key, space)
        for row in PublicState.start(state.setup).current.board.rows
        for space in (*SPACES, *SEAT_SPACES, *NO_SPACES)
    ]

    found = {action for action in every_place if taken(state, action, seat)}

    assert found == {action for action in state.legal_actions(seat) if isinstance(action, Place)}


def listed(state: FullState, action: Action, seat: int) -> bool:
    """Whether an action is among the legal ones, or one of the three that no seat decides for itself."""
    match action:
        case Deal():
            return False  # none that is drawn has as many cards as a deal
        case Claim(claimant, captured) if state.public.phase is Phase.TRICKS:
            return claimant in range(state.public.players) and captured == state.rest_captured(claimant)
        case Finish():
            return state.public.current is not None and bool(state.public.finished)
        case NameTeam(partners, monster, start):
            conditions = state.public.current and state.public.current.conditions
            if conditions and start == conditions.start and not state.public.ruleset.options.start_row:
                start = None
            action = NameTeam(tuple(sorted(partners)), monster, start)
        case Discard(tuple(cards)):
            action = Discard(sort_hand(cards))
        case Pass(tuple(cards)):
            action = Pass(sort_hand(cards))
    return action in state.legal_actions(seat)


@given(positions(), any_actions(), st.data())
def test_law_1_every_other_action_is_refused_and_changes_nothing(
    state: FullState, action: Action, data: st.DataObject
) -> None:
    before, seat = repr(state), data.draw(st.integers(0, state.public.players - 1))

    assert taken(state, action, seat) == listed(state, action, seat)
    assert repr(state) == before


# --- 2: a round that is not over has an acting seat with a legal action; others have none ---


@given(digital_games())
def test_law_2_who_is_due_has_a_legal_action_and_no_other_seat_has(game: DigitalGame) -> None:
    for state in game.states:
        due = tuple(seat for seat in range(state.public.players) if state.legal_actions(seat))

        assert due == state.acting_seats == state.public.acting_seats
        assert bool(due) == (state.public.phase not in (Phase.DEALING, Phase.FINISHED))


@given(digital_games())
def test_law_2_only_who_is_due_may_act(game: DigitalGame) -> None:
    for state, step in list(zip(game.states, game.steps, strict=False))[::5]:
        if step.seat is not None:
            may = tuple(seat for seat in range(state.public.players) if taken(state, step.action, seat))
            assert step.seat in may
            assert set(may) <= set(state.acting_seats)


# --- 3: cards are conserved as multisets ---


def open_cards(state: FullState) -> list[Card]:
    """The cards that everybody has seen in this round."""
    current = state.public.current
    played = [card for trick in current.tricks for card in trick.cards]
    return [*played, *current.table]


@given(digital_games(to_the_end=True, most_rounds=2))
def test_law_3_cards_are_conserved_as_multisets(game: DigitalGame) -> None:
    deck = Counter(game.setup.ruleset.deck())

    for state in game.states:
        if not state.hands:
            assert state.public.phase in (Phase.DEALING, Phase.FINISHED)
            assert state.aside == state.chosen == state.discarded == state.passed == state.received == ()
            continue
        held = [card for hands in (state.hands, state.discarded) for hand in hands for card in hand]
        assert Counter([*held, *state.aside, *open_cards(state)]) == deck
        for hand, chosen in zip(state.hands, state.chosen, strict=True):
            assert not Counter(chosen) - Counter(hand)
        assert Counter(map(sort_hand, state.passed)) == Counter(map(sort_hand, state.received))
        assert tuple(map(len, state.hands)) == state.public.current.hand_sizes
        assert all(hand == sort_hand(hand) for parts in (state.hands, state.chosen, state.received) for hand in parts)


@given(digital_games(to_the_end=True))
def test_law_3_a_round_plays_as_many_tricks_as_section_3_5_says(game: DigitalGame) -> None:
    (done,) = game.state.public.finished
    tricks = game.setup.ruleset.tricks(done.conditions.discard)

    assert sum(won.tricks for won in done.won) == tricks
    assert all(len(trick.cards) == game.setup.ruleset.players for trick in done.tricks)
    if done.claimed is None:
        assert len(done.tricks) == tricks


# --- 4: `apply` never changes its input; replaying prefix and rest equals replaying all ---


@given(digital_games())
def test_law_4_apply_never_changes_its_input(game: DigitalGame) -> None:
    state = FullState.start(game.setup)
    for step in game.steps:
        before = pickle.loads(pickle.dumps((state, step)))

        following = state.apply(step.action, seat=step.seat)
        for seat in range(state.public.players):
            state.legal_actions(seat)

        assert (state, step) == before
        assert facts_of(state) == facts_of(before[0])
        state = following


@given(digital_games(), st.data())
def test_law_4_replaying_prefix_and_rest_equals_replaying_all(game: DigitalGame, data: st.DataObject) -> None:
    cut = data.draw(st.integers(0, len(game.steps)))
    prefix = DigitalGame(game.setup, game.steps[:cut]).state

    state = prefix
    for step in game.steps[cut:]:
        state = state.apply(step.action, seat=step.seat)

    assert prefix == game.states[cut]
    assert (state, hash(state), repr(state)) == (game.state, hash(game.state), repr(game.state))


@given(digital_games())
def test_law_4_two_lines_of_play_may_part(game: DigitalGame) -> None:
    """A state is a value: what is tried on it leaves no trace in another that came from the same one."""
    for state in game.states[::7]:
        following = [
            (action, seat, state.apply(action, seat=seat))
            for seat in range(state.public.players)
            for action in state.legal_actions(seat)[:6]
        ]
        again = {(action, seat): state.apply(action, seat=seat) for action, seat, _ in reversed(following)}
        for action, seat, result in following:
            assert facts_of(again[action, seat]) == facts_of(result)


# --- 5: the projection law ---


@given(digital_games(most_rounds=2))
def test_law_5_the_redacted_log_folds_to_the_public_part_of_the_full_one(game: DigitalGame) -> None:
    for viewer in (None, *range(game.setup.ruleset.players)):
        public, mixed = PublicState.start(game.setup), advance_nothing(game.setup)
        for step, full in zip(game.steps, game.states[1:], strict=True):
            seen = step.redacted(viewer)
            public = public.apply(seen.action, seat=seen.seat)
            mixed = advance(mixed, seen.action, seat=seen.seat)
            assert public == full.public
            assert public_of(mixed) == full.public
            assert public.legal_actions() == full.public.legal_actions()
            assert public.acting_seats == full.acting_seats


def advance_nothing(setup: Setup) -> State:
    """The fold of an empty log."""
    return FullState.start(setup)


def log_of(game: DigitalGame, length: int) -> list[Entry]:
    """The first entries of a game's log."""
    return [ActionEntry(seq, step.action, step.seat) for seq, step in enumerate(game.steps[:length], start=1)]


def with_open_hands(game: DigitalGame) -> DigitalGame:
    return DigitalGame(replace(game.setup, open_hands=True), game.steps)


@settings(max_examples=20)  # each of them folds dozens of logs
@given(digital_games(most_rounds=2).map(with_open_hands))
def test_law_5_a_log_with_open_hands_folds_to_the_public_part_of_the_full_one(game: DigitalGame) -> None:
    for length in {*range(0, len(game.steps), 9), *deals_of(game), len(game.steps)}:
        for viewer in (None, 0):
            read = read_by(viewer, game.setup, log_of(game, length), over=False)
            folded = replay(game.setup, read)
            assert folded.error is None
            assert folded.state == game.states[length].public
            rounds = len(deals_of(game, length))
            for step, state in zip(folded.applied, game.states, strict=False):
                assert step.round_number == rounds or isinstance(step.action, Deal) or step.full == state


def deals_of(game: DigitalGame, length: int | None = None) -> list[int]:
    """How many entries the log has with each deal."""
    return [at for at, step in enumerate(game.steps[:length], start=1) if isinstance(step.action, Deal)]


@given(digital_games())
def test_law_5_the_unredacted_log_folds_on_either_state(game: DigitalGame) -> None:
    public, full = PublicState.start(game.setup), advance_nothing(game.setup)

    for step, state in zip(game.steps, game.states[1:], strict=True):
        public = public.apply(step.action, seat=step.seat)
        full = advance(full, step.action, seat=step.seat)
        assert public == state.public
        assert full == state


# --- 6: non-interference ---


class Unseen(NamedTuple):
    """An unseen card: who was dealt it (None: it lies aside), whether they discarded or passed it."""

    dealt_to: int | None
    chosen: bool
    card: Card


def hidden_cards(game: DigitalGame, viewer: int | None) -> list[Unseen]:
    """The cards of the last deal that a viewer has not seen."""
    at, deal = last_deal(game)
    players, played, chosen, to = range(len(deal.hands)), Counter(), {}, 0
    for step, state in zip(game.steps[at + 1 :], game.states[at + 1 :], strict=False):
        match step.action:
            case Play(card):
                played[step.seat, card] += 1
            case Discard(cards) | Pass(cards):
                chosen[step.seat] = Counter(cards)
                to = {"pass_2_right": -1, "pass_2_left": 1}.get(state.public.current.conditions.discard, 0)
    done = len(chosen) == len(deal.hands)
    found: list[Unseen] = []
    for seat in players:
        gone = chosen.get(seat, Counter())
        kept = Counter(deal.hands[seat]) - gone
        holder = (seat + to) % len(players) if done else seat
        for card, count in kept.items():
            left = max(0, count - played[seat, card])
            found += [Unseen(seat, False, card)] * left * (seat != viewer)
        for card, count in gone.items():
            left = max(0, count - played[holder, card]) if to else count
            found += [Unseen(seat, True, card)] * left * (viewer not in (seat, holder))
    aside = Counter(game.setup.ruleset.deck()) - Counter(card for hand in deal.hands for card in hand)
    return found + [Unseen(None, False, card) for card in aside.elements()]


def last_deal(game: DigitalGame) -> tuple[int, Deal]:
    """The last deal, and its place in the log."""
    return next((at, step.action) for at, step in reversed([*enumerate(game.steps)]) if isinstance(step.action, Deal))


def exchanged(
    game: DigitalGame, one: tuple[int | None, bool, Card], other: tuple[int | None, bool, Card]
) -> DigitalGame:
    """The game in which two of these cards lay in each other's place."""
    at, deal = last_deal(game)
    hands = [list(hand) for hand in deal.hands]
    steps = list(game.steps)
    for (seat, chosen, card), (_, _, instead) in ((one, other), (other, one)):
        if seat is None:
            continue
        hands[seat].remove(card)
        hands[seat].append(instead)
        for place, step in enumerate(steps[at:], start=at):
            if chosen and step.seat == seat and isinstance(step.action, Discard | Pass):
                cards = list(step.action.cards)
                cards[cards.index(card)] = instead
                steps[place] = Step(type(step.action)(sort_hand(cards)), seat)
    steps[at] = Step(Deal(tuple(map(sort_hand, hands))))
    return DigitalGame(game.setup, tuple(steps))


def exchanges(game: DigitalGame, viewer: int | None, random: Random, count: int) -> Iterator[DigitalGame]:
    """Games that differ in what the viewer cannot see; those in which somebody then broke the rules are left out."""
    hidden = hidden_cards(game, viewer)
    for _ in range(count if len(hidden) > 1 else 0):
        one, other = random.sample(hidden, 2)
        if one.card != other.card and one[:2] != other[:2]:
            candidate = exchanged(game, one, other)
            try:
                candidate.states  # noqa: B018 (computed when it is read)
            except IllegalAction:
                continue
            yield candidate


def interference(game: DigitalGame, viewer: int | None, other: DigitalGame) -> list[int]:
    """The places in the log at which the viewer reads something else."""
    places = []
    for place, (state, changed) in enumerate(zip(game.states, other.states, strict=True)):
        read = [each.steps[place - 1].redacted(viewer) for each in (game, other)] if place else [None, None]
        views = [view_for(each, viewer) for each in (state, changed)]
        if read[0] != read[1] or views[0] != views[1] or repr(views[0]) != repr(views[1]):
            places.append(place)
    return places


@given(digital_games(most_rounds=2), st.integers(0, 2**32 - 1))
def test_law_6_exchanged_cards_that_a_viewer_cannot_see_change_nothing_for_them(game: DigitalGame, seed: int) -> None:
    assume(game.steps)
    random = Random(seed)
    viewer = random.choice([None, *range(game.setup.ruleset.players)])

    for other in exchanges(game, viewer, random, 2):
        assert facts_of(other.state) != facts_of(game.state) or not game.state.hands
        assert interference(game, viewer, other) == []


@settings(max_examples=30)  # each of them reads dozens of logs
@given(digital_games(most_rounds=3).map(with_open_hands), st.integers(0, 2**32 - 1))
def test_law_6_with_open_hands_the_running_round_stays_as_hidden(game: DigitalGame, seed: int) -> None:
    assume(game.steps)
    random = Random(seed)
    viewer = random.choice([None, *range(game.setup.ruleset.players)])

    for other in exchanges(game, viewer, random, 2):
        for length in {*range(last_deal(game)[0], len(game.steps), 5), len(game.steps)}:
            read = [read_by(viewer, each.setup, log_of(each, length), over=False) for each in (game, other)]
            assert repr(read[0]) == repr(read[1])


def test_law_6_the_exchanges_are_many_and_in_every_phase() -> None:
    """The law above would hold of nothing at all if no exchange were ever legal."""
    random, found = Random(6), Counter()
    for number in range(40):
        preset, players = random.choice([("njet-english", 4), ("njet-english", 2), ("goldsieber-french", 3)])
        setup = Setup.of(preset=preset, names=("Ana", "Ben", "Cleo", "Dan")[:players], digital=True)
        game = DigitalGame(setup, tuple(_some_steps(setup, Random(number), length=random.randrange(5, 60))))
        for _ in exchanges(game, 0, random, 4):
            found[game.state.public.phase] += 1

    assert min(found[phase] for phase in (Phase.PLACING, Phase.TRICKS)) >= 10
    assert found[Phase.DISCARDING] + found[Phase.PASSING] >= 1


def _some_steps(setup: Setup, random: Random, *, length: int) -> Iterator[Step]:
    state = FullState.start(setup)
    for _ in range(length):
        step = chance_step(state, random)
        yield step
        state = state.apply(step.action, seat=step.seat)
        if state.public.finished:
            return


@given(digital_games(most_rounds=2))
def test_law_6_a_view_tells_no_card_that_its_seat_has_not_seen(game: DigitalGame) -> None:
    """The same from the other side: count the cards that are named in a view."""
    for state in game.states[::4]:
        for seat in range(state.public.players if state.hands else 0):
            view = view_for(state, seat)
            named = Counter([*view.hand, *view.discarded, *open_cards(state)])
            seen = Counter([*state.hands[seat], *state.discarded[seat], *open_cards(state)])
            assert named == seen
            assert not Counter(view.received) - Counter(state.received[seat])


# --- 7: JSON round-trips ---


@given(digital_games(most_rounds=2))
def test_law_7_a_game_read_back_from_json_is_the_same_game(game: DigitalGame) -> None:
    for viewer in (None, 0):
        redacted = [step.redacted(viewer).action for step in game.steps]
        assert [from_json(value) for value in json.loads(json.dumps([*map(to_json, redacted)]))] == redacted

    text = json.dumps([(to_json(step.action), step.seat) for step in game.steps])
    read = DigitalGame(game.setup, tuple(Step(from_json(value), seat) for value, seat in json.loads(text)))

    assert read.steps == game.steps
    assert read.state == game.state


@given(positions())
def test_law_7_what_is_legal_can_be_written_as_json(state: FullState) -> None:
    for seat in range(state.public.players):
        for action in state.legal_actions(seat):
            assert from_json(json.loads(json.dumps(to_json(action)))) == action


# --- 8: renaming suits or rotating seats renames the result and nothing else ---


def same_under(renaming: Renaming, game: DigitalGame) -> None:
    seats = range(game.setup.ruleset.players)
    steps = tuple(Step(renaming.action(step.action), renaming.optional(step.seat)) for step in game.steps)
    renamed = DigitalGame(renaming.setup(game.setup), steps)

    for place, (state, other) in enumerate(zip(game.states, renamed.states, strict=True)):
        assert facts_of(other) == renaming.full(state)
        assert other.public.totals == renaming.by_seat(state.public.totals)
        assert other.acting_seats == renaming.seats(state.acting_seats)
        for seat in seats if place % 5 == 0 else ():
            legal = {renaming.action(action) for action in state.legal_actions(seat)}
            assert set(other.legal_actions(renaming.seat(seat))) == legal
        if state.public.phase is Phase.TRICKS:
            rest = tuple(state.rest_captured(seat) for seat in seats)
            assert tuple(other.rest_captured(seat) for seat in seats) == renaming.by_seat(rest)


@given(digital_games(), st.data())
def test_law_8_rotating_the_seats_rotates_the_game_and_nothing_else(game: DigitalGame, data: st.DataObject) -> None:
    players = game.setup.ruleset.players
    turn = data.draw(st.integers(1, players - 1))

    same_under(Renaming(lambda seat: (seat + turn) % players, {}), game)


@given(digital_games(), st.data())
def test_law_8_renaming_the_suits_renames_the_cards_and_nothing_else(game: DigitalGame, data: st.DataObject) -> None:
    suits = game.setup.ruleset.edition.suits
    renamed = dict(zip(suits, data.draw(st.permutations(suits)), strict=True))

    same_under(Renaming(lambda seat: seat, renamed), game)


# --- 9: a round recorded card by card, trick by trick and as a tally scores alike ---


@given(digital_games(to_the_end=True))
def test_law_9_card_by_card_trick_by_trick_and_as_a_tally_a_round_scores_alike(game: DigitalGame) -> None:
    (done,) = game.state.public.finished
    table = PublicState.start(replace(game.setup, digital=False))
    spaces = " ".join(row.settled_space for row in done.board.rows)
    for action in placing(table, spaces):
        table = table.apply(action)
    if game.setup.ruleset.players > 2:
        start = None if game.setup.ruleset.options.start_row else done.conditions.start
        partners = tuple(seat for seat in done.teams.own if seat != done.conditions.start)
        table = table.apply(NameTeam(partners, done.teams.monster, start))

    by_tally = table.apply(
        RecordTally(tuple(won.tricks for won in done.won), tuple(won.captured for won in done.won))
    ).finished[0]
    assert (by_tally.won, by_tally.score) == (done.won, done.score)
    if done.claimed is None:
        for trick in done.tricks:
            table = table.apply(RecordTrick(trick.winner, trick.captured))
        assert (table.finished[0].won, table.finished[0].score) == (done.won, done.score)


@given(digital_games(to_the_end=True))
def test_law_9_a_claim_gives_what_playing_on_would_if_one_seat_won_all(game: DigitalGame) -> None:
    """Every last trick can be claimed by its winner instead, with the same result."""
    (done,) = game.state.public.finished
    assume(done.claimed is None)
    players = game.setup.ruleset.players
    before, winner = game.states[-players - 1], done.tricks[-1].winner

    claimed = before.apply(Claim(winner, before.rest_captured(winner)))

    assert claimed.public.finished[0].won == done.won
    assert claimed.public.totals == game.state.public.totals


# --- one truth: the hands are what the plays leave, the rest is what everybody sees ---


@given(digital_games(to_the_end=True))
def test_after_every_card_the_full_state_agrees_with_the_public_one_and_the_plays(game: DigitalGame) -> None:
    public, hands = PublicState.start(game.setup), [Counter() for _ in range(game.setup.ruleset.players)]

    for before, step, state in zip(game.states, game.steps, game.states[1:], strict=False):
        public = public.apply(step.action, seat=step.seat)
        if isinstance(step.action, Play):
            hands[step.seat][step.action.card] -= 1
        elif state.hands:
            hands = [Counter(hand) for hand in state.hands]
        assert state.public == public
        assert state.acting_seats == public.acting_seats
        if public.phase is Phase.TRICKS:
            table, rules = public.current.table, TrickRules.of(public.ruleset, public.current.conditions)
            (due,) = public.acting_seats
            assert state.hands == tuple(sort_hand(hand.elements()) for hand in hands)
            legal = rules.legal_cards(hands[due].elements(), table[0] if table else None)
            assert state.legal_actions(due) == tuple(map(Play, legal))
            assert state.playable(due) == legal
            kept = ("aside", "discarded", "passed", "received")
            if isinstance(step.action, Play):
                assert all(getattr(state, part) == getattr(before, part) for part in kept)


# --- the same with more and longer games ---


@pytest.mark.slow
@settings(max_examples=100)
@given(digital_games(setups(most_rounds=3, digital=True)), st.integers(0, 2**32 - 1))
def test_the_laws_hold_in_many_long_games(game: DigitalGame, seed: int) -> None:
    random = Random(seed)
    deck = Counter(game.setup.ruleset.deck())
    viewers = [None, *range(game.setup.ruleset.players)]
    public = {viewer: PublicState.start(game.setup) for viewer in viewers}

    for step, state in zip(game.steps, game.states[1:], strict=True):
        for viewer in viewers:
            seen = step.redacted(viewer)
            public[viewer] = public[viewer].apply(seen.action, seat=seen.seat)
            assert public[viewer] == state.public
        if state.hands:
            held = [card for hands in (state.hands, state.discarded) for hand in hands for card in hand]
            assert Counter([*held, *state.aside, *open_cards(state)]) == deck
    if game.steps:
        viewer = random.choice(viewers)
        for other in exchanges(game, viewer, random, 4):
            assert interference(game, viewer, other) == []
    for seat in range(game.setup.ruleset.players):
        found = {action for action in every_choice(game.state) if taken(game.state, action, seat)}
        legal = game.state.legal_actions(seat)
        assert found == {action for action in legal if isinstance(action, Play | Discard | Pass)}

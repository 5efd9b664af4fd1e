"""The strong bot: it guesses the hidden cards many times and plays each possibility out.

All possible actions are compared on the same guesses and the same chance; those that fall behind are given up.
"""

from __future__ import annotations

import math
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random

from games.bots.easy import best_cover, worths
from games.bots.knowledge import Knowledge, is_passing, knowledge_of
from games.bots.playout import Sides, play_out, sides_of
from games.bots.policy import handed_on, thrown
from games.bots.sampling import Guesses, deal
from games.fast_tricks.tables import Tables, bits, tables_of
from games.rules.actions import Action, Discard, NameTeam, Pass, Play
from games.rules.board import Conditions, suit_of_space
from games.rules.editions import CARDS_CHOSEN, RowKey
from games.rules.redaction import PlayerView
from games.rules.rounds import Phase
from games.rules.teams import Teams, choices

CHANCE = 26
"""In 256: how often a playout leaves the sensible card for a random one."""

MOVES = 6
"""How many exchanges lie between two guesses that are played out."""

FIRST_MOVES = 60
"""How many exchanges the chain of guesses gets before the first."""

TRUST = 1.5
"""How many points the rule of thumb for a space is usually wrong by."""

MOST_GUESSES = 4000
"""More guesses change nothing any more."""

FIRST_REVIEW = 8
"""After so many guesses it is asked for the first time which actions fall behind."""

FEW = 12
"""Of more actions than these the better half survives each review."""


@dataclass(frozen=True, slots=True)
class Limit:
    """When to stop searching: a time of a clock, or a number of guesses."""

    until: float
    guesses: int | None = None
    clock: Callable[[], float] = time.perf_counter

    @classmethod
    def of(cls, seconds: float, clock: Callable[[], float] = time.perf_counter) -> Limit:
        """So many seconds from now."""
        return cls(clock() + seconds, clock=clock)

    def reached(self, guesses: int) -> bool:
        """Whether it is time to stop."""
        if self.guesses is not None:
            return guesses >= self.guesses
        return self.clock() >= self.until


def decide_strongly(view: PlayerView, seed: int, limit: Limit) -> Action:
    """One of the legal actions of the view."""
    rng = Random(seed)
    match view.public.phase:
        case Phase.PLACING:
            return _place(view, rng, limit)
        case Phase.TEAMS:
            return _name_team(view, rng, limit)
        case Phase.DISCARDING | Phase.PASSING:
            return _choose(view, rng, limit)
        case Phase.TRICKS:
            return _play(view, rng, limit)
        case Phase.DEALING | Phase.FINISHED:
            return view.legal[0]


def race(arms: int, values: Callable[[Sequence[int]], Sequence[float]], limit: Limit) -> int:
    """The best of some arms.  `values`: what each of the arms asked for is worth in one more guess, common to all."""
    alive = list(range(arms))
    seen: list[list[float]] = [[] for _ in range(arms)]
    review = FIRST_REVIEW
    for guesses in range(1, MOST_GUESSES + 1):
        for arm, value in zip(alive, values(alive), strict=True):
            seen[arm].append(value)
        if guesses == review:
            alive = _promising(alive, seen)
            # Each review reads everything again: ever rarer, they cost little.
            review += max(FIRST_REVIEW, review // 4)
        if len(alive) == 1 or limit.reached(guesses):
            break
    return max(alive, key=lambda arm: sum(seen[arm]))


def _promising(alive: list[int], seen: list[list[float]]) -> list[int]:
    """The arms that are not clearly worse than the best: differences on the same guesses have little noise."""
    alive = sorted(alive, key=lambda arm: -sum(seen[arm]))[: max(FEW, (len(alive) + 1) // 2)]
    best = seen[alive[0]]
    number = len(best)
    kept = []
    for arm in alive:
        gaps = [mine - other for mine, other in zip(best, seen[arm], strict=True)]
        total = sum(gaps)
        spread = sum(gap * gap for gap in gaps) - total * total / number
        # A little is added so that a few equal values do not pass for certainty.
        if total <= 2.5 * math.sqrt(spread + number * 0.25):
            kept.append(arm)
    return kept


# --- tricks ---


def _play(view: PlayerView, rng: Random, limit: Limit) -> Action:
    knowledge = knowledge_of(view)
    tables, sides = knowledge.tables, knowledge.sides
    assert sides is not None, "tricks follow the named teams"
    cards = candidates(knowledge)
    guesses = Guesses(knowledge, rng)
    guesses.move(FIRST_MOVES)
    sign = 1 if sides.side[knowledge.seat] else -1
    order = sides.orders[knowledge.leader]

    def values(alive: Sequence[int]) -> list[float]:
        guesses.move(MOVES)
        hands = guesses.hands()
        for (seat, _, _), card in zip(order, knowledge.table, strict=False):
            hands[seat] |= card
        noise = rng.randbytes(64)
        return [
            sign * play_out(tables, sides, hands[:], knowledge.leader, (*knowledge.table, cards[arm]), noise, CHANCE)
            for arm in alive
        ]

    return Play(tables.card_of(cards[race(len(cards), values, limit)]))


def candidates(knowledge: Knowledge) -> list[int]:
    """The cards worth comparing: of neighbours in a suit between which nothing can come, only the least."""
    tables, table = knowledge.tables, knowledge.table
    abroad = knowledge.unseen | sum(knowledge.sure) | sum(table)
    kept: list[int] = []
    for card in bits(tables.different(tables.legal(knowledge.hand, table[0] if table else 0))):
        alike = tables.copies[tables.card_of(card)]
        for other in kept:
            between = tables.beats_in_suit[other] & ~tables.beats_in_suit[card]
            same = tables.same_suit[card] & other and not (card | other) & tables.capturable
            if same and not (between | alike | tables.copies[tables.card_of(other)]) & abroad:
                break
        else:
            kept.append(card)
    return kept


# --- discards, passes, teams ---


def _choose(view: PlayerView, rng: Random, limit: Limit) -> Action:
    knowledge = knowledge_of(view)
    tables, conditions = knowledge.tables, knowledge.conditions
    masks = [_within(tables, knowledge.hand, action) for action in view.legal]
    start = conditions.start
    teams = choices(players=view.public.players, start=start)

    def values(alive: Sequence[int]) -> list[float]:
        sides = knowledge.sides or sides_of(rng.choice(teams), conditions.points)
        sign = 1 if sides.side[knowledge.seat] else -1
        hands = knowledge.hands(deal(knowledge, rng))
        given = _given(tables, hands, conditions, sides)
        noise = rng.randbytes(64)
        found = []
        for arm in alive:
            given[knowledge.seat] = masks[arm]
            played = _exchanged(hands, given, conditions)
            found.append(float(sign * play_out(tables, sides, played, start, (), noise, CHANCE)))
        return found

    return view.legal[race(len(masks), values, limit)]


def _within(tables: Tables, hand: int, action: Action) -> int:
    """The bits of the hand that an action names."""
    assert isinstance(action, Discard | Pass), "only cards are chosen now"
    assert isinstance(action.cards, tuple), "one's own cards are known"
    mask = 0
    for card in action.cards:
        held = tables.copies[card] & hand & ~mask
        mask |= held & -held
    return mask


def _given(tables: Tables, hands: list[int], conditions: Conditions, sides: Sides) -> list[int]:
    """What sensible players discard or pass from these hands, by seat."""
    if not is_passing(conditions):
        return [thrown(tables, hand, conditions, sides.greedy) for hand in hands]
    return [
        handed_on(tables, hand, conditions, sides.greedy, sides.side[seat] == sides.side[seat - 1])
        for seat, hand in enumerate(hands)
    ]


def _exchanged(hands: list[int], given: list[int], conditions: Conditions) -> list[int]:
    """The hands after the discard or the pass: what seat s gives, its right neighbour s − 1 gets."""
    kept = [hand ^ gone for hand, gone in zip(hands, given, strict=True)]
    if not is_passing(conditions):
        return kept
    return [hand | got for hand, got in zip(kept, [*given[1:], given[0]], strict=True)]


def _name_team(view: PlayerView, rng: Random, limit: Limit) -> Action:
    knowledge = knowledge_of(view)
    tables, conditions, players = knowledge.tables, knowledge.conditions, view.public.players
    current = view.public.current
    assert current is not None, "teams are named in a round"
    chosen = bool(CARDS_CHOSEN[conditions.discard]) and not current.exchanged
    named = [_teams_of(action, players, conditions.start) for action in view.legal]
    sides = [sides_of(teams, conditions.points) for _, teams in named]
    shares = [_share(teams, knowledge.seat) for _, teams in named]

    def values(alive: Sequence[int]) -> list[float]:
        dealt = knowledge.hands(deal(knowledge, rng))
        noise = rng.randbytes(64)
        found = []
        for arm in alive:
            start, _ = named[arm]
            hands = dealt[:]
            if chosen:
                hands = _exchanged(hands, _given(tables, hands, conditions, sides[arm]), conditions)
            found.append(shares[arm] * play_out(tables, sides[arm], hands, start, (), noise, CHANCE))
        return found

    return view.legal[race(len(named), values, limit)]


def _teams_of(action: Action, players: int, start: int) -> tuple[int, Teams]:
    assert isinstance(action, NameTeam), "only teams are named now"
    named = start if action.start is None else action.start
    return named, Teams.of(players=players, start=named, partners=action.partners, monster=action.monster)


def _share(teams: Teams, seat: int) -> float:
    """How much a lead of the start player's team is worth to a seat.

    The game is won alone: a lead counts against each opponent, while a partner gains as much as oneself.
    """
    share = len(teams.opponents_of(seat)) / (teams.players - 1)
    return share if seat in teams.own else -share


# --- placing ---


def _place(view: PlayerView, rng: Random, limit: Limit) -> Action:
    """Cover the space whose closing gains most.

    Boards are filled at random and played out.  From all of them together comes what each open space is worth; the
    rows hardly depend on each other, so far fewer playouts do than with a search for each single marker.
    """
    current, seat = view.public.current, view.seat
    assert current is not None, "a marker is placed in a round"
    assert seat is not None, "a spectator decides nothing"
    rows = {row.key: row.open_spaces for row in current.board.rows}
    start = view.public.ruleset.first_placer(current.dealer)
    met: list[tuple[dict[RowKey, str], float]] = []
    while not limit.reached(len(met)):
        left = {key: rng.choice(spaces) for key, spaces in rows.items()}
        met.append((left, _worth_of(view, seat, _conditions(left, start), rng)))
    return best_cover(view, {key: _learned(view, key, spaces, met) for key, spaces in rows.items() if len(spaces) > 1})


def _learned(
    view: PlayerView, key: RowKey, spaces: Sequence[str], met: list[tuple[dict[RowKey, str], float]]
) -> list[float]:
    """What the spaces of a row are worth: the rule of thumb, corrected by what was met, the more the surer it is."""
    thumb = worths(view, key, spaces)
    if len(met) < 2:
        return thumb
    usual, noise = statistics.mean(thumb), statistics.variance(value for _, value in met)
    mean = statistics.fmean(value for _, value in met)
    found = []
    for space, guess in zip(spaces, thumb, strict=True):
        values = [value for left, value in met if left[key] == space]
        trust = len(values) * TRUST**2 / (len(values) * TRUST**2 + noise) if noise else 0.0
        seen = statistics.fmean(values) - mean if values else 0.0
        found.append((1 - trust) * (guess - usual) + trust * seen)
    return found


def _conditions(left: dict[RowKey, str], start: int) -> Conditions:
    return Conditions(
        start=int(left.get(RowKey.START, start)),
        discard=left[RowKey.DISCARD],
        trump=suit_of_space(left[RowKey.TRUMP]),
        supertrump=suit_of_space(left[RowKey.SUPERTRUMP]),
        points=int(left[RowKey.POINTS]),
    )


def _worth_of(view: PlayerView, seat: int, conditions: Conditions, rng: Random) -> float:
    """What a round under these conditions brings the seat, in one guess."""
    ruleset, players = view.public.ruleset, view.public.players
    tables = tables_of(ruleset, conditions.trump, conditions.supertrump)
    own = tables.mask_of(view.hand)
    cards = bits(tables.everything & ~own)
    rng.shuffle(cards)
    each, hands = ruleset.dealt, []
    for other in range(players):
        hands.append(own if other == seat else sum(cards[:each]))
        if other != seat:
            del cards[:each]
    teams = rng.choice(choices(players=players, start=conditions.start))
    sides = sides_of(teams, conditions.points)
    if CARDS_CHOSEN[conditions.discard]:
        hands = _exchanged(hands, _given(tables, hands, conditions, sides), conditions)
    return _share(teams, seat) * play_out(tables, sides, hands, conditions.start, (), rng.randbytes(64), CHANCE)

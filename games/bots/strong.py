"""The strong bot: it guesses the hidden cards many times and plays each possibility out.

All possible actions are compared on the same guesses and the same chance; those that fall behind are given up.
"""

from __future__ import annotations

import math
import statistics
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from operator import mul, sub
from random import Random

from games.bots.easy import card_for, gains_of_covers, most_liked, space_values
from games.bots.endgame import CARDS as ENDGAME
from games.bots.endgame import Endgame
from games.bots.knowledge import Knowledge, knowledge_of
from games.bots.margins import most_of
from games.bots.placements import odds_of
from games.bots.playout import Sides, play_out, sides_of
from games.bots.policy import cards_to_discard, cards_to_pass
from games.bots.sampling import deal, guessed_hands
from games.bots.win_probability import POINT, Standing
from games.fast_tricks.tables import Tables, bits, tables_of
from games.rules.actions import Action, Discard, NameTeam, Pass, Play
from games.rules.board import Conditions, suit_of_space
from games.rules.cards import Card
from games.rules.editions import RowKey
from games.rules.exchange import passed_on
from games.rules.redaction import PlayerView
from games.rules.rounds import Phase
from games.rules.teams import Teams

CHANCE = 26
"""In 256: how often a playout leaves the sensible card for a random one."""

TRUST = 1.5
"""The usual error of the rule of thumb for a space, in points."""

LAST_POINT_VALUE = 1.3
"""In the last round the rule of thumb is trusted as if a point had this value: it does not know who can still win."""

MOST_GUESSES = 4000
"""More guesses change nothing any more."""

ROUGH = 2.0
"""How many times more than estimated another cover may be worse: the gain is one of the game, beside partners."""

FIRST_REVIEW = 8
"""The number of guesses before the first review, which gives up the actions that fall behind."""

CAREFUL = 64
"""The same for a hint, which has time: in the first few guesses chance gives up a good action now and then."""

FEW = 12
"""Of more actions than these the better half survives each review."""


@dataclass(frozen=True, slots=True)
class Limit:
    """When to stop searching: a time of a clock (0: however long it takes), or a number of guesses.

    `least`: the number of guesses before which the time does not matter.
    """

    until: float
    guesses: int | None = None
    clock: Callable[[], float] = time.perf_counter
    least: int = 0

    @classmethod
    def of(
        cls,
        seconds: float,
        clock: Callable[[], float] = time.perf_counter,
        guesses: int | None = None,
        least: int = 0,
    ) -> Limit:
        """At most `seconds` from now, unless that is less than `least` guesses, and at most `guesses`."""
        return cls(clock() + seconds, guesses, clock, least)

    def reached(self, guesses: int) -> bool:
        """Whether it is time to stop."""
        if self.guesses is not None and guesses >= self.guesses:
            return True
        return guesses >= self.least and self.until > 0 and self.clock() >= self.until


@dataclass(frozen=True, slots=True)
class Choice:
    """The best of the legal actions of a view, and those that were measured well enough, the second best first.

    `others`: each with the points, of the round or of the game, by which the best may be better, as far as the same
    guesses tell; none if all actions are one.  Of teams those with other players, if there are such: who holds the
    monster is asked after them.
    """

    best: Action
    others: tuple[tuple[Action, float], ...] = ()

    @property
    def second(self) -> Action | None:
        """The second best."""
        return self.others[0][0] if self.others else None


def decide_strongly(view: PlayerView, seed: int, limit: Limit) -> Action:
    """One of the legal actions of the view."""
    return choose(view, seed, limit, places=1).best


def choose(view: PlayerView, seed: int, limit: Limit, places: int = 2) -> Choice:
    """What the strong bot finds.  `places`: how many of the best actions are measured to the end, and so with care."""
    rng, phase = Random(seed), view.public.phase
    if phase is Phase.PLACING:
        return _place(view, rng, limit)
    if phase in (Phase.DEALING, Phase.FINISHED):
        return Choice(view.legal[0])
    knowledge, standing = knowledge_of(view), Standing.of(view)
    # The race takes the first of equals, and a part of many: without a bias if chance has put them in order.
    actions: Sequence[Action] = rng.sample(view.legal, len(view.legal))
    usual = None
    if phase is Phase.TRICKS:
        compared, cards = compared_as(knowledge), candidates(knowledge)
        actions = [Play(knowledge.tables.card_of(card)) for card in cards]
        last = len(knowledge.table) == view.public.players - 1
        usual = cards.index(compared[card]) if last and (card := card_for(knowledge)) in compared else None
    ends = ends_of(view, knowledge, actions, rng)
    points: list[list[int]] = [[] for _ in actions]

    def values(alive: Sequence[int]) -> list[float]:
        found = ends(alive)
        for arm, end in zip(alive, found, strict=True):
            points[arm].append(standing.lead(*end))
        return [standing.worth(*end) for end in found]

    (best, *others), seen = race(len(actions), values, limit, usual, places)
    others = [arm for arm in others if not _is_same_team(actions[arm], actions[best])] or others
    # What was given up early has met too few guesses to be compared with the rest.
    known = [arm for arm in others if 2 * len(seen[arm]) >= len(seen[best])] or others
    ranked = sorted(known, key=lambda arm: statistics.fmean(map(sub, seen[best], seen[arm])))

    def most(arm: int) -> float:
        game, round_points = (most_of([*map(sub, each[best], each[arm])]) for each in (seen, points))
        return max(standing.in_points(game, least=POINT), round_points)

    return Choice(actions[best], tuple((actions[arm], most(arm)) for arm in ranked))


def _is_same_team(one: Action, other: Action) -> bool:
    return isinstance(one, NameTeam) and isinstance(other, NameTeam) and {*one.partners} == {*other.partners}


End = tuple[tuple[int, ...], int]
"""How a round ends: the sides, and the lead of the start player's team."""

Ends = Callable[[Sequence[int]], list[End]]
"""The ends after those of some actions that are asked for, in one more guess that is common to all."""


def ends_of(view: PlayerView, knowledge: Knowledge, actions: Sequence[Action], rng: Random) -> Ends:
    """How the round ends after each of these actions, once the board is settled."""
    match view.public.phase:
        case Phase.TEAMS:
            return _after_teams(view, knowledge, actions, rng)
        case Phase.TRICKS:
            return _after_cards(view, knowledge, actions, rng)
        case _:
            return _after_choices(view, knowledge, actions, rng)


def race(
    arms: int,
    values: Callable[[Sequence[int]], Sequence[float]],
    limit: Limit,
    usual: int | None = None,
    places: int = 1,
) -> tuple[list[int], list[list[float]]]:
    """Some arms, the best first, those that were given up first last; and what each was worth in each guess.

    `values`: what each of the arms asked for is worth in one more guess, common to all; `usual`: the arm that is taken
    unless another is better by more than a standard error; `places`: how many of the best arms stay to the end.
    """
    alive = list(range(arms))
    seen: list[list[float]] = [[] for _ in range(arms)]
    review = FIRST_REVIEW if places == 1 else CAREFUL
    for guesses in range(1, MOST_GUESSES + 1):
        for arm, value in zip(alive, values(alive), strict=True):
            seen[arm].append(value)
        if guesses == review:
            alive = _promising(alive, seen, places)
            # Each review reads everything again: ever rarer, they cost little.
            review += max(FIRST_REVIEW, review // 4)
        if len(alive) == 1 or limit.reached(guesses):
            break
    best = max(alive, key=lambda arm: sum(seen[arm]))
    if usual in alive:
        total, spread = _gap(seen[best], seen[usual])
        if total <= math.sqrt(max(0.0, spread)):
            best = usual
    ranked = sorted(range(arms), key=lambda arm: (arm == best, len(seen[arm]), sum(seen[arm])), reverse=True)
    return ranked, seen


def _gap(best: list[float], other: list[float]) -> tuple[float, float]:
    """The sum of the differences, and the sum of their squares around the mean."""
    gaps = [mine - its for mine, its in zip(best, other, strict=True)]
    total = sum(gaps)
    return total, sum(gap * gap for gap in gaps) - total * total / len(gaps)


def _promising(alive: list[int], seen: list[list[float]], places: int) -> list[int]:
    """The arms that are not clearly worse than the last of these places: on the same guesses there is little noise."""
    alive = sorted(alive, key=lambda arm: -sum(seen[arm]))[: max(FEW, (len(alive) + 1) // 2)]
    least = seen[alive[:places][-1]]
    kept = []
    for arm in alive:
        total, spread = _gap(least, seen[arm])
        # A little is added so that a few equal values do not look like certainty.
        if total <= 2.5 * math.sqrt(spread + len(least) * 0.25):
            kept.append(arm)
    return kept


# --- tricks ---


def _after_cards(view: PlayerView, knowledge: Knowledge, actions: Sequence[Action], rng: Random) -> Ends:
    tables, sides = knowledge.tables, knowledge.sides
    assert sides is not None, "tricks follow the named teams"
    cards = [_held(tables, knowledge.hand, action) for action in actions]
    guesses = guessed_hands(knowledge, rng)
    current = view.public.current
    assert current is not None, "a card is played in a round"
    ahead = sum(worth * won.counted for worth, won in zip(sides.worth, current.won(view.public.players), strict=True))

    def ends(alive: Sequence[int]) -> list[End]:
        hands = next(guesses)
        noise = rng.randbytes(64)
        endgame = Endgame(tables, sides) if knowledge.hand.bit_count() <= ENDGAME else None
        found = []
        for arm in alive:
            begun = (*knowledge.table, cards[arm])
            if endgame:
                lead = endgame.value(hands, knowledge.leader, begun)
            else:
                lead = play_out(tables, sides, hands[:], knowledge.leader, begun, noise, CHANCE)
            found.append((sides.side, ahead + lead))
        return found

    return ends


def _held(tables: Tables, hand: int, action: Action) -> int:
    """The bit of the hand that is played."""
    assert isinstance(action, Play), "only cards are played now"
    held = tables.copies[action.card] & hand
    return held & -held


def candidates(knowledge: Knowledge) -> list[int]:
    """The cards worth comparing: of neighbours in a suit with no card between them, only the lowest.

    The highest where tricks cost points: of equals it is the one that a player would throw away.
    """
    return list(dict.fromkeys(compared_as(knowledge).values()))


def compared_as(knowledge: Knowledge) -> dict[int, int]:
    """The cards that may be played, each with the one that is compared in its place."""
    tables, table = knowledge.tables, knowledge.table
    abroad = knowledge.unseen | sum(knowledge.sure) | sum(table)
    found: dict[int, int] = {}
    kept: list[int] = []
    different = [*bits(tables.different(tables.legal(knowledge.hand, table[0] if table else 0)))]
    for card in different if knowledge.conditions.points > 0 else reversed(different):
        copies = tables.copies_of[card]
        for other in kept:
            between = tables.beats_in_suit[other] ^ tables.beats_in_suit[card]
            same = tables.same_suit[card] & other and not (card | other) & tables.capturable
            if same and not (between | copies | tables.copies_of[other]) & abroad:
                found[card] = other
                break
        else:
            kept.append(card)
            found[card] = card
    return found


# --- discards, passes, teams ---


def _after_choices(view: PlayerView, knowledge: Knowledge, actions: Sequence[Action], rng: Random) -> Ends:
    tables, conditions = knowledge.tables, knowledge.conditions
    masks = [_within(tables, knowledge.hand, action) for action in actions]
    start, leader, standing = conditions.start, conditions.first_leader, Standing.of(view)

    def ends(alive: Sequence[int]) -> list[End]:
        sides = knowledge.sides or sides_of(standing.likely_teams(start, rng), conditions.points)
        hands = knowledge.hands(deal(knowledge, rng))
        given = _given(tables, hands, conditions, sides)
        noise = rng.randbytes(64)
        found = []
        for arm in alive:
            given[knowledge.seat] = masks[arm]
            played = _exchanged(hands, given, conditions)
            found.append((sides.side, play_out(tables, sides, played, leader, (), noise, CHANCE)))
        return found

    return ends


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
    exchange = conditions.exchange
    if not exchange.to:
        return [cards_to_discard(tables, hand, conditions, sides.greedy) for hand in hands]
    friends = [sides.side[exchange.receiver(seat, len(hands))] == side for seat, side in enumerate(sides.side)]
    return [
        cards_to_pass(tables, hand, conditions, sides.greedy, friend)
        for hand, friend in zip(hands, friends, strict=True)
    ]


def _exchanged(hands: list[int], given: list[int], conditions: Conditions) -> list[int]:
    """The hands after the discard or the pass."""
    kept = [hand ^ gone for hand, gone in zip(hands, given, strict=True)]
    if not conditions.exchange.to:
        return kept
    return [hand | got for hand, got in zip(kept, passed_on(given, conditions.exchange.to), strict=True)]


def _after_teams(view: PlayerView, knowledge: Knowledge, actions: Sequence[Action], rng: Random) -> Ends:
    tables, conditions, players = knowledge.tables, knowledge.conditions, view.public.players
    current = view.public.current
    assert current is not None, "teams are named in a round"
    chosen = bool(conditions.exchange.cards) and not current.exchanged
    named = [_teams_of(action, players, conditions) for action in actions]
    sides = [sides_of(teams, conditions.points) for _, teams in named]

    def ends(alive: Sequence[int]) -> list[End]:
        dealt = knowledge.hands(deal(knowledge, rng))
        noise = rng.randbytes(64)
        found = []
        for arm in alive:
            leader, _ = named[arm]
            hands = dealt[:]
            if chosen:
                hands = _exchanged(hands, _given(tables, hands, conditions, sides[arm]), conditions)
            found.append((sides[arm].side, play_out(tables, sides[arm], hands, leader, (), noise, CHANCE)))
        return found

    return ends


def _teams_of(action: Action, players: int, conditions: Conditions) -> tuple[int, Teams]:
    """Who leads the first trick with the teams that an action names, and the teams."""
    assert isinstance(action, NameTeam), "only teams are named now"
    if action.start is not None:
        conditions = replace(conditions, start=action.start)
    teams = Teams.of(players=players, start=conditions.start, partners=action.partners, monster=action.monster)
    return conditions.first_leader, teams


# --- placing ---


def _place(view: PlayerView, rng: Random, limit: Limit) -> Choice:
    """Cover the space whose closing gains most.

    Boards are filled at random and played out, each for all points that are open yet.  From all of them together comes
    what each open space is worth; the rows hardly depend on each other, so far fewer playouts do than with a search for
    each single marker.
    """
    current = view.public.current
    assert current is not None, "a marker is placed in a round"
    rows = {row.key: row.open_spaces for row in current.board.rows}
    start = view.public.ruleset.first_placer(current.dealer)
    standing, hidden = Standing.of(view), Hidden(view)
    met: dict[RowKey, dict[str, list[float]]] = {key: {space: [] for space in rows[key]} for key in rows}
    guesses = 0
    while not limit.reached(guesses):
        guesses += 1
        left = {key: rng.choice(spaces) for key, spaces in rows.items()}
        ends = ends_of_board(view, standing, hidden.deal(rng), left, start, rows[RowKey.POINTS], rng)
        worth = {space: standing.worth(*end) for space, end in ends.items()}
        mean = statistics.fmean(worth.values())
        for key, space in left.items():
            if key is not RowKey.POINTS:
                met[key][space].append(mean)
        for space, value in worth.items():
            met[RowKey.POINTS][space].append(value - mean)
    point_value = standing.point_value()
    doubt = TRUST * (point_value if standing.after else max(point_value, LAST_POINT_VALUE))
    gains = gains_of_covers(
        view,
        {
            key: _learned(
                [point_value * each for each in space_values(view, key, spaces)], doubt, list(met[key].values())
            )
            for key, spaces in rows.items()
            if len(spaces) > 1
        },
        point_value,
    )
    best = most_liked(view.legal, gains.__getitem__, rng)
    # The order of equals is left to chance, as the best is.
    others = sorted(rng.sample([*gains], len(gains)), key=gains.__getitem__, reverse=True)
    return Choice(
        best,
        tuple(
            (action, ROUGH * standing.in_points(gains[best] - gains[action], least=POINT))
            for action in others
            if action != best
        ),
    )


class Hidden:
    """Deals the cards that a player does not hold, before the board is settled."""

    def __init__(self, view: PlayerView) -> None:
        assert view.seat is not None, "a spectator decides nothing"
        odds, unseen = odds_of(view), Counter(view.public.ruleset.deck())
        unseen.subtract(view.hand)
        others = [seat for seat in range(view.public.players) if seat != view.seat]
        self._others = others
        self._cards = [(card, [odds[seat][card] for seat in others]) for card in unseen.elements()]
        self._own = (view.seat, view.hand)
        self._room = view.public.ruleset.dealt

    def deal(self, rng: Random) -> list[Sequence[Card]]:
        """All hands, by seat."""
        rng.shuffle(self._cards)
        hands: list[list[Card]] = [[] for _ in self._others]
        room = [float(self._room)] * len(hands)
        aside = len(self._cards) - sum(room)
        for card, odds in self._cards:
            ticket = rng.random() * (sum(map(mul, room, odds)) + aside)
            for h, hand in enumerate(hands):
                ticket -= room[h] * odds[h]
                if ticket < 0:
                    hand.append(card)
                    room[h] -= 1
                    break
            else:
                aside -= 1
        found: dict[int, Sequence[Card]] = dict(zip(self._others, hands, strict=True))
        seat, own = self._own
        found[seat] = own
        return [found[each] for each in range(len(found))]


def _learned(thumb: list[float], doubt: float, met: list[list[float]]) -> list[float]:
    """What the spaces of a row are worth: the rule of thumb, corrected by what was met, the more the surer it is.

    `doubt`: by how much the rule of thumb is usually wrong.
    """
    everything = [value for values in met for value in values]
    if len(everything) < 2:
        return thumb
    usual, mean, noise = statistics.mean(thumb), statistics.fmean(everything), statistics.variance(everything)
    found = []
    for guess, values in zip(thumb, met, strict=True):
        sure = len(values) * doubt**2
        trust = sure / (sure + noise) if sure else 0.0
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


def ends_of_board(
    view: PlayerView,
    standing: Standing,
    held: Sequence[Sequence[Card]],
    left: dict[RowKey, str],
    start: int,
    stakes: Sequence[str],
    rng: Random,
) -> dict[str, End]:
    """How a round under these conditions ends in one guess, for each of the points."""
    conditions = _conditions(left, start)
    tables = tables_of(view.public.ruleset, conditions.trump, conditions.supertrump)
    dealt, taken = [], 0
    for cards in held:
        dealt.append(tables.mask_of(cards, taken=taken))
        taken |= dealt[-1]
    teams, noise = standing.likely_teams(conditions.start, rng), rng.randbytes(64)
    found: dict[str, End] = {}
    unit: dict[bool, int] = {}
    for space in stakes:
        points = int(space)
        # However many points a trick brings, the same cards are played for it, unless they are negative.
        if (points > 0) not in unit:
            hands, sides = dealt[:], sides_of(teams, 1 if points > 0 else -1)
            if conditions.exchange.cards:
                hands = _exchanged(hands, _given(tables, hands, conditions, sides), conditions)
            unit[points > 0] = play_out(tables, sides, hands, conditions.first_leader, (), noise, CHANCE)
        found[space] = sides_of(teams, 1).side, abs(points) * unit[points > 0]
    return found

"""Where the expected result of a round fell or rose most, and what happened there; what was dealt, what decided.

All figures are points of the round, from the side of one seat's team.  Must not know: the database.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from operator import attrgetter

from games.analysis.decisions import LEAST, Judged
from games.log.ledger import Ledger
from games.rules import Claim, FinishedRound, NameTeam, Pass, Place, Play, TrickRules, Won
from games.rules.cards import Card
from games.rules.editions import RowKey
from games.rules.replay import Step

MOST = 3
"""The number of swings that are named: the greatest fall, and the greatest others."""

SHARE = 0.2
"""The least share of all that the curves of a game span, if that is more than `LEAST`; half of it if another team is
then expected to win."""

MOST_NAMED = 3
"""The most actions of others, or tricks, that are named for a swing."""


@dataclass(frozen=True, slots=True)
class Swing:
    """The expected result fell or rose from `before.points` to `after`, at the next decision or the end of the round.

    `own`: the part that the decision cost, 0 unless it was clearly worse; `others`: the numbers of the steps that
    explain it, empty if the decision made up half of a fall, or if nothing showed.
    """

    before: Judged
    after: float
    own: float
    others: tuple[int, ...]

    @property
    def rise(self) -> float:
        """By how many points it rose, negative if it fell."""
        return self.after - self.before.points

    @property
    def is_by_decision(self) -> bool:
        """Whether the decision made up half of a fall."""
        return self.rise < 0 and 2 * self.own >= -self.rise

    def is_notable(self, span: float) -> bool:
        """Whether it is worth naming.  `span`: the points that the curves of the game span."""
        turns = self.before.points * self.after < 0
        return abs(self.rise) >= max(LEAST, span * (SHARE / 2 if turns else SHARE))


@dataclass(frozen=True, slots=True)
class Account:
    """The result of a round in three parts.

    `dealt`: what was expected at the first decision; `decided`: the sum of what clearly worse decisions cost, also
    those of which the chance of the victory is named; `rest`: the others and the cards that were hidden.
    """

    dealt: float
    decided: float
    rest: float


def lead_of(done: FinishedRound, seat: int) -> int:
    """The points by which the team of a seat won a round, negative if it lost."""
    other = next(each for each in range(len(done.score.raw)) if each not in done.teams.team_of(seat))
    return done.score.raw[seat] - done.score.raw[other]


def account_of(judged: Sequence[Judged], lead: int) -> Account | None:
    """The parts of a round that was won by `lead` points; None if it was judged before costs were measured."""
    if any(each.lost is None for each in judged):
        return None
    dealt, decided = round(judged[0].points, 1), -sum(round(_cost(each), 1) for each in judged)
    return Account(dealt, decided, lead - dealt - decided)


def swings_of(ledger: Ledger, seat: int, judged: Sequence[Judged]) -> list[Swing]:
    """The greatest swings of a finished game, the greatest first.

    What rose or fell although nothing was done or shown in between is none: it was guessed better the second time.
    `judged`: all decisions of the seat, in order.
    """
    steps = {step.key.seq: number for number, step in enumerate(ledger.replay.applied, start=1)}
    applied = ledger.replay.applied
    leads = {done.number: float(lead_of(done, seat)) for done in ledger.state.finished}
    found, between = [], {}
    for place, each in enumerate(judged):
        number = steps[each.seq]
        of = applied[number - 1].round_number
        later = judged[place + 1] if place + 1 < len(judged) else None
        if later is not None and applied[steps[later.seq] - 1].round_number == of:
            after, until = later.points, steps[later.seq] - 1
        elif of in leads:
            after, until = leads[of], max(n for n, step in enumerate(applied, start=1) if step.round_number == of)
        else:
            continue
        found.append(Swing(each, after, _cost(each), ()))
        between[each.seq] = range(number + 1, until + 1)
    values = [*leads.values(), *(each.points for each in judged)]
    span = max(values) - min(values)
    notable = [each for each in found if each.is_notable(span) and (each.is_by_decision or between[each.before.seq])]
    # A fall is what a player asks about.
    falls = sorted((swing for swing in notable if swing.rise < 0), key=attrgetter("rise"))[:1]
    others = sorted((swing for swing in notable if swing not in falls), key=lambda swing: -abs(swing.rise))
    return [
        swing
        if swing.is_by_decision
        else replace(swing, others=_causes(applied, seat, between[swing.before.seq], rises=swing.rise > 0))
        for swing in sorted([*falls, *others[: MOST - len(falls)]], key=lambda swing: -abs(swing.rise))
    ]


def _cost(judged: Judged) -> float:
    """What a decision cost the round beyond chance: nothing if something else brought the victory alone nearer."""
    return judged.points_lost or 0.0 if judged.is_clear else 0.0


def _causes(applied: Sequence[Step], seat: int, between: range, *, rises: bool) -> tuple[int, ...]:
    """The steps that explain a swing: those that ended the tricks worth most, else what others did.

    A trick that brought the other team points explains no rise.
    """
    gains = [(gain if rises else -gain, number) for number in between if (gain := gain_of(applied[number - 1], seat))]
    if ended := sorted((gain, number) for gain, number in gains if gain > 0):
        return tuple(sorted(number for _gain, number in ended[-MOST_NAMED:]))
    seen = [
        number
        for number in between
        if (step := applied[number - 1]).seat != seat
        and isinstance(step.action, Place | NameTeam | Play | Claim)
        and trick_outcome(step) is None
    ]
    seen += [number for number in between if _is_passed_to(applied[number - 1], seat)]
    # A marker that leaves a row open decides nothing yet.
    named = [
        number for number in seen if not isinstance(applied[number - 1].action, Place) or settled(applied[number - 1])
    ]
    return tuple(sorted(named or seen)[-MOST_NAMED:])


def _is_passed_to(step: Step, seat: int) -> bool:
    current = step.before.current
    if not isinstance(step.action, Pass) or step.seat is None or current is None or current.conditions is None:
        return False
    return current.conditions.exchange.receiver(step.seat, step.before.players) == seat


@dataclass(frozen=True, slots=True)
class TrickOutcome:
    """How a trick ended.

    `number`: 1 for the first of the round; `captured`: the cards that count for the winner; `points`: what it brought
    the winner's team, doubled if the winner holds the monster.
    """

    number: int
    winner: int
    captured: tuple[Card, ...]
    points: int


def trick_outcome(step: Step) -> TrickOutcome | None:
    """The outcome of a trick, if this step played its last card."""
    current, players = step.before.current, step.before.players
    if not isinstance(step.action, Play) or current is None or current.leader is None:
        return None
    cards, leader = (*current.table, step.action.card), current.leader
    if len(cards) < players or current.conditions is None or current.teams is None:
        return None
    rules = TrickRules.of(step.before.ruleset, current.conditions)
    winner, _count = rules.taken(cards, leader=leader, teams=current.teams)
    counted = rules.sources(winner, current.teams)
    captured = tuple(
        card
        for place, card in enumerate(cards)
        if card.rank == rules.capturable_rank and (leader + place) % players in counted
    )
    points = current.conditions.points * current.teams.weight(winner) * Won(tricks=1, captured=len(captured)).counted
    return TrickOutcome(len(current.tricks) + 1, winner, captured, points)


def gain_of(step: Step, seat: int) -> int:
    """The points by which a step brought the team of a seat nearer to winning the round, negative for the other."""
    current, outcome = step.before.current, trick_outcome(step)
    if outcome is None or current is None or current.teams is None:
        return 0
    return outcome.points if outcome.winner in current.teams.team_of(seat) else -outcome.points


def settled(step: Step) -> tuple[RowKey, str] | None:
    """The row that this step closed with a marker, and the space that it left open."""
    current, action = step.before.current, step.action
    if not isinstance(action, Place) or current is None:
        return None
    space = current.board.row(action.row).cover(action.space, step.seat).settled_space
    return None if space is None else (action.row, space)

"""The decisions of a seat in a finished digital game, each judged with what the player could see at that time, and its
turning points.

Must not know: the database, when it is computed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from operator import attrgetter
from typing import Any, Self

from games.bots import CLEAR, LITTLE
from games.log.ledger import Ledger
from games.rules import ActionEntry, Discard, NameTeam, Pass, Place, Play, UndoEntry
from games.rules.actions import Action, from_json, to_json
from games.rules.cards import sort_hand
from games.rules.hints import COMPARED, SPARES, HintReason
from games.rules.redaction import PlayerView
from games.rules.replay import AmendEntry, HintEntry, SetupEntry

MOST = 3
"""The most turning points of a game."""

FINALISTS = 6
"""The number of decisions that are judged again, with more guesses.  The turning points are chosen among them."""

CLOSER = 6
"""The factor for the guesses of the second judgement.  Only this one counts, because the greatest of many noisy figures
are too great."""

LEAST = 2.0
"""The least points of the round by which a decision, or a swing of what is expected, is a turning point."""

LITTLE_CHANCE, LEAST_CHANCE = 0.02, 0.05
"""As `LITTLE` and `LEAST`, where a decision cost chances of the victory."""


@dataclass(frozen=True, slots=True)
class Decision:
    """An action of a seat that had a choice, and what the seat saw before it.

    `advice`: what a hint said to do, and what it called about as good; empty without a hint.  `said`: why.
    """

    seq: int
    view: PlayerView
    played: Action
    advice: tuple[Action, ...] = ()
    said: HintReason | None = None

    @property
    def hinted(self) -> bool:
        """Whether it followed a hint."""
        return self.played in self.advice


@dataclass(frozen=True, slots=True)
class Judged:
    """A decision with its verdict; figures as in `bots.review.Verdict`, rounded.

    `closely`: judged a second time; `lost`, `chances`: None in what was stored before they were measured; `hinted`: it
    followed a hint, whose search was shorter; `advised`: what a hint said to do, None without one or if it is unknown.
    """

    seq: int
    played: Action
    best: Action
    difference: float
    error: float
    points: float
    closely: bool = False
    reason: HintReason | None = None
    lost: float | None = None
    hinted: bool = False
    chances: tuple[float, float] | None = None
    advised: Action | None = None

    @property
    def is_beyond_chance(self) -> bool:
        """Whether something else was better, not by chance, and by so much that a player would call it clear."""
        return self.difference > CLEAR * self.error and self._cost_as_much_as(LITTLE, LITTLE_CHANCE)

    @property
    def is_clear(self) -> bool:
        """Whether the player decided clearly worse, and not by a hint."""
        return self.is_beyond_chance and not self.hinted

    @property
    def cost(self) -> float:
        """What a worse decision cost, in the currency in which it is named."""
        return self.difference if self.lost is None or self.is_for_victory else self.lost

    @property
    def matters(self) -> bool:
        """Whether the game may have turned here."""
        return self.is_clear and self._cost_as_much_as(LEAST, LEAST_CHANCE)

    @property
    def points_lost(self) -> float | None:
        """The points of the round that a decision cost that was clearly worse; None if it cost the victory alone."""
        if self.lost is None:
            return self.difference
        return self.lost if self.lost >= LITTLE else None

    @property
    def is_for_victory(self) -> bool:
        """Whether the chance of the victory is named, and not the points of the round: it cost that more."""
        return self.points_lost is None or (
            self.lost is not None and self.difference > self.lost and self._chance_lost >= LEAST_CHANCE
        )

    @property
    def _chance_lost(self) -> float:
        """As it is read, in hundredths; 0 if it is unknown."""
        played, best = self.chances or (0.0, 0.0)
        return round(round(best, 2) - round(played, 2), 2)

    def _cost_as_much_as(self, points: float, chance: float) -> bool:
        """Whether it cost as many points of the round, or as much of the chance of the victory."""
        if self.lost is not None and self.lost >= points:
            return True
        if self.chances is None:
            return self.difference >= points
        return self._chance_lost >= chance

    def to_json(self) -> dict[str, Any]:
        """As it is stored."""
        names = ("seq", "difference", "error", "points", "closely", "reason", "lost", "hinted", "chances")
        figures = {name: getattr(self, name) for name in names}
        actions = {name: to_json(action) for name in ("played", "best", "advised") if (action := getattr(self, name))}
        return {**figures, **actions}

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> Self:
        """Read what was stored."""
        why = stored.get("reason")
        found = {name: from_json(stored[name]) for name in ("played", "best", "advised") if name in stored}
        chances = stored.get("chances")
        return cls(**{**stored, **found, "reason": why and HintReason(why), "chances": chances and tuple(chances)})


@dataclass(frozen=True, slots=True)
class Progress:
    """What is judged of a seat's decisions so far, in their order.

    `total`: how many there are; `left`: those that are still to be judged closely, None before all are judged once.
    """

    total: int = 0
    judged: tuple[Judged, ...] = ()
    left: tuple[int, ...] | None = field(default=None)

    @property
    def is_complete(self) -> bool:
        """Whether every decision is judged."""
        return self.left == ()

    def to_json(self) -> dict[str, Any]:
        """As it is stored."""
        return {"total": self.total, "judged": [each.to_json() for each in self.judged], "left": self.left}

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> Self:
        """Read what was stored; nothing yet: no progress."""
        left = stored.get("left")
        judged = tuple(Judged.from_json(each) for each in stored.get("judged", ()))
        return cls(stored.get("total", 0), judged, None if left is None else tuple(left))


def basis(ledger: Ledger) -> int:
    """The last entry that the decisions depend on: phones and confirmations change nothing."""
    deciding = (ActionEntry, UndoEntry, AmendEntry, SetupEntry)
    return max((entry.seq for entry in ledger.entries if isinstance(entry, deciding)), default=0)


def decisions_of(ledger: Ledger, seat: int) -> list[Decision]:
    """All decisions of a seat in complete rounds.  `ledger`: of a finished game.

    Forced moves are left out, and what was copied from the game that this one plays on.
    """
    found, advice = [], _advice(ledger, seat)
    for step in ledger.replay.applied:
        if step.key.seq <= ledger.copied or step.seat != seat:
            continue
        if not isinstance(step.action, Place | NameTeam | Discard | Pass | Play):
            continue
        view = ledger.view_before(step)
        if view is not None and len(view.legal) > 1:
            found.append(Decision(step.key.seq, view, _in_order(step.action), *advice.get(step.key.seq, ())))
    return found


def _advice(ledger: Ledger, seat: int) -> dict[int, tuple[tuple[Action, ...], HintReason | None]]:
    """What a hint said before each action of a seat: what to do and what is about as good, and why."""
    own = {step.key.seq for step in ledger.replay.applied if step.seat == seat}
    said: dict[int, tuple[tuple[Action, ...], HintReason | None]] = {}
    nothing: tuple[tuple[Action, ...], HintReason | None] = ((), None)
    latest = nothing
    for entry in ledger.entries:
        if isinstance(entry, HintEntry) and entry.seat == seat:
            is_as_good = entry.reason not in (HintReason.BEST_IN_TRIALS, *COMPARED, *SPARES)
            said_so = (entry.action, entry.second) if is_as_good else (entry.action,)
            latest = tuple(action for action in said_so if action is not None), entry.reason
        elif entry.seq in own:
            said[entry.seq], latest = latest, nothing
    return said


def _in_order(action: Action) -> Action:
    """The action as it is listed among the legal ones."""
    match action:
        case Discard(tuple() as cards) | Pass(tuple() as cards):
            return replace(action, cards=sort_hand(cards))
        case NameTeam():
            return replace(action, partners=tuple(sorted(action.partners)))
        case _:
            return action


def judged(decision: Decision, *, seed: int, guesses: int) -> Judged:
    """The verdict on a decision."""
    # Only the process that computes it: importing the search here keeps the start of a server fast.
    from games.bots.review import review

    advised = decision.advice[0] if decision.advice else None
    verdict = review(decision.view, decision.played, seed=seed, guesses=guesses, advised=advised, said=decision.said)
    played, best = verdict.chances
    return Judged(
        decision.seq,
        decision.played,
        verdict.best,
        difference=round(verdict.difference, 2),
        error=round(verdict.error, 2),
        points=round(verdict.points, 2),
        reason=verdict.reason,
        lost=round(verdict.lost, 2),
        hinted=decision.hinted,
        chances=(round(played, 3), round(best, 3)),
        advised=advised,
    )


def judge_more(
    decisions: Sequence[Decision],
    so_far: Progress,
    *,
    judge: Callable[[Decision, int], Judged],
    more: Callable[[], bool],
) -> Progress:
    """Judge at least one decision, then continue until `more()` is false.

    `judge`: the verdict on a decision, and the factor for the usual number of guesses.
    """
    judged, left = list(so_far.judged), so_far.left
    while True:
        if left:
            place = next(place for place, each in enumerate(judged) if each.seq == left[0])
            judged[place] = replace(judge(decisions[place], CLOSER), closely=True)
            left = left[1:]
        elif len(judged) < len(decisions):
            judged.append(judge(decisions[len(judged)], 1))
        if left is None and len(judged) == len(decisions):
            left = _finalists(judged)
        if left == () or not more():
            return Progress(len(decisions), tuple(judged), left)


def _finalists(judged: Sequence[Judged]) -> tuple[int, ...]:
    most = sorted((each for each in judged if each.matters), key=attrgetter("cost"), reverse=True)
    return tuple(each.seq for each in most[:FINALISTS])


def turning_points(judged: Sequence[Judged]) -> list[Judged]:
    """The decisions that cost most beyond chance, the costliest first.

    What was better several times in a row, and was not done, is one of them: where it cost most.
    """
    missed = [[each for each in row if each.closely and each.matters] for _, row in groupby(judged, attrgetter("best"))]
    worst = [max(row, key=attrgetter("cost")) for row in missed if row]
    return sorted(worst, key=attrgetter("cost"), reverse=True)[:MOST]

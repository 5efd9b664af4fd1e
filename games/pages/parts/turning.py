"""Where a finished digital game turned for a seat: its worst decisions, where what was expected fell or rose most."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from games.analysis.decisions import Judged, Progress, turning_points
from games.analysis.swings import Swing, gain_of, settled, swings_of, trick_outcome
from games.log.ledger import Ledger
from games.rules import Phase, Setup
from games.rules.replay import Step
from games.texts import analysis as said
from games.texts.entries import describe_step


@dataclass(frozen=True)
class NotedStep:
    """A decision that was clearly worse, a swing of what was expected after a decision, or both in one.

    `number`: 1 for the first of the game; `seq`: of the decision; `step`: of the replay, where it is seen; `where`:
    round and trick of that step; `trick`: the same as a number, 0 for the first, None before the tricks; `whose`:
    whether the player decided it; `did`: the decision; `verdict`: what the strong bot says of it; `is_worse`: something
    else was clearly better; `swung`: by how much the curve fell or rose, `arrow`: the same at a glance, `causes`: what
    was done then that explains it; empty if it did not.
    """

    number: int
    seq: int
    step: int
    where: str
    trick: int | None
    whose: str
    did: str
    verdict: str
    is_worse: bool
    swung: str
    arrow: str
    causes: str


def noted_steps(ledger: Ledger, seat: int, progress: Progress) -> list[NotedStep]:
    """Where the game turned, as it was played."""
    swings = {swing.before.seq: swing for swing in swings_of(ledger, seat, progress.judged)}
    worst = {each.seq for each in turning_points(progress.judged)}
    found = [each for each in progress.judged if each.seq in worst or each.seq in swings]
    return [_noted(ledger, seat, number, each, swings.get(each.seq)) for number, each in enumerate(found, start=1)]


def _noted(ledger: Ledger, seat: int, number: int, judged: Judged, swing: Swing | None) -> NotedStep:
    applied = ledger.replay.applied
    decision = next(place for place, step in enumerate(applied, start=1) if step.key.seq == judged.seq)
    step = applied[decision - 1]
    # What was better is seen where it was decided; a swing that no decision explains, where the last cause is seen.
    at = decision if judged.is_clear or swing is None else max((decision, *swing.others))
    return NotedStep(
        number=number,
        seq=judged.seq,
        step=at,
        where=where(applied[at - 1]),
        trick=_trick(applied[at - 1]),
        whose=said.whose(step.before.setup.names[seat], applied[at - 1].before.phase, is_own=judged.is_clear),
        did=f"{describe_step(step, step.before.setup)}.",
        verdict=verdict_of(judged, step.before.setup),
        is_worse=judged.is_clear,
        swung="" if swing is None else _swung(swing),
        arrow="" if swing is None else said.arrow(said.rise(swing.before.points, swing.after)),
        causes="" if swing is None else _causes(swing, [applied[other - 1] for other in swing.others], seat),
    )


def _swung(swing: Swing) -> str:
    sentences = [said.swung(swing.before.points, swing.after)]
    if swing.own and swing.rise < 0:
        sentences.append(said.own_part(swing.own))
    if not swing.is_by_decision and not swing.others:
        sentences.append(said.unexplained())
    return " ".join(sentences)


def _causes(swing: Swing, steps: Sequence[Step], seat: int) -> str:
    """The sentences that explain a swing: how tricks ended, what the board settled, else what others did."""
    sentences, others = [], []
    for step in steps:
        if (outcome := trick_outcome(step)) is not None:
            sentences.append(said.trick(outcome.number, outcome.winner, outcome.captured, outcome.points, step, seat))
        elif (row := settled(step)) is not None:
            sentences.append(said.closed(*row, step, seat))
        else:
            others.append(step)
    if others:
        sentences.append(said.causes(others, seat))
    gained = abs(sum(gain_of(step, seat) for step in steps))
    if gained and 2 * gained < abs(swing.rise):
        sentences.append(said.rest())
    return " ".join(sentences)


def verdict_of(judged: Judged, setup: Setup) -> str:
    """What the strong bot says of a decision, and what a hint had said that it did not follow."""
    return said.verdict(
        judged.played,
        judged.best,
        setup,
        points=None if judged.is_for_victory else judged.points_lost,
        chances=judged.chances,
        is_beyond_chance=judged.is_beyond_chance,
        hinted=judged.hinted,
        advised=None if judged.hinted else judged.advised,
        reason=judged.reason,
    )


def _trick(step: Step) -> int | None:
    current = step.before.current
    return None if current is None or step.before.phase is not Phase.TRICKS else len(current.tricks)


def where(step: Step) -> str:
    """The round and the part of it in which a decision was made."""
    current = step.before.current
    assert current is not None, "a decision is made in a round"
    sentence = {
        Phase.PLACING: _("Round {round}, the board"),
        Phase.TEAMS: _("Round {round}, the teams"),
        Phase.DISCARDING: _("Round {round}, the discard"),
        Phase.PASSING: _("Round {round}, the pass"),
    }.get(step.before.phase, _("Round {round}, trick {trick}"))
    return sentence.format(round=current.number, trick=len(current.tricks) + 1)

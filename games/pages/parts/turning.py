"""Where a finished digital game turned for a seat: its worst decisions, where what was expected fell or rose most."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext as _

from games.analysis.decisions import Judged, Progress, turning_points
from games.analysis.swings import Swing, swings_of
from games.log.ledger import Ledger
from games.rules import Phase, Setup
from games.rules.replay import Step
from games.texts import analysis as said
from games.texts.entries import describe_step


@dataclass(frozen=True)
class NotedStep:
    """A decision that was clearly worse, a swing of what was expected after a decision, or both in one.

    `number`: 1 for the first of the game; `seq`: of the decision; `step`: of the replay, where it is seen; `where`:
    round and trick of that step; `did`: the decision; `verdict`: what the strong bot says of it; `is_worse`: something
    else was clearly better; `swung`: by how much the curve fell or rose and what happened then, empty if it did not.
    """

    number: int
    seq: int
    step: int
    where: str
    did: str
    verdict: str
    is_worse: bool
    swung: str


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
        did=f"{describe_step(step, step.before.setup)}.",
        verdict=verdict_of(judged, step.before.setup),
        is_worse=judged.is_clear,
        swung="" if swing is None else _swung(ledger, seat, swing),
    )


def _swung(ledger: Ledger, seat: int, swing: Swing) -> str:
    sentences = [said.swung(swing.before.points, swing.after)]
    if swing.own and swing.rise < 0:
        sentences.append(said.own_part(swing.own))
    if not swing.is_by_decision:
        sentences.append(said.causes([ledger.replay.applied[other - 1] for other in swing.others], seat))
    return " ".join(sentences)


def verdict_of(judged: Judged, setup: Setup) -> str:
    """What the strong bot says of a decision, and what a hint had said that it did not follow."""
    verdict = said.verdict(
        judged.played,
        judged.best,
        setup,
        points=judged.points_lost,
        chances=judged.chances,
        is_beyond_chance=judged.is_beyond_chance,
        hinted=judged.hinted,
        reason=judged.reason,
    )
    if judged.hinted or judged.advised is None:
        return verdict
    return f"{verdict} {said.hint_said(judged.advised, setup)}"


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

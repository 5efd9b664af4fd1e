"""Where a finished digital game turned for a seat: its worst decisions, and the greatest falls of what was expected."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext as _

from games.analysis.decisions import Judged, Progress, turning_points
from games.analysis.falls import Fall, falls_of
from games.log.ledger import Ledger
from games.rules import Phase, Setup
from games.rules.replay import Step
from games.texts import analysis as said
from games.texts.entries import describe_step


@dataclass(frozen=True)
class NotedStep:
    """A turning point, or a fall, which has a `letter`.

    `seq`: the decision that it belongs to; `step`: of the replay, where it is seen; `where`: round and trick; `did`:
    the decision itself, empty for a fall, whose `verdict` says what happened.
    """

    seq: int
    step: int
    where: str
    did: str
    verdict: str
    letter: str = ""


def noted_steps(ledger: Ledger, seat: int, progress: Progress) -> list[NotedStep]:
    """The turning points, then the falls, the greatest first."""
    numbers = {step.key.seq: number for number, step in enumerate(ledger.replay.applied, start=1)}
    turned = [_turned(ledger, numbers[each.seq], each) for each in turning_points(progress.judged)]
    falls = falls_of(ledger, seat, progress.judged)
    return turned + [
        _fallen(ledger, seat, numbers[fall.before.seq], fall, letter)
        for fall, letter in zip(falls, "ABCDEF", strict=False)
    ]


def _turned(ledger: Ledger, number: int, judged: Judged) -> NotedStep:
    step = ledger.replay.applied[number - 1]
    did = describe_step(step, step.before.setup)
    return NotedStep(judged.seq, number, where(step), f"{did}.", verdict_of(judged, step.before.setup))


def _fallen(ledger: Ledger, seat: int, decision: int, fall: Fall, letter: str) -> NotedStep:
    applied = ledger.replay.applied
    number = max((decision, *fall.others))
    sentences = [said.fell(fall.before.points, fall.after)]
    if fall.own:
        sentences.append(said.own_part(fall.own))
    if 2 * fall.own < fall.size:
        sentences.append(said.causes([applied[other - 1] for other in fall.others], seat))
    return NotedStep(fall.before.seq, number, where(applied[number - 1]), "", " ".join(sentences), letter)


def verdict_of(judged: Judged, setup: Setup) -> str:
    """What the strong bot says of a decision."""
    return said.verdict(
        judged.played,
        judged.best,
        setup,
        difference=judged.difference,
        error=judged.error,
        lost=judged.lost,
        is_clear=judged.is_clear,
        reason=judged.reason,
    )


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

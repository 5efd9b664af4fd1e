"""The analysis of a finished digital game for one seat: turning points, expected results, every decision by round."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from games.analysis.decisions import Judged, Progress, turning_points
from games.log.ledger import Ledger
from games.pages.parts.players import Player, players_of
from games.pages.parts.shape import Shape, Tick
from games.rules import FinishedRound, Phase
from games.rules.hints import HintReason
from games.rules.replay import Step
from games.texts import analysis as said
from games.texts.entries import describe_step
from games.texts.hints import reason_sentence
from games.texts.statistics import whole

SHAPE = Shape(width=360, height=150, left=46, right=348, top=12, bottom=138)


@dataclass(frozen=True)
class DecisionView:
    """A decision.  `where`: round and trick; `step`: of the replay; `is_clear`: something else was clearly better."""

    where: str
    did: str
    verdict: str
    expected: str
    step: int
    is_clear: bool


@dataclass(frozen=True)
class ExpectedChart:
    """The expected result of a round at each decision, and its actual result at the end.

    `zero`: where a drawn round stands; `marks`: the turning points on the line.
    """

    shape: Shape
    points: str
    ticks: list[Tick]
    zero: float
    end: tuple[float, float]
    marks: list[tuple[float, float]]
    summary: str


@dataclass(frozen=True)
class JudgedRound:
    """The decisions of a round."""

    number: int
    ended: str
    chart: ExpectedChart
    decisions: list[DecisionView]


@dataclass(frozen=True)
class AnalysisPage:
    """The analysis of one seat.  While it is computed there are no rounds: `done` of `total` decisions are judged."""

    player: Player
    players: Sequence[Player]
    is_complete: bool
    done: int
    total: int
    turning: list[DecisionView]
    rounds: list[JudgedRound]


def analysis_page(ledger: Ledger, seat: int, progress: Progress) -> AnalysisPage:
    """The page of a seat with what is judged so far."""
    players = players_of(ledger.state.setup)
    if not progress.is_complete:
        return AnalysisPage(
            players[seat],
            players,
            is_complete=False,
            done=len(progress.judged),
            total=progress.total,
            turning=[],
            rounds=[],
        )
    steps = {step.key.seq: (number, step) for number, step in enumerate(ledger.replay.applied, start=1)}
    turning = turning_points(progress.judged)
    views = {each.seq: _view(each, *steps[each.seq]) for each in progress.judged}
    by_round: dict[int, list[Judged]] = {}
    for each in progress.judged:
        by_round.setdefault(steps[each.seq][1].round_number, []).append(each)
    finished = {done.number: done for done in ledger.state.finished}
    span = _span([each.points for each in progress.judged] + [_lead_of(done, seat) for done in finished.values()])
    rounds = [
        JudgedRound(
            number,
            said.ended(_lead_of(finished[number], seat)),
            _chart(number, judged, _lead_of(finished[number], seat), span, {each.seq for each in turning}),
            [views[each.seq] for each in judged],
        )
        for number, judged in by_round.items()
    ]
    total = len(progress.judged)
    return AnalysisPage(
        players[seat],
        players,
        is_complete=True,
        done=total,
        total=total,
        turning=[views[each.seq] for each in turning],
        rounds=rounds,
    )


def _view(judged: Judged, number: int, step: Step) -> DecisionView:
    setup = step.before.setup
    if judged.is_clear:
        verdict = said.better(judged.best, setup, difference=judged.difference, error=judged.error)
        if judged.reason not in (None, HintReason.BEST_IN_TRIALS):
            verdict = f"{verdict} {reason_sentence(judged.reason, setup)}"
    elif judged.best == judged.played:
        verdict = _("The strong bot finds nothing better.")
    else:
        verdict = _("No clear difference from what the strong bot would do.")
    where, did = _where(step), describe_step(step, setup)
    return DecisionView(where, f"{did}.", verdict, said.expected(judged.points), number, judged.is_clear)


def _where(step: Step) -> str:
    current = step.before.current
    assert current is not None, "a decision is made in a round"
    sentence = {
        Phase.PLACING: _("Round {round}, the board"),
        Phase.TEAMS: _("Round {round}, the teams"),
        Phase.DISCARDING: _("Round {round}, the discard"),
        Phase.PASSING: _("Round {round}, the pass"),
    }.get(step.before.phase, _("Round {round}, trick {trick}"))
    return sentence.format(round=current.number, trick=len(current.tricks) + 1)


def _lead_of(done: FinishedRound, seat: int) -> int:
    """The points by which the team of a seat won a round, negative if it lost."""
    other = next(each for each in range(len(done.score.raw)) if each not in done.teams.team_of(seat))
    return done.score.raw[seat] - done.score.raw[other]


def _span(values: Sequence[float]) -> tuple[int, int, int]:
    """The least and the greatest line of the grid that all charts have, and the distance between two lines."""
    low, high = min(0.0, *values), max(0.0, *values)
    step = next(size for size in (5, 10, 20, 50, 100, 200, 10**6) if high - low <= 4 * size)
    return step * int(low // step), step * int(-(-high // step) or 1), step


def _chart(
    number: int, judged: Sequence[Judged], lead: int, span: tuple[int, int, int], turning: set[int]
) -> ExpectedChart:
    low, high, step = span
    values = [*(each.points for each in judged), lead]
    points = [(SHAPE.x(index, len(judged)), SHAPE.y(value, low, high)) for index, value in enumerate(values)]
    return ExpectedChart(
        shape=SHAPE,
        points=" ".join(f"{x},{y}" for x, y in points),
        ticks=SHAPE.ticks(low, high, step, whole),
        zero=SHAPE.y(0, low, high),
        end=points[-1],
        marks=[point for point, each in zip(points, judged, strict=False) if each.seq in turning],
        summary=_("Round {number}. At the first decision: {first} At the last one: {last} In the end: {end}").format(
            number=number,
            first=said.expected(judged[0].points),
            last=said.expected(judged[-1].points),
            end=said.ended(lead),
        ),
    )

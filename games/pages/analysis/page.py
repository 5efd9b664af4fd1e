"""The analysis of a finished digital game for one seat: turning points, expected results, every decision by round."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from games.analysis.decisions import Judged, Progress
from games.analysis.falls import account_of, lead_of
from games.log.ledger import Ledger
from games.pages.parts.players import Player, players_of
from games.pages.parts.shape import Shape, Tick
from games.pages.parts.turning import NotedStep, noted_steps, verdict_of
from games.rules import Phase
from games.rules.replay import Step
from games.texts import analysis as said
from games.texts.entries import describe_step
from games.texts.statistics import whole

SHAPE = Shape(width=360, height=194, left=46, right=348, top=26, bottom=152)


@dataclass(frozen=True)
class DecisionView:
    """A decision.  `step`: of the replay; `is_clear`: something else was clearly better."""

    did: str
    verdict: str
    expected: str
    step: int
    is_clear: bool


@dataclass(frozen=True)
class ExpectedChart:
    """The expected result of a round at each decision, and its actual result at the end.

    `zero`: where a drawn round stands; `marks`: the turning points on the line; `letters`: of the falls, where they
    begin; `tricks`: the first decision of each trick.
    """

    shape: Shape
    points: str
    ticks: list[Tick]
    zero: float
    end: tuple[float, float]
    marks: list[tuple[float, float]]
    letters: list[tuple[float, float, str]]
    tricks: list[Tick]
    summary: str


@dataclass(frozen=True)
class JudgedRound:
    """The decisions of a round.  `account`: what of its result was dealt and what decided, empty if unknown."""

    number: int
    ended: str
    account: str
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
    turning: list[NotedStep]
    falls: list[NotedStep]
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
            falls=[],
            rounds=[],
        )
    steps = {step.key.seq: (number, step) for number, step in enumerate(ledger.replay.applied, start=1)}
    noted = noted_steps(ledger, seat, progress)
    views = {each.seq: _view(each, *steps[each.seq]) for each in progress.judged}
    by_round: dict[int, list[Judged]] = {}
    for each in progress.judged:
        by_round.setdefault(steps[each.seq][1].round_number, []).append(each)
    finished = {done.number: done for done in ledger.state.finished}
    span = _span([each.points for each in progress.judged] + [lead_of(done, seat) for done in finished.values()])
    rounds = [
        JudgedRound(
            number,
            said.ended(lead_of(finished[number], seat)),
            _account(players[seat], judged, lead_of(finished[number], seat)),
            _chart(judged, [steps[each.seq][1] for each in judged], lead_of(finished[number], seat), span, noted),
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
        turning=[each for each in noted if not each.letter],
        falls=[each for each in noted if each.letter],
        rounds=rounds,
    )


def _view(judged: Judged, number: int, step: Step) -> DecisionView:
    setup = step.before.setup
    did, verdict = describe_step(step, setup), verdict_of(judged, setup)
    return DecisionView(f"{did}.", verdict, said.expected(judged.points), number, judged.is_clear)


def _span(values: Sequence[float]) -> tuple[int, int, int]:
    """The least and the greatest line of the grid that all charts have, and the distance between two lines."""
    low, high = min(0.0, *values), max(0.0, *values)
    step = next(size for size in (5, 10, 20, 50, 100, 200, 10**6) if high - low <= 4 * size)
    return step * int(low // step), step * int(-(-high // step) or 1), step


def _account(player: Player, judged: Sequence[Judged], lead: int) -> str:
    parts = account_of(judged, lead)
    if parts is None:
        return ""
    return said.account(player.name, dealt=parts.dealt, decided=parts.decided, rest=parts.rest)


def _tricks(steps: Sequence[Step]) -> list[Tick]:
    """The first decision of each trick, as far as there is room for its number."""
    ticks: list[Tick] = []
    seen = 0
    for place, step in enumerate(steps):
        current = step.before.current
        if current is None or step.before.phase is not Phase.TRICKS or len(current.tricks) < seen:
            continue
        seen, at = len(current.tricks) + 1, SHAPE.x(place, len(steps))
        if not ticks or at - ticks[-1].at >= SHAPE.gap:
            ticks.append(Tick(at, str(seen)))
    return ticks


def _chart(
    judged: Sequence[Judged], steps: Sequence[Step], lead: int, span: tuple[int, int, int], noted: Sequence[NotedStep]
) -> ExpectedChart:
    low, high, step = span
    values = [*(each.points for each in judged), lead]
    points = [(SHAPE.x(index, len(judged)), SHAPE.y(value, low, high)) for index, value in enumerate(values)]
    places = {each.seq: place for place, each in enumerate(judged)}
    return ExpectedChart(
        shape=SHAPE,
        points=" ".join(f"{x},{y}" for x, y in points),
        ticks=SHAPE.ticks(low, high, step, whole),
        zero=SHAPE.y(0, low, high),
        end=points[-1],
        marks=[points[places[each.seq]] for each in noted if not each.letter and each.seq in places],
        letters=[(*points[places[each.seq]], each.letter) for each in noted if each.letter and each.seq in places],
        tricks=_tricks(steps),
        summary=_("Round {number}. At the first decision: {first} At the last one: {last} In the end: {end}").format(
            number=steps[0].round_number,
            first=said.expected(judged[0].points),
            last=said.expected(judged[-1].points),
            end=said.ended(lead),
        ),
    )

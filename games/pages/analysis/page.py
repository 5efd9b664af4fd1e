"""The analysis of a finished digital game for one seat: turning points, expected results, every decision by round."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from django.utils.translation import gettext as _

from games.analysis.decisions import LEAST, LEAST_CHANCE, Judged, Progress
from games.analysis.swings import account_of, lead_of
from games.log.ledger import Ledger
from games.pages.parts.players import Player, players_of
from games.pages.parts.shape import Shape, Tick
from games.pages.parts.turning import NotedStep, noted_steps, verdict_of
from games.rules import FinishedRound, Phase
from games.rules.replay import Step
from games.texts import analysis as said
from games.texts.entries import describe_step
from games.texts.statistics import whole

ABOVE, BELOW = 10, 19
"""How far the base of a number stands over its mark, or below it."""

APART = 14
"""The room that a number of two digits takes, in each direction."""

SHAPE = Shape(width=320, height=202, left=42, right=310, top=34, bottom=160, gap=24)


@dataclass(frozen=True)
class DecisionView:
    """A decision.  `step`: of the replay."""

    did: str
    verdict: str
    expected: str
    step: int


@dataclass(frozen=True)
class Mark:
    """Where the game turned, on the line in the trick that is named.  `label`: the height of its number."""

    x: float
    y: float
    label: float
    number: int
    is_worse: bool


@dataclass(frozen=True)
class ExpectedChart:
    """The expected result of a round at each decision, and its actual result at the end.

    `zero`: where a drawn round stands; `begins`: where the tricks begin; `tricks`: where each stands, and the numbers
    of some.
    """

    shape: Shape
    points: str
    ticks: list[Tick]
    zero: float
    marks: list[Mark]
    begins: float
    tricks: list[Tick]
    summary: str


@dataclass(frozen=True)
class JudgedRound:
    """The decisions of a round: those that were clearly worse, and the others.

    `account`: what of its result was dealt and what decided, empty if unknown.
    """

    number: int
    ended: str
    account: str
    chart: ExpectedChart
    worse: list[DecisionView]
    others: list[DecisionView]


@dataclass(frozen=True)
class AnalysisPage:
    """The analysis of one seat.  While it is computed there are no rounds: `done` of `total` decisions are judged.

    `worse`: how many decisions were clearly worse; `admitted`: what makes a turning point.
    """

    player: Player
    players: Sequence[Player]
    is_complete: bool
    done: int
    total: int
    worse: int
    turning: list[NotedStep]
    admitted: str
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
            worse=0,
            turning=[],
            admitted="",
            rounds=[],
        )
    steps = {step.key.seq: (number, step) for number, step in enumerate(ledger.replay.applied, start=1)}
    noted = noted_steps(ledger, seat, progress)
    by_round: dict[int, list[Judged]] = {}
    for each in progress.judged:
        by_round.setdefault(steps[each.seq][1].round_number, []).append(each)
    finished = {done.number: done for done in ledger.state.finished}
    span = _span([each.points for each in progress.judged] + [lead_of(done, seat) for done in finished.values()])
    rounds = [
        _judged_round(players[seat], judged, steps, finished[number], span, noted)
        for number, judged in by_round.items()
    ]
    total = len(progress.judged)
    return AnalysisPage(
        players[seat],
        players,
        is_complete=True,
        done=total,
        total=total,
        worse=sum(each.is_clear for each in progress.judged),
        turning=noted,
        admitted=said.admitted(LEAST, LEAST_CHANCE),
        rounds=rounds,
    )


def _judged_round(
    player: Player,
    judged: Sequence[Judged],
    steps: Mapping[int, tuple[int, Step]],
    done: FinishedRound,
    span: tuple[int, int, int],
    noted: Sequence[NotedStep],
) -> JudgedRound:
    """`steps`: by entry, with their numbers in the replay."""
    lead = lead_of(done, player.seat)
    return JudgedRound(
        number=done.number,
        ended=said.ended(lead),
        account=_account(player, judged, lead),
        chart=_chart(judged, [steps[each.seq][1] for each in judged], done, lead, span, noted),
        worse=[_view(each, *steps[each.seq]) for each in judged if each.is_clear],
        others=[_view(each, *steps[each.seq]) for each in judged if not each.is_clear],
    )


def _view(judged: Judged, number: int, step: Step) -> DecisionView:
    setup = step.before.setup
    did, verdict = describe_step(step, setup), verdict_of(judged, setup)
    return DecisionView(f"{did}.", verdict, said.expected(judged.points), number)


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


def _chart(
    judged: Sequence[Judged],
    steps: Sequence[Step],
    done: FinishedRound,
    lead: int,
    span: tuple[int, int, int],
    noted: Sequence[NotedStep],
) -> ExpectedChart:
    """`steps`: those of the decisions.  Each trick has the same room, also one without a decision."""
    low, high, step = span
    before = sum(each.before.phase is not Phase.TRICKS for each in steps)
    tricks = sum(won.tricks for won in done.won)
    last = before + tricks
    places = [*(_place(place, each, before) for place, each in enumerate(steps)), last]
    values = [*(each.points for each in judged), lead]

    def at(place: float, value: float) -> tuple[float, float]:
        return SHAPE.x(place, last), SHAPE.y(value, low, high)

    points = [at(place, value) for place, value in zip(places, values, strict=True)]
    slopes = dict(zip((each.seq for each in judged), pairwise(zip(places, values, strict=True)), strict=True))
    return ExpectedChart(
        shape=SHAPE,
        points=" ".join(f"{x},{y}" for x, y in points),
        ticks=SHAPE.ticks(low, high, step, whole),
        zero=SHAPE.y(0, low, high),
        marks=_marks([(each, at(*_marked(each, *slopes[each.seq], before))) for each in noted if each.seq in slopes]),
        begins=SHAPE.x(before, last),
        tricks=_numbered(before, tricks),
        summary=_("Round {number}. At the first decision: {first} At the last one: {last} In the end: {end}").format(
            number=done.number,
            first=said.expected(judged[0].points),
            last=said.expected(judged[-1].points),
            end=said.ended(lead),
        ),
    )


def _place(place: int, step: Step, before: int) -> int:
    """Where a decision stands: in its trick, or in its order among those `before` the tricks."""
    current = step.before.current
    return place if current is None or step.before.phase is not Phase.TRICKS else before + len(current.tricks)


def _marked(noted: NotedStep, start: tuple[int, float], end: tuple[int, float], before: int) -> tuple[float, float]:
    """Where on its slope a turning point is marked, a place and a value: where it was decided, or what showed."""
    if noted.is_worse:
        return start
    place = (start[0] + min(end[0], before)) / 2 if noted.trick is None else before + noted.trick
    place = min(max(place, start[0]), end[0])
    return place, start[1] + (end[1] - start[1]) * (place - start[0]) / (end[0] - start[0])


def _marks(noted: Sequence[tuple[NotedStep, tuple[float, float]]]) -> list[Mark]:
    """The marks, each number over its own, or below it where another number stands over it."""
    marks: list[Mark] = []
    for each, (x, y) in noted:
        label = next((at for at in (y - ABOVE, y + BELOW) if all(_is_free(x, at, mark) for mark in marks)), y - ABOVE)
        marks.append(Mark(x, y, label, each.number, each.is_worse))
    return marks


def _is_free(x: float, label: float, mark: Mark) -> bool:
    return abs(x - mark.x) >= APART or abs(label - mark.label) >= APART


def _numbered(before: int, tricks: int) -> list[Tick]:
    """A mark for every trick, with its number at every one, every second, fifth or tenth, as far as there is room."""
    room = (SHAPE.right - SHAPE.left) / (before + tricks)
    step = next(each for each in (1, 2, 5, 10) if each * room >= SHAPE.gap or each == 10)
    return [
        Tick(SHAPE.x(before + number - 1, before + tricks), "" if number % step else str(number))
        for number in range(1, tricks + 1)
    ]

"""The score sheet: a column for each player, a line for each round, running totals; and the chart of the race."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.pages.parts.confirmations import RoundConfirmations
from games.pages.parts.players import ConditionView, Player, condition_views, players_of
from games.pages.parts.standings import RoundResult, round_result, running_totals
from games.rules import FinishedRound, PenaltyLine, PublicState
from games.rules.scoring import signed
from games.texts import words


@dataclass(frozen=True)
class SheetCell:
    """A player's cell in a line.  A dash if the round is not complete."""

    points: str
    total: str
    is_start: bool = False
    deals: bool = False
    has_monster: bool = False
    in_start_team: bool = False


@dataclass(frozen=True)
class SheetLine:
    """A line of the sheet: a round, or a penalty with its reason."""

    label: str
    number: int | None
    conditions: list[ConditionView]
    cells: list[SheetCell]
    note: str
    result: RoundResult | None = None
    confirmations: RoundConfirmations | None = None


@dataclass(frozen=True)
class Sheet:
    """The whole sheet."""

    players: Sequence[Player]
    lines: list[SheetLine]
    totals: list[str]
    ranks: list[int]
    leaders: list[int]
    is_finished: bool


def sheet(state: PublicState, confirmations: Mapping[int, RoundConfirmations] | None = None) -> Sheet:
    """The sheet of a game, with an open line for the round that is played and one for each round to come.

    `confirmations`: who has confirmed a round, by its number.
    """
    running = [0] * state.players
    lines: list[SheetLine] = []
    for place in range(len(state.finished) + 1):
        lines += _penalty_lines(state, running, after_round=place)
        if place < len(state.finished):
            done = state.finished[place]
            lines.append(_round_line(state, done, running, (confirmations or {}).get(done.number)))
    first_open = len(state.finished) + 1
    last = state.ruleset.options.rounds if state.current is not None else len(state.finished)
    lines += [_open_line(state, number) for number in range(first_open, last + 1)]
    return Sheet(
        players=players_of(state.setup),
        lines=lines,
        totals=[signed(total) for total in state.totals],
        ranks=list(state.ranks),
        leaders=list(state.leaders),
        is_finished=state.current is None,
    )


def _round_line(
    state: PublicState, done: FinishedRound, running: list[int], confirmations: RoundConfirmations | None
) -> SheetLine:
    cells = []
    for seat in range(state.players):
        running[seat] += done.score.points[seat]
        cells.append(
            SheetCell(
                points=signed(done.score.points[seat]),
                total=signed(running[seat]),
                is_start=seat == done.conditions.start,
                deals=seat == done.dealer,
                has_monster=seat == done.teams.monster,
                in_start_team=seat in done.teams.own,
            )
        )
    return SheetLine(
        label=str(done.number),
        number=done.number,
        conditions=condition_views(state, done),
        cells=cells,
        note="",
        result=round_result(state, done),
        confirmations=confirmations,
    )


def _penalty_lines(state: PublicState, running: list[int], *, after_round: int) -> list[SheetLine]:
    lines = []
    for penalty in state.penalties:
        if penalty.after_round != after_round:
            continue
        running[penalty.seat] += penalty.points
        lines.append(_penalty_line(state, penalty, running))
    return lines


def _penalty_line(state: PublicState, penalty: PenaltyLine, running: Sequence[int]) -> SheetLine:
    points = words.change(penalty.points)
    return SheetLine(
        label=_("Penalty"),
        number=None,
        conditions=[],
        cells=[
            SheetCell(points=points if seat == penalty.seat else "", total=signed(running[seat]))
            for seat in range(state.players)
        ],
        note=_("{name}: {reason}").format(name=state.setup.names[penalty.seat], reason=penalty.reason),
    )


def _open_line(state: PublicState, number: int) -> SheetLine:
    dealer = state.setup.dealer_of(number)
    return SheetLine(
        label=str(number),
        number=number,
        conditions=[],
        cells=[SheetCell(points="–", total="", deals=seat == dealer) for seat in range(state.players)],
        note="",
    )


# --- the chart of the race ---

WIDTH, HEIGHT = 360, 230
LEFT, RIGHT, TOP, BOTTOM = 34, 92, 10, 24


@dataclass(frozen=True)
class Shape:
    """The size of a chart, its margins, and the distance between the labels of its lines."""

    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    right: int = RIGHT
    top: int = TOP
    bottom: int = BOTTOM
    gap: int = 15


ON_THE_SHEET = Shape()


@dataclass(frozen=True)
class ChartLine:
    """A player's line, in the coordinates of the chart."""

    player: Player
    points: str
    end_x: float
    end_y: float
    label_y: float
    total: str

    @property
    def short_name(self) -> str:
        """The name, cut so that it fits beside the chart."""
        name = self.player.name
        return name if len(name) <= 6 else f"{name[:5]}…"


@dataclass(frozen=True)
class Tick:
    """A mark on an axis."""

    at: float
    label: str


@dataclass(frozen=True)
class Chart:
    """The race: running totals after each round, a line for each player."""

    width: int
    height: int
    left: int
    right: int
    top: int
    bottom: int
    lines: list[ChartLine]
    x_ticks: list[Tick]
    y_ticks: list[Tick]
    summary: str


def race_chart(state: PublicState, shape: Shape = ON_THE_SHEET) -> Chart | None:
    """The chart of a game, None before the first complete round."""
    if not state.finished:
        return None
    totals = running_totals(state)
    highest = max(max(line) for line in totals)
    lowest = min(min(line) for line in totals)
    step = _nice_step(max(highest - lowest, 1))
    low, high = step * (lowest // step), step * -(-max(highest, 1) // step)
    rounds, base = len(totals) - 1, shape.height - shape.bottom

    def x(number: int) -> float:
        return round(shape.left + (shape.width - shape.left - shape.right) * number / rounds, 1)

    def y(value: int) -> float:
        return round(base - (base - shape.top) * (value - low) / (high - low), 1)

    players = players_of(state.setup)
    ends = [y(value) for value in totals[-1]]
    label_ys = _apart(ends, shape)
    lines = [
        ChartLine(
            player=player,
            points=" ".join(f"{x(number)},{y(line[player.seat])}" for number, line in enumerate(totals)),
            end_x=x(rounds),
            end_y=ends[player.seat],
            label_y=label_ys[player.seat],
            total=signed(totals[-1][player.seat]),
        )
        for player in players
    ]
    every = -(-rounds // 12)
    ordered = sorted(lines, key=lambda line: -totals[-1][line.player.seat])
    return Chart(
        width=shape.width,
        height=shape.height,
        left=shape.left,
        right=shape.width - shape.right,
        top=shape.top,
        bottom=base,
        lines=lines,
        x_ticks=[Tick(x(number), str(number)) for number in range(0, rounds + 1, every)],
        y_ticks=[Tick(y(value), signed(value)) for value in range(low, high + 1, step)],
        summary=ngettext(
            "Totals after {rounds} round: {totals}.", "Totals after {rounds} rounds: {totals}.", rounds
        ).format(rounds=rounds, totals=", ".join(f"{line.player.name} {line.total}" for line in ordered)),
    )


def _nice_step(span: int) -> int:
    """A round distance between 3 to 6 lines of the grid."""
    size = 1
    while True:
        for factor in (1, 2, 5):
            if span <= 5 * factor * size:
                return factor * size
        size *= 10


def _apart(places: Sequence[float], shape: Shape) -> list[float]:
    """The positions, moved so that labels of this height do not overlap and stay inside the chart."""
    moved = list(places)
    order = sorted(range(len(places)), key=lambda index: places[index])
    for before, after in pairwise(order):
        moved[after] = max(moved[after], moved[before] + shape.gap)
    overflow = moved[order[-1]] - (shape.height - shape.bottom)
    if overflow > 0:
        moved[order[-1]] -= overflow
        for after, before in pairwise(reversed(order)):
            moved[before] = min(moved[before], moved[after] - shape.gap)
    return [round(place, 1) for place in moved]

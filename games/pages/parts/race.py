"""The chart of the race: the totals after each round."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from django.utils.translation import ngettext

from games.pages.parts.players import Player, players_of
from games.pages.parts.shape import Shape, Tick
from games.pages.parts.standings import running_totals
from games.rules import PublicState
from games.rules.scoring import signed
from games.texts import words

ON_THE_SHEET = Shape(width=360, height=230, left=40, right=230, top=10, bottom=206)
# How many letters of usual width a name and its total may take beside the chart.
ROOM = 13.2
WIDE, SLENDER = "MWmw@%…", "Ifijlrt .,'’-"


@dataclass(frozen=True)
class ChartLine:
    """A player's line, in the coordinates of the chart."""

    player: Player
    places: list[tuple[float, float]]
    end_x: float
    end_y: float
    label_y: float
    total: str
    shift: float = 0
    """How far the line is drawn beside its place, so that equal lines do not hide each other."""

    @property
    def points(self) -> str:
        """The places, as SVG writes them."""
        return " ".join(f"{x},{y}" for x, y in self.places)

    @property
    def drawn_y(self) -> float:
        """Where the drawn line ends."""
        return round(self.end_y + self.shift, 1)

    @property
    def short_name(self) -> str:
        """The name, cut so that it fits beside the chart."""
        name, room = self.player.name, ROOM - _width(f" {self.total}")
        if _width(name) > room:
            *_, last = name.split(" ")
            # “Player 2” and “Player 3” differ in nothing else.
            end = f"… {last}" if last.isdecimal() else "…"
            whole = bisect_right(range(len(name)), room - _width(end), key=lambda count: _width(name[:count])) - 1
            name = name[:whole].rstrip() + end
        return words.isolated(name)


@dataclass(frozen=True)
class Chart:
    """The race: running totals after each round, a line for each player."""

    shape: Shape
    lines: list[ChartLine]
    x_ticks: list[Tick]
    y_ticks: list[Tick]
    summary: str


def race_chart(state: PublicState, shape: Shape = ON_THE_SHEET) -> Chart | None:
    """The chart of a game, None before the first complete round."""
    if not state.rounds_on_sheet:
        return None
    totals = running_totals(state)
    highest = max(max(line) for line in totals)
    lowest = min(min(line) for line in totals)
    step = _nice_step(max(highest - lowest, 1))
    low, high = step * (lowest // step), step * -(-max(highest, 1) // step)
    rounds, players = len(totals) - 1, players_of(state.setup)

    def at(number: int, seat: int) -> tuple[float, float]:
        return shape.x(number, rounds), shape.y(totals[number][seat], low, high)

    ends = [shape.y(total, low, high) for total in totals[-1]]
    label_ys = _apart(ends, shape)
    lines = [
        ChartLine(
            player=player,
            places=[at(number, player.seat) for number in range(len(totals))],
            end_x=shape.x(rounds, rounds),
            end_y=ends[player.seat],
            label_y=label_ys[player.seat],
            total=signed(totals[-1][player.seat]),
            shift=1.5 * player.seat - 0.75 * (len(players) - 1),
        )
        for player in players
    ]
    every = -(-rounds // 12)
    ordered = sorted(lines, key=lambda line: -totals[-1][line.player.seat])
    return Chart(
        shape=shape,
        lines=lines,
        x_ticks=[Tick(shape.x(number, rounds), str(number)) for number in range(0, rounds + 1, every)],
        y_ticks=shape.ticks(low, high, step, signed),
        summary=ngettext(
            "Totals after {rounds} round: {totals}.", "Totals after {rounds} rounds: {totals}.", rounds
        ).format(rounds=rounds, totals=", ".join(f"{line.player.name} {line.total}" for line in ordered)),
    )


def _width(text: str) -> float:
    """About how wide a text is, in letters of usual width; from U+2E80 on letters are as wide as they are high."""
    return sum(0.6 if each in SLENDER else 1.5 if each in WIDE or each >= "\u2e80" else 1 for each in text)


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
    overflow = moved[order[-1]] - shape.bottom
    if overflow > 0:
        moved[order[-1]] -= overflow
        for after, before in pairwise(reversed(order)):
            moved[before] = min(moved[before], moved[after] - shape.gap)
    return [round(place, 1) for place in moved]

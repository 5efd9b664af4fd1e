"""The drawings of the statistics: bars, the board with its columns, the curve of a rating; and their tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from games.groups.statistics.summary import boxes_of
from games.groups.statistics_queries import Person, RatedGame
from games.pages.parts.shape import Shape, Tick
from games.rules.editions import NJET, NJET60, Edition, RowKey
from games.texts import statistics as said

Counts = Mapping[str, Mapping[str, int]]
"""How often, by row and space."""


# --- bars ---


@dataclass(frozen=True)
class Bar:
    """A line with a bar of some hundredths of its width.

    `more`: further cells; `few`: based on few rounds; `pair`: the two players of the page it links to; `note`: under
    the label; `mark`: what is marked on the bar, in percent.
    """

    label: str
    width: str
    value: str
    more: list[str] = field(default_factory=list)
    few: bool = False
    person: Person | None = None
    pair: tuple[str, ...] = ()
    note: str = ""
    mark: str = ""


@dataclass(frozen=True)
class Bars:
    """Lines with bars, as a table."""

    heads: list[str]
    lines: list[Bar]


def width_of(value: float | None, full: float = 1) -> str:
    """The width of a bar, in percent."""
    return "0" if value is None or value <= 0 or full <= 0 else f"{min(100 * value / full, 100):.1f}"


# --- the board ---


@dataclass(frozen=True)
class Cell:
    """A space of the board.  `top` and `height`: of its column, in percent; `value`: the text of a points space."""

    space: str
    value: str
    name: str
    figure: str
    top: str
    height: str
    is_most: bool

    @property
    def is_empty(self) -> bool:
        """Whether its count is zero."""
        return self.height == "0"


@dataclass(frozen=True)
class CellRow:
    """A row of the board."""

    key: str
    name: str
    cells: list[Cell]


@dataclass(frozen=True)
class Board:
    """The board, a column on each space as high as its figure.

    `heads`, `lines`: the same as a table; the first cell of a line is its name.
    """

    rows: list[CellRow]
    summary: str
    heads: Sequence[str]
    lines: list[list[str]]


def spaces_of(presets: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """All spaces on the boards of these games, row by row; a token is the player's own or another's."""
    editions = _editions(presets)
    return {row.value: _spaces(editions, row) for row in RowKey}


def _editions(presets: Sequence[str]) -> list[Edition]:
    """The editions of some games; the newest one as long as there is no game."""
    return boxes_of(presets) or [NJET60]


def _spaces(editions: Sequence[Edition], row: RowKey) -> tuple[str, ...]:
    if row is RowKey.START:
        return ("self", "other")
    spaces = dict.fromkeys(str(space) for edition in editions for space in edition.spaces[row])
    # njet is last, as on every board.
    return tuple(sorted(spaces, key=lambda space: space == NJET))


def has_monster_card(presets: Sequence[str]) -> bool:
    """Whether the deck of one of these games has the monster; without it a lone player scores double."""
    return any(edition.has_monster_card for edition in _editions(presets))


def capturable_of(presets: Sequence[str]) -> str | None:
    """The digit on a super trump, None if the games use different decks."""
    ranks = {edition.capturable_rank for edition in _editions(presets)}
    return str(ranks.pop()) if len(ranks) == 1 else None


def board(
    spaces: Mapping[str, Sequence[str]],
    counts: Counts,
    wholes: Mapping[str, int],
    *,
    heads: Sequence[str],
    columns: Sequence[Counts] = (),
    percent: bool = True,
) -> Board | None:
    """The board with a figure on each space: its count in `counts`, of `wholes` in its row; None without counts.

    `percent`: as a rate; otherwise how often in 100.  `heads`: what stands over the names, the counts, the figures and
    the `columns`, further counts that only the table shows.
    """
    shares = {
        row: {space: counts[row].get(space, 0) / wholes[row] for space in spaces[row]}
        for row in spaces
        if any(counts.get(row, {}).values()) and wholes.get(row)
    }
    if not shares:
        return None
    highest = _highest(shares)
    rows = [
        CellRow(row, said.row_name(row), _cells(row, of_row, highest[row], percent=percent))
        for row, of_row in shares.items()
    ]
    lines = [
        [
            said.space_anywhere(row.key, cell.space),
            said.whole(counts[row.key].get(cell.space, 0)),
            cell.figure,
            *(said.whole(column.get(row.key, {}).get(cell.space, 0)) for column in columns),
        ]
        for row in rows
        for cell in row.cells
    ]
    most = [(row, next(cell for cell in row.cells if cell.is_most)) for row in rows]
    summary = "; ".join(
        _("{row}: most often {space}, {figure}").format(row=row.name, space=cell.name, figure=cell.figure)
        for row, cell in most
    )
    return Board(rows, summary, heads, lines)


def _highest(shares: Mapping[str, Mapping[str, float]]) -> dict[str, float]:
    """The figure of a full column, by row.  The start row has only two spaces here and would flatten all others."""
    tokens = RowKey.START.value
    others = max((max(each.values()) for row, each in shares.items() if row != tokens), default=0)
    return {row: max(each.values()) if row == tokens else others for row, each in shares.items()}


def _cells(row: str, shares: Mapping[str, float], highest: float, *, percent: bool) -> list[Cell]:
    most = max(shares.values())
    cells = []
    for space, value in shares.items():
        height = 100 * value / highest
        cells.append(
            Cell(
                space=space,
                value=space.replace("-", "−"),
                name=said.space_in_row(row, space),
                figure=said.share(value) if percent else said.whole(round(100 * value)),
                top=f"{100 - height:.1f}",
                height=f"{height:.1f}" if value else "0",
                is_most=value == most,
            )
        )
    return cells


# --- the curve of a rating ---

OF_A_RATING = Shape(width=360, height=190, left=42, right=346, top=14, bottom=166)


@dataclass(frozen=True)
class CurveGame:
    """A game in the table beside the curve."""

    game_id: str
    day: str
    rating: str
    change: str
    streak: str


@dataclass(frozen=True)
class Curve:
    """A rating through the last games, in the coordinates of its drawing."""

    shape: Shape
    points: str
    area: str
    end_x: float
    end_y: float
    y_ticks: list[Tick]
    first_day: str
    last_day: str
    summary: str
    games: list[CurveGame]


def curve(name: str, latest: Sequence[RatedGame]) -> Curve | None:
    """The rating after each of these games, the oldest first; None for fewer than two."""
    if len(latest) < 2:
        return None
    ratings = [game.shown.rating for game in latest]
    step = _step(max(ratings) - min(ratings))
    low, high = step * (min(ratings) // step), step * (max(ratings) // step + 1)
    shape, last = OF_A_RATING, len(ratings) - 1
    points = [(shape.x(index, last), shape.y(value, low, high)) for index, value in enumerate(ratings)]
    line, (end_x, end_y) = " ".join(f"{x},{y}" for x, y in points), points[-1]
    return Curve(
        shape=shape,
        points=line,
        area=f"{shape.left},{shape.bottom} {line} {end_x},{shape.bottom}",
        end_x=end_x,
        end_y=end_y,
        y_ticks=shape.ticks(low, high, step, said.whole),
        first_day=_day(latest[0]),
        last_day=_day(latest[-1]),
        summary=_(
            "Rating of {name} after each of the last {count} games: from {first} to {last}, "
            "at least {least}, at most {most}."
        ).format(
            name=name,
            count=len(latest),
            first=said.whole(ratings[0]),
            last=said.whole(ratings[-1]),
            least=said.whole(min(ratings)),
            most=said.whole(max(ratings)),
        ),
        games=_games(latest, ratings),
    )


def _step(span: int) -> int:
    """A round distance between two to six lines of the grid."""
    return next(size for size in (20, 50, 100, 200, 500, 1000, 2000, 10**6) if span <= 5 * size)


def _games(latest: Sequence[RatedGame], ratings: Sequence[int]) -> list[CurveGame]:
    """The newest first.  The change by the oldest one is known only if it was the first of all."""
    before = [0 if latest[0].form.games == 1 else None, *ratings]
    lines = [
        CurveGame(
            game_id=game.game_id,
            day=_day(game),
            rating=said.whole(rating),
            change=said.NOTHING if old is None else f"+{rating - old}" if rating > old else said.whole(rating - old),
            streak=said.whole(game.form.streak),
        )
        for game, rating, old in zip(latest, ratings, before, strict=False)
    ]
    return lines[::-1]


def _day(game: RatedGame) -> str:
    return date_format(timezone.localtime(game.at))

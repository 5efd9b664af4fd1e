"""The score sheet: a column for each player, a line for each round, running totals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from types import MappingProxyType

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.pages.parts.confirmations import RoundConfirmations
from games.pages.parts.players import ConditionView, Player, condition_views, players_of
from games.pages.parts.standings import RoundResult, round_result
from games.rules import FinishedRound, PenaltyLine, PublicState
from games.rules.paper import PaperSheet
from games.rules.replay import Step
from games.rules.scoring import signed
from games.texts import words

NO_MINUTES: Mapping[int, int] = MappingProxyType({})
PENALTIES_SHOWN = 10
"""Of one round: a page with thousands of them could not be read."""


@dataclass(frozen=True)
class SheetCell:
    """A player's cell in a line.  A dash if the round is not complete.

    `is_with`: whether the player was in the reader's team; with no reader at a seat, in that of the start player.
    """

    points: str
    total: str
    has_monster: bool = False
    is_with: bool = False

    @property
    def change(self) -> str:
        """The points with the sign of what they change."""
        return f"+{self.points}" if self.points.isdigit() and self.points != "0" else self.points


@dataclass(frozen=True)
class SheetLine:
    """A line of the sheet: a round, or a penalty with its reason.

    `is_counted`: whether it is a round with points; `is_paper`: nothing is known of it but the points; `conditions` and
    `result` only where the sheet is read in detail.  `entry`: of a penalty, the round and the name of its entry, “4.0”,
    to correct it.
    """

    label: str
    number: int | None
    cells: tuple[SheetCell, ...]
    note: str
    dealer: Player | None = None
    is_counted: bool = False
    conditions: Sequence[ConditionView] = ()
    corrections: Sequence[str] = ()
    result: RoundResult | None = None
    confirmations: RoundConfirmations | None = None
    entry: tuple[int, str] | None = None
    is_paper: bool = False
    minutes: str = ""


@dataclass(frozen=True)
class Sheet:
    """The whole sheet."""

    players: tuple[Player, ...]
    lines: tuple[SheetLine, ...]
    totals: tuple[str, ...]
    ranks: tuple[int, ...]
    leaders: tuple[int, ...]
    rounds_to_come: int
    target: str
    next_dealer: Player

    @property
    def open_line(self) -> SheetLine | None:
        """The line of the round that is played."""
        return next((line for line in self.lines if line.number and not line.is_counted), None)

    @property
    def is_corrected(self) -> bool:
        """Whether a round was corrected after it had been counted."""
        return any(line.corrections for line in self.lines)

    @property
    def heads(self) -> list[tuple[Player, str]]:
        """The players with their totals."""
        return list(zip(self.players, self.totals, strict=True))


def sheet(
    state: PublicState,
    confirmations: Mapping[int, RoundConfirmations] | None = None,
    corrections: Mapping[int, Sequence[str]] | None = None,
    *,
    minutes: Mapping[int, int] = NO_MINUTES,
    penalties: Sequence[Step] = (),
    reader: int | None = None,
    in_detail: bool = True,
) -> Sheet:
    """The sheet of a game, with an open line for the round that is played.

    `confirmations`, `corrections`: who has confirmed a round, and what was corrected in it, by its number.
    `minutes`: what rounds took.  `penalties`: the actions that are its penalties.  `reader`: the seat from which the
    sheet of a digital game is read.
    `in_detail`: with conditions and result of each round.
    """
    running = [0] * state.players
    paper = state.setup.paper
    lines = [] if paper is None else _paper_lines(paper, running)
    noted = list(zip_longest(state.penalties, penalties))
    for index in range(len(state.finished) + 1):
        lines += _penalty_lines(state, [each for each in noted if each[0].after_round == index], running)
        if index < len(state.finished):
            done = state.finished[index]
            line = _round_line(state, done, running, reader)
            if in_detail:
                then = replace(state, setup=state.setup.in_round(done.number))
                line = replace(
                    line,
                    conditions=condition_views(then, done),
                    corrections=(corrections or {}).get(done.number, ()),
                    result=round_result(then, done, reader=reader),
                    confirmations=(confirmations or {}).get(done.number),
                    minutes=words.minutes(minutes[done.number]) if done.number in minutes else "",
                )
            lines.append(line)
    played = len(state.finished)
    if state.current is not None:
        played += 1
        lines.append(_open_line(state, played))
    players = players_of(state.setup)
    return Sheet(
        players=players,
        lines=tuple(lines),
        totals=tuple(signed(total) for total in state.totals),
        ranks=tuple(state.ranks),
        leaders=tuple(state.leaders),
        rounds_to_come=state.ruleset.rounds - played if state.current is not None and state.ruleset.rounds else 0,
        target=_target(state),
        next_dealer=players[state.setup.dealer_of(played + 1)],
    )


def _target(state: PublicState) -> str:
    """How far the best total is from the points that end the game; empty if none do."""
    target = state.ruleset.options.target
    if target is None or state.is_over:
        return ""
    return _("The game ends at {target} points; the most so far are {points} of {target}.").format(
        target=target, points=signed(max(state.totals))
    )


def _round_line(state: PublicState, done: FinishedRound, running: list[int], reader: int | None) -> SheetLine:
    cells = []
    together = done.teams.own if reader is None else done.teams.team_of(reader)
    for seat in range(state.players):
        running[seat] += done.score.points[seat]
        cells.append(
            SheetCell(
                points=signed(done.score.points[seat]),
                total=signed(running[seat]),
                has_monster=seat == done.teams.monster,
                is_with=seat in together,
            )
        )
    return SheetLine(
        label=str(done.number),
        number=done.number,
        cells=tuple(cells),
        note="",
        dealer=players_of(state.setup)[done.dealer],
        is_counted=True,
    )


def _paper_lines(paper: PaperSheet, running: list[int]) -> list[SheetLine]:
    """The lines of a game from paper: its rounds, or one with the totals."""
    lines = []
    for number, points in enumerate(paper.lines, start=1):
        running[:] = [before + each for before, each in zip(running, points, strict=True)]
        cells = (signed(each) for each in points) if paper.by_round else ("",) * len(points)
        lines.append(
            SheetLine(
                label=str(number) if paper.by_round else _("Total"),
                number=None,
                cells=tuple(
                    SheetCell(points=each, total=signed(total)) for each, total in zip(cells, running, strict=True)
                ),
                note="",
                is_paper=True,
            )
        )
    return lines


def _penalty_lines(
    state: PublicState, penalties: Sequence[tuple[PenaltyLine, Step | None]], running: list[int]
) -> list[SheetLine]:
    """The penalties before the next round: the latest each, all earlier ones as one line."""
    earlier, latest = penalties[:-PENALTIES_SHOWN], penalties[-PENALTIES_SHOWN:]
    lines = [_line_of_many(state, [penalty for penalty, _ in earlier], running)] if earlier else []
    for penalty, step in latest:
        running[penalty.seat] += penalty.points
        entry = None if step is None else (step.round_number, f"{step.key.seq}.{step.key.part}")
        lines.append(replace(_penalty_line(state, penalty, running), entry=entry))
    return lines


def _line_of_many(state: PublicState, penalties: Sequence[PenaltyLine], running: list[int]) -> SheetLine:
    sums = [0] * state.players
    for penalty in penalties:
        sums[penalty.seat] += penalty.points
        running[penalty.seat] += penalty.points
    count = len(penalties)
    return SheetLine(
        label=_("Penalty"),
        number=None,
        cells=tuple(
            SheetCell(points=words.change(sums[seat]) if sums[seat] else "", total=signed(running[seat]))
            for seat in range(state.players)
        ),
        note=ngettext("{count} earlier penalty", "{count} earlier penalties", count).format(count=count),
    )


def _penalty_line(state: PublicState, penalty: PenaltyLine, running: Sequence[int]) -> SheetLine:
    points = words.change(penalty.points)
    return SheetLine(
        label=_("Penalty"),
        number=None,
        cells=tuple(
            SheetCell(points=points if seat == penalty.seat else "", total=signed(running[seat]))
            for seat in range(state.players)
        ),
        note=_("{name}: {reason}").format(name=state.setup.names[penalty.seat], reason=penalty.reason),
    )


def _open_line(state: PublicState, number: int) -> SheetLine:
    return SheetLine(
        label=str(number),
        number=number,
        cells=(SheetCell(points="–", total=""),) * state.players,
        note="",
        dealer=players_of(state.setup)[state.setup.dealer_of(number)],
    )

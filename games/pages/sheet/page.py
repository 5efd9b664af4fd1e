"""The score sheet: a column for each player, a line for each round, running totals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from games.pages.parts.confirmations import RoundConfirmations
from games.pages.parts.players import ConditionView, Player, condition_views, players_of
from games.pages.parts.standings import RoundResult, round_result
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

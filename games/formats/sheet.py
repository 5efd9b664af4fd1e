"""The score sheet as rows and as CSV: one row for each round and player, penalties as rows of their own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields

from games.formats import csv
from games.rules import Conditions, FinishedRound, PenaltyLine, PublicState, Setup, Teams
from games.rules.confirmations import confirmations
from games.rules.paper import PaperSheet
from games.rules.replay import ConfirmEntry
from games.texts.words import derivation, suit_of


@dataclass(frozen=True)
class SheetRow:
    """A player's round, or a penalty after a round; what a penalty, or a line from paper, does not have is None.

    `confirmed`: the player's team has confirmed the points.
    """

    line: str
    round: int
    seat: int
    name: str
    dealer: int | None
    conditions: Mapping[str, object] | None
    teams: list[list[int]] | None
    monster: int | None
    tricks: int | None
    captured: int | None
    raw: int | None
    points: int
    running_total: int
    derivation: str | None
    reason: str | None
    confirmed: bool | None


def rows(state: PublicState, confirms: Sequence[ConfirmEntry]) -> list[SheetRow]:
    """The sheet from top to bottom: each complete round by seat, then the penalties that were agreed after it."""
    totals = [0] * state.players
    paper = state.setup.paper
    sheet = list(_penalties(state, 0, totals) if paper is None else _paper_rows(paper, state.setup.names, totals))
    for done in state.finished:
        confirmed = {seat for each in confirmations(done, confirms) for seat in each.team}
        for seat in range(state.players):
            totals[seat] += done.score.points[seat]
            row = _round_row(
                done, seat, state.setup.in_round(done.number), running_total=totals[seat], confirmed=seat in confirmed
            )
            sheet.append(row)
        sheet += _penalties(state, done.number, totals)
    return sheet


def as_csv(state: PublicState, confirms: Sequence[ConfirmEntry], *, delimiter: str = csv.COMMA) -> str:
    """The sheet for spreadsheets.  `delimiter`: see `csv.written`."""
    columns = csv.round_columns(field.name for field in fields(SheetRow))
    names = state.setup.names
    table = (csv.flat_round(asdict(row), names) for row in rows(state, confirms))
    return "".join(csv.written(columns, table, delimiter=delimiter))


def conditions_of(settled: Conditions) -> dict[str, object]:
    """The open spaces of a round by row; `start`: the start player's seat."""
    return {
        "start": settled.start,
        "discard": settled.discard,
        "trump": suit_of(settled.trump),
        "supertrump": suit_of(settled.supertrump),
        "points": settled.points,
    }


def teams_of(named: Teams) -> list[list[int]]:
    """The seats of both teams, the start player's team first."""
    return [list(named.own), list(named.other)]


def _round_row(done: FinishedRound, seat: int, setup: Setup, *, running_total: int, confirmed: bool) -> SheetRow:
    return SheetRow(
        line="round",
        round=done.number,
        seat=seat,
        name=setup.names[seat],
        dealer=done.dealer,
        conditions=conditions_of(done.conditions),
        teams=teams_of(done.teams),
        monster=done.teams.monster,
        tricks=done.won[seat].tricks,
        captured=done.won[seat].captured,
        raw=done.score.raw[seat],
        points=done.score.points[seat],
        running_total=running_total,
        derivation=derivation(done, seat, setup),
        reason=None,
        confirmed=confirmed,
    )


def _penalties(state: PublicState, after_round: int, totals: list[int]) -> Iterator[SheetRow]:
    for penalty in state.penalties:
        if penalty.after_round == after_round:
            totals[penalty.seat] += penalty.points
            yield _penalty_row(penalty, state.setup.names[penalty.seat], running_total=totals[penalty.seat])


_OF_ROUNDS = ("dealer", "conditions", "teams", "monster", "tricks", "captured", "raw", "derivation", "confirmed")


def _paper_rows(paper: PaperSheet, names: Sequence[str], totals: list[int]) -> Iterator[SheetRow]:
    for number, line in enumerate(paper.lines, start=1):
        for seat, points in enumerate(line):
            totals[seat] += points
            yield SheetRow(
                line="paper",
                round=number if paper.by_round else 0,
                seat=seat,
                name=names[seat],
                points=points,
                running_total=totals[seat],
                reason=None,
                **dict.fromkeys(_OF_ROUNDS),
            )


def _penalty_row(penalty: PenaltyLine, name: str, *, running_total: int) -> SheetRow:
    return SheetRow(
        line="penalty",
        round=penalty.after_round,
        seat=penalty.seat,
        name=name,
        points=penalty.points,
        running_total=running_total,
        reason=penalty.reason,
        **dict.fromkeys(_OF_ROUNDS),
    )

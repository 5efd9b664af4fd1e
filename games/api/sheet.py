"""The score sheet as rows, for JSON and for spreadsheets.

Knows: one row for each round and player, penalties as rows of their own.  Must not know: how a score is found.
"""

from __future__ import annotations

from collections.abc import Sequence

from games.api import documents, spreadsheets
from games.api.documents import Document
from games.rules import FinishedRound, PenaltyLine, PublicState, Setup
from games.texts.words import derivation

COLUMNS = (
    "line",
    "round",
    "seat",
    "name",
    "dealer",
    "start",
    "discard",
    "trump",
    "supertrump",
    "points_per_trick",
    "team",
    "opponents",
    "monster",
    "tricks",
    "captured",
    "raw",
    "points",
    "running_total",
    "derivation",
    "reason",
)


def rows(state: PublicState) -> list[Document]:
    """The sheet from top to bottom: each complete round by seat, then the penalties that were agreed after it."""
    totals = [0] * state.players
    lines: list[Document] = _penalty_rows(state, 0, totals)
    for done in state.finished:
        for seat in range(state.players):
            totals[seat] += done.score.points[seat]
            lines.append(_round_row(done, seat, state.setup, running_total=totals[seat]))
        lines += _penalty_rows(state, done.number, totals)
    return lines


def _round_row(done: FinishedRound, seat: int, setup: Setup, *, running_total: int) -> Document:
    return {
        "line": "round",
        "round": done.number,
        "seat": seat,
        "name": setup.names[seat],
        "dealer": done.dealer,
        "conditions": documents.conditions(done.conditions),
        "teams": documents.teams(done.teams),
        "monster": done.teams.monster,
        "tricks": done.won[seat].tricks,
        "captured": done.won[seat].captured,
        "raw": done.score.raw[seat],
        "points": done.score.points[seat],
        "running_total": running_total,
        "derivation": derivation(done, seat, setup),
        "reason": None,
    }


def _penalty_rows(state: PublicState, after_round: int, totals: list[int]) -> list[Document]:
    lines = []
    for penalty in state.penalties:
        if penalty.after_round == after_round:
            totals[penalty.seat] += penalty.points
            name = state.setup.names[penalty.seat]
            lines.append(_penalty_row(penalty, name, running_total=totals[penalty.seat]))
    return lines


def _penalty_row(penalty: PenaltyLine, name: str, *, running_total: int) -> Document:
    return {
        "line": "penalty",
        "round": penalty.after_round,
        "seat": penalty.seat,
        "name": name,
        "dealer": None,
        "conditions": None,
        "teams": None,
        "monster": None,
        "tricks": None,
        "captured": None,
        "raw": None,
        "points": penalty.points,
        "running_total": running_total,
        "derivation": None,
        "reason": penalty.reason,
    }


# --- CSV ---


def as_csv(state: PublicState) -> str:
    """The rows as a spreadsheet reads them: players by name, and no text that it would take for a formula."""
    names = state.setup.names
    return "".join(spreadsheets.written(COLUMNS, (_flat(row, names) for row in rows(state))))


def _flat(row: Document, names: Sequence[str]) -> Document:
    flat = {column: row.get(column) for column in COLUMNS}
    if row["conditions"] is None:
        return flat
    own = next(team for team in row["teams"] if row["seat"] in team)
    other = next(team for team in row["teams"] if row["seat"] not in team)
    return {
        **flat,
        **row["conditions"],
        "start": names[row["conditions"]["start"]],
        "points_per_trick": row["conditions"]["points"],
        "points": row["points"],
        "dealer": names[row["dealer"]],
        "team": ", ".join(names[seat] for seat in own),
        "opponents": ", ".join(names[seat] for seat in other),
        "monster": None if row["monster"] is None else names[row["monster"]],
    }

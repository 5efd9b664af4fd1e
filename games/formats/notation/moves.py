"""How each line is read as actions (`NOTATION.md`, “Lines”).

Must not know: whether an action is allowed, nor how a line is laid out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar, assert_never

from games.formats.notation.lines import HIDDEN, KINDS_BY_WORD, LISTED, NO_CARDS, TYPED_FIELDS
from games.formats.notation.tokens import Cursor, Kind, Token, literal
from games.rules.actions import (
    KINDS,
    Action,
    Captured,
    Cards,
    Deal,
    Discard,
    EnterConditions,
    Hidden,
    NameTeam,
    Pass,
    Place,
    Play,
    RecordTally,
    Seat,
)
from games.rules.cards import Card
from games.rules.editions import RowKey
from games.rules.errors import (
    MissingField,
    NjetError,
    NotAtTable,
    RecordRefused,
    UnknownCard,
    UnknownLine,
)
from games.rules.setup import Setup

Figure = TypeVar("Figure")


@dataclass(frozen=True, slots=True)
class Move:
    """An action of a line.  `seat`: who acts, where the line says so; `against`: the other team, likewise."""

    action: Action
    seat: int | None
    at: Token
    against: tuple[int, ...] | None = None


def actions_of(line: str, setup: Setup) -> tuple[Move, ...]:
    """The actions of one line, wrapped or not.

    Errors: `NotationError` and its subclasses, `UnknownLine` for a word that names no action; a `RecordRefused` for a
    quick entry without a row.
    """
    cursor = Cursor(line)
    keyword = cursor.take()
    if keyword.kind is not Kind.WORD or keyword.text not in READERS:
        raise UnknownLine(line=keyword.line, column=keyword.column, word=keyword.text)
    moves = read_moves(cursor, keyword, Table(setup))
    cursor.of(Kind.END, "line_end")
    return moves


class Table:
    """Who sits at the table, by token."""

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self._seats = {seat.token: index for index, seat in enumerate(setup.seats)}

    @property
    def players(self) -> int:
        """How many players there are."""
        return len(self._seats)

    def seat(self, cursor: Cursor) -> int:
        """The seat of the token that comes next."""
        token = cursor.of(Kind.WORD, "player")
        if token.text not in self._seats:
            raise NotAtTable(line=token.line, column=token.column, token=token.text)
        return self._seats[token.text]

    def seat_if_next(self, cursor: Cursor) -> int | None:
        """The seat of the token that comes next, None if something else does."""
        known = cursor.here.kind is Kind.WORD and cursor.here.text in self._seats
        return self.seat(cursor) if known else None

    def seats(self, cursor: Cursor) -> tuple[int, ...]:
        """The seats of a list of tokens."""
        found = [self.seat(cursor)]
        while cursor.taken(","):
            found.append(self.seat(cursor))
        return tuple(found)

    def refused(self, error: NjetError, at: Token) -> RecordRefused:
        """The refusal of the text at a token."""
        return refusal(error, at, self.setup.names)


def refusal(error: NjetError, at: Token, names: Sequence[str]) -> RecordRefused:
    """A rule's own refusal of the text at a token."""
    return RecordRefused(
        line=at.line,
        column=at.column,
        code=error.code,
        reason=error.message,
        refused_params=error.params,
        players=list(names),
    )


def read_moves(cursor: Cursor, keyword: Token, table: Table) -> tuple[Move, ...]:
    """The actions of a line, from after its word to its end."""
    read = READERS[keyword.text]
    if keyword.text not in LISTED:
        moves = [read(cursor, table, keyword)]
    else:
        moves = [read(cursor, table, cursor.here)]
        while cursor.taken(","):
            moves.append(read(cursor, table, cursor.here))
    cursor.line_end()
    return tuple(moves)


def read_space(cursor: Cursor, table: Table) -> tuple[RowKey, str, Token]:
    """A row and one of its spaces, with the token of the space."""
    # “discard” may be a row here as well as the first word of a line.
    cursor.go_on(lambda token: token.text in _ROWS)
    word = cursor.here
    if word.kind is not Kind.WORD or word.text not in _ROWS:
        raise cursor.error("row")
    row = RowKey(cursor.take().text)
    at = cursor.here
    match row:
        case RowKey.START:
            return row, str(table.seat(cursor)), at
        case RowKey.POINTS:
            return row, str(cursor.number()[1]), at
        case RowKey.DISCARD | RowKey.TRUMP | RowKey.SUPERTRUMP:
            return row, cursor.of(Kind.WORD, "space").text, at
    assert_never(row)


_ROWS = {row.value for row in RowKey}


def read_spaces(cursor: Cursor, table: Table) -> dict[RowKey, tuple[str, Token]]:
    """A list of rows, each with a space, none of them twice."""
    found: dict[RowKey, tuple[str, Token]] = {}
    while True:
        at = cursor.here
        row, space, token = read_space(cursor, table)
        if row in found:
            raise cursor.error("each_row", at)
        found[row] = space, token
        if not cursor.taken(","):
            return found


def read_by_seat(cursor: Cursor, table: Table, read: Callable[[Cursor], Figure]) -> list[Figure]:
    """A list with one figure for each player, in any order; returned by seat."""
    found: dict[int, Figure] = {}
    while True:
        at = cursor.here
        seat = table.seat(cursor)
        if seat in found:
            raise cursor.error("each_player", at)
        found[seat] = read(cursor)
        if not cursor.taken(","):
            break
    if len(found) < table.players:
        raise cursor.error("each_player")
    return [found[seat] for seat in range(table.players)]


def _read_place(cursor: Cursor, table: Table, at: Token) -> Move:
    seat = table.seat_if_next(cursor)
    row, space, _ = read_space(cursor, table)
    return Move(Place(row, space), seat, at)


def _read_enter(cursor: Cursor, table: Table, at: Token) -> Move:
    spaces = {row: space for row, (space, _) in read_spaces(cursor, table).items()}
    for row in RowKey:
        if row is not RowKey.START and row not in spaces:
            raise table.refused(MissingField(action="conditions", field=row.value), at)
    action = EnterConditions(
        start=spaces.get(RowKey.START),
        discard=spaces[RowKey.DISCARD],
        trump=spaces[RowKey.TRUMP],
        supertrump=spaces[RowKey.SUPERTRUMP],
        points=spaces[RowKey.POINTS],
    )
    return Move(action, None, at)


def _read_team(cursor: Cursor, table: Table, at: Token) -> Move:
    first = cursor.here
    start = table.seat(cursor)
    partners: tuple[int, ...] = ()
    if not cursor.taken("alone"):
        if not cursor.taken("with"):
            raise cursor.error("alone_or_with")
        partners = table.seats(cursor)
    against = table.seats(cursor) if cursor.taken("against") else None
    named: dict[str, int] = {}
    while cursor.taken(";"):
        clause, who = _read_clause(cursor, table)
        if clause.text in named:
            raise cursor.error("line_end", clause)
        if clause.text == "start" and who != start:
            raise literal(f"start {first.text}", clause)
        named[clause.text] = who
    # Where the table named another start player than the board, the seat that is due is not theirs.
    seat = None if "start" in named else start
    return Move(NameTeam(partners, named.get("monster"), named.get("start")), seat, at, against)


def _read_clause(cursor: Cursor, table: Table) -> tuple[Token, int]:
    if not (cursor.is_next("monster") or cursor.is_next("start")):
        raise cursor.error("monster_or_start")
    return cursor.take(), table.seat(cursor)


def _read_deal(cursor: Cursor, table: Table, at: Token) -> Move:
    return Move(Deal(tuple(read_by_seat(cursor, table, _read_cards))), None, at)


def _read_of_seat(read: Callable[[Cursor], Action], cursor: Cursor, table: Table, at: Token) -> Move:
    seat = table.seat_if_next(cursor)
    return Move(read(cursor), seat, at)


def _read_cards(cursor: Cursor) -> Cards:
    if cursor.taken(NO_CARDS):
        return ()
    if cursor.taken(HIDDEN):
        return Hidden(cursor.count())
    cards: list[Card] = []
    while _has_card(cursor):
        cards.append(_read_card(cursor))
    if not cards:
        raise cursor.error("cards")
    return tuple(cards)


def _has_card(cursor: Cursor) -> bool:
    """Whether a word comes next, or a card in the next line: no line begins with one."""
    cursor.go_on(lambda token: _CARD.fullmatch(token.text) is not None)
    return cursor.here.kind is Kind.WORD


_CARD = re.compile("[A-Z][0-9]{1,2}|[a-z]+-[0-9]{1,2}")


def _read_card(cursor: Cursor) -> Card:
    at = cursor.of(Kind.WORD, "card")
    try:
        return Card.parse(at.text)
    except UnknownCard:
        raise cursor.error("card", at) from None


def _read_tally(cursor: Cursor, table: Table, at: Token) -> Move:
    figures = read_by_seat(cursor, table, lambda cursor: (cursor.count(), _read_captured(cursor)))
    tally = RecordTally(tuple(tricks for tricks, _ in figures), tuple(captured for _, captured in figures))
    return Move(tally, None, at)


def _read_captured(cursor: Cursor) -> int:
    return cursor.count() if cursor.taken("+") else 0


_GRAMMARS: Mapping[str, Callable[[Cursor, Table, Token], Move]] = {
    Deal.kind: _read_deal,
    Place.kind: _read_place,
    EnterConditions.kind: _read_enter,
    NameTeam.kind: _read_team,
    Discard.kind: partial(_read_of_seat, lambda cursor: Discard(_read_cards(cursor))),
    Pass.kind: partial(_read_of_seat, lambda cursor: Pass(_read_cards(cursor))),
    Play.kind: partial(_read_of_seat, lambda cursor: Play(_read_card(cursor))),
    RecordTally.kind: _read_tally,
}
"""The lines with a grammar of their own; the others are read field by field."""


def _read_by_fields(kind: str, cursor: Cursor, table: Table, at: Token) -> Move:
    values: dict[str, Any] = {}
    for name, hint in TYPED_FIELDS[kind]:
        if hint == Seat:
            values[name] = table.seat(cursor)
        elif hint == Captured:
            values[name] = _read_captured(cursor)
        elif hint is str:
            values[name] = cursor.of(Kind.TEXT, "text").text
        else:
            values[name] = cursor.number()[1]
    return Move(KINDS[kind](**values), None, at)


READERS: Mapping[str, Callable[[Cursor, Table, Token], Move]] = {
    word: _GRAMMARS.get(kind) or partial(_read_by_fields, kind) for word, kind in KINDS_BY_WORD.items()
}
"""How a line is read, by its word."""

"""The actions of the table's forms: each form posts `do=<kind>` and the fields of one action.

Phones queue these forms offline and send them later, so the names of the fields stay as they are.
A field that cannot be read is refused as `Malformed`, never guessed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from django.http import QueryDict

from games.pages.forms import optional_number, whole_number
from games.rules import (
    AddPenalty,
    Card,
    Discard,
    EnterConditions,
    Finish,
    NameTeam,
    Pass,
    Place,
    Play,
    RecordTally,
    RecordTrick,
    RowKey,
    VoidRound,
)
from games.rules.actions import Action
from games.rules.cards import sort_hand
from games.rules.errors import MissingField, UnknownActionType, UnknownRow, WrongType

TAKES, GIVES = "takes", "gives"
WAYS = {"": "", TAKES: "-", GIVES: "+"}
"""What a penalty does, with the sign of its points; empty: the sign that was typed says it."""


@dataclass(frozen=True)
class Fields:
    """The posted fields of an action.  `cards`: the cards that are chosen; `players`: how many sit at the table."""

    texts: Mapping[str, str]
    cards: Sequence[str]
    players: int

    def text(self, name: str) -> str:
        """A text, empty if nothing was sent."""
        return self.texts.get(name, "")

    def number(self, name: str) -> int:
        """A whole number.  Errors: `WrongType`."""
        return whole_number(name, self.text(name))

    def optional_number(self, name: str) -> int | None:
        """A whole number, None for an empty field.  Errors: `WrongType`."""
        return optional_number(name, self.text(name))

    def figures(self, name: str) -> tuple[int, ...]:
        """A number for each seat; an empty field is a 0, as on a sheet.  Errors: `WrongType`."""
        return tuple(optional_number(name, self.text(f"{name}-{seat}")) or 0 for seat in range(self.players))

    def pair(self, name: str) -> tuple[str, str]:
        """The two halves of a button's value, `row:space` or `winner:captured`."""
        first, _, second = self.text(name).partition(":")
        return first, second

    def chosen(self) -> tuple[Card, ...]:
        """The chosen cards, sorted.  Errors: `Malformed`."""
        return sort_hand(Card.parse(code) for code in self.cards)


def action_of(data: Mapping[str, str], *, players: int) -> Action:
    """The action of a form.

    Errors: `UnknownActionType`, `Malformed` and its subclasses.
    """
    kind = data.get("do", "")
    reader = _READERS.get(kind)
    if reader is None:
        raise UnknownActionType(type=kind)
    cards = data.getlist("cards") if isinstance(data, QueryDict) else ()
    return reader(Fields(data, cards, players))


def place_of(text: str) -> Place:
    """The placement on `row:space`.

    Errors: `UnknownRow`.
    """
    row, _, space = text.partition(":")
    if row not in set(RowKey):
        raise UnknownRow(row=row)
    return Place(RowKey(row), space)


def penalty_points(way: str, text: str) -> int:
    """What a penalty changes, as `way` (of `WAYS`) and a number say it together.

    Errors: `WrongType` for a sign that says the opposite, or for what is no number.
    """
    if way not in WAYS:
        raise WrongType(field="way", expected="one_of", allowed=f"{TAKES}, {GIVES}")
    points, typed = whole_number("points", text), text.strip()[:1].replace("−", "-")
    if way and typed in ("+", "-") and typed != WAYS[way]:
        raise WrongType(field="points", expected="unsigned_number")
    return -abs(points) if way == TAKES else points


def _conditions(fields: Fields) -> EnterConditions:
    spaces = {row: fields.text(row) for row in ("discard", "trump", "supertrump", "points")}
    for row, space in spaces.items():
        if not space:
            raise MissingField(action="conditions", field=row)
    return EnterConditions(start=fields.text("start") or None, **spaces)


def _team(fields: Fields) -> NameTeam:
    partners, monster = fields.pair("team")
    seats = () if partners == "alone" else tuple(whole_number("partners", seat) for seat in partners.split("-"))
    return NameTeam(seats, optional_number("monster", monster), fields.optional_number("start"))


def _trick(fields: Fields) -> RecordTrick:
    winner, captured = fields.pair("trick")
    return RecordTrick(whole_number("winner", winner), whole_number("captured", captured))


_READERS: Mapping[str, Callable[[Fields], Action]] = {
    "place": lambda fields: place_of(fields.text("space")),
    "conditions": _conditions,
    "team": _team,
    "discard": lambda fields: Discard(fields.chosen()),
    "pass": lambda fields: Pass(fields.chosen()),
    "play": lambda fields: Play(Card.parse(fields.text("card"))),
    "trick": _trick,
    "tally": lambda fields: RecordTally(fields.figures("tricks"), fields.figures("captured")),
    "void_round": lambda fields: VoidRound(fields.text("reason")),
    "penalty": lambda fields: AddPenalty(
        fields.number("seat"), penalty_points(fields.text("way"), fields.text("points")), fields.text("reason")
    ),
    "finish": lambda fields: Finish(),
}

"""The closed set of actions, and how they are written (`rules.md` section 3, the API contract's ACTION).

Knows: the fields of each action, reading and writing them strictly.  Must not know: whether an action is allowed; that
is asked of a state.

`to_json` and `from_json` are inverse to each other.  Reading refuses whatever is not exactly an action: unknown fields,
missing fields, values of another type (`Malformed`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import assert_never

from games.rules.cards import Card
from games.rules.editions import RowKey
from games.rules.errors import MissingField, UnknownActionType, UnknownField, UnknownRow, WrongType

LARGEST_NUMBER = 10**9


@dataclass(frozen=True, slots=True)
class Hidden:
    """So many cards, face down: what others see of them."""

    count: int


Cards = tuple[Card, ...] | Hidden


@dataclass(frozen=True, slots=True)
class Deal:
    """Chance has dealt: `hands[seat]`.

    `seed` is what the hands were made of (`dealing.py`), kept from everybody until the game is over; `commitment`, its
    hash, is shown at once, so that everybody can check the deal afterwards.  None: the cards were given otherwise.
    """

    hands: tuple[Cards, ...]
    seed: str | None = None
    commitment: str | None = None


@dataclass(frozen=True, slots=True)
class Place:
    """The next player covers a space."""

    row: RowKey
    space: str


@dataclass(frozen=True, slots=True)
class EnterConditions:
    """Quick entry: the settled board in one go.  `start` is None where the start row is not used."""

    start: str | None
    discard: str
    trump: str
    supertrump: str
    points: str

    @property
    def spaces(self) -> dict[RowKey, str]:
        """The spaces that stay open, by row."""
        named = {
            RowKey.DISCARD: self.discard,
            RowKey.TRUMP: self.trump,
            RowKey.SUPERTRUMP: self.supertrump,
            RowKey.POINTS: self.points,
        }
        return named if self.start is None else {RowKey.START: self.start, **named}


@dataclass(frozen=True, slots=True)
class NameTeam:
    """The start player names his partners and the holder of the monster.

    `start`: where the start row is not used, the start player that the table agreed on instead of the first placer.
    """

    partners: tuple[int, ...]
    monster: int | None
    start: int | None = None


@dataclass(frozen=True, slots=True)
class Discard:
    """A player puts cards out of the round, face down."""

    cards: Cards


@dataclass(frozen=True, slots=True)
class Pass:
    """A player gives cards to the right neighbour, face down."""

    cards: Cards


@dataclass(frozen=True, slots=True)
class Play:
    """A player plays a card to the trick."""

    card: Card


@dataclass(frozen=True, slots=True)
class Claim:
    """All the others grant a player the remaining tricks of the round, with so many captured cards."""

    seat: int
    captured: int


@dataclass(frozen=True, slots=True)
class RecordTrick:
    """A trick of a physical table: who won it, and how many cards were captured."""

    winner: int
    captured: int


@dataclass(frozen=True, slots=True)
class RecordTally:
    """The totals of a round of a physical table, by seat; replaces the tricks recorded one by one so far."""

    tricks: tuple[int, ...]
    captured: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class VoidRound:
    """A misdeal: the round starts again with the same dealer."""

    reason: str


@dataclass(frozen=True, slots=True)
class AddPenalty:
    """A line of its own on the sheet, agreed at the table."""

    seat: int
    points: int
    reason: str


@dataclass(frozen=True, slots=True)
class Finish:
    """The game ends after the rounds that are complete."""


Action = (
    Deal
    | Place
    | EnterConditions
    | NameTeam
    | Discard
    | Pass
    | Play
    | Claim
    | RecordTrick
    | RecordTally
    | VoidRound
    | AddPenalty
    | Finish
)

KINDS: Mapping[type, str] = {
    Deal: "deal",
    Place: "place",
    EnterConditions: "conditions",
    NameTeam: "team",
    Discard: "discard",
    Pass: "pass",
    Play: "play",
    Claim: "claim",
    RecordTrick: "trick",
    RecordTally: "tally",
    VoidRound: "void_round",
    AddPenalty: "penalty",
    Finish: "finish",
}


def kind_of(action: Action) -> str:
    """The name of an action's type in JSON and in the log."""
    return KINDS[type(action)]


def to_json(action: Action) -> dict[str, object]:
    """The action as a plain JSON object."""
    return {"type": kind_of(action), **_fields(action)}


def _fields(action: Action) -> dict[str, object]:
    match action:
        case Deal(hands, seed, commitment):
            dealt = {"hands": [_cards_out(hand) for hand in hands], "counts": [_count(hand) for hand in hands]}
            known = {"seed": seed, "commitment": commitment}
            return {**dealt, **{name: text for name, text in known.items() if text is not None}}
        case Place(row, space):
            return {"row": row.value, "space": space}
        case EnterConditions():
            return {row.value: space for row, space in action.spaces.items()}
        case NameTeam(partners, monster, start):
            named: dict[str, object] = {"partners": list(partners), "monster": monster}
            return named if start is None else {**named, "start": start}
        case Discard(cards) | Pass(cards):
            return {"cards": None, "count": cards.count} if isinstance(cards, Hidden) else {"cards": _cards_out(cards)}
        case Play(card):
            return {"card": str(card)}
        case Claim(seat, captured):
            return {"seat": seat, "captured": captured}
        case RecordTrick(winner, captured):
            return {"winner": winner, "captured": captured}
        case RecordTally(tricks, captured):
            return {"tricks": list(tricks), "captured": list(captured)}
        case VoidRound(reason):
            return {"reason": reason}
        case AddPenalty(seat, points, reason):
            return {"seat": seat, "points": points, "reason": reason}
        case Finish():
            return {}
    assert_never(action)


def from_json(value: object) -> Action:
    """Read an action.

    Errors: `Malformed` and its kin.
    """
    if not isinstance(value, Mapping):
        raise WrongType(field="action", expected="an object")
    kind = value.get("type")
    if not isinstance(kind, str):
        raise MissingField(action="action", field="type")
    reader = _READERS.get(kind)
    if reader is None:
        raise UnknownActionType(type=kind)
    fields = _Fields(kind, value)
    action = reader(fields)
    fields.refuse_others()
    return action


class _Fields:
    """The fields of one JSON object, each taken out once with its type checked."""

    def __init__(self, kind: str, value: Mapping[object, object]) -> None:
        self._kind = kind
        self._value = value
        self._taken: set[object] = {"type"}

    def take(self, name: str) -> object:
        if name not in self._value:
            raise MissingField(action=self._kind, field=name)
        self._taken.add(name)
        return self._value[name]

    def optional(self, name: str) -> object:
        return self.take(name) if name in self._value else None

    def text(self, name: str) -> str:
        return _text(name, self.take(name))

    def optional_text(self, name: str) -> str | None:
        value = self.optional(name)
        return None if value is None else _text(name, value)

    def number(self, name: str) -> int:
        return _number(name, self.take(name))

    def number_or_null(self, name: str) -> int | None:
        value = self.take(name)
        return None if value is None else _number(name, value)

    def optional_number(self, name: str) -> int | None:
        return self.number_or_null(name) if name in self._value else None

    def numbers(self, name: str) -> tuple[int, ...]:
        return tuple(_number(name, each) for each in _list(name, self.take(name)))

    def refuse_others(self) -> None:
        for name in self._value:
            if name not in self._taken:
                raise UnknownField(action=self._kind, field=str(name))


def _text(name: str, value: object) -> str:
    if not isinstance(value, str):
        raise WrongType(field=name, expected="a text")
    return value


def _number(name: str, value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise WrongType(field=name, expected="a whole number")
    if abs(value) >= LARGEST_NUMBER:
        # Numbers of thousands of digits can be read, but their sum can no longer be written in a refusal.
        raise WrongType(field=name, expected="a whole number of a few digits")
    return value


def _list(name: str, value: object) -> list[object]:
    if not isinstance(value, list):
        raise WrongType(field=name, expected="a list")
    return value


def _cards_in(name: str, value: object) -> tuple[Card, ...]:
    return tuple(Card.parse(_text(name, each)) for each in _list(name, value))


def _cards_out(cards: Cards) -> list[str] | None:
    return None if isinstance(cards, Hidden) else [str(card) for card in cards]


def _count(cards: Cards) -> int:
    return cards.count if isinstance(cards, Hidden) else len(cards)


def _read_row(fields: _Fields) -> RowKey:
    text = fields.text("row")
    if text not in {row.value for row in RowKey}:
        raise UnknownRow(row=text)
    return RowKey(text)


def _read_deal(fields: _Fields) -> Deal:
    hands, counts = _list("hands", fields.take("hands")), fields.numbers("counts")
    if len(hands) != len(counts):
        raise WrongType(field="counts", expected="one number for each hand")
    read = tuple(
        _hidden(count) if hand is None else _cards_in("hands", hand) for hand, count in zip(hands, counts, strict=True)
    )
    if any(_count(hand) != count for hand, count in zip(read, counts, strict=True)):
        raise WrongType(field="counts", expected="the number of cards of each hand")
    return Deal(read, fields.optional_text("seed"), fields.optional_text("commitment"))


def _read_chosen(fields: _Fields) -> Cards:
    cards = fields.take("cards")
    return _hidden(fields.number("count")) if cards is None else _cards_in("cards", cards)


def _hidden(count: int) -> Hidden:
    if count < 0:
        raise WrongType(field="count", expected="a whole number from 0 on")
    return Hidden(count)


def _read_conditions(fields: _Fields) -> EnterConditions:
    return EnterConditions(
        start=fields.optional_text("start"),
        discard=fields.text("discard"),
        trump=fields.text("trump"),
        supertrump=fields.text("supertrump"),
        points=fields.text("points"),
    )


def _read_team(fields: _Fields) -> NameTeam:
    partners, monster = fields.numbers("partners"), fields.number_or_null("monster")
    return NameTeam(partners, monster, fields.optional_number("start"))


_READERS: Mapping[str, Callable[[_Fields], Action]] = {
    "deal": _read_deal,
    "place": lambda fields: Place(_read_row(fields), fields.text("space")),
    "conditions": _read_conditions,
    "team": _read_team,
    "discard": lambda fields: Discard(_read_chosen(fields)),
    "pass": lambda fields: Pass(_read_chosen(fields)),
    "play": lambda fields: Play(_cards_in("card", [fields.take("card")])[0]),
    "claim": lambda fields: Claim(fields.number("seat"), fields.number("captured")),
    "trick": lambda fields: RecordTrick(fields.number("winner"), fields.number("captured")),
    "tally": lambda fields: RecordTally(fields.numbers("tricks"), fields.numbers("captured")),
    "void_round": lambda fields: VoidRound(fields.text("reason")),
    "penalty": lambda fields: AddPenalty(fields.number("seat"), fields.number("points"), fields.text("reason")),
    "finish": lambda fields: Finish(),
}

"""The closed set of actions (RULES.md section 3), and how they are written as JSON.

Must not know whether an action is allowed: that is the state's answer.

An action is stated in three places: here, with its place in `Action`; in `PublicState.apply`, with what it does; in the
texts, with its sentence.  Its JSON is {"type": kind, **fields} (`codec.py`); `to_json` and `from_json` are inverse.

`digital`: True for an action of digital games only, False for one of physical tables only, None for one of both.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, ClassVar, get_args

from games.rules import codec
from games.rules.cards import CARDS, Card
from games.rules.codec import FORM, LEFT_OUT, Fields
from games.rules.editions import EDITIONS, RowKey
from games.rules.errors import MissingField, UnknownActionType, WrongType

Seat = Annotated[int, "seat"]
"""A number from 0 on that names a player, clockwise."""

Captured = Annotated[int, "captured"]
"""A number of captured cards."""


@dataclass(frozen=True, slots=True)
class Hidden:
    """A number of cards, face down: what others see of them."""

    count: int


Cards = tuple[Card, ...] | Hidden


def count(cards: Cards) -> int:
    """How many cards these are, face down or not."""
    return cards.count if isinstance(cards, Hidden) else len(cards)


class _CardsForm:
    """{"cards": [...]}; face down {"cards": null, "count": 2}."""

    def write(self, name: str, value: Cards) -> dict[str, object]:
        return (
            {name: None, "count": value.count} if isinstance(value, Hidden) else {name: [str(each) for each in value]}
        )

    def read(self, name: str, taken: Fields) -> Cards:
        value = taken.take(name)
        return _face_down("count", taken.take("count")) if value is None else _named(name, value)


class _HandsForm:
    """{"hands": [[...], null], "counts": [15, 15]}: a hand that lies face down is null."""

    def write(self, name: str, value: tuple[Cards, ...]) -> dict[str, object]:
        hands = [None if isinstance(hand, Hidden) else [str(each) for each in hand] for hand in value]
        return {name: hands, "counts": [count(hand) for hand in value]}

    def read(self, name: str, taken: Fields) -> tuple[Cards, ...]:
        hands = codec.items(name, taken.take(name))
        counts = [codec.number("counts", each) for each in codec.items("counts", taken.take("counts"))]
        if len(hands) != len(counts):
            raise WrongType(field="counts", expected="number_for_each_hand")
        read = tuple(
            _face_down("counts", number) if hand is None else _named(name, hand)
            for hand, number in zip(hands, counts, strict=True)
        )
        if any(count(hand) != number for hand, number in zip(read, counts, strict=True)):
            raise WrongType(field="counts", expected="cards_of_each_hand")
        return read


def _face_down(name: str, value: object) -> Hidden:
    number = codec.number(name, value)
    if number < 0:
        raise WrongType(field=name, expected="count")
    return Hidden(number)


def _named(name: str, cards: object) -> tuple[Card, ...]:
    return tuple(codec.card(name, each) for each in codec.items(name, cards))


@dataclass(frozen=True, slots=True)
class Deal:
    """The cards are dealt: `hands[seat]`.

    `seed` is what the hands were made of (`dealing.py`), secret until the game is over; `commitment`, a hash of game,
    round and seed, is shown at once, so that anyone can check the deal afterwards.  None: the cards came otherwise.
    """

    kind: ClassVar[str] = "deal"
    digital: ClassVar[bool | None] = True

    hands: tuple[Cards, ...] = field(metadata={FORM: _HandsForm()})
    seed: str | None = field(default=None, metadata=LEFT_OUT)
    commitment: str | None = field(default=None, metadata=LEFT_OUT)


@dataclass(frozen=True, slots=True)
class Place:
    """The next player covers a space."""

    kind: ClassVar[str] = "place"
    digital: ClassVar[bool | None] = None

    row: RowKey
    space: str


@dataclass(frozen=True, slots=True)
class EnterConditions:
    """The settled board in one go: the space that stays open in each row.

    `start` is None where the start row is not used.
    """

    kind: ClassVar[str] = "conditions"
    digital: ClassVar[bool | None] = False

    start: str | None = field(metadata=LEFT_OUT)
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
    """The start player names their partners, without themselves, and the holder of the monster.

    `start`: only with `start_row` off: the start player that the table agreed on instead of the first placer.
    """

    kind: ClassVar[str] = "team"
    digital: ClassVar[bool | None] = None

    partners: tuple[Seat, ...]
    monster: Seat | None
    start: Seat | None = field(default=None, metadata=LEFT_OUT)


@dataclass(frozen=True, slots=True)
class Discard:
    """A player puts cards out of the round, face down."""

    kind: ClassVar[str] = "discard"
    digital: ClassVar[bool | None] = True

    cards: Cards = field(metadata={FORM: _CardsForm()})


@dataclass(frozen=True, slots=True)
class Pass:
    """A player gives cards to a neighbour, face down."""

    kind: ClassVar[str] = "pass"
    digital: ClassVar[bool | None] = True

    cards: Cards = field(metadata={FORM: _CardsForm()})


@dataclass(frozen=True, slots=True)
class Play:
    """A player plays a card to the trick."""

    kind: ClassVar[str] = "play"
    digital: ClassVar[bool | None] = True

    card: Card


@dataclass(frozen=True, slots=True)
class Claim:
    """All the others grant a player the remaining tricks of the round, with this number of captured cards."""

    kind: ClassVar[str] = "claim"
    digital: ClassVar[bool | None] = True

    seat: Seat
    captured: Captured


@dataclass(frozen=True, slots=True)
class RecordTrick:
    """A trick of a physical table: its winner and how many cards they captured."""

    kind: ClassVar[str] = "trick"
    digital: ClassVar[bool | None] = False

    winner: Seat
    captured: Captured


@dataclass(frozen=True, slots=True)
class RecordTally:
    """The totals of a round of a physical table, by seat; replaces the tricks recorded one by one in this round."""

    kind: ClassVar[str] = "tally"
    digital: ClassVar[bool | None] = False

    tricks: tuple[int, ...]
    captured: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class VoidRound:
    """A misdeal: the round starts again with the same dealer."""

    kind: ClassVar[str] = "void_round"
    digital: ClassVar[bool | None] = False

    reason: str


@dataclass(frozen=True, slots=True)
class AddPenalty:
    """An agreed penalty: a line of its own on the sheet."""

    kind: ClassVar[str] = "penalty"
    digital: ClassVar[bool | None] = False

    seat: Seat
    points: int
    reason: str


@dataclass(frozen=True, slots=True)
class Finish:
    """The game ends after the rounds that are complete."""

    kind: ClassVar[str] = "finish"
    digital: ClassVar[bool | None] = None


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

KINDS: Mapping[str, type[Action]] = {action.kind: action for action in get_args(Action)}
"""The dataclass of each kind of action, by its name in JSON and in the log."""


def kind_of(action: Action) -> str:
    """The name of an action's kind."""
    return action.kind


def to_json(action: Action) -> dict[str, object]:
    """The action as a plain JSON object."""
    return {"type": action.kind, **codec.written(action)}


def from_json(value: object) -> Action:
    """Read an action.

    Errors: `Malformed` and its subclasses.
    """
    known = _known(value)
    if known is not None:
        return known
    fields = Fields(value, of="action")
    kind = fields.take("type") if "type" in fields else None
    if not isinstance(kind, str):
        raise MissingField(action="action", field="type")
    if kind not in KINDS:
        raise UnknownActionType(type=kind)
    action: Action = codec.read(KINDS[kind], fields.named(kind))
    return action


def _known(value: object) -> Action | None:
    """The action of a document that is written exactly like one of `_USUAL`."""
    try:
        return _USUAL.get(tuple(value.items())) if isinstance(value, dict) else None
    except TypeError:
        # A list in it cannot be hashed.
        return None


_SPACES = {(row, space) for edition in EDITIONS.values() for row, spaces in edition.spaces.items() for space in spaces}
_SEATS = {(RowKey.START, str(seat)) for edition in EDITIONS.values() for seat in range(max(edition.player_counts))}
_MARKERS: list[Action] = [Place(row, space) for row, space in sorted(_SPACES | _SEATS)]
_USUAL: Mapping[tuple[tuple[str, object], ...], Action] = {
    tuple(to_json(action).items()): action for action in (*_MARKERS, *map(Play, CARDS))
}
"""Markers and cards, which are nearly all entries of every log, by their documents: read without asking each field."""

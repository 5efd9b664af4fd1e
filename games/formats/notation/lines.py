"""How each kind of action is written on a line (`NOTATION.md`, “Lines”).

Must not know: whether an action is allowed, nor how a line is read.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import get_type_hints

from games.formats.notation.tokens import quoted
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
    RecordTrick,
    Seat,
    VoidRound,
)
from games.rules.editions import RowKey
from games.rules.setup import Setup

LISTED = ("place", "tricks", "discard", "pass", "play")
"""The lines that hold several actions one after the other, with commas between them."""

NO_CARDS = "none"
HIDDEN = "hidden"


def line_of(action: Action, setup: Setup, *, seat: int | None = None) -> str:
    """The line of an action: its word and its item, one blank between words, not wrapped.

    `seat`: who acts, if that is known.  A team line needs it, for it begins with the start player.
    """
    keyword = word_of(action)
    return f"{keyword} {item_of(action, setup, seat=seat)}".rstrip()


def word_of(action: Action) -> str:
    """The word that an action's line begins with."""
    return _WORDS.get(action.kind, action.kind)


_WORDS: Mapping[str, str] = {EnterConditions.kind: "enter", RecordTrick.kind: "tricks", VoidRound.kind: "void"}

KINDS_BY_WORD: Mapping[str, str] = {_WORDS.get(kind, kind): kind for kind in KINDS}
"""The kind of action that a line's word names."""


def _typed_fields(action: type[Action]) -> tuple[tuple[str, object], ...]:
    hints = get_type_hints(action, include_extras=True)
    return tuple((each.name, hints[each.name]) for each in fields(action))


TYPED_FIELDS: Mapping[str, tuple[tuple[str, object], ...]] = {
    kind: _typed_fields(action) for kind, action in KINDS.items()
}
"""The fields of each kind of action with their types: a line without a grammar of its own is made of these."""


def item_of(action: Action, setup: Setup, *, seat: int | None) -> str:
    """What an action's line holds after its word."""
    names = _tokens_of(setup)
    who = "" if seat is None else f"{names[seat]} "
    match action:
        case Deal(hands):
            return ", ".join(f"{name} {_cards(hand)}" for name, hand in zip(names, hands, strict=True))
        case Place(row, space):
            return f"{who}{space_item(row, space, setup)}"
        case EnterConditions():
            return ", ".join(space_item(row, space, setup) for row, space in action.spaces.items())
        case NameTeam():
            return _team(action, names, seat)
        case Discard(cards) | Pass(cards):
            return f"{who}{_cards(cards)}"
        case Play(card):
            return f"{who}{card.compact}"
        case RecordTally():
            return ", ".join(tally_items(action, setup))
        case _:
            return _by_fields(action, names)


def _by_fields(action: Action, names: Sequence[str]) -> str:
    """An action field by field: a player's token, a number, a quoted text, `+` captured cards."""
    item = ""
    for name, hint in TYPED_FIELDS[action.kind]:
        value = getattr(action, name)
        if hint == Captured:
            item += _captured(value)
        else:
            item += f" {names[value] if hint == Seat else quoted(value) if hint is str else value}"
    return item.lstrip()


def space_item(row: RowKey, space: str, setup: Setup) -> str:
    """A row and one of its spaces: “trump red”, “start pink”."""
    return f"{row.value} {setup.seats[int(space)].token if row is RowKey.START else space}"


def tally_items(tally: RecordTally, setup: Setup) -> list[str]:
    """What each player has won, by seat: “bear 5+1”."""
    figures = zip(_tokens_of(setup), tally.tricks, tally.captured, strict=True)
    return [f"{name} {tricks}{_captured(captured)}" for name, tricks, captured in figures]


def _team(action: NameTeam, names: Sequence[str], seat: int | None) -> str:
    start = seat if action.start is None else action.start
    assert start is not None, "a team line begins with the start player"
    partners = [names[partner] for partner in action.partners]
    against = [name for name in names if name != names[start] and name not in partners]
    parts = [
        names[start],
        f"with {', '.join(partners)}" if partners else "alone",
        f"against {', '.join(against)}",
    ]
    named = {"monster": action.monster, "start": action.start}
    return "; ".join([" ".join(parts), *(f"{word} {names[who]}" for word, who in named.items() if who is not None)])


def _captured(captured: int) -> str:
    return f"+{captured}" if captured else ""


def _cards(cards: Cards) -> str:
    if isinstance(cards, Hidden):
        return f"{HIDDEN} {cards.count}"
    return " ".join(card.compact for card in cards) or NO_CARDS


def _tokens_of(setup: Setup) -> list[str]:
    return [seat.token for seat in setup.seats]

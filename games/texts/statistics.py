"""Figures of the statistics as text, and names of spaces outside of a single game."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.rules.editions import NJET, RowKey
from games.rules.scoring import signed
from games.texts import words

NOTHING = "–"
"""What stands where nothing was counted."""


# --- figures ---


def whole(number: int) -> str:
    """A count: “12,345”, “−7”."""
    printed = number_format(abs(number), force_grouping=True)
    return f"−{printed}" if number < 0 else printed


def mean(value: float | None, *, digits: int = 1) -> str:
    """A mean: “17.2”, “−3.0”, “–” where nothing was counted."""
    if value is None:
        return NOTHING
    rounded = round(value, digits)
    # Never “−0.0”.
    minus = "−" if rounded < 0 else ""
    return minus + number_format(f"{abs(rounded):.{digits}f}", digits)


def more_or_less(value: float | None) -> str:
    """A difference with its sign: “+3.4”, “−0.8”."""
    return f"+{mean(value)}" if value is not None and round(value, 1) > 0 else mean(value)


def share(value: float | None) -> str:
    """A rate: “37%”."""
    return NOTHING if value is None else _("{number}%").format(number=round(100 * value))


def games(number: int) -> str:
    """A number of games: “1 game”, “12 games”."""
    return ngettext("{count} game", "{count} games", number).format(count=whole(number))


def rounds(number: int) -> str:
    """A number of rounds: “1 round”, “30 rounds”."""
    return ngettext("{count} round", "{count} rounds", number).format(count=whole(number))


def only_rounds(number: int) -> str:
    """A warning that a figure is based on few rounds."""
    return ngettext(
        "Only {count} round so far: mostly luck.",
        "Only {count} rounds so far: mostly luck.",
        number,
    ).format(count=whole(number))


def only_games(number: int) -> str:
    """A warning that a figure is based on few games."""
    return ngettext(
        "Only {count} game so far: mostly luck.",
        "Only {count} games so far: mostly luck.",
        number,
    ).format(count=whole(number))


def wins_in_a_row(number: int) -> str:
    """A streak of wins, empty if there is none."""
    return ngettext("{count} win in a row", "{count} wins in a row", number).format(count=number) if number > 1 else ""


def still_to_rate(number: int, *, at_most: int) -> str:
    """How many games are not rated yet, empty if all are."""
    if not number:
        return ""
    count = _("{count} or more").format(count=whole(number)) if number >= at_most else whole(number)
    return ngettext(
        "{count} game is still to be rated: ratings and streaks follow.",
        "{count} games are still to be rated: ratings and streaks follow.",
        number,
    ).format(count=count)


# --- spaces ---


def row_name(row: str) -> str:
    """A row of the board."""
    return _("Tokens") if row == RowKey.START else str(words.ROW_NAMES[RowKey(row)])


def space_in_row(row: str, space: str) -> str:
    """A space where its row is known: “red”, “own token”."""
    match RowKey(row):
        case RowKey.START:
            return _("own token") if space == "self" else _("another’s token")
        case RowKey.POINTS:
            points = int(space)
            return ngettext("{count} point", "{count} points", abs(points)).format(count=signed(points))
        case other if space == NJET:
            return str(words.NJET_NAMES[other])
        case RowKey.DISCARD:
            return words.exchange_name(space)
        case _:
            return str(words.SUIT_NAMES[space])


def space_anywhere(row: str, space: str) -> str:
    """A space out of its row, with a capital: “Red trump”, “4 points”."""
    name = space_in_row(row, space)
    if space != NJET and row == RowKey.TRUMP:
        name = _("{suit} trump").format(suit=name)
    if space != NJET and row == RowKey.SUPERTRUMP:
        name = _("{cards} super trump").format(cards=name)
    return words.plain(name)


def sentences(parts: Sequence[str]) -> str:
    """Sentences joined by spaces."""
    return " ".join(part for part in parts if part)

"""A finished game in a sentence and in a line, for chats and readers of news.

Knows: names, totals, the day and the place.  Must not know: the log, so that a list reads columns alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.rules import PublicState
from games.rules.scoring import signed
from games.texts import words


@dataclass(frozen=True, slots=True)
class Standing:
    """A player's result."""

    name: str
    total: int
    is_winner: bool


def standings(state: PublicState, names: Sequence[str]) -> list[Standing]:
    """The results of a finished game from the first place on, under these names by seat."""
    return [Standing(names[seat], state.totals[seat], seat in state.winners) for seat in by_place(state)]


def by_place(state: PublicState) -> list[int]:
    """The seats from the first place on."""
    return sorted(range(state.players), key=lambda seat: state.ranks[seat])


def sentence(results: Sequence[Standing]) -> str:
    """Who won, and with what: “Ana won NJET with 54”."""
    winners = [each for each in results if each.is_winner]
    return ngettext(
        "{names} won NJET with {total}", "{names} share the victory in NJET with {total}", len(winners)
    ).format(names=words.listing([each.name for each in winners]), total=signed(winners[0].total))


def line(results: Sequence[Standing], played: datetime, place: str = "") -> str:
    """The result, for a chat: “Ana won NJET with 54: Ana 54, Ben 48, Cleo 48 (15 Jan 2026, Garden)”.

    `played`: of this time it has the day of the reader.
    """
    totals = [
        _("{names} {points}").format(names=words.isolated(each.name), points=signed(each.total)) for each in results
    ]
    return _("{sentence}: {totals} ({occasion})").format(
        sentence=sentence(results), totals=", ".join(totals), occasion=", ".join(filter(None, (day(played), place)))
    )


def day(played: datetime) -> str:
    """The day of the reader, as pages write it."""
    return date_format(timezone.localdate(played))

"""Reading the parameters of addresses, strictly.

Knows: what may stand behind the question mark.  Must not know: what is done with it, nor who asks.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

from django.http import QueryDict

from games.api.fields import as_choice
from games.club import history
from games.club.history import Filters
from games.rules import PRESETS
from games.rules.errors import Malformed, UnknownField, WrongType

FORMATS = ("json", "csv")
EXPORT_FORMATS = ("json", "njet", "bgstats", "bgsplay")
FEWEST_PLAYERS, MOST_PLAYERS = 2, 5
MOST_DIGITS = 16

FILTERS = ("player", "preset", "players", "from", "to")
PLACES = ("cursor", "size")

DAY = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)


def after(query: QueryDict) -> int:
    """Read `?after=`."""
    return _number(query, "after", 0)


def sheet_format(query: QueryDict) -> str:
    """Read `?format=`."""
    return _format(query, FORMATS)


def export_format(query: QueryDict) -> str:
    """Read `?format=` of a whole game."""
    return _format(query, EXPORT_FORMATS)


@dataclass(frozen=True)
class Listing:
    """Which results, in which order, from where on, in which form."""

    filters: Filters
    ordering: str
    cursor: str | None
    size: int
    format: str


@dataclass(frozen=True)
class Following:
    """What changed since."""

    changed_after: int
    size: int


def results_asked(query: QueryDict) -> Listing | Following:
    """Read the parameters of `GET /results/`."""
    if "changed_after" not in query:
        return listing(query)
    _refuse_others(query, ("changed_after", "size"))
    return Following(_number(query, "changed_after", 0), _size(query))


def listing(query: QueryDict) -> Listing:
    """Read filters, order and page."""
    wanted = _format(query, FORMATS)
    # A file is whole: a page of it would look like all of it.
    _refuse_others(query, (*FILTERS, "ordering", "format", *(PLACES if wanted == "json" else ())))
    return Listing(
        filters=_filters(query),
        ordering=as_choice("ordering", query.get("ordering", history.NEWEST), history.ORDERINGS),
        cursor=query.get("cursor"),
        size=_size(query),
        format=wanted,
    )


def _filters(query: QueryDict) -> Filters:
    players = _number(query, "players", 0) if "players" in query else None
    if players is not None and not FEWEST_PLAYERS <= players <= MOST_PLAYERS:
        raise WrongType(field="players", expected=f"a number from {FEWEST_PLAYERS} to {MOST_PLAYERS}")
    preset = query.get("preset")
    return Filters(
        player=query.get("player"),
        preset=None if preset is None else as_choice("preset", preset, tuple(PRESETS)),
        players=players,
        since=_moment("from", query.get("from")),
        until=_moment("to", query.get("to"), whole_day=True),
    )


def _moment(name: str, said: str | None, *, whole_day: bool = False) -> datetime | None:
    """The moment of a day or a time; `whole_day`: a day counts to its end."""
    if said is None:
        return None
    try:
        if DAY.fullmatch(said):
            day = date.fromisoformat(said)
            if whole_day and day == date.max:
                return None
            return datetime.combine(day + timedelta(days=int(whole_day)), datetime.min.time(), UTC)
        if not DAY.match(said) or said[10] not in "Tt ":
            raise ValueError(said)
        moment = datetime.fromisoformat(said)
        return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    except (ValueError, OverflowError) as error:
        raise WrongType(field=name, expected="a day or a time in ISO 8601") from error


def _size(query: QueryDict) -> int:
    size = _number(query, "size", history.PAGE)
    if not 1 <= size <= history.MOST_ON_A_PAGE:
        raise WrongType(field="size", expected=f"a number from 1 to {history.MOST_ON_A_PAGE}")
    return size


def _number(query: QueryDict, name: str, default: int) -> int:
    said = query.get(name, str(default))
    if not (said.isascii() and said.isdigit() and len(said) <= MOST_DIGITS):
        raise WrongType(field=name, expected="a whole number from 0 on")
    return int(said)


def _format(query: QueryDict, formats: Sequence[str]) -> str:
    return as_choice("format", query.get("format", formats[0]), formats)


def _refuse_others(query: QueryDict, known: Sequence[str]) -> None:
    for name in query:
        if name in known:
            continue
        if name in (*FILTERS, *PLACES, "ordering", "format", "changed_after"):
            raise Malformed(problem=f"“{name}” does not go with the other parameters")
        raise UnknownField(action="address", field=name)

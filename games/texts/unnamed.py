"""Players without a name: they are called by their number until they sit down and type it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from django.conf import settings
from django.utils.translation import gettext, override

from games.rules.ruleset import MOST_PLAYERS


def name_by_number(number: int) -> str:
    """What a player without a name is called, in the language of the request."""
    return gettext("Player {number}").format(number=number)


def is_unnamed(name: str) -> bool:
    """Whether a player is called by a number, in the language of any phone."""
    return number_of(name) is not None


def number_of(name: str) -> int | None:
    """The number that a player is called by, in the language of any phone; None for a player with a name."""
    return _numbers().get(name)


def called(name: str) -> str:
    """A player's name; one without is called by the number in the language of the request."""
    number = number_of(name)
    return name if number is None else name_by_number(number)


@cache
def _numbers() -> Mapping[str, int]:
    numbers: dict[str, int] = {}
    for language, _name in settings.LANGUAGES:
        with override(language):
            numbers |= {name_by_number(number): number for number in range(1, MOST_PLAYERS + 1)}
    return numbers

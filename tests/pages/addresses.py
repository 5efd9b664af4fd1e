"""Every address of the pages, read from `games.urls`, so that one added tomorrow is tested too."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.test import RequestFactory
from django.urls import URLPattern, URLResolver, reverse

from games.urls import digital_patterns, group_patterns, table_patterns

ANY_GAME = "0123456789ab"
ANY_GROUP = ANY_GAME

NUMBERS = ("number", "seq", "step", "key_id", "invite_id", "season_id")
SAMPLES: dict[str, object] = {**dict.fromkeys(NUMBERS, 1), "name": "njet.txt"}
"""What stands for a parameter of an address; one that is not listed is the id of something."""


@dataclass(frozen=True)
class View:
    """A view by the name of its address.

    `parameters`: what follows the table or group; `methods`: what it takes, empty if it does not say.
    """

    name: str
    parameters: tuple[str, ...]
    methods: frozenset[str]

    def of(self, owner: str, **known: object) -> str:
        """Its address at a table or in a group, with samples for what is not known."""
        further = (known.get(name, SAMPLES.get(name, ANY_GAME)) for name in self.parameters)
        return reverse(f"games:{self.name}", args=[owner, *further])

    @property
    def changes(self) -> bool:
        """Whether a form can be sent to it."""
        return "POST" in self.methods


def _view(pattern: URLPattern | URLResolver) -> View:
    assert isinstance(pattern, URLPattern), "an address that leads further is not walked yet"
    parameters = tuple(pattern.pattern.converters)
    samples = (SAMPLES.get(name, ANY_GAME) for name in parameters)
    try:
        # Asked without the middleware: at the time of collection no test client may be used.
        refused = pattern.callback(RequestFactory().generic("BREW", "/"), ANY_GAME, *samples)
    except Exception:
        # The view itself was reached, and missed its session or database: it takes any method.
        return View(pattern.name, parameters, frozenset())
    methods = refused.headers["Allow"].split(", ") if refused.status_code == 405 else ()
    return View(pattern.name, parameters, frozenset(methods))


def _views(patterns: Iterable[URLPattern | URLResolver]) -> list[View]:
    return [_view(pattern) for pattern in patterns]


def views_of_a_table() -> list[View]:
    """Every page of a table."""
    return _views(table_patterns)


def views_of_a_digital_table() -> list[View]:
    """What a table has besides, where the cards are on the phones."""
    return _views(digital_patterns)


def views_of_a_group() -> list[View]:
    """Every page of a group."""
    return _views(group_patterns)

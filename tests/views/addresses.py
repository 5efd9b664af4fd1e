"""Every address of the pages, read from `games.urls`, so that one added tomorrow is tested too."""

from __future__ import annotations

from dataclasses import dataclass

from django.test import RequestFactory
from django.urls import URLPattern, reverse

from games.urls import table_patterns, urlpatterns

ANY_GAME = "0123456789ab"


@dataclass(frozen=True)
class View:
    """A view by the name of its address; 1 stands for every further parameter.  `methods`: what it says it takes."""

    name: str
    further: tuple[int, ...]
    methods: frozenset[str]

    def of(self, game_id: str) -> str:
        """Its address at a table."""
        return reverse(f"games:{self.name}", args=[game_id, *self.further])

    @property
    def changes(self) -> bool:
        """Whether a form can be sent to it."""
        return "POST" in self.methods


def _view(pattern: URLPattern) -> View:
    assert isinstance(pattern, URLPattern), "an address that leads further is not walked yet"
    further = tuple(1 for _ in pattern.pattern.converters)
    # Asked without the middleware: at the time of collection no test client may be used.
    refused = pattern.callback(RequestFactory().generic("BREW", "/"), ANY_GAME, *further)
    assert refused.status_code == 405, f"“{pattern.name}” does not say which methods it takes"
    return View(pattern.name, further, frozenset(refused.headers["Allow"].split(", ")))


def views_of_a_table() -> list[View]:
    """Every page of a table."""
    return [_view(pattern) for pattern in table_patterns]


def names_of_the_others() -> set[str]:
    """The pages that belong to no table."""
    return {pattern.name for pattern in urlpatterns if isinstance(pattern, URLPattern)}

"""Lists for the pages: which games, which names.  Reads the columns that copy results, never a log."""

from __future__ import annotations

from collections.abc import Sequence

from django.db.models import Prefetch

from games.models import Game, Key, Seat

LATEST = 50


def tables_of(key_ids: Sequence[int]) -> list[Game]:
    """The games that these keys open, the latest first, with their seats."""
    seats = Prefetch("seats", queryset=Seat.objects.order_by("number"))
    games = Game.objects.filter(keys__in=_valid(key_ids)).distinct().order_by("-created_at")
    return list(games.prefetch_related(seats)[:LATEST])


def known_names(key_ids: Sequence[int]) -> list[str]:
    """The names that were played with on these keys' tables, the latest first, each once."""
    latest = Game.objects.filter(keys__in=_valid(key_ids)).order_by("-created_at").values_list("pk", flat=True)
    rows = Seat.objects.filter(game__in=list(latest[:LATEST])).order_by("-game__created_at", "number")
    return list(dict.fromkeys(rows.values_list("name", flat=True)))


def names_of(game: Game) -> list[str]:
    """The players of a game, by seat."""
    return list(game.seats.order_by("number").values_list("name", flat=True))


def devices_of(game: Game) -> list[Key]:
    """The keys of a game that are worth something, the oldest first."""
    return list(Key.objects.filter(game=game, revoked_at=None).order_by("pk"))


def _valid(key_ids: Sequence[int]) -> list[int]:
    return list(Key.objects.filter(pk__in=key_ids, revoked_at=None).values_list("pk", flat=True))

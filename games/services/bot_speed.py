"""The speed of the bots of a digital table, and which players need more time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta

from django.conf import settings

from games.groups import lists
from games.keys import registry
from games.live.hub import hub
from games.live.presence import AWAY_AFTER
from games.models import Game, Key, Role, Speed

Phones = Mapping[int | None, Sequence[int]]
"""The keys that note the presence of each seat's phone: that of the seat, or of the host who sits there.

None: the keys of the host, with or without a seat.
"""

FACTORS = {Speed.SLOW: 1.5, Speed.NORMAL: 1.0, Speed.FAST: 0.4, Speed.INSTANT: 0.0}
"""The factor of each speed for a pause."""


def longest_pause() -> timedelta:
    """The pause of the slowest tables."""
    return timedelta(milliseconds=settings.NJET_BOT_PAUSE) * max(FACTORS.values())


def pause_of(game: Game) -> timedelta:
    """The pause of the bots of a table."""
    return timedelta(milliseconds=settings.NJET_BOT_PAUSE) * FACTORS[Speed(game.speed)]


def phones_of(game: Game) -> Phones:
    """The keys by which the phones of a game are present."""
    devices = lists.devices_of(game)
    hosts = [key for key in devices if key.may_record]
    phones: dict[int | None, list[int]] = {key.seat: [key.pk] for key in devices if key.seat is not None}
    for host in hosts:
        for key in registry.first_seat_keys(game, host):
            if key.seat is not None:
                phones.setdefault(key.seat, []).append(host.pk)
    return {**phones, None: [host.pk for host in hosts]}


def present_seats(game: Game) -> set[int]:
    """The seats whose phones are connected."""
    present = hub.present(game.pk, within=AWAY_AFTER)
    phones = phones_of(game).items()
    return {seat for seat, keys in phones if seat is not None and not present.isdisjoint(keys)}


def ready_seats(game: Game, *, since: int) -> set[int]:
    """The seats whose holders need no more time at this version."""
    ready = Key.objects.filter(game=game, role=Role.SEAT, revoked_at=None, ready__gte=since)
    return {seat for seat in ready.values_list("seat", flat=True) if seat is not None}

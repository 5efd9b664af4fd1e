"""Limits on requests without a key: attempts in a window of time, for each address or for all addresses together.

An attempt that is refused is not stored, so the rows of a window are bounded.  Attempts that a wrong clock dated in the
future count for nothing.  No request deletes a row: `manage.py sweep` does.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from math import ceil

from django.conf import settings
from django.utils import timezone

from games.database import write_queue
from games.errors import TooManyCreations, TooManyRequests
from games.keys.addresses import is_private_host
from games.keys.hashes import hash_of_address
from games.models import Attempt, LimitGate, Purpose


@dataclass(frozen=True)
class Limit:
    """At most `most` attempts in each `window`.  `together`: of all addresses together, else of each by itself."""

    purpose: Purpose
    most: int
    window: timedelta
    together: bool = False
    refusal: type[TooManyRequests] = TooManyRequests


HOUR = timedelta(hours=1)
WRONG_CODES = (
    Limit(Purpose.CODE, 10, timedelta(minutes=10)),
    Limit(Purpose.CODE, 60, timedelta(minutes=1), together=True),
)
MANY_WRONG_CODES = Limit(Purpose.CODE, 10, HOUR, together=True)
"""As many as one address may type: codes get longer before a guess is refused."""
# A club has one address.
CREATIONS = Limit(Purpose.CREATE, 120, HOUR, refusal=TooManyCreations)
IMPORTS = Limit(Purpose.IMPORT, 30, HOUR, refusal=TooManyCreations)
FOUNDATIONS = Limit(Purpose.FOUND, 20, HOUR, refusal=TooManyCreations)


def wait(limit: Limit, address: str = "") -> int:
    """The seconds until this address may make another attempt: 0 if it may now."""
    now = timezone.now()
    attempts = Attempt.objects.filter(purpose=limit.purpose, at__gt=now - limit.window, at__lte=now)
    if not limit.together:
        attempts = attempts.filter(address_hash=hash_of_address(address))
    # When it leaves the window, one fewer than `most` are left.
    last = attempts.order_by("-at").values_list("at", flat=True)[limit.most - 1 : limit.most].first()
    return 0 if last is None else ceil((last + limit.window - now).total_seconds())


def refuse(address: str, *limits: Limit) -> None:
    """Refuse an attempt after too many.

    Errors: `TooManyRequests`.
    """
    for limit in limits:
        seconds = wait(limit, address)
        if seconds:
            raise limit.refusal(seconds)


def count(address: str, *limits: Limit) -> None:
    """Count an attempt under limits of one purpose, in a transaction of its own.  Parallel ones are all counted.

    Errors: `TooManyRequests`; the attempt is then not counted.
    """
    # Before the queue of the writers: a flood of attempts that are refused does not make them wait.
    refuse(address, *limits)
    with write_queue.in_turn():
        LimitGate.objects.select_for_update().get_or_create(pk=1)
        refuse(address, *limits)
        Attempt.objects.create(purpose=limits[0].purpose, address_hash=hash_of_address(address), at=timezone.now())


def count_stranger(address: str, limit: Limit) -> None:
    """Count what an address creates without a key.  In the `lan` profile the home's own addresses have no limit.

    Errors: `TooManyCreations`.
    """
    if settings.HTTPS or not is_private_host(address):
        count(address, limit)

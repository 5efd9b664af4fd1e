"""Limits on guessing codes and links: failed attempts are counted for each address and for all addresses together."""

from __future__ import annotations

from datetime import datetime, timedelta

from games.errors import TooManyRequests
from games.keys.hashes import hash_of_address
from games.models import Attempt, LimitGate, Purpose

FAILURES_OF_AN_ADDRESS = (10, timedelta(minutes=10))
FAILURES_OF_ALL = (60, timedelta(minutes=1))


def refuse_guessing(address: str, now: datetime) -> None:
    """Refuse an attempt after too many failures.  Attempts are serialized, so that parallel ones are all counted.

    Errors: `TooManyRequests`.
    """
    LimitGate.objects.select_for_update().get_or_create(pk=1)
    failures = Attempt.objects.filter(purpose=Purpose.CODE)
    failures.filter(at__lt=now - FAILURES_OF_AN_ADDRESS[1]).delete()
    most, window = FAILURES_OF_ALL
    if failures.filter(at__gt=now - window).count() >= most:
        raise TooManyRequests(minutes=1)
    most, window = FAILURES_OF_AN_ADDRESS
    if failures.filter(at__gt=now - window, address_hash=hash_of_address(address)).count() >= most:
        raise TooManyRequests(minutes=10)


def count_failure(address: str, now: datetime) -> None:
    """Count a failed attempt of this address."""
    Attempt.objects.create(purpose=Purpose.CODE, address_hash=hash_of_address(address), at=now)

"""Deletes games without an action of a player, what has lain in the bin, unused sessions, old invitations and limits.

No single clock is trusted.  Rows are compared with `Installation.clock`, which one sweep advances by a week at most,
and are kept for a week longer than their age requires.  So one start with a clock that is years ahead deletes nothing
that the right clock keeps.  A clock that was behind makes rows look old, but their ids follow those of older rows.
What lies in the bin is kept from the first sweep on that sees it there, so its own times decide nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.contrib.sessions.models import Session
from django.db.models import Max, Min, QuerySet
from django.utils import timezone

from games.database import write_queue
from games.keys import sessions
from games.keys.session_store import EXPIRY, SessionStore
from games.log import store
from games.models import Attempt, Game, Group, GroupInvite, GroupKey, Installation, Invite, Key, Status
from games.services import deletion

STEP = timedelta(days=7)
"""How far one sweep advances the clock.  Everything is kept for this much longer."""
ABANDONED_AFTER = timedelta(days=30)
UNUSED_AFTER = timedelta(days=400)
INVITATION_LEFT_FOR = timedelta(days=30)
A_DAY = timedelta(days=1)

BATCH = 200
"""The most rows of one transaction, because players wait until it ends."""


@dataclass(frozen=True)
class Swept:
    """How many rows were deleted."""

    games: int
    groups: int
    sessions: int
    invitations: int
    attempts: int


def sweep_daily() -> None:
    """Sweep unless it was done within a day, by any process.  A time of it that is in the future does not count."""
    now = timezone.now()
    with write_queue.in_turn():
        installation = _locked_installation()
        # Two sweeps of one timer are almost a day apart.
        if installation.clock is not None and installation.clock <= now < installation.clock + A_DAY * 0.9:
            return
        clock = _advance_clock(installation, now)
    _sweep(clock, now)


def sweep() -> Swept:
    """Delete what is not needed any more: see the top of this module."""
    now = timezone.now()
    with write_queue.in_turn():
        clock = _advance_clock(_locked_installation(), now)
    return _sweep(clock, now)


def _sweep(clock: datetime, now: datetime) -> Swept:
    past = clock - STEP
    return Swept(
        games=_sweep_games(past - ABANDONED_AFTER, now)
        + _sweep_bin(Game, past, lambda game_id: deletion.delete_game_permanently(game_id=game_id)),
        groups=_sweep_bin(Group, past, lambda group_id: deletion.delete_group_permanently(group_id=group_id)),
        sessions=_sweep_sessions(past, now),
        invitations=sum(
            _delete(invites.objects.filter(expires_at__lt=past - INVITATION_LEFT_FOR))
            for invites in (Invite, GroupInvite)
        ),
        attempts=_delete(Attempt.objects.filter(at__lt=past - A_DAY)),
    )


def _locked_installation() -> Installation:
    installation, _ = Installation.objects.select_for_update().get_or_create()
    return installation


def _advance_clock(installation: Installation, now: datetime) -> datetime:
    """The trusted clock, advanced to `now` as far as one step, or set back to it."""
    # Before the first sweep only the newest key says what time it is.
    clock = installation.clock or Key.objects.aggregate(newest=Max("created_at"))["newest"] or now
    installation.clock = min(now, clock + STEP)
    installation.save(update_fields=["clock"])
    return installation.clock


def _first_since(model: type[Key | GroupKey], since: datetime, now: datetime) -> float:
    """The first id since a time.  Higher ids are newer, even if a wrong clock dated them."""
    first = model._default_manager.filter(created_at__gt=since, created_at__lte=now).aggregate(first=Min("pk"))["first"]
    return float("inf") if first is None else first


def _delete(rows: QuerySet[Any]) -> int:
    """Delete rows, some in each transaction; returns how many."""
    deleted = 0
    while ids := list(rows.values_list("pk", flat=True)[:BATCH]):
        with write_queue.in_turn():
            rows.filter(pk__in=ids).delete()
        deleted += len(ids)
    return deleted


def _sweep_games(before: datetime, now: datetime) -> int:
    running = Game.objects.filter(status=Status.PLAYING, created_at__lt=before, deleted_at=None)
    abandoned = store.without_action(running)
    first = _first_since(Key, before, now)
    deleted = 0
    for game_id, newest in list(abandoned.values_list("pk").annotate(Max("keys"))):
        with write_queue.in_turn():
            # Locked, so that no player acts in between.
            Game.objects.select_for_update().filter(pk=game_id).first()
            if (newest or 0) < first and abandoned.filter(pk=game_id).exists():
                deletion.delete_game_permanently(game_id=game_id)
                deleted += 1
    return deleted


def _sweep_bin(model: type[Game | Group], past: datetime, delete: Callable[[str], None]) -> int:
    """Delete what has lain in the bin for long enough since the first sweep that saw it there."""
    binned = model._default_manager.filter(deleted_at__isnull=False)
    left = list(binned.filter(swept_at__lt=past - deletion.KEPT_FOR).values_list("pk", flat=True))
    for each in left:
        with write_queue.in_turn():
            # It may have been restored since.
            if binned.select_for_update().filter(pk=each).exists():
                delete(each)
    with write_queue.in_turn():
        binned.filter(swept_at=None).update(swept_at=past + STEP)
    return len(left)


def _sweep_sessions(past: datetime, now: datetime) -> int:
    """Delete sessions that have ended, that hold no key, or that were not changed for as long as a cookie lasts."""
    first_key, first_group_key = (_first_since(model, past - UNUSED_AFTER, now) for model in (Key, GroupKey))
    reader = SessionStore()

    def is_left(row: Session) -> bool:
        data = reader.decode(row.session_data)
        keys = set(data.get(sessions.SESSION_KEYS, {}).values())
        keys.update(*(seats.values() for seats in data.get(sessions.SESSION_SEATS, {}).values()))
        group_keys = set(data.get(sessions.SESSION_GROUPS, {}).values())
        # Data that cannot be read may be signed with a key that the operator restores.
        if data and EXPIRY not in data and not keys | group_keys:
            return True
        is_young = max(keys, default=0) >= first_key or max(group_keys, default=0) >= first_group_key
        return row.expire_date < past and (EXPIRY in data or not is_young)

    # `expire_date` is the time of the last change and the age of a cookie.
    unchanged = Session.objects.filter(expire_date__lt=past + UNUSED_AFTER - A_DAY).order_by("pk")
    deleted, last = 0, ""
    # Page by page: an open cursor of SQLite would make the writers wait.
    while page := list(unchanged.filter(pk__gt=last)[:BATCH]):
        last = page[-1].pk
        left = [row.pk for row in page if is_left(row)]
        if left:
            with write_queue.in_turn():
                deleted += unchanged.filter(pk__in=left).delete()[0]
    return deleted

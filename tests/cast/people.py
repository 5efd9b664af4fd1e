"""Whose browser it is: the keys of games, seats and groups in its session."""

from __future__ import annotations

from django.contrib.sessions.backends.base import SessionBase

from games.keys import sessions
from games.models import GroupKey, Key


def bear(session: SessionBase, *keys: Key | GroupKey) -> None:
    """Add keys to a session, and store it."""
    for key in keys:
        if isinstance(key, GroupKey):
            sessions.remember_group(session, key)
        elif key.seat is None:
            sessions.remember(session, key)
        else:
            sessions.remember_seats(session, [key])
    session.save()

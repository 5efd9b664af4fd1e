"""The sessions of browsers: Django's, in the database, except that they do not expire by the system clock.

A server whose clock is years ahead would otherwise remove the keys of every phone.  `manage.py sweep` deletes the
sessions that are not used any more.
"""

from __future__ import annotations

import json
from contextlib import suppress
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Any

from django.contrib.sessions.backends.base import UpdateError
from django.contrib.sessions.backends.db import SessionStore as DatabaseStore
from django.contrib.sessions.models import Session
from django.db.models import QuerySet
from django.utils import timezone

from games.database.prepared import Prepared

REPLACES = "replaces"
"""In the data of a session: the id that its browser had before, until the browser uses the new one."""
EXPIRY = "_session_expiry"
OLD_SESSION_LASTS = timedelta(minutes=1)


def stored_session(session_key: str) -> QuerySet[Session, Any]:
    """The stored data of a session."""
    return Session.objects.filter(pk=session_key).values("session_data")


_STORED: Prepared[Session] = Prepared(lambda session_key: Session.objects.filter(pk=session_key).only("session_data"))


class SessionStore(DatabaseStore):
    """A session.  Its name is part of the salt of its signature, as Django's is: stored sessions stay valid."""

    def __init__(self, session_key: str | None = None) -> None:
        # PostgreSQL rejects a null character in a query.
        super().__init__(session_key if session_key is not None and session_key.isalnum() else None)
        self.is_unread = self.session_key is not None
        self.taken: list[str | None] = []

    def take(self, stored: str | None) -> None:
        """The stored data of the session, None if there is none, which a query has read along with something else."""
        self.taken = [stored]

    def load(self) -> dict[str, Any]:
        """The data of the session; empty if there is none or an old session has ended.

        When a browser first uses a new id, its old session ends soon: the second request of a double tap still has it.
        Not before, because the answer with the new id can be lost.
        """
        self.is_unread = False
        stored = self.taken or [row.session_data for row in _STORED.all(self.session_key)]
        data = json.loads(_decoded(stored[0])) if stored and stored[0] is not None else {}
        if data and _has_ended(data.get(EXPIRY)):
            self.delete()
            data = {}
        if not data:
            # Django forgets an id without data.
            return super().load()
        replaced = data.pop(REPLACES, None)
        if replaced is not None:
            self.modified = True
            old_session = type(self)(replaced)
            # A session that was deleted in the meantime stays deleted.
            if list(old_session.keys()):
                old_session.set_expiry(OLD_SESSION_LASTS)
                with suppress(UpdateError):
                    old_session.save()
        return data

    def is_empty(self) -> bool:
        """Always false: Django would delete the cookie of an empty session, which may already have another id."""
        return False

    @classmethod
    def clear_expired(cls) -> None:
        """Disabled: the command would delete by the system clock.  `clearsessions` reports this error."""
        raise NotImplementedError


@lru_cache(maxsize=2048)
def _decoded(stored: str) -> str:
    """The data of a session as JSON.  To check its signature takes as long as to read it from the database."""
    return json.dumps(SessionStore().decode(stored))


def _has_ended(expiry: str | None) -> bool:
    if expiry is None:
        return False
    left = datetime.fromisoformat(expiry) - timezone.now()
    # An expiry that a wrong clock dated in the far future is over, too.
    return not timedelta() < left <= OLD_SESSION_LASTS

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


_STORED = Prepared(stored_session)


class SessionStore(DatabaseStore):
    """A session.  Its name is part of the salt of its signature, as Django's is: stored sessions stay valid."""

    def load(self) -> dict[str, Any]:
        """The data of the session; empty if an old session has expired."""
        rows = _STORED.rows(self.session_key)
        return self._data(rows[0][0] if rows else None)

    @property
    def is_unread(self) -> bool:
        """Whether the browser has named a session that was not loaded yet."""
        return self.session_key is not None and not hasattr(self, "_session_cache")

    def take(self, stored: str | None) -> None:
        """Load the session from its stored data, which a query has read along with something else."""
        self._session_cache = self._data(stored)

    def _data(self, stored: str | None) -> dict[str, Any]:
        """The data, read from the database.

        When a browser first uses a new id, its old session ends soon: the second request of a double tap still has it.
        Not before, because the answer with the new id can be lost.
        """
        data = {} if stored is None else json.loads(_decoded(stored))
        if not data or _has_ended(data.get(EXPIRY)):
            self._session_key = None
            return {}
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

    def _validate_session_key(self, key: str | None) -> bool:
        # PostgreSQL rejects a null character in a query.
        return bool(super()._validate_session_key(key) and str(key).isalnum())  # type: ignore[misc]  # no stub

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

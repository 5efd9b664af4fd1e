"""The sessions of browsers: Django's, in the database, except that no clock ends them.

A server whose clock is years ahead would otherwise take all tables from every phone.  `manage.py sweep` deletes the
sessions that are not used any more.
"""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime, timedelta
from typing import Any

from django.contrib.sessions.backends.base import UpdateError
from django.contrib.sessions.backends.db import SessionStore as DatabaseStore
from django.utils import timezone

REPLACES = "replaces"
"""In the data of a session: the id that its browser had before, until the browser uses the new one."""
EXPIRY = "_session_expiry"
OLD_SESSION_LASTS = timedelta(minutes=1)


class SessionStore(DatabaseStore):
    """A session.  Its name is part of the salt of its signature, as Django's is: stored sessions stay valid."""

    def load(self) -> dict[str, Any]:
        """The data of the session, whatever the clock says; nothing of an old one that has ended.

        When a browser first uses a new id, its old session ends soon: the second request of a double tap still has it.
        Not before, because the answer with the new id can be lost.
        """
        row = self.model.objects.filter(session_key=self.session_key).first()
        data = {} if row is None else self.decode(row.session_data)
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
        """Never: Django deletes the cookie of an empty session, and its browser may have got another id meanwhile."""
        return False

    @classmethod
    def clear_expired(cls) -> None:
        """Refused with the error that `clearsessions` reports: the command would trust the clock."""
        raise NotImplementedError


def _has_ended(expiry: str | None) -> bool:
    if expiry is None:
        return False
    left = datetime.fromisoformat(expiry) - timezone.now()
    # An expiry that a wrong clock dated in the far future is over, too.
    return not timedelta() < left <= OLD_SESSION_LASTS

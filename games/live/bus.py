"""What other processes write, and messages between several processes on PostgreSQL.

Must not know: what a message means; each is handed to the hub.  A lost version only delays an update, because
both kinds of bus also query the versions of the games.
"""

from __future__ import annotations

import contextlib
import json
import logging
import os
import secrets
import select
import sqlite3
import threading
import time
from collections import deque
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from django.db import connection

from games.live.hub import GONE, Hub
from games.models import Game

logger = logging.getLogger(__name__)

LOOK_EVERY = 0.05
"""Seconds between two reads of SQLite's data version."""
ASK_EVERY = 2.0
"""Seconds between two queries to PostgreSQL, in case a notification was lost with its connection."""
TRY_AGAIN_AFTER = 1.0
CHANNEL = "njet"
VERSIONS = f"SELECT id, version FROM {Game._meta.db_table} WHERE deleted_at IS NULL AND id "
LONGEST_MESSAGE = 7900
"""PostgreSQL's limit for a notification is 8,000 bytes."""


def for_database(hub: Hub) -> SqliteBus | PostgresBus:
    """The bus for the database of the settings, still to be started."""
    if connection.vendor == "postgresql":
        return PostgresBus(hub)
    return SqliteBus(hub, Path(connection.settings_dict["NAME"]))


class _Bus(threading.Thread):
    """A bus is a thread, which ends with the process."""

    def __init__(self, hub: Hub) -> None:
        super().__init__(name="bus", daemon=True)
        self.hub = hub
        self.stopped = threading.Event()

    def stop(self) -> None:
        """Stop listening.  Returns at once."""
        self.stopped.set()

    def _compare(self, found: Iterable[tuple[str, int]], watched: Mapping[str, int]) -> None:
        """Report the watched games whose version is not the watched one.  `found`: id and version."""
        versions = dict(found)
        for game_id, known in watched.items():
            version = versions.get(game_id, GONE)
            if version != known:
                self.hub.receive({"version": [game_id, version, None]})


class SqliteBus(_Bus):
    """No messages, because one process has all phones: SQLite's data version reveals what others write.

    These are the workers of the bots and the commands of an operator.
    """

    def __init__(self, hub: Hub, database: Path) -> None:
        super().__init__(hub)
        self._uri = f"{database.resolve().as_uri()}?mode=ro"

    def run(self) -> None:
        seen = None
        with contextlib.closing(sqlite3.connect(self._uri, uri=True, timeout=0, isolation_level=None)) as database:
            while not self.stopped.wait(LOOK_EVERY):
                watched = self.hub.watched_versions()
                # Busy: another process writes with a rollback journal.  The next read finds its version.
                with contextlib.suppress(sqlite3.Error):
                    # The version that a new listener has read may be old.
                    look = (database.execute("PRAGMA data_version").fetchone(), watched.keys())
                    if look != seen:
                        ids = json.dumps(list(watched))
                        found = database.execute(VERSIONS + "IN (SELECT value FROM json_each(?))", [ids])
                        self._compare(found, watched)
                        seen = look


class PostgresBus(_Bus):
    """LISTEN and NOTIFY on a connection of its own; a query every few seconds in case a notification was lost."""

    def __init__(self, hub: Hub) -> None:
        super().__init__(hub)
        hub.send = self.send
        self._outbox: deque[str] = deque()
        self._sender = secrets.token_hex(8)
        # A pipe wakes the listening thread when there is a message to send.
        self._waking, self._woken_by = os.pipe()
        os.set_blocking(self._woken_by, False)

    def send(self, message: Mapping[str, object]) -> None:
        """Send a message to the other processes.  One that is too long for a notification is dropped."""
        data = json.dumps({"from": self._sender, "message": message})
        if len(data) > LONGEST_MESSAGE:
            logger.warning("A message of %d bytes is too long to be sent.", len(data))
            return
        self._outbox.append(data)
        self._wake()

    def stop(self) -> None:
        super().stop()
        self._wake()

    def _wake(self) -> None:
        with contextlib.suppress(OSError):
            os.write(self._woken_by, b"x")

    def run(self) -> None:
        was_deaf = False
        while not self.stopped.is_set():
            try:
                with connection.cursor() as cursor:
                    cursor.execute(f"LISTEN {CHANNEL}")
                    if was_deaf:
                        self.hub.missed_messages()
                    self._serve(cursor)
            except Exception as error:  # of the database, or for a notification that another program has sent
                logger.warning("No live updates from other processes: %r", error, extra={"outage": True})
                was_deaf = True
                self.stopped.wait(TRY_AGAIN_AFTER)
            finally:
                connection.close()

    def _serve(self, cursor: Any) -> None:
        asked = 0.0
        # Not `select`, which fails with more than 1,024 open files.
        waiting = select.poll()
        for descriptor in (cursor.connection.fileno(), self._waking):
            waiting.register(descriptor, select.POLLIN)
        while not self.stopped.is_set():
            if self._waking in dict(waiting.poll(ASK_EVERY * 1000)):
                os.read(self._waking, 4096)
            while self._outbox:
                cursor.execute("SELECT pg_notify(%s, %s)", (CHANNEL, self._outbox[0]))
                self._outbox.popleft()
            for notification in cursor.connection.notifies(timeout=0):
                letter = json.loads(notification.payload)
                if letter["from"] != self._sender:
                    self.hub.receive(letter["message"])
            if time.monotonic() - asked >= ASK_EVERY and (watched := self.hub.watched_versions()):
                asked = time.monotonic()
                cursor.execute(VERSIONS + "= ANY(%s)", (list(watched),))
                self._compare(cursor.fetchall(), watched)

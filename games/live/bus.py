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
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Protocol

from django.db import connection

from games.live.hub import GONE
from games.models import Game

logger = logging.getLogger(__name__)

LOOK_EVERY = 0.05
"""Seconds between two reads of SQLite's data version."""
LOOK_WHEN_IDLE = 0.5
"""The same while no stream is open."""
ASK_EVERY = 2.0
"""Seconds between two queries to PostgreSQL, in case a notification was lost with its connection."""
TRY_AGAIN_AFTER = 1.0
CHANNEL = "njet"
GAMES = Game._meta.db_table
LONGEST_MESSAGE = 7900
"""PostgreSQL's limit for a notification is 8,000 bytes."""


class Hub(Protocol):
    """The part of the hub that a bus uses."""

    def watched_versions(self) -> dict[str, int]: ...
    def receive(self, message: Mapping[str, object]) -> None: ...
    def missed_messages(self) -> None: ...


def for_database(hub: Hub) -> SqliteBus | PostgresBus:
    """The bus for the database of the settings."""
    if connection.vendor == "postgresql":
        return PostgresBus(hub)
    return SqliteBus(hub, Path(connection.settings_dict["NAME"]))


class _Bus(ABC):
    """A bus with a thread of its own, which ends with the process."""

    def __init__(self, hub: Hub) -> None:
        self.hub = hub
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, name="bus", daemon=True)

    def start(self) -> None:
        """Start to listen."""
        self._thread.start()

    def stop(self) -> None:
        """Stop listening.  Returns at once."""
        self._stopped.set()

    @abstractmethod
    def _run(self) -> None:
        """Listen until `stop` is called."""

    @staticmethod
    def _read(data: bytes | str) -> dict[str, Any]:
        """A message.  An unreadable one is logged and counts as empty."""
        try:
            message = json.loads(data)
        except ValueError:
            message = None
        if not isinstance(message, dict):
            logger.warning("A message between processes could not be read.")
            return {}
        return message

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
        self.database = database

    def send(self, message: Mapping[str, object]) -> None:
        """Nothing: there is no other process."""

    def _run(self) -> None:
        database: sqlite3.Connection | None = None
        seen = None
        asked: set[str] = set()
        while not self._stopped.wait(LOOK_EVERY if self.hub.watched_versions() else LOOK_WHEN_IDLE):
            try:
                if database is None:
                    database = self._connect()
                version = database.execute("PRAGMA data_version").fetchone()[0]
                watched = self.hub.watched_versions()
                # The version that a new listener has read may be old.
                if version == seen and watched.keys() <= asked:
                    continue
                self._compare(self._versions(database, watched), watched)
                seen, asked = version, set(watched)
            except sqlite3.Error as error:
                # Busy: another process writes with a rollback journal.  The next read finds its version.
                logger.debug("The data version was not read: %s", error)
        if database is not None:
            database.close()

    def _connect(self) -> sqlite3.Connection:
        return sqlite3.connect(
            f"{self.database.resolve().as_uri()}?mode=ro", uri=True, timeout=0, isolation_level=None,
            check_same_thread=False,
        )  # fmt: skip

    @staticmethod
    def _versions(database: sqlite3.Connection, watched: Mapping[str, int]) -> list[tuple[str, int]]:
        return database.execute(
            f"SELECT id, version FROM {GAMES} WHERE deleted_at IS NULL AND id IN (SELECT value FROM json_each(?))",
            [json.dumps(list(watched))],
        ).fetchall()


class PostgresBus(_Bus):
    """LISTEN and NOTIFY on a connection of its own; a query every few seconds in case a notification was lost."""

    def __init__(self, hub: Hub) -> None:
        super().__init__(hub)
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
        with contextlib.suppress(OSError):
            os.write(self._woken_by, b"x")

    def stop(self) -> None:
        super().stop()
        with contextlib.suppress(OSError):
            os.write(self._woken_by, b"x")

    def _run(self) -> None:
        import psycopg

        was_deaf = False
        while not self._stopped.is_set():
            try:
                with psycopg.connect(**self._parameters(), autocommit=True) as database:
                    database.execute(f"LISTEN {CHANNEL}")
                    if was_deaf:
                        self.hub.missed_messages()
                    self._serve(database)
            except (psycopg.Error, OSError) as error:
                logger.warning("No live updates from other processes: %r", error, extra={"outage": True})
                was_deaf = True
                self._stopped.wait(TRY_AGAIN_AFTER)

    @staticmethod
    def _parameters() -> dict[str, Any]:
        parameters: dict[str, Any] = connection.get_connection_params()
        of_django = ("cursor_factory", "context", "prepare_threshold")
        return {name: value for name, value in parameters.items() if name not in of_django}

    def _serve(self, database: Any) -> None:
        asked = 0.0
        # Not `select`, which fails with more than 1,024 open files.
        waiting = select.poll()
        for descriptor in (database.fileno(), self._waking):
            waiting.register(descriptor, select.POLLIN)
        while not self._stopped.is_set():
            if self._waking in dict(waiting.poll(ASK_EVERY * 1000)):
                os.read(self._waking, 4096)
            self._post(database)
            for notification in database.notifies(timeout=0):
                self._receive(notification.payload)
            if time.monotonic() - asked >= ASK_EVERY:
                asked = time.monotonic()
                self._ask(database)

    def _post(self, database: Any) -> None:
        while self._outbox:
            database.execute("SELECT pg_notify(%s, %s)", (CHANNEL, self._outbox[0]))
            self._outbox.popleft()

    def _receive(self, payload: str) -> None:
        letter = self._read(payload)
        if letter and letter.get("from") != self._sender:
            self.hub.receive(letter.get("message", {}))

    def _ask(self, database: Any) -> None:
        watched = self.hub.watched_versions()
        if not watched:
            return
        found = database.execute(
            f"SELECT id, version FROM {GAMES} WHERE deleted_at IS NULL AND id = ANY(%s)",
            (list(watched),),
        ).fetchall()
        self._compare(found, watched)

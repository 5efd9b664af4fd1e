"""Messages between the processes of the server.

Must not know: what a message means; each is handed to the hub.  A lost version only delays an update, because
both kinds of bus also query the versions of the games.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import logging
import os
import secrets
import select
import socket
import sqlite3
import tempfile
import threading
import time
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol

from django.db import connection

from games.live.hub import GONE
from games.models import Game

logger = logging.getLogger(__name__)

LOOK_EVERY = 0.05
"""Seconds between two reads of SQLite's data version."""
LIST_EVERY = 1.0
"""Seconds between two listings of the other processes."""
LOOK_WHEN_IDLE = 0.5
"""The same while no stream is open."""
ASK_EVERY = 2.0
"""Seconds between two queries to PostgreSQL, in case a notification was lost with its connection."""
TRY_AGAIN_AFTER = 1.0
MOST_UNSENT = 10_000
"""The most messages that are kept for processes that do not read.  This limits the memory of a stopped process."""
CHANNEL = "njet"
LONGEST_MESSAGE = 7900
"""PostgreSQL's limit for a notification is 8,000 bytes."""


class Hub(Protocol):
    """The part of the hub that a bus uses."""

    def watched_versions(self) -> dict[str, int]: ...
    def receive(self, message: Mapping[str, object]) -> None: ...
    def note_versions(self, versions: Mapping[str, int]) -> None: ...
    def missed_messages(self) -> None: ...


def for_database(hub: Hub) -> SqliteBus | PostgresBus:
    """The bus for the database of the settings."""
    if connection.vendor == "postgresql":
        return PostgresBus(hub)
    return SqliteBus(hub, Path(connection.settings_dict["NAME"]))


def _readable(descriptors: list[int], seconds: float) -> set[int]:
    """Wait until a descriptor is readable.  Not `select`, which fails with more than 1,024 open files."""
    waiting = select.poll()
    for descriptor in descriptors:
        waiting.register(descriptor, select.POLLIN)
    return {descriptor for descriptor, _ in waiting.poll(seconds * 1000)}


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

    def _compare(self, versions: Mapping[str, int], watched: Mapping[str, int]) -> None:
        news = {game_id: versions.get(game_id, GONE) for game_id in watched}
        news = {game_id: version for game_id, version in news.items() if version != watched[game_id]}
        if news:
            self.hub.note_versions(news)


class SqliteBus(_Bus):
    """Unix datagrams between the processes of one machine; the data version reveals writers that send none.

    Each process has a socket in a directory for this database, and removes dead sockets that it finds.  The directory
    is among the temporary files and not beside the database, where people copy everything.
    """

    def __init__(self, hub: Hub, database: Path) -> None:
        super().__init__(hub)
        self.database = database
        name = hashlib.sha256(os.fsencode(database.resolve())).hexdigest()[:16]
        self.directory = Path(tempfile.gettempdir()) / f"njet-{os.getuid()}-{name}"
        self._own = f"{os.getpid()}-{secrets.token_hex(4)}"
        self._socket: socket.socket | None = None
        self._handle: int | None = None
        self._names: list[str] = []
        # Messages for sockets that were full.
        self._unsent: deque[tuple[str, bytes]] = deque(maxlen=MOST_UNSENT)
        self._listed = float("-inf")

    def start(self) -> None:
        with contextlib.suppress(OSError):
            # Without a socket the bus still reads the data version.
            self._open_socket()
        super().start()

    def _open_socket(self) -> None:
        self.directory.mkdir(mode=0o700, exist_ok=True)
        if self.directory.is_symlink() or self.directory.stat().st_uid != os.getuid():
            raise PermissionError("another user owns the directory of the sockets")
        self._handle = os.open(self.directory, os.O_RDONLY | os.O_DIRECTORY)
        receiver = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        receiver.setblocking(False)
        receiver.bind(self._address(self._own))
        self._socket = receiver

    def _address(self, name: str) -> str:
        # Addresses of sockets have at most about 100 bytes; paths of databases can be longer.
        by_handle = Path(f"/proc/self/fd/{self._handle}")
        return str((by_handle if by_handle.exists() else self.directory) / name)

    def send(self, message: Mapping[str, object]) -> None:
        """Send a message to the other processes.  A full socket gets it later, a dead one is removed."""
        others = self._others()
        if not others:
            return
        data = json.dumps(message).encode()
        for name in others:
            self._send_to(name, data)

    def has_others(self) -> bool:
        """Whether another process has a socket."""
        return bool(self._others())

    def _others(self) -> list[str]:
        """The sockets of the other processes, as they were within the last second."""
        if self._socket is None:
            return []
        now = time.monotonic()
        if now - self._listed > LIST_EVERY:
            self._listed = now
            with contextlib.suppress(OSError):
                self._names = [name for name in os.listdir(self.directory) if name != self._own]
        return self._names

    def _send_to(self, name: str, data: bytes) -> None:
        assert self._socket is not None
        try:
            self._socket.sendto(data, self._address(name))
        except ConnectionRefusedError:
            # Its process was killed.
            self._listed = float("-inf")
            with contextlib.suppress(OSError):
                os.unlink(self.directory / name)
        except BlockingIOError:
            self._unsent.append((name, data))
        except OSError as error:
            logger.debug("A message to %s was not sent: %s", name, error)

    def _run(self) -> None:
        database: sqlite3.Connection | None = None
        seen = None
        asked: set[str] = set()
        while not self._stopped.is_set():
            watched = self.hub.watched_versions()
            self._listen(LOOK_EVERY if watched or self._unsent else LOOK_WHEN_IDLE)
            for _ in range(len(self._unsent)):
                self._send_to(*self._unsent.popleft())
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
        self._close_socket()

    def _listen(self, seconds: float) -> None:
        if self._socket is None:
            self._stopped.wait(seconds)
            return
        _readable([self._socket.fileno()], seconds)
        with contextlib.suppress(BlockingIOError):
            while True:
                message = self._read(self._socket.recv(1 << 16))
                if message:
                    self.hub.receive(message)

    def _connect(self) -> sqlite3.Connection:
        return sqlite3.connect(
            f"{self.database.resolve().as_uri()}?mode=ro", uri=True, timeout=0, isolation_level=None,
            check_same_thread=False,
        )  # fmt: skip

    @staticmethod
    def _versions(database: sqlite3.Connection, watched: Mapping[str, int]) -> dict[str, int]:
        found: dict[str, int] = {}
        ids = list(watched)
        for start in range(0, len(ids), 500):
            part = ids[start : start + 500]
            marks = ",".join("?" * len(part))
            found.update(database.execute(f"SELECT id, version FROM {Game._meta.db_table} WHERE id IN ({marks})", part))
        return found

    def _close_socket(self) -> None:
        if self._socket is not None:
            self._socket.close()
            with contextlib.suppress(OSError):
                os.unlink(self.directory / self._own)
                # Fails while another process has a socket in it.
                self.directory.rmdir()
        if self._handle is not None:
            os.close(self._handle)


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

    def has_others(self) -> bool:
        """Always: other processes cannot be listed."""
        return True

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
        while not self._stopped.is_set():
            if self._waking in _readable([database.fileno(), self._waking], ASK_EVERY):
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
            f"SELECT id, version FROM {Game._meta.db_table} WHERE id = ANY(%s)",
            (list(watched),),
        ).fetchall()
        self._compare(dict(found), watched)

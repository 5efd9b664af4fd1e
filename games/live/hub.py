"""The listeners of one process: which streams listen to which game, and the version of each game.

Must not know: HTTP, databases, the content of an entry or a fragment.

Everything here runs in the event loop of the process, except for the methods that threads may call.  A process without
an event loop (plain WSGI) has no streams: phones poll, and each answer carries the presence.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import logging
import secrets
import threading
import time
import traceback
from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from games.live.fragment import Fragment
from games.live.presence import AWAY_AFTER, MISSED_AFTER, Phone, Presence, Said

logger = logging.getLogger(__name__)

BEAT_EVERY = 4
"""Seconds between two heartbeats of a stream.  A client that receives nothing for 9 s is offline."""
DEAF_AFTER = 60.0
"""Seconds without a request from a phone, after which its stream is closed: the connection is dead."""
NOTIFY_OTHERS_EVERY = 3.0
ROWS_OF_A_MESSAGE = 12
"""Phones in one message between processes: with names of 60 characters it must fit into a PostgreSQL notification."""
GONE = -1
"""The version of a game that was deleted."""
THREADS = 2
"""Threads that render fragments: more would only wait for each other."""


class Reader(Hashable, Protocol):
    """Who reads a fragment, and which: equal readers get the same."""

    @property
    def keys(self) -> frozenset[int]:
        """The keys of the phone."""
        ...


FragmentsOf = Callable[[str, Collection[Any]], Mapping[Any, Fragment | None]]
"""The present fragments of a game for some readers.  None: their phones fetch it.  Readers without a key are left out.

It runs in a thread.
"""


@dataclass(eq=False)
class Listener:
    """A stream.  It holds the latest news and no queue: a slow phone receives the latest version, never a backlog.

    `reader`: None for a phone that fetches what it shows; `news`: the data of each event to send; `sent`: the latest
    version that was sent, by itself or with its fragment.
    """

    game_id: str
    phone: Phone
    reader: Reader | None = None
    news: dict[str, str] = field(default_factory=dict)
    fragment: Fragment | None = None
    sent: int = 0
    is_sending: bool = False
    ended: bool = False
    wake: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def keys(self) -> frozenset[int]:
        """The keys of the phone."""
        return frozenset((self.phone.key,)) | (self.reader.keys if self.reader is not None else frozenset())

    def tell(self, event: str, data: object = "") -> None:
        """Send an event."""
        self.news[event] = str(data)
        self.wake.set()

    def send_version(self, version: int) -> None:
        """Send a version.  The phone fetches its fragment unless it shows that version."""
        self.sent, self.fragment = version, None
        self.tell("version", version)

    def send_fragment(self, fragment: Fragment) -> None:
        """Send a fragment; only its version while the phone has not read what was sent before."""
        if self.is_sending:
            self.send_version(fragment.version)
        else:
            self.news.pop("version", None)
            self.sent, self.fragment = fragment.version, fragment
            self.wake.set()

    def end(self) -> None:
        """End the stream after the news that it holds."""
        self.ended, self.fragment = True, None
        self.wake.set()


class Hub:
    """The listeners and the presence of one process.  `send`: to the other processes; it must not block."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.clock = clock
        self.presence = Presence()
        self.listeners: dict[str, set[Listener]] = {}
        self.versions: dict[str, int] = {}
        self.send: Callable[[Mapping[str, object]], None] = lambda message: None
        self.fragments_of: FragmentsOf | None = None
        self.is_closing = False
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="fragment")
        self._rendering: dict[str, asyncio.Task[None]] = {}
        self._loop: asyncio.AbstractEventLoop | None = None
        self._shown: dict[str, str] = {}
        self._notified_others_at = 0.0
        self._plain_lock = threading.Lock()

    # --- start and stop ---

    def start(self) -> None:
        """Start in the running event loop."""
        self._loop = asyncio.get_running_loop()
        self._ticking = self._loop.create_task(self._tick_forever())

    def close(self) -> None:
        """End every stream at once.  May be called again."""
        self.is_closing = True
        self._end_all()

    # --- streams ---

    def join(self, game_id: str, phone: Phone, version: int, reader: Reader | None = None) -> Listener:
        """Start a stream.  `version`: the current version of the game, which is the first event of the stream."""
        listener = Listener(game_id, phone, reader=reader, ended=self.is_closing)
        self.listeners.setdefault(game_id, set()).add(listener)
        known = self.versions.get(game_id)
        self.versions[game_id] = version if known is None else max(known, version)
        listener.send_version(self.versions[game_id])
        self.presence.note_request(game_id, phone)
        self._send_presence(game_id)
        listener.tell("here", self.presence_json(game_id))
        return listener

    def leave(self, listener: Listener) -> None:
        """Remove a stream that has ended."""
        listeners = self.listeners[listener.game_id]
        listeners.remove(listener)
        if not listeners:
            del self.listeners[listener.game_id], self.versions[listener.game_id]
            self._shown.pop(listener.game_id, None)

    # --- from threads ---

    def announce(self, game_id: str, version: int, *, key: int | None = None) -> None:
        """Notify the listeners of a committed version.  `key`: the writer."""
        self._publish({"version": [game_id, version, key]})

    def announce_next(self, game_id: str) -> None:
        """Notify the listeners of a finished game that the next one was opened, and end their streams."""
        self._publish({"next": game_id})

    def end_revoked(self, game_id: str, keys: Sequence[int]) -> None:
        """End the streams of revoked keys."""
        self._publish({"revoked": [game_id, list(keys)]})

    def say(self, game_id: str, key: int, seat: int, phrase: str) -> None:
        """Send a phrase of a seat to the phones of its table, with who is there.  `key`: of its phone."""
        self._publish({"said": [game_id, key, seat, phrase, secrets.token_hex(3)]})

    def note_request(self, game_id: str, key: int, label: str, *, may_record: bool) -> None:
        """Note a request of a phone that polls instead of listening to a stream."""
        self._from_thread(self._note_request, game_id, Phone(key, label, may_record, self.clock()))

    def presence_json(self, game_id: str, *, most: int | None = None) -> str:
        """The phones of a game, as JSON in plain ASCII.  `most`: the limit; phones that are online come first."""
        shown = self.presence.shown(game_id, self.clock())
        if most is not None and len(shown) > most:
            shown = sorted(shown, key=lambda phone: bool(phone["away"]))[:most]
        return json.dumps(shown, separators=(",", ":"))

    def present(self, game_id: str, *, within: float = MISSED_AFTER) -> set[int]:
        """The keys whose phones sent a request within the last seconds.  Empty right after a start."""
        return self.presence.keys_within(game_id, self.clock(), within)

    def watched_versions(self) -> dict[str, int]:
        """The games that have listeners, with the version that these have received."""
        return self.versions.copy()

    def receive(self, message: Mapping[str, object]) -> None:
        """Handle a message of another process (see `bus`).  An unreadable message is logged and ignored."""
        self._from_thread(self._note, message)

    def missed_messages(self) -> None:
        """End every stream, because a key may have been revoked without notice: phones open another with their keys."""
        self._from_thread(self._end_all)

    def _publish(self, message: Mapping[str, object]) -> None:
        """Handle a message as the other processes will."""
        self._from_thread(self._note, message)
        self._from_thread(self.send, message)

    def _from_thread(self, function: Callable[..., None], *arguments: object) -> None:
        if self._loop is None:
            with self._plain_lock:
                function(*arguments)
                self.presence.sweep(self.clock())
            return
        # After the end of the loop no listener is left.
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(function, *arguments)

    # --- in the event loop ---

    def note_alive(self, listener: Listener) -> None:
        """Note that the phone of a stream is still online."""
        self._note_request(listener.game_id, replace(listener.phone, heard=self.clock()))

    def _note_request(self, game_id: str, phone: Phone) -> None:
        now = self.clock()
        was_here = phone.key in self.presence.keys_within(game_id, now, AWAY_AFTER)
        self.presence.note_request(game_id, phone)
        if not was_here:
            self._send_presence(game_id)
            self.send({"phones": [(game_id, phone.key, phone.label, phone.may_record, now - phone.heard)]})

    def _note(self, message: Mapping[str, object]) -> None:
        """Do what a message says."""
        now = self.clock()
        match message:
            case {"version": [str(game_id), int(version), int() | None as key]}:
                self._note_version(game_id, version, key)
                if key is not None:
                    self.presence.note(game_id, key, recorded=now)
                    self._send_presence(game_id)
            case {"next": str(game_id)}:
                for listener in self.listeners.get(game_id, ()):
                    listener.tell("next")
                    listener.end()
            case {"revoked": [str(game_id), list(keys)]}:
                self.presence.drop(game_id, keys)
                for listener in self.listeners.get(game_id, ()):
                    if not listener.keys.isdisjoint(keys):
                        self._end_one(listener)
                self._send_presence(game_id)
            case {"said": [str(game_id), int(key), int(seat), str(phrase), str(mark)]}:
                self.presence.note(game_id, key, said=Said(seat, phrase, mark, now))
                self._send_presence(game_id)
            case {"phones": list(rows)}:
                self.presence.note_elsewhere(rows, now)
                for game_id in {row[0] for row in rows}:
                    self._send_presence(game_id)
            case _:
                logger.warning("A message of another process is unknown here: %.100r", message)

    def _note_version(self, game_id: str, version: int, writer: int | None) -> None:
        """`writer`: the key of the phone that has the fragment in the answer to its request."""
        known = self.versions.get(game_id)
        if known is None or (version <= known and version != GONE):
            return
        self.versions[game_id] = version
        for listener in self.listeners.get(game_id, ()):
            if version == GONE:
                listener.send_version(version)
                listener.end()
            elif listener.reader is None or self.fragments_of is None or writer in listener.keys:
                listener.send_version(version)
        self._render(game_id)

    def _render(self, game_id: str) -> None:
        """Render for the listeners that lack a version.  Versions that follow while this runs are rendered as one."""
        version = self.versions.get(game_id, GONE)
        waiting = [each for each in self.listeners.get(game_id, ()) if each.sent < version and not each.ended]
        if waiting and game_id not in self._rendering:
            self._rendering[game_id] = asyncio.create_task(self._render_for(game_id, version, waiting))

    async def _render_for(self, game_id: str, version: int, waiting: Sequence[Listener]) -> None:
        readers = {listener.reader for listener in waiting}
        assert self.fragments_of is not None, "without it no listener waits"
        try:
            loop = asyncio.get_running_loop()
            fragments = await loop.run_in_executor(self._threads, self.fragments_of, game_id, readers)
        except Exception as error:
            # Without its message, which could name a card.
            place = "".join(traceback.format_tb(error.__traceback__))
            logger.error("The fragments of game %s were not rendered: %s\n%s", game_id, type(error).__name__, place)
            fragments = dict.fromkeys(readers)
        finally:
            del self._rendering[game_id]
        for listener in waiting:
            fragment = fragments.get(listener.reader)
            if listener.ended:
                # Its key was revoked while the fragment was rendered.
                continue
            if listener.reader not in fragments:
                self._end_one(listener)
            elif fragment is None or fragment.version < version:
                listener.send_version(version)
            elif fragment.version > listener.sent:
                listener.send_fragment(fragment)
        self._render(game_id)

    def _end_all(self) -> None:
        for listeners in self.listeners.values():
            for listener in listeners:
                listener.end()

    def _end_one(self, listener: Listener) -> None:
        """End the stream of a phone that has lost a key.  It asks for the version, and the answer explains the loss."""
        if listener.reader is not None:
            listener.send_version(self.versions.get(listener.game_id, GONE))
        listener.end()

    def _send_presence(self, game_id: str) -> None:
        """Send the presence to the listeners of a game if it has changed."""
        listeners = self.listeners.get(game_id)
        if not listeners or self._shown.get(game_id) == (presence := self.presence_json(game_id)):
            return
        self._shown[game_id] = presence
        for listener in listeners:
            listener.tell("here", presence)

    # --- the clock ---

    async def _tick_forever(self) -> None:
        for tick in itertools.count(1):
            await asyncio.sleep(1)
            self.tick(self.clock(), beat=tick % BEAT_EVERY == 0)

    def tick(self, now: float, *, beat: bool) -> None:
        """Mark silent phones as away, send heartbeats, end dead streams, tell other processes who is here."""
        self.presence.sweep(now)
        for game_id, listeners in self.listeners.items():
            self._send_presence(game_id)
            alive = self.presence.keys_within(game_id, now, DEAF_AFTER)
            for listener in listeners:
                if listener.phone.key not in alive:
                    listener.end()
                elif beat and not listener.news:
                    # Any event counts as a heartbeat.
                    listener.tell("beat")
        if now - self._notified_others_at >= NOTIFY_OTHERS_EVERY:
            self._notified_others_at = now
            rows = self.presence.recent_rows(now, within=RECENTLY)
            for start in range(0, len(rows), ROWS_OF_A_MESSAGE):
                self.send({"phones": rows[start : start + ROWS_OF_A_MESSAGE]})

    def present_line(self) -> bytes:
        """The phones that this process has heard recently, as a message in a line."""
        return json.dumps({"phones": self.presence.recent_rows(self.clock(), within=RECENTLY)}).encode() + b"\n"


RECENTLY = 2 * NOTIFY_OTHERS_EVERY
"""A phone that has been silent for longer is not sent to other processes: their own clocks mark it as away."""

hub = Hub()
"""The hub of this process."""

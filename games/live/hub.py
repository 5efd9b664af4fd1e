"""The memory of one process: which streams listen to which game, and how far each game is.

Knows listeners, versions and presence.  Must not know: HTTP, databases, what an entry says.

Everything here runs in the event loop of the process; what threads may call says so.  A process without an event loop
(plain WSGI) has no streams: phones poll, and presence is what they are told with each answer.
"""

from __future__ import annotations

import asyncio
import json
import logging
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from games.live.presence import Phone, Presence, row_of

logger = logging.getLogger(__name__)

BEAT_EVERY = 4.0
"""Seconds between two beats of a stream.  A client that heard nothing for 9 s knows that the line is down."""
DEAF_AFTER = 60.0
"""Seconds without a sign of life from a phone, after which its stream is closed: its line is dead."""
TELL_OTHERS_EVERY = 3.0
ROWS_OF_A_MESSAGE = 12
"""Phones in one message between processes: with names of 60 signs it has to fit into a notification of PostgreSQL."""
TICK = 1.0
MISSED_AFTER = 30.0
"""Seconds of silence after which a phone is missed: the others may let a bot play for it."""
GONE = -1
"""The version of a game that was deleted."""


class Bus(Protocol):
    """The way to the other processes."""

    def start(self) -> None: ...
    def stop(self) -> None: ...
    def has_others(self) -> bool:
        """Whether another process may be listening."""
        ...

    def send(self, message: Mapping[str, object]) -> None:
        """Tell the other processes.  Must not block."""
        ...


@dataclass(eq=False)
class Listener:
    """A stream.  What it has to say is a state and no queue: a slow phone hears the latest, never a backlog."""

    game_id: str
    phone: Phone
    alive_at: float
    version: int | None = None
    here: str | None = None
    beat: bool = False
    ended: bool = False
    wake: asyncio.Event = field(default_factory=asyncio.Event)


class Hub:
    """One for each process."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.clock = clock
        self.presence = Presence()
        self.listeners: dict[str, set[Listener]] = {}
        self.versions: dict[str, int] = {}
        self.bus: Bus | None = None
        self.is_closing = False
        self._loop: asyncio.AbstractEventLoop | None = None
        self._ticking: asyncio.Task[None] | None = None
        self._shown: dict[str, tuple[tuple[object, ...], ...]] = {}
        self._told_others = 0.0
        self._plain_lock = threading.Lock()
        # Read by the bus's thread: which games are worth asking the database about.
        self._watched_lock = threading.Lock()
        self._watched: dict[str, int] = {}

    # --- the life of the hub ---

    def start(self, bus: Bus) -> None:
        """Begin to serve, in the running event loop."""
        self._loop = asyncio.get_running_loop()
        self.bus = bus
        self._ticking = self._loop.create_task(self._tick_for_ever())
        bus.start()

    @property
    def is_started(self) -> bool:
        """Whether there is an event loop to wake anybody in."""
        return self._loop is not None

    def close(self) -> None:
        """End every stream at once.  Callable more than once."""
        self.is_closing = True
        for listeners in self.listeners.values():
            for listener in listeners:
                listener.ended = True
                listener.wake.set()
        if self._ticking is not None:
            self._ticking.cancel()
        if self.bus is not None:
            self.bus.stop()

    # --- streams ---

    def join(self, game_id: str, phone: Phone, version: int) -> Listener:
        """A stream begins.  `version`: the game's, as it was just read; the listener hears it first."""
        now = self.clock()
        listener = Listener(game_id, phone, alive_at=now, ended=self.is_closing)
        self.listeners.setdefault(game_id, set()).add(listener)
        known = self.versions.get(game_id)
        listener.version = self.versions[game_id] = version if known is None else max(known, version)
        listener.wake.set()
        self._watch(game_id)
        self.presence.heard(game_id, phone)
        self._show(game_id)
        listener.here = self.here(game_id)
        return listener

    def leave(self, listener: Listener) -> None:
        """A stream has ended."""
        listeners = self.listeners.get(listener.game_id)
        if listeners is None:
            return
        listeners.discard(listener)
        if not listeners:
            del self.listeners[listener.game_id]
            self.versions.pop(listener.game_id, None)
            self._shown.pop(listener.game_id, None)
            with self._watched_lock:
                self._watched.pop(listener.game_id, None)

    # --- from threads ---

    def announce(self, game_id: str, version: int, *, key: int | None = None, over: bool = False) -> None:
        """A game has reached a version, committed.  `key`: who wrote; `over`: nothing more is to be expected."""
        self._from_thread(self._announced, game_id, version, key, over)

    def heard(self, game_id: str, key: int, label: str, *, may_record: bool) -> None:
        """A phone without a stream was heard of: it polls."""
        self._from_thread(self._heard, game_id, Phone(key, label, may_record, self.clock()))

    def revoked(self, game_id: str, keys: Sequence[int]) -> None:
        """Keys were taken back: their streams end."""
        self._from_thread(self._revoked, game_id, keys)

    def here(self, game_id: str, *, most: int | None = None) -> str:
        """Who is there, as JSON in plain ASCII.  `most`: phones that are told of, those that are there first."""
        shown = self.presence.shown(game_id, self.clock())
        if most is not None and len(shown) > most:
            shown = sorted(shown, key=lambda phone: bool(phone["away"]))[:most]
        return json.dumps(shown, separators=(",", ":"))

    def present(self, game_id: str, *, within: float = MISSED_AFTER) -> set[int]:
        """The keys whose phones were heard of lately.  After a start nobody has been, for a moment."""
        return self.presence.heard_within(game_id, self.clock(), within)

    def watched(self) -> dict[str, int]:
        """The games that somebody listens to, with the version that they heard."""
        with self._watched_lock:
            return dict(self._watched)

    def told(self, message: Mapping[str, object]) -> None:
        """Another process said something (see `bus`).  What cannot be read is logged and left."""
        self._from_thread(self._told, message)

    def reached(self, versions: Mapping[str, int]) -> None:
        """The database says how far the watched games are."""
        self._from_thread(self._reached, versions)

    def _from_thread(self, function: Callable[..., None], *arguments: object) -> None:
        loop = self._loop
        if loop is None:
            with self._plain_lock:
                function(*arguments)
                self.presence.sweep(self.clock())
            return
        try:
            loop.call_soon_threadsafe(function, *arguments)
        except RuntimeError:
            # Closed between the question and the call: nobody listens any more.
            return

    # --- in the event loop ---

    def sign_of_life(self, listener: Listener) -> None:
        """The phone of a stream says that it is still there."""
        listener.alive_at = self.clock()
        self._heard(listener.game_id, replace(listener.phone, heard=listener.alive_at))

    def _heard(self, game_id: str, phone: Phone) -> None:
        now = self.clock()
        was_away = self._is_away(game_id, phone.key, now)
        self._keep_open(game_id, phone.key)
        self.presence.heard(game_id, phone)
        if was_away:
            self._show(game_id)
            self._send({"here": {game_id: [row_of(phone, now)]}})

    def _keep_open(self, game_id: str, key: int) -> None:
        """The phone is there, whichever process heard it: its line is not dead."""
        for listener in self.listeners.get(game_id, ()):
            if listener.phone.key == key:
                listener.alive_at = self.clock()

    def _is_away(self, game_id: str, key: int, now: float) -> bool:
        phones = self.presence.shown(game_id, now)
        return next((bool(phone["away"]) for phone in phones if phone["key"] == key), True)

    def _announced(self, game_id: str, version: int, key: int | None, over: bool) -> None:
        self._wrote(game_id, version, key, over)
        self._send({"version": [game_id, version, key, over]})

    def _wrote(self, game_id: str, version: int, key: int | None, over: bool) -> None:
        self._reached({game_id: version})
        if key is not None:
            self.presence.recorded(game_id, key, self.clock())
            self._show(game_id)
        if over:
            # The version is told first, then the stream ends.
            for listener in self.listeners.get(game_id, ()):
                listener.ended = True
                listener.wake.set()

    def _reached(self, versions: Mapping[str, int]) -> None:
        for game_id, version in versions.items():
            known = self.versions.get(game_id)
            if known is None or (version <= known and version != GONE):
                continue
            self.versions[game_id] = version
            for listener in self.listeners.get(game_id, ()):
                listener.version = version
                listener.ended = listener.ended or version == GONE
                listener.wake.set()
            self._watch(game_id)

    def _watch(self, game_id: str) -> None:
        with self._watched_lock:
            self._watched[game_id] = self.versions[game_id]

    def _revoked(self, game_id: str, keys: Sequence[int]) -> None:
        self._end(game_id, keys)
        self._send({"revoked": [game_id, list(keys)]})

    def _end(self, game_id: str, keys: Sequence[int]) -> None:
        self.presence.drop(game_id, keys)
        for listener in self.listeners.get(game_id, ()):
            if listener.phone.key in keys:
                listener.ended = True
                listener.wake.set()
        self._show(game_id)

    def _told(self, message: Mapping[str, object]) -> None:
        match message:
            case {"version": [str(game_id), int(version), int() | None as key, bool(over)]}:
                self._wrote(game_id, version, key, over)
            case {"revoked": [str(game_id), list(keys)]}:
                self._end(game_id, keys)
            case {"here": dict(lately)}:
                self.presence.heard_elsewhere(lately, self.clock())
                for game_id, rows in lately.items():
                    for key, *_ in rows:
                        self._keep_open(game_id, key)
                    self._show(game_id)
            case _:
                logger.warning("Another process said what this one does not know: %.100r", message)

    def _show(self, game_id: str) -> None:
        """Tell the listeners of a game who is there, if that is news."""
        listeners = self.listeners.get(game_id)
        if not listeners:
            return
        states = self.presence.states(game_id, self.clock())
        if self._shown.get(game_id) == states:
            return
        self._shown[game_id] = states
        here = self.here(game_id)
        for listener in listeners:
            listener.here = here
            listener.wake.set()

    # --- the clock ---

    async def _tick_for_ever(self) -> None:
        next_beat = self.clock() + BEAT_EVERY
        while True:
            await asyncio.sleep(TICK)
            now = self.clock()
            beat = now >= next_beat
            if beat:
                next_beat = now + BEAT_EVERY
            self.tick(now, beat=beat)

    def tick(self, now: float, *, beat: bool) -> None:
        """What time brings: phones fall silent, streams beat, dead ones end."""
        self.presence.sweep(now)
        for game_id, listeners in self.listeners.items():
            self._show(game_id)
            for listener in listeners:
                if now - listener.alive_at > DEAF_AFTER:
                    listener.ended = True
                    listener.wake.set()
                elif beat:
                    listener.beat = True
                    listener.wake.set()
        if now - self._told_others >= TELL_OTHERS_EVERY:
            self._tell_others(now)

    def _tell_others(self, now: float) -> None:
        self._told_others = now
        if self.bus is None or not self.bus.has_others():
            return
        lately: dict[str, list[list[object]]] = {}
        rows_in_it = 0
        for game_id, rows in self.presence.recently_heard(now, within=HEARD_LATELY).items():
            lately[game_id] = rows
            rows_in_it += len(rows)
            if rows_in_it >= ROWS_OF_A_MESSAGE:
                self._send({"here": lately})
                lately, rows_in_it = {}, 0
        if lately:
            self._send({"here": lately})

    def _send(self, message: Mapping[str, object]) -> None:
        if self.bus is not None:
            self.bus.send(message)


HEARD_LATELY = 2 * TELL_OTHERS_EVERY
"""Who was not heard of for longer is no news for other processes: their own clocks let him go away."""

hub = Hub()
"""The hub of this process."""

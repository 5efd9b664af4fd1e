"""Time from a tap on one phone until the other phones show it.

`python -m tests.benchmarks.phones [40|500|streams] [--seconds 20] [--tables N] [--repeats 3]`

`40`: 40 phones at 8 tables.  `500`: 500 phones at 100 tables, with fewer taps until it takes less than half a second.
`streams`: 2,000 open streams.  Without a name: all three.  `--tables` for other sizes.

A phone does what `live.js` does: holds a stream, reports every 4 s that it is there, shows the fragments that it gets
and fetches one after each version that it does not show. Time is measured from just before a tap is sent to the last
byte on another phone. All run on one machine: the phones take their share of its processors, which is printed with each
figure.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import re
import resource
import subprocess
import sys
import tempfile
import time
import uuid
import zlib
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from games.live.hub import Hub
from games.live.presence import Phone as Presence
from tests.benchmarks.figures import show_figure
from tests.harness.timing import percentile
from tests.ops.running import ROOT, Server, environment

PHONES_AT_A_TABLE = 5
COVERED = (("trump", "red"), ("trump", "blue"), ("supertrump", "red"), ("points", "1"))
TAPPED = "points:2"
TOKEN = "benchmark0123456789benchmark0123"
BEAT_EVERY = 4.0
TIMEOUT = 10.0
WARM_UP = 3.0
PATIENCE = 15.0
"""Seconds until a phone that has not reached the last version counts as lost."""
HALF_A_SECOND = 0.5
RATES = (1.5, 1, 0.75, 0.5, 0.35, 0.25, 0.15, 0.1)
"""Writes a second at each of the 100 tables, tried from the fastest on."""

Notify = Callable[[str, str], None]


@dataclass(frozen=True)
class Answer:
    """What came back.  `version`: of the fragment, None without one."""

    status: int
    version: int | None
    text: str = ""


class Line:
    """A kept connection that answers one request after the other."""

    def __init__(self, port: int, cookie: str) -> None:
        self._port = port
        self._cookie = cookie
        self._turn = asyncio.Lock()
        self._ends: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def ask(self, method: str, path: str, fields: dict[str, str] | None = None) -> Answer:
        """Errors: `OSError`, `TimeoutError`, `EOFError`."""
        async with self._turn:
            was_kept = self._ends is not None
            try:
                async with asyncio.timeout(TIMEOUT):
                    return await self._ask(method, path, fields)
            except (ConnectionError, asyncio.IncompleteReadError) as error:
                self.close()
                # A kept connection may have been closed just now: browsers ask again by themselves.
                if not was_kept or getattr(error, "partial", b""):
                    raise
                return await self._ask(method, path, fields)
            except BaseException:
                self.close()
                raise

    async def _ask(self, method: str, path: str, fields: dict[str, str] | None) -> Answer:
        if self._ends is None:
            self._ends = await asyncio.open_connection("127.0.0.1", self._port)
        reader, writer = self._ends
        body = urlencode(fields or {}).encode()
        kind = f"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {len(body)}\r\n" if fields else ""
        writer.write(f"{method} {path} HTTP/1.1\r\n{heading(self._port, self._cookie)}{kind}\r\n".encode() + body)
        head = (await reader.readuntil(b"\r\n\r\n")).lower()
        length = re.search(rb"content-length: (\d+)", head)
        body = await reader.readexactly(int(length[1])) if length else b""
        if b"connection: close" in head:
            self.close()
        if b"content-encoding: gzip" in head:
            body = zlib.decompressobj(31).decompress(body, 1000)
        version = re.search(rb'data-version="(\d+)"', body)
        return Answer(int(head[9:12]), int(version[1]) if version else None, body.decode(errors="replace"))

    def close(self) -> None:
        if self._ends is not None:
            self._ends[1].close()
        self._ends = None


def heading(port: int, cookie: str) -> str:
    return (
        f"Host: 127.0.0.1:{port}\r\nCookie: njet_session={cookie}; njet_csrf={TOKEN}\r\n"
        "HX-Request: true\r\nNJET-Marks: 1\r\nAccept-Encoding: gzip, deflate, br\r\nAccept-Language: en\r\n"
    )


class Stream(asyncio.Protocol):
    """An open stream of events.  Tells each as soon as its last byte is there."""

    def __init__(self, request: str, notify: Notify) -> None:
        self._request = request
        self._notify = notify
        self._chunks = self._rest = b""
        self._has_head = False
        self._unzip = zlib.decompressobj(31)

    def connection_made(self, transport: Any) -> None:
        self.transport = transport
        transport.write(self._request.encode())

    def data_received(self, data: bytes) -> None:
        self._chunks += data
        if not self._has_head:
            head, end, self._chunks = self._chunks.partition(b"\r\n\r\n")
            self._has_head = bool(end)
            self._chunks = self._chunks if end else head
        while self._has_head and (found := re.match(rb"([0-9a-fA-F]+)\r\n", self._chunks)):
            begin, end_of_chunk = found.end(), found.end() + int(found[1], 16)
            if len(self._chunks) < end_of_chunk + 2:
                break
            self._rest += self._unzip.decompress(self._chunks[begin:end_of_chunk])
            self._chunks = self._chunks[end_of_chunk + 2 :]
        end = 0
        for event in re.finditer(rb"event: (\w+)\ndata: ([^\n]*)\n\n", self._rest):
            end = event.end()
            self._notify(event[1].decode(), event[2].decode())
        self._rest = self._rest[end:]

    def connection_lost(self, exc: Exception | None) -> None:
        self._notify("closed", "")


@dataclass
class Figures:
    """Seconds, and what went wrong."""

    event: list[float] = field(default_factory=list)
    fragment: list[float] = field(default_factory=list)
    answer: list[float] = field(default_factory=list)
    beat: list[float] = field(default_factory=list)
    written: int = 0
    overtaken: int = 0
    fetched: int = 0
    lost: int = 0
    failed: dict[str, int] = field(default_factory=dict)

    def fail(self, what: str) -> None:
        self.failed[what] = self.failed.get(what, 0) + 1

    def failures(self) -> str:
        return "".join(f"; {times} × {what}" for what, times in self.failed.items())


class Phone:
    """A browser at a table."""

    def __init__(self, port: int, table: Table, cookie: str) -> None:
        self.table = table
        self.version = self.heard = table.version
        self.name = ""
        self.fetches = True
        self.stream: Stream | None = None
        self.line, self.tapping = Line(port, cookie), Line(port, cookie)
        self._request = (
            f"GET /live/{table.game}/?fragment HTTP/1.1\r\n{heading(port, cookie)}Accept: text/event-stream\r\n\r\n"
        )
        self._port = port
        self._is_asking = self._ask_again = self.is_sending = False
        self._tasks: set[asyncio.Task[None]] = set()
        self._greeted = asyncio.Event()

    async def listen(self) -> None:
        loop = asyncio.get_running_loop()
        _, self.stream = await loop.create_connection(
            lambda: Stream(self._request, self._notified), "127.0.0.1", self._port
        )
        async with asyncio.timeout(60):
            await self._greeted.wait()
        # Too late a first sign of life, and the phone would be shown as away.
        self.do(self.beat())

    def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        self.name = ""
        if self.stream is not None:
            self.stream.transport.close()
        self.line.close()
        self.tapping.close()

    def _notified(self, name: str, data: str) -> None:
        now = time.monotonic()
        match name:
            case "hello":
                self.name = data
                self._greeted.set()
            case "version":
                self._hear(int(data), now)
            case "table":
                version = int(data.split('data-version="', 1)[1].split('"', 1)[0])
                self._hear(version, now, has_fragment=True)
            case "beat":
                self.table.crowd.beats.append(now)
            case "closed" if self.name:
                self.table.crowd.figures.fail("stream ended")

    def _hear(self, version: int, now: float, *, has_fragment: bool = False) -> None:
        self.table.note("event", self, self.heard, version, now)
        self.heard = max(self.heard, version)
        if has_fragment:
            self.show(version)
        elif self.fetches and version > self.version:
            self.do(self.refresh())

    def show(self, version: int) -> None:
        """A fragment has come."""
        self.table.note("fragment", self, self.version, version, time.monotonic())
        self.version = max(self.version, version)

    async def refresh(self) -> None:
        if self._is_asking or self.is_sending:
            self._ask_again = True
            return
        self._is_asking = True
        try:
            answer = await self.line.ask("GET", f"/g/{self.table.game}/?since={self.version}")
            self.table.crowd.figures.fetched += 1
            if answer.status == 200 and answer.version is not None:
                self.show(answer.version)
            elif answer.status != 204:
                self.table.crowd.figures.fail(f"fetch {answer.status}")
        except (OSError, EOFError) as error:
            self.table.crowd.figures.fail(f"fetch {type(error).__name__}")
            await asyncio.sleep(1)
            self._ask_again = True
        finally:
            self._is_asking = False
            if self._ask_again and not self.is_sending:
                self._ask_again = False
                if self.heard > self.version:
                    self.do(self.refresh())

    async def beat(self) -> None:
        """A sign of life every few seconds."""
        await asyncio.sleep(random.uniform(0, BEAT_EVERY))
        while True:
            began = time.monotonic()
            try:
                answer = await self.line.ask("GET", f"/live/{self.table.game}/{self.name}/")
                self.table.crowd.figures.beat.append(time.monotonic() - began)
                if answer.status != 204:
                    self.table.crowd.figures.fail(f"beat {answer.status}")
            except (OSError, EOFError) as error:
                self.table.crowd.figures.fail(f"beat {type(error).__name__}")
            await asyncio.sleep(began + BEAT_EVERY - time.monotonic())

    def do(self, work: Any) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


class Table:
    """A game and its phones.  One of them taps at a time: a space is covered, uncovered, covered …"""

    def __init__(self, crowd: Crowd, game: str, version: int) -> None:
        self.crowd = crowd
        self.game = game
        self.version = version
        self.phones: list[Phone] = []
        self._sent: dict[int, tuple[float, Phone]] = {}

    def note(self, what: str, phone: Phone, before: int, after: int, now: float) -> None:
        """Count every version that a phone has just reached, unless it wrote it."""
        for version in range(before + 1, after + 1):
            if version not in self._sent:
                continue
            sent, writer = self._sent[version]
            if writer is phone:
                continue
            getattr(self.crowd.figures, what).append(now - sent)

    async def tap(self, phone: Phone) -> None:
        fields = {"csrfmiddlewaretoken": TOKEN, "version": str(phone.version), "request_id": uuid.uuid4().hex}
        # Of the version and not of the taps of this crowd: another crowd may have tapped before it.
        is_covered = (phone.version - len(COVERED)) % 2 == 1
        fields |= {"sure": "1"} if is_covered else {"do": "place", "space": TAPPED}
        address = f"/g/{self.game}/{'undo' if is_covered else 'act'}/"
        figures, version = self.crowd.figures, self.version + 1
        phone.is_sending = True
        began = time.monotonic()
        self._sent[version] = (began, phone)
        try:
            answer = await phone.tapping.ask("POST", address, fields)
            figures.answer.append(time.monotonic() - began)
        except (OSError, EOFError) as error:
            figures.fail(f"tap {type(error).__name__}")
            return
        finally:
            phone.is_sending = False
        if answer.status == 200:
            figures.written += 1
            self.version = version
        elif answer.status == 409:
            # It did not know of the last tap yet.
            figures.overtaken += 1
            del self._sent[version]
        else:
            figures.fail(f"tap {answer.status}: {answer.text[:200]}")
            return
        if answer.version is not None:
            phone.show(answer.version)
        if phone.fetches and phone.heard > phone.version:
            await phone.refresh()

    async def tap_often(self, *, every: float, until: float) -> None:
        due = time.monotonic() + random.uniform(0, every)
        while due < until:
            await asyncio.sleep(due - time.monotonic())
            await self.tap(random.choice(self.phones))
            due = max(due + every, time.monotonic())


class Crowd:
    """All tables of a server."""

    def __init__(self, server: Server, seats: Sequence[dict[str, Any]]) -> None:
        self.server = server
        self.figures = Figures()
        self.beats: list[float] = []
        self.tables = []
        for seat in seats:
            table = Table(self, seat["game"], seat["version"])
            table.phones = [Phone(server.port, table, cookie) for cookie in seat["cookies"]]
            self.tables.append(table)

    @property
    def phones(self) -> list[Phone]:
        return [phone for table in self.tables for phone in table.phones]

    async def listen(self) -> None:
        """Open every stream, some at a time."""
        gate = asyncio.Semaphore(16)

        async def listen(phone: Phone) -> None:
            async with gate:
                await phone.listen()

        await asyncio.gather(*(listen(phone) for phone in self.phones))

    async def settle(self, what: str) -> int:
        """How many phones have not reached the last version after a while.  `what`: "heard" or "version"."""
        deadline = time.monotonic() + PATIENCE
        while (lost := self.behind(what)) and time.monotonic() < deadline:
            await asyncio.sleep(0.05)
        return lost

    def behind(self, what: str) -> int:
        return sum(getattr(phone, what) < table.version for table in self.tables for phone in table.phones)

    async def play(self, *, seconds: float, every: float, fetch: bool) -> Figures:
        """Tap, wait until everybody has everything, tell."""
        for phone in self.phones:
            phone.fetches = fetch
            phone.version = phone.table.version
        begin = time.monotonic()
        until = begin + WARM_UP + seconds
        tapping = [asyncio.create_task(table.tap_often(every=every, until=until)) for table in self.tables]
        await asyncio.sleep(WARM_UP)
        figures = self.figures = Figures()
        with effort(self.server) as usage:
            await asyncio.gather(*tapping)
        lost_events = await self.settle("heard")
        lost = await self.settle("version") if fetch else 0
        figures.lost = lost_events + lost
        print(
            f"{len(self.phones)} phones at {len(self.tables)} tables, {len(self.tables) / every:.0f} taps/s wanted, "
            f"{figures.written / seconds:.0f}/s written{'' if fetch else ', no fetches'}: lost {lost_events} "
            f"events, {lost} fragments; {figures.fetched} fetches, {figures.overtaken} overtaken taps"
            f"{figures.failures()}"
        )
        for what in ("event", "fragment", "answer", "beat"):
            show(what, getattr(figures, what))
        print(f"    {usage[0]}", flush=True)
        return figures


def show(what: str, seconds: Sequence[float]) -> None:
    if seconds:
        figures = ", ".join(f"p{percent} {percentile(seconds, percent) * 1000:.1f}" for percent in (50, 95, 99))
        print(f"    {what:<9} {figures}, max {max(seconds) * 1000:.1f} ms ({len(seconds)})", flush=True)


# --- the server and the machine ---


@contextmanager
def serving(tables: int, **variables: str) -> Iterator[tuple[Server, list[dict[str, Any]]]]:
    """A fresh server.  What it lays among the temporary files lies in a directory of ours."""
    with tempfile.TemporaryDirectory() as work:
        data = Path(work) / "data"
        with Server(data, PYTHONWARNINGS="ignore", TMPDIR=work, **variables) as server:
            yield server, seats(data, tables)


def seats(data: Path, tables: int) -> list[dict[str, Any]]:
    """Tables in the middle of placing, with the sessions of their phones, written beside the server."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.benchmarks.phones", "seat", str(tables)],
        env=environment(data, DJANGO_SETTINGS_MODULE="njetassist.settings"),
        cwd=ROOT,
        stdout=subprocess.PIPE,
        check=True,
    )
    return list(json.loads(done.stdout))


def seat(tables: int) -> None:
    """In a process with the server's settings: print what `seats` answers."""
    import django

    django.setup()
    from django.contrib.sessions.backends.db import SessionStore
    from django.db import transaction

    from games.keys import registry, sessions
    from games.models import Role
    from games.rules import Place, RowKey, Setup
    from games.services import creation, write
    from games.services import tables as services

    setup = Setup.of(preset="njet-english", names=["Ana", "Ben", "Cleo", "Dan", "Eve"], dealer=0)

    def phone(key: Any) -> str:
        session = SessionStore()
        sessions.remember(session, key)
        session.save()
        return str(session.session_key)

    def table() -> dict[str, object]:
        created = creation.create_game(setup=setup, creator_label="Phone 1")
        game, first = created.game, created.creator
        assert first is not None
        for row, space in COVERED:
            action = Place(RowKey(row), space)
            services.record_action(game_id=game.pk, actor=first, action=action, request=write.WriteRequest())
        others = (f"Phone {number}" for number in range(2, PHONES_AT_A_TABLE + 1))
        keys = [first, *(registry.issue(game=game, role=Role.SCOREKEEPER, label=other) for other in others)]
        return {"game": game.pk, "version": len(COVERED), "cookies": [phone(key) for key in keys]}

    with transaction.atomic():
        written = [table() for _ in range(tables)]
    print(json.dumps(written))


def workers(server: Server) -> list[int]:
    """The processes that answer: with SQLite the server itself."""
    master = server.process.pid
    return [int(pid) for pid in Path(f"/proc/{master}/task/{master}/children").read_text().split()] or [master]


def seconds_used(pid: int) -> float:
    user, system = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def kilobytes(pid: int) -> int:
    return int(re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{pid}/status").read_text())[1])


@contextmanager
def effort(server: Server) -> Iterator[list[str]]:
    """What it took of the processors.  The text is there at the end of the block."""
    usage: list[str] = []
    pids = workers(server)
    began, own, theirs = time.monotonic(), time.process_time(), sum(map(seconds_used, pids))
    yield usage
    took = (time.monotonic() - began) / 100
    used = sum(map(seconds_used, pids)) - theirs
    usage.append(
        f"server {used / took:.0f} % of a processor, phones {(time.process_time() - own) / took:.0f} %, "
        f"load average {os.getloadavg()[0]:.1f}"
    )


# --- the benchmarks ---


@dataclass(frozen=True)
class Size:
    """How long and how large a benchmark runs.  `tables`: None for its usual number."""

    seconds: float
    tables: int | None
    repeats: int


async def forty(size: Size) -> None:
    for _ in range(size.repeats):
        with serving(size.tables or 8, WEB_CONCURRENCY="") as (server, found):
            async with listening(server, found) as crowd:
                figures = await crowd.play(seconds=size.seconds, every=1, fetch=True)
                if figures.fragment:
                    name, shown = "40 phones, 8 tables, a tap a second each", percentile(figures.fragment, 95)
                    show_figure(f"{name}: p95 until shown, ms", 1000 * shown)
                    show_figure(f"{name}: lost", figures.lost)


async def five_hundred(size: Size) -> None:
    with serving(size.tables or 100, WEB_CONCURRENCY="") as (server, found):
        async with listening(server, found) as crowd:
            await crowd.play(seconds=size.seconds, every=1, fetch=False)
            reached, lost = 0.0, 0
            for rate in RATES:
                figures = await crowd.play(seconds=size.seconds, every=1 / rate, fetch=True)
                if figures.fragment and percentile(figures.fragment, 95) <= HALF_A_SECOND:
                    reached, lost = max((reached, lost), (figures.written / size.seconds, figures.lost))
                if figures.fragment and percentile(figures.fragment, 95) <= HALF_A_SECOND:
                    break
            name = "500 phones, 100 tables"
            show_figure(f"{name}: taps a second with p95 until shown of 500 ms", reached)
            show_figure(f"{name}: lost", lost)


@asynccontextmanager
async def listening(server: Server, found: Sequence[dict[str, Any]]) -> AsyncIterator[Crowd]:
    crowd = Crowd(server, found)
    try:
        await crowd.listen()
        yield crowd
    finally:
        for phone in crowd.phones:
            phone.close()
        errors = server.errors.read_text()
        if errors:
            print(f"    the server said: {errors[-1000:]}")


async def streams(size: Size) -> None:
    tables = size.tables or 400
    ticks_of_a_hub(tables)
    await one_process(size.seconds, tables)


def ticks_of_a_hub(tables: int) -> None:
    """The hub alone, without sending."""
    for name, beat in (("tick", False), ("tick+beat", True)):
        hub, took = Hub(), []
        for number in range(tables * PHONES_AT_A_TABLE):
            now = time.monotonic()
            hub.join(f"game{number % tables}", Presence(number, f"Phone {number}", may_record=True, heard=now), 1)
        for _ in range(100):
            began = time.perf_counter()
            hub.tick(time.monotonic(), beat=beat)
            took.append(time.perf_counter() - began)
        show(name, took)
    show_figure("2,000 streams: p95 of a tick in the process, ms", 1000 * percentile(took, 95))


async def one_process(seconds: float, tables: int) -> None:
    with serving(tables, WEB_CONCURRENCY="1") as (server, found):
        # The threads, their connections and the templates are there before anything is weighed.
        warm = Crowd(server, found[:20])
        await warm.listen()
        await asyncio.gather(*(table.tap(table.phones[0]) for table in warm.tables))
        await asyncio.gather(*(phone.refresh() for phone in warm.phones))
        for phone in warm.phones:
            phone.close()
        await asyncio.sleep(2)
        for seat in found:
            seat["version"] = max(seat["version"], *(t.version for t in warm.tables if t.game == seat["game"]), 0)
        (worker,) = workers(server)
        before, began = kilobytes(worker), time.monotonic()
        async with listening(server, found) as crowd:
            await asyncio.sleep(6)
            grown = kilobytes(worker) - before
            count = len(crowd.phones)
            print(f"{count} streams, {count} connections for beats: open after {time.monotonic() - began - 6:.1f} s")
            print(f"    {before} KB before, {grown / count:.1f} KB for each phone")
            show_figure("2,000 streams: KB of each", grown / count)
            await beats(crowd, seconds)
            await writes(crowd, seconds)


async def beats(crowd: Crowd, seconds: float) -> None:
    """How long it takes until each of the streams has had its beat."""
    crowd.beats = []
    await asyncio.sleep(seconds)
    spans: list[float] = []
    first = last = 0.0
    for at in sorted(crowd.beats):
        if at - last > 1:
            spans, first = [*spans, 0.0], at
        last = at
        spans[-1] = last - first
    show("beat: first to last stream", spans)


async def writes(crowd: Crowd, seconds: float) -> None:
    """Taps at one table after the other; without fetching, so that only the streams are measured."""
    for phone in crowd.phones:
        phone.fetches = False
        phone.version = phone.heard = phone.table.version
    crowd.figures = Figures()
    with effort(crowd.server) as usage:
        until = time.monotonic() + 2 * seconds
        while time.monotonic() < until:
            table = random.choice(crowd.tables)
            phone = random.choice(table.phones)
            phone.version = table.version
            await table.tap(phone)
            await asyncio.sleep(0.05)
    lost = await crowd.settle("heard")
    print(f"{crowd.figures.written} taps, one after the other: lost {lost} events{crowd.figures.failures()}")
    for what in ("event", "answer", "beat"):
        show(what, getattr(crowd.figures, what))
    print(f"    {usage[0]}", flush=True)


BENCHMARKS: dict[str, Callable[[Size], Awaitable[None]]] = {"40": forty, "500": five_hundred, "streams": streams}


def main() -> None:
    parser = argparse.ArgumentParser(description="Time from a tap on one phone until the other phones show it.")
    parser.add_argument("names", nargs="*", metavar="40|500|streams", default=list(BENCHMARKS))
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--tables", type=int)
    parser.add_argument("--repeats", type=int, default=3)
    options = parser.parse_args()
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    for name in options.names:
        print(f"--- {name} (load average {os.getloadavg()[0]:.1f})", flush=True)
        asyncio.run(BENCHMARKS[name](Size(options.seconds, options.tables, options.repeats)))


if __name__ == "__main__":
    if sys.argv[1:2] == ["seat"]:
        seat(int(sys.argv[2]))
    else:
        main()

"""Connections that give their memory back: between two requests, and while they have a stream.

gunicorn's protocol and ours, in this process, with an application of a few lines.
"""

from __future__ import annotations

import asyncio
import gc
import weakref
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest
from gunicorn import glogging
from gunicorn.config import Config

from njetassist import worker as workers
from njetassist.bridge import HAND_OVER, Receive, Scope, Send
from njetassist.worker import IdleConnection, Protocol, StreamConnection, Worker

pytestmark = pytest.mark.slow

KEPT = 1
"""Seconds for which an idle connection is kept."""
IDLE_AFTER = 0.05

Ends = tuple[asyncio.StreamReader, asyncio.StreamWriter]
EMPTY = {"type": "http.response.body", "body": b""}


class Application:
    """Answers with the path, or with `events` as a stream."""

    def __init__(self) -> None:
        self.listening = 0
        self.events: asyncio.Queue[bytes] = asyncio.Queue()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await receive()
        is_stream = HAND_OVER in scope
        length = [] if is_stream else [(b"content-length", str(len(scope["path"])).encode())]
        await send({"type": "http.response.start", "status": 200, "headers": length})
        if is_stream:
            scope[HAND_OVER](self._stream)
        else:
            await asyncio.sleep(4 * IDLE_AFTER if scope["path"] == "/slow" else 0)
            await send({"type": "http.response.body", "body": scope["path"].encode()})

    async def _stream(self, send: Send) -> None:
        self.listening += 1
        try:
            while event := await self.events.get():
                if event == b"fault":
                    raise ValueError(event)
                await send({"type": "http.response.body", "body": event, "more_body": True})
            await send(EMPTY)
        finally:
            self.listening -= 1


class Place:
    """A worker that listens, without gunicorn around it."""

    def __init__(self) -> None:
        config = Config()
        config.set("keepalive", KEPT)
        config.set("http_parser", "python")
        self.application = Application()
        self.worker = Worker.__new__(Worker)
        vars(self.worker).update(cfg=config, log=glogging.Logger(config), asgi=self.application, alive=True, nr=0)
        vars(self.worker).update(nr_conns=0, connections={}, worker_connections=3, max_requests=10**9)
        self.port = 0

    async def connect(self, request: bytes = b"") -> Ends:
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        writer.write(request)
        return reader, writer

    def open(self) -> list[type]:
        """The kinds of the open connections."""
        assert self.worker.nr_conns == len(self.worker.connections)
        return [type(each) for each in self.worker.connections]

    async def until(self, *kinds: type) -> None:
        async with asyncio.timeout(3):
            while self.open() != list(kinds):
                await asyncio.sleep(0.01)


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[Place], Awaitable[None]]], None]:
    monkeypatch.setattr(workers, "IDLE_AFTER", IDLE_AFTER)

    @asynccontextmanager
    async def listening() -> AsyncIterator[Place]:
        place = Place()
        place.worker.loop = asyncio.get_running_loop()
        server = await place.worker.loop.create_server(lambda: Protocol(place.worker), "127.0.0.1", 0)
        place.port = server.sockets[0].getsockname()[1]
        yield place
        server.close()

    async def listen_and(do: Callable[[Place], Awaitable[None]]) -> None:
        async with asyncio.timeout(10), listening() as place:
            await do(place)

    return lambda do: asyncio.run(listen_and(do))


def get(path: str, more: str = "") -> bytes:
    return f"GET {path} HTTP/1.1\r\nHost: x\r\n{more}\r\n".encode()


async def answered(reader: asyncio.StreamReader, path: str) -> None:
    assert (await reader.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 200 ")
    assert await reader.readexactly(len(path)) == path.encode()


def test_a_connection_rests_between_requests_and_nothing_of_them_is_left(run: Any) -> None:
    async def check(place: Place) -> None:
        gc.collect()
        gc.disable()
        reader, writer = await place.connect(get("/a"))
        await answered(reader, "/a")
        (first,) = map(weakref.ref, place.worker.connections)
        for path in ("/b", "/c"):
            await place.until(IdleConnection)
            await asyncio.sleep(0.01)
            assert not isinstance(first(), Protocol)
            writer.write(get(path))
            await answered(reader, path)
            (first,) = map(weakref.ref, place.worker.connections)
        writer.close()
        await place.until()

    try:
        run(check)
    finally:
        gc.enable()


def test_requests_that_arrive_together_or_in_pieces_are_answered(run: Any) -> None:
    async def check(place: Place) -> None:
        reader, writer = await place.connect()
        for pieces in ([get("/a") + get("/b")], [get("/a")[:9], get("/a")[9:] + get("/b")[:20], get("/b")[20:]]):
            for piece in pieces:
                writer.write(piece)
                await asyncio.sleep(3 * IDLE_AFTER)
            await answered(reader, "/a")
            await answered(reader, "/b")
        writer.close()

    run(check)


def test_a_request_that_is_being_answered_keeps_its_connection(run: Any) -> None:
    async def check(place: Place) -> None:
        reader, writer = await place.connect(get("/a"))
        await place.until(IdleConnection)
        writer.write(get("/slow"))
        await answered(reader, "/a")
        await asyncio.sleep(2 * IDLE_AFTER)
        assert place.open() == [Protocol]
        await answered(reader, "/slow")
        writer.close()
        await place.until()

    run(check)


@pytest.mark.parametrize("begun", [b"", get("/b")[:9]], ids=["resting", "in the middle of its headers"])
def test_an_idle_connection_is_closed_after_its_time(run: Any, begun: bytes) -> None:
    async def check(place: Place) -> None:
        reader, writer = await place.connect(get("/a"))
        await place.until(IdleConnection)
        writer.write(begun)
        await answered(reader, "/a")
        assert await reader.read() == b""
        writer.close()
        await place.until()

    run(check)


def test_the_connection_that_rests_for_the_longest_time_makes_room(run: Any) -> None:
    async def check(place: Place) -> None:
        ends = [await place.connect(get(path)) for path in ("/live/abc/", "/a", "/b")]
        await place.until(StreamConnection, IdleConnection, IdleConnection)
        ends.append(await place.connect(get("/c")))
        await answered(ends[1][0], "/a")
        assert await ends[1][0].read() == b""
        await answered(ends[3][0], "/c")
        for _reader, writer in ends:
            writer.close()
        await place.until()

    run(check)


def test_a_stream_is_sent_without_its_request_and_answers_the_next_one_after_its_end(run: Any) -> None:
    async def check(place: Place) -> None:
        reader, writer = await place.connect(get("/live/abc/") + get("/a"))
        await place.until(StreamConnection)
        writer.write(get("/b"))
        for event in (b"one", b"two", b""):
            place.application.events.put_nowait(event)
        head = await reader.readuntil(b"\r\n\r\n")
        assert b"\r\ntransfer-encoding: chunked\r\n" in head
        assert b"Connection: close" not in head
        assert await reader.readuntil(b"0\r\n\r\n") == b"3\r\none\r\n3\r\ntwo\r\n0\r\n\r\n"
        await answered(reader, "/a")
        await answered(reader, "/b")
        assert place.application.listening == 0
        await place.until(IdleConnection)
        writer.close()
        await place.until()

    run(check)


def test_a_stream_ends_its_connection_where_the_client_asks_for_it(run: Any) -> None:
    async def check(place: Place) -> None:
        reader, writer = await place.connect(get("/live/abc/", "Connection: close\r\n"))
        place.application.events.put_nowait(b"")
        answer = await reader.read()
        assert b"\r\nConnection: close\r\n" in answer
        assert answer.endswith(b"\r\n\r\n0\r\n\r\n")
        writer.close()
        await place.until()

    run(check)


def test_a_stream_ends_with_its_client_and_with_a_fault(run: Any) -> None:
    async def check(place: Place) -> None:
        for end in ("client", "fault", "flood"):
            reader, writer = await place.connect(get("/live/abc/"))
            await place.until(StreamConnection)
            place.application.events.put_nowait(b"one")
            await reader.readuntil(b"one\r\n")
            assert place.application.listening == 1
            if end == "client":
                writer.close()
            elif end == "fault":
                place.application.events.put_nowait(b"fault")
                assert await reader.read() == b""
            else:
                writer.write(b"a" * 2 * workers.MOST_PENDING)
            await place.until()
            assert place.application.listening == 0
            writer.close()

    run(check)


def test_a_stream_waits_for_a_client_that_does_not_read(run: Any) -> None:
    event = b"a" * 1_000_000

    async def check(place: Place) -> None:
        reader, writer = await place.connect(get("/live/abc/"))
        await place.until(StreamConnection)
        for _ in range(20):
            place.application.events.put_nowait(event)
        await asyncio.sleep(0.3)
        assert place.application.events.qsize() > 10
        for _ in range(20):
            await reader.readuntil(b"f4240\r\n")
            await reader.readexactly(len(event))
        assert place.application.events.empty()
        writer.close()
        await place.until()

    run(check)


def test_a_body_or_an_old_client_gets_its_stream_from_gunicorn(run: Any) -> None:
    async def check(place: Place) -> None:
        body = await place.connect(get("/live/abc/", "Content-Length: 3\r\n") + b"abc")
        await answered(body[0], "/live/abc/")
        old = await place.connect(b"GET /live/abc/ HTTP/1.0\r\n\r\n")
        assert (await old[0].read()).endswith(b"/live/abc/")
        for _reader, writer in (body, old):
            writer.close()
        await place.until()

    run(check)

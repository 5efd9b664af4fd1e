"""An ASGI application that runs a WSGI application in threads. A request occupies a thread only while it is computed.

It is code of our own for two reasons. A thread that waits for a client is missing for other requests: bodies are read
before a thread is taken, and answers that fit into memory are sent after it is released. And a client that disconnects
during a long answer must not keep its thread.
"""

import asyncio
import contextlib
import contextvars
import io
import json
import sys
import threading
from collections.abc import Awaitable, Callable, Iterable, Mapping, MutableMapping
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from typing import Any

from njetassist.middleware import ALWAYS, RETRY_AFTER

Message = MutableMapping[str, Any]
Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
WsgiApp = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]

KEPT_IN_MEMORY = 256 * 1024
"""Bytes of an answer that are collected before it is sent from its thread."""

MOST_WAITING = 256
"""Requests that wait for a thread.  Further ones are refused at once: after some seconds no client waits for an answer,
and one that asks again makes the queue longer."""

BUSY = "The server has too much to do. Try again in a few seconds."

BODY_TAKES = 30
"""Seconds that a client may take to send a body."""

CHUNK_TAKES = 20
"""Seconds that a client may take to read one part of a long answer."""

OF_THE_CONTENT = (
    *(b"accept-ranges", b"cache-control", b"content-disposition", b"content-encoding", b"content-length"),
    *(b"content-type", b"etag", b"last-modified"),
)
"""The headers that describe the content of an answer."""


class ClientGone(ConnectionError):
    """The client has disconnected."""


class Bridge:
    """An ASGI application that answers with a WSGI application.

    `body_limit`: bytes; a longer body, or one without a Content-Length, is not read: the application refuses it by
    its headers.  `longer_bodies`: other limits, by path.  Long answers may occupy a quarter of the threads at once;
    further ones are answered with 503.
    """

    def __init__(
        self, app: WsgiApp, *, threads: int, body_limit: int, longer_bodies: Mapping[str, int] | None = None
    ) -> None:
        self.app = app
        self.body_limit = body_limit
        self.longer_bodies = longer_bodies or {}
        self.executor = ThreadPoolExecutor(threads, thread_name_prefix="page")
        self.long_answers = threading.BoundedSemaphore(max(2, threads // 4))
        self.waiting = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            body = await self._body(scope, receive)
        except (ClientGone, TimeoutError):
            return
        if self.waiting >= MOST_WAITING:
            await _refuse(scope, send)
            return
        loop = asyncio.get_running_loop()
        exchange = Exchange(self.app, environ_of(scope, body), loop, send, self.long_answers)
        self.waiting += 1
        try:
            try:
                await loop.run_in_executor(self.executor, contextvars.copy_context().run, exchange.run)
            finally:
                self.waiting -= 1
            with contextlib.suppress(ClientGone, TimeoutError):
                await exchange.send_collected()
        finally:
            exchange.abandon()

    async def _body(self, scope: Scope, receive: Receive) -> bytes:
        headers = dict(scope["headers"])
        announced = headers.get(b"content-length", b"0")
        limit = self.longer_bodies.get(scope["path"], self.body_limit)
        if not announced.isdigit() or len(announced) > 9 or int(announced) > limit:
            return b""
        if b"transfer-encoding" in headers:
            return b""
        parts = []
        async with asyncio.timeout(BODY_TAKES):
            while True:
                message = await receive()
                if message["type"] == "http.disconnect":
                    raise ClientGone
                parts.append(message.get("body", b""))
                if not message.get("more_body", False):
                    return b"".join(parts)


async def _refuse(scope: Scope, send: Send) -> None:
    """Answer 503, because too many requests wait."""
    kind, body = "text/plain; charset=utf-8", BUSY
    if scope["path"].startswith("/api/"):
        kind, body = "application/json", json.dumps({"error": {"code": "server_busy", "message": BUSY, "params": {}}})
    content = body.encode()
    headers = {**ALWAYS, "Content-Type": kind, "Content-Length": str(len(content)), "Retry-After": RETRY_AFTER}
    encoded = [(name.lower().encode(), value.encode()) for name, value in headers.items()]
    await send({"type": "http.response.start", "status": 503, "headers": encoded})
    await send({"type": "http.response.body", "body": content})


def environ_of(scope: Scope, body: bytes) -> dict[str, Any]:
    """A request as WSGI has it (PEP 3333)."""
    environ: dict[str, Any] = {
        "REQUEST_METHOD": scope["method"],
        "SCRIPT_NAME": "",
        "PATH_INFO": scope["path"].encode().decode("latin1"),
        "QUERY_STRING": scope["query_string"].decode("latin1"),
        "SERVER_PROTOCOL": f"HTTP/{scope['http_version']}",
        "SERVER_NAME": str(scope["server"][0]),
        "SERVER_PORT": str(scope["server"][1]),
        "REMOTE_ADDR": str((scope["client"] or [""])[0]),
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope["scheme"],
        "wsgi.input": io.BytesIO(body),
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": True,
        "wsgi.run_once": False,
        "asgi.scope": scope,
    }
    for header, value in scope["headers"]:
        name = header.decode("latin1").upper().replace("-", "_")
        name = name if name in ("CONTENT_TYPE", "CONTENT_LENGTH") else f"HTTP_{name}"
        text = value.decode("latin1")
        # A comma would be a part of a cookie.
        between = "; " if name == "HTTP_COOKIE" else ","
        environ[name] = f"{environ[name]}{between}{text}" if name in environ else text
    return environ


class Exchange:
    """One request and its answer: `run` in a thread, the rest in the event loop."""

    def __init__(
        self,
        app: WsgiApp,
        environ: Any,
        loop: asyncio.AbstractEventLoop,
        send: Send,
        long_answers: threading.BoundedSemaphore,
    ) -> None:
        self.app, self.environ, self.loop, self.send = app, environ, loop, send
        self.long_answers = long_answers
        self.has_no_body = environ["REQUEST_METHOD"] == "HEAD"
        self.start: Message | None = None
        self.collected = bytearray()
        self.is_streaming = False
        self.is_abandoned = False
        self.is_cut_short = False
        self.is_turned_away = False
        self.is_started = False
        self.on_its_way: Future[None] | None = None

    def run(self) -> None:
        """Call the application.  The answer is collected, and sent from here only if it becomes too long."""
        answer = self.app(self.environ, self._start_response)
        try:
            for chunk in answer:
                if self.is_turned_away or self.has_no_body:
                    break
                self.collected += chunk
                if len(self.collected) > KEPT_IN_MEMORY:
                    self._send_from_thread()
        except ClientGone:
            self.is_cut_short = True
        finally:
            if self.is_streaming:
                self.long_answers.release()
            getattr(answer, "close", lambda: None)()

    async def send_collected(self) -> None:
        """Send the rest of the answer."""
        if self.is_cut_short:
            # Without an end the server closes the connection, and the client notices that the answer is incomplete.
            raise ClientGone
        async with asyncio.timeout(CHUNK_TAKES):
            if not self.is_streaming:
                await self._send_start()
            await self.send({"type": "http.response.body", "body": bytes(self.collected)})

    def abandon(self) -> None:
        """Release a thread that still waits for the client."""
        self.is_abandoned = True
        if self.on_its_way is not None:
            self.on_its_way.cancel()

    def _start_response(self, status: str, headers: list[tuple[str, str]], exc_info: object = None) -> None:
        self.start = {
            "type": "http.response.start",
            "status": int(status.split(" ", 1)[0]),
            "headers": [(name.lower().encode("latin1"), value.strip().encode("latin1")) for name, value in headers],
        }

    def _send_from_thread(self) -> None:
        if not self.is_streaming:
            if not self.long_answers.acquire(blocking=False):
                self._turn_away()
                return
            self.is_streaming = True
        chunk, self.collected = bytes(self.collected), bytearray()
        self.on_its_way = asyncio.run_coroutine_threadsafe(self._send_chunk(chunk), self.loop)
        # `abandon` runs in another thread: it either sees the future above or is seen here.
        if self.is_abandoned:
            self.on_its_way.cancel()
        try:
            self.on_its_way.result(CHUNK_TAKES)
        except (CancelledError, TimeoutError, OSError) as error:
            self.on_its_way.cancel()
            raise ClientGone from error

    def _turn_away(self) -> None:
        """Answer 503, because too many long answers are open.  Headers that do not describe the content are kept."""
        assert self.start is not None, "an answer without a status has no content"
        retry = [
            (b"retry-after", RETRY_AFTER.encode()),
            (b"content-type", b"text/plain"),
            (b"cache-control", b"no-store"),
        ]
        kept = [header for header in self.start["headers"] if header[0] not in OF_THE_CONTENT]
        self.start = {"type": "http.response.start", "status": 503, "headers": [*kept, *retry]}
        self.collected = bytearray(b"Too many long downloads at once. Try again in a few seconds.")
        self.is_turned_away = True

    async def _send_chunk(self, chunk: bytes) -> None:
        if not self.is_started:
            self.is_started = True
            await self._send_start()
        await self.send({"type": "http.response.body", "body": chunk, "more_body": True})

    async def _send_start(self) -> None:
        if self.start is None:
            raise RuntimeError("the application gave an answer without a status")
        await self.send(self.start)

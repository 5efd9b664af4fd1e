"""An ASGI application that runs a WSGI application in threads. A request occupies a thread only while it is computed.

It is code of our own because a thread that waits for a client is missing for other requests: bodies are read before a
thread is taken, and a long answer is computed part by part, each in any thread, and sent in between.
"""

import asyncio
import contextlib
import contextvars
import io
import json
import sys
import threading
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, MutableMapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from njetassist.middleware import ALWAYS, RETRY_AFTER

Message = MutableMapping[str, Any]
Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
WsgiApp = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]

PART = 256 * 1024
"""Bytes of an answer that are computed before they are sent."""

MOST_WAITING = 256
"""Requests that wait for a thread.  Further ones are refused at once: after some seconds no client waits for an answer,
and one that asks again makes the queue longer."""

BUSY = "The server has too much to do. Try again in a few seconds."

BODY_TAKES = 30
"""Seconds that a client may take to send a body."""

PART_TAKES = 20
"""Seconds that a client may take to read one part of an answer."""


class ClientGone(ConnectionError):
    """The client has disconnected."""


class Bridge:
    """An ASGI application that answers with a WSGI application.

    `body_limit`: bytes; a longer body, or one without a Content-Length, is not read: the application refuses it by
    its headers.  `longer_bodies`: other limits, by path.
    """

    def __init__(
        self, app: WsgiApp, *, threads: int, body_limit: int, longer_bodies: Mapping[str, int] | None = None
    ) -> None:
        self.app = app
        self.body_limit = body_limit
        self.longer_bodies = longer_bodies or {}
        self.executor = ThreadPoolExecutor(threads, thread_name_prefix="page")
        self.waiting = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            body = await self._body(scope, receive)
        except (ClientGone, TimeoutError):
            return
        if self.waiting >= MOST_WAITING:
            await _refuse(scope, send)
            return
        answer = Answer(self.app, environ_of(scope, body))
        try:
            # Without an end the server closes the connection, and the client notices that the answer is incomplete.
            with contextlib.suppress(ClientGone, TimeoutError):
                await self._send(answer, receive, send)
        finally:
            if not answer.is_closed:
                self.executor.submit(answer.close)

    async def _send(self, answer: "Answer", receive: Receive, send: Send) -> None:
        part = await self._part_of(answer)
        if answer.start is None:
            raise RuntimeError("the application gave an answer without a status")

        async def tell(message: Message) -> None:
            async with asyncio.timeout(PART_TAKES):
                await send(message)

        await tell(answer.start)
        leaves = None if answer.is_closed else asyncio.ensure_future(receive())
        try:
            while leaves is not None and not answer.is_closed:
                await tell({"type": "http.response.body", "body": part, "more_body": True})
                if leaves.done():
                    raise ClientGone
                part = await self._part_of(answer)
            await tell({"type": "http.response.body", "body": part})
        finally:
            if leaves is not None:
                leaves.cancel()

    async def _part_of(self, answer: "Answer") -> bytes:
        self.waiting += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self.executor, answer.part)
        finally:
            self.waiting -= 1

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


class Answer:
    """The answer to one request, computed in threads, a part at a time."""

    def __init__(self, app: WsgiApp, environ: dict[str, Any]) -> None:
        self.start: Message | None = None
        self.is_closed = False
        self._app, self._environ = app, environ
        self._context = contextvars.copy_context()
        # A cancelled request may be closed while its last part is computed.
        self._lock = threading.Lock()
        self._answer: Iterable[bytes] = ()
        self._chunks: Iterator[bytes] | None = None

    def part(self) -> bytes:
        """The next `PART` bytes or more of the content; after the last part the answer is closed."""
        with self._lock:
            try:
                return self._context.run(self._part)
            except BaseException:
                self._context.run(self._close)
                raise

    def close(self) -> None:
        """Close an answer of which no more is wanted."""
        with self._lock:
            self._context.run(self._close)

    def _part(self) -> bytes:
        if self._chunks is None:
            self._answer = self._app(self._environ, self._start_response)
            self._chunks = iter(() if self._environ["REQUEST_METHOD"] == "HEAD" else self._answer)
        collected = bytearray()
        for chunk in self._chunks:
            collected += chunk
            if len(collected) >= PART:
                return bytes(collected)
        self._close()
        return bytes(collected)

    def _close(self) -> None:
        if not self.is_closed:
            self.is_closed = True
            getattr(self._answer, "close", lambda: None)()

    def _start_response(self, status: str, headers: list[tuple[str, str]], exc_info: object = None) -> None:
        self.start = {
            "type": "http.response.start",
            "status": int(status.split(" ", 1)[0]),
            "headers": [(name.lower().encode("latin1"), value.strip().encode("latin1")) for name, value in headers],
        }

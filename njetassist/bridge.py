"""An ASGI application that runs a WSGI application in threads. A request occupies a thread only while it is computed.

It is code of our own because a thread that waits for a client is missing for other requests: bodies are read before a
thread is taken, and a long answer is computed part by part, each in any thread, and sent in between.
"""

import asyncio
import contextlib
import contextvars
import io
import sys
from collections.abc import Callable, Generator, Iterable, MutableMapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from games.live.stream import Message, Receive, Send

Scope = MutableMapping[str, Any]
WsgiApp = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]

PART = 256 * 1024
"""Bytes of an answer that are computed before they are sent."""

MOST_WAITING = 256
"""Requests that wait for a thread.  Further ones are refused at once: after some seconds no client waits for an answer,
and one that asks again makes the queue longer."""

BUSY = "njet.busy"
"""The entry of the WSGI environment that tells the application to refuse a request: it gets no thread."""

BODY_TAKES = 30
"""Seconds that a client may take to send a body."""

PART_TAKES = 20
"""Seconds that a client may take to read one part of an answer."""


class Bridge:
    """An ASGI application that answers with a WSGI application.

    `limit_of`: the most bytes of a body, by path; a longer one, or one without a Content-Length, is not read: the
    application refuses it by its headers.
    """

    def __init__(self, app: WsgiApp, *, threads: int, limit_of: Callable[[str], int]) -> None:
        self.app, self.limit_of = app, limit_of
        self.executor = ThreadPoolExecutor(threads, thread_name_prefix="page")
        self.waiting = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        body = await self._body(scope, receive)
        if body is None:
            return
        environ = environ_of(scope, body)
        is_refused = environ[BUSY] = self.waiting >= MOST_WAITING
        start: Message = {"type": "http.response.start"}
        parts, run = self._parts(environ, start), contextvars.copy_context().run

        async def next_part() -> tuple[bytes, bool]:
            if is_refused:
                return run(next, parts)
            self.waiting += 1
            try:
                return await asyncio.get_running_loop().run_in_executor(self.executor, run, next, parts)
            finally:
                self.waiting -= 1

        async def tell(message: Message) -> None:
            async with asyncio.timeout(PART_TAKES):
                await send(message)

        more, leaves = True, None
        try:
            part, more = await next_part()
            await tell(start)
            while more:
                leaves = leaves or asyncio.ensure_future(receive())
                await tell({"type": "http.response.body", "body": part, "more_body": True})
                if leaves.done():
                    return
                part, more = await next_part()
            await tell({"type": "http.response.body", "body": part})
        except TimeoutError:
            # Without an end the server closes the connection, and the client notices that the answer is incomplete.
            return
        finally:
            if leaves is not None:
                leaves.cancel()
            if more:
                self.executor.submit(run, parts.close)

    def _parts(self, environ: dict[str, Any], start: Message) -> Generator[tuple[bytes, bool]]:
        """The content in parts of `PART` bytes or more, and whether another one follows; after the last it is closed.

        It writes the status and the headers into `start` before the first part.
        """

        def start_response(status: str, headers: list[tuple[str, str]], exc_info: object = None) -> None:
            start["status"] = int(status.split(" ", 1)[0])
            start["headers"] = [
                (name.lower().encode("latin1"), text.strip().encode("latin1")) for name, text in headers
            ]

        answer = self.app(environ, start_response)
        collected = bytearray()
        try:
            for chunk in () if environ["REQUEST_METHOD"] == "HEAD" else answer:
                collected += chunk
                if len(collected) >= PART:
                    yield bytes(collected), True
                    collected.clear()
        finally:
            getattr(answer, "close", lambda: None)()
        yield bytes(collected), False

    async def _body(self, scope: Scope, receive: Receive) -> bytes | None:
        """The body of a request; None if the client has disconnected or takes too long."""
        headers = dict(scope["headers"])
        announced = headers.get(b"content-length", b"0")
        is_readable = announced.isdigit() and len(announced) <= 9 and int(announced) <= self.limit_of(scope["path"])
        if not is_readable or b"transfer-encoding" in headers:
            return b""
        parts = []
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(BODY_TAKES):
                while (message := await receive())["type"] != "http.disconnect":
                    parts.append(message.get("body", b""))
                    if not message.get("more_body", False):
                        return b"".join(parts)
        return None


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

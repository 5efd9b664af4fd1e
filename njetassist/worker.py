"""gunicorn's asgi worker: stops fast, limits idle connections, and answers errors as the application does.

gunicorn's worker waits the whole graceful timeout for every open connection, also for streams, which never end, and for
idle connections of browsers.  This one ends the streams at once and waits for open requests, not for connections.  It
overrides internals of gunicorn, whose version is pinned.
"""

import asyncio
import json
import re
from collections.abc import Callable, Coroutine
from functools import partial
from http import HTTPStatus
from typing import Any

from gunicorn.asgi.protocol import ASGIProtocol
from gunicorn.workers import gasgi

from njetassist.bridge import HAND_OVER, Message, Send
from njetassist.middleware import HEADERS, RETRY_AFTER

STREAM = re.compile(r"/live/\w+/", re.ASCII)
"""The address of a stream."""
LAST_BYTES = 0.2
"""Seconds to flush the socket buffers of the last answers."""
IDLE_AFTER = 1.0
"""Seconds after an answer, after which an idle connection gives its memory back."""
MOST_PENDING = 64 * 1024
"""Bytes that a client may send while it has a stream."""
Events = Callable[[Send], Coroutine[Any, Any, None]]


ALWAYS = {
    **HEADERS,
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
"""The headers of every answer of Django, for the errors that gunicorn answers itself."""

CODES = {414: "address_too_long", 431: "headers_too_large", 500: "server_error"}
"""The codes of errors below `/api/`.  The others are malformed requests."""


class Protocol(ASGIProtocol):
    """A connection.  Its errors have the security headers, and below `/api/` the shape of the API's errors."""

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self.worker.keep(self)

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self.worker.connections.pop(self, None)

    @property
    def is_idle(self) -> bool:
        """Whether no request is being answered."""
        ready: Any = self._request_ready
        return self._awaiting_request and not ready.is_set()

    def end_idle(self) -> None:
        """Close the connection as after its keep-alive time."""
        self._keepalive_timeout()

    def refuse(self) -> None:
        """Close a new connection, because too many are open."""
        self._send_error_response(503, "Too many connections are open. Try again in a few seconds.")
        self._close_transport()

    def _arm_keepalive_timer(self) -> None:
        self._cancel_keepalive_timer()
        self._keepalive_handle = self.worker.loop.call_later(IDLE_AFTER, self._make_idle)

    def _make_idle(self) -> None:
        """Hand the connection to an `IdleConnection`, unless a request has begun or an answer is not sent yet."""
        self._keepalive_handle = None
        if not self.is_idle:
            return
        parser: Any = self._callback_parser
        transport: Any = self.transport
        if parser._buffer or parser._state != "request_line" or transport.get_write_buffer_size():
            super()._arm_keepalive_timer()
            return
        self._hand_to(IdleConnection(self.worker, transport))
        task: Any = self._task
        task.cancel()

    def _hand_to(self, successor: asyncio.Protocol) -> None:
        transport: Any = self.transport
        self._closed = True  # so that the end of gunicorn's task does not close the transport
        self._callback_parser = self._body_receiver = None  # they refer to this object
        self.worker.connections.pop(self, None)
        self.worker.connections[successor] = None
        transport.set_protocol(successor)

    def _build_http_scope(self, request: Any, sockname: Any, peername: Any) -> Any:
        scope = super()._build_http_scope(request, sockname, peername)
        has_body = request.content_length or request.chunked
        if STREAM.fullmatch(request.path) and request.version >= (1, 1) and not has_body:
            scope[HAND_OVER] = partial(self._hand_over, request)
        return scope

    def _hand_over(self, request: Any, events: Events) -> None:
        """Hand the connection to a `StreamConnection`.  gunicorn has the headers of the answer already."""
        if self._closed:
            return
        parser: Any = self._callback_parser
        flow: Any = self._flow_control
        stream = StreamConnection(self.worker, self.transport)
        stream.closes = self._will_close(request, False)
        stream.head, stream.pending = self._response_buffer or b"", parser.remaining()
        if flow.write_paused:
            stream.pause_writing()
        self._hand_to(stream)
        stream.task = self.worker.loop.create_task(stream.run(events))

    async def _serve_http_request(self, request: Any, sockname: Any, peername: Any) -> bool:
        if request.version >= (1, 1) and not any(name == b"host" for name, _value in request.headers_bytes):
            self._send_error_response(400, "A request has to name its host.")
            return False
        if STREAM.fullmatch(request.path):
            # A stream waits until its phone has read the last event, and queues nothing else.
            transport: Any = self.transport
            transport.set_write_buffer_limits(high=0)
        try:
            answer: bool = await super()._serve_http_request(request, sockname, peername)
            return answer
        finally:
            self.worker.used(self)

    async def _handle_websocket(self, request: Any, sockname: Any, peername: Any) -> None:
        self._send_error_response(403, "There are no WebSockets here.")

    def _send_error_response(self, status: int, message: str, extra_headers: tuple[tuple[str, str], ...] = ()) -> None:
        parser: Any = self._callback_parser
        # A request line that is too long is still in the buffer.
        target = parser.path or bytes(parser._buffer[:50]).partition(b" ")[2]
        kind, body = "text/plain; charset=utf-8", message
        if target.startswith(b"/api/"):
            error = {"code": CODES.get(status, "malformed"), "message": message, "params": {}}
            kind, body = "application/json", json.dumps({"error": error})
        content = body.encode()
        headers = {"Content-Type": kind, "Content-Length": len(content), "Connection": "close", **ALWAYS}
        headers.update(extra_headers)
        if status == HTTPStatus.SERVICE_UNAVAILABLE:
            headers["Retry-After"] = RETRY_AFTER
        lines = [f"HTTP/1.1 {status} {HTTPStatus(status).phrase}", *(f"{name}: {headers[name]}" for name in headers)]
        self._safe_write("\r\n".join([*lines, "", ""]).encode("latin-1") + content)


class LightConnection(asyncio.Protocol):
    """A connection without what gunicorn keeps for it: tasks, a parser, the request and buffers."""

    __slots__ = ("transport", "worker")
    is_idle = False

    def __init__(self, worker: Any, transport: Any) -> None:
        self.worker, self.transport = worker, transport

    def end_idle(self) -> None:
        """Close the connection."""
        self.transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        self.worker.connections.pop(self, None)
        self.worker.nr_conns -= 1


class IdleConnection(LightConnection):
    """A connection between two requests."""

    __slots__ = ("timer",)
    is_idle = True

    def __init__(self, worker: Any, transport: Any) -> None:
        super().__init__(worker, transport)
        self.timer = worker.loop.call_later(worker.cfg.keepalive - IDLE_AFTER, self.end_idle)

    def data_received(self, data: bytes) -> None:
        self.connection_lost(None)
        connection = Protocol(self.worker)
        connection.req_count = 1  # so that the headers of its next request may not take longer than `keepalive`
        self.transport.set_protocol(connection)
        connection.connection_made(self.transport)
        connection.data_received(data)

    def connection_lost(self, exc: Exception | None) -> None:
        self.timer.cancel()
        super().connection_lost(exc)


class StreamConnection(LightConnection):
    """A connection with a stream, which ends as soon as its client has gone.

    `head`: what is sent before the first event; `pending`: what the client has sent since; `paused`: done when the
    client has read what was sent; `closes`: the connection serves no other request.
    """

    __slots__ = ("closes", "head", "paused", "pending", "task")

    def __init__(self, worker: Any, transport: Any) -> None:
        super().__init__(worker, transport)
        self.closes, self.head, self.pending = False, b"", b""
        self.paused: asyncio.Future[None] | None = None
        self.task: asyncio.Task[None] | None = None

    async def run(self, events: Events) -> None:
        """Send the events."""
        try:
            await events(self.send)
        except Exception:
            # An error in a stream ends this connection only, as gunicorn does it for a request.
            self.worker.log.exception("Error in ASGI application")
            self.closes = True
        if self.closes or not self.worker.alive:
            self.transport.close()
            return
        del self.worker.connections[self]
        idle = IdleConnection(self.worker, self.transport)
        self.worker.connections[idle] = None
        self.transport.set_protocol(idle)
        if self.pending:
            idle.data_received(self.pending)

    async def send(self, message: Message) -> None:
        """Send a part of the answer as a chunk."""
        body = message["body"]
        chunk = b"%x\r\n%b\r\n" % (len(body), body) if body else b""
        end = b"" if message.get("more_body", False) else b"0\r\n\r\n"
        self.transport.write(self.head + chunk + end)
        self.head = b""
        if self.paused is not None:
            await self.paused

    def data_received(self, data: bytes) -> None:
        self.pending += data
        if len(self.pending) > MOST_PENDING:
            self.transport.close()

    def pause_writing(self) -> None:
        self.paused = self.worker.loop.create_future()

    def resume_writing(self) -> None:
        paused, self.paused = self.paused, None
        if paused is not None and not paused.done():
            paused.set_result(None)

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        if self.task is not None:
            self.task.cancel()


# The worker names its protocol class by this global.
gasgi.ASGIProtocol = Protocol  # type: ignore[attr-defined]  # (gunicorn only imports the class there)


class Worker(gasgi.ASGIWorker):
    """Stops as soon as every request is answered.  `connections`: the open ones, the latest used last."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.connections: dict[Protocol | LightConnection, None] = {}
        self.serving: asyncio.Task[None] | None = None

    def keep(self, connection: Protocol) -> None:
        """Keep a new connection.  Where there are too many, the one that is idle for the longest time makes room."""
        if len(self.connections) >= self.worker_connections:
            idle = next((each for each in self.connections if each.is_idle), None)
            if idle is None:
                connection.refuse()
                return
            del self.connections[idle]
            idle.end_idle()
        self.connections[connection] = None

    def used(self, connection: Protocol) -> None:
        """Note that a connection has had a request."""
        if connection in self.connections:
            del self.connections[connection]
            self.connections[connection] = None

    async def _serve(self) -> None:
        self.serving = asyncio.current_task()
        await super()._serve()

    def handle_exit_signal(self) -> None:
        self._stop_serving()
        super().handle_exit_signal()

    def handle_quit_signal(self) -> None:
        self._stop_serving()
        super().handle_quit_signal()

    def _stop_serving(self) -> None:
        self.asgi.end_streams()
        if self.alive and self.servers and self.serving is not None:
            # gunicorn checks `alive` only once a second.
            self.serving.cancel()

    async def _shutdown(self) -> None:
        for server in self.servers:
            server.close()
        assert self.loop is not None, "the loop runs until the worker has shut down"
        deadline = self.loop.time() + self.cfg.graceful_timeout
        while self.asgi.busy and self.loop.time() < deadline and not self._quick_shutdown:
            await asyncio.sleep(0.02)
        if not self._quick_shutdown:
            await asyncio.sleep(LAST_BYTES)
        # Every request is answered: only idle connections are left.
        self._quick_shutdown = True
        await super()._shutdown()

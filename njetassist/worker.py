"""gunicorn's asgi worker: ended the way people wait for it, and with our headers on its own errors.

Knows gunicorn's worker and protocol classes (its version is pinned).  Knows nothing of Django's pages.

Left to itself it waits the whole graceful time for every open connection: for streams, which never end, and for
browsers that merely keep a connection for their next request.  This one ends the streams at once and waits for
requests, not for connections.
"""

import asyncio

from gunicorn.asgi.protocol import ASGIProtocol
from gunicorn.workers import gasgi

from njetassist.middleware import HEADERS

LAST_BYTES = 0.2
"""Seconds for what the last answers left in the buffers of their sockets."""


EVERYWHERE = (
    *HEADERS.items(),
    ("Cache-Control", "no-store"),
    ("Cross-Origin-Opener-Policy", "same-origin"),
    ("Referrer-Policy", "same-origin"),
    ("X-Content-Type-Options", "nosniff"),
    ("X-Frame-Options", "DENY"),
)
"""What Django sends with every answer; it never sees a request that gunicorn cannot read."""


class Protocol(ASGIProtocol):
    """Refuses what is no HTTP with the headers of every other answer."""

    def _send_error_response(self, status: int, message: str, extra_headers: tuple[tuple[str, str], ...] = ()) -> None:
        super()._send_error_response(status, message, (*extra_headers, *EVERYWHERE))


# The worker names its protocol class by this global.
gasgi.ASGIProtocol = Protocol  # type: ignore[attr-defined]  # (gunicorn only imports the class there)


class Worker(gasgi.ASGIWorker):
    """Ends as soon as everything is answered."""

    def handle_exit_signal(self) -> None:
        self.asgi.end_streams()
        super().handle_exit_signal()

    def handle_quit_signal(self) -> None:
        self.asgi.end_streams()
        super().handle_quit_signal()

    async def _shutdown(self) -> None:
        for server in self.servers:
            server.close()
        assert self.loop is not None, "the loop runs until the worker has shut down"
        deadline = self.loop.time() + self.cfg.graceful_timeout
        while self.asgi.busy and self.loop.time() < deadline and not self._quick_shutdown:
            await asyncio.sleep(0.02)
        if not self._quick_shutdown:
            await asyncio.sleep(LAST_BYTES)
        # Everything is answered: what is left are idle connections, which need no grace.
        self._quick_shutdown = True
        await super()._shutdown()

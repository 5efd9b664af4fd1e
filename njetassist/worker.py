"""gunicorn's asgi worker with a fast shutdown, and with our security headers on its own errors.

gunicorn's worker waits the whole graceful timeout for every open connection, also for streams, which never end, and for
idle connections of browsers.  This one ends the streams at once and waits for open requests, not for connections.  It
overrides internals of gunicorn, whose version is pinned.
"""

import asyncio

from gunicorn.asgi.protocol import ASGIProtocol
from gunicorn.workers import gasgi

from njetassist.middleware import HEADERS

LAST_BYTES = 0.2
"""Seconds to flush the socket buffers of the last answers."""


EVERYWHERE = (
    *HEADERS.items(),
    ("Cache-Control", "no-store"),
    ("Cross-Origin-Opener-Policy", "same-origin"),
    ("Referrer-Policy", "same-origin"),
    ("X-Content-Type-Options", "nosniff"),
    ("X-Frame-Options", "DENY"),
)
"""The headers of every answer of Django, for the errors that gunicorn answers itself."""


class Protocol(ASGIProtocol):
    """Adds the security headers to the answers to invalid HTTP."""

    def _send_error_response(self, status: int, message: str, extra_headers: tuple[tuple[str, str], ...] = ()) -> None:
        super()._send_error_response(status, message, (*extra_headers, *EVERYWHERE))


# The worker names its protocol class by this global.
gasgi.ASGIProtocol = Protocol  # type: ignore[attr-defined]  # (gunicorn only imports the class there)


class Worker(gasgi.ASGIWorker):
    """Stops as soon as every request is answered."""

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
        # Every request is answered: only idle connections are left.
        self._quick_shutdown = True
        await super()._shutdown()

"""gunicorn's asgi worker, ended the way people wait for it.

Knows gunicorn's worker class (its version is pinned).  Knows nothing of Django.

Left to itself it waits the whole graceful time for every open connection: for streams, which never end, and for
browsers that merely keep a connection for their next request.  This one ends the streams at once and waits for
requests, not for connections.
"""

import asyncio

from gunicorn.workers.gasgi import ASGIWorker

LAST_BYTES = 0.2
"""Seconds for what the last answers left in the buffers of their sockets."""


class Worker(ASGIWorker):  # type: ignore[misc]
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
        deadline = self.loop.time() + self.cfg.graceful_timeout
        while self.asgi.busy and self.loop.time() < deadline and not self._quick_shutdown:
            await asyncio.sleep(0.02)
        if not self._quick_shutdown:
            await asyncio.sleep(LAST_BYTES)
        # Everything is answered: what is left are idle connections, which need no grace.
        self._quick_shutdown = True
        await super()._shutdown()

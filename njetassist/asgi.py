"""The ASGI application of `manage.py serve`: streams are answered in the event loop, pages in threads.

A view decides who may listen, and games.live decides what a stream sends.  Django's own ASGI handler is not used: it
serves ordinary pages at a fifth of the speed of its WSGI handler.
"""

import asyncio
import gc
import re
import signal
from collections.abc import Collection, Mapping
from types import FrameType
from typing import Any

from django.db import close_old_connections, connection
from django.urls import get_resolver

from njetassist import open_files
from njetassist.bridge import Bridge, Scope
from njetassist.middleware import body_limit
from njetassist.pages import application as pages

from games.bot_runner import process  # isort: skip  (needs the settings that the line above sets up)
from games.live.bus import for_database
from games.live.fragment import Fragment
from games.live.hub import hub
from games.live.stream import TICKET, Message, Receive, Send, Streams, Ticket
from games.pages.live.readers import fragments_of
from njetassist import daily

THREADS = 4
"""More of them only wait for each other: at the lock of the interpreter, and at that of the language of each thread."""

LIVE = re.compile(r"/live/(?P<game>[0-9a-z]{1,12})/(?:(?P<stream>[\w-]{1,20})/)?\Z", re.ASCII)


def _fragments_of(game_id: str, readers: Collection[Any]) -> Mapping[Any, Fragment | None]:
    """The fragments, in a thread that answers no request: nothing else closes a connection that has failed."""
    close_old_connections()
    return fragments_of(game_id, readers)


class Application:
    """The application of one process."""

    def __init__(self) -> None:
        self.pages = Bridge(pages, threads=THREADS, limit_of=body_limit)
        self.streams = Streams(hub)
        hub.fragments_of = _fragments_of
        self.most_streams = open_files.connections() // 2

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._live(receive, send)
            return
        live = LIVE.match(scope["path"]) if scope["method"] == "GET" else None
        if live is not None and live["stream"] is None:
            await self._stream(scope, receive, send)
        elif live is not None and (headers := self.streams.note_alive(live["game"], live["stream"])) is not None:
            await send({"type": "http.response.start", "status": 204, "headers": headers})
            await send({"type": "http.response.body", "body": b""})
        else:
            await self.pages(scope, receive, send)

    async def _stream(self, scope: Scope, receive: Receive, send: Send) -> None:
        # Half of the connections are for pages.
        ticket = Ticket(is_full=len(self.streams.open) >= self.most_streams)
        headers: list[tuple[bytes, bytes]] = []

        async def unless_admitted(message: Message) -> None:
            if ticket.phone is None:
                await send(message)
            elif "headers" in message:
                # The stream has no length; the empty answer of the view had one.
                headers.extend(header for header in message["headers"] if header[0] != b"content-length")

        await self.pages({**scope, TICKET: ticket}, receive, unless_admitted)
        if ticket.phone is not None:
            await self.streams.serve(ticket, headers, receive, send)

    @staticmethod
    async def _live(receive: Receive, send: Send) -> None:
        """Start and stop with the server.  Nothing relies on the stop: a killed server skips it."""
        await receive()
        hub.start()
        for_database(hub).start()
        _end_streams_by_signals()
        if connection.vendor == "sqlite":
            process.present = hub.present_line
        # Players may have been waiting for bots since before the server was started.
        process.begin()
        daily.begin()
        await send({"type": "lifespan.startup.complete"})
        await receive()
        hub.close()
        await send({"type": "lifespan.shutdown.complete"})


def _end_streams_by_signals() -> None:
    """End the streams when the server begins to stop: it waits until every answer is complete, and they never are."""
    loop, stop = asyncio.get_running_loop(), signal.getsignal(signal.SIGTERM)

    def end(number: int, frame: FrameType | None) -> None:
        loop.call_soon_threadsafe(hub.close)
        if callable(stop):
            stop(signal.SIGTERM, frame)

    # gunicorn passes Ctrl-C on as the last one.
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGQUIT):
        signal.signal(number, end)
    # `manage.py serve` blocks them until now.
    signal.pthread_sigmask(signal.SIG_SETMASK, ())


def load_pages() -> None:
    """Load what the first request would wait for, and keep the garbage collector from looking through it."""
    _ = get_resolver().url_patterns
    gc.collect()
    gc.freeze()


application = Application()

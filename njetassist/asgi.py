"""The ASGI application of `manage.py serve`: streams are answered in the event loop, pages in threads.

A view decides who may listen, and games.live decides what a stream sends.  Django's own ASGI handler is not used: it
serves ordinary pages at a fifth of the speed of its WSGI handler.
"""

import re
from collections.abc import Awaitable, Callable, Collection, Mapping
from typing import Any

from django.conf import settings
from django.db import close_old_connections

from njetassist import open_files
from njetassist.bridge import HAND_OVER, Bridge, Message, Receive, Scope, Send
from njetassist.middleware import RETRY_AFTER
from njetassist.wsgi import application as pages

from games.live.bus import for_database  # isort: skip  (needs the settings that the line above sets up)
from games.live.fragment import Fragment
from games.live.hub import hub
from games.live.stream import TICKET, Streams, Ticket
from games.pages.live.readers import fragments_of

THREADS = 16

LIVE = re.compile(r"/live/(?P<game>[0-9a-z]{1,12})/(?:(?P<stream>[\w-]{1,20})/)?\Z", re.ASCII)


def _fragments_of(game_id: str, readers: Collection[Any]) -> Mapping[Any, Fragment | None]:
    """The fragments, in a thread that answers no request: nothing else closes a connection that has failed."""
    close_old_connections()
    return fragments_of(game_id, readers)


class Application:
    """The application of one process.  `requests`: the number of open ones."""

    def __init__(self) -> None:
        self.pages = Bridge(
            pages, threads=THREADS, body_limit=settings.BODY_LIMIT, longer_bodies=settings.LONGER_BODIES
        )
        self.streams = Streams(hub)
        hub.fragments_of = _fragments_of
        self.most_streams = open_files.streams()
        self.requests = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._live(receive, send)
            return
        if not hub.is_started:
            hub.start(for_database(hub))
        self.requests += 1
        try:
            await self._answer(scope, receive, send)
        finally:
            self.requests -= 1

    @property
    def busy(self) -> bool:
        """Whether a request or a stream is open."""
        return bool(self.requests or self.streams.open)

    def end_streams(self) -> None:
        """End every stream, because the server is stopping: the phones connect again."""
        hub.close()

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        live = LIVE.match(scope["path"])
        if live is None or scope["method"] != "GET":
            await self.pages(scope, receive, send)
        elif live["stream"] is None:
            await self._stream(scope, receive, send)
        elif (headers := self.streams.note_alive(live["game"], live["stream"])) is not None:
            await send({"type": "http.response.start", "status": 204, "headers": headers})
            await send({"type": "http.response.body", "body": b""})
        else:
            await self.pages(scope, receive, send)

    async def _stream(self, scope: Scope, receive: Receive, send: Send) -> None:
        ticket = Ticket()
        answer: list[Message] = []

        async def keep(message: Message) -> None:
            answer.append(message)

        await self.pages({**scope, TICKET: ticket}, receive, keep)
        if ticket.phone is not None and len(self.streams.open) >= self.most_streams:
            # The phone polls and asks again later.
            answer[0]["status"] = 503
            answer[0]["headers"].append((b"retry-after", RETRY_AFTER.encode()))
        elif ticket.phone is not None:
            # The stream has no length; the empty answer of the view had one.
            headers = [header for header in answer[0]["headers"] if header[0] != b"content-length"]
            answer.clear()
            await self.streams.serve(ticket, headers, send, scope.get(HAND_OVER))
            return
        for message in answer:
            await send(message)

    @staticmethod
    async def _live(receive: Callable[[], Awaitable[Any]], send: Send) -> None:
        """Start and stop with the server.  Nothing relies on the stop: a killed server skips it."""
        await receive()
        hub.start(for_database(hub))
        await send({"type": "lifespan.startup.complete"})
        await receive()
        hub.close()
        await send({"type": "lifespan.shutdown.complete"})


application = Application()

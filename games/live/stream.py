"""The stream of server-sent events of a phone: versions, fragments and presence.

Must not know: sessions, keys, databases.  An ordinary view (`games.pages.live.views`) decides who may listen; it admits
the phone through the `Ticket` of the request.
"""

from __future__ import annotations

import asyncio
import secrets
import zlib
from collections.abc import Awaitable, Callable, MutableMapping
from dataclasses import dataclass, field
from typing import Any

from games.live.fragment import HEADER, Fragment, end_of, stored
from games.live.hub import Hub, Listener, Reader
from games.live.presence import Phone

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Headers = list[tuple[bytes, bytes]]

TICKET = "njet.ticket"
"""The entry of the ASGI scope that holds the ticket."""


@dataclass
class Ticket:
    """The decision of the view about a request for a stream.  Without a phone its answer is sent and no stream.

    `reader`: None for a phone that fetches its fragment; `compresses`: it takes a gzip file; `is_full`: there are as
    many streams as the server may have.
    """

    game_id: str = ""
    phone: Phone | None = None
    version: int = 0
    epoch: str = ""
    reader: Reader | None = None
    compresses: bool = False
    is_full: bool = False


@dataclass
class Wire:
    """What a stream sends, as bytes.  A compressed stream is one gzip file of many pieces: it has no compressor.

    `checksum`, `length`: of everything that was sent, for the end of the file.
    """

    compresses: bool
    checksum: int = 0
    length: int = 0

    def events(self, text: str) -> bytes:
        """Some events."""
        return self._sent(text.encode())

    def fragment(self, fragment: Fragment) -> bytes:
        """A fragment as an event."""
        return self._sent(b"event: table\ndata: ") + self._sent(fragment.content, fragment) + self._sent(b"\n\n")

    def end(self) -> bytes:
        """What follows the last event."""
        return end_of(self.checksum, self.length) if self.compresses else b""

    def _sent(self, content: bytes, fragment: Fragment | None = None) -> bytes:
        if not self.compresses:
            return content
        begin = b"" if self.length else HEADER
        self.checksum, self.length = zlib.crc32(content, self.checksum), self.length + len(content)
        return begin + (stored(content) if fragment is None else fragment.piece)


@dataclass
class Streams:
    """The open streams of this process, by the names that their phones use to report that they are online."""

    hub: Hub
    open: dict[str, tuple[Listener, Headers]] = field(default_factory=dict)

    async def serve(self, ticket: Ticket, headers: Headers, receive: Receive, send: Send) -> None:
        """Answer with events until the client disconnects, the table goes on or the server stops."""
        assert ticket.phone is not None, "the view has admitted it"
        encoding = [(b"content-encoding", b"gzip")] if ticket.compresses else []
        name = secrets.token_urlsafe(9)
        listener = self.hub.join(ticket.game_id, ticket.phone, ticket.version, ticket.reader)
        self.open[name] = (listener, headers)
        watching = asyncio.create_task(_end_with_client(listener, receive))
        try:
            await send({"type": "http.response.start", "status": 200, "headers": [*headers, *encoding]})
            await self._send_events(listener, name, ticket, send)
        finally:
            watching.cancel()
            del self.open[name]
            self.hub.leave(listener)

    @staticmethod
    async def _send_events(listener: Listener, name: str, ticket: Ticket, send: Send) -> None:
        wire = Wire(ticket.compresses)
        await send(_chunk(wire.events(f"retry: 2000\n{_event('hello', name)}{_event('epoch', ticket.epoch)}")))
        while not listener.ended:
            await listener.wake.wait()
            listener.wake.clear()
            fragment, listener.fragment = listener.fragment, None
            news = b"" if fragment is None else wire.fragment(fragment)
            if events := take_news(listener):
                news += wire.events(events)
            if news:
                # As long as the phone has not read this, nothing is kept for it but the latest version.
                listener.is_sending = True
                await send(_chunk(news))
                listener.is_sending = False
        await send(_chunk(wire.events(take_news(listener) + _event("bye", "")) + wire.end()))
        await send({"type": "http.response.body", "body": b""})

    def note_alive(self, game_id: str, name: str) -> Headers | None:
        """Note that the phone of a stream is online.  Answers the headers, None if another process has the stream."""
        found = self.open.get(name)
        if found is None or found[0].game_id != game_id:
            return None
        listener, headers = found
        self.hub.note_alive(listener)
        return [header for header in headers if header[0] != b"content-type"]


async def _end_with_client(listener: Listener, receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    listener.end()


def take_news(listener: Listener) -> str:
    """The news that a listener has not received yet, as events."""
    news, listener.news = listener.news, {}
    return "".join(_event(name, data) for name, data in news.items())


def _event(name: str, data: str) -> str:
    return f"event: {name}\ndata: {data}\n\n"


def _chunk(content: bytes) -> Message:
    return {"type": "http.response.body", "body": content, "more_body": True}

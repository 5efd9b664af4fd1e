"""The stream of server-sent events of a phone: version numbers and presence, nothing else.

Must not know: sessions, keys, databases.  An ordinary view (`games.pages.live.views`) decides who may listen; it admits
the phone through the `Ticket` of the request.
"""

from __future__ import annotations

import secrets
from collections.abc import Awaitable, Callable, MutableMapping
from dataclasses import dataclass, field
from typing import Any

from games.live.hub import Hub, Listener
from games.live.presence import Phone

Message = MutableMapping[str, Any]
Send = Callable[[Message], Awaitable[None]]
Headers = list[tuple[bytes, bytes]]

TICKET = "njet.ticket"
"""The entry of the ASGI scope that holds the ticket."""


@dataclass
class Ticket:
    """The decision of the view about a request for a stream.  Empty: the view's answer is sent and no stream."""

    game_id: str = ""
    phone: Phone | None = None
    version: int = 0
    epoch: str = ""

    def admit(self, game_id: str, phone: Phone, version: int, epoch: str) -> None:
        """Admit the phone to the stream of a game."""
        self.game_id, self.phone, self.version, self.epoch = game_id, phone, version, epoch


@dataclass
class Streams:
    """The open streams of this process, by the names that their phones use to report that they are online."""

    hub: Hub
    open: dict[str, tuple[Listener, Headers]] = field(default_factory=dict)

    async def serve(self, ticket: Ticket, headers: Headers, send: Send) -> None:
        """Answer with events until the client disconnects, the game ends or the server stops."""
        if ticket.phone is None:
            raise ValueError("no phone was admitted")
        name = secrets.token_urlsafe(9)
        listener = self.hub.join(ticket.game_id, ticket.phone, ticket.version)
        self.open[name] = (listener, headers)
        try:
            await send({"type": "http.response.start", "status": 200, "headers": headers})
            await send(_chunk(f"retry: 2000\n{_event('hello', name)}{_event('epoch', ticket.epoch)}"))
            while True:
                await listener.wake.wait()
                listener.wake.clear()
                news = take_news(listener)
                if news:
                    await send(_chunk(news))
                if listener.ended:
                    break
            await send(_chunk(_event("bye", "")))
            await send({"type": "http.response.body", "body": b""})
        finally:
            del self.open[name]
            self.hub.leave(listener)

    def sign_of_life(self, game_id: str, name: str) -> Headers | None:
        """Note that the phone of a stream is online.  Answers the headers, None if another process has the stream."""
        found = self.open.get(name)
        if found is None or found[0].game_id != game_id:
            return None
        listener, headers = found
        self.hub.sign_of_life(listener)
        return [header for header in headers if header[0] != b"content-type"]


def take_news(listener: Listener) -> str:
    """The news that a listener has not received yet, as events."""
    parts = []
    if listener.version is not None:
        parts.append(_event("version", str(listener.version)))
        listener.version = None
    if listener.here is not None:
        parts.append(_event("here", listener.here))
        listener.here = None
    if listener.beat:
        listener.beat = False
        # Any event counts as a heartbeat.
        if not parts:
            parts.append(_event("beat", ""))
    return "".join(parts)


def _event(name: str, data: str) -> str:
    return f"event: {name}\ndata: {data}\n\n"


def _chunk(text: str) -> Message:
    return {"type": "http.response.body", "body": text.encode(), "more_body": True}

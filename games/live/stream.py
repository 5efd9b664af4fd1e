"""A phone's stream of server-sent events: version numbers and presence, nothing else.

Knows the hub and ASGI messages.  Must not know: sessions, keys, databases.  Who may listen is decided by an ordinary
view (`games.pages.live.views`), which admits the phone through the `Ticket` that came with its request.
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
"""The entry of the ASGI scope under which the ticket lies."""


@dataclass
class Ticket:
    """What a view says of a phone that asks for a stream.  Empty: it gets the view's answer and no stream."""

    game_id: str = ""
    phone: Phone | None = None
    version: int = 0

    def admit(self, game_id: str, phone: Phone, version: int) -> None:
        """Let the phone listen."""
        self.game_id, self.phone, self.version = game_id, phone, version


@dataclass
class Streams:
    """The open streams of this process, by the names under which their phones send signs of life."""

    hub: Hub
    open: dict[str, tuple[Listener, Headers]] = field(default_factory=dict)

    async def serve(self, ticket: Ticket, headers: Headers, send: Send) -> None:
        """Answer with events until the phone goes, the game ends or the server does."""
        if ticket.phone is None:
            raise ValueError("nobody was admitted")
        name = secrets.token_urlsafe(9)
        listener = self.hub.join(ticket.game_id, ticket.phone, ticket.version)
        self.open[name] = (listener, headers)
        try:
            await send({"type": "http.response.start", "status": 200, "headers": headers})
            await send(_chunk(f"retry: 2000\n{_event('hello', name)}"))
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
        """Note that the phone of a stream is there: the headers to answer with, None if the stream is not here."""
        found = self.open.get(name)
        if found is None or found[0].game_id != game_id:
            return None
        listener, headers = found
        self.hub.sign_of_life(listener)
        return [header for header in headers if header[0] != b"content-type"]


def take_news(listener: Listener) -> str:
    """What a listener has not been told yet, as events."""
    parts = []
    if listener.version is not None:
        parts.append(_event("version", str(listener.version)))
        listener.version = None
    if listener.here is not None:
        parts.append(_event("here", listener.here))
        listener.here = None
    if listener.beat:
        listener.beat = False
        # News is a beat as well.
        if not parts:
            parts.append(_event("beat", ""))
    return "".join(parts)


def _event(name: str, data: str) -> str:
    return f"event: {name}\ndata: {data}\n\n"


def _chunk(text: str) -> Message:
    return {"type": "http.response.body", "body": text.encode(), "more_body": True}

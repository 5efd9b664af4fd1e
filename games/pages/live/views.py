"""Access to the event streams of a table; `games.live.stream` answers them."""

from __future__ import annotations

import time

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_GET

from games.live.epoch import epoch
from games.live.presence import Phone
from games.live.stream import TICKET, Ticket
from games.pages.base_table import Table
from games.pages.guards import at_table
from games.pages.live.readers import reader_of
from games.pages.presence import note_presence, still_here

HEADERS = {"Cache-Control": "no-store, no-transform", "X-Accel-Buffering": "no"}
"""Proxies keep nothing, change nothing and wait for nothing."""


@require_GET
@at_table
def stream(request: HttpRequest, table: Table) -> HttpResponse:
    """Admit a phone to the events of its table.

    Answers 204, after which a browser does not ask again, if no event will follow: the table has gone on to another
    game, or the server answers one request at a time.  Then the phone polls.  Where there are too many streams it asks
    again after some time.
    """
    ticket: Ticket | None = request.META.get("asgi.scope", {}).get(TICKET)
    if ticket is None or table.next_id is not None:
        return HttpResponse(status=204)
    if ticket.is_full:
        return HttpResponse(status=503)
    note_presence(table)
    ticket.game_id, ticket.version, ticket.epoch = table.game.pk, table.game.version, epoch()
    ticket.phone = Phone(table.key.pk, table.key.label, table.key.may_record, heard=time.monotonic())
    ticket.reader = reader_of(request, table)
    ticket.compresses = ticket.reader is not None and "gzip" in request.headers.get("Accept-Encoding", "")
    return HttpResponse(content_type="text/event-stream", headers=HEADERS)


@require_GET
@at_table
def sign_of_life(request: HttpRequest, table: Table, stream: str) -> HttpResponse:
    """Note that a phone is still there: another process holds its stream, or no event gets through."""
    note_presence(table)
    return still_here(table)

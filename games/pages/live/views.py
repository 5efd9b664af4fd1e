"""Who may listen to a table: the door of the event streams, which are answered elsewhere (`games.live.stream`).

Knows: keys, and whether a stream could be answered at all.  Must not know: what is said in it.
"""

from __future__ import annotations

import time

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_GET

from games.keys import registry
from games.live.hub import hub
from games.live.presence import Phone
from games.live.stream import TICKET, Ticket
from games.models import Key, Status
from games.pages.guards import Table, at_table

HERE = "NJET-Here"
"""The header that tells a phone without a stream who is there."""
MOST_IN_A_HEADER = 6
"""Proxies take headers of 4 KB, and a name of 60 signs may need 700 bytes."""


@require_GET
@at_table
def stream(request: HttpRequest, table: Table) -> HttpResponse:
    """Admit a phone to the events of its table.

    Answers 204, which tells a browser not to ask again, where nothing is to come: the game is over, or whatever runs
    this application answers one request at a time.  Then the phone polls.
    """
    ticket: Ticket | None = request.META.get("asgi.scope", {}).get(TICKET)
    if ticket is None or table.game.status == Status.FINISHED:
        return HttpResponse(status=204)
    note_presence(table)
    phone = Phone(table.key.pk, table.key.label, table.key.may_record, heard=time.monotonic())
    ticket.admit(table.game.pk, phone, table.game.version)
    return HttpResponse(content_type="text/event-stream", headers={"Cache-Control": "no-store, no-transform"})


@require_GET
@at_table
def sign_of_life(request: HttpRequest, table: Table, stream: str) -> HttpResponse:
    """A phone whose stream is held by another process, or whose stream no event gets through, is still there."""
    note_presence(table)
    return still_here(table)


def still_here(table: Table) -> HttpResponse:
    """Nothing is new, except who is there."""
    return HttpResponse(status=204, headers={HERE: hub.here(table.game.pk, most=MOST_IN_A_HEADER)})


def own_seats(table: Table) -> str:
    """The seats that a phone bears, as its page says them when it asks for news."""
    return ".".join(map(str, sorted(table.seats)))


def note_presence(table: Table) -> None:
    """A phone that asks is there, and whoever plays on it."""
    for key in _keys_heard(table):
        hub.heard(table.game.pk, key.pk, key.label, may_record=key.may_record)


def _keys_heard(table: Table) -> list[Key]:
    """The keys by which a phone is heard of."""
    seats = [key for key in table.seats.values() if key.pk != table.key.pk]
    if seats and table.key.may_record:
        # The seats that the host took with the table are known to be on the host's phone: nobody is listed twice.
        known = {key.pk for key in registry.first_seat_keys(table.game, table.key)}
        seats = [key for key in seats if key.pk not in known]
    return [table.key, *seats]

"""Presence: which phones are at a table, noted by their requests."""

from __future__ import annotations

from django.http import HttpResponse

from games.keys import registry
from games.live.hub import hub
from games.models import Key
from games.pages.base_table import Table
from games.texts.unnamed import number_of

HERE = "NJET-Here"
"""The header that tells a phone without a stream who is there."""
MOST_IN_A_HEADER = 6
"""Proxies take headers of 4 KB, and a name of 60 characters may need 700 bytes."""


def note_presence(table: Table) -> None:
    """Note that the phone of this request is at the table, with the seats that it plays."""
    for key in _keys_present(table):
        number = number_of(key.label) if table.seats else None
        # All phones get the same: each calls a player without a name in its own language.
        label = key.label if number is None else f"#{number}"
        hub.note_request(table.game.pk, key.pk, label, may_record=key.may_record)


def still_here(table: Table) -> HttpResponse:
    """The answer “nothing is new”, with who is there."""
    return HttpResponse(status=204, headers={HERE: hub.presence_json(table.game.pk, most=MOST_IN_A_HEADER)})


def _keys_present(table: Table) -> list[Key]:
    seats = [key for key in table.seats.values() if key.pk != table.key.pk]
    if seats and table.key.may_record:
        # The seats that the host took with the table are on the host's phone: no player is listed twice.
        known = {key.pk for key in registry.first_seat_keys(table.game, table.key)}
        seats = [key for key in seats if key.pk not in known]
    return [table.key, *seats]

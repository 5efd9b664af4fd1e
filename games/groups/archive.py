"""A whole group as one file: its players, its seasons, and each finished game with its log.

The file is compressed (gzip); a line of it is a JSON object.  The first one is the group:
`{"format": "njet-group", "schema": 1, "name", "games": number, "players": [{"id", "name", "token"}],
"seasons": [{"name", "since", "until"}]}`.  Each further one is the document of a game (`games.formats.document`) with
`players`, the ids by seat, null for bots and guests.

Games are read some at a time, so that a file of any size takes the same memory.  Left out: games that are being played,
keys and invitations, which belong to devices, and the figures, which follow from the games.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator, Sequence
from typing import Any

from games.formats import document
from games.log import store
from games.models import Game, Group, Mode, Player, Status
from games.rules import Finish

FORMAT = "njet-group"
SCHEMA = 1
GAMES_AT_ONCE = 25
GZIP = 31
"""The window of zlib for files of gzip."""


def packed(group: Group) -> Iterator[bytes]:
    """The file, piece by piece."""
    gzip = zlib.compressobj(level=5, wbits=GZIP)
    for line in lines(group):
        text = json.dumps(line, ensure_ascii=False, separators=(",", ":"))
        yield gzip.compress(f"{text}\n".encode())
    yield gzip.flush()


def lines(group: Group) -> Iterator[dict[str, Any]]:
    """The objects of the file."""
    finished = Game.objects.filter(group=group, status=Status.FINISHED).order_by("finished_at", "pk")
    ids = list(finished.values_list("pk", flat=True))
    players = Player.objects.filter(group=group, merged_into=None).order_by("created_at", "pk")
    yield {
        "format": FORMAT,
        "schema": SCHEMA,
        "name": group.name,
        "games": len(ids),
        "players": [{"id": each.pk, "name": each.name, "token": each.token} for each in players],
        "seasons": [
            {"name": each.name, "since": each.since.isoformat(), "until": each.until and each.until.isoformat()}
            for each in group.seasons.all()
        ],
    }
    for first in range(0, len(ids), GAMES_AT_ONCE):
        yield from _games(ids[first : first + GAMES_AT_ONCE])


def _games(ids: Sequence[str]) -> Iterator[dict[str, Any]]:
    games = Game.objects.select_related("group", "deleted_from").prefetch_related("seats").in_bulk(ids)
    rows = store.rows_of(ids)
    for game_id in ids:
        game = games[game_id]
        seats = list(game.seats.all())
        if game.mode == Mode.DIGITAL and any(row.kind == Finish.kind for row in rows[game_id]):
            # It ended early: the cards of its last round stay hidden.
            written = document.document(game)
        else:
            # The columns copy what the log says: it need not be folded.
            result = {
                "totals": [seat.total for seat in seats],
                "ranks": [seat.rank for seat in seats],
                "winners": [seat.number for seat in seats if seat.is_winner],
            }
            written = document.stored_document(game, rows[game_id], result)
        yield {**written, "players": [seat.player_id for seat in seats]}

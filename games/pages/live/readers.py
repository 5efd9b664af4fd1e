"""The readers of streams: what their phones show, as the view of the table page would render it.

A fragment is rendered for the keys that are valid at that time, so a lost message about a revoked key shows nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cache

from django.http import HttpRequest
from django.utils.translation import get_language, override

from games.database.prepared import Prepared
from games.keys import sessions
from games.keys.sessions import MOST_KEYS
from games.live.fragment import Fragment
from games.models import Key, Role
from games.pages.base_table import Table, chosen
from games.pages.guards import table_for
from games.rules import NjetError
from games.services.bot_speed import Phones, phones_of

SHOWS = "fragment"
"""What the address of a stream asks for if its phone shows the fragments that it sends."""
MOST_ASKED = 16
"""What the streams of a game may ask to see at once.  One phone can open any number of streams; the rest fetch."""


@dataclass(frozen=True)
class Reader:
    """A phone that shows fragments.  `keys`: those of its session, valid or not; `asked`: what its page asks to see."""

    keys: frozenset[int]
    language: str | None
    asked: tuple[tuple[str, str], ...]


def reader_of(request: HttpRequest, table: Table) -> Reader | None:
    """The reader of a request for a stream, None for a phone that fetches what it shows."""
    if SHOWS not in request.GET:
        return None
    asked = chosen(request.GET.dict(), (*table.asks, "seat"))
    keys = sessions.key_ids_of(request.session, table.game.pk)
    return Reader(frozenset(keys), get_language(), tuple(asked.items()))


_KEYS = Prepared(lambda game_id: Key.objects.filter(game_id=game_id).order_by("seat")[: MOST_KEYS + 1])


def fragments_of(game_id: str, readers: Collection[Reader]) -> dict[Reader, Fragment | None]:
    """The present fragment for each reader with a valid key.  None: the phone fetches it."""
    keys = _keys_of(game_id, frozenset[int]().union(*(reader.keys for reader in readers)))
    phones = cache(lambda: phones_of(keys[0].game))
    usual = {asked for asked, _ in Counter(reader.asked for reader in readers).most_common(MOST_ASKED)}
    fragments: dict[Reader, Fragment | None] = {}
    for reader in readers:
        held, asked = [key for key in keys if key.pk in reader.keys], dict(reader.asked)
        with override(reader.language):
            table = _table_of(held, asked, phones)
            if table is not None:
                fragments[reader] = _fragment(table, asked) if reader.asked in usual else None
    return fragments


def _keys_of(game_id: str, ids: Set[int]) -> list[Key]:
    """These keys with their game, valid or not."""
    found = _KEYS.all(game_id)
    if len(found) > MOST_KEYS:
        return list(Key.objects.filter(game_id=game_id, pk__in=ids).select_related("game").order_by("seat"))
    keys = [key for key in found if key.pk in ids]
    game = sessions.GAMES.first(game_id) if keys else None
    if game is None:
        return []
    for key in keys:
        key.game = game
    return keys


def _fragment(table: Table, asked: Mapping[str, str]) -> Fragment | None:
    """The fragment of a table; None also if it is refused: the refusal is sent to this phone only."""
    try:
        fragment = table.fragment(asked)
    except NjetError:
        return None
    if fragment is not None:
        # Compressed here and not in the event loop.
        _ = fragment.piece
    return fragment


def _table_of(held: Sequence[Key], asked: Mapping[str, str], phones: Callable[[], Phones]) -> Table | None:
    """The table for a browser with these keys, None if none of them is valid."""
    seats = {key.seat: key for key in held if key.revoked_at is None and key.seat is not None}
    own = [key for key in held if key.revoked_at is None and key.role != Role.SEAT]
    key = next(iter([*own, *seats.values()]), None)
    if key is None:
        return None
    lost = [key for key in held if key.lost]
    return table_for(key, seats, asked.get("seat", ""), lost=lambda: lost, phones=phones)

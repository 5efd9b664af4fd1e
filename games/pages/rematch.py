"""Links from a finished digital game to the rematch."""

from __future__ import annotations

from dataclasses import dataclass

from django.contrib.sessions.backends.base import SessionBase

from games.errors import NotFound
from games.groups import lists
from games.keys import registry, sessions
from games.log import store
from games.models import Game
from games.pages.base_table import Table


@dataclass(frozen=True)
class RematchOffer:
    """What a phone at a finished game is offered.  `game_id`: the rematch, empty as long as there is none.

    `may_open`: it may open one; `may_follow`: one of its seats is free there; `is_in`: it sits there already; `waits`:
    it can follow as soon as the rematch is opened; `dealer`: who deals first there.
    """

    game_id: str
    may_open: bool
    may_follow: bool
    is_in: bool
    waits: bool
    dealer: str


def rematch_offer(table: Table, session: SessionBase) -> RematchOffer | None:
    """The links to the rematch of a finished game, None while it is played."""
    if not table.ledger.state.is_over:
        return None
    setup = table.ledger.current_setup
    dealer = setup.names[setup.rematch(rounds_played=len(table.ledger.state.finished)).dealer]
    following, may_open = lists.rematch_of(table.game), table.key.may_record
    if following is None:
        waits = bool(table.seats) and not may_open
        return RematchOffer("", may_open, may_follow=False, is_in=False, waits=waits, dealer=dealer)
    is_in = sits_at(session, following)
    given, bots = registry.seats_given(following), store.seen(following, None).bots
    free = any(seat not in given and bots[seat] is None for seat in table.seats)
    return RematchOffer(following.pk, may_open, may_follow=free and not is_in, is_in=is_in, waits=False, dealer=dealer)


def sits_at(session: SessionBase, game: Game) -> bool:
    """Whether a browser holds a key of this game."""
    try:
        sessions.key_of_session(session, game.pk)
    except NotFound:
        return False
    return True

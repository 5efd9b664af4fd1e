"""Links from a finished game to the next one of its table, and from one that was played on to its origin."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass

from django.contrib.sessions.backends.base import SessionBase

from games.errors import NotFound
from games.keys import following, registry, sessions
from games.models import Game
from games.pages import ledgers
from games.pages.base_table import Table
from games.services.seating import free_seats
from games.texts.unnamed import called


@dataclass(frozen=True)
class NextGame:
    """The game that the phones of a finished one go on to.  `opener`: the label of what phone or program opened it."""

    game_id: str
    opener: str
    is_rematch: bool


def next_game(table: Table) -> NextGame | None:
    """The next game of a finished one, None while there is none."""
    if table.next_id is None:
        return None
    is_rematch = Game.objects.filter(pk=table.next_id, rematch_of=table.game).exists()
    return NextGame(table.next_id, called(registry.opener_of(table.next_id)), is_rematch)


@dataclass(frozen=True)
class Origin:
    """The step of another game that a game was played on from.  `game_id`: empty if the browser may not read it."""

    game_id: str
    step: int


def origin_of(game: Game, session: SessionBase) -> Origin | None:
    """Where a game was played on from, None if it was not."""
    if game.from_step is None:
        return None
    readable = ""
    with suppress(NotFound):
        if game.deals_of_id is not None:
            readable = sessions.keys_seeing(session, game.deals_of_id).first.game_id
    return Origin(readable, game.from_step)


def sits_at(session: SessionBase, game_id: str) -> bool:
    """Whether a browser holds a key of this game."""
    keys = sessions.keys_of_game(session, game_id)
    return bool(keys.own or keys.seats)


def sits_or_follows(session: SessionBase, game_id: str) -> bool:
    """Whether a browser holds a key of this game, or gets one when it opens it."""
    return sits_at(session, game_id) or following.may_follow(session, game_id)


@dataclass(frozen=True)
class RematchOffer:
    """What a phone at a finished digital game is offered.

    `next`: the game that was opened since; `may_open`: it may open one; `may_follow`: one of its seats is free there;
    `may_enter`: it has a key there, or gets one; `waits`: it can follow as soon as there is one; `dealer`: who deals
    first in a rematch.
    """

    next: NextGame | None
    may_open: bool
    may_follow: bool
    may_enter: bool
    waits: bool
    dealer: str


def rematch_offer(table: Table, session: SessionBase) -> RematchOffer | None:
    """The links to the next game of a finished one, None while it is played."""
    if not table.ledger.state.is_over:
        return None
    setup = table.ledger.current_setup
    dealer = setup.names[setup.rematch(rounds_played=table.ledger.state.rounds_on_sheet).dealer]
    later, may_open = next_game(table), table.key.may_record
    may_follow = later is not None and later.is_rematch and _is_seat_free(table, session, later.game_id)
    waits = later is None and bool(table.seats) and not may_open
    may_enter = later is not None and sits_or_follows(session, later.game_id)
    return RematchOffer(later, may_open, may_follow=may_follow, may_enter=may_enter, waits=waits, dealer=dealer)


def _is_seat_free(table: Table, session: SessionBase, game_id: str) -> bool:
    """Whether one of the phone's seats was not given yet in the rematch; not if the phone is there already."""
    rematch = Game.objects.filter(pk=game_id).first()
    if rematch is None or sits_at(session, game_id):
        return False
    given, free = registry.seats_given(rematch), free_seats(rematch, ledgers.seen(rematch, None))
    return any(seat in free and seat not in given for seat in table.seats)

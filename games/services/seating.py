"""How the holder of a seat in a digital game changes: sit down, take a seat back, follow to the rematch, free a seat.

A seat is played from one phone: who sits down replaces the phone that had the seat.
"""

from __future__ import annotations

from django.contrib.sessions.backends.base import SessionBase
from django.db import transaction

from games.database import write_queue
from games.errors import NotFound
from games.keys import invitations, registry, sessions
from games.keys.permissions import require_valid
from games.live.hub import hub
from games.log import store
from games.models import Game, GroupKey, Invite, Key, Role
from games.rules.replay import SeatEntry
from games.services.proposals import seat_of
from games.services.write import extend, locked_game


def sit_down(*, invite: Invite, label: str, session: SessionBase | None = None, once: str | None = None) -> Key:
    """Take the seat that an invitation is for: a browser with its session, or a program.

    `once`: as for `games.keys.invitations.join`.
    Errors: `NotFound` if the game was deleted, `InviteNotValid` if the invitation was spent or withdrawn meanwhile.
    """
    with write_queue.in_turn():
        game, through = locked_game(invite.game_id), None if invite.maker is None else invite.maker.through
        invitations.spend(invite)
        key = _sit(game, seat_of(invite), label=label, through=through, session=session)
        invitations.note_key(invite, key, once)
        return key


def sit_again(*, session: SessionBase, lost: Key) -> Key:
    """Take a seat back that was claimed on another phone.

    Errors: `NotFound` if the game was deleted.
    """
    with write_queue.in_turn():
        return _sit(locked_game(lost.game_id), seat_of(lost), label=lost.label, through=lost.through, session=session)


def follow(*, session: SessionBase, game_id: str, key: Key) -> Key | None:
    """Take the same seat in the rematch; None if it is taken there.

    Errors: `NotFound` if the game was deleted.
    """
    seat = seat_of(key)
    with write_queue.in_turn():
        game = locked_game(game_id)
        if (
            game.rematch_of_id != key.game_id
            or registry.is_taken(game, seat)
            or store.read(game).bots[seat] is not None
        ):
            return None
        return _sit(game, seat, label=key.label, through=key.through, session=session)


def sit_free(*, session: SessionBase, game_id: str, seat: int, through: GroupKey) -> Key | None:
    """Take a free seat as a member of the table's group; None if the seat is taken, or the member has one already.

    Errors: `NotFound` if the game was deleted, or the member's key revoked.
    """
    with write_queue.in_turn():
        game = locked_game(game_id)
        require_valid(through)
        bots = store.read(game).bots
        if game.group_id != through.group_id or not 0 <= seat < len(bots):
            raise NotFound()
        if registry.is_taken(game, seat) or bots[seat] is not None or registry.sits_through(game, through):
            return None
        return _sit(game, seat, label="", through=through, session=session)


def free_seat(*, game_id: str, seat: int) -> None:
    """Take a seat from its holder for good: the next one needs an invitation.

    Errors: `NotFound` if the game was deleted.
    """
    with write_queue.in_turn():
        game = locked_game(game_id)
        old = registry.free_seat(game, seat)
        transaction.on_commit(lambda: hub.revoked(game_id, old))


def _sit(game: Game, seat: int, *, label: str, through: GroupKey | None, session: SessionBase | None) -> Key:
    """Issue the key of a seat of a locked game, and revoke the keys that the seat had."""
    old = registry.supersede(game, seat)
    program = session is None
    key = registry.issue(game=game, role=Role.SEAT, seat=seat, label=label, through=through, program=program)
    if session is not None:
        sessions.remember_seat(session, key)
    ledger = store.read(game)
    if old and not ledger.state.is_over:
        # The log tells the table that another phone shows this hand now.
        extend(game, ledger, [SeatEntry(ledger.version + 1, seat, ledger.bots[seat])], actor=None)
    if old:
        transaction.on_commit(lambda: hub.revoked(game.pk, old))
    return key

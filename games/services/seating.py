"""How the holder of a seat in a digital game changes: sit down, take a seat back, follow to the rematch, free a seat.

A seat is played from one phone: a new phone replaces the one that had the seat, or the bot that plays there.  Every
change is an entry of the log, so that the other players know which phones have seen which hands: after the end too,
because the hands of an unfinished round are shown to the keys of their seats only.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from django.contrib.sessions.backends.base import SessionBase
from django.db import transaction

from games.database import write_queue
from games.errors import NotFound
from games.keys import invitations, registry, sessions
from games.keys.permissions import require_valid
from games.live.hub import hub
from games.log import store
from games.log.ledger import Ledger
from games.models import Game, GroupKey, Invite, Key, Lost, Role
from games.rules.replay import Entry, HolderChange, HolderEntry, SeatEntry
from games.services.proposals import seat_of
from games.services.write import extend, locked_game


def sit_down(*, invite: Invite, label: str, session: SessionBase | None = None, once: str | None = None) -> Key:
    """Take the seat that an invitation is for, which ends it: a browser with its session, or a program.

    A phone that plays for the seat already keeps its key, and the invitation.  `once`: as for
    `games.keys.invitations.join`.

    Errors: `NotFound` if the game was deleted, `InviteNotValid` if the invitation is spent or withdrawn.
    """
    with write_queue.in_turn():
        game, seat = locked_game(invite.game_id), seat_of(invite)
        own = {} if session is None else sessions.seats_of_session(session, game.pk)
        if session is not None and seat in own:
            ledger = store.read(game)
            _write(game, ledger, _stand_up(ledger, seat), actor=own[seat], phone=sessions.key_ids_of(session, game.pk))
            return own[seat]
        invitations.spend(invite)
        through = None if invite.maker is None else invite.maker.through
        key = _sit(game, seat, label=label, through=through, session=session, maker=invite.maker)
        invitations.note_key(invite, key, once)
        return key


def sit_where_free(*, invite: Invite, seat: int, session: SessionBase, once: str | None) -> Key | None:
    """Take a free seat by the invitation to the whole table; None if it is taken.

    A browser that has a seat keeps it, and takes no other.  `once`: a form that is sent twice finds its seat.

    Errors: `NotFound` if the game was deleted, `InviteNotValid` if the invitation is withdrawn.
    """
    with write_queue.in_turn():
        game = locked_game(invite.game_id)
        own = sessions.seats_of_session(session, game.pk)
        if own:
            return next(iter(own.values()))
        used = Invite.objects.filter(pk=invite.pk, key__seat=seat, key__revoked_at=None).select_related("key").first()
        if used is not None and used.key is not None and invitations.is_same_form(used, once):
            sessions.remember_seat(session, used.key)
            return used.key
        ledger = store.read(game)
        is_seat = 0 <= seat < len(ledger.bots) and not ledger.state.is_over
        if not is_seat or ledger.bots[seat] is not None or registry.is_taken(game, seat):
            return None
        invitations.spend(invite)
        key = _sit(game, seat, through=None if invite.maker is None else invite.maker.through, session=session)
        invitations.note_key(invite, key, once)
        return key


def sit_again(*, session: SessionBase, lost: Key) -> Key:
    """Take a seat back that was claimed on another phone: its key is valid again.

    Errors: `NotFound` if the game was deleted or the seat freed.
    """
    with write_queue.in_turn():
        game = locked_game(lost.game_id)
        lost.refresh_from_db()
        # The second request of a double tap finds the seat taken back.
        if lost.revoked_at is None:
            return lost
        if lost.lost != Lost.CLAIMED:
            raise NotFound()
        return _sit(game, seat_of(lost), session=session, lost=lost)


def follow(*, session: SessionBase, game_id: str, key: Key) -> Key | None:
    """Take the same seat in the rematch; None if it is or was taken there.

    A player whose seat was freed needs an invitation.

    Errors: `NotFound` if the game was deleted.
    """
    seat = seat_of(key)
    with write_queue.in_turn():
        game = locked_game(game_id)
        if (
            game.rematch_of_id != key.game_id
            or seat in registry.seats_given(game)
            or store.read(game).bots[seat] is not None
        ):
            return None
        return _sit(game, seat, label=key.label, through=key.through, session=session)


def sit_free(*, session: SessionBase, game_id: str, seat: int, through: GroupKey) -> Key | None:
    """Take a free seat as a member of the table's group; None if the seat is taken, or the member has or had one.

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
        return _sit(game, seat, through=through, session=session)


def free_seat(*, game_id: str, seat: int, actor: Key) -> None:
    """Take a seat from its holder permanently: the next one needs an invitation.  `actor`: the host's key.

    Errors: `NotFound` if the game was deleted.
    """
    with write_queue.in_turn():
        game = locked_game(game_id)
        old = registry.free_seat(game, seat)
        if old:
            note_loss(game, seat, HolderChange.FREED, actor=actor)
            transaction.on_commit(lambda: hub.end_revoked(game_id, old))


def note_loss(game: Game, seat: int, change: HolderChange, *, actor: Key | None) -> None:
    """Write that a seat of a locked game lost its phone."""
    ledger = store.read(game)
    entries = [HolderEntry(ledger.version + 1, seat, change)]
    _write(game, ledger, entries, actor=actor, phone=[] if actor is None else [actor.pk])


def note_shared(game: Game, ledger: Ledger, seats: Sequence[int], phone: Sequence[Key]) -> Ledger:
    """Write that one phone plays for several seats of a new game.  `phone`: its keys."""
    entries = [
        HolderEntry(ledger.version + place, seat, HolderChange.JOINED, tuple(seats[:place]))
        for place, seat in enumerate(seats[1:], start=1)
    ]
    return _write(game, ledger, entries, actor=None, phone=[key.pk for key in phone])


def _sit(
    game: Game,
    seat: int,
    *,
    session: SessionBase | None,
    label: str = "",
    through: GroupKey | None = None,
    maker: Key | None = None,
    lost: Key | None = None,
) -> Key:
    """Let a phone play for a seat of a locked game, in place of the phone that had it and of a bot.

    `maker`: the key that invited; `lost`: the key with which the phone has lost the seat and takes it back.
    """
    ledger = store.read(game)
    also: tuple[int, ...] = ()
    phone: list[int] = []
    old = registry.supersede(game, seat)
    if lost is not None:
        change, key = HolderChange.RETURNED, registry.reinstate(lost)
    else:
        change, seen = HolderChange.CLAIMED if old else HolderChange.JOINED, _known_from_before(ledger)
        if maker is not None and maker.pk in old:
            # The player continues on a new phone, which shows the notices from the same entry on.
            change, seen = HolderChange.HANDED_OVER, maker.seen
        key = registry.issue(
            game=game, role=Role.SEAT, seat=seat, label=label, through=through, program=session is None, seen=seen
        )
    if session is not None:
        sessions.remember_seat(session, key)
        held = sessions.seats_held(session, game.pk, since=ledger.dealt_at)
        also, phone = tuple(sorted(held - {seat})), sessions.key_ids_of(session, game.pk)
    entries = _stand_up(ledger, seat)
    entries.append(HolderEntry(ledger.version + len(entries) + 1, seat, change, also))
    _write(game, ledger, entries, actor=None, phone=phone)
    if old:
        # After the notice of the new version: a phone that has lost its key asks for the table, which explains it.
        transaction.on_commit(lambda: hub.end_revoked(game.pk, old))
    return key


def acknowledge_own(phone: Iterable[int], before: Ledger, version: int) -> None:
    """Note that the phone with these keys needs no notice of the changes that it has just made.

    It does if it has not seen those `before`.
    """
    latest = max((each.seq for each in before.holder_changes), default=0)
    registry.acknowledge(phone, since=latest, until=version)


def _known_from_before(ledger: Ledger) -> int:
    """The entry up to which a new player needs no notice: each seat of this round had one phone at most until then."""
    changes = (each for each in ledger.holder_changes if each.seq > ledger.dealt_at)
    first = next((each for each in changes if not each.is_arrival), None)
    return ledger.version if first is None else first.seq - 1


def _stand_up(ledger: Ledger, seat: int) -> list[Entry]:
    """The entry with which a bot leaves a seat, if one plays there."""
    plays = ledger.bots[seat] is not None and not ledger.state.is_over
    return [SeatEntry(ledger.version + 1, seat, None)] if plays else []


def _write(game: Game, ledger: Ledger, entries: Sequence[Entry], *, actor: Key | None, phone: Iterable[int]) -> Ledger:
    """Append entries to the log of a locked game; the phone that caused them needs no notice.  `phone`: its keys."""
    if not entries:
        return ledger
    grown = extend(game, ledger, entries, actor=actor)
    acknowledge_own(phone, ledger, grown.version)
    return grown

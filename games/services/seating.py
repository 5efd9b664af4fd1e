"""How the holder of a seat in a digital game changes: sit down, take a seat back, follow to the rematch, free a seat.

A seat is played from one phone: a new phone replaces the one that had the seat, or the bot that plays there.  Every
change is an entry of the log, so that the other players know which phones have seen which hands: after the end too,
because the hands of an unfinished round are shown to the keys of their seats only.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from django.contrib.sessions.backends.base import SessionBase
from django.db import transaction

from games.database import write_queue
from games.errors import NotFound
from games.groups import lists
from games.keys import invitations, registry, sessions
from games.keys.permissions import require_valid
from games.live.hub import hub
from games.log import store
from games.log.ledger import Ledger
from games.models import Game, GroupKey, Invite, Key, Lost, Role
from games.rules.replay import Entry, HolderChange, HolderEntry, SeatEntry, SetupEntry
from games.rules.setup import Setup, typed_names
from games.services.bot_names import renamed, waits_for_name
from games.services.write import extend, locked_game


def claim(
    *,
    game_id: str,
    seat: int | None,
    by: Invite | Key | GroupKey,
    session: SessionBase | None = None,
    label: str = "",
    name: str | None = None,
    once: str | None = None,
    secret: str | None = None,
) -> Key | None:
    """Play for a seat, from a browser with its session or from a program; None if the seat is not to be had.

    `seat` None: the first free one whose player has no name.  `name`: what such a player has typed; the name of a seat
    that has one stays.

    `by` is what gives a right to it:

    * An invitation to the seat ends with this, and the phone that has it loses it.  An invitation to the whole table,
      or the key of a member of its group, is for a free seat, and for one only.
    * The key of the seat that was claimed on another phone is valid again.
    * The key of the same seat in the game before: if the seat of the rematch was not given yet, also where a bot fills
      in.  A player whose seat was freed needs an invitation.

    A request that comes twice finds the seat that it has taken.  `once`, `secret`: as for
    `games.keys.invitations.join`.

    Errors: `NotFound` if the game was deleted, the seat freed or the right revoked; `InviteNotValid` if the invitation
    is spent or withdrawn; `NameMissing`, `NameTooLong`, `NameTwice`.
    """
    with write_queue.in_turn():
        game = locked_game(game_id)
        ledger = store.read(game)
        own = {} if session is None else sessions.seats_of_session(session, game_id)
        if seat is None:
            seat = _first_unnamed(game, ledger)
        is_seat = 0 <= seat < len(ledger.bots)
        is_free = seat in free_seats(game, ledger)
        match by:
            case Invite(seat=None):
                had = next(iter(own.values()), None) or _seat_of_form(by, session, once)
                may = is_free and not ledger.state.is_over
            case Invite():
                had, may = own.get(seat), True
                if had is not None:
                    phone = [] if session is None else sessions.key_ids_of(session, game_id)
                    _write(game, ledger, _stand_up(ledger, seat, at=ledger.version + 1), actor=had, phone=phone)
            case GroupKey():
                require_valid(by)
                if game.group_id != by.group_id or not is_seat:
                    raise NotFound()
                had, may = None, is_free and not registry.sits_through(game, by)
            case Key() if by.game_id == game_id:
                by.refresh_from_db()
                had, may = None if by.revoked_at else by, True
                if had is None and by.lost != Lost.CLAIMED:
                    raise NotFound()
            case Key():
                is_new = seat not in registry.seats_given(game)
                had, may = None, game.rematch_of_id == by.game_id and is_new and is_free
        if had is not None or not may:
            return had
        return _sit(game, ledger, seat, by, session, label=label, name=name, once=once, secret=secret)


def free_seats(game: Game, ledger: Ledger) -> list[int]:
    """The seats that wait for a player: without a phone, and without a bot or with one that fills in for the player."""
    taken = lists.seat_keys(game)
    fills_in = [None in bots for bots in zip(ledger.bots, ledger.first_bots, strict=True)]
    return [seat for seat, is_free in enumerate(fills_in) if is_free and seat not in taken]


def _first_unnamed(game: Game, ledger: Ledger) -> int:
    """The free seat whose player has no name, without a bot if there is one; without one the number of seats."""
    free = sorted(free_seats(game, ledger), key=lambda seat: ledger.bots[seat] is not None)
    return next((seat for seat in free if waits_for_name(game, ledger, seat)), len(ledger.bots))


def _seat_of_form(invite: Invite, session: SessionBase | None, once: str | None) -> Key | None:
    """The seat that the same form has taken with an invitation to the whole table."""
    used = Invite.objects.filter(pk=invite.pk, key__revoked_at=None).select_related("key").first()
    if session is None or used is None or used.key is None or not invitations.is_same_form(used, once):
        return None
    sessions.remember_seat(session, used.key)
    return used.key


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
        HolderEntry(ledger.version + index, seat, HolderChange.JOINED, tuple(seats[:index]))
        for index, seat in enumerate(seats[1:], start=1)
    ]
    return _write(game, ledger, entries, actor=None, phone=[key.pk for key in phone])


def _named(game: Game, ledger: Ledger, seat: int, name: str | None) -> Setup:
    """The set-up with the name that who sits down has typed, where the seat waits for one.

    Errors: `NameMissing`, `NameTooLong`, `NameTwice`.
    """
    if ledger.state.is_over or not waits_for_name(game, ledger, seat):
        return ledger.current_setup
    if name is None:
        # The name that the seat has may be a bot's own: it goes with the bot.
        return ledger.current_setup if ledger.bots[seat] is None else renamed(game, ledger, seat, None)
    names = list(ledger.current_setup.names)
    names[seat] = name
    return ledger.current_setup.corrected(names=typed_names(names))


def _sit(
    game: Game,
    ledger: Ledger,
    seat: int,
    by: Invite | Key | GroupKey,
    session: SessionBase | None,
    *,
    label: str,
    name: str | None,
    once: str | None,
    secret: str | None,
) -> Key:
    """Let a phone play for a seat of a locked game, in place of the phone that had it and of a bot."""
    # The session does not forget a seat with the transaction: a name is refused first.
    setup = _named(game, ledger, seat, name)
    also: tuple[int, ...] = ()
    phone: list[int] = []
    if isinstance(by, Invite):
        invitations.spend(by)
    maker = by.maker if isinstance(by, Invite) else None
    old = registry.supersede(game, seat)
    if isinstance(by, Key) and by.game_id == game.pk:
        change, key = HolderChange.RETURNED, registry.reinstate(by)
    else:
        change, seen = HolderChange.CLAIMED if old else HolderChange.JOINED, _known_from_before(ledger)
        if maker is not None and maker.pk in old:
            # The player continues on a new phone, which shows the notices from the same entry on.
            change, seen = HolderChange.HANDED_OVER, maker.seen
        right = maker if isinstance(by, Invite) else by
        through = right.through if isinstance(right, Key) else right
        label = label or (by.label if isinstance(by, Key) else "" if session is None else setup.names[seat])
        values: dict[str, Any] = {"label": label, "program": session is None, "secret": secret}
        key = registry.issue(game=game, role=Role.SEAT, seat=seat, through=through, seen=seen, **values)
    if isinstance(by, Invite):
        invitations.note_key(by, key, once)
    if session is not None:
        sessions.remember_seat(session, key)
        held = sessions.seats_held(session, game.pk, since=ledger.dealt_at)
        also, phone = tuple(sorted(held - {seat})), sessions.key_ids_of(session, game.pk)
    entries: list[Entry] = []
    if setup != ledger.current_setup:
        entries.append(SetupEntry(ledger.version + 1, setup))
    entries += _stand_up(ledger, seat, at=ledger.version + len(entries) + 1)
    entries.append(HolderEntry(ledger.version + len(entries) + 1, seat, change, also))
    _write(game, ledger, entries, actor=None, phone=phone)
    if old:
        # After the notice of the new version: a phone that has lost its key asks for the table, which explains it.
        transaction.on_commit(lambda: hub.end_revoked(game.pk, old))
    return key


def acknowledge_own(phone: Iterable[int], before: Ledger, version: int) -> None:
    """Note that the phone with these keys needs no notice of the changes that it has just made.

    It does if it has not seen those `before` that are more than friends who sat down.
    """
    latest = max((each.seq for each in before.holder_changes if not each.is_arrival), default=0)
    registry.acknowledge(phone, since=latest, until=version)


def _known_from_before(ledger: Ledger) -> int:
    """The entry up to which a new player needs no notice: each seat of this round had one phone at most until then."""
    changes = (each for each in ledger.holder_changes if each.seq > ledger.dealt_at)
    first = next((each for each in changes if not each.is_arrival), None)
    return ledger.version if first is None else first.seq - 1


def _stand_up(ledger: Ledger, seat: int, *, at: int) -> list[Entry]:
    """The entry with which a bot leaves a seat, if one plays there.  `at`: its seq."""
    plays = ledger.bots[seat] is not None and not ledger.state.is_over
    return [SeatEntry(at, seat, None)] if plays else []


def _write(game: Game, ledger: Ledger, entries: Sequence[Entry], *, actor: Key | None, phone: Iterable[int]) -> Ledger:
    """Append entries to the log of a locked game; the phone that caused them needs no notice.  `phone`: its keys."""
    if not entries:
        return ledger
    grown = extend(game, ledger, entries, actor=actor)
    acknowledge_own(phone, ledger, grown.version)
    return grown

"""Invitations to games and groups: make, find, use, list, withdraw; and how members enter a table of their group.

A browser that joins gets its key in its session; a program (no session) gets the key's `secret`.  Both link and code
are returned once and stored as hashes.

A link has 128 random bits, which cannot be guessed.  A code has 40 bits.  What is valid is never refused, so a limit
only withholds answers, and the speed of the server limits guesses: 500 a second during the twelve hours of 20 open
codes find one with a probability of 20 × 500 × 43,200 / 2^40, or 1 : 2,500.  From the tenth wrong code within an hour
on, new codes have 60 bits, for which the same is 1 : 2,600,000,000.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.contrib.sessions.backends.base import SessionBase
from django.db.models import F, Q, QuerySet

from games.database import write_queue
from games.errors import HostOnly, InviteNotValid, NotFound, TooManyInvitations
from games.keys import limits, sessions
from games.keys.hashes import creation_id, hash_of, hash_of_code
from games.keys.permissions import plays_in_group, require, require_valid
from games.keys.registry import GROUP_ROLES, UNSPENT, is_open, issue, withdraw
from games.models import CROCKFORD, Game, Group, GroupInvite, GroupKey, GroupRole, Invite, Key, Mode, Role

INVITE_LASTS = timedelta(hours=12)
MOST_OPEN = 50
"""Open invitations to a game or group at a time: many times what the players of an evening need."""
LINK_LENGTH = 22
"""Characters of a link's token: 128 bits."""
CODE_LENGTH = 8
LONG_CODE_LENGTH = 12


@dataclass(frozen=True)
class Invitation:
    """A new invitation with its link's token and its code, which are shown this once.

    `repeated`: an earlier request made it, which is sent again.
    """

    invite: Invite | GroupInvite
    token: str
    code: str
    repeated: bool = False


def invite(
    *,
    game: Game,
    role: Role,
    maker: Key | None = None,
    seat: int | None = None,
    single_use: bool = False,
    token: str | None = None,
    code: str | None = None,
) -> Invitation:
    """Invite to a game by a link and a code: for 12 hours, or until the maker's key goes.

    `seat`: which one, with `Role.SEAT`; None: any that is free, one for each browser.  `single_use`: for one use only,
    as to one seat always.  `token`, `code`: those of a program's request, which may be sent again (the code as long as
    the longest, or longer); None: random ones.

    Errors: `NotFound` if the maker's key is revoked, `TooManyInvitations`.
    """
    # A member who only looks on has a key that is not stored.
    maker = maker if maker is not None and maker.pk else None
    single_use = single_use or seat is not None
    return _stored(Invite(game=game, role=role, seat=seat, maker=maker, single_use=single_use), token, code)


def invite_to_group(
    *,
    group: Group,
    role: GroupRole,
    maker: GroupKey | None = None,
    single_use: bool = False,
    token: str | None = None,
    code: str | None = None,
) -> Invitation:
    """Invite to a group, in the same way."""
    return _stored(GroupInvite(group=group, role=role, maker=maker, single_use=single_use), token, code)


def shown_again(invite: Invite | GroupInvite, token: str, code: str) -> Invitation:
    """An invitation that was made with this token and code."""
    length = LONG_CODE_LENGTH if invite.code_hash == hash_of_code(code[:LONG_CODE_LENGTH]) else CODE_LENGTH
    return Invitation(invite, token, _written(code[:length]), repeated=True)


def _written(code: str) -> str:
    return "-".join(code[at : at + 4] for at in range(0, len(code), 4))


def _stored(invite: Invite | GroupInvite, token: str | None, code: str | None) -> Invitation:
    token = token or secrets.token_urlsafe(16)
    length = LONG_CODE_LENGTH if limits.wait(limits.MANY_WRONG_CODES) else CODE_LENGTH
    code = code[:length] if code else "".join(secrets.choice(CROCKFORD) for _ in range(length))
    invite.token_hash, invite.code_hash = hash_of(token), hash_of_code(code)
    invite.expires_at = invite.created_at + INVITE_LASTS
    with write_queue.in_turn():
        if invite.maker is not None:
            require_valid(invite.maker)
        if _locked_invites(invite).filter(is_open()).count() >= MOST_OPEN:
            raise TooManyInvitations(most=MOST_OPEN)
        invite.save(force_insert=True)
    return Invitation(invite, token, _written(code))


def _locked_invites(invite: Invite | GroupInvite) -> QuerySet[Invite] | QuerySet[GroupInvite]:
    """The invitations to the same game or group, which is locked: no other one is made until the transaction ends."""
    if isinstance(invite, Invite):
        Game.objects.select_for_update().filter(pk=invite.game_id).first()
        return Invite.objects.filter(game=invite.game_id)
    Group.objects.select_for_update().filter(pk=invite.group_id).first()
    return GroupInvite.objects.filter(group=invite.group_id)


def find_invite(*, address: str, token: str = "", code: str = "") -> Invite | GroupInvite:
    """The open invitation of a link or a typed code; see `join`, and `games.services.seating.claim` for a seat's.

    What is valid is found, however many wrong codes were typed before.  Links are too long to be guessed and are not
    counted.

    Errors: `InviteNotValid`; `TooManyRequests` for one more wrong code after too many.
    """
    invite = _first(is_open() & _named(token, code))
    if invite is not None:
        return invite
    if code:
        limits.count(address, *limits.WRONG_CODES)
    raise InviteNotValid()


def _named(token: str, code: str) -> Q:
    return Q(token_hash=hash_of(token)) if token else Q(code_hash=hash_of_code(code))


def _first(condition: Q) -> Invite | GroupInvite | None:
    return (
        Invite.objects.filter(condition).select_related("game", "maker__through", "key").first()
        or GroupInvite.objects.filter(condition).select_related("group", "key").first()
    )


# --- use ---


def spend(invite: Invite | GroupInvite) -> None:
    """Count a use of an invitation, in the transaction that issues its key.

    Errors: `InviteNotValid` if it has been spent, withdrawn or has expired.
    """
    if not type(invite).objects.filter(is_open(), pk=invite.pk).update(uses=F("uses") + 1):
        raise InviteNotValid()


def note_key(invite: Invite | GroupInvite, key: Key | GroupKey, once: str | None) -> None:
    """Note the key that an invitation gave, and the browser and form that used it, in the same transaction."""
    used_by = "" if once is None else creation_id(once)
    type(invite).objects.filter(pk=invite.pk).update(key=key, used_by=used_by)


def key_of_spent(*, session: SessionBase, once: str | None, token: str = "", code: str = "") -> Key | GroupKey | None:
    """The valid key that this browser got by an invitation for one use: what it came for, though the link is spent.

    It holds the key, or it sends the same form again because the answer to the first was lost (a double tap).
    """
    invite = _first(~UNSPENT & Q(key__isnull=False, key__revoked_at=None) & _named(token, code))
    if invite is None or invite.key is None:
        return None
    if sessions.holds(session, invite.key):
        return invite.key
    if not is_same_form(invite, once):
        return None
    with write_queue.in_turn():
        _remember(session, invite.key)
    return invite.key


def is_same_form(invite: Invite | GroupInvite, once: str | None) -> bool:
    """Whether this browser and form used an invitation last."""
    return once is not None and invite.used_by == creation_id(once)


def _remember(session: SessionBase, key: Key | GroupKey) -> None:
    if isinstance(key, GroupKey):
        sessions.remember_group(session, key)
    elif key.seat is not None:
        sessions.remember_seat(session, key)
    else:
        sessions.remember(session, key)


def join(
    *,
    invite: Invite | GroupInvite,
    label: str,
    session: SessionBase | None = None,
    once: str | None = None,
    secret: str | None = None,
) -> Key | GroupKey:
    """Join a game or a group: a browser with its session, or a program.  A browser keeps a key that permits as much.

    `once` identifies the browser and its form, for `key_of_spent`.  `secret`: as for `games.keys.registry.issue`.

    Errors: `InviteNotValid` if the invitation was spent or withdrawn, or the game or group deleted, in the meantime.
    """
    if isinstance(invite, Invite) and invite.role == Role.SEAT:
        # A key of a seat is given by `games.services.seating` alone, which writes it into the log.
        raise InviteNotValid()
    with write_queue.in_turn():
        owner: QuerySet[Game] | QuerySet[Group]
        if isinstance(invite, GroupInvite):
            owner = Group.objects.filter(pk=invite.group_id)
        else:
            owner = Game.objects.filter(pk=invite.game_id)
        if owner.select_for_update().first() is None:
            raise InviteNotValid()
        key = _own(invite, session)
        if key is None:
            spend(invite)
            key = _issued(invite, label, program=session is None, secret=secret)
            note_key(invite, key, once)
        if session is not None:
            _remember(session, key)
        return key


def _own(invite: Invite | GroupInvite, session: SessionBase | None) -> Key | GroupKey | None:
    """The key of a browser that permits as much as an invitation."""
    if isinstance(invite, Invite):
        return _own_key(invite.game, Role(invite.role), session)
    key = None if session is None else sessions.own_group_key(session, invite.group_id)
    enough = key is not None and GROUP_ROLES.index(GroupRole(key.role)) >= GROUP_ROLES.index(GroupRole(invite.role))
    return key if enough else None


def _issued(invite: Invite | GroupInvite, label: str, *, program: bool, secret: str | None) -> Key | GroupKey:
    to_all: dict[str, Any] = {"label": label, "program": program, "secret": secret}
    if isinstance(invite, GroupInvite):
        return issue(group=invite.group, role=GroupRole(invite.role), **to_all)
    through = None if invite.maker is None else invite.maker.through
    return issue(game=invite.game, role=Role(invite.role), through=through, **to_all)


def enter(
    *, key: GroupKey, game_id: str, role: Role, session: SessionBase | None = None, secret: str | None = None
) -> Key:
    """Enter a table of the group as its member: a browser with its session, or a program.

    `secret`: as for `games.keys.registry.issue`.

    Errors: `NotFound`; `MembersOnly` if the group key permits looking only; `HostOnly` for a digital game's host.
    """
    with write_queue.in_turn():
        game = Game.objects.select_for_update().filter(pk=game_id, group=key.group_id).first()
        if game is None:
            raise NotFound()
        if role == Role.SCOREKEEPER:
            require(plays_in_group, key)
            if game.mode == Mode.DIGITAL:
                # The host invites to every seat, and a key of a seat shows its hand.
                raise HostOnly()
        require_valid(key)
        entered = _own_key(game, role, session)
        if entered is None:
            program = session is None
            entered = issue(game=game, role=role, label=key.label, through=key, program=program, secret=secret)
        if session is not None:
            sessions.remember(session, entered)
        return entered


def _own_key(game: Game, role: Role, session: SessionBase | None) -> Key | None:
    own = None if session is None else sessions.own_key(session, game.pk)
    return own if own is not None and (own.may_record or role != Role.SCOREKEEPER) else None


# --- list and withdraw ---


def listed(keys: Sequence[Key]) -> QuerySet[Invite]:
    """The open invitations to a game that its keys of one device show and withdraw, the latest first.

    A scorekeeper's key shows all of them, another the ones that it made and those to its seat.
    """
    own = Q(maker__in=[key.pk for key in keys]) | Q(seat__in=[key.seat for key in keys if key.seat is not None])
    mine = Q() if any(key.may_record for key in keys) else own
    invites = Invite.objects.filter(is_open(), mine, game=keys[0].game_id)
    return invites.select_related("maker").order_by("-created_at", "-pk")


def listed_of_group(key: GroupKey) -> QuerySet[GroupInvite]:
    """The open invitations to a group that a key shows and withdraws: an owner's all, another the ones that it made."""
    mine = Q() if key.owns else Q(maker=key)
    invites = GroupInvite.objects.filter(is_open(), mine, group=key.group_id)
    return invites.select_related("maker").order_by("-created_at", "-pk")


def withdraw_one(invites: QuerySet[Invite] | QuerySet[GroupInvite], invite_id: int) -> None:
    """Withdraw one of these invitations.

    Errors: `NotFound`.
    """
    with write_queue.in_turn():
        # Compared here, because an address may name a number that no database stores.
        known = [invite.pk for invite in invites if invite.pk == invite_id]
        if not withdraw(invites.filter(pk__in=known)):
            raise NotFound()

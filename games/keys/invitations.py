"""Invitations to games and groups: make, find, join; and how members enter a table of their group.

A browser that joins gets its key in its session; a program (no session) gets the key's `secret`.  Both link and code
are returned once and stored as hashes.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from datetime import timedelta
from typing import overload

from django.contrib.sessions.backends.base import SessionBase
from django.utils import timezone

from games.database import write_queue
from games.errors import HostOnly, InviteNotValid, NotFound
from games.keys import limits, sessions
from games.keys.hashes import hash_of, hash_of_code
from games.keys.permissions import plays_in_group, require, require_valid
from games.keys.registry import issue
from games.models import CROCKFORD, Game, Group, GroupInvite, GroupKey, GroupRole, Invite, Key, Mode, Role

INVITE_LASTS = timedelta(hours=12)
CODE_LENGTH = 8

GROUP_ROLES = (GroupRole.VIEWER, GroupRole.MEMBER, GroupRole.OWNER)
"""The roles of a group; each permits what those before it permit."""


@dataclass(frozen=True)
class Invitation:
    """A new invitation with its link's token and its code, which are shown this once."""

    invite: Invite | GroupInvite
    token: str
    code: str


def invite(*, game: Game, role: Role, maker: Key | None = None, seat: int | None = None) -> Invitation:
    """Invite to a game: a link of 128 bits and a code of 8 characters, for 12 hours or until the maker's key goes.

    `seat`: which one, with `Role.SEAT`.
    """
    Invite.objects.filter(game=game, expires_at__lt=timezone.now()).delete()
    # A member who only looks on has a key that is not stored.
    maker = maker if maker is not None and maker.pk else None
    return _stored(Invite(game=game, role=role, seat=seat, maker=maker))


def invite_to_group(*, group: Group, role: GroupRole, maker: GroupKey | None = None) -> Invitation:
    """Invite to a group, in the same way."""
    GroupInvite.objects.filter(group=group, expires_at__lt=timezone.now()).delete()
    return _stored(GroupInvite(group=group, role=role, maker=maker))


def _stored(invite: Invite | GroupInvite) -> Invitation:
    token = secrets.token_urlsafe(16)
    code = "".join(secrets.choice(CROCKFORD) for _ in range(CODE_LENGTH))
    invite.token_hash, invite.code_hash = hash_of(token), hash_of_code(code)
    invite.expires_at = invite.created_at + INVITE_LASTS
    invite.save(force_insert=True)
    return Invitation(invite, token, f"{code[:4]}-{code[4:]}")


def find_invite(*, address: str, token: str = "", code: str = "") -> Invite | GroupInvite:
    """The invitation of a link or a typed code; see `join`, and `games.services.seats.sit_down` for that to a seat.

    What is valid is found, however many wrong codes were typed before.  Links are too long to be guessed and are not
    counted.

    Errors: `InviteNotValid`; `TooManyRequests` for one more wrong code after too many.
    """
    now = timezone.now()
    wanted = {"token_hash": hash_of(token)} if token else {"code_hash": hash_of_code(code)}
    invite: Invite | GroupInvite | None = (
        Invite.objects.filter(expires_at__gt=now, **wanted).select_related("game", "maker__through").first()
        or GroupInvite.objects.filter(expires_at__gt=now, **wanted).select_related("group").first()
    )
    if invite is not None:
        return invite
    if code:
        limits.count(address, *limits.WRONG_CODES)
    raise InviteNotValid()


@overload
def join(*, invite: Invite, label: str, session: SessionBase | None = None) -> Key: ...


@overload
def join(*, invite: GroupInvite, label: str, session: SessionBase | None = None) -> GroupKey: ...


def join(*, invite: Invite | GroupInvite, label: str, session: SessionBase | None = None) -> Key | GroupKey:
    """Join a game or a group: a browser with its session, or a program.  A browser keeps a key that permits as much.

    Errors: `InviteNotValid` if the game or group was deleted in the meantime.
    """
    with write_queue.in_turn():
        if isinstance(invite, GroupInvite):
            return _join_group(invite, label, session)
        game = Game.objects.select_for_update().filter(pk=invite.game_id).first()
        if game is None:
            raise InviteNotValid()
        through = None if invite.maker is None else invite.maker.through
        key = _key_for(game, Role(invite.role), label, through, session)
        if session is not None:
            sessions.remember(session, key)
        return key


def _join_group(invite: GroupInvite, label: str, session: SessionBase | None) -> GroupKey:
    group = Group.objects.select_for_update().filter(pk=invite.group_id).first()
    if group is None:
        raise InviteNotValid()
    role = GroupRole(invite.role)
    if session is None:
        return issue(group=group, role=role, label=label, program=True)
    key = sessions.own_group_key(session, group.pk)
    if key is None or GROUP_ROLES.index(role) > GROUP_ROLES.index(GroupRole(key.role)):
        key = issue(group=group, role=role, label=label)
    sessions.remember_group(session, key)
    return key


def enter(*, key: GroupKey, game_id: str, role: Role, session: SessionBase | None = None) -> Key:
    """Enter a table of the group as its member: a browser with its session, or a program.

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
        entered = _key_for(game, role, key.label, key, session)
        if session is not None:
            sessions.remember(session, entered)
        return entered


def _key_for(game: Game, role: Role, label: str, through: GroupKey | None, session: SessionBase | None) -> Key:
    own = None if session is None else sessions.own_key(session, game.pk)
    if own is not None and (own.may_record or role != Role.SCOREKEEPER):
        return own
    return issue(game=game, role=role, label=label, through=through, program=session is None)

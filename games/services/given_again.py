"""What a program gets by a request that it may send again: keys and invitations.

Their secrets are derived from the id of the request.  So what is stored with them tells a repetition, which is answered
with the same secrets, from another request with the same id, which is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from django.db.models import QuerySet

from games.errors import RequestIdReused
from games.keys import invitations, registry
from games.keys.hashes import code_of_request, creation_id, hash_of
from games.keys.invitations import LINK_LENGTH, Invitation
from games.models import Game, Group, GroupInvite, GroupKey, GroupRole, Invite, Key, Role
from games.services import seating
from games.services.idempotent_creation import ProgramRequest, create_or_find

AnyKey = TypeVar("AnyKey", Key, GroupKey)


def issue_group_key(*, group: Group, role: GroupRole, label: str, asked: ProgramRequest | None) -> GroupKey:
    """A key of a group for a program.

    Errors: `RequestIdReused`.
    """
    called = registry.label_of_program(label, role)
    return _key(
        asked,
        "group key",
        GroupKey.objects.filter(group=group),
        lambda secret: registry.issue(group=group, role=role, label=called, program=True, secret=secret),
        {"role": role, "label": called},
    )


def enter(*, key: GroupKey, game_id: str, role: Role, asked: ProgramRequest | None) -> Key:
    """A key of a table of the group for its member.

    Errors: those of `games.keys.invitations.enter`; `RequestIdReused`.
    """
    return _key(
        asked,
        "enter",
        Key.objects.filter(through=key).select_related("game"),
        lambda secret: invitations.enter(key=key, game_id=game_id, role=role, secret=secret),
        {"role": role, "game_id": game_id},
    )


def _key(
    asked: ProgramRequest | None,
    name: str,
    keys: QuerySet[AnyKey],
    create: Callable[[str | None], AnyKey],
    content: Mapping[str, object],
) -> AnyKey:
    if asked is None:
        return create(None)

    def find(secret: str) -> AnyKey | None:
        key = keys.filter(secret_hash=hash_of(secret)).first()
        if key is not None:
            asked.require_soon(key.created_at, is_same=_has(key, content))
            key.secret, key.repeated = secret, True
        return key

    return create_or_find(asked.secret_of_id(name), create=create, find=find)


def invite(
    *, game: Game, role: Role, seat: int | None, maker: Key, single_use: bool, asked: ProgramRequest | None
) -> Invitation:
    """An invitation to a game.

    Errors: those of `games.keys.invitations.invite`; `RequestIdReused`.
    """
    content = {"role": role, "seat": seat, "single_use": single_use or seat is not None}
    return _invitation(
        asked,
        Invite.objects.filter(game=game),
        lambda **made: invitations.invite(game=game, role=role, seat=seat, maker=maker, single_use=single_use, **made),
        content,
    )


def invite_to_group(
    *, group: Group, role: GroupRole, maker: GroupKey, single_use: bool, asked: ProgramRequest | None
) -> Invitation:
    """An invitation to a group.

    Errors: those of `games.keys.invitations.invite_to_group`; `RequestIdReused`.
    """
    return _invitation(
        asked,
        GroupInvite.objects.filter(group=group),
        lambda **made: invitations.invite_to_group(group=group, role=role, maker=maker, single_use=single_use, **made),
        {"role": role, "single_use": single_use},
    )


def _invitation(
    asked: ProgramRequest | None,
    invites: QuerySet[Invite] | QuerySet[GroupInvite],
    create: Callable[..., Invitation],
    content: Mapping[str, object],
) -> Invitation:
    if asked is None:
        return create()
    code = code_of_request(asked.secret_of_id("code"))

    def find(token: str) -> Invitation | None:
        found = invites.filter(token_hash=hash_of(token)).first()
        if found is None:
            return None
        asked.require_soon(found.created_at, is_same=_has(found, content))
        return invitations.shown_again(found, token, code)

    token = asked.secret_of_id("invitation")[:LINK_LENGTH]
    return create_or_find(token, create=lambda token: create(token=token, code=code), find=find)


def join(*, token: str, code: str, label: str, address: str, asked: ProgramRequest | None) -> Key | GroupKey:
    """A key by an invitation.

    Errors: those of `find_invite` and `join` of `games.keys.invitations`, and of `games.services.seating.claim`;
    `RequestIdReused`.
    """
    once = None if asked is None else f"program {asked.sender}\n{asked.request_id}"

    def create(secret: str | None) -> Key | GroupKey:
        invite = invitations.find_invite(address=address, token=token, code=code)
        if isinstance(invite, GroupInvite) or invite.seat is None:
            return invitations.join(invite=invite, label=label, once=once, secret=secret)
        key = seating.claim(game_id=invite.game_id, seat=invite.seat, by=invite, label=label, once=once, secret=secret)
        assert key is not None, "an invitation to a seat gives the seat"
        return key

    def find(secret: str) -> Key | GroupKey | None:
        by_hash: dict[str, Any] = {"secret_hash": hash_of(secret)}
        key: Key | GroupKey | None = Key.objects.filter(**by_hash).first() or GroupKey.objects.filter(**by_hash).first()
        if key is not None and asked is not None:
            asked.require_soon(key.created_at, is_same=True)
            key.secret, key.repeated = secret, True
        elif once is not None and any(
            invites.filter(used_by=creation_id(once)).exists() for invites in (Invite.objects, GroupInvite.objects)
        ):
            # The invitation that this id has used is another one.
            raise RequestIdReused()
        return key

    # Unlike the other secrets this one depends on all that is sent: who asks has no key, but knows the invitation.
    return create(None) if asked is None else create_or_find(asked.secret("join"), create=create, find=find)


def _has(stored: object, content: Mapping[str, object]) -> bool:
    return all(getattr(stored, name) == value for name, value in content.items())

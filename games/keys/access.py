"""Who may see or do what: keys, sessions, invitations.

Knows: how a secret is made, hashed, found and taken back; who joins with what.  Must not know: what is done with the
right.  Secrets are answered once, when they are made; only hashes are stored, compared by the database's index, which
betrays nothing of a 256-bit secret's hash.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.contrib.sessions.backends.base import SessionBase, UpdateError
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext

from games.database import write_queue
from games.errors import (
    Forbidden,
    HostOnly,
    InviteNotValid,
    MembersOnly,
    NotAuthenticated,
    NotFound,
    OwnersOnly,
    TooManyRequests,
)
from games.models import (
    CROCKFORD,
    FailedJoin,
    Game,
    Group,
    GroupInvite,
    GroupKey,
    GroupRole,
    Invite,
    JoinGate,
    Key,
    Mode,
    Role,
    Seat,
)
from games.rules.text import clean_line

INVITE_LASTS = timedelta(hours=12)
CODE_LENGTH = 8
SESSION_KEYS = "keys"
SESSION_SEATS = "seats"
SESSION_GROUPS = "groups"
SESSION_BROWSER = "browser"
OLD_SESSION_LASTS = timedelta(hours=1)

FAILURES_OF_AN_ADDRESS = (10, timedelta(minutes=10))
FAILURES_OF_ALL = (60, timedelta(minutes=1))


# --- keys ---


def issue_key(*, game: Game, role: Role, label: str, through: GroupKey | None = None) -> tuple[str, Key]:
    """A key for a program: its secret (256 bits, shown this once) and what is stored of it.

    `through`: the key of the group that opened the game.
    """
    secret = secrets.token_urlsafe(32)
    stored = Key.objects.create(game=game, role=role, label=label, secret_hash=_hash(secret), through=through)
    return secret, stored


def issue_browser_key(*, game: Game, role: Role, label: str, through: GroupKey | None = None) -> Key:
    """A key for a browser: the session that names it is its secret.  `through`: the key of the group that opened it."""
    label = clean_line(label)[:60]
    if not label:
        number = 1 + Key.objects.filter(game=game, secret_hash=None).count()
        label = gettext("Phone {number}").format(number=number)
    return Key.objects.create(game=game, role=role, label=label, through=through)


def issue_seat_key(*, game: Game, seat: int, label: str, through: GroupKey | None = None) -> tuple[str, Key]:
    """A program's key for a seat of a digital game: its secret (256 bits, shown this once) and what is stored of it."""
    secret = secrets.token_urlsafe(32)
    label = clean_line(label)[:60] or f"API seat {seat}"
    values: dict[str, Any] = {"role": Role.SEAT, "seat": seat, "label": label, "through": through}
    return secret, Key.objects.create(game=game, secret_hash=_hash(secret), **values)


def issue_browser_seat_key(*, game: Game, seat: int, label: str, through: GroupKey | None = None) -> Key:
    """A browser's key for a seat of a digital game: whoever sits there sees that hand and plays it."""
    label = clean_line(label)[:60] or Seat.objects.get(game=game, number=seat).name
    return Key.objects.create(game=game, role=Role.SEAT, seat=seat, label=label, through=through)


def supersede(game: Game, seat: int) -> list[int]:
    """Take back whatever keys of a seat there are, because it is claimed anew: a seat is played from one phone.

    Answers their numbers, so that their bearers can be told.
    """
    old = list(Key.objects.filter(game=game, seat=seat, revoked_at=None).values_list("pk", flat=True))
    Key.objects.filter(pk__in=old).update(revoked_at=timezone.now(), superseded=True)
    # Nobody leaves himself a way back: invitations end with the key that made them.
    Invite.objects.filter(maker__in=old).delete()
    return old


def first_seat_keys(game: Game, creator: Key) -> list[Key]:
    """The keys of the seats that were taken on the browser that opened a game, as far as it has them still."""
    # They are made together with the creator's own key: a seat that was moved to another phone is not meant.
    at_once = (creator.created_at, creator.created_at + timedelta(seconds=5))
    first = Key.objects.filter(game=game, role=Role.SEAT, secret_hash=None, pk__gt=creator.pk)
    return list(first.filter(created_at__range=at_once, revoked_at=None).order_by("pk"))


def is_taken(game: Game, seat: int) -> bool:
    """Whether somebody bears the key of a seat."""
    return Key.objects.filter(game=game, seat=seat, revoked_at=None).exists()


def sits_through(game: Game, through: GroupKey) -> bool:
    """Whether a member of the table's group sits at it already: nobody sees two hands."""
    return Key.objects.filter(game=game, role=Role.SEAT, through=through, revoked_at=None).exists()


def locked_game(game_id: str) -> Game:
    """A game, locked until the turn is over.

    Errors: `NotFound`.
    """
    game = Game.objects.select_for_update().filter(pk=game_id).first()
    if game is None:
        raise NotFound()
    return game


def issue_group_key(*, group: Group, role: GroupRole, label: str) -> tuple[str, GroupKey]:
    """A group's key for a program: its secret (256 bits, shown this once) and what is stored of it."""
    secret = secrets.token_urlsafe(32)
    label = clean_line(label)[:60] or f"API {role}"
    return secret, GroupKey.objects.create(group=group, role=role, label=label, secret_hash=_hash(secret))


def issue_group_browser_key(*, group: Group, role: GroupRole, label: str) -> GroupKey:
    """A group's key for a browser."""
    label = clean_line(label)[:60]
    if not label:
        number = 1 + GroupKey.objects.filter(group=group, secret_hash=None).count()
        label = gettext("Phone {number}").format(number=number)
    return GroupKey.objects.create(group=group, role=role, label=label)


def renew(key: GroupKey) -> str:
    """Another secret for a program's key; the old one is worth nothing from now on."""
    secret = secrets.token_urlsafe(32)
    key.secret_hash = _hash(secret)
    key.save(update_fields=["secret_hash"])
    return secret


def creator_of(game: Game) -> Key | None:
    """The key of the browser that opened a game, None if it was taken back."""
    first = Key.objects.filter(game=game, secret_hash=None).order_by("pk").first()
    return first if first is not None and first.revoked_at is None else None


def key_of_secret(secret: str) -> Key:
    """The key that a program shows.

    Errors: `NotAuthenticated`.
    """
    key = Key.objects.filter(secret_hash=_hash(secret), revoked_at=None).select_related("game").first()
    if key is None:
        raise NotAuthenticated()
    return key


def group_key_of_secret(secret: str) -> GroupKey:
    """The key of a group that a program shows.

    Errors: `NotAuthenticated`.
    """
    key = GroupKey.objects.filter(secret_hash=_hash(secret), revoked_at=None).select_related("group").first()
    if key is None:
        raise NotAuthenticated()
    return key


def reading_key(key: GroupKey, game_id: str) -> Key:
    """What a key of a group is worth at one of its tables: a viewer's key that is stored nowhere.

    Errors: `NotFound`.
    """
    game = Game.objects.filter(pk=game_id, group=key.group_id).first()
    if game is None:
        raise NotFound()
    return Key(game=game, role=Role.VIEWER, label=key.label)


def require_member(key: GroupKey) -> None:
    """Refuse whoever may only look.

    Errors: `Forbidden`.
    """
    if not key.may_play:
        raise MembersOnly()


def require_owner(key: GroupKey) -> None:
    """Refuse whoever may not give and take keys.

    Errors: `Forbidden`.
    """
    if not key.owns:
        raise OwnersOnly()


def require_game(key: Key, game_id: str) -> Game:
    """The game of a key, if it is the one asked for.

    Errors: `NotFound`: what the bearer may not see does not exist for him.
    """
    if key.game_id != game_id:
        raise NotFound()
    return key.game


def require_scorekeeper(key: Key) -> None:
    """Refuse whoever may only look.

    Errors: `Forbidden`.
    """
    if not key.may_record:
        raise Forbidden()


def require_may_invite(key: GroupKey, role: GroupRole) -> None:
    """Nobody invites to more than he may do himself.

    Errors: `Forbidden`.
    """
    if role == GroupRole.OWNER:
        require_owner(key)
    if role == GroupRole.MEMBER:
        require_member(key)


def require_may_delete(game: Game, *, owner: bool) -> None:
    """Refuse to delete a result that a group counts to whoever is none of its owners.

    Errors: `OwnersOnly`.
    """
    if game.facts is not None and not owner:
        raise OwnersOnly()


def rename(key: Key | GroupKey, label: str) -> None:
    """Say whose phone bears a key."""
    cleaned = clean_line(label)[:60]
    if cleaned:
        key.label = cleaned
        key.save(update_fields=["label"])


def revoke(key: Key | GroupKey) -> None:
    """Take a key back, with the invitations that its bearer made: he would let himself in again."""
    key.revoked_at = timezone.now()
    key.save(update_fields=["revoked_at"])
    made: QuerySet[Invite] | QuerySet[GroupInvite] = (
        Invite.objects.filter(maker=key) if isinstance(key, Key) else GroupInvite.objects.filter(maker=key)
    )
    made.delete()


# --- browsers ---


def remember(session: SessionBase, key: Key) -> None:
    """Let a browser bear a key from now on; the session gets a new name, so that an old one is worth nothing."""
    _bear(session, key)
    session.cycle_key()


def remember_made(session: SessionBase, key: Key) -> None:
    """Let a browser bear the key of a table that it has opened itself.

    The session gets a new name here too, but under its old one it stays for a while as it was, without the new key: the
    second of two taps still comes with the old name, and must not come from somebody without any table.
    """
    if session.get(SESSION_KEYS, {}).get(key.game_id) == key.pk:
        return
    with _left_for_a_while(session):
        _bear(session, key)


@contextmanager
def _left_for_a_while(session: SessionBase) -> Iterator[None]:
    """What the block gives a browser, it bears under a new name; under its old one it stays for a while as it was."""
    old_name, old = session.session_key, dict(session.items())
    yield
    # What goes on may itself be a session that was only left for a while.
    session.set_expiry(None)
    session.create()
    if old_name and old:
        left = type(session)(old_name)
        left.update(old)
        left.set_expiry(OLD_SESSION_LASTS)
        # Gone meanwhile, it need not be left.
        with suppress(UpdateError):
            left.save()


def _bear(session: SessionBase, key: Key) -> None:
    held = dict(session.get(SESSION_KEYS, {}))
    held[key.game_id] = key.pk
    session[SESSION_KEYS] = held
    # With the key, so that opening the form of a new table later writes nothing.
    browser_of(session)


def bear_seats(session: SessionBase, keys: Sequence[Key]) -> None:
    """Let a browser bear keys of seats besides what it bears for the game."""
    held = dict(session.get(SESSION_SEATS, {}))
    for key in keys:
        # JSON knows no numbers as names.
        held[key.game_id] = {**held.get(key.game_id, {}), str(key.seat): key.pk}
    session[SESSION_SEATS] = held


def browser_of(session: SessionBase) -> str:
    """The mark of a browser, the same whatever its session is called; made when it is first asked for."""
    if SESSION_BROWSER not in session:
        session[SESSION_BROWSER] = secrets.token_hex(16)
    return str(session[SESSION_BROWSER])


def known_browser(session: SessionBase) -> str | None:
    """The mark of a browser that has one."""
    return session.get(SESSION_BROWSER)


def forget(session: SessionBase, game_id: str) -> None:
    """Take a table off a browser's list."""
    for name in (SESSION_KEYS, SESSION_SEATS):
        held = dict(session.get(name, {}))
        if held.pop(game_id, None) is not None:
            session[name] = held


def key_of_session(session: SessionBase, game_id: str) -> Key:
    """The key that a browser bears for a game: the host's or a spectator's before that of a seat.

    Errors: `NotFound`.
    """
    held = session.get(SESSION_KEYS, {}).get(game_id)
    key = Key.objects.filter(pk=held, game_id=game_id, revoked_at=None).select_related("game").first() if held else None
    if key is None:
        key = next(iter(seats_of_session(session, game_id).values()), None)
    if key is None:
        raise NotFound()
    return key


def seats_of_session(session: SessionBase, game_id: str) -> dict[int, Key]:
    """The keys of the seats of a digital game that a browser bears, by seat."""
    held = _held_seats(session, game_id)
    if not held:
        return {}
    keys = Key.objects.filter(pk__in=held, game_id=game_id, role=Role.SEAT, revoked_at=None).select_related("game")
    return {key.seat: key for key in keys.order_by("seat") if key.seat is not None}


def superseded_of_session(session: SessionBase, game_id: str) -> list[Key]:
    """The keys of seats that a browser bore until the seats were claimed on another phone."""
    held = _held_seats(session, game_id)
    lost = Key.objects.filter(pk__in=held, game_id=game_id, superseded=True) if held else Key.objects.none()
    return list(lost.select_related("game").order_by("seat"))


def _held_seats(session: SessionBase, game_id: str) -> list[int]:
    return list(session.get(SESSION_SEATS, {}).get(game_id, {}).values())


def remember_group(session: SessionBase, key: GroupKey) -> None:
    """Let a browser bear a group's key from now on; the session gets a new name, as in `remember_made`."""
    held = dict(session.get(SESSION_GROUPS, {}))
    if held.get(key.group_id) == key.pk:
        return
    with _left_for_a_while(session):
        session[SESSION_GROUPS] = {**held, key.group_id: key.pk}
        browser_of(session)


def forget_group(session: SessionBase, group_id: str) -> None:
    """Take a group off a browser's list."""
    held = dict(session.get(SESSION_GROUPS, {}))
    held.pop(group_id, None)
    session[SESSION_GROUPS] = held


def group_key_of_session(session: SessionBase, group_id: str) -> GroupKey:
    """The key that a browser bears for a group.

    Errors: `NotFound`.
    """
    held = session.get(SESSION_GROUPS, {}).get(group_id)
    found = GroupKey.objects.filter(pk=held, group_id=group_id, revoked_at=None) if held else GroupKey.objects.none()
    key = found.select_related("group").first()
    if key is None:
        raise NotFound()
    return key


def group_keys(session: SessionBase) -> list[GroupKey]:
    """The groups' keys that a browser bears and that are worth something, with their groups, by name."""
    held = list(session.get(SESSION_GROUPS, {}).values())
    if not held:
        return []
    keys = GroupKey.objects.filter(pk__in=held, revoked_at=None).select_related("group")
    return list(keys.order_by("group__name", "pk"))


def group_key_for_game(session: SessionBase, game_id: str) -> tuple[GroupKey, Game]:
    """The key of a group that opens one of the group's tables to this browser, and the table.

    Errors: `NotFound`.
    """
    held = session.get(SESSION_GROUPS, {})
    # PostgreSQL refuses to look for what it cannot hold.
    sought = held and "\0" not in game_id
    game = Game.objects.filter(pk=game_id, group__in=list(held)).first() if sought else None
    if game is None or game.group_id is None:
        raise NotFound()
    return group_key_of_session(session, game.group_id), game


def key_seeing(session: SessionBase, game_id: str) -> Key:
    """A key that shows a game to this browser: its own, or what its group's key is worth there.

    Errors: `NotFound`.
    """
    try:
        return key_of_session(session, game_id)
    except NotFound:
        group_key, game = group_key_for_game(session, game_id)
        return Key(game=game, role=Role.VIEWER, label=group_key.label, through=group_key)


def key_ids(session: SessionBase) -> list[int]:
    """The keys that a browser bears, the latest last; of a game in which it has only a seat, that of the seat."""
    held: dict[str, int] = dict(session.get(SESSION_KEYS, {}))
    for game_id, seats in session.get(SESSION_SEATS, {}).items():
        held.setdefault(game_id, next(iter(seats.values()), 0))
    return list(held.values())


# --- invitations ---


@dataclass(frozen=True)
class Invitation:
    """A new invitation with its two secrets, which are shown this once."""

    invite: Invite | GroupInvite
    token: str
    code: str


def invite(*, game: Game, role: Role, maker: Key | None = None, seat: int | None = None) -> Invitation:
    """A way into a table: a link of 128 bits and a code of 8 signs, for 12 hours, or until its maker's key goes.

    `seat`: with the role of a seat, which.
    """
    Invite.objects.filter(game=game, expires_at__lt=timezone.now()).delete()
    token, code, stored = _new_invitation()
    made = Invite.objects.create(game=game, role=role, seat=seat, maker=_stored(maker), **stored)
    return Invitation(made, token, code)


def _stored(maker: Key | None) -> Key | None:
    # Whoever looks on with the key of a group bears a key that is stored nowhere.
    return maker if maker is not None and maker.pk else None


def invite_to_group(*, group: Group, role: GroupRole, maker: GroupKey | None = None) -> Invitation:
    """A way into a group, like that into a table."""
    GroupInvite.objects.filter(group=group, expires_at__lt=timezone.now()).delete()
    token, code, stored = _new_invitation()
    return Invitation(GroupInvite.objects.create(group=group, role=role, maker=maker, **stored), token, code)


def _new_invitation() -> tuple[str, str, dict[str, Any]]:
    """The two secrets of an invitation, and what is stored of them."""
    token = secrets.token_urlsafe(16)
    code = "".join(secrets.choice(CROCKFORD) for _ in range(CODE_LENGTH))
    expires_at = timezone.now() + INVITE_LASTS
    stored = {"token_hash": _hash(token), "code_hash": _hash_code(code), "expires_at": expires_at}
    return token, f"{code[:4]}-{code[4:]}", stored


def find_invite(*, address: str, token: str = "", code: str = "") -> Invite | GroupInvite:
    """The invitation that a link or a typed code stands for; joining with it is `join` or `join_group`.

    Errors: `InviteNotValid` (counted), `TooManyRequests` after too many wrong ones.
    """
    with write_queue.in_turn():
        # One after the other: who guesses many times at once would otherwise be counted too late.
        JoinGate.objects.select_for_update().get_or_create(pk=1)
        now = timezone.now()
        _refuse_guessing(address, now)
        said = {"token_hash": _hash(token)} if token else {"code_hash": _hash_code(code)}
        invite: Invite | GroupInvite | None = (
            Invite.objects.filter(expires_at__gt=now, **said).select_related("game", "maker__through").first()
            or GroupInvite.objects.filter(expires_at__gt=now, **said).select_related("group").first()
        )
        if invite is None:
            FailedJoin.objects.create(address_hash=_hash_address(address), at=now)
    # Refused outside, so that the failure stays counted.
    if invite is None:
        raise InviteNotValid()
    return invite


def join(*, session: SessionBase, invite: Invite, label: str) -> Key:
    """Let a browser in.  One that already may record keeps its key; a viewer who is invited to record gets more.

    Whoever is invited to a seat is let in by `digital.sit_down`.
    Errors: `InviteNotValid` if the game was deleted meanwhile.
    """
    with write_queue.in_turn():
        game = _game_of(invite)
        held = session.get(SESSION_KEYS, {}).get(game.pk)
        key = Key.objects.filter(pk=held, game=game, revoked_at=None).first() if held else None
        if key is None or (invite.role == Role.SCOREKEEPER and not key.may_record):
            key = issue_browser_key(game=game, role=Role(invite.role), label=label, through=_through(invite))
        remember(session, key)
    return key


def join_program(*, invite: Invite, label: str) -> tuple[str, Key]:
    """Let a program in: the secret of its new key, shown this once, and the key.

    Errors: `InviteNotValid` if the game was deleted meanwhile.
    """
    with write_queue.in_turn():
        game = _game_of(invite)
        label = clean_line(label)[:60] or f"API {invite.role}"
        return issue_key(game=game, role=Role(invite.role), label=label, through=_through(invite))


def sit_down(*, session: SessionBase, invite: Invite, game: Game, label: str) -> Key:
    """A browser's key for the seat that an invitation is for."""
    assert invite.seat is not None, "the role of a seat names the seat"
    key = issue_browser_seat_key(game=game, seat=invite.seat, label=label, through=_through(invite))
    remember_seat(session, key)
    return key


def sit_down_program(*, invite: Invite, game: Game, label: str) -> tuple[str, Key]:
    """A program's key for the seat that an invitation is for, and its secret."""
    assert invite.seat is not None, "the role of a seat names the seat"
    return issue_seat_key(game=game, seat=invite.seat, label=label, through=_through(invite))


def remember_seat(session: SessionBase, key: Key) -> None:
    """Let a browser bear the key of a seat from now on; the session gets a new name, as in `remember`."""
    bear_seats(session, [key])
    browser_of(session)
    session.cycle_key()


def _through(invite: Invite) -> GroupKey | None:
    """Whom a group's member lets in is in as long as the member."""
    return None if invite.maker is None else invite.maker.through


def join_group(*, session: SessionBase, invite: GroupInvite, label: str) -> GroupKey:
    """Let a browser into a group.  One that may do as much already keeps its key.

    Errors: `InviteNotValid` if the group was dissolved meanwhile.
    """
    with write_queue.in_turn():
        group = _group_of(invite)
        held = session.get(SESSION_GROUPS, {}).get(group.pk)
        key = GroupKey.objects.filter(pk=held, group=group, revoked_at=None).first() if held else None
        if key is None or _rank(invite.role) > _rank(key.role):
            key = issue_group_browser_key(group=group, role=GroupRole(invite.role), label=label)
        remember_group(session, key)
    return key


def join_group_program(*, invite: GroupInvite, label: str) -> tuple[str, GroupKey]:
    """Let a program into a group: the secret of its new key, shown this once, and the key.

    Errors: `InviteNotValid` if the group was dissolved meanwhile.
    """
    with write_queue.in_turn():
        return issue_group_key(group=_group_of(invite), role=GroupRole(invite.role), label=label)


def _group_of(invite: GroupInvite) -> Group:
    group = Group.objects.select_for_update().filter(pk=invite.group_id).first()
    if group is None:
        raise InviteNotValid()
    return group


def _rank(role: str) -> int:
    return (GroupRole.VIEWER, GroupRole.MEMBER, GroupRole.OWNER).index(GroupRole(role))


def enter(*, session: SessionBase, game_id: str, role: Role) -> Key:
    """Let a browser sit down at a table of its group.

    Errors: `NotFound`; `MembersOnly` if whoever may only look wants to record.
    """
    with write_queue.in_turn():
        group_key, _ = group_key_for_game(session, game_id)
        game = _table_of(group_key, game_id, role)
        held = session.get(SESSION_KEYS, {}).get(game.pk)
        key = Key.objects.filter(pk=held, game=game, revoked_at=None).first() if held else None
        if key is None or (role == Role.SCOREKEEPER and not key.may_record):
            key = issue_browser_key(game=game, role=role, label=group_key.label, through=group_key)
        remember_made(session, key)
    return key


def enter_program(*, key: GroupKey, game_id: str, role: Role) -> tuple[str, Key]:
    """Let a program sit down at a table of its group: the secret of its new key, shown this once, and the key.

    Errors: `NotFound`; `MembersOnly` if whoever may only look wants to record.
    """
    with write_queue.in_turn():
        game = _table_of(key, game_id, role)
        return issue_key(game=game, role=role, label=key.label, through=key)


def _table_of(key: GroupKey, game_id: str, role: Role) -> Game:
    """The table that the bearer of a group's key may enter in this role."""
    # Locked, so that it cannot be deleted before whoever enters has his key.
    game = Game.objects.select_for_update().filter(pk=game_id, group=key.group_id).first()
    if game is None:
        raise NotFound()
    if role == Role.SCOREKEEPER:
        require_member(key)
        if game.mode == Mode.DIGITAL:
            # The host invites to every seat, and whoever sits there sees the hand.
            raise HostOnly()
    demand_valid(key)
    return game


def demand_valid(key: GroupKey) -> None:
    """Refuse a key that was taken back while its bearer waited for his turn; it stays valid until the turn is over.

    Errors: `NotFound`.
    """
    if not GroupKey.objects.select_for_update().filter(pk=key.pk, revoked_at=None).exists():
        raise NotFound()


def _game_of(invite: Invite) -> Game:
    # Locked, so that it cannot be deleted before whoever joins has his key.
    game = Game.objects.select_for_update().filter(pk=invite.game_id).first()
    if game is None:
        raise InviteNotValid()
    return game


def _refuse_guessing(address: str, now: datetime) -> None:
    FailedJoin.objects.filter(at__lt=now - FAILURES_OF_AN_ADDRESS[1]).delete()
    most, window = FAILURES_OF_ALL
    if FailedJoin.objects.filter(at__gt=now - window).count() >= most:
        raise TooManyRequests(minutes=1)
    most, window = FAILURES_OF_AN_ADDRESS
    if FailedJoin.objects.filter(at__gt=now - window, address_hash=_hash_address(address)).count() >= most:
        raise TooManyRequests(minutes=10)


# --- hashes ---


def _hash(secret: str) -> str:
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def creation_id(*parts: str) -> str:
    """What a request to open a game is known by: worth nothing to whoever reads it."""
    return _keyed("creation", "\n".join(parts))


def _hash_code(code: str) -> str:
    """A code is short: only the server's key makes its hash worth anything.  Read as people write it."""
    read = code.upper().replace("O", "0").replace("I", "1").replace("L", "1")
    plain = "".join(sign for sign in read if sign in CROCKFORD)
    return _keyed("code", plain)


def _hash_address(address: str) -> str:
    return _keyed("address", address)


def _keyed(purpose: str, text: str) -> str:
    return hmac.new(settings.SECRET_KEY.encode(), f"{purpose}:{text}".encode(), hashlib.sha256).hexdigest()


# --- the seats of a digital game ---


def require_host_or_own(bearer: Key, seats: Collection[int], seat: int) -> None:
    """Refuse whoever is neither the host nor sits there himself.  `seats`: what the bearer sits on.

    Errors: `HostOnly`.
    """
    if not bearer.may_record and seat not in seats:
        raise HostOnly()


def require_may_put_bot(
    bearer: Key, seat: int, *, level: str | None = None, seats: Collection[int] = (), present: Collection[int] = ()
) -> None:
    """Refuse whoever may not let a bot play for a seat, or give the seat back (`level` None).

    The host may, and for his own seat everybody.  So that nobody who is away holds up the table, any player may put a
    bot on a seat that is missed while the host is missed as well; whoever comes back takes his seat from it.
    `seats`: what the bearer sits on besides the seat of his key; `present`: the keys whose phones were heard of lately.
    Errors: `HostOnly`.
    """
    if bearer.may_record or bearer.seat == seat or seat in seats:
        return
    plays = bearer.seat is not None or bool(seats)
    valid = list(Key.objects.filter(game=bearer.game_id, revoked_at=None))
    missed = not any(key.pk in present for key in valid if key.may_record or key.seat == seat)
    if not plays or level is None or not missed:
        raise HostOnly()


def free_seat(game: Game, seat: int) -> list[int]:
    """Take the keys of a seat back for good: no phone that has lost it before may take it again without being invited.

    Answers their numbers, so that their bearers can be told.
    """
    old = list(Key.objects.filter(game=game, seat=seat, revoked_at=None).values_list("pk", flat=True))
    Key.objects.filter(pk__in=old).update(revoked_at=timezone.now())
    Key.objects.filter(game=game, seat=seat).update(superseded=False)
    Invite.objects.filter(Q(maker__in=old) | Q(seat=seat), game=game).delete()
    return old

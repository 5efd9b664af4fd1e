"""The registry of keys: issue, find, rename, renew and revoke.

A program shows the secret of its key, which is returned once, by `issue` or `renew`, and stored as a hash.  A browser's
key has no secret: the session names it.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from datetime import timedelta
from typing import Any, overload

from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext

from games.database.prepared import Prepared
from games.errors import NotAuthenticated, NotFound
from games.keys.hashes import hash_of, secret_of_feed
from games.models import IN_BIN, Game, Group, GroupInvite, GroupKey, GroupRole, Invite, Key, Lost, Role, Seat
from games.rules.text import clean_line

LONGEST_LABEL = 60

GAME_ROLES = (Role.VIEWER, Role.SEAT, Role.SCOREKEEPER)
GROUP_ROLES = (GroupRole.VIEWER, GroupRole.MEMBER, GroupRole.OWNER)
"""The roles of a game and of a group; each permits what those before it permit."""

UNSPENT = ~Q(single_use=True, uses__gt=0)
CLOCK_MAY_DIFFER = timedelta(hours=1)

# --- issue ---


@overload
def issue(
    *,
    game: Game,
    role: Role,
    seat: int | None = None,
    label: str = "",
    program: bool = False,
    through: GroupKey | None = None,
    at_opening: bool = False,
    seen: int | None = None,
    secret: str | None = None,
    follows: Key | None = None,
) -> Key: ...


@overload
def issue(
    *, group: Group, role: GroupRole, label: str = "", program: bool = False, secret: str | None = None
) -> GroupKey: ...


def issue(
    *,
    game: Game | None = None,
    group: Group | None = None,
    role: Role | GroupRole,
    seat: int | None = None,
    label: str = "",
    program: bool = False,
    through: GroupKey | None = None,
    at_opening: bool = False,
    seen: int | None = None,
    secret: str | None = None,
    follows: Key | None = None,
) -> Key | GroupKey:
    """A new key of a game or a group, for a browser or a program.  A program's `secret` (256 bits) is shown this once.

    `seat`: the seat of a digital game that the key holder sees and plays, with `Role.SEAT`.  `label`: whose device it
    is; an empty one gets a default.  `through`: the group key by which its holder came in; both are revoked together.
    `at_opening`: issued together with a new game.  `seen`: up to which entry its holder needs no notice; None: all.
    `secret`: that of a program's request, which may be sent again; None: a random one.  `follows`: the key of an
    earlier game by which its holder goes on to this one.
    """
    secret = (secret or secrets.token_urlsafe(32)) if program else ""
    values: dict[str, Any] = {"role": role, "secret_hash": hash_of(secret) if program else None}
    label = clean_line(label)[:LONGEST_LABEL]
    key: Key | GroupKey
    if group is not None:
        keys = GroupKey.objects.filter(group=group)
        key = GroupKey(group=group, label=label or _default_label(keys, role, program), **values)
    else:
        assert game is not None, "a key is of a game or of a group"
        if not label and seat is not None:
            label = f"API seat {seat}" if program else Seat.objects.get(game=game, number=seat).name
        label = label or _default_label(Key.objects.filter(game=game), role, program)
        seen = game.version if seen is None else seen
        values |= {"through": through, "at_opening": at_opening, "seen": seen, "follows": follows}
        key = Key(game=game, seat=seat, label=label, **values)
    key.save(force_insert=True)
    key.secret = secret
    return key


def _default_label(keys: QuerySet[Key] | QuerySet[GroupKey], role: str, program: bool) -> str:
    if program:
        return label_of_program("", role)
    return gettext("Phone {number}").format(number=1 + keys.filter(secret_hash=None).count())


def label_of_program(label: str, role: str) -> str:
    """What the key of a program is called if it is given this label."""
    return clean_line(label)[:LONGEST_LABEL] or f"API {role}"


# --- find ---


def key_of_secret(secret: str) -> Key:
    """The valid key of a game that a program shows.

    Errors: `NotAuthenticated`.
    """
    key = _KEYS.first(hash_of(secret))
    game = None if key is None else _GAMES.first(key.game_id)
    if key is None or game is None:
        raise NotAuthenticated()
    key.game = game
    return key


_KEYS = Prepared(lambda text: Key.objects.filter(secret_hash=text, revoked_at=None))
_GAMES = Prepared(lambda pk: Game.objects.filter(pk=pk, deleted_at=None))


def key_in_bin_of_secret(secret: str) -> Key:
    """The key of a game in the bin that a program shows, and that was valid until then.

    Errors: `NotAuthenticated`.
    """
    key = Key.objects.filter(IN_BIN, secret_hash=hash_of(secret)).select_related("game").first()
    if key is None:
        raise NotAuthenticated()
    return key


def feed_of(key: GroupKey) -> str:
    """What the address of a group's feed ends with: it opens the feed and nothing else, as long as this program's key
    is valid and has this secret.
    """
    assert key.secret_hash is not None, "a browser has no feed"
    return f"{key.pk}.{secret_of_feed(key.secret_hash)}"


def key_of_feed(feed: str) -> GroupKey:
    """The valid key of a program whose feed this is.

    Errors: `NotFound`.
    """
    number = feed.partition(".")[0]
    # Longer numbers no database stores.
    if number.isascii() and number.isdigit() and len(number) < 19:
        key = GroupKey.objects.select_related("group").filter(pk=number, revoked_at=None).first()
        if key is not None and key.is_program and secrets.compare_digest(feed.encode(), feed_of(key).encode()):
            return key
    raise NotFound()


def group_key_of_secret(secret: str) -> GroupKey:
    """The valid key of a group that a program shows.

    Errors: `NotAuthenticated`.
    """
    key = GroupKey.objects.filter(secret_hash=hash_of(secret), revoked_at=None).select_related("group").first()
    if key is None:
        raise NotAuthenticated()
    return key


def viewing_key(key: GroupKey, game_id: str) -> Key:
    """The key with which a member's program looks at a table of the group: a viewer's, not stored.

    Errors: `NotFound`.
    """
    game = Game.objects.filter(pk=game_id, group=key.group_id).first()
    if game is None:
        raise NotFound()
    return Key(game=game, role=Role.VIEWER, label=key.label)


def creator_of(game: Game) -> Key | None:
    """The key of the browser that created a game, None if it was revoked."""
    first = Key.objects.filter(game=game, secret_hash=None).order_by("pk").first()
    return first if first is not None and first.revoked_at is None else None


def opener_of(game_id: str) -> str:
    """The label of the phone or program that opened a game."""
    labels = Key.objects.filter(game=game_id).order_by("pk").values_list("label", flat=True)
    return labels.first() or ""


def first_seat_keys(game: Game, creator: Key) -> list[Key]:
    """The keys of the seats that the creator's browser took when it created the game, except those it has lost."""
    first = Key.objects.filter(game=game, role=Role.SEAT, secret_hash=None, at_opening=True, pk__gt=creator.pk)
    return list(first.filter(revoked_at=None).order_by("pk"))


def is_taken(game: Game, seat: int) -> bool:
    """Whether a seat has a key."""
    return Key.objects.filter(game=game, seat=seat, revoked_at=None).exists()


def seats_given(game: Game) -> set[int | None]:
    """The seats for which a key was issued, valid or not."""
    return set(Key.objects.filter(game=game, role=Role.SEAT).values_list("seat", flat=True))


def sits_through(game: Game, through: GroupKey) -> bool:
    """Whether this member of the group has a seat at the table already, or the host took it: one hand for each."""
    keys = Key.objects.filter(game=game, role=Role.SEAT, through=through)
    return keys.exclude(lost=Lost.CLAIMED).exists()


# --- invitations ---


def is_open() -> Q:
    """The condition of invitations that may be used.

    One from the future was made by a wrong clock: its age is not known.
    """
    now = timezone.now()
    return UNSPENT & Q(expires_at__gt=now, created_at__lte=now + CLOCK_MAY_DIFFER)


def withdraw(invites: QuerySet[Invite] | QuerySet[GroupInvite]) -> int:
    """Delete invitations; returns how many of them were open.

    Also those that have expired: the clock may be put back.  The spent ones stay for the phones that used them.
    """
    withdrawn = invites.filter(is_open()).count()
    invites.filter(UNSPENT).delete()
    return withdrawn


# --- rename, renew, revoke ---


def rename(key: Key | GroupKey, label: str) -> None:
    """Change the label of a key: whose device it is."""
    cleaned = clean_line(label)[:LONGEST_LABEL]
    if cleaned:
        key.label = cleaned
        key.save(update_fields=["label"])


def renew(key: GroupKey) -> None:
    """Replace the secret of a program's key; the new `secret` is shown this once, the old one is invalid."""
    secret = secrets.token_urlsafe(32)
    key.secret_hash = hash_of(secret)
    key.save(update_fields=["secret_hash"])
    key.secret = secret


def revoke(key: Key | GroupKey) -> int:
    """Revoke a key.  Invitations that its holder made, and all to its role or above, would be a way back in.

    Returns how many open invitations are withdrawn with it.
    """
    key.revoked_at = timezone.now()
    key.save(update_fields=["revoked_at"])
    if isinstance(key, Key):
        if key.seat is not None:
            key.lost, key.lost_at = Lost.REVOKED, key.game.version
            key.save(update_fields=["lost", "lost_at"])
            # The holder may have had the seat on other phones before.
            Key.objects.filter(game=key.game_id, seat=key.seat, lost=Lost.CLAIMED).update(lost=Lost.REVOKED)
        above = GAME_ROLES[GAME_ROLES.index(Role(key.role)) :]
        return withdraw(Invite.objects.filter(Q(maker=key) | Q(role__in=above), game=key.game_id))
    above_in_group = GROUP_ROLES[GROUP_ROLES.index(GroupRole(key.role)) :]
    return withdraw(GroupInvite.objects.filter(Q(maker=key) | Q(role__in=above_in_group), group=key.group_id))


def acknowledge(keys: Iterable[int], *, since: int, until: int) -> None:
    """Note that these keys' holders know every change of a seat's holder up to the entry `until`.

    Only keys whose holders know those up to the entry `since` already.
    """
    Key.objects.filter(pk__in=keys, seen__gte=since, seen__lt=until).update(seen=until)


def note_ready(keys: Iterable[int], *, until: int) -> None:
    """Note that the holders of these keys of seats need no more time up to the version `until`."""
    Key.objects.filter(pk__in=keys, ready__lt=until).update(ready=until)


def supersede(game: Game, seat: int) -> list[int]:
    """Revoke the keys of a seat that is claimed on another phone; their holders may claim it back.

    Returns the ids of the revoked keys, to notify their phones.
    """
    old = _revoke_seat(game, seat, Lost.CLAIMED)
    withdraw(Invite.objects.filter(maker__in=old))
    return old


def reinstate(key: Key) -> Key:
    """Make a key valid again whose seat was claimed on another phone."""
    key.revoked_at, key.lost, key.lost_at = None, "", None
    key.save(update_fields=["revoked_at", "lost", "lost_at"])
    return key


def free_seat(game: Game, seat: int) -> list[int]:
    """Revoke the keys of a seat permanently: a phone that had it needs an invitation to get it back.

    Returns the ids of the revoked keys, to notify their phones.
    """
    old = _revoke_seat(game, seat, Lost.FREED)
    Key.objects.filter(game=game, seat=seat, lost=Lost.CLAIMED).update(lost=Lost.FREED)
    to_any_seat = Q(role=Role.SEAT, seat=None)
    is_way_back = Q(maker__in=old) | Q(seat=seat) | to_any_seat | Q(role=Role.SCOREKEEPER)
    withdraw(Invite.objects.filter(is_way_back, game=game))
    return old


def _revoke_seat(game: Game, seat: int, reason: Lost) -> list[int]:
    valid = Key.objects.filter(game=game, seat=seat, revoked_at=None)
    old = list(valid.values_list("pk", flat=True))
    Key.objects.filter(pk__in=old).update(revoked_at=timezone.now(), lost=reason, lost_at=game.version)
    return old

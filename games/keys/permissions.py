"""What a key permits: a predicate for each permission, the refusal that belongs to it, and one `require`."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import ParamSpec

from games.errors import Forbidden, HostOnly, MembersOnly, NotFound, OpenerOnly, OwnersOnly
from games.models import Game, GroupKey, GroupRole, Key, Status

P = ParamSpec("P")


def records(key: Key) -> bool:
    """Whether this key changes its game: the scorekeeper's, in a digital game the host's."""
    return key.may_record


def plays_in_group(key: GroupKey) -> bool:
    """Whether this key opens tables in its group and looks after the players."""
    return key.may_play


def owns_group(key: GroupKey) -> bool:
    """Whether this key issues and revokes keys of its group."""
    return key.owns


def looks_at_group(key: GroupKey) -> bool:
    """Every key of a group shows the group."""
    return True


def deletes(key: Key, *, owner: bool) -> bool:
    """Whether this key may delete its game.  What a group counts is deleted by the group's owners only."""
    return owner or key.game.status != Status.FINISHED or key.game.present_group is None


def deletes_locked(key: Key, *, owner: bool) -> bool:
    """Whether this key may delete its game: a confirmed one only as who opened it, or for an owner of its group."""
    return owner or key.game.locked_at is None or key.at_opening


def hosts_or_sits(key: Key, seats: Collection[int | None], seat: int) -> bool:
    """Whether this key is the host's or its holder plays this seat.  `seats`: the seats of the key holder."""
    return key.may_record or seat in seats


def puts_bot(
    key: Key, seat: int, *, level: str | None = None, seats: Collection[int] = (), present: Collection[int] = ()
) -> bool:
    """Whether this key may put a bot on a seat, or return the seat to its player (`level` None).

    The host may, and each player may for their own seat.  If both the host and the seat's player are absent, any
    player may put a bot on the seat, so that the game goes on; the player takes the seat back on return.
    `seats`: the key holder's seats besides that of the key; `present`: the keys whose phones are online.
    """
    if key.may_record or key.seat == seat or seat in seats:
        return True
    plays = key.seat is not None or bool(seats)
    valid = Key.objects.filter(game=key.game_id, revoked_at=None)
    absent = not any(each.pk in present for each in valid if each.may_record or each.seat == seat)
    return plays and level is not None and absent


REFUSALS: dict[Callable[..., bool], type[Forbidden]] = {
    records: Forbidden,
    plays_in_group: MembersOnly,
    owns_group: OwnersOnly,
    looks_at_group: Forbidden,
    deletes: OwnersOnly,
    deletes_locked: OpenerOnly,
    hosts_or_sits: HostOnly,
    puts_bot: HostOnly,
}

NEEDED_TO_INVITE: dict[GroupRole, Callable[[GroupKey], bool]] = {
    GroupRole.OWNER: owns_group,
    GroupRole.MEMBER: plays_in_group,
    GroupRole.VIEWER: looks_at_group,
}
"""An invitation gives no more than its maker may do."""


def require(permission: Callable[P, bool], *args: P.args, **kwargs: P.kwargs) -> None:
    """Refuse unless the permission is granted: `require(records, key)`.

    Errors: the permission's `Forbidden`.
    """
    if not permission(*args, **kwargs):
        raise REFUSALS[permission]()


def require_valid(key: Key | GroupKey) -> None:
    """Refuse a key that was revoked while the request waited for its transaction; it stays valid until the commit.

    Errors: `NotFound`.
    """
    if not type(key).objects.select_for_update().filter(pk=key.pk, revoked_at=None).exists():
        raise NotFound()


def game_of(key: Key, game_id: str) -> Game:
    """The game of a key, if it is the requested one.

    Errors: `NotFound`: a game without a key of its own does not exist for the key holder.
    """
    if key.game_id != game_id:
        raise NotFound()
    return key.game

"""The keys in a browser's session: those of its games, of its seats in digital games, and of its groups."""

from __future__ import annotations

from collections.abc import Sequence

from django.contrib.sessions.backends.base import SessionBase

from games.errors import NotFound
from games.keys.session_store import REPLACES
from games.models import Game, GroupKey, Key, Lost, Role

SESSION_KEYS = "keys"
SESSION_SEATS = "seats"
SESSION_GROUPS = "groups"

# --- add ---


def remember(session: SessionBase, key: Key) -> None:
    """Add the key of a game to the session and rotate the session id, unless the session has the key."""
    if session.get(SESSION_KEYS, {}).get(key.game_id) != key.pk:
        session[SESSION_KEYS] = {**session.get(SESSION_KEYS, {}), key.game_id: key.pk}
        _rotate(session)


def remember_seats(session: SessionBase, keys: Sequence[Key]) -> None:
    """Add keys of seats to the session, besides the key of the game."""
    seats = dict(session.get(SESSION_SEATS, {}))
    for key in keys:
        # JSON has no numbers as names.
        seats[key.game_id] = {**seats.get(key.game_id, {}), str(key.seat): key.pk}
    session[SESSION_SEATS] = seats


def remember_seat(session: SessionBase, key: Key) -> None:
    """Add the key of a seat to the session and rotate the session id."""
    remember_seats(session, [key])
    _rotate(session)


def remember_group(session: SessionBase, key: GroupKey) -> None:
    """Add the key of a group to the session and rotate the session id, unless the session has the key."""
    groups = session.get(SESSION_GROUPS, {})
    if groups.get(key.group_id) != key.pk:
        session[SESSION_GROUPS] = {**groups, key.group_id: key.pk}
        _rotate(session)


def _rotate(session: SessionBase) -> None:
    """Give the session a new id.  The old session never gets the new key, and ends when the new id is used."""
    # The session that goes on may itself be an old one with a short expiry.
    session.set_expiry(None)
    if session.session_key:
        session[REPLACES] = session.session_key
    session.create()


# --- remove ---


def forget(session: SessionBase, game_id: str) -> None:
    """Remove the keys of a game from the session."""
    for name in (SESSION_KEYS, SESSION_SEATS):
        _remove(session, name, game_id)


def forget_group(session: SessionBase, group_id: str) -> None:
    """Remove the key of a group from the session."""
    _remove(session, SESSION_GROUPS, group_id)


def _remove(session: SessionBase, name: str, owner_id: str) -> None:
    stored = dict(session.get(name, {}))
    if stored.pop(owner_id, None) is not None:
        session[name] = stored


# --- find ---


def own_key(session: SessionBase, game_id: str) -> Key | None:
    """The session's valid key of a game, other than that of a seat."""
    stored = session.get(SESSION_KEYS, {}).get(game_id)
    keys = Key.objects.filter(pk=stored, game_id=game_id, revoked_at=None).select_related("game")
    return keys.first() if stored else None


def holds(session: SessionBase, key: Key | GroupKey) -> bool:
    """Whether the session has this valid key."""
    if isinstance(key, GroupKey):
        return own_group_key(session, key.group_id) == key
    own = own_key(session, key.game_id) if key.seat is None else seats_of_session(session, key.game_id).get(key.seat)
    return own == key


def key_of_session(session: SessionBase, game_id: str) -> Key:
    """The session's valid key of a game: the host's or a viewer's before that of a seat.

    Errors: `NotFound`.
    """
    key = own_key(session, game_id) or next(iter(seats_of_session(session, game_id).values()), None)
    if key is None:
        raise NotFound()
    return key


def seats_of_session(session: SessionBase, game_id: str) -> dict[int, Key]:
    """The session's valid keys of seats of a digital game, by seat."""
    stored = _seat_key_ids(session, game_id)
    if not stored:
        return {}
    keys = Key.objects.filter(pk__in=stored, game_id=game_id, role=Role.SEAT, revoked_at=None).select_related("game")
    return {key.seat: key for key in keys.order_by("seat") if key.seat is not None}


def superseded_of_session(session: SessionBase, game_id: str) -> list[Key]:
    """The session's keys of seats that were claimed on another phone."""
    stored = _seat_key_ids(session, game_id)
    if not stored:
        return []
    keys = Key.objects.filter(pk__in=stored, game_id=game_id, lost=Lost.CLAIMED).select_related("game")
    return list(keys.order_by("seat"))


def _seat_key_ids(session: SessionBase, game_id: str) -> list[int]:
    return list(session.get(SESSION_SEATS, {}).get(game_id, {}).values())


def key_ids(session: SessionBase) -> list[int]:
    """The ids of the session's keys, one for each game, the latest last; a seat's where there is no other."""
    stored: dict[str, int] = dict(session.get(SESSION_KEYS, {}))
    for game_id, seats in session.get(SESSION_SEATS, {}).items():
        stored.setdefault(game_id, next(iter(seats.values()), 0))
    return list(stored.values())


def own_group_key(session: SessionBase, group_id: str) -> GroupKey | None:
    """The session's valid key of a group."""
    stored = session.get(SESSION_GROUPS, {}).get(group_id)
    keys = GroupKey.objects.filter(pk=stored, group_id=group_id, revoked_at=None).select_related("group")
    return keys.first() if stored else None


def group_key_of_session(session: SessionBase, group_id: str) -> GroupKey:
    """The session's valid key of a group.

    Errors: `NotFound`.
    """
    key = own_group_key(session, group_id)
    if key is None:
        raise NotFound()
    return key


def group_keys(session: SessionBase) -> list[GroupKey]:
    """The session's valid keys of groups, with their groups, by name."""
    stored = list(session.get(SESSION_GROUPS, {}).values())
    if not stored:
        return []
    keys = GroupKey.objects.filter(pk__in=stored, revoked_at=None).select_related("group")
    return list(keys.order_by("group__name", "pk"))


def group_key_for_game(session: SessionBase, game_id: str) -> tuple[GroupKey, Game]:
    """The session's key of the group that a table belongs to, and the table.

    Errors: `NotFound`.
    """
    groups = session.get(SESSION_GROUPS, {})
    # PostgreSQL rejects a null character in a query.
    game = Game.objects.filter(pk=game_id, group__in=list(groups)).first() if groups and "\0" not in game_id else None
    if game is None or game.group_id is None:
        raise NotFound()
    return group_key_of_session(session, game.group_id), game


def key_seeing(session: SessionBase, game_id: str) -> Key:
    """A key that shows a game: the session's own, or a viewer's, not stored, by membership in the game's group.

    Errors: `NotFound`.
    """
    try:
        return key_of_session(session, game_id)
    except NotFound:
        group_key, game = group_key_for_game(session, game_id)
        return Key(game=game, role=Role.VIEWER, label=group_key.label, through=group_key)

"""The keys in a browser's session: those of its games, of its seats in digital games, and of its groups."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from django.contrib.sessions.backends.base import SessionBase
from django.db.models import Q, Subquery

from games.database.prepared import Prepared
from games.errors import NotFound
from games.keys.session_store import REPLACES, SessionStore, stored_session
from games.models import GROUP_IN_BIN, IN_BIN, Game, GroupKey, Key, Role

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
        # JSON object keys are strings.
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

MOST_KEYS = 24
"""A table with more valid keys takes one more query, which reads only those of the session."""

_KEYS_AND_SESSION: Prepared[Key] = Prepared(
    lambda game_id, session_key: Key.objects.filter(game_id=game_id, revoked_at=None).annotate(
        stored=Subquery(stored_session(session_key))
    )[: MOST_KEYS + 1]
)
GAMES = Prepared(lambda pk: Game.objects.filter(pk=pk, deleted_at=None))


@dataclass(frozen=True)
class GameKeys:
    """A session's valid keys of a game.  `own`: other than that of a seat; `seats`: by seat."""

    own: Key | None = None
    seats: Mapping[int, Key] = field(default_factory=dict)

    @property
    def first(self) -> Key:
        """The host's or a viewer's key before that of a seat.

        Errors: `NotFound`.
        """
        key = self.own or next(iter(self.seats.values()), None)
        if key is None:
            raise NotFound()
        return key


def own_key(session: SessionBase, game_id: str) -> Key | None:
    """The session's valid key of a game, other than that of a seat."""
    return keys_of_game(session, game_id).own


def keys_of_game(session: SessionBase, game_id: str) -> GameKeys:
    """The session's valid keys of a game.

    One query reads a session that is not loaded yet and all valid keys of the game, another one the game.
    """
    valid: list[Key] = []
    # PostgreSQL rejects a null character in a query.
    if isinstance(session, SessionStore) and session.is_unread and "\0" not in game_id:
        valid = _KEYS_AND_SESSION.all(game_id, session.session_key)
        if not valid:
            return GameKeys()
        session.take(valid[0].stored)  # type: ignore[attr-defined]  # (an annotation)
    own, seats = session.get(SESSION_KEYS, {}).get(game_id), _seat_key_ids(session, game_id)
    ids = {own, *seats}
    if ids == {None}:
        return GameKeys()
    found: list[Key]
    if 0 < len(valid) <= MOST_KEYS:
        found = [key for key in valid if key.pk in ids]
        game = GAMES.all(game_id) if found else []
        found = found if game else []
        for key in found:
            (key.game,) = game
    else:
        found = list(Key.objects.filter(pk__in=ids, game_id=game_id, revoked_at=None).select_related("game"))
    keys = {key.pk: key for key in found}
    by_seat = {key.seat: key for key in found if key.seat is not None and key.pk in seats}
    return GameKeys(keys.get(own), dict(sorted(by_seat.items())))


def key_in_bin(session: SessionBase, game_id: str) -> Key:
    """The session's key of a game in the bin, one that may record before others.

    Errors: `NotFound`.
    """
    keys = Key.objects.filter(IN_BIN, pk__in=key_ids_of(session, game_id)).select_related("game__deleted_by")
    found = sorted(keys, key=lambda key: not key.may_record)
    if not found:
        raise NotFound()
    return found[0]


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
    return keys_of_game(session, game_id).first


def seats_of_session(session: SessionBase, game_id: str) -> Mapping[int, Key]:
    """The session's valid keys of seats of a digital game, by seat."""
    return keys_of_game(session, game_id).seats


def seats_of_games(session: SessionBase, game_ids: Iterable[str]) -> dict[str, set[int]]:
    """The seats of these games that the session's valid keys are of, in one query; none without such keys."""
    stored = [key_id for game_id in game_ids for key_id in _seat_key_ids(session, game_id)]
    keys = Key.objects.filter(pk__in=stored, revoked_at=None, seat__isnull=False) if stored else Key.objects.none()
    seats: dict[str, set[int]] = {}
    for game_id, seat in keys.values_list("game_id", "seat"):
        if seat is not None:
            seats.setdefault(game_id, set()).add(seat)
    return seats


def lost_of_session(session: SessionBase, game_id: str) -> list[Key]:
    """The session's keys of seats that were claimed on another phone, freed or revoked."""
    stored = _seat_key_ids(session, game_id)
    if not stored:
        return []
    keys = Key.objects.filter(pk__in=stored, game_id=game_id, game__deleted_at=None).exclude(lost="")
    keys = keys.select_related("game")
    return list(keys.order_by("seat"))


def seats_held(session: SessionBase, game_id: str, *, since: int) -> set[int]:
    """The seats of a digital game that the session's keys are of, or were at the entry `since` or later."""
    keys = Key.objects.filter(pk__in=_seat_key_ids(session, game_id), seat__isnull=False)
    valid = keys.filter(Q(revoked_at=None) | Q(lost_at__gte=since))
    return {seat for seat in valid.values_list("seat", flat=True) if seat is not None}


def key_ids_of(session: SessionBase, game_id: str) -> list[int]:
    """The ids of the session's keys of one game, valid or not."""
    stored = session.get(SESSION_KEYS, {}).get(game_id)
    return [*_seat_key_ids(session, game_id), *([] if stored is None else [stored])]


def has_keys(session: SessionBase) -> bool:
    """Whether the session has had a key of a game, other than that of a seat."""
    return bool(session.get(SESSION_KEYS))


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
    return [key for key in group_keys_with_bin(session) if key.revoked_at is None]


def group_keys_with_bin(session: SessionBase) -> list[GroupKey]:
    """The same, and those of groups in the bin, which are revoked."""
    stored = list(session.get(SESSION_GROUPS, {}).values())
    if not stored:
        return []
    keys = GroupKey.objects.filter(Q(revoked_at=None) | GROUP_IN_BIN, pk__in=stored)
    return list(keys.select_related("group__deleted_by").order_by("group__name", "pk"))


def group_key_in_bin(session: SessionBase, group_id: str) -> GroupKey:
    """The session's key of a group in the bin.

    Errors: `NotFound`.
    """
    for key in group_keys_with_bin(session):
        if key.group_id == group_id and key.revoked_at is not None:
            return key
    raise NotFound()


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


def keys_seeing(session: SessionBase, game_id: str) -> GameKeys:
    """Keys that show a game: the session's own, or a viewer's, not stored, by membership in the game's group.

    Errors: `NotFound`.
    """
    keys = keys_of_game(session, game_id)
    if keys.own or keys.seats:
        return keys
    group_key, game = group_key_for_game(session, game_id)
    return GameKeys(Key(game=game, role=Role.VIEWER, label=group_key.label, through=group_key))

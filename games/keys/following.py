"""How a phone goes on with its table: a key of a game opens the next one, and those after it, without an invitation.

A scorekeeper of a physical table records in the next one, too; everybody else looks on.  Players of digital games take
their seats by `games.services.seating`.  Programs do not follow.
"""

from __future__ import annotations

from django.contrib.sessions.backends.base import SessionBase

from games.database import write_queue
from games.keys import registry, sessions
from games.keys.permissions import require_valid
from games.models import Game, Key, Mode, Role

MOST_MISSED = 40
"""How many games of its table a phone may have missed."""


def may_follow(session: SessionBase, game_id: str) -> bool:
    """Whether a key of this game, or of one before it, lets a browser into this game."""
    return _right(session, game_id) is not None


def follow(session: SessionBase, game_id: str) -> Key | None:
    """The key of a game for a browser with a key of an earlier game of its table, None without a right to it.

    Two requests at once get the same key.
    Errors: `NotFound` if the right is revoked in the meantime.
    """
    if not may_follow(session, game_id):
        return None
    with write_queue.in_turn():
        game = Game.objects.select_for_update().filter(pk=game_id).first()
        key = None if game is None else _right(session, game_id)
        if game is None or key is None:
            return None
        require_valid(key)
        if key.game_id != game_id:
            is_recorded = {key.game.mode, game.mode} == {Mode.TABLE}
            role = Role.SCOREKEEPER if key.may_record and is_recorded else Role.VIEWER
            key = registry.issue(game=game, role=role, label=key.label, through=key.through, follows=key)
        sessions.remember(session, key)
        return key


def _right(session: SessionBase, game_id: str) -> Key | None:
    """The latest key of a browser among those of a game and of the games before it.

    None if it is revoked: then none that is older opens the game either, in any session that has it.
    """
    if not sessions.has_keys(session) or "\0" in game_id:
        return None
    path = [game_id]
    while not sessions.key_ids_of(session, path[-1]):
        before = Game.objects.filter(next=path[-1]).values_list("pk", flat=True).first()
        if before is None or len(path) > MOST_MISSED:
            return None
        path.append(before)
    held = sessions.keys_of_game(session, path.pop())
    # A player of a digital game follows with the seat.
    key = None if held.seats else held.own
    while key is not None and path:
        later = Key.objects.filter(follows=key, game=path.pop()).select_related("game").first()
        if later is not None:
            key = later if later.revoked_at is None else None
    return key

"""The board on the page: its rows and spaces, and whose turn it is to cover one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from games.pages.parts.players import Player, WithSpace, players_of
from games.rules import Action, FinishedRound, Phase, Place, PublicState, Round
from games.rules.board import Row
from games.rules.editions import RowKey
from games.texts import words


@dataclass(frozen=True)
class SpaceView(WithSpace):
    """A space of the board.

    `by`: who covered it; None if it is open or was only noted; `outcome`: what its row decides if it stays open, where
    a page asks for that; `did`: what the next one did who covers it, with %s for the name, empty if it is covered;
    `did_own`: the same of the player whose token it is.
    """

    space: str
    name: str
    label: str
    by: Player | None
    is_covered: bool
    is_last: bool
    player: Player | None = None
    token: str = ""
    outcome: str = ""
    did: str = ""
    did_own: str = ""


@dataclass(frozen=True)
class RowView:
    """A row of the board, with its result once it is closed.

    `caption`: its name where there is little room, as on the strip of conditions.
    """

    key: str
    name: str
    caption: str
    spaces: list[SpaceView]
    settled: str


def board_rows(state: PublicState, board_of: Round | FinishedRound, *, with_outcomes: bool = False) -> list[RowView]:
    """The board of a round, row by row; absent tokens are covered, in their place of the printed board."""
    players = players_of(state.setup)
    return [_row_view(state, row, players, with_outcomes=with_outcomes) for row in board_of.board.rows]


def _row_view(state: PublicState, row: Row, players: Sequence[Player], *, with_outcomes: bool) -> RowView:
    ruleset, names, key, left = state.ruleset, state.setup.names, row.key, row.settled_space
    short = [player.short for player in players]
    views = []
    for space, mark in zip(row.spaces, row.marks, strict=True):
        name = words.space_name(key, space, ruleset, names)
        by = players[mark] if isinstance(mark, int) else None
        is_covered, is_last = mark is not None, space == left
        if is_covered or is_last:
            label = _done_label(words.covered(key, space, ruleset, names), by, is_last=is_last)
        else:
            label = _("Cover {space}").format(space=name)
        did = ""
        if not is_covered:
            did = _("{name} covered {space}").format(name="%s", space=words.covered(key, space, ruleset, short))
        views.append(
            SpaceView(
                space=space,
                name=name,
                label=label,
                by=by,
                is_covered=is_covered,
                is_last=is_last,
                player=players[int(space)] if key is RowKey.START else None,
                outcome=words.plain(words.settled(key, space, ruleset, names)) if with_outcomes else "",
                did=did,
                did_own=_("{name} covered their own token").format(name="%s") if key is RowKey.START else "",
            )
        )
    if key is RowKey.START:
        # In the order of the tokens on the printed board; those of absent players are covered.
        by_token = {state.setup.seats[int(view.space)].token: view for view in views}
        views = [by_token.get(token) or _absent_token(token, ruleset.preset) for token in ruleset.edition.tokens]
    settled = "" if left is None else words.plain(words.settled(key, left, ruleset, names))
    return RowView(key.value, str(words.ROW_NAMES[key]), words.caption(key, ""), views, settled)


def _done_label(space: str, by: Player | None, *, is_last: bool) -> str:
    """Of a space that no one may cover any more."""
    if is_last:
        return _("{space}: stays open").format(space=space)
    if by is not None:
        return _("{space}: covered by {name}").format(space=space, name=by.name)
    return _("{space}: covered").format(space=space)


def space_of(action: Action | None, rows: Sequence[RowView]) -> SpaceView | None:
    """The space of these rows that an action covers; None if it covers none of them."""
    if not isinstance(action, Place):
        return None
    spaces = (space for row in rows if row.key == action.row.value for space in row.spaces)
    return next((space for space in spaces if space.space == action.space), None)


def _absent_token(token: str, preset: str) -> SpaceView:
    name = words.token_name(token, preset)
    label = _("{token}: nobody plays it").format(token=name)
    return SpaceView(space="", name=name, label=label, by=None, is_covered=True, is_last=False, token=token)


@dataclass(frozen=True)
class TurnView:
    """Whose turn it is, and how many markers everybody has left, in placing order."""

    player: Player
    left: int
    following: Player | None
    order: list[tuple[Player, int]]


def turn_view(state: PublicState) -> TurnView | None:
    """The panel above the board while markers are placed."""
    if state.phase is not Phase.PLACING or state.first_placer is None:
        return None
    players, left = players_of(state.setup), state.markers_left
    seat = state.acting_seats[0]
    count = state.players
    following = next((players[(seat + step) % count] for step in range(1, count) if left[(seat + step) % count]), None)
    order = [(players[(state.first_placer + step) % count]) for step in range(count)]
    return TurnView(players[seat], left[seat], following, [(player, left[player.seat]) for player in order])

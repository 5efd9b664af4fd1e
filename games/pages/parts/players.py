"""The players, and what a settled round says of them: the standing strip and the teams.

Knows: names, tokens and the signs that stand for players.  Must not know: markup, phases.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from games.rules import FinishedRound, PublicState, Round, Setup
from games.rules.editions import RowKey
from games.texts import words


@dataclass(frozen=True)
class Player:
    """A player as shown everywhere: name, token, and the sign that stands on the token."""

    seat: int
    name: str
    token: str
    token_name: str
    sign: str


def players_of(setup: Setup) -> list[Player]:
    """The players by seat."""
    signs = _signs(setup.names)
    return [
        Player(seat, place.name, place.token, str(words.TOKEN_NAMES[place.token]), signs[seat])
        for seat, place in enumerate(setup.seats)
    ]


def _signs(names: Sequence[str]) -> list[str]:
    """The first letter of each name; where players share it two letters, or the letter with the seat's number."""
    one = [name[:1].upper() for name in names]
    two = [name[:1].upper() + name[1:2] for name in names]
    by_seat = [f"{letter}{seat}" for seat, letter in enumerate(one, start=1)]
    return [
        next((sign for signs in (one, two) if signs.count(sign := signs[seat]) == 1), by_seat[seat])
        for seat in range(len(names))
    ]


@dataclass(frozen=True)
class ConditionView:
    """A chip of the standing strip."""

    row: str
    row_name: str
    space: str
    text: str
    caption: str
    player: Player | None = None

    @property
    def value(self) -> str:
        """What a points chip shows."""
        return self.space.replace("-", "−")


def condition_views(state: PublicState, of: Round | FinishedRound) -> list[ConditionView]:
    """The standing strip of a settled round."""
    if of.conditions is None:
        return []
    players, names = players_of(state.setup), state.setup.names
    return [
        ConditionView(
            row=row.value,
            row_name=str(words.ROW_NAMES[row]),
            space=space,
            text=words.plain(words.settled(row, space, state.ruleset, names)),
            caption=words.caption(row, space),
            player=players[int(space)] if row is RowKey.START else None,
        )
        for row, space in words.condition_spaces(of.conditions).items()
    ]


@dataclass(frozen=True)
class TeamView:
    """A team as shown: its players, which of them holds the monster."""

    players: list[Player]
    monster: Player | None


def team_views(state: PublicState, of: Round | FinishedRound) -> list[TeamView]:
    """The two teams, the start player's first."""
    if of.teams is None:
        return []
    players, monster = players_of(state.setup), of.teams.monster
    return [
        TeamView(
            players=[players[seat] for seat in team],
            monster=players[monster] if monster in team and monster is not None else None,
        )
        for team in (of.teams.own, of.teams.other)
    ]

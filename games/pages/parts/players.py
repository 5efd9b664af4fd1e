"""Players as pages show them, and the conditions and teams of a settled round."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import zip_longest

from games.models import Game, Seat
from games.rules import FinishedRound, PublicState, Round, Setup
from games.rules.editions import RowKey
from games.texts import words
from games.texts.unnamed import called


@dataclass(frozen=True)
class Player:
    """A player: name, token, and the letters on the token (`sign`)."""

    seat: int
    name: str
    token: str
    sign: str

    @property
    def short(self) -> str:
        """The name where a long one would hide what follows."""
        return words.short(self.name)


@lru_cache(maxsize=128)
def players_of(setup: Setup) -> tuple[Player, ...]:
    """The players by seat.  Every part of a page asks for them, so they are kept for each set-up."""
    letters = letters_of(setup.names)
    return tuple(Player(seat, place.name, place.token, letters[seat]) for seat, place in enumerate(setup.seats))


def seated(seats: Iterable[Seat]) -> list[Player]:
    """The players of stored seats, for pages that read no log."""
    rows = list(seats)
    names = [called(row.name) for row in rows]
    looks = zip(rows, names, letters_of(names), strict=True)
    return [Player(row.number, name, row.token, sign) for row, name, sign in looks]


def names_of(game: Game) -> list[str]:
    """The players of a game, by seat, for pages that read no log."""
    return [player.name for player in seated(game.seats.order_by("number"))]


def letters_of(names: Sequence[str]) -> list[str]:
    """The first letter of each name; where players share it also the first letter that tells them apart.

    Anna, Ada and Anton are An, Ad and At; a number only tells apart what no letter does.
    """
    possible = [_possible(name) for name in names]
    found: dict[int, str] = {}
    for place in zip_longest(*possible):
        asked = {seat: sign for seat, sign in enumerate(place) if sign is not None and seat not in found}
        taken = [*found.values(), *asked.values()]
        found |= {seat: sign for seat, sign in asked.items() if taken.count(sign) == 1}
    for seat, (letter, *longer) in enumerate(possible):
        if seat not in found:
            free = [*longer, letter, f"{letter}{seat + 1}"]
            found[seat] = next((sign for sign in free if sign not in found.values()), free[-1])
    return [found[seat] for seat in range(len(names))]


def _possible(name: str) -> list[str]:
    """What may stand on a token: the first letter of a name, then the same with each later one."""
    letter = name[:1].upper()[:1]
    return [letter, *(letter + mark.lower()[:1] for mark in name[1:] if _is_read(mark))]


def _is_read(mark: str) -> bool:
    """Whether a character can stand on a token: no space, no dash, no accent or skin tone of its own."""
    return unicodedata.category(mark)[0] not in "ZPMC" and unicodedata.category(mark) != "Sk"


AROUND = {
    2: ("n", "me"),
    3: ("w", "e", "me"),
    4: ("w", "n", "e", "me"),
    5: ("w", "nw", "ne", "e", "me"),
}
"""Where the seats are around the table, clockwise from the reader's left neighbour, by the number of players."""


class WithSpace:
    """What shows a space of the board."""

    space: str

    @property
    def value(self) -> str:
        """The text of a points space: its number with a typographic minus."""
        return self.space.replace("-", "−")


@dataclass(frozen=True)
class ConditionView(WithSpace):
    """A chip of the strip of conditions."""

    row: str
    space: str
    text: str
    caption: str
    player: Player | None = None


def condition_views(state: PublicState, of: Round | FinishedRound) -> list[ConditionView]:
    """The strip of conditions of a settled round."""
    if of.conditions is None:
        return []
    players, names = players_of(state.setup), state.setup.names
    return [
        ConditionView(
            row=row.value,
            space=space,
            text=words.plain(words.settled(row, space, state.ruleset, names)),
            caption=words.caption(row, space),
            player=players[int(space)] if row is RowKey.START else None,
        )
        for row, space in words.condition_spaces(of.conditions).items()
    ]


@dataclass(frozen=True)
class TeamView:
    """A team: its players and which of them holds the monster."""

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

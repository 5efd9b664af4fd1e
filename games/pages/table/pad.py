"""The forms of a whole round for an offline phone, with every choice that the rules could allow."""

from __future__ import annotations

from dataclasses import dataclass

from games.pages.parts.players import Player, players_of
from games.rules import PublicState
from games.rules.teams import PLAYERS_WITH_MONSTER
from games.texts import words

MOST_CAPTURED_AT_ONCE = 3
"""Buttons for more captured cards in one trick would be smaller than a thumb; a tally takes any number."""


@dataclass(frozen=True)
class Pad:
    """The choices of a round, the same in every round.  `tricks`: the most that a round can have."""

    players: tuple[Player, ...]
    names_teams: bool
    has_monster: bool
    tricks: int
    captured_most: int
    captures: list[int]
    capturable: str
    capturable_plural: str


def pad_of(state: PublicState) -> Pad:
    """The pad of a game."""
    return Pad(
        players=players_of(state.setup),
        names_teams=state.players > 2,
        has_monster=state.players in PLAYERS_WITH_MONSTER,
        tricks=state.ruleset.dealt,
        captured_most=state.ruleset.edition.capturable_cards,
        captures=list(range(1, MOST_CAPTURED_AT_ONCE + 1)),
        capturable=words.capturable(state.ruleset),
        capturable_plural=words.capturable_plural(state.ruleset),
    )

"""The forms of a whole round for an offline phone, with every choice that the rules could allow."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext as _

from games.pages.parts.players import Player, players_of
from games.rules import PublicState
from games.rules.editions import RowKey
from games.rules.scoring import TallyBounds
from games.rules.teams import PARTNERS_ALLOWED, PLAYERS_WITH_MONSTER, Teams
from games.texts import words

MOST_CAPTURED_AT_ONCE = 3
"""Buttons for more captured cards in one trick would be smaller than a thumb; a tally takes any number."""


@dataclass(frozen=True)
class Pad:
    """The choices of a round, the same in every round.  `tricks`: the most that a round can have.

    `partners`: how many the start player may have.  `rounds`: for each open space of the row `discard` the tricks of
    the round and the fewest captured cards, “discard_1:11:0 …”.
    """

    players: tuple[Player, ...]
    names_teams: bool
    partners: str
    partners_hint: str
    has_monster: bool
    tricks: int
    rounds: str
    captured_most: int
    captures: list[int]
    capturable: str
    capturable_plural: str


def pad_of(state: PublicState) -> Pad:
    """The pad of a game."""
    return Pad(
        players=players_of(state.setup),
        names_teams=state.players > 2,
        partners=" ".join(map(str, PARTNERS_ALLOWED[state.players])),
        partners_hint=_partners_hint(state.players),
        has_monster=state.players in PLAYERS_WITH_MONSTER,
        tricks=state.ruleset.dealt,
        rounds=" ".join(_round(state, discard) for discard in state.ruleset.edition.spaces[RowKey.DISCARD]),
        captured_most=state.ruleset.edition.capturable_cards,
        captures=list(range(1, MOST_CAPTURED_AT_ONCE + 1)),
        capturable=words.capturable(state.ruleset),
        capturable_plural=words.capturable_plural(state.ruleset),
    )


def _partners_hint(players: int) -> str:
    if players == 5:
        return _("Choose one partner or two.")
    return _("Choose one partner.") if players == 4 else _("Nobody chosen: the start player plays alone.")


def _round(state: PublicState, discard: str) -> str:
    # The fewest captured cards are the same for all teams.
    teams = Teams((0,), tuple(range(1, state.players)), None)
    bounds = TallyBounds.of(state.ruleset, teams, discard=discard)
    return f"{discard}:{bounds.tricks}:{bounds.captured_least}"

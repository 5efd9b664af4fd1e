"""The question to the start player: partners, and who holds the monster.

Knows: the choices as a page asks for them, one tap after the other.  Must not know: markup.
"""

from __future__ import annotations

from dataclasses import dataclass

from games.pages.parts.players import Player, players_of
from games.rules import PublicState
from games.rules.teams import PLAYERS_WITH_MONSTER, choices


@dataclass(frozen=True)
class PartnerChoice:
    """A way to name partners.  `monsters`: who may hold the monster; empty where there is none."""

    partners: list[Player]
    rest: list[Player]
    monsters: list[Player]
    value: str

    @property
    def needs_monster(self) -> bool:
        """Whether a second question has to be asked."""
        return len(self.monsters) > 1

    @property
    def tap(self) -> str:
        """The team as one tap sends it, where nothing more has to be asked: partners, then who holds the monster."""
        return f"{self.value}:{self.monsters[0].seat if self.monsters else ''}"


@dataclass(frozen=True)
class TeamsView:
    """The question to the start player."""

    start: Player
    choices: list[PartnerChoice]
    chosen: PartnerChoice | None
    starts: list[Player]
    free_start: int | None


def teams_view(state: PublicState, *, partners: str = "", start: int | None = None) -> TeamsView:
    """The start player's choices; `partners`: the ones tapped so far, as seats joined by “-”."""
    assert state.current is not None, "teams are named while a round is played"
    assert state.current.conditions is not None, "teams are named on a settled board"
    settled = state.current.conditions.start
    free = not state.ruleset.options.start_row
    named = start if free and start is not None and 0 <= start < state.players else settled
    players = players_of(state.setup)
    found: dict[tuple[int, ...], PartnerChoice] = {}
    for teams in choices(players=state.players, start=named):
        chosen = tuple(seat for seat in teams.own if seat != named)
        monsters = [players[seat] for seat in teams.smaller] if state.players in PLAYERS_WITH_MONSTER else []
        found[chosen] = PartnerChoice(
            partners=[players[seat] for seat in chosen],
            rest=[players[seat] for seat in teams.other],
            monsters=monsters,
            value="-".join(map(str, chosen)) or "alone",
        )
    return TeamsView(
        start=players[named],
        choices=list(found.values()),
        chosen=next((choice for choice in found.values() if choice.value == partners), None),
        starts=players if free else [],
        free_start=None if named == settled else named,
    )

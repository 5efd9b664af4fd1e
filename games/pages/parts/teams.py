"""The start player's choice of partners and of who holds the monster, one tap after the other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from games.pages.parts.players import Player, players_of
from games.rules import PublicState
from games.rules.teams import PLAYERS_WITH_MONSTER, choices


@dataclass(frozen=True)
class PartnerChoice:
    """A choice of partners.  `monsters`: who may hold the monster, empty if there is none."""

    partners: list[Player]
    rest: list[Player]
    monsters: list[Player]
    value: str

    @property
    def needs_monster(self) -> bool:
        """Whether the start player has to choose who holds the monster."""
        return len(self.monsters) > 1

    @property
    def tap(self) -> str:
        """The team as one tap sends it, if there is no second choice: partners, then who holds the monster."""
        return f"{self.value}:{self.monsters[0].seat if self.monsters else ''}"


@dataclass(frozen=True)
class TeamsView:
    """The start player's choices as the page shows them.  `leader`: who leads the first trick."""

    start: Player
    leader: Player
    choices: list[PartnerChoice]
    chosen: PartnerChoice | None
    starts: Sequence[Player]
    free_start: int | None

    @property
    def has_pairs(self) -> bool:
        """Whether two partners may be picked."""
        return any(len(choice.partners) == 2 for choice in self.choices)

    @property
    def asks_monster(self) -> bool:
        """Whether the partners are chosen and the holder of the monster is not."""
        return self.chosen is not None and self.chosen.needs_monster


def teams_view(state: PublicState, *, partners: str = "", start: int | None = None) -> TeamsView:
    """The start player's choices; `partners`: the ones tapped so far, as seats joined by “-”."""
    assert state.current is not None, "teams are named while a round is played"
    assert state.current.conditions is not None, "teams are named on a settled board"
    conditions, players = state.current.conditions, players_of(state.setup)
    free = not state.ruleset.options.start_row
    named = start if free and start is not None and 0 <= start < state.players else conditions.start
    found = partner_choices(state, named)
    return TeamsView(
        start=players[named],
        leader=players[replace(conditions, start=named).first_leader],
        choices=found,
        chosen=next((choice for choice in found if choice.value == partners), None),
        starts=players if free else (),
        free_start=None if named == conditions.start else named,
    )


def partner_choices(state: PublicState, start: int) -> list[PartnerChoice]:
    """Every way in which the start player may name partners."""
    players = players_of(state.setup)
    has_monster = state.players in PLAYERS_WITH_MONSTER
    # Teams that differ only in who holds the monster are one choice.
    found: dict[tuple[int, ...], PartnerChoice] = {}
    for teams in choices(players=state.players, start=start):
        partners = tuple(seat for seat in teams.own if seat != start)
        found[partners] = PartnerChoice(
            partners=[players[seat] for seat in partners],
            rest=[players[seat] for seat in teams.other],
            monsters=[players[seat] for seat in teams.smaller] if has_monster else [],
            value="-".join(map(str, partners)) or "alone",
        )
    return list(found.values())

"""Partnerships and the monster (RULES.md section 3.3)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from games.rules.errors import (
    MonsterInLargerTeam,
    MonsterMissing,
    MonsterNotUsed,
    OwnPartner,
    PartnerTwice,
    UnknownSeat,
    WrongTeamSize,
)

PARTNERS_ALLOWED: dict[int, tuple[int, ...]] = {2: (0,), 3: (0, 1), 4: (1,), 5: (1, 2)}
"""How many partners the start player takes, by the number of players."""

PLAYERS_WITH_MONSTER = frozenset({3, 5})


@dataclass(frozen=True, slots=True)
class Teams:
    """The two teams of a round, each sorted by seat; `own` is the start player's."""

    own: tuple[int, ...]
    other: tuple[int, ...]
    monster: int | None

    @classmethod
    def of(cls, *, players: int, start: int, partners: Sequence[int], monster: int | None) -> Teams:
        """The teams that the start player names.

        Errors: `UnknownSeat`, `OwnPartner`, `PartnerTwice`, `WrongTeamSize`, `MonsterNotUsed`, `MonsterMissing`,
        `MonsterInLargerTeam`.
        """
        for seat in partners:
            if not 0 <= seat < players:
                raise UnknownSeat(seat=seat)
            if seat == start:
                raise OwnPartner(seat=seat)
            if list(partners).count(seat) > 1:
                raise PartnerTwice(seat=seat)
        allowed = PARTNERS_ALLOWED[players]
        if len(partners) not in allowed:
            raise WrongTeamSize(players=players, partners=len(partners), allowed="–".join(map(str, allowed)))
        own = tuple(sorted((start, *partners)))
        other = tuple(seat for seat in range(players) if seat not in own)
        teams = cls(own, other, monster)
        if players not in PLAYERS_WITH_MONSTER:
            if monster is not None:
                raise MonsterNotUsed(players=players, monster=monster)
            return teams
        if monster is None:
            raise MonsterMissing(allowed=list(teams.smaller))
        if not 0 <= monster < players:
            raise UnknownSeat(seat=monster)
        if monster not in teams.smaller:
            raise MonsterInLargerTeam(seat=monster, allowed=list(teams.smaller))
        return teams

    @property
    def smaller(self) -> tuple[int, ...]:
        """The team with fewer players (the start player's if they are equal)."""
        return self.own if len(self.own) <= len(self.other) else self.other

    @property
    def players(self) -> int:
        """How many players the two teams have."""
        return len(self.own) + len(self.other)

    def team_of(self, seat: int) -> tuple[int, ...]:
        """The team that a seat plays in."""
        return self.own if seat in self.own else self.other

    def opponents_of(self, seat: int) -> tuple[int, ...]:
        """The team that a seat plays against."""
        return self.other if seat in self.own else self.own

    def weight(self, seat: int) -> int:
        """How often the tricks and captures of a seat count: the monster doubles them."""
        return 2 if seat == self.monster else 1


def choices(*, players: int, start: int) -> tuple[Teams, ...]:
    """Every way in which the start player may name the teams and hand out the monster.

    Different partnerships: 1, 3, 3, 10 with 2, 3, 4, 5 players; each once for each possible holder of the monster.
    """
    others = [seat for seat in range(players) if seat != start]
    found = []
    for size in PARTNERS_ALLOWED[players]:
        for partners in combinations(others, size):
            own = tuple(sorted((start, *partners)))
            rest = tuple(seat for seat in range(players) if seat not in own)
            smaller = own if len(own) < len(rest) else rest
            holders: tuple[int | None, ...] = smaller if players in PLAYERS_WITH_MONSTER else (None,)
            found += [Teams(own, rest, holder) for holder in holders]
    return tuple(found)

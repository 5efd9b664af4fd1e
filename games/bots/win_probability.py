"""The value of a result of the round: the change in the probability to win the game.

Must not know: cards.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from random import Random

from games.bots.playout import sides_of
from games.rules.redaction import PlayerView
from games.rules.teams import Teams, choices

SCALES = {2: 9.0, 3: 10.0, 4: 5.0, 5: 7.0}
"""The scale in points of the softmax that turns totals into probabilities to win, by the number of players.

It is multiplied by the root of the rounds that follow.  Fitted by maximum likelihood to 250 games each of easy bots
with the 60 cards.
"""

POINT = 0.02
"""The value of a point beside the victory: a game that is decided is still played for points."""

LEAST_POINT_VALUE = 0.5
"""The least value of a point.  In a nearly decided game a small chance to win would outweigh everything else."""

USUAL = 20
"""The number of points by which a round is usually won."""


@dataclass(frozen=True, slots=True)
class Standing:
    """The totals before a round, one of them the seat's own, and how many rounds follow it."""

    seat: int
    totals: tuple[int, ...]
    after: int

    @classmethod
    def of(cls, view: PlayerView) -> Standing:
        """The standing as the player of a view reads it."""
        public = view.public
        assert public.current is not None, "only a game that is not finished has a round"
        assert view.seat is not None, "a spectator decides nothing"
        options = public.ruleset.options
        after = options.rounds - public.current.number
        if options.target is not None:
            after = min(after, (options.target - max(public.totals)) // USUAL)
        return cls(view.seat, public.totals, max(0, after))

    def worth(self, side: tuple[int, ...], lead: int) -> float:
        """The value of a round that the start player's team ends with this lead, in about points."""
        return _worth(self.totals, self.after, self.seat, side, lead)

    def lead(self, side: tuple[int, ...], lead: int) -> int:
        """By how many points the own team wins a round that the start player's team ends with this lead."""
        return lead if side[self.seat] else -lead

    def chance(self, side: tuple[int, ...], lead: int) -> float:
        """The probability to win the game after a round that the start player's team ends with this lead."""
        return _chance(self.totals, self.after, self.seat, side, lead)

    def point_value(self) -> float:
        """The value of one point against each other player, averaged over possible partners."""
        gains = []
        for teams in choices(players=len(self.totals), start=self.seat):
            side, share = sides_of(teams, 1).side, len(teams.other) / (len(self.totals) - 1)
            gains.append((self.worth(side, USUAL) - self.worth(side, -USUAL)) / (2 * USUAL * share))
        return sum(gains) / len(gains)

    def in_points(self, worth: float, *, least: float = LEAST_POINT_VALUE) -> float:
        """A difference of worths, in points of the game.  `least`: the least value of a point."""
        return worth / max(self.point_value(), least)

    def likely_teams(self, start: int, rng: Random) -> Teams:
        """Teams as a start player may name them: rather with a partner whose gain does not harm."""
        found, weights = _likely_teams(self.totals, self.after, start)
        return rng.choices(found, weights)[0]


@lru_cache(maxsize=16384)
def _worth(totals: tuple[int, ...], after: int, seat: int, side: tuple[int, ...], lead: int) -> float:
    share = side.count(1 - side[seat]) / (len(side) - 1)
    points = share * (lead if side[seat] else -lead)
    return 4 * _scale(len(totals), after) * _chance(totals, after, seat, side, lead) + POINT * points


def _chance(totals: tuple[int, ...], after: int, seat: int, side: tuple[int, ...], lead: int) -> float:
    ends = [total + lead * mine for total, mine in zip(totals, side, strict=True)]
    most, own = max(ends), ends[seat]
    if not after:
        return (own == most) / ends.count(most)
    scale = _scale(len(totals), after)
    return math.exp((own - most) / scale) / sum(math.exp((end - most) / scale) for end in ends)


def _scale(players: int, after: int) -> float:
    """The scale of the softmax; in the last round that of a point."""
    return SCALES[players] * math.sqrt(after or 1)


@lru_cache(maxsize=64)
def _likely_teams(totals: tuple[int, ...], after: int, start: int) -> tuple[tuple[Teams, ...], tuple[float, ...]]:
    found = choices(players=len(totals), start=start)
    worths = [_worth(totals, after, start, sides_of(teams, 1).side, USUAL) for teams in found]
    best = {
        len(teams.own): max(
            worth for other, worth in zip(found, worths, strict=True) if len(other.own) == len(teams.own)
        )
        for teams in found
    }
    return found, tuple(
        math.exp((worth - best[len(teams.own)]) / 3) for teams, worth in zip(found, worths, strict=True)
    )

"""What the markers of one game say: who blocked what against whom, who decided a row, what each points value and each
monster contributed.

Knows: the facts of completed rounds, and the spaces of the rows.  Must not know: hands, cards, names, words.

Only what the log states is counted.  A player's wish is derived in two ways:

- A marker on a token keeps its owner from starting and from naming the teams.
- A player who has covered two or more spaces of a row wants one of the open ones.  A later marker of another player on
  such a space is a **block** against them.  One covered space of five says too little, and no row has enough markers
  for the wishes of two players.

The last marker of a row **decides** it: its player covers one of two open spaces and leaves the other.  A row that was
entered in one go has no last marker.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Self

from games.groups.statistics.facts import RoundFacts
from games.rules import RowKey, Ruleset

WISH = 2
"""The number of covered spaces of a row that shows a wish for the others."""


@dataclass(frozen=True, slots=True)
class Block:
    """A marker of `seat` on a space that the player `against` wanted open."""

    number: int
    seat: int
    row: str
    space: str
    against: int


@dataclass(frozen=True, slots=True)
class LastMarker:
    """The last marker of a row: `seat` covered one space and left the other open."""

    number: int
    seat: int
    row: str
    covered: str
    left: str


@dataclass(frozen=True, slots=True)
class Stake:
    """The rounds with one points value, and the points of each seat in them together.

    `left_by`: the round and the seat of each last marker of the row that is known.
    """

    points: int
    rounds: int
    scored: tuple[int, ...]
    left_by: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class MonsterEffect:
    """What doubling one player's tricks and captures contributed to the score of their team, in one round.

    `contributed` is below 0 at −2 points.  `gap`: by how much the team scored more than the other.  `partner`: the
    other member, where the start player had a choice; `with_partner`: the contribution with the partner as holder.
    """

    number: int
    holder: int
    contributed: int
    gap: int
    partner: int | None
    with_partner: int | None

    @property
    def without(self) -> int:
        """By how much the team would have scored more than the other without it."""
        return self.gap - self.contributed

    @property
    def turned(self) -> bool:
        """Whether without it another team, or no team, would have won the round."""
        return (self.gap > 0) - (self.gap < 0) != (self.without > 0) - (self.without < 0)


@dataclass(frozen=True, slots=True)
class GamePlacements:
    """What the markers of a game say.

    `rounds`: all that are complete; `placed`: those of which every marker was recorded.  `tokens[seat][owner]`: markers
    of a seat on a token, their own among them.  `ends`: how often a row was the last one to be decided.
    """

    rounds: int
    placed: int
    markers: int
    tokens: tuple[tuple[int, ...], ...]
    blocks: tuple[Block, ...]
    last_markers: tuple[LastMarker, ...]
    ends: Mapping[str, int] = field(hash=False)
    stakes: tuple[Stake, ...]
    monster_effects: tuple[MonsterEffect, ...]

    @classmethod
    def of(cls, ruleset: Ruleset, rounds: Sequence[RoundFacts]) -> Self:
        """What the markers of these rounds say."""
        last_markers = [marker for played in rounds for marker in _last_markers(ruleset, played)]
        by_round = Counter(marker.number for marker in last_markers)
        whole = {number for number, decided in by_round.items() if decided == len(ruleset.rows)}
        tokens = Counter(
            (seat, int(space))
            for played in rounds
            for seat, row, space in played.placements
            if row == RowKey.START.value
        )
        seats = range(ruleset.players)
        return cls(
            rounds=len(rounds),
            placed=len(whole),
            markers=sum(len(played.placements) for played in rounds),
            tokens=tuple(tuple(tokens[seat, owner] for owner in seats) for seat in seats),
            blocks=tuple(chain.from_iterable(map(_blocks, rounds))),
            last_markers=tuple(last_markers),
            ends=Counter(played.placements[-1][1] for played in rounds if played.number in whole),
            stakes=_stakes(ruleset, rounds, last_markers),
            monster_effects=tuple(chain.from_iterable(map(_monster_effects, rounds))),
        )


def _blocks(played: RoundFacts) -> list[Block]:
    covers: Counter[tuple[int, str]] = Counter()
    found = []
    for seat, row, space in played.placements:
        if row != RowKey.START.value:
            found += [
                Block(played.number, seat, row, space, other)
                for other in range(len(played.raw))
                if other != seat and covers[other, row] >= WISH
            ]
        covers[seat, row] += 1
    return found


def _last_markers(ruleset: Ruleset, played: RoundFacts) -> list[LastMarker]:
    """The last markers of the rows of a round, in the order of play."""
    left: Mapping[str, object] = {**played.conditions}
    found, covers = [], Counter[str]()
    for seat, row, space in played.placements:
        covers[row] += 1
        if covers[row] == len(ruleset.spaces(RowKey(row))) - 1:
            found.append(LastMarker(played.number, seat, row, space, str(left[row])))
    return found


def _stakes(ruleset: Ruleset, rounds: Sequence[RoundFacts], last_markers: Sequence[LastMarker]) -> tuple[Stake, ...]:
    """By points value, in the order of the board; values without a round are left out."""
    found = []
    for points in map(int, ruleset.spaces(RowKey.POINTS)):
        played = [each for each in rounds if each.conditions["points"] == points]
        left_by = [
            (marker.number, marker.seat)
            for marker in last_markers
            if marker.row == RowKey.POINTS.value and int(marker.left) == points
        ]
        if played:
            scored = tuple(map(sum, zip(*(each.points for each in played), strict=True)))
            found.append(Stake(points, len(played), scored, tuple(left_by)))
    return tuple(found)


def _monster_effects(played: RoundFacts) -> list[MonsterEffect]:
    holder = played.monster
    if holder is None:
        return []

    def worth(seat: int) -> int:
        return played.conditions["points"] * (played.tricks[seat] + played.captured[seat])

    partner = next((seat for seat in played.team_of(holder) if seat != holder), None)
    return [
        MonsterEffect(
            number=played.number,
            holder=holder,
            contributed=worth(holder),
            gap=played.gap(holder),
            partner=partner,
            with_partner=None if partner is None else worth(partner),
        )
    ]

"""Round and game scores, their derivation, and what a scorekeeper can check (RULES.md section 5).

Must not know: how tricks were recorded.

Every figure by seat is a tuple with one whole number for each player.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from games.rules.editions import EXCHANGES
from games.rules.errors import (
    CapturedSumTooLarge,
    CapturedSumTooSmall,
    CapturedWithoutTrick,
    NegativeCount,
    TooManyCaptured,
    WrongTallyLength,
    WrongTrickSum,
)
from games.rules.options import CapturedFrom, ScoreRecord
from games.rules.ruleset import Ruleset
from games.rules.teams import Teams


@dataclass(frozen=True, slots=True)
class Won:
    """What a player has won in a round: tricks, and captured cards, counted apart."""

    tricks: int = 0
    captured: int = 0

    @property
    def counted(self) -> int:
        """What the formula multiplies."""
        return self.tricks + self.captured

    def plus(self, *, tricks: int, captured: int) -> Won:
        """The count with these tricks and captured cards added."""
        return Won(self.tricks + tricks, self.captured + captured)


@dataclass(frozen=True, slots=True)
class TallyBounds:
    """What the figures of a round can be.

    `tricks`: the sum of all tricks, exactly.  `captured_per_trick`: by seat, the most that one trick can bring.
    `captured_least`, `captured_most`: the sum of all captures.
    """

    tricks: int
    captured_per_trick: tuple[int, ...]
    captured_least: int
    captured_most: int

    @classmethod
    def of(cls, ruleset: Ruleset, teams: Teams, *, discard: str) -> TallyBounds:
        """The bounds of a round with these teams and this open space in the row `discard`."""
        edition, players = ruleset.edition, ruleset.players
        least = 0
        if ruleset.options.captured_from is CapturedFrom.EVERYONE:
            per_trick = (players,) * players
            # Every card that is discarded or lies aside, unseen, may be a capturable one.
            least = max(0, edition.capturable_cards - players * EXCHANGES[discard].discarded - ruleset.aside)
        else:
            per_trick = tuple(len(teams.opponents_of(seat)) for seat in range(players))
        return cls(
            tricks=ruleset.tricks(discard),
            captured_per_trick=per_trick,
            captured_least=least,
            captured_most=edition.capturable_cards,
        )

    def check(self, tricks: Sequence[int], captured: Sequence[int]) -> None:
        """Refuse figures that no round can have.

        Errors: `WrongTallyLength`, `NegativeCount`, `WrongTrickSum`, `CapturedWithoutTrick`, `TooManyCaptured`,
        `CapturedSumTooLarge`, `CapturedSumTooSmall`.
        """
        players = len(self.captured_per_trick)
        if len(tricks) != players or len(captured) != players:
            raise WrongTallyLength(players=players)
        if min(*tricks, *captured) < 0:
            raise NegativeCount(tricks=list(tricks), captured=list(captured))
        if sum(tricks) != self.tricks:
            missing = self.tricks - sum(tricks)
            raise WrongTrickSum(sum=sum(tricks), tricks=self.tricks, missing=missing)
        for seat, (won, taken, each) in enumerate(zip(tricks, captured, self.captured_per_trick, strict=True)):
            if taken and not won:
                raise CapturedWithoutTrick(seat=seat, captured=taken)
            if taken > won * each:
                raise TooManyCaptured(seat=seat, captured=taken, most=won * each)
        if sum(captured) > self.captured_most:
            raise CapturedSumTooLarge(sum=sum(captured), most=self.captured_most)
        if sum(captured) < self.captured_least:
            raise CapturedSumTooSmall(sum=sum(captured), least=self.captured_least)

    def captures_of_next_trick(self, *, seat: int, tricks_so_far: int, captured_so_far: int) -> tuple[int, int]:
        """The least and the most that a seat can capture in the next trick.

        The least is above 0 only where the cards still missing would no longer fit into the tricks to come.
        """
        most = min(self.captured_per_trick[seat], self.captured_most - captured_so_far)
        tricks_after = self.tricks - tricks_so_far - 1
        later = tricks_after * max(self.captured_per_trick)
        return max(0, self.captured_least - captured_so_far - later), most


@dataclass(frozen=True, slots=True)
class MemberLine:
    """A member's share in the score of a team."""

    seat: int
    won: Won
    weight: int


@dataclass(frozen=True, slots=True)
class TeamScore:
    """A team's score of a round, with what it was made of."""

    members: tuple[MemberLine, ...]
    points_per_trick: int

    @property
    def total(self) -> int:
        """Points per trick × Σ over members of weight × (tricks + captured)."""
        return self.points_per_trick * sum(member.weight * member.won.counted for member in self.members)

    @property
    def formula(self) -> str:
        """The score as the rulebook spells it out: “(7 + 3) × 2 = 20”, “(3 × 2) + (3 × 2) × 2 = 18”."""
        times = signed(self.points_per_trick, bracketed=True)
        if all(member.weight == 1 for member in self.members):
            tricks = sum(member.won.tricks for member in self.members)
            captured = sum(member.won.captured for member in self.members)
            left = f"({tricks} + {captured}) × {times}"
        elif len(self.members) == 1:
            won = self.members[0].won
            left = f"({won.tricks} + {won.captured}) × {times} × {self.members[0].weight}"
        else:
            # The holder of the monster comes last, as in the rulebook's example.
            ordered = sorted(self.members, key=lambda member: member.weight)
            terms = (
                f"({member.won.counted} × {times})" + (f" × {member.weight}" if member.weight > 1 else "")
                for member in ordered
            )
            left = " + ".join(terms)
        return f"{left} = {signed(self.total)}"


@dataclass(frozen=True, slots=True)
class RoundScore:
    """The scores of a round.  `raw`: by seat, the team score; `points`: by seat, what is written on the sheet."""

    own: TeamScore
    other: TeamScore
    raw: tuple[int, ...]
    points: tuple[int, ...]

    @property
    def difference_formula(self) -> str:
        """How the gap between the teams was found: “20 − 18 = 2”."""
        high, low = max(self.raw), min(self.raw)
        return f"{signed(high)} − {signed(low, bracketed=True)} = {signed(high - low)}"


def score_round(
    *, teams: Teams, points_per_trick: int, won: Sequence[Won], record: ScoreRecord = ScoreRecord.FULL
) -> RoundScore:
    """The score of a round in which each seat won so much."""

    def team_score(team: Sequence[int]) -> TeamScore:
        lines = tuple(MemberLine(seat, won[seat], teams.weight(seat)) for seat in team)
        return TeamScore(lines, points_per_trick)

    own, other = team_score(teams.own), team_score(teams.other)
    raw = tuple(own.total if seat in teams.own else other.total for seat in range(teams.players))
    points = raw
    if record is ScoreRecord.DIFFERENCE:
        lowest = min(own.total, other.total)
        points = tuple(score - lowest for score in raw)
    return RoundScore(own, other, raw, points)


def leaders(totals: Sequence[int]) -> tuple[int, ...]:
    """The seats with the highest total: equal totals share the victory."""
    return tuple(seat for seat, total in enumerate(totals) if total == max(totals))


def ranks(totals: Sequence[int]) -> tuple[int, ...]:
    """Each seat's place, from 1 on: one more than the number of players with a higher total."""
    return tuple(1 + sum(other > total for other in totals) for total in totals)


def signed(number: int, *, bracketed: bool = False) -> str:
    """A number with the typographic minus, in brackets inside a formula if it is negative."""
    text = f"−{-number}" if number < 0 else str(number)
    return f"({text})" if bracketed and number < 0 else text

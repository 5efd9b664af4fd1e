"""The sheet of an old game, as it stands on paper: points by round, or totals alone (RULES.md section 7.5).

Must not know: how the points came about.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from games.rules.errors import PaperFigureTooLarge, PaperLineIncomplete, PaperTooLong
from games.rules.options import MOST_ROUNDS

LARGEST_OF_ROUND = 999
LARGEST_TOTAL = 9_999


@dataclass(frozen=True, slots=True)
class PaperSheet:
    """`lines`: the points by seat, a line for each round; not `by_round`: one line, the totals."""

    lines: tuple[tuple[int, ...], ...]
    by_round: bool

    @classmethod
    def of(cls, lines: Sequence[Sequence[int]], *, by_round: bool, players: int) -> Self:
        """A checked sheet.

        Errors: `PaperTooLong`, `PaperLineIncomplete`, `PaperFigureTooLarge`.
        """
        most, largest = (MOST_ROUNDS, LARGEST_OF_ROUND) if by_round else (1, LARGEST_TOTAL)
        if not 1 <= len(lines) <= most:
            raise PaperTooLong(most=most)
        for number, line in enumerate(lines, start=1):
            if len(line) != players:
                raise PaperLineIncomplete(line=number, players=players)
            for seat, figure in enumerate(line):
                if abs(figure) > largest:
                    raise PaperFigureTooLarge(line=number, seat=seat, most=largest)
        return cls(tuple(map(tuple, lines)), by_round)

    @property
    def rounds(self) -> int:
        """How many rounds the sheet tells of."""
        return len(self.lines) if self.by_round else 0

    @property
    def totals(self) -> tuple[int, ...]:
        """The last line, by seat."""
        return tuple(map(sum, zip(*self.lines, strict=True)))

"""What a record holds, and the words that writer and parser share (`NOTATION.md`).

Must not know: how a record is laid out.
"""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime

from games.rules.actions import Action
from games.rules.errors import WrongType
from games.rules.occasion import Occasion
from games.rules.paper import PaperSheet
from games.rules.public import PublicState
from games.rules.setup import Setup

FORMAT = "njet 1"
"""What the first tag says.  The number changes when a text of before would be read as another game."""

LONGEST_TEXT = 250_000
"""Characters.  A game of 99 rounds with every marker and trick has about 95,000; with all cards twice that."""

DIGITAL = "digital"
OPEN = "open"
"""The mode of a game whose cards the app dealt; without the tag they were on a real table."""

UNFINISHED = "unfinished"
"""The result of a game that is not at its end."""

_TIME = re.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z")


@dataclass(frozen=True, slots=True)
class Record:
    """A game as a record holds it: set-up, the actions that count, when it began and ended, its group, its occasion.

    `actions`: effective actions in order, with undo and corrections already resolved; `seats`: who acted, one for each
    action, where several were due at once (None elsewhere; empty: nowhere).
    `began`, `ended`: UTC, ISO 8601, seconds (“2026-11-21T18:02:11Z”); None: unknown.
    `occasion`: what else is stated of it; its beginning is `began`.
    `source`: the id of the game that the record was written from, kept so that a second export is the same.
    Errors: `WrongType` for a time that is written otherwise.
    """

    setup: Setup
    actions: tuple[Action, ...]
    began: str | None = None
    ended: str | None = None
    group: str | None = None
    source: str | None = None
    seats: tuple[int | None, ...] = ()
    occasion: Occasion = field(default_factory=Occasion)

    @property
    def moves(self) -> tuple[tuple[Action, int | None], ...]:
        """The actions with the seats that they say."""
        return tuple(zip(self.actions, self.seats or (None,) * len(self.actions), strict=True))

    def __post_init__(self) -> None:
        for name, at in (("began", self.began), ("ended", self.ended)):
            if at is not None and not is_time(at):
                raise WrongType(field=name, expected="time_in_utc")


_PAPER = re.compile("(rounds|totals) (-?[0-9]{1,9}(?:,? -?[0-9]{1,9})*)")


def paper_to_text(paper: PaperSheet) -> str:
    """A sheet from paper as its tag states it: “rounds 10 0 -4, 0 7 5” or “totals 42 17 30”, by seat."""
    lines = ", ".join(" ".join(map(str, line)) for line in paper.lines)
    return f"{'rounds' if paper.by_round else 'totals'} {lines}"


def paper_from_text(text: str) -> PaperSheet | None:
    """Read that; None for what is something else.  The set-up checks the figures."""
    found = _PAPER.fullmatch(text)
    if found is None:
        return None
    lines = tuple(tuple(map(int, line.split())) for line in found[2].split(","))
    return PaperSheet(lines, by_round=found[1] == "rounds")


def is_time(text: str) -> bool:
    """Whether a text is a time of the calendar, to the second, in UTC."""
    if _TIME.fullmatch(text) is None:
        # `strptime` also takes digits of other scripts, and fewer of them.
        return False
    with suppress(ValueError):
        datetime.strptime(text, "%Y-%m-%dT%H:%M:%SZ")
        return True
    return False


def result_of(state: PublicState) -> str:
    """The result as its tag states it: the totals, best first; equal totals by seat."""
    if not state.is_over:
        return UNFINISHED
    totals = state.totals
    order = sorted(range(state.players), key=lambda seat: (-totals[seat], seat))
    return ", ".join(f"{state.setup.seats[seat].token} {totals[seat]}" for seat in order)

"""When, how long and where a game was played, and a note: what people state of it, apart from the game itself.

Must not know: a clock or calendar, what was measured.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from games.rules.errors import MinutesOutOfRange, NoteTooLong, PlaceTooLong, WrongType
from games.rules.text import typed_line

LONGEST_PLAY = 1_440
"""Minutes: a day."""
LONGEST_PLACE = 60
LONGEST_NOTE = 500

_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", re.ASCII)


@dataclass(frozen=True, slots=True)
class Occasion:
    """What is stated of a game; None where what was recorded holds.  `began`: in UTC, “2026-11-21T19:30:00Z”."""

    began: str | None = None
    minutes: int | None = None
    place: str = ""
    note: str = ""

    @classmethod
    def of(cls, *, began: str | None, minutes: int | None, place: str, note: str) -> Occasion:
        """A checked occasion, as it is typed now.

        Errors: `WrongType` for what is no time, `MinutesOutOfRange`, `PlaceTooLong`, `NoteTooLong`.
        """
        place, note = typed_line(place), typed_line(note)
        if began is not None and not _TIME.fullmatch(began):
            raise WrongType(field="began", expected="time_in_utc")
        if minutes is not None and not 1 <= minutes <= LONGEST_PLAY:
            raise MinutesOutOfRange(most=LONGEST_PLAY)
        if len(place) > LONGEST_PLACE:
            raise PlaceTooLong(most=LONGEST_PLACE)
        if len(note) > LONGEST_NOTE:
            raise NoteTooLong(most=LONGEST_NOTE)
        return cls(began, minutes, place, note)

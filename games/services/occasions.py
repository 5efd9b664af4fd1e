"""When a game can have been played."""

from __future__ import annotations

from django.utils import timezone

from games.errors import ImpossibleTime, PlayedLater
from games.formats.document import EARLIEST, LATEST
from games.keys.registry import CLOCK_MAY_DIFFER
from games.log import times
from games.rules.occasion import Occasion


def require_past(occasion: Occasion) -> None:
    """Refuse a game that was played at a time that no clock has shown yet.

    Errors: `PlayedLater`, `ImpossibleTime`.
    """
    if occasion.began is None:
        return
    began = times.from_json("began", occasion.began)
    if began < EARLIEST:
        raise ImpossibleTime(earliest=EARLIEST.year, latest=LATEST.year)
    if began > timezone.now() + CLOCK_MAY_DIFFER:
        raise PlayedLater()

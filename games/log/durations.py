"""How long a game and its rounds took, by the times of its entries (pure).

Must not know: what people state of it (`games/rules/occasion.py`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from games.log.ledger import Ledger

NO_TIME = timedelta()
PAUSE = timedelta(hours=2)
"""A longer time without an entry is no time of play."""


@dataclass(frozen=True, slots=True)
class Durations:
    """Whole minutes, rounded: of the game, and of each round by its number; None where the times say nothing."""

    game: int | None
    rounds: Mapping[int, int]


def durations(ledger: Ledger, times: Mapping[int, datetime]) -> Durations:
    """The durations by the times at which the entries were written, by seq.

    An undone entry is time of play of the round that it was made in; what an amendment inserted has no time of its own.
    """
    of_rounds: dict[int, timedelta] = {}
    rounds = {step.key.seq: step.round_number for step in ledger.replay.applied if not step.key.part}
    number, before, waiting = 1, times.get(1), NO_TIME
    last = max(rounds, default=0)
    for seq in sorted(times):
        if seq > last:
            break
        gap, before = times[seq] - (before or times[seq]), times[seq]
        if NO_TIME < gap <= PAUSE:
            waiting += gap
        if seq in rounds:
            number = rounds[seq]
            of_rounds[number] = of_rounds.get(number, NO_TIME) + waiting
            waiting = NO_TIME
    whole = sum(of_rounds.values(), NO_TIME)
    return Durations(
        game=_minutes(whole) or None,
        rounds={each: _minutes(took) for each, took in of_rounds.items() if _minutes(took)},
    )


def _minutes(took: timedelta) -> int:
    return round(took / timedelta(minutes=1))

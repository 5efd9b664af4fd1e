"""Which rounds both teams have confirmed, and the correction that waits for their confirmation (RULES.md section 7.4).

Must not know: which phone confirmed, whether a table asks for confirmations.

Nothing is stored but what a team confirmed: a confirmation counts while the round has the figures that it names.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from games.rules.errors import NjetError
from games.rules.public import PublicState
from games.rules.replay import ConfirmEntry, CorrectionEntry, Effective, Replay, amended
from games.rules.rounds import FinishedRound


def confirmations(done: FinishedRound, confirms: Iterable[ConfirmEntry]) -> tuple[ConfirmEntry, ...]:
    """The confirmations of a round that count: the latest of each team, the start player's first."""
    latest = {
        each.team: each for each in confirms if (each.round_number, each.figures) == (done.number, done.score.points)
    }
    return tuple(latest[team] for team in (done.teams.own, done.teams.other) if team in latest)


def is_confirmed(done: FinishedRound, confirms: Iterable[ConfirmEntry]) -> bool:
    """Whether both teams have confirmed a round as it is."""
    return len(confirmations(done, confirms)) == 2


def changed_rounds(before: PublicState, after: PublicState, confirms: tuple[ConfirmEntry, ...]) -> tuple[int, ...]:
    """The numbers of the rounds that both teams have confirmed and that are not the same in another state."""
    return tuple(
        done.number
        for done in before.finished
        if done not in after.finished[done.number - 1 : done.number] and is_confirmed(done, confirms)
    )


@dataclass(frozen=True, slots=True)
class PendingCorrection:
    """A correction that waits, with the game as it would be.  `rounds`: those to be confirmed, as corrected."""

    entry: CorrectionEntry
    corrected: Replay
    rounds: tuple[FinishedRound, ...]
    confirms: tuple[ConfirmEntry, ...]

    @property
    def is_confirmed(self) -> bool:
        """Whether both teams have confirmed each of the rounds."""
        return all(is_confirmed(done, self.confirms) for done in self.rounds)


def pending_correction(counting: Effective, replay: Replay, *, seq: int) -> PendingCorrection | None:
    """The correction that waits, None if there is none that is still possible.  `seq`: of the next entry."""
    entry = counting.correction
    if entry is None:
        return None
    try:
        corrected = amended(counting.setup, counting.actions, seq=seq, changes=entry.changes)
    except NjetError:
        return None
    numbers = changed_rounds(replay.state, corrected.state, counting.confirms)
    if not numbers or numbers[-1] > len(corrected.state.finished):
        return None
    rounds = tuple(corrected.state.finished[number - 1] for number in numbers)
    return PendingCorrection(
        entry, corrected, rounds, tuple(each for each in counting.confirms if each.about == entry.seq)
    )

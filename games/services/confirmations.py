"""What both teams of a physical table confirm: the figures of a round, and a correction of what they have confirmed."""

from __future__ import annotations

from games.errors import AlreadyConfirmed, NothingToConfirm, RoundNotComplete, UnknownCorrection
from games.log.ledger import Ledger
from games.models import Key
from games.rules import AmendEntry, FinishedRound, UndoEntry
from games.rules.errors import UnknownSeat
from games.rules.replay import Addition, ConfirmEntry, Entry
from games.services import previews
from games.services.write import Outcome, WriteRequest, write


def confirm(
    *, game_id: str, actor: Key, round_number: int, seat: int, request: WriteRequest, about: int | None = None
) -> Outcome:
    """Confirm the figures of a round for the team of a seat, or those that the correction `about` leads to.

    The last confirmation that a correction waits for makes it.
    Errors: `NothingToConfirm`, `RoundNotComplete`, `UnknownSeat`, `AlreadyConfirmed`, `UnknownCorrection`;
    `AmendmentConflicts` if a later entry has made the correction impossible; `StaleVersion`, `GameLocked`.
    """

    def decide(ledger: Ledger) -> list[Entry]:
        previews.require_physical(digital=ledger.digital, refusal=NothingToConfirm)
        done = _round_of(ledger, round_number, about)
        if not 0 <= seat < ledger.state.players:
            raise UnknownSeat(seat=seat)
        team = done.teams.team_of(seat)
        if team in ledger.teams_confirming(done, about):
            raise AlreadyConfirmed(round=round_number)
        entry = ConfirmEntry(ledger.version + 1, seat, round_number, team, done.score.points, about)
        pending = ledger.with_entries([entry]).pending
        if pending is None or not pending.is_confirmed:
            return [entry]
        return [entry, AmendEntry(entry.seq + 1, pending.entry.changes)]

    def same_to(ledger: Ledger, seen: int) -> bool:
        # Both teams tap at once, and the next round has begun: nothing of this changes a complete round.
        ended = max((step.key.seq for step in ledger.replay.applied if step.round_number == round_number), default=0)
        return ended <= seen and all(isinstance(entry, Addition) for entry in ledger.entries[seen:])

    return write("confirm", game_id=game_id, actor=actor, request=request, decide=decide, same_to=same_to)


def withdraw(*, game_id: str, actor: Key, about: int, request: WriteRequest) -> Outcome:
    """Withdraw the correction that waits, or a confirmation as long as the other team has not confirmed, too.

    Errors: `UnknownCorrection`, `StaleVersion`, `GameLocked`.
    """

    def decide(ledger: Ledger) -> list[Entry]:
        if about not in ledger.withdrawable:
            raise UnknownCorrection()
        return [UndoEntry(ledger.version + 1, undoes=about)]

    return write("withdraw", game_id=game_id, actor=actor, request=request, decide=decide)


def _round_of(ledger: Ledger, number: int, about: int | None) -> FinishedRound:
    """A round as it is, or as it would be by the correction that waits."""
    if about is not None:
        correction = ledger.counting.correction
        if correction is None or correction.seq != about:
            raise UnknownCorrection()
        previews.corrected_replay(ledger, correction.changes)
    done = next((each for each in ledger.confirmable(about) if each.number == number), None)
    if done is None:
        raise RoundNotComplete(round=number)
    return done

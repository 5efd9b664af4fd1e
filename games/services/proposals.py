"""Proposals in digital games: who asks, who answers, and what is done once all agree.

The ledgers here show every hand.  The outcome of a write shows what the actor's seat may see (`games.services.write`).
"""

from __future__ import annotations

from functools import partial
from typing import assert_never

from games.bots import consent
from games.errors import BotPlays, FinishedForGood, HandsShown, NotAsked, SeatOnly, UndoNotAllowed, UnknownProposal
from games.log.ledger import Ledger
from games.models import Invite, Key
from games.rules import ActionEntry, Finish, Phase, UndoEntry
from games.rules.actions import Claim
from games.rules.entries import PROPOSALS
from games.rules.errors import GameOver, NothingToFinish, WrongPhase
from games.rules.proposals import ClaimRest, FinishEarly, OpenProposal, Proposal, Takeback
from games.rules.replay import AnswerEntry, Entry, ProposalEntry
from games.services.pending_entries import PendingEntries
from games.services.write import Outcome, WriteRequest, only_holders_changed, write

KINDS = tuple(PROPOSALS)
"""The kinds of proposals."""


def propose(
    *,
    game_id: str,
    actor: Key,
    kind: str,
    request: WriteRequest,
    to_seq: int | None = None,
    bots_answer: bool = True,
) -> Outcome:
    """Propose to undo the latest entry (or all after `to_seq`), to claim the remaining tricks, or to finish early.

    Bots answer at once, or if not `bots_answer` a task lets them (`answer_for_bots`).  A proposal to which all others
    agree is carried out at once.
    Errors: `SeatOnly`, `BotPlays`, `UndoNotAllowed`, `HandsShown`, `WrongPhase`, `NothingToFinish`, `StaleVersion`.
    """
    seat = seat_of(actor)

    def decide(ledger: Ledger) -> list[Entry]:
        require_own_play(ledger, seat, over=FinishedForGood if kind == "takeback" else GameOver)
        pending = PendingEntries(ledger)
        proposal = _proposal(pending, seat, kind, to_seq)
        pending.add(lambda seq: ProposalEntry(seq, seat, proposal))
        if bots_answer:
            let_bots_answer(pending, about=pending.entries[-1].seq)
        return pending.entries

    same_to = _same_rounds if kind == "finish" else only_holders_changed
    return write(f"propose {kind}", game_id=game_id, actor=actor, request=request, decide=decide, same_to=same_to)


def _same_rounds(ledger: Ledger, version: int) -> bool:
    """Whether no round has been completed since a version: an early end counts nothing of the present one."""
    return ledger.dealt_at <= version


def answer(*, game_id: str, actor: Key, about: int, agrees: bool, request: WriteRequest) -> Outcome:
    """Agree to a proposal or refuse it; its own player withdraws it by refusing.

    Errors: `SeatOnly`, `BotPlays`, `UnknownProposal`, `NotAsked`, `StaleVersion`.
    """
    seat = seat_of(actor)

    def decide(ledger: Ledger) -> list[Entry]:
        require_own_play(ledger, seat)
        proposal = next((each for each in ledger.counting.proposals if each.seq == about), None)
        # A player who has agreed may still refuse, as long as another answer is missing.
        if proposal is None or (agrees and seat in proposal.agreed):
            raise UnknownProposal()
        if proposal.seat == seat and agrees:
            raise NotAsked()
        pending = PendingEntries(ledger)
        pending.add(lambda seq: AnswerEntry(seq, seat, about, agrees))
        _carry_out(pending)
        return pending.entries

    return write("answer", game_id=game_id, actor=actor, request=request, decide=decide)


def _proposal(pending: PendingEntries, seat: int, kind: str, to_seq: int | None) -> Proposal:
    ledger = pending.ledger
    if kind == "takeback":
        undoable = ledger.undoable
        undone = undoable[-1:] if to_seq is None else tuple(seq for seq in undoable if seq > to_seq)
        reaches_back = not undoable if to_seq is None else to_seq < ledger.dealt_at
        if reaches_back and ledger.setup.open_hands and ledger.state.finished:
            raise HandsShown(round=len(ledger.state.finished))
        if not undone:
            raise UndoNotAllowed()
        return Takeback(tuple(reversed(undone)))
    if kind == "claim":
        if ledger.state.phase is not Phase.TRICKS:
            raise WrongPhase(action=kind, phase=ledger.state.phase.value)
        return ClaimRest(pending.full.hands[seat])
    if not ledger.state.finished:
        raise NothingToFinish()
    return FinishEarly()


def answer_for_bots(*, game_id: str, about: int) -> None:
    """Let the bots answer a proposal, if it is still open.

    Errors: `NotFound`, `GameLocked`.
    """

    def decide(ledger: Ledger) -> list[Entry]:
        pending = PendingEntries(ledger)
        let_bots_answer(pending, about=about)
        return pending.entries

    write("bots answer", game_id=game_id, actor=None, request=WriteRequest(), decide=decide)


def let_bots_answer(pending: PendingEntries, *, about: int | None = None, of: int | None = None) -> None:
    """Let the bots answer the open proposals, then carry out those to which all agree.

    `about`: only this proposal; `of`: only the bot of this seat.
    """
    while True:
        ledger = pending.ledger
        asked = [each for each in ledger.counting.proposals if about in (None, each.seq)]
        unanswered = ((each, seat) for each in asked for seat in each.waiting(ledger.state.players))
        answers = (pair for pair in unanswered if of in (None, pair[1]) and _bot_answers(ledger, *pair))
        due = next(answers, None)
        if due is None:
            break
        _answer_for_bot(pending, *due)
    _carry_out(pending)


def _bot_answers(ledger: Ledger, proposal: OpenProposal, seat: int) -> bool:
    """Whether a seat's bot may answer: one that stands in does not end the game for its player."""
    ends = isinstance(proposal.proposal, FinishEarly)
    return ledger.bots[seat] is not None and not (ends and ledger.stands_in(seat))


def _answer_for_bot(pending: PendingEntries, proposal: OpenProposal, seat: int) -> None:
    seen = pending.ledger.played_by(seat)
    assert seen.view is not None, "each seat of a digital game has a view"
    seqs = proposal.proposal.seqs if isinstance(proposal.proposal, Takeback) else ()
    undone = [entry.action for entry in map(seen.entry, seqs) if isinstance(entry, ActionEntry)]
    agrees = consent.agrees(seen.view, proposal, undone, seen.people)
    pending.add(lambda seq: AnswerEntry(seq, seat, proposal.seq, agrees))


def _carry_out(pending: PendingEntries) -> None:
    """Carry out every proposal to which all others have agreed."""
    players = pending.ledger.state.players
    while granted := [each for each in pending.ledger.counting.proposals if not each.waiting(players)]:
        _do(pending, granted[0])


def _do(pending: PendingEntries, granted: OpenProposal) -> None:
    match granted.proposal:
        case Takeback(seqs):
            for undone in seqs:
                pending.add(partial(UndoEntry, undoes=undone))
        case ClaimRest():
            claim = Claim(granted.seat, pending.full.rest_captured(granted.seat))
            pending.add(lambda seq: ActionEntry(seq, claim))
        case FinishEarly():
            pending.add(lambda seq: ActionEntry(seq, Finish()))
        case _:
            assert_never(granted.proposal)


def seat_of(key: Key | Invite) -> int:
    """The seat that a key or an invitation is for.

    Errors: `SeatOnly`.
    """
    if key.seat is None:
        raise SeatOnly()
    return key.seat


def require_own_play(ledger: Ledger, seat: int, over: type[GameOver | FinishedForGood] = GameOver) -> None:
    """Refuse a player when the game is over, or when a bot plays for them.

    Errors: `BotPlays`; `over`.
    """
    if ledger.state.is_over:
        raise over()
    if ledger.bots[seat] is not None:
        raise BotPlays()

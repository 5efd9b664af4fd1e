"""What the scorekeeper does at a table: record, undo, correct, confirm, reopen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from django.db import transaction

from games.database import write_queue
from games.errors import (
    ConfirmedForGood,
    FinishedForGood,
    FromPaper,
    GameLocked,
    LastScorekeeperKey,
    NotFinished,
    NotFound,
    NothingToConfirm,
    UndoNotAllowed,
)
from games.keys import registry
from games.live.hub import hub
from games.log.ledger import Ledger
from games.models import Game, Key, Mode, Speed
from games.rules import ActionEntry, AmendEntry, LockEntry, PublicState, SetupEntry, UndoEntry
from games.rules.actions import Action
from games.rules.errors import NotYourTurn, StintImpossible
from games.rules.occasion import Occasion
from games.rules.paper import PaperSheet
from games.rules.replay import Change, CorrectionEntry, Entry, HolderChange, OccasionEntry
from games.rules.setup import typed_names
from games.services import digital, previews, proposals, seating
from games.services.occasions import require_past
from games.services.write import Outcome, WriteRequest, locked_game, write


def record_action(
    *, game_id: str, actor: Key, action: Action, request: WriteRequest, seat: int | None = None
) -> Outcome:
    """Record an action.  `seat`: who acts, if the client names the seat; in a digital game it is the actor's own.

    Errors: `StaleVersion`, `RequestIdReused`, `GameLocked`, and the refusals of the rules; those of `digital.record`.
    """
    if actor.game.mode == Mode.DIGITAL:
        return digital.record(game_id=game_id, actor=actor, action=action, request=request)

    def decide(ledger: Ledger) -> list[Entry]:
        if seat is not None and ledger.state.acting_seats and seat not in ledger.state.acting_seats:
            raise NotYourTurn(seat=seat, acting=list(ledger.state.acting_seats))
        return [ActionEntry(ledger.version + 1, action)]

    return write("record", game_id=game_id, actor=actor, request=request, decide=decide)


def undo(*, game_id: str, actor: Key, request: WriteRequest, to_seq: int | None = None) -> Outcome:
    """Undo the latest effective entry, or all after `to_seq`, the latest first; in a digital game propose it.

    Errors: `UndoNotAllowed` if nothing is left to undo, `ConfirmedForGood` if the game is locked, `RoundConfirmed`,
    `StaleVersion`, `RequestIdReused`; those of `proposals.propose`.
    """
    if actor.game.mode == Mode.DIGITAL:
        return proposals.propose(game_id=game_id, actor=actor, kind="takeback", to_seq=to_seq, request=request)

    def decide(ledger: Ledger) -> list[Entry]:
        undoable = ledger.counting.undoable
        undone = undoable[-1:] if to_seq is None else tuple(seq for seq in undoable if seq > to_seq)
        if not undone:
            raise UndoNotAllowed()
        entries: list[Entry] = []
        after = ledger
        for seq in reversed(undone):
            entries.append(UndoEntry(after.version + 1, undoes=seq))
            after = after.with_entries(entries[-1:])
            previews.require_unconfirmed(ledger, after.state)
        return entries

    return write("undo", game_id=game_id, actor=actor, request=request, decide=decide, when_locked=ConfirmedForGood)


def amend(*, game_id: str, actor: Key, request: WriteRequest, changes: Sequence[Change]) -> Outcome:
    """Correct earlier actions in one step.  What changes a round that both teams have confirmed waits for both.

    Errors: `AmendmentConflicts`, `UnknownEntry`, the refusal of a corrected action; `RoundConfirmed` if a confirmed
    round would no longer be complete; `StaleVersion`, `GameLocked`.
    """

    def decide(ledger: Ledger) -> list[Entry]:
        rounds = previews.rounds_to_confirm(ledger, previews.corrected_replay(ledger, changes).state)
        make = CorrectionEntry if rounds else AmendEntry
        return [make(ledger.version + 1, tuple(changes))]

    return write("amend", game_id=game_id, actor=actor, request=request, decide=decide)


def correct_setup(
    *,
    game_id: str,
    actor: Key,
    request: WriteRequest,
    names: Sequence[str] | None = None,
    tokens: Sequence[str] | None = None,
    dealer: int | None = None,
    rounds: int | None = None,
    paper: PaperSheet | None = None,
    since: int | None = None,
    open_hands: bool | None = None,
) -> Outcome:
    """Correct names, tokens, the first dealer, the number of rounds, or the sheet of a game from paper.

    `since`: the round from which on the new names are other people, who have taken the seats over.

    Errors: every `IllegalSetup`, `OpenHandsFixed` if `open_hands` is another; `AmendmentConflicts` if an entry would
    become impossible; `RoundConfirmed`.
    """

    def decide(ledger: Ledger) -> list[Entry]:
        setup = ledger.current_setup.corrected(
            names=names and typed_names(names),
            tokens=tokens,
            dealer=dealer,
            rounds=rounds,
            paper=paper,
            since=since,
            open_hands=open_hands,
        )
        if since is not None and not 2 <= since <= rounds_begun(ledger.state):
            raise StintImpossible(least=2, most=rounds_begun(ledger.state))
        previews.refolded_replay(ledger, setup)
        return [SetupEntry(ledger.version + 1, setup)]

    return write("correct_setup", game_id=game_id, actor=actor, request=request, decide=decide)


def state_occasion(*, game_id: str, actor: Key, request: WriteRequest, stated: Mapping[str, Any]) -> Outcome:
    """State when, how long and where a game was played, or a note: fields of `Occasion`, and the others stay.

    Errors: `PlayedLater`, `ImpossibleTime`, the errors of `Occasion.of`; `StaleVersion`, `GameLocked`.
    """

    def decide(ledger: Ledger) -> list[Entry]:
        occasion = Occasion.of(**{**asdict(ledger.occasion), **stated})
        require_past(occasion)
        return [] if occasion == ledger.occasion else [OccasionEntry(ledger.version + 1, occasion)]

    return write("state_occasion", game_id=game_id, actor=actor, request=request, decide=decide)


def rounds_begun(state: PublicState) -> int:
    """How many rounds were played or are: from the second to this one somebody else can take a seat over."""
    return state.rounds_on_sheet if state.current is None else state.current.number


def lock(*, game_id: str, actor: Key, request: WriteRequest) -> Outcome:
    """Confirm the result, which locks the game.

    Errors: `NotFinished`, `GameLocked`.
    """

    def decide(ledger: Ledger) -> list[Entry]:
        _require_finished(ledger)
        return [LockEntry(ledger.version + 1)]

    return write("lock", game_id=game_id, actor=actor, request=request, decide=decide)


def reopen(*, game_id: str, actor: Key, request: WriteRequest) -> Outcome:
    """Undo the entry that finished the game, and those after it.

    Errors: `NotFinished`, `RoundConfirmed`, `ConfirmedForGood` if the game is locked, `FromPaper`.
    """

    def decide(ledger: Ledger) -> list[Entry]:
        _require_finished(ledger)
        previews.require_physical(digital=ledger.digital, refusal=FinishedForGood)
        if ledger.current_setup.paper is not None:
            raise FromPaper()
        entries: list[Entry] = []
        after = ledger
        while after.state.is_over:
            entries.append(UndoEntry(after.version + 1, undoes=after.counting.undoable[-1]))
            after = after.with_entries(entries[-1:])
            previews.require_unconfirmed(ledger, after.state)
        return entries

    return write("reopen", game_id=game_id, actor=actor, request=request, decide=decide, when_locked=ConfirmedForGood)


def ask_confirmation(*, game: Game, asked: bool) -> None:
    """Let the pages of a table ask both teams to confirm each round, or not.

    Errors: `NothingToConfirm`, `GameLocked`.
    """
    previews.require_physical(digital=game.mode == Mode.DIGITAL, refusal=NothingToConfirm)
    if game.locked_at is not None:
        raise GameLocked()
    game.asks_confirmation = asked
    game.save(update_fields=["asks_confirmation"])


def hide_markers(*, game: Game, hidden: bool) -> None:
    """Let the board show whose marker is whose, or not: as with markers that are laid with their blank side up.

    Errors: `GameLocked`.
    """
    if game.locked_at is not None:
        raise GameLocked()
    game.hides_markers = hidden
    game.save(update_fields=["hides_markers"])


def set_speed(*, game: Game, speed: Speed) -> None:
    """Set the speed of a table's bots.  What they wait for already is not changed."""
    game.speed = speed
    game.save(update_fields=["speed"])


def revoke_key(*, game_id: str, key_id: int, actor: Key | None = None) -> int:
    """Revoke a key of a game; returns how many open invitations are withdrawn with it.  `actor`: the revoking key.

    Errors: `NotFound`; `LastScorekeeperKey`, because the game could never be changed again.
    """
    with write_queue.in_turn():
        # Locked, so that two scorekeepers cannot revoke each other's keys at once.
        game = locked_game(game_id)
        valid = {key.pk: key for key in Key.objects.filter(game_id=game_id, revoked_at=None)}
        key = valid.pop(key_id, None)
        if key is None:
            raise NotFound()
        if key.may_record and not any(other.may_record for other in valid.values()):
            raise LastScorekeeperKey()
        withdrawn = registry.revoke(key)
        if key.seat is not None:
            seating.note_loss(game, key.seat, HolderChange.REVOKED, actor=actor)
        transaction.on_commit(lambda: hub.end_revoked(game_id, [key_id]))
        return withdrawn


def _require_finished(ledger: Ledger) -> None:
    if not ledger.state.is_over:
        raise NotFinished()

"""Folding a log into a state: which actions count after undo and amendments, and the state that they lead to.

Must not know: who wrote an entry, when, or how entries are stored.

An entry of the log is never changed.  `effective` returns the actions that count, in order, each with its `Key`; `fold`
plays them and returns the good prefix together with the first error.  A log whose cards are known folds to a full
state, a redacted one to a public state.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import groupby
from typing import ClassVar, assert_never

from games.rules.actions import Action, Deal
from games.rules.errors import AmendmentConflicts, NjetError, UnknownEntry
from games.rules.full import FullState, State, advance, public_of
from games.rules.hints import HintReason
from games.rules.occasion import Occasion
from games.rules.proposals import OpenProposal, Proposal, after_action, after_undo, answered, proposed
from games.rules.public import PublicState
from games.rules.setup import Setup


@dataclass(frozen=True, slots=True)
class Key:
    """The name of an effective action: its entry, and the change of an amendment that made it (0: the entry itself)."""

    seq: int
    part: int = 0


@dataclass(frozen=True, slots=True)
class ReplaceAction:
    """A change: another action instead of an earlier one."""

    key: Key
    action: Action


@dataclass(frozen=True, slots=True)
class DeleteAction:
    """A change: an earlier action did not happen."""

    key: Key


@dataclass(frozen=True, slots=True)
class InsertAction:
    """A change: an action that was forgotten, after an earlier one (`Key(0)`: before the first)."""

    after: Key
    action: Action


Change = ReplaceAction | DeleteAction | InsertAction


@dataclass(frozen=True, slots=True)
class ActionEntry:
    """An action.  `seat`: who acted, where several were due at once."""

    seq: int
    action: Action
    seat: int | None = None


@dataclass(frozen=True, slots=True)
class UndoEntry:
    """An earlier entry was undone."""

    kind: ClassVar[str] = "undo"

    seq: int
    undoes: int


@dataclass(frozen=True, slots=True)
class AmendEntry:
    """Earlier actions were corrected, in one step."""

    kind: ClassVar[str] = "amend"

    seq: int
    changes: tuple[Change, ...]


@dataclass(frozen=True, slots=True)
class SetupEntry:
    """Names, tokens, dealer or rounds were corrected."""

    kind: ClassVar[str] = "setup"

    seq: int
    setup: Setup


@dataclass(frozen=True, slots=True)
class LockEntry:
    """The result was confirmed: nothing follows but erased names and other phones."""

    kind: ClassVar[str] = "lock"

    seq: int


@dataclass(frozen=True, slots=True)
class SeatEntry:
    """From now on a bot of this level plays for a seat; None: its player does."""

    kind: ClassVar[str] = "seat"

    seq: int
    seat: int
    bot: str | None

    is_arrival: ClassVar[bool] = False
    """Who sits down where a bot played takes over a hand that no player had seen."""


class HolderChange(StrEnum):
    """How the phone that plays for a seat changed."""

    JOINED = "joined"
    """No phone played for the seat."""
    CLAIMED = "claimed"
    """Another phone took it by an invitation."""
    HANDED_OVER = "handed_over"
    """Another phone took it by an invitation of the phone that had it."""
    RETURNED = "returned"
    """The phone that had lost it took it back."""
    FREED = "freed"
    """The host took it from its phone."""
    REVOKED = "revoked"
    """Its key was revoked, or the key of the group through which its phone came in."""


@dataclass(frozen=True, slots=True)
class HolderEntry:
    """Another phone plays for a seat, or none.  `also`: the other seats that this phone has had since the deal."""

    kind: ClassVar[str] = "holder"

    seq: int
    seat: int
    change: HolderChange
    also: tuple[int, ...] = ()

    @property
    def is_arrival(self) -> bool:
        """Whether a phone took a free seat and has had no other one since the deal."""
        return self.change is HolderChange.JOINED and not self.also


@dataclass(frozen=True, slots=True)
class ProposalEntry:
    """A player proposed something to the others."""

    kind: ClassVar[str] = "proposal"

    seq: int
    seat: int
    proposal: Proposal


@dataclass(frozen=True, slots=True)
class AnswerEntry:
    """A player answered the proposal of the entry `about`; its own author withdraws it."""

    kind: ClassVar[str] = "answer"

    seq: int
    seat: int
    about: int
    agrees: bool


@dataclass(frozen=True, slots=True)
class ConfirmEntry:
    """A team confirmed what a finished round brought it and the others: `figures`, the points by seat.

    `seat`: the player who confirmed for the `team`.  `about`: the entry of the correction that the team agreed to; the
    figures are those of the corrected round.
    """

    kind: ClassVar[str] = "confirm"

    seq: int
    seat: int
    round_number: int
    team: tuple[int, ...]
    figures: tuple[int, ...]
    about: int | None = None


@dataclass(frozen=True, slots=True)
class HintEntry:
    """A player asked a bot what to do: its action and its reason, both None in the log of another reader.

    `second`: the second best action, if the reason is about it, or one that is as good for the same reason.  It is no
    action: nothing in the game depends on it.
    """

    kind: ClassVar[str] = "hint"

    seq: int
    seat: int
    action: Action | None
    reason: HintReason | None
    second: Action | None = None


@dataclass(frozen=True, slots=True)
class CorrectionEntry:
    """A correction that is made once both teams have confirmed it, because they have confirmed what it changes."""

    kind: ClassVar[str] = "correction"

    seq: int
    changes: tuple[Change, ...]


@dataclass(frozen=True, slots=True)
class OccasionEntry:
    """When, how long and where the game was played, and a note: all of it, as it is known now."""

    kind: ClassVar[str] = "occasion"

    seq: int
    occasion: Occasion


Addition = (
    ActionEntry
    | SeatEntry
    | HolderEntry
    | ProposalEntry
    | AnswerEntry
    | ConfirmEntry
    | HintEntry
    | CorrectionEntry
    | OccasionEntry
)
"""Entries that change nothing before them."""

Entry = Addition | UndoEntry | AmendEntry | SetupEntry | LockEntry


@dataclass(frozen=True, slots=True)
class KeyedAction:
    """An effective action and its name.  `seat`: who acted, where the log says so."""

    key: Key
    action: Action
    seat: int | None = None


@dataclass(frozen=True, slots=True)
class Effective:
    """What counts.  `undoable`: the entries that can be undone, oldest first: in digital play none before a deal.

    `bots[seat]`: the level of the bot that plays for a seat, None for a player; `proposals`: what is not decided yet.
    `confirms`: what teams have confirmed, also what was changed since; `correction`: the one that waits for them.
    `misplaced`: the undo entries that did not undo the latest entry that could be undone; a sound log has none.
    """

    setup: Setup
    actions: tuple[KeyedAction, ...]
    undoable: tuple[int, ...]
    bots: tuple[str | None, ...] = ()
    proposals: tuple[OpenProposal, ...] = ()
    misplaced: tuple[UndoEntry, ...] = ()
    confirms: tuple[ConfirmEntry, ...] = ()
    correction: CorrectionEntry | None = None

    def with_entries(self, added: Sequence[Addition]) -> Effective:
        """The same with more entries at the end of the log that change nothing before them."""
        counting = self
        for is_action, group in groupby(added, lambda entry: isinstance(entry, ActionEntry)):
            if is_action:
                counting = counting._with_actions([entry for entry in group if isinstance(entry, ActionEntry)])
            else:
                for entry in group:
                    counting = counting.with_entry(entry)
        return counting

    def _with_actions(self, added: Sequence[ActionEntry]) -> Effective:
        proposals, undoable = self.proposals, list(self.undoable)
        for entry in added:
            proposals = proposals and after_action(proposals, entry.action)
            if isinstance(entry.action, Deal):
                undoable.clear()
            else:
                undoable.append(entry.seq)
        actions = [KeyedAction(Key(entry.seq), entry.action, entry.seat) for entry in added]
        return replace(self, actions=(*self.actions, *actions), undoable=tuple(undoable), proposals=proposals)

    def with_entry(self, entry: Addition) -> Effective:
        """The same with one more entry at the end of the log that changes nothing before it."""
        match entry:
            case ActionEntry():
                return self._with_actions([entry])
            case SeatEntry(_, seat, bot):
                return replace(self, bots=(*self.bots[:seat], bot, *self.bots[seat + 1 :]))
            case HolderEntry() | HintEntry() | OccasionEntry():
                return self
            case ProposalEntry(seq, seat, proposal):
                return replace(self, proposals=proposed(self.proposals, seq, seat, proposal))
            case AnswerEntry(_, seat, about, agrees):
                return replace(self, proposals=answered(self.proposals, about, seat, agrees=agrees))
            case ConfirmEntry():
                return replace(self, confirms=(*self.confirms, entry))
            case CorrectionEntry():
                return replace(self, correction=entry)
        assert_never(entry)

    def undone(self, entry: UndoEntry) -> Effective | None:
        """What counts after one more entry that undoes the latest action; None if it undoes anything else."""
        if self.undoable[-1:] != (entry.undoes,) or not self.actions or self.actions[-1].key != Key(entry.undoes):
            return None
        return replace(
            self,
            actions=self.actions[:-1],
            undoable=self.undoable[:-1],
            proposals=after_undo(self.proposals),
        )


def effective(setup: Setup, entries: Iterable[Entry]) -> Effective:
    """Resolve what was undone and corrected.  `entries` in the order of the log, `setup` as the game began.

    Errors: `UnknownEntry` if a correction names what is no effective action.
    """
    log = list(entries)
    # Nearly all entries are actions.
    others = [entry for entry in log if not isinstance(entry, ActionEntry)]
    undone = {entry.undoes for entry in others if isinstance(entry, UndoEntry)}
    actions: list[KeyedAction] = []
    bots: list[str | None] = [None] * setup.ruleset.players
    for entry in log:
        if entry.seq in undone:
            continue
        match entry:
            case ActionEntry(seq, action, seat):
                actions.append(KeyedAction(Key(seq), action, seat))
            case AmendEntry(seq, changes):
                actions = amend(actions, seq=seq, changes=changes)
            case SetupEntry(_, corrected):
                setup = corrected
            case SeatEntry(_, seat, bot):
                bots[seat] = bot
    undoable, misplaced = _undoable(log, undone, digital=setup.digital)
    return Effective(
        setup,
        tuple(actions),
        undoable,
        tuple(bots),
        _open_proposals(log, undone),
        misplaced,
        tuple(entry for entry in others if isinstance(entry, ConfirmEntry) and entry.seq not in undone),
        _waiting_correction(others, undone),
    )


def _undoable(
    log: Sequence[Entry], undone: Set[int], *, digital: bool
) -> tuple[tuple[int, ...], tuple[UndoEntry, ...]]:
    """The entries that can be undone, and the undo entries that did not undo the latest of them."""
    undoable: list[int] = []
    misplaced: list[UndoEntry] = []
    withdrawn = {entry.seq for entry in log if isinstance(entry, CorrectionEntry | ConfirmEntry)}
    for entry in log:
        # An entry that is undone later could be undone until then.
        match entry:
            case ActionEntry(_, Deal()):
                undoable.clear()
            # In digital play a name is no move.
            case SetupEntry() if digital:
                pass
            case ActionEntry(seq) | AmendEntry(seq) | SetupEntry(seq):
                undoable.append(seq)
            # A confirmation, or a correction that waits, is withdrawn at any time.
            case UndoEntry(seq, undoes) if seq not in undone and undoes not in withdrawn:
                if undoable[-1:] != [undoes]:
                    misplaced.append(entry)
                undoable = [each for each in undoable if each != undoes]
    return tuple(undoable), tuple(misplaced)


def _open_proposals(log: Sequence[Entry], undone: Set[int]) -> tuple[OpenProposal, ...]:
    """The proposals that are not decided yet."""
    proposals: tuple[OpenProposal, ...] = ()
    for entry in log:
        match entry:
            case ActionEntry(_, action):
                # Even an action that is undone later has closed them.
                proposals = proposals and after_action(proposals, action)
            case UndoEntry(seq) if seq not in undone:
                proposals = after_undo(proposals)
            case ProposalEntry(seq, seat, proposal):
                proposals = proposed(proposals, seq, seat, proposal)
            case AnswerEntry(_, seat, about, agrees):
                proposals = answered(proposals, about, seat, agrees=agrees)
    return proposals


def _waiting_correction(log: Sequence[Entry], undone: Set[int]) -> CorrectionEntry | None:
    """The latest correction, unless it was withdrawn or made."""
    waiting: CorrectionEntry | None = None
    for entry in log:
        match entry:
            case CorrectionEntry(seq):
                waiting = None if seq in undone else entry
            case AmendEntry(_, changes) if waiting is not None and changes == waiting.changes:
                waiting = None
    return waiting


def amend(actions: Sequence[KeyedAction], *, seq: int, changes: Sequence[Change]) -> list[KeyedAction]:
    """The actions with an amendment's changes made, one after the other.

    An inserted action is named by the amendment's `seq` and the number of its change, from 1 on; several after the same
    action stand in the order of the changes.
    Errors: `UnknownEntry`.
    """
    changed = list(actions)
    latest_after: dict[Key, Key] = {}
    for part, change in enumerate(changes, start=1):
        match change:
            case ReplaceAction(key, action):
                changed[_place(changed, key)] = KeyedAction(key, action)
            case DeleteAction(key):
                del changed[_place(changed, key)]
            case InsertAction(after, action):
                before = latest_after.get(after, after)
                place = 0 if before == Key(0) else _place(changed, before) + 1
                latest_after[after] = Key(seq, part)
                changed.insert(place, KeyedAction(latest_after[after], action))
            case _:
                assert_never(change)
    return changed


def _place(actions: Sequence[KeyedAction], key: Key) -> int:
    for index, keyed in enumerate(actions):
        if keyed.key == key:
            return index
    raise UnknownEntry(seq=key.seq, part=key.part)


@dataclass(frozen=True, slots=True)
class Step:
    """An applied action: who acted (None: the table, chance), and the state before it.

    `full`: that state with every hand, where they are known.
    """

    key: Key
    action: Action
    seat: int | None
    before: PublicState
    full: FullState | None = None

    @property
    def round_number(self) -> int:
        """The round that the action belongs to."""
        assert self.before.current is not None, "an action was applied, so there was a round"
        return self.before.current.number


@dataclass(frozen=True, slots=True)
class Replay:
    """The good prefix of a fold: its state, its steps, and the error that ended it with the refused action.

    `full`: the state with every hand, where they are known.
    """

    state: PublicState
    applied: tuple[Step, ...]
    refused: KeyedAction | None = None
    error: NjetError | None = None
    full: FullState | None = None


def fold(setup: Setup, actions: Iterable[KeyedAction]) -> Replay:
    """Play the actions from the start of a game, up to the first that the rules refuse."""
    return play_on(PublicState.start(setup), [], actions)


def refold(done: Replay, kept: int, actions: Iterable[KeyedAction]) -> Replay:
    """Play other actions after the first `kept` steps of an earlier fold, which stay as they are."""
    met = done.applied[kept] if kept < len(done.applied) else None
    state: State = (done.full or done.state) if met is None else (met.full or met.before)
    return play_on(state, done.applied[:kept], actions)


def play_on(state: State, steps: Sequence[Step], actions: Iterable[KeyedAction]) -> Replay:
    """Play actions from the state on that these steps led to."""
    applied = list(steps)
    for keyed in actions:
        before, seat = public_of(state), keyed.seat
        if seat is None and len(due := before.acting_seats) == 1:
            seat = due[0]
        full = state if isinstance(state, FullState) else None
        try:
            state = advance(state, keyed.action, seat=seat)
        except NjetError as error:
            return Replay(before, tuple(applied), keyed, error, full)
        applied.append(Step(keyed.key, keyed.action, seat, before, full))
    return Replay(public_of(state), tuple(applied), full=state if isinstance(state, FullState) else None)


def replay(setup: Setup, entries: Iterable[Entry]) -> Replay:
    """Fold a whole log."""
    counting = effective(setup, entries)
    return fold(counting.setup, counting.actions)


def amended(setup: Setup, actions: Sequence[KeyedAction], *, seq: int, changes: Sequence[Change]) -> Replay:
    """The game as it would be with these corrections.

    Errors: the refusal of a corrected action itself; `AmendmentConflicts`, which names the entry that would become
    impossible; `UnknownEntry`.
    """
    corrected = amend(actions, seq=seq, changes=changes)
    result = fold(setup, corrected)
    if result.error is None or result.refused is None:
        return result
    own = {change.key for change in changes if isinstance(change, ReplaceAction)}
    if result.refused.key in own or result.refused.key.seq == seq:
        raise result.error
    raise conflict(result.refused, result.error)


def conflict(refused: KeyedAction, error: NjetError) -> AmendmentConflicts:
    """The refusal of a correction that would make a later entry impossible."""
    return AmendmentConflicts(
        seq=refused.key.seq,
        part=refused.key.part,
        code=error.code,
        reason=error.message,
        conflict_params=error.params,
    )

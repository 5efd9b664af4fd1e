"""Folding a log into a state: what is effective after undo and amend, and what the fold gives (`design.md` section 3).

Knows: how entries take each other back, how corrections change earlier actions.  Must not know: who wrote an entry,
when, or how entries are stored.

An entry of the log is never changed.  `effective` answers the actions that count, in order, each with its `Key`; `fold`
plays them and answers the good prefix together with the first error.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import assert_never

from games.rules.actions import Action
from games.rules.errors import AmendmentConflicts, NjetError, UnknownEntry
from games.rules.public import PublicState
from games.rules.setup import Setup


@dataclass(frozen=True, slots=True, order=True)
class Key:
    """Names an effective action: its entry, and which change of an amendment it was (0: the entry is the action)."""

    seq: int
    part: int = 0


@dataclass(frozen=True, slots=True)
class ReplaceAction:
    """A change: another action in the place of an earlier one."""

    key: Key
    action: Action


@dataclass(frozen=True, slots=True)
class DeleteAction:
    """A change: an earlier action never happened."""

    key: Key


@dataclass(frozen=True, slots=True)
class InsertAction:
    """A change: an action that was forgotten, after an earlier one (`Key(0)`: before the first)."""

    after: Key
    action: Action


Change = ReplaceAction | DeleteAction | InsertAction


@dataclass(frozen=True, slots=True)
class ActionEntry:
    """The log took an action."""

    seq: int
    action: Action


@dataclass(frozen=True, slots=True)
class UndoEntry:
    """An earlier entry was taken back."""

    seq: int
    undoes: int


@dataclass(frozen=True, slots=True)
class AmendEntry:
    """Earlier actions were corrected, in one step."""

    seq: int
    changes: tuple[Change, ...]


@dataclass(frozen=True, slots=True)
class SetupEntry:
    """Names, tokens, dealer or rounds were put right."""

    seq: int
    setup: Setup


@dataclass(frozen=True, slots=True)
class LockEntry:
    """The result was confirmed: nothing follows."""

    seq: int


Entry = ActionEntry | UndoEntry | AmendEntry | SetupEntry | LockEntry


@dataclass(frozen=True, slots=True)
class KeyedAction:
    """An effective action and its name."""

    key: Key
    action: Action


@dataclass(frozen=True, slots=True)
class Effective:
    """What counts.  `undoable`: the entries that can be taken back, oldest first."""

    setup: Setup
    actions: tuple[KeyedAction, ...]
    undoable: tuple[int, ...]


def effective(setup: Setup, entries: Iterable[Entry]) -> Effective:
    """Resolve what was taken back and corrected.  `entries` in the order of the log, `setup` as the game began.

    Errors: `UnknownEntry` if a correction names what is no effective action.
    """
    log = list(entries)
    taken_back = {entry.undoes for entry in log if isinstance(entry, UndoEntry)}
    actions: list[KeyedAction] = []
    undoable: list[int] = []
    for entry in log:
        if entry.seq in taken_back:
            continue
        match entry:
            case ActionEntry(seq, action):
                actions.append(KeyedAction(Key(seq), action))
                undoable.append(seq)
            case AmendEntry(seq, changes):
                actions = amend(actions, seq=seq, changes=changes)
                undoable.append(seq)
            case SetupEntry(seq, corrected):
                setup = corrected
                undoable.append(seq)
            case UndoEntry() | LockEntry():
                pass
            case _:
                assert_never(entry)
    return Effective(setup, tuple(actions), tuple(undoable))


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
    for place, keyed in enumerate(actions):
        if keyed.key == key:
            return place
    raise UnknownEntry(seq=key.seq, part=key.part)


@dataclass(frozen=True, slots=True)
class Step:
    """An applied action with what surrounds it: who was due (None: the table), and the state that it met."""

    key: Key
    action: Action
    seat: int | None
    before: PublicState

    @property
    def round_number(self) -> int:
        """The round that the action belongs to."""
        assert self.before.current is not None, "an action was applied, so there was a round"
        return self.before.current.number


@dataclass(frozen=True, slots=True)
class Replay:
    """The good prefix of a fold: its state, its steps, and the error that ended it with the action that met it."""

    state: PublicState
    applied: tuple[Step, ...]
    refused: KeyedAction | None = None
    error: NjetError | None = None


def fold(setup: Setup, actions: Iterable[KeyedAction]) -> Replay:
    """Play the actions from the start of a game, up to the first that the rules refuse."""
    return _played(PublicState.start(setup), [], actions)


def refold(done: Replay, kept: int, actions: Iterable[KeyedAction]) -> Replay:
    """Play other actions after the first `kept` steps of an earlier fold, which stay as they are."""
    state = done.applied[kept].before if kept < len(done.applied) else done.state
    return _played(state, list(done.applied[:kept]), actions)


def _played(state: PublicState, steps: list[Step], actions: Iterable[KeyedAction]) -> Replay:
    for keyed in actions:
        due = state.acting_seats
        try:
            following = state.apply(keyed.action)
        except NjetError as error:
            return Replay(state, tuple(steps), keyed, error)
        steps.append(Step(keyed.key, keyed.action, due[0] if len(due) == 1 else None, state))
        state = following
    return Replay(state, tuple(steps))


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

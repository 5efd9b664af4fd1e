"""The few changes of entries that lead to another board, other teams or other figures of a round.

* Another space stays open: the player who covered it covered the space that was open instead; a board that was noted at
  once is noted with the other space.
* Other teams: the entry that names them is replaced.
* Other figures: a tally is replaced.  Of tricks that were recorded one by one the latest is changed that makes the
  figures right on its own; if none does, a tally takes the place of the last trick.  By the rules it counts instead of
  those before it.  Tricks that the corrected round has no place for are deleted.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from games.log.ledger import Ledger
from games.pages.correct.forms import steps_of
from games.rules import (
    AddPenalty,
    DeleteAction,
    EnterConditions,
    FinishedRound,
    NameTeam,
    NjetError,
    Place,
    PublicState,
    RecordTally,
    RecordTrick,
    ReplaceAction,
    Round,
    RowKey,
    VoidRound,
)
from games.rules.actions import Action
from games.rules.errors import MissingField, UnknownSpace
from games.rules.replay import Change, Step
from games.rules.scoring import Won


class RoundChanges:
    """The changes of a round, block by block.  `made`: those so far; `state`: the state after the latest block."""

    def __init__(self, ledger: Ledger, done: Round | FinishedRound) -> None:
        steps = steps_of(ledger, done.number)
        voided = [index for index, step in enumerate(steps) if isinstance(step.action, VoidRound)]
        self._steps = [step for step in steps[max(voided, default=-1) + 1 :] if not isinstance(step.action, AddPenalty)]
        self._done = done
        self.state = self._steps[0].before
        self.made: list[Change] = []

    def settle(self, wanted: Mapping[RowKey, str]) -> None:
        """Let these spaces stay open.

        Errors: `MissingField`, `UnknownSpace`, those of the rules.
        """
        for row, space in wanted.items():
            if not space:
                raise MissingField(action="conditions", field=row.value)
            if space not in self._done.board.row(row).spaces:
                raise UnknownSpace(row=row.value, space=space)
        for step in self._steps:
            action: Action = step.action
            match action:
                case Place(row, space) if space == wanted[row]:
                    action = Place(row, self._done.board.row(row).settled_space or "")
                case Place():
                    pass
                case EnterConditions():
                    action = replace(action, **{row.value: space for row, space in wanted.items()})
                case _:
                    break
            self.state = self.state.apply(action)
            self._replace(step, action)

    @property
    def start(self) -> int | None:
        """The start player by the board, None before it is settled."""
        current = self.state.current
        return None if current is None or current.conditions is None else current.conditions.start

    def name_teams(self, action: Action, *, start: int) -> None:
        """Let this action name the teams of this start player.

        Errors: those of the rules.
        """
        step = next((step for step in self._steps if isinstance(step.action, NameTeam)), None)
        if step is None:
            return
        self.state = self.state.apply(action)
        assert self.state.current is not None, "the tricks follow the teams"
        done = self._done
        if (self.state.current.teams, start) != (done.teams, done.conditions and done.conditions.start):
            self._replace(step, action)

    def count(self, tally: RecordTally) -> None:
        """Let the round have these figures.

        Errors: those of the rules.
        """
        state, steps = self.state, [step for step in self._steps if isinstance(step.action, RecordTrick | RecordTally)]
        actions = [step.action for step in steps]
        for tried in (actions, *_with_one_trick_changed(actions, tally)):
            states = _played(state, tried)
            if len(states) == len(tried) and _won(state, states) == _figures(tally):
                for step, action in zip(steps, tried, strict=True):
                    self._replace(step, action)
                return
        states = _played(state, actions)
        kept = min(len(states) - bool(_won(state, states)), len(steps) - 1)
        (states[kept - 1] if kept else state).apply(tally)
        self._replace(steps[kept], tally)
        self.made += [DeleteAction(step.key) for step in steps[kept + 1 :]]

    def _replace(self, step: Step, action: Action) -> None:
        if action != step.action:
            self.made.append(ReplaceAction(step.key, action))


def _played(state: PublicState, actions: Sequence[Action]) -> list[PublicState]:
    """The states after each action, up to the one that completes the round or the first that is refused."""
    states: list[PublicState] = []
    for action in actions:
        try:
            states.append((states[-1] if states else state).apply(action))
        except NjetError:
            break
        if _won(state, states):
            break
    return states


def _won(before: PublicState, states: Sequence[PublicState]) -> tuple[Won, ...]:
    """What each seat has won, once the round is complete."""
    finished = states[-1].finished if states else ()
    return finished[-1].won if len(finished) > len(before.finished) else ()


def _figures(tally: RecordTally) -> tuple[Won, ...]:
    return tuple(Won(*each) for each in zip(tally.tricks, tally.captured, strict=True))


def _with_one_trick_changed(actions: Sequence[Action], tally: RecordTally) -> Iterator[list[Action]]:
    """The tricks with one of them changed so that they have the figures of the tally, the latest first."""
    for index in reversed(range(len(actions))):
        left = {seat: (won.tricks, won.captured) for seat, won in enumerate(_figures(tally))}
        for trick in (*actions[:index], *actions[index + 1 :]):
            if not isinstance(trick, RecordTrick):
                return
            tricks, captured = left[trick.winner]
            left[trick.winner] = (tricks - 1, captured - trick.captured)
        changed = [RecordTrick(seat, captured) for seat, (tricks, captured) in left.items() if tricks == 1]
        if len(changed) == 1 and sum(figures != (0, 0) for figures in left.values()) == 1:
            yield [*actions[:index], changed[0], *actions[index + 1 :]]

"""A table in the database and somebody who records, in few words.  Actions are written as in `tests.builders`.

Three friends play two rounds by the Dutch text.  `ROUND_1` is the worked example: 24, 18, 18.  In `ROUND_2` Ben and Ana
write (4 + 6) × 3 = 30 and Cleo, who holds the monster, 5 × 3 × 2 = 30.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import TypeVar

import pytest
from django.db import connections

from games.errors import NjetError
from games.keys import registry
from games.log import store
from games.log.ledger import Ledger
from games.models import TABLE_ROLES, Game, Group, Key, LogEntry, Role, Seat
from games.rules import Action, DeleteAction, InsertAction, PublicState, ReplaceAction, Setup
from games.rules import Key as ActionKey
from games.rules.replay import Change
from games.services import creation, previews
from games.services.previews import StandingChange
from games.services.write import Outcome, WriteRequest, write
from tests.builders import dutch, entries, read
from tests.cast.copies import copied, game_now, is_first
from tests.cast.service import ANY, Way, by_service

ROUND_1 = ("open 0 njet blue black 2", "team alone monster 0", "tally 5+1 4+1 3+1")
ROUND_2 = ("open 1 njet red green 3", "team 0 monster 2", "tally 4 4+2 4+1")
TOTALS_1 = (24, 18, 18)
TOTALS_2 = (54, 48, 48)

T = TypeVar("T")


class Table:
    """A game and the one who records it, by the services or another way; what is given was written by them."""

    def __init__(
        self, setup: Setup | None = None, *lines: str | Action, group: Group | None = None, way: Way = by_service
    ) -> None:
        self.way = way
        setup = setup or dutch(3, rounds=2)
        recipe = (setup, lines) if group is None and is_first() else None
        self.id, self.secrets = copied(recipe, lambda: self._play(setup, lines, group))
        self.key = Key.objects.filter(game=self.id).select_related("game").earliest("pk")

    def _play(self, setup: Setup, lines: tuple[str | Action, ...], group: Group | None) -> tuple[str, dict[str, str]]:
        created = creation.create_game(setup=setup, group_id=None if group is None else group.pk)
        self.id = created.game.pk
        self.key = created.creator
        self.secrets = {
            role: registry.issue(game=created.game, role=role, label=role, program=True).secret for role in TABLE_ROLES
        }
        if lines:
            write("record", game_id=self.id, actor=self.key, request=ANY, decide=lambda ledger: entries(*lines))
        return self.id, self.secrets

    @property
    def game(self) -> Game:
        """The game as the database has it now."""
        return game_now(self.id)

    @property
    def ledger(self) -> Ledger:
        """The log as the application reads it."""
        return store.read(self.game)

    @property
    def state(self) -> PublicState:
        """The present state."""
        return self.ledger.state

    @property
    def version(self) -> int:
        """The seq of the last entry."""
        return self.game.version

    @property
    def seats(self) -> list[tuple[str, int, int, bool]]:
        """The stored copy of the result: name, total, rank, whether the seat won."""
        return list(Seat.objects.filter(game=self.id).values_list("name", "total", "rank", "is_winner"))

    def other_key(self) -> Key:
        """The key of another device."""
        return registry.issue(game=self.game, role=Role.SCOREKEEPER, label="Ben’s phone")

    def _do(self, verb: str, request: WriteRequest, **arguments: object) -> Outcome:
        return self.way(verb, game_id=self.id, actor=self.key, request=request, **arguments)

    def record(self, *lines: str | Action, request: WriteRequest = ANY, seat: int | None = None) -> Outcome | None:
        """Write down actions one by one; the answer to the last."""
        outcome = None
        for line in lines:
            outcome = self._do("record", request, action=read(line) if isinstance(line, str) else line, seat=seat)
        return outcome

    def undo(self, *, to_seq: int | None = None, request: WriteRequest = ANY) -> Outcome:
        """Take back."""
        return self._do("undo", request, to_seq=to_seq)

    def amend(self, *changes: Change, request: WriteRequest = ANY) -> Outcome:
        """Correct actions."""
        return self._do("amend", request, changes=changes)

    def preview(self, *changes: Change) -> list[StandingChange]:
        """What a correction would change."""
        return previews.preview_amend(ledger=self.ledger, changes=changes)

    def correct(self, request: WriteRequest = ANY, **corrections: object) -> Outcome:
        """Correct the set-up."""
        return self._do("correct", request, **corrections)

    def lock(self, request: WriteRequest = ANY) -> Outcome:
        """Confirm the result."""
        return self._do("lock", request)

    def confirm(
        self, seat: int, *, round_number: int = 1, about: int | None = None, request: WriteRequest = ANY
    ) -> Outcome:
        """Confirm a round, or a correction of it, for the team of a seat."""
        return self._do("confirm", request, round_number=round_number, seat=seat, about=about)

    def withdraw(self, about: int, request: WriteRequest = ANY) -> Outcome:
        """Withdraw a correction that waits."""
        return self._do("withdraw", request, about=about)

    def reopen(self, request: WriteRequest = ANY) -> Outcome:
        """Take back the end."""
        return self._do("reopen", request)


# --- corrections ---


def instead(seq: int, line: str | Action, *, part: int = 0) -> ReplaceAction:
    """Another action in the place of an earlier one."""
    return ReplaceAction(ActionKey(seq, part), read(line) if isinstance(line, str) else line)


def without(seq: int, *, part: int = 0) -> DeleteAction:
    """An earlier action never happened."""
    return DeleteAction(ActionKey(seq, part))


def after(seq: int, line: str | Action, *, part: int = 0) -> InsertAction:
    """An action was forgotten there."""
    return InsertAction(ActionKey(seq, part), read(line) if isinstance(line, str) else line)


# --- what is stored ---


_STORED = (
    lambda game_id: Game.objects.filter(pk=game_id).values_list(),
    lambda game_id: Seat.objects.filter(game=game_id).order_by("number").values_list(),
    lambda game_id: LogEntry.objects.filter(game=game_id).order_by("seq").values_list(),
)


def stored(game_id: str) -> tuple[object, ...]:
    """Every stored value of a game: its columns, its seats, its log."""
    return tuple(list(rows(game_id)) for rows in _STORED)


@contextmanager
def refused(table: Table, error: type[NjetError], **params: object) -> Iterator[pytest.ExceptionInfo[NjetError]]:
    """The block is refused with exactly this error, and nothing has changed."""
    before = stored(table.id)
    with pytest.raises(error) as caught:
        yield caught
    assert type(caught.value) is error
    assert {name: caught.value.params.get(name) for name in params} == params
    assert stored(table.id) == before
    assert table.ledger == store.refold(table.game)


# --- others at work ---


@contextmanager
def another_process() -> Iterator[None]:
    """The block runs as in another process: what is kept here is neither read nor refreshed."""
    kept = store._kept
    store._kept = {}
    try:
        yield
    finally:
        store._kept = kept


def at_once(*calls: Callable[[], T]) -> list[T | NjetError]:
    """What the calls answer or are refused with, each on a connection of its own, all released together."""
    gate = threading.Barrier(len(calls))

    def run(call: Callable[[], T]) -> T | NjetError:
        try:
            connections["default"].ensure_connection()
            gate.wait(timeout=120)
            return call()
        except NjetError as refusal:
            return refusal
        finally:
            connections.close_all()

    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(run, calls))

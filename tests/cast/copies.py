"""Games that tests are given: played by the services once in each process, then inserted as rows.

Only the first game of a test is copied, into a database without games, so that the ids of its keys are free.  What a
test does with its game afterwards always goes through the services.  Its ledger is kept on
commit, as services keep it.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TypeVar

from django.db import transaction
from django.test import TestCase
from django.utils import timezone
from django.utils.translation import gettext

from games.bot_runner.tasks import enqueue
from games.database.prepared import Prepared
from games.log import store
from games.models import Game, Invite, Key, LogEntry, Seat, new_game_id
from games.rules import Deal
from games.rules.dealing import commitment_of

committed = TestCase.captureOnCommitCallbacks
"""What is written inside is treated as committed, so that its ledger is kept and need not be folded from its start."""

_GAME = Prepared(lambda pk: Game.objects.filter(pk=pk))


def game_now(game_id: str) -> Game:
    """A game as the database has it now."""
    game = _GAME.first(game_id)
    assert game is not None, "there is no such game"
    return game


T = TypeVar("T")
R = TypeVar("R", Game, Seat, Key, Invite, LogEntry)


@dataclass(frozen=True)
class Rows:
    """Everything that is stored of a game."""

    game: Game
    seats: list[Seat]
    keys: list[Key]
    invites: list[Invite]
    entries: list[LogEntry]

    @classmethod
    def of(cls, game_id: str) -> Rows:
        """Read them."""
        return cls(
            game_now(game_id),
            list(Seat.objects.filter(game=game_id)),
            list(Key.objects.filter(game=game_id)),
            list(Invite.objects.filter(game=game_id)),
            list(LogEntry.objects.filter(game=game_id)),
        )

    def insert(self) -> str:
        """Store them as another game, whose keys have the same ids; its id."""
        later = self._later()
        (game,) = _moved([self.game], later, pk=new_game_id())
        with transaction.atomic():
            game.save(force_insert=True)
            Seat.objects.bulk_create(_moved(self.seats, later, pk=None, game_id=game.pk))
            Key.objects.bulk_create(_moved(self.keys, later, game_id=game.pk))
            Invite.objects.bulk_create(_moved(self.invites, later, pk=None, game_id=game.pk))
            LogEntry.objects.bulk_create(_sealed(_moved(self.entries, later, pk=None, game_id=game.pk)))
            self._enqueue(game.pk)
        transaction.on_commit(lambda: store.read(game))
        return game.pk

    def advance(self, game_id: str, version: int) -> None:
        """Let a game that is equal up to a version go on to these rows."""
        later = self._later()
        entries = _sealed(_moved(self.entries, later, pk=None, game_id=game_id))
        with transaction.atomic():
            LogEntry.objects.bulk_create([entry for entry in entries if entry.seq > version])
            Game.objects.filter(pk=game_id).update(**_columns(_moved([self.game], later)[0]))
            for seat in self.seats:
                Seat.objects.filter(game=game_id, number=seat.number).update(**_columns(seat, "game_id"))
            self._enqueue(game_id)
        transaction.on_commit(lambda: store.read(game_now(game_id)))

    def _enqueue(self, game_id: str) -> None:
        """Store what the bot that is due has to do, as the write of the last entry did."""
        if any(seat.bot for seat in self.seats):
            enqueue(store.read(game_now(game_id)))

    def _later(self) -> timedelta:
        """The time since the last entry: a copy looks as if that was written just now."""
        passed = timezone.now() - max([self.game.created_at, *(entry.at for entry in self.entries)])
        return timedelta(seconds=int(passed.total_seconds()))


def _moved(rows: Iterable[R], later: timedelta, **values: object) -> list[R]:
    """Copies of rows with these values, everything in them so much later."""
    moved = [copy.copy(row) for row in rows]
    for row in moved:
        times = {name: value for name, value in vars(row).items() if isinstance(value, datetime)}
        vars(row).update({name: value + later for name, value in times.items()})
        for name, value in values.items():
            setattr(row, name, value)
    return moved


def _sealed(entries: list[LogEntry]) -> list[LogEntry]:
    """These entries of a copy with deals that name it."""
    dealt = [entry for entry in entries if entry.kind == Deal.kind]
    for number, entry in enumerate(dealt, start=1):
        commitment = commitment_of(entry.payload["seed"], game_id=entry.game_id, round_number=number)
        entry.payload = {**entry.payload, "commitment": commitment}
    return entries


def _columns(row: Game | Seat, *without: str) -> dict[str, object]:
    names = [field.attname for field in row._meta.concrete_fields if not field.primary_key]
    return {name: getattr(row, name) for name in names if name not in without}


_KEPT: dict[str, tuple[Rows, object]] = {}


def is_first() -> bool:
    """Whether a test has no game yet."""
    return not Game.objects.exists()


def copied(recipe: object, play: Callable[[], tuple[str, T]]) -> tuple[str, T]:
    """The id of a game that is played as the recipe says, and what belongs to it that is no row.

    Without a recipe it is played now.
    """
    if recipe is None:
        return play()
    # A device without a name is called in the language of the test.
    name = repr((recipe, gettext("Phone {number}")))
    if name not in _KEPT:
        game_id, beside = play()
        _KEPT[name] = Rows.of(game_id), beside
        return game_id, beside
    rows, beside = _KEPT[name]
    return rows.insert(), beside


def advanced(recipe: object, game_id: str, version: int, play: Callable[[], object]) -> None:
    """Let a copied game go on as the recipe says."""
    name = repr(recipe)
    if name in _KEPT:
        _KEPT[name][0].advance(game_id, version)
    else:
        play()
        _KEPT[name] = Rows.of(game_id), None

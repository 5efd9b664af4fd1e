"""What bots have to do, as tasks of Django's task framework.

A task names a game and its version and derives everything else from the log.  It is stored with the write that makes a
bot due.  Of two processes that run it, or of two runs after a crash, one finds the version that it names.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from contextlib import suppress
from datetime import timedelta
from functools import partial

from django.conf import settings
from django.db import transaction
from django.dispatch import receiver
from django.utils import timezone
from django_tasks import TaskContext, task
from django_tasks_db.models import DBTaskResult

from games import bots
from games.bot_runner import process
from games.bot_runner.process import BOTS
from games.bot_runner.turn import Turn
from games.database import write_queue
from games.errors import NoHint
from games.keys import registry
from games.log import store
from games.log.ledger import Ledger
from games.models import Game
from games.rules import NjetError
from games.rules.proposals import FinishEarly
from games.rules.replay import ProposalEntry
from games.services import hints, proposals
from games.services.write import extended, locked_game

FIRST, HINT, SEARCH = 10, 5, 0
"""The priorities of the bots that decide at once, of hints, and of the bots that search."""
LAST = -90
"""The priority of what is computed after a game."""
REGRET = timedelta(seconds=5)
"""How long a player may withdraw a proposal to finish early, to which bots agree."""
SLOT, SLOT_OF_SEARCH = 0.005, 0.02
"""Seconds that every decision takes at least; beyond its share of search, if it searches."""
HINT_TIMES = 4
"""How many times as long as a bot a hint searches: the analysis, which takes its time, is to find the same."""
SHORTEST_SEARCH = 0.05
"""Seconds of search that every bot gets, however many are due."""


@task(queue_name=BOTS, takes_context=True)
def act(context: TaskContext, game_id: str, version: int) -> None:
    """Act for the bot that is due at this version of a game, if the game has not moved on.

    The action is always written at the end of the slot, also if it was forced: so its time depends only on what
    everybody at the table knows, and does not reveal whether the bot had a choice.
    """
    turn = Turn.at(game_id, version)
    if turn is not None:
        budget = _seconds(turn.level)
        until = time.monotonic() + budget + slot_of(turn)
        action = turn.decide(budget)
        time.sleep(max(0.0, until - time.monotonic()))
    with write_queue.in_turn():
        if turn is not None:
            turn.write(action)
        DBTaskResult.objects.filter(pk=context.task_result.id).delete()


@task(queue_name=BOTS, takes_context=True)
def end(context: TaskContext, game_id: str, about: int) -> None:
    """Let the bots answer a proposal to finish early, if it is still open."""
    with write_queue.in_turn():
        with suppress(NjetError):
            proposals.answer_for_bots(game_id=game_id, about=about)
        DBTaskResult.objects.filter(pk=context.task_result.id).delete()


@task(queue_name=BOTS, takes_context=True)
def hint(context: TaskContext, game_id: str, version: int, seat: int) -> None:
    """Record what the strongest bot would do for a player, if the decision of this version is open without a hint.

    It takes the whole slot, as a bot does.
    """
    game = Game.objects.filter(pk=game_id, deleted_at=None).first()
    ledger = None if game is None else store.read(game)
    found = None
    if ledger is not None and hints.is_wanted(ledger, seat, version):
        turn = Turn(ledger, seat, bots.LEVELS[-1])
        budget = HINT_TIMES * _seconds(turn.level)
        until = time.monotonic() + budget + SLOT_OF_SEARCH
        found = bots.advise(turn.view, seed=turn.seed, budget=budget)
        time.sleep(max(0.0, until - time.monotonic()))
    with write_queue.in_turn():
        if found is not None:
            with suppress(NjetError):
                action, reason, second = found
                hints.record(game_id=game_id, seat=seat, version=version, action=action, reason=reason, second=second)
        DBTaskResult.objects.filter(pk=context.task_result.id).delete()


def ask_hint(ledger: Ledger, seat: int) -> None:
    """Let a bot find a hint for the player of a seat.  `ledger`: as they read it.  A hint that they have stays.

    Errors: `NoHint`.
    """
    known = hints.Hints(ledger)
    if known.are_given and known.of(seat) is not None:
        return
    if not known.may_ask:
        raise NoHint()
    with write_queue.in_turn():
        hint.using(priority=HINT).enqueue(ledger.game_id, ledger.version, seat)
        transaction.on_commit(partial(process.ensure_running, BOTS))


def hurry(*, game_id: str, keys: Iterable[int], version: int, goes_on: bool = False) -> None:
    """Note that the holders of these keys of seats need no more time; once enough say so, the bot begins to act.

    It then takes its slot as always, so that its time does not tell whether it had a choice.  `goes_on`: they have read
    the result of the round before.
    """
    if not goes_on and ((turn := Turn.at(game_id, version)) is None or turn.opens_round):
        return
    with write_queue.in_turn():
        game = locked_game(game_id)
        registry.note_ready(keys, until=min(version, game.version))
        turn = Turn.at(game_id, game.version)
        if turn is not None and turn.is_hurried:
            now = timezone.now()
            waiting = DBTaskResult.objects.filter(args_kwargs__args=[game_id, game.version], run_after__gt=now)
            # A worker that has locked its task would wait for this game.
            due = waiting.select_for_update(skip_locked=True).values_list("pk", flat=True)
            DBTaskResult.objects.filter(pk__in=list(due)).update(run_after=now)


def slot_of(turn: Turn) -> float:
    """The slot of a bot, in seconds, beyond its share of search."""
    return SLOT_OF_SEARCH if turn.searches else SLOT


def _seconds(level: str) -> float:
    """Seconds of search for one bot: all strong ones that are due share the budget of one."""
    if level != bots.LEVELS[-1]:
        return bots.SECONDS[level]
    # Of a lower priority are those for every table of an earlier release, of which most have nothing to do.
    due = DBTaskResult.objects.ready().filter(queue_name=BOTS, priority__in=(HINT, SEARCH)).count()
    return max(SHORTEST_SEARCH, settings.NJET_BOT_BUDGET / max(1, due))


@receiver(extended)
def enqueue(ledger: Ledger, **_: object) -> None:
    """Store what the bot that is due at this version has to do, within the transaction of the write."""
    turn, last, now = Turn.of(ledger), ledger.entries[-1], timezone.now()
    if isinstance(last, ProposalEntry) and isinstance(last.proposal, FinishEarly) and any(ledger.bots):
        end.using(priority=FIRST, run_after=now + REGRET).enqueue(ledger.game_id, last.seq)
        transaction.on_commit(partial(process.ensure_running, BOTS))
    if turn is not None:
        due = act.using(priority=SEARCH if turn.searches else FIRST, run_after=turn.begins(now))
        due.enqueue(ledger.game_id, ledger.version)
        transaction.on_commit(partial(process.ensure_running, BOTS))

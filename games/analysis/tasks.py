"""What a seat's decisions were worth, computed by tasks of the lowest priority, only on request.

A task judges for half a second, stores its result and enqueues the next one.  A restart loses the work of one task at
most.  If two processes run the same task, only one stores its result.
"""

from __future__ import annotations

import time
from functools import partial

from django.conf import settings
from django.db import transaction
from django.utils import timezone
from django_tasks import TaskContext, task
from django_tasks_db.models import DBTaskResult

from games.analysis.decisions import Decision, Judged, Progress, basis, decisions_of, judge_more, judged
from games.bot_runner import process
from games.bot_runner.process import ANALYSES
from games.bot_runner.tasks import LAST
from games.bot_runner.turn import report
from games.database import write_queue
from games.errors import NotFinished
from games.keys.hashes import bot_seed
from games.log import store
from games.log.ledger import Ledger
from games.models import Analysis, Game
from games.rules.errors import DigitalOnly, UnknownSeat

SLICE = 0.5
"""Seconds of one task."""


def asked(game: Game, seat: int) -> Analysis:
    """The analysis of a seat so far; it is started if there is none of this version of the game.

    Errors: `DigitalOnly`, `NotFinished`, `UnknownSeat`.
    """
    ledger = store.seen(game, None)
    demand(ledger, seat)
    version = basis(ledger)
    found = Analysis.objects.filter(game=game, seat=seat).first()
    if found is not None and found.version == version and (found.computed_at or _waits(found)):
        if found.computed_at is None:
            process.ensure_running(ANALYSES)
        return found
    with write_queue.in_turn():
        found, _created = Analysis.objects.select_for_update().get_or_create(
            game=game, seat=seat, defaults={"version": version}
        )
        if found.version != version:
            found.version, found.done, found.result, found.computed_at = version, 0, {}, None
            found.save()
        if found.computed_at is None and not _waits(found):
            _enqueue(found)
            transaction.on_commit(partial(process.ensure_running, ANALYSES))
    return found


def found(game: Game, ledger: Ledger, seat: int | None) -> Progress | None:
    """The complete analysis of a seat that somebody asked for before; None if there is none of this version."""
    if seat is None or not ledger.state.is_over:
        return None
    stored = Analysis.objects.filter(game=game, seat=seat, version=basis(ledger)).exclude(computed_at=None).first()
    return None if stored is None else Progress.from_json(stored.result)


def demand(ledger: Ledger, seat: int) -> None:
    """Refuse a game or a seat that has no analysis.

    Errors: `DigitalOnly`, `NotFinished`, `UnknownSeat`.
    """
    if not ledger.digital:
        raise DigitalOnly(action="analysis")
    if not ledger.state.is_over:
        raise NotFinished()
    if not 0 <= seat < ledger.state.players:
        raise UnknownSeat(seat=seat)


def _waits(found: Analysis) -> bool:
    arguments = [found.game_id, found.seat, found.version]
    return DBTaskResult.objects.filter(queue_name=ANALYSES, args_kwargs__args=arguments).exists()


def _enqueue(found: Analysis) -> None:
    judge_on.using(priority=LAST).enqueue(found.game_id, found.seat, found.version)


@task(queue_name=ANALYSES, takes_context=True)
def judge_on(context: TaskContext, game_id: str, seat: int, version: int) -> None:
    """Judge some more decisions of a seat, unless the game has changed since."""
    waiting = Analysis.objects.filter(game=game_id, seat=seat, version=version, computed_at=None)
    found = waiting.select_related("game").first()
    ledger = None if found is None else store.seen(found.game, None)
    if found is not None and ledger is not None and ledger.state.is_over and basis(ledger) == version:
        before = found.done
        _judge(found, ledger)
        found.done += 1
        found.computed_at = timezone.now() if Progress.from_json(found.result).is_complete else None
    else:
        found = None
    with write_queue.in_turn():
        if found is not None:
            figures = {"done": found.done, "result": found.result, "computed_at": found.computed_at}
            if waiting.filter(done=before).update(**figures) and found.computed_at is None:
                _enqueue(found)
        DBTaskResult.objects.filter(pk=context.task_result.id).delete()


def _judge(found: Analysis, ledger: Ledger) -> None:
    until = time.monotonic() + SLICE
    progress = judge_more(
        decisions_of(ledger, found.seat),
        Progress.from_json(found.result),
        judge=partial(safely_judged, ledger.game_id),
        more=lambda: time.monotonic() < until,
    )
    found.result = progress.to_json()


def safely_judged(game_id: str, decision: Decision, times: int) -> Judged:
    """The verdict on a decision.  The second search, with more guesses, uses another seed."""
    assert decision.view.seat is not None, "a spectator decides nothing"
    seed = bot_seed(game_id, decision.seq, decision.view.seat) + times
    try:
        return judged(decision, seed=seed, guesses=max(1, settings.NJET_ANALYSIS_GUESSES) * times)
    except Exception as error:
        # A bug must not stop the analysis of the other decisions.
        report(f"Decision {decision.seq} of game {game_id} could not be judged", error)
        return Judged(decision.seq, decision.played, decision.played, 0.0, 0.0, 0.0)

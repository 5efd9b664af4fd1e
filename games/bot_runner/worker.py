"""The worker of the tasks that django-tasks-db stores.

The library's own marks a task as running and then as finished: a commit before it and one after it, SQLite's exclusive
lock for each look at the queue, and a task whose worker was killed stays marked forever.  Here a task deletes its row
in the transaction of what it does.  Until then the row is as it was; PostgreSQL locks it, so that other workers skip
it.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Collection
from contextlib import nullcontext
from datetime import timedelta
from typing import Any

from django.db import DatabaseError, InterfaceError, OperationalError, close_old_connections, transaction
from django.db.models import Max, Min
from django.utils import timezone
from django_tasks import TaskContext, TaskResultStatus
from django_tasks_db.models import DBTaskResult, DBTaskResultQuerySet

from games.bot_runner.turn import PATIENCE, logger, report
from games.database import write_queue
from games.services import bot_speed

AFTER_A_FAILURE = timedelta(seconds=30)
"""When a task that failed is tried again."""
AFTER_AN_OUTAGE = 1.0
"""Seconds until the database is tried again."""


class Worker:
    """Runs tasks until each has deleted its row.  One that fails is tried again later.

    `queues`: their names; `interval`: the seconds between two looks while no task is due; `most`: the number of tasks
    after which it ends.
    """

    def __init__(self, queues: Collection[str], *, interval: float, most: int | None = None) -> None:
        self.queues, self.interval, self.most = queues, interval, most
        self.running, self.is_busy, self.done = True, False, 0

    def stop(self) -> None:
        """End after the task that is running.  Errors: `SystemExit` if there is none."""
        self.running = False
        if not self.is_busy:
            sys.exit(0)

    def run(self) -> None:
        """Run tasks until `stop` is called."""
        while self.running and (self.most is None or self.done < self.most):
            try:
                wait = self.serve()
            except (DatabaseError, InterfaceError) as error:
                kind = type(error).__name__
                logger.error("The worker cannot reach the database: %s", kind, extra={"outage": True})
                if not transaction.get_connection().in_atomic_block:
                    close_old_connections()
                wait = AFTER_AN_OUTAGE
            if self.running:
                time.sleep(wait)

    def serve(self) -> float:
        """Run the next task that is due; the seconds until the next look."""
        now = timezone.now()
        waiting = self._tasks().filter(status=TaskResultStatus.READY)
        first, last = waiting.aggregate(first=Min("run_after"), last=Max("run_after")).values()
        if first is None:
            return self.interval
        # No task is put off for longer, except by a clock that was wrong.
        latest = now + AFTER_A_FAILURE + PATIENCE + 2 * bot_speed.longest_pause()
        if last > latest:
            _put_off(waiting.filter(run_after__gt=latest), timedelta())
        elif first > now:
            return min(float((first - now).total_seconds()), self.interval)
        # Other workers may have locked all that is due.
        return 0.0 if self._run_next() else self.interval

    def _tasks(self) -> DBTaskResultQuerySet:
        return DBTaskResult.objects.filter(queue_name__in=self.queues)

    def _run_next(self) -> bool:
        """Run the next task that no other worker runs.  Whether there was one."""
        task: DBTaskResult[Any, Any] | None = None
        self.is_busy = True
        try:
            # Without row locks a second worker would run the same task too: a search must not block SQLite's writers.
            with transaction.atomic() if _locks_rows() else nullcontext():
                task = self._tasks().ready().get_locked()
                if task is not None:
                    context = TaskContext(task_result=task.task_result)  # type: ignore[arg-type]  # (of the same class)
                    task.task.call(context, *task.args_kwargs["args"], **task.args_kwargs["kwargs"])
        except (OperationalError, InterfaceError):
            raise
        except Exception as error:
            assert task is not None, "the queue itself raises errors of the database"
            # The tasks of other games go on.
            report(f"The task {task.task_path} {task.args_kwargs['args']} failed", error)
            _put_off(self._tasks().filter(pk=task.pk), AFTER_A_FAILURE)
        finally:
            self.is_busy = False
            self.done += task is not None
        return task is not None


def _locks_rows() -> bool:
    return bool(transaction.get_connection().features.has_select_for_update_skip_locked)


def _put_off(tasks: DBTaskResultQuerySet, after: timedelta) -> None:
    with write_queue.in_turn():
        tasks.update(run_after=timezone.now() + after)

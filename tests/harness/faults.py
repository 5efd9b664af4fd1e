"""Faults to plant: each is an app that spoils the server when it is loaded.

Knows: where each promise is kept in the code.  No server loads this unless a harness asks for it (`faulty.py`).
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from django.apps import AppConfig
from django.db import transaction
from django.db.backends.signals import connection_created
from django.db.backends.sqlite3.base import DatabaseWrapper

LATE = 0.05
"""Seconds by which a commit comes after its answer."""


class AnswerBeforeCommit(AppConfig):
    """A write is answered first and committed shortly after."""

    name = "tests.harness"
    label = "answer_before_commit"

    def ready(self) -> None:
        commit = DatabaseWrapper._commit

        def commit_later(wrapper: Any) -> None:
            pending = wrapper.connection
            if pending is None or not pending.in_transaction:
                return commit(wrapper)
            # The pending connection holds the write lock until it has committed, so that nothing but a kill tells.
            threading.Thread(target=commit_late, args=(pending,)).start()
            wrapper.connection = wrapper.get_new_connection(wrapper.get_connection_params())
            return None

        DatabaseWrapper._commit = commit_later


def commit_late(connection: Any) -> None:
    """What comes after the answer."""
    time.sleep(LATE)
    connection.commit()
    connection.close()


class CommitsAreNotSynced(AppConfig):
    """SQLite leaves to the system when the disk gets what was committed."""

    name = "tests.harness"
    label = "commits_are_not_synced"

    def ready(self) -> None:
        connection_created.connect(stop_syncing, dispatch_uid=self.label)


def stop_syncing(connection: Any, **_: object) -> None:
    """Undo what the settings say of it."""
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA synchronous = OFF")


class VersionsAreIgnored(AppConfig):
    """Anyone who comes second overrules what they have not seen."""

    name = "tests.harness"
    label = "versions_are_ignored"

    def ready(self) -> None:
        forget_in_requests(version=None)


class WritersDoNotWaitInLine(AppConfig):
    """No fault, only slow: writers poll the database instead of queueing (for `tests.benchmarks.write_queue`)."""

    name = "tests.harness"
    label = "writers_do_not_wait_in_line"

    def ready(self) -> None:
        from games.database import write_queue

        write_queue.in_turn = transaction.atomic


class RequestIdsAreIgnored(AppConfig):
    """A repeated request is a new one."""

    name = "tests.harness"
    label = "request_ids_are_ignored"

    def ready(self) -> None:
        forget_in_requests(request_id=None)


def forget_in_requests(**forgotten: None) -> None:
    """Let the services overlook something that clients say of their requests."""
    from games.services import write as writing

    write: Callable[..., Any] = writing.write

    def forgetful(operation: str, *, request: writing.Request, **rest: Any) -> Any:
        return write(operation, request=replace(request, **forgotten), **rest)

    writing.write = forgetful

"""SQLite's writers take turns: one at a time, and no one waits forever."""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager

import pytest
from django.db import OperationalError, connection, transaction

from games.database import write_queue
from games.models import Attempt
from tests.cast.tables import at_once

Busy = Callable[[], AbstractContextManager[None]]

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL needs no turns"),
]


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """No one waits long."""
    monkeypatch.setitem(connection.settings_dict["OPTIONS"], "timeout", 0.2)


@contextmanager
def somebody_writes() -> Iterator[None]:
    """For the length of the block another thread has the turn."""
    began, ended = threading.Event(), threading.Event()

    def hold() -> None:
        with write_queue.in_turn():
            began.set()
            ended.wait(10)

    writer = threading.Thread(target=at_once, args=(hold,))
    writer.start()
    began.wait(10)
    try:
        yield
    finally:
        ended.set()
        writer.join()


@contextmanager
def another_process_writes() -> Iterator[None]:
    """For the length of the block another process has the lock of the database."""
    with closing(sqlite3.connect(connection.settings_dict["NAME"], isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield


def is_free() -> bool:
    """Whether no one has the turn."""
    return not write_queue._turn.locked()


def write() -> None:
    """Write something."""
    Attempt.objects.create(address_hash="x")


def write_in_turn() -> None:
    """Write something when it is time."""
    with write_queue.in_turn():
        write()


def test_one_at_a_time_writes() -> None:
    inside: list[int] = []

    def enter() -> int:
        with write_queue.in_turn():
            inside.append(1)
            together = len(inside)
            write()
            inside.pop()
        return together

    assert at_once(*[enter] * 12) == [1] * 12
    assert Attempt.objects.count() == 12


def test_the_turn_ends_with_the_commit_before_what_follows_it() -> None:
    free: list[bool] = []

    with write_queue.in_turn():
        write()
        transaction.on_commit(lambda: free.append(is_free()))
        assert not is_free()

    assert free == [True]
    assert is_free()


def test_the_turn_ends_when_the_transaction_fails() -> None:
    def write_and_fail() -> None:
        with write_queue.in_turn():
            write()
            raise LookupError

    with pytest.raises(LookupError):
        write_and_fail()

    assert is_free()
    assert not Attempt.objects.exists()


def test_the_turn_ends_when_the_commit_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> None:
        raise OperationalError("disk I/O error")

    with monkeypatch.context() as patched:
        patched.setattr(connection, "_commit", fail)
        with pytest.raises(OperationalError, match="disk"):
            write_in_turn()

    assert is_free()
    assert not Attempt.objects.exists()


def test_inside_of_a_transaction_no_one_waits_for_a_turn() -> None:
    with transaction.atomic(), write_queue.in_turn():
        assert is_free()
        write()
    with write_queue.in_turn(), write_queue.in_turn():
        write()

    assert Attempt.objects.count() == 2
    assert is_free()


def test_a_writer_waits_for_other_processes() -> None:
    with another_process_writes():
        writer = threading.Thread(target=at_once, args=(write_in_turn,))
        writer.start()
        time.sleep(0.1)
        assert not Attempt.objects.exists()
    writer.join()

    assert Attempt.objects.count() == 1


@pytest.mark.parametrize("busy", [somebody_writes, another_process_writes])
def test_a_turn_that_does_not_come_is_a_locked_database(impatient: None, busy: Busy) -> None:
    with busy():
        for _ in range(2):
            with pytest.raises(OperationalError, match="database is locked"):
                write_in_turn()

    # Who gave up is not called any more.
    write_in_turn()
    assert Attempt.objects.count() == 1

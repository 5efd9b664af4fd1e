"""Several processes on one database, each with ledgers of its own in memory."""

from __future__ import annotations

import itertools
import os
import subprocess
import sys
from urllib.parse import quote

import pytest
from django.conf import settings
from django.db import connection

from games.log import store
from games.management.commands.check_logs import differences_of
from tests.services.tables import Table

pytestmark = pytest.mark.django_db(transaction=True)


def url_of_the_test_database() -> str:
    """`DATABASE_URL` for a process that is to work on the tests' database."""
    database = connection.settings_dict
    if connection.vendor == "sqlite":
        return f"sqlite:///{database['NAME']}"
    user, password, host = (quote(database[name], safe="") for name in ("USER", "PASSWORD", "HOST"))
    return f"postgres://{user}:{password}@{host}:{database['PORT']}/{database['NAME']}"


@pytest.mark.slow
def test_three_processes_write_to_one_game() -> None:
    table = Table(None, "trump red")
    command = [sys.executable, "-m", "tests.services.writer", table.id, str(table.key.pk), "10"]
    writers = [
        subprocess.Popen(
            command,
            cwd=settings.BASE_DIR,
            env={**os.environ, "DATABASE_URL": url_of_the_test_database()},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for _ in range(3)
    ]
    try:
        for writer in writers:
            assert writer.stdout.readline() == "ready\n"
        for writer in writers:
            writer.stdin.write("go\n")
            writer.stdin.flush()
        here = [table.record("penalty 0 -1 late").version for _ in range(10)]
        there = [[int(version) for version in writer.communicate(timeout=60)[0].split()] for writer in writers]
    finally:
        for writer in writers:
            writer.kill()
            writer.wait()

    assert [writer.returncode for writer in writers] == [0, 0, 0]
    assert sorted([*here, *itertools.chain(*there)]) == list(range(2, 42))
    assert all(versions == sorted(versions) for versions in (here, *there))
    assert table.state.totals == (-10, -30, 0)
    assert table.ledger == store.refold(table.game)
    assert differences_of(table.id) == []

"""Several processes on one database, each with ledgers of its own in memory."""

from __future__ import annotations

import itertools
import os
import random
import subprocess
import sys
import time
from pathlib import Path
from urllib.parse import quote

import pytest
from django.conf import settings
from django.db import connection
from django_tasks_db.models import DBTaskResult

from games.log import store
from games.management.commands.check_logs import differences_of
from games.models import Status
from tests.builders import english
from tests.cast.digital import DigitalTable
from tests.cast.tables import Table

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
        there = [[int(version) for version in writer.communicate(timeout=300)[0].split()] for writer in writers]
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


@pytest.mark.slow
def test_two_workers_that_are_killed_in_turn_let_every_bot_act_once(tmp_path: Path) -> None:
    chance = random.Random(2)
    levels = dict.fromkeys(range(4), "easy")
    tables = [DigitalTable(english(4, rounds=1), bots={**levels, 3: level}) for level in ("easy", "strong", "easy")]
    assert DBTaskResult.objects.count() == len(tables), "at each table a bot is due, also where it is a copy"

    def start() -> subprocess.Popen[bytes]:
        variables = {"DATABASE_URL": url_of_the_test_database(), "NJET_BOT_PAUSE": "1", "NJET_BOT_BUDGET": "0.01"}
        key = {"NJET_SECRET_KEY": settings.SECRET_KEY, "NJET_DATA": str(tmp_path)}
        command = [sys.executable, "manage.py", "db_worker"]
        return subprocess.Popen(command, cwd=settings.BASE_DIR, env={**os.environ, **variables, **key})

    workers, kills = [start(), start()], 0
    try:
        deadline, goal = time.monotonic() + 300, 0
        while any(table.game.status == Status.PLAYING for table in tables):
            assert time.monotonic() < deadline
            time.sleep(chance.uniform(0, 0.02))
            if (written := sum(table.game.version for table in tables)) > goal:
                goal = written + chance.randint(20, 60)
                workers[kills % 2].kill()
                workers[kills % 2].wait()
                workers[kills % 2] = start()
                kills += 1
    finally:
        for worker in workers:
            worker.kill()
            worker.wait()

    assert kills > 2
    for table in tables:
        entries = store.rows(table.id)
        assert [entry.seq for entry in entries] == list(range(1, len(entries) + 1))
        assert differences_of(table.id) == []
    assert not DBTaskResult.objects.exists()

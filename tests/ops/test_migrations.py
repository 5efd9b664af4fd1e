"""A database of an earlier release gets the tables of this one."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.ops.running import manage

pytestmark = pytest.mark.slow


def insert(database: sqlite3.Connection, table: str, **values: object) -> None:
    """Insert a row; what is not named and must not be null is zero."""
    needed = [name for _, name, _, not_null, _, pk in database.execute(f"PRAGMA table_info({table})") if not_null > pk]
    row = dict.fromkeys(needed, 0) | values
    places = ", ".join("?" * len(row))
    database.execute(f"INSERT INTO {table} ({', '.join(row)}) VALUES ({places})", list(row.values()))


def test_an_invitation_to_a_seat_that_was_made_before_ends_with_its_use(tmp_path: Path) -> None:
    assert manage(tmp_path, "migrate", "games", "0008").returncode == 0
    with closing(sqlite3.connect(tmp_path / "njet.sqlite3")) as database, database:
        database.execute("PRAGMA ignore_check_constraints = ON")
        insert(database, "games_game", id="ofearlier000", mode="digital", status="playing", setup="{}")
        for role in ("seat", "viewer"):
            hashes = {"token_hash": role, "code_hash": role}
            insert(database, "games_invite", game_id="ofearlier000", role=role, expires_at=1, **hashes)

    assert manage(tmp_path, "migrate", "games").returncode == 0

    with closing(sqlite3.connect(tmp_path / "njet.sqlite3")) as database:
        made = database.execute("SELECT role, single_use, used_by, key_id FROM games_invite ORDER BY role").fetchall()
        assert made == [("seat", 1, "", None), ("viewer", 0, "", None)]
        assert database.execute("SELECT length(epoch), clock FROM games_installation").fetchall() == [(16, None)]


def test_the_bots_of_tables_that_were_played_before_go_on(tmp_path: Path) -> None:
    assert manage(tmp_path, "migrate", "games", "0009").returncode == 0
    with closing(sqlite3.connect(tmp_path / "njet.sqlite3")) as database, database:
        database.execute("PRAGMA ignore_check_constraints = ON")
        for number, (mode, status) in enumerate(
            [("digital", "playing"), ("digital", "finished"), ("table", "playing")]
        ):
            game = f"ofearlier00{number}"
            insert(database, "games_game", id=game, mode=mode, status=status, version=7, setup="{}")
            insert(database, "games_logentry", game_id=game, seq=1, kind="seat", payload="{}")
        insert(database, "games_game", id="withoutbots0", mode="digital", status="playing", version=7, setup="{}")

    assert manage(tmp_path, "migrate").returncode == 0

    with closing(sqlite3.connect(tmp_path / "njet.sqlite3")) as database:
        tasks = database.execute("SELECT task_path, args_kwargs FROM django_tasks_database_dbtaskresult").fetchall()
    assert [(path, json.loads(given)) for path, given in tasks] == [
        ("games.bot_runner.tasks.act", {"args": ["ofearlier000", 7], "kwargs": {}})
    ]
    # The game cannot be read: the task was found and run.
    done = manage(tmp_path, "db_worker", "--max-tasks", "1")
    assert "ofearlier000" in done.stderr

"""A database of an earlier release gets the tables of this one."""

from __future__ import annotations

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
        insert(database, "games_game", id="ofearlier000", mode="digital", setup="{}")
        for role in ("seat", "viewer"):
            hashes = {"token_hash": role, "code_hash": role}
            insert(database, "games_invite", game_id="ofearlier000", role=role, expires_at=1, **hashes)

    assert manage(tmp_path, "migrate", "games").returncode == 0

    with closing(sqlite3.connect(tmp_path / "njet.sqlite3")) as database:
        made = database.execute("SELECT role, single_use, used_by, key_id FROM games_invite ORDER BY role").fetchall()
        assert made == [("seat", 1, "", None), ("viewer", 0, "", None)]
        assert database.execute("SELECT length(epoch), clock FROM games_installation").fetchall() == [(16, None)]

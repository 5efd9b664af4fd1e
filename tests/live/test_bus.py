"""What other processes write: SQLite's data version, PostgreSQL's notifications."""

from __future__ import annotations

import os
import secrets
import shutil
import sqlite3
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from django.db import connection

from games.live.bus import GONE, PostgresBus, SqliteBus
from games.models import Game
from tests.live.phones import Visitor
from tests.ops.running import Server

pytestmark = pytest.mark.slow

GAME = "table0000001"

on_postgresql = pytest.mark.skipif(connection.vendor != "postgresql", reason="asks PostgreSQL")


@dataclass
class Ear:
    """A hub that only listens."""

    versions: dict[str, int] = field(default_factory=dict)
    messages: list[Mapping[str, object]] = field(default_factory=list)
    missed: int = 0

    def watched_versions(self) -> dict[str, int]:
        return dict(self.versions)

    def receive(self, message: Mapping[str, object]) -> None:
        self.messages.append(message)
        match message:
            case {"version": [game_id, version, *_]}:
                self.versions[game_id] = version

    def missed_messages(self) -> None:
        self.missed += 1


def wait_for(condition: Callable[[], object], seconds: float = 5) -> None:
    """Wait until it is true."""
    began = time.monotonic()
    while not condition():
        assert time.monotonic() - began < seconds, "it did not happen"
        time.sleep(0.001)


@pytest.fixture
def database(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    with sqlite3.connect(tmp_path / "njet.sqlite3", isolation_level=None) as made:
        made.execute("CREATE TABLE games_game (id TEXT PRIMARY KEY, version INTEGER, deleted_at TEXT)")
        made.execute("INSERT INTO games_game VALUES (?, 0, NULL)", (GAME,))
        yield made
    made.close()


def path_of(database: sqlite3.Connection) -> Path:
    return Path(database.execute("PRAGMA database_list").fetchone()[2])


@pytest.fixture
def bus(database: sqlite3.Connection) -> Iterator[SqliteBus]:
    started = SqliteBus(Ear({GAME: 0}), path_of(database))
    started.start()
    yield started
    started.stop()
    started.join(5)


def ear(bus: SqliteBus | PostgresBus) -> Ear:
    assert isinstance(bus.hub, Ear)
    return bus.hub


def news(version: int) -> Mapping[str, object]:
    return {"version": [GAME, version, None]}


@pytest.mark.parametrize(
    ("written", "version"),
    [
        ("UPDATE games_game SET version = 3", 3),
        ("UPDATE games_game SET deleted_at = '2026-11-27'", GONE),
        ("DELETE FROM games_game", GONE),
    ],
)
def test_what_another_process_writes_is_found(
    bus: SqliteBus, database: sqlite3.Connection, written: str, version: int
) -> None:
    time.sleep(0.2)

    database.execute(written)

    wait_for(lambda: news(version) in ear(bus).messages)


def test_who_begins_to_listen_after_a_write_hears_of_it(bus: SqliteBus, database: sqlite3.Connection) -> None:
    ear(bus).versions.clear()
    database.execute("UPDATE games_game SET version = 1")
    time.sleep(0.7)

    ear(bus).versions[GAME] = 0

    wait_for(lambda: news(1) in ear(bus).messages)


def test_a_database_that_is_busy_is_looked_at_again(bus: SqliteBus, database: sqlite3.Connection) -> None:
    database.execute("BEGIN EXCLUSIVE")
    database.execute("UPDATE games_game SET version = 4")
    time.sleep(0.3)
    assert ear(bus).messages == []

    database.execute("COMMIT")

    wait_for(lambda: news(4) in ear(bus).messages)


@pytest.mark.database
@on_postgresql
def test_two_processes_on_postgresql_tell_each_other_of_taps_and_phones(first_start: Path, tmp_path: Path) -> None:
    import psycopg

    data = shutil.copytree(first_start, tmp_path / "data")
    parameters = connection.get_connection_params()
    name = f"njet_live_{secrets.token_hex(4)}"
    with psycopg.connect(**parameters | {"dbname": "postgres"}, autocommit=True) as server_itself:
        server_itself.execute(f"CREATE DATABASE {name}")
        try:
            url = os.environ["DATABASE_URL"].rsplit("/", 1)[0] + f"/{name}"
            with Server(data, WEB_CONCURRENCY="2", DATABASE_URL=url) as server:
                _taps_and_presence_cross(server)
        finally:
            server_itself.execute(f"DROP DATABASE {name} WITH (FORCE)")


def _taps_and_presence_cross(server: Server) -> None:
    ana = Visitor(server.port)
    ana.open_table("Ana", "Ben", "Cleo")
    ben = ana.invite("scorekeeper", label="Ben")
    # Which process answers is chance: among eight streams are some of each.
    streams = [ana.listen() for _ in range(7)] + [ben.listen()]
    try:
        ana.cover("trump:red")
        for stream in streams:
            stream.next("version", data="1")
        for stream in streams:
            names: set[str] = set()
            while "Ben" not in names:
                names = {phone["name"] for phone in stream.next("here").json}
    finally:
        for stream in streams:
            stream.close()


@on_postgresql
@pytest.mark.django_db(transaction=True)
def test_a_notification_reaches_the_other_process_and_a_silent_write_is_found() -> None:
    game = Game.objects.create(mode="table", preset="njet-english", setup={}, rules_version=1)
    one, two = PostgresBus(Ear({game.pk: 0})), PostgresBus(Ear({game.pk: 0}))
    for bus in (one, two):
        bus.start()
    try:
        time.sleep(0.5)
        one.send({"version": [game.pk, 1, None]})
        wait_for(lambda: ear(two).messages)
        assert ear(one).messages == []

        Game.objects.filter(pk=game.pk).update(version=9)
        wait_for(lambda: {"version": [game.pk, 9, None]} in ear(one).messages)
    finally:
        for bus in (one, two):
            bus.stop()
            bus.join(5)


@on_postgresql
@pytest.mark.django_db(transaction=True)
def test_a_lost_connection_loses_no_message_and_is_reported_to_the_hub() -> None:
    one, two = PostgresBus(Ear()), PostgresBus(Ear())
    for bus in (one, two):
        bus.start()
    try:
        time.sleep(0.5)
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )
        for bus in (one, two):
            wait_for(lambda bus=bus: ear(bus).missed == 1)
        one.send({"revoked": [GAME, [1]]})
        wait_for(lambda: ear(two).messages == [{"revoked": [GAME, [1]]}])
    finally:
        for bus in (one, two):
            bus.stop()
            bus.join(5)

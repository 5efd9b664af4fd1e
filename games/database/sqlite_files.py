"""Copies and checks SQLite files for backups.

The functions work on files that are closed or in use by a running server. They do not use Django's connection, which
would create a missing file.
"""

import os
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from urllib.parse import quote

from django.db import connection
from django.db.migrations.loader import MigrationLoader

# The apps with tables of their own.
OWN_APPS = ("games", "sessions")

SIDE_FILES = ("-journal", "-wal", "-shm")


class Unsound(Exception):
    """The file cannot be used as a database of this application; the message gives the reason."""


def copy(source: Path, target: Path) -> None:
    """Copy a consistent snapshot, also while other processes write to the source.

    The copy is a single file without a write-ahead log, and it is on the disk when this returns.
    """
    try:
        with (
            closing(sqlite3.connect(f"file:{quote(str(source))}?mode=ro", uri=True, timeout=20)) as reader,
            closing(sqlite3.connect(target)) as writer,
        ):
            reader.backup(writer)
            writer.execute("PRAGMA journal_mode = DELETE")
    except sqlite3.DatabaseError as error:
        raise Unsound(f"{source} cannot be read as a SQLite database ({error})") from error
    sync(target)


def check(file: Path, *, name: Path) -> None:
    """Raises `Unsound` unless the file is undamaged and has the tables of this application.

    `name`: the name of the file in the message.
    """
    with closing(sqlite3.connect(file)) as database:
        try:
            damage = database.execute("PRAGMA integrity_check(1)").fetchone()[0]
            applied = set(database.execute("SELECT app, name FROM django_migrations"))
        except sqlite3.DatabaseError as error:
            raise Unsound(f"{name} is not a database of NJET Assist ({error})") from error
    if damage != "ok":
        raise Unsound(f"{name} is damaged ({damage})")
    known = MigrationLoader(None)
    if not {step for step in known.graph.root_nodes() if step[0] in OWN_APPS} <= applied:
        raise Unsound(f"{name} is not a database of NJET Assist (tables are missing)")
    if unknown := {(app, step) for app, step in applied if app == "games"} - set(known.disk_migrations):
        raise Unsound(f"{name} was written by a newer version of NJET Assist ({max(unknown)[1]})")


@contextmanager
def replacing(target: Path) -> Iterator[Path]:
    """A new file beside the target that replaces it at the end, or is removed after an error."""
    descriptor, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    os.close(descriptor)
    fresh = Path(name)
    try:
        yield fresh
        # SQLite would apply a journal of the old file to the new one.
        for suffix in SIDE_FILES:
            target.with_name(target.name + suffix).unlink(missing_ok=True)
        fresh.replace(target)
        sync(target.parent)
    finally:
        fresh.unlink(missing_ok=True)


def sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def database_file() -> Path:
    return Path(connection.settings_dict["NAME"])

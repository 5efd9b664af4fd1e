"""Copies and checks SQLite files for backups.

The functions work on files that are closed or in use by a running server. They do not use Django's connection, which
would create a missing file.
"""

import glob
import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from urllib.parse import quote

from django.apps import apps
from django.db import connection

from games.database import file_lock

# The apps with tables of their own.
OWN_APPS = ("games", "sessions")

PATIENCE = 60.0
"""Seconds to wait for another copy that is written into the same folder."""

SIDE_FILES = ("-journal", "-wal", "-shm")


class Refused(Exception):
    """The file cannot be used as a database of this application, or be written now; the message gives the reason."""


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
        raise Refused(f"{source} cannot be read as a SQLite database ({error})") from error
    sync(target)


def check(file: Path, *, name: Path) -> None:
    """Raises `Refused` unless the file is undamaged and has the tables of this application.

    `name`: the name of the file in the message.
    """
    with closing(sqlite3.connect(file)) as database:
        try:
            damage = database.execute("PRAGMA integrity_check(1)").fetchone()[0]
            applied = set(database.execute("SELECT app, name FROM django_migrations"))
        except sqlite3.DatabaseError as error:
            raise Refused(f"{name} is not a database of NJET Assist ({error})") from error
    _refuse(name, damage)
    if not {(app, "0001_initial") for app in OWN_APPS} <= applied:
        raise Refused(f"{name} is not a database of NJET Assist (tables are missing)")
    known = {file.stem for file in Path(apps.get_app_config("games").path, "migrations").glob("[0-9]*.py")}
    if unknown := {step for app, step in applied if app == "games"} - known:
        raise Refused(f"{name} was written by a newer version of NJET Assist ({max(unknown)})")


def quick_check(file: Path, *, seconds: float) -> None:
    """Raises `Refused` if SQLite finds damage within this number of seconds.  It reads some 500 MB in a second."""
    deadline = time.monotonic() + seconds
    with closing(sqlite3.connect(file)) as database:
        database.set_progress_handler(lambda: time.monotonic() > deadline, 100_000)
        try:
            damage = database.execute("PRAGMA quick_check(1)").fetchone()[0]
        except sqlite3.DatabaseError as error:
            if error.sqlite_errorcode == sqlite3.SQLITE_INTERRUPT:
                return
            damage = str(error)
    _refuse(file, damage)


def _refuse(name: Path, damage: str) -> None:
    if damage != "ok":
        raise Refused(f"{name} is damaged ({damage.splitlines()[-1]})")


def make_private(database: Path) -> None:
    """Take a database and the files beside it away from the other users of this machine."""
    for file in database.parent.glob(f"{glob.escape(database.name)}*"):
        # A file of another user stays as it is.
        with suppress(PermissionError):
            file.chmod(0o600)


@contextmanager
def replacing(target: Path) -> Iterator[Path]:
    """A new file beside the target that replaces it at the end, or is removed after an error.

    What a process has left that was killed while it did the same is removed first.
    Errors: `Refused` while another process does so in the same folder.
    """
    with _alone_in(target.parent, patience=PATIENCE):
        fresh = _unfinished(target)
        _remove(fresh)
        try:
            fresh.touch(0o600)
            yield fresh
            # SQLite would apply a journal of the old file to the new one.
            for suffix in SIDE_FILES:
                target.with_name(target.name + suffix).unlink(missing_ok=True)
            fresh.replace(target)
            sync(target.parent)
        finally:
            _remove(fresh)


def remove_leftovers(target: Path) -> None:
    """Remove the unfinished copy of a file whose process was killed; none that is being written."""
    with suppress(Refused), _alone_in(target.parent, patience=0):
        _remove(_unfinished(target))


@contextmanager
def _alone_in(folder: Path, *, patience: float) -> Iterator[None]:
    """The lock under which copies are written into a folder; nothing where folders cannot be locked.

    Errors: `Refused` while another process does so in the same folder.
    """
    with ExitStack() as held:
        try:
            held.callback(os.close, file_lock.lock(folder, patience=patience))
        except BlockingIOError as error:
            raise Refused(f"Another backup or restore is writing to {folder}") from error
        except OSError:
            pass
        yield


def _unfinished(target: Path) -> Path:
    return target.with_name(f".{target.name}.unfinished")


def _remove(file: Path) -> None:
    for suffix in ("", *SIDE_FILES):
        file.with_name(file.name + suffix).unlink(missing_ok=True)


def sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def database_file() -> Path:
    return Path(connection.settings_dict["NAME"])

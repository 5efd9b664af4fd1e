"""`manage.py restore FILE`: replaces the database by a backup."""

import os
import sqlite3
from argparse import ArgumentParser
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import connection

from games.bot_runner import process
from games.database import file_lock, sqlite_files
from games.models import Installation, new_epoch


class Command(BaseCommand):
    help = "Replaces the SQLite database by the backup FILE, which is checked first."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, metavar="FILE")
        parser.add_argument("--force", action="store_true", help="replace the present database")

    def handle(self, *, file: Path, force: bool, **options: Any) -> None:
        if connection.vendor != "sqlite":
            raise CommandError("The database is PostgreSQL: use pg_restore to restore it.")
        target = sqlite_files.database_file()
        if not file.is_file():
            raise CommandError(f"There is no file {file}.")
        if target.exists() and target.samefile(file):
            raise CommandError(f"{file} is the database itself.")
        running = f"A server is running on {target}: stop it first."
        try:
            target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            locks = [file_lock.lock(file_lock.lock_file())]
            running = f"A worker is running on {target}: end `manage.py db_worker` first."
            # A worker that a server has started ends shortly after it.
            locks.append(file_lock.lock(process.workers_file(), patience=process.LAST_WORDS))
        except BlockingIOError as error:
            raise CommandError(running) from error
        except OSError as error:
            raise CommandError(f"{target.parent} cannot be written: {error.strerror}.") from error
        try:
            self.restore(file, target, force=force)
        finally:
            for lock in locks:
                os.close(lock)
        self.stdout.write(f"Restored {target} from {file}.")

    @staticmethod
    def restore(file: Path, target: Path, *, force: bool) -> None:
        if target.exists() and not force:
            raise CommandError(f"{target} exists; --force replaces it, and everything in it is lost.")
        try:
            # The copy is checked, because the copy becomes the database.
            with sqlite_files.replacing(target) as fresh:
                sqlite_files.copy(file, fresh)
                sqlite_files.check(fresh, name=file)
                begin_epoch(fresh)
        except sqlite_files.Refused as error:
            raise CommandError(f"{error}; nothing was changed.") from error
        except OSError as error:
            raise CommandError(f"{target} cannot be written: {error.strerror}.") from error


def begin_epoch(file: Path) -> None:
    """Mark a copied database as another one: a phone may show a later version of a game than the copy has."""
    # An older backup has no such table; the migration gives it one with an epoch of its own.
    with closing(sqlite3.connect(file)) as database, database, suppress(sqlite3.OperationalError):
        database.execute(f"UPDATE {Installation._meta.db_table} SET epoch = ?", [new_epoch()])
    sqlite_files.sync(file)

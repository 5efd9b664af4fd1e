"""`manage.py backup FILE`: copies the SQLite database, also while the server runs."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import connection

from games.database import sqlite_files


class Command(BaseCommand):
    help = "Copies the SQLite database to FILE, also while the server runs."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, metavar="FILE")
        parser.add_argument("--force", action="store_true", help="replace FILE if it exists")

    def handle(self, *, file: Path, force: bool, **options: Any) -> None:
        if connection.vendor != "sqlite":
            raise CommandError("The database is PostgreSQL: use pg_dump to back it up.")
        source = sqlite_files.database_file()
        if not source.exists():
            raise CommandError(f"There is no database at {source} yet.")
        if file.exists() and file.samefile(source):
            raise CommandError(f"{file} is the database itself.")
        if file.exists() and not force:
            raise CommandError(f"{file} exists already; --force replaces it.")
        try:
            # Of a `restore` that was killed.
            sqlite_files.remove_leftovers(source)
            with sqlite_files.replacing(file) as fresh:
                sqlite_files.copy(source, fresh)
                sqlite_files.check(fresh, name=source)
        except sqlite_files.Refused as error:
            raise CommandError(f"{error}.") from error
        except OSError as error:
            raise CommandError(f"{file} cannot be written: {error.strerror}.") from error
        self.stdout.write(f"Backed up to {file}.")

"""`manage.py sweep`: deletes abandoned games, what has lain in the bin, unused sessions, old invitations and limits.

`serve` does the same once a day.
"""

from dataclasses import asdict
from typing import Any

from django.core.management.base import BaseCommand

from games.services.sweep import sweep


class Command(BaseCommand):
    help = "Deletes abandoned games, what has lain in the bin, unused sessions, old invitations and limits."
    requires_system_checks = ()

    def handle(self, **options: Any) -> None:
        deleted = ", ".join(f"{number} {name}" for name, number in asdict(sweep()).items())
        self.stdout.write(f"Deleted: {deleted}.")

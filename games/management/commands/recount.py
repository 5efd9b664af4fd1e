"""`manage.py recount [GROUP_ID ...]`: recounts the finished games of groups from their logs.

The totals of a group are written again: on request, or after a release that counts differently (`--outdated`).
"""

from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import transaction

from games.database import write_queue
from games.groups import totals
from games.groups.statistics import VERSION
from games.log import store
from games.models import Game, Group
from games.rules.replay import Replay


class Command(BaseCommand):
    help = "Recounts the figures and ratings of groups from the logs of their games."
    # This command is about groups: it prints no warning about settings.
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("groups", nargs="*", metavar="GROUP_ID", help="recount only these groups")
        parser.add_argument("--check", action="store_true", help="change nothing, only report differences")
        parser.add_argument(
            "--outdated", action="store_true", help="only groups whose totals an earlier release has computed"
        )

    def handle(self, *, groups: list[str], check: bool, outdated: bool, **options: Any) -> None:
        wrong = 0
        for group_id in _asked_for(groups, outdated=outdated):
            differs = self.recount(group_id, check=check)
            wrong += differs
            verb = "is counted otherwise" if differs else "is right"
            self.stdout.write(f"{group_id}: {verb if check else 'counted'}.")
        if check and wrong:
            raise SystemExit(1)

    def recount(self, group_id: str, *, check: bool) -> bool:
        """Compute the totals of a group again. Answers whether they were different."""
        with write_queue.in_turn():
            games = list(
                Game.objects.filter(group=group_id).order_by("pk").select_for_update().values_list("pk", flat=True)
            )
            group = totals.locked(group_id)
            if group is None:
                return False
            # What an earlier release has counted cannot be read, and is not right any more.
            before = totals.summary(group) if group.counted_by == VERSION else None
            totals.recount(group, _folded(games))
            after = totals.summary(group)
            if check:
                transaction.set_rollback(True)
            return before != after


def _folded(games: Sequence[str]) -> Iterator[tuple[Game, Replay]]:
    for game_id in games:
        game = Game.objects.get(pk=game_id)
        yield game, store.refold(game).replay


def _asked_for(groups: Sequence[str], *, outdated: bool) -> Sequence[str]:
    known = Group.objects.exclude(counted_by=VERSION) if outdated else Group.objects.all()
    found = list(known.order_by("pk").values_list("pk", flat=True))
    if unknown := sorted(set(groups) - set(found)):
        raise CommandError(f"There is no group {', '.join(unknown)}.")
    return groups or found

"""A process of its own that records penalties: `python -m tests.services.writer GAME KEY COUNT`, after a line on stdin.

Prints the version that each one was answered with.
"""

from __future__ import annotations

import os
import sys

import django


def main(game_id: str, key_id: int, count: int) -> None:
    """Write as fast as the database allows."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "njetassist.settings")
    django.setup()

    from games.models import Key
    from games.rules import AddPenalty
    from games.services import tables
    from games.services.write import WriteRequest

    key = Key.objects.get(pk=key_id)
    print("ready", flush=True)
    sys.stdin.readline()
    for _ in range(count):
        outcome = tables.record_action(
            game_id=game_id, actor=key, action=AddPenalty(1, -1, "late"), request=WriteRequest()
        )
        print(outcome.version, flush=True)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))

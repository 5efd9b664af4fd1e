"""A whole group written to its file and restored from it, in parts as the script of the page sends them.

`python -m tests.benchmarks.whole_group [GAMES]`

Each game is one of chance: eight rounds, every marker on its own, a tally for each round.
"""

from __future__ import annotations

import argparse
import gc
import gzip
import os
import random
import shutil
import tempfile
import time
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from tests.benchmarks.figures import show_figure

if TYPE_CHECKING:
    from django.test import Client

GAMES = 500
ROUNDS = 8
MOST = 1_500_000
"""Characters of a part, as in `static/njet/archive.js`."""


def main() -> None:
    parser = argparse.ArgumentParser(description="A whole group as a file: writing it and restoring it.")
    parser.add_argument("games", nargs="?", type=int, default=GAMES)
    games = parser.parse_args().games
    directory = tempfile.mkdtemp(prefix="njet-group.")
    os.environ |= {"NJET_DATA": directory, "DJANGO_SETTINGS_MODULE": "njetassist.settings"}
    try:
        _measure(games)
    finally:
        shutil.rmtree(directory)


def _measure(games: int) -> None:
    import django
    from django.core.management import call_command

    django.setup()
    call_command("migrate", verbosity=0)
    # Models can be imported only now.
    from django.conf import settings
    from django.test import Client
    from django.urls import get_resolver

    from games.groups import archive
    from games.keys import sessions
    from games.models import Game, LogEntry
    from games.services import groups
    from tests.cast.groups import CastGroup, of_chance

    settings.NJET_WRITES = 1_000_000
    # As in a server that `manage.py serve` has started.
    gc.set_threshold(50_000)
    _ = get_resolver().url_patterns
    club, chance, at = CastGroup("Club"), random.Random(games), datetime(2020, 1, 1, tzinfo=UTC)
    for number in range(games):
        club.bring(*of_chance(chance, rounds=ROUNDS), at=f"{at + timedelta(hours=number):%Y-%m-%dT%H:%M:%SZ}")
    began = time.perf_counter()
    file = b"".join(archive.packed(club.row))
    written = time.perf_counter() - began

    copy = groups.create_group(name="Copy", creator_label="Ana")
    client = Client(headers={"host": "localhost"})
    session = client.session
    sessions.remember_group(session, copy)
    session.save()
    client.cookies[settings.SESSION_COOKIE_NAME] = session.session_key or ""
    began = time.process_time()
    took = _restored(client, copy.group_id, file)
    computed = time.process_time() - began

    assert Game.objects.filter(group=copy.group_id).count() == games
    entries = LogEntry.objects.filter(game__group=copy.group_id).count()
    print(f"{games:,} games, {entries / games:.0f} entries each, {len(file) / games / 1000:.1f} KB; {len(took)} parts")
    print(f"processor time of restoring 10,000 games, with packing the parts: {computed * 10_000 / games:.1f} s")
    show_figure("file of a group: seconds to write 10,000 games", written * 10_000 / games)
    show_figure("file of a group: seconds to restore 10,000 games", sum(took) * 10_000 / games)
    show_figure("file of a group: longest part, seconds", max(took))


def _restored(client: Client, group_id: str, file: bytes) -> list[float]:
    """Send the file in parts: how long each took."""
    from django.core.files.uploadedfile import SimpleUploadedFile

    from games.services import restoring

    head, *games = gzip.decompress(file).decode().splitlines()
    took: list[float] = []
    while games:
        part = [games.pop(0)]
        while games and len(part) < restoring.AT_ONCE and sum(map(len, part)) + len(games[0]) <= MOST:
            part.append(games.pop(0))
        # A phone packs the next part while the server has this one.
        sent = SimpleUploadedFile("games", gzip.compress("\n".join(part).encode()))
        began = time.perf_counter()
        answer = client.post("/groups/restore/", {"group": group_id, "head": head, "games": sent})
        took.append(time.perf_counter() - began)
        assert answer.json() == {"stored": len(part), "known": 0, "refused": []}, answer.content
    return took


if __name__ == "__main__":
    main()

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
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

from tests.benchmarks.figures import show_figure

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
    from django.contrib.sessions.backends.db import SessionStore
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
    session = SessionStore()
    sessions.remember_group(session, copy)
    session.save()
    began = time.process_time()
    took, longest = _restored(session.session_key or "", copy.group_id, file)
    computed = time.process_time() - began

    assert Game.objects.filter(group=copy.group_id).count() == games
    entries = LogEntry.objects.filter(game__group=copy.group_id).count()
    print(f"{games:,} games, {entries / games:.0f} entries each, {len(file) / games / 1000:.1f} KB")
    print(f"processor time of restoring 10,000 games, but for reading them: {computed * 10_000 / games:.1f} s")
    show_figure("file of a group: seconds to write 10,000 games", written * 10_000 / games)
    show_figure("file of a group: seconds to restore 10,000 games", took * 10_000 / games)
    show_figure("file of a group: longest part, seconds", longest)


def _restored(session: str, group_id: str, file: bytes) -> tuple[float, float]:
    """Send the file in parts, of which two are on their way: how long it took, and the longest of them."""
    from django.conf import settings
    from django.core.files.uploadedfile import SimpleUploadedFile
    from django.test import Client

    from games.services import restoring

    head, *games = gzip.decompress(file).decode().splitlines()
    parts: list[tuple[int, bytes]] = []
    while games:
        part = [games.pop(0)]
        while games and len(part) < restoring.AT_ONCE and sum(map(len, part)) + len(games[0]) <= MOST:
            part.append(games.pop(0))
        parts.append((len(part), gzip.compress("\n".join(part).encode())))

    def send(part: tuple[int, bytes]) -> float:
        client = Client(headers={"host": "localhost"})
        client.cookies[settings.SESSION_COOKIE_NAME] = session
        began = time.perf_counter()
        sent = {"group": group_id, "head": head, "games": SimpleUploadedFile("games", part[1])}
        answer = client.post("/groups/restore/", sent)
        assert answer.json() == {"stored": part[0], "known": 0, "refused": []}, answer.content
        return time.perf_counter() - began

    # The process that reads starts with the first part.
    began = time.perf_counter()
    with ThreadPoolExecutor(2) as phone:
        longest = max(phone.map(send, parts))
    return time.perf_counter() - began, longest


if __name__ == "__main__":
    main()

"""A server that starts with a clock that is ten years off, and the daily sweep in its process."""

from __future__ import annotations

import shutil
import signal
import sqlite3
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from django.utils import timezone

from games.keys import limits
from games.models import Attempt, Installation
from njetassist import daily
from tests.ops.running import Server, manage

PREPARE = """
from games.errors import InviteNotValid
from games.keys import invitations, sessions
from games.keys.session_store import SessionStore
from games.models import GroupRole, Role
from games.rules import Setup
from games.services import creation, groups

owner = groups.create_group(name="Thursday club", creator_label="Ana")
setup = Setup.of(preset="njet-english", names=["Ana", "Ben"])
table = creation.create_game(setup=setup, creator_label="Ana", group_id=owner.group_id)
session = SessionStore()
session[sessions.SESSION_KEYS] = {table.game.pk: table.creator.pk}
session[sessions.SESSION_GROUPS] = {owner.group_id: owner.pk}
session.save()
invitation = invitations.invite(game=table.game, role=Role.VIEWER)
for number in range(10):
    try:
        invitations.find_invite(address="127.0.0.1", code="0000-0000")
    except InviteNotValid:
        pass
print(session.session_key, table.game.pk, invitation.token)
"""

# Python loads a module of this name at its start.
WRONG_CLOCK = """
import os
import time
from datetime import UTC, datetime, timedelta

from django.utils import timezone

LATER = int(os.environ["SECONDS_LATER"])
right_time = time.time

time.time = lambda: right_time() + LATER
timezone.now = lambda: datetime.now(UTC) + timedelta(seconds=LATER)
"""

YEAR = 365 * 24 * 60 * 60


def rows(data: Path) -> list[str]:
    """Everything that is stored but the trusted clock."""
    with closing(sqlite3.connect(data / "njet.sqlite3")) as database:
        tables = database.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name").fetchall()
        kept = [name for (name,) in tables if name != "games_installation"]
        return [f"{name} {row}" for name in kept for row in database.execute(f'SELECT * FROM "{name}"').fetchall()]


@pytest.mark.slow
@pytest.mark.parametrize("years", [10, -10])
def test_a_start_and_a_sweep_with_a_clock_ten_years_off_change_nothing(
    first_start: Path, tmp_path: Path, years: int
) -> None:
    data = shutil.copytree(first_start, tmp_path / "data")
    prepared = manage(data, "shell", "-v", "0", "-c", PREPARE)
    session, game, token = prepared.stdout.split()
    before = rows(data)
    (tmp_path / "sitecustomize.py").write_text(WRONG_CLOCK)
    wrong = {"PYTHONPATH": str(tmp_path), "SECONDS_LATER": str(years * YEAR)}
    cookie = f"njet_session={session}"

    with Server(data, **wrong) as server:
        pages = [server.get(f"/g/{game}/", Cookie=cookie), server.get("/", Cookie=cookie)]
        assert server.end(signal.SIGTERM) == 0
    swept = manage(data, "sweep", **wrong)

    assert [page.status for page in pages] == [200, 200]
    assert not any("njet_session" in page.headers.get("Set-Cookie", "") for page in pages)
    assert swept.stdout == "Deleted: 0 games, 0 groups, 0 sessions, 0 invitations, 0 attempts.\n"
    assert rows(data) == before
    with Server(data) as server:
        assert server.get(f"/g/{game}/", Cookie=cookie).status == 200
        assert server.get(f"/join/{token}/").status == 200
    assert manage(data, "sweep").stdout == swept.stdout
    assert rows(data) == before


class Ended(Exception):
    """The end of the test."""


@pytest.fixture
def slept(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """How long the thread that sweeps has waited in ten days, each time."""
    now = datetime.now(UTC)
    slept: list[float] = []

    def sleep(seconds: float) -> None:
        slept.append(seconds)
        monkeypatch.setattr(timezone, "now", lambda: now + timedelta(seconds=sum(slept)))
        if len(slept) > 10:
            raise Ended

    limits.count("10.0.0.1", limits.CREATIONS)
    with pytest.raises(Ended):
        daily.run(sleep)
    return slept


@pytest.mark.django_db(transaction=True)
def test_the_server_sweeps_ten_minutes_after_its_start_and_then_each_day(slept: list[float]) -> None:
    assert slept == [600, *[86400] * 10]
    assert timezone.now() - Installation.objects.get().clock == timedelta(days=1)
    assert not Attempt.objects.exists()

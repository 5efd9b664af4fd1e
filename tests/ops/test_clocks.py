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
from tests.ops.running import ROOT, Server, manage

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

YEAR = 365 * 24 * 60 * 60


def rows(data: Path) -> list[str]:
    """Everything that is stored but the trusted clock."""
    with closing(sqlite3.connect(data / "njet.sqlite3")) as database:
        return [line for line in database.iterdump() if "games_installation" not in line]


@pytest.mark.slow
@pytest.mark.parametrize("years", [10, -10])
def test_a_start_and_a_sweep_with_a_clock_ten_years_off_change_nothing(
    first_start: Path, tmp_path: Path, years: int
) -> None:
    data = shutil.copytree(first_start, tmp_path / "data")
    prepared = manage(data, "shell", "-v", "0", "-c", PREPARE)
    session, game, token = prepared.stdout.split()
    before = rows(data)
    wrong = {"PYTHONPATH": str(ROOT / "tests/ops/wrong_clock"), "SECONDS_LATER": str(years * YEAR)}
    cookie = f"njet_session={session}"

    with Server(data, **wrong) as server:
        pages = [server.get(f"/g/{game}/", Cookie=cookie), server.get("/", Cookie=cookie)]
        assert server.end(signal.SIGTERM) == 0
    swept = manage(data, "sweep", **wrong)

    assert [page.status for page in pages] == [200, 200]
    assert not any("njet_session" in page.headers.get("Set-Cookie", "") for page in pages)
    assert swept.stdout == "Deleted: 0 games, 0 sessions, 0 invitations, 0 attempts.\n"
    assert rows(data) == before
    with Server(data) as server:
        assert server.get(f"/g/{game}/", Cookie=cookie).status == 200
        assert server.get(f"/join/{token}/").status == 200
    assert manage(data, "sweep").stdout == swept.stdout
    assert rows(data) == before


class Ended(Exception):
    """The end of the test."""


@pytest.mark.django_db(transaction=True)
def test_one_process_sweeps_each_day(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    now = datetime.now(UTC)
    limits.count("10.0.0.1", limits.CREATIONS)
    slept: list[float] = []

    def sleep(seconds: float) -> None:
        slept.append(seconds)
        monkeypatch.setattr(timezone, "now", lambda: now + timedelta(seconds=sum(slept)))
        if len(slept) > 10:
            raise Ended

    with pytest.raises(Ended):
        daily.run(sleep)

    assert slept[:3] == [600, 86400, 86400]
    assert Installation.objects.get().clock == now + timedelta(seconds=sum(slept[:-1]))
    assert not Attempt.objects.exists()

"""Many phones tap in turn: no tap is refused, none is lost, and each of two processes shows what the other wrote."""

from __future__ import annotations

import random
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.harness.audit import differences
from tests.harness.conftest import Report
from tests.harness.postgresql import Cluster
from tests.harness.serving import Serving
from tests.live.phones import Visitor

pytestmark = pytest.mark.harness

TABLES = 8
PHONES = 5
TAPS = 25
SPACE = "trump:red"


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest) -> Iterator[dict[str, str]]:
    """The variables of the server's database."""
    if request.param == "sqlite":
        yield {}
        return
    with Cluster() as cluster:
        yield {"DATABASE_URL": cluster.url}


def phones_of_a_table(port: int) -> list[Visitor]:
    """Ana, and four more who record at their table."""
    ana = Visitor(port)
    ana.open_table("Ana", "Ben", "Cleo", "Dan", "Eve")
    return [ana, *(ana.invite("scorekeeper", label=f"Phone {number}") for number in range(2, PHONES + 1))]


def tap_in_turn(phones: list[Visitor], chance: random.Random) -> int:
    """Cover a space and uncover it, each time on another phone; with two processes either may answer."""
    with ExitStack() as opened:
        streams = [opened.enter_context(phone.listen()) for phone in phones]
        for version in range(TAPS):
            phone = chance.choice(phones)
            phone.look()
            assert phone.version == version, "it is shown a version before the last one"
            answer = phone.cover(SPACE) if version % 2 == 0 else phone.undo()
            assert answer.status == 200, answer.body[:500]
            assert phone.version == version + 1
        for stream in streams:
            stream.next("version", data=str(TAPS), within=5)
    return TAPS


def test_no_tap_is_refused_or_lost(data: Path, database: dict[str, str], report: Report) -> None:
    with Serving(data, **database) as serving, ThreadPoolExecutor(TABLES) as pool:
        tables = list(pool.map(lambda _: phones_of_a_table(serving.port), range(TABLES)))

        taps = sum(pool.map(tap_in_turn, tables, map(random.Random, range(TABLES))))

    kind = "two processes on PostgreSQL" if database else "one process on SQLite"
    report(f"{kind}: {taps} taps on {TABLES * PHONES} phones, none refused")
    assert differences(data, **database) == ""

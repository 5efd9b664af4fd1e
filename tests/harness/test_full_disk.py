"""The disk is full: writes are refused with a sentence, reading goes on, and nothing is half-written."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.harness.audit import differences
from tests.harness.conftest import Report
from tests.harness.lines import Answer, Document, Line
from tests.harness.scarcity import BLOCK, Rubbish, files_that_may_not_grow, small_filesystem
from tests.harness.scorekeepers import Table, placements
from tests.harness.serving import Serving
from tests.live.phones import Visitor
from tests.ops.running import manage

pytestmark = pytest.mark.harness

ROOM = 2**20
FULL = "The disk of the server is full: nothing was saved. Make room on it and try again."
BROKEN = "The server cannot reach its database. Try again soon."


@pytest.fixture
def small_data(first_start: Path, tmp_path: Path) -> Iterator[Path]:
    """A data directory on a disk of its own with little room left."""
    data = tmp_path / "data"
    data.mkdir()
    used = sum(-(-file.stat().st_size // BLOCK) * BLOCK for file in first_start.rglob("*"))
    with small_filesystem(data, size=used + ROOM):
        yield shutil.copytree(first_start, data, dirs_exist_ok=True)


def refused(answer: Answer, status: int, code: str, sentence: str) -> bool:
    """Whether this is the refusal of the API that it should be."""
    error = {"error": {"code": code, "message": sentence, "params": {}}}
    return (answer.status, answer.document) == (status, error)


def one_more(table: Table, line: Line, state: Document, *, request_id: str) -> Answer:
    """Cover any space, or clear the board if it is full."""
    possible = placements(state)
    if possible:
        return table.record(line, possible[0], request_id=request_id)
    return table.undo(line, to_seq=0, request_id=request_id)


def test_a_full_disk_is_shown_and_what_was_there_stays(small_data: Path, report: Report) -> None:
    with Serving(small_data) as serving, Line(serving.port) as line:
        table, phone = Table.open(line), Visitor(serving.port)
        phone.open_table("Ana", "Ben", "Cleo")
        phone.cover("trump:red")
        before = one_more(table, line, table.state(line), request_id="before").document["state"]
        rubbish = Rubbish(small_data / "rubbish")

        rubbish.fill()

        assert refused(one_more(table, line, before, request_id="full"), 507, "storage_full", FULL)
        tap = phone.cover("trump:blue")
        assert (tap.status, FULL in tap.body, "Traceback" in tap.body) == (507, True, False)
        assert table.state(line) == before
        assert [entry["seq"] for entry in table.log(line)] == [1]
        assert phone.get(f"/g/{phone.game_id}/").status == 200
        assert phone.get("/").status == 200
        assert differences(small_data) == ""

        refusals = 1
        while refused(answer := one_more(table, line, before, request_id="full"), 507, "storage_full", FULL):
            assert table.state(line) == before
            refusals += 1
            rubbish.shrink()

        report(f"full disk: refused {refusals} times, until {refusals * BLOCK // 1024} KB were free")
        assert (answer.status, answer.document["version"]) == (201, 2)
        assert one_more(table, line, before, request_id="full").status == 200
        assert [entry["seq"] for entry in table.log(line)] == [1, 2]
        # Each write takes room of its own in WAL mode.
        while (tap := phone.cover("trump:blue")).status == 507:
            rubbish.shrink()
        assert tap.status == 200
        assert differences(small_data) == ""


@pytest.mark.parametrize("kilobytes", [40, 400, 1_500, 3_000])
def test_on_a_disk_that_is_full_a_start_is_refused_in_a_sentence(tmp_path: Path, kilobytes: int) -> None:
    data = tmp_path / "data"
    data.mkdir()

    with small_filesystem(data, size=kilobytes * 1024):
        done = manage(data, "serve", "--bind", "127.0.0.1:0")

    assert done.returncode == 1
    (line,) = done.stderr.splitlines()
    assert line.startswith(("CommandError: The data directory", "CommandError: The database cannot be used"))
    assert "full" in line or "No space left on device" in line


def test_a_file_that_cannot_grow_is_shown_and_what_was_there_stays(data: Path, report: Report) -> None:
    with Serving(data) as serving, Line(serving.port) as line:
        table = Table.open(line)
        state = table.state(line)
        size = (data / "njet.sqlite3").stat().st_size
        writes = 0

        with files_that_may_not_grow(serving.group, beyond=size):
            while (answer := one_more(table, line, state, request_id=f"write {writes}")).status == 201:
                state = answer.document["state"]
                writes += 1

            assert refused(answer, 503, "database_unavailable", BROKEN)
            assert table.state(line) == state
            assert differences(data) == ""

        answer = one_more(table, line, state, request_id=f"write {writes}")
        report(f"a file that cannot grow: refused after {writes} writes, accepted once it could grow")
        assert answer.status == 201
        assert answer.document["version"] > state["version"]
        assert differences(data) == ""

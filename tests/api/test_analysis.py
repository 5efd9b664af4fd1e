"""What the decisions of a seat were worth, for programs: 202 while it is computed, then the document."""

from __future__ import annotations

import pytest
from django_tasks_db.models import DBTaskResult
from pytest_django import Settings

from games.bot_runner import process
from games.models import Analysis
from tests.api.client import Answer, Api, Table
from tests.api.digital import DigitalTable
from tests.cast.digital import committed
from tests.services.crews import worker

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


@pytest.fixture
def finished(api: Api, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> DigitalTable:
    settings.NJET_ANALYSIS_GUESSES = 1
    monkeypatch.setattr(process, "ensure_running", lambda queue: None)
    return DigitalTable.open(api, "goldsieber-dutch", 3, rounds=1).jump(lambda state: state.public.is_over)


def asked(table: Table, query: str = "", key: str | None = None) -> Answer:
    with committed(execute=True):
        return table.get(f"/analysis/{query}", key)


def computed() -> None:
    at_work = worker("analyses")
    while DBTaskResult.objects.filter(queue_name="analyses").exists():
        with committed(execute=True):
            at_work.serve()


def test_it_is_computed_when_it_is_asked_for(finished: DigitalTable) -> None:
    waits = asked(finished, "?seat=1")
    assert (waits.status, waits.json) == (202, {"seat": 1, "done": 0, "of": 0})
    assert int(waits.response.headers["Retry-After"]) > 0
    computed()

    answer = asked(finished, "?seat=1", finished.viewer)

    assert answer.status == 200
    assert set(answer.json) == {"seat", "decisions", "expected"}
    assert answer.json["seat"] == 1
    assert answer.json["decisions"]
    by_seq = {entry["seq"]: entry for entry in finished.get("/log/").json}
    for decision in answer.json["decisions"]:
        assert set(decision) == {"seq", "played", "best", "difference", "error", "turning_point"}
        assert decision["difference"] >= 0
        assert decision["error"] >= 0
        assert decision["best"]["type"] == decision["played"]["type"] == by_seq[decision["seq"]]["action"]["type"]
        assert decision["difference"] == 0 or decision["best"] != decision["played"]
    assert sum(decision["turning_point"] for decision in answer.json["decisions"]) <= 3
    assert [each["seq"] for each in answer.json["expected"]] == [each["seq"] for each in answer.json["decisions"]]
    assert {type(each["points"]) for each in answer.json["expected"]} <= {int, float}


def test_without_a_seat_it_is_that_of_the_key(finished: DigitalTable) -> None:
    assert asked(finished, key=finished.seats[2]).json["seat"] == 2
    assert asked(finished, key=finished.viewer).json["seat"] == 0


def test_what_has_no_analysis_is_refused(finished: DigitalTable, api: Api, table: Table) -> None:
    assert asked(finished, "?seat=3").refusal == (422, "unknown_seat")
    assert asked(finished, "?seat=9").refusal == (400, "wrong_type")
    assert asked(finished, "?seat=-1").refusal == (400, "wrong_type")
    assert asked(finished, "?seat=x").refusal == (400, "wrong_type")
    assert asked(DigitalTable.open(api, rounds=1)).refusal == (409, "not_finished")
    assert asked(table).refusal == (422, "digital_only")
    assert asked(finished, key=table.viewer).refusal == (404, "not_found")
    assert not Analysis.objects.exists()

"""Confirming rounds: by whom, which, and what happens to corrections of what both teams have confirmed."""

from __future__ import annotations

import csv
import io

import pytest

from tests.api.client import ROUND_OF_THREE, Answer, Json, Table, tally

pytestmark = pytest.mark.any_database

OTHER = {"seq": 3, "action": tally([16, 0, 0])}


@pytest.fixture
def round_2(table: Table) -> Table:
    """Entries 1 to 3 are round 1: Ana and Ben against Cleo, 24, 24 and 28 points."""
    table.play(*ROUND_OF_THREE)
    return table


def confirm(table: Table, seat: int, *, number: int = 1, key: str | None = None, **more: Json) -> Answer:
    return table.post("/confirmations/", {"round": number, "seat": seat, **more}, key)


def confirmed(state: Json) -> Json:
    return state["scores"]["rounds"][0]["confirmed"]


def test_the_state_says_who_has_confirmed_a_round(round_2: Table) -> None:
    assert confirmed(round_2.state) == []

    answer = confirm(round_2, 2, version=3, request_id="tap")

    assert (answer.status, answer.json["version"]) == (201, 4)
    assert confirmed(answer.json["state"]) == [{"seats": [2], "seat": 2, "seq": 4}]
    both = confirm(round_2, 1).json["state"]
    assert confirmed(both) == [{"seats": [0, 1], "seat": 1, "seq": 5}, {"seats": [2], "seat": 2, "seq": 4}]
    assert round_2.get(key=round_2.viewer).json["scores"] == both["scores"]


def test_the_sheet_says_whose_team_has_confirmed(round_2: Table) -> None:
    confirm(round_2, 1)

    rows = [*round_2.get("/sheet/").json, *csv.DictReader(io.StringIO(round_2.get("/sheet/?format=csv").text))]

    assert [row["confirmed"] for row in rows] == [True, True, False, "true", "true", "false"]


def test_the_log_says_what_was_confirmed(round_2: Table) -> None:
    confirm(round_2, 1)

    (entry,) = round_2.get("/log/?after=3").json

    del entry["at"]
    assert entry == {
        "seq": 4,
        "kind": "confirm",
        "seat": 1,
        "action": None,
        "round": 1,
        "team": [0, 1],
        "figures": [24, 24, 28],
        "about": None,
    }


@pytest.mark.parametrize(
    "body",
    [{}, {"round": 1}, {"seat": 0}, {"round": "1", "seat": 0}, {"round": 1, "seat": True}, {"round": -1, "seat": 0}],
)
def test_a_confirmation_that_cannot_be_read_is_refused(round_2: Table, body: Json) -> None:
    assert round_2.post("/confirmations/", body).status == 400
    assert round_2.post("/confirmations/", {"round": 1, "seat": 0, "beer": 1}).status == 400


def test_a_confirmed_round_is_corrected_when_both_teams_confirm_the_correction(round_2: Table) -> None:
    confirm(round_2, 0)
    confirm(round_2, 2)
    preview = round_2.amend(OTHER, preview=True).json["changes"]

    answer = round_2.amend(OTHER, version=5, request_id="correct")

    assert answer.status == 201
    assert answer.json["state"]["scores"]["totals"] == [24, 24, 28]
    (pending,) = answer.json["state"]["pending_corrections"]
    points = pending["rounds"][0]["points"]
    assert pending == {"seq": 6, "rounds": [{"number": 1, "points": points, "confirmed": []}], "changes": preview}
    assert round_2.get("/log/?after=5").json[0]["changes"] == [OTHER]
    waiting = confirm(round_2, 2, about=6).json["state"]
    assert waiting["pending_corrections"][0]["rounds"][0]["confirmed"] == [{"seats": [2], "seat": 2, "seq": 7}]
    assert waiting["scores"]["totals"] == [24, 24, 28]

    made = confirm(round_2, 1, about=6, version=7)

    assert (made.status, made.json["version"]) == (201, 9)
    assert made.json["state"]["scores"]["totals"] == points
    assert made.json["state"]["pending_corrections"] == []
    assert [each["seq"] for each in confirmed(made.json["state"])] == [8, 7]
    assert [entry["kind"] for entry in round_2.get("/log/?after=5").json] == [
        "correction",
        "confirm",
        "confirm",
        "amend",
    ]


def test_a_pending_correction_is_withdrawn(round_2: Table) -> None:
    confirm(round_2, 0)
    confirm(round_2, 2)
    round_2.amend(OTHER)
    path = f"{round_2.path}/corrections/6/"

    assert round_2.api.delete(path, round_2.scorekeeper).status == 204

    assert round_2.state["pending_corrections"] == []
    assert round_2.api.delete(path, round_2.scorekeeper).refusal == (409, "unknown_correction")
    assert confirm(round_2, 0, about=6).refusal == (409, "unknown_correction")


def test_a_table_asks_for_confirmations_or_not(round_2: Table) -> None:
    assert round_2.get("/confirmations/asked/", key=round_2.viewer).json == {"asked": False}

    assert round_2.post("/confirmations/asked/", {"asked": True}).json == {"asked": True}

    assert round_2.get("/confirmations/asked/").json == {"asked": True}
    assert round_2.post("/confirmations/asked/", {"asked": 1}).status == 400

"""Recording over REST: versions, repeated requests, stale ones."""

import pytest

from tests.api.client import ROUND_OF_THREE, Api, Table, penalty, place

pytestmark = pytest.mark.any_database


def test_a_placement_is_answered_with_the_new_version_and_the_state(table: Table) -> None:
    answer = table.act(place("trump", "red"), version=0, request_id="first")

    assert answer.status == 201
    assert answer.json["version"] == answer.json["state"]["version"] == 1
    trump = next(row for row in answer.json["state"]["round"]["board"] if row["row"] == "trump")
    assert trump["spaces"][0] == {"space": "red", "covered_by": 0}
    assert answer.json["state"]["round"]["acting"] == [1]


def test_a_stale_version_is_answered_with_the_fresh_state_and_the_next_attempt_succeeds(table: Table) -> None:
    table.act_all(place("trump", "red"))

    answer = table.act(place("trump", "blue"), version=0, request_id="tap")

    assert answer.refusal == (409, "stale_version")
    assert answer.params["version"] == 1
    assert answer.params["state"] == table.state
    again = table.act(place("trump", "blue"), version=answer.params["version"], request_id="tap")
    assert again.status == 201
    assert again.json["version"] == 2


def test_a_repeated_request_is_answered_with_the_version_it_got_then_and_the_present_state(table: Table) -> None:
    table.act(place("trump", "red"), version=0, request_id="tap")
    table.act_all(place("trump", "blue"))

    answer = table.act(place("trump", "red"), version=0, request_id="tap")

    assert answer.status == 200
    assert answer.json["version"] == 1
    assert answer.json["state"] == table.state
    assert table.version == 2


def test_a_request_id_with_another_body_is_refused(table: Table) -> None:
    table.act(place("trump", "red"), version=0, request_id="tap")

    for answer in (
        table.act(place("trump", "blue"), version=0, request_id="tap"),
        table.act(place("trump", "red"), version=1, request_id="tap"),
        table.undo(request_id="tap"),
    ):
        assert answer.refusal == (409, "request_id_reused")
    assert table.version == 1


def test_a_request_id_is_distinguished_by_game_and_by_key(api: Api, table: Table) -> None:
    other = api.open_table()
    code = table.post("/invites/", {"role": "scorekeeper"}).json["code"]
    second = api.post("/join/", {"code": code}).json["key"]

    body = {"action": place("trump", "red"), "request_id": "tap"}
    assert table.post("/actions/", body).status == 201
    assert other.post("/actions/", body).status == 201
    body["action"] = place("trump", "blue")
    assert table.post("/actions/", body, second).status == 201


def test_the_longest_request_id_has_64_characters(table: Table) -> None:
    assert table.act(place("trump", "red"), request_id="é" * 64).status == 201
    assert table.act(place("trump", "blue"), request_id="é" * 65).refusal == (400, "wrong_type")
    assert table.act(place("trump", "blue"), request_id="").refusal == (400, "wrong_type")


def test_the_last_tally_finishes_the_game_and_undo_reopens_it(api: Api) -> None:
    table = api.open_table(rounds=1)

    finished = table.act_all(*ROUND_OF_THREE)

    assert finished["status"] == "finished"
    assert finished["round"] is None
    assert finished["last_round"]["number"] == 1
    assert finished["scores"]["totals"] == [24, 24, 28]
    assert finished["scores"]["winners"] == [2]
    assert finished["legal_actions"] == []
    assert table.act(penalty(0, -1)).refusal == (422, "game_over")
    reopened = table.undo().json["state"]
    assert reopened["status"] == "playing"
    assert "winners" not in reopened["scores"]

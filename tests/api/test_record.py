"""Recording over REST: versions, repeated requests, stale ones."""

import pytest

from tests.api.client import Table, place

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


def test_the_longest_request_id_has_64_characters(table: Table) -> None:
    assert table.act(place("trump", "red"), request_id="é" * 64).status == 201
    assert table.act(place("trump", "blue"), request_id="é" * 65).refusal == (400, "wrong_type")
    assert table.act(place("trump", "blue"), request_id="").refusal == (400, "wrong_type")

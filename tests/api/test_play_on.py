"""Playing on from a step of a finished digital game over REST."""

from __future__ import annotations

from typing import Any

import pytest

from games.models import Game
from tests.api.client import Api
from tests.api.digital import DigitalTable

pytestmark = pytest.mark.any_database

ASKED = {"step": 5, "seat": 1, "level": "easy"}


@pytest.fixture
def finished(api: Api) -> DigitalTable:
    """A finished game of one round between three people."""
    return DigitalTable.open(api, rounds=1).jump(lambda state: state.public.current is None)


def test_a_program_plays_on_from_a_step(finished: DigitalTable) -> None:
    made = finished.post("/play-on/", ASKED).json

    again = DigitalTable.of(finished.api, made)
    assert made["state"]["played_on"] == {"game": finished.id, "step": 5}
    assert made["state"]["same_deals"] is True
    assert [player["bot"] for player in made["state"]["players"]] == ["easy", None, "easy"]
    assert set(made["keys"]["seats"]) == {"1"}
    actions = [each["action"] for each in finished.get("/log/").json if each["action"]]
    copied = [each["action"] for each in again.get("/log/").json if each["action"]]
    assert copied[1:] == actions[1:5]
    assert again.seen_by(1)["round"]["hand"] == actions[0]["hands"][1]
    assert finished.state["next_game"] is None


def test_all_who_read_the_game_may_play_on(finished: DigitalTable) -> None:
    for secret in (finished.viewer, finished.seats[2]):
        assert finished.post("/play-on/", ASKED, secret).status == 201


def test_the_same_request_sent_again_is_the_same_game(finished: DigitalTable) -> None:
    first, again = (finished.post("/play-on/", {**ASKED, "request_id": "once"}) for _ in range(2))

    assert (first.status, again.status) == (201, 200)
    assert (first.json["id"], first.json["keys"]) == (again.json["id"], again.json["keys"])
    assert finished.post("/play-on/", {**ASKED, "step": 6, "request_id": "once"}).refusal == (409, "request_id_reused")


@pytest.mark.parametrize(
    ("changed", "refusal"),
    [
        ({"step": 0}, (422, "unknown_step")),
        ({"step": 999}, (422, "unknown_step")),
        ({"step": -1}, (400, "wrong_type")),
        ({"step": "5"}, (400, "wrong_type")),
        ({"step": None}, (400, "wrong_type")),
        ({"seat": 3}, (422, "unknown_seat")),
        ({"seat": -1}, (400, "wrong_type")),
        ({"level": "perfect"}, (400, "wrong_type")),
        ({"level": None}, (400, "wrong_type")),
        ({"group": "a"}, (400, "unknown_field")),
    ],
)
def test_what_cannot_be_played_on_is_refused(
    finished: DigitalTable, changed: dict[str, Any], refusal: tuple[int, str]
) -> None:
    count = Game.objects.count()

    assert finished.post("/play-on/", {**ASKED, **changed}).refusal == refusal

    assert Game.objects.count() == count


def test_each_field_is_needed(finished: DigitalTable) -> None:
    for name in ASKED:
        asked = {key: value for key, value in ASKED.items() if key != name}
        assert finished.post("/play-on/", asked).refusal == (400, "missing_field")


def test_the_last_step_is_not_played_on(finished: DigitalTable) -> None:
    last = sum(bool(each["action"]) for each in finished.get("/log/").json)

    assert finished.post("/play-on/", {**ASKED, "step": last}).refusal == (422, "nothing_left_to_play")
    assert finished.post("/play-on/", {**ASKED, "step": last - 1}).status == 201


def test_a_game_that_is_played_is_not_played_on(api: Api) -> None:
    assert DigitalTable.open(api).post("/play-on/", ASKED).refusal == (409, "not_finished")


def test_the_game_is_null_once_it_is_deleted(finished: DigitalTable) -> None:
    again = DigitalTable.of(finished.api, finished.post("/play-on/", ASKED).json)

    assert finished.api.delete(f"{finished.path}/", finished.scorekeeper).status == 204

    assert again.state["played_on"] == {"game": None, "step": 5}

"""Who holds the key of a seat over REST: every change is an entry of the log, and no hand is seen without one."""

from __future__ import annotations

import pytest

from tests.api.client import Api, Json
from tests.api.digital import DigitalTable

pytestmark = pytest.mark.any_database


@pytest.fixture
def game(api: Api) -> DigitalTable:
    """Ana and Ben, and a bot in Cleo's seat."""
    return DigitalTable.open(api, bots=[None, None, "easy"])


def claimed(game: DigitalTable, seat: int) -> str:
    """The key that the host gets by an invitation to a seat."""
    invitation = game.post("/invites/", {"role": "seat", "seat": seat}).json
    joined = game.api.post("/join/", {"code": invitation["code"]})
    assert joined.status == 201, joined.text
    return joined.json["key"]


def added(game: DigitalTable, version: int) -> list[Json]:
    """The entries after a version, as a viewer reads them: what the others at the table are shown."""
    entries = game.get(f"/log/?after={version}", key=game.viewer).json
    return [{name: value for name, value in entry.items() if name not in ("seq", "at", "action")} for entry in entries]


def holder(seat: int, change: str) -> Json:
    return {"kind": "holder", "seat": seat, "change": change, "also": []}


def test_the_hand_of_a_bot_is_seen_only_after_the_bot_has_stood_up(game: DigitalTable) -> None:
    version = game.version

    key = claimed(game, 2)

    assert added(game, version) == [{"kind": "seat", "seat": 2, "bot": None}, holder(2, "joined")]
    state = game.get(key=key).json
    assert state["players"][2]["bot"] is None
    assert len(state["round"]["hand"]) == 16


def test_while_a_bot_sits_in_the_key_of_the_seat_shows_no_hand(game: DigitalTable) -> None:
    game.seats[2] = claimed(game, 2)
    everybody = game.get(key=game.viewer).json
    assert len(game.seen_by(2)["round"]["hand"]) == 16

    game.puts_bot(2, "easy", key=game.seats[2])

    seen, everybody = game.seen_by(2), game.get(key=game.viewer).json
    assert seen == {**everybody, "viewer": 2}
    for path in ("/log/", "/export/?format=json", "/export/?format=njet"):
        assert game.get(path, key=game.seats[2]).text == game.get(path, key=game.viewer).text
    game.puts_bot(2, None, key=game.seats[2])
    assert len(game.seen_by(2)["round"]["hand"]) == 16


def test_who_joins_where_a_bot_sits_in_for_a_person_is_shown_to_all(game: DigitalTable) -> None:
    game.puts_bot(1, "easy")
    version = game.version

    claimed(game, 1)

    assert added(game, version) == [{"kind": "seat", "seat": 1, "bot": None}, holder(1, "claimed")]
    assert game.get(key=game.seats[1]).status == 401


def test_a_seat_is_not_emptied_and_taken_in_silence(game: DigitalTable) -> None:
    version = game.version
    (old,) = (key["id"] for key in game.get("/keys/").json if key["seat"] == 1)

    assert game.api.delete(f"{game.path}/keys/{old}/", game.scorekeeper).status == 204
    claimed(game, 1)

    assert added(game, version) == [holder(1, "revoked"), holder(1, "joined")]


def test_a_change_of_a_holder_makes_no_action_stale(game: DigitalTable) -> None:
    seat, version = game.state["round"]["acting"][0], game.version
    assert seat == 0
    action = game.seen_by(seat)["legal_actions"][0]
    claimed(game, 1)
    assert game.version == version + 1

    assert game.does(seat, action, version=version).status == 201
    assert game.does(seat, action, version=version).refusal == (409, "stale_version")

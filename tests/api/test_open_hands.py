"""Digital games over REST in which all see the hands of each finished round."""

from __future__ import annotations

import pytest

from games.rules import Phase
from tests.api.client import Api, Json, Table
from tests.api.digital import DigitalTable
from tests.api.jumps import in_phase, in_trick

pytestmark = pytest.mark.any_database


def log_of(game: DigitalTable, kind: str, key: str) -> list[Json]:
    return [entry["action"] for entry in game.get("/log/", key).json if entry["kind"] == kind]


@pytest.fixture
def game(api: Api) -> DigitalTable:
    """In the second round, after one with a discard."""
    game = DigitalTable.open(api, rounds=2, open_hands=True)
    return game.jump(in_phase(Phase.PLACING, round=2), discard="discard_2")


def test_a_program_opens_a_game_with_open_hands(api: Api) -> None:
    assert DigitalTable.open(api, open_hands=True).state["open_hands"] is True
    assert DigitalTable.open(api).state["open_hands"] is False


def test_the_cards_of_a_real_table_are_not_shown(api: Api) -> None:
    players = [{"name": "Ana"}, {"name": "Ben"}]
    body = {"mode": "table", "preset": "njet-english", "players": players, "open_hands": True}

    assert api.post("/games/", body).refusal == (422, "open_hands_are_digital")


def test_log_and_export_show_every_key_the_finished_round(game: DigitalTable) -> None:
    for key in game.keys.values():
        first, second = log_of(game, "deal", key)
        assert None not in first["hands"]
        assert "seed" not in first
        assert second["hands"].count(None) >= 2
        assert all(None not in each["cards"] for each in log_of(game, "discard", key))
        exported = [row["payload"] for row in game.get("/export/", key).json["log"] if row["kind"] == "deal"]
        assert exported == [first, second]
        assert game.get("/export/", key).json["setup"]["open_hands"] is True


def test_nothing_before_a_shown_round_is_taken_back(game: DigitalTable) -> None:
    for body in ({}, {"to_seq": 0}):
        assert game.post("/undo/", body, game.seats[0]).refusal == (409, "hands_shown")
    assert game.proposes(0, "takeback").refusal == (409, "hands_shown")

    game.jump(in_trick(1, 1, round=2))
    assert game.proposes(0, "takeback", to_seq=1).refusal == (409, "hands_shown")
    assert game.proposes(0, "takeback").status == 201


@pytest.mark.parametrize("agreed", [True, False])
def test_what_was_agreed_is_not_changed(api: Api, agreed: bool) -> None:
    game = DigitalTable.open(api, open_hands=agreed)

    for preview in (True, False):
        body = {"open_hands": not agreed, "preview": preview}
        assert game.post("/setup/", body).refusal == (422, "open_hands_fixed")
    assert game.state["open_hands"] is agreed


def test_a_real_table_is_corrected_as_ever(table: Table) -> None:
    assert table.post("/setup/", {"rounds": 3, "open_hands": False}).status == 201
    assert table.post("/setup/", {"open_hands": True}).refusal == (422, "open_hands_fixed")


def test_a_rematch_keeps_what_was_agreed(game: DigitalTable) -> None:
    game.finish_early()

    assert game.post("/rematch/").json["state"]["open_hands"] is True

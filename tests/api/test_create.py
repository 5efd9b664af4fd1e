"""Presets, and opening a table."""

from dataclasses import replace
from typing import Any

import pytest
from django.test import Client

from games.api import throttles
from games.models import Attempt
from tests.api.client import CAST, Api, Table

ANA_AND_BEN = [{"name": "Ana"}, {"name": "Ben"}]


def body(**changed: Any) -> dict[str, Any]:
    return {"mode": "table", "preset": "njet-english", "players": ANA_AND_BEN, **changed}


def test_the_presets(api: Api) -> None:
    presets = {each["preset"]: each for each in api.get("/presets/").json}

    assert [key for key, each in presets.items() if each["default"]] == ["njet-english"]
    assert {key: (each["edition"]["key"], each["players"]) for key, each in presets.items()} == {
        "njet-english": ("njet60", [2, 3, 4, 5]),
        "njet-wikipedia": ("njet60", [2, 3, 4, 5]),
        "nyet-iello": ("nyet60", [2, 3, 4, 5]),
        "goldsieber-french": ("goldsieber40", [3, 4]),
        "goldsieber-dutch": ("goldsieber40", [3, 4]),
        "goldsieber-german": ("goldsieber40", [3, 4]),
        "goldsieber-italian": ("goldsieber40", [4]),
    }
    english, dutch, iello = (presets[key] for key in ("njet-english", "goldsieber-dutch", "nyet-iello"))
    assert iello["spaces"]["discard"] == ["discard_1", "discard_2", "discard_2_no_one", "pass_2_left", "njet"]
    assert iello["removals"]["all_2s_3s_4s"] == {"rank": 2, "ranks": [2, 3, 4], "of_each_suit": 1}
    assert "red-13" in iello["deck"]
    assert all(each["allowed"]["target"] == {"least": 10, "most": 999} for each in presets.values())
    assert english["rounds"] == {"2": 8, "3": 9, "4": 8, "5": 10}
    assert english["spaces"]["discard"] == ["discard_1", "discard_2", "discard_2_no_zero", "pass_2_right", "njet"]
    assert english["allowed"]["start_row"] == [True, False]
    assert (len(english["deck"]), len(dutch["deck"])) == (60, 40)
    assert dutch["spaces"]["start"] == ["0", "1", "2", "3"]
    assert dutch["short_rounds"] == {"3": 3, "4": 4}
    assert dutch["removals"]["all_4s"] == {"rank": 4, "ranks": [4], "of_each_suit": 1}


def test_a_new_table_shows_its_keys_and_links(table: Table) -> None:
    created = table.created

    assert set(created) == {"id", "version", "keys", "links", "state"}
    assert created["version"] == 0
    assert created["state"].pop("occasion").keys() == table.state["occasion"].keys()
    assert created["state"] == {name: value for name, value in table.state.items() if name != "occasion"}
    assert created["keys"]["seats"] == {}
    links = created["links"]
    assert links["self"] == f"http://testserver/api/v1/games/{table.id}/"
    assert links["table"] == f"http://testserver/g/{table.id}/"
    assert all(link.startswith("http://testserver/join/") for link in links["join"].values())
    assert set(links["join"]) == {"scorekeeper", "viewer"}


@pytest.mark.parametrize("role", ["scorekeeper", "viewer"])
def test_a_join_link_lets_a_program_in_too(table: Table, role: str) -> None:
    token = table.created["links"]["join"][role].rstrip("/").rpartition("/")[2]

    joined = table.api.post("/join/", {"token": token}).json

    assert (joined["game"], joined["role"]) == (table.id, role)


def test_tokens_that_no_one_asked_for_are_handed_out_in_order(api: Api) -> None:
    players = [{"name": "Ana"}, {"name": "Ben", "token": "turquoise", "bot": None}, {"name": "Cleo", "token": None}]

    state = api.post("/games/", body(players=players)).json["state"]

    assert [player["token"] for player in state["players"]] == ["pink", "turquoise", "green"]


def test_options_are_resolved(api: Api) -> None:
    options = {"rounds": 2, "score_record": "difference", "must_trump_when_void": True}

    state = api.post("/games/", body(options=options, dealer=1, group=None)).json["state"]

    assert state["options"]["rounds"] == state["round"]["of"] == 2
    assert state["options"]["score_record"] == "difference"
    assert state["options"]["must_trump_when_void"] is True
    assert state["round"]["dealer"] == 1


def test_the_options_of_a_state_open_the_same_table_again(api: Api) -> None:
    table = api.open_table("goldsieber-italian", 4)

    again = api.open_table("goldsieber-italian", 4, **table.state["options"])

    assert again.state["options"] == table.state["options"]


@pytest.mark.parametrize(
    ("asked", "status", "code"),
    [
        (body(mode="digital", players=[{"name": "Ana", "bot": "easy"}]), 422, "wrong_player_count"),
        (body(players=[{"name": "Ana"}, {"name": "Bot", "bot": "strong"}]), 422, "bots_are_digital"),
        (body(group="none"), 401, "not_authenticated"),
        (body(preset="njet-french"), 422, "unknown_preset"),
        (body(players=[]), 422, "wrong_player_count"),
        (body(players=[{"name": str(number)} for number in range(6)]), 422, "wrong_player_count"),
        (body(preset="goldsieber-dutch"), 422, "wrong_player_count"),
        (body(players=[{"name": "Ana"}, {"name": "ANA"}]), 422, "name_twice"),
        (body(players=[{"name": "Ana"}, {"name": "\u0410na"}]), 422, "name_twice"),
        (body(players=[{"name": "Ana"}, {"name": "Ana\ufe0f"}]), 422, "name_twice"),
        (body(players=[{"name": "Ana"}, {"name": " \u200b"}]), 422, "name_missing"),
        (body(players=[{"name": "Ana"}, {"name": "B" * 41}]), 422, "name_too_long"),
        (body(players=[{"name": "Ana", "token": "bear"}, {"name": "Ben"}]), 422, "unknown_token"),
        (body(players=[{"name": name, "token": "pink"} for name in CAST[:2]]), 422, "token_twice"),
        (body(dealer=2), 422, "unknown_dealer"),
        (body(dealer=-1), 422, "unknown_dealer"),
        (body(options={"colour": "blue"}), 422, "unknown_option"),
        (body(options={"rounds": 0}), 422, "option_not_allowed"),
        (body(options={"rounds": 100}), 422, "option_not_allowed"),
        (body(options={"three_player_removal": "all_2s"}), 422, "option_not_allowed"),
        (body(options={"score_record": "FULL"}), 422, "option_not_allowed"),
        (body(options={"rounds": "8"}), 400, "wrong_type"),
        (body(options={"rounds": True}), 400, "wrong_type"),
        (body(options={"rounds": 8.0}), 400, "wrong_type"),
        (body(options={"start_row": "off"}), 400, "wrong_type"),
        (body(options={"start_row": 0}), 400, "wrong_type"),
        (body(options={"score_record": ["full"]}), 400, "wrong_type"),
        (body(options={"score_record": None}), 400, "wrong_type"),
        (body(options=["rounds"]), 400, "wrong_type"),
        (body(preset="nonsense", options={"rounds": "8"}), 400, "wrong_type"),
        (body(mode="card"), 400, "wrong_type"),
        (body(mode=None), 400, "wrong_type"),
        (body(players={"name": "Ana"}), 400, "wrong_type"),
        (body(players=["Ana", "Ben"]), 400, "wrong_type"),
        (body(players=[{"name": 7}, {"name": "Ben"}]), 400, "wrong_type"),
        (body(players=[{"token": "pink"}, {"name": "Ben"}]), 400, "missing_field"),
        (body(players=[{"name": "Ana", "seat": 0}, {"name": "Ben"}]), 400, "unknown_field"),
        (body(players=[{"name": "Ana", "bot": "clever"}, {"name": "Ben"}]), 400, "wrong_type"),
        (body(players=[{"name": "Ana", "bot": False}, {"name": "Ben"}]), 400, "wrong_type"),
        (body(dealer="0"), 400, "wrong_type"),
        (body(dealer=True), 400, "wrong_type"),
        (body(group=7), 400, "wrong_type"),
        (body(colour="blue"), 400, "unknown_field"),
        ({"mode": "table", "players": ANA_AND_BEN}, 400, "missing_field"),
        ({"preset": "njet-english", "players": ANA_AND_BEN}, 400, "missing_field"),
        ({"mode": "table", "preset": "njet-english"}, 400, "missing_field"),
    ],
)
def test_a_table_that_cannot_be_opened(api: Api, asked: dict[str, Any], status: int, code: str) -> None:
    assert api.post("/games/", asked).refusal == (status, code)


def test_goldsieber_without_a_start_row_is_refused(api: Api) -> None:
    players = [{"name": name} for name in CAST[:4]]

    answer = api.post("/games/", body(preset="goldsieber-french", players=players, options={"start_row": False}))

    assert answer.refusal == (422, "option_not_allowed")


# --- limits ---


@pytest.mark.parametrize(
    ("path", "sent"), [("/games/", body()), ("/games/import/", {}), ("/groups/", {"name": "Friday club"})]
)
def test_what_an_address_creates_without_a_key_is_limited(
    db: None, path: str, sent: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    for throttle in (throttles.CreationThrottle, throttles.ImportThrottle, throttles.FoundationThrottle):
        monkeypatch.setattr(throttle, "limit", replace(throttle.limit, most=2))
    strangers = [Api(Client(REMOTE_ADDR=address)) for address in ("2001:470::1", "2001:470::2")]
    before = [stranger.post(path, sent).status for stranger in strangers]
    strangers[0].get("/presets/")

    refused = strangers[0].post(path, sent)

    assert 429 not in before
    assert refused.refusal == (429, "too_many_requests")
    assert refused.params == {"minutes": 60}
    assert 3500 < int(refused.response.headers["Retry-After"]) <= 3600
    assert Api(Client(REMOTE_ADDR="192.168.0.7")).post(path, sent).status != 429


def test_a_key_of_a_group_has_no_limit(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(throttles.CreationThrottle, "limit", replace(throttles.CreationThrottle.limit, most=1))
    api = Api(Client(REMOTE_ADDR="2001:470::1"))
    group = api.post("/groups/", {"name": "Friday club"}).json

    statuses = [api.post("/games/", body(group=group["id"]), group["key"]).status for _ in range(3)]

    assert statuses == [201] * 3
    assert [api.post("/games/", body()).status for _ in range(2)] == [201, 429]


def test_reading_from_an_address_that_creates_counts_nothing(db: None) -> None:
    api = Api(Client(REMOTE_ADDR="2001:470::1"))

    assert api.get("/games/").status == 405

    assert not Attempt.objects.exists()


@pytest.mark.parametrize("path", ["/games/", "/groups/", "/games/import/"])
def test_what_another_site_lets_a_browser_send_counts_nothing(db: None, path: str) -> None:
    api = Api(Client(REMOTE_ADDR="2001:470::1"))

    # A form of any site sends this without asking first.
    answer = api.send("POST", path, data="text=", content_type="application/x-www-form-urlencoded")

    assert answer.status == 415
    assert not Attempt.objects.exists()

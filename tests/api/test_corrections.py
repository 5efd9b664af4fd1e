"""What REST says of undo, amendments and a corrected set-up, and their previews.

That they do what the services do is shown by `tests.cast.test_agreement`.
"""

import pytest

from tests.api.client import ROUND_OF_THREE, Api, Table, place, settle, tally, team, trick

pytestmark = pytest.mark.any_database

ROUND_2 = (settle("1", "njet", "blue", "njet", "1"), team(monster=1), tally([4, 6, 6]))


# --- amend ---


def test_an_amended_tally_changes_the_totals_as_the_preview_says(table: Table) -> None:
    table.play(*ROUND_OF_THREE, *ROUND_2)
    before = table.state
    change = {"seq": 3, "action": tally([6, 5, 5], [1, 0, 0])}

    preview = table.amend(change, preview=True)

    assert preview.status == 200
    assert table.state == before
    assert preview.json == {
        "changes": [
            {"seat": 0, "total_before": 34, "total_after": 34, "rank_before": 3, "rank_after": 2},
            {"seat": 1, "total_before": 36, "total_after": 36, "rank_before": 2, "rank_after": 1},
            {"seat": 2, "total_before": 38, "total_after": 30, "rank_before": 1, "rank_after": 3},
        ]
    }
    after = table.amend(change, version=6, request_id="mend").json["state"]
    assert after["scores"]["totals"] == [each["total_after"] for each in preview.json["changes"]]


def test_a_preview_of_an_old_version_is_stale(table: Table) -> None:
    table.play(*ROUND_OF_THREE)

    answer = table.amend({"seq": 3, "action": tally([16, 0, 0])}, preview=True, version=2)

    assert answer.refusal == (409, "stale_version")
    assert answer.params["state"] == table.state


def test_a_preview_uses_up_no_request_id(table: Table) -> None:
    table.play(*ROUND_OF_THREE)
    change = {"seq": 3, "action": tally([16, 0, 0])}

    table.amend(change, preview=True, request_id="mend")

    assert table.amend(change, request_id="mend").status == 201


def test_changes_that_cannot_be_read(table: Table) -> None:
    table.play(*ROUND_OF_THREE)

    for change, code in (
        ({"seq": 3}, "missing_field"),
        ({"action": trick(0)}, "missing_field"),
        ({"seq": 3, "delete": False}, "wrong_type"),
        ({"seq": 3, "delete": True, "action": trick(0)}, "unknown_field"),
        ({"seq": 3, "after_seq": 2, "action": trick(0)}, "unknown_field"),
        ({"seq": "3", "delete": True}, "wrong_type"),
        ({"seq": 3.0, "delete": True}, "wrong_type"),
        ({"seq": True, "delete": True}, "wrong_type"),
        ({"seq": 3, "part": -1, "delete": True}, "wrong_type"),
        ({"after_seq": -1, "action": trick(0)}, "wrong_type"),
        ({"seq": 3, "action": {"type": "cheat"}}, "unknown_action"),
        ("3", "wrong_type"),
    ):
        assert table.amend(change).refusal == (400, code), change
    assert table.amend({"seq": 3, "delete": True}, preview="yes").refusal == (400, "wrong_type")
    assert table.version == 3


# --- set-up ---


def test_names_tokens_dealer_and_rounds_are_corrected(table: Table) -> None:
    table.play(place("trump", "red"))

    answer = table.post(
        "/setup/",
        {
            "names": ["Anna", "Ben", "Cleo"],
            "tokens": ["lilac", "pink", "green"],
            "dealer": 2,
            "rounds": 3,
            "version": 1,
        },
    )

    assert answer.status == 201
    state = answer.json["state"]
    assert [player["name"] for player in state["players"]] == ["Anna", "Ben", "Cleo"]
    assert [player["token"] for player in state["players"]] == ["lilac", "pink", "green"]
    assert (state["round"]["dealer"], state["round"]["of"]) == (2, 3)
    assert state["round"]["board"][2]["spaces"][0]["covered_by"] == 2
    assert table.undo().json["state"]["players"][0]["name"] == "Ana"


def test_what_is_left_out_of_a_correction_stays(table: Table) -> None:
    state = table.post("/setup/", {"names": None, "dealer": 1}).json["state"]

    assert state["players"] == table.created["state"]["players"]
    assert state["round"]["dealer"] == 1


def test_the_preview_of_a_set_up_changes_nothing(table: Table) -> None:
    before = table.play(*ROUND_OF_THREE)

    assert table.post("/setup/", {"rounds": 1, "preview": True}).json == {"changes": []}
    assert table.post("/setup/", {"names": ["A", "a", "B"], "preview": True}).refusal == (422, "name_twice")
    assert table.post("/setup/", {"dealer": 3, "preview": True}).refusal == (422, "unknown_dealer")
    assert table.state == before


def test_a_set_up_that_cannot_be_read(table: Table) -> None:
    for body in ({"names": "Ana"}, {"names": ["Ana", None, "Ben"]}, {"tokens": [1]}, {"rounds": "3"}, {"dealer": True}):
        assert table.post("/setup/", body).refusal == (400, "wrong_type")


# --- lock, reopen, rematch, delete ---


def test_a_rematch_moves_the_deal_on(api: Api) -> None:
    table = api.open_table(rounds=1, dealer=2)
    table.play(*ROUND_OF_THREE)

    answer = table.post("/rematch/")

    assert answer.status == 201
    again = answer.json
    assert again["id"] != table.id
    assert again["state"]["round"]["dealer"] == 0
    assert again["state"]["players"] == table.state["players"]
    assert again["state"]["options"] == table.state["options"]
    assert Table(api, again["id"], again["keys"]["scorekeeper"], again["keys"]["viewer"], again).version == 0
    assert table.get(key=again["keys"]["scorekeeper"]).refusal == (404, "not_found")


def test_a_confirmed_result_is_deleted_with_the_key_that_came_with_the_game(api: Api) -> None:
    table = api.open_table(rounds=1)
    code = table.post("/invites/", {"role": "scorekeeper"}).json["code"]
    joined = api.post("/join/", {"code": code}).json["key"]
    table.play(*ROUND_OF_THREE)
    assert table.post("/lock/").status == 201

    assert api.delete(table.path + "/", joined).refusal == (403, "forbidden")
    assert table.state["locked"]

    assert api.delete(table.path + "/", table.scorekeeper).status == 204


def test_a_deleted_game_is_restored_with_its_keys(table: Table) -> None:
    other = table.api.open_table()
    table.play(*ROUND_OF_THREE)
    before = table.state
    assert table.post("/restore/").refusal == (401, "not_authenticated")
    table.api.delete(table.path + "/", table.scorekeeper)

    assert table.post("/restore/", key=table.viewer).refusal == (403, "forbidden")
    assert table.post("/restore/", key=other.scorekeeper).refusal == (401, "not_authenticated")
    assert table.api.post(f"/games/{other.id}/restore/", {}, table.scorekeeper).refusal == (404, "not_found")
    assert table.get().status == 401
    answer = table.post("/restore/")

    assert answer.status == 200
    assert answer.json == table.get().json == before
    assert table.get(key=table.viewer).status == 200
    assert table.post("/restore/").refusal == (401, "not_authenticated")


def test_the_first_rematch_is_the_next_game_of_the_old_table(api: Api) -> None:
    table = api.open_table(rounds=1)
    table.play(*ROUND_OF_THREE)
    before = table.get()

    first, second = table.post("/rematch/").json, table.post("/rematch/").json

    assert first["id"] != second["id"]
    assert (before.json["next_game"], first["state"]["next_game"]) == (None, None)
    for key in (table.scorekeeper, table.viewer):
        assert table.get(key=key).json["next_game"] == first["id"]
    # It is no entry of the log, so the version is the same.
    news = table.get(**{"If-None-Match": before.response.headers["ETag"]})
    assert (news.status, news.json["version"]) == (200, before.json["version"])
    # A program's key opens its own game alone.
    assert Table(api, first["id"], table.scorekeeper, table.viewer, first).get().refusal == (404, "not_found")

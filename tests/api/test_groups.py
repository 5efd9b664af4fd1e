"""Groups: players, keys, invitations and tables of people who play together."""

from typing import Any

import pytest

from games.models import GroupKey, Key
from tests.api.client import CAST, FINISH, ROUND_OF_THREE, Api, Table, place
from tests.api.groups import ApiGroup

pytestmark = pytest.mark.any_database

THREE = [{"name": name} for name in CAST[:3]]


def opening(group: ApiGroup, /, **more: Any) -> dict[str, Any]:
    return {"mode": "table", "preset": "njet-english", "players": THREE, "group": group.id, **more}


# --- the group ---


def test_anyone_who_founds_a_group_gets_its_owners_key_this_once(api: Api) -> None:
    answer = api.post("/groups/", {"name": "  The\tTuesdays "})

    assert answer.status == 201
    assert answer.json["name"] == "The Tuesdays"
    assert len(answer.json["key"]) == 43
    group = api.get(f"/groups/{answer.json['id']}/", answer.json["key"])
    assert answer.json["links"]["self"].endswith(f"/api/v1/groups/{answer.json['id']}/")
    assert (group.json["role"], group.json["games"], group.json["players"], group.json["changes"]) == ("owner", 0, 0, 0)
    assert answer.json["links"]["page"] == f"http://testserver/groups/{answer.json['id']}/"
    assert answer.json["key"] not in group.text


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({}, 400, "missing_field"),
        ({"name": 7}, 400, "wrong_type"),
        ({"name": "Tuesdays", "key": "x"}, 400, "unknown_field"),
        ({"name": " "}, 422, "group_name_missing"),
        ({"name": "x" * 61}, 422, "name_too_long"),
    ],
)
def test_a_group_that_cannot_be_founded(api: Api, body: dict[str, Any], status: int, code: str) -> None:
    assert api.post("/groups/", body).refusal == (status, code)


def test_everybody_in_a_group_reads_how_it_stands(group: ApiGroup) -> None:
    group.game()

    for role in ("owner", "member", "viewer"):
        found = group.get(f"{group.path}/", getattr(group, role)).json
        assert (found["name"], found["role"]) == ("Tuesdays", role)
        assert (found["games"], found["players"], found["changes"]) == (1, 3, 1)


def test_an_owner_renames_a_group(group: ApiGroup) -> None:
    assert group.post("/", {"name": "Wednesdays"}).json["name"] == "Wednesdays"

    assert group.get(f"{group.path}/").json["name"] == "Wednesdays"


def test_a_dissolved_group_leaves_its_games_to_those_who_have_a_key_of_their_own(group: ApiGroup) -> None:
    table = group.game()

    assert group.delete("/").status == 204

    assert group.get(f"{group.path}/").refusal == (401, "not_authenticated")
    assert table.get().status == 200


# --- players ---


def test_a_member_adds_and_renames_players(group: ApiGroup) -> None:
    added = group.post("/players/", {"name": " Fay ", "token": "turquoise"}, group.member)
    assert added.status == 201
    assert (added.json["name"], added.json["token"], added.json["games"]) == ("Fay", "turquoise", 0)

    path = f"/players/{added.json['id']}/"
    assert group.post(path, {"name": "Faye"}, group.member).json["name"] == "Faye"
    assert group.post(path, {"token": ""}, group.member).json["token"] is None

    assert group.get(f"{group.path}/players/").json == group.get("/players/").json
    assert [(each["name"], each["token"]) for each in group.get("/players/").json] == [("Faye", None)]


REFUSED = (
    ("/players/", {"name": ""}, 422, "name_missing"),
    ("/players/", {"name": "ana"}, 422, "player_name_taken"),
    ("/players/", {"name": "Fay", "token": "mauve"}, 422, "unknown_token"),
    ("/players/", {"name": None}, 400, "wrong_type"),
    ("/players/{Ana}/", {}, 400, "malformed"),
    ("/players/{Ana}/", {"name": None, "token": None}, 400, "malformed"),
    ("/players/{Ana}/", {"name": "BEN"}, 422, "player_name_taken"),
    ("/players/{Ana}/", {"id": "x"}, 400, "unknown_field"),
    ("/players/{Ana}/merge/", {"into": "{Ben}"}, 422, "same_table"),
    ("/players/{Ana}/merge/", {"into": "{Ana}"}, 404, "not_found"),
    ("/players/{Ana}/merge/", {"into": "nobody"}, 404, "not_found"),
    ("/players/{Ana}/merge/", {}, 400, "missing_field"),
    ("/players/{Ana}/erase/", {"really": True}, 400, "unknown_field"),
    ("/players/nobody/", {"name": "Fay"}, 404, "not_found"),
    ("/players/nobody/erase/", {}, 404, "not_found"),
)


def test_what_cannot_be_done_with_a_player(group: ApiGroup) -> None:
    group.game()
    before = group.get("/players/").json
    ids = group.players()

    for path, body, status, code in REFUSED:
        filled = {name: value.format(**ids) if isinstance(value, str) else value for name, value in body.items()}
        assert group.post(path.format(**ids), filled).refusal == (status, code), (path, body)
    assert group.get("/players/").json == before


def test_two_names_of_one_person_are_merged(group: ApiGroup) -> None:
    group.game()
    group.game(names=("Anna", "Dan", "Eve"))
    ids = group.players()

    answer = group.post(f"/players/{ids['Anna']}/merge/", {"into": ids["Ana"]})

    assert answer.status == 200
    assert (answer.json["id"], answer.json["games"]) == (ids["Ana"], 2)
    assert "Anna" not in group.players()
    assert group.post(f"/players/{ids['Anna']}/merge/", {"into": ids["Ben"]}).refusal == (404, "not_found")


def test_an_erased_player_is_a_number_among_the_figures(group: ApiGroup) -> None:
    table = group.game()
    ana = group.players()["Ana"]

    answer = group.post(f"/players/{ana}/erase/")

    assert answer.json["erased"]
    assert (answer.json["id"], answer.json["games"]) == (ana, 1)
    for path in ("/players/", "/results/", "/results/?format=csv", "/results/rounds/", f"/players/{ana}/statistics/"):
        assert "Ana" not in group.get(path).text
    for path in ("/", "/log/", "/sheet/", "/export/", "/export/?format=njet"):
        assert "Ana" not in table.get(path).text


# --- keys and invitations ---


def test_an_owner_lists_gives_renews_and_takes_back_keys(group: ApiGroup) -> None:
    given = group.post("/keys/", {"role": "viewer", "label": " Club\tscreen "})
    assert given.status == 201
    rows = group.get(f"{group.path}/keys/", group.owner).json
    assert [(row["role"], row["label"], row["own"], row["program"]) for row in rows] == [
        ("owner", "API owner", True, True),
        ("member", "member", False, True),
        ("viewer", "viewer", False, True),
        ("viewer", "Club screen", False, True),
    ]
    assert all(set(row) == {"id", "role", "label", "created_at", "own", "program"} for row in rows)

    key_id = given.json["id"]
    renewed = group.post(f"/keys/{key_id}/renew/").json
    assert renewed["id"] == key_id
    assert group.get("/statistics/", given.json["key"]).status == 401
    assert group.get("/statistics/", renewed["key"]).status == 200

    assert group.delete(f"/keys/{key_id}/").status == 204
    assert group.get("/statistics/", renewed["key"]).status == 401
    assert group.delete(f"/keys/{key_id}/").refusal == (404, "not_found")
    assert group.post(f"/keys/{key_id}/renew/").refusal == (404, "not_found")


def test_the_last_owner_stays(group: ApiGroup) -> None:
    own = group.get(f"{group.path}/keys/", group.owner).json[0]["id"]

    assert group.delete(f"/keys/{own}/").refusal == (409, "last_owner_key")

    assert group.get(f"{group.path}/", group.owner).status == 200


@pytest.mark.parametrize("role", ["owner", "member", "viewer"])
def test_anyone_who_has_a_groups_code_joins_it_with_its_role(group: ApiGroup, role: str) -> None:
    invitation = group.post("/invites/", {"role": role}).json

    joined = group.api.post("/join/", {"code": invitation["code"], "name": "Laptop"})

    assert joined.status == 201
    assert (joined.json["group"], joined.json["role"]) == (group.id, role)
    assert group.get(f"{group.path}/", joined.json["key"]).json["role"] == role
    token = invitation["link"].rstrip("/").rpartition("/")[2]
    assert group.api.post("/join/", {"token": token}).json["group"] == group.id


def test_members_invite_their_like_and_no_owners(group: ApiGroup) -> None:
    assert group.post("/invites/", {"role": "viewer"}, group.member).status == 201
    assert group.post("/invites/", {"role": "member"}, group.member).status == 201
    assert group.post("/invites/", {"role": "owner"}, group.member).refusal == (403, "forbidden")
    assert group.post("/invites/", {"role": "scorekeeper"}).refusal == (400, "wrong_type")


def test_no_secret_of_a_group_is_stored_or_repeated(group: ApiGroup) -> None:
    stored = {each.secret_hash for each in GroupKey.objects.all()}

    for key in (group.owner, group.member, group.viewer):
        assert key not in stored
        assert key not in group.get(f"{group.path}/keys/", group.owner).text


# --- tables of a group ---


def test_a_member_opens_a_table_in_the_group(group: ApiGroup) -> None:
    answer = group.api.post("/games/", opening(group), group.member)

    assert answer.status == 201
    assert set(group.players()) == {"Ana", "Ben", "Cleo"}
    assert group.get(f"/games/{answer.json['id']}/").status == 200


def test_who_may_open_a_table_in_the_group(group: ApiGroup, table: Table) -> None:
    other = ApiGroup(group.api)

    assert group.api.post("/games/", opening(group)).refusal == (401, "not_authenticated")
    assert group.api.post("/games/", opening(group), "wrong").refusal == (401, "not_authenticated")
    assert group.api.post("/games/", opening(group), table.scorekeeper).refusal == (401, "not_authenticated")
    assert group.api.post("/games/", opening(group), other.owner).refusal == (404, "not_found")
    assert group.api.post("/games/", opening(group, group="\u2028"), group.owner).refusal == (404, "not_found")
    assert group.api.post("/games/", opening(group), group.viewer).refusal == (403, "forbidden")
    assert group.api.post("/games/", opening(group, mode="digital"), group.viewer).refusal == (403, "forbidden")
    assert group.api.post("/games/", opening(group, dealer="x"), "wrong").status == 400
    assert group.get("/players/").json == []


def test_a_rematch_stays_in_the_group(group: ApiGroup) -> None:
    rematch = group.game().post("/rematch/").json

    assert group.get(f"/games/{rematch['id']}/").status == 200


@pytest.mark.parametrize("path", ["/", "/log/", "/sheet/", "/sheet/?format=csv", "/export/", "/export/?format=njet"])
def test_every_key_of_a_group_reads_its_games_as_a_viewer_does(group: ApiGroup, path: str) -> None:
    table = group.game()
    seen = table.get(path, table.viewer)

    for key in (group.owner, group.member, group.viewer):
        answer = table.get(path, key)
        assert (answer.status, answer.text) == (200, seen.text)
        assert answer.response.headers.get("ETag") == seen.response.headers.get("ETag")


def test_a_member_sits_down_at_a_table_and_leaves_it_with_the_group(group: ApiGroup) -> None:
    table = group.table()

    entered = group.post(f"/games/{table.id}/enter/", {"role": "scorekeeper"}, group.member)

    assert entered.status == 201
    assert (entered.json["game"], entered.json["role"]) == (table.id, "scorekeeper")
    assert table.post("/actions/", {"action": place("trump", "red")}, entered.json["key"]).status == 201
    member = next(row["id"] for row in group.get(f"{group.path}/keys/", group.owner).json if row["role"] == "member")
    assert group.delete(f"/keys/{member}/").status == 204
    assert table.get(key=entered.json["key"]).status == 401


def test_a_viewer_of_the_group_sits_down_to_look(group: ApiGroup) -> None:
    table = group.table()
    path = f"/games/{table.id}/enter/"

    assert group.post(path, {"role": "scorekeeper"}, group.viewer).refusal == (403, "forbidden")
    assert group.post(path, {"role": "seat"}, group.viewer).status == 400
    entered = group.post(path, {"role": "viewer"}, group.viewer).json

    assert table.get(key=entered["key"]).status == 200
    assert table.post("/undo/", {}, entered["key"]).status == 403


def test_a_table_is_adopted_by_anyone_who_may_record_there_and_released_by_an_owner(group: ApiGroup) -> None:
    table = group.api.open_table()
    table.play(*ROUND_OF_THREE, FINISH)

    adopted = group.post("/games/", {"game": table.id, "key": table.scorekeeper}, group.member)

    assert adopted.status == 201
    assert [seat["name"] for seat in adopted.json["seats"]] == ["Ana", "Ben", "Cleo"]
    assert {seat["player"] for seat in adopted.json["seats"]} == set(group.players().values())
    assert group.get(f"{group.path}/").json["games"] == 1
    again = group.post("/games/", {"game": table.id, "key": table.scorekeeper}, group.member)
    assert again.refusal == (409, "already_in_group")

    assert group.delete(f"/games/{table.id}/").status == 204
    assert group.get(f"{group.path}/").json["games"] == 0
    assert group.get(table.path + "/").refusal == (404, "not_found")
    assert table.get().status == 200
    assert group.delete(f"/games/{table.id}/").refusal == (404, "not_found")


def test_a_table_is_adopted_by_no_other_player(group: ApiGroup, table: Table) -> None:
    stranger = group.api.open_table()

    for key, refusal in (
        ("wrong", (404, "not_found")),
        (stranger.scorekeeper, (404, "not_found")),
        (group.owner, (404, "not_found")),
        (table.viewer, (403, "forbidden")),
    ):
        assert group.post("/games/", {"game": table.id, "key": key}).refusal == refusal
    right = {"game": table.id, "key": table.scorekeeper}
    assert group.post("/games/", right, group.viewer).refusal == (403, "forbidden")
    assert Key.objects.filter(game=table.id).first().game.group is None

"""Keys and invitations: shown once, kept as hashes, taken back one by one."""

from typing import Any

import pytest
from django.db import connection

from tests.api.client import Api, Table, place


def everything_stored() -> str:
    """Every cell of every table of the database, as text."""
    with connection.cursor() as cursor:
        cells = []
        for name in connection.introspection.table_names(cursor):
            cursor.execute(f"SELECT * FROM {connection.ops.quote_name(name)}")
            cells += [str(cell) for row in cursor.fetchall() for cell in row]
    return "\n".join(cells)


def test_no_secret_is_stored(table: Table) -> None:
    invitation = table.post("/invites/", {"role": "scorekeeper"}).json
    joined = table.api.post("/join/", {"code": invitation["code"], "name": "Laptop"}).json
    token = invitation["link"].rstrip("/").rpartition("/")[2]
    links = [link.rstrip("/").rpartition("/")[2] for link in table.created["links"]["join"].values()]

    stored = everything_stored()

    assert table.id in stored
    for secret in (table.scorekeeper, table.viewer, joined["key"], token, *links):
        assert len(secret) >= 22
        assert secret not in stored
    code = invitation["code"]
    assert code not in stored
    assert code.replace("-", "") not in stored


def test_keys_are_shown_by_the_request_that_makes_them_and_never_again(table: Table) -> None:
    table.act(place("trump", "red"))

    for path in ("/", "/log/", "/sheet/", "/keys/"):
        text = table.get(path).text
        assert table.scorekeeper not in text
        assert table.viewer not in text


# --- invitations ---


@pytest.mark.parametrize("role", ["scorekeeper", "viewer"])
def test_anyone_who_has_the_code_joins_with_its_role(table: Table, role: str) -> None:
    invitation = table.post("/invites/", {"role": role}).json

    joined = table.api.post("/join/", {"code": invitation["code"].lower().replace("-", " "), "name": "Laptop"})

    assert joined.status == 201
    assert joined.json["game"] == table.id
    assert joined.json["role"] == invitation["role"] == role
    assert joined.json["links"] == {
        "self": f"http://testserver/api/v1/games/{table.id}/",
        "table": f"http://testserver/g/{table.id}/",
    }
    assert table.get(key=joined.json["key"]).status == 200
    wrote = table.post("/actions/", {"action": place("trump", "red")}, joined.json["key"])
    assert wrote.status == (201 if role == "scorekeeper" else 403)


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"code": ""},
        {"code": None, "token": None},
        {"code": "ABCD-EFGH", "token": "x"},
        {"code": 12345678},
        {"token": ["x"]},
        {"code": "ABCD-EFGH", "name": 7},
        {"code": "ABCD-EFGH", "role": "scorekeeper"},
    ],
)
def test_joining_takes_one_code_or_one_token(api: Api, body: dict[str, Any]) -> None:
    assert api.post("/join/", body).status == 400


def test_guessing_codes_is_made_slow_for_one_address_and_not_for_another(table: Table) -> None:
    code = table.post("/invites/", {"role": "viewer"}).json["code"]
    for number in range(10):
        assert table.api.post("/join/", {"code": f"{number:08}"}).refusal == (404, "invite_not_valid")

    answer = table.api.post("/join/", {"code": "00000000"})

    assert answer.refusal == (429, "too_many_requests")
    assert 0 < int(answer.response.headers["Retry-After"]) <= 600
    assert table.api.post("/join/", {"code": code}).status == 201
    table.api.client.defaults["REMOTE_ADDR"] = "192.168.1.77"
    assert table.api.post("/join/", {"code": "00000000"}).refusal == (404, "invite_not_valid")


def test_a_guesser_cannot_lie_about_their_address(api: Api) -> None:
    for number in range(10):
        api.post("/join/", {"code": f"{number:08}"}, **{"X-Forwarded-For": f"10.0.0.{number}"})

    answer = api.post("/join/", {"code": "00000000"}, **{"X-Forwarded-For": "10.0.0.99"})

    assert answer.refusal == (429, "too_many_requests")


# --- the list of keys ---


def test_the_keys_of_a_game_are_listed_without_secrets(table: Table) -> None:
    code = table.post("/invites/", {"role": "viewer"}).json["code"]
    table.api.post("/join/", {"code": code, "name": "  Club\tscreen "})

    keys = table.get("/keys/").json

    assert [(key["role"], key["label"], key["own"]) for key in keys] == [
        ("scorekeeper", "API scorekeeper", True),
        ("viewer", "API viewer", False),
        ("viewer", "Club screen", False),
    ]
    assert all(set(key) == {"id", "role", "seat", "label", "created_at", "own"} for key in keys)


def test_a_key_is_taken_back(table: Table) -> None:
    viewer = next(key["id"] for key in table.get("/keys/").json if key["role"] == "viewer")

    assert table.api.delete(f"{table.path}/keys/{viewer}/", table.scorekeeper).status == 204

    assert table.get(key=table.viewer).refusal == (401, "not_authenticated")
    assert [key["role"] for key in table.get("/keys/").json] == ["scorekeeper"]
    assert table.api.delete(f"{table.path}/keys/{viewer}/", table.scorekeeper).refusal == (404, "not_found")


def test_a_scorekeeper_may_give_their_own_key_back_if_there_is_another(table: Table) -> None:
    own = next(key["id"] for key in table.get("/keys/").json if key["own"])
    code = table.post("/invites/", {"role": "scorekeeper"}).json["code"]
    other = table.api.post("/join/", {"code": code}).json["key"]

    assert table.api.delete(f"{table.path}/keys/{own}/", table.scorekeeper).status == 204

    assert table.get().status == 401
    assert table.get("/keys/", other).status == 200

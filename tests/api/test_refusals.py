"""Who is refused where, in which shape and in which order."""

import io
import json
import re
from typing import Any

import pytest
from django.test import Client
from django.urls import get_resolver

from games.api.urls import urlpatterns
from tests.api.client import FINISH, ROUND_OF_THREE, Answer, Api, Table, place
from tests.api.clubs import ENDPOINTS

GET, POST, DELETE = "GET", "POST", "DELETE"

OF_A_GAME: tuple[tuple[str, str, Any], ...] = (
    (GET, "/", None),
    (DELETE, "/", None),
    (POST, "/actions/", {"action": place("trump", "red")}),
    (POST, "/undo/", {}),
    (POST, "/amend/", {"changes": [{"seq": 1, "delete": True}]}),
    (POST, "/confirmations/", {"round": 1, "seat": 0}),
    (GET, "/confirmations/asked/", None),
    (POST, "/confirmations/asked/", {"asked": True}),
    (DELETE, "/corrections/1/", None),
    (POST, "/setup/", {"dealer": 1}),
    (POST, "/lock/", {}),
    (POST, "/reopen/", {}),
    (POST, "/rematch/", {}),
    (POST, "/proposals/", {"type": "finish"}),
    (POST, "/proposals/1/", {"agree": True}),
    (POST, "/seats/0/bot/", {"level": "easy"}),
    (GET, "/log/", None),
    (GET, "/sheet/", None),
    (GET, "/analysis/", None),
    (GET, "/export/", None),
    (GET, "/invites/", None),
    (POST, "/invites/", {"role": "viewer"}),
    (DELETE, "/invites/1/", None),
    (GET, "/keys/", None),
    (DELETE, "/keys/1/", None),
)
FOR_EVERYBODY_AT_THE_TABLE = {
    *(
        (GET, "/"),
        (GET, "/log/"),
        (GET, "/sheet/"),
        (GET, "/analysis/"),
        (GET, "/export/"),
        (GET, "/confirmations/asked/"),
    ),
    # Each key has its own invitations.
    *((GET, "/invites/"), (DELETE, "/invites/1/")),
}
FOR_SCOREKEEPERS = tuple(each for each in OF_A_GAME if each[:2] not in FOR_EVERYBODY_AT_THE_TABLE)
WITH_A_BODY = (
    *(f"/games/{{id}}{path}" for method, path, _ in OF_A_GAME if method == POST),
    "/games/",
    "/groups/",
    "/join/",
)
EVERY_PATH = (
    *{f"/games/{{id}}{path}": None for _, path, _ in OF_A_GAME},
    "/games/",
    "/groups/",
    "/join/",
    "/presets/",
    "/schema/",
    "/docs/",
)

JUNK = (
    "{",
    "null",
    "[]",
    "7",
    '"x"',
    '{"x": "\\ud800"}',
    '{"x": "\\u0000"}',
    '{"x": NaN}',
    '{"x": 1e400}',
    '{"x": 1}',
    b"\xff\xfe{}",
)


def send(table: Table, request: tuple[str, str, Any], key: str | None) -> Answer:
    method, path, body = request
    return table.api.send(method, table.path + path, key, data="" if body is None else json.dumps(body))


def refused(answer: Answer, status: int, code: str) -> bool:
    """Whether an answer is this refusal, in the one shape."""
    assert answer.response.headers["Content-Type"] == "application/json"
    error = answer.json["error"]
    assert set(answer.json) == {"error"}
    assert set(error) == {"code", "message", "params"}
    assert isinstance(error["message"], str)
    assert error["message"]
    assert isinstance(error["params"], dict)
    return (answer.status, error["code"]) == (status, code)


def test_every_endpoint_is_tried_here() -> None:
    named = {
        "{id}": "{game_id}",
        "invites/1/": "invites/{invite_id}/",
        "corrections/1/": "corrections/{seq}/",
        "keys/1/": "keys/{key_id}/",
        "proposals/1/": "proposals/{seq}/",
        "seats/0/": "seats/{seat}/",
    }
    of_games = {re.sub("|".join(map(re.escape, named)), lambda found: named[found[0]], path) for path in EVERY_PATH}
    of_groups = {endpoint.path for endpoint in ENDPOINTS}

    routes = [str(pattern.pattern).removeprefix("v1") for pattern in urlpatterns if pattern.name != "unknown"]
    templates = {route.replace("<str:", "{").replace("<int:", "{").replace(">", "}") for route in routes}
    # Whole games have a module of their own.
    assert of_games | of_groups | {"/games/import/"} == templates


# --- keys ---


@pytest.mark.any_database
@pytest.mark.parametrize("request_", OF_A_GAME, ids=lambda each: " ".join(each[:2]))
def test_without_a_valid_key_nothing_of_a_game_is_done(table: Table, request_: tuple[str, str, Any]) -> None:
    for key in (None, "", "wrong", table.id, "ключ".encode().decode("latin-1")):
        answer = send(table, request_, key)
        assert refused(answer, 401, "not_authenticated")
        assert answer.response.headers["WWW-Authenticate"] == "Bearer"
    assert table.version == 0


@pytest.mark.any_database
@pytest.mark.parametrize("request_", OF_A_GAME, ids=lambda each: " ".join(each[:2]))
def test_for_the_key_of_another_game_a_game_does_not_exist(table: Table, request_: tuple[str, str, Any]) -> None:
    stranger = table.api.open_table()
    nowhere = Table(table.api, "0" * 12, stranger.scorekeeper, "", {})

    of_another, of_none = send(table, request_, stranger.scorekeeper), send(nowhere, request_, stranger.scorekeeper)

    assert refused(of_another, 404, "not_found")
    assert of_another.json == of_none.json
    assert table.version == 0


@pytest.mark.any_database
@pytest.mark.parametrize("request_", FOR_SCOREKEEPERS, ids=lambda each: " ".join(each[:2]))
def test_a_viewer_changes_nothing(table: Table, request_: tuple[str, str, Any]) -> None:
    before = table.state

    assert refused(send(table, request_, table.viewer), 403, "forbidden")
    assert table.state == before


@pytest.mark.parametrize("scheme", ["Basic", "Token", "BearerX", ""])
def test_a_key_is_sent_as_bearer_token(table: Table, scheme: str) -> None:
    answer = table.api.get(table.path + "/", Authorization=f"{scheme} {table.scorekeeper}")

    assert refused(answer, 401, "not_authenticated")


def test_the_name_of_the_scheme_may_be_written_small(table: Table) -> None:
    assert table.api.get(table.path + "/", Authorization=f"bearer  {table.viewer} ").status == 200


def test_a_key_in_the_address_opens_nothing(table: Table) -> None:
    answer = table.api.get(f"{table.path}/?key={table.scorekeeper}&Authorization=Bearer {table.scorekeeper}")

    assert refused(answer, 401, "not_authenticated")


# --- the order of the checks ---


@pytest.mark.any_database
def test_what_cannot_be_read_is_refused_after_the_key_and_its_rights(table: Table) -> None:
    stranger = table.api.open_table().scorekeeper
    keys = {None: 401, "wrong": 401, stranger: 404, table.viewer: 403, table.scorekeeper: 400}

    for path in (path for method, path, _ in OF_A_GAME if method == POST):
        for text in ('{"', "[]", '{"junk": 1}'):
            for key, status in keys.items():
                answer = table.api.send("POST", table.path + path, key, data=text)
                assert answer.status == status, (path, text, key)
    for query in ("/log/?after=x", "/sheet/?format=pdf", "/export/?format=pdf"):
        assert table.get(query, "wrong").status == 401
        assert table.get(query, stranger).status == 404
        assert table.get(query, table.viewer).refusal == (400, "wrong_type")


def test_an_unknown_key_comes_before_an_unknown_game_and_that_before_the_right_to_write(table: Table) -> None:
    stranger = table.api.open_table()
    body = {"action": place("trump", "red"), "version": 99}

    assert table.post("/actions/", body, "wrong").status == 401
    assert table.post("/actions/", body, stranger.viewer).status == 404
    assert table.post("/actions/", body, table.viewer).status == 403
    assert table.post("/actions/", body).status == 409


def test_a_viewer_learns_nothing_of_request_ids(table: Table) -> None:
    table.act(place("trump", "red"), request_id="tap")

    answer = table.post("/actions/", {"action": place("trump", "red"), "request_id": "tap"}, table.viewer)

    assert answer.refusal == (403, "forbidden")


def test_a_locked_game_refuses_with_a_conflict(table: Table) -> None:
    table.play(*ROUND_OF_THREE, FINISH)
    assert table.post("/lock/").status == 201

    assert table.act(place("trump", "red")).refusal == (409, "game_locked")
    assert table.amend({"seq": 1, "delete": True}).refusal == (409, "game_locked")
    assert table.amend({"seq": 1, "delete": True}, preview=True).refusal == (409, "game_locked")
    assert table.post("/setup/", {"dealer": 1}).refusal == (409, "game_locked")
    assert table.post("/lock/").refusal == (409, "game_locked")
    assert table.post("/reopen/").refusal == (409, "undo_not_allowed")
    assert table.undo().refusal == (409, "undo_not_allowed")
    assert "confirmed" in table.undo().json["error"]["message"]


# --- methods, types, sizes ---


@pytest.mark.any_database
@pytest.mark.parametrize("path", EVERY_PATH)
def test_a_method_that_an_endpoint_does_not_know(table: Table, path: str) -> None:
    for method in ("PUT", "PATCH", "OPTIONS", "TRACE", "PROPFIND"):
        answer = table.api.send(method, path.format(id=table.id), table.scorekeeper)
        assert refused(answer, 405, "method_not_allowed"), method
        assert answer.response.headers["Allow"]


def test_reading_where_only_writing_is_possible_and_the_reverse(table: Table) -> None:
    assert refused(table.get("/actions/"), 405, "method_not_allowed")
    assert refused(table.post("/log/"), 405, "method_not_allowed")
    assert refused(table.api.get("/games/"), 405, "method_not_allowed")
    assert refused(table.api.post("/docs/"), 405, "method_not_allowed")


@pytest.mark.any_database
@pytest.mark.parametrize("path", WITH_A_BODY)
def test_a_body_that_is_not_called_json(table: Table, path: str) -> None:
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "x", "text/json", ""):
        answer = table.api.send("POST", path.format(id=table.id), table.scorekeeper, data="{}", content_type=kind)
        assert refused(answer, 415, "unsupported_media_type"), kind


@pytest.mark.parametrize(
    "kind", ["application/json", "Application/JSON; charset=utf-8", "application/json;charset=bogus"]
)
def test_json_by_its_other_names(table: Table, kind: str) -> None:
    body = json.dumps({"action": place("trump", "red")})

    answer = table.api.send("POST", table.path + "/actions/", table.scorekeeper, data=body, content_type=kind)

    assert answer.status == 201


@pytest.mark.any_database
@pytest.mark.parametrize("path", WITH_A_BODY)
def test_a_body_of_more_than_64_kilobytes(table: Table, path: str) -> None:
    answer = table.api.post(path.format(id=table.id), {"x": "x" * 65_536}, table.scorekeeper)

    assert refused(answer, 413, "body_too_large")


@pytest.mark.parametrize("path", WITH_A_BODY)
def test_junk(table: Table, path: str) -> None:
    for junk in JUNK:
        answer = table.api.send("POST", path.format(id=table.id), table.scorekeeper, data=junk)
        assert refused(answer, 400, answer.code or ""), junk
        assert answer.code in ("malformed", "wrong_type", "missing_field", "unknown_field")


def test_a_body_that_breaks_off(table: Table) -> None:
    class Broken(io.BytesIO):
        def read(self, *args: Any) -> bytes:
            raise OSError("the phone has gone")

    response = Client().post("/api/v1/games/", "{}", "application/json", **{"wsgi.input": Broken()})

    assert refused(Answer(response), 400, "malformed")


def test_a_body_that_django_finds_too_large(table: Table, settings: Any) -> None:
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 10

    assert refused(table.act(place("trump", "red")), 413, "body_too_large")


def test_a_field_that_is_there_twice_counts_as_its_last(table: Table) -> None:
    body = '{"action": {"type": "finish"}, "action": {"type": "place", "row": "trump", "space": "red"}}'

    assert table.api.send("POST", table.path + "/actions/", table.scorekeeper, data=body).status == 201


@pytest.mark.parametrize("accept", ["text/html", "application/xml", "*/*;q=0", "junk"])
def test_a_client_is_answered_json_for_any_accept_header(table: Table, accept: str) -> None:
    assert table.get("/", Accept=accept).json["id"] == table.id
    assert refused(table.get("/", "wrong", Accept=accept), 401, "not_authenticated")
    assert refused(table.api.post("/docs/", Accept=accept), 405, "method_not_allowed")


# --- every path below /api/ ---


@pytest.mark.any_database
@pytest.mark.parametrize(
    "path",
    [
        "/api/",
        "/api//",
        "/api/v1",
        "/api/v1/",
        "/api/v2/games/",
        "/api/v1/nonsense",
        "/api/v1/nonsense/",
        "/api/v1/presets",
        "/api/v1/games//",
        "/api/v1/games/x/nonsense/",
        "/api/v1/games/x/keys/-1/",
        "/api/v1/games/x/keys/" + "9" * 5000 + "/",
        "/api/%0A",
        "/api/v1/%0d%0aX: y/",
        "/api/%00",
        "/api/%ff%fe",
        "/api/v1/../../",
    ],
)
def test_an_unknown_path_is_refused_in_json(db: None, path: str) -> None:
    for method in ("GET", "POST", "DELETE", "OPTIONS", "BREW"):
        response = Client(enforce_csrf_checks=True).generic(method, path, "{}", "application/json")
        assert refused(Answer(response), 404, "not_found"), method


@pytest.mark.parametrize("game_id", ["%00", "%ff", "%F0%9F%98%80", "a" * 3000, "' OR 1=1 --", "%0A", "..%2f"])
def test_a_strange_game_is_one_that_does_not_exist(table: Table, game_id: str) -> None:
    assert refused(table.api.get(f"/games/{game_id}/", table.scorekeeper), 404, "not_found")


def test_a_strange_key_is_one_that_does_not_exist(table: Table) -> None:
    for key_id in ("0", "9" * 18, "9" * 30, "9" * 4000):
        answer = table.api.delete(f"{table.path}/keys/{key_id}/", table.scorekeeper)
        assert refused(answer, 404, "not_found")


@pytest.mark.any_database
@pytest.mark.parametrize("path", EVERY_PATH)
def test_no_endpoint_needs_a_csrf_token(table: Table, path: str) -> None:
    answer = Api(Client(enforce_csrf_checks=True)).post(path.format(id=table.id), {}, table.scorekeeper, Origin="null")

    assert answer.status != 403


@pytest.mark.parametrize("length", ["x", "-", "1.5", "0x10"])
def test_a_length_that_is_no_number(table: Table, length: str) -> None:
    response = Client().post("/api/v1/games/", "{}", "application/json", CONTENT_LENGTH=length)

    assert refused(Answer(response), 400, "malformed")


@pytest.mark.parametrize("length", ["-1", "-70000"])
def test_a_negative_length(table: Table, length: str) -> None:
    response = Client().post("/api/v1/games/", "{}", "application/json", CONTENT_LENGTH=length)

    assert response.status_code == 400


def test_too_many_parameters_in_an_address(table: Table) -> None:
    assert refused(table.get("/log/?" + "a=1&" * 1500), 400, "malformed")


@pytest.mark.parametrize(
    "query", ["after=-1", "after=x", "after=1.0", "after=" + "9" * 5000, "after=%00", "after=٣", "after="]
)
def test_a_log_after_something_that_is_no_number(table: Table, query: str) -> None:
    assert refused(table.get(f"/log/?{query}"), 400, "wrong_type")


@pytest.mark.parametrize("query", ["format=pdf", "format=", "format=CSV", "format=%00"])
def test_a_sheet_in_an_unknown_format(table: Table, query: str) -> None:
    assert refused(table.get(f"/sheet/?{query}"), 400, "wrong_type")


def test_the_parameters_of_other_programs_are_left_alone(table: Table) -> None:
    assert table.get("/?format=csv&lang=xx&version=%0A&_=1").status == 200
    assert table.api.get("/schema/?lang=xx&version=%0a").status == 200
    assert table.api.get("/docs/?lang=%00&version=%0a&script=").status == 200


def test_a_fault_of_the_program_is_answered_in_the_same_shape(settings: Any, rf: Any) -> None:
    answer = get_resolver().resolve_error_handler(500)(rf.get("/api/v1/games/"))
    page = get_resolver().resolve_error_handler(500)(rf.get("/"))

    assert refused(Answer(answer), 500, "server_error")
    assert page.headers["Content-Type"].startswith("text/html")


def test_a_broken_request_is_answered_in_the_same_shape(rf: Any) -> None:
    answer = get_resolver().resolve_error_handler(400)(rf.get("/api/v1/games/"), ValueError())
    page = get_resolver().resolve_error_handler(400)(rf.get("/"), ValueError())

    assert refused(Answer(answer), 400, "malformed")
    assert page.headers["Content-Type"].startswith("text/html")

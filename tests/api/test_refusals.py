"""Who is refused where, in which shape and in which order: by the list of addresses in `tests.test_matrix`."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client
from django.urls import get_resolver

from tests.api.client import FINISH, ROUND_OF_THREE, Answer, Table, place
from tests.api.groups import ApiGroup
from tests.test_matrix import OPEN, Route, World, answered, ask
from tests.test_matrix import refused as the_matrix_says

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


# --- every endpoint that takes a body ---


@pytest.fixture
def posts(db: None) -> Posts:
    """Every address that takes a body, with somebody who may send it and somebody who may not, and who they are."""
    return Posts(World("table"))


class Posts:
    """Sends any body to any address."""

    def __init__(self, world: World) -> None:
        self.world = world
        # What is imported may be a text as well.
        self.answers = {
            route: by
            for route, method, by in answered(world, "api")
            if method == "POST" and route.name not in ("import", "unknown")
        }

    def send(self, route: Route, role: str, body: str | bytes, kind: str = "application/json", **more: Any) -> Answer:
        key = self.world.secrets.get(role)
        headers = {} if key is None else {"Authorization": f"Bearer {key}"}
        client = Client(raise_request_exception=False, **more)
        return Answer(client.generic("POST", self.world.address(route), body, kind, headers=headers))

    def of_those_who_may(self) -> Iterator[tuple[Route, str]]:
        """Each address with somebody who may send to it."""
        for route, by_role in self.answers.items():
            yield route, next(role for role in by_role if role in self.world.secrets)


def test_a_body_that_is_not_called_json_or_is_too_large(posts: Posts) -> None:
    large = json.dumps({"x": "x" * 65_536})
    for route, role in posts.of_those_who_may():
        for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "x", "text/json", ""):
            answer = posts.send(route, role, "{}", kind)
            assert refused(answer, 415, "unsupported_media_type"), (route, kind)
            assert answer.params["supported"] == ["application/json"]
        assert refused(posts.send(route, role, large), 413, "body_too_large"), route


def test_junk(posts: Posts) -> None:
    for route, role in posts.of_those_who_may():
        for junk in JUNK:
            answer = posts.send(route, role, junk)
            assert refused(answer, 400, answer.code or ""), (route, junk)
            assert answer.code in ("malformed", "wrong_type", "missing_field", "unknown_field"), (route, junk)


def test_no_endpoint_needs_a_csrf_token(posts: Posts) -> None:
    for route, role in posts.of_those_who_may():
        assert posts.send(route, role, "{}", enforce_csrf_checks=True).status != 403, route


@pytest.mark.slow
def test_what_cannot_be_read_is_refused_after_the_key_and_its_rights(posts: Posts) -> None:
    for route, by_role in posts.answers.items():
        # Whether a viewer of a group may invite somebody or enter depends on what is sent.
        for text in ('{"', "[]", '{"junk": 1}') if route.name not in OPEN | {"group_invites", "enter"} else ():
            for role in posts.world.roles:
                status = posts.send(route, role, text).status
                may = role in by_role
                assert status == 400 if may else status in the_matrix_says(route, "POST", role, is_served=True), route


def test_the_queries_of_a_game_are_read_after_the_key(table: Table) -> None:
    stranger = table.api.open_table().scorekeeper
    for query in ("/log/?after=x", "/sheet/?format=pdf", "/export/?format=pdf"):
        assert table.get(query, "wrong").status == 401
        assert table.get(query, stranger).status == 404
        assert table.get(query, table.viewer).refusal == (400, "wrong_type")


# --- keys ---


@pytest.mark.parametrize("scheme", ["Basic", "Token", "BearerX", ""])
def test_a_key_is_sent_as_bearer_token(table: Table, scheme: str) -> None:
    answer = table.api.get(table.path + "/", Authorization=f"{scheme} {table.scorekeeper}")

    assert refused(answer, 401, "not_authenticated")


def test_the_name_of_the_scheme_may_be_written_small(table: Table) -> None:
    assert table.api.get(table.path + "/", Authorization=f"bearer  {table.viewer} ").status == 200


def test_a_key_in_the_address_opens_nothing(table: Table) -> None:
    answer = table.api.get(f"{table.path}/?key={table.scorekeeper}&Authorization=Bearer {table.scorekeeper}")

    assert refused(answer, 401, "not_authenticated")


# --- one after the other ---


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


@pytest.mark.parametrize(
    "kind", ["application/json", "Application/JSON; charset=utf-8", "application/json;charset=bogus"]
)
def test_json_by_its_other_names(table: Table, kind: str) -> None:
    body = json.dumps({"action": place("trump", "red")})

    answer = table.api.send("POST", table.path + "/actions/", table.scorekeeper, data=body, content_type=kind)

    assert answer.status == 201


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


STRANGE_IDS = ("%00", "%ff", "%F0%9F%98%80", "a" * 3000, "' OR 1=1 --", "%0A", "..%2f", "x")
STRANGE_NUMBERS = ("0", "9" * 18, "9" * 30, "9" * 4000)


@pytest.mark.slow
def test_a_strange_id_is_one_that_does_not_exist(db: None) -> None:
    world = World("table")

    for route, method, by_role in answered(world, "api"):
        role = next(role for role in by_role if role in world.secrets)
        for name in (each for each in route.parameters if each.endswith("_id")):
            for strange in STRANGE_NUMBERS if name in ("key_id", "invite_id", "season_id") else STRANGE_IDS:
                answer = Answer(ask(world, role, route, method, **{name: strange}))
                assert refused(answer, 404, "not_found"), (route, strange)
        # What does not exist comes before the right to change it.
        for other in {"viewer", "group-viewer"} - by_role.keys() if route.owner else ():
            status = ask(world, other, route, method, **{route.owner: "0" * 12}).status_code
            assert status in (401, 404), (route, other)


def test_a_group_that_was_dissolved_has_no_key(group: ApiGroup) -> None:
    assert group.delete("/").status == 204

    assert refused(group.get("/players/", group.owner), 401, "not_authenticated")


def test_what_needs_no_id_tells_of_the_keys_own_group_alone(group: ApiGroup) -> None:
    own = {group.game().id, "Ana", *group.players().values()}
    stranger = ApiGroup(group.api, "Strangers")

    for path in ("/results/", "/results/rounds/", "/players/", "/statistics/"):
        assert not any(each in stranger.get(path, stranger.owner).text for each in own), path
    assert stranger.follow() == ([], 0)


@pytest.mark.parametrize("query", ["size=0", "format=pdf", "junk=1", "from=yesterday", "changed_after=-1"])
def test_the_query_of_a_list_is_read_after_the_key(group: ApiGroup, query: str) -> None:
    assert group.api.get(f"/results/?{query}", "wrong").status == 401
    assert group.api.get(f"/results/?{query}", group.viewer).status == 400


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

"""Whole games, handed out and taken in."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterable
from typing import Any

import pytest
from django.conf import settings
from django.urls import reverse

from games.models import Game
from njetassist.bridge import Bridge
from njetassist.middleware import body_limit
from tests.api.client import FINISH, ROUND_OF_THREE, Answer, Api, Json, Table, penalty, place
from tests.api.groups import ApiGroup

pytestmark = pytest.mark.any_database

IMPORT = "/games/import/"
TEXT = {"content_type": "text/plain; charset=utf-8"}


@pytest.fixture
def game(table: Table) -> Table:
    """A finished game with something taken back and a penalty; the result is confirmed."""
    table.play(place("trump", "red"))
    table.undo()
    table.play(*ROUND_OF_THREE, penalty(1, -5), FINISH)
    table.post("/lock/")
    return table


def scores(state: Json) -> Json:
    return {name: state[name] for name in ("preset", "options", "players", "scores", "status")}


def sent(api: Api, text: str, key: str | None = None, query: str = "") -> Answer:
    return api.send("POST", IMPORT + query, key, data=text.encode(), **TEXT)


# --- out ---


def test_the_document_tells_everything_but_who_wrote_it(game: Table) -> None:
    document = game.get("/export/").json

    assert document == game.get("/export/?format=json").json
    assert [row["kind"] for row in document["log"]] == [row["kind"] for row in game.get("/log/").json]
    assert document["result"]["totals"] == game.state["scores"]["totals"] == [24, 19, 28]
    assert "API" not in json.dumps(document)


def test_the_record_is_a_text(game: Table) -> None:
    answer = game.get("/export/?format=njet")

    assert answer.response.headers["Content-Type"] == "text/plain; charset=utf-8"
    assert answer.text.startswith("[Format ")


def test_a_game_that_is_played_has_a_document_and_a_record(table: Table) -> None:
    table.play(*ROUND_OF_THREE)

    assert table.get("/export/").json["finished_at"] is None
    assert table.get("/export/?format=njet").status == 200


def test_bg_stats_gets_a_link_and_a_file(game: Table, settings: Any) -> None:
    handed = game.get("/export/?format=bgstats").json
    file = game.get("/export/?format=bgsplay")

    assert handed["link"].startswith("https://app.bgstatsapp.com/createPlay.html?data=")
    assert [player["score"] for player in handed["document"]["players"]] == [24, 19, 28]
    assert file.response.headers["Content-Disposition"] == f'attachment; filename="njet-{game.id}.bgsplay"'
    assert [score["score"] for score in json.loads(file.text)["plays"][0]["playerScores"]] == ["24", "19", "28"]
    assert "bggId" not in json.dumps(handed["document"])
    # Real files always have it, 0 for a game that BoardGameGeek does not know.
    assert json.loads(file.text)["games"][0]["bggId"] == 0

    settings.NJET_BGG_ID = 235488
    assert game.get("/export/?format=bgstats").json["document"]["game"]["bggId"] == 235488
    assert json.loads(game.get("/export/?format=bgsplay").text)["games"][0]["bggId"] == 235488


@pytest.mark.parametrize("wanted", ["bgstats", "bgsplay"])
def test_bg_stats_gets_no_game_that_is_played(table: Table, wanted: str) -> None:
    table.play(*ROUND_OF_THREE)

    assert table.get(f"/export/?format={wanted}").refusal == (409, "not_finished")


@pytest.mark.parametrize("query", ["format=pdf", "format=", "format=JSON", "format=%00"])
def test_a_whole_game_in_an_unknown_format(table: Table, query: str) -> None:
    assert table.get(f"/export/?{query}").refusal == (400, "wrong_type")
    assert table.get(f"/export/?{query}", "wrong").status == 401


# --- in ---


@pytest.mark.parametrize("form", ["document", "text", "text in an object"])
def test_what_was_handed_out_comes_back_with_the_same_results(game: Table, form: str) -> None:
    text = game.get("/export/?format=njet").text
    answer = {
        "document": lambda: game.api.post(IMPORT, game.get("/export/").json),
        "text": lambda: sent(game.api, text),
        "text in an object": lambda: game.api.post(IMPORT, {"njet": text, "group": None}),
    }[form]()

    assert answer.status == 201
    back = Table(game.api, answer.json["id"], answer.json["keys"]["scorekeeper"], answer.json["keys"]["viewer"], {})
    assert back.id != game.id
    assert scores(back.state) == scores(answer.json["state"]) == scores(game.state)
    assert back.get(key=back.viewer).status == 200
    assert back.get("/export/?format=njet").text == text
    if form == "document":
        assert back.get("/export/").json == game.get("/export/").json
        assert back.state["locked"]


def test_a_game_comes_back_into_a_group_of_the_key_holder(group: ApiGroup, game: Table) -> None:
    document, text = game.get("/export/").json, game.get("/export/?format=njet").text

    def text_of(game_id: str) -> str:
        return text.replace(f'"{game.id}"', f'"{game_id}"')

    into = f"?group={group.id}"
    made = [
        group.api.post(IMPORT + into, document, group.member),
        sent(group.api, text_of("other"), group.member, into),
        group.api.post(IMPORT, {"njet": text_of("third"), "group": group.id}, group.member),
        group.api.post(IMPORT + into, {"njet": text_of("fourth")}, group.owner),
    ]

    assert [answer.status for answer in made] == [201] * 4
    assert {row["id"] for row in group.get("/results/").json["results"]} == {answer.json["id"] for answer in made}
    assert group.get(f"{group.path}/").json["games"] == 4


def test_a_game_comes_into_a_group_once_and_elsewhere_as_often_as_it_is_sent(group: ApiGroup, game: Table) -> None:
    document, text = game.get("/export/").json, game.get("/export/?format=njet").text
    into, stranger = f"?group={group.id}", ApiGroup(group.api)

    assert group.api.post(IMPORT + into, document, group.member).status == 201
    assert group.api.post(IMPORT + into, document, group.member).refusal == (409, "already_imported")
    assert sent(group.api, text, group.owner, into).refusal == (409, "already_imported")
    assert group.get(f"{group.path}/").json["games"] == 1

    assert sent(group.api, text, stranger.owner, f"?group={stranger.id}").status == 201
    assert [group.api.post(IMPORT, document).status for _ in range(2)] == [201, 201]


def test_who_may_take_a_game_into_a_group(group: ApiGroup, game: Table) -> None:
    document, into = game.get("/export/").json, f"?group={group.id}"
    stranger = ApiGroup(group.api)

    assert group.api.post(IMPORT + into, document).refusal == (401, "not_authenticated")
    assert group.api.post(IMPORT + into, document, game.scorekeeper).refusal == (401, "not_authenticated")
    assert group.api.post(IMPORT + into, document, stranger.owner).refusal == (404, "not_found")
    assert group.api.post(IMPORT + "?group=%00", document, group.owner).refusal == (404, "not_found")
    assert group.api.post(IMPORT + into, document, group.viewer).refusal == (403, "forbidden")
    for unreadable in ({"njet": ""}, {**document, "schema": 99}):
        assert group.api.post(IMPORT + into, unreadable, "wrong").status == 401
        assert group.api.post(IMPORT + into, unreadable, group.viewer).status == 403
        assert group.api.post(IMPORT + into, unreadable, group.owner).status == 400
    illegal = without_a_team(document)
    assert group.api.post(IMPORT + into, illegal, "wrong").status == 401
    assert group.api.post(IMPORT + into, illegal, group.viewer).status == 403
    assert group.api.post(IMPORT + into, illegal, group.owner).status == 422
    text = game.get("/export/?format=njet").text
    for nowhere in ("", "?group="):
        unnamed = {"njet": text, "group": None if nowhere else ""}
        assert group.api.post(IMPORT + nowhere, unnamed).refusal == (401, "not_authenticated")
        assert group.api.post(IMPORT + nowhere, unnamed, group.owner).refusal == (404, "not_found")
    two = {"njet": text, "group": stranger.id}
    assert group.api.post(IMPORT + into, two, group.owner).refusal == (400, "malformed")
    assert group.get("/results/").json["results"] == []


def without_a_team(document: Json) -> Json:
    """The rules forbid counting tricks before the teams are named."""
    log = [row for row in document["log"] if row["kind"] != "team"]
    return {**document, "log": [{**row, "seq": number} for number, row in enumerate(log, start=1)]}


NO_GAMES: tuple[tuple[Callable[[Json], Json], int], ...] = (
    (lambda document: {}, 400),
    (lambda document: {**document, "format": "chess"}, 400),
    (lambda document: {**document, "mode": "digital"}, 400),
    (lambda document: {**document, "setup": {}}, 400),
    (lambda document: {**document, "setup": None}, 400),
    (lambda document: {**document, "log": {}}, 400),
    (lambda document: {**document, "log": [7]}, 400),
    (lambda document: {**document, "log": document["log"][1:]}, 400),
    (lambda document: {**document, "finished_at": "yesterday"}, 400),
    (lambda document: {**document, "result": {"totals": [1, 2, 3]}}, 400),
    (lambda document: {**document, "log": []}, 409),
    (lambda document: {**document, "log": document["log"][:-2]}, 409),
    (without_a_team, 422),
    (lambda document: {"njet": 7}, 400),
    (lambda document: {"njet": None}, 400),
    (lambda document: {"njet": "", "junk": 1}, 400),
    (lambda document: {"njet": "[Format"}, 400),
)


def test_a_document_that_is_no_finished_game(game: Table) -> None:
    document, count = game.get("/export/").json, Game.objects.count()

    for number, (change, status) in enumerate(NO_GAMES):
        assert game.api.post(IMPORT, change(document)).status == status, number
    assert Game.objects.count() == count


@pytest.mark.parametrize("text", ["", "x", "\x00", '[Format "njet 1"]', "{}", "\ufeff"])
def test_a_text_that_is_no_finished_game(api: Api, text: str) -> None:
    assert sent(api, text).status == 400


def test_a_text_that_is_not_utf8(api: Api) -> None:
    assert api.send("POST", IMPORT, data=b"\xff\xfe", **TEXT).refusal == (400, "malformed")


@pytest.mark.parametrize("junk", ["{", "null", "[]", "7", '"x"', '{"njet": "\\ud800"}', '{"x": NaN}'])
def test_json_that_is_no_game(api: Api, junk: str) -> None:
    assert api.send("POST", IMPORT, data=junk).status == 400


def test_other_methods_and_media_types(api: Api) -> None:
    assert api.get(IMPORT).refusal == (405, "method_not_allowed")
    assert api.delete(IMPORT).refusal == (405, "method_not_allowed")
    answer = api.send("POST", IMPORT, data="{}", content_type="application/xml")
    assert answer.refusal == (415, "unsupported_media_type")
    assert answer.params["supported"] == ["application/json", "text/plain"]


# --- how long a body may be ---


def test_only_whole_games_may_be_longer_than_64_kilobytes() -> None:
    longer = {reverse("api:import"): 1024, reverse("games:import"): 1040, reverse("games:group_restore"): 1536}
    assert {path: most * 1024 for path, most in longer.items()} == settings.LONGER_BODIES
    assert settings.BODY_LIMIT == 64 * 1024
    assert settings.DATA_UPLOAD_MAX_MEMORY_SIZE == settings.FILE_UPLOAD_MAX_MEMORY_SIZE == 1536 * 1024


@pytest.mark.parametrize("kind", ["application/json", "text/plain"])
def test_a_whole_game_of_up_to_a_megabyte_is_read(game: Table, kind: str) -> None:
    record, document = game.get("/export/?format=njet").text, game.get("/export/").text

    def padded(length: int) -> Answer:
        text = record if kind == "text/plain" else document
        # Blanks at the end mean nothing in either.
        return game.api.send("POST", IMPORT, data=text + " " * (length - len(text.encode())), content_type=kind)

    assert padded(65_537).status == 201
    answer = padded(1024 * 1024 + 1)
    assert answer.refusal == (413, "body_too_large")
    assert answer.params == {"limit": 1024 * 1024}
    assert "1024 KB" in answer.json["error"]["message"]


@pytest.mark.parametrize(
    ("path", "length", "read"),
    [
        ("/api/v1/games/import/", 1024 * 1024, True),
        ("/api/v1/games/import/", 1024 * 1024 + 1, False),
        ("/import/", 1040 * 1024, True),
        ("/import/", 1040 * 1024 + 1, False),
        ("/api/v1/games/", 64 * 1024, True),
        ("/api/v1/games/", 64 * 1024 + 1, False),
        ("/api/v1/games/import", 64 * 1024 + 1, False),
    ],
)
def test_the_server_reads_a_longer_body_where_a_whole_game_comes(path: str, length: int, read: bool) -> None:
    def echo(environ: dict[str, Any], start: Callable[..., Any]) -> Iterable[bytes]:
        start("200 OK", [])
        return [str(len(environ["wsgi.input"].read())).encode()]

    bridge = Bridge(echo, threads=1, limit_of=body_limit)
    answered = b""

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": b"x" * length}

    async def send(message: Any) -> None:
        nonlocal answered
        answered += message.get("body", b"")

    scope = {
        "type": "http",
        "method": "POST",
        "path": path,
        "query_string": b"",
        "headers": [(b"content-length", str(length).encode())],
        "http_version": "1.1",
        "scheme": "http",
        "server": ("testserver", 80),
        "client": ("127.0.0.1", 1),
    }
    try:
        asyncio.run(bridge(scope, receive, send))
    finally:
        bridge.executor.shutdown()

    assert int(answered) == (length if read else 0)

"""Programs create something with a request id: the same request again creates nothing and has the same answer."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from games.models import Game, Group, Invite, Key
from games.services.idempotent_creation import SHOWN_AGAIN
from tests.api.client import FINISH, ROUND_OF_THREE, Answer, Api, Json, Table
from tests.api.groups import ApiGroup
from tests.cast.tables import at_once

ID = "0b5e0b8e-6f0f-4c1c-9e0e-3d8f5a3f6a11"

NEW = {"mode": "table", "preset": "njet-english", "players": [{"name": "Ana"}, {"name": "Ben"}, {"name": "Cleo"}]}
DIGITAL = {**NEW, "mode": "digital", "players": [{"name": "Ana"}, {"name": "Ben"}, {"name": "Cleo", "bot": "easy"}]}

Send = Callable[..., Answer]


@pytest.fixture
def finished(api: Api) -> Table:
    table = api.open_table(players=3)
    table.play(*ROUND_OF_THREE, FINISH)
    return table


def sender(name: str, api: Api, finished: Table) -> Send:
    """What sends a creation of one kind; more fields go into its body."""
    match name:
        case "games":
            return lambda **more: api.post("/games/", {**NEW, **more})
        case "digital games":
            return lambda **more: api.post("/games/", {**DIGITAL, **more})
        case "groups":
            return lambda **more: api.post("/groups/", {"name": "Tuesdays", **more})
        case "rematch":
            return lambda **more: finished.post("/rematch/", more)
        case "import of a document":
            document = finished.get("/export/?format=json").json
            return lambda **more: api.post("/games/import/", {**document, **more})
        case "import of a text in an object":
            text = finished.get("/export/?format=njet").text
            return lambda **more: api.post("/games/import/", {"njet": text, **more})
        case "import of a text":
            text = finished.get("/export/?format=njet").text
            return lambda request_id: api.send(
                "POST", f"/games/import/?request_id={request_id}", data=text, content_type="text/plain"
            )
    raise AssertionError(name)


CREATIONS = ["games", "digital games", "groups", "rematch", "import of a document", "import of a text in an object"]


@pytest.mark.parametrize("name", [*CREATIONS, "import of a text"])
def test_the_same_request_again_has_the_same_answer(name: str, api: Api, finished: Table) -> None:
    send = sender(name, api, finished)
    first = send(request_id=ID)
    counted = Game.objects.count(), Group.objects.count(), Key.objects.count(), Invite.objects.count()

    again = send(request_id=ID)

    assert (first.status, again.status) == (201, 200)
    assert again.json == first.json
    assert (Game.objects.count(), Group.objects.count(), Key.objects.count(), Invite.objects.count()) == counted


@pytest.mark.parametrize("name", CREATIONS)
def test_without_an_id_and_with_another_one_it_is_another_creation(name: str, api: Api, finished: Table) -> None:
    send = sender(name, api, finished)

    answers = [send(), send(), send(request_id=ID), send(request_id="another")]

    assert [answer.status for answer in answers] == [201] * 4
    assert len({answer.json["id"] for answer in answers}) == 4


@pytest.mark.parametrize(
    ("name", "changed"),
    [
        ("games", {"dealer": 1}),
        ("digital games", {"dealer": 1}),
        ("groups", {"name": "Wednesdays"}),
        ("rematch", {"same_deals": False}),
        ("import of a document", {"group": "Other"}),
        ("import of a text in an object", {"group": None}),
    ],
)
def test_an_id_that_was_used_for_something_else_is_refused(
    name: str, changed: dict[str, Any], api: Api, finished: Table
) -> None:
    send = sender(name, api, finished)
    send(request_id=ID)
    counted = Game.objects.count(), Group.objects.count()

    assert send(request_id=ID, **changed).refusal == (409, "request_id_reused")

    assert (Game.objects.count(), Group.objects.count()) == counted


def test_keys_and_links_of_a_repeated_answer_open_the_game(api: Api) -> None:
    api.post("/games/", {**DIGITAL, "request_id": ID})

    made = api.post("/games/", {**DIGITAL, "request_id": ID}).json

    path, keys = f"/games/{made['id']}/", made["keys"]
    assert api.get(path, keys["seats"]["1"]).json["viewer"] == 1
    assert api.get(path, keys["viewer"]).status == 200
    assert api.post(f"{path}invites/", {"role": "viewer"}, keys["scorekeeper"]).status == 201
    token = made["links"]["join"]["seats"]["0"].rstrip("/").rpartition("/")[2]
    assert api.post("/join/", {"token": token}).json["seat"] == 0


def test_a_key_that_was_revoked_stays_revoked(api: Api) -> None:
    made = api.post("/games/", {**DIGITAL, "request_id": ID}).json
    Key.objects.filter(game=made["id"], seat=1).update(revoked_at=timezone.now())

    again = api.post("/games/", {**DIGITAL, "request_id": ID}).json

    assert api.get(f"/games/{made['id']}/", again["keys"]["seats"]["1"]).status == 401


@pytest.mark.parametrize("name", ["games", "groups"])
def test_the_keys_are_given_again_for_an_hour(name: str, api: Api, finished: Table, monkeypatch: Any) -> None:
    send = sender(name, api, finished)
    send(request_id=ID)
    now = timezone.now()

    monkeypatch.setattr(timezone, "now", lambda: now + SHOWN_AGAIN + timedelta(minutes=1))

    assert send(request_id=ID).refusal == (409, "request_id_reused")


def test_an_id_without_a_key_belongs_to_its_address(api: Api) -> None:
    elsewhere = Api(Client(REMOTE_ADDR="192.168.7.7"))

    answers = [each.post("/games/", {**NEW, "request_id": "1"}) for each in (api, elsewhere)]

    assert [answer.status for answer in answers] == [201, 201]
    assert answers[0].json["id"] != answers[1].json["id"]


def test_an_id_belongs_to_the_key_of_the_request(group: ApiGroup) -> None:
    body = {**NEW, "group": group.id, "request_id": "1"}

    answers = [group.api.post("/games/", body, key) for key in (group.member, group.owner, group.member)]

    assert [answer.status for answer in answers] == [201, 201, 200]
    ids = [answer.json["id"] for answer in answers]
    assert ids[0] == ids[2] != ids[1]


def test_a_group_that_has_the_game_by_this_request_gives_the_same_answer(group: ApiGroup, finished: Table) -> None:
    document = finished.get("/export/?format=json").json
    path = f"/games/import/?group={group.id}&request_id=1"

    first, again = (group.api.post(path, document, group.member) for _ in range(2))

    assert (first.status, again.status, again.json["id"]) == (201, 200, first.json["id"])


@pytest.mark.parametrize("path", ["/games/", "/groups/", "/games/import/"])
@pytest.mark.parametrize("request_id", ["", "x" * 65, 7, ["1"]])
def test_an_id_that_cannot_be_one_is_refused(api: Api, path: str, request_id: object, finished: Table) -> None:
    bodies: dict[str, Json] = {
        "/games/": NEW,
        "/groups/": {"name": "Tuesdays"},
        "/games/import/": finished.get("/export/?format=json").json,
    }

    assert api.post(path, {**bodies[path], "request_id": request_id}).refusal == (400, "wrong_type")


def test_two_ids_for_one_import_are_refused(api: Api, finished: Table) -> None:
    document = finished.get("/export/?format=json").json

    refused = api.post("/games/import/?request_id=1", {**document, "request_id": "2"})

    assert refused.refusal == (400, "malformed")


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("body", [NEW, DIGITAL])
def test_requests_at_once_create_one_game_and_get_one_answer(body: Json) -> None:
    def send() -> Json:
        sent = json.dumps({**body, "request_id": ID})
        return Client().post("/api/v1/games/", sent, "application/json").json()

    answers = at_once(*[send] * 6)

    assert Game.objects.count() == 1
    assert all(answer == answers[0] for answer in answers)

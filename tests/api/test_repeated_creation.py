"""Programs create something with a request id: the same request again creates nothing and has the same answer."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from games.models import Game, Group, GroupInvite, GroupKey, Invite, Key, Player, Season
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


# --- keys, invitations, players ---


def giver(name: str, group: ApiGroup, finished: Table) -> Send:
    """What sends a request for a thing of a group or a game; more fields go into its body."""
    path, key, body = {
        "player": (f"{group.path}/players/", group.member, {"name": "Hal"}),
        "season": (f"{group.path}/seasons/", group.member, {"name": "Winter", "since": "2026-01-01"}),
        "group key": (f"{group.path}/keys/", group.owner, {"role": "viewer", "label": "news"}),
        "group invitation": (f"{group.path}/invites/", group.member, {"role": "viewer"}),
        "entry": (f"{group.path}/games/{group.table().id}/enter/", group.member, {"role": "viewer"}),
        "invitation": (f"{finished.path}/invites/", finished.scorekeeper, {"role": "viewer"}),
    }[name]
    return lambda **more: group.api.post(path, {**body, **more}, key)


def rows() -> list[int]:
    return [kind.objects.count() for kind in (Player, Season, GroupKey, GroupInvite, Key, Invite)]


NAMED = ["player", "season"]
THINGS = [*NAMED, "group key", "group invitation", "entry", "invitation"]


@pytest.mark.parametrize("name", THINGS)
def test_what_is_given_is_given_again_to_the_same_request(name: str, group: ApiGroup, finished: Table) -> None:
    send = giver(name, group, finished)
    first = send(request_id=ID)
    counted = rows()

    again = send(request_id=ID)

    assert (first.status, again.status) == (201, 200)
    assert again.json == first.json
    assert rows() == counted


@pytest.mark.parametrize(
    ("name", "changed"),
    [
        ("player", {"name": "Ida"}),
        ("player", {"token": "lilac"}),
        ("season", {"name": "Spring"}),
        ("season", {"since": "2026-01-02"}),
        ("season", {"until": "2026-03-01"}),
        ("group key", {"role": "member"}),
        ("group key", {"label": ""}),
        ("group invitation", {"role": "member"}),
        ("group invitation", {"single_use": True}),
        ("entry", {"role": "scorekeeper"}),
        ("invitation", {"role": "scorekeeper"}),
        ("invitation", {"single_use": True}),
    ],
)
def test_with_the_id_of_another_request_nothing_is_given(
    name: str, changed: dict[str, Any], group: ApiGroup, finished: Table
) -> None:
    send = giver(name, group, finished)
    send(request_id=ID)
    counted = rows()

    assert send(request_id=ID, **changed).refusal == (409, "request_id_reused")
    assert rows() == counted


@pytest.mark.parametrize("name", [name for name in THINGS if name not in NAMED])
def test_with_another_id_and_without_one_another_is_given(name: str, group: ApiGroup, finished: Table) -> None:
    send = giver(name, group, finished)

    answers = [send(), send(), send(request_id=ID), send(request_id="another")]

    assert [answer.status for answer in answers] == [201] * 4
    assert len({answer.json.get("key") or answer.json["link"] for answer in answers}) == 4


@pytest.mark.parametrize("name", [name for name in THINGS if name not in NAMED])
def test_secrets_are_given_again_for_an_hour(name: str, group: ApiGroup, finished: Table, monkeypatch: Any) -> None:
    send = giver(name, group, finished)
    send(request_id=ID)
    now = timezone.now()

    monkeypatch.setattr(timezone, "now", lambda: now + SHOWN_AGAIN + timedelta(minutes=1))

    assert send(request_id=ID).refusal == (409, "request_id_reused")


def test_the_id_of_a_player_belongs_to_the_key_of_the_request(group: ApiGroup) -> None:
    sent = {"name": "Hal", "request_id": "1"}
    group.post("/players/", sent, group.member)

    assert group.post("/players/", sent, group.owner).refusal == (422, "player_name_taken")


def test_the_id_of_a_season_belongs_to_the_key_of_the_request(group: ApiGroup) -> None:
    sent = {"name": "Winter", "since": "2026-01-01", "request_id": "1"}
    group.post("/seasons/", sent, group.member)

    assert group.post("/seasons/", sent, group.owner).refusal == (422, "season_name_taken")


def invited(api: Api, kind: str, group: ApiGroup) -> Json:
    """The way in of an invitation that ends with its use."""
    if kind == "group":
        made = group.post("/invites/", {"role": "viewer", "single_use": True})
    else:
        game = api.post("/games/", DIGITAL).json
        role = {"role": "seat", "seat": 1} if kind == "seat" else {"role": "viewer", "single_use": True}
        made = api.post(f"/games/{game['id']}/invites/", role, game["keys"]["scorekeeper"])
    return (
        {"token": made.json["link"].rstrip("/").rpartition("/")[2]} if kind != "viewer" else {"code": made.json["code"]}
    )


@pytest.mark.parametrize("kind", ["seat", "viewer", "group"])
def test_who_joins_by_an_invitation_for_one_use_gets_the_lost_answer_again(
    kind: str, api: Api, group: ApiGroup
) -> None:
    way = invited(api, kind, group)

    first, again = (api.post("/join/", {**way, "name": "bot", "request_id": ID}) for _ in range(2))

    assert (first.status, again.status) == (201, 200)
    assert again.json == first.json
    assert api.post("/join/", {**way, "name": "bot"}).refusal == (404, "invite_not_valid")
    assert api.post("/join/", {**way, "name": "other", "request_id": ID}).refusal == (409, "request_id_reused")


def test_an_id_alone_is_no_way_in(api: Api, group: ApiGroup) -> None:
    api.post("/join/", {**invited(api, "group", group), "request_id": ID})
    counted = rows()

    assert api.post("/join/", {"token": "x" * 22, "request_id": ID}).refusal == (409, "request_id_reused")
    assert api.post("/join/", {"token": "x" * 22, "request_id": "another"}).refusal == (404, "invite_not_valid")
    assert rows() == counted


def test_a_code_that_is_shown_again_lets_in(api: Api, group: ApiGroup) -> None:
    shown = [group.post("/invites/", {"role": "viewer", "request_id": ID}) for _ in range(2)]

    assert api.post("/join/", {"code": shown[1].json["code"]}).status == 201


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

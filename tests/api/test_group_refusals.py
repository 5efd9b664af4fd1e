"""Who is refused where by a group, in which shape and in which order; and that a group's key opens nothing of another.

The table of endpoints stands in `clubs`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import pytest
from django.db import transaction
from django.test import Client

from games.models import Group
from tests.api.client import V1, Answer, Json
from tests.api.clubs import ENDPOINTS, Club, Endpoint
from tests.api.test_refusals import JUNK, refused

WITH_IDS = tuple(endpoint for endpoint in ENDPOINTS if "{" in endpoint.path)
OF_THE_KEY = tuple(endpoint for endpoint in ENDPOINTS if "{" not in endpoint.path)
WITH_A_BODY = tuple(endpoint for endpoint in ENDPOINTS if endpoint.method == "POST")
FOR_SOME = tuple(endpoint for endpoint in ENDPOINTS if endpoint.role != "viewer")
NOTHING = {**dict.fromkeys(("group_id", "game_id", "player_id", "other_id"), "0" * 12), "key_id": "999999999"}
"""Ids that no one has."""
STRANGE_IDS = ("%00", "%ff", "%F0%9F%98%80", "a" * 300, "' OR 1=1 --", "%0A", "..%2f", "x")


@dataclass
class World:
    """A group with a finished game, and the ids that stand in addresses."""

    club: Club
    ids: dict[str, str]

    @classmethod
    def of(cls, club: Club) -> World:
        table, guest = club.game(), club.api.open_table()
        players = club.players()
        # They never sat at one table, so they can be merged.
        other = club.post("/players/", {"name": "Hal"}).json["id"]
        key = club.post("/keys/", {"role": "viewer", "label": "to go"}).json["id"]
        ids = {
            "group_id": club.id,
            "game_id": table.id,
            "player_id": players["Ana"],
            "other_id": other,
            "key_id": str(key),
            "invite_id": str(club.post("/invites/", {"role": "viewer"}, club.viewer).json["id"]),
            "guest_id": guest.id,
            "guest_key": guest.scorekeeper,
        }
        return cls(club, ids)

    def send(self, endpoint: Endpoint, key: str | None, **other_ids: str) -> Answer:
        ids = {**self.ids, **other_ids}
        body = json.dumps(filled(endpoint.body, ids)) if endpoint.body is not None else ""
        return self.club.api.send(endpoint.method, endpoint.path.format(**ids), key, data=body)

    def key(self, role: str) -> str:
        return str(getattr(self.club, role))


def filled(body: Json, ids: dict[str, str]) -> Json:
    return {name: value.format(**ids) if isinstance(value, str) else value for name, value in body.items()}


@pytest.fixture
def world(club: Club) -> World:
    return World.of(club)


def test_with_the_smallest_role_that_may_it_is_done(world: World) -> None:
    for endpoint in ENDPOINTS:
        with taken_back():
            assert 200 <= world.send(endpoint, world.key(endpoint.role)).status < 300, endpoint


@contextmanager
def taken_back() -> Iterator[None]:
    """What is done in it never happened."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


@pytest.mark.any_database
def test_nothing_is_done_without_a_valid_key_of_the_group(world: World) -> None:
    before = Group.objects.values().get(pk=world.club.id)

    for endpoint in ENDPOINTS:
        for key in (None, "", "wrong", world.club.id, world.ids["guest_key"]):
            answer = world.send(endpoint, key)
            assert refused(answer, 401, "not_authenticated"), (endpoint, key)
            assert answer.response.headers["WWW-Authenticate"] == "Bearer"
    assert Group.objects.values().get(pk=world.club.id) == before


@pytest.mark.any_database
def test_a_smaller_role_changes_nothing(world: World) -> None:
    before = everything_of(world.club)

    for endpoint in FOR_SOME:
        for role in ("viewer",) if endpoint.role == "member" else ("viewer", "member"):
            assert refused(world.send(endpoint, world.key(role)), 403, "forbidden"), endpoint

    assert everything_of(world.club) == before


def everything_of(club: Club) -> list[Json]:
    paths = (f"{club.path}/", "/players/", "/results/", f"{club.path}/keys/")
    return [club.get(path, club.owner).json for path in paths]


# --- another group ---


def test_a_groups_key_sees_nothing_of_another_group(world: World) -> None:
    stranger = World.of(Club(world.club.api, "Strangers"))
    before = everything_of(world.club)

    for endpoint in WITH_IDS:
        # All of the other group's ids, none of which means anything; and each of them alone among one's own.
        for ids in (world.ids, *mixed(endpoint, world.ids)):
            answer = stranger.send(endpoint, stranger.club.owner, **ids)
            assert refused(answer, 404, "not_found"), (endpoint, ids)
            of_no_one = {name: NOTHING[name] for name in NOTHING if name in ids and name in said(endpoint)}
            assert answer.json == stranger.send(endpoint, stranger.club.owner, **of_no_one).json
    for path in ("/", "/log/", "/sheet/", "/export/"):
        answer = stranger.club.get(f"/games/{world.ids['game_id']}{path}", stranger.club.owner)
        assert refused(answer, 404, "not_found")
    for path in ("/results/", "/results/rounds/"):
        answer = stranger.club.get(f"{path}?player={world.ids['player_id']}")
        assert refused(answer, 404, "not_found")
    assert everything_of(world.club) == before


def mixed(endpoint: Endpoint, foreign: dict[str, str]) -> Iterator[dict[str, str]]:
    yield from ({name: foreign[name]} for name in NOTHING if name in said(endpoint))


def said(endpoint: Endpoint) -> set[str]:
    """The names of the ids in an address and a body."""
    return set(re.findall(r"{(\w+)}", endpoint.path + json.dumps(endpoint.body)))


def test_what_needs_no_id_tells_of_the_keys_own_group_alone(world: World) -> None:
    stranger = Club(world.club.api, "Strangers")
    own = {world.ids["game_id"], world.ids["player_id"], "Ana"}

    for endpoint in OF_THE_KEY:
        text = stranger.get(endpoint.path, stranger.owner).text
        assert not any(each in text for each in own), endpoint
    assert stranger.follow() == ([], 0)


def test_a_dissolved_groups_key_is_invalid(world: World) -> None:
    assert world.club.delete("/").status == 204

    for endpoint in ENDPOINTS:
        assert refused(world.send(endpoint, world.club.owner), 401, "not_authenticated"), endpoint


# --- the order of the checks ---


@pytest.mark.any_database
def test_what_cannot_be_read_is_refused_after_the_key_and_its_rights(world: World) -> None:
    stranger = Club(world.club.api, "Strangers").owner

    for endpoint in WITH_A_BODY:
        path = endpoint.path.format(**world.ids)
        for text in ('{"', "[]", '{"junk": 1}'):
            for key, status in (("wrong", 401), (stranger, 404), (world.club.owner, 400)):
                answer = world.club.api.send("POST", path, key, data=text)
                assert answer.status == status, (endpoint, text, key)


@pytest.mark.parametrize("query", ["size=0", "format=pdf", "junk=1", "from=yesterday", "changed_after=-1"])
def test_what_cannot_be_read_in_an_address_is_refused_after_the_key(club: Club, query: str) -> None:
    assert club.api.get(f"/results/?{query}", "wrong").status == 401
    assert club.api.get(f"/results/?{query}", club.viewer).status == 400


def test_what_does_not_exist_comes_before_the_right_to_change_it(world: World) -> None:
    viewer = world.club.viewer

    for endpoint in FOR_SOME:
        assert world.send(endpoint, viewer, group_id="0" * 12).status == 404, endpoint
        for name in ("player_id", "game_id"):
            if name in endpoint.path:
                assert world.send(endpoint, viewer, **{name: "0" * 12}).status == 404, endpoint


# --- methods, types, sizes, strange addresses ---


@pytest.mark.any_database
def test_a_method_that_an_endpoint_does_not_know(world: World) -> None:
    for path in sorted({endpoint.path for endpoint in ENDPOINTS}):
        possible = {endpoint.method for endpoint in ENDPOINTS if endpoint.path == path}
        for method in {"GET", "POST", "DELETE", "PUT", "PATCH", "OPTIONS", "PROPFIND"} - possible:
            answer = world.club.api.send(method, path.format(**world.ids), world.club.owner)
            assert refused(answer, 405, "method_not_allowed"), (method, path)


@pytest.mark.any_database
def test_bodies_that_are_not_called_json_or_are_too_large(world: World) -> None:
    for endpoint in WITH_A_BODY:
        path, send = endpoint.path.format(**world.ids), world.club.api.send
        for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data"):
            answer = send("POST", path, world.club.owner, data="{}", content_type=kind)
            assert refused(answer, 415, "unsupported_media_type"), endpoint
            assert answer.params["supported"] == ["application/json"]
        answer = send("POST", path, world.club.owner, data=json.dumps({"x": "x" * 65_536}))
        assert refused(answer, 413, "body_too_large"), endpoint


@pytest.mark.slow
def test_junk(world: World) -> None:
    for endpoint in WITH_A_BODY:
        for junk in JUNK:
            answer = world.club.api.send("POST", endpoint.path.format(**world.ids), world.club.owner, data=junk)
            assert answer.status == 400, (endpoint, junk)


@pytest.mark.slow
def test_a_strange_id_is_one_that_does_not_exist(world: World) -> None:
    club = world.club

    for strange in STRANGE_IDS:
        for endpoint in WITH_IDS:
            for name in said(endpoint) & {"group_id", "game_id", "player_id", "other_id"}:
                if f"{{{name}}}" in endpoint.path:
                    assert refused(world.send(endpoint, club.owner, **{name: strange}), 404, "not_found"), endpoint
        assert refused(club.get(f"/games/{strange}/"), 404, "not_found")
        assert refused(club.get(f"/results/?player={strange}"), 404, "not_found")


def test_a_strange_key_is_one_that_does_not_exist(world: World) -> None:
    for endpoint in WITH_IDS:
        for key_id in ("0", "9" * 18, "9" * 30, "9" * 4000) if "{key_id}" in endpoint.path else ():
            assert refused(world.send(endpoint, world.club.owner, key_id=key_id), 404, "not_found"), endpoint


@pytest.mark.any_database
def test_no_endpoint_of_a_group_needs_a_csrf_token(world: World) -> None:
    client: Any = Client(enforce_csrf_checks=True)

    for endpoint in WITH_A_BODY:
        response = client.generic("POST", V1 + endpoint.path.format(**world.ids), "{}", "application/json")
        assert response.status_code != 403

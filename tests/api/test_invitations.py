"""Invitations over REST: for one use or for the evening, listed, withdrawn, and ended with a revoked key."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.api.client import Api, Json, Table
from tests.api.digital import DigitalTable
from tests.api.groups import ApiGroup

pytestmark = pytest.mark.any_database


def join(api: Api, invitation: Json, name: str = "") -> Json:
    """Join by a code; the answer, or its refusal."""
    answer = api.post("/join/", {"code": invitation["code"], "name": name})
    return answer.json if answer.status == 201 else answer.refusal


def key_called(keys: Json, label: str) -> int:
    """The id of the key with a label."""
    (key,) = (key for key in keys if key["label"] == label)
    return key["id"]


REFUSED = (404, "invite_not_valid")


# --- out is out ---


def test_a_key_that_is_revoked_closes_the_opening_links_of_its_role(table: Table) -> None:
    links = table.created["links"]["join"]
    viewer = key_called(table.get("/keys/", table.scorekeeper).json, "API viewer")

    table.api.delete(f"/games/{table.id}/keys/{viewer}/", table.scorekeeper)

    for link in links.values():
        token = link.rstrip("/").rpartition("/")[2]
        assert table.api.post("/join/", {"token": token}).refusal == REFUSED


def test_the_second_reader_of_an_invitation_to_a_seat_is_refused_and_the_first_plays_on(api: Api) -> None:
    table = DigitalTable.open(api)
    invitation = table.post("/invites/", {"role": "seat", "seat": 1}, table.scorekeeper).json
    assert invitation["single_use"] is True

    first = join(api, invitation)

    assert join(api, invitation) == REFUSED
    assert table.get(key=first["key"]).status == 200


@pytest.mark.parametrize("asked", [{}, {"single_use": False}, {"single_use": True}])
def test_an_invitation_is_for_the_evening_or_for_one_use(table: Table, group: ApiGroup, asked: Json) -> None:
    once = asked.get("single_use", False)
    makers: list[Callable[[str, Json], Json]] = [table.post, group.post]
    for make in makers:
        invitation = make("/invites/", {"role": "viewer", **asked}).json

        assert invitation["single_use"] is once
        assert "key" in join(table.api, invitation)
        assert (join(table.api, invitation) == REFUSED) is once


@pytest.mark.parametrize("wrong", [None, 1, "true", []])
def test_one_use_is_true_or_false(table: Table, group: ApiGroup, wrong: Json) -> None:
    for owner in (table, group):
        assert owner.post("/invites/", {"role": "viewer", "single_use": wrong}).status == 400


# --- listed and withdrawn ---


def test_the_open_invitations_of_a_game_are_listed_and_withdrawn(api: Api) -> None:
    table = DigitalTable.open(api)
    opening = len(table.get("/invites/", table.scorekeeper).json)
    assert opening == 5, "a link for each role and seat"
    made = table.post("/invites/", {"role": "seat", "seat": 2}, table.scorekeeper).json
    watching = table.post("/invites/", {"role": "viewer"}, table.scorekeeper).json
    join(api, watching)

    listed = table.get("/invites/", table.scorekeeper).json

    assert len(listed) == opening + 2
    assert listed[0] == {
        "id": watching["id"],
        "role": "viewer",
        "seat": None,
        "maker": "API scorekeeper",
        "created_at": listed[0]["created_at"],
        "expires_at": watching["expires_at"],
        "uses": 1,
        "single_use": False,
    }
    assert [listed[1][name] for name in ("id", "seat", "uses", "single_use")] == [made["id"], 2, 0, True]
    assert {each["maker"] for each in listed[2:]} == {None}
    path = f"/games/{table.id}/invites/{made['id']}/"
    assert api.delete(path, table.scorekeeper).status == 204
    assert api.delete(path, table.scorekeeper).refusal == (404, "not_found")
    assert join(api, made) == REFUSED
    assert len(table.get("/invites/", table.scorekeeper).json) == opening + 1


def test_a_seat_lists_and_withdraws_the_invitations_to_it(api: Api) -> None:
    table = DigitalTable.open(api)
    for seat in (1, 2):
        table.post("/invites/", {"role": "seat", "seat": seat}, table.scorekeeper)
    everything = table.get("/invites/", table.scorekeeper).json

    listed = table.get("/invites/", table.seats[1]).json

    assert [each["seat"] for each in listed] == [1, 1]
    assert table.get("/invites/", table.viewer).json == []
    foreign = next(each["id"] for each in everything if each["seat"] == 2)
    for key in (table.seats[1], table.viewer):
        assert api.delete(f"/games/{table.id}/invites/{foreign}/", key).status == 404
    assert api.delete(f"/games/{table.id}/invites/{listed[0]['id']}/", table.seats[1]).status == 204
    assert len(table.get("/invites/", table.scorekeeper).json) == len(everything) - 1


def test_owners_list_every_invitation_to_a_group_and_others_their_own(group: ApiGroup) -> None:
    made = group.post("/invites/", {"role": "owner"}).json
    own = group.post("/invites/", {"role": "member", "single_use": True}, group.member).json

    def ids(key: str) -> list[int]:
        return [each["id"] for each in group.get(f"{group.path}/invites/", key).json]

    assert (ids(group.owner), ids(group.member), ids(group.viewer)) == ([own["id"], made["id"]], [own["id"]], [])
    assert group.get(f"{group.path}/invites/", group.owner).json[0] == {
        "id": own["id"],
        "role": "member",
        "maker": "member",
        "created_at": group.get(f"{group.path}/invites/", group.member).json[0]["created_at"],
        "expires_at": own["expires_at"],
        "uses": 0,
        "single_use": True,
    }
    assert group.delete(f"/invites/{made['id']}/", group.member).status == 404
    assert group.delete(f"/invites/{made['id']}/").status == 204
    assert join(group.api, made) == REFUSED

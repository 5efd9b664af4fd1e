"""The group as a file: who may save and restore it, and what the script of the page sends and is answered."""

from __future__ import annotations

import gzip
import json

import pytest
from django.urls import reverse

from games.models import Game, Group
from tests.cast.groups import played
from tests.cast.pages import Phone

pytestmark = pytest.mark.django_db

GROUP = '{"format": "njet-group", "schema": 1, "players": []}'


def send(phone: Phone, group: Group, head: str, *games: str) -> tuple[int, dict[str, object]]:
    """A part, as the script sends it."""
    page = phone.post_to(reverse("games:group_restore"), {"group": group.pk, "head": head, "games": "\n".join(games)})
    return page.status, json.loads(page.html)


def lines_of(phone: Phone) -> list[str]:
    answer = phone.client.get(phone.address_of("group_file"))
    assert answer.headers["Content-Disposition"].endswith('.jsonl.gz"')
    return gzip.decompress(b"".join(answer.streaming_content)).decode().splitlines()


def test_an_owner_saves_the_group_and_restores_it(group: Group, olga: Phone) -> None:
    played(group)
    assert olga.open("group_settings").press("The group as a file").offers("Save the file")
    head, game = lines_of(olga)
    Game.objects.all().delete()

    assert send(olga, group, head, game) == (200, {"stored": 1, "known": 0, "refused": []})
    assert send(olga, group, head, game) == (200, {"stored": 0, "known": 1, "refused": []})
    status, answer = send(olga, group, head, "{}")
    assert (status, len(answer["refused"])) == (200, 1)


@pytest.mark.parametrize(
    ("head", "game"), [("no json", "{}"), ("{}", "{}"), ('{"format": "njet-group"}', "["), ("[" * 9000, "")]
)
def test_what_is_no_part_of_a_file_is_refused_in_words(group: Group, olga: Phone, head: str, game: str) -> None:
    status, answer = send(olga, group, head, game)

    assert status == 400
    assert answer["error"].keys() == {"code", "message"}


def test_only_owners_restore(group: Group, max_: Phone) -> None:
    assert send(max_, group, "{}")[0] == 403
    assert send(Phone(), group, "{}")[0] == 404

"""The group as a file: who may save and restore it, and what the script of the page sends and is answered."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from games.models import Game, Group
from games.pages.archive import views
from tests.cast.groups import played
from tests.cast.pages import CSRF_COOKIE, Phone

pytestmark = pytest.mark.django_db

GROUP = '{"format": "njet-group", "schema": 1, "players": []}'


def send(phone: Phone, group: Group, head: str, *games: str) -> tuple[int, dict[str, object]]:
    """A part, as the script sends it."""
    return send_file(phone, group, head, gzip.compress("\n".join(games).encode()))


def send_file(phone: Phone, group: Group, head: str, games: bytes) -> tuple[int, dict[str, object]]:
    """A compressed file, or what is none."""
    fields = {"csrfmiddlewaretoken": CSRF_COOKIE, "group": group.pk, "head": head}
    file = SimpleUploadedFile("games", games)
    answer = phone.client.post(reverse("games:group_restore"), {**fields, "games": file}, headers=phone.headers)
    return answer.status_code, answer.json()


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


@pytest.mark.parametrize("change", [lambda games: games[:-9], lambda games: b"plain"])
def test_a_part_that_cannot_be_unpacked_is_refused(group: Group, olga: Phone, change: Callable[[bytes], bytes]) -> None:
    game = json.dumps({"id": "g", "note": "ä"}).encode()

    status, answer = send_file(olga, group, GROUP, change(gzip.compress(game)))

    assert (status, answer["error"]["code"]) == (400, "malformed")


def test_a_part_that_would_fill_the_memory_is_refused(group: Group, olga: Phone) -> None:
    status, answer = send_file(olga, group, GROUP, gzip.compress(b" " * (views.MOST_UNPACKED + 1)))

    assert (status, answer["error"]["code"]) == (400, "malformed")


def test_only_owners_restore(group: Group, max_: Phone) -> None:
    assert send(max_, group, "{}")[0] == 403
    assert send(Phone(), group, "{}")[0] == 404

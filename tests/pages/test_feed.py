"""The finished games of a group as a feed: who reads it, what it says, when it has changed."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from xml.etree import ElementTree

import pytest
from django.db import connection
from django.http import HttpResponse
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from games.formats.play import NAMESPACE
from games.keys import registry
from games.models import Game, Group, GroupKey, GroupRole
from games.services import deletion, group_players, groups, tables
from games.services.write import WriteRequest
from tests.cast.groups import new_group, played, player
from tests.cast.pages import Phone
from tests.cast.tables import Table

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

ATOM = "{http://www.w3.org/2005/Atom}"


@pytest.fixture
def program(group: Group) -> GroupKey:
    """The key of a reader of news."""
    return registry.issue(group=group, role=GroupRole.VIEWER, label="news", program=True)


def address(key: GroupKey) -> str:
    return f"/join/feed/{registry.feed_of(key)}/"


def fetched(key: GroupKey, query: str = "", **headers: str) -> HttpResponse:
    """What a reader without cookies gets."""
    return Client().get(f"{address(key)}{query}", headers=headers)


def entries(key: GroupKey, query: str = "") -> list[dict[str, str]]:
    """The entries, by the names of their elements."""
    root = ElementTree.fromstring(fetched(key, query).content)
    return [
        {each.tag.removeprefix(ATOM): each.get("href") or each.text or "" for each in entry}
        for entry in root.iter(f"{ATOM}entry")
    ]


def at(game: Table, when: datetime) -> None:
    Game.objects.filter(pk=game.id).update(created_at=when, finished_at=when + timedelta(hours=1))


# --- what it says ---


def test_finished_games_are_listed_the_newest_first(group: Group, program: GroupKey) -> None:
    old, new = played(group), played(group, "Dora", "Ben & <Co>", "Fay")
    at(old, datetime(2026, 1, 14, 18, tzinfo=UTC))
    at(new, datetime(2026, 1, 15, 18, tzinfo=UTC))
    Table(None, group=group)

    found = entries(program)

    assert [entry["title"] for entry in found] == ["Dora won NJET with 54", "Ana won NJET with 54"]
    assert [entry["link"] for entry in found] == [f"http://testserver/g/{game.id}/sheet/" for game in (new, old)]
    assert found[0]["summary"] == ("Dora won NJET with 54: Dora 54, Ben &amp; &lt;Co&gt; 48, Fay 48 (15 Jan 2026)")
    assert found[0]["published"] == "2026-01-15T19:00:00+00:00"


def test_the_feed_says_whose_it_is(group: Group, program: GroupKey) -> None:
    root = ElementTree.fromstring(fetched(program, "?language=fr").content)

    assert root.tag == f"{ATOM}feed"
    assert group.name in (root.findtext(f"{ATOM}title") or "")
    assert root.get("{http://www.w3.org/XML/1998/namespace}lang") == "fr"
    links = {link.get("rel"): link.get("href") for link in root.iter(f"{ATOM}link")}
    assert links["self"] == f"http://testserver{address(program)}?language=fr"
    assert links["alternate"] == f"http://testserver/groups/{group.pk}/"


def test_a_feed_has_the_language_and_the_days_that_its_address_names(group: Group, program: GroupKey) -> None:
    at(played(group), datetime(2026, 1, 15, 23, 30, tzinfo=UTC))

    (entry,) = entries(program, "?language=de&zone=Europe/Berlin")
    assert entry["summary"].endswith("(16. Januar 2026)")
    (entry,) = entries(program, "?language=xx&zone=../etc/passwd")
    assert entry["summary"].endswith("(15 Jan 2026)")


def test_a_game_keeps_its_id_and_a_correction_is_an_update(group: Group, program: GroupKey) -> None:
    game = played(group)
    (before,) = entries(program)
    later = timezone.now() + timedelta(minutes=5)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("games.log.store.now", lambda: later)
        tables.state_occasion(game_id=game.id, actor=game.key, request=WriteRequest(), stated={"place": "Garden"})

    (after,) = entries(program)

    assert before["id"] == after["id"]
    assert before["id"].startswith("urn:uuid:")
    assert after["updated"] > before["updated"]
    assert after["summary"].endswith(", Garden)")
    assert NAMESPACE.hex not in after["id"]


def test_names_are_those_of_the_players_now(group: Group, program: GroupKey) -> None:
    played(group)
    group_players.change_player(group_id=group.pk, player_id=player(group, "Ana").pk, name="Anna")

    assert entries(program)[0]["title"] == "Anna won NJET with 54"


def test_games_that_went_are_gone_and_those_of_other_groups_are_not_there(group: Group, program: GroupKey) -> None:
    gone = played(group)
    played(new_group("Fridays"))
    deletion.delete_game(game_id=gone.id, actor=None)

    assert entries(program) == []


def test_it_lists_twenty_five_games_in_as_many_queries_as_two(group: Group, program: GroupKey) -> None:
    def queries() -> int:
        with CaptureQueriesContext(
            connection,
        ) as counted:
            fetched(program)
        return len(counted)

    for _ in range(2):
        played(group)
    few = queries()
    for _ in range(25):
        played(group)

    assert queries() == few <= 8
    assert len(entries(program)) == 25


# --- when it has changed ---


def test_a_reader_that_has_it_gets_it_again_only_when_it_has_changed(group: Group, program: GroupKey) -> None:
    played(group)
    first = fetched(program)
    etag = first.headers["ETag"]

    assert first.headers["Content-Type"] == "application/atom+xml; charset=utf-8"
    again = fetched(program, **{"if-none-match": etag})
    assert (again.status_code, again.content, again.headers["ETag"]) == (304, b"", etag)
    assert fetched(program, "?language=de", **{"if-none-match": etag}).status_code == 200

    played(group)
    assert fetched(program, **{"if-none-match": etag}).status_code == 200


def test_an_empty_feed_does_not_change(program: GroupKey) -> None:
    first, again = fetched(program), fetched(program)

    assert first.content == again.content
    assert entries(program) == []


# --- who reads it ---


def test_the_address_ends_with_the_key(group: Group, program: GroupKey) -> None:
    open_to_all = address(program)
    groups.revoke_key(group_id=group.pk, key_id=program.pk)

    assert Client().get(open_to_all).status_code == 404


def test_the_address_ends_with_the_secret_of_the_key(group: Group, program: GroupKey) -> None:
    before = address(program)
    renewed = groups.renew_key(group_id=group.pk, key_id=program.pk)

    assert Client().get(before).status_code == 404
    assert fetched(renewed).status_code == 200


def test_the_address_ends_with_the_group(group: Group, program: GroupKey) -> None:
    deletion.delete_group(group_id=group.pk, actor=None)

    assert fetched(program).status_code == 404


def test_the_address_opens_nothing_else(group: Group, program: GroupKey) -> None:
    feed = registry.feed_of(program)

    for path in (f"/groups/{group.pk}/", f"/api/v1/groups/{group.pk}/", "/api/v1/results/"):
        assert Client().get(path, headers={"authorization": f"Bearer {feed}"}).status_code in (401, 404)
    assert program.secret not in fetched(program).content.decode()


@pytest.mark.parametrize(
    "feed", ["x", "1", "1.", ".x", "1.x", "-1.x", "²." + "x" * 43, "9" * 40 + ".x", "1.é", "0.%00", "1.\ud800"]
)
def test_there_is_no_other_address(program: GroupKey, feed: str) -> None:
    assert Client().get(f"/join/feed/{feed.encode('utf-8', 'surrogatepass').decode('latin-1')}/").status_code == 404


def test_a_browsers_key_and_the_feed_of_another_key_open_nothing(group: Group, program: GroupKey) -> None:
    other = registry.issue(group=new_group("Fridays"), role=GroupRole.VIEWER, program=True)
    browser = registry.issue(group=group, role=GroupRole.OWNER)
    secret = registry.feed_of(program).partition(".")[2]

    for key in (other, browser):
        assert Client().get(f"/join/feed/{key.pk}.{secret}/").status_code == 404


def test_an_owner_gets_the_address_with_the_key(group: Group, olga: Phone) -> None:
    page = olga.open("group_settings").press("Make a key", label="news", role="viewer")

    key = GroupKey.objects.get(label="news")
    secret, feed = (page.root.one("code", id=each).text for each in ("secret", "feed"))
    assert registry.group_key_of_secret(secret) == key
    assert feed.startswith(f"http://testserver{address(key)}?language=en")
    assert Client().get(feed.removeprefix("http://testserver")).status_code == 200

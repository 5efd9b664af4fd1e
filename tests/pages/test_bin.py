"""The bin as phones see it: on their home page, with a page of its own, and for all others not there."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from games.groups import statistics_queries
from games.keys import registry
from games.models import Game, Group, GroupKey, GroupRole, Key, Role, Seat
from games.pages.export.views import PLAYS
from games.rules import Setup
from games.services import deletion
from tests.cast.digital import DigitalTable
from tests.cast.groups import new_group, played, recounted, totals_of
from tests.cast.pages import Page, Phone, come_in, sit_down
from tests.cast.tables import ROUND_1, Table, stored

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


def deleted(page: Page) -> list[str]:
    """What the home page shows of the bin."""
    return [link.text for link in page.root.all("a") if link.attrs["href"].startswith("/bin/")]


def of_game(table: Table | DigitalTable) -> str:
    return reverse("games:deleted", args=[table.id])


def put_away(phone: Phone) -> Page:
    return phone.open("delete").press("Delete")


@pytest.fixture
def group(db: None) -> Group:
    return new_group()


# --- a game ---


def test_the_phones_of_a_deleted_game_see_it_and_who_deleted_it(round_2: Table, ana: Phone, ben: Phone) -> None:
    Key.objects.filter(pk=ana.key.pk).update(label="Ana’s phone")

    put_away(ana)

    for phone in (ana, ben):
        (line,) = deleted(phone.open("home"))
        assert "Ana, Ben, Cleo" in line
        assert "deleted by Ana’s phone" in line
    assert not deleted(Phone().open("home"))


def test_a_phone_that_recorded_restores_it(round_2: Table, ana: Phone, ben: Phone, cleo: Phone) -> None:
    before = stored(round_2.id)
    put_away(ana)
    assert cleo.open().status == 404

    page = ben.open("home").press("Ana, Ben, Cleo").press("Restore")

    assert page.address == ben.address_of("table")
    assert stored(round_2.id) == before
    assert all(phone.open().status == 200 for phone in (ana, ben, cleo))
    assert not deleted(ana.open("home"))


def test_a_game_that_another_phone_has_restored_is_opened(round_2: Table, ana: Phone, ben: Phone) -> None:
    put_away(ana)
    seen = ben.open("home").press("Ana, Ben, Cleo")
    ana.post_to(of_game(round_2), {"restore": "1"})

    page = seen.press("Restore")

    assert (page.status, page.address) == (200, ben.address_of("table"))


def test_who_only_looked_on_sees_it_and_restores_nothing(round_2: Table, ana: Phone, cleo: Phone) -> None:
    put_away(ana)

    page = cleo.open("home").press("Ana, Ben, Cleo")
    assert not page.offers("Restore")
    assert not page.offers("Delete for good")
    for button in ("restore", "purge"):
        refused = cleo.post_to(of_game(round_2), {button: "1"})
        assert (refused.status, refused.code) == (403, "forbidden")
    assert cleo.open().status == 404


def test_a_game_is_deleted_permanently_from_the_bin(round_2: Table, ana: Phone, ben: Phone) -> None:
    put_away(ana)

    page = ana.open("home").press("Ana, Ben, Cleo").press("Delete for good")

    assert page.address == "/"
    assert not Game.objects.exists()
    assert not deleted(ben.open("home"))
    assert ben.get(of_game(round_2)).status == 404


def test_a_confirmed_result_is_deleted_by_the_phone_that_opened_the_table(
    locked: Table, ana: Phone, ben: Phone
) -> None:
    for refused in (ben.open("delete"), ben.post("delete")):
        assert (refused.status, refused.code) == (403, "forbidden")
    assert locked.ledger.locked

    put_away(ana)
    refused = ben.post_to(of_game(locked), {})
    assert (refused.status, refused.code) == (403, "forbidden")
    assert not ben.get(of_game(locked)).offers("Delete for good")
    assert ben.get(of_game(locked)).press("Restore").status == 200
    assert locked.ledger.locked


def test_what_a_group_counts_is_deleted_permanently_by_its_owners_only(group: Group) -> None:
    table = played(group)
    member, owner = sit_down(table), come_in(group, GroupRole.OWNER)
    owner.sits(table, registry.issue(game=table.game, role=Role.SCOREKEEPER, label="Olga"))
    assert member.open("delete").status == 403

    put_away(owner)
    refused = member.post_to(of_game(table), {})

    assert (refused.status, refused.code) == (403, "forbidden")
    assert member.get(of_game(table)).press("Restore").status == 200
    assert totals_of(group) == recounted(group)


def test_a_game_that_is_not_in_the_bin_has_no_page_there(round_2: Table, ana: Phone) -> None:
    for answer in (
        ana.get(of_game(round_2)),
        ana.post_to(of_game(round_2), {"restore": "1"}),
        ana.post_to(of_game(round_2), {}),
    ):
        assert (answer.status, answer.response.headers["Location"]) == (302, ana.address_of("table"))
    assert Phone().get(of_game(round_2)).status == 404
    assert round_2.version == 3
    assert ana.get("/bin/g/a%00b/").status == 404


def test_the_home_page_asks_no_more_for_the_bin(group: Group) -> None:
    table, other = Table(None, *ROUND_1), Table(None, *ROUND_1)
    phone = sit_down(table).sits(other, other.key).joins(registry.issue(group=group, role=GroupRole.OWNER, label="Ana"))
    phone.open("home")

    def asked() -> int:
        with CaptureQueriesContext(connection) as queries:
            phone.open("home")
        return len(queries)

    # The session, its keys, the games, their seats, its groups.
    assert asked() == 5
    put_away(phone)
    phone.open("home")
    assert asked() == 5 + 2


def test_a_phone_that_had_lost_its_seat_sees_nothing_of_a_game_in_the_bin(db: None) -> None:
    table = DigitalTable()
    phone = Phone().sits(table, table.keys[0])
    registry.supersede(table.game, 0)
    assert phone.open().status == 403

    deletion.delete_game(game_id=table.id)

    assert phone.open().status == 404


def test_a_scanned_play_of_a_game_in_the_bin_leads_nowhere(finished: Table) -> None:
    address = reverse("games:bgstats_play", args=[PLAYS.sign(finished.id)])
    assert Phone().client.get(address).status_code == 302

    deletion.delete_game(game_id=finished.id)

    assert Phone().client.get(address).status_code == 404


def test_the_token_of_a_player_is_none_of_a_game_in_the_bin(group: Group) -> None:
    def worn() -> list[str]:
        return [each.token for each in statistics_queries.players_of(group)]

    played(group)
    before = worn()
    turned = Setup.of(preset="goldsieber-dutch", names=("Cleo", "Ana", "Ben"))
    last = Table(turned, *ROUND_1, "finish", group=group)
    assert worn() != before

    deletion.delete_game(game_id=last.id)

    # Databases sort what has no time differently.
    for at in (None, timezone.now()):
        Seat.objects.filter(game=last.id).update(counted_at=at)
        assert worn() == before


# --- a group ---


def test_an_owner_restores_a_group(group: Group) -> None:
    played(group)
    owner, member = come_in(group, GroupRole.OWNER), come_in(group, GroupRole.MEMBER)
    before = totals_of(group)
    page = owner.open("group_dissolve").press("Dissolve")
    assert page.address == "/"
    assert all(phone.open("group").status == 404 for phone in (owner, member))
    assert len(deleted(member.open("home"))) == 1

    seen = member.open("home").press("Thursday club")
    assert not seen.offers("Restore")
    refused = member.post_to(reverse("games:deleted_group", args=[group.pk]), {"restore": "1"})
    assert (refused.status, refused.code) == (403, "forbidden")
    page = owner.open("home").press("Thursday club").press("Restore")

    assert page.address == owner.address_of("group")
    assert member.open("group").status == 200
    assert totals_of(group) == before


def test_a_group_that_another_phone_has_restored_is_opened(group: Group) -> None:
    first, second = come_in(group, GroupRole.OWNER), come_in(group, GroupRole.OWNER)
    first.open("group_dissolve").press("Dissolve")
    seen = second.open("home").press("Thursday club")
    first.open("home").press("Thursday club").press("Restore")

    page = seen.press("Restore")

    assert (page.status, page.address) == (200, second.address_of("group"))


def test_a_group_is_deleted_permanently_from_the_bin(group: Group) -> None:
    owner, member = come_in(group, GroupRole.OWNER), come_in(group, GroupRole.MEMBER)
    owner.open("group_dissolve").press("Dissolve")
    address = reverse("games:deleted_group", args=[group.pk])
    refused = member.post_to(address, {})
    assert (refused.status, refused.code) == (403, "forbidden")

    owner.get(address).press("Delete for good")

    assert not Group.objects.exists()
    assert not GroupKey.objects.exists()
    assert member.get(address).status == 404


def test_a_table_of_a_group_in_the_bin_does_not_name_it(group: Group) -> None:
    table = played(group)
    phone = sit_down(table)
    come_in(group, GroupRole.OWNER).open("group_dissolve").press("Dissolve")

    for name in ("table", "menu", "adopt", "sheet", "exports", "table_evening"):
        page = phone.open(name)
        assert page.status == 200
        assert "Thursday club" not in page.text
    assert phone.open("delete").status == 200

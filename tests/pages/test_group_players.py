"""The players of a group on a phone: added, renamed, merged, erased; a group dissolved."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from games.keys import registry
from games.models import Game, Group, GroupInvite, GroupKey, GroupRole, Invite, Key, LogEntry, Player, Role, Seat
from games.services import group_players
from tests.cast.groups import new_group, played, player, three
from tests.cast.pages import Page, Phone, listed
from tests.cast.tables import ROUND_1, Table

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


# --- players ---


def test_a_member_adds_a_player_with_a_favourite_token(group: Group, max_: Phone) -> None:
    page = max_.open("players").press("Add", name="Dora", token="pink")

    assert page.offers("Dora 0 games")
    assert page.root.one("i", class_="t-pink").text == "D"


def test_who_has_chosen_no_token_has_the_colour_of_the_last_game(group: Group, max_: Phone) -> None:
    played(group)
    seats = Seat.objects.order_by("number")
    group_players.change_player(group_id=group.pk, player_id=player(group, "Ben").pk, name="Ben", token="lilac")

    discs = max_.open("players").root.one("ul", class_="people").all("i")

    worn = {seat.name[0]: seat.token for seat in seats} | {"B": "lilac"}
    assert {disc.text: disc.attrs["class"] for disc in discs} == {name: f"token t-{worn[name]}" for name in worn}


@pytest.mark.parametrize(
    ("name", "token", "sentence"),
    [
        ("", "", "The player needs a name."),
        ("x" * 41, "", "at most 40"),
        ("ana", "pink", "The group already has a player called ana. If they are one person, merge the two."),
        ("Dora", "gold", "gold"),
    ],
)
def test_a_player_who_cannot_be_added_is_refused_and_what_was_typed_stays(
    group: Group, max_: Phone, name: str, token: str, sentence: str
) -> None:
    group_players.add_player(group_id=group.pk, name="Ana")

    page = max_.post_to(max_.address_of("players"), {"name": name, "token": token})

    assert page.status == 422
    assert sentence in page.notice
    assert page.fields("Add")["name"] == name
    assert page.fields("Add")["token"] == (token if token == "pink" else "")
    assert Player.objects.count() == 1


def test_a_player_gets_another_name_and_old_sheets_keep_theirs(group: Group, max_: Phone) -> None:
    table = played(group)

    page = max_.open("players").press("Change Ana").press("Save", name="Anna", token="pink")

    assert page.offers("Anna 1 game")
    assert max_.open("group").offers("Anna won")
    assert "Ana" in max_.get(f"/g/{table.id}/sheet/").text
    max_.open("group").press("New table").fill_in({"name-0": "Anna", "name-1": "Ben"}, press="Start")
    assert Player.objects.filter(group=group).count() == 3


def test_a_name_that_somebody_has_is_not_taken(group: Group, max_: Phone) -> None:
    played(group)

    page = max_.open("players").press("Change Ana").press("Save", name="BEN", token="pink")

    assert page.status == 422
    assert page.fields("Save") == {"csrfmiddlewaretoken": page.fields("Save")["csrfmiddlewaretoken"]} | {
        "name": "BEN",
        "token": "pink",
    }
    assert player(group, "Ana").token == ""


# --- merging ---


def test_two_names_become_one_person_and_the_page_asks_first(group: Group, olga: Phone) -> None:
    played(group, "Ana", "Ben", "Cleo")
    played(group, "Anna", "Ben", "Cleo")
    anna, ana = player(group, "Anna"), player(group, "Ana")

    question = olga.get(olga.address_of("merge_player", anna.pk), into=ana.pk)
    assert "All games of Anna become games of Ana" in question.text
    assert Player.objects.filter(merged_into__isnull=False).count() == 0
    page = question.press("Merge for good")

    assert page.address == f"/groups/{group.pk}/players/{ana.pk}/"
    assert olga.open("players").offers("Ana 2 games")
    assert not olga.open("players").offers("Anna")
    assert listed(olga.get(olga.address_of("group_games"), player=ana.pk)) != []
    # Who is called so at a new table is the same person from then on.
    played(group, "Anna", "Ben", "Cleo")
    assert olga.open("players").offers("Ana 3 games")


def test_no_one_is_merged_into_themselves_or_into_no_one(group: Group, olga: Phone) -> None:
    played(group)
    ana = player(group, "Ana")
    stranger = group_players.add_player(group_id=new_group("Fridays").pk, name="Dora")

    for into in (ana.pk, stranger.pk, "nobody", ""):
        assert olga.get(olga.address_of("merge_player", ana.pk), into=into).status == 404
        assert olga.post("merge_player", ana.pk, into=into).status == 404


# --- erasing ---

COLUMNS = (Group, Player, Seat, Game, LogEntry, Key, GroupKey, Invite, GroupInvite)


def rows_that_say(name: str) -> list[str]:
    """The tables that have a name in any column of a row."""
    return [each.__name__ for each in COLUMNS if name.casefold() in repr(list(each.objects.values_list())).casefold()]


def pages_of(phone: Phone, group: Group) -> Iterator[Page]:
    """Every page of a group and of its games that anybody could read."""
    for name in ("group", "group_games", "players", "group_statistics", "group_keys", "group_settings"):
        yield phone.open(name)
    people = list(Player.objects.filter(group=group, merged_into=None).order_by("pk"))
    for each in people:
        for name in ("player", "edit_player", "erase_player"):
            yield phone.open(name, each.pk)
    yield phone.open("pair", *(each.pk for each in people[:2]))
    yield phone.get("/new/", group=group.pk)
    for game in Game.objects.filter(group=group):
        if game.finished_at is not None:
            yield phone.open("evening", game.pk)
        for part in ("sheet/", "sheet.csv", "history/", "replay/", "rules/", "enter/?sit", "export/"):
            yield phone.get(f"/g/{game.pk}/{part}")
        yield phone.get(f"/g/{game.pk}/export/njet.json")
        yield phone.get(f"/g/{game.pk}/export/njet.txt")


@pytest.mark.slow
def test_an_erased_name_is_gone_from_every_row_and_every_page(group: Group, olga: Phone) -> None:
    finished, locked = played(group, "Zelda", "Ben", "Cleo"), played(group, "Zelda", "Ben", "Cleo")
    locked.lock()
    running = Table(three("Ben", "ZELDA", "Cleo"), ROUND_1[0], group=group)
    swapped = Table(three("Ana", "Zelda", "Cleo"), ROUND_1[0], group=group)
    swapped.correct(names=["Zelda", "Ana", "Cleo"])
    replaced = Table(three("Zelda", "Ben", "Cleo"), ROUND_1[0], group=group)
    replaced.correct(names=["Dora", "Ben", "Cleo"])
    mistyped = Table(three("Zelfa", "Ben", "Cleo"), group=group)
    mistyped.correct(names=["Zelda", "Ben", "Cleo"])
    registry.issue(group=group, role=GroupRole.MEMBER, label="zelda")
    registry.issue(game=running.game, role=Role.VIEWER, label="Zelda")
    totals = [table.state.totals for table in (finished, locked, running)]
    zelda = player(group, "Zelda")

    question = olga.open("edit_player", zelda.pk).press("Erase this player")
    assert "Zelda" in question.text
    page = question.press("Erase the name for good")

    assert page.address == f"/groups/{group.pk}/players/"
    assert rows_that_say("Zelda") == []
    assert [each.address for each in pages_of(olga, group) if "zelda" in each.html.casefold()] == []
    assert [table.state.totals for table in (finished, locked, running)] == totals


def test_the_others_keep_their_names_when_one_is_erased(group: Group, olga: Phone) -> None:
    swapped = Table(three("Ana", "Zelda", "Cleo"), ROUND_1[0], group=group)
    swapped.correct(names=["Zelda", "Ana", "Cleo"])
    zelda = player(group, "Zelda")

    olga.post("erase_player", zelda.pk)

    gone = f"Player {zelda.pk[:6]}"
    assert swapped.ledger.current_setup.names == (gone, "Ana", "Cleo")
    assert [seat["name"] for seat in swapped.game.setup["seats"]] == ["Ana", gone, "Cleo"]
    swapped.record(*ROUND_1[1:])


def test_an_erased_player_keeps_their_games_and_is_offered_no_seat(group: Group, olga: Phone) -> None:
    played(group)
    ana = player(group, "Ana")

    olga.open("erase_player", ana.pk).press("Erase the name for good")

    gone = f"Player {ana.pk[:6]}"
    assert olga.open("players").offers(f"{gone} 1 game")
    assert olga.open("group").offers(f"{gone} won")
    assert [node.name for node in olga.open("group").press("New table").root.all("button", name="add")] == [
        "+ Ben",
        "+ Cleo",
    ]


def test_a_name_that_was_erased_is_a_new_player_when_it_is_typed_again(group: Group, olga: Phone) -> None:
    played(group)
    ana = player(group, "Ana")
    olga.post("erase_player", ana.pk)

    played(group)

    assert player(group, "Ana").pk != ana.pk


# --- dissolving ---


def test_a_dissolved_group_leaves_its_games_to_those_with_keys_of_their_own(
    group: Group, olga: Phone, max_: Phone
) -> None:
    table, other = played(group), played(group)
    max_.sits(table, table.other_key())
    page = olga.open("group_settings").press("Dissolve the group")
    assert page.press("Cancel").status == 200

    home = page.press("Dissolve")

    assert home.address == "/"
    assert olga.open("group").status == max_.open("group").status == 404
    assert max_.get(f"/g/{table.id}/").status == max_.get(f"/g/{table.id}/sheet/").status == 200
    assert max_.get(f"/g/{other.id}/sheet/").status == 404
    assert f'href="{max_.address_of("group")}"' not in max_.open("home").html

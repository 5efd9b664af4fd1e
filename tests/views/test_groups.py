"""Groups on a phone: founded, joined, filled with players and games, looked back at, corrected, left."""

from __future__ import annotations

import csv
import hashlib
import io
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from urllib.parse import parse_qsl

import pytest

from games.keys import invitations, registry
from games.models import Game, Group, GroupInvite, GroupKey, GroupRole, Invite, Key, LogEntry, Player, Role, Seat
from games.rules import Setup
from games.services import creation, group_players, groups
from tests.services.clubs import WON_BY_THE_FIRST, new_group, played, player, three
from tests.services.tables import ROUND_1, Table
from tests.views.pages import Page, Phone, come_in, fields_of

pytestmark = pytest.mark.django_db

EVENING = datetime(2026, 11, 19, 18, 0, tzinfo=UTC)


def at(table: Table, began: datetime, *, minutes: int = 60) -> str:
    """Let a finished game have been played then; its id."""
    ended = began + timedelta(minutes=minutes)
    Game.objects.filter(pk=table.id).update(created_at=began, finished_at=ended)
    Seat.objects.filter(game=table.id).update(counted_at=ended)
    return table.id


def listed(page: Page) -> list[str]:
    """The games that a page lists, by id."""
    links = [node.attrs["href"] for each in page.root.all("ul", class_="is-games") for node in each.all("a")]
    return [link.split("/")[2] for link in links]


# --- founding ---


def test_a_name_founds_a_group_whose_owner_is_this_phone(db: None) -> None:
    phone = Phone()

    page = phone.open("home").press("New group").press("Create group", name="  Thursday  club ", label="Ana’s phone")

    group = Group.objects.get()
    assert group.name == "Thursday club"
    assert page.address == f"/groups/{group.pk}/"
    assert [(key.role, key.label, key.secret_hash) for key in group.keys.all()] == [("owner", "Ana’s phone", None)]
    assert "No game yet." in page.text
    assert phone.open("home").press("Thursday club").status == 200


@pytest.mark.parametrize(("name", "sentence"), [("  ", "The group needs a name."), ("x" * 61, "at most 60")])
def test_a_group_without_a_proper_name_is_not_founded_and_what_was_typed_stays(
    db: None, name: str, sentence: str
) -> None:
    page = Phone().open("group_new").press("Create group", name=name, label="Ana’s phone")

    assert page.status == 422
    assert sentence in page.notice
    assert page.fields("Create group")["label"] == "Ana’s phone"
    assert not Group.objects.exists()


def test_a_double_tap_on_founding_keeps_the_tables_and_groups_that_the_phone_has(
    group: Group, table: Table, max_: Phone
) -> None:
    max_.sits(table, table.key)
    early = max_.before_the_answer()

    for phone in (max_, early):
        phone.post_to("/groups/new/", {"name": "Fridays"})

    for phone in (max_, early):
        assert phone.get(f"/g/{table.id}/").status == phone.get(f"/groups/{group.pk}/").status == 200
        assert phone.open("home").offers("Fridays")


def test_the_session_that_founded_a_group_gets_a_new_name(db: None) -> None:
    phone = Phone()
    phone.open("new")
    early = phone.before_the_answer()

    page = phone.open("group_new").press("Create group", name="Thursday club")

    assert page.status == 200
    assert early.get(page.address).status == 404


# --- a table of the group ---


def test_the_regulars_are_one_tap_away_with_their_favourite_tokens(group: Group, max_: Phone) -> None:
    group_players.add_player(group_id=group.pk, name="Ana", token="lilac")
    group_players.add_player(group_id=group.pk, name="Ben", token="lilac")

    page = max_.open("group").press("New table").press("+ Ana").press("+ Ben")
    table = page.fill_in({"name-2": "Guest"}, press="Start")

    game = Game.objects.get(group=group)
    assert table.address == f"/g/{game.pk}/"
    names, tokens = zip(*game.seats.order_by("number").values_list("name", "token"), strict=True)
    assert names == ("Ana", "Ben", "Guest")
    # Ben comes too late for the token that both like best.
    assert tokens[0] == "lilac"
    assert "lilac" not in tokens[1:]


def test_a_favourite_token_that_these_rules_do_not_have_is_left_out(group: Group, max_: Phone) -> None:
    group_players.add_player(group_id=group.pk, name="Ana", token="bear")

    page = max_.open("group").press("New table").press("+ Ana")

    assert page.fields("Start")["token-0"] == ""


def test_a_guest_who_is_typed_is_a_player_of_the_group_from_then_on(group: Group, max_: Phone) -> None:
    max_.open("group").press("New table").fill_in({"name-0": "Ana", "name-1": "Dora"}, press="Start")

    assert {each.name for each in Player.objects.filter(group=group)} == {"Ana", "Dora"}
    assert max_.open("group").press("New table").offers("+ Dora")


def test_a_table_in_other_capitals_is_one_of_the_same_people(group: Group, max_: Phone) -> None:
    played(group, "Ana", "Ben", "Cleo")

    max_.open("group").press("New table").fill_in({"name-0": "ANA", "name-1": " ben "}, press="Start")

    assert Player.objects.filter(group=group).count() == 3


def test_a_new_table_begins_with_the_rules_that_the_group_played_by_last(group: Group, max_: Phone) -> None:
    played(group)

    page = max_.open("group").press("New table")

    assert page.root.one("button", aria_pressed="true").attrs["value"] == "goldsieber-dutch"
    assert page.root.one("input", name="group").attrs["value"] == group.pk


def test_the_group_stays_whatever_else_is_pressed_on_the_page(group: Group, max_: Phone) -> None:
    page = max_.open("group").press("New table")
    typed = page.press("Goldsieber 1997, French")

    assert typed.root.one("h1").text == "New table Thursday club"
    typed.fill_in({"name-0": "Ana", "name-1": "Ben", "name-2": "Cleo", "name-3": "Dan"}, press="Start")
    assert Game.objects.get().group == group


@pytest.mark.parametrize("who", ["a viewer", "a member of another group", "somebody"])
def test_no_table_is_opened_in_a_group_without_a_members_key(group: Group, vera: Phone, who: str) -> None:
    phone = {"a viewer": vera, "a member of another group": come_in(new_group("Fridays")), "somebody": Phone()}[who]
    status = 403 if who == "a viewer" else 404

    page = phone.post_to("/new/", {"preset": "njet-english", "name-0": "Ana", "name-1": "Ben", "group": group.pk})

    assert page.status == phone.get(f"/new/?group={group.pk}").status == status
    assert "Thursday" not in page.html
    assert not Game.objects.exists()


def test_a_running_table_of_the_group_is_entered_with_one_tap(group: Group, max_: Phone) -> None:
    table = Table(three(), ROUND_1[0], group=group)

    way_in = max_.get(max_.open("group").press("Ana, Ben, Cleo").response.headers["Location"])
    page = way_in.press("Record here")

    assert (way_in.address, page.address) == (f"/g/{table.id}/enter/", f"/g/{table.id}/")
    key = Key.objects.get(through=max_.club)
    assert (key.role, key.label, key.game_id) == ("scorekeeper", "Max’s phone", table.id)
    assert page.offers("alone")


def test_looking_on_the_way_in_of_a_table_seats_no_one(group: Group, max_: Phone) -> None:
    table = Table(three(), group=group)

    for _ in range(2):
        assert max_.get(f"/g/{table.id}/enter/").offers("Only look")

    assert not Key.objects.filter(through=max_.club).exists()


def test_a_viewer_of_the_group_enters_only_to_look(group: Group, vera: Phone) -> None:
    table = Table(three(), group=group)
    way_in = vera.get(f"/g/{table.id}/")
    assert way_in.status == 302

    way_in = vera.get(f"/g/{table.id}/enter/")
    assert not way_in.offers("Record here")
    forced = vera.post_to(f"/g/{table.id}/enter/", {"role": "scorekeeper"})
    page = way_in.press("Only look")

    assert (forced.status, forced.notice) == (403, "Only a member of the group can do that.")
    assert "You are watching." in page.text
    assert [key.role for key in Key.objects.filter(through=vera.club)] == ["viewer"]


def test_who_looked_first_may_record_later_with_another_key(group: Group, max_: Phone) -> None:
    table = Table(three(), group=group)
    max_.get(f"/g/{table.id}/enter/").press("Only look")

    page = max_.get(f"/g/{table.id}/enter/").press("Record here")

    assert "You are watching." not in page.text
    assert page.press("Start placing").offers("Cover red")


@pytest.mark.parametrize("button", ["Record here", "Only look"])
def test_a_double_tap_on_the_way_in_keeps_the_tables_that_the_phone_has(
    group: Group, table: Table, max_: Phone, button: str
) -> None:
    other = Table(three(), group=group)
    max_.sits(table, table.key)
    way_in, early = max_.get(f"/g/{other.id}/enter/"), max_.before_the_answer()

    way_in.press(button)
    role = "scorekeeper" if button == "Record here" else "viewer"
    early.post_to(way_in.address, {"role": role})

    for phone in (max_, early):
        assert [phone.get(f"/g/{each.id}/").status for each in (table, other)] == [200, 200]
        assert phone.open("group").status == 200


def test_a_finished_table_shows_its_sheet_with_the_ways_back_and_to_a_seat(group: Group, max_: Phone) -> None:
    table = played(group)

    sheet = max_.open("group").press("Ana won")

    assert sheet.address == f"/g/{table.id}/sheet/"
    assert sheet.press("Back to the group").address == f"/groups/{group.pk}/"
    at_table = sheet.press("Sit down at this table").press("Record here")
    assert at_table.offers("Rematch")


def test_a_viewer_is_not_asked_to_sit_down_at_a_finished_table(group: Group, vera: Phone) -> None:
    played(group)

    sheet = vera.open("group").press("Ana won")

    assert sheet.offers("Back to the group")
    assert not sheet.offers("Sit down at this table")


def test_a_rematch_stays_in_the_group(group: Group, max_: Phone) -> None:
    table = played(group)
    max_.get(f"/g/{table.id}/enter/", sit="").press("Record here").press("Rematch")

    game = Game.objects.exclude(pk=table.id).get()
    assert (game.group, game.rematch_of_id) == (group, table.id)
    assert Key.objects.get(game=game).through == max_.club


# --- inviting and joining ---


def invited(page: Page) -> tuple[str, str]:
    """The link and the code that a page shows."""
    return page.root.one("p", class_="big-code").text, page.root.one("section").one("a").attrs["href"]


@pytest.mark.parametrize("way", ["code", "link"])
@pytest.mark.parametrize(
    ("button", "role"),
    [("Invite a member", "member"), ("Invite a viewer", "viewer"), ("Invite another owner", "owner")],
)
def test_anyone_who_is_invited_joins_by_link_or_code_with_that_role(
    group: Group, olga: Phone, way: str, button: str, role: str
) -> None:
    code, link = invited(olga.open("group_keys").press(button))
    phone = Phone()

    if way == "code":
        welcome = phone.open("join").press("Next", code=code.lower().replace("-", " "))
    else:
        welcome = phone.get(link.removeprefix("http://testserver"))
    page = welcome.press("Join", label="Eve’s phone")

    assert "The group Thursday club ." in welcome.text
    assert page.address == f"/groups/{group.pk}/"
    assert GroupKey.objects.filter(group=group, role=role, label="Eve’s phone", secret_hash=None).count() == 1
    assert not Key.objects.exists()


def test_looking_at_an_invitation_lets_no_one_in(group: Group, olga: Phone) -> None:
    _, link = invited(olga.open("group_keys").press("Invite a member"))
    before = GroupKey.objects.count()
    phone = Phone()

    phone.get(link.removeprefix("http://testserver"))

    assert GroupKey.objects.count() == before
    assert phone.get(f"/groups/{group.pk}/").status == 404


def test_an_invitation_is_stored_as_hashes_only(group: Group, olga: Phone) -> None:
    code, link = invited(olga.open("group_keys").press("Invite a member"))

    kept = repr(list(GroupInvite.objects.values_list()))

    assert code not in kept
    assert code.replace("-", "") not in kept
    assert link.split("/")[-2] not in kept


@pytest.mark.parametrize(("who", "most"), [("vera", {"viewer"}), ("max_", {"viewer", "member"}), ("olga", None)])
def test_an_invitation_gives_no_more_than_its_maker_may_do(
    request: pytest.FixtureRequest, group: Group, who: str, most: set[str] | None
) -> None:
    phone: Phone = request.getfixturevalue(who)

    statuses = {role: phone.post("group_invite", role=role).status for role in GroupRole.values}

    allowed = most or set(GroupRole.values)
    assert {role for role, status in statuses.items() if status == 200} == allowed
    assert set(GroupInvite.objects.values_list("role", flat=True)) == allowed


@pytest.mark.parametrize("role", ["", "king", "scorekeeper"])
def test_an_invitation_to_nothing_is_refused(group: Group, olga: Phone, role: str) -> None:
    page = olga.post("group_invite", role=role)

    assert page.status == 400
    assert page.press("Back to the group").status == 200
    assert not GroupInvite.objects.exists()


def test_who_may_do_as_much_already_keeps_their_key_and_a_viewer_gets_more(
    group: Group, max_: Phone, vera: Phone
) -> None:
    links = [invitations.invite_to_group(group=group, role=role).token for role in (GroupRole.VIEWER, GroupRole.MEMBER)]
    before = GroupKey.objects.count()

    for phone in (max_, vera):
        for link in links:
            phone.open("join_link", link).press("Join")

    assert GroupKey.objects.count() == before + 1
    assert max_.open("group").offers("New table")
    assert vera.open("group").offers("New table")


def test_an_invitation_of_a_dissolved_group_leads_nowhere(group: Group, olga: Phone) -> None:
    _, link = invited(olga.open("group_keys").press("Invite a member"))
    groups.delete_group(group_id=group.pk)

    page = Phone().get(link.removeprefix("http://testserver"))

    assert page.status == 404
    assert "ask for a new one" in page.notice


# --- keys taken back ---


def test_a_key_that_is_taken_back_closes_the_group_and_the_tables_opened_through_it(
    group: Group, olga: Phone, max_: Phone
) -> None:
    mine = max_.open("group").press("New table").fill_in({"name-0": "Ana", "name-1": "Ben"}, press="Start").address
    other = Table(three(), group=group)
    max_.get(f"/g/{other.id}/enter/").press("Record here")
    assert max_.get(f"/g/{other.id}/").status == max_.get(mine).status == 200

    keys = olga.open("group_keys")
    row = next(each for each in keys.root.all("li") if "Max’s phone" in each.text)
    olga.send(row.one("form"), {"csrfmiddlewaretoken": "c" * 32}, keys)

    assert [max_.get(address).status for address in (mine, f"/g/{other.id}/", f"/groups/{group.pk}/")] == [404] * 3
    assert max_.get(f"/g/{other.id}/sheet/").status == 404
    assert "Max’s phone" not in olga.open("group_keys").text
    assert not max_.open("home").offers("Thursday club")


def test_a_key_of_the_table_itself_outlives_the_key_of_the_group(group: Group, max_: Phone) -> None:
    table = Table(three(), group=group)
    max_.sits(table, table.other_key())

    groups.revoke_key(group_id=group.pk, key_id=max_.club.pk)

    assert max_.get(f"/g/{table.id}/").status == 200


def test_everybody_but_the_last_owner_may_leave(group: Group, max_: Phone, vera: Phone) -> None:
    for phone in (max_, vera):
        home = phone.open("group_keys").press("Leave the group")

        assert home.address == "/"
        assert not home.offers("Thursday club")
        assert phone.open("group").status == 404


def test_one_of_two_owners_may_leave_and_the_last_one_stays(group: Group, olga: Phone) -> None:
    founder = GroupKey.objects.get(group=group, label="Ana")
    assert olga.open("group_keys").offers("Leave the group")
    groups.revoke_key(group_id=group.pk, key_id=founder.pk)

    alone = olga.open("group_keys")
    forced = olga.post("group_revoke", olga.club.pk)

    assert not alone.offers("Leave the group")
    assert olga.open("group_settings").offers("Dissolve the group")
    assert (forced.status, forced.notice) == (
        409,
        "This is the last owner of the group. Invite another owner first.",
    )
    assert olga.open("group").status == 200


def test_a_member_takes_no_other_key_back(group: Group, max_: Phone, vera: Phone) -> None:
    page = max_.post("group_revoke", vera.club.pk)

    assert page.status == 403
    assert vera.open("group").status == 200
    assert not any("Take the key back" in text for text in max_.open("group_keys").texts("button"))


def test_a_key_of_another_group_is_not_taken_back_here(group: Group, olga: Phone) -> None:
    other = come_in(new_group("Fridays"))

    for name in ("group_revoke", "group_renew"):
        assert olga.post(name, other.club.pk).status == 404

    assert other.open("group").status == 200


# --- programs ---


def secret_of(page: Page) -> str:
    return page.root.one("code", class_="secret").text


def reads(phone: Phone, group: Group, secret: str) -> int:
    """What a program with this secret is answered."""
    return phone.client.get(f"/api/v1/groups/{group.pk}/", headers={"Authorization": f"Bearer {secret}"}).status_code


def test_the_key_of_a_program_is_shown_once_and_only_its_hash_is_stored(group: Group, olga: Phone) -> None:
    page = olga.open("group_settings").press("Make a key", label="nightly export", role="viewer")

    secret = secret_of(page)
    key = GroupKey.objects.get(label="nightly export")
    assert len(secret) >= 43
    assert "shown this once" in page.text
    assert key.secret_hash == hashlib.sha256(secret.encode()).hexdigest()
    assert secret not in repr(list(GroupKey.objects.values_list()))
    assert secret not in olga.open("group_settings").html
    assert reads(Phone(), group, secret) == 200


def test_another_secret_kills_the_old_one(group: Group, olga: Phone) -> None:
    old = secret_of(olga.open("group_settings").press("Make a key", label="nightly export", role="member"))

    new = secret_of(olga.open("group_settings").press("New secret"))

    assert new != old
    assert [reads(Phone(), group, each) for each in (old, new)] == [401, 200]


def test_a_phone_has_no_secret_that_could_be_renewed(group: Group, olga: Phone, max_: Phone) -> None:
    assert olga.post("group_renew", max_.club.pk).status == 404


def test_programs_are_shown_to_owners_only(group: Group, olga: Phone, max_: Phone) -> None:
    olga.open("group_settings").press("Make a key", label="nightly export", role="viewer")

    assert "nightly export" in olga.open("group_settings").text
    assert "nightly export" not in max_.open("group_keys").text
    assert max_.open("group_settings").status == 403
    assert not max_.open("group").offers("Group settings")


def test_a_key_of_a_program_is_taken_back_where_it_was_made(group: Group, olga: Phone) -> None:
    secret = secret_of(olga.open("group_settings").press("Make a key", label="nightly export", role="viewer"))

    page = olga.open("group_settings").press("Take the key back")

    assert page.address == olga.address_of("group_settings")
    assert "nightly export" not in page.text
    assert reads(Phone(), group, secret) == 401


# --- the group's name ---


def test_an_owner_renames_the_group(group: Group, olga: Phone) -> None:
    page = olga.open("group_settings").press("Rename", name="Fridays")

    assert page.root.one("h1").text == "Group settings Fridays"
    assert olga.open("home").offers("Fridays")


def test_a_group_keeps_its_name_rather_than_have_none(group: Group, olga: Phone) -> None:
    page = olga.open("group_settings").press("Rename", name=" ")

    assert (page.status, page.notice) == (422, "The group needs a name.")
    assert page.press("Back to the group").root.one("h1").text == "Thursday club"


# --- players ---


def test_a_member_adds_a_player_with_a_favourite_token(group: Group, max_: Phone) -> None:
    page = max_.open("players").press("Add", name="Dora", token="pink")

    assert page.offers("Dora 0 games")
    assert page.root.one("i", class_="t-pink").text == "D"


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


def test_who_sat_at_one_table_is_not_one_person(group: Group, olga: Phone) -> None:
    played(group)
    ana, ben = player(group, "Ana"), player(group, "Ben")

    page = olga.get(olga.address_of("merge_player", ana.pk), into=ben.pk).press("Merge for good")

    assert page.status == 422
    assert page.notice == "Ana and Ben sat at one table: they cannot be the same person."
    assert player(group, "Ana").merged_into is None


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
    """The tables in whose rows a name stands, in whatever column."""
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
    assert page.press("Keep it").status == 200

    home = page.press("Dissolve for good")

    assert home.address == "/"
    assert not Group.objects.exists()
    assert not Player.objects.exists()
    assert max_.get(f"/g/{table.id}/").status == max_.get(f"/g/{table.id}/sheet/").status == 200
    assert max_.get(f"/g/{other.id}/sheet/").status == 404
    assert not max_.open("home").offers("Thursday club")
    assert Game.objects.filter(group=None).count() == 2


# --- the history ---


def test_the_history_lists_finished_games_the_newest_first(group: Group, vera: Phone) -> None:
    ids = [at(played(group), EVENING + timedelta(days=day)) for day in (2, 0, 1)]
    Table(three(), group=group)

    page = vera.open("group").press("All games")

    assert listed(page) == [ids[0], ids[2], ids[1]]
    row = page.root.all("ul", class_="is-games")[0].all("li")[0]
    assert row.text.startswith("Ana won")
    assert all(text in row.text for text in ("Ana 54", "Ben 48", "Cleo 48", "21 Nov 2026", "2 rounds", "Dutch"))


ROUND_OF_FOUR = ("open 0 njet black blue 2", "team 1", "tally 4 4 4 3")


@pytest.fixture
def three_games(group: Group) -> dict[str, str]:
    """By day: the 18th with Dan, the 19th with Cleo, the 20th four players by the English rules."""
    of_four = Setup.of(preset="njet-english", names=["Dan", "Cleo", "Eve", "Finn"], options={"rounds": 1})
    return {
        "18": at(played(group, "Ana", "Ben", "Dan"), EVENING - timedelta(days=1)),
        "19": at(played(group, "Ana", "Ben", "Cleo"), EVENING),
        "20": at(Table(of_four, *ROUND_OF_FOUR, group=group), EVENING + timedelta(days=1)),
    }


NARROWED: tuple[tuple[dict[str, str], list[str]], ...] = (
    ({}, ["20", "19", "18"]),
    ({"player": "Dan"}, ["20", "18"]),
    ({"player": "Ana"}, ["19", "18"]),
    ({"preset": "goldsieber-dutch"}, ["19", "18"]),
    ({"preset": "njet-english"}, ["20"]),
    ({"preset": "njet-wikipedia"}, []),
    ({"players": "3"}, ["19", "18"]),
    ({"players": "4"}, ["20"]),
    ({"from": "2026-11-19"}, ["20", "19"]),
    ({"to": "2026-11-19"}, ["19", "18"]),
    ({"from": "2026-11-19", "to": "2026-11-19"}, ["19"]),
    ({"player": "Dan", "from": "2026-11-19", "players": "4"}, ["20"]),
    ({"player": "Dan", "preset": "goldsieber-dutch"}, ["18"]),
    ({"player": "Eve", "to": "2026-11-19"}, []),
)


@pytest.mark.parametrize("page", ["group_games", "group_statistics"])
def test_all_games_of_a_group_are_a_file_for_spreadsheets(group: Group, vera: Phone, page: str) -> None:
    game = played(group)
    (link,) = [node for node in vera.open(page).root.all("a") if node.name == "All games as a file (CSV)"]

    answer = vera.client.get(link.attrs["href"])

    assert "attachment" in answer.headers["Content-Disposition"]
    rows = list(csv.DictReader(io.StringIO(answer.content.decode())))
    assert [(row["player"], row["points"], row["won"]) for row in rows] == [
        *(("Ana", "54", "1"), ("Ben", "48", "0"), ("Cleo", "48", "0"))
    ]
    assert {(row["game"], row["rules"], row["rounds"]) for row in rows} == {(game.id, "Goldsieber 1997, Dutch", "2")}


@pytest.mark.slow
def test_the_history_is_narrowed_by_player_rules_number_and_days(
    group: Group, vera: Phone, three_games: dict[str, str], subtests: pytest.Subtests
) -> None:
    for filters, found in NARROWED:
        with subtests.test(str(filters)):
            query = {name: player(group, text).pk if name == "player" else text for name, text in filters.items()}

            page = vera.get(vera.address_of("group_games"), **query)

            assert listed(page) == [three_games[day] for day in found]
            assert ("No finished game like that." in page.text) == (not found)
            form = page.root.one("form", class_="filters")
            assert {name: text for name, text in fields_of(form).items() if text} == query
            assert ("open" in page.root.one("details").attrs) == bool(query)


def many_games(group: Group, ana: Player, count: int, *, apart: timedelta) -> None:
    """Finished games without a log, three of them at each time."""
    games = [Game(mode="table", preset="njet-english", players=3, setup={}, rules_version=1) for _ in range(count)]
    for number, game in enumerate(games):
        game.group, game.status = group, "finished"
        game.created_at = game.finished_at = EVENING + number // 3 * apart
    Game.objects.bulk_create(games)
    seats = [Seat(game=game, number=0, name="Ana", player=ana, counted_at=game.finished_at) for game in games]
    Seat.objects.bulk_create(seats)


@pytest.mark.parametrize("instants", ["different", "equal"])
@pytest.mark.parametrize("filtered", [False, True], ids=["all", "of a player"])
def test_page_by_page_every_game_comes_once_forwards_and_backwards(
    group: Group, vera: Phone, instants: str, filtered: bool
) -> None:
    ana = group_players.add_player(group_id=group.pk, name="Ana")
    # The last page is full: nothing comes after it.
    many_games(group, ana, 75, apart=timedelta(minutes=0 if instants == "equal" else 20))
    query = {"player": ana.pk} if filtered else {}

    page = vera.get(vera.address_of("group_games"), **query)
    assert not page.offers("Newer")
    forwards = [listed(page)]
    while page.offers("Older"):
        page = vera.get(page.address, **read_query(page, "next"))
        forwards.append(listed(page))
    backwards = [listed(page)]
    while page.offers("Newer"):
        page = vera.get(page.address, **read_query(page, "prev"))
        backwards.append(listed(page))

    assert [len(each) for each in forwards] == [25, 25, 25]
    assert len({game for each in forwards for game in each}) == 75
    assert backwards == forwards[::-1]


def read_query(page: Page, rel: str) -> dict[str, str]:
    """The filters and the cursor that a link to another page carries."""
    return dict(parse_qsl(page.root.one("a", rel=rel).attrs["href"].removeprefix("?")))


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ({"cursor": "nonsense"}, "a cursor from an earlier answer"),
        ({"from": "yesterday"}, "day"),
        ({"to": "2026-02-30"}, "day"),
        ({"players": "many"}, "number"),
        ({"player": "a\0b"}, "broken characters"),
    ],
)
def test_what_the_history_cannot_read_is_refused_and_the_form_still_works(
    group: Group, vera: Phone, query: dict[str, str], sentence: str
) -> None:
    played(group)

    page = vera.get(vera.address_of("group_games"), **query)

    assert page.status == 400
    assert sentence in page.notice
    assert listed(page) == []
    assert page.root.one("form", class_="filters").all("button")
    assert page.press("Back to the group").status == 200


# --- the evening ---


def test_a_pause_of_more_than_four_hours_ends_an_evening(group: Group, vera: Phone) -> None:
    ends = [
        EVENING,
        # Four hours after the end of the first: the same evening still.
        EVENING + timedelta(hours=5),
        # A minute more.
        EVENING + timedelta(hours=10, minutes=1),
    ]
    ids = [at(played(group, *names), began) for names, began in zip(CASTS, ends, strict=True)]

    pages = [vera.open("evening", game_id) for game_id in ids]

    assert [listed(page) for page in pages] == [ids[:2], ids[:2], ids[2:]]
    assert pages[0].root.one("h1").text == "The evening 19 Nov 2026 · 2 games"


CASTS = (("Ana", "Ben", "Cleo"), ("Ben", "Ana", "Cleo"), ("Ana", "Ben", "Cleo"))


def test_the_table_of_the_night_counts_wins_first_and_points_afterwards(group: Group, vera: Phone) -> None:
    at(played(group, "Ana", "Ben", "Cleo"), EVENING)
    at(played(group, "Ana", "Cleo", "Dan"), EVENING + timedelta(hours=1))
    last = at(played(group, "Ben", "Cleo", "Dan"), EVENING + timedelta(hours=2))

    page = vera.open("evening", last)

    rows = [row.text for row in page.root.one("tbody").all("tr")]
    assert rows == ["1. A Ana 2/2 108", "2. B Ben 1/2 102", "3. C Cleo 0/3 144", "4. D Dan 0/2 96"]
    assert page.press("Ana").address == f"/groups/{group.pk}/players/{player(group, 'Ana').pk}/"


def test_who_did_as_well_stands_on_the_same_place(group: Group, vera: Phone) -> None:
    last = at(played(group), EVENING)

    page = vera.open("evening", last)

    assert [row.all("td")[0].text for row in page.root.one("tbody").all("tr")] == ["1.", "2.", "2."]


def test_the_last_evening_is_one_tap_from_the_group(group: Group, vera: Phone) -> None:
    ids = [at(played(group), EVENING + timedelta(days=day)) for day in (0, 7)]

    assert listed(vera.open("group").press("The last evening")) == ids[1:]


def test_a_table_of_the_group_leads_to_the_evening_of_the_group(group: Group, max_: Phone) -> None:
    ids = [at(played(group), EVENING + timedelta(hours=2 * number)) for number in range(2)]
    table = max_.get(f"/g/{ids[0]}/enter/", sit="").press("Record here")

    response = max_.client.get(f"/g/{ids[0]}/evening/")

    assert table.offers("The evening")
    assert response.headers["Location"] == f"/groups/{group.pk}/evening/{ids[0]}/"


def test_an_unfinished_game_has_no_evening(group: Group, table: Table, ana: Phone, vera: Phone) -> None:
    running = Table(three(), group=group)

    assert vera.open("evening", running.id).status == 404
    assert vera.client.get(f"/g/{running.id}/evening/").headers["Location"] == f"/g/{running.id}/"
    assert ana.client.get(f"/g/{table.id}/evening/").headers["Location"] == f"/g/{table.id}/"


def test_outside_a_group_an_evening_shows_the_rematches_that_this_phone_has_keys_for(
    finished: Table, ana: Phone, ben: Phone
) -> None:
    chain = [finished.id]
    for _ in range(2):
        made = creation.rematch(game=Game.objects.get(pk=chain[-1]), ledger=finished.ledger, creator_label="Ana")
        for line in WON_BY_THE_FIRST:
            table = Table.__new__(Table)
            table.id, table.key = made.game.pk, made.creator
            table.record(line)
        chain.append(made.game.pk)
    session_of(ana, [Key.objects.filter(game=each).earliest("pk") for each in chain[1:]])

    of_ana, of_ben = (phone.get(f"/g/{chain[0]}/evening/") for phone in (ana, ben))
    middle = ana.get(f"/g/{chain[1]}/evening/")

    assert listed(of_ana) == listed(middle) == chain
    assert "3 games" in of_ana.root.one("h1").text
    assert listed(of_ben) == chain[:1]
    assert of_ana.press("Back to the table").status == 200


def session_of(phone: Phone, keys: list[Key]) -> None:
    """Let a phone bear more keys, without leaving its table."""
    table, key = phone.table, phone.key
    for each in keys:
        phone.sits(table, each)
    phone.table, phone.key = table, key


# --- a table comes and goes ---


def test_a_table_from_outside_is_taken_into_a_group_with_its_players_and_result(
    finished: Table, ana: Phone, group: Group
) -> None:
    ana.joins(registry.issue(group=group, role=GroupRole.MEMBER, label="Ana"))
    page = ana.open("menu").press("Put this table into a group")
    assert "Ana, Ben, Cleo" in page.text

    page = page.press("Thursday club")

    assert "This table belongs to Thursday club ." in page.text
    assert page.press("To the group").offers("Ana won")
    assert player(group, "Ana").figures["games"] == 1


def test_a_running_table_is_taken_in_and_counted_at_its_end(round_2: Table, ana: Phone, group: Group) -> None:
    ana.joins(registry.issue(group=group, role=GroupRole.MEMBER, label="Ana"))

    ana.open("adopt").press("Thursday club")

    assert ana.open("group").offers("Ana, Ben, Cleo")
    round_2.record(*WON_BY_THE_FIRST[3:])
    assert ana.open("group").offers("Ana won")


def test_an_owner_takes_a_table_out_of_the_group_again(group: Group, olga: Phone) -> None:
    table = played(group)
    olga.sits(table, table.other_key())

    page = olga.open("adopt").press("Take it out of the group")

    assert page.offers("Thursday club")
    assert listed(olga.open("group_games")) == []
    assert player(group, "Ana").figures.get("games", 0) == 0
    assert olga.open("sheet").status == 200
    assert come_in(group).get(f"/g/{table.id}/sheet/").status == 404


def test_only_an_owner_takes_a_table_out_of_the_group(group: Group, max_: Phone) -> None:
    table = played(group)
    max_.sits(table, table.other_key())

    assert not max_.open("adopt").offers("Take it out of the group")
    assert max_.post("adopt", release="1").status == 403
    assert table.game.group == group


@pytest.mark.parametrize("role", [None, GroupRole.VIEWER])
def test_a_table_is_taken_only_into_a_group_whose_member_one_is(
    finished: Table, ana: Phone, group: Group, role: GroupRole | None
) -> None:
    if role is not None:
        ana.joins(registry.issue(group=group, role=role, label="Ana"))

    page = ana.post("adopt", group=group.pk)

    assert page.status == (404 if role is None else 403)
    assert finished.game.group is None
    assert ana.open("adopt").offers("New group")
    assert "Thursday" not in ana.open("adopt").text


def test_a_table_belongs_to_one_group(group: Group, max_: Phone) -> None:
    table, fridays = played(group), new_group("Fridays")
    max_.sits(table, table.other_key())
    max_.joins(registry.issue(group=fridays, role=GroupRole.OWNER, label="Max"))

    page = max_.post_to(f"/g/{table.id}/group/", {"group": fridays.pk})

    assert (page.status, page.notice) == (409, "This game already belongs to a group.")
    assert table.game.group == group


# --- one group and another ---

FOREIGN = (
    ("evening", ["game"]),
    ("player", ["ana"]),
    ("edit_player", ["ana"]),
    ("merge_player", ["ana"]),
    ("erase_player", ["ana"]),
    ("pair", ["ana", "ben"]),
    ("pair", ["own", "ben"]),
)


@pytest.mark.parametrize(("name", "ids"), FOREIGN)
def test_no_page_of_a_group_shows_or_changes_what_is_anothers(group: Group, name: str, ids: list[str]) -> None:
    table = played(group, "Zelda", "Ben", "Cleo")
    fridays = new_group("Fridays")
    own = group_players.add_player(group_id=fridays.pk, name="Dora")
    other = group_players.add_player(group_id=fridays.pk, name="Emil")
    phone = come_in(fridays, GroupRole.OWNER)
    known = {"game": table.id, "ana": player(group, "Zelda").pk, "ben": player(group, "Ben").pk, "own": own.pk}
    address = phone.address_of(name, *(known[each] for each in ids))

    answers = [phone.client.get(address, {"into": other.pk})]
    answers.append(phone.send_to(address, {"csrfmiddlewaretoken": "c" * 32, "name": "Eve", "into": other.pk}))

    assert {response.status_code for response in answers} <= {404, 405}
    assert not any(b"Zelda" in response.content for response in answers)
    assert player(group, "Zelda").merged_into is None


def test_the_filters_of_the_history_reach_into_no_other_group(group: Group) -> None:
    played(group, "Zelda", "Ben", "Cleo")
    phone = come_in(new_group("Fridays"), GroupRole.OWNER)

    page = phone.get(phone.address_of("group_games"), player=player(group, "Zelda").pk)

    assert listed(page) == []
    assert "Zelda" not in page.html


def test_a_cursor_of_another_group_shows_nothing_of_it(group: Group, vera: Phone) -> None:
    many_games(group, group_players.add_player(group_id=group.pk, name="Ana"), 26, apart=timedelta(minutes=5))
    cursor = read_query(vera.open("group_games"), "next")["cursor"]
    other = come_in(new_group("Fridays"), GroupRole.OWNER)

    assert listed(other.get(other.address_of("group_games"), cursor=cursor)) == []

"""Groups on a phone: founded, joined, filled with players and games, looked back at, corrected, left."""

from __future__ import annotations

import hashlib

import pytest

from games.keys import invitations
from games.models import Game, Group, GroupInvite, GroupKey, GroupRole, Key, Player
from games.services import deletion, group_players, groups
from tests.builders import dutch, english
from tests.cast.groups import new_group, played, three
from tests.cast.pages import Page, Phone, come_in
from tests.cast.tables import ROUND_1, Table

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


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


@pytest.mark.parametrize(("name", "code"), [("  ", "group_name_missing"), ("x" * 61, "name_too_long")])
def test_a_group_without_a_proper_name_is_not_founded_and_what_was_typed_stays(db: None, name: str, code: str) -> None:
    page = Phone().open("group_new").press("Create group", name=name, label="Ana’s phone")

    assert page.status == 422
    assert page.code == code
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


def test_the_players_of_the_last_game_of_a_group_are_one_tap(group: Group, max_: Phone) -> None:
    last = dutch(3, tokens=["wolf", "raven", "bear"]).corrected(names=["Eva", "Fritz", "Gerd"])
    Table(last, group=group)
    Player.objects.filter(name="Fritz").update(name="Frederic", name_key="frederic")
    Table(english(4))

    page = max_.open("group").press("New table").press("Eva, Frederic and Gerd again")

    page.press("Start")
    game = Game.objects.latest("created_at")
    assert (game.group, game.preset) == (group, last.ruleset.preset)
    assert [seat.player.name for seat in game.seats.order_by("number")] == ["Eva", "Frederic", "Gerd"]
    assert [seat.token for seat in game.seats.order_by("number")] == ["wolf", "raven", "bear"]
    assert Player.objects.filter(group=group).count() == 3


def test_a_game_with_an_erased_player_is_not_played_again(group: Group, max_: Phone) -> None:
    Table(dutch(3).corrected(names=["Eva", "Fritz", "Gerd"]), group=group)
    Table(english(2), group=group)
    group_players.erase_player(group_id=group.pk, player_id=Player.objects.get(name="Ben").pk)

    page = max_.open("group").press("New table")

    assert [chip.text for chip in page.root.all("a", class_="chip")] == ["Eva, Fritz and Gerd again"]


def test_who_may_not_play_in_a_group_is_not_shown_its_players(group: Group, vera: Phone, eve: Phone) -> None:
    Table(english(3), group=group)

    for phone, status in ((vera, 403), (eve, 404)):
        page = phone.get("/new/", again="", group=group.pk)

        assert page.status == status
        assert "Cleo" not in page.text


def test_a_new_table_begins_with_the_rules_that_the_group_played_by_last(group: Group, max_: Phone) -> None:
    played(group)

    page = max_.open("group").press("New table")

    assert [each.attrs["value"] for each in page.root.all("button", aria_pressed="true")] == [
        *("goldsieber-french", "goldsieber-dutch")
    ]
    assert page.root.one("input", name="group").attrs["value"] == group.pk


def test_the_group_stays_after_every_other_button_of_the_page(group: Group, max_: Phone) -> None:
    page = max_.open("group").press("New table")
    typed = page.press("1 to 9, 1997").press("Goldsieber 1997, French")

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

    way_in = max_.get(max_.open("group").press("Ana, Ben, Cleo Round 1").response.headers["Location"])
    page = way_in.press("Record here")

    assert (way_in.address, page.address) == (f"/g/{table.id}/enter/", f"/g/{table.id}/")
    key = Key.objects.get(through=max_.group_key)
    assert (key.role, key.label, key.game_id) == ("scorekeeper", "Max’s phone", table.id)
    assert page.offers("alone")


def test_looking_on_the_way_in_of_a_table_seats_no_one(group: Group, max_: Phone) -> None:
    table = Table(three(), group=group)

    for _ in range(2):
        assert max_.get(f"/g/{table.id}/enter/").offers("Only look")

    assert not Key.objects.filter(through=max_.group_key).exists()


def test_a_viewer_of_the_group_enters_only_to_look(group: Group, vera: Phone) -> None:
    table = Table(three(), group=group)
    way_in = vera.get(f"/g/{table.id}/")
    assert way_in.status == 302

    way_in = vera.get(f"/g/{table.id}/enter/")
    assert not way_in.offers("Record here")
    forced = vera.post_to(f"/g/{table.id}/enter/", {"role": "scorekeeper"})
    page = way_in.press("Only look")

    assert (forced.status, forced.code) == (403, "forbidden")
    assert "You are watching." in page.text
    assert [key.role for key in Key.objects.filter(through=vera.group_key)] == ["viewer"]


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
    deletion.delete_group(group_id=group.pk)

    page = Phone().get(link.removeprefix("http://testserver"))

    assert page.status == 404
    assert page.code == "invite_not_valid"


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

    groups.revoke_key(group_id=group.pk, key_id=max_.group_key.pk)

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
    forced = olga.post("group_revoke", olga.group_key.pk)

    assert not alone.offers("Leave the group")
    assert olga.open("group_settings").offers("Dissolve the group")
    assert (forced.status, forced.code) == (409, "last_owner_key")
    assert olga.open("group").status == 200


# --- programs ---


def secret_of(page: Page) -> str:
    return page.root.one("code", id="secret").text


def reads(phone: Phone, group: Group, secret: str) -> int:
    """What a program with this secret is answered."""
    return phone.client.get(f"/api/v1/groups/{group.pk}/", headers={"Authorization": f"Bearer {secret}"}).status_code


def test_the_key_of_a_program_is_shown_once_and_only_its_hash_is_stored(group: Group, olga: Phone) -> None:
    page = olga.open("group_settings").press("Make a key", label="nightly export", role="viewer")

    secret = secret_of(page)
    key = GroupKey.objects.get(label="nightly export")
    assert len(secret) >= 43
    assert "shown only once" in page.text
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
    assert olga.post("group_renew", max_.group_key.pk).status == 404


def test_programs_are_shown_to_owners_only(group: Group, olga: Phone, max_: Phone) -> None:
    olga.open("group_settings").press("Make a key", label="nightly export", role="viewer")

    assert "nightly export" in olga.open("group_settings").text
    assert "nightly export" not in max_.open("group_keys").text
    assert max_.open("group_settings").status == 403
    assert not max_.open("group").offers("Group settings")


def test_a_key_of_a_program_is_taken_back_where_it_was_made(group: Group, olga: Phone) -> None:
    secret = secret_of(olga.open("group_settings").press("Make a key", label="nightly export", role="viewer"))

    page = olga.open("group_settings").press("Remove nightly export")

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

    assert (page.status, page.code) == (422, "group_name_missing")
    assert page.press("Back to the group").root.one("h1").text == "Thursday club"

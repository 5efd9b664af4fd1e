"""Opening a digital table, and finding it again: in the lists, and as a member of its group."""

from __future__ import annotations

from datetime import timedelta

import pytest

from games.errors import HostOnly
from games.keys import invitations, registry
from games.log import store
from games.models import Game, GroupRole, Key, Mode, Role
from tests.builders import dutch, english
from tests.cast.digital import DigitalTable, over
from tests.cast.groups import new_group
from tests.cast.pages import Page, Phone, come_in, sit_down
from tests.cast.seats import seats_of
from tests.cast.tables import Table
from tests.pages.digital_cast import ana as ana
from tests.pages.digital_cast import game as game

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


def names(*typed: str) -> dict[str, str]:
    """The fields of the names, from the first place on."""
    return {f"name-{place}": name for place, name in enumerate(typed)}


# --- a new table ---


def opened(page: Page, **typed: str) -> Game:
    """The game that a filled-in form opens."""
    page.phone.send_to("/new/", {**page.fields("Start"), **{n.replace("_", "-"): v for n, v in typed.items()}})
    return Game.objects.get()


def test_the_cards_are_on_the_table_unless_somebody_says_otherwise(db: None) -> None:
    page = Phone().open("new")

    assert [field.attrs["value"] for field in page.root.all("input", name="mode") if "checked" in field.attrs] == [
        "table"
    ]
    assert opened(page, **names("Ana", "Ben", "Cleo")).mode == Mode.TABLE


def test_a_digital_table_takes_one_choice_names_and_one_tap(db: None) -> None:
    phone = Phone()

    game = opened(phone.open("new"), mode="digital", **names("Ana", "Ben", "Cleo"))

    ledger = store.read(game)
    assert (game.mode, ledger.digital, ledger.bots) == (Mode.DIGITAL, True, (None, None, None))
    assert set(seats_of(phone)) == {"0"}
    assert Key.objects.get(pk=phone.client.session["keys"][game.pk]).may_record


def test_who_plays_on_a_phone_of_their_own_is_invited_first(db: None) -> None:
    page = Phone().open("new").fill_in({"mode": "digital", **names("Ana", "Ben"), "plays-2": "easy"}, press="Start")

    game = Game.objects.get()
    assert page.address == f"/g/{game.pk}/phones/"
    assert page.root.one("p", class_="duty").text == "Not here yet: Ben. Invite them, or put a bot there."
    assert page.press("To the table").address == f"/g/{game.pk}/"


def test_where_everybody_is_on_this_phone_the_table_comes_at_once(db: None) -> None:
    page = Phone().open("new").fill_in({"mode": "digital", "name-0": "Ana", "plays-1": "easy"}, press="Start")

    assert page.address == f"/g/{Game.objects.get().pk}/"


def test_bots_and_further_people_on_this_phone_are_said_for_each_place(db: None) -> None:
    phone = Phone()
    who = {"plays-0": "here", "plays-1": "strong", "plays-2": "here", "plays-3": "easy", "plays-4": "person"}

    game = opened(phone.open("new"), mode="digital", **names("Ana", "Rob", "Cleo", "Dan", "Eve"), **who)

    assert store.read(game).bots == (None, "strong", None, "easy", None)
    assert set(seats_of(phone)) == {"0", "2"}


def test_a_bot_needs_no_name(db: None) -> None:
    game = opened(Phone().open("new"), mode="digital", name_0="Ana", plays_1="easy", plays_3="strong")

    assert store.read(game).setup.names == ("Ana", "Zip", "Dot")
    assert store.read(game).bots == (None, "easy", "strong")


def test_a_seat_is_taken_away_and_what_was_typed_stays(db: None) -> None:
    typed = {"mode": "digital", "name-0": "Ana", "name-1": "Ben", "plays-2": "easy", "length": "4"}

    page = Phone().open("new").fill_in(typed, press="Take the seat of player 2 away")

    kept = page.fields("Start")
    assert [kept[name] for name in ("mode", "name-0", "name-1", "plays-1", "plays-2", "length")] == [
        *("digital", "Ana", "", "none", "easy", "4")
    ]


def test_who_is_known_takes_no_place_of_a_bot(db: None) -> None:
    phone = sit_down(Table(english(2)))

    page = phone.open("new").fill_in({"mode": "digital", "plays-0": "easy"}, press="+ Ben")

    assert [page.fields("Start")[f"name-{place}"] for place in range(2)] == ["", "Ben"]


def test_without_a_word_the_first_person_plays_on_this_phone(db: None) -> None:
    phone = Phone()

    opened(phone.open("new"), mode="digital", name_1="Ben", name_2="Cleo", plays_0="easy", plays_1="person")

    assert set(seats_of(phone)) == {"1"}


def test_what_a_physical_table_says_of_its_players_is_not_asked(db: None) -> None:
    game = opened(Phone().open("new"), mode="table", **names("Ana", "Ben"), plays_1="strong", plays_2="strong")

    assert (game.mode, store.read(game).setup.names) == (Mode.TABLE, ("Ana", "Ben"))


def test_a_digital_table_that_cannot_be_is_refused_and_nothing_typed_is_lost(db: None) -> None:
    phone = Phone()
    typed = {"mode": "digital", "name-0": "Ana", "plays-1": "strong", "name-1": "ana", "plays-2": "here"}

    page = phone.open("new").fill_in(typed, press="Start")

    assert page.status == 422
    assert page.code == "name_twice"
    assert {name: page.fields("Start")[name] for name in typed} == typed
    assert not Game.objects.exists()


def test_two_taps_open_one_digital_table_and_both_find_their_seat(db: None) -> None:
    phone = Phone()
    page = phone.open("new")
    fields = {**page.fields("Start"), "mode": "digital", **names("Ana", "Ben", "Cleo"), "plays-1": "here"}
    again = phone.before_the_answer()

    phone.send_to("/new/", fields)
    again.send_to("/new/", fields)

    assert Game.objects.count() == 1
    assert set(seats_of(phone)) == set(seats_of(again)) == {"0", "1"}


def test_a_group_is_asked_where_its_cards_were_last(db: None) -> None:
    group = new_group()
    max_ = come_in(group)

    game = opened(max_.open("new", group=group.pk), mode="digital", **names("Ana", "Ben", "Cleo"))

    assert (game.group, game.mode) == (group, Mode.DIGITAL)
    assert max_.open("new", group=group.pk).fields("Fill with easy bots")["mode"] == "digital"


def test_a_form_that_is_repeated_brings_back_no_seat_that_was_moved_to_another_phone(db: None) -> None:
    phone, other = Phone(), Phone()
    page = phone.open("new")
    fields = {**page.fields("Start"), "mode": "digital", **names("Ana", "Ben", "Cleo")}
    again = phone.before_the_answer()
    phone.send_to("/new/", fields)
    game = Game.objects.get()
    moved = invitations.invite(game=game, role=Role.SEAT, seat=0)
    other.get(f"/join/{moved.token}/").press("Sit down")
    claimed = Key.objects.get(game=game, seat=0, revoked_at=None)
    Key.objects.filter(pk=claimed.pk).update(created_at=claimed.created_at + timedelta(minutes=1))

    again.send_to("/new/", fields)

    assert Game.objects.count() == 1
    assert "seats" not in again.client.session or not seats_of(again)
    assert Key.objects.get(game=game, seat=0, revoked_at=None).pk == seats_of(other)["0"]


# --- lists and groups ---


def test_a_digital_game_is_marked_in_the_lists(game: DigitalTable, ana: Phone) -> None:
    ana.sits(Table(), Table().key)

    rows = ana.open("home").root.one("ul", class_="tables").all("li")

    assert ["on phones" in row.text for row in rows].count(True) == 1


def test_a_finished_digital_game_is_marked_in_the_history_of_its_group(db: None) -> None:
    group = new_group()
    vera = come_in(group)
    game = DigitalTable(dutch(3, rounds=1)).play_on(over)
    Game.objects.filter(pk=game.id).update(group=group)

    page = vera.open("group_games")

    assert [row.one(class_="mode-sign").text for row in page.root.one("ul", class_="is-games").all("li")] == [
        "on phones"
    ]


def test_a_member_of_the_group_sits_down_where_no_one_sits(db: None) -> None:
    group = new_group()
    max_ = come_in(group)
    game = DigitalTable(dutch(3, rounds=1))
    Game.objects.filter(pk=game.id).update(group=group)
    registry.supersede(game.game, 2)
    max_.table = game

    assert max_.open("table").response.headers["Location"] == f"/g/{game.id}/enter/"
    page = max_.open("enter")

    assert not page.offers("Record here")
    assert not page.offers("Play Ben")
    assert max_.post("enter", seat="1").status == 409
    assert max_.post("enter", seat="7").status == 404
    page.press("Play Cleo")
    assert set(seats_of(max_)) == {"2"}
    assert max_.post("enter", role="scorekeeper").status == 302
    assert not Key.objects.filter(game=game.id, role=Role.SCOREKEEPER, label=max_.group_key.label).exists()


@pytest.mark.parametrize("seat", ["0", "1", "2"])
def test_a_viewer_of_the_group_sits_down_nowhere(db: None, seat: str) -> None:
    group = new_group()
    vera = come_in(group, GroupRole.VIEWER)
    game = DigitalTable(dutch(3, rounds=1))
    Game.objects.filter(pk=game.id).update(group=group)
    Key.objects.filter(game=game.id, seat=seat).delete()
    vera.table = game

    assert not vera.open("enter").offers("Play")
    assert vera.post("enter", seat=seat).status == 403


def test_no_one_becomes_the_host_by_being_of_the_group(db: None) -> None:
    group = new_group()
    max_ = come_in(group)
    game = DigitalTable(dutch(3, rounds=1))
    Game.objects.filter(pk=game.id).update(group=group)

    with pytest.raises(HostOnly):
        invitations.enter(session=max_.client.session, key=max_.group_key, game_id=game.id, role=Role.SCOREKEEPER)
    with pytest.raises(HostOnly):
        invitations.enter(key=max_.group_key, game_id=game.id, role=Role.SCOREKEEPER)

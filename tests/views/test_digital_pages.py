"""The pages around a digital table: opening it, who sits where, joining, losing and taking back a seat, the rematch.

Ana hosts and plays on their phone, Ben on their, Cleo's seat is a bot's unless a test says otherwise; Zoe looks on, Eve
knows only the address.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta

import pytest

from games.bots import LEVELS
from games.errors import HostOnly, InviteNotValid
from games.keys import invitations, registry
from games.live.hub import hub
from games.log import store
from games.models import Game, GroupRole, Invite, Key, LogEntry, Mode, Role
from games.rules import Action, Finish, Phase, Place, Play, RowKey
from games.rules.dealing import commitment_of, hands_of
from games.rules.redaction import PlayerView
from games.rules.replay import HolderChange, HolderEntry, SeatEntry
from games.services import seating, tables
from games.texts import words
from tests.builders import dutch, english
from tests.services.clubs import new_group
from tests.services.phones import Phones, in_phase, over, rounds_finished
from tests.services.tables import Table, stored
from tests.views.addresses import ANY_GAME, views_of_a_digital_table, views_of_a_table
from tests.views.pages import Page, Phone, come_in, sit_down
from tests.views.seats import at_seats, hosting, is_there, watching

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

LINK = re.compile(r"http://testserver(/join/[^/]+/)")


@pytest.fixture(autouse=True)
def no_one_there() -> Iterator[None]:
    """Presence lives in the process: each test begins with no one there."""
    hub.presence._phones.clear()
    yield
    hub.presence._phones.clear()


@pytest.fixture
def game(db: None) -> Phones:
    """Three people, nothing done yet."""
    return Phones(dutch(3, rounds=2))


@pytest.fixture
def finished(db: None) -> Phones:
    """The same after its last round."""
    return Phones(dutch(3, rounds=1)).play_on(over)


@pytest.fixture
def ana(game: Phones) -> Phone:
    """The host, who plays too."""
    return hosting(game, 0)


@pytest.fixture
def ben(game: Phones) -> Phone:
    """A player."""
    return at_seats(game, 1)


@pytest.fixture
def zoe(game: Phones) -> Phone:
    """A spectator."""
    return watching(game)


@pytest.fixture
def eve(game: Phones) -> Phone:
    """Somebody who only knows the address."""
    phone = Phone()
    phone.table = game
    return phone


def names(*typed: str) -> dict[str, str]:
    """The fields of the names, from the first place on."""
    return {f"name-{place}": name for place, name in enumerate(typed)}


def seats_of(phone: Phone) -> dict[str, int]:
    """The seats that a browser has, by game and seat."""
    return {seat: key for seats in phone.client.session.get("seats", {}).values() for seat, key in seats.items()}


def line_of(page: Page, name: str) -> str:
    """What the page of the seats says of a player."""
    (line,) = (item for item in page.root.all("li", class_="seat") if item.one("b").text == name)
    return line.text


def invitation_to(game: Phones, seat: int) -> str:
    """The address of an invitation to a seat."""
    return f"/join/{invitations.invite(game=game.game, role=Role.SEAT, seat=seat, maker=game.host).token}/"


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
    assert page.notice == "Two players are called “ana”: give one of them another name."
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
    assert max_.open("new", group=group.pk).fields("Fill with 3 easy bots")["mode"] == "digital"


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


# --- who sits where ---


def test_everybody_sees_who_plays_each_seat(game: Phones, ben: Phone, zoe: Phone) -> None:
    game.put_bot(2, "strong")
    is_there(game, game.keys[0])

    page = ben.open("phones")

    assert line_of(page, "Ana").startswith("A Ana another phone · here")
    assert line_of(page, "Ben").startswith("B Ben this phone")
    assert line_of(page, "Cleo").startswith("C Cleo The strong bot · away")
    assert line_of(zoe.open("phones"), "Ben").startswith("B Ben another phone · here")


def test_a_seat_that_no_one_has_taken_is_spoken_of(game: Phones, ana: Phone) -> None:
    registry.supersede(game.game, 2)

    page = ana.open("phones")

    assert line_of(page, "Cleo").startswith("C Cleo nobody yet")
    assert page.root.one("p", class_="duty").text == "Not here yet: Cleo. Invite them, or put a bot there."


def test_the_host_invites_to_every_seat_by_qr_code_link_and_code(game: Phones, ana: Phone) -> None:
    page = ana.open("phones").press("Invite to this seat (Ben)")

    card = page.root.one("section", class_="card")
    assert card.one("h2").text == "Join and play Ben"
    assert card.one("svg", class_="qr").one("path").attrs["d"].startswith("M")
    assert re.fullmatch("[0-9A-Z]{4}-[0-9A-Z]{4}", card.one("p", class_="big-code").text)
    assert LINK.fullmatch(card.one("a").attrs["href"])
    invite = Invite.objects.get()
    assert (invite.role, invite.seat, invite.maker) == (Role.SEAT, 1, game.host)


def test_an_invitation_to_a_seat_is_made_again_whenever_it_is_shown(ana: Phone) -> None:
    page = ana.open("phones")

    codes = {page.press("Invite to this seat (Ben)").root.one("p", class_="big-code").text for _ in range(3)}

    assert len(codes) == 3
    assert not any(code in ana.open("phones").html for code in codes)


def test_who_sits_there_invites_another_phone_to_their_own_seat_only(game: Phones, ben: Phone) -> None:
    page = ben.open("phones")
    assert not page.offers("Invite to this seat (Ana)")

    shown = page.press("Move my seat to another phone (Ben)")

    assert shown.root.one("section", class_="card").one("h2").text == "Your seat on another phone"
    assert Invite.objects.get().maker == game.keys[1]


@pytest.mark.parametrize("seat", ["0", "2"])
def test_no_one_but_the_host_invites_to_the_seat_of_another(game: Phones, ben: Phone, seat: str) -> None:
    assert ben.post("phones", invite=seat).status == 403
    assert not Invite.objects.exists()


@pytest.mark.parametrize("seat", ["0", "1", "2"])
def test_a_spectator_invites_to_no_seat(zoe: Phone, seat: str) -> None:
    assert zoe.post("phones", invite=seat).status == 403
    assert not Invite.objects.exists()


@pytest.mark.parametrize("seat", ["3", "-1", "two", "999", "\0", "²"])
def test_there_is_no_invitation_to_a_seat_that_is_not_there(ana: Phone, seat: str) -> None:
    assert ana.post("phones", invite=seat).status in (400, 422)
    assert not Invite.objects.exists()


@pytest.mark.parametrize("role", ["scorekeeper", "seat", ""])
def test_what_names_no_seat_invites_to_watch(ana: Phone, role: str) -> None:
    ana.post("phones", role=role)

    assert Invite.objects.get().role == Role.VIEWER


def test_everybody_invites_spectators(zoe: Phone, ben: Phone) -> None:
    for phone in (zoe, ben):
        page = phone.open("phones").press("Invite a viewer")
        assert page.root.one("section", class_="card").one("h2").text == "Join as viewer"


# --- bots ---


@pytest.mark.parametrize("level", LEVELS)
def test_the_host_puts_a_bot_on_a_seat_and_gives_it_back(game: Phones, ana: Phone, level: str) -> None:
    page = ana.open("phones").press(f"Put a bot here: {level} (Ben)")

    assert game.ledger.bots == (None, level, None)
    page = page.press("Give the seat back")
    assert game.ledger.bots == (None, None, None)


def test_a_player_lets_a_bot_play_for_them_and_takes_their_seat_back(game: Phones, ben: Phone) -> None:
    page = ben.open("phones").press("Let a bot play for me: strong")
    assert game.ledger.bots[1] == "strong"
    assert line_of(page, "Ben").startswith("B Ben The strong bot, in place of this phone")

    page.press("Take my seat back")

    assert game.ledger.bots[1] is None
    assert LogEntry.objects.filter(game=game.id, kind="seat").last().actor == game.keys[1]


def test_a_player_puts_no_bot_on_a_seat_whose_player_is_there(game: Phones, ben: Phone) -> None:
    is_there(game, game.keys[2])

    assert not ben.open("phones").offers("Put a bot here: easy (Cleo)")
    assert ben.post("seat_bot", 2, level="easy").status == 403
    assert game.ledger.bots == (None, None, None)


def test_nor_while_the_host_is_there(game: Phones, ben: Phone) -> None:
    is_there(game, game.host)

    assert not ben.open("phones").offers("Put a bot here: easy (Cleo)")
    assert ben.post("seat_bot", 2, level="easy").status == 403


def test_an_absent_player_freezes_no_table_whose_host_is_away_too(game: Phones, ben: Phone) -> None:
    ben.open("phones").press("Put a bot here: easy (Cleo)")

    assert game.ledger.bots == (None, None, "easy")


def test_who_is_silent_for_half_a_minute_is_missed(game: Phones, ben: Phone, monkeypatch: pytest.MonkeyPatch) -> None:
    is_there(game, game.host)
    now = hub.clock()

    monkeypatch.setattr(hub, "clock", lambda: now + 29)
    assert ben.post("seat_bot", 2, level="easy").status == 403
    monkeypatch.setattr(hub, "clock", lambda: now + 31)
    assert ben.post("seat_bot", 2, level="easy").status == 302


def test_a_player_takes_no_bot_off_the_seat_of_another(game: Phones, ben: Phone) -> None:
    game.put_bot(2, "easy")

    assert not ben.open("phones").offers("Give the seat back")
    assert ben.post("seat_bot", 2, level="").status == 403
    assert game.ledger.bots[2] == "easy"


def test_a_spectator_puts_no_bot_anywhere(game: Phones, zoe: Phone) -> None:
    assert "bot:" not in zoe.open("phones").text
    assert [zoe.post("seat_bot", seat, level="easy").status for seat in range(3)] == [403] * 3
    assert game.ledger.bots == (None, None, None)


@pytest.mark.parametrize("level", ["hard", "EASY", "\0"])
def test_there_is_no_bot_of_another_level(ana: Phone, level: str) -> None:
    assert ana.post("seat_bot", 1, level=level).status == 400


def test_there_is_no_bot_where_no_seat_is(ana: Phone) -> None:
    assert ana.post("seat_bot", 3, level="easy").status == 422


def test_a_game_that_is_over_has_no_bots_to_put(finished: Phones) -> None:
    ana = hosting(finished, 0)

    assert "bot" not in ana.open("phones").text
    assert ana.post("seat_bot", 1, level="easy").status == 422


# --- sitting down ---


def test_an_invitation_says_which_table_and_which_seat_and_who_loses_it(game: Phones) -> None:
    newcomer = Phone()

    page = newcomer.get(invitation_to(game, 1))

    assert "The table of Ana, Ben and Cleo ." in page.text
    assert page.root.one("p", class_="seat-name").text == "B You play Ben on this phone."
    assert page.root.one("p", class_="notice").text == (
        "Another phone plays this seat now. It loses the seat when you sit down."
    )
    assert Key.objects.exclude(lost="").count() == 0


def test_a_free_seat_takes_nothing_from_anybody(game: Phones) -> None:
    registry.supersede(game.game, 1)

    page = Phone().get(invitation_to(game, 1))

    assert not page.root.all("p", class_="notice")


def test_who_sits_down_has_the_seat_under_a_new_session_at_a_clean_address(game: Phones) -> None:
    newcomer = sit_down(Table())
    before = newcomer.client.session.session_key

    page = newcomer.get(invitation_to(game, 1)).press("Sit down")

    assert page.response.redirect_chain == [(f"/g/{game.id}/", 302)]
    assert newcomer.client.session.session_key != before
    key = Key.objects.get(pk=seats_of(newcomer)["1"])
    assert (key.role, key.seat, key.label, key.revoked_at) == (Role.SEAT, 1, "Ben", None)


def test_a_seat_is_taken_with_the_typed_code_too(game: Phones) -> None:
    code = invitations.invite(game=game.game, role=Role.SEAT, seat=2, maker=game.host).code

    page = Phone().open("join").press("Next", code=code)
    assert "You play Cleo on this phone." in page.text
    page = page.press("Sit down")

    assert page.address == f"/g/{game.id}/"
    assert set(seats_of(page.phone)) == {"2"}


def test_a_bot_stands_up_for_anyone_who_sits_down(game: Phones) -> None:
    game.put_bot(1, "easy")
    page = Phone().get(invitation_to(game, 1))
    assert "The easy bot has played here so far. It leaves the seat to you." in page.text

    page.press("Sit down")

    assert game.ledger.bots == (None, None, None)
    assert game.ledger.entries[-2:] == (
        SeatEntry(game.game.version - 1, 1, None),
        HolderEntry(game.game.version, 1, HolderChange.CLAIMED),
    )


def test_an_invitation_of_a_phone_that_lost_its_seat_opens_nothing(game: Phones, ben: Phone, ana: Phone) -> None:
    shown = ben.open("phones").press("Move my seat to another phone (Ben)")
    link = LINK.search(shown.html)
    assert link is not None

    ana.open("phones").press("Take the seat away from that phone (Ben)")

    assert Phone().get(link[1]).status == 404


# --- losing a seat ---


def test_the_phone_that_lost_its_seat_is_shown_and_takes_it_back(game: Phones, ben: Phone) -> None:
    other = Phone()
    other.get(invitation_to(game, 1)).press("Sit down")

    for name in ("table", "phones", "menu", "sheet", "history", "placements", "replay"):
        page = ben.open(name)
        assert page.status == 403
        assert page.notice == "Another phone plays for Ben now."
        assert not page.root.all(has="data-card")
    page = page.press("Play Ben on this phone again")

    assert (page.status, page.address) == (200, f"/g/{game.id}/")
    other.table = game
    assert other.open("table").notice == "Another phone plays for Ben now."


def test_a_seat_goes_to_and_fro_as_often_as_somebody_wants(game: Phones, ben: Phone) -> None:
    other = Phone()
    other.get(invitation_to(game, 1)).press("Sit down")
    other.table = game

    for phone in (ben, other, ben, other):
        assert phone.open("table").status == 403
        assert phone.post("seat_again", 1).status == 302
        assert phone.open("table").status == 200

    assert Key.objects.filter(game=game.id, seat=1, revoked_at=None).count() == 1


def test_a_host_who_moves_their_seat_keeps_the_table_and_is_shown_among_the_seats(game: Phones, ana: Phone) -> None:
    shown = ana.open("phones").press("Move my seat to another phone (Ana)")
    link = LINK.search(shown.html)
    assert link is not None
    Phone().get(link[1]).press("Sit down")

    page = ana.open("phones")

    assert page.notice == "Your seat (Ana) was taken on another phone. Take it back to this phone"
    page.press("Take it back to this phone")
    assert line_of(ana.open("phones"), "Ana").startswith("A Ana this phone")


def deleted_meanwhile(game: Phones, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """The game is deleted just before this is done."""
    do = getattr(seating, name)

    def too_late(**given: object) -> object:
        tables.delete_game(game_id=game.id)
        return do(**given)

    monkeypatch.setattr(seating, name, too_late)


def test_who_sits_down_while_the_game_is_deleted_finds_no_table(game: Phones, monkeypatch: pytest.MonkeyPatch) -> None:
    page = Phone().get(invitation_to(game, 1))
    deleted_meanwhile(game, monkeypatch, "sit_down")

    assert page.press("Sit down").status == 404


def test_who_joins_while_the_game_is_deleted_is_refused_in_words(game: Phones, monkeypatch: pytest.MonkeyPatch) -> None:
    page = Phone().get(f"/join/{invitations.invite(game=game.game, role=Role.VIEWER).token}/")
    monkeypatch.setattr(invitations, "join", lambda **_given: (_ for _ in ()).throw(InviteNotValid()))

    answer = page.phone.post_to(page.address, {"sit": "1"})

    assert answer.status == InviteNotValid.status
    assert answer.notice


def test_who_takes_a_seat_back_while_the_game_is_deleted_finds_no_table(
    game: Phones, ben: Phone, monkeypatch: pytest.MonkeyPatch
) -> None:
    Phone().get(invitation_to(game, 1)).press("Sit down")
    deleted_meanwhile(game, monkeypatch, "sit_again")

    assert ben.post("seat_again", 1).status == 404


def test_who_sits_down_for_a_bot_after_the_end_sees_the_table(game: Phones) -> None:
    game.put_bot(1, "easy")
    page = Phone().get(invitation_to(game, 1))
    version = game.play_on(over).game.version

    assert page.press("Sit down").address == f"/g/{game.id}/"
    assert game.ledger.entries[version:] == (HolderEntry(version + 1, 1, HolderChange.CLAIMED),)


def test_a_phone_that_never_bore_the_seat_takes_nothing_back(
    game: Phones, ana: Phone, ben: Phone, zoe: Phone, eve: Phone
) -> None:
    Phone().get(invitation_to(game, 1)).press("Sit down")

    assert [phone.post("seat_again", 1).status for phone in (ana, zoe, eve)] == [404] * 3
    assert [ben.post("seat_again", seat).status for seat in (0, 2, 99)] == [404] * 3


def test_a_seat_that_the_host_took_away_is_not_taken_back(game: Phones, ana: Phone, ben: Phone) -> None:
    other = Phone()
    other.get(invitation_to(game, 1)).press("Sit down")
    other.table = game

    ana.open("phones").press("Take the seat away from that phone (Ben)")

    for phone in (ben, other):
        page = phone.open("table")
        assert (page.status, page.notice) == (403, "The host took the seat of Ben from this phone.")
        assert phone.post("seat_again", 1).status == 404


def test_the_host_takes_a_seat_away_and_invites_again(game: Phones, ana: Phone, ben: Phone) -> None:
    page = ana.post("seat_free", 1)

    assert page.status == 302
    assert line_of(ana.open("phones"), "Ben").startswith("B Ben nobody yet")
    page = ben.get(invitation_to(game, 1)).press("Sit down")
    assert page.address == f"/g/{game.id}/"


def test_no_one_but_the_host_takes_a_seat_away(game: Phones, ben: Phone, zoe: Phone) -> None:
    assert [phone.post("seat_free", 2).status for phone in (ben, zoe)] == [403, 403]
    assert not Key.objects.exclude(revoked_at=None).exists()


def test_ones_own_seat_is_not_taken_away_by_mistake(game: Phones, ana: Phone) -> None:
    ana.post("seat_free", 0)

    assert Key.objects.filter(game=game.id, seat=0, revoked_at=None).exists()


def test_the_phone_that_has_the_key_of_a_program_hears_nothing_of_it(game: Phones) -> None:
    key = registry.issue(game=game.game, role=Role.SEAT, seat=1, program=True)

    assert registry.key_of_secret(key.secret) == key
    assert registry.is_taken(game.game, 1)


# --- strangers and other methods ---

OF_PHONES = {view.name: view for view in views_of_a_digital_table() if view.changes}


@pytest.mark.parametrize("name", OF_PHONES)
def test_for_a_stranger_there_is_no_table(game: Phones, eve: Phone, name: str) -> None:
    found = [eve.post_to(OF_PHONES[name].of(game_id), {}) for game_id in (game.id, ANY_GAME)]

    assert [page.status for page in found] == [404, 404]
    assert found[0].html == found[1].html


@pytest.mark.parametrize("name", OF_PHONES)
def test_looking_changes_nothing(game: Phones, ana: Phone, name: str) -> None:
    # The speed may be asked for.
    reads, before = {"speed"} & {name}, stored(game.id)
    assert OF_PHONES[name].methods == ({"GET", "POST"} if reads else {"POST"})
    assert ana.client.get(OF_PHONES[name].of(game.id)).status_code == (302 if reads else 405)
    assert stored(game.id) == before


@pytest.mark.parametrize("name", OF_PHONES)
def test_a_spectator_changes_nothing(game: Phones, finished: Phones, zoe: Phone, name: str) -> None:
    fields = {"level": "easy", "kind": "takeback", "about": "1", "agrees": "1", "version": "1"}
    before = game.game.version

    if name == "follow":
        hosting(finished, 0).open("menu").press("Rematch")
        page = watching(finished).post_to(OF_PHONES[name].of(finished.id), fields)
    else:
        page = zoe.post_to(OF_PHONES[name].of(game.id), fields)

    # A spectator is shown the changes of the seats' holders too, and acknowledges them.
    assert page.status == {"seat_again": 404, "seen": 302}.get(name, 403)
    assert game.game.version == before


@pytest.mark.parametrize("name", OF_PHONES)
def test_a_physical_table_has_no_seats_of_this_kind(db: None, name: str) -> None:
    table = Table()

    page = sit_down(table).post_to(OF_PHONES[name].of(table.id), {"kind": "takeback", "about": "1", "level": "easy"})

    assert page.status == (403 if name in ("ask", "answer", "take_back_seat", "hint") else 404)
    assert table.version == 0


# --- the menu ---


def test_the_menu_has_nothing_that_belongs_to_physical_tables(game: Phones, ana: Phone, ben: Phone) -> None:
    game.play_on(rounds_finished(1))

    for phone in (ana, ben):
        links = [link.attrs["href"] for link in phone.open("menu").root.all("a")]
        for part in ("quick", "setup", "penalty", "void", "reopen", "lock", "undo", "correct"):
            assert not any(f"/{part}/" in link for link in links)
    assert ben.open("menu").offers("Finish early")
    assert not ben.open("menu").offers("Delete this game")
    assert ana.open("menu").offers("Delete this game")


@pytest.mark.parametrize(
    ("name", "arguments"),
    [("quick", ()), ("setup", ()), ("penalty", ()), ("void", ()), ("correct", (1,)), ("undo_to", (1,))],
)
def test_what_belongs_to_physical_tables_is_refused_in_words(
    game: Phones, ana: Phone, name: str, arguments: tuple[int, ...]
) -> None:
    before = game.game.version

    page = ana.open(name, *arguments)

    assert page.status == 422
    assert page.notice == "A digital game is not corrected: the app has seen every card."
    assert ana.client.post(page.address, {"csrfmiddlewaretoken": "c" * 32}).status_code in (405, 422)
    assert game.game.version == before


def test_finishing_early_is_put_to_everybody(game: Phones, ana: Phone, ben: Phone) -> None:
    game.play_on(rounds_finished(1))

    page = ben.open("menu").press("Finish early")
    assert "Round 2 is lost." in page.text
    winners = game.state.apply(Finish()).winners
    assert all(game.state.setup.names[seat] in page.root.one("p", class_="lead").text for seat in winners)
    assert "This is final." in page.text
    assert "The others are asked." in page.text
    page.press("Propose it to all")

    (asked,) = game.ledger.counting.proposals
    assert (asked.seat, game.state.current is None) == (1, False)
    game.answer(0)
    game.answer(2)
    assert game.state.current is None


def test_before_the_first_round_is_complete_there_is_nothing_to_finish(ben: Phone) -> None:
    assert not ben.open("menu").offers("Finish early")
    page = ben.open("finish").press("Propose it to all")

    assert page.status == 422


def test_who_does_not_play_ends_no_game(game: Phones, zoe: Phone) -> None:
    game.play_on(rounds_finished(1))
    host = hosting(game)

    for phone in (zoe, host):
        assert not phone.open("menu").offers("Finish early")
        assert phone.open("finish").status == 403
        assert phone.post("finish").status == 403
    assert not game.ledger.counting.proposals


def test_a_digital_game_that_is_over_is_final(finished: Phones) -> None:
    ana = hosting(finished, 0)

    page = ana.open("reopen")

    assert page.status == 409
    assert page.notice == "The game is over and the cards are shown: nothing can be taken back any more."
    assert ana.post("reopen").status == 409


def test_the_sheet_of_a_digital_game_offers_no_corrections(finished: Phones) -> None:
    links = [link.attrs["href"] for link in hosting(finished, 0).open("sheet").root.all("a")]

    assert not any("/correct/" in link or "/setup/" in link for link in links)


def test_a_digital_result_is_confirmed_with_one_tap(finished: Phones) -> None:
    ana = hosting(finished, 0)

    ana.open("lock").press("Lock the sheet")

    assert finished.ledger.locked


# --- the history ---


def listed(page: Page) -> list[str]:
    """The entries of the history, the latest first."""
    return [entry.one("p").text for entry in page.root.all("article")]


def test_the_history_tells_a_digital_game_in_words(game: Phones, ben: Phone) -> None:
    game.put_bot(2, "strong")
    game.put_bot(2, None)

    lines = listed(ben.open("history"))

    assert lines == [
        "3. The bot no longer plays for Cleo",
        "2. Cleo is played by the strong bot",
        "1. Dealt: 12 cards each",
    ]
    assert not ben.open("history").root.all("article", class_="is-gone")
    assert "Correct" not in ben.open("history").text


def everybody_discards_two(view: PlayerView) -> Action:
    """Leaves “discard 2” open, then takes whatever comes first."""
    return next(action for action in view.legal if action != Place(RowKey.DISCARD, "discard_2"))


def test_the_history_names_the_cards_of_its_reader_and_of_no_other_player(db: None) -> None:
    game = Phones(english(3)).play_on(in_phase(Phase.TRICKS), everybody_discards_two)
    cards = {seat: words.cards_named(game.view(seat).discarded) for seat in range(3)}

    lines = {seat: listed(at_seats(game, seat).open("history"))[:3] for seat in range(3)}

    for seat, seen in lines.items():
        assert seen == [
            f"{game.game.version - place}. {name} discarded {cards[own] if own == seat else '2 cards'}"
            for place, (own, name) in enumerate([(2, "Cleo"), (1, "Ben"), (0, "Ana")])
        ]
    assert " discarded 2 cards" in listed(watching(game).open("history"))[0]


def test_the_history_says_who_played_what_was_taken_back(db: None) -> None:
    game = Phones(dutch(3, rounds=2)).play_on(in_phase(Phase.TRICKS))
    seat = game.state.acting_seats[0]
    name = ("Ana", "Ben", "Cleo")[seat]
    game.step()
    card = words.card_name(game.state.current.table[0])
    game.propose(seat, "takeback")
    game.answer((seat + 1) % 3)
    game.answer((seat + 2) % 3)

    lines = [line.split(". ", 1)[1] for line in listed(watching(game).open("history"))]

    assert lines[0] == f"Taken back: {name} played {card}"
    assert lines[3] == f"{name} asks to take back: {name} played {card}"
    assert lines[4] == f"{name} played {card}"
    assert not any("Somebody" in line for line in lines)


def test_the_seeds_are_shown_when_the_game_is_over(finished: Phones) -> None:
    page = watching(finished).open("history")

    seed, commitment = [code.text for code in page.root.one("small", class_="seal").all("code")]
    deal = next(step.action for step in finished.ledger.replay.applied)
    assert commitment_of(seed, game_id=finished.id, round_number=1) == commitment
    assert hands_of(finished.state.ruleset, seed) == deal.hands


def test_while_it_is_played_only_the_seal_is_shown(game: Phones, ana: Phone) -> None:
    deal = game.ledger.entries[0].action

    for name in ("history", "replay"):
        html = ana.open(name).html
        assert deal.commitment in html
        assert deal.seed not in html


# --- the replay ---


def test_the_replay_of_a_finished_game_shows_every_hand_at_every_step(finished: Phones) -> None:
    zoe = watching(finished)

    page = zoe.open("replay_step", 1)

    hands = page.root.all("section", class_="hand")
    assert [hand.one(class_="name").text for hand in hands] == ["Ana", "Ben", "Cleo"]
    dealt = [[card.attrs["data-card"] for card in hand.all("b") if "data-card" in card.attrs] for hand in hands]
    hands_dealt = finished.ledger.entries[0].action.hands
    assert [sorted(cards) for cards in dealt] == [sorted(map(str, hand)) for hand in hands_dealt]


def test_the_replay_of_a_running_game_shows_public_steps_only(game: Phones, ana: Phone, zoe: Phone) -> None:
    game.play_on(lambda state: state.current is not None and len(state.current.tricks) == 2)
    steps = len(game.ledger.replay.applied)

    for phone in (ana, zoe):
        played: set[str] = set()
        for step, each in enumerate(game.ledger.replay.applied, start=1):
            page = phone.open("replay_step", step)
            assert not page.root.all("section", class_="hand")
            played |= {str(each.action.card)} if isinstance(each.action, Play) else set()
            assert {face.attrs["data-card"] for face in page.root.all("span", class_="face")} <= played
    assert steps > 20


def test_a_trick_is_one_tap_away(finished: Phones) -> None:
    ben = at_seats(finished, 1)

    page = ben.open("replay").press("Trick 2")

    assert page.root.one("section", class_="felt").one("h2").text == "Trick 2"
    before = page.press("Back")
    assert before.root.one("section", class_="felt").one("h2").text == "Trick 1"
    assert " wins" in before.root.one("p", class_="why").text
    assert page.press("Trick or round before").root.one("section", class_="felt").one("h2").text == "Trick 1"
    assert [link.name for link in page.root.all("a", aria_current="true")] == ["All", "Round 1", "Trick 2"]


# --- the rematch ---


def test_anyone_who_sat_at_the_table_follows_into_the_rematch_with_one_tap(finished: Phones) -> None:
    ana, ben, zoe = hosting(finished, 0), at_seats(finished, 1), watching(finished)
    assert not ben.open("menu").offers("Follow into the rematch")
    ana.open("menu").press("Rematch")
    rematch = Game.objects.get(rematch_of=finished.id)

    page = ben.open("menu").press("Follow into the rematch")

    assert page.address == f"/g/{rematch.pk}/"
    keys = Key.objects.filter(game=rematch, role=Role.SEAT, revoked_at=None)
    assert sorted(keys.values_list("seat", flat=True)) == [0, 1]
    assert keys.get(seat=1).label == "Ben"
    assert ben.open("menu").offers("To the rematch")
    assert not zoe.open("menu").offers("Follow into the rematch")


def test_two_taps_follow_once(finished: Phones) -> None:
    hosting(finished, 0).open("menu").press("Rematch")
    ben = at_seats(finished, 1)

    for _ in range(2):
        assert ben.post("follow").status == 302

    assert Key.objects.filter(game__rematch_of=finished.id, seat=1).count() == 1


def test_a_seat_that_somebody_took_in_the_rematch_is_not_taken_by_following(finished: Phones) -> None:
    hosting(finished, 0).open("menu").press("Rematch")
    rematch = Game.objects.get(rematch_of=finished.id)
    registry.issue(role=Role.SEAT, game=rematch, seat=1, label="Dan")
    ben = at_seats(finished, 1)

    assert not ben.open("menu").offers("Follow into the rematch")
    page = ben.post("follow")

    assert (page.status, page.notice) == (
        409,
        "Somebody sits there already. The host of the table can invite you to the seat.",
    )


def test_who_has_no_seat_and_who_has_no_rematch_cannot_follow(finished: Phones, game: Phones, ben: Phone) -> None:
    assert ben.post("follow").status == 409
    assert at_seats(finished, 1).post("follow").status == 404
    hosting(finished, 0).open("menu").press("Rematch")
    assert watching(finished).post("follow").status == 403


def test_the_same_deals_are_played_again(finished: Phones) -> None:
    ana = hosting(finished, 0, 2)

    ana.open("menu").press("The same deals again")

    again = store.read(Game.objects.get(rematch_of=finished.id))
    assert again.entries[0].action.hands == finished.ledger.entries[0].action.hands
    assert again.setup == replace(finished.ledger.setup)
    assert set(ana.client.session["seats"][again.game_id]) == {"0", "2"}
    assert 'id="same-deals"' in ana.client.get(f"/g/{again.game_id}/phones/").content.decode()
    assert 'id="same-deals"' not in ana.client.get(f"/g/{finished.id}/phones/").content.decode()


# --- lists and groups ---


def test_a_digital_game_is_marked_in_the_lists(game: Phones, ana: Phone) -> None:
    ana.sits(Table(), Table().key)

    rows = ana.open("home").root.one("ul", class_="tables").all("li")

    assert ["on phones" in row.text for row in rows].count(True) == 1


def test_a_finished_digital_game_is_marked_in_the_history_of_its_group(db: None) -> None:
    group = new_group()
    vera = come_in(group)
    game = Phones(dutch(3, rounds=1)).play_on(over)
    Game.objects.filter(pk=game.id).update(group=group)

    page = vera.open("group_games")

    assert [row.one(class_="mode-sign").text for row in page.root.one("ul", class_="is-games").all("li")] == [
        "on phones"
    ]


def test_a_member_of_the_group_sits_down_where_no_one_sits(db: None) -> None:
    group = new_group()
    max_ = come_in(group)
    game = Phones(dutch(3, rounds=1))
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
    assert not Key.objects.filter(game=game.id, role=Role.SCOREKEEPER, label=max_.club.label).exists()


# --- every page, in every phase ---

POSITIONS = {
    "placing": lambda state: True,
    "teams": in_phase(Phase.TEAMS),
    "discarding": in_phase(Phase.DISCARDING),
    "tricks": lambda state: state.current is not None and len(state.current.tricks) == 1,
    "round 2": rounds_finished(1),
    "over": over,
}


@pytest.mark.parametrize("timing", ["after_teams", pytest.param("before_teams", marks=pytest.mark.slow)])
@pytest.mark.parametrize(
    "when", [pytest.param(each, marks=pytest.mark.slow if each in ("round 2", "over") else ()) for each in POSITIONS]
)
def test_every_page_opens_in_every_phase_for_everybody(when: str, timing: str, db: None) -> None:
    setup = english(3, rounds=2, discard_timing=timing)
    game = Phones(setup).play_on(POSITIONS[when], everybody_discards_two)
    pages = [view for view in views_of_a_table() if "GET" in view.methods]

    for phone in (hosting(game, 0), at_seats(game, 1, 2), watching(game)):
        for view in pages:
            response = phone.client.get(view.of(game.id, step=7))
            assert response.status_code in (200, 302, 403, 404, 409, 422), view.name


def test_the_big_board_says_whose_card_is_awaited(db: None) -> None:
    game = Phones(english(3, rounds=2)).play_on(in_phase(Phase.DISCARDING), everybody_discards_two)
    screen = watching(game)

    def headline() -> str:
        return screen.open("screen").root.one("section", class_="headline").text

    assert headline() == "A B C Ana, Ben and Cleo still have to discard"
    game.step()
    assert headline() == "B C Ben and Cleo still have to discard"
    game.play_on(in_phase(Phase.TRICKS))
    leader, *_ = game.state.acting_seats
    assert headline().endswith("leads first")
    game.step()
    name = ("Ana", "Ben", "Cleo")[(leader + 1) % 3]
    assert headline() == f"{name[0]} {name} plays to trick 1"


@pytest.mark.parametrize("seat", ["0", "1", "2"])
def test_a_viewer_of_the_group_sits_down_nowhere(db: None, seat: str) -> None:
    group = new_group()
    vera = come_in(group, GroupRole.VIEWER)
    game = Phones(dutch(3, rounds=1))
    Game.objects.filter(pk=game.id).update(group=group)
    Key.objects.filter(game=game.id, seat=seat).delete()
    vera.table = game

    assert not vera.open("enter").offers("Play")
    assert vera.post("enter", seat=seat).status == 403


def test_no_one_becomes_the_host_by_being_of_the_group(db: None) -> None:
    group = new_group()
    max_ = come_in(group)
    game = Phones(dutch(3, rounds=1))
    Game.objects.filter(pk=game.id).update(group=group)

    with pytest.raises(HostOnly):
        invitations.enter(session=max_.client.session, key=max_.club, game_id=game.id, role=Role.SCOREKEEPER)
    with pytest.raises(HostOnly):
        invitations.enter(key=max_.club, game_id=game.id, role=Role.SCOREKEEPER)

"""The page of the seats of a digital table: invitations, bots, sitting down, losing and taking back a seat."""

from __future__ import annotations

import json
import re

import pytest

from games.bots import LEVELS
from games.errors import InviteNotValid
from games.keys import invitations, registry
from games.live.hub import hub
from games.models import Invite, Key, LogEntry, Role
from games.rules.replay import HolderChange, HolderEntry
from games.services import deletion, seating
from tests.cast.digital import DigitalTable, over
from tests.cast.pages import Page, Phone, sit_down
from tests.cast.seats import hosting, is_there, seats_of, watching
from tests.cast.tables import Table
from tests.pages.digital_cast import ana as ana
from tests.pages.digital_cast import ben as ben
from tests.pages.digital_cast import eve as eve
from tests.pages.digital_cast import finished as finished
from tests.pages.digital_cast import game as game
from tests.pages.digital_cast import zoe as zoe

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

LINK = re.compile(r"http://testserver(/join/[^/]+/)")


def line_of(page: Page, name: str) -> str:
    """What the page of the seats says of a player."""
    (line,) = (item for item in page.root.all("li", class_="seat") if item.one("b").text == name)
    return line.text


def invitation_to(game: DigitalTable, seat: int) -> str:
    """The address of an invitation to a seat."""
    return f"/join/{invitations.invite(game=game.game, role=Role.SEAT, seat=seat, maker=game.host).token}/"


# --- who sits where ---


def test_everybody_sees_who_plays_each_seat(game: DigitalTable, ben: Phone, zoe: Phone) -> None:
    game.put_bot(2, "strong")
    is_there(game, game.keys[0])

    page = ben.open("phones")

    assert line_of(page, "Ana").startswith("A Ana another phone · here")
    assert line_of(page, "Ben").startswith("B Ben this phone")
    assert line_of(page, "Cleo").startswith("C Cleo The strong bot, in place of another phone · away")
    assert line_of(zoe.open("phones"), "Ben").startswith("B Ben another phone · here")


def test_a_seat_that_no_one_has_taken_is_spoken_of(game: DigitalTable, ana: Phone) -> None:
    registry.supersede(game.game, 2)

    page = ana.open("phones")

    assert line_of(page, "Cleo").startswith("C Cleo nobody yet")
    assert page.root.one("p", class_="duty").text == "Not here yet: Cleo. Invite them, or put a bot there."


def test_only_who_may_fill_a_seat_is_asked_to_do_so(game: DigitalTable, ben: Phone) -> None:
    registry.supersede(game.game, 2)
    is_there(game, game.host)

    page = ben.open("phones")

    assert "The host can" in page.root.one("p", class_="duty").text
    assert not [button for button in page.root.all("button") if "Cleo" in button.text]


def test_the_host_invites_to_every_seat_by_qr_code_link_and_code(game: DigitalTable, ana: Phone) -> None:
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


def test_who_sits_there_invites_another_phone_to_their_own_seat_only(game: DigitalTable, ben: Phone) -> None:
    page = ben.open("phones")
    assert not page.offers("Invite to this seat (Ana)")

    shown = page.press("Move my seat to another phone (Ben)")

    assert shown.root.one("section", class_="card").one("h2").text == "Your seat on another phone"
    assert Invite.objects.get().maker == game.keys[1]


def test_no_one_but_the_host_invites_to_the_seat_of_another(game: DigitalTable, ben: Phone, zoe: Phone) -> None:
    for phone, seats in ((ben, "02"), (zoe, "012")):
        assert [phone.post("phones", invite=seat).status for seat in seats] == [403] * len(seats)
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
def test_the_host_puts_a_bot_on_a_seat_and_gives_it_back(game: DigitalTable, ana: Phone, level: str) -> None:
    is_there(game, game.keys[1])
    page = ana.open("phones").press(f"Put a bot here: {level} (Ben)")

    assert game.ledger.bots == (None, level, None)
    page = page.press("Give the seat back")
    assert game.ledger.bots == (None, None, None)


@pytest.mark.parametrize(("form", "fields"), [("seat_bot", {"level": "easy"}), ("seat_free", {})])
def test_the_page_comes_back_at_the_seat_that_has_changed(
    game: DigitalTable, ana: Phone, form: str, fields: dict[str, str]
) -> None:
    address, _hash, place = ana.post(form, 1, **fields).response["Location"].partition("#")

    assert address == ana.address_of("phones")
    assert ana.open("phones").root.one("li", id=place).one("b").text == "Ben"


def test_a_free_seat_is_filled_with_a_bot_by_one_tap(game: DigitalTable, ana: Phone) -> None:
    game.put_bot(2, "strong")
    registry.free_seat(game.game, 1)
    page = ana.open("phones")
    (button,) = [each for each in page.root.all("button", name="level") if each.text.startswith("Put a bot here (")]
    assert button.around("details") is None
    assert not page.offers("Put a bot here: easy (Ben)")

    page.press("Put a bot here (Ben)")

    assert game.ledger.bots == (None, "strong", "strong")
    assert not watching(game).open("phones").offers("Put a bot here (Ben)")


@pytest.mark.parametrize("is_away", [True, False])
def test_a_bot_comes_by_one_tap_where_the_phone_of_a_seat_is_away(
    game: DigitalTable, ana: Phone, *, is_away: bool
) -> None:
    game.move(1)
    if not is_away:
        is_there(game, game.keys[1])

    page = ana.open("phones")

    (line,) = (item for item in page.root.all("li", class_="seat") if item.one("b").text == "Ben")
    by_one_tap = [each for each in line.all("button", name="level") if each.around("details") is None]
    assert [each.attrs["value"] for each in by_one_tap] == (["easy"] if is_away else [])
    assert page.offers("Put a bot here: easy (Ben)") is not is_away
    assert page.offers("Put a bot here: strong (Ben)")
    assert "Put a bot here" not in line_of(watching(game).open("phones"), "Ben")


@pytest.mark.parametrize("who", ["host", "viewer"])
def test_the_seat_of_a_bot_invites_the_next_friend(game: DigitalTable, who: str) -> None:
    registry.free_seat(game.game, 1)
    game.put_bot(1, "easy")

    page = (hosting(game, 0) if who == "host" else watching(game)).open("phones")

    assert "in place of" not in line_of(page, "Ben")
    shown = [each for each in page.root.all("button", name="invite") if each.attrs["value"] == "1"]
    assert [each.around("details") for each in shown] == ([None] if who == "host" else [])


def test_a_player_lets_a_bot_play_for_them_and_takes_their_seat_back(game: DigitalTable, ben: Phone) -> None:
    page = ben.open("phones").press("Let a bot play for me: strong")
    assert game.ledger.bots[1] == "strong"
    assert line_of(page, "Ben").startswith("B Ben The strong bot, in place of this phone")

    page.press("Take my seat back")

    assert game.ledger.bots[1] is None
    assert LogEntry.objects.filter(game=game.id, kind="seat").last().actor == game.keys[1]


def test_a_player_puts_no_bot_on_a_seat_whose_player_is_there(game: DigitalTable, ben: Phone) -> None:
    is_there(game, game.keys[2])

    assert "Put a bot here" not in line_of(ben.open("phones"), "Cleo")
    assert ben.post("seat_bot", 2, level="easy").status == 403
    assert game.ledger.bots == (None, None, None)


def test_nor_while_the_host_is_there(game: DigitalTable, ben: Phone) -> None:
    is_there(game, game.host)

    assert "Put a bot here" not in line_of(ben.open("phones"), "Cleo")
    assert ben.post("seat_bot", 2, level="easy").status == 403


def test_an_absent_player_freezes_no_table_whose_host_is_away_too(game: DigitalTable, ben: Phone) -> None:
    ben.open("phones").press("Put a bot here (Cleo)")

    assert game.ledger.bots == (None, None, "easy")


@pytest.mark.parametrize(("seconds", "is_away"), [(9, False), (11, True)])
def test_the_host_puts_a_bot_where_the_table_says_that_the_phone_is_away(
    game: DigitalTable, ana: Phone, monkeypatch: pytest.MonkeyPatch, seconds: int, *, is_away: bool
) -> None:
    game.move(1)
    is_there(game, game.keys[1])
    now = hub.clock()
    monkeypatch.setattr(hub, "clock", lambda: now + seconds)

    shown = {phone["key"]: phone["away"] for phone in json.loads(hub.presence_json(game.id))}
    assert ("· away" in line_of(ana.open("phones"), "Ben")) is shown[game.keys[1].pk] is is_away


def test_who_is_silent_for_half_a_minute_is_missed(
    game: DigitalTable, ben: Phone, monkeypatch: pytest.MonkeyPatch
) -> None:
    is_there(game, game.host)
    now = hub.clock()

    monkeypatch.setattr(hub, "clock", lambda: now + 29)
    assert ben.post("seat_bot", 2, level="easy").status == 403
    monkeypatch.setattr(hub, "clock", lambda: now + 31)
    assert ben.post("seat_bot", 2, level="easy").status == 302


def test_a_player_takes_no_bot_off_the_seat_of_another(game: DigitalTable, ben: Phone) -> None:
    game.put_bot(2, "easy")

    assert not ben.open("phones").offers("Give the seat back")
    assert ben.post("seat_bot", 2, level="").status == 403
    assert game.ledger.bots[2] == "easy"


@pytest.mark.parametrize("level", ["hard", "EASY", "\0"])
def test_there_is_no_bot_of_another_level(ana: Phone, level: str) -> None:
    assert ana.post("seat_bot", 1, level=level).status == 400


def test_there_is_no_bot_where_no_seat_is(ana: Phone) -> None:
    assert ana.post("seat_bot", 3, level="easy").status == 422


def test_a_game_that_is_over_has_no_bots_to_put(finished: DigitalTable) -> None:
    ana = hosting(finished, 0)

    assert "bot" not in ana.open("phones").text
    assert ana.post("seat_bot", 1, level="easy").status == 422


# --- sitting down ---


def test_an_invitation_to_watch_says_that_no_hand_is_seen_until_the_game_is_over(game: DigitalTable) -> None:
    link = f"/join/{invitations.invite(game=game.game, role=Role.VIEWER).token}/"
    assert "You join as a viewer: you see the table but no hand, and change nothing." in Phone().get(link).text

    game.play_on(over)

    assert "You join as a viewer: you see everything and change nothing." in Phone().get(link).text


def test_an_invitation_says_which_table_and_which_seat_and_who_loses_it(game: DigitalTable) -> None:
    newcomer = Phone()

    page = newcomer.get(invitation_to(game, 1))

    assert "The table of Ana, Ben and Cleo ." in page.text
    assert page.root.one("p", class_="seat-name").text == "B Play Ben on this phone?"
    assert page.root.one("p", class_="notice").text == (
        "Another phone plays this seat now. It loses the seat when you sit down."
    )
    assert Key.objects.exclude(lost="").count() == 0


def test_a_free_seat_takes_nothing_from_anybody(game: DigitalTable) -> None:
    registry.supersede(game.game, 1)

    page = Phone().get(invitation_to(game, 1))

    assert not page.root.all("p", class_="notice")


def test_who_sits_down_has_the_seat_under_a_new_session_at_a_clean_address(game: DigitalTable) -> None:
    newcomer = sit_down(Table())
    before = newcomer.client.session.session_key

    page = newcomer.get(invitation_to(game, 1)).press("Sit down")

    assert page.response.redirect_chain == [(f"/g/{game.id}/", 302)]
    assert newcomer.client.session.session_key != before
    key = Key.objects.get(pk=seats_of(newcomer)["1"])
    assert (key.role, key.seat, key.label, key.revoked_at) == (Role.SEAT, 1, "Ben", None)


def test_a_seat_is_taken_with_the_typed_code_too(game: DigitalTable) -> None:
    code = invitations.invite(game=game.game, role=Role.SEAT, seat=2, maker=game.host).code

    page = Phone().open("join").press("Next", code=code)
    assert "Play Cleo on this phone?" in page.text
    page = page.press("Sit down")

    assert page.address == f"/g/{game.id}/"
    assert set(seats_of(page.phone)) == {"2"}


def test_an_invitation_of_a_phone_that_lost_its_seat_opens_nothing(game: DigitalTable, ben: Phone, ana: Phone) -> None:
    shown = ben.open("phones").press("Move my seat to another phone (Ben)")
    link = LINK.search(shown.html)
    assert link is not None

    ana.open("phones").press("Take the seat away from that phone (Ben)")

    assert Phone().get(link[1]).status == 404


# --- losing a seat ---


def test_the_phone_that_lost_its_seat_is_shown_and_takes_it_back(game: DigitalTable, ben: Phone) -> None:
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


def test_a_seat_changes_phones_any_number_of_times(game: DigitalTable, ben: Phone) -> None:
    other = Phone()
    other.get(invitation_to(game, 1)).press("Sit down")
    other.table = game

    for phone in (ben, other, ben, other):
        assert phone.open("table").status == 403
        assert phone.post("seat_again", 1).status == 302
        assert phone.open("table").status == 200

    assert Key.objects.filter(game=game.id, seat=1, revoked_at=None).count() == 1


def test_a_host_who_moves_their_seat_keeps_the_table_and_is_shown_among_the_seats(
    game: DigitalTable, ana: Phone
) -> None:
    shown = ana.open("phones").press("Move my seat to another phone (Ana)")
    link = LINK.search(shown.html)
    assert link is not None
    Phone().get(link[1]).press("Sit down")

    page = ana.open("phones")

    assert page.notice == "Your seat (Ana) was taken on another phone. Take it back to this phone"
    page.press("Take it back to this phone")
    assert line_of(ana.open("phones"), "Ana").startswith("A Ana this phone")


def deleted_before(game: DigitalTable, monkeypatch: pytest.MonkeyPatch) -> None:
    """The game is deleted just before a seat is claimed."""
    do = seating.claim

    def too_late(**given: object) -> object:
        deletion.delete_game(game_id=game.id)
        return do(**given)

    monkeypatch.setattr(seating, "claim", too_late)


def test_who_sits_down_while_the_game_is_deleted_finds_no_table(
    game: DigitalTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = Phone().get(invitation_to(game, 1))
    deleted_before(game, monkeypatch)

    assert page.press("Sit down").status == 404


def test_who_joins_while_the_game_is_deleted_is_refused_in_words(
    game: DigitalTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = Phone().get(f"/join/{invitations.invite(game=game.game, role=Role.VIEWER).token}/")
    monkeypatch.setattr(invitations, "join", lambda **_given: (_ for _ in ()).throw(InviteNotValid()))

    answer = page.phone.post_to(page.address, {"sit": "1"})

    assert answer.status == InviteNotValid.status
    assert answer.notice


def test_who_takes_a_seat_back_while_the_game_is_deleted_finds_no_table(
    game: DigitalTable, ben: Phone, monkeypatch: pytest.MonkeyPatch
) -> None:
    Phone().get(invitation_to(game, 1)).press("Sit down")
    deleted_before(game, monkeypatch)

    assert ben.post("seat_again", 1).status == 404


def test_who_sits_down_for_a_bot_after_the_end_sees_the_table(game: DigitalTable) -> None:
    game.put_bot(1, "easy")
    page = Phone().get(invitation_to(game, 1))
    version = game.play_on(over).game.version

    assert page.press("Sit down").address == f"/g/{game.id}/"
    assert game.ledger.entries[version:] == (HolderEntry(version + 1, 1, HolderChange.CLAIMED),)


def test_a_phone_that_never_bore_the_seat_takes_nothing_back(
    game: DigitalTable, ana: Phone, ben: Phone, zoe: Phone, eve: Phone
) -> None:
    Phone().get(invitation_to(game, 1)).press("Sit down")

    assert [phone.post("seat_again", 1).status for phone in (ana, zoe, eve)] == [404] * 3
    assert [ben.post("seat_again", seat).status for seat in (0, 2, 99)] == [404] * 3


def test_a_seat_that_the_host_took_away_is_not_taken_back(game: DigitalTable, ana: Phone, ben: Phone) -> None:
    other = Phone()
    other.get(invitation_to(game, 1)).press("Sit down")
    other.table = game

    ana.open("phones").press("Take the seat away from that phone (Ben)")

    for phone in (ben, other):
        page = phone.open("table")
        assert (page.status, page.notice) == (403, "The host took the seat of Ben from this phone.")
        assert phone.post("seat_again", 1).status == 404


def test_the_host_takes_a_seat_away_and_invites_again(game: DigitalTable, ana: Phone, ben: Phone) -> None:
    page = ana.post("seat_free", 1)

    assert page.status == 302
    assert line_of(ana.open("phones"), "Ben").startswith("B Ben nobody yet")
    page = ben.get(invitation_to(game, 1)).press("Sit down")
    assert page.address == f"/g/{game.id}/"


def test_ones_own_seat_is_not_taken_away_by_mistake(game: DigitalTable, ana: Phone) -> None:
    ana.post("seat_free", 0)

    assert Key.objects.filter(game=game.id, seat=0, revoked_at=None).exists()


def test_the_phone_that_has_the_key_of_a_program_hears_nothing_of_it(game: DigitalTable) -> None:
    key = registry.issue(game=game.game, role=Role.SEAT, seat=1, program=True)

    assert registry.key_of_secret(key.secret) == key
    assert registry.is_taken(game.game, 1)

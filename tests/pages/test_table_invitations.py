"""One code for a whole digital table: who follows it says who they are, and takes a free seat, once.

Ana hosts and plays; Ben's and Cleo's seats are free; Zoe looks on.
"""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from django.conf import settings
from django.utils import translation

from games.bots.style import STYLES
from games.errors import InviteNotValid
from games.formats.document import document, read_document
from games.keys import invitations, registry
from games.live.hub import hub
from games.log import store
from games.models import Game, Invite, Key, Role
from games.pages.digital.turn import happened
from games.rules import Phase
from games.rules.ruleset import MOST_PLAYERS
from games.services import seating
from games.texts.unnamed import name_by_number
from tests.builders import dutch
from tests.cast.digital import DigitalTable, in_phase, over
from tests.cast.pages import Phone
from tests.cast.seats import at_seats, hosting, seats_of, watching

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

COOKIE = settings.INVITATION_COOKIE_NAME


@pytest.fixture
def game() -> DigitalTable:
    """Three people, of whom one has sat down."""
    hub.presence._phones.clear()
    game = DigitalTable(dutch(3, rounds=1))
    for seat in (1, 2):
        registry.free_seat(game.game, seat)
    return game


@pytest.fixture
def ana(game: DigitalTable) -> Phone:
    """The host."""
    return hosting(game, 0)


@pytest.fixture
def link(ana: Phone) -> str:
    """The link to the whole table."""
    shown = ana.open("phones").press("Invite with one code for all").root.one("section", class_="card")
    return re.sub("^http://testserver", "", str(shown.one("a").attrs["href"]))


def holder(game: DigitalTable, seat: int) -> Key | None:
    """The key that plays a seat."""
    return Key.objects.filter(game=game.game, seat=seat, revoked_at=None).first()


def test_who_follows_it_is_asked_who_they_are_and_sits_down(game: DigitalTable, link: str) -> None:
    page = Phone().get(link)

    assert [button.attrs["value"] for button in page.root.all("button", name="seat")] == ["1", "2"]
    assert holder(game, 1) is None
    assert page.press("Sit down as Ben").address == f"/g/{game.id}/"
    assert holder(game, 1)
    entry = game.ledger.entries[-1]
    assert (getattr(entry, "seat", None), str(getattr(entry, "change", ""))) == (1, "joined")


def test_the_next_one_chooses_of_what_is_left_until_every_seat_is_taken(link: str) -> None:
    Phone().get(link).press("Sit down as Ben")
    page = Phone().get(link)
    assert not page.offers("Sit down as Ben")

    page.press("Sit down as Cleo")

    text = Phone().get(link).text
    assert "Every seat is taken. Ask Ana for an invitation: to watch to go on playing here" in text


def test_the_page_says_whom_to_ask_who_is_none_of_them(link: str) -> None:
    none = Phone().get(link).root.one("details", class_="is-none").text

    assert none.startswith("None of these Every other seat is taken.")
    assert "Ask Ana for an invitation: to watch" in none


def test_a_host_who_is_not_known_by_name_is_asked_as_such(game: DigitalTable) -> None:
    link = f"/join/{invitations.invite(game=game.game, role=Role.SEAT).token}/"

    assert "Ask the host for an invitation:" in Phone().get(link).text


def test_who_watches_is_led_to_the_table_once_every_seat_is_taken(game: DigitalTable, link: str) -> None:
    zoe = watching(game)
    assert not zoe.get(link).offers("To the table")
    for name in ("Ben", "Cleo"):
        Phone().get(link).press(f"Sit down as {name}")

    page = zoe.get(link)

    assert "to watch" not in page.text
    assert page.press("To the table").address == f"/g/{game.id}/"


def test_of_a_game_that_is_over_it_says_so(game: DigitalTable, link: str) -> None:
    game.play_on(over)

    text = Phone().get(link).text

    assert "The game is over. Ask Ana for an invitation: to watch" in text
    assert "playing" not in text


def test_the_code_leads_to_the_same_question(game: DigitalTable, ana: Phone) -> None:
    code = ana.open("phones").press("Invite with one code for all").root.one("p", class_="big-code").text

    Phone().open("join").press("Next", code=code).press("Sit down as Cleo")

    assert holder(game, 2)


def test_a_taken_seat_is_refused_and_the_others_are_offered(game: DigitalTable, link: str) -> None:
    late = Phone().get(link)
    Phone().get(link).press("Sit down as Ben")
    before = holder(game, 1)

    page = late.press("Sit down as Ben")

    assert page.status == 409
    assert page.status == 409
    assert page.offers("Sit down as Cleo")
    assert holder(game, 1) == before


@pytest.mark.parametrize("seat", ["0", "3", "-1", "two", "\0", ""])
def test_no_other_seat_is_given(game: DigitalTable, link: str, seat: str) -> None:
    phone = Phone()

    assert phone.post_to(link, {"sit": "1", "seat": seat}).status in (400, 409, 422)
    assert Key.objects.filter(game=game.game, role=Role.SEAT, revoked_at=None).count() == 1


def test_a_bot_that_the_table_began_with_is_not_put_away_by_it(db: None) -> None:
    game = DigitalTable(dutch(3, rounds=1), bots={1: "easy"})
    registry.free_seat(game.game, 2)
    link = invited(game)

    assert not Phone().get(link).offers("Sit down as Ben")
    assert Phone().post_to(link, {"sit": "1", "seat": "1"}).status == 409
    assert (holder(game, 1), game.ledger.bots[1]) == (None, "easy")


def test_a_bot_that_fills_in_for_a_friend_leaves_the_seat_to_the_late_friend(game: DigitalTable, link: str) -> None:
    game.put_bot(1, "easy")

    Phone().get(link).press("Sit down as Ben")

    assert holder(game, 1)
    assert game.ledger.bots[1] is None


def test_a_bot_that_plays_for_somebody_with_a_phone_is_not_put_away_by_it(game: DigitalTable, link: str) -> None:
    Phone().get(link).press("Sit down as Ben")
    before = holder(game, 1)
    game.put_bot(1, "easy")

    assert Phone().post_to(link, {"sit": "1", "seat": "1"}).status == 409
    assert (holder(game, 1), game.ledger.bots[1]) == (before, "easy")


def test_a_phone_with_a_seat_takes_no_second_one(game: DigitalTable, link: str) -> None:
    phone = Phone()
    phone.get(link).press("Sit down as Ben")

    assert "This phone has a seat at this table already." in phone.get(link).text
    assert phone.post_to(link, {"sit": "1", "seat": "2"}).status == 302
    assert holder(game, 2) is None


def test_a_double_tap_finds_its_seat(game: DigitalTable, link: str) -> None:
    phone = Phone()
    page = phone.get(link)
    again = phone.before_the_answer()
    fields = {**page.fields("Sit down as Ben"), "seat": "1"}

    assert {each.send_to(link, fields).status_code for each in (phone, again)} == {302}
    assert again.get(f"/g/{game.id}/").status == 200
    assert Key.objects.filter(game=game.game, seat=1, revoked_at=None).count() == 1


def test_withdrawn_it_opens_nothing(ana: Phone, link: str, game: DigitalTable) -> None:
    page = Phone().get(link)
    ana.open("phones").press("Withdraw (Sit down in a free seat)")

    assert page.press("Sit down as Ben").status == 404
    assert Phone().get(link).status == 404
    assert holder(game, 1) is None


def test_a_seat_that_is_taken_away_is_not_taken_back_with_it(game: DigitalTable, ana: Phone, link: str) -> None:
    Phone().get(link).press("Sit down as Ben")

    ana.post("seat_free", 1)

    assert not Invite.objects.filter(role=Role.SEAT, seat=None).exists()
    assert Phone().get(link).status == 404


def test_it_ends_while_somebody_sits_down(game: DigitalTable, link: str) -> None:
    invite = Invite.objects.get()
    Invite.objects.all().delete()

    with pytest.raises(InviteNotValid):
        seating.claim(game_id=game.id, seat=1, by=invite, session=Phone().client.session)


def test_when_the_game_is_over_no_seat_is_given(game: DigitalTable, link: str) -> None:
    game.play_on(over)

    assert Phone().post_to(link, {"sit": "1", "seat": "1"}).status == 409


@pytest.mark.parametrize("who", [watching, lambda game: at_seats(game, 0)])
def test_only_the_host_invites_the_whole_table(game: DigitalTable, who: object) -> None:
    phone = who(game)

    assert not phone.open("phones").offers("Invite with one code for all")
    assert phone.post("phones", invite="table").status == 403
    assert not Invite.objects.exists()


def test_a_program_gets_no_key_by_it(game: DigitalTable) -> None:
    invitation = invitations.invite(game=game.game, role=Role.SEAT, maker=game.host)

    with pytest.raises(InviteNotValid):
        invitations.join(invite=invitation.invite, label="program")


def test_the_host_sees_it_again_on_the_phone_that_made_it_only(game: DigitalTable, ana: Phone, link: str) -> None:
    assert link in ana.open("phones").html
    assert link not in hosting(game, 0).open("phones").html

    ana.open("phones").press("Withdraw (Sit down in a free seat)")

    assert link not in ana.open("phones").html


def test_it_is_not_shown_on_the_page_of_another_table(ana: Phone, link: str) -> None:
    other = DigitalTable(dutch(3, rounds=1))
    registry.free_seat(other.game, 1)
    host = hosting(other, 0)
    host.client.cookies[COOKIE] = ana.client.cookies[COOKIE].value

    assert link not in host.open("phones").html


def test_once_all_have_sat_down_the_open_invitation_says_so(ana: Phone, link: str) -> None:
    def title() -> str:
        return ana.open("phones").root.one("ul", class_="invitations").one("b").text

    assert title() == "Sit down in a free seat"
    for name in ("Ben", "Cleo"):
        Phone().get(link).press(f"Sit down as {name}")

    assert title() == "Sit down in a free seat: all seats are taken now"


def test_a_seat_that_a_bot_fills_in_is_free(game: DigitalTable, ana: Phone, link: str) -> None:
    for seat in (1, 2):
        game.put_bot(seat, "easy")

    assert ana.open("phones").root.one("ul", class_="invitations").one("b").text == "Sit down in a free seat"


def test_beside_the_code_people_are_counted_and_no_bots(game: DigitalTable, ana: Phone, link: str) -> None:
    game.put_bot(1, "easy")

    arrivals = ana.open("phones").root.one("p", id="arrivals")

    assert arrivals.text.endswith("1 of 2 here")
    assert [token.text for token in arrivals.all("span", class_="is-missing")] == ["C"]


def test_once_all_have_sat_down_it_is_not_shown(ana: Phone, link: str) -> None:
    Phone().get(link).press("Sit down as Ben")
    Phone().get(link).press("Sit down as Cleo")

    assert not ana.open("phones").root.all("section", id="invitation")


def test_a_code_that_is_not_of_the_link_is_not_shown(ana: Phone, link: str) -> None:
    token = ana.client.cookies[COOKIE].value.partition(".")[0]
    ana.client.cookies[COOKIE] = f"{token}.1111-1111"

    assert not ana.open("phones").root.all("section", id="invitation")


# --- seats of friends without a name ---


@pytest.fixture
def unnamed() -> DigitalTable:
    """The seats of Ben and Cleo are open: they are called by their numbers, one of them in another language."""
    hub.presence._phones.clear()
    setup = dutch(3, rounds=1)
    seats = zip(setup.seats, ("Ana", "Player 2", "Spieler 3"), strict=True)
    game = DigitalTable(replace(setup, seats=tuple(replace(seat, name=name) for seat, name in seats)))
    for seat in (1, 2):
        registry.free_seat(game.game, seat)
    return game


def invited(game: DigitalTable, seat: int | None = None) -> str:
    """A link to a seat or to the whole table."""
    return f"/join/{invitations.invite(game=game.game, role=Role.SEAT, maker=game.host, seat=seat).token}/"


@pytest.mark.parametrize("seat", [None, 1], ids=["table", "seat"])
def test_whose_table_it_is_is_said_without_those_who_have_no_name(unnamed: DigitalTable, seat: int | None) -> None:
    assert Phone().get(invited(unnamed, seat)).root.one("p", class_="lead").text == "The table of Ana ."


@pytest.mark.parametrize("seat", [None, 2], ids=["table", "seat"])
def test_whose_table_it_is_is_said_without_bots_that_play_for_no_one(unnamed: DigitalTable, seat: int | None) -> None:
    unnamed.put_bot(1, "easy")
    unnamed.put_bot(0, "easy")
    assert "Zip" in names(unnamed)

    assert Phone().get(invited(unnamed, seat)).root.one("p", class_="lead").text == "The table of Ana ."


@pytest.mark.parametrize(
    ("language", "said"), [("de", "Bisher hat der Bot (leicht) hier gespielt."), ("it", "giocato il bot facile.")]
)
def test_the_bot_that_leaves_a_seat_is_spoken_of_within_a_sentence(
    unnamed: DigitalTable, language: str, said: str
) -> None:
    unnamed.put_bot(1, "easy")
    friend = Phone()
    friend.client.defaults["HTTP_ACCEPT_LANGUAGE"] = language

    assert said in friend.get(invited(unnamed, 1)).text


@pytest.mark.parametrize(
    ("language", "said"), [("de", "Zip wird vom Bot (leicht) gespielt"), ("it", "Per Zip gioca il bot facile")]
)
def test_the_history_speaks_of_a_bot_within_a_sentence(unnamed: DigitalTable, language: str, said: str) -> None:
    unnamed.put_bot(1, "easy")
    host = hosting(unnamed, 0)
    host.client.defaults["HTTP_ACCEPT_LANGUAGE"] = language

    assert said in host.open("history").text


def test_a_friend_without_a_name_types_it_and_sits_in_the_first_open_seat(unnamed: DigitalTable) -> None:
    link = invited(unnamed)

    for name in ("Ben", "Cleo"):
        page = Phone().get(link)
        assert not page.root.all("button", value="1")
        assert page.press("Sit down", name=name).address == f"/g/{unnamed.id}/"

    assert unnamed.ledger.current_setup.names == ("Ana", "Ben", "Cleo")
    assert list(unnamed.game.seats.order_by("number").values_list("name", flat=True)) == ["Ana", "Ben", "Cleo"]
    assert "Every seat is taken." in Phone().get(link).text


@pytest.mark.parametrize(
    ("name", "code"),
    [("ana", "name_twice"), (" ", "name_missing"), ("\u200b", "name_missing"), ("A" * 41, "name_too_long")],
)
@pytest.mark.parametrize("seat", [None, 1], ids=["table", "seat"])
def test_a_name_that_is_refused_leaves_the_seat_open(
    unnamed: DigitalTable, name: str, code: str, seat: int | None
) -> None:
    before, phone = unnamed.ledger.version, Phone()

    page = phone.get(invited(unnamed, seat)).press("Sit down", name=name)

    assert (page.status, page.code) == (422, code)
    assert page.fields("Sit down")["name"] == name
    assert (unnamed.ledger.version, holder(unnamed, 1), seats_of(phone)) == (before, None, {})
    page.press("Sit down", name="Ben")
    assert unnamed.ledger.current_setup.names[1] == "Ben"


def test_the_name_of_a_seat_that_has_one_stays(game: DigitalTable, link: str) -> None:
    Phone().post_to(link, {"sit": "1", "seat": "1", "name": "Zoe"})

    assert holder(game, 1)
    assert game.ledger.current_setup.names[1] == "Ben"


NAMED = re.compile(r"\b(?:Player|Spieler|Joueur|Giocatore|Speler)\s[23]\b")


@pytest.mark.parametrize("is_over", [False, True])
@pytest.mark.parametrize("language", ["en", "fr"])
def test_a_player_without_a_name_is_called_by_a_number_in_the_language_of_the_reader(
    unnamed: DigitalTable, language: str, is_over: bool
) -> None:
    links = [invited(unnamed), invited(unnamed, 1)]
    if is_over:
        unnamed.play_on(over)
    parts = ("", "menu/", "phones/", "sheet/", "history/", "replay/", "board/", *(["export/"] if is_over else []))
    host, friend = hosting(unnamed, 0), Phone()
    with translation.override(language):
        expected = {name_by_number(2), name_by_number(3)}
    for phone in (host, friend):
        phone.client.cookies[settings.LANGUAGE_COOKIE_NAME] = language

    pages = [*((host, f"/g/{unnamed.id}/{part}") for part in parts), (host, "/"), *((friend, link) for link in links)]
    named = {address: set(NAMED.findall(phone.get(address).text)) for phone, address in pages}

    assert set().union(*named.values()) == expected
    shown = [*(f"/g/{unnamed.id}/{part}" for part in ("", "sheet/", "board/")), links[1]]
    assert all(named[address] for address in shown)
    assert unnamed.ledger.current_setup.names == ("Ana", "Player 2", "Spieler 3")


def test_programs_read_the_names_as_they_were_entered(unnamed: DigitalTable) -> None:
    with translation.override("fr"):
        assert store.seen(unnamed.game, None).current_setup.names == ("Ana", "Player 2", "Spieler 3")


def test_a_name_is_refused_where_every_seat_has_one(game: DigitalTable, link: str) -> None:
    assert Phone().post_to(link, {"sit": "1", "seat": "unnamed", "name": "Zoe"}).status == 409
    assert Key.objects.filter(game=game.game, role=Role.SEAT, revoked_at=None).count() == 1


def test_the_answer_to_a_tap_calls_who_has_no_name_in_the_language_of_the_phone(unnamed: DigitalTable) -> None:
    seat = unnamed.full.acting_seats[0]
    unnamed.keys[seat] = registry.issue(game=unnamed.game, role=Role.SEAT, seat=seat)
    phone = at_seats(unnamed, seat, htmx=True)
    phone.client.defaults["HTTP_ACCEPT_LANGUAGE"] = "de"

    answered = phone.post("act", do="place", space="trump:red", version=unnamed.game.version)

    assert unnamed.ledger.entries[1:], "the tap was refused"
    assert "Spieler 2" in answered.text
    assert "Player 2" not in answered.text


# --- bots where no friend has come ---


def names(game: DigitalTable) -> tuple[str, ...]:
    return game.ledger.current_setup.names


def test_a_bot_that_plays_for_no_one_has_a_name_of_its_own_until_it_stands_up(unnamed: DigitalTable) -> None:
    ana = at_seats(unnamed, 0)

    unnamed.put_bot(1, "easy")

    assert names(unnamed) == ("Ana", "Zip", "Spieler 3")
    assert "The bot Zip plays now." in ana.open().text
    unnamed.put_bot(1, None)
    assert names(unnamed) == ("Ana", "Player 2", "Spieler 3")


@pytest.mark.parametrize("name", ["zip", "Zoe"])
def test_the_name_of_a_bot_that_plays_for_no_one_has_no_ones_initial(unnamed: DigitalTable, name: str) -> None:
    Phone().get(invited(unnamed, 2)).press("Sit down", name=name)

    unnamed.put_bot(1, "easy")

    assert names(unnamed) == ("Ana", "Cog", name)


def test_every_table_has_a_name_for_a_bot_with_an_initial_of_its_own() -> None:
    assert len({name[0] for name in STYLES}) >= MOST_PLAYERS


def test_a_number_that_somebody_is_called_by_is_not_given_twice(unnamed: DigitalTable) -> None:
    unnamed.put_bot(1, "easy")
    Phone().get(invited(unnamed, 2)).press("Sit down", name="Player 2")

    unnamed.put_bot(1, None)

    assert names(unnamed) == ("Ana", "Player 3", "Player 2")


@pytest.mark.parametrize("seat", [0, 1], ids=["named", "unnamed"])
def test_a_bot_that_plays_for_somebody_has_their_name(unnamed: DigitalTable, seat: int) -> None:
    unnamed.move(1)
    before = names(unnamed)

    unnamed.put_bot(seat, "easy")
    assert names(unnamed) == before
    unnamed.put_bot(seat, None)

    assert names(unnamed) == before


def test_late_friends_take_the_seats_that_bots_fill_last(unnamed: DigitalTable) -> None:
    link = invited(unnamed)
    unnamed.put_bot(1, "easy")

    Phone().get(link).press("Sit down", name="Ben")
    assert names(unnamed) == ("Ana", "Zip", "Ben")
    Phone().get(link).press("Sit down", name="Cleo")

    assert names(unnamed) == ("Ana", "Cleo", "Ben")
    assert unnamed.ledger.bots == (None, None, None)
    assert "Every seat is taken." in Phone().get(link).text


def test_a_late_friend_reads_whose_seats_bots_have(db: None) -> None:
    game = DigitalTable(dutch(3, rounds=1), bots={1: "easy", 2: "easy"})

    assert "to play in place of a bot (Ben and Cleo)" in Phone().get(invited(game)).text


def test_a_friend_whom_the_host_invites_takes_the_seat_of_a_bot_over_by_name(unnamed: DigitalTable) -> None:
    ana = hosting(unnamed, 0)
    unnamed.put_bot(1, "easy")
    shown = ana.open("phones").press("Invite to this seat (Zip)").root.one("section", class_="card")
    link = re.sub("^http://testserver", "", str(shown.one("a").attrs["href"]))

    page = Phone().get(link).press("Sit down", name="Ben")

    assert names(unnamed)[1] == "Ben"
    assert unnamed.ledger.bots[1] is None
    assert not page.root.all(id="unseen")
    assert "Ben plays instead of Zip." in ana.open(seat="0").text


def test_the_phone_of_a_friend_has_the_name_that_they_typed(unnamed: DigitalTable) -> None:
    Phone().get(invited(unnamed)).press("Sit down", name="Ben")

    key = holder(unnamed, 1)
    assert key is not None
    assert key.label == "Ben"


def test_a_bot_that_came_for_no_one_is_no_player_and_plays_the_rematch(unnamed: DigitalTable) -> None:
    unnamed.move(2)
    for seat in (1, 2):
        unnamed.put_bot(seat, "easy")
    unnamed.play_on(over)

    hosting(unnamed, 0).open().press("Rematch")

    assert list(unnamed.game.seats.order_by("number").values_list("bot", flat=True)) == ["", "easy", ""]
    rematch = store.read(Game.objects.get(rematch_of=unnamed.game))
    assert (rematch.setup.names[1], rematch.bots) == ("Zip", (None, "easy", None))


def test_a_double_tap_takes_one_open_seat(unnamed: DigitalTable) -> None:
    phone, link = Phone(), invited(unnamed)
    page = phone.get(link)
    again = phone.before_the_answer()
    fields = {**page.fields("Sit down"), "name": "Ben", "seat": "unnamed"}

    assert {each.send_to(link, fields).status_code for each in (phone, again)} == {302}
    assert unnamed.ledger.current_setup.names == ("Ana", "Ben", "Spieler 3")
    assert holder(unnamed, 2) is None


def test_a_typed_name_is_no_move_and_is_read_back_from_a_document(unnamed: DigitalTable) -> None:
    unnamed.play_on(in_phase(Phase.TEAMS))
    before = unnamed.ledger.counting.undoable

    Phone().get(invited(unnamed)).press("Sit down", name="Ben")

    assert before
    assert unnamed.ledger.counting.undoable == before
    read = read_document(document(unnamed.play_on(over).game))
    assert read.ledger.current_setup.names == ("Ana", "Ben", "Spieler 3")


def test_who_sits_down_reads_at_the_table_what_was_played_and_not_what_they_did(unnamed: DigitalTable) -> None:
    unnamed.put_bot(1, "easy")
    said, bot = happened(unnamed.seen(0)), unnamed.state.setup.names[1]

    Phone().get(invited(unnamed, 1)).press("Sit down", name="Ben")

    assert happened(unnamed.seen(1)) == "The cards are dealt."
    assert said != happened(unnamed.seen(0)) == f"Ben plays instead of {bot}."

"""Opening a table with the cards on the phones: against bots in two taps, seats in use, length, the mend."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games.log import store
from games.models import Game, Mode, Seat
from tests.builders import english
from tests.cast.pages import Phone, sit_down
from tests.cast.tables import Table

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

DIGITAL = {"mode": "digital"}


def bots() -> list[str]:
    """The bots of the latest game, by seat."""
    return list(Seat.objects.filter(game=Game.objects.latest("created_at")).values_list("bot", flat=True))


def test_two_taps_from_home_lay_a_table_against_bots_with_nothing_typed() -> None:
    table = Phone().open("home").press("Play against bots").press("Start")

    game = Game.objects.get()
    assert (table.address, game.mode) == (f"/g/{game.pk}/", Mode.DIGITAL)
    assert bots() == ["", "easy", "easy", "easy"]
    assert store.read(game).setup.names == ("Player 1", "Zip", "Cog", "Dot")
    assert table.root.all("button", value="trump:red"), "the first marker is mine"


@pytest.mark.parametrize(
    ("players", "level", "length", "rounds"), [("2", "strong", "2", 2), ("3", "medium", "4", 4), ("5", "easy", "", 10)]
)
def test_players_level_and_rounds_are_chosen_and_remembered(players: str, level: str, length: str, rounds: int) -> None:
    phone = Phone()
    typed = {"name-0": "Ana", "players": players, "level": level, "length": length}

    phone.open("home").press("Play against bots").fill_in(typed, press="Start")

    setup = store.read(Game.objects.get()).setup
    assert (setup.names[0], setup.ruleset.options.rounds) == ("Ana", rounds)
    assert bots() == ["", *[level] * (int(players) - 1)]
    again = phone.open("home").press("Play against bots").fields("Start")
    assert {name: again[name] for name in typed} == typed


def test_a_table_with_friends_and_bots_is_laid_again() -> None:
    phone = Phone()
    typed = {"name-0": "Ana", "name-1": "Ben", "plays-2": "medium", "length": "2", **DIGITAL}
    phone.open("new").fill_in(typed, press="Start")

    page = phone.open("new").press("Ana and Ben again")

    page.press("Start and invite Ben")
    setup = store.read(Game.objects.latest("created_at")).setup
    assert (setup.names, setup.digital, setup.ruleset.options.rounds) == (("Ana", "Ben", "Cog"), True, 2)
    assert bots() == ["", "", "medium"]
    assert list(phone.client.session["seats"][Game.objects.latest("created_at").pk]) == ["0"]


def test_a_friend_who_did_not_come_plays_not_again_and_the_bot_in_their_seat_does() -> None:
    phone = Phone()
    phone.open("new").fill_in({"name-0": "Ana", "name-1": "Ben", "plays-2": "person", **DIGITAL}, press="Start")
    assert phone.open("new").offers("Ana and Ben again")
    game = Game.objects.get()
    phone.post_to(f"/g/{game.pk}/seats/2/bot/", {"level": "medium", "request_id": "a" * 32})

    page = phone.open("new").press("Ana and Ben again")

    page.press("Start and invite Ben")
    assert store.read(Game.objects.latest("created_at")).setup.names == ("Ana", "Ben", "Cog")
    assert bots() == ["", "", "medium"]


def test_what_fills_the_table_is_in_no_row_that_is_cut_off() -> None:
    phone = Phone()
    phone.open("new").fill_in({"name-0": "Ana", "name-1": "Ben", **DIGITAL}, press="Start")

    rows = phone.open("new").root.all("p", class_="is-row")

    assert [button.attrs["name"] for row in rows for button in row.all("button")] == ["add", "add", "draw", "draw"]


@pytest.mark.parametrize("wrong", [{"players": "9"}, {"level": "mad"}, {"length": "99"}, {"players": ""}])
def test_what_the_page_against_bots_does_not_offer_counts_as_usual(wrong: dict[str, str]) -> None:
    Phone().post_to("/new/", {**DIGITAL, "players": "4", "level": "easy", **wrong})

    assert bots() == ["", "easy", "easy", "easy"]
    assert store.read(Game.objects.get()).setup.ruleset.options.rounds == 8


def test_a_name_that_is_too_long_is_refused_on_the_same_page() -> None:
    page = Phone().open("home").press("Play against bots").fill_in({"name-0": "A" * 41, "players": "3"}, press="Start")

    assert page.status == 422
    assert page.code == "name_too_long"
    assert page.fields("Start")["players"] == "3"
    assert not Game.objects.exists()


# --- seats in use ---


def test_a_digital_table_begins_with_two_seats() -> None:
    fields = Phone().open("new").fields("Start")

    assert [fields[f"plays-{place}"] for place in range(5)] == ["here", "person", "none", "none", "none"]


def test_a_friend_beside_one_player_is_a_game_of_two_with_an_open_seat() -> None:
    page = Phone().open("new").fill_in({**DIGITAL, "name-0": "Ana"}, press="Start")

    assert page.address.endswith("/phones/")
    assert bots() == ["", ""]
    assert store.read(Game.objects.get()).setup.names == ("Ana", "Player 2")


def test_a_table_for_one_is_refused_and_the_mend_is_a_button() -> None:
    typed = {**DIGITAL, "name-0": "Ana", "plays-1": "none"}
    page = Phone().open("new").fill_in(typed, press="Start")

    assert (page.status, page.code) == (422, "wrong_player_count")
    assert not Game.objects.exists()
    table = page.press("Fill with easy bots").press("Start")

    assert table.address == f"/g/{Game.objects.get().pk}/"
    assert bots() == ["", "easy", "easy", "easy"]


def test_bots_fill_the_seats_that_are_left_and_no_friends_seat() -> None:
    page = Phone().open("new").fill_in({**DIGITAL, "name-0": "Ana"}, press="Fill with easy bots")

    assert not Game.objects.exists()
    assert not page.offers("Fill with easy bots")
    page.press("Start and invite Player 2")
    assert bots() == ["", "", "easy", "easy"]


def test_an_empty_field_says_whose_name_belongs_there() -> None:
    page = (
        Phone()
        .open("new")
        .fill_in({**DIGITAL, "plays-2": "easy"}, press="1 to 9, 1997")
        .press("Goldsieber 1997, Dutch")
    )

    fields = page.root.one("ol", class_="names").all("input", class_="field")
    assert [field.attrs["placeholder"] for field in fields[:2]] == ["Your name", "Player 2"]
    assert fields[2].attrs["placeholder"] == fields[2].attrs["data-bot"]
    assert fields[3].attrs["placeholder"] == "Player 4 (if any)"


def test_a_friend_without_a_name_is_called_by_the_number_and_invited() -> None:
    typed = {**DIGITAL, "name-0": "Ana", "plays-3": "person"}
    page = Phone().open("new").fill_in(typed, press="1 to 9, 1997").press("Goldsieber 1997, Dutch")

    page = page.press("Start and invite Player 2 and Player 4")

    assert page.address.endswith("/phones/")
    assert bots() == ["", "", ""]
    assert store.read(Game.objects.get()).setup.names == ("Ana", "Player 2", "Player 4")


def test_rules_for_more_players_offer_as_many_bots_as_are_missing() -> None:
    page = Phone().open("new").press("1 to 9, 1997").press("Goldsieber 1997, Dutch")

    page = page.fill_in({**DIGITAL, "name-0": "Ana", "name-1": "Ben"}, press="Start")

    page.press("Fill with easy bots").press("Start and invite Ben")
    assert bots() == ["", "", "easy", "easy"]


def test_the_button_says_who_is_invited() -> None:
    phone = sit_down(Table(english(2)))

    page = phone.open("new").fill_in({**DIGITAL, "name-0": "Ana"}, press="+ Ben")

    page = page.press("Start and invite Ben")

    assert page.address.endswith("/phones/")
    link = page.root.one("section", id="invitation").one("a", class_="link").attrs["href"]
    assert Phone().get(link.removeprefix("http://testserver")).offers("Sit down as Ben")


# --- length and dealer ---


@pytest.mark.parametrize(("typed", "rounds"), [("2", 2), ("4", 4), ("", 8), ("7", 8)])
def test_the_length_sets_the_rounds(typed: str, rounds: int) -> None:
    Phone().post_to("/new/", {**DIGITAL, "name-0": "Ana", "plays-1": "easy", "length": typed})

    assert store.read(Game.objects.get()).setup.ruleset.options.rounds == rounds


def test_a_typed_number_of_rounds_goes_before_the_length() -> None:
    Phone().post_to("/new/", {**DIGITAL, "name-0": "Ana", "plays-1": "easy", "length": "2", "option-rounds": "3"})

    assert store.read(Game.objects.get()).setup.ruleset.options.rounds == 3


def test_the_length_is_for_cards_on_the_phones_only() -> None:
    Phone().post_to("/new/", {"mode": "table", "name-0": "Ana", "name-1": "Ben", "length": "2"})

    assert store.read(Game.objects.get()).setup.ruleset.options.rounds == 8


@pytest.mark.parametrize(("chosen", "number", "dealer"), [("lot", 5, 1), ("lot", 6, 0), ("first", 5, 0)])
def test_the_dealer_is_drawn_by_the_form_so_that_a_double_tap_draws_the_same(
    chosen: str, number: int, dealer: int
) -> None:
    fields = {**DIGITAL, "name-0": "Ana", "plays-1": "easy", "dealer": chosen, "request_id": f"{number:032x}"}
    phone = Phone()

    for _ in range(2):
        phone.post_to("/new/", fields)

    assert store.read(Game.objects.get()).setup.dealer == dealer


# --- home ---


def test_home_says_that_it_is_my_turn_until_i_have_played() -> None:
    phone = Phone()
    phone.open("home").press("Play against bots").press("Start")

    assert "Your turn" in phone.open("home").text

    game = Game.objects.get()
    phone.get(f"/g/{game.pk}/").press("Cover red")
    assert "Your turn" not in phone.open("home").text


def test_home_says_of_every_running_table_whether_it_is_my_turn() -> None:
    phone = Phone()
    for _ in range(3):
        phone.open("home").press("Play against bots").press("Start")
    first = Game.objects.order_by("created_at").first()
    phone.get(f"/g/{first.pk}/").press("Cover red")

    page = phone.open("home")

    assert page.root.one(class_="cont").one(class_="is-due").text == "Your turn"
    rows = page.root.one("ul", class_="is-running").all("li")
    assert ["Your turn" in row.text for row in rows] == [True, False]


def test_the_seats_of_all_tables_take_one_query() -> None:
    phone, counts = Phone(), []
    for _ in range(3):
        phone.open("home").press("Play against bots").press("Start")
        with CaptureQueriesContext(connection) as queries:
            phone.open("home")
        counts.append(len([query for query in queries if query["sql"].startswith("SELECT")]))

    # The session, the keys, the games, their seats, the seats of this browser.
    assert counts == [5, 5, 5]


@pytest.mark.parametrize(
    ("totals", "line"),
    [
        ((14, 20, 20, 3), "You are third, 14"),
        ((20, 20, 1, 3), "You lead, 20"),
        ((-4, 20, 1, 3), "You are fourth, −4"),
        ((7, 7, 7, 7), ""),
    ],
)
def test_home_says_which_place_i_have(totals: tuple[int, ...], line: str) -> None:
    phone = Phone()
    phone.open("home").press("Play against bots").press("Start")
    game = Game.objects.get()
    assert "You " not in phone.open("home").root.one(class_="cont").text
    Game.objects.update(rounds_played=1)
    for seat, total in zip(game.seats.order_by("number"), totals, strict=True):
        seat.total, seat.rank = total, 1 + sum(other > total for other in totals)
        seat.save(update_fields=["total", "rank"])

    text = phone.open("home").root.one(class_="cont").text

    assert line in text if line else "You " not in text and "lead" not in text


def test_home_says_nothing_of_a_turn_beside_the_board() -> None:
    assert "Your turn" not in sit_down(Table(english(2))).open("home").text

"""The pace of a digital table on its pages: the speed of the bots, “Go on”, a tap that hurries."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django_tasks_db.models import DBTaskResult

from games.bot_runner import tasks
from games.models import Game, Key, Speed
from tests.builders import dutch
from tests.cast.digital import DigitalTable, over, rounds_finished
from tests.cast.pages import Page
from tests.cast.seats import at_seats, watching

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


@pytest.fixture
def table() -> DigitalTable:
    """Ana, and bots for Ben and Cleo."""
    return DigitalTable(dutch(3, rounds=3), bots={1: "easy", 2: "easy"})


def speed_of(table: DigitalTable) -> str:
    return Game.objects.get(pk=table.id).speed


def pressed(page: Page) -> list[str]:
    """The speeds that a page shows as chosen."""
    buttons = page.root.all("button", name="speed")
    return [button.attrs["value"] for button in buttons if button.attrs["aria-pressed"] == "true"]


# --- the speed ---


def test_a_player_sets_the_speed_on_the_menu_and_the_table_shows_it(table: DigitalTable) -> None:
    phone = at_seats(table, 0)
    assert pressed(phone.open()) == ["normal"]

    page = phone.open("menu").press("Fast")

    assert speed_of(table) == "fast"
    assert page.address == phone.address_of("menu")
    assert pressed(page) == ["fast"]
    # The version of the game is the same, the page is not.
    assert pressed(phone.open()) == ["fast"]


def test_the_settings_of_the_table_set_it_in_their_place(table: DigitalTable) -> None:
    phone, htmx = at_seats(table, 0), at_seats(table, 0, htmx=True)

    page = phone.post_to(phone.address_of("speed"), {"speed": "instant"})
    part = htmx.post_to(htmx.address_of("speed"), {"speed": "slow"})

    assert page.response.url == phone.address_of("table")
    assert pressed(part) == ["slow"]
    assert 'id="table"' not in part.html
    Game.objects.filter(pk=table.id).update(speed="fast")
    assert pressed(htmx.open("speed")) == ["fast"]


@pytest.mark.parametrize("speed", ["", "faster", "FAST"])
def test_another_speed_is_refused(table: DigitalTable, speed: str) -> None:
    phone = at_seats(table, 0)

    assert phone.post_to(phone.address_of("speed"), {"speed": speed}).status == 400

    assert speed_of(table) == Speed.NORMAL


def test_where_no_bot_plays_there_is_no_speed() -> None:
    people = DigitalTable(dutch(3, rounds=1))
    assert not pressed(at_seats(people, 0).open())
    assert at_seats(people, 0, htmx=True).open("speed").text.strip() == ""
    ended = DigitalTable(dutch(3, rounds=1), bots={1: "easy", 2: "easy"}).play_on(over)
    assert not pressed(at_seats(ended, 0).open("menu"))


# --- going on ---


def after_round(dealer: int = 1) -> DigitalTable:
    return DigitalTable(dutch(3, rounds=3, dealer=dealer), bots={1: "easy", 2: "easy"}).play_on(rounds_finished(1))


def test_going_on_says_that_the_result_is_read_and_shows_the_next_round() -> None:
    table = after_round()
    phone = at_seats(table, 0)

    page = phone.open().press("Go on")

    assert "is-board" in page.root.one(id="table").attrs["class"].split()
    assert Key.objects.get(pk=table.keys[0].pk).ready == table.game.version
    assert table.game.version == table.ledger.version


def test_who_went_on_and_comes_back_is_in_the_next_round() -> None:
    phone = at_seats(after_round(), 0)
    assert "is-result" in phone.open().root.one(id="table").attrs["class"].split()

    phone.open().press("Go on")
    phone.open("menu")

    assert "is-board" in phone.open().root.one(id="table").attrs["class"].split()


def test_the_title_calls_who_is_due_although_the_result_is_shown() -> None:
    waited_for, waiting = at_seats(after_round(), 0).open(), watching(after_round()).open()

    titles = [page.root.one(id="table").attrs["data-title"] for page in (waited_for, waiting)]
    assert titles == ["Your turn", "The result of round 1"]
    heads = [page.root.one("h1").text for page in (waited_for, waiting)]
    assert ["your turn" in head for head in heads] == [True, False]


def test_with_htmx_it_is_the_next_page_at_once() -> None:
    table = after_round()
    phone = at_seats(table, 0, htmx=True)

    page = phone.post_to(phone.address_of("hurry"), {"version": table.game.version, "round": 2})

    assert "is-board" in page.root.one(id="table").attrs["class"]
    assert "<html" not in page.html


def test_a_spectator_goes_on_by_a_link() -> None:
    table = after_round()

    result = watching(table).open()
    page = result.press("Go on")

    # Beside that button there is no room for a sentence.
    assert "You are watching." not in result.text
    assert "is-board" in page.root.one(id="table").attrs["class"]
    assert "You are watching." in page.text


def test_on_a_shared_phone_all_of_its_seats_go_on() -> None:
    table = DigitalTable(dutch(3, rounds=3), bots={2: "easy"}).play_on(rounds_finished(1))
    phone = at_seats(table, 0, 1)

    phone.post_to(phone.address_of("hurry"), {"version": table.game.version, "round": 2, "seat": 0, "open": 1})

    assert set(Key.objects.filter(seat__in=(0, 1), game=table.id).values_list("ready", flat=True)) == {
        table.game.version
    }


# --- hurrying ---


def test_a_tap_is_answered_with_nothing_and_writes_no_entry(table: DigitalTable) -> None:
    phone, before = at_seats(table, 0), table.game.version

    page = phone.post_to(phone.address_of("hurry"), {"version": before})

    assert (page.status, page.html) == (204, "")
    assert Key.objects.get(pk=table.keys[0].pk).ready == before
    assert table.game.version == before


def test_an_older_version_is_taken_too_and_one_that_is_no_number_refused(table: DigitalTable) -> None:
    phone = at_seats(table, 0)

    for version, status in ((table.game.version - 1, 204), ("", 400), ("x", 400), ("9" * 40, 400)):
        assert phone.post_to(phone.address_of("hurry"), {"version": version}).status == status


# --- finishing early ---


def test_against_bots_a_game_ends_only_after_a_question_and_five_seconds() -> None:
    table = after_round()
    phone = at_seats(table, 0)

    page = phone.open("menu").press("Finish early")
    assert not table.ledger.counting.proposals
    page = page.press("Propose it to all")

    assert not table.state.is_over
    assert page.offers("Withdraw")
    (stored,) = DBTaskResult.objects.filter(task_path=tasks.end.module_path)
    assert stored.args_kwargs["args"] == [table.id, table.game.version]
    assert stored.run_after - stored.enqueued_at > timedelta(seconds=4)
    assert not phone.open("menu").offers("Finish early")


def test_a_form_that_no_page_offers_waits_too() -> None:
    table = after_round()
    phone = at_seats(table, 0)

    phone.post_to(phone.address_of("ask"), {"kind": "finish", "version": table.game.version})

    assert table.ledger.counting.proposals
    assert not table.state.is_over

"""What the markers of a table say, as its page shows it."""

from __future__ import annotations

import pytest

from games.rules import Phase
from tests.builders import dutch, english, placing
from tests.cast.digital import DigitalTable, over, rounds_finished
from tests.cast.pages import Page, Phone, sit_down
from tests.cast.seats import at_seats, watching
from tests.cast.tables import ROUND_1, Table

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

COUNTED = ("team alone monster 0", "tally 5+1 4+1 3+1")


def sections(page: Page) -> list[str]:
    """What the page speaks of."""
    return [node.attrs["id"] for node in page.root.all("section")]


def lines(page: Page, section: str) -> list[list[str]]:
    """The table of a section."""
    rows = page.root.one("section", id=section).all("tr")
    return [[cell.text for cell in row if cell.tag in ("th", "td")] for row in rows]


def test_a_round_that_was_placed_marker_by_marker_tells_everything(db: None) -> None:
    setup = dutch(3, rounds=1)
    table = Table(setup, *placing(setup, "0 njet blue black 2"), *COUNTED)

    page = sit_down(table).open("sheet").press("Who covered what")

    assert page.texts("p", class_="lead") == ["1 of 1 round was placed marker by marker."]
    assert sections(page) == ["tokens", "decided", "stakes", "price"]
    assert lines(page, "tokens") == [
        ["", "A Ana", "B Ben", "C Cleo", "All"],
        ["A Ana", "–", "–", "–", "–"],
        ["B Ben", "–", "1", "–", "1"],
        ["C Cleo", "–", "–", "1", "1"],
    ]
    assert lines(page, "decided")[1:] == [
        ["Start player", "–", "–", "1", "–"],
        ["Discard", "–", "1", "–", "–"],
        ["Trump", "–", "1", "–", "–"],
        ["Super trump", "–", "–", "1", "–"],
        ["Points a trick", "–", "–", "1", "1"],
    ]
    assert page.texts("dd")[0] == "Cleo covered their own token and left Ana’s token open."
    assert lines(page, "stakes")[1:] == [["2", "24", "18", "18", "1"]]
    assert lines(page, "price") == [["Round", "Brought", "Ahead", "Without"], ["1 A Ana", "+12", "+6", "−6"]]
    assert page.texts("p", class_="stands-out") == [
        "It brought the most for Ana: +12 in 1 round.",
        "Without it round 1 would have ended otherwise.",
    ]


def test_blocks_and_repeated_covers_are_said_in_sentences(db: None) -> None:
    # Ben, Cleo, Dan, Ana in turn: Ben has covered two stakes when Cleo covers a third.
    markers = [
        *("points 4", "start 1", "start 3", "discard discard_1"),
        *("points 3", "points 1", "trump blue", "start 0"),
        *("trump red", "discard discard_2", "supertrump red", "supertrump blue"),
        *("trump black", "supertrump black", "supertrump green"),
    ]
    table = Table(dutch(4, rounds=1), *markers, "team 0", "tally 4+1 2 2 2")

    page = sit_down(table).open("placements")

    assert page.texts("dd")[:1] == ["Cleo covered 1 point, against Ben."]
    assert lines(page, "blocks")[3] == ["C Cleo", "–", "1", "–", "–", "1"]
    assert page.texts("p", class_="stands-out") == []


def test_rounds_at_minus_two_are_named_with_the_last_marker(db: None) -> None:
    setup = english(2, rounds=1)
    table = Table(setup, *placing(setup, "0 njet red blue -2"), "tally 10+1 5")

    page = sit_down(table).open("placements")

    assert lines(page, "stakes")[1:] == [["−2", "−22", "−10", "1"]]
    assert page.texts("p", class_="stands-out") == [
        "Ana blocked Ben 4 times.",
        "Round 1 was played at −2: Ana covered the last other stake.",
    ]
    assert "price" not in sections(page)


def test_boards_that_were_entered_in_one_go_say_nothing_of_markers(round_2: Table, ana: Phone) -> None:
    page = ana.open("placements")

    assert page.texts("p", class_="lead") == [
        "The boards of this game were entered in one go, so nothing is known of its markers."
    ]
    assert sections(page) == ["stakes", "price"]


def test_before_the_first_complete_round_the_page_says_so(table: Table, ana: Phone) -> None:
    table.record("trump red", "trump black")

    page = ana.open("placements")

    assert page.texts("p", class_="lead") == ["No round is complete yet: this page begins with the first one."]
    assert sections(page) == []


def test_markers_before_a_board_that_was_completed_in_one_go_count(db: None) -> None:
    table = Table(dutch(3, rounds=1), "start 2", *ROUND_1)

    page = sit_down(table).open("placements")

    assert page.texts("p", class_="lead") == [
        "0 of 1 round was placed marker by marker.",
        "Markers that were not recorded one by one are not counted here.",
    ]
    assert sections(page) == ["tokens", "stakes", "price"]


def test_the_end_of_a_game_leads_there(finished: Table, ana: Phone, cleo: Phone) -> None:
    for phone in (ana, cleo):
        assert phone.open().press("Who covered what").address == phone.address_of("placements")


def test_a_finished_digital_game_leads_there(db: None) -> None:
    page = at_seats(DigitalTable(dutch(3, rounds=1)).play_on(over), 0).open().press("Who covered what")

    assert page.texts("p", class_="lead") == ["1 of 1 round was placed marker by marker."]
    assert {"tokens", "decided", "stakes", "price"} <= set(sections(page))


def test_while_a_digital_game_is_played_everybody_reads_the_same_of_its_complete_rounds(db: None) -> None:
    game = DigitalTable(dutch(3, rounds=2)).play_on(rounds_finished(1))
    before = watching(game).open("placements").text
    game.play_on(lambda state: state.phase is Phase.TRICKS)

    assert {at_seats(game, seat).open("placements").text for seat in range(3)} == {before}

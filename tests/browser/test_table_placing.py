"""The board of a table: markers, refusals, second taps, quick entry, undo.  By touch, at 360×640."""

from __future__ import annotations

import time

import pytest
from playwright.sync_api import Locator, expect

from games.rules import Setup
from tests.browser.facts import places
from tests.browser.phone import Phone
from tests.browser.prepared import ANA, BEN, CLEO, EVE, lay, markers, sit
from tests.browser.sizes import PHONE
from tests.browser.states import SETTLED, TEAMS
from tests.builders import dutch, english, placing
from tests.cast.tables import Table

pytestmark = pytest.mark.browser


# --- placing ---


def test_the_last_open_space_and_a_covered_one_refuse_and_the_next_tap_succeeds(phone: Phone) -> None:
    lay(phone, english(5), "trump red", "trump black", "trump blue", "trump njet")

    assert phone.tap_space("trump", "yellow") == "last_open_space"
    phone.tap("Close")
    expect(phone.page.locator(".notice")).to_have_count(0)
    assert phone.tap_space("trump", "red") == "row_closed"

    assert (phone.version, phone.turn) == (4, EVE)
    phone.cover("points", "4")
    assert phone.notices == []
    assert phone.turn == ANA


def test_a_refusal_goes_by_itself(phone: Phone) -> None:
    lay(phone, english(5), "trump red", "trump black", "trump blue", "trump njet")
    phone.tap_space("trump", "yellow")
    expect(phone.page.locator(".row-trump.is-refused")).to_have_count(1)

    expect(phone.page.locator(".notice")).to_have_count(0, timeout=8000)
    expect(phone.page.locator(".is-refused")).to_have_count(0)


def test_neither_names_nor_notices_nor_results_move_the_board(phone: Phone) -> None:
    names = ["Dan", "Maximiliane-Charlotte", "Ana", "Ben", "Eve"]
    setup = Setup.of(preset="njet-english", names=names, tokens=[None] * 5, dealer=0)
    lay(phone, setup, "trump red", "trump black", "trump blue")

    before = places(phone.page, ".row")
    phone.cover("points", "1")
    assert places(phone.page, ".row") == before
    phone.cover("trump", "njet")
    assert places(phone.page, ".row") == before
    phone.tap_space("trump", "yellow")
    assert places(phone.page, ".row") == before


def test_a_second_tap_on_undo_at_once_is_ignored(phone: Phone) -> None:
    lay(phone, english(5), "trump red", "points 4", "discard njet")

    phone.page.locator(".undo button").dblclick()

    expect(phone.table).to_have_attribute("data-version", "4")
    phone.page.wait_for_timeout(500)
    assert phone.version == 4
    assert phone.undo_says == "Undo: Ben covered 4 points"


def again(phone: Phone, target: Locator, *, gap: int) -> None:
    """Tap a thing, and its place again some milliseconds later, or as soon as something else has come there."""
    box = target.bounding_box()
    assert box is not None
    version = phone.version
    start = time.monotonic()
    target.tap()
    expect(phone.table).not_to_have_attribute("data-version", str(version))
    phone.page.wait_for_timeout(max(0.0, gap - 1000 * (time.monotonic() - start)))
    phone.page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    phone.page.wait_for_timeout(300)


@pytest.mark.parametrize(("players", "gap"), [(4, 150), (4, 500), (5, 500)])
def test_a_second_tap_in_the_place_of_the_last_marker_names_no_team(phone: Phone, players: int, gap: int) -> None:
    """With four players it would be recorded at once, with five it would lead to the monster."""
    setup = english(players)
    number = len(placing(setup, "3 njet black blue 2")) - 1
    table = lay(phone, setup, *markers(setup, "3 njet black blue 2", number=number))

    again(phone, phone.page.locator(".space:not(.is-covered, .is-left)").last, gap=gap)

    assert (phone.shows, phone.version) == ("teams", table.version)
    assert phone.table.get_attribute("data-phase") == "teams-1"


def test_a_second_tap_on_the_count_of_a_round_leaves_its_result_open(phone: Phone) -> None:
    table = lay(phone, english(3, rounds=2), "open 0 njet black blue 2", "team alone monster 0")
    phone.enter_tally({ANA: (6, 0), BEN: (5, 0), CLEO: (5, 0)})

    again(phone, phone.page.get_by_role("button", name="Count the round"), gap=300)

    assert len(table.state.finished) == 1
    assert phone.path == f"/g/{table.id}/"


def test_a_second_tap_on_the_winner_of_a_trick_counts_it_once(phone: Phone) -> None:
    table = lay(phone, english(5), SETTLED, TEAMS)
    version = table.version

    # The time of the page, so that a slow machine does not make two taps of it.
    phone.page.evaluate("performance.now = () => 1000")
    winner = phone.page.locator('button[name="trick"][value="0:0"]')
    winner.tap()
    expect(phone.table).not_to_have_attribute("data-version", str(version))
    phone.page.evaluate("performance.now = () => 1100")
    winner.tap()
    phone.page.wait_for_timeout(300)

    assert table.version == version + 1
    phone.page.evaluate("performance.now = () => 1900")
    winner.tap()
    expect(phone.table).to_have_attribute("data-version", str(version + 2))


# --- quick entry ---


def test_quick_entry_takes_five_taps_and_says_what_each_row_decides(phone: Phone) -> None:
    lay(phone, english(5), path="quick/")
    choices = {"start": "4", "discard": "njet", "trump": "blue", "supertrump": "njet", "points": "3"}

    for row, space in choices.items():
        if row == "supertrump":
            expect(phone.page.locator(".row-title", has_text="Trump").first).to_contain_text("Blue is trump")
        phone.touch(phone.page.locator(f'[name="{row}"][value="{space}"]'))

    expect(phone.table).to_have_attribute("data-version", "1")
    assert phone.shows == "teams"
    assert phone.focused == phone.heading


def test_the_second_tap_of_a_bounce_on_the_last_row_names_no_team(phone: Phone) -> None:
    lay(phone, english(5), path="quick/")
    for row, space in {"start": "4", "discard": "njet", "trump": "blue", "supertrump": "njet", "points": "3"}.items():
        phone.touch(phone.page.locator(f'[name="{row}"][value="{space}"]'))
    expect(phone.table).to_have_attribute("data-version", "1")
    stored = phone.page.evaluate("JSON.parse(sessionStorage.tap)")
    assert stored["at"] > 0
    assert 0 < stored["y"] < PHONE.height
    choice = phone.page.locator(".lineups .choice").first
    box = choice.bounding_box()
    assert box is not None

    def tap_after(milliseconds: int) -> None:
        """The first tap of the bounce was in the place of the choice, so long before the page can be tapped."""
        place = {"x": box["x"] + 9, "y": box["y"] + 9, "past": milliseconds}
        phone.page.evaluate(
            "({ x, y, past }) => { sessionStorage.tap = JSON.stringify({ at: Date.now() + 5000 - past, x, y }); }",
            place,
        )
        phone.page.reload()
        phone.page.touchscreen.tap(place["x"], place["y"])

    tap_after(0)
    phone.page.wait_for_timeout(300)
    assert "partners" not in phone.page.url
    assert phone.version == 1
    tap_after(10_000)
    expect(phone.page.locator('.choice[value*=":"]').first).to_be_visible()


def test_quick_entry_says_on_the_page_which_row_is_missing(phone: Phone) -> None:
    lay(phone, english(5), path="quick/")
    phone.touch(phone.page.locator('[name="start"][value="4"]'))

    phone.tap("Use this board")

    expect(phone.page.get_by_role("alert")).to_be_visible()
    assert phone.focused == "discard 1"
    phone.touch(phone.page.locator('[name="discard"][value="njet"]'))
    expect(phone.page.get_by_role("alert")).to_be_hidden()


def test_markers_are_counted_down_and_absent_tokens_lie_covered(phone: Phone) -> None:
    lay(phone, dutch(3), path="?board")
    assert phone.markers_left == {"Ben": 5, "Cleo": 5, "Ana": 4}
    expect(phone.page.get_by_label("raven: nobody plays it")).to_be_visible()

    phone.cover("points", "4")
    phone.cover("points", "3")

    assert phone.markers_left == {"Ben": 4, "Cleo": 4, "Ana": 4}


# --- undo ---


def test_undo_names_what_it_undoes(phone: Phone) -> None:
    lay(phone, english(5), "trump red", "points 4")
    assert phone.undo_says == "Undo: Ben covered 4 points"

    phone.undo()
    assert phone.undo_says == "Undo: Ana covered red trump"
    assert phone.turn == BEN
    phone.undo()

    assert phone.shows == "board"
    expect(phone.page.locator(".undo")).to_be_hidden()


def test_undo_of_what_another_phone_recorded_asks_first(phone: Phone) -> None:
    table = Table(english(5), "trump red", "points 4")
    sit(phone, table, table.other_key())
    phone.open(f"/g/{table.id}/")

    phone.touch(phone.page.locator(".undo button"))

    expect(phone.page.get_by_role("button", name="Take it back")).to_be_visible()
    assert phone.version == 2
    phone.tap("Take it back")
    expect(phone.table).to_have_attribute("data-version", "3")
    assert phone.turn == BEN


def test_a_forgotten_marker_is_inserted_from_the_log(phone: Phone) -> None:
    lay(phone, english(5), "trump red", "points 4", path="history/")

    entry = phone.page.locator("article", has_text="Ana covered red trump")
    phone.touch(entry.locator("summary"))
    phone.touch(entry.get_by_text("Insert a forgotten one after it"))
    forgotten = phone.page.locator('[name="e1.0-insert"][value="trump:blue"]').locator("..")
    expect(forgotten).to_be_in_viewport()
    phone.touch(forgotten)
    phone.tap("Preview")

    assert phone.sees("inserted: Ben covered blue trump")

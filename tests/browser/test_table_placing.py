"""The board of a table: markers, refusals, second taps, quick entry, undo.  By touch, at 360×640."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from games.rules import Setup
from tests.browser.facts import places
from tests.browser.phone import Phone
from tests.browser.prepared import ANA, EVE, lay
from tests.browser.states import SETTLED, TEAMS
from tests.builders import english

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


def test_quick_entry_says_on_the_page_which_row_is_missing(phone: Phone) -> None:
    lay(phone, english(5), path="quick/")
    phone.touch(phone.page.locator('[name="start"][value="4"]'))

    phone.page.locator('[name="start"][value="4"]').press("Enter")

    expect(phone.page.get_by_role("alert")).to_be_visible()
    assert phone.focused == "discard 1"
    phone.touch(phone.page.locator('[name="discard"][value="njet"]'))
    expect(phone.page.get_by_role("alert")).to_be_hidden()


def test_quick_entry_shows_its_button_only_for_what_does_not_send_itself(phone: Phone) -> None:
    """A finger that wants to press it after the fifth tap would press what comes in its place."""
    lay(phone, english(5), path="quick/")
    button = phone.page.get_by_role("button", name="Use this board")
    rows = {"start": "4", "discard": "njet", "trump": "blue", "supertrump": "njet", "points": "3"}
    for row, space in rows.items():
        expect(button).to_be_hidden()
        phone.page.locator(f'[name="{row}"][value="{space}"]').press("Space")

    button.click()

    expect(phone.table).to_have_attribute("data-version", "1")


# --- undo ---


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

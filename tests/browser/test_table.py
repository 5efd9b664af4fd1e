"""One evening at the table beside the whole games: mistakes, second phones, endings.  By touch, at 360×640."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, expect

from games.models import Game
from games.rules import Setup
from tests.browser.conftest import OpenPhone
from tests.browser.phone import Phone, Size
from tests.browser.prepared import lay, markers, sit, viewer_of
from tests.browser.states import SETTLED, TEAMS
from tests.builders import dutch, english, placing, wikipedia
from tests.services.tables import ROUND_1, ROUND_2, Table

pytestmark = pytest.mark.browser

ANA, BEN, CLEO, DAN, EVE = FIVE = ["Ana", "Ben", "Cleo", "Dan", "Eve"]


# --- placing ---


def test_the_last_open_space_refuses_and_says_why(phone: Phone) -> None:
    lay(phone, english(5), "trump red", "trump black", "trump blue", "trump njet")
    assert phone.settled("trump") == "Yellow is trump"

    assert phone.tap_space("trump", "yellow") == (
        "“yellow” is the last open space of the row “Trump”: exactly one stays open."
    )

    assert phone.version == 4
    assert phone.turn == EVE
    phone.cover("points", "4")
    assert phone.notices == []
    assert phone.turn == ANA


def test_a_covered_space_refuses_and_says_so(phone: Phone) -> None:
    lay(phone, english(5), "trump red")

    assert phone.tap_space("trump", "red") == "The space “red” of the row “Trump” is covered already."

    assert phone.version == 1
    assert phone.turn == BEN


def test_a_refusal_is_put_away(phone: Phone) -> None:
    lay(phone, english(5), "trump red", "trump black", "trump blue", "trump njet")
    phone.tap_space("trump", "yellow")

    phone.tap("Close")

    expect(phone.page.locator(".notice")).to_have_count(0)
    assert phone.shows == "board"
    assert phone.version == 4


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

    def tops() -> list[float]:
        return [box["y"] for row in phone.page.locator(".row").all() if (box := row.bounding_box())]

    before = tops()
    phone.cover("points", "1")
    assert tops() == before
    phone.cover("trump", "njet")
    assert tops() == before
    phone.tap_space("trump", "yellow")
    assert tops() == before


def test_a_second_tap_on_undo_at_once_is_ignored(phone: Phone) -> None:
    lay(phone, english(5), "trump red", "points 4", "discard njet")

    phone.page.locator(".undo button").dblclick()

    expect(phone.table).to_have_attribute("data-version", "4")
    phone.page.wait_for_timeout(500)
    assert phone.version == 4
    assert phone.undo_says == "Undo: Ben covered 4 points"


def again(phone: Phone, target: Locator, *, gap: int) -> None:
    """Tap a thing, then its place again so many milliseconds after something else has come there."""
    box = target.bounding_box()
    assert box is not None
    version = phone.version
    target.tap()
    expect(phone.table).not_to_have_attribute("data-version", str(version))
    phone.page.wait_for_timeout(gap)
    phone.page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    phone.page.wait_for_timeout(300)


def with_guard(phone: Phone, table: Table) -> None:
    """What guards against second taps has arrived: it is loaded with the first tap."""
    phone.page.locator("#here-button").tap()
    expect(phone.page.locator('script[src*="first-tap"]')).to_have_count(1)
    phone.page.keyboard.press("Escape")
    expect(phone.table).to_have_attribute("data-version", str(table.version))


@pytest.mark.parametrize(("players", "gap"), [(4, 100), (4, 500), (5, 500)])
def test_a_second_tap_in_the_place_of_the_last_marker_names_no_team(phone: Phone, players: int, gap: int) -> None:
    """With four players it would be recorded at once, with five it would lead to the monster."""
    setup = english(players)
    number = len(placing(setup, "3 njet black blue 2")) - 1
    table = lay(phone, setup, *markers(setup, "3 njet black blue 2", number=number))
    with_guard(phone, table)

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

    again(phone, phone.page.locator('button[name="trick"][value="0:0"]'), gap=50)

    assert table.version == version + 1


# --- quick entry ---


def test_quick_entry_takes_five_taps_and_says_what_each_row_decides(phone: Phone) -> None:
    lay(phone, english(5), path="quick/")
    choices = {"start": "4", "discard": "njet", "trump": "blue", "supertrump": "njet", "points": "3"}

    for row, space in choices.items():
        if row == "supertrump":
            expect(phone.page.locator("legend", has_text="Trump").first).to_contain_text("Blue is trump")
        phone.touch(phone.page.locator(f'[name="{row}"][value="{space}"]'))

    expect(phone.table).to_have_attribute("data-version", "1")
    assert phone.shows == "teams"


def test_quick_entry_says_on_the_page_which_row_is_missing(phone: Phone) -> None:
    lay(phone, english(5), path="quick/")
    phone.touch(phone.page.locator('[name="start"][value="4"]'))

    phone.tap("Use this board")

    expect(phone.page.get_by_role("alert")).to_have_text("Tap the space that stayed open in the row “Discard”.")
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


def test_a_table_without_the_start_row_picks_another_start_player(phone: Phone) -> None:
    lay(phone, wikipedia(4, start_row=False), "open njet black blue 2")
    assert phone.turn == ANA

    phone.touch(phone.page.get_by_text("The table agreed on another start player"))
    phone.touch(phone.page.locator(".chips .chip", has_text="Cleo"))
    expect(phone.page.locator(".turn b")).to_have_text("Cleo")
    phone.name_team("Dan")

    assert phone.sides == [["Cleo", "Dan"], ["Ana", "Ben"]]


def test_the_first_dealer_is_picked_on_the_setup_card(phone: Phone) -> None:
    lay(phone, dutch(3))

    phone.touch(phone.page.locator(".chip", has_text="Cleo"))

    expect(phone.page.locator("h1")).to_contain_text("Cleo deals")
    phone.begin_placing()
    assert phone.turn == ANA


# --- undo ---


def test_undo_names_what_it_undoes(phone: Phone) -> None:
    lay(phone, english(5), "trump red", "points 4")
    assert phone.undo_says == "Undo: Ben covered 4 points"

    phone.undo()
    assert phone.undo_says == "Undo: Ana covered red trump"
    assert phone.turn == BEN
    phone.undo()

    assert phone.shows == "board"
    expect(phone.page.locator(".undo")).to_have_count(0)


def test_undo_of_what_another_phone_recorded_asks_first(phone: Phone) -> None:
    table = Table(english(5), "trump red", "points 4")
    sit(phone, table, table.other_key())
    phone.open(f"/g/{table.id}/")

    phone.touch(phone.page.locator(".undo button"))

    assert phone.notice == "Phone 1 recorded: Ben covered 4 points. Take it back?"
    assert phone.version == 2
    phone.tap("Take it back")
    expect(phone.table).to_have_attribute("data-version", "3")
    assert phone.turn == BEN


def test_several_entries_are_named_before_they_are_undone(phone: Phone) -> None:
    lay(phone, english(5), "trump red", "points 4", "discard njet", path="history/")

    entry = phone.page.locator("article", has_text="Ben covered 4 points")
    phone.touch(entry.locator("summary"))
    phone.touch(entry.get_by_text("Undo this and everything after it"))

    assert phone.sees("2 entries are taken back, the latest first:")
    assert phone.setup_steps == ["Cleo covered “njet” (discard)", "Ben covered 4 points"]
    phone.tap("Take back")
    expect(phone.table).to_have_attribute("data-version", "5")
    assert phone.turn == BEN


# --- counting ---


def test_the_button_waits_until_the_sum_fits_and_says_what_is_missing(phone: Phone) -> None:
    lay(phone, dutch(3), "open 0 njet blue black 2", "team alone monster 0")

    phone.enter_tally({"Ana": (5, 1), "Ben": (4, 1), "Cleo": (2, 1)})
    assert phone.progress == "11 of 12 tricks 3 captured"
    assert phone.count_says == "Tricks: 1 missing"
    phone.page.locator("button[form=tally]").tap(force=True)

    expect(phone.page.locator("button[form=tally]")).to_have_attribute("aria-disabled", "true")
    assert phone.version == 2
    assert phone.page.locator('[name="tricks-0"]').input_value() == "5"
    phone.tally({"Ana": (5, 1), "Ben": (4, 1), "Cleo": (3, 1)})
    assert phone.formulas == ["(5 + 1) × 2 × 2 = 24", "(7 + 2) × 2 = 18"]


def test_captured_cards_without_a_trick_are_refused(phone: Phone) -> None:
    lay(phone, dutch(3), "open 0 njet blue black 2", "team alone monster 0")

    phone.enter_tally({"Ana": (12, 1), "Ben": (0, 1)})
    phone.tap("Count the round")

    assert phone.notice == "Ben has captured cards but no trick."
    expect(phone.page.locator('[name="captured-1"]')).to_be_focused()
    assert phone.page.locator('[name="tricks-0"]').input_value() == "12"
    assert phone.version == 2


def test_without_script_a_refused_tally_keeps_its_figures_when_the_message_is_closed(open_phone: OpenPhone) -> None:
    phone = open_phone(script=False)
    lay(phone, dutch(3), "open 0 njet blue black 2", "team alone monster 0", path="?count=tally")

    phone.figure("tricks", "Ana").fill("5")
    phone.tap("Count the round")
    assert phone.notice == "7 tricks are missing: 5 of 12 are entered."
    expect(phone.page.get_by_role("alert")).to_be_focused()
    phone.touch(phone.page.get_by_role("link", name="Close"))

    expect(phone.page.get_by_role("alert")).to_be_hidden()
    assert phone.figure("tricks", "Ana").input_value() == "5"


def test_a_round_is_tallied_in_nine_taps(phone: Phone) -> None:
    lay(phone, english(5), SETTLED, TEAMS)
    taps = [phone.page.get_by_role("link", name="Whole round")]
    taps += [phone.key(number) for number in (3, 2, 4, 2)]
    taps += [phone.page.get_by_label(f"{name}: one captured 0 more") for name in ("Ana", "Cleo", "Eve")]
    taps += [phone.page.get_by_role("button", name="Count the round")]

    for tap in taps:
        phone.touch(tap)

    assert len(taps) == 9
    expect(phone.table).to_have_attribute("data-version", "3")
    assert phone.sees("Round 2")


def test_the_last_player_gets_what_is_left_unless_it_was_typed(phone: Phone) -> None:
    lay(phone, dutch(3), "open 0 njet blue black 2", "team alone monster 0", path="?count=tally")
    last = phone.figure("tricks", "Cleo")

    phone.touch(phone.key(5))
    expect(last).to_have_value("")
    phone.touch(phone.key(4))
    expect(last).to_have_value("3")
    expect(phone.figure("captured", "Ana")).to_be_focused()
    phone.figure("tricks", "Ana").fill("6")
    expect(last).to_have_value("2")

    last.fill("4")
    phone.figure("tricks", "Ana").fill("5")
    expect(last).to_have_value("4")
    assert phone.count_says == "Tricks: 1 too many"


def test_typed_numbers_survive_the_other_way_the_sheet_and_a_reload(phone: Phone) -> None:
    lay(phone, english(5), SETTLED, TEAMS, "trick 0+1", path="?count=tally")
    assert phone.figure("tricks", "Ana").input_value() == "1"
    phone.touch(phone.key(3))
    phone.touch(phone.key(2))

    phone.tap("Tricks")
    assert phone.page.locator(".remind").inner_text() == "5 of 12 tricks typed, not counted yet."
    phone.tap("Sheet")
    phone.page.wait_for_url("**/sheet/")
    phone.page.go_back()
    phone.page.reload()
    phone.tap("Whole round")
    assert [phone.figure("tricks", name).input_value() for name in ("Ana", "Ben", "Cleo")] == ["3", "2", "0"]
    assert phone.figure("captured", "Ana").input_value() == "1"

    phone.tap("More")
    phone.page.locator(".bar a").first.tap()
    expect(phone.figure("tricks", "Ben")).to_have_value("2")


def test_typed_numbers_are_gone_when_the_round_is_counted(phone: Phone) -> None:
    table = lay(phone, dutch(3), "open 0 njet blue black 2", "team alone monster 0", path="?count=tally")
    phone.touch(phone.key(5))

    table.record("tally 6 3 3")
    expect(phone.page.locator(".result")).to_be_visible()
    phone.undo()

    expect(phone.figure("tricks", "Ana")).to_have_value("")


def test_the_numbers_of_a_tally_come_back_when_it_is_undone(phone: Phone) -> None:
    lay(phone, english(5), SETTLED, TEAMS, path="?count=tally")
    for tricks in (3, 2, 4, 2):
        phone.touch(phone.key(tricks))
    phone.tap("Count the round")
    expect(phone.page.locator(".result")).to_be_visible()

    phone.undo()

    assert [phone.figure("tricks", name).input_value() for name in FIVE] == ["3", "2", "4", "2", "1"]
    phone.touch(phone.figure("tricks", "Ana"))
    phone.touch(phone.key(2))
    assert phone.count_says == "12 tricks · 0 captured"


def test_twelve_tricks_take_twelve_taps(phone: Phone) -> None:
    lay(phone, english(5), SETTLED, TEAMS)

    for number in range(12):
        phone.win_trick("Ana" if number % 3 else "Eve", number % 2)

    assert phone.version == 14
    assert phone.sees("Round 2")


def test_rows_stay_where_they_are_while_tricks_are_counted(phone: Phone) -> None:
    lay(phone, english(5), "open 0 discard_1 black blue 2", TEAMS)
    rows = phone.page.locator(".winner")
    before = [row.bounding_box() for row in rows.all()]

    for name, captured in (("Ana", 1), ("Ana", 2), ("Dan", 3), ("Ana", 0)):
        phone.win_trick(name, captured)
        assert [row.bounding_box() for row in rows.all()] == before


# --- the taps of a round ---


COUNT_TAPS = """
addEventListener("pointerdown", () => {
  sessionStorage.taps = Number(sessionStorage.taps ?? 0) + 1;
}, true);
"""


def taps_of(phone: Phone) -> int:
    return int(phone.page.evaluate("sessionStorage.taps"))


def test_a_round_with_the_settled_board_and_a_tally_takes_16_taps(phone: Phone) -> None:
    # The phone has counted the first round at once, and so begins with that.
    lay(phone, english(5), SETTLED, TEAMS, path="?count=tally")
    phone.enter_tally({"Ana": (3, 0), "Ben": (3, 0), "Cleo": (2, 0), "Dan": (2, 0), "Eve": (2, 0)})
    phone.tap("Count the round")
    expect(phone.page.locator(".result")).to_be_visible()
    phone.page.context.add_init_script(COUNT_TAPS)
    phone.page.reload()

    phone.tap("Enter the board")
    for row, space in {"start": "4", "discard": "njet", "trump": "blue", "supertrump": "njet", "points": "3"}.items():
        phone.touch(phone.page.locator(f'[name="{row}"][value="{space}"]'))
    expect(phone.page.locator(".is-teams")).to_be_visible()
    phone.name_team("Ana", "Ben", monster="Cleo")
    for tricks in (3, 2, 4, 2):
        phone.touch(phone.key(tricks))
    for name in ("Ana", "Cleo", "Eve"):
        phone.touch(phone.page.get_by_label(f"{name}: one captured 0 more"))
    phone.tap("Count the round")

    expect(phone.page.locator(".result h2").first).to_have_text("Round 2")
    assert taps_of(phone) == 16


def test_a_round_with_every_marker_and_every_trick_takes_35_taps(phone: Phone) -> None:
    lay(phone, english(5))
    phone.page.context.add_init_script(COUNT_TAPS)
    phone.page.reload()

    phone.begin_placing()
    for row, spaces in {
        "start": FIVE[:4],
        "discard": ["discard_1", "discard_2", "discard_2_no_zero", "pass_2_right"],
        "trump": ["red", "black", "blue", "yellow"],
        "supertrump": ["red", "black", "blue", "yellow"],
        "points": ["1", "3", "4", "-2"],
    }.items():
        for space in spaces:
            phone.cover(row, space)
    phone.name_team("Ana", "Ben", monster="Cleo")
    for number in range(12):
        phone.win_trick(FIVE[number % 5], number % 2)

    expect(phone.page.locator(".result h2").first).to_have_text("Round 1")
    assert taps_of(phone) == 35


# --- the top of a phase ---


def test_a_phase_begins_at_its_top_with_the_focus_on_the_heading(phone: Phone) -> None:
    lay(phone, dutch(3), *ROUND_1, "open 1 njet red green 3", "team 0 monster 2")
    phone.turn_into(Size(320, 400), "light")
    phone.enter_tally({"Ana": (4, 0), "Ben": (4, 2), "Cleo": (4, 1)})
    assert scrolled_down(phone) > 0

    phone.tap("Count the round")

    expect(phone.page.locator(".result")).to_be_in_viewport()
    assert scrolled_down(phone, to_the_end=False) == 0
    expect(phone.page.locator("h1")).to_be_focused()


def test_what_others_record_moves_the_page_only_with_the_phase(phone: Phone) -> None:
    table = lay(phone, dutch(3), "trump red")
    phone.turn_into(Size(320, 400), "light")
    below = scrolled_down(phone)
    assert below > 0

    table.record("points 4")
    phone.page.evaluate("Line.refresh()")
    expect(phone.table).to_have_attribute("data-version", "2")
    assert scrolled_down(phone, to_the_end=False) == below

    table.record("void misdeal")
    phone.page.evaluate("Line.refresh()")
    expect(phone.table).to_have_attribute("data-version", "3")
    assert scrolled_down(phone, to_the_end=False) == 0


def scrolled_down(phone: Phone, *, to_the_end: bool = True) -> float:
    """How far the page is scrolled, if wished after scrolling it to its end."""
    if to_the_end:
        phone.page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
    down: float = phone.page.evaluate("scrollY")
    return down


# --- corrections ---


def test_an_amended_round_1_changes_the_totals_exactly_as_previewed(phone: Phone) -> None:
    lay(phone, dutch(3, rounds=6), *ROUND_1, *ROUND_2)
    assert phone.standings == {"Ana": "54", "Ben": "48", "Cleo": "48"}

    phone.tap("Sheet")
    phone.touch(phone.page.get_by_role("link", name="Correct round 1"))
    # Ana 4 and Ben 5 instead of 5 and 4: (4 + 1) × 2 × 2 = 20 and (5 + 1 + 3 + 1) × 2 = 20.
    phone.figure("tricks", ANA).fill("4")
    phone.figure("tricks", BEN).fill("5")
    phone.tap("Preview")

    assert phone.sees("On the sheet")
    # 54 − 24 + 20; 48 − 18 + 20 twice
    assert phone.changes == {"Ana": "54 → 50", "Ben": "48 → 50, second → first", "Cleo": "48 → 50, second → first"}
    phone.tap("Correct it")
    phone.sees("Score sheet")
    phone.touch(phone.page.get_by_role("link", name="Back to the table"))
    expect(phone.table).to_be_visible()
    assert phone.standings == {"Ana": "50", "Ben": "50", "Cleo": "50"}
    assert phone.read_sheet().running == {
        "1": ["20", "20", "20"],
        "2": ["50", "50", "50"],
        "3": ["", "", ""],
    }


def test_a_wrong_figure_is_corrected_in_four_taps_from_the_sheet(phone: Phone) -> None:
    lay(phone, dutch(3, rounds=6), *ROUND_1, *ROUND_2, path="sheet/")

    phone.touch(phone.page.get_by_role("link", name="Correct round 1"))
    expect(phone.page.get_by_text("12 of 12 tricks")).to_be_visible()
    phone.touch(phone.figure("captured", BEN))
    # The figure that stands is selected: the first key replaces it.
    phone.page.keyboard.type("2")
    phone.tap("Preview")
    phone.sees("On the sheet")
    assert phone.changes == {"Ben": "48 → 50", "Cleo": "48 → 50"}
    phone.tap("Correct it")

    phone.sees("Score sheet")
    expect(phone.page.get_by_text("✎").first).to_be_visible()


def test_the_board_of_a_round_is_corrected_by_taps_on_what_stays_open(phone: Phone) -> None:
    lay(phone, english(5), "open 0 njet black blue 2", "team 1 2 monster 4", "tally 3 3 2 2 2", path="correct/1/")

    phone.touch(phone.page.locator(".of-board summary"))
    for row, space in (("trump", "red"), ("start", "3")):
        phone.touch(phone.page.locator(f'[name="{row}"][value="{space}"]').locator(".."))
    expect(phone.page.locator("em", has_text="Red is trump")).to_be_visible()
    expect(phone.page.locator("em", has_text="Dan starts")).to_be_visible()
    phone.tap("Preview")
    expect(phone.page.locator(".field-error")).to_have_text("Dan starts now. Look at the partners again.")
    expect(phone.page.locator("em", has_text="Red is trump")).to_be_visible()

    # Of the smaller team, one of two holds the monster card.
    expect(phone.page.locator('[name="monster"]:visible')).to_have_count(2)
    phone.tap("Preview")

    assert phone.sees("On the sheet")
    assert phone.sees("Dan plays with Eve")


def test_a_correction_that_makes_a_later_entry_impossible_is_refused(phone: Phone) -> None:
    lay(phone, english(5), "trump red", "points 4", "trump black", path="correct/1/")

    phone.touch(phone.page.get_by_text("1. Ana covered red trump"))
    phone.page.locator("select").first.select_option("trump:black")
    phone.tap("Preview")

    assert phone.notice == (
        "Entry 3, “Cleo covered black trump”, would become impossible: "
        "The space “black” of the row “Trump” is covered already."
    )
    phone.go("")
    assert phone.version == 3


def test_a_wrong_marker_is_corrected_while_placing_goes_on(phone: Phone) -> None:
    lay(phone, english(5), "trump red", "points 4", path="history/")

    entry = phone.page.locator("article", has_text="Ana covered red trump")
    phone.touch(entry.locator("summary"))
    phone.touch(entry.get_by_role("link", name="Correct"))
    phone.page.locator("select").first.select_option("trump:blue")
    phone.tap("Preview")
    phone.sees("Totals and places stay as they are.")
    phone.tap("Correct it")
    phone.sees("Score sheet")
    phone.go("")

    assert phone.turn == CLEO
    expect(phone.space("trump", "blue")).to_have_attribute("aria-label", "blue trump: covered by Ana")
    expect(phone.space("trump", "red")).to_have_attribute("aria-label", "Cover red")


def test_names_tokens_dealer_and_rounds_are_corrected(phone: Phone) -> None:
    lay(phone, english(5), *markers(english(5), "0 njet black blue 2", number=3), path="menu/")

    phone.tap("Correct names, tokens, dealer or rounds")
    phone.page.get_by_label("Name").nth(1).fill("Bea")
    phone.page.get_by_label("Rounds").fill("5")
    phone.page.get_by_label("Dealer of round 1").select_option(label="Cleo")
    phone.tap("Save")

    expect(phone.table).to_be_visible()
    assert phone.heading == "Round 1 of 5 Cleo deals"
    # Cleo, Dan and Eve have placed: it is Ana's turn.
    assert phone.turn == ANA
    assert list(phone.markers_left) == ["Cleo", "Dan", "Eve", "Ana", "Bea"]


def test_a_misdealt_round_is_voided_and_dealt_again(phone: Phone) -> None:
    lay(phone, dutch(3), *ROUND_1, "open 1 njet red green 3", path="menu/")

    phone.tap("Misdeal: void this round")
    phone.page.get_by_label("Reason").fill("a card too many")
    phone.tap("Void the round")

    expect(phone.table).to_be_visible()
    assert phone.heading == "Round 1 Ben deals next"
    assert phone.shows == "setup"
    assert phone.undo_says == "Undo: Round voided: a card too many"


def test_an_agreed_penalty_is_a_line_of_its_own(phone: Phone) -> None:
    lay(phone, dutch(3), *ROUND_1, path="menu/")

    phone.tap("Note an agreed penalty")
    phone.touch(phone.page.locator(".pick", has_text="Ben"))
    phone.page.get_by_label("Reason").fill("revoke")
    phone.tap("Note the penalty")

    phone.sees("Score sheet")
    phone.go("")
    sheet = phone.read_sheet()
    assert sheet.written["Penalty"] == ["", "−5", ""]
    assert sheet.totals == {"Ana": "24", "Ben": "13", "Cleo": "18"}
    assert "Ben: revoke" in sheet.notes


def test_an_incomplete_round_shows_a_dash_and_no_number(phone: Phone) -> None:
    lay(phone, dutch(3, rounds=3), *ROUND_1, "open 1 njet red green 3", "team 0 monster 2", "trick 0", "trick 1")

    sheet = phone.read_sheet()

    assert sheet.written == {"1": ["24", "18", "18"], "2": ["–", "–", "–"]}
    assert sheet.totals == {"Ana": "24", "Ben": "18", "Cleo": "18"}


def test_only_the_sheet_is_printed(phone: Phone) -> None:
    lay(phone, dutch(3), *ROUND_1, path="sheet/")

    phone.page.emulate_media(media="print")

    expect(phone.page.locator("table.sheet")).to_be_visible()
    expect(phone.page.locator(".chart")).to_be_visible()
    expect(phone.page.get_by_role("link", name="Back to the table")).to_be_hidden()
    expect(phone.page.get_by_text("Correct this round")).to_be_hidden()
    expect(phone.page.get_by_role("button", name="Print the sheet")).to_be_hidden()


# --- more phones ---


def test_a_stale_tap_gets_the_fresh_table_and_one_tap_repeats_it(phone: Phone, open_phone: OpenPhone) -> None:
    phone.stays_behind()
    table = lay(phone, english(5), path="?board")
    other = open_phone()
    sit(other, table, table.other_key())
    other.open(f"/g/{table.id}/?board")
    other.cover("trump", "red")

    with phone.page.expect_response(re.compile("/act/$")) as answer:
        phone.touch(phone.space("points", "4"))

    assert answer.value.status == 409
    assert phone.notice == "The table has changed meanwhile: nothing was recorded."
    assert phone.version == 1
    assert phone.turn == BEN
    phone.tap("Record it now: Ben covered 4 points")
    expect(phone.table).to_have_attribute("data-version", "2")
    expect(phone.space("points", "4")).to_have_attribute("aria-label", "4 points: covered by Ben")
    phone.cover("points", "3")
    assert phone.turn == DAN


def test_a_stale_tap_that_has_become_impossible_says_why(phone: Phone) -> None:
    phone.stays_behind()
    table = lay(phone, english(5), path="?board")
    table.record("points 4")

    phone.touch(phone.space("points", "4"))

    assert phone.notice.startswith("The table has changed meanwhile, so nothing was recorded. ")
    assert "is covered already" in phone.notice
    phone.cover("points", "3")
    assert phone.version == 2


def test_a_tap_offline_is_said_and_repeated_once(phone: Phone) -> None:
    table = lay(phone, english(5), path="?board")
    phone.lose_line()

    phone.touch(phone.space("points", "4"))
    phone.sees("1 waiting")
    phone.find_line()

    expect(phone.table).to_have_attribute("data-version", "1")
    expect(phone.page.locator("#line")).to_be_hidden()
    assert table.version == 1


def test_a_viewer_joins_by_code_and_sees_everything_and_changes_nothing(phone: Phone, open_phone: OpenPhone) -> None:
    table = lay(phone, english(5), "trump red", path="menu/")
    phone.tap("Phones at this table", exact=False)
    phone.touch(phone.page.get_by_text("Other kinds of invitation"))
    phone.tap("Invite a viewer")
    code = phone.page.locator(".big-code").inner_text()
    viewer = open_phone()

    viewer.open("/")
    viewer.tap("Join", exact=False)
    viewer.page.locator('[name="code"]').fill(code.lower())
    viewer.tap("Next")
    viewer.sees("You join as a viewer: you see everything and change nothing.")
    viewer.touch(viewer.page.locator(".pick", has_text="Eve"))
    viewer.tap("Join")

    viewer.at_table(FIVE)
    assert viewer.turn == BEN
    viewer.sees("You are watching.")
    assert viewer.page.locator("form.board .space:not([disabled])").count() == 0
    assert viewer.page.locator(".undo").count() == 0
    refused = viewer.page.request.post(
        f"/g/{table.id}/act/",
        form={
            "do": "place",
            "space": "points:4",
            "csrfmiddlewaretoken": viewer.page.locator("[name=csrfmiddlewaretoken]").first.input_value(),
        },
        headers={"Origin": viewer.address},
    )
    assert refused.status == 403
    assert table.version == 1
    phone.go("phones/")
    assert phone.page.locator(".entry", has_text="Eve").count() == 1


@pytest.mark.parametrize(
    "lines",
    [
        [],
        ["trump red"],
        ["open 0 njet black blue 2"],
        ["open 0 njet black blue 2", "team 1 2 monster 4"],
        ["open 0 njet black blue 2", "team 1 2 monster 4", "tally 3+1 2+1 2+1 3 2+1", "finish"],
    ],
    ids=["setup", "board", "teams", "count", "finished"],
)
def test_no_button_of_a_viewer_records_anything(phone: Phone, lines: list[str]) -> None:
    table = Table(english(5), *lines)
    sit(phone, table, viewer_of(table))

    phone.open(f"/g/{table.id}/")

    # A link to watch is given on by those who watch, too.
    working = phone.page.locator("form[method=post]:not([action$='/phones/']) button:not([disabled])")
    assert working.all_inner_texts() == []


def test_a_scorekeeper_joins_by_link_and_records(phone: Phone, open_phone: OpenPhone) -> None:
    lay(phone, english(5), path="phones/")
    phone.tap("Show the QR code", exact=False)
    link = phone.page.locator(".card a").inner_text()
    joined = open_phone()

    joined.open(link)
    joined.sees("You join as a scorekeeper: you can record what happens.")
    joined.touch(joined.page.locator(".pick", has_text="Ben"))
    joined.tap("Join")

    joined.at_table(FIVE)
    assert "join" not in joined.path
    joined.begin_placing()
    joined.cover("trump", "red")
    phone.go("history/")
    assert phone.sees("Ana covered red trump")
    assert phone.sees("Ben ·")


def test_a_key_that_was_taken_back_opens_nothing(phone: Phone, open_phone: OpenPhone) -> None:
    table = lay(phone, english(5), path=None)
    other = open_phone()
    sit(other, table, table.other_key())
    phone.go_to(table.id, "phones/")

    phone.touch(phone.page.locator(".entry", has_text="Ben’s phone").get_by_role("button"))
    expect(phone.page.get_by_text("Ben’s phone")).to_have_count(0)
    other.open(f"/g/{table.id}/")

    assert other.sees("This phone has not joined this table, or the table is gone.")


# --- the end ---


def test_finish_early_reopen_lock_and_a_rematch_with_the_deal_moved_on(phone: Phone) -> None:
    lay(phone, dutch(3), *ROUND_1, "open 1 njet red green 3", path="menu/")

    phone.tap("Finish early")
    phone.tap("Finish the game")
    phone.sees("Finished early, after 1 of 6 rounds.")
    assert phone.victory == "Ana wins, 24"
    assert phone.standings == {"Ana": "24", "Ben": "18", "Cleo": "18"}

    expect(phone.page.get_by_role("link", name="Reopen")).to_have_count(0)
    phone.undo()
    expect(phone.page.locator(".is-teams")).to_be_visible()
    assert phone.turn == BEN

    phone.go("finish/")
    phone.tap("Finish the game")
    phone.tap("Confirm the result")
    phone.tap("Lock the sheet")
    phone.sees("The result is confirmed.")
    expect(phone.page.locator(".undo")).to_have_count(0)
    expect(phone.page.get_by_text("Correct the last round")).to_have_count(0)

    locked = phone.game_id
    phone.tap("Rematch · Ben deals")
    phone.page.wait_for_url(re.compile(rf"/g/(?!{locked})"))
    # Ana dealt the only round: Ben is next.
    assert phone.heading == "Round 1 of 6 Ben deals"


def test_a_deleted_game_is_gone(phone: Phone) -> None:
    table = lay(phone, english(5), path="menu/")

    phone.tap("Delete this game")
    phone.sees("The whole sheet with all its entries is gone for good, for everybody:")
    phone.tap("Delete for good")

    phone.sees("Deleted.")
    expect(phone.page.get_by_text("Continue")).to_have_count(0)
    assert not Game.objects.filter(pk=table.id).exists()


def test_home_knows_the_tables_and_names_of_this_phone(phone: Phone) -> None:
    table = lay(phone, dutch(3), *ROUND_1, path=None)
    phone.open("/")

    phone.touch(phone.page.locator(".cont", has_text="Ana, Ben, Cleo"))
    phone.at_table([ANA, BEN, CLEO])
    assert phone.game_id == table.id

    phone.open("/new/")
    for name in (CLEO, ANA, BEN):
        phone.tap(f"+ {name}")
        expect(phone.page.get_by_role("button", name=f"+ {name}")).to_have_count(0)
    phone.tap("Start")
    phone.at_table([CLEO, ANA, BEN])
    assert phone.heading == "Round 1 of 9 Cleo deals"


def test_the_rules_open_over_the_table_and_close_again(phone: Phone) -> None:
    lay(phone, english(5), path="?board")

    phone.tap("The rules here")
    expect(phone.page.locator("#help")).to_be_visible()
    phone.touch(phone.page.locator("#help").get_by_role("button", name="Close"))

    expect(phone.page.locator("#help")).to_be_hidden()
    phone.cover("trump", "red")


def test_leaving_and_coming_back_shows_the_identical_screen(phone: Phone) -> None:
    # How many phones are here is heard shortly after the page has come.
    phone.stays_behind()
    lay(phone, english(5), *markers(english(5), "3 njet black blue -2", number=10))
    before = phone.table.inner_text()

    phone.tap("Sheet")
    phone.sees("Score sheet")
    phone.page.go_back()

    expect(phone.table).to_be_visible()
    assert phone.table.inner_text() == before
    phone.cover("trump", "yellow")


# --- the watch itself ---


def test_a_violation_of_the_policy_is_noticed(phone: Phone) -> None:
    phone.open("/")

    with phone.page.context.expect_console_message(lambda message: "Content Security Policy" in message.text):
        phone.page.evaluate("document.body.insertAdjacentHTML('beforeend', '<p style=\"color: red\">!</p>')")

    assert any("Content Security Policy" in complaint for complaint in phone.watch.complaints)
    phone.watch.complaints.clear()


def test_enter_leads_from_name_to_name_and_starts_behind_the_last(phone: Phone) -> None:
    phone.open("/new/")
    phone.page.locator('[name="name-0"]').focus()

    for name in ("Ana", "Ben", "Cleo", "Dan", "Eve"):
        phone.page.keyboard.type(name)
        assert phone.page.url.endswith("/new/")
        phone.page.keyboard.press("Enter")

    phone.at_table(["Ana", "Ben", "Cleo", "Dan", "Eve"])


# --- the screen stays on ---


def test_without_a_wake_lock_a_silent_film_keeps_the_screen_on_from_the_first_tap(phone: Phone) -> None:
    # As over http, where browsers have none.
    phone.page.add_init_script("delete Navigator.prototype.wakeLock")
    lay(phone, english(5), path="?board")
    state, setting = phone.page.locator("#awake"), phone.page.locator("#stays-on")
    expect(state).to_have_text("The screen may go dark.")

    phone.cover("trump", "red")
    expect(state).to_have_text("The screen stays on.")

    phone.page.locator("#here-button").click()
    setting.uncheck()
    expect(state).to_have_text("The screen may go dark.")
    phone.page.reload()
    phone.cover("trump", "black")
    expect(setting).not_to_be_checked()
    expect(state).to_have_text("The screen may go dark.")

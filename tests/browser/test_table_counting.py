"""Tricks counted at a table, at once or one by one, and how many taps a round takes.  By touch, at 360×640."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import OpenPhone
from tests.browser.facts import places
from tests.browser.phone import Phone
from tests.browser.prepared import FIVE, lay
from tests.browser.sizes import SMALL
from tests.browser.states import SETTLED, TEAMS
from tests.builders import dutch, english
from tests.cast.tables import ROUND_1

pytestmark = pytest.mark.browser


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


def test_more_captured_cards_than_the_tricks_can_bring_are_refused(phone: Phone) -> None:
    lay(phone, dutch(3), "open 0 njet blue black 2", "team alone monster 0")

    phone.enter_tally({"Ana": (12, 1), "Ben": (0, 1)})

    button = phone.page.get_by_role("button", name="Count the round")
    assert phone.count_says == "Ben: captured 1, at most 0"
    expect(button).to_have_attribute("aria-disabled", "true")
    button.tap(force=True)
    expect(phone.page.locator('[name="captured-1"]')).to_be_focused()
    assert phone.page.locator('[name="tricks-0"]').input_value() == "12"
    assert phone.version == 2


def test_without_script_a_refused_tally_keeps_its_figures_when_the_message_is_closed(open_phone: OpenPhone) -> None:
    phone = open_phone(script=False)
    lay(phone, dutch(3), "open 0 njet blue black 2", "team alone monster 0", path="?count=tally")

    phone.figure("tricks", "Ana").fill("5")
    phone.tap("Count the round")
    assert phone.code == "wrong_trick_sum"
    expect(phone.page.get_by_role("alert")).to_be_focused()
    phone.touch(phone.page.get_by_role("link", name="Close"))

    expect(phone.page.get_by_role("alert")).to_be_hidden()
    assert phone.figure("tricks", "Ana").input_value() == "5"


def test_any_number_of_tricks_is_one_tap(phone: Phone) -> None:
    lay(phone, english(2), "open 0 njet black blue 2", path="?count=tally")

    for tricks in (12, 13, 15):
        phone.touch(phone.figure("tricks", "Ana"))
        phone.touch(phone.key(tricks))
        assert phone.figure("tricks", "Ana").input_value() == str(tricks)
    assert phone.count_says.startswith("15 tricks")
    assert phone.figure("captured", "Ana").input_value() in ("", "0")


def test_a_count_that_does_not_fit_marks_the_figure_that_was_typed_last(phone: Phone) -> None:
    lay(phone, dutch(3), "open 0 njet blue black 2", "team alone monster 0", path="?count=tally")
    for name, tricks in {"Ana": 5, "Cleo": 4, "Ben": 9}.items():
        phone.touch(phone.figure("tricks", name))
        phone.touch(phone.key(tricks))

    phone.page.locator("button[form=tally]").tap(force=True)

    expect(phone.figure("tricks", "Ben")).to_be_focused()
    expect(phone.figure("tricks", "Ben")).to_have_attribute("aria-invalid", "true")
    expect(phone.page.locator("button[form=tally]")).to_have_class(re.compile("is-wrong"))
    assert phone.count_says == "Tricks: 6 too many"
    phone.touch(phone.key(3))
    assert phone.count_says.startswith("12 tricks")
    assert phone.figure("tricks", "Ben").get_attribute("aria-invalid") is None


def test_the_question_about_the_monster_survives_a_reload(phone: Phone) -> None:
    lay(phone, english(5), SETTLED)
    phone.touch(phone.page.locator(".lineups a.choice").first)
    expect(phone.page.locator(".is-monster")).to_be_visible()
    expect(phone.page).to_have_url(re.compile("partners="))

    phone.page.reload()
    phone.touch(phone.page.locator(".is-monster button").first)

    expect(phone.page.locator(".count")).to_be_visible()
    assert "partners" not in phone.path


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


def offered(phone: Phone, name: str) -> str | None:
    """What a player would get of the tricks if it is accepted."""
    return phone.figure("tricks", name).get_attribute("data-offer")


def test_the_last_player_is_offered_what_is_left(phone: Phone) -> None:
    lay(phone, dutch(3), "open 0 njet blue black 2", "team alone monster 0", path="?count=tally")
    last = phone.figure("tricks", "Cleo")

    phone.touch(phone.key(5))
    assert offered(phone, "Cleo") is None
    phone.touch(phone.key(4))

    assert offered(phone, "Cleo") == "3"
    expect(last).to_have_value("")
    expect(last).to_be_focused()
    assert phone.progress.startswith("9 of 12 tricks")
    phone.figure("tricks", "Ana").fill("6")
    assert offered(phone, "Cleo") == "2"


@pytest.mark.parametrize("accepts", ["key", "captures", "step", "count"])
def test_the_offer_is_accepted_by_its_number_the_captures_or_the_count(phone: Phone, accepts: str) -> None:
    table = lay(phone, dutch(3), "open 0 njet blue black 2", "team alone monster 0", path="?count=tally")
    phone.touch(phone.key(5))
    phone.touch(phone.key(4))

    if accepts == "count":
        phone.figure("captured", "Ana").evaluate("(field) => { field.value = 2 }")
        phone.figure("captured", "Ana").dispatch_event("input")
        phone.tap("Count the round")
        expect(phone.table).to_have_attribute("data-version", "3")
        assert [won.tricks for won in table.state.finished[0].won] == [5, 4, 3]
        return
    phone.touch(
        {
            "key": phone.key(3),
            "captures": phone.figure("captured", "Ana"),
            "step": phone.page.get_by_label("Ana: one captured 1 more"),
        }[accepts]
    )

    expect(phone.figure("tricks", "Cleo")).to_have_value("3")
    assert phone.progress.startswith("12 of 12 tricks")


def test_a_last_number_that_does_not_fit_stays_and_is_refused(phone: Phone) -> None:
    """Piles that do not add up are seen, and no other player gets the number."""
    lay(phone, dutch(3), "open 0 njet blue black 2", "team alone monster 0", path="?count=tally")
    for tricks in (5, 4, 4):
        phone.touch(phone.key(tricks))

    expect(phone.figure("tricks", "Cleo")).to_have_value("4")
    expect(phone.figure("tricks", "Cleo")).to_have_attribute("aria-invalid", "true")
    expect(phone.figure("captured", "Ana")).to_have_value("")
    assert phone.count_says == "Tricks: 1 too many"
    assert phone.progress.startswith("13 of 12 tricks")
    phone.touch(phone.key(3))
    expect(phone.figure("captured", "Ana")).to_be_focused()


def test_a_column_of_captures_that_was_forgotten_is_asked_about(phone: Phone) -> None:
    lay(phone, english(5), SETTLED, TEAMS, path="?count=tally")
    for tricks in (3, 2, 4, 2, 1):
        phone.touch(phone.key(tricks))

    asked = phone.count_says
    phone.touch(phone.key(1))

    assert asked != phone.count_says
    assert phone.count_says == "12 tricks · 1 captured"
    expect(phone.page.locator("button[form=tally]")).not_to_have_attribute("aria-disabled", "true")


def test_typed_numbers_survive_the_other_way_the_sheet_and_a_reload(phone: Phone) -> None:
    lay(phone, english(5), SETTLED, TEAMS, "trick 0+1", path="?count=tally")
    assert phone.figure("tricks", "Ana").input_value() == "1"
    phone.touch(phone.key(3))
    phone.touch(phone.key(2))

    remind = phone.page.locator(".remind")
    expect(remind).to_have_text("Opponents’ zeros in a trick are captured.")
    phone.tap("Tricks")
    expect(remind).to_have_text("5 of 12 tricks typed, not counted yet.")
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


def test_a_field_in_which_somebody_types_keeps_its_figure_when_another_phone_counts(phone: Phone) -> None:
    table = lay(phone, dutch(3), "open 0 njet blue black 2", "team alone monster 0", path="?count=tally")
    ana, ben = phone.figure("tricks", "Ana"), phone.figure("tricks", "Ben")
    ana.press_sequentially("7")

    table.record("trick 0", "trick 1")

    expect(ben).to_have_value("1")
    assert ana.input_value() == "7"
    ana.press("Backspace")
    table.record("trick 0", "trick 1")
    expect(ben).to_have_value("2")
    expect(ana).to_be_focused()
    assert ana.input_value() == ""
    ana.press_sequentially("5")
    assert (ana.input_value(), phone.count_says) == ("5", "Tricks: 5 missing")


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
    assert phone.count_says == "Tricks: 1 missing"


def test_rows_stay_where_they_are_while_tricks_are_counted(phone: Phone) -> None:
    lay(phone, english(5), "open 0 discard_1 black blue 2", TEAMS)
    before = places(phone.page, ".winner")

    for name, captured in (("Ana", 1), ("Ana", 2), ("Dan", 3), ("Ana", 0)):
        phone.win_trick(name, captured)
        assert places(phone.page, ".winner") == before


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
    phone.turn_into(SMALL, "light", text=200)
    phone.enter_tally({"Ana": (4, 0), "Ben": (4, 2), "Cleo": (4, 1)})
    assert scrolled_down(phone) > 0

    phone.tap("Count the round")

    expect(phone.page.locator(".result")).to_be_in_viewport()
    assert scrolled_down(phone, to_the_end=False) == 0
    expect(phone.page.locator("h1")).to_be_focused()


def test_what_others_record_moves_the_page_only_with_the_phase(phone: Phone) -> None:
    table = lay(phone, dutch(3), "trump red")
    phone.turn_into(SMALL, "light", text=200)
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

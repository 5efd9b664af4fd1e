"""Journeys at a table beside placing and counting: corrections, more phones, the end.  By touch, at 360×640."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import OpenPhone
from tests.browser.phone import Phone, waiting
from tests.browser.prepared import ANA, BEN, CLEO, DAN, lay, markers
from tests.browser.sizes import SIDEWAYS, SMALL, Size
from tests.browser.states import ROUND, STATES
from tests.builders import dutch, english
from tests.cast.tables import ROUND_1, ROUND_2

pytestmark = pytest.mark.browser

LIES_ON_TOP = """(shown) => {
  const { left, bottom } = shown.getBoundingClientRect();
  return document.elementFromPoint(left + 2, bottom - 2) === shown;
}"""


# --- corrections ---


def test_a_wrong_figure_is_corrected_in_four_taps_from_the_sheet(phone: Phone) -> None:
    lay(phone, dutch(3, rounds=6), *ROUND_1, *ROUND_2, path="sheet/")

    phone.touch(phone.page.get_by_role("link", name="Correct round 1"))
    expect(phone.key(2)).to_be_hidden()
    phone.touch(phone.figure("captured", BEN))
    phone.touch(phone.key(2))
    phone.tap("Preview")
    phone.sees("On the sheet")
    assert phone.changes == {"Ben": "48 → 50", "Cleo": "48 → 50"}
    assert phone.focused == "What changes"
    phone.tap("Correct it")

    phone.sees("Score sheet")
    assert phone.focused == "Round 1 is corrected: Ben: captured 1 → 2"
    expect(phone.page.get_by_title("corrected").first).to_be_visible()


def test_the_button_of_a_penalty_says_what_it_does(phone: Phone) -> None:
    table = lay(phone, english(5), *ROUND, path="penalty/")
    button, points = phone.page.locator("main button.is-main"), phone.page.locator('[name="points"]')
    expect(button).to_have_text("Note the penalty")

    phone.touch(phone.page.locator(".pick").nth(4))
    expect(button).to_have_text("Eve −5")
    phone.touch(phone.page.get_by_role("button", name="one more"))
    expect(button).to_have_text("Eve −6")
    phone.touch(phone.page.locator(".segments label").last)
    points.fill("10")
    expect(button).to_have_text("Eve +10")
    points.fill("-10")
    expect(button).to_have_text("Note the penalty")
    phone.touch(phone.page.locator(".segments label").first)
    phone.touch(phone.page.locator(".pick").last)
    expect(button).to_have_text("Dan and Eve −10 each")
    phone.page.locator('[name="reason"]').fill("talk")
    phone.touch(button)

    phone.sees("Score sheet")
    assert [(each.seat, each.points) for each in table.state.penalties] == [(3, -10), (4, -10)]


@pytest.mark.parametrize(("wrong", "size"), [("seat", SIDEWAYS), ("reason", SMALL)], ids=["seat", "reason"])
def test_what_is_refused_is_said_clear_of_the_bar(open_phone: OpenPhone, wrong: str, size: Size) -> None:
    phone = open_phone(size)
    lay(phone, english(5), *ROUND, path="penalty/")
    if wrong == "reason":
        phone.touch(phone.page.locator(".pick").first)
    else:
        phone.page.locator('[name="reason"]').fill("talk")
    phone.touch(phone.page.locator("main button.is-main"))

    error = phone.page.locator(f"#{wrong}-error")
    expect(error).to_be_in_viewport(ratio=1)
    assert error.evaluate(LIES_ON_TOP)


def test_the_preview_waits_for_figures_that_can_be(phone: Phone) -> None:
    lay(phone, dutch(3, rounds=6), *ROUND_1, path="correct/1/")

    phone.touch(phone.figure("tricks", ANA))
    phone.touch(phone.key(6))
    assert phone.count_says == "Tricks: 1 too many"
    phone.page.get_by_role("button", name="Preview").tap(force=True)
    expect(phone.figure("tricks", ANA)).to_have_attribute("aria-invalid", "true")
    phone.touch(phone.key(5))

    # The board decides how many tricks there are, the teams how many cards a trick can bring: Ben has four of each.
    phone.touch(phone.page.locator(".of-board summary"))
    expect(phone.key(5)).to_be_hidden()
    for discard, said in (("discard_1", "Tricks: 1 too many"), ("njet", "Nothing changed yet")):
        phone.touch(phone.page.locator(f'[name="discard"][value="{discard}"]').locator(".."))
        assert phone.count_says == said
    phone.touch(phone.figure("captured", BEN))
    phone.touch(phone.key(5))
    assert phone.count_says == "Ben: captured 5, at most 4"
    phone.touch(phone.page.locator(".of-teams summary"))
    # Without a partner Ben has two opponents: a trick can bring two cards.
    phone.touch(phone.page.locator('[name="partners"][value="2"]').locator(".."))
    assert phone.count_says == "12 tricks · 7 captured"


def test_the_preview_waits_until_something_is_changed(phone: Phone) -> None:
    lay(phone, dutch(3, rounds=6), *ROUND_1, path="correct/1/")
    preview = phone.page.get_by_role("button", name="Preview")

    assert phone.count_says == "Nothing changed yet"
    expect(preview).to_be_disabled()
    preview.tap(force=True)
    expect(phone.page.locator("[aria-invalid]")).to_have_count(0)

    phone.touch(phone.figure("captured", BEN))
    phone.touch(phone.key(2))
    expect(preview).to_be_enabled()
    assert phone.count_says == "12 tricks · 4 captured"
    phone.touch(phone.figure("captured", BEN))
    phone.touch(phone.key(1))
    expect(preview).to_be_disabled()
    phone.touch(phone.page.locator(".of-board summary"))
    phone.touch(phone.page.locator('[name="trump"]:not(:checked)').first.locator(".."))
    expect(preview).to_be_enabled()
    phone.tap("Preview")
    assert phone.sees("On the sheet")
    phone.tap("Back")

    # Back from the preview, what was changed stands in the form.
    expect(preview).to_be_enabled()


def test_the_preview_of_single_entries_waits_until_one_is_changed(phone: Phone) -> None:
    settled = ("open 0 njet black blue 2", "team 1 2 monster 4")
    lay(phone, english(5), *settled, "trick 0+1", path="correct/1/entries/")
    preview = phone.page.get_by_role("button", name="Preview")

    expect(preview).to_be_disabled()
    phone.touch(phone.page.locator(".edit > summary").nth(1))
    for monster, is_changed in (("3", True), ("4", False), ("", True)):
        phone.touch(phone.page.locator(f'[name="e2.0-monster"][value="{monster}"]').locator(".."))
        expect(preview).to_be_enabled(enabled=is_changed)


def test_the_board_of_a_round_is_corrected_by_taps_on_what_stays_open(phone: Phone) -> None:
    lay(phone, english(5), "open 0 njet black blue 2", "team 1 2 monster 4", "tally 3 3 2 2 2", path="correct/1/")

    phone.touch(phone.page.locator(".of-board summary"))
    for row, space in (("trump", "red"), ("start", "3")):
        phone.touch(phone.page.locator(f'[name="{row}"][value="{space}"]').locator(".."))
    expect(phone.page.locator("em", has_text="Red is trump")).to_be_visible()
    expect(phone.page.locator("em", has_text="Dan starts")).to_be_visible()
    phone.tap("Preview")
    expect(phone.page.locator(".field-error")).to_have_text("Dan starts now. Check the partners.")
    expect(phone.page.locator(".of-board summary")).to_contain_text("Red is trump")

    # Of the smaller team, one of two holds the monster card.
    expect(phone.page.locator('[name="monster"]:visible')).to_have_count(2)
    phone.tap("Preview")

    assert phone.sees("On the sheet")
    assert phone.sees("Dan plays with Eve")


def test_only_the_sheet_is_printed(phone: Phone) -> None:
    lay(phone, dutch(3), *ROUND_1, path="sheet/")

    phone.page.emulate_media(media="print")

    expect(phone.page.locator("table.sheet")).to_be_visible()
    expect(phone.page.locator(".chart")).to_be_visible()
    expect(phone.page.get_by_role("link", name="Back to the table")).to_be_hidden()
    expect(phone.page.get_by_text("Correct this round")).to_be_hidden()
    expect(phone.page.get_by_role("button", name="Print the sheet")).to_be_hidden()


@pytest.mark.parametrize("paper_size", ["A4", "Letter"])
def test_ten_rounds_of_five_are_printed_on_one_page(phone: Phone, paper_size: str) -> None:
    STATES["sheet-ten-rounds"](phone)

    paper = phone.page.pdf(format=paper_size, prefer_css_page_size=True)

    assert len(re.findall(rb"/Type\s*/Page\b", paper)) == 1


def test_a_sheet_is_printed_alike_with_and_without_backgrounds(phone: Phone) -> None:
    lay(phone, dutch(3), *ROUND_1, path="sheet/")

    papers = [phone.page.pdf(print_background=printed) for printed in (False, True)]

    without, with_backgrounds = (re.findall(rb"stream\r?\n(.+?)\r?\nendstream", paper, re.DOTALL) for paper in papers)
    assert len(without) > 1
    assert without == with_backgrounds


# --- more phones ---


def test_a_stale_tap_gets_the_fresh_table_and_one_tap_repeats_it(phone: Phone) -> None:
    phone.stays_behind()
    table = lay(phone, english(5), path="?board")
    table.record("trump red")

    with phone.page.expect_response(re.compile("/act/$")) as answer:
        phone.touch(phone.space("points", "4"))

    assert answer.value.status == 409
    assert phone.code == "stale_version"
    assert (phone.version, phone.turn) == (1, BEN)
    phone.tap("Record it now: Ben covered 4 points")
    expect(phone.table).to_have_attribute("data-version", "2")
    phone.cover("points", "3")
    assert phone.turn == DAN


def test_a_tap_offline_is_said_and_repeated_once(phone: Phone) -> None:
    table = lay(phone, english(5), path="?board")
    phone.lose_line()

    phone.touch(phone.space("points", "4"))
    expect(phone.page.get_by_text(waiting(1)).first).to_be_visible()
    phone.find_line()

    expect(phone.table).to_have_attribute("data-version", "1")
    expect(phone.page.locator("#line")).to_be_hidden()
    assert table.version == 1


# --- the end ---


def test_finish_early_reopen_lock_and_a_rematch_with_the_deal_moved_on(phone: Phone) -> None:
    lay(phone, dutch(3), *ROUND_1, "open 1 njet red green 3", path="menu/")

    phone.tap("Finish early")
    phone.tap("Finish the game")
    expect(phone.table).to_have_class(re.compile("is-finished"))
    phone.at_table([ANA, BEN, CLEO])
    assert phone.standings == {"Ana": "24", "Ben": "18", "Cleo": "18"}
    phone.undo()
    expect(phone.page.locator(".is-teams")).to_be_visible()

    phone.go("finish/")
    phone.tap("Finish the game")
    phone.tap("Confirm the result")
    phone.tap("Lock the sheet")
    expect(phone.page.locator(".undo")).to_be_hidden()
    locked = phone.game_id
    phone.tap("Rematch · Ben deals")
    phone.page.wait_for_url(re.compile(rf"/g/(?!{locked})"))


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

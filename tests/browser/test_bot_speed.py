"""The pace of a digital table by touch: the speed in the settings, “Go on” after a round."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from games.models import Key
from games.pages.digital import page as page_module
from games.rules import Phase
from tests.browser.audit import violations_of
from tests.browser.conftest import OpenPhone
from tests.browser.digital import Player
from tests.browser.sizes import SMALL
from tests.builders import dutch
from tests.cast.digital import DigitalTable, in_phase, rounds_finished

pytestmark = pytest.mark.browser


def test_the_speed_is_set_in_the_settings_and_known_on_the_other_phone(open_phone: OpenPhone) -> None:
    table = DigitalTable(dutch(3, rounds=1), bots={2: "easy"})
    ana, ben = (Player(open_phone(size=SMALL), table, seat) for seat in (0, 1))

    ana.page.locator("#settings-button").tap()
    ana.page.get_by_role("button", name="Fast").tap()

    expect(ana.page.get_by_role("button", name="Fast")).to_have_attribute("aria-pressed", "true")
    assert table.game.speed == "fast"
    assert not violations_of(ana.page)
    # That page was made before.
    ben.page.locator("#settings-button").tap()
    expect(ben.page.get_by_role("button", name="Fast")).to_have_attribute("aria-pressed", "true")


def test_the_settings_name_the_speed_of_the_bots_as_long_as_there_are_any(open_phone: OpenPhone) -> None:
    table = DigitalTable(dutch(3, rounds=1))
    ana = Player(open_phone(size=SMALL), table, 0)
    heading = ana.page.locator("#settings").get_by_role("heading", name="Speed of the bots")

    for level, count in (("easy", 1), (None, 0)):
        table.put_bot(1, level)
        with ana.page.expect_response("**/speed/"):
            ana.page.locator("#settings-button").tap()
        expect(heading).to_have_count(count)
        ana.phone.touch(ana.page.locator("#settings").get_by_role("button", name="Close"))


def test_going_on_is_noted_and_opens_the_next_round(open_phone: OpenPhone) -> None:
    table = DigitalTable(dutch(3, rounds=2), bots={1: "easy", 2: "easy"}).play_on(rounds_finished(1))
    ana = Player(open_phone(), table, 0)

    ana.phone.tap("Go on")

    expect(ana.page.locator("form.board")).to_be_visible()
    assert Key.objects.get(pk=table.keys[0].pk).ready == table.game.version


def test_a_tap_on_a_trick_hurries_the_bots(open_phone: OpenPhone) -> None:
    table = DigitalTable(dutch(3, rounds=1), bots={1: "easy", 2: "easy"})
    table.play_on(lambda state: state.phase is Phase.TRICKS and state.acting_seats != (0,))
    ana = Player(open_phone(), table, 0)

    with ana.page.expect_response("**/hurry/") as answer:
        ana.page.locator("#trick").tap()

    assert answer.value.status == 204
    assert Key.objects.get(pk=table.keys[0].pk).ready == table.game.version


def test_a_claim_asks_before_the_hand_is_laid_open(open_phone: OpenPhone, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_module, "can_claim", lambda view: True)
    table = DigitalTable(dutch(3, rounds=1)).play_on(in_phase(Phase.TRICKS))
    ana = Player(open_phone(size=SMALL), table, 0)
    question = ana.page.get_by_role("heading", name="cards to all and claim the rest?")

    ana.phone.tap("Claim the rest")
    expect(question).to_be_visible()
    assert not violations_of(ana.page)
    ana.phone.tap("Not now")
    expect(question).to_be_hidden()
    assert not table.ledger.counting.proposals

    ana.phone.tap("Claim the rest")
    ana.phone.tap("Claim the remaining tricks")
    expect(question).to_be_hidden()
    expect(ana.page.get_by_text("You claim the rest of the round.")).to_be_visible()
    expect(ana.page.get_by_role("button", name="Withdraw")).to_be_in_viewport()


def test_menu_and_question_are_for_everybody(open_phone: OpenPhone) -> None:
    table = DigitalTable(dutch(3, rounds=2), bots={1: "easy", 2: "easy"}).play_on(rounds_finished(1))
    ana = Player(open_phone(size=SMALL), table, 0)

    ana.phone.go_to(table.id, "menu/")
    assert not violations_of(ana.page)
    ana.page.get_by_role("link", name="Finish early").tap()
    expect(ana.page.get_by_text("This is final.")).to_be_visible()
    assert not violations_of(ana.page)
    ana.page.get_by_role("button", name="Propose it to all").tap()
    ana.page.get_by_role("button", name="Withdraw").tap()
    expect(ana.page.get_by_role("button", name="Withdraw")).to_have_count(0)
    assert not table.state.is_over

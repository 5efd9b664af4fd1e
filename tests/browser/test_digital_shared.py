"""What a phone that is handed round keeps of a hand: nothing in its address, no card chosen ahead.  By touch."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from games.rules import Phase
from tests.browser.conftest import OpenPhone
from tests.browser.digital import Player
from tests.browser.facts import outside, overlaps, places
from tests.browser.phone import Phone
from tests.browser.prepared import give
from tests.browser.sizes import PHONE, SIDEWAYS, SIZES, SMALL, Size
from tests.browser.states import LONG
from tests.builders import dutch, english, italian
from tests.cast.digital import DigitalTable, in_phase, leaving, over, rounds_finished

pytestmark = pytest.mark.browser


def shared(open_phone: OpenPhone, table: DigitalTable, *seats: int) -> Phone:
    """A phone on which these seats are played."""
    phone = open_phone()
    give(phone, *(table.keys[seat] for seat in seats))
    phone.go_to(table.id, "")
    return phone


def names_a_seat(phone: Phone) -> bool:
    """Whether the address in the bar says whose hand is to be shown."""
    search = phone.page.evaluate("location.search")
    return "seat=" in search or "open=" in search


def test_under_the_cover_the_address_names_no_one(open_phone: OpenPhone) -> None:
    table = DigitalTable(dutch(4, rounds=2))
    first, names = table.state.acting_seats[0], table.state.setup.names
    last = (first + 2) % 4
    phone = shared(open_phone, table, first, last)
    hand = phone.page.locator(".in-hand")

    # As a redirect leaves it where a script was late.
    phone.page.goto(f"{phone.address}/g/{table.id}/?seat={first}")
    expect(hand).not_to_have_count(0)
    phone.page.locator(".space:not(.is-covered, .is-left)").first.tap()
    expect(phone.page.locator(".say")).to_contain_text(f"{table.state.setup.names[(first + 1) % 4]} covers")
    assert names_a_seat(phone)
    # Somebody else's phone; the news bring the cover.
    table.step()
    phone.page.evaluate("Line.refresh()")
    expect(phone.page.locator(".cover h2")).to_have_text(f"Pass the phone to {names[last]}")
    assert not names_a_seat(phone)

    phone.page.reload()
    expect(phone.page.locator(".cover h2")).to_have_text(f"Pass the phone to {names[last]}")
    expect(hand).to_have_count(0)
    phone.page.goto(f"{phone.address}/g/{table.id}/?seat={first}")
    expect(phone.page.locator(".cover")).to_be_visible()
    assert not names_a_seat(phone)

    # Anyone who is not due looks at their hand, and loading it again shows the cover.
    phone.tap(f"I am {names[first]}: show my hand")
    expect(hand).not_to_have_count(0)
    assert "open=" not in phone.page.evaluate("location.search")
    phone.page.reload()
    expect(phone.page.locator(".cover")).to_be_visible()
    expect(hand).to_have_count(0)


@pytest.mark.parametrize("size", [SMALL, PHONE, SIDEWAYS], ids=str)
def test_the_board_does_not_move_when_the_phone_is_handed_on(open_phone: OpenPhone, size: Size) -> None:
    table = DigitalTable(italian(rounds=2))
    phone = shared(open_phone, table, 0, 1, 2)
    phone.turn_into(size, "light")
    expect(phone.page.locator(".cover")).to_be_visible()
    under_cover = places(phone.page, ".board .space")

    phone.page.locator(".cover a").first.tap()
    expect(phone.page.locator(".in-hand")).not_to_have_count(0)

    assert places(phone.page, ".board .space") == under_cover


@pytest.mark.parametrize("phase", [Phase.PLACING, Phase.PASSING])
def test_the_cover_shows_five_long_names_without_scrolling(open_phone: OpenPhone, phase: Phase) -> None:
    table = DigitalTable(english(5).corrected(names=LONG)).play_on(in_phase(phase), leaving("discard:pass_2_right"))
    phone = shared(open_phone, table, *range(5))
    expect(phone.page.locator(".cover")).to_be_visible()

    for size in SIZES[:-1]:
        phone.turn_into(size, "light")
        assert outside(phone.page, ".cover a", ".cover") == [], size
        if size.width > 700 and phone.page.locator(".matchup").is_visible():
            assert overlaps(phone.page, ".matchup", ".plate") == [], size


def ahead(open_phone: OpenPhone, table: DigitalTable) -> tuple[Player, str]:
    """Somebody who has chosen a card before their turn, and which one."""
    player = Player(open_phone(), table, (table.state.acting_seats[0] + 1) % 4)
    player.switch_on("ahead")
    card = str(table.view(player.seat).hand[0])
    player.card(card).tap(force=True)
    expect(player.card(card)).to_have_attribute("aria-pressed", "true")
    return player, card


def test_a_card_chosen_ahead_is_forgotten_when_that_is_switched_off(open_phone: OpenPhone) -> None:
    table = DigitalTable(italian(rounds=2)).play_on(in_phase(Phase.TRICKS))
    player, card = ahead(open_phone, table)
    box = player.page.locator("#settings [name=ahead]")

    for _ in range(2):
        box.evaluate("box => box.click()")

    expect(player.card(card)).to_have_attribute("aria-pressed", "false")


def test_a_card_chosen_ahead_is_not_chosen_in_another_round(open_phone: OpenPhone) -> None:
    table = DigitalTable(italian(rounds=2)).play_on(in_phase(Phase.TRICKS))
    player, card = ahead(open_phone, table)

    # The same hand at another time, as the next round or another player's turn with the same card would bring it.
    player.page.evaluate(
        "() => { const table = document.getElementById('table'); table.dataset.turns = '0-2';"
        " table.dispatchEvent(new CustomEvent('htmx:after:swap', { bubbles: true, detail: {} })); }"
    )

    expect(player.card(card)).to_have_attribute("aria-pressed", "false")


def forced(table: DigitalTable) -> DigitalTable:
    """Until the seat that is due may play one card only, and holds others."""
    while True:
        view = table.view(table.state.acting_seats[0])
        if table.state.phase is Phase.TRICKS and len(view.legal) == 1 < len(set(view.hand)):
            return table
        table.step()


def test_the_wish_to_finish_holds_up_no_card(open_phone: OpenPhone) -> None:
    table = forced(DigitalTable(italian(rounds=3)).play_on(rounds_finished(1)))
    seat = table.state.acting_seats[0]
    table.propose((seat + 1) % 4, "finish")
    player = Player(open_phone(), table, seat)
    version = table.game.version

    player.switch_on("forced")

    expect(player.phone.table).to_have_attribute("data-version", str(version + 1), timeout=6000)


def test_a_card_whose_time_came_offline_is_played_when_it_is_back(open_phone: OpenPhone) -> None:
    table = forced(DigitalTable(italian(rounds=2)))
    player = Player(open_phone(), table, table.state.acting_seats[0])
    version = table.game.version
    player.page.evaluate("() => { Line.heard = () => {}; Line.lost(); }")
    player.switch_on("forced")
    player.page.wait_for_timeout(3500)
    assert table.game.version == version

    player.page.evaluate("() => { Line.isUp = true; document.dispatchEvent(new CustomEvent('line')); }")

    expect(player.phone.table).to_have_attribute("data-version", str(version + 1), timeout=6000)


def test_at_the_end_a_shared_phone_shows_the_result(open_phone: OpenPhone) -> None:
    table = DigitalTable(dutch(3, rounds=1)).play_on(over)

    phone = shared(open_phone, table, 0, 1)

    expect(phone.page.locator(".victory")).to_be_visible()
    expect(phone.page.locator(".cover")).to_have_count(0)

"""All hands after each round: two phones and bots, and the box on the form of a new table."""

from __future__ import annotations

from dataclasses import replace

import pytest
from playwright.sync_api import expect

from games.models import Game
from tests.browser.conftest import OpenPhone
from tests.browser.digital import Player
from tests.browser.phone import Phone
from tests.builders import dutch
from tests.cast.digital import DigitalTable, leaving, rounds_finished

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def last_card(state) -> bool:
    """Until one card of the round is missing."""
    return state.current is not None and sum(state.current.hand_sizes) == 1


def test_after_a_round_two_phones_see_its_hands_and_no_other(open_phone: OpenPhone) -> None:
    bots = {2: "easy", 3: "easy"}
    table = DigitalTable(replace(dutch(4, rounds=2), digital=True, open_hands=True), bots=bots)
    table.play_on(last_card, leaving("discard:discard_1"))
    ana, ben = (Player(open_phone(), table, seat) for seat in (0, 1))
    for player in (ana, ben):
        expect(player.page.locator("#hands")).to_have_count(0)

    table.play_on(rounds_finished(1))
    for player in (ana, ben):
        player.hears()
        player.phone.touch(player.page.locator("#hands summary"))

    dealt = table.ledger.entry(table.ledger.replay.applied[0].key.seq).action.hands
    for player in (ana, ben):
        lines = player.page.locator("#hands .round-log > li")
        expect(lines).to_have_count(4)
        for seat, hand in enumerate(dealt):
            expect(lines.nth(seat).locator("li")).to_have_count(4)
            kept = lines.nth(seat).locator("li [data-card]").all()
            assert len(kept) == len(hand) - 1
            assert {each.get_attribute("data-card") for each in kept} <= {str(card) for card in hand}
            expect(lines.nth(seat)).to_contain_text("discarded")

    # What another phone does closes no fold.
    table.put_bot(1, "easy")
    ana.hears()
    expect(ana.page.locator("#hands")).to_have_attribute("open", "")

    ana.phone.tap("Go on")
    expect(ana.page.locator("#hands")).to_have_count(0)
    expect(ana.page.locator("#hand .in-hand")).to_have_count(10)
    held = [{str(card) for card in hand} for hand in table.full.hands]
    hidden = (held[1] | held[2] | held[3]) - held[0]
    shown = ana.page.content()
    assert not any(f'value="{card}"' in shown or f'data-card="{card}"' in shown for card in hidden)


def test_the_box_follows_who_plays_until_it_is_tapped(phone: Phone) -> None:
    phone.open("/new/")
    box = phone.page.get_by_label("Show all hands after each round")
    expect(box).to_be_hidden()
    phone.touch(phone.page.get_by_label("Cards on the phones"))
    expect(box).not_to_be_checked()

    bot, friend = (phone.page.locator(f'[name="plays-1"][value="{plays}"]') for plays in ("easy", "person"))
    bot.check(force=True)
    expect(box).to_be_checked()
    friend.check(force=True)
    expect(box).not_to_be_checked()
    box.check()
    phone.page.locator('[name="plays-1"][value="medium"]').check(force=True)
    expect(box).to_be_checked()
    phone.tap("Start")

    expect(phone.table).to_be_visible()
    assert Game.objects.get().setup["open_hands"] is True

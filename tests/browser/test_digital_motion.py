"""What moves at a digital table, and that nothing else does."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from games.rules import Phase, PublicState
from tests.browser.conftest import OpenPhone
from tests.browser.digital import Player
from tests.browser.sizes import LAPTOP, PHONE, SIDEWAYS, Size
from tests.builders import italian
from tests.cast.digital import DigitalTable, cards_on_table, in_phase

pytestmark = pytest.mark.browser


# Notes each animation that a script begins: what it moves, and which properties.
WATCH_MOTION = """
(() => {
  window.moves = [];
  const animate = Element.prototype.animate;
  Element.prototype.animate = function (frames, options) {
    const names = frames.flatMap((frame) => Object.keys(frame)).sort();
    const seat = this.closest("[data-seat]")?.dataset.seat ?? "";
    window.moves.push({ what: this.className, id: this.closest("[id]").id, seat, names: [...new Set(names)] });
    return animate.call(this, frames, options);
  };
})()
"""
# Layout shifts, after a tap too; but not of words and figures within their own place.
WATCH_SHIFTS = """
(() => {
  window.shifts = [];
  new PerformanceObserver((list) => {
    for (const { value, sources } of list.getEntries())
      for (const { node, previousRect: was, currentRect: is } of value ? sources : [])
        if (node?.closest?.("main, .strip, .bar, .thumb") && !node.closest(".face, .say, .figures"))
          window.shifts.push([node.nodeName, node.className, was.x, was.y, is.x, is.y].join(" "));
  }).observe({ type: "layout-shift", buffered: false });
})()
"""
RUNNING = """
() => document.getAnimations().flatMap((each) => (each.effect?.getKeyframes() ?? []).flatMap(Object.keys))
  .filter((name) => !["offset", "easing", "composite", "computedOffset"].includes(name))
"""


def moving(open_phone: OpenPhone, table: DigitalTable, seat: int) -> Player:
    """A phone that does not ask for less motion."""
    phone = open_phone()
    phone.page.emulate_media(reduced_motion="no-preference")
    player = Player(phone, table, seat)
    player.page.evaluate(WATCH_MOTION)
    return player


def moves_of(player: Player) -> list[dict[str, object]]:
    """What was moved since the last time."""
    moves: list[dict[str, object]] = player.page.evaluate("window.moves.splice(0)")
    for move in moves:
        assert set(move["names"]) <= {"transform", "opacity"}, move
    assert set(player.page.evaluate(RUNNING)) <= {"transform", "opacity", "visibility"}
    return moves


def one_card_is_left(state: PublicState) -> bool:
    """The last trick of a round lacks one card."""
    return state.phase is Phase.TRICKS and sum(state.current.hand_sizes) == 1


def test_my_card_glides_from_the_hand_and_others_from_their_seats(open_phone: OpenPhone) -> None:
    table = DigitalTable(italian(rounds=2)).play_on(in_phase(Phase.TRICKS))
    seat = table.state.acting_seats[0]
    player = moving(open_phone, table, seat)

    player.page.locator("#hand .is-playable").first.tap()
    expect(player.page.locator("#hand .is-playable")).to_have_count(0)
    # The card, and its number, which waits until it lies.
    assert [move["seat"] for move in moves_of(player)] == [str(seat)] * 2
    table.step()
    player.hears()

    assert [move["seat"] for move in moves_of(player)] == [str((seat + 1) % 4)] * 2


def test_a_finished_trick_stays_and_goes_to_its_winner(open_phone: OpenPhone) -> None:
    table = DigitalTable(italian(rounds=2)).play_on(cards_on_table(3))
    player = moving(open_phone, table, 0)
    table.step()

    player.hears()

    trick = player.page.locator("#trick.shows-last")
    expect(trick).to_have_count(1)
    assert len(moves_of(player)) == 2
    # Four cards go to one plate.
    player.page.wait_for_timeout(1300)
    assert len({move["seat"] for move in moves_of(player)}) == 4
    expect(trick).to_have_count(0)


def test_a_tap_ends_the_time_of_a_finished_trick(open_phone: OpenPhone) -> None:
    table = DigitalTable(italian(rounds=2)).play_on(cards_on_table(3))
    player = moving(open_phone, table, 0)
    table.step()
    player.hears()

    seen = player.page.locator("#trick").evaluate(
        "(trick) => [0, 1].map(() => [trick.matches('.shows-last'), trick.click()][0])"
    )

    assert seen == [True, False]


LIFTED = """() => [...document.querySelectorAll("#hand .in-hand")]
  .filter((card) => parseFloat(getComputedStyle(card).getPropertyValue("--lift")) > 0).length"""


def test_what_may_be_played_shows_with_the_card_that_was_led(open_phone: OpenPhone) -> None:
    """Not while the trick before lies over it: the hand would tell what no one sees yet."""
    probe, table = (DigitalTable(italian(rounds=2)).play_on(cards_on_table(3)) for _ in range(2))
    probe.step()
    player = moving(open_phone, table, (probe.state.acting_seats[0] + 1) % 4)
    trick, playable = player.page.locator("#trick.shows-last"), player.page.locator("#hand .is-playable")
    table.step()
    table.step()

    player.hears()

    expect(trick).to_have_count(1)
    assert playable.count() > 0
    assert player.page.evaluate(LIFTED) == 0
    expect(trick).to_have_count(0)
    assert player.page.evaluate(LIFTED) == playable.count()


STAYING = (".seats .plate", ".conditions .strip", ".where", ".bar > :last-child")


@pytest.mark.parametrize(
    ("size", "rounds"), [(PHONE, 2), (SIDEWAYS, 2), (LAPTOP, 2), (PHONE, 1)], ids=["phone", "sideways", "desk", "end"]
)
def test_the_last_trick_stays_before_the_result_of_its_round(open_phone: OpenPhone, size: Size, rounds: int) -> None:
    table = DigitalTable(italian(rounds=rounds)).play_on(one_card_is_left)
    player = moving(open_phone, table, table.state.acting_seats[0])
    player.phone.turn_into(size, "light")

    def places() -> list[dict[str, float]]:
        return [player.page.locator(each).first.bounding_box() for each in STAYING]

    before = places()
    player.page.locator("#hand .is-playable").first.tap()

    held = player.page.locator("#table.is-result.holds")
    expect(held).to_have_count(1)
    assert player.page.locator("#trick .was").count() == 4
    # The seats stay where they were, and the head with the conditions.
    assert places() == [pytest.approx(each, abs=1) for each in before]
    assert player.page.locator(".felt > .page").is_hidden()
    # The news of others do not end it.
    player.page.evaluate("Line.refresh()")
    expect(held).to_have_count(0)
    expect(player.page.locator(".felt > .page")).to_be_visible()


def test_a_result_that_is_opened_again_is_shown_at_once(open_phone: OpenPhone) -> None:
    table = DigitalTable(italian(rounds=2)).play_on(one_card_is_left)
    table.step()
    player = moving(open_phone, table, 0)

    expect(player.page.locator(".felt > .page")).to_be_visible()
    assert player.page.locator(".holds").count() == 0


def test_a_marker_drops_where_a_space_was_covered(open_phone: OpenPhone) -> None:
    table = DigitalTable(italian(rounds=2))
    player = moving(open_phone, table, (table.state.acting_seats[0] + 1) % 4)

    table.step()
    player.hears()

    (move,) = moves_of(player)
    assert "marker" in str(move["what"])


def test_a_refused_card_shakes(open_phone: OpenPhone) -> None:
    table = DigitalTable(italian(rounds=2)).play_on(in_phase(Phase.TRICKS))
    while len(table.view(seat := table.state.acting_seats[0]).legal) == len(set(table.view(seat).hand)):
        table.step()
    player = moving(open_phone, table, seat)
    card = player.page.locator("#hand button:not(.is-playable)").first

    # A tap that waits for nothing would miss a card that is still on its way.
    player.page.evaluate("Promise.all(document.getAnimations().map((each) => each.finished)).then(() => undefined)")
    card.tap(force=True, position={"x": 8, "y": 20})
    expect(player.page.locator(".is-error")).to_have_count(1)

    assert [move["id"] for move in moves_of(player)] == [card.get_attribute("id")]


def test_with_less_motion_nothing_moves(open_phone: OpenPhone) -> None:
    table = DigitalTable(italian(rounds=1)).play_on(cards_on_table(2))
    player = moving(open_phone, table, table.state.acting_seats[0])
    player.page.emulate_media(reduced_motion="reduce")

    player.page.locator("#hand .is-playable").first.tap()
    expect(player.page.locator("#hand .is-playable")).to_have_count(0)
    table.step()
    player.hears()
    expect(player.page.locator(".shows-last")).to_have_count(1)
    expect(player.page.locator(".shows-last")).to_have_count(0)

    assert moves_of(player) == []
    assert player.page.evaluate("document.getAnimations().length") == 0


def test_nothing_moves_in_the_layout_during_the_tricks_of_a_round(open_phone: OpenPhone) -> None:
    table = DigitalTable(italian(rounds=2)).play_on(in_phase(Phase.TRICKS))
    player = moving(open_phone, table, 0)
    player.page.evaluate(WATCH_SHIFTS)

    while table.state.phase is Phase.TRICKS and sum(table.state.current.hand_sizes) > 1:
        if table.state.acting_seats != (0,):
            table.step()
            player.hears()
            continue
        if len(table.state.current.tricks) == 1:
            wrong = player.page.locator("#hand button:not(.is-playable)")
            if wrong.count():
                player.page.wait_for_timeout(400)
                wrong.first.tap(force=True)
                expect(player.page.locator(".is-error")).to_have_count(1)
                player.page.wait_for_timeout(400)
        player.act()

    assert sorted(set(player.page.evaluate("window.shifts"))) == []
    moves_of(player)


def test_the_head_counts_the_trick_that_lies_on_the_table(open_phone: OpenPhone) -> None:
    table = DigitalTable(italian(rounds=2)).play_on(cards_on_table(3))
    player = moving(open_phone, table, 0)
    table.step()

    player.hears()

    number = player.page.locator(".where small:visible")
    expect(number).to_have_text(re.compile(r"trick 1 of \d+"))
    expect(number).to_have_text(re.compile(r"trick 2 of \d+"))


def test_the_seats_around_the_last_trick_say_what_they_won_in_its_round(open_phone: OpenPhone) -> None:
    table = DigitalTable(italian(rounds=2)).play_on(one_card_is_left)
    player = moving(open_phone, table, table.state.acting_seats[0])

    player.page.locator("#hand .is-playable").first.tap()

    expect(player.page.locator("#table.is-result.holds")).to_have_count(1)
    texts = player.page.locator(".seats .sitter").all_inner_texts()
    assert len(texts) == 4
    assert not any("marker" in text for text in texts)
    assert all("trick" in text for text in texts)
    assert player.page.locator(".seats .is-due").count() == 0
    number = player.page.locator(".where small:visible")
    expect(number).to_have_text(re.compile(r"^trick (\d+) of \1$"))
    expect(number).to_have_text(re.compile("the result|your turn"))

"""The replay of a game with the cards on the phones: all hands, playing by itself, the slider, swipes and keys."""

from __future__ import annotations

import re

import pytest

from games.models import Game
from games.rules import NameTeam, Pass, Phase, Place, Play, Setup
from tests.browser.audit import problems_of
from tests.browser.conftest import OpenPhone
from tests.browser.expecting import expect
from tests.browser.facts import overlaps, places
from tests.browser.phone import Phone
from tests.browser.prepared import give
from tests.browser.sizes import LAPTOP, SIDEWAYS, SIZES, SMALL, Size
from tests.builders import english
from tests.cast.digital import DigitalTable, leaving, over

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def played_game(phone: Phone, setup: Setup) -> tuple[DigitalTable, int]:
    """A finished game, the phone at the step in which the third trick is led, and the number of that step."""
    table = DigitalTable(setup).play_on(over)
    led = [
        number
        for number, step in enumerate(table.ledger.replay.applied, start=1)
        if isinstance(step.action, Play) and not step.before.current.table and step.before.phase is Phase.TRICKS
    ]
    give(phone, table.viewer)
    phone.go_to(table.id, f"replay/{led[2]}/")
    return table, led[2]


def at_step(phone: Phone, step: int) -> None:
    """Wait until this step is shown."""
    expect(phone.page).to_have_url(re.compile(f"/replay/{step}/"))
    expect(phone.page.locator("#scrub")).to_have_value(str(step))


def test_the_replay_is_worked_with_keys_swipes_and_the_slider(open_phone: OpenPhone) -> None:
    phone = open_phone()
    _, step = played_game(phone, english(4, rounds=1))

    phone.page.keyboard.press("ArrowRight")
    at_step(phone, step + 1)
    phone.page.keyboard.press("Home")
    at_step(phone, 1)
    phone.page.locator("#scrub").fill(str(step))
    at_step(phone, step)
    phone.tap("Trick or round after")
    at_step(phone, step + 4)
    phone.page.evaluate(SWIPE)
    at_step(phone, step + 5)


SWIPE = """() => {
    const main = document.querySelector("main");
    const at = (clientX) => [new Touch({ identifier: 1, target: main, clientX, clientY: 200 })];
    main.dispatchEvent(new TouchEvent("touchstart", { bubbles: true, touches: at(250), changedTouches: at(250) }));
    main.dispatchEvent(new TouchEvent("touchend", { bubbles: true, touches: [], changedTouches: at(100) }));
}"""


def test_the_replay_plays_by_itself_until_it_is_stopped(open_phone: OpenPhone) -> None:
    phone = open_phone()
    _, step = played_game(phone, english(4, rounds=1))

    phone.tap("Speed 1×")
    phone.tap("Play")
    expect(phone.page.get_by_role("button", name="Pause")).to_be_visible()
    at_step(phone, step + 3)
    phone.tap("Pause")
    stopped = phone.page.locator("#scrub").input_value()
    phone.page.wait_for_timeout(1200)
    at_step(phone, int(stopped))
    phone.page.keyboard.press("End")
    expect(phone.page.locator("#next")).to_have_count(0)


def test_from_a_step_a_player_plays_on_against_bots(open_phone: OpenPhone) -> None:
    phone = open_phone()
    origin = DigitalTable(english(4, rounds=1)).play_on(over)
    give(phone, origin.host, origin.keys[1])
    step = next(
        number
        for number, each in enumerate(origin.ledger.replay.applied)
        if isinstance(each.action, Play) and each.seat == 1 and each.before.current.tricks
    )
    held = origin.ledger.replay.applied[step].full.hands[1]
    phone.go_to(origin.id, f"replay/{step}/?seat=1")

    phone.tap("Play on")
    # The keys of the choice stay in it.
    level = phone.page.locator("[name=level]")
    level.focus()
    phone.page.keyboard.press("ArrowLeft")
    level.select_option("easy")
    at_step(phone, step)
    phone.touch(phone.page.get_by_role("button", name="Play on from here as Ben"))
    phone.at_table(list(origin.state.setup.names))

    game = Game.objects.get(from_step=step)
    assert f"/g/{game.pk}/" in phone.page.url
    hand = phone.page.locator("#hand .in-hand")
    expect(hand).to_have_count(len(held))
    assert problems_of(phone.page, may_shorten=True) == []
    phone.touch(phone.page.locator("#hand .in-hand:enabled").first)
    expect(hand).to_have_count(len(held) - 1)
    phone.go_to(game.pk, "menu/")
    assert problems_of(phone.page) == []
    phone.touch(phone.page.get_by_role("link", name="See that step"))
    at_step(phone, step)
    assert f"/g/{origin.id}/" in phone.page.url


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_all_hands_are_in_sight(open_phone: OpenPhone, players: int) -> None:
    phone = open_phone(mobile=False)
    table, step = played_game(phone, english(players, rounds=1))
    found, hands = [], dict[Size, list[list[int]]]()
    for at in (step, step + players - 1):
        phone.go_to(table.id, f"replay/{at}/")
        for size in SIZES:
            phone.turn_into(size, "light")
            found += [f"{at - step} {size}: {problem}" for problem in problems_of(phone.page, may_shorten=True)]
            # All hands are above the controls, and a sentence about the trick moves none of them.
            assert size == SMALL or overlaps(phone.page, ".hand", ".thumb") == [], size
            if size.width < 700:
                first = places(phone.page, ".hand")[:1]
                assert [each[1] for each in hands.setdefault(size, first)] == [each[1] for each in first], size
        # On a desk the hands are beside the felt.
        phone.turn_into(LAPTOP, "light")
        assert overlaps(phone.page, ".hand", ".felt") == []
    assert not found, "\n".join(found)


def test_no_step_between_two_players_is_wider_than_the_screen(open_phone: OpenPhone) -> None:
    phone = open_phone(SMALL, mobile=False)
    table, _ = played_game(phone, english(2, rounds=1))
    found = []
    for at in range(1, len(table.ledger.replay.applied) + 1):
        phone.go_to(table.id, f"replay/{at}/")
        for size in (SMALL, SIDEWAYS):
            phone.turn_into(size, "light")
            wide = phone.page.evaluate(
                "() => [document.documentElement, ...document.querySelectorAll('.hand')]"
                ".filter((each) => each.scrollWidth > each.clientWidth).map((each) => each.className)"
            )
            found += [f"step {at}, {size}: {each}" for each in wide]
    assert not found, "\n".join(found)


def test_on_a_desk_the_felt_stays_where_it_is_through_a_round(open_phone: OpenPhone) -> None:
    phone = open_phone(LAPTOP, mobile=False)
    table = DigitalTable(english(4, rounds=1)).play_on(over, leaving("discard:pass_2_right"))
    steps = list(enumerate(table.ledger.replay.applied, start=1))
    give(phone, table.viewer)
    felts: dict[str, list[int]] = {}

    for kind in (Place, NameTeam, Pass, Play):
        number = next(number for number, step in steps if isinstance(step.action, kind))
        phone.go_to(table.id, f"replay/{number}/")
        ((x, y, width, height),) = places(phone.page, ".shown:has(> .board), .felt")
        felts[kind.__name__] = [x + width, y + height]

    assert len({tuple(each) for each in felts.values()}) == 1, felts

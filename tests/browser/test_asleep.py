"""What a scene has just brought takes no tap for a second: the finger may mean what stood there before."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pytest

from games.models import Game
from games.rules import Phase
from tests.browser.conftest import OpenPhone
from tests.browser.digital import Player
from tests.browser.expecting import expect
from tests.browser.phone import Phone
from tests.browser.prepared import give, lay, markers
from tests.browser.states import COUNTED, SETTLED, TEAMS
from tests.builders import english, placing
from tests.cast.digital import DigitalTable, in_phase, leaving

pytestmark = [pytest.mark.browser, pytest.mark.slow]

# The middle of everything that takes a tap, as far as it is on the screen.
PLACES = """
[...document.querySelectorAll("a[href], button, label, summary, input:not([type=hidden]), select")]
  .filter((each) => each.checkVisibility({ visibilityProperty: true })).map((each) => each.getBoundingClientRect())
  .map(({ x, y, width, height }) => [x + width / 2, y + height / 2])
  .filter(([x, y]) => x > 0 && y > 0 && x < innerWidth - 2 && y < innerHeight - 2)
"""
# How long the scene has been there, in milliseconds, as the page counts; null once it is awake.
SLEPT = """
document.getAnimations().filter(({ playState, animationName, effect }) => playState === "running"
  && (animationName === "asleep" || effect.target.id === "table"))
  .map(({ currentTime }) => Number(currentTime)).at(-1) ?? null
"""
SEEN = """
[location.href, document.getElementById("table")?.dataset.version, document.querySelector(":popover-open")?.id,
  document.querySelectorAll(":checked, [open]").length]
"""


@dataclass
class Change:
    """A change of scene: `begin` brings a phone to the old one, and gives what leads to the new one."""

    begin: Callable[[Phone], Callable[[], object]]
    leads_to: str


def tapping(phone: Phone, selector: str) -> Callable[[], object]:
    return lambda: phone.touch(phone.page.locator(selector).first)


def wakes(phone: Phone) -> None:
    """A second, so that what is on the screen takes taps."""
    phone.page.wait_for_load_state("load")
    phone.page.wait_for_timeout(1100)


def last_choice(phone: Phone) -> Callable[[], object]:
    lay(phone, english(5), path="quick/")
    wakes(phone)
    for row, space in {"start": "4", "discard": "njet", "trump": "blue", "supertrump": "njet"}.items():
        phone.touch(phone.page.locator(f'[name="{row}"][value="{space}"]'))
    return tapping(phone, '[name="points"][value="3"]')


def start_placing(phone: Phone) -> Callable[[], object]:
    lay(phone, english(3))
    return tapping(phone, 'a[href$="?board"]')


def last_marker(phone: Phone) -> Callable[[], object]:
    setup = english(4)
    number = len(placing(setup, "3 njet black blue 2")) - 1
    lay(phone, setup, *markers(setup, "3 njet black blue 2", number=number))
    return tapping(phone, ".space:not(.is-covered, .is-left)")


def partners(phone: Phone) -> Callable[[], object]:
    lay(phone, english(5), SETTLED)
    return tapping(phone, "a.choice")


def monster(phone: Phone) -> Callable[[], object]:
    choose = partners(phone)
    wakes(phone)
    choose()
    phone.page.locator("button.choice").first.wait_for()
    return tapping(phone, "button.choice")


def count(phone: Phone) -> Callable[[], object]:
    lay(phone, english(3, rounds=2), "open 0 njet black blue 2", "team alone monster 0")
    wakes(phone)
    phone.enter_tally({"Ana": (6, 0), "Ben": (5, 0), "Cleo": (5, 0)})
    return tapping(phone, "button[form=tally]")


def last_trick(phone: Phone) -> Callable[[], object]:
    lay(phone, english(5, rounds=1), SETTLED, TEAMS, *["trick 0+1"] * 5, *["trick 0"] * 6)
    return tapping(phone, 'button[name="trick"]')


def rematch(phone: Phone) -> Callable[[], object]:
    lay(phone, english(5, rounds=1), SETTLED, TEAMS, COUNTED)
    return tapping(phone, "form.is-main button")


def undo_of_a_result(phone: Phone) -> Callable[[], object]:
    lay(phone, english(5), SETTLED, TEAMS, COUNTED)
    return tapping(phone, ".undo button")


def confirmation(phone: Phone) -> Callable[[], object]:
    """Where it was confirmed, it is taken back next."""
    table = lay(phone, english(5), SETTLED, TEAMS, COUNTED)
    Game.objects.filter(pk=table.id).update(asks_confirmation=True)
    phone.page.reload()
    button = phone.page.locator("[data-team] button").first
    return lambda: phone.touch(button)


def others(phone: Phone) -> Callable[[], object]:
    """The scene is changed by another phone, while a finger is on its way."""
    table = lay(phone, english(5), SETTLED)

    def act() -> None:
        table.record(TEAMS)
        phone.page.evaluate("Line.refresh()")

    return act


def offline(phone: Phone) -> Callable[[], object]:
    """The next question comes from the pad."""
    act = last_marker(phone)
    wakes(phone)
    phone.has_pad()
    phone.lose_line()
    return act


def new_table(phone: Phone) -> Callable[[], object]:
    phone.open("/")
    return tapping(phone, 'a[href="/new/"]')


PAPER = {
    "a row settled at once": Change(last_choice, "#table.is-teams"),
    "start placing": Change(start_placing, "#table.is-board"),
    "the last marker": Change(last_marker, "#table.is-teams"),
    "partners": Change(partners, "button.choice"),
    "monster": Change(monster, "#table.is-count"),
    "count": Change(count, "#table.is-setup"),
    "the last trick": Change(last_trick, "#table.is-finished"),
    "rematch": Change(rematch, "#table.is-setup"),
    "undo of a result": Change(undo_of_a_result, "#table.is-count"),
    "confirmation": Change(confirmation, ".confirmed"),
    "another phone": Change(others, "#table.is-count"),
    "offline": Change(offline, "#pad [data-stage=teams]"),
    "a page": Change(new_table, '[name="name-0"]'),
}


def digital(phase: Phase) -> Callable[[Phone], Callable[[], object]]:
    """The players go on to the next phase, all at once for the one who looks."""

    def begin(phone: Phone) -> Callable[[], object]:
        table = DigitalTable(english(5)).play_on(in_phase(phase), leaving("discard:discard_1"))
        player = Player(phone, table, table.state.acting_seats[0])

        def act() -> None:
            table.play_on(lambda state: state.phase is not phase, leaving("discard:discard_1"))
            player.hears()

        return act

    return begin


def covered(phone: Phone) -> Callable[[], object]:
    """A shared phone: the board of one player makes way for the cover before the next one's."""
    table = DigitalTable(english(5))
    give(phone, *table.keys.values())
    phone.go_to(table.id, "")
    return tapping(phone, ".cover .button")


DIGITAL = {
    "digital board": Change(digital(Phase.PLACING), "#table.is-teams"),
    "digital teams": Change(digital(Phase.TEAMS), "#table.is-choose"),
    "digital discards": Change(digital(Phase.DISCARDING), "#table.is-tricks"),
    "digital tricks": Change(digital(Phase.TRICKS), "#table.is-result"),
    "digital cover": Change(covered, "#table:not(.is-cover)"),
}


def stays(phone: Phone, change: Change) -> None:
    """Taps in all former places, 100 to 900 ms after the change, do nothing."""
    act = change.begin(phone)
    wakes(phone)
    places = phone.page.evaluate(PLACES)
    assert len(places) > 3
    act()
    phone.page.locator(change.leads_to).first.wait_for()
    phone.page.wait_for_load_state("load")
    seen = phone.page.evaluate(SEEN)
    taps = 0
    while (slept := phone.page.evaluate(SLEPT)) is not None and slept < 900:
        if slept >= 100:
            phone.tap_at(*places[5 * taps % len(places)])
            taps += 1
    assert taps
    phone.page.wait_for_timeout(500)
    assert phone.page.evaluate(SEEN) == seen
    assert phone.page.locator(change.leads_to).first.is_visible()


SCENES = PAPER | DIGITAL


@pytest.mark.parametrize("name", SCENES)
def test_a_new_scene_takes_no_tap_that_was_meant_for_the_last_one(open_phone: OpenPhone, name: str) -> None:
    stays(open_phone(awake=False), SCENES[name])


@pytest.mark.engines
@pytest.mark.parametrize("name", ["a row settled at once", "count", "digital teams", "a page"])
def test_scenes_and_pages_sleep_in_every_engine(open_phone: OpenPhone, name: str) -> None:
    stays(open_phone(awake=False), SCENES[name])


def test_what_stays_in_a_scene_takes_every_tap(open_phone: OpenPhone) -> None:
    phone = open_phone(awake=False)
    lay(phone, english(5), "trump red")
    wakes(phone)

    for space in ("trump:black", "points:1", "discard:njet", "start:2"):
        phone.page.locator(f'.space[value="{space}"]').tap()

    expect(phone.table).to_have_attribute("data-version", "5")


def test_a_question_that_comes_takes_no_tap_for_a_second(open_phone: OpenPhone) -> None:
    """Another phone was faster: what is offered lies where the thumb is."""
    phone = open_phone(awake=False)
    table = lay(phone, english(5), "trump red")
    phone.stays_behind()
    phone.page.reload()
    wakes(phone)
    table.record("trump black")
    phone.page.locator('.space[value="points:1"]').tap()
    again = phone.page.locator(".notice button")
    again.wait_for()

    again.tap(force=True)

    phone.page.wait_for_timeout(300)
    assert again.is_visible()
    again.tap()
    expect(phone.table).to_have_attribute("data-version", "3")

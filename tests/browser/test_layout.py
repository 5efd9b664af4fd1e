"""Nothing moves under the thumb: whole games with short and with long names, in which no target changes its place.

Knows: what the browser reports as a layout shift, also right after a tap.  Between two phases another page is drawn:
only what happens within a phase counts.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

import pytest
from playwright.sync_api import Route, expect

from games.rules import Setup
from tests.browser.conftest import OpenPhone
from tests.browser.facts import overlaps, places
from tests.browser.phone import Phone
from tests.browser.prepared import lay
from tests.browser.sizes import LAPTOP, PHONE, SIDEWAYS, Size
from tests.browser.states import STATES
from tests.builders import dutch
from tests.cast.tables import ROUND_1, ROUND_2

pytestmark = [pytest.mark.browser, pytest.mark.slow]

SHORT = ["Ana", "Ben", "Cleo", "Dan", "Eve"]
LONG = [
    "Wolfeschlegelsteinhausen",
    "👩‍👩‍👧‍👦 Zoë & Noah 🎲🎲🎲",
    "عبد الرحمن بن محمد الكبير",
    "WWWWWWWWWWWWWWWWWWWWWWWW",
    "i",
]


@dataclass(frozen=True)
class Game:
    """What is entered in each round; with a monster card it is asked for after the partners."""

    preset: str
    names: list[str]
    # In an order that goes from row to row and that the rules allow; what is not named stays open.
    markers: list[tuple[str, str | int]]
    partners: list[int]
    monster: int | None
    # Nothing is discarded.
    tricks: int


def njet(names: list[str]) -> Game:
    """Five players: all spaces, and the monster card."""
    markers: list[tuple[str, str | int]] = [
        *(("trump", "red"), ("points", "-2"), ("start", 1), ("discard", "discard_1"), ("supertrump", "red")),
        *(("trump", "black"), ("points", "1"), ("start", 2), ("discard", "discard_2"), ("supertrump", "black")),
        *(("trump", "blue"), ("points", "3"), ("start", 3), ("discard", "discard_2_no_zero"), ("supertrump", "blue")),
        *(("trump", "yellow"), ("points", "4"), ("start", 4), ("discard", "pass_2_right"), ("supertrump", "yellow")),
    ]
    return Game("njet-english", names, markers, partners=[1, 2], monster=4, tricks=12)


def goldsieber(names: list[str]) -> Game:
    """Four players: rows of three, four and five spaces, pairs, other cards that are captured."""
    markers: list[tuple[str, str | int]] = [
        *(("trump", "red"), ("points", "1"), ("start", 1), ("discard", "discard_1"), ("supertrump", "red")),
        *(("trump", "black"), ("points", "2"), ("start", 2), ("discard", "discard_2"), ("supertrump", "blue")),
        *(("trump", "blue"), ("points", "3"), ("start", 3), ("supertrump", "green"), ("supertrump", "njet")),
    ]
    return Game("goldsieber-dutch", names, markers, partners=[1], monster=None, tricks=10)


# The phases in which nothing may move.
STILL = ("board", "teams", "count")

WATCH = """
() => {
  const TARGETS = "a, button, label, summary";
  const named = ({ tagName, id, className, textContent }) =>
    `${tagName} ${id || className} “${textContent.trim().slice(0, 30)}”`;
  // Words may change in a line, and a covered space moves its own sign.
  const counts = (node) => node?.nodeType === 1 && !node.parentElement?.closest(TARGETS);
  const place = ({ x, y, width, height }) =>
    [x, y, width, height].map((number) => Math.round(number * 2) / 2).join(" ");
  const shifts = [];
  const observer = new PerformanceObserver((list) => keep(list.getEntries()));
  const keep = (entries) => {
    for (const { value, sources } of entries)
      for (const { node, previousRect: was, currentRect: is } of value ? sources : [])
        if (counts(node)) shifts.push(`${named(node)} moved from ${place(was)} to ${place(is)}`);
  };
  observer.observe({ type: "layout-shift", buffered: false });
  const key = (target) => [target.tagName, target.id || target.name, target.value ?? target.getAttribute("href"),
    target.closest("form")?.className, target.type].join(" ");
  window.seen = async () => {
    for (let frames = 0; frames < 3; frames++) await new Promise((resolve) => requestAnimationFrame(resolve));
    keep(observer.takeRecords());
    const targets = {};
    for (const each of document.querySelectorAll(`#table :is(${TARGETS})`)) {
      if (!each.checkVisibility()) continue;
      targets[key(each)] = place(each.getBoundingClientRect());
    }
    return { phase: document.getElementById("table").dataset.phase, shifts: shifts.splice(0), targets };
  };
}
"""

FIRST_DRAWING = """
  const shifts = [];
  const keep = (entries) => {
    for (const { value, sources } of entries)
      for (const { node } of sources) shifts.push(`${value} ${node?.nodeName} “${node?.textContent.trim()}”`);
  };
  const observer = new PerformanceObserver((list) => keep(list.getEntries()));
  observer.observe({ type: "layout-shift", buffered: true });
  window.drawn = async () => {
    for (let frames = 0; frames < 3; frames++) await new Promise((resolve) => requestAnimationFrame(resolve));
    keep(observer.takeRecords());
    return shifts;
  };
"""


class Observer:
    """Compares the places of all targets before and after each tap of a phone."""

    def __init__(self, phone: Phone) -> None:
        self.phone = phone
        self.problems: list[str] = []
        phone.page.evaluate(WATCH)
        self.last = phone.page.evaluate("seen()")

    def look(self, tap: str) -> None:
        """After a tap: what has moved since the last one."""
        before, self.last = self.last, self.phone.page.evaluate("seen()")
        if before["phase"] != self.last["phase"] or self.last["phase"].split("-")[0] not in STILL:
            return
        where = f"{self.last['phase']}, {tap}"
        self.problems += [f"{where}: {shift}" for shift in self.last["shifts"]]
        for target, place in self.last["targets"].items():
            was = before["targets"].get(target, place)
            if was != place:
                self.problems.append(f"{where}: {target} was at {was} and is at {place}")


def play_round(phone: Phone, observer: Observer, game: Game, *, with_undo: bool) -> None:
    """A round with every marker, in which the first player starts, and every trick."""
    names = phone.names
    phone.begin_placing()
    observer.look("begin")
    for row, space in game.markers:
        phone.cover(row, names[space] if isinstance(space, int) else space)
        observer.look(f"cover {row} {space}")
        if with_undo and space == "discard_1":
            phone.undo()
            observer.look("undo")
            phone.cover(row, space)
            observer.look("cover again")
    partners = [names[seat] for seat in game.partners]
    if game.monster is None:
        phone.name_team(*partners)
    else:
        seats = "-".join(map(str, game.partners))
        phone.touch(phone.page.locator(f'a.choice[href*="partners={seats}"]'))
        expect(phone.page.locator(f'button.choice[value="{seats}:{game.monster}"]')).to_be_visible()
        observer.look("partners")
        phone.tap("Other partners")
        phone.name_team(*partners, monster=names[game.monster])
    observer.look("teams")
    for number in range(game.tricks):
        phone.win_trick(names[number % len(names)], captured=number % 3 if number < 6 else 0)
        observer.look(f"trick {number + 1}")


@pytest.mark.parametrize(
    ("game", "size", "rounds"),
    [(goldsieber(SHORT[:4]), PHONE, 2), (njet(LONG), PHONE, 1), (njet(LONG), SIDEWAYS, 1)],
    ids=["short", "long", "long-on-its-side"],
)
def test_nothing_moves_between_two_taps(open_phone: OpenPhone, game: Game, size: Size, rounds: int) -> None:
    phone = open_phone(size)
    phone.new_table(game.preset, game.names, rounds=rounds)
    observer = Observer(phone)

    for number in range(rounds):
        play_round(phone, observer, game, with_undo=number == 0)

    assert phone.shows == "finished"
    assert not observer.problems, "\n".join(observer.problems)


def late(route: Route) -> None:
    """A script that comes when the page has been drawn."""
    time.sleep(0.3)
    route.continue_()


@pytest.mark.parametrize("size", [PHONE, SIDEWAYS, LAPTOP], ids=str)
def test_a_page_is_drawn_at_once(open_phone: OpenPhone, size: Size) -> None:
    """Where scripts come late, times and days become those of the phone without moving anything."""
    phone = open_phone(size)
    phone.page.add_init_script(FIRST_DRAWING)
    phone.page.route("**/*.js", late)
    table = lay(phone, dutch(3), *ROUND_1, "finish")

    for path in (f"/g/{table.id}/sheet/", f"/g/{table.id}/history/", "/"):
        phone.page.goto(phone.address + path, wait_until="networkidle")
        assert phone.page.evaluate("drawn()") == [], path


def test_on_a_desk_the_sheet_stands_beside_each_phase(open_phone: OpenPhone) -> None:
    desk = open_phone(LAPTOP, mobile=False, scale=1)
    for lines, path in (((), ""), ((), "?board"), (ROUND_2[:2], "?count=tally"), ((), "quick/")):
        lay(desk, dutch(3), *ROUND_1, *lines, path=path)

        expect(desk.page.locator(".beside .sheet")).to_be_visible()
        assert overlaps(desk.page, ".beside .sheet", ".thumb, main > *") == []


def test_on_a_desk_a_block_of_a_correction_that_opens_moves_neither_figures_nor_button(open_phone: OpenPhone) -> None:
    desk = open_phone(LAPTOP, mobile=False, scale=1)
    STATES["correct-a-tally"](desk)
    before = places(desk.page, STILL_HERE)

    for block in (".of-board", ".of-teams"):
        desk.page.locator(f"{block} > summary").click()
        desk.page.evaluate("scrollTo(0, 0)")

        assert places(desk.page, STILL_HERE) == before, block


STILL_HERE = ".figures, .correct .is-main"


@pytest.mark.parametrize("size", [PHONE, SIDEWAYS, LAPTOP], ids=str)
def test_nothing_moves_while_a_whole_round_is_counted(open_phone: OpenPhone, size: Size) -> None:
    phone = open_phone(size)
    setup = Setup.of(preset="njet-english", names=LONG, tokens=[None] * 5, options={}, dealer=0)
    lay(phone, setup, "open 0 njet black blue 2", "team 1 2 monster 4")
    phone.count_whole_round()
    observer = Observer(phone)

    # Three tricks too many are noticed, then mended; the captures follow.
    for number in (3, 5, 2, 2, 3):
        phone.touch(phone.key(number))
        observer.look(f"key {number}")
    phone.touch(phone.page.locator('[name$="tricks-1"]'))
    observer.look("the second player")
    for number in (2, 3, 1, 1):
        phone.touch(phone.key(number))
        observer.look(f"key {number}")
    phone.touch(phone.page.locator('.step[data-step="1"]').first)
    observer.look("one captured more")

    assert not observer.problems, "\n".join(observer.problems)

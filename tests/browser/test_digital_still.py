"""Nothing moves under the thumb at a digital table: a whole round, and each kind of message as it comes and goes.

Knows: what the browser reports as a layout shift, also right after a tap, and where everything is that can be tapped.
Between two phases another scene is drawn; the bar, the hand and the thumb bar stay where they are then, too.
"""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from games.rules import Action, Place, RowKey
from games.rules.redaction import PlayerView
from tests.browser.conftest import OpenPhone
from tests.browser.digital import Player
from tests.browser.phone import LAPTOP, PHONE, Size
from tests.builders import english
from tests.services.phones import Phones, rounds_finished

pytestmark = pytest.mark.browser

WATCH = """
() => {
  const FRAME = [".bar", ".dock", ".thumb"],
    SCENE = [".bar > *", ".thumb > *", ".strip li", ".board .space", ".candidate > label", ".plate", ".dash > *"];
  const place = ({ x, y, width, height }) => [x, y, width, height].map(Math.round).join(" ");
  // Words and figures may change within a place of their own.
  const counts = (node) =>
    node?.nodeType === 1 && node.closest("#table") && !node.closest(".beside, .popover, .toasts, .over") &&
    !node.parentElement.closest(".say, .figures, .face, .where, a, button, label");
  const shifts = [];
  const observer = new PerformanceObserver((list) => keep(list.getEntries()));
  const keep = (entries) => {
    for (const { value, sources } of entries)
      for (const { node, previousRect: was, currentRect: is } of value ? sources : [])
        if (counts(node)) shifts.push(`${node.tagName} ${node.className} moved from ${place(was)} to ${place(is)}`);
  };
  observer.observe({ type: "layout-shift", buffered: false });
  const places = (selectors) => Object.fromEntries(selectors.map((selector) => [
    selector,
    [...document.querySelectorAll(selector)].filter((each) => each.checkVisibility())
      .map((each) => place(each.getBoundingClientRect())),
  ]));
  window.seen = async () => {
    for (let frames = 0; frames < 3; frames++) await new Promise((resolve) => requestAnimationFrame(resolve));
    keep(observer.takeRecords());
    const phase = /is-(\\w+)/.exec(document.getElementById("table").className)[1];
    return { phase, shifts: shifts.splice(0), frame: places(FRAME), scene: places(SCENE) };
  };
}
"""


class Observer:
    """Compares the places of everything before and after each change of a phone."""

    def __init__(self, player: Player) -> None:
        self.page = player.page
        self.problems: list[str] = []
        self.phases: list[str] = []
        self.page.evaluate(WATCH)
        self.last = self.page.evaluate("seen()")

    def look(self, what: str) -> None:
        """What has moved since the last time."""
        before, self.last = self.last, self.page.evaluate("seen()")
        phase = self.last["phase"]
        if phase not in self.phases:
            self.phases.append(phase)
        # The result is a page of its own.
        if "result" in (phase, before["phase"]):
            return
        parts = ["frame"]
        if phase == before["phase"]:
            parts.append("scene")
            self.problems += [f"{phase}, {what}: {shift}" for shift in self.last["shifts"]]
        self.problems += [
            f"{phase}, {what}: {part} were at {before[kind][part]} and are at {places}"
            for kind in parts
            for part, places in self.last[kind].items()
            if places != before[kind][part]
        ]


def passes_cards(view: PlayerView) -> Action:
    """Markers that let cards be passed."""
    discards = [each for each in view.legal if isinstance(each, Place) and each.row is RowKey.DISCARD]
    return next((each for each in discards if each.space != "pass_2_right"), view.legal[-1 if discards else 0])


@pytest.mark.slow
@pytest.mark.parametrize("size", [PHONE, Size(640, 360), LAPTOP], ids=str)
def test_nothing_moves_in_a_whole_round(open_phone: OpenPhone, size: Size) -> None:
    table = Phones(english(4, rounds=3)).play_on(rounds_finished(1))
    player = Player(open_phone(size), table, 0)
    player.phone.tap("Go on")
    expect(player.page.locator("form.board")).to_be_visible()
    observer = Observer(player)

    while len(table.state.finished) == 1:
        seat = min(table.state.acting_seats)
        if seat:
            table.step(passes_cards)
            player.hears()
        else:
            player.act()
        observer.look(f"seat {seat}")
    expect(player.page.locator(".felt > .page")).to_be_visible()
    observer.look("the result")

    assert not observer.problems, "\n".join(observer.problems)
    assert observer.phases == ["board", "teams", "choose", "tricks", "result"]

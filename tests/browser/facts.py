"""Facts of what stands on a screen, for tests that survive another style sheet: no place and no size in pixels.

Knows: what can be seen of a page, and its boxes.  Must not know: any page.
"""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page

MEASURE = """
({ ask, one, other }) => {
  const seen = (selector) => [...document.querySelectorAll(selector)]
    .filter((each) => each.checkVisibility({ opacityProperty: true, visibilityProperty: true }));
  const named = (each) => {
    const text = (each.getAttribute("aria-label") || each.textContent).trim().replace(/\\s+/g, " ");
    return `${each.tagName.toLowerCase()}.${[...each.classList].join(".")} "${text.slice(0, 40)}"`;
  };
  const box = (each) => each.getBoundingClientRect();
  const over = (a, b) =>
    a.left < b.right - 1 && a.right > b.left + 1 && a.top < b.bottom - 1 && a.bottom > b.top + 1;
  const inside = (a, b) =>
    a.left >= b.left - 1 && a.right <= b.right + 1 && a.top >= b.top - 1 && a.bottom <= b.bottom + 1;
  const text = (each) => {
    const range = document.createRange();
    range.selectNodeContents(each);
    return range.getBoundingClientRect();
  };
  const screen = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
  const asked = {
    // What belongs to one seat may lie on its own cards.
    overlaps: () => seen(one).flatMap((a) => seen(other)
      .filter((b) => a !== b && !a.contains(b) && !b.contains(a))
      .filter((b) => !a.closest("[data-seat]") || a.closest("[data-seat]") !== b.closest("[data-seat]"))
      .filter((b) => over(box(a), box(b))).map((b) => `${named(a)} lies over ${named(b)}`)),
    outside: () => {
      const around = other ? box(seen(other)[0]) : screen;
      return seen(one).filter((each) => !inside(box(each), around)).map((each) => `${named(each)} sticks out`);
    },
    cut: () => seen(one).filter((each) => each.scrollHeight > each.clientHeight + 1
      || each.scrollWidth > each.clientWidth + 1 || text(each).width > box(each).width).map(named),
    // A hyphen that is written may end a line.
    broken: () => seen(one).flatMap((each) => [...each.childNodes]).filter((node) => node.nodeType === Node.TEXT_NODE)
      .flatMap((node) => [...node.data.matchAll(/[^\\s-]+/g)].filter(({ index, 0: word }) => {
        const range = document.createRange();
        range.setStart(node, index);
        range.setEnd(node, index + word.length);
        return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1;
      })).map(([word]) => word),
    ends: () => seen(one).map((each) => Math.round(text(each).right)),
    places: () => seen(one).map(box).map(({ x, y, width, height }) => [x, y, width, height].map(Math.round)),
  };
  if (!["places", "ends"].includes(ask) && !seen(one).length) return [`nothing is seen of ${one}`];
  return asked[ask]();
}
"""


def _ask(page: Page, ask: str, one: str, other: str = "") -> Any:
    return page.evaluate(MEASURE, {"ask": ask, "one": one, "other": other})


def overlaps(page: Page, one: str, other: str) -> list[str]:
    """What of the first selector lies over something of the second, of another seat."""
    found: list[str] = _ask(page, "overlaps", one, other)
    return found


def outside(page: Page, one: str, other: str = "") -> list[str]:
    """What of the first selector sticks out of the first thing of the second, or of the screen."""
    found: list[str] = _ask(page, "outside", one, other)
    return found


def cut(page: Page, one: str) -> list[str]:
    """Texts that are wider or higher than what shows them."""
    found: list[str] = _ask(page, "cut", one)
    return found


def broken(page: Page, one: str) -> list[str]:
    """Words of these texts that go on in the next line."""
    found: list[str] = _ask(page, "broken", one)
    return found


def ends(page: Page, one: str) -> list[int]:
    """Where the texts of a selector end."""
    found: list[int] = _ask(page, "ends", one)
    return found


def places(page: Page, one: str) -> list[list[int]]:
    """Where everything of a selector is, to be compared with where it was."""
    found: list[list[int]] = _ask(page, "places", one)
    return found

"""Whether what a page shows can be used in this engine: everything that can be tapped is large enough and hit by a tap.

Knows: what every page promises on any screen.  Must not know: any page.
"""

from __future__ import annotations

from playwright.sync_api import Page

from tests.browser.audit import LEAST_TARGET
from tests.browser.sizes import Size
from tests.browser.webkit import Page as WebKitPage

MEASURE = """
(leastTarget) => {
  const problems = [];
  const round = (box) => [box.left, box.top, box.width, box.height].map(Math.round).join(" ");
  const named = (element) => {
    const text = (element.getAttribute("aria-label") || element.textContent || element.name || "").trim();
    const classes = [...element.classList].join(".");
    return `${element.tagName.toLowerCase()}.${classes} "${text.replace(/\\s+/g, " ").slice(0, 40)}"`;
  };
  const shown = (element) =>
    element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
    !element.closest(".sr, [aria-hidden=true]");
  const isWithin = ({ left, top, right, bottom }) =>
    left >= -0.6 && top >= -0.6 && right <= innerWidth + 0.6 && bottom <= innerHeight + 0.6;
  const isHit = (element, owner) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    const hit = document.elementFromPoint(left + width / 2, top + height / 2);
    // A message lies over what it concerns until it is read.
    return !!hit && (element.contains(hit) || owner.contains(hit) || hit.closest("label")?.control === owner
      || !!hit.closest(".notice, .line"));
  };
  const takesTaps = (element) => !element.matches(":disabled") && getComputedStyle(element).pointerEvents !== "none";
  const scrolled = (element) => {
    for (let each = element; each; each = each.parentElement) {
      const mayScroll = ["auto", "scroll"].includes(getComputedStyle(each).overflowX);
      if (mayScroll && each.scrollWidth > each.clientWidth) return true;
    }
    return false;
  };
  scrollTo(0, 0);

  const { scrollWidth, clientWidth } = document.documentElement;
  if (scrollWidth > clientWidth) problems.push(`scrolls sideways: ${scrollWidth} on ${clientWidth}`);

  // --- rows that are played on are in sight as the page opens
  for (const space of document.querySelectorAll(":is(main, .scene) > .board .space, .quick .space")) {
    const box = space.getBoundingClientRect();
    if (!isWithin(box)) problems.push(`out of sight: ${named(space)} at ${round(box)}`);
  }
  // --- what leads on is in sight and hit by a tap
  for (const main of document.querySelectorAll(".thumb :is(.is-main, .go)")) {
    if (!shown(main)) continue;
    if (!isWithin(main.getBoundingClientRect())) problems.push(`out of sight: ${named(main)}`);
    else if (takesTaps(main) && !isHit(main, main)) problems.push(`covered: ${named(main)}`);
  }

  // --- what can be tapped; what lies behind an open sheet cannot
  const open = document.querySelector(":popover-open, dialog[open]") ?? document;
  const tappable = "a[href], button:not(:disabled), input:not([type=hidden], :disabled), select, textarea, summary";
  for (const owner of open.querySelectorAll(tappable)) {
    const isChoice = owner.matches("[type=radio], [type=checkbox]");
    const target = (isChoice && owner.labels[0]) || owner;
    if (!shown(target) || !takesTaps(target) || owner.closest(".sr, [aria-hidden=true]")) continue;
    const inText = owner.tagName === "A" && getComputedStyle(owner).display === "inline"
      && owner.parentElement.textContent.trim().length > owner.textContent.trim().length;
    if (inText) continue;
    let box = target.getBoundingClientRect();
    if (box.width < leastTarget - 0.5 || box.height < leastTarget - 0.5)
      problems.push(`small target: ${named(target)} at ${round(box)}`);
    if (isWithin(box) && isHit(target, owner)) continue;
    target.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
    box = target.getBoundingClientRect();
    if (!isWithin(box) && !scrolled(target)) problems.push(`off the screen: ${named(target)} at ${round(box)}`);
    else if (!isHit(target, owner)) problems.push(`covered: ${named(target)} at ${round(box)}`);
  }
  scrollTo(0, 0);
  return [...new Set(problems)];
}
"""


def obstacles_of(page: Page | WebKitPage, size: Size) -> list[str]:
    """Everything that keeps a player from using what the page shows on a screen of this size, a line each."""
    # Five rows of a board share the height of a phone on its side: a tenth less is enough there.
    least = LEAST_TARGET * (0.9 if size.height < 390 else 1)
    found: list[str] = page.evaluate(MEASURE, least)
    return found


BOXES = """
() => [...document.querySelectorAll("body, header, main, footer, h1, .board, .space, .sheet, .face")]
  .concat(...document.querySelectorAll(".button, .chip, .choice, .link-row"))
  .filter((element) => element.checkVisibility())
  .map((element) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    return `${element.tagName} ${[left, top, width, height].map(Math.round).join(" ")}`;
  })
"""


def boxes_of(page: Page | WebKitPage) -> list[str]:
    """Where the large parts of the page are, once they stand still: turned pages are laid out in several frames."""
    boxes: list[str] = page.evaluate(BOXES)
    while True:
        page.wait_for_timeout(200)
        before, boxes = boxes, page.evaluate(BOXES)
        if boxes == before:
            return boxes

"""What is wrong with the page on the screen, measured: overflow, small targets, weak contrast, texts that collide.

Knows: the limits every page keeps.  Must not know: any page.  The measuring is done in the browser, in one go.
"""

from __future__ import annotations

from typing import Any

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page

CONTRAST = "color-contrast"
"""Of the rules of axe the one that takes most of its time.  `problems_of` measures the contrast of texts, too, but not
what lies behind them that is no parent."""

LEAST_TARGET = 44
LEAST_LETTERS = 16
LEAST_CONTRAST = 4.5

MEASURE = """
({ leastTarget, leastLetters, leastContrast, mayShorten, mayScroll }) => {
  const problems = [];
  // Most questions are asked for each child of an element again: an answer is kept for each element.
  const once = (ask) => {
    const answers = new Map();
    return (element) => {
      if (!answers.has(element)) answers.set(element, ask(element));
      return answers.get(element);
    };
  };
  const styled = once(getComputedStyle);
  const shown = once((element) =>
    element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && !element.closest(".sr"));
  const named = (element) => {
    const classes = [...element.classList].filter((name) => !name.startsWith("htmx")).join(".");
    const text = (element.getAttribute("aria-label") || element.textContent || "").trim().replace(/\\s+/g, " ");
    const parent = element.parentElement?.classList[0] || element.parentElement?.tagName.toLowerCase() || "";
    return `${parent} > ${element.tagName.toLowerCase()}${classes ? "." + classes : ""} "${text.slice(0, 40)}"`;
  };
  const round = (number) => Math.round(number * 10) / 10;
  const scrolls = once((element) =>
    !!element && (["auto", "scroll"].includes(styled(element).overflowX) || scrolls(element.parentElement)));
  const all = [...document.body.querySelectorAll("*")].filter(shown);

  // --- nothing sticks out of the screen
  const width = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth > width)
    problems.push(`overflow: the page is ${document.documentElement.scrollWidth} wide on ${width}`);
  for (const element of all) {
    const box = element.getBoundingClientRect();
    if (box.width && (box.right > width + 0.6 || box.left < -0.6) && !scrolls(element) && !element.closest("svg"))
      problems.push(`overflow: ${named(element)} from ${round(box.left)} to ${round(box.right)} on ${width}`);
  }

  // A row of chips is pushed sideways, so that what follows stays in sight.
  for (const element of mayScroll ? [] : all.filter((each) => !each.matches(".chips.is-row")))
    if (scrolls(element) && !scrolls(element.parentElement) && element.scrollWidth > element.clientWidth + 1)
      problems.push(`scrolls sideways: ${named(element)}, ${element.scrollWidth} on ${element.clientWidth}`);

  // --- nothing sticks out of its box, nothing is cut off; a badge may lie over the edge
  const badge = (element) =>
    [...element.children].some((each) => each.tagName === "I" && styled(each).position === "absolute");
  for (const element of all) {
    const style = styled(element);
    if (style.display === "inline" || style.display === "contents" || element.closest("svg")) continue;
    if (element.matches("html, body, select, input")) continue;
    const over = [element.scrollWidth - element.clientWidth, element.scrollHeight - element.clientHeight];
    if (style.overflowX === "hidden" || style.overflowY === "hidden") {
      const shortened = style.textOverflow === "ellipsis" && mayShorten;
      if (shortened || style.webkitLineClamp !== "none") continue;
      if (over[0] > 1 || over[1] > 1) problems.push(`cut off: ${named(element)} lacks ${over.map(round)}`);
    } else if (over[0] > 1 && style.overflowX === "visible" && !scrolls(element) && !badge(element))
      problems.push(`out of its box: ${named(element)} by ${over[0]}`);
  }

  // --- whatever can be tapped is big enough
  const tappable = "a[href], button, input:not([type=hidden]), select, textarea, summary";
  for (const element of document.querySelectorAll(tappable)) {
    if (!element.checkVisibility({ visibilityProperty: true }) || element.closest(".sr")) continue;
    const choice = element.matches("[type=radio], [type=checkbox]");
    if (!choice && !shown(element)) continue;
    const inline = styled(element).display === "inline";
    const around = element.parentElement.textContent.trim().length > element.textContent.trim().length;
    if (element.tagName === "A" && inline && around) continue;
    const box = ((choice && element.labels[0]) || element).getBoundingClientRect();
    if (box.width < leastTarget - 0.5 || box.height < leastTarget - 0.5)
      problems.push(`small target: ${named(element)} is ${round(box.width)}×${round(box.height)}`);
  }

  // --- no field has letters so small that iOS zooms into it
  const field = "input:not([type=radio], [type=checkbox], [type=range]), select, textarea";
  for (const element of all.filter((each) => each.matches(field))) {
    const size = parseFloat(styled(element).fontSize);
    if (size < leastLetters) problems.push(`small letters: ${named(element)} has ${round(size)}`);
  }

  // --- whatever can be read is dark enough on light, or light enough on dark
  const channels = (colour) => {
    const numbers = colour.match(/[\\d.]+/g).map(Number);
    return { rgb: numbers.slice(0, 3), alpha: numbers.length > 3 ? numbers[3] : 1 };
  };
  const over = (top, alpha, under) => top.map((value, index) => value * alpha + under[index] * (1 - alpha));
  const behind = once((element) => {
    if (!element) return [255, 255, 255];
    const { rgb, alpha } = channels(styled(element).backgroundColor);
    return alpha === 1 ? rgb : over(rgb, alpha, behind(element.parentElement));
  });
  const luminance = (rgb) => {
    const [red, green, blue] = rgb.map((value) => {
      const share = value / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const contrast = (colour, ground) => {
    const { rgb, alpha } = channels(colour);
    const [light, dark] = [luminance(over(rgb, alpha, ground)), luminance(ground)].sort((a, b) => b - a);
    return (light + 0.05) / (dark + 0.05);
  };
  const judge = (element, colour, what) => {
    const found = contrast(colour, behind(element));
    if (found < leastContrast) problems.push(`weak contrast: ${what} ${named(element)} has ${found.toFixed(2)}`);
  };
  const hides = once((element) =>
    !element || styled(element).overflowX === "hidden" ? element : hides(element.parentElement));
  const clip = (element) => {
    const hiding = hides(element);
    if (!hiding) return (box) => box;
    const frame = hiding.getBoundingClientRect();
    return (box) => {
      const [left, right] = [Math.max(box.left, frame.left), Math.min(box.right, frame.right)];
      const [top, bottom] = [Math.max(box.top, frame.top), Math.min(box.bottom, frame.bottom)];
      return { left, right, top, bottom, width: right - left, height: bottom - top };
    };
  };
  const texts = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    if (!walker.currentNode.data.trim() || !shown(element) || element.matches("option, script, style")) continue;
    const range = document.createRange();
    range.selectNodeContents(walker.currentNode);
    const edge = clip(element);
    const boxes = [...range.getClientRects()].map(edge).filter((box) => box.width > 1 && box.height > 1);
    if (!boxes.length) continue;
    texts.push([element, boxes, walker.currentNode]);
    const inSvg = element.closest("svg");
    judge(element, styled(element)[inSvg ? "fill" : "color"], "text");
  }
  // Where a sign has an outline, the outline needs the contrast, not what it encloses.
  for (const element of all.filter((each) => each.matches(".suit path"))) {
    const { fill, stroke } = styled(element);
    judge(element, stroke === "none" ? fill : stroke, "sign");
  }
  for (const element of all.filter((each) => each.matches("input[placeholder]")))
    judge(element, getComputedStyle(element, "::placeholder").color, "placeholder");

  // --- words stay whole: broken ones are hard to read; in large type long ones may be broken, and at a soft hyphen
  const longest = mayScroll ? 9 : 14;
  for (const [element, , node] of mayShorten ? [] : texts) {
    if (element.textContent.startsWith("http") || styled(element).webkitLineClamp !== "none") continue;
    for (const word of node.data.matchAll(/(?<![\\p{L}\\d\\u00ad])[\\p{L}\\d]{2,14}(?![\\p{L}\\d])/gu)) {
      if (word[0].length > longest) continue;
      const range = document.createRange();
      range.setStart(node, word.index);
      range.setEnd(node, word.index + word[0].length);
      const lines = new Set([...range.getClientRects()].filter((box) => box.width).map((box) => Math.round(box.top)));
      if (lines.size > 1) problems.push(`broken word: “${word[0]}” in ${named(element)}`);
    }
  }

  // --- drawings keep their words inside
  for (const word of document.querySelectorAll("svg text")) {
    const [box, frame] = [word.getBoundingClientRect(), word.ownerSVGElement.getBoundingClientRect()];
    if (box.right > frame.right + 1 || box.left < frame.left - 1 || box.bottom > frame.bottom + 1)
      problems.push(`cut off: ${named(word)} by ${round(box.right - frame.right)} in its drawing`);
  }

  // --- no text lies on another; what floats above the page on purpose is left out
  const floats = once((element) =>
    !!element && (["fixed", "sticky", "absolute"].includes(styled(element).position) || floats(element.parentElement)));
  const fixedTexts = texts.filter(([element]) => !floats(element));
  fixedTexts.forEach(([element, boxes], index) => {
    for (const [other, otherBoxes] of fixedTexts.slice(index + 1))
      if (boxes.some((a) => otherBoxes.some((b) =>
        Math.min(a.right, b.right) - Math.max(a.left, b.left) > 2 &&
        Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > Math.min(a.height, b.height) * 0.45)))
        problems.push(`collision: ${named(element)} and ${named(other)}`);
  });

  // --- a marker leaves to be read what it covers
  for (const space of all.filter((each) => each.matches(".space.is-covered"))) {
    const marker = space.querySelector(".marker");
    const sign = [...space.children].find((each) => !each.matches(".marker, input"));
    if (!marker || !sign) continue;
    const [a, b] = [marker.getBoundingClientRect(), sign.getBoundingClientRect()];
    const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
    const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
    const isHidden = across > 4 && down > 4 && across * down > b.width * b.height / 10;
    if (isHidden) problems.push(`hidden: ${named(space)} by its marker, ${round(across)}×${round(down)}`);
  }
  return [...new Set(problems)];
}
"""


def problems_of(page: Page, *, may_shorten: bool = False, may_scroll: bool = False) -> list[str]:
    """Everything that is wrong with what the page shows now, a line each.

    `may_shorten`: whether an ellipsis may stand for the rest of a line, and long words may be broken;
    `may_scroll`: whether a wide part, like the sheet, may be scrolled sideways inside the page.
    """
    limits = {
        "leastTarget": LEAST_TARGET,
        "leastLetters": LEAST_LETTERS,
        "leastContrast": LEAST_CONTRAST,
        "mayShorten": may_shorten,
        "mayScroll": may_scroll,
    }
    found: list[str] = page.evaluate(MEASURE, limits)
    return found


def violations_of(page: Page, *, only: str = "", without: str = "") -> list[str]:
    """What axe finds (by one rule only, or by all but one, if it is named), a line for each element.

    Its script comes in past the policy, which stays in force for everything else.
    """
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    options: dict[str, Any] = {"resultTypes": ["violations"], "preload": False}
    if only:
        options["runOnly"] = [only]
    if without:
        options["rules"] = {without: {"enabled": False}}
    response: dict[str, Any] = page.evaluate("options => axe.run(options)", options)
    return [
        f"axe {violation['id']}: {node['target'][-1]} – {node['failureSummary'].splitlines()[-1].strip()}"
        for violation in response["violations"]
        for node in violation["nodes"]
    ]


def fits_without_scrolling(page: Page) -> bool:
    """Whether the whole page is on the screen."""
    fits: bool = page.evaluate("document.documentElement.scrollHeight <= innerHeight")
    return fits

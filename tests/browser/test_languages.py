"""Texts in the longest languages on narrow phones: nothing overflows, no word is cut, no button takes two lines.

Each state is reached in English and drawn again in the language, so what is open on the page only is closed then.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial

import pytest
from django.conf import settings
from django.utils import translation

from games.rules import Action, Phase, PublicState, RowKey, Setup
from games.rules.redaction import PlayerView
from games.texts import words
from tests.browser.audit import problems_of
from tests.browser.conftest import ARTEFACTS, OpenPhone
from tests.browser.digital import Player
from tests.browser.facts import broken
from tests.browser.phone import Phone
from tests.browser.sizes import LARGE_PHONE, PHONE, SIDEWAYS, SMALL
from tests.browser.states import STATES
from tests.builders import english
from tests.cast.digital import DigitalTable, in_phase, over

pytestmark = [pytest.mark.browser, pytest.mark.slow]

LANGUAGES = [code for code, _name in settings.LANGUAGES]
SIZES = (SMALL, PHONE)
ONLINE = [name for name in STATES if name != "line-down"]

# What a main button shows, in as many lines as its text has. Two that share a line, to begin a round, may have two.
BROKEN = """
() => [...document.querySelectorAll(".table:not(.is-setup) > .thumb .button, .page .thumb .button")]
  .filter((button) => button.checkVisibility())
  .filter((button) => {
    const lines = new Set();
    const walker = document.createTreeWalker(button, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      if (walker.currentNode.parentElement.closest(".sr, small, .undo")) continue;
      const range = document.createRange();
      range.selectNodeContents(walker.currentNode);
      for (const { width, top } of range.getClientRects()) if (width > 2) lines.add(Math.round(top / 8));
    }
    return lines.size > 1;
  })
  .map((button) => `two lines in the thumb bar: ${button.textContent.trim().replace(/\\s+/g, " ")}`)
"""


def speak(phone: Phone, language: str) -> None:
    """Draw the page again in another language, as the chooser does."""
    cookie = {"name": settings.LANGUAGE_COOKIE_NAME, "value": language, "url": phone.address}
    phone.page.context.add_cookies([cookie])
    phone.page.reload()


def misfits(phone: Phone, name: str) -> list[str]:
    found = []
    for language in LANGUAGES:
        speak(phone, language)
        for size in SIZES:
            phone.turn_into(size, "light")
            problems = problems_of(phone.page) + phone.page.evaluate(BROKEN)
            if problems:
                phone.photograph(ARTEFACTS / "languages" / f"{name}-{language}-{size}.png")
            found += [f"{language} {size}: {problem}" for problem in problems]
    return found


@pytest.mark.parametrize(
    # Every ninth for every change, all of them in the gallery.
    "name",
    [pytest.param(name, marks=pytest.mark.gallery if place % 9 else ()) for place, name in enumerate(ONLINE)],
)
def test_a_state_fits_in_every_language(open_phone: OpenPhone, name: str) -> None:
    phone = open_phone(mobile=False)
    STATES[name](phone)

    found = misfits(phone, name)

    assert not found, "\n".join(found)


DIGITAL: dict[str, Callable[[PublicState], bool]] = {
    "placing": in_phase(Phase.PLACING),
    "teams": in_phase(Phase.TEAMS),
    "discarding": in_phase(Phase.DISCARDING),
    "passing": in_phase(Phase.PASSING),
    "tricks": in_phase(Phase.TRICKS),
    "finished": over,
}

PAGES = {"tricks": ("menu/", "phones/"), "finished": ("replay/", "menu/", "sheet/")}
"""Other pages of a game in such a phase."""


FOUR = english(4, rounds=1)


def any_of(dice: random.Random, view: PlayerView) -> Action:
    return dice.choice(view.legal)


def played_until(there: Callable[[PublicState], bool], setup: Setup = FOUR) -> DigitalTable:
    """A table in a phase; not every board leads to every phase."""
    for seed in range(30):
        dice = random.Random(seed)
        table = DigitalTable(setup)
        while not (there(table.state) or table.state.is_over):
            table.step(partial(any_of, dice))
        if there(table.state):
            return table
    raise AssertionError("no board leads there")


@pytest.mark.parametrize("name", DIGITAL)
def test_a_digital_table_fits_in_every_language(open_phone: OpenPhone, name: str) -> None:
    table = played_until(DIGITAL[name])
    player = Player(open_phone(mobile=False), table, (table.state.acting_seats or (0,))[0])

    found = misfits(player.phone, f"digital-{name}")
    for page in PAGES.get(name, ()):
        player.phone.go(page)
        found += misfits(player.phone, f"digital-{page.strip('/')}")

    assert not found, "\n".join(found)


def test_to_whom_one_passes_is_said_in_one_line_in_every_language(open_phone: OpenPhone) -> None:
    long = ["Annabella-Maria", "Bartholomäus", "Clementine", "Desdemona W."]
    table = played_until(in_phase(Phase.PASSING), FOUR.corrected(names=long))
    lines = "headline => Math.round(headline.offsetHeight / parseFloat(getComputedStyle(headline).fontSize))"
    for seat in table.state.acting_seats[:2]:
        phone = Player(open_phone(mobile=False), table, seat).phone
        phone.turn_into(PHONE, "light")
        for language in LANGUAGES:
            speak(phone, language)
            assert phone.page.locator(".say b").evaluate(lines) == 1, language


def test_the_sheet_is_one_word_on_a_phone_on_its_side_in_every_language(open_phone: OpenPhone) -> None:
    phone = Player(open_phone(size=SIDEWAYS), DigitalTable(english(3)), 0).phone
    for language in LANGUAGES:
        speak(phone, language)
        assert broken(phone.page, ".pill") == [], language


# Of the names of settled rows, words that are torn without a hyphen of their own, and names higher than their row.
TORN = """(name, texts) => {
  const text = document.createTextNode(""), range = document.createRange(), title = name.querySelector("em");
  title.replaceChildren(text);
  return texts.filter((each) => {
    text.data = each;
    const isWhole = [...each.matchAll(/[^\\s-]+/g)].every(({ 0: word, index }) => {
      range.setStart(text, index);
      range.setEnd(text, index + word.length);
      return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size === 1;
    });
    return !isWhole || title.offsetHeight > name.clientHeight;
  });
}"""


def test_no_name_of_a_settled_row_is_torn_in_any_language(open_phone: OpenPhone) -> None:
    table = DigitalTable(english(4)).play_on(lambda state: state.current.board.markers == 8)
    rules, names = table.state.ruleset, table.state.setup.names
    phone = Player(open_phone(mobile=False), table, 0).phone
    texts: list[str] = []
    for language in LANGUAGES:
        with translation.override(language):
            texts += [
                words.plain(words.settled(row, space, rules, names))
                for row, spaces in rules.edition.spaces.items()
                for space in (["0"] if row is RowKey.START else spaces)
            ]

    for size in (LARGE_PHONE, SIDEWAYS):
        phone.turn_into(size, "light")
        assert phone.page.locator(".is-settled .row-title").first.evaluate(TORN, texts) == [], size

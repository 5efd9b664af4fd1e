"""The big board on a television, a large one and a tablet on its end: nothing scrolls, everything is large enough.

Pictures are kept in `tests/artefacts/screen/`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise

import pytest
from playwright.sync_api import Page, expect

from games.rules import Action, NameTeam, Setup
from games.rules.redaction import PlayerView
from tests.browser.audit import CONTRAST, fits_without_scrolling, problems_of, violations_of
from tests.browser.conftest import ARTEFACTS, OpenPhone
from tests.browser.facts import broken, cut, ends, places
from tests.browser.phone import Phone
from tests.browser.prepared import give, lay, markers, sit, viewer_of
from tests.browser.sizes import LAPTOP, TABLET, TELEVISION, Size
from tests.browser.states import LONG, SETTLED, TEAMS, TRICKS, long_named, ten_rounds
from tests.builders import dutch, english, wikipedia
from tests.cast.digital import DigitalTable, cards_on_table, first, over, rounds_finished
from tests.cast.tables import Table

pytestmark = [pytest.mark.browser, pytest.mark.slow]

SCREENS = (LAPTOP, TELEVISION, TABLET)

# A name of ten letters in each place, as they are in most families.
NAMES = ["Friederike", "Gizmo", "Maximilian", "Cléo", "Anna-Lena"]

# A letter that is read from three metres, as a share of the shorter side of the screen.
LEAST_LETTER = 0.02

SIX_ROUNDS = ten_rounds()[:18]
LATE = ["open 0 pass_2_right black blue -2"]

# What every screen shows, shown for any table of five: six rounds are on the sheet.
POSITIONS: dict[str, Callable[[Setup], list[str | Action]]] = {
    "placing": lambda setup: [*SIX_ROUNDS, *markers(setup, "3 discard_2_no_zero black blue -2", number=12)],
    "almost-settled": lambda setup: [*SIX_ROUNDS, *markers(setup, "3 discard_2_no_zero black blue -2", number=19)],
    "teams": lambda setup: [*SIX_ROUNDS, *LATE],
    "passing": lambda setup: [*SIX_ROUNDS, *LATE, TEAMS],
    "counting": lambda setup: [*SIX_ROUNDS, SETTLED, TEAMS, *TRICKS],
    "counting-two": lambda setup: [*SIX_ROUNDS, SETTLED, "team 2 monster 0", *TRICKS],
    "counting-captures": lambda setup: [
        *SIX_ROUNDS,
        SETTLED,
        TEAMS,
        *(f"trick {seat}+1" for seat in (0, 1, 2, 3, 4) * 2),
    ],
    "finished": lambda setup: ten_rounds(),
}
LONGEST = long_named().corrected(names=[f"{name} of the Forty Letters and not one more"[:40] for name in LONG])
SHARED = ("open 0 njet black blue 2", "team 1 2 monster 4", "tally 3+1 2+1 2+1 3 2+1")

TABLES: dict[str, tuple[Setup, list[str | Action]]] = {
    **{name: (english(5), when(english(5))) for name, when in POSITIONS.items()},
    **{f"long-{name}": (long_named(), when(long_named())) for name, when in POSITIONS.items()},
    "first-round": (english(5), []),
    "three-players": (dutch(3), ["open 0 njet blue black 2", "team alone monster 0", "tally 5+1 4+1 3+1"]),
    "two-players": (english(2), ["open 0 njet blue black 2", "trick 0+1", "trick 1"]),
    "without-a-start-row": (wikipedia(4, start_row=False), ["trump red", "points 4", "points 3"]),
    "shared": (english(5, rounds=1), [*SHARED]),
    "one-winner": (
        english(3, rounds=1).corrected(names=["Charlotte", "Ben", "Sebastian"]),
        ["open 0 njet black blue 2", "team alone monster 0", "tally 8 4 4"],
    ),
    "long-shared": (long_named(rounds=1), [*SHARED]),
    **{
        f"long-as-can-be-{name}": (LONGEST, POSITIONS[name](LONGEST))
        for name in ("almost-settled", "teams", "passing", "counting-captures", "finished")
    },
}


def alone(view: PlayerView) -> Action:
    """The start player plays alone if they may: the other team has as many players as can be."""
    return next((each for each in view.legal if isinstance(each, NameTeam) and not each.partners), view.legal[0])


SMALL_LETTERS = """
least => {
  const found = [];
  const walker = document.createTreeWalker(document.getElementById("screen"), NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    const text = walker.currentNode.data.trim();
    // A covered sign is told by its place, the sign at the end of a line by its colour as well.
    if (!text || !element.checkVisibility() || element.closest(".sr, .icon, .race .sign, .is-covered > .token"))
      continue;
    const drawing = element.closest("svg");
    const box = drawing?.viewBox.baseVal;
    const style = drawing && getComputedStyle(drawing);
    const inside = drawing && [
      drawing.clientWidth - parseFloat(style.paddingLeft) * 2, drawing.clientHeight - parseFloat(style.paddingTop) * 2];
    const scale = drawing ? Math.min(inside[0] / box.width, inside[1] / box.height) : 1;
    const size = parseFloat(getComputedStyle(element).fontSize) * scale;
    if (size < least) found.push(`small letters: “${text}” has ${size.toFixed(1)} of ${least}`);
  }
  return found;
}
"""

LETTER = "each => parseFloat(getComputedStyle(each).fontSize)"
LETTERS = f"() => [...document.querySelectorAll('#screen :not(svg *)')].map({LETTER})"

# Boxes are as high as what is in them, but for names that are cut on purpose.
TOO_HIGH = """
() => [...document.querySelectorAll("#screen, #screen *")]
  .filter((each) => each.matches("#screen, main, section, div, ul, ol, li, table, h2") && !each.closest(".sr"))
  .filter((each) => each.scrollHeight > each.clientHeight + Math.max(2, innerHeight / 400))
  .map((each) => `too high: ${each.tagName} ${each.className} by ${each.scrollHeight - each.clientHeight}`)
"""


def turn_into(phone: Phone, size: Size, scheme: str) -> None:
    """Another screen in another light.  The size of its letters is the page's own business."""
    phone.page.set_viewport_size({"width": size.width, "height": size.height})
    phone.page.emulate_media(color_scheme=scheme)


def faults_of(page: Page, size: Size, *, may_shorten: bool) -> list[str]:
    """What is wrong with a screen that is read from afar."""
    found = problems_of(page, may_shorten=may_shorten)
    found += page.evaluate(SMALL_LETTERS, min(size.width, size.height) * LEAST_LETTER)
    found += page.evaluate(TOO_HIGH)
    if not fits_without_scrolling(page):
        found.append("scrolls")
    return found


def is_cut_on_purpose(fault: str) -> bool:
    """Whether what lies on another text is the hidden rest of a name that is too long for its two lines."""
    return fault.startswith("collision") and "of the Forty" in fault


@pytest.mark.parametrize(
    # Every second for every change, all of them in the gallery.
    "name",
    [pytest.param(name, marks=pytest.mark.gallery if place % 2 else ()) for place, name in enumerate(TABLES)],
)
def test_the_big_board_is_read_from_afar_without_scrolling(open_phone: OpenPhone, name: str) -> None:
    phone = open_phone(LAPTOP, mobile=False, scale=1)
    setup, lines = TABLES[name]

    lay(phone, setup, *lines, path="board/")

    found = []
    # Where things stand is the same in any light, and colours on any screen.
    for scheme, sizes in (("dark", SCREENS[:1]), ("light", SCREENS)):
        for size in sizes:
            turn_into(phone, size, scheme)
            phone.show(ARTEFACTS / "screen" / f"{name}-{size}-{scheme}.png")
            faults = faults_of(phone.page, size, may_shorten=name.startswith("long-"))
            found += [f"{size}-{scheme}: {fault}" for fault in faults if not is_cut_on_purpose(fault)]
        # To axe a longer name is the same page.
        if not name.startswith("long-"):
            found += violations_of(phone.page, only="" if scheme == "light" else CONTRAST)
    assert not found, "\n".join(found)


@pytest.mark.parametrize(("players", "tricks"), [(2, 0), (4, 3), (5, 0), (5, 3)])
def test_the_cards_of_a_digital_trick_are_read_from_afar(open_phone: OpenPhone, players: int, tricks: int) -> None:
    phone = open_phone(LAPTOP, mobile=False, scale=1)
    table = DigitalTable(english(players, rounds=3)).play_on(rounds_finished(1), alone if tricks else first)
    table.play_on(cards_on_table(players - 1), alone if tricks else first)
    for _ in range(tricks * players):
        table.step()
    give(phone, table.viewer)

    phone.go_to(table.id, "board/")

    expect(phone.page.locator(".trick .face")).to_have_count(players - 1)
    expect(phone.page.locator(".trick .is-winning")).to_have_css("outline-style", "solid")
    expect(phone.page.locator(".trick .is-now > .slot")).to_have_css("outline-style", "dashed")
    found = []
    for size in SCREENS:
        turn_into(phone, size, "light")
        phone.show(ARTEFACTS / "screen" / f"digital-{players}-{size}.png")
        found += [f"{size}: {fault}" for fault in faults_of(phone.page, size, may_shorten=False)]
    found += violations_of(phone.page)
    assert not found, "\n".join(found)


@pytest.mark.parametrize("names", [None, LONG], ids=["short", "long"])
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_what_a_digital_round_brought_is_read_from_afar(
    open_phone: OpenPhone, players: int, names: list[str] | None
) -> None:
    phone = open_phone(LAPTOP, mobile=False, scale=1)
    setup = english(players, rounds=3)
    if names is not None:
        setup = setup.corrected(names=names[:players])
    table = DigitalTable(setup).play_on(rounds_finished(1), alone)
    give(phone, table.viewer)

    phone.go_to(table.id, "board/")

    expect(phone.page.locator(".trick .face")).to_have_count(players)
    found = []
    for size in SCREENS:
        turn_into(phone, size, "light")
        phone.show(ARTEFACTS / "screen" / f"digital-result-{players}-{size}.png")
        faults = faults_of(phone.page, size, may_shorten=names is not None)
        # What does not fit of a list of leaders is hidden below its second line.
        found += [f"{size}: {fault}" for fault in faults if not fault.startswith("collision: words > bdi.name")]
    found += violations_of(phone.page)
    assert not found, "\n".join(found)


def with_monster(view: PlayerView) -> Action:
    """The start player plays with somebody who holds the monster: a team has the most to show."""
    return next((each for each in view.legal if isinstance(each, NameTeam) and each.monster is not None), view.legal[0])


@pytest.mark.parametrize("players", [2, 4, 5])
def test_names_of_ten_letters_stand_whole_in_one_line_with_a_gap(open_phone: OpenPhone, players: int) -> None:
    phone = open_phone(LAPTOP, mobile=False, scale=1)
    table = DigitalTable(english(players, rounds=3).corrected(names=NAMES[:players]))
    table.play_on(rounds_finished(1), with_monster).play_on(cards_on_table(players - 1), with_monster)
    give(phone, table.viewer)
    phone.go_to(table.id, "board/")

    for until in (None, rounds_finished(2)):
        if until is not None:
            table.play_on(until)
            phone.go_to(table.id, "board/")
        for size in SCREENS:
            turn_into(phone, size, "light")
            assert broken(phone.page, "#screen .one, .words .name") == [], size
            assert cut(phone.page, ".side .one, .scores .one, .trick .one") == [], size
            # The cards of a trick lie in one row, below each its label.
            labels = places(phone.page, ".trick .one")
            assert len({top for _, top, *_ in places(phone.page, ".trick .slot")}) == 1, size
            assert len({top for _, top, *_ in labels}) == 1, size
            assert all(left + width + 4 <= right for (left, _, width, _), (right, *_) in pairwise(labels)), size


@pytest.mark.parametrize("name", ["counting", "finished"])
def test_the_sign_of_the_totals_stands_over_them(open_phone: OpenPhone, name: str) -> None:
    phone = open_phone(LAPTOP, mobile=False, scale=1)
    setup, lines = TABLES[name]
    lay(phone, setup, *lines, path="board/")

    for size in SCREENS:
        turn_into(phone, size, "light")
        assert len(set(ends(phone.page, ".scores th:last-child > [aria-hidden], .scores td.total"))) == 1, size


@pytest.mark.parametrize("players", [2, 5])
def test_the_end_of_a_digital_game_is_read_from_afar(open_phone: OpenPhone, players: int) -> None:
    phone = open_phone(LAPTOP, mobile=False, scale=1)
    table = DigitalTable(english(players, rounds=2).corrected(names=NAMES[:players])).play_on(over, alone)
    give(phone, table.viewer)

    phone.go_to(table.id, "board/")

    expect(phone.page.locator(".brought small")).to_have_count(2)
    found = []
    for size in SCREENS:
        turn_into(phone, size, "light")
        # Nothing is larger than who has won.
        letters = phone.page.evaluate(LETTERS)
        assert max(letters) == phone.page.locator(".words .name").evaluate(LETTER), size
        phone.show(ARTEFACTS / "screen" / f"digital-end-{players}-{size}.png")
        found += [f"{size}: {fault}" for fault in faults_of(phone.page, size, may_shorten=False)]
    found += violations_of(phone.page)
    assert not found, "\n".join(found)


@pytest.mark.parametrize("name", ["placing", "counting", "finished"])
def test_on_a_phone_it_scrolls_down_and_never_sideways(open_phone: OpenPhone, name: str) -> None:
    phone = open_phone()
    setup, lines = TABLES[name]

    lay(phone, setup, *lines, path="board/")

    phone.show(ARTEFACTS / "screen" / f"{name}-phone.png", whole=True)
    assert problems_of(phone.page, may_shorten=True) == []


def test_it_follows_the_game_without_a_touch(open_phone: OpenPhone) -> None:
    phone = open_phone(LAPTOP, mobile=False, scale=1)
    table = Table(english(5))
    sit(phone, table, viewer_of(table))
    phone.go_to(table.id, "board/")
    assert phone.page.locator(".headline .name").inner_text() == "Ana"

    table.record("trump red")

    expect(phone.page.locator("#screen")).to_have_attribute("data-version", "1")
    assert phone.page.locator(".headline .name").inner_text() == "Ben"
    expect(phone.page).to_have_title(re.compile("^Ben "))


def test_it_says_when_what_it_shows_may_be_old(open_phone: OpenPhone) -> None:
    phone = open_phone(LAPTOP, mobile=False, scale=1)
    lay(phone, english(5), path="board/")
    assert not phone.page.locator("#stale").is_visible()

    phone.lose_line()
    expect(phone.page.locator("#stale")).to_be_visible(timeout=15_000)
    phone.show(ARTEFACTS / "screen" / "stale.png")

    phone.find_line()
    expect(phone.page.locator("#stale")).not_to_be_visible(timeout=15_000)

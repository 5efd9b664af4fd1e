"""The coach on a phone: it speaks in the banner for eight rounds, unless it is switched off."""

from __future__ import annotations

import pytest
from django.conf import settings
from django.utils import translation
from django.utils.translation import gettext
from playwright.sync_api import expect

from games.rules import Phase
from tests.browser.audit import problems_of, violations_of
from tests.browser.conftest import OpenPhone
from tests.browser.digital import Player
from tests.browser.phone import LARGE_PHONE, NARROW, PHONE, Size
from tests.builders import english
from tests.cast.digital import DigitalTable, in_phase, leaving

pytestmark = pytest.mark.browser

SIDEWAYS = Size(640, 360)


def test_it_speaks_on_a_phone_that_has_never_played_until_it_is_switched_off(open_phone: OpenPhone) -> None:
    table = DigitalTable(english(4))
    player = Player(open_phone(), table, table.state.acting_seats[0])
    tip, banner = player.page.locator(".say .tip"), player.page.locator(".say")
    expect(tip).to_be_visible()
    before = banner.bounding_box()

    player.switch("coach", on=False)

    expect(tip).to_be_hidden()
    assert banner.bounding_box() == before
    player.phone.go("")
    expect(tip).to_be_hidden()


@pytest.mark.parametrize("size", [PHONE, NARROW, SIDEWAYS])
@pytest.mark.parametrize("phase", [Phase.PLACING, Phase.TEAMS, Phase.TRICKS])
def test_its_line_fits_into_the_banner(open_phone: OpenPhone, size: Size, phase: Phase) -> None:
    table = DigitalTable(english(4, rounds=2)).play_on(in_phase(phase))
    player = Player(open_phone(size=size), table, table.state.acting_seats[0])

    tip = player.page.locator(".say .tip")
    expect(tip).to_be_visible()
    assert tip.evaluate("(each) => each.scrollHeight <= each.clientHeight + 1"), tip.inner_text()
    if size != SIDEWAYS:
        assert problems_of(player.page) == []
    if size == PHONE:
        assert violations_of(player.page) == []


def test_who_gets_the_cards_stands_beside_its_line(open_phone: OpenPhone) -> None:
    passes = leaving("discard:pass_2_right")
    player = Player(open_phone(NARROW), DigitalTable(english(4)).play_on(in_phase(Phase.PASSING), passes), 0)

    banner, names, tip = (player.page.locator(each) for each in (".say", ".say b", ".say .tip"))
    expect(names).to_contain_text("Pass 2 cards to your")
    assert names.bounding_box()["height"] > 10
    assert names.bounding_box()["y"] >= banner.bounding_box()["y"]
    assert tip.bounding_box()["y"] + tip.bounding_box()["height"] <= banner.bounding_box()["y"] + 52


LEADING = (
    "Each trick costs points: lead low.",
    "There is no trump: the highest of a suit wins.",
    "You hold {count} trumps: lead other high cards first.",
    "Lead from a short suit: then you can trump it.",
    "You hold no trump: win early with high cards.",
)
"""What is said between the counts of both teams, where there is least room."""


@pytest.mark.parametrize("size", [PHONE, LARGE_PHONE, NARROW])
def test_what_it_says_during_the_tricks_fits_in_every_language(open_phone: OpenPhone, size: Size) -> None:
    table = DigitalTable(english(4, rounds=2)).play_on(in_phase(Phase.TRICKS))
    player = Player(open_phone(size=size), table, table.state.acting_seats[0])
    texts = []
    for language, _name in settings.LANGUAGES:
        with translation.override(language):
            texts += [gettext(each).format(count=5) for each in LEADING]

    cut = player.page.locator(".say .tip").evaluate(
        """(line, texts) => texts.filter((text) => {
            line.textContent = text;
            line.classList.toggle("is-longer", text.length > 40);
            return line.scrollHeight > line.clientHeight + 1;
        })""",
        texts,
    )

    assert cut == []


def test_it_is_switched_off_after_eight_rounds_and_can_be_switched_on_again(open_phone: OpenPhone) -> None:
    table = DigitalTable(english(4))
    player = Player(open_phone(), table, table.state.acting_seats[0])
    tip, page = player.page.locator(".say .tip"), player.page
    page.evaluate("localStorage.setItem('cards-coached', 'a b c d e f g')")

    player.phone.go("")
    expect(tip).to_be_visible()
    # The same round again is no further one.
    player.phone.go("")
    expect(tip).to_be_visible()

    page.evaluate("localStorage.setItem('cards-coached', 'a b c d e f g h')")
    player.phone.go("")
    expect(tip).to_be_hidden()
    assert page.evaluate("localStorage.getItem('cards-coach')") == ""

    player.switch_on("coach")
    player.phone.go("")
    expect(tip).to_be_visible()

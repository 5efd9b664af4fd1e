"""The coach on a phone: it speaks in the banner for eight rounds, unless it is switched off."""

from __future__ import annotations

import pytest
from django.conf import settings
from django.utils import translation
from django.utils.translation import gettext
from playwright.sync_api import expect

from games.rules import Phase
from games.texts import words
from tests.browser.conftest import OpenPhone
from tests.browser.digital import Player
from tests.browser.facts import cut, outside, places
from tests.browser.sizes import LARGE_PHONE, PHONE, SIDEWAYS, SMALL
from tests.builders import english
from tests.cast.digital import DigitalTable, in_phase, leaving

pytestmark = pytest.mark.browser


def test_it_speaks_on_a_phone_that_has_never_played_until_it_is_switched_off(open_phone: OpenPhone) -> None:
    table = DigitalTable(english(4))
    player = Player(open_phone(), table, table.state.acting_seats[0])
    tip = player.page.locator(".say .tip")
    expect(tip).to_be_visible()
    before = places(player.page, ".say")

    player.switch("coach", on=False)

    expect(tip).to_be_hidden()
    assert places(player.page, ".say") == before
    player.phone.go("")
    expect(tip).to_be_hidden()


@pytest.mark.parametrize("phase", [Phase.PLACING, Phase.TEAMS, Phase.TRICKS])
def test_its_line_fits_into_the_banner(open_phone: OpenPhone, phase: Phase) -> None:
    table = DigitalTable(english(4, rounds=2)).play_on(in_phase(phase))
    player = Player(open_phone(), table, table.state.acting_seats[0])

    for size in (PHONE, SMALL, SIDEWAYS):
        player.phone.turn_into(size, "light")
        assert cut(player.page, ".say > div") == [], size


def test_who_gets_the_cards_stands_beside_its_line(open_phone: OpenPhone) -> None:
    passes = leaving("discard:pass_2_right")
    player = Player(open_phone(SMALL), DigitalTable(english(4)).play_on(in_phase(Phase.PASSING), passes), 0)

    assert outside(player.page, ".say b, .say .tip", ".say") == []


SETTLED = (
    "Each trick costs points.",
    "There is no trump: the highest of a suit wins.",
    "Trumps beat every other card: you hold none.",
    "Trumps beat every other card: you hold {count}.",
    "Trumps beat all but super trumps: you hold {count}.",
    "Super trumps beat every other card: you hold {count}.",
    "Super trumps beat trumps: you hold {supers} and {trumps}.",
)
SAID = {
    Phase.PLACING: [
        ("Trump may be {suit}: you hold {count}.",),
        ("Super trumps may be {suit} {rank}s: you hold {count}.",),
        ("Tricks may still cost points.",),
        ("A captured {rank} counts as much as a trick.",),
        ("If your token stays open, you pick the teams.",),
    ],
    Phase.TEAMS: [("Partners score the same.", each) for each in SETTLED],
    Phase.PASSING: [("{name} passes to you.", each) for each in SETTLED],
    Phase.TRICKS: [(each,) for each in SETTLED],
}
"""What is said in each phase, sentence by sentence."""


@pytest.mark.parametrize("phase", SAID)
def test_what_it_says_fits_in_every_language(open_phone: OpenPhone, phase: Phase) -> None:
    passes = leaving("discard:pass_2_right")
    table = DigitalTable(english(4, rounds=2)).play_on(in_phase(phase), passes)
    player = Player(open_phone(), table, table.state.acting_seats[0])
    texts = []
    for language, _name in settings.LANGUAGES:
        with translation.override(language):
            facts = {
                "name": "Josephine",
                "suit": words.SUIT_NAMES["yellow"],
                "rank": 0,
                "count": 5,
                "supers": 2,
                "trumps": 5,
            }
            texts += [" ".join(gettext(each).format(**facts) for each in sentences) for sentences in SAID[phase]]

    for size in (PHONE, LARGE_PHONE, SMALL, SIDEWAYS):
        player.phone.turn_into(size, "light")
        too_long = player.page.locator(".say .tip").evaluate(
            """(line, texts) => texts.filter((text) => {
                line.textContent = text;
                line.classList.toggle("is-longer", text.length > 40);
                return line.parentElement.scrollHeight > line.parentElement.clientHeight + 1;
            })""",
            texts,
        )
        assert too_long == [], size


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

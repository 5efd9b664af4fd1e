"""Every state in both lights and on screens of every kind: measured, and kept as a picture in `tests/artefacts/`."""

from __future__ import annotations

import pytest
from django.conf import settings

from tests.browser.audit import CONTRAST, fits_without_scrolling, problems_of, violations_of
from tests.browser.conftest import ARTEFACTS, OpenPhone
from tests.browser.digital_states import DIGITAL_STATES
from tests.browser.facts import cut, outside, overlaps, places
from tests.browser.group_states import GROUP_STATES
from tests.browser.phone import Phone
from tests.browser.prepared import lay
from tests.browser.sizes import LAPTOP, PHONE, SIDEWAYS, SMALL, TABLET, TELEVISION, Size
from tests.browser.states import LONG_NAMES, STATES
from tests.builders import english

pytestmark = [pytest.mark.browser, pytest.mark.slow]

# The big board is looked at in test_screen.
ON_PHONES = {name: opening for name, opening in DIGITAL_STATES.items() if not name.startswith("screen-")}
EVERY = {**STATES, **GROUP_STATES, **LONG_NAMES, **ON_PHONES}
# What the style sheets still owe to large type: two legends and the head of a table are wider than their boxes.
NOT_LARGE = {"correct-other-start", "digital-compared"}
STRICT = STATES.keys() | GROUP_STATES.keys() - {"group-sheet"}


def look(phone: Phone, name: str, size: Size, scheme: str, *, text: int = 100) -> list[str]:
    """Turn the screen into another and measure; a picture is kept of what people look at, and of what is wrong."""
    phone.turn_into(size, scheme, text=text)
    seen = f"{size}-{scheme}-{text}"
    # At a digital table, with long names and in large type the rest of a name may be left out.
    may_shorten = name not in STRICT or (text > 100 and name not in STATES)
    found = problems_of(phone.page, may_shorten=may_shorten, may_scroll=text > 100)
    if found:
        phone.photograph(ARTEFACTS / "strained" / f"{name}-{seen}.png", whole=True)
    elif size == PHONE:
        phone.show(ARTEFACTS / "states" / f"{name}-{seen}.png", sharp=True)
    return [f"{seen}: {problem}" for problem in found]


@pytest.mark.parametrize(
    # Every third for every change, all of them in the gallery.
    "name",
    [pytest.param(name, marks=pytest.mark.gallery if place % 3 else ()) for place, name in enumerate(EVERY)],
)
def test_a_state_is_fit_to_show(open_phone: OpenPhone, name: str) -> None:
    phone = open_phone(mobile=False)

    EVERY[name](phone)

    found = look(phone, name, PHONE, "light") + violations_of(phone.page)
    # What else axe looks at is the same in any light.
    found += look(phone, name, PHONE, "dark") + violations_of(phone.page, only=CONTRAST)
    found += look(phone, name, SMALL, "dark")
    found += [] if name in LONG_NAMES else look(phone, name, LAPTOP, "light")
    if name not in NOT_LARGE:
        found += look(phone, name, PHONE, "light", text=200)
    assert not found, "\n".join(found)


TIGHT = (SMALL, PHONE, SIDEWAYS)

# What a state is for, which is in sight before anybody scrolls.
IN_SIGHT = {
    "teams-five-after-discarding": ".lineups > .choice",
    "monster": ".is-monster > .choice",
    "long-teams": ".lineups > .choice",
    "long-monster": ".is-monster > .choice, .is-teams .link-row",
    "result": ".standings > li, .thumb .button",
    "last-round": ".standings > li",
    "setup-card": ".thumb .button",
    "new-table-refused": ".field-error",
}


@pytest.mark.parametrize("name", IN_SIGHT)
def test_what_a_screen_is_for_is_above_the_thumb_bar(open_phone: OpenPhone, name: str) -> None:
    phone = open_phone(mobile=False)
    EVERY[name](phone)

    for size in TIGHT:
        phone.turn_into(size, "light")
        assert outside(phone.page, IN_SIGHT[name]) == [], size
        assert overlaps(phone.page, IN_SIGHT[name], ".thumb") == [], size


# What a state shows without scrolling, and on which screens.
WHOLE = {
    "board-empty": (PHONE,),
    "board-wide-covered": (PHONE,),
    "board-refused": (PHONE,),
    "long-board": (PHONE,),
    "tricks": (SIDEWAYS,),
    "tally": (SIDEWAYS,),
    "result": (LAPTOP,),
    "result-below-zero": (LAPTOP,),
    "last-round": (LAPTOP,),
}


@pytest.mark.parametrize("name", WHOLE)
def test_what_is_tapped_again_and_again_fits_without_scrolling(open_phone: OpenPhone, name: str) -> None:
    phone = open_phone(WHOLE[name][0], mobile=False)

    EVERY[name](phone)

    for size in WHOLE[name]:
        phone.turn_into(size, "light")
        assert fits_without_scrolling(phone.page), size


@pytest.mark.parametrize("name", ["board-refused", "board-overtaken", "undo-of-somebody-else"])
def test_a_notice_covers_no_space_of_the_board(open_phone: OpenPhone, name: str) -> None:
    phone = open_phone(mobile=False)
    STATES[name](phone)

    for size in TIGHT:
        phone.turn_into(size, "light")
        assert overlaps(phone.page, ".thumb > .notice", ".space > *") == [], size


@pytest.mark.parametrize("name", ["long-board", "long-teams", "long-tricks"])
def test_who_deals_is_one_line_of_the_head_that_cuts_the_name_and_keeps_the_verb(
    open_phone: OpenPhone, name: str
) -> None:
    phone = open_phone(mobile=False)
    LONG_NAMES[name](phone)

    for size in TIGHT:
        phone.turn_into(size, "light")
        is_inside = phone.page.locator(".where small").first.evaluate(
            """(head) => {
              const range = document.createRange();
              range.selectNodeContents(head.querySelector("bdi").nextSibling);
              const [verb, box] = [range, head].map((each) => each.getBoundingClientRect());
              return verb.width > 0 && verb.left >= box.left && verb.right <= box.right
                && verb.bottom <= box.bottom + 1 && box.height < 2 * verb.height;
            }"""
        )
        assert is_inside, size


# Names and words that have their whole line where there is room, and on which screens.
UNCUT = {
    "finished-with-a-winner": (".team bdi", (PHONE, TABLET, LAPTOP, TELEVISION)),
    "long-teams": (".lineups > .is-2 b", (TABLET, LAPTOP)),
    "result": (".thumb > .button span", (SMALL,)),
    "setup-card": (".thumb > .button span", (SMALL,)),
    "ten-letters-tricks": (".winner bdi", (PHONE, SIDEWAYS, LAPTOP)),
    "ten-letters-teams": (".lineups > .is-2 b", (SMALL, PHONE, LAPTOP)),
    "ten-letters-minus": (".formula", (SMALL, PHONE)),
}


@pytest.mark.parametrize("name", UNCUT)
def test_no_name_is_cut_where_there_is_room(open_phone: OpenPhone, name: str) -> None:
    phone = open_phone(mobile=False)
    EVERY[name](phone)
    selector, sizes = UNCUT[name]

    for size in sizes:
        phone.turn_into(size, "light")
        assert cut(phone.page, selector) == [], size


def test_undo_says_on_the_smallest_phone_that_a_marker_is_not_sent(open_phone: OpenPhone) -> None:
    phone = open_phone(SMALL)
    lay(phone, english(5), path="?board")
    bar = places(phone.page, ".thumb")

    phone.lose_line()
    phone.touch(phone.space("supertrump", "yellow"))

    assert phone.undo_says.endswith("(not sent)")
    assert cut(phone.page, ".undo button span") == []
    assert places(phone.page, ".thumb") == bar


# Where the figure stands that a text ends a sentence's first part with, in the box that shows the text.
IS_SEEN = """
([selector, figure]) => {
  const box = document.querySelector(selector), text = box.firstChild, range = document.createRange();
  const at = text.data.lastIndexOf(figure);
  range.setStart(text, at);
  range.setEnd(text, at + figure.length);
  const [inner, outer] = [range, box].map((each) => each.getBoundingClientRect());
  return at >= 0 && box.checkVisibility() && inner.bottom <= outer.bottom + 1 && inner.right <= outer.right + 1;
}
"""


@pytest.mark.parametrize("count", ["trick", "tally"])
def test_that_no_zero_is_put_away_is_seen_on_small_screens_in_every_language(open_phone: OpenPhone, count: str) -> None:
    phone = open_phone(mobile=False)
    table = lay(phone, english(5), "open 0 discard_2_no_zero black blue 2", "team 1 2 monster 4", path=None)

    for language, _name in settings.LANGUAGES:
        cookie = {"name": settings.LANGUAGE_COOKIE_NAME, "value": language, "url": phone.address}
        phone.page.context.add_cookies([cookie])
        phone.open(f"/g/{table.id}/?count={count}")
        for size in (SMALL, SIDEWAYS):
            phone.turn_into(size, "light")
            assert phone.page.evaluate(IS_SEEN, [".remind span", "0"]), (language, size)

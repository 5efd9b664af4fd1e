"""Every state on a phone in both themes: measured, and kept as a picture in `tests/artefacts/`.

States of one kind of page differ little: one or two of each kind are looked at on a large phone and a laptop too.
"""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from games.rules import Setup
from tests.browser.audit import CONTRAST, fits_without_scrolling, problems_of, violations_of
from tests.browser.conftest import ARTEFACTS, OpenPhone
from tests.browser.phone import LAPTOP, LARGE_PHONE, NARROW, PHONE, Phone, Size
from tests.browser.prepared import lay
from tests.browser.states import LONG, LONG_NAMES, STATES, long_named
from tests.builders import english

pytestmark = [pytest.mark.browser, pytest.mark.slow]

SCHEMES = ("light", "dark")
OTHER_SIZES = (LARGE_PHONE, LAPTOP)
ON_OTHER_SIZES = {
    *("home-with-tables", "new-table-house-rules", "new-table-refused", "join-refused", "welcome-scorekeeper"),
    *("setup-card-with-a-dealer-hint", "result", "board-half-covered", "board-wide-covered", "board-refused"),
    *("board-without-start-row", "teams-five", "monster", "tricks", "tally-filled", "tally-refused"),
    *("finished-with-a-winner", "sheet-ten-rounds", "history-of-ten-rounds", "undo-of-several", "correct-a-board"),
    "placements",
    *("correct-a-tally", "preview", "menu", "phones-with-an-invitation", "correct-setup", "quick", "penalty", "delete"),
    *("rules", "help-open", "page-not-found", "line-down"),
}
assert STATES.keys() >= ON_OTHER_SIZES


def look(phone: Phone, name: str, size: Size, scheme: str) -> list[str]:
    """Turn the screen into another, keep a picture, measure."""
    phone.turn_into(size, scheme)
    seen = f"{size}-{scheme}"
    phone.show(ARTEFACTS / "states" / f"{name}-{seen}.png", sharp=size == PHONE)
    return [f"{seen}: {problem}" for problem in problems_of(phone.page)]


def strain(
    phone: Phone, name: str, size: Size, scheme: str, *, text: int = 100, may_shorten: bool = False
) -> list[str]:
    """Measure under a strain: a narrow screen, large letters.  A picture is kept of what does not stand it."""
    phone.turn_into(size, scheme, text=text)
    seen = f"{size}-{scheme}-{text}"
    found = problems_of(phone.page, may_shorten=may_shorten, may_scroll=text > 100)
    if found:
        phone.photograph(ARTEFACTS / "strained" / f"{name}-{seen}.png", whole=True)
    return [f"{seen}: {problem}" for problem in found]


@pytest.mark.parametrize(
    # Every third for every change, all of them in the gallery.
    "name",
    [pytest.param(name, marks=pytest.mark.gallery if place % 3 else ()) for place, name in enumerate(STATES)],
)
def test_a_state_is_fit_to_show(open_phone: OpenPhone, name: str) -> None:
    phone = open_phone(mobile=False)

    STATES[name](phone)

    is_shown_everywhere = name in ON_OTHER_SIZES
    found = []
    for scheme in SCHEMES:
        found += look(phone, name, PHONE, scheme)
        # What else axe looks at is the same in any light.
        if is_shown_everywhere:
            found += violations_of(phone.page, only="" if scheme == "light" else CONTRAST)
            for size in OTHER_SIZES:
                found += look(phone, name, size, scheme)
        elif scheme == "light":
            # `look` has measured the contrast of every text; axe takes long to do it again.
            found += violations_of(phone.page, without=CONTRAST)
    found += strain(phone, name, NARROW, "light")
    found += strain(phone, name, PHONE, "light", text=200)
    assert not found, "\n".join(found)


@pytest.mark.parametrize("name", LONG_NAMES)
def test_five_long_names_break_nothing(open_phone: OpenPhone, name: str) -> None:
    phone = open_phone(mobile=False)

    LONG_NAMES[name](phone)

    found = strain(phone, name, PHONE, "light", may_shorten=True)
    found += strain(phone, name, NARROW, "dark", may_shorten=True)
    found += strain(phone, name, PHONE, "light", text=200, may_shorten=True)
    assert not found, "\n".join(found)


TIGHT = [Size(320, 568), Size(360, 640), Size(640, 360)]


# What a state is for, which is in sight before anybody scrolls.
IN_SIGHT = {
    "teams-five-after-discarding": ".lineups > .choice",
    "monster": ".is-monster > .choice",
    "long-teams": ".lineups > .choice",
    "long-monster": ".is-monster > .choice, .is-teams .link-row",
    "result": ".standings > li",
    "last-round": ".standings > li",
    "new-table-refused": ".field-error",
}


@pytest.mark.parametrize("size", TIGHT, ids=str)
@pytest.mark.parametrize("name", IN_SIGHT)
def test_what_a_screen_is_for_is_above_the_thumb_bar(open_phone: OpenPhone, name: str, size: Size) -> None:
    phone = open_phone(size)

    {**STATES, **LONG_NAMES}[name](phone)

    # Sideways the thumb bar may stand beside it.
    covered = phone.page.evaluate(
        """(selector) => [...document.querySelectorAll(selector)].filter((each) => {
          const box = each.getBoundingClientRect(), thumb = document.querySelector(".thumb").getBoundingClientRect();
          const beside = box.left >= thumb.right || box.right <= thumb.left;
          return box.bottom > innerHeight || (!beside && box.bottom > thumb.top + 1);
        }).map((each) => each.textContent.trim())""",
        IN_SIGHT[name],
    )
    assert covered == []
    assert phone.page.locator(IN_SIGHT[name]).count() > 0


def test_sideways_a_count_does_not_scroll_and_the_sheet_shows_four_rounds(open_phone: OpenPhone) -> None:
    phone = open_phone(Size(640, 360))

    for name in ("tricks", "tally"):
        STATES[name](phone)
        assert phone.page.evaluate("document.documentElement.scrollHeight - innerHeight") == 0, name
    key = phone.page.locator(".key").first.bounding_box()
    STATES["sheet-ten-rounds"](phone)

    assert key is not None
    assert min(key["width"], key["height"]) >= 44
    expect(phone.page.locator("tbody").nth(3)).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("size", TIGHT, ids=str)
@pytest.mark.parametrize("name", ["board-refused", "board-overtaken", "undo-of-somebody-else"])
def test_a_notice_covers_no_space_of_the_board(open_phone: OpenPhone, name: str, size: Size) -> None:
    phone = open_phone(size)

    STATES[name](phone)

    covered = phone.page.evaluate(
        """() => {
          const notice = document.querySelector(".thumb > .notice").getBoundingClientRect();
          return [...document.querySelectorAll(".space > *")].map((sign) => sign.getBoundingClientRect())
            .filter((sign) => sign.height && sign.bottom > notice.top && sign.left < notice.right).length;
        }"""
    )
    notice = phone.page.locator(".thumb > .notice").bounding_box()
    assert covered == 0
    assert notice is not None
    assert notice["height"] <= 76 or size.height < size.width


@pytest.mark.parametrize("size", TIGHT, ids=str)
@pytest.mark.parametrize("name", ["long-board", "long-teams", "long-tricks"])
def test_the_head_says_who_deals_under_long_names(open_phone: OpenPhone, name: str, size: Size) -> None:
    phone = open_phone(size)

    LONG_NAMES[name](phone)

    head = phone.page.locator(".where small").first
    assert head.inner_text() == "Maximiliane-Alexandra deals"
    assert head.evaluate("(head) => [head.scrollWidth - head.clientWidth, head.scrollHeight - head.clientHeight]") <= [
        0,
        1,
    ]


@pytest.mark.parametrize("size", TIGHT, ids=str)
def test_the_head_keeps_its_verb_beside_a_name_that_is_cut(open_phone: OpenPhone, size: Size) -> None:
    phone = open_phone(size)
    names = ["Wilhelmina-Charlotte Ann", *LONG[1:]]

    lay(phone, Setup.of(preset="njet-english", names=names, tokens=[None] * 5, dealer=0), path="?board")

    head = phone.page.locator(".where small").first
    assert head.evaluate("(head) => head.scrollHeight - head.clientHeight") <= 1
    verb, box = head.evaluate(
        """(head) => {
          const range = document.createRange();
          range.selectNodeContents(head.querySelector("bdi").nextSibling);
          return [range, head].map((each) => each.getBoundingClientRect().toJSON());
        }"""
    )
    assert verb["width"] > 20
    assert box["left"] <= verb["left"]
    assert verb["right"] <= box["right"]
    assert verb["bottom"] <= box["bottom"] + 1


def test_beside_many_known_names_the_rules_are_in_sight(open_phone: OpenPhone) -> None:
    phone = open_phone()
    lay(phone, long_named(), path=None)
    lay(phone, english(5), path=None)

    phone.open("/new/")

    assert phone.page.locator(".chips .chip").count() == 10
    rules, thumb = (phone.page.locator(each).bounding_box() for each in (".rules summary", ".thumb"))
    assert rules["y"] + rules["height"] <= thumb["y"]
    phone.tap("+ Wolfeschlegelstein")
    expect(phone.page.locator("[name=name-0]")).to_have_value("Wolfeschlegelstein")


@pytest.mark.parametrize("name", ["board-empty", "board-wide-covered", "board-refused", "long-board"])
def test_the_board_fits_a_phone_without_scrolling(open_phone: OpenPhone, name: str) -> None:
    phone = open_phone()

    {**STATES, **LONG_NAMES}[name](phone)

    assert fits_without_scrolling(phone.page)
    boxes = [space.bounding_box() for space in phone.page.locator(".space").all()]
    assert len(boxes) == 25
    assert all(box is not None and box["width"] >= 50 and box["height"] >= 44 for box in boxes)


@pytest.mark.parametrize(
    ("name", "size"),
    [
        ("result", Size(900, 600)),
        ("result", LAPTOP),
        ("result-below-zero", Size(900, 600)),
        ("result-below-zero", LAPTOP),
        ("last-round", LAPTOP),
    ],
    ids=str,
)
def test_the_result_of_a_round_fits_a_desk_without_scrolling(open_phone: OpenPhone, name: str, size: Size) -> None:
    phone = open_phone(size, mobile=False)

    STATES[name](phone)

    assert fits_without_scrolling(phone.page)


def test_both_ways_to_begin_a_round_have_one_line_on_the_smallest_phone(open_phone: OpenPhone) -> None:
    phone = open_phone(Size(320, 568))

    STATES["result"](phone)

    words = phone.page.locator(".thumb > .button span")
    assert [word.inner_text() for word in words.all()] == ["Enter the board", "Start placing"]
    assert all(word.evaluate("(word) => word.getClientRects().length") == 1 for word in words.all())
    assert all(word.bounding_box()["height"] < 24 for word in words.all())


@pytest.mark.parametrize("size", [PHONE, Size(768, 1024), LAPTOP, Size(1920, 1080)], ids=str)
def test_at_the_end_no_short_name_of_the_last_round_is_cut(open_phone: OpenPhone, size: Size) -> None:
    phone = open_phone(size, mobile=False)

    STATES["finished-with-a-winner"](phone)

    assert cut_names(phone, ".team bdi") == []


@pytest.mark.parametrize("size", [Size(768, 1024), LAPTOP], ids=str)
def test_the_names_of_two_partners_are_whole_where_there_is_room(open_phone: OpenPhone, size: Size) -> None:
    phone = open_phone(size, mobile=False)

    LONG_NAMES["long-teams"](phone)

    assert phone.page.locator(".lineups > .is-2 b").count() == 12
    assert cut_names(phone, ".lineups > .is-2 b") == []


def test_undo_says_on_the_smallest_phone_that_a_marker_is_not_sent(open_phone: OpenPhone) -> None:
    phone = open_phone(Size(320, 568))
    lay(phone, english(5), path="?board")
    bar = phone.page.locator(".thumb").bounding_box()

    phone.lose_line()
    phone.touch(phone.space("supertrump", "yellow"))

    said = phone.page.locator(".undo button span", has_text="Undo: Ana covered yellow super trump (not sent)")
    assert said.evaluate("(said) => said.scrollHeight - said.clientHeight") <= 1
    assert phone.page.locator(".thumb").bounding_box() == bar


def cut_names(phone: Phone, selector: str) -> list[str]:
    """Names that are wider than what shows them; an ellipsis for a part of a pixel counts, too."""
    cut: list[str] = phone.page.locator(selector).evaluate_all(
        """(names) => names.filter((name) => {
          const range = document.createRange();
          range.selectNodeContents(name);
          return range.getBoundingClientRect().width > name.getBoundingClientRect().width;
        }).map((name) => name.textContent)"""
    )
    return cut

"""The digital table on a tablet: figures apart, words clear of edges, the width is used."""

from __future__ import annotations

import pytest
from django.conf import settings

from games.rules import Phase
from tests.browser.conftest import OpenPhone
from tests.browser.digital import Player
from tests.browser.facts import cut, outside, places
from tests.browser.sizes import TABLET, Size
from tests.builders import english
from tests.cast.digital import DigitalTable, cards_on_table, in_phase, over, rounds_finished

pytestmark = [pytest.mark.browser, pytest.mark.slow]

UPRIGHT, FLAT = Size(820, 1180), Size(1180, 820)
NAMES = ["Friederike", "Gizmo", "Maximilian", "Cléo", "Anna-Lena"]

# The room between each ring and the figure before and behind it.
GAPS = """
() => [...document.querySelectorAll(".result .won .ring")].map((ring) => {
  const text = (node) => {
    const range = document.createRange();
    const start = node.data.search(/\\S/);
    range.setStart(node, start);
    range.setEnd(node, node.data.trimEnd().length);
    return range.getBoundingClientRect();
  };
  const box = ring.getBoundingClientRect();
  return [box.left - text(ring.previousSibling).right, text(ring.nextSibling).left - box.right];
})
"""

# The least room between a text on the board and the edge of its space.
CLEAR = """
() => Math.min(...[...document.querySelectorAll(".space > small")].filter((each) => each.checkVisibility())
  .map((each) => {
    const range = document.createRange();
    range.selectNodeContents(each);
    const [text, box] = [range.getBoundingClientRect(), each.parentElement.getBoundingClientRect()];
    return Math.min(text.left - box.left, box.right - text.right);
  }))
"""

# Words and figures: a letter on a token and a figure beside a suit say what their colour says as well.
SMALL = """
() => [...document.querySelectorAll("body *:not(svg *, .token, .suit *)")]
  .filter((each) => [...each.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim()))
  .filter((each) => each.checkVisibility({ visibilityProperty: true }) && !each.closest(".sr, script, [popover]"))
  .filter((each) => parseFloat(getComputedStyle(each).fontSize) < 13)
  .map((each) => each.textContent)
"""


def table_of_five(rounds: int = 2) -> DigitalTable:
    """Five players with names as they are in most families."""
    return DigitalTable(english(5, rounds=rounds).corrected(names=NAMES))


def test_the_figures_of_a_result_stand_as_far_before_a_ring_as_behind_it(open_phone: OpenPhone) -> None:
    player = Player(open_phone(), table_of_five().play_on(rounds_finished(1)), 0)

    for size in (UPRIGHT, FLAT):
        player.phone.turn_into(size, "light")
        gaps = player.page.evaluate(GAPS)
        assert len(gaps) == 5
        assert all(before >= 2 and abs(before - behind) < 1 for before, behind in gaps), (size, gaps)


def test_the_last_trick_of_five_lies_in_one_row(open_phone: OpenPhone) -> None:
    table = table_of_five().play_on(cards_on_table(2))
    for _ in range(5):
        table.step()
    player = Player(open_phone(FLAT), table, 0)

    cards = places(player.page, ".beside .lay .face")

    assert len(cards) == 5
    assert len({top for _, top, *_ in cards}) == 1
    assert cut(player.page, ".beside .lay .who") == []


def test_the_end_uses_the_width(open_phone: OpenPhone) -> None:
    player = Player(open_phone(UPRIGHT), table_of_five(1).play_on(over), 0)

    for size in (UPRIGHT, TABLET):
        player.phone.turn_into(size, "light")
        for part in (".victory", ".facts", ".links"):
            assert all(width > size.width * 0.9 for _, _, width, _ in places(player.page, part)), (size, part)
        [_, top, _, height], [_, beside, _, same] = places(player.page, ".page > .standings, .of-race")
        assert (top, height) == (beside, same), size
        assert all("…" not in name for name in player.page.locator(".chart .name").all_text_contents())
        assert outside(player.page, ".chart .name", ".of-race") == [], size


def test_the_cards_of_five_lie_beside_their_plates_as_large_as_in_the_hand(open_phone: OpenPhone) -> None:
    player = Player(open_phone(FLAT), table_of_five().play_on(cards_on_table(1)), 0)

    held, slots = places(player.page, ".in-hand")[0], places(player.page, ".slot:not(.was)")
    assert all(abs(width - held[2]) < 1 for _, _, width, _ in slots)
    assert cut(player.page, ".plate-name .one") == []
    assert outside(player.page, ".plate, .slot:not(.was)", ".felt") == []
    for at, left_first in (("w", True), ("nw", True), ("e", False), ("ne", False)):
        [[plate, top, _, height]] = places(player.page, f".at-{at} > .plate")
        [[slot, above, _, high]] = places(player.page, f".at-{at} > .slot:not(.was)")
        assert (plate < slot) is left_first, at
        assert abs(top + height / 2 - above - high / 2) < 2, at


def test_the_result_of_a_round_has_the_height_of_an_upright_tablet(open_phone: OpenPhone) -> None:
    player = Player(open_phone(UPRIGHT), table_of_five().play_on(rounds_finished(1)), 0)

    [[_, top, _, high]] = places(player.page, ".felt")
    [[_, last, _, height]] = places(player.page, ".ended")
    assert last + height > top + high * 0.85


def test_no_word_of_a_tablet_is_smaller_than_13_pixels(open_phone: OpenPhone) -> None:
    table = table_of_five(1)
    player = Player(open_phone(UPRIGHT), table, 0)

    for until in (None, cards_on_table(1), over):
        if until is not None:
            table.play_on(until)
            player.hears()
        for size in (UPRIGHT, FLAT):
            player.phone.turn_into(size, "light")
            assert player.page.evaluate(SMALL) == [], size


@pytest.mark.parametrize("players", [4, 5])
def test_the_trick_has_the_room_of_an_upright_tablet(open_phone: OpenPhone, players: int) -> None:
    table = DigitalTable(english(players).corrected(names=NAMES[:players])).play_on(cards_on_table(1))
    player = Player(open_phone(UPRIGHT), table, 0)

    for size in (UPRIGHT, TABLET):
        player.phone.turn_into(size, "light")
        [[_, felt, _, high]] = places(player.page, "#trick")
        held, slots = places(player.page, ".in-hand")[0], places(player.page, ".slot:not(.was)")
        assert all(width > held[2] * 1.2 for _, _, width, _ in slots), size
        assert max(x for x, *_ in slots) - min(x for x, *_ in slots) < slots[0][2] * 3.5, size
        for (_, top, _, height), (_, name, _, _) in zip(
            places(player.page, ".plate"), places(player.page, ".plate-name"), strict=True
        ):
            assert height >= 52, size
            assert name - top >= 5, size
        if players == 4:
            [[_, plate, _, _]] = places(player.page, ".at-w > .plate")
            [[_, slot, _, height]] = places(player.page, ".at-w > .slot:not(.was)")
            assert abs((plate + slot + height) / 2 - (felt + high / 2)) < high * 0.05, size


def test_the_small_board_fills_an_upright_tablet(open_phone: OpenPhone) -> None:
    table = DigitalTable(english(4)).play_on(in_phase(Phase.TEAMS))
    player = Player(open_phone(UPRIGHT), table, table.state.acting_seats[0])

    for size in (UPRIGHT, TABLET):
        player.phone.turn_into(size, "light")
        [[_, _, _, high]] = places(player.page, ".teams")
        [[_, _, _, board]] = places(player.page, ".teams .board")
        assert board > high / 2, size
        assert outside(player.page, ".candidate > label", ".scene") == [], size


def test_german_words_stand_clear_of_the_edges(open_phone: OpenPhone) -> None:
    table = table_of_five()
    phone = open_phone(UPRIGHT)
    phone.page.context.add_cookies([{"name": settings.LANGUAGE_COOKIE_NAME, "value": "de", "url": phone.address}])
    player = Player(phone, table, 0)

    for size in (UPRIGHT, TABLET, FLAT):
        phone.turn_into(size, "light")
        assert player.page.evaluate(CLEAR) >= 4, size
    table.play_on(cards_on_table(1))
    player.hears()
    for size in (UPRIGHT, TABLET, FLAT):
        phone.turn_into(size, "light")
        names = places(player.page, ".team-name bdi")
        assert len({height for *_, height in names}) == 1, size
        assert cut(player.page, ".thumb .tool") == [], size

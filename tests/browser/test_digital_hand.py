"""The hand at a digital table: how its cards are ordered and tapped on this phone, reached by keys, kept offline."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

import pytest
from playwright.sync_api import Route, expect

from games.pages.digital.slots import ONE_ROW
from games.rules import Phase, PublicState, RowKey
from tests.browser.conftest import OpenPhone
from tests.browser.digital import Player
from tests.browser.sizes import LAPTOP, LARGE_PHONE, PHONE, SIDEWAYS, TABLET, Size
from tests.builders import english, italian
from tests.cast.digital import DigitalTable, in_phase, lasting, leaving, rounds_finished

pytestmark = pytest.mark.browser

ORDER = """
(cards) => cards
  .map((card) => ({ code: card.value, ...card.getBoundingClientRect().toJSON() }))
  .sort((a, b) => Math.round((a.top - b.top) / 30) || a.left - b.left)
  .map(({ code }) => code)
"""


@lasting
def leaving_cards(count: int) -> Callable[[PublicState], bool]:
    """Until a trick begins in which everybody has this number of cards."""
    return lambda state: state.phase is Phase.TRICKS and set(state.current.hand_sizes) == {count}


# The row of each card, as the server or this phone has given it.
ROWS = "cards => cards.map((card) => [card.id, /\\br(\\d)\\b/.exec(card.className)[1]])"


def in_tricks() -> DigitalTable:
    """Four players, the first one of whom leads."""
    return DigitalTable(italian(rounds=2)).play_on(in_phase(Phase.TRICKS))


def choose(player: Player, *boxes: str, trump: str = "") -> None:
    """Settings of this phone."""
    player.phone.tap("How this phone plays")
    for name in boxes:
        player.page.locator(f"#settings [name={name}]").check()
    player.page.locator("#settings [name=trump]").select_option(trump)
    player.page.locator("#settings").get_by_role("button", name="Close").tap()


def shown(player: Player) -> list[str]:
    """The cards as they stand."""
    order: list[str] = player.page.locator("#hand .in-hand").evaluate_all(ORDER)
    return order


def suit_of(code: str) -> str:
    """The suit of a card by its code."""
    return code.split("-")[0]


def focused(player: Player) -> str:
    """The card that has the focus."""
    code: str = player.page.evaluate("document.activeElement.value ?? document.activeElement.tagName")
    return code


# --- the order of the cards ---


@pytest.mark.parametrize("end", ["left", "right"])
def test_trumps_stand_where_the_setting_says_and_a_reload_keeps_it(open_phone: OpenPhone, end: str) -> None:
    table = in_tricks()
    seat, trump = next(
        (seat, table.state.current.conditions.trump)
        for seat in range(4)
        if {card.suit for card in table.view(seat).hand} - {table.state.current.conditions.trump}
        and any(card.suit is table.state.current.conditions.trump for card in table.view(seat).hand)
    )
    player = Player(open_phone(), table, seat)
    dealt = shown(player)

    choose(player, trump=end)

    def is_sorted(cards: Sequence[str]) -> bool:
        trumps = [suit_of(card) for card in dealt].count(trump.value)
        there = cards[:trumps] if end == "left" else cards[-trumps:]
        return sorted(cards) == sorted(dealt) and {suit_of(card) for card in there} == {trump.value}

    assert is_sorted(shown(player))
    player.phone.go("")
    assert is_sorted(shown(player))


def test_the_highest_card_of_each_suit_stands_first(open_phone: OpenPhone) -> None:
    table = in_tricks()
    player = Player(open_phone(), table, table.state.acting_seats[0])
    dealt = shown(player)

    choose(player, "falling")

    after = shown(player)
    assert [suit_of(code) for code in after] == [suit_of(code) for code in dealt]
    for suit in {suit_of(code) for code in dealt}:
        ranks = [code for code in after if suit_of(code) == suit]
        assert ranks == [code for code in dealt if suit_of(code) == suit][::-1]


def test_in_another_order_too_the_other_suits_keep_their_places(open_phone: OpenPhone) -> None:
    table = in_tricks()
    player = Player(open_phone(), table, table.state.acting_seats[0])
    choose(player, "falling", trump="left")
    places = "cards => Object.fromEntries(cards.map((card) => [card.id, card.className]))"
    before = player.page.locator("#hand .in-hand").evaluate_all(places)
    card = player.page.locator("#hand .is-playable").first
    suit = suit_of(card.get_attribute("value"))

    card.tap()
    expect(player.page.locator("#hand .is-playable")).to_have_count(0)

    def slots(classes: str) -> set[str]:
        return {word for word in classes.split() if word[0] in "rk" and word[1:].isdigit()}

    after = player.page.locator("#hand .in-hand").evaluate_all(places)
    for key, classes in after.items():
        if not key.startswith(f"hand-{suit}"):
            assert slots(classes) == slots(before[key])


@pytest.mark.parametrize("trump", ["", "left", "right"])
def test_a_card_keeps_its_row_and_the_hand_its_left_edge_until_one_row_holds_all(
    open_phone: OpenPhone, trump: str
) -> None:
    table = in_tricks()
    player = Player(open_phone(), table, table.state.acting_seats[0])
    choose(player, trump=trump)
    stands: dict[str, str] = {}
    edges = set()
    for count in range(max(table.state.current.hand_sizes), ONE_ROW, -1):
        table.play_on(leaving_cards(count))
        player.hears()
        rows = dict(player.page.locator("#hand .in-hand").evaluate_all(ROWS))
        assert len(rows) == count
        assert all(stands.setdefault(key, row) == row for key, row in rows.items())
        edges.add(player.page.locator("#hand .in-hand").first.evaluate("card => card.offsetLeft"))
    assert len(set(stands.values())) == 2
    # It moves once: where the slots are closed.
    assert len(edges) <= 2
    table.play_on(leaving_cards(ONE_ROW))
    player.hears()
    rows = dict(player.page.locator("#hand .in-hand").evaluate_all(ROWS))
    assert len(rows) == ONE_ROW
    assert len(set(rows.values())) == 1


# --- how much of each card is seen ---


# The width of a card and of one in the trick, how many cards the longer row has, the smallest part of a card that no
# other one covers, and how much of the width of the hand its longer row takes.
SEEN = """
() => {
  const cards = [...document.querySelectorAll("#hand .in-hand .face")].map((face) => face.getBoundingClientRect()),
    [{ width, height }] = cards,
    top = Math.min(...cards.map((card) => card.top)),
    rows = [false, true].map((isLower) => cards
      .filter((card) => (card.top - top > height / 2) === isLower)
      .map((card) => card.left)
      .sort((a, b) => a - b));
  const gaps = rows.flatMap((row) => row.slice(1).map((left, i) => left - row[i]));
  return {
    width,
    lying: document.querySelector("#trick .slot").getBoundingClientRect().width,
    most: Math.max(...rows.map((row) => row.length)),
    seen: Math.min(1, ...gaps.map((gap) => gap / width)),
    taken: Math.max(...rows.map((row) => row.length && row.at(-1) - row[0] + width)) /
      document.getElementById("hand").getBoundingClientRect().width,
  };
}
"""
COVERED = """
() => {
  const cards = [...document.querySelectorAll("#hand .in-hand")].map((card) => ({
    code: card.value, at: card.getBoundingClientRect(), sign: card.querySelector(".suit svg").getBoundingClientRect(),
  }));
  const covers = ({ at }, below) => Math.abs(at.top - below.at.top) < 20 && at.left > below.at.left;
  return cards
    .filter((card) => cards.some((next) => covers(next, card) && next.at.left < card.sign.right))
    .map(({ code }) => code);
}
"""
"""The cards whose sign the next card covers in part."""
BAND = 0.1
UPRIGHT = 0.72
SYMBOL = 0.7
"""So much of a card shows its rank, its letter and most of the symbol of its suit."""


@pytest.mark.parametrize("players", [3, 4])
@pytest.mark.parametrize("count", [16, 14, 10, 8, 5])
def test_cards_stand_apart_and_on_tablets_are_as_large_as_those_of_the_trick(
    open_phone: OpenPhone, players: int, count: int
) -> None:
    if count == 16 and players == 4:
        pytest.skip("60 cards are 15 each")
    table = DigitalTable(english(players)).play_on(leaving_cards(count))
    player = Player(open_phone(), table, table.state.acting_seats[0])
    for size in (LARGE_PHONE, TABLET, Size(820, 1180), Size(1024, 768), LAPTOP, Size(1366, 650)):
        player.phone.turn_into(size, "light")
        hand = player.page.evaluate(SEEN)
        assert len(player.hand) == count
        if size is not LARGE_PHONE:
            # An upright tablet has less width for the hand than for the trick.
            least = 1 if size.width > size.height else UPRIGHT
            assert hand["width"] >= hand["lying"] * least * (1 - BAND), (size, hand)
        if hand["most"] <= ONE_ROW:
            assert hand["seen"] >= 1 - BAND or hand["taken"] >= 1 - BAND, (size, hand)
        assert hand["seen"] >= SYMBOL * (1 - BAND), (size, hand)
        assert player.page.evaluate(COVERED) == [], size


# --- tapping ---


def test_a_card_is_lifted_first_and_played_by_a_second_tap_if_that_is_switched_on(open_phone: OpenPhone) -> None:
    table = in_tricks()
    player = Player(open_phone(), table, table.state.acting_seats[0])
    player.switch_on("twice")
    first, second = (player.page.locator("#hand .is-playable").nth(place) for place in (0, 1))
    code = second.get_attribute("value")

    first.tap()
    expect(first).to_have_attribute("aria-pressed", "true")
    second.tap()
    expect(second).to_have_attribute("aria-pressed", "true")
    expect(first).not_to_have_attribute("aria-pressed", "true")
    assert not table.state.current.table
    second.tap()

    expect(player.page.locator("#hand .is-playable")).to_have_count(0)
    assert [str(card) for card in table.state.current.table] == [code]


@pytest.mark.parametrize("size", [PHONE, SIDEWAYS])
def test_no_lifted_card_is_below_the_banner(open_phone: OpenPhone, size: Size) -> None:
    table = in_tricks()
    player = Player(open_phone(size=size), table, table.state.acting_seats[0])
    player.switch_on("twice")
    card = player.page.locator("#hand .is-playable").first

    card.tap()
    expect(card).to_have_attribute("aria-pressed", "true")
    player.page.wait_for_function("!document.getAnimations().length")

    lifted, banner = card.bounding_box(), player.page.locator(".dash").bounding_box()
    assert lifted is not None
    assert banner is not None
    assert lifted["y"] >= banner["y"] + banner["height"]


def test_a_card_that_was_chosen_ahead_goes_at_once(open_phone: OpenPhone) -> None:
    table = in_tricks()
    leader = table.state.acting_seats[0]
    seat = (leader + 1) % 4
    player = Player(open_phone(), table, seat)
    player.switch_on("ahead")
    suit = table.view(leader).legal[0].card.suit
    mine = next((card for card in table.view(seat).hand if card.suit is suit), table.view(seat).hand[0])
    other = next(card for card in table.view(seat).hand if card != mine)

    left = table.view(seat).hand.count(mine) - 1

    # Two taps shortly: only plays are guarded against a trembling finger.
    player.card(str(other)).tap(force=True)
    player.card(str(mine)).tap(force=True)
    expect(player.card(str(mine))).to_have_attribute("aria-pressed", "true")
    table.step()
    player.hears()

    # A forced card would take a second and a half at least.
    expect(player.page.locator("#hand")).not_to_have_class("is-due", timeout=1200)
    expect(player.page.locator(f'#hand [value="{mine}"]')).to_have_count(left, timeout=1200)
    assert table.state.current.table[1] == mine


# --- the connection ---


KEPT = re.compile("What you tapped is sent when the connection is back.")


def test_a_card_that_is_tapped_offline_goes_when_the_connection_is_back(open_phone: OpenPhone) -> None:
    table = in_tricks()
    player = Player(open_phone(), table, table.state.acting_seats[0])
    card = player.page.locator("#hand .is-playable").first
    code = card.get_attribute("value")

    player.phone.lose_line()
    card.tap()
    expect(player.page.locator("#line")).to_contain_text(KEPT)
    assert not table.state.current.table
    player.phone.find_line()

    expect(player.page.locator("#hand .is-playable")).to_have_count(0)
    assert [str(card) for card in table.state.current.table] == [code]
    assert player.phone.notices == []


def test_a_card_that_can_no_longer_be_played_is_said_and_not_sent(open_phone: OpenPhone) -> None:
    table = in_tricks()
    seat = table.state.acting_seats[0]
    player = Player(open_phone(), table, seat)
    cards = player.page.locator("#hand .is-playable")

    player.phone.lose_line()
    cards.first.tap()
    expect(player.page.locator("#line")).to_contain_text(KEPT)
    # The same seat plays another card on another phone.
    table.act(
        seat, next(each for each in table.view(seat).legal if str(each.card) != cards.first.get_attribute("value"))
    )
    player.phone.find_line()

    expect(player.page.locator(".notice[data-code]")).to_have_attribute("data-code", "stale_version")
    assert len(table.state.current.table) == 1


def test_a_marker_that_is_tapped_offline_is_placed_by_retry(open_phone: OpenPhone) -> None:
    table = DigitalTable(english(3))
    player = Player(open_phone(), table, table.state.acting_seats[0])

    player.phone.lose_line()
    player.page.locator('.space[value="points:-2"]').tap()
    expect(player.page.locator("#line")).to_contain_text(KEPT)
    assert table.game.version == 1
    # The page notices by itself too, but not so soon.
    player.phone.find_line()
    player.page.evaluate("Line.retry()")

    expect(player.page.locator('.space[value="points:-2"]')).to_have_class(re.compile("is-covered"))
    assert "-2" not in table.state.current.board.row(RowKey.POINTS).open_spaces
    expect(player.page.locator("#line")).to_be_hidden()


def test_a_kept_tap_that_the_server_cannot_take_is_said(open_phone: OpenPhone) -> None:
    table = in_tricks()
    player = Player(open_phone(), table, table.state.acting_seats[0])

    player.phone.lose_line()
    player.page.locator("#hand .is-playable").first.tap()
    expect(player.page.locator("#line")).to_contain_text(KEPT)
    player.phone.watch.forgive("404", "Not Found")
    player.page.route("**/act/", lambda route: route.fulfill(status=404, body="no table"))
    player.phone.find_line()
    player.page.evaluate("Line.retry()")

    expect(player.page.locator("#line")).to_contain_text("Not done")
    assert not table.state.current.table


def test_a_tap_that_had_arrived_without_an_answer_is_not_repeated(open_phone: OpenPhone) -> None:
    table = in_tricks()
    player = Player(open_phone(), table, table.state.acting_seats[0])
    version = table.game.version

    def answer_is_lost(route: Route) -> None:
        route.fetch()
        route.abort()

    player.phone.watch.forgive("net::ERR_FAILED", "htmx: htmx:error")
    player.page.route("**/act/", answer_is_lost)
    player.page.locator("#hand .is-playable").first.tap()
    expect(player.page.locator("#line")).to_contain_text(KEPT)
    player.page.unroute("**/act/")
    player.page.evaluate("Line.retry()")

    expect(player.phone.table).to_have_attribute("data-version", str(version + 1))
    assert player.phone.notices == []
    assert table.game.version == version + 1


# --- keys ---


def test_a_hand_is_one_stop_of_tab_and_keys_reach_its_cards(open_phone: OpenPhone) -> None:
    table = in_tricks()
    player = Player(open_phone(size=LAPTOP, mobile=False), table, table.state.acting_seats[0])
    keys, order = player.page.keyboard, shown(player)
    assert player.page.locator('#hand [tabindex="0"]').count() == 1

    player.phone.tab_to(player.page.locator('#hand [tabindex="0"]'))
    assert focused(player) == order[0]
    keys.press("ArrowRight")
    assert focused(player) == order[1]
    keys.press("End")
    assert focused(player) == order[-1]
    keys.press("ArrowRight")
    assert focused(player) == order[0]
    keys.press("ArrowLeft")
    assert focused(player) == order[-1]
    keys.press("Home")
    suit = next(suit_of(code) for code in order if suit_of(code) != suit_of(order[0]))
    keys.press("k" if suit == "black" else suit[0])
    assert focused(player) == next(code for code in order if suit_of(code) == suit)
    rank = order[-1].split("-")[1]
    keys.press(rank)
    assert focused(player).split("-")[1] == rank
    keys.press("Tab")
    assert player.page.evaluate("!document.activeElement.closest('#hand')")


def test_keys_reach_the_hand_from_outside_but_not_from_a_dialog(open_phone: OpenPhone) -> None:
    table = in_tricks()
    player = Player(open_phone(size=LAPTOP, mobile=False), table, table.state.acting_seats[0])
    keys, order = player.page.keyboard, shown(player)
    player.page.locator("#settings-button").focus()

    keys.press("Enter")
    expect(player.page.locator("#settings")).to_be_visible()
    keys.press("ArrowRight")
    assert player.page.evaluate("!document.activeElement.closest('#hand')")
    keys.press("Escape")
    keys.press("ArrowRight")

    assert focused(player) == order[0]
    player.page.locator("#settings-button").focus()
    rank = order[-1].split("-")[1]
    keys.press(rank)
    assert focused(player).split("-")[1] == rank


def test_the_focus_returns_to_the_hand_with_the_turn(open_phone: OpenPhone) -> None:
    table = in_tricks()
    seat = table.state.acting_seats[0]
    player = Player(open_phone(size=LAPTOP, mobile=False), table, seat)

    player.phone.tab_to(player.page.locator('#hand [tabindex="0"]'))
    player.page.keyboard.press("Enter")
    expect(player.page.locator("#hand .is-playable")).to_have_count(0)
    assert player.page.evaluate("Boolean(document.activeElement.closest('#hand'))")
    table.play_on(lambda state: state.acting_seats == (seat,) and len(state.current.hand_sizes) == 4)
    player.hears()

    expect(player.page.locator("#hand .is-playable:focus")).to_have_count(1)


def test_markers_are_placed_by_arrows_and_the_focus_returns_to_the_row_with_the_turn(open_phone: OpenPhone) -> None:
    table = DigitalTable(italian(rounds=2))
    seat = table.state.acting_seats[0]
    player = Player(open_phone(size=LAPTOP, mobile=False), table, seat)
    keys, focused = player.page.keyboard, player.page.locator(":focus")
    keys.press("Tab")
    player.page.locator("#trump-red").focus()

    keys.press("ArrowRight")
    expect(focused).to_have_id("trump-black")
    keys.press("ArrowDown")
    expect(focused).to_have_id("supertrump-black")
    keys.press("ArrowUp")
    keys.press("ArrowLeft")
    keys.press("ArrowLeft")
    expect(focused).to_have_id("trump-red")
    before = table.game.version
    keys.press("Enter")
    expect(player.phone.table).to_have_attribute("data-version", str(before + 1))
    for _ in range(3):
        table.step()
    player.hears()

    assert table.state.acting_seats == (seat,)
    expect(focused).to_have_id("trump-black")


def last_cards(state: PublicState) -> bool:
    """Whether the last trick of a round is played."""
    return state.phase is Phase.TRICKS and max(state.current.hand_sizes) == 1


def test_an_arrow_leads_to_the_board_and_enter_goes_on_from_a_result(open_phone: OpenPhone) -> None:
    table = DigitalTable(italian(rounds=2)).play_on(last_cards)
    # Left of the second dealer.
    player = Player(open_phone(size=LAPTOP, mobile=False), table, 2)
    keys, focused = player.page.keyboard, player.page.locator(":focus")
    keys.press("ArrowRight")
    table.play_on(rounds_finished(1))
    player.hears()
    expect(player.page.locator(".go :focus")).to_have_count(1)

    keys.press("Enter")
    expect(player.phone.table).to_have_class(re.compile("is-board"))
    keys.press("ArrowRight")

    expect(focused).to_have_class(re.compile("space"))


def test_keys_open_the_last_trick_and_the_rules(open_phone: OpenPhone) -> None:
    table = in_tricks().play_on(lambda state: bool(state.current.tricks))
    player = Player(open_phone(size=LAPTOP, mobile=False), table, 0)

    player.page.keyboard.press("l")
    expect(player.page.locator("#last")).to_be_visible()
    player.page.keyboard.press("l")
    expect(player.page.locator("#last")).to_be_hidden()
    player.page.keyboard.press("?")
    expect(player.page.locator("#help")).to_be_visible()


@pytest.mark.parametrize("key", ["l", "?"])
def test_enter_plays_no_card_below_a_page_that_a_key_has_opened(open_phone: OpenPhone, key: str) -> None:
    table = in_tricks().play_on(lambda state: bool(state.current.tricks))
    player = Player(open_phone(size=LAPTOP, mobile=False), table, table.state.acting_seats[0])
    player.phone.tab_to(player.page.locator('#hand [tabindex="0"]'))
    card, before = focused(player), table.game.version

    player.page.keyboard.press(key)
    player.page.keyboard.press("Enter")
    expect(player.page.locator(":popover-open")).to_have_count(0)

    assert table.game.version == before
    assert focused(player) == card


def test_settings_that_a_key_opens_have_the_focus_and_give_it_back(open_phone: OpenPhone) -> None:
    player = Player(open_phone(size=LAPTOP, mobile=False), DigitalTable(english(4)), 1)
    button, settings = player.page.locator("#settings-button"), player.page.locator("#settings")

    button.press("Enter")
    expect(settings.get_by_role("button", name="Close")).to_be_focused()
    player.page.keyboard.press("Escape")

    expect(settings).to_be_hidden()
    expect(button).to_be_focused()


def test_enter_chooses_a_card_to_pass_and_a_choice_removes_the_refusal(open_phone: OpenPhone) -> None:
    table = DigitalTable(english(4)).play_on(in_phase(Phase.PASSING), leaving("discard:pass_2_right"))
    player = Player(open_phone(size=LAPTOP, mobile=False), table, 0)
    keys, refusal = player.page.keyboard, player.page.get_by_role("alert")
    chosen = player.page.locator("#hand :checked")
    player.phone.tab_to(player.page.locator('#hand [tabindex="0"]'))
    player.page.evaluate("document.getElementById('hand').requestSubmit()")
    expect(refusal).to_contain_text("Choose 2 cards, not 0.")
    player.phone.tab_to(player.page.locator('#hand [tabindex="0"]'))

    keys.press("Enter")
    expect(chosen).to_have_count(1)
    expect(refusal).to_have_count(0)
    keys.press("ArrowRight")
    keys.press("Enter")
    expect(chosen).to_have_count(2)
    keys.press("Enter")
    expect(chosen).to_have_count(1)

    assert not table.state.current.chosen

"""The whole game on phones: four players with a phone each, one among bots, a phone that goes round.  By touch."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pytest
from django.conf import settings
from django.utils import translation
from playwright.sync_api import expect

from games.rules import Phase, PublicState, RowKey
from games.texts.words import settled
from tests.browser.audit import fits_without_scrolling, problems_of
from tests.browser.conftest import OpenPhone
from tests.browser.digital import Player
from tests.browser.digital_states import SITUATIONS
from tests.browser.facts import cut, outside, overlaps
from tests.browser.prepared import give
from tests.browser.sizes import LAPTOP, LARGE_PHONE, PHONE, SIDEWAYS, SIZES, SMALL
from tests.browser.states import LONG
from tests.builders import dutch, english, italian
from tests.cast.digital import DigitalTable, cards_on_table, in_phase, leaving, over, rounds_finished
from tests.services.crews import act_due

pytestmark = pytest.mark.browser


def sit(open_phone: OpenPhone, table: DigitalTable, seat: int, **how: object) -> Player:
    """One more phone at the table."""
    return Player(open_phone(**how), table, seat)


def one_trick_is_left(state: PublicState) -> bool:
    """Until everybody holds one card."""
    return state.current is not None and state.phase is Phase.TRICKS and set(state.current.hand_sizes) == {1}


def test_four_phones_play_the_last_trick_of_a_round_and_the_whole_next_one(open_phone: OpenPhone) -> None:
    table = DigitalTable(italian(rounds=2)).play_on(one_trick_is_left)
    players = [sit(open_phone, table, seat) for seat in range(4)]

    for _ in range(400):
        state = table.state
        if state.current is None:
            break
        seat = state.acting_seats[0]
        players[seat].hears()
        players[seat].act()

    assert len(table.state.finished) == 2
    for player in players:
        player.hears()
        # The last round has a result, as every round has.
        expect(player.page.locator(".result")).to_be_visible()
        assert player.phone.shows == "result"
        if player is players[0]:
            has_a_side_panel(player)
        player.phone.tap("Go on")
        expect(player.phone.table).to_have_class(re.compile("is-finished"))
        assert sorted(player.phone.standings.values()) == sorted(
            str(total).replace("-", "−") for total in table.state.totals
        )


def has_a_side_panel(player: Player) -> None:
    """On a desk the result has beside its felt what the tricks have: standings, last trick, the round."""
    player.phone.turn_into(LAPTOP, "light")
    assert overlaps(player.page, ".beside", ".felt") == []
    assert [each.is_visible() for each in player.page.locator(".standings").all()] == [False, False, True]
    expect(player.page.locator(".beside .lay > li")).to_have_count(4)
    expect(player.page.locator(".round-log > li").first).to_be_visible()
    # A long round scrolls by itself: the standings stay in sight.
    assert player.page.locator(".beside").evaluate("panel => panel.scrollHeight <= panel.clientHeight")
    assert problems_of(player.page, may_shorten=True) == []
    player.phone.turn_into(PHONE, "light")


def test_a_game_among_three_bots(open_phone: OpenPhone) -> None:
    table = DigitalTable(italian(rounds=1), bots={1: "easy", 2: "easy", 3: "easy"})
    ana = sit(open_phone, table, 0)

    for _ in range(200):
        act_due(table.id)
        if table.state.current is None:
            break
        ana.hears()
        ana.act()

    ana.hears()
    ana.phone.tap("Go on")
    expect(ana.phone.table).to_have_class(re.compile("is-finished"))
    assert table.state.setup.names[table.state.winners[0]] in ana.phone.victory


# --- the hand ---


def must_follow(table: DigitalTable) -> DigitalTable:
    """Until the seat that is due may not play every card."""
    while True:
        view = table.view(table.state.acting_seats[0])
        if table.state.phase is Phase.TRICKS and len(view.legal) < len(set(view.hand)):
            return table
        table.step()


def forced(table: DigitalTable) -> DigitalTable:
    """Until the seat that is due may play one card only, and holds others."""
    while True:
        view = table.view(table.state.acting_seats[0])
        if table.state.phase is Phase.TRICKS and len(view.legal) == 1 < len(set(view.hand)):
            return table
        table.step()


def test_an_illegal_tap_is_explained_and_the_very_next_tap_succeeds(open_phone: OpenPhone) -> None:
    table = must_follow(DigitalTable(english(3)))
    seat = table.state.acting_seats[0]
    allowed = {str(action.card) for action in table.view(seat).legal}
    player = sit(open_phone, table, seat)

    player.page.locator("#hand button:not(.is-playable)").first.tap(force=True)

    assert player.phone.code.startswith("must_")
    shown = player.page.locator("#hand .is-allowed").evaluate_all("buttons => buttons.map(({ value }) => value)")
    assert set(shown) == allowed
    player.page.wait_for_timeout(400)
    player.page.locator("#hand .is-playable").first.tap()
    expect(player.page.locator("#hand .is-playable")).to_have_count(0)
    assert player.phone.notices == []


def test_a_second_tap_shortly_plays_no_second_card(open_phone: OpenPhone) -> None:
    table = DigitalTable(english(3)).play_on(in_phase(Phase.TRICKS))
    player = sit(open_phone, table, table.state.acting_seats[0])
    card = player.page.locator("#hand .is-playable").first

    card.dblclick()

    expect(player.lying).to_have_count(1)
    assert player.phone.notices == []


def test_a_complete_trick_stays_briefly_and_clears_itself(open_phone: OpenPhone) -> None:
    table = DigitalTable(italian(rounds=2)).play_on(cards_on_table(3))
    player = sit(open_phone, table, 0)
    table.step()
    table.step()

    player.hears()

    before = player.page.locator("#trick .slot.was")
    expect(before).to_have_count(4)
    expect(before.first).to_be_visible()
    expect(player.page.locator(".dash > .why")).to_contain_text("wins")
    expect(before.first).to_be_hidden()
    expect(player.lying).to_have_count(1)
    player.phone.tap("Last trick")
    expect(player.page.locator("#last .lay > li")).to_have_count(4)
    assert outside(player.page, "#last .face") == []


def test_a_tap_clears_the_trick_at_once(open_phone: OpenPhone) -> None:
    table = DigitalTable(italian(rounds=2)).play_on(cards_on_table(3))
    player = sit(open_phone, table, 0)
    table.step()
    player.hears()

    # In one go, so that the trick has no time to disappear by itself.
    seen = player.page.locator("#trick").evaluate(
        """(trick) => {
          const shows = () => trick.classList.contains("shows-last");
          const was = shows();
          trick.click();
          return [was, shows()];
        }"""
    )

    assert seen == [True, False]


@pytest.mark.parametrize("is_on", [False, True])
def test_the_only_card_plays_itself_after_a_pause_if_that_is_switched_on(open_phone: OpenPhone, is_on: bool) -> None:
    table = forced(DigitalTable(italian(rounds=2)))
    player = sit(open_phone, table, table.state.acting_seats[0])
    if is_on:
        player.switch_on("forced")
    version = table.game.version

    player.page.wait_for_timeout(1200)
    assert table.game.version == version
    player.page.wait_for_timeout(2600)

    assert table.game.version == (version + 1 if is_on else version)


def test_nothing_plays_itself_while_somebody_asks_for_something(open_phone: OpenPhone) -> None:
    table = forced(DigitalTable(italian(rounds=2)))
    seat = table.state.acting_seats[0]
    table.propose((seat + 3) % 4, "claim")
    phone = open_phone()
    # The buttons of the question lie over the settings: they are set at another table.
    Player(phone, DigitalTable(italian(rounds=2)), 0).switch_on("forced")
    Player(phone, table, seat)
    version = table.game.version

    phone.page.wait_for_timeout(3500)

    assert table.game.version == version


def test_a_card_can_be_chosen_before_ones_turn(open_phone: OpenPhone) -> None:
    table = DigitalTable(italian(rounds=2)).play_on(in_phase(Phase.TRICKS))
    leader = table.state.acting_seats[0]
    seat = (leader + 1) % 4
    player = sit(open_phone, table, seat)
    player.switch_on("ahead")
    suit = table.view(leader).legal[0].card.suit
    mine = next((card for card in table.view(seat).hand if card.suit is suit), table.view(seat).hand[0])

    # Anyone who chooses ahead has not been shown that it is disabled.
    player.card(str(mine)).tap(force=True)
    expect(player.card(str(mine))).to_have_attribute("aria-pressed", "true")
    assert not table.state.current.table
    table.step()
    player.hears()

    expect(player.lying).to_have_count(2)
    assert table.state.current.table[1] == mine


def test_what_is_chosen_survives_the_news_of_others(open_phone: OpenPhone) -> None:
    table = DigitalTable(english(4)).play_on(in_phase(Phase.DISCARDING), leaving("discard:discard_2"))
    player = sit(open_phone, table, 1)
    labels = player.page.locator("#hand .is-playable")
    for place in (0, 2, 4):
        labels.nth(place).tap()
    # A box with the focus outside of the hand would scroll the table.
    assert player.page.evaluate("scrollY") == 0
    checked = player.page.locator("#hand :checked").evaluate_all("boxes => boxes.map(({ id }) => id)")
    assert len(checked) == 2
    table.act(2, table.view(2).legal[0])

    player.hears()

    kept = player.page.locator("#hand :checked").evaluate_all("boxes => boxes.map(({ id }) => id)")
    assert kept == checked
    names = [name for box in checked if (name := player.page.locator(f"#{box}").get_attribute("data-name"))]
    player.phone.tap(f"Discard {names[0]} and {names[1]}")
    player.phone.sees("lie face down until all have chosen.")


def test_the_button_counts_and_names_what_is_chosen(open_phone: OpenPhone) -> None:
    table = DigitalTable(english(4)).play_on(in_phase(Phase.DISCARDING), leaving("discard:discard_2"))
    player = sit(open_phone, table, 1)
    button, labels = player.page.locator("#choose"), player.page.locator("#hand .is-playable")
    said = [button.inner_text()]

    for place in (0, 4):
        labels.nth(place).tap()
        said.append(button.inner_text())

    names = player.page.locator("#hand :checked").evaluate_all("boxes => boxes.map(({ dataset }) => dataset.name)")
    assert said == ["Discard 2 cards", "1 of 2 chosen", f"Discard {names[0]} and {names[1]}"]


def test_a_zero_that_has_to_be_kept_says_so_and_is_not_chosen(open_phone: OpenPhone) -> None:
    table = DigitalTable(english(4)).play_on(in_phase(Phase.DISCARDING), leaving("discard:discard_2_no_zero"))
    seat = next(seat for seat in range(4) if any(card.rank == 0 for card in table.view(seat).hand))
    player = sit(open_phone, table, seat)

    player.page.locator("#hand label:not(.is-playable)").first.tap()

    expect(player.page.locator(".toasts > .is-error")).to_have_text("No 0 may be discarded while you hold other cards.")
    assert player.page.locator("#hand :checked").count() == 0
    expect(player.page.locator(".toasts > .is-error")).to_have_count(0, timeout=6000)


def test_undo_has_its_word_and_what_is_asked_is_whole(open_phone: OpenPhone) -> None:
    table = DigitalTable(english(4)).play_on(cards_on_table(1))
    player = sit(open_phone, table, (table.state.acting_seats[0] - 1) % 4, size=LARGE_PHONE)
    undo = player.page.locator(".tool.undo")

    expect(undo.get_by_text("Undo", exact=True)).to_be_visible()
    undo.get_by_role("button").tap()

    expect(player.page.locator(".ask")).to_be_visible()
    assert outside(player.page, ".ask p", ".ask") == []


def test_who_plays_with_whom_is_said_for_three_seconds_on_a_page_that_was_just_opened(open_phone: OpenPhone) -> None:
    player = sit(open_phone, DigitalTable(english(4)).play_on(in_phase(Phase.TRICKS)), 0)

    shown = player.page.locator(".toasts > .is-brief")

    assert shown.evaluate("(message) => getComputedStyle(message).animationDuration") == "3s"


# --- how this phone plays ---


def test_settings_but_the_coach_are_off_at_first_and_kept(open_phone: OpenPhone) -> None:
    table = DigitalTable(italian(rounds=2)).play_on(in_phase(Phase.TRICKS))
    player = sit(open_phone, table, 0)
    boxes = player.page.locator("#settings .check input")
    on = "all => all.filter(({ checked }) => checked).map(({ name }) => name)"
    assert boxes.evaluate_all(on) == ["coach"]

    player.switch("coach", on=False)
    player.switch_on("ahead")
    player.phone.go("")

    assert boxes.evaluate_all(on) == ["ahead"]


def test_the_theme_is_one_of_the_settings_shows_at_once_and_is_kept(open_phone: OpenPhone) -> None:
    player = sit(open_phone, DigitalTable(italian(rounds=2)), 0)
    theme, bar = player.page.locator("#settings [name=theme]"), player.page.locator("#table > .bar")
    color = "bar => getComputedStyle(bar).color"
    light = bar.evaluate(color)
    player.phone.tap("How this phone plays")
    expect(theme).to_have_value("auto")
    with player.page.expect_response("**/appearance/"):
        theme.select_option("dark")
    dark = bar.evaluate(color)
    expect(player.page.locator("#settings")).to_be_visible()
    player.phone.go("")
    player.phone.tap("How this phone plays")

    assert light != dark
    assert bar.evaluate(color) == dark
    expect(theme).to_have_value("dark")


COUNT_SYMBOLS = """
(() => {
  const start = OscillatorNode.prototype.start;
  window.signs = [];
  Object.defineProperty(navigator, "vibrate", { value: () => window.signs.push("buzz") });
  OscillatorNode.prototype.start = function () { window.signs.push("tone"); start.call(this); };
})()
"""


@pytest.mark.parametrize("wanted", [[], ["buzz"], ["sound"]])
def test_the_phone_gives_a_sign_when_it_is_ones_turn_if_that_is_switched_on(
    open_phone: OpenPhone, wanted: list[str]
) -> None:
    table = DigitalTable(italian(rounds=2)).play_on(in_phase(Phase.TRICKS))
    player = sit(open_phone, table, (table.state.acting_seats[0] + 2) % 4)
    player.page.evaluate(COUNT_SYMBOLS)
    for name in wanted:
        player.switch_on(name)
    player.page.evaluate("window.signs.length = 0")

    table.step()
    player.hears()
    assert player.page.evaluate("window.signs") == []
    table.step()
    player.hears()

    assert player.page.evaluate("window.signs") == [{"sound": "tone"}.get(name, name) for name in wanted]


def test_a_lost_connection_is_shown_and_found_again(open_phone: OpenPhone) -> None:
    table = DigitalTable(italian(rounds=2)).play_on(in_phase(Phase.TRICKS))
    player = sit(open_phone, table, table.state.acting_seats[0])

    player.phone.lose_line()
    player.page.locator("#hand .is-playable").first.tap()
    expect(player.page.locator("#line")).to_be_visible()
    assert not table.state.current.table
    player.phone.find_line()
    expect(player.page.locator("#line")).to_be_hidden()

    expect(player.page.locator("#hand .is-playable")).to_have_count(0)
    assert len(table.state.current.table) == 1


def test_a_seat_whose_phone_is_away_is_marked(open_phone: OpenPhone) -> None:
    table = DigitalTable(italian(rounds=2)).play_on(in_phase(Phase.TRICKS))
    player = sit(open_phone, table, 0)

    hear_who_is_there(player, away=[2])

    seats = player.page.locator(".sitter.is-away")
    expect(seats).to_have_count(1)
    assert seats.get_attribute("data-seat") == "2"
    assert "away" in seats.inner_text()


def hear_who_is_there(player: Player, *, away: Sequence[int]) -> None:
    """The server says whose phones are away."""
    key = {"name": "", "may_record": False, "recording": False}
    heard = [{**key, "key": held.pk, "away": seat in away} for seat, held in player.table.keys.items()]
    player.page.evaluate("detail => document.dispatchEvent(new CustomEvent('here', { detail }))", heard)


def test_once_the_game_is_over_nothing_is_said_of_who_is_here(open_phone: OpenPhone) -> None:
    table = DigitalTable(english(3, rounds=1))
    player = sit(open_phone, table, 0)
    expect(player.page.locator("#here-button")).to_have_text("only you")
    table.play_on(over)
    player.phone.go("")
    expect(player.page.locator("#here-button")).to_be_hidden()
    player.phone.lose_line()
    expect(player.page.locator("#here-button")).to_be_visible()


@pytest.mark.parametrize("phase", [Phase.PLACING, Phase.TEAMS, Phase.TRICKS])
def test_the_banner_says_that_the_player_who_is_awaited_is_away(open_phone: OpenPhone, phase: Phase) -> None:
    table = DigitalTable(english(4)).play_on(in_phase(phase))
    due = table.state.acting_seats[0]
    player = sit(open_phone, table, (due + 1) % 4)
    banner, name = player.page.locator(".say"), table.state.setup.names[due]
    headline = banner.locator("b")

    hear_who_is_there(player, away=[(due + 2) % 4])
    expect(banner).not_to_contain_text("away", use_inner_text=True)
    hear_who_is_there(player, away=[due])
    expect(banner).to_contain_text(f"{name} is away", use_inner_text=True)
    assert [line.inner_text() for line in banner.locator("small:visible").all() if line.inner_text()] == [
        f"{name} is away"
    ]
    assert name in headline.inner_text()
    hear_who_is_there(player, away=[])
    expect(banner).not_to_contain_text("away", use_inner_text=True)


def test_a_seat_without_a_phone_is_not_here_yet_instead_of_away(open_phone: OpenPhone) -> None:
    table = DigitalTable(english(4))
    due = table.state.acting_seats[0]
    table.free(due)
    player = sit(open_phone, table, (due + 1) % 4)
    hear_who_is_there(player, away=[])

    expect(player.page.locator(".say")).to_contain_text("is not here yet", use_inner_text=True)
    expect(player.page.locator(".is-away")).not_to_have_count(0)
    assert "away" not in player.page.locator("main").inner_text()


def test_the_banner_says_nothing_of_a_bot_and_of_the_reader(open_phone: OpenPhone) -> None:
    table = DigitalTable(english(4))
    due = table.state.acting_seats[0]
    own = sit(open_phone, table, due)
    hear_who_is_there(own, away=range(4))
    expect(own.page.locator(".say")).not_to_contain_text("away", use_inner_text=True)

    table.put_bot(due, "easy")
    other = sit(open_phone, table, (due + 1) % 4)
    hear_who_is_there(other, away=range(4))
    expect(other.page.locator(".say")).not_to_contain_text("away", use_inner_text=True)


def test_where_several_choose_the_plate_says_who_is_away(open_phone: OpenPhone) -> None:
    table = DigitalTable(english(4)).play_on(in_phase(Phase.DISCARDING), leaving("discard:discard_2"))
    player = sit(open_phone, table, 0)
    hear_who_is_there(player, away=[2])
    words = [
        player.page.locator(f".sitter[data-seat='{seat}'] .figures").evaluate(
            "(each) => [getComputedStyle(each, '::before').content, getComputedStyle(each).visibility]"
        )
        for seat in (1, 2)
    ]
    assert words[0][0] == "none"
    assert words[1] == ['"away"', "hidden"]


# --- without script, and one phone for all ---


def test_one_phone_goes_round_with_a_cover_between_the_hands(open_phone: OpenPhone) -> None:
    table = DigitalTable(dutch(3, rounds=2))
    phone = open_phone()
    give(phone, table.host, *table.keys.values())
    phone.go_to(table.id, "")

    for _ in range(4):
        name = table.state.setup.names[table.state.acting_seats[0]]
        expect(phone.page.locator(".cover h2")).to_have_text(f"Pass the phone to {name}")
        expect(phone.page.locator(".in-hand")).to_have_count(0)
        phone.tap(f"I am {name}: show my hand")
        expect(phone.page.locator("#hand .in-hand").first).to_be_visible()
        expect(phone.page.locator(".say")).to_contain_text("Your turn")
        phone.page.locator(".space:not(.is-covered, .is-left)").first.tap()
        expect(phone.page.locator(".cover")).to_be_visible()
    assert table.state.current.board.markers == 4


# --- how it looks ---


@pytest.mark.parametrize("left_handed", [False, True])
@pytest.mark.parametrize("situation", ["board", "tricks", "result", "finished"])
def test_sideways_too_the_sheet_is_one_tap_away(open_phone: OpenPhone, situation: str, left_handed: bool) -> None:
    table = SITUATIONS[situation]()
    player = sit(open_phone, table, 0)
    player.page.evaluate("(is) => document.documentElement.classList.toggle('is-left-handed', is)", left_handed)
    player.phone.turn_into(SIDEWAYS, "light")

    player.phone.tap("Sheet")

    expect(player.page).to_have_url(re.compile("/sheet/$"))


@pytest.mark.parametrize("situation", ["board", "choose", "tricks", "five"])
def test_sixteen_cards_and_the_table_fit_on_a_small_screen(open_phone: OpenPhone, situation: str) -> None:
    table = SITUATIONS[situation]()

    player = sit(open_phone, table, table.state.acting_seats[0])

    # Letters grow with the text size of the phone as far as their places do.
    for size, text in ((SMALL, 100), (PHONE, 200), (SIDEWAYS, 200)):
        player.phone.turn_into(size, "light", text=text)
        assert fits_without_scrolling(player.page), (size, text)


# The words that are torn, and the texts that do not fit in the height of their row.
TORN = """
(texts) => {
  const row = document.querySelector(".row-discard .row-name"), em = document.createElement("em");
  row.closest(".board-row").classList.add("is-settled");
  row.append(em);
  const height = (text) => {
    em.textContent = text;
    return em.getBoundingClientRect().height;
  };
  const line = height("2");
  return texts.flatMap((text) => [
    ...text.split(" ").filter((word) => height(word) > line),
    ...(height(text) > row.clientHeight ? [text] : []),
  ]);
}
"""


def test_what_a_row_has_settled_tears_no_word_in_any_language(open_phone: OpenPhone) -> None:
    table = DigitalTable(english(4))
    player = sit(open_phone, table, 0, size=SMALL)
    texts = []
    for language, _name in settings.LANGUAGES:
        with translation.override(language):
            spaces = table.state.setup.ruleset.edition.spaces[RowKey.DISCARD]
            said = (
                settled(RowKey.DISCARD, space, table.state.setup.ruleset, table.state.setup.names) for space in spaces
            )
            texts += [text[0].upper() + text[1:] for text in said]

    assert player.page.evaluate(TORN, texts) == []


def test_a_tap_on_a_condition_opens_what_it_means(open_phone: OpenPhone) -> None:
    table = DigitalTable(english(4)).play_on(in_phase(Phase.TRICKS))
    player = Player(open_phone(), table, 0)
    explained = player.page.locator("#help-trump")
    expect(explained).to_be_hidden()

    player.page.locator(".strip .on-trump").tap()

    expect(explained).to_be_in_viewport()


@pytest.mark.parametrize("touches", [True, False])
@pytest.mark.parametrize("sheet", ["settings", "help"])
def test_a_tap_beside_an_open_sheet_closes_it_and_plays_nothing(
    open_phone: OpenPhone, sheet: str, touches: bool
) -> None:
    table = SITUATIONS["board"]()
    player = sit(open_phone, table, table.state.acting_seats[0], size=LARGE_PHONE)
    # What the first tap loads is there.
    player.page.locator("h1").tap()
    player.page.wait_for_function("() => document.querySelector('script[src*=first-tap]')")
    player.page.wait_for_load_state("networkidle")
    before = table.game.version
    target = player.page.locator(".space:not(.is-covered)").first
    player.page.evaluate("(sheet) => document.getElementById(sheet).showPopover()", sheet)
    expect(player.page.locator(f"#{sheet}")).to_be_visible()
    place = target.bounding_box()
    assert place is not None
    spot = (place["x"] + place["width"] / 2, place["y"] + place["height"] / 2)

    if touches:
        player.page.touchscreen.tap(*spot)
    else:
        player.page.mouse.click(*spot)

    expect(player.page.locator(":popover-open")).to_have_count(0)
    player.page.wait_for_timeout(300)
    assert table.game.version == before


def test_the_settings_are_reached_while_partners_or_cards_are_chosen(open_phone: OpenPhone) -> None:
    for situation in ("teams", "choose"):
        table = SITUATIONS[situation]()
        player = sit(open_phone, table, table.state.acting_seats[0])

        player.page.locator('.thumb [popovertarget="help"]').tap()
        player.page.locator('#help [popovertarget="settings"]').tap()
        player.page.locator("#settings [name=large]").set_checked(True)
        player.page.locator("#settings").get_by_role("button", name="Close").tap()
        player.page.locator("#help").get_by_role("button", name="Close").tap()

        expect(player.page.locator("html.has-large-cards")).to_have_count(1)
        expect(player.page.locator("#help")).to_be_hidden()


def test_a_reload_shows_the_partners_that_were_tapped(open_phone: OpenPhone) -> None:
    table = DigitalTable(english(5)).play_on(in_phase(Phase.TEAMS))
    player = sit(open_phone, table, table.state.acting_seats[0])
    pair = player.page.locator(".candidate.is-pair").first
    pair.locator("label").tap()
    pair.locator(".button").tap()
    expect(player.page.locator("[id^=monster]").first).to_be_attached()
    expect(player.page).to_have_url(re.compile("partners="))

    player.page.reload()

    expect(player.page.locator("[id^=monster]").first).to_be_attached()
    chosen = player.page.locator(".candidate").first
    chosen.locator("label").tap()
    chosen.locator(".button").tap()
    expect(player.phone.table).not_to_have_class(re.compile("is-teams"))
    expect(player.page).not_to_have_url(re.compile("partners="))


def test_five_players_see_all_partners_and_pairs_on_a_desk(open_phone: OpenPhone) -> None:
    table = DigitalTable(english(5)).play_on(in_phase(Phase.TEAMS))
    player = Player(open_phone(LAPTOP, mobile=False), table, table.state.acting_seats[0])

    assert player.page.locator(".candidate").count() == 10
    assert outside(player.page, ".candidate", ".scene > .teams") == []


def test_the_total_of_each_of_five_partners_is_in_sight(open_phone: OpenPhone) -> None:
    table = DigitalTable(english(5, rounds=3)).play_on(rounds_finished(1)).play_on(in_phase(Phase.TEAMS))
    player = Player(open_phone(mobile=False), table, table.state.acting_seats[0])
    totals = [str(total).replace("-", "−") for total in table.state.totals]

    for size in (SMALL, PHONE, SIDEWAYS, LAPTOP):
        player.phone.turn_into(size, "light")
        shown = player.page.locator(".candidate.is-single > label :is(.total, small):visible").all_inner_texts()
        found = [text.split(",")[0] for text in shown]
        assert found == [totals[seat] for seat in range(5) if seat != player.seat], size


def test_the_button_that_names_partners_holds_two_long_names(open_phone: OpenPhone) -> None:
    table = DigitalTable(english(5).corrected(names=LONG)).play_on(in_phase(Phase.TEAMS))
    player = Player(open_phone(), table, table.state.acting_seats[0])
    pair = player.page.locator(".candidate.is-pair").first

    pair.locator("label").tap()

    for size in SIZES:
        player.phone.turn_into(size, "light")
        assert cut(player.page, ".candidate.is-pair .button") == [], size
        assert overlaps(player.page, ".candidate > .button", ".thumb > .tool") == [], size


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_the_result_of_a_round_is_in_sight_without_scrolling(open_phone: OpenPhone, players: int) -> None:
    # With these deals the last trick of five players captures a zero, and its sentence needs two lines.
    table = DigitalTable(english(players), deals=13).play_on(rounds_finished(1))
    player = Player(open_phone(), table, 0)

    for size in (PHONE, LARGE_PHONE, SIDEWAYS, LAPTOP):
        player.phone.turn_into(size, "light")
        assert fits_without_scrolling(player.page), size
        assert overlaps(player.page, ".ended p", ".thumb") == [], size
        assert problems_of(player.page) == [], size


def test_the_result_before_the_last_round_is_in_sight_on_a_phone(open_phone: OpenPhone) -> None:
    player = Player(open_phone(), DigitalTable(english(5, rounds=2), deals=13).play_on(rounds_finished(1)), 0)

    expect(player.page.get_by_text("Ana and Eve are 2 points behind.")).to_be_visible()
    assert fits_without_scrolling(player.page)

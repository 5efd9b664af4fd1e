"""The seats of a digital game on several phones: taken on a second one, shown to the first, taken back; two players on
one phone; the way into the rematch; the replay with all hands.
"""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from django.conf import settings
from playwright.sync_api import expect

from games.keys import registry
from games.live.hub import hub
from games.live.presence import MISSED_AFTER
from games.live.presence import Phone as Heard
from games.models import Game, Key, Role
from games.rules import Phase, PublicState
from tests.browser.conftest import OpenPhone
from tests.browser.digital import refresh
from tests.browser.facts import outside, overlaps, places
from tests.browser.phone import Phone
from tests.browser.prepared import give
from tests.browser.sizes import LAPTOP, PHONE, SIDEWAYS, SMALL, Size
from tests.browser.test_languages import speak
from tests.builders import dutch, english
from tests.cast.digital import DigitalTable, cards_on_table, in_phase, over

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def with_keys(phone: Phone, game: DigitalTable, *seats: int, key: Key | None = None) -> Phone:
    """The phone, with the keys of some seats and another key of the game."""
    give(phone, *([] if key is None else [key]), *(game.keys[seat] for seat in seats))
    return phone


def seat_of(phone: Phone, name: str) -> str:
    """What the page of the seats says of a player, in one line."""
    line = phone.page.locator("li.seat", has=phone.page.get_by_text(name, exact=True)).first
    return " ".join(line.locator("p.who").inner_text().split())


def test_a_digital_table_is_opened_in_five_taps(phone: Phone) -> None:
    phone.open("/")
    phone.tap("New table", exact=False)
    expect(phone.page.locator('[name="plays-0"][value="easy"]')).to_be_hidden()
    phone.touch(phone.page.get_by_label("Cards on the phones"))
    expect(phone.page.locator('[name="plays-0"][value="easy"]')).to_be_visible()
    phone.touch(phone.page.locator(ADDING))
    for place, name in enumerate(["Ana", "Ben", "Cleo"]):
        phone.page.locator(f'[name="name-{place}"]').fill(name)
    phone.tap("Start and invite Ben and Cleo")
    phone.tap("To the table")

    expect(phone.table).to_be_visible()
    game = Game.objects.get()
    assert (game.mode, Key.objects.filter(game=game, role=Role.SEAT).count()) == ("digital", 1)


def test_a_seat_is_taken_on_a_second_phone_the_first_is_shown_and_takes_it_back(open_phone: OpenPhone) -> None:
    game = DigitalTable(dutch(3, rounds=2))
    first, second = with_keys(open_phone(), game, 1), open_phone()
    for phone in (first, second):
        phone.watch.forgive("status of 403")
    first.go_to(game.id, "phones/")
    first.touch(first.page.locator("#more-1 summary"))
    first.tap("Move my seat to another phone (Ben)")
    link = first.page.locator("#invitation a").inner_text()
    first.go_to(game.id, "")
    expect(first.table).to_be_visible()

    second.open(link.removeprefix(first.address))
    assert second.sees("Another phone plays this seat now.")
    second.tap("Sit down", exact=False)
    expect(second.table).to_be_visible()
    assert second.path == f"/g/{game.id}/"

    # It is notified by itself: no one touches the first phone.
    expect(first.page.get_by_text("Another phone plays for Ben now.").first).to_be_visible(timeout=20_000)
    first.tap("Play Ben on this phone again", exact=False)
    expect(first.table).to_be_visible()
    expect(second.page.get_by_text("Another phone plays for Ben now.").first).to_be_visible(timeout=20_000)


def test_the_host_sees_who_sits_down_without_touching_anything(open_phone: OpenPhone) -> None:
    game = DigitalTable(dutch(3, rounds=2))
    registry.supersede(game.game, 1)
    host, ben = with_keys(open_phone(), game, 0, key=game.host), open_phone()
    host.go_to(game.id, "phones/")
    host.touch(host.page.locator("#more-1 summary"))
    host.tap("Invite to this seat (Ben)")
    code = host.page.locator(".big-code").inner_text()
    host.touch(host.page.locator("#more-1 summary"))

    ben.open("/join/")
    ben.page.locator('[name="code"]').fill(code)
    ben.tap("Next")
    ben.tap("Sit down", exact=False)
    expect(ben.table).to_be_visible()

    expect(host.page.locator("li.seat").nth(1)).to_contain_text("another phone · here")
    expect(host.page.locator("#seating .duty")).to_be_hidden()
    expect(host.page.locator("#more-1")).to_have_attribute("open", "")
    assert host.page.locator(".big-code").inner_text() == code
    host.watch.forgive("status of 403")
    registry.revoke(game.host)
    registry.free_seat(game.game, 0)
    expect(host.page.get_by_text("The host took the seat of Ana from this phone.")).to_be_visible(timeout=15_000)


@pytest.mark.parametrize("size", [SIDEWAYS, Size(667, 375)], ids=str)
def test_the_code_of_an_invitation_is_seen_whole_on_a_phone_on_its_side(open_phone: OpenPhone, size: Size) -> None:
    game = DigitalTable(dutch(3))
    host = with_keys(open_phone(size=size), game, 0, key=game.host)
    host.go_to(game.id, "phones/")
    # Its words are the longest.
    speak(host, "fr")

    host.touch(host.page.locator('[name="board"]'))

    host.page.locator(".big-code").wait_for()
    [scanned], [typed] = places(host.page, ".qr"), places(host.page, ".big-code")
    assert scanned[1] < typed[1]
    assert not outside(host.page, ".qr, .big-code")
    assert not overlaps(host.page, ".qr, .big-code", ".thumb")


def test_that_a_link_was_copied_goes_by_itself(open_phone: OpenPhone) -> None:
    game = DigitalTable(dutch(3))
    host = with_keys(open_phone(), game, 0, key=game.host)
    host.page.context.grant_permissions(["clipboard-write"])
    host.page.add_init_script("delete Navigator.prototype.share")
    host.go_to(game.id, "phones/")
    host.tap("Invite a viewer")
    button = host.page.locator("[data-share]")
    offer = button.inner_text()

    for _ in range(2):
        host.touch(button)
        expect(button).to_have_text("Copied")

    expect(button).to_have_text(offer, timeout=10_000)


def test_the_host_sees_beside_the_code_who_is_here_and_goes_on_once_all_are(open_phone: OpenPhone) -> None:
    host, ben = open_phone(), open_phone()
    host.open("/new/")
    host.touch(host.page.get_by_label("Cards on the phones"))
    host.page.locator('[name="name-0"]').fill("Ana")
    host.page.locator('[name="name-1"]').fill("Ben")
    host.tap("Start and invite Ben")
    arrivals, onward = host.page.locator("#arrivals"), host.page.get_by_role("link", name="To the table").last
    expect(arrivals).to_contain_text("1 of 2 here")
    expect(arrivals.locator(".is-missing")).to_have_text("B")
    for size in (SMALL, SIDEWAYS, PHONE):
        host.turn_into(size, "light")
        assert outside(host.page, "#arrivals, .qr, .big-code") == [], size
        assert overlaps(host.page, ".big-code", ".thumb") == [], size
    expect(onward).not_to_have_class(re.compile("is-main"))

    ben.open("/join/")
    ben.page.locator('[name="code"]').fill(host.page.locator(".big-code").inner_text())
    ben.tap("Next")
    ben.tap("Sit down", exact=False)
    expect(ben.table).to_be_visible()

    expect(host.page.locator("#invitation")).to_be_hidden()
    expect(onward).to_have_class(re.compile("is-main"))
    onward.tap()
    expect(host.table).to_be_visible()


def test_a_phone_with_several_keys_is_shown_at_once_that_a_seat_was_claimed_elsewhere(open_phone: OpenPhone) -> None:
    game = DigitalTable(dutch(3, rounds=2))
    host = with_keys(open_phone(), game, 0, key=game.host)
    host.go_to(game.id, "")
    expect(host.page.locator("#hand")).to_be_visible()
    host.page.wait_for_timeout(1_500)

    game.move(0)

    # The poll for the other keys of a phone comes every 6 s.
    expect(host.page.locator("#hand")).to_have_count(0, timeout=2_500)
    expect(host.page.get_by_text("Your seat (Ana) was taken on another phone.")).to_be_visible()


@pytest.mark.parametrize("until", [in_phase(Phase.PLACING), cards_on_table(2)])
def test_the_host_puts_a_bot_where_a_phone_is_away_by_one_tap_at_the_table(
    open_phone: OpenPhone, until: Callable[[PublicState], bool]
) -> None:
    game = DigitalTable(english(4, rounds=2)).play_on(until)
    (due,) = game.state.acting_seats
    game.move(due)
    host, other = (due + 1) % 4, (due + 2) % 4
    phone = with_keys(open_phone(), game, host, key=game.host)
    phone.watch.forgive("status of 403")
    phone.go_to(game.id, "")
    phone.tap("Seen")
    offer = phone.page.locator(".toasts > form.is-gone")

    expect(offer).to_be_visible(timeout=15_000)
    for size in (PHONE, SMALL, SIDEWAYS):
        phone.turn_into(size, "light")
        assert outside(phone.page, ".toasts > form.is-gone *") == [], size
        assert overlaps(phone.page, ".toasts > form.is-gone", "#hand button, form.board .space") == [], size
    friend = with_keys(open_phone(), game, other)
    friend.go_to(game.id, "")
    phone.touch(offer.get_by_role("button"))

    expect(offer).to_have_count(0)
    assert game.ledger.bots[due] == "easy"
    assert phone.path == f"/g/{game.id}/"
    expect(friend.page.locator(".toasts > form.is-gone")).to_have_count(0)


def test_once_the_host_is_missed_on_their_own_turn_any_player_puts_a_bot_by_one_tap(open_phone: OpenPhone) -> None:
    game = DigitalTable(english(4, rounds=2))
    (due,) = game.state.acting_seats
    friend = with_keys(open_phone(), game, (due + 1) % 4)
    heard = hub.clock() - MISSED_AFTER + 6
    for key in (game.host, game.keys[due]):
        hub.presence.note_request(game.id, Heard(key.pk, key.label, key.may_record, heard))
    friend.go_to(game.id, "")
    offer = friend.page.locator(".toasts > form.is-gone")
    expect(friend.page.locator(".say")).to_contain_text("is away", use_inner_text=True, timeout=5_000)
    expect(offer).to_be_hidden()

    expect(offer).to_be_visible(timeout=15_000)
    assert hub.clock() >= heard + MISSED_AFTER
    friend.touch(offer.get_by_role("button"))

    expect(offer).to_have_count(0)
    assert game.ledger.bots[due] == "easy"


def test_who_has_not_come_yet_is_listed_with_those_who_are_here(open_phone: OpenPhone) -> None:
    game = DigitalTable(dutch(3))
    registry.free_seat(game.game, 2)
    host = with_keys(open_phone(), game, 0, key=game.host)
    host.go_to(game.id, "")
    host.touch(host.page.locator("#here-button"))

    expect(host.page.locator("#phones")).to_contain_text("Cleo")
    expect(host.page.locator("#phones li.is-away")).to_have_count(1)


@pytest.mark.parametrize("view", ["board", "tricks", "cover"])
def test_the_changes_of_seats_lie_over_the_table_until_they_are_seen(open_phone: OpenPhone, view: str) -> None:
    game = DigitalTable(english(4, rounds=2))
    if view == "tricks":
        game.play_on(cards_on_table(2))
    seats = (0, 3) if view == "cover" else (0,)
    phone = with_keys(open_phone(mobile=False), game, *seats)
    phone.go_to(game.id, "")
    if view == "cover":
        expect(phone.page.locator(".cover")).to_be_visible()
    placed = places(phone.page, TAPPED)
    panel = phone.page.locator("#unseen")

    game.move(1)
    refresh(phone)
    expect(panel.locator("p")).to_have_count(1)
    button = places(phone.page, "#unseen button")
    game.free(2)
    refresh(phone)
    expect(panel.locator("p")).to_have_count(2)

    assert places(phone.page, TAPPED) == placed
    assert places(phone.page, "#unseen button") == button
    for size in (PHONE, SMALL, LAPTOP) if view != "cover" else ():
        phone.turn_into(size, "light")
        assert overlaps(phone.page, "#unseen", ".bar > *, #hand, form.board .space") == [], size
    phone.tap("Seen")
    expect(panel).to_have_count(0)


LONG_NAMES = ["Annabella-Mia", "Bartholomäus", "Clementine M.", "Desdemona Wi."]


def test_a_bot_is_offered_in_two_lines_over_the_banner_in_every_language(open_phone: OpenPhone) -> None:
    game = DigitalTable(english(4, rounds=2).corrected(names=LONG_NAMES))
    (due,) = game.state.acting_seats
    game.free(due)
    phone = with_keys(open_phone(mobile=False), game, (due + 1) % 4, key=game.host)
    phone.go_to(game.id, "")
    offer = phone.page.locator(".toasts > form.is-gone")

    for language, _name in settings.LANGUAGES:
        speak(phone, language)
        phone.turn_into(PHONE, "light")
        expect(offer).to_be_visible(timeout=15_000)
        assert offer.locator("p").evaluate(LINES) <= 2, language
        assert offer.get_by_role("button").evaluate(LINES) == 1, language
        assert overlaps(phone.page, ".toasts > form.is-gone", "#hand button, form.board .space") == [], language


def test_beside_the_board_of_a_turned_phone_a_change_of_seats_is_whole_in_every_language(open_phone: OpenPhone) -> None:
    game = DigitalTable(english(4, rounds=2).corrected(names=LONG_NAMES))
    (due,) = game.state.acting_seats
    game.move((due + 1) % 4)
    phone = with_keys(open_phone(mobile=False), game, (due + 2) % 4)
    phone.go_to(game.id, "")
    phone.turn_into(SIDEWAYS, "light")

    for language, _name in settings.LANGUAGES:
        speak(phone, language)
        said, button = phone.page.locator("#unseen > div"), phone.page.locator("#unseen button")
        assert said.evaluate("({ scrollHeight, clientHeight }) => scrollHeight <= clientHeight + 1"), language
        assert button.evaluate(LINES) == 1, language
        assert outside(phone.page, "#unseen, #unseen button") == [], language


LINES = """
(element) => {
  const lines = new Set();
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    if (walker.currentNode.parentElement.closest(".sr")) continue;
    const range = document.createRange();
    range.selectNodeContents(walker.currentNode);
    for (const { width, top } of range.getClientRects()) if (width > 2) lines.add(Math.round(top / 8));
  }
  return lines.size;
}
"""
"""The lines of a text."""

TAPPED = "#hand button, .board button, .cover a, footer button"
"""Everything that can be tapped."""


ADDING = ".names li:has([value=none]:checked) .add:visible"
"""The line that adds a seat."""


def test_from_home_to_the_first_marker_against_bots_are_three_taps(phone: Phone) -> None:
    phone.open("/")

    phone.tap("Play against bots", exact=False)
    expect(phone.page.locator(".company li:visible")).to_have_count(3)
    phone.tap("Start")
    expect(phone.table).to_have_attribute("class", re.compile("is-board"))
    phone.touch(phone.page.locator(".space:not(.is-covered, .is-left)").first)

    expect(phone.page.locator(".space.is-covered")).not_to_have_count(0)


def test_seats_come_and_go_without_a_page_and_the_button_says_what_it_does(phone: Phone) -> None:
    phone.open("/new/")
    phone.touch(phone.page.get_by_label("Cards on the phones"))
    rows, main = phone.page.locator(".names .field:visible"), phone.page.locator("#new-table .button.is-main")
    expect(rows).to_have_count(2)
    expect(main).to_have_text("Start and invite Player 2")
    assert "Player\u00a02" in (main.text_content() or ""), "a line ends between names"

    rows.nth(1).fill("Ben")
    expect(main).to_have_text("Start and invite Ben")
    for _ in range(3):
        phone.touch(phone.page.locator(ADDING))
    expect(rows).to_have_count(5)
    phone.touch(phone.page.get_by_role("button", name="Take the seat of player 2 away"))
    expect(rows).to_have_count(4)
    phone.touch(phone.page.get_by_role("button", name="Take the seat of player 3 away"))
    expect(main).to_have_text("Start and invite Player 4 and Player 5")
    phone.touch(phone.page.get_by_role("button", name="Take the seat of player 4 away"))
    expect(main).to_have_text("Start and invite Player 5")
    assert phone.page.url.endswith("/new/")


def test_enter_adds_a_seat_behind_the_last_name_and_never_starts_with_too_few(phone: Phone) -> None:
    phone.open("/new/")
    phone.touch(phone.page.get_by_label("Cards on the phones"))
    phone.page.locator('[name="name-0"]').focus()
    for place, name in enumerate(["Ana", "Ben", "Cleo", "Dora", "Emil"]):
        # The first Enter closes the keyboard of a phone at the line that adds a seat, a second one adds it.
        if place > 1:
            expect(phone.page.locator(ADDING).locator("input")).to_be_focused()
            phone.page.keyboard.press("Enter")
        expect(phone.page.locator(f'[name="name-{place}"]')).to_be_focused()
        phone.page.keyboard.insert_text(name)
        phone.page.keyboard.press("Enter")
    # Behind the fifth no seat can be added: as with cards on the table, the game starts.
    phone.page.wait_for_url("**/phones/*")
    assert Game.objects.get().setup["seats"][4]["name"] == "Emil"


def test_who_plays_a_seat_is_chosen_in_one_line_and_a_bot_says_how_it_plays(phone: Phone) -> None:
    phone.open("/new/")
    phone.touch(phone.page.get_by_label("Cards on the phones"))
    row, name = phone.page.locator(".names li").nth(1), phone.page.locator('[name="name-1"]')
    labels, chips = row.locator(".plays label:visible"), phone.page.locator(".chips > .chip")
    before = places(phone.page, ".names li")
    assert labels.count() == 5
    for size in (SMALL, PHONE):
        phone.turn_into(size, "light")
        assert len({label.evaluate("label => label.offsetTop") for label in labels.all()}) == 1, size
        assert chips.evaluate_all("chips => chips.every(chip => chip.getBoundingClientRect().right < innerWidth)"), size

    phone.touch(row.locator('[value="medium"]'))
    expect(name).to_have_attribute("placeholder", re.compile("^Zip "))
    assert places(phone.page, ".names li") == before
    phone.touch(row.locator('[value="person"]'))
    expect(name).not_to_have_attribute("placeholder", re.compile("^Zip "))
    phone.touch(row.locator('[value="medium"]'))
    phone.tap("Start")
    expect(phone.table).to_be_visible()

    phone.go("phones/")
    assert "medium" in seat_of(phone, "Zip")


def test_the_others_follow_into_the_rematch_with_one_tap(open_phone: OpenPhone) -> None:
    game = DigitalTable(dutch(3, rounds=1)).play_on(over)
    host, ben = with_keys(open_phone(), game, 0, key=game.host), with_keys(open_phone(), game, 1)
    ben.go_to(game.id, "")
    assert ben.sees("When the host opens a rematch you can follow with one tap.")
    host.go_to(game.id, "")
    host.tap("Rematch", exact=False)
    expect(host.table).to_have_attribute("class", re.compile("is-board"))

    # No one has touched Ben's phone.
    ben.tap("Go there", exact=False)

    expect(ben.table).to_have_attribute("class", re.compile("is-board"))
    assert ben.path == host.path != f"/g/{game.id}/"


def test_a_player_without_a_name_is_here_by_the_number_in_the_language_of_the_reader(open_phone: OpenPhone) -> None:
    game = DigitalTable(dutch(3).corrected(names=["Player 1", "Ben", "Cleo"]))
    with_keys(open_phone(), game, 0).go_to(game.id, "")
    friend = with_keys(open_phone(), game, 1)
    friend.page.context.add_cookies([{"name": settings.LANGUAGE_COOKIE_NAME, "value": "fr", "url": friend.address}])
    friend.go_to(game.id, "")

    friend.touch(friend.page.locator("#here-button"))

    expect(friend.page.locator("#phones")).to_contain_text("Joueur 1")

"""What slides when a phase ends: open spaces to the row of conditions, passed cards to their hands; gaps close."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from games.rules import Action, Phase, Place, RowKey
from games.rules.redaction import PlayerView
from tests.browser.conftest import OpenPhone
from tests.browser.digital import Player
from tests.browser.test_digital_motion import moves_of, moving
from tests.builders import english, italian
from tests.cast.digital import DigitalTable, in_phase

pytestmark = pytest.mark.browser

CONDITIONS = ["start", "discard", "trump", "supertrump", "points"]
DELAYS = """
() => document.getAnimations().filter(({ effect }) => effect.target.matches(".strip li"))
  .map(({ effect }) => effect.getTiming().delay)
"""


PLACES = """
() => Object.fromEntries([...document.querySelectorAll("#hand .in-hand")].map((each) =>
  [each.id, each.getBoundingClientRect().x]))
"""
# How far to the right of its place each passed card begins.
BEGINS = r"""
() => document.getAnimations().filter(({ effect }) => effect.target.closest(".is-new"))
  .map(({ effect }) => /^translate\((-?\d+)px/.exec(effect.getKeyframes()[0].transform))
  .filter(Boolean).map((found) => Number(found[1]))
"""
SLIDING = """
() => document.getAnimations().filter((each) => each.transitionProperty === "transform")
  .map(({ effect }) => effect.target.id)
"""


def flown(player: Player) -> list[object]:
    """The conditions that moved."""
    return [str(move["what"]).removeprefix("on-") for move in moves_of(player) if str(move["what"]).startswith("on-")]


def test_they_fly_from_the_board_beside_which_teams_were_named(open_phone: OpenPhone) -> None:
    table = DigitalTable(italian(rounds=2)).play_on(in_phase(Phase.TEAMS))
    player = moving(open_phone, table, (table.state.acting_seats[0] + 1) % 4)
    table.step()

    player.hears()

    expect(player.page.locator(".strip")).to_be_visible()
    assert flown(player) == CONDITIONS
    assert set(player.page.evaluate(DELAYS)) <= {0}


def test_the_others_see_for_a_while_who_plays_with_whom(open_phone: OpenPhone) -> None:
    table = DigitalTable(italian(rounds=2)).play_on(in_phase(Phase.TEAMS))
    start = table.state.acting_seats[0]
    player = moving(open_phone, table, (start + 2) % 4)
    table.step()
    names, teams = table.state.setup.names, table.state.current.teams
    partner = next(seat for seat in teams.own if seat != start)

    player.hears()
    said = player.page.locator(".toasts > .is-brief")
    expect(said).to_have_text(f"{names[start]} plays with {names[partner]}")
    player.page.wait_for_timeout(2000)
    expect(said).to_be_visible()
    expect(said).to_be_hidden()

    table.step()
    player.page.reload()
    player.hears()
    expect(said).to_have_count(0)


def test_what_was_passed_is_read_while_others_play(open_phone: OpenPhone) -> None:
    table = DigitalTable(english(4)).play_on(in_phase(Phase.TRICKS), passes)
    player = moving(open_phone, table, (table.state.acting_seats[0] + 2) % 4)
    passed = player.page.locator(".toasts > .exchanged")
    expect(passed).to_contain_text("You passed")

    table.step()
    player.hears()

    expect(passed).to_be_visible()


def test_who_leads_sees_the_banner_while_what_was_passed_is_read(open_phone: OpenPhone) -> None:
    table = DigitalTable(english(4)).play_on(in_phase(Phase.TRICKS), passes)
    player = moving(open_phone, table, table.state.acting_seats[0])
    passed, banner = (player.page.locator(which) for which in (".toasts > .exchanged", ".dash > .say"))
    expect(passed).to_be_visible()
    above, below = passed.bounding_box(), banner.bounding_box()

    assert above["y"] + above["height"] <= below["y"]


def test_they_rest_first_where_no_teams_are_named(open_phone: OpenPhone) -> None:
    """With two players the last marker ends the board."""
    table = DigitalTable(english(2, rounds=2)).play_on(
        lambda state: (
            state.phase is Phase.PLACING and sum(len(row.open_spaces) for row in state.current.board.rows) == 6
        )
    )
    player = moving(open_phone, table, 1 - table.state.acting_seats[0])
    table.step()

    player.hears()

    expect(player.page.locator(".strip")).to_be_visible()
    assert set(player.page.evaluate(DELAYS)) == {900}
    assert flown(player) == CONDITIONS


# --- the hand ---


def passes(view: PlayerView) -> Action:
    """Markers that leave the passing of two cards."""
    left = Place(RowKey.DISCARD, "pass_2_right")
    others = [each for each in view.legal if each != left] or list(view.legal)
    return next((each for each in others if isinstance(each, Place) and each.row is RowKey.DISCARD), others[0])


def test_passed_cards_slide_in_from_the_neighbour_who_gave_them(open_phone: OpenPhone) -> None:
    table = DigitalTable(english(4, rounds=4)).play_on(
        lambda state: state.phase is Phase.PASSING and len(state.acting_seats) == 1, passes
    )
    seat = (table.state.acting_seats[0] + 2) % 4
    player = moving(open_phone, table, seat)
    giver = player.page.locator(".at-w .plate").bounding_box()

    table.step()
    player.hears()

    new = player.page.locator(".in-hand.is-new")
    expect(new).to_have_count(2)
    moved = [move["id"] for move in moves_of(player) if str(move["id"]).startswith(("hand-", "held-"))]
    assert sorted(moved) == sorted(new.evaluate_all("all => all.map(({ id }) => id)"))
    # They come from the left neighbour.
    begins = player.page.evaluate(BEGINS)
    places = [box["x"] for box in (each.bounding_box() for each in new.all())]
    assert len(begins) == 2
    assert all(start + place < giver["x"] + giver["width"] for start, place in zip(begins, places, strict=True))


def test_a_gap_closes_inside_its_suit_only(open_phone: OpenPhone) -> None:
    table = DigitalTable(italian(rounds=2)).play_on(in_phase(Phase.TRICKS))
    seat = table.state.acting_seats[0]
    player = moving(open_phone, table, seat)
    values = player.page.locator("#hand .in-hand").evaluate_all("all => all.map(({ value }) => value)")
    suits = [value.split("-")[0] for value in values]
    # A card with others behind it.  Of equal cards the one that is left would get its name.
    place, code, suit = next(
        (place, code, suit)
        for place, (code, suit) in enumerate(zip(values, suits, strict=True))
        if values.count(code) == 1 and suit in suits[place + 1 :]
    )
    card = player.page.locator(f'#hand [value="{code}"]')
    player.page.wait_for_timeout(400)
    before = {key: x for key, x in player.page.evaluate(PLACES).items() if key != card.get_attribute("id")}

    card.tap()
    expect(player.page.locator("#hand .is-playable")).to_have_count(0)
    slid = set(player.page.evaluate(SLIDING))
    player.page.wait_for_timeout(400)

    after = {re.sub("^held", "hand", key): x for key, x in player.page.evaluate(PLACES).items()}
    moved = {key for key, x in after.items() if abs(before[key] - x) > 1}
    assert moved <= slid
    assert {key.split("-")[1] for key in moved} == {suit}
    assert len(moved) == suits[place + 1 :].count(suit)

"""The open spaces of a settled board fly to the row of conditions."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from games.rules import Phase
from tests.browser.conftest import OpenPhone
from tests.browser.digital import Player
from tests.browser.test_digital_motion import moves_of, moving
from tests.builders import english, italian
from tests.services.phones import Phones, in_phase

pytestmark = pytest.mark.browser

CONDITIONS = ["start", "discard", "trump", "supertrump", "points"]
DELAYS = """
() => document.getAnimations().filter(({ effect }) => effect.target.matches(".strip li"))
  .map(({ effect }) => effect.getTiming().delay)
"""


def flown(player: Player) -> list[object]:
    """The conditions that moved."""
    return [str(move["what"]).removeprefix("on-") for move in moves_of(player) if str(move["what"]).startswith("on-")]


def test_they_fly_from_the_board_beside_which_teams_were_named(open_phone: OpenPhone) -> None:
    table = Phones(italian(rounds=2)).play_on(in_phase(Phase.TEAMS))
    player = moving(open_phone, table, (table.state.acting_seats[0] + 1) % 4)
    table.step()

    player.hears()

    expect(player.page.locator(".strip")).to_be_visible()
    assert flown(player) == CONDITIONS
    assert set(player.page.evaluate(DELAYS)) <= {0}


def test_they_rest_first_where_no_teams_are_named(open_phone: OpenPhone) -> None:
    """With two players the last marker ends the board."""
    table = Phones(english(2, rounds=2)).play_on(
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

"""The replay: what each kind of step shows, and that the steps together tell the whole game."""

from __future__ import annotations

import pytest
from hypothesis import given

from games.pages.parts.board import board_rows
from games.pages.parts.standings import standings
from games.pages.replay.page import ReplayPage, last_step, replay_page
from games.rules import Action, Place, Setup, VoidRound
from tests.builders import dutch, english, placing, wikipedia
from tests.cast.tables import ROUND_1, ROUND_2, Table
from tests.laws import examples
from tests.strategies import Game, games

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

SETTLED = "open 0 discard_2 black blue 2"
TEAMS = "team 1 2 monster 4"


def pages_of(setup: Setup, *lines: str | Action) -> list[ReplayPage]:
    """Every step of a table with these entries."""
    ledger = Table(setup, *lines).ledger
    return [replay_page(ledger, number) for number in range(last_step(ledger) + 1)]


def parts(page: ReplayPage) -> list[str]:
    """Which parts a step shows."""
    shown = {
        **{name: getattr(page.round, name) for name in ("rows", "turn", "conditions", "teams", "duty", "count")},
        "result": page.result.round,
        **{name: getattr(page.result, name) for name in ("standings", "victory")},
    }
    return [name for name, part in shown.items() if part]


def covered(page: ReplayPage) -> list[str]:
    """What stands covered on the board by somebody, row by row."""
    return [f"{row.key} {space.space}" for row in page.round.rows for space in row.spaces if space.by is not None]


# --- the board ---


def test_each_marker_is_shown_when_it_was_put_and_stays() -> None:
    start, first, second = pages_of(english(5), "trump red", "points 4")

    assert (covered(start), start.latest, start.who) == ([], None, None)
    assert (covered(first), first.latest.space, first.who.name) == (["trump red"], "red", "Ana")
    assert (covered(second), second.latest.space, second.who.name) == (["trump red", "points 4"], "4", "Ben")
    assert [left for _, left in second.round.turn.order] == [3, 3, 4, 4, 4]


def test_the_last_marker_is_shown_on_the_settled_board() -> None:
    setup = english(5)

    page = pages_of(setup, *placing(setup, "0 njet black blue 2"))[-1]

    assert parts(page) == ["rows"]
    assert page.latest.is_covered
    assert [row.settled for row in page.round.rows][2:] == ["Black is trump", "Blue 0s are super trumps", "2 a trick"]
    assert page.following == "Ana names the teams."


def test_with_two_players_the_settled_board_is_shown_too() -> None:
    page = pages_of(english(2), "open 0 njet black blue 2")[-1]

    assert parts(page) == ["rows"]
    assert page.following == "Ana leads the first trick."


def test_a_board_that_was_only_noted_has_no_latest_marker() -> None:
    page = pages_of(wikipedia(4, start_row=False), "open njet black blue 2")[-1]

    assert (page.latest, page.who) == (None, None)
    assert [row.key for row in page.round.rows] == ["discard", "trump", "supertrump", "points"]
    assert all(row.settled for row in page.round.rows)


# --- teams and tricks ---


def test_the_teams_stand_under_the_conditions_with_what_is_discarded() -> None:
    page = pages_of(english(5), SETTLED, TEAMS)[-1]

    assert parts(page) == ["conditions", "teams", "duty", "count"]
    assert page.who.name == "Ana"
    assert page.following == "Ana leads the first trick."


def test_who_was_named_as_start_player_named_the_teams() -> None:
    page = pages_of(wikipedia(4, start_row=False), "open njet black blue 2", "team 3 start 2")[-1]

    assert (page.who.name, page.following) == ("Cleo", "Cleo leads the first trick.")


def test_tricks_are_counted_up_to_the_step() -> None:
    pages = pages_of(english(5), SETTLED, TEAMS, "trick 0+1", "trick 3", "trick 1")

    assert [(page.round.count.recorded, page.round.count.captured) for page in pages[3:]] == [(1, 1), (2, 1), (3, 1)]
    assert [page.who.name for page in pages[3:]] == ["Ana", "Dan", "Ben"]
    assert pages[4].following == "Dan leads trick 3."


# --- results ---


@pytest.mark.parametrize("counting", [["tally 5+1 4+1 3+1"], [*["trick 0+1"] * 2, *["trick 1"] * 10]])
def test_a_round_ends_with_its_result_and_the_sheet_so_far(counting: list[str]) -> None:
    page = pages_of(dutch(3, rounds=2), "open 0 njet blue black 2", "team alone monster 0", *counting)[-1]

    assert parts(page) == ["result", "standings"]
    assert (page.round.number, page.result.round.number) == (1, 1)
    assert all(line.gained for line in page.result.standings)
    assert page.following == "Round 2: Cleo covers a space, 5 left."


def test_the_sheet_so_far_is_the_one_of_the_step() -> None:
    pages = pages_of(dutch(3, rounds=2), *ROUND_1, *ROUND_2)

    totals = [[(line.total, line.gained) for line in page.result.standings] for page in pages]
    assert totals[:3] == [[], [], []]
    assert totals[3] == [("24", "+24"), ("18", "+18"), ("18", "+18")]
    assert totals[4] == totals[5] == [("24", ""), ("18", ""), ("18", "")]
    assert totals[6] == [("54", "+30"), ("48", "+30"), ("48", "+30")]


def test_the_last_round_ends_the_game() -> None:
    page = pages_of(dutch(3, rounds=2), *ROUND_1, *ROUND_2)[-1]

    assert parts(page) == ["result", "standings", "victory"]
    assert (page.result.victory, page.following, page.round.dealer) == ("Ana wins, 54", "", None)
    assert [winner.name for winner in page.result.winners] == ["Ana"]


def test_an_early_end_has_a_winner_and_no_result_of_its_own() -> None:
    page = pages_of(dutch(3, rounds=4), *ROUND_1, "trump red", "finish")[-1]

    assert parts(page) == ["standings", "victory"]
    assert page.happened == "Game finished early"


# --- what happens at any time ---


def test_a_voided_round_is_shown_as_it_was() -> None:
    pages = pages_of(dutch(3), "trump red", "points 4", "void misdeal", "trump blue")

    assert [covered(page) for page in pages[2:]] == [["trump red", "points 4"]] * 2 + [["trump blue"]]
    assert pages[3].happened == "Dealt again: misdeal"
    assert pages[3].following == "Ben covers a space, 5 left."
    assert {page.round.number for page in pages} == {1}


def test_a_round_that_was_voided_among_its_tricks_shows_them() -> None:
    page = pages_of(english(5), SETTLED, TEAMS, "trick 0+1", "void misdeal")[-1]

    assert parts(page) == ["conditions", "teams", "count"]
    assert page.round.count.recorded == 1
    assert page.following == "Ana covers a space, 4 left."


def test_a_penalty_is_shown_on_what_lay_there() -> None:
    page = pages_of(dutch(3), "trump red", "penalty 1 -5 late")[-1]

    assert (page.happened, page.who.name) == ("Ben −5: late", "Ben")
    assert parts(page) == ["rows", "turn", "standings"]
    assert [line.total for line in page.result.standings] == ["0", "0", "−5"]


def test_corrected_names_are_shown_at_every_step() -> None:
    table = Table(dutch(3), "trump red")
    table.correct(names=["Ana", "Eve", "Cleo"])

    assert replay_page(table.ledger, 1).happened == "Eve covered red trump"


# --- ways through it ---


def test_each_round_begins_with_its_first_step() -> None:
    page = pages_of(dutch(3, rounds=3), *ROUND_1, *ROUND_2, "trump red")[5]

    assert [(link.number, link.step, link.is_shown) for link in page.round_links] == [
        *((1, 1, False), (2, 4, True), (3, 7, False))
    ]
    assert [(link.number, link.is_shown) for link in page.step_links] == [(4, False), (5, True), (6, False)]


def test_back_and_next_end_at_the_ends() -> None:
    pages = pages_of(dutch(3), *ROUND_1)

    assert [page.step_before for page in pages] == [None, 0, 1, 2]
    assert [page.step_after for page in pages] == [1, 2, 3, None]


@given(game=games())
@examples(12)
def test_the_steps_of_any_game_tell_all_of_it(game: Game) -> None:
    pages = pages_of(game.setup, *game.actions)

    assert [page.step for page in pages] == list(range(len(game.actions) + 1))
    assert all(page.happened for page in pages)
    assert all(parts(page) for page in pages)
    assert all(bool(page.following) is not bool(page.result.victory) for page in pages)
    assert [page.result.round.number for page in pages if page.result.round] == [
        done.number for done in game.state.finished
    ]
    assert {link.number for page in pages for link in page.step_links} == {page.step for page in pages}
    for page, state, action in zip(pages[1:], game.states[1:], game.actions, strict=True):
        assert (page.latest is not None) is isinstance(action, Place)
        assert page.latest is None or page.latest.by == page.who
        if page.round.rows and not isinstance(action, VoidRound):
            assert page.round.rows == board_rows(state, state.current)
        assert [line.total for line in page.result.standings] in ([], [line.total for line in standings(state)])

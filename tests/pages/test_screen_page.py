"""The big board: what is written largest in each phase, the latest rounds beside it, the race in larger letters."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given

from games.log.ledger import Ledger
from games.pages.digital.seats import side_views
from games.pages.parts.race import race_chart
from games.pages.parts.shape import Shape
from games.pages.screen.page import AT_THE_END, BESIDE_THE_BOARD, ScreenPage, screen_page
from games.rules import Action, Phase, Setup
from games.rules.scoring import Won, signed
from games.texts.words import change
from tests.builders import dutch, english, placing, wikipedia
from tests.cast.digital import DigitalTable, cards_on_table, in_phase, leaving, over, rounds_finished
from tests.cast.tables import ROUND_1, ROUND_2, Table
from tests.laws import examples
from tests.strategies import Game, games

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

SETTLED = "open 0 discard_2 black blue 2"
TEAMS = "team 1 2 monster 4"


def page_of(setup: Setup, *lines: str | Action) -> ScreenPage:
    """The big board of a table after these entries."""
    ledger: Ledger = Table(setup, *lines).ledger
    return screen_page(ledger)


def largest(page: ScreenPage) -> str:
    """What is written largest, in one line."""
    said = page.headline.sentence.format(name=page.headline.name)
    return f"{said} {page.headline.detail}".strip()


# --- what is written largest ---


def test_while_markers_are_placed_the_current_and_next_player_are_shown() -> None:
    page = page_of(english(5), "trump red")

    assert page.view == "placing"
    assert largest(page) == "Ben covers 4 left, then Cleo"
    assert [player.name for player in page.headline.players] == ["Ben"]
    assert [row.name for row in page.round.rows] == [
        "Start player",
        "Discard",
        "Trump",
        "Super trump",
        "Points a trick",
    ]


def test_before_the_last_marker_no_next_player_is_shown() -> None:
    setup = english(5)

    page = page_of(setup, *placing(setup, "3 njet black blue -2")[:-1])

    assert largest(page) == "Eve covers 1 left"


def test_an_untouched_board_is_shown_at_once() -> None:
    page = page_of(dutch(3), *ROUND_1)

    assert page.view == "placing"
    assert (page.round.number, page.round.dealer.name) == (2, "Ben")
    assert len(page.round.rows) == 5


def test_once_the_board_is_settled_it_is_who_names_the_teams() -> None:
    page = page_of(english(5), SETTLED)

    assert (page.view, largest(page)) == ("placing", "Ana names the teams")
    assert [row.settled for row in page.round.rows][1:3] == ["Everybody discards 2 cards", "Black is trump"]
    assert (page.round.turn, page.round.duty, page.sides) == (None, "", [])


def test_the_discard_rule_is_shown_before_the_teams() -> None:
    page = page_of(wikipedia(5), SETTLED)

    assert page.round.duty == "Everybody now puts 2 cards away, face down."


def test_before_the_first_trick_it_is_who_leads_and_what_everybody_discards() -> None:
    page = page_of(english(5), SETTLED, TEAMS)

    assert (page.view, largest(page)) == ("count", "Ana leads first")
    assert page.round.duty.startswith("Everybody now puts 2 cards away")


def test_while_tricks_are_counted_it_is_who_leads_the_next() -> None:
    page = page_of(english(5), SETTLED, TEAMS, "trick 0+1", "trick 3")

    assert largest(page) == "Dan leads trick 3"
    assert page.round.duty == ""
    assert [[(line.player.name, line.won, line.has_monster) for line in side.lines] for side in page.sides] == [
        [("Ana", "1 trick · 1 captured", False), ("Ben", "0 tricks", False), ("Cleo", "0 tricks", False)],
        [("Dan", "1 trick", False), ("Eve", "0 tricks", True)],
    ]


def test_in_a_digital_game_the_cards_of_the_trick_lie_in_the_order_of_play() -> None:
    table = DigitalTable(english(4)).play_on(cards_on_table(2))

    for _ in range(5):
        current = table.state.current
        cards = current.table or current.tricks[-1].cards
        leader = current.leader if current.table else current.tricks[-1].leader
        places = screen_page(table.seen(None)).trick.places
        assert [each.player.seat for each in places] == [(leader + place) % 4 for place in range(4)]
        played = [each for each in places if each.card]
        assert [each.card.code for each in played] == [str(card) for card in cards]
        assert [each.wins for each in played].count(True) == 1
        table.step()


def test_at_a_physical_table_no_cards_are_known() -> None:
    page = page_of(english(5), SETTLED, TEAMS, "trick 0+1")

    assert page.trick is None


def test_before_the_first_card_the_order_of_play_is_shown_above_what_stays_for_the_round() -> None:
    table = DigitalTable(english(4)).play_on(in_phase(Phase.TRICKS))

    page = screen_page(table.seen(None))

    assert [each.card for each in page.trick.places] == [None] * 4
    assert page.trick.places[0].player == page.headline.players[0]
    assert [side.points for side in page.sides] == ["0", "0"]
    assert {line.figures for side in page.sides for line in side.lines} == {Won(0, 0)}


def test_after_a_trick_it_is_who_won_it_and_what_the_teams_have_made() -> None:
    table = DigitalTable(english(4)).play_on(in_phase(Phase.TRICKS))
    for _ in range(8):
        table.step()

    page = screen_page(table.seen(None))

    current = table.state.current
    won = current.won(4)
    assert page.headline.detail == page.trick.sentence != ""
    assert page.trick.winner == page.headline.players[0]
    assert [side.points for side in page.sides] == [each.points for each in side_views(current, None, ["A"] * 4)]
    assert {line.player.seat: line.figures for side in page.sides for line in side.lines} == dict(enumerate(won))


def test_what_a_digital_round_brought_is_shown_until_the_first_marker_of_the_next() -> None:
    table = DigitalTable(english(4, rounds=3)).play_on(rounds_finished(1))
    done = table.state.finished[0]

    page = screen_page(table.seen(None))

    assert (page.view, page.round.number) == ("result", 1)
    assert sorted(player.seat for player in page.headline.players) == sorted(table.state.leaders)
    assert page.headline.detail == "Round 2: Ben covers"
    assert page.trick.winner.seat == done.tricks[-1].winner
    for side in page.sides:
        seats = [line.player.seat for line in side.lines]
        assert {change(done.score.points[seat]) for seat in seats} == {side.points}
        assert side.is_better == (done.score.raw[seats[0]] == max(done.score.raw))
        assert side.formula.endswith(signed(done.score.raw[seats[0]]))
        assert all(line.figures for line in side.lines)

    table.step()

    assert screen_page(table.seen(None)).view == "placing"


def test_the_end_of_a_digital_game_shows_what_the_last_round_brought() -> None:
    table = DigitalTable(english(4, rounds=2)).play_on(over)
    done = table.state.finished[-1]

    page = screen_page(table.seen(None))

    assert (page.view, page.is_over, page.round.number) == ("finished", True, 2)
    assert sorted(player.seat for player in page.headline.players) == sorted(table.state.winners)
    assert len(page.scores.columns) == 2
    assert all(side.formula for side in page.sides)
    assert {line.player.seat: side.points for side in page.sides for line in side.lines} == {
        seat: change(points) for seat, points in enumerate(done.score.points)
    }


def test_before_the_tricks_of_a_digital_round_there_is_nothing_to_count() -> None:
    table = DigitalTable(english(4)).play_on(in_phase(Phase.PASSING), leaving("discard:pass_2_right"))

    page = screen_page(table.seen(None))

    assert [side.points for side in page.sides] == ["", ""]
    assert {line.figures for side in page.sides for line in side.lines} == {None}


@pytest.mark.parametrize(("space", "said"), [("discard_2", "discard"), ("pass_2_right", "pass cards")])
def test_who_still_has_to_choose_is_named_once_somebody_has_chosen(space: str, said: str) -> None:
    until = in_phase(Phase.DISCARDING, Phase.PASSING)
    table = DigitalTable(english(4)).play_on(until, leaving(f"discard:{space}"))
    before = screen_page(table.seen(None)).headline
    table.step()
    after = screen_page(table.seen(None)).headline

    assert (before.name, before.players) == (f"Everybody still has to {said}", [])
    assert (len(after.players), after.sentence) == (3, f"{{name}} still have to {said}")


def test_a_free_start_player_leads_once_the_teams_are_named() -> None:
    page = page_of(wikipedia(4, start_row=False), "open njet black blue 2", "team 3 start 2")

    assert largest(page) == "Cleo leads first"


def test_at_the_end_it_is_the_winner() -> None:
    page = page_of(dutch(3, rounds=2), *ROUND_1, *ROUND_2)

    assert (page.view, largest(page)) == ("finished", "Ana wins, 54")
    assert (page.round.rows, page.round.conditions, page.round.dealer) == ([], [], None)


def test_who_shares_the_victory_is_named_with_the_others() -> None:
    page = page_of(english(5, rounds=1), "open 0 njet black blue 2", TEAMS, "tally 3+1 2+1 2+1 3 2+1")

    assert largest(page) == "Ana, Ben and Cleo share the victory, 20"
    assert [player.name for player in page.headline.players] == ["Ana", "Ben", "Cleo"]


def test_an_early_end_says_so() -> None:
    page = page_of(dutch(3, rounds=4), *ROUND_1, "finish")

    assert page.headline.detail == "Finished early, after 1 of 4 rounds."


@pytest.mark.parametrize(
    ("name", "size"),
    [("Ana", "short"), ("A" * 12, "short"), ("A" * 13, "medium"), ("A" * 20, "medium"), ("A" * 40, "long")],
)
def test_a_long_name_is_set_smaller(name: str, size: str) -> None:
    page = page_of(dutch(3).corrected(names=["Ben", name, "Cleo"]))

    assert (page.headline.name, page.headline.size) == (name, size)


# --- the score table ---


def columns(page: ScreenPage) -> list[str]:
    """The heads of the columns."""
    return [column.sign for column in page.scores.columns]


def test_before_anything_is_on_the_sheet_no_one_has_a_rank() -> None:
    page = page_of(dutch(3))

    assert columns(page) == []
    assert [(line.player.name, line.rank, line.total, line.is_leader) for line in page.scores.lines] == [
        *(("Ana", "", "0", False), ("Ben", "", "0", False), ("Cleo", "", "0", False))
    ]
    assert page.chart is None


def test_the_latest_round_stands_beside_the_board() -> None:
    page = page_of(dutch(3, rounds=4), *ROUND_1, *ROUND_2, *ROUND_1)

    assert columns(page) == ["3"]
    assert [column.is_latest for column in page.scores.columns] == [True]
    first = page.scores.lines[0]
    assert (first.player.name, first.rank, first.total, first.is_leader) == ("Ana", "1", "78", True)
    assert [cell.points for cell in first.cells] == ["24"]
    assert [line.rank for line in page.scores.lines] == ["1", "2", "2"]


def test_a_penalty_is_a_column_without_a_number() -> None:
    page = page_of(dutch(3, rounds=4), *ROUND_1, "penalty 1 -5 late")

    assert columns(page) == ["±"]
    assert [column.name for column in page.scores.columns] == ["Penalty"]
    assert [line.player.name for line in page.scores.lines] == ["Ana", "Cleo", "Ben"]
    assert [line.cells[-1].points for line in page.scores.lines] == ["", "", "−5"]


def test_at_the_end_more_rounds_have_room() -> None:
    page = page_of(dutch(3, rounds=8), *ROUND_1 * 8)

    assert columns(page) == ["3", "4", "5", "6", "7", "8"]


def test_by_difference_the_better_team_shows_how_its_points_came_about() -> None:
    page = page_of(dutch(3, rounds=1, score_record="difference"), *ROUND_1)

    better = next(side for side in page.sides if side.is_better)
    other = next(side for side in page.sides if side is not better)
    assert better.formula.count("=") == 2
    assert better.formula.endswith(better.points.removeprefix("+"))
    assert other.formula.count("=") == 1


# --- the race ---


@pytest.mark.parametrize("shape", [BESIDE_THE_BOARD, AT_THE_END])
@given(game=games())
@examples(15)
def test_the_race_in_larger_letters_stays_inside_and_its_labels_apart(game: Game, shape: Shape) -> None:
    chart = race_chart(game.state, shape)

    if chart is None:
        return
    labels = sorted(line.label_y for line in chart.lines)
    assert all(after - before >= shape.gap - 0.2 for before, after in itertools.pairwise(labels))
    assert labels[0] >= shape.top - 0.1
    assert labels[-1] <= shape.bottom + 0.1
    assert chart.shape == shape
    assert all(shape.top <= line.end_y <= shape.bottom for line in chart.lines)
    assert {line.end_x for line in chart.lines} == {shape.right}

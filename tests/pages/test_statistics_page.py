"""The drawings of the statistics: inside their frames, as high as their figures, for any figures; and the words."""

from __future__ import annotations

import itertools
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.groups.selections import PlayerSelection
from games.groups.statistics.ratings import MEAN, Form
from games.groups.statistics.summary import GroupSummary, PairSummary, PlayerSummary
from games.groups.statistics_queries import Companion, CountedPlayer, RatedGame
from games.pages.statistics.charts import Board, Cell, Curve, board, capturable_of, curve, spaces_of, width_of
from games.pages.statistics.page import group_page
from games.pages.statistics.people import player_page
from games.rules import RowKey
from games.texts import statistics as said
from tests.laws import examples

NJET_SPACES = spaces_of(["njet-english"])
ROWS = [row.value for row in RowKey]


# --- words and figures ---


@pytest.mark.parametrize(
    ("value", "printed"),
    [(None, "–"), (17.25, "17.2"), (-3.0, "−3.0"), (-0.04, "0.0"), (0.05, "0.1"), (12345.67, "12345.7")],
)
def test_a_mean_has_one_place_and_never_a_negative_zero(value: float | None, printed: str) -> None:
    assert said.mean(value) == printed


def test_figures_are_printed_with_their_sign_and_their_thousands() -> None:
    assert [said.whole(number) for number in (0, 7, 12345, -1200)] == ["0", "7", "12,345", "−1,200"]
    assert [said.share(rate) for rate in (None, 0, 0.335, 1)] == ["–", "0%", "34%", "100%"]
    assert [said.more_or_less(value) for value in (3.4, 0.01, -0.8)] == ["+3.4", "0.0", "−0.8"]


def test_one_and_many_are_distinguished() -> None:
    assert (said.games(1), said.games(2)) == ("1 game", "2 games")
    assert said.only_rounds(1) == "Only 1 round so far: mostly luck."
    assert [said.wins_in_a_row(number) for number in (0, 1, 2)] == ["", "", "2 wins in a row"]


def test_what_is_still_to_be_rated_is_said_and_no_more_than_is_known() -> None:
    assert said.still_to_rate(0, at_most=1000) == ""
    assert said.still_to_rate(1, at_most=1000) == "1 game is still to be rated: ratings and streaks follow."
    assert said.still_to_rate(999, at_most=1000).startswith("999 games are still")
    assert said.still_to_rate(1000, at_most=1000).startswith("1,000 or more games are still")


def test_every_space_of_every_board_has_a_name_of_its_own() -> None:
    spaces = spaces_of(["njet-english", "goldsieber-dutch"])

    names = [said.space_anywhere(row, space) for row in spaces for space in spaces[row]]

    assert len(set(names)) == len(names) == 2 + 5 + 6 + 6 + 5
    assert names[:2] == ["Own token", "Another’s token"]
    assert {"Red trump", "Green super trump", "No trump", "−2 points", "1 point"} <= set(names)


# --- the board ---


def test_the_board_has_the_spaces_of_all_decks_that_were_played_with() -> None:
    both = spaces_of(["goldsieber-french", "njet-english"])

    assert both["trump"] == ("red", "black", "blue", "yellow", "green", "njet")
    assert spaces_of(["goldsieber-french"])["trump"] == ("red", "black", "blue", "green")
    assert spaces_of(["a box from the future"]) == NJET_SPACES
    assert [capturable_of(each) for each in (["njet-english"], ["goldsieber-dutch"], [])] == ["0", "1", "0"]
    assert capturable_of(["njet-english", "goldsieber-dutch"]) is None


def cells(drawn: Board) -> list[Cell]:
    """All spaces of a drawn board."""
    return [cell for row in drawn.rows for cell in row.cells]


@st.composite
def counted_boards(draw: st.DrawFn) -> dict[str, dict[str, int]]:
    return {
        row: {space: draw(st.integers(0, 40)) for space in NJET_SPACES[row] if draw(st.booleans())}
        for row in draw(st.lists(st.sampled_from(ROWS), unique=True))
    }


@given(counted_boards(), st.booleans())
@examples(60)
def test_any_board_is_drawn_inside_its_columns_and_as_high_as_its_figures(
    counts: dict[str, dict[str, int]], percent: bool
) -> None:
    wholes = {row: max(sum(of_row.values()), 1) for row, of_row in counts.items()}

    drawn = board(NJET_SPACES, counts, wholes, heads=["Space", "Rounds", "Share"], percent=percent)

    counted = [row for row in ROWS if any(counts.get(row, {}).values())]
    assert (drawn is None) == (not counted)
    if drawn is None:
        return
    assert [row.key for row in drawn.rows] == counted
    for row in drawn.rows:
        assert [cell.space for cell in row.cells] == list(NJET_SPACES[row.key])
        heights = [float(cell.height) for cell in row.cells]
        numbers = [counts[row.key].get(cell.space, 0) for cell in row.cells]
        assert all(0 <= height <= 100 for height in heights)
        assert all(abs(float(cell.top) + float(cell.height) - 100) < 0.11 for cell in row.cells)
        assert [cell.is_empty for cell in row.cells] == [not number for number in numbers]
        assert [cell.is_most for cell in row.cells] == [number == max(numbers) for number in numbers]
        order = sorted(zip(numbers, heights, strict=True))
        assert [height for _, height in order] == sorted(heights)
    assert max(float(cell.height) for cell in cells(drawn)) == 100
    assert len(drawn.lines) == len(cells(drawn))
    assert all(row.name in drawn.summary for row in drawn.rows)


def test_the_tokens_do_not_press_down_the_other_rows() -> None:
    counts = {"start": {"self": 10, "other": 90}, "trump": {"red": 15, "blue": 30}}

    drawn = board(NJET_SPACES, counts, dict.fromkeys(counts, 100), heads=["Space", "Rounds", "Share"])

    assert drawn is not None
    tokens, trump = drawn.rows
    assert [cell.height for cell in tokens.cells] == ["11.1", "100.0"]
    assert [cell.height for cell in trump.cells] == ["50.0", "0", "100.0", "0", "0"]


def test_a_bar_ends_within_its_rail() -> None:
    assert [width_of(value) for value in (None, 0, -5, 0.5, 1, 2)] == ["0", "0", "0", "50.0", "100.0", "100.0"]
    assert width_of(3, 0) == "0"


# --- the curve ---


def rated(*strengths: float) -> list[RatedGame]:
    """Games after which a player was believed to be so strong."""
    first = datetime(2026, 1, 1, 20, tzinfo=UTC)
    return [
        RatedGame(f"game{number}", first + timedelta(days=number), Form(mu, 2.0, number % 3, 2, number + 1))
        for number, mu in enumerate(strengths)
    ]


def assert_drawn_well(drawn: Curve, count: int) -> None:
    """A point for each game inside the axes, the last one marked, lines of the grid apart."""
    points = [tuple(map(float, point.split(","))) for point in drawn.points.split()]
    assert len(points) == count == len(drawn.games)
    assert [x for x, _ in points] == sorted(x for x, _ in points)
    assert all(drawn.shape.left <= x <= drawn.shape.right and 0 < y <= drawn.shape.bottom for x, y in points)
    assert points[-1] == (drawn.end_x, drawn.end_y)
    heights = [tick.at for tick in drawn.y_ticks]
    assert 2 <= len(heights) <= 7
    assert heights == sorted(heights, reverse=True)
    assert min(before - after for before, after in itertools.pairwise(heights)) > 18
    assert len({tick.label for tick in drawn.y_ticks}) == len(drawn.y_ticks)


@given(st.lists(st.floats(-60, 120), min_size=2, max_size=60))
@examples(60)
def test_the_curve_of_any_ratings_is_drawn_well(strengths: list[float]) -> None:
    drawn = curve("Ana", rated(*strengths))

    assert drawn is not None
    assert_drawn_well(drawn, len(strengths))


def test_a_curve_takes_two_games() -> None:
    assert curve("Ana", rated()) is None
    assert curve("Ana", rated(25)) is None
    assert curve("Ana", rated(25, 25)) is not None


def test_the_table_beside_the_curve_begins_with_the_newest_game() -> None:
    drawn = curve("Ana", rated(10, 12, 11))

    assert drawn is not None
    # 60 × (μ − 3 × 2): 240, 360, 300.
    assert [(game.day, game.rating, game.change) for game in drawn.games] == [
        ("3 Jan 2026", "300", "−60"),
        ("2 Jan 2026", "360", "+120"),
        ("1 Jan 2026", "240", "+240"),
    ]
    assert drawn.summary == (
        "Rating of Ana after each of the last 3 games: from 240 to 300, at least 240, at most 360."
    )
    later = curve("Ana", rated(10, 12, 11)[1:])
    assert later is not None
    assert later.games[-1].change == "–"


# --- the pages ---


def somebody(name: str, *, mu: float = MEAN, games: int = 20, form: bool = True) -> CountedPlayer:
    """A player who is well known by their strength."""
    summary = PlayerSummary.of({"games": games, "wins": 5, "rounds": 100, "points": 1500})
    return CountedPlayer(name.lower(), name, "", summary, Form(mu, 2.0, 0, 3, games) if form else None)


def test_equals_share_a_place_and_who_is_settling_has_none() -> None:
    players = (somebody("Ben", mu=30), somebody("Ana", mu=30), somebody("Cleo"), somebody("Dan", mu=40, games=3))
    unrated = somebody("Eve", form=False)

    page = group_page(GroupSummary.of({"games": 20, "rounds": 100}), (*players, unrated))

    assert [(each.place, each.person.name) for each in page.ranked] == [("1", "Ana"), ("1", "Ben"), ("3", "Cleo")]
    assert [(each.place, each.person.name, each.rating) for each in page.settling] == [
        ("", "Dan", "–"),
        ("", "Eve", "–"),
    ]
    assert [each.width for each in page.settling] == ["0", "0"]
    assert page.settling[0].notes == ["3 games"]


def test_a_rating_below_nothing_has_no_bar_and_a_minus() -> None:
    players = (somebody("Ana"), somebody("Ben", mu=4))

    page = group_page(GroupSummary.of({"games": 20, "rounds": 100}), players)

    assert [(each.rating, each.width) for each in page.ranked] == [("1,140", "100.0"), ("−120", "0")]


def beside(name: str, *, rounds: int, won: int) -> Companion:
    """A player with this number of rounds in one team."""
    return Companion(name.lower(), name, "", PairSummary.of({"games": 20, "with.rounds": rounds, "with.won": won}))


def test_the_best_partner_stands_first_and_few_rounds_stand_apart() -> None:
    companions = [
        beside("Ben", rounds=40, won=10),
        beside("Cleo", rounds=40, won=30),
        beside("Dan", rounds=60, won=45),
        beside("Eve", rounds=29, won=29),
        beside("Finn", rounds=0, won=0),
    ]

    page = player_page(PlayerSelection(somebody("Ana"), GroupSummary.of({"games": 20}), companions))

    assert page.partners is not None
    assert [(line.label, line.value) for line in page.partners.lines] == [
        ("Dan", "75%"),
        ("Cleo", "75%"),
        ("Ben", "25%"),
    ]
    assert page.partners.lines[0].pair == ("ana", "dan")
    assert page.strangers is not None
    assert [(line.label, line.few) for line in page.strangers.lines] == [("Eve", True)]


def test_what_was_never_counted_is_left_out() -> None:
    page = player_page(PlayerSelection(somebody("Ana"), GroupSummary.of({"games": 20}), []))

    assert page.roles is not None
    assert [line.label for line in page.roles.lines] == ["Every round"]
    assert (page.curve, page.partners, page.strangers, page.covered, page.conditions) == (None,) * 5
    assert [tile.figure for tile in page.tricks] == ["–"]


def test_a_page_says_what_the_ratings_lack() -> None:
    waiting = said.still_to_rate(3, at_most=1000)

    selection = PlayerSelection(somebody("Ana"), GroupSummary.of({}), [])

    assert player_page(selection, waiting=waiting).waiting == waiting
    assert group_page(GroupSummary.of({}), (), waiting=waiting).waiting == waiting

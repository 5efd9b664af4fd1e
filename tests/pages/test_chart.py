"""The chart of the race: every line inside it, no label on another, for any totals."""

from __future__ import annotations

import itertools
from dataclasses import replace

import pytest
from hypothesis import given

from games.pages.parts.race import ON_THE_SHEET, Chart, race_chart
from games.pages.parts.sheet import sheet
from games.pages.parts.standings import running_totals
from games.rules import PublicState
from tests.builders import dutch, english, play
from tests.laws import examples
from tests.strategies import Game, games

LABEL = 15


def numbers(points: str) -> list[tuple[float, float]]:
    """The points of a line."""
    return [(float(x), float(y)) for x, y in (point.split(",") for point in points.split())]


def assert_drawn_well(chart: Chart, state: PublicState) -> None:
    """Lines within the axes, one for each player from nothing to the total; labels apart and inside."""
    assert chart.shape == ON_THE_SHEET
    assert 0 < chart.shape.left < chart.shape.right < chart.shape.width
    assert 0 < chart.shape.top < chart.shape.bottom < chart.shape.height
    zero = next(tick.at for tick in chart.y_ticks if tick.label == "0")
    for line in chart.lines:
        points = numbers(line.points)
        assert len(points) == len(state.finished) + 1
        assert points[0] == (chart.shape.left, zero)
        assert points[-1] == (chart.shape.right, line.end_y)
        assert [x for x, _ in points] == sorted(x for x, _ in points)
        assert all(chart.shape.top <= y <= chart.shape.bottom for _, y in points)
    labels = sorted(line.label_y for line in chart.lines)
    assert all(after - before >= LABEL - 0.2 for before, after in itertools.pairwise(labels))
    assert labels[0] >= chart.shape.top - 0.1
    assert labels[-1] <= chart.shape.bottom + 0.1
    ticks = [tick.at for tick in chart.y_ticks]
    assert ticks == sorted(ticks, reverse=True)
    assert 2 <= len(ticks) <= 7
    assert all(chart.shape.top - 0.1 <= at <= chart.shape.bottom + 0.1 for at in ticks)
    assert len(chart.x_ticks) <= 13


def heights_follow_totals(chart: Chart, state: PublicState) -> bool:
    """Whether who has more ends higher, and equals end equally high."""
    ends = sorted(zip(state.totals, [-line.end_y for line in chart.lines], strict=True))
    return all(
        (low < high) == (below < above) or abs(below - above) < 0.2
        for (low, below), (high, above) in itertools.pairwise(ends)
    )


def four(*rounds: str, points: str = "1") -> PublicState:
    """Four friends after rounds in which two against two won these numbers of tricks."""
    state = PublicState.start(dutch(4, rounds=99))
    for tally in rounds:
        state = play(state, f"open 0 njet red blue {points}", "team 1", f"tally {tally}")
    return state


def test_before_the_first_complete_round_there_is_no_chart() -> None:
    assert race_chart(PublicState.start(dutch(4))) is None
    assert race_chart(play(dutch(4), "penalty 0 -5 late", "open 0 njet red blue 2")) is None


@pytest.mark.parametrize(
    "state",
    [
        four("10 0 0 0"),
        four("5 0 5 0"),
        four("10 0 0 0", "0 0 10 0"),
        four(*["10 0 0 0"] * 40),
        play(english(2, rounds=5), "open 0 njet red blue -2", "tally 15+12 0"),
        play(english(2, rounds=5), "open 0 njet red blue -2", "tally 15 0", "open 0 njet red blue 4", "tally 0 15"),
        play(english(5), "open 0 njet red blue 1", "team 1 monster 0", "tally 12 0 0 0 0"),
        play(four("10 0 0 0"), "penalty 1 -999 a", "penalty 2 999 b", "penalty 3 998 c"),
        play(four("0 0 10 0"), "penalty 2 -10 a", "penalty 3 -10 b"),
        play(PublicState.start(dutch(4)), "penalty 0 -7 a", "open 0 njet red blue 1", "team 1", "tally 10 0 0 0"),
    ],
    ids=[
        *("one round", "all equal", "two by two", "forty rounds", "all negative", "up and down", "five players"),
        *("far apart", "nothing at all", "penalty before round 1"),
    ],
)
def test_the_race_is_drawn_well(state: PublicState) -> None:
    chart = race_chart(state)

    assert chart is not None
    assert_drawn_well(chart, state)
    assert heights_follow_totals(chart, state)


@given(games())
@examples(15)
def test_the_race_of_any_game_is_drawn_well(game: Game) -> None:
    chart = race_chart(game.state)

    assert (chart is None) == (not game.state.finished)
    if chart is not None:
        assert_drawn_well(chart, game.state)
        assert heights_follow_totals(chart, game.state)


@given(games())
@examples(15)
def test_the_sheet_of_any_game_adds_up(game: Game) -> None:
    state, pad = game.state, sheet(game.state)

    running = [0] * state.players
    for line in pad.lines:
        assert len(line.cells) == state.players
        for seat, cell in enumerate(line.cells):
            if cell.points == "–":
                assert cell.total == ""
                continue
            running[seat] += number(cell.points or "0")
            assert number(cell.total) == running[seat]
    assert [number(total) for total in pad.totals] == running == list(state.totals)
    rounds = [line for line in pad.lines if line.number is not None]
    assert [line.number for line in rounds] == list(range(1, len(rounds) + 1))
    assert len(rounds) == len(state.finished) + (state.current is not None)
    assert pad.rounds_to_come == (0 if state.current is None else state.ruleset.options.rounds - len(rounds))
    assert [line.dealer.seat for line in rounds] == [state.setup.dealer_of(line.number) for line in rounds]


def number(text: str) -> int:
    """A number as it is printed."""
    return int(text.replace("−", "-"))


def test_penalties_count_with_the_round_before_them() -> None:
    state = play(
        PublicState.start(dutch(4, rounds=3)),
        *("penalty 0 -7 a", "open 0 njet red blue 1", "team 1", "tally 10 0 0 0", "penalty 1 -1 b"),
        *("open 0 njet red blue 1", "team 1", "tally 10 0 0 0", "penalty 2 3 c"),
    )

    assert running_totals(state) == [(0, 0, 0, 0), (3, 9, 0, 0), (13, 19, 3, 0)]
    assert running_totals(state)[-1] == state.totals


def test_a_long_name_is_cut_and_its_number_is_not() -> None:
    setup = dutch(4).corrected(names=["Maximiliane-Ina", "Ben", "MMMMMMMM", "Theodora"])
    chart = race_chart(play(setup, "open 0 njet red blue 2", "team 1", "tally 10 0 0 0"))

    assert [line.short_name for line in chart.lines] == ["Maximilia…", "Ben", "MMMMMM…", "Theodora"]
    assert [line.total for line in chart.lines] == ["20", "20", "0", "0"]
    assert chart.summary == "Totals after 1 round: Maximiliane-Ina 20, Ben 20, MMMMMMMM 0, Theodora 0."


def test_the_number_of_a_player_without_a_name_is_not_cut() -> None:
    setup = dutch(4).corrected(names=["Player 1", "Spielerin 2", "Giocatore 3", "2 3"])
    chart = race_chart(play(setup, "open 0 njet red blue 2", "team 1", "tally 10 0 0 0"))

    assert [line.short_name for line in chart.lines] == ["Player 1", "Spielerin 2", "Giocatore 3", "2 3"]
    less = [replace(line, total="−112").short_name for line in chart.lines]
    assert less == ["Player 1", "Spiele… 2", "Giocat… 3", "2 3"]


def test_the_axes_have_round_numbers() -> None:
    chart = race_chart(four("10 0 0 0", "10 0 0 0", "10 0 0 0", points="4"))

    assert [tick.label for tick in chart.y_ticks] == ["0", "50", "100", "150"]
    assert [tick.label for tick in chart.x_ticks] == ["0", "1", "2", "3"]

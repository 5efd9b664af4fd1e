"""When bots act: the time of an action does not tell whether the bot had a choice."""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import partial
from typing import cast

import pytest

from games.bot_runner import scheduler
from games.services import tables as services
from tests.builders import english
from tests.services.crews import Cost, Hasty, Simulation, Watched, by_choice
from tests.services.phones import Phones

pytestmark = pytest.mark.any_database

PAUSE = 0.9
STRONG = dict.fromkeys(range(4), "strong")


def tables(count: int) -> list[str]:
    """Tables of one round, at each of which four strong bots play."""
    return [Phones(english(4, rounds=1), bots=STRONG).id for _ in range(count)]


def played(
    games: Sequence[str], cost: Cost, *, kind: type[Watched] = Watched, pause: float = 0.0, seconds: float = 3600
) -> Watched:
    """These tables, noticed one after the other and played on for some seconds or to their ends."""
    simulation = Simulation(cost, kind=kind, pause=pause)
    # The first query comes after the messages: then the order of the tables does not depend on their ids.
    simulation.crew._looked = simulation.now
    for number, game in enumerate(games):
        simulation.at(simulation.now + number / 1000, partial(simulation.put, game))
    simulation.serve(seconds, until=lambda: not scheduler.any_running())
    return cast("Watched", simulation.crew)


def separation(delays: Sequence[tuple[float, bool]]) -> float:
    """How well the best threshold tells forced actions from free ones: 0 is chance, 1 is certainty."""
    forced, free = ([delay for delay, each in delays if each is kind] for kind in (True, False))
    assert min(len(forced), len(free)) >= 5

    def advantage(threshold: float) -> float:
        return abs(
            sum(each < threshold for each in forced) / len(forced) - sum(each < threshold for each in free) / len(free)
        )

    # A difference of less than a microsecond is one of floating-point numbers.
    return max(advantage(delay + 1e-6) for delay, _ in delays)


@pytest.mark.parametrize(("count", "pause"), [(1, PAUSE), pytest.param(3, 0.0, marks=pytest.mark.slow)])
def test_the_time_of_an_action_does_not_tell_whether_it_was_forced(db: None, count: int, pause: float) -> None:
    crew = played(tables(count), by_choice, pause=pause)

    assert separation(crew.delays()) < 0.2


def test_the_attack_finds_bots_that_act_when_they_have_decided(db: None) -> None:
    crew = played(tables(1), by_choice, kind=Hasty)

    assert separation(crew.delays()) == 1.0


@pytest.mark.parametrize(("count", "pause"), [(2, PAUSE), pytest.param(8, 0.0, marks=pytest.mark.slow)])
def test_no_time_at_any_table_depends_on_how_long_the_bots_think(db: None, count: int, pause: float) -> None:
    """Eight tables without pauses are more than one thinking process can serve in time."""
    chance = random.Random(5)
    games = tables(count)

    first = played(games, by_choice, pause=pause, seconds=8)
    for game in games:
        services.delete_game(game_id=game)
    games_again = tables(count)
    second = played(games_again, lambda turn, budget: budget * chance.random(), pause=pause, seconds=8)

    for game, again in zip(games, games_again, strict=True):
        times, others = ([now for now, _ in crew.written[each]] for crew, each in ((first, game), (second, again)))
        assert len(times) > 5
        assert times == pytest.approx(others, abs=1e-6)

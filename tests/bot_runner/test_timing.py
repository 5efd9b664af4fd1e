"""When bots act: the time of an action does not tell whether the bot had a choice."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest
from django_tasks_db.models import DBTaskResult

from games.bots import LEVELS
from games.rules.redaction import PlayerView
from tests.builders import english
from tests.cast.digital import DigitalTable
from tests.laws import rest_slow
from tests.services.crews import Simulation, by_choice

pytestmark = [pytest.mark.any_database, pytest.mark.slow]

PAUSE = 0.9


def tables(count: int, level: str) -> list[str]:
    """Tables of one round, at each of which four bots play."""
    games = [DigitalTable(english(4, rounds=1), bots=dict.fromkeys(range(4), level)).id for _ in range(count)]
    DBTaskResult.objects.all().delete()
    return games


def played(games: Sequence[str], simulation: Simulation, *, seconds: float = 3600) -> Simulation:
    """These tables, one after the other, played on for some seconds or to their ends."""
    for number, game in enumerate(games):
        simulation.now += number / 1000
        simulation.notice(game)
    simulation.serve(seconds, until=lambda: not DBTaskResult.objects.exists())
    return simulation


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
@pytest.mark.parametrize("level", rest_slow(reversed(LEVELS), quick=1))
def test_the_time_of_an_action_does_not_tell_whether_it_was_forced(
    db: None, monkeypatch: pytest.MonkeyPatch, level: str, count: int, pause: float
) -> None:
    games = tables(count, level)

    simulation = played(games, Simulation(monkeypatch, pause=pause))

    assert separation(simulation.delays()) < 0.2


@pytest.mark.parametrize("level", rest_slow(reversed(LEVELS), quick=1))
def test_the_attack_finds_bots_that_act_when_they_have_decided(
    db: None, monkeypatch: pytest.MonkeyPatch, level: str
) -> None:
    games = tables(1, level)

    simulation = played(games, Simulation(monkeypatch, hasty=True))

    assert separation(simulation.delays()) == 1.0


@pytest.mark.parametrize(("count", "pause"), [(2, PAUSE), pytest.param(8, 0.0, marks=pytest.mark.slow)])
@pytest.mark.parametrize("level", rest_slow(reversed(LEVELS), quick=1))
def test_no_time_at_any_table_depends_on_how_long_the_bots_think(
    db: None, monkeypatch: pytest.MonkeyPatch, level: str, count: int, pause: float
) -> None:
    """Eight tables without pauses are more than one worker can serve in time."""
    chance = random.Random(5)
    games, games_again = tables(count, level), tables(count, level)

    first = played(games, Simulation(monkeypatch, pause=pause), seconds=8)
    DBTaskResult.objects.all().delete()

    def cost(view: PlayerView, budget: float) -> float:
        return by_choice(view, budget) * chance.random()

    second = played(games_again, Simulation(monkeypatch, pause=pause, cost=cost), seconds=8)

    for game, again in zip(games, games_again, strict=True):
        times, others = ([now for now, _ in each] for each in (first.written[game], second.written[again]))
        assert len(times) > 5
        assert times == pytest.approx(others, abs=1e-6)

"""The search itself: who wins a race, and when it ends."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import count
from random import Random

import pytest

from games.bots.knowledge import knowledge_of
from games.bots.margins import most_of
from games.bots.strong import FEW, FIRST_REVIEW, Limit, candidates, choose, race
from games.bots.win_probability import Standing
from games.rules.cards import Card
from games.rules.redaction import view_for
from tests.bots.test_decide import play, tricks_of
from tests.builders import english, in_order, in_tricks


def test_the_best_arm_wins_and_hopeless_ones_are_given_up() -> None:
    rng = Random(1)
    asked: list[int] = []

    def values(alive: Sequence[int]) -> list[float]:
        asked.append(len(alive))
        return [rng.gauss(mu=arm, sigma=2) for arm in alive]

    ranked, seen = race(40, values, Limit(until=0.0, guesses=400))

    assert ranked[:2] == [39, 38]
    assert sorted(ranked) == [*range(40)]
    assert len(seen[39]) == len(asked)
    assert asked[0] == 40
    assert asked[-1] < FEW


def test_equal_arms_are_all_kept() -> None:
    asked: list[int] = []

    def values(alive: Sequence[int]) -> list[float]:
        asked.append(len(alive))
        return [1.0 for _ in alive]

    race(3, values, Limit(until=0.0, guesses=50))

    assert asked == [3] * 50


def test_a_search_ends_when_its_time_is_up() -> None:
    ticks = count()
    limit = Limit.of(10, clock=lambda: float(next(ticks)))
    asked: list[Sequence[int]] = []

    def values(alive: Sequence[int]) -> list[float]:
        asked.append(alive)
        return [0.0 for _ in alive]

    race(2, values, limit)

    assert len(asked) == 10


def test_of_cards_between_which_nothing_can_come_one_is_compared() -> None:
    # Seat 3 holds all blues from 4 on; black 3 and 5 are parted by the 4 that lies elsewhere.
    state = play(tricks_of("K2|K0|K4|K3 K5 B4 B5 B6 B7 B7 B7 B7 B8 B9 Y9"), "R0", "R9", "B1")
    knowledge = knowledge_of(view_for(state, 3))

    compared = {knowledge.tables.card_of(card) for card in candidates(knowledge)}

    assert compared >= {Card.parse("K3"), Card.parse("K5"), Card.parse("B4")}
    assert not compared & {Card.parse("B5"), Card.parse("B7"), Card.parse("B9")}


@pytest.mark.parametrize(("points", "compared"), [(2, "R3 R8 Y1"), (-2, "R4 R9 Y1")])
def test_of_equal_cards_the_highest_is_compared_where_tricks_cost_points(points: int, compared: str) -> None:
    state = in_tricks(english(4), f"0 njet blue njet {points}", "team 2", "R3 R4 R8 R9 Y1", "R5", "K4", "K5")
    knowledge = knowledge_of(view_for(state, 0))

    assert {knowledge.tables.card_of(card) for card in candidates(knowledge)} == {*in_order(compared)}


def test_among_equals_the_usual_arm_is_taken_and_not_where_it_is_worse() -> None:
    rng = Random(2)

    def values(alive: Sequence[int]) -> list[float]:
        return [(0.01, 0.0, -9.0)[arm] + rng.gauss(0, 1) for arm in alive]

    limit = Limit(until=0.0, guesses=60)

    assert [race(3, values, limit, usual=1)[0] for _ in range(20)].count([1, 0, 2]) > 12
    assert all(race(3, values, limit, usual=2)[0][2] == 2 for _ in range(20))


def test_two_places_of_a_race_go_to_the_best_two_where_one_leaves_the_second_to_chance() -> None:
    def seconds(places: int) -> list[int]:
        rng = Random(4)

        def values(alive: Sequence[int]) -> list[float]:
            return [(9.0, 0.5, 0.0, 0.0)[arm] + rng.gauss(0, 1) for arm in alive]

        limit = Limit(until=0.0, guesses=200)
        return [race(4, values, limit, places=places)[0][1] for _ in range(20)]

    assert seconds(places=2) == [1] * 20
    assert seconds(places=1).count(1) < 18


def test_a_single_arm_has_no_second_best() -> None:
    assert race(1, lambda alive: [0.0 for _ in alive], Limit(until=0.0, guesses=9))[0] == [0]


def test_where_the_victory_is_out_of_reach_others_are_compared_by_points(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that a hint calls none as good that gives points away."""
    full = in_tricks(english(4), "0 njet blue njet 4", "team 2", "R0 R9 B9", "K4 R5 K6", "Y1 Y2 Y3", "R1 R2 K7")
    seat = full.acting_seats[0]
    behind = Standing(seat, tuple(-1000 if each == seat else 0 for each in range(4)), after=0)
    monkeypatch.setattr(Standing, "of", staticmethod(lambda view: behind))

    found = choose(view_for(full, seat), 1, Limit(until=0.0, guesses=200), places=20)

    assert max(lead for _action, lead in found.others) > 2


def test_what_gives_points_of_the_round_away_is_not_as_good_where_they_hardly_matter(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    full = in_tricks(english(4), "0 njet blue njet 4", "team 2", "R0 R9 B9", "K4 R5 K6", "Y1 Y2 Y3", "R1 R2 K7")
    seat = full.acting_seats[0]
    ahead = Standing(seat, tuple(20 if each == seat else 0 for each in range(4)), after=0)
    monkeypatch.setattr(Standing, "of", staticmethod(lambda view: ahead))
    monkeypatch.setattr(Standing, "in_points", lambda self, worth, least: 0.0)

    found = choose(view_for(full, seat), 1, Limit(until=0.0, guesses=200), places=20)

    assert max(lead for _action, lead in found.others) > 2


def test_the_fewer_guesses_the_more_the_best_may_be_better() -> None:
    assert most_of([0.0, 1.0] * 50) == pytest.approx(0.6, abs=0.01)
    assert most_of([0.0, 1.0] * 5) > 0.8
    assert most_of([0.0]) == math.inf


def test_a_good_arm_that_begins_badly_is_given_up_later_for_a_hint() -> None:
    def values(alive: Sequence[int]) -> list[float]:
        asked.append(len(alive))
        return [(0.0, -5.0 if len(asked) <= FIRST_REVIEW else 2.0)[arm] for arm in alive]

    found = []
    for places in (1, 2):
        asked: list[int] = []
        found.append(race(2, values, Limit(until=0.0, guesses=200), places=places)[0][0])

    assert found == [0, 1]

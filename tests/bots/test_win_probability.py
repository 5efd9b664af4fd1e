"""What the result of a round is worth to a player: the victory, and beside it the points."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from games.bots.strong import Limit, decide_strongly
from games.bots.win_probability import SCALES, Standing
from games.rules.actions import NameTeam, Place
from games.rules.cards import parse_hand
from games.rules.editions import RowKey
from games.rules.full import FullState
from games.rules.redaction import PlayerView, view_for
from games.rules.rounds import PenaltyLine
from tests.bots.positions import dealt, digital
from tests.bots.test_decide import covered, due

MEAGRE_HAND = "R9 R2 R1 K8 K1 K2 K3 Y0 Y1 Y2 Y8 B1 B2 B3 B4"
OWN, OTHER = (1, 0, 1, 0), (0, 1, 0, 1)


def with_totals(state: FullState, totals: tuple[int, ...]) -> FullState:
    """The state with these totals."""
    lines = tuple(PenaltyLine(seat, total, "", 0) for seat, total in enumerate(totals))
    return replace(state, public=replace(state.public, penalties=lines))


def last_round(totals: tuple[int, ...], hand: str, *left: str) -> PlayerView:
    """The next placer's view in a last round with these totals."""
    state = with_totals(dealt(digital("njet-english", 4), Random(9)), totals)
    return replace(due(covered(state, *left)), hand=parse_hand(hand))


def test_in_the_last_round_the_points_that_win_the_game_count() -> None:
    standing = Standing(seat=0, totals=(10, 20, 0, 20), after=0)
    unit = 4 * SCALES[4]

    assert standing.worth(OWN, 9) < 1
    assert standing.worth(OWN, 10) == pytest.approx(unit / 3, abs=1)
    assert standing.worth(OWN, 11) == pytest.approx(unit, abs=1)
    assert standing.worth(OTHER, -11) == pytest.approx(unit, abs=1)


def test_the_chance_of_the_victory_is_exact_in_the_last_round_and_shared_by_the_seats_before() -> None:
    last = Standing(seat=0, totals=(10, 20, 0, 20), after=0)
    earlier = [replace(last, seat=seat, after=3) for seat in range(4)]

    assert [last.chance(OWN, lead) for lead in (9, 10, 11)] == [0, pytest.approx(1 / 3), 1]
    assert sum(standing.chance(OWN, 5) for standing in earlier) == pytest.approx(1)
    assert earlier[0].chance(OWN, 5) < earlier[0].chance(OWN, 10)


def test_points_that_decide_nothing_are_still_better_than_none() -> None:
    lost = Standing(seat=0, totals=(0, 300, 0, 0), after=0)

    assert 0 < lost.worth(OWN, 20) < 1


def test_before_the_last_round_every_point_counts_and_fewer_the_more_rounds_follow() -> None:
    standing = Standing(seat=2, totals=(10, 20, 0, 20), after=3)

    assert standing.worth(OWN, 5) < standing.worth(OWN, 10) < standing.worth(OWN, 20)
    assert Standing(0, (0, 0, 0, 0), after=6).point_value() == pytest.approx(
        Standing(0, (0, 0, 0, 0), after=2).point_value(), 0.3
    )


def test_a_partner_who_leads_the_game_is_rarely_chosen() -> None:
    standing, rng = Standing(seat=0, totals=(20, 25, 0, 5), after=1), Random(1)

    partners = [standing.likely_teams(0, rng).own for _ in range(300)]

    assert partners.count((0, 1)) < partners.count((0, 3)) <= partners.count((0, 2)) + 60


def test_the_start_player_of_the_last_round_wants_a_partner_who_cannot_win_with_them() -> None:
    state = with_totals(dealt(digital("njet-english", 4), Random(9)), (20, 25, 0, 5))
    state = covered(state, "start 0", "trump red", "supertrump njet", "discard njet", "points 2")

    named = decide_strongly(view_for(state, 0), 1, Limit(until=0.0, guesses=200))

    assert isinstance(named, NameTeam)
    assert named.partners != (1,)


def test_a_player_behind_in_the_last_round_keeps_the_high_stake() -> None:
    view = last_round(
        (0, 30, 0, 30), MEAGRE_HAND, "points 1 4", "trump red", "supertrump njet", "discard njet", "start 0"
    )

    assert decide_strongly(view, 1, Limit(until=0.0, guesses=100)) == Place(RowKey.POINTS, "1")

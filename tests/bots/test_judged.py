"""Positions with accepted answers: each can be reached, and few of them are missed."""

from __future__ import annotations

import pytest

from games.bots.strong import Limit, decide_strongly
from tests.bots.judged import Judged, answer_of, judged

SHARE = 0.75
"""The number of answers of the strong bot that a good player accepts: a measure over all positions, which pins none."""


@pytest.mark.parametrize("position", judged(), ids=lambda position: position.name)
def test_a_position_is_played_by_the_rules_and_its_answers_are_legal(position: Judged) -> None:
    answers = {answer_of(action) for action in position.view().legal}

    assert set(position.accepted) < answers


@pytest.mark.slow
def test_the_strong_bot_answers_most_positions_as_a_good_player_does() -> None:
    accepted = [
        answer_of(decide_strongly(position.view(), seed, Limit(until=0.0, guesses=150))) in position.accepted
        for position in judged()
        for seed in range(2)
    ]

    assert sum(accepted) / len(accepted) >= SHARE

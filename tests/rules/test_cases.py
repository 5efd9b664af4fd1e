"""The vectors in `cases/`: tricks, and the examples that the texts score."""

import json
from pathlib import Path
from typing import Any

import pytest

from games.rules import Card, EnterConditions, NameTeam, RecordTally, Teams
from tests.builders import play, setup_of, trick_rules

CASES = Path(__file__).parent / "cases"


def _cases(name: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((CASES / name).read_text(encoding="utf-8"))
    assert found
    return found


@pytest.mark.parametrize("case", _cases("tricks.json"), ids=lambda case: case["source"])
def test_a_trick_is_won_and_captures_as_the_vectors_say(case: dict[str, Any]) -> None:
    rules = trick_rules(case["trump"], case["supertrump"])
    cards = [Card.parse(card) for card in case["cards"]]
    own, other = (tuple(team) for team in case["teams"])

    winner = (case["leader"] + rules.winner(cards)) % len(cards)
    captured = rules.captured(cards, leader=case["leader"], teams=Teams(own, other, monster=None))

    assert (winner, captured) == (case["winner"], case["captured"])


@pytest.mark.parametrize("case", _cases("scoring.json"), ids=lambda case: case["source"])
def test_a_round_scores_as_the_vectors_say(case: dict[str, Any]) -> None:
    setup = setup_of(case["preset"], case["players"], **case["options"])
    (start, *partners), _ = case["teams"]
    board = EnterConditions(str(start), case["discard"], "red", "njet", str(case["points"]))
    team = NameTeam(tuple(partners), case["monster"])

    state = play(setup, board, team, RecordTally(tuple(case["tricks"]), tuple(case["captured"])))

    assert list(state.finished[0].score.points) == case["sheet"]
    assert list(state.totals) == case["sheet"]

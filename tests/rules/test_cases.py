"""The shared vectors in `cases/`: following suit, tricks, and the examples that the texts score."""

import json
from pathlib import Path
from typing import Any

import pytest

from games.rules import EDITIONS, Card, EnterConditions, NameTeam, RecordTally, Teams
from tests.builders import play, setup_of, trick_rules

CASES = Path(__file__).parent / "cases"


def _cases(name: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((CASES / name).read_text(encoding="utf-8"))
    assert found
    return found


def _following_id(case: dict[str, Any]) -> str:
    must = "-must" if case["must_trump_when_void"] else ""
    return f"{case['supertrump_suit']}{must}-{case['led']}-{'+'.join(case['hand'])}"


@pytest.mark.parametrize("case", _cases("following.json"), ids=_following_id)
def test_a_hand_follows_as_the_vectors_say(case: dict[str, Any]) -> None:
    rules = trick_rules(
        case["trump"],
        case["supertrump"],
        reading=case["supertrump_suit"],
        must_trump=case["must_trump_when_void"],
        capturable=EDITIONS[case["edition"]].capturable_rank,
    )

    playable = rules.legal_cards([Card.parse(card) for card in case["hand"]], Card.parse(case["led"]))

    assert {str(card) for card in playable} == set(case["legal"])
    assert len(playable) == len(case["legal"])


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

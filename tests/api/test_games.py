"""Random legal games of every preset, whole, over REST."""

import random
from typing import Any

import pytest

from games.rules import PRESETS, PublicState, Setup, from_json
from tests.api.client import CAST, Api, Table, legal_move
from tests.laws import rest_slow

pytestmark = pytest.mark.any_database

EVERY_TABLE = [(preset.key, players) for preset in PRESETS.values() for players in preset.player_counts]


@pytest.mark.parametrize(("preset", "players"), rest_slow(EVERY_TABLE, quick=3))
def test_a_random_legal_game(api: Api, preset: str, players: int) -> None:
    chance = random.Random(f"{preset} {players}")
    table = api.open_table(preset, players, rounds=2, dealer=chance.randrange(players))

    end = play_to_the_end(table, chance)

    assert end["scores"]["totals"] == totals_by_hand(end) == refolded(table)
    assert end["scores"]["winners"] == winners_of(end["scores"]["totals"])


@pytest.mark.parametrize("score_record", ["full", "difference"])
def test_a_random_legal_game_with_house_rules(api: Api, score_record: str) -> None:
    chance = random.Random(score_record)
    table = api.open_table(
        "njet-english", 5, rounds=2, start_row=False, captured_from="everyone", score_record=score_record
    )

    end = play_to_the_end(table, chance)

    assert end["scores"]["totals"] == totals_by_hand(end) == refolded(table)


def play_to_the_end(table: Table, chance: random.Random, *, in_one_go: float = 0.2) -> Any:
    state = table.state
    while state["status"] == "playing":
        action = legal_move(state, chance, in_one_go=chance.random() < in_one_go)
        answer = table.act(action, version=state["version"], request_id=f"{state['version']}")
        assert answer.status == 201, (action, answer.text)
        state = answer.json["state"]
    return state


def refolded(table: Table) -> list[int]:
    """The totals of the log that the API shows, folded by the rules without anything of the application."""
    state = table.state
    setup = Setup.of(
        preset=state["preset"],
        names=CAST[: len(state["players"])],
        options=state["options"],
        dealer=table.created["state"]["round"]["dealer"],
    )
    folded = PublicState.start(setup)
    for entry in table.get("/log/").json:
        folded = folded.apply(from_json(entry["action"]))
    return list(folded.totals)


def totals_by_hand(state: Any) -> list[int]:
    """The result of the sheet, by the formula of the rules and nothing else."""
    totals = [0] * len(state["players"])
    for done in state["scores"]["rounds"]:
        won = {each["seat"]: each["tricks"] + each["captured"] for each in done["won"]}
        sums = [
            done["conditions"]["points"] * sum(won[seat] * (2 if seat == done["monster"] else 1) for seat in side)
            for side in done["teams"]
        ]
        if state["options"]["score_record"] == "difference":
            sums = [each - min(sums) for each in sums]
        for side, points in zip(done["teams"], sums, strict=True):
            for seat in side:
                totals[seat] += points
    return totals


def winners_of(totals: list[int]) -> list[int]:
    return [seat for seat, total in enumerate(totals) if total == max(totals)]

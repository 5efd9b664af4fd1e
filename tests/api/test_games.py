"""Whole games over REST: two of the worked examples of the rules, and random legal games of every preset."""

import random
from typing import Any

import pytest

from games.rules import PRESETS, PublicState, Setup, from_json
from tests.api.client import CAST, Api, Table, legal_move, settle, tally, team
from tests.laws import rest_slow

EVERY_TABLE = [(preset.key, players) for preset in PRESETS.values() for players in preset.player_counts]


# --- the examples of RULES.md section 6 whose document differs ---


def play_round(api: Api, preset: str, players: int, *actions: Any, **options: Any) -> dict[str, Any]:
    return api.open_table(preset, players, rounds=1, **options).act_all(*actions)["scores"]


EXAMPLE_1 = (settle("0", "njet", "red", "njet", "2"), team(1, 2, monster=4), tally([4, 2, 1, 3, 2], [1, 1, 1, 0, 1]))


def test_example_1_by_difference(api: Api) -> None:
    scores = play_round(api, "njet-english", 5, *EXAMPLE_1, score_record="difference")

    assert scores["totals"] == [2, 2, 2, 0, 0]
    assert scores["rounds"][0]["raw"] == [20, 20, 20, 18, 18]
    assert scores["winners"] == [0, 1, 2]


def test_example_5_without_the_start_row_16_markers_serve_4_rows(api: Api) -> None:
    table = api.open_table("njet-wikipedia", 4, start_row=False)
    chance = random.Random(5)
    placed = 0
    while (state := table.state)["round"]["phase"] == "placing":
        assert state["round"]["acting"] == [placed % 4]
        table.act_all(legal_move(state, chance, in_one_go=False))
        placed += 1

    assert placed == 16
    assert len(state["round"]["board"]) == 4


# --- random games ---


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


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_a_random_legal_game_of_full_length_marker_by_marker() -> None:
    chance = random.Random(2)
    table = Api().open_table("goldsieber-dutch", 3)

    end = play_to_the_end(table, chance, in_one_go=0.0)

    assert end["scores"]["rounds"][-1]["number"] == 6
    assert end["version"] >= 6 * (14 + 1 + 10)
    assert end["scores"]["totals"] == totals_by_hand(end) == refolded(table)
    assert len(table.get("/sheet/").json) == 6 * 3


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

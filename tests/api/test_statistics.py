"""The result of the games of a group: for a player, for two, for all."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games.groups.statistics.summary import GroupSummary, PlayerSummary
from games.models import Player
from tests.api.client import FINISH, ROUND_OF_THREE
from tests.api.groups import ROUND_OF_BEN, ApiGroup


def test_the_players_of_a_group_with_a_few_figures(group: ApiGroup) -> None:
    group.game()
    group.game(names=("Cleo", "Ana", "Dan"))

    rows = group.get("/players/").json

    assert [(row["name"], row["games"], row["wins"]) for row in rows] == [
        ("Ana", 2, 0),
        ("Cleo", 2, 1),
        ("Ben", 1, 0),
        ("Dan", 1, 1),
    ]
    assert all(row["rating"]["settling"] and not row["erased"] for row in rows)
    assert rows[1]["rating"]["rating"] > rows[2]["rating"]["rating"]


def test_the_figures_of_a_player_are_those_that_are_counted(group: ApiGroup) -> None:
    group.table(*ROUND_OF_THREE, *ROUND_OF_BEN, FINISH)
    group.game(names=("Cleo", "Ana", "Dan"))
    cleo = Player.objects.get(name="Cleo")

    answer = group.get(f"/players/{cleo.pk}/statistics/").json

    for name, figure in PlayerSummary.of(cleo.figures).to_json().items():
        assert answer[name] == figure, name
    assert answer["player"] == {"id": cleo.pk, "name": "Cleo", "token": None}
    assert answer["merged_into"] is None
    assert (answer["games"], answer["wins"], answer["rounds"]) == (2, 1, 3)
    assert (answer["streak"], answer["longest_streak"]) == (0, 1)
    assert answer["rating"] == group.get("/players/").json[1]["rating"]
    assert answer["opponent"]["usual_rate"] == pytest.approx(0.304, abs=0.001)
    assert answer["monster"]["usual_rate"] is None


def test_the_partners_of_a_player(group: ApiGroup) -> None:
    group.table(*ROUND_OF_THREE, *ROUND_OF_BEN, FINISH)
    group.game(names=("Ana", "Dan", "Eve"))
    players = group.players()

    partners = group.get(f"/players/{players['Ana']}/statistics/").json["partners"]

    assert [(each["name"], each["player"], each["rounds"], each["won"]) for each in partners] == [
        ("Ben", players["Ben"], 2, 0),
        ("Dan", players["Dan"], 1, 0),
    ]
    assert partners[0]["win_rate"] == 0
    assert partners[0]["few"]


def test_an_older_id_of_a_merged_player_answers_for_the_person(group: ApiGroup) -> None:
    group.game()
    group.game(names=("Anna", "Dan", "Eve"))
    players = group.players()
    group.post(f"/players/{players['Anna']}/merge/", {"into": players["Ana"]})

    new, old = (group.get(f"/players/{players[name]}/statistics/").json for name in ("Ana", "Anna"))

    assert old == {**new, "merged_into": players["Ana"]}
    assert new["games"] == 2
    pair = group.get(f"/pairs/{players['Anna']}/{players['Ben']}/").json
    assert [each["name"] for each in pair["players"]] == ["Ana", "Ben"]
    assert group.get(f"/pairs/{players['Anna']}/{players['Ana']}/").refusal == (404, "not_found")


def test_two_players_together_and_against_each_other(group: ApiGroup) -> None:
    group.table(*ROUND_OF_THREE, *ROUND_OF_BEN, FINISH)
    fay = group.post("/players/", {"name": "Fay"}).json["id"]
    players = group.players()

    pair = group.get(f"/pairs/{players['Ben']}/{players['Ana']}/").json
    assert [each["name"] for each in pair["players"]] == ["Ben", "Ana"]
    assert (pair["games"], pair["partners"]["rounds"], pair["opponents"]) == (1, 2, 0)
    assert (pair["few"], pair["partners"]["few"], pair["few_chosen"]) == (True, True, True)
    turned = group.get(f"/pairs/{players['Ana']}/{players['Ben']}/").json
    assert {**turned, "players": pair["players"]} == pair
    assert group.get(f"/pairs/{players['Ana']}/{players['Cleo']}/").json["opponents"] == 2
    assert group.get(f"/pairs/{players['Ana']}/{fay}/").json["games"] == 0
    assert group.get(f"/pairs/{fay}/{fay}/").refusal == (404, "not_found")


def test_the_figures_of_the_group(group: ApiGroup) -> None:
    assert group.get("/statistics/").json == {**GroupSummary.of({}).to_json(), "unrated": 0, "standings": []}

    group.game()

    answer = group.get("/statistics/").json
    assert (answer["games"], answer["rounds"], answer["by_preset"]) == (1, 1, {"njet-english": 1})
    assert answer["monster"]["rounds"] == 1


@pytest.mark.parametrize("path", ["/players/", "/players/{Ana}/statistics/", "/pairs/{Ana}/{Ben}/", "/statistics/"])
def test_figures_take_the_same_few_questions_however_much_was_played(group: ApiGroup, path: str) -> None:
    counts = []
    for names in (("Ana", "Ben", "Cleo"), ("Ana", "Dan", "Eve"), ("Ana", "Fay", "Hal")):
        group.game(names=names)
        address = path.format(**group.players())
        with CaptureQueriesContext(connection) as asked:
            assert group.get(address).status == 200
        counts.append(len(asked))

    assert len(set(counts)) == 1
    assert counts[0] <= 6

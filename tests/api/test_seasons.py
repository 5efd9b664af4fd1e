"""Seasons over REST, and lists and statistics of some games."""

from __future__ import annotations

import csv
import io
from datetime import UTC, datetime
from typing import Any

import pytest

from games.models import Season
from tests.api.groups import ApiGroup
from tests.api.test_results import finished, ids

NOVEMBER, DECEMBER = datetime(2026, 11, 30, 23, tzinfo=UTC), datetime(2026, 12, 1, 1, tzinfo=UTC)
WINTER = {"name": "Winter", "since": "2026-12-01", "until": "2027-02-28"}


@pytest.fixture
def games(group: ApiGroup) -> tuple[str, str]:
    """A game of Ana, Ben and Cleo two hours before one of Cleo, Ana and Dan, and the new month between."""
    found = group.game().id, group.game(names=("Cleo", "Ana", "Dan")).id
    for game, at in zip(found, (NOVEMBER, DECEMBER), strict=True):
        finished(game, at)
    return found


def test_members_add_change_and_delete_seasons(group: ApiGroup) -> None:
    added = group.post("/seasons/", WINTER, group.member)
    assert (added.status, added.json) == (201, {"id": Season.objects.get().pk, **WINTER})
    assert group.get(f"{group.path}/seasons/").json == [added.json]

    path = f"/seasons/{added.json['id']}/"
    changed = group.post(path, {"name": "Cold", "since": "2026-11-01"}, group.member)
    assert changed.json == {"id": added.json["id"], "name": "Cold", "since": "2026-11-01", "until": None}

    assert group.delete(path, group.member).status == 204
    assert group.get(f"{group.path}/seasons/").json == []
    assert group.delete(path).refusal == (404, "not_found")


NO_SEASONS: list[tuple[dict[str, Any], tuple[int, str]]] = [
    ({"name": "Autumn"}, (400, "missing_field")),
    ({"since": "2026-09-01"}, (400, "missing_field")),
    ({"name": "Autumn", "since": None}, (400, "wrong_type")),
    ({"name": "Autumn", "since": 20260901}, (400, "wrong_type")),
    ({"name": "Autumn", "since": "2026-09-31"}, (400, "wrong_type")),
    ({"name": "Autumn", "since": "2026-09-01T00:00:00Z"}, (400, "wrong_type")),
    ({"name": "Autumn", "since": "0001-01-01"}, (400, "wrong_type")),
    ({"name": "Autumn", "since": "2026-09-01", "days": 3}, (400, "unknown_field")),
    ({"name": "Autumn", "since": "2026-09-01", "until": "2026-08-31"}, (422, "season_ends_earlier")),
    ({"name": "WINTER", "since": "2026-09-01"}, (422, "season_name_taken")),
    ({"name": " ", "since": "2026-09-01"}, (422, "season_name_missing")),
    ({"name": "S" * 41, "since": "2026-09-01"}, (422, "name_too_long")),
]


def test_what_a_season_cannot_be(group: ApiGroup) -> None:
    group.post("/seasons/", WINTER)

    for body, refusal in NO_SEASONS:
        assert group.post("/seasons/", body).refusal == refusal, body
        assert Season.objects.get().name == "Winter"


def test_a_season_narrows_lists_files_and_statistics(group: ApiGroup, games: tuple[str, str]) -> None:
    season = group.post("/seasons/", WINTER).json["id"]
    dan, ben = (group.players()[name] for name in ("Dan", "Ben"))

    assert ids(group.get(f"/results/?season={season}").json["results"]) == [games[1]]
    rows = csv.DictReader(io.StringIO(group.get(f"/results/?season={season}&format=csv").text, newline=""))
    assert {row["game"] for row in rows} == {games[1]}
    assert group.get(f"/results/?season={season}&to=2026-11-30").json["results"] == []
    assert {each["game"] for each in group.get(f"/results/rounds/?season={season}").json["results"]} == {games[1]}

    statistics = group.get(f"/statistics/?season={season}").json
    assert (statistics["games"], statistics["rounds"], statistics["unrated"]) == (1, 1, 0)
    assert [(each["place"], each["name"], each["wins"], each["points"]) for each in statistics["standings"]] == [
        (1, "Dan", 1, 28),
        (2, "Ana", 0, 24),
        (2, "Cleo", 0, 24),
    ]
    assert statistics["standings"][0]["player"] == dan
    assert group.get(f"/players/{dan}/statistics/?season={season}").json["wins"] == 1
    assert group.get(f"/players/{ben}/statistics/?season={season}").json["games"] == 0


def test_the_statistics_of_all_games_have_standings_too(group: ApiGroup, games: tuple[str, str]) -> None:
    whole = group.get("/statistics/").json

    assert [(each["name"], each["games"]) for each in whole["standings"]] == [
        *(("Cleo", 2), ("Dan", 1), ("Ana", 2), ("Ben", 1))
    ]
    assert {**group.get("/statistics/?from=2020-01-01").json} == whole


def test_a_player_in_some_games_has_figures_of_these_and_the_rating_of_all(
    group: ApiGroup, games: tuple[str, str]
) -> None:
    path = f"/players/{group.players()['Cleo']}/statistics/"

    whole, some = group.get(path).json, group.get(f"{path}?to=2026-11-30").json

    assert (whole["games"], some["games"], some["wins"]) == (2, 1, 1)
    assert [each["name"] for each in some["companions"]] == ["Ana", "Ben"]
    assert [each["name"] for each in whole["companions"]] == ["Ana", "Ben", "Dan"]
    assert {name: some[name] for name in ("rating", "streak", "longest_streak", "ratings")} == {
        name: whole[name] for name in ("rating", "streak", "longest_streak", "ratings")
    }
    assert group.get(f"{path}?from=2020-01-01").json == whole


def test_two_players_in_some_games_have_figures_of_these(group: ApiGroup, games: tuple[str, str]) -> None:
    people = group.players()
    path = f"/pairs/{people['Cleo']}/{people['Ana']}/"

    whole, some = group.get(path).json, group.get(f"{path}?to=2026-11-30").json

    assert (whole["games"], some["games"]) == (2, 1)
    assert group.get(f"{path}?from=2020-01-01").json == whole


@pytest.mark.parametrize("path", ["/statistics/", "/players/{Ana}/statistics/", "/pairs/{Ana}/{Ben}/", "/results/"])
def test_a_filter_that_means_nothing_is_refused(group: ApiGroup, path: str) -> None:
    group.game()
    foreign = ApiGroup(group.api, "Others").post("/seasons/", WINTER).json["id"]
    path = path.format(**group.players())

    for season in (999999, foreign):
        assert group.get(f"{path}?season={season}").refusal == (404, "not_found")
    for query in ("season=Winter", "edition=njet61", "players=9", "preset=njet", "from=yesterday"):
        assert group.get(f"{path}?{query}").refusal == (400, "wrong_type"), query


def test_figures_say_of_which_boxes_and_numbers_of_players_they_are(group: ApiGroup) -> None:
    group.game()
    player = group.players()["Ana"]

    for path in ("/statistics/", f"/players/{player}/statistics/", "/statistics/?edition=njet60&players=3&preset="):
        answer = group.get(path).json
        assert (answer["by_preset"], answer["by_players"], answer["mixed"]) == ({"njet-english": 1}, {"3": 1}, False)
    assert group.get("/statistics/?edition=goldsieber40").json["games"] == 0
    assert group.get("/statistics/?players=4").json["games"] == 0

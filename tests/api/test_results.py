"""Finished games as lists, files and changes."""

from __future__ import annotations

import base64
import csv
import io
import json
import random
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import quote

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games.api.serializers.results import (
    ResultInFileSerializer,
    ResultSeatSerializer,
    ResultSerializer,
    RoundRowSerializer,
)
from games.formats.csv import SEVERAL_COLUMNS
from tests.api.client import FINISH, ROUND_OF_THREE, Json, place
from tests.api.groups import EVENING, ROUND_OF_BEN, ApiGroup
from tests.cast.groups import happened
from tests.laws import rest_slow


def finished(game_id: str, at: datetime) -> None:
    """Let a game have ended at another time."""
    happened(game_id, at, began=at - timedelta(hours=1))


def ids(rows: list[Json]) -> list[str]:
    return [row["id"] for row in rows]


def table_of(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text, newline="")))


# --- one row ---


def test_a_finished_game_in_a_list(group: ApiGroup) -> None:
    table = group.game()
    table.post("/lock/")
    finished(table.id, EVENING)
    players = group.players()

    (row,) = group.get("/results/").json["results"]

    assert row == {
        "id": table.id,
        "mode": "table",
        "preset": "njet-english",
        "players": 3,
        "created_at": "2026-11-21T17:00:00Z",
        "finished_at": "2026-11-21T18:00:00Z",
        "locked": True,
        "rounds": 1,
        "from_paper": False,
        "minutes": None,
        "place": "",
        "note": "",
        "seasons": [],
        "shared": False,
        "seats": [
            seat(0, players["Ana"], "Ana", "turquoise", 24, 2),
            seat(1, players["Ben"], "Ben", row["seats"][1]["token"], 24, 2),
            {**seat(2, players["Cleo"], "Cleo", row["seats"][2]["token"], 28, 1), "winner": True},
        ],
        "links": {"self": f"http://testserver/api/v1/games/{table.id}/", "table": f"http://testserver/g/{table.id}/"},
    }


def seat(number: int, player: str, name: str, token: str, total: int, rank: int) -> dict[str, Any]:
    return {
        "seat": number,
        "player": player,
        "name": name,
        "token": token,
        "total": total,
        "rank": rank,
        "winner": False,
        "earlier": [],
    }


def test_a_list_keeps_the_names_of_the_sheet(group: ApiGroup) -> None:
    group.game()
    ana = group.players()["Ana"]

    group.post(f"/players/{ana}/", {"name": "Anastasia"})

    first = group.get("/results/").json["results"][0]["seats"][0]
    assert (first["name"], first["player"]) == ("Ana", ana)


def test_a_game_that_is_played_is_no_result(group: ApiGroup) -> None:
    group.table(*ROUND_OF_THREE)

    assert group.get("/results/").json == {"next": None, "previous": None, "results": []}


# --- pages ---


@pytest.mark.parametrize(
    ("at_once", "ordering"), rest_slow(zip((1, 4, 11) * 2, ("-finished_at", "finished_at") * 3, strict=True), quick=3)
)
def test_pages_forwards_and_backwards_give_each_game_once(group: ApiGroup, ordering: str, at_once: int) -> None:
    newest_first = group.history(11, at_once=at_once)
    wanted = newest_first if ordering == "-finished_at" else newest_first[::-1]
    query = f"ordering={ordering}&size=3&players=3"

    forwards = list(group.pages(query))
    backwards = [forwards[-1]]
    while backwards[-1]["previous"] is not None:
        backwards.append(group.get(backwards[-1]["previous"].removeprefix("http://testserver/api/v1")).json)

    assert [len(page["results"]) for page in forwards] == [3, 3, 3, 2]
    assert [each for page in forwards for each in ids(page["results"])] == wanted
    assert forwards[0]["previous"] is None
    assert "players=3" in forwards[0]["next"]
    assert [each for page in reversed(backwards) for each in ids(page["results"])] == wanted


def test_a_page_takes_the_same_few_questions_however_long_the_history_is(group: ApiGroup) -> None:
    counts = []
    for count in (2, 40):
        group.history(count)
        for query in ("", "player=" + group.players()["Ben"], "changed_after=0"):
            with CaptureQueriesContext(connection) as asked:
                assert group.get(f"/results/?size=30&{query}").status == 200
            counts.append(len(asked))

    assert counts[:3] == counts[3:]
    assert max(counts) <= 6


# --- filters ---


def test_filters(group: ApiGroup) -> None:
    old, middle, new = group.game().id, group.game(names=("Dan", "Ben", "Eve")).id, group.game().id
    duel = group.table(names=("Ana", "Ben"))
    day = datetime(2026, 11, 21, tzinfo=UTC)
    finished(old, day - timedelta(microseconds=1))
    finished(middle, day)
    finished(new, day + timedelta(days=1) - timedelta(microseconds=1))
    players = group.players()

    for query, wanted in (
        ("", [new, middle, old]),
        ("ordering=finished_at", [old, middle, new]),
        (f"player={players['Ben']}", [new, middle, old]),
        (f"player={players['Ana']}", [new, old]),
        (f"player={players['Ana']}&from=2026-11-21", [new]),
        ("players=3", [new, middle, old]),
        ("players=2", []),
        ("preset=njet-english", [new, middle, old]),
        ("preset=goldsieber-dutch", []),
        ("from=2026-11-21", [new, middle]),
        ("to=2026-11-20", [old]),
        ("from=2026-11-21&to=2026-11-21", [new, middle]),
        ("from=2026-11-22", []),
        ("from=2026-11-21T00:00:00Z&to=2026-11-21T23:59:59Z", [middle]),
        ("to=2026-11-21T00:00:00Z", [old]),
        ("to=2026-11-21T00:00:01", [middle, old]),
        (f"from={quote('2026-11-21T01:00:00+01:00')}", [new, middle]),
        ("to=9999-12-31&from=0001-01-01", [new, middle, old]),
    ):
        assert ids(group.get(f"/results/?{query}").json["results"]) == wanted, query
        rounds = group.get(f"/results/rounds/?{query}").json["results"]
        assert list(dict.fromkeys(row["game"] for row in rounds)) == wanted, query
    assert duel.id not in group.get("/results/").text


def test_the_games_of_a_merged_player_are_those_of_whom_they_were_merged_into(group: ApiGroup) -> None:
    first, second = group.game().id, group.game(names=("Anna", "Dan", "Eve")).id
    players = group.players()
    group.post(f"/players/{players['Anna']}/merge/", {"into": players["Ana"]})

    for name in ("Ana", "Anna"):
        assert set(ids(group.get(f"/results/?player={players[name]}").json["results"])) == {first, second}


CANNOT_BE_ASKED = (
    "junk=1",
    "page=2",
    "size=0",
    "size=201",
    "size=-1",
    "size=ten",
    "size=" + "9" * 5000,
    "players=1",
    "players=6",
    "players=many",
    "preset=chess",
    "ordering=name",
    "ordering=",
    "format=xml",
    "cursor=junk",
    "cursor=%00",
    "from=yesterday",
    "from=2026-02-30",
    "from=20261121",
    "from=2026-11-21T25:00",
    "from=2026-11-21Z",
    "from=2026-11-21T05:00:00++02:00",
    "from=2026-11-21T05:00:00+",
    "from=0001-01-01T00:00:00%2B14:00",
    "to=%00",
    "changed_after=-1",
    "changed_after=x",
    "changed_after=",
    "changed_after=0&players=3",
    "changed_after=0&format=csv",
    "changed_after=0&cursor=x",
    "format=csv&size=5",
    "format=csv&cursor=x",
)


def test_a_filter_without_a_value_is_left_out_as_a_form_sends_it(group: ApiGroup) -> None:
    game = group.game().id

    for query in ("player=", "preset=", "players=", "from=", "to=", "cursor=", "player=&preset=&players=&from=&to="):
        assert ids(group.get(f"/results/?{query}").json["results"]) == [game], query
        assert len(group.get(f"/results/rounds/?{query}").json["results"]) == 3, query


def test_a_plus_that_arrives_as_a_blank(group: ApiGroup) -> None:
    game = group.game()
    finished(game.id, EVENING)

    for bare in ("2026-11-21T19:00:00+01:00", "2026-11-21+19:00:00+01:00", "2026-11-21T19:00+0100"):
        assert ids(group.get(f"/results/?from={bare}").json["results"]) == [game.id], bare
        assert ids(group.get(f"/results/?to={bare}").json["results"]) == [], bare


def test_a_list_that_cannot_be_asked_for(group: ApiGroup) -> None:
    for query in CANNOT_BE_ASKED:
        assert group.get(f"/results/?{query}").status == 400, query
        assert group.get(f"/results/rounds/?{query}").status == 400, query


@pytest.mark.parametrize("shown", ["\0", "\ud800", "x" * 5000, 7, None, ["x"], {}])
def test_a_cursor_that_somebody_made_themselves(group: ApiGroup, shown: Any) -> None:
    for document in ([EVENING.isoformat(), shown, 0], [shown, "x", 0], [EVENING.isoformat(), "x", shown], shown):
        cursor = base64.urlsafe_b64encode(json.dumps(document).encode()).decode().rstrip("=")
        assert group.get(f"/results/?cursor={cursor}").status in (200, 400)


# --- what changed since ---


def test_a_consumer_that_follows_hears_of_every_change_once(group: ApiGroup) -> None:
    first, second = group.game(), group.game()
    rows, seen = group.follow()
    assert [(row["id"], row["status"]) for row in rows] == [(first.id, "finished"), (second.id, "finished")]
    assert [row["change"] for row in rows] == [1, 2]
    assert group.follow(seen) == ([], seen)

    first.post("/reopen/")
    rows, seen = group.follow(seen)
    assert [(row["id"], row["status"], row["finished_at"]) for row in rows] == [(first.id, "playing", None)]

    first.play(FINISH)
    assert group.api.delete(second.path + "/", second.scorekeeper).status == 403
    assert group.api.delete(second.path + "/", group.owner).status == 204
    rows, seen = group.follow(seen)
    assert [(row["id"], row["status"]) for row in rows] == [(first.id, "finished"), (second.id, "gone")]
    assert set(rows[1]) == {"id", "status", "change"}

    group.delete(f"/games/{first.id}/")
    rows, seen = group.follow(seen)
    assert [(row["id"], row["status"]) for row in rows] == [(first.id, "gone")]
    assert group.follow(seen) == ([], seen)
    assert group.get(f"{group.path}/").json["changes"] == seen


def test_a_renamed_sheet_and_a_merged_player_are_changes(group: ApiGroup) -> None:
    table = group.game()
    group.game(names=("Anna", "Dan", "Eve"))
    _, seen = group.follow()

    table.post("/setup/", {"names": ["Ana", "Benno", "Cleo"]})
    rows, seen = group.follow(seen)
    assert [seat["name"] for seat in rows[0]["seats"]] == ["Ana", "Benno", "Cleo"]

    players = group.players()
    group.post(f"/players/{players['Anna']}/merge/", {"into": players["Ana"]})
    rows, _ = group.follow(seen)
    assert [row["seats"][0]["player"] for row in rows] == [players["Ana"]]


@pytest.mark.slow
@pytest.mark.parametrize("seed", rest_slow(range(3), quick=1))
def test_anyone_who_follows_page_by_page_while_much_happens_ends_with_the_truth(group: ApiGroup, seed: int) -> None:
    chance = random.Random(seed)
    tables = [group.game() for _ in range(4)]
    copy: dict[str, Json] = {}
    since, numbers = 0, []

    def read_a_page() -> bool:
        nonlocal since
        answer = group.get(f"/results/?changed_after={since}&size=1").json
        for row in answer["results"]:
            numbers.append(row["change"])
            copy.pop(row["id"], None)
            if row["status"] == "finished":
                copy[row["id"]] = {name: row[name] for name in row if name not in ("change", "status")}
        since = answer["changed_after"]
        return bool(answer["more"])

    for change in changes(group, tables, chance):
        change()
        if chance.random() < 0.6:
            read_a_page()
    while read_a_page():
        pass

    assert numbers == sorted(set(numbers))
    truth = {row["id"]: row for row in group.get("/results/?size=200").json["results"]}
    assert copy == truth


def changes(group: ApiGroup, tables: list[Any], chance: random.Random) -> Iterator[Any]:
    """Games that are reopened, corrected, finished, deleted, released."""
    first, second, third, fourth = tables
    steps = [
        [lambda: first.post("/reopen/"), lambda: first.play(*ROUND_OF_BEN), lambda: first.play(FINISH)],
        [lambda: second.post("/setup/", {"names": ["Ana", "Benno", "Cleo"]}), lambda: second.post("/lock/")],
        [lambda: group.api.delete(third.path + "/", third.scorekeeper)],
        [lambda: group.delete(f"/games/{fourth.id}/")],
    ]
    while any(steps):
        yield chance.choice([each for each in steps if each]).pop(0)


# --- files ---


def test_a_file_has_a_row_for_each_player_and_game(group: ApiGroup) -> None:
    newest_first = group.history(3)

    answer = group.get("/results/?format=csv")

    assert answer.response.headers["Content-Type"] == "text/csv; charset=utf-8"
    assert answer.response.headers["Content-Disposition"] == 'attachment; filename="njet-results.csv"'
    rows = table_of(answer.text)
    assert [(row["game"], row["name"]) for row in rows] == [
        (game, name) for game in newest_first for name in ("Ana", "Ben", "Cleo")
    ]
    assert {name: rows[2][name] for name in ("total", "rank", "winner", "shared", "rounds", "locked")} == {
        "total": "28",
        "rank": "1",
        "winner": "true",
        "shared": "false",
        "rounds": "1",
        "locked": "false",
    }


def test_a_file_of_rounds_has_a_row_for_each_player_and_round(group: ApiGroup) -> None:
    table = group.table(*ROUND_OF_THREE, *ROUND_OF_BEN, FINISH)

    rows = table_of(group.get("/results/rounds/?format=csv").text)

    assert [(row["game"], row["round"], row["name"]) for row in rows] == [
        (table.id, number, name) for number in "12" for name in ("Ana", "Ben", "Cleo")
    ]
    assert rows[2] == {
        "game": table.id,
        "mode": "table",
        "preset": "njet-english",
        "players": "3",
        "finished_at": rows[2]["finished_at"],
        "round": "1",
        "seat": "2",
        "player": group.players()["Cleo"],
        "name": "Cleo",
        "start": "Ana",
        "discard": "njet",
        "trump": "red",
        "supertrump": "njet",
        "points_per_trick": "2",
        "team": "Cleo",
        "opponents": "Ana, Ben",
        "monster": "Cleo",
        "tricks": "5",
        "captured": "2",
        "raw": "28",
        "points": "28",
        "outcome": "won",
    }
    assert [row["outcome"] for row in rows[:2]] == ["lost", "lost"]


def test_the_rounds_of_a_page_are_those_of_its_sheets(group: ApiGroup) -> None:
    table = group.table(*ROUND_OF_THREE, *ROUND_OF_BEN, FINISH)

    rows = group.get("/results/rounds/").json["results"]

    same = ("round", "seat", "name", "conditions", "teams", "monster", "tricks", "captured", "raw", "points")
    sheet = table.get("/sheet/").json
    assert [{name: row[name] for name in same} for row in rows] == [{name: row[name] for name in same} for row in sheet]


def test_no_name_in_a_file_is_taken_for_a_formula(group: ApiGroup) -> None:
    bad = ("=1+1", "@SUM(A1)", "-2")
    group.game(names=bad)

    for path in ("/results/", "/results/rounds/"):
        rows = table_of(group.get(f"{path}?format=csv").text)
        assert [row["name"] for row in rows] == [f"'{name}" for name in bad]
        assert not any(cell.startswith(("=", "+", "@")) for row in rows for cell in row.values())
        assert int(rows[0].get("seat", "0")) == 0


@pytest.mark.slow
@pytest.mark.parametrize("path", ["/results/", "/results/rounds/"])
def test_a_long_file_is_read_while_it_is_sent(group: ApiGroup, path: str) -> None:
    group.history(450, at_once=7)

    with CaptureQueriesContext(connection) as asked:
        parts = iter(group.get(f"{path}?format=csv").response.streaming_content)
        first = next(parts)
        before = len(asked)
        rest = b"".join(parts)

    # Three pages of 200 games: two of them are asked for after the first rows were sent.
    assert len(asked) - before >= 4
    rows = table_of((first + rest).decode())
    assert len(rows) == 3 * 450
    assert len({(row["game"], row["seat"]) for row in rows}) == 3 * 450


def test_no_log_is_read_for_a_list_or_a_file(group: ApiGroup) -> None:
    group.game()

    with CaptureQueriesContext(connection) as asked:
        for path in ("/results/", "/results/rounds/"):
            group.get(path)
            assert group.get(f"{path}?format=csv").text

    assert not [query for query in asked if "games_logentry" in query["sql"]]


def test_a_reopened_game_leaves_lists_and_files(group: ApiGroup) -> None:
    table = group.game()
    table.post("/reopen/")
    table.play(place("trump", "red"))

    for path in ("/results/", "/results/rounds/"):
        assert group.get(path).json["results"] == []
        assert table_of(group.get(f"{path}?format=csv").text) == []


def test_every_field_of_a_result_is_a_column_of_its_file_or_named_as_none() -> None:
    fields = {*ResultSerializer().fields, *ResultSeatSerializer().fields} - {"seats"}

    assert fields - set(ResultInFileSerializer.columns()) == {"id", "links"}
    assert "game" in ResultInFileSerializer.columns()


def test_every_field_of_a_round_is_a_column_of_its_file_or_several() -> None:
    fields, columns = set(RoundRowSerializer().fields), set(RoundRowSerializer.columns())

    assert fields - columns == set(SEVERAL_COLUMNS)
    assert columns - fields == {column for several in SEVERAL_COLUMNS.values() for column in several}


# --- who played before, and in which season ---


def test_a_result_says_who_played_before_and_its_seasons(group: ApiGroup) -> None:
    table = group.table(*ROUND_OF_THREE, *ROUND_OF_THREE, FINISH)
    assert table.post("/setup/", {"names": ["Ana", "Eve", "Cleo"], "since": 2}).status == 201
    finished(table.id, EVENING)
    season = {"name": "Winter", "since": "2026-11-01", "until": None}
    assert group.post("/seasons/", season).status == 201
    players = group.players()

    (row,) = group.get("/results/").json["results"]
    rounds = group.get("/results/rounds/").json["results"]

    assert row["seasons"] == ["Winter"]
    assert [seat["earlier"] for seat in row["seats"]] == [
        [],
        [{"player": players["Ben"], "name": "Ben", "until": 1}],
        [],
    ]
    assert [each["name"] for each in rounds if each["seat"] == 1] == ["Ben", "Eve"]
    of_eve = table_of(group.get("/results/?format=csv").text)[1]
    assert (of_eve["name"], of_eve["earlier"], of_eve["seasons"]) == ("Eve", "Ben (1–1)", "Winter")

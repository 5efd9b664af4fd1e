"""The log, and the sheet as JSON and as CSV."""

import csv
import io
from datetime import UTC, date, datetime

import pytest

from games.api.serializers.sheet import SheetRowSerializer
from games.formats.csv import SEMICOLON, SEVERAL_COLUMNS, written
from tests.api.client import FINISH, ROUND_OF_THREE, Api, Table, penalty, place, settle, tally, team

pytestmark = pytest.mark.any_database


def csv_of(table: Table, key: str | None = None) -> list[dict[str, str]]:
    answer = table.get("/sheet/?format=csv", key)
    assert answer.response.headers["Content-Type"] == "text/csv; charset=utf-8"
    return list(csv.DictReader(io.StringIO(answer.text, newline="")))


# --- log ---


def test_every_kind_of_entry(table: Table) -> None:
    table.play(*ROUND_OF_THREE)
    change = {"seq": 3, "action": tally([16, 0, 0])}
    table.amend(change)
    table.undo()
    table.post("/setup/", {"rounds": 1})
    table.post("/lock/")

    entries = table.get("/log/").json

    assert [entry["seq"] for entry in entries] == list(range(1, 8))
    assert [entry["kind"] for entry in entries] == ["conditions", "team", "tally", "amend", "undo", "setup", "lock"]
    assert [entry["action"] for entry in entries] == [*ROUND_OF_THREE, None, None, None, None]
    assert [entry["seat"] for entry in entries[:3]] == [0, 0, None]
    assert entries[3]["changes"] == [change]
    assert entries[4]["undoes"] == 4
    assert entries[5]["setup"]["options"]["rounds"] == 1
    assert set(entries[6]) == {"seq", "at", "kind", "seat", "action"}


def test_the_time_of_an_entry_is_in_utc(table: Table) -> None:
    table.play(place("trump", "red"))

    at = table.get("/log/").json[0]["at"]

    assert at.endswith("Z")
    assert abs((datetime.now(UTC) - datetime.fromisoformat(at)).total_seconds()) < 60


def test_the_log_after_an_entry(table: Table) -> None:
    table.play(*ROUND_OF_THREE)

    assert [entry["seq"] for entry in table.get("/log/?after=1").json] == [2, 3]
    assert [entry["seq"] for entry in table.get("/log/?after=0").json] == [1, 2, 3]
    assert table.get("/log/?after=3").json == []
    assert table.get("/log/?after=9007199254740991").json == []


def test_a_viewer_reads_the_whole_log_of_a_physical_table(table: Table) -> None:
    table.play(*ROUND_OF_THREE, penalty(1, -5))

    assert table.get("/log/", table.viewer).json == table.get("/log/").json


def test_the_log_betrays_no_key(table: Table) -> None:
    table.act(place("trump", "red"), request_id="private")

    assert "private" not in table.get("/log/", table.viewer).text


# --- sheet ---


def test_a_new_table_has_an_empty_sheet(table: Table) -> None:
    assert table.get("/sheet/").json == []
    assert csv_of(table) == []


def test_a_row_for_each_round_and_player(table: Table) -> None:
    table.play(*ROUND_OF_THREE, settle("1", "discard_1", "njet", "blue", "-2"), team(0, monster=2), tally([5, 5, 5]))

    rows = table.get("/sheet/").json

    assert [(row["line"], row["round"], row["name"]) for row in rows] == [
        ("round", number, name) for number in (1, 2) for name in ("Ana", "Ben", "Cleo")
    ]
    assert rows[0] == {
        "line": "round",
        "round": 1,
        "seat": 0,
        "name": "Ana",
        "dealer": 0,
        "conditions": {"start": 0, "discard": "njet", "trump": "red", "supertrump": "njet", "points": 2},
        "teams": [[0, 1], [2]],
        "monster": 2,
        "tricks": 6,
        "captured": 1,
        "raw": 24,
        "points": 24,
        "running_total": 24,
        "derivation": rows[0]["derivation"],
        "reason": None,
        "confirmed": False,
    }
    assert "(11 + 1) × 2 = 24" in rows[0]["derivation"]
    assert [row["running_total"] for row in rows] == [24, 24, 28, 4, 4, 8]
    assert rows[5]["derivation"].endswith("(5 + 0) × (−2) × 2 = −20")


def test_penalties_are_rows_after_the_round_that_they_follow(table: Table) -> None:
    table.play(penalty(2, -3, "late"), *ROUND_OF_THREE, penalty(0, -5), penalty(0, 2, "joke"))

    rows = table.get("/sheet/").json

    assert [row["line"] for row in rows] == ["penalty", "round", "round", "round", "penalty", "penalty"]
    assert [row["running_total"] for row in rows] == [-3, 24, 24, 25, 19, 21]
    assert rows[4]["reason"] == "revoke"
    assert (rows[4]["conditions"], rows[4]["tricks"], rows[4]["derivation"]) == (None, None, None)
    assert table.state["scores"]["totals"] == [21, 24, 25]


def test_by_difference_the_sheet_keeps_the_raw_scores_too(api: Api) -> None:
    table = api.open_table(score_record="difference")
    table.play(*ROUND_OF_THREE)

    rows = table.get("/sheet/").json

    assert [(row["raw"], row["points"], row["running_total"]) for row in rows] == [(24, 0, 0), (24, 0, 0), (28, 4, 4)]


def test_the_sheet_for_spreadsheets(table: Table) -> None:
    table.play(*ROUND_OF_THREE, penalty(1, -5))

    rows = csv_of(table, table.viewer)

    assert len(rows) == 4
    first, last = rows[0], rows[3]
    assert (first["round"], first["seat"], first["name"], first["dealer"]) == ("1", "0", "Ana", "Ana")
    assert (first["start"], first["trump"], first["supertrump"], first["discard"]) == ("Ana", "red", "njet", "njet")
    assert (first["points_per_trick"], first["points"], first["running_total"]) == ("2", "24", "24")
    assert (first["team"], first["opponents"], first["monster"]) == ("Ana, Ben", "Cleo", "Cleo")
    assert (last["line"], last["name"], last["points"], last["running_total"]) == ("penalty", "Ben", "-5", "19")
    assert (last["trump"], last["tricks"], last["reason"]) == ("", "", "revoke")
    file = table.get("/sheet/?format=csv").response.headers["Content-Disposition"]
    assert file == f'attachment; filename="njet-{table.id}.csv"'


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("A;=1+1", "A;'=1+1"),
        ("A; =1+1", "A;' =1+1"),
        ('A;"=1+1"', 'A;\'"=1+1"'),
        ("A;-1;@x;B", "A;'-1;'@x;B"),
        ("＝1+1", "'＝1+1"),
        ("A=1; B-2", "A=1; B-2"),
        ("x+y@z", "x+y@z"),
    ],
)
def test_no_text_holds_a_formula_where_cells_end_at_semicolons(api: Api, text: str, written: str) -> None:
    table = api.open_table(names=[text, "Ben", "Cleo"])
    table.play(*ROUND_OF_THREE, penalty(1, -5, text))

    rows = csv_of(table)

    assert (rows[0]["name"], rows[3]["reason"]) == (written, written)
    assert (rows[3]["points"], rows[0]["points"]) == ("-5", "24")


@pytest.mark.parametrize("end", "\t\n\v\f\r\x85\u2028\u2029")
def test_no_text_holds_a_formula_behind_what_ends_a_cell_or_a_line(end: str) -> None:
    (text,) = written(["a", "b"], [{"a": f"x{end}=1", "b": -1}])

    assert text == f'a,b\r\n"x{end}\'=1",-1\r\n'


def test_with_semicolons_no_text_holds_a_formula_where_cells_end_at_commas() -> None:
    (text,) = written(["a", "b"], [{"a": "A, =1;-2, B", "b": -1}], delimiter=SEMICOLON)

    assert text == "a;b\r\n\"A,' =1;'-2, B\";-1\r\n"


def test_texts_are_quoted_and_numbers_truth_values_times_and_what_is_missing_are_not() -> None:
    values = [None, True, -12, date(2026, 11, 21), datetime(2026, 11, 21, 3, 30, 0, 9), '"a", b', "", "7"]
    columns = [str(number) for number in range(len(values))]

    (text,) = written(columns, [dict(zip(columns, values, strict=True))])

    assert text.splitlines()[1] == ',true,-12,2026-11-21,2026-11-21 03:30:00,"""a"", b","","7"'


def test_the_sheet_keeps_its_columns_for_a_reader_that_guesses_the_delimiter(api: Api) -> None:
    table = api.open_table(names=["A;b", "B\tc", "C|d"])
    table.play(*ROUND_OF_THREE, penalty(1, -5, "a; b, c"))
    text = table.get("/sheet/?format=csv").text

    dialect = csv.Sniffer().sniff(text)
    rows = list(csv.reader(io.StringIO(text, newline=""), dialect))

    assert dialect.delimiter == ","
    assert {len(row) for row in rows} == {21}
    assert (rows[1][3], rows[4][-2]) == ("A;b", "a; b, c")


@pytest.mark.parametrize("evil", ["=1+1", "+1", "-1", "@SUM(A1)", "=HYPERLINK(1)"])
def test_no_text_starts_a_formula(api: Api, evil: str) -> None:
    table = api.open_table(names=[evil, "Ben", "Cleo"])
    table.play(*ROUND_OF_THREE, penalty(1, -5, evil))

    rows = csv_of(table)

    assert rows[0]["name"] == f"'{evil}"
    assert rows[0]["dealer"] == f"'{evil}"
    assert rows[0]["team"] == f"'{evil}, Ben"
    assert rows[3]["reason"] == f"'{evil}"
    assert not [cell for row in rows for cell in row.values() if cell.startswith(("=", "+", "@"))]
    assert table.get("/sheet/").json[0]["name"] == evil


def test_negative_points_stay_numbers(table: Table) -> None:
    table.play(settle("0", "njet", "red", "njet", "-2"), *ROUND_OF_THREE[1:])

    row = csv_of(table)[0]

    assert (row["points"], row["points_per_trick"], row["running_total"]) == ("-24", "-2", "-24")


def test_a_name_with_commas_quotes_and_other_alphabets(api: Api) -> None:
    names = ['A, "B"', "Žofie", "李"]
    table = api.open_table(names=names)
    table.play(*ROUND_OF_THREE)

    assert [row["name"] for row in csv_of(table)] == names


def test_the_sheet_shows_corrected_names(table: Table) -> None:
    table.play(*ROUND_OF_THREE, FINISH)
    table.post("/setup/", {"names": ["Anna", "Ben", "Cleo"]})

    assert table.get("/sheet/").json[0]["name"] == "Anna"


def test_the_sheet_speaks_of_no_monster_where_the_edition_has_none(api: Api) -> None:
    table = api.open_table(preset="goldsieber-dutch")
    table.play(settle("0", "njet", "red", "blue", "2"), team(monster=0), tally([6, 3, 3], [1, 0, 1]))

    derivations = [row["derivation"] for row in (*table.get("/sheet/").json, *csv_of(table))]

    assert "Ana: 6 tricks and 1 captured card, doubled, playing alone · " in derivations[0]
    assert not [shown for shown in derivations if "monster" in shown]


def test_every_field_of_the_sheet_is_a_column_of_its_file_or_several(table: Table) -> None:
    table.play(*ROUND_OF_THREE)

    columns = set(csv_of(table)[0])

    assert set(SheetRowSerializer().fields) - columns == set(SEVERAL_COLUMNS)

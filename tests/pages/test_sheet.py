"""Looking back: the sheet as the paper pad, its chart and file, the history of the entries, the rules of the table."""

from __future__ import annotations

import csv
import io

import pytest
from pytest_django import Settings

from games.models import LogEntry
from tests.builders import dutch, english, french, italian
from tests.cast.pages import Page, Phone, sit_down
from tests.cast.tables import ROUND_1, ROUND_2, Table, after, instead, without

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


def lines(page: Page) -> list[list[str]]:
    """The sheet as rows of texts, the notes among them left out."""
    table = page.root.one("table", class_="sheet")
    rows = [row for row in table.all("tr") if "conditions" not in row.attrs.get("class", "")]
    return [[cell.text for cell in row if cell.tag in ("th", "td")] for row in rows]


def conditions(page: Page) -> list[str]:
    """What is marked under the rounds and penalties."""
    return page.texts("tr", class_="conditions")


# --- the sheet ---


def test_the_sheet_is_there_from_the_start_with_a_dash_for_each_round(table: Table, ana: Phone) -> None:
    page = ana.open("sheet")

    assert lines(page) == [["Round", "A Ana 0", "B Ben 0", "C Cleo 0"], ["1 Ana deals A", "–", "–", "–"]]
    assert page.texts("p", class_="more") == ["then 1 more round · Ben deals it"]
    assert "The race" not in page.text


def test_an_incomplete_round_shows_a_dash_and_never_a_number(round_2: Table, ana: Phone) -> None:
    round_2.record("open 1 njet red green 3", "team 0 monster 2", *["trick 0+1"] * 5)

    page = ana.open("sheet")

    assert lines(page)[0] == ["Round", "A Ana 24", "B Ben 18", "C Cleo 18"]
    assert lines(page)[2:] == [["2 Ben deals B", "–", "–", "–"]]


def test_the_sheet_has_points_running_totals_dealer_monster_and_conditions(finished: Table, ana: Phone) -> None:
    page = ana.open("sheet")

    assert lines(page) == [
        ["Round", "A Ana 54", "B Ben 48", "C Cleo 48"],
        ["1 Ana deals A", "×2 scores double +24 24", "+18 18", "+18 18"],
        ["2 Ben deals B", "+30 54", "+30 48", "×2 scores double +30 48"],
    ]
    assert page.texts("summary") == [
        "Round 1 in detail. Ana starts. Nothing is discarded. Blue is trump. Black 1s are super trumps. 2 a trick. "
        "A starts njet discard B trump 1 super 2 a trick",
        "Round 2 in detail. Ben starts. Nothing is discarded. Red is trump. Green 1s are super trumps. 3 a trick. "
        "B starts njet discard R trump 1 super 3 a trick",
    ]
    teams = [
        [cell.attrs["class"] for cell in row.all("td") if cell.attrs.get("class")]
        for row in page.root.one("table", class_="sheet").all("tr")
    ]
    assert [row for row in teams if row] == [
        ["is-with", "is-against", "is-against"],
        ["is-with", "is-with", "is-against"],
    ]


def test_negative_points_are_printed_with_a_minus(db: None) -> None:
    table = Table(english(2, rounds=1), "open 0 njet red blue -2", "tally 10+1 5")

    page = sit_down(table).open("sheet")

    assert lines(page)[1:] == [["1 Ana deals A", "−22 −22", "−10 −10"]]


def test_penalties_are_lines_of_their_own_where_they_were_agreed(table: Table, ana: Phone) -> None:
    table.record("penalty 1 -5 late", *ROUND_1, "penalty 2 3 kindness", "penalty 0 -1 noise", *ROUND_2)

    page = ana.open("sheet")

    assert lines(page) == [
        ["Round", "A Ana 53", "B Ben 43", "C Cleo 51"],
        ["Penalty ±", "0", "−5 −5", "0"],
        ["1 Ana deals A", "×2 scores double +24 24", "+18 13", "+18 18"],
        ["Penalty ±", "24", "13", "+3 21"],
        ["Penalty ±", "−1 23", "13", "21"],
        ["2 Ben deals B", "+30 53", "+30 43", "×2 scores double +30 51"],
    ]
    assert [note for note in conditions(page) if ":" in note and "Round" not in note] == [
        "Ben: late",
        "Cleo: kindness",
        "Ana: noise",
    ]


def test_after_an_early_end_no_round_is_left_open(round_2: Table, ana: Phone) -> None:
    round_2.record("finish")

    assert [row[0] for row in lines(ana.open("sheet"))] == ["Round", "1 Ana deals A"]


def test_each_round_is_spelled_out_and_leads_to_its_correction(finished: Table, ana: Phone, cleo: Phone) -> None:
    page = ana.open("sheet")

    assert page.texts("p", class_="formula") == [
        "(5 + 1) × 2 × 2 = 24",
        "(7 + 2) × 2 = 18",
        "(8 + 2) × 3 = 30",
        "(4 + 1) × 3 × 2 = 30",
    ]
    links = [node.attrs["href"] for node in page.root.all("a") if node.text == "Correct this round"]
    assert links == [ana.address_of("correct", 1), ana.address_of("correct", 2)]
    assert "Correct this round" not in cleo.open("sheet").text


def test_the_sheet_says_what_a_reader_should_know(db: None) -> None:
    def note(setup: object) -> str:
        return " ".join(sit_down(Table(setup)).open("sheet").texts("p", class_="hint")[:-1])

    assert note(english(4)) == ""
    assert note(english(4, score_record="difference")) == "Only the difference between the teams is written down."
    assert note(french(4)) == "Captured cards count from everybody, partners too."


def test_the_difference_stands_on_the_sheet_and_the_scores_beside_it(db: None) -> None:
    setup = english(5, rounds=1, score_record="difference")
    table = Table(setup, "open 0 njet black blue 2", "team 1 2 monster 4", "tally 3+1 2+1 2+1 3 2+1")

    page = sit_down(table).open("sheet")

    assert [name.rpartition(" ")[2] for name in lines(page)[0][1:]] == ["2", "2", "2", "0", "0"]
    assert "On the sheet: 20 − 18 = 2" in page.text


def test_a_corrected_round_is_marked_and_says_what_it_was(finished: Table, ana: Phone) -> None:
    finished.amend(instead(3, "tally 6+1 3+1 3+1"))
    finished.amend(instead(3, "tally 4+1 4+1 4+1"))

    page = ana.open("sheet")

    assert [row[0] for row in lines(page)] == ["Round", "1 corrected Ana deals A", "2 Ben deals B"]
    assert "corrected" in page.root.one("p", class_="legend").text
    assert [text for text in page.texts("p") if text.startswith("✎")] == [
        "✎ Corrected: Ana: tricks 5 → 6; Ben: tricks 4 → 3",
        "✎ Corrected: Ana: tricks 6 → 4; Ben: tricks 3 → 4; Cleo: tricks 3 → 4",
    ]


def test_a_correction_that_was_taken_back_leaves_no_mark(finished: Table, ana: Phone) -> None:
    finished.amend(instead(3, "tally 6+1 3+1 3+1"))
    finished.undo()

    page = ana.open("sheet", corrected="7")
    assert "✎" not in page.text
    assert not page.root.all(role="status")
    assert "corrected" not in page.root.one("p", class_="legend").text


# --- the chart ---


def test_the_race_is_drawn_once_a_round_is_complete(finished: Table, ana: Phone) -> None:
    chart = ana.open("sheet").root.one("svg", class_="chart")

    assert chart.attrs["aria-label"] == "Totals after 2 rounds: Ana 54, Ben 48, Cleo 48."
    assert [line.attrs["class"] for line in chart.all("g")] == ["own t-bear", "own t-wolf", "own t-falcon"]
    assert [text.text for text in chart.all("text", class_="name")] == ["Ana 54", "Ben 48", "Cleo 48"]


@pytest.mark.parametrize("language", ["de", "fr", "nl", "it"])
def test_the_chart_is_drawn_alike_in_every_language(finished: Table, settings: Settings, language: str) -> None:
    settings.LANGUAGES = [("en", "English"), (language, language)]
    phone = sit_down(finished)
    english_page = phone.open("sheet")

    phone.client.defaults["HTTP_ACCEPT_LANGUAGE"] = language
    page = phone.open("sheet")
    assert page.root.one("html").attrs["lang"] == language

    def drawn(page: Page) -> list[dict[str, str]]:
        chart = page.root.one("svg", class_="chart")
        return [{**node.attrs, "aria-label": ""} for node in chart]

    assert drawn(page) == drawn(english_page)


# --- the file ---


def test_the_sheet_as_a_file_has_a_line_for_each_round_and_player(finished: Table, ana: Phone) -> None:
    finished.undo()
    finished.record("penalty 1 -5 late", "tally 4 4+2 4+1")

    response = ana.client.get(ana.address_of("sheet_csv"))

    assert response.headers["Content-Type"] == "text/csv; charset=utf-8"
    rows = list(csv.DictReader(io.StringIO(response.content.decode("utf-8-sig"))))
    assert [(row["line"], row["round"], row["name"], row["points"], row["running_total"]) for row in rows] == [
        ("round", "1", "Ana", "24", "24"),
        ("round", "1", "Ben", "18", "18"),
        ("round", "1", "Cleo", "18", "18"),
        ("penalty", "1", "Ben", "-5", "13"),
        ("round", "2", "Ana", "30", "54"),
        ("round", "2", "Ben", "30", "43"),
        ("round", "2", "Cleo", "30", "48"),
    ]
    assert rows[3]["reason"] == "late"
    assert rows[0]["monster"] == "Ana"
    assert rows[0]["derivation"] == "Ana: 5 tricks and 1 captured card, doubled, playing alone · (5 + 1) × 2 × 2 = 24"


def test_a_name_that_a_spreadsheet_would_calculate_is_a_text_in_the_file(db: None) -> None:
    table = Table(dutch(3, rounds=1), *ROUND_1)
    table.correct(names=["=1+1", "@Ben", "Cleo"])

    response = sit_down(table).client.get(f"/g/{table.id}/sheet.csv")

    rows = list(csv.DictReader(io.StringIO(response.content.decode())))
    assert [row["name"] for row in rows] == ["'=1+1", "'@Ben", "Cleo"]


def test_the_file_of_a_game_without_a_round_has_a_heading_only(table: Table, ana: Phone) -> None:
    response = ana.client.get(ana.address_of("sheet_csv"))

    assert len(response.content.decode().splitlines()) == 1


def test_names_are_shown_as_they_are_and_never_as_markup(db: None) -> None:
    table = Table(dutch(3), *ROUND_1)
    table.correct(names=["<b>Ana</b>", "&amp;", '"Cleo"'])
    table.record("penalty 1 -5 <script>alert(1)</script>")
    phone = sit_down(table, label="<i>x</i>")

    for name in ("table", "screen", "sheet", "history", "phones", "menu", "setup", "penalty", "delete", "home", "new"):
        page = phone.open(name)

        assert "<b>Ana</b>" not in page.html
        assert "<script>alert" not in page.html
        assert "<i>x</i>" not in page.html


# --- who entered what ---


def shown(page: Page) -> list[str]:
    """The history, the latest entry first."""
    return [entry.one("p").text for entry in page.root.all("article")]


def struck(page: Page) -> list[int]:
    """The entries that are shown as not counting."""
    return [
        int(entry.one("p").text.partition(".")[0])
        for entry in page.root.all("article")
        if "is-gone" in entry.attrs["class"].split()
    ]


def test_the_history_tells_every_entry_with_who_and_when(table: Table, ana: Phone, ben: Phone) -> None:
    ana.open(board="").press("Cover red")
    ben.open().press("Cover 4 points")

    page = ben.open("history")

    assert shown(page) == ["2. Cleo covered 4 points", "1. Ben covered red trump"]
    whos = [entry.one("small").text for entry in page.root.all("article")]
    assert whos[0].startswith("Ben’s phone · ")
    assert whos[1].startswith("Phone 1 · ")
    assert page.root.one("h2").text.startswith("Round 1 ")
    at = LogEntry.objects.get(game=table.id, seq=1).at
    assert page.root.all("time")[2].attrs["datetime"] == at.isoformat()


def test_every_kind_of_entry_is_shown(table: Table, ana: Phone) -> None:
    table.record("trump red", "points 4")
    table.undo()
    table.amend(instead(1, "trump blue"))
    table.correct(dealer=1)
    table.record("penalty 1 -5 late", "void misdeal", *ROUND_1, "finish")
    table.lock()

    assert shown(ana.open("history")) == [
        "12. Result confirmed",
        "11. Game finished early",
        "10. Round counted, tricks (captured): Ana 5 (1), Ben 4 (1), Cleo 3 (1)",
        "9. Ana plays alone and scores double",
        "8. Board: Ana starts, nothing is discarded, blue is trump, black 1s are super trumps, 2 a trick",
        "7. Dealt again: misdeal",
        "6. Ben −5: late",
        "5. Set-up corrected",
        "4. Round 1 is corrected: Cleo covered blue trump (before: Cleo covered red trump)",
        "3. Taken back: Ana covered 4 points",
        "2. Ana covered 4 points",
        "1. Cleo covered red trump",
    ]


def test_what_was_entered_first_stays_readable_after_a_correction(round_2: Table, ana: Phone) -> None:
    round_2.amend(instead(3, "tally 6+1 3+1 3+1"))

    assert shown(ana.open("history"))[:2] == [
        "4. Round 1 is corrected: Ana: tricks 5 → 6; Ben: tricks 4 → 3",
        "3. Round counted, tricks (captured): Ana 5 (1), Ben 4 (1), Cleo 3 (1)",
    ]


def test_the_figures_of_a_counted_round_are_shown_beside_the_tokens(round_2: Table, ana: Phone) -> None:
    round_2.undo()
    round_2.record("tally 5+2 4 3")

    counted = ana.open("history").root.all("article")[0]

    assert [each.text for each in counted.one("ul", class_="tallied").all("li")] == ["A 5 1 2", "B 4", "C 3"]


def test_deleted_and_inserted_entries_are_shown(round_2: Table, ana: Phone) -> None:
    round_2.record("trump red", "points 4", "trump blue")
    round_2.amend(without(5), after(4, "points 3"))

    assert shown(ana.open("history"))[0] == "7. Round 2 is corrected: entry 5 deleted; inserted: Ana covered 3 points"


def test_what_counts_no_longer_is_struck_out(round_2: Table, ana: Phone) -> None:
    round_2.record("trump red", "points 4", "trump blue")
    round_2.undo()
    round_2.amend(without(5))
    round_2.correct(names=["Ana", "Ben", "Eve"])

    assert struck(ana.open("history")) == [6, 5]


def test_a_correction_that_was_taken_back_is_struck_out(round_2: Table, ana: Phone) -> None:
    round_2.amend(instead(3, "tally 6+1 3+1 3+1"))
    round_2.undo()

    assert struck(ana.open("history")) == [4]


def test_what_was_corrected_is_struck_out_and_the_correction_is_not(round_2: Table, ana: Phone) -> None:
    round_2.amend(instead(3, "tally 6+1 3+1 3+1"))

    assert struck(ana.open("history")) == [3]


def test_confirming_the_result_strikes_nothing_out(finished: Table, ana: Phone) -> None:
    finished.amend(instead(3, "tally 6+1 3+1 3+1"))
    finished.correct(names=["Ana", "Ben", "Eve"])

    finished.lock()

    assert struck(ana.open("history")) == [3]


def test_each_entry_leads_to_its_correction_and_to_undoing_back_to_it(round_2: Table, ana: Phone) -> None:
    round_2.record("trump red")
    page = ana.open("history")

    entry = page.root.all("article")[0]
    assert [node.attrs["href"] for node in entry.all("a")] == [
        f"{ana.address_of('correct_entries', 2)}?entry=4.0#e4.0",
        f"{ana.address_of('correct_entries', 2)}?entry=4.0&insert#e4.0-insert",
        ana.address_of("undo_to", 4),
    ]
    assert entry.one("button").attrs["name"] == "e4.0-delete"
    target = ana.open("correct_entries", 2, entry="4.0")
    assert [each.attrs["id"] for each in target.root.all("details", has="open")] == ["e4.0"]
    target = ana.open("correct_entries", 2, entry="4.0", insert="")
    assert [each.attrs.get("id") for each in target.root.all("details", has="open")] == ["e4.0", None]


def test_a_viewer_reads_the_history_and_changes_nothing(round_2: Table, cleo: Phone) -> None:
    page = cleo.open("history")

    assert len(shown(page)) == 3
    assert not page.root.all("nav")


def test_before_the_first_entry_the_history_says_so(table: Table, ana: Phone) -> None:
    assert "Nothing has been entered yet." in ana.open("history").text


def test_entries_of_a_program_are_shown_with_its_key(table: Table, ana: Phone) -> None:
    table.key.label = "API scorekeeper"
    table.key.save()
    table.record("trump red")

    assert "API scorekeeper · " in ana.open("history").text


# --- the rules of the table ---


def test_the_rules_say_what_this_table_agreed_on(db: None) -> None:
    page = sit_down(Table(italian(rounds=5, must_trump_when_void=True))).open("rules")

    agreed = page.root.all("dl")[-1]
    shown = dict(zip((n.text for n in agreed.all("dt")), (n.text for n in agreed.all("dd")), strict=True))
    assert shown == {
        "First marker": "left of the dealer",
        "Rounds": "5",
        "Suit of a super trump": "its printed colour",
        "Duty to trump": "yes",
        "Captured cards count from": "opponents",
        "On the sheet": "full scores",
        "Start player row": "used",
        "Discarding": "after the teams",
    }


@pytest.mark.parametrize("name", ["screen", "sheet", "history", "rules", "menu", "phones"])
def test_every_page_that_looks_back_leads_back(finished: Table, cleo: Phone, name: str) -> None:
    page = cleo.open(name)

    back = page.root.all("a", class_="icon")[0]

    assert back.attrs["href"] in (cleo.address_of("table"), cleo.address_of("menu"))
    assert back.name in ("Back to the table", "Back")

"""The table page while tricks are counted, one by one or at once, for who records and who watches."""

from __future__ import annotations

import pytest

from tests.builders import dutch, english, french
from tests.cast.pages import Phone, page_of, sit_down
from tests.cast.tables import ROUND_1, ROUND_2, Table

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


# --- counting ---


def test_the_conditions_are_shown_during_the_whole_round(db: None) -> None:
    table = Table(english(5), "open 0 pass_2_right red njet -2")
    phone = sit_down(table)

    for lines in ("team 1 monster 0",), ("trick 0",), ():
        strip = phone.open().root.one("ul", class_="strip")

        assert [item.one("span", class_="sr").text for item in strip.all("li")] == [
            *("Ana starts", "Everybody passes 2 right", "Red is trump", "No super trump", "−2 a trick")
        ]
        table.record(*lines)


def test_tricks_are_counted_one_by_one_with_what_is_still_to_come(db: None) -> None:
    table = Table(
        english(4), "open 0 discard_1 red blue 2", "team 1", *["trick 0+1"] * 4, *["trick 2+2"] * 4, "trick 3"
    )

    page = page_of(table)

    assert page.root.one("p", class_="progress").text == "9 of 14 tricks 12 zeros captured"
    assert "Who wins trick 10? Dan leads." in page.text
    rows = page.root.all("button", class_="choice")
    assert [row.text for row in rows] == ["A Ana 4 0 4", "B Ben 0 0 0", "C Cleo 4 0 8", "D Dan 1 0 0"]
    assert [row.attrs["title"] for row in rows] == [
        *("4 tricks · 4 captured", "0 tricks", "4 tricks · 8 captured", "1 trick")
    ]
    assert [row.attrs["class"] for row in rows] == [
        *("choice is-a", "choice is-a", "choice is-b", "choice is-b is-leading")
    ]


def test_a_number_that_is_impossible_leaves_its_place_empty(db: None) -> None:
    tricks = ["trick 0+2"] * 5 + ["trick 2+1"]

    page = page_of(Table(english(4), "open 0 njet red blue 2", "team 1", *tricks))

    assert "11 zeros captured" in page.text
    assert page.offers("Ben wins the trick and captures 1")
    assert not page.offers("Ben wins the trick and captures 2")
    assert [[slot.text for slot in row.all(class_="plus")] for row in page.root.all("div", class_="winner")] == [
        ["1", ""]
    ] * 4


def test_a_whole_round_is_counted_with_figures(table: Table, ana: Phone) -> None:
    table.record(*ROUND_1[:2])
    page = ana.open().press("Whole round")
    assert "12 tricks in all" in page.text
    assert page.root.one(has="data-sum-tricks").attrs["data-sum-tricks"] == "%s of 12 tricks"
    button = page.root.one("button", form="tally")
    assert button.attrs["data-missing"] == "Tricks: {rest} missing"
    assert button.attrs["data-many"] == "Captured: {sum}, at most {most}"
    limits = page.root.one("form", id="tally").attrs
    assert (limits["data-tricks"], limits["data-least"], limits["data-most"]) == ("12", "0", "8")

    page = page.fill_in(
        {"tricks-0": "5", "tricks-1": "4", "tricks-2": "3"} | {"captured-0": "1", "captured-1": "1", "captured-2": "1"},
        press="Count the round",
    )

    assert "(5 + 1) × 2 × 2 = 24" in page.text
    assert table.state.totals == (24, 18, 18)


@pytest.mark.parametrize("htmx", [False, True], ids=["page", "fragment"])
def test_an_impossible_tally_is_refused_with_the_missing_sum_and_kept(table: Table, htmx: bool) -> None:
    table.record(*ROUND_1[:2])
    phone = Phone(htmx=htmx).sits(table, table.key)
    page = phone.open(count="tally")

    page = page.fill_in({"tricks-0": "5", "tricks-1": "4", "captured-0": "1"}, press="Count the round")

    assert page.status == 422
    assert page.is_fragment is htmx
    assert page.code == "wrong_trick_sum"
    typed = page.fields("Count the round")
    assert [typed[f"tricks-{seat}"] for seat in range(3)] == ["5", "4", ""]
    assert [typed[f"captured-{seat}"] for seat in range(3)] == ["1", "", ""]
    page = page.fill_in({"tricks-2": "3"}, press="Count the round")
    assert page.status == 200
    assert table.state.finished


def test_the_message_of_a_refused_tally_has_the_focus_and_goes_alone(table: Table, ana: Phone) -> None:
    table.record(*ROUND_1[:2])

    page = ana.open(count="tally").fill_in({"tricks-0": "5"}, press="Count the round")

    notice = page.root.one("div", role="alert")
    assert "autofocus" in notice.attrs
    assert notice.one("a").attrs["href"] == "#tally"
    assert page.root.one("form", class_="tally").attrs["id"] == "tally"


def test_a_phone_remembers_how_it_counts(table: Table, ana: Phone, cleo: Phone) -> None:
    table.record(*ROUND_1[:2])
    assert not ana.open().offers("Count the round")

    ana.open(count="tally")
    assert ana.open().offers("Count the round")
    assert ana.open().root.one(id="table").attrs["data-query"] == "?count=tally"
    assert not Phone().sits(table, table.other_key()).open().offers("Count the round")
    assert cleo.open().root.one(id="table").attrs["data-query"] == ""

    ana.open(count="trick")
    assert not ana.open().offers("Count the round")


def test_a_refused_tally_is_shown_although_the_phone_has_begun_to_count_trick_by_trick(
    table: Table, ana: Phone
) -> None:
    table.record(*ROUND_1[:2])
    page = ana.open(count="tally")
    ana.open(count="trick")

    page = page.fill_in({"tricks-0": "5", "captured-1": "x"}, press="Count the round")

    assert page.status == 400
    assert page.fields("Count the round")["tricks-0"] == "5"
    assert page.root.one("p", id="captured-1-error").text


@pytest.mark.parametrize(
    ("tricks", "captured", "code"),
    [
        ("5 4 4", "0 0 0", "wrong_trick_sum"),
        ("12 0 0", "0 1 0", "captured_without_trick"),
        ("1 1 10", "3 0 0", "too_many_captured"),
        ("4 4 4", "4 3 2", "captured_sum_too_large"),
        ("-1 8 5", "0 0 0", "negative_count"),
        ("4.5 4 4", "0 0 0", "wrong_type"),
    ],
)
def test_every_impossible_tally_is_refused(table: Table, ana: Phone, tricks: str, captured: str, code: str) -> None:
    table.record(*ROUND_1[:2])
    figures = {f"tricks-{seat}": value for seat, value in enumerate(tricks.split())}
    figures |= {f"captured-{seat}": value for seat, value in enumerate(captured.split())}

    page = ana.open(count="tally").fill_in(figures, press="Count the round")

    assert code in page.code.split()
    assert not table.state.finished


def test_where_everybodys_cards_count_too_few_captures_are_refused(db: None) -> None:
    table = Table(french(4), "open 0 njet red blue 2", "team 1")

    page = page_of(table, count="tally").fill_in({"tricks-0": "10", "captured-0": "7"}, press="Count the round")

    assert page.code == "captured_sum_too_small"


def test_a_table_changes_from_counting_at_once_to_trick_by_trick_and_back_between_rounds(db: None) -> None:
    table = Table(dutch(3, rounds=4), *ROUND_1, *ROUND_2[:2])
    phone = sit_down(table)

    page = phone.open().press("Tricks")
    assert not page.offers("Count the round")
    page = page.press("Ben wins the trick")
    assert page.offers("Ben wins the trick")
    table.record(*["trick 1"] * 10)
    phone.open().press("Ana wins the trick")
    assert [bool(done.tricks) for done in table.state.finished] == [False, True]

    table.record("open 2 njet red black 1", "team 1 monster 0")
    assert phone.open().offers("Ben wins the trick")
    phone.open().press("Whole round").fill_in({"tricks-0": "5", "tricks-1": "7"}, press="Count the round")
    assert [bool(done.tricks) for done in table.state.finished] == [False, True, False]


def test_tricks_that_were_counted_give_way_to_the_count_of_the_whole_round(table: Table, ana: Phone) -> None:
    table.record(*ROUND_1[:2], "trick 0", "trick 2")

    page = ana.open(count="tally")
    fields = page.fields("Count the round")
    assert [fields[f"tricks-{seat}"] for seat in range(3)] == ["1", "0", "1"]
    page.fill_in({"tricks-0": "5", "tricks-1": "7", "tricks-2": ""}, press="Count the round")

    (done,) = table.state.finished
    assert ([won.tricks for won in done.won], done.tricks) == ([5, 7, 0], ())


def test_the_last_trick_counts_the_round(table: Table, ana: Phone) -> None:
    table.record(*ROUND_1[:2], *["trick 0"] * 11)

    page = ana.open().press("Ben wins the trick")

    assert "Round 1" in page.root.one("section", class_="result").text
    assert table.state.totals == (44, 2, 2)


# --- a viewer while tricks are counted ---


@pytest.mark.parametrize("count", ["tally", "trick"])
def test_a_viewer_reads_the_count_and_finds_nothing_to_fill_in(table: Table, cleo: Phone, count: str) -> None:
    table.record("open 0 njet blue black 2", "team alone monster 0", "trick 1+1", "trick 0", "trick 1")

    page = cleo.open(count=count)

    assert not page.root.all("input", type="number")
    assert not page.root.all("button", class_="step")
    assert "3 of 12 tricks" in page.text
    assert [line.text for line in page.root.one("ul", class_="counts").all("li")] == [
        "A Ana ×2 1 1 0 1 trick",
        "B Ben 2 1 1 2 tricks · 1 captured",
        "C Cleo 0 1 0 0 tricks",
    ]


def test_a_viewer_of_a_round_that_is_counted_at_its_end_sees_no_zeros(round_2: Table, cleo: Phone) -> None:
    round_2.record("open 1 njet red green 3", "team 0 monster 2")

    page = cleo.open()

    assert not page.root.all("input", type="number")
    assert "12 tricks in all" in page.text
    assert "The figures appear when the round has been counted." in page.text
    assert not page.root.all("ul", class_="counts")

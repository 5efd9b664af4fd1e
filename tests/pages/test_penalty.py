"""A penalty: what it takes or gives, for a player or a team, on the result's page, and corrected from the sheet."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from games.keys import registry
from games.models import Role
from games.rules import AddPenalty
from tests.api.client import Api
from tests.builders import dutch, english
from tests.cast.pages import Page, Phone, sit_down
from tests.cast.tables import ROUND_1, ROUND_2, Table, stored

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

FIVE = ("open 0 njet black blue 2", "team 1 2 monster 4", "tally 3+1 2+1 2+1 3 2+1")


def by_page(table: Table) -> None:
    """Undo on the page of the table."""
    sit_down(table).post("undo", sure="1")


def by_rest(table: Table) -> None:
    """Undo by a program."""
    key = registry.issue(game=table.game, role=Role.SCOREKEEPER, program=True)
    assert Api().post(f"/games/{table.id}/undo/", {}, key.secret).status == 201


def notes(page: Page) -> list[str]:
    """The places of the standings in which a penalty stands."""
    return [line.text for line in page.root.one("ol", class_="standings").all("li") if "penalty" in line.text]


@pytest.mark.parametrize(
    ("way", "points", "change"),
    [("takes", "10", -10), ("takes", "-10", -10), ("takes", "−10", -10), ("gives", "10", 10), ("gives", " +10", 10)],
)
def test_a_penalty_does_what_was_chosen(table: Table, ana: Phone, way: str, points: str, change: int) -> None:
    ana.open("penalty").press("Note the penalty", seat="2", way=way, points=points, reason="late")

    assert table.state.totals == (0, 0, change)


@pytest.mark.parametrize(("way", "points"), [("takes", "+10"), ("gives", "-10"), ("gives", "−10"), ("burns", "10")])
def test_a_sign_that_says_the_opposite_is_refused(table: Table, ana: Phone, way: str, points: str) -> None:
    before = stored(table.id)

    page = ana.post("penalty", seat="2", way=way, points=points, reason="late")

    assert (page.status, page.code) == (400, "wrong_type")
    assert page.fields("Note the penalty")["points"] == points
    assert stored(table.id) == before


def test_a_whole_team_is_punished_in_one_write() -> None:
    table = Table(english(5), *FIVE)
    before = table.state.totals

    page = sit_down(table).open("penalty").press("Note the penalty", seat="0-1-2", points="4", reason="talk")

    assert page.status == 200
    assert [after - was for after, was in zip(table.state.totals, before, strict=True)] == [-4, -4, -4, 0, 0]
    assert [(each.seat, each.after_round) for each in table.state.penalties] == [(0, 1), (1, 1), (2, 1)]


@pytest.mark.parametrize("way", [by_page, by_rest])
@pytest.mark.parametrize("lines", [(), ("trump red",), FIVE[:2]], ids=["first", "placing", "tricks"])
def test_a_team_s_penalty_is_taken_back_as_a_whole(way: Callable[[Table], object], lines: Sequence[str]) -> None:
    table = Table(english(5), *lines)
    before = table.state
    sit_down(table).post("penalty", seat="1-3", way="takes", points="4", reason="talk")
    assert table.state.totals == (0, -4, 0, -4, 0)

    way(table)

    assert table.state == before


def test_a_team_s_penalty_is_named_once_and_is_no_correction_of_a_round() -> None:
    table = Table(english(5), *FIVE)
    phone = sit_down(table)
    phone.post("penalty", seat="0-1-2", way="takes", points="4", reason="talk")

    assert phone.open().offers("Take back: Ana, Ben and Cleo −4: talk")
    assert "Corrected" not in phone.open("sheet").text
    assert "Ana, Ben and Cleo −4: talk" in phone.open("history").text


def test_a_player_s_part_of_a_team_s_penalty_is_corrected_from_its_row_of_the_sheet() -> None:
    table = Table(english(5), *FIVE)
    before = table.state.totals
    phone = sit_down(table)
    phone.post("penalty", seat="3-4", way="takes", points="4", reason="talk")

    form = phone.open("sheet").press("Correct the penalty “Eve: talk”")
    form.fill_in({"e4.2-points": "3"}, press="Preview").press("Correct it")

    assert [after - was for after, was in zip(table.state.totals, before, strict=True)] == [0, 0, 0, -4, -3]


def test_the_teams_are_those_of_this_round_else_of_the_last_one() -> None:
    def teams(phone: Phone) -> list[str]:
        values = [node.attrs["value"] for node in phone.open("penalty").root.all("input", name="seat")]
        return [value for value in values if "-" in value]

    table = Table(english(5))
    phone = sit_down(table)
    assert teams(phone) == []
    table.record(*FIVE)
    assert teams(phone) == ["0-1-2", "3-4"]
    table.record("open 1 njet black blue 2", "team 4 monster 1")
    assert teams(phone) == ["1-4", "0-2-3"]


@pytest.mark.parametrize("seats", ["0-9", "0-x", "-1", "0--1"])
def test_a_team_that_cannot_be_is_refused_as_a_whole(table: Table, ana: Phone, seats: str) -> None:
    before = stored(table.id)

    page = ana.post("penalty", seat=seats, way="takes", points="4", reason="talk")

    assert page.code in ("unknown_seat", "wrong_type")
    assert stored(table.id) == before


def test_in_a_finished_game_a_team_is_punished_by_one_correction(finished: Table, ana: Phone) -> None:
    before = finished.version

    page = ana.open("penalty").press("Note the penalty", seat="0-1", points="7", reason="talk")
    assert page.press("Write it down").status == 200

    assert finished.version == before + 1
    assert finished.state.totals == (47, 41, 48)


def test_the_page_of_a_round_says_which_penalties_are_in_its_totals() -> None:
    table = Table(dutch(3, rounds=3), "penalty 0 -3 early", *ROUND_1[:2])
    table.record("penalty 1 -10 revoke", ROUND_1[2])
    phone = sit_down(table)
    assert notes(phone.open()) == ["3 B Ben +18 penalty −10 8"]

    table.record("penalty 0 2 kindness")
    assert notes(phone.open()) == ["1 A Ana +24 penalty +2 23", "3 B Ben +18 penalty −10 8"]

    table.record(*ROUND_2)
    assert notes(phone.open()) == []


def test_the_page_of_a_round_names_what_is_taken_back(round_2: Table, ana: Phone) -> None:
    round_2.record("penalty 1 -10 revoke")

    page = ana.open().press("Take back: Ben −10: revoke")

    assert page.status == 200
    assert page.press("Take back").status == 200
    assert round_2.state.totals == (24, 18, 18)


def test_a_penalty_is_corrected_from_its_row_of_the_sheet(round_2: Table, ana: Phone) -> None:
    round_2.record("penalty 1 -10 revoke")

    form = ana.open("sheet").press("Correct the penalty “Ben: revoke”")
    fields = form.fields("Preview")
    assert {name: fields[name] for name in ("e4.0-seat", "e4.0-way", "e4.0-points")} == {
        "e4.0-seat": "1",
        "e4.0-way": "takes",
        "e4.0-points": "10",
    }
    assert {name.partition("-")[0] for name in fields if name.startswith("e")} == {"e4.0"}

    preview = form.fill_in({"e4.0-points": "3"}, press="Preview")
    back = preview.root.one("button", has="formaction")
    again = ana.post_to(back.attrs["formaction"], {**preview.fields("Correct it"), "again": "1"})
    assert again.fields("Preview")["e4.0-points"] == "3"
    assert len(again.root.all("details", class_="edit")) == 1
    assert again.press("Preview").press("Correct it").address == ana.address_of("sheet")

    (penalty,) = round_2.state.penalties
    assert (penalty.seat, penalty.points) == (1, -3)
    assert round_2.ledger.step(round_2.ledger.counting.actions[-1].key).action == AddPenalty(1, -3, "revoke")


def test_a_penalty_is_taken_away_from_its_row_of_the_sheet(round_2: Table, ana: Phone) -> None:
    round_2.record("penalty 1 -10 revoke")

    form = ana.open("sheet").press("Correct the penalty “Ben: revoke”")
    form.fill_in({"e4.0-delete": "on"}, press="Preview").press("Correct it")

    assert round_2.state.penalties == ()


def test_who_may_not_record_has_no_way_to_a_penalty(round_2: Table, cleo: Phone) -> None:
    round_2.record("penalty 1 -10 revoke")

    assert not cleo.open("sheet").offers("Correct the penalty “Ben: revoke”")
    assert not cleo.open().offers("Take back: Ben −10: revoke")

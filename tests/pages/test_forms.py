"""Errors of forms: each at its field, the focus on the first, and nothing typed is lost."""

from __future__ import annotations

import pytest

from games.models import GroupRole
from tests.builders import dutch
from tests.cast.groups import new_group
from tests.cast.pages import Node, Page, Phone, come_in, sit_down
from tests.cast.tables import ROUND_1, Table

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


def invalid(page: Page) -> list[Node]:
    """The inputs of a page that are marked as wrong."""
    return page.root.all(aria_invalid="true")


def assert_wrong_at(page: Page, *names: str) -> None:
    """The errors are at these fields, and the first has the focus."""
    fields = invalid(page)
    assert [field.attrs["name"] for field in fields] == list(names)
    for field in fields:
        error = page.root.one(id=field.attrs["aria-describedby"])
        assert error.text
        assert error.attrs["role"] == "alert"
    assert ["autofocus" in field.attrs for field in fields] == [True] + [False] * (len(fields) - 1)
    assert len(page.root.all(has="autofocus")) == 1


def names(*typed: str) -> dict[str, str]:
    return {f"name-{place}": name for place, name in enumerate(typed)}


@pytest.mark.parametrize(
    ("typed", "field"),
    [
        ({**names("Ana", "Ben", "Ana")}, "name-2"),
        ({**names("Ana", "x" * 60, "Cleo")}, "name-1"),
        ({**names("Ana", "Ben", "Cleo"), "token-0": "bird", "token-1": "bird"}, "token-1"),
        ({**names("Ana", "Ben", "Cleo"), "token-2": "teapot"}, "token-2"),
        ({**names("Ana", "Ben", "Cleo"), "option-rounds": "many"}, "option-rounds"),
        ({**names("Ana", "Ben", "Cleo"), "option-rounds": "0"}, "option-rounds"),
    ],
)
def test_a_new_table_says_what_is_wrong_where_it_was_typed(typed: dict[str, str], field: str) -> None:
    page = Phone().post_to("/new/", {"preset": "goldsieber-dutch", **typed})

    assert_wrong_at(page, field)
    assert page.fields("Start")["name-0"] == "Ana"


def test_the_house_rules_are_unfolded_when_one_of_them_is_wrong() -> None:
    page = Phone().post_to("/new/", {**names("Ana", "Ben", "Cleo"), "option-rounds": "many"})

    assert "open" in page.root.one("details").attrs


@pytest.mark.parametrize(
    ("typed", "fields"),
    [
        ({"seat": "0", "points": "many", "reason": "revoke"}, ["points"]),
        ({"seat": "0", "points": "0", "reason": "revoke"}, ["points"]),
        ({"seat": "0", "points": "-5", "reason": ""}, ["reason"]),
        ({"points": "many", "reason": "revoke"}, ["seat", "points"]),
    ],
)
def test_a_penalty_says_what_is_wrong_where_it_was_typed(typed: dict[str, str], fields: list[str]) -> None:
    phone = sit_down(Table(dutch(3)))

    page = phone.post("penalty", **typed)

    assert_wrong_at(page, *fields)
    assert page.root.one("input", name="reason").attrs["value"] == typed["reason"]


def test_a_round_is_not_voided_without_a_reason_and_the_field_says_so() -> None:
    page = sit_down(Table(dutch(3))).open("void").press("Deal again", reason=" ")

    assert_wrong_at(page, "reason")


@pytest.mark.parametrize(
    ("figures", "fields"),
    [
        ({"tricks-0": "x", "captured-2": "y"}, ["tricks-0", "captured-2"]),
        ({"tricks-0": "12", "captured-1": "1"}, ["captured-1"]),
    ],
)
@pytest.mark.parametrize("htmx", [False, True])
def test_a_tally_says_what_is_wrong_where_it_was_typed(figures: dict[str, str], fields: list[str], htmx: bool) -> None:
    phone = sit_down(Table(dutch(3), "open 0 njet blue red 1", "team 1 monster 2"), htmx=htmx)

    page = phone.open(count="tally").fill_in(figures, press="Count the round")

    assert_wrong_at(page, *fields)
    assert figures.items() <= page.fields("Count the round").items()


def test_a_correction_says_what_is_wrong_at_the_entry() -> None:
    phone = sit_down(Table(dutch(3), *ROUND_1))
    fields = phone.open("correct_entries", 1).fields("Preview")

    page = phone.post_to(phone.address_of("correct_entries", 1), fields | {"e3.0-tricks-1": "x", "e1.0-discard": ""})

    assert_wrong_at(page, "e1.0-discard", "e3.0-tricks-1")


@pytest.mark.parametrize(
    ("typed", "field"),
    [
        ({"name-1": ""}, "name-1"),
        ({"name-2": "Ana"}, "name-2"),
        ({"rounds": "x"}, "rounds"),
        ({"rounds": "0"}, "rounds"),
    ],
)
def test_a_corrected_set_up_says_what_is_wrong_where_it_was_typed(typed: dict[str, str], field: str) -> None:
    page = sit_down(Table(dutch(3))).open("setup").fill_in(typed, press="Save")

    assert_wrong_at(page, field)
    assert typed.items() <= page.fields("Save").items()


def test_a_group_and_its_players_are_named_and_the_field_says_so() -> None:
    olga = come_in(new_group(), GroupRole.OWNER)

    assert_wrong_at(Phone().open("group_new").press("Create group", name=" "), "name")
    assert_wrong_at(olga.open("group_settings").press("Rename", name=" "), "name")
    assert_wrong_at(olga.open("players").press("Add", name=" "), "name")


def test_the_filters_of_a_history_say_what_is_wrong_where_it_was_typed() -> None:
    page = come_in(new_group()).open("group_games", **{"from": "yesterday", "players": "many"})

    assert_wrong_at(page, "players", "from")
    assert page.root.one("input", name="from").attrs["value"] == "yesterday"


def test_a_wrong_code_is_refused_at_the_code() -> None:
    page = Phone().open("join").press("Next", code="AAAA-0000")

    assert_wrong_at(page, "code")
    assert page.root.one("input", name="code").attrs["value"] == "AAAA-0000"


def test_a_game_that_cannot_be_read_is_refused_at_its_text() -> None:
    page = Phone().open("import").press("Import", text="{")

    assert_wrong_at(page, "text")

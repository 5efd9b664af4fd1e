"""The questions of a round for a phone that goes offline: only those that the rules of the table can ask."""

from __future__ import annotations

import pytest

from tests.builders import dutch, english
from tests.cast.pages import Phone
from tests.cast.tables import Table

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


def pad_of(table: Table) -> str:
    return Phone().sits(table, table.key).client.get(f"/g/{table.id}/pad/").content.decode()


@pytest.mark.parametrize(
    ("players", "partners", "hint"),
    [
        (3, "0 1", "Nobody chosen: the start player plays alone."),
        (4, "1", "Choose one partner."),
        (5, "1 2", "Choose one partner or two."),
    ],
)
def test_it_knows_how_many_partners_the_start_player_has(players: int, partners: str, hint: str) -> None:
    pad = pad_of(Table(english(players)))

    assert f'data-partners="{partners}"' in pad
    assert hint in pad


def test_two_players_are_not_asked_for_teams() -> None:
    assert "data-partners" not in pad_of(Table(english(2)))


def test_it_knows_the_tricks_of_a_round_and_the_fewest_captured_cards_for_each_open_space() -> None:
    pad = pad_of(Table(english(5)))
    assert 'data-rounds="discard_1:11:0 discard_2:10:0 discard_2_no_zero:10:0 pass_2_right:12:0 njet:12:0"' in pad

    assert "njet:10:" in pad_of(Table(dutch(4)))


def test_its_sentences_about_a_sum_are_those_of_the_page() -> None:
    assert 'data-missing="Tricks: {rest} missing"' in pad_of(Table(english(3)))

"""How often the database is asked for a page: a small number that grows with nothing."""

from __future__ import annotations

import pytest
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext

from games.keys import sessions
from games.models import Game, Player
from tests.builders import dutch
from tests.cast.groups import new_group, played
from tests.cast.pages import Phone, come_in, sit_down
from tests.cast.tables import ROUND_1, Table, another_process

# Ledgers are kept after a commit.
pytestmark = pytest.mark.django_db(transaction=True)

SESSION = "SELECT django_session"
TABLE = "SELECT games_key"
"""The session and the keys of the table, in one statement."""
TABLE_AND_GAME = [TABLE, "SELECT games_game"]
PAGES = {
    "table": TABLE_AND_GAME,
    "screen": TABLE_AND_GAME,
    "sheet": [*TABLE_AND_GAME, "SELECT games_logentry"],
    "sheet_csv": TABLE_AND_GAME,
    "rules": TABLE_AND_GAME,
    "menu": TABLE_AND_GAME,
    "correct": TABLE_AND_GAME,
    "correct_entries": TABLE_AND_GAME,
    "history": [*TABLE_AND_GAME, "SELECT games_logentry"],
    "phones": [*TABLE_AND_GAME, "SELECT games_key", "SELECT games_invite"],
}


def asked(phone: Phone, address: str) -> list[str]:
    """The statements that a page takes: verb and table."""
    with CaptureQueriesContext(connection) as queries:
        assert phone.client.get(address).status_code == 200
    words = [query["sql"].replace('"', "").split() for query in queries.captured_queries]
    return [f"{sql[0]} {next(w for w in sql if w.startswith(('games_', 'django_'))).split('.')[0]}" for sql in words]


def long_game(rounds: int) -> Table:
    """A game of a number of rounds, half of another round, and a correction."""
    with transaction.atomic():
        return Table(dutch(3, rounds=99), *ROUND_1 * rounds, "trump red")


@pytest.mark.parametrize("rounds", [1, 6])
def test_a_page_of_a_table_takes_a_constant_number_of_statements(rounds: int, subtests: pytest.Subtests) -> None:
    phone = sit_down(long_game(rounds))
    phone.open()

    for name, expected in PAGES.items():
        with subtests.test(name):
            address = phone.address_of(name, *([1] if "correct" in name else []))

            assert asked(phone, address) == expected


def test_a_page_of_a_table_that_another_process_keeps_takes_one_more() -> None:
    phone = sit_down(long_game(6))
    phone.open()

    with another_process():
        assert asked(phone, phone.address_of("table")) == [*PAGES["table"], "SELECT games_logentry"]


def test_the_fragment_takes_no_more_than_the_page() -> None:
    phone = sit_down(long_game(1), htmx=True)
    phone.open()

    with CaptureQueriesContext(connection) as queries:
        assert phone.open().is_fragment

    assert len(queries) == len(PAGES["table"])


@pytest.mark.parametrize("tables", [1, 12])
def test_home_and_the_new_table_take_the_same_for_any_number_of_tables(tables: int) -> None:
    phone = Phone()
    for _ in range(tables):
        table = Table(dutch(3))
        phone.sits(table, table.key)
    # The first use of a session id ends the session that it replaces.
    phone.open("home")

    home, new = asked(phone, "/"), asked(phone, "/new/")

    games = ["SELECT games_key", "SELECT games_game", "SELECT games_seat"]
    assert home == [SESSION, *games]
    # The names, and the last game.
    assert new == [SESSION, *games, *games]
    assert Game.objects.count() == tables


@pytest.mark.parametrize("address", ["/", "/new/", "/join/", "/g/000000000000/", "/g/000000000000/sheet/", "/nothing/"])
def test_a_visitor_without_a_cookie_costs_no_statement(client: Client, address: str) -> None:
    with CaptureQueriesContext(connection) as queries:
        assert client.get(address).status_code in (200, 404)

    assert not queries.captured_queries


def test_at_a_table_of_many_phones_the_key_of_one_takes_a_statement_of_its_own() -> None:
    table = Table(dutch(3))
    phone = sit_down(table)
    phone.open()
    for _ in range(sessions.MOST_KEYS):
        table.other_key()

    assert asked(phone, phone.address_of("table")) == [TABLE, "SELECT games_key"]


def test_a_tap_takes_a_constant_number_of_statements() -> None:
    counts = []
    for rounds in (1, 6):
        phone = sit_down(long_game(rounds), htmx=True)
        page = phone.open()
        with CaptureQueriesContext(connection) as queries:
            assert page.press("Cover blue").status == 200
        counts.append(len([query for query in queries if query["sql"].split()[0] in ("SELECT", "INSERT", "UPDATE")]))

    assert counts[0] == counts[1] <= 7


def test_the_question_before_an_undo_takes_one_more_than_the_table() -> None:
    table = long_game(1)
    phone = sit_down(table, htmx=True)
    page = phone.open()

    with CaptureQueriesContext(connection) as queries:
        page = page.press("Undo: ")

    assert page.offers("Take it back")
    assert len(queries) == len(PAGES["table"]) + 1


# --- groups ---

GROUP = [SESSION, "SELECT games_groupkey"]
ROWS = ["SELECT games_game", "SELECT games_game", "SELECT games_seat"]
GROUP_PAGES = {
    "group": [*GROUP, *ROWS, "SELECT games_game", "SELECT games_seat", "SELECT games_player"],
    "group_games": [*GROUP, "SELECT games_season", "SELECT games_player", *ROWS],
    "players": [*GROUP, "SELECT games_seat", "SELECT games_player"],
    "group_keys": [*GROUP, "SELECT games_groupkey", "SELECT games_groupinvite"],
}


@pytest.mark.parametrize("games", [1, 4])
def test_a_page_of_a_group_takes_a_constant_number_of_statements(games: int, subtests: pytest.Subtests) -> None:
    group = new_group()
    with transaction.atomic():
        tables = [played(group, "Ana", "Ben", f"Guest {number}") for number in range(games)]
        Table(dutch(3), group=group)
    phone = come_in(group)
    phone.open("group")

    for name, expected in GROUP_PAGES.items():
        with subtests.test(name):
            assert sorted(asked(phone, phone.address_of(name))) == sorted(expected)
            assert len(expected) <= 8
    with subtests.test("evening"):
        evening = asked(phone, phone.address_of("evening", tables[0].id))
        # The game, those before it, those after it: one question each, with the seats.
        assert len(evening) <= 8
    with subtests.test("filtered"):
        who = Player.objects.get(name="Ana").pk
        address = phone.address_of("group_games") + f"?player={who}&preset=goldsieber-dutch&players=3"
        assert len(asked(phone, address)) <= 8
    with subtests.test("statistics"):
        for query in ("", "?preset=goldsieber-dutch&players=3"):
            assert len(asked(phone, phone.address_of("group_statistics") + query)) <= 8
            assert len(asked(phone, phone.address_of("player", who) + query)) <= 8
    with subtests.test("sheet"):
        # Its own key, its group's, the game.
        assert len(asked(phone, f"/g/{tables[0].id}/sheet/")) <= 5

"""How often the database is asked: a small number that does not grow with the log."""

from __future__ import annotations

import pytest
from django.contrib.sessions.backends.db import SessionStore
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from games.keys import permissions, registry, sessions
from games.log import store
from games.models import Key
from games.services import tables as services
from games.services.write import WriteRequest, locked_game
from tests.builders import dutch, read
from tests.cast.tables import ANY, ROUND_1, Table, another_process, instead

# Ledgers are kept after a commit.
pytestmark = pytest.mark.django_db(transaction=True)

LONG = dutch(3, rounds=99)

CONTROL = ("BEGIN", "COMMIT", "ROLLBACK", "SAVEPOINT", "RELEASE")


class Asked(CaptureQueriesContext):
    """The statements of a block, without the limits of its transaction."""

    def __init__(self) -> None:
        super().__init__(connection)

    @property
    def statements(self) -> list[str]:
        """What was asked: verb and table."""
        words = (query["sql"].replace('"', "").split() for query in self.captured_queries)
        return [
            f"{sql[0]} {next(word for word in sql if word.startswith('games_')).split('.')[0]}"
            for sql in words
            if sql[0] not in CONTROL
        ]


@pytest.fixture(params=[0, 1, 8], ids=["no round", "a round", "8 rounds"])
def long_table(request: pytest.FixtureRequest) -> Table:
    with transaction.atomic():
        return Table(LONG, *ROUND_1 * request.param)


@pytest.fixture(autouse=True)
def written_sql(long_table: Table) -> None:
    """The SQL of a prepared query is written at its first use, which takes a statement of its own."""
    with another_process(), transaction.atomic():
        key = registry.key_of_secret(long_table.secrets["viewer"])
        store.read(permissions.game_of(key, long_table.id))
        locked_game(long_table.id)


PLACEMENT = ["UPDATE games_game", "INSERT games_logentry"]
"""After the key was read, with its game."""

ANOTHER_STANDING = ["SELECT games_game", "SELECT games_seat", "UPDATE games_seat"]


def test_recording_a_placement_takes_two_statements(long_table: Table) -> None:
    request = WriteRequest(long_table.version, "a", {})

    with Asked() as asked:
        long_table.record("trump red", request=request)

    assert asked.statements == PLACEMENT


def test_a_write_that_another_one_has_overtaken_begins_again(long_table: Table) -> None:
    with another_process():
        other = Key.objects.select_related("game").get(pk=long_table.key.pk)
        services.record_action(game_id=long_table.id, actor=other, action=read("trump red"), request=ANY)

    with Asked() as asked:
        long_table.record("trump blue", request=WriteRequest(None, "a", {}))

    request_id = "SELECT games_logentry"
    assert asked.statements == [PLACEMENT[0], "SELECT games_game", "SELECT games_logentry", request_id, *PLACEMENT]


def test_only_what_changed_is_written(long_table: Table) -> None:
    with Asked() as asked:
        long_table.record("trump red")

    (update,) = [query["sql"] for query in asked.captured_queries if query["sql"].startswith("UPDATE")]
    assert update.startswith(f'UPDATE "games_game" SET "version" = {long_table.version} WHERE')


def test_the_end_of_a_round_takes_four_more_for_the_results(long_table: Table) -> None:
    long_table.record(*ROUND_1[:2])
    request = WriteRequest(long_table.version, "a", {})

    with Asked() as asked:
        long_table.record(ROUND_1[2], request=request)

    assert asked.statements == [*PLACEMENT, "SELECT games_game", "UPDATE games_game", *ANOTHER_STANDING[1:]]


def test_where_the_ledger_is_not_kept_reading_it_takes_one_more(long_table: Table) -> None:
    with another_process(), Asked() as asked:
        long_table.record("trump red", request=WriteRequest(None, "a", {}))

    assert asked.statements == ["SELECT games_logentry", *PLACEMENT]


def test_undo_and_amend_take_a_handful_however_long_the_log(long_table: Table) -> None:
    long_table.record(*ROUND_1)
    last = long_table.version

    with Asked() as amending:
        long_table.amend(instead(last, "tally 0 6 6"), request=WriteRequest(last, "a", {}))
    with Asked() as taking_back:
        long_table.undo(to_seq=0, request=WriteRequest(last + 1, "b", {}))

    assert amending.statements == [*PLACEMENT, *ANOTHER_STANDING]
    assert taking_back.statements == [*PLACEMENT, "SELECT games_game", "UPDATE games_game", *ANOTHER_STANDING[1:]]


def test_a_page_of_a_game_takes_one_statement_for_the_key_and_none_for_the_log(long_table: Table) -> None:
    session = SessionStore()
    sessions.remember(session, long_table.key)

    with Asked() as asked:
        key = sessions.key_of_session(session, long_table.id)
        store.read(key.game)

    assert asked.statements == ["SELECT games_key"]


def test_a_page_of_a_game_that_is_not_kept_takes_one_more(long_table: Table) -> None:
    with another_process(), Asked() as asked:
        key = registry.key_of_secret(long_table.secrets["viewer"])
        store.read(permissions.game_of(key, long_table.id))

    assert asked.statements == ["SELECT games_key", "SELECT games_game", "SELECT games_logentry"]


def test_what_others_wrote_is_read_without_what_is_known(long_table: Table) -> None:
    with another_process():
        long_table.record("trump red")

    with Asked() as asked:
        game = long_table.game
        store.read(game)

    assert asked.statements == ["SELECT games_game", "SELECT games_logentry"]
    assert f'"seq" > {game.version - 1}' in asked.captured_queries[-1]["sql"]


def test_the_history_takes_one_statement(long_table: Table) -> None:
    with Asked() as asked:
        authors = [row.actor for row in store.rows(long_table.id)]

    assert asked.statements == ["SELECT games_logentry"]
    assert authors == [long_table.key] * long_table.version


def test_a_repeated_request_takes_two_statements(long_table: Table) -> None:
    request = WriteRequest(long_table.version, "a", {})
    long_table.record("trump red", request=request)

    with Asked() as asked:
        long_table.record("trump red", request=request)

    assert asked.statements == ["SELECT games_game", "SELECT games_logentry"]

"""Ledgers are kept in memory by version: what is kept is never wrong, only old."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from django.db import transaction
from hypothesis import given
from hypothesis import strategies as st

from games.log import store
from games.models import Game
from games.rules import Setup
from games.services import deletion
from games.services import tables as services
from tests.builders import dutch, play, read
from tests.cast.digital import DigitalTable, rounds_finished
from tests.cast.tables import ANY, ROUND_1, Table, another_process, at_once, instead, stored
from tests.services.random_calls import CORRECTING, TAKING_BACK, USUAL, calls, made, modestly
from tests.strategies import setups

# What is kept follows commits, so there have to be some.
pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.any_database]


@contextmanager
def rolled_back() -> Iterator[None]:
    """The block's writes never happen."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def kept(game_id: str) -> int | None:
    """The version that is kept of a game."""
    ledger = store._kept.get(game_id)
    return None if ledger is None else ledger.version


@pytest.fixture
def table() -> Table:
    return Table()


def test_a_written_ledger_is_kept_once_it_is_committed(table: Table) -> None:
    with transaction.atomic():
        table.record("trump red")
        assert kept(table.id) == 0

    assert kept(table.id) == 1
    assert table.ledger is store._kept.get(table.id)


def test_a_read_ledger_is_kept(table: Table) -> None:
    table.record(*ROUND_1)
    store._kept.clear()

    assert table.ledger == store.refold(table.game)
    assert kept(table.id) == 3


def test_what_was_rolled_back_is_not_kept(table: Table) -> None:
    table.record("trump red")

    with rolled_back():
        table.record("points 4")
        assert table.version == table.ledger.version == 2

    assert kept(table.id) == 1
    assert table.ledger == store.refold(table.game)
    assert table.record("points 3").ledger.state == play(dutch(3, rounds=2), "trump red", "points 3")
    assert table.ledger == store.refold(table.game)


def test_what_was_rolled_back_inside_a_transaction_is_not_kept(table: Table) -> None:
    with transaction.atomic():
        with rolled_back():
            table.record("trump red")
            assert table.state == play(dutch(3, rounds=2), "trump red")
        table.record("trump blue")

    assert kept(table.id) == 1
    assert table.ledger == store.refold(table.game)
    assert table.state == play(dutch(3, rounds=2), "trump blue")


def test_what_another_process_wrote_is_read(table: Table) -> None:
    table.record("trump red")
    with another_process():
        table.record("points 4")
        table.undo()
        table.amend(instead(1, "trump blue"))
    assert kept(table.id) == 1

    assert table.state == play(dutch(3, rounds=2), "trump blue")
    assert table.ledger == store.refold(table.game)
    assert kept(table.id) == 4


def test_a_game_that_was_read_before_others_wrote_is_answered_as_it_was(table: Table) -> None:
    table.record(*ROUND_1)
    old = table.game
    table.record("trump red")

    assert store.read(old) == store.refold(old)
    assert store.read(old).version == 3
    assert kept(table.id) == 4, "the newer ledger stays"


def test_an_older_ledger_never_takes_the_place_of_a_newer_one(table: Table) -> None:
    old = table.ledger
    table.record("trump red")

    store._keep(old)

    assert kept(table.id) == 1


def test_what_another_connection_wrote_is_read(table: Table) -> None:
    table.record("trump red")
    here = table.ledger

    with another_process():
        at_once(lambda: table.record("points 4", "points 3"))

    assert kept(table.id) == 1
    assert here.version == 1
    assert table.ledger == store.refold(table.game)
    assert table.version == 3


def test_a_deleted_game_is_forgotten(table: Table) -> None:
    table.record("trump red")

    with rolled_back():
        deletion.delete_game(game_id=table.id)
    assert kept(table.id) == 1

    deletion.delete_game(game_id=table.id)
    assert kept(table.id) is None


def test_only_the_latest_games_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "MOST_KEPT", 3)
    tables = [Table() for _ in range(5)]
    assert list(store._kept) == [table.id for table in tables[2:]]

    tables[2].record("trump red")
    assert tables[0].state == play(dutch(3, rounds=2))

    assert list(store._kept) == [tables[4].id, tables[2].id, tables[0].id]


def test_a_kept_ledger_is_shared_and_cannot_be_changed(table: Table) -> None:
    table.record(*ROUND_1)
    first = table.ledger
    before = hash(first.state.totals), first.entries

    table.record("trump red")
    table.undo(to_seq=0)

    assert (hash(first.state.totals), first.entries) == before
    assert first.state == play(dutch(3, rounds=2), *ROUND_1)


def test_readers_at_work_while_others_write_always_see_a_whole_game(table: Table) -> None:
    def read_all_the_time() -> list[bool]:
        seen = []
        for _ in range(25):
            game = Game.objects.get(pk=table.id)
            seen.append(store.read(game) == store.refold(game))
        return seen

    def write() -> list[bool]:
        for number in range(6):
            services.record_action(
                game_id=table.id, actor=table.key, action=read(f"penalty {number % 3} -1 late"), request=ANY
            )
            made(table.undo)
        return []

    answers = at_once(*[read_all_the_time] * 3, *[write] * 3)

    assert all(all(answer) for answer in answers)
    assert table.version == 3 * 6 * 2
    assert table.ledger == store.refold(table.game)


# --- laws ---


@pytest.mark.slow
@given(data=st.data(), setup=setups())
@modestly
def test_after_any_calls_what_is_read_is_what_is_stored(data: st.DataObject, setup: Setup) -> None:
    table = Table(setup)
    for _ in range(data.draw(st.integers(5, 18), label="calls")):
        call = data.draw(calls(table, kinds=(*USUAL, *TAKING_BACK, *CORRECTING, "lock", "stale")), label="call")
        here = data.draw(st.sampled_from(("here", "here", "there", "rolled back")), label="where")
        before = stored(table.id)

        if here == "here":
            outcome = made(call, table)
        elif here == "there":
            with another_process():
                outcome = made(call, table)
        else:
            outcome = None
            with rolled_back():
                made(call, table)
                assert table.ledger == store.refold(table.game)

        fresh = store.refold(table.game)
        assert fresh.replay.error is None
        assert table.ledger == fresh
        if outcome is None:
            assert stored(table.id) == before
        else:
            assert outcome.ledger == fresh
            assert outcome.version == fresh.version > len(before[2])


# --- other names ---


def upside_down(name: str) -> str:
    """Another name; twice, it is the first one again."""
    return name[::-1]


def test_a_ledger_with_other_names_is_that_of_a_game_with_these_names() -> None:
    table = DigitalTable(dutch(3, rounds=2), bots={2: "easy"}).play_on(rounds_finished(1))
    before = store.seen(table.game, 1, upside_down)
    for _ in range(5):
        table.step()
    table.put_bot(0, "easy")

    after = store.seen(table.game, 1, upside_down)

    assert (before.state.setup.names[0], after.state.setup.names[0]) == ("anA", "anA")
    assert after == store.refold(table.game).with_names(upside_down).seen_by(1)
    assert store.refold(table.game).with_names(upside_down).with_names(upside_down).seen_by(1) == table.seen(1) != after


def test_who_took_a_seat_over_and_names_that_were_corrected_are_called_otherwise_too(table: Table) -> None:
    table.record(*ROUND_1)
    services.correct_setup(game_id=table.id, actor=table.key, request=ANY, names=["Ana", "Zoe", "Cleo"], since=2)

    called = table.ledger.with_names(upside_down)

    assert called.current_setup.names == ("anA", "eoZ", "oelC")
    assert [stint.name for stint in called.current_setup.earlier] == ["neB"]
    assert called.with_names(upside_down) == table.ledger
    assert table.ledger.with_names(str) is table.ledger

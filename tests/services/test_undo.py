"""Taking back: the latest effective entry, one or several steps, until the game is locked."""

from __future__ import annotations

import pytest

from games.errors import ConfirmedForGood, StaleVersion, UndoNotAllowed
from games.log import store
from games.models import Status
from games.rules import Phase, PublicState
from games.services.write import WriteRequest
from tests.builders import dutch, play
from tests.cast.tables import ROUND_1, TOTALS_1, TOTALS_2, Table, after, instead, refused

pytestmark = pytest.mark.django_db


def undone(table: Table) -> list[int]:
    """What the undo entries of the log name, in their order."""
    return [row.payload["undoes"] for row in store.rows(table.id) if row.kind == "undo"]


def test_an_undone_entry_keeps_its_place_and_the_undo_is_an_entry(table: Table) -> None:
    table.record("trump red")
    before = store.rows(table.id)

    table.undo()

    assert store.rows(table.id)[:1] == before
    undo = store.rows(table.id)[1]
    assert (undo.seq, undo.kind, undo.payload, undo.seat, undo.actor) == (2, "undo", {"undoes": 1}, None, table.key)


def test_nothing_is_left_to_take_back_at_the_beginning(table: Table) -> None:
    with refused(table, UndoNotAllowed):
        table.undo()

    table.record("trump red")
    table.undo()

    with refused(table, UndoNotAllowed):
        table.undo()


def test_several_steps_are_taken_back_in_one_transaction_the_latest_first(round_2: Table) -> None:
    round_2.record("trump red", "points 4")

    outcome = round_2.undo(to_seq=2)

    assert undone(round_2) == [5, 4, 3]
    assert (outcome.version, round_2.version) == (8, 8)
    assert round_2.state == play(dutch(3, rounds=2), *ROUND_1[:2])


@pytest.mark.parametrize("to_seq", [0, -5])
def test_undo_goes_back_to_the_beginning(round_2: Table, to_seq: int) -> None:
    round_2.undo(to_seq=to_seq)

    assert round_2.state == PublicState.start(dutch(3, rounds=2))
    assert round_2.game.rounds_played == 0


@pytest.mark.parametrize("to_seq", [3, 4, 10**30])
def test_undo_to_where_the_game_is_takes_nothing_back(round_2: Table, to_seq: int) -> None:
    with refused(round_2, UndoNotAllowed):
        round_2.undo(to_seq=to_seq)


def test_steps_that_were_taken_back_before_are_not_taken_back_twice(round_2: Table) -> None:
    round_2.record("trump red")
    round_2.undo()
    round_2.record("points 4")

    round_2.undo(to_seq=1)

    assert undone(round_2) == [4, 6, 3, 2]
    assert round_2.state == play(dutch(3, rounds=2), ROUND_1[0])


def test_undo_crosses_the_end_of_a_round(round_2: Table) -> None:
    round_2.undo()

    assert (round_2.state.current.number, round_2.state.phase) == (1, Phase.TRICKS)
    assert round_2.state.totals == (0, 0, 0)
    assert round_2.game.rounds_played == 0
    assert round_2.seats == [("Ana", 0, 1, False), ("Ben", 0, 1, False), ("Cleo", 0, 1, False)]


def test_undo_reopens_a_finished_game(finished: Table) -> None:
    finished.undo()

    game = finished.game
    assert (game.status, game.rounds_played, game.finished_at) == (Status.PLAYING, 1, None)
    assert finished.state.totals == TOTALS_1
    assert finished.seats == [("Ana", 24, 1, False), ("Ben", 18, 2, False), ("Cleo", 18, 2, False)]


def test_undo_of_an_early_end_goes_on_where_the_game_was(round_2: Table) -> None:
    round_2.record("trump red")
    before = round_2.state
    round_2.record("finish")

    round_2.undo()

    assert round_2.state == before
    assert round_2.game.status == Status.PLAYING


def test_undo_takes_back_actions_corrections_and_setups_in_one_go(table: Table) -> None:
    table.record(*ROUND_1[:2])
    before = table.state
    table.record(ROUND_1[2])
    table.amend(instead(3, "tally 0 6 6"), after(3, "penalty 2 -1 late"))
    table.correct(dealer=1, names=["Anna", "Ben", "Cleo"])
    table.record("trump red")

    outcome = table.undo(to_seq=2)

    assert undone(table) == [6, 5, 4, 3]
    assert outcome.version == 10
    assert outcome.ledger.state == before
    assert outcome.ledger == store.refold(table.game)
    assert table.seats[0] == ("Ana", 0, 1, False)


def test_a_locked_game_is_not_taken_back(finished: Table) -> None:
    finished.lock()

    with refused(finished, ConfirmedForGood) as caught:
        finished.undo()
    with refused(finished, ConfirmedForGood):
        finished.undo(to_seq=0)

    assert caught.value.code == "undo_not_allowed"
    assert finished.state.totals == TOTALS_2
    assert finished.ledger.last_undoable is None


def test_undo_with_an_old_version_is_refused(table: Table) -> None:
    table.record("trump red", "points 4")

    with refused(table, StaleVersion, version=2):
        table.undo(request=WriteRequest(version=1))

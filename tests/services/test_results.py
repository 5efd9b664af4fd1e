"""The columns that copy what the log says, for lists and statistics."""

from __future__ import annotations

import pytest

from games.groups.history import OLDEST, page_of
from games.models import Seat, Status
from games.services import write
from tests.builders import dutch, english
from tests.cast.groups import new_group, played
from tests.cast.tables import ROUND_1, ROUND_2, Table, instead, stored

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


def results(table: Table) -> tuple[object, object]:
    said = write.results_of(table.ledger)
    return said["status"], said["rounds_played"]


def test_a_new_game_has_zero_totals_and_no_leader(table: Table) -> None:
    assert table.seats == [("Ana", 0, 1, False), ("Ben", 0, 1, False), ("Cleo", 0, 1, False)]
    assert results(table) == ("playing", 0)


def test_a_round_moves_totals_and_ranks(round_2: Table) -> None:
    assert round_2.seats == [("Ana", 24, 1, False), ("Ben", 18, 2, False), ("Cleo", 18, 2, False)]
    assert results(round_2) == ("playing", 1)


def test_the_winner_is_known_at_the_end(finished: Table) -> None:
    assert finished.seats == [("Ana", 54, 1, True), ("Ben", 48, 2, False), ("Cleo", 48, 2, False)]
    assert results(finished) == ("finished", 2)


def test_equal_totals_share_the_victory(round_2: Table) -> None:
    round_2.record("penalty 0 -6 late", "finish")

    assert round_2.seats == [("Ana", 18, 1, True), ("Ben", 18, 1, True), ("Cleo", 18, 1, True)]


def test_a_penalty_is_copied_before_any_round_is_complete(table: Table) -> None:
    table.record("penalty 1 -5 revoke")

    assert table.seats == [("Ana", 0, 1, False), ("Ben", -5, 3, False), ("Cleo", 0, 1, False)]


def test_totals_below_zero_are_copied(db: None) -> None:
    table = Table(english(2, rounds=1), "open 0 njet red blue -2", "tally 15+12 0")

    assert table.seats == [("Ana", -54, 2, False), ("Ben", 0, 1, True)]


def test_the_copies_of_a_placement_are_not_written_again(round_2: Table) -> None:
    before = stored(round_2.id)[1]
    Seat.objects.filter(game=round_2.id).update(total=99)

    round_2.record("trump red")

    assert [total for _, total, _, _ in round_2.seats] == [99] * 3
    assert before != stored(round_2.id)[1]


@pytest.mark.parametrize("rounds", [1, 2, 3])
def test_finished_at_is_the_time_of_the_last_action_and_stays(db: None, rounds: int) -> None:
    table = Table(dutch(3, rounds=rounds), *ROUND_1 * rounds)
    game = table.game

    table.amend(instead(3, "tally 0 6 6"))

    assert game.status == Status.FINISHED
    assert table.game.finished_at == game.finished_at


def test_games_that_end_within_a_second_are_listed_in_their_order(db: None) -> None:
    group = new_group()
    ended = [played(group).id for _ in range(6)]

    assert [game.pk for game in page_of(group.pk, ordering=OLDEST, size=6).games] == ended


def test_a_whole_evening_is_copied_at_each_step(db: None) -> None:
    table = Table()
    totals = []

    for line in (*ROUND_1, *ROUND_2):
        table.record(line)
        totals.append(tuple(total for _, total, _, _ in table.seats))

    assert totals == [(0, 0, 0)] * 2 + [(24, 18, 18)] * 3 + [(54, 48, 48)]

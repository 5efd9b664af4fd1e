"""The columns that copy what the log says, for lists and statistics."""

from __future__ import annotations

import pytest

from games.groups.history import OLDEST, page_of
from games.models import Seat, Status
from games.rules import Setup
from games.services import write
from tests.builders import dutch, english
from tests.cast.groups import new_group, played
from tests.cast.tables import ROUND_1, Table, instead, stored

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


def test_the_winner_is_known_at_the_end(finished: Table) -> None:
    assert finished.seats == [("Ana", 54, 1, True), ("Ben", 48, 2, False), ("Cleo", 48, 2, False)]
    assert write.results_of(finished.ledger)["status"] == "finished"


def test_the_copies_of_a_placement_are_not_written_again(round_2: Table) -> None:
    before = stored(round_2.id)[1]
    Seat.objects.filter(game=round_2.id).update(total=99)

    round_2.record("trump red")

    assert [total for _, total, _, _ in round_2.seats] == [99] * 3
    assert before != stored(round_2.id)[1]


@pytest.mark.parametrize(
    ("setup", "lines", "seats"),
    [
        (dutch(3), [], [(0, 1, False), (0, 1, False), (0, 1, False)]),
        (dutch(3), ["penalty 1 -5 revoke"], [(0, 1, False), (-5, 3, False), (0, 1, False)]),
        (dutch(3), [*ROUND_1], [(24, 1, False), (18, 2, False), (18, 2, False)]),
        (dutch(3), [*ROUND_1, "penalty 0 -6 late", "finish"], [(18, 1, True), (18, 1, True), (18, 1, True)]),
        (english(2, rounds=1), ["open 0 njet red blue -2", "tally 15+12 0"], [(-54, 2, False), (0, 1, True)]),
    ],
)
def test_a_seat_has_the_total_and_the_rank_of_the_sheet(
    db: None, setup: Setup, lines: list[str], seats: list[tuple[int, int, bool]]
) -> None:
    table = Table(setup)
    for line in lines:
        table.record(line)

    assert [figures for _, *figures in table.seats] == [[*each] for each in seats]


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

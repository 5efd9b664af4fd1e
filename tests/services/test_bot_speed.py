"""The pace of a table: the speed of its bots, and which players they wait for."""

from __future__ import annotations

import time

import pytest
from django_tasks_db.models import DBTaskResult

from games.bot_runner import tasks
from games.bot_runner.turn import PATIENCE
from games.keys.registry import note_ready
from games.live.hub import hub
from games.models import Game, Key, Speed
from games.rules import Phase, PublicState
from games.services import deletion, proposals, tables
from games.services.bot_speed import FACTORS
from games.services.write import WriteRequest
from tests.builders import dutch, english
from tests.cast.digital import DigitalTable, committed, rounds_finished
from tests.cast.seats import is_there
from tests.services.crews import Simulation

PAUSE = 0.9
SLOT = tasks.SLOT


@pytest.fixture
def bots(monkeypatch: pytest.MonkeyPatch) -> Simulation:
    simulation = Simulation(monkeypatch, pause=PAUSE)
    # Games are created by the clock of the system.
    simulation.now = time.time()
    return simulation


def hurry(table: DigitalTable, *seats: int, version: int | None = None, goes_on: bool = False) -> None:
    """The phone of these seats needs no more time, at this version or the present one."""
    keys = [table.keys[seat].pk for seat in seats]
    at = table.game.version if version is None else version
    with committed(execute=True):
        tasks.hurry(game_id=table.id, keys=keys, version=at, goes_on=goes_on)


def waited(bots: Simulation, table: DigitalTable, seconds: float = 60) -> float:
    """Seconds until the next action of a bot."""
    began, before = bots.now, table.game.version
    bots.serve(seconds, until=lambda: table.game.version > before)
    assert table.game.version > before
    return bots.now - began


# --- the speed of a table ---


@pytest.mark.parametrize("speed", Speed)
def test_the_speed_of_a_table_is_that_of_its_pauses(bots: Simulation, db: None, speed: Speed) -> None:
    table = DigitalTable(dutch(3, rounds=1), bots={1: "easy", 2: "easy"})
    tables.set_speed(game=table.game, speed=speed)
    bots.notice(table.id)
    assert waited(bots, table) == pytest.approx(PAUSE * FACTORS[speed] + SLOT, abs=1e-3)

    DBTaskResult.objects.all().delete()
    other = DigitalTable(dutch(3, rounds=1), bots={1: "easy", 2: "easy"})
    bots.notice(other.id)
    assert waited(bots, other) == pytest.approx(PAUSE + SLOT, abs=1e-3)


def test_the_longest_pause_is_not_taken_for_a_wrong_clock(bots: Simulation, db: None) -> None:
    table = DigitalTable(dutch(3, rounds=1), bots={1: "easy", 2: "easy"})
    tables.set_speed(game=table.game, speed=Speed.SLOW)
    bots.notice(table.id)
    due = DBTaskResult.objects.get().run_after

    bots.serve(0.5)

    assert DBTaskResult.objects.get().run_after == due


# --- a tap hurries ---


def after_a_trick(people: int = 1, players: int = 4) -> DigitalTable:
    """A game whose last trick is complete; a bot leads the next one."""

    def bot_leads(state: PublicState) -> bool:
        current = state.current
        led = state.phase is Phase.TRICKS and bool(current.tricks) and not current.table
        return led and state.acting_seats[0] >= people

    table = DigitalTable(english(players, rounds=8), bots=dict.fromkeys(range(people, players), "easy"))
    return table.play_on(bot_leads)


@pytest.mark.parametrize(("people", "seat"), [(1, 0), (3, 1)], ids=["alone", "the others are away"])
def test_one_person_hurries_the_bots_at_once_and_they_keep_their_slot(
    bots: Simulation, db: None, people: int, seat: int
) -> None:
    table = after_a_trick(people=people)
    is_there(table, table.keys[seat])
    bots.notice(table.id)

    hurry(table, seat)

    assert waited(bots, table) == pytest.approx(SLOT, abs=1e-3)


def test_a_tap_on_an_older_version_hurries_no_bot(bots: Simulation, db: None) -> None:
    table = after_a_trick()
    bots.notice(table.id)

    hurry(table, 0, version=table.game.version - 1)

    assert waited(bots, table) == pytest.approx(2 * PAUSE + SLOT, abs=1e-3)


def test_no_tap_counts_for_a_version_to_come(bots: Simulation, db: None) -> None:
    table = after_a_trick()
    bots.notice(table.id)

    for goes_on in (False, True):
        hurry(table, 0, version=table.game.version + 1000, goes_on=goes_on)

    assert Key.objects.get(pk=table.keys[0].pk).ready == table.game.version


def test_two_thirds_of_those_who_are_there_hurry_the_bots(bots: Simulation, db: None) -> None:
    table = after_a_trick(people=3)
    is_there(table, *table.keys.values())
    bots.notice(table.id)

    hurry(table, 0)
    (stored,) = DBTaskResult.objects.all()
    assert stored.run_after.timestamp() > bots.now
    hurry(table, 2)

    assert waited(bots, table) == pytest.approx(SLOT, abs=1e-3)


def test_a_tap_hurries_no_answer_to_a_proposal(bots: Simulation, db: None) -> None:
    table = DigitalTable(dutch(3, rounds=1), bots={1: "easy"}).play_on(lambda state: state.acting_seats == (0,))
    table.step()
    bots.notice(table.id)
    table.propose(0, "takeback")

    hurry(table, 0, 2)

    assert waited(bots, table) > PATIENCE.total_seconds() - 3


# --- the result is read ---


def bot_opens(people: int = 1) -> DigitalTable:
    """A game of which a round is complete and a bot places first in the next."""
    for dealer in range(3):
        table = DigitalTable(dutch(3, rounds=3, dealer=dealer), bots=dict.fromkeys(range(people, 3), "easy"))
        table.play_on(rounds_finished(1))
        if table.state.acting_seats[0] >= people:
            return table
    raise AssertionError("a bot begins for one of the dealers")


def test_the_bots_wait_until_the_result_is_read(bots: Simulation, db: None) -> None:
    table = bot_opens()
    is_there(table, table.keys[0])
    bots.notice(table.id)
    bots.serve(10)

    hurry(table, 0, goes_on=True)

    assert waited(bots, table) == pytest.approx(SLOT, abs=1e-3)


def test_a_worker_learns_from_the_servers_who_is_there(bots: Simulation, db: None) -> None:
    table = bot_opens()
    hub.receive({"phones": [[table.id, table.keys[0].pk, "Ana’s phone", False, 2.0]]})
    bots.notice(table.id)

    assert waited(bots, table) > 10


def test_a_tap_on_the_last_trick_is_not_one_on_the_result(bots: Simulation, db: None) -> None:
    table = bot_opens()
    is_there(table, table.keys[0])
    bots.notice(table.id)

    hurry(table, 0)

    assert waited(bots, table) > 10


def test_they_wait_for_everybody_who_is_there_and_for_no_one_else(bots: Simulation, db: None) -> None:
    table = bot_opens(people=2)
    is_there(table, *table.keys.values())
    bots.notice(table.id)

    hurry(table, 1, goes_on=True)
    (stored,) = DBTaskResult.objects.all()
    assert stored.run_after.timestamp() > bots.now + 10
    hurry(table, 0, goes_on=True)

    assert waited(bots, table) == pytest.approx(SLOT, abs=1e-3)


def test_they_do_not_wait_forever(bots: Simulation, db: None) -> None:
    table = bot_opens()
    is_there(table, table.keys[0])
    bots.notice(table.id)

    assert waited(bots, table) <= PATIENCE.total_seconds() + 1


def test_where_no_person_is_there_they_do_not_wait_at_all(bots: Simulation, db: None) -> None:
    table = bot_opens()
    bots.notice(table.id)

    assert waited(bots, table) == pytest.approx(2 * PAUSE + SLOT, abs=1e-3)


def test_who_goes_on_before_a_person_begins_is_not_waited_for_after(bots: Simulation, db: None) -> None:
    for dealer in range(3):
        table = DigitalTable(dutch(3, rounds=3, dealer=dealer), bots={2: "easy"}).play_on(rounds_finished(1))
        if table.state.acting_seats[0] == 1:
            break
    is_there(table, table.keys[0], table.keys[1])
    hurry(table, 0, goes_on=True)

    table.step()
    bots.notice(table.id)

    assert waited(bots, table) == pytest.approx(PAUSE + SLOT, abs=1e-3)


def test_readiness_only_grows(db: None) -> None:
    table = DigitalTable(dutch(3, rounds=1))
    key = table.keys[0].pk
    note_ready([key], until=7)
    note_ready([key], until=5)

    assert Key.objects.get(pk=key).ready == 7
    assert Game.objects.get(pk=table.id).speed == Speed.NORMAL


# --- a proposal to finish early ---


def proposed(bots: Simulation, table: DigitalTable, seat: int = 0) -> None:
    """A player proposes to finish early, with some seconds to withdraw it."""
    DBTaskResult.objects.all().delete()
    key = table.keys[seat]
    with committed(execute=True):
        proposals.propose(game_id=table.id, actor=key, kind="finish", request=WriteRequest(), bots_answer=False)
    bots.serve(tasks.REGRET.total_seconds() - 0.5)
    assert not table.state.is_over


def test_the_bots_agree_to_finish_after_some_seconds(bots: Simulation, db: None) -> None:
    table = bot_opens()
    proposed(bots, table)

    bots.serve(1)

    assert table.state.is_over
    assert not DBTaskResult.objects.filter(task_path=tasks.end.module_path).exists()


def test_until_then_it_is_withdrawn(bots: Simulation, db: None) -> None:
    table = bot_opens()
    proposed(bots, table)

    table.answer(0, agrees=False)
    bots.serve(30)

    assert not table.state.is_over
    assert not DBTaskResult.objects.filter(task_path=tasks.end.module_path).exists()


def test_another_proposal_hastens_no_answer(bots: Simulation, db: None) -> None:
    table = bot_opens(people=2)
    proposed(bots, table)

    table.answer(1)
    table.propose(0, "takeback", to_seq=table.ledger.dealt_at)

    assert not table.state.is_over


def test_other_players_are_asked_as_ever(bots: Simulation, db: None) -> None:
    table = bot_opens(people=2)
    proposed(bots, table)

    bots.serve(10)
    assert not table.state.is_over
    table.answer(1)

    assert table.state.is_over


def test_a_game_that_was_just_deleted_stops_no_worker(bots: Simulation, db: None) -> None:
    table = bot_opens()
    proposed(bots, table)
    deletion.delete_game(game_id=table.id)

    bots.serve(3)

    assert not DBTaskResult.objects.exists()

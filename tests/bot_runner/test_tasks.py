"""The bots at their tables: who is due, how long they wait, that they act once."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

import pytest
from django.db import InterfaceError, OperationalError, connection, transaction
from django.utils import timezone
from django_tasks import TaskContext
from django_tasks_db.models import DBTaskResult, DBTaskResultQuerySet
from pytest_django import Settings

from games.bot_runner import tasks, turn
from games.bot_runner import worker as worker_module
from games.bot_runner.turn import PATIENCE
from games.bot_runner.worker import AFTER_A_FAILURE
from games.bots import SECONDS
from games.keys.hashes import bot_seed
from games.log import store
from games.models import Game
from games.rules import Action, Phase
from games.rules.redaction import PlayerView
from games.services import deletion, group_players, groups
from tests.builders import dutch
from tests.cast.digital import Chooser, DigitalTable, cards_on_table, committed, in_phase, over, rounds_finished
from tests.services.crews import SEARCH, Simulation, act_due, turn_of

PAUSE = 0.9


@pytest.fixture
def table(db: None) -> DigitalTable:
    """Ana, and bots for Ben and Cleo; Ben places first."""
    return DigitalTable(dutch(3, rounds=2), bots={1: "easy", 2: "easy"})


def pauses(table: DigitalTable) -> int:
    """How many pauses lie before the action of the bot that is due."""
    due = turn_of(table.id)
    assert due is not None
    return due.pauses


def keep_open(space: str) -> Chooser:
    """Takes the first legal action that does not cover a space."""
    return lambda view: next(each for each in view.legal if getattr(each, "space", "") != space)


def bot_is_due(table: DigitalTable) -> bool:
    return 0 not in table.state.acting_seats


# --- who acts ---


def test_the_bots_act_one_after_the_other_until_a_person_is_due(table: DigitalTable) -> None:
    with committed(execute=True):
        acted = act_due(table.id)

    assert acted == 2
    assert table.state.acting_seats == (0,)
    with committed(execute=True):
        assert act_due(table.id) == 0


def test_while_all_choose_the_bots_do_not_wait_for_people(table: DigitalTable) -> None:
    table.play_on(in_phase(Phase.DISCARDING), choose=keep_open("discard_2"))

    with committed(execute=True):
        assert act_due(table.id) == 2

    assert table.state.acting_seats == (0,)


def test_of_two_processes_that_look_at_once_one_acts(table: DigitalTable) -> None:
    first, second = turn_of(table.id), turn_of(table.id)
    assert first is not None
    assert second is not None

    with committed(execute=True):
        assert first.write(first.decide())
        assert not second.write(second.decide())

    assert table.game.version == first.ledger.version + 1


def test_a_table_without_bots_or_at_its_end_has_no_one_due(db: None) -> None:
    people = DigitalTable(dutch(3, rounds=1))
    assert turn_of(people.id) is None
    table = DigitalTable(dutch(3, rounds=1), bots={1: "easy", 2: "easy"}).play_on(over)
    assert turn_of(table.id) is None


def test_a_bot_that_cannot_decide_does_what_it_may_and_no_card_is_logged(
    table: DigitalTable, caplog: pytest.LogCaptureFixture
) -> None:
    table.play_on(lambda state: state.phase is Phase.TRICKS and state.acting_seats != (0,))
    due = replace(turn_of(table.id), level="clever")

    with caplog.at_level(logging.ERROR), committed(execute=True):
        assert due.write(due.decide())

    (record,) = caplog.records
    assert "could not decide: ValueError" in record.getMessage()
    assert not any(str(card) in caplog.text for hand in due.ledger.replay.full.hands for card in hand)


# --- how long it waits ---


def test_a_finished_trick_can_be_seen_for_twice_as_long(table: DigitalTable) -> None:
    assert pauses(table) == 1
    table.play_on(cards_on_table(1))
    table.play_on(lambda state: cards_on_table(0)(state) and state.acting_seats != (0,))

    assert pauses(table) == 2


def test_so_can_the_settled_board(table: DigitalTable) -> None:
    table.play_on(lambda state: state.phase is Phase.TEAMS and state.acting_seats != (0,))

    assert pauses(table) == 2


def test_so_can_who_plays_with_whom(table: DigitalTable) -> None:
    table.play_on(lambda state: state.phase is Phase.TRICKS and state.acting_seats != (0,) and not state.current.tricks)

    assert table.state.current.table == ()
    assert pauses(table) == 2


def test_so_can_the_last_trick_of_a_round(table: DigitalTable) -> None:
    table.play_on(rounds_finished(1))

    if bot_is_due(table):
        assert pauses(table) == 2


@pytest.fixture
def bots(monkeypatch: pytest.MonkeyPatch) -> Simulation:
    return Simulation(monkeypatch, pause=PAUSE)


EASY = PAUSE + tasks.SLOT
MEDIUM, STRONG = (PAUSE + search + tasks.SLOT_OF_SEARCH for search in (SECONDS["medium"], SEARCH))
"""Seconds before an action."""


def test_a_bot_acts_after_its_pause_and_its_slot(bots: Simulation, table: DigitalTable) -> None:
    bots.notice(table.id)

    bots.serve(3 * PAUSE)

    began, first, second = (now for now, _ in bots.written[table.id])
    assert (first - began, second - first) == pytest.approx((EASY, EASY), abs=1e-3)


@pytest.mark.parametrize(("level", "slot"), [("medium", MEDIUM), ("strong", STRONG)])
def test_a_bot_waits_for_its_search_also_when_it_has_no_choice(
    bots: Simulation, db: None, level: str, slot: float
) -> None:
    table = DigitalTable(dutch(3, rounds=1), bots={1: level, 2: "easy"})
    bots.cost = lambda view, budget: 0.0
    bots.notice(table.id)

    bots.serve(slot + 0.01)

    (began, _), (acted, _) = bots.written[table.id]
    assert acted - began == pytest.approx(slot, abs=1e-3)


def test_a_medium_bot_takes_its_short_search_however_many_are_due(bots: Simulation, db: None) -> None:
    seconds: list[float] = []

    def cost(view: PlayerView, budget: float) -> float:
        seconds.append(budget)
        return 0.0

    bots.cost = cost
    for _ in range(3):
        bots.notice(DigitalTable(dutch(3, rounds=1), bots={1: "medium", 2: "strong"}).id)

    bots.serve(MEDIUM + 0.5)

    assert seconds.count(SECONDS["medium"]) == 3


def test_a_clock_that_is_set_back_puts_no_bot_off(bots: Simulation, table: DigitalTable) -> None:
    bots.notice(table.id)
    before = table.game.version
    bots.now -= 3650 * 24 * 3600

    bots.serve(0.5)

    assert table.game.version == before + 1


def test_a_task_of_an_earlier_version_does_nothing(bots: Simulation, db: None) -> None:
    table = DigitalTable(dutch(3, rounds=1), bots={1: "strong", 2: "easy"})
    bots.notice(table.id)
    bots.serve(0.5)

    table.put_bot(1, None)
    bots.serve(60)

    assert table.state.acting_seats == (1,)
    assert table.ledger.bots == (None, None, "easy")
    assert not DBTaskResult.objects.exists()


def test_a_task_that_two_workers_run_is_done_once(bots: Simulation, table: DigitalTable) -> None:
    bots.notice(table.id)
    (stored,) = DBTaskResult.objects.all()
    before = table.game.version

    with committed(execute=True):
        for _ in range(2):
            context = TaskContext(task_result=stored.task_result)
            tasks.act.call(context, *stored.args_kwargs["args"])

    assert table.game.version == before + 1


def test_the_bots_wait_for_answers_to_a_proposal_but_not_forever(bots: Simulation, db: None) -> None:
    table = DigitalTable(dutch(3, rounds=1), bots={1: "easy"})
    table.play_on(lambda state: state.acting_seats == (0,)).step()
    assert bot_is_due(table)
    bots.notice(table.id)
    table.propose(0, "takeback")

    bots.serve(PATIENCE.total_seconds() - 2)
    table.answer(2, agrees=False)
    table.propose(0, "takeback")
    version = table.game.version
    bots.serve(1)
    assert table.game.version == version
    bots.serve(2)

    assert table.game.version == version + 1


# --- all tables ---


def test_a_write_that_makes_a_bot_due_enqueues_it_in_its_transaction(table: DigitalTable) -> None:
    DBTaskResult.objects.all().delete()
    with transaction.atomic():
        act_due(table.id)
        transaction.set_rollback(True)
    assert not DBTaskResult.objects.exists()

    table.step()

    (stored,) = DBTaskResult.objects.all()
    assert stored.args_kwargs["args"] == [table.id, table.game.version]
    assert (stored.queue_name, stored.priority) == (tasks.BOTS, tasks.FIRST)
    table.step()
    assert DBTaskResult.objects.count() == 1, "a player is due"


def test_a_request_that_writes_nothing_enqueues_nothing(table: DigitalTable) -> None:
    assert bot_is_due(table)
    DBTaskResult.objects.all().delete()

    table.put_bot(1, "easy")
    table.put_bot(0, None)

    assert not DBTaskResult.objects.exists()


def test_tasks_of_an_earlier_release_take_no_share_of_the_search(bots: Simulation, db: None) -> None:
    table = DigitalTable(dutch(3, rounds=1), bots={1: "strong", 2: "easy"})
    bots.notice(table.id)
    due = timezone.now() + timedelta(seconds=PAUSE)
    for _ in range(4):
        tasks.act.using(priority=-50, run_after=due).enqueue("nosuchgame00", 1)

    bots.serve(STRONG + 0.01)

    (began, _), (acted, _) = bots.written[table.id]
    assert acted - began == pytest.approx(STRONG, abs=1e-3)


def test_an_erased_name_puts_no_bot_off(db: None) -> None:
    group = groups.create_group(name="Club", creator_label="").group
    table = DigitalTable(dutch(3, rounds=1), bots={1: "easy", 2: "easy"}, group=group)
    assert bot_is_due(table)

    group_players.erase_player(group_id=group.pk, player_id=group.players.get(name="Ana").pk)

    latest = DBTaskResult.objects.order_by("-enqueued_at").first()
    assert latest.args_kwargs["args"] == [table.id, table.game.version]


def test_those_who_think_fast_come_first(monkeypatch: pytest.MonkeyPatch, db: None) -> None:
    simulation = Simulation(monkeypatch)
    tables = {level: DigitalTable(dutch(3, rounds=1), bots={1: level, 2: level}) for level in ("strong", "easy")}
    before = {level: each.game.version for level, each in tables.items()}
    DBTaskResult.objects.all().delete()
    for each in tables.values():
        simulation.notice(each.id)

    simulation.serve(1.5 * tasks.SLOT)

    after = {level: each.game.version - before[level] for level, each in tables.items()}
    assert after == {"strong": 0, "easy": 2}


def test_a_worker_waits_while_another_one_runs_what_is_due(
    bots: Simulation, table: DigitalTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    bots.notice(table.id)
    bots.now += PAUSE
    monkeypatch.setattr(DBTaskResultQuerySet, "get_locked", lambda self: None)

    assert bots.worker.serve() == bots.worker.interval


def test_a_deleted_game_has_nothing_to_do(bots: Simulation, table: DigitalTable) -> None:
    bots.notice(table.id)
    deletion.delete_game(game_id=table.id)

    bots.serve(2)

    assert not DBTaskResult.objects.exists()


def test_the_bots_of_a_game_that_is_restored_go_on(bots: Simulation, table: DigitalTable) -> None:
    bots.notice(table.id)
    deletion.delete_game(game_id=table.id)
    bots.serve(2)
    before = table.game.version

    deletion.restore_game(game_id=table.id, actor=table.host)
    bots.serve(5)

    assert table.game.version > before


def test_a_game_that_cannot_be_read_stops_no_other_and_is_tried_again(
    bots: Simulation, table: DigitalTable, caplog: pytest.LogCaptureFixture
) -> None:
    broken = DigitalTable(dutch(3, rounds=1), bots={1: "easy", 2: "easy"})
    for each in (broken, table):
        bots.notice(each.id)
    setup, before = broken.game.setup, (broken.game.version, table.game.version)
    store.forget(broken.id)
    Game.objects.filter(pk=broken.id).update(setup={})

    with caplog.at_level(logging.ERROR):
        bots.serve(4)

    assert (broken.game.version, table.game.version) == (before[0], before[1] + 2)
    assert caplog.text.count(f"act ['{broken.id}', {before[0]}] failed") == 1
    Game.objects.filter(pk=broken.id).update(setup=setup)
    bots.serve(AFTER_A_FAILURE.total_seconds())
    assert broken.game.version == before[0] + 2


@pytest.mark.parametrize("error", [OperationalError, InterfaceError])
def test_a_database_that_is_away_puts_a_bot_off_for_a_second(
    bots: Simulation,
    table: DigitalTable,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    error: type[Exception],
) -> None:
    monkeypatch.setattr(worker_module, "time", bots)
    bots.notice(table.id)
    bots.worker.most = 1
    before, back = table.game.version, bots.now + 3

    def away_for_a_while(execute: Callable[..., object], *statement: object) -> object:
        if bots.now < back:
            raise error("the server closed the connection")
        return execute(*statement)

    with committed(execute=True), connection.execute_wrapper(away_for_a_while):
        bots.worker.run()

    assert table.game.version == before + 1
    # Marked, so that all processes of the machine write one such line in a second.
    assert [record.outage for record in caplog.records if "cannot reach the database" in record.message] == [True] * 3


# --- chance ---


def test_the_chance_of_a_bot_is_the_servers_secret(settings: Settings) -> None:
    seed = bot_seed("k3mq7x2p", 41, 2)

    assert seed == bot_seed("k3mq7x2p", 41, 2)
    assert len({seed, bot_seed("k3mq7x2p", 42, 2), bot_seed("k3mq7x2p", 41, 3), bot_seed("another0", 41, 2)}) == 4
    assert seed != int.from_bytes(hashlib.sha256(b"k3mq7x2p 41 2").digest()[:8])
    settings.SECRET_KEY = "another server " * 5
    assert seed != bot_seed("k3mq7x2p", 41, 2)


def test_the_same_position_is_another_search_on_another_server(
    table: DigitalTable, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    seeds: list[int] = []

    def decide(view: PlayerView, *, level: str, seed: int, budget: float | None) -> Action:
        seeds.append(seed)
        return view.legal[0]

    monkeypatch.setattr(turn.bots, "decide", decide)
    for secret in ("one server " * 5, "one server " * 5, "another server " * 5):
        settings.SECRET_KEY = secret
        turn_of(table.id).decide()

    assert seeds[0] == seeds[1] != seeds[2]

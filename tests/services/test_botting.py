"""The bots at their tables: who is due, how long they wait, that they act once."""

from __future__ import annotations

import hashlib
import logging
import time
from dataclasses import replace
from datetime import timedelta

import pytest
from django.utils import timezone
from pytest_django import Settings

from games.bot_runner import scheduler
from games.bot_runner.scheduler import PATIENCE, SLOT, Crew, Turn, act_due, ledger_of
from games.keys.hashes import bot_seed
from games.models import Game
from games.rules import Action, Phase
from games.rules.redaction import PlayerView
from games.services import tables as services
from tests.builders import dutch
from tests.services.crews import SEARCH, Simulation
from tests.services.phones import Chooser, Phones, cards_on_table, committed, in_phase, over, rounds_finished

PAUSE = 0.9


@pytest.fixture
def table(db: None) -> Phones:
    """Ana, and bots for Ben and Cleo; Ben places first."""
    return Phones(dutch(3, rounds=2), bots={1: "easy", 2: "easy"})


def pauses(table: Phones) -> int:
    """How many pauses lie before the action of the bot that is due."""
    turn = Turn.in_(ledger_of(table.id))
    assert turn is not None
    return turn.pauses


def keep_open(space: str) -> Chooser:
    """Takes the first legal action that does not cover a space."""
    return lambda view: next(each for each in view.legal if getattr(each, "space", "") != space)


def bot_is_due(table: Phones) -> bool:
    return 0 not in table.state.acting_seats


# --- who acts ---


def test_the_bots_act_one_after_the_other_until_a_person_is_due(table: Phones) -> None:
    with committed(execute=True):
        acted = act_due(table.id)

    assert acted == 2
    assert table.state.acting_seats == (0,)
    with committed(execute=True):
        assert act_due(table.id) == 0


def test_while_all_choose_the_bots_do_not_wait_for_people(table: Phones) -> None:
    table.play_on(in_phase(Phase.DISCARDING), choose=keep_open("discard_2"))

    with committed(execute=True):
        assert act_due(table.id) == 2

    assert table.state.acting_seats == (0,)


def test_of_two_processes_that_look_at_once_one_acts(table: Phones) -> None:
    first, second = Turn.in_(ledger_of(table.id)), Turn.in_(ledger_of(table.id))
    assert first is not None
    assert second is not None

    with committed(execute=True):
        assert first.write(first.decide())
        assert not second.write(second.decide())

    assert table.game.version == first.ledger.version + 1


def test_a_table_without_bots_or_at_its_end_has_no_one_due(db: None) -> None:
    people = Phones(dutch(3, rounds=1))
    assert Turn.in_(ledger_of(people.id)) is None
    table = Phones(dutch(3, rounds=1), bots={1: "easy", 2: "easy"}).play_on(over)
    assert ledger_of(table.id) is None
    assert act_due(table.id) == 0


def test_a_bot_that_cannot_decide_does_what_it_may_and_no_card_is_logged(
    table: Phones, caplog: pytest.LogCaptureFixture
) -> None:
    table.play_on(lambda state: state.phase is Phase.TRICKS and state.acting_seats != (0,))
    turn = replace(Turn.in_(ledger_of(table.id)), level="clever")

    with caplog.at_level(logging.ERROR), committed(execute=True):
        assert turn.write(turn.decide())

    (record,) = caplog.records
    assert "could not decide: ValueError" in record.getMessage()
    assert not any(str(card) in caplog.text for hand in turn.ledger.replay.full.hands for card in hand)


# --- how long it waits ---


def test_a_finished_trick_can_be_seen_for_twice_as_long(table: Phones) -> None:
    assert pauses(table) == 1
    table.play_on(cards_on_table(1))
    table.play_on(lambda state: cards_on_table(0)(state) and state.acting_seats != (0,))

    assert pauses(table) == 2


def test_so_can_the_last_trick_of_a_round(table: Phones) -> None:
    table.play_on(rounds_finished(1))

    if bot_is_due(table):
        assert pauses(table) == 2


@pytest.fixture
def bots() -> Simulation:
    return Simulation(pause=PAUSE)


def test_a_bot_acts_after_its_pause_and_its_slot(bots: Simulation, table: Phones) -> None:
    before = table.game.version

    bots.serve(PAUSE + SLOT - 0.001)
    assert table.game.version == before
    bots.serve(0.002)
    assert table.game.version == before + 1
    bots.serve(PAUSE + SLOT)
    assert table.game.version == before + 2


def test_a_clock_of_the_database_does_not_matter(
    bots: Simulation, table: Phones, monkeypatch: pytest.MonkeyPatch
) -> None:
    later = timezone.now() + timedelta(days=3650)
    monkeypatch.setattr(timezone, "now", lambda: later)
    before = table.game.version

    bots.serve(PAUSE + SLOT + 0.001)

    assert table.game.version == before + 1


def test_a_strong_bot_waits_for_its_search_also_when_it_has_no_choice(bots: Simulation, db: None) -> None:
    table = Phones(dutch(3, rounds=1), bots={1: "strong", 2: "easy"})
    before = table.game.version
    bots.cost = lambda turn, budget: 0.0

    bots.serve(PAUSE + SEARCH + SLOT - 0.001)
    assert table.game.version == before
    bots.serve(0.002)
    assert table.game.version == before + 1


def test_a_repeated_message_does_not_begin_the_pause_again(bots: Simulation, table: Phones) -> None:
    before = table.game.version
    for tenth in range(1, 10):
        bots.at(bots.now + tenth / 10, lambda: bots.put(table.id))

    bots.serve(PAUSE + SLOT + 0.001)

    assert table.game.version == before + 1


def test_a_decision_for_an_earlier_version_is_dropped(bots: Simulation, db: None) -> None:
    table = Phones(dutch(3, rounds=1), bots={1: "strong", 2: "easy"})
    bots.serve(0.5)

    table.put_bot(1, None)
    bots.put(table.id)
    bots.serve(3600)

    assert table.state.acting_seats == (1,)
    assert table.ledger.bots == (None, None, "easy")


def test_after_a_restart_a_bot_acts_once(table: Phones) -> None:
    before = table.game.version
    first, second = Simulation(pause=PAUSE), Simulation(pause=PAUSE)

    first.serve(PAUSE)
    second.serve(PAUSE + SLOT + 0.001)
    assert table.game.version == before + 1
    first.serve(SLOT + 0.002)

    assert table.game.version == before + 1
    assert set(first.crew.due) == set(second.crew.due) == {table.id}


def test_the_bots_wait_for_answers_to_a_proposal_but_not_for_ever(bots: Simulation, db: None) -> None:
    table = Phones(dutch(3, rounds=1), bots={1: "easy"})
    table.play_on(lambda state: state.acting_seats == (0,)).step()
    assert bot_is_due(table)
    table.propose(0, "takeback")

    bots.serve(PATIENCE - 1)
    table.answer(2, agrees=False)
    table.propose(0, "takeback")
    version = table.game.version
    bots.put(table.id)
    bots.serve(1)
    assert table.game.version == version
    bots.serve(SLOT + 0.001)

    assert table.game.version == version + 1


# --- all tables ---


@pytest.fixture
def simulation() -> Simulation:
    return Simulation()


@pytest.fixture
def crew(simulation: Simulation) -> Crew:
    return simulation.crew


def test_a_crew_looks_for_tables_by_itself(simulation: Simulation, crew: Crew, table: Phones) -> None:
    before = table.game.version

    simulation.serve(2)

    assert table.game.version == before + 2
    assert crew.due == {}
    assert crew.watched() == {table.id: before + 2}


def test_those_who_think_fast_come_first(simulation: Simulation, db: None) -> None:
    tables = {level: Phones(dutch(3, rounds=1), bots={1: level, 2: level}) for level in ("strong", "easy")}
    before = {level: each.game.version for level, each in tables.items()}

    simulation.serve(2 * SLOT + 0.001)

    after = {level: each.game.version - before[level] for level, each in tables.items()}
    assert after == {"strong": 0, "easy": 2}


def test_bots_think_beside_the_thread_that_writes(table: Phones) -> None:
    crew, before = Crew(pause=0.0, budget=0.02), table.game.version
    deadline = time.monotonic() + 10

    while table.game.version < before + 2 and time.monotonic() < deadline:
        with committed(execute=True):
            crew.serve()

    assert table.game.version == before + 2


def test_a_game_with_a_message_is_read_and_a_deleted_one_is_dropped(
    simulation: Simulation, crew: Crew, table: Phones
) -> None:
    simulation.serve(2)
    table.step()

    crew.receive({"version": [table.id, table.game.version, None, False]})
    crew.receive({"here": {}})
    simulation.serve(0.01)

    assert set(crew.due) == {table.id}
    services.delete_game(game_id=table.id)
    crew.note_versions({table.id: -1})
    simulation.serve(0.01)
    assert crew.watched() == {}


def test_a_game_that_cannot_be_read_stops_no_other(
    simulation: Simulation, table: Phones, caplog: pytest.LogCaptureFixture
) -> None:
    broken = Phones(dutch(3, rounds=1), bots={1: "easy", 2: "easy"})
    scheduler.store.forget(broken.id)
    Game.objects.filter(pk=broken.id).update(setup={})
    before = table.game.version

    with caplog.at_level(logging.ERROR):
        simulation.serve(4)

    assert table.game.version == before + 2
    assert caplog.text.count(f"No bot can act in game {broken.id}") == 1


# --- chance ---


def test_the_chance_of_a_bot_is_the_servers_secret(settings: Settings) -> None:
    seed = bot_seed("k3mq7x2p", 41, 2)

    assert seed == bot_seed("k3mq7x2p", 41, 2)
    assert len({seed, bot_seed("k3mq7x2p", 42, 2), bot_seed("k3mq7x2p", 41, 3), bot_seed("another0", 41, 2)}) == 4
    assert seed != int.from_bytes(hashlib.sha256(b"k3mq7x2p 41 2").digest()[:8])
    settings.SECRET_KEY = "another server " * 5
    assert seed != bot_seed("k3mq7x2p", 41, 2)


def test_the_same_position_is_another_search_on_another_server(
    table: Phones, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    seeds: list[int] = []

    def decide(view: PlayerView, *, level: str, seed: int, budget: float | None) -> Action:
        seeds.append(seed)
        return view.legal[0]

    monkeypatch.setattr(scheduler.bots, "decide", decide)
    for secret in ("one server " * 5, "one server " * 5, "another server " * 5):
        settings.SECRET_KEY = secret
        turn = Turn.in_(ledger_of(table.id))
        assert turn is not None
        turn.decide()

    assert seeds[0] == seeds[1] != seeds[2]

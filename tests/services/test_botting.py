"""The bots at their tables: who is due, how long they wait, that they act once."""

from __future__ import annotations

import logging
from datetime import timedelta

import pytest
from django.utils import timezone

from games.bot_runner import scheduler
from games.bot_runner.scheduler import PATIENCE, Crew, Turn, act_due, ledger_of
from games.models import Game
from games.rules import Phase
from games.services import tables as services
from tests.builders import dutch
from tests.services.phones import Chooser, Phones, cards_on_table, committed, in_phase, over, rounds_finished

PAUSE = 0.9


@pytest.fixture
def table(db: None) -> Phones:
    """Ana, and bots for Ben and Cleo; Ben places first."""
    return Phones(dutch(3, rounds=2), bots={1: "easy", 2: "easy"})


def wait(table: Phones) -> float:
    """How long the bot that is due has to wait from now on."""
    turn = Turn.in_(ledger_of(table.id))
    assert turn is not None
    return turn.wait(PAUSE)


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
        assert first.act()
        assert not second.act()

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
    turn = Turn(ledger_of(table.id), table.state.acting_seats[0], "clever")

    with caplog.at_level(logging.ERROR), committed(execute=True):
        assert turn.act()

    (record,) = caplog.records
    assert "could not decide: ValueError" in record.getMessage()
    assert not any(str(card) in caplog.text for hand in turn.ledger.replay.full.hands for card in hand)


# --- how long it waits ---


@pytest.fixture
def now(monkeypatch: pytest.MonkeyPatch) -> list[timedelta]:
    """A clock that a test puts forward by adding to the list."""
    when, passed = timezone.now(), [timedelta()]
    monkeypatch.setattr(timezone, "now", lambda: when + sum(passed, timedelta()))
    return passed


def test_a_bot_waits_from_the_last_entry_on(now: list[timedelta], table: Phones) -> None:
    assert wait(table) == pytest.approx(PAUSE)
    now.append(timedelta(seconds=0.5))
    assert wait(table) == pytest.approx(PAUSE - 0.5)
    now.append(timedelta(hours=1))
    assert wait(table) == 0


def test_a_clock_that_was_put_back_makes_no_one_wait_longer(now: list[timedelta], table: Phones) -> None:
    now.append(timedelta(days=-3650))

    assert wait(table) == pytest.approx(PAUSE)


def test_a_finished_trick_can_be_seen_for_twice_as_long(now: list[timedelta], table: Phones) -> None:
    table.play_on(cards_on_table(1))
    table.play_on(lambda state: cards_on_table(0)(state) and state.acting_seats != (0,))

    assert wait(table) == pytest.approx(2 * PAUSE)


def test_so_can_the_last_trick_of_a_round(now: list[timedelta], table: Phones) -> None:
    table.play_on(rounds_finished(1))

    if bot_is_due(table):
        assert wait(table) == pytest.approx(2 * PAUSE)


def test_the_bots_wait_for_answers_to_a_proposal_but_not_for_ever(now: list[timedelta], db: None) -> None:
    table = Phones(dutch(3, rounds=1), bots={1: "easy"})
    table.play_on(lambda state: state.acting_seats == (0,)).step()
    assert bot_is_due(table)

    table.propose(0, "takeback")

    assert wait(table) == pytest.approx(PATIENCE)
    now.append(timedelta(seconds=PATIENCE))
    assert wait(table) == 0


# --- all tables ---


class Clock:
    """Stands until it is shown."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def crew() -> Crew:
    return Crew(pause=0.0, budget=0.02, clock=Clock())


def serve(crew: Crew) -> None:
    with committed(execute=True):
        crew.serve()


def test_a_crew_looks_for_tables_by_itself(crew: Crew, table: Phones) -> None:
    before = table.game.version

    serve(crew)
    serve(crew)

    assert table.game.version == before + 2
    assert crew.due == {}
    assert crew.watched() == {table.id: before + 2}


def test_those_who_think_fast_come_first(crew: Crew, db: None) -> None:
    tables = {level: Phones(dutch(3, rounds=1), bots={1: level, 2: level}) for level in ("strong", "easy")}
    before = {level: each.game.version for level, each in tables.items()}

    serve(crew)
    serve(crew)

    after = {level: each.game.version - before[level] for level, each in tables.items()}
    assert after == {"strong": 0, "easy": 2}


def test_a_game_with_a_message_is_read_and_a_deleted_one_is_dropped(crew: Crew, table: Phones) -> None:
    serve(crew)
    serve(crew)
    table.step()

    crew.receive({"version": [table.id, table.game.version, None, False]})
    crew.receive({"here": {}})
    serve(crew)

    assert set(crew.due) == {table.id}
    services.delete_game(game_id=table.id)
    crew.note_versions({table.id: -1})
    crew.due.clear()
    serve(crew)
    assert crew.watched() == {}


def test_a_game_that_cannot_be_read_stops_no_other(crew: Crew, table: Phones, caplog: pytest.LogCaptureFixture) -> None:
    broken = Phones(dutch(3, rounds=1), bots={1: "easy", 2: "easy"})
    scheduler.store.forget(broken.id)
    Game.objects.filter(pk=broken.id).update(setup={})
    before = table.game.version

    with caplog.at_level(logging.ERROR):
        serve(crew)
        serve(crew)
        crew.clock.now += 2
        serve(crew)

    assert table.game.version == before + 2
    assert caplog.text.count(f"No bot can act in game {broken.id}") == 1


def test_a_pause_lies_before_each_action(now: list[timedelta], table: Phones) -> None:
    clock = Clock()
    crew = Crew(pause=0.05, budget=0.02, clock=clock)
    before = table.game.version

    serve(crew)
    assert table.game.version == before
    clock.now += 0.06
    serve(crew)
    assert table.game.version == before + 1

"""Hints: for whom, when, once for a decision, found by a task that does nothing if the decision is gone."""

from __future__ import annotations

from dataclasses import replace

import pytest
from django.conf import settings
from django_tasks_db.models import DBTaskResult

from games.bot_runner import tasks
from games.errors import NoHint
from games.formats import document
from games.log import store
from games.log.ledger import ledger_of
from games.rules import Phase, Place, RowKey
from games.rules.errors import NjetError
from games.rules.hints import HintReason
from games.rules.replay import HintEntry
from games.services import hints
from games.services.hints import Hints
from games.services.write import WriteRequest
from tests.builders import dutch
from tests.cast.digital import DigitalTable, committed, over
from tests.cast.tables import Table
from tests.services.crews import SEARCH, Simulation, act_due

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


@pytest.fixture
def bots(monkeypatch: pytest.MonkeyPatch) -> Simulation:
    """Bots on a simulated clock."""
    monkeypatch.setattr(settings, "NJET_BOTS", "auto")
    monkeypatch.setattr(tasks.process, "ensure_running", lambda queue: None)
    return Simulation(monkeypatch)


def my_turn(phase: Phase = Phase.PLACING) -> DigitalTable:
    """Ana is due, among bots, and has a choice."""
    table = DigitalTable(dutch(3, rounds=1), bots={1: "easy", 2: "easy"})
    table.play_on(lambda state: state.phase is phase and state.acting_seats == (0,))
    while table.state.acting_seats != (0,) or len(table.view(0).legal) == 1:
        table.step()
    return table


def ask(table: DigitalTable, seat: int = 0) -> None:
    with committed(execute=True):
        tasks.ask_hint(table.seen(seat), seat)


def given(table: DigitalTable) -> list[HintEntry]:
    return [entry for entry in table.ledger.entries if isinstance(entry, HintEntry)]


def waiting() -> int:
    return DBTaskResult.objects.filter(task_path__endswith=".hint").count()


def test_a_hint_is_what_the_bot_would_do_and_changes_nothing(bots: Simulation) -> None:
    table = my_turn(Phase.TRICKS)
    before = table.ledger

    ask(table)
    bots.serve(5 * SEARCH)

    (hint,) = given(table)
    assert (hint.seq, hint.seat, hint.action) == (before.version + 1, 0, before.played_by(0).view.legal[0])
    assert isinstance(hint.reason, HintReason)
    assert (table.ledger.counting, table.ledger.replay) == (before.counting, before.replay)
    assert store.refold(table.game) == table.ledger
    assert not waiting()


def test_a_decision_gets_one_hint(bots: Simulation) -> None:
    table = my_turn()

    ask(table)
    ask(table)
    assert waiting() == 2
    bots.serve(9 * SEARCH)
    ask(table)

    assert len(given(table)) == 1
    assert not waiting()


def test_after_the_action_there_is_no_hint_and_the_next_decision_gets_its_own(bots: Simulation) -> None:
    table = my_turn()
    ask(table)
    bots.serve(5 * SEARCH)
    version = table.game.version - 1

    # The hint does not make the page of before too old.
    table.act(0, table.view(0).legal[1], WriteRequest(version=version))

    assert Hints(table.ledger).of(0) is None
    table.play_on(lambda state: state.acting_seats == (0,))
    ask(table)
    bots.serve(5 * SEARCH)
    assert len(given(table)) == 2


def test_a_game_that_has_moved_on_gets_no_hint(bots: Simulation) -> None:
    table = my_turn()

    ask(table)
    table.step()
    bots.serve(5 * SEARCH)

    assert not given(table)
    assert not waiting()


def test_a_choice_face_down_of_another_player_leaves_the_hint(bots: Simulation) -> None:
    table = DigitalTable(dutch(3, rounds=1), bots={1: "easy", 2: "easy"})
    keep = "discard_2"
    table.play_on(
        lambda state: state.phase is Phase.DISCARDING,
        choose=lambda view: next(each for each in view.legal if getattr(each, "space", "") != keep),
    )
    version = table.game.version
    hints.record(
        game_id=table.id, seat=0, version=version, action=table.view(0).legal[0], reason=HintReason.BEST_IN_TRIALS
    )

    with committed(execute=True):
        assert act_due(table.id) == 2

    assert Hints(table.ledger).of(0) == given(table)[0]


@pytest.mark.parametrize("levels", [{}, {1: "easy"}])
def test_with_other_people_at_the_table_there_are_no_hints(bots: Simulation, levels: dict[int, str]) -> None:
    table = DigitalTable(dutch(3, rounds=1), bots=levels).play_on(lambda state: state.acting_seats == (0,))

    with pytest.raises(NoHint):
        ask(table)


def test_once_a_second_person_has_sat_at_the_table_a_bot_in_their_seat_brings_no_hints(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(settings, "NJET_BOTS", "auto")
    monkeypatch.setattr(tasks.process, "ensure_running", lambda queue: None)
    table = my_turn()
    assert Hints(table.seen(0)).may_ask

    table.move(1)
    table.put_bot(1, "easy")
    assert table.ledger.bots == (None, "easy", "easy")

    with pytest.raises(NoHint):
        ask(table)


def test_who_is_not_due_or_whose_game_is_over_gets_none(bots: Simulation) -> None:
    table = my_turn()
    table.step()
    with pytest.raises(NoHint):
        ask(table)
    table.play_on(over)
    with pytest.raises(NoHint):
        ask(table)


def test_a_single_legal_action_needs_none(bots: Simulation) -> None:
    seen = my_turn().seen(0)
    only = replace(seen, view=replace(seen.view, legal=seen.view.legal[:1]))

    assert Hints(seen).may_ask
    assert not Hints(only).may_ask


def test_where_no_bots_run_there_are_no_hints(bots: Simulation, monkeypatch: pytest.MonkeyPatch) -> None:
    table = my_turn()
    monkeypatch.setattr(settings, "NJET_BOTS", "off")

    with pytest.raises(NoHint):
        ask(table)


def test_a_player_for_whom_a_bot_plays_and_a_physical_table_get_none(bots: Simulation) -> None:
    table = my_turn()
    table.put_bot(0, "easy")

    assert not Hints(table.seen(0)).may_ask
    assert not Hints(Table().ledger).may_ask


def test_a_record_keeps_hints_and_refuses_those_that_were_impossible(bots: Simulation) -> None:
    table = my_turn()
    ask(table)
    bots.serve(5 * SEARCH)
    table.play_on(over)
    ledger = table.ledger
    (hint,) = given(table)

    def read_again(changed: HintEntry) -> None:
        entries = [changed if entry == hint else entry for entry in ledger.entries]
        assert document._folded(ledger_of("", ledger.written, ()), entries)[0].entries == tuple(entries)

    read_again(hint)
    read_again(replace(hint, action=None, reason=None))
    for changed in (replace(hint, seat=1), replace(hint, seat=7), replace(hint, action=Place(RowKey.TRUMP, "beer"))):
        with pytest.raises(NjetError):
            read_again(changed)

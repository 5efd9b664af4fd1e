"""The decisions of a seat, judged after the game: computed by tasks, stored, begun when they are asked for."""

from __future__ import annotations

from dataclasses import replace

import pytest
from django_tasks_db.models import DBTaskResult
from pytest_django import Settings

from games.analysis import tasks
from games.analysis.decisions import (
    FINALISTS,
    Decision,
    Judged,
    Progress,
    basis,
    decisions_of,
    judge_more,
    judged,
    turning_points,
)
from games.bot_runner import process
from games.errors import NotFinished
from games.models import Analysis
from games.rules import Play
from games.rules.actions import Discard
from games.rules.cards import Card
from games.rules.errors import DigitalOnly, UnknownSeat
from games.rules.hints import HintReason
from games.services import deletion, hints
from games.services import tables as services
from tests.bots.judged import answer_of
from tests.bots.judged import judged as positions
from tests.builders import dutch
from tests.cast.digital import DigitalTable, committed, over, rounds_finished
from tests.cast.tables import Table
from tests.services.crews import worker

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


@pytest.fixture(autouse=True)
def _few_guesses(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.NJET_ANALYSIS_GUESSES = 1
    monkeypatch.setattr(process, "ensure_running", lambda queue: None)


@pytest.fixture
def finished(db: None) -> DigitalTable:
    """A game after its only round."""
    return DigitalTable(dutch(3, rounds=1)).play_on(over)


def ask(table: DigitalTable, seat: int = 0) -> Analysis:
    with committed(execute=True):
        return tasks.asked(table.game, seat)


def waiting() -> int:
    return DBTaskResult.objects.filter(queue_name="analyses").count()


def compute(times: int = 10_000) -> None:
    """Run a number of tasks, or all."""
    at_work = worker("analyses")
    while waiting() and times:
        times -= 1
        with committed(execute=True):
            at_work.serve()


def progress(table: DigitalTable, seat: int = 0) -> Progress:
    return Progress.from_json(Analysis.objects.get(game=table.id, seat=seat).result)


# --- which decisions there are, and which of them are turning points ---


def test_the_decisions_of_a_seat_are_those_with_a_choice(finished: DigitalTable) -> None:
    ledger = finished.seen(None)

    decisions = decisions_of(ledger, 0)

    by_seq = {step.key.seq: step for step in ledger.replay.applied}
    assert all(by_seq[each.seq].seat == 0 and each.played in each.view.legal for each in decisions)
    assert all(each.view.seat == 0 and len(each.view.legal) > 1 for each in decisions)
    kinds = {each.played.kind for each in decisions}
    assert {"place", "play"} <= kinds
    assert len([each for each in decisions if isinstance(each.played, Play)]) < 15


@pytest.mark.parametrize(
    ("reason", "follows", "hinted"),
    [
        (HintReason.SURE_TRICK, "first", True),
        (HintReason.SURE_TRICK, "other", False),
        (HintReason.AS_GOOD, "second", True),
        (HintReason.BEST_IN_TRIALS, "second", False),
        (HintReason.FEWER_BEAT, "second", False),
        (HintReason.SAVES_TRUMPS, "second", False),
    ],
)
def test_a_decision_knows_whether_it_followed_its_hint(
    db: None, reason: HintReason, follows: str, *, hinted: bool
) -> None:
    table = DigitalTable(dutch(3, rounds=1), bots={1: "easy", 2: "easy"})
    table.play_on(lambda state: state.acting_seats == (0,))
    first, second, other = table.view(0).legal[:3]
    with committed(execute=True):
        hints.record(game_id=table.id, seat=0, version=table.game.version, action=first, reason=reason, second=second)
    table.act(0, {"first": first, "second": second, "other": other}[follows])
    seq = table.ledger.replay.applied[-1].key.seq
    table.play_on(over)

    found = {each.seq: each for each in decisions_of(table.seen(None), 0)}

    asked = found.pop(seq)
    assert asked.hinted is hinted
    assert asked.advice[0] == first
    assert asked.said is reason
    assert not any(each.hinted or each.advice or each.said for each in found.values())


def test_a_decision_is_judged_against_the_hint_that_it_did_not_follow() -> None:
    view = next(position.view() for position in positions() if position.name == "no zero where the trick is lost")
    cards = {answer_of(action): action for action in view.legal}

    without, asked, followed = (
        judged(Decision(1, view, cards["K0"], advice), seed=1, guesses=240)
        for advice in ((), (cards["K5"],), (cards["K0"],))
    )

    assert (answer_of(without.best), answer_of(asked.best), answer_of(followed.best)) == ("K2", "K5", "K2")
    assert (without.advised, asked.advised) == (None, cards["K5"])
    assert without.is_clear
    assert asked.is_clear
    assert not followed.is_clear


def test_a_round_that_was_not_finished_has_no_decisions(db: None) -> None:
    table = DigitalTable(dutch(3, rounds=2)).play_on(rounds_finished(1))
    one_round = len(decisions_of(table.ledger, 0))
    for _ in range(5):
        table.step()
    table.propose(0, "finish")
    for seat in (1, 2):
        table.answer(seat)

    assert table.state.is_over
    assert len(decisions_of(table.seen(None), 0)) == one_round


def a_card(seq: int, difference: float, error: float = 0.5, *, closely: bool = True) -> Judged:
    best = Play(Card.parse(f"{'RKBY'[seq % 4]}{seq % 10}"))
    return Judged(seq, Play(Card.parse("R1")), best, difference, error, 0.0, closely)


def test_turning_points_are_the_greatest_differences_beyond_chance_three_at_most() -> None:
    judged = [
        *(a_card(1, 2.0), a_card(2, 9.0, error=5.0), a_card(3, 8.0, closely=False)),
        *(a_card(4, 5.0), a_card(5, 3.0), a_card(6, 0.9, error=0.1), a_card(7, 4.0)),
    ]

    assert [each.seq for each in turning_points(judged)] == [4, 7, 5]
    assert turning_points([a_card(1, 0.0)]) == []


def test_a_decision_that_cost_the_round_much_is_a_turning_point_in_a_decided_game() -> None:
    decided = replace(a_card(2, 0.2, error=0.05), lost=7.6)

    assert [each.seq for each in turning_points([a_card(1, 3.0), decided])] == [2, 1]


def test_turning_points_are_compared_by_what_is_said_of_them() -> None:
    """Where points are named these count, though the victory suffered more, but for too little to be named."""
    judged = [
        replace(a_card(seq, difference), lost=lost, chances=(0.4, 0.4 + chance))
        for seq, difference, lost, chance in (
            (1, 9.0, 2.1, 0.04),
            (2, 2.5, 2.3, 0.02),
            (3, 1.2, 2.2, 0.01),
            (5, 8.0, 1.0, 0.2),
        )
    ]

    assert [each.seq for each in turning_points(judged)] == [5, 2, 3]
    assert [each.is_for_victory for each in judged] == [False, False, False, True]


@pytest.mark.parametrize(
    ("difference", "lost", "chances", "is_clear", "matters"),
    [
        (0.2, 0.3, (0.40, 0.41), False, False),
        (0.2, 0.5, (0.40, 0.41), True, False),
        (0.2, 1.9, (0.40, 0.41), True, False),
        (0.2, 2.0, (0.40, 0.41), True, True),
        (3.0, -0.4, (0.40, 0.415), False, False),
        (3.0, -0.4, (0.40, 0.43), True, False),
        (3.0, -0.4, (0.40, 0.45), True, True),
        # As they are read: 40 % and 44 %, 40 % and 45 %.
        (3.0, -0.4, (0.396, 0.444), True, False),
        (3.0, -0.4, (0.404, 0.446), True, True),
        (0.4, 0.2, None, False, False),
        (0.6, 0.2, None, True, False),
        (1.9, None, None, True, False),
        (2.0, None, None, True, True),
        (0.0, 3.0, (0.40, 0.40), False, False),
    ],
)
def test_a_decision_is_clearly_worse_by_points_of_the_round_or_by_the_chance_of_the_victory(
    difference: float, lost: float | None, chances: tuple[float, float] | None, *, is_clear: bool, matters: bool
) -> None:
    judged = replace(a_card(1, difference, error=0.05), lost=lost, chances=chances)

    assert judged.is_clear is is_clear
    assert judged.matters is matters


def test_what_was_better_several_times_in_a_row_is_one_turning_point() -> None:
    first, *later = (a_card(seq, difference) for seq, difference in ((1, 3.0), (2, 4.0), (3, 2.0), (4, 2.5), (5, 2.0)))
    judged = [
        first,
        *(replace(each, best=first.best) for each in later[:2]),
        later[2],
        replace(later[3], best=first.best),
    ]

    assert [each.seq for each in turning_points(judged)] == [2, 4, 5]


def test_the_greatest_differences_are_judged_again_and_the_second_verdict_counts(finished: DigitalTable) -> None:
    decisions = decisions_of(finished.seen(None), 0)
    asked: list[tuple[int, int]] = []

    def judge(decision: Decision, times: int) -> Judged:
        asked.append((decision.seq, times))
        # At the first look every decision seems to be a blunder.
        return replace(a_card(decision.seq, 9.0 if times == 1 else 2.5, closely=False), played=decision.played)

    done = judge_more(decisions, Progress(), judge=judge, more=lambda: True)

    assert done.is_complete
    assert [seq for seq, times in asked if times == 1] == [each.seq for each in decisions]
    assert len(asked) == len(decisions) + FINALISTS
    assert {each.difference for each in turning_points(done.judged)} == {2.5}
    assert Progress.from_json(done.to_json()) == done


def test_judging_goes_on_where_it_stopped(finished: DigitalTable) -> None:
    decisions = decisions_of(finished.seen(None), 0)

    def judge(decision: Decision, times: int) -> Judged:
        return a_card(decision.seq, 2.0 * times, closely=False)

    at_once = judge_more(decisions, Progress(), judge=judge, more=lambda: True)
    step_by_step = Progress()
    while not step_by_step.is_complete:
        step_by_step = judge_more(decisions, step_by_step, judge=judge, more=lambda: False)
        step_by_step = Progress.from_json(step_by_step.to_json())

    assert step_by_step == at_once


def test_cards_that_were_chosen_in_another_order_are_the_same_choice(finished: DigitalTable) -> None:
    ledger = finished.seen(None)
    turned = [
        replace(step, action=Discard(step.action.cards[::-1])) if isinstance(step.action, Discard) else step
        for step in ledger.replay.applied
    ]
    other = replace(ledger, replay=replace(ledger.replay, applied=tuple(turned)))

    assert decisions_of(other, 1) == decisions_of(ledger, 1)


# --- tasks ---


def test_an_analysis_is_computed_when_it_is_asked_for_and_kept(finished: DigitalTable) -> None:
    assert waiting() == 0

    assert ask(finished).computed_at is None
    assert ask(finished).computed_at is None
    assert waiting() == 1
    compute()

    assert ask(finished).computed_at is not None
    assert waiting() == 0
    done = progress(finished)
    assert done.is_complete
    assert [each.seq for each in done.judged] == [each.seq for each in decisions_of(finished.seen(None), 0)]
    assert all(each.difference >= 0 and each.error >= 0 for each in done.judged)
    assert not Analysis.objects.filter(seat=1).exists()


def test_a_restart_loses_only_what_was_not_stored(finished: DigitalTable, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tasks, "SLICE", 0.0)
    ask(finished)
    compute(times=3)
    before = progress(finished)

    # The queue was emptied with the old server.
    DBTaskResult.objects.all().delete()
    ask(finished)
    compute()

    assert len(before.judged) == 3
    assert progress(finished).judged[0].seq == before.judged[0].seq
    assert progress(finished).is_complete


def test_of_two_workers_with_the_same_task_one_stores_its_work(
    finished: DigitalTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tasks, "SLICE", 0.0)
    ask(finished)
    judge, nested = tasks.safely_judged, []

    def interrupted(*arguments: object) -> Judged:
        if not nested:
            nested.append(True)
            compute(times=1)
        return judge(*arguments)

    monkeypatch.setattr(tasks, "safely_judged", interrupted)
    compute(times=1)

    assert len(progress(finished).judged) == 1
    assert Analysis.objects.get(game=finished.id).done == 1
    assert waiting() <= 1


def test_a_game_that_is_deleted_takes_its_analyses_with_it(finished: DigitalTable) -> None:
    ask(finished)
    with committed(execute=True):
        deletion.delete_game_permanently(game_id=finished.id)

    compute()

    assert not Analysis.objects.exists()
    assert waiting() == 0


def test_another_version_of_a_game_is_judged_from_the_start(finished: DigitalTable) -> None:
    ask(finished)
    compute()
    Analysis.objects.update(version=3)

    assert ask(finished).computed_at is None
    assert not ask(finished).result
    assert waiting() == 1


def test_a_task_of_an_older_version_does_nothing(finished: DigitalTable) -> None:
    ask(finished)
    Analysis.objects.update(version=basis(finished.ledger) - 1)

    compute()

    assert not Analysis.objects.get().result


def test_the_confirmation_of_the_result_changes_nothing(finished: DigitalTable) -> None:
    ask(finished)
    compute()
    with committed(execute=True):
        services.lock(game_id=finished.id, actor=finished.host, request=services.WriteRequest())

    assert ask(finished).computed_at is not None


def test_a_decision_that_cannot_be_judged_stops_no_other(
    finished: DigitalTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("games.bots.review.review", fail)
    ask(finished)
    compute()

    assert {each.difference for each in progress(finished).judged} == {0.0}


def test_bots_that_are_due_go_first(finished: DigitalTable) -> None:
    ask(finished)

    (task,) = DBTaskResult.objects.filter(queue_name="analyses")

    assert task.priority < 0


def test_what_has_no_analysis_is_refused(finished: DigitalTable) -> None:
    running = DigitalTable(dutch(3, rounds=2))
    with pytest.raises(NotFinished):
        tasks.asked(running.game, 0)
    for seat in (3, -1):
        with pytest.raises(UnknownSeat):
            tasks.asked(finished.game, seat)
    with pytest.raises(DigitalOnly):
        tasks.asked(Table().game, 0)
    assert waiting() == 0

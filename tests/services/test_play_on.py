"""A finished digital game is played on from a step of its replay, against bots."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.analysis.decisions import decisions_of
from games.errors import (
    BotsAreDigital,
    DealsNotOurs,
    NotFinished,
    NothingLeftToPlay,
    PlayedOn,
    RoundBrokenOff,
    StepNotRepeatable,
    UndoNotAllowed,
    UnknownStep,
)
from games.formats.document import document, read_document
from games.log import store
from games.management.commands.check_logs import differences_of
from games.models import Game, LogEntry
from games.rules import Action, Deal, Phase, Play, Setup
from games.rules.dealing import Form, form_of
from games.rules.errors import UnknownSeat
from games.rules.full import FullState
from games.rules.replay import Step
from games.services import creation, deletion, group_players, groups
from tests.builders import dutch
from tests.cast.digital import DigitalTable, over, rounds_finished
from tests.cast.groups import new_group
from tests.cast.tables import ROUND_1, Table
from tests.laws import examples
from tests.strategies import setups

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


@pytest.fixture
def origin(db: None) -> DigitalTable:
    """A finished game of two rounds between three people."""
    return DigitalTable(dutch(3, rounds=2)).play_on(over)


def broken_off() -> DigitalTable:
    """A game that ended early, within its second round."""
    phones = DigitalTable(dutch(3, rounds=3)).play_on(rounds_finished(1))
    for _ in range(4):
        phones.step()
    phones.propose(0, "finish")
    for seat in (1, 2):
        phones.answer(seat)
    return phones


def steps_of(phones: DigitalTable) -> tuple[Step, ...]:
    return phones.ledger.replay.applied


def after(phones: DigitalTable, step: int) -> FullState:
    """The table after a step; after the last one of a round as it was dealt then."""
    steps = steps_of(phones)
    return steps[step + 1 if isinstance(steps[step].action, Deal) else step].full


def decided(phones: DigitalTable, last: int) -> list[Action]:
    """The actions up to a step without the deals, which name their game."""
    return [step.action for step in steps_of(phones)[:last] if not isinstance(step.action, Deal)]


def of_round(phones: DigitalTable, number: int) -> list[int]:
    """The steps of a round."""
    return [place for place, step in enumerate(steps_of(phones), start=1) if step.round_number == number]


def plays(phones: DigitalTable) -> list[int]:
    return [place for place, step in enumerate(steps_of(phones), start=1) if isinstance(step.action, Play)]


# --- what is copied ---


@pytest.mark.slow
@given(data=st.data(), setup=setups(digital=True, most_rounds=2))
@examples(8)
def test_the_new_game_is_the_old_one_at_that_step_and_can_be_played_to_its_end(
    data: st.DataObject, setup: Setup
) -> None:
    origin = DigitalTable(setup).play_on(over, lambda view: data.draw(st.sampled_from(view.legal)))
    step = data.draw(st.integers(1, len(steps_of(origin)) - 1), label="step")
    seat = data.draw(st.integers(0, setup.ruleset.players - 1), label="seat")

    again = origin.from_step(step, seat=seat)

    assert again.full == after(origin, step)
    assert again.ledger == store.refold(again.game)
    again.put_bot(seat, "easy")
    again.play_on(over)
    assert differences_of(again.id) == []
    assert decided(again, step) == decided(origin, step)


def test_the_steps_around_a_deal_can_be_played_on(origin: DigitalTable) -> None:
    first, second = of_round(origin, 1), of_round(origin, 2)

    for step in (first[0], first[1], first[-1], second[0], second[1], second[-2]):
        assert origin.from_step(step).full == after(origin, step)


def test_the_game_names_its_origin_and_is_in_no_group() -> None:
    group = new_group()
    origin = DigitalTable(dutch(3, rounds=1), group=group).play_on(over)

    again = origin.from_step(9)

    assert (again.game.deals_of_id, again.game.from_step, again.game.group_id) == (origin.id, 9, None)
    assert (again.game.rematch_of_id, origin.game.next_id) == (None, None)
    assert again.ledger.setup == origin.ledger.current_setup


def test_one_seat_is_a_person_and_the_others_are_bots(origin: DigitalTable) -> None:
    again = origin.from_step(9, seat=1, level="medium")

    assert again.ledger.bots == ("medium", None, "medium")
    assert list(again.keys) == [1]
    assert [entry.kind for entry in LogEntry.objects.filter(game=again.id).order_by("seq")[:3]] == [
        "seat",
        "seat",
        "deal",
    ]
    assert not LogEntry.objects.filter(game=again.id, actor__isnull=False).exists()


def test_the_deal_has_a_seal_of_its_own(origin: DigitalTable) -> None:
    again = origin.from_step(of_round(origin, 2)[3])

    for number, deal in enumerate((each.action for each in steps_of(again) if isinstance(each.action, Deal)), start=1):
        assert form_of(deal.commitment, deal.seed, game_id=again.id, round_number=number) is Form.NAMED


def test_a_name_that_was_changed_is_the_new_one(origin: DigitalTable) -> None:
    group = new_group()
    groups.adopt(group_id=group.pk, game_id=origin.id)
    group_players.erase_player(group_id=group.pk, player_id=group.players.get(name="Ben").pk)

    again = origin.from_step(9)

    assert "Ben" not in again.ledger.setup.names
    assert again.full == after(origin, 9)


def test_the_same_form_sent_twice_makes_one_game(origin: DigitalTable) -> None:
    asked = {"game": origin.game, "seat": 0, "level": "easy", "creator_label": "Ana", "once": "form"}

    made = [creation.play_on(step=step, **asked).game for step in (9, 9, 10)]

    assert made[0] == made[1] != made[2]


# --- what is not played on ---


@pytest.mark.parametrize("step", [-1, 0, 10**6])
def test_only_a_step_of_the_replay_is_played_on(origin: DigitalTable, step: int) -> None:
    with pytest.raises(UnknownStep):
        origin.from_step(step)


def test_after_the_last_step_nothing_is_left(origin: DigitalTable) -> None:
    with pytest.raises(NothingLeftToPlay):
        origin.from_step(len(steps_of(origin)))


def test_a_game_that_is_played_is_not_played_on() -> None:
    with pytest.raises(NotFinished):
        DigitalTable(dutch(3)).play_on(rounds_finished(1)).from_step(9)


def test_a_physical_table_is_not_played_on() -> None:
    with pytest.raises(BotsAreDigital):
        creation.play_on(game=Table(None, *ROUND_1, "finish").game, step=2, seat=0, level="easy", creator_label="Ana")


def test_an_imported_game_is_not_played_on(origin: DigitalTable) -> None:
    imported = creation.import_game(imported=read_document(document(origin.game)), creator_label="Ana").game
    with pytest.raises(DealsNotOurs):
        creation.play_on(game=imported, step=9, seat=0, level="easy", creator_label="Ana")


@pytest.mark.parametrize("seat", [-1, 3])
def test_the_seat_is_one_of_the_table(origin: DigitalTable, seat: int) -> None:
    with pytest.raises(UnknownSeat):
        origin.from_step(9, seat=seat)


def test_the_secret_cards_of_a_round_that_was_broken_off_are_not_played_on() -> None:
    origin = broken_off()
    before, (first, *_) = of_round(origin, 1), of_round(origin, 2)
    for step in of_round(origin, 2):
        with pytest.raises(RoundBrokenOff):
            origin.from_step(step)

    again = origin.from_step(before[-1])

    assert len(again.state.finished) == 1
    assert again.full.hands != steps_of(origin)[first].full.hands


def test_a_step_whose_deal_does_not_come_out_equal_is_refused(
    origin: DigitalTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    count = Game.objects.count()
    steps = steps_of(origin)
    monkeypatch.setattr("games.services.pending_entries.deal_of_round", lambda ledger, number: None)

    for step in (1, 9, len(steps) - 1):
        with pytest.raises(StepNotRepeatable):
            origin.from_step(step)
    assert Game.objects.count() == count


# --- what becomes of it ---


def test_what_was_copied_is_not_taken_back() -> None:
    origin = DigitalTable(dutch(3, rounds=1)).play_on(over)
    step = next(place for place, each in enumerate(steps_of(origin), start=1) if place > 4 and each.seat == 1)
    again = origin.from_step(step, seat=1)
    assert again.state.phase is Phase.PLACING
    assert again.ledger.counting.undoable

    for ledger in (again.ledger, again.seen(1), store.refold(again.game)):
        assert ledger.undoable == ()
    with pytest.raises(UndoNotAllowed):
        again.propose(1, "takeback")

    while again.state.acting_seats[0] != 1:
        again.step()
    copied = again.ledger.copied
    assert again.ledger.entry(copied).action == steps_of(origin)[step - 1].action
    again.step()
    while again.state.phase is Phase.PLACING and again.state.acting_seats[0] != 1:
        again.step()
    with pytest.raises(UndoNotAllowed):
        again.propose(1, "takeback", to_seq=10**6)
    again.propose(1, "takeback", to_seq=0)
    assert again.full == after(origin, step)


def test_no_group_takes_it_not_even_without_its_origin(origin: DigitalTable) -> None:
    again = origin.from_step(9)
    deletion.delete_game(game_id=origin.id)

    with pytest.raises(PlayedOn):
        groups.adopt(group_id=new_group().pk, game_id=again.id)


def test_without_its_origin_it_goes_on_with_new_deals(origin: DigitalTable) -> None:
    again = origin.from_step(9)
    deletion.delete_game_permanently(game_id=origin.id)
    again.put_bot(0, "easy")

    again.play_on(over)

    assert len(again.state.finished) == 2


def test_it_has_a_rematch_which_is_a_game_of_its_own(origin: DigitalTable) -> None:
    again = origin.from_step(9)
    again.put_bot(0, "easy")
    again.play_on(over)

    made = creation.rematch(game=again.game, ledger=again.seen(None), creator_label="Ana").game

    assert (made.rematch_of_id, made.from_step, made.deals_of_id) == (again.id, None, None)
    groups.adopt(group_id=new_group().pk, game_id=made.pk)


def test_it_can_be_played_on_itself(origin: DigitalTable) -> None:
    again = origin.from_step(9)
    again.put_bot(0, "easy")
    again.play_on(over, lambda view: view.legal[-1])

    third = again.from_step(20)

    assert third.full == after(again, 20)


def test_only_decisions_of_this_game_are_judged(origin: DigitalTable) -> None:
    step = plays(origin)[4]
    again = origin.from_step(step, seat=1)
    again.put_bot(1, "easy")
    again.play_on(over)

    judged = [each.seq for each in decisions_of(again.ledger, 1)]

    assert judged
    assert min(judged) > again.ledger.copied

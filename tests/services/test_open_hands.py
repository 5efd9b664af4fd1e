"""Digital games in which all see the hands of each finished round: who reads what, and that nothing is undone then."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from games.errors import HandsShown, TableOnlyOperation, UndoNotAllowed
from games.formats.document import document, read_document
from games.log import store
from games.log.ledger import Ledger
from games.models import Game
from games.rules import ActionEntry, Deal, Discard
from games.rules.actions import Hidden
from games.rules.entries import setup_to_json
from games.rules.errors import OpenHandsFixed
from games.services import creation, tables
from games.services.write import WriteRequest
from tests.builders import dutch, english
from tests.cast.digital import DigitalTable, cards_on_table, leaving, over, rounds_finished
from tests.cast.service import ANY

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

OPEN = replace(dutch(3, rounds=2), digital=True, open_hands=True)


def deals(ledger: Ledger) -> list[Deal]:
    return [
        entry.action for entry in ledger.entries if isinstance(entry, ActionEntry) and isinstance(entry.action, Deal)
    ]


@pytest.fixture
def phones() -> DigitalTable:
    """In the second round, after a first one with a discard."""
    return DigitalTable(OPEN).play_on(rounds_finished(1), leaving("discard:discard_1")).play_on(cards_on_table(1))


@pytest.mark.parametrize("viewer", [0, 1, 2, None])
def test_all_read_the_hands_and_discards_of_a_finished_round(phones: DigitalTable, viewer: int | None) -> None:
    shown, whole = phones.seen(viewer), phones.ledger

    assert deals(shown)[0] == replace(deals(whole)[0], seed=None)
    discards = [entry for entry in whole.entries[: whole.dealt_at - 1] if isinstance(entry.action, Discard)]
    assert len(discards) == 3
    assert [shown.entry(entry.seq) for entry in discards] == discards


@pytest.mark.parametrize("viewer", [0, 1, 2, None])
def test_the_running_round_is_redacted_as_in_any_game(phones: DigitalTable, viewer: int | None) -> None:
    closed = Ledger.of(phones.id, {}, replace(OPEN, open_hands=False), phones.ledger.entries).seen_by(viewer)
    shown = phones.seen(viewer)

    assert deals(shown)[1].hands.count(Hidden(12)) == (3 if viewer is None else 2)
    assert shown.entries[shown.dealt_at - 1 :] == closed.entries[closed.dealt_at - 1 :]


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_who_plays_a_seat_is_given_nothing_more(phones: DigitalTable, seat: int) -> None:
    """So no bot and no hint knows more: they are given this view."""
    closed = Ledger.of(phones.id, {}, replace(OPEN, open_hands=False), phones.ledger.entries)

    view, usual = phones.view(seat), closed.played_by(seat).view

    assert replace(view, public=replace(view.public, setup=usual.public.setup)) == usual


def test_a_kept_ledger_shows_the_hands_with_the_next_deal() -> None:
    """Each reader's ledger is kept from entry to entry."""
    phones = DigitalTable(OPEN)
    viewers = (None, 0, 1, 2)

    while not phones.state.is_over:
        for viewer in viewers:
            assert phones.seen(viewer) == store.refold(phones.game).seen_by(viewer)
        phones.step()

    assert None not in {deal.seed for deal in deals(phones.seen(None))}


def test_a_key_of_a_seat_that_a_bot_plays_reads_what_all_do(phones: DigitalTable) -> None:
    phones.put_bot(1, "easy")

    first, second = deals(phones.seen(1))

    assert first.hands == deals(phones.ledger)[0].hands
    assert second.hands == (Hidden(12),) * 3


@pytest.mark.parametrize("to_seq", [None, 0, 5])
def test_nothing_is_taken_back_across_the_end_of_a_shown_round(to_seq: int | None) -> None:
    phones = DigitalTable(OPEN).play_on(rounds_finished(1))

    with pytest.raises(HandsShown) as refusal:
        phones.propose(0, "takeback", to_seq=to_seq)

    assert refusal.value.params == {"round": 1}
    assert phones.ledger.version == phones.ledger.dealt_at


def test_not_even_together_with_actions_of_the_running_round(phones: DigitalTable) -> None:
    with pytest.raises(HandsShown):
        tables.undo(game_id=phones.id, actor=phones.keys[0], request=ANY, to_seq=phones.ledger.dealt_at - 1)


def test_the_running_round_is_taken_back_as_ever(phones: DigitalTable) -> None:
    dealt_at = phones.ledger.dealt_at
    phones.propose(0, "takeback", to_seq=dealt_at)
    for seat in (1, 2):
        phones.answer(seat)

    assert phones.state.current.board.is_untouched
    assert deals(phones.seen(None))[0].hands == deals(phones.ledger)[0].hands


def test_before_the_first_round_is_finished_nothing_is_shown() -> None:
    phones = DigitalTable(OPEN)

    with pytest.raises(UndoNotAllowed) as refusal:
        phones.propose(0, "takeback")

    assert refusal.value.code == "undo_not_allowed"
    assert deals(phones.seen(None))[0].hands == (Hidden(12),) * 3


def test_a_game_that_ends_early_keeps_its_last_hands_secret(phones: DigitalTable) -> None:
    phones.propose(0, "finish")
    for seat in (1, 2):
        phones.answer(seat)

    first, last = deals(phones.seen(None))

    assert first == deals(phones.ledger)[0]
    assert (last.hands, last.seed) == ((Hidden(12),) * 3, None)


@pytest.mark.parametrize("open_hands", [True, False])
def test_the_set_up_of_a_digital_game_is_not_corrected(open_hands: bool) -> None:
    phones = DigitalTable(replace(OPEN, open_hands=not open_hands))

    with pytest.raises(OpenHandsFixed):
        tables.correct_setup(game_id=phones.id, actor=phones.host, request=ANY, open_hands=open_hands)
    with pytest.raises(TableOnlyOperation):
        tables.correct_setup(game_id=phones.id, actor=phones.host, request=ANY, open_hands=not open_hands)
    assert phones.ledger.current_setup.open_hands is not open_hands


def test_no_document_opens_the_hands_of_a_game_later() -> None:
    phones = DigitalTable(dutch(3, rounds=1)).play_on(over)
    taken = document(phones.game)
    names = {"kind": "setup", "at": taken["finished_at"], "seat": None, "payload": setup_to_json(OPEN)}

    with pytest.raises(OpenHandsFixed):
        read_document({**taken, "log": [*taken["log"], {**names, "seq": phones.game.version + 1}]})


def test_a_game_with_open_hands_is_exported_imported_and_played_again(phones: DigitalTable) -> None:
    phones.play_on(over)

    imported = creation.import_game(imported=read_document(document(phones.game)), creator_label="Zoe")
    again = creation.rematch(game=phones.game, ledger=phones.seen(None), creator_label="Ana")

    assert imported.ledger.setup == phones.ledger.setup
    assert again.ledger.setup.open_hands
    assert Game.objects.get(pk=again.game.pk).setup["open_hands"] is True


@pytest.mark.parametrize("chance", range(2))
def test_every_reader_of_a_random_game_folds_to_the_same_public_state(chance: int) -> None:
    phones, choose = DigitalTable(replace(english(4), digital=True, open_hands=True)), random.Random(chance)
    while len(phones.state.finished) < 2:
        seat = choose.choice(phones.state.acting_seats)
        phones.act(seat, choose.choice(phones.view(seat).legal), WriteRequest())

    for viewer in (None, 0, 3):
        seen = phones.seen(viewer)
        assert seen.replay.error is None
        assert seen.state == phones.state
        assert seen.replay.full is None

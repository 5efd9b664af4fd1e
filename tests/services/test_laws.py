"""Laws on random games recorded through the services (ARCHITECTURE.md section 8, laws 4 and 10)."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from games.errors import NjetError, UndoNotAllowed
from games.formats import document as records
from games.keys import registry
from games.log import store
from games.log.ledger import Ledger
from games.management.commands.check_logs import differences_of
from games.models import Game, Role
from games.rules import Setup
from games.rules import replay as replayed
from games.rules.confirmations import is_confirmed
from games.rules.entries import setup_from_json
from games.rules.replay import HolderEntry, ReplaceAction
from games.services import previews
from games.services.write import WriteRequest
from tests.cast.deals import known_deals
from tests.cast.digital import DigitalTable
from tests.cast.groups import new_group
from tests.cast.tables import Table, refused, stored
from tests.services.random_calls import (
    CONFIRMING,
    CORRECTING,
    TAKING_BACK,
    USUAL,
    calls,
    changes,
    made,
    modestly,
    phone_calls,
)
from tests.strategies import Game as RandomGame
from tests.strategies import games, setups

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


def played(data: st.DataObject, setup: Setup, *, calls_at_most: int = 12) -> Table:
    """A table at which anything may have happened."""
    table = Table(setup)
    for _ in range(data.draw(st.integers(1, calls_at_most), label="calls")):
        made(data.draw(calls(table), label="call"), table)
    return table


def meaning(ledger: Ledger) -> tuple[object, ...]:
    """The result of a log, however it got there."""
    return ledger.state, ledger.current_setup, ledger.counting.actions


def copied(table: Table) -> tuple[object, ...]:
    """The copies of the result."""
    game = Game.objects.get(pk=table.id)
    return game.status, game.rounds_played, game.finished_at is None, table.seats


@given(game=games())
@modestly
def test_a_recorded_game_is_what_the_rules_make_of_its_actions(game: RandomGame) -> None:
    table = Table(game.setup, *game.actions)

    stored_log = store.refold(table.game)

    assert stored_log.state == game.state
    assert [keyed.action for keyed in stored_log.counting.actions] == list(game.actions)
    assert stored_log.version == table.version == len(game.actions)
    assert [step.before for step in stored_log.replay.applied] == list(game.states[:-1])


@given(data=st.data(), setup=setups())
@modestly
def test_the_effective_fold_of_the_stored_log_is_the_state(data: st.DataObject, setup: Setup) -> None:
    table = played(data, setup)

    ledger = store.refold(table.game)

    assert ledger.state == table.state
    assert replayed(setup, ledger.entries).state == table.state
    assert setup_from_json(table.game.setup) == setup
    assert [row.seq for row in store.rows(table.id)] == list(range(1, table.version + 1))


@given(data=st.data(), setup=setups())
@modestly
def test_after_every_call_the_copies_agree_with_the_log(data: st.DataObject, setup: Setup) -> None:
    table = Table(setup)

    for _ in range(data.draw(st.integers(1, 15), label="calls")):
        made(data.draw(calls(table, kinds=(*USUAL, *TAKING_BACK, *CORRECTING, "lock")), label="call"), table)
        assert differences_of(table.id) == []


@given(data=st.data(), game=games().filter(lambda game: bool(game.state.finished)))
@modestly
def test_what_both_teams_confirmed_changes_only_as_both_confirm(data: st.DataObject, game: RandomGame) -> None:
    table = Table(game.setup, *game.actions)
    made(data.draw(calls(table, kinds=("confirm all",)), label="call"), table)

    for _ in range(data.draw(st.integers(10, 20), label="calls")):
        before = table.ledger
        kinds = ("play", *TAKING_BACK, *CORRECTING, *CONFIRMING)
        made(data.draw(calls(table, kinds=kinds), label="call"), table)
        now = table.ledger
        for number in before.confirmed_rounds_changed_by(now.state):
            assert is_confirmed(now.state.finished[number - 1], now.counting.confirms)
        assert now == store.refold(table.game)
        assert differences_of(table.id) == []

    made(table.record, "finish")
    if table.state.is_over:
        document = json.loads(json.dumps(records.document(table.game)))
        assert records.read_document(document).ledger.entries == table.ledger.entries


@given(data=st.data(), setup=setups(digital=True, most_rounds=2), bots=st.sets(st.integers(1, 4)))
@modestly
def test_after_every_call_at_a_digital_table_the_copies_agree_with_the_log(
    data: st.DataObject, setup: Setup, bots: set[int]
) -> None:
    with known_deals(data.draw(st.integers(0, 99), label="deals")):
        levels = {seat: "easy" for seat in bots if seat < setup.ruleset.players}
        phones = DigitalTable(setup, bots=levels, group=new_group())
        for seat in levels:
            phones.keys[seat] = registry.issue(role=Role.SEAT, game=phones.game, seat=seat, label="")

        for _ in range(data.draw(st.integers(10, 20), label="calls")):
            made(data.draw(phone_calls(phones), label="call"), phones)
            assert differences_of(phones.id) == []
            assert phones.ledger == store.refold(phones.game)
            assert_bots_show_no_hand(phones)

        document = records.document(ended(phones).game)

    assert differences_of(phones.id) == []
    assert phones.ledger == store.refold(phones.game)
    imported = records.read_document(json.loads(json.dumps(document))).ledger
    assert (imported.state, imported.counting.undoable) == (phones.state, phones.ledger.counting.undoable)
    assert holders_of(imported) == holders_of(phones.ledger)


def assert_bots_show_no_hand(phones: DigitalTable) -> None:
    """The key of a seat that a bot plays reads what everybody may, and that of a person the person's hand."""
    everybody, fresh = phones.seen(None), store.refold(phones.game)
    for seat, bot in enumerate(phones.ledger.bots):
        seen = phones.seen(seat)
        assert seen == fresh.seen_by(seat)
        if bot is not None:
            assert (seen.entries, seen.view) == (everybody.entries, replace(everybody.view, seat=seat))
        elif phones.full is not None:
            assert seen.view.hand == (phones.full.hands[seat] if phones.full.hands else ())


def holders_of(ledger: Ledger) -> list[HolderEntry]:
    """Who took and lost the seats."""
    return [entry for entry in ledger.entries if isinstance(entry, HolderEntry)]


def ended(phones: DigitalTable) -> DigitalTable:
    """The game, over: after its first round if it has not finished one yet."""
    phones.play_on(lambda state: state.current is None or bool(state.finished))
    if phones.state.current is not None:
        if phones.ledger.bots[0] is not None:
            phones.put_bot(0, None)
        phones.propose(0, "finish")
        for seat in phones.asked:
            # A bot that came in this round does not end the game for its player.
            if phones.ledger.bots[seat] is not None:
                phones.put_bot(seat, None)
            phones.answer(seat)
    return phones


@given(data=st.data(), setup=setups())
@modestly
def test_undo_after_any_entry_gives_the_state_before(data: st.DataObject, setup: Setup) -> None:
    table = played(data, setup)
    before, copies = meaning(table.ledger), copied(table)

    outcome = made(data.draw(calls(table, kinds=(*USUAL, *CORRECTING)), label="call"), table)
    assume(outcome is not None)
    undone = table.undo()

    assert undone.version == outcome.version + 1
    assert meaning(undone.ledger) == before
    assert copied(table) == copies


@given(data=st.data(), setup=setups())
@modestly
def test_taking_back_step_by_step_goes_through_every_state_backwards(data: st.DataObject, setup: Setup) -> None:
    table = Table(setup)
    meanings = [meaning(table.ledger)]
    for _ in range(data.draw(st.integers(1, 10), label="calls")):
        if made(data.draw(calls(table, kinds=(*USUAL, *CORRECTING)), label="call"), table) is not None:
            meanings.append(meaning(table.ledger))
    together = data.draw(st.integers(0, len(meanings) - 1), label="together")

    if together:
        table.undo(to_seq=len(meanings) - 1 - together)
    for expected in reversed(meanings[: len(meanings) - together - 1]):
        table.undo()
        assert meaning(table.ledger) == expected

    assert meaning(table.ledger) == meanings[0]
    with refused(table, UndoNotAllowed):
        table.undo()


@given(data=st.data(), setup=setups())
@modestly
def test_to_amend_to_the_same_action_changes_nothing(data: st.DataObject, setup: Setup) -> None:
    table = played(data, setup)
    steps = table.ledger.replay.applied
    assume(steps)
    before, copies = meaning(table.ledger), copied(table)
    chosen = data.draw(st.lists(st.sampled_from(steps), min_size=1, max_size=4), label="steps")

    assert table.preview(*[ReplaceAction(step.key, step.action) for step in chosen]) == []
    table.amend(*[ReplaceAction(step.key, step.action) for step in chosen])

    assert meaning(table.ledger) == before
    assert copied(table) == copies


@given(data=st.data(), setup=setups())
@modestly
def test_a_preview_promises_what_the_correction_does(data: st.DataObject, setup: Setup) -> None:
    table = played(data, setup)
    several = data.draw(st.lists(changes(table.ledger), min_size=1, max_size=3), label="changes")
    before, unchanged = table.state, stored(table.id)

    try:
        promised = table.preview(*several)
    except NjetError as refusal:
        assert stored(table.id) == unchanged
        with refused(table, type(refusal), **refusal.params):
            table.amend(*several)
        return

    assert stored(table.id) == unchanged
    after = table.amend(*several).ledger.state
    assert previews.standing_changes(before, after) == promised
    assert after.totals == tuple(
        next((change.total_after for change in promised if change.seat == seat), total)
        for seat, total in enumerate(before.totals)
    )


@given(data=st.data(), setup=setups())
@modestly
def test_a_repeated_request_changes_nothing(data: st.DataObject, setup: Setup) -> None:
    table = played(data, setup, calls_at_most=6)
    request = WriteRequest(version=table.version, request_id="a", body={"x": 1})
    write = data.draw(
        st.sampled_from(
            (
                lambda: table.record("penalty 0 -1 late", request=request),
                lambda: table.undo(request=request),
                lambda: table.undo(to_seq=0, request=request),
                lambda: table.correct(request, rounds=4),
            )
        ),
        label="write",
    )
    first = made(write)
    assume(first is not None)
    made(data.draw(calls(table), label="in between"), table)
    before = stored(table.id)

    again = write()

    assert (again.version, again.repeated) == (first.version, True)
    assert again.ledger == table.ledger
    assert stored(table.id) == before

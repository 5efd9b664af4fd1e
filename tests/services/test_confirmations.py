"""Both teams confirm a round, and a correction of what they have confirmed."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from games.errors import (
    AlreadyConfirmed,
    EntryOutOfPlace,
    GameLocked,
    NothingToConfirm,
    RequestIdReused,
    RoundConfirmed,
    RoundNotComplete,
    StaleVersion,
    TooManyCorrections,
    UndoOutOfOrder,
    UnknownCorrection,
)
from games.formats import document as records
from games.log import store
from games.management.commands.check_logs import differences_of
from games.rules import AmendEntry, UndoEntry
from games.rules.confirmations import confirmations, is_confirmed
from games.rules.entries import changes_to_json
from games.rules.errors import AmendmentConflicts, UnknownSeat
from games.rules.replay import ConfirmEntry, CorrectionEntry
from games.services import tables
from games.services.write import WriteRequest
from tests.builders import dutch
from tests.cast.tables import ROUND_1, ROUND_2, TOTALS_1, Table, instead, refused, without

pytestmark = pytest.mark.django_db

# Round 1: Ana alone against Ben and Cleo: 24, 18, 18.
OTHER = instead(3, "tally 0 6 6")


@pytest.fixture
def confirmed(round_2: Table) -> Table:
    """Both teams have confirmed round 1: entries 4 and 5."""
    round_2.confirm(0)
    round_2.confirm(1)
    return round_2


def confirmed_by(table: Table, number: int = 1) -> list[tuple[int, ...]]:
    done = table.state.finished[number - 1]
    return [each.team for each in confirmations(done, table.ledger.counting.confirms)]


# --- rounds ---


def test_a_team_confirms_a_round_by_any_of_its_players(round_2: Table) -> None:
    first = round_2.confirm(2)

    assert first.ledger.entries[-1] == ConfirmEntry(4, 2, 1, (1, 2), TOTALS_1)
    assert confirmed_by(round_2) == [(1, 2)]
    assert store.rows(round_2.id)[-1].actor == round_2.key
    round_2.confirm(0)
    assert confirmed_by(round_2) == [(0,), (1, 2)]


def test_a_team_confirms_the_same_figures_once(round_2: Table) -> None:
    round_2.confirm(1)

    with refused(round_2, AlreadyConfirmed, round=1):
        round_2.confirm(2)


def test_a_repeated_confirmation_is_the_same_success(round_2: Table) -> None:
    request = WriteRequest(version=3, request_id="tap", body={"seat": 0})
    first = round_2.confirm(0, request=request)

    again = round_2.confirm(0, request=request)

    assert (first.version, again.version, again.repeated) == (4, 4, True)
    with refused(round_2, RequestIdReused):
        round_2.confirm(1, request=WriteRequest(version=3, request_id="tap", body={"seat": 1}))


@pytest.mark.parametrize("number", [0, 2, 3, -1, 10**9])
def test_a_round_without_figures_is_not_confirmed(round_2: Table, number: int) -> None:
    with refused(round_2, RoundNotComplete, round=number):
        round_2.confirm(0, round_number=number)


@pytest.mark.parametrize("seat", [-1, 3, 10**9])
def test_a_team_has_players_of_this_table(round_2: Table, seat: int) -> None:
    with refused(round_2, UnknownSeat, seat=seat):
        round_2.confirm(seat)


def test_two_phones_that_confirm_at_once_both_succeed(round_2: Table) -> None:
    round_2.confirm(0, request=WriteRequest(version=3))
    round_2.record("trump red")

    round_2.confirm(1, request=WriteRequest(version=3))

    assert confirmed_by(round_2) == [(0,), (1, 2)]


def test_figures_that_a_phone_has_not_seen_are_not_confirmed(round_2: Table) -> None:
    with refused(round_2, StaleVersion):
        round_2.confirm(0, request=WriteRequest(version=2))
    round_2.amend(OTHER)
    with refused(round_2, StaleVersion):
        round_2.confirm(0, request=WriteRequest(version=3))


def test_a_locked_game_is_not_confirmed_any_more(finished: Table) -> None:
    finished.confirm(0)
    finished.lock()

    with refused(finished, GameLocked):
        finished.confirm(1)
    assert finished.ledger.pending is None


def test_a_digital_game_has_nothing_to_confirm() -> None:
    digital = Table(replace(dutch(3), digital=True))

    with refused(digital, NothingToConfirm):
        digital.confirm(0)
    with refused(digital, NothingToConfirm):
        tables.ask_confirmation(game=digital.game, asked=True)


def test_a_table_asks_for_confirmations_or_not(round_2: Table) -> None:
    assert not round_2.game.asks_confirmation

    tables.ask_confirmation(game=round_2.game, asked=True)

    assert round_2.game.asks_confirmation


# --- corrections ---


def test_what_one_team_confirmed_is_corrected_at_once_and_its_confirmation_lapses(round_2: Table) -> None:
    round_2.confirm(0)

    outcome = round_2.amend(OTHER)

    assert isinstance(outcome.ledger.entries[-1], AmendEntry)
    assert confirmed_by(round_2) == []


def test_what_both_teams_confirmed_is_corrected_when_both_confirm_the_correction(confirmed: Table) -> None:
    outcome = confirmed.amend(OTHER)

    assert outcome.ledger.entries[-1] == CorrectionEntry(6, (OTHER,))
    assert outcome.ledger.state.totals == TOTALS_1
    confirmed.confirm(2, about=6)
    assert confirmed.state.totals == TOTALS_1
    assert confirmed_by(confirmed) == [(0,), (1, 2)]

    last = confirmed.confirm(0, about=6)

    assert [type(entry) for entry in last.ledger.entries[6:]] == [ConfirmEntry, ConfirmEntry, AmendEntry]
    assert last.version == 9
    assert confirmed.state.totals == (0, 24, 24)
    assert is_confirmed(confirmed.state.finished[0], confirmed.ledger.counting.confirms)
    assert confirmed.ledger.pending is None
    assert [total for _, total, _, _ in confirmed.seats] == list(confirmed.state.totals)
    assert differences_of(confirmed.id) == []


def test_one_team_does_not_confirm_a_correction_twice(confirmed: Table) -> None:
    confirmed.amend(OTHER)
    confirmed.confirm(1, about=6)

    with refused(confirmed, AlreadyConfirmed, round=1):
        confirmed.confirm(2, about=6)


def test_a_correction_that_changes_nothing_on_the_sheet_is_confirmed_as_well(confirmed: Table) -> None:
    confirmed.amend(instead(1, "open 0 njet green black 2"))

    assert confirmed.ledger.pending is not None
    assert confirmed.state.finished[0].conditions.trump == "blue"


def test_what_no_confirmed_round_contains_is_corrected_at_once(confirmed: Table) -> None:
    confirmed.record("trump red", "penalty 1 -5 revoke")

    confirmed.amend(instead(6, "trump green"), without(7))

    assert isinstance(confirmed.ledger.entries[-1], AmendEntry)


def test_a_correction_through_two_confirmed_rounds_waits_for_both_teams_of_both(finished: Table) -> None:
    for seat, number in ((0, 1), (1, 1), (0, 2), (2, 2)):
        finished.confirm(seat, round_number=number)
    finished.amend(OTHER, instead(6, "tally 6 3 3"))

    for seat, number in ((0, 1), (1, 1), (0, 2)):
        finished.confirm(seat, round_number=number, about=11)
        assert finished.state.totals == (54, 48, 48)
    finished.confirm(2, round_number=2, about=11)

    assert finished.state.totals != (54, 48, 48)
    assert confirmed_by(finished, 1) == [(0,), (1, 2)]
    assert confirmed_by(finished, 2) == [(0, 1), (2,)]


def test_teams_that_a_correction_changes_confirm_with_their_new_players(confirmed: Table) -> None:
    confirmed.amend(instead(2, "team 1 monster 2"))

    confirmed.confirm(0, about=6)
    with refused(confirmed, AlreadyConfirmed):
        confirmed.confirm(1, about=6)
    confirmed.confirm(2, about=6)

    assert confirmed_by(confirmed) == [(0, 1), (2,)]


def test_a_new_correction_replaces_the_one_that_waits(confirmed: Table) -> None:
    confirmed.amend(OTHER)
    confirmed.confirm(0, about=6)

    confirmed.amend(instead(3, "tally 6 3 3"))

    with refused(confirmed, UnknownCorrection):
        confirmed.confirm(1, about=6)
    confirmed.confirm(1, about=8)
    assert confirmed.state.totals == TOTALS_1


def test_while_a_correction_waits_a_later_entry_is_undone_and_it_goes_on_waiting(confirmed: Table) -> None:
    confirmed.amend(OTHER)
    confirmed.record("trump red")

    confirmed.undo()

    assert confirmed.ledger.entries[-1] == UndoEntry(8, undoes=7)
    assert confirmed.ledger.pending is not None
    with refused(confirmed, RoundConfirmed):
        confirmed.undo()
    confirmed.confirm(0, about=6)
    confirmed.confirm(1, about=6)
    assert confirmed.ledger.pending is None
    assert confirmed.state.totals != TOTALS_1


def test_a_correction_is_withdrawn(confirmed: Table) -> None:
    confirmed.amend(OTHER)
    confirmed.record("trump red")

    outcome = confirmed.withdraw(6)

    assert outcome.ledger.entries[-1] == UndoEntry(8, undoes=6)
    assert outcome.ledger.last_undoable == 7
    for call in (lambda: confirmed.confirm(0, about=6), lambda: confirmed.withdraw(6)):
        with refused(confirmed, UnknownCorrection):
            call()
    assert differences_of(confirmed.id) == []


def test_a_confirmation_is_withdrawn_until_the_other_team_has_confirmed_too(round_2: Table) -> None:
    round_2.confirm(1)
    round_2.record("trump red")

    outcome = round_2.withdraw(4)

    assert outcome.ledger.entries[-1] == UndoEntry(6, undoes=4)
    assert outcome.ledger.last_undoable == 5
    assert confirmed_by(round_2) == []
    with refused(round_2, UnknownCorrection):
        round_2.withdraw(4)
    round_2.confirm(1)
    round_2.confirm(0)
    for seq in (7, 8):
        with refused(round_2, UnknownCorrection):
            round_2.withdraw(seq)
    assert differences_of(round_2.id) == []


def test_what_one_team_agreed_to_in_a_correction_is_withdrawn(confirmed: Table) -> None:
    confirmed.amend(OTHER)
    confirmed.confirm(0, about=6)

    confirmed.withdraw(7)

    confirmed.confirm(1, about=6)
    assert confirmed.ledger.pending is not None
    confirmed.confirm(0, about=6)
    assert confirmed.ledger.pending is None


def test_a_locked_game_keeps_its_confirmations(finished: Table) -> None:
    finished.confirm(0)
    finished.lock()

    with refused(finished, GameLocked):
        finished.withdraw(finished.version - 1)


def test_a_correction_that_later_entries_make_impossible_is_refused_and_no_longer_pending(confirmed: Table) -> None:
    confirmed.record("trump red")
    confirmed.amend(OTHER, instead(6, "trump green"))

    confirmed.record("trump green")

    assert confirmed.ledger.pending is None
    with refused(confirmed, AmendmentConflicts, seq=8):
        confirmed.confirm(0, about=7)


def test_a_correction_that_leaves_a_confirmed_round_incomplete_is_refused(confirmed: Table) -> None:
    with refused(confirmed, RoundConfirmed, round=1):
        confirmed.amend(without(3))


# --- other changes ---


def test_what_both_teams_confirmed_is_not_undone(confirmed: Table) -> None:
    with refused(confirmed, RoundConfirmed, round=1):
        confirmed.undo()
    with refused(confirmed, RoundConfirmed, round=1):
        confirmed.undo(to_seq=0)
    confirmed.record("trump red")
    confirmed.undo()
    assert confirmed.state.current is not None
    assert confirmed.state.current.board.is_untouched


def test_a_correction_that_both_confirmed_is_not_undone(confirmed: Table) -> None:
    confirmed.amend(OTHER)
    confirmed.confirm(0, about=6)
    confirmed.confirm(1, about=6)

    with refused(confirmed, RoundConfirmed, round=1):
        confirmed.undo()


def test_what_one_team_confirmed_is_undone(round_2: Table) -> None:
    round_2.confirm(0)

    round_2.undo()

    assert round_2.state.finished == ()


def test_another_dealer_of_a_confirmed_round_is_refused_and_another_name_is_not(confirmed: Table) -> None:
    with refused(confirmed, RoundConfirmed, round=1):
        confirmed.correct(dealer=1)
    confirmed.correct(names=["Ana", "Bea", "Cleo"], rounds=3)
    assert confirmed_by(confirmed) == [(0,), (1, 2)]


@pytest.mark.parametrize(
    "steps",
    [
        [["Ben", "Ana", "Cleo"]],
        [["Bea", "Ben", "Cleo"], ["Bea", "Ana", "Cleo"]],
        [["Bea", "Ben", "Cleo"], ["Bea", "ANA", "Cleo"]],
    ],
)
def test_no_name_moves_to_another_seat_and_its_points(confirmed: Table, steps: list[list[str]]) -> None:
    for names in steps[:-1]:
        confirmed.correct(names=names)

    with refused(confirmed, RoundConfirmed, round=1):
        confirmed.correct(names=steps[-1])


def test_names_that_were_exchanged_before_the_confirmation_are_not_exchanged_back(round_2: Table) -> None:
    round_2.correct(names=["Ben", "Ana", "Cleo"])
    round_2.confirm(0)
    round_2.confirm(1)

    with refused(round_2, RoundConfirmed, round=1):
        round_2.undo()
    round_2.correct(names=["Ben", "Ana", "Lea"])


def test_a_name_that_was_corrected_gets_back_its_old_form(confirmed: Table) -> None:
    confirmed.correct(names=["Anna", "Ben", "Cleo"])

    confirmed.correct(names=["Ana", "Ben", "Cleo"])

    assert confirmed.state.setup.names == ("Ana", "Ben", "Cleo")


def test_a_game_whose_last_round_both_confirmed_is_not_reopened(finished: Table) -> None:
    finished.confirm(0, round_number=2)
    finished.confirm(2, round_number=2)

    with refused(finished, RoundConfirmed, round=2):
        finished.reopen()


def test_a_game_that_was_finished_early_is_reopened_behind_its_confirmed_rounds(confirmed: Table) -> None:
    confirmed.record("finish")

    confirmed.reopen()

    assert confirmed_by(confirmed) == [(0,), (1, 2)]


# --- files ---


def exported(table: Table) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(json.dumps(records.document(table.game)))
    return document


def test_a_document_keeps_the_confirmations(confirmed: Table) -> None:
    confirmed.amend(OTHER)
    confirmed.confirm(0, about=6)
    confirmed.confirm(1, about=6)
    confirmed.record(*ROUND_2)

    imported = records.read_document(exported(confirmed)).ledger

    assert imported.entries == confirmed.ledger.entries
    assert is_confirmed(imported.state.finished[0], imported.counting.confirms)


def confirmed_document() -> dict[str, Any]:
    """Entries 4 and 5 confirm round 1, which ended the game."""
    table = Table(dutch(3, rounds=1), *ROUND_1)
    table.confirm(0)
    table.confirm(1)
    return exported(table)


def with_entries(document: dict[str, Any], *rows: dict[str, Any]) -> dict[str, Any]:
    """A document with more entries at the end of its log."""
    log = [*document["log"]]
    for row in rows:
        log.append({**log[-1], "seat": None, **row, "seq": len(log) + 1})
    return {**document, "log": log, "result": None}


UNDO = {"kind": "undo", "payload": {"undoes": 3}}
CHANGES = {"changes": changes_to_json([OTHER])}
AMEND, CORRECTION = {"kind": "amend", "payload": CHANGES}, {"kind": "correction", "payload": CHANGES}


def confirms(seat: int, **payload: object) -> dict[str, Any]:
    team, figures = ([0] if seat == 0 else [1, 2]), [0, 24, 24]
    return {
        "kind": "confirm",
        "seat": seat,
        "payload": {"round": 1, "team": team, "figures": figures, "about": 6, **payload},
    }


def test_a_document_is_taken_in_whose_correction_both_teams_confirmed_or_was_withdrawn() -> None:
    document = confirmed_document()

    made = records.read_document(with_entries(document, CORRECTION, confirms(0), confirms(1), AMEND)).ledger
    withdrawn = records.read_document(
        with_entries(document, CORRECTION, {"kind": "undo", "payload": {"undoes": 6}}, {**UNDO, "kind": "lock"})
    ).ledger

    assert made.state.totals == (0, 24, 24)
    assert withdrawn.state.totals == TOTALS_1


@pytest.mark.parametrize(
    "rows",
    [
        [AMEND],
        [UNDO],
        [CORRECTION, AMEND],
        [CORRECTION, confirms(0), AMEND],
        [CORRECTION, confirms(0), confirms(0)],
        [confirms(0, about=None, figures=[24, 18, 18])],
        [CORRECTION, confirms(0, about=5)],
        [CORRECTION, confirms(0, figures=[24, 18, 18])],
        [CORRECTION, confirms(1, team=[0])],
        [CORRECTION, confirms(1, round=2)],
        [confirms(0)],
        [confirms(0, about=None)],
        [confirms(2, about=None, team=[1], figures=[24, 18, 18])],
        [{"kind": "correction", "payload": {"changes": [{"seq": 9, "delete": True}]}}],
    ],
)
def test_a_document_that_changes_what_both_teams_confirmed_otherwise_is_refused(rows: list[dict[str, Any]]) -> None:
    with pytest.raises((EntryOutOfPlace, UndoOutOfOrder)) as refusal:
        records.read_document(with_entries(confirmed_document(), *rows))

    assert refusal.value.params["seq"] == 5 + len(rows)


def test_a_document_with_many_confirmed_corrections_is_refused() -> None:
    rows = [CORRECTION, confirms(0)] * 160

    with pytest.raises(TooManyCorrections):
        records.read_document(with_entries(confirmed_document(), *rows))

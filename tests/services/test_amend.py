"""Correcting earlier actions: several in one step, with a preview, refused if a later entry would become impossible."""

from __future__ import annotations

import pytest

from games.errors import GameLocked, StaleVersion
from games.log import store
from games.models import Status
from games.rules import AddPenalty, PublicState
from games.rules import errors as rules
from games.services.previews import StandingChange
from games.services.write import WriteRequest
from tests.builders import dutch, play
from tests.cast.tables import ROUND_1, ROUND_2, TOTALS_2, Table, after, instead, refused, stored, without

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


# --- one change ---


def test_a_tally_is_replaced_and_every_total_follows(finished: Table) -> None:
    outcome = finished.amend(instead(3, "tally 0 6 6"))

    assert outcome.version == 7
    assert outcome.ledger.state.totals == (30, 24 + 30, 24 + 30)
    assert outcome.ledger.state == play(dutch(3, rounds=2), *ROUND_1[:2], "tally 0 6 6", *ROUND_2)
    assert [total for _, total, _, _ in finished.seats] == [30, 54, 54]


def test_the_log_keeps_what_was_corrected(round_2: Table) -> None:
    before = stored(round_2.id)[2]

    round_2.amend(instead(3, "tally 0 6 6"))

    assert stored(round_2.id)[2][:3] == before
    row = store.rows(round_2.id)[3]
    assert (row.seq, row.kind, row.seat) == (4, "amend", None)
    assert row.payload == {
        "changes": [{"seq": 3, "action": {"type": "tally", "tricks": [0, 6, 6], "captured": [0, 0, 0]}}]
    }


def test_a_correction_is_nobodys_turn_even_if_it_inserts_a_placement(table: Table) -> None:
    table.record("trump red")

    table.amend(after(1, "supertrump blue"))

    assert [row.seat for row in store.rows(table.id)] == [1, None]


# --- the preview ---


def test_a_preview_names_who_moves(finished: Table) -> None:
    changes = finished.preview(instead(3, "tally 0 6 6"))

    assert changes == [
        StandingChange(seat=0, total_before=54, total_after=30, rank_before=1, rank_after=3),
        StandingChange(seat=1, total_before=48, total_after=54, rank_before=2, rank_after=1),
        StandingChange(seat=2, total_before=48, total_after=54, rank_before=2, rank_after=1),
    ]


def test_a_preview_leaves_out_who_stays(finished: Table) -> None:
    changes = finished.preview(after(3, "penalty 2 -1 late"))

    assert changes == [StandingChange(seat=2, total_before=48, total_after=47, rank_before=2, rank_after=3)]


def test_a_preview_names_a_seat_whose_rank_alone_changes(finished: Table) -> None:
    changes = finished.preview(after(3, "penalty 0 -6 late"))

    assert changes == [
        StandingChange(seat=0, total_before=54, total_after=48, rank_before=1, rank_after=1),
        StandingChange(seat=1, total_before=48, total_after=48, rank_before=2, rank_after=1),
        StandingChange(seat=2, total_before=48, total_after=48, rank_before=2, rank_after=1),
    ]


def test_a_preview_is_refused_like_the_correction(round_2: Table) -> None:
    change = instead(1, "open 1 njet blue black 2")

    with pytest.raises(rules.AmendmentConflicts) as of_preview:
        round_2.preview(change)
    with pytest.raises(rules.AmendmentConflicts) as of_amend:
        round_2.amend(change)

    assert of_preview.value.params == of_amend.value.params


# --- refusals ---


def test_a_conflict_names_the_later_entry_and_its_reason(round_2: Table) -> None:
    with refused(
        round_2,
        rules.AmendmentConflicts,
        seq=2,
        part=0,
        code="monster_in_larger_team",
        conflict_params={"seat": 0, "allowed": [1]},
    ) as caught:
        round_2.amend(instead(1, "open 1 njet blue black 2"))

    assert caught.value.message.startswith("Entry 2 would become impossible: The monster card")


@pytest.mark.parametrize(
    ("seq", "part"),
    [(0, 0), (-1, 0), (99, 0), (1, 1), (4, 0), (5, 0), (6, 0), (7, 0), (10**30, 0)],
    ids=["the beginning", "negative", "later", "no part", "undone", "an undo", "an amendment", "a setup", "huge"],
)
def test_only_an_effective_action_can_be_corrected(round_2: Table, seq: int, part: int) -> None:
    round_2.record("trump red")
    round_2.undo()
    round_2.amend(instead(3, "tally 0 6 6"))
    round_2.correct(dealer=1)

    with refused(round_2, rules.UnknownEntry, seq=seq, part=part):
        round_2.amend(instead(seq, "tally 4 4 4", part=part))
    with refused(round_2, rules.UnknownEntry, seq=seq, part=part):
        round_2.amend(without(seq, part=part))


def test_a_correction_without_changes_is_refused(round_2: Table) -> None:
    with refused(round_2, rules.WrongType, field="changes"):
        round_2.amend()


def test_a_correction_that_no_database_can_hold_is_malformed(round_2: Table) -> None:
    with refused(round_2, rules.WrongType, field="reason"):
        round_2.amend(after(3, AddPenalty(seat=1, points=-5, reason="a\x00b")))


def test_a_correction_with_an_old_version_is_refused(round_2: Table) -> None:
    with refused(round_2, StaleVersion, version=3):
        round_2.amend(instead(3, "tally 0 6 6"), request=WriteRequest(version=2))


def test_a_locked_game_is_not_corrected(finished: Table) -> None:
    finished.lock()

    with refused(finished, GameLocked):
        finished.amend(instead(3, "tally 0 6 6"))


# --- corrections and the end of a game ---


def test_a_finished_game_is_corrected_without_reopening(finished: Table) -> None:
    finished_at = finished.game.finished_at

    finished.amend(instead(3, "tally 0 6 6"))

    assert finished.game.status == Status.FINISHED
    assert finished.game.finished_at == finished_at
    assert finished.seats == [("Ana", 30, 3, False), ("Ben", 54, 1, True), ("Cleo", 54, 1, True)]


def test_deleting_an_early_end_reopens_the_game(round_2: Table) -> None:
    round_2.record("finish")

    round_2.amend(without(4))

    assert round_2.game.status == Status.PLAYING
    assert round_2.game.finished_at is None
    assert round_2.state == play(dutch(3, rounds=2), *ROUND_1)


def test_inserting_the_missing_tally_finishes_the_game(db: None) -> None:
    table = Table(None, *ROUND_1, *ROUND_2[:2])

    table.amend(after(5, ROUND_2[2]))

    assert table.state.totals == TOTALS_2
    assert table.game.status == Status.FINISHED
    assert table.game.finished_at is not None


def test_deleting_everything_gives_a_fresh_game(round_2: Table) -> None:
    round_2.amend(without(1), without(2), without(3))

    assert round_2.state == PublicState.start(dutch(3, rounds=2))
    assert round_2.game.rounds_played == 0

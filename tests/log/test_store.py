"""The log itself: append-only, in order, read as it was written."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from games.api.serializers.fields import Timestamp
from games.errors import StaleVersion
from games.formats import document as records
from games.log import store
from games.log.ledger import Ledger, ledger_of
from games.log.store import NewEntry, payload_text
from games.models import Game, LogEntry
from games.rules import ActionEntry, IllegalAction, LockEntry, SetupEntry, UndoEntry, errors
from games.rules import Key as ActionKey
from games.rules.actions import to_json
from games.rules.entries import setup_to_json
from games.services import previews, tables, write
from tests.builders import dutch, english, entries, play, read
from tests.cast.tables import ROUND_1, ROUND_2, Table, after, instead, stored, without

pytestmark = pytest.mark.django_db


# --- append-only ---


def test_entries_are_not_updated(round_2: Table) -> None:
    entries_of_game = LogEntry.objects.filter(game=round_2.id)
    before = stored(round_2.id)

    with pytest.raises(TypeError, match="append-only"):
        entries_of_game.update(payload={})
    with pytest.raises(TypeError, match="append-only"):
        LogEntry.objects.all().update(seq=9)
    with pytest.raises(TypeError, match="append-only"), transaction.atomic():
        LogEntry.objects.bulk_update(list(entries_of_game), ["kind"])

    assert stored(round_2.id) == before


def test_entries_are_not_deleted(round_2: Table) -> None:
    before = stored(round_2.id)

    with pytest.raises(TypeError, match="append-only"):
        LogEntry.objects.filter(game=round_2.id, seq=3).delete()
    with pytest.raises(TypeError, match="append-only"):
        LogEntry.objects.all().delete()

    assert stored(round_2.id) == before


def test_what_the_log_gives_out_cannot_be_saved(round_2: Table) -> None:
    """No row of the table leaves `games.log.store`: what is given out is a copy without a way back."""
    for row in store.rows(round_2.id):
        assert not isinstance(row, LogEntry)
        assert not hasattr(row, "save")
        assert not hasattr(row, "delete")
        with pytest.raises(AttributeError):
            row.kind = "other"


@pytest.mark.parametrize("seq", [0, -1, 3])
def test_entries_are_numbered_from_1_on_and_a_number_is_taken_once(round_2: Table, seq: int) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        LogEntry.objects.create(game=round_2.game, seq=seq, kind="lock", payload={})


def test_a_request_id_is_taken_once_for_each_game_and_key(table: Table) -> None:
    other, elsewhere = table.other_key(), Table()
    row = {"kind": "lock", "payload": {}, "request_id": "a"}
    LogEntry.objects.create(game=table.game, seq=1, actor=table.key, **row)
    LogEntry.objects.create(game=table.game, seq=2, actor=other, **row)
    LogEntry.objects.create(game=elsewhere.game, seq=1, actor=elsewhere.key, **row)

    with pytest.raises(IntegrityError), transaction.atomic():
        LogEntry.objects.create(game=table.game, seq=3, actor=other, **row)


def test_a_writer_who_slips_past_the_lock_is_stopped_by_the_constraint(
    table: Table, caplog: pytest.LogCaptureFixture
) -> None:
    table.record("trump red")
    LogEntry.objects.create(game=table.game, seq=2, kind="place", payload={}, actor=table.other_key())
    before = stored(table.id)

    with pytest.raises(StaleVersion):
        table.record("points 4")

    assert stored(table.id) == before
    assert "settled by a constraint" in caplog.text


# --- reading ---


def test_times_are_stored_and_given_out_in_whole_seconds(finished: Table) -> None:
    """How long a player thought, or whether a bot did, is not to be read from a log."""
    times = LogEntry.objects.filter(game=finished.id).values_list("at", flat=True)
    assert {time.microsecond for time in times} == {0}

    # An entry of an earlier program.
    earlier = datetime(2026, 1, 31, 20, 15, 30, 999_999, tzinfo=UTC)
    store.restore([(finished.id, [NewEntry(7, LockEntry.kind, payload_text(LockEntry(7)), None, earlier)])])
    Game.objects.filter(pk=finished.id).update(version=7, finished_at=earlier, created_at=earlier, locked_at=earlier)

    whole = "2026-01-31T20:15:30Z"
    written = records.document(finished.game)
    assert [written[name] for name in ("created_at", "finished_at", "locked_at")] == [whole] * 3
    assert [row["at"] for row in written["log"][-1:]] == [whole]
    assert store.seen_rows(finished.ledger)[-1].at == earlier.replace(microsecond=0)
    assert Timestamp().to_representation(earlier) == whole


def test_rows_come_in_the_order_of_the_log_and_not_of_the_clocks(table: Table) -> None:
    table.record("trump red")
    now = timezone.now()
    store.append(table.game, table.ledger, entries("points 4", first=2), actor=None, at=now - timedelta(days=3650))
    Game.objects.filter(pk=table.id).update(version=2)
    table.record("points 3")

    rows = store.rows(table.id)

    assert [row.seq for row in rows] == [1, 2, 3]
    assert rows[1].at < rows[0].at <= rows[2].at
    assert table.state == play(dutch(3, rounds=2), "trump red", "points 4", "points 3")


@pytest.mark.parametrize(("after_seq", "expected"), [(-1, [1, 2, 3]), (0, [1, 2, 3]), (2, [3]), (3, []), (10**30, [])])
def test_rows_are_read_from_any_entry_on(round_2: Table, after_seq: int, expected: list[int]) -> None:
    assert [row.seq for row in store.rows(round_2.id, after=after_seq)] == expected


def test_who_wrote_an_entry_is_known(round_2: Table) -> None:
    other = round_2.other_key()
    tables.record_action(game_id=round_2.id, actor=other, action=read("trump red"), request=write.WriteRequest())

    assert store.actors(round_2.id, [3, 4]) == {3: round_2.key, 4: other}
    assert previews.entries_of_others(round_2.ledger, round_2.key, [2, 3, 4]) == {4: "Ben’s phone"}
    assert [row.actor for row in store.rows(round_2.id, after=2)] == [round_2.key, other]


def test_a_game_is_read_at_its_version_and_not_beyond(round_2: Table) -> None:
    old = round_2.game
    round_2.record("trump red")

    assert store.read(old).version == 3
    assert store.refold(old).state == play(dutch(3, rounds=2), *ROUND_1)
    assert store.read(round_2.game).version == 4


def test_every_kind_of_entry_is_read_as_it_was_written(db: None) -> None:
    table = Table(english(3, rounds=2, start_row=False))
    lines = (
        "trump red",
        "open njet blue red -2",
        "team 1 monster 2 start 0",
        "trick 2+1",
        "tally 4+1 8 2",
        "void misdeal",
        "penalty 1 -5 revoke",
        "finish",
    )
    for line in lines:
        try:
            table.record(line)
        except IllegalAction:
            table.record("tally 4+1 8 4")
    table.amend(instead(1, "trump black"), after(1, "trump yellow"), without(7))
    table.undo()
    table.correct(names=["Eva", "Ida", "Uma"], tokens=["lilac", "pink", "green"], dealer=2)
    table.lock()

    written = table.ledger

    assert {row.kind for row in store.rows(table.id)} >= {
        *("place", "conditions", "team", "trick", "tally", "void_round", "penalty", "finish"),
        *("amend", "undo", "setup", "lock"),
    }
    assert store.refold(table.game) == written


# --- the ledger ---


def ledger(*added: object) -> Ledger:
    return ledger_of("agame", setup_to_json(dutch(3, rounds=2)), ()).with_entries(list(added))


def test_a_ledger_knows_its_entries_steps_and_rounds(round_2: Table) -> None:
    round_2.record("trump red")
    read_now = round_2.ledger

    assert read_now.entry(4) == ActionEntry(4, read("trump red"))
    assert read_now.step(ActionKey(4)).action == read("trump red")
    assert read_now.step(ActionKey(5)) is None
    assert read_now.rounds_at == {ActionKey(1): 1, ActionKey(2): 1, ActionKey(3): 1, ActionKey(4): 2}


def test_an_undone_action_is_no_step_any_more() -> None:
    undone = ledger(*entries("trump red"), UndoEntry(2, undoes=1))

    assert undone.step(ActionKey(1)) is None
    assert undone.entry(1) == ActionEntry(1, read("trump red"))
    assert (undone.version, undone.last_undoable) == (2, None)


def test_growing_by_one_action_is_the_same_as_folding_everything() -> None:
    grown = ledger()
    for entry in entries(*ROUND_1, "trump blue", *ROUND_2):
        grown = grown.with_entries([entry])

    assert grown == ledger_of("agame", setup_to_json(dutch(3, rounds=2)), entries(*ROUND_1, "trump blue", *ROUND_2))


def test_growing_leaves_the_old_ledger_as_it_was() -> None:
    old = ledger(*entries(*ROUND_1))

    old.with_entries(entries("trump red", first=4))
    old.with_entries([UndoEntry(4, undoes=3)])

    assert old == ledger(*entries(*ROUND_1))


def test_a_setup_and_a_lock_are_part_of_the_ledger() -> None:
    other = dutch(3, rounds=1)

    locked = ledger(*entries(*ROUND_1), SetupEntry(4, other), LockEntry(5))

    assert (locked.setup, locked.current_setup, locked.locked) == (dutch(3, rounds=2), other, True)
    assert locked.last_undoable is None


def test_a_log_that_the_rules_refuse_shows_its_good_beginning_and_takes_no_more_actions(round_2: Table) -> None:
    """Nothing may be counted on top of an entry that does not count."""
    LogEntry.objects.create(game=round_2.game, seq=4, kind="tally", payload=to_json(read("tally 4 4 4")))
    Game.objects.filter(pk=round_2.id).update(version=4)
    before = stored(round_2.id)
    assert round_2.state == play(dutch(3, rounds=2), *ROUND_1)

    with pytest.raises(errors.WrongPhase):
        round_2.record("trump red")

    assert stored(round_2.id) == before
    assert round_2.ledger.replay.refused.key == ActionKey(4)


def test_a_log_that_the_rules_refuse_is_mended_by_undo(round_2: Table) -> None:
    LogEntry.objects.create(game=round_2.game, seq=4, kind="tally", payload=to_json(read("tally 4 4 4")))
    Game.objects.filter(pk=round_2.id).update(version=4)

    round_2.undo()

    assert round_2.record("trump red").ledger == store.refold(round_2.game)
    assert round_2.state == play(dutch(3, rounds=2), *ROUND_1, "trump red")

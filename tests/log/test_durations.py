"""How long games take, by the times of their entries."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from games.log.durations import durations
from games.log.ledger import Ledger, ledger_of
from games.rules.entries import setup_to_json
from games.rules.replay import ActionEntry, UndoEntry
from tests.builders import dutch, entries, read

EVENING = datetime(2026, 11, 21, 19, 30, tzinfo=UTC)
ROUND = ("open 0 njet blue black 2", "team alone monster 0", "tally 5+1 4+1 3+1")


def ledger(*lines: str) -> Ledger:
    return ledger_of("", setup_to_json(dutch(3, rounds=2)), entries(*lines))


def at(*minutes: float) -> dict[int, datetime]:
    """When each entry was written, in minutes after the first."""
    return {seq: EVENING + timedelta(minutes=each) for seq, each in enumerate((0, *minutes), start=1)}


def test_rounds_take_the_time_between_their_entries() -> None:
    found = durations(ledger(*ROUND, *ROUND), at(1, 12, 14, 15, 40))

    assert (found.game, found.rounds) == (40, {1: 12, 2: 28})


def test_a_pause_of_more_than_two_hours_counts_as_none() -> None:
    short, long = (durations(ledger(*ROUND, *ROUND), at(1, 12, 12 + pause, 133, 150)) for pause in (120, 120.1))

    assert (short.game, long.game) == (150, 30)


def test_a_clock_that_was_put_back_takes_no_time_away() -> None:
    found = durations(ledger(*ROUND), at(-60, -50))

    assert found.game == 10


def test_what_was_undone_took_time() -> None:
    log = ledger(*ROUND).with_entries([UndoEntry(4, undoes=3)]).with_entries([ActionEntry(5, read(ROUND[2]))])
    found = durations(log, at(1, 12, 13, 20))

    assert found.game == 20


def test_what_follows_the_last_action_takes_no_time() -> None:
    found = durations(ledger(*ROUND), at(1, 12, 100))

    assert found.game == 12


def test_entries_of_one_second_say_nothing() -> None:
    assert durations(ledger(*ROUND), at(0, 0)).game is None
    assert durations(ledger(), {}).game is None

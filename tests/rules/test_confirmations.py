"""A team confirms the points of a round; what both teams have confirmed is corrected when both confirm again."""

from __future__ import annotations

import pytest

from games.rules import ActionEntry, AmendEntry, DeleteAction, Key, ReplaceAction, UndoEntry, effective, fold, replay
from games.rules.confirmations import changed_rounds, confirmations, is_confirmed, pending_correction
from games.rules.replay import ConfirmEntry, CorrectionEntry, Effective, Entry
from tests.builders import dutch, play, read

SETUP = dutch(4, rounds=2)
ROUND = ("open 0 njet blue black 2", "team 2", "tally 4+1 2+1 3+1 1+1")
"""Ana and Cleo 18, Ben and Dan 10."""
POINTS = (18, 10, 18, 10)
LOG: list[Entry] = [ActionEntry(seq, read(line)) for seq, line in enumerate(ROUND, start=1)]
ANA = ConfirmEntry(4, 0, 1, (0, 2), POINTS)
BEN = ConfirmEntry(5, 1, 1, (1, 3), POINTS)

OTHER_TALLY = ReplaceAction(Key(3), read("tally 5+1 2+1 3+1 0"))
"""Ana and Cleo 20, Ben and Dan 6."""
CORRECTION = CorrectionEntry(6, (OTHER_TALLY,))
ANA_AGAIN = ConfirmEntry(7, 2, 1, (0, 2), (20, 6, 20, 6), about=6)
BEN_AGAIN = ConfirmEntry(8, 3, 1, (1, 3), (20, 6, 20, 6), about=6)


def counting(*more: Entry) -> Effective:
    return effective(SETUP, [*LOG, *more])


def confirmed_by(*more: Entry) -> list[int]:
    """The seats by which round 1 is confirmed."""
    done = replay(SETUP, [*LOG, *more]).state.finished[0]
    return [each.seat for each in confirmations(done, counting(*more).confirms)]


def test_each_team_confirms_for_itself() -> None:
    done = play(SETUP, *ROUND).finished[0]

    assert done.score.points == POINTS
    assert confirmations(done, [BEN, ANA]) == (ANA, BEN)
    assert is_confirmed(done, [ANA, BEN])
    assert not is_confirmed(done, [ANA, ConfirmEntry(5, 2, 1, (0, 2), POINTS)])


@pytest.mark.parametrize(
    "other",
    [
        ConfirmEntry(4, 0, 2, (0, 2), POINTS),
        ConfirmEntry(4, 0, 1, (0, 1), POINTS),
        ConfirmEntry(4, 0, 1, (0, 2), (18, 10, 18, 9)),
    ],
)
def test_a_confirmation_of_another_round_team_or_figure_does_not_count(other: ConfirmEntry) -> None:
    assert confirmations(play(SETUP, *ROUND).finished[0], [other]) == ()


def test_a_confirmation_lapses_with_a_correction_and_returns_with_its_undo() -> None:
    amended = (ANA, AmendEntry(5, (OTHER_TALLY,)))

    assert confirmed_by(ANA) == [0]
    assert confirmed_by(*amended) == []
    assert confirmed_by(*amended, UndoEntry(6, undoes=5)) == [0]


def test_only_what_both_teams_confirmed_is_changed_for_a_correction() -> None:
    before, after = play(SETUP, *ROUND), play(SETUP, *ROUND[:2], "tally 5+1 2+1 3+1 0")
    other_trump = play(SETUP, "open 0 njet green black 2", *ROUND[1:])

    assert changed_rounds(before, after, (ANA,)) == ()
    assert changed_rounds(before, after, (ANA, BEN)) == (1,)
    assert changed_rounds(before, play(SETUP, *ROUND[:2]), (ANA, BEN)) == (1,)
    assert changed_rounds(before, other_trump, (ANA, BEN)) == (1,)
    assert changed_rounds(before, play(before, "trump red", "penalty 1 -5 revoke"), (ANA, BEN)) == ()


def test_a_correction_waits_until_both_teams_have_confirmed_its_figures() -> None:
    def is_made(*more: Entry) -> bool:
        now = counting(ANA, BEN, CORRECTION, *more)
        pending = pending_correction(now, fold(now.setup, now.actions), seq=20)
        assert pending is not None
        assert [done.score.points for done in pending.rounds] == [(20, 6, 20, 6)]
        return pending.is_confirmed

    assert not is_made()
    assert not is_made(ANA_AGAIN)
    assert is_made(ANA_AGAIN, BEN_AGAIN)
    # What was said of another correction does not count for this one.
    assert not is_made(ANA_AGAIN, ConfirmEntry(8, 3, 1, (1, 3), (20, 6, 20, 6), about=5))


def test_a_correction_that_waits_changes_nothing_and_counts_once_it_is_made() -> None:
    waiting = (ANA, BEN, CORRECTION, ANA_AGAIN, BEN_AGAIN)
    made = (*waiting, AmendEntry(9, (OTHER_TALLY,)))

    assert replay(SETUP, [*LOG, *waiting]).state == play(SETUP, *ROUND)
    assert confirmed_by(*waiting) == [0, 1]
    assert confirmed_by(*made) == [2, 3]
    assert counting(*waiting).correction == CORRECTION
    assert counting(*made).correction is None


def test_a_correction_is_withdrawn_at_any_time_or_replaced() -> None:
    later = ActionEntry(7, read("trump red"))
    withdrawn = counting(ANA, BEN, CORRECTION, later, UndoEntry(8, undoes=6))
    replaced = counting(ANA, BEN, CORRECTION, CorrectionEntry(7, (DeleteAction(Key(2)),)))

    assert (withdrawn.correction, withdrawn.misplaced, withdrawn.undoable) == (None, (), (1, 2, 3, 7))
    assert replaced.correction == CorrectionEntry(7, (DeleteAction(Key(2)),))


def test_a_correction_that_a_later_entry_made_impossible_is_no_longer_pending() -> None:
    no_team = counting(ANA, BEN, CorrectionEntry(6, (DeleteAction(Key(2)),)))

    assert pending_correction(no_team, fold(no_team.setup, no_team.actions), seq=7) is None


SECOND_ROUND = ("open 1 njet blue black 2", "team 3", "tally 1 4 2 3")
"""Ana and Cleo 6, Ben and Dan 14."""
TWO_ROUNDS = [ActionEntry(seq, read(line)) for seq, line in enumerate((*ROUND, *SECOND_ROUND), start=1)]
BOTH_ROUNDS = [
    ConfirmEntry(7 + number * 2 + place, seat, 1 + number, team, figures)
    for number, figures in enumerate((POINTS, (6, 14, 6, 14)))
    for place, (seat, team) in enumerate(((0, (0, 2)), (1, (1, 3))))
]


@pytest.mark.parametrize(
    ("changes", "rounds"),
    [
        ((OTHER_TALLY,), [1]),
        ((ReplaceAction(Key(6), read("tally 2 4 2 2")),), [2]),
        ((OTHER_TALLY, ReplaceAction(Key(6), read("tally 2 4 2 2"))), [1, 2]),
        ((DeleteAction(Key(6)),), None),
        ((OTHER_TALLY, DeleteAction(Key(6))), None),
    ],
)
def test_the_rounds_that_a_correction_changes_are_confirmed_as_corrected(changes, rounds: list[int] | None) -> None:
    setup = dutch(4, rounds=3)
    now = effective(setup, [*TWO_ROUNDS, *BOTH_ROUNDS, CorrectionEntry(11, changes)])

    pending = pending_correction(now, fold(now.setup, now.actions), seq=12)

    # A correction that takes a confirmed round off the sheet leaves nothing to confirm.
    assert (None if pending is None else [done.number for done in pending.rounds]) == rounds
    assert pending is None or pending.rounds == tuple(pending.corrected.state.finished[each - 1] for each in rounds)

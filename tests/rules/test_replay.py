"""RULES.md section 7.4: undo, corrections, and the fold of a log."""

from collections.abc import Iterator
from itertools import count
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.rules import (
    ActionEntry,
    AmendEntry,
    DeleteAction,
    InsertAction,
    Key,
    LockEntry,
    NjetError,
    Phase,
    PublicState,
    ReplaceAction,
    SetupEntry,
    UndoEntry,
    amended,
    effective,
    fold,
    replay,
)
from games.rules.errors import (
    AmendmentConflicts,
    GameOver,
    MonsterMissing,
    RowClosed,
    SpaceCovered,
    UnknownEntry,
    WrongPhase,
    WrongTrickSum,
)
from games.rules.hints import HintReason
from games.rules.proposals import ClaimRest, FinishEarly, OpenProposal, Takeback
from games.rules.replay import (
    AnswerEntry,
    ConfirmEntry,
    CorrectionEntry,
    Entry,
    HintEntry,
    HolderChange,
    HolderEntry,
    KeyedAction,
    ProposalEntry,
    SeatEntry,
    refold,
)
from tests.builders import dutch, english, entries, placing, play, read, wikipedia
from tests.strategies import DigitalGame, Game, digital_games, games

ROUND_1 = ("open 0 njet red blue 2", "team 1", "tally 10 0 5 0")
ROUND_2 = ("open 1 njet red blue 2", "team 2", "tally 0 10 5 0")


def _change(setup, log, *changes, seq=None):
    """What an amendment at the end of a log would give."""
    counting = effective(setup, log)
    return amended(counting.setup, counting.actions, seq=seq or log[-1].seq + 1, changes=changes)


def _replace(seq: int, line: str, part: int = 0) -> ReplaceAction:
    return ReplaceAction(Key(seq, part), read(line))


def _insert(after: int, line: str, part: int = 0) -> InsertAction:
    return InsertAction(Key(after, part), read(line))


# --- folding ---


def test_folding_a_log_gives_the_state_that_its_actions_give() -> None:
    log = entries(*ROUND_1, *ROUND_2)

    folded = replay(english(4), log)

    assert folded.state == play(english(4), *ROUND_1, *ROUND_2)
    assert (folded.error, folded.refused) == (None, None)


def test_an_empty_log_is_the_beginning() -> None:
    folded = replay(english(4), [])

    assert folded.state == PublicState.start(english(4))
    assert folded.applied == ()


def test_each_step_knows_who_was_due_and_what_it_met() -> None:
    log = entries("trump red", "open 2 njet blue blue 2", "team 1", "trick 3", "penalty 0 -5 late")

    steps = replay(english(4, dealer=1), log).applied

    assert [(step.key, step.seat) for step in steps] == [
        (Key(1), 1),
        (Key(2), 2),
        (Key(3), 2),
        (Key(4), None),
        (Key(5), None),
    ]
    assert [step.before.phase.value for step in steps] == ["placing", "placing", "teams", "tricks", "tricks"]
    assert {step.round_number for step in steps} == {1}


def test_each_step_knows_its_round() -> None:
    log = entries(*ROUND_1, *ROUND_2)

    steps = replay(english(4), log).applied

    assert [step.round_number for step in steps] == [1, 1, 1, 2, 2, 2]


def test_a_fold_answers_the_good_prefix_and_the_error_with_the_action_that_met_it() -> None:
    log = entries("trump red", "points 1", "trump red", "points 2")

    folded = replay(english(4), log)

    assert folded.state == play(english(4), "trump red", "points 1")
    assert [step.key for step in folded.applied] == [Key(1), Key(2)]
    assert (folded.refused.key, type(folded.error)) == (Key(3), SpaceCovered)


def test_the_fold_of_the_effective_actions_is_the_replay() -> None:
    log = [*entries(*ROUND_1), UndoEntry(4, undoes=3), *entries("tally 0 0 15 0", first=5)]

    counting = effective(english(4), log)

    assert fold(counting.setup, counting.actions) == replay(english(4), log)


def test_a_lock_changes_nothing() -> None:
    log = entries(*ROUND_1)

    locked = effective(english(4), [*log, LockEntry(4)])

    assert locked == effective(english(4), log)


def test_a_hint_changes_nothing() -> None:
    log, hint = entries(*ROUND_1), HintEntry(4, 0, read("trump red"), HintReason.LOWEST)
    counting = effective(english(4), log)

    assert effective(english(4), [*log, hint]) == counting.with_entry(hint) == counting


# --- bots and proposals ---


def test_a_bot_plays_for_a_seat_from_its_entry_on_until_the_player_is_back() -> None:
    log = [SeatEntry(1, 2, "easy"), SeatEntry(2, 0, "strong"), SeatEntry(3, 2, "strong"), SeatEntry(4, 2, None)]

    bots = [effective(english(3), log[:length]).bots for length in range(5)]

    assert bots == [
        (None, None, None),
        (None, None, "easy"),
        ("strong", None, "easy"),
        ("strong", None, "strong"),
        ("strong", None, None),
    ]


TAKEBACK, FINISH = Takeback((1,)), FinishEarly()
ASKED, ENDING = OpenProposal(2, 0, TAKEBACK), OpenProposal(3, 1, FINISH)


@pytest.mark.parametrize(
    ("later", "left"),
    [
        ([], [ASKED, ENDING]),
        ([ProposalEntry(4, 0, FINISH)], [ASKED, ENDING, OpenProposal(4, 0, FINISH)]),
        ([ProposalEntry(4, 1, FINISH)], [ASKED, OpenProposal(4, 1, FINISH)]),
        ([AnswerEntry(4, 2, 3, True)], [ASKED, OpenProposal(3, 1, FINISH, (2,))]),
        ([AnswerEntry(4, 2, 3, False)], [ASKED]),
        ([*entries("trump blue", first=4)], [ENDING]),
        ([UndoEntry(4, undoes=1)], [ENDING]),
        # Even an action that is undone has closed what it closes.
        ([*entries("trump blue", first=4), UndoEntry(5, undoes=4)], [ENDING]),
        ([*entries("finish", first=4)], []),
    ],
)
def test_a_proposal_is_open_until_an_answer_or_an_action_closes_it(later, left: list[OpenProposal]) -> None:
    log = [*entries("trump red"), ProposalEntry(2, 0, TAKEBACK), ProposalEntry(3, 1, FINISH), *later]

    counting = effective(english(3), log)

    assert counting.proposals == tuple(left)


def _with_additions(game: DigitalGame, random: Random) -> Iterator[Entry]:
    """The log of a game in which players also say this and that."""
    numbers = count(1)
    for step in game.steps:
        yield ActionEntry(next(numbers), step.action, step.seat)
        seq, seat, earlier = next(numbers), random.randrange(game.setup.ruleset.players), random.randrange(9)
        yield random.choice(
            (
                SeatEntry(seq, seat, random.choice(("easy", None))),
                HolderEntry(seq, seat, HolderChange.JOINED),
                HintEntry(seq, seat, step.action, HintReason.LOWEST),
                ProposalEntry(seq, seat, random.choice((Takeback((seq - 1,)), ClaimRest(()), FinishEarly()))),
                AnswerEntry(seq, seat, max(1, seq - 1 - 2 * earlier), random.random() < 0.7),
                ConfirmEntry(seq, seat, 1, (seat,), ()),
                CorrectionEntry(seq, (DeleteAction(Key(1)),)),
            )
        )


@given(digital_games(), st.randoms(use_true_random=False))
def test_entries_added_one_by_one_count_as_in_the_whole_log(game: DigitalGame, random: Random) -> None:
    log = list(_with_additions(game, random))

    added = effective(game.setup, ())
    for entry in log:
        added = added.with_entry(entry)

    assert added == effective(game.setup, log)
    for latest in added.undoable[-1:]:
        undo = UndoEntry(len(log) + 1, undoes=latest)
        assert added.undone(undo) == effective(game.setup, [*log, undo])


# --- undo ---


def test_an_undone_action_never_happened() -> None:
    log = [*entries(*ROUND_1), UndoEntry(4, undoes=3)]

    folded = replay(english(4), log)

    assert folded.state == play(english(4), *ROUND_1[:2])


def test_several_actions_are_taken_back_one_after_the_other() -> None:
    log = [*entries(*ROUND_1), UndoEntry(4, undoes=3), UndoEntry(5, undoes=2), UndoEntry(6, undoes=1)]

    states = [replay(english(4), log[:length]).state for length in range(3, 7)]

    assert states == [play(english(4), *ROUND_1[:count]) for count in (3, 2, 1, 0)]


def test_after_an_undo_the_game_goes_on() -> None:
    log = [*entries(*ROUND_1), UndoEntry(4, undoes=3), *entries("tally 5 0 10 0", *ROUND_2, first=5)]

    folded = replay(english(4), log)

    assert folded.state == play(english(4), *ROUND_1[:2], "tally 5 0 10 0", *ROUND_2)


def test_undo_reopens_a_finished_game() -> None:
    setup = english(4, rounds=1)
    log = entries(*ROUND_1)

    reopened = replay(setup, [*log, UndoEntry(4, undoes=3)])

    assert replay(setup, log).state.phase is Phase.FINISHED
    assert reopened.state.phase is Phase.TRICKS


def test_what_can_be_taken_back_is_what_still_counts() -> None:
    setup = english(4)
    amendment = AmendEntry(4, (_replace(3, "tally 5 0 10 0"),))
    log = [*entries(*ROUND_1), amendment, SetupEntry(5, setup.corrected(rounds=5)), UndoEntry(6, undoes=5)]

    undoable = [effective(setup, log[:length]).undoable for length in (3, 4, 5, 6)]

    assert undoable == [(1, 2, 3), (1, 2, 3, 4), (1, 2, 3, 4, 5), (1, 2, 3, 4)]


def test_taking_back_a_correction_gives_what_was_before() -> None:
    amendment = AmendEntry(4, (_replace(3, "tally 5 0 10 0"), _replace(2, "team 3")))
    log = [*entries(*ROUND_1), amendment, UndoEntry(5, undoes=4)]

    folded = replay(english(4), log)

    assert folded.state == play(english(4), *ROUND_1)


def test_taking_back_a_deletion_and_an_insertion_gives_what_was_before() -> None:
    log = entries("trump red", "points 1", "points 2")
    amendment = AmendEntry(4, (DeleteAction(Key(2)), _insert(1, "points 4")))

    changed, back = replay(english(4), [*log, amendment]), replay(english(4), [*log, amendment, UndoEntry(5, undoes=4)])

    assert changed.state == play(english(4), "trump red", "points 4", "points 2")
    assert back.state == play(english(4), "trump red", "points 1", "points 2")


# --- corrections ---


def test_a_replaced_action_counts_instead_of_the_earlier_one() -> None:
    log = [*entries(*ROUND_1, *ROUND_2), AmendEntry(7, (_replace(3, "tally 5 0 10 0"),))]

    folded = replay(english(4), log)

    assert folded.state == play(english(4), *ROUND_1[:2], "tally 5 0 10 0", *ROUND_2)
    assert [step.key for step in folded.applied] == [Key(seq) for seq in range(1, 7)]


def test_a_deleted_action_never_happened() -> None:
    log = [*entries("trump red", "points 1", "points 2"), AmendEntry(4, (DeleteAction(Key(2)),))]

    folded = replay(english(4), log)

    assert folded.state == play(english(4), "trump red", "points 2")


def test_a_forgotten_marker_is_put_in_and_the_later_ones_move_on_to_the_next_player() -> None:
    log = [*entries("trump red", "points 1"), AmendEntry(3, (_insert(1, "trump blue"),))]

    folded = replay(english(4), log)

    assert folded.state == play(english(4), "trump red", "trump blue", "points 1")
    assert [(step.key, step.seat) for step in folded.applied] == [(Key(1), 0), (Key(3, 1), 1), (Key(2), 2)]


def test_an_action_can_be_put_in_before_the_first() -> None:
    log = [*entries("trump red"), AmendEntry(2, (_insert(0, "trump blue"),))]

    folded = replay(english(4), log)

    assert folded.state == play(english(4), "trump blue", "trump red")


def test_two_swapped_placements_are_corrected_in_one_step() -> None:
    log = entries("trump red", "points 1", "trump blue")
    swap = AmendEntry(4, (_replace(1, "points 1"), _replace(2, "trump red")))

    folded = replay(english(4), [*log, swap])

    assert folded.state == play(english(4), "points 1", "trump red", "trump blue")


def test_a_start_player_is_corrected_together_with_the_team_that_follows() -> None:
    changes = (_replace(1, "open 2 njet red blue 2"), _replace(2, "team 3"))

    folded = replay(english(4), [*entries(*ROUND_1), AmendEntry(4, changes)])

    assert folded.state == play(english(4), "open 2 njet red blue 2", "team 3", "tally 10 0 5 0")


def test_the_changes_of_a_correction_are_made_one_after_the_other() -> None:
    log = entries("trump red", "points 1", "points 2")
    changes = (_insert(1, "trump blue"), _insert(4, "trump black", part=1), DeleteAction(Key(2)))

    folded = replay(english(4), [*log, AmendEntry(4, changes)])

    assert folded.state == play(english(4), "trump red", "trump blue", "trump black", "points 2")
    assert [step.key for step in folded.applied] == [Key(1), Key(4, 1), Key(4, 2), Key(3)]


def test_an_inserted_action_can_be_corrected_by_its_amendment_and_part() -> None:
    log = [
        *entries("trump red"),
        AmendEntry(2, (_insert(1, "trump blue"), _insert(2, "points 1", part=1))),
        AmendEntry(3, (_replace(2, "points 2", part=2),)),
        AmendEntry(4, (DeleteAction(Key(2, 1)),)),
        AmendEntry(5, (_insert(2, "points 4", part=2),)),
    ]

    states = [replay(english(4), log[:length]).state for length in (2, 3, 4, 5)]

    assert states == [
        play(english(4), "trump red", "trump blue", "points 1"),
        play(english(4), "trump red", "trump blue", "points 2"),
        play(english(4), "trump red", "points 2"),
        play(english(4), "trump red", "points 2", "points 4"),
    ]


def test_a_correction_can_be_corrected() -> None:
    log = [
        *entries(*ROUND_1),
        AmendEntry(4, (_replace(3, "tally 5 0 10 0"),)),
        AmendEntry(5, (_replace(3, "tally 0 0 0 15"),)),
    ]

    folded = replay(english(4), log)

    assert folded.state == play(english(4), *ROUND_1[:2], "tally 0 0 0 15")


def test_the_totals_after_a_correction_are_those_of_a_fresh_game() -> None:
    log = entries(*ROUND_1, *ROUND_2)

    result = _change(english(4), log, _replace(3, "tally 0 0 15 0"))

    assert result.state == play(english(4), *ROUND_1[:2], "tally 0 0 15 0", *ROUND_2)
    assert (replay(english(4), log).state.totals, result.state.totals) == ((20, 50, 40, 10), (0, 30, 60, 30))


# --- corrections that cannot be ---


def test_a_correction_that_makes_a_later_entry_impossible_names_that_entry() -> None:
    log = entries(*ROUND_1, *ROUND_2)

    with pytest.raises(AmendmentConflicts) as refused:
        _change(english(4), log, _replace(1, "open 0 discard_1 red blue 2"))

    params = refused.value.params
    assert (refused.value.code, params["seq"], params["part"]) == ("amendment_conflicts", 3, 0)
    assert (params["code"], params["conflict_params"]) == ("wrong_trick_sum", {"sum": 15, "tricks": 14, "missing": -1})
    assert "Entry 3" in refused.value.message
    assert params["reason"] in refused.value.message


@pytest.mark.parametrize(
    ("lines", "changes", "seq", "code"),
    [
        (("trump red", "points 1"), [_replace(1, "points 1")], 2, "space_covered"),
        (("trump red", "points 1", "points 2"), [_insert(1, "points 2")], 3, "space_covered"),
        (ROUND_1, [DeleteAction(Key(1))], 2, "wrong_phase"),
        (ROUND_1, [DeleteAction(Key(2))], 3, "wrong_phase"),
        (ROUND_1, [_replace(1, "open 1 njet red blue 2")], 2, "own_partner"),
        ((*ROUND_1, *ROUND_2), [DeleteAction(Key(3))], 4, "wrong_phase"),
        ((*ROUND_1, "finish"), [DeleteAction(Key(3))], 4, "nothing_to_finish"),
        ((*ROUND_1, *ROUND_2), [_insert(3, "finish")], 4, "game_over"),
    ],
)
def test_a_later_entry_that_would_become_impossible_refuses_the_correction(lines, changes, seq, code) -> None:
    log = entries(*lines)

    with pytest.raises(AmendmentConflicts) as refused:
        _change(english(4), log, *changes)

    assert (refused.value.params["seq"], refused.value.params["code"]) == (seq, code)


def test_an_inserted_action_that_becomes_impossible_is_named_with_its_part() -> None:
    log = [*entries("trump red"), AmendEntry(2, (_insert(1, "trump blue"), _insert(2, "points 1", part=1)))]

    with pytest.raises(AmendmentConflicts) as refused:
        _change(english(4), log, _replace(1, "points 1"))

    assert (refused.value.params["seq"], refused.value.params["part"]) == (2, 2)


@pytest.mark.parametrize(
    ("lines", "changes", "refusal"),
    [
        (("trump red", "points 1"), [_replace(2, "trump red")], SpaceCovered),
        (("trump red", "points 1"), [_insert(2, "trump red")], SpaceCovered),
        (("trump red", "trump blue", "trump black", "trump njet"), [_insert(4, "trump red")], RowClosed),
        (ROUND_1, [_replace(3, "tally 10 0 0 0")], WrongTrickSum),
        (ROUND_1, [_insert(3, "team 1")], WrongPhase),
        (ROUND_1, [_insert(0, "team 1")], WrongPhase),
        ((*ROUND_1, "finish"), [_insert(4, "trump red")], GameOver),
    ],
)
def test_a_corrected_action_that_is_itself_impossible_meets_its_own_refusal(lines, changes, refusal) -> None:
    log = entries(*lines)

    with pytest.raises(NjetError) as refused:
        _change(english(4), log, *changes)

    assert type(refused.value) is refusal


@pytest.mark.parametrize(
    "change",
    [
        _replace(9, "trump blue"),
        _replace(1, "trump blue", part=1),
        DeleteAction(Key(9)),
        DeleteAction(Key(0)),
        _replace(0, "trump blue"),
        _insert(9, "trump blue"),
        _insert(0, "trump blue", part=1),
        _insert(3, "trump blue"),
    ],
)
def test_only_an_entry_that_counts_can_be_corrected(change) -> None:
    log = [*entries("trump red", "points 1", "points 2"), UndoEntry(4, undoes=3)]

    with pytest.raises(UnknownEntry) as refused:
        _change(english(4), log, change)

    assert refused.value.code == "unknown_entry"


def test_a_deleted_action_cannot_be_deleted_again() -> None:
    log = [*entries("trump red", "points 1"), AmendEntry(3, (DeleteAction(Key(2)),))]

    with pytest.raises(UnknownEntry) as refused:
        _change(english(4), log, DeleteAction(Key(2)))

    assert refused.value.params == {"seq": 2, "part": 0}


def test_a_refused_correction_leaves_the_actions_as_they_are() -> None:
    log = entries(*ROUND_1)
    before = effective(english(4), log)

    with pytest.raises(NjetError):
        amended(before.setup, before.actions, seq=4, changes=(DeleteAction(Key(2)),))

    assert before == effective(english(4), log)


# --- corrections of the set-up ---


def test_a_corrected_dealer_moves_the_turns_of_the_whole_game() -> None:
    setup = english(4, dealer=0)
    log = [*entries("trump red", "points 1"), SetupEntry(3, setup.corrected(dealer=2))]

    folded = replay(setup, log)

    assert folded.state == play(english(4, dealer=2), "trump red", "points 1")
    assert [step.seat for step in folded.applied] == [2, 3]


def test_a_corrected_name_changes_nothing_but_the_name() -> None:
    setup = english(4)
    corrected = setup.corrected(names=["Anna", "Ben", "Cleo", "Dan"])

    folded = replay(setup, [*entries(*ROUND_1), SetupEntry(4, corrected)])

    assert folded.state.setup.names == ("Anna", "Ben", "Cleo", "Dan")
    assert folded.state == play(corrected, *ROUND_1)


def test_taking_back_a_corrected_set_up_gives_the_one_before() -> None:
    setup = english(4)
    first, second = setup.corrected(rounds=3), setup.corrected(rounds=5)
    log = [SetupEntry(1, first), *entries("trump red", first=2), SetupEntry(3, second), UndoEntry(4, undoes=3)]

    setups = [effective(setup, log[:length]).setup for length in (0, 1, 3, 4)]

    assert setups == [setup, first, second, first]


def test_a_game_can_be_made_longer_after_its_last_round() -> None:
    setup = english(4, rounds=1)
    log = [*entries(*ROUND_1), SetupEntry(4, setup.corrected(rounds=2)), *entries(*ROUND_2, first=5)]

    states = [replay(setup, log[:length]).state for length in (3, 4, 7)]

    assert [state.phase for state in states] == [Phase.FINISHED, Phase.PLACING, Phase.FINISHED]
    assert len(states[-1].finished) == 2


def test_a_game_cannot_become_shorter_than_what_was_played() -> None:
    setup = english(4)
    log = [*entries(*ROUND_1, *ROUND_2), SetupEntry(7, setup.corrected(rounds=1))]

    folded = replay(setup, log)

    assert (folded.refused.key, type(folded.error)) == (Key(4), GameOver)


# --- whole games ---


def test_a_whole_round_placed_marker_by_marker_can_be_corrected_anywhere() -> None:
    setup = dutch(3)
    places = placing(setup, "0 njet blue black 2")
    log = entries(*places, "team alone monster 0", "tally 5+1 4+1 3+1")
    wrong = next(entry.seq for entry in log if entry.action == read("trump red"))

    result = _change(setup, log, _replace(wrong, "trump blue"))

    assert str(result.state.finished[0].conditions.trump) == "red"
    assert result.state.totals == (24, 18, 18)


def test_an_overridden_start_player_can_be_corrected() -> None:
    setup = wikipedia(3, start_row=False)
    log = entries("open njet red blue 2", "team alone monster 0", "trick 1")

    result = _change(setup, log, _replace(2, "team alone monster 2 start 2"))

    assert result.state.current.teams.own == (2,)
    with pytest.raises(MonsterMissing):
        _change(setup, log, _replace(2, "team alone start 2"))


# --- several insertions at one place ---


@pytest.mark.parametrize("after", [0, 1])
def test_markers_inserted_after_the_same_entry_stand_in_the_order_of_the_changes(after: int) -> None:
    log = entries("trump red")

    counting = effective(english(4), [*log, AmendEntry(2, (_insert(after, "trump blue"), _insert(after, "points 1")))])

    inserted = [keyed.action for keyed in counting.actions if keyed.key.seq == 2]
    assert inserted == [read("trump blue"), read("points 1")]
    assert [keyed.key.part for keyed in counting.actions if keyed.key.seq == 2] == [1, 2]


# --- playing on from a kept beginning ---


@given(games(), digital_games(), st.data())
def test_playing_on_from_kept_steps_gives_what_folding_again_gives(
    game: Game, digital: DigitalGame, data: st.DataObject
) -> None:
    at_table = [KeyedAction(Key(seq), action) for seq, action in enumerate(game.actions, start=1)]
    in_app = [KeyedAction(Key(seq), step.action, step.seat) for seq, step in enumerate(digital.steps, start=1)]

    for setup, actions in ((game.setup, at_table), (digital.setup, in_app)):
        folded, kept = fold(setup, actions), data.draw(st.integers(0, len(actions)))
        assert refold(folded, kept, actions[kept:]) == folded
        assert refold(folded, kept, ()) == fold(setup, actions[:kept])


@given(games())
def test_one_more_undo_gives_what_resolving_the_whole_log_gives(game: Game) -> None:
    log = [ActionEntry(seq, action) for seq, action in enumerate(game.actions, start=1)]
    counting = effective(game.setup, log)

    for undoes in range(len(log), 0, -1):
        undo = UndoEntry(2 * len(log) + 1 - undoes, undoes=undoes)
        log.append(undo)
        counting = counting.undone(undo)
        assert counting == effective(game.setup, log)


def test_an_undo_of_anything_but_the_latest_action_needs_the_whole_log() -> None:
    log = entries(*ROUND_1)
    counting = effective(english(4), log)
    amended_round = effective(english(4), [*log, AmendEntry(4, (_replace(3, "tally 5 0 10 0"),))])

    assert counting.undone(UndoEntry(4, undoes=2)) is None
    assert amended_round.undone(UndoEntry(5, undoes=3)) is None
    assert amended_round.undone(UndoEntry(5, undoes=4)) is None
    assert effective(english(4), ()).undone(UndoEntry(1, undoes=1)) is None


def test_an_undo_is_misplaced_unless_it_undoes_the_latest_entry() -> None:
    log = entries("trump red", "trump blue")

    assert effective(dutch(), [*log, UndoEntry(3, undoes=2), UndoEntry(4, undoes=1)]).misplaced == ()
    assert effective(dutch(), [*log, UndoEntry(3, undoes=1)]).misplaced == (UndoEntry(3, undoes=1),)

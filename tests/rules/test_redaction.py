"""What a seat sees of a digital game, and what it reads of the log; nothing else."""

from __future__ import annotations

from dataclasses import fields, replace

import pytest

from games.rules import (
    Claim,
    Deal,
    Discard,
    Finish,
    Hidden,
    NameTeam,
    Pass,
    Phase,
    Place,
    Play,
    PublicState,
    RowKey,
    Setup,
)
from games.rules.entries import ActionEntry, ProposalEntry
from games.rules.full import FullState
from games.rules.hints import HintReason
from games.rules.proposals import ClaimRest, FinishEarly
from games.rules.redaction import PlayerView, read_by, redact, redact_entry, secret_from, shows_more, view_for
from games.rules.replay import HintEntry, SetupEntry, UndoEntry
from tests.builders import deal_of, digital, english, in_order, read, settled

GIFTS = ("R1 R2", "K1 K2", "B1 B2", "Y1 Y2")


def round_with(space: str, *known: str, setup: Setup | None = None) -> FullState:
    """Four players who are about to discard or pass."""
    chosen = digital(setup or english(4))
    return settled(chosen, f"0 {space} red blue 2", "team 1", deal_of(chosen.ruleset, *known))


# --- views ---


def test_a_view_has_these_fields_and_no_others() -> None:
    names = [field.name for field in fields(PlayerView)]

    assert names == ["seat", "public", "hand", "chosen", "discarded", "passed", "received", "legal"]


def test_before_the_deal_a_view_is_what_everybody_sees() -> None:
    state = FullState.start(digital(english(4)))

    assert [view_for(state, seat) for seat in range(4)] == [PlayerView(seat, state.public) for seat in range(4)]


def test_a_spectator_sees_what_everybody_sees_and_may_do_nothing() -> None:
    for state in (round_with("discard_1"), round_with("njet"), round_with("pass_2_right")):
        assert view_for(state, None) == PlayerView(None, state.public)


def test_a_player_sees_their_own_hand_and_what_they_may_do() -> None:
    state = round_with("njet")

    for seat in range(4):
        view = view_for(state, seat)
        assert (view.seat, view.public, view.hand) == (seat, state.public, state.hands[seat])
        assert view.legal == state.legal_actions(seat)
        assert bool(view.legal) == (seat == 0)


def test_what_lies_face_down_is_seen_by_its_owner_alone() -> None:
    state = round_with("discard_1", "Y9")

    state = state.apply(Discard(in_order("Y9")), seat=0)

    assert view_for(state, 0).chosen == in_order("Y9")
    assert in_order("Y9")[0] in view_for(state, 0).hand
    assert [view_for(state, seat).chosen for seat in (1, 2, 3, None)] == [()] * 4
    assert [view_for(state, seat).public.current.chosen for seat in (1, 2, 3, None)] == [(0,)] * 4


def test_what_was_discarded_is_seen_by_its_owner_alone() -> None:
    state = round_with("discard_1", "Y9", "K8", "B9", "R6")

    for seat, card in enumerate(("Y9", "K8", "B9", "R6")):
        state = state.apply(Discard(in_order(card)), seat=seat)

    for seat, card in enumerate(("Y9", "K8", "B9", "R6")):
        view = view_for(state, seat)
        assert (view.discarded, view.chosen, view.passed, view.received) == (in_order(card), (), (), ())
        assert in_order(card)[0] not in view.hand
    assert view_for(state, None).discarded == ()


def test_what_was_passed_is_seen_by_giver_and_receiver_alone() -> None:
    state = round_with("pass_2_right", *GIFTS)

    for seat, gift in enumerate(GIFTS):
        state = state.apply(Pass(in_order(gift)), seat=seat)

    for seat in range(4):
        view = view_for(state, seat)
        assert (view.passed, view.received) == (in_order(GIFTS[seat]), in_order(GIFTS[(seat + 1) % 4]))
        assert (view.chosen, view.discarded) == ((), ())
        assert set(view.received) <= set(view.hand)


def test_of_a_round_that_is_over_nothing_hidden_is_left() -> None:
    state = round_with("discard_1")
    for seat in range(4):
        state = state.apply(state.legal_actions(seat)[0], seat=seat)

    state = state.apply(Claim(0, state.rest_captured(0)))

    assert state.public.phase is Phase.DEALING
    assert [view_for(state, seat) for seat in range(4)] == [PlayerView(seat, state.public) for seat in range(4)]


def test_the_thirty_cards_aside_are_in_nobodys_view() -> None:
    setup = digital(english(2))
    state = settled(setup, "0 njet red blue 2", None, deal_of(setup.ruleset))
    other = replace(state, aside=())
    assert len(state.aside) == 30

    for seat in (0, 1, None):
        assert view_for(state, seat) == view_for(other, seat)


# --- the log ---

DEAL = Deal((in_order("R1"), in_order("R2"), in_order("R3")), seed="5eed", commitment="abc1")


@pytest.mark.parametrize("viewer", [0, 1, 2, None])
def test_of_a_deal_a_viewer_reads_their_own_hand(viewer: int | None) -> None:
    seen = redact(DEAL, seat=None, viewer=viewer)

    assert isinstance(seen, Deal)
    assert seen.hands == tuple(hand if seat == viewer else Hidden(1) for seat, hand in enumerate(DEAL.hands))


@pytest.mark.parametrize("viewer", [0, None])
def test_the_seed_is_secret_and_its_hash_is_public(viewer: int | None) -> None:
    seen = redact(DEAL, seat=None, viewer=viewer)

    assert isinstance(seen, Deal)
    assert (seen.seed, seen.commitment) == (None, "abc1")


@pytest.mark.parametrize("kind", [Discard, Pass])
def test_of_a_choice_others_read_how_many_cards_it_was(kind: type[Discard] | type[Pass]) -> None:
    choice = kind(in_order("R1 R2"))

    assert redact(choice, seat=1, viewer=1) == choice
    assert [redact(choice, seat=1, viewer=viewer) for viewer in (0, 2, None)] == [kind(Hidden(2))] * 3
    assert redact(choice, seat=None, viewer=None) == kind(Hidden(2))


@pytest.mark.parametrize(
    "action",
    [Place(RowKey.TRUMP, "red"), NameTeam((1,), None), Play(in_order("R1")[0]), Claim(1, 2), Finish()],
    ids=lambda each: type(each).__name__,
)
def test_what_is_done_openly_is_read_by_all(action) -> None:
    assert [redact(action, seat=0, viewer=viewer) for viewer in (0, 1, None)] == [action] * 3


@pytest.mark.parametrize("viewer", [0, 1, 2, None])
@pytest.mark.parametrize("action", [DEAL, Discard(in_order("R1 R2")), Pass(in_order("R1 R2"))])
def test_to_redact_twice_is_to_redact_once(action, viewer: int | None) -> None:
    once = redact(action, seat=1, viewer=viewer)

    assert redact(once, seat=1, viewer=viewer) == once
    assert redact(once, seat=1, viewer=None) == redact(action, seat=1, viewer=None)


def test_the_public_state_takes_a_redacted_log_as_it_is() -> None:
    state = round_with("discard_1")
    public = PublicState.start(state.setup)

    dealt = public.apply(redact(deal_of(state.setup.ruleset), seat=None, viewer=None))

    assert dealt == FullState.start(state.setup).apply(deal_of(state.setup.ruleset)).public


# --- entries ---


@pytest.mark.parametrize("viewer", [0, 1, None])
def test_the_hand_of_a_claim_is_hidden_again_after_a_game_that_ended_early(viewer: int | None) -> None:
    claim, finish = ProposalEntry(4, 1, ClaimRest(in_order("R1 R2"))), ProposalEntry(5, 1, FinishEarly())

    assert redact_entry(claim, viewer) == claim
    assert redact_entry(claim, viewer, over=True) == replace(claim, proposal=ClaimRest(()))
    assert redact_entry(finish, viewer, over=True) == finish


@pytest.mark.parametrize("over", [True, False])
def test_the_cards_of_an_entry_are_read_by_its_seat_only(over: bool) -> None:
    choice = ActionEntry(2, Pass(in_order("R1 R2")), 1)

    assert redact_entry(choice, 1, over=over) == choice
    assert redact_entry(choice, 0, over=over) == replace(choice, action=Pass(Hidden(2)))


@pytest.mark.parametrize("over", [True, False])
def test_a_hint_is_read_by_its_seat_only(over: bool) -> None:
    hint = HintEntry(2, 1, Play(in_order("R1")[0]), HintReason.AS_GOOD, Play(in_order("R2")[0]))

    assert redact_entry(hint, 1, over=over) == hint
    for viewer in (0, 2, None):
        assert redact_entry(hint, viewer, over=over) == HintEntry(2, 1, None, None)


# --- from which entry on a log stays redacted ---

DEALT = ActionEntry(1, Deal((Hidden(15), Hidden(15))))
FINISHED = ActionEntry(3, Finish())


def test_of_a_running_game_the_whole_log_is_redacted() -> None:
    assert secret_from([DEALT, ActionEntry(2, read("trump red"))], over=False) == 0


def test_of_a_game_that_was_played_to_its_end_nothing_stays_redacted() -> None:
    log = [DEALT, ActionEntry(2, Claim(0, 1))]

    assert secret_from(log, over=True) == 3


def test_of_a_game_that_ended_early_the_last_round_stays_redacted() -> None:
    log = [DEALT, replace(DEALT, seq=2), FINISHED]

    assert secret_from(log, over=True) == 2


def test_entries_without_an_action_end_and_deal_nothing() -> None:
    asked = ProposalEntry(2, 1, FinishEarly())

    assert secret_from([DEALT, asked, FINISHED], over=True) == 1
    assert secret_from([DEALT, asked], over=True) == 3


def test_a_game_that_ended_before_any_deal_has_nothing_to_hide() -> None:
    assert secret_from([FINISHED], over=True) == 2


# --- a log in which all see the hands of a finished round ---

OPEN = replace(digital(english(3)), open_hands=True)
CLOSED = replace(OPEN, open_hands=False)


def seen_of_two_rounds(viewer: int | None, *, setup: Setup = OPEN, over: bool = False, after: tuple = ()) -> list:
    """What is read of a round with a discard and a hint, and of the next one up to its first discard."""
    log = [
        ActionEntry(1, DEAL),
        HintEntry(2, 1, Discard(in_order("R2")), HintReason.LOWEST),
        ActionEntry(3, Discard(in_order("R2")), 1),
        ActionEntry(4, Claim(0, 1)),
        ActionEntry(5, DEAL),
        ActionEntry(6, Discard(in_order("R2")), 1),
        *after,
    ]
    return read_by(viewer, setup, log, over=over)


@pytest.mark.parametrize("viewer", [0, 2, None])
def test_the_next_deal_shows_the_hands_of_a_round_to_all(viewer: int | None) -> None:
    seen = seen_of_two_rounds(viewer)

    assert seen[0] == ActionEntry(1, replace(DEAL, seed=None))
    assert seen[2] == ActionEntry(3, Discard(in_order("R2")), 1)


@pytest.mark.parametrize("viewer", [0, 2, None])
def test_the_hands_of_the_running_round_stay_redacted(viewer: int | None) -> None:
    seen = seen_of_two_rounds(viewer)

    assert seen[4] == redact_entry(ActionEntry(5, DEAL), viewer)
    assert seen[5] == ActionEntry(6, Discard(Hidden(1)), 1)


@pytest.mark.parametrize("viewer", [0, None])
def test_the_last_card_of_a_round_shows_no_hand_yet(viewer: int | None) -> None:
    log = [ActionEntry(1, DEAL), ActionEntry(2, Discard(in_order("R2")), 1), ActionEntry(3, Claim(0, 1))]

    assert read_by(viewer, OPEN, log, over=False) == [redact_entry(entry, viewer) for entry in log]


def test_a_hint_of_a_shown_round_is_still_its_seats_alone() -> None:
    assert seen_of_two_rounds(0)[1] == HintEntry(2, 1, None, None)
    assert seen_of_two_rounds(1)[1].reason is HintReason.LOWEST


def test_an_undone_deal_shows_nothing() -> None:
    assert seen_of_two_rounds(0, after=(UndoEntry(7, 6), UndoEntry(8, 5)))[0] == redact_entry(ActionEntry(1, DEAL), 0)


def test_a_later_set_up_opens_no_hands() -> None:
    """What the players agreed on when they sat down counts."""
    seen = seen_of_two_rounds(0, setup=CLOSED, after=(SetupEntry(7, OPEN), ActionEntry(8, DEAL)))

    assert seen[0] == redact_entry(ActionEntry(1, DEAL), 0)


@pytest.mark.parametrize("setup", [OPEN, CLOSED])
def test_after_the_game_its_seeds_and_hints_are_shown_too(setup: Setup) -> None:
    seen = seen_of_two_rounds(0, setup=setup, over=True)

    assert seen[0] == ActionEntry(1, DEAL)
    assert seen[1].reason is HintReason.LOWEST


@pytest.mark.parametrize("setup", [OPEN, CLOSED])
def test_of_a_game_that_ended_early_the_last_hands_stay_hidden(setup: Setup) -> None:
    seen = seen_of_two_rounds(0, setup=setup, over=True, after=(FINISHED,))

    assert (seen[0], seen[4]) == (ActionEntry(1, DEAL), redact_entry(ActionEntry(5, DEAL), 0))


def test_only_a_deal_shows_more_of_before() -> None:
    assert shows_more(OPEN, [ActionEntry(4, Claim(0, 1)), ActionEntry(5, DEAL)])
    assert not shows_more(OPEN, [ActionEntry(4, Claim(0, 1))])
    assert not shows_more(CLOSED, [ActionEntry(5, DEAL)])

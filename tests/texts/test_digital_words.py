"""A digital game in words, step by step: no card is named that the ledger does not hold."""

from __future__ import annotations

import re
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.log.ledger import Ledger
from games.pages.replay.hands import FeltPlace, HandView, LineCard
from games.pages.replay.page import ReplayPage, last_step, replay_page
from games.rules import (
    ActionEntry,
    Card,
    Claim,
    Deal,
    Discard,
    Finish,
    Hidden,
    Pass,
    Phase,
    Place,
    Play,
    Reason,
    Setup,
    UndoEntry,
)
from games.rules.actions import Action
from games.rules.entries import setup_to_json
from games.rules.proposals import ClaimRest, FinishEarly, Takeback
from games.rules.replay import AnswerEntry, Entry, ProposalEntry, SeatEntry
from games.texts import words
from games.texts.entries import describe_action, describe_entry
from tests.builders import digital, dutch, english, iello, in_order
from tests.laws import examples
from tests.strategies import DigitalGame, chance_steps, digital_games

QUICK = examples(10)


def ledger_of(setup: Setup, *entries: Entry) -> Ledger:
    """A digital game's log, as if it were stored."""
    return Ledger.of("", setup_to_json(setup), setup, entries)


def played(game: DigitalGame) -> Ledger:
    """The log of a drawn game."""
    return ledger_of(
        game.setup, *(ActionEntry(seq, step.action, step.seat) for seq, step in enumerate(game.steps, start=1))
    )


def whole_game(setup: Setup, seed: int = 3) -> Ledger:
    """A game to its end, each choice left to chance."""
    return played(DigitalGame(digital(setup), tuple(chance_steps(digital(setup), Random(seed)))))


def held(hand: HandView) -> list[LineCard]:
    """The cards of a hand that are not played."""
    return [each for _, line in hand.lines for each in line if not (each.is_played or each.is_now)]


def laid(page: ReplayPage) -> list[FeltPlace]:
    """The places with a card of the trick on the table, in playing order."""
    in_order = sorted(page.cards.trick.places, key=lambda place: place.order)
    return [place for place in in_order if place.played is not None]


def pages_of(ledger: Ledger) -> list[ReplayPage]:
    """Every step."""
    return [replay_page(ledger, number) for number in range(last_step(ledger) + 1)]


# --- entries ---


@pytest.mark.parametrize(
    ("action", "listed"),
    [
        (Deal((Hidden(12), Hidden(12), Hidden(12))), "Dealt: 12 cards each"),
        (Discard(Hidden(2)), "Ben discarded 2 cards"),
        (Discard(Hidden(1)), "Ben discarded 1 card"),
        (Discard(in_order("R7 B0")), "Ben discarded red 7 and blue 0"),
        (Pass(Hidden(2)), "Ben passed 2 cards to Ana"),
        (Pass(in_order("K1 K1")), "Ben passed black 1 twice to Ana"),
        (Play(Card.parse("Y9")), "Ben played yellow 9"),
        (Claim(2, 3), "All remaining tricks granted to Cleo"),
        (Finish(), "Game finished early"),
    ],
)
def test_what_is_done_with_cards_is_described_in_words(action: Action, listed: str) -> None:
    assert describe_action(action, setup=digital(english(3)), seat=1) == listed


@pytest.mark.parametrize(
    ("why", "card", "captured", "sentence"),
    [
        (Reason.TRUMP, "B4", 1, "Bot 4 wins: blue is trump. 1 zero captured."),
        (Reason.HIGHEST_TRUMP, "B9", 2, "Bot 4 wins with the highest trump. 2 zeros captured."),
        (Reason.HIGHEST_OF_LED, "R9", 0, "Bot 4 wins with the highest red card."),
        (Reason.LAST_EQUAL, "R7", 0, "Bot 4 wins: of equal cards the last is the highest."),
        (Reason.SUPER_TRUMP, "K0", 0, "Bot 4 wins with a super trump."),
        (Reason.LAST_SUPER_TRUMP, "K0", 0, "Bot 4 wins with the last super trump."),
    ],
)
def test_it_is_said_why_a_trick_is_won(why: Reason, card: str, captured: int, sentence: str) -> None:
    assert words.trick_reason("Bot 4", why, Card.parse(card), captured, english(4).ruleset) == sentence


def test_the_other_edition_captures_ones() -> None:
    sentence = words.trick_reason("Ben", Reason.TRUMP, Card.parse("B4"), 2, dutch(4).ruleset)

    assert sentence == "Ben wins: blue is trump. 2 ones captured."


def test_the_first_seat_passes_to_the_last() -> None:
    assert describe_action(Pass(Hidden(2)), setup=digital(english(3)), seat=0) == "Ana passed 2 cards to Cleo"


def test_the_last_seat_passes_to_the_first_where_cards_go_to_the_left() -> None:
    assert describe_action(Pass(Hidden(2)), setup=digital(iello(3)), seat=2) == "Cleo passed 2 cards to Ana"


def test_bots_requests_and_answers_are_described_in_words() -> None:
    setup = digital(dutch(3))
    ledger = whole_game(dutch(3, rounds=1))
    deal, place = ledger.entries[0].action, next(e.action for e in ledger.entries if isinstance(e.action, Place))
    entries = [
        SeatEntry(1, 2, "strong"),
        ActionEntry(2, deal),
        ActionEntry(3, place),
        ProposalEntry(4, 0, Takeback((3,))),
        AnswerEntry(5, 1, 4, agrees=True),
        AnswerEntry(6, 2, 4, agrees=False),
        ProposalEntry(7, 1, ClaimRest(in_order("R7 B0"))),
        AnswerEntry(8, 1, 7, agrees=False),
        ProposalEntry(9, 0, FinishEarly()),
        UndoEntry(10, 3),
        SeatEntry(11, 2, None),
    ]
    ledger = ledger_of(setup, *entries)

    listed = [describe_entry(ledger, entry) for entry in ledger.entries]

    covered = describe_action(place, setup=setup, seat=2)
    assert listed == [
        "Cleo is played by the strong bot",
        "Dealt: 12 cards each",
        listed[2],
        f"Ana asks to take back: {listed[2]}",
        "Ben accepts what Ana proposes",
        "Cleo refuses what Ana proposes",
        "Ben claims all remaining tricks with red 7 and blue 0",
        "Ben withdraws the proposal",
        "Ana proposes to finish early",
        f"Taken back: {listed[2]}",
        "The bot no longer plays for Cleo",
    ]
    assert covered.partition(" ")[2] == listed[2].partition(" ")[2]


@given(game=digital_games(), viewer=st.none() | st.integers(0, 1))
@QUICK
def test_every_entry_of_any_digital_game_has_its_words_and_no_hidden_card(
    game: DigitalGame, viewer: int | None
) -> None:
    ledger = played(game)
    if ledger.state.current is None:
        return
    seen = ledger.seen_by(viewer)

    for entry, redacted in zip(ledger.entries, seen.entries, strict=True):
        listed = describe_entry(seen, redacted)
        assert listed
        assert "None" not in listed
        if isinstance(redacted, ActionEntry) and isinstance(redacted.action, Discard | Pass):
            hidden = isinstance(redacted.action.cards, Hidden)
            assert hidden is (redacted.seat != viewer)
            assert hidden is (describe_entry(ledger, entry) != listed)


# --- the replay ---


@pytest.mark.slow
@pytest.mark.parametrize("setup", [english(5, rounds=1), english(2, rounds=1), dutch(3, rounds=2)], ids=["5", "2", "3"])
def test_every_step_of_a_finished_game_shows_the_hands_as_they_were(setup: Setup) -> None:
    ledger = whole_game(setup)
    steps = ledger.replay.applied

    for number, page in enumerate(pages_of(ledger)):
        full = steps[number].full if number < len(steps) else ledger.replay.full
        shown = [sorted(each.card.code for each in held(hand)) for hand in page.cards.hands]
        hands = [sorted(map(str, hand)) for hand in full.hands] if full is not None else []
        # At the end of a round all is played.
        assert shown == (hands if any(hands) else [])
        assert [hand.is_due for hand in page.cards.hands].count(True) <= max(
            1, len(full.acting_seats) if full is not None else 0
        )


def test_cards_that_lie_face_down_are_marked_and_then_shown() -> None:
    ledger = whole_game(english(4, rounds=1, discard_timing="before_teams"), seed=5)
    choices = [
        number for number, step in enumerate(ledger.replay.applied, 1) if isinstance(step.action, Discard | Pass)
    ]
    assert choices, "another seed is needed: nobody discards or passes"

    first, last = replay_page(ledger, choices[0]), replay_page(ledger, choices[-1])

    chooser = ledger.replay.applied[choices[0] - 1].seat
    cards = ledger.replay.applied[choices[0] - 1].action.cards
    assert sum(each.is_chosen for each in held(first.cards.hands[chooser])) == len(cards)
    assert [note.text for note in first.cards.hands[chooser].notes] == [f"chose {words.cards_named(cards)}"]
    assert first.who.seat == chooser
    assert not any(each.is_chosen for hand in last.cards.hands for each in held(hand))
    assert all(hand.notes for hand in last.cards.hands)


def test_cards_that_were_passed_are_shown_with_who_got_them() -> None:
    games = (whole_game(english(4, rounds=1), seed) for seed in range(50))
    ledger = next(game for game in games if any(isinstance(step.action, Pass) for step in game.replay.applied))
    first_card = next(number for number, step in enumerate(ledger.replay.applied, 1) if isinstance(step.action, Play))

    hands = replay_page(ledger, first_card).cards.hands

    for hand in hands:
        given, got = hand.notes
        assert (given.symbol, given.other.seat) == ("→", (hand.player.seat - 1) % 4)
        assert (got.symbol, got.other.seat) == ("←", (hand.player.seat + 1) % 4)
        assert given.cards == hands[given.other.seat].notes[1].cards
        assert given.text.endswith(f" to {given.other.name}")


def test_the_trick_on_the_table_is_shown() -> None:
    ledger = whole_game(dutch(3, rounds=1))
    led = [number for number, step in enumerate(ledger.replay.applied, 1) if isinstance(step.action, Play)]

    pages = [replay_page(ledger, number) for number in led[:7]]

    assert [(page.cards.trick.number, len(laid(page))) for page in pages] == [
        *((1, 1), (1, 2), (1, 3), (2, 1), (2, 2), (2, 3), (3, 1))
    ]
    assert [sum(place.wins for place in page.cards.trick.places) for page in pages] == [0, 0, 1] * 2 + [0]
    assert [sum(place.wins for place in laid(page)) for page in pages] == [0, 0, 1] * 2 + [0]
    assert [page.who.seat for page in pages] == [ledger.replay.applied[number - 1].seat for number in led[:7]]


@pytest.mark.slow
def test_each_trick_of_the_round_is_one_tap_away() -> None:
    ledger = whole_game(dutch(3, rounds=2))

    for page in pages_of(ledger):
        assert [link.number for link in page.cards.trick_links] == list(range(1, len(page.cards.trick_links) + 1))
        assert sum(link.is_shown for link in page.cards.trick_links) == (page.cards.trick is not None)
        for link in page.cards.trick_links:
            there = replay_page(ledger, link.step)
            assert (there.round.number, there.cards.trick.number, len(laid(there))) == (
                page.round.number,
                link.number,
                1,
            )


def test_the_lines_of_a_hand_keep_what_was_played() -> None:
    ledger = whole_game(english(4, rounds=1))
    led = [number for number, step in enumerate(ledger.replay.applied, 1) if isinstance(step.action, Play)]

    pages = [replay_page(ledger, number) for number in led[:9]]

    for page in pages:
        places = page.cards.trick.places
        assert [place.player.seat for place in places] == [0, 1, 2, 3], "each card lies at its player"
        in_order = sorted(places, key=lambda place: place.order)
        played = [place.played for place in laid(page)]
        assert played == [place.played for place in in_order][: len(played)]
        assert bool(page.cards.trick.reason) == any(place.wins for place in places)
        now = [each.card for hand in page.cards.hands for _, line in hand.lines for each in line if each.is_now]
        assert sorted(map(str, now)) == sorted(map(str, played))
    shown = [[[each.card for _, line in hand.lines for each in line] for hand in page.cards.hands] for page in pages]
    assert all(cards == shown[0] for cards in shown), "no card moves while tricks are played"
    assert {hand.team for hand in pages[0].cards.hands} == {"a", "b"}
    assert sum(hand.won.tricks for hand in pages[-1].cards.hands) == 2


def test_a_seat_sees_its_own_hand_and_what_others_have_played() -> None:
    ledger = whole_game(english(4, rounds=1))
    led = [number for number, step in enumerate(ledger.replay.applied, 1) if isinstance(step.action, Play)]

    page = replay_page(ledger, led[4], seat=1)

    own, *others = page.cards.hands
    assert [hand.player.seat for hand in page.cards.hands] == [1, 2, 3, 0]
    assert (own.unseen, own.notes) == (0, replay_page(ledger, led[4]).cards.hands[1].notes)
    assert all(not held(hand) and not hand.notes and hand.unseen for hand in others)
    assert all(each.is_played or each.is_now for hand in others for _, line in hand.lines for each in line)


def test_who_is_granted_the_rest_has_still_cards_to_show() -> None:
    setup = digital(dutch(3, rounds=1))
    steps = list(chance_steps(setup, Random(3)))
    cut = next(number for number, step in enumerate(steps) if isinstance(step.action, Play)) + 4
    state = played(DigitalGame(setup, tuple(steps[:cut]))).replay.full
    entries = [ActionEntry(seq, step.action, step.seat) for seq, step in enumerate(steps[:cut], start=1)]
    ledger = ledger_of(setup, *entries, ActionEntry(cut + 1, Claim(1, state.rest_captured(1))))

    page = replay_page(ledger, cut + 1)

    assert page.who.name == "Ben"
    assert page.result.victory
    assert [len(held(hand)) for hand in page.cards.hands] == [len(hand) for hand in state.hands]
    assert (page.cards.trick.number, len(laid(page))) == (2, 1)
    assert not any(place.wins for place in page.cards.trick.places)


@given(game=digital_games(), viewer=st.none() | st.integers(0, 1))
@QUICK
def test_a_running_game_is_replayed_with_what_everybody_has_seen(game: DigitalGame, viewer: int | None) -> None:
    ledger = played(game)
    if ledger.state.current is None:
        return

    table: set[str] = set()
    for page, step in zip(pages_of(ledger.seen_by(viewer))[1:], ledger.replay.applied, strict=True):
        table |= {str(step.action.card)} if isinstance(step.action, Play) else set()
        cards = laid(page) if page.cards.trick is not None else []
        assert page.cards.hands == []
        assert {place.played.code for place in cards} <= table
        assert page.cards.seal is None or not page.cards.seal.seed
        assert bool(page.following) is not bool(page.result.victory)


@pytest.mark.slow
@given(game=digital_games(to_the_end=True, most_rounds=2))
@QUICK
def test_the_steps_of_any_digital_game_tell_all_of_it(game: DigitalGame) -> None:
    ledger = played(game)

    pages = pages_of(ledger)

    assert all(page.happened and page.digital for page in pages)
    assert all(bool(page.following) is not bool(page.result.victory) for page in pages)
    assert [page.result.round.number for page in pages if page.result.round] == [
        done.number for done in ledger.state.finished
    ]
    shown = {page.step for page in pages if page.step >= page.first}
    assert {link.number for page in pages for link in page.step_links} == shown
    assert not any(re.search(r"None|\{", page.happened + page.following) for page in pages)
    dealt = [page for page in pages[1:] if isinstance(ledger.replay.applied[page.step - 1].action, Deal)]
    assert len(dealt) == game.setup.ruleset.options.rounds
    assert {phase.value for phase in Phase} >= {"dealing"}

"""Where the cards of a hand stand while the tricks of a round are played."""

from __future__ import annotations

from itertools import groupby
from random import Random

import pytest

from games.pages.digital.slots import ONE_ROW, TOO_LONG, TWO_ROWS, Arrangement, arrange
from games.rules import Card
from games.rules.cards import SUITS, sort_hand
from tests.builders import dealt_by_chance, dutch, english, french, italian

SETUPS = [english(3), english(5), dutch(3), dutch(4), french(4), italian()]


def hands(seed: int) -> list[tuple[Card, ...]]:
    """The hands of random deals in several editions."""
    return [hand for setup in SETUPS for hand in dealt_by_chance(setup.ruleset, Random(seed)).hands]


def played_out(hand: tuple[Card, ...], seed: int) -> list[tuple[list[Card], Card | None, Arrangement]]:
    """The hand after each card, in a random order: what is held, the card that went last, and the slots."""
    order = list(hand)
    Random(seed).shuffle(order)
    found = []
    for count in range(len(order)):
        played, held = tuple(order[:count]), sort_hand(order[count:])
        found.append((list(held), played[-1] if played else None, arrange(held, played)))
    return found


@pytest.mark.parametrize("seed", range(5))
def test_places_are_unique_and_lie_within_the_rows(seed: int) -> None:
    for hand in hands(seed):
        for held, _card, slots in played_out(hand, seed):
            assert len(slots.slots) == len(held)
            assert len({(slot.row, slot.place) for slot in slots.slots}) == len(held)
            assert len({slot.flat for slot in slots.slots}) == len(held)
            assert all(0 <= slot.place < slots.longest and 0 <= slot.row < slots.rows for slot in slots.slots)
            assert all(0 <= slot.flat < slots.count for slot in slots.slots)
            by_place = sorted(slots.slots, key=lambda slot: (slot.row, slot.place))
            assert [slot.flat for slot in by_place] == sorted(slot.flat for slot in by_place)


@pytest.mark.parametrize("seed", range(5))
def test_rows_break_between_suits_and_a_short_hand_has_one_row(seed: int) -> None:
    for hand in hands(seed):
        for held, _card, slots in played_out(hand, seed):
            rows = {
                suit: {slot.row for card, slot in zip(held, slots.slots, strict=True) if card.suit is suit}
                for suit in SUITS
            }
            assert all(len(of) <= 1 for of in rows.values())
            if len(held) <= ONE_ROW:
                assert (slots.rows, slots.count) == (1, min(ONE_ROW, len(hand)))


@pytest.mark.parametrize("seed", range(5))
def test_a_hand_that_has_become_short_has_no_slots_of_cards_that_went_before(seed: int) -> None:
    for hand in hands(seed):
        for held, _card, slots in played_out(hand, seed):
            if ONE_ROW < len(held) <= TWO_ROWS:
                assert slots.count == min(TWO_ROWS, len(hand))
            if len(held) == TWO_ROWS:
                assert slots.longest == arrange(held, ()).longest


@pytest.mark.parametrize("seed", range(5))
def test_a_discard_alone_gives_no_new_slots(seed: int) -> None:
    for hand in hands(seed):
        discarded, held = hand[:2], sort_hand(hand[2:])

        assert arrange(held, discarded, discards=2).count == len(hand)
        if len(held) == TWO_ROWS:
            assert arrange(held[1:], (*discarded, held[0]), discards=2).count == TWO_ROWS


@pytest.mark.parametrize("seed", range(5))
def test_no_other_rows_of_whole_suits_are_more_even(seed: int) -> None:
    for hand in hands(seed):
        sizes = [sum(card.suit is suit for card in hand) for suit in SUITS]
        lengths = [sum(size for place, size in enumerate(sizes) if which >> place & 1) for which in range(32)]

        assert arrange(sort_hand(hand), ()).longest == min(
            len(hand) if len(hand) <= ONE_ROW else max(length, len(hand) - length) for length in lengths
        )


@pytest.mark.parametrize("seed", range(5))
def test_a_card_that_is_played_moves_only_cards_of_its_own_suit(seed: int) -> None:
    for hand in hands(seed):
        places: dict[tuple[Card, int], tuple[int, int, int]] = {}
        was = 0
        for held, gone, slots in played_out(hand, seed):
            now = {}
            for card, same in groupby(zip(held, slots.slots, strict=True), key=lambda pair: pair[0]):
                for number, (_card, slot) in enumerate(same):
                    now[card, number] = (slot.row, slot.place, slot.flat)
            # Twice the hand gets new slots: when two rows hold its cards side by side, and when one does.
            if was and not any(len(held) <= most < was for most in (ONE_ROW, TWO_ROWS)):
                assert gone is not None
                assert all(places[key] == place for key, place in now.items() if key[0].suit is not gone.suit)
            places, was = now, len(held)


def passed(hand: tuple[Card, ...], other: tuple[Card, ...]) -> list[Card]:
    """A hand after two of its cards were passed and two of another hand have come."""
    return sort_hand([*hand[2:], *other[:2]])


@pytest.mark.parametrize("seed", range(5))
def test_a_pass_leaves_the_suits_in_their_rows_unless_a_row_becomes_too_long(seed: int) -> None:
    kept = 0
    for setup in SETUPS:
        dealt, other = dealt_by_chance(setup.ruleset, Random(seed)).hands[:2]
        held = passed(dealt, other)

        before, slots = arrange(sort_hand(dealt), ()), arrange(held, (), dealt)

        stays = order_of(sort_hand(dealt), before) == order_of(held, slots)
        kept += stays
        assert stays or arrange(held, ()) == slots
        assert slots.longest < arrange(held, ()).longest + TOO_LONG
    assert kept > 0


def order_of(held: list[Card], slots: Arrangement) -> dict[str, int]:
    """The row of each suit, in the order of the suits, for those that the hand has."""
    by_place = sorted(zip(slots.slots, held, strict=True), key=lambda pair: pair[0].flat)
    return {card.suit.value: slot.row for slot, card in by_place}


def test_an_empty_hand_has_no_slots() -> None:
    assert arrange((), ()).slots == ()

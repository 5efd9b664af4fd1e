"""Where the cards of a hand stand while the tricks of a round are played."""

from __future__ import annotations

from collections import Counter
from itertools import groupby
from random import Random

import pytest

from games.pages.digital.slots import ONE_ROW, TOO_LONG, Arrangement, arrange
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
            assert all(0 <= slot.place < slots.longest and 0 <= slot.row < 2 for slot in slots.slots)
            assert all(0 <= slot.flat < slots.count for slot in slots.slots)
            by_place = sorted(slots.slots, key=lambda slot: (slot.row, slot.place))
            assert [slot.flat for slot in by_place] == sorted(slot.flat for slot in by_place)


@pytest.mark.parametrize("seed", range(5))
def test_the_order_of_the_suits_stays_for_a_whole_round_and_their_row_until_one_holds_all(seed: int) -> None:
    for hand in hands(seed):
        dealt = order_of(sort_hand(hand), arrange(sort_hand(hand), ()))
        for held, _card, slots in played_out(hand, seed):
            left = {card.suit.value for card in held}
            is_one = len(held) <= ONE_ROW < len(hand)
            expected = [(suit, 1 if is_one else row) for suit, row in dealt.items() if suit in left]
            assert list(order_of(held, slots).items()) == expected


@pytest.mark.parametrize("seed", range(5))
def test_empty_slots_are_closed_as_soon_as_both_rows_are_short(seed: int) -> None:
    for hand in hands(seed):
        counts = []
        for held, _card, slots in played_out(hand, seed):
            rows = Counter(slot.row for slot in slots.slots)
            is_short = max(rows.values()) <= ONE_ROW
            assert slots.longest <= ONE_ROW if is_short else slots.count == len(hand)
            counts.append(slots.count if is_short else len(hand))
            assert slots.count >= len(held)
        assert len(set(counts)) <= 3


@pytest.mark.parametrize("seed", range(5))
def test_a_discard_alone_gives_no_new_slots(seed: int) -> None:
    for hand in hands(seed):
        whole = arrange(sort_hand(hand), ())
        for discards in range(1, len(hand)):
            gone, held = hand[:discards], sort_hand(hand[discards:])
            slots = arrange(held, gone, discards=discards)
            assert (slots.upper, slots.count) == (whole.upper, whole.count)


@pytest.mark.parametrize("seed", range(5))
def test_the_first_card_after_a_discard_closes_the_slots_of_what_was_discarded(seed: int) -> None:
    for hand in hands(seed):
        for discards in (1, 2):
            gone, held = hand[: discards + 1], sort_hand(hand[discards + 1 :])
            assert len(held) <= arrange(held, gone, discards=discards).count <= len(held) + 1


@pytest.mark.parametrize("seed", range(5))
def test_six_cards_have_one_row_and_those_that_are_left_stay_there(seed: int) -> None:
    for hand in hands(seed):
        for held, _card, slots in played_out(hand, seed):
            if len(held) <= ONE_ROW < len(hand):
                assert (slots.upper, slots.count) == (0, ONE_ROW)


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
            # Once the empty slots are closed.
            if slots.count == was:
                assert gone is not None
                assert all(places[key] == place for key, place in now.items() if key[0].suit is not gone.suit)
            places, was = now, slots.count


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

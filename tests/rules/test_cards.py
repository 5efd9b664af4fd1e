"""RULES.md section 1.1: suits and cards, and how they are written."""

from itertools import permutations

import pytest

from games.rules import EDITIONS, Card, Suit, parse_hand
from games.rules.cards import CARDS, sort_hand
from games.rules.errors import UnknownCard


@pytest.mark.parametrize(
    ("text", "suit", "rank"),
    [("red-7", Suit.RED, 7), ("black-0", Suit.BLACK, 0), ("yellow-9", Suit.YELLOW, 9), ("green-1", Suit.GREEN, 1)],
)
def test_a_card_is_written_as_its_suit_and_rank(text: str, suit: Suit, rank: int) -> None:
    card = Card.parse(text)

    written = str(card)

    assert (card.suit, card.rank, written) == (suit, rank, text)


@pytest.mark.parametrize(("compact", "text"), [("K0", "black-0"), ("B5", "blue-5"), ("R9", "red-9"), ("G1", "green-1")])
def test_the_compact_notation_is_that_of_the_tables_with_k_for_black(compact: str, text: str) -> None:
    card = Card.parse(compact)

    written = str(card), card.compact

    assert written == (text, compact)


@pytest.mark.parametrize(
    "text", ["", "red", "red-", "red-14", "red--1", "pink-1", "RED-7", "red-07", "red 7", "r7", "B", "X1", "red-7 "]
)
def test_what_is_no_card_is_refused(text: str) -> None:
    with pytest.raises(UnknownCard) as refusal:
        Card.parse(text)

    assert (refusal.value.code, refusal.value.params) == ("unknown_card", {"card": text})


def test_identical_cards_are_equal() -> None:
    first, second = Card.parse("red-7"), Card.of(Suit.RED, 7)

    different = {first, second, Card.parse("red-6"), Card.parse("blue-7")}

    assert first == second
    assert len(different) == 3


def test_a_hand_is_a_multiset() -> None:
    hand = parse_hand("R7 K0 R7 K0 K0")

    counts = {card.compact: hand.count(card) for card in hand}

    assert counts == {"R7": 2, "K0": 3}


def test_the_order_of_a_hand_does_not_betray_the_deal() -> None:
    cards = parse_hand("R7 K0 B3 Y9")

    sorted_hands = {sort_hand(dealt) for dealt in permutations(cards)}

    assert sorted_hands == {cards}


def test_hands_are_sorted_by_suit_in_the_order_of_the_board_and_by_rank() -> None:
    hand = parse_hand("Y0 B9 B2 R1 K5 G3")

    written = " ".join(card.compact for card in hand)

    assert written == "R1 K5 B2 B9 Y0 G3"


def test_every_card_of_every_deck_has_one_index_and_one_spelling() -> None:
    decks = [edition.deck(players=4, removal=None) for edition in EDITIONS.values()]

    cards = {card for deck in decks for card in deck}

    assert len(CARDS) == len({card.index for card in CARDS}) == len({str(card) for card in CARDS}) == 70
    assert all(CARDS[card.index] == Card.parse(str(card)) == Card.parse(card.compact) == card for card in cards)

"""The deal of a seed: everybody can do it again, and no order of the deck is favoured."""

from __future__ import annotations

import hashlib
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.rules import PRESETS, Card, Ruleset, Setup, parse_hand
from games.rules.cards import sort_hand
from games.rules.dealing import Form, _below, commitment_of, form_of, hands_of, shuffled
from tests.builders import english
from tests.strategies import setups

SEED = "5eed" * 16


def by_the_description(deck: list[Card], seed: str) -> list[Card]:
    """The shuffle as the head of `dealing.py` tells it, written again."""
    numbers: list[int] = []
    for counter in range(100):
        block = hashlib.sha256(f"{seed}:{counter}".encode("ascii")).hexdigest()
        numbers += [int(block[start : start + 8], 16) for start in range(0, 64, 8)]
    order = list(deck)
    for last in reversed(range(1, len(order))):
        while (number := numbers.pop(0)) >= 2**32 // (last + 1) * (last + 1):
            pass
        order[last], order[number % (last + 1)] = order[number % (last + 1)], order[last]
    return order


@given(setups(), st.integers(0, 2**256 - 1).map(lambda number: f"{number:064x}"))
def test_a_seed_deals_the_whole_deck_as_the_description_says(setup: Setup, seed: str) -> None:
    ruleset = setup.ruleset
    order = by_the_description(list(ruleset.deck()), seed)

    hands = hands_of(ruleset, seed)

    each = ruleset.dealt
    assert hands == tuple(sort_hand(order[seat * each :][:each]) for seat in range(ruleset.players))
    assert not Counter(card for hand in hands for card in hand) - Counter(ruleset.deck())


def test_a_seed_always_deals_the_same_hands() -> None:
    """A log names its deals by hands and seed: a new shuffle would make every old game impossible."""
    hands = hands_of(english(2).ruleset, SEED)

    assert hands == (
        parse_hand("R0 R6 R7 R7 K0 K7 K7 B0 B5 B8 B9 Y0 Y2 Y6 Y9"),
        parse_hand("R0 R4 K3 K5 K6 B0 B0 B1 B3 B4 B7 B7 Y4 Y7 Y8"),
    )


def test_different_seeds_deal_different_hands() -> None:
    ruleset = english(4).ruleset

    deals = {hands_of(ruleset, f"{number:064x}") for number in range(50)}

    assert len(deals) == 50


@pytest.mark.parametrize("preset", PRESETS)
def test_every_card_lies_at_every_place_about_equally_often(preset: str) -> None:
    deck = Ruleset.of(preset, 4).deck()[:5]  # few cards, so that a few deals show much
    tries = 1000

    places = Counter(
        (place, card) for number in range(tries) for place, card in enumerate(shuffled(deck, f"{preset}{number}"))
    )

    for card in set(deck):
        expected = tries * deck.count(card) / len(deck)
        for place in range(len(deck)):
            assert abs(places[place, card] - expected) < 5 * expected**0.5


def test_a_number_that_would_favour_some_places_is_thrown_away() -> None:
    largest = 2**32 - 1  # the range has one number more than a multiple of three

    assert _below(3, iter([largest, largest - 1])) == (largest - 1) % 3
    assert _below(2, iter([largest])) == 1


def test_a_commitment_is_the_hash_of_game_round_and_seed() -> None:
    commitment = commitment_of(SEED, game_id="k3mq7x2p", round_number=2)

    assert commitment == hashlib.sha256(f"njet-deal-2:k3mq7x2p:2:{SEED}".encode()).hexdigest()


def test_a_commitment_holds_for_one_seed_game_and_round() -> None:
    named = commitment_of(SEED, game_id="k3mq7x2p", round_number=2)
    older = hashlib.sha256(SEED.encode()).hexdigest()

    assert form_of(named, SEED, game_id="k3mq7x2p", round_number=2) is Form.NAMED
    assert form_of(older, SEED, game_id="k3mq7x2p", round_number=2) is Form.SEED
    assert form_of(named, SEED, game_id="k3mq7x2p", round_number=3) is None
    assert form_of(named, SEED, game_id="another0", round_number=2) is None
    assert form_of(named, "5eee" * 16, game_id="k3mq7x2p", round_number=2) is None

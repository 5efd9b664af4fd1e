"""The trick rules on integers against the rules themselves: the same tricks in random games."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.fast_tricks.position import Position
from games.fast_tricks.tables import Tables, bits, tables_of
from games.rules.actions import Play
from games.rules.board import Conditions
from games.rules.cards import SUITS, Card
from games.rules.full import FullState
from games.rules.rounds import Phase
from games.rules.ruleset import Ruleset
from games.rules.tricks import TrickRules
from tests.bots.positions import CHANGES, TABLES, random_game, rulesets


@given(st.sampled_from(TABLES), st.sampled_from(CHANGES), st.randoms(use_true_random=False))
def test_law_a_position_plays_every_round_as_the_rules_do(
    table: tuple[str, int], changed: dict[str, object], rng: Random
) -> None:
    states = list(random_game(*table, rng, **changed))
    begun = next(place for place, state in enumerate(states) if state.public.phase is Phase.TRICKS)
    position, tables = position_of(states[begun])

    for state, following in zip(states[begun:], [*states[begun + 1 :], None], strict=True):
        (due,) = state.acting_seats
        legal = tables.hand_of(tables.different(position.legal))
        assert position.seat == due
        assert tuple(map(Play, legal)) == state.legal_actions(due)
        assert [tables.hand_of(hand) for hand in position.hands] == list(state.hands)
        card = rng.choice(legal) if following is None else played(state, following)
        position.play(lowest(tables.copies[card] & position.legal))
        over = state.apply(Play(card)) if following is None else following

    (done,) = over.public.finished
    assert [(won.tricks, won.captured) for won in done.won] == list(
        zip(position.tricks, position.captured, strict=True)
    )
    assert position.legal == 0


def position_of(state: FullState) -> tuple[Position, Tables]:
    """The position at the beginning of the tricks."""
    current = state.public.current
    assert current is not None
    assert current.conditions is not None
    assert current.teams is not None
    tables = tables_of(state.public.ruleset, current.conditions.trump, current.conditions.supertrump)
    return Position.of(tables, current.teams, current.conditions.start, state.hands), tables


def played(before: FullState, after: FullState) -> Card:
    """The card that was played between two states of a round."""
    (due,) = before.acting_seats
    kept = list(after.hands[due])
    return next(card for card in before.hands[due] if card not in kept or kept.remove(card) is not None)


def lowest(mask: int) -> int:
    return mask & -mask


def test_legal_cards_are_those_of_the_rules() -> None:
    rng = Random(1)
    for ruleset in rulesets():
        for _ in range(3):
            suits = (*ruleset.edition.suits, None)
            trump, supertrump = rng.choice(suits), rng.choice(suits)
            rules = TrickRules.of(ruleset, Conditions(0, "njet", trump, supertrump, 1))
            tables = tables_of(ruleset, trump, supertrump)
            led, *hand = rng.sample(bits(tables.everything), rng.randrange(2, 9))

            legal = tables.legal(sum(hand), led)

            by_the_rules = rules.legal_cards(tables.hand_of(sum(hand)), tables.card_of(led))
            assert {tables.card_of(bit) for bit in bits(legal)} == set(by_the_rules)


def test_bits_are_ordered_by_worth() -> None:
    tables = tables_of(Ruleset.of("njet-english", 4), SUITS[1], SUITS[2])

    compact = [card.compact for card in tables.cards]

    assert compact[0] == "R0"
    assert compact[-3:] == ["B0", "B0", "B0"]
    assert compact[-4] == "K9"
    assert tables.mask_of([tables.cards[-1]] * 3) == tables.copies[tables.cards[-1]]


@pytest.mark.parametrize("taken", [0, 1, 3])
def test_identical_cards_get_different_bits(taken: int) -> None:
    tables = tables_of(Ruleset.of("njet-english", 4), None, None)
    copies = bits(tables.copies[Card.parse("red-7")])

    named = tables.mask_of([Card.parse("red-7")], taken=sum(copies[:taken]))

    assert named == copies[taken]

"""Covered spaces tell about hands, and guesses follow them."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from games.bots.knowledge import knowledge_of
from games.bots.placements import odds_of
from games.bots.sampling import Guesses, deal
from games.rules.cards import Card
from games.rules.redaction import view_for
from games.rules.teams import Teams
from tests.bots.judged import judged
from tests.bots.positions import dealt, digital
from tests.bots.test_decide import due

BLACK_ZERO, RED_ZERO, RED_SEVEN, BLUE_NINE = (Card.parse(name) for name in ("K0", "R0", "R7", "B9"))


def test_before_the_first_marker_every_card_is_as_likely_anywhere() -> None:
    view = due(dealt(digital("njet-english", 4), Random(1)))

    assert all(set(odds.values()) == {1.0} for odds in odds_of(view))


def test_markers_make_cards_likelier_and_less_likely() -> None:
    # Seat 1 covered the yellow, blue and red super trumps and 2 points; seat 2 yellow trump, seat 3 red trump.
    view = next(position for position in judged() if position.name == "the partner who covered zeros").view()

    _, first, second, third = odds_of(view)

    assert first[BLACK_ZERO] > 1 > first[RED_ZERO]
    assert third[RED_SEVEN] < second[RED_SEVEN] == 1.0
    assert third[BLUE_NINE] < 1.0


def test_hidden_hands_read_no_differently_for_what_they_hold() -> None:
    state = dealt(digital("njet-english", 4), Random(2))
    swapped = replace(state, hands=(state.hands[0], state.hands[2], state.hands[1], state.hands[3]))

    assert odds_of(view_for(state, 0)) == odds_of(view_for(swapped, 0))


def test_guesses_follow_the_markers() -> None:
    view = next(position for position in judged() if position.name == "the partner who covered zeros").view()
    knowledge, rng = knowledge_of(view), Random(3)
    zeros = knowledge.tables.copies[BLACK_ZERO] & knowledge.unseen

    held = [0] * 4
    for _ in range(300):
        for holder, mask in zip(knowledge.holders, deal(knowledge, rng), strict=True):
            assert holder.seat is not None
            held[holder.seat] += (mask & zeros).bit_count()

    assert held[1] > 1.3 * held[2]
    assert held[1] > 1.3 * held[3]


def test_the_chain_of_guesses_keeps_to_the_odds() -> None:
    view = next(position for position in judged() if position.name == "the partner who covered zeros").view()
    current = view.public.current
    assert current is not None
    named = replace(view.public, current=replace(current, teams=Teams((0, 2), (1, 3), None)))
    knowledge = knowledge_of(replace(view, public=named))
    guesses, zeros = Guesses(knowledge, Random(4)), knowledge.tables.copies[BLACK_ZERO]

    held = [0] * 4
    for _ in range(2000):
        guesses.move(6)
        for seat, hand in enumerate(guesses.hands()):
            held[seat] += (hand & zeros).bit_count()

    assert held[1] > 1.3 * held[2]

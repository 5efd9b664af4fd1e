"""What a view tells about hidden cards is true, and every guess respects it."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from games.bots.knowledge import Choice, Knowledge, knowledge_of
from games.bots.sampling import Guesses, deal, play_likelihood
from games.fast_tricks.tables import bits, tables_of
from games.rules.board import Conditions
from games.rules.cards import Card, parse_hand
from games.rules.full import FullState
from games.rules.redaction import view_for
from games.rules.rounds import Phase
from games.rules.ruleset import Ruleset
from tests.bots.positions import CHANGES, TABLES, random_game

SETTLED = (Phase.TEAMS, Phase.DISCARDING, Phase.PASSING, Phase.TRICKS)


def some_states(preset: str, players: int, rng: Random, **options: object) -> list[FullState]:
    """A few states of a random round after its board was settled."""
    states = [state for state in random_game(preset, players, rng, **options) if state.public.phase in SETTLED]
    return rng.sample(states, 5)


def assert_true(knowledge: Knowledge, state: FullState) -> None:
    tables = knowledge.tables
    assert sum(holder.room for holder in knowledge.holders) == knowledge.unseen.bit_count()
    for holder in knowledge.holders:
        if holder.seat is None:
            assert holder.room == len(state.aside)
        elif holder.discard:
            assert holder.room == len(state.discarded[holder.seat])
        else:
            sure = Counter(tables.hand_of(knowledge.sure[holder.seat]))
            held = Counter(state.hands[holder.seat])
            assert sure <= held
            assert holder.room == (held - sure).total()
            assert not any(tables.copies[card] & holder.barred for card in held)


def assert_possible(knowledge: Knowledge, dealt: list[int]) -> None:
    assert sum(dealt) == knowledge.unseen
    for holder, mask in zip(knowledge.holders, dealt, strict=True):
        assert mask.bit_count() == holder.room
        assert not mask & holder.barred


@pytest.mark.parametrize(("preset", "players"), TABLES)
def test_what_is_known_is_true_and_guesses_respect_it(preset: str, players: int) -> None:
    rng = Random(f"{preset} {players}")
    for changed in CHANGES:
        for state in some_states(preset, players, rng, **changed):
            knowledge = knowledge_of(view_for(state, state.acting_seats[0]))

            assert_true(knowledge, state)
            assert_possible(knowledge, deal(knowledge, rng))
            if state.public.phase is Phase.TRICKS:
                guesses = Guesses(knowledge, rng)
                guesses.move(20)
                assert_possible(knowledge, guesses.dealt)
                assert sum(guesses.hands()) | knowledge.unseen == sum(guesses.hands()) | sum(guesses.dealt)


def test_who_did_not_follow_holds_nothing_of_that_suit() -> None:
    rng = Random(2)
    barred = 0
    for state in random_game("njet-english", 4, rng):
        if state.public.phase is Phase.TRICKS:
            knowledge = knowledge_of(view_for(state, state.acting_seats[0]))
            barred += sum(holder.barred.bit_count() for holder in knowledge.holders)

    assert barred


def test_passed_cards_are_known_to_lie_at_the_right_neighbour() -> None:
    state = passing_round(Random(3))
    knowledge = knowledge_of(view_for(state, state.acting_seats[0]))

    right = (knowledge.seat - 1) % 4

    assert knowledge.tables.hand_of(knowledge.sure[right]) == state.passed[knowledge.seat]


def test_cards_that_go_to_the_left_are_known_to_lie_there() -> None:
    state = passing_round(Random(3), "nyet-iello")
    knowledge = knowledge_of(view_for(state, state.acting_seats[0]))

    left = (knowledge.seat + 1) % 4

    assert knowledge.tables.hand_of(knowledge.sure[left]) == state.passed[knowledge.seat]


def passing_round(rng: Random, preset: str = "njet-english") -> FullState:
    """A round with passing before its first trick."""
    while True:
        for state in random_game(preset, 4, rng):
            if state.public.phase is Phase.TRICKS:
                assert state.public.current is not None
                conditions = state.public.current.conditions
                if conditions is not None and conditions.exchange.to:
                    return state
                break


def test_a_full_hand_makes_room_by_moving_a_card_on() -> None:
    """Two holders, one of which may not hold the suits that few other cards belong to."""
    rng = Random(4)
    for state in random_game("goldsieber-dutch", 4, rng):
        if state.public.phase is Phase.TRICKS and state.public.current and len(state.public.current.tricks) > 4:
            knowledge = knowledge_of(view_for(state, state.acting_seats[0]))
            for _ in range(50):
                assert_possible(knowledge, deal(knowledge, rng))
    assert isinstance(knowledge.conditions, Conditions)
    assert bits(knowledge.tables.mask_of(parse_hand("R9")))


def test_who_has_played_sensible_cards_is_trusted_to_go_on() -> None:
    tables = tables_of(Ruleset.of("njet-english", 4), None, None)
    led, answers = tables.mask_of(parse_hand("R5")), parse_hand("R1 R9")
    hand = tables.mask_of(answers)

    def choice(card: Card) -> Choice:
        """On the opponents' red 5 the boss is sensible, the 1 is not."""
        return Choice(1, tables.copies[card], hand, led, led, tables.beats[led], ours=False, threatened=False)

    def gain(before: list[Choice]) -> float:
        sensible, other = ([*before, choice(card)] for card in (answers[1], answers[0]))
        return play_likelihood(tables, sensible, 0, True) - play_likelihood(tables, other, 0, True)

    assert gain([choice(answers[1])] * 4) > gain([]) > gain([choice(answers[0])] * 4)

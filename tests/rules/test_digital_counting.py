"""All lines of play from small positions, counted by the states and by a program that shares no code with them.

The other program was written from RULES.md sections 4 and 5 alone.  Its cards are two characters, its hands are lists.
"""

from __future__ import annotations

from collections import Counter
from itertools import product
from random import Random

import pytest

from games.rules.full import FullState
from tests.builders import english, in_tricks

Outcome = tuple[tuple[int, ...], tuple[int, ...]]
"""Tricks and captured cards, by seat."""


# --- from the text of the rules alone ---


class Rules:
    """`trump`, `supertrump`: the letter of a suit, or nothing.  `pairs`: who plays with whom."""

    def __init__(self, trump: str, supertrump: str, reading: str, *, must_trump: bool, everyone: bool, pairs) -> None:
        self.trump, self.supertrump, self.reading = trump, supertrump, reading
        self.must_trump, self.everyone, self.pairs = must_trump, everyone, pairs

    def high(self, card: str) -> bool:
        """A trump or super trump."""
        return card[0] == self.trump or card == self.supertrump + "0"

    def playable(self, hand: list[str], led: str) -> list[str]:
        if self.reading == "own_suit":
            following = [card for card in hand if card[0] == led[0]]
        elif self.high(led):
            following = [card for card in hand if self.high(card)]
        else:
            following = [card for card in hand if card[0] == led[0] and not self.high(card)]
            if following and self.reading == "trump_or_own":
                following += [card for card in hand if card[0] == led[0] and self.high(card)]
        if following:
            return following
        high = [card for card in hand if self.high(card)]
        return high if high and self.must_trump else hand

    def winner(self, trick: list[str]) -> int:
        def key(place: int) -> tuple[int, int, int]:
            card = trick[place]
            if card == self.supertrump + "0":
                return 3, 0, place
            if card[0] == self.trump:
                return 2, int(card[1]), place
            return (1, int(card[1]), place) if card[0] == trick[0][0] else (0, 0, 0)

        return max(range(len(trick)), key=key)

    def captured(self, trick: list[str], leader: int) -> int:
        seats = [(leader + place) % len(trick) for place in range(len(trick))]
        winner = seats[self.winner(trick)]
        return sum(
            card[1] == "0" and (self.everyone or self.pairs[seat] != self.pairs[winner])
            for seat, card in zip(seats, trick, strict=True)
        )


def lines_of(rules: Rules, hands: list[list[str]], leader: int, trick: list[str], outcome: Outcome) -> Counter[Outcome]:
    """How many lines of play lead to each outcome."""
    if len(trick) == len(hands):
        tricks, captured = list(outcome[0]), list(outcome[1])
        winner = (leader + rules.winner(trick)) % len(hands)
        tricks[winner] += 1
        captured[winner] += rules.captured(trick, leader)
        return lines_of(rules, hands, winner, [], (tuple(tricks), tuple(captured)))
    seat = (leader + len(trick)) % len(hands)
    if not hands[seat]:
        return Counter({outcome: 1})
    found: Counter[Outcome] = Counter()
    for card in set(rules.playable(hands[seat], trick[0]) if trick else hands[seat]):
        left = [list(hand) for hand in hands]
        left[seat].remove(card)
        found += lines_of(rules, left, leader, [*trick, card], outcome)
    return found


# --- by the states ---


def lines_from(state: FullState) -> Counter[Outcome]:
    """How many lines of play lead to each outcome."""
    if state.public.finished:
        (done,) = state.public.finished
        return Counter({(tuple(won.tricks for won in done.won), tuple(won.captured for won in done.won)): 1})
    (seat,) = state.acting_seats
    found: Counter[Outcome] = Counter()
    for action in state.legal_actions(seat):
        found += lines_from(state.apply(action, seat=seat))
    return found


# --- positions ---

SUITS = {"": "njet", "R": "red", "K": "black", "B": "blue"}
TEAMS = {2: None, 3: "team 2 monster 1", 4: "team 2", 5: "team 2 monster 0"}
PAIRS = {2: "ab", 3: "aba", 4: "abab", 5: "ababb"}
SIZES = {2: 4, 3: 3, 4: 2, 5: 2}


def dealt(players: int, random: Random) -> list[list[str]]:
    """Small hands with many zeros and equal cards in few suits.  With three players a suit has one 7 alone."""
    ranks = "000134579" if players == 3 else "000577779"
    deck = [f"{suit}{rank}" for suit, rank in product("RKB", ranks)]
    random.shuffle(deck)
    return [[deck.pop() for _ in range(SIZES[players])] for _ in range(players)]


def both_counts(rules: Rules, players: int, random: Random) -> tuple[Counter[Outcome], Counter[Outcome]]:
    hands = dealt(players, random)
    setup = english(
        players,
        supertrump_suit=rules.reading,
        must_trump_when_void=rules.must_trump,
        captured_from="everyone" if rules.everyone else "opponents",
    )
    conditions = f"0 njet {SUITS[rules.trump]} {SUITS[rules.supertrump]} 2"
    state = in_tricks(setup, conditions, TEAMS[players], *(" ".join(hand) for hand in hands))
    return lines_from(state), lines_of(rules, hands, 0, [], ((0,) * players, (0,) * players))


@pytest.mark.slow
@pytest.mark.parametrize("must_trump", [False, True], ids=["may", "must"])
@pytest.mark.parametrize("supertrump", ["", "B", "K"], ids=lambda suit: f"super {SUITS[suit]}")
@pytest.mark.parametrize("trump", ["", "K"], ids=lambda suit: f"trump {SUITS[suit]}")
@pytest.mark.parametrize("reading", ["own_suit", "trump_or_own", "trump"])
def test_there_are_as_many_lines_of_play_as_the_rules_give(
    reading: str, trump: str, supertrump: str, must_trump: bool
) -> None:
    random = Random(f"{reading} {trump} {supertrump} {must_trump}")
    for players in (2, 3, 4, 5):
        rules = Rules(
            trump, supertrump, reading, must_trump=must_trump, everyone=random.random() < 0.3, pairs=PAIRS[players]
        )
        for _ in range(2):
            counted, by_the_text = both_counts(rules, players, random)
            assert counted == by_the_text
            assert counted.total() >= 1


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(60))
def test_there_are_as_many_lines_of_play_from_many_positions(seed: int) -> None:
    random = Random(seed)
    players = random.choice((2, 3, 4, 5))
    rules = Rules(
        random.choice(("", "K", "R")),
        random.choice(("", "B", "K", "R")),
        random.choice(("own_suit", "trump_or_own", "trump")),
        must_trump=random.random() < 0.5,
        everyone=random.random() < 0.3,
        pairs=PAIRS[players],
    )

    for _ in range(10):
        counted, by_the_text = both_counts(rules, players, random)
        assert counted == by_the_text

"""The deal of a seed (RULES.md section 3.1), so that anyone can check a shuffle afterwards.

Must not know: where the seed comes from, nor who may see it.

The seed is 256 bits of the server's randomness, written in hex.  Its hash is shown with the deal, the seed itself when
the game is over.  To check a deal: sort the deck (`Ruleset.deck`), shuffle it by Fisher and Yates from its end with
numbers from SHA-256 of "seed:counter", rejecting what would favour some; seat 0 gets the first cards, seat 1 the next.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

from games.rules.cards import Card, sort_hand
from games.rules.ruleset import Ruleset


def commitment_of(seed: str) -> str:
    """The hash that is shown while the seed is still secret."""
    return hashlib.sha256(seed.encode()).hexdigest()


def hands_of(ruleset: Ruleset, seed: str) -> tuple[tuple[Card, ...], ...]:
    """The hands by seat, each sorted: the order of a hand reveals nothing."""
    deck = shuffled(ruleset.deck(), seed)
    each = ruleset.dealt
    return tuple(sort_hand(deck[seat * each : (seat + 1) * each]) for seat in range(ruleset.players))


def shuffled(cards: tuple[Card, ...], seed: str) -> tuple[Card, ...]:
    """The cards in the order of a seed; every order is equally likely for a random one."""
    deck, numbers = list(cards), _numbers(seed)
    for last in range(len(deck) - 1, 0, -1):
        place = _below(last + 1, numbers)
        deck[last], deck[place] = deck[place], deck[last]
    return tuple(deck)


def _below(limit: int, numbers: Iterator[int]) -> int:
    """The next number below a limit: those from the incomplete last stretch of the range are thrown away."""
    fair = _RANGE - _RANGE % limit
    return next(number for number in numbers if number < fair) % limit


def _numbers(seed: str) -> Iterator[int]:
    counter = 0
    while True:
        block = hashlib.sha256(f"{seed}:{counter}".encode()).digest()
        for start in range(0, len(block), 4):
            yield int.from_bytes(block[start : start + 4], "big")
        counter += 1


_RANGE = 2**32

"""The deal of a seed, and its commitment (RULES.md section 7.3), so that anyone can check a deal afterwards.

Must not know: where the seed comes from, nor who may see it.

The seed is 256 bits of the server's randomness, written in hex.  The commitment is shown with the deal, the seed itself
when the game is over.  To check a deal: compute the commitment again (`Form`); sort the deck (`Ruleset.deck`), shuffle
it by Fisher and Yates from its end with numbers from SHA-256 of "seed:counter", rejecting what would favour some; seat
0 gets the first cards, seat 1 the next.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from enum import StrEnum

from games.rules.cards import Card, sort_hand
from games.rules.ruleset import Ruleset


class Form(StrEnum):
    """What a commitment is the SHA-256 of; games of earlier versions have those of a seed alone."""

    NAMED = "njet-deal-2:{game_id}:{round_number}:{seed}"
    SEED = "{seed}"

    def text(self, seed: str, *, game_id: str, round_number: int) -> str:
        """What is hashed."""
        return self.value.format(game_id=game_id, round_number=round_number, seed=seed)

    def of(self, seed: str, *, game_id: str, round_number: int) -> str:
        """The commitment in hex."""
        return hashlib.sha256(self.text(seed, game_id=game_id, round_number=round_number).encode()).hexdigest()


def commitment_of(seed: str, *, game_id: str, round_number: int) -> str:
    """What is shown while the seed is still secret.  It names the deal: it cannot be shown as that of another."""
    return Form.NAMED.of(seed, game_id=game_id, round_number=round_number)


def form_of(commitment: str, seed: str, *, game_id: str, round_number: int) -> Form | None:
    """The form in which a commitment holds, None if the seed or the commitment is another one."""
    return next(
        (form for form in Form if form.of(seed, game_id=game_id, round_number=round_number) == commitment), None
    )


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

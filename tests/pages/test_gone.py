"""What has been played, by suit: the complete tricks and the reader's own discards, and nothing that is hidden."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random

import pytest

from games.pages.digital.cards import GoneLine, cards_gone
from games.rules import Card
from games.rules.full import FullState
from games.rules.redaction import view_for
from tests.builders import dealt_by_chance, digital, dutch, english, italian

SETUPS = [english(2, rounds=2), english(4), english(5), dutch(3), italian()]


def states(number: int) -> Iterator[FullState]:
    """Every state of a round that is decided by chance, from the deal on."""
    chance, setup = Random(number), digital(SETUPS[number % len(SETUPS)])
    state = FullState.start(setup).apply(dealt_by_chance(setup.ruleset, chance))
    while not state.public.finished:
        yield state
        seat = state.acting_seats[0]
        state = state.apply(chance.choice(state.legal_actions(seat)), seat=seat)


def counted(lines: list[GoneLine]) -> Counter[tuple[str, int]]:
    """How often each suit and rank is named."""
    found: Counter[tuple[str, int]] = Counter()
    for line in lines:
        for named in line.ranks.split(", ") if line.ranks != "–" else []:
            rank, _times, count = named.partition(" ×")
            found[line.suit, int(rank)] += int(count or 1)
    return found


def named(cards: Counter[Card]) -> Counter[tuple[str, int]]:
    return Counter({(card.suit.value, card.rank): count for card, count in cards.items() if count})


@pytest.mark.parametrize("number", range(10))
def test_it_counts_what_is_neither_held_nor_open_nor_discarded_by_others(number: int) -> None:
    dealt: Counter[Card] = Counter()
    seen = 0
    for state in states(number):
        current = state.public.current
        assert current is not None
        dealt = dealt or Counter(card for hand in state.hands for card in hand)
        for seat in (*range(state.public.players), None):
            lines = cards_gone(view_for(state, seat))
            if not current.tricks:
                assert lines == []
                continue
            held = [card for hand in state.hands for card in hand]
            others = [card for other, cards in enumerate(state.discarded) if other != seat for card in cards]
            assert counted(lines) == named(dealt - Counter([*held, *current.table, *others]))
            seen += 1
    assert seen

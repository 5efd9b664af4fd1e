"""Guesses which hand holds each unseen card.

Must not know: the true hands.

Every guess respects what is certain.  Beyond that, guesses under which the others would have played as they did are
the likelier ones: a chain of exchanges of two cards, accepted by the rule of Metropolis, samples them.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from operator import mul
from random import Random

from games.bots.knowledge import Choice, Knowledge
from games.bots.policy import cards_to_discard, follow, lead
from games.fast_tricks.tables import Tables, bits

KINDS = ((0.1, 0.05), (0.45, 0.7), (0.45, 1.0))
"""Kinds of players: how frequent they are, and how often they play any card instead of the sensible one.

An easy bot always plays the sensible card, a strong one in half of its choices.  What a seat has played so far tells
which kind it is.
"""

MOVES = 6
"""How many exchanges lie between two guesses that are played out."""

FIRST_MOVES = 60
"""How many exchanges the chain of guesses gets before the first."""

EAGERNESS = 1.5
"""How strongly a discard is taken to be the sensible one: the logarithm of the odds for each card."""


def deal(knowledge: Knowledge, rng: Random) -> list[int]:
    """One possible distribution of the unseen cards: a mask for each holder.

    Cards that few may hold come first; each goes to a holder with a chance proportional to the room left there and to
    the odds of its holding the card.
    """
    holders = knowledge.holders
    cards = bits(knowledge.unseen)
    rng.shuffle(cards)
    # Before the first trick no card is barred from any hand.
    anywhere = list(range(len(holders)))
    allowed = dict.fromkeys(cards, anywhere)
    if any(holder.barred for holder in holders):
        # In an order of chance: `_make_room` asks the first holders first, which must not always be the same seats.
        rng.shuffle(anywhere)
        allowed = {card: [h for h in anywhere if not card & holders[h].barred] for card in cards}
        cards.sort(key=lambda card: len(allowed[card]))
    odds = [holder.odds for holder in holders]
    room = [holder.room for holder in holders]
    dealt = [0] * len(holders)
    for card in cards:
        shares = [room[h] * odds[h][card] for h in allowed[card]]
        ticket = rng.random() * sum(shares)
        for h, share in zip(allowed[card], shares, strict=True):
            ticket -= share
            if ticket < 0:
                dealt[h] |= card
                room[h] -= 1
                break
        else:
            _make_room(card, allowed, dealt, room, set())
    return dealt


def _make_room(card: int, allowed: dict[int, list[int]], dealt: list[int], room: list[int], asked: set[int]) -> bool:
    """Give a card to a holder that is full, by moving another card on: an augmenting path."""
    for h in allowed[card]:
        if h in asked:
            continue
        asked.add(h)
        if room[h]:
            dealt[h] |= card
            room[h] -= 1
            return True
        for other in bits(dealt[h]):
            dealt[h] ^= other
            if _make_room(other, allowed, dealt, room, asked):
                dealt[h] |= card
                return True
            dealt[h] |= other
    return False


class Guesses:
    """A chain of guesses, each a little different from the one before."""

    def __init__(self, knowledge: Knowledge, rng: Random) -> None:
        self._knowledge = knowledge
        self._rng = rng
        self._holders = knowledge.holders
        self.dealt = deal(knowledge, rng)
        self._movable = [h for h, holder in enumerate(self._holders) if holder.room]
        self._choices: dict[int, list[Choice]] = {}
        for choice in knowledge.choices:
            self._choices.setdefault(choice.seat, []).append(choice)
        self._discards = {holder.seat: h for h, holder in enumerate(self._holders) if holder.discard}
        self._hands = {holder.seat: h for h, holder in enumerate(self._holders) if not holder.discard}
        self._likely = {seat: self._likelihood(seat) for seat in self._hands}

    def hands(self) -> list[int]:
        """All hands, by seat, of the present guess."""
        return self._knowledge.hands(self.dealt)

    def move(self, times: int) -> None:
        """Try `times` exchanges."""
        if len(self._movable) < 2:
            return
        for _ in range(times):
            self._exchange()

    def _exchange(self) -> None:
        rng, dealt, holders = self._rng, self.dealt, self._holders
        a, b = rng.sample(self._movable, 2)
        first, second = _any(dealt[a], rng), _any(dealt[b], rng)
        if first & holders[b].barred or second & holders[a].barred:
            return
        swapped = first | second
        dealt[a] ^= swapped
        dealt[b] ^= swapped
        seats = {holders[a].seat, holders[b].seat}
        likely = {seat: self._likelihood(seat) for seat in seats}
        gain = sum(likely.values()) - sum(self._likely[seat] for seat in seats)
        one, other = holders[a].odds, holders[b].odds
        gain += math.log(other[first] * one[second] / (one[first] * other[second]))
        if gain >= 0 or rng.random() < math.exp(gain):
            self._likely.update(likely)
        else:
            dealt[a] ^= swapped
            dealt[b] ^= swapped

    def _likelihood(self, seat: int | None) -> float:
        """The logarithm of how likely a seat's play is with the cards it is guessed to hold."""
        if seat is None:
            return 0.0
        tables, sides = self._knowledge.tables, self._knowledge.sides
        assert sides is not None, "choices follow the named teams"
        now = self.dealt[self._hands[seat]]
        found = play_likelihood(tables, self._choices.get(seat, ()), now, sides.greedy)
        if seat in self._discards:
            gone = self.dealt[self._discards[seat]]
            played = self._choices[seat][-1].since if seat in self._choices else 0
            sensible = cards_to_discard(tables, now | played | gone, self._knowledge.conditions, sides.greedy)
            found += EAGERNESS * (gone & sensible).bit_count()
        return found


def guessed_hands(knowledge: Knowledge, rng: Random) -> Iterator[list[int]]:
    """One guess after the other: all hands, by seat, as they were before the open trick."""
    order = [] if knowledge.sides is None else knowledge.sides.orders[knowledge.leader]
    guesses = Guesses(knowledge, rng)
    guesses.move(FIRST_MOVES)
    while True:
        guesses.move(MOVES)
        hands = guesses.hands()
        for (seat, _, _), card in zip(order, knowledge.table, strict=False):
            hands[seat] |= card
        yield hands


def play_likelihood(tables: Tables, choices: Iterable[Choice], now: int, greedy: bool) -> float:
    """The logarithm of how likely a player with `now` left in the hand has chosen these cards."""
    trusted = usual = careless = 0.0
    for choice in choices:
        hand = now | choice.since
        legal = tables.legal(hand, choice.led)
        if not legal & (legal - 1):
            continue
        rest = tables.everything & ~(choice.gone | hand)
        if choice.led:
            card = follow(tables, legal, choice.beats, choice.ours, choice.threatened, rest, greedy)
        else:
            card = lead(tables, hand, rest, greedy)
        first, second, third = (_LIKE if card & choice.copies else _UNLIKE)[legal.bit_count()]
        trusted += first
        usual += second
        careless += third
    most = max(trusted, usual, careless)
    shares = (math.exp(each - most) for each in (trusted, usual, careless))
    return most + math.log(sum(map(mul, _FREQUENT, shares)))


_FREQUENT = [frequent for frequent, _ in KINDS]
_UNLIKE = [tuple(math.log(doubt / max(1, count)) for _, doubt in KINDS) for count in range(61)]
_LIKE = [tuple(math.log(1 - doubt + doubt / max(1, count)) for _, doubt in KINDS) for count in range(61)]


def _any(mask: int, rng: Random) -> int:
    for _ in range(int(rng.random() * mask.bit_count())):
        mask &= mask - 1
    return mask & -mask

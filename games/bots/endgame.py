"""Solves the last tricks of a round with all hands open: both teams play the best cards.

Must not know: whose decision it is, which hands are guessed.
"""

from __future__ import annotations

from collections.abc import Sequence

from games.bots.playout import Sides, ahead_in
from games.fast_tricks.tables import Tables

CARDS = 3
"""The most cards in each hand with which the end is solved."""

BOUND = 10**6
"""Greater than every score."""


class Endgame:
    """The value of the rest of a round with all hands known: an alpha-beta search.  Results are cached.

    `low`: what the start player's team can get at least by another choice; `high`: what the other team can limit it to.
    A value that is not between them is a bound.
    """

    def __init__(self, tables: Tables, sides: Sides) -> None:
        self._tables = tables
        self._sides = sides
        self._found: dict[tuple[int, ...], tuple[int, int]] = {}

    def value(self, hands: Sequence[int], leader: int, begun: Sequence[int] = ()) -> int:
        """The start player's team's score minus the other's; parameters as in `play_out`."""
        left, captures, order = list(hands), [0, 0], self._sides.orders[leader]
        for (seat, side, _), card in zip(order, begun, strict=False):
            left[seat] ^= card
            captures[side] += bool(card & self._tables.capturable)
        winner, _, beats = ahead_in(self._tables, order, begun)
        seat, due, led = (leader + len(begun)) % len(left), len(left) - len(begun), begun[0] if begun else 0
        return self._turn(left, seat, due, led, beats, winner, captures[0], captures[1], -BOUND, BOUND)

    def _trick(self, hands: list[int], leader: int, low: int, high: int) -> int:
        if not hands[leader]:
            return 0
        key = (leader, *hands)
        least, most = self._found.get(key, (-BOUND, BOUND))
        if least >= high or least == most:
            return least
        if most <= low:
            return most
        value = self._turn(hands, leader, len(hands), 0, 0, leader, 0, 0, low, high)
        self._found[key] = (least if value <= low else value, most if value >= high else value)
        return value

    def _turn(
        self,
        hands: list[int],
        seat: int,
        due: int,
        led: int,
        beats: int,
        winner: int,
        theirs: int,
        mine: int,
        low: int,
        high: int,
    ) -> int:
        """`due`: how many players follow in the trick; `theirs`, `mine`: the capturable cards of each side."""
        tables, sides = self._tables, self._sides
        if not due:
            captured = mine + theirs if tables.everyone else theirs if sides.side[winner] else mine
            won = sides.worth[winner] * (1 + captured)
            return won + self._trick(hands, winner, low - won, high - won)
        hand, side = hands[seat], sides.side[seat]
        following = (seat + 1) % len(hands)
        best = -BOUND if side else BOUND
        for card in self._moves(hands, seat, led, beats, ours=sides.side[winner] == side):
            hands[seat] = hand ^ card
            ahead = (tables.beats[card], seat) if not led or card & beats else (beats, winner)
            capture = 1 if card & tables.capturable else 0
            captures = (theirs, mine + capture) if side else (theirs + capture, mine)
            value = self._turn(hands, following, due - 1, led or card, *ahead, *captures, low, high)
            if side:
                best = max(best, value)
                low = max(low, value)
            else:
                best = min(best, value)
                high = min(high, value)
            if low >= high:
                break
        hands[seat] = hand
        return best

    def _moves(self, hands: list[int], seat: int, led: int, beats: int, *, ours: bool) -> Sequence[int]:
        """The cards to try, the likely best first; of equivalent neighbours only the lowest."""
        tables = self._tables
        legal = tables.legal(hands[seat], led)
        if not legal & (legal - 1):
            return (legal,)
        others = sum(hands) ^ hands[seat]
        losing: list[int] = []
        winning: list[int] = []
        left = legal
        while left:
            card = left & -left
            left ^= card
            if below := legal & tables.same_suit_and_kind[card] & (card - 1):
                other = 1 << below.bit_length() - 1
                between = tables.beats[card] ^ tables.beats[other] | tables.copies_of[card] | tables.copies_of[other]
                both_win_or_lose = bool(card & beats) == bool(other & beats)
                if other & tables.copies_of[card] or (both_win_or_lose and not between & others):
                    continue
            (winning if card & beats else losing).append(card)
        if not led:
            return losing[::-1]
        return losing + winning if ours else winning + losing

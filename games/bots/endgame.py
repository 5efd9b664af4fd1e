"""The last tricks of a round with all hands open, played as well as can be by both teams.

Must not know: whose decision it is, which hands are guessed.
"""

from __future__ import annotations

from collections.abc import Sequence

from games.bots.playout import Sides
from games.fast_tricks.tables import Tables, bits

CARDS = 3
"""With so many cards in each hand, or fewer, the end is solved."""


class Endgame:
    """What the rest of a round is worth with certain hands; what was found is remembered."""

    def __init__(self, tables: Tables, sides: Sides) -> None:
        self._tables = tables
        self._sides = sides
        self._found: dict[tuple[int, ...], int] = {}

    def value(self, hands: Sequence[int], leader: int, begun: Sequence[int] = ()) -> int:
        """The start player's team's score minus the other's; parameters as in `play_out`."""
        left = list(hands)
        players = len(left)
        led = begun[0] if begun else 0
        beats, winner = 0, leader
        for place, card in enumerate(begun):
            seat = (leader + place) % players
            left[seat] ^= card
            if not beats or card & beats:
                beats, winner = self._tables.beats[card], seat
        gifts = [0, 0]
        for place, card in enumerate(begun):
            if card & self._tables.capturable:
                gifts[self._sides.side[(leader + place) % players]] += 1
        return self._turn(left, (leader + len(begun)) % players, players - len(begun), led, beats, winner, *gifts)

    def _trick(self, hands: list[int], leader: int) -> int:
        if not hands[leader]:
            return 0
        key = (leader, *hands)
        known = self._found.get(key)
        if known is None:
            known = self._found[key] = self._turn(hands, leader, len(hands), 0, 0, leader, 0, 0)
        return known

    def _turn(
        self, hands: list[int], seat: int, due: int, led: int, beats: int, winner: int, theirs: int, mine: int
    ) -> int:
        """`due`: how many have still to play to the trick; `theirs`, `mine`: the capturable cards of each side."""
        tables, sides = self._tables, self._sides
        if not due:
            captured = mine + theirs if tables.everyone else theirs if sides.side[winner] else mine
            return sides.worth[winner] * (1 + captured) + self._trick(hands, winner)
        hand, side = hands[seat], sides.side[seat]
        following = (seat + 1) % len(hands)
        values = []
        for card in bits(tables.different(tables.legal(hand, led))):
            hands[seat] = hand ^ card
            ahead = (tables.beats[card], seat) if not led or card & beats else (beats, winner)
            gift = 1 if card & tables.capturable else 0
            gifts = (theirs, mine + gift) if side else (theirs + gift, mine)
            values.append(self._turn(hands, following, due - 1, led or card, *ahead, *gifts))
        hands[seat] = hand
        return max(values) if side else min(values)

"""Whether a player is likely to win every remaining trick, as far as they can know.

Must not know: anything but a `PlayerView`.
"""

from __future__ import annotations

from random import Random

from games.bots.knowledge import Knowledge, knowledge_of
from games.bots.sampling import deal
from games.fast_tricks.tables import bits
from games.rules.redaction import PlayerView

GUESSES = 8
NEEDED = 5
"""The guesses in which a player has to win everything: one alone would be luck."""
STEPS = 600
"""Cards that may be played in one guess.  A claim that they do not settle is refused."""


def can_take_all(view: PlayerView) -> bool:
    """Whether tricks are wanted, and in most guesses of the other hands this player wins all against any play."""
    known, chance = knowledge_of(view), Random(0)
    if known.conditions.points < 0:
        return False
    won = 0
    for number in range(GUESSES):
        won += _Search(known).wins(known.hands(deal(known, chance)))
        if won == NEEDED or won + GUESSES - 1 - number < NEEDED:
            break
    return won == NEEDED


class _Search:
    """Plays on with open hands, one player against all others, as long as there are steps."""

    def __init__(self, known: Knowledge) -> None:
        self._known = known
        self._tables = known.tables
        self._steps = STEPS

    def wins(self, hands: list[int]) -> bool:
        """Whether the player wins every trick with these hands."""
        known, players = self._known, len(hands)
        place = best = 0
        for number, card in enumerate(known.table):
            if not best or card & self._tables.beats[best]:
                place, best = number, card
        seat, winner = ((known.leader + each) % players for each in (len(known.table), place))
        led = known.table[0] if known.table else 0
        return self._go_on(hands, seat, led, best, winner, players - len(known.table))

    def _go_on(self, hands: list[int], seat: int, led: int, best: int, winner: int, left: int) -> bool:
        """`left`: how many players follow to the trick; `best`: the card of its winner so far."""
        tables, me, players = self._tables, self._known.seat, len(hands)
        if led and winner != me and (me - seat) % players >= left:
            # The player has played to this trick already.
            return False
        if not left:
            led, seat, left = 0, me, players
        if not led and seat == me and self._is_high(hands):
            return True
        self._steps -= 1
        if self._steps < 0:
            return False
        # The highest first: they settle most.
        for card in reversed(bits(tables.different(tables.legal(hands[seat], led)))):
            after = hands.copy()
            after[seat] ^= card
            ahead = (card, seat) if not led or card & tables.beats[best] else (best, winner)
            if self._go_on(after, (seat + 1) % players, led or card, *ahead, left - 1) is (seat == me):
                return seat == me
        return seat != me

    def _is_high(self, hands: list[int]) -> bool:
        """Whether every card of the player wins, in any order."""
        me = self._known.seat
        others = sum(hand for seat, hand in enumerate(hands) if seat != me)
        return not any(self._tables.beats[card] & others for card in bits(hands[me]))

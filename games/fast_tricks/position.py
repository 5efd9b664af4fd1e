"""A position in the tricks of one round, on integers: who is due, what they may play, who has won what.

Must not know: the rounds before and after, hidden cards, how a card is chosen.

>>> from games.rules.cards import Suit, parse_hand
>>> from games.rules.ruleset import Ruleset
>>> from games.rules.teams import Teams
>>> from games.fast_tricks.tables import tables_of
>>> tables = tables_of(Ruleset.of("njet-english", 2), Suit.RED, None)
>>> position = Position.of(tables, Teams((0,), (1,), None), 0, [parse_hand("B0 R3"), parse_hand("B5 B7")])
>>> position.play(tables.mask_of(parse_hand("B0")))
>>> position.seat, " ".join(map(str, tables.hand_of(position.legal)))
(1, 'blue-5 blue-7')
>>> position.play(tables.mask_of(parse_hand("B5")))
>>> position.seat, position.tricks, position.captured
(1, [0, 1], [0, 1])
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from games.fast_tricks.tables import Tables
from games.rules.cards import Card
from games.rules.teams import Teams


class Position:
    """The tricks of a round from its hands to its last card.  `play` changes it.

    Cards and hands are masks (`tables.py`).  `seat`: who is due; `legal`: the cards that this seat may play, 0 after
    the last card.  `tricks`, `captured`: what each seat has won so far.
    """

    __slots__ = (
        *("_beats", "_everyone", "_capturable", "_left", "_led", "_side", "_tables", "_winner"),
        *("captured", "hands", "legal", "seat", "tricks"),
    )

    def __init__(self, tables: Tables, teams: Teams, leader: int, hands: Sequence[int]) -> None:
        """The beginning of a trick.  `hands`: by seat, equally many cards each, no bit in two of them."""
        self._tables = tables
        self._side = [int(seat in teams.own) for seat in range(teams.players)]
        self._everyone = tables.everyone
        self.hands = list(hands)
        self.tricks, self.captured = [0] * teams.players, [0] * teams.players
        self._begin(leader)

    @classmethod
    def of(cls, tables: Tables, teams: Teams, leader: int, hands: Iterable[Iterable[Card]]) -> Position:
        """The same with hands of cards."""
        masks: list[int] = []
        for hand in hands:
            masks.append(tables.mask_of(hand, taken=sum(masks)))
        return cls(tables, teams, leader, masks)

    def _begin(self, leader: int) -> None:
        self.seat = self._winner = leader
        self.legal = self.hands[leader]
        self._led, self._left, self._capturable = 0, len(self.hands), [0, 0]

    def play(self, card: int) -> None:
        """Let the seat that is due play one of its `legal` cards, a single bit."""
        tables, seat, hands = self._tables, self.seat, self.hands
        hands[seat] ^= card
        if not self._led:
            self._led, self._beats = card, tables.beats[card]
        elif card & self._beats:
            self._winner, self._beats = seat, tables.beats[card]
        if card & tables.capturable:
            self._capturable[self._side[seat]] += 1
        self._left -= 1
        if not self._left:
            self._end()
            return
        self.seat = seat = (seat + 1) % len(hands)
        hand, led = hands[seat], self._led
        self.legal = hand & tables.satisfies[led] if hand & tables.obliges[led] else hand & tables.forced or hand

    def _end(self) -> None:
        """Give the trick to its winner, who leads the next one."""
        winner = self._winner
        self.tricks[winner] += 1
        self.captured[winner] += sum(self._capturable) if self._everyone else self._capturable[1 - self._side[winner]]
        self._begin(winner)

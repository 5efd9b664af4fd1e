"""The fixed facts of the editions, as data (RULES.md section 1): decks, boards, tokens, player counts, deals."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from games.rules.cards import Card, Suit


class RowKey(StrEnum):
    """The rows of the board, top to bottom."""

    START = "start"
    DISCARD = "discard"
    TRUMP = "trump"
    SUPERTRUMP = "supertrump"
    POINTS = "points"


NJET = "njet"
"""The space that says no: no discard, no trump, no super trump."""

NO_ZERO = "discard_2_no_zero"
"""The space under which no card of the capturable rank is discarded."""

PASSING = "pass_2_right"
"""The space under which cards change hands instead."""

CARDS_DISCARDED: Mapping[str, int] = {
    "discard_1": 1,
    "discard_2": 2,
    NO_ZERO: 2,
    PASSING: 0,
    NJET: 0,
}
"""How many cards leave each hand and the round, by the open space of the row `discard`."""

CARDS_CHOSEN: Mapping[str, int] = {**CARDS_DISCARDED, PASSING: 2}
"""How many cards each player chooses before the tricks, by the open space of the row `discard`."""


class Removal(StrEnum):
    """What leaves the deck with three players, for the whole game."""

    THREE_7S = "three_7s"
    ALL_2S = "all_2s"
    ALL_4S = "all_4s"


@dataclass(frozen=True, slots=True)
class Edition:
    """A box of the game.

    `copies[rank]`: how many cards of a rank each suit has.  `has_monster_card`: the player whose tricks and captures
    count twice holds a card; without it the rules just say so.
    """

    key: str
    suits: tuple[Suit, ...]
    copies: tuple[int, ...]
    capturable_rank: int
    tokens: tuple[str, ...]
    spaces: Mapping[RowKey, tuple[str, ...]]
    dealt: Mapping[int, int]
    removals: Mapping[Removal, tuple[int, int]]
    start_row_may_be_off: bool
    has_monster_card: bool

    @property
    def player_counts(self) -> tuple[int, ...]:
        """The numbers of players that the box is made for."""
        return tuple(sorted(self.dealt))

    @property
    def capturable_cards(self) -> int:
        """How many cards of the deck can be captured."""
        return self.copies[self.capturable_rank] * len(self.suits)

    def deck(self, *, players: int, removal: Removal | None) -> tuple[Card, ...]:
        """The cards in play, sorted: all of them, but for the removal with three players."""
        copies = list(self.copies)
        if players == 3 and removal is not None:
            rank, count = self.removals[removal]
            copies[rank] -= count
        return tuple(
            Card.of(suit, rank) for suit in self.suits for rank, count in enumerate(copies) for _ in range(count)
        )


_NJET60_SUITS = (Suit.RED, Suit.BLACK, Suit.BLUE, Suit.YELLOW)
_GOLDSIEBER_SUITS = (Suit.RED, Suit.BLACK, Suit.BLUE, Suit.GREEN)

NJET60 = Edition(
    key="njet60",
    suits=_NJET60_SUITS,
    copies=(3, 1, 1, 1, 1, 1, 1, 4, 1, 1),
    capturable_rank=0,
    tokens=("turquoise", "pink", "green", "orange", "lilac"),
    spaces={
        RowKey.DISCARD: ("discard_1", "discard_2", NO_ZERO, PASSING, NJET),
        RowKey.TRUMP: (*_NJET60_SUITS, NJET),
        RowKey.SUPERTRUMP: (*_NJET60_SUITS, NJET),
        RowKey.POINTS: ("1", "2", "3", "4", "-2"),
    },
    dealt={2: 15, 3: 16, 4: 15, 5: 12},
    removals={Removal.THREE_7S: (7, 3)},
    start_row_may_be_off=True,
    has_monster_card=True,
)

GOLDSIEBER40 = Edition(
    key="goldsieber40",
    suits=_GOLDSIEBER_SUITS,
    copies=(0, 2, 1, 1, 1, 1, 1, 1, 1, 1),
    capturable_rank=1,
    tokens=("bear", "wolf", "falcon", "raven"),
    spaces={
        RowKey.DISCARD: ("discard_1", "discard_2", NJET),
        RowKey.TRUMP: _GOLDSIEBER_SUITS,
        RowKey.SUPERTRUMP: (*_GOLDSIEBER_SUITS, NJET),
        RowKey.POINTS: ("1", "2", "3", "4"),
    },
    dealt={3: 12, 4: 10},
    removals={Removal.ALL_2S: (2, 1), Removal.ALL_4S: (4, 1)},
    start_row_may_be_off=False,
    has_monster_card=False,
)

EDITIONS: Mapping[str, Edition] = {edition.key: edition for edition in (NJET60, GOLDSIEBER40)}

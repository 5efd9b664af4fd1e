"""The fixed facts of the editions, as data (RULES.md section 1): decks, boards, tokens, player counts, deals."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations

from games.rules.cards import RANKS, Card, Suit


class RowKey(StrEnum):
    """The rows of the board, top to bottom."""

    START = "start"
    DISCARD = "discard"
    TRUMP = "trump"
    SUPERTRUMP = "supertrump"
    POINTS = "points"


NJET = "njet"
"""The space that says no: no discard, no trump, no super trump."""


@dataclass(frozen=True, slots=True)
class Exchange:
    """What each player does before the tricks, by the open space of the row `discard` (RULES.md section 3.4).

    `cards`: how many each one chooses.  `kept`: no card of this rank is among them.  `to`: how many seats clockwise the
    one sits who gets them; 0: they leave the round.
    """

    cards: int
    kept: int | None = None
    to: int = 0

    def receiver(self, seat: int, players: int) -> int:
        """The seat that gets what a seat passes."""
        return (seat + self.to) % players

    @property
    def discarded(self) -> int:
        """How many cards leave each hand and the round."""
        return 0 if self.to else self.cards


EXCHANGES: Mapping[str, Exchange] = {
    "discard_1": Exchange(1),
    "discard_2": Exchange(2),
    "discard_2_no_zero": Exchange(2, kept=0),
    "discard_2_no_one": Exchange(2, kept=1),
    "pass_2_right": Exchange(2, to=-1),
    "pass_2_left": Exchange(2, to=1),
    NJET: Exchange(0),
}
"""Every space of the row `discard`."""


THREE_RANKS: Mapping[str, tuple[int, ...]] = {
    "all_" + "_".join(f"{rank}s" for rank in ranks): ranks for ranks in combinations(range(2, RANKS), 3)
}
"""Every choice of three ranks, as a removal: `all_2s_3s_4s` comes first."""

REMOVALS: Mapping[str, Mapping[int, int]] = {
    "three_7s": {7: 3},
    "all_2s": {2: 1},
    "all_4s": {4: 1},
    **{removal: dict.fromkeys(ranks, 1) for removal, ranks in THREE_RANKS.items()},
}
"""What leaves the deck with three players, for the whole game: how many cards of each rank, in each suit."""


@dataclass(frozen=True, slots=True)
class Edition:
    """A box of the game.

    `copies[rank]`: how many cards of a rank each suit has.  `high_rank`: from this rank on a card often wins a trick,
    which bots and tips go by.  `has_monster_card`: the player whose tricks and captures count twice holds a card;
    without it the rules just say so.
    """

    key: str
    suits: tuple[Suit, ...]
    copies: tuple[int, ...]
    capturable_rank: int
    high_rank: int
    tokens: tuple[str, ...]
    spaces: Mapping[RowKey, tuple[str, ...]]
    dealt: Mapping[int, int]
    removals: Collection[str]
    start_row_may_be_off: bool
    has_monster_card: bool

    @property
    def player_counts(self) -> tuple[int, ...]:
        """The numbers of players that the box is made for."""
        return tuple(sorted(self.dealt))

    @property
    def top_rank(self) -> int:
        """The highest rank of its cards."""
        return len(self.copies) - 1

    @property
    def capturable_cards(self) -> int:
        """How many cards of the deck can be captured."""
        return self.copies[self.capturable_rank] * len(self.suits)

    @property
    def passes_to(self) -> int:
        """How many seats clockwise the one sits who gets the cards that are passed; 0: none are."""
        return next((EXCHANGES[space].to for space in self.spaces[RowKey.DISCARD] if EXCHANGES[space].to), 0)

    def deck(self, *, players: int, removal: str | None) -> tuple[Card, ...]:
        """The cards in play, sorted: all of them, but for the removal with three players."""
        copies = list(self.copies)
        if players == 3 and removal is not None:
            for rank, count in REMOVALS[removal].items():
                copies[rank] -= count
        cards = (Card.of(suit, rank) for suit in self.suits for rank, count in enumerate(copies) for _ in range(count))
        return tuple(sorted(cards))


_NJET60_SUITS = (Suit.RED, Suit.BLACK, Suit.BLUE, Suit.YELLOW)
_NYET60_SUITS = (Suit.RED, Suit.YELLOW, Suit.BLUE, Suit.GREEN)
_GOLDSIEBER_SUITS = (Suit.RED, Suit.BLACK, Suit.BLUE, Suit.GREEN)

NJET60 = Edition(
    key="njet60",
    suits=_NJET60_SUITS,
    copies=(3, 1, 1, 1, 1, 1, 1, 4, 1, 1),
    capturable_rank=0,
    high_rank=7,
    tokens=("turquoise", "pink", "green", "orange", "lilac"),
    spaces={
        RowKey.DISCARD: ("discard_1", "discard_2", "discard_2_no_zero", "pass_2_right", NJET),
        RowKey.TRUMP: (*_NJET60_SUITS, NJET),
        RowKey.SUPERTRUMP: (*_NJET60_SUITS, NJET),
        RowKey.POINTS: ("1", "2", "3", "4", "-2"),
    },
    dealt={2: 15, 3: 16, 4: 15, 5: 12},
    removals=("three_7s",),
    start_row_may_be_off=True,
    has_monster_card=True,
)

GOLDSIEBER40 = Edition(
    key="goldsieber40",
    suits=_GOLDSIEBER_SUITS,
    copies=(0, 2, 1, 1, 1, 1, 1, 1, 1, 1),
    capturable_rank=1,
    high_rank=7,
    tokens=("bear", "wolf", "falcon", "raven"),
    spaces={
        RowKey.DISCARD: ("discard_1", "discard_2", NJET),
        RowKey.TRUMP: _GOLDSIEBER_SUITS,
        RowKey.SUPERTRUMP: (*_GOLDSIEBER_SUITS, NJET),
        RowKey.POINTS: ("1", "2", "3", "4"),
    },
    dealt={3: 12, 4: 10},
    removals=("all_2s", "all_4s"),
    start_row_may_be_off=False,
    has_monster_card=False,
)

NYET60 = Edition(
    key="nyet60",
    suits=_NYET60_SUITS,
    copies=(0, 3, *[1] * 12),
    capturable_rank=1,
    high_rank=9,
    # The sources name two of the animals.
    tokens=("bear", "wolf", "third", "fourth", "fifth"),
    spaces={
        RowKey.DISCARD: ("discard_1", "discard_2", "discard_2_no_one", "pass_2_left", NJET),
        RowKey.TRUMP: (*_NYET60_SUITS, NJET),
        RowKey.SUPERTRUMP: (*_NYET60_SUITS, NJET),
        RowKey.POINTS: ("1", "2", "3", "4", "-2"),
    },
    dealt={2: 15, 3: 16, 4: 15, 5: 12},
    removals=THREE_RANKS,
    start_row_may_be_off=True,
    has_monster_card=True,
)

EDITIONS: Mapping[str, Edition] = {edition.key: edition for edition in (NJET60, GOLDSIEBER40, NYET60)}

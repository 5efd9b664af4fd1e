"""Playing the rest of a round to its end, as fast as possible.

Must not know: views, whose decision it is.

The loop reads the tables of `games/fast_tricks` itself instead of calling functions, for speed, and is therefore one
long function; `tests/bots/test_playout.py` proves that winners and captures are those of `TrickRules`.  The cards come
from `policy.py` or from chance.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from games.bots.policy import follow, lead
from games.fast_tricks.tables import Tables
from games.rules.teams import Teams


@dataclass(frozen=True, slots=True)
class Sides:
    """The teams of a round and what they play for.

    `worth[seat]`: the value of a trick or a capture of a seat for the start player's team, negative for an opponent's.
    `side[seat]`: 1 for the start player's team, else 0.  `orders[leader]`: for each seat in playing order itself, its
    side, and whether an opponent plays after it; `followers[leader]`: the same without the leader.  `greedy`: tricks
    are wanted.
    """

    side: tuple[int, ...]
    worth: tuple[int, ...]
    orders: tuple[tuple[tuple[int, int, bool], ...], ...]
    followers: tuple[tuple[tuple[int, int, bool], ...], ...]
    greedy: bool


@lru_cache(maxsize=1024)
def sides_of(teams: Teams, points: int) -> Sides:
    """The teams as the playout counts them."""
    seats = range(teams.players)
    side = tuple(int(seat in teams.own) for seat in seats)
    worth = tuple((1 if side[seat] else -1) * teams.weight(seat) * points for seat in seats)
    turns = [[(leader + place) % teams.players for place in seats] for leader in seats]
    orders = tuple(
        tuple(
            (seat, side[seat], any(side[later] != side[seat] for later in turn[place:]))
            for place, seat in enumerate(turn, start=1)
        )
        for turn in turns
    )
    return Sides(side, worth, orders, tuple(order[1:] for order in orders), greedy=points > 0)


def ahead_in(tables: Tables, order: Sequence[tuple[int, int, bool]], cards: Sequence[int]) -> tuple[int, int, int]:
    """Who is winning a trick with these cards in it: the seat, its side, and the cards that would overtake.

    `order`: that of the trick, from `Sides.orders`.  Before the first card the leader wins, and no card is named.
    """
    winner, winning, _ = order[0]
    beats = 0
    for (seat, side, _), card in zip(order, cards, strict=False):
        if not beats or card & beats:
            winner, winning, beats = seat, side, tables.beats[card]
    return winner, winning, beats


@lru_cache(maxsize=64)
def random_places(cards: int, chance: int) -> tuple[int, ...]:
    """For each byte below `chance` the masks of all cards from a place on, evenly spread."""
    everything = (1 << cards) - 1
    return tuple(everything & -1 << draw * cards // chance for draw in range(chance))


def play_out(
    tables: Tables, sides: Sides, hands: list[int], leader: int, begun: tuple[int, ...], noise: bytes, chance: int
) -> int:
    """The start player's team's score minus the other's, of the tricks from here to the end of the round.

    `hands` (used up) at the beginning of a trick, equally many cards each; `begun`: the cards that this trick begins
    with, in playing order.  `noise`: a byte for each decision; `chance` in 256 of them are left to chance: the next
    legal card in the order of worth from a random place on.
    """
    obliges, satisfies, forced, beats_of = tables.obliges, tables.satisfies, tables.forced, tables.beats
    followers_of, side_of, worth, greedy = sides.followers, sides.side, sides.worth, sides.greedy
    captures = _captures(tables, sides, hands)
    draws, above = iter(noise), random_places(len(tables.cards), chance)
    left, value = sum(hands), 0
    while left:
        before = left
        followers = followers_of[leader]
        if begun:
            # Cards that are on the table already were decided.
            led, order = begun[0], sides.orders[leader]
            winner, winning, beats = ahead_in(tables, order, begun)
            for (seat, _, _), card in zip(order, begun, strict=False):
                hands[seat] ^= card
                left ^= card
            followers, begun = followers[len(begun) - 1 :], ()
        else:
            hand = hands[leader]
            # `beats_of` has single cards as keys, so this finds hands of one card.
            if hand in beats_of:
                return value + _last_trick(tables, sides, hands, leader, captures)
            if (draw := next(draws)) < chance:
                led = hand & above[draw] or hand
                led &= -led
            else:
                led = lead(tables, hand, left ^ hand, greedy)
            winner, winning, beats = leader, side_of[leader], beats_of[led]
            hands[leader] = hand ^ led
            left ^= led
        obliged, satisfied = obliges[led], satisfies[led]
        # Mostly the cards that oblige are those that satisfy: this saves one check for each hand.
        freer = satisfied != obliged
        for seat, side, threatened in followers:
            hand = hands[seat]
            if legal := hand & obliged:
                if freer:
                    legal = hand & satisfied
            else:
                legal = hand & forced or hand
            if legal in beats_of:
                card = legal
            elif (draw := next(draws)) < chance:
                legal = legal & above[draw] or legal
                card = legal & -legal
            else:
                card = follow(tables, legal, beats, side == winning, threatened, left ^ hand, greedy)
            hands[seat] = hand ^ card
            left ^= card
            if card & beats:
                winner, winning, beats = seat, side, beats_of[card]
        value += worth[winner] * (1 + ((before ^ left) & captures[winning]).bit_count())
        leader = winner
    return value


def play_trick(tables: Tables, sides: Sides, hands: list[int], leader: int, begun: tuple[int, ...]) -> tuple[int, int]:
    """The value of one trick, as in `play_out`, of which nothing more is left to chance; and who wins it.

    `hands`: at the beginning of the trick, from which its cards are taken; `begun`: its first cards, one at least.
    """
    captures, left, played, order = _captures(tables, sides, hands), sum(hands), sum(begun), sides.orders[leader]
    for (seat, _, _), card in zip(order, begun, strict=False):
        hands[seat] ^= card
    winner, winning, beats = ahead_in(tables, order, begun)
    for seat, side, threatened in order[len(begun) :]:
        hand = hands[seat]
        rest = left & ~(played | hand)
        card = follow(tables, tables.legal(hand, begun[0]), beats, side == winning, threatened, rest, sides.greedy)
        hands[seat] ^= card
        played |= card
        if card & beats:
            winner, winning, beats = seat, side, tables.beats[card]
    return sides.worth[winner] * (1 + (played & captures[winning]).bit_count()), winner


def _last_trick(tables: Tables, sides: Sides, hands: list[int], leader: int, captures: tuple[int, int]) -> int:
    """The value of the last trick, in which each hand plays its only card."""
    winner, winning, beats = leader, sides.side[leader], tables.beats[hands[leader]]
    for seat, side, _ in sides.followers[leader]:
        if hands[seat] & beats:
            winner, winning, beats = seat, side, tables.beats[hands[seat]]
    return sides.worth[winner] * (1 + (sum(hands) & captures[winning]).bit_count())


def _captures(tables: Tables, sides: Sides, hands: list[int]) -> tuple[int, int]:
    """The cards that a trick of the other team captures, and those that one of the start player's team does."""
    if tables.everyone:
        return tables.capturable, tables.capturable
    own = 0
    for hand, side in zip(hands, sides.side, strict=True):
        if side:
            own |= hand
    return tables.capturable & own, tables.capturable & ~own

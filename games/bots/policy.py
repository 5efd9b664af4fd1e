"""Rules of thumb for cards: what the easy bot plays, and what the strong bot assumes the others to play.

Must not know: hidden hands (`rest`, the cards that other hands may hold, follows from counting), scores, chance.

With positive points a team wins tricks with low cards and keeps its capturable cards out of the opponents' tricks; with
negative points it ducks, and plays capturable cards into the opponents' tricks.
"""

from __future__ import annotations

from games.fast_tricks.tables import Tables
from games.rules.board import Conditions


def lead(tables: Tables, hand: int, rest: int, greedy: bool) -> int:
    """The card to lead.  `greedy`: tricks are wanted."""
    if not greedy:
        return hand & -hand
    plain = hand & tables.plain_other
    if not plain:
        trumps = hand & tables.family
        return 1 << trumps.bit_length() - 1 if trumps else hand & -hand
    in_suit, same_suit = tables.beats_in_suit, tables.same_suit
    # If nothing wins for certain: the shortest suit, so that it can soon be trumped.
    shortest, length = 0, 99
    while plain:
        top = 1 << plain.bit_length() - 1
        if not in_suit[top] & rest:
            return top
        suit = same_suit[top]
        count, low = (hand & suit).bit_count(), plain & suit
        low &= -low
        if count < length or (count == length and low < shortest):
            shortest, length = low, count
        plain &= ~suit
    return shortest


def follow(tables: Tables, legal: int, beats: int, ours: bool, threatened: bool, rest: int, greedy: bool) -> int:
    """The card to play on a lead.

    `legal`: what may be played; `beats`: what overtakes the card that is winning; `ours`: it is our team's;
    `threatened`: an opponent plays after us.
    """
    if not greedy:
        return _duck(tables, legal, beats, ours, threatened)
    plain = tables.plain
    winners = legal & beats
    if winners and threatened:
        if tops := winners & plain:
            top = 1 << tops.bit_length() - 1
            if not tables.beats_in_suit[top] & rest:
                return top
        elif not ours:
            return winners & -winners
    elif winners and not ours:
        return winners & -winners
    safe = ours and not (threatened and beats & rest & plain)
    if safe and (capturable := legal & tables.plain_capturable):
        # The partner is likely to win the trick: play a card there that the opponents could capture elsewhere.
        return capturable & -capturable
    low = legal & tables.plain_other or legal & plain or legal
    return low & -low


def _duck(tables: Tables, legal: int, beats: int, ours: bool, threatened: bool) -> int:
    """The card to play on a lead where tricks are not wanted."""
    losers = legal & ~beats
    if ours and not threatened:
        # The team wins the trick with any card: discard the best card.
        losers = legal
    elif not losers:
        return legal & -legal if threatened else 1 << legal.bit_length() - 1
    elif not ours and (capturable := losers & tables.capturable):
        return capturable & -capturable
    losers = losers & ~tables.capturable or losers
    return 1 << losers.bit_length() - 1


def cards_to_discard(tables: Tables, hand: int, conditions: Conditions, greedy: bool) -> int:
    """The cards to discard."""
    count = conditions.exchange.cards
    if conditions.exchange.kept is None:
        return _worst(tables, hand, count, greedy)
    found = _worst(tables, hand & ~tables.capturable, count, greedy)
    return found | _worst(tables, hand & ~found, count - found.bit_count(), greedy)


def cards_to_pass(tables: Tables, hand: int, conditions: Conditions, greedy: bool, friend: bool) -> int:
    """The cards to pass to a neighbour.  `friend`: they are a partner."""
    count = conditions.exchange.cards
    if not friend:
        return _worst(tables, hand, count, greedy)
    found = _worst(tables, hand & ~tables.capturable, count, greedy=True)
    return found | _worst(tables, hand & ~found, count - found.bit_count(), greedy=True)


def _worst(tables: Tables, hand: int, count: int, greedy: bool) -> int:
    found = 0
    for _ in range(count):
        left = hand & ~found
        if not left:
            break
        # Capturable plain cards are the lowest, so they leave first.
        least = left & tables.plain or left
        found |= least & -least if greedy else 1 << left.bit_length() - 1
    return found

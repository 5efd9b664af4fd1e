"""A round of real cards at a physical table, played as RULES.md sections 3.1, 3.4 and 3.5 say, with random choices.

Only the choice of a legal card, the winner and the captures are asked of `TrickRules`: this is what the laws compare.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random

from games.rules import Card, RecordTrick, Round, Ruleset, TrickRules


@dataclass
class Table:
    """Where each card of the deck lies."""

    hands: list[list[Card]]
    aside: list[Card]
    discarded: list[Card] = field(default_factory=list)
    played: list[Card] = field(default_factory=list)

    @property
    def cards(self) -> list[Card]:
        """All of them, in no particular order."""
        return [*self.aside, *self.discarded, *self.played, *(card for hand in self.hands for card in hand)]


def deal(ruleset: Ruleset, random: Random) -> Table:
    """Everybody's hand; with two players 30 cards stay aside."""
    deck = list(ruleset.deck())
    random.shuffle(deck)
    hands = [[deck.pop() for _ in range(ruleset.dealt)] for _ in range(ruleset.players)]
    return Table(hands, deck)


def discard_or_pass(table: Table, ruleset: Ruleset, space: str, random: Random) -> None:
    """RULES.md section 3.4, with random choices."""
    chosen: list[list[Card]] = []
    for hand in table.hands:
        random.shuffle(hand)
        if space in ("discard_2_no_zero", "discard_2_no_one"):
            hand.sort(key=lambda card: card.rank == ruleset.edition.capturable_rank)
        count = {"discard_1": 1, "njet": 0}.get(space, 2)
        chosen.append([hand.pop(0) for _ in range(count)])
    for seat, cards in enumerate(chosen):
        to = {"pass_2_right": -1, "pass_2_left": 1}.get(space)
        if to is not None:
            table.hands[(seat + to) % len(table.hands)] += cards
        else:
            table.discarded += cards


def play_out(table: Table, current: Round, rules: TrickRules, random: Random) -> Iterator[RecordTrick]:
    """The tricks of a round until the hands are empty, as a scorekeeper would record them."""
    assert current.conditions is not None
    assert current.teams is not None
    leader, players = current.conditions.start, len(table.hands)
    while table.hands[leader]:
        trick: list[Card] = []
        for place in range(players):
            hand = table.hands[(leader + place) % players]
            card = random.choice(rules.legal_cards(hand, trick[0] if trick else None))
            hand.remove(card)
            trick.append(card)
        table.played += trick
        captured = rules.captured(trick, leader=leader, teams=current.teams)
        leader = (leader + rules.winner(trick)) % players
        yield RecordTrick(leader, captured)

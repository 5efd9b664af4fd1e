"""Players to compare the bots with: pure chance, and the plainest search there is."""

from __future__ import annotations

from random import Random

from games.bots import decide
from games.bots.knowledge import knowledge_of
from games.bots.playout import play_out
from games.bots.sampling import deal
from games.bots.strong import Limit
from games.fast_tricks.tables import bits
from games.rules.actions import Action, Play
from games.rules.redaction import PlayerView
from games.rules.rounds import Phase


def decide_randomly(view: PlayerView, seed: int) -> Action:
    """Any legal action."""
    return Random(seed).choice(view.legal)


def decide_flatly(view: PlayerView, seed: int, limit: Limit) -> Action:
    """The card that does best in random playouts of evenly dealt guesses; before the tricks what the easy bot does."""
    if view.public.phase is not Phase.TRICKS or len(view.legal) == 1:
        return decide(view, level="easy", seed=seed)
    rng, knowledge = Random(seed), knowledge_of(view)
    tables, sides = knowledge.tables, knowledge.sides
    assert sides is not None, "tricks follow the named teams"
    led = knowledge.table[0] if knowledge.table else 0
    sums = dict.fromkeys(bits(tables.different(tables.legal(knowledge.hand, led))), 0)
    sign = 1 if sides.side[knowledge.seat] else -1
    guesses = 0
    while not limit.reached(guesses):
        guesses += 1
        hands = knowledge.hands(deal(knowledge, rng))
        for (seat, _, _), card in zip(sides.orders[knowledge.leader], knowledge.table, strict=False):
            hands[seat] |= card
        for card in sums:
            begun = (*knowledge.table, card)
            sums[card] += sign * play_out(tables, sides, hands[:], knowledge.leader, begun, rng.randbytes(64), 256)
    return Play(tables.card_of(max(sums, key=lambda card: sums[card])))

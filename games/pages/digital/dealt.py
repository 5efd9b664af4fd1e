"""All hands of a finished round, as far as the reader's ledger has them: where all see them after each round."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from django.utils.translation import gettext as _

from games.log.ledger import Ledger
from games.pages.parts.cards import CardView, LineCard, SuitLine, card_view, card_views, suit_lines
from games.pages.parts.players import Player, players_of
from games.rules import Claim, Play
from games.rules.cards import sort_hand


@dataclass(frozen=True)
class DealtHand:
    """The cards that a player was dealt: those that they kept, and those that they gave away before the first trick.

    `lines`: the former by suit; `given`: what they did with the latter.
    """

    player: Player
    lines: list[SuitLine]
    away: list[CardView]
    given: str


def dealt_hands(ledger: Ledger, number: int) -> list[DealtHand]:
    """The hands of a round by seat, empty where its reader does not know them."""
    tricks = (step for step in ledger.replay.applied if isinstance(step.action, Play | Claim))
    first = next((step for step in tricks if step.round_number == number), None)
    full = None if first is None else first.full
    if full is None:
        return []
    players, to = players_of(full.setup), full.public.ruleset.edition.passes_to
    hands = []
    for player in players:
        seat = player.seat
        received, passed = full.received[seat], full.passed[seat]
        receiver = players[(seat + to) % len(players)]
        hands.append(
            DealtHand(
                player,
                lines=suit_lines(
                    [LineCard(card_view(card)) for card in (Counter(full.hands[seat]) - Counter(received)).elements()],
                    full.public.ruleset.edition,
                ),
                away=card_views(sort_hand((*full.discarded[seat], *passed))),
                given=_("passed to {name}").format(name=receiver.name) if passed else _("discarded"),
            )
        )
    return hands

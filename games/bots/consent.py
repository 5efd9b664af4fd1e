"""How a bot answers proposals.

Must not know: the cards of other players.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Sequence
from typing import assert_never

from games.rules.actions import Action, Discard, NameTeam, Pass, Place
from games.rules.cards import Card
from games.rules.proposals import ClaimRest, FinishEarly, OpenProposal, Takeback
from games.rules.public import PublicState
from games.rules.redaction import PlayerView
from games.rules.tricks import TrickRules


def agrees(view: PlayerView, asked: OpenProposal, taken: Sequence[Action], people: Container[int] = ()) -> bool:
    """Whether a bot agrees.  `taken`: the actions that a takeback names, as the bot may read them.

    It agrees to undo what `lets_undo` says, to grant tricks that are certain, and to end the game.
    """
    match asked.proposal:
        case Takeback():
            return all(lets_undo(view.public, action, asked.seat, people) for action in taken)
        case ClaimRest(cards):
            return _is_sure(view, asked.seat, cards)
        case FinishEarly():
            return True
    assert_never(asked.proposal)


def lets_undo(state: PublicState, action: Action, seat: int, people: Container[int]) -> bool:
    """Whether bots let a seat take an action back: it showed no card, or a person of the other side is asked as well.

    `people`: the seats that no bot plays.
    """
    if _showed_nothing(state, action):
        return True
    teams = None if state.current is None else state.current.teams
    return teams is not None and any(other in people for other in teams.opponents_of(seat))


def _showed_nothing(state: PublicState, action: Action) -> bool:
    """Whether an action has shown no card to anybody else: discards never do, passes not before all have chosen."""
    current = state.current
    if isinstance(action, Pass):
        return current is not None and not current.exchanged
    return isinstance(action, Place | NameTeam | Discard)


def _is_sure(view: PlayerView, seat: int, cards: Sequence[Card]) -> bool:
    """Whether a player who leads wins every remaining trick, for any hands and play of the others."""
    current = view.public.current
    leads = current is not None and not current.table and current.leader == seat
    return leads and unsure(view.public, cards) is None


def unsure(state: PublicState, cards: Sequence[Card]) -> tuple[Card, Card] | None:
    """A card of a claim and one that would win its trick, None if there is none; an equal one only as the last.

    It has not been played, and may lie anywhere: what a bot holds does not count.
    """
    current = state.current
    if current is None or current.conditions is None:
        return None
    rules = TrickRules.of(state.ruleset, current.conditions)
    others = Counter(state.ruleset.deck())
    others.subtract(card for trick in current.tricks for card in trick.cards or ())
    others.subtract((*current.table, *cards))
    held = [card for card, count in others.items() if count > 0]
    # Of equal cards the last played wins, so an equal one would win the trick.
    pairs = ((led, other) for led in cards for other in held if rules.strength(other, led) >= rules.strength(led, led))
    return min(pairs, key=lambda pair: pair[0] == pair[1], default=None)

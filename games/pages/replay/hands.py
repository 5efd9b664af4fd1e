"""The cards of a digital game in its replay: hands, tricks, and how a deal is checked.

States with hands are passed in only where their reader may see them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from games.pages.parts.cards import CardView, TrickView, card_view, trick_view
from games.pages.parts.players import Player
from games.rules import Card, Claim, Deal, FinishedRound, Play, Round
from games.rules.exchange import Hand
from games.rules.full import FullState
from games.rules.replay import Step
from games.texts import words


@dataclass(frozen=True)
class HandCard:
    """A card of a hand.  `is_chosen`: it lies face down, to be discarded or passed when all have chosen."""

    card: CardView
    is_chosen: bool


@dataclass(frozen=True)
class HandView:
    """A hand, and notes on the cards that left it before the first trick."""

    player: Player
    cards: list[HandCard]
    notes: list[str]
    is_due: bool


@dataclass(frozen=True)
class StepLink:
    """A link to a step: the step itself, the first one of a round, or the one in which a trick was led.

    `number`: of what it leads to; `text`: what happened in a single step, and `holders` after it.
    """

    number: int
    step: int
    is_shown: bool
    text: str = ""
    holders: Sequence[str] = ()


@dataclass(frozen=True)
class CardsShown:
    """The cards of a digital game after a step: hands that may be seen, the trick on the table and the one before.

    `seal`: the deal with the data to check it; its seed is None as long as it is secret.
    """

    hands: list[HandView]
    trick: TrickView | None
    last_trick: TrickView | None
    trick_links: list[StepLink]
    seal: Deal | None


def hand_views(full: FullState | None, players: Sequence[Player]) -> list[HandView]:
    """The hands by seat, empty if they are not known or no seat holds a card."""
    if full is None or not any(full.hands):
        return []
    return [
        HandView(player, _hand(full, player.seat), _notes(full, player.seat, players), player.seat in full.acting_seats)
        for player in players
    ]


def _hand(full: FullState, seat: int) -> list[HandCard]:
    face_down = Counter(full.chosen[seat])
    shown = []
    for card in full.hands[seat]:
        is_chosen = face_down[card] > 0
        face_down[card] -= is_chosen
        shown.append(HandCard(card_view(card), is_chosen))
    return shown


def _notes(full: FullState, seat: int, players: Sequence[Player]) -> list[str]:
    count = len(players)
    notes: list[tuple[str, Hand, str]] = [
        (_("chose {cards}"), full.chosen[seat], ""),
        (_("discarded {cards}"), full.discarded[seat], ""),
        (_("passed {cards} to {name}"), full.passed[seat], players[(seat - 1) % count].name),
        (_("got {cards} from {name}"), full.received[seat], players[(seat + 1) % count].name),
    ]
    return [note.format(cards=words.cards_named(cards), name=name) for note, cards, name in notes if cards]


def tricks_shown(
    step: Step | None, of: Round | FinishedRound | None, players: Sequence[Player]
) -> tuple[TrickView | None, TrickView | None]:
    """The trick on the table after a step, and the one before it.

    A trick stays until the next one is led, so that its last card is seen.
    """
    if step is None or of is None or not isinstance(step.action, Play | Claim):
        return None, None
    views = [
        trick_view(number, cards, leader=leader, winner=winner, players=players)
        for number, (cards, leader, winner) in enumerate(_known_tricks(step, of), start=1)
    ]
    return views[-1] if views else None, views[-2] if len(views) > 1 else None


def _known_tricks(step: Step, of: Round | FinishedRound) -> list[tuple[Sequence[Card], int, int | None]]:
    """The cards, leader and winner of each trick after a step; a trick that is not complete has no winner."""
    # The tricks of a physical table have no cards.
    known: list[tuple[Sequence[Card], int, int | None]] = [
        (trick.cards, trick.leader, trick.winner) for trick in of.tricks if trick.cards is not None
    ]
    if isinstance(of, Round):
        unfinished: Round | None = of
    else:
        # The claim was granted while this trick was on the table.
        unfinished = step.before.current if of.claimed is not None else None
    if unfinished is not None and unfinished.table and unfinished.leader is not None:
        known.append((unfinished.table, unfinished.leader, None))
    return known


def trick_links(applied: Sequence[Step], round_number: int, shown: int) -> list[StepLink]:
    """The tricks of a round by the step that led each."""
    led = [
        number
        for number, step in enumerate(applied, start=1)
        if isinstance(step.action, Play)
        and step.before.current is not None
        and step.before.current.number == round_number
        and not step.before.current.table
    ]
    # The last trick stays until its round ends.
    after = [number for number, step in enumerate(applied, start=1) if step.round_number > round_number]
    ends = [*led[1:], after[0] if after else len(applied) + 1]
    return [
        StepLink(number, step, step <= shown < end)
        for number, (step, end) in enumerate(zip(led, ends, strict=False), start=1)
    ]


def deal_seal(applied: Sequence[Step], round_number: int) -> Deal | None:
    """The deal of a round with the data to check it; None for cards that were not shuffled here."""
    actions = (step.action for step in applied if step.round_number == round_number)
    return next((action for action in actions if isinstance(action, Deal) and action.commitment is not None), None)

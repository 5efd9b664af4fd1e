"""The cards of a digital game looked at once more: hands, tricks, the seal of a deal.

Knows: what of a round's cards is shown at a step.  Must not know: markup, requests, how a log is folded, and whether
its reader may see a hand: states with hands are handed in only where he may.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from games.pages.parts.cards import CardView, TrickView, card_view, trick_view
from games.pages.parts.players import Player
from games.rules import Card, Claim, Deal, FinishedRound, Play, Round
from games.rules.full import FullState, Hand
from games.rules.replay import Step
from games.texts import words


@dataclass(frozen=True)
class HandCard:
    """A card of a hand.  `is_chosen`: it lies face down, to be discarded or passed when all have chosen."""

    card: CardView
    is_chosen: bool


@dataclass(frozen=True)
class HandView:
    """A hand, and what became of its other cards before the first trick."""

    player: Player
    cards: list[HandCard]
    notes: list[str]
    is_due: bool


@dataclass(frozen=True)
class TrickLink:
    """The step in which a trick was led."""

    number: int
    step: int
    is_shown: bool


@dataclass(frozen=True)
class DealSeal:
    """By what a deal can be checked.  `seed` is empty as long as it is secret."""

    commitment: str
    seed: str


def hand_views(full: FullState | None, players: Sequence[Player]) -> list[HandView]:
    """The hands by seat, nothing where they are not known or nobody holds a card."""
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
    told: list[tuple[str, Hand, str]] = [
        (_("chose {cards}"), full.chosen[seat], ""),
        (_("discarded {cards}"), full.discarded[seat], ""),
        (_("passed {cards} to {name}"), full.passed[seat], players[(seat - 1) % count].name),
        (_("got {cards} from {name}"), full.received[seat], players[(seat + 1) % count].name),
    ]
    return [note.format(cards=words.cards_named(cards), name=name) for note, cards, name in told if cards]


def tricks_shown(
    step: Step | None, of: Round | FinishedRound | None, players: Sequence[Player]
) -> tuple[TrickView | None, TrickView | None]:
    """The trick that lies on the table after a step, and the one before it.

    A trick lies there until the next one is led, so that its last card is seen.
    """
    if step is None or of is None or not isinstance(step.action, Play | Claim):
        return None, None
    # A physical table's tricks have no cards.
    known: list[tuple[Sequence[Card], int, int | None]] = [
        (trick.cards, trick.leader, trick.winner) for trick in of.tricks if trick.cards is not None
    ]
    if isinstance(of, Round) and of.table:
        assert of.leader is not None, "somebody led the open trick"
        known.append((of.table, of.leader, None))
    elif isinstance(of, FinishedRound) and of.claimed is not None and step.before.current is not None:
        broken_off = step.before.current
        if broken_off.table and broken_off.leader is not None:
            known.append((broken_off.table, broken_off.leader, None))
    views = [
        trick_view(number, cards, leader=leader, winner=winner, players=players)
        for number, (cards, leader, winner) in enumerate(known, start=1)
    ]
    return views[-1] if views else None, views[-2] if len(views) > 1 else None


def trick_links(applied: Sequence[Step], round_number: int, shown: int) -> list[TrickLink]:
    """The tricks of a round by the step that led each."""
    led = [
        number
        for number, step in enumerate(applied, start=1)
        if isinstance(step.action, Play)
        and step.before.current is not None
        and step.before.current.number == round_number
        and not step.before.current.table
    ]
    # The last trick lasts as long as its round.
    after = [number for number, step in enumerate(applied, start=1) if step.round_number > round_number]
    ends = [*led[1:], after[0] if after else len(applied) + 1]
    return [
        TrickLink(number, step, step <= shown < end)
        for number, (step, end) in enumerate(zip(led, ends, strict=False), start=1)
    ]


def deal_seal(applied: Sequence[Step], round_number: int) -> DealSeal | None:
    """The seal of the deal of a round, None at a physical table, or where the cards were given otherwise."""
    for step in applied:
        match step.action:
            case Deal(commitment=str(commitment), seed=seed) if step.round_number == round_number:
                return DealSeal(commitment, seed or "")
    return None

"""The coach: one line for each phase to a learner, with its reason.

Must not know: anything but the view of the player; hidden cards change none of its words.
"""

from __future__ import annotations

from collections import Counter

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.bots.easy import surplus
from games.rules import Phase, RowKey, TrickRules
from games.rules.editions import NJET, PASSING
from games.rules.redaction import PlayerView
from games.rules.rounds import Round
from games.texts import words

MANY = 4
"""So many cards of a suit make a good trump suit."""

LOOSE = 3
"""So many capturable cards are more than a hand keeps out of the opponents' tricks."""


def tip(view: PlayerView) -> str:
    """What helps this player now, empty where the banner says enough."""
    current = view.public.current
    if current is None or view.seat not in view.public.acting_seats:
        return ""
    match view.public.phase:
        case Phase.PLACING:
            return _placing(view, current)
        case Phase.TEAMS:
            return _teams(view, current)
        case Phase.DISCARDING | Phase.PASSING:
            return _choosing(view, current)
        case Phase.TRICKS if not current.table:
            return _leading(view, current)
        case _:
            return ""


def _placing(view: PlayerView, current: Round) -> str:
    """What to keep open: the first row that is not settled and about which the hand says something."""
    rank, seat = view.public.ruleset.edition.capturable_rank, view.seat
    open_spaces = {row.key: row.open_spaces if len(row.open_spaces) > 1 else () for row in current.board.rows}
    suits = Counter(card.suit.value for card in view.hand)
    long = [suit for suit, count in suits.most_common() if count >= MANY and suit in open_spaces[RowKey.TRUMP]]
    if long:
        sentence = ngettext(
            "You hold {count} {suit} card: keep {suit} trump open.",
            "You hold {count} {suit} cards: keep {suit} trump open.",
            suits[long[0]],
        )
        return sentence.format(count=suits[long[0]], suit=words.SUIT_NAMES[long[0]])
    loose = Counter(card.suit.value for card in view.hand if card.rank == rank)
    held = [suit for suit, _count in loose.most_common() if suit in open_spaces[RowKey.SUPERTRUMP]]
    if held:
        return _("Keep {suit} super trumps open for your {rank}.").format(suit=words.SUIT_NAMES[held[0]], rank=rank)
    if open_spaces[RowKey.POINTS]:
        if surplus(view) > 0:
            return _("Your hand is strong: keep many points open.")
        return _("Your hand is weak: keep few points open.")
    if sum(loose.values()) >= LOOSE and open_spaces[RowKey.DISCARD] and NJET in open_spaces[RowKey.DISCARD]:
        return _("You hold many {rank}s: cover njet to discard some.").format(rank=rank)
    if str(seat) in open_spaces.get(RowKey.START, ()):
        return _("Keep your token open to pick your partners.")
    return ""


def _teams(view: PlayerView, current: Round) -> str:
    """Who covered other trumps than the one that is left seems to have wanted it."""
    trump = current.board.row(RowKey.TRUMP)
    covered = Counter(mark for mark in trump.marks if isinstance(mark, int) and mark != view.seat)
    likely = [seat for seat, count in covered.most_common() if count > 1]
    if likely and trump.settled_space != NJET:
        return _("{name} seems to want this trump.").format(name=view.public.setup.names[likely[0]])
    return _("Partners score the same: take who is behind.")


def _choosing(view: PlayerView, current: Round) -> str:
    conditions = current.conditions
    assert conditions is not None, "cards are chosen once the board is settled"
    if conditions.points < 0:
        return _("Each trick costs points: away with high cards.")
    if conditions.discard == PASSING:
        return _("Keep trumps, pass low cards.")
    return _("Keep trumps, discard low cards.")


def _leading(view: PlayerView, current: Round) -> str:
    conditions = current.conditions
    assert conditions is not None, "tricks follow the settled board"
    if conditions.points < 0:
        return _("Each trick costs points: lead low.")
    rules = TrickRules.of(view.public.ruleset, conditions)
    trumps = sum(rules.is_trump_or_supertrump(card) for card in view.hand)
    if trumps:
        sentence = ngettext(
            "You hold {count} trump: lead other high cards first.",
            "You hold {count} trumps: lead other high cards first.",
            trumps,
        )
        return sentence.format(count=trumps)
    return _("You hold no trump: win early with high cards.")

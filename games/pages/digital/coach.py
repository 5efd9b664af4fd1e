"""The coach: one line for each phase to a learner: what the board makes of the hand, and which rule applies.

Must not know: anything but the view of the player, so that hidden cards change none of its words; what would be good.
That only a search says: a rule of thumb would contradict the hint on the same screen.
"""

from __future__ import annotations

from collections import Counter

from django.utils.translation import gettext as _

from games.rules import Phase, RowKey, TrickRules
from games.rules.redaction import PlayerView
from games.rules.rounds import Round
from games.texts import words

MANY = 4
"""The fewest cards of a suit that are worth a word."""


def tip(view: PlayerView) -> str:
    """What helps this player now, empty where the banner says enough."""
    current = view.public.current
    if current is None or view.seat not in view.public.acting_seats:
        return ""
    match view.public.phase:
        case Phase.PLACING:
            return _placing(view, current)
        case Phase.TEAMS:
            return " ".join((_("Partners score the same."), _tricks(view, current)))
        case Phase.DISCARDING:
            return _tricks(view, current)
        case Phase.PASSING:
            return " ".join((_passing(view), _tricks(view, current)))
        case Phase.TRICKS if not current.table and all(trick.leader != view.seat for trick in current.tricks):
            return _tricks(view, current)
        case _:
            return ""


def _placing(view: PlayerView, current: Round) -> str:
    """What the first row that is still open may make of the hand."""
    if all(int(space) < 0 for space in current.board.row(RowKey.POINTS).open_spaces):
        return _("Each trick costs points.")
    spaces = {row.key: row.open_spaces for row in current.board.rows if len(row.open_spaces) > 1}
    rank = view.public.ruleset.edition.capturable_rank
    for suit, count in Counter(card.suit.value for card in view.hand).most_common():
        if count >= MANY and suit in spaces.get(RowKey.TRUMP, ()):
            return _("Trump may be {suit}: you hold {count}.").format(suit=words.SUIT_NAMES[suit], count=count)
    capturable = Counter(card.suit.value for card in view.hand if card.rank == rank)
    for suit, count in capturable.most_common():
        if suit in spaces.get(RowKey.SUPERTRUMP, ()):
            sentence = _("Super trumps may be {suit} {rank}s: you hold {count}.")
            return sentence.format(suit=words.SUIT_NAMES[suit], rank=rank, count=count)
    if any(int(space) < 0 for space in spaces.get(RowKey.POINTS, ())):
        return _("Tricks may still cost points.")
    if capturable and RowKey.DISCARD in spaces:
        return _("A captured {rank} counts as much as a trick.").format(rank=rank)
    if view.public.players > 2 and str(view.seat) in spaces.get(RowKey.START, ()):
        return _("If your token stays open, you pick the teams.")
    return ""


def _passing(view: PlayerView) -> str:
    """Who passes to this player."""
    assert view.seat is not None, "a spectator passes nothing"
    names = view.public.setup.names
    giver = (view.seat - view.public.ruleset.edition.passes_to) % len(names)
    return _("{name} passes to you.").format(name=words.apart(names[giver]))


def _tricks(view: PlayerView, current: Round) -> str:
    """Whether tricks are wanted and, if so, what beats what and how much of it the hand holds."""
    assert current.conditions is not None, "the board is settled"
    if current.conditions.points < 0:
        return _("Each trick costs points.")
    rules = TrickRules.of(view.public.ruleset, current.conditions)
    if rules.trump is None and rules.supertrump is None:
        return _("There is no trump: the highest of a suit wins.")
    trumps = sum(map(rules.is_trump_or_supertrump, view.hand))
    supers = sum(map(rules.is_supertrump, view.hand))
    if not trumps:
        if rules.trump is None:
            return _("Super trumps beat every other card: you hold none.")
        if rules.supertrump is not None:
            return _("Trumps beat all but super trumps: you hold none.")
        return _("Trumps beat every other card: you hold none.")
    if supers == trumps:
        return _("Super trumps beat every other card: you hold {count}.").format(count=supers)
    if supers:
        sentence = _("Super trumps beat trumps: you hold {supers} and {trumps}.")
        return sentence.format(supers=supers, trumps=trumps - supers)
    if rules.supertrump is not None:
        return _("Trumps beat all but super trumps: you hold {count}.").format(count=trumps)
    return _("Trumps beat every other card: you hold {count}.").format(count=trumps)

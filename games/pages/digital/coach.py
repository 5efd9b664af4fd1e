"""The coach: one line for each phase to a learner, with its reason.

Must not know: anything but the view of the player; hidden cards change none of its words.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.bots.easy import surplus
from games.rules import Card, Conditions, Phase, RowKey, TrickRules
from games.rules.editions import EXCHANGES, NJET
from games.rules.redaction import PlayerView
from games.rules.rounds import Round
from games.texts import words

MANY = 4
"""The fewest cards of a suit that make a good trump suit."""

MANY_CAPTURABLE = 3
"""The fewest capturable cards that a hand cannot keep out of the opponents' tricks."""

SETTLED = 3
"""With so few cards left the hand is played as it is: a plan for later is no use."""

RIDS = ("discard_2", "discard_1", "pass_2_right", "pass_2_left")
"""The spaces under which capturable cards leave the hand, the best first."""


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
    spaces = {row.key: row.open_spaces for row in current.board.rows if len(row.open_spaces) > 1}
    # Where every trick will cost points, trumps are no good, and a capturable card harms the opponent who takes it.
    tricks_are_wanted = any(int(space) > 0 for space in current.board.row(RowKey.POINTS).open_spaces)
    if tricks_are_wanted:
        suits = _trump_to_keep(view, spaces) or _super_trump_to_keep(view, spaces)
        if suits:
            return suits
    if RowKey.POINTS in spaces:
        return (
            _("Your hand is strong: keep many points open.")
            if surplus(view) > 0
            else _("Your hand is weak: keep few points open.")
        )
    if tricks_are_wanted and len(_capturable(view)) >= MANY_CAPTURABLE:
        ridding = _ridding(spaces.get(RowKey.DISCARD, ()), view.public.ruleset.edition.capturable_rank)
        if ridding:
            return ridding
    if str(view.seat) in spaces.get(RowKey.START, ()):
        return _("Keep your token open to pick your partners.")
    return ""


def _trump_to_keep(view: PlayerView, spaces: Mapping[RowKey, Sequence[str]]) -> str:
    """The longest suit that can still become trump, if it is long; else empty."""
    for suit, count in Counter(card.suit.value for card in view.hand).most_common():
        if count >= MANY and suit in spaces.get(RowKey.TRUMP, ()):
            sentence = ngettext(
                "You hold {count} {suit} card: keep {suit} trump open.",
                "You hold {count} {suit} cards: keep {suit} trump open.",
                count,
            )
            return sentence.format(count=count, suit=words.SUIT_NAMES[suit])
    return ""


def _super_trump_to_keep(view: PlayerView, spaces: Mapping[RowKey, Sequence[str]]) -> str:
    """The suit of most capturable cards of the hand that can still become super trumps; else empty."""
    capturable = _capturable(view)
    for suit, _count in Counter(card.suit.value for card in capturable).most_common():
        if suit in spaces.get(RowKey.SUPERTRUMP, ()):
            return _("Keep {suit} super trumps open for your {rank}.").format(
                suit=words.SUIT_NAMES[suit], rank=capturable[0].rank
            )
    return ""


def _capturable(view: PlayerView) -> list[Card]:
    """The capturable cards of the hand."""
    return [card for card in view.hand if card.rank == view.public.ruleset.edition.capturable_rank]


def _ridding(spaces: Sequence[str], rank: int) -> str:
    """How a hand gets rid of capturable cards, empty if nothing can be done for it in this row."""
    rids = [space for space in RIDS if space in spaces]
    keeps = {*spaces} - {*rids}
    if not rids or not keeps:
        return ""
    if keeps != {NJET}:
        return _("You hold many {rank}s: keep “{space}” open.").format(rank=rank, space=words.exchange_name(rids[0]))
    if any(EXCHANGES[space].to for space in rids):
        return _("You hold many {rank}s: cover njet to get rid of some.").format(rank=rank)
    return _("You hold many {rank}s: cover njet to discard some.").format(rank=rank)


def _teams(view: PlayerView, current: Round) -> str:
    """Who covered other trumps than the one that is left seems to have wanted it."""
    trump = current.board.row(RowKey.TRUMP)
    covered = Counter(mark for mark in trump.marks if isinstance(mark, int) and mark != view.seat)
    likely = [seat for seat, count in covered.most_common() if count > 1]
    if likely and trump.settled_space != NJET:
        return _("{name} seems to want this trump.").format(name=view.public.setup.names[likely[0]])
    if len({*view.public.totals}) == 1:
        return _("Take who gains by this board, too.")
    return _("Partners score the same: take who is behind.")


def _choosing(view: PlayerView, current: Round) -> str:
    conditions = current.conditions
    assert conditions is not None, "cards are chosen once the board is settled"
    if conditions.exchange.to:
        return _passing(view, current, conditions)
    if conditions.points < 0:
        return _("Each trick costs points: away with high cards.")
    if _trumps(view, conditions):
        return _("Keep trumps, discard low cards.")
    return _("You hold no trump: keep high cards, discard low ones.")


def _passing(view: PlayerView, current: Round, conditions: Conditions) -> str:
    """Whom the cards go to decides what to pass: what a partner gets stays in the team."""
    assert view.seat is not None, "a spectator passes nothing"
    receiver = conditions.exchange.receiver(view.seat, view.public.players)
    rank = view.public.ruleset.edition.capturable_rank
    if current.teams is not None and receiver in current.teams.team_of(view.seat):
        if conditions.points < 0:
            return _("Your partner’s tricks cost you points too: pass low cards.")
        return _("Your partner gets them: pass low cards, but no {rank}s.").format(rank=rank)
    if conditions.points < 0:
        return _("Each trick costs points: away with high cards.")
    is_named = current.teams is not None
    if _trumps(view, conditions):
        return _("Keep trumps, give your opponent low cards.") if is_named else _("Keep trumps, pass low cards.")
    if is_named:
        return _("Keep high cards, give your opponent low ones.")
    return _("You hold no trump: keep high cards, pass low ones.")


def _trumps(view: PlayerView, conditions: Conditions) -> int:
    """How many trumps and super trumps the hand holds."""
    rules = TrickRules.of(view.public.ruleset, conditions)
    return sum(map(rules.is_trump_or_supertrump, view.hand))


def _leading(view: PlayerView, current: Round) -> str:
    """What to lead, as long as it can still be planned."""
    conditions = current.conditions
    assert conditions is not None, "tricks follow the settled board"
    if len(view.legal) < 2:
        return ""
    if conditions.points < 0:
        return _("Each trick costs points: lead low.")
    rules = TrickRules.of(view.public.ruleset, conditions)
    plain = [card for card in view.hand if not rules.is_trump_or_supertrump(card)]
    trumps, holds_high = len(view.hand) - len(plain), any(card.rank >= rules.edition.high_rank for card in plain)
    if not trumps:
        if not holds_high:
            return ""
        if conditions.trump is None and conditions.supertrump is None:
            return _("There is no trump: the highest of a suit wins.")
        is_early = len(current.tricks) < len(view.hand)
        return _("You hold no trump: win early with high cards.") if is_early else ""
    if holds_high:
        sentence = ngettext(
            "You hold {count} trump: lead other high cards first.",
            "You hold {count} trumps: lead other high cards first.",
            trumps,
        )
        return sentence.format(count=trumps)
    if plain and len(view.hand) > SETTLED:
        return _("Lead from a short suit: then you can trump it.")
    return ""

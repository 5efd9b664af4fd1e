"""Why an action is good, as far as the view of the seat says it: each reason is a fact that a player can check.

Must not know: anything but a `PlayerView`; how the action was found.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from statistics import fmean

from games.bots.easy import strength, surplus, worths
from games.bots.knowledge import Knowledge, knowledge_of
from games.rules.actions import Action, Discard, Hidden, NameTeam, Pass, Place, Play
from games.rules.board import suit_of_space
from games.rules.cards import Card
from games.rules.editions import RowKey
from games.rules.hints import HintReason
from games.rules.redaction import PlayerView
from games.rules.rounds import Round
from games.rules.tricks import TrickRules

LONG = 4
"""So many cards of a suit make a good trump suit."""


def reason(view: PlayerView, action: Action) -> HintReason:
    """The first reason of the list that is true of an action of this view."""
    return next(_reasons(view, action), HintReason.BEST_IN_TRIALS)


def _reasons(view: PlayerView, action: Action) -> Iterator[HintReason]:
    current = view.public.current
    assert current is not None, "an action is taken in a round"
    match action:
        case Place():
            return _placing(view, current, action)
        case NameTeam():
            return _teams(view, current, action)
        case Discard(cards) | Pass(cards) if not isinstance(cards, Hidden):
            return _choosing(view, cards, is_passed=isinstance(action, Pass))
        case Play(card):
            return _Trick(view, card).reasons()
    return iter(())


def _placing(view: PlayerView, current: Round, action: Place) -> Iterator[HintReason]:
    opened, covered = current.board.row(action.row).open_spaces, action.space
    left = [space for space in opened if space != covered]
    suits = Counter(card.suit for card in view.hand)
    match action.row:
        case RowKey.START if str(view.seat) in left:
            yield HintReason.KEEPS_TOKEN
        case RowKey.TRUMP:
            lengths = [suits[suit] for suit in map(suit_of_space, left) if suit is not None]
            suit = suit_of_space(covered)
            length = 0 if suit is None else suits[suit]
            if max(lengths, default=0) == max(suits.values()) >= LONG > 0 and length < max(lengths):
                yield HintReason.KEEPS_LONG_TRUMP
            if suit is not None and lengths and length <= min(lengths):
                yield HintReason.COVERS_SHORT_TRUMP
        case RowKey.SUPERTRUMP:
            rank = view.public.ruleset.edition.capturable_rank
            own = {card.suit for card in view.hand if card.rank == rank}
            suit = suit_of_space(covered)
            if suit is not None and suit not in own:
                kept = own & {suit_of_space(space) for space in left}
                yield HintReason.KEEPS_SUPER if kept else HintReason.COVERS_OTHER_SUPER
        case RowKey.POINTS:
            more, mean = surplus(view), fmean(map(int, left))
            if more > 0 and int(covered) < mean:
                yield HintReason.STAKES_MORE
            if more < 0 and int(covered) > mean:
                yield HintReason.STAKES_LESS
    values = dict(zip(opened, worths(view, action.row, opened), strict=True))
    if values[covered] == min(values.values()) < max(values.values()):
        yield HintReason.COVERS_WORST


def _teams(view: PlayerView, current: Round, action: NameTeam) -> Iterator[HintReason]:
    conditions, totals, players = current.conditions, view.public.totals, range(view.public.players)
    assert conditions is not None, "teams follow the settled board"
    rules = TrickRules.of(view.public.ruleset, conditions)
    shares = strength(rules, view.hand) * len(players) / view.public.ruleset.dealt
    if not action.partners:
        if conditions.points > 0 and shares > 1:
            yield HintReason.STRONG_ALONE
        return
    covered = Counter(mark for mark in current.board.row(RowKey.TRUMP).marks if isinstance(mark, int))
    if conditions.trump is not None and any(covered[partner] > 1 for partner in action.partners):
        yield HintReason.JOINS_TRUMP
    others = [totals[seat] for seat in players if seat not in (view.seat, *action.partners)]
    if others and max(totals[partner] for partner in action.partners) < min(others):
        yield HintReason.JOINS_BEHIND


def _choosing(view: PlayerView, cards: Iterable[Card], *, is_passed: bool) -> Iterator[HintReason]:
    known = knowledge_of(view)
    conditions, rules = known.conditions, TrickRules.of(view.public.ruleset, known.conditions)
    chosen, kept = list(cards), list((Counter(view.hand) - Counter(cards)).elements())
    trumps = [card for card in kept if rules.is_trump_or_supertrump(card)]
    if conditions.points < 0:
        if min(_worth(rules, card) for card in chosen) >= max(_worth(rules, card) for card in kept):
            yield HintReason.SHEDS_HIGH
        return
    loose = [card for card in chosen if card.rank == rules.capturable_rank and not rules.is_trump_or_supertrump(card)]
    if len(loose) == len(chosen) and not is_passed:
        yield HintReason.SHEDS_CAPTURABLE
    emptied = {card.suit for card in chosen} - {card.suit for card in kept} - {rules.trump}
    if emptied and trumps:
        yield HintReason.EMPTIES_SUIT
    if max(_worth(rules, card) for card in chosen) <= min(_worth(rules, card) for card in kept):
        yield HintReason.SHEDS_LOW
    if trumps and not any(map(rules.is_trump_or_supertrump, chosen)):
        yield HintReason.SAVES_TRUMPS


def _worth(rules: TrickRules, card: Card) -> tuple[int, int]:
    return rules.is_supertrump(card) + rules.is_trump_or_supertrump(card), card.rank


class _Trick:
    """A card of the hand and the trick that it would be played to.

    `ours`: the team is winning the trick before the card; `beats`: what overtakes its best card; `rest`: what others
    may hold.
    """

    def __init__(self, view: PlayerView, card: Card) -> None:
        known: Knowledge = knowledge_of(view)
        tables, sides, table = known.tables, known.sides, known.table
        assert sides is not None, "tricks follow the named teams"
        self._tables, self._hand = tables, known.hand
        self._rules = TrickRules.of(view.public.ruleset, known.conditions)
        self._card, same = card, tables.copies[card] & known.hand
        self._bit = same & -same
        self._leads, self._greedy = not table, sides.greedy
        self._rest = known.unseen | sum(known.sure)
        order = sides.orders[known.leader]
        _, mine, self._threatened = order[len(table)]
        self._supported = any(side == mine for _, side, _ in order[len(table) + 1 :])
        self._legal = tables.legal(known.hand, table[0] if table else 0)
        self._beats, winning, self._prey = 0, mine, False
        for (_, side, _), played in zip(order, table, strict=False):
            if not self._beats or played & self._beats:
                self._beats, winning = tables.beats[played], side
            self._prey |= bool(played & tables.capturable) and (side != mine or tables.everyone)
        self._ours = winning == mine

    def reasons(self) -> Iterator[HintReason]:
        """What is true of the card."""
        if self._leads:
            yield from self._leading()
        elif self._bit & self._beats:
            yield from self._overtaking() if self._greedy else ()
        else:
            yield from self._below()
        if self._has(HintReason.LOWEST):
            yield HintReason.LOWEST

    def _has(self, what: HintReason) -> bool:
        """Whether the card is at one end of the cards that may be played, or of those of them that do not win."""
        rules, legal = self._rules, self._tables.hand_of(self._legal)
        if what is HintReason.LOWEST:
            return _worth(rules, self._card) == min(_worth(rules, card) for card in legal)
        losers = self._tables.hand_of(self._legal & ~self._beats)
        return _worth(rules, self._card) == max(_worth(rules, card) for card in losers)

    def _leading(self) -> Iterator[HintReason]:
        if not self._greedy:
            return
        tables = self._tables
        if not tables.beats[self._bit] & self._rest:
            yield HintReason.SURE_TRICK
        if self._card.suit is self._rules.trump and tables.family & self._rest:
            yield HintReason.DRAWS_TRUMPS
        lengths = Counter(card.suit for card in tables.hand_of(self._hand))
        if lengths[self._card.suit] == min(lengths.values()) < max(lengths.values()):
            yield HintReason.SHORT_SUIT

    def _overtaking(self) -> Iterator[HintReason]:
        cannot_be_beaten = not self._tables.beats[self._bit] & self._rest
        winners = self._tables.hand_of(self._legal & self._beats)
        is_cheapest = _worth(self._rules, self._card) == min(_worth(self._rules, card) for card in winners)
        if is_cheapest and (cannot_be_beaten or not self._threatened):
            yield HintReason.WINS_CAPTURE if self._prey else HintReason.WINS_CHEAPLY
        if cannot_be_beaten:
            yield HintReason.SURE_TRICK
        if is_cheapest:
            yield HintReason.AHEAD_CHEAPLY

    def _below(self) -> Iterator[HintReason]:
        tables = self._tables
        loose = tables.capturable & tables.plain
        holds = not self._beats & self._rest
        if not self._greedy:
            if self._bit & loose and not self._ours and (holds or not self._supported):
                yield HintReason.GIVES_CAPTURABLE
            if self._has(HintReason.HIGHEST_BELOW):
                yield HintReason.HIGHEST_BELOW
            return
        if self._bit & loose and self._ours and (holds or not self._threatened):
            yield HintReason.SAFE_WITH_PARTNER
        if self._legal & loose and not self._bit & loose and not self._ours:
            yield HintReason.KEEPS_CAPTURABLE
        trumps = self._hand & tables.family
        if self._legal & trumps and not self._bit & trumps:
            is_last = trumps & trumps - 1 == 0
            yield HintReason.KEEPS_LAST_TRUMP if is_last else HintReason.SAVES_TRUMPS

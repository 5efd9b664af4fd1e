"""Why a card is good in its trick: each reason is a fact that a player can check.

Must not know: anything but a `PlayerView`; how the card was found.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from operator import gt, lt

from games.bots.card_trials import does_better, is_lost_anyway, wins_more_later, wins_more_now
from games.bots.knowledge import Knowledge, knowledge_of
from games.bots.playout import ahead_in
from games.fast_tricks.tables import bits, worth
from games.rules.cards import Card
from games.rules.hints import HintReason
from games.rules.redaction import PlayerView
from games.rules.tricks import TrickRules

SHORT = 2
"""The most cards of a short suit."""

FEW = 3
"""The most cards left that beat a card which is called likely to win."""


class TrickReasons:
    """A card of the hand and the trick that it would be played to.

    `_rest`: the cards that others may hold; `_beats`: those that overtake the best card of the trick; `_ours`: the team
    is winning the trick before the card; `_threatened`, `_supported`: an opponent, or a partner, plays after the card;
    `_captures`: the trick has a card that the team can capture.
    """

    def __init__(self, view: PlayerView, card: Card) -> None:
        known: Knowledge = knowledge_of(view)
        tables, sides, table = known.tables, known.sides, known.table
        assert sides is not None, "tricks follow the named teams"
        self._known = known
        self._tables = tables
        self._rules = TrickRules.of(view.public.ruleset, known.conditions)
        self._greedy = sides.greedy

        copies = tables.copies[card] & known.hand
        self._card = card
        self._bit = copies & -copies
        self._worth = worth(self._rules, card)

        self._hand = known.hand
        # Super trumps are capturable, too, and seldom captured.
        self._capturable = sum(
            bit for bit in bits(known.hand & tables.capturable) if not self._rules.is_supertrump(tables.card_of(bit))
        )
        self._legal = tables.legal(known.hand, table[0] if table else 0)
        self._rest = known.unseen | sum(known.sure)

        order = sides.orders[known.leader]
        _, own_side, self._threatened = order[len(table)]
        self._leads = not table
        self._is_last = len(table) == len(order) - 1
        self._supported = any(side == own_side for _, side, _ in order[len(table) + 1 :])

        _, winning, self._beats = ahead_in(tables, order, table)
        self._ours = winning == own_side
        self._captures = any(
            played & tables.capturable and (side != own_side or tables.everyone)
            for (_, side, _), played in zip(order, table, strict=False)
        )

    def reasons(self, other: TrickReasons | None) -> Iterator[HintReason]:
        """What is true of the card, with what is so in comparison with another one."""
        is_ahead = bool(self._bit & self._beats)
        if self._leads:
            is_risked = other is not None and bool(self._bit & self._exposed)
            yield from self._leading(is_risked=is_risked) if self._greedy else self._leading_low()
        elif self._greedy:
            yield from self._overtaking() if is_ahead else ()
            if other is not None and not is_ahead and other._would_be_in_doubt and not self._bit & self._exposed:
                yield HintReason.OTHER_IN_DOUBT
            yield from self._saving(is_ahead=is_ahead)
        else:
            yield from self._winning() if is_ahead else self._ducking()
        if other is not None and (self._leads or (self._threatened and is_ahead and other._bit & self._beats)):
            yield from self._compared(other)
        if self._leads and not self._greedy and self._keeps_lower:
            yield HintReason.KEEPS_LOWER
        if other is not None:
            yield from self._tried(other)

    def _tried(self, other: TrickReasons) -> Iterator[HintReason]:
        """What shows only when both cards are played out."""
        both, wanted = (self._known, self._bit, other._bit), 1 if self._greedy else -1
        now, later = does_better(*both)
        if self._greedy and self._bit & self._exposed:
            # One asks why this card is risked, not what another one does.
            if later and not other._bit & self._exposed and is_lost_anyway(*both):
                yield HintReason.LOST_ANYWAY
            return
        # That the lower of two cards of a suit wins more often is beyond belief.
        higher = (self._worth > other._worth) - (self._worth < other._worth)
        order = higher if self._tables.same_suit[self._bit] & other._bit else 0
        if now and order in (0, wanted) and wins_more_now(*both) == wanted:
            yield HintReason.WINS_NOW if self._greedy else HintReason.LOSES_NOW
        if later and order in (0, -wanted) and wins_more_later(*both) == wanted:
            yield HintReason.WINS_LATER if self._greedy else HintReason.LOSES_LATER

    def _compared(self, other: TrickReasons) -> Iterator[HintReason]:
        """Which of two cards is harder to beat: if they are led, also within their suits."""
        own, its = self._rivals(self._bit), self._rivals(other._bit)
        # If another card is harder (easier) to beat still, that one would be the card to play.  In a trick that is
        # wanted, a still higher card may be kept for later.
        cards = self._legal if self._leads else self._bit if self._greedy else self._legal & self._beats
        those = [self._rivals(bit)[-1] for bit in bits(cards)]
        if self._greedy and all(map(lt, own, its)) and own[-1] == min(those):
            yield HintReason.FEWER_BEAT
        if not self._greedy and all(map(gt, own, its)) and own[-1] == max(those):
            yield HintReason.MORE_BEAT

    def _rivals(self, bit: int) -> list[int]:
        """How many cards that are left beat a card; if it is led, then how many of its suit do."""
        kinds = [self._tables.beats, self._tables.beats_in_suit] if self._leads else [self._tables.beats]
        return [(beats[bit] & self._rest).bit_count() for beats in kinds]

    @property
    def _keeps_lower(self) -> bool:
        """Whether a lower card of the suit stays in the hand, which some card that is left can beat."""
        copies = self._tables.copies[self._card]
        lower = self._hand & self._tables.same_suit[self._bit] & (copies & -copies) - 1
        return bool(lower and self._tables.beats_in_suit[lower & -lower] & self._rest)

    def _is_lowest(self, cards: int) -> bool:
        """Whether none of these cards is lower."""
        return self._worth <= min(worth(self._rules, card) for card in self._tables.hand_of(cards))

    def _is_highest(self, cards: int) -> bool:
        """Whether none of these cards is higher."""
        return self._worth >= max(worth(self._rules, card) for card in self._tables.hand_of(cards))

    @property
    def _cannot_be_beaten(self) -> bool:
        return not self._tables.beats[self._bit] & self._rest

    @property
    def _length(self) -> int:
        """How many cards of the suit the hand has."""
        return (self._hand & self._tables.same_suit[self._bit]).bit_count()

    @property
    def _may_be_void(self) -> bool:
        """Whether a plain suit can still be led by others, and the hand choose then, once it has none of it."""
        is_plain = not self._bit & self._tables.family
        # The last card of a hand is no choice.
        return (
            is_plain
            and bool(self._tables.same_suit[self._bit] & self._rest)
            and self._hand.bit_count() > self._length + 1
        )

    def _leading(self, *, is_risked: bool) -> Iterator[HintReason]:
        """`is_risked`: the opponents may capture the card; that its suit is short is no reason then."""
        if self._cannot_be_beaten:
            yield HintReason.SURE_TRICK
        if self._draws_trumps:
            yield HintReason.DRAWS_TRUMPS
        if not self._tables.beats_in_suit[self._bit] & self._rest:
            yield HintReason.TOP_OF_SUIT
        can_trump = any(card.suit is self._rules.trump for card in self._tables.hand_of(self._hand))
        if self._may_be_void and self._length <= SHORT and can_trump and not is_risked:
            yield HintReason.SOON_VOID
        yield from self._keeping()

    @property
    def _draws_trumps(self) -> bool:
        """Whether others have to follow with trumps, and the card is none that they could capture.

        A super trump that asks for its printed suit draws no other cards than that suit does.
        """
        asked = self._tables.obliges[self._bit] & self._rest
        is_trump = bool(self._bit & self._tables.family & ~self._capturable)
        return is_trump and bool(asked) and not asked & ~self._tables.family

    def _leading_low(self) -> Iterator[HintReason]:
        lengths = Counter(card.suit for card in self._tables.hand_of(self._hand))
        length = lengths.pop(self._card.suit)
        if self._may_be_void and length < min(lengths.values()):
            yield HintReason.SHORT_SUIT

    def _overtaking(self) -> Iterator[HintReason]:
        is_cheapest = self._is_lowest(self._legal & self._beats)
        if self._ours:
            yield from self._topping()
        elif not self._legal & self._beats & ~self._tables.copies_of[self._bit]:
            yield HintReason.ONLY_AHEAD
        elif is_cheapest and (self._cannot_be_beaten or not self._threatened):
            yield HintReason.WINS_CAPTURE if self._captures else HintReason.WINS_CHEAPLY
        if self._cannot_be_beaten:
            yield HintReason.SURE_TRICK
        # A card that can be captured is not cheap.
        if is_cheapest and not self._ours and not self._bit & self._exposed:
            yield HintReason.AHEAD_CHEAPLY

    def _topping(self) -> Iterator[HintReason]:
        """Ahead of a partner who was ahead, and would have stayed so with another card."""
        if not self._legal & ~self._beats:
            return
        if self._is_safe:
            if self._cannot_be_beaten or self._is_last:
                yield HintReason.LEADS_NEXT
        elif self._rivals(self._bit)[0] < (self._beats & self._rest).bit_count():
            yield HintReason.TOPS_PARTNER

    @property
    def _would_be_in_doubt(self) -> bool:
        """Whether the card would be ahead of the opponents, and one of them could still beat it."""
        return bool(self._bit & self._beats) and not self._ours and self._may_be_beaten(self._bit)

    @property
    def _exposed(self) -> int:
        """The cards that can be captured, of those that may be played, which the opponents may get in this trick."""
        if not self._leads and self._is_safe:
            return 0
        cards = bits(self._legal & self._capturable)
        return sum(bit for bit in cards if not (self._leads or bit & self._beats) or self._may_be_beaten(bit))

    def _may_be_beaten(self, bit: int) -> bool:
        return self._threatened and bool(self._tables.beats[bit] & self._rest)

    @property
    def _is_safe(self) -> bool:
        """Whether the team wins the trick, even with the lowest card."""
        return self._ours and (not self._beats & self._rest or not self._threatened)

    def _winning(self) -> Iterator[HintReason]:
        """Ahead in a trick that costs points."""
        is_forced = not self._legal & ~self._beats
        if (is_forced or self._ours) and not self._threatened and self._is_highest(self._legal):
            yield HintReason.WINS_HIGH

    def _ducking(self) -> Iterator[HintReason]:
        """Behind in a trick that costs points."""
        holds = not self._beats & self._rest
        if self._bit & self._tables.plain_capturable and not self._ours and (holds or not self._supported):
            yield HintReason.GIVES_CAPTURABLE
        # Where a partner has the trick anyway, that somebody else of the team wins it avoids nothing.
        if self._is_safe:
            return
        if self._is_highest(self._legal & ~self._beats):
            yield HintReason.HIGHEST_BELOW
        yield HintReason.DUCKS

    def _saving(self, *, is_ahead: bool) -> Iterator[HintReason]:
        """What is kept, or put where it is safe, in a trick that is wanted."""
        capturable = self._capturable
        if self._bit & capturable and self._is_safe and not is_ahead:
            yield HintReason.SAFE_WITH_PARTNER
        if self._ours and not is_ahead and not self._bit & capturable and self._is_lowest(self._legal):
            yield HintReason.PARTNER_WINS
        if self._ours and self._bit & self._exposed and (self._beats & self._rest).bit_count() <= FEW:
            yield HintReason.LIKELY_WITH_PARTNER
        others = self._legal & ~capturable
        if not self._ours and not self._legal & self._beats and self._bit & others and self._is_lowest(others):
            yield HintReason.CANNOT_WIN if others == self._legal else HintReason.SPENDS_LOWEST
        yield from self._keeping()

    def _keeping(self) -> Iterator[HintReason]:
        """What another card would have spent."""
        if self._exposed and not self._bit & self._capturable:
            yield HintReason.KEEPS_CAPTURABLE
        trumps = self._hand & self._tables.family
        if self._legal & trumps and not self._bit & (trumps | self._exposed):
            if trumps & trumps - 1:
                yield HintReason.SAVES_TRUMPS
            else:
                is_super = self._rules.is_supertrump(self._tables.card_of(trumps))
                yield HintReason.SAVES_SUPER if is_super else HintReason.KEEPS_LAST_TRUMP

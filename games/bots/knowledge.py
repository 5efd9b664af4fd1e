"""What follows from a view about the cards that it does not show.

Must not know: anything but a `PlayerView`; how the unseen cards are guessed (`sampling.py`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from games.bots.placements import odds_of
from games.bots.playout import Sides, sides_of
from games.fast_tricks.tables import Tables, bits, tables_of
from games.rules.board import Conditions
from games.rules.cards import Card
from games.rules.redaction import PlayerView
from games.rules.rounds import Phase, Round


@dataclass(frozen=True, slots=True)
class Holder:
    """A place where unseen cards lie: a hand, a discard, or (`seat` None) what was not dealt.

    `room`: how many unseen cards it holds; `barred`: which cards it cannot hold; `odds`: by bit, how much likelier than
    by chance it holds a card; `discard`: it is a seat's discard.
    """

    seat: int | None
    room: int
    barred: int
    odds: Mapping[int, float]
    discard: bool = False


@dataclass(frozen=True, slots=True)
class Choice:
    """A card that another player chose to play, with what they knew, but for their hand.

    `copies`: the bits of that card and its identical copies; `since`: their cards from this one on; `gone`: what had
    been played before; `led` 0: they led; the rest as in `policy.follow`.
    """

    seat: int
    copies: int
    since: int
    gone: int
    led: int
    beats: int
    ours: bool
    threatened: bool


@dataclass(frozen=True, slots=True)
class Knowledge:
    """What a seat knows about the cards of a round whose board is settled.

    `hand`: its own; `sure[seat]`: cards known to be in another hand; `unseen` lie in the `holders`.  `table`: the open
    trick, from `leader` on; `choices`: what the others played; `sides` is None before the teams are named.
    """

    tables: Tables
    conditions: Conditions
    seat: int
    sides: Sides | None
    hand: int
    sure: tuple[int, ...]
    unseen: int
    holders: tuple[Holder, ...]
    leader: int
    table: tuple[int, ...]
    choices: tuple[Choice, ...]

    def hands(self, dealt: Iterable[int]) -> list[int]:
        """All hands, by seat, if the holders have these cards."""
        found = list(self.sure)
        found[self.seat] = self.hand
        for holder, mask in zip(self.holders, dealt, strict=True):
            if holder.seat is not None and not holder.discard:
                found[holder.seat] |= mask
        return found


def knowledge_of(view: PlayerView) -> Knowledge:
    """What the view of a player says, once the board is settled."""
    current, seat = view.public.current, view.seat
    assert current is not None, "only a game that is not finished has a round"
    assert current.conditions is not None, "before the last marker no card has a worth"
    assert seat is not None, "a spectator decides nothing"
    conditions, leader = current.conditions, current.leader
    assert leader is not None, "a settled board says who leads"
    tables = tables_of(view.public.ruleset, conditions.trump, conditions.supertrump)
    sides = None if current.teams is None else sides_of(current.teams, conditions.points)
    naming = _Naming(tables)
    hand = naming.name(view.hand)
    own = naming.name(view.discarded)
    history = _History(tables, view.public.players, sides)
    history.read(current, naming)
    sure = [0] * view.public.players
    if view.passed:
        receiver = conditions.exchange.receiver(seat, view.public.players)
        sure[receiver] = naming.name(_still_held(view.passed, tables, history.played[receiver]))
    unseen = tables.everything & ~(hand | own | history.gone | sum(sure))
    return Knowledge(
        tables=tables,
        conditions=conditions,
        seat=seat,
        sides=sides,
        hand=hand,
        sure=tuple(sure),
        unseen=unseen,
        holders=_holders(view, tables, current, history.barred, sure, unseen),
        leader=leader,
        table=tuple(history.table),
        choices=tuple(choice for choice in history.choices(sure) if choice.seat != seat),
    )


class _Naming:
    """Gives each seen card a bit of its own."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._named = 0

    def name(self, cards: Iterable[Card]) -> int:
        mask = self._tables.mask_of(cards, taken=self._named)
        self._named |= mask
        return mask


class _History:
    """The tricks of a round, read card by card."""

    def __init__(self, tables: Tables, players: int, sides: Sides | None) -> None:
        self.tables = tables
        self.sides = sides
        self.played = [0] * players
        self.barred = [0] * players
        self.gone = 0
        self.table: list[int] = []
        self._turns: list[tuple[int, int, int, int, int, bool, bool]] = []

    def read(self, current: Round, naming: _Naming) -> None:
        """Read all tricks, the open one last."""
        for trick in current.tricks:
            assert trick.cards is not None, "in digital play every card is known"
            self._trick(trick.leader, [naming.name([card]) for card in trick.cards])
        if current.table:
            assert current.leader is not None, "a player led the open trick"
            self.table = [naming.name([card]) for card in current.table]
            self._trick(current.leader, self.table)

    def _trick(self, leader: int, cards: list[int]) -> None:
        assert self.sides is not None, "tricks follow the named teams"
        tables, led, beats, winning = self.tables, 0, 0, 0
        for (seat, side, threatened), card in zip(self.sides.orders[leader], cards, strict=False):
            self._turns.append((seat, card, self.gone, led, beats, side == winning, threatened))
            if led and not card & tables.satisfies[led]:
                self.barred[seat] |= tables.obliges[led]
                if not card & tables.family:
                    self.barred[seat] |= tables.forced
            if not led or card & beats:
                beats, winning = tables.beats[card], side
            led = led or card
            self.played[seat] |= card
            self.gone |= card

    def choices(self, sure: list[int]) -> list[Choice]:
        """What was chosen, each with the cards that the seat certainly held then."""
        since, found = list(sure), []
        for seat, card, gone, led, beats, ours, threatened in reversed(self._turns):
            since[seat] |= card
            copies = self.tables.copies_of[card]
            found.append(Choice(seat, copies, since[seat], gone, led, beats, ours, threatened))
        return found


def _still_held(passed: tuple[Card, ...], tables: Tables, played: int) -> list[Card]:
    """The passed cards that the neighbour must still hold; identical ones they played may have been them."""
    left = Counter(passed)
    left.subtract(tables.card_of(bit) for bit in bits(played))
    return list((+left).elements())


def _holders(
    view: PlayerView, tables: Tables, current: Round, barred: list[int], sure: list[int], unseen: int
) -> tuple[Holder, ...]:
    assert current.conditions is not None, "before the last marker no card has a worth"
    conditions, others = current.conditions, [seat for seat in range(view.public.players) if seat != view.seat]
    cards = [(bit, tables.card_of(bit)) for bit in bits(unseen)]
    odds = [{bit: likely[card] for bit, card in cards} for likely in odds_of(view)]
    holders = [
        Holder(seat, current.hand_sizes[seat] - sure[seat].bit_count(), barred[seat], odds[seat]) for seat in others
    ]
    gone = conditions.exchange.discarded
    if gone and (current.exchanged or view.public.phase is Phase.TRICKS):
        holders += [Holder(seat, gone, 0, odds[seat], discard=True) for seat in others]
    undealt = unseen.bit_count() - sum(holder.room for holder in holders)
    if undealt:
        holders.append(Holder(None, undealt, 0, dict.fromkeys(odds[0], 1.0)))
    return tuple(holders)

"""The cards of a digital game on the phone of a seat: its hand, the open trick, the last one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from games.pages.digital.slots import Arrangement, Slot, arrange
from games.pages.parts.cards import CardView, card_view
from games.pages.parts.players import Player, players_of
from games.rules import (
    Action,
    Card,
    Discard,
    FinishedRound,
    Hidden,
    Pass,
    Phase,
    Play,
    PublicState,
    Round,
    Ruleset,
    Trick,
    TrickRules,
)
from games.rules.cards import sort_hand
from games.rules.redaction import PlayerView
from games.texts import words

TRUMP, SUPER = "trump", "super"


@dataclass(frozen=True)
class HandCard:
    """A card of the reader's own hand.

    `key`: unique among identical cards; `slot`: where it stands; `rise`: trump or super trump; `is_playable`: it may be
    played, discarded or passed now; `is_allowed`: a refusal names it; `is_shown`: a hint does; `is_new`: it was passed
    to this hand.
    """

    key: str
    card: CardView
    slot: Slot
    rise: str
    label: str
    is_playable: bool
    is_allowed: bool
    is_shown: bool
    is_new: bool


@dataclass(frozen=True)
class HandView:
    """The hand at the bottom.  `does`: the action that a tap is (play, discard, pass), empty if a tap does nothing.

    `may_tap`: whether a card is a button at all; `button`: what the button says before cards are chosen; `full`: once
    all are, with places for them; `kept`: why some cards may not be chosen; `to`: how many seats clockwise they go;
    `duty`: what the hand has to play if it may not play every card; `slots`: where its cards stand.
    """

    cards: list[HandCard]
    does: str
    is_due: bool
    may_tap: bool
    needed: int
    button: str
    full: str
    kept: str
    to: int
    duty: str
    slots: Arrangement


@dataclass(frozen=True)
class TableCard:
    """A place of a trick: whose it is, and the card once it is played.

    `order`: 1 for the leader; `wins`: the highest so far.
    """

    player: Player
    order: int
    card: CardView | None
    rise: str
    wins: bool
    is_due: bool
    label: str


@dataclass(frozen=True)
class TrickShown:
    """A trick in playing order.  `key` changes with every complete trick; `sentence` says who won it."""

    key: str
    number: int
    places: list[TableCard]
    winner: Player | None
    sentence: str


@dataclass(frozen=True)
class GoneLine:
    """The cards of a suit that a seat knows to be gone: the name of the suit, their ranks, how often if not once."""

    suit: str
    name: str
    ranks: str


def cards_gone(view: PlayerView) -> list[GoneLine]:
    """The cards in complete tricks and the reader's own discards, by suit; empty before the first trick is complete.

    Of cards that another seat has discarded or passed a view knows nothing.
    """
    current = view.public.current
    if current is None or not current.tricks:
        return []
    gone = Counter([*view.discarded, *(card for trick in current.tricks for card in trick.cards or ())])
    lines = []
    for suit in view.public.ruleset.edition.suits:
        ranks = sorted((card.rank, count) for card, count in gone.items() if card.suit is suit)
        shown = ", ".join(str(rank) if count == 1 else f"{rank} ×{count}" for rank, count in ranks)
        lines.append(GoneLine(suit.value, str(words.SUIT_NAMES[suit.value]), shown or "–"))
    return lines


def hand_of(view: PlayerView, *, shown: Sequence[str] = (), hinted: Sequence[Card] = ()) -> HandView:
    """The hand of the reader's seat.  `shown`: the cards that a refusal has named; `hinted`: those of a hint."""
    state, current = view.public, view.public.current
    rules = _trick_rules(state, current)
    playable = _playable(view)
    new = Counter(view.received if current is not None and not current.tricks else ())
    held = sort_hand((Counter(view.hand) - Counter(view.chosen)).elements())
    # Cards that were discarded keep their slots as well: the others stay where they were.
    gone = view.chosen or (*view.discarded, *own_cards(current, view.seat))
    dealt = Counter([*held, *gone, *view.passed]) - Counter(view.received) if view.received else Counter()
    slots = arrange(held, gone, [*dealt.elements()], discards=len(view.chosen or view.discarded))
    numbers: Counter[Card] = Counter()
    is_due = view.seat in state.acting_seats
    does = {Phase.TRICKS: "play", Phase.DISCARDING: "discard", Phase.PASSING: "pass"}.get(state.phase, "")
    # A choice is final: there is nothing to tap until all have chosen.
    may_tap = bool(does) and (does == "play" or is_due)
    cards = []
    for card, slot in zip(held, slots.slots, strict=True):
        number = numbers[card]
        numbers[card] += 1
        cards.append(
            HandCard(
                key=f"{card}-{number}",
                card=card_view(card),
                slot=slot,
                rise=rise_of(rules, card),
                label=_label(card, rise_of(rules, card), is_new=number < new[card]),
                is_playable=is_due and card in playable,
                is_allowed=str(card) in shown,
                is_shown=number < hinted.count(card),
                is_new=number < new[card],
            )
        )
    cards.sort(key=lambda each: each.slot.flat)
    needed = next((len(cards_of(each)) for each in view.legal if isinstance(each, Discard | Pass)), 0)
    return HandView(
        cards=cards,
        does=does,
        is_due=is_due,
        may_tap=may_tap,
        needed=needed,
        button=words.choose_button(does, needed),
        full=words.choose_full(does, needed),
        kept=words.capturable_kept(state.ruleset.edition.capturable_rank) if does == "discard" else "",
        to=state.ruleset.edition.passes_to if does == "pass" else 0,
        duty=_duty(rules, current, held, playable) if does == "play" and is_due else "",
        slots=slots,
    )


def own_cards(current: Round | None, seat: int | None) -> tuple[Card, ...]:
    """The cards that a seat has played in the round, in playing order."""
    if current is None or seat is None or current.leader is None:
        return ()
    tricks = [*((trick.leader, trick.cards or ()) for trick in current.tricks), (current.leader, current.table)]
    return tuple(
        card
        for leader, cards in tricks
        for index, card in enumerate(cards)
        if (leader + index) % len(current.hand_sizes) == seat
    )


def _duty(rules: TrickRules | None, current: Round | None, held: Sequence[Card], playable: frozenset[Card]) -> str:
    """What a hand that may not play every card has to play, in words."""
    if rules is None or current is None or not current.table or playable == frozenset(held):
        return ""
    led = current.table[0]
    if any(rules.obliges(card, led) for card in held) and not rules.asks_for_trumps(led):
        return _("follow {suit}").format(suit=words.SUIT_NAMES[led.suit.value])
    return _("play a trump")


def _playable(view: PlayerView) -> frozenset[Card]:
    """The cards that occur in something the seat may do now."""
    return frozenset(card for action in view.legal for card in cards_of(action))


def cards_of(action: Action | None) -> tuple[Card, ...]:
    """The cards of a hand that an action names."""
    match action:
        case Play(card):
            return (card,)
        case Discard(cards) | Pass(cards) if not isinstance(cards, Hidden):
            return cards
    return ()


def _trick_rules(state: PublicState, of: Round | FinishedRound | None) -> TrickRules | None:
    return None if of is None or of.conditions is None else TrickRules.of(state.ruleset, of.conditions)


@dataclass(frozen=True)
class LogLine:
    """What a player did, in a sentence; `card`: with which one they won a trick."""

    player: Player
    sentence: str
    card: CardView | None = None


def rise_of(rules: TrickRules | None, card: Card) -> str:
    """Whether a card is trump or super trump, empty before the board is settled."""
    if rules is None:
        return ""
    if rules.is_supertrump(card):
        return SUPER
    return TRUMP if card.suit is rules.trump else ""


def _label(card: Card, rise: str, *, is_new: bool) -> str:
    parts = [words.card_name(card)]
    parts += {TRUMP: [_("trump")], SUPER: [_("super trump")]}.get(rise, [])
    parts += [_("just passed to you")] if is_new else []
    return ", ".join(parts)


def open_trick(state: PublicState) -> TrickShown | None:
    """The trick on the table with a place for everybody, in playing order; None outside the tricks."""
    current, players = state.current, players_of(state.setup)
    if state.phase is not Phase.TRICKS or current is None or current.leader is None:
        return None
    rules = _trick_rules(state, current)
    table = current.table
    best = rules.winner(table) if rules is not None and table else None
    places = []
    for index in range(len(players)):
        player = players[(current.leader + index) % len(players)]
        card = table[index] if index < len(table) else None
        is_due = index == len(table)
        places.append(_place(player, index, card, rules, wins=index == best, is_due=is_due))
    return TrickShown(_key(current), len(current.tricks) + 1, places, None, "")


def last_trick(state: PublicState, of: Round | FinishedRound | None) -> TrickShown | None:
    """The last complete trick of a round, None if there is none."""
    trick, rules = of.tricks[-1] if of is not None and of.tricks else None, _trick_rules(state, of)
    if of is None or trick is None or trick.cards is None or rules is None:
        return None
    players = players_of(state.setup)
    winner = players[trick.winner]
    places = []
    for index, card in enumerate(trick.cards):
        player = players[(trick.leader + index) % len(players)]
        places.append(_place(player, index, card, rules, wins=player.seat == trick.winner, is_due=False))
    return TrickShown(_key(of), len(of.tricks), places, winner, _won(trick, rules, winner, state.ruleset).sentence)


def tricks_won(state: PublicState, of: Round | FinishedRound) -> list[LogLine]:
    """Who won each trick of a round and why, the latest first."""
    rules, players = _trick_rules(state, of), players_of(state.setup)
    assert rules is not None, "cards are played once the board is settled"
    return [_won(trick, rules, players[trick.winner], state.ruleset) for trick in reversed(of.tricks)]


def _won(trick: Trick, rules: TrickRules, winner: Player, ruleset: Ruleset) -> LogLine:
    assert trick.cards is not None, "the cards of a digital game are known"
    card = trick.cards[(trick.winner - trick.leader) % len(trick.cards)]
    sentence = words.trick_reason(winner.name, rules.reason(trick.cards), card, trick.captured, ruleset)
    return LogLine(winner, sentence, card_view(card))


def _key(of: Round | FinishedRound) -> str:
    return f"{of.number}-{len(of.tricks)}"


def _place(
    player: Player, place: int, card: Card | None, rules: TrickRules | None, *, wins: bool, is_due: bool
) -> TableCard:
    if card is None:
        text = _("{name}: to play now") if is_due else _("{name}: to play later")
        label = text.format(name=player.name)
    else:
        text = _("{name}: {card}, the highest") if wins else _("{name}: {card}")
        label = text.format(name=player.name, card=_label(card, rise_of(rules, card), is_new=False))
    return TableCard(
        player=player,
        order=place + 1,
        card=None if card is None else card_view(card),
        rise="" if card is None else rise_of(rules, card),
        wins=wins,
        is_due=is_due,
        label=label,
    )

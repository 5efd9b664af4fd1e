"""The cards of a digital game in its replay: hands, tricks, and how a deal is checked.

States with hands are passed in only where their reader may see them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from django.utils.translation import gettext as _

from games.pages.parts.cards import CardView, LineCard, SuitLine, card_view, card_views, suit_lines
from games.pages.parts.players import AROUND, Player
from games.rules import (
    Card,
    Claim,
    Deal,
    Discard,
    FinishedRound,
    NameTeam,
    Pass,
    Play,
    Round,
    Ruleset,
    Trick,
    TrickRules,
    Won,
)
from games.rules.exchange import Hand
from games.rules.full import FullState
from games.rules.replay import Step
from games.texts import words

KnownTrick = tuple[Sequence[Card], int, Trick | None]
"""The cards of a trick, who led it, and the trick itself once it is complete."""


@dataclass(frozen=True)
class HandNote:
    """What happened to cards before the first trick, in words and as shown.

    `symbol`: a word, or an arrow to or from `other`; empty where the suit lines show the cards themselves.
    """

    text: str
    cards: list[CardView]
    symbol: str
    other: Player | None = None


@dataclass(frozen=True)
class HandView:
    """A hand, and notes on the cards that left it before the first trick.

    `lines`: what it held at the first trick, suit by suit; `unseen`: cards that the chosen seat does not see;
    `is_better`: its player should have been named; `team`: “a” for the first team, “b” for the other one, empty before
    there are teams.
    """

    player: Player
    lines: list[SuitLine]
    notes: list[HandNote]
    is_due: bool
    is_better: bool
    unseen: int
    team: str
    scores_double: bool
    won: Won


@dataclass(frozen=True)
class FeltPlace:
    """A player's place at the felt.

    `played`: their card of the trick, None until they play; `wins`: whether it has won the trick; `order`: 1 for the
    card that led; `given`: the cards that they discard or pass, before the first trick; `at`: where they sit; `team`,
    `won`: as those of their hand.
    """

    player: Player
    played: CardView | None
    wins: bool
    order: int
    given: list[CardView]
    at: str
    team: str
    won: Won


@dataclass(frozen=True)
class TrickSeen:
    """A trick on the felt.

    `places`: one for each player, clockwise; `reason`: why it was won, empty while it is open.
    """

    number: int
    places: list[FeltPlace]
    reason: str


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
    """The cards of a digital game after a step: hands that may be seen, the trick on the table.

    `places`: the seats around the felt, empty while the board lies there; `seal`: the deal with the data to check it;
    its seed is None as long as it is secret.
    """

    hands: list[HandView]
    trick: TrickSeen | None
    places: list[FeltPlace]
    trick_links: list[StepLink]
    seal: Deal | None


def hand_views(
    full: FullState | None,
    step: Step | None,
    of: Round | FinishedRound | None,
    players: Sequence[Player],
    *,
    seat: int | None = None,
    us: int | None = None,
    better: Sequence[Card] = (),
    named: Collection[int] = (),
) -> list[HandView]:
    """The hands by seat, empty if they are not known or no seat holds a card.

    `seat`: whose knowledge is shown: of the others only what they have played; `better`: which cards the player who
    acted should have taken, `named`: which seats they should have named.  `us`: the seat that looks: their hand comes
    first, so that what they should have taken is in sight, and their team is the first one; else it is the start
    player's.
    """
    if full is None or not any(full.hands):
        return []
    acted = None if step is None else step.seat
    tricks = _known_tricks(step, of) if of is not None else []
    return [
        _hand_view(
            full,
            of,
            tricks,
            player,
            players,
            is_open=seat in (None, player.seat),
            us=us,
            better=better if player.seat == acted else (),
            is_better=player.seat in named,
        )
        for player in (*players[us or 0 :], *players[: us or 0])
    ]


def _team(of: Round | FinishedRound | None, seat: int, us: int | None) -> str:
    if of is None or of.teams is None:
        return ""
    return "a" if seat in (of.teams.own if us is None else of.teams.team_of(us)) else "b"


def _hand_view(
    full: FullState,
    of: Round | FinishedRound | None,
    tricks: Sequence[KnownTrick],
    player: Player,
    players: Sequence[Player],
    *,
    is_open: bool,
    us: int | None,
    better: Sequence[Card],
    is_better: bool,
) -> HandView:
    seat = player.seat
    held = _held(full, seat, better) if is_open else []
    return HandView(
        player=player,
        lines=_lines(full, seat, held, tricks),
        notes=_notes(full, seat, players) if is_open else [],
        is_due=seat in full.acting_seats,
        is_better=is_better,
        unseen=0 if is_open else len(full.hands[seat]),
        team=_team(of, seat, us),
        scores_double=of is not None and of.teams is not None and of.teams.monster == seat,
        won=_won(of, seat, len(players)),
    )


def _won(of: Round | FinishedRound | None, seat: int, players: int) -> Won:
    if of is None:
        return Won()
    return (of.won(players) if isinstance(of, Round) else of.won)[seat]


def _lines(full: FullState, seat: int, held: Sequence[LineCard], tricks: Sequence[KnownTrick]) -> list[SuitLine]:
    played = [
        (card, trick is tricks[-1])
        for trick in tricks
        for index, card in enumerate(trick[0])
        if (trick[1] + index) % len(full.hands) == seat
    ]
    cards = [LineCard(card_view(card), is_played=not now, is_now=now) for card, now in played]
    return suit_lines((*cards, *held), full.public.ruleset.edition)


def _held(full: FullState, seat: int, better: Sequence[Card]) -> list[LineCard]:
    face_down, taken = Counter(full.chosen[seat]), Counter(better)
    shown = []
    for card in full.hands[seat]:
        is_chosen = face_down[card] > 0
        face_down[card] -= is_chosen
        is_better = taken[card] > 0
        taken[card] -= is_better
        shown.append(LineCard(card_view(card), is_chosen=is_chosen, is_better=is_better))
    return shown


def _notes(full: FullState, seat: int, players: Sequence[Player]) -> list[HandNote]:
    count, to = len(players), full.public.ruleset.edition.passes_to
    away, back = ("→", "←") if to < 0 else ("←", "→")
    notes: list[tuple[str, Hand, str, Player | None]] = [
        (_("chose {cards}"), full.chosen[seat], "", None),
        (_("discarded {cards}"), full.discarded[seat], _("discard"), None),
        (_("passed {cards} to {name}"), full.passed[seat], away, players[(seat + to) % count]),
        (_("got {cards} from {name}"), full.received[seat], back, players[(seat - to) % count]),
    ]
    return [
        HandNote(
            note.format(cards=words.cards_named(cards), name="" if other is None else other.name),
            card_views(cards),
            symbol,
            other,
        )
        for note, cards, symbol, other in notes
        if cards
    ]


def trick_shown(
    step: Step | None,
    of: Round | FinishedRound | None,
    players: Sequence[Player],
    ruleset: Ruleset,
    *,
    us: int | None = None,
) -> TrickSeen | None:
    """The trick on the table after a step, as `us` sits at it.

    A trick stays until the next one is led, so that its last card is seen.
    """
    if step is None or of is None or not isinstance(step.action, Play | Claim) or of.conditions is None:
        return None
    tricks = _known_tricks(step, of)
    if not tricks:
        return None
    cards, leader, trick = tricks[-1]
    winner = None if trick is None else trick.winner
    played = {(leader + index) % len(players): card_view(card) for index, card in enumerate(cards)}
    places = _places(of, players, us, played=played, leader=leader, winner=winner)
    reason = ""
    if trick is not None:
        why = TrickRules.of(ruleset, of.conditions).reason(cards)
        best = cards[(trick.winner - leader) % len(players)]
        reason = words.trick_reason(players[trick.winner].name, why, best, trick.captured, ruleset)
    return TrickSeen(len(tricks), places, reason)


def places_before_tricks(
    step: Step | None,
    of: Round | FinishedRound | None,
    full: FullState | None,
    players: Sequence[Player],
    *,
    seat: int | None = None,
    us: int | None = None,
) -> list[FeltPlace]:
    """The seats after a step between the board and the first trick, with the cards that `seat` sees given away."""
    if full is None or of is None or step is None or not isinstance(step.action, NameTeam | Discard | Pass):
        return []
    given = {
        player.seat: card_views(full.chosen[player.seat] or full.discarded[player.seat] or full.passed[player.seat])
        for player in players
        if seat in (None, player.seat)
    }
    return _places(of, players, us, given=given)


def _places(
    of: Round | FinishedRound,
    players: Sequence[Player],
    us: int | None,
    *,
    played: Mapping[int, CardView] = MappingProxyType({}),
    leader: int = 0,
    winner: int | None = None,
    given: Mapping[int, list[CardView]] = MappingProxyType({}),
) -> list[FeltPlace]:
    """The seats around the felt clockwise, the one who looks last."""
    first = 0 if us is None else us + 1
    return [
        FeltPlace(
            player=player,
            played=played.get(player.seat),
            wins=player.seat == winner,
            order=(player.seat - leader) % len(players) + 1,
            given=given.get(player.seat, []),
            at=at,
            team=_team(of, player.seat, us),
            won=_won(of, player.seat, len(players)),
        )
        for player, at in zip((*players[first:], *players[:first]), AROUND[len(players)], strict=True)
    ]


def _known_tricks(step: Step | None, of: Round | FinishedRound) -> list[KnownTrick]:
    """The tricks of a round after a step."""
    # The tricks of a physical table have no cards.
    known: list[KnownTrick] = [(trick.cards, trick.leader, trick) for trick in of.tricks if trick.cards is not None]
    if isinstance(of, Round):
        unfinished: Round | None = of
    else:
        # The claim was granted while this trick was on the table.
        unfinished = step.before.current if step is not None and of.claimed is not None else None
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

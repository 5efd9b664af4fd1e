"""Why an action is better than the second best: a fact that a player can check, true of the one and not of the other.

Must not know: anything but a `PlayerView`; how the action was found.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from games.bots.easy import strength, surplus
from games.bots.knowledge import knowledge_of
from games.bots.trick_reasons import TrickReasons
from games.fast_tricks.tables import worth
from games.rules.actions import Action, Discard, Hidden, NameTeam, Pass, Place, Play
from games.rules.board import Conditions, suit_of_space
from games.rules.cards import Card
from games.rules.editions import EXCHANGES, NJET, RowKey
from games.rules.hints import EMPTIES, HintReason
from games.rules.redaction import PlayerView
from games.rules.rounds import Round
from games.rules.tricks import TrickRules

LONG = 4
"""The fewest cards of a suit that make a good trump suit."""

MANY = 2
"""From this number of capturable cards on some should be discarded."""

FEW = 2
"""The most open spaces of a row of which covering another one makes each clearly likelier."""


def reason(view: PlayerView, action: Action, other: Action | None) -> HintReason:
    """The first reason of the list that is true of an action of this view and not of the other.

    `other`: the second best, None if all actions have the same effect.
    """
    if other is None:
        return HintReason.ALL_EQUAL
    shared = set(_reasons(view, other))
    return next((each for each in _reasons(view, action) if each not in shared), HintReason.BEST_IN_TRIALS)


def shared_reason(view: PlayerView, action: Action) -> HintReason | None:
    """The first reason that is true of an action and not of all that may be done; None if none is.

    The names of two teams leave no room for one.
    """
    if isinstance(action, NameTeam):
        return None
    met = Counter(each for other in view.legal for each in set(_reasons(view, other)))
    return next((each for each in _reasons(view, action) if met[each] < len(view.legal)), None)


def holder_reason(view: PlayerView, team: NameTeam) -> HintReason:
    """Why this player is to hold the monster of a team, rather than another one of it."""
    return next(_doubled(view, team), HintReason.BEST_IN_TRIALS)


def _reasons(view: PlayerView, action: Action) -> Iterator[HintReason]:
    current = view.public.current
    assert current is not None, "an action is taken in a round"
    match action:
        case Place():
            return _placing(view, current, action)
        case NameTeam():
            return _teams(view, current, action)
        case Discard(cards) | Pass(cards) if not isinstance(cards, Hidden):
            return _choosing(view, current, cards, is_passed=isinstance(action, Pass))
        case Play(card):
            return TrickReasons(view, card).reasons()
    return iter(())


def _placing(view: PlayerView, current: Round, action: Place) -> Iterator[HintReason]:
    opened, covered = current.board.row(action.row).open_spaces, action.space
    left = [space for space in opened if space != covered]
    match action.row:
        case RowKey.START:
            yield from _starting(view, covered, left)
        case RowKey.TRUMP:
            yield from _trump(view, current, covered, left)
        case RowKey.SUPERTRUMP:
            yield from _supertrump(view, current, covered, left)
        case RowKey.POINTS:
            more, points = surplus(view), [int(space) for space in left]
            if more > 0 and int(covered) < min(points):
                yield HintReason.STAKES_MORE
            if more < 0 and int(covered) > max(points):
                yield HintReason.STAKES_LESS
        case RowKey.DISCARD:
            yield from _discard(view, current, covered, left)


def _starting(view: PlayerView, covered: str, left: Sequence[str]) -> Iterator[HintReason]:
    totals = view.public.totals
    if covered == str(view.seat):
        yield HintReason.COVERS_OWN_TOKEN
        return
    if str(view.seat) in left and len(left) <= FEW:
        yield HintReason.KEEPS_TOKEN
    if totals[int(covered)] == max(totals) > min(totals):
        yield HintReason.COVERS_LEADER
    yield HintReason.COVERS_TOKEN


def _trump(view: PlayerView, current: Round, covered: str, left: Sequence[str]) -> Iterator[HintReason]:
    suits = Counter(card.suit for card in view.hand)
    lengths = [suits[suit] for suit in map(suit_of_space, left) if suit is not None]
    suit = suit_of_space(covered)
    length = 0 if suit is None else suits[suit]
    if _all_cost(current):
        if suit is not None and length > max(lengths, default=0):
            yield HintReason.COVERS_LONG_TRUMP
        return
    if len(left) <= FEW and max(lengths, default=0) == max(suits.values()) >= LONG and length < max(lengths):
        yield HintReason.KEEPS_LONG_TRUMP
    if suit is not None and lengths and length <= min(lengths) and length < max(lengths):
        yield HintReason.COVERS_SHORT_TRUMP


def _supertrump(view: PlayerView, current: Round, covered: str, left: Sequence[str]) -> Iterator[HintReason]:
    rank = view.public.ruleset.edition.capturable_rank
    own = {card.suit for card in view.hand if card.rank == rank}
    suit = suit_of_space(covered)
    if suit in own:
        if _all_cost(current):
            yield HintReason.COVERS_OWN_SUPER
        return
    # If the hand has none of the others, it is as true of each of them that it has none.
    if own & {suit_of_space(space) for space in left} and not _all_cost(current):
        if len(left) <= FEW:
            yield HintReason.KEEPS_SUPER
        if suit is not None:
            yield HintReason.COVERS_OTHER_SUPER


def _discard(view: PlayerView, current: Round, covered: str, left: Iterable[str]) -> Iterator[HintReason]:
    rank = view.public.ruleset.edition.capturable_rank
    capturable = sum(card.rank == rank for card in view.hand)
    opened = (covered, *left)
    leave, most = _leave(covered), max(map(_leave, left))
    if not _all_cost(current):
        if capturable >= MANY and EXCHANGES[covered].kept is not None and most:
            yield HintReason.COVERS_NO_ZERO
        if capturable >= MANY and most > leave == min(map(_leave, opened)):
            yield HintReason.KEEPS_SHEDDING
        if capturable < MANY and NJET in left and leave and not EXCHANGES[covered].to:
            yield HintReason.LITTLE_TO_SHED
    if EXCHANGES[covered].to:
        yield HintReason.COVERS_PASSING


def _leave(space: str) -> int:
    """How many capturable cards leave a hand if this space of the row `discard` stays open."""
    exchange = EXCHANGES[space]
    return exchange.cards if exchange.kept is None else 0


def _all_cost(current: Round) -> bool:
    """Whether every trick of the round will cost points."""
    return all(int(space) < 0 for space in current.board.row(RowKey.POINTS).open_spaces)


def _teams(view: PlayerView, current: Round, action: NameTeam) -> Iterator[HintReason]:
    conditions, ruleset, seats = current.conditions, view.public.ruleset, range(view.public.players)
    assert conditions is not None, "teams follow the settled board"
    assert view.seat is not None, "a spectator names no team"
    partners = action.partners
    shares = _shares(view, conditions)
    totals = view.public.totals
    if not partners:
        is_last = current.number == ruleset.options.rounds
        # Each partner gains as much.
        if is_last and conditions.points > 0 and totals[view.seat] == min(totals):
            yield HintReason.ONLY_ALONE
        yield from _alone(conditions, shares)
        return
    own, best = totals[view.seat], max(totals[seat] for seat in partners)
    others = [totals[seat] for seat in seats if seat not in (view.seat, *partners)]
    trumps = _covered_by(partners, current, RowKey.TRUMP)
    if trumps > 1:
        yield HintReason.JOINS_TRUMP
    if conditions.points > 0 and best < min(others, default=0):
        yield HintReason.JOINS_BEHIND
    yield from _sized(conditions, shares, len(partners) + 1 - len(others))
    if max(own, best) < max(others, default=0):
        yield HintReason.LEAVES_LEADER
    if best < own:
        yield HintReason.JOINS_BELOW
    if trumps:
        yield HintReason.JOINS_ONE_TRUMP
    if _covered_by(partners, current, RowKey.SUPERTRUMP):
        yield HintReason.JOINS_SUPER
    yield from _doubled(view, action)


def _alone(conditions: Conditions, shares: float) -> Iterator[HintReason]:
    """`shares`: by how much the hand wins more than an average one."""
    if conditions.points < 0:
        if shares < 1:
            yield HintReason.WEAK_ALONE
        return
    if shares > 1:
        yield HintReason.STRONG_ALONE


def _shares(view: PlayerView, conditions: Conditions) -> float:
    """How much more than an average hand the own one wins, as a factor."""
    ruleset = view.public.ruleset
    return strength(TrickRules.of(ruleset, conditions), view.hand) * view.public.players / ruleset.dealt


def _doubled(view: PlayerView, team: NameTeam) -> Iterator[HintReason]:
    """Whose tricks count double: their own, or a partner's."""
    conditions = knowledge_of(view).conditions
    shares, own, partner = _shares(view, conditions), team.monster == view.seat, team.monster in team.partners
    if conditions.points < 0:
        if own and shares < 1:
            yield HintReason.DOUBLES_FEWEST
    elif own and shares > 1:
        yield HintReason.DOUBLES_OWN
    elif partner and shares < 1:
        yield HintReason.DOUBLES_PARTNER


def _sized(conditions: Conditions, shares: float, more: int) -> Iterator[HintReason]:
    """`more`: how many more players the team has than the other one."""
    if conditions.points < 0:
        if more > 0:
            yield HintReason.LEAVES_MONSTER
    elif more < 0 and shares > 1:
        yield HintReason.STRONG_FEW
    elif more > 0 and shares < 1:
        yield HintReason.WEAK_MANY


def _covered_by(partners: Iterable[int], current: Round, row: RowKey) -> int:
    """How many spaces of a row one of these seats has covered at most, apart from njet; 0 if njet is what is left."""
    covered = current.board.row(row)
    if covered.settled_space == NJET:
        return 0
    marks = [mark for space, mark in zip(covered.spaces, covered.marks, strict=True) if space != NJET]
    return max(map(marks.count, partners))


def _choosing(view: PlayerView, current: Round, cards: Iterable[Card], *, is_passed: bool) -> Iterator[HintReason]:
    known = knowledge_of(view)
    conditions, rules = known.conditions, TrickRules.of(view.public.ruleset, known.conditions)
    chosen, kept = list(cards), list((Counter(view.hand) - Counter(cards)).elements())
    receiver = conditions.exchange.receiver(known.seat, view.public.players)
    stays = is_passed and current.teams is not None and receiver in current.teams.team_of(known.seat)
    if conditions.points < 0 and not stays:
        if min(worth(rules, card) for card in chosen) >= max(worth(rules, card) for card in kept):
            yield HintReason.SHEDS_HIGH
        if all(card.rank >= rules.edition.high_rank or rules.is_trump_or_supertrump(card) for card in chosen):
            yield HintReason.SHEDS_WINNERS
        if {card.suit for card in chosen} - {rules.trump, *(card.suit for card in kept)}:
            yield HintReason.SHEDS_SUIT
    elif conditions.points > 0:
        yield from _shedding(rules, chosen, kept, is_passed=is_passed)


def _shedding(rules: TrickRules, chosen: list[Card], kept: list[Card], *, is_passed: bool) -> Iterator[HintReason]:
    """Where tricks are wanted."""
    is_trump = rules.is_trump_or_supertrump
    keeps_trumps = any(map(is_trump, kept))
    held = {rules.trump, *(card.suit for card in kept)}
    if not is_passed and all(card.rank == rules.capturable_rank and not is_trump(card) for card in chosen):
        yield HintReason.SHEDS_CAPTURABLE
    if keeps_trumps:
        yield from (EMPTIES[card.suit] for card in chosen if card.suit not in held)
    if max(worth(rules, card) for card in chosen) <= min(worth(rules, card) for card in kept):
        yield HintReason.SHEDS_LOW
    if not is_passed and any(card.rank == rules.capturable_rank and not is_trump(card) for card in chosen):
        yield HintReason.SHEDS_ONE_CAPTURABLE
    if keeps_trumps and not any(map(is_trump, chosen)):
        yield HintReason.SAVES_TRUMPS
    high = rules.edition.high_rank
    if any(card.rank >= high for card in kept) and not any(card.rank >= high for card in chosen):
        yield HintReason.KEEPS_HIGH

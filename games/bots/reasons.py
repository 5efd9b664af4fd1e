"""Why an action is better than the second best: a fact that a player can check, true of the one and not of the other.

Must not know: anything but a `PlayerView`; how the action was found.
"""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import partial
from operator import attrgetter, ge, gt

from games.bots.easy import more_tricks
from games.bots.knowledge import knowledge_of
from games.bots.trick_reasons import TrickReasons
from games.fast_tricks.tables import worth
from games.rules.actions import Action, Discard, Hidden, NameTeam, Pass, Place, Play
from games.rules.board import Conditions, suit_of_space
from games.rules.cards import Card
from games.rules.editions import EXCHANGES, NJET, RowKey
from games.rules.hints import EMPTIES, SETTLED, SPARES, HintReason
from games.rules.redaction import PlayerView
from games.rules.rounds import Round
from games.rules.tricks import TrickRules

LONG = 4
"""The fewest cards of a suit that make a good trump suit."""

MANY = 2
"""From this number of capturable cards on some should be discarded."""

FEW = 2
"""The most open spaces of a row of which covering another one makes each clearly likelier."""

EVIDENT = 0.5
"""By how many cards, more or less than an average hand, one holds many or few."""

STRONG = 1.0
"""About how many tricks more, or less, than an average hand one wins that is called strong, or weak."""

LOW, HIGH = 1, 3
"""Who covers at most, or at least, these points is likelier to have a strong hand, or a weak one."""


def reason(view: PlayerView, action: Action, other: Action | None, *, said: HintReason | None = None) -> HintReason:
    """The first reason of the list that is true of an action of this view and not of the other.

    `other`: the second best, None if all actions have the same effect; `said`: what a hint gave as the reason, which
    comes before the others.
    """
    if other is None:
        return HintReason.ALL_EQUAL
    shared = set(_reasons(view, other))
    alone = (each for each in _reasons(view, action, other) if each not in shared)
    first = next(alone, HintReason.BEST_IN_TRIALS)
    # Those after the first are looked for only if a hint gave another: some of them are played out.
    return said if said is not None and said in alone else first


def shared_reason(view: PlayerView, action: Action) -> HintReason | None:
    """The first reason that is true of an action and not of all that may be done; None if none is.

    What both keep is none.  The names of two teams leave no room for one.
    """
    if isinstance(action, NameTeam):
        return None
    met = Counter(each for other in view.legal for each in set(_reasons(view, other)))
    return next((each for each in _reasons(view, action) if each not in SPARES and met[each] < len(view.legal)), None)


def is_true_of(view: PlayerView, action: Action, why: HintReason) -> bool:
    """Whether a reason that compares with no other action is true of this one."""
    return why in _reasons(view, action, action if isinstance(action, Place) else None)


def holder_reason(view: PlayerView, team: NameTeam) -> HintReason:
    """Why this player is to hold the monster of a team, rather than another one of it."""
    return next(_doubled(view, team), HintReason.BEST_IN_TRIALS)


def _reasons(view: PlayerView, action: Action, other: Action | None = None) -> Iterator[HintReason]:
    """What is true of an action, with what is so in comparison with another one of its kind.

    Without another one: also that a space is likelier to stay open where any other cover of its row does as much.
    """
    current = view.public.current
    assert current is not None, "an action is taken in a round"
    match action:
        case Place():
            return _placing(view, current, action, FEW if other is not None else len(view.legal))
        case NameTeam():
            return _teams(view, current, action, other)
        case Discard(cards) | Pass(cards) if not isinstance(cards, Hidden):
            others = other.cards if isinstance(other, Discard | Pass) and not isinstance(other.cards, Hidden) else ()
            return _choosing(view, current, cards, others, is_passed=isinstance(action, Pass))
        case Play(card):
            return TrickReasons(view, card).reasons(TrickReasons(view, other.card) if isinstance(other, Play) else None)
    return iter(())


def _placing(view: PlayerView, current: Round, action: Place, few: int) -> Iterator[HintReason]:
    """`few`: the most spaces that may be left in a row of which one is likelier now."""
    opened, covered = current.board.row(action.row).open_spaces, action.space
    left = [space for space in opened if space != covered]
    found = _covering(view, current, action, left, few)
    return (SETTLED.get(each, each) for each in found) if len(left) == 1 else found


def _covering(view: PlayerView, current: Round, action: Place, left: Sequence[str], few: int) -> Iterator[HintReason]:
    """`left`: the spaces of the row that stay open."""
    covered = action.space
    match action.row:
        case RowKey.START:
            yield from _starting(view, covered, left, few)
        case RowKey.TRUMP:
            yield from _trump(view, current, covered, left, few)
        case RowKey.SUPERTRUMP:
            yield from _supertrump(view, current, covered, left, few)
        case RowKey.POINTS:
            points = [int(space) for space in left]
            if _is_strong(view) and int(covered) < min(points):
                yield HintReason.STAKES_MORE
            if _is_weak(view) and int(covered) > max(points):
                yield HintReason.STAKES_LESS if max(points) > 0 else HintReason.SETTLES_COST
            if int(covered) < 0 < max(points) and _excess(view, is_high=True) > EVIDENT:
                yield HintReason.MINUS_COSTS
        case RowKey.DISCARD:
            yield from _discard(view, current, covered, left)


def _starting(view: PlayerView, covered: str, left: Sequence[str], few: int) -> Iterator[HintReason]:
    totals = view.public.totals
    if covered == str(view.seat):
        return
    if str(view.seat) in left and len(left) <= few:
        yield HintReason.KEEPS_TOKEN
    if totals[int(covered)] > max(totals[int(space)] for space in left):
        yield HintReason.COVERS_LEADER


def _trump(view: PlayerView, current: Round, covered: str, left: Sequence[str], few: int) -> Iterator[HintReason]:
    suits = Counter(card.suit for card in view.hand)
    lengths = [suits[suit] for suit in map(suit_of_space, left) if suit is not None]
    suit = suit_of_space(covered)
    length = 0 if suit is None else suits[suit]
    if _all_cost(current):
        if suit is not None and length > max(lengths, default=0):
            yield HintReason.COVERS_LONG_TRUMP
        return
    if len(left) <= few and max(lengths, default=0) == max(suits.values()) >= LONG and length < max(lengths):
        yield HintReason.KEEPS_LONG_TRUMP
    if suit is not None and not length and any(lengths):
        yield HintReason.COVERS_VOID_TRUMP
    elif suit is not None and lengths and length < min(lengths):
        yield HintReason.COVERS_SHORT_TRUMP


def _supertrump(view: PlayerView, current: Round, covered: str, left: Sequence[str], few: int) -> Iterator[HintReason]:
    rank = view.public.ruleset.edition.capturable_rank
    own = Counter(card.suit for card in view.hand if card.rank == rank)
    suit, others = suit_of_space(covered), {suit for suit in map(suit_of_space, left) if suit}
    if _all_cost(current):
        if suit in own:
            yield HintReason.COVERS_OWN_SUPER
        if suit is None and own.keys().isdisjoint(others):
            yield HintReason.OTHERS_SUPER
        return
    most = max((own[each] for each in others), default=0)
    if most > (own[suit] if suit else 0) and len(left) <= few:
        yield HintReason.KEEPS_SUPER
    # If the hand has none of the others, it is as true of each of them that it has none.
    if suit is not None and not own[suit] and (most or not others):
        yield HintReason.COVERS_OTHER_SUPER


def _discard(view: PlayerView, current: Round, covered: str, left: Sequence[str]) -> Iterator[HintReason]:
    costs = _all_cost(current)
    rank = view.public.ruleset.edition.capturable_rank
    settled = (current.board.row(row).settled_space for row in (RowKey.TRUMP, RowKey.SUPERTRUMP))
    # One that is known to be a trump, or a super trump, is no card to be rid of.
    known = {suit_of_space(space) for space in settled if space}
    capturable = sum(card.rank == rank and card.suit not in known for card in view.hand)
    more = _excess(view, is_high=costs)

    def leave(space: str) -> int:
        """How many of the cards that are better gone leave a hand if this space stays open."""
        exchange = EXCHANGES[space]
        return exchange.cards if costs or exchange.kept is None else 0

    def gone(space: str) -> int:
        """How many of them leave the round."""
        return 0 if EXCHANGES[space].to else leave(space)

    if not costs and capturable >= MANY and EXCHANGES[covered].kept is not None and any(map(leave, left)):
        yield HintReason.COVERS_NO_ZERO
    leaves = [*map(leave, left)]
    if (
        leave(covered) <= min(leaves)
        and leave(covered) < max(leaves)
        and (more > EVIDENT if costs else capturable >= MANY)
    ):
        yield HintReason.HIGH_MAY_LEAVE if costs else HintReason.KEEPS_SHEDDING
    if more < -EVIDENT and gone(covered) > statistics.fmean(map(gone, left)):
        yield HintReason.OTHERS_SHED_HIGH if costs else HintReason.OTHERS_SHED
    if EXCHANGES[covered].to:
        yield HintReason.COVERS_PASSING


def _excess(view: PlayerView, *, is_high: bool) -> float:
    """How many more high cards, or capturable ones, the hand has than its share of the deck."""
    deck, edition = view.public.ruleset.deck(), view.public.ruleset.edition

    def number(cards: Iterable[Card]) -> int:
        return sum(
            card.rank >= edition.high_rank if is_high else card.rank == edition.capturable_rank for card in cards
        )

    return number(view.hand) - number(deck) * len(view.hand) / len(deck)


def _all_cost(current: Round) -> bool:
    """Whether every trick of the round will cost points."""
    return all(int(space) < 0 for space in current.board.row(RowKey.POINTS).open_spaces)


def _teams(view: PlayerView, current: Round, action: NameTeam, other: Action | None) -> Iterator[HintReason]:
    conditions, ruleset, seats = current.conditions, view.public.ruleset, range(view.public.players)
    assert conditions is not None, "teams follow the settled board"
    assert view.seat is not None, "a spectator names no team"
    partners = action.partners
    totals = view.public.totals
    if not partners:
        is_last = current.number == ruleset.options.rounds
        # Each partner gains as much.
        if is_last and conditions.points > 0 and totals[view.seat] == min(totals):
            yield HintReason.ONLY_ALONE
        if conditions.points < 0 and _is_weak(view):
            yield HintReason.WEAK_ALONE
        if conditions.points > 0 and _is_strong(view):
            yield HintReason.STRONG_ALONE
        return
    best = max(totals[seat] for seat in partners)
    outside = [seat for seat in seats if seat not in (view.seat, *partners)]
    others = [totals[seat] for seat in outside]
    trumps, others_trumps = _covered_by(partners, outside, current, RowKey.TRUMP)
    if trumps > 1 >= others_trumps:
        yield HintReason.JOINS_TRUMP
    if best < min(others, default=0):
        yield HintReason.JOINS_BEHIND
    if trumps > 0 == others_trumps:
        yield HintReason.JOINS_ONE_TRUMP
    supers, others_supers = _covered_by(partners, outside, current, RowKey.SUPERTRUMP)
    if supers > 0 == others_supers:
        yield HintReason.JOINS_SUPER
    yield from _pointed(conditions, current, partners, outside)
    match partners, other:
        case (partner,), NameTeam((rival,)) if partner != rival:
            yield from _apart(conditions, current, partner, rival)
    # What tells partners apart comes before what is as true of each team of this size.
    yield from _sized(view, conditions, len(partners) + 1 - len(others))
    yield from _doubled(view, action)


def _pointed(
    conditions: Conditions, current: Round, partners: Collection[int], outside: Collection[int]
) -> Iterator[HintReason]:
    """What the points tell that a partner has covered, and no player outside the team."""
    row = current.board.row(RowKey.POINTS)
    marks = [(int(space), mark) for space, mark in zip(row.spaces, row.marks, strict=True)]
    minus = {mark for points, mark in marks if points < 0}
    low = {mark for points, mark in marks if points <= LOW}
    high = {mark for points, mark in marks if points >= HIGH}
    if conditions.points > 0 and not minus.isdisjoint(partners):
        yield HintReason.JOINS_MINUS
    if conditions.points > 0 and not low.isdisjoint(partners) and low.isdisjoint(outside):
        yield HintReason.JOINS_LOW_POINTS
    if conditions.points < 0 and not high.isdisjoint(partners) and high.isdisjoint(outside):
        yield HintReason.JOINS_HIGH_POINTS


def _apart(conditions: Conditions, current: Round, partner: int, rival: int) -> Iterator[HintReason]:
    """What the covered spaces tell of a partner and not of another player, who may be like a third one."""
    row = current.board.row(RowKey.POINTS)
    covered = {
        seat: [int(space) for space, mark in zip(row.spaces, row.marks, strict=True) if mark == seat]
        for seat in (partner, rival)
    }
    own, its = covered[partner], covered[rival]
    if conditions.points > 0:
        if own and its and max(own) < min(its):
            yield HintReason.JOINS_LOWER_POINTS
        elif not own and its and min(its) >= HIGH:
            yield HintReason.LEAVES_HIGH_POINTS
    elif own and its and min(own) > max(its):
        yield HintReason.JOINS_HIGHER_POINTS
    elif not own and its and max(its) <= LOW:
        yield HintReason.LEAVES_LOW_POINTS
    if gt(*_covered_by([partner], [rival], current, RowKey.TRUMP)):
        yield HintReason.JOINS_MORE_TRUMPS
    if gt(*_covered_by([partner], [rival], current, RowKey.SUPERTRUMP)):
        yield HintReason.JOINS_MORE_SUPERS


def _is_strong(view: PlayerView) -> bool:
    return more_tricks(view) > STRONG


def _is_weak(view: PlayerView) -> bool:
    return more_tricks(view) < -STRONG


def _doubled(view: PlayerView, team: NameTeam) -> Iterator[HintReason]:
    """Whose tricks count double: their own, or a partner's."""
    own, partner = team.monster == view.seat, team.monster in team.partners
    if knowledge_of(view).conditions.points < 0:
        if own and _is_weak(view):
            yield HintReason.DOUBLES_FEWEST
    elif own and _is_strong(view):
        yield HintReason.DOUBLES_OWN
    elif partner and _is_weak(view):
        yield HintReason.DOUBLES_PARTNER


def _sized(view: PlayerView, conditions: Conditions, more: int) -> Iterator[HintReason]:
    """`more`: how many more players the team has than the other one."""
    if conditions.points < 0:
        if more > 0:
            yield HintReason.LEAVES_MONSTER
    elif more < 0 and _is_strong(view):
        yield HintReason.STRONG_FEW
    elif more > 0 and _is_weak(view):
        yield HintReason.WEAK_MANY


def _covered_by(partners: Iterable[int], outside: Iterable[int], current: Round, row: RowKey) -> tuple[int, int]:
    """The most spaces of a row that a partner has covered, and a player outside the team: trumps of theirs may be left.

    Njet does not count.  0 of both where trumps are not wanted.
    """
    covered, points = current.board.row(row), current.board.row(RowKey.POINTS).settled_space
    if covered.settled_space == NJET or int(points or 0) < 0:
        return 0, 0
    marks = [mark for space, mark in zip(covered.spaces, covered.marks, strict=True) if space != NJET]
    return max(map(marks.count, partners)), max(map(marks.count, outside))


def _choosing(
    view: PlayerView, current: Round, cards: Iterable[Card], others: Iterable[Card], *, is_passed: bool
) -> Iterator[HintReason]:
    """`others`: what else may be chosen, to compare; empty for no comparison."""
    known = knowledge_of(view)
    conditions, rules = known.conditions, TrickRules.of(view.public.ruleset, known.conditions)
    chosen, kept = list(cards), list((Counter(view.hand) - Counter(cards)).elements())
    receiver = conditions.exchange.receiver(known.seat, view.public.players)
    stays = is_passed and current.teams is not None and receiver in current.teams.team_of(known.seat)
    if conditions.points < 0 and not stays:
        # A super trump is not what one calls a high card.
        sizes = (partial(worth, rules), attrgetter("rank"))
        if all(min(map(size, chosen)) >= max(map(size, kept)) for size in sizes):
            yield HintReason.SHEDS_HIGH
        if all(card.rank >= rules.edition.high_rank or rules.is_trump_or_supertrump(card) for card in chosen):
            yield HintReason.SHEDS_WINNERS
        if {card.suit for card in chosen} - {rules.trump, *(card.suit for card in kept)}:
            yield HintReason.SHEDS_SUIT
        pairs = [(sorted(map(size, chosen)), sorted(map(size, others))) for size in sizes]
        # One asks why a card stays that is higher than all that go.
        is_high = max(card.rank for card in chosen) >= max(
            (card.rank for card in kept if not rules.is_trump_or_supertrump(card)), default=0
        )
        if others and is_high and all(own != its and all(map(ge, own, its)) for own, its in pairs):
            yield HintReason.SHEDS_HIGHER
    elif conditions.points > 0:
        yield from _shedding(rules, chosen, kept, is_passed=is_passed)


def _shedding(rules: TrickRules, chosen: list[Card], kept: list[Card], *, is_passed: bool) -> Iterator[HintReason]:
    """Where tricks are wanted."""
    is_trump = rules.is_trump_or_supertrump
    keeps_trumps = any(map(is_trump, kept))
    can_trump = any(card.suit is rules.trump for card in kept)
    held = {rules.trump, *(card.suit for card in kept)}
    if not is_passed and all(card.rank == rules.capturable_rank and not is_trump(card) for card in chosen):
        yield HintReason.SHEDS_CAPTURABLE
    if can_trump:
        yield from (EMPTIES[card.suit] for card in chosen if card.suit not in held)
    if max(worth(rules, card) for card in chosen) <= min(worth(rules, card) for card in kept):
        yield HintReason.SHEDS_LOW
    if not is_passed and any(card.rank == rules.capturable_rank and not is_trump(card) for card in chosen):
        yield HintReason.SHEDS_ONE_CAPTURABLE
    if keeps_trumps and not any(map(is_trump, chosen)):
        is_super = [rules.is_supertrump(card) for card in kept if is_trump(card)]
        yield HintReason.SAVES_SUPER if is_super == [True] else HintReason.SAVES_TRUMPS
    high = rules.edition.high_rank
    if any(card.rank >= high for card in kept) and not any(card.rank >= high for card in chosen):
        yield HintReason.KEEPS_HIGH

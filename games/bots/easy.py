"""The easy bot: a sensible decision in every phase, at once.

Must not know: search.  Chance decides only between actions of equal value: the same view and seed always get the same
answer.
"""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from random import Random
from typing import Any

from games.bots.knowledge import Knowledge, knowledge_of
from games.bots.playout import ahead_in
from games.bots.policy import cards_to_discard, cards_to_pass, follow, lead
from games.bots.style import preferred_spaces
from games.rules.actions import Action, Discard, NameTeam, Pass, Place, Play
from games.rules.board import Conditions, suit_of_space
from games.rules.cards import Card, Suit
from games.rules.editions import EXCHANGES, NJET, RowKey
from games.rules.redaction import PlayerView
from games.rules.rounds import Phase
from games.rules.tricks import TrickRules

TURNS = 0.01
"""By how much another player's token is worth less for each round that they have started in this game.

It decides only between the tokens of others: so everyone names a team some time, also who does not keep their token.
"""


def decide_easily(view: PlayerView, seed: int) -> Action:
    """One of the legal actions of the view.  `seed`: of the choice between equal ones."""
    match view.public.phase:
        case Phase.PLACING:
            return place(view, chance_of(view, seed))
        case Phase.TEAMS:
            return name_team(view, chance_of(view, seed))
        case Phase.DISCARDING | Phase.PASSING:
            return choose(view)
        case Phase.TRICKS:
            knowledge = knowledge_of(view)
            return Play(knowledge.tables.card_of(card_for(knowledge)))
        case Phase.DEALING | Phase.FINISHED:
            return view.legal[0]


def card_for(knowledge: Knowledge) -> int:
    """The bit of the card to play."""
    tables, sides, hand = knowledge.tables, knowledge.sides, knowledge.hand
    assert sides is not None, "tricks follow the named teams"
    rest = knowledge.unseen | sum(knowledge.sure)
    if not knowledge.table:
        return lead(tables, hand, rest, sides.greedy)
    order, led = sides.orders[knowledge.leader], knowledge.table[0]
    _, winning, beats = ahead_in(tables, order, knowledge.table)
    _, mine, threatened = order[len(knowledge.table)]
    return follow(tables, tables.legal(hand, led), beats, mine == winning, threatened, rest, sides.greedy)


def choose(view: PlayerView) -> Action:
    """What to discard or pass."""
    knowledge = knowledge_of(view)
    tables, conditions, sides = knowledge.tables, knowledge.conditions, knowledge.sides
    greedy = conditions.points > 0
    exchange = conditions.exchange
    if not exchange.to:
        return Discard(tables.hand_of(cards_to_discard(tables, knowledge.hand, conditions, greedy)))
    receiver = exchange.receiver(knowledge.seat, view.public.players)
    friend = sides is not None and sides.side[receiver] == sides.side[knowledge.seat]
    return Pass(tables.hand_of(cards_to_pass(tables, knowledge.hand, conditions, greedy, friend)))


def chance_of(view: PlayerView, seed: int) -> Random:
    """The random numbers of a seat in a round, also where one seed serves several of them."""
    current = view.public.current
    assert current is not None, "an action is taken in a round"
    return Random(f"{seed} {current.number} {view.seat}")


def most_liked(actions: Sequence[Action], liking: Callable[[Action], Any], chance: Random) -> Action:
    """The action with the greatest liking; any of several such.

    The first of them would always favour the same seats, or disfavour them: their spaces and teams come first.
    """
    likings = [liking(action) for action in actions]
    most = max(likings)
    return chance.choice([action for action, each in zip(actions, likings, strict=True) if each == most])


def name_team(view: PlayerView, chance: Random) -> Action:
    """Partners who are behind on the sheet; with a strong hand few of them, and the monster for themselves."""
    knowledge, totals = knowledge_of(view), view.public.totals
    conditions, players = knowledge.conditions, view.public.players
    seat = knowledge.seat
    rules = TrickRules.of(view.public.ruleset, conditions)
    shares = strength(rules, view.hand) * players / view.public.ruleset.dealt
    good = shares > 1.1 if conditions.points > 0 else shares < 0.9

    def liking(action: Action) -> tuple[bool, bool, bool, int]:
        assert isinstance(action, NameTeam), "only teams are named now"
        small = len(action.partners) < players / 2 - 0.5
        return (
            action.start is None,
            small == good,
            (action.monster == seat) == (small and good),
            -sum(totals[partner] for partner in action.partners),
        )

    return most_liked(view.legal, liking, chance)


def place(view: PlayerView, chance: Random) -> Action:
    """Cover the space that is worst for the hand, preferably in a row with few open spaces."""
    current = view.public.current
    assert current is not None, "a marker is placed in a round"
    gains = gains_of_covers(
        view,
        {
            row.key: space_values(view, row.key, row.open_spaces)
            for row in current.board.rows
            if len(row.open_spaces) > 1
        },
    )
    return most_liked(view.legal, gains.__getitem__, chance)


def gains_of_covers(
    view: PlayerView, values_of: Mapping[RowKey, Sequence[float]], point_value: float = 1.0
) -> dict[Action, float]:
    """What each marker that may be placed gains.

    `values_of`: for each row that is not closed, the values of its open spaces; `point_value`: the value of one point.
    """
    current = view.public.current
    assert current is not None, "a marker is placed in a round"
    rows = {row.key: row.open_spaces for row in current.board.rows}
    bonus = preferred_spaces(view)

    def gain(action: Action) -> float:
        assert isinstance(action, Place), "only markers are placed now"
        row, spaces = action.row, rows[action.row]
        values = [
            value + point_value * bonus.get((row, space), 0.0)
            for value, space in zip(values_of[row], spaces, strict=True)
        ]
        # Each space that is left after the cover is as likely as any other to stay open.
        gained = (sum(values) / len(values) - values[spaces.index(action.space)]) / (len(values) - 1)
        # Sums of the same numbers in another order are equal, too.
        return round(gained, 9)

    return {action: gain(action) for action in view.legal}


def strength(rules: TrickRules, hand: Iterable[Card]) -> float:
    """About how many tricks a hand wins beyond the capturable cards that it loses."""
    found, high, top = 0.0, rules.edition.high_rank, rules.edition.top_rank
    for card in hand:
        if rules.is_supertrump(card):
            found += 1.2
        elif rules.is_trump_or_supertrump(card):
            found += 0.4 + 0.3 * (card.rank >= high)
        elif card.rank == rules.capturable_rank:
            found -= 0.45
        else:
            found += 0.25 * (card.rank >= high) + 0.4 * (card.rank == top)
    return found


def space_values(view: PlayerView, row: RowKey, spaces: Sequence[str]) -> list[float]:
    """The value in points of each space of a row to the hand, if the space stays open."""
    trumps, supers = _likely(view, RowKey.TRUMP), _likely(view, RowKey.SUPERTRUMP)
    # If only negative points are left, good trumps are bad.
    stake = statistics.fmean(int(each) for each in _open(view, RowKey.POINTS))
    match row:
        case RowKey.TRUMP:
            return [stake * _usual_tricks(view, view.hand, [suit_of_space(space)], supers) for space in spaces]
        case RowKey.SUPERTRUMP:
            return [stake * _usual_tricks(view, view.hand, trumps, [suit_of_space(space)]) for space in spaces]
        case RowKey.POINTS:
            more = _surplus(view)
            return [int(space) * more for space in spaces]
        case RowKey.START:
            started = Counter(done.conditions.start for done in view.public.finished)
            return [1.0 if seat == view.seat else -TURNS * started[seat] for seat in map(int, spaces)]
        case RowKey.DISCARD:
            rank = view.public.ruleset.edition.capturable_rank
            capturable = sum(card.rank == rank for card in view.hand)
            return [(capturable - 3) * 0.4 * EXCHANGES[space].cards for space in spaces]


def more_tricks(view: PlayerView) -> float:
    """About how many tricks more than an average hand the own one wins, over the trumps that are possible yet."""
    deck, likely = view.public.ruleset.deck(), (_likely(view, RowKey.TRUMP), _likely(view, RowKey.SUPERTRUMP))
    return _usual_tricks(view, view.hand, *likely) - _usual_tricks(view, deck, *likely) * len(view.hand) / len(deck)


def _surplus(view: PlayerView) -> float:
    """About how many tricks more than its share the hand wins, over the trumps that the board leaves possible."""
    ruleset = view.public.ruleset
    usual = _usual_tricks(view, view.hand, _likely(view, RowKey.TRUMP), _likely(view, RowKey.SUPERTRUMP))
    return usual - ruleset.dealt / ruleset.players * 0.8


def _usual_tricks(
    view: PlayerView, cards: Collection[Card], trumps: Sequence[Suit | None], supertrumps: Sequence[Suit | None]
) -> float:
    """About how many tricks some cards win, on average over these trumps and super trumps."""
    # Only trump and super trump decide what a hand is worth: the other conditions can be any.
    rules = [
        TrickRules.of(view.public.ruleset, Conditions(start=0, discard=NJET, trump=trump, supertrump=other, points=1))
        for trump in trumps
        for other in supertrumps
    ]
    return statistics.fmean(strength(each, cards) for each in rules)


def _likely(view: PlayerView, key: RowKey) -> list[Suit | None]:
    """The suits that the row still leaves possible."""
    return [suit_of_space(space) for space in _open(view, key)]


def _open(view: PlayerView, key: RowKey) -> tuple[str, ...]:
    current = view.public.current
    assert current is not None, "a marker is placed in a round"
    return current.board.row(key).open_spaces

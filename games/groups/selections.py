"""The figures and standings of some games of a group: of a period, a box, a number of players.

They are sums of what is kept of periods (`games.groups.periods`), and of what is kept of each game (`Game.facts`) where
a day is cut: of two days at most.  What depends on the order of all games, the rating and streaks, is not computed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from operator import or_

from django.db.models import Q

from games.errors import NotFound
from games.groups import history, periods, statistics_queries
from games.groups.history import Filters, Standing
from games.groups.statistics.facts import GameFacts
from games.groups.statistics.figures import Figures
from games.groups.statistics.summary import GroupSummary, PairSummary, PlayerSummary
from games.groups.statistics_queries import Companion, CountedPair, CountedPlayer
from games.models import Game, Group, Pair, PeriodFigures, Player, Season, Seat, Status, Stint

MOST = 2**63 - 1
"""The highest id that a database can be asked for."""


def season_of(group: Group, season_id: int) -> Season:
    """A season of a group.

    Errors: `NotFound`.
    """
    season = Season.objects.filter(group=group, pk=season_id).first() if season_id <= MOST else None
    if season is None:
        raise NotFound()
    return season


# --- the group ---


@dataclass(frozen=True)
class GroupSelection:
    """What some games of a group add up to, and every player with games, wins and points, by wins and then points."""

    summary: GroupSummary
    standings: Sequence[Standing]


def group_in(group: Group, filters: Filters) -> GroupSelection:
    """A group in some games; if all are meant, the figures that are kept."""
    people = list(statistics_queries.with_tokens(Player.objects.filter(group=group, merged_into=None)))
    if filters == Filters():
        sums: Mapping[str, Figures] = {periods.EVERYBODY: group.figures, **{each.pk: each.figures for each in people}}
    else:
        sums = _sums(group, [periods.EVERYBODY, *(each.pk for each in people)], filters)
    standings = [
        Standing(
            player.name,
            player.pk,
            statistics_queries.token_of(player),
            games=own["games"],
            wins=own.get("wins", 0),
            points=own.get("total", 0),
        )
        for player in people
        if (own := sums[player.pk]).get("games")
    ]
    return GroupSelection(GroupSummary.of(sums[periods.EVERYBODY]), history.placed(standings))


# --- a player ---


@dataclass(frozen=True)
class PlayerSelection:
    """A player in some games, the group in the same period and boxes, and everyone who shared a table with the player.

    Without filters `player` has its rating.
    """

    player: CountedPlayer
    group: GroupSummary
    companions: Sequence[Companion]


def player_in(group: Group, player: Player, filters: Filters) -> PlayerSelection:
    """A player in some games."""
    if filters == Filters():
        companions = statistics_queries.companions_of(player)
        return PlayerSelection(CountedPlayer.of(player), GroupSummary.of(group.figures), companions)
    met = Pair.objects.filter(Q(one=player) | Q(other=player)).values_list("one", "other")
    pairs = {other if one == player.pk else one: periods.pair_of(one, other) for one, other in met}
    sums = _sums(group, [periods.EVERYBODY, player.pk, *pairs.values()], filters)
    people = statistics_queries.with_tokens(Player.objects.filter(group=group, pk__in=pairs))
    return PlayerSelection(
        _selected(player, sums[player.pk]),
        GroupSummary.of(sums[periods.EVERYBODY]),
        [
            Companion(each.pk, each.name, statistics_queries.token_of(each), PairSummary.of(sums[pairs[each.pk]]))
            for each in people
            if sums[pairs[each.pk]].get("games")
        ],
    )


def pair_in(group: Group, one: Player, other: Player, filters: Filters) -> CountedPair:
    """Two players in some games, all zero where they never met."""
    if filters == Filters():
        return statistics_queries.of_pair(one, other)
    pair = periods.pair_of(one.pk, other.pk)
    sums = _sums(group, [one.pk, other.pk, pair], filters)
    left, right = (_selected(player, sums[player.pk]) for player in sorted((one, other), key=_by_name))
    return CountedPair(left, right, PairSummary.of(sums[pair]))


def _by_name(player: Player) -> tuple[str, str]:
    return player.name, player.pk


def _selected(player: Player, own: Figures) -> CountedPlayer:
    """A player with the figures of some games, which have no rating of their own."""
    token = statistics_queries.token_of(player)
    return CountedPlayer(player.pk, player.name, token, PlayerSummary.of(own), form=None, is_selection=True)


# --- sums ---


def _sums(group: Group, owners: Collection[str], filters: Filters) -> dict[str, Figures]:
    """The figures of each of these owners in some games, by `periods` and the games between them."""
    found: dict[str, Counter[str]] = {owner: Counter() for owner in owners}
    reach = periods.reach(filters.since, filters.until)
    if reach.kept is not None:
        kept = PeriodFigures.objects.filter(reach.kept, group=group, owner__in=owners)
        # Their columns are called like those of a game.
        rows = history.narrowed(kept, replace(filters, since=None, until=None))
        for owner, own in rows.values_list("owner", "figures"):
            found[owner].update(own)
    for facts, people in _games_of(group, filters, reach.edges):
        for owner, own in periods.figures_of(facts, people):
            if owner in found:
                found[owner].update(own)
    return {owner: {name: number for name, number in sums.items() if number} for owner, sums in found.items()}


def _games_of(
    group: Group, filters: Filters, edges: Sequence[periods.Span]
) -> Iterator[tuple[GameFacts, list[str | None]]]:
    """The facts of the games in these spans, and their people, as `GameFacts` numbers them."""
    counted = Game.objects.filter(group=group, status=Status.FINISHED, facts__isnull=False)
    spans = [history.narrowed(counted, replace(filters, since=since, until=until)) for since, until in edges]
    if not spans:
        return
    counted = reduce(or_, spans)
    games = {game_id: GameFacts.from_json(facts or {}) for game_id, facts in counted.values_list("pk", "facts")}
    people: dict[str, list[str | None]] = {game_id: [] for game_id in games}
    seats = Seat.objects.filter(game__in=list(games)).order_by("game", "number")
    rows = list(seats.values_list("game", "player"))
    # Few games have stints.
    if any(facts.stints for facts in games.values()):
        stints = Stint.objects.filter(game__in=list(games)).order_by("game", "order")
        rows += stints.values_list("game", "player")
    for game_id, person in rows:
        people[game_id].append(person)
    for game_id, facts in games.items():
        yield facts, people[game_id]

"""The figures and standings of some games of a group: of a period, a box, a number of players.

What each finished game contributed is kept with it (`Game.facts`), so the figures of any games are sums.  The games are
read in parts: neither memory nor a read transaction grows with their number.  What depends on the order of all games,
the rating and streaks, is not computed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from django.db.models import Count, Q, Sum

from games.errors import NotFound
from games.groups import history, statistics_queries
from games.groups.history import Filters, Standing
from games.groups.statistics import figures
from games.groups.statistics.facts import GameFacts
from games.groups.statistics.figures import Figures
from games.groups.statistics.summary import GroupSummary, PairSummary, PlayerSummary
from games.groups.statistics_queries import Companion, CountedPlayer
from games.models import Game, Group, Player, Season, Seat, Stint

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


def summary_of(group: Group, filters: Filters) -> GroupSummary:
    """What some games of a group add up to; if all are meant, the figures that are kept."""
    if filters == Filters():
        return GroupSummary.of(group.figures)
    found: Figures = {}
    for ids in history.ids_of(group.pk, filters):
        for _game_id, facts in _facts_of(ids):
            found = figures.added(found, figures.of_group(facts))
    return GroupSummary.of(found)


def standings_of(group: Group, filters: Filters) -> list[Standing]:
    """Every player of a group with the games, wins and points of some games, by wins and then by points."""
    people = statistics_queries.with_tokens(Player.objects.filter(group=group, merged_into=None))
    if filters == Filters():
        counted = {each.pk: each.figures for each in people}
    else:
        seats = history.counted_seats(group.pk, filters).order_by().values("player")
        won = Count("pk", filter=Q(is_winner=True))
        counted = {
            row["player"]: row for row in seats.annotate(games=Count("pk"), wins=won, total=Sum("total", default=0))
        }
    found = []
    for player in people:
        own = counted.get(player.pk, {})
        if own.get("games"):
            token = statistics_queries.token_of(player)
            counts = {"games": own["games"], "wins": own.get("wins", 0), "points": own.get("total", 0)}
            found.append(Standing(player.name, player.pk, token, **counts))
    return history.placed(found)


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
    sums = _Sums()
    for ids in history.ids_of(group.pk, filters):
        sums.count(ids, player.pk)
    people = statistics_queries.with_tokens(Player.objects.filter(group=group, pk__in=sums.pairs))
    return PlayerSelection(
        CountedPlayer(
            player.pk,
            player.name,
            statistics_queries.token_of(player),
            PlayerSummary.of(sums.player),
            form=None,
            is_selection=True,
        ),
        GroupSummary.of(sums.group),
        [
            Companion(each.pk, each.name, statistics_queries.token_of(each), PairSummary.of(sums.pairs[each.pk]))
            for each in people
            if sums.pairs[each.pk].get("games")
        ],
    )


@dataclass
class _Sums:
    """The figures of a group, of one player, and of that player with each other one by the other's id."""

    group: Figures = field(default_factory=dict)
    player: Figures = field(default_factory=dict)
    pairs: dict[str, Figures] = field(default_factory=dict)

    def count(self, ids: Sequence[str], player_id: str) -> None:
        """Count the games with these ids."""
        games = dict(_facts_of(ids))
        people: dict[str, list[str | None]] = {game_id: [] for game_id in ids}
        # As `GameFacts` numbers the participants; few games have stints.
        rows = list(Seat.objects.filter(game__in=ids).order_by("game", "number").values_list("game", "player"))
        if any(facts.stints for facts in games.values()):
            rows += Stint.objects.filter(game__in=ids).order_by("game", "order").values_list("game", "player")
        for game_id, person in rows:
            people[game_id].append(person)
        for game_id, facts in games.items():
            self.group = figures.added(self.group, figures.of_group(facts))
            # Who left a seat and sat in another one took part twice.
            for who in (who for who, person in enumerate(people[game_id]) if person == player_id):
                self.player = figures.added(self.player, figures.of_player(facts, who))
                for another, other in enumerate(people[game_id]):
                    if other not in (None, player_id):
                        pair = figures.of_pair(facts, who, another)
                        self.pairs[other] = figures.added(self.pairs.get(other, {}), pair)


def _facts_of(ids: Sequence[str]) -> Iterator[tuple[str, GameFacts]]:
    rows = Game.objects.filter(pk__in=ids).values_list("pk", "facts")
    return ((game_id, GameFacts.from_json(facts)) for game_id, facts in rows if facts is not None)

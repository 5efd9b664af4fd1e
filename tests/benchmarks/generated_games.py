"""Groups with any number of finished games, written without playing each of them.

A few games are played by the rules; every other one is a copy of one of them with other players in its seats, with the
results, facts and figures that playing it would give.  Only the played games have a log.
"""

from __future__ import annotations

import random
import time
from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta

from django.conf import settings
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from games.groups import periods
from games.groups.statistics import ratings
from games.groups.statistics.facts import GameFacts
from games.groups.statistics.figures import added
from games.keys import registry, sessions
from games.models import Game, Group, GroupRole, Pair, Player, Seat
from games.services import group_players, groups
from tests.builders import setup_of
from tests.cast.tables import Table

PEOPLE = ("Ana", "Ben", "Cleo", "Dan", "Eve", "Fay", "Gil", "Hans", "Ida", "Jan")
SEATINGS = 40
AT_ONCE = 2_000

PLAYED = (
    (
        setup_of("goldsieber-dutch", 3, rounds=2),
        *("trump red", "points 4", "open 0 njet blue black 2", "team alone monster 0", "tally 5+1 4+1 3+1"),
        *("open 1 njet red green 3", "team 0 monster 2", "tally 4 4+2 4+1"),
    ),
    (
        setup_of("njet-english", 4, rounds=1),
        *("trump blue", "supertrump njet", "open 2 discard_1 red yellow -2", "team 0", "tally 4+1 3+2 5+1 2"),
    ),
    (setup_of("njet-wikipedia", 3, rounds=1), "open 1 njet black black 4", "team 0 monster 2", "tally 6+2 4+1 6+3"),
)


@dataclass
class LargeGroup:
    """A group with finished games, and a browser that reads its pages."""

    group: Group
    client: Client
    secret: str
    games: int
    sheet: str
    players: list[Player] = field(default_factory=list)

    @classmethod
    def of(cls, games: int) -> LargeGroup:
        """A group with a number of finished games, about one an hour."""
        owner = groups.create_group(name=f"{games} games", creator_label="Ana")
        group = owner.group
        tables = [Table(setup, *lines, group=group) for setup, *lines in PLAYED]
        players = [
            group_players.add_player(group_id=group.pk, name=name) for name in PEOPLE if name not in "AnaBenCleoDan"
        ]
        players += Player.objects.filter(group=group, name__in=("Ana", "Ben", "Cleo", "Dan"))
        _fill(group, [table.game for table in tables], players, games - len(tables))
        reader = registry.issue(group=group, role=GroupRole.VIEWER, label="reader", program=True)
        client = Client(headers={"host": "localhost"})
        session = client.session
        sessions.remember_group(session, owner)
        session.save()
        client.cookies[settings.SESSION_COOKIE_NAME] = session.session_key or ""
        return cls(group, client, reader.secret, games, tables[0].id, players)

    @property
    def pages(self) -> dict[str, Callable[[], str]]:
        """The addresses of the pages, by their names."""
        group, (one, other) = f"/groups/{self.group.pk}", (self.players[0].pk, self.players[1].pk)
        return {
            "the group": lambda: f"{group}/",
            "history": lambda: f"{group}/games/",
            "history of a player": lambda: f"{group}/games/?player={one}",
            "history by rules": lambda: f"{group}/games/?preset=njet-wikipedia",
            "history, rules never played": lambda: f"{group}/games/?preset=goldsieber-italian",
            "history, 5 players, never": lambda: f"{group}/games/?players=5",
            "history, player and rules": lambda: f"{group}/games/?player={one}&preset=njet-english",
            "history of one day long ago": lambda: f"{group}/games/?from=2015-01-01&to=2015-01-01",
            "an evening": lambda: f"{group}/evening/{self.sheet}/",
            "sheet": lambda: f"/g/{self.sheet}/sheet/",
            "replay": lambda: f"/g/{self.sheet}/replay/",
            "players": lambda: f"{group}/players/",
            "statistics": lambda: f"{group}/statistics/",
            "statistics of a year": lambda: f"{group}/statistics/?from={self.year}-01-01&to={self.year}-12-31",
            "statistics since a month": lambda: f"{group}/statistics/?from={self.year}-03-01",
            "statistics of a preset": lambda: f"{group}/statistics/?preset=njet-english",
            "a player, three players": lambda: f"{group}/players/{one}/?players=3",
            "a player since a month": lambda: f"{group}/players/{one}/?from={self.year}-03-01",
            "a player": lambda: f"{group}/players/{one}/",
            "a pair": lambda: f"{group}/pairs/{min(one, other)}/{max(one, other)}/",
            "results over REST": lambda: "/api/v1/results/",
            "changes over REST": lambda: f"/api/v1/results/?changed_after={self.games // 2}",
            "player's figures over REST": lambda: f"/api/v1/players/{one}/statistics/",
        }

    @property
    def year(self) -> int:
        """The year of the latest games."""
        return timezone.now().year

    def ask(self, name: str) -> float:
        """How long a page takes, in seconds."""
        address = self.pages[name]()
        began = time.perf_counter()
        answer = self.client.get(address, headers={"authorization": f"Bearer {self.secret}"})
        took = time.perf_counter() - began
        assert answer.status_code == 200, f"{address}: {answer.status_code}"
        return took

    def queries(self, name: str) -> int:
        """The number of queries that a page takes."""
        with CaptureQueriesContext(connection) as queries:
            self.ask(name)
        return len(queries)


def _fill(group: Group, played: list[Game], players: list[Player], count: int) -> None:
    chance = random.Random(count)
    seatings = [(game, chance.sample(players, game.players)) for game in played for _ in range(SEATINGS)]
    facts = {game.pk: GameFacts.from_json(game.facts) for game in played}
    seats = {game.pk: list(Seat.objects.filter(game=game).order_by("number")) for game in played}
    first = timezone.now() - timedelta(hours=count + 1)
    used: Counter[tuple[int, str]] = Counter()
    for begin in range(0, count, AT_ONCE):
        picked = [chance.randrange(len(seatings)) for _ in range(begin, min(count, begin + AT_ONCE))]
        times = [first + timedelta(hours=number) for number in range(begin, begin + len(picked))]
        used.update((each, periods.DAYS.name(at)) for each, at in zip(picked, times, strict=True))
        games = [
            _copy(seatings[each][0], group, at=at, change=len(played) + number + 1)
            for number, (each, at) in enumerate(zip(picked, times, strict=True), start=begin)
        ]
        Game.objects.bulk_create(games)
        Seat.objects.bulk_create(
            _seat(seat, game, seatings[each][1][seat.number])
            for game, each in zip(games, picked, strict=True)
            for seat in seats[seatings[each][0].pk]
        )
    counted = [(facts[game.pk], people) for game, people in seatings]
    _count(group, {(number, day): (*counted[number], times) for (number, day), times in used.items()})
    group.refresh_from_db()
    group.changes = len(played) + count
    group.save(update_fields=["changes"])


def _copy(game: Game, group: Group, *, at: object, change: int) -> Game:
    return Game(
        mode=game.mode,
        preset=game.preset,
        setup=game.setup,
        rules_version=game.rules_version,
        players=game.players,
        status=game.status,
        rounds_played=game.rounds_played,
        created_at=at,
        finished_at=at,
        group=group,
        facts=game.facts,
        change=change,
    )


def _seat(seat: Seat, game: Game, player: Player) -> Seat:
    form = ratings.start().to_json()
    return Seat(
        game=game,
        number=seat.number,
        name=player.name,
        token=seat.token,
        total=seat.total,
        rank=seat.rank,
        is_winner=seat.is_winner,
        player=player,
        counted_at=game.finished_at,
        form=form,
    )


def _count(group: Group, counted: dict[tuple[int, str], tuple[GameFacts, list[Player], int]]) -> None:
    """Add a number of copies of each game of each day to the figures."""
    days: defaultdict[periods.Key, Counter[str]] = defaultdict(Counter)
    for (_number, day), (facts, seated, times) in counted.items():
        for owner, figures in periods.figures_of(facts, [player.pk for player in seated]):
            sums = days[owner, day, facts.preset, facts.players]
            for name, number in figures.items():
                sums[name] += number * times
    owners = periods.of_owners(days)
    group.refresh_from_db()
    group.figures = added(group.figures, owners.pop(periods.EVERYBODY))
    group.save(update_fields=["figures"])
    for player in Player.objects.filter(group=group):
        player.figures = added(player.figures, owners.pop(player.pk, {}))
        player.save(update_fields=["figures"])
    for pair, sums in owners.items():
        one, other = pair.split()
        kept, _ = Pair.objects.get_or_create(one_id=one, other_id=other)
        kept.figures = added(kept.figures, sums)
        kept.save(update_fields=["figures"])
    periods.keep(group, days, added)

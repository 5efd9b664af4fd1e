"""Groups with any number of finished games, written without playing each of them.

A few games are played by the rules; every other one is a copy of one of them with other players in its seats, with the
results, facts and figures that playing it would give.  Only the played games have a log.
"""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta
from itertools import combinations

from django.conf import settings
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from games.groups.statistics import figures, ratings
from games.groups.statistics.facts import GameFacts
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
            "a player": lambda: f"{group}/players/{one}/",
            "a pair": lambda: f"{group}/pairs/{min(one, other)}/{max(one, other)}/",
            "results over REST": lambda: "/api/v1/results/",
            "changes over REST": lambda: f"/api/v1/results/?changed_after={self.games // 2}",
            "player's figures over REST": lambda: f"/api/v1/players/{one}/statistics/",
        }

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
    used: Counter[int] = Counter()
    for begin in range(0, count, AT_ONCE):
        picked = [chance.randrange(len(seatings)) for _ in range(begin, min(count, begin + AT_ONCE))]
        used.update(picked)
        games = [
            _copy(seatings[each][0], group, at=first + timedelta(hours=number), change=len(played) + number + 1)
            for number, each in enumerate(picked, start=begin)
        ]
        Game.objects.bulk_create(games)
        Seat.objects.bulk_create(
            _seat(seat, game, seatings[each][1][seat.number])
            for game, each in zip(games, picked, strict=True)
            for seat in seats[seatings[each][0].pk]
        )
    _count(group, [(facts[game.pk], people, used[number]) for number, (game, people) in enumerate(seatings)])
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


def _count(group: Group, counted: list[tuple[GameFacts, list[Player], int]]) -> None:
    """Add a number of copies of each game to the figures."""
    of_group: Counter[str] = Counter(Group.objects.get(pk=group.pk).figures)
    people = {player.pk: player for player in Player.objects.filter(group=group)}
    of_players = {pk: Counter(player.figures) for pk, player in people.items()}
    of_pairs: dict[tuple[str, str], Counter[str]] = {}
    for facts, seated, times in counted:
        _add(of_group, figures.of_group(facts), times)
        for seat, player in enumerate(seated):
            _add(of_players[player.pk], figures.of_player(facts, seat), times)
        for (a, one), (b, other) in combinations(enumerate(seated), 2):
            ids = (min(one.pk, other.pk), max(one.pk, other.pk))
            _add(of_pairs.setdefault(ids, Counter()), figures.of_pair(facts, a, b), times)
    Group.objects.filter(pk=group.pk).update(figures=dict(of_group))
    for pk, player in people.items():
        player.figures = dict(of_players[pk])
    Player.objects.bulk_update(people.values(), ["figures"])
    for (one_id, other_id), counters in of_pairs.items():
        Pair.objects.update_or_create(one_id=one_id, other_id=other_id, defaults={"figures": dict(counters)})


def _add(sums: Counter[str], more: dict[str, int], times: int) -> None:
    for name, number in more.items():
        sums[name] += number * times

"""A group as programs see it: three keys, tables, finished games.

Knows addresses and who may use them.  Knows no rule.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

from games.keys import registry
from games.models import Game, GroupRole, Seat
from tests.api.client import CAST, FINISH, ROUND_OF_THREE, Answer, Api, Json, Table, tally
from tests.cast.groups import CastGroup

EVENING = datetime(2026, 11, 21, 18, 0, tzinfo=UTC)

ROUND_OF_BEN = (*ROUND_OF_THREE[:2], tally([2, 2, 12]))
"""The same teams, and Cleo with the monster wins it all."""


class ApiGroup(CastGroup):
    """A group, with the keys of an owner, a member and a viewer."""

    def __init__(self, api: Api, name: str = "Tuesdays") -> None:
        super().__init__(name, label=None)
        self.api, self.owner = api, self.key.secret
        issued = (
            registry.issue(group=self.key.group, role=role, label=role, program=True)
            for role in (GroupRole.MEMBER, GroupRole.VIEWER)
        )
        self.member, self.viewer = (key.secret for key in issued)

    @property
    def path(self) -> str:
        return f"/groups/{self.id}"

    def get(self, path: str, key: str | None = None, **headers: str) -> Answer:
        return self.api.get(path, key or self.viewer, **headers)

    def post(self, path: str, body: Json = None, key: str | None = None) -> Answer:
        return self.api.post(self.path + path, body, key or self.owner)

    def delete(self, path: str, key: str | None = None) -> Answer:
        return self.api.delete(self.path + path, key or self.owner)

    def table(self, *actions: Json, names: tuple[str, ...] = CAST[:3], **options: Json) -> Table:
        """A table of the group, opened by a member's program."""
        body = {
            "mode": "table",
            "preset": "njet-english",
            "options": options,
            "players": [{"name": name} for name in names],
            "group": self.id,
        }
        answer = self.api.post("/games/", body, self.member)
        assert answer.status == 201, answer.text
        table = Table.of(self.api, answer.json)
        if actions:
            table.play(*actions)
        return table

    def game(self, *more: Json, names: tuple[str, ...] = CAST[:3]) -> Table:
        """A finished game of one round: Ana 24, Ben 24, Cleo 28."""
        return self.table(*ROUND_OF_THREE, *more, FINISH, names=names)

    def history(self, count: int, *, at_once: int = 1) -> list[str]:
        """Many finished games without a log, an hour apart, `at_once` of them at the same time; the newest first."""
        pattern = Game.objects.get(pk=self.game().id)
        seats = list(Seat.objects.filter(game=pattern))
        games, copies = [], []
        for number in range(count):
            at = EVENING - timedelta(hours=number // at_once)
            values = {name: getattr(pattern, name) for name in ("mode", "preset", "setup", "rules_version", "facts")}
            game = Game(
                **values, status="finished", rounds_played=1, players=3, created_at=at, finished_at=at, group_id=self.id
            )
            games.append(game)
            copies += [_copy(seat, game) for seat in seats]
        Game.objects.bulk_create(games)
        Seat.objects.bulk_create(copies)
        self.api.delete(f"/groups/{self.id}/games/{pattern.pk}/", self.owner)
        ordered = sorted(games, key=lambda game: (game.finished_at, game.pk), reverse=True)
        return [game.pk for game in ordered]

    def players(self) -> dict[str, str]:
        """The ids by name."""
        return {each["name"]: each["id"] for each in self.get("/players/").json}

    def pages(self, query: str = "", path: str = "/results/") -> Iterator[Json]:
        """The pages of a list, from the first to the last."""
        page = self.get(f"{path}?{query}").json
        yield page
        while page["next"] is not None:
            page = self.get(page["next"].removeprefix("http://testserver/api/v1")).json
            yield page

    def follow(self, since: int = 0, size: int = 200) -> tuple[list[Json], int]:
        """Everything that changed after a number, and where to go on."""
        found: list[Json] = []
        while True:
            answer = self.get(f"/results/?changed_after={since}&size={size}").json
            found += answer["results"]
            since = answer["changed_after"]
            if not answer["more"]:
                return found, since


def _copy(seat: Seat, game: Game) -> Seat:
    names = ("number", "name", "token", "total", "rank", "is_winner", "player_id")
    return Seat(game=game, counted_at=game.finished_at, **{name: getattr(seat, name) for name in names})

"""Queries for the statistics of a group, a player and a pair.

They read stored figures and forms, never a log and never all games.  `games.groups.totals` keeps the figures
up to date.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.db.models import OuterRef, Q, QuerySet, Subquery

from games.errors import NotFound
from games.groups.statistics import ratings
from games.groups.statistics.ratings import Form, Shown
from games.groups.statistics.summary import PairSummary, PlayerSummary
from games.models import Group, Pair, Player, Seat

LATEST = 60
"""How many games the curve of a rating looks back."""


@dataclass(frozen=True, slots=True)
class Person:
    """A player of a group.  `token`: the favourite one, else that of the last game, else “none”."""

    id: str
    name: str
    token: str

    @property
    def sign(self) -> str:
        """The letter on the token."""
        return self.name[:1].upper()


@dataclass(frozen=True, slots=True)
class CountedPlayer(Person):
    """A player with the summary of their games, or of some of them (`is_selection`).

    `form`: None for some games, and while none is rated.
    """

    summary: PlayerSummary
    form: Form | None
    is_selection: bool = False

    @property
    def shown(self) -> Shown | None:
        """The rating as it is read."""
        return None if self.form is None else ratings.shown(self.form)

    @classmethod
    def of(cls, player: Player) -> CountedPlayer:
        """What the columns of a player say."""
        form = Form.from_json(player.form) if player.form else None
        return cls(player.pk, player.name, token_of(player), PlayerSummary.of(player.figures), form)


@dataclass(frozen=True, slots=True)
class RatedGame:
    """A game of a player, and the player's form after it."""

    game_id: str
    at: datetime
    form: Form

    @property
    def shown(self) -> Shown:
        """The rating after it, as it is read."""
        return ratings.shown(self.form)


@dataclass(frozen=True, slots=True)
class Companion(Person):
    """A player who shared a table with another, and the summary of the two."""

    summary: PairSummary


@dataclass(frozen=True, slots=True)
class CountedPair:
    """Two players, by name, and the summary of their games together and against each other."""

    one: CountedPlayer
    other: CountedPlayer
    summary: PairSummary


def token_of(player: Player) -> str:
    """The token of a player who was read with `with_tokens`."""
    return player.token or getattr(player, "worn", None) or "none"


def players_of(group: Group) -> list[CountedPlayer]:
    """Every player of a group who has a counted game."""
    players = with_tokens(Player.objects.filter(group=group, merged_into=None))
    counted = (CountedPlayer.of(player) for player in players)
    return [each for each in counted if each.summary.games]


def people_of(group: Group, *ids: str) -> list[Player]:
    """The players with these ids, in this order; for one who was merged into another, that other.

    Errors: `NotFound`, also for an id that is named twice.
    """
    # Not every database takes every character of an address.
    if not all(each.isalnum() for each in ids):
        raise NotFound()
    players = with_tokens(Player.objects.filter(group=group, pk__in=ids).select_related("merged_into"))
    found = {player.pk: player.merged_into or player for player in players}
    if len(found) < len(ids):
        raise NotFound()
    return [found[each] for each in ids]


def companions_of(player: Player) -> tuple[Companion, ...]:
    """Every player who shared a table with this one in a counted game."""
    pairs = Pair.objects.filter(Q(one=player) | Q(other=player)).select_related("one", "other")
    pairs = pairs.annotate(one_worn=_worn("one"), other_worn=_worn("other"))
    # Their own figures are ten times as long as those of the pair and not needed.
    narrow = pairs.only("figures", "one", "one__name", "one__token", "other", "other__name", "other__token")
    found = []
    for pair in narrow:
        companion, worn = (pair.other, pair.other_worn) if pair.one_id == player.pk else (pair.one, pair.one_worn)
        summary = PairSummary.of(pair.figures)
        if summary.games:
            found.append(Companion(companion.pk, companion.name, companion.token or worn or "none", summary))
    return tuple(found)


def latest_games(player: Player) -> tuple[RatedGame, ...]:
    """The player's last rated games, the oldest of them first."""
    seats = Seat.objects.filter(player=player, counted_at__isnull=False).order_by("-counted_at", "-game_id")
    latest = list(seats.values_list("game_id", "counted_at", "form")[:LATEST])
    return tuple(RatedGame(game_id, at, Form.from_json(form)) for game_id, at, form in reversed(latest) if form)


def of_pair(one: Player, other: Player) -> CountedPair:
    """The summary of two players, all zero if they never met."""
    first, second = sorted((one.pk, other.pk))
    figures = Pair.objects.filter(one=first, other=second).values_list("figures", flat=True).first()
    left, right = sorted((CountedPlayer.of(one), CountedPlayer.of(other)), key=lambda each: (each.name, each.id))
    return CountedPair(left, right, PairSummary.of(figures or {}))


def _worn(player: str) -> Subquery:
    """The token of a player in the last counted game: the colour of those who have chosen none."""
    return Subquery(
        Seat.objects.filter(player=OuterRef(player), game__deleted_at=None)
        .order_by("-counted_at", "-game")
        .values("token")[:1]
    )


def with_tokens(players: QuerySet[Player]) -> QuerySet[Player]:
    """These players, each with what `token_of` needs."""
    return players.annotate(worn=_worn("pk"))

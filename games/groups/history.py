"""Finished games as lists: the history of a group page by page, what changed since, an evening, a game for others.

A page reads as many rows as it shows, however long the history is.  Lists read the columns that copy results; only
`play_of` reads a log.
"""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta, tzinfo
from typing import Any

from django.db.models import Prefetch, Q, QuerySet
from django.utils import timezone

from games.errors import NotFinished, NotFound
from games.formats.play import Person, Play, guest_id
from games.log import store
from games.models import Game, Group, LostResult, Mode, Season, Seat, Status
from games.rules import PRESETS
from games.rules.errors import WrongType

PAGE = 25
MOST_ON_A_PAGE = 200

NEWEST, OLDEST = "-finished_at", "finished_at"
ORDERINGS = (NEWEST, OLDEST)

PAUSE = timedelta(hours=4)
"""A longer pause between two games ends an evening."""
LONGEST_EVENING = 40


@dataclass(frozen=True)
class Filters:
    """Which finished games: of a player, by a preset or of a box, with a number of players, ended in [since, until)."""

    player: str | None = None
    preset: str | None = None
    players: int | None = None
    since: datetime | None = None
    until: datetime | None = None
    edition: str | None = None

    def during(self, season: Season, zone: tzinfo) -> Filters:
        """Of these games those of a season, whose days are those of a time zone."""
        since = begin_of(season.since, zone)
        until = None if season.until is None else begin_of(season.until + timedelta(days=1), zone)
        return replace(
            self,
            since=max(since, self.since or since),
            until=min((each for each in (until, self.until) if each), default=None),
        )


def begin_of(day: date, zone: tzinfo) -> datetime:
    """When a day of a time zone begins."""
    return datetime.combine(day, time.min, zone)


@dataclass(frozen=True)
class Page:
    """Some games in order, with their seats, and the cursors of the pages around them (None: there is no such page)."""

    games: Sequence[Game]
    following: str | None
    previous: str | None


@dataclass(frozen=True)
class _Cursor:
    """A place between two games: after this game; before it when paging backwards."""

    at: datetime
    game_id: str
    backwards: bool

    def written(self) -> str:
        document = json.dumps([self.at.isoformat(), self.game_id, int(self.backwards)])
        return base64.urlsafe_b64encode(document.encode()).decode().rstrip("=")

    @classmethod
    def read(cls, text: str) -> _Cursor:
        try:
            padded = text + "=" * (-len(text) % 4)
            at, game_id, backwards = json.loads(base64.b64decode(padded, altchars=b"-_", validate=True))
            at_time = datetime.fromisoformat(at)
            if not isinstance(game_id, str) or backwards not in (0, 1) or timezone.is_naive(at_time):
                raise ValueError(text)
            store.demand_storable("cursor", game_id)
            # A time near the last year cannot be converted to every zone.
            return cls(at_time.astimezone(timezone.get_default_timezone()), game_id, bool(backwards))
        except (ValueError, TypeError, OverflowError, RecursionError, binascii.Error) as error:
            raise WrongType(field="cursor", expected="cursor") from error


def page_of(
    group_id: str,
    filters: Filters | None = None,
    *,
    cursor: str | None = None,
    ordering: str = NEWEST,
    size: int = PAGE,
) -> Page:
    """A page of a group's finished games.

    Errors: `WrongType` for a cursor that was never given out, and for what no player or preset can be called.
    """
    filters = filters or Filters()
    store.demand_storable("player", filters.player)
    store.demand_storable("preset", filters.preset)
    place = _Cursor.read(cursor) if cursor else None
    backwards = place is not None and place.backwards
    descending = (ordering == NEWEST) != backwards
    found = _rows(group_id, filters, place, descending=descending, most=size + 1)
    more, ids = len(found) > size, [game_id for game_id, _at in found[:size]]
    games = _in_order(ids)
    if backwards:
        games.reverse()
    has_next, has_previous = (True, more) if backwards else (more, place is not None)
    return Page(
        games,
        following=_place_of(games[-1], backwards=False) if games and has_next else None,
        previous=_place_of(games[0], backwards=True) if games and has_previous else None,
    )


def all_of(group_id: str, filters: Filters | None = None, *, ordering: str = NEWEST) -> Iterator[Game]:
    """Every finished game, read page by page while it is sent.

    A long answer must not hold a read transaction: SQLite's writers would wait for its end.
    """
    page = page_of(group_id, filters, ordering=ordering, size=MOST_ON_A_PAGE)
    yield from page.games
    while page.following:
        page = page_of(group_id, filters, cursor=page.following, ordering=ordering, size=MOST_ON_A_PAGE)
        yield from page.games


def _place_of(game: Game, *, backwards: bool) -> str:
    assert game.finished_at is not None, "only finished games are listed"
    return _Cursor(game.finished_at, game.pk, backwards).written()


def _rows(
    group_id: str, filters: Filters, place: _Cursor | None, *, descending: bool, most: int
) -> list[tuple[str, datetime]]:
    """The ids and ends in order.  Each query reads along an index and stops at the last row that is shown."""
    if filters.player is None:
        rows: QuerySet[Any] = narrowed(Game.objects.filter(group=group_id, status=Status.FINISHED), filters)
        when, name = "finished_at", "pk"
    else:
        rows = counted_seats(group_id, filters).filter(player=filters.player)
        when, name = "counted_at", "game_id"
    if place is not None:
        side, end = ("lte", "gte") if descending else ("gte", "lte")
        same = Q(**{when: place.at, f"{name}__{end}": place.game_id})
        rows = rows.filter(~same, **{f"{when}__{side}": place.at})
    sign = "-" if descending else ""
    return list(rows.order_by(f"{sign}{when}", f"{sign}{name}").values_list(name, when)[:most])


def counted_seats(group_id: str, filters: Filters) -> QuerySet[Seat]:
    """The seats of the players of a group in the finished games that the filters let through, for any player."""
    rows = Seat.objects.filter(player__group=group_id, counted_at__isnull=False)
    return narrowed(rows, filters, when="counted_at", of_game="game__")


def narrowed(rows: QuerySet[Any], filters: Filters, *, when: str = "finished_at", of_game: str = "") -> QuerySet[Any]:
    """Rows about games by preset, number of players and time.  `when`, `of_game`: the names of their columns."""
    if filters.preset is not None:
        rows = rows.filter(**{f"{of_game}preset": filters.preset})
    if filters.edition is not None:
        presets = [key for key, preset in PRESETS.items() if preset.edition.key == filters.edition]
        rows = rows.filter(**{f"{of_game}preset__in": presets})
    if filters.players is not None:
        rows = rows.filter(**{f"{of_game}players": filters.players})
    if filters.since is not None:
        rows = rows.filter(**{f"{when}__gte": filters.since})
    if filters.until is not None:
        rows = rows.filter(**{f"{when}__lt": filters.until})
    return rows


def _in_order(ids: Sequence[str]) -> list[Game]:
    by_id = {game.pk: game for game in _with_seats(Game.objects.filter(pk__in=ids))}
    # A game may have been deleted between the two queries.
    return [by_id[each] for each in ids if each in by_id]


def _with_seats(games: QuerySet[Game]) -> QuerySet[Game]:
    # The figures of a player are fifty times as long as the name.
    narrow = Seat.objects.select_related("player").defer("form", "player__figures", "player__form")
    return games.prefetch_related(Prefetch("seats", queryset=narrow.order_by("number")))


# --- what changed since ---


@dataclass(frozen=True)
class Change:
    """A result as it is now: the game, or None if the game has left the group."""

    number: int
    game_id: str
    game: Game | None


@dataclass(frozen=True)
class Changes:
    """What changed since, in order.  `upto`: the number to send with the next query."""

    items: Sequence[Change]
    upto: int
    more: bool


def changes_after(group_id: str, number: int, *, size: int = PAGE) -> Changes:
    """Every result that changed after a number, each once, as it is now.

    A result that changes while a consumer reads gets a higher number and is listed later: nothing is missed, and
    nothing is repeated that has not changed again.

    Errors: `NotFound` if the group was deleted, `WrongType` for a number that was never given out.
    """
    # Change numbers follow the order of the commits, so the queries below see everything up to this number.
    upto = Group.objects.values_list("changes", flat=True).filter(pk=group_id).first()
    if upto is None:
        raise NotFound()
    if number > upto:
        # A backup was restored: the consumer has to begin again.
        raise WrongType(field="changed_after", expected="number_given_out", most=upto)
    span = {"group": group_id, "change__gt": number, "change__lte": upto}
    lost = LostResult.objects.filter(**span).order_by("change")[: size + 1]
    games = _with_seats(Game.objects.filter(**span).order_by("change"))[: size + 1]
    items = [Change(each.change, each.game_id, None) for each in lost]
    items += [Change(game.change, game.pk, game) for game in games if game.change is not None]
    items.sort(key=lambda item: item.number)
    more = len(items) > size
    return Changes(items[:size], items[size - 1].number if more else max(number, upto), more)


# --- an evening ---


@dataclass(frozen=True)
class Standing:
    """A player's results in some games.

    `points`: of all the games together; `place`: players with as many wins and points share it.
    """

    name: str
    player_id: str | None
    token: str
    games: int = 0
    wins: int = 0
    points: int = 0
    place: int = 0


@dataclass(frozen=True)
class Evening:
    """Consecutive games, the first one first, and the standings of the evening: most wins first, then most points."""

    games: Sequence[Game]
    standings: Sequence[Standing]


def evening_of(group_id: str, game_id: str) -> Evening | None:
    """The evening that a finished game of a group belongs to; None if the group has no such game."""
    finished = Game.objects.filter(group=group_id, status=Status.FINISHED)
    games = list(_with_seats(finished.filter(pk=game_id)))
    if not games:
        return None
    (game,) = games
    before = finished.filter(finished_at__lte=game.finished_at).exclude(pk=game.pk)
    for earlier in _with_seats(before.order_by("-finished_at", "-pk"))[:LONGEST_EVENING]:
        if not _same_evening(earlier, games[0]):
            break
        games.insert(0, earlier)
    later_games = finished.filter(finished_at__gt=game.finished_at)
    for later in _with_seats(later_games.order_by("finished_at", "pk"))[:LONGEST_EVENING]:
        if not _same_evening(games[-1], later):
            break
        games.append(later)
    return Evening(games, standings_of(games))


def game_before(group: Group, key_ids: Sequence[int], now: datetime) -> Game | None:
    """The last finished game of a group that these keys open, if a table of now belongs to its evening."""
    opened = Game.objects.filter(group=group, keys__in=key_ids, keys__revoked_at=None, status=Status.FINISHED)
    game = opened.order_by("-finished_at", "-pk").first()
    return game if game is not None and _is_soon(game, now) else None


def by_evening(games: Iterable[Game]) -> Iterator[tuple[datetime, Game]]:
    """The finished games of a group, the newest first: each with when the first game of its evening began."""
    evening: list[Game] = []
    for game in games:
        if evening and not _same_evening(game, evening[-1]):
            yield from _began(evening)
            evening = []
        evening.append(game)
    yield from _began(evening)


def _began(evening: Sequence[Game]) -> Iterator[tuple[datetime, Game]]:
    return ((evening[-1].created_at, game) for game in evening)


def rematches_of(game: Game, key_ids: Sequence[int]) -> Evening | None:
    """The chain of finished rematches that a game belongs to, as far as these keys open them; None if there is none."""
    opened = Game.objects.filter(keys__in=key_ids, keys__revoked_at=None, status=Status.FINISHED)
    follows = dict(opened.order_by("created_at").values_list("pk", "rematch_of"))
    # If a game has two rematches, follow the first.
    next_of = {earlier: later for later, earlier in reversed(follows.items()) if earlier}
    chain = [game.pk]
    earlier = game.rematch_of_id
    while earlier in follows and len(chain) < LONGEST_EVENING:
        chain.insert(0, earlier)
        earlier = follows[earlier]
    while chain[-1] in next_of and len(chain) < LONGEST_EVENING:
        chain.append(next_of[chain[-1]])
    games = _in_order([each for each in chain if each in follows or (each == game.pk and game.finished_at)])
    return Evening(games, standings_of(games)) if games else None


def _same_evening(earlier: Game, later: Game) -> bool:
    return _is_soon(earlier, later.created_at)


def _is_soon(game: Game, began: datetime) -> bool:
    """Whether what began then belongs to the evening of a finished game."""
    assert game.finished_at is not None, "only finished games are asked for"
    return began - game.finished_at <= PAUSE


def standings_of(games: Iterable[Game]) -> list[Standing]:
    """The standings over some games, read with their seats."""
    found: dict[str, Standing] = {}
    for game in games:
        for seat in game.seats.all():
            # Without a group the name identifies the player for that evening.
            key = seat.player_id or seat.name.casefold()
            standing = found.setdefault(key, Standing(seat.present_name, seat.player_id, seat.token))
            found[key] = replace(
                standing,
                games=standing.games + 1,
                wins=standing.wins + seat.is_winner,
                points=standing.points + seat.total,
            )
    return placed(found.values())


def placed(standings: Iterable[Standing]) -> list[Standing]:
    """The standings with their places: most wins first, then most points."""
    standings = sorted(standings, key=lambda each: (-each.wins, -each.points, each.name))
    results = [(each.wins, each.points) for each in standings]
    return [replace(each, place=1 + results.index((each.wins, each.points))) for each in standings]


# --- one game, for other programs ---


def play_of(game: Game) -> Play:
    """A finished game as other programs see it.  Reads its log, its seats and its group.

    Errors: `NotFinished`.
    """
    if game.finished_at is None:
        raise NotFinished()
    seats, group = game.seats.select_related("player").order_by("number"), game.present_group
    people = tuple(
        Person(guest_id(seat.name), seat.name)
        if group is None or seat.player is None
        else Person(seat.player.pk, seat.player.name)
        for seat in seats
    )
    return Play(
        game_id=game.pk,
        state=store.seen(game, None).state,
        people=people,
        began=game.created_at,
        ended=game.finished_at,
        group=None if group is None else (group.pk, group.name),
        digital=game.mode == Mode.DIGITAL,
        # The entries of an imported text may be older than its end.
        changed=max(game.finished_at, store.changed_at(game.pk) or game.finished_at),
        minutes=game.minutes or 0,
        place=game.place,
        note=game.note,
    )

"""Lists for the pages: which games, which names.  Reads the columns that copy results, never a log."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, date, datetime, time, timedelta
from difflib import get_close_matches

from django.db.models import Q, QuerySet
from django.utils import timezone

from games.groups.totals import key_of_name
from games.models import IN_BIN, Game, Group, GroupKey, Key, Player, Role, Season, Seat, Status

LATEST = 50


def tables_of(key_ids: Sequence[int]) -> QuerySet[Game]:
    """The games that these keys open, the latest first, with their seats."""
    return _opened(_valid(key_ids))


def tables_and_bin(key_ids: Sequence[int]) -> tuple[QuerySet[Game], list[Game]]:
    """The games that these keys open, as `tables_of`, and those of them that lie in the bin, the last deleted first."""
    keys = Key.objects.filter(Q(revoked_at=None) | IN_BIN, pk__in=key_ids).values_list("pk", "game", "revoked_at")
    found = list(keys)
    valid = [pk for pk, _, revoked_at in found if revoked_at is None]
    deleted = [game_id for _, game_id, revoked_at in found if revoked_at is not None]
    binned = Game.objects.filter(pk__in=deleted).select_related("deleted_by").prefetch_related("seats")
    return _opened(valid), list(binned.order_by("-deleted_at")) if deleted else []


def _opened(valid: Sequence[int]) -> QuerySet[Game]:
    games = Game.objects.filter(keys__in=valid).distinct().order_by("-created_at", "-pk")
    return games.prefetch_related("seats")


def known_names(key_ids: Sequence[int]) -> dict[str, str]:
    """The names that were played with on these keys' tables, the latest first, each with its last token."""
    latest = Game.objects.filter(keys__in=_valid(key_ids)).order_by("-created_at").values_list("pk", flat=True)
    rows = Seat.objects.filter(game__in=list(latest[:LATEST])).order_by("-game__created_at", "number")
    return _first_of_each(rows.values_list("name", "token"))


def last_level(key_ids: Sequence[int]) -> str | None:
    """The level of the bots in the latest game with bots that these keys open."""
    seats = Seat.objects.filter(game__keys__in=key_ids, game__keys__revoked_at=None).exclude(bot="")
    return seats.order_by("-game__created_at", "-game").values_list("bot", flat=True).first()


def devices_of(game: Game) -> list[Key]:
    """The keys of a game that are valid, the oldest first."""
    return list(Key.objects.filter(game=game, revoked_at=None).order_by("pk"))


def seat_keys(game: Game) -> dict[int, Key]:
    """The keys of the seats of a digital game that are valid, by seat."""
    keys = Key.objects.filter(game=game, role=Role.SEAT, revoked_at=None).order_by("pk")
    return {key.seat: key for key in keys if key.seat is not None}


def _first_of_each(pairs: Iterable[tuple[str, str]]) -> dict[str, str]:
    found: dict[str, str] = {}
    for key, value in pairs:
        found.setdefault(key, value)
    return found


def _valid(key_ids: Sequence[int]) -> list[int]:
    return list(Key.objects.filter(pk__in=key_ids, revoked_at=None).values_list("pk", flat=True))


# --- groups ---

MOST_RUNNING = 20


def running_in(group: Group) -> list[Game]:
    """The tables of a group that are being played, the latest first, with their seats."""
    games = Game.objects.filter(group=group, status=Status.PLAYING).order_by("-created_at")
    return list(games.prefetch_related("seats")[:MOST_RUNNING])


def tables_in(group: Group) -> QuerySet[Game]:
    """The games of a group, the latest first."""
    return Game.objects.filter(group=group).order_by("-created_at", "-pk")


def players_of(group: Group) -> list[Player]:
    """The people of a group, those who play most first."""
    people = list(Player.objects.filter(group=group, merged_into=None))
    return sorted(people, key=lambda player: (-player.figures.get("games", 0), player.name.casefold()))


def mistakable(group: Group, names: Sequence[str]) -> dict[str, str]:
    """The names that are new in a group, each with the player of nearly the same name who does not play there."""
    known = {player.name_key: player.name for player in Player.objects.filter(group=group) if player.name_key}
    keys = {key_of_name(name): name for name in names}
    others = known.keys() - keys.keys()
    likest = {
        name: get_close_matches(key, sorted(others), n=1, cutoff=0.75) for key, name in keys.items() if key not in known
    }
    return {name: known[found[0]] for name, found in likest.items() if found}


def last_tokens(group: Group) -> dict[str, str]:
    """The token that each player had in the latest games of a group, by the player's id."""
    rows = Seat.objects.filter(game__group=group, player__isnull=False).order_by("-game__created_at")
    return _first_of_each(rows.values_list("player_id", "token")[: LATEST * 5])


def player_of(group: Group, player_id: str) -> Player | None:
    """A player of a group who was not merged into another."""
    # PostgreSQL refuses to look for what it cannot hold.
    if "\0" in player_id:
        return None
    return Player.objects.filter(group=group, pk=player_id, merged_into=None).first()


def person_of(group: Group, player_id: str) -> Player | None:
    """The player of an id in a group, with merges followed."""
    if "\0" in player_id:
        return None
    person = Player.objects.filter(group=group, pk=player_id).select_related("merged_into").first()
    return person if person is None else person.merged_into or person


def seasons_of(group: Group) -> list[Season]:
    """The seasons of a group, the latest first."""
    return list(Season.objects.filter(group=group))


def keys_of(group: Group) -> list[GroupKey]:
    """The keys of a group that are valid, the oldest first."""
    return list(GroupKey.objects.filter(group=group, revoked_at=None).order_by("pk"))


def usual_game(group: Group) -> tuple[str, str]:
    """The rules and the mode of the group's latest table, nothing if there was none."""
    latest = Game.objects.filter(group=group).order_by("-created_at").values_list("preset", "mode").first()
    return latest or ("", "")


def are_there(group: Group, results: Sequence[tuple[date, Mapping[str, int]]]) -> list[bool]:
    """Whether a group has each of these results already, or an earlier place of the list has it.

    A result is a day by the reader's clock and the players' totals by their names.
    """
    if not results:
        return []
    days = [day for day, _totals in results]
    first, last = (timezone.make_aware(datetime.combine(day, time())) for day in (min(days), max(days)))
    games = Game.objects.filter(group=group, created_at__gte=first, created_at__lt=last + timedelta(days=1))
    known = {
        (
            timezone.localdate(game.created_at),
            frozenset((key_of_name(seat.present_name), seat.total) for seat in game.seats.all()),
        )
        for game in games.prefetch_related("seats__player")
    }
    found = []
    for day, totals in results:
        result = (day, frozenset((key_of_name(name), total) for name, total in totals.items()))
        found.append(result in known)
        known.add(result)
    return found


def in_seasons(group: Group, games: Iterable[Game]) -> Iterator[Game]:
    """The same games, which know by `in_seasons` in which seasons they were finished, by days in UTC."""
    seasons = seasons_of(group)
    for game in games:
        day = None if game.finished_at is None else game.finished_at.astimezone(UTC).date()
        game.in_seasons = [
            season
            for season in seasons
            if day is not None and season.since <= day and (season.until is None or day <= season.until)
        ]
        yield game

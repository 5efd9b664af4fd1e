"""Restore a group from its file (`games.groups.archive`), some games at a time, into a group that may have some."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import date

from django.db.models import Q

from games.database import write_queue
from games.formats import document
from games.groups import archive, totals
from games.keys.permissions import require_valid
from games.models import Game, Group, GroupKey
from games.rules.errors import NjetError, WrongType
from games.rules.setup import LONGEST_NAME
from games.rules.text import clean_line
from games.services import apart, creation, group_players
from games.services.seasons import create_season
from games.services.write import locked_group

MOST_PLAYERS = 5_000
AT_ONCE = 100
"""Games of one request.  They are read before its transaction: other writers wait for some tenths of a second."""


@dataclass
class Restored:
    """What became of the games: how many are new, how many the group had, and why others are none, by their id."""

    added: int = 0
    known: int = 0
    refused: dict[str, NjetError] = field(default_factory=dict)


def read_head(value: object) -> dict[str, tuple[str, str]]:
    """The players of a file by their id there: name and token.

    Errors: `WrongType` for what is no file of a group.
    """
    if not isinstance(value, Mapping) or value.get("format") != archive.FORMAT:
        raise WrongType(field="format", expected="kind", kind=archive.FORMAT)
    listed = value.get("players")
    if value.get("schema") != archive.SCHEMA or not isinstance(listed, list) or len(listed) > MOST_PLAYERS:
        raise WrongType(field="players", expected="list_of_objects")
    players: dict[str, tuple[str, str]] = {}
    for each in listed:
        if not isinstance(each, Mapping):
            raise WrongType(field="players", expected="list_of_objects")
        own_id, name, token = each.get("id"), each.get("name"), each.get("token")
        if not isinstance(own_id, str) or not isinstance(name, str) or not isinstance(token, str):
            raise WrongType(field="players", expected="list_of_objects")
        if clean_line(name):
            players[own_id] = (clean_line(name)[:LONGEST_NAME], token[:16])
    return players


@dataclass(frozen=True)
class FileSeason:
    """A season of a file."""

    name: str
    since: date
    until: date | None


def read_seasons(value: object) -> list[FileSeason]:
    """The seasons of a file that `read_head` has read; none of one that was written before there were any.

    Errors: `WrongType`.
    """
    listed = value.get("seasons", []) if isinstance(value, Mapping) else []
    try:
        return [
            FileSeason(
                str(each["name"]),
                date.fromisoformat(each["since"]),
                None if each["until"] is None else date.fromisoformat(each["until"]),
            )
            for each in listed
        ]
    except (TypeError, KeyError, ValueError) as error:
        raise WrongType(field="seasons", expected="list_of_objects") from error


def restore(
    *,
    group_id: str,
    through: GroupKey,
    players: Mapping[str, tuple[str, str]],
    games: Sequence[object],
    seasons: Sequence[FileSeason] = (),
) -> Restored:
    """Store games of a file with their players, each game wholly or not at all, and its seasons.

    A game that the group has already is left as it is, and so is a player with a token, and a season of that name.
    Errors: `NotFound` if the group is gone; `WrongType` for more than `AT_ONCE` games.
    """
    if len(games) > AT_ONCE:
        raise WrongType(field="games", expected="list")
    done = Restored()
    ids = [_id_of(value) for value in games]
    known, wanted = _there(group_id, ids), list[tuple[str, object, list[str | None]]]()
    for number, (own_id, value) in enumerate(zip(ids, games, strict=True), start=1):
        if own_id in known:
            done.known += 1
        else:
            wanted.append((own_id or str(number), value, _called(value, players)))
            known |= {own_id} - {""}
    new = list[tuple[str, creation.Restored]]()
    for (own_id, *_), found in zip(wanted, apart.run(_read, wanted) if wanted else (), strict=True):
        if isinstance(found, NjetError):
            done.refused[own_id] = found
        else:
            new.append((own_id, found))
    with write_queue.in_turn():
        group = locked_group(group_id)
        require_valid(through)
        _add_players(group, players)
        _add_seasons(group, seasons)
        # Another request may have stored some since.
        known = _there(group_id, ids)
        added = [game for own_id, game in new if own_id not in known]
        creation.store_restored(added, group)
    return replace(done, added=len(added), known=done.known + len(new) - len(added))


def _read(games: Sequence[tuple[str, object, Sequence[str | None]]]) -> list[creation.Restored | NjetError]:
    """Read games of a file, each with its id and what its players are called; of one that is none, why."""
    found = list[creation.Restored | NjetError]()
    for _own_id, value, called in games:
        try:
            found.append(creation.Restored.of(document.read_document(value), called))
        except NjetError as error:
            found.append(error)
    return found


def _there(group_id: str, ids: Sequence[str]) -> set[str]:
    """Which of these games a group has, themselves or as read from a file."""
    named = [each for each in ids if each]
    there = Game.objects.filter(Q(pk__in=named) | Q(source__id__in=named), group=group_id)
    return {
        str(each) for pk, source in there.values_list("pk", "source") for each in (pk, (source or {}).get("id", pk))
    }


def _id_of(value: object) -> str:
    """The id that a game has in the file, empty for what cannot be one."""
    own_id = value.get("id") if isinstance(value, Mapping) else None
    return own_id if isinstance(own_id, str) and len(own_id) < 40 and "\0" not in own_id else ""


def _add_players(group: Group, players: Mapping[str, tuple[str, str]]) -> None:
    """Add the players whom the group has not; a name that no player can have is left out."""
    known = set(group.players.values_list("name_key", flat=True))
    for name, token in players.values():
        if totals.key_of_name(name) not in known:
            with suppress(NjetError):
                group_players.add_player(group_id=group.pk, name=name, token=token)


def _add_seasons(group: Group, found: Sequence[FileSeason]) -> None:
    """Add the seasons whose names the group has not; what no season can be is left out."""
    known = {totals.key_of_name(each.name) for each in group.seasons.all()}
    for each in found:
        if totals.key_of_name(each.name) not in known:
            with suppress(NjetError):
                create_season(group_id=group.pk, name=each.name, since=each.since, until=each.until)


def _called(value: object, players: Mapping[str, tuple[str, str]]) -> list[str | None]:
    """What the players of a game are called in the group now, by seat; None where the file does not say."""
    ids = value.get("players") if isinstance(value, Mapping) else None
    if not isinstance(ids, list):
        return []
    return [players[each][0] if isinstance(each, str) and each in players else None for each in ids]

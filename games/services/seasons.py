"""What changes the seasons of a group: create, change, delete.  Each function is one transaction."""

from __future__ import annotations

from datetime import date

from games.database import write_queue
from games.errors import RequestIdReused, SeasonEndsEarlier, SeasonNameMissing, SeasonNameTaken
from games.groups import selections, totals
from games.keys.hashes import number_of_request
from games.log import store
from games.models import Group, Season
from games.rules.errors import NameTooLong, WrongType
from games.rules.text import typed_line
from games.services.idempotent_creation import ProgramRequest
from games.services.write import locked_group

LONGEST_SEASON_NAME = 40


def create_season(
    *, group_id: str, name: str, since: date, until: date | None = None, asked: ProgramRequest | None = None
) -> Season:
    """Create a season; it may overlap others.  `asked`: the request of a program that may send it again.

    Errors: `SeasonNameMissing`, `NameTooLong`, `SeasonNameTaken`, `SeasonEndsEarlier`, `NotFound`; `WrongType` for a
    day that cannot be reckoned with in every time zone; `RequestIdReused`.
    """
    with write_queue.in_turn():
        group = locked_group(group_id)
        own_id = None if asked is None else number_of_request(group.pk, asked.sender, asked.request_id)
        season = None if own_id is None else Season.objects.filter(pk=own_id, group=group).first()
        if season is None:
            return _saved(Season(pk=own_id, group=group), name, since, until)
        if (season.name, season.since, season.until) != (typed_line(name), since, until):
            raise RequestIdReused()
        season.repeated = True
        return season


def change_season(*, group_id: str, season_id: int, name: str, since: date, until: date | None = None) -> Season:
    """Change the name and the days of a season.

    Errors: those of `create_season`.
    """
    with write_queue.in_turn():
        return _saved(selections.season_of(locked_group(group_id), season_id), name, since, until)


def delete_season(*, group_id: str, season_id: int) -> None:
    """Delete a season.  Its games stay.

    Errors: `NotFound`.
    """
    with write_queue.in_turn():
        selections.season_of(locked_group(group_id), season_id).delete()


def _saved(season: Season, name: str, since: date, until: date | None) -> Season:
    season.name = _season_name(season.group, name, of=season)
    season.since, season.until = since, until
    for field, day in (("since", since), ("until", until)):
        if day is not None and not 1 < day.year < date.max.year:
            raise WrongType(field=field, expected="day")
    if until is not None and until < since:
        raise SeasonEndsEarlier()
    season.save()
    return season


def _season_name(group: Group, name: str, *, of: Season) -> str:
    cleaned = typed_line(name)
    if not cleaned:
        raise SeasonNameMissing()
    if len(cleaned) > LONGEST_SEASON_NAME:
        raise NameTooLong(name=cleaned, most=LONGEST_SEASON_NAME)
    store.demand_storable("name", cleaned)
    others = Season.objects.filter(group=group).exclude(pk=of.pk).values_list("name", flat=True)
    if totals.key_of_name(cleaned) in map(totals.key_of_name, others):
        raise SeasonNameTaken(name=cleaned)
    return cleaned

"""What changes the seasons of a group: create, change, delete.  Each function is one transaction."""

from __future__ import annotations

from datetime import date

from games.database import write_queue
from games.errors import SeasonEndsEarlier, SeasonNameMissing, SeasonNameTaken
from games.groups import selections, totals
from games.log import store
from games.models import Group, Season
from games.rules.errors import NameTooLong, WrongType
from games.rules.text import typed_line
from games.services.write import locked_group

LONGEST_SEASON_NAME = 40


def create_season(*, group_id: str, name: str, since: date, until: date | None = None) -> Season:
    """Create a season; it may overlap others.

    Errors: `SeasonNameMissing`, `NameTooLong`, `SeasonNameTaken`, `SeasonEndsEarlier`, `NotFound`; `WrongType` for a
    day that cannot be reckoned with in every time zone.
    """
    return _save(group_id, None, name, since, until)


def change_season(*, group_id: str, season_id: int, name: str, since: date, until: date | None = None) -> Season:
    """Change the name and the days of a season.

    Errors: those of `create_season`.
    """
    return _save(group_id, season_id, name, since, until)


def delete_season(*, group_id: str, season_id: int) -> None:
    """Delete a season.  Its games stay.

    Errors: `NotFound`.
    """
    with write_queue.in_turn():
        selections.season_of(locked_group(group_id), season_id).delete()


def _save(group_id: str, season_id: int | None, name: str, since: date, until: date | None) -> Season:
    with write_queue.in_turn():
        group = locked_group(group_id)
        season = Season(group=group) if season_id is None else selections.season_of(group, season_id)
        season.name = _season_name(group, name, of=season)
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

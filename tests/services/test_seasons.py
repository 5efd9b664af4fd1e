"""Seasons of a group: created, changed, deleted, and what is refused."""

from __future__ import annotations

from datetime import date

import pytest

from games.errors import NotFound, SeasonEndsEarlier, SeasonNameMissing, SeasonNameTaken
from games.models import Group, Season
from games.rules.errors import NameTooLong, WrongType
from games.services import deletion, seasons
from tests.cast.groups import new_group, played, totals_of

pytestmark = pytest.mark.django_db

MARCH, MAY = date(2026, 3, 1), date(2026, 5, 31)


@pytest.fixture
def group(db: None) -> Group:
    """A group without games."""
    return new_group()


@pytest.fixture
def spring(group: Group) -> Season:
    """Its first season."""
    return seasons.create_season(group_id=group.pk, name=" Spring ", since=MARCH, until=MAY)


def test_a_season_has_a_name_and_days_which_can_be_changed(group: Group, spring: Season) -> None:
    assert (spring.name, spring.since, spring.until) == ("Spring", MARCH, MAY)

    seasons.change_season(group_id=group.pk, season_id=spring.pk, name="spring", since=MAY)

    spring.refresh_from_db()
    assert (spring.name, spring.since, spring.until) == ("spring", MAY, None)


def test_seasons_may_overlap_and_last_a_day(group: Group, spring: Season) -> None:
    seasons.create_season(group_id=group.pk, name="One day", since=MARCH, until=MARCH)
    seasons.create_season(group_id=group.pk, name="Always", since=date(2, 1, 1), until=date(9998, 12, 31))

    assert Season.objects.filter(group=group).count() == 3


@pytest.mark.parametrize(
    ("name", "since", "until", "error"),
    [
        (" \u200b", MARCH, None, SeasonNameMissing),
        ("S" * 41, MARCH, None, NameTooLong),
        ("SPRING", MARCH, None, SeasonNameTaken),
        ("Autumn", MAY, MARCH, SeasonEndsEarlier),
        ("Autumn", date.min, None, WrongType),
        ("Autumn", MARCH, date.max, WrongType),
    ],
)
def test_what_a_season_cannot_be(
    group: Group, spring: Season, name: str, since: date, until: date | None, error: type[Exception]
) -> None:
    other = seasons.create_season(group_id=group.pk, name="Summer", since=MAY)
    before = list(Season.objects.values())

    with pytest.raises(error):
        seasons.create_season(group_id=group.pk, name=name, since=since, until=until)
    with pytest.raises(error):
        seasons.change_season(group_id=group.pk, season_id=other.pk, name=name, since=since, until=until)
    assert list(Season.objects.values()) == before


def test_a_deleted_season_takes_no_game_with_it(group: Group, spring: Season) -> None:
    played(group)
    before = totals_of(group)

    seasons.delete_season(group_id=group.pk, season_id=spring.pk)

    assert not Season.objects.exists()
    assert totals_of(group) == before


def test_a_season_of_another_group_is_neither_changed_nor_deleted(spring: Season) -> None:
    other = new_group("Others")

    with pytest.raises(NotFound):
        seasons.change_season(group_id=other.pk, season_id=spring.pk, name="Mine", since=MARCH)
    with pytest.raises(NotFound):
        seasons.delete_season(group_id=other.pk, season_id=spring.pk)
    assert Season.objects.get().name == "Spring"
    # Each group has names of its own.
    assert seasons.create_season(group_id=other.pk, name="Spring", since=MARCH).pk != spring.pk


def test_seasons_end_with_their_group(group: Group, spring: Season) -> None:
    deletion.delete_group(group_id=group.pk, actor=group.keys.get())
    assert Season.objects.exists()
    with pytest.raises(NotFound):
        seasons.create_season(group_id=group.pk, name="Autumn", since=MAY)

    deletion.delete_group_permanently(group_id=group.pk)

    assert not Season.objects.exists()

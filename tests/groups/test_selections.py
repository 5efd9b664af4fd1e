"""The figures and standings of some games: sums over exactly those games."""

from __future__ import annotations

import random
from collections import Counter
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games.errors import NotFound
from games.groups import history, periods, selections, statistics_queries
from games.groups.history import Filters
from games.groups.statistics import figures
from games.groups.statistics.facts import GameFacts
from games.groups.statistics.summary import GroupSummary, PlayerSummary
from games.models import PeriodFigures, Player, Season
from games.services import seasons, tables
from tests.builders import dutch, english
from tests.cast.groups import CastGroup, fresh, happened, new_group, of_chance, player, three
from tests.cast.service import ANY
from tests.cast.tables import ROUND_1, ROUND_2, Table
from tests.cast.worlds import world

pytestmark = pytest.mark.django_db

FIRST = datetime(2026, 1, 1, 20, tzinfo=UTC)
EVERYTHING = Filters(since=FIRST - timedelta(days=1))
"""A filter that leaves every game, so that nothing kept is used."""


@pytest.fixture
def friends(db: None) -> CastGroup:
    return world(twelve_games)


def twelve_games() -> CastGroup:
    """Ten games of chance, four days apart, and two by the Dutch text after two months."""
    friends, chance = CastGroup(), random.Random(5)
    for number in range(10):
        setup, actions = of_chance(chance, rounds=1)
        at = FIRST + timedelta(days=4 * number)
        friends.bring(setup, actions, at.isoformat().replace("+00:00", "Z"))
    for number in (25, 26):
        game = friends.play(dutch(3, rounds=1), *ROUND_1)
        happened(game.pk, FIRST + timedelta(days=4 * number))
    return friends


def season(friends: CastGroup, name: str, since: date, until: date | None) -> Filters:
    made = seasons.create_season(group_id=friends.id, name=name, since=since, until=until)
    return Filters().during(made, UTC)


def counted_one_by_one(friends: CastGroup, filters: Filters) -> dict[str, int]:
    """The sum over the games of a list."""
    found: dict[str, int] = {}
    for game in history.all_of(friends.id, filters):
        assert game.facts is not None
        found = figures.added(found, figures.of_group(GameFacts.from_json(game.facts)))
    return found


@pytest.mark.parametrize(
    "filters",
    [
        EVERYTHING,
        Filters(preset="goldsieber-dutch"),
        Filters(edition="goldsieber40"),
        Filters(edition="njet60", players=4),
        Filters(players=5),
        Filters(since=FIRST + timedelta(days=20), until=FIRST + timedelta(days=60)),
        Filters(since=FIRST + timedelta(days=1000)),
    ],
    ids=str,
)
def test_the_figures_of_a_selection_are_the_sum_over_its_games(friends: CastGroup, filters: Filters) -> None:
    summary = selections.group_in(friends.row, filters).summary

    assert summary == GroupSummary.of(counted_one_by_one(friends, filters))
    assert summary.games == len(list(history.all_of(friends.id, filters)))


def test_what_is_kept_of_all_games_is_what_a_selection_of_all_says(friends: CastGroup) -> None:
    group = friends.row

    assert selections.group_in(group, EVERYTHING).summary == selections.group_in(group, Filters()).summary
    assert selections.group_in(group, EVERYTHING).standings == selections.group_in(group, Filters()).standings
    for person in statistics_queries.people_of(group, *(each.pk for each in Player.objects.filter(group=group))):
        some, kept = (selections.player_in(group, person, filters) for filters in (EVERYTHING, Filters()))
        assert (some.player.summary, some.group) == (kept.player.summary, kept.group)
        assert sorted(some.companions, key=str) == sorted(kept.companions, key=str)
        assert some.player.is_selection
        assert some.player.form is None
    ana, ben = friends.player("Ana"), friends.player("Ben")
    one_way, kept = (
        selections.pair_in(group, *people, filters)
        for people, filters in (((ben, ana), EVERYTHING), ((ana, ben), Filters()))
    )
    assert one_way.summary == kept.summary
    assert [each.name for each in (one_way.one, one_way.other)] == ["Ana", "Ben"]
    assert [each.summary for each in (one_way.one, one_way.other)] == [each.summary for each in (kept.one, kept.other)]


def test_rounds_of_a_seat_that_was_taken_over_are_of_who_played_them() -> None:
    group = new_group()
    table = Table(three(), *ROUND_1, group=group)
    tables.correct_setup(game_id=table.id, actor=table.key, request=ANY, names=["Ana", "Eve", "Cleo"], since=2)
    table.record(*ROUND_2)
    everything = Filters(since=datetime(2020, 1, 1, tzinfo=UTC))

    for name in ("Ana", "Ben", "Eve"):
        (person,) = statistics_queries.people_of(group, player(group, name).pk)
        some, kept = (selections.player_in(fresh(group), person, filters) for filters in (everything, Filters()))
        assert some.player.summary == kept.player.summary
        assert sorted(some.companions, key=str) == sorted(kept.companions, key=str)
    assert (
        selections.group_in(fresh(group), everything).standings
        == selections.group_in(fresh(group), Filters()).standings
    )
    ben = PlayerSummary.of(player(group, "Ben").figures)
    assert (ben.games, ben.rounds, ben.by_players) == (0, 1, {"3": 1})


def test_seasons_that_part_the_whole_time_add_up_to_the_whole(friends: CastGroup) -> None:
    group = friends.row
    parts = [
        season(friends, "before", date(2, 1, 1), date(2026, 1, 20)),
        season(friends, "one day", date(2026, 1, 21), date(2026, 1, 21)),
        season(friends, "spring", date(2026, 1, 22), date(2026, 3, 31)),
        season(friends, "now", date(2026, 4, 1), None),
    ]

    sums = [counted_one_by_one(friends, part) for part in parts]
    together: dict[str, int] = {}
    for each in sums:
        together = figures.added(together, each)
    assert together == group.figures
    assert [GroupSummary.of(each) for each in sums] == [selections.group_in(group, part).summary for part in parts]
    assert all(each["games"] for each in sums)
    for whole in selections.group_in(group, Filters()).standings:
        mine = [
            each for part in parts for each in selections.group_in(group, part).standings if each.name == whole.name
        ]
        assert sum(each.games for each in mine) == whole.games
        assert (sum(each.wins for each in mine), sum(each.points for each in mine)) == (whole.wins, whole.points)


def test_the_standings_are_by_games_won_and_then_by_points(friends: CastGroup) -> None:
    standings = selections.group_in(friends.row, Filters(edition="goldsieber40")).standings

    assert [(each.place, each.name, each.wins, each.games, each.points) for each in standings] == [
        (1, "Ana", 2, 2, 48),
        (2, "Ben", 0, 2, 36),
        (2, "Cleo", 0, 2, 36),
    ]


def test_the_days_of_a_season_are_those_of_a_time_zone(friends: CastGroup) -> None:
    spring = Season(since=date(2026, 3, 1), until=date(2026, 3, 31))

    there = Filters().during(spring, ZoneInfo("Pacific/Auckland"))

    assert there.since == datetime(2026, 2, 28, 11, tzinfo=UTC)
    assert there.until == datetime(2026, 3, 31, 11, tzinfo=UTC)
    narrower = Filters(since=datetime(2026, 3, 9, tzinfo=UTC), until=datetime(2027, 1, 1, tzinfo=UTC))
    assert narrower.during(spring, UTC) == Filters(
        since=datetime(2026, 3, 9, tzinfo=UTC), until=datetime(2026, 4, 1, tzinfo=UTC)
    )
    assert Filters().during(Season(since=date(2026, 3, 1)), UTC).until is None


PERIODS = [
    EVERYTHING,
    Filters(players=4),
    Filters(since=FIRST.replace(day=1, hour=0)),
    Filters(since=FIRST + timedelta(days=5), until=FIRST + timedelta(days=100)),
    Filters(since=FIRST + timedelta(days=5), until=FIRST + timedelta(days=9)),
]


@pytest.mark.parametrize("filters", PERIODS, ids=str)
def test_a_selection_takes_few_questions(friends: CastGroup, filters: Filters) -> None:
    group, ana = friends.row, friends.player("Ana")

    with CaptureQueriesContext(connection) as of_group:
        selections.group_in(group, filters)
    with CaptureQueriesContext(connection) as of_player:
        selections.player_in(group, ana, filters)

    assert len(of_group) <= 4
    assert len(of_player) <= 5


def test_more_games_are_no_more_rows_but_on_days_that_are_cut() -> None:
    few, many = CastGroup("few"), CastGroup("many")
    for friends, each in ((few, 1), (many, 4)):
        for month in range(1, 13):
            for _ in range(each):
                friends.bring(*of_chance(random.Random(7), rounds=1), at=f"2025-{month:02}-15T20:00:00Z")
    season = Filters(since=datetime(2025, 2, 15, 12, tzinfo=UTC), until=datetime(2025, 12, 15, 21, tzinfo=UTC))

    rows = [PeriodFigures.objects.filter(group=friends.id).count() for friends in (few, many)]
    cut = [
        list(selections._games_of(each.row, season, periods.reach(season.since, season.until).edges))
        for each in (few, many)
    ]

    assert rows[0] == rows[1]
    assert [len(games) for games in cut] == [2, 8]
    assert selections.group_in(many.row, season).summary.games == 44


@pytest.mark.parametrize("zone", ["UTC", "Pacific/Auckland", "America/New_York"])
def test_any_period_is_whole_years_months_and_days_and_the_rest(zone: str) -> None:
    def day(text: str) -> datetime:
        return datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone))

    days = [None, *map(day, ("2023-12-31", "2024-01-01", "2024-02-15", "2024-12-31", "2025-01-01", "2026-05-01"))]
    group = new_group()
    hours = [day("2023-11-30") + timedelta(hours=7 * each) for each in range(3_200)]
    kept = Counter(periods.DAYS.name(at) for at in hours)
    periods.keep(
        group,
        {("", each, "njet-english", 3): Counter({"games": count}) for each, count in kept.items()},
        figures.added,
    )

    for since, until in ((since, until) for since in days for until in days if since is None or until != since):
        if since and until and since > until:
            continue
        reach = periods.reach(since, until)
        whole = PeriodFigures.objects.filter(group=group).filter(reach.kept) if reach.kept is not None else ()
        found = sum(row.figures["games"] for row in whole)
        found += sum((a is None or a <= at) and (b is None or at < b) for a, b in reach.edges for at in hours)
        assert found == sum((since is None or since <= at) and (until is None or at < until) for at in hours)


def test_boxes_and_numbers_of_players_that_are_mixed_are_said_to_be() -> None:
    friends = CastGroup()
    friends.play(dutch(3, rounds=1), *ROUND_1)
    assert not selections.group_in(friends.row, Filters()).summary.mixed
    friends.play(english(3, rounds=1), "open 0 njet black blue 2", "team alone monster 0", "tally 6+1 6+1 4+1")
    friends.play(english(4, rounds=1), "open 0 njet red red -2", "team 2", "tally 3 4 4 4+1")

    whole, of_three, of_a_box, alike = (
        selections.group_in(friends.row, filters).summary
        for filters in (Filters(), Filters(players=3), Filters(edition="njet60"), Filters(edition="njet60", players=3))
    )

    assert [each.mixed for each in (whole, of_three, of_a_box, alike)] == [True, True, True, False]
    assert of_three.by_preset == {"goldsieber-dutch": 1, "njet-english": 1}
    assert of_a_box.by_players == {"3": 1, "4": 1}
    # Dan sat at one table only.
    assert PlayerSummary.of(friends.player("Ana").figures).mixed
    assert not PlayerSummary.of(friends.player("Dan").figures).mixed


def test_a_season_of_another_group_is_none(friends: CastGroup) -> None:
    other = new_group("Others")
    foreign = seasons.create_season(group_id=other.pk, name="Spring", since=date(2026, 3, 1))

    for season_id in (foreign.pk, 0, 10**18, 10**30):
        with pytest.raises(NotFound):
            selections.season_of(friends.row, season_id)

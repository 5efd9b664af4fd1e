"""Seasons on the pages, and statistics of some games."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from django.conf import settings

from games.models import Group, Season
from games.services import group_players
from tests.builders import english
from tests.cast.groups import played, player
from tests.cast.pages import Page, Phone, come_in, listed
from tests.cast.tables import Table
from tests.pages.test_group_history import at

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

NOVEMBER = datetime(2026, 11, 19, 18, 0, tzinfo=UTC)
FOUR = ("open 0 njet red red -2", "team 2", "tally 3 4 4 4+1")


@pytest.fixture
def games(group: Group) -> dict[str, str]:
    """Three in November with the box of 1997, four in December with the other."""
    return {
        "November": at(played(group), NOVEMBER),
        "December": at(Table(english(4, rounds=1), *FOUR, group=group), NOVEMBER + timedelta(days=20)),
    }


@pytest.fixture
def december(group: Group) -> Season:
    """A season with the second of the games."""
    return Season.objects.create(group=group, name="Winter", since="2026-12-01")


def standings(page: Page) -> list[list[str]]:
    """The rows of the table of the night."""
    table = page.root.all("table", class_="data")[0]
    return [[cell.text for cell in row if cell.tag in ("th", "td")] for row in table.one("tbody").all("tr")]


def test_a_member_adds_changes_and_deletes_a_season(group: Group) -> None:
    max_ = come_in(group)

    page = max_.open("seasons").fill_in({"name": "Spring", "since": "2026-03-01", "until": ""}, press="Add")
    assert "from 1 Mar 2026" in page.text

    edit = max_.open("edit_season", Season.objects.get().pk)
    page = edit.fill_in({"name": "Spring", "until": "2026-05-31"}, press="Save")
    assert "1 Mar 2026 – 31 May 2026" in page.text

    page = max_.open("edit_season", Season.objects.get().pk).press("Delete this season")
    assert "No season yet." in page.text
    assert not Season.objects.exists()


@pytest.mark.parametrize(
    ("typed", "field", "status"),
    [
        ({"name": "", "since": "2026-03-01"}, "name", 422),
        ({"name": "winter", "since": "2026-03-01"}, "name", 422),
        ({"name": "S" * 41, "since": "2026-03-01"}, "name", 422),
        ({"name": "Spring", "since": ""}, "since", 400),
        ({"name": "Spring", "since": "March"}, "since", 400),
        ({"name": "Spring", "since": "2026-03-01", "until": "2026-02-28"}, "until", 422),
    ],
)
def test_what_is_wrong_with_a_season_stands_at_its_field(
    group: Group, december: Season, typed: dict[str, str], field: str, status: int
) -> None:
    max_ = come_in(group)

    page = max_.post_to(max_.address_of("seasons"), typed)

    assert page.status == status
    assert page.root.one("input", name=field).attrs["aria-invalid"] == "true"
    assert page.root.one("input", name="name").attrs["value"] == typed["name"]
    assert Season.objects.count() == 1


def test_a_viewer_sees_seasons_and_changes_none(group: Group, vera: Phone, december: Season) -> None:
    page = vera.open("seasons")

    assert "Winter" in page.text
    assert not page.offers("Add")
    assert not [link for link in page.root.all("a") if link.name == "Change Winter"]
    days = {"name": "Mine", "since": "2026-01-01"}
    for address in (("seasons",), ("edit_season", december.pk), ("delete_season", december.pk)):
        assert vera.post_to(vera.address_of(*address), days).status == 403
    assert Season.objects.get().name == "Winter"


def test_the_statistics_of_a_season_are_those_of_its_games(
    group: Group, vera: Phone, games: dict[str, str], december: Season
) -> None:
    (link,) = [each for each in vera.open("seasons").root.all("a") if each.name.startswith("Winter")]
    page = vera.get(link.attrs["href"])

    assert standings(page) == [
        ["1.", "A Ana", "1/1", "−14"],
        ["1.", "C Cleo", "1/1", "−14"],
        ["3.", "B Ben", "0/1", "−18"],
        ["3.", "D Dan", "0/1", "−18"],
    ]
    assert "1 round" in page.text
    assert "Rating" not in page.texts("th", scope="col")
    assert page.texts("summary")[0] == "Filter Winter"
    assert "Averages here are over different" not in page.text


def test_a_player_in_a_season_leads_on_and_back_within_it(
    group: Group, vera: Phone, games: dict[str, str], december: Season
) -> None:
    query = {"season": str(december.pk)}
    ana = [each for each in vera.open("group_statistics", **query).root.all("a") if each.text == "Ana"]

    page = vera.get(ana[0].attrs["href"])

    assert "1 of 1 game" in page.text
    assert "Rating and streaks are those of all games." in page.text
    assert not page.root.all("h2", has="Rating over time")
    links = {each.text: each.attrs["href"] for each in page.root.all("a", class_="button")}
    assert links["Statistics of the group"].endswith(f"?season={december.pk}")
    assert listed(vera.get(links["Games of Ana"])) == [games["December"]]


def test_two_players_in_a_season_lead_on_and_back_within_it(
    group: Group, vera: Phone, games: dict[str, str], december: Season
) -> None:
    query = {"season": str(december.pk)}
    ids = sorted(player(group, name).pk for name in ("Ana", "Ben"))

    page = vera.open("pair", *ids, **query)

    assert page.texts("summary")[0] == "Filter Winter"
    assert "1 game at one table" in page.text or "1 games at one table" in page.text
    links = {each.text: each.attrs["href"] for each in page.root.all("a", class_="button")}
    assert links["Statistics of the group"].endswith(f"?season={december.pk}")
    assert "No finished game like that." in vera.open("pair", *ids, players="5").text
    turned = vera.client.get(vera.address_of("pair", *reversed(ids)), query)
    assert turned.headers["Location"] == f"{vera.address_of('pair', *ids)}?season={december.pk}"
    assert vera.open("pair", *ids, season="no").status == 404


def test_a_merged_player_keeps_the_filters_of_the_address(group: Group, vera: Phone, december: Season) -> None:
    old, new = (group_players.add_player(group_id=group.pk, name=name) for name in ("Anna", "Ana"))
    group_players.merge_players(group_id=group.pk, player_id=old.pk, into_id=new.pk)

    answer = vera.client.get(vera.address_of("player", old.pk), {"season": december.pk})

    assert answer.headers["Location"] == f"{vera.address_of('player', new.pk)}?season={december.pk}"


def test_the_history_is_narrowed_to_a_season_and_to_a_box(
    group: Group, vera: Phone, games: dict[str, str], december: Season
) -> None:
    assert listed(vera.open("group_games", season=str(december.pk))) == [games["December"]]
    assert listed(vera.open("group_games", season=str(december.pk), to="2026-11-30")) == []
    assert listed(vera.open("group_games", preset="goldsieber40")) == [games["November"]]
    assert listed(vera.open("group_games", preset="njet60")) == [games["December"]]


@pytest.mark.parametrize("name", ["group_statistics", "player", "group_games"])
def test_a_filter_that_means_nothing_shows_no_other_games(
    group: Group, vera: Phone, games: dict[str, str], name: str
) -> None:
    for query, status in (({"season": "999999"}, 404), ({"season": "x"}, 404), ({"from": "soon"}, 400)):
        page = vera.open(name, *([player(group, "Ana").pk] if name == "player" else []), **query)

        assert page.status == status
        assert not page.root.all("ul", class_="tiles")
        assert not page.root.all("ul", class_="is-games")
        assert "open" in page.root.one("details").attrs


def test_a_selection_without_a_game_says_so(group: Group, vera: Phone, games: dict[str, str]) -> None:
    page = vera.open("group_statistics", **{"from": "2030-01-01"})

    assert page.status == 200
    assert "No finished game like that." in page.text
    assert page.root.one("input", name="from").attrs["value"] == "2030-01-01"


def test_the_days_of_a_season_are_the_readers(group: Group, vera: Phone) -> None:
    night = at(played(group), datetime(2026, 11, 30, 22, 30, tzinfo=UTC), minutes=60)
    season = Season.objects.create(group=group, name="Winter", since="2026-12-01")

    assert listed(vera.open("group_games", season=str(season.pk))) == []
    vera.client.cookies[settings.TIME_ZONE_COOKIE_NAME] = "Europe/Kyiv"
    assert listed(vera.open("group_games", season=str(season.pk))) == [night]
    assert len(standings(vera.open("group_statistics", season=str(season.pk)))) == 3


def test_figures_of_several_boxes_or_numbers_of_players_say_so(
    group: Group, vera: Phone, games: dict[str, str]
) -> None:
    ana, ben, dan = (player(group, name).pk for name in ("Ana", "Ben", "Dan"))
    pages = {
        "group": vera.open("group_statistics"),
        "Ana": vera.open("player", ana),
        "Dan": vera.open("player", dan),
        "pair": vera.open("pair", *sorted((ana, ben))),
        "one box": vera.open("group_statistics", preset="goldsieber40"),
        "Ana with one": vera.open("player", ana, preset="goldsieber40"),
    }

    mixed = {name for name, page in pages.items() if "Averages here are over different boxes" in page.text}
    assert mixed == {"group", "Ana", "pair"}
    assert "different numbers of players: 3 and 4." in pages["group"].text.translate({0x2068: None, 0x2069: None})

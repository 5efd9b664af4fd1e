"""The days of all that people read are those of the phone that reads; a program's are those of UTC."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from urllib.parse import unquote

import pytest
from django.conf import settings
from django.test import RequestFactory
from django.utils import timezone

from games.groups import history
from games.groups.statistics.ratings import Form
from games.groups.statistics_queries import RatedGame
from games.keys import registry
from games.models import Game, Group, GroupRole, Role
from games.pages import page_cache
from games.pages.export import views as exports
from games.pages.home.page import home_page
from games.pages.statistics.charts import curve
from games.pages.time_zone import zone_called, zone_of
from tests.cast.groups import played
from tests.cast.pages import Phone, listed
from tests.cast.tables import Table
from tests.pages.test_group_history import at

pytestmark = pytest.mark.django_db

NIGHT = datetime(2026, 11, 21, 3, 30, tzinfo=UTC)
"""In Los Angeles it is half past seven in the evening before, in Auckland half past four in the afternoon."""
ANGELES, AUCKLAND, HAVANA = "America/Los_Angeles", "Pacific/Auckland", "America/Havana"

In = Callable[[Phone, str], Phone]


def living_in(phone: Phone, zone: str) -> Phone:
    """The phone after the script of a page has stored its time zone."""
    phone.client.cookies[settings.TIME_ZONE_COOKIE_NAME] = zone
    return phone


def days_listed(phone: Phone, first: str, last: str) -> list[str]:
    return listed(phone.get(phone.address_of("group_games"), **{"from": first, "to": last}))


# --- which zone ---


@pytest.mark.parametrize("name", [ANGELES, "Europe/Kyiv", "Asia/Calcutta", "UTC", "America/Argentina/Ushuaia"])
def test_a_zone_is_known_by_its_name(name: str) -> None:
    assert zone_called(name).key == name


@pytest.mark.parametrize(
    "name",
    ["", "undefined", "Europe/Atlantis", "America", "zone.tab", "leapseconds", "../UTC", "/etc/localtime", "a" * 400,
     "Europe/Berlin ", "Europe/Berlin\n", "Europe//Berlin", "Europa/Köln", "UTC\0", "x/" * 60],
)  # fmt: skip
def test_what_is_no_zone_is_the_servers(name: str) -> None:
    request = RequestFactory().get("/")
    request.COOKIES[settings.TIME_ZONE_COOKIE_NAME] = name

    assert zone_of(request) is None


def test_a_cookie_of_any_kind_spoils_no_page(group: Group, vera: Phone) -> None:
    game = at(played(group), NIGHT, minutes=0)

    for zone in ("../../etc/passwd", "America", "%00", "Nowhere", '"', "Etc/GMT+99"):
        assert days_listed(living_in(vera, zone), "2026-11-21", "2026-11-21") == [game]


# --- the history, the evening, the curve, the files ---


@pytest.mark.parametrize(
    ("zone", "day"),
    [("", "2026-11-21"), (ANGELES, "2026-11-20"), (AUCKLAND, "2026-11-21"), ("Etc/GMT-14", "2026-11-21")],
)
def test_a_game_is_found_under_the_day_that_the_phone_shows(group: Group, vera: Phone, zone: str, day: str) -> None:
    game = at(played(group), NIGHT - timedelta(hours=1))
    phone = living_in(vera, zone)
    before, after = (str(datetime.fromisoformat(day).date() + timedelta(days=days)) for days in (-1, 1))

    assert days_listed(phone, day, day) == [game]
    assert days_listed(phone, before, before) == days_listed(phone, after, after) == []
    shown = phone.open("group_games").root.one("ul", class_="is-games").one("time")
    assert shown.attrs["datetime"].startswith(day)


def test_a_day_has_23_or_25_hours_when_the_clocks_change(group: Group, vera: Phone) -> None:
    # In Berlin the clocks went forward on 29 March 2026 and back on 25 October.
    ends = ("2026-03-28T23:00", "2026-03-29T21:59", "2026-03-29T22:00", "2026-10-24T22:00", "2026-10-25T22:59")
    games = [at(played(group), datetime.fromisoformat(each).replace(tzinfo=UTC), minutes=0) for each in ends]
    phone = living_in(vera, "Europe/Berlin")

    assert days_listed(phone, "2026-03-29", "2026-03-29") == [games[1], games[0]]
    assert days_listed(phone, "2026-10-25", "2026-10-25") == [games[4], games[3]]


def test_a_day_without_a_midnight_begins_an_hour_later(group: Group, vera: Phone) -> None:
    # In Havana there was no time between 0 and 1 o'clock on 8 March 2026.
    midnight = datetime(2026, 3, 8, 5, tzinfo=UTC)
    before, first = (at(played(group), midnight + timedelta(seconds=each), minutes=0) for each in (-1, 0))
    phone = living_in(vera, HAVANA)

    assert days_listed(phone, "2026-03-08", "2026-03-08") == [first]
    assert days_listed(phone, "2026-03-07", "2026-03-07") == [before]


def test_the_first_and_the_last_day_of_a_calendar_can_be_asked_for(group: Group, vera: Phone) -> None:
    for zone in ("Etc/GMT+12", "Etc/GMT-14"):
        assert days_listed(living_in(vera, zone), "0002-01-01", "9998-12-31") == []


def test_an_evening_has_the_day_on_which_it_began_for_the_reader(group: Group, vera: Phone) -> None:
    game = at(played(group), NIGHT)

    page = living_in(vera, ANGELES).open("evening", game)

    assert "20 Nov 2026" in page.root.one("h1").text


def test_the_ratings_of_a_player_have_the_days_of_the_reader() -> None:
    games = [RatedGame("game", NIGHT + timedelta(days=day), Form(25, 8, 0, 0, day + 1)) for day in range(2)]

    with timezone.override(ANGELES):
        drawn = curve("Ana", games)

    assert [game.day for game in drawn.games] == ["21 Nov 2026", "20 Nov 2026"]


def rows_of(phone: Phone) -> list[dict[str, str]]:
    """All games as a file."""
    text = phone.client.get(phone.address_of("group_csv")).content.decode("utf-8-sig")
    return list(csv.DictReader(io.StringIO(text)))


def test_in_the_file_of_all_games_an_evening_has_one_day_and_times_have_no_offset(group: Group, vera: Phone) -> None:
    # Half past ten in the evening and half past one at night, and the next evening.
    begins = [datetime(2026, 11, 20, 21, 30, tzinfo=UTC) + timedelta(hours=each) for each in (0, 3, 24)]
    games = [at(played(group), began) for began in begins]

    rows = rows_of(living_in(vera, "Europe/Berlin"))

    assert [(row["game"], row["date"], row["ended"]) for row in rows[::3]] == [
        (games[2], "2026-11-21", "2026-11-21 23:30:00"),
        (games[1], "2026-11-20", "2026-11-21 02:30:00"),
        (games[0], "2026-11-20", "2026-11-20 23:30:00"),
    ]


@pytest.mark.parametrize(("zone", "day"), [("", "2026-11-21"), (ANGELES, "2026-11-20")])
def test_files_are_named_by_the_day_of_the_reader(
    group: Group, max_: Phone, zone: str, day: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = played(group)
    game = at(table, NIGHT)
    monkeypatch.setattr(timezone, "now", lambda: NIGHT)
    phone = living_in(max_, zone).sits(table, table.other_key())
    pages = {
        f"njet-{day}-{game}.csv": phone.address_of("sheet_csv"),
        f"njet-{day}-{game}.bgsplay": phone.address_of("export", "njet.bgsplay"),
        f"njet-{day}-{game}.json": phone.address_of("export", "njet.json"),
        f"njet-{day}-{game}.txt": phone.address_of("export", "njet.txt"),
        f"njet-games-{day}-{group.pk}.csv": phone.address_of("group_csv"),
    }

    for name, address in pages.items():
        answer = phone.client.get(address)

        assert answer.headers["Content-Disposition"] == f'attachment; filename="{name}"'


# --- BG Stats, which knows the clock of the phone alone ---


@pytest.mark.parametrize(("zone", "played_at"), [("", "2026-11-21 03:30:00"), (ANGELES, "2026-11-20 19:30:00")])
def test_a_play_for_bg_stats_has_the_time_of_the_phone(finished: Table, ana: Phone, zone: str, played_at: str) -> None:
    at(finished, NIGHT, minutes=0)
    phone = living_in(ana, zone)

    document = json.loads(phone.client.get(phone.address_of("export", "njet.bgsplay")).content)
    link = phone.open("exports").root.one("a", class_="is-main").attrs["href"]

    (play,) = document["plays"]
    assert {play["playDate"], play["entryDate"], document["players"][0]["modificationDate"]} == {played_at}
    assert f'"playDate":"{played_at}"' in unquote(link)


def test_the_qr_code_of_a_play_carries_the_time_zone_of_the_phone_that_shows_it(finished: Table, ana: Phone) -> None:
    at(finished, NIGHT, minutes=0)
    with timezone.override(ANGELES):
        address = exports.play_address(finished.game)

    shown = living_in(ana, ANGELES).open("exports").root.one("svg", class_="qr")
    scanned = living_in(Phone(), AUCKLAND).client.get(address).headers["Location"]

    assert shown.one("path").attrs["d"] == exports.qr_code(f"http://testserver{address}").path
    assert '"playDate":"2026-11-20 19:30:00"' in unquote(scanned)
    spoilt = Phone().client.get(address.replace("Los_Angeles", "../x")).headers["Location"]
    assert '"playDate":"2026-11-21 03:30:00"' in unquote(spoilt)


# --- only the reader's zone ---


def test_programs_read_utc_also_in_a_browser_with_a_zone(group: Group, vera: Phone) -> None:
    table = played(group)
    game = at(table, NIGHT, minutes=0)
    client = living_in(vera, ANGELES).client
    of_group, of_game = (
        {"Authorization": f"Bearer {key.secret}"}
        for key in (
            registry.issue(group=group, role=GroupRole.VIEWER, label="Script", program=True),
            registry.issue(game=table.game, role=Role.VIEWER, label="Script", program=True),
        )
    )

    days = {
        day: client.get(f"/api/v1/results/?from={day}&to={day}", headers=of_group).json()["results"]
        for day in ("2026-11-20", "2026-11-21")
    }
    play = client.get(f"/api/v1/games/{game}/export/?format=bgsplay", headers=of_game)

    assert days["2026-11-20"] == []
    assert [(each["id"], each["finished_at"]) for each in days["2026-11-21"]] == [(game, "2026-11-21T03:30:00Z")]
    assert json.loads(play.content)["plays"][0]["playDate"] == "2026-11-21 03:30:00"
    assert play.headers["Content-Disposition"] == f'attachment; filename="njet-{game}.bgsplay"'


def test_the_next_reader_has_another_zone_again(group: Group, vera: Phone, max_: Phone) -> None:
    game = at(played(group), NIGHT, minutes=0)

    living_in(vera, ANGELES).open("group_games")

    assert timezone.get_current_timezone() is timezone.get_default_timezone()
    assert days_listed(max_, "2026-11-21", "2026-11-21") == [game]


def test_a_page_that_is_kept_for_all_has_the_zone_of_none(finished: Table) -> None:
    at(finished, NIGHT, minutes=0)
    (card,) = home_page([finished.game], {}).latest

    with timezone.override(ANGELES):
        page = page_cache.rendered("games/home/_game.html", {"card": card}, version=1)

    assert b"21 Nov 2026" in page.content


def test_a_long_pause_separates_two_evenings(group: Group) -> None:
    begins = [NIGHT + timedelta(hours=each) for each in (0, 5, 10.1, 12)]
    games = [at(played(group), began) for began in begins]

    found = [(game.pk, began) for began, game in history.by_evening(history.all_of(group.pk))]

    assert found == list(zip(games[::-1], [begins[2], begins[2], begins[0], begins[0]], strict=True))
    assert list(history.by_evening([])) == []
    assert Game.objects.count() == 4

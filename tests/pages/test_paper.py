"""An old game: entered from paper, shown wherever a game is, corrected; after every refusal, what was typed stays."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.conf import settings
from django.db.models import QuerySet
from django.urls import reverse
from django.utils import timezone

from games.log import store
from games.models import Game, Group, LogEntry
from games.rules.occasion import Occasion
from games.rules.paper import PaperSheet
from games.urls import table_patterns
from tests.cast.pages import Page, Phone
from tests.cast.tables import Table

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

THREE = {"name-0": "Ana", "name-1": "Ben", "name-2": "Cleo"}
TOTALS = {"points-0": "42", "points-1": "−7", "points-2": "30"}
ROUNDS = {"points-0": "10 0 12", "points-1": "0, 7, 3", "points-2": "-4;5;3"}
WHEN = {"day": "2026-01-15", "time": "19:30", "minutes": "95", "place": "Garden", "note": "with cake"}


def the_game() -> Game:
    return Game.objects.get()


@pytest.fixture
def page(db: None) -> Page:
    """The page as a phone sees it that was never here."""
    return Phone().open("paper_new")


@pytest.mark.parametrize(
    ("points", "paper"),
    [
        (TOTALS, PaperSheet(((42, -7, 30),), by_round=False)),
        (ROUNDS, PaperSheet(((10, 0, -4), (0, 7, 5), (12, 3, 3)), by_round=True)),
    ],
)
def test_names_points_and_a_day_are_a_finished_game(page: Page, points: dict[str, str], paper: PaperSheet) -> None:
    table = page.fill_in({**THREE, **points, **WHEN}, press="Save")

    game = the_game()
    assert table.address == f"/g/{game.pk}/"
    ledger = store.read(game)
    assert ledger.setup.paper == paper
    assert ledger.occasion == Occasion("2026-01-15T19:30:00Z", 95, "Garden", "with cake")
    assert (game.minutes, game.place, game.finished_at) == (95, "Garden", game.created_at + timedelta(minutes=95))


def test_places_may_stay_empty_anywhere(page: Page) -> None:
    page.fill_in({"name-1": "Ana", "points-1": "3", "name-4": "Ben", "points-4": "8"}, press="Save")

    assert store.read(the_game()).state.totals == (3, 8)


def test_the_time_is_that_of_the_reader(page: Page) -> None:
    page.phone.client.cookies[settings.TIME_ZONE_COOKIE_NAME] = "America/Los_Angeles"
    page.phone.open("paper_new").fill_in({**THREE, **TOTALS, **WHEN}, press="Save")

    assert the_game().created_at.isoformat() == "2026-01-16T03:30:00+00:00"


NO_GAMES: list[tuple[dict[str, str], str, str]] = [
    ({"points-1": "many"}, "wrong_type", "points-1"),
    ({"points-1": ""}, "paper_line_incomplete", "points-1"),
    ({"points-0": "1 2", "points-2": "3 4"}, "paper_line_incomplete", "points-1"),
    ({"points-2": "10000"}, "paper_figure_too_large", "points-2"),
    ({"name-1": "", "points-1": "3"}, "name_missing", "name-1"),
    ({"name-1": "ana"}, "name_twice", "name-1"),
    ({"name-1": "", "points-1": "", "name-2": "", "points-2": ""}, "wrong_player_count", "name-0"),
    ({"day": "yesterday"}, "wrong_type", "day"),
    ({"day": "2026-02-31"}, "wrong_type", "day"),
    ({"time": "25:00"}, "wrong_type", "time"),
    ({"minutes": "0"}, "minutes_out_of_range", "minutes"),
    ({"minutes": "long"}, "wrong_type", "minutes"),
    ({"day": "2099-01-01"}, "played_later", "day"),
    ({"day": "1901-01-01"}, "impossible_time", "day"),
    ({"place": "x" * 61}, "place_too_long", "place"),
    ({"note": "x" * 501}, "note_too_long", "note"),
]


def test_what_no_game_can_be_is_refused_at_its_field(page: Page) -> None:
    for typed, code, field in NO_GAMES:
        sent = {**THREE, **TOTALS, **WHEN, **typed}

        refused = page.fill_in(sent, press="Save")

        assert (refused.status in (400, 422), refused.code) == (True, code), typed
        assert [node.attrs["name"] for node in refused.root.all(aria_invalid="true")] == [field]
        assert {name: value for name, value in refused.fields("Save").items() if name in sent} == sent
    assert not Game.objects.exists()


def test_the_form_sent_twice_is_one_game(page: Page) -> None:
    for _ in range(2):
        page.fill_in({**THREE, **TOTALS}, press="Save")

    assert Game.objects.count() == 1


def test_a_group_has_it_among_its_games(group: Group, max_: Phone) -> None:
    max_.open("group").press("Enter an old game").fill_in({**THREE, **ROUNDS, **WHEN}, press="Save")

    assert the_game().group == group
    assert "from paper" in max_.open("group_games").text
    assert max_.open("group_statistics").status == 200


@pytest.mark.parametrize("who", ["vera", "nobody"])
def test_only_members_enter_games_of_a_group(group: Group, who: str, request: pytest.FixtureRequest) -> None:
    phone = Phone() if who == "nobody" else request.getfixturevalue(who)

    status = phone.post_to(reverse("games:paper_new"), {**THREE, **TOTALS, "group": group.pk}).status

    assert (status, Game.objects.exists()) == (403 if who == "vera" else 404, False)


@pytest.mark.parametrize("points", [TOTALS, ROUNDS])
def test_every_page_of_the_table_shows_it(page: Page, points: dict[str, str]) -> None:
    page.fill_in({**THREE, **points, **WHEN}, press="Save")
    phone = page.phone.sits(the_game(), the_game().keys.get())

    for pattern in table_patterns:
        if "<" not in str(pattern.pattern):
            assert phone.open(pattern.name).status in (200, 302, 405, 409, 422), pattern.name
    sheet = phone.open("sheet")
    assert ("95 minutes · Garden · with cake" in sheet.text, sheet.offers("Replay, step by step")) == (True, False)


def test_its_points_are_corrected(page: Page) -> None:
    page.fill_in({**THREE, **ROUNDS}, press="Save")
    phone = page.phone.sits(the_game(), the_game().keys.get())

    form = phone.open("sheet").press("Correct the points")
    assert form.fields("Save")["points-2"] == "-4 5 3"
    form.fill_in({"points-2": "-4 5 33"}, press="Save")

    assert store.read(the_game()).state.winners == (2,)


def test_a_game_that_was_played_has_no_such_page(ana: Phone, round_2: Table) -> None:
    page = ana.open("paper")

    assert (page.status, page.code) == (422, "paper_not_here")


# --- the occasion of a game that was played here ---


def test_the_day_of_a_game_is_set_right(ana: Phone, finished: Table) -> None:
    shown = ana.open("table").press("Day and place")
    assert shown.fields("Save")["day"] == timezone.localdate().isoformat()

    sheet = shown.fill_in(WHEN, press="Save")
    assert "95 minutes · Garden · with cake" in sheet.text
    assert finished.game.created_at.isoformat() == "2026-01-15T19:30:00+00:00"
    assert "95 minutes, Garden, with cake" in ana.open("history").text


def test_what_is_left_as_it_was_recorded_is_not_stated(ana: Phone, finished: Table) -> None:
    recorded = finished.game.created_at
    ana.open("occasion").fill_in({"place": "Garden"}, press="Save")

    assert finished.ledger.occasion == Occasion(place="Garden")
    assert finished.game.created_at == recorded


def test_a_refused_occasion_stays_as_it_was_typed(ana: Phone, finished: Table) -> None:
    page = ana.open("occasion").fill_in({**WHEN, "day": "2099-01-01"}, press="Save")

    assert (page.status, page.code) == (422, "played_later")
    assert page.fields("Save")["note"] == "with cake"


def test_viewers_state_nothing(cleo: Phone, finished: Table) -> None:
    assert cleo.open("occasion").status == 403
    assert not cleo.open("table").offers("Day and place")


def test_the_sheet_says_how_long_each_round_took(ana: Phone, finished: Table) -> None:
    began = timezone.now().replace(microsecond=0)
    written: QuerySet[LogEntry] = QuerySet(LogEntry)
    for seq in range(1, finished.version + 1):
        written.filter(game=finished.id, seq=seq).update(at=began + timedelta(minutes=5 * seq))

    rounds = [node.text for node in ana.open("sheet").root.all("details") if "minutes" in node.text]

    assert ["10 minutes" in rounds[0], "15 minutes" in rounds[1]] == [True, True]


# --- somebody else plays on ---


def test_a_changed_name_is_somebody_else_from_a_round_on(ana: Phone, finished: Table) -> None:
    ana.open("setup").fill_in({"name-1": "Eve", "since": "2"}, press="Save")

    assert [(each.seat, each.name, each.until) for each in finished.ledger.current_setup.earlier] == [(1, "Ben", 1)]
    sheet = ana.open("sheet")
    assert "Ben played round 1 for Eve, whose result it is." in sheet.texts("p", class_="more")
    first, second = sheet.root.all("details")[:2]
    assert ["Ben" in each.text for each in (first, second)] == [True, False]


def test_before_the_second_round_there_is_only_the_right_name(ana: Phone, table: Table) -> None:
    assert "since" not in ana.open("setup").fields("Save")


def test_a_round_that_was_not_begun_is_refused_at_its_field(ana: Phone, round_2: Table) -> None:
    form = ana.open("setup").fields("Save")
    page = ana.post("setup", **{**form, "name-1": "Eve", "since": "3"})

    assert (page.status, page.code) == (422, "stint_impossible")
    assert [node.attrs["name"] for node in page.root.all(aria_invalid="true")] == ["since"]

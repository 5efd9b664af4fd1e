"""When, how long and where a game was played: stated, kept as entries, counted."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone

from games.errors import GameLocked, ImpossibleTime, PlayedLater
from games.formats import document
from games.groups.history import OLDEST, page_of
from games.log import times
from games.models import Game
from games.rules.errors import MinutesOutOfRange, NoteTooLong, PlaceTooLong, WrongType
from games.rules.occasion import Occasion
from games.services import tables
from games.services.write import Outcome
from tests.cast.groups import new_group, played, recounted, totals_of
from tests.cast.service import ANY
from tests.cast.tables import Table

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

THURSDAY = "2026-01-15T19:30:00Z"
BEGAN = datetime(2026, 1, 15, 19, 30, tzinfo=UTC)


def state(table: Table, **stated: Any) -> Outcome:
    return tables.state_occasion(game_id=table.id, actor=table.key, request=ANY, stated=stated)


def when(table: Table) -> tuple[datetime, datetime | None, int | None]:
    game = table.game
    return game.created_at, game.finished_at, game.minutes


def test_a_finished_game_was_played_when_it_is_stated(finished: Table) -> None:
    state(finished, began=THURSDAY, minutes=95, place="  Garden ", note="with cake")

    assert when(finished) == (BEGAN, BEGAN + timedelta(minutes=95), 95)
    assert (finished.game.place, finished.game.note) == ("Garden", "with cake")


def test_what_is_not_stated_stays(finished: Table) -> None:
    state(finished, began=THURSDAY, minutes=95, place="Garden")
    state(finished, note="with cake")

    assert finished.ledger.occasion == Occasion(THURSDAY, 95, "Garden", "with cake")


def test_what_is_withdrawn_is_as_it_was_recorded(finished: Table) -> None:
    recorded = when(finished)
    state(finished, began=THURSDAY, minutes=95)
    state(finished, began=None, minutes=None)

    began, ended, minutes = when(finished)
    assert minutes == recorded[2]
    assert abs(began - recorded[0]) < timedelta(minutes=1)
    assert ended is not None
    assert recorded[1] is not None
    assert abs(ended - recorded[1]) < timedelta(minutes=1)


def test_what_is_stated_of_a_running_game_holds_at_its_end(round_2: Table) -> None:
    state(round_2, began=THURSDAY, minutes=60, place="Garden")
    assert (round_2.game.finished_at, round_2.game.place) == (None, "Garden")

    round_2.record("finish")
    assert when(round_2) == (BEGAN, BEGAN + timedelta(minutes=60), 60)


def test_a_reopened_game_has_no_end(finished: Table) -> None:
    state(finished, began=THURSDAY, minutes=95)
    finished.reopen()

    assert when(finished)[1:] == (None, None)


def test_the_same_again_is_no_entry(finished: Table) -> None:
    version = state(finished, place="Garden").version

    assert state(finished, place="Garden").version == version


@pytest.mark.parametrize(
    ("stated", "error"),
    [
        ({"minutes": 0}, MinutesOutOfRange),
        ({"minutes": 1_441}, MinutesOutOfRange),
        ({"place": "x" * 61}, PlaceTooLong),
        ({"note": "x" * 501}, NoteTooLong),
        ({"began": "yesterday"}, WrongType),
        ({"began": "2026-02-31T10:00:00Z"}, WrongType),
        ({"began": "1969-12-31T10:00:00Z"}, ImpossibleTime),
        ({"began": times.to_json(timezone.now() + timedelta(days=1))}, PlayedLater),
    ],
)
def test_what_cannot_be_stated_is_refused(finished: Table, stated: dict[str, Any], error: type[Exception]) -> None:
    before = finished.version

    with pytest.raises(error):
        state(finished, **stated)
    assert finished.version == before


def test_a_confirmed_game_stays_as_it_is(finished: Table) -> None:
    finished.lock()

    with pytest.raises(GameLocked):
        state(finished, place="Garden")


def test_a_group_counts_a_game_on_the_day_on_which_it_was_played() -> None:
    group = new_group()
    first, second = played(group), played(group, "Ben", "Ana", "Cleo")
    assert [game.pk for game in page_of(group.pk, ordering=OLDEST).games] == [first.id, second.id]

    state(second, began=THURSDAY, minutes=90)

    assert [game.pk for game in page_of(group.pk, ordering=OLDEST).games] == [second.id, first.id]
    counted = totals_of(group)
    assert counted == recounted(group)
    figures = counted["group"]
    assert isinstance(figures, dict)
    assert (figures["timed"], figures["minutes"], figures["timed_rounds"]) == (1, 90, 2)


def test_a_document_has_what_was_stated(finished: Table) -> None:
    state(finished, began=THURSDAY, minutes=95, place="Garden", note="with cake")
    written = document.document(finished.game)

    read = document.read_document(written)
    assert (read.ledger.occasion.place, read.began, read.minutes) == ("Garden", BEGAN, 95)


def test_a_document_with_an_impossible_day_is_refused(finished: Table) -> None:
    state(finished, began=THURSDAY)
    written = document.document(finished.game)
    written["log"][-1]["payload"]["began"] = "2026-02-31T10:00:00Z"

    with pytest.raises(WrongType):
        document.read_document(written)


def test_a_text_of_an_evening_took_the_evening_and_of_a_week_nothing_that_is_known(finished: Table) -> None:
    def minutes_until(ended: datetime) -> int | None:
        Game.objects.filter(pk=finished.id).update(created_at=BEGAN, finished_at=ended)
        return document.read_text(document.text(finished.game)).minutes

    assert minutes_until(BEGAN + timedelta(minutes=100)) == 100
    assert minutes_until(BEGAN + timedelta(days=6)) is None

"""Short messages at a digital table: who sends them, who gets them, and what is kept of them."""

from __future__ import annotations

import pytest

from games.live import hub as hub_module
from games.live.presence import SAYS_EVERY, SAYS_FOR
from games.models import LogEntry
from tests.builders import dutch
from tests.cast.digital import DigitalTable
from tests.cast.pages import Page, Phone, sit_down
from tests.cast.seats import at_seats, is_there, watching
from tests.cast.tables import Table

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


@pytest.fixture
def table() -> DigitalTable:
    return DigitalTable(dutch(3))


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The seconds that the hub reads."""
    now = [1000.0]
    monkeypatch.setattr(hub_module.hub, "clock", lambda: now[0])
    return now


def shown_at(table: DigitalTable) -> list[tuple[int, str]]:
    """What the phones of a table show."""
    phones = hub_module.hub.presence.shown(table.id, hub_module.hub.clock())
    return [tuple(phone["said"][:2]) for phone in phones if "said" in phone]


def say(phone: Phone, phrase: str = "sorry", **fields: object) -> int:
    return phone.post_to(phone.address_of("say"), {"phrase": phrase, **fields}).status


def test_a_phrase_reaches_the_phones_of_the_table_as_a_code_for_a_while(
    table: DigitalTable, clock: list[float]
) -> None:
    ana = at_seats(table, 0, htmx=True)
    before = LogEntry.objects.count(), table.game.version

    assert say(ana, "well-played") == 204

    assert shown_at(table) == [(0, "well-played")]
    clock[0] += SAYS_FOR
    assert shown_at(table) == []
    assert (LogEntry.objects.count(), table.game.version) == before


def test_without_script_it_is_a_form_of_the_menu(table: DigitalTable, clock: list[float]) -> None:
    ana = at_seats(table, 1)

    page = ana.open("menu").press("Thank you!")

    assert page.address == ana.address_of("table")
    assert shown_at(table) == [(1, "thanks")]


def test_a_phone_says_one_thing_after_another(table: DigitalTable, clock: list[float]) -> None:
    ana, ben = (at_seats(table, seat, htmx=True) for seat in (0, 1))

    assert [say(ana), say(ana), say(ben)] == [204, 429, 204]
    clock[0] += SAYS_EVERY
    assert say(ana, "luck") == 204
    assert shown_at(table) == [(0, "luck"), (1, "sorry")]


def test_a_shared_phone_speaks_for_the_seat_that_it_shows(table: DigitalTable, clock: list[float]) -> None:
    shared = at_seats(table, 0, 2, htmx=True)

    assert say(shared) == 403
    assert say(shared, seat=2) == 204

    assert shown_at(table) == [(2, "sorry")]


def test_only_players_send_and_only_phrases(table: DigitalTable, eve: Phone, clock: list[float]) -> None:
    zoe = watching(table)
    is_there(table, table.viewer)
    eve.table = table

    assert (say(zoe), say(eve)) == (403, 404)
    assert [say(at_seats(table, 0), phrase) for phrase in ("", "nonsense", "Sorry!")] == [400, 400, 400]
    assert not zoe.open("menu").offers("Sorry!")
    assert shown_at(table) == []


def test_everybody_reads_them_in_their_own_language(table: DigitalTable) -> None:
    ana, zoe = at_seats(table, 0, htmx=True), at_seats(table, key=table.viewer, htmx=True)
    ana.client.defaults["HTTP_ACCEPT_LANGUAGE"] = "de"

    own, seen = ana.open("say"), zoe.open("say")

    def words(page: Page) -> dict[str, str]:
        return {button.attrs["value"]: button.text for button in page.root.all("button", name="phrase")}

    assert words(own).keys() == words(seen).keys()
    assert words(own)["sorry"] != words(seen)["sorry"] == "Sorry!"
    assert "hidden" in seen.root.one(id="phrases").attrs
    assert "hidden" not in own.root.one(id="phrases").attrs


def test_at_a_real_table_everybody_hears_each_other() -> None:
    ana = sit_down(Table(), htmx=True)

    assert ana.open("say").status == 404
    assert say(ana) == 404

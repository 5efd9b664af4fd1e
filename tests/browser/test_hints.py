"""A hint by touch and by key, at a table of bots."""

from __future__ import annotations

from functools import partial

import pytest
from django.conf import settings
from django_tasks_db.models import DBTaskResult
from playwright.sync_api import expect

from games.bot_runner import tasks
from games.rules import Phase, PublicState
from tests.browser.audit import violations_of
from tests.browser.conftest import OpenPhone
from tests.browser.digital import Player
from tests.browser.phone import NARROW
from tests.builders import dutch
from tests.cast.digital import DigitalTable, committed
from tests.services.crews import worker

pytestmark = pytest.mark.browser


def leads(state: PublicState) -> bool:
    """Ana leads a trick."""
    return state.phase is Phase.TRICKS and state.acting_seats == (0,) and not state.current.table


def has_a_choice(table: DigitalTable, state: PublicState) -> bool:
    """Whether it is the turn of Ana with several cards that may be played: in every deal that comes again."""
    return state.phase is Phase.TRICKS and state.acting_seats == (0,) and len(table.view(0).legal) > 1


def find_hint(player: Player) -> None:
    """The task runs, and its hint arrives."""
    assert DBTaskResult.objects.filter(task_path__endswith=".hint").exists()
    with committed(execute=True):
        worker(tasks.SEARCHES).serve()
    player.hears()


def test_a_hint_is_asked_for_by_tap_and_by_key_and_goes_with_the_card(
    open_phone: OpenPhone, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(settings, "NJET_BOTS", "auto")
    monkeypatch.setattr(settings, "NJET_BOT_BUDGET", 0.05)
    monkeypatch.setattr(tasks.process, "ensure_running", lambda queue: None)
    table = DigitalTable(dutch(3, rounds=1), bots={1: "easy", 2: "easy"})
    table.play_on(leads)
    ana = Player(open_phone(size=NARROW), table, 0)
    button, marked = ana.page.locator("#hint"), ana.page.locator("#hand .is-shown")
    place = button.bounding_box()
    expect(marked).to_have_count(0)

    with ana.page.expect_response("**/hint/"):
        button.tap()
    find_hint(ana)

    expect(marked).to_have_count(1)
    expect(button).to_be_disabled()
    assert button.bounding_box() == place
    assert not violations_of(ana.page)
    expect(ana.page.locator("p.sr[aria-live]")).to_contain_text("Hint: ")
    marked.tap()
    expect(marked).to_have_count(0)

    table.play_on(partial(has_a_choice, table))
    ana.hears()
    with ana.page.expect_response("**/hint/"):
        ana.page.keyboard.press("h")
    find_hint(ana)
    expect(marked).to_have_count(1)
    expect(marked).to_be_focused()

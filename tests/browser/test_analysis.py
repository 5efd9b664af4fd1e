"""Where a finished digital game turned: from the end through the computation to the step of the replay.

Pictures are kept in `tests/artefacts/analysis/`.
"""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from playwright.sync_api import expect
from pytest_django import Settings

from games.analysis import tasks
from games.analysis.decisions import Decision, Judged
from games.models import Analysis
from tests.browser.audit import problems_of, violations_of
from tests.browser.conftest import ARTEFACTS, OpenPhone
from tests.browser.prepared import give
from tests.browser.sizes import LAPTOP, PHONE, SIDEWAYS, SMALL
from tests.builders import english
from tests.cast.digital import DigitalTable, over
from tests.services.crews import worker

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def compute(game_id: str, seat: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run the tasks to the end, and let the first three decisions be turning points."""
    judge, first = tasks.safely_judged, list[int]()

    def judged(game_id: str, decision: Decision, times: int) -> Judged:
        if len(first) < 3 and decision.seq not in first:
            first.append(decision.seq)
        difference = 5.5 - first.index(decision.seq) if decision.seq in first else 0.2
        return replace(judge(game_id, decision, times), difference=difference, error=0.3)

    monkeypatch.setattr(tasks, "safely_judged", judged)
    at_work = worker("analyses")
    while Analysis.objects.filter(game=game_id, seat=seat, computed_at=None).exists():
        at_work.serve()


def test_from_the_end_to_the_step_where_the_game_turned(
    open_phone: OpenPhone, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.NJET_ANALYSIS_GUESSES, settings.NJET_BOTS = 1, "off"
    phone = open_phone(mobile=False)
    table = DigitalTable(english(4, rounds=2)).play_on(over)
    give(phone, table.host, table.keys[1])
    phone.go_to(table.id, "")

    phone.touch(phone.page.get_by_role("link", name="Where did it turn?"))
    expect(phone.page.locator("#analysis")).to_contain_text("Ben")
    found = problems_of(phone.page) + violations_of(phone.page)
    compute(table.id, 1, monkeypatch)
    expect(phone.page.locator(".turning li")).to_have_count(3)
    expect(phone.page.locator(".judged .card")).to_have_count(2)

    phone.page.reload()
    for size, scheme in ((SMALL, "light"), (SIDEWAYS, "light"), (LAPTOP, "light"), (PHONE, "dark")):
        phone.turn_into(size, scheme)
        phone.show(ARTEFACTS / "analysis" / f"{size}-{scheme}.png")
        found += [f"{size} {scheme}: {problem}" for problem in problems_of(phone.page)]
    phone.turn_into(PHONE, "light")
    phone.touch(phone.page.locator(".judged summary").first)
    found += problems_of(phone.page) + violations_of(phone.page)
    assert not found, "\n".join(found)
    phone.touch(phone.page.locator(".turning a").first)
    expect(phone.page).to_have_url(re.compile(r"/replay/\d+/\?seat=1"))
    expect(phone.page.locator(".turn")).to_contain_text("would have been worth")
    for size, scheme in ((SMALL, "light"), (LAPTOP, "light"), (PHONE, "dark")):
        phone.turn_into(size, scheme)
        phone.show(ARTEFACTS / "analysis" / f"step-{size}-{scheme}.png")
        found += [f"step {size} {scheme}: {problem}" for problem in problems_of(phone.page)]
    phone.turn_into(PHONE, "light")
    assert not found, "\n".join(found)
    shown = phone.page.locator(".shown .rounds [aria-current]")
    expect(shown).to_contain_text("1")
    phone.page.keyboard.press("n")
    expect(shown).to_contain_text("2")
    phone.page.keyboard.press("p")
    expect(shown).to_contain_text("1")
    phone.touch(phone.page.get_by_role("link", name="Where did it turn?"))
    expect(phone.page.locator(".whose [aria-current]")).to_have_text("Ben")

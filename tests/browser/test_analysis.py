"""Where a finished digital game turned: from the end through the computation to the step of the replay.

Pictures are kept in `tests/artefacts/analysis/`.
"""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from django.utils import timezone
from playwright.sync_api import expect
from pytest_django import Settings

from games.analysis import tasks
from games.analysis.decisions import Decision, Judged, Progress, basis, decisions_of
from games.models import Analysis
from games.rules import Discard, Place, Play
from games.rules.hints import HintReason
from tests.browser.audit import problems_of, violations_of
from tests.browser.conftest import ARTEFACTS, OpenPhone
from tests.browser.prepared import give
from tests.browser.sizes import LAPTOP, LARGE_PHONE, PHONE, SIDEWAYS, SMALL, Size
from tests.builders import english
from tests.cast.digital import DigitalTable, leaving, over
from tests.services.crews import worker

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def compute(game_id: str, seat: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run the tasks to the end, and let the first three decisions be turning points."""
    judge, first = tasks.safely_judged, list[int]()

    def judged(game_id: str, decision: Decision, times: int) -> Judged:
        if len(first) < 3 and decision.seq not in first:
            first.append(decision.seq)
        difference = 5.5 - first.index(decision.seq) if decision.seq in first else 0.2
        return replace(judge(game_id, decision, times), difference=difference, error=0.3, lost=difference)

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
    expect(phone.page.locator(".turning li").nth(2)).to_be_visible()
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
    shown = phone.page.get_by_role("navigation", name="Turning points").locator("[aria-current]")
    expect(shown).to_contain_text("1")
    phone.page.keyboard.press("n")
    expect(shown).to_contain_text("2")
    phone.page.keyboard.press("p")
    expect(shown).to_contain_text("1")
    phone.touch(phone.page.get_by_role("link", name="Where did it turn?"))
    expect(phone.page.locator(".whose [aria-current]")).to_have_text("Ben")


def test_what_was_better_is_in_sight_below_what_is_said_of_it(open_phone: OpenPhone) -> None:
    """Whether it is a space of the last row, or cards of the hand of one of five players.

    What leads from one turning point to the next stays at its place.
    """
    phone = open_phone(mobile=False)
    table = DigitalTable(english(5, rounds=1)).play_on(over, leaving("discard:discard_2"))
    give(phone, table.viewer)
    ledger = table.seen(None)
    decisions = decisions_of(ledger, 1)
    on_points = [each for each in decisions if isinstance(each.played, Place) and each.played.row == "points"]
    discards, plays = ([each for each in decisions if isinstance(each.played, kind)] for kind in (Discard, Play))
    shown = [on_points[0], discards[0], plays[0], plays[-1]]
    Analysis.objects.create(
        game=table.game,
        seat=1,
        version=basis(ledger),
        computed_at=timezone.now(),
        result=Progress(
            len(shown),
            tuple(
                Judged(
                    each.seq,
                    each.played,
                    next(action for action in reversed(each.view.legal) if action != each.played),
                    difference=5.5,
                    error=0.3,
                    points=0.0,
                    closely=True,
                    reason=HintReason.GIVES_CAPTURABLE,
                    lost=6.0,
                    advised=each.view.legal[0],
                )
                for each in shown
            ),
            left=(),
        ).to_json(),
    )
    steps = [step.key.seq for step in ledger.replay.applied]

    found, places = [], dict[Size, set[tuple[float, ...]]]()
    for each in shown:
        phone.go_to(table.id, f"replay/{steps.index(each.seq) + 1}/?seat=1")
        for size in (PHONE, LARGE_PHONE, SIDEWAYS, LAPTOP):
            phone.turn_into(size, "light")
            expect(phone.page.locator(".turn")).to_contain_text("would have been worth")
            controls = phone.page.locator(".thumb").bounding_box()["y"]
            expect(phone.page.locator("main .is-shown")).not_to_have_count(0)
            for ringed in phone.page.locator("main .is-shown").all():
                box = ringed.bounding_box()
                if box["y"] + box["height"] > controls:
                    found.append(f"{each.played} {size}: {box}")
            chips = phone.page.get_by_role("navigation", name="Turning points").bounding_box()
            places.setdefault(size, set()).add((chips["x"], chips["y"], chips["height"]))
    assert all(len(each) == 1 for each in places.values()), places
    assert not found, "\n".join(found)

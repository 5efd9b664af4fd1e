"""The journeys that every engine has to make: a table round, a digital one, offline, the lesson, a replay, paper."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from django.conf import settings
from django_tasks_db.models import DBTaskResult
from pypdf import PdfReader

from games.bot_runner import tasks
from games.pages.lesson.script import LESSONS
from games.rules import Phase, Place
from tests.browser.conftest import OpenPhone, opening
from tests.browser.digital import Player
from tests.browser.expecting import expect
from tests.browser.phone import PATIENCE, Phone
from tests.browser.prepared import give
from tests.browser.sizes import PHONE, Size
from tests.browser.states import STATES
from tests.browser.test_hints import find_hint
from tests.browser.test_lesson import at_step as at_lesson
from tests.browser.test_live import BOARD, NAMES, at_version, is_live, nothing_waits, tap_offline, waits
from tests.browser.test_replay_cards import at_step
from tests.builders import dutch, english
from tests.cast.digital import DigitalTable, leaving, over
from tests.ops.running import Server

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.engines]


@pytest.fixture(scope="module")
def server(first_start: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with its streams, as it is started by everybody."""
    with Server(shutil.copytree(first_start, tmp_path_factory.mktemp("engines") / "data")) as server:
        yield server


@pytest.fixture
def device(engine: str, server: Server, request: pytest.FixtureRequest) -> Iterator[OpenPhone]:
    """Opens phones that know nothing of one another."""
    yield from opening(engine, f"http://127.0.0.1:{server.port}", request)


def at_the_board(device: OpenPhone) -> Phone:
    """A new table of three whose board is empty."""
    ana = device()
    ana.new_table("njet-english", NAMES, dealer="Cleo")
    ana.begin_placing()
    is_live(ana)
    return ana


def joined(host: Phone, phone: Phone) -> None:
    """The phone comes in by a link that the host shows, and both see the board."""
    host.go("phones/")
    host.touch(host.page.locator('button[name="role"][value="scorekeeper"]').first)
    link = host.page.locator('[href*="/join/"], [data-link], .link').first.inner_text().strip()
    phone.open(urlsplit(link).path)
    phone.touch(phone.page.get_by_label("Ben"))
    phone.tap("Join")
    phone.at_table(host.names)
    for each in (host, phone):
        each.go("?board")
        is_live(each)


def test_a_round_at_a_table_with_a_second_phone_undo_and_a_correction(device: OpenPhone) -> None:
    ana, ben = at_the_board(device), device()
    joined(ana, ben)

    for number, (row, space) in enumerate(BOARD, start=1):
        one, other = (ana, ben) if number % 2 else (ben, ana)
        one.cover(row, space)
        at_version(other, number)
    ben.undo()
    at_version(ana, len(BOARD) + 1)
    ana.cover(*BOARD[-1])
    at_version(ben, len(BOARD) + 2)

    assert ana.conditions == ben.conditions
    ana.name_team("Ben")
    ana.tally({"Ana": (6, 1), "Ben": (5, 0), "Cleo": (5, 2)})
    at_version(ben, ana.version)
    before = ana.standings
    assert ben.standings == before

    ana.go("correct/1/")
    for name, figure in (("Ana", "5"), ("Cleo", "6")):
        ana.write(ana.figure("tricks", name), figure)
    ana.tap("Preview")
    ana.sees("On the sheet")
    ana.tap("Correct it")
    ana.sees("Score sheet")
    ana.go("")
    at_version(ben, ana.version)
    assert ben.standings == ana.standings != before


def test_offline_taps_are_kept_and_sent(device: OpenPhone) -> None:
    ana = at_the_board(device)
    ana.has_pad()

    ana.lose_line()
    tap_offline(ana, "trump", "red")
    tap_offline(ana, "points", "1")
    waits(ana, 2)
    assert ana.keeps(2)

    ana.find_line()
    nothing_waits(ana)
    at_version(ana, 2)
    ana.page.reload()
    expect(ana.space("points", "1")).to_have_class("space is-covered")


def until(phone: Phone, is_so: Callable[[], bool]) -> None:
    """Wait for what a tap does on the server."""
    for _ in range(PATIENCE // 50):
        if is_so():
            return
        phone.page.wait_for_timeout(50)


def test_a_digital_round_with_teams_passing_tricks_and_a_hint(
    open_phone: OpenPhone, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(settings, "NJET_BOTS", "auto")
    monkeypatch.setattr(settings, "NJET_BOT_BUDGET", 0.05)
    monkeypatch.setattr(tasks.process, "ensure_running", lambda queue: None)
    table = DigitalTable(english(3, rounds=2), bots={1: "easy", 2: "easy"})
    # Ana names the team, and everybody passes.
    choose = leaving("start:0", "discard:pass_2_right")
    player = Player(open_phone(PHONE), table, 0)
    phone, seen, has_asked = player.phone, set(), False

    while not table.state.finished:
        phase = table.state.phase
        if 0 not in table.state.acting_seats:
            table.step(choose)
            continue
        player.hears()
        seen.add(phase)
        action = choose(table.view(0))
        if isinstance(action, Place):
            phone.cover(
                action.row.value, phone.names[int(action.space)] if action.row.value == "start" else action.space
            )
            continue
        if phase is Phase.TRICKS and len(table.view(0).legal) > 1 and not has_asked:
            phone.touch(phone.page.locator("#hint"))
            until(phone, lambda: DBTaskResult.objects.filter(task_path__endswith=".hint").exists())
            find_hint(player)
            has_asked = True
            expect(phone.page.locator("#hand .is-shown")).to_have_count(1)
        player.act()

    assert has_asked
    assert seen == {Phase.PLACING, Phase.TEAMS, Phase.PASSING, Phase.TRICKS}
    player.hears()
    assert phone.shows == "result"
    phone.tap("Go on")
    expect(phone.page.locator("form.board")).to_be_visible()


@pytest.mark.parametrize("edition", LESSONS)
def test_the_lesson_is_played_to_its_end(open_phone: OpenPhone, edition: str) -> None:
    phone = open_phone(PHONE)
    phone.open(f"/learn/{edition}/1/")
    last = len(LESSONS[edition].steps)

    for number in range(1, last):
        at_lesson(phone, edition, number)
        phone.touch(phone.page.locator("#target").or_(phone.page.get_by_role("link", name="Go on", exact=True)).first)

    at_lesson(phone, edition, last)
    phone.tap("Play against bots")
    expect(phone.page).to_have_url(re.compile(r"/new/\?bots$"))


def test_a_replay_goes_on_by_keys_by_taps_and_by_itself(open_phone: OpenPhone) -> None:
    phone = open_phone(PHONE)
    table = DigitalTable(dutch(3, rounds=1)).play_on(over)
    give(phone, table.viewer)
    phone.go_to(table.id, "replay/20/")

    phone.page.keyboard.press("ArrowRight")
    at_step(phone, 21)
    phone.page.keyboard.press("ArrowLeft")
    at_step(phone, 20)
    phone.tap("Play")
    at_step(phone, 22)
    phone.tap("Pause")


A4 = Size(794, 1123)

AS_ON_PAPER = """
() => {
  const on_paper = (rules) => {
    for (const rule of rules) {
      if (rule.media?.mediaText === "print") rule.media.mediaText = "all";
      // Layers have rules of their own.
      if (rule.cssRules) on_paper(rule.cssRules);
    }
  };
  for (const sheet of document.styleSheets) on_paper(sheet.cssRules);
}
"""


def test_a_sheet_is_printed_on_one_page(open_phone: OpenPhone, engine: str) -> None:
    phone = open_phone(PHONE)
    STATES["sheet-half-way"](phone)

    if engine == "webkit":
        # Its driver prints nothing: the styles of paper, on a screen of that width.
        phone.turn_into(A4, "light")
        phone.page.evaluate(AS_ON_PAPER)
        assert phone.page.evaluate("document.documentElement.scrollHeight") <= A4.height
    else:
        # A4: the driver of Firefox takes inches for centimetres.
        size = {"width": "21in", "height": "29.7in"} if engine == "firefox" else {"format": "A4"}
        assert len(PdfReader(BytesIO(phone.page.pdf(**size))).pages) == 1

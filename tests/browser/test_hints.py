"""A hint by touch and by key, at a table of bots."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice

import pytest
from django.conf import settings
from django.template.loader import render_to_string
from django.utils import translation
from django_tasks_db.models import DBTaskResult

from games.bot_runner import tasks
from games.bot_runner.process import BOTS
from games.pages.digital.page import digital_page
from games.rules import Action, Discard, NameTeam, Phase, Place, Play, PublicState
from games.rules.editions import RowKey
from games.rules.hints import COMPARED
from games.rules.hints import HintReason as R
from games.rules.replay import HintEntry
from games.services import hints
from games.texts import words
from games.texts.hints import advised, why_of
from tests.browser.audit import violations_of
from tests.browser.conftest import OpenPhone
from tests.browser.digital import Player
from tests.browser.expecting import expect
from tests.browser.sizes import LAPTOP, PHONE, SIDEWAYS, SMALL
from tests.builders import dutch, english, in_order
from tests.cast.digital import DigitalTable, committed, leaving
from tests.services.crews import worker

pytestmark = pytest.mark.browser


def leads(state: PublicState) -> bool:
    """Ana leads a trick."""
    return state.phase is Phase.TRICKS and state.acting_seats == (0,) and not state.current.table


def find_hint(player: Player) -> None:
    """The task runs, after those that come before it, and its hint arrives."""
    asked, at_work = DBTaskResult.objects.filter(task_path__endswith=".hint"), worker(BOTS)
    assert asked.exists()
    while asked.exists():
        with committed(execute=True):
            at_work.serve()
    player.hears()


def test_a_hint_is_asked_for_by_tap_and_goes_with_the_card(
    open_phone: OpenPhone, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(settings, "NJET_BOTS", "auto")
    monkeypatch.setattr(settings, "NJET_BOT_BUDGET", 0.05)
    monkeypatch.setattr(tasks.process, "ensure_running", lambda queue: None)
    # Some deals leave no choice in a round.
    table = DigitalTable(dutch(3, rounds=4), bots={1: "easy", 2: "easy"})
    table.play_on(leads)
    ana = Player(open_phone(size=SMALL), table, 0)
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


SHOWN = ":is(.in-hand, .space).is-shown"
RINGED = """
(faces) => faces
  .filter((face) => getComputedStyle(face).boxShadow.includes("rgb(255, 211, 77)"))
  .map((face) => face.parentElement.id)
"""
"""The cards that look hinted or focused."""


def asks_by_key(open_phone: OpenPhone, monkeypatch: pytest.MonkeyPatch, phase: Phase) -> Player:
    """Ana, whose turn it is, has just opened the page, and pressed the key for a hint; no bot looks for one."""
    monkeypatch.setattr(settings, "NJET_BOTS", "auto")
    monkeypatch.setattr(tasks.process, "ensure_running", lambda queue: None)
    table = DigitalTable(english(4), bots=dict.fromkeys(range(1, 4), "easy"))

    def has_a_choice(state: PublicState) -> bool:
        return state.phase is phase and 0 in state.acting_seats and len(table.view(0).legal) > 1

    table.play_on(has_a_choice, leaving("discard:pass_2_right"))
    ana = Player(open_phone(size=LAPTOP, mobile=False), table, 0)
    with ana.page.expect_response("**/hint/"):
        ana.page.keyboard.press("h")
    return ana


def hint_arrives(ana: Player) -> Action:
    """Not the first of those that may be done."""
    table, action = ana.table, ana.table.view(0).legal[-1]
    with committed(execute=True):
        hints.record(game_id=table.id, seat=0, version=table.game.version, action=action, reason=R.LOWEST)
    ana.hears()
    expect(ana.page.locator(SHOWN)).not_to_have_count(0)
    return action


@pytest.mark.parametrize("phase", [Phase.PLACING, Phase.PASSING, Phase.TRICKS])
def test_a_hint_that_comes_after_its_key_has_the_focus_and_no_other_card_looks_hinted(
    open_phone: OpenPhone, monkeypatch: pytest.MonkeyPatch, phase: Phase
) -> None:
    ana = asks_by_key(open_phone, monkeypatch, phase)
    version = ana.table.game.version + 1

    action = hint_arrives(ana)

    marked = ana.page.locator(SHOWN)
    assert marked.first.evaluate("(mark) => (mark.control ?? mark) === document.activeElement")
    ringed, cards = ana.page.locator("#hand .face").evaluate_all(RINGED), ana.page.locator("#hand .is-shown").all()
    assert ringed == [card.get_attribute("id") for card in cards]
    if phase is Phase.PASSING:
        return
    ana.page.keyboard.press("Enter")
    expect(ana.phone.table).to_have_attribute("data-version", str(version + 1))
    assert ana.table.ledger.entries[-1].action == action


def test_a_hint_takes_no_focus_from_a_page_above_the_table(
    open_phone: OpenPhone, monkeypatch: pytest.MonkeyPatch
) -> None:
    ana = asks_by_key(open_phone, monkeypatch, Phase.TRICKS)
    ana.page.keyboard.press("?")

    hint_arrives(ana)

    expect(ana.page.locator("#help :focus")).to_have_count(1)


ROWS = {
    RowKey.START: [R.KEEPS_TOKEN, R.SETTLES_TOKEN, R.COVERS_OWN_TOKEN, R.COVERS_LEADER],
    RowKey.TRUMP: [R.KEEPS_LONG_TRUMP, R.SETTLES_LONG_TRUMP, R.COVERS_SHORT_TRUMP, R.COVERS_LONG_TRUMP],
    RowKey.SUPERTRUMP: [R.KEEPS_SUPER, R.SETTLES_SUPER, R.COVERS_OTHER_SUPER, R.COVERS_OWN_SUPER, R.OTHERS_SUPER],
    RowKey.POINTS: [R.STAKES_MORE, R.STAKES_LESS, R.SETTLES_MORE, R.SETTLES_LESS, R.SETTLES_COST, R.MINUS_COSTS],
    RowKey.DISCARD: [
        R.COVERS_NO_ZERO,
        R.KEEPS_SHEDDING,
        R.HIGH_MAY_LEAVE,
        R.OTHERS_SHED,
        R.OTHERS_SHED_HIGH,
        R.COVERS_PASSING,
    ],
}
TEAMS = [*islice(R, [*R].index(R.STRONG_ALONE), [*R].index(R.SHEDS_CAPTURABLE))]
CHOICES = [*islice(R, [*R].index(R.SHEDS_CAPTURABLE), [*R].index(R.SURE_TRICK))]
CARDS = [*islice(R, [*R].index(R.SURE_TRICK), None)]
SETUP = english(5)


def placing_hints() -> list[HintEntry]:
    """Each reason with each space of its row."""
    spaces = SETUP.ruleset.edition.spaces
    return [
        HintEntry(9, 0, Place(row, space), why)
        for row, reasons in ROWS.items()
        for space in (map(str, range(5)) if row is RowKey.START else spaces[row])
        for why in [*reasons, R.BEST_IN_TRIALS]
    ]


def team_hints() -> list[HintEntry]:
    """Each reason with one partner."""
    return [HintEntry(9, 0, NameTeam((1,), 0), why) for why in TEAMS]


def choosing_hints() -> list[HintEntry]:
    """Each reason with two cards."""
    cards = tuple(in_order("Y0 K0"))
    return [HintEntry(9, 0, Discard(cards), why) for why in CHOICES]


def card_hints() -> list[HintEntry]:
    """Each reason for a card to play."""
    return [HintEntry(9, 0, Play(in_order("R1")[0]), why) for why in CARDS]


def about_the_second_best(entries: list[HintEntry]) -> list[HintEntry]:
    """Each of the actions, with one of its kind as the second best."""
    found = []
    for entry in entries:
        of_team = isinstance(entry.action, NameTeam)
        if of_team and entry.reason in COMPARED:
            found.append(replace(entry, second=NameTeam((2,), 1)))
        second = NameTeam((2, 4), 1) if of_team else entry.action
        reasons = [R.AS_GOOD, R.BEST_IN_TRIALS, *([] if of_team else [entry.reason])]
        found += [replace(entry, reason=why, second=second) for why in reasons]
    return found


@pytest.mark.parametrize(
    ("phase", "entries"),
    [
        (Phase.PLACING, placing_hints()),
        (Phase.TEAMS, team_hints()),
        (Phase.DISCARDING, choosing_hints()),
        (Phase.TRICKS, card_hints()),
    ],
)
def test_every_hint_fits_into_the_banner_in_every_language(
    open_phone: OpenPhone, monkeypatch: pytest.MonkeyPatch, phase: Phase, entries: list[HintEntry]
) -> None:
    monkeypatch.setattr(settings, "NJET_BOTS", "auto")
    table = DigitalTable(english(5, rounds=1), bots=dict.fromkeys(range(1, 5), "easy"))
    table.play_on(
        lambda state: state.phase is phase and 0 in state.acting_seats,
        choose=lambda view: next(each for each in view.legal if getattr(each, "space", "") not in ("0", "discard_2")),
    )
    with committed(execute=True):
        hints.record(
            game_id=table.id, seat=0, version=table.game.version, action=table.view(0).legal[0], reason=R.LOWEST
        )
    ana = Player(open_phone(size=SMALL), table, 0)
    page = digital_page(table.seen(0))
    banners = {}
    for language, _name in settings.LANGUAGES:
        with translation.override(language):
            for entry in [*entries, *about_the_second_best(entries)]:
                headline, reason = words.plain(advised(entry.action, SETUP)), why_of(entry, SETUP)
                said = replace(
                    page, turn=replace(page.turn, headline=headline), advice=replace(page.advice, text=reason)
                )
                banners[headline, reason] = render_to_string("games/digital/_turn.html", {"page": said})

    for size in (SMALL, PHONE, SIDEWAYS):
        ana.phone.turn_into(size, "light")
        cut = ana.page.locator(".dash").evaluate(
            """(dash, banners) => {
                const isCut = (line) =>
                  line.scrollHeight > line.clientHeight + 1 || line.scrollWidth > line.clientWidth + 1;
                return banners.filter(([, html]) => {
                  dash.querySelector(".say").outerHTML = html.slice(0, html.indexOf("</section>"));
                  return [...dash.querySelectorAll(".say, .say > div")].some(isCut);
                });
            }""",
            list(banners.items()),
        )
        assert [texts for texts, _html in cut] == [], size


SLOTS = {":has(#hint)": ("Hint", "Claim", "Rules"), "#settings-button": ("Last trick", "Result", "Settings")}
"""Tools of the thumb bar, and which of them have slots as wide."""

# The words that do not fit in one piece in the slot of a tool.
TORN = """(tool, words) => {
  const text = document.createTextNode("");
  (tool.querySelector("button") ?? tool).lastChild.replaceWith(text);
  const range = document.createRange();
  return words.filter((word) => {
    text.data = word;
    range.selectNodeContents(text);
    const { width, height } = range.getBoundingClientRect();
    return width > tool.clientWidth || height > 20;
  });
}"""


def test_no_tool_of_the_thumb_bar_tears_a_word_in_any_language(
    open_phone: OpenPhone, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(settings, "NJET_BOTS", "auto")
    table = DigitalTable(english(4), bots=dict.fromkeys(range(1, 4), "easy")).play_on(leads)
    ana = Player(open_phone(size=SMALL), table, 0)

    def words_of(tools: tuple[str, ...]) -> list[str]:
        found: list[str] = []
        for language, _name in settings.LANGUAGES:
            with translation.override(language):
                found += [word for tool in tools for word in translation.gettext(tool).split()]
        return found

    for size in (SMALL, SIDEWAYS):
        ana.phone.turn_into(size, "light")
        for slot, tools in SLOTS.items():
            assert ana.page.locator(f".thumb > .tool{slot}").evaluate(TORN, words_of(tools)) == [], (size, slot)

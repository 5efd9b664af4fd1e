"""Nothing moves under the thumb at a digital table: a whole round, and each kind of message as it comes and goes.

Knows: what the browser reports as a layout shift, also right after a tap, and where everything is that can be tapped.
Between two phases another scene is drawn on the felt; bar, felt, hand and thumb bar stay where they are then, too, and
each tool of the thumb bar keeps its slot.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import pytest
from django.conf import settings
from django.utils import translation
from playwright.sync_api import expect

from games.rules import Action, Phase, Place, RowKey
from games.rules.redaction import PlayerView
from games.rules.tricks import Reason
from games.texts.words import trick_reason
from tests.browser.conftest import OpenPhone
from tests.browser.digital import Player
from tests.browser.facts import outside, overlaps, places
from tests.browser.prepared import give
from tests.browser.sizes import LAPTOP, PHONE, SIDEWAYS, SIZES, SMALL, TABLET, Size
from tests.builders import english, in_order
from tests.cast.digital import DigitalTable, cards_on_table, in_phase, rounds_finished

pytestmark = pytest.mark.browser

WATCH = """
() => {
  const FRAME = [".bar", ".felt", ".dock", ".thumb"],
    SCENE = [".bar > *", ".strip li", ".board .space", ".candidate > label", ".plate", ".say"];
  const place = ({ x, y, width, height }) => [x, y, width, height].map(Math.round).join(" ");
  // Words and figures may change within a place of their own.
  const counts = (node) =>
    node?.nodeType === 1 && node.closest("#table") && !node.closest(".beside, .popover, .toasts") &&
    !node.parentElement.closest(".say, .figures, .face, .where, a, button, label");
  const shifts = [];
  const observer = new PerformanceObserver((list) => keep(list.getEntries()));
  const keep = (entries) => {
    for (const { value, sources } of entries)
      for (const { node, previousRect: was, currentRect: is } of value ? sources : [])
        if (counts(node)) shifts.push(`${node.tagName} ${node.className} moved from ${place(was)} to ${place(is)}`);
  };
  observer.observe({ type: "layout-shift", buffered: false });
  const places = (selectors) => Object.fromEntries(selectors.map((selector) => [
    selector,
    [...document.querySelectorAll(selector)].filter((each) => each.checkVisibility())
      .map((each) => place(each.getBoundingClientRect())),
  ]));
  // A card that may be played is lifted, and a bot that plays holds it.
  const slots = () => Array.from(document.querySelectorAll("#hand .in-hand"), (card) =>
    `${card.id.replace(/^\\w+-/, "")} ${Math.round(card.getBoundingClientRect().x)}`);
  const tools = () => Object.fromEntries([...document.querySelectorAll(".thumb > *")]
    .filter((tool) => tool.textContent.trim())
    .map((tool) => [tool.matches(".button, .go") ? "button" : tool.textContent, place(tool.getBoundingClientRect())]));
  window.seen = async () => {
    for (let frames = 0; frames < 3; frames++) await new Promise((resolve) => requestAnimationFrame(resolve));
    keep(observer.takeRecords());
    const phase = /is-(\\w+)/.exec(document.getElementById("table").className)[1];
    return {
      phase, shifts: shifts.splice(0), frame: places(FRAME), tools: tools(), scene: places(SCENE), slots: slots(),
    };
  };
}
"""


class Observer:
    """Compares the places of everything before and after each change of a phone."""

    def __init__(self, player: Player) -> None:
        self.page = player.page
        self.problems: list[str] = []
        self.phases: list[str] = []
        size = self.page.viewport_size
        self.is_phone = size is not None and size["width"] < 600
        self.page.evaluate(WATCH)
        self.last = self.page.evaluate("seen()")

    def look(self, what: str) -> None:
        """What has moved since the last time."""
        before, self.last = self.last, self.page.evaluate("seen()")
        phase = self.last["phase"]
        if phase not in self.phases:
            self.phases.append(phase)
        kinds = ["frame", "tools"]
        if "result" in (phase, before["phase"]):
            # A page of its own, on a phone between the same bars.
            kinds = ["tools"] if self.is_phone else []
        elif phase == before["phase"]:
            kinds.append("scene")
        if kinds:
            self.problems += [f"{phase}, {what}: {shift}" for shift in self.last["shifts"]]
        self.problems += [
            f"{phase}, {what}: {part} were at {before[kind][part]} and are at {places}"
            for kind in kinds
            for part, places in self.last[kind].items()
            # A tool that is not there in both phases keeps its slot free.
            if places != before[kind].get(part, places)
        ]


def passes_cards(view: PlayerView) -> Action:
    """Markers that let cards be passed."""
    discards = [each for each in view.legal if isinstance(each, Place) and each.row is RowKey.DISCARD]
    return next((each for each in discards if each.space != "pass_2_right"), view.legal[-1 if discards else 0])


@pytest.mark.slow
@pytest.mark.parametrize("size", [PHONE, SIDEWAYS, LAPTOP], ids=str)
def test_nothing_moves_in_a_whole_round(open_phone: OpenPhone, size: Size) -> None:
    table = DigitalTable(english(4, rounds=3)).play_on(rounds_finished(1))
    player = Player(open_phone(size), table, 0)
    player.phone.tap("Go on")
    expect(player.page.locator("form.board")).to_be_visible()
    observer = Observer(player)

    while len(table.state.finished) == 1:
        seat = min(table.state.acting_seats)
        if seat:
            table.step(passes_cards)
            player.hears()
        else:
            player.act()
        observer.look(f"seat {seat}")
    expect(player.page.locator(".felt > .page")).to_be_visible()
    observer.look("the result")

    assert not observer.problems, "\n".join(observer.problems)
    assert observer.phases == ["board", "teams", "choose", "tricks", "result"]


# --- messages ---


Change = Callable[[Player], None]


def asks(kind: str, *, before: int = 3) -> Change:
    """A player asks the others, seen from the seat of the phone."""

    def ask(player: Player) -> None:
        player.table.propose((player.seat + before) % 4, kind)
        player.hears()
        expect(player.page.locator(".ask")).to_have_count(1)
        # No card of the trick lies under the question, or under what is said above it.
        if player.page.locator(".slot:not(.was) .face:visible").count():
            assert overlaps(player.page, ".slot:not(.was) .face", ".toasts > *") == []

    return ask


def answered(words: str) -> Change:
    """The phone answers the last of all."""

    def answer(player: Player) -> None:
        for seat in player.table.asked:
            if seat != player.seat:
                player.table.answer(seat)
                player.hears()
        player.phone.tap(words)
        expect(player.page.locator(".ask")).to_have_count(0)

    return answer


def asks_itself(player: Player) -> None:
    """The phone asks."""
    player.phone.tap("Take back", exact=False)
    expect(player.page.locator(".ask")).to_have_count(1)


def is_refused(player: Player) -> None:
    """Another player refuses what the phone asked for."""
    player.table.answer((player.seat + 1) % 4, agrees=False)
    player.hears()
    expect(player.page.locator(".ask")).to_have_count(0)


def taps_a_card_that_is_not_allowed(player: Player) -> None:
    """A refusal."""
    player.page.locator("#hand button:not(.is-playable)").first.tap(force=True, position={"x": 8, "y": 20})
    expect(player.page.locator(".is-error")).to_have_count(1)


def closes_it(player: Player) -> None:
    """The message is closed."""
    player.page.locator(".is-error a").tap()
    expect(player.page.locator(".is-error")).to_have_count(0)


def changes_seats(player: Player) -> None:
    """Another phone plays for a player, and a bot for another one."""
    player.table.move((player.seat + 1) % 4)
    player.hears()
    player.table.put_bot((player.seat + 2) % 4, "easy")
    player.hears()
    expect(player.page.locator("#unseen")).to_have_count(1)


def has_seen_it(player: Player) -> None:
    """The changes of seats are read."""
    player.phone.tap("Seen")
    expect(player.page.locator("#unseen")).to_have_count(0)


def bot_plays(player: Player) -> None:
    """The host puts a bot on the seat of the phone."""
    player.table.put_bot(player.seat, "easy")
    player.hears()
    player.phone.sees("A bot plays for you.")


def takes_the_seat_back(player: Player) -> None:
    """The phone plays itself again."""
    player.phone.tap("Take your seat back")
    expect(player.page.get_by_text("A bot plays for you.")).to_have_count(0)


def go_away(*away: int) -> Change:
    """The phones of some seats are away."""

    def go(player: Player) -> None:
        phone = {"name": "", "may_record": False, "recording": False}
        heard = [
            {**phone, "key": key.pk, "away": (seat - player.seat) % 4 in away}
            for seat, key in player.table.keys.items()
        ]
        player.page.evaluate("detail => document.dispatchEvent(new CustomEvent('here', { detail }))", heard)
        expect(player.page.locator(".sitter.is-away")).to_have_count(len(away))

    return go


def loses_its_line(player: Player) -> None:
    """The connection is lost."""
    player.phone.lose_line()
    expect(player.page.locator("#line")).to_be_visible()


def plays_offline(player: Player) -> None:
    """A card is kept until the connection is back."""
    player.page.locator("#hand .is-playable").first.tap()
    expect(player.page.locator("#line")).to_contain_text("What you tapped is sent")
    expect(player.page.locator(".slot .is-kept")).to_have_count(1)


def finds_its_line(player: Player) -> None:
    """The connection is back."""
    player.phone.find_line()
    expect(player.page.locator("#line")).to_be_hidden()


MESSAGES: dict[str, list[Change]] = {
    "refusal": [taps_a_card_that_is_not_allowed, closes_it],
    "take back agreed": [asks("takeback"), answered("Agree")],
    "take back refused": [asks("takeback"), answered("Refuse")],
    "own take back refused": [asks_itself, is_refused],
    "claim": [asks("claim"), answered("Refuse")],
    "end early": [asks("finish"), answered("Refuse")],
    "all at once": [changes_seats, asks("finish"), asks("claim")],
    "seats": [changes_seats, has_seen_it],
    "bot": [bot_plays, takes_the_seat_back],
    "away": [go_away(1), go_away(1, 2, 3), go_away()],
    "offline": [loses_its_line, finds_its_line],
    "kept": [loses_its_line, plays_offline],
}


def in_tricks() -> DigitalTable:
    """A trick in the second round, and a seat is due that may not play every card."""
    table = DigitalTable(english(4, rounds=3)).play_on(rounds_finished(1)).play_on(in_phase(Phase.TRICKS))
    while len(table.view(seat := table.state.acting_seats[0]).legal) == len(set(table.view(seat).hand)):
        table.step()
    return table


def of(table: DigitalTable) -> int:
    """The seat of the phone: the one that is due."""
    return table.state.acting_seats[0]


def compare(player: Player, changes: list[Change]) -> list[str]:
    """What moves while messages come and go."""
    observer = Observer(player)
    for change in changes:
        held = observer.last["slots"]
        change(player)
        observer.look(change.__doc__ or change.__qualname__)
        if held and (now := observer.last["slots"]) and now != held:
            observer.problems.append(f"{change.__doc__} The hand was {held} and is {now}")
    return observer.problems


@pytest.mark.parametrize("message", MESSAGES)
def test_no_message_moves_anything_during_the_tricks(open_phone: OpenPhone, message: str) -> None:
    table = in_tricks()
    player = Player(open_phone(), table, (of(table) + 3 * message.startswith("own")) % 4)

    problems = compare(player, MESSAGES[message])

    assert not problems, "\n".join(problems)


@pytest.mark.slow
@pytest.mark.parametrize("size", [SIDEWAYS, LAPTOP], ids=str)
def test_no_message_moves_anything_on_other_screens(open_phone: OpenPhone, size: Size) -> None:
    table = in_tricks()
    player = Player(open_phone(size), table, of(table))
    changes = [change for name in ("refusal", "all at once", "offline") for change in MESSAGES[name]]

    problems = compare(player, changes)

    assert not problems, "\n".join(problems)


@pytest.mark.parametrize("phase", [Phase.PLACING, Phase.TEAMS, Phase.PASSING])
def test_no_message_moves_anything_in_the_other_phases(open_phone: OpenPhone, phase: Phase) -> None:
    table = DigitalTable(english(4, rounds=3)).play_on(rounds_finished(1))
    table.step(passes_cards)
    table.play_on(in_phase(phase), passes_cards)
    player = Player(open_phone(), table, of(table))
    seats = MESSAGES["away"] if phase is Phase.PASSING else []
    changes = [*MESSAGES["offline"], *MESSAGES["end early"], *seats, *MESSAGES["seats"]]

    problems = compare(player, changes)

    assert not problems, "\n".join(problems)


# All tricks of a round with every zero, for -2 points each.
WIDEST = """
(boxes) => boxes.forEach((box) => {
  const figures = box.querySelector(".figures");
  const [tricks, , captured] = figures.childNodes;
  [tricks.data, captured.data] = ["15", "8"];
  figures.querySelector("b").textContent = "\u221292";
})
"""
IS_INSIDE = """
(box) => {
  const [figures, points] = [".figures", ".figures b"].map((each) => box.querySelector(each).getBoundingClientRect());
  const { left, right } = box.getBoundingClientRect();
  return points.right <= right && figures.left >= left;
}
"""


def test_the_widest_figures_of_a_team_stay_in_their_box(open_phone: OpenPhone) -> None:
    table = DigitalTable(english(4)).play_on(in_phase(Phase.TRICKS))
    player = Player(open_phone(), table, 0)
    boxes = player.page.locator(".team-count")
    assert boxes.count() == 2
    boxes.evaluate_all(WIDEST)

    for size in (SMALL, PHONE, SIDEWAYS):
        player.phone.turn_into(size, "light")
        for place in (0, 1):
            own = f".team-count >> nth={place}"
            assert player.page.locator(own).evaluate(IS_INSIDE), size


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_a_refusal_goes_by_itself_and_the_next_one_is_shown(open_phone: OpenPhone, motion: str) -> None:
    table = in_tricks()
    player = Player(open_phone(), table, table.state.acting_seats[0])
    player.page.emulate_media(reduced_motion=motion)
    refusal = player.page.locator(".toasts > .is-error")
    for _ in range(2):
        taps_a_card_that_is_not_allowed(player)
        expect(refusal).to_be_visible()
        player.page.mouse.move(0, 0)
        refusal.evaluate("(notice) => notice.getAnimations().forEach((passing) => passing.finish())")
        expect(refusal).to_be_hidden()


def test_a_tap_on_what_is_said_shows_the_banner_at_once(open_phone: OpenPhone) -> None:
    table = DigitalTable(english(4)).play_on(in_phase(Phase.TRICKS), passes_cards)
    player = Player(open_phone(), table, (table.state.acting_seats[0] + 2) % 4)
    said = player.page.locator(".toasts > .exchanged")
    expect(said).to_contain_text("You passed")

    said.tap()
    expect(said).to_be_hidden()
    table.step()
    player.hears()

    expect(said).to_be_hidden()


# --- the seats ---


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_the_seats_stay_where_they_are_from_passing_to_the_tricks(open_phone: OpenPhone, players: int) -> None:
    table = DigitalTable(english(players, rounds=3)).play_on(in_phase(Phase.PASSING), passes_cards)
    player = Player(open_phone(), table, 0)
    between = ".matchup > *, .chosen > *, .chosen + p"

    def rings() -> dict[Size, list[list[int]]]:
        seen = {}
        for size in SIZES[:-1]:
            player.phone.turn_into(size, "light")
            seen[size] = places(player.page, ".plate")
            if player.page.locator(between).filter(visible=True).count():
                assert overlaps(player.page, between, ".plate, .say") == [], size
        return seen

    passing = rings()
    assert all(len(plates) == players - 1 for plates in passing.values())
    table.step()
    player.hears()
    assert rings() == passing
    table.play_on(in_phase(Phase.TRICKS))
    player.hears()
    expect(player.page.locator("#trick")).to_be_visible()
    assert rings() == passing


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_no_plate_lies_over_the_place_of_another_players_card(open_phone: OpenPhone, players: int) -> None:
    table = DigitalTable(english(players)).play_on(in_phase(Phase.TRICKS))
    player = Player(open_phone(), table, 0)

    for size in SIZES:
        player.phone.turn_into(size, "light")
        assert overlaps(player.page, ".plate", ".plate, .slot") == [], size


def test_what_is_said_lies_over_the_whole_banner(open_phone: OpenPhone) -> None:
    table = DigitalTable(english(4, rounds=3)).play_on(in_phase(Phase.TEAMS), passes_cards)
    player = Player(open_phone(), table, (of(table) + 1) % 4)

    table.step()
    player.hears()

    for size in (PHONE, SIDEWAYS, TABLET, LAPTOP):
        player.phone.turn_into(size, "light")
        assert outside(player.page, ".say", ".toasts > .notice") == [], size


def test_another_sentence_in_the_banner_begins_where_the_one_before_began(open_phone: OpenPhone) -> None:
    player = Player(open_phone(), DigitalTable(english(4)), 0)
    begins = set()

    for _ in range(4):
        player.table.step()
        player.hears()
        for text in player.page.locator(".say b bdi:visible, .say small:visible").all():
            box = text.bounding_box()
            assert box is not None
            begins.add(round(box["x"]))

    assert len(begins) == 1


def test_who_still_has_to_answer_the_own_question_can_be_read(open_phone: OpenPhone) -> None:
    table = in_tricks()
    player = Player(open_phone(), table, (of(table) + 3) % 4)

    asks_itself(player)

    for size in (SMALL, PHONE, SIDEWAYS, LAPTOP):
        player.phone.turn_into(size, "light")
        assert outside(player.page, ".ask :is(p, small):not(.sr)", ".ask") == [], size


@pytest.mark.parametrize("left_handed", [False, True], ids=["right", "left"])
def test_sideways_a_claim_shows_its_whole_hand(open_phone: OpenPhone, left_handed: bool) -> None:
    table = in_tricks()
    player = Player(open_phone(SIDEWAYS), table, of(table))
    player.page.evaluate("is => document.documentElement.classList.toggle('is-left-handed', is)", left_handed)

    MESSAGES["claim"][0](player)

    assert outside(player.page, ".ask .face", ".ask") == []


def test_a_claim_at_the_beginning_shows_all_sixteen_cards(open_phone: OpenPhone) -> None:
    table = DigitalTable(english(3)).play_on(in_phase(Phase.TRICKS))
    player = Player(open_phone(), table, of(table))
    table.propose((player.seat + 1) % 3, "claim")
    player.hears()

    for size in (SMALL, PHONE):
        player.phone.turn_into(size, "light")
        cards = places(player.page, ".ask .face")
        assert len(cards) == 16
        # Of each card enough is in sight to read its rank.
        assert all(left + width / 5 <= right for (left, _, width, _), (right, *_) in pairwise(cards)), size
        assert outside(player.page, ".ask .face", ".ask") == [], size


def test_that_a_bot_plays_for_me_is_said_over_no_card_of_the_trick(open_phone: OpenPhone) -> None:
    table = in_tricks()
    player = Player(open_phone(), table, of(table))

    bot_plays(player)

    for size in (SMALL, PHONE, SIDEWAYS):
        player.phone.turn_into(size, "light")
        assert overlaps(player.page, ".toasts > form", ".slot:not(.was) .face, .plate") == [], size


def test_the_longest_sentence_about_a_trick_fits_in_every_language(open_phone: OpenPhone) -> None:
    table = in_tricks().play_on(lambda state: bool(state.current.tricks))
    player = Player(open_phone(), table, 0)
    texts = []
    for language, _name in settings.LANGUAGES:
        with translation.override(language):
            texts += [
                trick_reason("Charlotte", why, card, 2, table.state.ruleset)
                for why in Reason
                for card in in_order("R0 K0 B0 Y0")
            ]

    for size in (SMALL, PHONE, SIDEWAYS):
        player.phone.turn_into(size, "light")
        too_long = player.page.locator(".why").evaluate(
            """(line, texts) => texts.filter((text) => {
                line.textContent = text;
                const range = document.createRange();
                range.selectNodeContents(line);
                return range.getBoundingClientRect().height > line.clientHeight;
            })""",
            texts,
        )
        assert too_long == [], size


@pytest.mark.parametrize("players", [4, 5])
def test_a_spectator_sees_every_plate_and_card(open_phone: OpenPhone, players: int) -> None:
    table = DigitalTable(english(players)).play_on(cards_on_table(players - 1))
    phone = open_phone()
    give(phone, table.viewer)
    phone.go_to(table.id, "")

    for size in (SMALL, PHONE, SIDEWAYS, LAPTOP):
        phone.turn_into(size, "light")
        assert overlaps(phone.page, ".sitter > .plate", ".sitter > .plate, .sitter .face") == [], size
        assert outside(phone.page, ".sitter > .plate, .sitter .face") == [], size

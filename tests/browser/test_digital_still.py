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
from tests.browser.phone import LAPTOP, NARROW, PHONE, Size
from tests.browser.prepared import give
from tests.builders import english, in_order
from tests.cast.digital import DigitalTable, cards_on_table, in_phase, rounds_finished

pytestmark = pytest.mark.browser

WATCH = """
() => {
  const FRAME = [".bar", ".felt", ".dock", ".thumb"],
    SCENE = [".bar > *", ".thumb > *", ".strip li", ".board .space", ".candidate > label", ".plate", ".dash > *"];
  const place = ({ x, y, width, height }) => [x, y, width, height].map(Math.round).join(" ");
  // Words and figures may change within a place of their own.
  const counts = (node) =>
    node?.nodeType === 1 && node.closest("#table") && !node.closest(".beside, .popover, .toasts, .over") &&
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
@pytest.mark.parametrize("size", [PHONE, Size(640, 360), LAPTOP], ids=str)
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

# The cards of the open trick that lie under a question, or under what is said above it.
COVERED = """
() => {
  const places = (selector) => [...document.querySelectorAll(selector)]
    .filter((each) => each.checkVisibility({ opacityProperty: true }))
    .map((each) => each.getBoundingClientRect());
  const said = places(".toasts > *");
  return places(".slot:not(.was) .face").filter(({ left, right, bottom }) =>
    said.some((each) => left < each.right && right > each.left && bottom > each.top + 1));
}
"""

Change = Callable[[Player], None]


def asks(kind: str, *, before: int = 3) -> Change:
    """A player asks the others, seen from the seat of the phone."""

    def ask(player: Player) -> None:
        player.table.propose((player.seat + before) % 4, kind)
        player.hears()
        expect(player.page.locator(".ask")).to_have_count(1)
        assert player.page.evaluate(COVERED) == [], "the question lies over cards of the trick"

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
    expect(player.page.locator("#line")).to_contain_text("Your card is sent")
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
    "all at once": [changes_seats, asks("finish"), asks("claim"), has_seen_it],
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
@pytest.mark.parametrize("size", [Size(640, 360), LAPTOP], ids=str)
def test_no_message_moves_anything_on_other_screens(open_phone: OpenPhone, size: Size) -> None:
    table = in_tricks()
    player = Player(open_phone(size), table, of(table))
    changes = [change for name in ("refusal", "all at once", "offline") for change in MESSAGES[name]]

    problems = compare(player, changes)

    assert not problems, "\n".join(problems)


def taps_a_space(player: Player) -> None:
    """A marker that cannot be sent."""
    player.page.locator(".space:not(.is-covered, .is-left)").first.tap()
    expect(player.page.locator("#line")).to_contain_text("Not done: no answer came.")


@pytest.mark.parametrize("phase", [Phase.PLACING, Phase.TEAMS, Phase.PASSING])
def test_no_message_moves_anything_in_the_other_phases(open_phone: OpenPhone, phase: Phase) -> None:
    table = DigitalTable(english(4, rounds=3)).play_on(rounds_finished(1))
    table.step(passes_cards)
    table.play_on(in_phase(phase), passes_cards)
    player = Player(open_phone(), table, of(table))
    unsaved = [loses_its_line, taps_a_space, finds_its_line] if phase is Phase.PLACING else MESSAGES["offline"]
    seats = MESSAGES["away"] if phase is Phase.PASSING else []
    changes = [*unsaved, *MESSAGES["end early"], *seats, *MESSAGES["seats"]]

    problems = compare(player, changes)

    assert not problems, "\n".join(problems)


# All tricks of a round with every zero, for -2 points each.
WIDEST = """
(box) => {
  const figures = box.querySelector(".figures");
  const [tricks, , captured] = figures.childNodes;
  [tricks.data, captured.data] = ["15", "8"];
  figures.querySelector("b").textContent = "\u221292";
  const points = figures.querySelector("b").getBoundingClientRect(), { left, right } = box.getBoundingClientRect();
  return points.right <= right && figures.getBoundingClientRect().left >= left;
}
"""


@pytest.mark.parametrize("size", [NARROW, PHONE, Size(640, 360)], ids=str)
def test_the_widest_figures_of_a_team_stay_in_their_box(open_phone: OpenPhone, size: Size) -> None:
    table = DigitalTable(english(4)).play_on(in_phase(Phase.TRICKS))
    player = Player(open_phone(size), table, 0)

    boxes = player.page.locator(".team-count").all()

    assert len(boxes) == 2
    assert all(box.evaluate(WIDEST) for box in boxes)


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
    said = player.page.locator(".toasts > .passes")
    expect(said.nth(1)).to_contain_text("You passed")

    said.nth(1).tap()
    expect(said.nth(1)).to_be_hidden()
    table.step()
    player.hears()

    expect(said.nth(1)).to_be_hidden()


# --- the seats ---

# Where each seat is, and what of the cards that are chosen lies over one.
RING = """
() => {
  const box = (each) => each.getBoundingClientRect();
  const plates = [...document.querySelectorAll(".plate")], banner = document.querySelector(".say");
  const over = ({ left, right, top, bottom }, other) =>
    left < other.right && right > other.left && top < other.bottom && bottom > other.top;
  const between = document.querySelectorAll(".matchup > *, .chosen > *, .chosen + p");
  return {
    seats: Object.fromEntries(plates.map((plate) => {
      const { x, y, width, height } = box(plate);
      return [plate.parentElement.dataset.seat, [x, y, width, height].map(Math.round).join(" ")];
    })),
    covered: [...between].filter((each) => each.checkVisibility())
      .filter((each) => [...plates, banner].some((other) => over(box(each), box(other))))
      .map((each) => each.className || each.id || each.textContent),
  };
}
"""


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_the_seats_stay_where_they_are_from_passing_to_the_tricks(open_phone: OpenPhone, players: int) -> None:
    table = DigitalTable(english(players, rounds=3)).play_on(in_phase(Phase.PASSING), passes_cards)
    player = Player(open_phone(), table, 0)
    sizes = [Size(320, 568), PHONE, Size(390, 844), Size(640, 360), Size(768, 1024), LAPTOP]

    def rings() -> dict[Size, dict[str, dict[str, str]]]:
        seen = {}
        for size in sizes:
            player.phone.turn_into(size, "light")
            seen[size] = player.page.evaluate(RING)
        return seen

    passing = rings()
    table.step()
    player.hears()
    chosen = rings()
    table.play_on(in_phase(Phase.TRICKS))
    player.hears()
    expect(player.page.locator("#trick")).to_be_visible()
    tricks = rings()

    for size in sizes:
        assert len(passing[size]["seats"]) == players - 1
        assert passing[size]["seats"] == tricks[size]["seats"], size
        assert passing[size]["covered"] == chosen[size]["covered"] == [], size
        assert passing[size]["seats"] == chosen[size]["seats"], size


# Players whose plates lie over another plate or over the place of another player's card.
COVERING = """
() => {
  const box = (each) => each.getBoundingClientRect();
  const over = ({ left, right, top, bottom }, other) =>
    left < other.right && right > other.left && top < other.bottom && bottom > other.top;
  return [...document.querySelectorAll(".plate")].filter((plate) =>
    [...document.querySelectorAll(".plate, .slot")].some((other) =>
      other.parentElement !== plate.parentElement && over(box(plate), box(other)))
  ).map((plate) => plate.parentElement.dataset.seat);
}
"""


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_no_plate_lies_over_the_place_of_another_players_card(open_phone: OpenPhone, players: int) -> None:
    table = DigitalTable(english(players)).play_on(in_phase(Phase.TRICKS))
    player = Player(open_phone(), table, 0)

    for size in (PHONE, Size(390, 844), Size(640, 360), Size(768, 1024), Size(900, 640), Size(1024, 768), LAPTOP):
        player.phone.turn_into(size, "light")
        assert player.page.evaluate(COVERING) == [], size


@pytest.mark.parametrize("size", [PHONE, Size(640, 360), Size(768, 1024), LAPTOP], ids=str)
def test_what_is_said_lies_over_the_whole_banner(open_phone: OpenPhone, size: Size) -> None:
    table = DigitalTable(english(4, rounds=3)).play_on(in_phase(Phase.TEAMS), passes_cards)
    player = Player(open_phone(size), table, (of(table) + 1) % 4)

    table.step()
    player.hears()

    said = player.page.locator(".toasts > .notice").bounding_box()
    banner = player.page.locator(".say").bounding_box()
    assert said is not None
    assert banner is not None
    for side, end in (("x", "width"), ("y", "height")):
        assert said[side] <= banner[side], side
        assert said[side] + said[end] >= banner[side] + banner[end], side


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


@pytest.mark.parametrize("size", [NARROW, PHONE, Size(640, 360), LAPTOP], ids=str)
def test_who_still_has_to_answer_the_own_question_can_be_read(open_phone: OpenPhone, size: Size) -> None:
    table = in_tricks()
    player = Player(open_phone(size), table, (of(table) + 3) % 4)

    asks_itself(player)

    lines = player.page.locator(".ask :is(p, small)").evaluate_all(
        """all => all.filter((each) => getComputedStyle(each).position !== "absolute").map((each) => {
          const text = document.createRange();
          text.selectNodeContents(each);
          const { top, bottom } = text.getBoundingClientRect(), box = each.closest(".ask").getBoundingClientRect();
          return [top - box.top, bottom - box.top, box.height];
        })"""
    )
    assert lines[0][0] >= 0
    assert all(before[1] <= after[0] + 1 for before, after in pairwise(lines))
    assert lines[-1][1] <= lines[-1][2]


@pytest.mark.parametrize("left_handed", [False, True], ids=["right", "left"])
def test_sideways_a_claim_shows_its_whole_hand(open_phone: OpenPhone, left_handed: bool) -> None:
    table = in_tricks()
    player = Player(open_phone(Size(640, 360)), table, of(table))
    player.page.evaluate("is => document.documentElement.classList.toggle('is-left-handed', is)", left_handed)

    MESSAGES["claim"][0](player)

    question, banner = (player.page.locator(part).bounding_box() for part in (".ask", ".say"))
    last = player.page.locator(".ask .face").last.bounding_box()
    assert question is not None
    assert banner is not None
    assert last is not None
    assert last["x"] + last["width"] <= question["x"] + question["width"]
    assert last["y"] + last["height"] <= question["y"] + question["height"] + 1
    assert question["x"] + question["width"] == banner["x"] + banner["width"], "it lies over the banner"


@pytest.mark.parametrize("size", [Size(320, 568), PHONE], ids=str)
def test_a_claim_at_the_beginning_shows_all_sixteen_cards(open_phone: OpenPhone, size: Size) -> None:
    table = DigitalTable(english(3)).play_on(in_phase(Phase.TRICKS))
    player = Player(open_phone(size), table, of(table))
    table.propose((player.seat + 1) % 3, "claim")
    player.hears()

    question = player.page.locator(".ask").bounding_box()
    cards = [each.bounding_box() for each in player.page.locator(".ask .face").all()]
    assert len(cards) == 16
    assert question is not None
    assert all(before["x"] + 12 <= after["x"] for before, after in pairwise(cards)), "each rank is in sight"
    assert cards[-1]["x"] + cards[-1]["width"] <= question["x"] + question["width"]
    assert cards[-1]["y"] + cards[-1]["height"] <= question["y"] + question["height"] + 1


@pytest.mark.parametrize("size", [Size(320, 568), PHONE, Size(640, 360)], ids=str)
def test_that_a_bot_plays_for_me_is_said_in_the_height_of_the_banner(open_phone: OpenPhone, size: Size) -> None:
    table = in_tricks()
    player = Player(open_phone(size), table, of(table))

    bot_plays(player)

    said, banner = (player.page.locator(part).bounding_box() for part in (".toasts > form", ".say"))
    assert said is not None
    assert banner is not None
    assert said["y"] >= banner["y"] - 8


@pytest.mark.parametrize("size", [NARROW, PHONE, Size(640, 360)], ids=str)
def test_the_longest_sentence_about_a_trick_fits_in_every_language(open_phone: OpenPhone, size: Size) -> None:
    table = in_tricks().play_on(lambda state: bool(state.current.tricks))
    player = Player(open_phone(size), table, 0)
    texts = []
    for language, _name in settings.LANGUAGES:
        with translation.override(language):
            texts += [
                trick_reason("Charlotte", why, card, 2, table.state.ruleset)
                for why in Reason
                for card in in_order("R0 K0 B0 Y0")
            ]

    cut = player.page.locator(".why").evaluate(
        """(line, texts) => texts.filter((text) => {
            line.textContent = text;
            line.classList.toggle("is-long", text.length > 60);
            const range = document.createRange();
            range.selectNodeContents(line);
            return range.getBoundingClientRect().height > line.clientHeight;
        })""",
        texts,
    )

    assert cut == []


@pytest.mark.parametrize("players", [4, 5])
def test_a_spectator_sees_every_plate_and_card(open_phone: OpenPhone, players: int) -> None:
    table = DigitalTable(english(players)).play_on(cards_on_table(players - 1))
    phone = open_phone(Size(320, 568))
    give(phone, table.viewer)
    phone.go_to(table.id, "")

    for size in (Size(320, 568), PHONE, Size(640, 360), LAPTOP):
        phone.turn_into(size, "light")
        assert phone.page.evaluate(OVERLAPS) == [], size
        if size.width > size.height:
            assert phone.page.locator(".at-w .slot").first.evaluate("slot => slot.offsetWidth") >= 56, size


# Plates over plates, and over cards of other players.
OVERLAPS = """
() => {
  const parts = [...document.querySelectorAll(".sitter > .plate, .sitter .face")].map((part) => {
    const { left, right, top, bottom } = part.getBoundingClientRect();
    return { seat: part.closest(".sitter").dataset.seat, isPlate: part.matches(".plate"), left, right, top, bottom };
  });
  return parts.filter((one) => one.isPlate).flatMap((one) => parts
    .filter((other) => other.seat !== one.seat && one.left < other.right && one.right > other.left &&
      one.top < other.bottom - 1 && one.bottom > other.top + 1)
    .map((other) => `the plate of ${one.seat} lies over ${other.isPlate ? "that" : "the card"} of ${other.seat}`));
}
"""

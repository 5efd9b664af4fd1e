"""A phone beside the board, described in sentences: what fingers do, and what eyes read.

Knows: where things stand on the pages.  Must not know: rules, scores, the database.  Works with script and without:
anyone who taps waits for what has to appear, never for how it came.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path

from playwright.sync_api import Locator, Page, Response

from games.rules import DEFAULT_PRESET, PRESETS
from tests.browser.expecting import expect
from tests.browser.sizes import Size
from tests.browser.watching import Watch

# How long something may take to appear, in milliseconds: machines that run tests are busy.
PATIENCE = 10_000

# Pictures that nothing is measured in: kept for people to look at, or not at all, as in .ci/run.
FOR_PEOPLE = os.environ.get("PICTURES", "all") == "all"


KEPT = """
async ([wanted, patience]) => {
  const answer = (request) => new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  const store = await answer(indexedDB.open("njet", 1));
  const count = () => answer(store.transaction("taps").objectStore("taps").count());
  const begun = performance.now();
  let kept = await count();
  for (; kept !== wanted && performance.now() - begun < patience; kept = await count())
    await new Promise((resolve) => setTimeout(resolve, 20));
  store.close();
  return kept;
}
"""


def waiting(count: int) -> re.Pattern[str]:
    """What a phone says of taps that wait on it: whole sentences, which differ with what else is said."""
    kept = "Your tap is safe" if count == 1 else f"Your {count} taps are safe"
    return re.compile(rf"{kept}|Not sent yet: {count}\.")


class Phone:
    """One device at the table."""

    has_script = True

    def __init__(self, page: Page, address: str, watch: Watch, *, has_touch: bool = True) -> None:
        self.page = page
        self.address = address
        self.watch = watch
        self.has_touch = has_touch
        self.names: list[str] = []
        self._trick: tuple[str, int] | None = None

    # --- getting about ---

    def open(self, path: str) -> Response | None:
        """Type an address."""
        return self.page.goto(path)

    def tap(self, words: str, *, exact: bool = True) -> None:
        """Tap a button or link by what it says."""
        target = self.page.get_by_role("button", name=words, exact=exact)
        self.touch(target.or_(self.page.get_by_role("link", name=words, exact=exact)).first)

    def touch(self, target: Locator, *, force: bool = False) -> None:
        """Tap a thing: with a finger, or a mouse where the driver of the engine has no finger."""
        if self.has_touch:
            target.tap(force=force)
        else:
            target.click(force=force)

    def tap_at(self, x: float, y: float) -> None:
        """Tap a place of the screen, with or without anything there."""
        if self.has_touch:
            self.page.touchscreen.tap(x, y)
        else:
            self.page.mouse.click(x, y)

    def wakes(self) -> None:
        """Where no script shortens it, the page takes taps after a second: a tap by force does not wait for that."""
        if not self.has_script:
            self.page.wait_for_timeout(1100)

    def write(self, field: Locator, text: str) -> None:
        """Write into a field, in the place of what it has: by Firefox's driver a text is typed after it."""
        field.fill("")
        field.fill(text)

    @property
    def path(self) -> str:
        """The address without the server."""
        return self.page.url.removeprefix(self.address)

    @property
    def game_id(self) -> str:
        """The table whose page is open."""
        return self.path.split("/")[2]

    def go_to(self, game_id: str, part: str) -> Response | None:
        """Open a page of a table: "sheet/", "menu/", "" for the table itself."""
        return self.open(f"/g/{game_id}/{part}")

    def go(self, part: str) -> Response | None:
        """Open another page of the same table."""
        return self.go_to(self.game_id, part)

    def sees(self, text: str) -> bool:
        """Whether the text stands on the page, or appears there shortly."""
        expect(self.page.get_by_text(text).first).to_be_visible()
        return True

    def turn_into(self, size: Size, scheme: str, *, text: int = 100) -> None:
        """Another screen, other light, other text size (in per cent), the same page."""
        self.page.wait_for_load_state()
        self.page.set_viewport_size({"width": size.width, "height": size.height})
        self.page.emulate_media(color_scheme=scheme)
        self.page.evaluate(f"document.documentElement.style.fontSize = '{text}%'")

    def show(self, file: Path, *, whole: bool = False, sharp: bool = False) -> None:
        """Keep a picture for people; with `PICTURES=faults` only what is wrong is kept."""
        if FOR_PEOPLE:
            self.photograph(file, whole=whole, sharp=sharp)

    def photograph(self, file: Path, *, whole: bool = False, sharp: bool = False) -> None:
        """Keep a picture of the screen, or of the `whole` page on a screen as long as the page."""
        file.parent.mkdir(parents=True, exist_ok=True)
        before = self.page.viewport_size
        if whole and before is not None:
            height: int = self.page.evaluate("document.documentElement.scrollHeight")
            self.page.set_viewport_size({"width": before["width"], "height": max(before["height"], height)})
        self.page.screenshot(path=file, scale="device" if sharp else "css")
        if whole and before is not None:
            self.page.set_viewport_size(before)

    def lose_line(self) -> None:
        """No answer from now on."""
        self.watch.forgive("net::ERR_INTERNET_DISCONNECTED", "htmx: htmx:error: Failed to fetch")
        self.page.context.set_offline(True)

    def has_pad(self) -> None:
        """A tap on nothing, and what the first visit does not need is there: the questions of a phone offline."""
        self.touch(self.page.locator("h1"))
        expect(self.page.locator("#questions")).to_be_attached()

    def find_line(self) -> None:
        """Answers again."""
        self.page.context.set_offline(False)

    def stays_behind(self) -> None:
        """From the next page on it can send, and hears of nothing that others do."""
        self.page.route("**/live/**", lambda route: route.fulfill(status=204))
        self.page.route("**/*since=*", lambda route: route.fulfill(status=204))

    def keeps(self, taps: int) -> bool:
        """Whether its store holds this number of taps, or will hold them: only then they outlive the page."""
        kept: int = self.page.evaluate(KEPT, [taps, PATIENCE])
        return kept == taps

    # --- by keyboard ---

    def tab_to(self, target: Locator) -> None:
        """Press Tab until the thing has the focus."""
        for _ in range(80):
            if target.evaluate("element => element === document.activeElement"):
                return
            self.page.keyboard.press("Tab")
        raise AssertionError(f"Tab does not reach {target}")

    @property
    def focused(self) -> str:
        """What has the focus, or gets it shortly: its name for ears, or its tag."""
        # The page itself is not meant: it has the focus when nothing else has.
        expect(self.page.locator(":focus")).to_have_count(1)
        name: str = self.page.evaluate(
            "document.activeElement.getAttribute('aria-label') || document.activeElement.innerText || "
            "document.activeElement.tagName"
        )
        return " ".join(name.split())

    # --- sitting down ---

    def new_table(self, preset: str, names: list[str], *, dealer: str | None = None, rounds: int | None = None) -> None:
        """From home to the set-up card of round 1."""
        self.open("/")
        self.tap("New table", exact=False)
        box = PRESETS[preset].edition
        first = next(each.key for each in PRESETS.values() if each.edition == box)
        if preset != DEFAULT_PRESET:
            self.touch(self.page.locator(".rules summary"))
        for choice, value in ((".is-boxes", first), (".presets:not(.is-boxes)", preset)):
            chosen = self.page.locator(f'{choice} [value="{value}"]')
            if chosen.count() and chosen.get_attribute("aria-pressed") != "true":
                self.touch(chosen)
                expect(chosen).to_have_attribute("aria-pressed", "true")
        # The first player deals: the others follow clockwise.
        first = 0 if dealer is None else names.index(dealer)
        names = [*names[first:], *names[:first]]
        for place, name in enumerate(names):
            self.page.locator(f'[name="name-{place}"]').fill(name)
        if rounds is not None:
            self.page.locator(".rules").evaluate("(rules) => { rules.open = true }")
            self.page.get_by_label("Rounds", exact=False).fill(str(rounds))
        self.tap("Start")
        self.at_table(names)

    def at_table(self, names: list[str]) -> None:
        """From now on these players are meant by their names."""
        expect(self.table).to_be_visible()
        self._all_there()
        self.names = list(names)

    # --- the table ---

    @property
    def table(self) -> Locator:
        """The part of the page that every tap renews."""
        return self.page.locator("#table")

    @property
    def version(self) -> int:
        """How many entries the table on the screen knows."""
        return int(self.table.get_attribute("data-version") or 0)

    @property
    def shows(self) -> str:
        """Which step the table is at: setup, board, teams, count, finished."""
        classes = self.table.get_attribute("class") or ""
        return next(word.removeprefix("is-") for word in classes.split() if word.startswith("is-"))

    @property
    def heading(self) -> str:
        """The head of the page in one line."""
        return " ".join(self.page.locator("h1").inner_text().split())

    @property
    def turn(self) -> str:
        """Whose turn the panel says it is."""
        return self.page.locator(".turn b").inner_text()

    @property
    def announced(self) -> str:
        """What a screen reader was shown last."""
        return self.page.locator('#table > [aria-live="polite"]').inner_text()

    @property
    def code(self) -> str:
        """The code of a refusal, waited for."""
        return self.page.locator("[data-code]").first.get_attribute("data-code") or ""

    @property
    def notices(self) -> list[str]:
        """The sentences above the page and at fields now, but for who is away: in a test no other phone is there."""
        return self.page.locator(".notice:not(.is-gone) p, p.notice, .field-error").all_inner_texts()

    @property
    def undo_says(self) -> str:
        """What the undo button names."""
        return " ".join(self.page.locator(".undo button").inner_text().split())

    @property
    def markers_left(self) -> dict[str, int]:
        """The markers of each player, in placing order."""
        shown = (text.split(":") for text in self.page.locator(".order li").all_text_contents())
        return {name.strip(): int(left) for name, left in shown}

    def _recorded(self, target: Locator) -> None:
        """A tap that is an entry: done once the table shows the next version."""
        before = self.version
        self.touch(target)
        expect(self.table).to_have_attribute("data-version", str(before + 1))
        self._all_there()

    def _all_there(self) -> None:
        """Without script an answer is a new page, whose head is there before its end."""
        self.page.wait_for_load_state("domcontentloaded")

    def undo(self) -> None:
        """Take the last entry back."""
        self._recorded(self.page.locator(".undo button"))
        # A second tap right after the first is taken for the same one.
        self.page.wait_for_timeout(500)

    # --- placing ---

    def begin_placing(self) -> None:
        """From the set-up card to the board; after an undo it is there already."""
        if not self.page.locator("form.board").is_visible():
            self.tap("start placing", exact=False)
        expect(self.page.locator("form.board")).to_be_visible()

    def space(self, row: str, space: str) -> Locator:
        """A space of the board; those of the start row go by the players' names."""
        known = str(self.names.index(space)) if row == "start" else space
        return self.page.locator(f'.space[value="{row}:{known}"]')

    def cover(self, row: str, space: str) -> None:
        """Put a marker on a space."""
        self._recorded(self.space(row, space))

    def tap_space(self, row: str, space: str) -> str:
        """Tap a space that will be refused; the code that says why."""
        # Forced: anyone who taps a covered space has not been shown that it is disabled.
        self.wakes()
        self.touch(self.space(row, space), force=True)
        return self.code

    def settled(self, row: str) -> str:
        """What the row says it has decided, nothing while it is open."""
        shown = self.page.locator(f".row-{row} .row-title em")
        return shown.inner_text() if shown.count() else ""

    def note_board(self, **open_spaces: str) -> None:
        """Quick entry: the space that stays open in each row."""
        before = self.version
        self.tap("Enter the board")
        expect(self.page.locator("form.quick")).to_be_visible()
        self._all_there()
        sends_itself = self.page.locator("form.quick[novalidate]").count() > 0
        for row, space in open_spaces.items():
            known = str(self.names.index(space)) if row == "start" else space
            self.touch(self.page.locator("label.is-choice", has=self.page.locator(f'[name="{row}"][value="{known}"]')))
        if not sends_itself:
            self.tap("Use this board")
        expect(self.table).to_have_attribute("data-version", str(before + 1))
        self._all_there()

    @property
    def conditions(self) -> list[str]:
        """The standing strip, read out."""
        return self.page.locator(".strip").first.locator(".sr").all_inner_texts()

    @property
    def needs(self) -> list[str]:
        """Before the last round: what each player needs."""
        return self.page.locator("main .card h3 + ul li").all_inner_texts()

    # --- teams ---

    def name_team(self, *partners: str, monster: str | None = None) -> None:
        """Name the start player's partners, no one for alone; and who holds the monster, where that is asked."""
        seats = "-".join(str(seat) for seat in sorted(map(self.names.index, partners))) or "alone"
        if monster is None:
            self._recorded(self.page.locator(f'button.choice[value^="{seats}:"]'))
            return
        asked = f"partners={seats}"
        self.touch(self.page.locator(f'a.choice[href$="{asked}"], a.choice[href*="{asked}&"]'))
        self._recorded(self.page.locator(f'button.choice[value="{seats}:{self.names.index(monster)}"]'))

    @property
    def sides(self) -> list[list[str]]:
        """The teams as shown while tricks are counted, the holder of the monster with a ×2."""
        sides = self.page.locator(".sides .side").all()
        return [[_player(text) for text in side.locator(".who").all_inner_texts()] for side in sides]

    # --- counting ---

    def count_trick_by_trick(self) -> None:
        """To the page that takes one trick after the other."""
        if self.page.locator("form.tally").count():
            self.tap("Tricks")
        expect(self.page.locator("form.tricks")).to_be_visible()

    def win_trick(self, name: str, captured: int = 0) -> None:
        """One tap for the winner of a trick, on their name or on the number of captured cards."""
        button = self.page.locator(f'button[name="trick"][value="{self.names.index(name)}:{captured}"]')
        # A second tap right after the first is taken for the same one.
        if self._trick == (name, captured):
            self.page.wait_for_timeout(300)
        self._recorded(button)
        self._trick = name, captured

    @property
    def progress(self) -> str:
        """How far the count is: “9 of 14 tricks 2 zeros captured”."""
        return " ".join(self.page.locator(".progress").inner_text().split())

    def count_whole_round(self) -> None:
        """To the form that takes a round at once."""
        if not self.page.locator("form.tally").count():
            self.tap("Whole round")
        expect(self.page.locator("form.tally")).to_be_visible()

    def enter_tally(self, figures: Mapping[str, tuple[int, int]], *, typing: bool = False) -> None:
        """Fill the form of a round in: with its own keys and steppers where there are any, else (or `typing`) typed."""
        self.count_whole_round()
        typing = typing or not self.page.locator(".keys").is_visible()
        for name, (tricks, captured) in figures.items():
            if typing:
                self.figure("tricks", name).fill(str(tricks))
                self.figure("captured", name).fill(str(captured))
            else:
                self.touch(self.figure("tricks", name))
                self.touch(self.key(tricks))
                self._step_to(self.figure("captured", name), captured)

    def key(self, number: int) -> Locator:
        """The key of a number, below the form of a round."""
        return self.page.locator(f'.key[value="{number}"]')

    @property
    def count_says(self) -> str:
        """What the button that counts a round says of its figures: “Tricks: 3 missing”."""
        return self.page.locator("button[data-fits] small").inner_text()

    def figure(self, kind: str, name: str) -> Locator:
        """The field for a player's `tricks` or `captured`, in the form of a round or in its correction."""
        return self.page.locator(f'[name$="{kind}-{self.names.index(name)}"]')

    def _step_to(self, field: Locator, wanted: int) -> None:
        present = int(field.input_value() or 0)
        button = field.locator("xpath=..").locator(f'.step[data-step="{1 if wanted > present else -1}"]')
        for _ in range(abs(wanted - present)):
            self.touch(button)
        expect(field).to_have_value(str(wanted) if wanted else re.compile("^0?$"))

    def tally(self, figures: Mapping[str, tuple[int, int]], *, typing: bool = False) -> None:
        """Count a round at once: tricks and captures of each player."""
        self.enter_tally(figures, typing=typing)
        self._recorded(self.page.get_by_role("button", name="Count the round"))

    # --- results ---

    @property
    def formulas(self) -> list[str]:
        """The result of the last round as the rulebook spells it, the start player's team first."""
        return [" ".join(text.split()) for text in self.page.locator(".result .team .formula").all_inner_texts()]

    @property
    def standings(self) -> dict[str, str]:
        """The totals, the leader first."""
        lines = self.page.locator(".standings li")
        names = [_player(text) for text in lines.locator(".who").all_inner_texts()]
        return dict(zip(names, lines.locator("b").all_inner_texts(), strict=True))

    @property
    def changes(self) -> dict[str, str]:
        """What a correction would do to the sheet, as previewed: totals, and places where they change."""
        lines = self.page.locator(".is-change li")
        names = [_player(text) for text in lines.locator(".who").all_inner_texts()]
        changes = lines.locator(":scope > :last-child").all_inner_texts()
        return dict(zip(names, (", ".join(each.split("\n")) for each in changes), strict=True))

    @property
    def victory(self) -> str:
        """The sentence at the end of a game."""
        return self.page.locator(".victory h2").inner_text()


def _player(text: str) -> str:
    """A player as written beside their token: the sign on the token, the name, perhaps the monster."""
    _sign, name, *more = text.split("\n")
    return name + ("×2" if any(word.startswith("×2") for word in more) else "")

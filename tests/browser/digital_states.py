"""Every state of the digital table and of what belongs to it, each a function that brings a phone there.

Knows: which states there are and the shortest way to each.  Must not know: what is measured there.
"""

from __future__ import annotations

from collections.abc import Callable

from games.pages.lesson.script import LESSONS
from games.rules import Phase
from tests.browser.digital import Player
from tests.browser.phone import Phone
from tests.browser.prepared import give, lay
from tests.browser.states import ROUND, Opening, by_marker, finished
from tests.builders import dutch, english
from tests.cast.digital import DigitalTable, cards_on_table, in_phase, leaving, over, rounds_finished

SITUATIONS: dict[str, Callable[[], DigitalTable]] = {
    "board": lambda: DigitalTable(english(3)),
    "teams": lambda: DigitalTable(english(5)).play_on(in_phase(Phase.TEAMS)),
    "choose": lambda: DigitalTable(english(3)).play_on(in_phase(Phase.DISCARDING), leaving("discard:discard_2")),
    "tricks": lambda: DigitalTable(english(3)).play_on(in_phase(Phase.TRICKS)),
    "five": lambda: DigitalTable(english(5)).play_on(cards_on_table(3)),
    "result": lambda: DigitalTable(english(3)).play_on(rounds_finished(1)),
    "finished": lambda: DigitalTable(dutch(3, rounds=1)).play_on(over),
}
DIGITAL_STATES: dict[str, Opening] = {}


def _situation(name: str) -> Opening:
    def opening(phone: Phone) -> None:
        table = SITUATIONS[name]()
        Player(phone, table, (table.state.acting_seats or (0,))[0])

    return opening


def _lesson(edition: str, step: int) -> Opening:
    return lambda phone: phone.open(f"/learn/{edition}/{step}/")


for name in SITUATIONS:
    DIGITAL_STATES[f"digital-{name}"] = _situation(name)
for number in range(1, len(LESSONS["njet60"].steps) + 1):
    DIGITAL_STATES[f"lesson-{number}"] = _lesson("njet60", number)


def digital(opening: Opening) -> Opening:
    """A state by the name of its function."""
    DIGITAL_STATES[opening.__name__.replace("_", "-")] = opening
    return opening


@digital
def digital_team_chosen(phone: Phone) -> None:
    _situation("teams")(phone)
    phone.touch(phone.page.locator(".candidate label").first)


@digital
def digital_waiting(phone: Phone) -> None:
    table = SITUATIONS["board"]()
    Player(phone, table, 1)


@digital
def digital_settings(phone: Phone) -> None:
    _situation("tricks")(phone)
    phone.tap("How this phone plays")


@digital
def digital_seats(phone: Phone) -> None:
    table = DigitalTable(dutch(3))
    give(phone, table.host)
    phone.go_to(table.id, "seats/")


@digital
def digital_menu(phone: Phone) -> None:
    table = SITUATIONS["tricks"]()
    give(phone, table.keys[0])
    phone.go_to(table.id, "menu/")


def _replay(phone: Phone, table: DigitalTable, step: int) -> None:
    give(phone, table.viewer)
    phone.go_to(table.id, f"replay/{step}/")


@digital
def replay_cards(phone: Phone) -> None:
    table = DigitalTable(dutch(3, rounds=1)).play_on(over)
    _replay(phone, table, table.ledger.version - 6)


@digital
def replay_digital_board(phone: Phone) -> None:
    _replay(phone, DigitalTable(dutch(3, rounds=1)).play_on(over), 6)


@digital
def replay_board(phone: Phone) -> None:
    lay(phone, english(5), *by_marker(english(5))[:12], path="replay/8/")


@digital
def screen_board(phone: Phone) -> None:
    lay(phone, english(5), *by_marker(english(5))[:12], path="board/")


@digital
def screen_result(phone: Phone) -> None:
    lay(phone, english(5), *ROUND, path="board/")


@digital
def screen_end(phone: Phone) -> None:
    finished(phone, "board/")

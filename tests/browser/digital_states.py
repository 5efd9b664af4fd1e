"""Every state of the digital table and of what belongs to it, each a function that brings a phone there.

Knows: which states there are and the shortest way to each.  Must not know: what is measured there.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from games.keys import invitations, registry
from games.models import Role
from games.pages.lesson.script import LESSONS
from games.rules import Phase, Setup
from tests.browser.digital import Player
from tests.browser.group_states import unfold
from tests.browser.phone import Phone
from tests.browser.prepared import give, lay
from tests.browser.states import LONG, ROUND, TEAMS, Opening, by_marker, finished, long_named
from tests.builders import dutch, english, iello, placing, play
from tests.cast.digital import DigitalTable, cards_on_table, in_phase, leaving, over, rounds_finished

SITUATIONS: dict[str, Callable[[], DigitalTable]] = {
    "board": lambda: DigitalTable(english(3)),
    "teams": lambda: DigitalTable(english(5)).play_on(in_phase(Phase.TEAMS)),
    "choose": lambda: DigitalTable(english(3)).play_on(in_phase(Phase.DISCARDING), leaving("discard:discard_2")),
    "tricks": lambda: DigitalTable(english(3)).play_on(in_phase(Phase.TRICKS)),
    "five": lambda: DigitalTable(english(5)).play_on(cards_on_table(3)),
    "sixteen-of-the-newest-box": lambda: DigitalTable(iello(3)).play_on(
        in_phase(Phase.PASSING), leaving("discard:pass_2_left")
    ),
    "trick-of-the-newest-box": lambda: DigitalTable(iello(3)).play_on(cards_on_table(2), leaving("discard:njet")),
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
def digital_all_hands(phone: Phone) -> None:
    setup = replace(english(5), digital=True, open_hands=True)
    Player(phone, DigitalTable(setup).play_on(rounds_finished(1), leaving("discard:discard_2")), 1)
    unfold(phone)


@digital
def digital_waiting(phone: Phone) -> None:
    table = SITUATIONS["board"]()
    Player(phone, table, 1)


@digital
def digital_settings(phone: Phone) -> None:
    _situation("tricks")(phone)
    phone.tap("How this phone plays")


@digital
def digital_large_cards(phone: Phone) -> None:
    """As the settings for large cards and for the left hand have it."""
    _situation("tricks")(phone)
    phone.tap("How this phone plays")
    for name in ("large", "left", "falling"):
        phone.page.locator(f"#settings [name={name}]").set_checked(True)
    phone.touch(phone.page.locator("#settings").get_by_role("button", name="Close"))


@digital
def digital_claim(phone: Phone) -> None:
    """Another player asks to be given the rest of the tricks."""
    table = SITUATIONS["tricks"]()
    seat = table.state.acting_seats[0]
    table.propose((seat + 1) % 3, "claim")
    Player(phone, table, seat)


@digital
def digital_unseen(phone: Phone) -> None:
    """Seats have changed while the phone was away."""
    table = SITUATIONS["tricks"]()
    player = Player(phone, table, table.state.acting_seats[0])
    table.move((player.seat + 1) % 3)
    table.free((player.seat + 2) % 3)
    player.hears()
    phone.page.locator("#unseen").wait_for()


@digital
def digital_cover(phone: Phone) -> None:
    """A phone that goes round."""
    table = DigitalTable(english(5).corrected(names=LONG))
    give(phone, *table.keys.values())
    phone.go_to(table.id, "")


@digital
def digital_watched(phone: Phone) -> None:
    table = SITUATIONS["five"]()
    give(phone, table.viewer)
    phone.go_to(table.id, "")


@digital
def digital_compared(phone: Phone) -> None:
    """The same deals, played again."""
    earlier = DigitalTable(english(3, rounds=2)).play_on(over)
    again = earlier.same_deals().play_on(over, lambda view: view.legal[-1])
    give(phone, again.host, again.keys[1], earlier.keys[1])
    phone.go_to(again.id, "")
    phone.page.locator("#compared").wait_for()


def _opened(name: str, path: str, situation: str, *, as_host: bool = False) -> None:
    """A page of a digital table, with everything that is folded on it."""

    def opening(phone: Phone) -> None:
        table = SITUATIONS[situation]()
        give(phone, table.keys[0], *([table.host] if as_host else []))
        phone.go_to(table.id, path)
        unfold(phone)

    DIGITAL_STATES[name] = opening


_opened("digital-seats", "phones/", "board", as_host=True)
_opened("digital-menu", "menu/", "tricks")
_opened("digital-menu-finished", "menu/", "finished", as_host=True)
_opened("digital-history", "history/", "finished")
_opened("digital-shuffle", "shuffle/", "tricks")
_opened("digital-shuffle-finished", "shuffle/", "finished")
_opened("replay-dealt", "replay/1/", "finished")
_opened("replay-last", "replay/9999/", "finished")


@digital
def digital_welcome(phone: Phone) -> None:
    """Invited to a seat."""
    table = DigitalTable(english(5), bots={3: "strong"})
    invitation = invitations.invite(game=table.game, role=Role.SEAT, seat=1)
    phone.open(f"/join/{invitation.token}/")


@digital
def digital_seat_taken(phone: Phone) -> None:
    """The seat of this phone was taken on another one."""
    table = DigitalTable(dutch(3))
    give(phone, table.keys[1])
    registry.supersede(table.game, 1)
    phone.watch.forgive("status of 403")
    phone.go_to(table.id, "")


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


# A round in quick entry, one marker by marker and trick by trick, an early end: steps 1 to 3, 4 to 36, 37.
MARKERS = placing(play(english(5), *ROUND), "3 njet black blue -2")
TWO_ROUNDS = [*ROUND, *MARKERS, TEAMS, *["trick 0+1", "trick 3", "trick 1", "trick 4"] * 3, "finish"]


def _step(name: str, setup: Setup, step: int) -> None:
    DIGITAL_STATES[name] = lambda phone: lay(phone, setup, *TWO_ROUNDS, path=f"replay/{step}/")


for name, step in {"start": 0, "result": 3, "marker": 14, "trick": 26, "end": 37}.items():
    _step(f"replay-{name}", english(5), step)
_step("long-replay", long_named(), 14)


@digital
def screen_board(phone: Phone) -> None:
    lay(phone, english(5), *by_marker(english(5))[:12], path="board/")


@digital
def screen_result(phone: Phone) -> None:
    lay(phone, english(5), *ROUND, path="board/")


@digital
def screen_end(phone: Phone) -> None:
    finished(phone, "board/")

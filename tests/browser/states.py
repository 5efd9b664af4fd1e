"""Every state of every page, each a function that brings a phone there.  The games are laid by the services.

Knows: which states there are and the shortest way to each.  Must not know: what is measured there.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from games.keys import invitations, limits
from games.models import Role
from games.rules import Action, Setup
from games.services import deletion, tables
from tests.browser.phone import Phone, waiting
from tests.browser.prepared import lay, markers, sit, viewer_of
from tests.builders import dutch, english, french, iello, italian, placing, wikipedia
from tests.cast.tables import Table, instead

Opening = Callable[[Phone], object]
STATES: dict[str, Opening] = {}


def state(opening: Opening) -> Opening:
    """A state by the name of its function."""
    STATES[opening.__name__.replace("_", "-")] = opening
    return opening


SETTLED = "open 0 njet black blue 2"
TEAMS = "team 1 2 monster 4"
COUNTED = "tally 3+1 2+1 2+1 3 2+1"
ROUND = (SETTLED, TEAMS, COUNTED)
FINED = "penalty 1 -5 revoke in the third trick"
ROUND_OF_THREE = ("open 0 njet black blue 2", "team alone monster 0", "tally 6 5 5")
TRICKS = ("trick 0+1", "trick 3", "trick 1", "trick 4", "trick 0")


def ten_rounds() -> list[str]:
    """Ten rounds with five players in which everything occurs: −2, passes, no trump, the monster everywhere."""
    return [
        *("open 0 njet black blue 2", "team 1 2 monster 4", "tally 3+1 2+1 2+1 3 2+1"),
        *("open 1 pass_2_right njet red -2", "team 3 monster 1", "tally 4+1 2+1 3 1 2+1"),
        *("open 2 discard_1 yellow njet 4", "team 0 4 monster 1", "tally 3 3+2 2+1 2 1"),
        *("open 3 discard_2 red black 3", "team 4 monster 4", "tally 2+1 1 2 2 3+1"),
        *("open 4 discard_2_no_zero blue blue 1", "team 0 1 monster 2", "tally 1 2+2 1 3+1 3"),
        *("open 1 njet njet njet -2", "team 2 monster 1", "tally 4+1 0 1 4 3"),
        *("open 0 pass_2_right black red 2", "team 3 4 monster 1", "tally 2+1 4+1 3+2 2 1"),
        *("open 4 discard_1 yellow blue 4", "team 0 monster 0", "tally 3+2 2 1 3+1 2+1"),
        *("open 2 discard_2 njet yellow 3", "team 4 monster 2", "tally 2+1 2 3+1 1 2"),
        *("open 3 njet red red 3", "team 2 monster 3", "tally 2 1 3+1 4+1 2+1"),
    ]


def by_marker(setup: Setup) -> list[str | Action]:
    """The same rounds, placed marker by marker in any order; the board of the third was entered in one go."""
    random, lines = Random(7), list[str | Action]()
    for line in ten_rounds():
        _, is_board, spaces = line.partition("open ")
        placed = placing(setup, spaces) if is_board and not spaces.startswith("2 discard_1") else [line]
        random.shuffle(placed)
        lines += placed
    return lines


def finished(phone: Phone, path: str | None = "", **options: object) -> Table:
    """A finished game of one round."""
    return lay(phone, english(5, rounds=1, **options), *ROUND, path=path)


# --- coming in ---


STATES["home"] = lambda phone: phone.open("/")


@state
def home_with_tables(phone: Phone) -> None:
    lay(phone, english(5), *ROUND, path=None)
    lay(phone, dutch(3), path=None)
    finished(phone, path=None)
    phone.open("/")


STATES["appearance"] = lambda phone: phone.open("/appearance/?next=/new/")
STATES["new-table"] = lambda phone: phone.open("/new/")


@state
def new_digital_table(phone: Phone) -> None:
    phone.open("/new/")
    phone.touch(phone.page.get_by_label("Cards on the phones"))
    phone.sees("Start and invite Player 2")


STATES["against-bots"] = lambda phone: phone.open("/new/?bots")


@state
def new_table_with_known_names(phone: Phone) -> None:
    lay(phone, english(5), path="menu/")
    phone.open("/new/")
    for name in ("Cleo", "Dan"):
        phone.tap(f"+ {name}")
        phone.page.get_by_role("button", name=f"+ {name}").wait_for(state="detached")


@state
def new_table_house_rules(phone: Phone) -> None:
    phone.open("/new/")
    phone.touch(phone.page.locator(".rules summary"))
    phone.tap("1 to 9, 1997", exact=False)
    phone.tap("Goldsieber 1997, Dutch", exact=False)
    phone.sees("House rules")


@state
def new_table_refused(phone: Phone) -> None:
    phone.open("/new/")
    for place, name in enumerate(["Ana", "Ben", "Ana"]):
        phone.page.locator(f'[name="name-{place}"]').fill(name)
    phone.tap("Start")
    phone.sees("Somebody is called “Ana” already")


def old_game(phone: Phone, **changed: str) -> None:
    """Fill in a game from paper and send it."""
    phone.open("/new/paper/")
    places = enumerate([("Ana", "10 0 12"), ("Ben", "0 7 3"), ("Cleo", "-4 5 3")])
    typed = {
        f"{name}-{place}": each for place, pair in places for name, each in zip(("name", "points"), pair, strict=True)
    }
    for name, text in {**typed, "minutes": "95", "place": "Garden", "note": "with cake", **changed}.items():
        phone.write(phone.page.locator(f'[name="{name}"]'), text)
    phone.tap("Save")


STATES["old-game"] = lambda phone: phone.open("/new/paper/")


@state
def old_game_refused(phone: Phone) -> None:
    old_game(phone, **{"points-1": "0 7", "day": "2099-01-01"})
    phone.sees("Line 3 needs a number")


@state
def old_game_entered(phone: Phone) -> None:
    old_game(phone)
    phone.sees("Correct the points")


@state
def old_game_on_its_sheet(phone: Phone) -> None:
    old_game_entered(phone)
    phone.go("sheet/")


@state
def old_game_corrected(phone: Phone) -> None:
    old_game_entered(phone)
    phone.go("paper/")


@state
def day_and_place(phone: Phone) -> None:
    finished(phone, path="occasion/")


@state
def new_table_too_many(phone: Phone) -> None:
    phone.open("/new/")
    for place, name in enumerate(["Ana", "Ben", "Cleo", "Dan", "Eve"]):
        phone.page.locator(f'[name="name-{place}"]').fill(name)
    phone.touch(phone.page.locator(".rules summary"))
    phone.tap("1 to 9, 1997", exact=False)
    phone.tap("Goldsieber 1997, Dutch", exact=False)
    phone.sees("5 names are typed")


@state
def new_table_of_the_newest_box(phone: Phone) -> None:
    phone.open("/new/")
    phone.touch(phone.page.locator(".rules summary"))
    phone.tap("1 to 13", exact=False)
    phone.sees("End at points")


STATES["join"] = lambda phone: phone.open("/join/")


@state
def join_refused(phone: Phone) -> None:
    phone.open("/join/")
    phone.page.locator('[name="code"]').fill("ABCD-1234")
    phone.tap("Next")
    phone.page.locator(".field-error").wait_for()


@state
def welcome_scorekeeper(phone: Phone) -> None:
    table = Table(english(5))
    phone.open(f"/join/{invitations.invite(game=table.game, role=Role.SCOREKEEPER).token}/")


@state
def welcome_viewer(phone: Phone) -> None:
    table = Table(dutch(3))
    phone.open(f"/join/{invitations.invite(game=table.game, role=Role.VIEWER).token}/")


# --- a round: setting up ---


STATES["setup-card"] = lambda phone: lay(phone, english(5))
STATES["setup-card-with-a-dealer-hint"] = lambda phone: lay(phone, dutch(3, rounds=4))
STATES["setup-card-two-players"] = lambda phone: lay(phone, english(2))
STATES["result"] = lambda phone: lay(phone, english(5), *ROUND)
STATES["result-by-difference"] = lambda phone: lay(phone, english(5, score_record="difference"), *ROUND)
STATES["result-below-zero"] = lambda phone: lay(phone, english(5), *ten_rounds()[:6])
STATES["last-round"] = lambda phone: lay(phone, english(5), *ten_rounds()[:27])


# --- a round: the board ---


STATES["board-empty"] = lambda phone: lay(phone, english(5), path="?board")


@state
def board_half_covered(phone: Phone) -> None:
    lay(phone, english(5), *markers(english(5), "3 njet black blue -2", number=10))


@state
def board_all_but_one_covered(phone: Phone) -> None:
    lay(phone, english(5), *markers(english(5), "3 njet black blue -2", number=19))


@state
def board_wide_covered(phone: Phone) -> None:
    lay(phone, english(5), *markers(english(5), "0 discard_1 red red 1", number=19))


@state
def board_refused(phone: Phone) -> None:
    lay(phone, english(5), *markers(english(5), "3 njet black blue -2", number=10))
    phone.tap_space("discard", "njet")


@state
def board_watched(phone: Phone) -> None:
    table = Table(english(5), *markers(english(5), "3 njet black blue -2", number=10))
    sit(phone, table, viewer_of(table))
    phone.open(f"/g/{table.id}/")


@state
def board_without_start_row(phone: Phone) -> None:
    lay(phone, wikipedia(4, start_row=False), "trump red", "points 4", "points 3")


@state
def board_three_players(phone: Phone) -> None:
    lay(phone, english(3), *markers(english(3), "1 njet black blue -2", number=9))


STATES["board-goldsieber"] = lambda phone: lay(phone, dutch(3), *markers(dutch(3), "0 njet green black 4", number=8))


@state
def board_overtaken(phone: Phone) -> None:
    """Another phone was faster: the tap can be repeated."""
    phone.stays_behind()
    table = lay(phone, english(5), path="?board")
    table.record("trump red")
    phone.tap_space("points", "4")


@state
def board_of_the_newest_box(phone: Phone) -> None:
    table = lay(phone, iello(5, target=100), *markers(iello(5), "0 pass_2_left green blue 3", number=9), path=None)
    tables.hide_markers(game=table.game, hidden=True)
    phone.open(f"/g/{table.id}/")


STATES["rules-of-the-newest-box"] = lambda phone: lay(phone, iello(3), path="rules/")
STATES["sheet-up-to-100-points"] = lambda phone: lay(
    phone, iello(5, target=100), "open 0 njet green blue 2", TEAMS, COUNTED, path="sheet/"
)


# --- a round: teams ---


STATES["teams-three"] = lambda phone: lay(phone, english(3), "open 0 njet black blue 2")
STATES["teams-four"] = lambda phone: lay(phone, french(4), "open 0 njet black blue 2")
STATES["teams-five"] = lambda phone: lay(phone, english(5), "open 2 discard_2_no_zero njet njet -2")
STATES["teams-five-after-discarding"] = lambda phone: lay(phone, wikipedia(5), "open 2 pass_2_right njet njet -2")


@state
def teams_with_a_free_start_player(phone: Phone) -> None:
    lay(phone, wikipedia(4, start_row=False), "open njet black blue 2", path="?start=2")
    phone.touch(phone.page.locator("main summary"))


STATES["monster"] = lambda phone: lay(phone, english(5), SETTLED, path="?partners=1-2")


# --- a round: counting ---


STATES["tricks-begin"] = lambda phone: lay(phone, english(5), "open 0 discard_2 black blue 2", TEAMS)
STATES["tricks"] = lambda phone: lay(phone, english(5), SETTLED, TEAMS, *TRICKS)


@state
def tricks_four_players(phone: Phone) -> None:
    lay(phone, english(4), SETTLED, "team 1", "trick 0+1", "trick 3", "trick 1")


@state
def tricks_everybodys_ones(phone: Phone) -> None:
    lay(phone, french(3), "open 0 discard_1 black blue 2", "team alone monster 0", "trick 0+2", "trick 1+1")


@state
def tricks_watched(phone: Phone) -> None:
    table = Table(english(5), SETTLED, TEAMS, *TRICKS)
    sit(phone, table, viewer_of(table))
    phone.open(f"/g/{table.id}/")


@state
def tally_watched(phone: Phone) -> None:
    table = Table(english(5), SETTLED, TEAMS)
    sit(phone, table, viewer_of(table))
    phone.open(f"/g/{table.id}/?count=tally")


STATES["tally"] = lambda phone: lay(phone, english(5), "open 0 discard_1 black blue 2", TEAMS, path="?count=tally")


@state
def tally_filled(phone: Phone) -> None:
    lay(phone, english(5), SETTLED, TEAMS, path="?count=tally")
    phone.enter_tally({"Ana": (3, 1), "Eve": (2, 0)})


@state
def tally_refused(phone: Phone) -> None:
    lay(phone, english(5), SETTLED, TEAMS, path="?count=tally")
    phone.enter_tally({"Ana": (11, 1), "Ben": (0, 1), "Cleo": (1, 0), "Dan": (0, 0)})
    # The button already says it, and waits; an older page knew nothing of it.
    phone.page.evaluate("document.querySelectorAll('[data-per-trick]').forEach((each) => delete each.dataset.perTrick)")
    phone.touch(phone.figure("captured", "Ana"))
    phone.touch(phone.key(1))
    phone.tap("Count the round")
    phone.sees("Ben has captured cards but no trick.")


# --- the end ---


STATES["finished-with-a-winner"] = lambda phone: lay(phone, english(5), *ten_rounds())
STATES["finished-shared"] = lambda phone: finished(phone)
STATES["finished-early"] = lambda phone: lay(phone, english(5), *ROUND, "finish")


@state
def finished_and_locked(phone: Phone) -> None:
    table = finished(phone, path=None)
    table.lock()
    phone.open(f"/g/{table.id}/")


@state
def finished_watched(phone: Phone) -> None:
    table = Table(english(5, rounds=1), *ROUND)
    sit(phone, table, viewer_of(table))
    phone.open(f"/g/{table.id}/")


# --- the sheet and what was entered ---


STATES["sheet-empty"] = lambda phone: lay(phone, english(5), path="sheet/")
STATES["sheet-ten-rounds"] = lambda phone: lay(phone, english(5), *ten_rounds(), path="sheet/")


@state
def sheet_half_way(phone: Phone) -> None:
    lay(phone, dutch(3), "open 0 njet blue black 2", "team alone monster 0", "tally 5+1 4+1 3+1", path="sheet/")


@state
def sheet_with_a_penalty(phone: Phone) -> None:
    lines = [*ten_rounds()[:6], FINED, SETTLED]
    lay(phone, english(5, score_record="difference"), *lines, path="sheet/")
    phone.touch(phone.page.locator("main summary").first)


STATES["placements"] = lambda phone: lay(phone, english(5), *by_marker(english(5)), path="placements/")
STATES["placements-entered-in-one-go"] = lambda phone: lay(phone, english(5), *ten_rounds(), path="placements/")


@state
def history(phone: Phone) -> None:
    table = lay(phone, english(5), *markers(english(5), "3 njet black blue -2", number=5), path=None)
    table.undo()
    table.amend(instead(2, "points 4"))
    phone.open(f"/g/{table.id}/history/")


@state
def history_of_ten_rounds(phone: Phone) -> None:
    table = lay(phone, english(5), *ten_rounds(), path=None)
    table.lock()
    phone.open(f"/g/{table.id}/history/")


@state
def undo_of_several(phone: Phone) -> None:
    lay(phone, english(5), *markers(english(5), "3 njet black blue -2", number=5), path="undo/3/")


@state
def undo_of_somebody_else(phone: Phone) -> None:
    table = Table(english(5), "trump red")
    sit(phone, table, table.other_key())
    phone.open(f"/g/{table.id}/")
    phone.touch(phone.page.locator(".undo button"))
    phone.page.locator(".notice").wait_for()


@state
def correct_a_board(phone: Phone) -> None:
    lay(phone, english(5), *markers(english(5), "3 njet black blue -2", number=6), path="correct/1/")
    phone.touch(phone.page.locator("main summary").first)


STATES["correct-a-tally"] = lambda phone: lay(phone, english(5), *ROUND, SETTLED, path="correct/1/")


@state
def correct_tricks(phone: Phone) -> None:
    lay(phone, english(5), SETTLED, TEAMS, *TRICKS, path="correct/1/entries/")
    phone.touch(phone.page.locator(".edit > summary").nth(2))


@state
def correct_refused(phone: Phone) -> None:
    lay(phone, english(5), *ROUND, path="correct/1/")
    phone.write(phone.page.locator('[name$="tricks-0"]'), "9")
    # The button waits for other figures: without script nothing does.
    phone.page.locator("form.correct").evaluate("(form) => form.submit()")
    phone.page.locator(".field-error").wait_for()


@state
def correct_other_start(phone: Phone) -> None:
    lay(phone, english(5), *ROUND, path="correct/1/")
    phone.touch(phone.page.locator(".of-board summary"))
    phone.touch(phone.page.locator('[name="start"][value="3"]').locator(".."))
    phone.tap("Preview")
    phone.page.locator(".field-error").wait_for()


@state
def correct_a_free_start(phone: Phone) -> None:
    lay(phone, english(4, start_row=False), "open njet red blue 2", "team 2 start 1", path="correct/1/")


@state
def preview(phone: Phone) -> None:
    lay(phone, english(5), *ROUND, path="correct/1/")
    phone.write(phone.page.locator('[name$="tricks-0"]'), "2")
    phone.write(phone.page.locator('[name$="tricks-4"]'), "3")
    phone.tap("Preview")
    phone.sees("On the sheet")


# --- the table as a whole ---


STATES["menu"] = lambda phone: lay(phone, english(5), *ROUND, path="menu/")
STATES["menu-finished"] = lambda phone: finished(phone, "menu/")


@state
def menu_watched(phone: Phone) -> None:
    table = Table(english(5))
    sit(phone, table, viewer_of(table))
    phone.open(f"/g/{table.id}/menu/")


@state
def phones(phone: Phone) -> None:
    table = lay(phone, english(5), path=None)
    table.other_key()
    viewer_of(table)
    phone.open(f"/g/{table.id}/phones/")


@state
def phones_with_an_invitation(phone: Phone) -> None:
    lay(phone, english(5), path="phones/")
    phone.tap("Show the QR code", exact=False)
    phone.page.locator(".qr").wait_for()


@state
def phones_with_a_long_code(phone: Phone) -> None:
    for number in range(limits.MANY_WRONG_CODES.most):
        limits.count(f"192.0.2.{number}", *limits.WRONG_CODES)
    lay(phone, english(5), path="phones/")
    phone.touch(phone.page.get_by_text("Other kinds of invitation"))
    phone.touch(phone.page.get_by_label("for one use"))
    phone.tap("Invite a viewer")
    phone.page.locator(".qr").wait_for()


STATES["correct-setup"] = lambda phone: lay(phone, english(5), path="setup/")


@state
def correct_setup_refused(phone: Phone) -> None:
    lay(phone, english(5), path="setup/")
    phone.write(phone.page.locator('[name="name-1"]'), "Ana")
    phone.tap("Save")
    phone.page.locator(".field-error").wait_for()


@state
def quick(phone: Phone) -> None:
    lay(phone, english(4), *markers(english(4), "3 njet black blue -2", number=5), path="quick/")
    phone.touch(phone.page.locator("label.is-choice").last)


STATES["penalty"] = lambda phone: lay(phone, english(5), path="penalty/")
STATES["penalty-of-a-team"] = lambda phone: lay(phone, english(5), *ROUND, path="penalty/")
STATES["penalty-corrected"] = lambda phone: lay(phone, english(5), *ROUND, FINED, path="correct/2/entries/?only=4.0")
STATES["result-with-a-penalty"] = lambda phone: lay(phone, english(5), *ROUND, FINED)


@state
def penalty_in_a_finished_game(phone: Phone) -> None:
    finished(phone, "penalty/")
    phone.touch(phone.page.locator(".pick").first)
    phone.page.locator('[name="reason"]').fill("revoke")
    phone.touch(phone.page.locator(".button.is-main"))
    phone.sees("On the sheet")


def in_bin(phone: Phone, path: str) -> None:
    table = lay(phone, english(5), *ROUND, path=None)
    deletion.delete_game(game_id=table.id, actor=table.key)
    phone.open(path.format(table.id))


STATES["home-with-a-deleted-game"] = lambda phone: in_bin(phone, "/")
STATES["bin"] = lambda phone: in_bin(phone, "/bin/g/{}/")
STATES["void"] = lambda phone: lay(phone, english(5), SETTLED, path="void/")
STATES["finish"] = lambda phone: lay(phone, english(5), *ROUND, path="finish/")
STATES["lock"] = lambda phone: finished(phone, "lock/")
STATES["reopen"] = lambda phone: finished(phone, "reopen/")
STATES["delete"] = lambda phone: lay(phone, english(5), path="delete/")
STATES["rules"] = lambda phone: lay(phone, english(5), path="rules/")
STATES["rules-goldsieber"] = lambda phone: lay(phone, italian(), path="rules/")


@state
def help_open(phone: Phone) -> None:
    lay(phone, english(5), path="?board")
    phone.tap("The rules here")
    phone.page.locator("#help").wait_for()


# --- what goes wrong ---


STATES["page-not-found"] = lambda phone: phone.open("/nowhere/")
STATES["no-such-table"] = lambda phone: phone.open("/g/000000000000/")


@state
def refused_to_a_viewer(phone: Phone) -> None:
    table = Table(english(5))
    sit(phone, table, viewer_of(table))
    phone.open(f"/g/{table.id}/penalty/")


@state
def form_too_old(phone: Phone) -> None:
    lay(phone, english(5), path="void/")
    phone.page.context.clear_cookies(name="njet_csrf")
    phone.tap("Deal again")
    phone.sees("This page has stood open too long.")


@state
def line_down(phone: Phone) -> None:
    lay(phone, english(5), path="?board")
    phone.lose_line()
    phone.touch(phone.space("trump", "red"))
    phone.page.get_by_text(waiting(1)).wait_for()


# --- five long names ---

LONG = [
    "Maximiliane-Alexandra",
    "Maximilian-Alexander",
    "Annemarie-Charlotte",
    "Friedrich-Wilhelm",
    "Wolfeschlegelstein",
]
LONG_NAMES: dict[str, Opening] = {}


def long_named(**options: object) -> Setup:
    """A table of five with names as long as anybody's."""
    return Setup.of(preset="njet-english", names=LONG, tokens=[None] * 5, options=options, dealer=0)


def with_long_names(opening: Opening) -> Opening:
    """A state with five long names."""
    LONG_NAMES[opening.__name__.replace("_", "-")] = opening
    return opening


def _long(name: str, *lines: str | Action, path: str = "", **options: object) -> None:
    def opening(phone: Phone) -> None:
        lay(phone, long_named(**options), *lines, path=path)

    LONG_NAMES[name] = opening


_long("long-setup-card")
_long("long-board", *markers(long_named(), "3 njet black blue -2", number=10))
_long("long-teams", "open 0 pass_2_right black blue -2")
_long("long-monster", SETTLED, path="?partners=1-2")
_long("long-tricks", SETTLED, TEAMS, *TRICKS)
_long("long-tally", SETTLED, TEAMS, path="?count=tally")
_long("long-result", *ROUND)
_long("long-last-round", *ten_rounds()[:27])
_long("long-finished", *ROUND, rounds=1)
_long("long-sheet", *ten_rounds(), path="sheet/")
_long("long-placements", *by_marker(long_named()), path="placements/")
_long("long-history", *ROUND, path="history/")
_long("long-correct", *ROUND, path="correct/1/")
_long("long-phones", path="phones/")
_long("long-setup", path="setup/")
_long("long-quick", path="quick/")
_long("long-penalty", path="penalty/")


TEN_LETTERS = ["Marguerite", "Maximilian", "Friederike", "Wilhelmine", "Sebastiano"]


def _ten(name: str, *lines: str) -> None:
    def opening(phone: Phone) -> None:
        lay(phone, Setup.of(preset="njet-english", names=TEN_LETTERS, tokens=[None] * 5, dealer=0), *lines)

    LONG_NAMES[name] = opening


_ten("ten-letters-tricks", SETTLED, TEAMS, *TRICKS)
_ten("ten-letters-teams", SETTLED)
_ten("ten-letters-minus", "open 0 njet black blue -2", TEAMS, COUNTED)


@with_long_names
def widest_names(phone: Phone) -> None:
    names = [letter * 24 for letter in "WMQ"]
    lay(phone, Setup.of(preset="njet-english", names=names, tokens=[None] * 3, dealer=0), *ROUND_OF_THREE)


@with_long_names
def long_home(phone: Phone) -> None:
    lay(phone, long_named(), *ROUND, path=None)
    lay(phone, long_named(rounds=1), *ROUND, path=None)
    phone.open("/")


@with_long_names
def long_new_table(phone: Phone) -> None:
    lay(phone, long_named(), path="menu/")
    phone.open("/new/")
    for name in LONG[:2]:
        phone.tap(f"+ {name}")
        phone.page.get_by_role("button", name=f"+ {name}").wait_for(state="detached")


@with_long_names
def long_welcome(phone: Phone) -> None:
    table = Table(long_named())
    phone.open(f"/join/{invitations.invite(game=table.game, role=Role.SCOREKEEPER).token}/")


@with_long_names
def long_preview(phone: Phone) -> None:
    lay(phone, long_named(), *ROUND, path="correct/1/")
    phone.write(phone.page.locator('[name$="tricks-0"]'), "2")
    phone.write(phone.page.locator('[name$="tricks-4"]'), "3")
    phone.tap("Preview")
    phone.sees("On the sheet")

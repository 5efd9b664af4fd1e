"""What is done to a table as a whole: menu, penalties, voiding, finishing, confirming, reopening, rematch, deleting."""

from __future__ import annotations

import pytest

from games.models import Game, Key
from games.rules.errors import Malformed
from tests.builders import dutch
from tests.cast.digital import DigitalTable, rounds_finished
from tests.cast.pages import Page, Phone, sit_down
from tests.cast.seats import hosting, watching
from tests.cast.tables import ROUND_1, Table, stored

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


# --- the menu ---


def test_the_menu_leads_to_everything_that_can_be_done(round_2: Table, ana: Phone) -> None:
    page = ana.open("menu")

    for label in (
        *("Phones at this table", "Log", "The rules here", "Enter the board"),
        *("Table details", "Note a penalty", "Misdeal: deal again"),
        *("Finish early", "Delete this game", "Back to the table", "Replay, step by step", "Export", "Send a link"),
        "Language and theme",
        "Put this table into a group",
    ):
        assert page.press(label).status == 200, label
    assert "Goldsieber 1997, Dutch" in page.root.one("h1").text


def test_the_menu_offers_only_what_is_possible(table: Table, ana: Phone, cleo: Phone) -> None:
    def offered(phone: Phone) -> set[str]:
        menu = phone.open("menu")
        names = ("phones", "replay", "history", "rules", "exports", "quick", "setup", "penalty", "finish")
        addresses = {phone.address_of(name): name for name in (*names, "delete", "adopt")}
        return {addresses[node.attrs["href"]] for node in menu.root.all("a") if node.attrs["href"] in addresses}

    read = {"phones", "replay", "history", "rules", "exports"}
    assert offered(cleo) == read
    assert offered(ana) == read | {"quick", "setup", "penalty", "delete", "adopt"}
    table.record(*ROUND_1[:1])
    assert "quick" not in offered(ana)
    table.record(*ROUND_1[1:])
    assert "finish" in offered(ana)
    table.record("finish")
    assert offered(ana) == read | {"setup", "penalty", "delete", "adopt"}
    assert ana.open("menu").press("Rematch").status == 200


def groups_of(page: Page) -> dict[str, list[str]]:
    """The rows of each group of a menu."""
    headings = page.texts("h2", class_="group")
    menus = [menu for menu in page.root.all("ul", class_="menu") if "is-apart" not in menu.attrs["class"]]
    return {heading: [row.text for row in menu.all("li")] for heading, menu in zip(headings, menus, strict=True)}


def test_both_kinds_of_tables_have_the_same_groups_to_look_back_and_for_help(round_2: Table, ana: Phone) -> None:
    digital = DigitalTable(dutch(3, rounds=2)).play_on(rounds_finished(1))

    paper, phones = groups_of(ana.open("menu")), groups_of(watching(digital).open("menu"))

    assert paper["Help"] == phones["Help"]
    assert [row.split(" who ")[0] for row in paper["Look back"]] == [
        row.split(" who ")[0] for row in phones["Look back"]
    ]
    assert [*phones] == ["Share", "Look back", "Help"]
    host = hosting(digital, 0).open("menu")
    assert host.texts("h2", class_="group") == ["Say to the others", "This game", "Share", "Look back", "Help"]


def test_what_destroys_stands_apart_from_what_is_often_used(table: Table, ana: Phone) -> None:
    page = ana.open("menu")

    *often, danger = page.root.all("ul", class_="menu")
    assert [node.text for node in danger.all("a")] == ["Delete this game"]
    assert "is-apart" in danger.attrs["class"]
    assert not any("Delete" in group.text for group in often)
    assert "Delete" not in ana.open().text


# --- penalties ---


@pytest.mark.parametrize("points", ["-7", "−7", " -7 "])
def test_minus_may_be_typed_as_it_is_printed(table: Table, ana: Phone, points: str) -> None:
    ana.open("penalty").press("Note the penalty", seat="2", points=points, reason="late")

    assert table.state.totals == (0, 0, -7)


@pytest.mark.parametrize(
    ("typed", "status", "code"),
    [
        ({"seat": "1", "reason": ""}, 422, "reason_missing"),
        ({"seat": "1", "reason": "x", "points": "0"}, 422, "penalty_out_of_range"),
        ({"seat": "1", "reason": "x", "points": "1000"}, 422, "penalty_out_of_range"),
        ({"seat": "1", "reason": "x", "points": "some"}, 400, "wrong_type"),
        ({"seat": "1", "reason": "x" * 201}, 422, "reason_too_long"),
        ({"reason": "x"}, 400, "missing_field"),
    ],
)
def test_a_penalty_that_cannot_be_is_refused_and_stays_typed(
    round_2: Table, ana: Phone, typed: dict[str, str], status: int, code: str
) -> None:
    page = ana.open("penalty").fill_in(typed, press="Note the penalty")

    assert (page.status, page.code) == (status, code)
    kept = page.fields("Note the penalty")
    assert {name: kept.get(name) for name in typed} == typed
    assert round_2.version == 3


@pytest.mark.parametrize("finished_first", [False, True], ids=["playing", "finished"])
def test_a_penalty_that_comes_too_late_is_noted_with_one_more_tap(
    finished: Table, ana: Phone, finished_first: bool
) -> None:
    if not finished_first:
        finished.undo()
    page = ana.open("penalty")
    before = finished.version
    finished.correct(names=["Ana", "Ben", "Eve"])

    page = page.press("Note the penalty", seat="2", points="-3", reason="late")

    if finished_first:
        assert page.status == 200, "the preview shows the present state"
        page = page.press("Write it down")
    else:
        assert page.status == 409
        assert page.code == "stale_version"
        page = page.press("Note the penalty")
    assert page.status == 200
    assert finished.version == before + 2


def test_in_a_finished_game_a_penalty_is_shown_before_it_is_made(finished: Table, ana: Phone) -> None:
    before = stored(finished.id)

    page = ana.open("penalty").press("Note the penalty", seat="0", points="-7", reason="revoke")

    assert page.status == 200
    preview = page.root.one("section", class_="card")
    assert [line.text for line in preview.all("li")] == [
        "A Ana 54 → 47 first → third",
        "B Ben 48 stays second → first",
        "C Cleo 48 stays second → first",
    ]
    assert stored(finished.id) == before
    page = page.press("Write it down")
    assert page.address == ana.address_of("sheet")
    assert finished.state.totals == (47, 48, 48)
    assert finished.state.winners == (1, 2)
    assert not finished.state.current


# --- a misdeal ---


def test_a_misdeal_voids_the_round_with_its_reason(round_2: Table, ana: Phone) -> None:
    round_2.record("open 1 njet red green 3", "team 0 monster 2", "trick 0")

    page = ana.open("menu").press("Misdeal: deal again")
    assert page.fields("Deal again")["reason"] == "misdeal"
    page = page.press("Deal again")

    assert page.address == ana.address_of("table")
    assert page.root.one("h1").text == "Round 1 counted Ben deals next"
    assert "Round 2: set up" in page.text
    assert page.offers("Undo: Dealt again: misdeal")
    assert round_2.state.totals == (24, 18, 18)


# --- the end ---


def test_a_game_is_finished_early_after_the_complete_rounds(round_2: Table, ana: Phone) -> None:
    round_2.record("trump red")

    page = ana.open("menu").press("Finish early")
    assert "Ends after round 1: Ana wins, 24." in page.text
    page = page.press("Finish the game")

    assert page.root.one("section", class_="victory").one("h2").text == "Ana wins, 24"
    assert "Finished early, after 1 of 2 rounds." in page.text


def test_a_game_without_a_complete_round_cannot_be_finished(table: Table, ana: Phone) -> None:
    page = ana.open("finish")

    assert "No round is complete yet: there is nothing to finish." in page.text
    assert not page.offers("Finish the game")
    refused = ana.post("finish", version=table.game.version)
    assert refused.status == 422
    assert refused.code == "nothing_to_finish"


def test_a_result_is_confirmed_after_a_look_at_it(finished: Table, ana: Phone) -> None:
    page = ana.open().press("Confirm the result")
    assert next(line.text for line in page.root.one("ol", class_="standings").all("li")) == "1 A Ana +30 54"
    assert not finished.ledger.locked

    page = page.press("Lock the sheet")

    assert "The result is confirmed." in page.text
    assert finished.ledger.locked


def test_a_wrong_last_entry_never_ends_a_game_permanently(finished: Table, ana: Phone) -> None:
    page = ana.open("reopen").press("Reopen")

    assert page.root.one("h1").text == "Round 2 of 2 Ben deals"
    assert page.offers("Count the round")
    assert finished.state.totals == (24, 18, 18)


@pytest.mark.parametrize(
    ("name", "button"),
    [("void", "Deal again"), ("finish", "Finish the game"), ("lock", "Lock the sheet"), ("reopen", "Reopen")],
)
def test_what_comes_too_late_is_refused_and_done_with_one_more_tap(
    finished: Table, ana: Phone, name: str, button: str
) -> None:
    if name in ("void", "finish"):
        finished.undo()
    page = ana.open(name)
    finished.correct(names=["Ana", "Ben", "Eve"])
    before = stored(finished.id)

    page = page.press(button)

    assert page.status == 409
    assert page.code == "stale_version"
    assert stored(finished.id) == before
    assert page.press(button).status == 200
    assert stored(finished.id) != before


# --- home ---


def test_home_opens_although_the_log_of_the_running_game_cannot_be_read(
    round_2: Table, ana: Phone, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "Round 2 of 2" in ana.open("home").root.one("a", class_="cont").name

    def fail(*_: object) -> None:
        raise Malformed(problem="entry 3")

    monkeypatch.setattr("games.log.store.seen", fail)
    home = ana.open("home")

    assert home.status == 200
    assert "Round 2 of 2" not in home.root.one("a", class_="cont").name


# --- the next game ---


def test_a_rematch_opens_the_next_table_with_the_deal_moved_on(finished: Table, ana: Phone) -> None:
    page = ana.open().press("Rematch")

    game = Game.objects.get(rematch_of=finished.id)
    assert page.address == f"/g/{game.pk}/"
    assert page.root.one("h1").text == "Round 1 of 2 Cleo deals"
    assert page.offers("Start placing")
    home = ana.open("home")
    assert home.offers("Continue")
    assert len(home.root.one("ul", class_="tables").all("li")) == 1


def test_a_rematch_keeps_whose_phone_it_is(finished: Table, ben: Phone) -> None:
    ben.open().press("Rematch")

    assert Key.objects.latest("pk").label == "Ben’s phone"


# --- deleting ---


def test_a_confirmed_game_is_offered_for_deletion_only_to_who_may(finished: Table, ana: Phone) -> None:
    finished.lock()
    joined = sit_down(finished)

    assert ana.open("menu").offers("Delete this game")
    assert not joined.open("menu").offers("Delete this game")


def test_a_game_is_deleted_after_a_question_that_says_which_one(finished: Table, ana: Phone, ben: Phone) -> None:
    page = ana.open("menu").press("Delete this game")
    card = page.root.one("section", class_="card").text
    assert all(said in card for said in ("Ana, Ben, Cleo", "Ana won with 54", "2 rounds"))
    assert page.root.one("section", class_="card").one("time")
    assert page.press("Export it first").address == ana.address_of("exports")
    assert page.press("Cancel").status == 200

    page = page.press("Delete")

    assert page.address == "/"
    assert page.root.one(role="status").text == "Deleted. It lies in the bin below."
    assert not page.root.all("ul", class_="tables")
    assert ben.open().status == 404


def test_other_tables_stay(table: Table) -> None:
    other = Table(dutch(4))
    phone = sit_down(other)
    phone.sits(table, table.key)

    page = phone.open("delete").press("Delete")

    assert page.press("Continue with Ana, Ben, Cleo, Dan").status == 200


def test_each_question_has_a_way_back(finished: Table, ana: Phone) -> None:
    def back(page: Page) -> str:
        return page.root.all("a", class_="icon")[0].attrs["href"]

    ways = {name: back(ana.open(name)) for name in ("void", "finish", "lock", "reopen", "delete", "penalty", "menu")}

    menu, table = ana.address_of("menu"), ana.address_of("table")
    assert ways == {
        **dict.fromkeys(("void", "finish", "delete", "penalty"), menu),
        **dict.fromkeys(("lock", "reopen", "menu"), table),
    }


def test_a_confirmed_result_says_that_it_is_confirmed_and_not_that_nothing_is_there(locked: Table, ana: Phone) -> None:
    pages = [
        ana.post("undo", version="7"),
        ana.post("reopen", version="7"),
        ana.open("undo_to", 3),
        ana.post("undo_to", 3, version="7"),
    ]

    assert [page.status for page in pages] == [409] * 4
    assert {page.code for page in pages} == {"undo_not_allowed"}
    assert locked.version == 7

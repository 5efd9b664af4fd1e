"""Both teams confirm a round on their phones, and the sheet says so."""

from __future__ import annotations

import pytest

from games.services import tables
from tests.cast.pages import Phone, sit_down
from tests.cast.tables import ROUND_1, ROUND_2, Table, instead

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

OTHER = instead(3, "tally 0 6 6")


@pytest.fixture
def asking(round_2: Table) -> Table:
    """Round 1 is complete, Ana alone against Ben and Cleo, and the table asks for confirmations."""
    tables.ask_confirmation(game=round_2.game, asked=True)
    return round_2


@pytest.fixture
def confirmed(asking: Table) -> Table:
    """Both teams have confirmed round 1: entries 4 and 5."""
    asking.confirm(0)
    asking.confirm(1)
    return asking


def test_the_menu_switches_the_question_on_and_off(round_2: Table, ana: Phone, ben: Phone) -> None:
    assert not ben.open().offers("Ana confirms")

    menu = ana.open("menu").press("Both teams confirm each round")

    assert ben.open().offers("Ana confirms")
    menu.press("Both teams confirm each round")
    assert not ben.open().offers("Ana confirms")


@pytest.mark.parametrize("htmx", [False, True])
def test_each_team_confirms_with_one_tap_on_its_phone(asking: Table, htmx: bool) -> None:
    ana, ben = sit_down(asking, label="Ana’s phone", htmx=htmx), sit_down(asking, label="Ben’s phone", htmx=htmx)
    shown = ben.open()

    page = ana.open().press("Ana confirms")

    assert page.is_fragment is htmx
    assert "✓ confirmed by Ana" in page.text
    assert page.offers("Ben and Cleo confirm")
    # Ben's phone still shows the table as it was before.
    page = shown.press("Ben and Cleo confirm")
    assert not page.notice
    assert "✓ both teams have confirmed round 1" in page.text
    assert not page.offers("Ana confirms")


@pytest.mark.parametrize("part", ["table", "sheet"])
def test_a_team_takes_its_confirmation_back_until_both_have_confirmed(asking: Table, ana: Phone, part: str) -> None:
    page = ana.open(part).press("Ana confirms").press("Take it back")

    assert page.address == ana.address_of(part)
    page = page.press("Ana confirms").press("Ben and Cleo confirm")
    assert not page.offers("Take it back")
    assert len(asking.ledger.withdrawable) == 0


def test_the_phone_of_a_player_knows_the_team_that_confirms_on_it(asking: Table) -> None:
    for label, teams in (("Ben", 1), ("Phone 3", 0), ("<b>|", 0)):
        page = sit_down(asking, label=label).open()
        own = page.root.one(id="here").attrs["data-label"]
        assert own == label
        assert sum(f"|{own}|" in each.attrs["data-team"] for each in page.root.all("form", has="data-team")) == teams


def test_the_question_stays_above_the_board_until_both_teams_have_confirmed(asking: Table, ana: Phone) -> None:
    asking.record("trump red")
    asking.confirm(1)

    page = ana.open()

    assert page.offers("Ana confirms")
    assert "do both teams confirm" not in page.press("Ana confirms").text


def test_the_last_round_is_confirmed_at_the_end(asking: Table, ana: Phone) -> None:
    asking.record(*ROUND_2)

    page = ana.open().press("Ana and Ben confirm").press("Cleo confirms")

    assert "✓ both teams have confirmed round 2" in page.text
    assert not page.root.all(id="asked")


def test_nothing_to_undo_leaves_no_room_beside_the_rematch(asking: Table, ana: Phone) -> None:
    asking.record(*ROUND_2)
    for seat in (0, 2):
        asking.confirm(seat, round_number=2)

    (thumb,) = ana.open().root.all("footer")

    assert not thumb.all("span", class_="is-empty")
    assert thumb.all("form", class_="is-main")


@pytest.mark.parametrize("teams", [0, 1, 2])
def test_once_the_result_is_locked_nothing_is_asked_any_more(finished: Table, ana: Phone, teams: int) -> None:
    tables.ask_confirmation(game=finished.game, asked=True)
    assert ana.open().root.all(id="confirmations")
    for seat in (0, 2)[:teams]:
        finished.confirm(seat, round_number=2)

    finished.lock()

    page = ana.open()
    assert not page.root.all(id="confirmations")
    assert ("✓ both teams have confirmed round 2" in page.text) is (teams == 2)


def test_the_sheet_names_the_teams_and_phones_and_takes_what_is_missing(asking: Table, ana: Phone, ben: Phone) -> None:
    sheet = ben.open().press("Ben and Cleo confirm").phone.open("sheet")

    assert "✓ confirmed by Ben and Cleo (Ben’s phone)" in sheet.text
    assert "not confirmed by Ana" in sheet.text
    sheet = ana.open("sheet").press("Ana confirms")
    assert sheet.address == ana.address_of("sheet")
    assert "✓ confirmed by Ana (Phone 1)" in sheet.text


def test_a_sheet_without_confirmations_says_nothing_of_them(round_2: Table, ana: Phone) -> None:
    assert "confirm" not in ana.open("sheet").root.one("table").text


def test_what_one_team_confirmed_and_was_corrected_is_to_be_confirmed_again(asking: Table, ana: Phone) -> None:
    asking.confirm(1)
    asking.amend(OTHER)

    assert "Ben and Cleo: corrected, to be confirmed again" in ana.open("sheet").text
    assert ana.open().offers("Ben and Cleo confirm")


def test_a_correction_of_a_confirmed_round_waits_on_every_phone(
    confirmed: Table, ana: Phone, ben: Phone, cleo: Phone
) -> None:
    preview = ana.open("correct", 1).fill_in({"tricks-0": "0", "tricks-1": "7"} | _captured(), press="Preview")
    assert "It is corrected once both teams confirm the correction." in preview.text

    page = preview.press("Ask both teams to confirm it")

    assert page.address == ana.address_of("table")
    watched = cleo.open()
    assert "A correction waits for both teams" in watched.text
    assert not watched.offers("Ana confirms")
    assert confirmed.state.totals == (24, 18, 18)
    page.press("Ana confirms")
    done = ben.open().press("Ben and Cleo confirm")
    assert "A correction waits" not in done.text
    assert confirmed.state.totals != (24, 18, 18)
    history = ben.open("history").text
    assert "Correction waits for both teams: Ana: tricks 5 → 0, captured 1 → 0; Ben: tricks" in history
    assert "Ana confirmed round 1: Ana 24, Ben 18, Cleo 18" in history
    assert "Ben and Cleo confirmed the correction of round 1: Ana 0" in history


def _captured() -> dict[str, str]:
    return {"tricks-2": "5", "captured-0": "0", "captured-1": "0", "captured-2": "0"}


@pytest.mark.parametrize("htmx", [False, True])
def test_a_tap_on_points_that_were_corrected_since_confirms_nothing(asking: Table, htmx: bool) -> None:
    ana = sit_down(asking, htmx=htmx)
    shown = ana.open()
    asking.amend(OTHER)

    page = shown.press("Ana confirms")

    assert page.status == 409
    assert page.code == "stale_version"
    assert page.offers("Ana confirms")


@pytest.mark.parametrize("fields", [{"seat": ""}, {"seat": "x" * 99}, {"seat": "0", "about": "x"}])
def test_a_confirmation_that_cannot_be_read_is_refused(asking: Table, ana: Phone, fields: dict[str, str]) -> None:
    assert ana.post("confirm_round", 1, **fields).status == 400
    assert asking.version == 3


def test_a_rematch_asks_as_the_game_before(asking: Table, ana: Phone) -> None:
    asking.record(*ROUND_2)

    ana.open("menu").press("Rematch")

    assert asking.game.rematches.get().asks_confirmation


def test_the_first_round_asks_nothing(table: Table, ana: Phone) -> None:
    tables.ask_confirmation(game=table.game, asked=True)
    table.record(*ROUND_1[:1])

    assert "confirm" not in ana.open().text

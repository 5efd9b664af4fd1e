"""The replay: every step of a game has its address, and looking at one changes nothing."""

from __future__ import annotations

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.builders import dutch, english, french, italian, placing, play, wikipedia
from tests.cast.pages import Page, Phone, sit_down
from tests.cast.tables import ROUND_1, ROUND_2, Table, instead, stored

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

SHARE = "Share a link to this step"


def happened(page: Page) -> str:
    """What the step says that happened."""
    return page.root.one(class_="turn").one("b").text


def without_tokens(page: Page) -> str:
    """The page without what differs in each answer."""
    return re.sub('name="csrfmiddlewaretoken" value="[^"]*"', "", page.html)


def covered(page: Page) -> list[str]:
    """The spaces that somebody has covered, read out."""
    return [
        text for space in page.root.all("span", class_="is-covered") if "by" in (text := space.one(class_="sr").text)
    ]


# --- a step ---


def test_a_step_shows_the_board_as_it_was(table: Table, ana: Phone) -> None:
    table.record("trump red", "points 4", "trump blue")

    page = ana.open("replay_step", 2)

    assert happened(page) == "Cleo covered 4 points"
    assert covered(page) == ["red trump: covered by Ben", "4 points: covered by Cleo in this step"]
    assert page.root.one(class_="turn").one("small").text == "Ana covers a space, 4 left."
    assert page.root.one("h1").text == "Round 1 of 2 step 2 of 3 · Ana deals"


def test_the_replay_begins_before_the_first_marker(round_2: Table, ana: Phone) -> None:
    page = ana.open("replay")

    assert happened(page) == "The game begins"
    assert covered(page) == []
    assert not page.root.all("a", rel="prev")
    assert page.text == ana.open("replay_step", 0).text


def test_back_and_next_lead_from_step_to_step_to_the_end(finished: Table, ana: Phone) -> None:
    page, shown = ana.open("replay"), []
    while page.offers("Next"):
        page = page.press("Next")
        shown.append(happened(page))

    assert shown == [
        "Board: Ana starts, nothing is discarded, blue is trump, black 1s are super trumps, 2 a trick",
        "Ana plays alone and scores double",
        "Round counted, tricks (captured): Ana 5 (1), Ben 4 (1), Cleo 3 (1)",
        "Board: Ben starts, nothing is discarded, red is trump, green 1s are super trumps, 3 a trick",
        "Ben plays with Ana; Cleo scores double",
        "Round counted, tricks (captured): Ana 4, Ben 4 (2), Cleo 4 (1)",
    ]
    assert page.root.one(class_="victory").text.endswith("Ana wins, 54")
    assert page.address == ana.address_of("replay_step", 6)
    assert page.press("Back").press("Back").address == ana.address_of("replay_step", 4)
    assert page.press("First step").address == ana.address_of("replay_step", 0)
    assert ana.open("replay").press("Last step").address == page.address


def test_back_and_next_are_shown_to_browsers_too(round_2: Table, ana: Phone) -> None:
    page = ana.open("replay_step", 2)

    assert page.root.one("a", rel="prev").attrs["href"] == ana.address_of("replay_step", 1)
    assert page.root.one("a", rel="next").attrs["href"] == ana.address_of("replay_step", 3)


def test_a_round_is_one_tap_away_and_each_of_its_steps_two(finished: Table, ana: Phone) -> None:
    page = ana.open("replay").press("Round 2")

    assert page.address == ana.address_of("replay_step", 4)
    assert [link.text for link in page.root.one(id="steps").all("a")] == [
        "4 Board: Ben starts, nothing is discarded, red is trump, green 1s are super trumps, 3 a trick",
        "5 Ben plays with Ana; Cleo scores double",
        "6 Round counted, tricks (captured): Ana 4, Ben 4 (2), Cleo 4 (1)",
    ]
    assert [link.text for link in page.root.all("a", aria_current="step")] == [
        "4 Board: Ben starts, nothing is discarded, red is trump, green 1s are super trumps, 3 a trick"
    ]
    assert page.press("5 Ben plays with Ana").address == ana.address_of("replay_step", 5)


def test_at_the_end_of_a_round_its_result_is_spelled_out(finished: Table, ana: Phone) -> None:
    page = ana.open("replay_step", 3)

    assert page.texts("p", class_="formula") == ["(5 + 1) × 2 × 2 = 24", "(7 + 2) × 2 = 18"]
    assert page.root.one("ol", class_="standings").text == "1 A Ana +24 24 2 B Ben +18 18 2 C Cleo +18 18"
    assert page.root.one(class_="turn").one("small").text == "Round 2: Cleo covers a space, 5 left."


# --- which games ---


@pytest.mark.parametrize(
    "setup",
    [
        *(english(2), italian()),
        *(
            pytest.param(each, marks=pytest.mark.slow)
            for each in (english(5), french(3), wikipedia(4, start_row=False), dutch(4))
        ),
    ],
    ids=lambda setup: f"{setup.ruleset.preset}-{setup.ruleset.players}",
)
def test_every_step_can_be_looked_at_by_any_rules(setup: object, db: None) -> None:
    started = play(setup)
    conditions = "njet black blue 2" if len(started.current.board.rows) == 4 else "0 njet black blue 2"
    table = Table(setup, *placing(setup, conditions))
    actions = [each for each in table.state.legal_actions() if type(each).__name__ == "NameTeam"]
    table.record(*actions[:1], *["trick 0+1"] * 3)
    table.record("penalty 0 -5 late", "void misdeal", "trump red", "void again", f"open {conditions}", *actions[:1])
    phone = sit_down(table)

    shown = [happened(phone.open("replay_step", step)) for step in range(len(table.ledger.replay.applied) + 1)]

    assert shown[0] == "The game begins"
    assert len(shown) == table.version + 1


def test_a_correction_changes_the_step_that_it_corrects(round_2: Table, ana: Phone) -> None:
    round_2.record("trump red", "points 4")
    round_2.undo()
    round_2.amend(instead(4, "trump blue"))

    page = ana.open("replay_step", 4)

    assert happened(page) == "Cleo covered blue trump"
    assert "step 4 of 4" in page.text


def test_a_game_in_which_nothing_happened_is_its_beginning(table: Table, ana: Phone) -> None:
    page = ana.open("replay")

    assert happened(page) == "The game begins"
    assert not page.root.all("a", rel="prev") + page.root.all("a", rel="next")
    assert page.texts("nav", class_="rounds") == []


@pytest.mark.parametrize("step", [4, 5, 264, 10**30])
def test_a_step_that_is_not_there_any_more_is_the_last_one(round_2: Table, ana: Phone, step: int) -> None:
    response = ana.client.get(f"/g/{round_2.id}/replay/{step}/")

    assert (response.status_code, response.headers["Location"]) == (302, f"/g/{round_2.id}/replay/3/")


@pytest.mark.parametrize("step", ["-1", "one", "1.5", "%20", "9" * 5000])
def test_what_is_no_step_is_not_found(round_2: Table, ana: Phone, step: str) -> None:
    assert ana.client.get(f"/g/{round_2.id}/replay/{step}/").status_code == 404


# --- how it is asked for ---


def test_with_script_a_step_is_one_fragment_and_the_same(round_2: Table, ana: Phone, ana_htmx: Phone) -> None:
    fragment = ana_htmx.open("replay_step", 2)

    assert fragment.root.all()[1].attrs["id"] == "replay"
    assert "<html" not in fragment.html
    assert without_tokens(fragment).strip() in without_tokens(ana.open("replay_step", 2))


def test_looking_changes_nothing_and_asks_for_the_key_only(finished: Table, cleo: Phone) -> None:
    cleo.open()
    before = stored(finished.id)

    with CaptureQueriesContext(connection) as first:
        cleo.open("replay_step", 1)
    with CaptureQueriesContext(connection) as last:
        page = cleo.open("replay_step", 6)

    # The one form asks for a link to share.
    (form,) = page.root.all("form")
    assert form.attrs["action"] == cleo.address_of("phones")
    assert [button.name for button in page.root.all("button") if button.attrs.get("type") != "button"] == [SHARE]
    assert [query["sql"].split()[0] for query in last] == [query["sql"].split()[0] for query in first]
    assert len(last) <= 3
    assert stored(finished.id) == before


@pytest.mark.parametrize("name", ["sheet", "menu"])
def test_the_replay_is_found_from_the_sheet_and_the_menu(round_2: Table, cleo: Phone, name: str) -> None:
    page = cleo.open(name).press("Replay, step by step")

    assert page.address == cleo.address_of("replay")
    assert page.press("Back to the sheet").address == cleo.address_of("sheet")


def test_names_are_never_markup(table: Table, ana: Phone) -> None:
    table.correct(names=["<b>Ana</b>", "&amp;", '"Cleo"'])
    table.record("start 1", *["trump red", "void <i>x</i>"], *ROUND_1, *ROUND_2)

    for step in range(table.version):
        page = ana.open("replay_step", step)

        assert "<b>Ana</b>" not in page.html
        assert "<i>x</i>" not in page.html

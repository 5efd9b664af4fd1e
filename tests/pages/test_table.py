"""The table page as a whole: each phase as page and as fragment, the set-up card, results, the end."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from games.pages.parts.standings import result_view
from games.rules import PublicState
from games.rules.paper import PaperSheet
from tests.builders import dutch, english, placing
from tests.cast.pages import Phone, page_of
from tests.cast.tables import ROUND_1, ROUND_2, Table

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


# --- page and fragment ---

PHASES = {
    "set up": (),
    "board": ("trump red",),
    "teams": ROUND_1[:1],
    "count": ROUND_1[:2],
    "between rounds": ROUND_1,
    "finished": (*ROUND_1, *ROUND_2),
}


@pytest.mark.parametrize("phase", PHASES)
def test_with_script_only_the_fragment_is_sent_and_it_is_the_same(db: None, phase: str) -> None:
    table = Table(dutch(3, rounds=2), *PHASES[phase])

    page = Phone().sits(table, table.key).open()
    fragment = Phone(htmx=True).sits(table, table.key).open()

    assert (page.status, fragment.status) == (200, 200)
    assert page.is_page
    assert fragment.is_fragment
    assert without_secrets(fragment.html) in without_secrets(page.html)


def without_secrets(html: str) -> str:
    """The page without what is new each time."""
    return re.sub('name="(csrfmiddlewaretoken|request_id)" value="[^"]*"|data-csrf="[^"]*"', "", html).strip()


def test_what_happened_is_announced_before_whose_turn_it_is(table: Table, ana: Phone) -> None:
    table.record("trump red")

    page = ana.open()
    undone = page.press("Undo: Ben covered red trump")

    said = [each.root.one("p", aria_live="polite", class_="sr").text for each in (page, undone)]
    assert said == [
        "Ben covered red trump. Cleo covers a space, 5 left.",
        "Taken back: Ben covered red trump. Ben covers a space, 5 left.",
    ]


@pytest.mark.parametrize("phase", PHASES)
def test_each_phase_is_announced_in_one_sentence(db: None, phase: str) -> None:
    announced = {
        "set up": "Ben covers a space, 5 left.",
        "board": "Cleo covers a space, 5 left.",
        "teams": "Ana names the teams.",
        "count": "Tricks are counted: 0 of 12 tricks.",
        "between rounds": "Cleo covers a space, 5 left.",
        "finished": "Ana wins.",
    }

    page = page_of(Table(dutch(3, rounds=2), *PHASES[phase]))

    assert page.root.one("p", aria_live="polite", class_="sr").text.endswith(announced[phase])
    assert page.root.one(id="table").attrs["data-title"] == announced[phase]
    assert page.root.one("title").text.startswith(announced[phase])


@pytest.mark.parametrize("phase", PHASES)
def test_the_rules_can_be_looked_up_in_every_phase(db: None, phase: str) -> None:
    page = page_of(Table(dutch(3, rounds=2), *PHASES[phase]))

    help_page = page.root.one(id="help")
    assert [part.text for part in help_page.all("h3")] == [
        *("Placing markers", "Start player", "Discard", "Trump", "Super trump"),
        *("Points a trick", "Teams", "Tricks", "Scoring", "Symbols"),
    ]
    assert page.press("All rules of this table").status == 200


@pytest.mark.parametrize("phase", PHASES)
def test_round_dealer_sheet_and_menu_are_always_there(db: None, phase: str) -> None:
    page = page_of(Table(dutch(3, rounds=2), *PHASES[phase]))

    headings = {"between rounds": "Round 1 counted Ben deals next", "finished": "The end 2 rounds"}
    assert page.root.one("h1").text == headings.get(phase, "Round 1 of 2 Ana deals")
    assert page.press("Sheet").status == 200
    assert page.press("More").status == 200
    assert page.press("Home").status == 200


def test_a_viewer_sees_the_same_and_can_press_nothing(round_2: Table, cleo: Phone) -> None:
    for lines in ("trump black",), ("open 1 njet red green 3",), ("team 0 monster 2",), ():
        page = cleo.open()

        buttons = [
            node for node in page.root.all("button") if node.around("form") and node.attrs.get("type") != "button"
        ]
        assert all("disabled" in button.attrs for button in buttons)
        assert "You are watching." in page.text
        assert "Undo" not in page.text
        round_2.record(*lines)


# --- set-up card ---


def test_the_set_up_card_leads_to_the_board(table: Table, ana: Phone, ana_htmx: Phone) -> None:
    for phone in (ana, ana_htmx):
        page = phone.open().press("Start placing")

        assert page.status == 200
        assert page.root.one("form", class_="board")


def test_round_1_asks_who_deals_first(table: Table, ana: Phone) -> None:
    page = ana.open()

    assert "By these rules the oldest player deals first." in page.text
    assert [button.text for button in page.root.all("button", name="dealer", aria_pressed="true")] == ["A Ana"]

    after = page.press("Cleo")

    assert "Cleo deals" in after.root.one("h1").text
    assert "Ana, left of the dealer, places first." in after.text


def test_the_dealer_of_round_1_can_be_drawn(table: Table, ana: Phone) -> None:
    drawn: set[str] = set()

    for _ in range(200):
        if len(drawn) == 3:
            break
        drawn.add(ana.open().press("random").root.one("h1").text.removeprefix("Round 1 of 2").strip())

    assert drawn == {"Ana deals", "Ben deals", "Cleo deals"}


def test_later_rounds_and_viewers_are_not_asked_who_deals(table: Table, ana: Phone, cleo: Phone) -> None:
    assert ana.open().root.all("button", name="dealer")
    assert not cleo.open().root.all("button", name="dealer")
    table.record(*ROUND_1)
    assert not ana.open().root.all("button", name="dealer")


def test_between_rounds_the_result_is_spelled_out_as_in_the_rulebook(db: None) -> None:
    table = Table(english(5), "open 0 njet black blue 2", "team 1 2 monster 4", "tally 3+1 2+1 2+1 3 2+1")

    page = page_of(table)

    result = page.root.one("section", class_="result")
    assert result.one("h2").text == "Round 1"
    assert [line.text for line in result.all("p", class_="formula")] == [
        "(7 + 3) × 2 = 20",
        "(3 × 2) + (3 × 2) × 2 = 18",
    ]
    assert [line.one(class_="sr").text for team in result.all("div", class_="team") for line in team.all("li")] == [
        "Ana: 3 tricks and 1 captured card",
        "Ben: 2 tricks and 1 captured card",
        "Cleo: 2 tricks and 1 captured card",
        "Dan: 3 tricks",
        "Eve: 2 tricks and 1 captured card, doubled by the monster",
    ]
    assert [team.one("h3").text for team in result.all("div", class_="team")] == ["Ana, Ben and Cleo", "Dan and Eve"]
    assert [line.text for line in result.all("p", class_="points")] == ["+20", "+18"]
    assert ["is-marked" in team.attrs["class"] for team in result.all("div", class_="team")] == [True, False]
    assert [line.text for line in page.root.one("ol", class_="standings").all("li")] == [
        "1 A Ana +20 20",
        "1 B Ben +20 20",
        "1 C Cleo +20 20",
        "4 D Dan +18 18",
        "4 E Eve +18 18",
    ]


def test_the_standings_say_who_moved_and_the_result_leads_to_its_correction(db: None) -> None:
    first = ("open 0 njet black blue 2", "team 1 2 monster 4", "tally 3+1 2+1 2+1 3 2+1")
    table = Table(english(5), *first, "open 4 discard_1 red yellow 3", "team 0 monster 4", "tally 1 2+1 4 3 1+1")

    page = page_of(table)

    assert [line.text for line in page.root.one("ol", class_="standings").all("li")] == [
        "1 B Ben +30 50",
        "1 C Cleo +30 50",
        "3 D Dan ▲1 up 1 place +30 48",
        "4 A Ana ▼3 down 3 places +15 35",
        "5 E Eve ▼1 down 1 place +15 33",
    ]
    assert page.root.one("section", class_="result").all("h3")[1].text == "The other three"
    assert page.press("Wrong? Correct round 2").address.endswith("/correct/2/")


def test_after_a_round_of_which_only_the_result_was_entered_this_is_offered_first(db: None) -> None:
    setup, first = english(5), ("open 0 njet black blue 2", "team 1 2 monster 4", "tally 3+1 2+1 2+1 3 2+1")

    noted, placed = (
        page_of(Table(setup, *first)),
        page_of(Table(setup, *placing(setup, "0 njet black blue 2"), *first[1:])),
    )

    assert noted.root.one("footer").one("a", class_="is-main").name == "Enter the board"
    assert placed.root.one("footer").one("a", class_="is-main").name == "Start placing"
    for page in (noted, placed):
        assert page.press("Enter the board").address.endswith("/quick/")
        assert page.press("Start placing").root.all("form", class_="board")


def test_by_difference_the_result_says_what_is_written_down(db: None) -> None:
    setup = english(5, score_record="difference")
    table = Table(setup, "open 0 njet black blue 2", "team 1 2 monster 4", "tally 3+1 2+1 2+1 3 2+1")

    page = page_of(table)

    assert "On the sheet: 20 − 18 = 2" in page.text
    assert "1 A Ana +2 2" in page.text


# --- the end ---


@pytest.mark.parametrize(
    ("lines", "margin"),
    [
        (((5, 5, 1), (9, 2, 3), (4, 4, 4)), "7 ahead of Ben, in the lead since round 2."),
        (((5, 5, 1), (4, 4, 4), (9, 2, 3)), "7 ahead of Ben, alone in the lead only at the end."),
        (((5, 5, 5), (9, 9, 1)), "8 ahead of Cleo, in the lead only at the end."),
        (((5, 6, 1), (4, 4, 4), (9, 2, 3)), "6 ahead of Ben, in the lead only at the end."),
    ],
)
def test_the_end_says_since_when_the_winner_was_in_front(lines: tuple[tuple[int, ...], ...], margin: str) -> None:
    state = PublicState.start(replace(english(3), paper=PaperSheet.of(lines, by_round=True, players=3)))

    assert result_view(state, None).margin == margin


def test_the_end_names_the_winner_and_what_can_be_done(finished: Table, ana: Phone) -> None:
    page = ana.open()

    assert page.root.one("section", class_="victory").name == (
        "Ana wins, 54 6 ahead of Ben and Cleo, in the lead from the first round on."
    )
    assert page.root.one("svg", class_="chart").attrs["aria-label"] == (
        "Totals after 2 rounds: Ana 54, Ben 48, Cleo 48."
    )
    assert [line.text for line in page.root.one("ol", class_="standings").all("li")] == [
        *("1 A Ana +30 54", "2 B Ben +30 48", "2 C Cleo +30 48")
    ]
    assert "(5 × 2) × 3" in page.text or "× 3" in page.root.one("section", class_="result").text
    for label in ("Confirm the result", "Correct the last round", "Share the sheet"):
        assert page.press(label).status == 200
    assert page.offers("Rematch · Cleo deals")
    assert not page.offers("Reopen")  # undo does the same


def test_equal_totals_share_the_victory(db: None) -> None:
    table = Table(dutch(4, rounds=1), "open 0 njet blue red 1", "team 2", "tally 5 0 0 5")

    page = page_of(table)

    assert page.root.one("section", class_="victory").name == "Ana, Ben, Cleo and Dan share the victory, 5"


def test_a_confirmed_result_says_so_and_still_offers_the_rematch(locked: Table, ana: Phone, cleo: Phone) -> None:
    page = ana.open()

    assert "The result is confirmed." in page.text
    assert page.offers("Rematch")
    assert not page.offers("Confirm the result")
    assert not cleo.open().offers("Rematch")


def test_a_viewer_at_the_end_may_share_the_sheet_and_nothing_else(finished: Table, cleo: Phone) -> None:
    page = cleo.open()

    assert page.offers("Share the sheet")
    assert not any(page.offers(label) for label in ("Confirm the result", "Correct the last round", "Rematch"))

"""Correcting a round in three blocks: the settled board, the teams, the figures."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import urlencode

import pytest
from django.http import QueryDict
from hypothesis import given
from hypothesis import strategies as st

from games.pages.correct.blocks_form import BlocksForm, round_to_correct
from games.rules import FinishedRound, NjetError, RowKey
from games.services.previews import corrected_replay
from tests.builders import dutch, english, placing
from tests.cast.pages import Page, Phone, sit_down
from tests.cast.tables import ROUND_1, ROUND_2, Table, instead
from tests.services.random_calls import modestly
from tests.strategies import Game, games, tallies

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

SHOW, CONFIRM = "Preview", "Correct it"
TEAM = "team alone monster 0"
TRICKS = (*["trick 0"] * 4, "trick 0+1", *["trick 1"] * 3, "trick 1+1", *["trick 2"] * 2, "trick 2+1")
"""The tricks of `ROUND_1`, one by one."""


def changes_of(page: Page) -> list[str]:
    """The entries that a preview changes."""
    assert page.status == 200, page.notice
    return [line.text for line in page.root.all("section", class_="card")[0].all("li")]


def errors_of(page: Page) -> dict[str, str]:
    """What is refused, by field."""
    return {node.attrs["id"].removesuffix("-error"): node.text for node in page.root.all("p", class_="field-error")}


# --- laws ---


def forms(table: Table, **typed: str) -> Iterator[BlocksForm]:
    """The blocks of each round, sent with what was typed."""
    ledger = table.ledger
    for number in range(1, len(ledger.state.finished) + 2):
        if round_to_correct(ledger, number) is not None:
            stands = BlocksForm(None, ledger, number).stands
            fields = {**stands, **{name: text for name, text in typed.items() if name in stands}}
            yield BlocksForm(QueryDict(urlencode({**fields, "was": urlencode(stands)})), ledger, number)


@given(game=games())
@modestly
def test_blocks_that_are_sent_as_they_stand_change_nothing(game: Game) -> None:
    for form in forms(Table(game.setup, *game.actions)):
        assert form.is_valid(), form.errors
        assert form.changes == []


@given(game=games(), data=st.data())
@modestly
def test_another_space_stays_open_and_nothing_else_changes(game: Game, data: st.DataObject) -> None:
    table = Table(game.setup, *game.actions)
    row = data.draw(st.sampled_from(game.setup.ruleset.rows))
    space = data.draw(st.sampled_from(game.setup.ruleset.spaces(row)))

    for form in forms(table, **{row.value: space}):
        if not form.is_valid():
            # Another start player, or another number of tricks.
            assert row in (RowKey.START, RowKey.DISCARD)
            assert all(name == "partners" or name.startswith(("figures", "captured")) for name in form.errors)
            continue
        try:
            state = corrected_replay(table.ledger, form.changes).state
        except NjetError:
            # With two players the start row decides nothing about the figures, but tricks of an open round may not fit.
            assert row is RowKey.DISCARD
            continue
        done = next(each for each in (*state.finished, state.current) if each and each.number == form.done.number)
        before = {each.key: each.settled_space for each in form.done.board.rows}
        assert {each.key: each.settled_space for each in done.board.rows} == {**before, row: space}
        assert done.board.markers == form.done.board.markers
        assert (
            done.teams is None
            or (form.done.teams is not None and done.teams.own == form.done.teams.own)
            or (game.setup.ruleset.players == 2)
        )
        if isinstance(form.done, FinishedRound):
            assert done.won == form.done.won


@given(game=games(to_the_end=True), data=st.data())
@modestly
def test_any_figures_that_the_rules_allow_can_be_typed(game: Game, data: st.DataObject) -> None:
    table = Table(game.setup, *game.actions)
    for place in range(len(game.state.finished)):
        states = [state for state in game.states if len(state.finished) == place and state.tally_bounds is not None]
        bounds = next(each.bounds for each in states[-1].legal_actions() if getattr(each, "kind", "") == "tally")
        tally = data.draw(tallies(game.setup.ruleset.players, bounds))
        typed = {
            f"{kind}-{seat}": str(figure)
            for kind, figures in (("tricks", tally.tricks), ("captured", tally.captured))
            for seat, figure in enumerate(figures)
        }

        form = list(forms(table, **typed))[place]

        assert form.is_valid(), form.errors
        done = corrected_replay(table.ledger, form.changes).state.finished[place]
        assert [(won.tricks, won.captured) for won in done.won] == list(zip(tally.tricks, tally.captured, strict=True))


# --- the page ---


def test_a_round_is_shown_as_three_blocks_as_it_stands(round_2: Table, ana: Phone) -> None:
    page = ana.open("correct", 1)

    fields = page.fields(SHOW)
    assert {name: fields[name] for name in fields if name not in ("was", "csrfmiddlewaretoken")} == {
        "start": "0",
        "discard": "njet",
        "trump": "blue",
        "supertrump": "black",
        "points": "2",
        "asked": "0",
        "partners": "alone",
        "monster": "0",
        "tricks-0": "5",
        "tricks-1": "4",
        "tricks-2": "3",
        "captured-0": "1",
        "captured-1": "1",
        "captured-2": "1",
    }
    assert "Blue is trump" in page.texts("em")
    assert page.text.count("12 tricks in all") == 1


def test_a_row_of_the_sheet_leads_to_the_round_and_four_steps_correct_it(finished: Table, ana: Phone) -> None:
    page = ana.open("sheet").press("Correct round 1")

    page = page.fill_in({"captured-1": "2", "captured-2": "0"}, press=SHOW)

    assert changes_of(page) == ["Ben: captured 1 → 2", "Cleo: captured 1 → 0"]
    assert page.press(CONFIRM).address == ana.address_of("sheet")
    assert finished.version == 7


def test_the_result_of_a_round_leads_to_its_correction(round_2: Table, ana: Phone) -> None:
    page = ana.open().press("Wrong? Correct round 1")

    assert page.address == ana.address_of("correct", 1)


def test_the_single_entries_are_a_page_of_their_own(round_2: Table, ana: Phone) -> None:
    page = ana.open("correct", 1).press("Every entry of this round")

    assert page.texts("h2") == ["Board", "Teams", "Tricks"]
    assert len(page.texts("summary")) == 3
    assert not page.root.all("details", has="open")


def test_before_the_board_is_settled_a_round_has_its_entries(table: Table, ana: Phone) -> None:
    table.record("trump red")

    page = ana.open("correct", 1).fill_in({"e1.0-space": "trump:blue"}, press=SHOW)

    assert changes_of(page) == ["Ben covered red trump → Ben covered blue trump"]


def test_what_is_not_there_yet_is_not_asked(table: Table, ana: Phone) -> None:
    table.record(ROUND_1[0])
    assert "partners" not in ana.open("correct", 1).fields(SHOW)

    table.record(TEAM, "trick 0")

    fields = ana.open("correct", 1).fields(SHOW)
    assert "partners" in fields
    assert "tricks-0" not in fields


# --- the board ---


def test_the_player_who_covered_a_space_covered_the_other_one(db: None) -> None:
    table = Table(dutch(3, rounds=2))
    table.record(*placing(table.state, "0 njet blue black 2"), TEAM, "tally 5 4 3")

    page = sit_down(table).open("correct", 1).fill_in({"trump": "green", "points": "3"}, press=SHOW)

    changed = changes_of(page)
    assert [line.split(" → ")[1].split(" covered ")[1] for line in changed] == ["blue trump", "2 points"]
    assert all(line.split(" covered ")[0] == line.split(" → ")[1].split(" covered ")[0] for line in changed)
    page.press(CONFIRM)
    conditions = table.state.finished[0].conditions
    assert (conditions.trump, conditions.points) == ("green", 3)


def test_a_board_that_was_noted_at_once_is_noted_with_the_other_space(round_2: Table, ana: Phone) -> None:
    page = ana.open("correct", 1).fill_in({"points": "3"}, press=SHOW)

    assert changes_of(page) == [
        "Board: Ana starts, nothing is discarded, blue is trump, black 1s are super trumps, 2 a trick → "
        "Board: Ana starts, nothing is discarded, blue is trump, black 1s are super trumps, 3 a trick"
    ]
    page.press(CONFIRM)
    assert round_2.state.totals == (36, 27, 27)


def test_another_start_player_asks_for_the_partners_and_keeps_what_was_typed(round_2: Table, ana: Phone) -> None:
    page = ana.open("correct", 1).fill_in({"start": "1", "tricks-0": "4", "tricks-1": "5"}, press=SHOW)

    assert page.status == 422
    assert errors_of(page) == {"partners": "Ben starts now. Check the partners."}
    fields = page.fields(SHOW)
    assert (fields["start"], fields["tricks-0"], fields["tricks-1"]) == ("1", "4", "5")
    # The teams stay as they were, as long as nothing else is chosen.
    assert (fields["asked"], fields["partners"]) == ("1", "2")
    page = page.fill_in({"partners": "alone"}, press=SHOW)
    assert changes_of(page)[1] == "Ana plays alone and scores double → Ben plays alone and scores double"
    page.press(CONFIRM)
    done = round_2.state.finished[0]
    assert (done.conditions.start, done.teams.own, done.won[1].tricks) == (1, (1,), 5)


def test_the_start_player_on_whom_the_table_agreed_is_corrected(db: None) -> None:
    table = Table(english(4, start_row=False), "open njet red blue 2", "team 2 start 1", "tally 4 4 4 3")
    page = sit_down(table).open("correct", 1).fill_in({"start": "3"}, press=SHOW)
    assert errors_of(page) == {"partners": "Dan starts now. Check the partners."}

    page = page.fill_in({"partners": "0"}, press=SHOW)

    assert changes_of(page) == ["Ben plays with Cleo → Dan plays with Ana"]


def test_another_number_of_tricks_asks_for_the_figures(round_2: Table, ana: Phone) -> None:
    page = ana.open("correct", 1).fill_in({"discard": "discard_1"}, press=SHOW)

    assert page.status == 422
    assert errors_of(page) == {"figures": "1 trick too many: 12 are entered, the round had 11."}
    page = page.fill_in({"tricks-0": "4"}, press=SHOW)
    assert len(changes_of(page)) == 2
    page.press(CONFIRM)
    assert [won.tricks for won in round_2.state.finished[0].won] == [4, 4, 3]


# --- the teams ---


def test_other_partners_are_chosen(round_2: Table, ana: Phone) -> None:
    page = ana.open("correct", 1).fill_in({"partners": "1"}, press=SHOW)

    # The smaller team has one player, who holds the monster card.
    assert changes_of(page) == ["Ana plays alone and scores double → Ana plays with Ben; Cleo scores double"]


@pytest.mark.parametrize(
    ("typed", "errors"),
    [
        ({"partners": "0"}, {"partners": "The start player cannot be their own partner."}),
        ({"partners": "x"}, {"partners": "“Partners” has to be a whole number."}),
        ({"partners": "1-2"}, {"partners": "With 3 players the start player takes 0–1 partners, not 2."}),
        ({"trump": ""}, {"trump": "Choose the space that stays open in the row “Trump”."}),
        ({"points": "9"}, {"points": "The row “Points a trick” has no space “9”."}),
        ({"tricks-0": "x"}, {"tricks-0": "“Tricks” has to be a whole number."}),
        ({"captured-1": "9"}, {"captured-1": "Ben cannot have captured 9 cards: at most 4."}),
    ],
)
def test_what_cannot_be_is_refused_at_its_block(
    round_2: Table, ana: Phone, typed: dict[str, str], errors: dict[str, str]
) -> None:
    fields = ana.open("correct", 1).fields(SHOW)

    page = ana.post_to(ana.address_of("correct", 1), fields | typed)

    assert page.status in (400, 422)
    assert errors_of(page) == errors
    assert round_2.version == 3
    # The block with the error is unfolded, and no other.
    unfolded = {block: "open" in page.root.one("details", class_=f"of-{block}").attrs for block in ("board", "teams")}
    assert unfolded == {"board": not errors.keys().isdisjoint(RowKey), "teams": "partners" in errors}


def test_the_monster_card_is_asked_for_where_two_could_hold_it(db: None) -> None:
    table = Table(english(5), "open 0 njet black blue 2", "team 1 2 monster 4", "tally 3+1 2+1 2+1 3 2+1")
    phone = sit_down(table)

    page = phone.open("correct", 1).fill_in({"partners": "1-4"}, press=SHOW)
    assert errors_of(page) == {"monster": "The monster card belongs to the smaller team: Eve is in the larger one."}

    page = page.fill_in({"monster": "3"}, press=SHOW)
    assert changes_of(page) == [
        "Ana plays with Ben and Cleo; Eve holds the monster → Ana plays with Ben and Eve; Dan holds the monster"
    ]


# --- the figures ---


def test_one_trick_that_makes_the_figures_right_is_changed(table: Table, ana: Phone) -> None:
    table.record(*ROUND_1[:2], *TRICKS)

    page = ana.open("correct", 1).fill_in({"captured-1": "2"}, press=SHOW)
    # Against one opponent no trick has two captured cards.
    assert changes_of(page) == ["Ben won a trick → Ben won a trick, 1 captured card"]

    page = ana.open("correct", 1).fill_in({"tricks-0": "4", "tricks-2": "4"}, press=SHOW)
    assert changes_of(page) == ["Ana won a trick → Cleo won a trick"]
    page.press(CONFIRM)
    assert [won.tricks for won in table.state.finished[0].won] == [4, 4, 4]
    assert len(table.state.finished[0].tricks) == 12


def test_a_tally_takes_the_place_of_the_last_trick_where_several_were_wrong(table: Table, ana: Phone) -> None:
    table.record(*ROUND_1[:2], *TRICKS)

    page = ana.open("correct", 1).fill_in({"tricks-0": "2", "tricks-1": "7"}, press=SHOW)

    assert changes_of(page) == [
        "Cleo won a trick, 1 captured card → Round counted, tricks (captured): Ana 2 (1), Ben 7 (1), Cleo 3 (1)"
    ]
    page.press(CONFIRM)
    assert [won.tricks for won in table.state.finished[0].won] == [2, 7, 3]
    assert table.state.current.number == 2


def test_tricks_that_the_round_has_no_place_for_are_deleted(table: Table, ana: Phone) -> None:
    table.record(*ROUND_1[:2], *TRICKS)

    page = ana.open("correct", 1).fill_in({"discard": "discard_1", "tricks-0": "4"}, press=SHOW)

    assert changes_of(page)[1:] == [
        "Cleo won a trick → Round counted, tricks (captured): Ana 4 (1), Ben 4 (1), Cleo 3 (1)",
        "Cleo won a trick, 1 captured card → deleted",
    ]
    page.press(CONFIRM)
    assert [won.tricks for won in table.state.finished[0].won] == [4, 4, 3]


def test_deleted_tricks_belong_to_the_round_that_was_corrected(table: Table, ana: Phone) -> None:
    table.record(ROUND_1[0], TEAM, *TRICKS, *ROUND_2)

    page = ana.open("correct", 1).fill_in({"discard": "discard_1", "tricks-0": "4"}, press=SHOW)
    page.press(CONFIRM)

    marked = [
        line.text.split(" ", 1)[0] for line in ana.open("sheet").root.all("th", scope="row") if "corrected" in line.text
    ]
    assert marked == ["1"]


def test_figures_of_a_round_that_was_voided_first_are_those_of_its_second_deal(table: Table, ana: Phone) -> None:
    table.record(ROUND_1[0], "void misdeal", "penalty 1 -5 late", *ROUND_1)

    page = ana.open("correct", 1).fill_in({"tricks-0": "4", "tricks-1": "5"}, press=SHOW)

    assert changes_of(page) == ["Ana: tricks 5 → 4", "Ben: tricks 4 → 5"]


def test_blocks_that_are_sent_as_they_stand_say_so(round_2: Table, ana: Phone) -> None:
    page = ana.open("correct", 1).press(SHOW)

    assert (page.status, page.code) == (422, "unchanged")


def test_the_way_back_from_the_preview_keeps_what_was_typed(round_2: Table, ana: Phone) -> None:
    page = ana.open("correct", 1).fill_in({"tricks-0": "4", "tricks-1": "5"}, press=SHOW)
    form = page.root.one("form")
    (back,) = [button for button in page.root.all("button") if "formaction" in button.attrs]
    assert back.attrs["form"] == form.attrs["id"]

    page = ana.post_to(back.attrs["formaction"], {**page.fields(CONFIRM), "again": "1"})

    assert (page.status, page.notice, errors_of(page)) == (200, "", {})
    assert page.fields(SHOW)["tricks-1"] == "5"
    assert changes_of(page.press(SHOW)) == ["Ana: tricks 5 → 4", "Ben: tricks 4 → 5"]


# --- two phones, locked, viewers ---


def test_what_another_phone_corrected_since_stays_corrected(round_2: Table, ana: Phone) -> None:
    page = ana.open("correct", 1)
    round_2.amend(instead(2, "team 1 monster 2"))

    page = page.fill_in({"tricks-0": "4", "tricks-1": "5"}, press=SHOW)

    assert page.status == 409
    assert page.code == "stale_version"
    fields = page.fields(SHOW)
    assert (fields["partners"], fields["monster"], fields["tricks-0"]) == ("1", "2", "4")
    page = page.press(SHOW)
    assert changes_of(page) == ["Ana: tricks 5 → 4", "Ben: tricks 4 → 5"]
    page.press(CONFIRM)
    assert round_2.state.finished[0].teams.own == (0, 1)


def test_what_happens_in_another_round_does_not_disturb_the_correction(round_2: Table, ana: Phone) -> None:
    page = ana.open("correct", 1)
    round_2.record("trump red")

    page = page.fill_in({"tricks-0": "4", "tricks-1": "5"}, press=SHOW)

    assert changes_of(page) == ["Ana: tricks 5 → 4", "Ben: tricks 4 → 5"]


def test_a_correction_that_is_refused_after_its_preview_keeps_its_figures(finished: Table, ana: Phone) -> None:
    page = ana.open("correct", 1).fill_in({"tricks-0": "4", "tricks-1": "5"}, press=SHOW)
    finished.amend(instead(1, "open 0 discard_1 blue black 2"), instead(3, "tally 4+1 4+1 3+1"))

    page = page.press(CONFIRM)

    assert page.status == 422
    fields = page.fields(SHOW)
    assert (fields["discard"], fields["tricks-0"], fields["tricks-1"]) == ("discard_1", "4", "5")


def test_a_later_round_that_would_become_impossible_is_named(db: None) -> None:
    table = Table(dutch(3, rounds=2), *ROUND_1[:2], *TRICKS[:3])

    page = sit_down(table).open("correct", 1).fill_in({"partners": "1"}, press=SHOW)
    assert changes_of(page)

    table.record("trick 0+2")
    page = sit_down(table).open("correct", 1).fill_in({"partners": "1"}, press=SHOW)
    assert page.status == 422
    assert page.code == "amendment_conflicts"


def test_each_round_has_its_own_blocks(finished: Table, ana: Phone) -> None:
    assert finished.state.finished[1].board.is_settled
    assert ana.open("correct", 2).fields(SHOW)["trump"] == ROUND_2[0].split()[3]

"""The table page before the tricks: the board, the teams, the reminder to discard."""

from __future__ import annotations

import pytest

from games.rules import Place, RowKey, Setup
from tests.builders import dutch, english, french, italian, placing, wikipedia
from tests.cast.pages import Page, Phone, page_of, sit_down
from tests.cast.tables import ROUND_1, Table

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


# --- placing ---


def turn(page: Page) -> str:
    """The panel that says whose turn it is."""
    return page.root.one("section", class_="turn").text


def row(page: Page, key: str) -> str:
    """The name of a row with what it has decided."""
    title = page.root.one("div", class_=f"row-{key}").one("p", class_="row-title")
    return " ".join(each.text for each in [title.one("span", class_="full"), *title.all("em")])


@pytest.mark.slow
def test_the_panel_follows_the_placing_order_to_the_last_marker(db: None) -> None:
    table = Table(english(5, dealer=2))
    phone = sit_down(table)
    seen = []

    for action in placing(table.state, "0 njet red blue 2"):
        page = phone.open(board="")
        seen.append(page.root.one("section", class_="turn").one("b").text)
        table.record(action)

    assert seen == ["Cleo", "Dan", "Eve", "Ana", "Ben"] * 4
    assert "then" not in turn(page)
    assert [item.text for item in page.root.one("ol", class_="order").all("li")] == [
        *("Cleo: 0", "Dan: 0", "Eve: 0", "Ana: 0", "Ben: 1")
    ]


def test_every_row_is_there_with_every_space_under_its_name(table: Table, ana: Phone) -> None:
    page = ana.open(board="")

    assert [title.one("span", class_="full").text for title in page.root.all("p", class_="row-title")] == [
        *("Start player", "Discard", "Trump", "Super trump", "Points a trick")
    ]
    assert [button.name for button in page.root.all("button", name="space")] == [
        *("Cover Ana", "Cover Ben", "Cover Cleo", "raven: nobody plays it"),
        *("Cover discard 1", "Cover discard 2", "Cover no discard"),
        *("Cover red", "Cover black", "Cover blue", "Cover green"),
        *("Cover red 1s", "Cover black 1s", "Cover blue 1s", "Cover green 1s", "Cover no super trump"),
        *("Cover 1 point", "Cover 2 points", "Cover 3 points", "Cover 4 points"),
    ]


def test_suits_are_shown_by_colour_symbol_and_letter(db: None) -> None:
    page = page_of(Table(english(5)), board="")

    letters = page.root.one("div", class_="row-trump").all("span", class_="suit")
    assert [sign.attrs["class"] for sign in letters] == ["suit s-red", "suit s-black", "suit s-blue", "suit s-yellow"]
    assert [sign.one("b").text for sign in letters] == ["R", "K", "B", "Y"]
    assert len({sign.one("path").attrs["d"] for sign in letters}) == 4


@pytest.mark.parametrize(
    ("setup", "spaces"),
    [
        (english(5), [5, 5, 5, 5, 5]),
        (english(2), [5, 5, 5, 5, 5]),
        (english(5, start_row=False), [5, 5, 5, 5]),
        (italian(), [4, 3, 4, 5, 4]),
        (french(3), [4, 3, 4, 5, 4]),
    ],
)
def test_the_board_looks_like_the_printed_one(db: None, setup: object, spaces: list[int]) -> None:
    page = page_of(Table(setup), board="")

    rows = page.root.one("form", class_="board").all("div", class_="board-row")
    assert [len(each.all("button", name="space")) for each in rows] == spaces


def test_tokens_stand_in_the_order_of_the_board_and_absent_ones_are_covered(db: None) -> None:
    page = page_of(Table(dutch(3, tokens=["raven", "bear", "falcon"])), board="")

    spaces = page.root.one("div", class_="row-start").all("button")
    assert [space.name for space in spaces] == ["Cover Ben", "wolf: nobody plays it", "Cover Cleo", "Cover Ana"]
    assert [space.attrs["value"] for space in spaces] == ["start:1", "start:", "start:2", "start:0"]
    assert "disabled" in spaces[1].attrs


def test_a_covered_space_says_by_whom(table: Table, ana: Phone) -> None:
    table.record("trump red")

    space = ana.open().root.one("button", value="trump:red")

    assert space.name == "red trump: covered by Ben"
    assert space.attrs["aria-disabled"] == "true"
    assert space.one("i", class_="marker").attrs["class"] == "marker t-wolf"


@pytest.mark.parametrize(
    ("settled", "words"),
    [
        ("start 0", "Ana starts"),
        ("discard pass_2_right", "Everybody passes 2 right"),
        ("trump njet", "No trump"),
        ("supertrump yellow", "Yellow 0s are super trumps"),
        ("points -2", "−2 a trick"),
    ],
)
def test_a_settled_row_says_at_once_what_it_has_decided(db: None, settled: str, words: str) -> None:
    key, left = settled.split()
    table = Table(english(5))
    table.record(*(Place(RowKey(key), space) for space in table.state.ruleset.spaces(RowKey(key)) if space != left))

    page = page_of(table)

    assert row(page, key).endswith(words)
    assert sum(bool(each.all("em")) for each in page.root.all("p", class_="row-title")) == 1


# --- teams ---


def choices(page: Page) -> list[str]:
    """The choices of the start player."""
    return [
        node.name for node in page.root.one("form", class_="choices") if "choice" in node.attrs.get("class", "").split()
    ]


def test_with_3_players_the_start_player_plays_alone_or_with_one_partner(db: None) -> None:
    table = Table(english(3), "open 1 njet red blue 2")

    page = page_of(table)

    assert turn(page) == "B Ben picks partners Ben leads the first trick"
    assert choices(page) == ["alone ×2", "with Ana", "with Cleo"]
    assert page.press("with Cleo").status == 200
    teams = table.state.current.teams
    assert (teams.own, teams.other, teams.monster) == ((1, 2), (0,), 0)


def test_with_3_players_the_monster_is_not_asked_for(db: None) -> None:
    table = Table(dutch(3), "open 1 njet red blue 2")

    page = page_of(table).press("alone")

    assert table.state.current.teams.monster == 1
    assert page.root.one("p", class_="sides").text == "B Ben ×2 scores double against A Ana C Cleo"


def test_with_4_players_the_start_player_takes_one_partner(db: None) -> None:
    table = Table(english(4), "open 3 njet red blue 2")

    page = page_of(table)
    assert choices(page) == ["with Ana", "with Ben", "with Cleo"]

    page = page.press("with Ben")

    teams = table.state.current.teams
    assert (teams.own, teams.other, teams.monster) == ((1, 3), (0, 2), None)
    assert "×2" not in page.root.one("main").text


def test_with_5_players_they_take_one_or_two_and_then_say_who_holds_the_monster(db: None) -> None:
    table = Table(english(5), "open 0 njet red blue 2")
    page = page_of(table)
    assert choices(page) == [
        *("with Ben", "with Cleo", "with Dan", "with Eve"),
        *("with Ben Cleo", "with Ben Dan", "with Ben Eve", "with Cleo Dan", "with Cleo Eve", "with Dan Eve"),
    ]

    page = page.press("with Cleo")

    assert "Ana plays with Cleo" in page.texts("h2")
    assert choices(page) == ["Ana", "Cleo"]
    assert page.press("Other partners").offers("with Dan")
    page = page.press("Cleo")
    teams = table.state.current.teams
    assert (teams.own, teams.other, teams.monster) == ((0, 2), (1, 3, 4), 2)


def test_with_2_players_there_is_nothing_to_choose(db: None) -> None:
    page = page_of(Table(english(2), "open 0 njet red blue 2"))

    assert page.root.one("form", class_="tricks")
    assert page.root.one("p", class_="sides").text == "A Ana against B Ben"


def test_with_script_the_teams_are_named_in_the_fragment(db: None) -> None:
    table = Table(english(5), "open 0 njet red blue 2")
    phone = sit_down(table, htmx=True)

    page = phone.open().press("with Cleo")
    assert page.is_fragment
    page = page.press("Cleo")

    assert page.is_fragment
    assert table.state.current.teams.monster == 2


def test_where_the_start_row_is_not_used_the_table_may_agree_on_another_start_player(db: None) -> None:
    table = Table(english(5, dealer=1, start_row=False), "open njet red blue 2")
    page = page_of(table)
    assert turn(page) == "B Ben picks partners Ben leads the first trick"
    assert "The table agreed on another start player" in page.text

    page = page.press("Dan")

    assert turn(page) == "D Dan picks partners Dan leads the first trick"
    assert "with Dan" not in choices(page)
    page = page.press("with Ana").press("Ana")
    current = table.state.current
    assert (current.conditions.start, current.teams.own, current.teams.monster) == (3, (0, 3), 0)
    assert "Dan starts" in page.root.one("ul", class_="strip").text


def test_where_the_board_settles_the_start_player_no_other_can_be_named(table: Table, ana: Phone) -> None:
    table.record(ROUND_1[0])

    assert "another start player" not in ana.open().text
    assert turn(ana.open(start="2")) == "A Ana picks partners Ana leads the first trick"


@pytest.mark.parametrize("partners", ["0", "1-2-3", "x", "-", "alone", "99"])
def test_partners_that_no_one_can_choose_show_the_choices_again(db: None, partners: str) -> None:
    table = Table(english(5), "open 0 njet red blue 2")

    assert len(choices(page_of(table, partners=partners))) == 10


def test_a_start_player_that_cannot_be_read_is_refused(table: Table, ana: Phone) -> None:
    page = ana.open(start="x")

    assert (page.status, page.code) == (400, "wrong_type")


# --- the discard reminder ---


def duty(page: Page) -> str:
    """The reminder what everybody now does with their hand."""
    return " ".join(page.texts("small", class_="in-two-lines") + page.texts("p", class_="is-duty"))


@pytest.mark.parametrize(
    ("setup", "space", "reminded"),
    [
        *((english(5), space, (False, True, False)) for space in ("discard_1", "discard_2_no_zero", "pass_2_right")),
        (english(5), "njet", (False, False, False)),
        # By option before the teams, and with two players, who name none, with the settled board.
        (wikipedia(5), "discard_2", (True, False, False)),
        (english(2), "discard_1", (True, True, False)),
    ],
)
def test_everybody_is_reminded_to_discard_at_its_time(
    db: None, setup: Setup, space: str, reminded: tuple[bool, ...]
) -> None:
    table = Table(setup, f"open 0 {space} red blue 2")
    seen = []

    for line in ("team 1 monster 0" if setup.ruleset.players > 2 else "", "trick 0", ""):
        said = duty(page_of(table))
        seen.append(bool(said) and "Nothing" not in said)
        table.record(*([line] if line else []))

    assert tuple(seen) == reminded

"""The table page in every phase: what has to stand on it, as a page and as the fragment that script asks for."""

from __future__ import annotations

import re

import pytest

from games.models import Role
from games.rules import Place, RowKey
from tests.builders import dutch, english, french, italian, placing, wikipedia
from tests.services.tables import ROUND_1, ROUND_2, Table
from tests.views.pages import Page, Phone, sit_down

pytestmark = pytest.mark.django_db


def page_of(table: Table, **query: str) -> Page:
    """The table as a scorekeeper sees it."""
    return sit_down(table).open(**query)


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
        *("Points a trick", "Teams", "Tricks", "Scoring"),
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


def test_a_round_opens_with_its_set_up_card(table: Table, ana: Phone) -> None:
    page = ana.open()

    assert page.root.one("section", class_="card").one("h2").text == "Round 1 of 2: set up"
    assert page.texts("li")[:4] == [
        "Take all 4s out: they stay out for the whole game.",
        "Cover raven in the top row: nobody plays it.",
        "Ana shuffles and deals 12 cards to each player.",
        "Ben, left of the dealer, places first. Everybody has 5 or 4 markers.",
    ]
    assert "2 rounds are no multiple of 3 players: not everybody deals equally often." in page.text


def test_the_set_up_card_leads_to_the_board(table: Table, ana: Phone, ana_htmx: Phone) -> None:
    for phone in (ana, ana_htmx):
        page = phone.open().press("Start placing")

        assert page.status == 200
        assert page.root.one("form", class_="board")


def test_round_1_asks_who_deals_first(table: Table, ana: Phone) -> None:
    page = ana.open()

    assert "These rules let the oldest player deal first." in page.text
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


def test_a_viewer_is_not_asked_who_deals(table: Table, cleo: Phone) -> None:
    assert "Who deals first?" not in cleo.open().text


def test_later_rounds_do_not_ask_who_deals(round_2: Table, ana: Phone) -> None:
    page = ana.open()

    assert "Who deals first?" not in page.text
    assert "no multiple" not in page.text
    assert "Cleo, left of the dealer, places first." in page.text
    assert "Take all 4s out" not in page.text


def test_a_round_that_was_voided_opens_with_its_set_up_card_again(table: Table, ana: Phone) -> None:
    table.record("trump red", "void misdeal")

    assert "Round 1 of 2: set up" in ana.open().text


def test_before_the_last_round_it_says_what_each_player_needs(round_2: Table, ana: Phone) -> None:
    page = ana.open()

    assert "The last round" in page.text
    assert page.root.all("ul", class_="plain")[-1].text == (
        "Ana leads with 24: 6 points ahead. "
        "Ben needs 6 points more than Ana to draw level. "
        "Cleo needs 6 points more than Ana to draw level."
    )


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
    assert ["is-better" in team.attrs["class"] for team in result.all("div", class_="team")] == [True, False]
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

    assert noted.root.one("footer").one("a", class_="is-main").text == "Enter the board"
    assert placed.root.one("footer").one("a", class_="is-main").text == "Start placing"
    for page in (noted, placed):
        assert page.press("Enter the board").address.endswith("/quick/")
        assert page.press("Start placing").root.all("form", class_="board")


def test_by_difference_the_result_says_what_is_written_down(db: None) -> None:
    setup = english(5, score_record="difference")
    table = Table(setup, "open 0 njet black blue 2", "team 1 2 monster 4", "tally 3+1 2+1 2+1 3 2+1")

    page = page_of(table)

    assert "Written down: 20 − 18 = 2" in page.text
    assert "1 A Ana +2 2" in page.text


# --- placing ---


def turn(page: Page) -> str:
    """The panel that says whose turn it is."""
    return page.root.one("section", class_="turn").text


def row(page: Page, key: str) -> str:
    """The name of a row with what it has decided."""
    return page.root.one("fieldset", class_=f"row-{key}").one("legend").text


def test_whose_turn_it_is_and_how_many_markers_each_has_left(table: Table, ana: Phone) -> None:
    table.record("trump red")

    page = ana.open()

    assert turn(page) == "C Cleo covers 5 left · then Ana Ben: 4 Cleo: 5 Ana: 4"


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

    assert [legend.text for legend in page.root.all("legend")] == [
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

    letters = page.root.one("fieldset", class_="row-trump").all("span", class_="suit")
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

    rows = page.root.one("form", class_="board").all("fieldset")
    assert [len(each.all("button", name="space")) for each in rows] == spaces


def test_tokens_stand_in_the_order_of_the_board_and_absent_ones_are_covered(db: None) -> None:
    page = page_of(Table(dutch(3, tokens=["raven", "bear", "falcon"])), board="")

    spaces = page.root.one("fieldset", class_="row-start").all("button")
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
        ("start 0", "Start player Ana starts"),
        ("discard discard_1", "Discard Everybody discards 1 card"),
        ("discard discard_2", "Discard Everybody discards 2 cards"),
        ("discard discard_2_no_zero", "Discard Everybody discards 2, no 0"),
        ("discard pass_2_right", "Discard Everybody passes 2 right"),
        ("discard njet", "Discard Nothing is discarded"),
        ("trump blue", "Trump Blue is trump"),
        ("trump njet", "Trump No trump"),
        ("supertrump yellow", "Super trump Yellow 0s"),
        ("supertrump njet", "Super trump No super trump"),
        ("points 3", "Points a trick 3 a trick"),
        ("points -2", "Points a trick −2 a trick"),
    ],
)
def test_a_settled_row_says_at_once_what_it_has_decided(db: None, settled: str, words: str) -> None:
    key, left = settled.split()
    table = Table(english(5))
    table.record(*(Place(RowKey(key), space) for space in table.state.ruleset.spaces(RowKey(key)) if space != left))

    page = page_of(table)

    assert row(page, key) == words
    assert sum(bool(each.all("em")) for each in page.root.all("legend")) == 1


def test_the_capturable_cards_of_goldsieber_are_ones(table: Table, ana: Phone) -> None:
    table.record(*(f"supertrump {space}" for space in ("red", "blue", "green", "njet")))

    assert row(ana.open(), "supertrump") == "Super trump Black 1s"


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


def test_with_5_players_the_smaller_team_may_be_the_other_one(db: None) -> None:
    table = Table(english(5), "open 4 njet red blue 2")

    page = page_of(table).press("with Ana Dan")

    assert choices(page) == ["Ben", "Cleo"]
    page.press("Ben")
    assert table.state.current.teams.monster == 1


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


def test_where_the_start_row_is_not_used_the_first_placer_starts_by_default(db: None) -> None:
    table = Table(english(4, dealer=1, start_row=False), "open njet red blue 2")

    page_of(table).press("with Dan")

    current = table.state.current
    assert (current.conditions.start, current.teams.own) == (1, (1, 3))


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

    assert page.status == 400
    assert "has to be a whole number" in page.notice


# --- the discard reminder ---

DUTIES = {
    "discard_1": "Everybody now puts 1 card away, face down.",
    "discard_2": "Everybody now puts 2 cards away, face down.",
    "discard_2_no_zero": "Everybody now puts 2 cards away, face down, but no 0.",
    "pass_2_right": "Everybody now gives 2 cards to the right neighbour, all at once.",
}


def duty(page: Page) -> str:
    """The reminder what everybody now does with their hand."""
    return " ".join(page.texts("small", class_="in-two-lines") + page.texts("p", class_="is-duty"))


@pytest.mark.parametrize("space", DUTIES)
def test_after_the_teams_everybody_is_reminded_to_discard(db: None, space: str) -> None:
    table = Table(english(5), f"open 0 {space} red blue 2")
    before = duty(page_of(table))

    table.record("team 1 monster 0")

    assert (before, duty(page_of(table))) == ("", DUTIES[space])


@pytest.mark.parametrize("space", DUTIES)
def test_by_option_everybody_is_reminded_before_the_teams_and_not_again(db: None, space: str) -> None:
    table = Table(wikipedia(5), f"open 0 {space} red blue 2")
    before = duty(page_of(table))

    table.record("team 1 monster 0")

    assert (before, duty(page_of(table))) == (DUTIES[space], "")


@pytest.mark.parametrize("timing", ["before_teams", "after_teams"])
def test_with_2_players_the_reminder_comes_with_the_settled_board(db: None, timing: str) -> None:
    table = Table(english(2, discard_timing=timing), "open 0 discard_1 red blue 2")

    assert duty(page_of(table)) == DUTIES["discard_1"]


def test_once_a_trick_is_recorded_the_reminder_is_gone(db: None) -> None:
    table = Table(english(5), "open 0 discard_1 red blue 2", "team 1 monster 0", "trick 0")

    assert duty(page_of(table)) == ""


def test_where_no_one_discards_there_is_nothing_to_do(db: None) -> None:
    table = Table(english(5), "open 0 njet red blue 2", "team 1 monster 0")

    assert "Nothing is discarded" in page_of(table).text
    assert "puts" not in duty(page_of(table))


# --- counting ---


def test_the_conditions_stand_there_during_the_whole_round(db: None) -> None:
    table = Table(english(5), "open 0 pass_2_right red njet -2")
    phone = sit_down(table)

    for lines in ("team 1 monster 0",), ("trick 0",), ():
        strip = phone.open().root.one("ul", class_="strip")

        assert [item.one("span", class_="sr").text for item in strip.all("li")] == [
            *("Ana starts", "Everybody passes 2 right", "Red is trump", "No super trump", "−2 a trick")
        ]
        table.record(*lines)


def test_tricks_are_counted_one_by_one_with_what_is_still_to_come(db: None) -> None:
    table = Table(
        english(4), "open 0 discard_1 red blue 2", "team 1", *["trick 0+1"] * 4, *["trick 2+2"] * 4, "trick 3"
    )

    page = page_of(table)

    assert page.root.one("p", class_="progress").text == "9 of 14 tricks 12 zeros captured"
    assert "Trick 10: Dan leads. Who wins?" in page.text
    rows = page.root.all("button", class_="choice")
    assert [row.text for row in rows] == ["A Ana 4 0 4", "B Ben 0 0 0", "C Cleo 4 0 8", "D Dan 1 0 0"]
    assert [row.attrs["title"] for row in rows] == [
        *("4 tricks · 4 captured", "0 tricks", "4 tricks · 8 captured", "1 trick")
    ]
    assert [row.attrs["class"] for row in rows] == [
        *("choice is-a", "choice is-a", "choice is-b", "choice is-b is-leading")
    ]


def test_a_number_that_is_impossible_leaves_its_place_empty(db: None) -> None:
    tricks = ["trick 0+2"] * 5 + ["trick 2+1"]

    page = page_of(Table(english(4), "open 0 njet red blue 2", "team 1", *tricks))

    assert "11 zeros captured" in page.text
    assert page.offers("Ben wins the trick and captures 1")
    assert not page.offers("Ben wins the trick and captures 2")
    assert [[slot.text for slot in row.all(class_="plus")] for row in page.root.all("div", class_="winner")] == [
        ["1", ""]
    ] * 4


def test_one_tap_records_a_trick_and_another_one_with_captured_cards(db: None) -> None:
    table = Table(english(4), "open 0 njet red blue 2", "team 1")
    phone = sit_down(table, htmx=True)

    page = phone.open().press("Ana wins the trick")
    page = page.press("Cleo wins the trick and captures 2")

    assert page.is_fragment
    assert [(trick.winner, trick.captured) for trick in table.state.current.tricks] == [(0, 0), (2, 2)]
    assert "2 of 15 tricks" in page.text


def test_a_whole_round_is_counted_with_figures(table: Table, ana: Phone) -> None:
    table.record(*ROUND_1[:2])
    page = ana.open().press("Whole round")
    assert "12 tricks in all" in page.text
    assert page.root.one(has="data-sum-tricks").attrs["data-sum-tricks"] == "%s of 12 tricks"
    button = page.root.one("button", form="tally")
    assert button.attrs["data-missing"] == "Tricks: {rest} missing"
    assert button.attrs["data-many"] == "Captured: {sum}, at most {most}"
    limits = page.root.one("form", id="tally").attrs
    assert (limits["data-tricks"], limits["data-least"], limits["data-most"]) == ("12", "0", "8")

    page = page.fill_in(
        {"tricks-0": "5", "tricks-1": "4", "tricks-2": "3"} | {"captured-0": "1", "captured-1": "1", "captured-2": "1"},
        press="Count the round",
    )

    assert "(5 + 1) × 2 × 2 = 24" in page.text
    assert table.state.totals == (24, 18, 18)


@pytest.mark.parametrize("htmx", [False, True], ids=["page", "fragment"])
def test_an_impossible_tally_is_refused_with_the_missing_sum_and_kept(table: Table, htmx: bool) -> None:
    table.record(*ROUND_1[:2])
    phone = Phone(htmx=htmx).sits(table, table.key)
    page = phone.open(count="tally")

    page = page.fill_in({"tricks-0": "5", "tricks-1": "4", "captured-0": "1"}, press="Count the round")

    assert page.status == 422
    assert page.is_fragment is htmx
    assert "3 tricks are missing: 9 of 12 are entered." in page.notice
    typed = page.fields("Count the round")
    assert [typed[f"tricks-{seat}"] for seat in range(3)] == ["5", "4", ""]
    assert [typed[f"captured-{seat}"] for seat in range(3)] == ["1", "", ""]
    page = page.fill_in({"tricks-2": "3"}, press="Count the round")
    assert page.status == 200
    assert table.state.finished


def test_the_message_of_a_refused_tally_has_the_focus_and_goes_alone(table: Table, ana: Phone) -> None:
    table.record(*ROUND_1[:2])

    page = ana.open(count="tally").fill_in({"tricks-0": "5"}, press="Count the round")

    notice = page.root.one("div", role="alert")
    assert "autofocus" in notice.attrs
    assert notice.one("a").attrs["href"] == "#tally"
    assert page.root.one("form", class_="tally").attrs["id"] == "tally"


def test_a_phone_remembers_how_it_counts(table: Table, ana: Phone, cleo: Phone) -> None:
    table.record(*ROUND_1[:2])
    assert not ana.open().offers("Count the round")

    ana.open(count="tally")
    assert ana.open().offers("Count the round")
    assert ana.open().root.one(id="table").attrs["data-query"] == "?count=tally"
    assert not Phone().sits(table, table.other_key()).open().offers("Count the round")
    assert cleo.open().root.one(id="table").attrs["data-query"] == ""

    ana.open(count="trick")
    assert not ana.open().offers("Count the round")


def test_a_refused_tally_is_shown_although_the_phone_has_begun_to_count_trick_by_trick(
    table: Table, ana: Phone
) -> None:
    table.record(*ROUND_1[:2])
    page = ana.open(count="tally")
    ana.open(count="trick")

    page = page.fill_in({"tricks-0": "5", "captured-1": "x"}, press="Count the round")

    assert page.status == 400
    assert page.fields("Count the round")["tricks-0"] == "5"
    assert page.root.one("p", id="captured-1-error").text


@pytest.mark.parametrize(
    ("tricks", "captured", "sentence"),
    [
        ("5 4 4", "0 0 0", "1 trick too many: 13 are entered, the round had 12."),
        ("5 4 2", "0 0 0", "1 trick is missing: 11 of 12 are entered."),
        ("12 0 0", "0 1 0", "Ben has captured cards but no trick."),
        ("1 1 10", "3 0 0", "Ana cannot have captured 3 cards: at most 2."),
        ("4 4 4", "4 3 2", "9 captured cards are too many: the deck has 8."),
        ("-1 8 5", "0 0 0", "Tricks and captured cards cannot be negative."),
        ("4.5 4 4", "0 0 0", "has to be a whole number"),
    ],
)
def test_every_impossible_tally_is_refused_in_words(
    table: Table, ana: Phone, tricks: str, captured: str, sentence: str
) -> None:
    table.record(*ROUND_1[:2])
    figures = {f"tricks-{seat}": value for seat, value in enumerate(tricks.split())}
    figures |= {f"captured-{seat}": value for seat, value in enumerate(captured.split())}

    page = ana.open(count="tally").fill_in(figures, press="Count the round")

    assert sentence in page.notice
    assert "seat" not in page.notice.lower()
    assert not table.state.finished


def test_where_everybodys_cards_count_too_few_captures_are_refused(db: None) -> None:
    table = Table(french(4), "open 0 njet red blue 2", "team 1")

    page = page_of(table, count="tally").fill_in({"tricks-0": "10", "captured-0": "7"}, press="Count the round")

    assert "7 captured cards are too few: at least 8 have to turn up." in page.notice
    assert "Captured: all ones in the trick." in page.text


def test_a_table_that_counted_at_once_is_asked_to_do_so_again(round_2: Table, ana: Phone) -> None:
    round_2.record(*ROUND_2[:2])

    assert ana.open().offers("Count the round")


def test_a_table_that_counted_trick_by_trick_goes_on_like_that(round_2: Table, ana: Phone) -> None:
    round_2.record(*ROUND_2[:2], "trick 0")

    assert not ana.open().offers("Count the round")
    assert ana.open().press("Whole round").offers("Count the round")


def test_a_table_changes_from_counting_at_once_to_trick_by_trick_and_back_between_rounds(db: None) -> None:
    table = Table(dutch(3, rounds=4), *ROUND_1, *ROUND_2[:2])
    phone = sit_down(table)

    page = phone.open().press("Tricks")
    assert not page.offers("Count the round")
    page = page.press("Ben wins the trick")
    assert page.offers("Ben wins the trick")
    table.record(*["trick 1"] * 10)
    phone.open().press("Ana wins the trick")
    assert [bool(done.tricks) for done in table.state.finished] == [False, True]

    table.record("open 2 njet red black 1", "team 1 monster 0")
    assert phone.open().offers("Ben wins the trick")
    phone.open().press("Whole round").fill_in({"tricks-0": "5", "tricks-1": "7"}, press="Count the round")
    assert [bool(done.tricks) for done in table.state.finished] == [False, True, False]


def test_tricks_that_were_counted_give_way_to_the_count_of_the_whole_round(table: Table, ana: Phone) -> None:
    table.record(*ROUND_1[:2], "trick 0", "trick 2")

    page = ana.open(count="tally")
    fields = page.fields("Count the round")
    assert [fields[f"tricks-{seat}"] for seat in range(3)] == ["1", "0", "1"]
    page.fill_in({"tricks-0": "5", "tricks-1": "7", "tricks-2": ""}, press="Count the round")

    (done,) = table.state.finished
    assert ([won.tricks for won in done.won], done.tricks) == ([5, 7, 0], ())


def test_the_last_trick_counts_the_round(table: Table, ana: Phone) -> None:
    table.record(*ROUND_1[:2], *["trick 0"] * 11)

    page = ana.open().press("Ben wins the trick")

    assert "Round 1" in page.root.one("section", class_="result").text
    assert table.state.totals == (44, 2, 2)


# --- the end ---


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


def test_a_game_that_was_finished_early_says_so(round_2: Table, ana: Phone) -> None:
    round_2.record("trump red", "finish")

    page = ana.open()

    assert "Finished early, after 1 of 2 rounds." in page.text
    assert page.root.one("h1").text == "The end 1 round"


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


def test_a_viewer_who_opened_a_page_is_not_made_a_scorekeeper_by_it(table: Table) -> None:
    phone = sit_down(table, role=Role.VIEWER)

    phone.open()

    assert phone.open("menu").offers("Delete this game") is False


# --- a viewer while tricks are counted ---


@pytest.mark.parametrize("count", ["tally", "trick"])
def test_a_viewer_reads_the_count_and_finds_nothing_to_fill_in(table: Table, cleo: Phone, count: str) -> None:
    table.record("open 0 njet blue black 2", "team alone monster 0", "trick 1+1", "trick 0", "trick 1")

    page = cleo.open(count=count)

    assert not page.root.all("input", type="number")
    assert not page.root.all("button", class_="step")
    assert "3 of 12 tricks" in page.text
    assert [line.text for line in page.root.one("ul", class_="counts").all("li")] == [
        "A Ana ×2 1 1 0 1 trick",
        "B Ben 2 1 1 2 tricks · 1 captured",
        "C Cleo 0 1 0 0 tricks",
    ]


def test_a_viewer_of_a_round_that_is_counted_at_its_end_sees_no_noughts(round_2: Table, cleo: Phone) -> None:
    round_2.record("open 1 njet red green 3", "team 0 monster 2")

    page = cleo.open()

    assert not page.root.all("input", type="number")
    assert "12 tricks in all" in page.text
    assert "The figures appear when the round has been counted." in page.text
    assert not page.root.all("ul", class_="counts")

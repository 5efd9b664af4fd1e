"""The big board for a television: one fragment, read only, for anyone who may see the table."""

from __future__ import annotations

import pytest

from tests.builders import english
from tests.cast.digital import DigitalTable, cards_on_table, over, rounds_finished
from tests.cast.pages import Node, Page, Phone, sit_down
from tests.cast.seats import watching
from tests.cast.tables import Table

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


def tops(page: Page) -> list[str]:
    """The elements that lie in nothing else."""
    return [node.attrs.get("id", node.tag) for node in page.root.inside if isinstance(node, Node)]


def headline(page: Page) -> str:
    """What is written largest."""
    return page.root.one("section", class_="headline").text


# --- who may look ---


def test_a_viewer_sees_what_a_scorekeeper_sees(round_2: Table, ana: Phone, cleo: Phone) -> None:
    assert cleo.open("screen").html == ana.open("screen").html


def test_it_offers_nothing_but_the_way_back(round_2: Table, ana: Phone) -> None:
    page = ana.open("screen")

    assert not page.root.all("form") + page.root.all("button") + page.root.all("input")
    assert [link.attrs["href"] for link in page.root.all("a")] == [ana.address_of("table")]


def test_the_menu_leads_to_it(table: Table, cleo: Phone) -> None:
    assert headline(cleo.open("menu").press("Big board for a TV").press("Show it on this screen"))


# --- what is sent ---


def test_it_is_a_page_around_one_fragment(round_2: Table, ana: Phone, ana_htmx: Phone) -> None:
    page, fragment = ana.open("screen"), ana_htmx.open("screen")

    assert page.is_page
    assert tops(fragment) == ["screen"]
    assert fragment.html.strip() in page.html


def test_the_fragment_says_its_version_and_where_to_listen(round_2: Table, ana: Phone) -> None:
    root = ana.open("screen").root.one(id="screen")

    assert root.attrs["data-version"] == "3"
    assert root.attrs["data-live-url"] == ana.address_of("live")
    assert "data-live" in root.attrs
    assert "data-next" not in root.attrs


def test_a_game_that_is_over_may_be_followed_by_another(finished: Table, ana: Phone) -> None:
    assert "data-next" not in ana.open("screen").root.one(id="screen").attrs


def test_a_screen_that_shows_the_latest_version_is_sent_nothing(round_2: Table, ana_htmx: Phone) -> None:
    unchanged, changed = ana_htmx.open("screen", since="3"), ana_htmx.open("screen", since="2")

    assert (unchanged.status, unchanged.html) == (204, "")
    assert "NJET-Here" in unchanged.response.headers
    assert changed.status == 200
    assert tops(changed) == ["screen"]


def test_the_same_version_of_a_restored_database_is_sent(round_2: Table, ana_htmx: Phone) -> None:
    shown = ana_htmx.open("screen").root.one(id="screen").attrs["data-epoch"]

    assert ana_htmx.open("screen", since="3", epoch=shown).status == 204
    assert ana_htmx.open("screen", since="3", epoch="another").status == 200
    assert ana_htmx.open("table", since="3", epoch="another").status == 200


@pytest.mark.parametrize("since", ["", "x", "-1", "99999999999999999999", "3 "])
def test_any_other_version_is_answered_with_the_fragment(round_2: Table, ana_htmx: Phone, since: str) -> None:
    assert ana_htmx.open("screen", since=since).status == 200


# --- what is shown ---


def test_while_markers_are_placed_it_shows_the_board_and_whose_turn_it_is(db: None) -> None:
    page = sit_down(Table(english(5), "trump red", "points 4")).open("screen")

    assert headline(page) == "C Cleo covers 4 left, then Dan"
    assert page.texts("span", id="trump-red") == ["red trump: covered by Ana R A"]
    assert page.texts("span", id="points-1") == ["1 point: open 1 1 point"]
    assert page.texts("ol", class_="left") == ["A Ana: 3 B Ben: 3 C Cleo: 4 D Dan: 4 E Eve: 4"]


def test_the_marker_that_was_placed_last_has_a_ring(db: None) -> None:
    def ringed(page: Page) -> list[str]:
        spaces = page.root.all("span", class_="space")
        return [space.attrs["id"] for space in spaces if "is-latest" in space.attrs["class"].split()]

    table = Table(english(5), "trump red", "points 4")
    phone = sit_down(table)

    assert ringed(sit_down(Table(english(5))).open("screen")) == []
    assert ringed(phone.open("screen")) == ["points-4"]
    table.undo()
    assert ringed(phone.open("screen")) == ["trump-red"]


def test_the_code_to_join_is_shown_until_a_phone_or_a_bot_has_every_seat(table: Table, ana: Phone) -> None:
    def shows_code(screen: Page) -> bool:
        return bool(screen.root.all("div", class_="come"))

    digital = DigitalTable(english(4))
    before = shows_code(watching(digital).open("screen"))
    digital.free(2)

    free = shows_code(watching(digital).open("screen"))
    digital.put_bot(2, "easy")

    assert (before, free, shows_code(watching(digital).open("screen"))) == (False, True, False)
    assert shows_code(ana.open("screen"))


def test_before_the_first_result_the_board_has_the_whole_screen(db: None) -> None:
    def has_side(screen: Page) -> bool:
        is_alone = "is-alone" in screen.root.one(id="screen").attrs["class"].split()
        assert is_alone != bool(screen.root.all("section", class_="race-side"))
        return not is_alone

    game = DigitalTable(english(4, rounds=2))
    assert not has_side(watching(game).open("screen"))
    assert has_side(watching(game.play_on(rounds_finished(1))).open("screen"))


def test_who_deals_is_said_while_markers_are_placed_and_which_trick_is_played_then(db: None) -> None:
    game = DigitalTable(english(4))
    placing = watching(game).open("screen").root.one("h1").text
    tricks = watching(game.play_on(cards_on_table(1))).open("screen").root.one("h1").text

    assert placing.endswith("Ana deals")
    assert tricks == placing.replace("Ana deals", "trick 1 of 15")


def test_the_end_of_a_digital_game_has_the_standings_and_how_the_last_points_came_about(db: None) -> None:
    page = watching(DigitalTable(english(4, rounds=1)).play_on(over)).open("screen")

    assert [each.text.count("=") for each in page.root.all("p", class_="brought")] == [1, 1]
    assert len(page.root.all("table", class_="scores")) == 1
    assert page.root.one("h1").text == "The end 1 round"


def test_a_settled_row_says_what_it_has_decided(db: None) -> None:
    covered = [f"trump {suit}" for suit in ("red", "blue", "yellow", "njet")]

    page = sit_down(Table(english(5), *covered)).open("screen")

    assert "Black is trump" in page.texts("em")
    assert page.root.one("span", id="trump-black").attrs["class"] == "space is-left"


def test_the_settled_board_stays_until_the_teams_are_named(db: None) -> None:
    page = sit_down(Table(english(5), "open 0 discard_2 black blue 2")).open("screen")

    assert headline(page) == "A Ana names the teams"
    assert len(page.root.all("div", class_="row")) == 5
    assert not page.root.all("ol", class_="left")


def test_while_tricks_are_counted_it_shows_teams_monster_and_progress(db: None) -> None:
    lines = ["open 0 njet black blue 2", "team 1 2 monster 4", "trick 0+1", "trick 3"]

    page = sit_down(Table(english(5), *lines)).open("screen")

    assert page.texts("ul", class_="side") == [
        "A Ana 1 trick · 1 captured 1 0 1 B Ben 0 tricks 0 0 0 C Cleo 0 tricks 0 0 0",
        "D Dan 1 trick 1 0 0 E Eve ×2 holds the monster 0 tricks 0 0 0",
    ]
    assert page.texts("p", class_="brought") == [
        "1 Team 1: 1 trick and 1 captured card; 4 points so far 4",
        "2 Team 2: 1 trick; 2 points so far 2",
    ]
    assert page.texts("div", class_="so-far") == ["2 of 12 tricks 1 zero captured"]
    progress = page.root.one("progress").attrs
    assert (progress["value"], progress["max"]) == ("2", "12")


def test_each_card_of_a_trick_has_the_number_of_its_team_as_the_points_have(db: None) -> None:
    game = DigitalTable(english(4))
    game.play_on(cards_on_table(2))
    assert game.state.current is not None
    assert game.state.current.teams is not None
    own = {game.state.setup.names[seat] for seat in game.state.current.teams.own}

    page = watching(game).open("screen")

    for place in page.root.one("ol", class_="trick").all("li"):
        number, name = place.one("b", class_="team-number").text, place.one("span", class_="one").text
        assert number == ("1" if name in own else "2")
    brought = [points.one("b", class_="team-number").text for points in page.root.all("p", class_="brought")]
    assert brought == ["1", "2"]
    assert page.root.all("ul", class_="side")[0].all("span", class_="one")[0].text in own


def test_a_round_that_is_counted_at_once_shows_no_misleading_zeros(db: None) -> None:
    page = sit_down(Table(english(5), "open 0 njet black blue 2", "team 1 2 monster 4")).open("screen")

    assert "0 tricks" not in page.text
    assert page.texts("div", class_="so-far") == ["12 tricks in all"]


def test_the_score_table_and_the_race_stand_beside_it(round_2: Table, ana: Phone) -> None:
    page = ana.open("screen")

    rows = [row.text for row in page.root.one("table", class_="scores").all("tr")]
    assert rows[1:] == ["1 A Ana 24 24", "2 B Ben 18 18", "2 C Cleo 18 18"]
    assert page.root.one("svg", class_="race").attrs["aria-label"].startswith("Totals after 1 round: Ana 24")


def test_at_the_end_it_shows_the_winner_and_the_final_standings(finished: Table, ana: Phone) -> None:
    page = ana.open("screen")

    assert headline(page) == "A Ana wins, 54"
    assert page.root.one("h1").text == "The end 2 rounds"
    assert len(page.root.all("table", class_="scores")) == 1

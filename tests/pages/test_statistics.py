"""The statistics: figures are those of the games, few are said to be few, a page costs the same for any number."""

from __future__ import annotations

import random

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from games.groups import totals
from games.models import Game, Group, Player
from games.services import group_players
from tests.builders import dutch, english, placing
from tests.cast.groups import FRIENDS, CastGroup, of_chance
from tests.cast.pages import Node, Page, Phone
from tests.cast.tables import ROUND_1

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

# Worked example 1 of the rules: three against two, 20 each and 18 each; the monster is Eve's.
FIVE = ("open 0 njet black blue 2", "team 1 2 monster 4", "tally 3+1 2+1 2+1 3 2+1")
# Worked example 4: Ana alone against two, 24 to 18.
ALONE = ROUND_1
# At −2 Ana takes Cleo: 4 tricks and 1 captured card, Ben and Dan take the others.
MINUS = ("open 0 njet red blue -2", "team 2", "tally 2+1 6 2 5")


@pytest.fixture
def friends() -> CastGroup:
    """A group in which nothing was played yet."""
    return CastGroup()


@pytest.fixture
def played(friends: CastGroup) -> CastGroup:
    """The same after three games of a round each, whose figures are reckoned by hand below."""
    friends.play(english(5, rounds=1), *FIVE)
    friends.play(dutch(3, rounds=1), *ALONE)
    friends.play(english(4, rounds=1), *MINUS)
    return friends


@pytest.fixture
def phone(friends: CastGroup) -> Phone:
    """The owner's phone."""
    return Phone().joins(friends.key)


def statistics(phone: Phone, friends: CastGroup) -> Page:
    return phone.get(reverse("games:group_statistics", args=[friends.id]))


def player(phone: Phone, friends: CastGroup, name: str) -> Page:
    return phone.get(reverse("games:player", args=[friends.id, friends.player(name).pk]))


def pair(phone: Phone, friends: CastGroup, one: str, other: str) -> Page:
    ids = sorted((friends.player(one).pk, friends.player(other).pk))
    return phone.get(reverse("games:pair", args=[friends.id, *ids]))


def tiles(page: Page) -> list[str]:
    """The figures that stand out."""
    return [tile.text for tiles in page.root.all("ul", class_="tiles") for tile in tiles.all("li")]


def lines(table: Node) -> list[list[str]]:
    """The rows of a table under its head."""
    return [[cell.text for cell in row if cell.tag in ("th", "td")] for row in table.one("tbody").all("tr")]


def bars(page: Page, head: str) -> list[list[str]]:
    """The table whose first column is called so."""
    found = [table for table in page.root.all("table") if head in [each.text for each in table.all("th", scope="col")]]
    return lines(found[0])


# --- the figures, reckoned by hand ---


def test_the_page_of_a_group_tells_what_its_games_add_up_to(played: CastGroup, phone: Phone) -> None:
    page = statistics(phone, played)

    # Twelve seats wrote 3 × 20 + 2 × 18, 24 + 2 × 18 and −2 × 10 − 2 × 22: 92 points.
    assert tiles(page)[:3] == ["3 games 2 shared victories", "3 rounds", "7.7 points a round"]
    assert "1 round at −2 (33%): −16.0 points each on average." in page.text
    # Holding it brought Eve 18 and Ana 24; the others got 20, 20, 20, 18 and 18, 18.
    assert "The monster brings +2.0 points a round. Its team wins 50% of 2 rounds." in page.text
    assert bars(page, "In rounds with a monster") == [["The holder", "21.0"], ["Everybody else", "19.0"]]
    # All three start players won; 4 + 3 + 1 cards were captured with 12 + 12 + 15 tricks.
    assert tiles(page)[3:] == [
        "100% of rounds won by the start player’s team",
        "0.21 captured cards a trick",
        "24 highest team score",
        "−22 lowest team score",
    ]


def test_a_group_without_monster_cards_reads_of_who_plays_alone(friends: CastGroup, phone: Phone) -> None:
    friends.play(dutch(3, rounds=1), *ALONE)

    page, of_ana = statistics(phone, friends), player(phone, friends, "Ana")

    assert "monster" not in (page.text + of_ana.text).lower()
    assert "Playing alone brings +6.0 points a round and wins 100% of 1 round." in page.text
    assert bars(page, "In rounds with somebody alone") == [["Alone", "24.0"], ["Everybody else", "18.0"]]
    roles = [line[0] for line in bars(of_ana, "Role")]
    assert roles == ["Every round", "Start player usual: 70%", "Alone against two usual: 70%"]


def test_the_ranking_has_everybody_with_games_won_and_points(played: CastGroup, phone: Phone) -> None:
    table = statistics(phone, played).root.one("table", class_="ranking")

    rows = {
        row.one("a").attrs["href"]: [cell.text for cell in row.all("td")] for row in table.all("tr") if row.all("a")
    }
    of = {name: rows[reverse("games:player", args=[played.id, played.player(name).pk])] for name in FRIENDS[:5]}
    assert [each[2:] for each in of.values()] == [
        ["100%", "11.3"],
        ["33%", "5.3"],
        ["67%", "9.3"],
        ["0%", "-2.0".replace("-", "−")],
        ["0%", "18.0"],
    ]
    assert "3 games · 3 wins in a row" in table.text


@pytest.mark.slow
def test_no_one_has_a_place_while_the_rating_is_settling(friends: CastGroup, phone: Phone) -> None:
    chance = random.Random(4)
    for day in range(10, 28):
        friends.bring(*of_chance(chance, FRIENDS[:5], rounds=8), at=f"2026-03-{day}T20:00:00Z")
    friends.bring(*of_chance(chance, ("Finn", "Ana", "Ben"), rounds=8), at="2026-03-28T20:00:00Z")

    table = statistics(phone, friends).root.one("table", class_="ranking")

    settled, settling = table.all("tbody")
    assert [cell.text for cell in settled.all("td", class_="place")] == ["1", "2", "3", "4", "5"]
    ratings = [float(cell.text.replace(",", "")) for cell in settled.all("td", class_="rate")]
    assert ratings == sorted(ratings, reverse=True)
    assert settling.text.startswith("Not certain yet F Finn 1 game")
    assert [cell.text for cell in settling.all("td", class_="place")] == [""]
    assert [cell.text for cell in settling.all("td", class_="rate")] == ["–"]

    # The group's own page shows the first three.
    best = phone.get(reverse("games:group", args=[friends.id])).root.one(class_="best").all(class_="who")
    assert [each.one("bdi").text for each in best] == [each.one(class_="called").text for each in settled.all("tr")][:3]
    assert [each.one("b").text for each in best] == [cell.text for cell in settled.all("td", class_="rate")][:3]


def test_the_group_shows_no_best_players_while_all_ratings_are_settling(played: CastGroup, phone: Phone) -> None:
    assert "who blocks what, with whom you win, the rating" in phone.get(reverse("games:group", args=[played.id])).text


def test_who_has_chosen_no_token_has_the_colour_of_the_last_game(played: CastGroup, phone: Phone) -> None:
    seats = played.player("Ana").seats.order_by("-counted_at")
    worn = seats.values_list("token", flat=True)[0]

    assert statistics(phone, played).root.one("table", class_="ranking").all(class_=f"t-{worn}")
    assert player(phone, played, "Ana").root.one(class_="faces").one(class_="token").attrs["class"] == f"token t-{worn}"


def test_the_page_of_a_player_tells_every_role(played: CastGroup, phone: Phone) -> None:
    page = player(phone, played, "Ana")

    # 20 + 24 − 10 in three rounds, all of them won.
    assert bars(page, "Role") == [
        ["Every round", "100%", "11.3", "3* only 3"],
        ["Start player usual: 63%", "100%", "11.3", "3* only 3"],
        ["Alone against two usual: 70%", "100%", "24.0", "1* only 1"],
        ["With the monster", "100%", "24.0", "1* only 1"],
    ]
    assert tiles(page)[3] == "– rating not certain yet"
    assert tiles(page)[:3] + tiles(page)[4:] == [
        "100% games won 3 of 3 games, 2 shared",
        "11.3 points a round 3 rounds",
        "3 longest streak of won games now 3 wins in a row",
        "0.30 captured cards a trick the group: 0.21",
        "−10.0 points a round at −2 only 1 round; the group: −16.0",
        "24 best round of the team",
        "−10 worst round of the team",
    ]


def test_partners_stand_by_what_was_won_with_them_and_lead_to_the_pair(played: CastGroup, phone: Phone) -> None:
    page = player(phone, played, "Ana")

    assert bars(page, "Partner") == [["C Cleo", "100%", "5.0", "2* only 2"], ["B Ben", "100%", "20.0", "1* only 1"]]
    assert page.press("Ben").address == pair(phone, played, "Ana", "Ben").address


@pytest.mark.slow
def test_partners_with_many_rounds_stand_before_those_with_few(friends: CastGroup, phone: Phone) -> None:
    friends.play(english(4, rounds=31), *("open 0 njet red blue 1", "team 1", "tally 0 0 15 0") * 31)
    friends.play(english(4, rounds=1), "open 0 njet red blue 1", "team 2", "tally 15 0 0 0")

    page = player(phone, friends, "Ana")

    first, second = (table for table in page.root.all("table") if table.all("th")[0].text == "Partner")
    assert lines(first) == [["B Ben", "0%", "0.0", "31"]]
    assert lines(second) == [["C Cleo", "100%", "15.0", "1* only 1"]]


def test_the_page_of_a_pair_tells_of_both_sides(played: CastGroup, phone: Phone) -> None:
    page = pair(phone, played, "Ben", "Ana")

    assert tiles(page) == ["3 games at one table 1 won by both", "1 rounds as partners", "2 rounds against each other"]
    assert bars(page, "In one team") == [
        ["Together", "100%", "20.0", "1* only 1"],
        ["Ana overall", "100%", "11.3", "3* only 3"],
        ["Ben overall", "33%", "5.3", "3* only 3"],
    ]
    assert "In 1 of these rounds one of them was start player and chose the other: 100% won." in page.text
    assert "Of 3 rounds at one table they spent 33% on the same side." in page.text


def test_markers_are_shown_by_space_and_by_who_came_first(friends: CastGroup, phone: Phone) -> None:
    setup = english(4, rounds=1)
    friends.play(setup, *placing(setup, "0 njet red blue 2"), "team 1", "tally 5 5 5 0")

    of_group, of_ana = statistics(phone, friends), player(phone, friends, "Ana")

    first_in_row = {line[0]: line[1:] for line in bars(of_group, "First in its row")}
    assert first_in_row["Another’s token"] == ["1", "100%", "3", "1"]
    assert first_in_row["Discard 1"] == ["1", "100%", "1", "0"]
    assert first_in_row["Discard 2"] == ["0", "0%", "1", "0"]
    assert first_in_row["No discard"] == ["0", "0%", "0", "0"]
    # Ana placed the first, the fifth, the ninth … marker.
    covered = [line[0] for line in bars(of_ana, "In 100 rounds") if line[1] == "1"]
    assert covered == ["Another’s token", "Discard 2", "Blue trump", "Black super trump", "3 points"]
    assert firsts(of_ana) == firsts(of_group) == [["Another’s token", "100%", "1"]]
    assert {line[0] for line in lines(boards(of_ana)[1]) if line[2] == "100%"} == {
        *("No discard", "Red trump", "Blue super trump", "2 points")
    }


def firsts(page: Page) -> list[list[str]]:
    """Where the first marker went."""
    return next(
        lines(each) for each in page.root.all("table", class_="bars") if each.all("th")[0].text == "First marker"
    )


def boards(page: Page) -> list[Node]:
    """The tables beside the drawings of the board."""
    return [each for each in page.root.all("table", class_="data") if each.all("th")[0].text == "Space"]


# --- drawings ---


def test_every_drawing_says_what_it_shows_and_has_its_table(played: CastGroup, phone: Phone) -> None:
    setup = english(4, rounds=1)
    played.play(setup, *placing(setup, "0 njet red blue 2"), "team 1", "tally 5 5 5 0")

    for page in (statistics(phone, played), player(phone, played, "Ana")):
        drawings = page.root.all(role="img")

        assert len(drawings) > 1
        for drawing in drawings:
            assert len(drawing.attrs["aria-label"]) > 30
            siblings = [node for node in drawing.parent.inside if isinstance(node, Node)]
            following = siblings[siblings.index(drawing) + 1]
            assert following.tag == "details"
            assert following.one("table").all("td")
        for svg in page.root.all("svg"):
            silent = svg.attrs.get("aria-hidden") == "true" or "s-" in svg.parent.attrs.get("class", "")
            assert silent or any(svg is node for drawing in drawings for node in drawing)


def test_the_curve_leads_from_game_to_game(played: CastGroup, phone: Phone) -> None:
    page = player(phone, played, "Ana")

    assert (
        "Rating of Ana after each of the last 3 games: from "
        in page.root.one("svg", class_="rating").attrs["aria-label"]
    )
    games = bars(page, "Won in a row")
    assert [line[3] for line in games] == ["3", "2", "1"]
    latest = Game.objects.order_by("-finished_at", "-pk")[0]
    links = [node.attrs["href"] for node in page.root.all("a", class_="link")]
    assert links[0] == reverse("games:sheet", args=[latest.pk])
    assert "from 0" not in page.root.one("svg", class_="rating").attrs["aria-label"]


def test_the_rating_is_explained_where_it_stands(played: CastGroup, phone: Phone) -> None:
    for page in (statistics(phone, played), player(phone, played, "Ana")):
        (explained,) = page.root.all("details", class_="explained")

        assert explained.one("summary").text == "How the rating works"
        assert "openskill" in explained.text
        assert "wins 70% of the rounds with three players, 61% with four and 59% with five" in explained.text


# --- few games, none at all ---


def test_few_games_are_said_to_be_few(played: CastGroup, phone: Phone) -> None:
    assert "Only 3 games so far" in statistics(phone, played).text
    # Once at the top is enough.
    assert "rounds so far" not in statistics(phone, played).text
    assert "Only 1 game so far" in player(phone, played, "Eve").text
    assert "Only 3 games so far" in pair(phone, played, "Ana", "Ben").text


def test_before_the_first_game_the_pages_say_so_kindly(friends: CastGroup, phone: Phone) -> None:
    group_players.add_player(group_id=friends.id, name="Ana")
    group_players.add_player(group_id=friends.id, name="Ben")

    assert "Nothing is counted yet." in statistics(phone, friends).text
    assert "Nothing is counted for Ana yet." in player(phone, friends, "Ana").text
    assert "Ana and Ben have no finished game at one table yet." in pair(phone, friends, "Ben", "Ana").text


def test_a_game_that_is_not_finished_counts_for_no_one(friends: CastGroup, phone: Phone) -> None:
    friends.play(dutch(3, rounds=2), *ALONE)

    assert "Nothing is counted yet." in statistics(phone, friends).text
    assert "Nothing is counted for Ana yet." in player(phone, friends, "Ana").text


# --- who is who ---


def test_a_player_who_was_merged_leads_to_who_they_are_now(played: CastGroup, phone: Phone) -> None:
    played.play(dutch(3, rounds=1).corrected(names=["Anna", "Ben", "Cleo"]), *ALONE)
    anna, ana, ben = (played.player(name).pk for name in ("Anna", "Ana", "Ben"))
    group_players.merge_players(group_id=played.id, player_id=anna, into_id=ana)

    answer = phone.client.get(reverse("games:player", args=[played.id, anna]))
    of_pair = phone.client.get(reverse("games:pair", args=[played.id, anna, ben]))
    of_one = phone.client.get(reverse("games:pair", args=[played.id, anna, ana]))

    assert answer.headers["Location"] == of_one.headers["Location"] == reverse("games:player", args=[played.id, ana])
    assert of_pair.headers["Location"] == reverse("games:pair", args=[played.id, *sorted((ana, ben))])
    assert "3 of 4 games" not in player(phone, played, "Ana").text
    assert "4 of 4 games" in player(phone, played, "Ana").text


def test_any_order_of_two_players_leads_to_one_page(played: CastGroup, phone: Phone) -> None:
    first, second = sorted((played.player("Ana").pk, played.player("Ben").pk))

    answer = phone.client.get(reverse("games:pair", args=[played.id, second, first]))

    assert answer.headers["Location"] == reverse("games:pair", args=[played.id, first, second])


def test_players_of_other_groups_and_of_none_are_not_there(played: CastGroup, phone: Phone) -> None:
    stranger = group_players.add_player(group_id=CastGroup("Others").id, name="Ana").pk
    ana = played.player("Ana").pk

    for name, ids in (
        ("player", [stranger]),
        ("player", ["0" * 12]),
        ("player", ["a\0b"]),
        ("pair", [ana, stranger]),
        ("pair", [stranger, ana]),
        ("pair", [ana, ana]),
    ):
        page = phone.get(reverse(f"games:{name}", args=[played.id, *ids]))

        assert page.status == 404
        assert "Ana" not in page.text


def test_every_page_leads_back_to_the_group(played: CastGroup, phone: Phone) -> None:
    for page in (statistics(phone, played), player(phone, played, "Ana"), pair(phone, played, "Ana", "Ben")):
        assert page.root.all("a", class_="icon")[0].attrs["href"] == reverse("games:group", args=[played.id])


def test_the_page_of_a_player_leads_to_the_games(played: CastGroup, phone: Phone) -> None:
    page = player(phone, played, "Dan")

    links = {node.text: node.attrs["href"] for node in page.root.all("a", class_="button")}
    games = reverse("games:group_games", args=[played.id])
    assert links["Games of Dan"] == f"{games}?player={played.player('Dan').pk}"


# --- ratings that lag ---


def test_anyone_who_looks_brings_the_ratings_forward(played: CastGroup, phone: Phone) -> None:
    settled = player(phone, played, "Ana").html
    Group.objects.update(rated_at=None, rated_game="")
    Player.objects.update(form={})
    assert totals.unrated(played.row) == 3

    again = player(phone, played, "Ana").html

    assert again == settled
    assert totals.unrated(played.row) == 0


# --- what a page costs ---

LIMIT = 8


def asked(phone: Phone, friends: CastGroup) -> list[int]:
    """How often each page asks the database."""
    counts = []
    for page in (statistics, player, pair):
        names = {statistics: (), player: ("Ana",), pair: ("Ana", "Ben")}[page]
        addresses = page(phone, friends, *names).address
        with CaptureQueriesContext(connection) as queries:
            assert phone.client.get(addresses).status_code == 200
        counts.append(len(queries))
    return counts


@pytest.mark.slow
def test_a_page_asks_the_database_as_often_for_one_game_as_for_many(played: CastGroup, phone: Phone) -> None:
    few = asked(phone, played)
    chance = random.Random(1)
    for day in range(1, 8):
        played.bring(*of_chance(chance, rounds=1), at=f"2026-03-0{day}T20:00:00Z")

    many = asked(phone, played)

    assert few == many
    assert max(many) <= LIMIT

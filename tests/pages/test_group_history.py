"""What a group played, on a phone: its history, its evenings, tables that come and go."""

from __future__ import annotations

import csv
import io
from copy import copy
from datetime import UTC, date, datetime, timedelta
from urllib.parse import parse_qsl

import pytest
from django.utils.formats import date_format

from games.keys import registry
from games.models import Game, Group, GroupRole, Key, Player, Seat
from games.rules import Setup
from games.services import creation, group_players
from games.texts import words
from tests.cast.groups import WON_BY_THE_FIRST, happened, new_group, played, player, three
from tests.cast.pages import Page, Phone, come_in, fields_of, listed
from tests.cast.tables import Table
from tests.laws import rest_slow

pytestmark = pytest.mark.django_db

EVENING = datetime(2026, 11, 19, 18, 0, tzinfo=UTC)


def at(table: Table, began: datetime, *, minutes: int = 60) -> str:
    """Let a finished game have been played then; its id."""
    happened(table.id, began + timedelta(minutes=minutes), began=began)
    return table.id


# --- the history ---


def test_the_history_lists_finished_games_the_newest_first(group: Group, vera: Phone) -> None:
    ids = [at(played(group), EVENING + timedelta(days=day)) for day in (2, 0, 1)]
    Table(three(), group=group)

    page = vera.open("group").press("All games")

    assert listed(page) == [ids[0], ids[2], ids[1]]
    row = page.root.all("ul", class_="is-games")[0].all("li")[0]
    assert row.text.startswith("Ana won")
    assert all(text in row.text for text in ("Ana 54", "Ben 48", "Cleo 48", "21 Nov 2026", "2 rounds", "Dutch"))


ROUND_OF_FOUR = ("open 0 njet black blue 2", "team 1", "tally 4 4 4 3")


@pytest.fixture
def three_games(group: Group) -> dict[str, str]:
    """By day: the 18th with Dan, the 19th with Cleo, the 20th four players by the English rules."""
    of_four = Setup.of(preset="njet-english", names=["Dan", "Cleo", "Eve", "Finn"], options={"rounds": 1})
    return {
        "18": at(played(group, "Ana", "Ben", "Dan"), EVENING - timedelta(days=1)),
        "19": at(played(group, "Ana", "Ben", "Cleo"), EVENING),
        "20": at(Table(of_four, *ROUND_OF_FOUR, group=group), EVENING + timedelta(days=1)),
    }


NARROWED: tuple[tuple[dict[str, str], list[str]], ...] = (
    ({}, ["20", "19", "18"]),
    ({"player": "Dan"}, ["20", "18"]),
    ({"player": "Ana"}, ["19", "18"]),
    ({"preset": "goldsieber-dutch"}, ["19", "18"]),
    ({"preset": "njet-english"}, ["20"]),
    ({"preset": "njet-wikipedia"}, []),
    ({"players": "3"}, ["19", "18"]),
    ({"players": "4"}, ["20"]),
    ({"from": "2026-11-19"}, ["20", "19"]),
    ({"to": "2026-11-19"}, ["19", "18"]),
    ({"from": "2026-11-19", "to": "2026-11-19"}, ["19"]),
    ({"player": "Dan", "from": "2026-11-19", "players": "4"}, ["20"]),
    ({"player": "Dan", "preset": "goldsieber-dutch"}, ["18"]),
    ({"player": "Eve", "to": "2026-11-19"}, []),
)


@pytest.mark.parametrize("page", ["group_games", "group_statistics"])
def test_all_games_of_a_group_are_a_file_for_spreadsheets(group: Group, vera: Phone, page: str) -> None:
    game = played(group)
    (link,) = [node for node in vera.open(page).root.all("a") if node.name == "All games as a file (CSV)"]

    answer = vera.client.get(link.attrs["href"])

    assert "attachment" in answer.headers["Content-Disposition"]
    assert answer.content.startswith(b"\xef\xbb\xbfgame,date,ended,")
    rows = list(csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig"))))
    assert [(row["player"], row["points"], row["won"]) for row in rows] == [
        *(("Ana", "54", "1"), ("Ben", "48", "0"), ("Cleo", "48", "0"))
    ]
    assert {(row["game"], row["rules"], row["rounds"]) for row in rows} == {(game.id, "Goldsieber 1997, Dutch", "2")}


@pytest.mark.slow
def test_the_history_is_narrowed_by_player_rules_number_and_days(
    group: Group, vera: Phone, three_games: dict[str, str], subtests: pytest.Subtests
) -> None:
    for filters, found in NARROWED:
        with subtests.test(str(filters)):
            query = {name: player(group, text).pk if name == "player" else text for name, text in filters.items()}

            page = vera.get(vera.address_of("group_games"), **query)

            assert listed(page) == [three_games[day] for day in found]
            assert ("No finished game like that." in page.text) == (not found)
            form = page.root.one("form", class_="filters")
            assert {name: text for name, text in fields_of(form).items() if text} == query
            # Folded, and it says whether it is in use.
            assert "open" not in page.root.one("details").attrs
            assert (page.root.one("summary").text != "Filter") == bool(query)


def many_games(group: Group, ana: Player, count: int, *, apart: timedelta) -> None:
    """Finished games without a log, three of them at each time."""
    games = [Game(mode="table", preset="njet-english", players=3, setup={}, rules_version=1) for _ in range(count)]
    for number, game in enumerate(games):
        game.group, game.status = group, "finished"
        game.created_at = game.finished_at = EVENING + number // 3 * apart
    Game.objects.bulk_create(games)
    seats = [Seat(game=game, number=0, name="Ana", player=ana, counted_at=game.finished_at) for game in games]
    Seat.objects.bulk_create(seats)


@pytest.mark.parametrize(
    ("instants", "filtered"),
    rest_slow([("equal", False), ("different", True), ("different", False), ("equal", True)], quick=2),
)
def test_page_by_page_every_game_comes_once_forwards_and_backwards(
    group: Group, vera: Phone, instants: str, filtered: bool
) -> None:
    ana = group_players.add_player(group_id=group.pk, name="Ana")
    # The last page is full: nothing comes after it.
    many_games(group, ana, 75, apart=timedelta(minutes=0 if instants == "equal" else 20))
    query = {"player": ana.pk} if filtered else {}

    page = vera.get(vera.address_of("group_games"), **query)
    assert not page.offers("Newer")
    forwards = [listed(page)]
    while page.offers("Older"):
        page = vera.get(page.address, **read_query(page, "next"))
        forwards.append(listed(page))
    backwards = [listed(page)]
    while page.offers("Newer"):
        page = vera.get(page.address, **read_query(page, "prev"))
        backwards.append(listed(page))

    assert [len(each) for each in forwards] == [25, 25, 25]
    assert len({game for each in forwards for game in each}) == 75
    assert backwards == forwards[::-1]


def test_with_a_cursor_that_cannot_be_read_the_history_begins_with_the_newest_game(group: Group, vera: Phone) -> None:
    game = played(group)

    page = vera.get(vera.address_of("group_games"), cursor="nonsense")

    assert page.status == 200
    assert listed(page) == [game.id]


def test_a_filter_that_is_in_use_is_said_while_its_fields_are_folded(group: Group, vera: Phone) -> None:
    played(group)
    rules, day = words.preset_name("goldsieber-dutch"), date_format(date(2026, 1, 2))

    page = vera.get(vera.address_of("group_games"), preset="goldsieber-dutch", players="3", **{"from": "2026-01-02"})

    (summary,) = page.root.all("summary")
    assert summary.text == f"Filter {rules} · 3 players · from {day}"
    assert "open" not in page.root.one("details", class_="rules").attrs
    assert page.press("All games").root.one("summary").text == "Filter"


def read_query(page: Page, rel: str) -> dict[str, str]:
    """The filters and the cursor that a link to another page carries."""
    return dict(parse_qsl(page.root.one("a", rel=rel).attrs["href"].removeprefix("?")))


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ({"from": "yesterday"}, "day"),
        ({"to": "2026-02-30"}, "day"),
        ({"players": "many"}, "number"),
        ({"player": "a\0b"}, "broken characters"),
    ],
)
def test_what_the_history_cannot_read_is_refused_and_the_form_still_works(
    group: Group, vera: Phone, query: dict[str, str], sentence: str
) -> None:
    played(group)

    page = vera.get(vera.address_of("group_games"), **query)

    assert page.status == 400
    assert sentence in page.notice
    assert listed(page) == []
    assert page.root.one("form", class_="filters").all("button")
    assert page.press("Back to the group").status == 200


# --- the evening ---


def test_a_pause_of_more_than_four_hours_ends_an_evening(group: Group, vera: Phone) -> None:
    ends = [
        EVENING,
        # Four hours after the end of the first: the same evening still.
        EVENING + timedelta(hours=5),
        # A minute more.
        EVENING + timedelta(hours=10, minutes=1),
    ]
    ids = [at(played(group, *names), began) for names, began in zip(CASTS, ends, strict=True)]

    pages = [vera.open("evening", game_id) for game_id in ids]

    assert [listed(page) for page in pages] == [ids[:2], ids[:2], ids[2:]]
    assert pages[0].root.one("h1").text == "The evening 19 Nov 2026 · 2 games"


CASTS = (("Ana", "Ben", "Cleo"), ("Ben", "Ana", "Cleo"), ("Ana", "Ben", "Cleo"))


def test_the_table_of_the_night_counts_wins_first_and_points_afterwards(group: Group, vera: Phone) -> None:
    at(played(group, "Ana", "Ben", "Cleo"), EVENING)
    at(played(group, "Ana", "Cleo", "Dan"), EVENING + timedelta(hours=1))
    last = at(played(group, "Ben", "Cleo", "Dan"), EVENING + timedelta(hours=2))

    page = vera.open("evening", last)

    rows = [row.text for row in page.root.one("tbody").all("tr")]
    assert rows == ["1. A Ana 2/2 108", "2. B Ben 1/2 102", "3. C Cleo 0/3 144", "4. D Dan 0/2 96"]
    assert page.press("Ana").address == f"/groups/{group.pk}/players/{player(group, 'Ana').pk}/"


def test_who_did_as_well_stands_on_the_same_place(group: Group, vera: Phone) -> None:
    last = at(played(group), EVENING)

    page = vera.open("evening", last)

    assert [row.all("td")[0].text for row in page.root.one("tbody").all("tr")] == ["1.", "2.", "2."]


def test_the_last_evening_is_one_tap_from_the_group(group: Group, vera: Phone) -> None:
    ids = [at(played(group), EVENING + timedelta(days=day)) for day in (0, 7)]

    assert listed(vera.open("group").press("The last evening")) == ids[1:]


def test_a_table_of_the_group_leads_to_the_evening_of_the_group(group: Group, max_: Phone) -> None:
    ids = [at(played(group), EVENING + timedelta(hours=2 * number)) for number in range(2)]
    table = max_.get(f"/g/{ids[0]}/enter/", sit="").press("Record here")

    response = max_.client.get(f"/g/{ids[0]}/evening/")

    assert table.offers("The evening")
    assert response.headers["Location"] == f"/groups/{group.pk}/evening/{ids[0]}/"


def test_an_unfinished_game_has_no_evening(group: Group, table: Table, ana: Phone, vera: Phone) -> None:
    running = Table(three(), group=group)

    assert vera.open("evening", running.id).status == 404
    assert vera.client.get(f"/g/{running.id}/evening/").headers["Location"] == f"/g/{running.id}/"
    assert ana.client.get(f"/g/{table.id}/evening/").headers["Location"] == f"/g/{table.id}/"


def test_outside_a_group_an_evening_shows_the_rematches_that_this_phone_has_keys_for(
    finished: Table, ana: Phone, ben: Phone
) -> None:
    chain = [finished.id]
    for _ in range(2):
        made = creation.rematch(game=Game.objects.get(pk=chain[-1]), ledger=finished.ledger, creator_label="Ana")
        for line in WON_BY_THE_FIRST:
            table = copy(finished)
            table.id, table.key = made.game.pk, made.creator
            table.record(line)
        chain.append(made.game.pk)
    session_of(ana, [Key.objects.filter(game=each).earliest("pk") for each in chain[1:]])

    of_ana, of_ben = (phone.get(f"/g/{chain[0]}/evening/") for phone in (ana, ben))
    middle = ana.get(f"/g/{chain[1]}/evening/")

    assert listed(of_ana) == listed(middle) == chain
    assert "3 games" in of_ana.root.one("h1").text
    assert listed(of_ben) == chain[:1]
    assert of_ana.press("Back to the table").status == 200


def session_of(phone: Phone, keys: list[Key]) -> None:
    """Let a phone bear more keys, without leaving its table."""
    table, key = phone.table, phone.key
    for each in keys:
        phone.sits(table, each)
    phone.table, phone.key = table, key


# --- a table comes and goes ---


def test_a_table_from_outside_is_taken_into_a_group_with_its_players_and_result(
    finished: Table, ana: Phone, group: Group
) -> None:
    ana.joins(registry.issue(group=group, role=GroupRole.MEMBER, label="Ana"))
    page = ana.open("menu").press("Put this table into a group")
    assert "Ana, Ben, Cleo" in page.text

    page = page.press("Put it into Thursday club")

    assert "This table belongs to Thursday club ." in page.text
    assert page.press("To the group").offers("Ana won")
    assert player(group, "Ana").figures["games"] == 1


def test_an_owner_takes_a_table_out_of_the_group_again(group: Group, olga: Phone) -> None:
    table = played(group)
    olga.sits(table, table.other_key())

    page = olga.open("adopt").press("Take it out of the group")

    assert page.offers("Put it into Thursday club")
    assert listed(olga.open("group_games")) == []
    assert player(group, "Ana").figures.get("games", 0) == 0
    assert olga.open("sheet").status == 200
    assert come_in(group).get(f"/g/{table.id}/sheet/").status == 404


def test_only_an_owner_takes_a_table_out_of_the_group(group: Group, max_: Phone) -> None:
    table = played(group)
    max_.sits(table, table.other_key())

    assert not max_.open("adopt").offers("Take it out of the group")
    assert max_.post("adopt", release="1").status == 403
    assert table.game.group == group


@pytest.mark.parametrize("role", [None, GroupRole.VIEWER])
def test_a_table_is_taken_only_into_a_group_whose_member_one_is(
    finished: Table, ana: Phone, group: Group, role: GroupRole | None
) -> None:
    if role is not None:
        ana.joins(registry.issue(group=group, role=role, label="Ana"))

    page = ana.post("adopt", group=group.pk)

    assert page.status == (404 if role is None else 403)
    assert finished.game.group is None
    assert ana.open("adopt").offers("New group")
    assert "Thursday" not in ana.open("adopt").text


def test_a_table_belongs_to_one_group(group: Group, max_: Phone) -> None:
    table, fridays = played(group), new_group("Fridays")
    max_.sits(table, table.other_key())
    max_.joins(registry.issue(group=fridays, role=GroupRole.OWNER, label="Max"))

    page = max_.post_to(f"/g/{table.id}/group/", {"group": fridays.pk})

    assert (page.status, page.code) == (409, "already_in_group")
    assert table.game.group == group


def test_the_filters_of_the_history_reach_into_no_other_group(group: Group) -> None:
    played(group, "Zelda", "Ben", "Cleo")
    phone = come_in(new_group("Fridays"), GroupRole.OWNER)

    page = phone.get(phone.address_of("group_games"), player=player(group, "Zelda").pk)

    assert listed(page) == []
    assert "Zelda" not in page.html


def test_a_cursor_of_another_group_shows_nothing_of_it(group: Group, vera: Phone) -> None:
    many_games(group, group_players.add_player(group_id=group.pk, name="Ana"), 26, apart=timedelta(minutes=5))
    cursor = read_query(vera.open("group_games"), "next")["cursor"]
    other = come_in(new_group("Fridays"), GroupRole.OWNER)

    assert listed(other.get(other.address_of("group_games"), cursor=cursor)) == []

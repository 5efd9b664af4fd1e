"""A preset, a value of an option and a rule are declared once: pages, REST, files and bots take them from there."""

from __future__ import annotations

import json
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from django.test import Client

from games.bots import strong
from games.bots.knowledge import knowledge_of
from games.bots.playout import Sides, play_out
from games.fast_tricks.tables import Tables
from games.log import store
from games.log.store import Ledger
from games.models import Game
from games.pages.parts.counting import count_view
from games.pages.parts.teams import teams_view
from games.rules import NameTeam
from games.rules.board import Conditions
from games.rules.editions import REMOVALS
from games.rules.options import OPTIONS
from games.rules.redaction import PlayerView, view_for
from games.rules.ruleset import PRESETS, Preset
from tests.builders import CAST, deal_of, digital, english, settled
from tests.cast.pages import Page, Phone

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


ALL_9S = "all_9s"
"""One more value of `three_player_removal`."""


@pytest.fixture(autouse=True)
def swiss(monkeypatch: pytest.MonkeyPatch) -> Preset:
    """One more preset, in which all 9s leave the deck of three players."""
    option, dutch = OPTIONS["three_player_removal"], PRESETS["goldsieber-dutch"]
    monkeypatch.setitem(OPTIONS, "three_player_removal", replace(option, names={**option.names, ALL_9S: "all 9s"}))
    added = replace(
        dutch,
        key="goldsieber-swiss",
        name="Goldsieber 1997, Swiss",
        edition=replace(dutch.edition, removals=(*dutch.edition.removals, ALL_9S)),
        defaults={**dutch.defaults, "three_player_removal": ALL_9S},
    )
    monkeypatch.setitem(REMOVALS, ALL_9S, {9: 1})
    monkeypatch.setitem(PRESETS, added.key, added)
    return added


THE_ROUND = [
    {"type": "conditions", "start": "0", "discard": "njet", "trump": "blue", "supertrump": "black", "points": "2"},
    {"type": "team", "partners": [], "monster": 0},
    {"type": "tally", "tricks": [5, 4, 3], "captured": [1, 1, 1]},
]
TOTALS = [24, 18, 18]


# --- pages ---


def choose_the_preset() -> Page:
    """The page of a new table after the new preset was chosen."""
    return Phone().open("new").press("1 to 9, 1997").press("Goldsieber 1997, Swiss")


def open_table(**fields: str) -> Page:
    """The page of a table of three players by the new preset."""
    names = {f"name-{place}": name for place, name in enumerate(CAST[:3])}
    return choose_the_preset().fill_in({**names, **fields}, press="Start")


def test_the_page_of_a_new_table_offers_the_preset_and_the_value(swiss: Preset) -> None:
    page = choose_the_preset()

    assert page.root.one("button", value=swiss.key).attrs["aria-pressed"] == "true"
    removals = page.root.one("select", name="option-three_player_removal")
    assert ALL_9S in {option.attrs["value"] for option in removals.all("option")}
    assert "all 9s" in removals.text


def test_a_round_is_played_over_the_pages(swiss: Preset) -> None:
    page = open_table(**{"option-rounds": "1"}).press("Enter the board")
    page = page.fill_in(
        {"start": "0", "discard": "njet", "trump": "blue", "supertrump": "black", "points": "2"},
        press="Use this board",
    )
    figures = {f"tricks-{seat}": str(5 - seat) for seat in range(3)} | {f"captured-{seat}": "1" for seat in range(3)}
    page = page.press("alone").press("Whole round").fill_in(figures, press="Count the round")

    assert "(5 + 1) × 2 × 2 = 24" in page.text
    assert "Goldsieber 1997, Swiss" in page.press("Sheet").text
    assert list(read_only_game().state.totals) == TOTALS


def test_the_rules_page_of_a_table_explains_the_value(swiss: Preset) -> None:
    page = open_table().press("More").press("The rules here")

    assert "Goldsieber 1997, Swiss" in page.text
    assert "all 9s" in page.text


def test_cards_that_the_value_removes_are_never_dealt(swiss: Preset) -> None:
    open_table(mode="digital")

    hands = read_only_game().replay.full.hands

    assert [len(hand) for hand in hands] == [12, 12, 12]
    assert 9 not in {card.rank for hand in hands for card in hand}


@pytest.mark.parametrize("name", ["njet.json", "njet.txt"])
def test_a_file_of_the_game_is_imported_as_the_same_game(name: str) -> None:
    game = game_over_rest()
    exported = Client().get(
        f"/api/v1/games/{game['id']}/export/", {"format": name.replace("txt", "njet")[5:]}, **key_of(game)
    )
    Game.objects.all().delete()

    page = Phone().open("import").press("Import", text=exported.content.decode())

    assert page.status == 200
    imported = read_only_game()
    assert imported.current_setup.ruleset.options.three_player_removal == ALL_9S
    assert list(imported.state.totals) == TOTALS


def read_only_game() -> Ledger:
    """The log of the only game."""
    return store.read(Game.objects.get())


# --- REST ---


def key_of(game: dict[str, Any]) -> dict[str, Any]:
    return {"headers": {"Authorization": f"Bearer {game['keys']['scorekeeper']}"}}


def post(path: str, body: dict[str, Any], **more: Any) -> dict[str, Any]:
    """The answer to a request that is accepted."""
    answer = Client().post(f"/api/v1{path}", json.dumps(body), content_type="application/json", **more)
    assert answer.status_code == 201, answer.content
    return answer.json()


def game_over_rest() -> dict[str, Any]:
    """A game of one round, opened and recorded by a program."""
    players = [{"name": name} for name in CAST[:3]]
    body = {"mode": "table", "preset": "goldsieber-swiss", "players": players, "options": {"rounds": 1}}
    game = post("/games/", body)
    for action in THE_ROUND:
        post(f"/games/{game['id']}/actions/", {"action": action}, **key_of(game))
    return game


def test_rest_lists_the_preset_with_the_value(swiss: Preset) -> None:
    presets = {each["preset"]: each for each in Client().get("/api/v1/presets/").json()}

    assert list(presets) == list(PRESETS)
    assert presets[swiss.key]["options"]["three_player_removal"] == ALL_9S
    assert ALL_9S in presets[swiss.key]["allowed"]["three_player_removal"]
    assert presets[swiss.key]["removals"][ALL_9S] == {"rank": 9, "ranks": [9], "of_each_suit": 1}


def test_a_round_is_played_over_rest(swiss: Preset) -> None:
    game = game_over_rest()

    state = Client().get(f"/api/v1/games/{game['id']}/", **key_of(game)).json()

    assert state["status"] == "finished"
    assert state["options"]["three_player_removal"] == ALL_9S
    assert state["scores"]["totals"] == TOTALS


def test_rest_takes_the_value_as_a_change_of_the_preset(swiss: Preset) -> None:
    players = [{"name": name} for name in CAST[:3]]

    game = post(
        "/games/",
        {
            "mode": "digital",
            "preset": swiss.key,
            "players": players,
            "options": {"three_player_removal": "all_4s"},
        },
    )

    assert game["state"]["options"]["three_player_removal"] == "all_4s"


# --- a rule ---


@pytest.mark.parametrize("first", range(3))
def test_who_leads_the_first_trick_is_said_in_one_place(first: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Conditions, "first_leader", property(lambda self: first))

    named = settled(digital(english(3)), "0 njet red blue 2", None, deal_of(english(3).ruleset))
    playing = named.apply(NameTeam(partners=(1,), monster=2))

    assert playing.public.acting_seats == (first,)
    assert count_view(playing.public).leader.seat == first
    assert knowledge_of(view_for(playing, first)).leader == first
    assert teams_view(named.public).leader.seat == first
    assert playout_leaders(view_for(named, 0), monkeypatch) == {first}


def playout_leaders(view: PlayerView, monkeypatch: pytest.MonkeyPatch) -> set[int]:
    """Who leads in what a strong bot plays in its mind before it names a team."""
    leaders = set()

    def recorded(tables: Tables, sides: Sides, hands: list[int], leader: int, *more: Any) -> int:
        leaders.add(leader)
        return play_out(tables, sides, hands, leader, *more)

    monkeypatch.setattr(strong, "play_out", recorded)
    ends = strong.ends_of(view, knowledge_of(view), [NameTeam(partners=(1,), monster=2)], Random(1))
    ends([0])
    return leaders

"""An edition that no one has printed: five suits, rank 12 is captured, and a space of its own.

It is declared here as data alone, and played by pages, REST, files and bots.
"""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from games.bots import decide
from games.log import store
from games.models import Game
from games.rules import Discard, Phase, Setup
from games.rules.cards import SUITS
from games.rules.editions import EDITIONS, EXCHANGES, NJET, NYET60, Edition, Exchange, RowKey
from games.rules.ruleset import PRESETS
from tests.builders import CAST, setup_of
from tests.cast.digital import DigitalTable, in_phase, leaving, over
from tests.cast.pages import Phone
from tests.cast.seats import at_seats, watching

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

KEPT = "discard_2_no_twelve"


@pytest.fixture(autouse=True)
def edition(monkeypatch: pytest.MonkeyPatch) -> Edition:
    """The edition and a preset of it."""
    made = replace(
        NYET60,
        key="made_up75",
        suits=SUITS,
        copies=(0, 0, *[1] * 10, 3, 2),
        capturable_rank=12,
        spaces={
            **NYET60.spaces,
            RowKey.DISCARD: ("discard_1", KEPT, "pass_2_left", NJET),
            RowKey.TRUMP: (*SUITS, NJET),
            RowKey.SUPERTRUMP: (*SUITS, NJET),
        },
        dealt={4: 12, 5: 12},
        removals=(),
    )
    monkeypatch.setitem(EXCHANGES, KEPT, Exchange(2, kept=12))
    monkeypatch.setitem(EDITIONS, made.key, made)
    preset = PRESETS["nyet-iello"]
    added = replace(
        preset,
        key="made-up",
        name="Made up",
        edition=made,
        rounds={4: 8, 5: 10},
        defaults={**preset.defaults, "three_player_removal": None},
    )
    monkeypatch.setitem(PRESETS, added.key, added)
    return made


def made_up(players: int = 5, **options: object) -> Setup:
    return setup_of("made-up", players, **options)


def names_another_rank(text: str) -> list[str]:
    """What a page says of the capturable cards of another edition."""
    return re.findall(r"(?i)\bzeros?\b|\bones captured|\b[01]s\b|no [01]\b", text)


@pytest.fixture
def finished() -> DigitalTable:
    """A digital game of one round in which two cards were discarded, but no 12."""
    return DigitalTable(made_up(4, rounds=1)).play_on(over, leaving(f"discard:{KEPT}"))


def test_a_twelve_is_kept_and_captured(finished: DigitalTable) -> None:
    replay = finished.ledger.replay
    discarded = [each.action.cards for each in replay.applied if isinstance(each.action, Discard)]

    assert all(card.rank != 12 for cards in discarded for card in cards)
    assert finished.state.finished[0].conditions.exchange == Exchange(2, kept=12)
    assert (
        sum(won.captured for won in finished.state.finished[0].won) <= finished.state.ruleset.edition.capturable_cards
    )


@pytest.mark.parametrize("phase", [Phase.PLACING, Phase.TEAMS, Phase.DISCARDING, Phase.TRICKS])
def test_every_phase_is_played_on_phones(phase: Phase) -> None:
    table = DigitalTable(made_up(4)).play_on(in_phase(phase), leaving(f"discard:{KEPT}"))

    for seat in range(4):
        page = at_seats(table, seat).open("table")

        assert page.status == 200
        assert names_another_rank(page.text) == []


def test_the_pages_of_a_finished_game_name_its_rank(finished: DigitalTable) -> None:
    phone = watching(finished)

    for name in ("table", "sheet", "rules", "replay", "history", "placements", "screen", "menu"):
        page = phone.open(name)

        assert page.status == 200
        assert names_another_rank(page.text) == [], name


def test_the_rules_name_the_rank_that_is_kept(finished: DigitalTable) -> None:
    page = watching(finished).open("rules")

    assert "Two cards as well, but no 12 – unless a hand has nothing else." in page.text


def test_a_table_round_is_recorded_by_pages() -> None:
    phone = Phone()
    page = (
        phone.open("new")
        .press("2 to 13")
        .fill_in({f"name-{place}": name for place, name in enumerate(CAST[:5])}, press="Start")
    )
    page = page.press("Enter the board").fill_in(
        {"start": "0", "discard": KEPT, "trump": "green", "supertrump": "black", "points": "2"}, press="Use this board"
    )

    assert "12" in page.text
    assert names_another_rank(page.text) == []


# --- REST and files ---


def post(path: str, body: dict[str, Any], **more: Any) -> dict[str, Any]:
    """The answer to a request that is accepted."""
    answer = Client().post(f"/api/v1{path}", json.dumps(body), content_type="application/json", **more)
    assert answer.status_code == 201, answer.content
    return answer.json()


def played() -> tuple[str, dict[str, Any]]:
    """A table game of one round, and the key of the program that recorded it."""
    body = {
        "mode": "table",
        "preset": "made-up",
        "options": {"rounds": 1},
        "players": [{"name": name} for name in CAST[:5]],
    }
    game = post("/games/", body)
    key = {"headers": {"Authorization": f"Bearer {game['keys']['scorekeeper']}"}}
    for action in (
        {"type": "conditions", "start": "0", "discard": KEPT, "trump": "green", "supertrump": "black", "points": "2"},
        {"type": "team", "partners": [1], "monster": 0},
        {"type": "tally", "tricks": [4, 2, 2, 1, 1], "captured": [3, 2, 1, 0, 0]},
    ):
        post(f"/games/{game['id']}/actions/", {"action": action}, **key)
    return game["id"], key


@pytest.mark.parametrize("form", ["json", "njet"])
def test_a_file_of_a_game_is_imported_as_the_same_game(form: str) -> None:
    game, key = played()
    totals = store.read(Game.objects.get()).state.totals
    exported = Client().get(f"/api/v1/games/{game}/export/", {"format": form}, **key).content.decode()
    Game.objects.all().delete()

    assert Phone().open("import").press("Import", text=exported).status == 200

    assert store.read(Game.objects.get()).state.totals == totals


@pytest.mark.parametrize("form", ["json", "njet"])
def test_a_file_of_a_digital_game_has_its_cards(finished: DigitalTable, form: str) -> None:
    address = reverse("games:export", args=[finished.id, {"json": "njet.json", "njet": "njet.txt"}[form]])

    answer = watching(finished).client.get(address)

    assert answer.status_code == 200
    assert {"json": "red-13", "njet": "R13"}[form] in b"".join(answer).decode()


@pytest.mark.parametrize(("path", "form"), [("sheet", "csv"), ("export", "bgstats"), ("export", "bgsplay")])
def test_sheet_and_play_are_given_out(path: str, form: str) -> None:
    game, key = played()

    assert Client().get(f"/api/v1/games/{game}/{path}/", {"format": form}, **key).status_code == 200


# --- bots ---


@pytest.mark.slow
@pytest.mark.parametrize("level", ["easy", "medium", "strong"])
def test_bots_play_it_to_the_end(level: str) -> None:
    table = DigitalTable(made_up(4, rounds=1))

    table.play_on(over, lambda view: decide(view, level=level, seed=1, budget=0.02))

    assert table.state.is_over

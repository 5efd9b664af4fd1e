"""The file for BG Stats: the fields, and that importing twice updates."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import timedelta

import pytest
from django.utils import timezone
from hypothesis import given

from games.formats import bgsplay
from games.formats.play import Person, Play, lines
from tests.formats.plays import EVENING, LAWS, as_play, four_friends, plays

GROUP = ("grp1", "Wednesday  club")
LATER = EVENING + timedelta(days=7)


def document(*games: Play, bgg_id: int | None = None) -> dict:
    return bgsplay.document(games, bgg_id=bgg_id, made_at=LATER)


def test_a_file_has_the_sections_of_bg_stats_own() -> None:
    found = document(as_play(four_friends(), group=GROUP), bgg_id=4811)

    assert list(found) == [
        *("about", "tags", "groups", "players", "locations", "games", "plays", "challenges", "deletedObjects"),
        "userInfo",
    ]
    assert found["about"] == "Plays of NJET, written by NJET Assist for BG Stats."
    assert found["userInfo"] == {"meRefId": 0, "exportDate": "2026-11-28 19:30:00"}
    assert found["players"][1] == {
        "uuid": "3ed1bde0-39d8-570c-8af3-5f7336e9464b",
        "id": 2,
        "name": "Ben",
        "modificationDate": "2026-11-21 19:30:00",
        "isAnonymous": False,
    }
    (location,) = found["locations"]
    assert (location["id"], location["name"]) == (1, "Wednesday club")
    (game,) = found["games"]
    assert game == {
        "uuid": "6f43aefa-439f-5cd3-9ac7-a043cd728b74",
        "id": 1,
        "name": "NJET",
        "modificationDate": "2026-11-21 19:30:00",
        "cooperative": False,
        "highestWins": True,
        "noPoints": False,
        "usesTeams": False,
        "bggId": 4811,
        "bggYear": 0,
        "isBaseGame": 1,
        "isExpansion": 0,
        "rating": 0,
        "minPlayerCount": 2,
        "maxPlayerCount": 5,
        "minPlayTime": 0,
        "maxPlayTime": 0,
        "minAge": 0,
        "preferredImage": 0,
        "previouslyPlayedAmount": 0,
        "copies": [],
    }


def test_a_play_in_the_file_has_its_result() -> None:
    four = as_play(four_friends(), group=GROUP)

    (found,) = document(four)["plays"]

    assert found.pop("playerScores")[1] == {
        "score": "-11",
        "winner": False,
        "newPlayer": False,
        "startPlayer": False,
        "playerRefId": 2,
        "rank": 4,
        "seatOrder": 2,
    }
    assert found == {
        "uuid": "65b757c4-ee98-5447-a291-af339f75e3ef",
        "modificationDate": "2026-11-21 19:30:00",
        "entryDate": "2026-11-21 19:30:00",
        "playDate": "2026-11-21 19:30:00",
        "usesTeams": False,
        "durationMin": 73,
        "ignored": False,
        "manualWinner": False,
        "rounds": 2,
        "bggId": 0,
        "importPlayId": 0,
        "nemestatsId": 0,
        "rating": 0,
        "gameRefId": 1,
        "board": "4 players, 2 rounds",
        "comments": "\n".join(lines(four)),
        "scoringSetting": 0,
        "expansionPlays": [],
        "locationRefId": 1,
    }


ALWAYS = {
    "players": {"uuid", "id", "name", "isAnonymous", "modificationDate"},
    "locations": {"uuid", "id", "name", "modificationDate"},
    "games": {
        *("uuid", "id", "name", "modificationDate", "cooperative", "highestWins", "noPoints", "usesTeams", "bggYear"),
        *("bggId", "rating", "minPlayerCount", "maxPlayerCount", "minPlayTime", "maxPlayTime", "minAge"),
        *("preferredImage", "previouslyPlayedAmount", "copies"),
    },
    "plays": {
        *("uuid", "modificationDate", "entryDate", "playDate", "usesTeams", "durationMin", "ignored", "manualWinner"),
        *("rounds", "bggId", "importPlayId", "gameRefId", "rating", "nemestatsId", "scoringSetting", "playerScores"),
        "expansionPlays",
    },
}
"""What every entry of real exports has (games/formats/bgsplay.py)."""


@pytest.mark.parametrize("section", ALWAYS)
def test_every_key_that_real_files_always_have_is_there(section: str) -> None:
    (*_, entry) = document(as_play(four_friends(), group=GROUP))[section]

    assert ALWAYS[section] <= entry.keys()


def test_times_are_those_of_the_reader_who_takes_the_file() -> None:
    with timezone.override("America/Los_Angeles"):
        found = document(as_play(four_friends()))

    assert found["plays"][0]["playDate"] == found["players"][0]["modificationDate"] == "2026-11-21 11:30:00"
    assert found["userInfo"]["exportDate"] == "2026-11-28 11:30:00"


def test_a_play_that_was_corrected_later_says_when() -> None:
    corrected = replace(as_play(four_friends()), changed=LATER)

    (found,) = document(corrected)["plays"]

    assert (found["modificationDate"], found["playDate"]) == ("2026-11-28 19:30:00", "2026-11-21 19:30:00")
    assert found["entryDate"] == "2026-11-21 19:30:00"


def test_without_a_group_and_a_setting_there_is_no_location_and_no_number_of_boardgamegeek() -> None:
    found = document(as_play(four_friends()))

    assert found["locations"] == []
    assert "locationRefId" not in found["plays"][0]
    assert found["games"][0]["bggId"] == 0


def test_many_games_share_their_players_their_group_and_the_game() -> None:
    first = as_play(four_friends(), group=GROUP)
    second = as_play(
        four_friends(), game_id="0earlier-id", ended=LATER, group=GROUP, names=("Eve", "Ana", "Ben", "Cleo")
    )

    found = document(second, first)

    assert [each["name"] for each in found["players"]] == ["Ana", "Ben", "Cleo", "Dan", "Eve"]
    assert len(found["locations"]) == len(found["games"]) == 1
    assert [[score["playerRefId"] for score in each["playerScores"]] for each in found["plays"]] == [
        [1, 2, 3, 4],
        [5, 1, 2, 3],
    ]


def test_who_was_renamed_has_the_last_name_and_stays_one_player() -> None:
    names = ("Ana", "Benjamin", "Cleo", "Dan")
    before, after = as_play(four_friends()), as_play(four_friends(), game_id="other", ended=LATER)
    people = tuple(Person(person.id, name) for person, name in zip(before.people, names, strict=True))
    after = Play("other", after.state, people, after.began, after.ended, None)

    for found in (document(before, after), document(after, before)):
        ben = found["players"][1]
        assert (ben["name"], ben["modificationDate"]) == ("Benjamin", "2026-11-28 19:30:00")
        assert len(found["players"]) == 4


def test_a_game_given_twice_is_in_the_file_once() -> None:
    four = as_play(four_friends())

    assert document(four, four) == document(four)


def test_a_file_without_games_can_be_read() -> None:
    found = json.loads(bgsplay.text([], made_at=EVENING))

    assert (found["players"], found["games"], found["plays"]) == ([], [], [])


def test_the_file_is_written_in_the_characters_that_people_use() -> None:
    names = ("Zoë", "漢", "Ben", "Dan")

    text = bgsplay.text([as_play(four_friends(), names=names)], made_at=EVENING)

    assert '"name": "Zoë"' in text
    assert '"name": "漢"' in text


def test_when_the_file_was_made_changes_nothing_that_is_imported() -> None:
    four = [as_play(four_friends(), group=GROUP)]

    now, later = (bgsplay.document(four, made_at=when) for when in (EVENING, LATER))

    assert now.pop("userInfo") != later.pop("userInfo")
    assert now == later


def test_a_group_and_a_player_of_the_same_id_are_two_things() -> None:
    four = as_play(four_friends())
    people = (Person("same", "Ana"), *four.people[1:])
    found = document(Play("same", four.state, people, four.began, four.ended, ("same", "Club")))

    uuids = [found[section][0]["uuid"] for section in ("players", "locations", "games", "plays")]

    assert len(set(uuids)) == 4


@LAWS
@given(plays())
def test_law_the_file_is_always_the_same_and_its_figures_are_those_of_the_sheet(play: Play) -> None:
    text = bgsplay.text([play], made_at=LATER)

    found = json.loads(text.encode())

    assert found == document(play)
    assert bgsplay.text([play], made_at=LATER) == text

    (written,) = found["plays"]
    scores = written["playerScores"]
    assert tuple(each["score"] for each in scores) == tuple(map(str, play.state.totals))
    assert tuple(each["rank"] for each in scores) == play.state.ranks
    assert tuple(seat for seat, each in enumerate(scores) if each["winner"]) == play.state.winners
    called = {each["id"]: each["name"] for each in found["players"]}
    assert tuple(called[each["playerRefId"]] for each in scores) == play.names
    assert written["gameRefId"] in [each["id"] for each in found["games"]]
    assert written.get("locationRefId") in [each["id"] for each in found["locations"]] or play.group is None


@pytest.mark.parametrize("section", ["players", "locations", "games", "plays"])
def test_a_second_import_of_a_corrected_game_updates_what_is_there(section: str) -> None:
    before = document(as_play(four_friends(), group=GROUP))
    after = document(as_play(four_friends(), ended=LATER, group=("grp1", "Thursday")), bgg_id=4811)

    assert [each["uuid"] for each in after[section]] == [each["uuid"] for each in before[section]]
    assert {each["modificationDate"] for each in after[section]} == {"2026-11-28 19:30:00"}

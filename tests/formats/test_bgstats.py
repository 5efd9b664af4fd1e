"""The link for BG Stats: the play in it, and that it always fits."""

from __future__ import annotations

import json
from datetime import datetime, timedelta, timezone
from urllib.parse import quote, unquote

import pytest
from hypothesis import given

from games.formats import bgstats
from games.formats.play import Play, lines, remarks
from tests.formats.plays import LAWS, as_play, four_friends, long_game, plays

PREFIX = "https://app.bgstatsapp.com/createPlay.html?data="
WIDEST = tuple("🦊" * 39 + end for end in "abcde")


def read_back(link: str) -> object:
    assert link.startswith(PREFIX)
    return json.loads(unquote(link.removeprefix(PREFIX)))


def compact(found: object) -> str:
    return json.dumps(found, ensure_ascii=False, separators=(",", ":"))


def test_the_play_has_the_fields_that_bg_stats_reads() -> None:
    four = as_play(four_friends())

    found = bgstats.document(four, bgg_id=4811)

    assert found == {
        "sourceName": "NJET Assist",
        "sourcePlayId": "7m3k9c2x4b1a",
        "playDate": "2026-11-21 19:30:00",
        "durationMin": 73,
        "board": "4 players, 2 rounds",
        "comments": "\n".join(lines(four)),
        "game": {"name": "NJET", "sourceGameId": "njet", "bggId": 4811, "highestWins": True, "noPoints": False},
        "players": [
            player("Ana", "85fc7107-f653-523c-a1bb-5bba5d45921b", score=0, rank=1, winner=True),
            player("Ben", "4c5732ae-7bb2-5350-b0d3-25c2db608f36", score=-11, rank=4),
            player("Cleo", "68eae64b-5287-58a6-a6e0-d5162250297f", score=0, rank=1, winner=True),
            player("Dan", "80edbed4-5546-501a-92eb-575ee6eeef46", score=-6, rank=3, first=True),
        ],
    }


def player(
    name: str, key: str, *, score: int, rank: int, winner: bool = False, first: bool = False
) -> dict[str, object]:
    return {"name": name, "sourcePlayerId": key, "startPlayer": first, "score": score, "rank": rank, "winner": winner}


def test_without_a_setting_there_is_no_number_of_boardgamegeek() -> None:
    assert "bggId" not in bgstats.document(as_play(four_friends()))["game"]


def test_without_a_reader_the_day_of_a_play_is_described_in_utc() -> None:
    after_midnight = datetime(2026, 6, 1, 0, 30, tzinfo=timezone(timedelta(hours=2)))

    assert bgstats.document(as_play(four_friends(), ended=after_midnight))["playDate"] == "2026-05-31 22:30:00"


def test_nothing_of_the_address_is_left_unquoted() -> None:
    data = bgstats.link(as_play(four_friends(), names=("A&b=c", "#?", "/%", "é+"))).removeprefix(PREFIX)

    assert not set(data) & set('&=#?/+ "{}:,')
    assert data.isascii()


@LAWS
@given(plays())
def test_law_the_link_fits_and_gives_the_document_back_with_the_figures_of_the_sheet(play: Play) -> None:
    link = bgstats.link(play, bgg_id=4811)

    found = read_back(link)

    assert len(link) <= 8_000
    assert found == bgstats.document(play, bgg_id=4811)
    people = found["players"]
    assert tuple(each["score"] for each in people) == play.state.totals
    assert tuple(each["rank"] for each in people) == play.state.ranks
    assert tuple(seat for seat, each in enumerate(people) if each["winner"]) == play.state.winners
    assert [each["startPlayer"] for each in people].count(True) == 1
    assert found["durationMin"] == play.minutes


def test_comments_that_do_not_fit_are_cut_at_whole_lines_and_the_last_one_says_so() -> None:
    long = as_play(long_game(), names=WIDEST)

    link = bgstats.link(long)

    *kept, last = bgstats.document(long)["comments"].split("\n")
    assert last == "The rest did not fit into the link."
    assert kept == lines(long)[: len(kept)]
    assert 0 < len(kept) < len(lines(long))
    assert len(link) <= 8_000


def test_ordinary_games_keep_every_line() -> None:
    ordinary = as_play(long_game(rounds=10))

    assert bgstats.document(ordinary)["comments"].split("\n") == lines(ordinary)
    assert len(bgstats.link(ordinary)) < 5_000


@pytest.mark.parametrize("longest", range(7_900, 8_001, 25))
def test_a_link_is_filled_up_to_the_last_line_that_fits(longest: int) -> None:
    long = as_play(long_game())
    found = bgstats.document(long, longest=longest)

    link = bgstats.link(long, longest=longest)

    shown = found["comments"].split("\n")
    further = {**found, "comments": "\n".join([*shown[:-1], lines(long)[len(shown) - 1], shown[-1]])}
    assert len(link) <= longest < len(PREFIX + quote(compact(further), safe=""))


def test_a_code_to_scan_may_ask_for_a_shorter_link() -> None:
    four = as_play(four_friends())
    bare = len(bgstats.link(four, longest=0))

    assert bgstats.document(four, longest=bare + 3)["comments"] == ""
    assert bgstats.document(four, longest=bare + 60)["comments"] == "The rest did not fit into the link."
    assert len(bgstats.link(four, longest=bare + 60)) <= bare + 60


def test_remarks_come_before_the_rounds() -> None:
    apart = as_play(four_friends(), digital=True)

    assert bgstats.document(apart)["comments"].split("\n") == [*remarks(apart), *lines(apart)]


def test_long_names_and_long_reasons_of_costly_characters_fit_too() -> None:
    costly = as_play(long_game("漢" * 200), names=tuple('["\\"]' * 7 + end for end in "abcde"))

    link = bgstats.link(costly)

    assert len(link) <= 8_000
    assert read_back(link) == bgstats.document(costly)


def test_names_of_the_widest_characters_leave_half_of_the_link_for_comments() -> None:
    widest = as_play(long_game(rounds=1), names=WIDEST)

    assert len(bgstats.link(widest, longest=0)) < 3_750


def test_lines_are_measured_as_the_link_writes_them() -> None:
    # Two thousand characters, but each is nine characters of a link.
    costly = as_play(long_game("漢" * 200, rounds=6))

    comments = bgstats.document(costly)["comments"]

    assert len("\n".join(lines(costly))) < 3_000
    assert len(bgstats.link(costly)) <= 8_000
    assert comments.endswith("\nThe rest did not fit into the link.")

"""STATE, exactly as the contract says."""

from collections.abc import Iterator

import pytest

from games.live.epoch import epoch
from games.models import Installation
from games.rules import Ruleset
from tests.api.client import FINISH, ROUND_OF_THREE, Api, Table, penalty, place, settle, team, trick

pytestmark = pytest.mark.any_database


def test_the_state_of_a_new_table(table: Table) -> None:
    state = table.state

    board = state["round"].pop("board")
    legal = state.pop("legal_actions")
    assert state.pop("occasion").pop("began")
    assert state == {
        "schema": 1,
        "id": table.id,
        "mode": "table",
        "same_deals": False,
        "open_hands": False,
        "played_on": None,
        "preset": "njet-english",
        "options": {
            **Ruleset.of("njet-english", 3).options.to_json(),
            "first_placer": "dealer",
            "three_player_removal": "three_7s",
            "rounds": 9,
            "supertrump_suit": "own_suit",
            "must_trump_when_void": False,
            "captured_from": "opponents",
            "score_record": "full",
            "start_row": True,
            "discard_timing": "after_teams",
        },
        "version": 0,
        "status": "playing",
        "locked": False,
        "next_game": None,
        "players": [
            {"seat": 0, "name": "Ana", "token": "turquoise", "bot": None},
            {"seat": 1, "name": "Ben", "token": "pink", "bot": None},
            {"seat": 2, "name": "Cleo", "token": "green", "bot": None},
        ],
        "viewer": None,
        "round": {
            "number": 1,
            "of": 9,
            "dealer": 0,
            "phase": "placing",
            "acting": [0],
            "conditions": None,
            "teams": None,
            "monster": None,
            "tricks_total": None,
            "tricks": [],
            "current_trick": None,
            "won": [{"seat": seat, "tricks": 0, "captured": 0} for seat in range(3)],
        },
        "last_round": None,
        "scores": {"rounds": [], "penalties": [], "totals": [0, 0, 0], "leaders": []},
        "proposals": [],
        "pending_corrections": [],
    }
    assert [row["row"] for row in board] == ["start", "discard", "trump", "supertrump", "points"]
    assert board[0]["spaces"] == [{"space": str(seat), "covered_by": None} for seat in range(3)]
    assert [space["space"] for space in board[4]["spaces"]] == ["1", "2", "3", "4", "-2"]
    placements = [each for each in legal if each["type"] == "place"]
    assert len(placements) == 3 + 5 + 5 + 5 + 5
    assert [each["type"] for each in legal if "bounds" in each] == ["conditions", "void_round", "penalty"]


def test_a_settled_board_names_the_conditions_and_the_number_of_tricks(table: Table) -> None:
    state = table.play(place("trump", "black"), settle("2", "discard_2", "red", "njet", "-2"))

    now = state["round"]
    assert now["conditions"] == {"start": 2, "discard": "discard_2", "trump": "red", "supertrump": "njet", "points": -2}
    assert (now["phase"], now["acting"], now["tricks_total"]) == ("teams", [2], 14)
    trump = {space["space"]: space["covered_by"] for space in now["board"][2]["spaces"]}
    assert trump == {"red": None, "black": 0, "blue": "entry", "yellow": "entry", "njet": "entry"}
    named = [each for each in state["legal_actions"] if each["type"] == "team"]
    assert named == [team(monster=2), team(0, monster=1), team(1, monster=0)]


def test_two_players_have_teams_as_soon_as_the_board_is_settled(api: Api) -> None:
    now = api.open_table(players=2).play(settle("1", "njet", "njet", "blue", "1"))["round"]

    assert (now["phase"], now["teams"], now["monster"], now["acting"]) == ("tricks", [[1], [0]], None, [])


def test_teams_are_sorted_and_the_start_players_comes_first(api: Api) -> None:
    table = api.open_table(players=5)

    now = table.play(settle("3", "njet", "red", "njet", "2"), team(4, 0, monster=1))["round"]

    assert (now["teams"], now["monster"]) == ([[0, 3, 4], [1, 2]], 1)


def test_tricks_are_counted_one_by_one(table: Table) -> None:
    state = table.play(*ROUND_OF_THREE[:2], trick(2, 1), trick(1))

    now = state["round"]
    assert now["tricks"] == [
        {"leader": 0, "cards": None, "winner": 2, "captured": 1},
        {"leader": 2, "cards": None, "winner": 1, "captured": 0},
    ]
    assert now["won"][2] == {"seat": 2, "tricks": 1, "captured": 1}
    assert (now["acting"], now["current_trick"]) == ([], None)
    tallied = {each["type"]: each["bounds"] for each in state["legal_actions"]}["tally"]
    assert tallied == {"tricks": 16, "captured_per_trick": [1, 1, 2], "captured": {"least": 0, "most": 12}}


def test_a_tally_replaces_the_tricks_of_its_round(table: Table) -> None:
    state = table.play(*ROUND_OF_THREE[:2], trick(2, 1), ROUND_OF_THREE[2])

    assert state["last_round"]["tricks"] == []
    assert state["scores"]["totals"] == [24, 24, 28]


def test_the_finished_round_stays_to_be_looked_at(table: Table) -> None:
    state = table.play(*ROUND_OF_THREE)

    last = state["last_round"]
    assert (last["number"], last["of"], last["dealer"]) == (1, 9, 0)
    assert last["won"][0] == {"seat": 0, "tricks": 6, "captured": 1}
    assert last["teams"] == [[0, 1], [2]]
    assert (state["round"]["number"], state["round"]["dealer"], state["round"]["acting"]) == (2, 1, [1])
    assert state["scores"]["rounds"] == [
        {
            "number": 1,
            "points": [24, 24, 28],
            "raw": [24, 24, 28],
            "conditions": {"start": 0, "discard": "njet", "trump": "red", "supertrump": "njet", "points": 2},
            "teams": [[0, 1], [2]],
            "monster": 2,
            "won": last["won"],
            "confirmed": [],
        }
    ]
    assert state["scores"]["leaders"] == [2]
    assert FINISH in state["legal_actions"]


def test_penalties_are_lines_of_their_own(table: Table) -> None:
    state = table.play(*ROUND_OF_THREE, penalty(2, -4))

    assert state["scores"]["penalties"] == [{"seat": 2, "points": -4, "reason": "revoke", "after_round": 1}]
    assert state["scores"]["totals"] == [24, 24, 24]
    assert state["scores"]["leaders"] == [0, 1, 2]


def test_a_misdeal_starts_the_round_again_with_the_same_dealer(table: Table) -> None:
    state = table.play(*ROUND_OF_THREE[:2], trick(0), {"type": "void_round", "reason": "misdeal"})

    assert (state["round"]["number"], state["round"]["dealer"], state["round"]["phase"]) == (1, 0, "placing")
    assert state["round"]["tricks"] == []


def test_without_a_start_row_the_first_placer_starts_unless_the_team_says_otherwise(api: Api) -> None:
    table = api.open_table("njet-wikipedia", start_row=False)

    state = table.play(settle(None, "njet", "red", "njet", "2"))

    assert [row["row"] for row in state["round"]["board"]] == ["discard", "trump", "supertrump", "points"]
    assert state["round"]["conditions"]["start"] == 0
    assert {**team(1, monster=0), "start": 2} in state["legal_actions"]
    state = table.play({**team(1, monster=0), "start": 2})
    assert state["round"]["conditions"]["start"] == 2
    assert state["round"]["teams"] == [[1, 2], [0]]


def test_a_viewer_sees_the_same_but_may_do_nothing(table: Table) -> None:
    table.play(place("trump", "red"))

    seen = table.get(key=table.viewer).json

    assert seen.pop("legal_actions") == []
    mine = table.state
    assert mine.pop("legal_actions")
    assert seen == mine


def test_a_locked_game_takes_no_action(table: Table) -> None:
    table.play(*ROUND_OF_THREE, FINISH)
    assert not table.state["locked"]

    state = table.post("/lock/").json["state"]

    assert state["locked"]
    assert state["legal_actions"] == []


# --- ETag ---


def test_who_has_the_state_already_is_notified(table: Table) -> None:
    etag = table.get().response.headers["ETag"]

    for known in (etag, f"W/{etag}", f'"other", {etag}', f'W/"x",W/{etag}', "*"):
        answer = table.get(**{"If-None-Match": known})
        assert answer.status == 304
        assert answer.response.headers["ETag"] == etag
        assert answer.response.content == b""


def test_a_cache_of_the_client_may_keep_what_everybody_sees_and_asks_each_time(table: Table) -> None:
    etag = table.get().response.headers["ETag"]

    for key in (table.scorekeeper, table.viewer):
        for known in ("", etag):
            headers = table.get(key=key, **{"If-None-Match": known}).response.headers
            assert headers["Cache-Control"] == "private, no-cache"
            assert "Authorization" in headers["Vary"]
    assert table.get(key="wrong").response.headers["Cache-Control"] == "no-store"


@pytest.mark.parametrize("known", ["", '"other"', "junk", '"', "W/", '"1-0-scorekeeper'])
def test_who_has_something_else_is_sent_the_state(table: Table, known: str) -> None:
    assert table.get(**{"If-None-Match": known}).status == 200


def test_a_change_and_another_role_have_another_etag(table: Table) -> None:
    first = table.get().response.headers["ETag"]

    assert table.get(key=table.viewer, **{"If-None-Match": first}).status == 200
    table.play(place("trump", "red"))
    assert table.get(**{"If-None-Match": first}).status == 200


@pytest.fixture
def restored(table: Table) -> Iterator[str]:
    """The ETag of a table before its database was replaced by a copy."""
    etag = table.get().response.headers["ETag"]
    row, _made = Installation.objects.update_or_create(defaults={"epoch": "restored"})
    epoch.cache_clear()
    yield etag
    row.delete()
    epoch.cache_clear()
    epoch()


def test_the_same_version_of_a_restored_database_has_another_etag(table: Table, restored: str) -> None:
    assert table.get(**{"If-None-Match": restored}).status == 200
    assert "restored" in table.get().response.headers["ETag"]


def test_an_etag_opens_nothing(table: Table) -> None:
    etag = table.get().response.headers["ETag"]

    assert table.get(key="wrong", **{"If-None-Match": etag}).status == 401


def test_only_the_headers_may_be_asked_for(table: Table) -> None:
    answer = table.api.send("HEAD", table.path + "/", table.viewer)

    assert answer.status == 200
    assert answer.response.content == b""

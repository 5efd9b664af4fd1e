"""A digital game over REST: who sees what, who may do what, in which order they are refused."""

from __future__ import annotations

from typing import Any

import pytest

from games.rules import Phase
from tests.api.client import FINISH, Api, Table
from tests.api.digital import DigitalTable, play
from tests.api.jumps import in_phase, in_trick
from tests.cast.digital import committed
from tests.services.crews import act_due

pytestmark = pytest.mark.any_database

OWN = ("hand", "chosen", "discarded", "passed", "received")


@pytest.fixture
def game(api: Api) -> DigitalTable:
    """Ana, Ben and Cleo, dealt; Ana places first."""
    return DigitalTable.open(api, rounds=2)


@pytest.fixture(params=["discard_2", "pass_2_right"])
def choosing(game: DigitalTable, request: pytest.FixtureRequest) -> DigitalTable:
    """The same while all three choose cards to discard, or to pass."""
    return until_all_choose(game, request.param)


@pytest.fixture
def discarding(game: DigitalTable) -> DigitalTable:
    """The same while all three choose cards to discard."""
    return until_all_choose(game, "discard_2")


@pytest.fixture
def in_tricks(game: DigitalTable) -> DigitalTable:
    """The same when the first card is to be played."""
    return game.jump(in_phase(Phase.TRICKS))


def until_all_choose(game: DigitalTable, what: str) -> DigitalTable:
    phase = Phase.PASSING if what == "pass_2_right" else Phase.DISCARDING
    return game.jump(in_phase(phase), discard=what)


def placing(game: DigitalTable) -> Any:
    """An action of the seat that places."""
    seat = game.state["round"]["acting"][0]
    return seat, game.seen_by(seat)["legal_actions"][0]


# --- opening a table ---


def test_a_digital_table_is_dealt_at_once_and_has_a_key_for_each_person(api: Api) -> None:
    game = DigitalTable.open(api, players=4, bots=[None, "medium", None, "strong"])

    created = game.created
    assert created["state"]["mode"] == "digital"
    assert created["state"]["round"]["phase"] == "placing"
    assert created["state"]["round"]["hand_sizes"] == [15, 15, 15, 15]
    assert [player["bot"] for player in created["state"]["players"]] == [None, "medium", None, "strong"]
    assert set(created["keys"]["seats"]) == set(created["links"]["join"]["seats"]) == {"0", "2"}
    assert len(set(game.keys.values())) == 4
    assert created["version"] == created["state"]["version"] == game.version


def test_bots_play_in_digital_games_only(api: Api) -> None:
    players = [{"name": "Ana"}, {"name": "Ben", "bot": "easy"}]

    answer = api.post("/games/", {"mode": "table", "preset": "njet-english", "players": players})

    assert answer.refusal == (422, "bots_are_digital")


# --- who sees what ---


def test_each_seat_sees_its_own_hand_and_no_other_hand(game: DigitalTable) -> None:
    hands = {seat: game.seen_by(seat)["round"]["hand"] for seat in game.seats}

    assert [len(hand) for hand in hands.values()] == [16, 16, 16]
    deck = next(each for each in game.api.get("/presets/").json if each["preset"] == "njet-english")["deck"]
    for hand in hands.values():
        assert hand == sorted(hand, key=deck.index)
    for seat in game.seats:
        state = game.seen_by(seat)
        assert state["viewer"] == seat
        assert set(OWN) <= set(state["round"])


@pytest.mark.parametrize("whose", ["host", "viewer"])
def test_who_does_not_sit_at_the_table_sees_no_hand(in_tricks: DigitalTable, whose: str) -> None:
    state = in_tricks.get(key=in_tricks.keys[whose]).json

    assert state["viewer"] is None
    assert not set(OWN) & set(state["round"])


def test_the_host_may_put_bots_and_do_nothing_with_cards(in_tricks: DigitalTable) -> None:
    (action,) = in_tricks.state["legal_actions"]

    assert action == {"type": "bot", "bounds": {"seat": [0, 1, 2], "level": ["easy", "medium", "strong", None]}}
    assert in_tricks.get(key=in_tricks.viewer).json["legal_actions"] == []


def test_the_table_shows_the_open_trick_and_the_finished_ones(in_tricks: DigitalTable) -> None:
    leader = in_tricks.state["round"]["acting"][0]
    played = []
    for _ in range(3):
        (seat,) = in_tricks.state["round"]["acting"]
        action = in_tricks.seen_by(seat)["legal_actions"][0]
        assert in_tricks.state["round"]["current_trick"] == ({"leader": leader, "cards": played} if played else None)
        in_tricks.does(seat, action)
        played = [*played, action["card"]]

    now = in_tricks.get(key=in_tricks.viewer).json["round"]
    assert now["current_trick"] is None
    assert (now["tricks"][0]["leader"], now["tricks"][0]["cards"]) == (leader, played)
    assert now["acting"] == [now["tricks"][0]["winner"]]
    assert len(set(now["hand_sizes"])) == 1


def test_a_state_is_known_by_its_version_and_its_viewer(game: DigitalTable) -> None:
    tags = {whose: game.get(key=key).response.headers["ETag"] for whose, key in game.keys.items()}

    assert len(set(tags.values())) == len(tags)
    for whose, key in game.keys.items():
        known = {other: game.get(key=key, If_None_Match=tag).status for other, tag in tags.items()}
        assert [other for other, status in known.items() if status == 304] == [whose]


def test_no_cache_keeps_a_hand(game: DigitalTable) -> None:
    for whose, key in game.keys.items():
        tag = game.get(key=key).response.headers["ETag"]
        for known in ("", tag):
            kept = game.get(key=key, If_None_Match=known).response.headers["Cache-Control"]
            assert kept == ("no-store" if whose.startswith("seat") else "private, no-cache"), whose


def test_the_log_shows_a_deal_to_each_seat_as_its_own_hand(game: DigitalTable) -> None:
    for whose, key in game.keys.items():
        deal = next(entry for entry in game.get("/log/", key).json if entry["kind"] == "deal")["action"]
        shown = [seat for seat, hand in enumerate(deal["hands"]) if hand is not None]
        assert shown == ([int(whose[-1])] if whose.startswith("seat") else [])
        assert deal["counts"] == [16, 16, 16]
        assert "seed" not in deal
        assert len(deal["commitment"]) == 64


def test_choices_lie_face_down_for_everybody_else(choosing: DigitalTable) -> None:
    action = choosing.seen_by(1)["legal_actions"][0]

    state = choosing.does(1, action).json["state"]

    assert state["round"]["chosen"] == action["cards"]
    assert set(action["cards"]) <= set(state["round"]["hand"])
    assert state["round"]["acting"] == [0, 2]
    assert state["legal_actions"] == []
    for whose, key in choosing.keys.items():
        entry = choosing.get(f"/log/?after={state['version'] - 1}", key).json[0]
        hidden = {"type": action["type"], "cards": None, "count": len(action["cards"])}
        assert entry["action"] == (action if whose == "seat 1" else hidden)
        assert entry["seat"] == 1


def test_an_export_of_a_running_game_holds_what_its_reader_may_see(in_tricks: DigitalTable) -> None:
    for whose, key in in_tricks.keys.items():
        document = in_tricks.get("/export/", key).json
        deal = next(entry for entry in document["log"] if entry["kind"] == "deal")["payload"]
        shown = [seat for seat, hand in enumerate(deal["hands"]) if hand is not None]
        assert shown == ([int(whose[-1])] if whose.startswith("seat") else [])
        text = in_tricks.get("/export/?format=njet", key).text
        assert text.partition("\nplace")[0].count("hidden 16") == 3 - len(shown)
        assert in_tricks.get("/export/?format=bgstats", key).refusal == (409, "not_finished")


# --- who may do what ---


def test_a_seat_acts_for_itself_alone(game: DigitalTable) -> None:
    (seat, action) = placing(game)
    other = (seat + 1) % 3

    assert game.does(other, action).refusal == (422, "not_your_turn")
    assert game.does(other, action, seat=seat).refusal == (403, "forbidden")
    assert game.does(seat, action, seat=seat).status == 201


def test_nothing_is_counted_corrected_or_dealt_by_hand(in_tricks: DigitalTable) -> None:
    (seat,) = in_tricks.state["round"]["acting"]
    deal = {"type": "deal", "hands": [None, None, None], "counts": [16, 16, 16]}

    for action, code in (
        ({"type": "trick", "winner": 0, "captured": 0}, "table_only"),
        ({"type": "tally", "tricks": [16, 0, 0], "captured": [0, 0, 0]}, "table_only"),
        ({"type": "void_round", "reason": "misdeal"}, "table_only"),
        ({"type": "penalty", "seat": 1, "points": -5, "reason": "revoke"}, "table_only"),
        (deal, "only_chance_deals"),
        ({"type": "claim", "seat": seat, "captured": 0}, "only_by_consent"),
    ):
        assert in_tricks.does(seat, action).refusal == (422, code)
    host = in_tricks.scorekeeper
    assert in_tricks.post("/amend/", {"changes": [{"seq": 1, "delete": True}]}, host).refusal == (422, "table_only")
    assert in_tricks.post("/setup/", {"dealer": 1}, host).refusal == (422, "table_only")
    assert in_tricks.post("/setup/", {"dealer": 1, "preview": True}, host).refusal == (422, "table_only")


def test_what_belongs_to_digital_games_is_refused_at_a_table(table: Table) -> None:
    assert table.post("/proposals/", {"type": "finish"}).refusal == (422, "digital_only")
    assert table.post("/seats/0/bot/", {"level": "easy"}).refusal == (422, "bots_are_digital")
    assert table.post("/invites/", {"role": "seat", "seat": 0}).refusal == (422, "digital_only")
    assert table.post("/rematch/", {"same_deals": True}).refusal == (422, "digital_only")


# --- the order of the checks ---


def test_the_order_in_which_a_seat_is_refused(game: DigitalTable) -> None:
    stranger = DigitalTable.open(game.api)
    (seat, action) = placing(game)
    other = (seat + 1) % 3
    first = game.does(seat, action, request_id="tap")
    assert first.status == 201
    late = {"action": action, "version": 0}

    unreadable = {**late, "x": 1}
    assert game.post("/actions/", unreadable, "wrong").status == 401
    assert game.post("/actions/", unreadable, stranger.seats[0]).status == 404
    assert game.post("/actions/", unreadable, game.viewer).status == 403
    repeated = {"action": action, "request_id": "tap", "x": 1}
    assert game.post("/actions/", repeated, game.seats[seat]).status == 400
    assert game.post("/actions/", {"action": action, "request_id": "tap"}, game.seats[seat]).status == 200
    reused = {"action": action, "request_id": "tap", "version": 0}
    assert game.post("/actions/", reused, game.seats[seat]).refusal == (409, "request_id_reused")
    assert game.post("/actions/", late, game.seats[seat]).refusal == (409, "stale_version")
    assert game.post("/actions/", {"action": action}, game.seats[seat]).refusal == (422, "not_your_turn")
    assert game.post("/actions/", {"action": action}, game.seats[other]).status in (201, 422)


# --- while several choose at once ---


def test_chosen_cards_leave_the_hand_when_everybody_has_chosen(choosing: DigitalTable) -> None:
    chosen = {}
    for seat in choosing.seats:
        chosen[seat] = choosing.seen_by(seat)["legal_actions"][-1]
        choosing.does(seat, chosen[seat])

    for seat, action in chosen.items():
        own = choosing.seen_by(seat)["round"]
        assert own["chosen"] == []
        if action["type"] == "discard":
            assert (own["discarded"], own["passed"], own["received"]) == (action["cards"], [], [])
        else:
            assert (own["discarded"], own["passed"]) == ([], action["cards"])
            assert own["received"] == chosen[(seat + 1) % 3]["cards"]


# --- seats and bots ---


def test_a_seat_is_joined_by_its_link_and_leaves_the_one_who_had_it(game: DigitalTable) -> None:
    token = game.created["links"]["join"]["seats"]["1"].rstrip("/").rpartition("/")[2]

    joined = game.api.post("/join/", {"token": token, "name": "Ben’s script"}).json

    assert (joined["game"], joined["role"], joined["seat"]) == (game.id, "seat", 1)
    assert game.get(key=game.seats[1]).refusal == (401, "not_authenticated")
    assert game.get(key=joined["key"]).json["viewer"] == 1


def test_the_host_invites_to_a_seat(game: DigitalTable) -> None:
    invitation = game.post("/invites/", {"role": "seat", "seat": 2}).json
    joined = game.api.post("/join/", {"code": invitation["code"]}).json

    assert (invitation["role"], invitation["seat"], joined["seat"]) == ("seat", 2, 2)
    assert [row["seat"] for row in game.get("/keys/").json if row["role"] == "seat"] == [0, 1, 2]
    assert game.post("/invites/", {"role": "seat", "seat": 3}).refusal == (422, "unknown_seat")
    assert game.post("/invites/", {"role": "seat"}).refusal == (400, "missing_field")
    assert game.post("/invites/", {"role": "viewer", "seat": 1}).refusal == (400, "unknown_field")


def test_a_bot_plays_for_anyone_who_is_away_until_they_get_their_seat_back(game: DigitalTable) -> None:
    (seat, action) = placing(game)

    state = game.puts_bot(seat, "easy").json["state"]

    assert state["players"][seat]["bot"] == "easy"
    assert game.seen_by(seat)["legal_actions"] == []
    assert game.does(seat, action).refusal == (409, "bot_plays")
    assert game.proposes(seat, "takeback").refusal == (409, "bot_plays")
    with committed(execute=True):
        assert act_due(game.id) == 1
    assert game.puts_bot(seat, None, key=game.seats[seat]).json["state"]["players"][seat]["bot"] is None
    assert [entry["kind"] for entry in game.get("/log/").json[-3:]] == ["seat", "place", "seat"]


def test_only_the_host_and_the_player_themselves_put_a_bot_on_a_seat(game: DigitalTable) -> None:
    assert game.puts_bot(0, "easy", key=game.seats[1]).refusal == (403, "forbidden")
    assert game.puts_bot(0, "easy", key=game.viewer).refusal == (403, "forbidden")
    assert game.puts_bot(7, "easy").refusal == (422, "unknown_seat")
    assert game.post("/seats/0/bot/", {"level": "clever"}).refusal == (400, "wrong_type")
    assert game.post("/seats/0/bot/", {}).refusal == (400, "missing_field")
    assert game.puts_bot(0, "strong", key=game.seats[0]).status == 201


# --- asking the others ---


def test_what_was_done_is_taken_back_when_all_agree(game: DigitalTable) -> None:
    before = game.state["round"]
    (seat, action) = placing(game)
    seq = game.does(seat, action).json["version"]
    others = [each for each in game.seats if each != seat]

    asked = game.post("/undo/", {}, game.seats[seat]).json["state"]["proposals"]
    game.answers(others[0], asked[0]["seq"], agree=True)
    waiting = game.state["proposals"]
    game.answers(others[1], asked[0]["seq"], agree=True)

    entry = {"seq": seq, "seat": seat, "action": action}
    assert asked == [
        {"seq": seq + 1, "seat": seat, "type": "takeback", "entries": [entry], "agreed": [], "waiting": others}
    ]
    assert (waiting[0]["agreed"], waiting[0]["waiting"]) == (others[:1], others[1:])
    assert game.state["proposals"] == []
    assert game.state["round"] == before
    last = game.get("/log/").json[-1]
    assert (last["kind"], last["undoes"]) == ("undo", seq)


def test_a_claim_lays_the_hand_open_and_gives_the_rest_when_all_agree(in_tricks: DigitalTable) -> None:
    hand = in_tricks.seen_by(0)["round"]["hand"]

    asked = in_tricks.proposes(0, "claim").json
    for seat in (1, 2):
        in_tricks.answers(seat, asked["version"], agree=True)

    (proposal,) = asked["state"]["proposals"]
    assert (proposal["type"], proposal["cards"], proposal["waiting"]) == ("claim", hand, [1, 2])
    now = in_tricks.get(key=in_tricks.viewer).json
    assert now["last_round"]["claimed"] == 0
    assert now["last_round"]["won"][0]["tricks"] == now["last_round"]["tricks_total"]
    assert now["round"]["number"] == 2


def test_a_takeback_names_hidden_cards_to_no_other_player(discarding: DigitalTable) -> None:
    action = discarding.seen_by(1)["legal_actions"][0]
    discarding.does(1, action)
    discarding.proposes(1, "takeback")

    for whose, key in discarding.keys.items():
        (entry,) = discarding.get(key=key).json["proposals"][0]["entries"]
        assert entry["seat"] == 1
        assert (entry["action"]["cards"] is not None) == (whose == "seat 1")


@pytest.mark.parametrize(
    ("path", "body", "code"),
    [
        ("/proposals/", {}, "missing_field"),
        ("/proposals/", {"type": "draw"}, "wrong_type"),
        ("/proposals/", {"type": "claim", "to_seq": 1}, "unknown_field"),
        ("/proposals/", {"type": "takeback", "to_seq": -1}, "wrong_type"),
        ("/proposals/1/", {}, "missing_field"),
        ("/proposals/1/", {"agree": 1}, "wrong_type"),
        ("/proposals/1/", {"agree": True, "x": 1}, "unknown_field"),
        ("/rematch/", {"same_deals": 1}, "wrong_type"),
    ],
)
def test_what_cannot_be_read_is_refused_with_its_code(game: DigitalTable, path: str, body: Any, code: str) -> None:
    key = game.scorekeeper if path == "/rematch/" else game.seats[0]

    assert game.post(path, body, key).refusal == (400, code)
    assert game.post(path, body, "wrong").status == 401


# --- the end ---


@pytest.fixture
def second_round(in_tricks: DigitalTable) -> DigitalTable:
    """A digital game in the middle of its second and last round."""
    return in_tricks.jump(in_trick(2, 1, round=2))


def test_a_game_that_ends_early_never_publishes_its_last_round(second_round: DigitalTable) -> None:
    hidden = {seat: second_round.seen_by(seat)["round"]["hand"] for seat in second_round.seats}

    second_round.does(0, FINISH)
    seq = second_round.state["proposals"][-1]["seq"]
    assert second_round.state["status"] == "playing"
    for seat in (1, 2):
        second_round.answers(seat, seq, agree=True)

    for whose, key in second_round.keys.items():
        state = second_round.get(key=key).json
        assert (state["status"], state["round"], len(state["scores"]["rounds"])) == ("finished", None, 1)
        document = second_round.get("/export/", key).json
        deals = [entry["payload"] for entry in document["log"] if entry["kind"] == "deal"]
        seen = [entry["action"] for entry in second_round.get("/log/", key).json if entry["kind"] == "deal"]
        assert deals == seen
        assert "seed" in deals[0]
        assert None not in deals[0]["hands"]
        assert "seed" not in deals[1]
        own = int(whose[-1]) if whose.startswith("seat") else None
        assert [seat for seat, hand in enumerate(deals[1]["hands"]) if hand is not None] == (
            [] if own is None else [own]
        )
        if own is not None:
            assert set(hidden[own]) <= set(deals[1]["hands"][own])


def test_a_finished_game_is_open_to_all_and_stays_as_it_is(second_round: DigitalTable) -> None:
    second_round.finish_early()

    (seat, host) = second_round.seats[0], second_round.scorekeeper
    assert second_round.does(0, play("red-1")).refusal == (422, "game_over")
    assert second_round.post("/undo/", {}, seat).refusal == (409, "undo_not_allowed")
    assert second_round.post("/reopen/", {}, host).refusal == (409, "undo_not_allowed")
    assert second_round.puts_bot(0, "easy").refusal == (422, "game_over")
    assert second_round.state["legal_actions"] == []
    assert second_round.post("/lock/", {}, host).status == 201
    assert len(second_round.get("/sheet/").json) == 3


def test_the_same_deals_can_be_played_again(second_round: DigitalTable) -> None:
    second_round.finish_early()
    deal = next(each for each in second_round.get("/log/").json if each["kind"] == "deal")["action"]

    created = second_round.post("/rematch/", {"same_deals": True}).json
    again = DigitalTable.of(second_round.api, created)

    assert [again.seen_by(seat)["round"]["hand"] for seat in again.seats] == deal["hands"]
    assert [created["state"]["same_deals"], again.seen_by(1)["same_deals"]] == [True, True]
    other = DigitalTable.of(second_round.api, second_round.post("/rematch/").json)
    assert other.state["same_deals"] is False
    assert [other.seen_by(seat)["round"]["hand"] for seat in other.seats] != deal["hands"]


def test_bots_sit_where_they_sat_in_a_rematch(api: Api) -> None:
    game = DigitalTable.open(api, players=2, bots=[None, "easy"], rounds=1)
    game.jump(lambda state: state.public.current is None)

    created = game.post("/rematch/").json

    assert [player["bot"] for player in created["state"]["players"]] == [None, "easy"]
    assert set(created["keys"]["seats"]) == {"0"}

"""Every kind of illegal input is refused with its code and status, and nothing has changed."""

import json
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from tests.api.client import FINISH, ROUND_OF_THREE, Answer, Api, Table, penalty, place, settle, tally, team, trick

pytestmark = pytest.mark.any_database

Send = Callable[[Table], Answer]

TRUMP_CLOSED = tuple(place("trump", space) for space in ("red", "black", "blue", "yellow"))
SETTLED = settle("0", "njet", "red", "njet", "2")


@dataclass(frozen=True)
class Kind:
    """What is sent to which table, and how it is refused."""

    name: str
    send: Send
    status: int
    code: str
    players: int = 3
    before: tuple[Any, ...] = ()
    preset: str = "njet-english"


def act(action: Any, **more: Any) -> Send:
    return lambda table: table.act(action, **more)


def raw(text: str | bytes, path: str = "/actions/") -> Send:
    return lambda table: table.api.send("POST", table.path + path, table.scorekeeper, data=text)


def reuse_an_id(table: Table) -> Answer:
    table.act(place("points", "1"), request_id="used")
    return table.act(place("points", "2"), request_id="used")


def with_a_foreign_key(table: Table) -> Answer:
    return table.post("/actions/", {"action": place("trump", "red")}, table.api.open_table().scorekeeper)


COUNTING = (SETTLED, team(1, monster=2))
COUNTING_5 = (SETTLED, team(1, 2, monster=4))
COUNTING_FRENCH = (settle("0", "njet", "red", "njet", "2"), team(1))

KINDS = (
    Kind("a covered space", act(place("trump", "red")), 422, "space_covered", before=(place("trump", "red"),)),
    Kind("a closed row", act(place("trump", "red")), 422, "row_closed", before=TRUMP_CLOSED),
    Kind("the last open space", act(place("trump", "njet")), 422, "last_open_space", before=TRUMP_CLOSED),
    Kind("the wrong turn", act(place("trump", "red"), seat=1), 422, "not_your_turn"),
    Kind("a team named out of turn", act(team(1, monster=2), seat=1), 422, "not_your_turn", before=(SETTLED,)),
    Kind("an unknown row", act(place("tramp", "red")), 400, "unknown_row"),
    Kind("an unknown space", act(place("trump", "lilac")), 422, "unknown_space"),
    Kind("a token nobody took", act(place("start", "3")), 422, "unknown_space"),
    Kind("a suit of the other edition", act(place("trump", "green")), 422, "unknown_space"),
    Kind("njet where there is none", act(place("trump", "njet")), 422, "unknown_space", 4, (), "goldsieber-dutch"),
    Kind("no partner with 4", act(team()), 422, "wrong_team_size", 4, (SETTLED,)),
    Kind("two partners with 4", act(team(1, 2)), 422, "wrong_team_size", 4, (SETTLED,)),
    Kind("two partners with 3", act(team(1, 2, monster=0)), 422, "wrong_team_size", 3, (SETTLED,)),
    Kind("alone with 5", act(team(monster=0)), 422, "wrong_team_size", 5, (SETTLED,)),
    Kind("three partners with 5", act(team(1, 2, 3, monster=4)), 422, "wrong_team_size", 5, (SETTLED,)),
    Kind("his own partner", act(team(0, monster=1)), 422, "own_partner", 5, (SETTLED,)),
    Kind("a partner twice", act(team(1, 1, monster=3)), 422, "partner_twice", 5, (SETTLED,)),
    Kind("a partner who is not there", act(team(5, monster=1)), 422, "unknown_seat", 5, (SETTLED,)),
    Kind("a team with 2", act(team(1)), 422, "wrong_phase", 2, (SETTLED,)),
    Kind("monster in the larger team", act(team(1, monster=0)), 422, "monster_in_larger_team", 3, (SETTLED,)),
    Kind("monster missing", act(team(1)), 422, "monster_missing", 3, (SETTLED,)),
    Kind("monster missing, alone", act(team()), 422, "monster_missing", 3, (SETTLED,)),
    Kind("monster with 4", act(team(1, monster=1)), 422, "monster_not_used", 4, (SETTLED,)),
    Kind(
        "a start player where there is a row",
        act({**team(1, monster=2), "start": 0}),
        422,
        "start_not_free",
        3,
        (SETTLED,),
    ),
    Kind("a tally too large", act(tally([6, 6, 5])), 422, "wrong_trick_sum", 3, COUNTING),
    Kind("a tally too small", act(tally([5, 5, 5])), 422, "wrong_trick_sum", 3, COUNTING),
    Kind("a negative tally", act(tally([17, 0, -1])), 422, "negative_count", 3, COUNTING),
    Kind("negative captures", act(tally([16, 0, 0], [-1, 0, 0])), 422, "negative_count", 3, COUNTING),
    Kind("a fractional tally", act(tally([5.5, 5.5, 5])), 400, "wrong_type", 3, COUNTING),
    Kind("a whole number with a point", act(tally([6.0, 5, 5])), 400, "wrong_type", 3, COUNTING),
    Kind("a true number", act(tally([True, 10, 5])), 400, "wrong_type", 3, COUNTING),
    Kind("a tally of text", act(tally(["6", "5", "5"])), 400, "wrong_type", 3, COUNTING),
    Kind("a tally of too few", act(tally([8, 8])), 422, "wrong_tally_length", 3, COUNTING),
    Kind("captures without tricks", act(tally([8, 0, 8], [0, 1, 0])), 422, "captured_without_trick", 3, COUNTING),
    Kind("too many captures for the tricks", act(tally([1, 7, 8], [2, 0, 0])), 422, "too_many_captured", 3, COUNTING),
    Kind("too many captures in all", act(tally([5, 5, 6], [1, 0, 12])), 422, "captured_sum_too_large", 3, COUNTING),
    Kind(
        "too few captures in all",
        act(tally([5, 5, 0, 0], [3, 4, 0, 0])),
        422,
        "captured_sum_too_small",
        4,
        COUNTING_FRENCH,
        "goldsieber-french",
    ),
    Kind("too many captures in a trick", act(trick(0, 2)), 422, "too_many_captured", 3, COUNTING),
    Kind("negative captures in a trick", act(trick(0, -1)), 422, "negative_count", 3, COUNTING),
    Kind("a winner who is not there", act(trick(3)), 422, "unknown_seat", 3, COUNTING),
    Kind("a trick while placing", act(trick(0)), 422, "wrong_phase"),
    Kind("a tally while teams are named", act(tally([6, 5, 5])), 422, "wrong_phase", 3, (SETTLED,)),
    Kind("a marker while tricks are counted", act(place("trump", "blue")), 422, "wrong_phase", 5, COUNTING_5),
    Kind("a team while placing", act(team(1, monster=2)), 422, "wrong_phase"),
    Kind("a board that is settled", act(SETTLED), 422, "wrong_phase", 3, (SETTLED,)),
    Kind("a quick entry of a covered space", act(SETTLED), 422, "space_covered", 3, (place("trump", "red"),)),
    Kind("a quick entry without a row", act(settle(None, "njet", "red", "njet", "2")), 400, "missing_field"),
    Kind("cards at a physical table", act({"type": "play", "card": "red-7"}), 422, "digital_only"),
    Kind("a deal at a physical table", act({"type": "deal", "hands": [], "counts": []}), 422, "digital_only"),
    Kind("a card that is none", act({"type": "play", "card": "pink-7"}), 400, "unknown_card"),
    Kind("a finish without a round", act({"type": "finish"}), 422, "nothing_to_finish"),
    Kind("a penalty of nothing", act(penalty(0, 0)), 422, "penalty_out_of_range"),
    Kind("a penalty beyond the sheet", act(penalty(0, -1000)), 422, "penalty_out_of_range"),
    Kind("a penalty without a reason", act(penalty(0, -5, " ")), 422, "reason_missing"),
    Kind("a penalty for nobody", act(penalty(3, -5)), 422, "unknown_seat"),
    Kind("a misdeal without a reason", act({"type": "void_round", "reason": "\u200b"}), 422, "reason_missing"),
    Kind("a stale version", act(place("trump", "red"), version=0), 409, "stale_version", 3, (place("points", "1"),)),
    Kind("a foreign key", with_a_foreign_key, 404, "not_found"),
    Kind("broken JSON", raw('{"action": {"type": "finish"}'), 400, "malformed"),
    Kind("no JSON at all", raw("action=finish"), 400, "malformed"),
    Kind("no UTF-8", raw(b'{"action": {"type": "fin\xffish"}}'), 400, "malformed"),
    Kind("half a surrogate pair", raw('{"action": {"type": "void_round", "reason": "\\ud83d"}}'), 400, "malformed"),
    Kind("a NUL", raw('{"action": {"type": "void_round", "reason": "a\\u0000b"}}'), 400, "malformed"),
    Kind("a NUL in a name", raw('{"acti\\u0000on": 1}'), 400, "malformed"),
    Kind("NaN", raw('{"action": {"type": "trick", "winner": NaN, "captured": 0}}'), 400, "malformed"),
    Kind("an infinite number", raw('{"action": {"type": "trick", "winner": 1e999, "captured": 0}}'), 400, "malformed"),
    Kind(
        "a huge number",
        raw(f'{{"action": {penalty(0, 0)}, "version": 1{"0" * 5000}}}'.replace("'", '"')),
        400,
        "malformed",
    ),
    Kind("a version beyond JSON", raw(f'{{"version": {2**53}}}'), 400, "malformed"),
    Kind("deep nesting", raw("[" * 30_000 + "]" * 30_000), 400, "malformed"),
    Kind("nesting that can be read", raw("[" * 100 + "]" * 100), 400, "malformed"),
    Kind("a list", raw("[]"), 400, "wrong_type"),
    Kind("a text", raw('"finish"'), 400, "wrong_type"),
    Kind("null", raw("null"), 400, "wrong_type"),
    Kind("nothing", raw(""), 400, "missing_field"),
    Kind("no action", raw("{}"), 400, "missing_field"),
    Kind("an action of text", act("finish"), 400, "wrong_type"),
    Kind("an action without a type", act({}), 400, "missing_field"),
    Kind("an unknown action", act({"type": "cheat"}), 400, "unknown_action"),
    Kind("an action with a field too many", act({"type": "finish", "now": True}), 400, "unknown_field"),
    Kind("an action with a field too few", act({"type": "place", "row": "trump"}), 400, "missing_field"),
    Kind("a request with a field too many", act({"type": "finish"}, now=True), 400, "unknown_field"),
    Kind("a version of text", act(place("trump", "red"), version="0"), 400, "wrong_type"),
    Kind("a true version", act(place("trump", "red"), version=False), 400, "wrong_type"),
    Kind("a fractional version", act(place("trump", "red"), version=0.0), 400, "wrong_type"),
    Kind("a negative version", act(place("trump", "red"), version=-1), 400, "wrong_type"),
    Kind("a request id that is a number", act(place("trump", "red"), request_id=7), 400, "wrong_type"),
    Kind("an undo to before the beginning", lambda table: table.undo(to_seq=-1), 400, "wrong_type"),
    Kind("an undo of nothing", lambda table: table.undo(), 409, "undo_not_allowed"),
    Kind("an amendment of nothing", lambda table: table.amend(), 400, "wrong_type"),
    Kind("an amendment of no entry", lambda table: table.amend({"seq": 9, "delete": True}), 422, "unknown_entry"),
    Kind("an amendment of entry −1", lambda table: table.amend({"seq": -1, "delete": True}), 400, "wrong_type"),
    Kind(
        "an amendment that forbids a later entry",
        lambda table: table.amend({"seq": 2, "delete": True}),
        422,
        "amendment_conflicts",
        before=ROUND_OF_THREE,
    ),
    Kind("a lock before the end", lambda table: table.post("/lock/"), 409, "not_finished"),
    Kind("a reopening before the end", lambda table: table.post("/reopen/"), 409, "not_finished"),
    Kind("a rematch before the end", lambda table: table.post("/rematch/"), 409, "not_finished"),
    Kind("a set-up that says nothing", lambda table: table.post("/setup/"), 400, "malformed"),
    Kind("a name twice", lambda table: table.post("/setup/", {"names": ["A", "B", "a"]}), 422, "name_twice"),
    Kind("a name too few", lambda table: table.post("/setup/", {"names": ["A", "B"]}), 422, "wrong_player_count"),
    Kind("an invitation to deal", lambda table: table.post("/invites/", {"role": "dealer"}), 400, "wrong_type"),
)


SITUATIONS = defaultdict(list)
for each in KINDS:
    SITUATIONS[f"{each.preset} {each.players} {each.before}"].append(each)


@pytest.mark.parametrize("kinds", SITUATIONS.values(), ids=lambda kinds: kinds[0].name)
def test_is_refused_with_its_code_and_nothing_has_changed(api: Api, kinds: list[Kind]) -> None:
    """One table serves every kind that begins alike: a refusal changes nothing."""
    table = api.open_table(kinds[0].preset, kinds[0].players)
    table.play(*kinds[0].before)
    before, entries = table.state, table.get("/log/").json

    for kind in kinds:
        answer = kind.send(table)

        assert answer.refusal == (kind.status, kind.code), kind.name
        assert table.state == before, kind.name
        assert table.get("/log/").json == entries, kind.name


def test_a_reused_request_id_is_refused_and_nothing_has_changed(table: Table) -> None:
    answer = reuse_an_id(table)

    assert answer.refusal == (409, "request_id_reused")
    assert table.version == 1


def test_there_are_more_than_twenty_kinds() -> None:
    assert len({kind.name for kind in KINDS}) == len(KINDS) > 20
    assert len({kind.code for kind in KINDS}) > 20


@pytest.mark.parametrize("path", ["/games/", "/games/import/"])
def test_a_byte_order_mark_before_a_document_is_left_out(api: Api, table: Table, path: str) -> None:
    table.play(*ROUND_OF_THREE, FINISH)
    document = {
        "/games/": {"mode": "table", "preset": "njet-english", "players": [{"name": "Ana"}, {"name": "Ben"}]},
        "/games/import/": table.get("/export/?format=json").json,
    }[path]

    answer = api.send("POST", path, data=b"\xef\xbb\xbf" + json.dumps(document).encode())

    assert answer.status == 201


def test_a_byte_order_mark_before_a_text_is_left_out(api: Api, table: Table) -> None:
    table.play(*ROUND_OF_THREE, FINISH)
    text = table.get("/export/?format=njet").text

    answer = api.send("POST", "/games/import/", data=b"\xef\xbb\xbf" + text.encode(), content_type="text/plain")

    assert answer.status == 201


def test_only_one_byte_order_mark_is_left_out(api: Api) -> None:
    refused = api.send("POST", "/groups/", data=b"\xef\xbb\xbf\xef\xbb\xbf" + b'{"name": "Tuesdays"}')

    assert refused.refusal == (400, "malformed")

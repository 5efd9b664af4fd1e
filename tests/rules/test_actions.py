"""The closed set of actions, read strictly and written as the API contract says."""

import json
from contextlib import suppress

import pytest
from hypothesis import given

from games.rules import (
    Action,
    AddPenalty,
    Card,
    Claim,
    Deal,
    Discard,
    EnterConditions,
    Finish,
    Hidden,
    Malformed,
    NameTeam,
    Pass,
    Place,
    Play,
    RecordTally,
    RecordTrick,
    RowKey,
    VoidRound,
    from_json,
    kind_of,
    parse_hand,
    to_json,
)
from games.rules.actions import KINDS
from games.rules.errors import MissingField, UnknownActionType, UnknownCard, UnknownField, UnknownRow, WrongType
from tests.strategies import any_actions, junk

RED_1, BLUE_0 = Card.parse("red-1"), Card.parse("blue-0")

CONTRACT: list[tuple[Action, dict[str, object]]] = [
    (Place(RowKey.TRUMP, "red"), {"type": "place", "row": "trump", "space": "red"}),
    (
        EnterConditions("0", "njet", "red", "njet", "3"),
        {"type": "conditions", "start": "0", "discard": "njet", "trump": "red", "supertrump": "njet", "points": "3"},
    ),
    (
        EnterConditions(None, "njet", "red", "njet", "-2"),
        {"type": "conditions", "discard": "njet", "trump": "red", "supertrump": "njet", "points": "-2"},
    ),
    (NameTeam((2,), None), {"type": "team", "partners": [2], "monster": None}),
    (NameTeam((), 0), {"type": "team", "partners": [], "monster": 0}),
    (NameTeam((2, 3), 1, start=0), {"type": "team", "partners": [2, 3], "monster": 1, "start": 0}),
    (Discard((RED_1,)), {"type": "discard", "cards": ["red-1"]}),
    (Discard(()), {"type": "discard", "cards": []}),
    (Discard(Hidden(2)), {"type": "discard", "cards": None, "count": 2}),
    (Pass((RED_1, BLUE_0)), {"type": "pass", "cards": ["red-1", "blue-0"]}),
    (Pass(Hidden(2)), {"type": "pass", "cards": None, "count": 2}),
    (Play(Card.parse("red-7")), {"type": "play", "card": "red-7"}),
    (Claim(2, 3), {"type": "claim", "seat": 2, "captured": 3}),
    (RecordTrick(2, 1), {"type": "trick", "winner": 2, "captured": 1}),
    (RecordTally((7, 3), (3, 0)), {"type": "tally", "tricks": [7, 3], "captured": [3, 0]}),
    (Finish(), {"type": "finish"}),
    (VoidRound("misdeal"), {"type": "void_round", "reason": "misdeal"}),
    (AddPenalty(1, -5, "revoke"), {"type": "penalty", "seat": 1, "points": -5, "reason": "revoke"}),
    (Deal((parse_hand("R1 B0"), Hidden(2))), {"type": "deal", "hands": [["red-1", "blue-0"], None], "counts": [2, 2]}),
    (Deal((Hidden(15), Hidden(15))), {"type": "deal", "hands": [None, None], "counts": [15, 15]}),
    (
        Deal((Hidden(15), Hidden(15)), "00ff", "abc1"),
        {"type": "deal", "hands": [None, None], "counts": [15, 15], "seed": "00ff", "commitment": "abc1"},
    ),
    (
        Deal((Hidden(15), Hidden(15)), commitment="abc1"),
        {"type": "deal", "hands": [None, None], "counts": [15, 15], "commitment": "abc1"},
    ),
]


@pytest.mark.parametrize(("action", "value"), CONTRACT)
def test_an_action_is_written_as_the_contract_says(action: Action, value: dict[str, object]) -> None:
    written = to_json(action)

    assert written == value


@pytest.mark.parametrize(("action", "value"), CONTRACT)
def test_an_action_is_read_as_the_contract_says(action: Action, value: dict[str, object]) -> None:
    read = from_json(value)

    assert read == action


def test_the_set_of_actions_is_closed() -> None:
    kinds = {kind_of(action) for action, _ in CONTRACT}

    assert kinds == set(KINDS)
    assert len(kinds) == 13


def test_a_start_that_is_null_is_no_start() -> None:
    board = {"type": "conditions", "start": None, "discard": "njet", "trump": "red", "supertrump": "red", "points": "1"}
    team = {"type": "team", "partners": [1], "monster": None, "start": None}

    read = from_json(board), from_json(team)

    assert read == (EnterConditions(None, "njet", "red", "red", "1"), NameTeam((1,), None))


PLACE = {"type": "place", "row": "trump", "space": "red"}
TEAM = {"type": "team", "partners": [2], "monster": None}
TRICK = {"type": "trick", "winner": 2, "captured": 1}
TALLY = {"type": "tally", "tricks": [7, 3], "captured": [3, 0]}


@pytest.mark.parametrize(
    ("value", "refusal", "params"),
    [
        (None, WrongType, {"field": "action", "expected": "object"}),
        (True, WrongType, {"field": "action", "expected": "object"}),
        ("place", WrongType, {"field": "action", "expected": "object"}),
        (7, WrongType, {"field": "action", "expected": "object"}),
        ([PLACE], WrongType, {"field": "action", "expected": "object"}),
        ({}, MissingField, {"action": "action", "field": "type"}),
        ({"type": None}, MissingField, {"action": "action", "field": "type"}),
        ({"type": 3}, MissingField, {"action": "action", "field": "type"}),
        ({"type": ["place"]}, MissingField, {"action": "action", "field": "type"}),
        ({"type": ""}, UnknownActionType, {"type": ""}),
        ({"type": "Place"}, UnknownActionType, {"type": "Place"}),
        ({"type": "undo"}, UnknownActionType, {"type": "undo"}),
        ({"type": "{type}"}, UnknownActionType, {"type": "{type}"}),
        ({"type": "place", "row": "trump"}, MissingField, {"action": "place", "field": "space"}),
        ({"type": "place", "space": "red"}, MissingField, {"action": "place", "field": "row"}),
        (PLACE | {"seat": 0}, UnknownField, {"action": "place", "field": "seat"}),
        (PLACE | {"": 0}, UnknownField, {"action": "place", "field": ""}),
        (PLACE | {1: 0}, UnknownField, {"action": "place", "field": "1"}),
        (PLACE | {"row": "colour"}, UnknownRow, {"row": "colour"}),
        (PLACE | {"row": "TRUMP"}, UnknownRow, {"row": "TRUMP"}),
        (PLACE | {"row": 2}, WrongType, {"field": "row", "expected": "text"}),
        (PLACE | {"space": 0}, WrongType, {"field": "space", "expected": "text"}),
        (PLACE | {"space": None}, WrongType, {"field": "space", "expected": "text"}),
        (TEAM | {"partners": "2"}, WrongType, {"field": "partners", "expected": "list"}),
        (TEAM | {"partners": [2.0]}, WrongType, {"field": "partners", "expected": "whole_number"}),
        (TEAM | {"partners": [True]}, WrongType, {"field": "partners", "expected": "whole_number"}),
        (TEAM | {"partners": {"0": 2}}, WrongType, {"field": "partners", "expected": "list"}),
        (TEAM | {"monster": "2"}, WrongType, {"field": "monster", "expected": "whole_number"}),
        (TEAM | {"monster": False}, WrongType, {"field": "monster", "expected": "whole_number"}),
        (TEAM | {"start": "2"}, WrongType, {"field": "start", "expected": "whole_number"}),
        ({"type": "team", "partners": [2]}, MissingField, {"action": "team", "field": "monster"}),
        (TRICK | {"winner": 1.5}, WrongType, {"field": "winner", "expected": "whole_number"}),
        (TRICK | {"winner": None}, WrongType, {"field": "winner", "expected": "whole_number"}),
        (TRICK | {"captured": "1"}, WrongType, {"field": "captured", "expected": "whole_number"}),
        (TRICK | {"captured": float("nan")}, WrongType, {"field": "captured", "expected": "whole_number"}),
        ({"type": "trick", "winner": 2}, MissingField, {"action": "trick", "field": "captured"}),
        (TALLY | {"tricks": [7, 2.5]}, WrongType, {"field": "tricks", "expected": "whole_number"}),
        (TALLY | {"tricks": [7, None]}, WrongType, {"field": "tricks", "expected": "whole_number"}),
        (TALLY | {"tricks": 10}, WrongType, {"field": "tricks", "expected": "list"}),
        (TALLY | {"captured": [3, True]}, WrongType, {"field": "captured", "expected": "whole_number"}),
        ({"type": "play", "card": "red-14"}, UnknownCard, {"card": "red-14"}),
        ({"type": "play", "card": 7}, WrongType, {"field": "card", "expected": "text"}),
        ({"type": "play", "card": None}, WrongType, {"field": "card", "expected": "text"}),
        ({"type": "discard", "cards": "red-1"}, WrongType, {"field": "cards", "expected": "list"}),
        ({"type": "discard", "cards": ["red-1", None]}, WrongType, {"field": "cards", "expected": "text"}),
        ({"type": "discard", "cards": None}, MissingField, {"action": "discard", "field": "count"}),
        ({"type": "discard", "cards": ["red-1"], "count": 1}, UnknownField, {"action": "discard", "field": "count"}),
        (
            {"type": "deal", "hands": [None], "counts": [1, 2]},
            WrongType,
            {"field": "counts", "expected": "number_for_each_hand"},
        ),
        (
            {"type": "deal", "hands": [["red-1"]], "counts": [2]},
            WrongType,
            {"field": "counts", "expected": "cards_of_each_hand"},
        ),
        ({"type": "deal", "hands": [None]}, MissingField, {"action": "deal", "field": "counts"}),
        ({"type": "deal", "hands": 1, "counts": [1]}, WrongType, {"field": "hands", "expected": "list"}),
        ({"type": "deal", "hands": [None], "counts": 1}, WrongType, {"field": "counts", "expected": "list"}),
        (
            {"type": "deal", "hands": [None], "counts": ["1"]},
            WrongType,
            {"field": "counts", "expected": "whole_number"},
        ),
        ({"type": "void_round"}, MissingField, {"action": "void_round", "field": "reason"}),
        ({"type": "void_round", "reason": 1}, WrongType, {"field": "reason", "expected": "text"}),
        (
            {"type": "penalty", "seat": 1, "points": 1.5, "reason": "revoke"},
            WrongType,
            {"field": "points", "expected": "whole_number"},
        ),
        ({"type": "penalty", "seat": 1, "points": -5}, MissingField, {"action": "penalty", "field": "reason"}),
        ({"type": "finish", "now": True}, UnknownField, {"action": "finish", "field": "now"}),
    ],
)
def test_what_is_not_exactly_an_action_is_malformed_and_says_where(
    value: object, refusal: type[Malformed], params: dict[str, object]
) -> None:
    with pytest.raises(Malformed) as refused:
        from_json(value)

    assert (type(refused.value), refused.value.params) == (refusal, params)


@given(any_actions())
def test_every_action_survives_json(action: Action) -> None:
    text = json.dumps(to_json(action))

    again = from_json(json.loads(text))

    assert again == action


@given(junk())
def test_junk_is_malformed_and_never_any_other_error(value: object) -> None:
    try:
        read = from_json(value)
    except Malformed:
        return

    assert from_json(to_json(read)) == read


@given(junk())
def test_reading_leaves_what_was_sent_as_it_is(value: object) -> None:
    before = repr(value)

    with suppress(Malformed):
        from_json(value)

    assert repr(value) == before


@pytest.mark.parametrize("number", [10**9, -(10**9), 10**4299])
def test_a_number_that_no_sheet_can_hold_is_malformed(number: int) -> None:
    tally = {"type": "tally", "tricks": [number, 0], "captured": [0, 0]}

    with pytest.raises(WrongType) as refused:
        from_json(tally)

    assert refused.value.params == {"field": "tricks", "expected": "short_whole_number"}


def test_the_largest_number_that_a_sheet_can_hold_has_nine_digits() -> None:
    numbers = [10**9 - 1, 1 - 10**9]

    read = from_json({"type": "tally", "tricks": numbers, "captured": [0, 0]})

    assert read == RecordTally((999_999_999, -999_999_999), (0, 0))


@pytest.mark.parametrize(
    ("document", "field"),
    [
        ({"type": "discard", "cards": None, "count": -1}, "count"),
        ({"type": "deal", "hands": [None, None], "counts": [15, -15]}, "counts"),
    ],
)
def test_hidden_cards_are_counted_from_0_on(document: dict[str, object], field: str) -> None:
    with pytest.raises(WrongType) as refused:
        from_json(document)

    assert refused.value.params == {"field": field, "expected": "count"}

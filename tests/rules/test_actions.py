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
    (
        Deal((parse_hand("R1 B0"), Hidden(2))),
        {"type": "deal", "hands": [["red-1", "blue-0"], None], "counts": [2, 2]},
    ),
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
    ("value", "refusal"),
    [
        (None, WrongType),
        (True, WrongType),
        ("place", WrongType),
        (7, WrongType),
        ([PLACE], WrongType),
        ({}, MissingField),
        ({"type": None}, MissingField),
        ({"type": 3}, MissingField),
        ({"type": ["place"]}, MissingField),
        ({"type": ""}, UnknownActionType),
        ({"type": "Place"}, UnknownActionType),
        ({"type": "undo"}, UnknownActionType),
        ({"type": "{type}"}, UnknownActionType),
        ({"type": "place", "row": "trump"}, MissingField),
        ({"type": "place", "space": "red"}, MissingField),
        (PLACE | {"seat": 0}, UnknownField),
        (PLACE | {"": 0}, UnknownField),
        (PLACE | {1: 0}, UnknownField),
        (PLACE | {"row": "colour"}, UnknownRow),
        (PLACE | {"row": "TRUMP"}, UnknownRow),
        (PLACE | {"row": 2}, WrongType),
        (PLACE | {"space": 0}, WrongType),
        (PLACE | {"space": None}, WrongType),
        (TEAM | {"partners": "2"}, WrongType),
        (TEAM | {"partners": [2.0]}, WrongType),
        (TEAM | {"partners": [True]}, WrongType),
        (TEAM | {"partners": {"0": 2}}, WrongType),
        (TEAM | {"monster": "2"}, WrongType),
        (TEAM | {"monster": False}, WrongType),
        (TEAM | {"start": "2"}, WrongType),
        ({"type": "team", "partners": [2]}, MissingField),
        (TRICK | {"winner": 1.5}, WrongType),
        (TRICK | {"winner": None}, WrongType),
        (TRICK | {"captured": "1"}, WrongType),
        (TRICK | {"captured": float("nan")}, WrongType),
        ({"type": "trick", "winner": 2}, MissingField),
        (TALLY | {"tricks": [7, 2.5]}, WrongType),
        (TALLY | {"tricks": [7, None]}, WrongType),
        (TALLY | {"tricks": 10}, WrongType),
        (TALLY | {"captured": [3, True]}, WrongType),
        ({"type": "play", "card": "red-10"}, UnknownCard),
        ({"type": "play", "card": 7}, WrongType),
        ({"type": "play", "card": None}, WrongType),
        ({"type": "discard", "cards": "red-1"}, WrongType),
        ({"type": "discard", "cards": ["red-1", None]}, WrongType),
        ({"type": "discard", "cards": None}, MissingField),
        ({"type": "discard", "cards": ["red-1"], "count": 1}, UnknownField),
        ({"type": "deal", "hands": [None], "counts": [1, 2]}, WrongType),
        ({"type": "deal", "hands": [["red-1"]], "counts": [2]}, WrongType),
        ({"type": "deal", "hands": [None]}, MissingField),
        ({"type": "void_round"}, MissingField),
        ({"type": "void_round", "reason": 1}, WrongType),
        ({"type": "penalty", "seat": 1, "points": 1.5, "reason": "revoke"}, WrongType),
        ({"type": "penalty", "seat": 1, "points": -5}, MissingField),
        ({"type": "finish", "now": True}, UnknownField),
    ],
)
def test_what_is_not_exactly_an_action_is_malformed(value: object, refusal: type[Malformed]) -> None:
    with pytest.raises(Malformed) as refused:
        from_json(value)

    assert type(refused.value) is refusal
    json.dumps(refused.value.params)


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

    with pytest.raises(WrongType):
        from_json(tally)


@pytest.mark.parametrize(
    "document",
    [
        {"type": "discard", "cards": None, "count": -1},
        {"type": "deal", "hands": [None, None], "counts": [15, -15]},
    ],
)
def test_hidden_cards_are_counted_from_0_on(document: dict[str, object]) -> None:
    with pytest.raises(WrongType):
        from_json(document)

"""What is stored of each kind of log entry, and how strictly it is read back."""

import json

import pytest
from hypothesis import given

from games.rules.actions import Discard, Finish, Hidden, Place
from games.rules.cards import Card
from games.rules.editions import RowKey
from games.rules.entries import (
    changes_from_json,
    changes_to_json,
    entry_from_json,
    kind_of_entry,
    payload_of,
    proposal_from_json,
    setup_from_json,
    setup_to_json,
)
from games.rules.errors import (
    Malformed,
    MissingField,
    NjetError,
    UnknownActionType,
    UnknownCard,
    UnknownField,
    WrongType,
)
from games.rules.hints import HintReason
from games.rules.proposals import ClaimRest, FinishEarly, Takeback
from games.rules.replay import (
    ActionEntry,
    AmendEntry,
    AnswerEntry,
    ConfirmEntry,
    CorrectionEntry,
    DeleteAction,
    Entry,
    HintEntry,
    HolderChange,
    HolderEntry,
    InsertAction,
    Key,
    LockEntry,
    ProposalEntry,
    ReplaceAction,
    SeatEntry,
    SetupEntry,
    UndoEntry,
)
from games.rules.setup import Setup
from tests.builders import dutch
from tests.strategies import setups

SETUP = {
    "preset": "goldsieber-dutch",
    "options": dutch(3).ruleset.options.to_json(),
    "seats": [{"name": "Ana", "token": "bear"}, {"name": "Ben", "token": "wolf"}, {"name": "Cleo", "token": "falcon"}],
    "dealer": 0,
}
RED = Place(RowKey.TRUMP, "red")
PLACE = {"type": "place", "row": "trump", "space": "red"}

STORED: list[tuple[Entry, str, int | None, dict[str, object]]] = [
    (ActionEntry(1, RED), "place", None, PLACE),
    (ActionEntry(1, Finish()), "finish", None, {"type": "finish"}),
    (ActionEntry(1, Discard(Hidden(1)), 2), "discard", 2, {"type": "discard", "cards": None, "count": 1}),
    (UndoEntry(1, undoes=7), "undo", None, {"undoes": 7}),
    (AmendEntry(1, (DeleteAction(Key(3)),)), "amend", None, {"changes": [{"seq": 3, "delete": True}]}),
    (SetupEntry(1, dutch(3)), "setup", None, SETUP),
    (LockEntry(1), "lock", None, {}),
    (SeatEntry(1, 2, "easy"), "seat", 2, {"bot": "easy"}),
    (SeatEntry(1, 2, None), "seat", 2, {"bot": None}),
    (HolderEntry(1, 2, HolderChange.JOINED), "holder", 2, {"change": "joined", "also": []}),
    (HolderEntry(1, 2, HolderChange.HANDED_OVER, (0, 3)), "holder", 2, {"change": "handed_over", "also": [0, 3]}),
    (ProposalEntry(1, 0, Takeback((4, 3))), "proposal", 0, {"proposal": "takeback", "seqs": [4, 3]}),
    (ProposalEntry(1, 0, ClaimRest((Card.parse("K0"),))), "proposal", 0, {"proposal": "claim", "cards": ["black-0"]}),
    (ProposalEntry(1, 0, FinishEarly()), "proposal", 0, {"proposal": "finish"}),
    (AnswerEntry(1, 3, about=5, agrees=True), "answer", 3, {"about": 5, "agrees": True}),
    (
        ConfirmEntry(1, 2, 3, (0, 2), (4, -2, 4), about=7),
        "confirm",
        2,
        {"round": 3, "team": [0, 2], "figures": [4, -2, 4], "about": 7},
    ),
    (ConfirmEntry(1, 0, 1, (0,), (4, 2)), "confirm", 0, {"round": 1, "team": [0], "figures": [4, 2], "about": None}),
    (
        HintEntry(1, 2, RED, HintReason.LOWEST),
        "hint",
        2,
        {"action": PLACE, "reason": "lowest", "second": None},
    ),
    (
        HintEntry(1, 2, RED, HintReason.AS_GOOD, RED),
        "hint",
        2,
        {"action": PLACE, "reason": "as_good", "second": PLACE},
    ),
    (HintEntry(1, 2, None, None), "hint", 2, {"action": None, "reason": None, "second": None}),
    (CorrectionEntry(1, (DeleteAction(Key(3)),)), "correction", None, {"changes": [{"seq": 3, "delete": True}]}),
]


@pytest.mark.parametrize(("entry", "kind", "seat", "payload"), STORED)
def test_an_entry_is_stored_like_this_and_read_back(
    entry: Entry, kind: str, seat: int | None, payload: dict[str, object]
) -> None:
    assert (kind_of_entry(entry), payload_of(entry)) == (kind, payload)
    assert entry_from_json(1, kind, json.loads(json.dumps(payload)), seat) == entry


def test_a_hint_of_before_names_no_second_action() -> None:
    before = {"action": PLACE, "reason": "lowest"}
    assert entry_from_json(1, "hint", before, 2) == HintEntry(1, 2, RED, HintReason.LOWEST)


def test_only_a_choice_of_cards_keeps_the_stored_seat() -> None:
    assert entry_from_json(1, "place", PLACE, 2) == ActionEntry(1, RED)


@pytest.mark.parametrize(
    ("kind", "seat", "payload", "refusal", "params"),
    [
        ("finish", None, PLACE, WrongType, {"field": "kind", "expected": "kind", "kind": "place"}),
        ("undo", None, {}, WrongType, {"field": "undoes", "expected": "whole_number"}),
        ("undo", None, {"undoes": True}, WrongType, {"field": "undoes", "expected": "whole_number"}),
        ("amend", None, {}, WrongType, {"field": "changes", "expected": "list_of_corrections"}),
        ("amend", None, {"changes": []}, WrongType, {"field": "changes", "expected": "list_of_corrections"}),
        ("seat", None, {"bot": "easy"}, WrongType, {"field": "seat", "expected": "seat"}),
        ("seat", 0, {"bot": 3}, WrongType, {"field": "bot", "expected": "text"}),
        ("holder", None, {"change": "joined", "also": []}, WrongType, {"field": "seat", "expected": "seat"}),
        ("holder", 0, {"change": "joined"}, MissingField, {"action": "holder", "field": "also"}),
        ("holder", 0, {"change": "beer", "also": []}, WrongType, {"field": "change", "expected": "holder_change"}),
        ("holder", 0, {"change": 1, "also": []}, WrongType, {"field": "change", "expected": "holder_change"}),
        ("holder", 0, {"change": "joined", "also": 1}, WrongType, {"field": "also", "expected": "list"}),
        ("holder", 0, {"change": "joined", "also": [True]}, WrongType, {"field": "also", "expected": "whole_number"}),
        (
            "holder",
            0,
            {"change": "joined", "also": [], "bot": None},
            UnknownField,
            {"action": "holder", "field": "bot"},
        ),
        ("answer", 0, {"about": 1}, WrongType, {"field": "agrees", "expected": "boolean"}),
        ("answer", 0, {"about": "1", "agrees": True}, WrongType, {"field": "about", "expected": "whole_number"}),
        ("answer", 0, {"about": 1, "agrees": 1}, WrongType, {"field": "agrees", "expected": "boolean"}),
        ("proposal", None, {"proposal": "finish"}, WrongType, {"field": "seat", "expected": "seat"}),
        ("proposal", 0, {}, MissingField, {"action": "proposal", "field": "proposal"}),
        ("proposal", 0, {"proposal": "beer"}, WrongType, {"field": "proposal", "expected": "proposal"}),
        ("proposal", 0, {"proposal": "finish", "seqs": []}, UnknownField, {"action": "proposal", "field": "seqs"}),
        (
            "proposal",
            0,
            {"proposal": "takeback", "seqs": ["1"]},
            WrongType,
            {"field": "seqs", "expected": "whole_number"},
        ),
        ("proposal", 0, {"proposal": "claim", "cards": ["red-14"]}, UnknownCard, {"card": "red-14"}),
        (
            "confirm",
            None,
            {"round": 1, "team": [0], "figures": [4, 2]},
            WrongType,
            {"field": "seat", "expected": "seat"},
        ),
        ("confirm", 0, {"round": 1, "team": 0, "figures": [4, 2]}, WrongType, {"field": "team", "expected": "list"}),
        (
            "confirm",
            0,
            {"round": 1, "team": [0], "figures": [4, True]},
            WrongType,
            {"field": "figures", "expected": "whole_number"},
        ),
        (
            "confirm",
            0,
            {"round": 1, "team": [0], "figures": [4, 10**9]},
            WrongType,
            {"field": "figures", "expected": "short_whole_number"},
        ),
        (
            "confirm",
            0,
            {"round": 1, "team": [0], "figures": [4, 2], "about": "3"},
            WrongType,
            {"field": "about", "expected": "whole_number"},
        ),
        ("correction", None, {"changes": []}, WrongType, {"field": "changes", "expected": "list_of_corrections"}),
        ("hint", None, {"action": PLACE, "reason": "lowest"}, WrongType, {"field": "seat", "expected": "seat"}),
        ("hint", 0, {"action": PLACE, "reason": "beer"}, WrongType, {"field": "reason", "expected": "hint_reason"}),
        ("hint", 0, {"action": PLACE, "reason": None}, WrongType, {"field": "reason", "expected": "hint_reason"}),
        ("hint", 0, {"action": None, "reason": "lowest"}, WrongType, {"field": "reason", "expected": "hint_reason"}),
        ("hint", 0, {"action": "red-7", "reason": "lowest"}, WrongType, {"field": "action", "expected": "object"}),
        ("beer", None, {"type": "beer"}, UnknownActionType, {"type": "beer"}),
    ],
)
def test_what_is_not_such_an_entry_is_refused_and_says_where(
    kind: str, seat: int | None, payload: dict[str, object], refusal: type[NjetError], params: dict[str, object]
) -> None:
    with pytest.raises(NjetError) as refused:
        entry_from_json(1, kind, payload, seat)

    assert (type(refused.value), refused.value.params) == (refusal, params)


def test_a_proposal_is_an_object() -> None:
    with pytest.raises(WrongType) as refused:
        proposal_from_json(["finish"])

    assert refused.value.params == {"field": "proposal", "expected": "object"}


# --- set-ups ---


@given(setups())
def test_a_setup_is_read_as_it_was_written(setup: Setup) -> None:
    assert setup_from_json(json.loads(json.dumps(setup_to_json(setup)))) == setup


@given(setups(digital=True))
def test_only_a_digital_setup_says_that_it_is(setup: Setup) -> None:
    assert setup_to_json(setup)["digital"] is True
    assert setup_from_json(setup_to_json(setup)) == setup
    assert "digital" not in setup_to_json(dutch(3))


@pytest.mark.parametrize(
    ("value", "field", "expected"),
    [
        ([SETUP], "setup", "setup"),
        (SETUP | {"preset": 3}, "setup", "setup"),
        (SETUP | {"options": None}, "options", "object"),
        (SETUP | {"dealer": "0"}, "dealer", "whole_number"),
        (SETUP | {"dealer": False}, "dealer", "whole_number"),
        (SETUP | {"seats": {}}, "seats", "seats_with_names_and_tokens"),
        (SETUP | {"seats": ["Ana"]}, "seats", "seats_with_names_and_tokens"),
        (SETUP | {"seats": [{"name": 1, "token": "bear"}]}, "seats", "seats_with_names_and_tokens"),
        (SETUP | {"seats": [{"name": "Ana", "token": None}]}, "seats", "seats_with_names_and_tokens"),
        (SETUP | {"digital": 1}, "digital", "boolean"),
    ],
)
def test_what_is_not_such_a_setup_is_refused_and_says_where(value: object, field: str, expected: str) -> None:
    with pytest.raises(WrongType) as refused:
        setup_from_json(value)

    assert refused.value.params == {"field": field, "expected": expected}


# --- corrections ---

FINISH = {"type": "finish"}
CHANGES = [
    (ReplaceAction(Key(3), RED), {"seq": 3, "action": PLACE}),
    (ReplaceAction(Key(3, 2), RED), {"seq": 3, "part": 2, "action": PLACE}),
    (DeleteAction(Key(4, 1)), {"seq": 4, "part": 1, "delete": True}),
    (InsertAction(Key(0), RED), {"after_seq": 0, "action": PLACE}),
    (InsertAction(Key(5, 3), RED), {"after_seq": 5, "after_part": 3, "action": PLACE}),
]


@pytest.mark.parametrize(("change", "document"), CHANGES)
def test_a_correction_is_written_like_this_and_read_back(change: object, document: dict[str, object]) -> None:
    assert changes_to_json([change]) == [document]
    assert changes_from_json([document]) == (change,)


@pytest.mark.parametrize(
    ("value", "refusal", "params"),
    [
        (None, WrongType, {"field": "changes", "expected": "list_of_corrections"}),
        ([], WrongType, {"field": "changes", "expected": "list_of_corrections"}),
        ({"seq": 1}, WrongType, {"field": "changes", "expected": "list_of_corrections"}),
        ("changes", WrongType, {"field": "changes", "expected": "list_of_corrections"}),
        ([3], WrongType, {"field": "changes", "expected": "list_of_objects"}),
        ([{"action": PLACE}], MissingField, {"action": "change", "field": "seq"}),
        ([{"seq": 1}], MissingField, {"action": "change", "field": "action"}),
        ([{"seq": "1", "action": PLACE}], WrongType, {"field": "seq", "expected": "whole_number"}),
        ([{"seq": True, "action": PLACE}], WrongType, {"field": "seq", "expected": "whole_number"}),
        ([{"seq": 1, "part": None, "action": PLACE}], WrongType, {"field": "part", "expected": "whole_number"}),
        ([{"seq": 1, "delete": False}], WrongType, {"field": "delete", "expected": "true"}),
        ([{"seq": 1, "delete": True, "action": PLACE}], UnknownField, {"action": "change", "field": "action"}),
        ([{"seq": 1, "after_seq": 2, "action": PLACE}], UnknownField, {"action": "change", "field": "seq"}),
        ([{"after_seq": 2}], MissingField, {"action": "change", "field": "action"}),
    ],
)
def test_what_is_no_list_of_corrections_is_refused_and_says_where(
    value: object, refusal: type[NjetError], params: dict[str, object]
) -> None:
    with pytest.raises(NjetError) as refused:
        changes_from_json(value)

    assert (type(refused.value), refused.value.params) == (refusal, params)


@pytest.mark.parametrize(
    "change",
    [
        *(None, [], "delete", {}, {"delete": True}, {"action": FINISH}, {"seq": 2}),
        *({"seq": 1, "delete": each} for each in (1, None)),
        *({"seq": each, "delete": True} for each in ("1", 1.0, None, [1])),
        *({"seq": 1, "part": each, "delete": True} for each in (None, "0", False)),
        *({"after_seq": 1, **more} for more in ({"delete": True}, {"part": 1, "action": FINISH})),
        *({"seq": 1, "action": FINISH, more: 1} for more in ("after_seq", "after_part", "more")),
        *({"seq": 1, "action": each} for each in (None, "finish", {}, FINISH | {"more": 1})),
    ],
    ids=repr,
)
def test_a_correction_with_anything_else_in_it_is_malformed(change: object) -> None:
    with pytest.raises(Malformed):
        changes_from_json([{"seq": 1, "delete": True}, change])

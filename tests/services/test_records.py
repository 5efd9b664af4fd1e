"""Whole games as documents: written, read, written again; what the rules do not allow is not taken in."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from games import log, records, services
from games.errors import NjetError, NotFinished
from games.models import Game
from games.rules import Finish, notation
from games.rules.errors import Malformed, WrongType
from tests.builders import english
from tests.services.clubs import new_group, played, three
from tests.services.random_calls import modestly
from tests.services.tables import ROUND_1, ROUND_2, Table, instead
from tests.strategies import games, setups

pytestmark = pytest.mark.django_db


def taken_in(document: object, *, group_id: str | None = None) -> Game:
    """The game of a document that went through JSON, as a program would send it."""
    imported = records.read_document(json.loads(json.dumps(document)))
    return services.import_game(imported=imported, creator_label=None, group_id=group_id).game


def taken_in_text(text: str) -> Game:
    imported = records.read_text(text)
    return services.import_game(imported=imported, creator_label=None).game


def finished_table() -> Table:
    """A game with everything that a log can hold: undone, corrected, renamed, confirmed."""
    table = Table(three("Ana", "Ben", "Cleo"), *ROUND_1[:2])
    table.undo()
    table.record(*ROUND_1[1:], "penalty 1 -5 revoke", *ROUND_2)
    table.amend(instead(5, "tally 4+1 5+1 3+1"))
    table.correct(names=["Ana", "Benno", "Cleo"])
    table.lock()
    return table


# --- json ---


def test_a_document_gives_the_same_results_again() -> None:
    table = finished_table()

    again = taken_in(records.document(table.game))

    assert log.read(again).state == table.state
    assert [seat.total for seat in again.seats.order_by("number")] == list(table.state.totals)
    assert (again.created_at, again.finished_at, again.locked_at) == (
        table.game.created_at,
        table.game.finished_at,
        table.game.locked_at,
    )
    assert again.version == table.version


def test_a_document_of_an_imported_game_is_the_same_document() -> None:
    document = records.document(finished_table().game)

    assert records.document(taken_in(document)) == document


def test_a_document_says_nothing_of_who_wrote_it_down() -> None:
    table = finished_table()

    assert table.key.label not in json.dumps(records.document(table.game), ensure_ascii=False)


def test_a_game_that_is_being_played_is_not_taken_in() -> None:
    with pytest.raises(NotFinished):
        taken_in(records.document(Table(three(), *ROUND_1).game))


@pytest.mark.parametrize(
    ("place", "value"),
    [
        (("format",), "something else"),
        (("schema",), 2),
        (("mode",), "digital"),
        (("rules_version",), 99),
        (("log",), None),
        (("log", 0, "seq"), 7),
        (("log", 0, "at"), "yesterday"),
        (("log", 0, "at"), "2026-11-21T18:00:00"),
        (("log", 0, "payload"), {"type": "place", "row": "trump"}),
        (("log", 0, "kind"), "tally"),
        (("log", 1, "payload"), []),
        (("setup",), {}),
        (("setup", "preset"), 7),
        (("setup", "seats"), [{"name": "Ana"}]),
        (("setup", "seats", 0, "name"), 7),
        (("created_at",), None),
        (("id",), 12),
        (("result", "totals"), [1, 2, 3]),
    ],
)
def test_what_is_no_document_is_refused(place: tuple[Any, ...], value: object) -> None:
    document = records.document(finished_table().game)
    inner = document
    for step in place[:-1]:
        inner = inner[step]
    inner[place[-1]] = value

    with pytest.raises(NjetError):
        taken_in(document)


def test_an_entry_that_the_rules_forbid_is_refused_by_its_rule() -> None:
    document = records.document(played(new_group()).game)
    document["log"][2]["payload"]["tricks"][0] += 1

    with pytest.raises(NjetError) as refused:
        taken_in(document)

    assert refused.value.code == "wrong_trick_sum"


def test_taking_back_what_is_not_the_latest_entry_is_refused() -> None:
    document = records.document(finished_table().game)
    document["log"][2]["payload"] = {"undoes": 1}

    with pytest.raises(Malformed):
        taken_in(document)


def test_more_corrections_than_anybody_makes_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table(three())
    for _ in range(3):
        table.record("trump blue")
        table.undo()
    table.record(*ROUND_1, *ROUND_2)
    document = records.document(table.game)

    monkeypatch.setattr(records, "MOST_CORRECTIONS", 2)

    with pytest.raises(WrongType):
        taken_in(document)


def test_an_imported_game_counts_in_the_group_that_it_comes_into() -> None:
    group = new_group()

    game = taken_in(records.document(finished_table().game), group_id=group.pk)

    group.refresh_from_db()
    assert group.figures["games"] == 1
    assert game.change == 1


@modestly
@given(st.data())
def test_export_import_export_is_the_same_document(data: st.DataObject) -> None:
    table = _random_finished(data)

    document = records.document(table.game)

    assert records.document(taken_in(document)) == document


@settings(max_examples=60, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(st.data())
def test_a_damaged_document_is_refused_and_never_breaks_anything(data: st.DataObject) -> None:
    document = _damaged(copy.deepcopy(_WHOLE), data)

    try:
        imported = records.read_document(document)
    except NjetError:
        return
    assert imported.ledger.state.current is None


_WHOLE: Any = {}


@pytest.fixture(autouse=True)
def whole_document(db: None) -> None:
    """One document, written once, that the examples damage."""
    if not _WHOLE:
        _WHOLE.update(json.loads(json.dumps(records.document(finished_table().game))))


def _damaged(document: Any, data: st.DataObject) -> Any:
    junk = st.sampled_from([None, True, -1, 10**30, "", "x", [], {}, [None], {"type": "place"}, "\ud800", "a\0b"])
    inner = document
    while isinstance(inner, dict | list) and inner:
        key = data.draw(st.sampled_from(sorted(inner) if isinstance(inner, dict) else list(range(len(inner)))))
        deeper = inner[key]
        if not isinstance(deeper, dict | list) or not deeper or data.draw(st.booleans()):
            if data.draw(st.booleans()):
                inner[key] = data.draw(junk)
            else:
                del inner[key]
            break
        inner = deeper
    return document


# --- njet ---


def test_a_text_gives_the_same_results_again() -> None:
    table = finished_table()

    again = taken_in_text(records.text(table.game))

    assert log.read(again).state == table.state
    assert again.finished_at == table.game.finished_at.replace(microsecond=0)


def test_a_text_of_an_imported_game_is_the_same_text() -> None:
    group = new_group("Thursday club")
    text = records.text(played(group).game)

    assert '"Thursday club"' in text
    assert records.text(taken_in_text(text)) == text


def test_a_text_of_a_game_that_is_being_played_is_not_taken_in() -> None:
    with pytest.raises(NotFinished):
        taken_in_text(records.text(Table(three(), *ROUND_1).game))


@modestly
@given(st.data())
def test_export_import_export_is_byte_for_byte_the_same_text(data: st.DataObject) -> None:
    table = _random_finished(data)

    text = records.text(table.game)

    assert notation.parse(text).setup == table.ledger.current_setup
    assert records.text(taken_in_text(text)) == text


def _random_finished(data: st.DataObject) -> Table:
    """A random game, ended early where it is not over; one without a complete round stands for itself."""
    game = data.draw(games(setups(most_rounds=2)))
    table = Table(game.setup, *game.actions)
    if table.state.current is not None:
        if not table.state.finished:
            return Table(english(3, rounds=1), "open 0 njet red black 2", "team alone monster 0", "tally 16 0 0")
        table.record(Finish())
    return table

"""Whole games as documents: written, read, written again; what the rules do not allow is not taken in."""

from __future__ import annotations

import copy
import json
from datetime import UTC, datetime
from functools import cache
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.errors import (
    AlreadyImported,
    NjetError,
    NotFinished,
    TooManyChanges,
    TooManyCorrections,
    TooManyEntries,
    TooManyPenalties,
    UndoOutOfOrder,
)
from games.formats import document as records
from games.formats import notation
from games.groups import history
from games.log import store
from games.models import Game
from games.rules import Finish, PublicState, Setup, kind_of, to_json
from games.rules.entries import setup_to_json
from games.rules.errors import Malformed, WrongType
from games.services import creation, tables
from tests.builders import dutch, english, read
from tests.cast.digital import DigitalTable, over
from tests.cast.groups import new_group, played, three
from tests.cast.service import ANY
from tests.cast.tables import ROUND_1, ROUND_2, TOTALS_2, Table, after, instead
from tests.laws import examples
from tests.services.random_calls import modestly
from tests.strategies import games, setups

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


def taken_in(document: object, *, group_id: str | None = None) -> Game:
    """The game of a document that went through JSON, as a program would send it."""
    imported = records.read_document(json.loads(json.dumps(document)))
    return creation.import_game(imported=imported, creator_label=None, group_id=group_id).game


def taken_in_text(text: str) -> Game:
    imported = records.read_text(text)
    return creation.import_game(imported=imported, creator_label=None).game


def finished_table() -> Table:
    """A game with everything that a log can hold: undone, corrected, renamed, confirmed."""
    table = Table(three("Ana", "Ben", "Cleo"), *ROUND_1[:2])
    table.undo()
    table.record(*ROUND_1[1:], "penalty 1 -5 revoke", *ROUND_2)
    table.amend(instead(5, "tally 4+1 5+1 3+1"))
    table.correct(names=["Ana", "Benno", "Cleo"])
    table.lock()
    return table


@cache
def _document() -> dict[str, Any]:
    return records.document(finished_table().game)


def finished_document() -> dict[str, Any]:
    """The document of such a game, which is written once."""
    return copy.deepcopy(_document())


# --- json ---


def test_a_document_gives_the_same_results_again() -> None:
    table = finished_table()

    again = taken_in(records.document(table.game))

    assert store.read(again).state == table.state
    assert [seat.total for seat in again.seats.order_by("number")] == list(table.state.totals)
    times = (table.game.created_at, table.game.finished_at, table.game.locked_at)
    assert (again.created_at, again.finished_at, again.locked_at) == tuple(
        time.replace(microsecond=0) for time in times if time is not None
    )
    assert again.version == table.version


def test_a_confirmation_that_was_withdrawn_is_taken_in() -> None:
    table = Table(three(), *ROUND_1, *ROUND_2)
    table.confirm(1)
    table.withdraw(table.version)
    document = records.document(table.game)

    assert records.document(taken_in(document)) == document

    document["log"][-1]["payload"]["undoes"] = 1
    with pytest.raises(UndoOutOfOrder):
        taken_in(document)


def test_a_document_of_an_imported_game_is_the_same_document() -> None:
    document = finished_document()

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
        (("schema",), True),
        (("schema",), 1.0),
        (("mode",), "digital"),
        (("rules_version",), 99),
        (("rules_version",), True),
        (("rules_version",), 1.0),
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
    document = finished_document()
    inner = document
    for step in place[:-1]:
        inner = inner[step]
    inner[place[-1]] = value

    with pytest.raises(NjetError):
        taken_in(document)


def test_the_totals_of_a_result_are_whole_numbers() -> None:
    document = finished_document()
    document["result"]["totals"] = [float(total) for total in document["result"]["totals"]]

    with pytest.raises(WrongType):
        taken_in(document)


def test_an_entry_that_the_rules_forbid_is_refused_by_its_rule() -> None:
    document = records.document(played(new_group()).game)
    document["log"][2]["payload"]["tricks"][0] += 1

    with pytest.raises(NjetError) as refused:
        taken_in(document)

    assert refused.value.code == "wrong_trick_sum"


def test_taking_back_what_is_not_the_latest_entry_is_refused() -> None:
    document = finished_document()
    document["log"][2]["payload"] = {"undoes": 1}

    with pytest.raises(UndoOutOfOrder):
        taken_in(document)


# --- no more than anybody plays ---


def document_of(*rows: tuple[str, dict[str, Any]], setup: Setup | None = None) -> dict[str, Any]:
    """A document of these entries, by kind and payload."""
    now = "2026-11-21T18:00:00Z"
    return {
        "format": "njet-game",
        "schema": 1,
        "mode": "table",
        "rules_version": 1,
        "created_at": now,
        "finished_at": now,
        "setup": setup_to_json(setup or three()),
        "log": [{"seq": seq, "at": now, "kind": kind, "payload": row} for seq, (kind, row) in enumerate(rows, 1)],
    }


def entry(line: str) -> tuple[str, dict[str, Any]]:
    """An action as a row of a document."""
    action = read(line)
    return kind_of(action), to_json(action)


GAME = tuple(map(entry, (*ROUND_1, *ROUND_2)))
PENALTY = entry("penalty 1 -5 late")
VOID = entry("void late")


def forgotten(times: int, action: tuple[str, dict[str, Any]] = VOID) -> tuple[str, dict[str, Any]]:
    """A correction that inserts an action at the start a number of times."""
    return "amend", {"changes": [{"after_seq": 0, "action": action[1]}] * times}


def undo(seq: int) -> tuple[str, dict[str, Any]]:
    """An undo as a row of a document."""
    return "undo", {"undoes": seq}


LAST = {"changes": [{"seq": 2_400, "action": VOID[1]}]}
HEAVY = {
    "set-ups after a long game": (
        TooManyCorrections,
        document_of(*[VOID] * 3_000, *[("setup", setup_to_json(three()))] * 1_000),
    ),
    "long corrections of a long game": (TooManyChanges, document_of(*[VOID] * 2_500, *[forgotten(200)] * 40)),
    "short corrections of a long game": (TooManyCorrections, document_of(*[VOID] * 2_500, *[forgotten(1)] * 900)),
    "corrections of the last entry": (TooManyCorrections, document_of(*[VOID] * 2_400, *[("amend", LAST)] * 900)),
    "corrections that are undone": (
        TooManyCorrections,
        document_of(
            *[VOID] * 1_000,
            *[row for seq in range(1_001, 1_121, 2) for row in (forgotten(1), ("undo", {"undoes": seq}))],
            *GAME,
        ),
    ),
    "penalties": (TooManyPenalties, document_of(*[PENALTY] * 4_400, *GAME)),
    "inserted penalties": (TooManyPenalties, document_of(*[PENALTY] * 400, *GAME, *[forgotten(200, PENALTY)] * 4)),
    "one long correction": (TooManyChanges, document_of(*GAME, forgotten(3_000))),
    "entries": (TooManyEntries, document_of(*[VOID] * 5_001, *GAME)),
}


@pytest.fixture
def played_again(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """One item for each action that is applied."""
    applied: list[int] = []
    apply = PublicState.apply

    def counted(state: PublicState, *args: Any, **named: Any) -> PublicState:
        applied.append(1)
        return apply(state, *args, **named)

    monkeypatch.setattr(PublicState, "apply", counted)
    return applied


@pytest.mark.parametrize("name", HEAVY)
def test_a_document_that_would_keep_the_server_busy_is_refused_unplayed(name: str, played_again: list[int]) -> None:
    refusal, document = HEAVY[name]
    assert len(json.dumps(document)) < 1024 * 1024

    with pytest.raises(refusal):
        records.read_document(document)

    assert not played_again


@pytest.mark.slow
def test_the_worst_document_plays_its_game_again_once_for_each_correction(played_again: list[int]) -> None:
    corrections = 20
    voids = records.MOST_REPLAYED // corrections - corrections - len(GAME)
    document = document_of(*[VOID] * voids, *[forgotten(50)] * corrections, *GAME)

    imported = records.read_document(document)

    assert imported.ledger.state.totals == TOTALS_2
    assert len(played_again) <= records.MOST_REPLAYED + records.MOST_ENTRIES + corrections * records.MOST_CHANGES


def test_a_late_correction_plays_only_what_it_changes(played_again: list[int]) -> None:
    tallies = ({"seq": 99 * 3, "action": entry(line)[1]} for line in ("tally 4+1 5+1 3+1", ROUND_1[-1]))
    changes = [("amend", {"changes": [tally]}) for tally in tallies]

    records.read_document(document_of(*map(entry, ROUND_1 * 99), *changes * 25, setup=LONG))

    assert len(played_again) == 99 * 3 + 50


def test_what_is_undone_thousands_of_times_is_played_once(played_again: list[int]) -> None:
    rows: list[tuple[str, dict[str, Any]]] = []
    for _ in range(2_000):
        rows += [VOID, ("undo", {"undoes": len(rows) + 1})]

    imported = records.read_document(document_of(*rows, *GAME))

    assert imported.ledger.state.totals == TOTALS_2
    assert len(played_again) == 2_000 + len(GAME)


LONG = Setup.of(preset="goldsieber-dutch", names=["Ana", "Ben", "Cleo"], options={"rounds": 99})


def test_a_game_of_99_rounds_with_60_corrections_is_taken_in() -> None:
    rows: list[tuple[str, dict[str, Any]]] = []
    for number in range(99):
        rows += map(entry, ROUND_1)
        if number < 60:
            # The tally of the round before the last.
            change = {"seq": len(rows), "action": entry("tally 4+1 5+1 3+1")[1]}
            rows.append(("amend", {"changes": [change]}))

    imported = records.read_document(document_of(*rows, setup=LONG))

    assert len(imported.ledger.state.finished) == 99


def test_a_correction_that_is_taken_back_leaves_what_was_before_it() -> None:
    table = Table(three(), *ROUND_1)
    table.correct(dealer=1)
    table.undo()
    table.amend(instead(3, "tally 4+1 5+1 3+1"), after(0, "penalty 0 -7 late"))
    table.record("trump blue")
    table.undo()
    table.undo()
    table.correct(names=["Ana", "Benno", "Cleo"], tokens=["wolf", "bear", "falcon"])
    table.record(*ROUND_2)

    ledger = records.read_document(records.document(table.game)).ledger

    whole = table.ledger
    assert (ledger.state, ledger.counting, ledger.replay) == (whole.state, whole.counting, whole.replay)
    assert ledger.state.totals == TOTALS_2


def test_a_text_holds_no_more_penalties_than_a_document() -> None:
    actions = (*[read("penalty 1 -5 late")] * 6_000, *map(read, (*ROUND_1, *ROUND_2)))

    with pytest.raises(WrongType):
        records.read_text(notation.write(notation.Record(three(), actions)))


def test_a_text_holds_no_more_entries_than_a_document() -> None:
    text = notation.write(notation.Record(three(), tuple(map(read, (*ROUND_1, *ROUND_2)))))

    with pytest.raises(WrongType):
        records.read_text(text.replace("enter", 'void "late"\n' * 5_001 + "enter", 1))


def test_a_text_whose_document_would_be_too_long_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    text = records.text(finished_table().game)
    document = records.document(taken_in_text(text))
    length = len(json.dumps(document, ensure_ascii=False).encode())

    monkeypatch.setattr(records, "MOST_BYTES", length)
    with pytest.raises(WrongType):
        records.read_text(text)

    monkeypatch.setattr(records, "MOST_BYTES", length + 2_000)
    assert records.read_text(text)


def test_a_name_of_a_group_that_is_too_long_for_a_document_is_too_long_for_a_text() -> None:
    text = records.text(finished_table().game).replace("\n[Preset", f'\n[Group "{"x" * 201}"]\n[Preset')

    with pytest.raises(WrongType):
        records.read_text(text)


# --- what the program never writes ---


def put(document: Any, place: tuple[Any, ...], value: object) -> Any:
    """The document with something else at a place."""
    inner = document
    for step in place[:-1]:
        inner = inner[step]
    inner[place[-1]] = value
    return document


CORRECTED = 10
"""Where the set-up is corrected in the log of `finished_table`."""


@pytest.mark.parametrize("inside", [("setup",), ("log", CORRECTED, "payload")], ids=["setup", "corrected setup"])
@pytest.mark.parametrize(
    ("place", "value"),
    [
        (("dealer",), 1.5),
        (("dealer",), 0.0),
        (("dealer",), True),
        (("dealer",), "0"),
        (("dealer",), None),
        (("seats",), {"0": {"name": "Ana", "token": "bear"}}),
        (("seats",), "abc"),
        (("seats", 0), "Ana"),
        (("seats", 0, "name"), {"a": 1}),
        (("seats", 0, "name"), ["A", "n", "a"]),
        (("seats", 0, "name"), None),
        (("seats", 0, "token"), None),
        (("seats", 0, "token"), ["bear"]),
        (("seats", 0, "token"), 1),
        (("preset",), ["goldsieber-dutch"]),
        (("preset",), {}),
        (("preset",), None),
        (("options",), None),
        (("options",), [["rounds", 2]]),
        (("options", "rounds"), 2.0),
        (("options", "rounds"), True),
        (("options", "start_row"), 1),
        (("options", "first_placer"), ["dealer"]),
    ],
)
def test_a_value_of_another_type_in_a_set_up_is_refused(
    inside: tuple[Any, ...], place: tuple[Any, ...], value: object
) -> None:
    with pytest.raises(WrongType):
        taken_in(put(finished_document(), (*inside, *place), value))


@pytest.mark.parametrize("undoes", [True, 1.0, "1", None, [1]])
def test_what_is_taken_back_has_a_whole_number(undoes: object) -> None:
    rows = [VOID, ("undo", {"undoes": undoes}), *GAME]

    with pytest.raises(WrongType):
        taken_in(document_of(*rows))


@pytest.mark.parametrize(
    "change",
    [
        {"seq": True, "delete": True},
        {"seq": 1.0, "delete": True},
        {"seq": 1, "delete": 1},
        {"seq": 1, "part": False, "delete": True},
        {"after_seq": False, "action": PENALTY[1]},
        {"after_seq": 0, "action": {**PENALTY[1], "points": -5.0}},
        {"after_seq": 0, "action": {**PENALTY[1], "reason": ["late"]}},
        [1],
        "delete",
    ],
)
def test_a_correction_has_values_of_its_types(change: object) -> None:
    with pytest.raises(Malformed):
        taken_in(document_of(*GAME, ("amend", {"changes": [change]})))


@pytest.mark.parametrize("seq", [True, 1.0, 1.5, "1", None])
def test_an_entry_has_a_number_in_its_order(seq: object) -> None:
    with pytest.raises(WrongType):
        taken_in(put(document_of(*GAME), ("log", 0, "seq"), seq))


def corrected(**changes: object) -> tuple[str, dict[str, Any]]:
    """An entry with another set-up."""
    return "setup", {**setup_to_json(three()), **changes}


FIVE = Setup.of(preset="njet-english", names=["Ana", "Ben", "Cleo", "Dan", "Eve"])
OTHER_RULES = {"first_placer": "dealer", "score_record": "difference", "captured_from": "everyone"}


@pytest.mark.parametrize(
    "written",
    [
        ("setup", setup_to_json(FIVE)),
        corrected(preset="goldsieber-french"),
        *(corrected(options={**three().ruleset.options.to_json(), name: value}) for name, value in OTHER_RULES.items()),
    ],
)
def test_a_correction_of_the_set_up_changes_names_tokens_dealer_and_rounds_only(
    written: tuple[str, dict[str, Any]],
) -> None:
    with pytest.raises(NjetError):
        taken_in(document_of(written, *GAME))


LOCK: tuple[str, dict[str, Any]] = ("lock", {})
SEATS = setup_to_json(three())["seats"]


@pytest.mark.parametrize(
    "changes",
    [
        {"dealer": 1},
        {"options": {**three().ruleset.options.to_json(), "rounds": 3}},
        {"seats": [{**seat, "token": token} for seat, token in zip(SEATS, ["wolf", "bear", "falcon"], strict=True)]},
    ],
    ids=["dealer", "rounds", "tokens"],
)
def test_after_the_confirmation_only_names_change_in_a_set_up(changes: dict[str, object]) -> None:
    if "options" not in changes:
        assert taken_in(document_of(corrected(**changes), *GAME))
    with pytest.raises(Malformed):
        taken_in(document_of(*GAME, LOCK, corrected(**changes)))

    erased = [{**SEATS[0], "name": "Player 7x"}, *SEATS[1:]]
    assert taken_in(document_of(*GAME, LOCK, corrected(seats=erased)))


# --- times ---


@pytest.mark.parametrize("name", ["created_at", "finished_at", "locked_at", "at"])
@pytest.mark.parametrize(
    "at", ["0001-01-01T00:00:00Z", "1969-12-31T23:59:59Z", "2100-01-01T00:00:00Z", "9999-12-31T23:59:59Z"]
)
def test_a_time_that_no_clock_shows_is_refused(name: str, at: str) -> None:
    document = finished_document()

    with pytest.raises(WrongType):
        taken_in(put(document, ("log", 0, "at") if name == "at" else (name,), at))


@pytest.mark.parametrize("at", ["0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z"])
def test_a_text_has_no_time_that_no_clock_shows(at: str) -> None:
    record = notation.Record(three(), tuple(map(read, (*ROUND_1, *ROUND_2))), began=at, ended=at)

    with pytest.raises(WrongType):
        records.read_text(notation.write(record))


def test_a_game_whose_clock_was_wrong_by_years_or_put_back_is_taken_in_and_written_again() -> None:
    document = document_of(*GAME)
    document |= {"created_at": "2036-11-21T18:00:00Z", "finished_at": "1970-01-01T00:30:00Z"}

    game = taken_in(document)

    assert records.document(game)["created_at"] == "2036-11-21T18:00:00Z"
    assert '[Ended "1970-01-01T00:30:00Z"]' in records.text(game)
    assert records.text(taken_in_text(records.text(game))) == records.text(game)


def test_a_year_is_written_with_four_digits() -> None:
    table = finished_table()
    Game.objects.filter(pk=table.id).update(created_at=datetime(7, 1, 2, 3, 4, 5, tzinfo=UTC))

    assert '[Date "0007-01-02T03:04:05Z"]' in records.text(table.game)


# --- twice ---


def imported_by(form: str | None, table: Table, *, group_id: str | None = None) -> Game:
    """What a form takes in."""
    imported = records.read_document(records.document(table.game))
    return creation.import_game(imported=imported, creator_label="Ana", once=form, group_id=group_id).game


def test_the_same_form_takes_a_game_in_once() -> None:
    table, group = finished_table(), new_group()

    first, again = imported_by("form 1", table), imported_by("form 1", table)
    others = [imported_by("form 2", table), imported_by(None, table), imported_by("form 1", table, group_id=group.pk)]
    in_group = imported_by("form 1", table, group_id=group.pk)

    assert first == again
    assert in_group == others[2]
    assert len({first.pk, *(each.pk for each in others)}) == 4


def test_the_same_form_with_another_game_takes_that_in() -> None:
    assert imported_by("form 1", finished_table()) != imported_by("form 1", finished_table())


def test_a_text_keeps_place_note_minutes_and_those_who_had_a_seat_before() -> None:
    group, table = new_group(), played(new_group("Fridays"))
    tables.correct_setup(game_id=table.id, actor=table.key, request=ANY, names=["Ana", "Eve", "Cleo"], since=2)
    stated = {"began": None, "place": "Garden", "note": "Rain", "minutes": 95}
    tables.state_occasion(game_id=table.id, actor=table.key, request=ANY, stated=stated)
    text = records.text(table.game)

    copy = creation.import_game(imported=records.read_text(text), creator_label=None, group_id=group.pk).game

    assert (copy.place, copy.note, copy.minutes) == ("Garden", "Rain", 95)
    assert list(copy.stints.values_list("number", "name", "until")) == [(1, "Ben", 1)]
    assert records.text(copy) == text.replace('[Group "Fridays"]', f'[Group "{group.name}"]')


def test_a_document_says_which_game_it_was_played_on_from_also_when_it_is_exported_again() -> None:
    played_on = {"game": "g1", "step": 3}

    game = taken_in(document_of(*GAME) | {"played_on": played_on})

    assert records.document(game)["played_on"] == played_on
    assert records.document(taken_in(document_of(*GAME)))["played_on"] is None
    again = DigitalTable(dutch(3, rounds=1)).play_on(over)
    assert records.document(again.from_step(3).game)["played_on"] == {"game": again.id, "step": 3}


@pytest.mark.parametrize("value", ["g1", {"step": 0}, {"step": True}, {"game": "g"}, {"game": 1, "step": 1}])
def test_what_cannot_say_so_is_refused(value: object) -> None:
    with pytest.raises(WrongType):
        taken_in(document_of(*GAME) | {"played_on": value})


def test_a_group_does_not_take_in_what_it_has() -> None:
    group, other = new_group(), new_group("Fridays")
    own = played(group)
    foreign = finished_table()
    second = imported_by(None, foreign, group_id=group.pk)

    for game in (own.game, foreign.game, second):
        with pytest.raises(AlreadyImported):
            taken_in(records.document(game), group_id=group.pk)
        with pytest.raises(AlreadyImported):
            creation.import_game(imported=records.read_text(records.text(game)), creator_label=None, group_id=group.pk)
    assert taken_in(records.document(own.game), group_id=other.pk)
    assert taken_in(records.document(own.game))
    assert Game.objects.filter(group=group).count() == 2


def test_who_was_slower_with_the_same_form_gets_the_same_game(monkeypatch: pytest.MonkeyPatch) -> None:
    table, group = finished_table(), new_group()
    first = imported_by("form 1", table, group_id=group.pk)
    before, calls = creation._created_before, []

    def late(found: str) -> creation.Created | None:
        calls.append(found)
        return None if len(calls) == 1 else before(found)

    monkeypatch.setattr(creation, "_created_before", late)

    assert imported_by("form 1", table, group_id=group.pk) == first


# --- a play for other programs ---


@pytest.mark.usefixtures("seconds_pass")
def test_a_play_says_when_it_was_corrected() -> None:
    table = Table(three(), *ROUND_1, *ROUND_2)
    ended = table.game.finished_at
    assert history.play_of(table.game).last_change == ended

    table.amend(instead(3, "tally 4+1 5+1 3+1"))

    play = history.play_of(table.game)
    assert play.ended == ended
    assert play.last_change == store.changed_at(table.id) > ended


def test_a_play_that_was_shown_afterwards_was_not_changed_before_its_end() -> None:
    game = taken_in_text(records.text(finished_table().game))

    assert history.play_of(game).last_change == game.finished_at


def test_an_imported_game_counts_in_the_group_that_it_comes_into() -> None:
    group = new_group()

    game = taken_in(finished_document(), group_id=group.pk)

    group.refresh_from_db()
    assert group.figures["games"] == 1
    assert game.change == 1


@modestly
@given(st.data())
def test_export_import_export_is_the_same_document(data: st.DataObject) -> None:
    table = _random_finished(data)

    document = records.document(table.game)

    assert records.document(taken_in(document)) == document


@examples(60)
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
        _WHOLE.update(json.loads(json.dumps(finished_document())))


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

    assert store.read(again).state == table.state
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

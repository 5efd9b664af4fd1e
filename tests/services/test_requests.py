"""A request id names one request: repeated it is answered as the success it was, with another body refused."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from games.errors import RequestIdReused, StaleVersion
from games.log import store
from games.models import Key, LogEntry
from games.rules import errors as rules
from games.services import tables
from games.services.write import Outcome, WriteRequest
from tests.builders import read
from tests.cast.tables import ANY, ROUND_1, ROUND_2, Table, instead, refused, stored

pytestmark = pytest.mark.django_db


def asking(request_id: str | None, version: int | None = None, **body: object) -> WriteRequest:
    return WriteRequest(version=version, request_id=request_id, body={"version": version, **body})


def test_a_repeated_request_is_not_applied_again(table: Table) -> None:
    request = asking("a", 0, action="trump red")
    table.record("trump red", request=request)
    before = stored(table.id)

    again = table.record("trump red", request=request)

    assert (again.version, again.repeated) == (1, True)
    assert stored(table.id) == before


def test_a_repeated_request_is_answered_with_the_version_it_got_and_the_present_state(table: Table) -> None:
    request = asking("a", 0)
    table.record("trump red", request=request)
    table.record("points 4", "points 3")

    again = table.record("trump red", request=request)

    assert again.version == 1
    assert again.ledger.version == 3
    assert again.ledger == table.ledger


def test_a_repeated_request_is_recognised_although_the_rules_would_refuse_it_now(round_2: Table) -> None:
    round_2.undo()
    request = asking("a")
    round_2.record(ROUND_1[2], request=request)

    assert round_2.record(ROUND_1[2], request=request).version == 5


def test_a_repeated_request_is_recognised_in_a_locked_game(finished: Table) -> None:
    request = asking("a", 6)
    finished.lock(request)

    assert finished.lock(request).version == 7


def test_a_repeated_request_is_recognised_after_its_entry_was_taken_back(table: Table) -> None:
    request = asking("a", 0)
    table.record("trump red", request=request)
    table.undo()

    again = table.record("trump red", request=request)

    assert (again.version, again.repeated) == (1, True)
    assert table.state.current.board.is_untouched


REPEATABLE: dict[str, Callable[[Table, WriteRequest], Outcome]] = {
    "undo": lambda table, request: table.undo(request=request),
    "undo to the beginning": lambda table, request: table.undo(to_seq=0, request=request),
    "amend": lambda table, request: table.amend(instead(3, "tally 0 6 6"), request=request),
    "correct_setup": lambda table, request: table.correct(request, dealer=2),
    "lock": lambda table, request: table.lock(request),
    "reopen": lambda table, request: table.reopen(request),
}


@pytest.mark.parametrize("name", REPEATABLE)
def test_everything_that_writes_is_applied_once(finished: Table, name: str) -> None:
    write, request = REPEATABLE[name], asking("a", 6)
    first = write(finished, request)
    before = stored(finished.id)

    again = write(finished, request)

    assert (first.repeated, again.repeated) == (False, True)
    assert again.version == first.version == finished.version
    assert again.ledger == first.ledger
    assert stored(finished.id) == before


def test_the_id_of_a_request_of_several_entries_is_stored_with_the_last_one(finished: Table) -> None:
    finished.undo(to_seq=3, request=asking("a"))

    ids = LogEntry.objects.filter(game=finished.id).values_list("request_id", flat=True)
    assert list(ids) == [None] * 8 + ["a"]


@pytest.mark.parametrize("version", [None, 0], ids=["", "before an old version"])
def test_the_same_id_with_another_body_is_refused(table: Table, version: int | None) -> None:
    table.record("trump red", request=asking("a", version, action="trump red"))

    with refused(table, RequestIdReused):
        table.record("trump blue", request=asking("a", version, action="trump blue"))


def test_the_same_id_for_something_else_is_refused(finished: Table) -> None:
    finished.amend(instead(3, "tally 0 6 6"), request=asking("a"))

    for name in REPEATABLE.keys() - {"amend"}:
        with refused(finished, RequestIdReused):
            REPEATABLE[name](finished, asking("a"))


def test_the_order_of_the_fields_makes_no_other_body(table: Table) -> None:
    table.record("trump red", request=WriteRequest(request_id="a", body={"x": 1, "y": {"b": 2, "a": 3}}))

    again = table.record("trump red", request=WriteRequest(request_id="a", body={"y": {"a": 3, "b": 2}, "x": 1}))

    assert again.repeated


@pytest.mark.parametrize("other", [{"x": True}, {"x": 1.0}, {"x": "1"}, {"x": [1]}, {"x": None}, {}, {"x": 1, "y": 1}])
def test_another_value_is_another_body(table: Table, other: dict[str, object]) -> None:
    table.record("trump red", request=WriteRequest(request_id="a", body={"x": 1}))

    with refused(table, RequestIdReused):
        table.record("trump red", request=WriteRequest(request_id="a", body=other))


def test_another_key_may_use_the_same_id(table: Table) -> None:
    table.record("trump red", request=asking("a"))

    outcome = tables.record_action(
        game_id=table.id, actor=table.other_key(), action=read("points 4"), request=asking("a")
    )

    assert (outcome.version, outcome.repeated) == (2, False)


def test_the_same_key_may_not_answer_for_another_keys_request(table: Table) -> None:
    other = table.other_key()
    table.record("trump red", request=asking("a", action="trump red"))
    tables.record_action(game_id=table.id, actor=other, action=read("points 4"), request=asking("a", action="4"))

    assert table.record("trump red", request=asking("a", action="trump red")).version == 1


def test_the_same_id_in_another_game_is_another_request(table: Table) -> None:
    other = Table()
    table.record("trump red", request=asking("a"))

    assert not other.record("trump red", request=asking("a")).repeated


def test_a_refused_request_may_be_sent_again_with_its_id(table: Table) -> None:
    table.record("trump red")
    with pytest.raises(StaleVersion):
        table.record("points 4", request=asking("a", 0))
    with pytest.raises(rules.SpaceCovered):
        table.record("trump red", request=asking("a", 1))

    outcome = table.record("points 4", request=asking("a", 1, action="points 4"))

    assert (outcome.version, outcome.repeated) == (2, False)


def test_requests_without_an_id_are_all_new(table: Table) -> None:
    table.record("penalty 1 -5 late", request=ANY)

    assert not table.record("penalty 1 -5 late", request=ANY).repeated
    assert table.state.totals == (0, -10, 0)


@pytest.mark.parametrize("request_id", ["", " ", "ü", "🐕" * 64, "x" * 64, "'; DROP TABLE games_logentry; --"])
def test_any_text_of_up_to_64_characters_is_an_id(table: Table, request_id: str) -> None:
    table.record("trump red", request=asking(request_id))

    assert table.record("trump red", request=asking(request_id)).repeated


def test_an_id_is_compared_to_the_letter(table: Table) -> None:
    table.record("trump red", request=asking("a"))

    assert not table.record("points 4", request=asking("A")).repeated


@pytest.mark.parametrize("request_id", ["x" * 65, "a\x00", "\ud800"])
def test_what_no_database_can_hold_is_no_id(table: Table, request_id: str) -> None:
    with refused(table, rules.WrongType, field="request_id"):
        table.record("trump red", request=asking(request_id))


def test_nothing_of_a_body_is_stored(table: Table) -> None:
    table.record("trump red", request=asking("a", secret="hush"))

    assert "hush" not in repr(stored(table.id))


def test_a_game_sent_twice_line_by_line_is_recorded_once(table: Table) -> None:
    for number, line in enumerate((*ROUND_1, *ROUND_2)):
        request = asking(f"r{number}", number, action=line)
        table.record(line, request=request)
        assert table.record(line, request=request).version == number + 1

    assert table.version == 6


# --- overtaken: the game that was read with the key is not the game any more ---


def key_with_its_game(table: Table) -> Key:
    """The key of a request, as it was read."""
    return Key.objects.select_related("game").get(pk=table.key.pk)


def test_a_request_without_a_version_is_written_after_what_has_overtaken_it(table: Table) -> None:
    early = key_with_its_game(table)
    table.record("trump red")

    outcome = tables.record_action(game_id=table.id, actor=early, action=read("points 4"), request=ANY)

    assert outcome.version == 2
    assert outcome.ledger == store.refold(table.game)


def test_a_request_is_refused_for_the_present_version_of_the_game(table: Table) -> None:
    early = key_with_its_game(table)
    table.record("trump red")
    before = stored(table.id)

    with pytest.raises(rules.SpaceCovered):
        tables.record_action(game_id=table.id, actor=early, action=read("trump red"), request=ANY)

    assert stored(table.id) == before


def test_a_repeated_request_whose_game_was_read_before_it_was_first_written_is_not_applied_again(table: Table) -> None:
    early, request = key_with_its_game(table), asking("a")
    table.record("trump red", request=request)

    again = tables.record_action(game_id=table.id, actor=early, action=read("trump red"), request=request)

    assert (again.version, again.repeated) == (1, True)


def test_the_same_trick_twice_under_one_id_counts_once(round_2: Table) -> None:
    round_2.record(*ROUND_2[:2])
    request = asking("a", action="trick")
    round_2.record("trick 0", request=request)
    before = stored(round_2.id)

    again = round_2.record("trick 0", request=request)

    assert (again.version, again.repeated) == (6, True)
    assert stored(round_2.id) == before

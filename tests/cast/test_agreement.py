"""Services, pages and REST agree on what is written and why something is refused (ARCHITECTURE.md section 8, law 11).

A table that is driven by pages or by REST raises the errors of the service, and only if the answer says them
(`tests.cast.ways`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import methodcaller

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.errors import NjetError
from games.keys import registry
from games.models import Game, LogEntry, Role, Seat
from games.rules import Finish, Phase, Play, Setup
from games.services.write import Outcome, WriteRequest
from tests.builders import dutch, english, wikipedia
from tests.cast.clubs import new_group
from tests.cast.digital import DigitalTable, in_phase, over, rounds_finished
from tests.cast.service import by_service, committing
from tests.cast.tables import ROUND_1, ROUND_2, Table, after, instead, without
from tests.cast.ways import ByPage, ByRest
from tests.services.random_calls import (
    ALONE,
    CONFIRMING,
    CORRECTING,
    TAKING_BACK,
    TOGETHER,
    USUAL,
    agree_all,
    calls,
    confirm_all,
    known_deals,
    modestly,
    phone_calls,
)
from tests.strategies import setups

pytestmark = pytest.mark.django_db

OTHER_WAYS = (ByPage, ByRest)

AnyTable = Table | DigitalTable
Call = Callable[[AnyTable], object]


def answer_of(call: Call, table: AnyTable) -> object:
    """What a call answers: the version with what is seen then, or the refusal."""
    try:
        outcome = call(table)
    except NjetError as error:
        return error.code, {name: value for name, value in error.params.items() if name != "state"}
    return (outcome.version, outcome.ledger.state, outcome.ledger.view) if isinstance(outcome, Outcome) else None


def stored(table: AnyTable) -> tuple[object, ...]:
    """What is stored of a game, apart from when it was written and by whom."""
    entries = LogEntry.objects.filter(game=table.id).order_by("seq").values_list("seq", "kind", "seat", "payload")
    game, seats = Game.objects.get(pk=table.id), Seat.objects.filter(game=table.id).order_by("number")
    return (
        # The commitment of a deal names its game.
        [(*entry, {**payload, "commitment": None}) for *entry, payload in entries],
        (game.version, game.status, game.rounds_played, game.finished_at is None, game.locked_at is None),
        list(seats.values_list("name", "token", "total", "rank", "is_winner", "bot")),
    )


def assert_alike(call: Call, tables: Sequence[AnyTable], number: int) -> None:
    """The call is answered or refused alike at all tables, and leaves the same log."""
    answers, logs = [], []
    for table in tables:
        with known_deals(number):
            answers.append(answer_of(call, table))
        logs.append(stored(table))
    for table, answer, log in zip(tables, answers, logs, strict=True):
        assert (answer, log) == (answers[0], logs[0]), type(table.way).__name__


# --- stories ---

OTHER = instead(3, "tally 0 6 6")


def record(*lines: str, **more: object) -> Call:
    return methodcaller("record", *lines, **more)


def sent(version: int, request_id: str = "tap", *, body: dict[str, str] | None = None) -> WriteRequest:
    """What a request says that is sent again if no answer comes."""
    return WriteRequest(version, request_id, body or {})


STORIES: dict[str, tuple[Setup, Sequence[Call]]] = {
    "marker by marker and trick by trick": (
        dutch(3, rounds=1),
        [
            record("start 0"),
            record("start 0"),
            record("start 1", seat=2),
            record("start 1", seat=0),
            record("start 2"),
            record("trick 0"),
            *map(record, ("discard discard_1", "discard discard_2", "discard pass_2_right", "discard 0_points")),
            methodcaller("undo"),
            methodcaller("undo", to_seq=0),
            methodcaller("undo"),
            record(*ROUND_1[:2]),
            record("team 1"),
            *[record("trick 0+1")] * 3,
            record("trick 1+9"),
            record("tally 1 2"),
            *[record("trick 1")] * 4,
            *[record("trick 2+1")] * 5,
            record("trick 2"),
            methodcaller("lock"),
            methodcaller("reopen"),
        ],
    ),
    "to the end and back": (
        dutch(3, rounds=2),
        [
            record("finish"),
            record(*ROUND_1),
            record("penalty 1 -5 revoke"),
            record("penalty 1 0 nothing"),
            record("penalty 7 -5 nobody"),
            record("penalty 1 -5 "),
            record(ROUND_2[0], "void misdeal"),
            record("void "),
            record(*ROUND_2),
            record("trump red"),
            methodcaller("reopen"),
            record("finish"),
            methodcaller("undo"),
            record("tally 0 0 0"),
            record(ROUND_2[2]),
            methodcaller("lock", WriteRequest(version=1)),
            methodcaller("lock"),
            *(methodcaller(verb) for verb in ("lock", "reopen", "undo")),
            methodcaller("undo", to_seq=0),
            methodcaller("correct", rounds=3),
            methodcaller("amend", OTHER),
            methodcaller("confirm", 0),
            record("penalty 1 -5 late"),
        ],
    ),
    "corrections": (
        dutch(3, rounds=2),
        [
            record(*ROUND_1),
            methodcaller("amend", OTHER),
            methodcaller("amend", instead(3, "tally 0 6 9")),
            methodcaller("amend", without(2)),
            methodcaller("amend", without(9)),
            methodcaller("amend"),
            methodcaller("amend", after(3, "penalty 0 -5 late"), instead(2, "team 1 monster 2")),
            methodcaller("amend", instead(3, "tally 1 6 5"), request=WriteRequest(version=3)),
            methodcaller("amend", after(0, "trump red")),
            methodcaller("undo"),
            methodcaller("amend", without(5, part=1), instead(2, "team alone monster 0")),
            methodcaller("undo"),
            methodcaller("undo", to_seq=0),
            record("trump red", "points 4", "penalty 0 -5 late"),
            methodcaller("amend", instead(15, "points 4"), instead(16, "trump red")),
            methodcaller("amend", after(15, "start 0")),
            methodcaller("amend", instead(19, "start 1", part=1)),
            methodcaller("amend", without(17)),
            methodcaller("amend", after(0, "start 2")),
            methodcaller("undo", to_seq=0),
            record(*ROUND_1, *ROUND_2[:1]),
            methodcaller("correct", names=("Ana", "Bea", "Cleo"), tokens=("raven", "falcon", "wolf")),
            methodcaller("correct", names=("Ana", "ana", "Cleo")),
            methodcaller("correct", names=("", "Ben", "Cleo")),
            methodcaller("correct", tokens=("bear", "bear", "wolf")),
            methodcaller("correct", dealer=3),
            methodcaller("correct", dealer=1),
            methodcaller("correct", rounds=1),
            methodcaller("correct", rounds=0),
            methodcaller("correct", rounds=3),
        ],
    ),
    "what both teams confirm": (
        dutch(3, rounds=2),
        [
            methodcaller("confirm", 0),
            record(*ROUND_1),
            methodcaller("confirm", 7),
            methodcaller("confirm", 0, round_number=2),
            methodcaller("confirm", 2),
            methodcaller("confirm", 1),
            methodcaller("confirm", 0),
            methodcaller("undo"),
            methodcaller("amend", without(3)),
            methodcaller("amend", OTHER),
            methodcaller("confirm", 0, about=5),
            methodcaller("confirm", 0, about=6),
            methodcaller("withdraw", 5),
            methodcaller("withdraw", 6),
            methodcaller("withdraw", 6),
            methodcaller("amend", OTHER),
            methodcaller("confirm", 1, about=9),
            methodcaller("confirm", 0, about=9),
            record("trump red"),
            methodcaller("amend", instead(3, "tally 6 6"), instead(13, "trump black")),
            methodcaller("amend", instead(3, "tally 6 6 0"), instead(13, "trump black")),
            methodcaller("confirm", 1, about=14),
            record("trump black"),
            methodcaller("confirm", 0, about=14),
            methodcaller("undo", to_seq=0),
            methodcaller("undo", to_seq=12),
            record(*ROUND_2),
            confirm_all,
            methodcaller("reopen"),
            methodcaller("lock"),
        ],
    ),
    "sent twice": (
        dutch(3, rounds=2),
        [
            record("tally 1", request=sent(0)),
            *[record("penalty 0 -1 late", request=sent(0))] * 2,
            record("penalty 0 -2 late", request=sent(0, body={"another": "body"})),
            methodcaller("undo", request=sent(0)),
            *[methodcaller("undo", request=sent(1, "undo"))] * 2,
            record(*ROUND_1),
            *[methodcaller("undo", to_seq=2, request=sent(5, "undo to"))] * 2,
            record(*ROUND_1),
            *[methodcaller("amend", after(11, "penalty 0 -1 late"), request=sent(11, "amend"))] * 2,
            *[methodcaller("correct", sent(12, "correct"), names=("Ana", "Bea", "Cleo"))] * 2,
            *[methodcaller("confirm", 0, request=sent(13, "confirm"))] * 2,
            methodcaller("confirm", 1, request=sent(13, "confirm", body={"another": "seat"})),
            *[record("finish", request=sent(14, "finish"))] * 2,
            *[methodcaller("reopen", sent(15, "reopen"))] * 2,
            methodcaller("undo", request=sent(16, "reopen")),
            *[record(line) for line in ROUND_2],
            *[methodcaller("lock", sent(19, "lock"))] * 2,
        ],
    ),
    "too late": (
        dutch(3, rounds=2),
        [
            record("trump red", request=WriteRequest(version=7)),
            record(*ROUND_1, *ROUND_2),
            record("tally 1", request=WriteRequest(version=5)),
            methodcaller("undo", request=WriteRequest(version=5)),
            methodcaller("undo", to_seq=0, request=WriteRequest(version=5)),
            methodcaller("amend", OTHER, request=WriteRequest(version=5)),
            methodcaller("correct", WriteRequest(version=5), rounds=3),
            methodcaller("amend", OTHER),
            methodcaller("confirm", 0, request=WriteRequest(version=6)),
            methodcaller("confirm", 0, round_number=2, request=WriteRequest(version=6)),
            methodcaller("lock", WriteRequest(version=6)),
            methodcaller("reopen", WriteRequest(version=6)),
        ],
    ),
    "teams of five": (
        english(5),
        [
            record("team 1 monster 2"),
            record("open 0 njet red blue 2"),
            *map(record, ("team 0 monster 1", "team 1 1 monster 1", "team 1 2 3 monster 4", "team alone monster 0")),
            *map(record, ("team 1", "team 1 monster 2", "team 1 monster 7", "team 1 monster 0 start 2")),
            record("team 1 2 monster 4"),
        ],
    ),
    "without the start row": (
        wikipedia(4, start_row=False),
        [record("open njet red blue 2"), record("team 2 start 3"), record("team 3 start 3"), methodcaller("undo")],
    ),
}


@pytest.mark.parametrize("story", STORIES)
def test_a_story_is_the_same_by_service_page_and_rest(story: str) -> None:
    setup, history = STORIES[story]
    tables = [Table(setup, way=by_service), *(Table(setup, way=way()) for way in OTHER_WAYS)]

    for number, call in enumerate(history):
        assert_alike(call, tables, number)


def due(phones: DigitalTable) -> int:
    return phones.state.acting_seats[0]


def plays(until: Callable[..., bool]) -> Call:
    return lambda phones: phones.play_on(until) and None


def plays_illegally(phones: DigitalTable) -> object:
    """A card that is not in the hand."""
    hand, deck = phones.view(due(phones)).hand, phones.state.ruleset.deck()
    return phones.act(due(phones), Play(next(card for card in deck if card not in hand)))


DIGITAL_STORY: Sequence[Call] = [
    lambda phones: phones.act(0, Finish()),
    lambda phones: phones.act((due(phones) + 1) % 3, phones.view(due(phones)).legal[0]),
    lambda phones: phones.propose(0, "claim"),
    plays(in_phase(Phase.TRICKS)),
    plays_illegally,
    methodcaller("step"),
    lambda phones: phones.propose(0, "takeback"),
    lambda phones: phones.answer(0),
    lambda phones: phones.answer(1, agrees=False),
    lambda phones: phones.propose(1, "takeback", to_seq=1),
    agree_all,
    lambda phones: phones.answer(1, about=1),
    lambda phones: phones.put_bot(2, "easy"),
    lambda phones: phones.put_bot(2, "easy"),
    lambda phones: phones.act(2, Finish()),
    plays(in_phase(Phase.TRICKS)),
    lambda phones: phones.propose(0, "takeback"),
    lambda phones: phones.put_bot(2, None),
    *[methodcaller("step")] * 5,
    lambda phones: phones.propose(2, "claim"),
    agree_all,
    plays(rounds_finished(1)),
    lambda phones: phones.propose(1, "takeback"),
    methodcaller("step"),
    lambda phones: phones.propose(1, "finish"),
    agree_all,
    lambda phones: phones.act(0, Finish()),
    lambda phones: phones.propose(0, "takeback"),
    lambda phones: phones.put_bot(0, "easy"),
]


def digital_tables(setup: Setup, seed: int, **more: object) -> list[DigitalTable]:
    """The same game of the same group, for each way; a game that is not the first is no copy of another."""
    tables = []
    for way in (committing, *(way() for way in OTHER_WAYS)):
        with known_deals(seed):
            tables.append(DigitalTable(setup, way=way, group=new_group(), **more))
    return tables


def test_a_digital_story_is_the_same_by_service_page_and_rest() -> None:
    tables = digital_tables(dutch(3, rounds=2), 1)

    for number, call in enumerate(DIGITAL_STORY):
        assert_alike(call, tables, number)

    assert all(over(table.state) for table in tables)


# --- by chance ---


@given(data=st.data(), setup=setups())
@modestly
def test_any_calls_do_the_same_by_service_page_and_rest(data: st.DataObject, setup: Setup) -> None:
    tables = [Table(setup, way=by_service), *(Table(setup, way=way()) for way in OTHER_WAYS)]

    for number in range(data.draw(st.integers(8, 16), label="calls")):
        kinds = (*USUAL, *TAKING_BACK, *CORRECTING, *CONFIRMING, "lock", "stale")
        assert_alike(data.draw(calls(tables[0], kinds=kinds), label="call"), tables, number)


@given(data=st.data(), setup=setups(digital=True, most_rounds=2), bots=st.sets(st.integers(1, 4)))
@modestly
def test_any_calls_at_a_digital_table_do_the_same_by_service_page_and_rest(
    data: st.DataObject, setup: Setup, bots: set[int]
) -> None:
    levels = {seat: "easy" for seat in bots if seat < setup.ruleset.players}
    tables = digital_tables(setup, 1, bots=levels)
    for table in tables:
        for seat in levels:
            table.keys[seat] = registry.issue(role=Role.SEAT, game=table.game, seat=seat)

    for number in range(data.draw(st.integers(6, 12), label="calls")):
        kinds = (*({*ALONE} - {"move", "return", "free", "revoke"}), *TOGETHER)
        assert_alike(data.draw(phone_calls(tables[0], kinds=tuple(sorted(kinds))), label="call"), tables, number)

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
from games.rules import Discard, Finish, Phase, Play, Setup
from games.services.write import Outcome, WriteRequest
from tests.builders import dutch, english, iello, placing, wikipedia
from tests.cast.deals import known_deals
from tests.cast.digital import Chooser, DigitalTable, in_phase, leaving, over, rounds_finished
from tests.cast.groups import new_group
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
    modestly,
    phone_calls,
)
from tests.strategies import setups

pytestmark = [pytest.mark.django_db, pytest.mark.any_database, pytest.mark.slow]

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
FORGOTTEN = after(11, "penalty 0 -1 late")


def calls_of(*parts: str | Call) -> list[Call]:
    """Calls in few words: “undo; undo to 3; confirm 1 about 9; lock; trump red @2” (seat 2 covers a space)."""
    calls: list[Call] = []
    for part in parts:
        calls += map(_call, part.split("; ")) if isinstance(part, str) else [part]
    return calls


def _call(text: str) -> Call:
    match text.split(" "):
        case ["undo" | "lock" | "reopen" as verb]:
            return methodcaller(verb)
        case ["undo", "to", seq]:
            return methodcaller("undo", to_seq=int(seq))
        case ["confirm", seat, *more]:
            return methodcaller("confirm", int(seat), **dict(zip(more[::2], map(int, more[1::2]), strict=True)))
        case ["withdraw", about]:
            return methodcaller("withdraw", int(about))
    line, _, seat = text.partition(" @")
    return record(line, seat=int(seat) if seat else None)


def record(*lines: str, **more: object) -> Call:
    return methodcaller("record", *lines, **more)


def amend(*changes: object, **more: object) -> Call:
    return methodcaller("amend", *changes, **more)


def correct(*request: WriteRequest, **corrections: object) -> Call:
    return methodcaller("correct", *request, **corrections)


def sent(version: int | None, request_id: str = "tap", **body: str) -> WriteRequest:
    """What a request says that is sent again if no answer comes."""
    return WriteRequest(version, request_id, body)


def twice(verb: str, *arguments: object, **named: object) -> Call:
    """The same request, and the answer to its repetition."""

    def call(table: Table) -> object:
        methodcaller(verb, *arguments, **named)(table)
        return methodcaller(verb, *arguments, **named)(table)

    return call


def late(verb: str, *arguments: object, version: int = 6, **named: object) -> Call:
    return methodcaller(verb, *arguments, request=WriteRequest(version), **named)


STORIES: dict[str, tuple[Setup, list[Call]]] = {
    "marker by marker and trick by trick": (
        dutch(3, rounds=1),
        calls_of(
            "lock; reopen; undo; start 0; start 0; start 1 @2; start 1 @0; start 2; trick 0",
            "discard discard_1; discard discard_2; discard pass_2_right; undo; undo to 0; undo",
            record(*ROUND_1[:2]),
            "team 1; trick 0+1; trick 0+1; trick 0+1; trick 1+9; tally 1 2; trick 1; trick 1; trick 1; trick 1",
            "trick 2+1; trick 2+1; trick 2+1; trick 2+1; trick 2+1; trick 2; lock; reopen",
        ),
    ),
    "to the end and back": (
        dutch(3, rounds=2),
        calls_of(
            "finish",
            record(*ROUND_1),
            "penalty 1 -5 revoke; penalty 1 0 nothing; penalty 7 -5 nobody; penalty 1 -5 ",
            record(ROUND_2[0], "void misdeal"),
            "void ",
            record(*ROUND_2),
            "trump red; reopen; finish; undo; tally 0 0 0",
            record(ROUND_2[2]),
            "lock; lock; reopen; undo; undo to 0; confirm 0; penalty 1 -5 late",
            correct(rounds=3),
            amend(OTHER),
        ),
    ),
    "corrections": (
        dutch(3, rounds=2),
        calls_of(
            record(*ROUND_1),
            *(amend(OTHER), amend(instead(3, "tally 0 6 9")), amend(without(2)), amend(without(9)), amend()),
            amend(after(3, "penalty 0 -5 late"), instead(2, "team 1 monster 2")),
            amend(after(0, "trump red")),
            "undo",
            amend(without(5, part=1), instead(2, "team alone monster 0")),
            "undo; undo to 0; trump red; points 4; penalty 0 -5 late",
            amend(instead(15, "points 4"), instead(16, "trump red")),
            *(amend(after(15, "start 0")), amend(instead(19, "start 1", part=1)), amend(without(17))),
            amend(after(0, "start 2")),
            "undo to 0",
            record(*ROUND_1, *ROUND_2[:1]),
            *(correct(names=("Ana", "Bea", "Cleo"), tokens=("raven", "falcon", "wolf")), correct(dealer=1)),
            *(correct(names=("Ana", "ana", "Cleo")), correct(names=("", "Ben", "Cleo")), correct(dealer=3)),
            *(correct(tokens=("bear", "bear", "wolf")), correct(tokens=("lilac", "bear", "wolf"))),
            *(correct(rounds=1), correct(rounds=0), correct(rounds=3)),
        ),
    ),
    "what both teams confirm": (
        dutch(3, rounds=2),
        calls_of(
            "confirm 0",
            record(*ROUND_1),
            "confirm 7; confirm 0 round_number 2; confirm 2; confirm 1; confirm 0; undo",
            *(amend(without(3)), amend(OTHER)),
            "confirm 0 about 5; confirm 0 about 6; withdraw 5; withdraw 6; withdraw 6",
            amend(OTHER),
            "confirm 1 about 9; confirm 0 about 9; trump red",
            amend(instead(3, "tally 6 6"), instead(13, "trump black")),
            amend(instead(3, "tally 6 6 0"), instead(13, "trump black")),
            "confirm 1 about 14; trump black; confirm 0 about 14; undo to 0; undo to 12",
            record(*ROUND_2),
            confirm_all,
            "reopen; lock",
        ),
    ),
    "sent twice": (
        dutch(3, rounds=2),
        calls_of(
            record("tally 1", request=sent(0)),
            twice("record", "penalty 0 -1 late", request=sent(0)),
            record("penalty 0 -2 late", request=sent(0, another="body")),
            methodcaller("undo", request=sent(0)),
            twice("undo", request=sent(1, "undo")),
            record(*ROUND_1),
            twice("undo", to_seq=2, request=sent(5, "undo to")),
            record(*ROUND_1),
            twice("amend", FORGOTTEN, request=sent(11, "amend")),
            twice("correct", sent(12, "correct"), names=("Ana", "Bea", "Cleo")),
            twice("confirm", 0, request=sent(13, "confirm")),
            methodcaller("confirm", 1, request=sent(13, "confirm", another="seat")),
            twice("record", "finish", request=sent(14, "finish")),
            twice("reopen", sent(15, "reopen")),
            methodcaller("undo", request=sent(16, "reopen")),
            record(*ROUND_2),
            twice("lock", sent(19, "lock")),
        ),
    ),
    "too late": (
        dutch(3, rounds=2),
        calls_of(
            late("record", "trump red"),
            record(*ROUND_1, *ROUND_2),
            amend(OTHER),
            *(late("record", "tally 1"), late("undo"), late("undo", to_seq=0), late("amend", OTHER)),
            *(late("correct", rounds=3), late("confirm", 0), late("confirm", 0, round_number=2)),
            *(late("lock"), late("reopen"), late("undo", version=9)),
        ),
    ),
    "teams of five": (
        english(5),
        calls_of(
            "team 1 monster 2; open 0 njet red blue 2; team 0 monster 1; team 1 1 monster 1; team 1 2 3 monster 4",
            "team alone monster 0; team 1; team 1 monster 2; team 1 monster 7; team 1 monster 0 start 2",
            "team 1 2 monster 4",
        ),
    ),
    "without the start row": (
        wikipedia(4, start_row=False),
        calls_of("open njet red blue 2; team 2 start 3; team 3 start 3; undo"),
    ),
    **{
        f"the newest box with {players}": (
            iello(players, target=20),
            calls_of(
                record(*placing(iello(players), f"1 {space} green blue 2")),
                *([f"team {team}"] if team else []),
                f"tally {tally}; open 0 njet black blue 2; undo; undo; tally {tally}; lock",
            ),
        )
        for players, space, team, tally in (
            (2, "discard_2_no_one", "", "10 3"),
            (3, "pass_2_left", "alone monster 1", "2 12 2"),
            (4, "discard_1", "3", "1 6 1 6"),
            (5, "pass_2_left", "2 monster 2", "1 5 5 1 0"),
        )
    },
}


@pytest.mark.parametrize("story", STORIES)
def test_a_story_is_the_same_by_service_page_and_rest(story: str) -> None:
    setup, history = STORIES[story]
    tables = [Table(setup, way=by_service), *(Table(setup, way=way()) for way in OTHER_WAYS)]

    for number, call in enumerate(history):
        assert_alike(call, tables, number)


def due(phones: DigitalTable) -> int:
    return phones.state.acting_seats[0]


def plays(until: Callable[..., bool], *choose: Chooser) -> Call:
    return lambda phones: phones.play_on(until, *choose) and None


def plays_twice(phones: DigitalTable) -> object:
    seat, request = due(phones), sent(phones.game.version, "card")
    action = phones.view(seat).legal[0]
    phones.act(seat, action, request)
    return phones.act(seat, action, request)


def plays_illegally(phones: DigitalTable) -> object:
    """A card that is not in the hand."""
    hand, deck = phones.view(due(phones)).hand, phones.state.ruleset.deck()
    return phones.act(due(phones), Play(next(card for card in deck if card not in hand)))


def discards_a_zero(phones: DigitalTable) -> object:
    seat = next(seat for seat, hand in enumerate(phones.full.hands) if any(card.rank == 0 for card in hand))
    return phones.act(seat, Discard(tuple(sorted(phones.full.hands[seat], key=lambda card: card.rank))[:2]))


def discards(seat: int, *, seen: int) -> Call:
    """The first cards of the hand; the phone shows a version that lies so far off."""

    def call(phones: DigitalTable) -> object:
        legal = (*phones.view(seat).legal, Discard(phones.full.hands[seat][:2]))
        return phones.act(seat, legal[0], WriteRequest(phones.game.version + seen))

    return call


DIGITAL_STORIES: dict[str, tuple[Setup, Sequence[Call]]] = {
    **{
        f"the newest box with {players}": (
            iello(players, rounds=1),
            [plays(over, leaving(f"discard:{space}")), lambda phones: phones.act(0, Finish())],
        )
        for players, space in ((2, "pass_2_left"), (3, "discard_2_no_one"), (4, "pass_2_left"), (5, "discard_2"))
    },
    "a round with proposals and a bot, and its end": (
        dutch(3, rounds=2),
        [
            lambda phones: phones.act(0, Finish()),
            lambda phones: phones.act((due(phones) + 1) % 3, phones.view(due(phones)).legal[0]),
            lambda phones: phones.act(due(phones), phones.view(due(phones)).legal[0], WriteRequest(0)),
            lambda phones: phones.propose(0, "takeback"),
            plays_twice,
            *(methodcaller("propose", 0, "claim"), plays(in_phase(Phase.TRICKS)), plays_illegally, plays_twice),
            methodcaller("propose", 0, "takeback", request=WriteRequest(1)),
            twice("propose", 0, "takeback", request=sent(None, "ask")),
            twice("answer", 1, request=sent(None, "yes")),
            methodcaller("answer", 1, agrees=False, request=sent(None, "yes", another="answer")),
            *(methodcaller("answer", 0), methodcaller("answer", 2, agrees=False)),
            methodcaller("propose", 1, "takeback", to_seq=1),
            *(agree_all, methodcaller("answer", 1, about=1), methodcaller("put_bot", 7, "easy")),
            *(twice("put_bot", 2, "easy", sent(None, "bot")), methodcaller("put_bot", 2, "easy")),
            lambda phones: phones.act(2, Finish()),
            *(plays(in_phase(Phase.TRICKS)), methodcaller("propose", 0, "takeback"), methodcaller("put_bot", 2, None)),
            *[methodcaller("step")] * 5,
            *(methodcaller("propose", 2, "claim"), agree_all, plays(rounds_finished(1))),
            *(methodcaller("propose", 1, "takeback"), methodcaller("step")),
            *(methodcaller("propose", 1, "finish"), agree_all, methodcaller("propose", 0, "takeback")),
            *(methodcaller("put_bot", 0, "easy"), lambda phones: phones.act(0, Finish())),
        ],
    ),
    "cards that are chosen face down": (
        english(3, rounds=1),
        [
            plays(in_phase(Phase.DISCARDING), leaving("discard:discard_2_no_zero")),
            *(lambda phones, n=n: phones.act(0, Discard(phones.full.hands[0][:n])) for n in (0, 1, 3)),
            lambda phones: phones.act(0, Discard(phones.full.hands[1][:2])),
            *(discards_a_zero, discards(0, seen=-1), discards(2, seen=0), discards(2, seen=0)),
            *(discards(0, seen=-1), discards(1, seen=99), discards(1, seen=-2), discards(1, seen=0)),
            plays(over),
        ],
    ),
}


def digital_tables(setup: Setup, seed: int, **more: object) -> list[DigitalTable]:
    """The same game of the same group, for each way; a game that is not the first is no copy of another."""
    tables = []
    for way in (committing, *(way() for way in OTHER_WAYS)):
        with known_deals(seed):
            tables.append(DigitalTable(setup, way=way, group=new_group(), **more))
    return tables


@pytest.mark.parametrize("story", DIGITAL_STORIES)
def test_a_digital_story_is_the_same_by_service_page_and_rest(story: str) -> None:
    setup, history = DIGITAL_STORIES[story]
    tables = digital_tables(setup, 1)

    for number, call in enumerate(history):
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

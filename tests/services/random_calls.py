"""Random calls of the services, drawn from the state of a table; many of them are refused."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial
from operator import methodcaller
from typing import ParamSpec, TypeVar

from hypothesis import strategies as st

from games.bots import LEVELS
from games.errors import NjetError
from games.log import store
from games.log.ledger import Ledger
from games.models import Key
from games.rules import Key as ActionKey
from games.rules import Phase, PublicState
from games.rules.actions import Action
from games.rules.replay import Change, DeleteAction, InsertAction, ReplaceAction
from games.services.write import WriteRequest
from tests.cast.digital import DigitalTable
from tests.cast.tables import Table
from tests.laws import examples
from tests.strategies import any_actions, interruption, progress

# A database makes examples expensive.
modestly = examples(8)

Call = Callable[[Table], object]
"""A call that is made at a table, by whichever way its verbs go."""

P = ParamSpec("P")
T = TypeVar("T")

USUAL = ("play", "play", "play", "play", "play", "play", "any time", "junk")
TAKING_BACK = ("undo", "undo", "undo to", "reopen")
CORRECTING = ("amend", "amend", "amend two", "setup")
CONFIRMING = ("confirm", "confirm", "confirm all", "agree", "withdraw")


@st.composite
def calls(draw: st.DrawFn, table: Table, *, kinds: tuple[str, ...] = (*USUAL, *TAKING_BACK, *CORRECTING)) -> Call:
    """One call, not made yet."""
    ledger = store.refold(table.game)
    kind = draw(st.sampled_from(kinds))
    match kind:
        case "undo" | "reopen" | "lock":
            return methodcaller(kind)
        case "undo to":
            return methodcaller("undo", to_seq=draw(st.integers(-1, ledger.version + 1)))
        case "amend":
            return methodcaller("amend", draw(changes(ledger)))
        case "amend two":
            return methodcaller("amend", *draw(st.lists(changes(ledger), min_size=2, max_size=3)))
        case "setup":
            return methodcaller("correct", **draw(corrections(ledger.state.players)))
        case "confirm":
            number, seat = draw(st.integers(0, len(ledger.state.finished) + 1)), draw(st.integers(0, 5))
            return methodcaller("confirm", seat, round_number=number)
        case "confirm all":
            return confirm_all
        case "agree":
            about, seat = ledger.counting.correction, draw(st.integers(0, ledger.state.players - 1))
            numbers = [done.number for done in ledger.pending.rounds] if ledger.pending is not None else [1]
            number = draw(st.sampled_from(numbers))
            return methodcaller("confirm", seat, round_number=number, about=0 if about is None else about.seq)
        case "withdraw":
            about = ledger.counting.correction
            return methodcaller("withdraw", 0 if about is None else about.seq)
        case "stale":
            return methodcaller("undo", request=WriteRequest(version=ledger.version - 1))
    return methodcaller("record", draw(actions(ledger.state, kind)))


def confirm_all(table: Table) -> None:
    """Both teams confirm every round, as far as that is possible."""
    for done in table.state.finished:
        for seat in (done.teams.own[0], done.teams.other[0]):
            made(table.confirm, seat, round_number=done.number)


@st.composite
def actions(draw: st.DrawFn, state: PublicState, kind: str = "play") -> Action:
    """An action for a state: legal if there is any, unless it is `junk`."""
    if kind == "junk" or state.phase is Phase.FINISHED:
        return draw(any_actions())
    if kind == "any time":
        return draw(interruption(state))
    return draw(progress(state, in_one_go=draw(st.integers(0, 3)) > 0))


@st.composite
def changes(draw: st.DrawFn, ledger: Ledger) -> Change:
    """A correction of something that was played."""
    steps = ledger.replay.applied
    if not steps:
        return InsertAction(ActionKey(0), draw(actions(ledger.state)))
    step = draw(st.sampled_from(steps))
    match draw(st.sampled_from(("replace", "replace", "delete", "insert"))):
        case "replace":
            return ReplaceAction(step.key, draw(actions(step.before)))
        case "delete":
            return DeleteAction(step.key)
        case _:
            return InsertAction(step.key, draw(interruption(step.before) | actions(step.before)))


@st.composite
def corrections(draw: st.DrawFn, players: int) -> dict[str, object]:
    """Another name, dealer or length."""
    name = st.sampled_from(("Zoë", "Ben", "", "Yan"))
    return draw(
        st.fixed_dictionaries({"dealer": st.integers(0, players - 1)})
        | st.fixed_dictionaries({"rounds": st.integers(1, 4)})
        | st.fixed_dictionaries({"names": st.tuples(name, *[st.just(f"P{seat}") for seat in range(1, players)])})
    )


ALONE = ("play", "play", "play", "seat", "move", "return", "free", "revoke", "junk")
TOGETHER = ("takeback", "takeback to", "claim", "finish", "answer", "agree", "agree", "agree")


@st.composite
def phone_calls(
    draw: st.DrawFn, phones: DigitalTable, *, kinds: tuple[str, ...] = (*ALONE, *TOGETHER)
) -> Callable[[DigitalTable], object]:
    """One call at a digital table, not made yet: cards, proposals and answers, bots that sit in, phones that change."""
    seat = draw(st.integers(0, phones.state.players - 1))
    match draw(st.sampled_from(kinds)):
        case "play":
            return partial(play_by_chance, times=draw(st.integers(1, 30)), seed=draw(st.integers(0, 99)))
        case "seat":
            return methodcaller("put_bot", seat, draw(st.sampled_from((None, *LEVELS))))
        case "move" | "free" | "revoke" as kind:
            return methodcaller(kind, seat)
        case "return":
            lost = draw(st.sampled_from([*Key.objects.filter(game=phones.id, seat=seat).order_by("pk")]))
            return methodcaller("return_to", seat, lost)
        case "takeback to":
            to_seq = draw(st.integers(max(phones.ledger.version - 9, 0), phones.ledger.version))
            return methodcaller("propose", seat, "takeback", to_seq=to_seq)
        case "takeback" | "claim" | "finish" as kind:
            return methodcaller("propose", seat, kind)
        case "answer":
            about, agrees = draw(st.integers(1, phones.ledger.version)), draw(st.booleans())
            return methodcaller("answer", seat, about=about, agrees=agrees)
        case "agree":
            return agree_all
    return methodcaller("act", seat, draw(any_actions()))


def play_by_chance(phones: DigitalTable, *, times: int, seed: int) -> None:
    """Everybody plays in turn, as chance says."""
    chance = random.Random(seed)
    for _ in range(times):
        if phones.state.current is not None:
            phones.step(lambda view: chance.choice(view.legal))


def agree_all(phones: DigitalTable) -> None:
    """Everybody who is asked agrees, until one of them may not."""
    for seat in phones.asked:
        phones.answer(seat)


def made(call: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T | None:
    """What a call answers, None if it is refused."""
    try:
        return call(*args, **kwargs)
    except NjetError:
        return None

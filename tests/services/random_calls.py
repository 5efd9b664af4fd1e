"""Whatever somebody may ask of the services, drawn from where a table stands; much of it is refused."""

from __future__ import annotations

from collections.abc import Callable

from hypothesis import strategies as st

from games import log
from games.errors import NjetError
from games.log import Ledger
from games.rules import Key as ActionKey
from games.rules import Phase, PublicState
from games.rules.actions import Action
from games.rules.replay import Change, DeleteAction, InsertAction, ReplaceAction
from games.services import Outcome, Request
from tests.laws import examples
from tests.services.tables import Table
from tests.strategies import any_actions, interruption, progress

# A database makes examples expensive.
modestly = examples(8)

Call = Callable[[], Outcome]

USUAL = ("play", "play", "play", "play", "play", "play", "any time", "junk")
TAKING_BACK = ("undo", "undo", "undo to", "reopen")
CORRECTING = ("amend", "amend", "amend two", "setup")


@st.composite
def calls(draw: st.DrawFn, table: Table, *, kinds: tuple[str, ...] = (*USUAL, *TAKING_BACK, *CORRECTING)) -> Call:
    """One call, not made yet."""
    ledger = log.refold(table.game)
    kind = draw(st.sampled_from(kinds))
    match kind:
        case "undo":
            return table.undo
        case "undo to":
            to_seq = draw(st.integers(-1, ledger.version + 1))
            return lambda: table.undo(to_seq=to_seq)
        case "reopen":
            return table.reopen
        case "lock":
            return table.lock
        case "amend":
            change = draw(changes(ledger))
            return lambda: table.amend(change)
        case "amend two":
            several = draw(st.lists(changes(ledger), min_size=2, max_size=3))
            return lambda: table.amend(*several)
        case "setup":
            correction = draw(corrections(ledger.state.players))
            return lambda: table.correct(**correction)
        case "stale":
            return lambda: table.undo(request=Request(version=ledger.version - 1))
    action = draw(actions(ledger.state, kind))
    return lambda: table.record(action)


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


def made(call: Call) -> Outcome | None:
    """What a call answers, None if it is refused."""
    try:
        return call()
    except NjetError:
        return None

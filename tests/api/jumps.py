"""A digital game, moved on within its log: what leads to where a test begins is written in one go.

Knows the rules and the log.  The actions are legal ones, left to chance but for what stays open on the board.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random

from django.db.models import QuerySet

from games.database import write_queue
from games.log import store
from games.models import Game, LogEntry
from games.rules import ActionEntry, Deal, Discard, Pass, Phase, Place, Ruleset, to_json
from games.rules.actions import Action
from games.rules.dealing import commitment_of, hands_of
from games.rules.entries import setup_from_json
from games.rules.full import FullState
from games.services import write
from tests.cast.digital import committed


def deal_again(game_id: str, random: Random) -> None:
    """Let the first deal be one that is the same in every run."""
    row = LogEntry.objects.get(game=game_id, kind="deal")
    ruleset = setup_from_json(row.game.setup).ruleset
    # The manager of entries refuses every change.
    QuerySet(LogEntry).filter(pk=row.pk).update(payload=to_json(_deal(ruleset, random)))
    store.forget(game_id)


def _deal(ruleset: Ruleset, random: Random) -> Deal:
    seed = random.randbytes(32).hex()
    return Deal(hands_of(ruleset, seed), seed, commitment_of(seed, game_id="any", round_number=1))


Until = Callable[[FullState], bool]


def jump(game_id: str, until: Until, random: Random, **spaces: str) -> FullState:
    """Let everybody act by chance until a state is reached; these spaces stay open, by row."""
    with committed(execute=True), write_queue.in_turn():
        game = Game.objects.get(pk=game_id)
        ledger = store.read(game)
        state, entries = ledger.replay.full, []
        while not until(state):
            seat, action = step(state, random, spaces)
            several = isinstance(action, Discard | Pass)
            entries.append(ActionEntry(ledger.version + len(entries) + 1, action, seat if several else None))
            state = state.apply(action, seat=seat)
        write.extend(game, ledger, entries, actor=None)
    return state


def step(state: FullState, random: Random, spaces: Mapping[str, str]) -> tuple[int | None, Action]:
    """What may happen next, and who does it."""
    if state.public.phase is Phase.DEALING:
        return None, _deal(state.setup.ruleset, random)
    seat = random.choice(state.acting_seats)
    legal = [
        each
        for each in state.legal_actions(seat)
        if not (isinstance(each, Place) and spaces.get(each.row.value) == each.space)
    ]
    return seat, random.choice(legal)


def in_phase(phase: Phase, *, round: int = 1) -> Until:
    """Until a phase of a round."""
    return lambda state: state.public.phase is phase and state.public.current.number == round


def in_trick(number: int, cards: int, *, round: int = 1) -> Until:
    """Until these numbers of tricks are finished and of cards are on the table."""

    def reached(state: FullState) -> bool:
        current = state.public.current
        return (
            state.public.phase is Phase.TRICKS
            and current.number == round
            and (len(current.tricks), len(current.table)) == (number, cards)
        )

    return reached

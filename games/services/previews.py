"""What a correction would change, computed without writing anything."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass

from games.errors import TableOnlyOperation
from games.log import store
from games.log.ledger import Ledger
from games.models import Key
from games.rules import PublicState, Setup, amended, fold
from games.rules.replay import Change, Replay, conflict
from games.rules.setup import typed_names


@dataclass(frozen=True)
class StandingChange:
    """How a correction moves a player on the sheet."""

    seat: int
    total_before: int
    total_after: int
    rank_before: int
    rank_after: int


def preview_amend(*, ledger: Ledger, changes: Sequence[Change]) -> list[StandingChange]:
    """What a correction would change in the standings.

    Errors: those of `amend`.
    """
    return standing_changes(ledger.state, corrected_replay(ledger, changes).state)


def preview_setup(
    *,
    ledger: Ledger,
    names: Sequence[str] | None = None,
    tokens: Sequence[str] | None = None,
    dealer: int | None = None,
    rounds: int | None = None,
) -> list[StandingChange]:
    """What another set-up would change in the standings.

    Errors: those of `correct_setup`.
    """
    setup = ledger.current_setup.corrected(
        names=names and typed_names(names), tokens=tokens, dealer=dealer, rounds=rounds
    )
    return standing_changes(ledger.state, refolded_replay(ledger, setup).state)


def standing_changes(before: PublicState, after: PublicState) -> list[StandingChange]:
    """The seats whose total or rank differs."""
    figures = zip(before.totals, after.totals, before.ranks, after.ranks, strict=True)
    changes = [StandingChange(seat, *figure) for seat, figure in enumerate(figures)]
    return [
        change
        for change in changes
        if change.total_before != change.total_after or change.rank_before != change.rank_after
    ]


def corrected_replay(ledger: Ledger, changes: Sequence[Change]) -> Replay:
    """The game with corrected actions.

    Errors: `AmendmentConflicts`, `UnknownEntry`, `TableOnlyOperation`; the refusal of a corrected action.
    """
    _require_physical(ledger)
    return amended(ledger.current_setup, ledger.counting.actions, seq=ledger.version + 1, changes=changes)


def refolded_replay(ledger: Ledger, setup: Setup) -> Replay:
    """The game with a corrected set-up.

    Errors: `AmendmentConflicts`, `TableOnlyOperation`.
    """
    _require_physical(ledger)
    result = fold(setup, ledger.counting.actions)
    if result.error is not None and result.refused is not None:
        raise conflict(result.refused, result.error)
    return result


def _require_physical(ledger: Ledger) -> None:
    if ledger.digital:
        raise TableOnlyOperation()


def drawn_dealer(ledger: Ledger) -> int:
    """A random seat as first dealer."""
    return secrets.randbelow(ledger.state.players)


def entries_of_others(ledger: Ledger, actor: Key, seqs: Sequence[int]) -> dict[int, str]:
    """The labels of other keys that wrote some of these entries, by seq."""
    written = store.actors(ledger.game_id, seqs)
    return {seq: key.label for seq, key in written.items() if key is not None and key.pk != actor.pk}

"""What a correction would change, computed without writing anything."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from games.errors import RoundConfirmed, TableOnlyOperation
from games.log import store
from games.log.ledger import Ledger
from games.models import Key
from games.rules import NjetError, PublicState, Setup, amended, fold
from games.rules.paper import PaperSheet
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
    corrected = corrected_replay(ledger, changes).state
    rounds_to_confirm(ledger, corrected)
    return standing_changes(ledger.state, corrected)


def preview_setup(
    *,
    ledger: Ledger,
    names: Sequence[str] | None = None,
    tokens: Sequence[str] | None = None,
    dealer: int | None = None,
    rounds: int | None = None,
    paper: PaperSheet | None = None,
    since: int | None = None,
    open_hands: bool | None = None,
) -> list[StandingChange]:
    """What another set-up would change in the standings.

    Errors: those of `correct_setup`.
    """
    setup = ledger.current_setup.corrected(
        names=names and typed_names(names),
        tokens=tokens,
        dealer=dealer,
        rounds=rounds,
        paper=paper,
        since=since,
        open_hands=open_hands,
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


def rounds_to_confirm(ledger: Ledger, corrected: PublicState) -> tuple[int, ...]:
    """The numbers of the rounds that both teams have confirmed and confirm again before a correction is made.

    Errors: `RoundConfirmed` if such a round would no longer be complete.
    """
    rounds = ledger.confirmed_rounds_changed_by(corrected)
    if rounds and rounds[-1] > len(corrected.finished):
        raise RoundConfirmed(round=rounds[-1])
    return rounds


def corrected_replay(ledger: Ledger, changes: Sequence[Change]) -> Replay:
    """The game with corrected actions.

    Errors: `AmendmentConflicts`, `UnknownEntry`, `TableOnlyOperation`; the refusal of a corrected action.
    """
    require_physical(digital=ledger.digital)
    return amended(ledger.current_setup, ledger.counting.actions, seq=ledger.version + 1, changes=changes)


def refolded_replay(ledger: Ledger, setup: Setup) -> Replay:
    """The game with a corrected set-up.

    Errors: `AmendmentConflicts`, `TableOnlyOperation`; `RoundConfirmed` if it changes what both teams have confirmed.
    """
    require_physical(digital=ledger.digital)
    result = fold(setup, ledger.counting.actions)
    if result.error is not None and result.refused is not None:
        raise conflict(result.refused, result.error)
    require_unconfirmed(ledger, result.state)
    return result


def require_unconfirmed(ledger: Ledger, after: PublicState) -> None:
    """Refuse to change a round that both teams have confirmed.

    Errors: `RoundConfirmed`.
    """
    for number in ledger.confirmed_rounds_changed_by(after):
        raise RoundConfirmed(round=number)


def require_physical(*, digital: bool, refusal: type[NjetError] = TableOnlyOperation) -> None:
    """Refuse in a digital game what only a physical table has."""
    if digital:
        raise refusal()


def entries_of_others(ledger: Ledger, actor: Key, seqs: Sequence[int]) -> dict[int, str]:
    """The labels of other keys that wrote some of these entries, by seq."""
    written = store.actors(ledger.game_id, seqs)
    return {seq: key.label for seq, key in written.items() if key is not None and key.pk != actor.pk}

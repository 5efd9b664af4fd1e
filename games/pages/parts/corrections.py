"""What a correction changes, before it is made, and the correction that waits for both teams."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from games.log.ledger import Ledger
from games.pages.parts.confirmations import RoundConfirmations, round_confirmations
from games.pages.parts.players import Player, players_of
from games.rules import InsertAction, Key, amended
from games.rules.confirmations import PendingCorrection
from games.rules.replay import Change
from games.rules.scoring import signed
from games.services.previews import StandingChange
from games.texts.entries import changed_figures, describe_step


@dataclass(frozen=True)
class PendingView:
    """A correction that waits: what it changes, and who has confirmed it.  `seq`: its entry."""

    seq: int
    lines: list[tuple[str, str]]
    standings: list[tuple[Player, str, str]]
    rounds: list[RoundConfirmations]


def standing_lines(ledger: Ledger, changes: Sequence[StandingChange]) -> list[tuple[Player, str, str]]:
    """What a correction changes for each player it moves: “31 → 27”, and “first → second” or nothing."""
    players = players_of(ledger.current_setup)
    return [(players[change.seat], _total_change(change), _place_change(change)) for change in changes]


def _total_change(change: StandingChange) -> str:
    if change.total_before == change.total_after:
        return _("{total} stays").format(total=signed(change.total_after))
    return _("{before} → {after}").format(before=signed(change.total_before), after=signed(change.total_after))


def _place_change(change: StandingChange) -> str:
    if change.rank_before == change.rank_after:
        return ""
    return _("{before} → {after}").format(before=place(change.rank_before), after=place(change.rank_after))


def place(rank: int) -> str:
    """A rank in words."""
    return [_("first"), _("second"), _("third"), _("fourth"), _("fifth")][rank - 1]


def preview_lines(ledger: Ledger, changes: Sequence[Change]) -> list[tuple[str, str]]:
    """Each change as a line with the present and the corrected entry; of a count a line for each changed player."""
    setup, seq = ledger.current_setup, ledger.version + 1
    corrected = amended(setup, ledger.counting.actions, seq=seq, changes=changes)
    steps = {step.key: step for step in corrected.applied}
    lines = []
    for part, change in enumerate(changes, start=1):
        key = Key(seq, part) if isinstance(change, InsertAction) else change.key
        before, after = ledger.step(key), steps.get(key)
        if before and after and (figures := changed_figures(before.action, after.action, setup.names)):
            lines += [("", figure) for figure in figures]
            continue
        sentence = _("deleted") if after is None else describe_step(after, setup)
        if isinstance(change, InsertAction):
            sentence = _("inserted: {entry}").format(entry=sentence)
        lines.append(("" if before is None else describe_step(before, setup), sentence))
    return lines


def pending_view(ledger: Ledger, pending: PendingCorrection, changes: Sequence[StandingChange]) -> PendingView:
    """The correction that waits.  `changes`: what it would change in the standings."""
    return PendingView(
        seq=pending.entry.seq,
        lines=preview_lines(ledger, pending.entry.changes),
        standings=standing_lines(ledger, changes),
        rounds=[round_confirmations(ledger, done, pending.confirms) for done in pending.rounds],
    )

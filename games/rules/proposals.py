"""What a player of a digital game proposes to the others, who decide together (RULES.md section 7.3).

Must not know: how a proposal is carried out, who plays a seat.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from games.rules.actions import Action, Deal, Finish
from games.rules.cards import Card


@dataclass(frozen=True, slots=True)
class Takeback:
    """To undo these entries of the log, the latest first."""

    kind: ClassVar[str] = "takeback"

    seqs: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ClaimRest:
    """To be granted all remaining tricks of the round.  The hand is shown to all for that."""

    kind: ClassVar[str] = "claim"

    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class FinishEarly:
    """To end the game after the rounds that are complete."""

    kind: ClassVar[str] = "finish"


Proposal = Takeback | ClaimRest | FinishEarly


@dataclass(frozen=True, slots=True)
class OpenProposal:
    """A proposal that is not decided.  `seq`: its entry; `agreed`: the others who have agreed so far."""

    seq: int
    seat: int
    proposal: Proposal
    agreed: tuple[int, ...] = ()

    def waiting(self, players: int) -> tuple[int, ...]:
        """The seats that have not answered yet."""
        return tuple(seat for seat in range(players) if seat != self.seat and seat not in self.agreed)


def proposed(opened: Sequence[OpenProposal], seq: int, seat: int, proposal: Proposal) -> tuple[OpenProposal, ...]:
    """The open proposals with a new one: a seat's new one replaces its old one of the same kind."""
    kept = (each for each in opened if each.seat != seat or type(each.proposal) is not type(proposal))
    return (*kept, OpenProposal(seq, seat, proposal))


def answered(opened: Sequence[OpenProposal], about: int, seat: int, *, agrees: bool) -> tuple[OpenProposal, ...]:
    """The open proposals after an answer: one refusal closes a proposal, and so does its author's withdrawal."""
    if not agrees:
        return tuple(each for each in opened if each.seq != about)
    return tuple(
        replace(each, agreed=tuple(sorted({*each.agreed, seat}))) if each.seq == about else each for each in opened
    )


def after_action(opened: Sequence[OpenProposal], action: Action) -> tuple[OpenProposal, ...]:
    """The open proposals after an action: only one to end the game stays open, until the game or the round ends."""
    if isinstance(action, Finish | Deal):
        return ()
    return tuple(each for each in opened if isinstance(each.proposal, FinishEarly))


def after_undo(opened: Sequence[OpenProposal]) -> tuple[OpenProposal, ...]:
    """The open proposals after an undo: only one to end the game stays open."""
    return tuple(each for each in opened if isinstance(each.proposal, FinishEarly))

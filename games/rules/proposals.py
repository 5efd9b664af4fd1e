"""What a player of a digital game asks of the others, and what they answer (`rules.md` section 7: by consent only).

Knows: the kinds of proposals, who still has to agree, what makes a proposal lapse.  Must not know: how it is carried
out, who sits behind a seat.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from games.rules.actions import Action, Deal, Finish
from games.rules.cards import Card


@dataclass(frozen=True, slots=True)
class Takeback:
    """To take back these entries of the log, the latest first."""

    kind: ClassVar[str] = "takeback"

    seqs: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ClaimRest:
    """To be granted all remaining tricks of the round.  The hand is laid open for that."""

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
    """The open proposals with a new one: of the same kind, a seat's new one takes the place of its old one."""
    kept = (each for each in opened if each.seat != seat or type(each.proposal) is not type(proposal))
    return (*kept, OpenProposal(seq, seat, proposal))


def answered(opened: Sequence[OpenProposal], about: int, seat: int, *, agrees: bool) -> tuple[OpenProposal, ...]:
    """The open proposals after an answer: one refusal closes a proposal, its own author's takes it back."""
    if not agrees:
        return tuple(each for each in opened if each.seq != about)
    return tuple(
        replace(each, agreed=tuple(sorted({*each.agreed, seat}))) if each.seq == about else each for each in opened
    )


def after_action(opened: Sequence[OpenProposal], action: Action) -> tuple[OpenProposal, ...]:
    """The open proposals after the game has moved on: what they were about is no longer what it was.

    Only the wish to end the game outlasts that, until it ends or another round begins.
    """
    if isinstance(action, Finish | Deal):
        return ()
    return tuple(each for each in opened if isinstance(each.proposal, FinishEarly))


def after_undo(opened: Sequence[OpenProposal]) -> tuple[OpenProposal, ...]:
    """The open proposals after something was taken back."""
    return tuple(each for each in opened if isinstance(each.proposal, FinishEarly))

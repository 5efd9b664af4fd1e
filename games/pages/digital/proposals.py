"""What players ask each other at a digital table: takebacks, claims, an early end."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import takewhile
from typing import assert_never

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.bots.consent import lets_undo, unsure
from games.errors import HandsShown
from games.log.ledger import Ledger
from games.pages.digital.seen import Seen
from games.pages.parts.cards import CardView, card_views
from games.rules import (
    Action,
    ActionEntry,
    Discard,
    Key,
    Pass,
    Place,
    Play,
    PublicState,
    Setup,
    UndoEntry,
)
from games.rules.proposals import ClaimRest, FinishEarly, OpenProposal, Proposal, Takeback
from games.rules.replay import AnswerEntry, ProposalEntry
from games.texts import words
from games.texts.entries import describe_entry, describe_proposal
from games.texts.refusals import error_sentence


@dataclass(frozen=True)
class ProposalView:
    """A proposal, to be answered or withdrawn.

    `lapses`: it lapses with the next card, so that the game waits for the answers.
    """

    seq: int
    text: str
    cards: list[CardView]
    is_mine: bool
    may_answer: bool
    lapses: bool
    waiting: str


@dataclass(frozen=True)
class Reply:
    """What became of what was asked for last, in a sentence.  `seq`: of the entry that says it."""

    seq: int
    text: str


@dataclass(frozen=True)
class TakebackOffer:
    """The latest action of the seat, which it may ask to take back with everything after it.  `to_seq` stays."""

    text: str
    to_seq: int


def proposal_views(seen: Seen) -> list[ProposalView]:
    """The open proposals, the oldest first."""
    return [_proposal_view(seen, each) for each in seen.ledger.counting.proposals]


def _proposal_view(seen: Seen, asked: OpenProposal) -> ProposalView:
    names, waiting, is_mine = seen.state.setup.names, asked.waiting(seen.state.players), seen.seat == asked.seat
    if is_mine:
        text = _own(asked.proposal)
    elif isinstance(asked.proposal, ClaimRest):
        text = _("{name} claims the rest with these cards:").format(name=words.apart(names[asked.seat]))
    else:
        text = describe_proposal(seen.ledger, asked.proposal, asked.seat)
    return ProposalView(
        seq=asked.seq,
        text=text,
        # Who claims has the same cards in hand.
        cards=card_views(asked.proposal.cards) if isinstance(asked.proposal, ClaimRest) and not is_mine else [],
        is_mine=is_mine,
        may_answer=seen.seat in waiting,
        lapses=isinstance(asked.proposal, Takeback | ClaimRest),
        waiting=_("Still to answer: {names}").format(names=words.listing([names[seat] for seat in waiting])),
    )


def _own(proposal: Proposal) -> str:
    """A proposal for the player who made it, who knows the cards."""
    match proposal:
        case Takeback(seqs):
            return ngettext(
                "You ask to take back the last move.", "You ask to take back the last {count} moves.", len(seqs)
            ).format(count=len(seqs))
        case ClaimRest():
            return _("You claim the rest of the round.")
        case FinishEarly():
            return _("You propose to finish early.")
    assert_never(proposal)


def taken_back(ledger: Ledger) -> Reply | None:
    """What was taken back by the latest entries, for everybody; None if another entry has followed."""
    undone = list(takewhile(lambda entry: isinstance(entry, UndoEntry), reversed(ledger.entries)))
    if not undone:
        return None
    event, later = describe_entry(ledger, undone[0]), len(undone) - 1
    text = _("{event}.")
    if later:
        text = ngettext("{event}, and {count} later move.", "{event}, and {count} later moves.", later)
    return Reply(undone[0].seq, text.format(event=event, count=later))


def refusal_of(seen: Seen) -> Reply | None:
    """Who refused what the seat asked for last; None once it has acted or asked again."""
    ledger, seat = seen.ledger, seen.seat
    for entry in reversed(ledger.entries):
        if isinstance(entry, AnswerEntry) and not entry.agrees and entry.seat != seat:
            asked = ledger.entry(entry.about)
            if isinstance(asked, ProposalEntry) and asked.seat == seat:
                is_bot, name = ledger.bots[entry.seat] is not None, seen.state.setup.names[entry.seat]
                return Reply(entry.seq, _refusal(seen.state, asked.proposal, name, is_bot=is_bot))
        step = ledger.step(Key(entry.seq)) if isinstance(entry, ActionEntry) else None
        if (step is not None and step.seat in (seat, None)) or (
            isinstance(entry, ProposalEntry) and entry.seat == seat
        ):
            return None
    return None


def _refusal(state: PublicState, proposal: Proposal, name: str, *, is_bot: bool) -> str:
    """The sentence of a refusal.  A bot has one reason for each kind of proposal (`games.bots.consent`)."""
    if is_bot and isinstance(proposal, Takeback):
        return _("{name} does not agree: a card has been seen since.").format(name=name)
    if is_bot and isinstance(proposal, ClaimRest):
        pair = unsure(state, proposal.cards)
        if pair is None or pair[0] == pair[1]:
            return _("{name} does not agree: these tricks are not certain.").format(name=name)
        sentence = _("{name} does not agree: {higher}, which nobody has played yet, would beat {card}.")
        card, higher = map(words.card_name, pair)
        return sentence.format(name=name, higher=higher, card=card)
    return _("{name} does not agree.").format(name=name)


def takeback_offer(seen: Seen, *, of_others: bool = False) -> TakebackOffer | None:
    """The latest action of the seat, which it may ask to take back; None if there is none, or it has asked already.

    What bots did since is undone with it; nothing is offered that a bot would refuse.  `of_others`: also what other
    people did; otherwise there is no offer then.
    """
    ledger, seat = seen.ledger, seen.plays
    if seat is None or ledger.state.current is None:
        return None
    if any(each.seat == seat and isinstance(each.proposal, Takeback) for each in ledger.counting.proposals):
        return None
    others, later = len(ledger.people) > 1, 0
    for seq in reversed(ledger.undoable):
        step = ledger.step(Key(seq))
        if step is None or step.seat is None:
            continue
        if any(ledger.bots) and not lets_undo(ledger.state, step.action, seat, ledger.people):
            return None
        if step.seat == seat:
            return TakebackOffer(_asks_back(step.action, seen.state.setup, later, others=others), seq - 1)
        if ledger.bots[step.seat] is None and not of_others:
            return None
        later += 1
    return None


def why_no_takeback(seen: Seen) -> str:
    """Why the seat's last action of the round before cannot be taken back; empty once it has acted in this one."""
    ledger, done = seen.ledger, seen.state.finished
    if seen.plays is None or seen.state.current is None or not done or not ledger.setup.open_hands:
        return ""
    steps = [ledger.step(Key(seq)) for seq in ledger.undoable]
    if any(step is not None and step.seat == seen.plays for step in steps):
        return ""
    return error_sentence(HandsShown(round=len(done)))


def _asks_back(action: Action, setup: Setup, later: int, *, others: bool) -> str:
    """The sentence on the button.  `others`: other people are asked, and not only bots."""
    match action:
        case Play(card):
            what = _("my {card}").format(card=words.card_name(card))
        case Place(row, space):
            what = _("my marker on {space}").format(space=words.covered(row, space, setup.ruleset, setup.names))
        case Discard():
            what = _("my discard")
        case Pass():
            what = _("my pass")
        case _:
            what = _("my choice of teams")
    if not later:
        text = _("Ask to take back {what}") if others else _("Take back {what}")
    elif others:
        text = ngettext(
            "Ask to take back {what} and {count} later move", "Ask to take back {what} and {count} later moves", later
        )
    else:
        text = ngettext("Take back {what} and {count} later move", "Take back {what} and {count} later moves", later)
    return text.format(what=what, count=later)

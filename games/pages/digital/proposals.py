"""What players ask each other at a digital table: takebacks, claims, an early end."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import assert_never

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.bots.consent import lets_undo, unsure
from games.errors import CardSeen, HandsShown
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
from games.rules.replay import AnswerEntry, ProposalEntry, SeatEntry, Step
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
    """The latest action of the seat, which it may ask to take back with everything after it, or why it may not.

    `to_seq` stays.
    """

    text: str
    to_seq: int


def proposal_views(seen: Seen) -> list[ProposalView]:
    """The open proposals, the oldest first; none once the game is over."""
    return [] if seen.state.is_over else [_proposal_view(seen, each) for each in seen.ledger.counting.proposals]


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
        may_answer=seen.plays in waiting,
        lapses=isinstance(asked.proposal, Takeback | ClaimRest),
        waiting=_waiting(seen.ledger, asked.proposal, waiting).format(
            names=words.listing([names[seat] for seat in waiting])
        ),
    )


def _waiting(ledger: Ledger, proposal: Proposal, waiting: Iterable[int]) -> str:
    if isinstance(proposal, FinishEarly) and any(ledger.stands_in(seat) for seat in waiting):
        return _("Still to answer: {names}. A bot that came in this round does not answer.")
    return _("Still to answer: {names}")


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
    """Who refused what the seat asked for last, or which person what another player did; None once it has acted.

    Nothing to spectators, and nothing once the seat has asked again or the game is over.
    """
    ledger, seat = seen.ledger, seen.seat
    if seen.state.is_over or seat is None:
        return None
    for entry in reversed(ledger.entries):
        if isinstance(entry, AnswerEntry) and not entry.agrees and entry.seat != seat:
            asked = ledger.entry(entry.about)
            is_bot = ledger.bots[entry.seat] is not None
            # A bot answers before others have read what was asked, and an author withdraws it by an answer.
            if isinstance(asked, ProposalEntry) and (asked.seat == seat or (not is_bot and asked.seat != entry.seat)):
                name = seen.state.setup.names[entry.seat]
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
    ledger, seat, done = seen.ledger, seen.plays, _since_own(seen)
    if not done or _bots_refuse(seen, done):
        return None
    if any(each.seat == seat and isinstance(each.proposal, Takeback) for each in ledger.counting.proposals):
        return None
    *later, own = done
    if not of_others and any(step.seat in ledger.people for step in later):
        return None
    text = _asks_back(own.action, seen.state.setup, len(later), others=len(ledger.people) > 1)
    return TakebackOffer(text, own.key.seq - 1)


def why_no_takeback(seen: Seen) -> TakebackOffer | None:
    """The latest action of the seat, with the reason, where bots or the end of a shown round forbid to take it back."""
    rounds, done = seen.state.finished, _since_own(seen)
    if done:
        return TakebackOffer(error_sentence(CardSeen()), done[-1].key.seq - 1) if _bots_refuse(seen, done) else None
    if seen.plays is None or seen.state.current is None or not rounds or not seen.ledger.setup.open_hands:
        return None
    return TakebackOffer(error_sentence(HandsShown(round=len(rounds))), 0)


def require_takeback(seen: Seen) -> None:
    """That no bot would refuse what the page offers to take back: else the reader knows at once.

    Errors: `CardSeen`.
    """
    if _bots_refuse(seen, _since_own(seen)):
        raise CardSeen()


def _since_own(seen: Seen) -> list[Step]:
    """What was done in the round from the latest action of the seat on, that last; empty if it has done nothing.

    What a bot did before it left the seat is no action of the player.
    """
    done: list[Step] = []
    if seen.plays is None or seen.state.current is None:
        return done
    bots = (each.seq for each in seen.ledger.holder_changes if isinstance(each, SeatEntry) and each.seat == seen.plays)
    left = max(bots, default=0)
    for seq in takewhile(lambda seq: seq > left, reversed(seen.ledger.undoable)):
        step = seen.ledger.step(Key(seq))
        if step is not None and step.seat is not None:
            done.append(step)
            if step.seat == seen.plays:
                return done
    return []


def _bots_refuse(seen: Seen, done: Sequence[Step]) -> bool:
    """Whether a bot would refuse the seat to undo this, as `games.services.proposals` does."""
    ledger, seat = seen.ledger, seen.plays
    if seat is None or not any(ledger.bots):
        return False
    return not all(lets_undo(ledger.state, step.action, seat, ledger.people) for step in done)


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

"""Sentences for screen readers: what happened, who is due, what everybody has to do before the first trick."""

from __future__ import annotations

from django.utils.translation import gettext as _

from games.log.ledger import Ledger
from games.pages.parts.counting import count_view
from games.rules import Phase, PublicState
from games.rules.editions import NJET
from games.rules.options import DiscardTiming
from games.rules.replay import Entry
from games.rules.scoring import signed
from games.texts import words
from games.texts.entries import describe_entry


def announcement(state: PublicState) -> str:
    """Who is due, in one sentence that changes with every event."""
    names = state.setup.names
    match state.phase:
        case Phase.FINISHED:
            return victory(state)
        case Phase.PLACING:
            seat = state.acting_seats[0]
            return _("{name} covers a space, {count} left.").format(name=names[seat], count=state.markers_left[seat])
        case Phase.TEAMS:
            return _("{name} names the teams.").format(name=names[state.acting_seats[0]])
        case Phase.DEALING:
            return _("The cards are dealt.")
        case Phase.DISCARDING:
            return _("Still to discard: {names}.").format(names=_due_names(state))
        case Phase.PASSING:
            return _("Still to pass: {names}.").format(names=_due_names(state))
        case Phase.TRICKS if state.setup.digital:
            return next_card(state)
        case _:
            return _("Tricks are counted: {progress}.").format(progress=count_view(state).progress)


def event(ledger: Ledger, entry: Entry) -> str:
    """The latest entry in a sentence."""
    return _("{event}.").format(event=describe_entry(ledger, entry).rstrip("."))


def _due_names(state: PublicState) -> str:
    return words.listing([state.setup.names[seat] for seat in state.acting_seats])


def victory(state: PublicState, *, with_total: bool = False, names: str = "") -> str:
    """Who has won, with or without their total; empty while the game is played.  `names`: what stands for theirs."""
    if not state.winners:
        return ""
    names = names or words.listing([state.setup.names[seat] for seat in state.winners])
    if with_total:
        sentence = _("{names} share the victory, {total}") if len(state.winners) > 1 else _("{names} wins, {total}")
    else:
        sentence = _("{names} share the victory.") if len(state.winners) > 1 else _("{names} wins.")
    return sentence.format(names=names, total=signed(max(state.totals)))


def next_card(state: PublicState) -> str:
    """Who plays next in the tricks.  The cards of an open trick at a physical table are not recorded."""
    current = state.current
    assert current is not None, "tricks belong to a round"
    assert current.leader is not None, "the start player leads once the teams are named"
    if current.table:
        return _("{name} plays a card.").format(name=state.setup.names[state.acting_seats[0]])
    sentence = _("{name} leads trick {number}.") if current.tricks else _("{name} leads the first trick.")
    return sentence.format(name=state.setup.names[current.leader], number=len(current.tricks) + 1)


def discard_duty(state: PublicState) -> str:
    """What each player does with their hand before the first trick, empty if there is nothing to do."""
    current = state.current
    if current is None or current.conditions is None or current.tricks:
        return ""
    if state.setup.digital and state.phase not in (Phase.DISCARDING, Phase.PASSING):
        # The app sees the cards and knows that everybody has chosen.
        return ""
    # With two players the teams are known at once, with either option.
    early = state.ruleset.options.discard_timing is DiscardTiming.BEFORE_TEAMS
    if state.players > 2 and early is not (current.teams is None):
        return ""
    if current.conditions.discard == NJET and current.teams is not None:
        return ""
    return words.discard_duty(current.conditions.discard)

"""Whose turn it is at a digital table, and what happened last."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from games.log.ledger import Ledger
from games.pages.digital.cards import HandView, TrickShown
from games.pages.digital.seats import relation
from games.pages.digital.seen import RESULT, TRICKS, Seen
from games.pages.parts.announcement import event, victory
from games.pages.parts.players import Player
from games.rules import (
    ActionEntry,
    Deal,
    Key,
    Pass,
    Phase,
    Place,
    Play,
    PublicState,
    Setup,
)
from games.rules.replay import Entry, HintEntry, HolderEntry, SeatEntry, SetupEntry
from games.texts import words
from games.texts.entries import describe_step
from games.texts.hints import describe_hint


@dataclass(frozen=True)
class DueView:
    """The panel that says whose turn it is.  `player` is None where several are due."""

    player: Player | None
    headline: str
    detail: str
    is_mine: bool


def due_view(seen: Seen, players: Sequence[Player] | None = None, *, duty: str = "") -> DueView | None:
    """Whose turn it is and what is to be done, for this reader; None once the game is over.

    `players`: with the names to be shown; `duty`: what the reader's hand has to play.
    """
    state, players = seen.state, players or seen.players
    if state.current is None or not state.acting_seats:
        return None
    if state.phase in (Phase.DISCARDING, Phase.PASSING):
        return _choosing(state, seen.plays, players)
    player = players[state.acting_seats[0]]
    headline = _("Your turn") if seen.is_due else _whose(state, player)
    return DueView(player, headline, duty or _detail(state, is_mine=seen.is_due), seen.is_due)


def _whose(state: PublicState, player: Player) -> str:
    assert state.current is not None, "somebody is due while a round is played"
    match state.phase:
        case Phase.PLACING:
            text = _("{name} covers")
        case Phase.TEAMS:
            text = _("{name} picks partners")
        case _:
            text = _("{name} plays") if state.current.table else _("{name} leads")
    return text.format(name=player.name)


def _detail(state: PublicState, *, is_mine: bool) -> str:
    current = state.current
    assert current is not None, "somebody is due while a round is played"
    match state.phase:
        case Phase.PLACING:
            return ""
        case Phase.TEAMS:
            return _("you start: pick your partners") if is_mine else ""
        case _:
            if current.table:
                return _("{suit} was led").format(suit=words.SUIT_NAMES[current.table[0].suit.value])
            return _("you lead: any card") if is_mine else ""


def trick_number(seen: Seen) -> str:
    """How far the tricks of the round are, empty in the other phases."""
    current = seen.state.current
    return "" if seen.shows != TRICKS or current is None else _trick_of(seen.state, len(current.tricks) + 1)


def last_number(seen: Seen, last: TrickShown | None) -> str:
    """The number of the last trick, for as long as it lies on the table still."""
    done = seen.done
    return "" if last is None else _trick_of(seen.state, last.number, all=None if done is None else len(done.tricks))


def _trick_of(state: PublicState, number: int, all: int | None = None) -> str:
    bounds = state.tally_bounds
    all = bounds.tricks if all is None and bounds is not None else all
    return "" if all is None else _("trick {number} of {all}").format(number=number, all=all)


def _choosing(state: PublicState, viewer: int | None, players: Sequence[Player]) -> DueView:
    assert state.current is not None, "cards are chosen in a round"
    assert state.current.conditions is not None, "cards are chosen after the settled board"
    duty = words.choose_duty(state.current.conditions.discard)
    if viewer in state.acting_seats:
        if state.phase is Phase.PASSING:
            duty = _pass_to(state, viewer, players)
        return DueView(players[viewer], words.plain(duty), _("everybody at once, face down"), is_mine=True)
    due = state.acting_seats
    if len(due) == state.players > 2:
        headline = _("Waiting for everybody")
    else:
        headline = _("Waiting for {names}").format(names=words.listing([players[seat].name for seat in due]))
    return DueView(None, headline, duty, is_mine=False)


def _pass_to(state: PublicState, seat: int, players: Sequence[Player]) -> str:
    """To whom a seat passes its cards, by name and side."""
    receiver = (seat + state.ruleset.edition.passes_to) % len(players)
    _relation_word, is_ours = relation(state.current, seat, receiver)
    text = _("pass 2 to your partner {name}") if is_ours else _("pass 2 to your opponent {name}")
    return text.format(name=players[receiver].name)


def announcement(seen: Seen, hand: HandView | None, exchange: Sequence[str] = ()) -> str:
    """What happened last and whose turn it is: one text that changes with every event.

    `hand`: the reader's own, which says what may be played while it is their turn; `exchange`: which cards they passed
    and received, which is said once.
    """
    last = seen.ledger.entries[-1]
    received = exchange if isinstance(last, ActionEntry) and isinstance(last.action, Pass) else ()
    parts = [happened(seen.ledger), *received, _to_answer(seen), _may_play(seen, hand) or _due_sentence(seen)]
    return " ".join(part for part in parts if part)


def _to_answer(seen: Seen) -> str:
    """Says so if the reader has to answer a proposal."""
    asked = any(seen.seat in each.waiting(seen.state.players) for each in seen.ledger.counting.proposals)
    return _("Your answer is awaited.") if asked else ""


def _may_play(seen: Seen, hand: HandView | None) -> str:
    """What the reader may play now; empty while they have no card to play."""
    if hand is None or hand.does != "play" or not seen.is_due:
        return ""
    return _("Your turn: {duty}.").format(duty=hand.duty) if hand.duty else _("Your turn: any card may be played.")


def title(seen: Seen) -> str:
    """Whose turn it is, or the round whose result is shown to somebody who is not due, for the title of the page.

    It names no card: a browser keeps titles in its history, and several players may share a phone.
    """
    if seen.shows == RESULT and seen.done is not None and not seen.is_due:
        return _("The result of round {number}").format(number=seen.done.number)
    return _due_sentence(seen).removesuffix(".")


def happened(ledger: Ledger, *, setup: Setup | None = None) -> str:
    """The latest event in a sentence, other than a deal, a name that was typed, and who plays for the reader.

    `setup`: with the names of a marker that was placed as they should stand.
    """
    own = None if ledger.view is None else ledger.view.seat
    entries = [each for each in ledger.entries if not _goes_unsaid(each, own)]
    if not entries:
        return _("The cards are dealt.")
    placed = ledger.step(Key(entries[-1].seq)) if setup is not None else None
    if setup is not None and placed is not None and isinstance(placed.action, Place):
        return _("{event}.").format(event=describe_step(placed, setup))
    text = event(ledger, entries[-1])
    if isinstance(entries[-1], HintEntry):
        text = describe_hint(entries[-1], ledger.current_setup) or text
    if isinstance(entries[-1], ActionEntry) and isinstance(entries[-1].action, Play):
        text = " ".join(part for part in (text, _after_play(ledger)) if part)
    return text


def _goes_unsaid(entry: Entry, own: int | None) -> bool:
    match entry:
        case HolderEntry(seat=seat) | SeatEntry(seat=seat):
            return seat == own
        case SetupEntry() | ActionEntry(action=Deal()):
            return True
        case _:
            return False


def _after_play(ledger: Ledger) -> str:
    """What ended with the card that was played."""
    state, current = ledger.state, ledger.state.current
    going_on = current if current is not None and current.conditions else None
    if going_on is not None and (going_on.table or not going_on.tricks):
        return ""
    played = state.finished[-1] if going_on is None else going_on
    trick = played.tricks[-1]
    taken = words.trick_taken(ledger.current_setup.names[trick.winner], trick.captured, state.ruleset)
    if going_on is not None:
        return taken
    return " ".join((taken, _("Round {number} is over.").format(number=played.number)))


def _due_sentence(seen: Seen) -> str:
    if seen.state.current is None:
        return victory(seen.state)
    due = due_view(seen)
    if due is None:
        return ""
    if due.is_mine and due.headline != _("Your turn"):
        return _("Your turn: {duty}.").format(duty=due.headline)
    return _("{headline}.").format(headline=due.headline)

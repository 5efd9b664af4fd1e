"""What a viewer may know of a digital game, listed field by field.

Must not know: requests, pages, who holds which key.

A view is built by listing what may be seen, never by deleting: a fact that is not named here is not shown.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from games.rules.actions import Action, Cards, Deal, Discard, Finish, Hidden, Pass
from games.rules.cards import Card
from games.rules.full import FullState
from games.rules.proposals import ClaimRest
from games.rules.public import PublicState
from games.rules.replay import ActionEntry, Entry, HintEntry, ProposalEntry, UndoEntry
from games.rules.setup import Setup


@dataclass(frozen=True, slots=True)
class PlayerView:
    """The game as one seat sees it; `seat` None: as everyone at the table does.

    `hand` is sorted, so that its order reveals nothing; it keeps the `chosen` cards, which lie face down, until
    all have chosen.  `discarded`, `passed` (to a neighbour) and `received` (from the one on the other side) are of this
    round.  `legal`: everything the seat may do now, nothing if it is not due.
    """

    seat: int | None
    public: PublicState
    hand: tuple[Card, ...] = ()
    chosen: tuple[Card, ...] = ()
    discarded: tuple[Card, ...] = ()
    passed: tuple[Card, ...] = ()
    received: tuple[Card, ...] = ()
    legal: tuple[Action, ...] = ()


def view_for(state: FullState, seat: int | None) -> PlayerView:
    """What a seat may know, or with None everyone."""
    if seat is None:
        return PlayerView(None, state.public)
    if not state.hands:
        return PlayerView(seat, state.public, legal=state.legal_actions(seat))
    return PlayerView(
        seat=seat,
        public=state.public,
        hand=state.hands[seat],
        chosen=state.chosen[seat],
        discarded=state.discarded[seat],
        passed=state.passed[seat],
        received=state.received[seat],
        legal=state.legal_actions(seat),
    )


def redact(action: Action, *, seat: int | None, viewer: int | None) -> Action:
    """An action as a viewer may read it.  `seat`: who acted; `viewer` None: what everyone may read."""
    match action:
        case Deal(hands, _seed, commitment):
            seen = tuple(hand if each == viewer else _face_down(hand) for each, hand in enumerate(hands))
            return Deal(seen, None, commitment)
        case Discard(cards) if viewer is None or seat != viewer:
            return Discard(_face_down(cards))
        case Pass(cards) if viewer is None or seat != viewer:
            return Pass(_face_down(cards))
        case _:
            return action


def redact_entry(entry: Entry, viewer: int | None, *, over: bool = False) -> Entry:
    """An entry of the log as a viewer may read it.  Proposals and answers are shown to all, hints to their seat.

    `over`: the game is, and the entry is of a round that was not finished: a hand that was shown there is hidden again.
    """
    if over and isinstance(entry, ProposalEntry) and isinstance(entry.proposal, ClaimRest):
        return replace(entry, proposal=ClaimRest(()))
    if isinstance(entry, HintEntry) and entry.seat != viewer:
        return replace(entry, action=None, reason=None, second=None)
    if not isinstance(entry, ActionEntry):
        return entry
    return replace(entry, action=redact(entry.action, seat=entry.seat, viewer=viewer))


def secret_from(entries: Sequence[Entry], *, over: bool) -> int:
    """The seq from which on a log stays redacted: of a finished game only a round that was not finished.

    `over`: the game is finished.  A round begins with its deal, and no undo reaches across a deal.
    """
    if not over:
        return 0
    ends_early = any(isinstance(entry, ActionEntry) and isinstance(entry.action, Finish) for entry in entries)
    deals = [entry.seq for entry in entries if _is_deal(entry)]
    return deals[-1] if ends_early and deals else len(entries) + 1


def _shown_until(setup: Setup, entries: Sequence[Entry]) -> int:
    """The seq before which a log of a running game shows every hand: of its latest deal if the hands are open, else 0.

    Not the last card of a round shows its hands but the deal that follows: then it has scored, and no undo reaches
    across.  A deal that was undone shows nothing.  `setup`: as the game began, which is what the players agreed on.
    """
    if not setup.open_hands:
        return 0
    undone = {entry.undoes for entry in entries if isinstance(entry, UndoEntry)}
    deals = (entry.seq for entry in reversed(entries) if _is_deal(entry) and entry.seq not in undone)
    return next(deals, 0)


def shows_more(setup: Setup, added: Sequence[Entry]) -> bool:
    """Whether entries that are added to the log of a running game show hands of before."""
    return setup.open_hands and any(map(_is_deal, added))


def read_by(viewer: int | None, setup: Setup, entries: Sequence[Entry], *, over: bool) -> list[Entry]:
    """A log as a viewer may read it.  `setup`: as the game began; `over`: it is finished."""
    shown = 0 if over else _shown_until(setup, entries)
    secret = secret_from(entries, over=over)

    def read(entry: Entry) -> Entry:
        if entry.seq < shown:
            return _shown(entry, viewer)
        return entry if entry.seq < secret else redact_entry(entry, viewer, over=over)

    return [read(entry) for entry in entries]


def _shown(entry: Entry, viewer: int | None) -> Entry:
    """An entry of a round whose hands all may see while the game goes on: no seed, and hints for their seat alone."""
    match entry:
        case ActionEntry(action=Deal() as deal):
            return replace(entry, action=replace(deal, seed=None))
        case ActionEntry():
            return entry
        case _:
            return redact_entry(entry, viewer)


def _is_deal(entry: Entry) -> bool:
    return isinstance(entry, ActionEntry) and isinstance(entry.action, Deal)


def _face_down(cards: Cards) -> Hidden:
    return cards if isinstance(cards, Hidden) else Hidden(len(cards))

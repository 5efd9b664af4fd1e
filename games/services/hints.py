"""Hints: a player against bots asks the strongest one what to do.  A decision gets one hint."""

from __future__ import annotations

from collections import Counter

from django.conf import settings

from games.log.ledger import Ledger
from games.rules import ActionEntry, UndoEntry
from games.rules.actions import Action, Discard, Pass
from games.rules.hints import HintReason
from games.rules.replay import Entry, HintEntry
from games.services.write import WriteRequest, write


def is_offered(seen: Ledger) -> bool:
    """Whether the reader of this ledger may ask for a hint: they have a choice now, and no hint for it."""
    if not are_given(seen) or not _has_choice(seen):
        return False
    return hint_of(seen, seen.bots.index(None)) is None


def are_given(seen: Ledger) -> bool:
    """Whether the reader of this ledger plays against bots only, and bots are on."""
    return settings.NJET_BOTS != "off" and _is_alone(seen)


def _is_alone(seen: Ledger) -> bool:
    people = [seat for seat, bot in enumerate(seen.bots) if bot is None]
    return seen.view is not None and people == [seen.view.seat]


def _has_choice(seen: Ledger) -> bool:
    return _is_alone(seen) and seen.view is not None and len(seen.view.legal) > 1


def decision_at(ledger: Ledger, seat: int) -> int:
    """The entry that opened the present decision of a seat: what others choose face down changes nothing for it."""
    for entry in reversed(ledger.entries):
        match entry:
            case ActionEntry(_, Discard() | Pass(), other) if other != seat:
                continue
            case ActionEntry(seq) | UndoEntry(seq):
                return seq
    return 0


def hint_of(ledger: Ledger, seat: int) -> HintEntry | None:
    """The hint for the present decision of a seat."""
    later = ledger.entries[decision_at(ledger, seat) :]
    return next((entry for entry in later if isinstance(entry, HintEntry) and entry.seat == seat), None)


def counts(ledger: Ledger) -> Counter[int]:
    """How many hints each seat has asked for."""
    return Counter(entry.seat for entry in ledger.entries if isinstance(entry, HintEntry))


def is_wanted(ledger: Ledger, seat: int, version: int) -> bool:
    """Whether the decision that a seat had at this version is still open and has no hint yet."""
    if decision_at(ledger, seat) > version or hint_of(ledger, seat) is not None:
        return False
    return _has_choice(ledger.played_by(seat))


def record(*, game_id: str, seat: int, version: int, action: Action, reason: HintReason) -> None:
    """Record the hint for the decision at this version, if it is still open.

    Errors: `NotFound`, `GameLocked`.
    """

    def decide(ledger: Ledger) -> list[Entry]:
        wanted = is_wanted(ledger, seat, version)
        return [HintEntry(ledger.version + 1, seat, action, reason)] if wanted else []

    write("hint", game_id=game_id, actor=None, request=WriteRequest(), decide=decide)

"""Which changes of the seats' holders a phone shows, and which of them need no tap.

What gave a hand another reader is shown until it was read, each time.  Of bots that came and left, and of friends who
took free seats, only the newest of a seat is shown: the earlier ones are not so any more.
"""

from __future__ import annotations

from collections.abc import Collection

from games.log.ledger import Ledger
from games.rules.replay import HolderChange, HolderEntry, SeatEntry

HolderOrBot = SeatEntry | HolderEntry


def shown_changes(ledger: Ledger, *, after: int, until: int, own: Collection[int] = ()) -> list[HolderOrBot]:
    """The changes after one entry and up to another that a phone shows.

    `own`: its seats; it does not show what it did there itself.
    """
    changes = [entry for entry in ledger.holder_changes if after < entry.seq <= until]
    newest = {entry.seat: entry for entry in changes}
    return [
        entry
        for entry in changes
        if (newest[entry.seat] is entry or not passes(ledger, entry))
        and not (entry.seat in own and _is_known(ledger, entry))
    ]


def passes(ledger: Ledger, entry: HolderOrBot, own: Collection[int] = ()) -> bool:
    """Whether a change gives no player the hand of another, so that its notice goes by itself.

    It does not on the phone whose seat a bot plays.
    """
    if isinstance(entry, SeatEntry):
        return entry.bot is None or entry.seat not in own
    return entry.is_arrival and bot_before(ledger, entry) is None


def bot_before(ledger: Ledger, entry: HolderOrBot) -> SeatEntry | None:
    """The entry in which the bot stood up whose seat a phone took that had none; None for any other change."""
    if not isinstance(entry, HolderEntry) or entry.change is not HolderChange.JOINED:
        return None
    earlier = [each for each in ledger.holder_changes if each.seat == entry.seat and each.seq < entry.seq]
    before = earlier[-1] if earlier else None
    return before if isinstance(before, SeatEntry) and before.bot is None else None


def has_player(ledger: Ledger, entry: SeatEntry) -> bool:
    """Whether a bot stands up for the phone that has the seat."""
    phones = [each for each in _phones(ledger, entry.seat) if each.seq < entry.seq]
    if phones:
        return phones[-1].change not in (HolderChange.FREED, HolderChange.REVOKED)
    # The phone that opened the table has sat there without an entry.
    return ledger.first_bots[entry.seat] is None


def _phones(ledger: Ledger, seat: int) -> list[HolderEntry]:
    return [entry for entry in ledger.holder_changes if entry.seat == seat and isinstance(entry, HolderEntry)]


def _is_known(ledger: Ledger, entry: HolderOrBot) -> bool:
    """Whether the phone that has the seat did this itself, or was asked about it when it took the seat back."""
    if isinstance(entry, SeatEntry) and entry.bot is None:
        return True
    phones = _phones(ledger, entry.seat)
    is_back = bool(phones) and phones[-1].change is HolderChange.RETURNED
    return entry in phones[-1:] or (is_back and entry.seq < phones[-1].seq)

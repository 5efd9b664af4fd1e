"""The phones that are online at each table, in memory.

Must not know: events, databases, games.  Times are seconds of `time.monotonic`.  Processes send each other ages,
because their clocks differ.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

AWAY_AFTER = 10.0
"""Seconds of silence after which a phone is shown as away."""
MISSED_AFTER = 30.0
"""Seconds of silence after which a phone counts as missing: the other players may let a bot play for it."""
FORGOTTEN_AFTER = 600.0
"""Seconds of silence after which a phone is no longer shown."""
RECORDS_FOR = 180.0
"""Seconds after writing an entry for which a phone is shown as recording."""
SAYS_FOR = 8.0
"""Seconds for which a phrase is sent: phones that poll ask every 3 s."""
SAYS_EVERY = 3.0
"""Seconds between two phrases of a phone."""
NEVER = float("-inf")


@dataclass(frozen=True)
class Said:
    """A phrase that a seat has sent.  `mark`: another one for each; `at`: when it was sent."""

    seat: int
    phrase: str
    mark: str
    at: float


@dataclass(frozen=True)
class Phone:
    """A key as the other phones see it.  `elsewhere`: another process has received its latest request."""

    key: int
    label: str
    may_record: bool
    heard: float
    recorded: float = NEVER
    elsewhere: bool = False
    said: Said | None = None

    def says(self, now: float, *, within: float = SAYS_FOR) -> Said | None:
        """The phrase that was sent within the last seconds."""
        return self.said if self.said is not None and now - self.said.at < within else None


class Presence:
    """The phones of each game."""

    def __init__(self) -> None:
        self._phones: dict[str, dict[int, Phone]] = {}

    def note_request(self, game_id: str, phone: Phone) -> None:
        """Note a request of a phone, received here or by another process; an old one is no news."""
        phones = self._phones.setdefault(game_id, {})
        known = phones.get(phone.key, phone)
        if phone.heard >= known.heard:
            phones[phone.key] = replace(phone, recorded=max(known.recorded, phone.recorded), said=known.said)

    def note(self, game_id: str, key: int, **what: Any) -> None:
        """Note that a phone has written an entry (`recorded`: when) or a phrase (`said`)."""
        known = self._phones.get(game_id, {}).get(key)
        if known is not None:
            self._phones[game_id][key] = replace(known, **what)

    def may_say(self, game_id: str, key: int, now: float) -> bool:
        """Whether a phone may send the others a phrase now: not two at once."""
        known = self._phones.get(game_id, {}).get(key)
        return known is None or known.says(now, within=SAYS_EVERY) is None

    def drop(self, game_id: str, keys: Iterable[int]) -> None:
        """Forget revoked keys."""
        for key in keys:
            self._phones.get(game_id, {}).pop(key, None)

    def sweep(self, now: float) -> None:
        """Forget phones that have been silent for `FORGOTTEN_AFTER`."""
        for game_id, phones in list(self._phones.items()):
            for key in [key for key, phone in phones.items() if now - phone.heard > FORGOTTEN_AFTER]:
                del phones[key]
            if not phones:
                del self._phones[game_id]

    def shown(self, game_id: str, now: float) -> list[dict[str, object]]:
        """The phones of a game as a page shows them, the oldest key first."""
        return [
            {
                "key": phone.key,
                "name": phone.label,
                "may_record": phone.may_record,
                "away": now - phone.heard >= AWAY_AFTER,
                "recording": now - phone.recorded < RECORDS_FOR,
                **({"missed": True} if now - phone.heard >= MISSED_AFTER else {}),
                **({"said": [said.seat, said.phrase, said.mark]} if (said := phone.says(now)) is not None else {}),
            }
            for _, phone in sorted(self._phones.get(game_id, {}).items())
        ]

    def keys_within(self, game_id: str, now: float, seconds: float) -> set[int]:
        """The keys of a game that sent a request within the last `seconds`."""
        return {phone.key for phone in list(self._phones.get(game_id, {}).values()) if now - phone.heard < seconds}

    def recent_rows(self, now: float, *, within: float) -> list[Sequence[Any]]:
        """The phones with a request to this process just now: game, key, label, whether it may record, seconds ago."""
        return [
            (game_id, phone.key, phone.label, phone.may_record, now - phone.heard)
            for game_id, phones in list(self._phones.items())
            for phone in list(phones.values())
            if now - phone.heard < within and not phone.elsewhere
        ]

    def note_elsewhere(self, rows: Iterable[Sequence[Any]], now: float) -> None:
        """Add the phones that another process has received requests from."""
        for game_id, key, label, may_record, age in rows:
            self.note_request(game_id, Phone(key, label, may_record, heard=now - age, elsewhere=True))

"""The phones that are online at each table, in memory.

Must not know: events, databases, games.  Times are seconds of `time.monotonic`.  Processes send each other ages,
because their clocks differ.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

AWAY_AFTER = 10.0
"""Seconds of silence after which a phone is shown as away."""
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


def aged(phone: Phone, now: float) -> Phone:
    """A phone with ages in the place of times, or times in the place of ages, as other processes get and give it."""
    said = replace(phone.said, at=now - phone.said.at) if phone.said is not None else None
    return replace(phone, heard=now - phone.heard, recorded=now - phone.recorded, said=said)


def row_of(phone: Phone, now: float) -> dict[str, Any]:
    """A phone for other processes, with ages."""
    return asdict(aged(replace(phone, said=phone.says(now)), now))


class Presence:
    """The phones of each game."""

    def __init__(self) -> None:
        self._phones: dict[str, dict[int, Phone]] = {}

    def note_request(self, game_id: str, phone: Phone) -> None:
        """Note a request of a phone, received here or by another process."""
        phones = self._phones.setdefault(game_id, {})
        known = phones.get(phone.key)
        if known is not None:
            latest = max(known, phone, key=lambda each: each.heard)
            recorded = max(known.recorded, phone.recorded)
            said = max((each.said for each in (known, phone) if each.said), key=lambda each: each.at, default=None)
            phone = replace(phone, heard=latest.heard, elsewhere=latest.elsewhere, recorded=recorded, said=said)
        phones[phone.key] = phone

    def recorded(self, game_id: str, key: int, now: float) -> None:
        """Note that a key wrote an entry."""
        known = self._phones.get(game_id, {}).get(key)
        if known is not None:
            self._phones[game_id][key] = replace(known, recorded=now)

    def said(self, game_id: str, key: int, said: Said) -> Phone | None:
        """Note what a phone has sent to the others.  Answers the phone, None if it is not there."""
        known = self._phones.get(game_id, {}).get(key)
        if known is not None:
            known = self._phones[game_id][key] = replace(known, said=said)
        return known

    def may_say(self, game_id: str, key: int, now: float) -> bool:
        """Whether a phone has sent nothing within the last seconds."""
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

    def states(self, game_id: str, now: float) -> tuple[tuple[object, ...], ...]:
        """What `shown` depends on, cheap to compare: equal as long as nothing has changed."""
        return tuple(
            (
                *(phone.key, phone.label, now - phone.heard >= AWAY_AFTER, now - phone.recorded < RECORDS_FOR),
                said.mark if (said := phone.says(now)) is not None else "",
            )
            for phone in self._phones.get(game_id, {}).values()
        )

    def shown(self, game_id: str, now: float) -> list[dict[str, object]]:
        """The phones of a game as a page shows them, the oldest key first."""
        return [
            {
                "key": phone.key,
                "name": phone.label,
                "may_record": phone.may_record,
                "away": now - phone.heard >= AWAY_AFTER,
                "recording": now - phone.recorded < RECORDS_FOR,
                **({"said": [said.seat, said.phrase, said.mark]} if (said := phone.says(now)) is not None else {}),
            }
            for _, phone in sorted(self._phones.get(game_id, {}).items())
        ]

    def keys_within(self, game_id: str, now: float, seconds: float) -> set[int]:
        """The keys of a game that sent a request within the last `seconds`."""
        return {phone.key for phone in list(self._phones.get(game_id, {}).values()) if now - phone.heard < seconds}

    def recent_rows(self, now: float, *, within: float) -> dict[str, list[dict[str, Any]]]:
        """The phones that sent this process a request recently, with ages instead of times, for other processes."""
        recent = {}
        for game_id, phones in list(self._phones.items()):
            heard = (phone for phone in list(phones.values()) if now - phone.heard < within and not phone.elsewhere)
            if rows := [row_of(phone, now) for phone in heard]:
                recent[game_id] = rows
        return recent

    def note_elsewhere(self, recent: Mapping[str, Sequence[Mapping[str, Any]]], now: float) -> None:
        """Add the phones that another process has received requests from."""
        for game_id, rows in recent.items():
            for row in rows:
                said = Said(**row["said"]) if row["said"] is not None else None
                self.note_request(game_id, aged(Phone(**{**row, "said": said, "elsewhere": True}), now))

"""The phones that are online at each table, in memory.

Must not know: events, databases, games.  Times are seconds of `time.monotonic`.  Processes send each other ages,
because their clocks differ.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

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

    def row(self, now: float) -> list[object]:
        """It for other processes, with its age."""
        return [self.seat, self.phrase, self.mark, round(now - self.at, 1)]


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


def row_of(phone: Phone, now: float) -> list[object]:
    """A phone for other processes, with ages instead of times."""
    recorded_ago = None if phone.recorded == NEVER else round(now - phone.recorded, 1)
    said = phone.says(now)
    row = [phone.key, phone.label, phone.may_record, round(now - phone.heard, 1), recorded_ago]
    return row if said is None else [*row, said.row(now)]


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

    def recent_rows(self, now: float, *, within: float) -> dict[str, list[list[object]]]:
        """The phones that sent this process a request recently, with ages instead of times, for other processes."""
        recent: dict[str, list[list[object]]] = {}
        for game_id, phones in list(self._phones.items()):
            heard = (phone for phone in list(phones.values()) if now - phone.heard < within and not phone.elsewhere)
            rows = [row_of(phone, now) for phone in heard]
            if rows:
                recent[game_id] = rows
        return recent

    def note_elsewhere(self, recent: dict[str, list[list[object]]], now: float) -> None:
        """Add the phones that another process has received requests from."""
        for game_id, rows in recent.items():
            for key, label, may_record, heard_ago, recorded_ago, *said in rows:
                self.note_request(
                    game_id,
                    Phone(
                        int(str(key)),
                        str(label),
                        bool(may_record),
                        now - float(str(heard_ago)),
                        NEVER if recorded_ago is None else now - float(str(recorded_ago)),
                        elsewhere=True,
                        said=_said_in(said[0], now) if said else None,
                    ),
                )


def _said_in(row: object, now: float) -> Said:
    """The phrase in a row of another process."""
    assert isinstance(row, list), "as `Said.row` has it"
    seat, phrase, mark, ago = row
    return Said(int(seat), str(phrase), str(mark), now - float(ago))

"""Times as documents and entries have them: in UTC, to the second, “2026-11-21T19:30:00Z”."""

from __future__ import annotations

from datetime import UTC, datetime

from games.rules.errors import WrongType


def to_json(at: datetime) -> str:
    """A time as a text."""
    # Not `strftime`: whether it fills a year up with zeros is left to the platform.
    return at.astimezone(UTC).replace(tzinfo=None).isoformat(timespec="seconds") + "Z"


def from_json(name: str, value: object) -> datetime:
    """Read a time with any zone.

    Errors: `WrongType`.
    """
    try:
        if not isinstance(value, str):
            raise ValueError(value)
        time = datetime.fromisoformat(value)
        if time.tzinfo is None:
            raise ValueError(value)
        time = time.astimezone(UTC)
        return time.replace(microsecond=0) if time.microsecond else time
    except (ValueError, OverflowError) as error:
        raise WrongType(field=name, expected="time_in_utc") from error

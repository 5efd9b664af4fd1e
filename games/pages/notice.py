"""A notice shown above a table page."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Notice:
    """A sentence.  `again`: the fields of a form that repeats a tap, or confirms it; `again_url`: where it is sent;
    `code`: that of a refusal."""

    sentence: str
    again: list[tuple[str, str]] | None = None
    again_label: str = ""
    again_url: str = ""
    is_error: bool = True
    code: str = ""

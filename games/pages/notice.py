"""What is said above a page of a table.  Must not know: why."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Notice:
    """A sentence.  `again`: the fields of a tap that can be repeated; `ask`: a question first."""

    sentence: str
    again: list[tuple[str, str]] | None = None
    again_label: str = ""
    again_url: str = ""
    is_error: bool = True

"""Text that people type (names, reasons), made fit for one line of a sheet."""

from __future__ import annotations

import unicodedata

_INVISIBLE = {"Cc", "Cs", "Cf"}


def clean_line(text: str) -> str:
    """The text with single blanks, in composed form, without control characters that no sheet can show.

    Cleaning twice changes nothing more: what looks alike is equal.
    """
    blanks = "".join(" " if character.isspace() else character for character in text)
    shown = "".join(character for character in blanks if unicodedata.category(character) not in _INVISIBLE)
    return " ".join(unicodedata.normalize("NFC", shown).split())

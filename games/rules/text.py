"""Text that people type (names, reasons), made fit for one line of a sheet."""

from __future__ import annotations

import unicodedata

_INVISIBLE = {"Cc", "Cs", "Cf"}


def clean_line(text: str) -> str:
    """The text with single blanks, in composed form, without control signs that no sheet can show.

    Cleaning twice changes nothing more: what looks alike is alike.
    """
    blanks = "".join(" " if sign.isspace() else sign for sign in text)
    shown = "".join(sign for sign in blanks if unicodedata.category(sign) not in _INVISIBLE)
    return " ".join(unicodedata.normalize("NFC", shown).split())

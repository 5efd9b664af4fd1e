"""Text that people type (names, reasons), made fit for one line of a sheet."""

from __future__ import annotations

import re
import unicodedata

_INVISIBLE = {"Cc", "Cs", "Cf"}

# Joiners, fillers, blanks and variation selectors: by their category letters and marks, but not to be seen.
_UNSEEN = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)

MOST_MARKS = 2
"""Marks above or below one letter, besides those that are one character with it."""

_LATIN = str.maketrans(
    "\u0410\u0412\u0415\u0405\u0406\u0408\u041a\u041c\u041d\u041e\u0420\u0421\u0422\u0425"
    "\u0430\u0435\u0455\u0456\u0458\u043e\u0440\u0441\u0443\u0445"
    "\u0391\u0392\u0395\u0396\u0397\u0399\u039a\u039c\u039d\u039f\u03a1\u03a4\u03a5\u03a7"
    "\u03b1\u03b9\u03ba\u03bd\u03bf\u03c1\u03c5",
    "ABESIJKMHOPCTXaesijopcyxABEZHIKMNOPTYXaikvopu",
)
"""The Latin letters that Cyrillic and Greek ones look like: capitals and small letters of each."""


def clean_line(text: str) -> str:
    """The text with single blanks, in composed form, without control characters that no sheet can show.

    Cleaning twice changes nothing more: what looks alike is equal.
    """
    blanks = "".join(" " if character.isspace() else character for character in text)
    shown = "".join(character for character in blanks if unicodedata.category(character) not in _INVISIBLE)
    return " ".join(unicodedata.normalize("NFC", shown).split())


def typed_line(text: str) -> str:
    """A clean line without anything else that cannot be seen, and with few marks on a letter.

    Only for what is typed now: a stored name stays as it was written.
    """
    kept, marks = "", 0
    for character in clean_line(_UNSEEN.sub("", text)):
        marks = marks + 1 if unicodedata.combining(character) else 0
        kept += character if marks <= MOST_MARKS else ""
    return clean_line(kept)


def skeleton(line: str) -> str:
    """What a line looks like: the same for names that people take for one another, in Latin, Cyrillic and Greek."""
    return unicodedata.normalize("NFKD", line).translate(_LATIN).casefold()

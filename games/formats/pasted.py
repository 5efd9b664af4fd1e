"""A JSON document that went through a phone or a mail program, read as it was before."""

from __future__ import annotations

import json
import re
from contextlib import suppress

from games.formats.notation.tokens import QUOTES

_QUOTED = re.compile(r"^[ \t]*(?:>[ \t]?)+", re.MULTILINE)
_BREAK = re.compile(r"[ \t]*(?:\r\n|[\r\n])[ \t]*")
_STRAIGHT = str.maketrans(dict.fromkeys(QUOTES, '"'))
_BLANKS = str.maketrans({"\xa0": " ", "\u202f": " ", "\u2028": " ", "\u200b": None, "\ufeff": None})


def parsed(text: str) -> object:
    """The value of a JSON document, as it is or else as it was before it was handled.

    Errors: `ValueError` and `RecursionError` of the document as it is.
    """
    text = text.removeprefix("\ufeff")
    try:
        return json.loads(text)
    except json.JSONDecodeError:
        with suppress(ValueError, RecursionError):
            return json.loads(_before(text))
        raise


def _before(text: str) -> str:
    """The document without the marks of a quoted mail, the breaks of its lines, and typographic blanks and marks.

    Blanks and breaks are the same between values, and in a text a mail program breaks a line where a blank stood.
    """
    if all(line.lstrip().startswith(">") for line in text.splitlines() if line.strip()):
        text = _QUOTED.sub("", text)
    text = _BREAK.sub(" ", text).translate(_BLANKS)
    # A program that changes marks changes them all.
    return text if '"' in text else text.translate(_STRAIGHT)

"""Strict JSON: UTF-8 that every database can store and every reader of our answers can parse."""

from __future__ import annotations

import json
import math
from typing import NoReturn

from games.rules.errors import Malformed

DEEPEST = 12
"""Levels of objects and lists; the deepest request, an amendment, has five."""

BYTE_ORDER_MARK = "\ufeff"

LARGEST_NUMBER = 2**53 - 1
"""Beyond this JSON readers disagree about whole numbers."""


def parsed(body: bytes) -> object:
    """The value of a JSON document.  A name that occurs twice in an object counts as its last occurrence.

    Errors: `Malformed`.
    """
    text = decoded(body)
    try:
        document = json.loads(text, parse_int=_whole, parse_float=_fraction, parse_constant=_refuse_constant)
    except RecursionError as error:
        raise Malformed(problem="too deep") from error
    except json.JSONDecodeError as error:
        raise Malformed(problem="no json there", line=error.lineno, column=error.colno) from error
    except ValueError as error:
        raise Malformed(problem="no json") from error
    _check(document)
    return document


def decoded(body: bytes) -> str:
    """The text of a UTF-8 body; parts of JSON documents are checked by `parsed`.

    Editors of Windows write a byte order mark before it, which is left out.
    Errors: `Malformed`.
    """
    try:
        return body.decode().removeprefix(BYTE_ORDER_MARK)
    except UnicodeDecodeError as error:
        raise Malformed(problem="no utf-8") from error


def check_text(text: str) -> None:
    """Refuse text that UTF-8 or PostgreSQL cannot store.

    Errors: `Malformed`.
    """
    if "\0" in text:
        raise Malformed(problem="nul")
    if any("\ud800" <= character <= "\udfff" for character in text):
        raise Malformed(problem="half a character")


def _whole(digits: str) -> int:
    number = int(digits) if len(digits) <= 17 else LARGEST_NUMBER + 1
    if abs(number) > LARGEST_NUMBER:
        raise Malformed(problem="large number")
    return number


def _fraction(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        raise Malformed(problem="large number")
    return number


def _refuse_constant(name: str) -> NoReturn:
    raise Malformed(problem="no json value", value=name)


def _check(document: object) -> None:
    """Refuse deep nesting and text that cannot be stored.  A loop, because recursion is what deep nesting breaks."""
    level = [document]
    for _ in range(DEEPEST):
        following: list[object] = []
        for value in level:
            if isinstance(value, str):
                check_text(value)
            elif isinstance(value, list):
                following += value
            elif isinstance(value, dict):
                following += [*value.keys(), *value.values()]
        if not following:
            return
        level = following
    raise Malformed(problem="too deep")

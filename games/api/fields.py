"""Reading JSON and its fields, strictly.

Knows: JSON as every database and every reader of our answers can carry it; types.  Must not know: any single request.
Whatever is not exactly what was asked for is refused here as `Malformed`.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from typing import IO, Any, NoReturn

from rest_framework.parsers import BaseParser, JSONParser

from games.rules.errors import Malformed, MissingField, UnknownField, WrongType
from games.services.write import LONGEST_REQUEST_ID, WriteRequest

DEEPEST = 12
"""Levels of objects and lists; the deepest request, an amendment, has five."""

LARGEST_NUMBER = 2**53 - 1
"""Beyond this JSON readers disagree about whole numbers."""


# --- JSON ---


class StrictJSONParser(JSONParser):
    """JSON in UTF-8 that every database and every reader of our answers can carry.

    A `JSONParser` by name, because only to those does DRF hand a body whose size Django has checked.
    """

    def parse(self, stream: IO[bytes], media_type: str | None = None, parser_context: Any = None) -> object:
        return _json(stream)


class LongJSONParser(BaseParser):
    """The same for a body whose size the middleware has checked, by a limit of its own."""

    media_type = "application/json"

    def parse(self, stream: IO[bytes], media_type: str | None = None, parser_context: Any = None) -> object:
        return _json(stream)


class LongTextParser(BaseParser):
    """A text in UTF-8, of a size that the middleware has checked."""

    media_type = "text/plain"

    def parse(self, stream: IO[bytes], media_type: str | None = None, parser_context: Any = None) -> str:
        found = _decoded(stream)
        _check_text(found)
        return found


def _json(stream: IO[bytes]) -> object:
    text = _decoded(stream)
    try:
        document = json.loads(text, parse_int=_whole, parse_float=_fraction, parse_constant=_refuse_constant)
    except RecursionError as error:
        raise Malformed(problem="it is nested too deeply") from error
    except ValueError as error:
        raise Malformed(problem=f"it is no JSON ({error})") from error
    _check(document)
    return document


def _decoded(stream: IO[bytes]) -> str:
    try:
        return stream.read().decode()
    except UnicodeDecodeError as error:
        raise Malformed(problem="it is not UTF-8") from error


def _whole(digits: str) -> int:
    number = int(digits) if len(digits) <= 17 else LARGEST_NUMBER + 1
    if abs(number) > LARGEST_NUMBER:
        raise Malformed(problem="a number is too large")
    return number


def _fraction(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        raise Malformed(problem="a number is too large")
    return number


def _refuse_constant(name: str) -> NoReturn:
    raise Malformed(problem=f"{name} is no JSON")


def _check(document: object) -> None:
    """Refuse what nests too deeply, and text that UTF-8 or PostgreSQL cannot hold.  Not recursive on purpose."""
    level = [document]
    for _ in range(DEEPEST):
        following: list[object] = []
        for value in level:
            if isinstance(value, str):
                _check_text(value)
            elif isinstance(value, list):
                following += value
            elif isinstance(value, dict):
                following += [*value.keys(), *value.values()]
        if not following:
            return
        level = following
    raise Malformed(problem="it is nested too deeply")


def _check_text(text: str) -> None:
    if "\0" in text:
        raise Malformed(problem="a text contains NUL")
    if any("\ud800" <= sign <= "\udfff" for sign in text):
        raise Malformed(problem="a text contains half a surrogate pair")


# --- the fields of an object ---


class Fields:
    """The fields of one JSON object, each taken out with its type checked."""

    def __init__(self, value: object, *, of: str = "request") -> None:
        if not isinstance(value, Mapping):
            raise WrongType(field=of, expected="an object")
        self._of = of
        self._value = value
        self._taken: set[object] = set()

    def required(self, name: str) -> object:
        if name not in self._value:
            raise MissingField(action=self._of, field=name)
        return self.optional(name)

    def optional(self, name: str) -> object:
        self._taken.add(name)
        return self._value.get(name)

    def text(self, name: str) -> str:
        return as_text(name, self.required(name))

    def optional_text(self, name: str) -> str | None:
        value = self.optional(name)
        return None if value is None else as_text(name, value)

    def choice(self, name: str, choices: Sequence[str]) -> str:
        return as_choice(name, self.required(name), choices)

    def optional_choice(self, name: str, choices: Sequence[str]) -> str | None:
        value = self.optional(name)
        return None if value is None else as_choice(name, value, choices)

    def optional_number(self, name: str) -> int | None:
        value = self.optional(name)
        return None if value is None else as_number(name, value)

    def optional_count(self, name: str) -> int | None:
        """A number from 0 on."""
        value = self.optional(name)
        return None if value is None else as_count(name, value)

    def flag(self, name: str) -> bool:
        value = self.optional(name)
        if not isinstance(value, bool | None):
            raise WrongType(field=name, expected="true or false")
        return bool(value)

    def optional_texts(self, name: str) -> list[str] | None:
        value = self.optional(name)
        return None if value is None else [as_text(name, each) for each in as_list(name, value)]

    def writing(self) -> WriteRequest:
        """What every write may carry: the version that was seen, and an id of its own."""
        request_id = self.optional_text("request_id")
        if request_id is not None and not 1 <= len(request_id) <= LONGEST_REQUEST_ID:
            raise WrongType(field="request_id", expected=f"a text of 1 to {LONGEST_REQUEST_ID} characters")
        return WriteRequest(version=self.optional_count("version"), request_id=request_id, body=dict(self._value))

    def refuse_others(self) -> None:
        for name in self._value:
            if name not in self._taken:
                raise UnknownField(action=self._of, field=str(name))


def as_text(name: str, value: object) -> str:
    if not isinstance(value, str):
        raise WrongType(field=name, expected="a text")
    return value


def as_number(name: str, value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise WrongType(field=name, expected="a whole number")
    return value


def as_count(name: str, value: object) -> int:
    number = as_number(name, value)
    if number < 0:
        raise WrongType(field=name, expected="a whole number from 0 on")
    return number


def as_list(name: str, value: object) -> list[object]:
    if not isinstance(value, list):
        raise WrongType(field=name, expected="a list")
    return value


def as_choice(name: str, value: object, choices: Sequence[str]) -> str:
    if value not in choices:
        raise WrongType(field=name, expected=" or ".join(f"“{choice}”" for choice in choices))
    return str(value)

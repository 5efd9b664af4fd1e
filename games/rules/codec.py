"""Frozen dataclasses as plain JSON objects, and strictly back: a dataclass states its JSON by its fields.

A field is written under its own name in the form of its annotated type.  `LEFT_OUT` as its metadata: instead of null it
is left out.  Metadata `FORM` names another form, for what is written as several JSON fields.  Reading refuses
everything else: missing fields, unknown fields, values of another type (`Malformed`).

>>> from games.rules.actions import RecordTrick
>>> written(RecordTrick(winner=2, captured=1))
{'winner': 2, 'captured': 1}
>>> read(RecordTrick, Fields({"winner": 2, "captured": True}, of="trick"))
Traceback (most recent call last):
games.rules.errors.WrongType: “captured” has to be a whole number.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from functools import lru_cache
from types import NoneType, UnionType
from typing import Any, NamedTuple, Protocol, TypeVar, Union, get_args, get_origin, get_type_hints

from games.rules.cards import Card
from games.rules.editions import RowKey
from games.rules.errors import MissingField, UnknownField, UnknownRow, WrongType

Value = TypeVar("Value")

LARGEST_NUMBER = 10**9

FORM = "form"
LEFT_OUT: Mapping[str, object] = {"left_out": True}


class Fields:
    """The fields of one JSON object.  `of`: what the object is, for refusals."""

    def __init__(self, value: object, *, of: str) -> None:
        if not isinstance(value, Mapping):
            raise WrongType(field=of, expected="object")
        self._of = of
        self._value = value
        self._taken: set[object] = set()

    def __contains__(self, name: str) -> bool:
        return name in self._value

    def named(self, of: str) -> Fields:
        """The same fields, of an object whose kind is known by now."""
        self._of = of
        return self

    def take(self, name: str) -> object:
        """The value of a field that has to be there."""
        if name not in self._value:
            raise MissingField(action=self._of, field=name)
        self._taken.add(name)
        return self._value[name]

    def find(self, name: str) -> object:
        """The value of a field, None if it is not there."""
        return self.take(name) if name in self else None

    def refuse_others(self) -> None:
        """Refuse every field that was not taken."""
        for name in self._value:
            if name not in self._taken:
                raise UnknownField(action=self._of, field=str(name))


class Form(Protocol):
    """How the value of a field is written as JSON fields, and read from them."""

    def write(self, name: str, value: Any) -> dict[str, object]: ...

    def read(self, name: str, taken: Fields) -> Any: ...


def written(value: Any) -> dict[str, object]:
    """A dataclass as a plain JSON object."""
    document: dict[str, object] = {}
    for name, form, is_left_out in _parts(value.__class__):
        inner = getattr(value, name)
        if inner is not None or not is_left_out:
            document.update(form.write(name, inner))
    return document


def read(kind: Callable[..., Any], taken: Fields) -> Any:
    """A dataclass out of the fields of an object.

    Errors: `Malformed` and its subclasses.
    """
    values = {
        name: None if is_left_out and name not in taken else form.read(name, taken)
        for name, form, is_left_out in _parts(kind)
    }
    taken.refuse_others()
    return kind(**values)


# --- values ---


def whole_number(name: str, value: object) -> int:
    """A whole number."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise WrongType(field=name, expected="whole_number")
    return value


def number(name: str, value: object) -> int:
    """A whole number of so few digits that a sum of such numbers can still be written in a refusal."""
    found = whole_number(name, value)
    if abs(found) >= LARGEST_NUMBER:
        raise WrongType(field=name, expected="short_whole_number")
    return found


def numbers(name: str, value: object) -> tuple[int, ...]:
    """A list of such numbers."""
    return tuple(number(name, each) for each in items(name, value))


def text(name: str, value: object) -> str:
    """A text."""
    if not isinstance(value, str):
        raise WrongType(field=name, expected="text")
    return value


def boolean(name: str, value: object) -> bool:
    """True or false."""
    if not isinstance(value, bool):
        raise WrongType(field=name, expected="boolean")
    return value


def items(name: str, value: object) -> list[object]:
    """A list."""
    if not isinstance(value, list):
        raise WrongType(field=name, expected="list")
    return value


def optional(read: Callable[[str, object], Value], name: str, value: object) -> Value | None:
    """None, or a value of this form."""
    return None if value is None else read(name, value)


def card(name: str, value: object) -> Card:
    """A card by its name."""
    return Card.parse(text(name, value))


def row(name: str, value: object) -> RowKey:
    """A row of the board by its name."""
    found = text(name, value)
    if found not in _ROWS:
        raise UnknownRow(row=found)
    return RowKey(found)


_ROWS = frozenset(RowKey)


class _Plain(NamedTuple):
    """A value that is written as one JSON field."""

    as_json: Callable[[Any], object]
    of_json: Callable[[str, object], Any]

    def write(self, name: str, value: Any) -> dict[str, object]:
        return {name: self.as_json(value)}

    def read(self, name: str, taken: Fields) -> Any:
        return self.of_json(name, taken.take(name))


def _as_it_is(value: object) -> object:
    return value


_FORMS: Mapping[type, _Plain] = {
    int: _Plain(_as_it_is, number),
    str: _Plain(_as_it_is, text),
    bool: _Plain(_as_it_is, boolean),
    Card: _Plain(str, card),
    RowKey: _Plain(lambda key: key.value, row),
}


def _form(hint: Any) -> _Plain:
    """The form of an annotated type: a plain one, None or a plain one, a tuple of them."""
    if hint in _FORMS:
        return _FORMS[hint]
    if get_origin(hint) in (Union, UnionType):
        inner = _form(next(each for each in get_args(hint) if each is not NoneType))
        return _Plain(
            lambda value: None if value is None else inner.as_json(value),
            lambda name, value: optional(inner.of_json, name, value),
        )
    assert get_origin(hint) is tuple, f"{hint} has a JSON form"
    inner = _form(get_args(hint)[0])
    return _Plain(
        lambda values: [inner.as_json(each) for each in values],
        lambda name, value: tuple(inner.of_json(name, each) for each in items(name, value)),
    )


@lru_cache(maxsize=64)
def _parts(kind: Any) -> tuple[tuple[str, Form, bool], ...]:
    hints = get_type_hints(kind)
    return tuple(
        (field.name, field.metadata.get(FORM) or _form(hints[field.name]), "left_out" in field.metadata)
        for field in fields(kind)
    )

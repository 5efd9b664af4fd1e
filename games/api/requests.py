"""Reading what programs send, strictly.

Knows: JSON, the fields of every request, their types.  Must not know: what is done with them, nor who sent them.
Whatever is not exactly a request is refused here as `Malformed`, before anybody asks for a key.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import IO, Any, NoReturn

from django.http import QueryDict
from rest_framework.parsers import JSONParser

from games.log import changes_from_json
from games.models import Mode, Role
from games.rules import Key as ActionKey
from games.rules import from_json
from games.rules.actions import Action
from games.rules.errors import Malformed, MissingField, UnknownField, WrongType
from games.rules.replay import Change, InsertAction
from games.rules.ruleset import OPTION_NAMES
from games.services import LONGEST_REQUEST_ID, Request

DEEPEST = 12
"""Levels of objects and lists; the deepest request, an amendment, has five."""

LARGEST_NUMBER = 2**53 - 1
"""Beyond this JSON readers disagree about whole numbers."""

BOT_LEVELS = ("easy", "strong")
FORMATS = ("json", "csv")

BOOLEAN_OPTIONS = {"must_trump_when_void", "start_row"}
OPTIONS_THAT_MAY_BE_NULL = {"three_player_removal"}


# --- JSON ---


class StrictJSONParser(JSONParser):
    """JSON in UTF-8 that every database and every reader of our answers can carry.

    A `JSONParser` by name, because only to those does DRF hand a body whose size Django has checked.
    """

    def parse(self, stream: IO[bytes], media_type: str | None = None, parser_context: Any = None) -> object:
        try:
            document = json.loads(
                stream.read().decode(), parse_int=_whole, parse_float=_fraction, parse_constant=_refuse_constant
            )
        except UnicodeDecodeError as error:
            raise Malformed(problem="it is not UTF-8") from error
        except RecursionError as error:
            raise Malformed(problem="it is nested too deeply") from error
        except ValueError as error:
            raise Malformed(problem=f"it is no JSON ({error})") from error
        _check(document)
        return document


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
        return _text(name, self.required(name))

    def optional_text(self, name: str) -> str | None:
        value = self.optional(name)
        return None if value is None else _text(name, value)

    def choice(self, name: str, choices: Sequence[str]) -> str:
        return _choice(name, self.required(name), choices)

    def optional_choice(self, name: str, choices: Sequence[str]) -> str | None:
        value = self.optional(name)
        return None if value is None else _choice(name, value, choices)

    def optional_number(self, name: str) -> int | None:
        value = self.optional(name)
        return None if value is None else _number(name, value)

    def optional_count(self, name: str) -> int | None:
        """A number from 0 on."""
        number = self.optional_number(name)
        if number is not None and number < 0:
            raise WrongType(field=name, expected="a whole number from 0 on")
        return number

    def flag(self, name: str) -> bool:
        value = self.optional(name)
        if not isinstance(value, bool | None):
            raise WrongType(field=name, expected="true or false")
        return bool(value)

    def optional_texts(self, name: str) -> list[str] | None:
        value = self.optional(name)
        return None if value is None else [_text(name, each) for each in _list(name, value)]

    def writing(self) -> Request:
        """What every write may carry: the version that was seen, and an id of its own."""
        request_id = self.optional_text("request_id")
        if request_id is not None and not 1 <= len(request_id) <= LONGEST_REQUEST_ID:
            raise WrongType(field="request_id", expected=f"a text of 1 to {LONGEST_REQUEST_ID} characters")
        return Request(version=self.optional_count("version"), request_id=request_id, body=dict(self._value))

    def refuse_others(self) -> None:
        for name in self._value:
            if name not in self._taken:
                raise UnknownField(action=self._of, field=str(name))


def _text(name: str, value: object) -> str:
    if not isinstance(value, str):
        raise WrongType(field=name, expected="a text")
    return value


def _number(name: str, value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise WrongType(field=name, expected="a whole number")
    return value


def _list(name: str, value: object) -> list[object]:
    if not isinstance(value, list):
        raise WrongType(field=name, expected="a list")
    return value


def _choice(name: str, value: object, choices: Sequence[str]) -> str:
    if value not in choices:
        raise WrongType(field=name, expected=" or ".join(f"“{choice}”" for choice in choices))
    return str(value)


# --- the requests ---


@dataclass(frozen=True)
class NewGame:
    """A table to open.  `wants_bots`, `wants_group`: something that this server may not offer."""

    mode: str
    preset: str
    options: Mapping[str, object]
    names: Sequence[str]
    tokens: Sequence[str | None]
    dealer: int
    wants_bots: bool
    wants_group: bool


def new_game(document: object) -> NewGame:
    """Read `POST /games/`."""
    fields = Fields(document)
    players = [Fields(each, of="player") for each in _list("players", fields.required("players"))]
    bots = [player.optional_choice("bot", BOT_LEVELS) for player in players]
    asked = NewGame(
        mode=fields.choice("mode", Mode.values),
        preset=fields.text("preset"),
        options=_options(fields.optional("options")),
        names=[player.text("name") for player in players],
        tokens=[player.optional_text("token") for player in players],
        dealer=fields.optional_number("dealer") or 0,
        wants_bots=any(bots),
        wants_group=fields.optional_text("group") is not None,
    )
    for each in (fields, *players):
        each.refuse_others()
    return asked


def _options(value: object) -> Mapping[str, object]:
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise WrongType(field="options", expected="an object")
    for name in OPTION_NAMES:
        if name in value:
            _check_option(name, value[name])
    return value


def _check_option(name: str, value: object) -> None:
    if name == "rounds":
        _number(name, value)
    elif name in BOOLEAN_OPTIONS:
        if not isinstance(value, bool):
            raise WrongType(field=name, expected="true or false")
    elif value is not None or name not in OPTIONS_THAT_MAY_BE_NULL:
        _text(name, value)


@dataclass(frozen=True)
class Recording:
    """An action to write down.  `seat`: who acts, if the sender wants to have that checked."""

    action: Action
    seat: int | None
    writing: Request


def recording(document: object) -> Recording:
    """Read `POST /games/{id}/actions/`."""
    fields = Fields(document)
    asked = Recording(from_json(fields.required("action")), fields.optional_count("seat"), fields.writing())
    fields.refuse_others()
    return asked


@dataclass(frozen=True)
class Undoing:
    """How far to go back; `to_seq` is None for one step."""

    to_seq: int | None
    writing: Request


def undoing(document: object) -> Undoing:
    """Read `POST /games/{id}/undo/`."""
    fields = Fields(document)
    asked = Undoing(fields.optional_count("to_seq"), fields.writing())
    fields.refuse_others()
    return asked


@dataclass(frozen=True)
class Amending:
    """Corrections to make, or only to look at."""

    changes: tuple[Change, ...]
    preview: bool
    writing: Request


def amending(document: object) -> Amending:
    """Read `POST /games/{id}/amend/`."""
    fields = Fields(document)
    changes = changes_from_json(fields.required("changes"))
    for key in (_key_of(change) for change in changes):
        if min(key.seq, key.part) < 0:
            raise WrongType(field="changes", expected="a list of corrections whose entries are numbered from 0 on")
    asked = Amending(changes, fields.flag("preview"), fields.writing())
    fields.refuse_others()
    return asked


def _key_of(change: Change) -> ActionKey:
    return change.after if isinstance(change, InsertAction) else change.key


@dataclass(frozen=True)
class SettingUp:
    """What to put right in the set-up: None is left as it is."""

    names: Sequence[str] | None
    tokens: Sequence[str] | None
    dealer: int | None
    rounds: int | None
    preview: bool
    writing: Request

    @property
    def corrections(self) -> dict[str, Any]:
        return {"names": self.names, "tokens": self.tokens, "dealer": self.dealer, "rounds": self.rounds}


def setting_up(document: object) -> SettingUp:
    """Read `POST /games/{id}/setup/`."""
    fields = Fields(document)
    asked = SettingUp(
        names=fields.optional_texts("names"),
        tokens=fields.optional_texts("tokens"),
        dealer=fields.optional_number("dealer"),
        rounds=fields.optional_number("rounds"),
        preview=fields.flag("preview"),
        writing=fields.writing(),
    )
    fields.refuse_others()
    if all(value is None for value in asked.corrections.values()):
        raise Malformed(problem="a correction needs one of names, tokens, dealer, rounds")
    return asked


def writing(document: object) -> Request:
    """Read a request that says nothing but its version and its id (`lock`, `reopen`)."""
    fields = Fields(document)
    asked = fields.writing()
    fields.refuse_others()
    return asked


def nothing(document: object) -> None:
    """Read a request that has nothing to say (`rematch`)."""
    Fields(document).refuse_others()


def inviting(document: object) -> Role:
    """Read `POST /games/{id}/invites/`."""
    fields = Fields(document)
    role = fields.choice("role", Role.values)
    fields.refuse_others()
    return Role(role)


@dataclass(frozen=True)
class Joining:
    """An invitation, by its code or its token (the other is empty), and what to call the bearer."""

    code: str
    token: str
    name: str


def joining(document: object) -> Joining:
    """Read `POST /join/`."""
    fields = Fields(document)
    code, token, name = (fields.optional_text(each) or "" for each in ("code", "token", "name"))
    fields.refuse_others()
    if bool(code) == bool(token):
        raise Malformed(problem="joining takes either a code or a token")
    return Joining(code, token, name)


# --- the parameters of addresses ---


def after(query: QueryDict) -> int:
    """Read `?after=`."""
    text = query.get("after", "0")
    if not (text.isascii() and text.isdigit() and len(text) <= 16):
        raise WrongType(field="after", expected="a whole number from 0 on")
    return int(text)


def sheet_format(query: QueryDict) -> str:
    """Read `?format=`."""
    return _choice("format", query.get("format", FORMATS[0]), FORMATS)

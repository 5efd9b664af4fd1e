"""The base of the pages' forms, their fields, and what every form says about its own request."""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import ClassVar

from django import forms
from django.core.exceptions import ValidationError
from django.http import HttpRequest, QueryDict

from games.errors import headers_of, status_of
from games.log.ledger import Ledger
from games.rules import NjetError
from games.rules.errors import NameMissing, NameTooLong, NameTwice, TokenTwice, UnknownDealer, UnknownToken, WrongType
from games.rules.text import clean_line
from games.services.write import WriteRequest
from games.texts import refusals

LONGEST_NUMBER = 16
NOT_PART_OF_A_REQUEST = {"csrfmiddlewaretoken", "version", "request_id"}


# --- what a form says about its request ---


def request_of(data: QueryDict) -> WriteRequest:
    """What a form says about itself.  Sent twice, it has the same id and takes effect once."""
    version = data.get("version")
    body: dict[str, object] = {name: data.getlist(name) for name in data if name not in NOT_PART_OF_A_REQUEST}
    return WriteRequest(
        version=whole_number("version", version) if version else None,
        request_id=(data.get("request_id") or "")[:64] or None,
        body=body,
    )


def new_request_id() -> str:
    """An id for the next form: 128 random bits."""
    return secrets.token_hex(16)


def form_context(ledger: Ledger) -> dict[str, object]:
    """What the template of a form that changes a game reads: which game, the version it shows, the id of the form."""
    return {"game_id": ledger.game_id, "version": ledger.version, "request_id": new_request_id()}


def form_id(data: QueryDict) -> str | None:
    """The id of a form that makes something new, None unless it looks like one of ours."""
    sent = data.get("request_id", "")
    return sent if re.fullmatch("[0-9a-f]{32}", sent) else None


def once_of(request: HttpRequest) -> str | None:
    """What identifies a form that is sent twice: the secret of the browser's CSRF cookie and the id of the form."""
    secret, form = request.META.get("CSRF_COOKIE"), form_id(request.POST)
    return f"{secret} {form}" if secret and form else None


# --- reading fields ---


def whole_number(name: str, text: str | None) -> int:
    """A number typed into a form, also with the typographic minus.

    Errors: `WrongType`.
    """
    digits = (text or "").strip().replace("−", "-")
    # A number of thousands of digits can be read, but a sum of two such can no longer be written.
    if len(digits) <= LONGEST_NUMBER:
        with suppress(ValueError):
            return int(digits)
    raise WrongType(field=name, expected="whole_number")


def optional_number(name: str, text: str | None) -> int | None:
    """A number, or None for an empty field.

    Errors: `WrongType`.
    """
    return whole_number(name, text) if (text or "").strip() else None


class Refused(ValidationError):
    """A refusal of the application or its rules, as the error of a field or form."""

    def __init__(self, refusal: NjetError, sentence: str = "") -> None:
        super().__init__(sentence or refusals.error_sentence(refusal), code=refusal.code)
        self.refusal = refusal


class TextField(forms.CharField):
    """A text as it was typed: whether it may stand, the rules and services decide."""

    def __init__(self, *, initial: object = "") -> None:
        super().__init__(required=False, strip=False, initial=initial)
        # What cannot be stored is refused by the service, in the words of the application.
        self.validators = []

    def bound_data(self, data: str | None, initial: object) -> object:
        """What the field shows: what was typed, or its initial value if the request does not contain it."""
        return initial if data is None else data


class NumberField(TextField):
    """A whole number.  `name`: what a refusal calls it; `optional`: an empty field is None."""

    def __init__(self, name: str, *, optional: bool = False, initial: str = "") -> None:
        super().__init__(initial=initial)
        self.name = name
        self.optional = optional

    def clean(self, value: str | None) -> int | None:
        """The number.  Errors: `Refused`."""
        try:
            return optional_number(self.name, value) if self.optional else whole_number(self.name, value)
        except WrongType as error:
            raise Refused(error) from error


class Form(forms.Form):
    """A form whose errors are refusals, each at the field that it is about.

    `about`: the field that a refusal is about, by its code.  `names`: the players at the table, for the sentences.
    """

    about: ClassVar[Mapping[str, str]] = {}
    names: Sequence[str] = ()

    @property
    def refusal(self) -> NjetError | None:
        """The first refusal: it decides the status of the page."""
        errors = (error for errors in self.errors.as_data().values() for error in errors)
        return next((error.refusal for error in errors if isinstance(error, Refused)), None)

    @property
    def status(self) -> int:
        """The HTTP status of the page that shows this form."""
        return 200 if self.refusal is None else status_of(self.refusal)

    def typed(self, name: str) -> str:
        """What a field holds: as it was typed, else as it was before."""
        return str(self.data.get(name, self.get_initial_for_field(self.fields[name], name)))

    @property
    def headers(self) -> dict[str, str]:
        """The headers of the page that shows this form."""
        return {} if self.refusal is None else headers_of(self.refusal)

    @property
    def refused(self) -> str:
        """The refusal that is about no field."""
        return " ".join(map(str, self.non_field_errors())) if self.is_bound else ""

    @property
    def first_invalid(self) -> str | None:
        """The first field with an error: it gets the focus."""
        return next((name for name in self.fields if name in self.errors), None) if self.is_bound else None

    def refuse(self, refusal: NjetError) -> None:
        """Show a refusal at the field that it is about, else above the form."""
        field = self.field_about(refusal)
        self.add_error(field if field in self.fields else None, Refused(refusal, self.sentence(refusal)))

    def sentence(self, refusal: NjetError) -> str:
        """A refusal in words."""
        return refusals.error_sentence(refusal, self.names)

    def field_about(self, refusal: NjetError) -> str | None:
        """The field that a refusal is about, None if it is about none or several."""
        named = refusal.params.get("field")
        return self.about.get(refusal.code) or (named if isinstance(named, str) else None)

    def refusals(self, *, passing: tuple[type[NjetError], ...] = ()) -> _Refusals:
        """A block whose refusals this form shows, all but those of the classes `passing`."""
        return _Refusals(self, passing)

    def require_valid(self) -> None:
        """Pass the first refusal on: for forms of buttons, which have no field to show it at.

        Errors: those of the fields.
        """
        if not self.is_valid() and self.refusal is not None:
            raise self.refusal


@dataclass(frozen=True)
class _Refusals:
    form: Form
    passing: tuple[type[NjetError], ...]

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, traceback: object) -> bool:
        if not isinstance(error, NjetError) or isinstance(error, self.passing):
            return False
        self.form.refuse(error)
        return True


class SeatsForm(Form):
    """A form with a name and a token for each seat: `name-0`, `token-0`, and so on."""

    def add_seats(self, places: int, names: Sequence[str] = (), tokens: Sequence[str] = ()) -> None:
        """Add the fields of a number of places, with their initial values."""
        for index in range(places):
            self.fields[f"name-{index}"] = TextField(initial=names[index] if names else "")
            self.fields[f"token-{index}"] = TextField(initial=tokens[index] if tokens else "")

    def field_about(self, refusal: NjetError) -> str | None:
        """The field of the seat that a refused set-up is about; of two that are alike, the second."""
        match refusal:
            case NameMissing():
                return self._last("name", lambda text: not text)
            case NameTooLong() | NameTwice():
                name = str(refusal.params["name"]).casefold()
                return self._last("name", lambda text: text.casefold() == name)
            case UnknownToken() | TokenTwice():
                return self._last("token", lambda text: text == refusal.params["token"])
            case UnknownDealer():
                return "dealer"
        return super().field_about(refusal)

    def _last(self, kind: str, is_meant: Callable[[str], bool]) -> str | None:
        fields = [name for name in self.fields if name.startswith(f"{kind}-")]
        return next((name for name in reversed(fields) if is_meant(clean_line(self.data.get(name, "")))), None)

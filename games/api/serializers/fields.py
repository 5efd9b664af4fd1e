"""Fields and a serializer that read strictly: nothing is converted, and the first error is answered with its code."""

# drf-spectacular leaves the methods that are called and overridden here without annotations.
# mypy: disallow-untyped-calls=False

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from functools import cache, cached_property, partial
from types import MappingProxyType
from typing import Any, ClassVar, NoReturn, TypeVar

from django.core.exceptions import ValidationError as DjangoValidationError
from django.core.validators import ProhibitNullCharactersValidator
from drf_spectacular.extensions import OpenApiSerializerFieldExtension
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import Direction
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.validators import ProhibitSurrogateCharactersValidator
from rest_framework_dataclasses.serializers import DataclassSerializer

from games.formats.strict_json import LARGEST_NUMBER
from games.log import times
from games.rules.errors import MissingField, UnknownField, WrongType
from games.rules.ruleset import MOST_PLAYERS
from games.services.write import LONGEST_REQUEST_ID, WriteRequest

LAST_SEAT = MOST_PLAYERS - 1

AnyField = serializers.Field[Any, Any, Any, Any]

OPTIONAL: dict[str, Any] = {"default": None, "allow_null": True}
"""A field of a request that may be left out, which is the same as null."""


class Strict(AnyField):
    """A field that raises `WrongType` or `MissingField` at the first error instead of collecting errors."""

    expected = ""
    """The key of the expected type (`WrongType.templates`)."""

    limits: Mapping[str, object] = MappingProxyType({})
    """More parameters for that template."""

    def fail(self, key: str, **kwargs: Any) -> NoReturn:
        if key == "required":
            raise MissingField(action=getattr(self.parent, "called", "request"), field=str(self.field_name))
        # An item of a list is refused by the name of the list.
        name = self.field_name or getattr(self.parent, "field_name", "") or getattr(self, "called", "request")
        raise WrongType(field=str(name), expected=self.expected, **self.limits)

    def run_validators(self, value: Any) -> None:
        try:
            super().run_validators(value)
        except (ValidationError, DjangoValidationError):
            self.fail("invalid")


class Text(Strict, serializers.CharField):
    """A string, as it is sent."""

    expected = "text"

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**{"trim_whitespace": False, "allow_blank": True, **kwargs})
        # Bodies are refused with such characters, and an id with them in an address identifies nothing.
        prohibiting = (ProhibitNullCharactersValidator, ProhibitSurrogateCharactersValidator)
        self.validators = [each for each in self.validators if not isinstance(each, prohibiting)]

    def to_internal_value(self, data: Any) -> str:
        return data if isinstance(data, str) else self.fail("invalid")


class RequestId(Text):
    """An id that a sender gives its own request."""

    expected = "text_of_limited_length"
    limits = MappingProxyType({"most": LONGEST_REQUEST_ID})

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**{"min_length": 1, "max_length": LONGEST_REQUEST_ID, "allow_blank": False, **kwargs})

    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str):
            raise WrongType(field=str(self.field_name), expected=Text.expected)
        return data


class Whole(Strict, serializers.IntegerField):
    """A whole number; true and false are refused."""

    expected = "whole_number"

    def to_internal_value(self, data: Any) -> int:
        return self.fail("invalid") if isinstance(data, bool) or not isinstance(data, int) else data


class Count(Whole):
    """A whole number from 0 on."""

    expected = "count"

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**{"min_value": 0, "max_value": LARGEST_NUMBER, **kwargs})

    def to_internal_value(self, data: Any) -> int:
        if isinstance(data, bool) or not isinstance(data, int):
            raise WrongType(field=str(self.field_name), expected=Whole.expected)
        return data


class Ruled(Strict):
    """A field whose limits are described here and checked by the rules, which refuse with codes of their own."""

    def run_validators(self, value: Any) -> None:
        """Leave it to the rules."""


class RuledWhole(Ruled, Whole):
    """A whole number within limits."""


class SeatNumber(Ruled, Whole):
    """A seat; the rules refuse one that a table does not have."""

    expected = Count.expected

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**{"min_value": 0, "max_value": LAST_SEAT, **kwargs})

    def run_validators(self, value: Any) -> None:
        if value < 0:
            self.fail("invalid")


class Name(Ruled, Text):
    """A name.  The rules count its characters after they have removed some of them."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**{"allow_blank": False, "min_length": 1, **kwargs})

    def run_validation(self, data: Any = serializers.empty) -> Any:
        # `CharField` refuses an empty text itself.
        return serializers.Field.run_validation(self, data)


class UtcTime(Strict, serializers.DateTimeField):
    """A time with its zone."""

    expected = "time_in_utc"

    def to_internal_value(self, data: Any) -> Any:
        return times.to_json(times.from_json(str(self.field_name), data))


class Day(Strict, serializers.DateField):
    """A day, like `2026-11-21`."""

    expected = "day"

    def to_internal_value(self, data: Any) -> Any:
        return super().to_internal_value(data) if isinstance(data, str) else self.fail("invalid")


class Flag(Strict, serializers.BooleanField):
    """true or false."""

    expected = "boolean"

    def to_internal_value(self, data: Any) -> bool:
        return data if isinstance(data, bool) else self.fail("invalid")


class Choice(Strict, serializers.ChoiceField):
    """One of some texts."""

    expected = "one_of"

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.limits = {"allowed": list(self.choices)}

    def to_internal_value(self, data: Any) -> str:
        return str(data) if isinstance(data, str) and data in self.choices else self.fail("invalid_choice")


class List(Strict, serializers.ListField):
    """A list."""

    expected = "list"


class RuledList(Ruled, List):
    """A list whose length is within limits."""


class StrictSerializer(Strict, serializers.Serializer[Any]):
    """An object with exactly its own fields.  `called`: what refusals call it."""

    expected = "object"
    called: ClassVar[str] = "request"

    @cached_property
    def fields(self) -> Any:
        # Share the fields between requests; they hold no state.
        return _fields_of(type(self))

    def to_internal_value(self, data: Any) -> Any:
        if not isinstance(data, Mapping):
            raise WrongType(field=self.called, expected=self.expected)
        read = super().to_internal_value(data)
        for name in data:
            if name not in self.fields:
                self.refuse_field(str(name))
        return read

    def refuse_field(self, name: str) -> None:
        """Refuse a field that the serializer does not have."""
        raise UnknownField(action=self.called, field=name)


@cache
def _fields_of(kind: type[StrictSerializer]) -> Any:
    return super(StrictSerializer, kind()).fields


class WriteRequestSerializer(StrictSerializer):
    """A request to change a game, without fields of its own; the base of those with more."""

    version = Count(**OPTIONAL, help_text="The version that the sender saw; left out, the race decides.")
    request_id = RequestId(
        **OPTIONAL, help_text="An id of the sender's own: sending the same request again does nothing twice."
    )

    @property
    def writing(self) -> WriteRequest:
        """The version and the id of the request, and everything that the id stands for."""
        asked = self.validated_data
        return WriteRequest(version=asked["version"], request_id=asked["request_id"], body=dict(self.initial_data))


CREATION_ID = (
    "An id of the sender's own, with which a lost answer is given again: the same request with this id creates "
    "nothing twice and is answered with the same keys, for an hour. An id belongs to the key of the request, without "
    "one to the address that it comes from. Make it random, because it leads to the keys."
)


class CreationRequestSerializer(StrictSerializer):
    """A request that creates something, without fields of its own; the base of those with more."""

    request_id = RequestId(**OPTIONAL, help_text=CREATION_ID)


class EmptyRequestSerializer(StrictSerializer):
    """A request without fields."""


# --- answers and their fields ---


class Answer(serializers.Serializer[Any]):
    """An object of an answer."""


class DataclassAnswer(DataclassSerializer[Any]):
    """An object of an answer with the fields of a dataclass, in their order, and then its own."""

    def get_field_names(self) -> list[str]:
        order = list(self.dataclass_definition.fields)
        return sorted(super().get_field_names(), key=lambda name: order.index(name) if name in order else len(order))

    @property
    def serializer_dataclass_field(self) -> type[AnyField]:
        return DataclassAnswer

    def get_fields(self) -> dict[str, AnyField]:
        fields: dict[str, AnyField] = super().get_fields()
        for each in fields.values():
            # A default is for who builds one; an answer has every field.
            each.required = True
        return fields


class Timestamp(serializers.DateTimeField):
    """A time in ISO 8601, UTC, in whole seconds."""

    timezone = UTC

    def to_representation(self, value: datetime) -> Any:
        return super().to_representation(value.replace(microsecond=0))


Seat = partial(serializers.IntegerField, min_value=0, max_value=LAST_SEAT)
"""A seat, from 0 on."""

Number = partial(serializers.IntegerField, min_value=0)
"""A number of things: 0 or more."""

First = partial(serializers.IntegerField, min_value=1)
"""A number that counts from 1 on."""

Card = partial(serializers.RegexField, r"^(red|black|blue|yellow|green)-([0-9]|1[0-3])$")
"""A card, like `red-7`."""


class ListOf(serializers.ListField):
    """A list of such items, which are written as they are."""

    def __init__(self, child: AnyField, **kwargs: Any) -> None:
        super().__init__(child=child, **kwargs)


class AsIs(AnyField):
    """A field of an answer that is JSON already."""

    def to_representation(self, value: Any) -> Any:
        return value


class Computed(AnyField):
    """A field of an answer that a function gives; it is written and described by another field.

    Where the function raises `SkipField` the answer has no such field.
    """

    def __init__(self, field: AnyField, value: Callable[[Any], Any], **kwargs: Any) -> None:
        super().__init__(source="*", **kwargs)
        self.field, self.value = field, value

    def get_attribute(self, instance: Any) -> Any:
        return self.value(instance)

    def to_representation(self, value: Any) -> Any:
        return self.field.to_representation(value)


class ComputedSchema(OpenApiSerializerFieldExtension):
    """The description of a computed field."""

    target_class = Computed

    def map_serializer_field(self, auto_schema: AutoSchema, direction: Direction) -> dict[str, Any]:
        described: dict[str, Any] = auto_schema._map_serializer_field(self.target.field, direction)
        auto_schema._insert_field_validators(self.target.field, described)
        return described


Asked = TypeVar("Asked", bound=StrictSerializer)


def read(serializer: type[Asked], data: object) -> Asked:
    """A request, validated.

    Errors: `Malformed` and its subclasses.
    """
    asked = serializer(data=data)
    asked.is_valid(raise_exception=True)
    return asked

"""Actions, read by the rules' own codec and described by the fields of their dataclasses."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import fields
from enum import EnumType
from functools import partial
from types import NoneType, UnionType
from typing import Any, Union, cast, get_args, get_origin, get_type_hints

from drf_spectacular.utils import PolymorphicProxySerializer, extend_schema_field
from rest_framework import serializers

from games.api.serializers.fields import Answer, AnyField, AsIs, ListOf, Number, Seat, Strict
from games.api.serializers.fields import Card as CardField
from games.bots import LEVELS
from games.rules.actions import KINDS, Action, Cards, Claim, Deal, Hidden, from_json, to_json
from games.rules.cards import Card
from games.rules.editions import EDITIONS, RowKey
from games.rules.public import LARGEST_PENALTY, LONGEST_REASON

SerializerClass = type[serializers.Serializer[Any]]
SerializersByType = dict[str, serializers.Serializer[Any] | type[serializers.Serializer[Any]]]


def component_name(kind: str, what: str) -> str:
    return f"{kind.title().replace('_', '')}{what}"


MOST_CARDS = max(sum(edition.copies) * len(edition.suits) for edition in EDITIONS.values())

NUMBERS: dict[str, Callable[..., AnyField]] = {
    "points": partial(serializers.IntegerField, min_value=-LARGEST_PENALTY, max_value=LARGEST_PENALTY),
    "tricks": partial(Number, max_value=MOST_CARDS),
    "captured": partial(Number, max_value=MOST_CARDS),
}
"""The fields for whole numbers that are no seats."""


def _field_of(name: str, hint: Any, **kwargs: Any) -> AnyField:
    """The field for a type that occurs in an action."""
    inner = [each for each in get_args(hint) if each is not NoneType]
    if hint == Cards:
        return ListOf(CardField(), **kwargs)
    if get_origin(hint) in (Union, UnionType):
        return _field_of(name, inner[0], allow_null=True, **kwargs)
    if get_origin(hint) is tuple:
        return ListOf(_field_of(name, inner[0]), **kwargs)
    if isinstance(hint, EnumType):
        return serializers.ChoiceField([str(member) for member in cast("type[RowKey]", hint)], **kwargs)
    if hint is int:
        return NUMBERS.get(name, Seat)(**kwargs)
    plain: dict[Any, Callable[..., AnyField]] = {str: serializers.CharField, Card: CardField}
    return plain[hint](**kwargs)


def _serializer_of(action: type[Action]) -> SerializerClass:
    """A serializer with the type and the fields of an action."""
    kind, all_hints = action.kind, get_type_hints(action)
    hints = {field.name: all_hints[field.name] for field in fields(action)}
    optional = {field.name for field in fields(action) if field.metadata.get("left_out")}
    declared = {name: _field_of(name, hint, required=name not in optional) for name, hint in hints.items()}
    body = {"__doc__": inspect.getdoc(action), "type": serializers.ChoiceField([kind]), **declared}
    return type(f"{component_name(kind, 'Action')}Serializer", (Answer,), body)


ACTIONS: SerializersByType = {
    kind: _serializer_of(action) for kind, action in KINDS.items() if action not in (Deal, Claim)
}
"""What a program may send, by type."""


@extend_schema_field(PolymorphicProxySerializer("Action", ACTIONS, "type"))
class ActionField(Strict, AnyField):
    """An action; the rules read and write it."""

    expected = "object"

    def to_internal_value(self, data: Any) -> Any:
        return from_json(data)

    def to_representation(self, value: Any) -> Any:
        return to_json(value)


# --- what logs hold besides ---


class DealActionSerializer(Answer):
    """The cards are dealt."""

    type = serializers.ChoiceField(["deal"])
    hands = ListOf(ListOf(CardField(), allow_null=True), help_text="By seat; null: face down.")
    counts = ListOf(Number())
    seed = serializers.CharField(required=False, help_text="The source of the hands; only once the game is over.")
    commitment = serializers.CharField(required=False, help_text="The hash of game, round and seed.")


def _hidden(kind: str) -> SerializerClass:
    body = {
        "__doc__": "Cards that another player chose, face down.",
        "type": serializers.ChoiceField([kind]),
        "cards": NullField(),
        **{field.name: Number() for field in fields(Hidden)},
    }
    return type(f"Hidden{component_name(kind, '')}Serializer", (Answer,), body)


@extend_schema_field({"type": "null"})
class NullField(AsIs):
    """A field that is always null."""


LOGGED: list[serializers.Serializer[Any] | SerializerClass] = [
    *ACTIONS.values(),
    DealActionSerializer,
    _serializer_of(Claim),
    *(_hidden(kind) for kind in ("discard", "pass")),
]


@extend_schema_field(PolymorphicProxySerializer("LoggedAction", LOGGED, None))
class LoggedActionField(AsIs):
    """An action as it is written in the log, as the reader may see it."""


# --- what is legal: an action, or one whose numbers are free within bounds ---


class RangeSerializer(Answer):
    """The least and the most."""

    least = serializers.IntegerField()
    most = serializers.IntegerField()


class ReasonBoundsSerializer(Answer):
    longest = serializers.ChoiceField([LONGEST_REASON])


class MisdealBoundsSerializer(Answer):
    reason = ReasonBoundsSerializer()


class ConditionsBoundsSerializer(Answer):
    """The spaces of each row that are still open."""

    start = ListOf(serializers.CharField(), required=False)
    discard = ListOf(serializers.CharField())
    trump = ListOf(serializers.CharField())
    supertrump = ListOf(serializers.CharField())
    points = ListOf(serializers.CharField())


class TrickBoundsSerializer(Answer):
    winner = ListOf(Seat(), help_text="The seats that can have won the trick.")
    captured = ListOf(RangeSerializer(), help_text="By seat: how many cards that winner can have captured.")


class TallyBoundsSerializer(Answer):
    tricks = Number(help_text="The sum of all tricks.")
    captured_per_trick = ListOf(Number(), help_text="By seat: the most captured cards in one trick.")
    captured = RangeSerializer(help_text="The possible sums of all captured cards.")


class PenaltyPointsSerializer(Answer):
    """Any number from `least` to `most`, except those in `not`."""

    least = serializers.ChoiceField([-LARGEST_PENALTY])
    most = serializers.ChoiceField([LARGEST_PENALTY])

    def get_fields(self) -> dict[str, AnyField]:
        return {**super().get_fields(), "not": ListOf(serializers.ChoiceField([0]))}


class PenaltyBoundsSerializer(Answer):
    seat = ListOf(Seat())
    points = PenaltyPointsSerializer()
    reason = ReasonBoundsSerializer()


class BotBoundsSerializer(Answer):
    """What the host of a digital game may do, at `seats/{seat}/bot/`; the level null gives a seat back."""

    seat = ListOf(Seat())
    level = ListOf(serializers.ChoiceField(LEVELS, allow_null=True))


TEMPLATES: SerializersByType = {
    kind: type(
        f"{component_name(kind, 'Template')}Serializer",
        (Answer,),
        {"type": serializers.ChoiceField([kind]), "bounds": bounds()},
    )
    for kind, bounds in {
        "conditions": ConditionsBoundsSerializer,
        "trick": TrickBoundsSerializer,
        "tally": TallyBoundsSerializer,
        "void_round": MisdealBoundsSerializer,
        "penalty": PenaltyBoundsSerializer,
        "bot": BotBoundsSerializer,
    }.items()
}


@extend_schema_field(PolymorphicProxySerializer("LegalAction", {**ACTIONS, **TEMPLATES}, "type"))
class LegalActionField(AsIs):
    """An action that may be sent as it is, or one whose numbers are free within bounds."""

"""The shape of every refusal."""

from __future__ import annotations

from drf_spectacular.utils import PolymorphicProxySerializer
from rest_framework import serializers

from games.api.serializers.fields import Answer, AnyField, Number
from games.api.serializers.state import StateSerializer
from games.errors import ApplicationError, StaleVersion

CONFLICTS = sorted(
    error.code for error in ApplicationError.__subclasses__() if error.status == 409 and error is not StaleVersion
)


class ErrorBodySerializer(Answer):
    """The code of a refusal, a sentence in English, and what they are about."""

    code: AnyField = serializers.CharField()
    message = serializers.CharField()
    params: AnyField = serializers.DictField(help_text="Plain values; which ones depends on the code.")


class ErrorSerializer(Answer):
    """A refusal. Nothing has changed."""

    error = ErrorBodySerializer()


class FreshStateSerializer(Answer):
    """The present version and state."""

    version = Number()
    state = StateSerializer()


class StaleVersionBodySerializer(ErrorBodySerializer):
    """The version in the request is not the present one."""

    code = serializers.ChoiceField([StaleVersion.code])
    params = FreshStateSerializer()


class StaleVersionSerializer(Answer):
    """The game has moved on: the refusal brings the fresh state."""

    error = StaleVersionBodySerializer()


class OtherConflictBodySerializer(ErrorBodySerializer):
    """What is asked for is in conflict with what has happened since."""

    code = serializers.ChoiceField(CONFLICTS)


class OtherConflictSerializer(Answer):
    """A conflict other than a stale version."""

    error = OtherConflictBodySerializer()


CONFLICT = PolymorphicProxySerializer("Conflict", [StaleVersionSerializer, OtherConflictSerializer], None)

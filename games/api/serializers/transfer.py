"""Whole games, as they are exported and imported, and the set-up and corrections that logs contain."""

from __future__ import annotations

from drf_spectacular.utils import PolymorphicProxySerializer
from rest_framework import serializers

from games.api.serializers.fields import (
    OPTIONAL,
    Answer,
    CreationRequestSerializer,
    First,
    ListOf,
    Seat,
    Text,
    Timestamp,
)
from games.api.serializers.log import StoredSetupSerializer
from games.api.serializers.state import PlayedOnSerializer
from games.formats.document import FORMAT, SCHEMA
from games.formats.strict_json import LARGEST_NUMBER
from games.models import Mode
from games.services.write import LONGEST_REQUEST_ID


class StoredEntrySerializer(Answer):
    """An entry of a log, as it was written."""

    seq = First()
    at = Timestamp()
    kind = serializers.CharField()
    seat = Seat(allow_null=True)
    payload = serializers.DictField()


class FinalResultSerializer(Answer):
    """The result, by seat."""

    totals = ListOf(serializers.IntegerField())
    ranks = ListOf(First())
    winners = ListOf(Seat())


class GameDocumentSerializer(Answer):
    """The whole game, with its log."""

    format = serializers.ChoiceField([FORMAT])
    schema = serializers.ChoiceField([SCHEMA], help_text="Rises when the document changes its shape.")
    id = serializers.CharField(help_text="The id at the server that the game was played on.")
    group = serializers.CharField(allow_null=True, help_text="The name of the group.")
    played_on = PlayedOnSerializer(
        allow_null=True, help_text="A digital game whose first part is that of a finished one; null: it is all of one."
    )
    mode = serializers.ChoiceField(Mode.values)
    rules_version = First()
    created_at = Timestamp()
    finished_at = Timestamp(allow_null=True)
    locked_at = Timestamp(allow_null=True)
    setup = StoredSetupSerializer()
    log = ListOf(StoredEntrySerializer(), help_text="Every entry as it was written, also those that were undone.")
    result = FinalResultSerializer(required=False)


class BgStatsPlaySerializer(Answer):
    """A play for BG Stats."""

    document = serializers.DictField(help_text="The play as BG Stats reads it.")
    link = serializers.URLField(help_text="Opens BG Stats with the play.")


EXPORTED = PolymorphicProxySerializer("Exported", [GameDocumentSerializer, BgStatsPlaySerializer], None)


class NjetTextSerializer(CreationRequestSerializer):
    """The readable record."""

    njet = Text()
    group = Text(**OPTIONAL, help_text="The same as in the address.")


class GameToImportSerializer(Answer):
    """The document that `export/` gives."""

    format = serializers.ChoiceField([FORMAT])
    schema = serializers.ChoiceField([SCHEMA])
    mode = serializers.ChoiceField(Mode.values)
    rules_version = First(max_value=LARGEST_NUMBER)
    created_at = Timestamp()
    finished_at = Timestamp()
    setup = serializers.DictField()
    log = ListOf(serializers.DictField(), min_length=1)
    request_id = serializers.CharField(
        required=False, min_length=1, max_length=LONGEST_REQUEST_ID, help_text="The same as in the address."
    )


IMPORTED = PolymorphicProxySerializer("ImportRequest", [NjetTextSerializer, GameToImportSerializer], None)

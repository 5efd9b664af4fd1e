"""The presets: editions, options, allowed values, spaces and decks."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from games.api.serializers.actions import RangeSerializer
from games.api.serializers.fields import Answer, AnyField, AsIs, Card, Computed, ListOf, Number
from games.rules import DEFAULT_PRESET, PRESETS, Preset, RowKey, allowed_values
from games.rules.editions import EDITIONS, REMOVALS
from games.rules.options import NUMBERS, OPTIONS


class ByPlayersField(serializers.DictField):
    """A number for each number of players."""

    child = Number()


class EditionSerializer(Answer):
    """The cards and tokens of a printed game."""

    key = serializers.ChoiceField(list(EDITIONS))
    suits = ListOf(serializers.CharField())
    tokens = ListOf(serializers.CharField())
    capturable_rank = Number()
    capturable_cards = Number()


@extend_schema_field({"type": ["string", "boolean", "null"]})
class OptionValueField(AsIs):
    """A value of an option that is no number."""


class AllowedSerializer(Answer):
    """The possible values of each option."""

    def get_fields(self) -> dict[str, AnyField]:
        return {name: RangeSerializer() if name in NUMBERS else ListOf(OptionValueField()) for name in OPTIONS}


class RemovalSerializer(Answer):
    """Cards that may leave the deck with three players."""

    rank = Number(help_text="The lowest rank of them.")
    ranks = ListOf(Number())
    of_each_suit = Number(help_text="How many cards of each rank.")


class PresetSerializer(Answer):
    """An edition with its usual options."""

    preset = serializers.ChoiceField(list(PRESETS), source="key")
    source = serializers.CharField()  # type: ignore[assignment]  # a field with the name of an attribute
    default = Computed(serializers.BooleanField(), lambda preset: preset.key == DEFAULT_PRESET)
    edition = EditionSerializer()
    players = ListOf(Number(), source="player_counts", help_text="Possible numbers of players.")
    rounds = ByPlayersField(help_text="The default length, by number of players.")
    short_rounds = ByPlayersField(help_text="A short game, where the rule book has one.")
    options = serializers.DictField(
        child=OptionValueField(), source="defaults", help_text="The default values of the options but `rounds`."
    )
    allowed = Computed(
        AllowedSerializer(),
        lambda preset: {
            **allowed_values(preset.edition),
            **{name: {"least": numbers[0], "most": numbers[-1]} for name, numbers in NUMBERS.items()},
        },
    )
    spaces = Computed(
        serializers.DictField(child=ListOf(serializers.CharField())),
        lambda preset: _spaces(preset),
        help_text="By row, left to right; `start`: one for each seat.",
    )
    dealt = Computed(
        ByPlayersField(),
        lambda preset: {count: preset.edition.dealt[count] for count in preset.player_counts},
        help_text="Cards dealt to each player, by number of players.",
    )
    deck = Computed(ListOf(Card()), lambda preset: preset.edition.deck(players=max(preset.player_counts), removal=None))
    removals = Computed(
        serializers.DictField(child=RemovalSerializer()),
        lambda preset: {
            removal: {"rank": min(gone), "ranks": list(gone), "of_each_suit": gone[min(gone)]}
            for removal, gone in ((each, REMOVALS[each]) for each in preset.edition.removals)
        },
    )


def _spaces(preset: Preset) -> dict[str, list[object]]:
    known: dict[str, list[object]] = {
        row.value: [*preset.edition.spaces[row]] for row in RowKey if row in preset.edition.spaces
    }
    return {"start": list(range(max(preset.player_counts))), **known}

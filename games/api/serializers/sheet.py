"""The score sheet, from the rows that its file has too."""

from __future__ import annotations

from rest_framework import serializers

from games.api.serializers.fields import DataclassAnswer, Number, Seat
from games.api.serializers.state import ConditionsSerializer, MonsterField, TeamsField
from games.formats.sheet import SheetRow


class SheetRowSerializer(DataclassAnswer):
    """A player's round, or a penalty after a round; a penalty has no more than points, running total and reason,
    a line from paper no more than points and running total."""

    line = serializers.ChoiceField(["round", "penalty", "paper"])
    round = Number(help_text="A penalty: it was agreed after this round. A line of totals alone: 0.")
    seat = Seat()
    dealer = Seat(allow_null=True)
    conditions = ConditionsSerializer(allow_null=True)
    teams = TeamsField(allow_null=True)
    monster = MonsterField()
    raw = serializers.IntegerField(allow_null=True, help_text="The team score.")
    points = serializers.IntegerField(help_text="The points on the sheet.")
    confirmed = serializers.BooleanField(allow_null=True, help_text="The player's team has confirmed the points.")
    derivation = serializers.CharField(allow_null=True, help_text="How the points are made, in words.")

    class Meta:
        dataclass = SheetRow

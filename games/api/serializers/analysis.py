"""What the decisions of a seat in a finished digital game were worth."""

from __future__ import annotations

from rest_framework import serializers

from games.api.serializers.actions import ActionField
from games.api.serializers.fields import Answer, Number, Seat


class DecisionSerializer(Answer):
    """A decision, and what the strong bot would have done with the same view."""

    seq = Number(help_text="The entry of the log.")
    played = ActionField()
    best = ActionField(help_text="The same as `played` where nothing better was found.")
    difference = serializers.FloatField(
        min_value=0, help_text="By how many points of the game `best` was better on average."
    )
    error = serializers.FloatField(
        min_value=0, help_text="The standard error of the difference. Less than twice as much is within chance."
    )
    turning_point = serializers.BooleanField(help_text="One of the three decisions that cost most, beyond chance.")


class ExpectedSerializer(Answer):
    """The expected result of the round at a decision."""

    seq = Number(help_text="The entry of the log.")
    points = serializers.FloatField(
        help_text="The expected lead of the seat's team at the end of the round, in points."
    )


class AnalysisSerializer(Answer):
    """The decisions of a seat, oldest first."""

    seat = Seat()
    decisions = DecisionSerializer(many=True)
    expected = ExpectedSerializer(many=True)


class AnalysisProgressSerializer(Answer):
    """How far the computation is."""

    seat = Seat()
    done = Number(help_text="The number of judged decisions.")
    of = Number(help_text="The number of all decisions; 0 before the first is judged.")

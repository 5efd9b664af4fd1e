"""Figures of groups, players and pairs; the summaries are described by their own dataclasses."""

from __future__ import annotations

from rest_framework import serializers

from games.api.serializers.fields import Answer, DataclassAnswer, First, ListOf, Number, Timestamp
from games.api.serializers.groups import FAVOURITE, RatingSerializer
from games.groups.statistics.ratings import Shown
from games.groups.statistics.summary import GroupSummary, PairSummary, PlayerSummary, Rounds
from games.groups.statistics_queries import LATEST


class NamedPlayerSerializer(Answer):
    """A player of a group."""

    id = serializers.CharField()
    name = serializers.CharField()


class PlayerWithTokenSerializer(NamedPlayerSerializer):
    """A player of a group with their favourite token."""

    token = serializers.CharField(allow_null=True, help_text=FAVOURITE)


class RatedGameSerializer(DataclassAnswer):
    """The rating after a game."""

    game = serializers.CharField()
    at = Timestamp()
    streak = Number()

    class Meta:
        dataclass = Shown
        ref_name = "RatedGame"


class PartnerSerializer(DataclassAnswer):
    """The rounds of a player in one team with another."""

    player = serializers.CharField()
    name = serializers.CharField()

    class Meta:
        dataclass = Rounds
        ref_name = "Partner"


class CompanionSerializer(DataclassAnswer):
    """The games of a player at one table with another, together and against each other."""

    player = serializers.CharField()
    name = serializers.CharField()

    class Meta:
        dataclass = PairSummary
        ref_name = "Companion"


class PlayerStatisticsSerializer(DataclassAnswer):
    """Everything that is counted of a player."""

    player = PlayerWithTokenSerializer()
    merged_into = serializers.CharField(
        allow_null=True, help_text="Set where the requested id is an older one of the same person."
    )
    rating = RatingSerializer()
    streak = Number(help_text="Games won in a row up to now.")
    longest_streak = Number()
    ratings = ListOf(RatedGameSerializer(), max_length=LATEST, help_text="The latest rated games, the oldest first.")
    partners = ListOf(PartnerSerializer(), help_text="The most frequent first.")
    companions = ListOf(CompanionSerializer(), help_text="Everyone at the same tables, the most frequent first.")

    class Meta:
        dataclass = PlayerSummary
        ref_name = "PlayerStatistics"


class PairStatisticsSerializer(DataclassAnswer):
    """What is counted of two players."""

    players = ListOf(NamedPlayerSerializer(), min_length=2, max_length=2)

    class Meta:
        dataclass = PairSummary
        ref_name = "PairStatistics"


class StandingSerializer(Answer):
    """The results of a player in these games."""

    place = First(help_text="Players with as many wins and points share it.")
    player = serializers.CharField()
    name = serializers.CharField()
    games = Number()
    wins = Number()
    points = serializers.IntegerField(help_text="Of all these games together.")


class GroupStatisticsSerializer(DataclassAnswer):
    """What is counted of games of a group."""

    unrated = Number(help_text="Of all games, those that the ratings do not contain yet.")
    standings = ListOf(StandingSerializer(), help_text="Most games won first, then most points.")

    class Meta:
        dataclass = GroupSummary
        ref_name = "GroupStatistics"

"""Finished games and their rounds, as JSON and as rows of a file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from drf_spectacular.utils import PolymorphicProxySerializer, extend_schema_field
from rest_framework import serializers

from games.api.serializers.fields import (
    Answer,
    AnyField,
    Computed,
    First,
    ListOf,
    Number,
    Timestamp,
)
from games.api.serializers.fields import Seat as SeatField
from games.api.serializers.keys import LinksSerializer
from games.api.serializers.state import ConditionsSerializer, MonsterField, TeamsField
from games.formats.csv import flat_round, round_columns
from games.groups import history
from games.groups.statistics.facts import GameFacts, RoundFacts
from games.models import Game, Mode, Seat, Status, Stint
from games.rules import PRESETS
from games.rules.ruleset import FEWEST_PLAYERS, MOST_PLAYERS

ON_THE_SHEET = "As it is written on the sheet."
PLAYER_ID = "The player's id."

# --- games ---


class EarlierPlayerSerializer(Answer):
    """Who played for a seat before its player."""

    player = serializers.CharField(source="player_id", allow_null=True, help_text=PLAYER_ID)
    name = serializers.CharField(help_text=ON_THE_SHEET)
    until = First(help_text="Their last round.")


class ResultSeatSerializer(Answer):
    """A player's result."""

    seat = SeatField(source="number")
    player = serializers.CharField(source="player_id", allow_null=True, help_text=PLAYER_ID)
    name = serializers.CharField(help_text=ON_THE_SHEET)
    token = serializers.CharField()
    total = serializers.IntegerField()
    rank = serializers.IntegerField(min_value=1, max_value=MOST_PLAYERS)
    winner = serializers.BooleanField(source="is_winner")
    earlier = Computed(
        ListOf(EarlierPlayerSerializer()),
        lambda seat: [stint for stint in stints_of(seat.game) if stint.number == seat.number],
        help_text="Who played for the seat before, the earliest first; the result is that of the player.",
    )


class ResultSerializer(Answer):
    """A finished game."""

    id = serializers.CharField()
    mode = serializers.ChoiceField(Mode.values)
    preset = serializers.ChoiceField(list(PRESETS))
    players = serializers.IntegerField(min_value=FEWEST_PLAYERS, max_value=MOST_PLAYERS, help_text="How many.")
    created_at = Timestamp()
    finished_at = Timestamp()
    locked = Computed(
        serializers.BooleanField(),
        lambda game: game.locked_at is not None,
        help_text="The result was confirmed and no longer changes.",
    )
    rounds = Number(source="rounds_played", help_text="Complete ones.")
    from_paper = Computed(
        serializers.BooleanField(),
        lambda game: "paper" in game.setup,
        help_text="It was entered when it was over, with its totals alone.",
    )
    minutes = Number(allow_null=True, help_text="Of play, without pauses; null if unknown.")
    place = serializers.CharField()
    note = serializers.CharField()
    seasons = Computed(
        ListOf(serializers.CharField()),
        lambda game: [season.name for season in game.in_seasons],
        help_text="The names of the group's seasons that it was finished in, by days in UTC.",
    )
    shared = Computed(
        serializers.BooleanField(),
        lambda game: sum(seat.is_winner for seat in game.seats.all()) > 1,
        help_text="More than one player won.",
    )
    seats = ListOf(ResultSeatSerializer(), source="seats.all")
    links = LinksSerializer(source="id")


class ChangedResultSerializer(ResultSerializer):
    """A result as it is now; “playing”: it was reopened and is no longer counted."""

    finished_at = Timestamp(allow_null=True)
    change = First(help_text="Rises with every change of a result of the group.")
    status = serializers.ChoiceField(Status.values)


class LostResultSerializer(Answer):
    """A game that has left the group: it was deleted, or removed from the group."""

    id = serializers.CharField(source="game_id")
    change = First(source="number")
    status = Computed(serializers.ChoiceField(["gone"]), lambda change: "gone")


@extend_schema_field(PolymorphicProxySerializer("ResultChange", [ChangedResultSerializer, LostResultSerializer], None))
class ResultChangeField(AnyField):
    """A change of a result: it is finished, it is played again, or it has left the group."""

    def to_representation(self, value: history.Change) -> dict[str, Any]:
        if value.game is None:
            return dict(LostResultSerializer(value).data)
        result = ResultSerializer(value.game, context=self.context).data
        return {**result, "change": value.number, "status": value.game.status}


class ResultChangesSerializer(Answer):
    """The changes of results after a number."""

    results = ListOf(ResultChangeField(), source="items", help_text="In the order of the changes, each result once.")
    changed_after = Number(source="upto", help_text="The number for the next request.")
    more = serializers.BooleanField(help_text="There are more changes to request at once.")


class ResultInFileSerializer(ResultSerializer):
    """A finished game for a file: without addresses."""

    links = None  # type: ignore[assignment]  # the framework's way to remove a field

    @classmethod
    def columns(cls) -> tuple[str, ...]:
        """A column for each field of a game and of its seats; the game's id is called `game`."""
        several = {"id": ("game",), "seats": tuple(ResultSeatSerializer().fields)}
        return tuple(column for name in cls().get_fields() for column in several.get(name, (name,)))

    @classmethod
    def rows(cls, game: Game) -> Iterator[dict[str, Any]]:
        """A row for each player of a game."""
        result = cls(game).data
        seasons = "; ".join(result["seasons"])
        for seat in result["seats"]:
            earlier = "; ".join(f"{each['name']} (1–{each['until']})" for each in seat["earlier"])
            yield {**result, "game": game.pk, "seasons": seasons, **seat, "earlier": earlier}


# --- rounds ---


@dataclass(frozen=True)
class PlayerRound:
    """A round of a finished game, as one of its players played it.  `seat`: theirs, which others may have had later."""

    game: Game
    played: RoundFacts
    seat: Seat | Stint

    def of_seat(self, figures: Sequence[int]) -> int:
        """The figure of this player, from those of all seats."""
        return figures[self.seat.number]


def rounds_of(game: Game) -> Iterator[PlayerRound]:
    """Each round and player of a game, nothing while it is not counted."""
    if game.facts is None or game.status != Status.FINISHED or game.finished_at is None:
        return
    facts = GameFacts.from_json(game.facts)
    participants: list[Seat | Stint] = [*game.seats.all(), *stints_of(game)]
    for played in facts.rounds:
        for who in facts.cast(played.number):
            yield PlayerRound(game, played, participants[who])


def stints_of(game: Game) -> list[Stint]:
    """Those whose seats others took over.  Few games have any, and only these take a query."""
    return list(game.stints.all()) if game.facts is not None and game.facts["stints"] else []


class RoundRowSerializer(Answer):
    """A player's round in a finished game."""

    game = serializers.CharField(source="game.pk")
    mode = serializers.ChoiceField(Mode.values, source="game.mode")
    preset = serializers.ChoiceField(list(PRESETS), source="game.preset")
    players = Number(source="game.players", help_text="How many.")
    finished_at = Timestamp(source="game.finished_at")
    round = First(source="played.number")
    seat = SeatField(source="seat.number")
    player = serializers.CharField(source="seat.player_id", allow_null=True, help_text=PLAYER_ID)
    name = serializers.CharField(source="seat.name", help_text=ON_THE_SHEET)
    conditions = ConditionsSerializer(source="played.conditions")
    teams = TeamsField(source="played.teams")
    monster = MonsterField(source="played.monster")
    tricks = Computed(Number(), lambda row: row.of_seat(row.played.tricks))
    captured = Computed(Number(), lambda row: row.of_seat(row.played.captured))
    raw = Computed(serializers.IntegerField(), lambda row: row.of_seat(row.played.raw), help_text="The team score.")
    points = Computed(
        serializers.IntegerField(), lambda row: row.of_seat(row.played.points), help_text="The points on the sheet."
    )
    outcome = Computed(
        serializers.ChoiceField(["won", "drawn", "lost"]),
        lambda row: _outcome(row.played.gap(row.seat.number)),
        help_text="By the team scores.",
    )

    @classmethod
    def columns(cls) -> tuple[str, ...]:
        """A column for each field, several for conditions and teams."""
        return round_columns(cls().fields)

    @classmethod
    def rows(cls, game: Game) -> Iterator[dict[str, Any]]:
        """A row for each round and player of a game, with players by name."""
        names = [seat.name for seat in game.seats.all()]
        for row in rounds_of(game):
            yield flat_round(cls(row).data, names)


def _outcome(gap: int) -> str:
    return "drawn" if gap == 0 else "won" if gap > 0 else "lost"


# --- pages ---


class PageSerializer(Answer):
    next = serializers.URLField(allow_null=True)
    previous = serializers.URLField(allow_null=True)


class ResultsPageSerializer(PageSerializer):
    """A page of finished games."""

    results = ListOf(ResultSerializer())


class RoundsPageSerializer(PageSerializer):
    """The rounds of a page of finished games."""

    results = ListOf(RoundRowSerializer(), help_text="All rounds of the games of a page.")


RESULTS = PolymorphicProxySerializer("Results", [ResultsPageSerializer, ResultChangesSerializer], None)

"""Finished games of a group and its figures: lists, files, statistics.  The key says which group."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from django.http import StreamingHttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse
from rest_framework.request import Request
from rest_framework.response import Response

from games.api import figures, links
from games.api.openapi import found, operation
from games.api.serializers.groups import GroupPlayerSerializer
from games.api.serializers.parameters import ChangesParameters, FilterParameters, ListingParameters
from games.api.serializers.results import (
    RESULTS,
    ResultChangesSerializer,
    ResultInFileSerializer,
    ResultSerializer,
    RoundRowSerializer,
    RoundsPageSerializer,
    rounds_of,
)
from games.api.serializers.statistics import (
    GroupStatisticsSerializer,
    PairStatisticsSerializer,
    PlayerStatisticsSerializer,
)
from games.api.views.base import ResultsEndpoint
from games.formats import csv
from games.groups import history, lists
from games.models import Game

Row = dict[str, Any]

FILE = OpenApiResponse(OpenApiTypes.STR, "The whole list, for spreadsheets.")


class ListEndpoint(ResultsEndpoint):
    """A list of finished games, page by page or as a file."""

    def page(self, asked: ListingParameters, rows: Callable[[Sequence[Game]], object]) -> Response:
        """A page, with the addresses of those around it."""
        read = asked.validated_data
        page = history.page_of(
            self.group.pk,
            asked.filters(self.group),
            cursor=read["cursor"],
            ordering=read["ordering"],
            size=read["size"],
        )
        following = links.of_page(self.request, page.following)
        previous = links.of_page(self.request, page.previous)
        games = list(lists.in_seasons(self.group, page.games))
        return Response({"next": following, "previous": previous, "results": rows(games)})

    def file(
        self, asked: ListingParameters, name: str, columns: Sequence[str], rows: Callable[[Game], Iterator[Row]]
    ) -> StreamingHttpResponse:
        """Every game, written while it is read: thousands of them take no more memory than a page."""
        games = history.all_of(self.group.pk, asked.filters(self.group), ordering=asked.validated_data["ordering"])
        text = csv.written(columns, (row for game in lists.in_seasons(self.group, games) for row in rows(game)))
        headers = {"Content-Disposition": f'attachment; filename="{name}"'}
        return StreamingHttpResponse(text, content_type="text/csv; charset=utf-8", headers=headers)


class ResultsView(ListEndpoint):
    @operation(
        "results",
        {
            (200, "application/json"): OpenApiResponse(RESULTS, "A page; with `changed_after`, what changed."),
            (200, "text/csv"): FILE,
        },
        parameters=[ListingParameters, ChangesParameters],
        refuses=(404,),
    )
    def get(self, request: Request) -> Response | StreamingHttpResponse:
        """Finished games.

        All games of the group whose key is sent. A file has a row for each game and player.
        """
        if "changed_after" in request.query_params:
            return self.changes(ChangesParameters.of(request.query_params))
        asked = ListingParameters.of(request.query_params)
        if asked.validated_data["format"] == "csv":
            columns = ResultInFileSerializer.columns()
            return self.file(asked, "njet-results.csv", columns, ResultInFileSerializer.rows)
        return self.page(asked, lambda games: ResultSerializer(games, many=True, context={"request": request}).data)

    def changes(self, asked: ChangesParameters) -> Response:
        after, size = asked.validated_data["changed_after"], asked.validated_data["size"]
        changes = history.changes_after(self.group.pk, after, size=size)
        list(lists.in_seasons(self.group, [each.game for each in changes.items if each.game is not None]))
        return self.serialized(ResultChangesSerializer, changes)


class RoundsView(ListEndpoint):
    @operation(
        "result_rounds",
        {
            (200, "application/json"): OpenApiResponse(RoundsPageSerializer, "The rounds of the games of a page."),
            (200, "text/csv"): FILE,
        },
        parameters=[ListingParameters],
        refuses=(404,),
    )
    def get(self, request: Request) -> Response | StreamingHttpResponse:
        """The rounds of finished games.

        A row for each round and player.
        """
        asked = ListingParameters.of(request.query_params)
        if asked.validated_data["format"] == "csv":
            return self.file(asked, "njet-rounds.csv", RoundRowSerializer.columns(), RoundRowSerializer.rows)
        rounds = RoundRowSerializer(many=True)
        return self.page(
            asked, lambda games: rounds.to_representation([row for game in games for row in rounds_of(game)])
        )


class PlayersView(ResultsEndpoint):
    @operation("players", found(GroupPlayerSerializer(many=True), "The most frequent players first."))
    def get(self, request: Request) -> Response:
        """The players."""
        return self.serialized(GroupPlayerSerializer, figures.players(self.group), many=True)


class PlayerStatisticsView(ResultsEndpoint):
    @operation(
        "player_statistics",
        {
            200: OpenApiResponse(
                PlayerStatisticsSerializer, "For an older id of the same person: that person's figures."
            )
        },
        parameters=[FilterParameters],
    )
    def get(self, request: Request, player_id: str) -> Response:
        """The statistics of a player.

        Of all games, or of those that the filters leave. `rating`, `streak`, `longest_streak` and `ratings` follow the
        order of all games and are not narrowed.
        """
        filters = FilterParameters.of(request.query_params).filters(self.group)
        return Response(figures.player_statistics(self.group, player_id, filters))


class PairView(ResultsEndpoint):
    @operation(
        "pair_statistics",
        found(PairStatisticsSerializer, "The same from either side."),
        parameters=[FilterParameters],
    )
    def get(self, request: Request, player_id: str, other_id: str) -> Response:
        """The statistics of two players.

        Of all games, or of those that the filters leave.
        """
        filters = FilterParameters.of(request.query_params).filters(self.group)
        return Response(figures.pair_statistics(self.group, player_id, other_id, filters))


class StatisticsView(ResultsEndpoint):
    @operation(
        "statistics",
        found(GroupStatisticsSerializer, "Of all games, or of those that the filters leave."),
        parameters=[FilterParameters],
        refuses=(404,),
    )
    def get(self, request: Request) -> Response:
        """The statistics and standings of the group."""
        return Response(
            figures.group_statistics(self.group, FilterParameters.of(request.query_params).filters(self.group))
        )

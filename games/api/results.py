"""The endpoints about finished games and what they come to: lists, files, figures.  The key says whose.

Knows: which list or figure answers which endpoint.  Must not know: how a page is found, how a figure is made.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from django.http import StreamingHttpResponse
from rest_framework.request import Request
from rest_framework.response import Response

from games.api import describe_groups as describe
from games.api import figures, history, links, parameters, spreadsheets
from games.api.base import ApiView
from games.api.documents import Document
from games.api.parameters import Following, Listing
from games.club import history as results
from games.models import Game, Group

Rows = Callable[[Game], Iterable[Document]]


class ResultsView(ApiView):
    """Finished games."""

    @describe.results
    def get(self, request: Request) -> Response | StreamingHttpResponse:
        asked = parameters.results_asked(request.query_params)
        group = self.of_group(request).group
        if isinstance(asked, Following):
            changes = results.changes_after(group.pk, asked.changed_after, size=asked.size)
            rows = [history.change(each, links.of_game(request, each.game_id)) for each in changes.items]
            return Response({"results": rows, "changed_after": changes.upto, "more": changes.more})
        if asked.format == "csv":
            return _file(group, asked, "njet-results.csv", history.RESULT_COLUMNS, history.result_rows)
        return _page(request, group, asked, lambda game: [history.result(game, links.of_game(request, game.pk))])


class RoundsView(ApiView):
    """The rounds of finished games."""

    @describe.rounds
    def get(self, request: Request) -> Response | StreamingHttpResponse:
        asked = parameters.listing(request.query_params)
        group = self.of_group(request).group
        if asked.format == "csv":
            return _file(group, asked, "njet-rounds.csv", history.ROUND_COLUMNS, history.flat_round_rows)
        return _page(request, group, asked, history.round_rows)


def _page(request: Request, group: Group, asked: Listing, rows: Rows) -> Response:
    found = results.page_of(
        group.pk, _filters(group, asked), cursor=asked.cursor, ordering=asked.ordering, size=asked.size
    )
    return Response(
        {
            "next": links.of_page(request, found.following),
            "previous": links.of_page(request, found.previous),
            "results": [row for game in found.games for row in rows(game)],
        }
    )


def _file(group: Group, asked: Listing, name: str, columns: Sequence[str], rows: Rows) -> StreamingHttpResponse:
    """Every game, written while it is read: thousands of them take no more memory than a page."""
    games = results.all_of(group.pk, _filters(group, asked), ordering=asked.ordering)
    lines = spreadsheets.written(columns, (row for game in games for row in rows(game)))
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return StreamingHttpResponse(lines, content_type="text/csv; charset=utf-8", headers=headers)


def _filters(group: Group, asked: Listing) -> results.Filters:
    """Errors: `NotFound` for a player whom the group does not know."""
    if asked.filters.player is None:
        return asked.filters
    return replace(asked.filters, player=figures.person_of(group, asked.filters.player).pk)


# --- people and figures ---


class PlayersView(ApiView):
    """The people of the group."""

    @describe.players
    def get(self, request: Request) -> Response:
        return Response(figures.players(self.of_group(request).group))


class PlayerStatisticsView(ApiView):
    """What is counted of a player."""

    @describe.player_statistics
    def get(self, request: Request, player_id: str) -> Response:
        return Response(figures.player_statistics(self.of_group(request).group, player_id))


class PairView(ApiView):
    """What is counted of two players."""

    @describe.pair
    def get(self, request: Request, player_id: str, other_id: str) -> Response:
        return Response(figures.pair_statistics(self.of_group(request).group, player_id, other_id))


class StatisticsView(ApiView):
    """What the games of the group come to."""

    @describe.statistics
    def get(self, request: Request) -> Response:
        return Response(figures.group_statistics(self.of_group(request).group))

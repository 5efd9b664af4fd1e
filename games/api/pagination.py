"""Pages of finished games: the cursors of `games.club.history` as the addresses `next` and `previous`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rest_framework.pagination import BasePagination
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from games.api import links
from games.club import history


@dataclass(frozen=True)
class Selection:
    """The finished games of a group that a list consists of, and the part of it that is asked for."""

    group_id: str
    filters: history.Filters
    ordering: str
    cursor: str | None
    size: int


class ResultsPagination(BasePagination):
    """A page of a list.  DRF's own cursors hold one column; these hold a time and an id, and read along indices."""

    def paginate_queryset(self, queryset: Any, request: Request, view: APIView | None = None) -> list[Any]:
        """The games on the page of a `Selection`."""
        asked: Selection = queryset
        self.request = request
        self.page = history.page_of(
            asked.group_id, asked.filters, cursor=asked.cursor, ordering=asked.ordering, size=asked.size
        )
        return list(self.page.games)

    def get_paginated_response(self, data: Any) -> Response:
        following = links.of_page(self.request, self.page.following)
        previous = links.of_page(self.request, self.page.previous)
        return Response({"next": following, "previous": previous, "results": data})

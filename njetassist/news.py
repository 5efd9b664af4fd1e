"""Middleware for the question that phones repeat: is there anything new at my table?"""

import re
from collections.abc import Callable
from typing import cast

from django.contrib.sessions.middleware import SessionMiddleware
from django.http import HttpRequest, HttpResponse
from django.http.request import HttpHeaders
from django.http.response import HttpResponseBase
from django.middleware.locale import LocaleMiddleware
from django.utils.decorators import decorator_from_middleware

from games.pages.guards import table_of
from games.pages.play import views
from games.pages.tables import MARKS_HEADER, Table
from games.rules import NjetError

TABLE = re.compile("/g/([^/]+)/")
FILLS_IN = HttpHeaders.to_wsgi_name(MARKS_HEADER)
IS_HTMX = HttpHeaders.to_wsgi_name("HX-Request")


class TableNews:
    """Answers phones that fill in the marks through no more middleware than their answer needs.

    "Nothing new" needs the session only, a fragment for all phones of a kind the language too.  Everything else, and
    every refusal, is left to the whole chain.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response
        self.answer = cast(Callable[[HttpRequest], HttpResponse], SessionMiddleware(_news))

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        asked = request.META
        if (
            request.method != "GET"
            or FILLS_IN not in asked
            or asked.get(IS_HTMX) != "true"
            or not TABLE.fullmatch(request.path_info)
        ):
            return self.get_response(request)
        response = self.answer(request)
        if response.status_code not in (200, 204):
            return self.get_response(request)
        # As CommonMiddleware does.
        response.headers.setdefault("Content-Length", str(len(response.content)))
        return response


def _news(request: HttpRequest) -> HttpResponseBase:
    found = TABLE.fullmatch(request.path_info)
    assert found is not None, "TableNews has read the address"
    try:
        table = table_of(request, found[1])
        return views.nothing_new(request, table) or _fragment(request, table)
    except NjetError:
        return HttpResponse(status=404)


@decorator_from_middleware(LocaleMiddleware)
def _fragment(request: HttpRequest, table: Table) -> HttpResponse:
    return views.fragment(request, table) or HttpResponse(status=404)

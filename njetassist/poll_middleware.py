"""Answers version polls without the other middleware."""

import re
from collections.abc import Callable
from typing import cast

from django.contrib.sessions.middleware import SessionMiddleware
from django.http import HttpRequest, HttpResponse
from django.http.request import HttpHeaders
from django.http.response import HttpResponseBase
from django.middleware.locale import LocaleMiddleware
from django.utils.decorators import decorator_from_middleware

from games.pages.base_table import MARKS_HEADER, Table
from games.pages.guards import table_of
from games.pages.play import views
from games.rules import NjetError

TABLE = re.compile("/g/([^/]+)/")
MARKS = HttpHeaders.to_wsgi_name(MARKS_HEADER)
IS_HTMX = HttpHeaders.to_wsgi_name("HX-Request")


class PollMiddleware:
    """Answers the polls of phones with only the middleware that the answer needs.

    "Nothing new" needs the session, a fragment that is common to many phones also the language.  Every other request,
    and every refusal, passes the whole chain.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response
        self.answer = cast(Callable[[HttpRequest], HttpResponse], SessionMiddleware(_poll))

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        asked = request.META
        if (
            request.method != "GET"
            or MARKS not in asked
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


def _poll(request: HttpRequest) -> HttpResponseBase:
    found = TABLE.fullmatch(request.path_info)
    assert found is not None, "PollMiddleware has read the address"
    try:
        table = table_of(request, found[1])
        return views.nothing_new(request, table) or _fragment(request, table)
    except NjetError:
        return HttpResponse(status=404)


@decorator_from_middleware(LocaleMiddleware)
def _fragment(request: HttpRequest, table: Table) -> HttpResponse:
    return views.fragment(request, table) or HttpResponse(status=404)

"""Middleware for the question that phones repeat: is there anything new at my table?"""

import re
from collections.abc import Callable
from typing import cast

from django.contrib.sessions.middleware import SessionMiddleware
from django.http import HttpRequest, HttpResponse
from django.http.request import HttpHeaders
from django.http.response import HttpResponseBase
from django.middleware.csrf import CsrfViewMiddleware
from django.middleware.locale import LocaleMiddleware
from django_htmx.middleware import HtmxMiddleware

from games.pages.play.views import table
from games.pages.tables import MARKS_HEADER

TABLE = re.compile("/g/([^/]+)/")
FILLS_IN = HttpHeaders.to_wsgi_name(MARKS_HEADER)


class TableNews:
    """Passes the question to the view of the table through no more middleware than the view needs.

    The answers are those of the whole chain.  What it adds is about static files, other addresses and forms that are
    sent.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response
        answer = SessionMiddleware(LocaleMiddleware(CsrfViewMiddleware(HtmxMiddleware(_view))))
        self.answer = cast(Callable[[HttpRequest], HttpResponse], answer)

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if request.method != "GET" or not TABLE.fullmatch(request.path_info) or FILLS_IN not in request.META:
            return self.get_response(request)
        response = self.answer(request)
        # As CommonMiddleware does.
        response.headers.setdefault("Content-Length", str(len(response.content)))
        return response


def _view(request: HttpRequest) -> HttpResponse:
    found = TABLE.fullmatch(request.path_info)
    assert found is not None, "TableNews has read the address"
    return table(request, found[1])

"""The home page: the tables and groups that this device knows."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from games.club import lists
from games.keys import sessions
from games.pages.pwa import KEEP


@require_GET
def home(request: HttpRequest) -> HttpResponse:
    """The tables that this device knows."""
    tables = lists.tables_of(sessions.key_ids(request.session))
    context = {"tables": tables, "groups": [key.group for key in sessions.group_keys(request.session)]}
    response = render(request, "games/home/home.html", context)
    if settings.HTTPS:
        # An installed application opens here, also offline.
        response[KEEP] = "page"
    return response


@require_GET
def robots(request: HttpRequest) -> HttpResponse:
    """What search engines may read: the home page."""
    return HttpResponse("User-agent: *\nAllow: /$\nDisallow: /\n", content_type="text/plain; charset=utf-8")

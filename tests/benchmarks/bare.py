"""Views as bare as Django allows: what the application is measured against.

`/bare/page/` reads one row and renders thirty lines, `/bare/write/` inserts one row with the same durability,
`/bare/behind/` answers two letters.  `/bare/view/` does so, too, but without any middleware.
"""

from __future__ import annotations

import functools
from collections.abc import Callable

from django.core.handlers.base import BaseHandler
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.template import engines
from django.template.backends.django import Template
from django.test import override_settings
from django.urls import include, path
from django.views.decorators.csrf import csrf_exempt

from games.models import Attempt, Game
from njetassist import urls

PAGE = "{% for number in numbers %}<p>Line {{ number }} of {{ game.pk }}: {{ game.preset }}</p>\n{% endfor %}"


@functools.cache
def _page() -> Template:
    return engines["django"].from_string(PAGE)


def page(request: HttpRequest) -> HttpResponse:
    game = Game.objects.order_by("pk").first()
    return HttpResponse(_page().render({"game": game, "numbers": range(30)}, request))


def view(request: HttpRequest) -> HttpResponse:
    return HttpResponse("ok")


class BareFirst:
    """Middleware before all others: answers the bare view by a handler that has no middleware."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response
        self.bare = BaseHandler()
        with override_settings(MIDDLEWARE=[]):
            self.bare.load_middleware()

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        answer = self.bare.get_response if request.path_info == "/bare/view/" else self.get_response
        return answer(request)


@csrf_exempt
def write(request: HttpRequest) -> HttpResponse:
    with transaction.atomic():
        Attempt.objects.create(address_hash="bare")
    return HttpResponse("ok", status=201)


urlpatterns = [
    path("bare/view/", view),
    path("bare/behind/", view),
    path("bare/page/", page),
    path("bare/write/", write),
    path("", include(urls)),
]

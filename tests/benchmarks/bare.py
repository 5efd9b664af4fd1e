"""Two views as bare as Django allows: what the application is measured against.

`/bare/page/` reads one row and renders thirty lines, `/bare/write/` inserts one row with the same durability.
"""

from __future__ import annotations

import functools

from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.template import engines
from django.template.backends.django import Template
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


@csrf_exempt
def write(request: HttpRequest) -> HttpResponse:
    with transaction.atomic():
        Attempt.objects.create(address_hash="bare")
    return HttpResponse("ok", status=201)


urlpatterns = [path("bare/page/", page), path("bare/write/", write), path("", include(urls))]

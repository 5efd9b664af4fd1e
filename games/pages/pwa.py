"""What a phone needs to put this application on its home screen.

Knows: the name, the icons and the colours by their addresses.  Must not know: any table.
"""

from __future__ import annotations

import hashlib
import json

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_GET

from games.pages.parts import icons

DAY = 24 * 60 * 60

# --paper of base/theme.css, by day.
PAPER = "#f7f2e8"

KEEP = "NJET-Keep"
"""The header that tells the service worker what it may keep: a whole page, or a newer state of its table."""


@require_GET
@cache_control(public=True, max_age=DAY)
def manifest(request: HttpRequest) -> JsonResponse:
    """The web app manifest."""
    described = {
        "id": "/",
        "name": "NJET Assist",
        "short_name": "NJET",
        "description": _("Score keeping beside the table for the card game NJET."),
        "lang": get_language(),
        "start_url": reverse("games:home"),
        "scope": "/",
        "display": "standalone",
        "theme_color": PAPER,
        "background_color": PAPER,
        "icons": [
            _icon("icon.svg", "any", "image/svg+xml"),
            _icon("icon-192.png", "192x192"),
            _icon("icon-512.png", "512x512"),
            _icon("icon-maskable-512.png", "512x512", purpose="maskable"),
        ],
    }
    return JsonResponse(described, content_type="application/manifest+json")


SHELL = (
    "njet/njet.css",
    "njet/rounds.css",
    "njet/counting.js",
    "njet/first-tap.js",
    "njet/table-page.js",
    icons.TABLE,
    icons.OTHERS,
    "django_htmx/htmx-4.min.js",
)
"""What a table page is made of, besides itself."""


@require_GET
def worker(request: HttpRequest) -> HttpResponse:
    """The service worker.  Its address is at the root, because this decides which pages it may cache."""
    shell = [static(name) for name in SHELL]
    context = {
        "shell": json.dumps(shell),
        "version": hashlib.sha256("".join(shell).encode()).hexdigest()[:12],
    }
    return render(request, "games/pwa/worker.js", context, content_type="text/javascript")


def _icon(name: str, sizes: str, kind: str = "image/png", *, purpose: str = "any") -> dict[str, str]:
    return {"src": static(f"njet/{name}"), "sizes": sizes, "type": kind, "purpose": purpose}

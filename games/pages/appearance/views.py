"""The page on which a browser chooses its theme."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_http_methods

from games.pages.appearance.theme import DARK_MEDIA, THEMES, theme_of
from games.pages.base_table import wants_fragment


@require_http_methods(["GET", "POST"])
def appearance(request: HttpRequest) -> HttpResponse:
    """Choose the theme; `next`: the page to go back to.  A script asks for a fragment and stays on its page."""
    if (chosen := request.POST.get("theme")) in DARK_MEDIA:
        stays = wants_fragment(request)
        response = HttpResponse(status=204) if stays else HttpResponseRedirect(_back(request.POST.get("next")))
        response.set_cookie(settings.THEME_COOKIE_NAME, chosen, **settings.PREFERENCE_COOKIE)
        return response
    context = {"themes": THEMES, "theme": theme_of(request), "next": _back(request.GET.get("next"))}
    name = "_theme" if wants_fragment(request) else "appearance"
    return render(request, f"games/appearance/{name}.html", context)


def _back(address: str | None) -> str:
    """An address of our own pages: another one is not followed."""
    if address and address.startswith("/") and url_has_allowed_host_and_scheme(address, allowed_hosts=None):
        return address
    return reverse("games:home")

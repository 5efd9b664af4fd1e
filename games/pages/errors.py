"""The pages for what goes wrong outside of a table: unknown addresses, refused forms, faults of our own."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _


def page_not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """There is no such page."""
    context = {"sentence": _("There is no such page.")}
    return render(request, "games/errors/refused.html", context, status=404)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """A form from another site, or from a page that has stood open for too long."""
    context = {"sentence": _("This page has stood open too long. Go back, reload it and send it again.")}
    return render(request, "games/errors/refused.html", context, status=403)

"""The pages for refusals and for what is not there: inside a table or group, and outside of both."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _

from games.errors import headers_of, status_of
from games.pages.forms import Form
from games.rules import NjetError
from games.texts import refusals


def refusal_page(request: HttpRequest, error: NjetError, game_id: str = "", *, group_id: str = "") -> HttpResponse:
    """A refusal as a page of its own, with the way back."""
    sentence = refusals.error_sentence(error)
    context: dict[str, object] = {"sentence": sentence, "code": error.code, "game_id": game_id, "group_id": group_id}
    text = render_to_string("games/errors/refused.html", context, request)
    return HttpResponse(text, status=status_of(error), headers=headers_of(error))


def form_page(request: HttpRequest, template: str, form: Form | None, **context: object) -> HttpResponse:
    """The page of a form, with the status and headers of its refusal.  None: nothing was sent yet."""
    text = render_to_string(template, {**context, "form": form}, request)
    return HttpResponse(text) if form is None else HttpResponse(text, status=form.status, headers=form.headers)


def no_table(request: HttpRequest) -> HttpResponse:
    """The page for a table that does not exist, or not for this browser."""
    return render(request, "games/errors/no_table.html", status=404)


def no_group(request: HttpRequest) -> HttpResponse:
    """The page for a group that does not exist, or not for this browser."""
    return render(request, "games/errors/no_group.html", status=404)


def page_not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """There is no such page."""
    return render(request, "games/errors/no_page.html", status=404)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """A form from another site, or from a page that was open for too long."""
    page = request.headers.get("Referer", "")
    is_ours = url_has_allowed_host_and_scheme(page, request.get_host(), require_https=request.is_secure())
    context = {
        "sentence": _("This page has stood open too long. Go back, reload it and send it again."),
        # The page that sent it, loaded afresh: with a token that is valid again.
        "page": page if is_ours else "",
    }
    return render(request, "games/errors/refused.html", context, status=403)

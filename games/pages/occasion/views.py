"""When, how long and where a game was played, and a note about it."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods

from games.pages.base_table import Table
from games.pages.errors import form_page
from games.pages.forms import form_context, request_of
from games.pages.guards import records
from games.pages.occasion.forms import ChangedOccasionForm
from games.services import tables


@require_http_methods(["GET", "POST"])
@records
def occasion(request: HttpRequest, table: Table) -> HttpResponse:
    """State when, how long and where the game was played."""
    form = ChangedOccasionForm(request.POST if request.method == "POST" else None, table.game, table.ledger)
    if form.is_valid():
        with form.refusals():
            tables.state_occasion(
                game_id=table.game.pk, actor=table.key, request=request_of(request.POST), stated=form.occasion
            )
            return redirect("games:sheet", table.game.pk)
    is_over = table.ledger.state.is_over
    return form_page(request, "games/occasion/occasion.html", form, is_over=is_over, **form_context(table.ledger))

"""An agreed penalty: a line of its own on the sheet."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods

from games.pages.correct.forms import penalty_changes
from games.pages.errors import form_page
from games.pages.forms import form_context, request_of
from games.pages.guards import corrects
from games.pages.parts.corrections import standing_lines
from games.pages.parts.players import players_of
from games.pages.penalty.forms import PenaltyForm
from games.pages.table.paper_table import PaperTable
from games.services import previews, tables


@require_http_methods(["GET", "POST"])
@corrects
def penalty(request: HttpRequest, table: PaperTable) -> HttpResponse:
    """An agreed penalty.  In a finished game it is a correction, previewed before it is made."""
    ledger, preview = table.ledger, None
    form = PenaltyForm(request.POST if request.method == "POST" else None)
    form.names = ledger.current_setup.names
    if form.is_valid():
        with form.refusals():
            game_id, asked = table.game.pk, request_of(request.POST)
            if not ledger.state.is_over:
                tables.record_action(game_id=game_id, actor=table.key, action=form.action, request=asked)
                return redirect("games:sheet", game_id)
            changes = penalty_changes(ledger, form.action)
            if form.cleaned_data["sure"] == form.seen:
                tables.amend(game_id=game_id, actor=table.key, request=asked, changes=changes)
                return redirect("games:sheet", game_id)
            preview = standing_lines(ledger, previews.preview_amend(ledger=ledger, changes=changes))
    context = {**form_context(ledger), "players": players_of(ledger.current_setup), "preview": preview}
    return form_page(request, "games/penalty/penalty.html", form, **context)

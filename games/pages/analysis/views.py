"""The analysis of a finished digital game: where it turned, and what each decision of a seat was worth."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from games.analysis import tasks
from games.analysis.decisions import Progress
from games.pages.analysis.page import analysis_page
from games.pages.base_table import wants_fragment
from games.pages.digital.digital_table import DigitalTable
from games.pages.guards import sees_digital_table


@require_GET
@sees_digital_table
def analysis(request: HttpRequest, table: DigitalTable) -> HttpResponse:
    """The analysis of a seat, `?seat=2`, or how far its computation is.  Asking for it begins it."""
    asked = request.GET.get("seat", "")
    seat = int(asked) if asked in map(str, range(table.game.players)) else table.seat or 0
    found = tasks.asked(table.game, seat)
    context = {
        "page": analysis_page(table.ledger, seat, Progress.from_json(found.result)),
        "game_id": table.game.pk,
    }
    template = "games/analysis/_analysis.html" if wants_fragment(request) else "games/analysis/analysis.html"
    return table.mark_private(render(request, template, context))

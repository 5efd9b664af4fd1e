"""The big board for a television: read only, one fragment."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from games.pages.guards import at_table
from games.pages.presence import still_here
from games.pages.screen.page import screen_page
from games.pages.tables import Table, is_latest, wants_fragment


@require_GET
@at_table
def screen(request: HttpRequest, table: Table) -> HttpResponse:
    """The big board.  `since`: the version that a screen shows; while it is the latest there is nothing to send."""
    if is_latest(request, table):
        return still_here(table)
    page = screen_page(table.ledger)
    context = {
        "page": page,
        "game_id": table.game.pk,
        "super_rank": page.round.super_rank,
        "monster_word": page.round.monster_word,
    }
    return render(
        request, "games/screen/_screen.html" if wants_fragment(request) else "games/screen/screen.html", context
    )

"""The big board for a television: read only, one fragment, for whoever may see the table.

Must not know: what a phase shows, which is decided in `games.presentation.screen`.
"""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from games.presentation.screen import screen_page
from games.views.guards import Table, at_table, wants_fragment
from games.views.live import still_here


@require_GET
@at_table
def screen(request: HttpRequest, table: Table) -> HttpResponse:
    """The big board.  `since`: the version that a screen shows; while it is the latest there is nothing to send."""
    if request.GET.get("since") == str(table.game.version):
        return still_here(table)
    page = screen_page(table.ledger)
    context = {
        "page": page,
        "game_id": table.game.pk,
        "super_rank": page.super_rank,
        "monster_word": page.monster_word,
    }
    return render(
        request, "games/screen/_screen.html" if wants_fragment(request) else "games/screen/screen.html", context
    )

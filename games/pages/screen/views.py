"""The big board for a television: read only, one fragment, for whoever may see the table.

Must not know: what a phase shows, which is decided in `games.pages.screen.page`.
"""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from games.pages.guards import Table, at_table, wants_fragment
from games.pages.live.views import still_here
from games.pages.screen.page import screen_page


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
        "super_rank": page.round.super_rank,
        "monster_word": page.round.monster_word,
    }
    return render(
        request, "games/screen/_screen.html" if wants_fragment(request) else "games/screen/screen.html", context
    )

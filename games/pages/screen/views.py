"""The big board for a television: read only, one fragment."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET

from games.pages.base_table import Table, is_latest, wants_fragment
from games.pages.guards import at_table
from games.pages.parts.invitation import qr_code
from games.pages.presence import still_here
from games.pages.rematch import sits_or_follows
from games.pages.screen.page import screen_page
from games.pages.seats.views import free_seats


@require_GET
@at_table
def screen(request: HttpRequest, table: Table) -> HttpResponse:
    """The big board; once the table goes on, that of its next game.

    `since`: the version that a screen shows; while it is the latest there is nothing to send.
    """
    if table.next_id is not None and sits_or_follows(request.session, table.next_id):
        # No one touches a television.
        return redirect("games:screen", table.next_id)
    if is_latest(request, table):
        return still_here(table)
    page = screen_page(table.ledger)
    context: dict[str, object] = {
        "page": page,
        "game_id": table.game.pk,
        "next_id": table.next_id,
        "hides_markers": table.game.hides_markers,
        "super_rank": page.round.super_rank,
        "monster_word": page.round.monster_word,
    }
    if page.chart is None and any(table.ledger.bots[player.seat] is None for player in free_seats(table.game)):
        # Before the race begins its place is empty.  Every seat of a physical table is free.
        joined = reverse("games:join")
        context |= {"address": f"{request.get_host()}{joined}", "qr": qr_code(request.build_absolute_uri(joined))}
    # Zeros alone need no room.
    context["has_side"] = page.scores.columns or "qr" in context
    return render(
        request, "games/screen/_screen.html" if wants_fragment(request) else "games/screen/screen.html", context
    )

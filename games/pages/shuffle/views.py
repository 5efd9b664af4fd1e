"""How the deals of a digital game are checked."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from games.formats.document import source_of
from games.pages import downloads
from games.pages.digital.digital_table import DigitalTable
from games.pages.guards import sees_digital_table
from games.pages.shuffle.page import checked_deals


@require_GET
@sees_digital_table
def shuffle(request: HttpRequest, table: DigitalTable) -> HttpResponse:
    """The seal of each deal, and when the game is over its seed and whether the hands follow from it."""
    file = downloads.named("njet", table.game.created_at, table.game.pk, "json")
    context = {
        "game_id": table.game.pk,
        "deals": checked_deals(table.ledger, game_id=source_of(table.game)["id"]),
        "command": f"python3 check_deals.py < {file}",
        "is_imported": table.game.source is not None,
    }
    return table.mark_private(render(request, "games/shuffle/shuffle.html", context))

"""The replay of a game, step by step: every step has its address."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET

from games.analysis import tasks
from games.pages.base_table import Table, wants_fragment
from games.pages.guards import sees_table
from games.pages.replay.page import first_step, last_step, replay_page


@require_GET
@sees_table
def replay(request: HttpRequest, table: Table, step: int | None = None) -> HttpResponse:
    """The table after a number of steps.  An undo may have taken the step that a link names: then it is the last one.

    `?seat=2`: the cards as this seat knew them, and what the analysis says of its decisions, if there is one.
    """
    ledger = table.ledger
    if ledger.current_setup.paper is not None:
        # Nothing was played here.
        return redirect("games:sheet", table.game.pk)
    if step is None:
        step = first_step(ledger)
    asked = request.GET.get("seat", "")
    seat = int(asked) if asked in map(str, range(table.game.players)) else None
    query = "" if seat is None else f"?seat={seat}"
    if step > last_step(ledger):
        address = reverse("games:replay_step", args=(table.game.pk, last_step(ledger)))
        return redirect(f"{address}{query}")
    page = replay_page(ledger, step, seat=seat, judged=tasks.found(table.game, ledger, seat))
    context = {
        "page": page,
        "query": query,
        "game_id": table.game.pk,
        "super_rank": page.round.super_rank,
        "monster_word": page.round.monster_word,
    }
    template = "games/replay/_replay.html" if wants_fragment(request) else "games/replay/replay.html"
    return table.mark_private(render(request, template, context))

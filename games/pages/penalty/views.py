"""An agreed penalty: a line of its own on the sheet."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from games.errors import status_of
from games.pages.actions import action_of
from games.pages.correct.page import penalty_changes, standing_lines
from games.pages.forms import new_request_id, request_of
from games.pages.guards import corrects
from games.pages.parts.players import players_of
from games.pages.table.paper_table import PaperTable
from games.rules import NjetError
from games.rules.actions import AddPenalty
from games.services import tables
from games.texts import words


@require_http_methods(["GET", "POST"])
@corrects
def penalty(request: HttpRequest, table: PaperTable) -> HttpResponse:
    """An agreed penalty.  In a finished game it is a correction, previewed before it is made."""
    ledger = table.ledger
    context = {
        "game_id": table.game.pk,
        "players": players_of(ledger.current_setup),
        "version": ledger.version,
        "request_id": new_request_id(),
        "typed": request.POST,
        "preview": None,
    }
    if request.method == "GET":
        return render(request, "games/penalty.html", context)
    try:
        action = action_of({**request.POST.dict(), "do": "penalty"}, players=ledger.state.players)
        asked = request_of(request.POST)
        if ledger.state.current is not None:
            tables.record_action(game_id=table.game.pk, actor=table.key, action=action, request=asked)
            return redirect("games:sheet", table.game.pk)
        assert isinstance(action, AddPenalty), "the form of a penalty is read as a penalty"
        changes = penalty_changes(ledger, action)
        if request.POST.get("sure") == _seen(action):
            tables.amend(game_id=table.game.pk, actor=table.key, request=asked, changes=changes)
            return redirect("games:sheet", table.game.pk)
        # What is changed after the preview is previewed again.
        context["seen"] = _seen(action)
        context["preview"] = standing_lines(ledger, tables.preview_amend(ledger=ledger, changes=changes))
        return render(request, "games/penalty.html", context)
    except NjetError as error:
        context["refused"] = words.error_sentence(error, ledger.current_setup.names)
        return render(request, "games/penalty.html", context, status=status_of(error))


def _seen(action: AddPenalty) -> str:
    return f"{action.seat}:{action.points}:{action.reason}"

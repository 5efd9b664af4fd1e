"""An agreed penalty, of a player or a whole team: a line of its own on the sheet for each player."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods

from games.pages.actions import TAKES
from games.pages.correct.forms import penalty_changes
from games.pages.errors import form_page
from games.pages.forms import form_context, request_of
from games.pages.guards import corrects
from games.pages.parts.corrections import standing_lines
from games.pages.parts.players import Player, players_of
from games.pages.penalty.forms import PenaltyForm
from games.pages.table.paper_table import PaperTable
from games.rules import PublicState
from games.services import previews, tables
from games.texts import words


@require_http_methods(["GET", "POST"])
@corrects
def penalty(request: HttpRequest, table: PaperTable) -> HttpResponse:
    """An agreed penalty.  In a finished game it is a correction, previewed before it is made."""
    ledger, preview = table.ledger, None
    form = PenaltyForm(request.POST if request.method == "POST" else None)
    form.names = ledger.current_setup.names
    if form.is_valid():
        with form.refusals():
            game_id, asked, is_over = table.game.pk, request_of(request.POST), ledger.state.is_over
            if len(form.actions) == 1 and not is_over:
                tables.record_action(game_id=game_id, actor=table.key, request=asked, action=form.actions[0])
                return redirect("games:sheet", game_id)
            # Of a team as one entry: noted and taken back as a whole.
            changes = penalty_changes(ledger, form.actions)
            if not is_over or form.cleaned_data["sure"] == form.seen:
                tables.amend(game_id=game_id, actor=table.key, request=asked, changes=changes)
                return redirect("games:sheet", game_id)
            preview = standing_lines(ledger, previews.preview_amend(ledger=ledger, changes=changes))
    context = {
        **form_context(ledger),
        "players": players_of(ledger.current_setup),
        "teams": _teams(ledger.state),
        "way": form.data.get("way", TAKES),
        "preview": preview,
    }
    return form_page(request, "games/penalty/penalty.html", form, **context)


def _teams(state: PublicState) -> list[tuple[str, str, list[Player]]]:
    """The teams of this round, else of the last one, that have several players: value, name, players."""
    current, players = state.current, players_of(state.setup)
    teams = current.teams if current is not None and current.teams else None
    if teams is None and state.finished:
        teams = state.finished[-1].teams
    return [
        ("-".join(map(str, seats)), words.listing([players[seat].name for seat in seats]), [players[s] for s in seats])
        for seats in ((teams.own, teams.other) if teams else ())
        if len(seats) > 1
    ]

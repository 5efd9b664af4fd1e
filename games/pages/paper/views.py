"""A finished game from paper: entered with its totals or its rounds, and corrected."""

from __future__ import annotations

from datetime import timedelta

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from games.errors import GameLocked
from games.groups import lists
from games.keys import limits, sessions
from games.keys.addresses import client_address
from games.keys.write_rate import write_rate
from games.pages.errors import form_page, refusal_page
from games.pages.forms import form_context, form_id, new_request_id, once_of, request_of
from games.pages.guards import corrects
from games.pages.new.views import member_key, sit_down
from games.pages.occasion.forms import EVENING
from games.pages.paper.forms import ChangedPaperForm, NewPaperForm
from games.pages.table.paper_table import PaperTable
from games.rules import PRESETS, NjetError
from games.rules.errors import PaperNotHere
from games.rules.occasion import Occasion
from games.services import creation, tables
from games.texts import words


@require_http_methods(["GET", "POST"])
def new(request: HttpRequest) -> HttpResponse:
    """Enter a game that is over."""
    try:
        member = member_key(request, request.POST.get("group") or request.GET.get("group", ""))
    except NjetError as error:
        return refusal_page(request, error)
    shown = {"day": (timezone.localdate() - timedelta(days=1)).isoformat(), "time": EVENING}
    if member is not None:
        shown |= {"group": member.group_id, "preset": lists.usual_game(member.group)[0] or ""}
    form = NewPaperForm(request.POST if request.method == "POST" else None, initial=shown)
    if form.is_valid():
        with form.refusals():
            setup, occasion = form.setup(), Occasion.of(**form.occasion)
            if member is None:
                limits.count_stranger(client_address(request), limits.CREATIONS)
            else:
                write_rate.count(member)
            created = creation.enter_finished(
                setup=setup,
                occasion=occasion,
                creator_label=request.POST.get("label", ""),
                once=once_of(request),
                group_id=None if member is None else member.group_id,
                through=member,
            )
            return sit_down(request, created)
    if member is None:
        known = list(lists.known_names(sessions.key_ids(request.session)))
    else:
        known = [player.name for player in lists.players_of(member.group) if player.erased_at is None]
    return form_page(
        request,
        "games/paper/new.html",
        form,
        known=known,
        presets=[(key, words.preset_name(key)) for key in PRESETS],
        preset=form.typed("preset"),
        group=None if member is None else member.group,
        request_id=form_id(request.POST) or new_request_id(),
    )


@require_http_methods(["GET", "POST"])
@corrects
def correct(request: HttpRequest, table: PaperTable) -> HttpResponse:
    """Correct the totals or rounds of a game from paper."""
    if table.ledger.locked:
        raise GameLocked()
    if table.ledger.current_setup.paper is None:
        raise PaperNotHere()
    form = ChangedPaperForm(request.POST if request.method == "POST" else None, table.ledger)
    if form.is_valid():
        with form.refusals():
            tables.correct_setup(
                game_id=table.game.pk,
                actor=table.key,
                request=request_of(request.POST),
                paper=form.cleaned_data["paper"],
            )
            return redirect("games:sheet", table.game.pk)
    return form_page(request, "games/paper/correct.html", form, **form_context(table.ledger))

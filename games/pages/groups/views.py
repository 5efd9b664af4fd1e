"""The pages of a group: its own page, its history and its evenings; and founding one."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.http import urlencode
from django.views.decorators.http import require_GET, require_http_methods

from games.errors import NotFound
from games.formats import csv
from games.groups import history as results
from games.groups import lists
from games.groups.history import Page
from games.keys import limits, sessions
from games.keys.addresses import client_address
from games.models import GroupKey
from games.pages import downloads
from games.pages.base_table import Table
from games.pages.errors import form_page, no_table
from games.pages.forms import form_id, new_request_id, once_of
from games.pages.groups.forms import GroupForm
from games.pages.groups.page import COLUMNS, csv_rows, evening_page, rows_of
from games.pages.guards import in_group, sees_table
from games.pages.home.page import running_card
from games.pages.parts.filters import HistoryForm, filter_choices
from games.pages.statistics.page import best_of
from games.rules.errors import WrongType
from games.services import groups

LATEST = 3
BEST = 3


@require_http_methods(["GET", "POST"])
def found(request: HttpRequest) -> HttpResponse:
    """Found a group: its browser is the owner."""
    form = GroupForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        with form.refusals():
            limits.count_stranger(client_address(request), limits.FOUNDATIONS)
            name, label = form.cleaned_data["name"], form.cleaned_data["label"]
            key = groups.create_group(name=name, creator_label=label, once=once_of(request))
            sessions.remember_group(request.session, key)
            return redirect("games:group", key.group_id)
    return form_page(request, "games/groups/new.html", form, request_id=form_id(request.POST) or new_request_id())


@require_GET
@in_group
def group(request: HttpRequest, key: GroupKey) -> HttpResponse:
    """The group's own page: what is being played, what was played last, where everything else is."""
    page = results.page_of(key.group_id, size=LATEST)
    context = {
        "key": key,
        "running": [running_card(game) for game in lists.running_in(key.group)],
        "rows": rows_of(page.games),
        "more": page.following is not None,
        "evening": page.games[0].pk if page.games else None,
        "best": best_of(key.group, most=BEST) if page.games else [],
    }
    return render(request, "games/groups/group.html", context)


@require_GET
@in_group
def history(request: HttpRequest, key: GroupKey) -> HttpResponse:
    """Every finished game, newest first, filtered and page by page."""
    form = HistoryForm(request.GET, lists.seasons_of(key.group))
    context: dict[str, object] = {"key": key, "choices": filter_choices(form, lists.players_of(key.group))}
    if form.is_valid():
        with form.refusals():
            page = _page(request, key, form)
            context |= {
                "rows": rows_of(page.games),
                "following": _page_link(form, page.following),
                "previous": _page_link(form, page.previous),
            }
    return form_page(request, "games/groups/history.html", form, **context)


@require_GET
@in_group
def games_csv(request: HttpRequest, key: GroupKey) -> HttpResponse:
    """Every finished game as a file for spreadsheets."""
    rows = csv_rows(results.all_of(key.group_id))
    name = downloads.named("njet-games", timezone.now(), key.group_id, "csv")
    return downloads.spreadsheet(csv.written(COLUMNS, rows, delimiter=downloads.delimiter_of(request)), name=name)


def _page(request: HttpRequest, key: GroupKey, form: HistoryForm) -> Page:
    filters = form.filters
    person = lists.person_of(key.group, filters.player) if filters.player else None
    if person is not None:
        filters = replace(filters, player=person.pk)
    try:
        return results.page_of(key.group_id, filters, cursor=request.GET.get("cursor"))
    except WrongType as refusal:
        if refusal.params["field"] != "cursor":
            raise
        # An address that was shortened on its way: the list from its beginning helps more than a refusal.
        return results.page_of(key.group_id, filters)


def _page_link(form: HistoryForm, cursor: str | None) -> str:
    return "" if cursor is None else f"?{urlencode({**form.query, 'cursor': cursor})}"


@require_GET
@in_group
def evening(request: HttpRequest, key: GroupKey, game_id: str) -> HttpResponse:
    """The games of one evening, and its standings."""
    evening = results.evening_of(key.group_id, game_id)
    if evening is None:
        return no_table(request)
    return render(request, "games/groups/evening.html", {"key": key, "page": evening_page(evening)})


@require_GET
@sees_table
def evening_of_table(request: HttpRequest, table: Table) -> HttpResponse:
    """The evening that a table belongs to: that of its group, or the rematches that this browser may see."""
    if table.game.facts is not None:
        with suppress(NotFound):
            sessions.group_key_of_session(request.session, str(table.game.group_id))
            return redirect("games:evening", table.game.group_id, table.game.pk)
    evening = results.rematches_of(table.game, sessions.key_ids(request.session))
    if evening is None:
        return redirect("games:table", table.game.pk)
    return render(request, "games/groups/evening.html", {"game_id": table.game.pk, "page": evening_page(evening)})

"""Many games from paper at once, out of a spreadsheet."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods

from games.groups import lists
from games.models import GroupKey
from games.pages.errors import form_page
from games.pages.guards import in_group_plays
from games.pages.paper_list.forms import ListForm
from games.rules import DEFAULT_PRESET
from games.services import creation


@require_http_methods(["GET", "POST"])
@in_group_plays
def listed(request: HttpRequest, key: GroupKey) -> HttpResponse:
    """Enter many games at once, from a spreadsheet; what each line becomes is shown first."""
    data, files = (request.POST, request.FILES) if request.method == "POST" else (None, None)
    form = ListForm(data, files, lists.usual_game(key.group)[0] or DEFAULT_PRESET)
    if form.is_valid():
        with form.refusals():
            results = form.ask(lists.mistakable(key.group, form.read()))
            form.settle(lists.are_there(key.group, results))
            if form.cleaned_data["sure"] and form.is_ready:
                creation.enter_all(games=form.games, group_id=key.group_id, through=key)
                return redirect("games:group_games", key.group_id)
    return form_page(
        request, "games/paper_list/list.html", form if form.is_bound else None, group=key.group, shown=form
    )

"""The seasons of a group: list, name and days of one, deleting one."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods, require_POST

from games.groups import lists, selections
from games.keys import permissions
from games.models import GroupKey
from games.pages.errors import form_page
from games.pages.guards import in_group, in_group_plays
from games.pages.seasons.forms import SeasonForm
from games.services import seasons as services


@require_http_methods(["GET", "POST"])
@in_group
def seasons(request: HttpRequest, key: GroupKey) -> HttpResponse:
    """The seasons of the group; members can add one."""
    form = SeasonForm(request.POST if request.method == "POST" else None)
    if request.method == "POST":
        permissions.require(permissions.plays_in_group, key)
    if form.is_valid():
        with form.refusals():
            services.create_season(group_id=key.group_id, **form.season)
            return redirect("games:seasons", key.group_id)
    return form_page(request, "games/seasons/seasons.html", form, key=key, seasons=lists.seasons_of(key.group))


@require_http_methods(["GET", "POST"])
@in_group_plays
def edit(request: HttpRequest, key: GroupKey, season_id: int) -> HttpResponse:
    """The name and the days of a season, and the way to delete it."""
    season = selections.season_of(key.group, season_id)
    days = {"since": season.since.isoformat(), "until": season.until.isoformat() if season.until else ""}
    form = SeasonForm(request.POST if request.method == "POST" else None, initial={"name": season.name, **days})
    if form.is_valid():
        with form.refusals():
            services.change_season(group_id=key.group_id, season_id=season.pk, **form.season)
            return redirect("games:seasons", key.group_id)
    return form_page(request, "games/seasons/edit.html", form, key=key, season=season)


@require_POST
@in_group_plays
def delete(request: HttpRequest, key: GroupKey, season_id: int) -> HttpResponse:
    """Delete a season.  Its games stay, so it can be made again."""
    services.delete_season(group_id=key.group_id, season_id=season_id)
    return redirect("games:seasons", key.group_id)

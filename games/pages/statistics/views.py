"""The statistics of a group, of a player and of a pair, also those of some games."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.http import require_GET

from games.groups import lists, selections, statistics_queries, totals
from games.groups.statistics.summary import GroupSummary
from games.models import GroupKey
from games.pages.errors import form_page
from games.pages.guards import in_group
from games.pages.parts.filters import FilterForm, filter_choices
from games.pages.statistics.page import GroupPage, group_page
from games.pages.statistics.people import PairPage, PlayerPage, pair_page, player_page
from games.services import groups
from games.texts.statistics import still_to_rate


@require_GET
@in_group
def group_statistics(request: HttpRequest, key: GroupKey) -> HttpResponse:
    """The ranking, and the figures of the group's rounds; of some games the standings instead of the ranking."""
    form = FilterForm(request.GET, lists.seasons_of(key.group))
    page = None
    if form.is_valid():
        with form.refusals():
            page = _group_page(key, form)
    return _filtered_page(request, "games/statistics/group.html", key, form, page)


def _group_page(key: GroupKey, form: FilterForm) -> GroupPage:
    if form.query:
        some = selections.group_in(key.group, form.filters)
        return group_page(some.summary, standings=some.standings)
    waiting = _still_to_rate(key)
    return group_page(GroupSummary.of(key.group.figures), statistics_queries.players_of(key.group), waiting=waiting)


@require_GET
@in_group
def player(request: HttpRequest, key: GroupKey, player_id: str) -> HttpResponse:
    """One player, under the name that holds their games now."""
    form = FilterForm(request.GET, lists.seasons_of(key.group))
    # The player is read afterwards, with the new rating.
    waiting = "" if form.query else _still_to_rate(key)
    (found,) = statistics_queries.people_of(key.group, player_id)
    if found.pk != player_id:
        query = request.GET.urlencode()
        return redirect(f"{reverse('games:player', args=[key.group_id, found.pk])}{query and '?'}{query}")
    page = None
    if form.is_valid():
        with form.refusals():
            latest = () if form.query else statistics_queries.latest_games(found)
            selection = selections.player_in(key.group, found, form.filters)
            page = player_page(selection, latest, waiting=waiting)
    of_games = urlencode({"player": found.pk, **form.query})
    return _filtered_page(request, "games/statistics/player.html", key, form, page, player=found, games_query=of_games)


@require_GET
@in_group
def pair(request: HttpRequest, key: GroupKey, one_id: str, other_id: str) -> HttpResponse:
    """Two players.  In either order, and after a merge, it is one page."""
    one, other = statistics_queries.people_of(key.group, one_id, other_id)
    ids = sorted({one.pk, other.pk})
    query = f"?{request.GET.urlencode()}" if request.GET else ""
    if len(ids) == 1:
        return redirect(f"{reverse('games:player', args=[key.group_id, ids[0]])}{query}")
    if [one_id, other_id] != ids:
        return redirect(f"{reverse('games:pair', args=[key.group_id, *ids])}{query}")
    form = FilterForm(request.GET, lists.seasons_of(key.group))
    page = None
    if form.is_valid():
        with form.refusals():
            page = pair_page(selections.pair_in(key.group, one, other, form.filters))
    people = sorted((one, other), key=lambda each: (each.name, each.pk))
    return _filtered_page(request, "games/statistics/pair.html", key, form, page, people=people)


def _filtered_page(
    request: HttpRequest,
    template: str,
    key: GroupKey,
    form: FilterForm,
    page: GroupPage | PlayerPage | PairPage | None,
    **context: object,
) -> HttpResponse:
    """A page with its filters.  Without a `page` they are refused, and no other figures take their place."""
    query = f"?{urlencode(form.query)}" if form.query else ""
    return form_page(request, template, form, key=key, page=page, choices=filter_choices(form), query=query, **context)


def _still_to_rate(key: GroupKey) -> str:
    """How many games are still not rated, after this view has rated some of them."""
    return still_to_rate(groups.rate_waiting_games(key.group), at_most=totals.UNRATED_AT_MOST)

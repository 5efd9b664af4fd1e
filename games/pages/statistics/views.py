"""The statistics of a group, of a player and of a pair."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET

from games.groups import statistics_queries, totals
from games.groups.statistics.summary import GroupSummary
from games.models import GroupKey
from games.pages.guards import in_group
from games.pages.statistics.page import group_page
from games.pages.statistics.people import pair_page, player_page
from games.services import groups
from games.texts.statistics import still_to_rate


@require_GET
@in_group
def group_statistics(request: HttpRequest, key: GroupKey) -> HttpResponse:
    """The ranking, and the figures of the group's rounds."""
    waiting = _still_to_rate(key)
    summary, players = GroupSummary.of(key.group.figures), statistics_queries.players_of(key.group)
    page = group_page(summary, players, waiting=waiting)
    return render(request, "games/statistics/group.html", {"key": key, "page": page})


@require_GET
@in_group
def player(request: HttpRequest, key: GroupKey, player_id: str) -> HttpResponse:
    """One player, under the name that holds their games now."""
    # The player is read afterwards, with the new rating.
    waiting = _still_to_rate(key)
    (found,) = statistics_queries.people_of(key.group, player_id)
    if found.pk != player_id:
        return redirect("games:player", key.group_id, found.pk)
    page = player_page(
        statistics_queries.CountedPlayer.of(found),
        GroupSummary.of(key.group.figures),
        statistics_queries.companions_of(found),
        statistics_queries.latest_games(found),
        waiting=waiting,
    )
    return render(request, "games/statistics/player.html", {"key": key, "page": page})


@require_GET
@in_group
def pair(request: HttpRequest, key: GroupKey, one_id: str, other_id: str) -> HttpResponse:
    """Two players.  In either order, and after a merge, it is one page."""
    one, other = statistics_queries.people_of(key.group, one_id, other_id)
    ids = sorted({one.pk, other.pk})
    if len(ids) == 1:
        return redirect("games:player", key.group_id, ids[0])
    if [one_id, other_id] != ids:
        return redirect("games:pair", key.group_id, *ids)
    page = pair_page(statistics_queries.of_pair(one, other))
    return render(request, "games/statistics/pair.html", {"key": key, "page": page})


def _still_to_rate(key: GroupKey) -> str:
    """How many games are still not rated, after this view has rated some of them."""
    return still_to_rate(groups.rate_waiting_games(key.group), at_most=totals.UNRATED_AT_MOST)

"""The players of a group: list, name and favourite token, merging two, erasing a name."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from games.errors import status_of
from games.groups import lists
from games.keys import permissions
from games.models import GroupKey, Player
from games.pages.errors import form_page
from games.pages.guards import in_group, in_group_owns, in_group_plays
from games.pages.players.forms import PlayerForm
from games.rules import NjetError
from games.services import group_players
from games.texts import refusals, words


@require_http_methods(["GET", "POST"])
@in_group
def players(request: HttpRequest, key: GroupKey) -> HttpResponse:
    """The players of the group; members can add one."""
    form = PlayerForm(request.POST if request.method == "POST" else None)
    if request.method == "POST":
        permissions.require(permissions.plays_in_group, key)
    if form.is_valid():
        with form.refusals():
            group_players.add_player(group_id=key.group_id, **form.cleaned_data)
            return redirect("games:players", key.group_id)
    # Those who have chosen no token have the colour of their last game, as in the statistics.
    worn = lists.last_tokens(key.group)
    known = [(player, player.token or worn.get(player.pk)) for player in lists.players_of(key.group)]
    return form_page(request, "games/players/players.html", form, key=key, tokens=words.TOKEN_NAMES, players=known)


@require_http_methods(["GET", "POST"])
@in_group_plays
def edit_player(request: HttpRequest, key: GroupKey, player_id: str) -> HttpResponse:
    """A player's name and favourite token; for owners also the way to merge or erase the player."""
    player = _player(key, player_id)
    initial = {"name": player.name, "token": player.token}
    form = PlayerForm(request.POST if request.method == "POST" else None, initial=initial)
    if form.is_valid():
        with form.refusals():
            group_players.change_player(group_id=key.group_id, player_id=player.pk, **form.cleaned_data)
            return redirect("games:players", key.group_id)
    others = [each for each in lists.players_of(key.group) if each.pk != player.pk]
    context = {"key": key, "player": player, "tokens": words.TOKEN_NAMES, "others": others}
    return form_page(request, "games/players/player_edit.html", form, **context)


@require_http_methods(["GET", "POST"])
@in_group_owns
def merge_player(request: HttpRequest, key: GroupKey, player_id: str) -> HttpResponse:
    """Merge a player into another.  It is confirmed first: it cannot be undone."""
    player, into = _player(key, player_id), _player(key, request.POST.get("into") or request.GET.get("into", ""))
    if into.pk == player.pk:
        raise Http404
    context: dict[str, object] = {"key": key, "player": player, "into": into}
    if request.method == "GET":
        return render(request, "games/players/player_merge.html", context)
    try:
        group_players.merge_players(group_id=key.group_id, player_id=player.pk, into_id=into.pk)
    except NjetError as error:
        context["refused"] = refusals.error_sentence(error)
        return render(request, "games/players/player_merge.html", context, status=status_of(error))
    return redirect("games:player", key.group_id, into.pk)


@require_http_methods(["GET", "POST"])
@in_group_owns
def erase_player(request: HttpRequest, key: GroupKey, player_id: str) -> HttpResponse:
    """Erase a player's name from every sheet.  It is confirmed first: it cannot be undone."""
    player = _player(key, player_id)
    if request.method == "GET":
        return render(request, "games/players/player_erase.html", {"key": key, "player": player})
    group_players.erase_player(group_id=key.group_id, player_id=player.pk)
    return redirect("games:players", key.group_id)


def _player(key: GroupKey, player_id: str) -> Player:
    player = lists.player_of(key.group, player_id)
    if player is None:
        raise Http404
    return player

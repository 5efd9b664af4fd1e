"""A game or a group in the bin: to restore it, or to delete it permanently.  Without a key of it, it does not exist."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from games.errors import NotFound
from games.keys import permissions, sessions
from games.pages.errors import no_group, no_table, refusal_page
from games.pages.guards import require_deletes
from games.pages.home.page import deleted_game, deleted_group
from games.pages.rematch import sits_at
from games.rules import NjetError
from games.services import deletion


@require_http_methods(["GET", "POST"])
def game(request: HttpRequest, game_id: str) -> HttpResponse:
    """A game in the bin.  Who recorded it restores it; who may delete it does so permanently."""
    try:
        key = sessions.key_in_bin(request.session, game_id)
    except NotFound:
        # Another phone has restored it.
        return redirect("games:table", game_id) if sits_at(request.session, game_id) else no_table(request)

    def require_may_delete() -> None:
        permissions.require(permissions.records, key)
        require_deletes(request.session, key)

    try:
        if "restore" in request.POST:
            permissions.require(permissions.records, key)
            deletion.restore_game(game_id=game_id, actor=key)
            return redirect("games:table", game_id)
        if request.method == "POST":
            require_may_delete()
            deletion.delete_game_permanently(game_id=game_id)
            sessions.forget(request.session, game_id)
            return redirect("games:home")
    except NotFound:
        return redirect("games:table", game_id)
    except NjetError as error:
        return refusal_page(request, error)
    context = {
        "deleted": deleted_game(key.game),
        "may_restore": key.may_record,
        "may_delete": _is_permitted(require_may_delete),
    }
    return render(request, "games/bin/deleted.html", context)


@require_http_methods(["GET", "POST"])
def group(request: HttpRequest, group_id: str) -> HttpResponse:
    """A group in the bin.  An owner restores it, or deletes it permanently."""
    try:
        key = sessions.group_key_in_bin(request.session, group_id)
    except NotFound:
        if sessions.own_group_key(request.session, group_id) is None:
            return no_group(request)
        return redirect("games:group", group_id)
    try:
        if request.method == "POST":
            permissions.require(permissions.owns_group, key)
        if "restore" in request.POST:
            deletion.restore_group(group_id=group_id, actor=key)
            return redirect("games:group", group_id)
        if request.method == "POST":
            deletion.delete_group_permanently(group_id=group_id)
            sessions.forget_group(request.session, group_id)
            return redirect("games:home")
    except NotFound:
        return redirect("games:group", group_id)
    except NjetError as error:
        return refusal_page(request, error)
    context = {"deleted": deleted_group(key), "may_restore": key.owns, "may_delete": key.owns}
    return render(request, "games/bin/deleted.html", context)


def _is_permitted(demand: Callable[[], None]) -> bool:
    try:
        demand()
    except NjetError:
        return False
    return True

"""The tables of a group: how members enter a table, and how a table joins or leaves a group."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from games.errors import Forbidden, OwnersOnly, SeatTaken
from games.keys import invitations, permissions, sessions
from games.models import Game, GroupKey, Mode, Role
from games.pages.agreement import to_agree
from games.pages.base_table import Table
from games.pages.errors import no_table, refusal_page
from games.pages.guards import records
from games.pages.parts.players import names_of
from games.pages.seats import views as seats
from games.rules import NjetError
from games.services import groups


@require_http_methods(["GET", "POST"])
def enter(request: HttpRequest, game_id: str) -> HttpResponse:
    """Let a member enter a table of the group.  A GET changes nothing."""
    try:
        key, game = sessions.group_key_for_game(request.session, game_id)
        digital = game.mode == Mode.DIGITAL
        if request.method == "POST":
            return _entered(request, key, game, digital=digital)
    except (Forbidden, SeatTaken) as error:
        return refusal_page(request, error, game_id)
    except NjetError:
        return no_table(request)
    if game.finished_at is not None and "sit" not in request.GET:
        return redirect("games:sheet", game_id)
    context = {
        "group": key.group,
        "key": key,
        "game": game,
        "names": names_of(game),
        "to_agree": to_agree(game),
        "may_record": key.may_play and not digital,
        "free": seats.free_seats(game) if key.may_play and digital else [],
    }
    return render(request, "games/group_tables/enter.html", context)


def _entered(request: HttpRequest, key: GroupKey, game: Game, *, digital: bool) -> HttpResponse:
    if digital and request.POST.get("seat"):
        return seats.sit_free(request, key, game.pk, request.POST["seat"])
    # The host of a digital game invites to every seat: no member becomes the host.
    records_it = request.POST.get("role") == Role.SCOREKEEPER and not digital
    role = Role.SCOREKEEPER if records_it else Role.VIEWER
    invitations.enter(key=key, session=request.session, game_id=game.pk, role=role)
    return redirect("games:table", game.pk)


@require_http_methods(["GET", "POST"])
@records
def adopt(request: HttpRequest, table: Table) -> HttpResponse:
    """Take this table into a group, or out of it."""
    held = [key for key in sessions.group_keys(request.session) if key.may_play]
    own = next((key for key in held if key.group_id == table.game.group_id), None)
    if request.method == "GET":
        context = {
            "game_id": table.game.pk,
            "group": table.game.present_group,
            "groups": [key.group for key in held],
            "own": own,
            "names": names_of(table.game),
        }
        return render(request, "games/group_tables/adopt.html", context)
    if "release" in request.POST:
        if own is None or not own.owns:
            raise OwnersOnly()
        groups.release(group_id=own.group_id, game_id=table.game.pk)
    else:
        key = sessions.group_key_of_session(request.session, request.POST.get("group", ""))
        permissions.require(permissions.plays_in_group, key)
        groups.adopt(group_id=key.group_id, game_id=table.game.pk)
    return redirect("games:adopt", table.game.pk)

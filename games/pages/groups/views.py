"""The pages of a group: its tables, players, keys, history and evenings.

Knows: which page answers what.  Must not know: how a result is counted, what a key is worth.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from games.club import history as results
from games.club import lists
from games.errors import Forbidden, NotFound, OwnersOnly, SeatTaken, status_of
from games.keys import invitations, permissions, registry, sessions
from games.models import GroupRole, Mode, Role
from games.pages import forms
from games.pages.groups.page import evening_page, filter_choices, rows_of
from games.pages.guards import Club, Table, at_table, in_group, no_table, owns, plays, records, refusal_page, sees_table
from games.pages.parts.invitation import invitation_page
from games.pages.seats import views as seats
from games.rules import NjetError
from games.rules.errors import WrongType
from games.services import group_players, groups
from games.texts import words

LATEST = 5


@require_http_methods(["GET", "POST"])
def found(request: HttpRequest) -> HttpResponse:
    """Found a group: its browser is the owner."""
    context = {"name": request.POST.get("name", ""), "label": request.POST.get("label", "")}
    if request.method == "GET":
        return render(request, "games/groups/new.html", context)
    try:
        key = groups.create_group(name=context["name"], creator_label=context["label"])
    except NjetError as error:
        context["refused"] = words.error_sentence(error)
        return render(request, "games/groups/new.html", context, status=status_of(error))
    sessions.remember_group(request.session, key)
    return redirect("games:group", key.group_id)


@require_GET
@in_group
def group(request: HttpRequest, club: Club) -> HttpResponse:
    """The group's own page: what is being played, what was played last, where everything else is."""
    page = results.page_of(club.group.pk, size=LATEST)
    context = {
        "club": club,
        "running": lists.running_in(club.group),
        "rows": rows_of(page.games),
        "more": page.following is not None,
        "evening": page.games[0].pk if page.games else None,
    }
    return render(request, "games/groups/group.html", context)


@require_GET
@in_group
def history(request: HttpRequest, club: Club) -> HttpResponse:
    """Every finished game, newest first, filtered and page by page."""
    asked = forms.HistoryForm.read(request.GET)
    choices = filter_choices(asked, lists.players_of(club.group))
    context: dict[str, object] = {"club": club, "asked": asked, "choices": choices}
    try:
        filters = asked.filters()
        person = lists.person_of(club.group, asked.player) if asked.player else None
        if person is not None:
            filters = replace(filters, player=person.pk)
        page = results.page_of(club.group.pk, filters, cursor=request.GET.get("cursor"))
    except NjetError as error:
        context["refused"] = words.error_sentence(error)
        return render(request, "games/groups/history.html", context, status=status_of(error))
    kept = urlencode(asked.query())
    context |= {
        "rows": rows_of(page.games),
        "following": _page_link(kept, page.following),
        "previous": _page_link(kept, page.previous),
    }
    return render(request, "games/groups/history.html", context)


def _page_link(kept: str, cursor: str | None) -> str:
    return "" if cursor is None else f"?{kept}&{urlencode({'cursor': cursor})}" if kept else f"?cursor={cursor}"


@require_GET
@in_group
def evening(request: HttpRequest, club: Club, game_id: str) -> HttpResponse:
    """The games of one evening, and the table of the night."""
    evening = results.evening_of(club.group.pk, game_id)
    if evening is None:
        return no_table(request)
    return render(request, "games/groups/evening.html", {"club": club, "page": evening_page(evening)})


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


# --- players ---


@require_http_methods(["GET", "POST"])
@in_group
def players(request: HttpRequest, club: Club) -> HttpResponse:
    """The regulars; whoever plays can add one."""
    context: dict[str, object] = {
        "club": club,
        "tokens": words.TOKEN_NAMES,
        "name": request.POST.get("name", ""),
        "token": request.POST.get("token", ""),
    }
    status = 200
    if request.method == "POST":
        permissions.require(permissions.plays_in_group, club.key)
        try:
            group_players.add_player(group_id=club.group.pk, name=str(context["name"]), token=str(context["token"]))
            return redirect("games:players", club.group.pk)
        except NjetError as error:
            context["refused"], status = words.error_sentence(error), status_of(error)
    context["players"] = lists.players_of(club.group)
    return render(request, "games/groups/players.html", context, status=status)


@require_http_methods(["GET", "POST"])
@in_group
@plays
def edit_player(request: HttpRequest, club: Club, player_id: str) -> HttpResponse:
    """A player's name and favourite token; for owners: merge him into another, erase his name."""
    player = lists.player_of(club.group, player_id)
    if player is None:
        raise Http404
    context: dict[str, object] = {
        "club": club,
        "player": player,
        "name": request.POST.get("name", player.name),
        "token": request.POST.get("token", player.token),
        "tokens": words.TOKEN_NAMES,
        "others": [each for each in lists.players_of(club.group) if each.pk != player.pk],
    }
    if request.method == "GET":
        return render(request, "games/groups/player_edit.html", context)
    try:
        group_players.change_player(
            group_id=club.group.pk,
            player_id=player.pk,
            name=request.POST.get("name", ""),
            token=request.POST.get("token", ""),
        )
    except NjetError as error:
        context["refused"] = words.error_sentence(error)
        return render(request, "games/groups/player_edit.html", context, status=status_of(error))
    return redirect("games:players", club.group.pk)


@require_http_methods(["GET", "POST"])
@in_group
@owns
def merge_player(request: HttpRequest, club: Club, player_id: str) -> HttpResponse:
    """Let two names be one person.  It asks first: there is no way back."""
    player = lists.player_of(club.group, player_id)
    into = lists.player_of(club.group, request.POST.get("into") or request.GET.get("into", ""))
    if player is None or into is None or into.pk == player.pk:
        raise Http404
    context: dict[str, object] = {"club": club, "player": player, "into": into}
    if request.method == "GET":
        return render(request, "games/groups/player_merge.html", context)
    try:
        group_players.merge_players(group_id=club.group.pk, player_id=player.pk, into_id=into.pk)
    except NjetError as error:
        context["refused"] = words.error_sentence(error)
        return render(request, "games/groups/player_merge.html", context, status=status_of(error))
    return redirect("games:player", club.group.pk, into.pk)


@require_http_methods(["GET", "POST"])
@in_group
@owns
def erase_player(request: HttpRequest, club: Club, player_id: str) -> HttpResponse:
    """Take a name out of every sheet.  It asks first: there is no way back."""
    player = lists.player_of(club.group, player_id)
    if player is None:
        raise Http404
    if request.method == "GET":
        return render(request, "games/groups/player_erase.html", {"club": club, "player": player})
    group_players.erase_player(group_id=club.group.pk, player_id=player.pk)
    return redirect("games:players", club.group.pk)


# --- keys ---


@require_GET
@in_group
def keys(request: HttpRequest, club: Club) -> HttpResponse:
    """Who may do what in the group, how others come in, the tokens of programs."""
    return _keys_page(request, club)


@require_POST
@in_group
def invite(request: HttpRequest, club: Club) -> HttpResponse:
    """A QR code, a link and a code for somebody else.  Nobody invites to more than he may do himself."""
    role = _role(request)
    permissions.require(permissions.NEEDED_TO_INVITE[role], club.key)
    invitation = invitations.invite_to_group(group=club.group, role=role, maker=club.key)
    link = request.build_absolute_uri(reverse("games:join_link", args=[invitation.token]))
    return _keys_page(request, club, shown=invitation_page(invitation, link))


@require_POST
@in_group
@owns
def new_token(request: HttpRequest, club: Club) -> HttpResponse:
    """A key for a program, shown this once."""
    key = registry.issue(group=club.group, role=_role(request), label=request.POST.get("label", ""), program=True)
    return _keys_page(request, club, secret=key.secret, secret_of=key.label)


@require_POST
@in_group
@owns
def renew_token(request: HttpRequest, club: Club, key_id: int) -> HttpResponse:
    """Another secret for a program, shown this once; the old one opens nothing any more."""
    key = groups.renew_key(group_id=club.group.pk, key_id=key_id)
    return _keys_page(request, club, secret=key.secret, secret_of=key.label)


@require_POST
@in_group
def revoke(request: HttpRequest, club: Club, key_id: int) -> HttpResponse:
    """Take a key back.  Everybody may leave; the keys of others are taken by owners."""
    leaves = key_id == club.key.pk
    if not leaves and not club.key.owns:
        raise OwnersOnly()
    groups.revoke_key(group_id=club.group.pk, key_id=key_id)
    if not leaves:
        return redirect("games:group_keys", club.group.pk)
    sessions.forget_group(request.session, club.group.pk)
    return redirect("games:home")


@require_POST
@in_group
@owns
def rename(request: HttpRequest, club: Club) -> HttpResponse:
    """Call the group something else."""
    groups.rename_group(group_id=club.group.pk, name=request.POST.get("name", ""))
    return redirect("games:group_keys", club.group.pk)


@require_http_methods(["GET", "POST"])
@in_group
@owns
def dissolve(request: HttpRequest, club: Club) -> HttpResponse:
    """Dissolve the group.  It asks first: there is no way back."""
    if request.method == "GET":
        return render(request, "games/groups/dissolve.html", {"club": club})
    groups.delete_group(group_id=club.group.pk)
    sessions.forget_group(request.session, club.group.pk)
    return redirect("games:home")


def _role(request: HttpRequest) -> GroupRole:
    text = request.POST.get("role", "")
    if text not in GroupRole.values:
        raise WrongType(field="role", expected=" or ".join(GroupRole.values))
    return GroupRole(text)


def _keys_page(request: HttpRequest, club: Club, **shown: object) -> HttpResponse:
    devices, programs = lists.keys_of(club.group)
    context = {
        "club": club,
        "devices": devices,
        "programs": programs if club.key.owns else [],
        # The last owner cannot leave: he dissolves the group, or makes somebody else an owner first.
        "may_leave": not club.key.owns or sum(key.owns for key in [*devices, *programs]) > 1,
        **shown,
    }
    return render(request, "games/groups/keys.html", context)


# --- tables ---


@require_http_methods(["GET", "POST"])
def enter(request: HttpRequest, game_id: str) -> HttpResponse:
    """Sit down at a table of one's group.  Looking at the page changes nothing."""
    try:
        key, game = sessions.group_key_for_game(request.session, game_id)
        digital = game.mode == Mode.DIGITAL
        if request.method == "POST" and digital and request.POST.get("seat"):
            return seats.sit_free(request, key, game_id, request.POST["seat"])
        if request.method == "POST":
            # The host of a digital game invites to every seat: nobody becomes one by being of the group.
            records = request.POST.get("role") == Role.SCOREKEEPER and not digital
            role = Role.SCOREKEEPER if records else Role.VIEWER
            invitations.enter(key=key, session=request.session, game_id=game_id, role=role)
            return redirect("games:table", game_id)
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
        "names": lists.names_of(game),
        "digital": digital,
        "free": seats.free_seats(game) if digital and key.may_play else [],
    }
    return render(request, "games/groups/enter.html", context)


@require_http_methods(["GET", "POST"])
@at_table
@records
def adopt(request: HttpRequest, table: Table) -> HttpResponse:
    """Take this table into a group, or out of it."""
    held = [key for key in sessions.group_keys(request.session) if key.may_play]
    own = next((key for key in held if key.group_id == table.game.group_id), None)
    if request.method == "POST":
        if "release" in request.POST:
            if own is None or not own.owns:
                raise OwnersOnly()
            groups.release(group_id=own.group_id, game_id=table.game.pk)
        else:
            key = sessions.group_key_of_session(request.session, request.POST.get("group", ""))
            permissions.require(permissions.plays_in_group, key)
            groups.adopt(group_id=key.group_id, game_id=table.game.pk)
        return redirect("games:adopt", table.game.pk)
    context = {
        "game_id": table.game.pk,
        "game": table.game,
        "groups": [key.group for key in held],
        "own": own,
        "names": lists.names_of(table.game),
    }
    return render(request, "games/groups/adopt.html", context)

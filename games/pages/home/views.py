"""Coming in: the tables of this device, a new table, joining one."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_http_methods

from games.club import lists
from games.errors import NotFound, status_of
from games.keys import invitations, permissions, sessions
from games.keys.addresses import client_address
from games.models import GroupInvite, GroupKey, Invite, Mode, Role
from games.pages.forms import NewTable, form_id, new_request_id
from games.pages.guards import no_table, refusal_page
from games.pages.new.page import new_table_page
from games.pages.pwa import KEEP
from games.pages.seats import views as seats
from games.rules import DEFAULT_PRESET, NjetError, find_preset
from games.services import creation
from games.services.creation import Created
from games.texts import words


@require_GET
def home(request: HttpRequest) -> HttpResponse:
    """The tables that this device knows."""
    tables = lists.tables_of(sessions.key_ids(request.session))
    context = {"tables": tables, "groups": [key.group for key in sessions.group_keys(request.session)]}
    response = render(request, "games/home/home.html", context)
    if settings.HTTPS:
        # An installed application opens here, also without a line.
        response[KEEP] = "page"
    return response


@require_http_methods(["GET", "POST"])
def new(request: HttpRequest) -> HttpResponse:
    """Open a table.  The buttons for presets, known names and drawing the dealer only change what is typed."""
    if request.method == "GET":
        return _new_page(request, _blank(request, request.GET.get("group", "")))
    typed = NewTable.read(request.POST)
    if {"switch", "add", "bot", "draw"} & set(request.POST):
        return _new_page(request, _changed(typed, request))
    try:
        club = _club(request, typed)
        created = creation.create_game(
            setup=typed.setup(),
            bots=typed.bots,
            own_seats=typed.own_seats,
            creator_label=request.POST.get("label") or typed.phone,
            once=once_of(request),
            group_id=None if club is None else club.group_id,
            through=club,
        )
    except NjetError as error:
        sentence = words.error_sentence(error)
        return _new_page(request, typed, refused=sentence, status=status_of(error))
    answer = sit_down(request, created)
    everybody_sits = set(typed.people) <= {key.seat for key in created.seats}
    # Who plays on a phone of his own is invited first.
    return answer if everybody_sits else redirect("games:phones", created.game.pk)


def sit_down(request: HttpRequest, created: Created) -> HttpResponse:
    """Lead a browser to the table that it has opened.  Whose key was taken back meanwhile comes to a closed door."""
    if created.creator is not None:
        sessions.remember_made(request.session, created.creator)
        sessions.remember_seats(request.session, created.seats)
    return redirect("games:table", created.game.pk)


def _blank(request: HttpRequest, group_id: str) -> NewTable:
    """Nothing typed yet.  A group plays by the rules that it played by last, with the cards where they were."""
    with suppress(NjetError):
        if group_id:
            group = sessions.group_key_of_session(request.session, group_id).group
            preset, mode = lists.usual_game(group)
            return NewTable.blank(preset or DEFAULT_PRESET, group_id, digital=mode == Mode.DIGITAL)
    return NewTable.blank(group=group_id)


def _club(request: HttpRequest, typed: NewTable) -> GroupKey | None:
    """The key of the group that the table is opened in.

    Errors: `NotFound`, `Forbidden`.
    """
    if not typed.group:
        return None
    key = sessions.group_key_of_session(request.session, typed.group)
    permissions.require(permissions.plays_in_group, key)
    return key


def once_of(request: HttpRequest) -> str | None:
    """What a double tap has in common.  Another browser has not the mark, so that its form is another one."""
    browser, form = sessions.known_browser(request.session), form_id(request.POST)
    return f"{browser} {form}" if browser and form else None


def _changed(typed: NewTable, request: HttpRequest) -> NewTable:
    if "switch" in request.POST:
        return replace(typed, preset=request.POST["switch"], tokens=[""] * len(typed.names), options={})
    if "draw" in request.POST and typed.seated:
        return replace(typed, dealer=secrets.choice(typed.seated))
    if "bot" in request.POST:
        return typed.with_bot(request.POST["bot"])
    return _with_name(typed, request.POST.get("add", ""), _favourites(request, typed))


def _with_name(typed: NewTable, added: str, favourites: Mapping[str, str]) -> NewTable:
    names, tokens, place = list(typed.names), list(typed.tokens), typed.free_place
    if added and added not in names and place is not None:
        names[place] = added
        if favourites.get(added, "") not in tokens:
            tokens[place] = favourites.get(added, "")
    return replace(typed, names=names, tokens=tokens)


def _favourites(request: HttpRequest, typed: NewTable) -> dict[str, str]:
    """The favourite tokens of the group's players, as far as the game has them."""
    with suppress(NjetError):
        club = _club(request, typed)
        tokens = find_preset(typed.preset).edition.tokens
        people = lists.players_of(club.group) if club is not None else []
        return {player.name: player.token for player in people if player.token in tokens}
    return {}


def _new_page(request: HttpRequest, typed: NewTable, *, refused: str = "", status: int = 200) -> HttpResponse:
    try:
        club = _club(request, typed)
    except NjetError as error:
        return refusal_page(request, error)
    if club is None:
        known = lists.known_names(sessions.key_ids(request.session))
    else:
        # Who asked to be forgotten is offered no seat.
        known = [player.name for player in lists.players_of(club.group) if player.erased_at is None]
    try:
        page = new_table_page(typed, known=known, drawn="draw" in request.POST)
    except NjetError:
        page = new_table_page(replace(typed, preset=DEFAULT_PRESET), known=known)
    sessions.browser_of(request.session)
    context = {
        "page": page,
        "group": None if club is None else club.group,
        "refused": refused,
        "request_id": form_id(request.POST) or new_request_id(),
    }
    return render(request, "games/new/new.html", context, status=status)


@require_http_methods(["GET", "POST"])
def join(request: HttpRequest) -> HttpResponse:
    """Join with a typed code: first the code, then who sits here."""
    if request.method == "GET":
        return render(request, "games/join/join.html", {})
    code = request.POST.get("code", "")
    return _join(request, code=code)


@require_http_methods(["GET", "POST"])
def join_link(request: HttpRequest, token: str) -> HttpResponse:
    """Join with a link.  Looking at it changes nothing; the button claims the seat and leads to a clean address."""
    return _join(request, token=token)


def _join(request: HttpRequest, *, code: str = "", token: str = "") -> HttpResponse:
    try:
        invite = invitations.find_invite(address=client_address(request), code=code, token=token)
    except NjetError as error:
        context = {"refused": words.error_sentence(error), "code": code}
        return render(request, "games/join/join.html", context, status=status_of(error))
    try:
        return _let_in(request, invite, code)
    except NotFound:
        # Deleted meanwhile.
        return no_table(request)
    except NjetError as error:
        return refusal_page(request, error)


def _let_in(request: HttpRequest, invite: Invite | GroupInvite, code: str) -> HttpResponse:
    asks = request.method == "GET" or "sit" not in request.POST
    if isinstance(invite, Invite) and invite.role == Role.SEAT:
        return seats.seat_welcome(request, invite, code) if asks else seats.sit_down(request, invite)
    if asks:
        return _welcome(request, invite, code)
    label = request.POST.get("label", "")
    if isinstance(invite, GroupInvite):
        invitations.join(session=request.session, invite=invite, label=label)
        return redirect("games:group", invite.group_id)
    invitations.join(session=request.session, invite=invite, label=label)
    return redirect("games:table", invite.game_id)


def _welcome(request: HttpRequest, invite: Invite | GroupInvite, code: str) -> HttpResponse:
    if isinstance(invite, GroupInvite):
        context: dict[str, object] = {"group": invite.group, "role": invite.role, "code": code}
        return render(request, "games/join/welcome_group.html", context)
    names = lists.names_of(invite.game)
    context = {"names": names, "listed": words.listing(names), "role": invite.role, "code": code}
    return render(request, "games/join/welcome.html", context)

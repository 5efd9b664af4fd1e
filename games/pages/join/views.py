"""Joining a table or a group, with a link or a typed code."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods

from games.errors import InviteNotValid, NotFound, TooManyRequests
from games.keys import invitations
from games.keys.addresses import client_address
from games.models import GroupInvite, GroupKey, Invite, Key, Mode, Role, Status
from games.pages.agreement import to_agree
from games.pages.errors import form_page, no_table, refusal_page
from games.pages.forms import LONGEST_NUMBER, Form, new_request_id, once_of
from games.pages.join.forms import JoinForm
from games.pages.parts.invitation import TO_BOARD
from games.pages.parts.players import seated
from games.pages.seats import views as seats
from games.rules import NjetError
from games.texts import words


@require_http_methods(["GET", "POST"])
def join(request: HttpRequest) -> HttpResponse:
    """Join with a typed code: first the code, then who sits here."""
    form = JoinForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        return _join(request, form, code=form.cleaned_data["code"])
    return _asks_code(request, form)


@require_GET
def tv(request: HttpRequest) -> HttpResponse:
    """The page that asks for a code, at an address for a television: short, and it leads to the big board."""
    return redirect(f"{reverse('games:join')}?{TO_BOARD}")


@require_http_methods(["GET", "POST"])
def join_link(request: HttpRequest, token: str) -> HttpResponse:
    """Join with a link.  A GET changes nothing; the button claims the seat."""
    # Nothing is typed: a refusal is about no field.
    return _join(request, Form({}), token=token)


def _join(request: HttpRequest, form: Form, *, code: str = "", token: str = "") -> HttpResponse:
    once = once_of(request)
    try:
        invite = invitations.find_invite(address=client_address(request), code=code, token=token)
        return _let_in(request, invite, code, once)
    except (InviteNotValid, TooManyRequests) as error:
        key = invitations.key_of_spent(session=request.session, once=once, code=code, token=token)
        if key is not None:
            return _to_its_place(request, key)
        form.refuse(error)
        return _asks_code(request, form)
    except NotFound:
        # The game was deleted.
        return no_table(request)
    except NjetError as error:
        return refusal_page(request, error)


def _asks_code(request: HttpRequest, form: Form) -> HttpResponse:
    board = _leads_to_board(request)
    return form_page(request, "games/join/join.html", form, title=_title(for_board=board), is_for_board=board)


def _title(*, for_board: bool) -> str:
    return _("Big board for a TV") if for_board else _("Join a table")


def _let_in(request: HttpRequest, invite: Invite | GroupInvite, code: str, once: str | None) -> HttpResponse:
    asks = request.method == "GET" or "sit" not in request.POST
    if isinstance(invite, Invite) and invite.role == Role.SEAT:
        if invite.seat is None:
            shows = asks or "seat" not in request.POST
            return (
                seats.table_welcome(request, invite, code)
                if shows
                else seats.sit_where_free(request, invite, code, once)
            )
        return seats.seat_welcome(request, invite, code) if asks else seats.sit_down(request, invite, code, once)
    if asks:
        return _welcome(request, invite, code)
    label = _("TV") if _is_for_board(request, invite) else request.POST.get("label", "")
    return _to_its_place(request, invitations.join(session=request.session, invite=invite, label=label, once=once))


def _to_its_place(request: HttpRequest, key: Key | GroupKey) -> HttpResponse:
    """The group, the table, its big board, or the step of its replay that a shared link names."""
    if isinstance(key, GroupKey):
        return redirect("games:group", key.group_id)
    if _is_for_board(request, key):
        return redirect("games:screen", key.game_id)
    step = request.GET.get("step", "")
    if step.isascii() and step.isdigit() and len(step) <= LONGEST_NUMBER:
        return redirect("games:replay_step", key.game_id, int(step))
    return redirect("games:table", key.game_id)


def _leads_to_board(request: HttpRequest) -> bool:
    return TO_BOARD in request.META["QUERY_STRING"].split("&")


def _is_for_board(request: HttpRequest, admitted: Invite | GroupInvite | Key) -> bool:
    """Whether a viewer joins as the screen that shows the big board."""
    return admitted.role == Role.VIEWER and _leads_to_board(request)


def _welcome(request: HttpRequest, invite: Invite | GroupInvite, code: str) -> HttpResponse:
    if isinstance(invite, GroupInvite):
        group = {"group": invite.group, "role": invite.role, "code": code, "request_id": new_request_id()}
        return render(request, "games/join/welcome_group.html", group)
    for_board = _is_for_board(request, invite)
    players, bots = seated(invite.game.seats.order_by("number")), seats.played_by_bots(invite.game)
    context = {
        "players": [player for player in players if player.name not in bots],
        "listed": words.listing([player.name for player in players]),
        "role": invite.role,
        "title": _title(for_board=for_board),
        "is_for_board": for_board,
        "hides_hands": invite.game.mode == Mode.DIGITAL and invite.game.status != Status.FINISHED,
        "to_agree": to_agree(invite.game),
        "code": code,
        "request_id": new_request_id(),
    }
    return render(request, "games/join/welcome.html", context)

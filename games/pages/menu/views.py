"""What is done to a table as a whole: the menu, phones, quick entry, voiding, penalties, ending, deleting."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from games.club import lists
from games.errors import FinishedForGood, SeatOnly, status_of
from games.keys import invitations, permissions, registry, sessions
from games.models import Game, Mode, Role
from games.pages import forms
from games.pages.correct.page import penalty_changes, standing_lines
from games.pages.forms import form_id, new_request_id, request_of
from games.pages.guards import Table, at_table, physical, records
from games.pages.home.views import sit_down
from games.pages.parts.board import board_rows
from games.pages.parts.invitation import invitation_page
from games.pages.parts.players import players_of
from games.pages.parts.standings import standings
from games.pages.seats import views as seats
from games.pages.table.page import table_page
from games.rules import NjetError, Phase
from games.rules.actions import AddPenalty
from games.services import creation, previews, proposals, tables
from games.texts import words


@require_GET
@at_table
def menu(request: HttpRequest, table: Table) -> HttpResponse:
    """Everything that is needed once in a while."""
    ledger = table.ledger
    if ledger.digital:
        return _digital_menu(request, table)
    context = {
        "game_id": table.game.pk,
        "key": table.key,
        "may_record": table.key.may_record and not ledger.locked,
        "is_scorekeeper": table.key.may_record,
        "is_finished": ledger.state.current is None,
        "has_rounds": bool(ledger.state.finished),
        "number": len(ledger.state.finished) + 1,
        "locked": ledger.locked,
        "can_enter": ledger.state.phase is Phase.PLACING,
        "preset": words.preset_name(ledger.state.ruleset.preset),
        "request_id": new_request_id(),
        "group": table.game.group,
        "may_adopt": table.game.group_id is None and bool(sessions.group_keys(request.session)),
    }
    return render(request, "games/menu/menu.html", context)


def _digital_menu(request: HttpRequest, table: Table) -> HttpResponse:
    """The same where the cards are on the phones: nothing is entered, so there is nothing to put right."""
    ledger = table.ledger
    context = {
        "game_id": table.game.pk,
        "is_host": table.key.may_record,
        "is_finished": ledger.state.current is None,
        "may_finish": bool(table.seats) and ledger.state.current is not None and bool(ledger.state.finished),
        "preset": words.preset_name(ledger.state.ruleset.preset),
        "request_id": new_request_id(),
        "group": table.game.group,
        "offer": seats.rematch_offer(request, table) if ledger.state.current is None else None,
    }
    return render(request, "games/menu/menu_digital.html", context)


@require_http_methods(["GET", "POST"])
@at_table
def phones(request: HttpRequest, table: Table) -> HttpResponse:
    """Who is at the table, and how others come in: QR code, link and typed code, made anew each time."""
    if table.game.mode == Mode.DIGITAL:
        return seats.seats_page(request, table)
    shown = None
    if request.method == "POST":
        role = Role.SCOREKEEPER if request.POST.get("role") == "scorekeeper" and table.key.may_record else Role.VIEWER
        invitation = invitations.invite(game=table.game, role=role, maker=table.key)
        link = request.build_absolute_uri(reverse("games:join_link", args=[invitation.token]))
        shown = invitation_page(invitation, link)
    context = {
        "game_id": table.game.pk,
        "shown": shown,
        "key": table.key,
        "devices": lists.devices_of(table.game),
        "names": lists.names_of(table.game),
        "is_scorekeeper": table.key.may_record,
    }
    return render(request, "games/menu/phones.html", context)


@require_POST
@at_table
def label(request: HttpRequest, table: Table) -> HttpResponse:
    """Say whose phone this is."""
    registry.rename(table.key, request.POST.get("label", ""))
    return redirect("games:phones", table.game.pk)


@require_POST
@at_table
@records
def revoke(request: HttpRequest, table: Table, key_id: int) -> HttpResponse:
    """Take a phone's key back; one's own stays."""
    if key_id != table.key.pk:
        tables.revoke_key(game_id=table.game.pk, key_id=key_id)
    return redirect("games:phones", table.game.pk)


@require_GET
@at_table
@records
@physical
def quick(request: HttpRequest, table: Table) -> HttpResponse:
    """Quick entry: the settled board in one go."""
    ledger = table.ledger
    if ledger.state.current is None or ledger.state.phase is not Phase.PLACING:
        return redirect("games:table", table.game.pk)
    context = {
        "game_id": table.game.pk,
        "rows": board_rows(ledger.state, ledger.state.current),
        "page": table_page(ledger, show_board=True),
        "version": ledger.version,
        "request_id": new_request_id(),
    }
    return render(request, "games/menu/quick.html", context)


@require_http_methods(["GET", "POST"])
@at_table
@records
@physical
def penalty(request: HttpRequest, table: Table) -> HttpResponse:
    """An agreed penalty, a line of its own.  In a finished game it is a correction, shown before it is made."""
    ledger = table.ledger
    context = {
        "game_id": table.game.pk,
        "players": players_of(ledger.current_setup),
        "version": ledger.version,
        "request_id": new_request_id(),
        "typed": request.POST,
        "preview": None,
    }
    if request.method == "GET":
        return render(request, "games/menu/penalty.html", context)
    try:
        action = forms.action_of({**request.POST.dict(), "do": "penalty"}, players=ledger.state.players)
        asked = request_of(request.POST)
        if ledger.state.current is not None:
            tables.record_action(game_id=table.game.pk, actor=table.key, action=action, request=asked)
            return redirect("games:sheet", table.game.pk)
        assert isinstance(action, AddPenalty), "the form of a penalty is read as a penalty"
        changes = penalty_changes(ledger, action)
        if request.POST.get("sure") == _seen(action):
            tables.amend(game_id=table.game.pk, actor=table.key, request=asked, changes=changes)
            return redirect("games:sheet", table.game.pk)
        # What is changed after the preview is previewed again.
        context["seen"] = _seen(action)
        context["preview"] = standing_lines(ledger, previews.preview_amend(ledger=ledger, changes=changes))
        return render(request, "games/menu/penalty.html", context)
    except NjetError as error:
        context["refused"] = words.error_sentence(error, ledger.current_setup.names)
        return render(request, "games/menu/penalty.html", context, status=status_of(error))


def _seen(action: AddPenalty) -> str:
    return f"{action.seat}:{action.points}:{action.reason}"


Asked = Callable[[HttpRequest, Table], HttpResponse]


def _asked_first(template: str, change: Asked, guard: Callable[[Asked], Asked]) -> Callable[..., HttpResponse]:
    """A change of the whole table: GET asks, POST does it.  `guard`: who may."""

    def asked(request: HttpRequest, table: Table) -> HttpResponse:
        ledger = table.ledger
        context = {
            "game_id": table.game.pk,
            "page": {"standings": standings(ledger.state)},
            "digital": ledger.digital,
            "version": ledger.version,
            "request_id": new_request_id(),
        }
        if request.method == "GET":
            return render(request, template, context)
        try:
            return change(request, table)
        except NjetError as error:
            context["refused"] = words.error_sentence(error, ledger.current_setup.names)
            return render(request, template, context, status=status_of(error))

    return require_http_methods(["GET", "POST"])(at_table(guard(asked)))


def _void(request: HttpRequest, table: Table) -> HttpResponse:
    action = forms.action_of({"do": "void_round", "reason": request.POST.get("reason", "")}, players=0)
    tables.record_action(game_id=table.game.pk, actor=table.key, action=action, request=request_of(request.POST))
    return redirect("games:table", table.game.pk)


def _finish(request: HttpRequest, table: Table) -> HttpResponse:
    if table.game.mode == Mode.DIGITAL:
        # Nobody ends it alone: it is put to the others, and done when the last of them agrees.
        seat = next(iter(table.seats.values())) if table.seat is None else table.seats[table.seat]
        proposals.propose(game_id=table.game.pk, actor=seat, kind="finish", request=request_of(request.POST))
        return redirect("games:table", table.game.pk)
    action = forms.action_of({"do": "finish"}, players=0)
    tables.record_action(game_id=table.game.pk, actor=table.key, action=action, request=request_of(request.POST))
    return redirect("games:table", table.game.pk)


def _lock(request: HttpRequest, table: Table) -> HttpResponse:
    tables.lock(game_id=table.game.pk, actor=table.key, request=request_of(request.POST))
    return redirect("games:table", table.game.pk)


def _reopen(request: HttpRequest, table: Table) -> HttpResponse:
    tables.reopen(game_id=table.game.pk, actor=table.key, request=request_of(request.POST))
    return redirect("games:table", table.game.pk)


def _delete(request: HttpRequest, table: Table) -> HttpResponse:
    tables.delete_game(game_id=table.game.pk)
    sessions.forget(request.session, table.game.pk)
    return redirect("games:home")


def _ends(view: Asked) -> Asked:
    """Who may end a game early: at a physical table whoever records, where the cards are on the phones who plays."""

    @wraps(view)
    def guarded(request: HttpRequest, table: Table) -> HttpResponse:
        if table.game.mode != Mode.DIGITAL:
            return records(view)(request, table)
        if not table.seats:
            raise SeatOnly()
        return view(request, table)

    return guarded


def _reopens(view: Asked) -> Asked:
    """Who may reopen a game: who records; never one whose cards are shown."""

    @wraps(view)
    def guarded(request: HttpRequest, table: Table) -> HttpResponse:
        if table.game.mode == Mode.DIGITAL:
            raise FinishedForGood()
        return view(request, table)

    return records(guarded)


def _voids(view: Asked) -> Asked:
    return records(physical(view))


void = _asked_first("games/menu/void.html", _void, _voids)
finish = _asked_first("games/menu/finish.html", _finish, _ends)
lock = _asked_first("games/menu/lock.html", _lock, records)
reopen = _asked_first("games/menu/reopen.html", _reopen, _reopens)


def _owns_group(request: HttpRequest, game: Game) -> bool:
    return any(key.owns and key.group_id == game.group_id for key in sessions.group_keys(request.session))


@require_http_methods(["GET", "POST"])
@at_table
@records
def delete(request: HttpRequest, table: Table) -> HttpResponse:
    """Delete a game for good; a locked one too.  What a group counts only its owners delete."""
    permissions.require(permissions.deletes, table.game, owner=_owns_group(request, table.game))
    if request.method == "POST":
        return _delete(request, table)
    return render(request, "games/menu/delete.html", {"game_id": table.game.pk, "names": lists.names_of(table.game)})


@require_POST
@at_table
@records
def rematch(request: HttpRequest, table: Table) -> HttpResponse:
    """Open the next game of the same table, with the deal moved on, or in digital play with the same deals."""
    form = form_id(request.POST)
    created = creation.rematch(
        game=table.game,
        ledger=table.ledger,
        creator_label=table.key.label,
        once=f"key {table.key.pk} {form}" if form else None,
        through=table.key.through,
        same_deals="same_deals" in request.POST,
        own_seats=sorted(table.seats),
    )
    return sit_down(request, created)

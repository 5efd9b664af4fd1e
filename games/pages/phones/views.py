"""The phones at a table: who is there, invitations, labels, and keys that are revoked."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from games.groups import lists
from games.keys import invitations, registry
from games.models import Role
from games.pages.base_table import Table
from games.pages.guards import at_table, by_mode, records
from games.pages.parts.invitation import (
    invitation_page,
    open_invitations,
    redirect_saying,
    share_page,
    withdrawn_with_key,
)
from games.pages.parts.players import players_of
from games.pages.phones.forms import LabelForm, PhoneInvitationForm
from games.pages.seats.views import seats_page
from games.pages.table.paper_table import PaperTable
from games.services import tables


def _phones_page(request: HttpRequest, table: PaperTable) -> HttpResponse:
    """The phones.  A POST shows an invitation: QR code, link and typed code."""
    shown = None
    may_invite = table.key.may_record and not table.ledger.locked
    if request.method == "POST":
        form = PhoneInvitationForm(request.POST)
        form.require_valid()
        records_too = form.cleaned_data["role"] == Role.SCOREKEEPER and may_invite
        role = Role.SCOREKEEPER if records_too else Role.VIEWER
        invitation = invitations.invite(game=table.game, role=role, maker=table.key, single_use=form.single_use)
        shown = invitation_page(
            request, invitation, step=form.cleaned_data["step"], board=role == Role.VIEWER and form.is_for_board
        )
        if form.cleaned_data["share"] and role == Role.VIEWER:
            return share_page(request, table.game, shown, step=form.cleaned_data["step"])
    context = {
        "game_id": table.game.pk,
        "shown": shown,
        "key": table.key,
        "devices": lists.devices_of(table.game),
        "players": players_of(table.ledger.current_setup),
        "is_scorekeeper": table.key.may_record,
        "may_invite_scorekeeper": may_invite,
        "invitations": open_invitations(invitations.listed([table.key])),
        "withdrawn": withdrawn_with_key(request),
    }
    return render(request, "games/phones/phones.html", context)


phones = require_http_methods(["GET", "POST"])(by_mode(paper=_phones_page, digital=seats_page))


@require_POST
@at_table
def label(request: HttpRequest, table: Table) -> HttpResponse:
    """Name the owner of this phone."""
    form = LabelForm(request.POST)
    form.require_valid()
    registry.rename(table.key, form.cleaned_data["label"])
    return redirect("games:phones", table.game.pk)


@require_POST
@records
def revoke(request: HttpRequest, table: Table, key_id: int) -> HttpResponse:
    """Revoke the key of another phone."""
    withdrawn = 0
    if key_id != table.key.pk:
        withdrawn = tables.revoke_key(game_id=table.game.pk, key_id=key_id, actor=table.key)
    return redirect_saying(withdrawn, "games:phones", table.game.pk)


@require_POST
@at_table
def withdraw(request: HttpRequest, table: Table, invite_id: int) -> HttpResponse:
    """Withdraw an open invitation that the page of this phone lists."""
    invitations.withdraw_one(invitations.listed([table.key, *table.seats.values()]), invite_id)
    return redirect("games:phones", table.game.pk)

"""The members of a group and their phones; for owners its settings: keys of programs, its name, its end."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from games.club import lists
from games.errors import OwnersOnly
from games.keys import invitations, permissions, registry, sessions
from games.pages.errors import form_page
from games.pages.groups.forms import GroupForm
from games.pages.guards import Club, in_group, in_group_owns
from games.pages.members.forms import InviteForm, TokenForm
from games.pages.parts.invitation import (
    InvitationPage,
    invitation_page,
    open_invitations,
    redirect_saying,
    withdrawn_with_key,
)
from games.services import groups


@require_GET
@in_group
def keys(request: HttpRequest, club: Club) -> HttpResponse:
    """Who may do what in the group, and how others join."""
    return _members_page(request, club)


@require_GET
@in_group_owns
def settings(request: HttpRequest, club: Club) -> HttpResponse:
    """The keys of programs, the name of the group, its end."""
    return _settings_page(request, club)


@require_POST
@in_group
def invite(request: HttpRequest, club: Club) -> HttpResponse:
    """Invite a member, by QR code, link and code, to at most the role of the one who invites."""
    form = InviteForm(request.POST)
    form.require_valid()
    role = form.cleaned_data["role"]
    permissions.require(permissions.NEEDED_TO_INVITE[role], club.key)
    invitation = invitations.invite_to_group(group=club.group, role=role, maker=club.key, single_use=form.single_use)
    return _members_page(request, club, shown=invitation_page(request, invitation))


@require_POST
@in_group_owns
def new_token(request: HttpRequest, club: Club) -> HttpResponse:
    """Make a key for a program, shown only once."""
    form = TokenForm(request.POST)
    form.require_valid()
    key = registry.issue(group=club.group, **form.cleaned_data, program=True)
    return _settings_page(request, club, secret=key.secret, secret_of=key.label)


@require_POST
@in_group_owns
def renew_token(request: HttpRequest, club: Club, key_id: int) -> HttpResponse:
    """Replace the secret of a program, shown only once; the old one stops working."""
    key = groups.renew_key(group_id=club.group.pk, key_id=key_id)
    return _settings_page(request, club, secret=key.secret, secret_of=key.label)


@require_POST
@in_group
def revoke(request: HttpRequest, club: Club, key_id: int) -> HttpResponse:
    """Revoke a key.  Every member may leave; only owners revoke the keys of others."""
    leaves = key_id == club.key.pk
    if not leaves and not club.key.owns:
        raise OwnersOnly()
    withdrawn = groups.revoke_key(group_id=club.group.pk, key_id=key_id)
    if not leaves:
        page = "games:group_settings" if "program" in request.POST else "games:group_keys"
        return redirect_saying(withdrawn, page, club.group.pk)
    sessions.forget_group(request.session, club.group.pk)
    return redirect("games:home")


@require_POST
@in_group
def withdraw(request: HttpRequest, club: Club, invite_id: int) -> HttpResponse:
    """Withdraw an open invitation that the page of this phone lists."""
    invitations.withdraw_one(invitations.listed_of_group(club.key), invite_id)
    return redirect("games:group_keys", club.group.pk)


@require_POST
@in_group_owns
def rename(request: HttpRequest, club: Club) -> HttpResponse:
    """Rename the group."""
    form = GroupForm(request.POST)
    if form.is_valid():
        with form.refusals():
            groups.rename_group(group_id=club.group.pk, name=form.cleaned_data["name"])
            return redirect("games:group_settings", club.group.pk)
    return _settings_page(request, club, form=form)


@require_http_methods(["GET", "POST"])
@in_group_owns
def dissolve(request: HttpRequest, club: Club) -> HttpResponse:
    """Dissolve the group.  It is confirmed first: it cannot be undone."""
    if request.method == "GET":
        return render(request, "games/members/dissolve.html", {"club": club})
    groups.delete_group(group_id=club.group.pk)
    sessions.forget_group(request.session, club.group.pk)
    return redirect("games:home")


def _members_page(request: HttpRequest, club: Club, *, shown: InvitationPage | None = None) -> HttpResponse:
    valid = lists.keys_of(club.group)
    context = {
        "club": club,
        "shown": shown,
        "devices": [key for key in valid if not key.is_program],
        # The last owner cannot leave: they dissolve the group, or make another member an owner first.
        "may_leave": not club.key.owns or sum(key.owns for key in valid) > 1,
        "invitations": open_invitations(invitations.listed_of_group(club.key)),
        "withdrawn": withdrawn_with_key(request),
    }
    return render(request, "games/members/members.html", context)


def _settings_page(request: HttpRequest, club: Club, *, form: GroupForm | None = None, **made: object) -> HttpResponse:
    """`made`: the secret of a new key, and what the key is for."""
    form = form or GroupForm(initial={"name": club.group.name})
    return form_page(
        request,
        "games/members/settings.html",
        form,
        club=club,
        programs=[key for key in lists.keys_of(club.group) if key.is_program],
        withdrawn=withdrawn_with_key(request),
        **made,
    )

"""The members of a group and their phones; for owners its settings: keys of programs, its name, its end."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from games.errors import OwnersOnly
from games.groups import lists
from games.keys import invitations, permissions, registry, sessions
from games.models import GroupKey
from games.pages.errors import form_page
from games.pages.feed.views import feed_address
from games.pages.groups.forms import GroupForm
from games.pages.guards import in_group, in_group_owns
from games.pages.members.forms import InviteForm, TokenForm
from games.pages.parts.invitation import (
    InvitationPage,
    invitation_page,
    open_invitations,
    redirect_saying,
    withdrawn_with_key,
)
from games.services import deletion, groups


@require_GET
@in_group
def keys(request: HttpRequest, key: GroupKey) -> HttpResponse:
    """Who may do what in the group, and how others join."""
    return _members_page(request, key)


@require_GET
@in_group_owns
def settings(request: HttpRequest, key: GroupKey) -> HttpResponse:
    """The keys of programs, the name of the group, its end."""
    return _settings_page(request, key)


@require_POST
@in_group
def invite(request: HttpRequest, key: GroupKey) -> HttpResponse:
    """Invite a member, by QR code, link and code, to at most the role of the one who invites."""
    form = InviteForm(request.POST)
    form.require_valid()
    role = form.cleaned_data["role"]
    permissions.require(permissions.NEEDED_TO_INVITE[role], key)
    invitation = invitations.invite_to_group(group=key.group, role=role, maker=key, single_use=form.single_use)
    return _members_page(request, key, shown=invitation_page(request, invitation))


@require_POST
@in_group_owns
def new_token(request: HttpRequest, key: GroupKey) -> HttpResponse:
    """Make a key for a program, shown only once."""
    form = TokenForm(request.POST)
    form.require_valid()
    program = registry.issue(group=key.group, **form.cleaned_data, program=True)
    return _settings_page(request, key, program=program)


@require_POST
@in_group_owns
def renew_token(request: HttpRequest, key: GroupKey, key_id: int) -> HttpResponse:
    """Replace the secret of a program, shown only once; the old one stops working."""
    program = groups.renew_key(group_id=key.group_id, key_id=key_id)
    return _settings_page(request, key, program=program)


@require_POST
@in_group
def revoke(request: HttpRequest, key: GroupKey, key_id: int) -> HttpResponse:
    """Revoke a key.  Every member may leave; only owners revoke the keys of others."""
    leaves = key_id == key.pk
    if not leaves and not key.owns:
        raise OwnersOnly()
    withdrawn = groups.revoke_key(group_id=key.group_id, key_id=key_id)
    if not leaves:
        page = "games:group_settings" if "program" in request.POST else "games:group_keys"
        return redirect_saying(withdrawn, page, key.group_id)
    sessions.forget_group(request.session, key.group_id)
    return redirect("games:home")


@require_POST
@in_group
def withdraw(request: HttpRequest, key: GroupKey, invite_id: int) -> HttpResponse:
    """Withdraw an open invitation that the page of this phone lists."""
    invitations.withdraw_one(invitations.listed_of_group(key), invite_id)
    return redirect("games:group_keys", key.group_id)


@require_POST
@in_group_owns
def rename(request: HttpRequest, key: GroupKey) -> HttpResponse:
    """Rename the group."""
    form = GroupForm(request.POST)
    if form.is_valid():
        with form.refusals():
            groups.rename_group(group_id=key.group_id, name=form.cleaned_data["name"])
            return redirect("games:group_settings", key.group_id)
    return _settings_page(request, key, form=form)


@require_http_methods(["GET", "POST"])
@in_group_owns
def dissolve(request: HttpRequest, key: GroupKey) -> HttpResponse:
    """Dissolve the group, after a question: it goes into the bin."""
    if request.method == "GET":
        return render(request, "games/members/dissolve.html", {"key": key})
    deletion.delete_group(group_id=key.group_id, actor=key)
    return redirect(f"{reverse('games:home')}?deleted")


def _members_page(request: HttpRequest, key: GroupKey, *, shown: InvitationPage | None = None) -> HttpResponse:
    valid = lists.keys_of(key.group)
    context = {
        "key": key,
        "shown": shown,
        "devices": [each for each in valid if not each.is_program],
        # The last owner cannot leave: they dissolve the group, or make another member an owner first.
        "may_leave": not key.owns or sum(each.owns for each in valid) > 1,
        "invitations": open_invitations(invitations.listed_of_group(key)),
        "withdrawn": withdrawn_with_key(request),
    }
    return render(request, "games/members/members.html", context)


def _settings_page(
    request: HttpRequest, key: GroupKey, *, form: GroupForm | None = None, program: GroupKey | None = None
) -> HttpResponse:
    """`program`: the key that has a new secret, which is shown this once."""
    form = form or GroupForm(initial={"name": key.group.name})
    return form_page(
        request,
        "games/members/settings.html",
        form,
        key=key,
        programs=[each for each in lists.keys_of(key.group) if each.is_program],
        withdrawn=withdrawn_with_key(request),
        program=program,
        feed=feed_address(request, program) if program else "",
    )

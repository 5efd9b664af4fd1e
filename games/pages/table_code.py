"""The one code for all free seats of a table, kept on the phone of its host: the server stores its hashes only."""

from __future__ import annotations

from contextlib import suppress

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from games.errors import InviteNotValid
from games.keys import invitations
from games.keys.hashes import hash_of_code
from games.keys.invitations import Invitation
from games.models import Game, Invite, Role


def keep_invitation(response: HttpResponse, invitation: Invitation) -> None:
    """Keep the link and code of an invitation on the phone that made it."""
    lasting = {**settings.PREFERENCE_COOKIE, "max_age": int(invitations.INVITE_LASTS.total_seconds())}
    response.set_cookie(settings.INVITATION_COOKIE_NAME, f"{invitation.token}.{invitation.code}", **lasting)


def kept_invitation(request: HttpRequest, game: Game) -> Invitation | None:
    """The invitation to all free seats of a game that this phone made last, if it is still open."""
    token, _dot, code = request.COOKIES.get(settings.INVITATION_COOKIE_NAME, "").partition(".")
    with suppress(InviteNotValid):
        invite = invitations.find_invite(token=token, address="") if token else None
        if (
            isinstance(invite, Invite)
            and (invite.game_id, invite.role, invite.seat) == (game.pk, Role.SEAT, None)
            and invite.code_hash == hash_of_code(code)
        ):
            return Invitation(invite, token, code)
    return None

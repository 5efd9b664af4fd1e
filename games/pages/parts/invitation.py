"""An invitation on screen: a QR code, a link, a code to type."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

import segno
from django.http import HttpRequest
from django.urls import reverse

from games.keys.invitations import Invitation


@dataclass(frozen=True)
class QrCode:
    """`path` draws the dark squares in a square of `size` units: no inline style, no image of its own."""

    path: str
    size: int


def qr_code(text: str) -> QrCode:
    """The QR code of a text, usually a link."""
    code = segno.make(text, error="m", micro=False)
    path = "".join(
        f"M{x} {y}h1v1h-1z" for y, row in enumerate(code.matrix_iter(border=2)) for x, dark in enumerate(row) if dark
    )
    return QrCode(path, int(code.symbol_size(border=2)[0]))


@dataclass(frozen=True)
class InvitationPage:
    """What the page of an invitation shows."""

    role: str
    link: str
    code: str
    expires_at: datetime
    qr: QrCode


def invitation_page(request: HttpRequest, invitation: Invitation) -> InvitationPage:
    """The page of a new invitation."""
    link = request.build_absolute_uri(reverse("games:join_link", args=[invitation.token]))
    return InvitationPage(
        role=invitation.invite.role,
        link=link,
        code=invitation.code,
        expires_at=invitation.invite.expires_at,
        qr=qr_code(link),
    )

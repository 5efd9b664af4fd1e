"""An invitation on screen: a QR code, a link, a code to type."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

import segno

from games.access import Invitation


@dataclass(frozen=True)
class InvitationPage:
    """What is shown.  `path` draws the dark squares of the QR code in a square of `size` units."""

    role: str
    link: str
    code: str
    expires_at: datetime
    path: str
    size: int


def invitation_page(invitation: Invitation, link: str) -> InvitationPage:
    """The page of a new invitation.  The squares are drawn as one path: no inline style, no image of its own."""
    code = segno.make(link, error="m", micro=False)
    path = "".join(
        f"M{x} {y}h1v1h-1z" for y, row in enumerate(code.matrix_iter(border=2)) for x, dark in enumerate(row) if dark
    )
    size = code.symbol_size(border=2)[0]
    return InvitationPage(
        role=invitation.invite.role,
        link=link,
        code=invitation.code,
        expires_at=invitation.invite.expires_at,
        path=path,
        size=size,
    )

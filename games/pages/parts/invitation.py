"""An invitation on screen: a QR code, a link, a code to type; and the list of the open ones."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta

import segno
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.timesince import timesince
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.keys.invitations import Invitation
from games.models import Game, GroupInvite, Invite
from games.pages.forms import Form, NumberField, TextField
from games.texts.unnamed import called

TO_BOARD = "to=board"
"""The query of an address for joining that leads to the big board and asks no name."""


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
    """What the page of a new invitation shows.  `is_for_board`: it leads to the big board."""

    title: str
    link: str
    address: str
    code: str
    single_use: bool
    qr: QrCode
    is_for_board: bool


def invitation_page(
    request: HttpRequest,
    invitation: Invitation,
    names: Sequence[str] = (),
    *,
    step: int | None = None,
    board: bool = False,
) -> InvitationPage:
    """The page of a new invitation.

    `names`: the players, for one to a seat; `step`: of the replay, where it leads; `board`: it leads to the big board.
    """
    link = request.build_absolute_uri(reverse("games:join_link", args=[invitation.token]))
    if step is not None:
        link += f"?step={step}"
    elif board:
        link += f"?{TO_BOARD}"
    return InvitationPage(
        title=_("Big board for a TV") if board else _title(invitation.invite, names),
        link=link,
        address=f"{request.get_host()}{reverse('games:tv').rstrip('/')}" if board else request.get_host(),
        code=invitation.code,
        single_use=invitation.invite.single_use,
        qr=qr_code(link),
        is_for_board=board,
    )


def share_page(request: HttpRequest, game: Game, shown: InvitationPage, *, step: int | None) -> HttpResponse:
    """The link of a viewer alone, to be sent or copied: over http browsers offer neither by themselves.

    `step`: of the replay, where it leads; None for the sheet.
    """
    template = "games/parts/share.html" if step is None else "games/parts/share_step.html"
    return render(request, template, {"game_id": game.pk, "shown": shown, "step": step})


class InvitationForm(Form):
    """A new invitation: for one use, or for the evening.

    `step`: the step of the replay that its link leads to; `board`: whether it leads to the big board; `share`: whether
    the page shows its link and nothing else.
    """

    uses = TextField()
    share = TextField()
    board = TextField()
    step = NumberField("step", optional=True)

    @property
    def single_use(self) -> bool:
        """Whether it ends with its first use."""
        return bool(self.cleaned_data["uses"] == "one")

    @property
    def is_for_board(self) -> bool:
        """Whether a viewer's invitation leads to the big board."""
        return bool(self.cleaned_data["board"])


@dataclass(frozen=True)
class OpenInvitation:
    """A line of the list of open invitations.  `withdraw`: the address of the button."""

    title: str
    made: str
    used: str
    withdraw: str


def open_invitations(
    invites: Iterable[Invite | GroupInvite], names: Sequence[str] = (), *, is_full: bool = False
) -> list[OpenInvitation]:
    """The list of open invitations.  `is_full`: no seat is free."""
    return [
        OpenInvitation(
            title=_title(each, names, is_full=is_full),
            made=_made(each),
            used=_used(each),
            withdraw=_withdraw_address(each),
        )
        for each in invites
    ]


def _title(invite: Invite | GroupInvite, names: Sequence[str], *, is_full: bool = False) -> str:
    if isinstance(invite, Invite) and invite.seat is not None:
        return _("Join and play {name}").format(name=names[invite.seat])
    return {
        "seat": _("Sit down in a free seat: all seats are taken now") if is_full else _("Sit down in a free seat"),
        "scorekeeper": _("Join as scorekeeper"),
        "viewer": _("Join as viewer"),
        "owner": _("Join as owner"),
        "member": _("Join as member"),
    }[invite.role]


def _made(invite: Invite | GroupInvite) -> str:
    maker = "" if invite.maker is None else called(invite.maker.label)
    if timezone.now() - invite.created_at < timedelta(minutes=1):
        sentence = _("made just now by {maker}") if maker else _("made just now")
    else:
        sentence = _("made by {maker}, {age} ago") if maker else _("made {age} ago")
    return sentence.format(maker=maker, age=timesince(invite.created_at, depth=1))


def _used(invite: Invite | GroupInvite) -> str:
    if invite.single_use:
        return _("for one use")
    if not invite.uses:
        return _("not used yet")
    return ngettext("used once", "used {count} times", invite.uses).format(count=invite.uses)


def _withdraw_address(invite: Invite | GroupInvite) -> str:
    if isinstance(invite, GroupInvite):
        return reverse("games:group_withdraw", args=[invite.group_id, invite.pk])
    return reverse("games:withdraw", args=[invite.game_id, invite.pk])


# --- after a key was revoked ---


def redirect_saying(withdrawn: int, page: str, owner_id: str) -> HttpResponse:
    """Back to the page of the keys, which says how many invitations were withdrawn together with a key."""
    return redirect(f"{reverse(page, args=[owner_id])}?withdrawn={withdrawn}")


def withdrawn_with_key(request: HttpRequest) -> str:
    """What the page of the keys says after one was revoked; empty if no invitation was withdrawn with it."""
    count = request.GET.get("withdrawn", "")
    if not (count.isascii() and count.isdigit() and len(count) < 5 and int(count)):
        return ""
    return ngettext(
        "{count} open invitation was withdrawn with the key.",
        "{count} open invitations were withdrawn with the key.",
        int(count),
    ).format(count=int(count))

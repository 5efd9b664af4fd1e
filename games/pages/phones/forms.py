"""The forms of the phones at a table."""

from __future__ import annotations

from games.pages.forms import Form, TextField
from games.pages.parts.invitation import InvitationForm


class PhoneInvitationForm(InvitationForm):
    """An invitation to the table: what the new phone may do."""

    role = TextField()


class LabelForm(Form):
    """Whose phone it is."""

    label = TextField()

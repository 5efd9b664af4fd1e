"""The forms of a group's members and keys."""

from __future__ import annotations

from games.models import GroupRole
from games.pages.forms import Form, Refused, TextField
from games.pages.parts.invitation import InvitationForm
from games.rules.errors import WrongType


class RoleField(TextField):
    """A role in a group."""

    def clean(self, value: str | None) -> GroupRole:
        """The role.  Errors: `Refused`."""
        if value not in GroupRole.values:
            raise Refused(WrongType(field="role", expected="one_of", allowed=GroupRole.values))
        return GroupRole(value)


class InviteForm(InvitationForm):
    """An invitation to the group: what the new member may do."""

    role = RoleField()


class TokenForm(Form):
    """A key for a program: what it may do, and what it is for."""

    role = RoleField()
    label = TextField()

"""The form of a group: its name."""

from __future__ import annotations

from typing import ClassVar

from games.pages.forms import Form, TextField


class GroupForm(Form):
    """The name of a group; for a new one also the owner of this phone."""

    about: ClassVar = {"group_name_missing": "name"}

    name = TextField()
    label = TextField()

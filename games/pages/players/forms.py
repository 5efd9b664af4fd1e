"""The form of a player of a group."""

from __future__ import annotations

from typing import ClassVar

from games.pages.forms import Form, TextField


class PlayerForm(Form):
    """A player's name and favourite token."""

    about: ClassVar = {
        "name_missing": "name",
        "name_too_long": "name",
        "player_name_taken": "name",
        "player_erased": "name",
        "unknown_token": "token",
    }

    name = TextField()
    token = TextField()

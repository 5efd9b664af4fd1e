"""The forms of joining."""

from __future__ import annotations

from typing import ClassVar

from games.pages.forms import Form, TextField


class JoinForm(Form):
    """A typed code."""

    about: ClassVar = {"invite_not_valid": "code", "too_many_requests": "code"}

    code = TextField()

"""The form that voids a round."""

from __future__ import annotations

from typing import ClassVar

from django.utils.translation import gettext_lazy

from games.pages.forms import Form, TextField


class VoidForm(Form):
    """The reason why a round is voided."""

    about: ClassVar = {"reason_missing": "reason", "reason_too_long": "reason"}

    reason = TextField(initial=gettext_lazy("misdeal"))

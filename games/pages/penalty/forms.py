"""The form of a penalty."""

from __future__ import annotations

from typing import ClassVar

from django.utils.translation import gettext as _

from games.pages.forms import Form, NumberField, Refused, TextField
from games.rules import AddPenalty
from games.rules.errors import MissingField


class PenaltyForm(Form):
    """A player, their points, and the reason.  `sure`: the penalty that was previewed, in a finished game."""

    about: ClassVar = {
        "unknown_seat": "seat",
        "penalty_out_of_range": "points",
        "reason_missing": "reason",
        "reason_too_long": "reason",
    }

    seat = NumberField("seat", optional=True)
    points = NumberField("points", initial="−5")
    reason = TextField()
    sure = TextField()

    def clean_seat(self) -> int:
        """The player.  Errors: `Refused`."""
        seat: int | None = self.cleaned_data["seat"]
        if seat is None:
            raise Refused(MissingField(action="penalty", field="seat"), _("Choose a player."))
        return seat

    @property
    def action(self) -> AddPenalty:
        """The penalty."""
        return AddPenalty(**{name: self.cleaned_data[name] for name in ("seat", "points", "reason")})

    @property
    def seen(self) -> str:
        """The penalty in one text: what is changed after the preview is previewed again."""
        return "{seat}:{points}:{reason}".format(**self.cleaned_data)

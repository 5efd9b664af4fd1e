"""The form of a penalty."""

from __future__ import annotations

from typing import ClassVar

from games.pages.forms import Form, NumberField, TextField
from games.rules import AddPenalty


class PenaltyForm(Form):
    """A player, their points, and the reason.  `sure`: the penalty that was previewed, in a finished game."""

    about: ClassVar = {
        "unknown_seat": "seat",
        "penalty_out_of_range": "points",
        "reason_missing": "reason",
        "reason_too_long": "reason",
    }

    seat = NumberField("seat")
    points = NumberField("points", initial="−5")
    reason = TextField()
    sure = TextField()

    @property
    def action(self) -> AddPenalty:
        """The penalty."""
        return AddPenalty(**{name: self.cleaned_data[name] for name in ("seat", "points", "reason")})

    @property
    def seen(self) -> str:
        """The penalty in one text: what is changed after the preview is previewed again."""
        return "{seat}:{points}:{reason}".format(**self.cleaned_data)

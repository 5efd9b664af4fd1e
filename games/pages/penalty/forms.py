"""The form of a penalty."""

from __future__ import annotations

from typing import ClassVar

from django.utils.translation import gettext as _

from games.pages.actions import penalty_points
from games.pages.forms import Form, Refused, TextField, whole_number
from games.rules import AddPenalty, NjetError
from games.rules.errors import MissingField


class PenaltyForm(Form):
    """A player or a team (“0-2”), what it takes away or gives each of them, and the reason.

    `sure`: the penalty that was previewed, in a finished game.
    """

    about: ClassVar = {
        "unknown_seat": "seat",
        "penalty_out_of_range": "points",
        "reason_missing": "reason",
        "reason_too_long": "reason",
    }

    seat = TextField()
    way = TextField()
    points = TextField(initial="5")
    reason = TextField()
    sure = TextField()

    def clean_seat(self) -> tuple[int, ...]:
        """The players, each once.  Errors: `Refused`."""
        text: str = self.cleaned_data["seat"]
        if not text.strip():
            raise Refused(MissingField(action="penalty", field="seat"), _("Choose a player."))
        try:
            return tuple(sorted({whole_number("seat", each) for each in text.split("-")}))
        except NjetError as refusal:
            raise Refused(refusal) from refusal

    def clean_points(self) -> int:
        """What each of them is given, below 0 what is taken away.  Errors: `Refused`."""
        try:
            return penalty_points(self.cleaned_data["way"], self.cleaned_data["points"])
        except NjetError as refusal:
            raise Refused(refusal) from refusal

    @property
    def actions(self) -> list[AddPenalty]:
        """A penalty for each player."""
        return [
            AddPenalty(seat, self.cleaned_data["points"], self.cleaned_data["reason"])
            for seat in self.cleaned_data["seat"]
        ]

    @property
    def seen(self) -> str:
        """The penalty in one text: what is changed after the preview is previewed again."""
        seats = "-".join(map(str, self.cleaned_data["seat"]))
        return "{}:{points}:{reason}".format(seats, **self.cleaned_data)

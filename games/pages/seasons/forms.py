"""The form of a season."""

from __future__ import annotations

from datetime import date
from typing import Any, ClassVar

from games.pages.forms import Form, Refused, TextField
from games.pages.parts.filters import DayField
from games.rules.errors import WrongType


class FirstDayField(DayField):
    """A day that has to be there."""

    def clean(self, value: str | None) -> date:
        """The day.  Errors: `Refused`."""
        day = super().clean(value)
        if day is None:
            raise Refused(WrongType(field=self.name, expected="day"))
        return day


class SeasonForm(Form):
    """The name of a season and its first and last day."""

    about: ClassVar = {
        "season_name_missing": "name",
        "name_too_long": "name",
        "season_name_taken": "name",
        "season_ends_earlier": "until",
    }

    name = TextField()
    since = FirstDayField("since")
    until = DayField("until")

    @property
    def season(self) -> dict[str, Any]:
        """What is asked for: the fields of a season."""
        return {name: self.cleaned_data[name] for name in ("name", "since", "until")}

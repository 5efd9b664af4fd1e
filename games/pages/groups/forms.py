"""The forms of a group: its name, and the filters of its history."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta
from typing import ClassVar

from django.http import QueryDict
from django.utils import timezone

from games.groups.history import Filters
from games.pages.forms import Form, NumberField, Refused, TextField
from games.rules.errors import WrongType


class GroupForm(Form):
    """The name of a group; for a new one also the owner of this phone."""

    about: ClassVar = {"group_name_missing": "name"}

    name = TextField()
    label = TextField()


class DayField(TextField):
    """A day of the reader, None if the field is empty.  `name`: what a refusal calls it."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.name = name

    def clean(self, value: str | None) -> date | None:
        """The day.  Errors: `Refused`."""
        text = (value or "").strip()
        if not text:
            return None
        try:
            day = date.fromisoformat(text)
            # The last day of all has none after it.
            if not 1 < day.year < 9999:
                raise ValueError(text)
        except ValueError as error:
            raise Refused(WrongType(field=self.name, expected="day")) from error
        return day


class HistoryForm(Form):
    """What the history is narrowed to; an empty field narrows nothing."""

    player = TextField()
    preset = TextField()
    players = NumberField("players", optional=True)

    def __init__(self, data: QueryDict) -> None:
        super().__init__(data)
        # An attribute cannot be called “from”.
        self.fields["from"] = DayField("from")
        self.fields["to"] = DayField("to")

    def text(self, name: str) -> str:
        """A field as it was typed."""
        return str(self.data.get(name, "")).strip()

    @property
    def query(self) -> dict[str, str]:
        """The fields that are filled in, for the address of another page."""
        return {name: self.text(name) for name in self.fields if self.text(name)}

    @property
    def filters(self) -> Filters:
        """The games that are meant; both days belong to them."""
        since, until = self.cleaned_data["from"], self.cleaned_data["to"]
        return Filters(
            player=self.text("player") or None,
            preset=self.text("preset") or None,
            players=self.cleaned_data["players"],
            since=None if since is None else _begin_of(since),
            until=None if until is None else _begin_of(until + timedelta(days=1)),
        )


def _begin_of(day: date) -> datetime:
    """When a day of the reader begins."""
    return timezone.make_aware(datetime.combine(day, time.min))

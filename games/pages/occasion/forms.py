"""The form of a game's occasion: the day and the time by the reader's clock, minutes, place and note."""

from __future__ import annotations

from datetime import date, datetime, time
from typing import Any, ClassVar

from django.http import QueryDict
from django.utils import timezone

from games.log import times
from games.log.ledger import Ledger
from games.models import Game
from games.pages.forms import Form, NumberField, Refused, TextField
from games.rules.errors import WrongType

EVENING = "20:00"
"""The time of a game of which only the day is known."""


class OccasionForm(Form):
    """When, how long and where a game was played, and a note."""

    about: ClassVar = {
        "minutes_out_of_range": "minutes",
        "place_too_long": "place",
        "note_too_long": "note",
        "played_later": "day",
        "impossible_time": "day",
    }

    day = TextField()
    time = TextField()
    minutes = NumberField("minutes", optional=True)
    place = TextField()
    note = TextField()

    def clean(self) -> None:
        """Read day and time together, as `began`: a time in UTC."""
        day, at = self.cleaned_data.get("day", "").strip(), self.cleaned_data.get("time", "").strip() or EVENING
        for name, read, typed, expected in (
            ("day", date.fromisoformat, day, "day"),
            ("time", time.fromisoformat, at, "time_of_day"),
        ):
            try:
                self.cleaned_data[name] = read(typed)
            except ValueError:
                self.add_error(name, Refused(WrongType(field=name, expected=expected)))
        if not self.errors:
            naive = datetime.combine(self.cleaned_data["day"], self.cleaned_data["time"].replace(tzinfo=None))
            try:
                self.cleaned_data["began"] = times.to_json(timezone.make_aware(naive))
            except OverflowError:
                self.add_error("day", Refused(WrongType(field="day", expected="day")))

    @property
    def occasion(self) -> dict[str, Any]:
        """What is stated: the fields of `Occasion`."""
        return {name: self.cleaned_data[name] for name in ("began", "minutes", "place", "note")}


class ChangedOccasionForm(OccasionForm):
    """The same for a game that is there.  What was recorded is stated only where another value is typed."""

    def __init__(self, data: QueryDict | None, game: Game, ledger: Ledger) -> None:
        began = timezone.localtime(ledger.began or game.created_at)
        shown = {
            "day": began.date().isoformat(),
            "time": began.strftime("%H:%M"),
            "minutes": "" if game.minutes is None else str(game.minutes),
            "place": ledger.occasion.place,
            "note": ledger.occasion.note,
        }
        super().__init__(data, initial=shown)
        self.stated_before = ledger.occasion

    @property
    def occasion(self) -> dict[str, Any]:
        """What is stated."""
        kept = {"began": self.stated_before.began, "minutes": self.stated_before.minutes}
        changed = {"began" if name in ("day", "time") else name for name in self.changed_data}
        return {**super().occasion, **{name: value for name, value in kept.items() if name not in changed}}

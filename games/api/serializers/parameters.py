"""The parameters of addresses, read strictly."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from typing import Any, Self

from django.http import QueryDict
from rest_framework import serializers

from games.api import figures
from games.api.serializers.fields import (
    CREATION_ID,
    LAST_SEAT,
    AnyField,
    Choice,
    RequestId,
    Strict,
    StrictSerializer,
    Text,
)
from games.formats.strict_json import LARGEST_NUMBER
from games.groups import history, selections
from games.groups.history import Filters
from games.models import Group
from games.rules import PRESETS
from games.rules.editions import EDITIONS
from games.rules.errors import Malformed
from games.rules.ruleset import FEWEST_PLAYERS, MOST_PLAYERS

FORMATS = ("json", "csv")
EXPORT_FORMATS = ("json", "njet", "bgstats", "bgsplay")
MOST_DIGITS = 16

DAY = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)

LEFT_OUT: dict[str, Any] = {"default": None}
"""A parameter that may be left out; an address has no null."""


class ParameterNumber(Strict, serializers.IntegerField):
    """A whole number, written in digits."""

    expected = "number_between"

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**{"min_value": 0, "max_value": LARGEST_NUMBER, **kwargs})
        self.limits = {"least": self.min_value, "most": self.max_value}

    def to_internal_value(self, data: str) -> int:
        if not (data.isascii() and data.isdigit() and len(data) <= MOST_DIGITS):
            self.fail("invalid")
        return int(data)


class Time(Text):
    """A day (UTC) or a time in ISO 8601; `whole_day`: a day lasts to its end.

    An unquoted plus arrives as a blank, which after a time can only be the sign of an offset.
    """

    expected = "day_or_time"

    def __init__(self, *, whole_day: bool = False, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.whole_day = whole_day

    def to_internal_value(self, data: str) -> Any:
        try:
            if DAY.fullmatch(data):
                day = date.fromisoformat(data)
                if self.whole_day and day == date.max:
                    return None
                return datetime.combine(day + timedelta(days=int(self.whole_day)), datetime.min.time(), UTC)
            if not DAY.match(data) or data[10] not in "Tt ":
                self.fail("invalid")
            time = datetime.fromisoformat(data[:11] + data[11:].replace(" ", "+"))
            return time.replace(tzinfo=UTC) if time.tzinfo is None else time.astimezone(UTC)
        except (ValueError, OverflowError):
            self.fail("invalid")


class Parameters(StrictSerializer):
    """The parameters of an address; those of other programs are left alone."""

    called = "address"

    @classmethod
    def of(cls, query: QueryDict) -> Self:
        """The parameters; of one that occurs several times the last.

        Errors: `Malformed` and its subclasses.
        """
        asked = cls(data={name: query[name] for name in query})
        asked.is_valid(raise_exception=True)
        return asked

    def refuse_field(self, name: str) -> None:
        """Leave it alone."""


class LogParameters(Parameters):
    after = ParameterNumber(default=0, help_text="Only entries with a higher seq.")


class FormatParameters(Parameters):
    format = Choice(choices=FORMATS, default=FORMATS[0])


class ExportParameters(Parameters):
    format = Choice(choices=EXPORT_FORMATS, default=EXPORT_FORMATS[0])


class AnalysisParameters(Parameters):
    seat = ParameterNumber(
        **LEFT_OUT,
        max_value=LAST_SEAT,
        help_text="Whose decisions; else those of the key's own seat, or of seat 0.",
    )


class ImportParameters(Parameters):
    request_id = RequestId(**LEFT_OUT, help_text=CREATION_ID)
    group = Text(**LEFT_OUT, help_text="The group that it joins; the key holder is one of its members.")


class ResultsParameters(Parameters):
    """What the lists of results have in common: parameters that they do not know are refused."""

    size = ParameterNumber(
        default=history.PAGE,
        min_value=1,
        max_value=history.MOST_ON_A_PAGE,
        help_text="Games on a page; not for a file.",
    )

    def refuse_field(self, name: str) -> None:
        if name in (*ListingParameters().fields, *ChangesParameters().fields):
            raise Malformed(problem="other parameters", parameter=name)
        super(Parameters, self).refuse_field(name)


class ChangesParameters(ResultsParameters):
    changed_after = ParameterNumber(
        required=False,
        help_text="Instead of a page: what changed after this number. Begin with 0, continue with the number in the "
        "answer. Goes with `size` alone. Names are those of the sheets: to rename a player of the group is no change, "
        "and `players/` has the present names.",
    )


class FilterParameters(Parameters):
    """Which games are meant.  A filter without a value is left out, as a form sends it."""

    season = ParameterNumber(**LEFT_OUT, help_text="Games of this season of the group. Its days are those of UTC.")
    edition = Choice(choices=list(EDITIONS), **LEFT_OUT, help_text="Games with this box.")
    preset = Choice(choices=list(PRESETS), **LEFT_OUT, help_text="Games by this preset.")
    players = ParameterNumber(
        **LEFT_OUT,
        min_value=FEWEST_PLAYERS,
        max_value=MOST_PLAYERS,
        help_text="Games with this number of players.",
    )

    def get_fields(self) -> dict[str, AnyField]:
        times = "A day (UTC) or a time in ISO 8601."
        since = Time(**LEFT_OUT, help_text=f"Finished then or later. {times}")
        until = Time(
            **LEFT_OUT, whole_day=True, help_text=f"Finished on that day or earlier, or before that time. {times}"
        )
        return {**super().get_fields(), "from": since, "to": until}

    def to_internal_value(self, data: Any) -> Any:
        filters = {name for name, field in self.fields.items() if field.default is None}
        return super().to_internal_value({name: value for name, value in data.items() if value or name not in filters})

    def filters(self, group: Group) -> Filters:
        """The games of a group that are meant.

        Errors: `NotFound` for a season that the group does not have.
        """
        asked = self.validated_data
        filters = Filters(None, asked["preset"], asked["players"], asked["from"], asked["to"], asked["edition"])
        if asked["season"] is None:
            return filters
        return filters.during(selections.season_of(group, asked["season"]), UTC)


class ListingParameters(FilterParameters, ResultsParameters):
    """The parameters of a list; its filters, and a player."""

    player = Text(**LEFT_OUT, help_text="Games of this player.")
    ordering = Choice(choices=history.ORDERINGS, default=history.NEWEST)
    cursor = Text(**LEFT_OUT, help_text="Out of `next` or `previous`; not for a file, which is whole.")
    format = Choice(choices=FORMATS, default=FORMATS[0])

    def to_internal_value(self, data: Any) -> Any:
        read = super().to_internal_value(data)
        # A file is whole: a page of it would look like all of it.
        for name in ("cursor", "size"):
            if data.get(name) and read["format"] == "csv":
                self.refuse_field(name)
        return read

    def filters(self, group: Group) -> Filters:
        """The games of a group that are meant.

        Errors: `NotFound`, also for a player whom the group does not know.
        """
        player = self.validated_data["player"]
        filters = super().filters(group)
        return filters if player is None else replace(filters, player=figures.person_of(group, player).pk)

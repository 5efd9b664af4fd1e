"""The filters of a group's games: their form, and what it offers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta

from django.http import QueryDict
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.errors import NotFound
from games.groups.history import Filters, begin_of
from games.models import Player, Season
from games.pages.forms import Form, NumberField, Refused, TextField
from games.rules import PRESETS
from games.rules.editions import EDITIONS
from games.rules.errors import WrongType
from games.texts import words


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


class FilterForm(Form):
    """Which games of a group are meant; an empty field narrows nothing.  `seasons`: those of the group."""

    season = TextField()
    preset = TextField()
    players = NumberField("players", optional=True)

    def __init__(self, data: QueryDict, seasons: Sequence[Season]) -> None:
        super().__init__(data)
        self.seasons = seasons
        # An attribute cannot be called “from”.
        self.fields["from"] = DayField("from")
        self.fields["to"] = DayField("to")

    def clean_season(self) -> Season | None:
        """The season.  Errors: `Refused`, also for one that was deleted: that is not the same as none."""
        asked = self.text("season")
        found = next((each for each in self.seasons if str(each.pk) == asked), None)
        if asked and found is None:
            raise Refused(NotFound())
        return found

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
        since, until, season = (self.cleaned_data[name] for name in ("from", "to", "season"))
        zone = timezone.get_current_timezone()
        # One list has the boxes and, below each, its presets.
        asked = self.text("preset") or None
        filters = Filters(
            preset=None if asked in EDITIONS else asked,
            edition=asked if asked in EDITIONS else None,
            players=self.cleaned_data["players"],
            since=None if since is None else begin_of(since, zone),
            until=None if until is None else begin_of(until + timedelta(days=1), zone),
        )
        return filters if season is None else filters.during(season, zone)


class HistoryForm(FilterForm):
    """The same for the history, and a player."""

    player = TextField()

    @property
    def filters(self) -> Filters:
        """The games that are meant."""
        return replace(super().filters, player=self.text("player") or None)


Option = tuple[str, str, bool]


@dataclass(frozen=True)
class FilterChoices:
    """The filters: value and name, the chosen ones marked.  `boxes`: each with its presets; `chosen`: all in words."""

    players: list[Option]
    seasons: list[Option]
    boxes: list[tuple[Option, list[Option]]]
    counts: list[Option]
    chosen: list[str]


def filter_choices(asked: FilterForm, players: Sequence[Player] = ()) -> FilterChoices:
    """The choices of a form of filters.  `players`: those of a form that asks for one."""
    people = [(player.pk, player.name, player.pk == asked.text("player")) for player in players]
    seasons = [(str(each.pk), each.name, str(each.pk) == asked.text("season")) for each in asked.seasons]
    boxes = [
        (
            (box, words.box_of_cards(edition), box == asked.text("preset")),
            [
                (key, words.preset_name(key), key == asked.text("preset"))
                for key, preset in PRESETS.items()
                if preset.edition.key == box
            ],
        )
        for box, edition in EDITIONS.items()
    ]
    presets = [option for box, below in boxes for option in (box, *below)]
    counts = [(str(count), str(count), str(count) == asked.text("players")) for count in range(2, 6)]
    named = [name for _value, name, is_chosen in (*people, *seasons, *presets) if is_chosen]
    at_table = [
        ngettext("{count} player", "{count} players", int(count)).format(count=count)
        for count, _name, is_chosen in counts
        if is_chosen
    ]
    return FilterChoices(people, seasons, boxes, counts, chosen=[*named, *at_table, *_days(asked)])


def _days(asked: FilterForm) -> list[str]:
    """From when and until when, in words; nothing for a day that cannot be read."""
    since, until = (asked.cleaned_data.get(name) if asked.is_valid() else None for name in ("from", "to"))
    templates = ((_("from {day}"), since), (_("until {day}"), until))
    return [template.format(day=date_format(day)) for template, day in templates if day is not None]

"""The forms of the seats of a digital game."""

from __future__ import annotations

from typing import ClassVar

from games.bots import LEVELS
from games.pages.forms import Form, NumberField, Refused, TextField
from games.pages.parts.invitation import InvitationForm
from games.rules.errors import NameMissing, NameTooLong, NameTwice, WrongType

ANY_SEAT = "table"
"""An invitation to the whole table: who follows it says which of the free seats is theirs."""

UNNAMED_SEAT = "unnamed"
"""The first free seat whose player has no name yet."""

NAME_REFUSED = (NameMissing, NameTooLong, NameTwice)


class InvitedField(NumberField):
    """The seat that an invitation is to, `ANY_SEAT` for one to the table, None for one to watch."""

    def clean(self, value: str | None) -> int | str | None:  # type: ignore[override]  # or a word
        """The seat.  Errors: `Refused`."""
        return value if value == ANY_SEAT else None if value == "viewer" else super().clean(value)


class SeatInvitationForm(InvitationForm):
    """An invitation to a seat, or to watch."""

    invite = InvitedField("seat", optional=True)


class LevelField(TextField):
    """The level of a bot, None for no bot."""

    def clean(self, value: str | None) -> str | None:
        """The level.  Errors: `Refused`."""
        if value and value not in LEVELS:
            raise Refused(WrongType(field="level", expected="level"))
        return value or None


class BotForm(Form):
    """The bot that plays for a seat."""

    level = LevelField()


class SitForm(Form):
    """The name of the player who sits down, where the seat has none."""

    about: ClassVar = dict.fromkeys(("name_missing", "name_too_long", "name_twice"), "name")

    name = TextField()

    @property
    def name_typed(self) -> str | None:
        """The name; None if the form did not ask for one."""
        return self.data.get("name")


class SeenForm(Form):
    """The version that the phone shows."""

    version = NumberField("version")

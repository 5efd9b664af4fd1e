"""The form of a new table, and what it holds so far."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from django.http import QueryDict
from django.utils.translation import gettext

from games.bots import LEVELS
from games.models import Mode
from games.pages.forms import NumberField, SeatsForm, TextField, whole_number
from games.rules import DEFAULT_PRESET, NjetError, Preset, Setup, allowed_values, find_preset
from games.rules.errors import OptionNotAllowed, WrongPlayerCount
from games.rules.ruleset import MOST_PLAYERS
from games.rules.setup import typed_names
from games.rules.text import clean_line

HERE, ELSEWHERE = "here", "person"
"""Who plays a seat of a digital game, if not a bot: a person on this phone, or on a phone of their own."""

BOTS = 3
"""Against how many a single player plays."""


@dataclass(frozen=True)
class NewTable:
    """What was typed so far for a new table.

    `digital`: the cards are on the phones; `plays` then says for each place who plays there.
    """

    preset: str
    names: list[str]
    tokens: list[str]
    options: dict[str, str]
    group: str = ""
    digital: bool = False
    plays: list[str] = field(default_factory=lambda: [HERE, *[ELSEWHERE] * (MOST_PLAYERS - 1)])

    @classmethod
    def blank(cls, preset: str = DEFAULT_PRESET, group: str = "", *, digital: bool = False) -> NewTable:
        """A table before anything is typed."""
        return cls(preset, [""] * MOST_PLAYERS, [""] * MOST_PLAYERS, {}, group, digital)

    @property
    def seated(self) -> list[int]:
        """The places that are taken: those with a name, and in a digital game those of bots."""
        return [place for place, name in enumerate(self.names) if name or self._level(place)]

    @property
    def bots(self) -> list[str | None]:
        """The level of the bot of each seat, None for a person."""
        return [self._level(place) for place in self.seated]

    @property
    def own_seats(self) -> list[int]:
        """The seats that are played on this phone; the first person's if none is."""
        here = [seat for seat, place in enumerate(self.seated) if self.plays[place] == HERE]
        return here or self.people[:1]

    @property
    def people(self) -> list[int]:
        """The seats of a digital game that no bot plays."""
        return [seat for seat, place in enumerate(self.seated) if self.digital and not self._level(place)]

    @property
    def free_place(self) -> int | None:
        """The first place that is free."""
        return next((place for place in range(MOST_PLAYERS) if place not in self.seated), None)

    @property
    def phone(self) -> str:
        """The owner of this phone, as far as known: in a digital game the first player on it."""
        seats = [self.seated[seat] for seat in self.own_seats]
        return self.name_at(seats[0]) if self.digital and seats else ""

    def with_bot(self, level: str) -> NewTable:
        """With a bot of this level in the first free place."""
        place = self.free_place
        if place is None or level not in LEVELS:
            return self
        return replace(self, digital=True, plays=[*self.plays[:place], level, *self.plays[place + 1 :]])

    def against_bots(self) -> NewTable:
        """With one player on this phone, and easy bots."""
        others = [LEVELS[0]] * BOTS + [ELSEWHERE] * (MOST_PLAYERS - 1 - BOTS)
        return replace(self, digital=True, plays=[HERE, *others])

    def with_tokens(self, last: Mapping[str, str]) -> NewTable:
        """With the last token of each player, by name, who has chosen none: people keep their colour."""
        tokens, allowed = list(self.tokens), find_preset(self.preset).edition.tokens
        for place, name in enumerate(self.names):
            token = last.get(name, "")
            if name and not tokens[place] and token in allowed and token not in tokens:
                tokens[place] = token
        return replace(self, tokens=tokens)

    def name_at(self, place: int) -> str:
        """The name of a player; a bot without a name is called by its number."""
        return self.names[place] or gettext("Bot {number}").format(number=place + 1)

    def setup(self) -> Setup:
        """The set-up that was typed.

        Errors: every `IllegalSetup`, `WrongType`.
        """
        seated = self.seated
        allowed = allowed_values(find_preset(self.preset).edition)
        return Setup.of(
            preset=self.preset,
            names=typed_names([self.name_at(place) for place in seated]),
            tokens=[self.tokens[place] or None for place in seated],
            options={name: _option(allowed, name, value) for name, value in self.options.items() if value},
            digital=self.digital,
        )

    def _level(self, place: int) -> str | None:
        return self.plays[place] if self.digital and self.plays[place] in LEVELS else None


def offered_options(preset: Preset) -> dict[str, tuple[str | bool, ...]]:
    """The options that a preset leaves open, with their values."""
    values = allowed_values(preset.edition)
    return {name: each for name, each in values.items() if len(each) > 1 and preset.defaults[name] is not None}


class NewTableForm(SeatsForm):
    """The form of a new table.  What cannot be read counts as not typed; `NewTable.setup` refuses what is wrong."""

    def __init__(self, data: QueryDict) -> None:
        super().__init__(data)
        self.add_seats(MOST_PLAYERS)
        for name in ("preset", "mode", "group", "label"):
            self.fields[name] = TextField()
        for place in range(MOST_PLAYERS):
            self.fields[f"plays-{place}"] = TextField()
        for name in data:
            if name.startswith("option-"):
                self.fields[name] = TextField()
        self.fields["option-rounds"] = NumberField("rounds", optional=True)

    @property
    def has_folded_error(self) -> bool:
        """Whether an error is at a field that the page folds away."""
        return any(name.startswith("option-") for name in self.errors)

    @property
    def table(self) -> NewTable:
        """What was typed."""
        blank, places = NewTable.blank(), range(MOST_PLAYERS)
        plays = [self.data.get(f"plays-{place}", "") for place in places]
        return NewTable(
            preset=self.data.get("preset", DEFAULT_PRESET),
            names=[clean_line(self.data.get(f"name-{place}", "")) for place in places],
            tokens=[self.data.get(f"token-{place}", "") for place in places],
            options={name.removeprefix("option-"): self.data[name] for name in self.data if name.startswith("option-")},
            group=self.data.get("group", ""),
            digital=self.data.get("mode") == Mode.DIGITAL,
            plays=[
                player if player in (HERE, ELSEWHERE, *LEVELS) else usual
                for player, usual in zip(plays, blank.plays, strict=True)
            ],
        )

    @property
    def _types_too_few(self) -> bool:
        return len(self.table.seated) < min(find_preset(self.table.preset).player_counts)

    def sentence(self, refusal: NjetError) -> str:
        """A refusal in words: what to type, if there is nearly nothing yet."""
        if isinstance(refusal, WrongPlayerCount) and len(self.table.seated) < 2:
            return gettext("Type at least two names.")
        return super().sentence(refusal)

    def field_about(self, refusal: NjetError) -> str | None:
        """The field of an option that cannot be chosen, or that of a seat; of a name that is missing, the first."""
        if isinstance(refusal, WrongPlayerCount) and self._types_too_few:
            return f"name-{self.table.free_place}"
        if isinstance(refusal, OptionNotAllowed):
            name = str(refusal.params["option"])
            is_shown = name in {"rounds", *offered_options(find_preset(self.table.preset))}
            return f"option-{name}" if is_shown else None
        return super().field_about(refusal)


def _option(allowed: Mapping[str, tuple[str | bool, ...]], name: str, value: str) -> object:
    if name == "rounds":
        return whole_number(name, value)
    if name in allowed and isinstance(allowed[name][0], bool):
        return {"True": True, "False": False}.get(value, value)
    return value

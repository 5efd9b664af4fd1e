"""What the pages send, read: actions and set-ups out of plain form fields.

Knows: the names of the fields.  Must not know: whether an action is allowed.  A field that cannot be read is refused
with the rules' own `Malformed`, never guessed.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, timedelta

from django.http import QueryDict
from django.utils.translation import gettext

from games.bots import LEVELS
from games.club.history import Filters
from games.models import Mode
from games.rules import (
    DEFAULT_PRESET,
    AddPenalty,
    EnterConditions,
    Finish,
    NameTeam,
    Place,
    RecordTally,
    RecordTrick,
    RowKey,
    Setup,
    VoidRound,
    allowed_values,
    find_preset,
)
from games.rules.actions import Action
from games.rules.errors import MissingField, UnknownActionType, UnknownRow, WrongType
from games.rules.text import clean_line
from games.services.write import WriteRequest

MOST_PLAYERS = 5
LONGEST_NUMBER = 16
NOT_PART_OF_A_REQUEST = {"csrfmiddlewaretoken", "version", "request_id"}


def request_of(data: QueryDict) -> WriteRequest:
    """What a form says about itself.  Sent twice, it carries the same id and is done once."""
    version = data.get("version")
    body: dict[str, object] = {name: data.getlist(name) for name in data if name not in NOT_PART_OF_A_REQUEST}
    return WriteRequest(
        version=whole_number("version", version) if version else None,
        request_id=(data.get("request_id") or "")[:64] or None,
        body=body,
    )


def new_request_id() -> str:
    """An id for the next form: 128 random bits."""
    return secrets.token_hex(16)


def form_id(data: QueryDict) -> str | None:
    """The id of a form that makes something new, None unless it looks like one of ours."""
    sent = data.get("request_id", "")
    return sent if re.fullmatch("[0-9a-f]{32}", sent) else None


def whole_number(name: str, text: str | None) -> int:
    """A number typed into a form; the typographic minus is one too.

    Errors: `WrongType`.
    """
    digits = (text or "").strip().replace("−", "-")
    # A number of thousands of digits can be read, but a sum of two such can no longer be written.
    if len(digits) <= LONGEST_NUMBER:
        with suppress(ValueError):
            return int(digits)
    raise WrongType(field=name, expected="whole_number")


def optional_number(name: str, text: str | None) -> int | None:
    """A number, or None for an empty field.

    Errors: `WrongType`.
    """
    return whole_number(name, text) if (text or "").strip() else None


def action_of(data: Mapping[str, str], *, players: int) -> Action:
    """The action that a form stands for.

    Errors: `Malformed` and its kin.
    """
    kind = data.get("do", "")
    match kind:
        case "place":
            row, _, space = data.get("space", "").partition(":")
            return Place(row_of(row), space)
        case "conditions":
            start = data.get("start")
            named = {row: data.get(row, "") for row in ("discard", "trump", "supertrump", "points")}
            for row, space in named.items():
                if not space:
                    raise MissingField(action="conditions", field=row)
            return EnterConditions(start=start or None, **named)
        case "team":
            partners, _, monster = data.get("team", "").partition(":")
            return NameTeam(
                partners=() if partners == "alone" else _seats(partners),
                monster=optional_number("monster", monster),
                start=optional_number("start", data.get("start")),
            )
        case "trick":
            winner, _, captured = data.get("trick", "").partition(":")
            return RecordTrick(whole_number("winner", winner), whole_number("captured", captured))
        case "tally":
            return RecordTally(_figures(data, "tricks", players), _figures(data, "captured", players))
        case "void_round":
            return VoidRound(data.get("reason", ""))
        case "penalty":
            return AddPenalty(
                whole_number("seat", data.get("seat")),
                whole_number("points", data.get("points")),
                data.get("reason", ""),
            )
        case "finish":
            return Finish()
    raise UnknownActionType(type=kind)


def row_of(text: str) -> RowKey:
    """A row by its name.

    Errors: `UnknownRow`.
    """
    if text not in set(RowKey):
        raise UnknownRow(row=text)
    return RowKey(text)


def _seats(text: str) -> tuple[int, ...]:
    return tuple(whole_number("partners", seat) for seat in text.split("-"))


def _figures(data: Mapping[str, str], name: str, players: int) -> tuple[int, ...]:
    # An empty field is a 0: on a sheet nobody writes the zeros.
    return tuple(optional_number(name, data.get(f"{name}-{seat}")) or 0 for seat in range(players))


# --- the history of a group ---


@dataclass(frozen=True)
class HistoryForm:
    """What the history is narrowed to, as it was typed; an empty field narrows nothing."""

    player: str
    preset: str
    players: str
    since: str
    until: str

    @classmethod
    def read(cls, data: QueryDict) -> HistoryForm:
        """The fields of an address."""
        return cls(
            *(data.get(name, "").strip() for name in ("player", "preset", "players")),
            since=data.get("from", "").strip(),
            until=data.get("to", "").strip(),
        )

    def query(self) -> dict[str, str]:
        """The fields that are filled in, for the address of another page."""
        named = {"player": self.player, "preset": self.preset, "players": self.players}
        return {name: text for name, text in {**named, "from": self.since, "to": self.until}.items() if text}

    def filters(self) -> Filters:
        """The games that are meant; both days belong to them, in UTC.

        Errors: `WrongType`.
        """
        until = _day("to", self.until)
        return Filters(
            player=self.player or None,
            preset=self.preset or None,
            players=optional_number("players", self.players),
            since=_day("from", self.since),
            until=None if until is None else until + timedelta(days=1),
        )


def _day(name: str, text: str) -> datetime | None:
    if not text:
        return None
    try:
        day = date.fromisoformat(text)
        # The last day of all has none after it.
        if not 1 < day.year < 9999:
            raise ValueError(text)
    except ValueError as error:
        raise WrongType(field=name, expected="day") from error
    return datetime(day.year, day.month, day.day, tzinfo=UTC)


# --- a new table ---


HERE, ELSEWHERE = "here", "person"
"""Who plays a seat of a digital game, besides the levels of bots: somebody on this phone, or on one of his own."""


@dataclass(frozen=True)
class NewTable:
    """What was typed so far for a new table.

    `digital`: the cards are on the phones; `plays` then says for each place who plays there.
    """

    preset: str
    names: list[str]
    tokens: list[str]
    dealer: int
    options: dict[str, str]
    group: str = ""
    digital: bool = False
    plays: list[str] = field(default_factory=lambda: [HERE, *[ELSEWHERE] * (MOST_PLAYERS - 1)])

    @classmethod
    def blank(cls, preset: str = DEFAULT_PRESET, group: str = "", *, digital: bool = False) -> NewTable:
        """A table with nobody at it."""
        return cls(preset, [""] * MOST_PLAYERS, [""] * MOST_PLAYERS, 0, {}, group, digital)

    @classmethod
    def read(cls, data: QueryDict) -> NewTable:
        """What a form holds; whatever cannot be read counts as not typed, `setup` refuses what is wrong."""
        places = range(MOST_PLAYERS)
        dealer = data.get("dealer", "0")
        return cls(
            preset=data.get("preset", DEFAULT_PRESET),
            names=[clean_line(data.get(f"name-{place}", "")) for place in places],
            tokens=[data.get(f"token-{place}", "") for place in places],
            dealer=int(dealer) if dealer in map(str, places) else 0,
            options={name.removeprefix("option-"): data[name] for name in data if name.startswith("option-")},
            group=data.get("group", ""),
            digital=data.get("mode") == Mode.DIGITAL,
            plays=[_player(data.get(f"plays-{place}"), usual) for place, usual in enumerate(cls.blank().plays)],
        )

    @property
    def seated(self) -> list[int]:
        """The places where somebody sits: those with a name, and in a digital game those of bots."""
        return [place for place, name in enumerate(self.names) if name or self._level(place)]

    @property
    def bots(self) -> list[str | None]:
        """The level of the bot of each seat, None for a person."""
        return [self._level(place) for place in self.seated]

    @property
    def own_seats(self) -> list[int]:
        """The seats that are played on this phone; the first person's if nobody is said to."""
        here = [seat for seat, place in enumerate(self.seated) if self.plays[place] == HERE]
        return here or self.people[:1]

    @property
    def people(self) -> list[int]:
        """The seats of a digital game that no bot plays."""
        return [seat for seat, place in enumerate(self.seated) if self.digital and not self._level(place)]

    @property
    def free_place(self) -> int | None:
        """The first place where nobody sits."""
        return next((place for place in range(MOST_PLAYERS) if place not in self.seated), None)

    @property
    def phone(self) -> str:
        """Whose phone this is, as far as that can be known: in a digital game that of the first who plays on it."""
        seats = [self.seated[seat] for seat in self.own_seats]
        return self.name_at(seats[0]) if self.digital and seats else ""

    def with_bot(self, level: str) -> NewTable:
        """A bot of this level in the first place where nobody sits."""
        place = self.free_place
        if place is None or level not in LEVELS:
            return self
        return replace(self, digital=True, plays=[*self.plays[:place], level, *self.plays[place + 1 :]])

    def name_at(self, place: int) -> str:
        """What somebody is called; a bot needs no name of its own."""
        return self.names[place] or gettext("Bot {number}").format(number=place + 1)

    def setup(self) -> Setup:
        """The set-up that was typed.

        Errors: every `IllegalSetup`, `WrongType`.
        """
        seated = self.seated
        allowed = allowed_values(find_preset(self.preset).edition)
        return Setup.of(
            preset=self.preset,
            names=[self.name_at(place) for place in seated],
            tokens=[self.tokens[place] or None for place in seated],
            options={name: _option(allowed, name, value) for name, value in self.options.items() if value},
            dealer=seated.index(self.dealer) if self.dealer in seated else 0,
            digital=self.digital,
        )

    def _level(self, place: int) -> str | None:
        return self.plays[place] if self.digital and self.plays[place] in LEVELS else None


def _player(text: str | None, usual: str) -> str:
    return text if text in (HERE, ELSEWHERE, *LEVELS) else usual


def _option(allowed: Mapping[str, tuple[str | bool, ...]], name: str, value: str) -> object:
    if name == "rounds":
        return whole_number(name, value)
    if name in allowed and isinstance(allowed[name][0], bool):
        return {"True": True, "False": False}.get(value, value)
    return value

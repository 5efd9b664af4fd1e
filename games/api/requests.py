"""Reading what programs send about games, strictly.

Knows: the fields of every request, their types.  Must not know: what is done with them, nor who sent them.
Whatever is not exactly a request is refused here as `Malformed`, before anybody asks for a key.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from games.api.fields import Fields, as_choice, as_count, as_list, as_number, as_text
from games.api.fields import StrictJSONParser as StrictJSONParser
from games.bots import LEVELS
from games.models import Mode, Role
from games.rules import Key as ActionKey
from games.rules import from_json
from games.rules.actions import Action
from games.rules.entries import changes_from_json
from games.rules.errors import Malformed, WrongType
from games.rules.options import OPTIONS
from games.rules.replay import Change, InsertAction
from games.services.proposals import KINDS
from games.services.write import WriteRequest

BOOLEAN_OPTIONS = {"must_trump_when_void", "start_row"}
OPTIONS_THAT_MAY_BE_NULL = {"three_player_removal"}


@dataclass(frozen=True)
class NewGame:
    """A table to open, in a group if one is named.  `bots`: the level of the bot that plays for each seat, or None."""

    mode: str
    preset: str
    options: Mapping[str, object]
    names: Sequence[str]
    tokens: Sequence[str | None]
    dealer: int
    bots: Sequence[str | None]
    group: str | None


def new_game(document: object) -> NewGame:
    """Read `POST /games/`."""
    fields = Fields(document)
    players = [Fields(each, of="player") for each in as_list("players", fields.required("players"))]
    bots = [player.optional_choice("bot", LEVELS) for player in players]
    asked = NewGame(
        mode=fields.choice("mode", Mode.values),
        preset=fields.text("preset"),
        options=_options(fields.optional("options")),
        names=[player.text("name") for player in players],
        tokens=[player.optional_text("token") for player in players],
        dealer=fields.optional_number("dealer") or 0,
        bots=bots,
        group=fields.optional_text("group"),
    )
    for each in (fields, *players):
        each.refuse_others()
    return asked


def _options(value: object) -> Mapping[str, object]:
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise WrongType(field="options", expected="an object")
    for name in OPTIONS:
        if name in value:
            _check_option(name, value[name])
    return value


def _check_option(name: str, value: object) -> None:
    if name == "rounds":
        as_number(name, value)
    elif name in BOOLEAN_OPTIONS:
        if not isinstance(value, bool):
            raise WrongType(field=name, expected="true or false")
    elif value is not None or name not in OPTIONS_THAT_MAY_BE_NULL:
        as_text(name, value)


@dataclass(frozen=True)
class Recording:
    """An action to write down.  `seat`: who acts, if the sender wants to have that checked."""

    action: Action
    seat: int | None
    writing: WriteRequest


def recording(document: object) -> Recording:
    """Read `POST /games/{id}/actions/`."""
    fields = Fields(document)
    asked = Recording(from_json(fields.required("action")), fields.optional_count("seat"), fields.writing())
    fields.refuse_others()
    return asked


@dataclass(frozen=True)
class Undoing:
    """How far to go back; `to_seq` is None for one step."""

    to_seq: int | None
    writing: WriteRequest


def undoing(document: object) -> Undoing:
    """Read `POST /games/{id}/undo/`."""
    fields = Fields(document)
    asked = Undoing(fields.optional_count("to_seq"), fields.writing())
    fields.refuse_others()
    return asked


@dataclass(frozen=True)
class Amending:
    """Corrections to make, or only to look at."""

    changes: tuple[Change, ...]
    preview: bool
    writing: WriteRequest


def amending(document: object) -> Amending:
    """Read `POST /games/{id}/amend/`."""
    fields = Fields(document)
    changes = changes_from_json(fields.required("changes"))
    for key in (_key_of(change) for change in changes):
        if min(key.seq, key.part) < 0:
            raise WrongType(field="changes", expected="a list of corrections whose entries are numbered from 0 on")
    asked = Amending(changes, fields.flag("preview"), fields.writing())
    fields.refuse_others()
    return asked


def _key_of(change: Change) -> ActionKey:
    return change.after if isinstance(change, InsertAction) else change.key


@dataclass(frozen=True)
class SettingUp:
    """What to put right in the set-up: None is left as it is."""

    names: Sequence[str] | None
    tokens: Sequence[str] | None
    dealer: int | None
    rounds: int | None
    preview: bool
    writing: WriteRequest

    @property
    def corrections(self) -> dict[str, Any]:
        return {"names": self.names, "tokens": self.tokens, "dealer": self.dealer, "rounds": self.rounds}


def setting_up(document: object) -> SettingUp:
    """Read `POST /games/{id}/setup/`."""
    fields = Fields(document)
    asked = SettingUp(
        names=fields.optional_texts("names"),
        tokens=fields.optional_texts("tokens"),
        dealer=fields.optional_number("dealer"),
        rounds=fields.optional_number("rounds"),
        preview=fields.flag("preview"),
        writing=fields.writing(),
    )
    fields.refuse_others()
    if all(value is None for value in asked.corrections.values()):
        raise Malformed(problem="a correction needs one of names, tokens, dealer, rounds")
    return asked


def writing(document: object) -> WriteRequest:
    """Read a request that says nothing but its version and its id (`lock`, `reopen`)."""
    fields = Fields(document)
    asked = fields.writing()
    fields.refuse_others()
    return asked


def nothing(document: object) -> None:
    """Read a request that has nothing to say."""
    Fields(document).refuse_others()


def rematching(document: object) -> bool:
    """Read `POST /games/{id}/rematch/`: whether the same deals are to be played once more."""
    fields = Fields(document)
    same_deals = fields.flag("same_deals")
    fields.refuse_others()
    return same_deals


@dataclass(frozen=True)
class Inviting:
    """Whom to let in; `seat` exactly for the role of a seat."""

    role: Role
    seat: int | None


def inviting(document: object) -> Inviting:
    """Read `POST /games/{id}/invites/`."""
    fields = Fields(document)
    role = Role(fields.choice("role", Role.values))
    seat = as_count("seat", fields.required("seat")) if role is Role.SEAT else None
    fields.refuse_others()
    return Inviting(role, seat)


# --- digital games ---


@dataclass(frozen=True)
class Proposing:
    """What to ask the others; `to_seq` only for a takeback, None for one step."""

    kind: str
    to_seq: int | None
    writing: WriteRequest


def proposing(document: object) -> Proposing:
    """Read `POST /games/{id}/proposals/`."""
    fields = Fields(document)
    kind = fields.choice("type", KINDS)
    to_seq = fields.optional_count("to_seq") if kind == "takeback" else None
    asked = Proposing(kind, to_seq, fields.writing())
    fields.refuse_others()
    return asked


@dataclass(frozen=True)
class Answering:
    """Whether a player agrees to what he was asked."""

    agrees: bool
    writing: WriteRequest


def answering(document: object) -> Answering:
    """Read `POST /games/{id}/proposals/{seq}/`."""
    fields = Fields(document)
    agrees = fields.required("agree")
    if not isinstance(agrees, bool):
        raise WrongType(field="agree", expected="true or false")
    asked = Answering(agrees, fields.writing())
    fields.refuse_others()
    return asked


@dataclass(frozen=True)
class SeatingBot:
    """The level of the bot that is to play for a seat; None: its player does again."""

    level: str | None
    writing: WriteRequest


def seating_bot(document: object) -> SeatingBot:
    """Read `POST /games/{id}/seats/{n}/bot/`."""
    fields = Fields(document)
    level = fields.required("level")
    asked = SeatingBot(None if level is None else as_choice("level", level, LEVELS), fields.writing())
    fields.refuse_others()
    return asked


@dataclass(frozen=True)
class Joining:
    """An invitation, by its code or its token (the other is empty), and what to call the bearer."""

    code: str
    token: str
    name: str


def joining(document: object) -> Joining:
    """Read `POST /join/`."""
    fields = Fields(document)
    code, token, name = (fields.optional_text(each) or "" for each in ("code", "token", "name"))
    fields.refuse_others()
    if bool(code) == bool(token):
        raise Malformed(problem="joining takes either a code or a token")
    return Joining(code, token, name)

"""Reading what programs send about groups and whole games, strictly.

Knows: the fields of every request, their types.  Must not know: what is done with them, nor who sent them.
Whatever is not exactly a request is refused here as `Malformed`, before anybody asks for a key.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from django.http import QueryDict

from games.api.fields import Fields, as_text
from games.formats import document as records
from games.formats.document import Imported
from games.models import TABLE_ROLES, GroupRole, Role
from games.rules.errors import Malformed, NjetError


def group_name(document: object) -> str:
    """Read `POST /groups/` and `POST /groups/{id}/`."""
    fields = Fields(document)
    name = fields.text("name")
    fields.refuse_others()
    return name


@dataclass(frozen=True)
class NewPlayer:
    """A regular to add; no token is an empty one."""

    name: str
    token: str


def new_player(document: object) -> NewPlayer:
    """Read `POST /groups/{id}/players/`."""
    fields = Fields(document)
    asked = NewPlayer(fields.text("name"), fields.optional_text("token") or "")
    fields.refuse_others()
    return asked


@dataclass(frozen=True)
class PlayerChange:
    """What to change of a player: None is left as it is, an empty token takes the favourite away."""

    name: str | None
    token: str | None


def player_change(document: object) -> PlayerChange:
    """Read `POST /groups/{id}/players/{player_id}/`."""
    fields = Fields(document)
    asked = PlayerChange(fields.optional_text("name"), fields.optional_text("token"))
    fields.refuse_others()
    if asked == PlayerChange(None, None):
        raise Malformed(problem="a change of a player needs a name or a token")
    return asked


def merging(document: object) -> str:
    """Read `POST …/merge/`: the player who stays."""
    fields = Fields(document)
    into = fields.text("into")
    fields.refuse_others()
    return into


@dataclass(frozen=True)
class NewKey:
    """A key to give out, and what the list calls it."""

    role: GroupRole
    label: str


def new_key(document: object) -> NewKey:
    """Read `POST /groups/{id}/keys/`."""
    fields = Fields(document)
    asked = NewKey(GroupRole(fields.choice("role", GroupRole.values)), fields.optional_text("label") or "")
    fields.refuse_others()
    return asked


def inviting(document: object) -> GroupRole:
    """Read `POST /groups/{id}/invites/`."""
    fields = Fields(document)
    role = fields.choice("role", GroupRole.values)
    fields.refuse_others()
    return GroupRole(role)


@dataclass(frozen=True)
class Adopting:
    """A game to take into a group, and the secret that shows the right to it."""

    game_id: str
    secret: str


def adopting(document: object) -> Adopting:
    """Read `POST /groups/{id}/games/`."""
    fields = Fields(document)
    asked = Adopting(fields.text("game"), fields.text("key"))
    fields.refuse_others()
    return asked


def entering(document: object) -> Role:
    """Read `POST …/enter/`."""
    fields = Fields(document)
    role = fields.choice("role", [role.value for role in TABLE_ROLES])
    fields.refuse_others()
    return Role(role)


# --- whole games ---


@dataclass(frozen=True)
class Importing:
    """A game that was read, or why it is none that can be taken; and the group that it shall belong to.

    What cannot be read was refused before; what the rules forbid waits until it is known who asks.
    """

    group_id: str | None
    _imported: Imported | None
    _refusal: NjetError | None

    @property
    def imported(self) -> Imported:
        """Errors: the rules' refusals, `NotFinished`."""
        if self._imported is None:
            assert self._refusal is not None, "what was not read was refused"
            raise self._refusal
        return self._imported


def importing(body: object, query: QueryDict) -> Importing:
    """Read `POST /games/import/`: the `njet` text, as it is or in an object, or the document itself.

    Errors: `Malformed` and its kin.
    """
    group_id = query.get("group")
    if isinstance(body, str):
        return _importing(group_id, lambda: records.read_text(body))
    if not isinstance(body, Mapping) or "njet" not in body:
        return _importing(group_id, lambda: records.read_document(body))
    fields = Fields(body)
    text = as_text("njet", fields.required("njet"))
    named = fields.optional_text("group")
    fields.refuse_others()
    if named is not None and group_id is not None and named != group_id:
        raise Malformed(problem="the address and the request name two groups")
    return _importing(group_id if named is None else named, lambda: records.read_text(text))


def _importing(group_id: str | None, read: Callable[[], Imported]) -> Importing:
    try:
        return Importing(group_id, read(), None)
    except Malformed:
        raise
    except NjetError as refusal:
        return Importing(group_id, None, refusal)

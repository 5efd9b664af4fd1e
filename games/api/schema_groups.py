"""The shapes of the documents about groups, results, figures and whole games, as JSON Schema.

Knows: those documents field by field; the figures' shapes are read off their classes.  Must not know: what `schema` and
`describe` know, code that builds or reads the documents; the tests hold these against each other.
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from dataclasses import fields
from types import NoneType, UnionType
from typing import Any, get_args, get_origin, get_type_hints

from games.api.parameters import MOST_PLAYERS
from games.api.shapes import (
    COUNT,
    FLAG,
    MOMENT,
    NO_NULL_CHARACTER,
    SEAT,
    SEATS,
    TEXT,
    URI,
    WHOLE,
    Shape,
    array,
    const,
    enum,
    nullable,
    obj,
    ref,
    said,
)
from games.club.statistics.ratings import Shown
from games.club.statistics.summary import Cover, GroupSummary, Monster, PairSummary, PlayerSummary, Rounds
from games.club.statistics_queries import LATEST
from games.formats.document import FORMAT, SCHEMA
from games.models import TABLE_ROLES, GroupRole, Mode, Status
from games.rules import PRESETS

COMPONENTS: dict[str, Shape] = {}

NUMBER: Shape = {"type": "number"}
FIRST: Shape = {"type": "integer", "minimum": 1}


# --- groups ---

_TOKEN = said(nullable(TEXT), "The favourite token.")
_SECRET = said(TEXT, "Shown this once.")
COMPONENTS["GroupLinks"] = obj(self=URI, page=said(URI, "For people."), results=URI, players=URI, statistics=URI)
COMPONENTS["CreatedGroup"] = obj(
    id=TEXT, name=TEXT, key=said(TEXT, "The owner's, shown this once."), links=ref("GroupLinks")
)
COMPONENTS["Group"] = obj(
    id=TEXT,
    name=TEXT,
    role=said(enum(*GroupRole), "What the bearer is in the group."),
    created_at=MOMENT,
    games=said(COUNT, "Finished games."),
    players=COUNT,
    changes=said(COUNT, "The number of the last change of a result: where `changed_after` has got to."),
    links=ref("GroupLinks"),
)
COMPONENTS["GroupPlayer"] = obj(
    id=TEXT,
    name=TEXT,
    token=_TOKEN,
    erased=said(FLAG, "The person asked to be forgotten and stays as a number among the figures."),
    games=COUNT,
    wins=COUNT,
    rating=ref("Rating"),
)
_GROUP_KEY: dict[str, Shape] = {
    "id": COUNT,
    "role": enum(*GroupRole),
    "label": TEXT,
    "created_at": MOMENT,
    "program": said(FLAG, "A program bears it, and its secret can be renewed; else a browser does."),
    "own": said(FLAG, "The key that asked."),
}
COMPONENTS["GroupKey"] = obj(**_GROUP_KEY)
COMPONENTS["GivenGroupKey"] = obj(**_GROUP_KEY, key=_SECRET)
COMPONENTS["GroupInvitation"] = obj(role=enum(*GroupRole), code=TEXT, link=URI, expires_at=MOMENT)
COMPONENTS["JoinedGroup"] = obj(group=TEXT, role=enum(*GroupRole), key=_SECRET, links=ref("GroupLinks"))
COMPONENTS["AdoptedGame"] = obj(
    game=TEXT,
    seats=said(array(obj(seat=SEAT, player=TEXT, name=TEXT)), "Who of the group sits where."),
    links=ref("Links"),
)


# --- results ---

_PLAYER = said(nullable(TEXT), "A player's id, for his figures.")
_ON_THE_SHEET = said(TEXT, "As it is written on the sheet.")
_RESULT: dict[str, Shape] = {
    "id": TEXT,
    "mode": enum(*Mode),
    "preset": enum(*PRESETS),
    "players": said({"type": "integer", "minimum": 2, "maximum": MOST_PLAYERS}, "How many."),
    "created_at": MOMENT,
    "finished_at": MOMENT,
    "locked": said(FLAG, "The result was confirmed: nothing changes any more."),
    "rounds": said(COUNT, "Complete ones."),
    "shared": said(FLAG, "More than one player won."),
    "seats": array(
        obj(
            seat=SEAT,
            player=_PLAYER,
            name=_ON_THE_SHEET,
            token=TEXT,
            total=WHOLE,
            rank={"type": "integer", "minimum": 1, "maximum": MOST_PLAYERS},
            winner=FLAG,
        )
    ),
    "links": ref("Links"),
}
_NUMBER_OF_CHANGE = said(FIRST, "Rises with every change of a result of the group.")
COMPONENTS["Result"] = obj(**_RESULT)
COMPONENTS["ChangedResult"] = {
    "oneOf": [
        obj(
            **{**_RESULT, "finished_at": nullable(MOMENT)},
            change=_NUMBER_OF_CHANGE,
            status=enum(*Status),
            description="A result as it is now; “playing”: it was reopened and counts no more.",
        ),
        obj(
            id=TEXT,
            change=_NUMBER_OF_CHANGE,
            status=const("gone"),
            description="The group has this game no more: it was deleted, or taken out.",
        ),
    ]
}
_PLACES: dict[str, Shape] = {"next": nullable(URI), "previous": nullable(URI)}
COMPONENTS["ResultsPage"] = obj(**_PLACES, results=array(ref("Result")))
COMPONENTS["ResultChanges"] = obj(
    results=said(array(ref("ChangedResult")), "In the order of the changes, each result once."),
    changed_after=said(COUNT, "Where to ask from the next time."),
    more=said(FLAG, "There is more to ask for at once."),
)
COMPONENTS["RoundRow"] = obj(
    game=TEXT,
    mode=enum(*Mode),
    preset=enum(*PRESETS),
    players=said(COUNT, "How many."),
    finished_at=MOMENT,
    round=FIRST,
    seat=SEAT,
    player=_PLAYER,
    name=_ON_THE_SHEET,
    conditions=ref("Conditions"),
    teams=said(array(SEATS, minItems=2, maxItems=2), "The start player's team first, each sorted."),
    monster=said(nullable(SEAT), "The holder of the monster."),
    tricks=COUNT,
    captured=COUNT,
    raw=said(WHOLE, "The team score."),
    points=said(WHOLE, "What is written on the sheet."),
    outcome=said(enum("won", "drawn", "lost"), "By the team scores."),
)
COMPONENTS["RoundsPage"] = obj(**_PLACES, results=said(array(ref("RoundRow")), "All rounds of the games of a page."))


# --- figures ---


def _of_class(summary: type, **more: Shape) -> Shape:
    """The shape of what a summary's `to_json` gives."""
    hints = get_type_hints(summary)
    shapes = {each.name: _of_type(hints[each.name]) for each in fields(summary)}
    return obj(description=inspect.cleandoc(summary.__doc__ or ""), **{**shapes, **more})


def _of_type(kind: Any) -> Shape:
    if kind in _PLAIN:
        return _PLAIN[kind]
    if kind in _NAMED:
        return ref(_NAMED[kind])
    origin, inner = get_origin(kind), get_args(kind)
    if origin is UnionType and NoneType in inner:
        return nullable(_of_type(inner[0]))
    if origin is tuple:
        return array(_of_type(inner[0]))
    if origin is Mapping:
        return {"type": "object", "additionalProperties": _of_type(inner[1])}
    raise TypeError(f"no shape is known for {kind}")


_PLAIN: dict[Any, Shape] = {int: WHOLE, float: NUMBER, bool: FLAG, str: TEXT}
_NAMED: dict[Any, str] = {Rounds: "Rounds", Cover: "Cover", Monster: "Monster"}

_NAMED_PLAYER = obj(id=TEXT, name=TEXT)
_ROUNDS = _of_class(Rounds)
COMPONENTS["Rating"] = said(
    _of_class(Shown),
    "In points, 0 for a newcomer. `uncertainty`: one deviation. `settling`: too little was played to trust it.",
)
COMPONENTS["Rounds"] = _ROUNDS
COMPONENTS["Cover"] = _of_class(Cover)
COMPONENTS["Monster"] = _of_class(Monster)
COMPONENTS["Partner"] = obj(
    player=TEXT, name=TEXT, **_ROUNDS["properties"], description="Rounds that two players shared a team in."
)
COMPONENTS["RatedGame"] = obj(game=TEXT, at=MOMENT, streak=COUNT, **COMPONENTS["Rating"]["properties"])
COMPONENTS["Companion"] = _of_class(PairSummary, player=TEXT, name=TEXT)
COMPONENTS["PlayerStatistics"] = _of_class(
    PlayerSummary,
    player=obj(id=TEXT, name=TEXT, token=_TOKEN),
    merged_into=said(nullable(TEXT), "Set where the id that was asked for is an older one of the same person."),
    rating=ref("Rating"),
    streak=said(COUNT, "Games won in a row up to now."),
    longest_streak=COUNT,
    ratings=said(array(ref("RatedGame"), maxItems=LATEST), "The latest rated games, the oldest of them first."),
    partners=said(array(ref("Partner")), "The most frequent first."),
    companions=said(array(ref("Companion")), "Everybody who sat at one table, the most frequent first."),
)
COMPONENTS["PairStatistics"] = _of_class(PairSummary, players=array(_NAMED_PLAYER, minItems=2, maxItems=2))
COMPONENTS["GroupStatistics"] = _of_class(
    GroupSummary, unrated=said(COUNT, "Games that the ratings have not seen yet.")
)


# --- whole games ---

_ENTRIES = array(obj(seq=FIRST, at=MOMENT, kind=TEXT, seat=nullable(SEAT), payload={"type": "object"}))
COMPONENTS["GameDocument"] = obj(
    format=const(FORMAT),
    schema=said(const(SCHEMA), "Rises when the document changes its shape."),
    id=said(TEXT, "Where it comes from first."),
    group=said(nullable(TEXT), "The name of the group."),
    mode=enum(*Mode),
    rules_version=FIRST,
    created_at=MOMENT,
    finished_at=nullable(MOMENT),
    locked_at=nullable(MOMENT),
    setup=ref("StoredSetup"),
    log=said(_ENTRIES, "Every entry as it was written, also what was taken back."),
    result=obj(totals=array(WHOLE), ranks=array(FIRST), winners=SEATS),
    description="The whole game, with its log.",
)
COMPONENTS["BgStatsPlay"] = obj(
    document=said({"type": "object"}, "The play as BG Stats reads it."),
    link=said(URI, "Opens BG Stats with the play."),
)


# --- requests ---

COMPONENTS["GroupRequest"] = obj(name=NO_NULL_CHARACTER)
COMPONENTS["NewPlayerRequest"] = obj(
    name=NO_NULL_CHARACTER,
    token=said(nullable(NO_NULL_CHARACTER), "The favourite token."),
    optional=("token",),
)
COMPONENTS["PlayerRequest"] = {
    **obj(
        name=nullable(NO_NULL_CHARACTER),
        token=said(nullable(NO_NULL_CHARACTER), "An empty one takes the favourite away."),
        optional=("name", "token"),
        description="What is left out stays as it is; sheets keep the name that was written that evening.",
    ),
    "anyOf": [{"properties": {name: {"not": {"type": "null"}}}, "required": [name]} for name in ("name", "token")],
}
COMPONENTS["MergeRequest"] = obj(into=said(NO_NULL_CHARACTER, "The player who stays."))
COMPONENTS["GroupKeyRequest"] = obj(
    role=enum(*GroupRole),
    label=said(nullable(NO_NULL_CHARACTER), "What the list of keys calls it."),
    optional=("label",),
)
COMPONENTS["GroupInviteRequest"] = obj(role=enum(*GroupRole))
COMPONENTS["AdoptRequest"] = obj(
    game=NO_NULL_CHARACTER, key=said(NO_NULL_CHARACTER, "A key of the game that may record.")
)
COMPONENTS["EnterRequest"] = obj(role=enum(*TABLE_ROLES))
COMPONENTS["ImportRequest"] = {
    "oneOf": [
        obj(
            njet=NO_NULL_CHARACTER,
            group=said(nullable(NO_NULL_CHARACTER), "The same as in the address."),
            optional=("group",),
        ),
        {
            "type": "object",
            "properties": {
                "format": const(FORMAT),
                "schema": const(SCHEMA),
                "mode": enum(*Mode),
                "rules_version": FIRST,
                "created_at": MOMENT,
                "finished_at": MOMENT,
                "setup": {"type": "object"},
                "log": {"type": "array", "items": {"type": "object"}, "minItems": 1},
                "njet": False,
            },
            "required": ["format", "schema", "mode", "rules_version", "created_at", "finished_at", "setup", "log"],
            "description": "The document that `export/` gives.",
        },
    ]
}

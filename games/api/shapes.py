"""The words that the shapes of documents are written with, as JSON Schema.

Knows: objects, lists, numbers, texts.  Must not know: any single document.
"""

from __future__ import annotations

from typing import Any

from games.api.fields import LARGEST_NUMBER
from games.rules.editions import RowKey
from games.services.write import LONGEST_REQUEST_ID

Shape = dict[str, Any]


def ref(name: str) -> Shape:
    return {"$ref": f"#/components/schemas/{name}"}


def obj(*, description: str = "", optional: tuple[str, ...] = (), **properties: Shape) -> Shape:
    """An object with exactly these fields; all but the optional ones are there."""
    shape: Shape = {
        "type": "object",
        "properties": properties,
        "required": [name for name in properties if name not in optional],
        "additionalProperties": False,
    }
    return {**shape, "description": description} if description else shape


def array(items: Shape, **bounds: int) -> Shape:
    return {"type": "array", "items": items, **bounds}


def by_seat(items: Shape) -> Shape:
    """An object with a field for each of some seats."""
    return {"type": "object", "patternProperties": {"^[0-4]$": items}, "additionalProperties": False}


def enum(*values: object) -> Shape:
    return {"enum": [str(value) if isinstance(value, str) else value for value in values]}


def const(value: object) -> Shape:
    return {"const": value}


def nullable(shape: Shape) -> Shape:
    return {"oneOf": [shape, {"type": "null"}]}


def said(shape: Shape, description: str) -> Shape:
    """A shape with what it means."""
    return {"allOf": [shape], "description": description} if "$ref" in shape else {**shape, "description": description}


TEXT: Shape = {"type": "string"}
WHOLE: Shape = {"type": "integer"}
COUNT: Shape = {"type": "integer", "minimum": 0, "maximum": LARGEST_NUMBER}
FREE: Shape = {"type": "integer", "minimum": -LARGEST_NUMBER, "maximum": LARGEST_NUMBER}
SEAT: Shape = {"type": "integer", "minimum": 0, "maximum": 4}
FLAG: Shape = {"type": "boolean"}
MOMENT: Shape = {"type": "string", "format": "date-time"}
URI: Shape = {"type": "string", "format": "uri"}
SEATS = array(SEAT)
ROW = enum(*RowKey)
NO_NULL_CHARACTER = {"type": "string", "pattern": "^[^\\u0000]*$"}
CARD: Shape = {"type": "string", "pattern": "^(red|black|blue|yellow|green)-[0-9]$"}
VERSION = said(nullable(COUNT), "The version that the sender saw; left out, the race decides.")
REQUEST_ID = said(
    nullable({"type": "string", "minLength": 1, "maxLength": LONGEST_REQUEST_ID, "pattern": "^[^\\u0000]*$"}),
    "An id of the sender's own: sending the same request again does nothing twice.",
)
PREVIEW = said(nullable(FLAG), "True: answer what would change, and change nothing.")

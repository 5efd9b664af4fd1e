"""The description of the API: what drf-spectacular cannot derive from views and serializers."""

# drf-spectacular leaves the methods that are called and overridden here without annotations.
# mypy: disallow-untyped-calls=False

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from threading import Lock
from typing import TYPE_CHECKING, Any, TypeVar, cast

from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework.permissions import AllowAny

from games.api.permissions import HasKey, Right
from games.api.serializers.errors import CONFLICT, ErrorSerializer
from games.api.serializers.fields import LAST_SEAT, EmptyRequestSerializer, StrictSerializer, read
from games.api.serializers.games import PREVIEW_OR_WRITTEN, WrittenSerializer
from games.formats.strict_json import LARGEST_NUMBER
from games.rules.errors import Malformed

if TYPE_CHECKING:
    from games.api.views.base import ApiView

View = TypeVar("View", bound=Callable[..., Any])
Schema = dict[Any, Any]

REFUSALS = {
    400: "Malformed: broken JSON, a wrong type, an unknown or a missing field.",
    401: "`not_authenticated`: no key, or an invalid one.",
    403: "`forbidden`: this key may not do that.",
    404: "`not_found`: it does not exist, or this key does not open it.",
    409: "`stale_version` with the fresh state, or another conflict with an earlier change.",
    413: "`body_too_large`: at most 64 KB, 1 MB for a whole game.",
    415: "`unsupported_media_type`: requests are `application/json`.",
    422: "The rules forbid it; the code says which rule.",
    429: "`too_many_requests`: more than 20 writes of a key in a second, or too many wrong codes (valid ones never "
    "wait), new games or groups. `Retry-After` says when to try again.",
    503: "`database_unavailable`: the database does not answer; `server_busy`: too many requests wait. `Retry-After` "
    "says when to send the request again.",
    507: "`storage_full`: the server's disk is full. `Retry-After` says when to try again.",
}
PATH_PARAMETERS = {
    "game_id": "The id of a game.",
    "group_id": "The id of a group.",
    "invite_id": "An invitation's id from the list of invitations.",
    "key_id": "A key's id from the list of keys.",
    "other_id": "Another player's id.",
    "player_id": "A player's id from the list of players.",
    "season_id": "A season's id from the list of seasons.",
    "seat": "The seat, from 0 on.",
    "seq": "The `seq` of the proposal or correction, as in the state.",
}
IF_NONE_MATCH = OpenApiParameter(
    "If-None-Match", str, OpenApiParameter.HEADER, description="A known ETag; 304 if it is still right."
)
ETAG = OpenApiParameter(
    "ETag",
    str,
    OpenApiParameter.HEADER,
    required=True,
    response=[200, 304],
    description="By database, version and viewer. A cache of the client may keep a state without a hand, and asks each "
    "time by its ETag whether it is still right.",
)
RETRY_AFTER = OpenApiParameter("Retry-After", int, OpenApiParameter.HEADER, required=True, response=[429])
ASK_AGAIN_AFTER = OpenApiParameter("Retry-After", int, OpenApiParameter.HEADER, required=True, response=[202])

REPEATED = "A request with this id was done before, and nothing happened."
WRITTEN: Schema = {201: OpenApiResponse(WrittenSerializer, "Done."), 200: OpenApiResponse(WrittenSerializer, REPEATED)}
WRITTEN_OR_PREVIEW: Schema = {
    201: OpenApiResponse(WrittenSerializer, "Done."),
    200: OpenApiResponse(PREVIEW_OR_WRITTEN, f"The preview; or: {REPEATED}"),
}
DELETED: Schema = {204: OpenApiResponse(description="Deleted.")}


def found(serializer: Any, description: str) -> Schema:
    """The answers of an endpoint that answers 200."""
    return {200: OpenApiResponse(serializer, description)}


def made(serializer: Any, description: str, *, repeatable: bool = False) -> Schema:
    """The answers of an endpoint that answers 201; `repeatable`: 200 to the same request sent again."""
    again = {200: OpenApiResponse(serializer, REPEATED)} if repeatable else {}
    return {201: OpenApiResponse(serializer, description), **again}


def operation(
    operation_id: str,
    answers: Mapping[Any, OpenApiResponse],
    *,
    request: Any = None,
    refuses: Sequence[int] = (),
    parameters: Sequence[Any] = (),
) -> Callable[[View], View]:
    """What an endpoint reads and answers.  Its docstring is its summary and description.

    `refuses`: the statuses that do not follow from its keys, permissions and method.
    """

    def described(view: View) -> View:
        view = extend_schema(operation_id=operation_id, request=request, parameters=list(parameters))(view)
        # A function takes any attribute.
        view.answers, view.refuses = dict(answers), frozenset(refuses)  # type: ignore[attr-defined]
        return view

    return described


class ContractSchema(AutoSchema):
    """Summaries, tags, refusals and strict objects."""

    def get_summary(self) -> str:
        return self._paragraphs()[0].rstrip(".")

    def get_description(self) -> str:  # type: ignore[override]  # as in drf-spectacular's own class
        return "\n\n".join(self._paragraphs()[1:] or self._paragraphs())

    def get_tags(self) -> list[str]:
        return [cast("ApiView", self.view).tag]

    def get_auth(self) -> list[Schema]:
        keyless: list[Schema] = [{}] if any(isinstance(each, AllowAny) for each in self.view.get_permissions()) else []
        return [*keyless, *([{"key": []}] if self.view.authentication_classes else [])]

    def _paragraphs(self) -> list[str]:
        text = inspect.getdoc(self._method) or ""
        return [paragraph.replace("\n", " ") for paragraph in text.split("\n\n")]

    @property
    def _method(self) -> Any:
        return getattr(self.view, self.method.lower())

    def _statuses(self) -> set[int]:
        """The refusals of an endpoint, from its method, its address and its permissions."""
        permissions = self.view.get_permissions()
        needs_key = any(isinstance(each, HasKey) for each in permissions)
        found = set(self._method.refuses)
        found |= {400, 401, 503} if needs_key else set()
        found |= {404} if "{" in self.path else set()
        found |= {403} if any(isinstance(each, Right) for each in permissions) else set()
        found |= {429} if needs_key and self.method != "GET" else set()
        return found | ({400, 413, 415, 503, 507} if self.method == "POST" else set())

    def get_response_serializers(self) -> Any:
        refusals = {
            (status, "application/json"): OpenApiResponse(
                CONFLICT if status == 409 else ErrorSerializer, REFUSALS[status]
            )
            for status in sorted(self._statuses())
        }
        return {**self._method.answers, **refusals}

    def get_extensions(self) -> Schema:
        return {DEMANDS_BODY: _refuses_nothing(self.get_request_serializer())}


DEMANDS_BODY = "x-demands-body"
"""Whether a request without a body is refused, in an operation until its description is complete."""


def _refuses_nothing(serializer: Any) -> bool:
    """Whether a request without a body is refused."""
    if not (inspect.isclass(serializer) and issubclass(serializer, StrictSerializer)):
        return True
    try:
        read(serializer, {})
    except Malformed:
        return True
    return False


NAMED_ENUMERATIONS = {
    "change": "HolderChange",
    "key": "EditionName",
    "preset": "PresetName",
    "proposal": "ProposalKind",
    "row": "RowName",
}
"""The component of the enumeration of a field, where a client would give it the name of another component."""


def for_generators(result: Schema, **kwargs: object) -> Schema:
    """The description as generators of clients read it: a hook of drf-spectacular."""
    result["components"]["schemas"]["EmptyRequest"] = {"type": "object", "description": EmptyRequestSerializer.__doc__}
    for address in result["paths"].values():
        for each in address.values():
            _complete(each)
    for each in result["components"]["schemas"].values():
        if "properties" in each or each.get("type") == "object":
            each.setdefault("additionalProperties", False)
    named: Schema = {}
    described: Schema = _for_generators(result, named)
    components = described["components"]["schemas"]
    described["components"]["schemas"] = dict(sorted({**components, **named}.items()))
    return described


WITHOUT_FIELDS: Schema = {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/EmptyRequest"}}}}
"""The body of a request without fields, which the generator leaves out."""


def _complete(described: Schema) -> None:
    """Complete the description of an operation: whether it has a body, and what its address has."""
    demands_body = described.pop(DEMANDS_BODY)
    if "requestBody" in described or not demands_body:
        described.setdefault("requestBody", WITHOUT_FIELDS)["required"] = demands_body
    for each in described.get("parameters", ()):
        if each["in"] == "path":
            each["description"] = PATH_PARAMETERS[each["name"]]
            if each["schema"]["type"] == "integer":
                each["schema"] |= {"minimum": 0, "maximum": LAST_SEAT if each["name"] == "seat" else LARGEST_NUMBER}


def _for_generators(value: Any, named: Schema) -> Any:
    """A part of the description.  Enumerations that get a name are added to `named`."""
    if isinstance(value, list):
        return [_for_generators(each, named) for each in value]
    if not isinstance(value, dict):
        return value
    found = {name: _for_generators(each, named) for name, each in value.items() if name != "x-spec-enum-id"}
    for field, each in found.get("properties", {}).items():
        if "enum" in each and field in NAMED_ENUMERATIONS:
            named[NAMED_ENUMERATIONS[field]] = {name: each.pop(name) for name in ("type", "enum")}
            each["$ref"] = f"#/components/schemas/{NAMED_ENUMERATIONS[field]}"
    return _enumeration(found) if "enum" in found else found


def _enumeration(described: Schema) -> Schema:
    """A list of values: null is apart from it, and none of them is too short."""
    described.pop("minLength", None)
    if None not in described["enum"]:
        return described
    (kind,) = (each for each in described.pop("type") if each != "null")
    values = [each for each in described.pop("enum") if each is not None]
    return {**described, "oneOf": [{"type": kind, "enum": values}, {"type": "null"}]}


_lock = Lock()


def openapi() -> Schema:
    """The schema, the same for every client."""
    # Generated once, by one thread: the generator keeps state in places that two threads would share.
    with _lock:
        return _openapi()


@cache
def _openapi() -> Schema:
    return dict(SchemaGenerator().get_schema(request=None, public=True))

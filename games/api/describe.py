"""What each endpoint takes and answers, for the OpenAPI description: one decorator for each.

Knows: statuses, bodies, parameters.  Must not know: what happens inside.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema

from games.api.parameters import FORMATS
from games.api.shapes import array, ref

Decorator = Callable[[Any], Any]

REFUSALS = {
    400: "Malformed: broken JSON, a wrong type, an unknown or a missing field.",
    401: "`not_authenticated`: no key, or one that opens nothing.",
    403: "`forbidden`: this key may do less.",
    404: "`not_found`: no such thing, or nothing that this key may know of.",
    409: "`stale_version` with the fresh state, or another conflict with what has happened meanwhile.",
    413: "`body_too_large`: at most 64 KB, 1 MB for a whole game.",
    415: "`unsupported_media_type`: requests are `application/json`.",
    422: "The rules forbid it; the code says which rule.",
    429: "`too_many_requests`: too many wrong codes. `Retry-After` says when to go on.",
    503: "`database_unavailable`: the database does not answer. The same request may be sent again.",
    507: "`storage_full`: the server's disk is full.",
}

SENT = (400, 413, 415, 503, 507)
READ = (400, 401, 404, 503)
WRITE = (*SENT, 401, 403, 404)

GAME_ID = OpenApiParameter("game_id", str, OpenApiParameter.PATH, description="The game.")
SEQ = OpenApiParameter("seq", int, OpenApiParameter.PATH, description="The proposal's `seq`, as in the state.")
SEAT = OpenApiParameter("seat", int, OpenApiParameter.PATH, description="The seat, from 0 on.")
KEY_ID = OpenApiParameter("key_id", int, OpenApiParameter.PATH, description="A key's id from the list.")
AFTER = OpenApiParameter(
    "after", {"type": "integer", "minimum": 0, "maximum": 10**15}, description="Only entries with a higher seq."
)
FORMAT = OpenApiParameter("format", str, enum=FORMATS, default=FORMATS[0])
IF_NONE_MATCH = OpenApiParameter(
    "If-None-Match", str, OpenApiParameter.HEADER, description="An ETag that the sender has; 304 if it is still right."
)
ETAG = OpenApiParameter(
    "ETag", str, OpenApiParameter.HEADER, required=True, response=[200, 304], description="By version and viewer."
)
RETRY_AFTER = OpenApiParameter("Retry-After", int, OpenApiParameter.HEADER, required=True, response=[429])


def endpoint(
    operation: str,
    summary: str,
    answers: dict[Any, Any],
    refusals: Sequence[int] = (),
    *,
    text: str = "",
    body: str | None = None,
    parameters: Sequence[OpenApiParameter] = (),
    needs_key: bool = True,
    takes_key: bool = False,
) -> Decorator:
    """The description of an endpoint of a game; without a key, of one that anybody may ask.

    `takes_key`: anybody may ask, and a key of a group lets him do more.
    """
    keys: list[Any] = [{"key": []}] if needs_key else [{}, {"key": []}] if takes_key else [{}]
    return described(
        operation,
        summary,
        answers,
        refusals,
        text=text,
        body=body,
        parameters=[*([GAME_ID] if needs_key else []), *parameters],
        tag="Games" if needs_key else "Everybody",
        keys=keys,
    )


def described(
    operation: str,
    summary: str,
    answers: dict[Any, Any],
    refusals: Sequence[int],
    *,
    tag: str,
    keys: list[Any],
    text: str = "",
    body: str | None = None,
    other_bodies: Mapping[str, Any] | None = None,
    parameters: Sequence[OpenApiParameter] = (),
) -> Decorator:
    """The description of any endpoint.  `other_bodies`: what it takes besides JSON, by media type."""
    refused = {status: _refused(status) for status in sorted(set(refusals))}
    return extend_schema(
        operation_id=operation,
        summary=summary,
        description=text,
        tags=[tag],
        request={"application/json": ref(body), **(other_bodies or {})} if body else None,
        responses={**answers, **refused},
        parameters=list(parameters),
        auth=keys,
    )


def _refused(status: int) -> OpenApiResponse:
    return OpenApiResponse(ref("Conflict" if status == 409 else "Error"), REFUSALS[status])


def answer(name: str, description: str) -> OpenApiResponse:
    return OpenApiResponse(ref(name), description)


WRITTEN = {
    201: answer("Written", "Done."),
    200: answer("Written", "This request id was done before: nothing happened."),
}
WRITTEN_OR_PREVIEW = {
    201: answer("Written", "Done."),
    200: OpenApiResponse(
        {"oneOf": [ref("Preview"), ref("Written")]},
        "The preview; or this request id was done before: nothing happened.",
    ),
}
DELETED = {204: OpenApiResponse(description="Gone.")}

presets = endpoint(
    "presets",
    "The five presets",
    {200: OpenApiResponse(array(ref("Preset")), "What can be played.")},
    needs_key=False,
)
create = endpoint(
    "create_game",
    "Open a table",
    {201: answer("Created", "The table, and its keys this once.")},
    (*SENT, 401, 403, 404, 422),
    text="Anybody may open one; in a group, whoever shows the key of one of its members.",
    body="NewGame",
    needs_key=False,
    takes_key=True,
)
join = endpoint(
    "join",
    "Join a table or a group",
    {201: answer("Joined", "A key of one's own, of the table or of the group.")},
    (*SENT, 404, 429),
    text="Takes the code or the token of an invitation. Ten wrong ones in ten minutes close the door for a while.",
    body="JoinRequest",
    parameters=[RETRY_AFTER],
    needs_key=False,
)
schema = endpoint(
    "schema", "This description", {200: OpenApiResponse(OpenApiTypes.OBJECT, "OpenAPI 3.1.")}, needs_key=False
)
state = endpoint(
    "state",
    "How a game stands",
    {200: answer("State", "As the bearer may see it."), 304: OpenApiResponse(description="Nothing new.")},
    READ,
    parameters=[IF_NONE_MATCH, ETAG],
)
delete = endpoint(
    "delete_game",
    "Delete a game for good",
    DELETED,
    (*READ, 403),
    text="By its scorekeeper; a result that a group counts is deleted with the key of an owner of the group.",
)
record = endpoint(
    "record",
    "Record an action",
    WRITTEN,
    (*WRITE, 409, 422),
    text="At a physical table the scorekeeper acts for every seat; in a digital game the bearer of a seat's key acts "
    "for that seat. While several choose at once any version since that phase opened is accepted; a choice is final. "
    "`finish` is put to the others there: it is a proposal.",
    body="RecordRequest",
)
undo = endpoint(
    "undo",
    "Take back",
    WRITTEN,
    (*WRITE, 409, 422),
    text="Takes back the latest effective entry, amendments included, until the game is locked. "
    "The log stays raw: the entry keeps its place, and the undo is an entry of its own. "
    "In a digital game a player puts it to the others, as with `proposals`; never across a deal.",
    body="UndoRequest",
)
amend = endpoint(
    "amend",
    "Correct earlier entries",
    WRITTEN_OR_PREVIEW,
    (*WRITE, 409, 422),
    text="Replaces, deletes and inserts actions in one step. `amendment_conflicts` names the later entry that would "
    "become impossible.",
    body="AmendRequest",
)
setup = endpoint(
    "correct_setup",
    "Correct names, tokens, the first dealer, the number of rounds",
    WRITTEN_OR_PREVIEW,
    (*WRITE, 409, 422),
    body="SetupRequest",
)
lock = endpoint("lock", "Confirm the result", WRITTEN, (*WRITE, 409), body="WriteRequest")
reopen = endpoint(
    "reopen",
    "Go on with a finished game",
    WRITTEN,
    (*WRITE, 409),
    text="Takes back the entry that finished the game, until the result is confirmed.",
    body="WriteRequest",
)
rematch = endpoint(
    "rematch",
    "Open the next game of the same table",
    {201: answer("Created", "The new table, with the deal moved on, and its keys this once.")},
    (*WRITE, 409, 422),
    text="In a digital game the same deals can be played once more, by the same dealer.",
    body="RematchRequest",
)
propose = endpoint(
    "propose",
    "Ask the other players",
    WRITTEN,
    (*WRITE, 409, 422),
    text="In digital games, with a seat's key: to take back, for all remaining tricks of the round (the hand is laid "
    "open), or to finish after the complete rounds, which is final. Bots answer at once; what all agree to is done at "
    "once; what is open lapses when the game goes on, but for the wish to finish.",
    body="ProposalRequest",
)
answer_proposal = endpoint(
    "answer_proposal",
    "Agree, refuse, or withdraw",
    WRITTEN,
    (*WRITE, 409, 422),
    text="One refusal closes a proposal; whoever made it withdraws it by refusing.",
    body="AnswerRequest",
    parameters=[SEQ],
)
seat_bot = endpoint(
    "seat_bot",
    "Let a bot play for a seat, or give the seat back",
    WRITTEN,
    (*WRITE, 409, 422),
    text="In digital games, with the host's key or that of the seat itself.",
    body="BotRequest",
    parameters=[SEAT],
)
log = endpoint(
    "log",
    "Every entry, raw",
    {200: OpenApiResponse(array(ref("LogEntry")), "Oldest first.")},
    READ,
    text="Of a digital game as the bearer may read it: cards that he may not see are counted.",
    parameters=[AFTER],
)
sheet = endpoint(
    "sheet",
    "The score sheet",
    {
        (200, "application/json"): OpenApiResponse(array(ref("SheetRow")), "One row for each round and player."),
        (200, "text/csv"): OpenApiResponse(OpenApiTypes.STR, "The same, for spreadsheets."),
    },
    READ,
    parameters=[FORMAT],
)
invite = endpoint(
    "invite",
    "Invite somebody",
    {201: answer("Invitation", "A code and a link, this once, for 12 hours.")},
    (*WRITE, 422),
    text="Who comes to a seat of a digital game takes it over: the keys that it had are worth nothing from then on.",
    body="InviteRequest",
)
keys = endpoint(
    "keys", "The keys of a game", {200: OpenApiResponse(array(ref("Key")), "Without secrets.")}, (*READ, 403)
)
revoke = endpoint("revoke_key", "Take a key back", DELETED, (*READ, 403, 409), parameters=[KEY_ID])

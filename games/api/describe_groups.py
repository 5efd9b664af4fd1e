"""What each endpoint about groups, results, figures and whole games takes and answers, for the OpenAPI description.

Knows: statuses, bodies, parameters.  Must not know: what happens inside.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse

from games.api.describe import DELETED, FORMAT, READ, SENT, WRITE, Decorator, answer, described, endpoint
from games.api.parameters import EXPORT_FORMATS, FEWEST_PLAYERS, MOST_PLAYERS
from games.api.shapes import array, ref
from games.club import history as lists
from games.rules import PRESETS

KEY = [{"key": []}]

GROUP_ID = OpenApiParameter("group_id", str, OpenApiParameter.PATH, description="The group.")
PLAYER_ID = OpenApiParameter("player_id", str, OpenApiParameter.PATH, description="A player's id from the list.")
OTHER_ID = OpenApiParameter("other_id", str, OpenApiParameter.PATH, description="Another player's id.")
GAME_ID = OpenApiParameter("game_id", str, OpenApiParameter.PATH, description="A game of the group.")
KEY_ID = OpenApiParameter("key_id", int, OpenApiParameter.PATH, description="A key's id from the list.")

_DAY = "A day (UTC) or a time in ISO 8601."
FILTERS = (
    OpenApiParameter("player", str, description="Games of this player."),
    OpenApiParameter("preset", str, enum=tuple(PRESETS), description="Games by this preset."),
    OpenApiParameter(
        "players",
        {"type": "integer", "minimum": FEWEST_PLAYERS, "maximum": MOST_PLAYERS},
        description="Games of so many.",
    ),
    OpenApiParameter("from", str, description=f"Finished then or later. {_DAY}"),
    OpenApiParameter("to", str, description=f"Finished on that day or earlier, or before that time. {_DAY}"),
    OpenApiParameter("ordering", str, enum=lists.ORDERINGS, default=lists.NEWEST),
    OpenApiParameter("cursor", str, description="Out of `next` or `previous`; not for a file, which is whole."),
    OpenApiParameter(
        "size",
        {"type": "integer", "minimum": 1, "maximum": lists.MOST_ON_A_PAGE, "default": lists.PAGE},
        description="Games on a page; not for a file.",
    ),
    FORMAT,
)
CHANGED_AFTER = OpenApiParameter(
    "changed_after",
    {"type": "integer", "minimum": 0, "maximum": 10**15},
    description="Instead of a page: what changed after this number. Begin with 0, go on with what the answer says. "
    "Goes with `size` alone.",
)


def of_group(
    operation: str,
    summary: str,
    answers: dict[Any, Any],
    refusals: Sequence[int],
    *,
    parameters: Sequence[OpenApiParameter] = (),
    text: str = "",
    body: str | None = None,
) -> Decorator:
    """The description of an endpoint that needs a key of a group."""
    return described(
        operation,
        summary,
        answers,
        refusals,
        tag="Groups",
        keys=KEY,
        text=text,
        body=body,
        parameters=[GROUP_ID, *parameters],
    )


def of_results(
    operation: str,
    summary: str,
    answers: dict[Any, Any],
    *parameters: OpenApiParameter,
    text: str = "",
    refusals: Sequence[int] = (),
) -> Decorator:
    """The description of an endpoint about the games of the bearer's group."""
    statuses = (400, 401, 503, *refusals)
    return described(operation, summary, answers, statuses, tag="Results", keys=KEY, text=text, parameters=parameters)


# --- groups ---

found = described(
    "create_group",
    "Found a group",
    {201: answer("CreatedGroup", "The group, and its owner's key this once.")},
    (*SENT, 422),
    tag="Groups",
    keys=[{}],
    body="GroupRequest",
)
group = of_group("group", "A group", {200: answer("Group", "As the bearer may see it.")}, READ)
rename = of_group(
    "rename_group",
    "Call a group something else",
    {200: answer("Group", "Renamed.")},
    (*WRITE, 422),
    body="GroupRequest",
    text="For owners.",
)
dissolve = of_group(
    "delete_group",
    "Dissolve a group",
    DELETED,
    (*READ, 403),
    text="With its players, figures and keys; its games stay with whoever has a key of their own. For owners.",
)
group_players = of_group(
    "group_players",
    "The players of a group",
    {200: OpenApiResponse(array(ref("GroupPlayer")), "Who plays most first.")},
    READ,
)
_PLAYER = {200: answer("GroupPlayer", "As it is now.")}
add_player = of_group(
    "add_player",
    "Add a player",
    {201: answer("GroupPlayer", "The new player.")},
    (*WRITE, 422),
    body="NewPlayerRequest",
    text="For members. Whoever sits down at a table of the group under a new name is added without this.",
)
change_player = of_group(
    "change_player",
    "Change a player's name or favourite token",
    _PLAYER,
    (*WRITE, 422),
    parameters=[PLAYER_ID],
    body="PlayerRequest",
    text="For members.",
)
merge = of_group(
    "merge_players",
    "Say that two players are one person",
    {200: answer("GroupPlayer", "The player who stays.")},
    (*WRITE, 422),
    parameters=[PLAYER_ID],
    body="MergeRequest",
    text="For owners. All games of the player become those of `into`.",
)
erase = of_group(
    "erase_player",
    "Take a person's name out of everything",
    _PLAYER,
    WRITE,
    parameters=[PLAYER_ID],
    body="EmptyRequest",
    text="For owners. The person stays as a number among the figures; sheets and logs lose the name.",
)
adopt = of_group(
    "adopt_game",
    "Take a table into the group",
    {201: answer("AdoptedGame", "It counts in the group from now on.")},
    (*WRITE, 409),
    body="AdoptRequest",
    text="For members who also have a key of the game that may record.",
)
release = of_group(
    "release_game",
    "Take a table out of the group",
    DELETED,
    (*READ, 403),
    parameters=[GAME_ID],
    text="For owners. The game stays with whoever has a key of its own.",
)
enter = of_group(
    "enter_game",
    "Sit down at a table of the group",
    {201: answer("JoinedTable", "A key of the game, this once.")},
    WRITE,
    parameters=[GAME_ID],
    body="EnterRequest",
    text="Members may record; viewers of the group get viewers' keys. The key goes when the group's key is taken back.",
)
group_keys = of_group(
    "group_keys",
    "The keys of a group",
    {200: OpenApiResponse(array(ref("GroupKey")), "Without secrets.")},
    (*READ, 403),
    text="For owners.",
)
give_key = of_group(
    "create_group_key",
    "Make a key of the group",
    {201: answer("GivenGroupKey", "The key, its secret this once.")},
    WRITE,
    body="GroupKeyRequest",
    text="For owners.",
)
revoke_group_key = of_group(
    "revoke_group_key",
    "Take a key of the group back",
    DELETED,
    (*READ, 403, 409),
    parameters=[KEY_ID],
    text="For owners. Every key of a table that it opened goes with it.",
)
renew_key = of_group(
    "renew_group_key",
    "Give a program's key another secret",
    {200: answer("GivenGroupKey", "The key, its new secret this once.")},
    WRITE,
    parameters=[KEY_ID],
    body="EmptyRequest",
    text="For owners. The old secret opens nothing any more.",
)
invite_to_group = of_group(
    "invite_to_group",
    "Invite somebody to the group",
    {201: answer("GroupInvitation", "A code and a link, this once, for 12 hours.")},
    WRITE,
    body="GroupInviteRequest",
    text="Members invite members and viewers; owners also owners.",
)


# --- results ---

_FILE = {(200, "text/csv"): OpenApiResponse(OpenApiTypes.STR, "The whole list, for spreadsheets.")}
results = of_results(
    "results",
    "Finished games",
    {
        (200, "application/json"): OpenApiResponse(
            {"oneOf": [ref("ResultsPage"), ref("ResultChanges")]}, "A page; with `changed_after`, what changed."
        ),
        **_FILE,
    },
    *FILTERS,
    CHANGED_AFTER,
    refusals=[404],
    text="All games of the group whose key is shown. A file has a row for each game and player.",
)
rounds = of_results(
    "result_rounds",
    "The rounds of finished games",
    {(200, "application/json"): answer("RoundsPage", "The rounds of the games of a page."), **_FILE},
    *FILTERS,
    refusals=[404],
    text="A row for each round and player.",
)
players = of_results(
    "players", "The players", {200: OpenApiResponse(array(ref("GroupPlayer")), "Who plays most first.")}
)
player_statistics = of_results(
    "player_statistics",
    "What is counted of a player",
    {200: answer("PlayerStatistics", "For an older id of the same person: his figures.")},
    PLAYER_ID,
    refusals=[404],
)
pair = of_results(
    "pair_statistics",
    "What is counted of two players",
    {200: answer("PairStatistics", "The same from either side.")},
    PLAYER_ID,
    OTHER_ID,
    refusals=[404],
)
statistics = of_results(
    "statistics", "What the games of the group come to", {200: answer("GroupStatistics", "Of all of them.")}
)


# --- whole games ---

export = endpoint(
    "export",
    "The whole game",
    {
        (200, "application/json"): OpenApiResponse(
            {"oneOf": [ref("GameDocument"), ref("BgStatsPlay")]},
            "`json`: the game with its log. `bgstats`: what BG Stats is handed, and the link that does it.",
        ),
        (200, "text/plain"): OpenApiResponse(OpenApiTypes.STR, "`njet`: the readable record."),
        (200, "application/octet-stream"): OpenApiResponse(OpenApiTypes.STR, "`bgsplay`: the file for BG Stats."),
    },
    (*READ, 409),
    text="`bgstats` and `bgsplay` are for finished games. While a digital game is being played, and of a round that "
    "was broken off for ever, `json` and `njet` hold what the bearer may see.",
    parameters=[OpenApiParameter("format", str, enum=EXPORT_FORMATS, default=EXPORT_FORMATS[0])],
)
import_ = described(
    "import_game",
    "Take a finished game in",
    {201: answer("Created", "The game, with the same results, and its keys this once.")},
    (*SENT, 401, 403, 404, 409, 422),
    tag="Everybody",
    keys=[{}, *KEY],
    body="ImportRequest",
    other_bodies={"text/plain": OpenApiTypes.STR},
    parameters=[
        OpenApiParameter("group", str, description="The group that it joins; the bearer is one of its members.")
    ],
    text="What `export/` gives as `json` or `njet`; up to 1 MB. Every entry has to be one that the rules allow.",
)

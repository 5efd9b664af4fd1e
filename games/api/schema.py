"""The shapes of all documents, as JSON Schema: the components of the OpenAPI description.

Knows: the contract's documents field by field.  Must not know: addresses, statuses (`describe`), code that builds the
documents (`documents`, `sheet`) or reads them (`requests`); the tests hold these against each other.
"""

from __future__ import annotations

from typing import Any

from games.api import schema_groups
from games.api.shapes import (
    CARD,
    COUNT,
    FLAG,
    FREE,
    MOMENT,
    NO_NULL_CHARACTER,
    PREVIEW,
    REQUEST_ID,
    ROW,
    SEAT,
    SEATS,
    TEXT,
    URI,
    VERSION,
    WHOLE,
    Shape,
    array,
    by_seat,
    const,
    enum,
    nullable,
    obj,
    ref,
    said,
)
from games.bots import LEVELS
from games.models import TABLE_ROLES, Mode, Role
from games.rules import PRESETS, Phase
from games.rules.editions import EDITIONS, Removal
from games.rules.options import MOST_ROUNDS, CapturedFrom, DiscardTiming, FirstPlacer, ScoreRecord, SupertrumpSuit
from games.rules.public import LARGEST_PENALTY, LONGEST_REASON
from games.services.proposals import KINDS

COMPONENTS: dict[str, Shape] = {}


def either(*names: str, by: str) -> Shape:
    """One of several components, told apart by a field that names them."""
    mapping = {COMPONENTS[name]["properties"][by]["const"]: f"#/components/schemas/{name}" for name in names}
    return {"oneOf": [ref(name) for name in names], "discriminator": {"propertyName": by, "mapping": mapping}}


# --- actions ---

_TYPED = {
    "PlaceAction": obj(
        type=const("place"),
        row=ROW,
        space=NO_NULL_CHARACTER,
        description="The next player covers a space.",
    ),
    "ConditionsAction": obj(
        type=const("conditions"),
        start=nullable(NO_NULL_CHARACTER),
        discard=NO_NULL_CHARACTER,
        trump=NO_NULL_CHARACTER,
        supertrump=NO_NULL_CHARACTER,
        points=NO_NULL_CHARACTER,
        optional=("start",),
        description="The settled board in one go: the space that stays open in each row.",
    ),
    "TeamAction": obj(
        type=const("team"),
        partners=array(FREE),
        monster=nullable(FREE),
        start=said(nullable(FREE), "Only with `start_row` off: the start player whom the table agreed on."),
        optional=("start",),
        description="The start player's partners, without himself, and the holder of the monster.",
    ),
    "TrickAction": obj(
        type=const("trick"),
        winner=FREE,
        captured=FREE,
        description="A trick: its winner and his captured cards.",
    ),
    "TallyAction": obj(
        type=const("tally"),
        tricks=array(FREE),
        captured=array(FREE),
        description="The totals of the round by seat; replaces the tricks recorded one by one in this round.",
    ),
    "VoidRoundAction": obj(
        type=const("void_round"),
        reason=NO_NULL_CHARACTER,
        description="A misdeal: the round starts again with the same dealer.",
    ),
    "PenaltyAction": obj(
        type=const("penalty"),
        seat=FREE,
        points=FREE,
        reason=NO_NULL_CHARACTER,
        description="An agreed penalty: a line of its own on the sheet.",
    ),
    "FinishAction": obj(type=const("finish"), description="Ends the game after the rounds that are complete."),
    "DiscardAction": obj(
        type=const("discard"),
        cards=array(CARD),
        description="Digital games: the bearer's seat puts cards out of the round, face down.",
    ),
    "PassAction": obj(
        type=const("pass"),
        cards=array(CARD),
        description="Digital games: the bearer's seat gives cards to its right neighbour, face down.",
    ),
    "PlayAction": obj(type=const("play"), card=CARD, description="Digital games: the bearer's seat plays a card."),
}
COMPONENTS |= _TYPED
COMPONENTS["Action"] = either(*_TYPED, by="type")

_RANGE = obj(least=WHOLE, most=WHOLE)
_REASON_BOUNDS = obj(longest=const(LONGEST_REASON))
_TEMPLATES = {
    "ConditionsTemplate": obj(
        type=const("conditions"),
        bounds=obj(
            start=array(TEXT),
            discard=array(TEXT),
            trump=array(TEXT),
            supertrump=array(TEXT),
            points=array(TEXT),
            optional=("start",),
            description="The spaces of each row that are still open.",
        ),
    ),
    "TrickTemplate": obj(
        type=const("trick"),
        bounds=obj(
            winner=said(SEATS, "Who can have won the trick."),
            captured=said(array(_RANGE), "By seat: how many cards that winner can have captured."),
        ),
    ),
    "TallyTemplate": obj(
        type=const("tally"),
        bounds=obj(
            tricks=said(COUNT, "What all tricks add up to."),
            captured_per_trick=said(array(COUNT), "By seat: the most that one trick can bring."),
            captured=said(_RANGE, "What all captures can add up to."),
        ),
    ),
    "VoidRoundTemplate": obj(type=const("void_round"), bounds=obj(reason=_REASON_BOUNDS)),
    "PenaltyTemplate": obj(
        type=const("penalty"),
        bounds=obj(
            seat=SEATS,
            points=said(
                obj(**{"least": const(-LARGEST_PENALTY), "most": const(LARGEST_PENALTY), "not": array(const(0))}),
                "Any of these but 0.",
            ),
            reason=_REASON_BOUNDS,
        ),
    ),
    "BotTemplate": obj(
        type=const("bot"),
        bounds=obj(seat=SEATS, level=array(enum(*LEVELS, None))),
        description="What the host of a digital game may do, at `seats/{seat}/bot/`; null gives a seat back.",
    ),
}
COMPONENTS |= _TEMPLATES
COMPONENTS["LegalAction"] = said(
    either(
        *("PlaceAction", "TeamAction", "DiscardAction", "PassAction", "PlayAction", "FinishAction"),
        *_TEMPLATES,
        by="type",
    ),
    "An action that may be sent as it is, or one whose figures are free within bounds.",
)


# --- STATE ---

COMPONENTS["Conditions"] = obj(
    start=SEAT, discard=TEXT, trump=TEXT, supertrump=TEXT, points=enum(1, 2, 3, 4, -2), description="The open spaces."
)
COMPONENTS["Won"] = obj(seat=SEAT, tricks=COUNT, captured=COUNT)
COMPONENTS["Trick"] = obj(leader=SEAT, cards=nullable(array(CARD)), winner=SEAT, captured=COUNT)
COMPONENTS["Options"] = obj(
    first_placer=enum(*FirstPlacer),
    three_player_removal=enum(*Removal, None),
    rounds={"type": "integer", "minimum": 1, "maximum": MOST_ROUNDS},
    supertrump_suit=enum(*SupertrumpSuit),
    must_trump_when_void=FLAG,
    captured_from=enum(*CapturedFrom),
    score_record=enum(*ScoreRecord),
    start_row=FLAG,
    discard_timing=enum(*DiscardTiming),
    description="All nine, resolved.",
)
COMPONENTS["Player"] = obj(seat=SEAT, name=TEXT, token=TEXT, bot=enum(*LEVELS, None))
_OWN = "Digital games, the bearer's own seat only."
_TEAMS = said(array(SEATS, minItems=2, maxItems=2), "The start player's team first, each sorted.")
_MONSTER = said(nullable(SEAT), "The holder of the monster.")
COMPONENTS["Round"] = obj(
    number={"type": "integer", "minimum": 1},
    of={"type": "integer", "minimum": 1},
    dealer=SEAT,
    phase=enum(*(phase for phase in Phase if phase not in (Phase.DEALING, Phase.FINISHED))),
    acting=said(SEATS, "The seats that are due now; nobody while tricks are counted."),
    board=array(
        obj(
            row=ROW,
            spaces=array(
                obj(
                    space=TEXT,
                    covered_by=said(
                        {"oneOf": [SEAT, const("entry"), {"type": "null"}]},
                        "null: open; a seat; “entry”: covered when the settled board was entered in one go.",
                    ),
                )
            ),
        )
    ),
    conditions=nullable(ref("Conditions")),
    teams=nullable(_TEAMS),
    monster=_MONSTER,
    tricks_total=nullable(COUNT),
    tricks=said(array(ref("Trick")), "The tricks recorded one by one; [] where only a tally was recorded."),
    current_trick=said(
        nullable(obj(leader=SEAT, cards=said(array(CARD, minItems=1), "In the order of play."))),
        "What lies on the table of a digital game; null if that is nothing.",
    ),
    won=said(array(ref("Won")), "Every seat."),
    hand_sizes=said(array(COUNT), "Digital games, by seat."),
    claimed=said(nullable(SEAT), "Digital games, a finished round: who was granted all remaining tricks."),
    hand=said(array(CARD), f"{_OWN} Chosen cards stay in it until everybody has chosen."),
    chosen=said(array(CARD), f"{_OWN} What was put face down."),
    discarded=said(array(CARD), f"{_OWN} What has left the hand for good in this round."),
    passed=said(array(CARD), f"{_OWN} What the right neighbour got."),
    received=said(array(CARD), f"{_OWN} What came from the left neighbour."),
    optional=("hand_sizes", "claimed", "hand", "chosen", "discarded", "passed", "received"),
)
_PROPOSED = {"seq": {"type": "integer", "minimum": 1}, "seat": said(SEAT, "Who asks.")}
_ANSWERED = {"agreed": said(SEATS, "The others who have agreed."), "waiting": said(SEATS, "Who has not answered yet.")}
COMPONENTS["TakebackProposal"] = obj(
    **_PROPOSED,
    type=const("takeback"),
    entries=said(
        array(obj(seq={"type": "integer", "minimum": 1}, seat=nullable(SEAT), action=nullable(ref("LoggedAction")))),
        "What would be taken back, the latest first, as the bearer may read it.",
    ),
    **_ANSWERED,
)
COMPONENTS["ClaimProposal"] = obj(
    **_PROPOSED,
    type=const("claim"),
    cards=said(array(CARD), "The hand, laid open."),
    **_ANSWERED,
    description="To be granted all remaining tricks of the round.",
)
COMPONENTS["FinishProposal"] = obj(
    **_PROPOSED, type=const("finish"), **_ANSWERED, description="To end the game after the complete rounds."
)
COMPONENTS["Proposal"] = either("TakebackProposal", "ClaimProposal", "FinishProposal", by="type")
COMPONENTS["Scores"] = obj(
    rounds=array(
        obj(
            number={"type": "integer", "minimum": 1},
            points=said(array(WHOLE), "By seat: what is written on the sheet."),
            raw=said(array(WHOLE), "By seat: the team score."),
            conditions=ref("Conditions"),
            teams=_TEAMS,
            monster=_MONSTER,
            won=array(ref("Won")),
        )
    ),
    penalties=array(obj(seat=SEAT, points=WHOLE, reason=TEXT, after_round=COUNT)),
    totals=said(array(WHOLE), "By seat, penalties included."),
    leaders=said(SEATS, "Nobody before a line is on the sheet."),
    winners=said(SEATS, "Only once the game is finished; more than one share the victory."),
    optional=("winners",),
)
COMPONENTS["State"] = obj(
    schema=const(1),
    id=TEXT,
    mode=enum(*Mode),
    preset=enum(*PRESETS),
    options=ref("Options"),
    version=said(COUNT, "Rises with every change."),
    status=enum("playing", "finished"),
    locked=said(FLAG, "The result was confirmed: nothing changes any more."),
    players=array(ref("Player")),
    viewer=said(nullable(SEAT), "The bearer's seat; null for the host, for viewers and at a physical table."),
    round=said(nullable(ref("Round")), "null once the game is finished."),
    last_round=said(nullable(ref("Round")), "The finished round before this one."),
    scores=ref("Scores"),
    proposals=said(array(ref("Proposal")), "Digital games: what players ask of each other and is not decided yet."),
    legal_actions=said(array(ref("LegalAction")), "Everything that this bearer may do now."),
)


# --- other answers ---

COMPONENTS["Error"] = obj(
    error=obj(
        code=TEXT,
        message=TEXT,
        params={"type": "object", "additionalProperties": True, "description": "Plain values, by code."},
    ),
    description="Every refusal. Nothing has changed.",
)
COMPONENTS["StaleVersion"] = obj(
    error=obj(
        code=const("stale_version"),
        message=TEXT,
        params=obj(version=COUNT, state=ref("State")),
    ),
    description="The game has moved on: the fresh state comes along.",
)
COMPONENTS["OtherConflict"] = obj(
    error=obj(
        code=enum(
            "undo_not_allowed",
            "bot_plays",
            "unknown_proposal",
            "seat_taken",
            "request_id_reused",
            "game_locked",
            "not_finished",
            "last_scorekeeper_key",
            "already_in_group",
            "player_erased",
            "already_imported",
            "last_owner_key",
        ),
        message=TEXT,
        params={"type": "object", "additionalProperties": True},
    )
)
COMPONENTS["Conflict"] = {"oneOf": [ref("StaleVersion"), ref("OtherConflict")]}
COMPONENTS["Written"] = obj(
    version=said(COUNT, "As this request left it."), state=said(ref("State"), "As it is at present.")
)
COMPONENTS["Preview"] = obj(
    changes=said(
        array(obj(seat=SEAT, total_before=WHOLE, total_after=WHOLE, rank_before=WHOLE, rank_after=WHOLE)),
        "The seats whose total or rank would change.",
    )
)
COMPONENTS["Links"] = obj(self=URI, table=said(URI, "The page."))
COMPONENTS["Created"] = obj(
    id=TEXT,
    version=COUNT,
    keys=said(
        obj(scorekeeper=TEXT, viewer=TEXT, seats=by_seat(TEXT)),
        "Shown this once. Seats have keys in digital games only, those that no bot plays for.",
    ),
    links=obj(
        self=URI,
        table=said(URI, "The page."),
        join=said(
            obj(scorekeeper=URI, viewer=URI, seats=by_seat(URI), optional=("seats",)),
            "Pages that let a browser in, for 12 hours. Who comes to a seat takes it over.",
        ),
    ),
    state=ref("State"),
)
_ROW_OF_LOG: dict[str, Shape] = {
    "seq": {"type": "integer", "minimum": 1},
    "at": MOMENT,
    "seat": said(nullable(SEAT), "The seat that was due."),
}
COMPONENTS["StoredSetup"] = obj(
    preset=enum(*PRESETS),
    options=ref("Options"),
    seats=array(obj(name=TEXT, token=TEXT)),
    dealer=SEAT,
    digital=said(const(True), "Only in digital games."),
    optional=("digital",),
)
_HIDDEN = {"cards": const(None), "count": COUNT}
_LOGGED = {
    "DealAction": obj(
        type=const("deal"),
        hands=said(array(nullable(array(CARD))), "By seat; null: face down."),
        counts=array(COUNT),
        seed=said(TEXT, "What the hands were made of; only once the game is over."),
        commitment=said(TEXT, "The hash of the seed."),
        optional=("seed", "commitment"),
        description="Chance has dealt.",
    ),
    "ClaimAction": obj(
        type=const("claim"), seat=SEAT, captured=COUNT, description="A player was granted all remaining tricks."
    ),
    "HiddenDiscard": obj(type=const("discard"), **_HIDDEN, description="A discard of somebody else."),
    "HiddenPass": obj(type=const("pass"), **_HIDDEN, description="Cards that somebody else gave on."),
}
COMPONENTS |= _LOGGED
COMPONENTS["LoggedAction"] = {"oneOf": [ref(name) for name in (*_TYPED, *_LOGGED)]}
COMPONENTS["StoredProposal"] = obj(
    proposal=enum(*KINDS),
    seqs=said(array({"type": "integer", "minimum": 1}), "A takeback: the entries, the latest first."),
    cards=said(array(CARD), "A claim: the hand, laid open."),
    optional=("seqs", "cards"),
)
COMPONENTS["LogEntry"] = {
    "oneOf": [
        obj(
            **_ROW_OF_LOG,
            kind=enum(
                *dict.fromkeys(shape["properties"]["type"]["const"] for shape in (*_TYPED.values(), *_LOGGED.values()))
            ),
            action=ref("LoggedAction"),
        ),
        obj(**_ROW_OF_LOG, kind=const("undo"), action=const(None), undoes={"type": "integer", "minimum": 1}),
        obj(**_ROW_OF_LOG, kind=const("amend"), action=const(None), changes=array(ref("Change"))),
        obj(**_ROW_OF_LOG, kind=const("setup"), action=const(None), setup=ref("StoredSetup")),
        obj(**_ROW_OF_LOG, kind=const("lock"), action=const(None)),
        obj(
            **_ROW_OF_LOG,
            kind=const("seat"),
            action=const(None),
            bot=said(enum(*LEVELS, None), "Who plays for the seat from now on; null: its player."),
        ),
        obj(**_ROW_OF_LOG, kind=const("proposal"), action=const(None), proposal=ref("StoredProposal")),
        obj(
            **_ROW_OF_LOG,
            kind=const("answer"),
            action=const(None),
            about=said({"type": "integer", "minimum": 1}, "The proposal's `seq`."),
            agrees=FLAG,
        ),
    ]
}
COMPONENTS["SheetRow"] = {
    "oneOf": [
        obj(
            line=const("round"),
            round={"type": "integer", "minimum": 1},
            seat=SEAT,
            name=TEXT,
            dealer=SEAT,
            conditions=ref("Conditions"),
            teams=_TEAMS,
            monster=_MONSTER,
            tricks=COUNT,
            captured=COUNT,
            raw=said(WHOLE, "The team score."),
            points=said(WHOLE, "What is written on the sheet."),
            running_total=WHOLE,
            derivation=said(TEXT, "How the points came about, in words."),
            reason={"type": "null"},
        ),
        obj(
            line=const("penalty"),
            round=said(COUNT, "It was agreed after this round."),
            seat=SEAT,
            name=TEXT,
            points=WHOLE,
            running_total=WHOLE,
            reason=TEXT,
            **dict.fromkeys(
                ("dealer", "conditions", "teams", "monster", "tricks", "captured", "raw", "derivation"), const(None)
            ),
        ),
    ]
}
_WHICH_SEAT = said(nullable(SEAT), "Exactly for the role of a seat.")
COMPONENTS["Invitation"] = obj(role=enum(*Role), seat=_WHICH_SEAT, code=TEXT, link=URI, expires_at=MOMENT)
COMPONENTS["JoinedTable"] = obj(
    game=TEXT, role=enum(*Role), seat=_WHICH_SEAT, key=said(TEXT, "Shown this once."), links=ref("Links")
)
COMPONENTS["Joined"] = {"oneOf": [ref("JoinedTable"), ref("JoinedGroup")]}
COMPONENTS["Key"] = obj(
    id=COUNT, role=enum(*Role), seat=_WHICH_SEAT, label=TEXT, created_at=MOMENT, own=said(FLAG, "The key that asked.")
)
COMPONENTS["Preset"] = obj(
    preset=enum(*PRESETS),
    source=TEXT,
    default=FLAG,
    edition=obj(
        key=enum(*EDITIONS), suits=array(TEXT), tokens=array(TEXT), capturable_rank=COUNT, capturable_cards=COUNT
    ),
    players=said(array(COUNT), "Possible numbers of players."),
    rounds=said({"type": "object", "additionalProperties": COUNT}, "The default length, by number of players."),
    short_rounds=said({"type": "object", "additionalProperties": COUNT}, "A short game, where the text knows one."),
    options=said(
        {"type": "object", "additionalProperties": {"type": ["string", "boolean", "null"]}},
        "The other eight options, as they are unless asked for differently.",
    ),
    allowed=said(
        {
            "type": "object",
            "properties": {"rounds": _RANGE},
            "required": ["rounds"],
            "additionalProperties": array({"type": ["string", "boolean"]}),
        },
        "What each option may be.",
    ),
    spaces=said(
        {"type": "object", "additionalProperties": array(TEXT)}, "By row, left to right; `start`: one for each seat."
    ),
    dealt=said({"type": "object", "additionalProperties": COUNT}, "Cards dealt to each, by number of players."),
    deck=array(CARD),
    removals=said(
        {"type": "object", "additionalProperties": obj(rank=COUNT, of_each_suit=COUNT)},
        "What may leave the deck with three players.",
    ),
)


# --- requests ---

COMPONENTS["NewPlayer"] = obj(
    name=NO_NULL_CHARACTER,
    token=said(nullable(NO_NULL_CHARACTER), "Left out: the next one that nobody asked for."),
    bot=enum(*LEVELS, None),
    optional=("token", "bot"),
)
COMPONENTS["NewGame"] = obj(
    mode=enum(*Mode),
    preset=NO_NULL_CHARACTER,
    options=said(
        nullable(
            {
                "type": "object",
                "properties": {
                    "first_placer": NO_NULL_CHARACTER,
                    "three_player_removal": nullable(NO_NULL_CHARACTER),
                    "rounds": FREE,
                    "supertrump_suit": NO_NULL_CHARACTER,
                    "must_trump_when_void": FLAG,
                    "captured_from": NO_NULL_CHARACTER,
                    "score_record": NO_NULL_CHARACTER,
                    "start_row": FLAG,
                    "discard_timing": NO_NULL_CHARACTER,
                },
                "additionalProperties": False,
            }
        ),
        "Changes to the preset's options; their values are listed by `/presets/`.",
    ),
    players=array(ref("NewPlayer")),
    dealer=said(nullable(FREE), "The seat that deals round 1; 0 if left out."),
    group=said(nullable(NO_NULL_CHARACTER), "The group that the table is opened in; the bearer is one of its members."),
    optional=("options", "dealer", "group"),
)
_PART = said(COUNT, "Our addition: which change of an amendment inserted the action (0: the entry is the action).")
COMPONENTS["Change"] = {
    "oneOf": [
        obj(seq=COUNT, part=_PART, action=ref("Action"), optional=("part",), description="Replaces an action."),
        obj(seq=COUNT, part=_PART, delete=const(True), optional=("part",), description="Deletes an action."),
        obj(
            after_seq=COUNT,
            after_part=_PART,
            action=ref("Action"),
            optional=("after_part",),
            description="Inserts an action after another; 0: before the first.",
        ),
    ]
}
COMPONENTS["RecordRequest"] = obj(
    action=ref("Action"),
    seat=said(nullable(COUNT), "Who acts; `not_your_turn` if somebody else is due. Left out: whoever is due."),
    version=VERSION,
    request_id=REQUEST_ID,
    optional=("seat", "version", "request_id"),
)
COMPONENTS["UndoRequest"] = obj(
    version=VERSION,
    request_id=REQUEST_ID,
    to_seq=said(
        nullable(COUNT),
        "Take back every effective entry with a higher seq: the game is again as it was right after this entry. "
        "0: back to the beginning. Left out: the latest effective entry alone.",
    ),
    optional=("version", "request_id", "to_seq"),
)
COMPONENTS["AmendRequest"] = obj(
    changes=array(ref("Change"), minItems=1),
    version=VERSION,
    request_id=REQUEST_ID,
    preview=PREVIEW,
    optional=("version", "request_id", "preview"),
)
COMPONENTS["SetupRequest"] = {
    **obj(
        names=nullable(array(NO_NULL_CHARACTER)),
        tokens=nullable(array(NO_NULL_CHARACTER)),
        dealer=nullable(FREE),
        rounds=nullable(FREE),
        version=VERSION,
        request_id=REQUEST_ID,
        preview=PREVIEW,
        optional=("names", "tokens", "dealer", "rounds", "version", "request_id", "preview"),
        description="At least one of names, tokens, dealer, rounds; what is left out stays as it is.",
    ),
    "anyOf": [
        {"properties": {name: {"not": {"type": "null"}}}, "required": [name]}
        for name in ("names", "tokens", "dealer", "rounds")
    ],
}
COMPONENTS["WriteRequest"] = obj(version=VERSION, request_id=REQUEST_ID, optional=("version", "request_id"))
COMPONENTS["EmptyRequest"] = obj()
COMPONENTS["RematchRequest"] = obj(
    same_deals=said(nullable(FLAG), "True: the same deals once more, by the same dealer; digital games only."),
    optional=("same_deals",),
)
COMPONENTS["InviteRequest"] = {
    "oneOf": [obj(role=enum(*TABLE_ROLES)), obj(role=const(Role.SEAT.value), seat=said(COUNT, "Digital games only."))]
}
_WRITES = {"version": VERSION, "request_id": REQUEST_ID}
COMPONENTS["ProposalRequest"] = {
    "oneOf": [
        obj(
            type=const("takeback"),
            to_seq=said(nullable(COUNT), "As for `undo/`."),
            **_WRITES,
            optional=("to_seq", *_WRITES),
        ),
        obj(type=enum("claim", "finish"), **_WRITES, optional=tuple(_WRITES)),
    ]
}
COMPONENTS["AnswerRequest"] = obj(agree=FLAG, **_WRITES, optional=tuple(_WRITES))
COMPONENTS["BotRequest"] = obj(
    level=said(enum(*LEVELS, None), "null gives the seat back."), **_WRITES, optional=tuple(_WRITES)
)
_NAME = said(nullable(NO_NULL_CHARACTER), "What the list of keys calls the bearer.")
_SECRET: Shape = {"type": "string", "minLength": 1, "pattern": "^[^\\u0000]*$"}
COMPONENTS["JoinRequest"] = {
    "oneOf": [
        obj(code=_SECRET, name=_NAME, optional=("name",), description="The code, as somebody typed it."),
        obj(token=_SECRET, name=_NAME, optional=("name",), description="The last part of the link."),
    ]
}


COMPONENTS |= schema_groups.COMPONENTS

MAY_BE_EMPTY = {"UndoRequest", "WriteRequest", "EmptyRequest", "RematchRequest"}
"""Requests that say something only if they want to."""


def add_components(result: Shape, generator: Any, request: Any, public: bool) -> Shape:
    """The hook that gives drf-spectacular what it cannot know of our components."""
    components = result.setdefault("components", {})
    components["schemas"] = {**components.get("schemas", {}), **COMPONENTS}
    components["securitySchemes"] = {
        "key": {
            "type": "http",
            "scheme": "bearer",
            "description": "A key of a game or a group: it is its own right.",
        }
    }
    for operation in (each for methods in result["paths"].values() for each in methods.values()):
        if "requestBody" in operation:
            name = operation["requestBody"]["content"]["application/json"]["schema"]["$ref"].rpartition("/")[2]
            operation["requestBody"]["required"] = name not in MAY_BE_EMPTY
    return result

"""The entries of a log as JSON: what is stored of each kind, and how it is strictly read back.

An action is its JSON; `undo` is {"undoes": seq}; `amend` is {"changes": [...]}; `setup` is the whole corrected set-up;
`lock` is {}; `seat` is {"bot": level or null}; `holder` is {"change": how, "also": [seats]}; `proposal` is
{"proposal": kind} with `seqs` or `cards`; `answer` is {"about": seq, "agrees": bool}; `confirm` is {"round": number,
"team": seats, "figures": points by seat, "about": seq or null}; `hint` is {"action": its JSON, "reason": code,
"second": that of another action or null}, all null for other readers; `correction` is that of `amend`; `occasion` is
{"began": time or null, "minutes": number or null, "place": text, "note": text}.  The seq, and the seat of an entry
about a seat, are stored beside that.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict
from typing import assert_never, get_args

from games.rules import codec
from games.rules.actions import KINDS, Action, Discard, Pass, from_json, to_json
from games.rules.codec import Fields
from games.rules.errors import WrongType
from games.rules.hints import HintReason
from games.rules.occasion import Occasion
from games.rules.paper import PaperSheet
from games.rules.proposals import Proposal
from games.rules.replay import (
    ActionEntry,
    AmendEntry,
    AnswerEntry,
    Change,
    ConfirmEntry,
    CorrectionEntry,
    DeleteAction,
    Entry,
    HintEntry,
    HolderChange,
    HolderEntry,
    InsertAction,
    Key,
    LockEntry,
    OccasionEntry,
    ProposalEntry,
    ReplaceAction,
    SeatEntry,
    SetupEntry,
    UndoEntry,
)
from games.rules.setup import Setup, Stint

Document = dict[str, object]

PROPOSALS: Mapping[str, type[Proposal]] = {proposal.kind: proposal for proposal in get_args(Proposal)}
"""The dataclass of each kind of proposal, by its name in JSON."""


def kind_of_entry(entry: Entry) -> str:
    """The name of an entry's kind: of an action, that of the action."""
    return entry.action.kind if isinstance(entry, ActionEntry) else entry.kind


def payload_of(entry: Entry) -> Document:
    """What is stored of an entry."""
    match entry:
        case ActionEntry(_, action):
            return to_json(action)
        case UndoEntry(_, undoes):
            return {"undoes": undoes}
        case AmendEntry(_, changes) | CorrectionEntry(_, changes):
            return {"changes": changes_to_json(changes)}
        case SetupEntry(_, setup):
            return setup_to_json(setup)
        case LockEntry():
            return {}
        case SeatEntry(_, _, bot):
            return {"bot": bot}
        case HolderEntry(_, _, change, also):
            return {"change": change.value, "also": list(also)}
        case ProposalEntry(_, _, proposal):
            return proposal_to_json(proposal)
        case AnswerEntry(_, _, about, agrees):
            return {"about": about, "agrees": agrees}
        case ConfirmEntry(_, _, number, team, figures, about):
            return {"round": number, "team": list(team), "figures": list(figures), "about": about}
        case HintEntry(_, _, action, reason, second):
            return {
                "action": None if action is None else to_json(action),
                "reason": reason and reason.value,
                "second": None if second is None else to_json(second),
            }
        case OccasionEntry(_, occasion):
            return occasion_to_json(occasion)
    assert_never(entry)


def entry_from_json(seq: int, kind: str, payload: Mapping[str, object], seat: int | None = None) -> Entry:
    """The entry that is stored under this kind.

    Errors: `Malformed` and its subclasses; every `IllegalSetup`.
    """
    if kind in KINDS:
        # Nearly all entries.  An unknown kind is refused at the end.
        return _action_entry(seq, kind, payload, seat)
    fields = Fields(payload, of=kind)
    match kind:
        case UndoEntry.kind:
            return UndoEntry(seq, codec.whole_number("undoes", fields.find("undoes")))
        case AmendEntry.kind:
            return AmendEntry(seq, changes_from_json(fields.find("changes")))
        case CorrectionEntry.kind:
            return CorrectionEntry(seq, changes_from_json(fields.find("changes")))
        case SetupEntry.kind:
            return SetupEntry(seq, setup_from_json(payload))
        case LockEntry.kind:
            return LockEntry(seq)
        case SeatEntry.kind:
            return SeatEntry(seq, _seat(seat), codec.optional(codec.text, "bot", fields.find("bot")))
        case HolderEntry.kind:
            change, also = _holder_change(fields.take("change")), codec.items("also", fields.take("also"))
            fields.refuse_others()
            return HolderEntry(seq, _seat(seat), change, tuple(codec.whole_number("also", each) for each in also))
        case ProposalEntry.kind:
            return ProposalEntry(seq, _seat(seat), proposal_from_json(payload))
        case AnswerEntry.kind:
            about = codec.whole_number("about", fields.find("about"))
            return AnswerEntry(seq, _seat(seat), about, codec.boolean("agrees", fields.find("agrees")))
        case ConfirmEntry.kind:
            return ConfirmEntry(
                seq,
                _seat(seat),
                codec.number("round", fields.find("round")),
                codec.numbers("team", fields.find("team")),
                codec.numbers("figures", fields.find("figures")),
                codec.optional(codec.whole_number, "about", fields.find("about")),
            )
        case HintEntry.kind:
            action, reason = _hint(fields.find("action"), fields.find("reason"))
            second = fields.find("second")
            return HintEntry(seq, _seat(seat), action, reason, None if second is None else from_json(second))
        case OccasionEntry.kind:
            return OccasionEntry(seq, occasion_from_json(payload))
    return _action_entry(seq, kind, payload, seat)


def _action_entry(seq: int, kind: str, payload: Mapping[str, object], seat: int | None) -> ActionEntry:
    action = from_json(payload)
    if action.kind != kind:
        raise WrongType(field="kind", expected="kind", kind=action.kind)
    # Several seats choose at once: only the stored seat says whose choice this is.
    return ActionEntry(seq, action, seat if isinstance(action, Discard | Pass) else None)


def _holder_change(value: object) -> HolderChange:
    if value not in tuple(HolderChange):
        raise WrongType(field="change", expected="holder_change")
    return HolderChange(str(value))


def _hint(action: object, reason: object) -> tuple[Action, HintReason] | tuple[None, None]:
    """What was hinted, and why."""
    if action is None and reason is None:
        return None, None
    if action is None or reason not in tuple(HintReason):
        raise WrongType(field="reason", expected="hint_reason")
    return from_json(action), HintReason(str(reason))


def _seat(seat: int | None) -> int:
    if seat is None:
        raise WrongType(field="seat", expected="seat")
    return seat


# --- set-ups ---


def setup_to_json(setup: Setup) -> Document:
    """A set-up as a plain JSON object."""
    document: Document = {
        "preset": setup.ruleset.preset,
        "options": setup.ruleset.options.to_json(),
        "seats": [codec.written(seat) for seat in setup.seats],
        "dealer": setup.dealer,
    }
    paper = setup.paper
    only_where_set = {
        "digital": setup.digital,
        "open_hands": setup.open_hands,
        "paper": paper and codec.written(paper),
        "earlier": [codec.written(stint) for stint in setup.earlier],
    }
    return document | {name: value for name, value in only_where_set.items() if value}


def setup_from_json(value: object) -> Setup:
    """Read a set-up.

    Errors: `WrongType`, every `IllegalSetup`.
    """
    if not isinstance(value, Mapping) or not isinstance(value.get("preset"), str):
        raise WrongType(field="setup", expected="setup")
    options, seats = value.get("options"), value.get("seats")
    if not isinstance(options, Mapping):
        raise WrongType(field="options", expected="object")
    dealer = codec.whole_number("dealer", value.get("dealer"))
    if not isinstance(seats, list) or not all(
        isinstance(seat, Mapping) and isinstance(seat.get("name"), str) and isinstance(seat.get("token"), str)
        for seat in seats
    ):
        raise WrongType(field="seats", expected="seats_with_names_and_tokens")
    return Setup.of(
        preset=value["preset"],
        names=[seat["name"] for seat in seats],
        tokens=[seat["token"] for seat in seats],
        options=options,
        dealer=dealer,
        digital=codec.boolean("digital", value.get("digital", False)),
        paper=codec.optional(_paper, "paper", value.get("paper")),
        open_hands=codec.boolean("open_hands", value.get("open_hands", False)),
        earlier=[
            codec.read(Stint, Fields(each, of="earlier")) for each in codec.items("earlier", value.get("earlier", []))
        ],
    )


def _paper(name: str, value: object) -> PaperSheet:
    """A sheet from paper; the set-up checks its figures."""
    sheet: PaperSheet = codec.read(PaperSheet, Fields(value, of=name))
    return sheet


# --- occasions ---


def occasion_to_json(occasion: Occasion) -> Document:
    """An occasion as a plain JSON object."""
    return codec.written(occasion)


def occasion_from_json(value: object) -> Occasion:
    """Read an occasion.

    Errors: `Malformed` and its subclasses; every `IllegalSetup`.
    """
    occasion: Occasion = codec.read(Occasion, Fields(value, of="occasion"))
    return Occasion.of(**asdict(occasion))


# --- proposals ---


def proposal_to_json(proposal: Proposal) -> Document:
    """A proposal as a plain JSON object."""
    return {"proposal": proposal.kind, **codec.written(proposal)}


def proposal_from_json(value: object) -> Proposal:
    """Read a proposal.

    Errors: `Malformed` and its subclasses.
    """
    fields = Fields(value, of="proposal")
    kind = fields.take("proposal")
    if not isinstance(kind, str) or kind not in PROPOSALS:
        raise WrongType(field="proposal", expected="proposal")
    proposal: Proposal = codec.read(PROPOSALS[kind], fields)
    return proposal


# --- corrections ---


def changes_to_json(changes: Iterable[Change]) -> list[Document]:
    """Corrections as a list of plain JSON objects."""
    return [_change_to_json(change) for change in changes]


def _change_to_json(change: Change) -> Document:
    match change:
        case ReplaceAction(key, action):
            return {**_key_to_json(key), "action": to_json(action)}
        case DeleteAction(key):
            return {**_key_to_json(key), "delete": True}
        case InsertAction(after, action):
            return {**_key_to_json(after, "after_"), "action": to_json(action)}
    assert_never(change)


def _key_to_json(key: Key, prefix: str = "") -> Document:
    named: Document = {f"{prefix}seq": key.seq}
    return {**named, f"{prefix}part": key.part} if key.part else named


def changes_from_json(value: object) -> tuple[Change, ...]:
    """Read corrections.

    Errors: `Malformed` and its subclasses.
    """
    if not isinstance(value, list) or not value:
        raise WrongType(field="changes", expected="list_of_corrections")
    return tuple(_change_from_json(each) for each in value)


def _change_from_json(value: object) -> Change:
    if not isinstance(value, Mapping):
        raise WrongType(field="changes", expected="list_of_objects")
    fields = Fields(value, of="change")
    change: Change
    if "after_seq" in fields:
        change = InsertAction(_key_from_json(fields, "after_"), from_json(fields.take("action")))
    elif "delete" in fields:
        if fields.take("delete") is not True:
            raise WrongType(field="delete", expected="true")
        change = DeleteAction(_key_from_json(fields))
    else:
        change = ReplaceAction(_key_from_json(fields), from_json(fields.take("action")))
    fields.refuse_others()
    return change


def _key_from_json(fields: Fields, prefix: str = "") -> Key:
    seq, part = f"{prefix}seq", f"{prefix}part"
    return Key(
        codec.whole_number(seq, fields.take(seq)),
        codec.whole_number(part, fields.take(part)) if part in fields else 0,
    )

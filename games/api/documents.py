"""The documents that the API answers with, built by listing what their reader may see.

Knows: the shapes of the contract.  Must not know: requests, the database; what a rule means.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, assert_never

from games.bots import LEVELS
from games.keys.invitations import Invitation
from games.log.ledger import Ledger
from games.log.store import StoredEntry
from games.models import GroupKey, Key, Mode
from games.rules import (
    DEFAULT_PRESET,
    PRESETS,
    Action,
    ActionEntry,
    Board,
    Conditions,
    FinishedRound,
    Phase,
    Preset,
    PublicState,
    Round,
    RowKey,
    Setup,
    Teams,
    Template,
    Trick,
    Won,
    allowed_values,
    to_json,
)
from games.rules import Key as ActionKey
from games.rules.cards import Card, Suit
from games.rules.editions import NJET
from games.rules.options import MOST_ROUNDS
from games.rules.proposals import ClaimRest, FinishEarly, OpenProposal, Takeback
from games.rules.redaction import PlayerView
from games.services.previews import StandingChange

SCHEMA = 1

Document = dict[str, Any]


# --- STATE ---


def state(ledger: Ledger, *, may_record: bool) -> Document:
    """A game as whoever reads this ledger sees it.

    `may_record`: he is a scorekeeper, or the host of a digital game.  A seat may do what its view says.
    """
    now, view = ledger.state, ledger.view
    assert view is not None or not ledger.digital, "only services know the whole log of a digital game"
    return {
        "schema": SCHEMA,
        "id": ledger.game_id,
        "mode": (Mode.DIGITAL if ledger.digital else Mode.TABLE).value,
        "preset": now.ruleset.preset,
        "options": now.ruleset.options.to_json(),
        "version": ledger.version,
        "status": "finished" if now.current is None else "playing",
        "locked": ledger.locked,
        "players": players(now.setup, ledger.bots),
        "viewer": None if view is None else view.seat,
        "round": None if now.current is None else {**_round(now, now.current), **_hand(now, view)},
        "last_round": _finished_round(now, now.finished[-1]) if now.finished else None,
        "scores": _scores(now),
        "proposals": [_proposal(ledger, each) for each in ledger.counting.proposals],
        "legal_actions": _legal_actions(ledger, may_record=may_record),
    }


def players(setup: Setup, bots: Sequence[str | None]) -> list[Document]:
    """`bots`: the level of the bot that plays for each seat, None for a player."""
    return [
        {"seat": number, "name": seat.name, "token": seat.token, "bot": bots[number]}
        for number, seat in enumerate(setup.seats)
    ]


def _hand(now: PublicState, view: PlayerView | None) -> Document:
    """What a seat alone may know of the round: nothing for anybody else."""
    if now.current is None or view is None or view.seat is None:
        return {}
    return {
        "hand": _cards(view.hand),
        "chosen": _cards(view.chosen),
        "discarded": _cards(view.discarded),
        "passed": _cards(view.passed),
        "received": _cards(view.received),
    }


def _cards(cards: Sequence[Card]) -> list[str]:
    return [str(card) for card in cards]


def _proposal(ledger: Ledger, each: OpenProposal) -> Document:
    asked: Document = {"seq": each.seq, "seat": each.seat}
    match each.proposal:
        case Takeback(seqs):
            asked |= {"type": "takeback", "entries": [_taken(ledger, seq) for seq in seqs]}
        case ClaimRest(cards):
            asked |= {"type": "claim", "cards": _cards(cards)}
        case FinishEarly():
            asked |= {"type": "finish"}
        case _:
            assert_never(each.proposal)
    return {**asked, "agreed": list(each.agreed), "waiting": list(each.waiting(ledger.state.players))}


def _taken(ledger: Ledger, seq: int) -> Document:
    """An entry that somebody would like to take back, as the reader of the ledger may read it."""
    entry, step = ledger.entry(seq), ledger.step(ActionKey(seq))
    action = to_json(entry.action) if isinstance(entry, ActionEntry) else None
    return {"seq": seq, "seat": None if step is None else step.seat, "action": action}


def _legal_actions(ledger: Ledger, *, may_record: bool) -> list[Document]:
    if ledger.view is None:
        return [_legal(each) for each in ledger.state.legal_actions()] if may_record else []
    if ledger.view.seat is not None:
        by_bot = ledger.bots[ledger.view.seat] is not None
        return [] if by_bot else [_legal(each) for each in ledger.view.legal]
    return [_bot_template(ledger.state)] if may_record and ledger.state.current is not None else []


def _bot_template(now: PublicState) -> Document:
    """What a host may do: let a bot play for a seat, or give the seat back."""
    return {"type": "bot", "bounds": {"seat": list(range(now.players)), "level": [*LEVELS, None]}}


def _round(now: PublicState, current: Round) -> Document:
    settled = current.conditions
    table = {"leader": current.leader, "cards": _cards(current.table)} if current.table else None
    digital = {"hand_sizes": list(current.hand_sizes)} if now.setup.digital else {}
    return {
        "number": current.number,
        "of": now.ruleset.options.rounds,
        "dealer": current.dealer,
        "phase": now.phase.value,
        "acting": list(now.acting_seats),
        "board": _board(current.board),
        "conditions": None if settled is None else conditions(settled),
        "teams": None if current.teams is None else teams(current.teams),
        "monster": None if current.teams is None else current.teams.monster,
        "tricks_total": None if settled is None else now.ruleset.tricks(settled.discard),
        "tricks": [_trick(trick) for trick in current.tricks],
        "current_trick": table,
        "won": _won(current.won(now.players)),
        **digital,
    }


def _finished_round(now: PublicState, done: FinishedRound) -> Document:
    digital = {"hand_sizes": [0] * now.players, "claimed": done.claimed} if now.setup.digital else {}
    return {
        "number": done.number,
        "of": now.ruleset.options.rounds,
        "dealer": done.dealer,
        "phase": Phase.TRICKS.value,
        "acting": [],
        "board": _board(done.board),
        "conditions": conditions(done.conditions),
        "teams": teams(done.teams),
        "monster": done.teams.monster,
        "tricks_total": now.ruleset.tricks(done.conditions.discard),
        "tricks": [_trick(trick) for trick in done.tricks],
        "current_trick": None,
        "won": _won(done.won),
        **digital,
    }


def _board(board: Board) -> list[Document]:
    return [
        {
            "row": row.key.value,
            "spaces": [
                {"space": str(space), "covered_by": mark} for space, mark in zip(row.spaces, row.marks, strict=True)
            ],
        }
        for row in board.rows
    ]


def conditions(settled: Conditions) -> Document:
    return {
        "start": settled.start,
        "discard": settled.discard,
        "trump": _suit(settled.trump),
        "supertrump": _suit(settled.supertrump),
        "points": settled.points,
    }


def _suit(suit: Suit | None) -> str:
    return NJET if suit is None else suit.value


def teams(named: Teams) -> list[list[int]]:
    """The start player's team first."""
    return [list(named.own), list(named.other)]


def _trick(trick: Trick) -> Document:
    return {
        "leader": trick.leader,
        "cards": None if trick.cards is None else [str(card) for card in trick.cards],
        "winner": trick.winner,
        "captured": trick.captured,
    }


def _won(counts: Sequence[Won]) -> list[Document]:
    return [{"seat": seat, "tricks": won.tricks, "captured": won.captured} for seat, won in enumerate(counts)]


def _scores(now: PublicState) -> Document:
    scores: Document = {
        "rounds": [
            {
                "number": done.number,
                "points": list(done.score.points),
                "raw": list(done.score.raw),
                "conditions": conditions(done.conditions),
                "teams": teams(done.teams),
                "monster": done.teams.monster,
                "won": _won(done.won),
            }
            for done in now.finished
        ],
        "penalties": [
            {"seat": line.seat, "points": line.points, "reason": line.reason, "after_round": line.after_round}
            for line in now.penalties
        ],
        "totals": list(now.totals),
        "leaders": list(now.leaders),
    }
    return scores if now.current is not None else {**scores, "winners": list(now.winners)}


def _legal(action: Action | Template) -> Document:
    if isinstance(action, Template):
        return {"type": action.kind, "bounds": dict(action.bounds)}
    return to_json(action)


# --- the log ---


def log_row(entry: StoredEntry) -> Document:
    """An entry, raw: it keeps its place whatever became of it."""
    row: Document = {
        "seq": entry.seq,
        "at": moment(entry.at),
        "kind": entry.kind,
        "seat": entry.seat,
        "action": None,
    }
    match entry.kind:
        case "undo":
            return {**row, "undoes": entry.payload["undoes"]}
        case "amend":
            return {**row, "changes": entry.payload["changes"]}
        case "setup":
            return {**row, "setup": entry.payload}
        case "lock":
            return row
        case "seat":
            return {**row, "bot": entry.payload["bot"]}
        case "proposal":
            return {**row, "proposal": entry.payload}
        case "answer":
            return {**row, "about": entry.payload["about"], "agrees": entry.payload["agrees"]}
        case _:
            return {**row, "action": entry.payload}


def moment(at: datetime) -> str:
    """A time in ISO 8601, UTC."""
    return at.astimezone(UTC).isoformat().replace("+00:00", "Z")


# --- corrections ---


def standing_changes(changes: Sequence[StandingChange]) -> Document:
    return {
        "changes": [
            {
                "seat": change.seat,
                "total_before": change.total_before,
                "total_after": change.total_after,
                "rank_before": change.rank_before,
                "rank_after": change.rank_after,
            }
            for change in changes
        ]
    }


# --- keys ---


def key_row(key: Key, *, own: Key) -> Document:
    """A key as it may be listed: its secret is known to its bearer alone."""
    return {
        "id": key.pk,
        "role": key.role,
        "seat": key.seat,
        "label": key.label,
        "created_at": moment(key.created_at),
        "own": key.pk == own.pk,
    }


def group_key_row(key: GroupKey, *, own: GroupKey) -> Document:
    """The same of a group's key.  `program`: it has a secret that can be renewed; else a browser bears it."""
    return {
        "id": key.pk,
        "role": key.role,
        "label": key.label,
        "created_at": moment(key.created_at),
        "program": key.secret_hash is not None,
        "own": key.pk == own.pk,
    }


def joined(key: Key, secret: str, links: Mapping[str, str]) -> Document:
    """What whoever came to a table gets, this once."""
    return {"game": key.game_id, "role": key.role, "seat": key.seat, "key": secret, "links": dict(links)}


def group_joined(key: GroupKey, secret: str, links: Mapping[str, str]) -> Document:
    """What whoever came to a group gets, this once."""
    return {"group": key.group_id, "role": key.role, "key": secret, "links": dict(links)}


def seat_invitation(made: Invitation, link: str) -> Document:
    """A way into a table, shown this once."""
    return {**invitation(made, link), "seat": made.invite.seat}


def invitation(made: Invitation, link: str) -> Document:
    """A way into a table or a group, shown this once."""
    return {
        "role": made.invite.role,
        "code": made.code,
        "link": link,
        "expires_at": moment(made.invite.expires_at),
    }


# --- presets ---


def presets() -> list[Document]:
    return [_preset(preset) for preset in PRESETS.values()]


def _preset(preset: Preset) -> Document:
    edition, counts = preset.edition, preset.player_counts
    spaces = {row.value: [str(space) for space in edition.spaces[row]] for row in RowKey if row in edition.spaces}
    return {
        "preset": preset.key,
        "source": preset.source,
        "default": preset.key == DEFAULT_PRESET,
        "edition": {
            "key": edition.key,
            "suits": [suit.value for suit in edition.suits],
            "tokens": list(edition.tokens),
            "capturable_rank": edition.capturable_rank,
            "capturable_cards": edition.capturable_cards,
        },
        "players": list(counts),
        "rounds": _by_players(preset.rounds),
        "short_rounds": _by_players(preset.short_rounds),
        "options": dict(preset.defaults),
        "allowed": {
            **{name: list(values) for name, values in allowed_values(edition).items()},
            "rounds": {"least": 1, "most": MOST_ROUNDS},
        },
        "spaces": {"start": [str(seat) for seat in range(max(counts))], **spaces},
        "dealt": _by_players({count: edition.dealt[count] for count in counts}),
        "deck": [str(card) for card in edition.deck(players=max(counts), removal=None)],
        "removals": {
            removal.value: {"rank": rank, "of_each_suit": count} for removal, (rank, count) in edition.removals.items()
        },
    }


def _by_players(figures: Mapping[int, int]) -> dict[str, int]:
    return {str(count): figure for count, figure in figures.items()}

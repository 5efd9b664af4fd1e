"""STATE, built by listing what its reader may see.

Plain dicts, because every change is answered with a state: `games.api.serializers.state` describes it, and the tests
compare the two.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from functools import lru_cache
from typing import Any, assert_never

from games.bots import LEVELS
from games.formats.sheet import conditions_of, teams_of
from games.log.ledger import Ledger
from games.models import Game
from games.rules import (
    Action,
    ActionEntry,
    Board,
    FinishedRound,
    Phase,
    PublicState,
    Round,
    Setup,
    Template,
    Trick,
    Won,
    to_json,
)
from games.rules import Key as ActionKey
from games.rules.cards import Card
from games.rules.confirmations import PendingCorrection, confirmations
from games.rules.proposals import ClaimRest, FinishEarly, OpenProposal, Takeback
from games.rules.replay import ConfirmEntry
from games.services.previews import standing_changes

SCHEMA = 1

Document = dict[str, Any]


def state(ledger: Ledger, game: Game, *, may_record: bool) -> Document:
    """A game as the reader of this ledger sees it.

    `may_record`: the reader is a scorekeeper, or the host of a digital game.  A seat may do what its view says.
    """
    now, view = ledger.state, ledger.view
    assert view is not None or not ledger.digital, "only services know the whole log of a digital game"
    return {
        "schema": SCHEMA,
        "id": ledger.game_id,
        "mode": now.setup.mode,
        "same_deals": game.deals_of_id is not None,
        "preset": now.ruleset.preset,
        "options": now.ruleset.options.to_json(),
        "version": ledger.version,
        "status": "finished" if now.current is None else "playing",
        "locked": ledger.locked,
        "players": players(now.setup, ledger.bots),
        "viewer": None if view is None else view.seat,
        "round": None if now.current is None else {**_round(now, now.current), **_hand(ledger)},
        "last_round": _finished_round(now, now.finished[-1]) if now.finished else None,
        "scores": _scores(ledger),
        "proposals": [_proposal(ledger, each) for each in ledger.counting.proposals],
        "pending_corrections": [] if ledger.pending is None else [_pending(ledger, ledger.pending)],
        "legal_actions": _legal_actions(ledger, may_record=may_record),
    }


def players(setup: Setup, bots: Sequence[str | None]) -> list[Document]:
    """`bots`: the level of the bot that plays for each seat, None for a player."""
    return [
        {"seat": number, "name": seat.name, "token": seat.token, "bot": bots[number]}
        for number, seat in enumerate(setup.seats)
    ]


def _hand(ledger: Ledger) -> Document:
    """What a seat alone may know of the round; empty for every other reader, and while a bot plays for the seat."""
    view = ledger.view
    if view is None or view.seat is None or ledger.bots[view.seat] is not None:
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
    """An entry that a player proposes to take back, as the reader of the ledger may read it."""
    entry, step = ledger.entry(seq), ledger.step(ActionKey(seq))
    action = to_json(entry.action) if isinstance(entry, ActionEntry) else None
    return {"seq": seq, "seat": None if step is None else step.seat, "action": action}


def _legal_actions(ledger: Ledger, *, may_record: bool) -> list[Document]:
    if ledger.view is None:
        return [_legal(each) for each in ledger.state.legal_actions()] if may_record else []
    if ledger.view.seat is not None:
        by_bot = ledger.bots[ledger.view.seat] is not None
        return [] if by_bot else [_legal(each) for each in ledger.view.legal]
    if not may_record or ledger.state.current is None:
        return []
    # A host may let a bot play for a seat, or give the seat back.
    return [{"type": "bot", "bounds": {"seat": list(range(ledger.state.players)), "level": [*LEVELS, None]}}]


def _round(now: PublicState, current: Round) -> Document:
    settled = current.conditions
    table = {"leader": current.leader, "cards": _cards(current.table)} if current.table else None
    return {
        "number": current.number,
        "of": now.ruleset.options.rounds,
        "dealer": current.dealer,
        "phase": now.phase.value,
        "acting": list(now.acting_seats),
        "board": _board(current.board),
        "conditions": None if settled is None else conditions_of(settled),
        "teams": None if current.teams is None else teams_of(current.teams),
        "monster": None if current.teams is None else current.teams.monster,
        "tricks_total": None if settled is None else now.ruleset.tricks(settled.discard),
        "tricks": [_trick(trick) for trick in current.tricks],
        "current_trick": table,
        "won": _won(current.won(now.players)),
        **_if_digital(now, hand_sizes=list(current.hand_sizes)),
    }


def _finished_round(now: PublicState, done: FinishedRound) -> Document:
    return {
        "number": done.number,
        "of": now.ruleset.options.rounds,
        "dealer": done.dealer,
        "phase": Phase.TRICKS.value,
        "acting": [],
        "board": _board(done.board),
        "conditions": conditions_of(done.conditions),
        "teams": teams_of(done.teams),
        "monster": done.teams.monster,
        "tricks_total": now.ruleset.tricks(done.conditions.discard),
        "tricks": [_trick(trick) for trick in done.tricks],
        "current_trick": None,
        "won": _won(done.won),
        **_if_digital(now, hand_sizes=[0] * now.players, claimed=done.claimed),
    }


def _if_digital(now: PublicState, **fields: object) -> Document:
    """The fields of a round that only digital games have."""
    return fields if now.setup.digital else {}


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


def _trick(trick: Trick) -> Document:
    return {
        "leader": trick.leader,
        "cards": None if trick.cards is None else [str(card) for card in trick.cards],
        "winner": trick.winner,
        "captured": trick.captured,
    }


def _won(counts: Sequence[Won]) -> list[Document]:
    return [{"seat": seat, "tricks": won.tricks, "captured": won.captured} for seat, won in enumerate(counts)]


def _scores(ledger: Ledger) -> Document:
    now = ledger.state
    scores: Document = {
        "rounds": [
            {
                "number": done.number,
                "points": list(done.score.points),
                "raw": list(done.score.raw),
                "conditions": conditions_of(done.conditions),
                "teams": teams_of(done.teams),
                "monster": done.teams.monster,
                "won": _won(done.won),
                "confirmed": _confirmed(done, ledger.counting.confirms),
            }
            for done in now.finished
        ],
        "penalties": [asdict(line) for line in now.penalties],
        "totals": list(now.totals),
        "leaders": list(now.leaders),
    }
    return scores if now.current is not None else {**scores, "winners": list(now.winners)}


def _confirmed(done: FinishedRound, confirms: Sequence[ConfirmEntry]) -> list[Document]:
    return [{"seats": list(each.team), "seat": each.seat, "seq": each.seq} for each in confirmations(done, confirms)]


def _pending(ledger: Ledger, pending: PendingCorrection) -> Document:
    return {
        "seq": pending.entry.seq,
        "rounds": [
            {
                "number": done.number,
                "points": list(done.score.points),
                "confirmed": _confirmed(done, pending.confirms),
            }
            for done in pending.rounds
        ],
        "changes": [asdict(each) for each in standing_changes(ledger.state, pending.corrected.state)],
    }


@lru_cache(maxsize=512)
def _legal(action: Action | Template) -> Document:
    # Cached: the spaces of a board are offered many times.
    if isinstance(action, Template):
        return {"type": action.kind, "bounds": dict(action.bounds)}
    return to_json(action)

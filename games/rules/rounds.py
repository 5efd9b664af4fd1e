"""A round as everyone sees it, while it is played and on the sheet (RULES.md section 3).

Must not know: which cards a hand holds, whether an action is allowed.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

from games.rules.board import Board, Conditions
from games.rules.cards import Card
from games.rules.scoring import RoundScore, Won
from games.rules.teams import Teams
from games.rules.tricks import TrickRules


class Phase(StrEnum):
    """The phases of a round.  A physical table deals, discards and passes without the app."""

    DEALING = "dealing"
    PLACING = "placing"
    TEAMS = "teams"
    DISCARDING = "discarding"
    PASSING = "passing"
    TRICKS = "tricks"
    FINISHED = "finished"


@dataclass(frozen=True, slots=True)
class Trick:
    """A complete trick.  `cards`, in playing order, are known in digital play only."""

    leader: int
    winner: int
    captured: int
    cards: tuple[Card, ...] | None = None


@dataclass(frozen=True, slots=True)
class Round:
    """The round that is being played.

    In digital play also: `hand_sizes[seat]` (empty before the deal), `chosen` (the seats whose discard or pass lies
    face down), `exchanged` (all discards or passes are done), `table` (the open trick, from the leader on).
    """

    number: int
    dealer: int
    board: Board
    conditions: Conditions | None = None
    teams: Teams | None = None
    tricks: tuple[Trick, ...] = ()
    hand_sizes: tuple[int, ...] = ()
    chosen: tuple[int, ...] = ()
    exchanged: bool = False
    table: tuple[Card, ...] = ()

    def won(self, players: int) -> tuple[Won, ...]:
        """What each seat has won in the tricks recorded so far."""
        counts = [Won()] * players
        for trick in self.tricks:
            counts[trick.winner] = counts[trick.winner].plus(tricks=1, captured=trick.captured)
        return tuple(counts)

    @property
    def leader(self) -> int | None:
        """The seat that leads the next trick, None before the board is settled."""
        if self.tricks:
            return self.tricks[-1].winner
        return None if self.conditions is None else self.conditions.first_leader


@dataclass(frozen=True, slots=True)
class FinishedRound:
    """A round on the sheet.  `tricks` is empty where only a tally was recorded; `claimed`: who was granted the rest."""

    number: int
    dealer: int
    board: Board
    conditions: Conditions
    teams: Teams
    tricks: tuple[Trick, ...]
    won: tuple[Won, ...]
    score: RoundScore
    claimed: int | None = None


@dataclass(frozen=True, slots=True)
class PenaltyLine:
    """A penalty on the sheet.  It stands after `after_round` complete rounds."""

    seat: int
    points: int
    reason: str
    after_round: int


# --- cards that are dealt, chosen and played ---


def with_choice(current: Round, seat: int, *, leaves: int) -> Round:
    """The round with one more choice lying face down; with the last one they all take effect.

    `leaves`: how many cards leave each hand and the round then (none where cards are passed on).
    """
    chosen = tuple(sorted((*current.chosen, seat)))
    if len(chosen) < len(current.hand_sizes):
        return replace(current, chosen=chosen)
    return replace(current, chosen=(), exchanged=True, hand_sizes=tuple(size - leaves for size in current.hand_sizes))


def with_card(current: Round, card: Card, rules: TrickRules) -> Round:
    """The round with one more card on the table; the last card of a trick gives it to its winner."""
    leader, players = current.leader, len(current.hand_sizes)
    assert leader is not None, "tricks follow the settled board"
    assert current.teams is not None, "tricks follow the named teams"
    seat = (leader + len(current.table)) % players
    sizes = (*current.hand_sizes[:seat], current.hand_sizes[seat] - 1, *current.hand_sizes[seat + 1 :])
    table = (*current.table, card)
    if len(table) < players:
        return replace(current, hand_sizes=sizes, table=table)
    winner, captured = rules.taken(table, leader=leader, teams=current.teams)
    trick = Trick(leader, winner, captured, table)
    return replace(current, hand_sizes=sizes, table=(), tricks=(*current.tricks, trick))

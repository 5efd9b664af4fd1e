"""The result of a round, spelled out as the rulebook does, and the standings.

Knows: how a score is told.  Must not know: markup; how it is computed.
"""

from __future__ import annotations

from dataclasses import dataclass

from games.pages.parts.players import ConditionView, Player, condition_views, players_of
from games.rules import FinishedRound, PublicState, TeamScore
from games.rules.scoring import MemberLine, signed
from games.texts import words


@dataclass(frozen=True)
class TeamResult:
    """A team's score of a round, spelled out."""

    players: list[Player]
    words: list[str]
    formula: str
    total: str
    is_better: bool


@dataclass(frozen=True)
class StandingLine:
    """A player's place on the sheet."""

    player: Player
    rank: int
    total: str
    gained: str
    is_leader: bool


@dataclass(frozen=True)
class RoundResult:
    """A finished round, spelled out as the rulebook does."""

    number: int
    conditions: list[ConditionView]
    teams: list[TeamResult]
    difference: str


def round_result(state: PublicState, done: FinishedRound) -> RoundResult:
    """The result of a round."""
    own, other = done.score.own, done.score.other
    best = max(own.total, other.total)
    return RoundResult(
        number=done.number,
        conditions=condition_views(state, done),
        teams=[_team_result(state, score, is_better=score.total == best) for score in (own, other)],
        difference=done.score.difference_formula if done.score.points != done.score.raw else "",
    )


def _team_result(state: PublicState, score: TeamScore, *, is_better: bool) -> TeamResult:
    players = players_of(state.setup)
    members: tuple[MemberLine, ...] = score.members
    return TeamResult(
        players=[players[member.seat] for member in members],
        words=words.team_words(score, state.setup),
        formula=score.formula,
        total=signed(score.total),
        is_better=is_better,
    )


def standings(state: PublicState) -> list[StandingLine]:
    """The players from the first place on, with what the last round brought."""
    last = state.finished[-1].score.points if state.finished else (0,) * state.players
    lines = [
        StandingLine(
            player=player,
            rank=state.ranks[player.seat],
            total=signed(state.totals[player.seat]),
            gained=f"+{last[player.seat]}" if last[player.seat] >= 0 else signed(last[player.seat]),
            is_leader=player.seat in state.leaders,
        )
        for player in players_of(state.setup)
    ]
    return sorted(lines, key=lambda line: (line.rank, line.player.seat))

"""The result of a round, spelled out as the rulebook does, and the standings."""

from __future__ import annotations

from dataclasses import dataclass, field

from django.utils.translation import gettext as _

from games.pages.parts.announcement import victory
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
    """A player's line in the standings."""

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


@dataclass(frozen=True)
class ResultView:
    """What a page shows of a finished round or game.  A part that the page does not show is empty.

    `round`: the last round, spelled out; `granted`: who was granted its remaining tricks; `needs`: before the last
    round what each player needs.
    """

    round: RoundResult | None = None
    standings: list[StandingLine] = field(default_factory=list)
    winners: list[Player] = field(default_factory=list)
    victory: str = ""
    finished_early: bool = False
    granted: str = ""
    needs: list[str] = field(default_factory=list)


def result_view(state: PublicState, done: FinishedRound | None, *, needs: list[str] | None = None) -> ResultView:
    """The result of a round that a page shows (None: of no round), and of the game if it is over."""
    players = players_of(state.setup)
    granted = done.claimed if done is not None else None
    return ResultView(
        round=round_result(state, done) if done is not None else None,
        standings=standings(state) if done is not None else [],
        winners=[players[seat] for seat in state.winners],
        victory=victory(state),
        finished_early=state.current is None and len(state.finished) < state.ruleset.options.rounds,
        granted=""
        if granted is None
        else _("The remaining tricks were granted to {name}.").format(name=players[granted].name),
        needs=needs or [],
    )


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

"""The result of a round, spelled out as the rulebook does, and the standings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from django.utils.translation import gettext as _

from games.log.ledger import Ledger
from games.pages.parts.announcement import victory
from games.pages.parts.players import ConditionView, Player, condition_views, players_of
from games.rules import AddPenalty, FinishedRound, PublicState
from games.rules.scoring import MemberLine, leaders, ranks, signed
from games.texts import words

NO_PENALTIES: Mapping[int, int] = MappingProxyType({})


@dataclass(frozen=True)
class TeamResult:
    """A team's score of a round, spelled out.

    `side`: whose it is, for a reader who plays; `members`: each player, what they scored, and the same in words;
    `points`: what is written on the sheet; `is_marked`: the reader's team, or without a reader the better one.
    """

    name: str
    side: str
    members: list[tuple[Player, MemberLine, str]]
    formula: str
    points: str
    is_marked: bool


@dataclass(frozen=True)
class StandingLine:
    """A player's line in the standings.

    Before any points are counted, `rank` is 0 and `gained` is empty.  `penalty`: what was taken or given since the last
    round began; `moved`: the places that the player rose by all that; `fell`: those that they fell.
    """

    player: Player
    rank: int
    total: str
    gained: str
    moved: int
    is_leader: bool
    penalty: str = ""

    @property
    def fell(self) -> int:
        """The places that the player fell."""
        return -self.moved


@dataclass(frozen=True)
class RoundResult:
    """A finished round, spelled out as the rulebook does.  `captured`: what stands on a card that can be captured."""

    number: int
    conditions: list[ConditionView]
    teams: list[TeamResult]
    difference: str
    captured: str


@dataclass(frozen=True)
class ResultView:
    """What a page shows of a finished round or game.  A part that the page does not show is empty.

    `round`: the last round, spelled out; `margin`: how the game was won; `granted`: who was granted its remaining
    tricks; `needs`: before the last round what the players need, a line for the seats with the same total.
    """

    round: RoundResult | None = None
    standings: list[StandingLine] = field(default_factory=list)
    winners: list[Player] = field(default_factory=list)
    victory: str = ""
    margin: str = ""
    finished_early: str = ""
    granted: str = ""
    needs: list[tuple[list[int], str]] = field(default_factory=list)


def result_view(
    state: PublicState,
    done: FinishedRound | None,
    *,
    needs: list[tuple[list[int], str]] | None = None,
    reader: int | None = None,
    penalties: Mapping[int, int] = NO_PENALTIES,
) -> ResultView:
    """The result of a round that a page shows (None: of no round), and of the game if it is over.

    `reader`: the seat whose team is the first one; that of the start player if it is None.  `penalties`: as for
    `standings`.
    """
    players = players_of(state.setup)
    granted = done.claimed if done is not None else None
    return ResultView(
        round=round_result(state, done, reader=reader) if done is not None else None,
        standings=standings(state, penalties) if done is not None else [],
        winners=[players[seat] for seat in state.winners],
        victory=victory(state, with_total=True),
        margin=_margin(state),
        finished_early=words.finished_early(state),
        granted=""
        if granted is None
        else _("The remaining tricks were granted to {name}.").format(name=players[granted].name),
        needs=needs or [],
    )


def round_result(state: PublicState, done: FinishedRound, *, reader: int | None = None) -> RoundResult:
    """The result of a round."""
    players, score = players_of(state.setup), done.score
    teams = []
    is_other = any(member.seat == reader for member in score.other.members)
    for team in (score.other, score.own) if is_other else (score.own, score.other):
        seats = [member.seat for member in team.members]
        others = {3: _("The other three"), 4: _("The other four")} if team is score.other else {}
        teams.append(
            TeamResult(
                name=others.get(len(seats)) or words.listing([players[seat].name for seat in seats]),
                side="" if reader is None or state.players == 2 else words.side(is_ours=reader in seats),
                members=[
                    (players[member.seat], member, line)
                    for member, line in zip(team.members, words.team_words(team, state.setup), strict=True)
                ],
                formula=words.in_lines(team.formula),
                points=words.change(score.points[seats[0]]),
                is_marked=team.total == max(score.own.total, score.other.total) if reader is None else reader in seats,
            )
        )
    return RoundResult(
        number=done.number,
        conditions=condition_views(state, done),
        teams=teams,
        difference=score.difference_formula if score.points != score.raw else "",
        captured=words.capturable(state.ruleset),
    )


def penalties_since_last_round(ledger: Ledger) -> dict[int, int]:
    """What penalties changed since the last complete round began, by seat: the sheet before it has none of them."""
    sums: dict[int, int] = {}
    has_begun = False
    for step in ledger.replay.applied:
        if not isinstance(step.action, AddPenalty):
            has_begun = has_begun or step.round_number == len(ledger.state.finished)
        elif has_begun:
            sums[step.action.seat] = sums.get(step.action.seat, 0) + step.action.points
    return sums


def standings(state: PublicState, penalties: Mapping[int, int] = NO_PENALTIES) -> list[StandingLine]:
    """The players from the first place on, with their points of the last round, and `penalties` since it began."""
    last = state.points_by_round[-1] if state.rounds_on_sheet else (0,) * state.players
    before = ranks(
        [
            total - points - penalties.get(seat, 0)
            for seat, (total, points) in enumerate(zip(state.totals, last, strict=True))
        ]
    )
    lines = [
        StandingLine(
            player=player,
            rank=state.ranks[player.seat] if state.leaders else 0,
            total=signed(state.totals[player.seat]),
            gained=words.change(last[player.seat]) if state.rounds_on_sheet else "",
            moved=before[player.seat] - state.ranks[player.seat] if state.rounds_on_sheet > 1 else 0,
            is_leader=player.seat in state.leaders,
            penalty=words.change(penalties[player.seat]) if penalties.get(player.seat) else "",
        )
        for player in players_of(state.setup)
    ]
    return sorted(lines, key=lambda line: (line.rank, line.player.seat))


def running_totals(state: PublicState) -> list[tuple[int, ...]]:
    """The totals before the first round and after each; penalties count with the round before them."""
    lines = [(0,) * state.players]
    for index, line in enumerate(state.points_by_round, start=1):
        sums = [before + points for before, points in zip(lines[-1], line, strict=True)]
        for penalty in state.penalties:
            if max(penalty.after_round, 1) == index:
                sums[penalty.seat] += penalty.points
        lines.append(tuple(sums))
    return lines


def _margin(state: PublicState) -> str:
    """How a game was won, in one sentence: by how much, and since when; empty if nothing was won."""
    winners = state.winners
    behind = [total for total in state.totals if total < max(state.totals)]
    if not behind or not winners:
        return ""
    totals = running_totals(state)
    second = [name for name, total in zip(state.setup.names, state.totals, strict=True) if total == max(behind)]
    since = len(totals)
    while since > 1 and leaders(totals[since - 1]) == winners:
        since -= 1
    if len(totals) < 3:
        sentence = _("{count} ahead of {names}.")
    elif since == 1:
        sentence = _("{count} ahead of {names}, in the lead from the first round on.")
    elif since < len(totals) - 1:
        sentence = _("{count} ahead of {names}, in the lead since round {round}.")
    elif len(winners) == 1 and set(winners) < set(leaders(totals[since - 1])):
        sentence = _("{count} ahead of {names}, alone in the lead only at the end.")
    else:
        sentence = _("{count} ahead of {names}, in the lead only at the end.")
    return sentence.format(count=max(state.totals) - max(behind), names=words.listing(second), round=since)

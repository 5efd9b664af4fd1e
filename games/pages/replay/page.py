"""A game once more, step by step: the table as it was after each action that counts.

Knows: what a step shows, which steps can be gone to.  Must not know: markup, requests, keys; how a log is folded, nor
which cards its reader may see: a digital game's hands are shown where the ledger has them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from django.utils.translation import gettext as _

from games.log.ledger import Ledger
from games.pages.parts.board import RowView, SpaceView, TurnView, board_rows, turn_view
from games.pages.parts.cards import TrickView
from games.pages.parts.counting import CountView, count_view
from games.pages.parts.players import ConditionView, Player, TeamView, condition_views, players_of, team_views
from games.pages.parts.standings import RoundResult, StandingLine, round_result, standings
from games.pages.replay.hands import DealSeal, HandView, TrickLink, deal_seal, hand_views, trick_links, tricks_shown
from games.pages.table.page import announcement, discard_duty, whose_card
from games.rules import (
    AddPenalty,
    Claim,
    Discard,
    EnterConditions,
    FinishedRound,
    NameTeam,
    Pass,
    Phase,
    Place,
    Play,
    PublicState,
    RecordTrick,
    Round,
    VoidRound,
)
from games.rules.full import FullState
from games.rules.replay import Step
from games.texts import words
from games.texts.entries import describe_step


@dataclass(frozen=True)
class StepLink:
    """A step of the round that is shown, in one line."""

    number: int
    text: str
    is_shown: bool


@dataclass(frozen=True)
class RoundLink:
    """The first step of a round."""

    number: int
    step: int
    is_shown: bool


@dataclass(frozen=True)
class ReplayPage:
    """The table after `step` actions of `last`.  Empty are the parts that the moment does not have.

    `latest`: the space that was covered in this step, one of those in `rows`.  Of a digital game: `hands` as far as
    they may be seen, the trick on the table (or just won) and the one before it, the seal of the round's deal.
    """

    step: int
    last: int
    round_number: int
    rounds: int
    dealer: Player | None
    who: Player | None
    happened: str
    following: str
    victory: str
    winners: list[Player]
    rows: list[RowView]
    latest: SpaceView | None
    turn: TurnView | None
    conditions: list[ConditionView]
    teams: list[TeamView]
    duty: str
    count: CountView | None
    result: RoundResult | None
    standings: list[StandingLine]
    round_links: list[RoundLink]
    step_links: list[StepLink]
    super_rank: str
    monster_word: str
    digital: bool
    hands: list[HandView]
    trick: TrickView | None
    last_trick: TrickView | None
    trick_links: list[TrickLink]
    seal: DealSeal | None

    @property
    def step_before(self) -> int | None:
        """Where “back” leads, None at the beginning."""
        return self.step - 1 if self.step else None

    @property
    def step_after(self) -> int | None:
        """Where “next” leads, None at the end."""
        return self.step + 1 if self.step < self.last else None


def last_step(ledger: Ledger) -> int:
    """The number of the last step; 0 is the table before the first."""
    return len(ledger.replay.applied)


def replay_page(ledger: Ledger, number: int) -> ReplayPage:
    """The table after the first `number` actions that count, 0 to `last_step`."""
    applied = ledger.replay.applied
    step = applied[number - 1] if number else None
    after = applied[number].before if number < len(applied) else ledger.state
    # A round that was voided is looked at once more, and not the empty board that came after it.
    seen = step.before if step is not None and isinstance(step.action, VoidRound) else after
    done = after.finished[-1] if step is not None and len(after.finished) > len(step.before.finished) else None
    current = seen.current if done is None else None
    on_board = current is not None and _is_about_the_board(current, step)
    players = players_of(seen.setup)
    rows = board_rows(seen, current) if current is not None and on_board else []
    round_number = step.round_number if step is not None else 1
    counted = seen if current is not None and not on_board else None
    trick, last_trick = tricks_shown(step, done or current, players)
    return ReplayPage(
        step=number,
        last=len(applied),
        round_number=round_number,
        rounds=seen.ruleset.options.rounds,
        dealer=players[seen.setup.dealer_of(round_number)] if after.current is not None else None,
        who=_who(step, players),
        happened=describe_step(step, seen.setup) if step is not None else _("The game begins"),
        following=_following(after, round_number),
        victory=announcement(after) if after.current is None else "",
        winners=[players[seat] for seat in after.winners],
        rows=rows,
        latest=_latest(step, rows),
        turn=turn_view(seen) if on_board else None,
        conditions=condition_views(seen, current) if current is not None and not on_board else [],
        teams=team_views(seen, current) if current is not None and not on_board else [],
        duty=discard_duty(counted) if counted is not None else "",
        count=count_view(counted) if counted is not None else None,
        result=round_result(after, done) if done is not None else None,
        standings=_standings(after, done),
        round_links=_round_links(applied, round_number),
        step_links=_step_links(applied, round_number, number),
        super_rank=words.capturable(seen.ruleset),
        monster_word=words.monster_word(seen.ruleset),
        digital=ledger.digital,
        hands=hand_views(_full(ledger, number, done), players),
        trick=trick,
        last_trick=last_trick,
        trick_links=trick_links(applied, round_number, number),
        seal=deal_seal(applied, round_number),
    )


def _full(ledger: Ledger, number: int, done: FinishedRound | None) -> FullState | None:
    """The state with every hand after a step, where the ledger has it."""
    applied = ledger.replay.applied
    if done is not None and done.claimed is not None:
        # Whoever was granted the rest had still cards to show.
        return applied[number - 1].full
    return applied[number].full if number < len(applied) else ledger.replay.full


def _is_about_the_board(current: Round, step: Step | None) -> bool:
    # With two players the teams are there with the last marker: the board is shown all the same.
    return current.teams is None or (step is not None and isinstance(step.action, Place | EnterConditions))


def _latest(step: Step | None, rows: list[RowView]) -> SpaceView | None:
    if step is None or not isinstance(step.action, Place):
        return None
    key, covered = step.action.row.value, step.action.space
    return next((space for row in rows if row.key == key for space in row.spaces if space.space == covered), None)


def _who(step: Step | None, players: list[Player]) -> Player | None:
    """Whose doing it was, or who won the trick; nobody where the whole table is meant."""
    match step:
        case Step(action=Place() | Discard() | Pass() | Play(), seat=int(seat)) | Step(action=Claim(seat=seat)):
            return players[seat]
        case Step(action=NameTeam(start=start), seat=int(seat)):
            return players[seat if start is None else start]
        case Step(action=RecordTrick(winner=seat)) | Step(action=AddPenalty(seat=seat)):
            return players[seat]
        case _:
            return None


def _following(after: PublicState, round_number: int) -> str:
    """Who is due then, nobody at the end."""
    current = after.current
    if current is None:
        return ""
    due = whose_card(after) if after.phase is Phase.TRICKS else announcement(after)
    if current.number == round_number:
        return due
    return _("Round {number}: {following}").format(number=current.number, following=due)


def _standings(after: PublicState, done: FinishedRound | None) -> list[StandingLine]:
    """The sheet so far, nothing while it is empty.  What a round brought stands there at its end only."""
    lines = standings(after) if after.leaders else []
    return lines if done is not None else [replace(line, gained="") for line in lines]


def _round_links(applied: tuple[Step, ...], shown: int) -> list[RoundLink]:
    first: dict[int, int] = {}
    for number, step in enumerate(applied, start=1):
        first.setdefault(step.round_number, number)
    return [RoundLink(of, number, of == shown) for of, number in first.items()]


def _step_links(applied: tuple[Step, ...], round_number: int, shown: int) -> list[StepLink]:
    """The steps of a round; those of the others are one tap further."""
    links = [
        StepLink(number, describe_step(step, step.before.setup), number == shown)
        for number, step in enumerate(applied, start=1)
        if step.round_number == round_number
    ]
    return [StepLink(0, _("The game begins"), shown == 0), *links] if round_number == 1 else links

"""The replay of a game, step by step: the table as it was after each action that counts.

A digital game's hands are shown where the ledger has them: this module does not decide which cards its reader may see.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from django.utils.translation import gettext as _

from games.analysis.decisions import Judged, Progress
from games.log.ledger import Ledger
from games.pages.parts.announcement import announcement, discard_duty, next_card
from games.pages.parts.board import RowView, SpaceView, space_of
from games.pages.parts.counting import count_view
from games.pages.parts.players import Player, players_of
from games.pages.parts.round import RoundView, round_view
from games.pages.parts.standings import ResultView, result_view, standings
from games.pages.parts.turning import noted_steps, verdict_of
from games.pages.replay.hands import (
    CardsShown,
    StepLink,
    deal_seal,
    hand_views,
    places_before_tricks,
    trick_links,
    trick_shown,
)
from games.rules import (
    AddPenalty,
    Card,
    Claim,
    Deal,
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
from games.texts.entries import describe_step, holder_changes


@dataclass(frozen=True)
class TurningView:
    """What the analysis of a seat says of a step, and the steps where the game turned.

    `seat`: whose decisions were judged; `verdict`: of the decision, empty if nothing was clearly better; `swung`: how
    the curve fell or rose then, `causes`: what explains it, both empty if it did not; `better`: the space that should
    have been covered, one of those in `round.rows`.
    """

    seat: int
    verdict: str
    swung: str
    causes: str
    better: SpaceView | None
    links: list[StepLink]
    step: int

    @property
    def headline(self) -> str:
        """What matters more here than the action of the step, empty if nothing does."""
        return "" if self.verdict else self.causes

    @property
    def back(self) -> int | None:
        """The nearest turning point before this step."""
        return max((link.step for link in self.links if link.step < self.step), default=None)

    @property
    def on(self) -> int | None:
        """The nearest turning point after this step."""
        return min((link.step for link in self.links if link.step > self.step), default=None)


@dataclass(frozen=True)
class ReplayPage:
    """The table after `step` actions, from `first` to `last`.  A part that the step does not have is empty.

    `seat`: whose knowledge is shown, None: all hands; `may_judge`: the decisions of the game can be judged.
    `turning`: None unless there are judged decisions to be named.
    `holders`: which seats changed their phones then; `latest`: the space that was covered in this step, one of those in
    `round.rows`.
    """

    step: int
    first: int
    last: int
    who: Player | None
    happened: str
    holders: list[str]
    following: str
    round: RoundView
    latest: SpaceView | None
    result: ResultView
    round_links: list[StepLink]
    step_links: list[StepLink]
    digital: bool
    cards: CardsShown
    turning: TurningView | None
    players: Sequence[Player]
    seat: int | None
    may_judge: bool

    @property
    def jump_back(self) -> int | None:
        """The nearest beginning of a trick or a round before this step."""
        return max((step for step in self._beginnings if step < self.step), default=None)

    @property
    def jump_on(self) -> int | None:
        """The nearest beginning of a trick or a round after this step."""
        return min((step for step in self._beginnings if step > self.step), default=None)

    @property
    def _beginnings(self) -> list[int]:
        return [link.step for link in (*self.round_links, *self.cards.trick_links)]

    @property
    def step_before(self) -> int | None:
        """Where “back” leads, None at the beginning."""
        return self.step - 1 if self.step > self.first else None

    @property
    def step_after(self) -> int | None:
        """Where “next” leads, None at the end."""
        return self.step + 1 if self.step < self.last else None


def first_step(ledger: Ledger) -> int:
    """The number of the first step: of a deal, before which there is nothing to see."""
    return int(any(isinstance(step.action, Deal) for step in ledger.replay.applied[:1]))


def last_step(ledger: Ledger) -> int:
    """The number of the last step; 0 is the table before the first."""
    return len(ledger.replay.applied)


def replay_page(
    ledger: Ledger, number: int, *, seat: int | None = None, judged: tuple[int, Progress] | None = None
) -> ReplayPage:
    """The table after the first `number` actions that count, 0 to `last_step`.

    `seat`: as this seat knew it; `judged`: the decisions that are named, and whose they were.
    """
    applied = ledger.replay.applied
    step = applied[number - 1] if number else None
    after = applied[number].before if number < len(applied) else ledger.state
    done = after.finished[-1] if step is not None and len(after.finished) > len(step.before.finished) else None
    round_number = step.round_number if step is not None else 1
    # A voided round is shown as it was, and not the empty board that came after it.
    seen = step.before if step is not None and isinstance(step.action, VoidRound) else after
    full, of = _full(ledger, number, done), done or seen.current
    # As at the table the first team is that of the seat that looks.
    own = None if ledger.view is None else ledger.view.seat
    us = next((each for each in (seat, judged and judged[0], own) if each is not None), None)
    shown = _round_shown(seen, step, round_number, ended=done is not None, over=after.current is None, us=us)
    players = players_of(seen.setup)
    said = None if judged is None or step is None else _judged_at(judged[1], step)
    trick = trick_shown(step, of, players, seen.ruleset, us=us)
    return ReplayPage(
        step=number,
        first=first_step(ledger),
        last=len(applied),
        who=_who(step, players),
        happened=describe_step(step, seen.setup) if step is not None else _("The game begins"),
        holders=_holders(ledger, number),
        following=_following(after, round_number),
        round=shown,
        latest=_latest(step, shown.rows),
        result=_result_shown(after, done, us),
        round_links=_round_links(applied, round_number),
        step_links=_step_links(ledger, round_number, number),
        digital=ledger.digital,
        cards=CardsShown(
            hands=hand_views(full, step, of, players, seat=seat, us=us, better=_cards(said), named=_named(said, step)),
            trick=trick,
            places=trick.places
            if trick is not None
            else places_before_tricks(step, of, full, players, seat=seat, us=us),
            trick_links=trick_links(applied, round_number, number),
            seal=deal_seal(applied, round_number),
        ),
        turning=None if judged is None else _turning(ledger, number, *judged, said, shown.rows),
        players=players,
        seat=seat,
        may_judge=ledger.digital and ledger.state.is_over,
    )


def _round_shown(
    seen: PublicState, step: Step | None, round_number: int, *, ended: bool, over: bool, us: int | None
) -> RoundView:
    """The round after a step: the board while it is about the board, then what is counted, and at its end nothing."""
    on_board = seen.current is not None and _is_about_the_board(seen.current, step)
    counts = seen.current is not None and not ended and not on_board
    shown = round_view(
        seen,
        shows_board=on_board and not ended,
        shows_agreed=counts,
        duty=discard_duty(seen) if counts else "",
        count=count_view(seen, reader=us) if counts else None,
    )
    dealer = players_of(seen.setup)[seen.setup.dealer_of(round_number)]
    return replace(shown, number=round_number, dealer=None if over else dealer)


def _result_shown(after: PublicState, done: FinishedRound | None, us: int | None) -> ResultView:
    """The sheet so far, empty before the first round.  The points of a round are shown only at its end."""
    lines = standings(after) if after.leaders else []
    return replace(
        result_view(after, done, reader=us),
        standings=lines if done is not None else [replace(line, gained="") for line in lines],
        granted="",
    )


def _full(ledger: Ledger, number: int, done: FinishedRound | None) -> FullState | None:
    """The state with every hand after a step, where the ledger has it."""
    applied = ledger.replay.applied
    if done is not None and done.claimed is not None:
        # The player who was granted the rest still held cards.
        return applied[number - 1].full
    return applied[number].full if number < len(applied) else ledger.replay.full


def _is_about_the_board(current: Round, step: Step | None) -> bool:
    # With two players the last marker also makes the teams: the board is shown.
    return current.teams is None or (step is not None and isinstance(step.action, Place | EnterConditions))


def _judged_at(judged: Progress, step: Step) -> Judged | None:
    """The decision of this step, if another one was clearly better."""
    return next((each for each in judged.judged if each.seq == step.key.seq and each.is_clear), None)


def _cards(judged: Judged | None) -> tuple[Card, ...]:
    """The cards that should have been played or given away."""
    match judged:
        case Judged(best=Play(card)):
            return (card,)
        case Judged(best=Discard(tuple() as cards) | Pass(tuple() as cards)):
            return cards
        case _:
            return ()


def _named(judged: Judged | None, step: Step | None) -> frozenset[int]:
    """The seats that should have been named, as partners or for the monster; of a player alone their own."""
    if judged is None or step is None or not isinstance(judged.best, NameTeam):
        return frozenset()
    seats = (*judged.best.partners, judged.best.monster) if judged.best.partners else (step.seat,)
    return frozenset(seat for seat in seats if seat is not None)


def _turning(
    ledger: Ledger, number: int, seat: int, judged: Progress, said: Judged | None, rows: list[RowView]
) -> TurningView:
    noted = noted_steps(ledger, seat, judged)
    here = next((each for each in noted if each.step == number), None)
    return TurningView(
        seat=seat,
        verdict="" if said is None else verdict_of(said, ledger.state.setup),
        swung="" if here is None else here.swung,
        causes="" if here is None else here.causes,
        better=None if said is None else space_of(said.best, rows),
        links=[StepLink(each.number, each.step, each.step == number) for each in noted],
        step=number,
    )


def _latest(step: Step | None, rows: list[RowView]) -> SpaceView | None:
    return None if step is None else space_of(step.action, rows)


def _who(step: Step | None, players: Sequence[Player]) -> Player | None:
    """The player who acted, or who won the trick; None if no single player did."""
    match step:
        case Step(action=Place() | Discard() | Pass() | Play(), seat=int(seat)) | Step(action=Claim(seat=seat)):
            return players[seat]
        case Step(action=NameTeam(start=start), seat=int(seat)):
            return players[seat if start is None else start]
        case Step(action=RecordTrick(winner=seat)) | Step(action=AddPenalty(seat=seat)):
            return players[seat]
        case _:
            return None


def _holders(ledger: Ledger, number: int) -> list[str]:
    """The changes of the seats' holders between a step and the next one."""
    applied = ledger.replay.applied
    after = applied[number - 1].key.seq if number else 0
    until = applied[number].key.seq - 1 if number < len(applied) else ledger.version
    return holder_changes(ledger, after=after, until=until)


def _following(after: PublicState, round_number: int) -> str:
    """Who is due next, empty at the end."""
    current = after.current
    if current is None:
        return ""
    due = next_card(after) if after.phase is Phase.TRICKS else announcement(after)
    if current.number == round_number:
        return due
    return _("Round {number}: {following}").format(number=current.number, following=due)


def _round_links(applied: tuple[Step, ...], shown: int) -> list[StepLink]:
    first: dict[int, int] = {}
    for number, step in enumerate(applied, start=1):
        first.setdefault(step.round_number, number)
    return [StepLink(of, number, of == shown) for of, number in first.items()]


def _step_links(ledger: Ledger, round_number: int, shown: int) -> list[StepLink]:
    """The steps of a round; other rounds are one tap away."""
    links = [
        StepLink(number, number, number == shown, describe_step(step, step.before.setup), _holders(ledger, number))
        for number, step in enumerate(ledger.replay.applied, start=1)
        if step.round_number == round_number
    ]
    begins = round_number == 1 and first_step(ledger) == 0
    return [StepLink(0, 0, shown == 0, _("The game begins")), *links] if begins else links

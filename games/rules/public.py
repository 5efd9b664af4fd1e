"""What everyone at the table can see, and how an action changes it (RULES.md section 3).

Must not know: hands, who asks.  No field here can hold a secret: of cards that are dealt, discarded or passed, a state
keeps the number alone, so the log with those cards hidden gives the same states.

A state never changes: `apply` returns a new one or raises an `IllegalAction`.  `legal_actions` lists what `apply`
accepts; where figures are free (a tally, a reason) it lists a `Template` with the bounds.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import assert_never

from games.rules import scoring
from games.rules.actions import (
    Action,
    AddPenalty,
    Cards,
    Claim,
    Deal,
    Discard,
    EnterConditions,
    Finish,
    NameTeam,
    Pass,
    Place,
    Play,
    RecordTally,
    RecordTrick,
    VoidRound,
    count,
)
from games.rules.board import Board
from games.rules.errors import (
    AlreadyChosen,
    CapturedSumTooLarge,
    CapturedSumTooSmall,
    DigitalOnly,
    GameOver,
    NegativeCount,
    NothingToFinish,
    NotYourTurn,
    PenaltyOutOfRange,
    ReasonMissing,
    ReasonTooLong,
    SeatMissing,
    StartNotFree,
    TableOnly,
    TooManyCaptured,
    UnknownSeat,
    WrongCardCount,
    WrongDeal,
    WrongPhase,
)
from games.rules.options import DiscardTiming
from games.rules.rounds import FinishedRound, PenaltyLine, Phase, Round, Trick, with_card, with_choice
from games.rules.ruleset import Ruleset
from games.rules.scoring import TallyBounds, Won
from games.rules.setup import Setup
from games.rules.teams import Teams, choices
from games.rules.text import clean_line
from games.rules.tricks import TrickRules

LARGEST_PENALTY = 999
LONGEST_REASON = 200


@dataclass(frozen=True, slots=True)
class Template:
    """An action whose figures are free within `bounds` (plain JSON values)."""

    kind: str
    bounds: Mapping[str, object] = field(hash=False)


@dataclass(frozen=True, slots=True)
class PublicState:
    """The table, as everyone sees it.  `current` is None once the game is finished."""

    setup: Setup
    current: Round | None
    finished: tuple[FinishedRound, ...] = ()
    penalties: tuple[PenaltyLine, ...] = ()

    @classmethod
    def start(cls, setup: Setup) -> PublicState:
        """The state before the first action: that of a game from paper is its end."""
        return cls(setup, None if setup.paper else _fresh_round(setup, 1))

    @property
    def ruleset(self) -> Ruleset:
        """The rules of this game."""
        return self.setup.ruleset

    @property
    def players(self) -> int:
        """How many players there are."""
        return self.setup.ruleset.players

    @property
    def is_over(self) -> bool:
        """Whether the game is finished."""
        return self.current is None

    @property
    def is_complete(self) -> bool:
        """Whether the rounds of the game are played, or a total has reached its target (RULES.md section 3.6)."""
        target = self.ruleset.options.target
        return len(self.finished) >= self.ruleset.options.rounds or (target is not None and max(self.totals) >= target)

    @property
    def phase(self) -> Phase:
        """The phase of the game."""
        current = self.current
        if current is None:
            return Phase.FINISHED
        if self.setup.digital and not current.hand_sizes:
            return Phase.DEALING
        if current.conditions is None:
            return Phase.PLACING
        early = self.ruleset.options.discard_timing is DiscardTiming.BEFORE_TEAMS
        if self._cards_to_choose and not current.exchanged and (early or current.teams is not None):
            return Phase.PASSING if current.conditions.exchange.to else Phase.DISCARDING
        return Phase.TEAMS if current.teams is None else Phase.TRICKS

    @property
    def _cards_to_choose(self) -> int:
        """How many cards each player discards or passes in this round of a digital game."""
        if not self.setup.digital or self.current is None or self.current.conditions is None:
            return 0
        return self.current.conditions.exchange.cards

    @property
    def first_placer(self) -> int | None:
        """The seat that places the first marker of the current round."""
        return None if self.current is None else self.ruleset.first_placer(self.current.dealer)

    @property
    def acting_seats(self) -> tuple[int, ...]:
        """The seats that are due: none while tricks are counted at a physical table, and none for a deal."""
        match self.phase:
            case Phase.PLACING:
                return (self._placer(self._round()),)
            case Phase.TEAMS:
                conditions = self._round().conditions
                return () if conditions is None else (conditions.start,)
            case Phase.DISCARDING | Phase.PASSING:
                chosen = self._round().chosen
                return tuple(seat for seat in range(self.players) if seat not in chosen)
            case Phase.TRICKS if self.setup.digital:
                return (self._player(self._round()),)
            case Phase.TRICKS | Phase.DEALING | Phase.FINISHED:
                return ()
        assert_never(self.phase)

    @property
    def markers_left(self) -> tuple[int, ...]:
        """How many markers each seat still has to place in this round."""
        if self.current is None or self.phase is not Phase.PLACING:
            return (0,) * self.players
        first, placed = self.ruleset.first_placer(self.current.dealer), self.current.board.markers
        each, rest = divmod(placed, self.players)
        total = self.ruleset.markers(first_placer=first)
        return tuple(total[seat] - each - ((seat - first) % self.players < rest) for seat in range(self.players))

    @property
    def tally_bounds(self) -> TallyBounds | None:
        """What the figures of the current round can be, None before the teams are named."""
        current = self.current
        if current is None or current.conditions is None or current.teams is None:
            return None
        return TallyBounds.of(self.ruleset, current.teams, discard=current.conditions.discard)

    @property
    def points_by_round(self) -> tuple[tuple[int, ...], ...]:
        """The lines of the sheet without penalties, by seat; of a game from paper perhaps its totals as one line."""
        return self.setup.paper.lines if self.setup.paper else tuple(done.score.points for done in self.finished)

    @property
    def totals(self) -> tuple[int, ...]:
        """The sheet's last line, by seat, from the rounds and penalties."""
        sums = [sum(points[seat] for points in self.points_by_round) for seat in range(self.players)]
        for penalty in self.penalties:
            sums[penalty.seat] += penalty.points
        return tuple(sums)

    @property
    def rounds_on_sheet(self) -> int:
        """How many complete rounds the sheet has."""
        return len(self.finished) if self.setup.paper is None else self.setup.paper.rounds

    @property
    def leaders(self) -> tuple[int, ...]:
        """The seats with the highest total, none before the first line of the sheet."""
        return scoring.leaders(self.totals) if self.finished or self.penalties or self.setup.paper else ()

    @property
    def winners(self) -> tuple[int, ...]:
        """The winner, or those who share the victory, once the game is over."""
        return scoring.leaders(self.totals) if self.is_over else ()

    @property
    def ranks(self) -> tuple[int, ...]:
        """Each seat's place, from 1 on."""
        return scoring.ranks(self.totals)

    def apply(self, action: Action, *, seat: int | None = None) -> PublicState:
        """The state after an action.

        `seat`: who acts; None at a physical table, where the scorekeeper acts for the player who is due.  It is needed
        where several are due at once.
        Errors: an `IllegalAction` for each rule; `MissingField` for a quick entry without a row.
        """
        current = self.current
        if current is None:
            raise GameOver()
        self._demand_mode(action)
        match action:
            # Nearly all actions are one of these two.
            case Place():
                return self._place(current, action, seat)
            case Play():
                return self._play(current, action, seat)
            case Deal(hands):
                return self._deal(current, action, hands)
            case Discard(cards) | Pass(cards):
                return self._choose(current, action, cards, seat)
            case Claim():
                return self._claim(current, action)
            case EnterConditions():
                return self._enter_conditions(current, action)
            case NameTeam():
                return self._name_team(current, action, seat)
            case RecordTrick():
                return self._record_trick(current, action)
            case RecordTally():
                return self._record_tally(current, action)
            case VoidRound(reason):
                _check_reason(reason)
                return self._with(_fresh_round(self.setup, current.number))
            case AddPenalty():
                return self._add_penalty(action)
            case Finish():
                return self._finish()
        assert_never(action)

    def legal_actions(self) -> tuple[Action | Template, ...]:
        """Everything that the table may do now; complete, but for the free figures of the templates.

        In digital play only the actions that need no card: `FullState.legal_actions` has the others.
        """
        match self.phase:
            case Phase.FINISHED:
                return ()
            case Phase.PLACING:
                board = self._round().board
                places = tuple(Place(row, space) for row, space in board.coverable())
                if self.setup.digital:
                    return places
                return (
                    *places,
                    Template("conditions", {row.key.value: list(row.open_spaces) for row in board.rows}),
                    *self._always_legal(),
                )
            case Phase.TEAMS:
                return (*self._legal_teams(), *self._always_legal())
            case Phase.TRICKS if not self.setup.digital:
                return (*self._legal_counts(), *self._always_legal())
            case Phase.TRICKS | Phase.DEALING | Phase.DISCARDING | Phase.PASSING:
                return ()
        assert_never(self.phase)

    def captures_of_next_trick(self, seat: int) -> tuple[int, int]:
        """The least and the most that a seat can capture in the next trick of the current round.

        Errors: `WrongPhase` before the teams are named.
        """
        bounds = self.tally_bounds
        if bounds is None:
            raise WrongPhase(action=RecordTrick.kind, phase=self.phase.value, needed=Phase.TRICKS.value)
        so_far = self._round().tricks
        return bounds.captures_of_next_trick(
            seat=seat, tricks_so_far=len(so_far), captured_so_far=sum(trick.captured for trick in so_far)
        )

    # --- cards ---

    def _deal(self, current: Round, action: Deal, hands: tuple[Cards, ...]) -> PublicState:
        self._demand(Phase.DEALING, action)
        sizes = tuple(count(hand) for hand in hands)
        if sizes != (self.ruleset.dealt,) * self.players:
            raise WrongDeal()
        return self._with(replace(current, hand_sizes=sizes))

    def _choose(self, current: Round, action: Discard | Pass, cards: Cards, seat: int | None) -> PublicState:
        self._demand(Phase.PASSING if isinstance(action, Pass) else Phase.DISCARDING, action)
        assert current.conditions is not None, "cards are chosen after the settled board"
        acting = self.acting_seats
        if seat is None:
            if len(acting) > 1:
                raise SeatMissing()
            seat = acting[0]
        if not 0 <= seat < self.players:
            raise UnknownSeat(seat=seat)
        if seat in current.chosen:
            raise AlreadyChosen(seat=seat)
        if count(cards) != self._cards_to_choose:
            raise WrongCardCount(count=count(cards), needed=self._cards_to_choose)
        return self._with(with_choice(current, seat, leaves=current.conditions.exchange.discarded))

    def _player(self, current: Round) -> int:
        """The seat that plays the next card."""
        assert current.leader is not None, "tricks follow the settled board"
        return (current.leader + len(current.table)) % self.players

    def _play(self, current: Round, action: Play, seat: int | None) -> PublicState:
        self._demand(Phase.TRICKS, action)
        player = self._player(current)
        if seat is not None and seat != player:
            raise NotYourTurn(seat=seat, acting=[player])
        assert current.conditions is not None, "tricks follow the settled board"
        following = with_card(current, action.card, TrickRules.of(self.ruleset, current.conditions))
        if any(following.hand_sizes):
            return self._with(following)
        return self._complete(following, following.won(self.players))

    def _claim(self, current: Round, action: Claim) -> PublicState:
        bounds = self._counting_bounds(action)
        if not 0 <= action.seat < self.players:
            raise UnknownSeat(seat=action.seat)
        left = max(current.hand_sizes)
        so_far = sum(trick.captured for trick in current.tricks)
        most = min(left * bounds.captured_per_trick[action.seat], bounds.captured_most - so_far)
        if not 0 <= action.captured <= most:
            raise TooManyCaptured(seat=action.seat, captured=action.captured, most=most)
        won = list(current.won(self.players))
        won[action.seat] = won[action.seat].plus(tricks=left, captured=action.captured)
        return self._complete(current, tuple(won), claimed=action.seat)

    # --- placing ---

    def _placer(self, current: Round) -> int:
        ruleset = self.setup.ruleset
        return (ruleset.first_placer(current.dealer) + current.board.markers) % ruleset.players

    def _place(self, current: Round, action: Place, seat: int | None) -> PublicState:
        self._demand(Phase.PLACING, action)
        placer = self._placer(current)
        if seat is not None and seat != placer:
            raise NotYourTurn(seat=seat, acting=[placer])
        return self._with_board(current, current.board.cover(action.row, action.space, placer))

    def _enter_conditions(self, current: Round, action: EnterConditions) -> PublicState:
        self._demand(Phase.PLACING, action)
        return self._with_board(current, current.board.settle(action.spaces))

    def _with_board(self, current: Round, board: Board) -> PublicState:
        if not board.is_settled:
            # Nothing else of the round has begun: in less time than by `replace`.
            return self._with(Round(current.number, current.dealer, board, hand_sizes=current.hand_sizes))
        conditions = board.conditions(start=self.ruleset.first_placer(current.dealer))
        assert conditions is not None, "the board is settled"
        teams = None
        if self.players == 2:
            teams = Teams.of(players=2, start=conditions.start, partners=(), monster=None)
        return self._with(replace(current, board=board, conditions=conditions, teams=teams))

    # --- teams ---

    def _name_team(self, current: Round, action: NameTeam, seat: int | None) -> PublicState:
        self._demand(Phase.TEAMS, action)
        conditions = current.conditions
        assert conditions is not None, "the phase teams follows the settled board"
        if seat is not None and seat != conditions.start:
            raise NotYourTurn(seat=seat, acting=[conditions.start])
        if action.start is not None:
            # Only a physical table can agree on another start player.
            if self.ruleset.options.start_row or (self.setup.digital and action.start != conditions.start):
                raise StartNotFree(start=conditions.start)
            if not 0 <= action.start < self.players:
                raise UnknownSeat(seat=action.start)
            conditions = replace(conditions, start=action.start)
        teams = Teams.of(players=self.players, start=conditions.start, partners=action.partners, monster=action.monster)
        return self._with(replace(current, conditions=conditions, teams=teams))

    def _legal_teams(self) -> tuple[NameTeam, ...]:
        current = self._round()
        assert current.conditions is not None, "the phase teams follows the settled board"
        settled = current.conditions.start
        free = not self.ruleset.options.start_row and not self.setup.digital
        starts = [settled, *(seat for seat in range(self.players) if free and seat != settled)]
        return tuple(
            NameTeam(
                partners=tuple(seat for seat in teams.own if seat != start),
                monster=teams.monster,
                start=None if start == settled else start,
            )
            for start in starts
            for teams in choices(players=self.players, start=start)
        )

    # --- counting ---

    def _counting_bounds(self, action: Action | type[Action]) -> TallyBounds:
        """What the figures of an action in the tricks can be."""
        self._demand(Phase.TRICKS, action)
        bounds = self.tally_bounds
        assert bounds is not None, "tricks follow the named teams"
        return bounds

    def _record_trick(self, current: Round, action: RecordTrick) -> PublicState:
        bounds = self._counting_bounds(action)
        if not 0 <= action.winner < self.players:
            raise UnknownSeat(seat=action.winner)
        if action.captured < 0:
            raise NegativeCount(captured=action.captured)
        if action.captured > bounds.captured_per_trick[action.winner]:
            raise TooManyCaptured(
                seat=action.winner, captured=action.captured, most=bounds.captured_per_trick[action.winner]
            )
        so_far = sum(trick.captured for trick in current.tricks)
        least, most = bounds.captures_of_next_trick(
            seat=action.winner, tricks_so_far=len(current.tricks), captured_so_far=so_far
        )
        if action.captured > most:
            raise CapturedSumTooLarge(sum=so_far + action.captured, most=bounds.captured_most)
        if action.captured < least:
            raise CapturedSumTooSmall(sum=so_far + action.captured, least=so_far + least)
        leader = current.leader
        assert leader is not None, "tricks follow the settled board"
        tricks = (*current.tricks, Trick(leader, action.winner, action.captured))
        counted = replace(current, tricks=tricks)
        if len(tricks) < bounds.tricks:
            return self._with(counted)
        return self._complete(counted, counted.won(self.players))

    def _record_tally(self, current: Round, action: RecordTally) -> PublicState:
        self._counting_bounds(action).check(action.tricks, action.captured)
        won = tuple(Won(*figures) for figures in zip(action.tricks, action.captured, strict=True))
        return self._complete(replace(current, tricks=()) if current.tricks else current, won)

    def _complete(self, current: Round, won: tuple[Won, ...], *, claimed: int | None = None) -> PublicState:
        assert current.conditions is not None, "tricks follow the settled board"
        assert current.teams is not None, "tricks follow the named teams"
        done = FinishedRound(
            number=current.number,
            dealer=current.dealer,
            board=current.board,
            conditions=current.conditions,
            teams=current.teams,
            tricks=current.tricks,
            won=won,
            score=scoring.score_round(
                teams=current.teams,
                points_per_trick=current.conditions.points,
                won=won,
                record=self.ruleset.options.score_record,
            ),
            claimed=claimed,
        )
        ended = PublicState(self.setup, None, (*self.finished, done), self.penalties)
        return ended if ended.is_complete else ended._with(_fresh_round(self.setup, current.number + 1))

    def _legal_counts(self) -> tuple[Template, ...]:
        bounds = self._counting_bounds(RecordTally)
        ranges = [self.captures_of_next_trick(seat) for seat in range(self.players)]
        winners = [seat for seat, (least, most) in enumerate(ranges) if least <= most]
        trick = {
            "winner": winners,
            "captured": [{"least": least, "most": most} for least, most in ranges],
        }
        tally = {
            "tricks": bounds.tricks,
            "captured_per_trick": list(bounds.captured_per_trick),
            "captured": {"least": bounds.captured_least, "most": bounds.captured_most},
        }
        return Template("trick", trick), Template("tally", tally)

    # --- at any time ---

    def _always_legal(self) -> tuple[Action | Template, ...]:
        if self.setup.digital:
            return ()
        seats = list(range(self.players))
        points = {"least": -LARGEST_PENALTY, "most": LARGEST_PENALTY, "not": [0]}
        reason = {"longest": LONGEST_REASON}
        lines = (
            Template("void_round", {"reason": reason}),
            Template("penalty", {"seat": seats, "points": points, "reason": reason}),
        )
        return (*lines, Finish()) if self.finished else lines

    def _add_penalty(self, action: AddPenalty) -> PublicState:
        if not 0 <= action.seat < self.players:
            raise UnknownSeat(seat=action.seat)
        if action.points == 0 or abs(action.points) > LARGEST_PENALTY:
            raise PenaltyOutOfRange(points=action.points, most=LARGEST_PENALTY)
        reason = _check_reason(action.reason)
        line = PenaltyLine(action.seat, action.points, reason, after_round=len(self.finished))
        return replace(self, penalties=(*self.penalties, line))

    def _finish(self) -> PublicState:
        if not self.finished:
            raise NothingToFinish()
        return self._with(None)

    def _with(self, current: Round | None) -> PublicState:
        """The game with another round: what nearly every action does, in less time than by `replace`."""
        return PublicState(self.setup, current, self.finished, self.penalties)

    def _round(self) -> Round:
        assert self.current is not None, "only a game that is not finished has a round"
        return self.current

    def _demand_mode(self, action: Action) -> None:
        """Refuse an action of the other mode."""
        if action.digital not in (None, self.setup.digital):
            raise _OF_ONE_MODE[action.digital](action=action.kind)

    def _demand(self, phase: Phase, action: Action | type[Action]) -> None:
        if self.phase is not phase:
            raise WrongPhase(action=action.kind, phase=self.phase.value, needed=phase.value)


_OF_ONE_MODE = {True: DigitalOnly, False: TableOnly}
"""The refusal of an action of digital games, and of physical tables, in the other mode."""


def _fresh_round(setup: Setup, number: int) -> Round:
    return Round(number=number, dealer=setup.dealer_of(number), board=Board.fresh(setup.ruleset))


def _check_reason(reason: str) -> str:
    cleaned = clean_line(reason)
    if not cleaned:
        raise ReasonMissing()
    if len(cleaned) > LONGEST_REASON:
        raise ReasonTooLong(most=LONGEST_REASON)
    return cleaned

"""A bijection of seats and one of suits, carried through everything that a game is made of."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from games.rules import (
    ENTRY,
    Action,
    AddPenalty,
    Card,
    Claim,
    Deal,
    Discard,
    EnterConditions,
    FinishedRound,
    Hidden,
    NameTeam,
    Pass,
    Place,
    Play,
    PublicState,
    RecordTally,
    RecordTrick,
    Round,
    RowKey,
    Setup,
    Suit,
    Teams,
)
from games.rules.actions import Cards
from games.rules.board import Board, Conditions, Row
from games.rules.cards import sort_hand
from games.rules.full import FullState
from games.rules.public import Trick
from games.rules.scoring import RoundScore, TeamScore


@dataclass(frozen=True)
class Renaming:
    """`seat` renames the seats, `suits` the suits; those that it does not name keep their names."""

    seat: Callable[[int], int]
    suits: dict[str, str]

    def space(self, row: RowKey, space: str) -> str:
        if row is RowKey.START:
            return str(self.seat(int(space)))
        return self.suits.get(space, space) if row in (RowKey.TRUMP, RowKey.SUPERTRUMP) else space

    def suit(self, suit: Suit | None) -> Suit | None:
        return None if suit is None else Suit(self.suits.get(suit, suit))

    def card(self, card: Card) -> Card:
        return Card.of(Suit(self.suits.get(card.suit, card.suit)), card.rank)

    def hand(self, cards: tuple[Card, ...]) -> tuple[Card, ...]:
        return sort_hand(map(self.card, cards))

    def hands(self, hands: tuple[tuple[Card, ...], ...]) -> tuple[tuple[Card, ...], ...]:
        return tuple(self.hand(hand) for hand in self.by_seat(hands))

    def in_order(self, cards: tuple[Card, ...]) -> tuple[Card, ...]:
        return tuple(map(self.card, cards))

    def seats(self, seats: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(sorted(self.seat(seat) for seat in seats))

    def by_seat(self, values: tuple) -> tuple:
        found = {self.seat(seat): value for seat, value in enumerate(values)}
        return tuple(found[seat] for seat in range(len(values)))

    def optional(self, seat: int | None) -> int | None:
        return None if seat is None else self.seat(seat)

    def action(self, action: Action) -> Action:
        match action:
            case Deal(hands):
                return Deal(tuple(self._dealt(hand) for hand in self.by_seat(hands)))
            case Discard(cards):
                return Discard(self._dealt(cards))
            case Pass(cards):
                return Pass(self._dealt(cards))
            case Play(card):
                return Play(self.card(card))
            case Claim(seat, captured):
                return Claim(self.seat(seat), captured)
            case Place(row, space):
                return Place(row, self.space(row, space))
            case EnterConditions():
                return EnterConditions(
                    **{"start": None, **{row.value: self.space(row, space) for row, space in action.spaces.items()}}
                )
            case NameTeam(partners, monster, start):
                return NameTeam(self.seats(partners), self.optional(monster), self.optional(start))
            case RecordTrick(winner, captured):
                return RecordTrick(self.seat(winner), captured)
            case RecordTally(tricks, captured):
                return RecordTally(self.by_seat(tricks), self.by_seat(captured))
            case AddPenalty(seat, points, reason):
                return AddPenalty(self.seat(seat), points, reason)
        return action

    def _dealt(self, cards: Cards) -> Cards:
        return cards if isinstance(cards, Hidden) else self.hand(cards)

    def setup(self, setup: Setup) -> Setup:
        return replace(setup, seats=self.by_seat(setup.seats), dealer=self.seat(setup.dealer))

    def row(self, row: Row) -> Row:
        marks = {
            self.space(row.key, space): mark if mark in (None, ENTRY) else self.seat(mark)
            for space, mark in zip(row.spaces, row.marks, strict=True)
        }
        return replace(row, marks=tuple(marks[space] for space in row.spaces))

    def board(self, board: Board) -> Board:
        return Board(tuple(self.row(row) for row in board.rows))

    def conditions(self, found: Conditions | None) -> Conditions | None:
        if found is None:
            return None
        return replace(
            found, start=self.seat(found.start), trump=self.suit(found.trump), supertrump=self.suit(found.supertrump)
        )

    def teams(self, teams: Teams | None) -> Teams | None:
        if teams is None:
            return None
        return Teams(self.seats(teams.own), self.seats(teams.other), self.optional(teams.monster))

    def tricks(self, tricks: tuple[Trick, ...]) -> tuple[Trick, ...]:
        return tuple(
            Trick(
                leader=self.seat(each.leader),
                winner=self.seat(each.winner),
                captured=each.captured,
                cards=each.cards and self.in_order(each.cards),
            )
            for each in tricks
        )

    def team_score(self, score: TeamScore) -> TeamScore:
        members = sorted((replace(each, seat=self.seat(each.seat)) for each in score.members), key=lambda m: m.seat)
        return replace(score, members=tuple(members))

    def score(self, score: RoundScore) -> RoundScore:
        return RoundScore(
            self.team_score(score.own),
            self.team_score(score.other),
            self.by_seat(score.raw),
            self.by_seat(score.points),
        )

    def finished(self, done: FinishedRound) -> FinishedRound:
        return FinishedRound(
            number=done.number,
            dealer=self.seat(done.dealer),
            board=self.board(done.board),
            conditions=self.conditions(done.conditions),
            teams=self.teams(done.teams),
            tricks=self.tricks(done.tricks),
            won=self.by_seat(done.won),
            score=self.score(done.score),
            claimed=self.optional(done.claimed),
        )

    def round(self, current: Round) -> Round:
        return Round(
            number=current.number,
            dealer=self.seat(current.dealer),
            board=self.board(current.board),
            conditions=self.conditions(current.conditions),
            teams=self.teams(current.teams),
            tricks=self.tricks(current.tricks),
            hand_sizes=self.by_seat(current.hand_sizes),
            chosen=self.seats(current.chosen),
            exchanged=current.exchanged,
            table=self.in_order(current.table),
        )

    def state(self, state: PublicState) -> PublicState:
        return PublicState(
            setup=self.setup(state.setup),
            current=state.current and self.round(state.current),
            finished=tuple(self.finished(done) for done in state.finished),
            penalties=tuple(replace(line, seat=self.seat(line.seat)) for line in state.penalties),
        )

    def full(self, state: FullState) -> dict[str, object]:
        """Everything that a full state tells, renamed."""
        return {
            "public": self.state(state.public),
            "hands": self.hands(state.hands),
            "aside": self.hand(state.aside),
            "chosen": self.hands(state.chosen),
            "discarded": self.hands(state.discarded),
            "passed": self.hands(state.passed),
            "received": self.hands(state.received),
        }


SAME = Renaming(lambda seat: seat, {})
"""The renaming that renames nothing."""

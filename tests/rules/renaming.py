"""A bijection of seats and one of suits, carried through everything that a game is made of.

Each field of a dataclass is named here: a new one that is not makes the laws fail with its name.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from typing import Any, TypeVar, assert_never

from games.rules import (
    ENTRY,
    Action,
    AddPenalty,
    Card,
    Claim,
    Deal,
    Discard,
    EnterConditions,
    Finish,
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
    VoidRound,
)
from games.rules.actions import Cards
from games.rules.board import Board, Conditions, Row
from games.rules.cards import sort_hand
from games.rules.full import FullState
from games.rules.public import Trick
from games.rules.scoring import RoundScore, TeamScore

Value = TypeVar("Value", bound=Any)


def changed(value: Value, *same: str, **renamed: object) -> Value:
    """The dataclass with renamed fields; those of `same` have neither seats nor suits."""
    check_named(value, {*same, *renamed})
    return replace(value, **renamed)


def check_named(value: object, named: set[str]) -> None:
    for field in fields(value):
        assert field.name in named, f"{type(value).__name__}.{field.name} is not renamed"


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
                # Another deal has another seed.
                dealt = tuple(self._dealt(hand) for hand in self.by_seat(hands))
                return changed(action, hands=dealt, seed=None, commitment=None)
            case Discard(cards) | Pass(cards):
                return changed(action, cards=self._dealt(cards))
            case Play(card):
                return changed(action, card=self.card(card))
            case Claim(seat):
                return changed(action, "captured", seat=self.seat(seat))
            case Place(row, space):
                return changed(action, "row", space=self.space(row, space))
            case EnterConditions():
                spaces = {row.value: self.space(row, space) for row, space in action.spaces.items()}
                return changed(action, **{"start": None, **spaces})
            case NameTeam(partners, monster, start):
                return changed(
                    action, partners=self.seats(partners), monster=self.optional(monster), start=self.optional(start)
                )
            case RecordTrick(winner):
                return changed(action, "captured", winner=self.seat(winner))
            case RecordTally(tricks, captured):
                return changed(action, tricks=self.by_seat(tricks), captured=self.by_seat(captured))
            case AddPenalty(seat):
                return changed(action, "points", "reason", seat=self.seat(seat))
            case VoidRound():
                return changed(action, "reason")
            case Finish():
                return changed(action)
            case never:
                assert_never(never)

    def _dealt(self, cards: Cards) -> Cards:
        return cards if isinstance(cards, Hidden) else self.hand(cards)

    def setup(self, setup: Setup) -> Setup:
        paper = setup.paper and changed(
            setup.paper, "by_round", lines=tuple(self.by_seat(line) for line in setup.paper.lines)
        )
        earlier = tuple(replace(stint, seat=self.seat(stint.seat)) for stint in setup.earlier)
        return changed(
            setup,
            "ruleset",
            "digital",
            "open_hands",
            seats=self.by_seat(setup.seats),
            dealer=self.seat(setup.dealer),
            paper=paper,
            earlier=earlier,
        )

    def row(self, row: Row) -> Row:
        marks = {
            self.space(row.key, space): mark if mark in (None, ENTRY) else self.seat(mark)
            for space, mark in zip(row.spaces, row.marks, strict=True)
        }
        return changed(row, "key", "spaces", marks=tuple(marks[space] for space in row.spaces))

    def board(self, board: Board) -> Board:
        return changed(board, "markers", rows=tuple(self.row(row) for row in board.rows))

    def conditions(self, found: Conditions | None) -> Conditions | None:
        if found is None:
            return None
        return changed(
            found,
            *("discard", "points"),
            start=self.seat(found.start),
            trump=self.suit(found.trump),
            supertrump=self.suit(found.supertrump),
        )

    def teams(self, teams: Teams | None) -> Teams | None:
        if teams is None:
            return None
        return changed(
            teams, own=self.seats(teams.own), other=self.seats(teams.other), monster=self.optional(teams.monster)
        )

    def tricks(self, tricks: tuple[Trick, ...]) -> tuple[Trick, ...]:
        return tuple(
            changed(
                each,
                "captured",
                leader=self.seat(each.leader),
                winner=self.seat(each.winner),
                cards=each.cards and self.in_order(each.cards),
            )
            for each in tricks
        )

    def team_score(self, score: TeamScore) -> TeamScore:
        members = (changed(each, "won", "weight", seat=self.seat(each.seat)) for each in score.members)
        return changed(score, "points_per_trick", members=tuple(sorted(members, key=lambda member: member.seat)))

    def score(self, score: RoundScore) -> RoundScore:
        return changed(
            score,
            own=self.team_score(score.own),
            other=self.team_score(score.other),
            raw=self.by_seat(score.raw),
            points=self.by_seat(score.points),
        )

    def finished(self, done: FinishedRound) -> FinishedRound:
        return changed(
            done,
            "number",
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
        return changed(
            current,
            *("number", "exchanged"),
            dealer=self.seat(current.dealer),
            board=self.board(current.board),
            conditions=self.conditions(current.conditions),
            teams=self.teams(current.teams),
            tricks=self.tricks(current.tricks),
            hand_sizes=self.by_seat(current.hand_sizes),
            chosen=self.seats(current.chosen),
            table=self.in_order(current.table),
        )

    def state(self, state: PublicState) -> PublicState:
        return changed(
            state,
            setup=self.setup(state.setup),
            current=state.current and self.round(state.current),
            finished=tuple(self.finished(done) for done in state.finished),
            penalties=tuple(
                changed(line, "points", "reason", "after_round", seat=self.seat(line.seat)) for line in state.penalties
            ),
        )

    def full(self, state: FullState) -> dict[str, object]:
        """Everything that a full state tells, renamed."""
        renamed = {
            "public": self.state(state.public),
            "hands": self.hands(state.hands),
            "aside": self.hand(state.aside),
            "chosen": self.hands(state.chosen),
            "discarded": self.hands(state.discarded),
            "passed": self.hands(state.passed),
            "received": self.hands(state.received),
        }
        check_named(state, set(renamed))
        return renamed


SAME = Renaming(lambda seat: seat, {})
"""The renaming that renames nothing."""

"""Positions with the answers that a good player accepts, from `judged.json`.

`covers`: markers in turn; `open`: rows, all of whose other spaces are covered then.  `hands`: by seat, parted by |, and
filled up by chance.  `played`: all cards so far.  `due`: whose decision it is.  An answer is a card, the cards to
discard or pass, a row and a space, or the seat of a partner.  `source`: why the answers are right.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from games.rules.actions import Action, Deal, Discard, NameTeam, Pass, Place, Play
from games.rules.cards import Card, parse_hand, sort_hand
from games.rules.editions import RowKey
from games.rules.full import FullState
from games.rules.redaction import PlayerView, view_for
from games.rules.rounds import PenaltyLine
from tests.bots.positions import digital

FILE = Path(__file__).with_name("judged.json")


@dataclass(frozen=True)
class Judged:
    """A position and the answers that are accepted."""

    name: str
    due: int
    hands: str
    accepted: tuple[str, ...]
    source: str
    covers: tuple[str, ...] = ()
    open: tuple[str, ...] = ()
    partner: int | None = None
    played: str = ""
    totals: tuple[int, ...] = (0, 0, 0, 0)
    rounds: int = 8
    preset: str = "njet-english"

    def view(self) -> PlayerView:
        """What the seat that is due sees."""
        state = digital(self.preset, 4, rounds=self.rounds).apply(Deal(self._dealt()))
        lines = tuple(PenaltyLine(seat, total, "", 0) for seat, total in enumerate(self.totals))
        state = replace(state, public=replace(state.public, penalties=lines))
        for cover in self.covers:
            row, space = cover.split()
            state = state.apply(Place(RowKey(row), space))
        for words in self.open:
            state = _left_open(state, *words.split())
        if self.partner is not None:
            state = state.apply(NameTeam((self.partner,), None))
        for word in self.played.split():
            state = state.apply(Play(Card.parse(word)))
        assert state.acting_seats[0] == self.due, f"{self.name}: seat {state.acting_seats[0]} is due"
        return view_for(state, self.due)

    def _dealt(self) -> tuple[tuple[Card, ...], ...]:
        hands = [list(parse_hand(hand)) for hand in self.hands.split("|")]
        rest = list(digital(self.preset, 4).setup.ruleset.deck())
        for card in [card for hand in hands for card in hand]:
            rest.remove(card)
        Random(self.name).shuffle(rest)
        for hand in hands:
            while len(hand) < 15:
                hand.append(rest.pop())
        return tuple(sort_hand(hand) for hand in hands)


def _left_open(state: FullState, row: str, *spaces: str) -> FullState:
    current = state.public.current
    assert current is not None, "the round is being placed"
    for space in current.board.row(RowKey(row)).open_spaces:
        if space not in spaces:
            state = state.apply(Place(RowKey(row), space))
    return state


def answer_of(action: Action) -> str:
    """An action as the file writes it."""
    match action:
        case Play(card):
            return card.compact
        case Place(row, space):
            return f"{row.value} {space}"
        case NameTeam(partners):
            return f"partner {partners[0]}"
        case Discard(cards) | Pass(cards):
            assert isinstance(cards, tuple), "one's own cards are known"
            return " ".join(card.compact for card in cards)
        case _:
            raise ValueError(f"no bot answers {action}")


@cache
def judged() -> tuple[Judged, ...]:
    """All positions of the file."""
    entries: list[dict[str, Any]] = json.loads(FILE.read_text(encoding="utf-8"))
    return tuple(Judged(**{key: _frozen(value) for key, value in entry.items()}) for entry in entries)


def _frozen(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value

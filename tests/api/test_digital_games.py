"""Whole digital games over REST: at every turn the list of what may be done is complete, and nothing else is taken.

What may be played is worked out here again, from the text of the rules and not from their code.
"""

from __future__ import annotations

import os
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any

import pytest

from games.rules import PRESETS
from tests.api.client import Api
from tests.api.digital import DigitalTable, play
from tests.laws import rest_slow

REFUSED_PLAYS = {"must_follow_suit", "must_follow_trump", "must_trump"}


# --- the rules of following suit, from their table ---


def playable(hand: Sequence[str], led: str | None, state: Any, zero: str) -> set[str]:
    """What may be played on a led card."""
    conditions, options = state["round"]["conditions"], state["options"]
    trump, supertrump = conditions["trump"], f"{conditions['supertrump']}-{zero}"

    def is_family(card: str) -> bool:
        return suit(card) == trump or card == supertrump

    def suit(card: str) -> str:
        return card.partition("-")[0]

    reading = options["supertrump_suit"]
    if led is None:
        return set(hand)
    if reading != "own_suit" and is_family(led):
        obliging = satisfying = {card for card in hand if is_family(card)}
    elif reading == "own_suit":
        obliging = satisfying = {card for card in hand if suit(card) == suit(led)}
    else:
        obliging = {card for card in hand if suit(card) == suit(led) and not is_family(card)}
        own_supertrump = {supertrump} & set(hand) if suit(supertrump) == suit(led) else set()
        satisfying = obliging | (own_supertrump if reading == "trump_or_own" else set())
    if obliging:
        return satisfying
    family = {card for card in hand if is_family(card)}
    return family if options["must_trump_when_void"] and family else set(hand)


def choices(hand: Sequence[str], discard: str, zero: str) -> set[tuple[str, ...]]:
    """What may be discarded or passed, each choice once."""
    count = 1 if discard == "discard_1" else 2
    found = {tuple(sorted(cards)) for cards in combinations(hand, count)}
    if discard not in ("discard_2_no_zero", "discard_2_no_one"):
        return found
    zeros_needed = max(0, 2 - sum(not card.endswith(f"-{zero}") for card in hand))
    return {cards for cards in found if sum(card.endswith(f"-{zero}") for card in cards) <= zeros_needed}


# --- games ---


class Referee:
    """Plays a game by chance and holds every list of legal actions, and some refusals, against the rules."""

    def __init__(self, game: DigitalTable, chance: random.Random, *, refusals: float) -> None:
        """`refusals`: how often, of all turns, everything that is not allowed is tried."""
        self.game, self.chance, self.refusals = game, chance, refusals
        preset = next(
            each for each in game.api.get("/presets/").json if each["preset"] == game.created["state"]["preset"]
        )
        self.deck: list[str] = preset["deck"]
        self.zero = str(preset["edition"]["capturable_rank"])
        self.tried: Counter[str] = Counter()

    def play_to_the_end(self) -> Any:
        """The state at the end."""
        for state in self._turns():
            legal = state["legal_actions"]
            assert len({repr(each) for each in legal}) == len(legal)
            match state["round"]["phase"]:
                case "placing":
                    self._check_places(state)
                case "teams":
                    assert {each["type"] for each in legal} == {"team"}
                case "discarding" | "passing":
                    self._check_choices(state)
                case "tricks":
                    self._check_plays(state)
        return self.game.state

    def _turns(self) -> Iterator[Any]:
        state = self.game.state
        while state["round"] is not None:
            seat = self.chance.choice(state["round"]["acting"])
            own = self.game.seen_by(seat)
            yield own
            if self.chance.random() < 0.1:
                self._check_others(own)
            answer = self.game.does(seat, self.chance.choice(own["legal_actions"]), version=own["version"])
            assert answer.status == 201, answer.text
            state = answer.json["state"]

    def _refused(self, state: Any, action: Any, *codes: str) -> None:
        answer = self.game.does(state["viewer"], action)
        assert answer.status == 422, (action, answer.text)
        assert answer.code in codes, (action, answer.text)
        self.tried[answer.code] += 1

    def _check_others(self, state: Any) -> None:
        """Who is not due has nothing to do."""
        for seat in self.game.seats:
            if seat not in state["round"]["acting"]:
                assert self.game.seen_by(seat)["legal_actions"] == []

    def _check_places(self, state: Any) -> None:
        board = {
            row["row"]: [each["space"] for each in row["spaces"] if each["covered_by"] is None]
            for row in state["round"]["board"]
        }
        expected = {(row, space) for row, spaces in board.items() if len(spaces) > 1 for space in spaces}
        assert {(each["row"], each["space"]) for each in state["legal_actions"]} == expected

    def _check_choices(self, state: Any) -> None:
        hand, kind = state["round"]["hand"], state["round"]["phase"].removesuffix("ing")
        expected = choices(hand, state["round"]["conditions"]["discard"], self.zero)
        listed = [each["cards"] for each in state["legal_actions"]]
        assert {tuple(sorted(cards)) for cards in listed} == expected
        assert len(listed) == len(expected)
        assert all(cards == sorted(cards, key=self.deck.index) for cards in listed)
        if self.chance.random() < self.refusals:
            wrong = {"type": kind, "cards": hand[:3]}
            self._refused(state, wrong, "wrong_card_count")
            count = len(listed[0])
            for card in sorted(set(self.deck) - set(hand))[:2]:
                cards = [card, *hand[: count - 1]]
                self._refused(state, {"type": kind, "cards": cards}, "card_not_held", "capturable_kept")

    def _check_plays(self, state: Any) -> None:
        hand, trick = state["round"]["hand"], state["round"]["current_trick"]
        expected = playable(hand, trick and trick["cards"][0], state, self.zero)
        listed = [each["card"] for each in state["legal_actions"]]
        assert set(listed) == expected
        assert listed == sorted(expected, key=self.deck.index)
        if self.chance.random() < self.refusals:
            for card in sorted(set(hand) - expected):
                self._refused(state, play(card), *REFUSED_PLAYS)
            for card in self.chance.sample(sorted(set(self.deck) - set(hand)), 2):
                self._refused(state, play(card), "card_not_held")


FEW = [("njet-wikipedia", 2, {"rounds": 1, "start_row": False}), ("goldsieber-french", 3, {"rounds": 1})]
HOUSE_RULES = (
    {},
    {"supertrump_suit": "own_suit", "must_trump_when_void": True, "discard_timing": "before_teams"},
    {"supertrump_suit": "trump_or_own", "captured_from": "everyone", "score_record": "difference"},
    {"supertrump_suit": "trump", "must_trump_when_void": True, "first_placer": "left_of_dealer"},
)
TABLES = [(preset.key, players) for preset in PRESETS.values() for players in preset.player_counts]
EXPLORING = os.environ.get("HYPOTHESIS_PROFILE") == "explore"

ALL = [
    (*table, {"rounds": 2, **options})
    for number, table in enumerate(TABLES)
    for kind, options in enumerate(HOUSE_RULES)
    # Every table meets every house rule only when somebody looks for new cases; else the next one meets the next.
    if EXPLORING or kind == number % len(HOUSE_RULES)
]


@pytest.mark.parametrize(("preset", "players", "options"), rest_slow(FEW, quick=1))
def test_every_list_of_legal_actions_is_complete_and_nothing_else_is_taken(
    api: Api, preset: str, players: int, options: Any
) -> None:
    referee = Referee(DigitalTable.open(api, preset, players, **options), random.Random(preset), refusals=0.2)

    finished = referee.play_to_the_end()

    assert finished["status"] == "finished"
    assert finished["scores"]["winners"]
    assert referee.tried["card_not_held"] > 5


@pytest.mark.slow
@pytest.mark.any_database
@pytest.mark.parametrize(("preset", "players", "options"), ALL)
def test_the_same_by_every_preset_with_any_number_of_players(api: Api, preset: str, players: int, options: Any) -> None:
    chance = random.Random(f"{preset} {players} {options}")
    referee = Referee(DigitalTable.open(api, preset, players, dealer=1, **options), chance, refusals=0.3)

    finished = referee.play_to_the_end()

    assert finished["status"] == "finished"
    assert referee.tried.total() > 20


@pytest.mark.slow
def test_bots_play_a_whole_game_among_people(api: Api) -> None:
    game = DigitalTable.open(api, "goldsieber-dutch", 3, bots=[None, "easy", "strong"], rounds=1)
    chance = random.Random(1)

    while game.act_by_chance(chance) is not None:
        pass

    assert game.state["status"] == "finished"

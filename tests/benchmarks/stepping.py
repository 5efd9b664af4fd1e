"""Stepping through tricks: `fast_tricks.Position` against OpenSpiel's hearts, both driven from Python, card by card.

`python -m tests.benchmarks.stepping [ROUNDS]`; for the comparison with a Python that has OpenSpiel:
`python3 -m venv /tmp/spiel` and `/tmp/spiel/bin/pip install open_spiel` (2.0.2 has a wheel for Python 3.11).

Both shuffle, deal to four players, and play every card of every hand: the legal actions are asked for, one is chosen
by chance, and applied.  Cards played in a second of processor time, in turn, A B A B …  Hearts has no passing here, as
NJET has no discard.  Hearts is dealt in three ways: by its chance outcomes and their probabilities, as OpenSpiel's
examples do; by a choice among the legal actions of chance; and by a deck shuffled outside and only handed over.

A `Position` begins with the hands of a new deal on a settled board: placing is no part of this.
"""

from __future__ import annotations

import importlib
import statistics
import sys
import time
from collections.abc import Callable
from random import Random
from typing import Any

from games.fast_tricks.position import Position
from games.fast_tricks.tables import bits, tables_of
from games.rules.cards import Suit
from games.rules.ruleset import Ruleset
from games.rules.scoring import Won, score_round
from games.rules.teams import Teams

DEALS = 50
"""How many deals one measurement plays: few, so that other load on the machine meets both sides alike."""

Playing = Callable[[Random], int]
"""Plays one deal and returns how many cards were played."""


def njet(*, scored: bool = False) -> Playing:
    """A round of njet-english; `scored`: with the score that the rules make of its tricks and captures."""
    ruleset = Ruleset.of("njet-english", 4)
    tables, teams = tables_of(ruleset, Suit.BLACK, Suit.BLUE), Teams((0, 1), (2, 3), None)
    deck = bits(tables.everything)
    each = ruleset.dealt

    def play(random: Random) -> int:
        choice = random.choice
        random.shuffle(deck)
        hands = [sum(deck[start : start + each]) for start in range(0, len(deck), each)]
        position, cards = Position(tables, teams, 0, hands), 0
        while legal := position.legal:
            position.play(choice(bits(tables.different(legal))))
            cards += 1
        assert cards == len(deck)
        if scored:
            won = [Won(*each) for each in zip(position.tricks, position.captured, strict=True)]
            assert score_round(teams=teams, points_per_trick=2, won=won).raw
        return cards

    return play


def by_outcomes(state: Any, random: Random) -> None:
    """The deal as OpenSpiel's examples do it."""
    while state.is_chance_node():
        actions, weights = zip(*state.chance_outcomes(), strict=True)
        state.apply_action(random.choices(actions, weights)[0])


def by_legal_actions(state: Any, random: Random) -> None:
    """The deal card by card, all cards being equally likely."""
    choice = random.choice
    while state.is_chance_node():
        state.apply_action(choice(state.legal_actions()))


def by_shuffling(state: Any, random: Random) -> None:
    """The deal of a deck that OpenSpiel has not shuffled."""
    deck = list(range(52))
    random.shuffle(deck)
    for card in deck:
        state.apply_action(card)


def hearts(spiel: Any, deal: Callable[[Any, Random], None]) -> Playing:
    """A deal of hearts."""
    game = spiel.load_game("hearts(pass_cards=False)")

    def play(random: Random) -> int:
        choice = random.choice
        state = game.new_initial_state()
        deal(state, random)
        cards = 0
        while not state.is_terminal():
            state.apply_action(choice(state.legal_actions()))
            cards += 1
        return cards  # fewer than 52 where the last tricks can no longer change anything

    return play


def openspiel_players() -> dict[str, Playing]:
    """Hearts, dealt in three ways; nothing where OpenSpiel is not installed."""
    try:
        spiel: Any = importlib.import_module("pyspiel")
    except ImportError:
        print("OpenSpiel is missing: python3 -m venv /tmp/spiel && /tmp/spiel/bin/pip install open_spiel")
        return {}
    return {
        "hearts, by outcomes": hearts(spiel, by_outcomes),
        "hearts, by legal actions": hearts(spiel, by_legal_actions),
        "hearts, by shuffling": hearts(spiel, by_shuffling),
    }


def cards_per_second(play: Playing, random: Random) -> float:
    began, cards = time.process_time(), 0
    for _ in range(DEALS):
        cards += play(random)
    return cards / (time.process_time() - began)


def main(rounds: int) -> None:
    random = Random(1)
    own, theirs = {"njet": njet(), "njet, scored": njet(scored=True)}, openspiel_players()
    players = own | theirs
    for play in players.values():
        cards_per_second(play, random)
    found: dict[str, list[float]] = {name: [] for name in players}
    for _ in range(rounds):
        for name, play in players.items():
            found[name].append(cards_per_second(play, random))
    for name, speeds in found.items():
        print(f"{name:>24}: {statistics.median(speeds):9,.0f} cards/s")
    for one in own:
        for other in theirs:
            ratios = sorted(ours / rival for ours, rival in zip(found[one], found[other], strict=True))
            print(f"{one} / {other}: {ratios[0]:.2f}–{statistics.median(ratios):.2f}–{ratios[-1]:.2f}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 60)

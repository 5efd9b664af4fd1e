"""The playout that the bots search with, against OpenSpiel's hearts and RLCard's bridge, in one run.

`python -m tests.benchmarks.playouts [TURNS]`

For the comparison: `pip install --target DIRECTORY open_spiel rlcard`, and DIRECTORY in PYTHONPATH.

A playout goes from dealt hands to the score of the round.  *chance*: every card at random among the legal ones, as
OpenSpiel's and RLCard's random players pick them; *policy*: as the strong bot imagines a round, nine cards in ten
sensible.  Rounds of 13 tricks (two discards, as many cards as hearts) and of 15.  *dealt*: dealing at random
included.  OpenSpiel plays hearts with its own bots in C++, RLCard bridge from the bidding on.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable
from random import Random

from games.bots.playout import play_out, sides_of
from games.bots.strong import CHANCE
from games.fast_tricks.tables import tables_of
from games.rules.cards import Suit
from games.rules.ruleset import Ruleset
from games.rules.teams import Teams
from tests.benchmarks.figures import show_figure

PURE_CHANCE = 256
TURNS = 7


def some_of(cards: int, count: int, rng: Random) -> int:
    """A number of cards of a mask, each set of them equally likely.

    A random mask takes each card or not; then as many as are too many leave it, or as many as are missing the others.
    """
    getrandbits, places = rng.getrandbits, (cards.bit_length() - 1).bit_length()
    # For few cards it is quicker to begin with none.
    taken = getrandbits(cards.bit_length()) & cards if 4 * count > cards.bit_count() else 0
    spare = taken.bit_count() - count
    larger = taken if spare > 0 else cards ^ taken
    smaller = larger
    for _ in range(abs(spare)):
        while not (card := 1 << getrandbits(places)) & smaller:
            pass
        smaller ^= card
    return taken ^ larger ^ smaller


def our_playouts(*, tricks: int, chance: int, dealt: bool) -> Callable[[], None]:
    """A thousand playouts of four players, trump red and super trump blue."""
    tables = tables_of(Ruleset.of("njet-english", 4), Suit.RED, Suit.BLUE)
    sides = sides_of(Teams((0, 2), (1, 3), None), 2)
    rng = Random(1)

    def deal() -> list[int]:
        dealt = tables.everything ^ some_of(tables.everything, 60 - 4 * tricks, rng)
        half = some_of(dealt, 2 * tricks, rng)
        first, second = some_of(half, tricks, rng), some_of(dealt ^ half, tricks, rng)
        return [first, half ^ first, second, dealt ^ half ^ second]

    ready = [deal() for _ in range(1000)]

    def run() -> None:
        for hands in ready:
            play_out(tables, sides, deal() if dealt else hands[:], 0, (), rng.randbytes(64), chance)

    return run


def hearts() -> Callable[[], None]:
    """A thousand games of hearts between OpenSpiel's random bots."""
    import pyspiel

    game = pyspiel.load_game("hearts")
    bots = [pyspiel.make_uniform_random_bot(seat, seat + 1) for seat in range(4)]

    def run() -> None:
        for seed in range(1000):
            pyspiel.evaluate_bots(game.new_initial_state(), bots, seed)

    return run


def bridge() -> Callable[[], None]:
    """Twenty games of bridge between RLCard's random agents."""
    import rlcard
    from rlcard.agents import RandomAgent

    env = rlcard.make("bridge")
    env.set_agents([RandomAgent(num_actions=env.num_actions) for _ in range(4)])

    def run() -> None:
        for _ in range(20):
            env.run(is_training=False)

    return run


def microseconds(run: Callable[[], None], games: int) -> float:
    """How much processor time one game takes."""
    began = time.process_time()
    run()
    return (time.process_time() - began) / games * 1e6


def opponents() -> dict[str, tuple[Callable[[], None], int]]:
    """The games of OpenSpiel and RLCard; nothing where these are not installed."""
    try:
        return {"OpenSpiel's hearts": (hearts(), 1000), "RLCard's bridge": (bridge(), 20)}
    except ImportError as missing:
        print(f"{missing}.  pip install --target DIRECTORY open_spiel rlcard, and DIRECTORY in PYTHONPATH")
        return {}


def main(turns: int) -> None:
    theirs = opponents()
    ours = {
        f"{name}, {tricks} tricks{', dealt' if dealt else ''}": (
            our_playouts(tricks=tricks, chance=chance, dealt=dealt),
            1000,
        )
        for name, chance in (("chance", PURE_CHANCE), ("policy", CHANCE))
        for tricks in (13, 15)
        for dealt in (False, True)
    }
    took: dict[str, list[float]] = {name: [] for name in (*theirs, *ours)}
    # In turn, so that other load on the machine affects all of them.
    for _ in range(turns):
        for name, (run, games) in (*theirs.items(), *ours.items()):
            took[name].append(microseconds(run, games))
    compared: dict[str, float] = {}
    for name, each in took.items():
        line = f"{name:24} {statistics.median(each):8.1f} µs"
        for rival in theirs if name in ours else ():
            ratio = statistics.median(other / own for own, other in zip(each, took[rival], strict=True))
            line += f" · {ratio:6.2f} × {rival}"
            if name == "chance, 13 tricks, dealt":
                compared[rival] = ratio
        print(line)
    for rival, ratio in compared.items():
        show_figure(f"playout with dealing: speed / {rival}", ratio)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else TURNS)

"""Folding the stored log of a digital game from its first entry, against python-chess reading as many moves.

`python -m tests.benchmarks.fold [TURNS]`; for the comparison: `pip install --target DIRECTORY chess`, and
DIRECTORY in PYTHONPATH.

A random game of five players, all rounds, as the database has it: the text of each payload is parsed, read as an entry
and folded with every hand.  python-chess reads random games in SAN (`push_san`), as from a file of games.  In turn,
A B A B …, in microseconds of processor time for each entry or move.
"""

from __future__ import annotations

import json
import statistics
import sys
import time
from collections.abc import Callable
from random import Random

from games.log.ledger import ledger_of
from games.rules import ActionEntry, Deal, Setup
from games.rules.dealing import hands_of
from games.rules.entries import entry_from_json, kind_of_entry, payload_of, setup_to_json
from games.rules.full import FullState
from games.rules.rounds import Phase
from tests.benchmarks.figures import show_figure

TURNS = 21

Row = tuple[int, str, str, int | None]
"""What is stored of an entry: seq, kind, the text of the payload, seat."""


def stored_log(setup: Setup, random: Random) -> list[Row]:
    """The log of a random game."""
    state, rows = FullState.start(setup), []
    while not state.public.is_over:
        seat = None
        if state.public.phase is Phase.DEALING:
            seed = random.randbytes(32).hex()
            action = Deal(hands_of(setup.ruleset, seed), seed, seed)
        else:
            seat = random.choice(state.acting_seats)
            action = random.choice(state.legal_actions(seat))
        state = state.apply(action, seat=seat)
        entry = ActionEntry(len(rows) + 1, action)
        rows.append((entry.seq, kind_of_entry(entry), json.dumps(payload_of(entry)), seat))
    return rows


def njet() -> tuple[Callable[[], None], int]:
    """Folds a game; how many entries it has."""
    setup = Setup.of(preset="njet-english", names=("Ana", "Ben", "Cleo", "Dan", "Eve"), digital=True)
    written, log = setup_to_json(setup), stored_log(setup, Random(1))

    def run() -> None:
        entries = [entry_from_json(seq, kind, json.loads(payload), seat) for seq, kind, payload, seat in log]
        assert ledger_of("", written, entries).state.is_over

    return run, len(log)


def chess(moves: int) -> Callable[[], None]:
    """Reads games of chess with this number of moves together."""
    from chess import Board

    random, games = Random(1), [[]]
    board = Board()
    for _ in range(moves):
        if board.is_game_over():
            board, games = Board(), [*games, []]
        move = random.choice(list(board.legal_moves))
        games[-1].append(board.san(move))
        board.push(move)

    def run() -> None:
        for game in games:
            board = Board()
            for san in game:
                board.push_san(san)

    return run


def microseconds(run: Callable[[], None], count: int) -> float:
    began = time.process_time()
    run()
    return (time.process_time() - began) / count * 1e6


def main(turns: int) -> None:
    ours, count = njet()
    try:
        theirs = chess(count)
    except ImportError as missing:
        print(f"{missing}.  pip install --target DIRECTORY chess, and DIRECTORY in PYTHONPATH")
        theirs = None
    took = []
    for _ in range(turns):
        took.append((microseconds(ours, count), microseconds(theirs, count) if theirs else 0))
    print(f"fold       {statistics.median(own for own, _ in took):6.1f} µs an entry, {count} entries")
    if theirs:
        print(f"push_san   {statistics.median(other for _, other in took):6.1f} µs a move")
        show_figure("fold of a digital game / python-chess, an entry", statistics.median(a / b for a, b in took))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else TURNS)

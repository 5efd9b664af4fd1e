"""How many turning points of games between easy bots a ten times longer search confirms.

`python -m tests.benchmarks.analysis [--games 3] [--rounds 4] [--players 4] [--guesses 480] [--shown]`

Every seat is analysed.  A turning point is confirmed if with ten times the guesses, other ones, another action is still
better beyond chance.  `--shown` prints each of them.
"""

from __future__ import annotations

import argparse
import time
from random import Random

from games.analysis.decisions import (
    CLOSER,
    Decision,
    Judged,
    Progress,
    decisions_of,
    judge_more,
    judged,
    turning_points,
)
from games.bots.easy import decide_easily
from games.log.ledger import Ledger, ledger_of
from games.rules import ActionEntry, Deal
from games.rules.dealing import hands_of
from games.rules.entries import setup_to_json
from games.rules.full import FullState
from games.rules.redaction import view_for
from games.rules.rounds import Phase
from games.rules.setup import Setup
from tests.benchmarks.figures import show_figure

NAMES = ("Ana", "Ben", "Cleo", "Dan", "Eve")


def played(rng: Random, players: int, rounds: int) -> Ledger:
    """A finished game of easy bots, which leave every tenth decision to chance."""
    setup = Setup.of(preset="njet-english", names=NAMES[:players], options={"rounds": rounds}, digital=True)
    state, entries = FullState.start(setup), []
    while state.public.phase is not Phase.FINISHED:
        if state.public.phase is Phase.DEALING:
            seat, action = None, Deal(hands_of(setup.ruleset, f"{rng.getrandbits(256):064x}"))
        else:
            seat = state.acting_seats[0]
            view = view_for(state, seat)
            action = rng.choice(view.legal) if rng.random() < 0.1 else decide_easily(view, rng.getrandbits(32))
        entries.append(ActionEntry(len(entries) + 1, action, seat))
        state = state.apply(action, seat=seat)
    return ledger_of("", setup_to_json(setup), entries)


def main() -> None:
    parser = argparse.ArgumentParser(description="How many turning points a ten times longer search confirms.")
    parser.add_argument("--games", type=int, default=3)
    parser.add_argument("--rounds", type=int, default=4)
    parser.add_argument("--players", type=int, default=4)
    parser.add_argument("--guesses", type=int, default=480)
    parser.add_argument("--shown", action="store_true")
    asked = parser.parse_args()
    found = confirmed = same = decided = 0
    seconds = 0.0

    def judge(decision: Decision, times: int) -> Judged:
        return judged(decision, seed=1000 * decision.seq + times, guesses=asked.guesses * times)

    for game in range(asked.games):
        ledger = played(Random(f"analysis {game}"), asked.players, asked.rounds)
        for seat in range(asked.players):
            begun = time.process_time()
            decisions = decisions_of(ledger, seat)
            progress = judge_more(decisions, Progress(), judge=judge, more=lambda: True)
            seconds += time.process_time() - begun
            decided += len(decisions)
            by_seq = {decision.seq: decision for decision in decisions}
            for turned in turning_points(progress.judged):
                longer = judge(by_seq[turned.seq], 10 * CLOSER)
                found, confirmed = found + 1, confirmed + longer.is_clear
                same += longer.best == turned.best
                if asked.shown:
                    print(f"    {turned}\n    {longer}", flush=True)
    if found:
        show_figure("analysis: turning points that a ten times longer search confirms, %", 100 * confirmed / found)
        show_figure("analysis: turning points for which it finds the same action, %", 100 * same / found)
    show_figure("analysis: turning points", found)
    show_figure("analysis: ms a decision", 1000 * seconds / decided)


if __name__ == "__main__":
    main()

"""How many positions each bot answers as a good player does.

`python -m tests.benchmarks.positions [BOT ...] [--seeds 3] [--missed]`: bots are named as in `ladder`, by default easy
and strong.  The positions: `tests/bots/judged.json`.  `--missed` prints the answers that are not accepted.
"""

from __future__ import annotations

import argparse
from collections import Counter

from tests.benchmarks.figures import show_figure
from tests.benchmarks.ladder import bot_named
from tests.bots.judged import answer_of, judged


def main() -> None:
    parser = argparse.ArgumentParser(description="How many positions each bot answers as a good player does.")
    parser.add_argument("bots", nargs="*", default=["easy", "strong"])
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--missed", action="store_true")
    asked = parser.parse_args()
    for name in asked.bots:
        bot, accepted, missed = bot_named(name), 0, Counter[str]()
        for position in judged():
            view = position.view()
            for seed in range(asked.seeds):
                answer = answer_of(bot(view, seed))
                accepted += answer in position.accepted
                if answer not in position.accepted:
                    missed[f"{position.name}: {answer}, not {' or '.join(position.accepted)}"] += 1
        show_figure(f"{name}: accepted answers, %", 100 * accepted / (len(judged()) * asked.seeds))
        if asked.missed:
            for line, times in missed.items():
                print(f"    {line} ({times} of {asked.seeds})", flush=True)


if __name__ == "__main__":
    main()

"""How well the rating knows what to expect of a round between equal players.

`python -m tests.benchmarks.calibration [BOT] [--players 3 4 5] [--games 200] [--processes 1]`

Whole games of one bot (named as in `ladder`) at every seat.  From game to game the players move on by one seat, and
once they have been everywhere the first dealer does; the games are rated one after the other.  Printed are

- the share of rounds that the start player's team won, a drawn one counted half, and its log odds: what `START_LEAD` of
  the rating is for such players;
- a line for the rounds in which about the same was expected of the start player's team: how many, the mean of what
  was expected, and the share that was won;
- for each player the rating at the end with its deviation, in points, and how many rounds they started.

± is the half of a 95 % interval: 1.96 standard errors over rounds.
"""

from __future__ import annotations

import argparse
import math
import statistics
from collections import Counter
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from random import Random

from games.groups.statistics.facts import GameFacts, RoundFacts
from games.groups.statistics.ratings import BETA, DRIFT, SCALE, Form, after, start
from games.groups.statistics.start_lead import START_LEAD
from games.rules.full import FullState
from games.rules.rounds import Phase
from tests.benchmarks.figures import show_figure
from tests.benchmarks.ladder import Match, bot_named, step

LIMITS = (0.0, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 1.0)
"""Between which expectations one line of the table lies."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """Of the start player's team in a round: what was expected of it, and the share that it won: 0, ½ or 1."""

    expected: float
    won: float


def play(match: Match, number: int) -> GameFacts:
    """One game between equal bots."""
    name, bot = f"game {number}", bot_named(match.first)
    rng = Random(name)
    state = FullState.start(match.setup(number // match.players % match.players))
    while state.public.phase is not Phase.FINISHED:
        state = step(state, [bot] * match.players, rng, name)
    public = state.public
    return GameFacts(
        preset=match.preset,
        players=match.players,
        totals=public.totals,
        ranks=public.ranks,
        winners=public.winners,
        rounds=tuple(RoundFacts.of(done, ()) for done in public.finished),
        digital=True,
    )


def expectation(played: RoundFacts, forms: Sequence[Form]) -> float:
    """The p of `ratings`, for the start player's team."""
    weight = [2 if seat == played.monster else 1 for seat in range(len(forms))]
    own, other = (sum(weight[seat] * forms[seat].mu for seat in team) for team in played.teams)
    variance = [(k * form.sigma) ** 2 + (k * DRIFT) ** 2 for k, form in zip(weight, forms, strict=True)]
    c = math.sqrt(sum(variance) + 2 * BETA**2)
    return 1 / (1 + math.exp((other - own) / c - START_LEAD[len(forms)]))


def rated(games: Iterable[GameFacts], players: int) -> tuple[list[Outcome], list[Form], Counter[int]]:
    """Every round, the form of each player in the end, and how many rounds they started."""
    forms, outcomes, starts = [start()] * players, [], Counter[int]()
    for number, facts in enumerate(games):
        people = [(seat + number) % players for seat in range(players)]
        for played in facts.rounds:
            seated = [forms[person] for person in people]
            own, other = played.team_scores
            won = 0.5 if own == other else float(own > other)
            outcomes.append(Outcome(expectation(played, seated), won))
            starts[people[played.start]] += 1
            # Rounds are rated one after the other, so one round rates as a game of one.
            for person, form in zip(people, after(replace(facts, rounds=(played,)), seated), strict=True):
                forms[person] = form
    return outcomes, forms, starts


def share(outcomes: Sequence[Outcome]) -> str:
    """The share won and half its 95 % interval, in percent."""
    won = [100 * each.won for each in outcomes]
    half = 1.96 * statistics.stdev(won) / math.sqrt(len(won)) if len(won) > 1 else math.inf
    return f"{statistics.fmean(won):5.1f} ± {half:4.1f} %"


def report(games: Sequence[GameFacts], players: int) -> None:
    """Print what came out."""
    outcomes, forms, starts = rated(games, players)
    won = statistics.fmean(each.won for each in outcomes)
    odds = math.log(won / (1 - won)) if 0 < won < 1 else math.inf
    print(f"{players} players, {len(games)} games, {len(outcomes)} rounds")
    print(f"    start player's team: won {share(outcomes)}, log odds {odds:.2f}, START_LEAD {START_LEAD[players]:.2f}")
    for low, high in pairwise(LIMITS):
        if within := [each for each in outcomes if low <= each.expected < high]:
            mean = 100 * statistics.fmean(each.expected for each in within)
            print(f"    expected {mean:5.1f} %: won {share(within)} of {len(within)}")
    for person, form in enumerate(forms):
        rating = f"{SCALE * form.mu:5.0f} ± {SCALE * form.sigma:.0f}"
        print(f"    player {person}: {rating}, started {starts[person]} rounds")
    error = statistics.fmean((each.expected - each.won) ** 2 for each in outcomes)
    show_figure(f"calibration: mean squared error, {players} players", error)


def main() -> None:
    parser = argparse.ArgumentParser(description="How well the rating knows what to expect of a round between equals.")
    parser.add_argument("bot", nargs="?", default="strong@0.03cpu")
    parser.add_argument("--players", type=int, nargs="+", default=[3, 4, 5])
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--preset", default="njet-english")
    parser.add_argument("--processes", type=int, default=1)
    asked = parser.parse_args()
    for players in asked.players:
        match = Match(asked.bot, asked.bot, players, asked.preset, None)
        with ProcessPoolExecutor(asked.processes) as pool:
            games = list(pool.map(partial(play, match), range(asked.games)))
        report(games, players)


if __name__ == "__main__":
    main()

"""How much stronger one bot is than another.

`python -m tests.benchmarks.ladder FIRST SECOND [--players 2 3 4 5] [--deals 200] [--processes 1]`
`python -m tests.benchmarks.ladder strong easy --games 100`
`python -m tests.benchmarks.ladder strong@0.05cpu /tmp/before:strong@0.05cpu --games 100 --pairs [--last]`

A bot is `random`, a level, or `flat` (random playouts, nothing known but what is certain; before the tricks it is
easy), strong and flat with their seconds of search behind an @: `strong@0.025`.  `strong@0.25cpu` counts the seconds
that its process really got: on a machine that others use too, the same player each time.  `strong@8g` searches for
eight guesses, as medium does.
`easy+Zip` plays in the way of that name (`games/bots/style.py`).

Deals: the trick phase alone.  Cards, conditions and teams are random, discards and passes the easy bot's.  Each deal is
played twice, the sides swapped: FIRST plays the start player's team once and the other team once.  What a play is worth
to a side: its Σ k × (tricks + captured) minus the other side's, k = 2 for the monster; with negative points the other
way round.  *gain*: the mean over all plays.  *won*: the share of deals in which the two plays together are worth more
than 0; a tie is half a deal.

Games: whole games of the preset's length (`--rounds` for another), placing and teams and discards included.  FIRST sits
at one seat, a different one each game, SECOND at all others; a shared victory counts as its share.  With `--pairs`
(4 players) each two at two seats, and every game twice with the same deals, the seats swapped: FIRST's share of
the victories.  With `--last` only the last round, from standings as they are when a game is still open.

A bot of another checkout of this project is `PATH:NAME`, as `/tmp/before:strong@0.05cpu`: it runs in a process of its
own.  The rules of both must be the same.

± is the half of a 95 % interval: 1.96 standard errors over deals or games.
"""

from __future__ import annotations

import argparse
import math
import pickle
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial
from random import Random
from typing import Protocol

from games.bots import LEVELS, SECONDS, decide
from games.bots.strong import Limit, decide_strongly
from games.rules.actions import Action, Deal
from games.rules.board import ENTRY, Board
from games.rules.dealing import hands_of
from games.rules.full import FullState
from games.rules.redaction import PlayerView, view_for
from games.rules.rounds import PenaltyLine, Phase
from games.rules.setup import Setup
from games.rules.teams import Teams
from tests.benchmarks.figures import show_figure
from tests.bots.chance import decide_flatly, decide_randomly
from tests.harness.timing import percentile

SPREAD = 18
"""The standard deviation of the totals before the last round, in points."""

OPEN = 20
"""The most points behind the leader with which a player can still win in one round."""


class Bot(Protocol):
    """Chooses an action."""

    def __call__(self, view: PlayerView, seed: int) -> Action: ...


def bot_named(name: str) -> Bot:
    """The bot of a name like `strong@0.1`, or `strong@0.1cpu`."""
    if ":" in name:
        return Elsewhere(*name.split(":"))
    if "+" in name:
        plain, _, style = name.partition("+")
        return Named(bot_named(plain), style)
    level, _, budget = name.partition("@")
    if level == "random":
        return decide_randomly
    if level in LEVELS and not budget:
        return lambda view, seed: decide(view, level=level, seed=seed)
    if level not in ("flat", "strong"):
        sys.exit(f"no bot is called {name}")
    decide_within = decide_flatly if level == "flat" else decide_strongly
    # As `decide` does it, but for the limit.
    return lambda view, seed: view.legal[0] if len(view.legal) == 1 else decide_within(view, seed, limit_named(budget))


@dataclass(frozen=True)
class Named:
    """A bot that sees another name at its seat."""

    bot: Bot
    name: str

    def __call__(self, view: PlayerView, seed: int) -> Action:
        setup, seats = view.public.setup, list(view.public.setup.seats)
        assert view.seat is not None, "a spectator decides nothing"
        seats[view.seat] = replace(seats[view.seat], name=self.name)
        return self.bot(replace(view, public=replace(view.public, setup=replace(setup, seats=tuple(seats)))), seed)


def limit_named(budget: str) -> Limit:
    """A limit that begins now: `0.1` or `0.1cpu` seconds, `8g` guesses."""
    if budget.endswith("g"):
        return Limit(until=0.0, guesses=int(budget.removesuffix("g")))
    clock = time.process_time if budget.endswith("cpu") else time.perf_counter
    return Limit.of(float(budget.removesuffix("cpu") or SECONDS["strong"]), clock)


SERVE = """
import pickle, sys
sys.path.insert(0, "")
from tests.benchmarks.ladder import bot_named
bot, stdin, stdout = bot_named(sys.argv[1]), sys.stdin.buffer, sys.stdout.buffer
while stdin.peek(1):
    view, seed = pickle.load(stdin)
    pickle.dump(bot(view, seed=seed), stdout)
    stdout.flush()
"""


@lru_cache
def process_of(path: str, name: str) -> subprocess.Popen[bytes]:
    """The process in which a bot of another checkout decides."""
    command = [sys.executable, "-c", SERVE, name]
    return subprocess.Popen(command, cwd=path, stdin=subprocess.PIPE, stdout=subprocess.PIPE)


@dataclass(frozen=True)
class Elsewhere:
    """A bot of another checkout."""

    path: str
    name: str

    def __call__(self, view: PlayerView, seed: int) -> Action:
        process = process_of(self.path, self.name)
        assert process.stdin is not None, "it is a pipe"
        assert process.stdout is not None, "it is a pipe"
        pickle.dump((view, seed), process.stdin)
        process.stdin.flush()
        action: Action = pickle.load(process.stdout)
        return action


@dataclass
class Clocked:
    """A bot whose decisions are timed, by phase; a decision without a choice is none."""

    bot: Bot
    took: dict[str, list[float]] = field(default_factory=dict)

    def __call__(self, view: PlayerView, seed: int) -> Action:
        began = time.perf_counter()
        action = self.bot(view, seed)
        if len(view.legal) > 1:
            self.took.setdefault(view.public.phase.value, []).append(time.perf_counter() - began)
        return action


@dataclass(frozen=True)
class Result:
    """What FIRST won in one deal or game, and how long its decisions took."""

    gain: float
    won: float
    took: dict[str, list[float]]


@dataclass(frozen=True)
class Match:
    """Who plays whom at what."""

    first: str
    second: str
    players: int
    preset: str
    rounds: int | None
    pairs: bool = False
    last: bool = False

    def setup(self, dealer: int) -> Setup:
        """A digital game of this match."""
        names = [f"seat {seat}" for seat in range(self.players)]
        options = {} if self.rounds is None else {"rounds": self.rounds}
        return Setup.of(preset=self.preset, names=names, options=options, dealer=dealer, digital=True)


def step(state: FullState, bots: Sequence[Bot], rng: Random, name: str) -> FullState:
    """The state after the next deal or decision.  `name`: of the deals, the same however they are played."""
    if state.public.phase is Phase.DEALING:
        deals = Random(f"{name}, round {len(state.public.finished)}")
        return state.apply(Deal(hands_of(state.setup.ruleset, f"{deals.getrandbits(256):064x}")))
    seat = state.acting_seats[0]
    return state.apply(bots[seat](view_for(state, seat), seed=rng.getrandbits(32)), seat=seat)


def play_deal(match: Match, number: int) -> Result:
    """One deal, played twice."""
    name = f"deal {number}"
    rng = Random(name)
    easy, chance = bot_named("easy"), bot_named("random")
    state = FullState.start(match.setup(number % match.players))
    while state.public.phase is not Phase.TRICKS:
        choosing = state.public.phase in (Phase.DISCARDING, Phase.PASSING)
        state = step(state, [easy if choosing else chance] * match.players, rng, name)
    current = state.public.current
    assert current is not None
    teams = current.teams
    assert teams is not None
    state = replace(state, public=replace(state.public, current=replace(current, board=unsigned(current.board))))
    first = Clocked(bot_named(match.first))
    gains = [play_tricks(state, teams, side, first, bot_named(match.second), rng) for side in (teams.own, teams.other)]
    total = sum(gains)
    return Result(statistics.mean(gains), 0.5 if total == 0 else float(total > 0), first.took)


def unsigned(board: Board) -> Board:
    """The board without who covered what: markers of chance must not be read as those of players."""
    marks = [tuple(None if mark is None else ENTRY for mark in row.marks) for row in board.rows]
    return Board(tuple(replace(row, marks=mark) for row, mark in zip(board.rows, marks, strict=True)))


def play_tricks(state: FullState, teams: Teams, side: tuple[int, ...], first: Bot, second: Bot, rng: Random) -> int:
    """What the tricks are worth to a side that FIRST plays."""
    bots = [first if seat in side else second for seat in range(teams.players)]
    while not state.public.finished:
        state = step(state, bots, rng, "")
    done = state.public.finished[0]
    counted = [(1 if seat in side else -1) * teams.weight(seat) * won.counted for seat, won in enumerate(done.won)]
    return sum(counted) if done.conditions.points > 0 else -sum(counted)


def play_game(match: Match, number: int) -> Result:
    """One whole game; two with the same deals where pairs play."""
    first, second = Clocked(bot_named(match.first)), bot_named(match.second)
    own = {number % match.players}
    if match.pairs:
        own.add((number + 1 + number // match.players % 3) % match.players)
    halves = [own, set(range(match.players)) - own] if match.pairs else [own]
    done = [play_seated(match, number, seats, first, second) for seats in halves]
    return Result(statistics.mean(gain for gain, _ in done), statistics.mean(won for _, won in done), first.took)


def play_seated(match: Match, number: int, own: set[int], first: Bot, second: Bot) -> tuple[float, float]:
    """What one game brings FIRST at these seats: its points above the others', its share of the victory."""
    name = f"game {number}"
    rng = Random(name)
    bots = [first if seat in own else second for seat in range(match.players)]
    state = FullState.start(match.setup(number // match.players % match.players))
    if match.last:
        state = replace(state, public=replace(state.public, penalties=standings(match.players, rng)))
    while state.public.phase is not Phase.FINISHED:
        state = step(state, bots, rng, name)
    winners, totals = state.public.winners, state.public.totals
    mine, others = ([total for seat, total in enumerate(totals) if (seat in own) is side] for side in (True, False))
    return statistics.mean(mine) - statistics.mean(others), len(own & set(winners)) / len(winners)


def standings(players: int, rng: Random) -> tuple[PenaltyLine, ...]:
    """Totals before the last round: spread as after seven rounds, the leader at most `OPEN` ahead of the next."""
    while True:
        totals = sorted(round(rng.gauss(0, SPREAD)) for _ in range(players))
        if totals[-1] - totals[-2] <= OPEN:
            rng.shuffle(totals)
            return tuple(PenaltyLine(seat, total, "", 0) for seat, total in enumerate(totals))


def interval(values: list[float]) -> str:
    """The mean and half its 95 % interval."""
    half = 1.96 * statistics.stdev(values) / math.sqrt(len(values)) if len(values) > 1 else math.inf
    return f"{statistics.mean(values):+6.2f} ± {half:4.2f}"


def report(name: str, done: list[Result]) -> None:
    """Print what came out."""
    won = [100 * result.won for result in done]
    print(
        f"{name}: {len(done):5} · gain {interval([result.gain for result in done])} · won {interval(won)} %", flush=True
    )
    for phase in Phase:
        took = [each for result in done for each in result.took.get(phase.value, ())]
        if took:
            half, most = (1000 * percentile(took, share) for share in (50, 95))
            print(f"    {phase.value:>10}: p50 {half:6.1f} ms, p95 {most:6.1f} ms, {len(took)} decisions", flush=True)


def spread_out(task: Callable[[int], Result], number: int, processes: int) -> Iterator[Result]:
    """The results of a number of deals or games, one after another or in several processes."""
    if processes == 1:
        yield from map(task, range(number))
        return
    with ProcessPoolExecutor(processes) as pool:
        yield from pool.map(task, range(number))


def main() -> None:
    parser = argparse.ArgumentParser(description="How much stronger one bot is than another.")
    parser.add_argument("first")
    parser.add_argument("second")
    parser.add_argument("--players", type=int, nargs="+", default=[4])
    parser.add_argument("--deals", type=int, default=200)
    parser.add_argument("--games", type=int, default=0)
    parser.add_argument("--rounds", type=int)
    parser.add_argument("--preset", default="njet-english")
    parser.add_argument("--pairs", action="store_true")
    parser.add_argument("--last", action="store_true")
    parser.add_argument("--processes", type=int, default=1)
    asked = parser.parse_args()
    for players in asked.players:
        rounds = 1 if asked.last else asked.rounds
        match = Match(asked.first, asked.second, players, asked.preset, rounds, asked.pairs, asked.last)
        task, number = (play_game, asked.games) if asked.games else (play_deal, asked.deals)
        kind = "games" if asked.games else "deals"
        name = f"{asked.first} against {asked.second}, {players} players, {kind}"
        done = list(spread_out(partial(task, match), number, asked.processes))
        report(name, done)
        took = [each for result in done for times in result.took.values() for each in times]
        show_figure(f"{asked.first}: p95 of a decision, ms", 1000 * percentile(took, 95))


if __name__ == "__main__":
    main()

"""The statistics of finished games.  No database, no Django.

Shared here: games described in lines (`tests.builders`) or drawn at random (`tests.strategies`), as facts.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random

from hypothesis import strategies as st

from games.groups.statistics.facts import GameFacts, RoundFacts
from games.rules import (
    PRESETS,
    Action,
    AddPenalty,
    EnterConditions,
    NameTeam,
    Phase,
    Place,
    PublicState,
    RecordTrick,
    Setup,
    VoidRound,
    allowed_values,
    replay,
)
from tests.builders import entries, setup_of
from tests.laws import examples
from tests.strategies import Game, games, setups, sort_legal

law = examples(14)


def facts_of(setup: Setup, *lines: str | Action, digital: bool = False) -> GameFacts:
    """The facts of a game shown line by line."""
    result = replay(setup, entries(*lines))
    assert result.error is None, result.error
    return replace(GameFacts.of(result), digital=digital)


def facts_of_game(game: Game) -> GameFacts:
    """The facts of a random game."""
    return facts_of(game.setup, *game.actions)


def finished_games() -> st.SearchStrategy[Game]:
    """Games of every preset, played to the end or finished early: every choice is drawn."""
    return games(setups(most_rounds=2), to_the_end=True)


def finished() -> st.SearchStrategy[GameFacts]:
    """Facts of games of every preset.  Only a seed is drawn: many laws need many games, and soon."""
    return st.integers(0, 2**32).map(_random_facts)


def _random_facts(seed: int) -> GameFacts:
    random = Random(seed)
    preset = PRESETS[random.choice(list(PRESETS))]
    options: dict[str, object] = {"rounds": random.randint(1, 3)}
    for name, values in allowed_values(preset.edition).items():
        if random.random() < 0.3:
            options[name] = random.choice(values)
    setup = setup_of(preset.key, random.choice(preset.player_counts), **options)
    actions: list[Action] = []
    state = PublicState.start(setup)
    while state.phase is not Phase.FINISHED:
        actions.append(_random_action(state, random))
        state = state.apply(actions[-1])
    return facts_of(setup, *actions)


def _random_action(state: PublicState, random: Random) -> Action:
    plain, templates = sort_legal(state)
    chance = random.random()
    if chance < 0.01:
        return VoidRound("misdeal")
    if chance < 0.03:
        return AddPenalty(random.randrange(state.players), random.choice((-5, 5)), "revoke")
    if state.phase is Phase.TRICKS:
        bounds = templates["trick"].bounds
        winner = random.choice(bounds["winner"])
        limits = bounds["captured"][winner]
        return RecordTrick(winner, max(limits["least"], min(limits["most"], random.choice((0, 0, 1, 2)))))
    if state.phase is Phase.PLACING and chance < 0.1:
        spaces = {row: random.choice(left) for row, left in templates["conditions"].bounds.items()}
        return EnterConditions(**{"start": None, **spaces})
    return random.choice([action for action in plain if isinstance(action, Place | NameTeam)])


def reseated(facts: GameFacts, seat: Callable[[int], int]) -> GameFacts:
    """The same game with everybody in another seat."""

    def by_seat(values: tuple) -> tuple:
        found = {seat(old): value for old, value in enumerate(values)}
        return tuple(found[new] for new in range(len(values)))

    def team(seats: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(sorted(map(seat, seats)))

    def moved(played: RoundFacts) -> RoundFacts:
        own, other = played.teams
        return replace(
            played,
            start=seat(played.start),
            teams=(team(own), team(other)),
            monster=None if played.monster is None else seat(played.monster),
            conditions={**played.conditions, "start": seat(played.start)},
            raw=by_seat(played.raw),
            points=by_seat(played.points),
            tricks=by_seat(played.tricks),
            captured=by_seat(played.captured),
            placements=tuple(
                (seat(placer), row, str(seat(int(space))) if row == "start" else space)
                for placer, row, space in played.placements
            ),
        )

    return replace(
        facts,
        totals=by_seat(facts.totals),
        ranks=by_seat(facts.ranks),
        winners=team(facts.winners),
        rounds=tuple(map(moved, facts.rounds)),
    )

"""Digital games to look at: played by chance, every preset, every option that decides tricks."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from games.rules.actions import Deal
from games.rules.dealing import hands_of
from games.rules.full import FullState
from games.rules.redaction import view_for
from games.rules.rounds import Phase
from games.rules.ruleset import PRESETS, Ruleset
from games.rules.setup import Setup
from tests.builders import CAST

CHANGES: tuple[dict[str, object], ...] = (
    {},
    {"supertrump_suit": "own_suit"},
    {"supertrump_suit": "trump_or_own"},
    {"supertrump_suit": "trump", "must_trump_when_void": True},
    {"captured_from": "everyone", "discard_timing": "before_teams"},
)

TABLES = [(preset.key, players) for preset in PRESETS.values() for players in preset.player_counts]


def rulesets() -> list[Ruleset]:
    """Every preset and number of players, with options of all kinds."""
    return [Ruleset.of(preset, players, changed) for preset, players in TABLES for changed in CHANGES]


def digital(preset: str, players: int, **options: object) -> FullState:
    """A game of one round before its deal."""
    options = {"rounds": 1, **options}
    return FullState.start(Setup.of(preset=preset, names=CAST[:players], options=options, digital=True))


def dealt(state: FullState, rng: Random) -> FullState:
    """The state after a random deal."""
    return state.apply(Deal(hands_of(state.setup.ruleset, f"{rng.getrandbits(256):064x}")))


def random_game(preset: str, players: int, rng: Random, **options: object) -> Iterator[FullState]:
    """Every state of a game in which somebody is due; all decisions are left to chance."""
    state = digital(preset, players, **options)
    while state.public.phase is not Phase.FINISHED:
        if state.public.phase is Phase.DEALING:
            state = dealt(state, rng)
        yield state
        seat = rng.choice(state.acting_seats)
        state = state.apply(rng.choice(view_for(state, seat).legal), seat=seat)

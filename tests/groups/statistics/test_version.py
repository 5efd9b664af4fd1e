"""`VERSION` rises with everything that is kept of finished games: facts, figures and forms."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from hashlib import sha256
from itertools import combinations

from games.groups.statistics import VERSION
from games.groups.statistics.facts import GameFacts
from games.groups.statistics.figures import of_group, of_pair, of_player
from games.groups.statistics.ratings import after, start
from games.rules.paper import PaperSheet
from games.rules.setup import Stint
from tests.builders import english, placing, wikipedia
from tests.groups.statistics import facts_of

KEPT = {2: "c8454564672c62e9", 3: "bf0154befe3f2d1c", 4: "0a8e303340485422", 5: "0a8e303340485422"}
"""By version, the hash of what is kept of the games below.  A line is added here, and never changed."""

CHANGED = """\
What is kept of finished games has changed.  A group that was counted before has the old figures: raise VERSION in
`games/groups/statistics/__init__.py`, so that it is counted again, and add {version}: "{found}" to KEPT here."""


def finished_games() -> Iterator[GameFacts]:
    """Games in which everything that is counted happens at least once."""
    setup = english(3, rounds=4)
    yield facts_of(
        setup,
        *(*placing(setup, "1 njet blue black 2"), "team alone monster 1", "tally 8+1 5+1 3+1"),
        *("open 1 njet red njet -2", "team 2 monster 0", "tally 6+1 5 5+2"),
        *("open 2 njet red njet 1", "team 0 monster 1", "tally 4 8 4"),
        *("open 2 njet red blue 1", "team alone monster 2", "tally 6 5+1 5+1"),
    )
    five = ("open 2 njet black blue 2", "team 0 1 monster 4", "tally 3+1 2+1 2+1 3 2+1")
    yield facts_of(english(5, rounds=1), *five, digital=True)
    yield replace(facts_of(english(5, rounds=1), *five), minutes=47)
    taken_over = replace(english(5, rounds=1), earlier=(Stint(2, "Eve", 1),))
    yield facts_of(taken_over, *five)
    paper = PaperSheet(((42, 17, 30),), by_round=False)
    yield replace(facts_of(replace(english(3), paper=paper)), minutes=90)
    yield facts_of(wikipedia(2, rounds=1), "open 1 njet njet njet -2", "tally 10+1 5+1")


def kept() -> list[object]:
    """What is stored of these games, played one after the other by the same people."""
    stored: list[object] = []
    forms = [start()] * 6
    for facts in finished_games():
        everybody = range(facts.participants)
        forms[: facts.participants] = after(facts, forms[: facts.participants])
        stored += [
            {name: value for name, value in facts.to_json().items() if name != "v"},
            of_group(facts),
            *(of_player(facts, seat) for seat in everybody),
            *(of_pair(facts, *pair) for pair in combinations(everybody, 2)),
            # Another machine may compute another last bit.
            *({name: round(value, 6) for name, value in form.to_json().items()} for form in forms),
        ]
    return stored


def test_what_is_kept_of_a_finished_game_is_that_of_the_version() -> None:
    found = sha256(json.dumps(kept(), sort_keys=True).encode()).hexdigest()[:16]

    version = VERSION if VERSION not in KEPT else VERSION + 1
    assert KEPT.get(VERSION) == found, CHANGED.format(version=version, found=found)

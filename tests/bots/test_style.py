"""The playing styles that go with the names of bots: each shows, and follows from the name alone."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from games.bots import decide
from games.bots.style import STYLES, Style, preferred_spaces, style_of
from games.rules.actions import Place
from games.rules.cards import parse_hand
from games.rules.editions import RowKey
from games.rules.full import FullState
from games.rules.redaction import PlayerView, view_for
from games.rules.rounds import Phase
from games.rules.ruleset import Ruleset
from tests.bots.positions import dealt, digital

DEALS = 30


def named(view: PlayerView, name: str) -> PlayerView:
    """The same view with another name at its seat."""
    setup, seats = view.public.setup, list(view.public.setup.seats)
    seats[view.seat or 0] = replace(seats[view.seat or 0], name=name)
    return replace(view, public=replace(view.public, setup=replace(setup, seats=tuple(seats))))


def placing(seed: int) -> FullState:
    return dealt(digital("njet-english", 4), Random(seed))


def markers(seed: int, name: str, level: str) -> list[tuple[RowKey, str]]:
    """What seat 0 covers under this name while easy bots play the others."""
    state, covers = placing(seed), []
    while state.public.phase is Phase.PLACING:
        seat = state.acting_seats[0]
        view = view_for(state, seat)
        if seat == 0:
            # However busy the machine is, the guesses are counted.
            action = decide(named(view, name), level=level, seed=seed, budget=60.0)
            assert isinstance(action, Place)
            covers.append((action.row, action.space))
        else:
            action = decide(view, level="easy", seed=seed)
        state = state.apply(action, seat=seat)
    return covers


def guarded(name: str, level: str, way_of: str) -> int:
    """How many markers in all deals leave open what the way of `way_of` likes, less those that cover it."""
    found = 0
    for seed in range(DEALS):
        likes = preferred_spaces(named(view_for(placing(seed), 0), way_of))
        rows = {row for row, _ in likes}
        found += sum(-1 if cover in likes else 1 for cover in markers(seed, name, level) if cover[0] in rows)
    return found


@pytest.mark.slow
@pytest.mark.parametrize("name", STYLES)
def test_a_way_of_playing_shows_in_what_the_bot_covers(name: str) -> None:
    assert guarded(name, "easy", name) >= guarded("Ana", "easy", name) + 5


@pytest.mark.slow
@pytest.mark.parametrize("name", STYLES)
def test_it_shows_as_well_where_the_bot_searches(name: str) -> None:
    assert guarded(name, "medium", name) >= guarded("Ana", "medium", name) + 3


def test_a_name_plays_alike_every_time() -> None:
    assert markers(3, "Zip", "medium") == markers(3, "Zip", "medium")


def test_under_a_name_of_people_a_bot_plays_plainly() -> None:
    assert preferred_spaces(view_for(placing(1), 0)) == {}
    assert style_of("zip", Ruleset.of("njet-english", 4)) is None


def test_what_a_bot_likes_depends_on_no_hand_but_its_own() -> None:
    """And only where its way speaks of cards."""
    view, hand = view_for(placing(1), 0), parse_hand("R9 R8 R7 R7 R7 R6 R5 R4 R3 K9 K8 K7 Y9 Y8 Y7")
    for name, style in STYLES.items():
        before, after = (preferred_spaces(named(each, name)) for each in (view, replace(view, hand=hand)))
        assert before
        assert before == after or style is Style.TRUMP
    assert list(preferred_spaces(named(replace(view, hand=hand), "Cog"))) == [(RowKey.TRUMP, "red")]


@pytest.mark.parametrize(
    ("preset", "options", "plain"),
    [("njet-english", {}, []), ("njet-english", {"start_row": False}, ["Dot"]), ("goldsieber-dutch", {}, ["Zip"])],
)
def test_where_the_board_has_no_such_space_the_bot_plays_plainly(
    preset: str, options: dict[str, object], plain: list[str]
) -> None:
    ruleset = Ruleset.of(preset, 4, options)

    assert [name for name in STYLES if style_of(name, ruleset) is None] == plain


def test_of_two_longest_suits_neither_is_preferred() -> None:
    view = replace(view_for(placing(1), 0), hand=parse_hand("R9 R8 R7 R7 R7 K9 K8 K7 K6 K5 Y9 Y8 Y7 B1 B2"))

    assert set(preferred_spaces(named(view, "Cog"))) == {(RowKey.TRUMP, "red"), (RowKey.TRUMP, "black")}

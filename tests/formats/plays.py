"""Finished games for the exports: one described in full, and random ones with difficult names."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from functools import cache

from hypothesis import strategies as st

from games.formats.play import Person, Play, guest_id
from games.rules import PublicState
from tests.builders import CAST, english, play
from tests.laws import examples
from tests.strategies import games, setups

EVENING = datetime(2026, 11, 21, 19, 30, tzinfo=UTC)

LAWS = examples(12)


def four_friends() -> PublicState:
    """Both rounds of two, Dan dealing the first: Ana and Cleo share the victory, Ben has a penalty."""
    return play(
        english(4, dealer=3, rounds=2),
        "open 2 discard_1 red njet 2",
        "team 0",
        "tally 4+1 3 3+2 4",
        "penalty 1 -5 revoke",
        "open 0 pass_2_right njet blue -2",
        "team 3",
        "tally 8+2 4+2 3+1 0",
    )


@cache
def long_game(reason: str = "revoke", *, rounds: int = 99) -> PublicState:
    """More rounds than a link has room for, each with a penalty."""
    one = (f"penalty 1 -5 {reason}", "open 2 discard_1 red njet 2", "team 0 monster 2", "tally 4+1 3 3 1 0")
    return play(english(5, rounds=rounds), *one * rounds)


def as_play(
    state: PublicState,
    *,
    names: tuple[str, ...] = CAST,
    game_id: str = "7m3k9c2x4b1a",
    ended: datetime = EVENING,
    lasted: timedelta = timedelta(minutes=73),
    group: tuple[str, str] | None = None,
    digital: bool = False,
) -> Play:
    """A game of guests with these names."""
    people = tuple(Person(guest_id(name), name) for name in names[: state.players])
    minutes = lasted // timedelta(minutes=1)
    return Play(game_id, state, people, ended - lasted, ended, group, digital, minutes=max(0, minutes))


def difficult_names() -> st.SearchStrategy[str]:
    """What people call themselves to try the program out."""
    alphabet = st.sampled_from('[]/b="\\%&+<>{}#?é漢🦊\n\t −AZ') | st.characters(codec="utf-8")
    return st.text(alphabet, min_size=1, max_size=60).filter(str.strip)


@st.composite
def plays(draw: st.DrawFn) -> Play:
    """Any game to its end, of people with any names: in a group or not, with clocks that may run backwards."""
    state = draw(games(setups(most_rounds=2), to_the_end=True)).state
    people = tuple(Person(f"player{seat}", draw(difficult_names())) for seat in range(state.players))
    instants = st.datetimes(datetime(2000, 1, 1), datetime(2100, 1, 1), timezones=st.timezones())
    group = draw(st.none() | st.just(("grp1", "Wednesday")))
    return Play("7m3k9c2x4b1a", state, people, draw(instants), draw(instants), group, draw(st.booleans()))

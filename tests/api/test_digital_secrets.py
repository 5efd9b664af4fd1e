"""Non-interference: two cards that somebody cannot see are exchanged, and every byte that they are sent stays the same.

Over REST and pages: state, log, sheet, exports, refusals, ETags, what processes tell each other, forms, proposals.
That this comparison would find a leak is shown in `test_digital_leaks`.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence

import pytest
from django.utils import timezone

from games.log import store
from games.models import Game
from games.rules import Discard, Pass, Phase
from games.rules.full import FullState
from tests.api.client import Api
from tests.api.digital import DigitalTable
from tests.api.exchange import (
    Exchange,
    Observer,
    Wanted,
    anything,
    carry_out,
    differences,
    exchanges,
    touches,
    without_seed,
)
from tests.api.jumps import Until, in_phase, in_trick

Made = Callable[[Api], DigitalTable]


@pytest.fixture(autouse=True)
def clock_stands(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is written twice is written at the same time."""
    # Not an hour of some day: the database checks invitations against the real time.
    now = timezone.now()
    monkeypatch.setattr(timezone, "now", lambda: now)


def some_have_chosen(phase: Phase, *seats: int) -> Until:
    """Until just these seats have chosen their cards."""

    def reached(state: FullState) -> bool:
        return state.public.phase is phase and set(seats) <= set(state.public.current.chosen)

    return reached


def at(
    until: Until,
    *,
    players: int = 4,
    preset: str = "njet-english",
    bots: Sequence[str | None] = (),
    seed: int = 1,
    open_hands: bool = False,
    **spaces: str,
) -> Made:
    """A game at some point of its play."""

    def made(api: Api) -> DigitalTable:
        game = DigitalTable.open(api, preset, players, bots=bots, rounds=3, open_hands=open_hands)
        game.jump(until, seed, **spaces)
        without_seed(game.id)
        return game

    return made


def broken_off(api: Api) -> DigitalTable:
    """A game that everybody agreed to end in the middle of its second round."""
    game = at(in_trick(3, 2, round=2))(api)
    assert game.finish_early().json["state"]["status"] == "finished"
    return game


def bot_sits_in(api: Api) -> DigitalTable:
    """A game in which a bot plays for the player of seat 1, whose key is valid."""
    game = at(in_trick(2, 1), discard="pass_2_right")(api)
    assert game.puts_bot(1, "easy").status == 201
    return game


BOT_ON_4 = (None, None, None, None, "easy")

POSITIONS: dict[str, tuple[Made, Wanted]] = {
    "placing": (at(in_phase(Phase.PLACING)), anything),
    "naming the team": (at(in_phase(Phase.TEAMS)), anything),
    "discarding": (at(some_have_chosen(Phase.DISCARDING, 2, 3), discard="discard_2"), touches(Discard)),
    "passing": (at(some_have_chosen(Phase.PASSING, 2, 3), discard="pass_2_right"), touches(Pass)),
    "after discarding": (at(in_trick(2, 1), discard="discard_2"), touches(Discard)),
    "after passing": (at(in_trick(1, 2), discard="pass_2_right"), touches(Pass)),
    "in the second round": (at(in_trick(3, 2, round=2)), anything),
    "open hands, first round": (at(in_trick(2, 1), discard="discard_2", open_hands=True), touches(Discard)),
    "open hands, second round": (at(in_trick(3, 2, round=2), open_hands=True), anything),
    "two players, thirty cards aside": (at(in_trick(2, 1), players=2), anything),
    "Goldsieber": (at(in_trick(2, 2), players=3, preset="goldsieber-french"), anything),
    "broken off": (broken_off, anything),
    "a bot sits in": (bot_sits_in, anything),
    "five players, passing": (
        at(some_have_chosen(Phase.PASSING, 2, 4), players=5, bots=BOT_ON_4, discard="pass_2_right"),
        touches(Pass),
    ),
    "Goldsieber, discarding": (
        at(some_have_chosen(Phase.DISCARDING, 2, 3), preset="goldsieber-dutch", seed=2, discard="discard_2"),
        touches(Discard),
    ),
    "five players, after passing": (
        at(in_trick(1, 3), players=5, bots=BOT_ON_4, discard="pass_2_right"),
        touches(Pass),
    ),
    "five players, after discarding": (
        at(in_trick(2, 1), players=5, bots=BOT_ON_4, discard="discard_2_no_zero"),
        touches(Discard),
    ),
    "Goldsieber, after discarding": (
        at(in_trick(2, 1), preset="goldsieber-italian", bots=BOT_ON_4[1:], discard="discard_2"),
        touches(Discard),
    ),
}

FOR_EVERYBODY = {"five players, passing", "Goldsieber, discarding", "open hands, second round"}
"""Where every seat looks, each time."""


def compare(game: DigitalTable, observer: Observer, wanted: Wanted = anything) -> list[str]:
    """What an observer is shown otherwise after exchanges between all hands that they cannot see."""
    # The key of a seat that a bot plays shows no hand.
    sees = None if observer.seat is None or game.state["players"][observer.seat]["bot"] else observer.seat
    first = next((each for each in exchanges(game.id, sees) if wanted(game.id, each)), None)
    assert first is not None, "there is nothing to exchange"
    guesses = (first.card, first.other_card)
    before = observer.everything(guesses)
    done: list[Exchange] = []
    following: Exchange | None = first
    while following is not None:
        carry_out(game.id, following)
        done.append(following)
        following = next(exchanges(game.id, sees, done=done), None)
    return differences(before, observer.everything(guesses))


@pytest.mark.any_database
@pytest.mark.parametrize(
    ("when", "whose", "parts"),
    [
        ("after passing", "seat 1", ["reading", "pages"]),
        ("discarding", "seat 0", ["reading", "writing"]),
        ("in the second round", "viewer", ["reading"]),
        ("open hands, first round", "seat 1", ["reading"]),
        ("open hands, second round", "viewer", ["reading", "pages"]),
        ("broken off", "host", ["reading"]),
        # Two seconds, half of them for the pages, which "after passing" looks at too.
        pytest.param("a bot sits in", "seat 1", ["reading", "writing", "pages"], marks=pytest.mark.slow),
    ],
)
def test_nothing_that_somebody_is_sent_depends_on_cards_they_cannot_see(
    api: Api, when: str, whose: str, parts: list[str]
) -> None:
    make, wanted = POSITIONS[when]
    game = make(api)

    assert compare(game, Observer(game, whose, parts), wanted) == []


@pytest.mark.parametrize("seat", [0, 1])
def test_what_a_bot_is_given_depends_on_no_card_that_its_seat_cannot_see(api: Api, seat: int) -> None:
    game = POSITIONS["after passing"][0](api)
    before = store.read(Game.objects.get(pk=game.id)).played_by(seat)

    carry_out(game.id, next(exchanges(game.id, seat)))

    assert store.read(Game.objects.get(pk=game.id)).played_by(seat) == before


OBSERVERS = ("host", "seat 0", "viewer", "seat 1")
ALL_OBSERVERS = (*OBSERVERS, "seat 2", "seat 3")
EXPLORING = os.environ.get("HYPOTHESIS_PROFILE") == "explore"


@pytest.mark.slow
@pytest.mark.any_database
@pytest.mark.parametrize(
    ("when", "whose"),
    [
        (when, whose)
        for number, when in enumerate(POSITIONS)
        for place, whose in enumerate(ALL_OBSERVERS if when in FOR_EVERYBODY else OBSERVERS)
        # One at each time, the next one at the next; all of them when somebody looks for new cases.
        if EXPLORING or when in FOR_EVERYBODY or place == number % len(OBSERVERS)
    ],
)
def test_the_same_at_every_time_of_a_game(api: Api, when: str, whose: str) -> None:
    make, wanted = POSITIONS[when]
    game = make(api)

    assert compare(game, Observer(game, whose), wanted) == []

"""Who sits where makes no difference: bots decide between equals without favouring a seat."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random

import pytest

from games.bots.easy import decide_easily
from games.bots.knowledge import Holder, knowledge_of
from games.bots.sampling import deal
from games.bots.strong import Limit, decide_strongly
from games.fast_tricks.tables import bits
from games.rules.actions import Action, NameTeam, Place, RecordTally
from games.rules.dealing import hands_of
from games.rules.editions import RowKey
from games.rules.full import FullState
from games.rules.public import PublicState
from games.rules.redaction import PlayerView, view_for
from games.rules.rounds import Phase
from tests.bots.positions import dealt, random_game
from tests.builders import deal_of, digital, english, play, settled
from tests.rules.renaming import Renaming

SEEDS = range(60)


# --- who starts ---


def starts(players: int, *, games: int, odd: int | None = None) -> Counter[int]:
    """How many rounds each seat starts in games of easy bots; at the seat `odd` sits chance.

    Only the markers matter: all tricks are given to one player.
    """
    found: Counter[int] = Counter()
    for game in range(games):
        chance = Random(f"game {game}")
        state = PublicState.start(english(players, dealer=game % players))
        while state.phase is not Phase.FINISHED:
            hands = hands_of(state.ruleset, f"{chance.getrandbits(256):064x}")
            while state.phase is Phase.PLACING:
                seat = state.acting_seats[0]
                markers = tuple(action for action in state.legal_actions() if isinstance(action, Place))
                view, seed = PlayerView(seat, state, hands[seat], legal=markers), chance.getrandbits(32)
                state = state.apply(chance.choice(markers) if seat == odd else decide_easily(view, seed))
            state = state.apply(next(each for each in state.legal_actions() if isinstance(each, NameTeam)))
            bounds, winner = state.tally_bounds, chance.randrange(players)
            assert bounds is not None, "the teams are named"
            tricks = tuple(bounds.tricks if seat == winner else 0 for seat in range(players))
            state = state.apply(RecordTally(tricks, (0,) * players))
        found.update(done.conditions.start for done in state.finished)
    return found


@pytest.mark.parametrize("players", [3, 4, 5])
def test_among_easy_bots_each_seat_starts_a_tenth_of_the_rounds_and_more(players: int) -> None:
    found = starts(players, games=4)

    assert all(found[seat] >= 0.1 * found.total() for seat in range(players))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("players", "odd"), [(players, odd) for players in (3, 4, 5) for odd in (None, *range(players))]
)
def test_who_plays_by_chance_among_easy_bots_starts_a_tenth_of_the_rounds_too(players: int, odd: int | None) -> None:
    found = starts(players, games=40, odd=odd)

    assert all(found[seat] >= 0.1 * found.total() for seat in range(players))


def with_tokens_open(state: FullState) -> FullState:
    """The state with one open space in every row but that of the tokens."""
    current = state.public.current
    assert current is not None
    for row in current.board.rows:
        for space in row.open_spaces[1:] if row.key is not RowKey.START else ():
            state = state.apply(Place(row.key, space))
    return state


def test_an_easy_bot_covers_no_token_of_others_rather_than_another() -> None:
    view = due(with_tokens_open(dealt(FullState.start(digital(english(4))), Random(1))))

    covered = {decide_easily(view, seed) for seed in SEEDS}

    assert covered == {Place(RowKey.START, str(seat)) for seat in range(4) if seat != view.seat}


def test_an_easy_bot_leaves_open_the_token_of_who_has_started_least() -> None:
    view = due(with_tokens_open(dealt(FullState.start(digital(english(4))), Random(1))))
    first, second, seldom = (seat for seat in range(4) if seat != view.seat)
    rounds = [(f"open {seat} njet red red 1", f"team {view.seat}", "tally 15 0 0 0") for seat in (first, second)]
    before = play(english(4), *(line for each in rounds for line in each))
    view = replace(view, public=replace(view.public, finished=before.finished))

    covered = {decide_easily(view, seed) for seed in SEEDS}

    assert covered == {Place(RowKey.START, str(first)), Place(RowKey.START, str(second))}
    assert seldom not in (first, second)


@pytest.mark.parametrize("guesses", [1, 4])
def test_a_strong_bot_of_few_guesses_covers_no_token_of_others_rather_than_another(guesses: int) -> None:
    view = due(with_tokens_open(dealt(FullState.start(digital(english(4))), Random(1))))

    covered = {decide_strongly(view, seed, Limit(until=0.0, guesses=guesses)) for seed in SEEDS}

    assert covered >= {Place(RowKey.START, str(seat)) for seat in range(4) if seat != view.seat}


# --- who is named ---

RED = "R0 R0 R0 R1 R2 R3 R4 R5 R6 R7 R7 R7 R7 R8 R9"
"""All trumps.  With any partner the team wins every trick and, where all are captured from, every capturable card."""


@pytest.mark.parametrize("start", range(4))
def test_every_partner_is_named_where_all_are_equal(start: int) -> None:
    setup = digital(english(4, captured_from="everyone"))
    hands = ["", "", "", ""]
    hands[start] = RED
    view = due(settled(setup, f"{start} njet red njet 2", None, deal_of(setup.ruleset, *hands)))

    easily = {decide_easily(view, seed) for seed in SEEDS}
    strongly = {decide_strongly(view, seed, Limit(until=0.0, guesses=2)) for seed in SEEDS}

    assert easily == strongly == {NameTeam((seat,), None) for seat in range(4) if seat != start}


# --- the table turned ---


def easy_answers(view: PlayerView) -> set[Action]:
    """What an easy bot does with one seed or another."""
    found = {decide_easily(view, seed) for seed in range(5)}
    return found if len(found) == 1 else {decide_easily(view, seed) for seed in range(80)}


@pytest.mark.parametrize(
    ("preset", "players"), [*(("njet-english", players) for players in (2, 3, 4, 5)), ("nyet-iello", 4)]
)
def test_if_everyone_moves_on_by_some_seats_an_easy_bot_decides_the_same(preset: str, players: int) -> None:
    chance = Random(players)
    for state in list(random_game(preset, players, chance))[::4]:
        places = chance.randrange(1, players)
        turn = Renaming(lambda seat, places=places: (seat + places) % players, {})
        turned = replace(state, **turn.full(state))
        seat = state.acting_seats[0]

        here, there = easy_answers(view_for(state, seat)), easy_answers(view_for(turned, turn.seat(seat)))

        assert there == {turn.action(action) for action in here}


# --- who is guessed to hold a card ---


def test_no_seat_has_to_make_room_for_a_card_rather_than_another() -> None:
    """Each of three hands can hold two of three cards, so there are two ways to deal them."""
    state = settled(digital(english(4)), "0 njet red njet 2", "team 2", deal_of(english(4).ruleset))
    known = knowledge_of(due(state))
    one, two, three = bits(known.unseen)[:3]
    holders = tuple(
        Holder(seat, room=1, barred=barred, odds=dict.fromkeys((one, two, three), 1.0))
        for seat, barred in ((1, three), (2, two), (3, one))
    )
    known = replace(known, unseen=one | two | three, holders=holders)

    found = Counter(tuple(deal(known, Random(seed))) for seed in range(8000))

    assert found.keys() == {(one, three, two), (two, one, three)}
    assert max(found.values()) < 4150


def due(state: FullState) -> PlayerView:
    return view_for(state, state.acting_seats[0])

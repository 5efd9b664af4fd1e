"""When a claim of the remaining tricks is offered: it depends on what its player sees, and on nothing else."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random

import pytest

from games.bots import can_claim, claims
from games.bots.consent import agrees, unsure
from games.rules.full import FullState
from games.rules.proposals import ClaimRest, OpenProposal
from games.rules.redaction import view_for
from games.rules.rounds import Phase
from games.rules.tricks import TrickRules
from tests.bots.positions import TABLES, random_game
from tests.laws import rest_slow


def tricks_of(preset: str, players: int, seed: int = 0) -> list[FullState]:
    """The states of a random round in which cards are played."""
    rng = Random(f"{preset} {players} {seed}")
    return [state for state in random_game(preset, players, rng) if state.public.phase is Phase.TRICKS]


def exchanged(state: FullState, seat: int, rng: Random) -> FullState | None:
    """The same for this seat with a card of two others exchanged, None if that shows."""
    one, other = rng.sample([each for each in range(len(state.hands)) if each != seat], 2)
    hands = [list(hand) for hand in state.hands]
    if not hands[one] or not hands[other]:
        return None
    first, second = rng.randrange(len(hands[one])), rng.randrange(len(hands[other]))
    hands[one][first], hands[other][second] = hands[other][second], hands[one][first]
    changed = replace(state, hands=tuple(tuple(hand) for hand in hands))
    return changed if view_for(changed, seat) == view_for(state, seat) else None


@pytest.mark.parametrize(("preset", "players"), rest_slow((each for each in TABLES if each[1] > 2), quick=4))
def test_the_offer_depends_on_the_view_only(preset: str, players: int) -> None:
    rng, compared = Random(7), 0
    for state in tricks_of(preset, players):
        for seat in range(players):
            changed = exchanged(state, seat, rng) if state.hands[seat] else None
            if changed is not None and changed.hands != state.hands:
                compared += 1
                assert can_claim(view_for(state, seat)) == can_claim(view_for(changed, seat))
    assert compared > 10


@pytest.mark.parametrize(("preset", "players"), TABLES)
def test_what_a_bot_is_sure_of_is_offered_if_tricks_bring_points(preset: str, players: int) -> None:
    for seed in range(3):
        for state in tricks_of(preset, players, seed):
            seat = state.acting_seats[0]
            view, claim = view_for(state, seat), ClaimRest(state.hands[seat])
            bot = view_for(state, (seat + 1) % players)
            if agrees(bot, OpenProposal(1, seat, claim), ()):
                assert can_claim(view) == (state.public.current.conditions.points > 0)


@pytest.mark.parametrize(("preset", "players"), [each for each in TABLES if each[1] > 2])
def test_nothing_is_offered_once_a_card_is_beaten(preset: str, players: int) -> None:
    beaten = 0
    for state in tricks_of(preset, players):
        current = state.public.current
        best = TrickRules.of(state.public.ruleset, current.conditions).winner(current.table) if current.table else 0
        for place in range(len(current.table)):
            seat = (current.leader + place) % players
            if place != best and state.hands[seat]:
                beaten += 1
                assert not can_claim(view_for(state, seat))
    assert beaten


@pytest.mark.parametrize(("preset", "players"), TABLES)
def test_a_claim_that_is_refused_has_a_card_that_another_beats(preset: str, players: int) -> None:
    refused = 0
    for state in tricks_of(preset, players):
        current, seat = state.public.current, state.public.current.leader
        if current.table:
            continue
        claim = ClaimRest(state.hands[seat])
        pair = unsure(state.public, claim.cards)
        assert (pair is None) == agrees(view_for(state, (seat + 1) % players), OpenProposal(1, seat, claim), ())
        if pair is not None:
            refused += 1
            assert pair[0] in claim.cards
            assert TrickRules.of(state.public.ruleset, current.conditions).winner(pair) == 1
            played = Counter(card for trick in current.tricks for card in trick.cards)
            assert played[pair[1]] < Counter(state.public.ruleset.deck())[pair[1]]
    assert refused


def test_most_leaders_are_offered_nothing() -> None:
    offers = [
        can_claim(view_for(state, state.public.current.leader))
        for seed in range(8)
        for state in tricks_of("njet-english", 4, seed)
        if not state.public.current.table and len(state.hands[state.public.current.leader]) > 1
    ]
    assert 0 < sum(offers) < len(offers) / 3


def test_a_claim_that_only_some_guesses_allow_is_not_offered(monkeypatch: pytest.MonkeyPatch) -> None:
    views = [
        view_for(state, state.public.current.leader)
        for seed in range(8)
        for state in tricks_of("njet-english", 4, seed)
        if not state.public.current.table
    ]
    offered = [view for view in views if can_claim(view)]

    monkeypatch.setattr(claims, "NEEDED", 1)
    with_luck = [view for view in views if can_claim(view)]

    assert len(offered) < len(with_luck)
    assert all(view in with_luck for view in offered)

"""Decisions judged afterwards: by how much the strong bot's are better, and how far chance goes."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from games.bots.review import Verdict, is_equivalent, paired, review
from games.rules.cards import Card, sort_hand
from games.rules.hints import HintReason
from games.rules.redaction import PlayerView, view_for
from tests.bots.judged import answer_of, judged
from tests.bots.positions import random_game
from tests.bots.test_decide import play, tricks_of

GUESSES = 240


def view_named(name: str) -> PlayerView:
    return next(position for position in judged() if position.name == name).view()


def verdict_on(view: PlayerView, answer: str, *, seed: int = 1) -> Verdict:
    played = next(action for action in view.legal if answer_of(action) == answer)
    return review(view, played, seed=seed, guesses=GUESSES)


def judge(view: PlayerView, answer: str, *, seed: int = 1) -> tuple[str, float, bool]:
    verdict = verdict_on(view, answer, seed=seed)
    return answer_of(verdict.best), verdict.difference, verdict.difference > 2 * verdict.error


def test_what_both_actions_share_is_no_error_of_their_difference() -> None:
    rng, noise = Random(1), Random(2)
    chains = [[(shared := rng.gauss(0, 50), shared + 3 + noise.gauss(0, 1)) for _ in range(25)] for _ in range(16)]

    difference, error = paired(chains)

    assert difference == pytest.approx(3, abs=4 * error)
    assert error == pytest.approx(1 / 20, rel=0.6)


def test_guesses_of_a_chain_that_resemble_each_other_make_nothing_surer() -> None:
    means = [1.0, 3.0, 2.0, 2.0]

    assert paired([[(0.0, mean)] for mean in means]) == paired([[(0.0, mean)] * 99 for mean in means])


@pytest.mark.parametrize(
    ("position", "blunder", "best", "least", "why"),
    [
        ("the partner who covered zeros", "partner 3", "partner 1", 5, HintReason.JOINS_SUPER),
        ("the long suit stays trump", "trump red", "trump yellow", 3, HintReason.SETTLES_LONG_TRUMP),
        ("zeros leave as discards", "Y7 Y8", "", 1, HintReason.KEEPS_HIGH),
        ("the cheapest card that wins", "K2", "K4", 1.5, HintReason.WINS_CAPTURE),
        ("end 7", "B7", "B0", 3, HintReason.LIKELY_WITH_PARTNER),
    ],
)
def test_a_blunder_is_found_in_every_phase(
    position: str, blunder: str, best: str, least: float, why: HintReason
) -> None:
    view = next(each.view() for each in judged() if each.name.startswith(position))

    verdict = verdict_on(view, blunder)

    assert verdict.difference > max(least, 2 * verdict.error)
    assert verdict.lost > 0
    assert 0 <= verdict.chances[0] < verdict.chances[1] <= 1
    assert best in ("", answer_of(verdict.best))
    assert verdict.reason is why


def test_the_best_action_is_no_worse_than_itself() -> None:
    assert judge(view_named("end 2"), "B0") == ("B0", 0.0, False)
    assert verdict_on(view_named("end 2"), "B0").lost == 0


def test_of_cards_between_which_nothing_can_come_each_is_as_good() -> None:
    # Seat 3 holds all blues from 4 on.
    state = play(tricks_of("K2|K0|K4|K3 K5 B4 B5 B6 B7 B7 B7 B7 B8 B9 Y9"), "R0", "R9", "B1")
    view = view_for(state, 3)
    cards = {answer_of(action): action for action in view.legal}

    assert is_equivalent(view, cards["B6"], cards["B4"])
    assert not is_equivalent(view, cards["B4"], cards["Y9"])
    assert review(view, cards["B6"], seed=1, guesses=24).difference == pytest.approx(
        review(view, cards["B4"], seed=1, guesses=24).difference, abs=0.1
    )


@pytest.mark.slow
def test_a_verdict_is_reproducible_and_of_the_view_alone() -> None:
    for state in list(random_game("njet-english", 4, Random(3)))[::6]:
        seat = state.acting_seats[0]
        view = view_for(state, seat)
        if len(view.legal) == 1:
            continue
        one, other = [each for each in range(4) if each != seat][:2]
        hands: list[tuple[Card, ...]] = list(state.hands)
        first, second = hands[one], hands[other]
        if len(first) == len(second):
            hands[one], hands[other] = second, first
        swapped = view_for(replace(state, hands=tuple(sort_hand(hand) for hand in hands)), seat)

        verdict = review(view, view.legal[0], seed=5, guesses=24)

        assert verdict == review(swapped, swapped.legal[0], seed=5, guesses=24)
        assert verdict.difference >= 0
        assert verdict.error >= 0
        assert verdict.best in view.legal


@pytest.mark.parametrize(
    ("position", "blunder", "hint", "best"),
    [
        ("no zero where the trick is lost", "K0", "K5", "K5"),
        ("no zero where the trick is lost", "K0", "K0", "K2"),
        ("the cheapest card that wins", "K2", "K9", "K4"),
        ("the cheapest card that wins", "K4", "K9", "K4"),
    ],
)
def test_what_a_hint_said_stands_for_the_best_unless_that_is_clearly_better(
    position: str, blunder: str, hint: str, best: str
) -> None:
    view = view_named(position)
    actions = {answer_of(action): action for action in view.legal}

    verdict = review(view, actions[blunder], seed=1, guesses=GUESSES, advised=actions[hint])

    assert answer_of(verdict.best) == best
    assert (verdict.difference > 0) is (blunder != best)
    assert (verdict.reason is None) is (blunder == best)


@pytest.mark.parametrize(
    ("hint", "said", "why"),
    [
        ("K4", HintReason.AHEAD_CHEAPLY, HintReason.AHEAD_CHEAPLY),
        # Not true of it; not said of it.
        ("K4", HintReason.LEADS_NEXT, HintReason.WINS_CAPTURE),
        ("K9", HintReason.AHEAD_CHEAPLY, HintReason.WINS_CAPTURE),
    ],
)
def test_what_a_hint_gave_as_the_reason_is_given_again_where_it_is_true(
    hint: str, said: HintReason, why: HintReason
) -> None:
    view = view_named("the cheapest card that wins")
    actions = {answer_of(action): action for action in view.legal}

    verdict = review(view, actions["K2"], seed=1, guesses=GUESSES, advised=actions[hint], said=said)

    assert (answer_of(verdict.best), verdict.reason) == ("K4", why)


def test_another_seed_gives_nearly_the_same_verdict() -> None:
    view = view_named("the cheapest card that wins")

    (_, one, _), (_, other, _) = judge(view, "K2", seed=1), judge(view, "K2", seed=2)

    assert one != other
    assert one == pytest.approx(other, rel=0.4)

"""Hints as sentences: whole, short, and about the rank of the edition."""

from __future__ import annotations

import pytest

from games.rules.actions import Action, Discard, NameTeam, Pass, Place, Play
from games.rules.editions import RowKey
from games.rules.hints import HintReason
from games.rules.replay import HintEntry
from games.texts.hints import describe_hint, reason_sentence, why_of
from tests.builders import dutch, english, in_order

LONGEST = 60
(RED_1, BLACK_2) = in_order("R1 K2")


@pytest.mark.parametrize("reason", HintReason)
def test_each_reason_is_a_short_sentence(reason: HintReason) -> None:
    sentence = reason_sentence(reason, english(4))

    assert sentence.endswith(".")
    assert len(sentence) <= LONGEST
    assert "{" not in sentence


def test_the_other_edition_captures_ones() -> None:
    assert reason_sentence(HintReason.WINS_CAPTURE, dutch(3)) == ("It is the cheapest card that wins and takes a 1.")


@pytest.mark.parametrize(
    ("action", "said"),
    [
        (Place(RowKey.TRUMP, "red"), "Hint: cover red trump."),
        (NameTeam((1, 2), None), "Hint: play with Ben and Cleo."),
        (NameTeam((), 0), "Hint: play alone."),
        (NameTeam((1,), 0), "Hint: play with Ben; Ana holds the monster."),
        (Discard((RED_1, BLACK_2)), "Hint: discard red 1 and black 2."),
        (Pass((RED_1, BLACK_2)), "Hint: pass red 1 and black 2."),
        (Play(RED_1), "Hint: play red 1."),
    ],
)
def test_a_hint_says_what_to_do_and_why(action: Action, said: str) -> None:
    hint = HintEntry(9, 0, action, HintReason.LOWEST)

    assert describe_hint(hint, english(5)) == f"{said} It is the lowest card that you may play."


@pytest.mark.parametrize(
    ("reason", "second", "said"),
    [
        (HintReason.AS_GOOD, Play(BLACK_2), "About as good: play black 2."),
        (HintReason.BEST_IN_TRIALS, Play(BLACK_2), "It did best in trials; second choice: play black 2."),
        (HintReason.AS_GOOD, NameTeam((1,), 1), "About as good: play with Ben."),
        (
            HintReason.DUCKS,
            Play(BLACK_2),
            "Tricks cost points, and it does not win this one. About as good: play black 2.",
        ),
        (HintReason.SAVES_TRUMPS, Play(BLACK_2), "It keeps your trumps. Second choice: play black 2."),
        (HintReason.FEWER_BEAT, Play(BLACK_2), "It is harder to beat than black 2."),
        (HintReason.SHEDS_HIGHER, Discard((RED_1, BLACK_2)), "Higher cards go than with red 1 and black 2."),
        (HintReason.BEST_IN_TRIALS, None, "No simple reason: it did best in trials."),
    ],
)
def test_without_another_reason_the_second_best_is_named(reason: HintReason, second: Action | None, said: str) -> None:
    assert describe_hint(HintEntry(9, 0, Play(RED_1), reason, second), english(5)) == f"Hint: play red 1. {said}"


def test_other_readers_are_given_no_sentence() -> None:
    assert describe_hint(HintEntry(9, 0, None, None), english(4)) == ""


@pytest.mark.parametrize(("partners", "who"), [((1,), "Ben"), ((1, 2), "A partner")])
def test_the_only_partner_of_a_team_is_named_in_its_reason(partners: tuple[int, ...], who: str) -> None:
    hint = HintEntry(9, 0, NameTeam(partners, 0), HintReason.JOINS_MINUS)

    assert why_of(hint, english(5)).startswith(f"{who} covered")

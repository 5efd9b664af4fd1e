"""Where the expected result of a round fell or rose, what is named as the cause, and what was dealt, not decided."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from itertools import pairwise

import pytest

from games.analysis.decisions import LEAST, Decision, Judged, decisions_of
from games.analysis.swings import (
    MOST_NAMED,
    Account,
    Swing,
    account_of,
    gain_of,
    lead_of,
    settled,
    swings_of,
    trick_outcome,
)
from games.log.ledger import Ledger
from games.rules import NameTeam, Place, Play, Setup
from games.rules.cards import Card
from games.rules.replay import Step
from games.texts.words import condition_spaces
from tests.builders import dutch, english
from tests.cast.digital import DigitalTable, over

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

SEAT = 0


@pytest.fixture
def ledger(db: None) -> Ledger:
    """A game after its two rounds."""
    return DigitalTable(dutch(3, rounds=2)).play_on(over).seen(None)


def rounds_of(ledger: Ledger) -> dict[int, list[Decision]]:
    found: dict[int, list[Decision]] = {}
    for decision in decisions_of(ledger, SEAT):
        current = decision.view.public.current
        assert current is not None
        found.setdefault(current.number, []).append(decision)
    return found


def as_it_ended(ledger: Ledger, falls: Mapping[int, float], *, lost: float = 0.0) -> list[Judged]:
    """Decisions at which a round was expected to end as it did, but for the falls after some of them."""
    leads = {done.number: lead_of(done, SEAT) for done in ledger.state.finished}
    judged = []
    for number, decisions in rounds_of(ledger).items():
        points = float(leads[number])
        for decision in reversed(decisions):
            points += falls.get(decision.seq, 0.0)
            is_clear = lost > 0 and decision.seq in falls
            judged.append(
                Judged(
                    decision.seq, decision.played, decision.played, 3.0 * is_clear, 0.5, points, lost=lost * is_clear
                )
            )
    return sorted(judged, key=lambda each: each.seq)


def step(ledger: Ledger, number: int) -> Step:
    return ledger.replay.applied[number - 1]


def test_the_greatest_swings_are_named_the_greatest_first(ledger: Ledger) -> None:
    first, second = rounds_of(ledger).values()
    falls = {first[1].seq: 7.0, first[8].seq: 6.5, second[3].seq: 9.0, second[2].seq: -8.0}

    found = swings_of(ledger, SEAT, as_it_ended(ledger, falls))

    assert [(swing.before.seq, -swing.rise) for swing in found] == [
        (second[3].seq, 9.0),
        (second[2].seq, -8.0),
        (first[1].seq, 7.0),
    ]


def test_the_greatest_fall_is_named_however_much_rose(ledger: Ledger) -> None:
    first, second = rounds_of(ledger).values()
    falls = {first[2].seq: -13.0, first[4].seq: -11.0, second[3].seq: -12.0, second[5].seq: 8.0}

    found = swings_of(ledger, SEAT, as_it_ended(ledger, falls, lost=4.0))

    assert [swing.rise for swing in found] == [13.0, 12.0, -8.0]
    # What the decision cost does not make the result rise.
    assert [swing.is_by_decision for swing in found] == [False, False, True]
    assert found[0].others


def test_what_changes_between_two_own_decisions_with_nothing_between_them_is_no_swing(ledger: Ledger) -> None:
    alone = next(one for one, other in pairwise(decisions_of(ledger, SEAT)) if other.seq == one.seq + 1)

    assert swings_of(ledger, SEAT, as_it_ended(ledger, {alone.seq: -9.0})) == []
    # A decision that cost something explains itself.
    assert swings_of(ledger, SEAT, as_it_ended(ledger, {alone.seq: 9.0}, lost=9.0))


@pytest.mark.parametrize(
    ("points", "after", "span", "is_notable"),
    [
        (9.0, 4.0, 25.0, True),
        (4.0, 9.0, 25.0, True),
        (9.0, 4.0, 25.5, False),
        (4.0, -1.0, 50.0, True),
        (-1.0, 4.0, 50.0, True),
        (4.0, -1.0, 50.5, False),
        (1.0, 1.0 - LEAST + 0.1, 3.0, False),
    ],
)
def test_a_swing_is_worth_naming_by_its_share_of_the_curves_half_if_the_leader_changes(
    points: float, after: float, span: float, *, is_notable: bool
) -> None:
    played = Play(Card.parse("R1"))

    swing = Swing(Judged(1, played, played, 0.0, 0.0, points), after, own=0.0, others=())

    assert swing.is_notable(span) is is_notable


def test_a_round_falls_to_its_own_end_and_not_to_the_next_one(ledger: Ledger) -> None:
    last = rounds_of(ledger)[1][-1]

    (fall,) = swings_of(ledger, SEAT, as_it_ended(ledger, {last.seq: 4.0}))

    assert fall.after == lead_of(ledger.state.finished[0], SEAT)
    assert all(step(ledger, number).round_number == 1 for number in fall.others)


def test_a_decision_that_made_up_half_of_a_fall_is_its_cause(ledger: Ledger) -> None:
    seq = rounds_of(ledger)[1][0].seq

    (most,) = swings_of(ledger, SEAT, as_it_ended(ledger, {seq: 6.0}, lost=3.0))
    (part,) = swings_of(ledger, SEAT, as_it_ended(ledger, {seq: 6.0}, lost=2.9))

    assert (most.own, most.others) == (3.0, ())
    assert part.own == 2.9
    assert part.others


def test_before_the_first_trick_what_others_decided_is_the_cause(ledger: Ledger) -> None:
    seq = rounds_of(ledger)[1][0].seq

    (fall,) = swings_of(ledger, SEAT, as_it_ended(ledger, {seq: 6.0}))

    others = [step(ledger, number) for number in fall.others]
    assert others
    assert all(isinstance(other.action, Place | NameTeam) and other.seat != SEAT for other in others)
    assert all(other.key.seq > seq for other in others)


def test_the_tricks_that_ended_until_the_next_decision_are_the_cause(ledger: Ledger) -> None:
    """If none ended: the cards of others."""
    decisions = [each for each in decisions_of(ledger, SEAT) if isinstance(each.played, Play)]
    most = 0
    for decision, following in zip(decisions, [*decisions[1:], None], strict=True):
        if following is not None and following.seq == decision.seq + 1:
            continue
        (fall,) = swings_of(ledger, SEAT, as_it_ended(ledger, {decision.seq: 6.0}))
        others = [step(ledger, number) for number in fall.others]
        ended = [outcome for each in others if (outcome := trick_outcome(each)) is not None]
        assert all(other.key.seq > decision.seq for other in others)
        assert following is None or all(other.key.seq < following.seq for other in others)
        assert len(ended) in (0, len(others))
        assert ended or all(other.seat != SEAT for other in others)
        # A trick that went well explains no fall.
        assert all(gain_of(other, SEAT) <= 0 for other in others)
        most = max(most, len(ended))
    assert most > 0


def test_of_many_tricks_those_that_brought_most_are_named_in_their_order(ledger: Ledger) -> None:
    first = next(each for each in decisions_of(ledger, SEAT) if isinstance(each.played, Play))
    judged = [each for each in as_it_ended(ledger, {first.seq: 6.0}) if each.seq == first.seq]
    tricks = [
        outcome
        for each in ledger.replay.applied
        if each.round_number == 1 and gain_of(each, SEAT) < 0 and (outcome := trick_outcome(each)) is not None
    ]

    (fall,) = swings_of(ledger, SEAT, judged)

    named = [outcome for number in fall.others if (outcome := trick_outcome(step(ledger, number))) is not None]
    most = sorted(abs(outcome.points) for outcome in tricks)[-MOST_NAMED:]
    assert sorted(abs(outcome.points) for outcome in named) == most
    assert [outcome.number for outcome in named] == sorted(outcome.number for outcome in named)


def test_the_outcome_of_each_trick_is_that_of_the_round(ledger: Ledger) -> None:
    outcomes = [
        (each.round_number, outcome) for each in ledger.replay.applied if (outcome := trick_outcome(each)) is not None
    ]
    tricks = [
        (done.number, number, each) for done in ledger.state.finished for number, each in enumerate(done.tricks, 1)
    ]

    assert [(of, outcome.number, outcome.winner, len(outcome.captured)) for of, outcome in outcomes] == [
        (of, number, each.winner, each.captured) for of, number, each in tricks
    ]
    assert all(
        card.rank == ledger.current_setup.ruleset.edition.capturable_rank
        for _of, outcome in outcomes
        for card in outcome.captured
    )
    assert any(outcome.captured for _of, outcome in outcomes)


@pytest.mark.parametrize("setup", [dutch(3, rounds=2), dutch(4, rounds=2), english(3, rounds=2)], ids=str)
def test_the_points_of_the_tricks_add_up_to_those_of_the_round(setup: Setup) -> None:
    """Also where the holder of the monster wins them."""
    ledger = DigitalTable(setup).play_on(over).seen(None)
    gained: Counter[tuple[int, int]] = Counter()
    for each in ledger.replay.applied:
        if (outcome := trick_outcome(each)) is not None:
            gained[each.round_number, outcome.winner] += outcome.points

    for done in ledger.state.finished:
        for seat, raw in enumerate(done.score.raw):
            assert sum(gained[done.number, member] for member in done.teams.team_of(seat)) == raw


def test_the_marker_that_closes_a_row_settles_the_condition_of_the_round(ledger: Ledger) -> None:
    closed = {
        row: space
        for each in ledger.replay.applied
        if each.round_number == 1 and (found := settled(each))
        for row, space in [found]
    }

    assert closed == condition_spaces(ledger.state.finished[0].conditions)


def test_the_account_of_a_round_adds_up(ledger: Ledger) -> None:
    first = rounds_of(ledger)[1]
    judged = as_it_ended(ledger, {first[2].seq: 6.0}, lost=2.0)[: len(first)]
    lead = lead_of(ledger.state.finished[0], SEAT)

    account = account_of(judged, lead)

    assert account == Account(dealt=lead + 6.0, decided=-2.0, rest=-4.0)


def test_a_decision_that_was_worse_for_the_victory_alone_costs_the_round_nothing(ledger: Ledger) -> None:
    first = rounds_of(ledger)[1]
    judged = as_it_ended(ledger, {first[2].seq: 6.0}, lost=2.0)[: len(first)]
    worse = [replace(each, lost=-2.0) if each.is_clear else each for each in judged]
    lead = lead_of(ledger.state.finished[0], SEAT)

    assert account_of(worse, lead) == Account(dealt=lead + 6.0, decided=0.0, rest=-6.0)


def test_without_costs_there_is_no_account(ledger: Ledger) -> None:
    judged = [Judged(each.seq, each.played, each.played, 0.0, 0.0, 0.0) for each in decisions_of(ledger, SEAT)]

    assert account_of(judged, 5) is None

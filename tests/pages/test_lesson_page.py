"""The lesson: every action of its scripts is legal, and what its sentences say is what the rules say."""

from __future__ import annotations

import re

import pytest

from games.pages.lesson.page import ledger_of, lesson_page, setup_of
from games.pages.lesson.script import DEALT, LEARNER, LEFT, LESSONS, NAMES, PARTNER, RIGHT, TOPICS, Lesson
from games.rules import ActionEntry, Card, FinishedRound, Place, Play, Reason, TrickRules
from games.rules.editions import EDITIONS
from games.rules.full import FullState

pytestmark = pytest.mark.parametrize("edition", LESSONS)


def played(lesson: Lesson) -> FinishedRound:
    """The round when all is played."""
    return ledger_of(lesson, lesson.steps[-1][1]).state.finished[0]


def reasons(lesson: Lesson) -> list[tuple[int, Reason, int]]:
    """Who wins each trick, why, and how many cards that captures."""
    done = played(lesson)
    rules = TrickRules.of(lesson.rules, done.conditions)
    return [(trick.winner, rules.reason(trick.cards or ()), trick.captured) for trick in done.tricks]


def said(edition: str, target: str | None, *, topic: int) -> tuple[str, str]:
    """Title and text of the step of a topic with this target."""
    lesson = LESSONS[edition]
    pages = [lesson_page(lesson, number) for number in range(1, len(lesson.steps) + 1)]
    texts = ((page.title, page.text) for page in pages if (page.target, page.topic) == (target, topic))
    title, text = next(texts)
    return title, text.replace("\u00a0", " ")


def test_there_is_a_lesson_for_each_edition(edition: str) -> None:
    assert LESSONS.keys() == EDITIONS.keys()
    assert LESSONS[edition].rules.edition.key == edition


def test_every_action_is_one_of_those_that_its_seat_may_do(edition: str) -> None:
    lesson = LESSONS[edition]
    state = FullState.start(setup_of(lesson))

    for entry in (each for each in lesson.script if isinstance(each, ActionEntry)):
        if state.public.current is not None and entry.seat is not None:
            assert entry.seat in state.acting_seats
            assert entry.action in state.legal_actions(entry.seat)
        state = state.apply(entry.action, seat=entry.seat)

    assert len(state.public.finished) == 1


def test_the_learner_does_every_action_of_their_seat_in_a_step(edition: str) -> None:
    lesson = LESSONS[edition]
    own = [each for each in lesson.script if isinstance(each, ActionEntry) and each.seat == LEARNER]

    assert [action for _said, _before, action in lesson.steps if action is not None] == own
    assert 12 <= len(lesson.steps) - 1 <= 16, "the number of taps"


def test_the_topics_follow_each_other(edition: str) -> None:
    pages = [lesson_page(LESSONS[edition], number) for number in range(1, len(LESSONS[edition].steps) + 1)]

    topics = [page.topic for page in pages]
    assert topics == sorted(topics)
    assert set(topics) == set(range(1, len(TOPICS) + 1))
    for page in pages[:-1]:
        assert topics[page.skip - 1] == min(page.topic + 1, len(TOPICS))
    assert pages[-1].next is None


def test_a_step_shows_its_target_where_it_can_be_tapped(edition: str) -> None:
    lesson = LESSONS[edition]
    for number, (_said, _before, action) in enumerate(lesson.steps, start=1):
        page = lesson_page(lesson, number)
        shown = {
            f"{row.key}:{space.space}"
            for row in page.table.round.rows
            for space in row.spaces
            if page.table.reader.is_due and not space.is_covered
        }
        shown |= {f"team:{each.choice.value}" for each in page.table.teams.candidates}
        if page.table.cards.hand is not None:
            shown |= {card.card.code for card in page.table.cards.hand.cards if card.is_playable}
        assert (page.target in shown) == (action is not None), page.title


def test_what_is_spoken_of_is_on_the_table(edition: str) -> None:
    lesson = LESSONS[edition]
    for number, (sentence, _before, _action) in enumerate(lesson.steps, start=1):
        page = lesson_page(lesson, number)
        open_spaces = {
            f"{row.key}:{space.space}" for row in page.table.round.rows for space in row.spaces if not space.is_covered
        }
        hand = page.table.cards.hand
        held = {card.card.code for card in hand.cards} if hand is not None else set()
        assert set(sentence.lit) <= open_spaces | held, page.title


def test_the_last_two_spaces_are_the_only_ones_that_are_open(edition: str) -> None:
    for _said, before, action in LESSONS[edition].steps:
        if action is not None and isinstance(action.action, Place) and action.action.space in ("black", str(PARTNER)):
            current = ledger_of(LESSONS[edition], before).state.current
            assert current is not None
            row = next(row for row in current.board.rows if row.key is action.action.row)
            left = {"black": {"black", "blue"}, str(PARTNER): {str(LEARNER), str(PARTNER)}}[action.action.space]
            assert {space for space, mark in zip(row.spaces, row.marks, strict=True) if mark is None} == left


def test_the_settled_board_is_the_one_that_is_read_out(edition: str) -> None:
    conditions = played(LESSONS[edition]).conditions
    low = LESSONS[edition].rules.edition.capturable_rank

    assert (conditions.start, conditions.discard, conditions.trump, conditions.supertrump, conditions.points) == (
        *(LEARNER, "discard_1", "blue", "red", 3),
    )
    assert said(edition, None, topic=2)[1] == (
        f"You start, all discard 1 card, blue is trump, red {low}s are super trumps, and a trick is worth 3 points."
    )


def test_who_wins_the_tricks_and_why(edition: str) -> None:
    assert reasons(LESSONS[edition]) == [
        (LEFT, Reason.HIGHEST_OF_LED, 0),
        (RIGHT, Reason.HIGHEST_OF_LED, 0),
        (LEARNER, Reason.TRUMP, 0),
        (LEARNER, Reason.SUPER_TRUMP, 0),
        (LEARNER, Reason.TRUMP, 1),
    ]
    assert said(edition, None, topic=5)[0] == f"{NAMES[LEFT]} wins the trick."


def test_the_cards_that_are_named_lie_in_the_tricks(edition: str) -> None:
    low = LESSONS[edition].rules.edition.capturable_rank
    tricks = [[card.compact for card in trick.cards or ()] for trick in played(LESSONS[edition]).tricks]
    _first, second, _third, fourth = (suit.letter for suit in LESSONS[edition].rules.edition.suits)

    assert tricks == [
        ["R3", "R9", "R5", "R4"],
        [f"{second}6", f"{second}7", f"{second}9", f"{second}2"],
        [f"{fourth}8", "B7", f"{fourth}5", f"{fourth}9"],
        [f"R{low}", "B8", "R6", "R7"],
        ["B9", f"{fourth}{low}", f"{second}{low}", f"{fourth}6"],
    ]


def test_one_card_alone_follows_the_second_suit(edition: str) -> None:
    lesson = LESSONS[edition]
    two = Play(Card.of(lesson.rules.edition.suits[1], 2))
    before = next(before for _said, before, action in lesson.steps if action is not None and action.action == two)
    view = ledger_of(lesson, before).view

    assert view is not None
    assert view.legal == (two,)


def test_the_score_is_that_of_the_rules(edition: str) -> None:
    done = played(LESSONS[edition])
    low = LESSONS[edition].rules.edition.capturable_rank

    assert done.score.points == (12, 6, 12, 6)
    page = lesson_page(LESSONS[edition], len(LESSONS[edition].steps))
    assert page.text.replace("\u00a0", " ") == (
        f"Tricks and captured {low}s, times the points for a trick: (3 + 1) × 3 = 12. You and Ben write down 12 each."
    )


def test_the_players_keep_what_they_have_won_until_the_result(edition: str) -> None:
    page = lesson_page(LESSONS[edition], len(LESSONS[edition].steps) - 1)

    assert [(side.won.tricks, side.won.captured, side.points) for side in page.table.sides] == [
        (3, 1, "12"),
        (2, 0, "6"),
    ]
    assert [seat.is_ours for seat in page.table.seats] == [False, True, False, True]
    assert all(seat.last is not None and seat.card is None for seat in page.table.seats)


def test_the_rules_differ_from_those_of_the_edition_in_the_cards_dealt_only(edition: str) -> None:
    lesson = LESSONS[edition]

    assert lesson.short_rules.dealt == DEALT < lesson.rules.dealt
    assert lesson.short_rules.options == lesson.rules.options
    assert lesson.short_rules.deck() == lesson.rules.deck()


def test_no_sentence_is_long(edition: str) -> None:
    for number in range(1, len(LESSONS[edition].steps) + 1):
        page = lesson_page(LESSONS[edition], number)
        assert len(page.title) <= 32
        assert len(page.text) <= 130
        assert not re.search(r"[{}]", page.title + page.text)

"""A step of the lesson: what the digital table shows before an action of the learner, and what is said of it.

Nothing is stored: the actions before the step are folded each time.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from games.log.ledger import Ledger
from games.pages.digital.page import DigitalPage, digital_page
from games.pages.digital.seats import side_views
from games.pages.digital.seen import BOARD, RESULT, TRICKS
from games.pages.lesson.script import LEARNER, LEFT, NAMES, PARTNER, RIGHT, TOPICS, Lesson, Said
from games.rules import ActionEntry, Discard, FinishedRound, NameTeam, Place, Play, Setup
from games.rules.replay import Entry, SeatEntry
from games.texts import words

BOT = "easy"


@dataclass(frozen=True)
class LessonPage:
    """Everything that the page of a step shows.

    `view`: which part of the table; `target`: the space, player or card to tap, None where the learner reads and goes
    on, and `place`, `places`: its number among those beside it; `lit`: what else is spoken of; `skip`: the first step
    of the next topic, in the last one the end.
    """

    number: int
    steps: int
    topic: int
    topics: list[tuple[int, str]]
    title: str
    text: str
    view: str
    table: DigitalPage
    target: str | None
    place: int
    places: int
    lit: tuple[str, ...]
    skip: int

    @property
    def previous(self) -> int | None:
        """The step before, None at the start."""
        return self.number - 1 or None

    @property
    def next(self) -> int | None:
        """The step that follows, None at the end."""
        return self.number + 1 if self.number < self.steps else None

    @property
    def shows_last(self) -> bool:
        """Whether the last trick is on the table: none has begun since."""
        lies = any(seat.card is not None and seat.card.card is not None for seat in self.table.seats)
        return self.table.cards.last_trick is not None and not lies

    @property
    def topic_name(self) -> str:
        """What this step is about."""
        return dict(self.topics)[self.topic]


def setup_of(lesson: Lesson) -> Setup:
    """The table of a lesson."""
    names = [str(name) for name in NAMES]
    whole = Setup.of(preset=lesson.preset, names=names, dealer=lesson.dealer, digital=True)
    return replace(whole, ruleset=lesson.short_rules)


def ledger_of(lesson: Lesson, actions: tuple[ActionEntry, ...]) -> Ledger:
    """The log of these actions as the learner reads it: it is in no database."""
    bots = [SeatEntry(seat, seat, BOT) for seat in (LEFT, PARTNER, RIGHT)]
    played = [replace(entry, seq=seq) for seq, entry in enumerate(actions, start=len(bots) + 1)]
    entries: list[Entry] = [*bots, *played]
    return Ledger.of("", {}, setup_of(lesson), entries).seen_by(LEARNER)


def lesson_page(lesson: Lesson, number: int) -> LessonPage:
    """A step of a lesson, counted from 1.

    Errors: `IndexError` if it has fewer steps.
    """
    said, before, action = lesson.steps[number - 1]
    ledger = ledger_of(lesson, before)
    table = digital_page(ledger)
    if table.view == RESULT:
        table = _still_at_table(lesson, before, table, ledger.state.finished[-1])
    topics = [each.topic for each, _before, _action in lesson.steps]
    later = [place for place, topic in enumerate(topics, start=1) if topic > said.topic]
    target, place, places = _target(table, action)
    return LessonPage(
        number=number,
        steps=len(lesson.steps),
        topic=said.topic,
        topics=list(enumerate(map(str, TOPICS), start=1)),
        title=_worded(lesson, table, said.title),
        text=_worded(lesson, table, said.text),
        view=_view_of(said, table, is_end=number == len(topics)),
        table=table,
        target=target,
        place=place,
        places=places,
        lit=said.lit,
        skip=later[0] if later else len(topics),
    )


def _view_of(said: Said, table: DigitalPage, *, is_end: bool) -> str:
    """The settled board is still read on the board, and the last trick where it was played."""
    if said.topic <= 2:
        return BOARD
    return TRICKS if table.view == RESULT and not is_end else table.view


def _still_at_table(
    lesson: Lesson, before: tuple[ActionEntry, ...], table: DigitalPage, done: FinishedRound
) -> DigitalPage:
    """The players with what they have won, as they sit there before the next round."""
    seats = [
        replace(
            was,
            is_due=False,
            words=was.player.name,
            facts=replace(was.facts, won=done.won[was.player.seat]),
            card=None,
            last=now.last,
        )
        for was, now in zip(digital_page(ledger_of(lesson, before[:-1])).seats, table.seats, strict=True)
    ]
    return replace(table, seats=seats, sides=side_views(done, LEARNER, [seat.player.name for seat in table.seats]))


def _worded(lesson: Lesson, table: DigitalPage, text: object) -> str:
    edition, result = lesson.rules.edition, table.result.round
    ours = result.teams[0] if result is not None else None
    sentence = str(text).format(
        low=edition.capturable_rank,
        second=words.SUIT_NAMES[edition.suits[1].value],
        fourth=words.SUIT_NAMES[edition.suits[-1].value],
        arrow="2→" if edition.passes_to < 0 else "2←",
        left=NAMES[LEFT],
        partner=NAMES[PARTNER],
        right=NAMES[RIGHT],
        formula="" if ours is None else ours.formula,
        points="" if ours is None else ours.points.removeprefix("+"),
    )
    # No line begins with a number.
    return words.plain(re.sub(r" (?=[−\d])", words.NO_BREAK, sentence))


def _target(table: DigitalPage, action: ActionEntry | None) -> tuple[str | None, int, int]:
    """What the learner taps for an action, and its place among how many."""
    match action and action.action:
        case Place(row, space):
            spaces = next(each.spaces for each in table.round.rows if each.key == row.value)
            at = next(index for index, each in enumerate(spaces) if each.space == space)
            return f"{row}:{space}", at, len(spaces)
        case NameTeam(partners):
            named = [each.choice.partners[0].seat for each in table.teams.candidates]
            return f"team:{partners[0]}", named.index(partners[0]), len(named)
        case Play(card) | Discard((card,)):
            hand = table.cards.hand
            assert hand is not None, "cards are played from a hand"
            held = next(each for each in hand.cards if each.card.code == str(card))
            return str(card), held.slot.flat, hand.slots.count
        case _:
            return None, 0, 1

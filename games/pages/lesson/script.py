"""The lesson: for each edition one short hand with every action written down, and what is said before it is played.

The learner has seat 0, the partner sits opposite.  The rules are those of the edition, with fewer cards in each hand.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from django.utils.translation import gettext_lazy as _

from games.rules import Action, ActionEntry, Card, Deal, Discard, Edition, NameTeam, Place, Play, Ruleset
from games.rules.editions import EXCHANGES, GOLDSIEBER40, NJET60, NYET60, RowKey
from games.rules.ruleset import PRESETS

LEARNER, LEFT, PARTNER, RIGHT = range(4)
NAMES = (_("You"), "Mia", "Ben", "Eve")
DEALT = 6
"""How many cards each player holds here."""

TOPICS = (
    _("Cover a space"),
    _("One space stays open"),
    _("Teams"),
    _("Discard"),
    _("Follow suit"),
    _("Trump"),
    _("Super trump"),
    _("Captures and the score"),
)


@dataclass(frozen=True)
class Said:
    """One or two sentences, which stay until the next action of the learner, or until they go on.

    `lit`: the spaces (“trump:blue”) and the cards (“blue-7”) that it speaks of.
    """

    topic: int
    title: object
    text: object
    lit: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ShortRuleset(Ruleset):
    """The rules of a game in which each player is dealt a few cards only."""

    @property
    def edition(self) -> Edition:
        """The edition with smaller hands."""
        return replace(PRESETS[self.preset].edition, dealt={self.players: DEALT})


@dataclass(frozen=True)
class Lesson:
    """The script of an edition.  `dealer`: who lets the learner place the first marker."""

    preset: str
    dealer: int
    script: tuple[Said | ActionEntry, ...]

    @property
    def rules(self) -> Ruleset:
        """The rules of a real game."""
        return Ruleset.of(self.preset, len(NAMES))

    @property
    def short_rules(self) -> ShortRuleset:
        """The rules of this hand."""
        return ShortRuleset(self.preset, len(NAMES), self.rules.options)

    @cached_property
    def steps(self) -> tuple[tuple[Said, tuple[ActionEntry, ...], ActionEntry | None], ...]:
        """Each step: what is said, the actions before it, and the action of the learner (None: they read and go on)."""
        return tuple(self._steps())

    def _steps(self) -> Iterator[tuple[Said, tuple[ActionEntry, ...], ActionEntry | None]]:
        for index, said in enumerate(self.script):
            if isinstance(said, Said):
                before = tuple(each for each in self.script[:index] if isinstance(each, ActionEntry))
                match self.script[index + 1 : index + 2]:
                    case (ActionEntry(seat=seat) as following,) if seat == LEARNER:
                        yield said, before, following
                    case _:
                        yield said, before, None


# --- the hand of all editions ---
#
# In cards and spaces, {low} is the capturable rank; {second} and {fourth}, in cards {k} and {y}, are suits by their
# place in the edition; {passing} and {keeping} are spaces of the row `discard`.


@dataclass(frozen=True)
class _Placed:
    """The markers of the players from the seat `first` on, clockwise."""

    first: int
    spaces: tuple[str, ...]


@dataclass(frozen=True)
class _Dealt:
    hands: tuple[str, ...]


@dataclass(frozen=True)
class _Discarded:
    """A card of each seat, from seat 0 on."""

    cards: str


@dataclass(frozen=True)
class _Played:
    """Cards of a trick, from the seat `first` on."""

    first: int
    cards: str


def _placed(first: int, *spaces: str) -> _Placed:
    return _Placed(first, spaces)


_Part = Said | ActionEntry | _Placed | _Dealt | _Discarded | _Played

_NEW_BOARD: tuple[_Part, ...] = (
    Said(
        1,
        _("Cover what would hurt you."),
        _(
            "Each row settles one rule. A covered space is out. Your cards are strong, "
            "so −2 for each trick would hurt: tap −2."
        ),
        ("blue-7", "blue-9"),
    ),
    _placed(LEARNER, "points:-2", "trump:red", "points:1", "supertrump:{second}"),
    Said(
        1,
        _("Keep what helps you."),
        _("Super trumps are the strongest cards, and your red {low} may be one. Cover njet: it means no super trump."),
        ("red-{low}", "supertrump:red"),
    ),
    _placed(LEARNER, "supertrump:njet", "discard:discard_2", "start:3", "trump:{fourth}"),
    Said(
        1,
        _("Cover what you do not want."),
        _("With “{arrow}” you would pass two cards to your neighbour. Your cards are good: cover it."),
    ),
    _placed(LEARNER, "discard:{passing}", "trump:njet", "supertrump:{fourth}", "start:1"),
)

_OLD_BOARD: tuple[_Part, ...] = (
    Said(
        1,
        _("Cover what you do not want."),
        _(
            "Each row settles one rule. A covered space is out. Your cards are strong, "
            "so 1 point for each trick is little: tap 1."
        ),
        ("blue-7", "blue-9"),
    ),
    _placed(LEARNER, "points:1", "trump:red", "points:2", "supertrump:{second}"),
    Said(
        1,
        _("Keep what helps you."),
        _("Super trumps are the strongest cards, and your red {low} may be one. Cover njet: it means no super trump."),
        ("red-{low}", "supertrump:red"),
    ),
    _placed(LEARNER, "supertrump:njet", "start:3", "trump:{fourth}", "start:1"),
)

_HAND: tuple[_Part | str, ...] = (
    _Dealt(
        (
            "R{low} R3 {k}2 B7 B9 {y}4",
            "R9 {k}3 {k}6 B8 {y}{low} {y}5",
            "R5 R6 {k}{low} {k}7 {y}2 {y}9",
            "R4 R7 {k}9 B2 {y}6 {y}8",
        )
    ),
    "board",
    Said(
        2,
        _("One space stays open."),
        _("Only {second} and blue are open in this row. Cover {second}: the last space stays open, so blue is trump."),
        ("trump:blue", "blue-7", "blue-9"),
    ),
    _placed(LEARNER, "trump:{second}"),
    "between",
    Said(
        2,
        _("The last space decides."),
        _("Only you and {partner} are open in the first row. Cover {partner}: you stay open, and so you start."),
        ("start:0",),
    ),
    _placed(LEARNER, "start:2"),
    "last",
    Said(
        2,
        _("The open spaces are the rules."),
        _("You start, all discard 1 card, blue is trump, red {low}s are super trumps, and a trick is worth 3 points."),
        ("start:0", "discard:discard_1", "trump:blue", "supertrump:red", "points:3"),
    ),
    Said(
        3,
        _("Choose your partner."),
        _("You start, so you choose: two play against two. Tap {partner} to play against {left} and {right}."),
    ),
    ActionEntry(0, NameTeam((PARTNER,), None), LEARNER),
    Said(
        4,
        _("Discard one card."),
        _(
            "Each player puts one card away, face down. Without {fourth} 4 you hold no {fourth}, "
            "and that will help. Tap {fourth} 4."
        ),
    ),
    _Discarded("{y}4 {k}3 {y}2 B2"),
    Said(
        5,
        _("You lead the first trick."),
        _("A trick is one card from each player. Tap red 3: then all who hold red must play red."),
    ),
    _Played(LEARNER, "R3 R9 R5 R4"),
    Said(
        5,
        _("{left} wins the trick."),
        _("All have followed suit, and red 9 is the highest red. The winner of a trick leads the next one."),
    ),
    _Played(LEFT, "{k}6 {k}7 {k}9"),
    Said(
        5,
        _("Follow suit."),
        _("{left} led {second}, and you hold one of that suit: you must play it. Tap {second} 2."),
    ),
    _Played(LEARNER, "{k}2"),
    Said(
        5,
        _("{right} wins the trick."),
        _("{second} 9 is the highest of its suit. Now {right} leads."),
    ),
    _Played(RIGHT, "{y}8"),
    Said(
        6,
        _("Trump beats the other suits."),
        _("{right} led {fourth}, and you hold none: you may play any card. Blue is trump, so tap blue 7."),
    ),
    _Played(LEARNER, "B7 {y}5 {y}9"),
    Said(
        7,
        _("Super trump is the strongest."),
        _("You won with trump, so you lead. Red {low} is a super trump: not even a trump beats it. Tap red {low}."),
    ),
    _Played(LEARNER, "R{low} B8 R6 R7"),
    Said(
        8,
        _("Capture a {low}."),
        _("Even the blue 8 lost. Win a trick in which an opponent plays a {low}, and you capture it. Tap blue 9."),
    ),
    _Played(LEARNER, "B9 {y}{low} {k}{low} {y}6"),
    Said(
        8,
        _("You captured one {low}."),
        _(
            "The {low} of {left} counts like one more trick. "
            "The {low} of {partner} does not: {partner} is your partner."
        ),
    ),
    Said(
        8,
        _("The score is a product."),
        _(
            "Tricks and captured {low}s, times the points for a trick: {formula}. "
            "You and {partner} write down {points} each."
        ),
    ),
)
"""The whole hand.  A string stands for the markers of an edition with that name."""


def _script(edition: Edition, **markers: tuple[_Part, ...]) -> tuple[Said | ActionEntry, ...]:
    """The hand of an edition.

    `board`: until the row of trumps has two open spaces; `between`, `last`: the markers before and after the last one
    of the learner.
    """
    second, fourth = edition.suits[1], edition.suits[-1]
    spaces = edition.spaces[RowKey.DISCARD]
    named = {
        "low": edition.capturable_rank,
        "second": second,
        "fourth": fourth,
        "k": second.letter,
        "y": fourth.letter,
        "passing": next((space for space in spaces if EXCHANGES[space].to), ""),
        "keeping": next((space for space in spaces if EXCHANGES[space].kept is not None), ""),
    }

    def cards(text: str) -> tuple[Card, ...]:
        return tuple(map(Card.parse, text.format(**named).split()))

    def action(action: Action, seat: int | None = None) -> ActionEntry:
        return ActionEntry(0, action, None if seat is None else seat % len(NAMES))

    script: list[Said | ActionEntry] = []
    parts = (part for each in _HAND for part in (markers[each] if isinstance(each, str) else (each,)))
    for part in parts:
        match part:
            case Said():
                script.append(replace(part, lit=tuple(each.format(**named) for each in part.lit)))
            case _Placed(first, spaces):
                places = (space.format(**named).split(":") for space in spaces)
                script += [action(Place(RowKey(row), name), first + at) for at, (row, name) in enumerate(places)]
            case _Dealt(hands):
                script.append(action(Deal(tuple(map(cards, hands)))))
            case _Discarded(each):
                script += [action(Discard((card,)), seat) for seat, card in enumerate(cards(each))]
            case _Played(first, each):
                script += [action(Play(card), first + at) for at, card in enumerate(cards(each))]
            case _:
                script.append(part)
    return tuple(script)


_OF_60_CARDS: Mapping[str, tuple[_Part, ...]] = {
    "board": _NEW_BOARD,
    "between": (_placed(LEFT, "points:4", "discard:njet", "points:2"),),
    "last": (_placed(LEFT, "supertrump:blue", "discard:{keeping}"),),
}

LESSONS: Mapping[str, Lesson] = {
    "njet60": Lesson("njet-english", LEARNER, _script(NJET60, **_OF_60_CARDS)),
    "nyet60": Lesson("nyet-iello", LEARNER, _script(NYET60, **_OF_60_CARDS)),
    "goldsieber40": Lesson(
        "goldsieber-italian",
        RIGHT,
        _script(
            GOLDSIEBER40,
            board=_OLD_BOARD,
            between=(_placed(LEFT, "discard:discard_2", "supertrump:green", "points:4"),),
            last=(_placed(LEFT, "discard:njet", "supertrump:blue"),),
        ),
    ),
}
"""The lessons by edition, that of the default rules first."""

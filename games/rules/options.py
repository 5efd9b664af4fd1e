"""The options of the rules: values, names and what each decides (RULES.md section 2).

Must not know what an option does in play: one other module asks each option.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, fields
from enum import StrEnum

from games.rules.editions import THREE_RANKS, Edition
from games.rules.errors import gettext_noop

MOST_ROUNDS = 99
"""No game has more rounds; one that ends by points alone has this number."""

TARGETS = range(10, 1000)
"""At how many points a game may end."""


class FirstPlacer(StrEnum):
    """Who places the round's first marker."""

    DEALER = "dealer"
    LEFT_OF_DEALER = "left_of_dealer"


class SupertrumpSuit(StrEnum):
    """Which suit a super trump belongs to when following (RULES.md section 4)."""

    OWN_SUIT = "own_suit"
    TRUMP_OR_OWN = "trump_or_own"
    TRUMP = "trump"


class CapturedFrom(StrEnum):
    """Whose capturable cards count for the winner of a trick."""

    OPPONENTS = "opponents"
    EVERYONE = "everyone"


class ScoreRecord(StrEnum):
    """What is written on the sheet."""

    FULL = "full"
    DIFFERENCE = "difference"


class DiscardTiming(StrEnum):
    """The order of the phases teams and discard."""

    AFTER_TEAMS = "after_teams"
    BEFORE_TEAMS = "before_teams"


@dataclass(frozen=True, slots=True)
class Option:
    """What an option is called, what it decides, and the names of its values, in the order in which they are offered.

    An option without named values is a number of `numbers`.  `usual`: the value of the presets that say nothing else.
    `allowed`: the values that an edition knows, None for all.
    """

    label: str
    help: str
    names: Mapping[str | bool, str]
    usual: str | bool | None
    allowed: Callable[[Edition], Collection[object]] | None
    numbers: range

    @property
    def is_number(self) -> bool:
        """Whether the option is a number."""
        return not self.names

    @property
    def is_boolean(self) -> bool:
        """Whether the option is on or off."""
        return True in self.names

    def values(self, edition: Edition) -> tuple[str | bool, ...]:
        """The named values that an edition allows."""
        allowed = self.names if self.allowed is None else self.allowed(edition)
        return tuple(value for value in self.names if value in allowed)


def _option(
    label: str,
    help: str,
    names: Mapping[str | bool, str] | None = None,
    *,
    usual: str | bool | None = None,
    allowed: Callable[[Edition], Collection[object]] | None = None,
    numbers: range = range(0),
) -> Mapping[str, Option]:
    """The metadata of a field of `Options`."""
    return {"option": Option(label, help, names or {}, usual, allowed, numbers)}


@dataclass(frozen=True, slots=True)
class Options:
    """The options of a game, resolved.  `three_player_removal` is None where the preset has no game of three.

    A new option is a field here, the rule that asks it, and its description in RULES.md.
    """

    first_placer: FirstPlacer = field(
        metadata=_option(
            gettext_noop("First marker"),
            gettext_noop("Who covers the first space of a round. After that it goes clockwise."),
            {
                FirstPlacer.DEALER: gettext_noop("the dealer"),
                FirstPlacer.LEFT_OF_DEALER: gettext_noop("left of the dealer"),
            },
            usual=FirstPlacer.LEFT_OF_DEALER,
        )
    )
    three_player_removal: str | None = field(
        metadata=_option(
            gettext_noop("Cards taken out with 3 players"),
            gettext_noop("What stays in the box with three players, for the whole game."),
            {
                "three_7s": gettext_noop("three 7s of each colour"),
                "all_2s": gettext_noop("all 2s"),
                "all_4s": gettext_noop("all 4s"),
                **dict.fromkeys(THREE_RANKS, gettext_noop("all {low}s, {middle}s and {high}s")),
            },
            allowed=lambda edition: edition.removals,
        )
    )
    rounds: int = field(
        metadata=_option(
            gettext_noop("Rounds"),
            gettext_noop("How long the game is. A multiple of the players lets everybody deal equally often."),
            numbers=range(1, MOST_ROUNDS + 1),
        )
    )
    target: int | None = field(
        metadata=_option(
            gettext_noop("End at points"),
            gettext_noop("The game ends after the round in which a total reaches so many points."),
            numbers=TARGETS,
        )
    )
    supertrump_suit: SupertrumpSuit = field(
        metadata=_option(
            gettext_noop("Suit of a super trump"),
            gettext_noop("Whether a super trump has to follow its printed colour, a trump lead, or both."),
            {
                SupertrumpSuit.OWN_SUIT: gettext_noop("its printed colour"),
                SupertrumpSuit.TRUMP_OR_OWN: gettext_noop("trump, and its printed colour if you like"),
                SupertrumpSuit.TRUMP: gettext_noop("trump only"),
            },
            usual=SupertrumpSuit.OWN_SUIT,
        )
    )
    must_trump_when_void: bool = field(
        metadata=_option(
            gettext_noop("Duty to trump"),
            gettext_noop("Whether a player without the led colour has to play a trump or super trump."),
            {False: gettext_noop("no"), True: gettext_noop("yes")},
            usual=False,
        )
    )
    captured_from: CapturedFrom = field(
        metadata=_option(
            gettext_noop("Captured cards count from"),
            gettext_noop("Whose zeros (ones) count for the winner of a trick."),
            {
                CapturedFrom.OPPONENTS: gettext_noop("opponents"),
                CapturedFrom.EVERYONE: gettext_noop("everybody"),
            },
            usual=CapturedFrom.OPPONENTS,
        )
    )
    score_record: ScoreRecord = field(
        metadata=_option(
            gettext_noop("On the sheet"),
            gettext_noop("Write down each team's full score, or only by how much the better team won."),
            {
                ScoreRecord.FULL: gettext_noop("full scores"),
                ScoreRecord.DIFFERENCE: gettext_noop("the difference"),
            },
            usual=ScoreRecord.FULL,
        )
    )
    start_row: bool = field(
        metadata=_option(
            gettext_noop("Start player row"),
            gettext_noop("Whether the board decides who picks partners. Without the row the first placer does."),
            {True: gettext_noop("used"), False: gettext_noop("not used")},
            usual=True,
            allowed=lambda edition: (True, False) if edition.start_row_may_be_off else (True,),
        )
    )
    discard_timing: DiscardTiming = field(
        metadata=_option(
            gettext_noop("Discarding"),
            gettext_noop("Whether cards are put away before or after the teams are known."),
            {
                DiscardTiming.AFTER_TEAMS: gettext_noop("after the teams"),
                DiscardTiming.BEFORE_TEAMS: gettext_noop("before the teams"),
            },
            usual=DiscardTiming.AFTER_TEAMS,
        )
    )

    def to_json(self) -> dict[str, str | int | bool | None]:
        """The options as plain JSON values."""
        values = ((name, getattr(self, name)) for name in OPTIONS)
        return {name: str(value) if isinstance(value, StrEnum) else value for name, value in values}


OPTIONS: Mapping[str, Option] = {option.name: option.metadata["option"] for option in fields(Options)}
"""Every option by its name."""


NUMBERS: Mapping[str, range] = {name: option.numbers for name, option in OPTIONS.items() if option.is_number}
"""What each option that is a number may be, in every edition."""


def allowed_values(edition: Edition) -> dict[str, tuple[str | bool, ...]]:
    """What each option with named values may be in an edition."""
    return {name: option.values(edition) for name, option in OPTIONS.items() if not option.is_number}

"""Options and presets, frozen and validated (`rules.md` section 2).

Knows: the nine options, the five presets, which values an edition allows.  Must not know: what an option does in play;
that is asked in the one module that the option belongs to.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from enum import StrEnum

from games.rules.cards import Card
from games.rules.editions import CARDS_DISCARDED, GOLDSIEBER40, NJET60, Edition, Removal, RowKey
from games.rules.errors import OptionNotAllowed, UnknownOption, UnknownPreset, WrongPlayerCount, WrongType

MOST_ROUNDS = 99


class FirstPlacer(StrEnum):
    """Who places the round's first marker."""

    DEALER = "dealer"
    LEFT_OF_DEALER = "left_of_dealer"


class SupertrumpSuit(StrEnum):
    """Which suit a super trump belongs to when following (section 4)."""

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
class Options:
    """The nine options, resolved.  `three_player_removal` is None where the preset knows no game of three."""

    first_placer: FirstPlacer
    three_player_removal: Removal | None
    rounds: int
    supertrump_suit: SupertrumpSuit
    must_trump_when_void: bool
    captured_from: CapturedFrom
    score_record: ScoreRecord
    start_row: bool
    discard_timing: DiscardTiming

    def to_json(self) -> dict[str, str | int | bool | None]:
        """The options as the API writes them."""
        values = ((option.name, getattr(self, option.name)) for option in fields(self))
        return {name: str(value) if isinstance(value, StrEnum) else value for name, value in values}


OPTION_NAMES: tuple[str, ...] = tuple(option.name for option in fields(Options))


@dataclass(frozen=True, slots=True)
class Preset:
    """One of the five rule texts.  `rounds[players]`: the default length; its keys are the player counts."""

    key: str
    source: str
    edition: Edition
    rounds: Mapping[int, int]
    defaults: Mapping[str, str | bool | None]
    short_rounds: Mapping[int, int]

    @property
    def player_counts(self) -> tuple[int, ...]:
        """The numbers of players that the text is written for."""
        return tuple(sorted(self.rounds))


_NJET60_ROUNDS = {2: 8, 3: 9, 4: 8, 5: 10}


def _preset(
    key: str,
    source: str,
    edition: Edition,
    rounds: Mapping[int, int],
    *,
    removal: str | None,
    supertrump_suit: str,
    first_placer: str = "left_of_dealer",
    must_trump_when_void: bool = False,
    captured_from: str = "opponents",
    discard_timing: str = "after_teams",
    short_rounds: Mapping[int, int] | None = None,
) -> Preset:
    return Preset(
        key=key,
        source=source,
        edition=edition,
        rounds=rounds,
        defaults={
            "first_placer": first_placer,
            "three_player_removal": removal,
            "supertrump_suit": supertrump_suit,
            "must_trump_when_void": must_trump_when_void,
            "captured_from": captured_from,
            "score_record": "full",
            "start_row": True,
            "discard_timing": discard_timing,
        },
        short_rounds=short_rounds or {},
    )


PRESETS: Mapping[str, Preset] = {
    preset.key: preset
    for preset in (
        _preset(
            "njet-english",
            "S0",
            NJET60,
            _NJET60_ROUNDS,
            removal="three_7s",
            supertrump_suit="own_suit",
            first_placer="dealer",
        ),
        _preset(
            "njet-wikipedia",
            "S1",
            NJET60,
            _NJET60_ROUNDS,
            removal="three_7s",
            supertrump_suit="trump_or_own",
            first_placer="dealer",
            discard_timing="before_teams",
        ),
        _preset(
            "goldsieber-french",
            "S2",
            GOLDSIEBER40,
            {3: 8, 4: 8},
            removal="all_2s",
            supertrump_suit="trump",
            must_trump_when_void=True,
            captured_from="everyone",
        ),
        _preset(
            "goldsieber-dutch",
            "S3",
            GOLDSIEBER40,
            {3: 6, 4: 8},
            removal="all_4s",
            supertrump_suit="trump",
            short_rounds={3: 3, 4: 4},
        ),
        _preset("goldsieber-italian", "S4", GOLDSIEBER40, {4: 8}, removal=None, supertrump_suit="own_suit"),
    )
}

DEFAULT_PRESET = "njet-english"


def find_preset(key: str) -> Preset:
    """The preset of this key.

    Errors: `UnknownPreset`.
    """
    preset = PRESETS.get(key)
    if preset is None:
        raise UnknownPreset(preset=key)
    return preset


def allowed_values(edition: Edition) -> dict[str, tuple[str | bool, ...]]:
    """What each option may be in an edition; `rounds` is any whole number from 1 to `MOST_ROUNDS`."""
    return {
        "first_placer": tuple(FirstPlacer),
        "three_player_removal": tuple(edition.removals),
        "supertrump_suit": tuple(SupertrumpSuit),
        "must_trump_when_void": (False, True),
        "captured_from": tuple(CapturedFrom),
        "score_record": tuple(ScoreRecord),
        "start_row": (True, False) if edition.start_row_may_be_off else (True,),
        "discard_timing": tuple(DiscardTiming),
    }


@dataclass(frozen=True, slots=True)
class Ruleset:
    """The rules of one game: a preset, a number of players and the nine resolved options."""

    preset: str
    players: int
    options: Options

    @classmethod
    def of(cls, preset: str, players: int, changed: Mapping[str, object] | None = None) -> Ruleset:
        """The preset's rules for so many players, with some options changed.

        Errors: `UnknownPreset`, `WrongPlayerCount`, `UnknownOption`, `OptionNotAllowed`, `WrongType`.
        """
        chosen = find_preset(preset)
        if players not in chosen.rounds:
            raise WrongPlayerCount(players=players, allowed=list(chosen.player_counts))
        values: dict[str, object] = {**chosen.defaults, "rounds": chosen.rounds[players]}
        for name, value in (changed or {}).items():
            values[name] = _checked(chosen, name, value)
        removal = values["three_player_removal"]
        return cls(
            preset=preset,
            players=players,
            options=Options(
                first_placer=FirstPlacer(str(values["first_placer"])),
                three_player_removal=None if removal is None else Removal(str(removal)),
                rounds=_whole_number(values["rounds"]),
                supertrump_suit=SupertrumpSuit(str(values["supertrump_suit"])),
                must_trump_when_void=bool(values["must_trump_when_void"]),
                captured_from=CapturedFrom(str(values["captured_from"])),
                score_record=ScoreRecord(str(values["score_record"])),
                start_row=bool(values["start_row"]),
                discard_timing=DiscardTiming(str(values["discard_timing"])),
            ),
        )

    @property
    def edition(self) -> Edition:
        """The edition that the preset belongs to."""
        return PRESETS[self.preset].edition

    @property
    def rows(self) -> tuple[RowKey, ...]:
        """The rows in use, top to bottom."""
        return tuple(row for row in RowKey if row is not RowKey.START or self.options.start_row)

    def spaces(self, row: RowKey) -> tuple[str, ...]:
        """The spaces of a row; in the start row one for each seat (absent tokens are covered already)."""
        if row is RowKey.START:
            return tuple(str(seat) for seat in range(self.players))
        return self.edition.spaces[row]

    def first_placer(self, dealer: int) -> int:
        """The seat that places the first marker of a round."""
        if self.options.first_placer is FirstPlacer.DEALER:
            return dealer
        return (dealer + 1) % self.players

    def markers(self, *, first_placer: int) -> tuple[int, ...]:
        """How many markers each seat places in a round, by seat."""
        placed = sum(len(self.spaces(row)) - 1 for row in self.rows)
        each, rest = divmod(placed, self.players)
        return tuple(each + ((seat - first_placer) % self.players < rest) for seat in range(self.players))

    @property
    def dealt(self) -> int:
        """How many cards each player is dealt."""
        return self.edition.dealt[self.players]

    def deck(self) -> tuple[Card, ...]:
        """The cards that are shuffled in this game, sorted."""
        return self.edition.deck(players=self.players, removal=self.options.three_player_removal)

    def tricks(self, discard: str) -> int:
        """The number of tricks in a round with this open space in the row `discard`."""
        return self.dealt - CARDS_DISCARDED[discard]


def _checked(preset: Preset, name: str, value: object) -> object:
    if name == "rounds":
        rounds = _whole_number(value)
        if not 1 <= rounds <= MOST_ROUNDS:
            raise OptionNotAllowed(option=name, value=rounds, allowed=f"1–{MOST_ROUNDS}")
        return rounds
    allowed = allowed_values(preset.edition).get(name)
    if allowed is None:
        raise UnknownOption(option=name)
    if value is None and value == preset.defaults[name]:
        return value
    if isinstance(allowed[0], bool):
        if not isinstance(value, bool):
            raise WrongType(field=name, expected="boolean")
    elif not isinstance(value, str):
        raise WrongType(field=name, expected="text")
    if value not in allowed:
        raise OptionNotAllowed(option=name, value=value, allowed=", ".join(str(each) for each in allowed))
    return value


def _whole_number(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise WrongType(field="rounds", expected="whole_number")
    return value

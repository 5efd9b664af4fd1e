"""Presets, and the rules of one game: a preset, a number of players, the options (RULES.md section 2)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from games.rules.cards import Card
from games.rules.editions import EXCHANGES, GOLDSIEBER40, NJET60, NYET60, Edition, RowKey
from games.rules.errors import OptionNotAllowed, UnknownOption, UnknownPreset, WrongPlayerCount, WrongType, gettext_noop
from games.rules.options import MOST_ROUNDS, OPTIONS, FirstPlacer, Option, Options


@dataclass(frozen=True, slots=True)
class Preset:
    """A rule text.  `rounds[players]`: the default length; its keys are the player counts."""

    key: str
    name: str
    source: str
    edition: Edition
    rounds: Mapping[int, int]
    defaults: Mapping[str, str | bool | None]
    short_rounds: Mapping[int, int]

    @property
    def player_counts(self) -> tuple[int, ...]:
        """The numbers of players that the text is written for."""
        return tuple(sorted(self.rounds))


def _preset(
    key: str,
    name: str,
    source: str,
    edition: Edition,
    rounds: Mapping[int, int],
    *,
    short_rounds: Mapping[int, int] | None = None,
    **changed: str | bool,
) -> Preset:
    """A preset whose options are the usual ones, but for those that its text changes."""
    usual = {option: facts.usual for option, facts in OPTIONS.items() if option != "rounds"}
    return Preset(key, name, source, edition, rounds, {**usual, **changed}, short_rounds or {})


_NJET60_ROUNDS = {2: 8, 3: 9, 4: 8, 5: 10}

PRESETS: Mapping[str, Preset] = {
    preset.key: preset
    for preset in (
        _preset(
            "njet-english",
            gettext_noop("NJET, English rules"),
            "S0",
            NJET60,
            _NJET60_ROUNDS,
            first_placer="dealer",
            three_player_removal="three_7s",
        ),
        _preset(
            "njet-wikipedia",
            gettext_noop("NJET, as on Wikipedia"),
            "S1",
            NJET60,
            _NJET60_ROUNDS,
            first_placer="dealer",
            three_player_removal="three_7s",
            supertrump_suit="trump_or_own",
            discard_timing="before_teams",
        ),
        _preset(
            "nyet-iello",
            gettext_noop("Nyet! 2015"),
            "S5",
            NYET60,
            _NJET60_ROUNDS,
            first_placer="dealer",
            three_player_removal="all_2s_3s_4s",
            supertrump_suit="trump",
        ),
        _preset(
            "goldsieber-french",
            gettext_noop("Goldsieber 1997, French"),
            "S2",
            GOLDSIEBER40,
            {3: 8, 4: 8},
            three_player_removal="all_2s",
            supertrump_suit="trump",
            must_trump_when_void=True,
            captured_from="everyone",
        ),
        _preset(
            "goldsieber-dutch",
            gettext_noop("Goldsieber 1997, Dutch"),
            "S3",
            GOLDSIEBER40,
            {3: 6, 4: 8},
            short_rounds={3: 3, 4: 4},
            three_player_removal="all_4s",
            supertrump_suit="trump",
        ),
        _preset(
            "goldsieber-german",
            gettext_noop("Goldsieber 1997, German"),
            "S6",
            GOLDSIEBER40,
            {3: 6, 4: 8},
            short_rounds={3: 3, 4: 4},
            three_player_removal="all_2s",
            supertrump_suit="trump",
        ),
        _preset("goldsieber-italian", gettext_noop("Goldsieber 1997, Italian"), "S4", GOLDSIEBER40, {4: 8}),
    )
}

_COUNTS = [count for preset in PRESETS.values() for count in preset.player_counts]
FEWEST_PLAYERS, MOST_PLAYERS = min(_COUNTS), max(_COUNTS)
"""For how many players a rule text is written, of all of them."""

DEFAULT_PRESET = "njet-english"


def find_preset(key: str) -> Preset:
    """The preset of this key.

    Errors: `UnknownPreset`.
    """
    preset = PRESETS.get(key)
    if preset is None:
        raise UnknownPreset(preset=key)
    return preset


@dataclass(frozen=True, slots=True)
class Ruleset:
    """The rules of one game: a preset, a number of players and the resolved options."""

    preset: str
    players: int
    options: Options

    @classmethod
    def of(cls, preset: str, players: int, changed: Mapping[str, object] | None = None) -> Ruleset:
        """The preset's rules for a number of players, with some options changed.

        Errors: `UnknownPreset`, `WrongPlayerCount`, `UnknownOption`, `OptionNotAllowed`, `WrongType`.
        """
        chosen = find_preset(preset)
        if players not in chosen.rounds:
            raise WrongPlayerCount(players=players, allowed=list(chosen.player_counts))
        values: dict[str, object] = {**chosen.defaults, "rounds": chosen.rounds[players]}
        for name, value in (changed or {}).items():
            values[name] = _checked(chosen, name, value)
        if values["target"] is not None and "rounds" not in (changed or {}):
            # Points end such a game; how many rounds it takes is not known.
            values["rounds"] = MOST_ROUNDS
        return cls(preset, players, Options(**{name: _typed(OPTIONS[name], value) for name, value in values.items()}))

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
    def rounds(self) -> int | None:
        """How many rounds the game has at most; None if points alone end it."""
        is_bound = self.options.target is None or self.options.rounds < MOST_ROUNDS
        return self.options.rounds if is_bound else None

    @property
    def dealt(self) -> int:
        """How many cards each player is dealt."""
        return self.edition.dealt[self.players]

    def deck(self) -> tuple[Card, ...]:
        """The cards that are shuffled in this game, sorted."""
        return self.edition.deck(players=self.players, removal=self.options.three_player_removal)

    @property
    def aside(self) -> int:
        """How many cards of the deck are not dealt."""
        return len(self.deck()) - self.players * self.dealt

    def tricks(self, discard: str) -> int:
        """The number of tricks in a round with this open space in the row `discard`."""
        return self.dealt - EXCHANGES[discard].discarded


def _checked(preset: Preset, name: str, value: object) -> object:
    option = OPTIONS.get(name)
    if option is None:
        raise UnknownOption(option=name)
    if value is None and preset.defaults.get(name, "") is None:
        return value
    if option.is_number:
        if isinstance(value, bool) or not isinstance(value, int):
            raise WrongType(field=name, expected="whole_number")
        if value not in option.numbers:
            raise OptionNotAllowed(option=name, value=value, allowed=f"{option.numbers[0]}–{option.numbers[-1]}")
        return value
    if option.is_boolean:
        if not isinstance(value, bool):
            raise WrongType(field=name, expected="boolean")
    elif not isinstance(value, str):
        raise WrongType(field=name, expected="text")
    allowed = option.values(preset.edition)
    if value not in allowed:
        raise OptionNotAllowed(option=name, value=value, allowed=", ".join(str(each) for each in allowed))
    return value


def _typed(option: Option, value: object) -> Any:
    """A value that has been checked, as the member of its enumeration."""
    return next((named for named in option.names if named == value), value)

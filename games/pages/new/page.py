"""The page that opens a table: presets, players, options with an explanation each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from games.bots import LEVELS
from games.pages.new.forms import ELSEWHERE, HERE, NewTable, offered_options
from games.pages.parts.players import letters_of
from games.rules import PRESETS, Preset, find_preset
from games.rules.options import MOST_ROUNDS
from games.texts import words


@dataclass(frozen=True)
class PresetChoice:
    """A preset with its players."""

    key: str
    name: str
    players: str
    is_chosen: bool


@dataclass(frozen=True)
class PlaceView:
    """A place at the new table."""

    number: int
    name: str
    token: str
    tokens: list[tuple[str, str]]
    shown: str
    sign: str
    needed: bool
    plays: str


@dataclass(frozen=True)
class OptionView:
    """An option: its title and help, its values, and the preset's value."""

    name: str
    title: str
    help: str
    values: list[tuple[str, str]]
    chosen: str
    usual: str


@dataclass(frozen=True)
class NewTablePage:
    """Everything that the page of a new table shows."""

    presets: list[PresetChoice]
    preset: str
    rules: str
    players_hint: str
    is_choosing: bool
    places: list[PlaceView]
    too_many: str
    known: list[str]
    options: list[OptionView]
    rounds: str
    rounds_hint: str
    most_rounds: int
    digital: bool
    players: list[tuple[str, str]]
    bots: list[tuple[str, str]]


def new_table_page(typed: NewTable, *, known: Sequence[str], is_choosing: bool = False) -> NewTablePage:
    """The page with what was typed so far.

    Errors: `UnknownPreset`.
    """
    preset = find_preset(typed.preset)
    # Names beyond the number of players stay visible, so that the user can decide which one to remove.
    places = max([*preset.player_counts, *(place + 1 for place in typed.seated)])
    letters, shown = letters_of(typed.names), _tokens_shown(typed, preset)
    return NewTablePage(
        presets=[
            PresetChoice(each.key, words.preset_name(each.key), _players(each), each.key == preset.key)
            for each in PRESETS.values()
        ],
        preset=preset.key,
        rules=words.preset_name(preset.key),
        players_hint=_players(preset),
        is_choosing=is_choosing or any(typed.options.values()),
        places=[_place(typed, preset, number, shown[number], letters[number]) for number in range(places)],
        too_many=_too_many(preset, len(typed.seated)),
        known=[name for name in known if name not in typed.names][:12],
        options=[
            _option(preset, name, values, typed.options.get(name, ""))
            for name, values in offered_options(preset).items()
        ],
        rounds=typed.options.get("rounds", ""),
        rounds_hint=_rounds_hint(preset),
        most_rounds=MOST_ROUNDS,
        digital=typed.digital,
        players=[(HERE, _("on this phone")), (ELSEWHERE, _("on a phone of their own")), *_bots()],
        bots=_bots(),
    )


def _bots() -> list[tuple[str, str]]:
    return [(level, _("bot: {level}").format(level=words.BOT_LEVELS[level])) for level in LEVELS]


def _players(preset: Preset) -> str:
    counts = preset.player_counts
    sentence = str(counts[0]) if len(counts) == 1 else f"{counts[0]}–{counts[-1]}"
    return _("{count} players").format(count=sentence)


def _too_many(preset: Preset, typed: int) -> str:
    if typed <= max(preset.player_counts):
        return ""
    return _("“{rules}” is for {players}, and {count} names are typed: take names out or choose other rules.").format(
        rules=words.preset_name(preset.key), players=_players(preset), count=typed
    )


def _tokens_shown(typed: NewTable, preset: Preset) -> list[str]:
    """The token of each place: the chosen one, else the next that is free."""
    free = iter([token for token in preset.edition.tokens if token not in typed.tokens])
    return [token if token in preset.edition.tokens else next(free, "none") for token in typed.tokens]


def _place(typed: NewTable, preset: Preset, number: int, shown: str, sign: str) -> PlaceView:
    return PlaceView(
        number=number,
        name=typed.names[number],
        token=typed.tokens[number],
        tokens=[(token, str(words.TOKEN_NAMES[token])) for token in preset.edition.tokens],
        shown=shown,
        sign=sign or str(number + 1),
        needed=number < min(preset.player_counts),
        plays=typed.plays[number],
    )


def _option(preset: Preset, name: str, values: Sequence[object], chosen: str) -> OptionView:
    return OptionView(
        name=name,
        title=words.option_name(name),
        help=words.option_help(name),
        values=[(str(value), words.option_value(name, value)) for value in values],
        chosen=chosen,
        usual=words.option_value(name, preset.defaults[name]),
    )


def _rounds_hint(preset: Preset) -> str:
    usual = ", ".join(
        _("{rounds} with {players}").format(rounds=rounds, players=players) for players, rounds in preset.rounds.items()
    )
    if not preset.short_rounds:
        return _("Usual: {usual} players.").format(usual=usual)
    short = ", ".join(
        _("{rounds} with {players}").format(rounds=rounds, players=players)
        for players, rounds in preset.short_rounds.items()
    )
    return _("Usual: {usual} players. Short game: {short}.").format(usual=usual, short=short)

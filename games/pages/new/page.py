"""The page that opens a table: presets, players, options with an explanation each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.text import capfirst
from django.utils.translation import gettext as _

from games.bots import LEVELS
from games.pages.new.forms import (
    BOT_NAMES,
    ELSEWHERE,
    HERE,
    SHORT,
    NewTable,
    TypedPlace,
    offered_options,
)
from games.pages.parts.bots import style_line
from games.pages.parts.players import letters_of
from games.rules import PRESETS, Preset, find_preset
from games.rules.editions import EDITIONS, Edition
from games.rules.options import NUMBERS
from games.rules.ruleset import Ruleset
from games.texts import words
from games.texts.unnamed import is_unnamed, name_by_number


@dataclass(frozen=True)
class PresetChoice:
    """A preset, its name, and how many can play."""

    key: str
    name: str
    players: str


@dataclass(frozen=True)
class BoxChoice:
    """A box of the game by what is on its cards, the preset that it begins with, and whether it is the chosen one."""

    name: str
    preset: str
    is_chosen: bool


@dataclass(frozen=True)
class NumberView:
    """An option that is a number: title and hint, what is typed, the least and the most, what an empty field means."""

    name: str
    title: str
    hint: str
    typed: str
    least: int
    most: int
    empty: str


@dataclass(frozen=True)
class PlaceView(TypedPlace):
    """A place at the new table.  `placeholder`: shown while no name is typed; `bot`, `friend`, `hint`: if a bot or a
    friend plays there, and beside a real board.
    """

    tokens: list[tuple[str, str]]
    shown: str
    sign: str
    hint: str
    bot: str
    friend: str
    placeholder: str

    @property
    def plays_field(self) -> str:
        """The name of the field that says who plays there."""
        return f"plays-{self.number}"


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
class StartButton:
    """The button that opens the table, and what a script lets it say while names are typed: `invite`, with friends."""

    text: str
    invite: str


@dataclass(frozen=True)
class NewTablePage:
    """Everything that the page of a new table shows.

    `chosen`: one of the `presets`, which are those of one box; `again`: the offer to take the players of the last game;
    `may_draw`: there are seats to draw; `may_fill`: there are seats that bots can fill.
    """

    boxes: list[BoxChoice]
    presets: list[PresetChoice]
    chosen: PresetChoice
    is_choosing: bool
    places: list[PlaceView]
    too_many: str
    again: str
    known: list[str]
    may_draw: bool
    may_fill: bool
    numbers: list[NumberView]
    options: list[OptionView]
    digital: bool
    levels: list[tuple[str, str]]
    lengths: list[tuple[str, str]]
    length: str
    is_by_lot: bool
    start: StartButton


def new_table_page(
    typed: NewTable,
    *,
    known: Sequence[str],
    again: Sequence[str] = (),
    is_choosing: bool = False,
    is_by_lot: bool = True,
) -> NewTablePage:
    """The page with what was typed so far.  `again`: who played the last time.

    Errors: `UnknownPreset`.
    """
    preset = find_preset(typed.preset)
    # Names beyond the number of players stay visible, so that the user can decide which one to remove.
    places = max([*preset.player_counts, *(place.number + 1 for place in typed.seated)])
    names = [place.name for place in typed.places]
    looks = zip(typed.places[:places], typed.shown_tokens, letters_of(names), strict=False)
    return NewTablePage(
        boxes=[_box(edition, is_chosen=edition.key == preset.edition.key) for edition in EDITIONS.values()],
        presets=[_choice(each) for each in _presets(preset.edition)],
        chosen=_choice(preset),
        is_choosing=is_choosing or any(typed.options.values()),
        places=[_place(typed, preset, place, shown, sign) for place, shown, sign in looks],
        too_many=_too_many(preset, len(typed.seated)),
        again=_("{names} again").format(names=words.listing(again)) if again else "",
        known=[name for name in known if name not in {*names, *BOT_NAMES} and not is_unnamed(name)][:12],
        may_draw=len(typed.seated) > 1,
        may_fill=bool(typed.unfilled),
        numbers=[
            _number(typed, "rounds", _rounds_hint(preset), _("as usual")),
            _number(typed, "target", words.option_help("target"), words.option_value("target", None)),
        ],
        options=[
            _option(preset, name, values, typed.options.get(name, ""))
            for name, values in offered_options(preset).items()
        ],
        digital=typed.digital,
        levels=levels(),
        lengths=lengths(preset),
        length=typed.length,
        is_by_lot=is_by_lot,
        start=StartButton(
            text=_start(typed),
            invite=_("Start and invite {names}"),
        ),
    )


def levels() -> list[tuple[str, str]]:
    """The levels of bots, each as the name of a choice."""
    return [(level, capfirst(str(words.BOT_LEVELS[level]))) for level in LEVELS]


def company(preset: Preset) -> list[str]:
    """What is said of the bots at a table of one person and as many bots as can play, in the order of their seats."""
    ruleset = Ruleset.of(preset.key, max(preset.player_counts))
    return [style_line(name, ruleset) or name for name in BOT_NAMES[1 : ruleset.players]]


def lengths(preset: Preset) -> list[tuple[str, str]]:
    """The lengths of a digital game: the number of rounds, empty for the usual one, and the name of the choice."""
    quick, half = SHORT
    fewest, most = min(preset.rounds.values()), max(preset.rounds.values())
    full = _("Full {rounds}").format(rounds=str(most) if fewest == most else f"{fewest}–{most}")
    short = [(quick, _("Quick {rounds}").format(rounds=quick)), (half, _("Half {rounds}").format(rounds=half))]
    return [*short, ("", full)]


def _start(typed: NewTable) -> str:
    """What the main button does."""
    friends = [place.called for place in typed.seated if typed.who(place) == ELSEWHERE]
    return _("Start and invite {names}").format(names=words.listing(friends)) if friends else _("Start")


def _choice(preset: Preset) -> PresetChoice:
    return PresetChoice(preset.key, words.preset_name(preset.key), _players(preset))


def _presets(edition: Edition) -> list[Preset]:
    return [preset for preset in PRESETS.values() if preset.edition.key == edition.key]


def _box(edition: Edition, *, is_chosen: bool) -> BoxChoice:
    return BoxChoice(words.box_name(edition), _presets(edition)[0].key, is_chosen)


def _number(typed: NewTable, name: str, hint: str, empty: str) -> NumberView:
    numbers = NUMBERS[name]
    return NumberView(name, words.option_name(name), hint, typed.options.get(name, ""), numbers[0], numbers[-1], empty)


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


def _place(typed: NewTable, preset: Preset, place: TypedPlace, shown: str, sign: str) -> PlaceView:
    number = place.number
    bot = style_line(BOT_NAMES[number], Ruleset.of(preset.key, max(preset.player_counts))) or BOT_NAMES[number]
    friend = name_by_number(number + 1)
    is_needed = number < min(preset.player_counts)
    hint = friend if is_needed else _("Player {number} (if any)").format(number=number + 1)
    asks = {HERE: _("Your name"), ELSEWHERE: friend}
    who = typed.who(place)
    return PlaceView(
        **vars(place),
        tokens=[(token, words.token_name(token, preset.key)) for token in preset.edition.tokens],
        shown=shown,
        sign=sign or str(number + 1),
        hint=hint,
        bot=bot,
        friend=friend,
        placeholder=bot if who in LEVELS else asks.get(who, hint),
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

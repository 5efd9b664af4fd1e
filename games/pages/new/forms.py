"""The form of a new table, and what it holds so far."""

from __future__ import annotations

import secrets
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from django.http import QueryDict
from django.utils.translation import gettext

from games.bots import LEVELS
from games.bots.style import STYLES
from games.models import Mode
from games.pages.forms import NumberField, SeatsForm, TextField, form_id, whole_number
from games.rules import DEFAULT_PRESET, NjetError, Preset, Setup, allowed_values, find_preset
from games.rules.errors import OptionNotAllowed, WrongPlayerCount
from games.rules.options import NUMBERS
from games.rules.ruleset import MOST_PLAYERS, Ruleset
from games.rules.setup import typed_names
from games.rules.text import clean_line
from games.texts.unnamed import is_unnamed, name_by_number

HERE, ELSEWHERE, UNUSED = "here", "person", "none"
"""Who plays a seat of a digital game, if not a bot: a person on this phone, on a phone of their own, or no one."""

USUAL_PLAYERS = 4
"""How many play against bots, and as far as bots fill a table, unless it is said."""

BOT_NAMES = tuple(STYLES)
"""The names of bots, by place, as far as none is typed."""

HANDS = ("open_hands", "usual_hands")
"""The box that shows all hands after each round, and how it is until it is tapped."""

CHANCE = secrets.SystemRandom()

SHORT = ("2", "4")
"""The rounds of a quick and of half a digital game."""


@dataclass(frozen=True)
class TypedPlace:
    """A place of a new table as typed so far.  `plays`: who plays it if the cards are on the phones."""

    number: int
    name: str
    token: str
    plays: str

    @property
    def called(self) -> str:
        """The name of the player; without one a bot has its own, and people are called by their number."""
        return self.name or (BOT_NAMES[self.number] if self.plays in LEVELS else name_by_number(self.number + 1))


@dataclass(frozen=True)
class NewTable:
    """What was typed so far for a new table.

    `digital`: the cards are on the phones, for `length` rounds (one of `SHORT`, else the usual number), and `lot` draws
    the dealer.  `alone`: one person against bots.  `open_hands`: whether the box is checked that shows all hands after
    each round; `usual_hands`: whether it is until it is tapped.
    """

    preset: str
    places: tuple[TypedPlace, ...]
    options: dict[str, str] = field(default_factory=dict)
    group: str = ""
    digital: bool = False
    length: str = ""
    lot: int = 0
    alone: bool = False
    open_hands: bool = False
    usual_hands: bool = False

    @classmethod
    def blank(cls, preset: str = DEFAULT_PRESET, group: str = "", *, digital: bool = False) -> NewTable:
        """A table before anything is typed."""
        plays = (HERE, ELSEWHERE, *[UNUSED] * (MOST_PLAYERS - 2))
        places = tuple(TypedPlace(number, "", "", player) for number, player in enumerate(plays))
        return cls(preset, places, group=group, digital=digital)

    @classmethod
    def again(
        cls, setup: Setup, names: Sequence[str], *, bots: Sequence[str | None], here: Collection[int], group: str = ""
    ) -> NewTable:
        """The table of an earlier game: its players and bots in their seats, with their tokens, by the same rules.

        `here`: the seats that were played on this phone.
        """
        options = setup.ruleset.options
        usual = Ruleset.of(setup.ruleset.preset, len(names), {"target": options.target}).options.to_json()
        changed = {name: str(value) for name, value in options.to_json().items() if value != usual[name]}
        if options.target is not None:
            changed["target"] = str(options.target)
        length = changed.pop("rounds", "") if setup.digital and changed.get("rounds") in SHORT else ""
        seated = zip(range(MOST_PLAYERS), setup.seats, names, bots, strict=False)
        places = [
            # A bot's own name is that of its place, and a number is none.
            TypedPlace(
                number,
                "" if (bot and name in BOT_NAMES) or is_unnamed(name) else name,
                seat.token,
                bot or (HERE if number in here else ELSEWHERE),
            )
            for number, seat, name, bot in seated
        ]
        blank = cls(
            setup.ruleset.preset,
            cls.blank().places,
            changed,
            group,
            digital=setup.digital,
            length=length,
            open_hands=setup.open_hands,
            # As if it had been tapped: what was agreed on stays.
            usual_hands=not setup.open_hands,
        )
        free = [replace(place, plays=UNUSED) for place in blank.places[len(places) :]]
        return blank.with_places([*places, *free])

    def who(self, place: TypedPlace) -> str:
        """Who plays a place on a phone: no one where the cards are on the table."""
        return place.plays if self.digital else UNUSED

    @property
    def seated(self) -> list[TypedPlace]:
        """The places that are taken: those with a name, and in a digital game those that are in use."""
        return [place for place in self.places if place.name or self.who(place) != UNUSED]

    @property
    def bots(self) -> list[str | None]:
        """The level of the bot of each seat, None for a person."""
        return [who if who in LEVELS else None for who in map(self.who, self.seated)]

    @property
    def own_seats(self) -> list[int]:
        """The seats that are played on this phone; the first person's if none is."""
        here = [seat for seat, place in enumerate(self.seated) if self.who(place) == HERE]
        return here or self.people[:1]

    @property
    def people(self) -> list[int]:
        """The seats of a digital game that no bot plays."""
        return [seat for seat, place in enumerate(self.seated) if self.who(place) in (HERE, ELSEWHERE)]

    def with_usual_hands(self) -> NewTable:
        """As usual, all hands are shown after each round where one person plays against bots.

        A box that was tapped stays as it is.
        """
        usual = len(self.people) == 1
        tapped = self.open_hands != self.usual_hands
        return replace(self, open_hands=self.open_hands if tapped else usual, usual_hands=usual)

    @property
    def free_place(self) -> TypedPlace | None:
        """The first place without a name or a bot."""
        return next((each for each in self.places if not each.name and self.who(each) not in LEVELS), None)

    @property
    def phone(self) -> str:
        """The owner of this phone, as far as known: in a digital game the first player on it."""
        return next((self.seated[seat].called for seat in self.own_seats), "")

    def against_bots(self, players: int = USUAL_PLAYERS, level: str = LEVELS[0]) -> NewTable:
        """With one player on this phone, and `players` seats in all."""
        plays = (HERE, *[level] * (players - 1), *[UNUSED] * (MOST_PLAYERS - players))
        changed = replace(self, digital=True, alone=True)
        return changed.with_places(replace(place, plays=plays[place.number]) for place in self.places)

    @property
    def unfilled(self) -> list[TypedPlace]:
        """The places that bots fill on request: the first free ones, up to the usual number of players."""
        free = [place for place in self.places if place not in self.seated]
        return free[: max(USUAL_PLAYERS - len(self.seated), 0)]

    def filled(self) -> NewTable:
        """With easy bots on the places that they fill."""
        return self.with_places(replace(place, plays=LEVELS[0]) for place in self.unfilled)

    def with_places(self, places: Iterable[TypedPlace]) -> NewTable:
        """With these places instead of those of the same numbers."""
        changed = {place.number: place for place in places}
        return replace(self, places=tuple(changed.get(place.number, place) for place in self.places))

    def with_tokens(self, last: Mapping[str, str]) -> NewTable:
        """With the last token of each player, by name, who has chosen none: people keep their colour."""
        allowed, taken, places = find_preset(self.preset).edition.tokens, {each.token for each in self.places}, []
        for place in self.places:
            token = last.get(place.name, "")
            if place.name and not place.token and token in allowed and token not in taken:
                taken.add(token)
                places.append(replace(place, token=token))
        return self.with_places(places)

    def with_seats_drawn(self) -> NewTable:
        """With those who are seated in an order by lot; all keep their tokens."""
        shown = ["" if token == "none" else token for token in self.shown_tokens]
        drawn = CHANCE.sample(self.seated, k=len(self.seated))
        return self.with_places(
            replace(place, name=who.name, token=shown[who.number], plays=who.plays)
            for place, who in zip(self.seated, drawn, strict=True)
        )

    def with_tokens_drawn(self) -> NewTable:
        """With tokens by lot."""
        offered = find_preset(self.preset).edition.tokens
        tokens = CHANCE.sample(offered, k=len(offered))
        drawn = {place.number: token for place, token in zip(self.seated, tokens, strict=False)}
        return self.with_places(replace(place, token=drawn.get(place.number, "")) for place in self.places)

    @property
    def shown_tokens(self) -> list[str]:
        """The token of each place: the chosen one, else the next that is free; “none” where no token is left."""
        offered, chosen = find_preset(self.preset).edition.tokens, [place.token for place in self.places]
        free = iter([token for token in offered if token not in chosen])
        return [token if token in offered else next(free, "none") for token in chosen]

    def setup(self) -> Setup:
        """The set-up that was typed.

        Errors: every `IllegalSetup`, `WrongType`.
        """
        seated, shown = self.seated, [None if token == "none" else token for token in self.shown_tokens]
        length, lot = (self.length, self.lot) if self.digital else ("", 0)
        options = {"rounds": length, **{k: v for k, v in self.options.items() if v}}
        allowed = allowed_values(find_preset(self.preset).edition)
        return Setup.of(
            preset=self.preset,
            names=typed_names([place.called for place in seated]),
            # As shown, also where a place before was left free; what is no token at all is refused by its name.
            tokens=[place.token or shown[place.number] for place in seated],
            options={name: _option(allowed, name, value) for name, value in options.items() if value},
            dealer=lot % len(seated) if seated else 0,
            digital=self.digital,
            # The box of the other mode is not seen.
            open_hands=self.digital and self.open_hands,
        )


def offered_options(preset: Preset) -> dict[str, tuple[str | bool, ...]]:
    """The options that a preset leaves open, with their values."""
    values = allowed_values(preset.edition)
    return {name: each for name, each in values.items() if len(each) > 1 and preset.defaults[name] is not None}


class NewTableForm(SeatsForm):
    """The form of a new table.  What cannot be read counts as not typed; `NewTable.setup` refuses what is wrong."""

    def __init__(self, data: QueryDict) -> None:
        super().__init__(data)
        self._id = form_id(data) or ""
        self.add_seats(MOST_PLAYERS)
        for name in ("preset", "mode", "group", "label", "length", "dealer", "players", "level", *HANDS):
            self.fields[name] = TextField()
        for index in range(MOST_PLAYERS):
            self.fields[f"plays-{index}"] = TextField()
        for name in data:
            if name.startswith("option-"):
                self.fields[name] = TextField()
        for name in NUMBERS:
            self.fields[f"option-{name}"] = NumberField(name, optional=True)

    @property
    def has_folded_error(self) -> bool:
        """Whether an error is at a field that the page folds away."""
        return any(name.startswith("option-") for name in self.errors)

    @property
    def table(self) -> NewTable:
        """What was typed.  The dealer is drawn by the id of the form: sent twice, it draws the same."""
        drawn = self._id if self.data.get("dealer") == "lot" else ""
        typed = NewTable(
            preset=self.data.get("preset", DEFAULT_PRESET),
            places=tuple(map(self._place, NewTable.blank().places)),
            options={name.removeprefix("option-"): self.data[name] for name in self.data if name.startswith("option-")},
            group=self.data.get("group", ""),
            digital=self.data.get("mode") == Mode.DIGITAL,
            length=self._chosen("length", SHORT, ""),
            lot=int(drawn or "0", 16),
            open_hands="open_hands" in self.data,
            usual_hands=self.data.get("usual_hands") == "1",
        )
        if "players" not in self.data:
            return typed
        players = self._chosen("players", [str(count) for count in range(2, MOST_PLAYERS + 1)], str(USUAL_PLAYERS))
        return typed.against_bots(int(players), self._chosen("level", LEVELS, LEVELS[0]))

    def _place(self, blank: TypedPlace) -> TypedPlace:
        name = clean_line(self.data.get(f"name-{blank.number}", ""))
        plays = self._chosen(f"plays-{blank.number}", (HERE, ELSEWHERE, UNUSED, *LEVELS), blank.plays)
        # A name that was typed for another mode of play is a friend's.
        plays = ELSEWHERE if name and plays == UNUSED else plays
        return TypedPlace(blank.number, name, self.data.get(f"token-{blank.number}", ""), plays)

    def _chosen(self, name: str, offered: Collection[str], usual: str) -> str:
        """The value of a field; the usual one instead of what is not offered."""
        value = self.data.get(name, "")
        return value if value in offered else usual

    @property
    def _types_too_few(self) -> bool:
        return len(self.table.seated) < min(find_preset(self.table.preset).player_counts)

    def sentence(self, refusal: NjetError) -> str:
        """A refusal in words: what to type, if there is nearly nothing yet."""
        if isinstance(refusal, WrongPlayerCount) and len(self.table.seated) < 2:
            return gettext("Add a friend or a bot.") if self.table.digital else gettext("Type at least two names.")
        return super().sentence(refusal)

    def field_about(self, refusal: NjetError) -> str | None:
        """The field of an option that cannot be chosen, or that of a seat; of a name that is missing, the first."""
        if isinstance(refusal, WrongPlayerCount) and self._types_too_few:
            free = self.table.free_place
            return None if free is None else f"name-{free.number}"
        if isinstance(refusal, OptionNotAllowed):
            name = str(refusal.params["option"])
            is_shown = name in {*NUMBERS, *offered_options(find_preset(self.table.preset))}
            return f"option-{name}" if is_shown else None
        return super().field_about(refusal)


def _option(allowed: Mapping[str, tuple[str | bool, ...]], name: str, value: str) -> object:
    if name in NUMBERS:
        return whole_number(name, value)
    if name in allowed and isinstance(allowed[name][0], bool):
        return {"True": True, "False": False}.get(value, value)
    return value

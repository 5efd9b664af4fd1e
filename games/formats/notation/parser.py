"""Reading a record (`NOTATION.md`): the tags, then line by line, asking the rules at each.

Must not know: how the canonical text is laid out.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from games.formats.notation.moves import READERS, Move, Table, read_by_seat, read_moves, read_spaces, refusal
from games.formats.notation.record import DIGITAL, FORMAT, OPEN, Record, is_time, paper_from_text, result_of
from games.formats.notation.tokens import Cursor, Kind, Token, expectation, literal, plain, uncapitalized
from games.rules.actions import Action, Discard, Pass
from games.rules.editions import RowKey
from games.rules.errors import (
    GameOver,
    MinutesOutOfRange,
    NjetError,
    NotAtTable,
    NoteTooLong,
    OpenHandsAreDigital,
    PlaceTooLong,
    RecordDiffers,
    RowNotUsed,
    StintImpossible,
    TagMissing,
    TagTwice,
    UnknownFormat,
    UnknownLine,
    UnknownTag,
    WrongPhase,
)
from games.rules.full import State, advance, public_of
from games.rules.occasion import Occasion
from games.rules.options import OPTIONS
from games.rules.public import PublicState
from games.rules.rounds import Round
from games.rules.setup import Setup, Stint
from games.rules.text import clean_line

PLAIN_TAGS = (
    *("Format", "Source", "Date", "Ended", "Minutes", "Place", "Note", "Group"),
    *("Preset", "Mode", "Hands", "Paper", "Dealer", "Result"),
)
KEYED_TAGS = {"Option": "option", "Player": "token", "Earlier": "token"}
FREE_TAGS = ("Source", "Place", "Note", "Group", "Player", "Earlier")
"""The tags with a text that people have typed; the others hold words of the program."""

STATEMENTS = ("open", "raw", "score", "total")
FIRST_WORDS = {*READERS, *STATEMENTS}


def parse(text: str) -> Record:
    """The record of a text.

    Errors: the `NotationError` family for what cannot be read and for a stated fact that is not what the rules compute;
    `RecordRefused` for a set-up or an action that the rules do not allow.  All carry `line` and `column`, from 1 on.
    """
    cursor = Cursor(text, first_words=FIRST_WORDS)
    tags = _read_tags(cursor)
    setup = tags.setup(cursor.here)
    game = _Game(setup)
    while cursor.here.kind is not Kind.END:
        game.read_line(cursor)
    tags.check_result(game.state)
    return Record(
        setup=setup,
        actions=tuple(game.actions),
        began=tags.text("Date"),
        ended=tags.text("Ended"),
        group=tags.text("Group"),
        source=tags.text("Source"),
        seats=tuple(game.seats) if any(seat is not None for seat in game.seats) else (),
        occasion=tags.occasion(),
    )


# --- tags ---


@dataclass(frozen=True, slots=True)
class _Tag:
    """`at`: the opening bracket; `value_at`: the quoted text."""

    at: Token
    value_at: Token

    @property
    def value(self) -> str:
        return self.value_at.text


@dataclass(slots=True)
class _Tags:
    """The tags of a text, in its order."""

    plain: dict[str, _Tag] = field(default_factory=dict)
    options: dict[str, _Tag] = field(default_factory=dict)
    players: list[tuple[Token, _Tag]] = field(default_factory=list)
    earlier: list[tuple[Token, int, _Tag]] = field(default_factory=list)

    def text(self, name: str) -> str | None:
        """What a tag says, None without it."""
        return self.plain[name].value if name in self.plain else None

    def setup(self, end: Token) -> Setup:
        """The set-up of the tags.  `end`: what follows the tags."""
        if "Preset" not in self.plain:
            raise TagMissing(line=end.line, column=end.column, tag="Preset")
        if not self.players:
            raise TagMissing(line=end.line, column=end.column, tag="Player")
        preset = self.plain["Preset"].value
        names = [tag.value for _, tag in self.players]
        taken = [token.text for token, _ in self.players]
        options = {name: _option(name, tag) for name, tag in self.options.items()}
        dealer = self._dealer(taken)
        earlier = [Stint(_seat_of(token, taken), tag.value, until) for token, until, tag in self.earlier]
        try:
            return Setup.of(
                preset=preset,
                names=names,
                tokens=taken,
                options=options,
                dealer=dealer,
                digital="Mode" in self.plain,
                paper=paper_from_text(self.text("Paper") or ""),
                open_hands="Hands" in self.plain,
                earlier=earlier,
            )
        except NjetError as error:
            raise refusal(error, self._place_of(error), names) from None

    def occasion(self) -> Occasion:
        """What the tags state of the occasion."""
        minutes = self.text("Minutes")
        try:
            return Occasion.of(
                began=None,
                minutes=None if minutes is None else int(minutes),
                place=self.text("Place") or "",
                note=self.text("Note") or "",
            )
        except NjetError as error:
            raise refusal(error, self.plain[_TAGS_OF_OCCASION[type(error)]].value_at, ()) from None

    def check_result(self, state: PublicState) -> None:
        """Refuse a result that is not that of the game."""
        tag = self.plain.get("Result")
        if tag is None:
            return
        stated = ", ".join(" ".join(part.split()) for part in tag.value.split(","))
        _compare(tag.value_at, stated, result_of(state))

    def _dealer(self, taken: list[str]) -> int:
        tag = self.plain.get("Dealer")
        if tag is None:
            return 0
        return _seat_of(tag.value_at, taken)

    def _place_of(self, error: NjetError) -> Token:
        """The tag that a refused set-up is about; where several could be meant, the last."""
        if error.code.startswith("paper"):
            return self.plain["Paper"].value_at
        match error.params:
            case {"option": str(option)}:
                return self.options[option].at
            case {"number": int(number)}:
                return self.players[number - 1][1].at
            case {"name": str(name)}:
                named = [*(tag for _, tag in self.players), *(tag for *_, tag in self.earlier)]
                return [tag.at for tag in named if clean_line(tag.value) == name][-1]
            case {"token": str(taken)}:
                return [tag.at for token, tag in self.players if token.text == taken][-1]
        if isinstance(error, StintImpossible):
            return self.earlier[-1][2].at
        if isinstance(error, OpenHandsAreDigital):
            return self.plain["Hands"].at
        return self.plain["Preset"].at


def _option(name: str, tag: _Tag) -> object:
    """An option's value: a number, yes or no, otherwise a word that the rules accept or refuse."""
    option = OPTIONS.get(name)
    if option is None:
        return tag.value
    if option.is_number:
        if not _is_number(tag.value):
            raise expectation("whole_number", tag.value_at)
        return int(tag.value)
    if option.is_boolean:
        if tag.value not in ("yes", "no"):
            raise expectation("yes_or_no", tag.value_at)
        return tag.value == "yes"
    return tag.value


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= _DIGITS


_DIGITS = 9

_TAGS_OF_OCCASION: Mapping[type[NjetError], str] = {
    MinutesOutOfRange: "Minutes",
    PlaceTooLong: "Place",
    NoteTooLong: "Note",
}


def _seat_of(at: Token, taken: list[str]) -> int:
    """The seat of a token.

    Errors: `NotAtTable`.
    """
    if at.text not in taken:
        raise NotAtTable(line=at.line, column=at.column, token=at.text)
    return taken.index(at.text)


def _read_tags(cursor: Cursor) -> _Tags:
    tags = _Tags()
    while cursor.is_next("["):
        at = cursor.take()
        name = cursor.of(Kind.WORD, "tag_name")
        if not tags.plain and name.text != "Format":
            raise TagMissing(line=at.line, column=at.column, tag="Format")
        if name.text in KEYED_TAGS:
            key = cursor.of(Kind.WORD, KEYED_TAGS[name.text])
            until = cursor.count() if name.text == "Earlier" else 0
            tag = _Tag(at, _value_of(name.text, cursor))
            if name.text == "Player":
                tags.players.append((key, tag))
            elif name.text == "Earlier":
                # A name that is missing is refused as that of a player, by the number.
                if not clean_line(tag.value):
                    raise expectation("text", tag.value_at)
                tags.earlier.append((key, until, tag))
            else:
                _add(tags.options, key.text, tag)
        elif name.text in PLAIN_TAGS:
            _add(tags.plain, name.text, _Tag(at, _value_of(name.text, cursor)))
            _check_plain(name.text, tags.plain[name.text].value_at)
        else:
            raise UnknownTag(line=name.line, column=name.column, tag=name.text)
        cursor.demand("]")
        cursor.line_end()
    if not tags.plain:
        raise TagMissing(line=cursor.here.line, column=cursor.here.column, tag="Format")
    return tags


def _value_of(name: str, cursor: Cursor) -> Token:
    token = cursor.of(Kind.TEXT, "text")
    return token if name in FREE_TAGS else token._replace(text=plain(token.text))


def _check_plain(name: str, at: Token) -> None:
    if name == "Format" and at.text != FORMAT:
        raise UnknownFormat(line=at.line, column=at.column, format=FORMAT)
    if name == "Mode" and at.text != DIGITAL:
        raise literal(DIGITAL, at)
    if name == "Paper" and paper_from_text(at.text) is None:
        raise expectation("paper", at)
    if name == "Hands" and at.text != OPEN:
        raise literal(OPEN, at)
    if name in ("Date", "Ended") and not is_time(at.text):
        raise expectation("time_in_utc", at)
    if name == "Minutes" and not _is_number(at.text):
        raise expectation("whole_number", at)


def _add(tags: dict[str, _Tag], name: str, tag: _Tag) -> None:
    if name in tags:
        raise TagTwice(line=tag.at.line, column=tag.at.column, tag=name)
    tags[name] = tag


# --- lines ---


class _Game:
    """The game of the lines, as far as they have been read."""

    def __init__(self, setup: Setup) -> None:
        self._state: State = PublicState.start(setup)
        self.actions: list[Action] = []
        self.seats: list[int | None] = []
        self._table = Table(setup)

    @property
    def state(self) -> PublicState:
        """What everyone sees so far."""
        return public_of(self._state)

    def read_line(self, cursor: Cursor) -> None:
        """Read the next line: play its actions, or compare what it states."""
        if cursor.is_next("=="):
            self._read_heading(cursor)
            return
        word = cursor.of(Kind.WORD, "line")
        if uncapitalized(word.text) in FIRST_WORDS:
            word = word._replace(text=uncapitalized(word.text))
        if word.text in READERS:
            for move in read_moves(cursor, word, self._table):
                self._play(move)
            return
        match word.text:
            case "open":
                self._read_open(cursor, word)
            case "raw" | "score" | "total":
                self._read_figures(cursor, word)
            case _:
                raise UnknownLine(line=word.line, column=word.column, word=word.text)
        cursor.line_end()

    def _play(self, move: Move) -> None:
        try:
            following = advance(self._state, move.action, seat=move.seat)
        except NjetError as error:
            raise self._table.refused(error, move.at) from None
        if move.against is not None:
            self._check_against(move.at, move.against, public_of(following))
        self._state = following
        self.actions.append(move.action)
        self.seats.append(move.seat if isinstance(move.action, Discard | Pass) else None)

    def _check_against(self, at: Token, stated: tuple[int, ...], following: PublicState) -> None:
        assert following.current is not None, "naming the teams ends no game"
        assert following.current.teams is not None, "the teams have just been named"
        other = following.current.teams.other
        if tuple(sorted(stated)) != other:
            raise _differs(at, self._names(stated), self._names(other))

    def _names(self, seats: tuple[int, ...]) -> str:
        return ", ".join(self.state.setup.seats[seat].token for seat in seats)

    # --- what the rules compute ---

    def _read_heading(self, cursor: Cursor) -> None:
        at = cursor.take()
        cursor.demand("Round")
        current = self._fresh_round("Round", at)
        number_at, number = cursor.number()
        _compare(number_at, number, current.number)
        if cursor.taken("of"):
            rounds_at, rounds = cursor.number()
            _compare(rounds_at, rounds, self.state.ruleset.options.rounds)
        if cursor.taken(","):
            dealer_at = cursor.here
            dealer = self._table.seat(cursor)
            cursor.demand("deals")
            _compare(dealer_at, self._names((dealer,)), self._names((current.dealer,)))
        cursor.demand("==")
        cursor.line_end()

    def _fresh_round(self, word: str, at: Token) -> Round:
        """The round that begins here."""
        current = self.state.current
        if current is None:
            raise self._table.refused(GameOver(), at)
        if not _is_fresh(current):
            raise self._misplaced(word, at)
        return current

    def _read_open(self, cursor: Cursor, word: Token) -> None:
        current = self.state.current
        if current is None or current.conditions is None:
            raise self._misplaced("open", word)
        left = {row.key: row.settled_space for row in current.board.rows}
        for row, (space, at) in read_spaces(cursor, self._table).items():
            if row not in left:
                raise self._table.refused(RowNotUsed(row=row.value), at)
            stated, computed = (self._space(row, each) for each in (space, left[row] or ""))
            _compare(at, stated, computed)

    def _space(self, row: RowKey, space: str) -> str:
        return self._names((int(space),)) if row is RowKey.START else space

    def _read_figures(self, cursor: Cursor, word: Token) -> None:
        """A line of the sheet: after a round, before the next marker."""
        current = self.state.current
        if not self.state.finished or (current is not None and not _is_fresh(current)):
            raise self._misplaced(word.text, word)
        score = self.state.finished[-1].score
        computed = {"raw": score.raw, "score": score.points, "total": self.state.totals}[word.text]
        for (at, stated), figure in zip(read_by_seat(cursor, self._table, Cursor.number), computed, strict=True):
            _compare(at, stated, figure)

    def _misplaced(self, word: str, at: Token) -> NjetError:
        return self._table.refused(WrongPhase(action=word, phase=self.state.phase.value), at)


def _is_fresh(current: Round) -> bool:
    return current.board.is_untouched and not current.hand_sizes


def _compare(at: Token, stated: int | str, computed: int | str) -> None:
    if stated != computed:
        raise _differs(at, stated, computed)


def _differs(at: Token, stated: int | str, computed: int | str) -> RecordDiffers:
    return RecordDiffers(line=at.line, column=at.column, stated=stated, computed=computed)

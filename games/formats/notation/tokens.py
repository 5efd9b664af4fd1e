"""The words of a record: cutting a text into tokens with their line and column, and walking along them.

Must not know: what any of them means.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator
from enum import Enum
from typing import NamedTuple

from games.formats.notation.record import LONGEST_TEXT
from games.rules.codec import LARGEST_NUMBER
from games.rules.errors import NotationError, NotationTooLong
from games.rules.text import clean_line


class Kind(Enum):
    """The kind of a token."""

    WORD = "word"
    NUMBER = "number"
    TEXT = "text"
    PUNCTUATION = "punctuation"
    LINE_END = "line end"
    END = "end"


class Token(NamedTuple):
    """A piece of the text with the `line` and `column` of its start, from 1 on.  `text`: quoted texts without marks."""

    kind: Kind
    text: str
    line: int
    column: int


DASHES = "\u2010\u2011\u2012\u2013\u2014\u2212\ufe63\uff0d"
"""What phones and word processors write for a hyphen or a minus."""
_HYPHENS = str.maketrans(dict.fromkeys(DASHES, "-"))
QUOTES = "“”„‟«»＂"
"""What they write for quotation marks."""

_BLANKS = str.maketrans({**dict.fromkeys("\xa0\u2007\u202f", " "), **dict.fromkeys("\xad\u200b\u2060\ufeff", None)})
"""What becomes of blanks, and stands between letters, on the way: in a text that was written here they have a code."""

_BREAKS = r"\r\n\x85\u2028\u2029"

# Each alternative begins with another character, and no repetition holds a choice between two that could match the same
# character: the time grows with the length of the text alone.
_PIECE = re.compile(
    rf"""(?P<LINE_END>\r\n|[{_BREAKS}])
    |(?P<blank>[^\S{_BREAKS}]+|[\xad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]+|\#[^{_BREAKS}]*)
    |(?P<WORD>[A-Za-z](?:[A-Za-z0-9_-]|[{DASHES}](?=[A-Za-z0-9]))*)
    |(?P<NUMBER>[-{DASHES}]?[0-9]+)
    |(?P<TEXT>"(?:[^"\\\r\n]|\\[^\r\n])*")
    |(?P<PUNCTUATION>==|.)""",
    re.VERBOSE,
)
_ESCAPE = re.compile(rf"""\\(?:u\{{(?P<code>[0-9A-Fa-f]{{1,6}})\}}|(?P<mark>["{QUOTES}])|(?P<plain>\\))""")
_LAST_CHARACTER = 0x10FFFF

_CURLY = re.compile(
    rf"""
    ["{QUOTES}](?P<inside>(?:[^\\{_BREAKS}]|\\[^{_BREAKS}])*?)["{QUOTES}]
    (?=[^\S{_BREAKS}]*\]?[^\S{_BREAKS}]*(?:\#[^{_BREAKS}]*)?(?:[{_BREAKS}]|\Z))
    """,
    re.VERBOSE,
)
"""A text in typographic marks.  It ends with the last mark of its line: a text is the last thing of a line or a tag."""

_BROKEN = re.compile(
    r"""
    "(?P<inside>(?:[^"\\\r\n]|\\[^\r\n])*
    (?:(?:\r\n|[\r\n])[ \t>]*(?![ \t>\r\n]|\[|==)(?:[^"\\\r\n]|\\[^\r\n])*){1,12})"
    """,
    re.VERBOSE,
)
"""A text that was broken where a blank stood: none of its further lines is empty, a tag or a heading."""
_LINE_END = re.compile(r"\r\n|[\r\n]")
_BREAK = re.compile(r"[ \t]*(?:\r\n|[\r\n])[ \t>]*")


def tokens(text: str) -> Iterator[Token]:
    """The tokens, with one end of line after each line that is not empty, and an end.

    A line that ends with a comma or semicolon goes on in the next: its end is left out.  The tokens are cut when they
    are asked for: what is refused early takes no time, however long the rest is.
    Errors: `NotationTooLong`, `NotationError` for a quoted text that is not one.
    """
    _check_length(text)
    place = line_start = 1 if text.startswith("\ufeff") else 0
    line, is_begin = 1, True
    last: Token | None = None
    while (piece := _PIECE.match(text, place)) is not None:
        column = place - line_start + 1
        group, end = piece.lastgroup or "", piece.end()
        if group == "LINE_END":
            # After a comma or semicolon, a line goes on.
            if last is not None and (last.kind is not Kind.PUNCTUATION or last.text not in (",", ";")):
                yield Token(Kind.LINE_END, "", line, column)
                last = None
            line, line_start, is_begin = line + 1, end, True
        elif group != "blank" and not (is_begin and piece.group() == ">"):
            is_begin = False
            kind, word = Kind[group], piece.group()
            if word == '"' or word in QUOTES:
                kind, word, end = _marked(text, place, kind)
            last = _token(kind, word, line, column)
            yield last
            for broken in _LINE_END.finditer(text, place, end):
                line, line_start = line + 1, broken.end()
        place = end
    finish = Token(Kind.END, "", line, len(text) - line_start + 1)
    if last is not None:
        yield finish._replace(kind=Kind.LINE_END)
    yield finish


def _marked(text: str, place: int, kind: Kind) -> tuple[Kind, str, int]:
    """The kind, the text in straight marks and the end of what begins with a mark that has no straight one behind it in
    its line.  `kind`: what it is if it is no text."""
    curly = _CURLY.match(text, place)
    if curly is not None:
        return Kind.TEXT, f'"{curly["inside"].strip()}"', curly.end()
    broken = _BROKEN.match(text, place)
    if broken is not None:
        return Kind.TEXT, f'"{_BREAK.sub(" ", broken["inside"])}"', broken.end()
    return kind, text[place], place + 1


def _check_length(text: str) -> None:
    if len(text) > LONGEST_TEXT:
        line = text.count("\n", 0, LONGEST_TEXT) + 1
        column = LONGEST_TEXT - text.rfind("\n", 0, LONGEST_TEXT)
        raise NotationTooLong(line=line, column=column, most=LONGEST_TEXT)


def _token(kind: Kind, text: str, line: int, column: int) -> Token:
    if text == '"':
        raise NotationError(line=line, column=column, expected="closing_mark")
    if kind in (Kind.WORD, Kind.NUMBER):
        text = text.translate(_HYPHENS)
    if kind is Kind.NUMBER and len(text) > len(str(-LARGEST_NUMBER)) - 1:
        # Numbers of thousands of digits can be read, but never be written in a refusal.
        raise NotationError(line=line, column=column, expected="short_whole_number")
    if kind is Kind.TEXT:
        text = _unquoted(text.translate(_BLANKS), line, column)
    return Token(kind, text, line, column)


def uncapitalized(word: str) -> str:
    """A word without the capital that phones put at the begin of a line."""
    return word[:1].lower() + word[1:]


def quoted(text: str) -> str:
    """A text in quotation marks, on one line: a backslash before marks and backslashes, codes for what has no print."""
    shown = (f"\\u{{{ord(each):x}}}" if not each.isprintable() else each for each in text)
    return '"' + "".join(f"\\{each}" if each in ('"', "\\") else each for each in shown) + '"'


def _unquoted(text: str, line: int, column: int) -> str:
    if "\\" not in text:
        return text[1:-1]
    pieces: list[str] = []
    place = 1
    while place < len(text) - 1:
        if text[place] != "\\":
            following = text.find("\\", place)
            following = len(text) - 1 if following < 0 else following
            pieces.append(text[place:following])
            place = following
            continue
        escape = _ESCAPE.match(text, place)
        if escape is None or int(escape["code"] or "0", 16) > _LAST_CHARACTER:
            raise NotationError(line=line, column=column + place, expected="escape")
        # Only straight marks are written with a backslash: another one was made of them.
        pieces.append(escape["plain"] or ('"' if escape["mark"] else chr(int(escape["code"], 16))))
        place = escape.end()
    return "".join(pieces)


def expectation(expected: str, at: Token) -> NotationError:
    """The refusal of a token where something else has to be."""
    return NotationError(line=at.line, column=at.column, expected=expected)


def literal(text: str, at: Token) -> NotationError:
    """The refusal of a token where these very characters have to be."""
    return NotationError(line=at.line, column=at.column, expected="literal", literal=text)


def plain(text: str) -> str:
    """A text of the program's own words (a preset, a time), with the blanks and hyphens that it was written with."""
    return clean_line(text).translate(_HYPHENS)


class Cursor:
    """A place in a text, going forward: `here` is the next token.

    `first_words`: those that lines begin with.  Mail programs break long lines where a blank stands: the end of a line
    is passed over if what has to come, and cannot begin a line, stands in the next.
    What is not as expected is a `NotationError` with line and column.
    """

    def __init__(self, text: str, first_words: Collection[str] = ()) -> None:
        self._tokens = tokens(text)
        self._first_words = first_words
        self._following: Token | None = None
        self.here = next(self._tokens)

    def go_on(self, fits: Callable[[Token], bool]) -> None:
        """Pass over the end of a line if the first token of the next one fits."""
        if self.here.kind is Kind.LINE_END:
            self._following = self._following or next(self._tokens)
            if fits(self._following):
                self.take()

    def _cannot_begin(self, token: Token) -> bool:
        return token.text not in ("[", "==") and uncapitalized(token.text) not in self._first_words

    def error(self, expected: str, at: Token | None = None) -> NotationError:
        """The refusal of a token, of the next one unless it is given."""
        return expectation(expected, at or self.here)

    def take(self) -> Token:
        """The next token of any kind; the end is never passed."""
        token = self.here
        if token.kind is not Kind.END:
            self.here = self._following or next(self._tokens)
            self._following = None
        return token

    def of(self, kind: Kind, expected: str) -> Token:
        """The next token, which has to be of this kind."""
        if self.here.kind is not kind:
            self.go_on(lambda token: token.kind is kind and self._cannot_begin(token))
        if self.here.kind is not kind:
            raise self.error(expected)
        return self.take()

    def is_next(self, text: str) -> bool:
        """Whether this word or punctuation comes next."""
        return self.here.kind in (Kind.WORD, Kind.PUNCTUATION) and self.here.text == text

    def taken(self, text: str) -> bool:
        """Take this word or punctuation if it comes next."""
        self.go_on(lambda token: token.text == text and self._cannot_begin(token))
        found = self.is_next(text)
        if found:
            self.take()
        return found

    def demand(self, text: str) -> Token:
        """This word or punctuation, which has to come next."""
        self.go_on(lambda token: token.text == text and self._cannot_begin(token))
        if not self.is_next(text):
            raise literal(text, self.here)
        return self.take()

    def number(self) -> tuple[Token, int]:
        """A whole number, with its token."""
        token = self.of(Kind.NUMBER, "whole_number")
        return token, int(token.text)

    def count(self) -> int:
        """A whole number from 0 on."""
        token, number = self.number()
        if number < 0:
            raise self.error("count", token)
        return number

    def line_end(self) -> None:
        """The end of a line."""
        self.of(Kind.LINE_END, "line_end")

"""The words of a record: cutting a text into tokens with their line and column, and walking along them.

Must not know: what any of them means.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import Enum
from typing import NamedTuple

from games.formats.notation.record import LONGEST_TEXT
from games.rules.codec import LARGEST_NUMBER
from games.rules.errors import NotationError, NotationTooLong


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


# Each alternative begins with another character, and no repetition holds a choice between two that could match the same
# character: the time grows with the length of the text alone.
_PIECE = re.compile(
    r"""(?P<LINE_END>\r\n|\r|\n)
    |(?P<blank>[^\S\r\n]+|\#[^\r\n]*)
    |(?P<WORD>[A-Za-z][A-Za-z0-9_-]*)
    |(?P<NUMBER>[-−]?[0-9]+)
    |(?P<TEXT>"(?:[^"\\\r\n]|\\[^\r\n])*")
    |(?P<PUNCTUATION>==|.)""",
    re.VERBOSE,
)
_ESCAPE = re.compile(r"""\\(?:u\{(?P<code>[0-9A-Fa-f]{1,6})\}|(?P<plain>["\\]))""")
_LAST_CHARACTER = 0x10FFFF


def tokens(text: str) -> Iterator[Token]:
    """The tokens, with one end of line after each line that is not empty, and an end.

    A line that ends with a comma or semicolon goes on in the next: its end is left out.  The tokens are cut when they
    are asked for: what is refused early takes no time, however long the rest is.
    Errors: `NotationTooLong`, `NotationError` for a quoted text that is not one.
    """
    _check_length(text)
    line, line_start = 1, 1 if text.startswith("\ufeff") else 0
    last: Token | None = None
    for piece in _PIECE.finditer(text, line_start):
        column = piece.start() - line_start + 1
        group = piece.lastgroup or ""
        if group == "LINE_END":
            # After a comma or semicolon, a line goes on.
            if last is not None and (last.kind is not Kind.PUNCTUATION or last.text not in (",", ";")):
                yield Token(Kind.LINE_END, "", line, column)
                last = None
            line, line_start = line + 1, piece.end()
        elif group != "blank":
            last = _token(Kind[group], piece.group(), line, column)
            yield last
    end = Token(Kind.END, "", line, len(text) - line_start + 1)
    if last is not None:
        yield end._replace(kind=Kind.LINE_END)
    yield end


def _check_length(text: str) -> None:
    if len(text) > LONGEST_TEXT:
        line = text.count("\n", 0, LONGEST_TEXT) + 1
        column = LONGEST_TEXT - text.rfind("\n", 0, LONGEST_TEXT)
        raise NotationTooLong(line=line, column=column, most=LONGEST_TEXT)


def _token(kind: Kind, text: str, line: int, column: int) -> Token:
    if text == '"':
        raise NotationError(line=line, column=column, expected="closing_mark")
    if kind is Kind.NUMBER and len(text) > len(str(-LARGEST_NUMBER)) - 1:
        # Numbers of thousands of digits can be read, but never be written in a refusal.
        raise NotationError(line=line, column=column, expected="short_whole_number")
    if kind is Kind.TEXT:
        text = _unquoted(text, line, column)
    return Token(kind, text, line, column)


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
        pieces.append(escape["plain"] or chr(int(escape["code"], 16)))
        place = escape.end()
    return "".join(pieces)


def expectation(expected: str, at: Token) -> NotationError:
    """The refusal of a token where something else has to be."""
    return NotationError(line=at.line, column=at.column, expected=expected)


def literal(text: str, at: Token) -> NotationError:
    """The refusal of a token where these very characters have to be."""
    return NotationError(line=at.line, column=at.column, expected="literal", literal=text)


class Cursor:
    """A place in a text, going forward: `here` is the next token.

    What is not as expected is a `NotationError` with line and column.
    """

    def __init__(self, text: str) -> None:
        self._tokens = tokens(text)
        self.here = next(self._tokens)

    def error(self, expected: str, at: Token | None = None) -> NotationError:
        """The refusal of a token, of the next one unless it is given."""
        return expectation(expected, at or self.here)

    def take(self) -> Token:
        """The next token of any kind; the end is never passed."""
        token = self.here
        if token.kind is not Kind.END:
            self.here = next(self._tokens)
        return token

    def of(self, kind: Kind, expected: str) -> Token:
        """The next token, which has to be of this kind."""
        if self.here.kind is not kind:
            raise self.error(expected)
        return self.take()

    def is_next(self, text: str) -> bool:
        """Whether this word or punctuation comes next."""
        return self.here.kind in (Kind.WORD, Kind.PUNCTUATION) and self.here.text == text

    def taken(self, text: str) -> bool:
        """Take this word or punctuation if it comes next."""
        found = self.is_next(text)
        if found:
            self.take()
        return found

    def demand(self, text: str) -> Token:
        """This word or punctuation, which has to come next."""
        if not self.is_next(text):
            raise literal(text, self.here)
        return self.take()

    def number(self) -> tuple[Token, int]:
        """A whole number, with its token."""
        token = self.of(Kind.NUMBER, "whole_number")
        return token, int(token.text.replace("−", "-"))

    def count(self) -> int:
        """A whole number from 0 on."""
        token, number = self.number()
        if number < 0:
            raise self.error("count", token)
        return number

    def line_end(self) -> None:
        """The end of a line."""
        self.of(Kind.LINE_END, "line_end")

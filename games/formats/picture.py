"""A finished game as a picture for a chat: who won, the standings, the race.

Knows: colours, fonts, where things stand.  Must not know: the log, the rules; its caller computes the values.
It imports Pillow, so import it only to draw: an idle server goes without (40 ms and 6 MB).

The font has Latin, Greek and Cyrillic letters.  Of any other text (Chinese, emoji) `drawable` keeps what can be drawn,
without accents if need be; a name of which nothing is left needs another one from the caller.  There are no boxes.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from io import BytesIO
from threading import Lock

from font_source_sans_pro import font_files_ttf
from PIL import Image, ImageDraw, ImageFont

Point = tuple[float, float]

WIDTH = 1080
MARGIN = 56
HIGHEST = 2400
"""Five winners with long names, and all that can be said of a game, take less."""
RACE_HEIGHT = 560
RACE_RIGHT = WIDTH - 140
"""Where the lines of the race end: beside it is room for tokens."""

PAPER, CARD, INK, SOFT, LINE, FELT = "#f7f2e8", "#fffdf8", "#1d2330", "#5b606c", "#dccfb8", "#1f6b54"
TOKENS = {
    "turquoise": "#0b7475",
    "fifth": "#0b7475",
    "pink": "#b23069",
    "green": "#3d7023",
    "orange": "#a84c08",
    "lilac": "#6f4bab",
    "third": "#6f4bab",
    "bear": "#6b3524",
    "wolf": "#56606e",
    "falcon": "#856600",
    "raven": "#463c70",
    "fourth": "#b02a2a",
}
"""The colours of the tokens, as in `static/njet/parts/token.css`."""

SCALE = 2
"""Pillow draws without smooth edges: everything is drawn larger and then reduced."""
_IN_TURN = Lock()
"""A picture takes 30 MB while it is drawn: one at a time."""


@dataclass(frozen=True)
class PicturedPlayer:
    """A player, with their line of the race (empty: there is none) and where its token stands.

    The line is in points of the picture, from the top of the race, which is `RACE_HEIGHT` high.
    """

    name: str
    sign: str
    token: str
    rank: int
    total: str
    is_winner: bool
    line: Sequence[Point] = ()
    token_y: float = 0


@dataclass(frozen=True)
class Picture:
    """What a picture shows.

    `occasion`: day, place and group; `players`: from the first place on; `x_ticks`, `y_ticks`: the marks of the race,
    each with its place; `race`: its caption; `facts`: rules, rounds and remarks.
    """

    title: str
    occasion: Sequence[str]
    players: Sequence[PicturedPlayer]
    x_ticks: Sequence[tuple[float, str]]
    y_ticks: Sequence[tuple[float, str]]
    race: str
    facts: Sequence[str]


def drawable(text: str) -> str:
    """What can be drawn of a text."""
    return " ".join("".join(map(_drawn, unicodedata.normalize("NFC", text))).split())


@lru_cache(maxsize=4096)
def _drawn(character: str) -> str:
    """A character, without its accents if only so the font has it; empty if it cannot be drawn."""
    if character.isspace():
        return " "
    if unicodedata.category(character)[0] in "CM":
        return ""
    if _has(character):
        return character
    return "".join(each for each in unicodedata.normalize("NFKD", character) if each.isascii() and _has(each))


def _has(character: str) -> bool:
    return unicodedata.category(character)[0] not in "CM" and _shape(character) != _shape("\U0010ffff")


def _shape(character: str) -> tuple[tuple[int, int], bytes]:
    mask = _font(20, is_bold=False).getmask(character)
    return mask.size, bytes(mask)


@cache
def _font(size: int, *, is_bold: bool) -> ImageFont.FreeTypeFont:
    name = "SourceSansProBold" if is_bold else "SourceSansPro"
    # The other layout engine needs a library of the system.
    return ImageFont.truetype(font_files_ttf[name], size * SCALE, layout_engine=ImageFont.Layout.BASIC)


def png(picture: Picture) -> bytes:
    """The picture, `WIDTH` wide: the same values give the same bytes."""
    with _IN_TURN:
        canvas = _Canvas()
        bottom = canvas.draw(picture)
        image = canvas.image.crop((0, 0, WIDTH * SCALE, round(bottom) * SCALE)).reduce(SCALE)
        written = BytesIO()
        image.save(written, "PNG", optimize=True)
        return written.getvalue()


class _Canvas:
    """Draws from top to bottom, in points of the finished picture."""

    def __init__(self) -> None:
        self.image = Image.new("RGB", (WIDTH * SCALE, HIGHEST * SCALE), PAPER)
        self.pen = ImageDraw.Draw(self.image)

    def draw(self, picture: Picture) -> float:
        """Draw a picture; returns where it ends."""
        y = self._head(picture)
        y = self._standings(picture.players, y + 28)
        if any(player.line for player in picture.players):
            y = self._race(picture, y + 40)
        return self._foot(picture.facts, y + 36) + MARGIN - 16

    def _head(self, picture: Picture) -> float:
        y, title = float(MARGIN), drawable(picture.title)
        for size in (72, 64, 56, 48):
            lines = self._wrapped(title, size, is_bold=True)
            if len(lines) < 3:
                break
        for line in lines:
            self._text((MARGIN, y + size / 2), line, size, is_bold=True, colour=FELT)
            y += size * 1.16
        return self._lines(picture.occasion, y + 10, 36)

    def _standings(self, players: Sequence[PicturedPlayer], y: float) -> float:
        row, pad, right = 92, 14, WIDTH - MARGIN
        bottom = y + row * len(players) + 2 * pad
        self._box(MARGIN, y, right, bottom)
        for number, player in enumerate(players):
            middle = y + pad + row * (number + 0.5)
            if number:
                self._stroke([(MARGIN + 28, middle - row / 2), (right - 28, middle - row / 2)], LINE, 2)
            self._text((MARGIN + 84, middle), f"{player.rank}.", 44, colour=SOFT, anchor="rm")
            self._token((MARGIN + 136, middle), player, 31)
            room = right - MARGIN - 230 - self._width(player.total, 54, is_bold=True) - 40
            name = self._cut(drawable(player.name), 46, room, is_bold=player.is_winner)
            self._text((MARGIN + 190, middle), name, 46, is_bold=player.is_winner)
            self._text((right - 40, middle), player.total, 54, is_bold=True, anchor="rm")
        return bottom

    def _race(self, picture: Picture, y: float) -> float:
        self._text((MARGIN, y + 18), drawable(picture.race), 36, is_bold=True)
        y += 52
        self._box(MARGIN, y, WIDTH - MARGIN, y + RACE_HEIGHT)
        for at, label in picture.y_ticks:
            self._stroke([(picture.x_ticks[0][0], y + at), (RACE_RIGHT, y + at)], LINE, 2)
            self._text((picture.x_ticks[0][0] - 14, y + at), label, 30, colour=SOFT, anchor="rm")
        for at, label in picture.x_ticks:
            self._text((at, y + RACE_HEIGHT - 30), label, 30, colour=SOFT, anchor="mm")
        # The winner's line is the last, over the others.
        for player in reversed(picture.players):
            places = [(x, y + place) for x, place in player.line]
            token = (RACE_RIGHT + 50, y + player.token_y)
            self._stroke([places[-1], token], TOKENS[player.token], 2)
            self._stroke(places, TOKENS[player.token], 7)
            self._token(token, player, 24)
        return y + RACE_HEIGHT

    def _foot(self, facts: Sequence[str], y: float) -> float:
        return self._lines(facts, y, 30)

    def _lines(self, parts: Sequence[str], y: float, size: int) -> float:
        shown = " · ".join(filter(None, map(drawable, parts)))
        for line in self._wrapped(shown, size):
            self._text((MARGIN, y + size * 0.62), line, size, colour=SOFT)
            y += size * 1.24
        return y

    def _wrapped(self, text: str, size: int, *, is_bold: bool = False) -> list[str]:
        """The lines of a text; a word that is wider than one is cut."""
        lines = [""]
        for word in text.split():
            longer = f"{lines[-1]} {word}".strip()
            if lines[-1] and self._width(longer, size, is_bold=is_bold) > WIDTH - 2 * MARGIN:
                lines.append(word)
            else:
                lines[-1] = longer
        return [self._cut(line, size, WIDTH - 2 * MARGIN, is_bold=is_bold) for line in lines]

    def _cut(self, text: str, size: int, room: float, *, is_bold: bool) -> str:
        if self._width(text, size, is_bold=is_bold) <= room:
            return text
        while text and self._width(f"{text}…", size, is_bold=is_bold) > room:
            text = text[:-1].rstrip()
        return f"{text}…"

    def _width(self, text: str, size: int, *, is_bold: bool = False) -> float:
        return _font(size, is_bold=is_bold).getlength(text) / SCALE

    def _text(
        self, at: Point, text: str, size: int, *, is_bold: bool = False, colour: str = INK, anchor: str = "lm"
    ) -> None:
        self.pen.text(_scaled(at), text, font=_font(size, is_bold=is_bold), fill=colour, anchor=anchor)

    def _token(self, at: Point, player: PicturedPlayer, radius: int) -> None:
        self._disc(at, radius, TOKENS[player.token])
        sign = drawable(player.sign)
        self._text(at, sign, round(radius * (1.15 if len(sign) < 2 else 0.95)), is_bold=True, colour=CARD, anchor="mm")

    def _disc(self, at: Point, radius: float, colour: str) -> None:
        x, y = at
        self.pen.ellipse([*_scaled((x - radius, y - radius)), *_scaled((x + radius, y + radius))], fill=colour)

    def _stroke(self, places: Sequence[Point], colour: str, width: int) -> None:
        self.pen.line([_scaled(place) for place in places], fill=colour, width=width * SCALE, joint="curve")

    def _box(self, left: float, top: float, right: float, bottom: float) -> None:
        box = [*_scaled((left, top)), *_scaled((right, bottom))]
        self.pen.rounded_rectangle(box, radius=24 * SCALE, fill=CARD, outline=LINE, width=2 * SCALE)


def _scaled(at: Point) -> Point:
    return at[0] * SCALE, at[1] * SCALE

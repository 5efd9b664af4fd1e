"""The picture of a finished game: what decides it, how large it is, which letters it has."""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import replace
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image

from games.formats import picture
from games.formats.picture import TOKENS, WIDTH, Picture, PicturedPlayer, drawable, png
from games.rules.editions import EDITIONS

ROOT = Path(__file__).resolve().parents[2]

ANA = PicturedPlayer("Ana", "A", "turquoise", 1, "54", is_winner=True, line=[(156, 400), (940, 40)], token_y=40)
BEN = PicturedPlayer("Ben", "B", "pink", 2, "48", is_winner=False, line=[(156, 400), (940, 90)], token_y=94)

ONE = Picture(
    title="Ana won NJET with 54",
    occasion=["15 January 2026", "Garden"],
    players=[ANA, BEN],
    x_ticks=[(156, "0"), (940, "1")],
    y_ticks=[(400, "0"), (40, "60")],
    race="The race",
    facts=["2 players, 1 round"],
)


def size(of: Picture) -> tuple[int, int]:
    """Width and height in pixels."""
    return Image.open(BytesIO(png(of))).size


def test_a_picture_is_as_wide_as_a_phone_shows_and_as_high_as_it_needs() -> None:
    width, height = size(ONE)

    assert width == WIDTH == 1080
    assert size(replace(ONE, players=[ANA, BEN, BEN])) == (width, height + 92)
    assert size(replace(ONE, players=[replace(each, line=()) for each in ONE.players]))[1] < height - 500


def test_the_same_values_are_the_same_bytes() -> None:
    assert png(ONE) == png(replace(ONE))


@pytest.mark.parametrize(
    "changed",
    [
        {"title": "Ben won NJET with 54"},
        {"occasion": ["16 January 2026", "Garden"]},
        {"race": "Le classement"},
        {"facts": ["2 players, 2 rounds"]},
        {"x_ticks": [(156, "0"), (940, "2")]},
        {"players": [replace(ANA, name="Anna"), BEN]},
        {"players": [replace(ANA, total="55"), BEN]},
        {"players": [ANA, replace(BEN, rank=1)]},
        {"players": [ANA, replace(BEN, token="green")]},
        {"players": [ANA, replace(BEN, line=[(156, 400), (940, 100)])]},
    ],
    ids=str,
)
def test_all_that_it_shows_decides_its_bytes(changed: dict[str, object]) -> None:
    assert png(replace(ONE, **changed)) != png(ONE)


def test_the_longest_picture_has_room() -> None:
    name = "W" * 40
    players = [replace(ANA, name=name, total="−9999")] * 5
    title = f"{', '.join(['WWWWWWWWWWW…'] * 5)} share the victory in NJET with −9999"
    most = replace(
        ONE, title=title, occasion=[name, name * 2, name], players=players, facts=["A remark of a game. " * 3] * 6
    )

    assert size(most)[1] < picture.HIGHEST


@pytest.mark.parametrize(
    ("text", "drawn"),
    [
        ("Jürgen Weiß", "Jürgen Weiß"),
        ("Łukasz, Ζωή, Дмитрий", "Łukasz, Ζωή, Дмитрий"),
        ("−5 · “Ana”…", "−5 · “Ana”…"),
        ("Zoe\u0308", "Zoë"),
        ("Ａｎａ ⅸ", "Ana ix"),
        ("Ana 🎉", "Ana"),
        ("王小明", ""),
        ("\u2068דן\u2069 \ufe0f", ""),
    ],
)
def test_of_a_text_that_the_font_lacks_the_rest_is_drawn_and_no_box(text: str, drawn: str) -> None:
    assert drawable(text) == drawn


def test_tokens_have_the_colours_of_the_pages() -> None:
    sheet = (ROOT / "static/njet/parts/token.css").read_text()
    colours = {
        name: colour
        for names, colour in re.findall(r"((?:\.t-\w+[,\s]*)+)\{\s*--own: (#\w{6});", sheet)
        for name in re.findall(r"t-(\w+)", names)
    }

    assert colours == TOKENS
    assert {token for edition in EDITIONS.values() for token in edition.tokens} <= TOKENS.keys()


def test_a_server_that_is_asked_for_no_picture_goes_without_what_draws_it() -> None:
    code = "import django; django.setup(); import games.urls, games.api.urls, sys; print('PIL' in sys.modules)"

    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)

    assert run.stdout.strip() == "False"

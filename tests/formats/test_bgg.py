"""The text for BoardGameGeek: complete, and no player's name is markup."""

from __future__ import annotations

import re

from hypothesis import given

from games.formats import bgg
from games.formats.play import Play
from games.rules.scoring import signed
from tests.builders import dutch, play
from tests.formats.plays import LAWS, as_play, four_friends, long_game, plays

MARKUP = re.compile(r"\[/?b\]")


def test_a_game_is_shown_with_its_result_and_a_line_for_each_round() -> None:
    assert bgg.comment(as_play(four_friends(), digital=True)) == (
        "[b]NJET[/b] – 4 players, 2 rounds – NJET, English rules\n"
        "[b]Ana and Cleo share the victory.[/b]\n"
        "Played apart, with the cards on the phones.\n"
        "\n"
        "1. [b]Ana[/b]: 0\n"
        "1. [b]Cleo[/b]: 0\n"
        "3. Dan: −6\n"
        "4. Ben: −11\n"
        "\n"
        "Round 1: 2 points, red trump, no super trump, discard 1; Cleo + Ana 20, Ben + Dan 14\n"
        "Penalty: Ben −5 (revoke)\n"
        "Round 2: −2 points, no trump, blue 0s super trump, pass 2 right; Ana + Dan −20, Ben + Cleo −20\n"
    )


def test_a_single_winner_wins() -> None:
    state = play(dutch(3, rounds=1), "open 0 njet blue black 2", "team alone monster 0", "tally 5+1 4+1 3+1")

    shown = bgg.comment(as_play(state)).splitlines()

    assert shown[:2] == ["[b]NJET[/b] – 3 players, 1 round – Goldsieber 1997, Dutch", "[b]Ana wins.[/b]"]


def test_names_and_reasons_cannot_break_out_of_the_text() -> None:
    names = ("[/b][size=99]Ana", "[img]x[/img]", "]Cleo[", "[[/b]]")

    shown = bgg.comment(as_play(four_friends(), names=names))

    assert "1. [b](/b)(size=99)Ana[/b]: 0\n" in shown
    assert MARKUP.sub("", shown).count("[") == 0
    shouting = bgg.comment(as_play(long_game("[b]loud[/b] [img]", rounds=1)))
    assert "(b)loud(/b) (img)" in shouting


@LAWS
@given(plays())
def test_law_everybody_and_every_total_is_shown_and_all_markup_is_ours(play: Play) -> None:
    shown = bgg.comment(play)

    standings = shown.split("\n\n")[1]
    for name, total in zip(play.names, play.state.totals, strict=True):
        defused = name.replace("[", "(").replace("]", ")")
        assert any(MARKUP.sub("", line).endswith(f" {defused}: {signed(total)}") for line in standings.splitlines())
    assert not set("[]") & set(MARKUP.sub("", shown))
    assert MARKUP.findall(shown) == ["[b]", "[/b]"] * (2 + len(play.state.winners))
    assert shown.endswith("\n")
    assert len([line for line in shown.splitlines() if line.startswith("Round ")]) == len(play.state.finished)

"""Counting the tricks of a round: one by one, or all at once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.translation import gettext as _

from games.pages.parts.players import Player, players_of
from games.rules import PublicState, Ruleset
from games.rules.options import CapturedFrom
from games.texts import words


@dataclass(frozen=True)
class CountLine:
    """A player while tricks are counted.  `captures`: how many cards the next trick may bring, besides `least`.

    `typed_tricks`, `typed_captured`: the figures of a refused tally, so that they can be corrected.
    """

    player: Player
    words: str
    typed_tricks: str
    typed_captured: str
    least: int
    captures: list[int]
    leads: bool
    has_monster: bool


@dataclass(frozen=True)
class CountView:
    """The tricks of a round, counted so far."""

    lines: list[CountLine]
    recorded: int
    tricks: int
    captured: int
    captured_least: int
    captured_most: int
    capturable: str
    capturable_plural: str
    progress: str
    captured_progress: str
    captured_rule: str


def count_view(state: PublicState, typed: Mapping[str, str] | None = None) -> CountView:
    """The counting page of a round, with the figures typed so far."""
    typed = typed or {}
    current, bounds = state.current, state.tally_bounds
    assert current is not None, "tricks are counted while a round is played"
    assert bounds is not None, "tricks are counted once the teams are named"
    assert current.teams is not None, "tricks are counted once the teams are named"
    won, ruleset = current.won(state.players), state.ruleset
    lines = []
    for player in players_of(state.setup):
        least, most = state.captures_of_next_trick(player.seat)
        lines.append(
            CountLine(
                player=player,
                words=words.count_line(won[player.seat].tricks, won[player.seat].captured),
                typed_tricks=typed.get(f"tricks-{player.seat}", ""),
                typed_captured=typed.get(f"captured-{player.seat}", ""),
                least=least,
                captures=list(range(least + 1, most + 1)),
                leads=player.seat == current.leader,
                has_monster=player.seat == current.teams.monster,
            )
        )
    captured = sum(each.captured for each in won)
    ones = words.capturable_plural(ruleset)
    return CountView(
        lines=lines,
        recorded=len(current.tricks),
        tricks=bounds.tricks,
        captured=captured,
        captured_least=bounds.captured_least,
        captured_most=bounds.captured_most,
        capturable=words.capturable(ruleset),
        capturable_plural=ones,
        progress=_("{done} of {all} tricks").format(done=len(current.tricks), all=bounds.tricks),
        captured_progress=captured_progress(captured, bounds.captured_most, ones),
        captured_rule=_captured_rule(ruleset, ones),
    )


def captured_progress(captured: int, most: int, ones: str) -> str:
    """How many of the capturable cards are accounted for: “11 of 12 zeros accounted for”."""
    return _("{done} of {all} {cards} accounted for").format(done=captured, all=most, cards=ones)


def _captured_rule(ruleset: Ruleset, ones: str) -> str:
    if ruleset.options.captured_from is CapturedFrom.EVERYONE:
        return _("Captured: all {cards} in the trick.").format(cards=ones)
    return _("Captured: {cards} in the trick that came from opponents.").format(cards=ones)

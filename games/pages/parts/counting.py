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
    """A player while tricks are counted.  `team`: `a` is the start player's.

    `per_trick`: the most captured cards that one trick can bring them.  `captures`: how many cards the next trick may
    bring, besides `least`; `slots`: the same in columns that stay, None for a number that is impossible.
    `typed_tricks`, `typed_captured`: the figures of a refused tally, else what was counted trick by trick.
    """

    player: Player
    words: str
    team: str
    tricks: int
    captured: int
    typed_tricks: str
    typed_captured: str
    per_trick: int
    least: int
    captures: list[int]
    slots: list[int | None]
    leads: bool
    has_monster: bool


@dataclass(frozen=True)
class CountView:
    """The tricks of a round, counted so far."""

    lines: list[CountLine]
    recorded: int
    tricks: int
    leader: Player
    next_trick: int
    captured: int
    captured_least: int
    captured_most: int
    capturable: str
    capturable_plural: str
    progress: str
    captured_progress: str
    captured_rule: str


def count_view(state: PublicState, typed: Mapping[str, str] | None = None, *, reader: int | None = None) -> CountView:
    """The counting page of a round, with the figures typed so far.

    `reader`: the seat whose team is the first one; that of the start player if it is None.
    """
    current, bounds = state.current, state.tally_bounds
    assert current is not None, "tricks are counted while a round is played"
    assert bounds is not None, "tricks are counted once the teams are named"
    assert current.teams is not None, "tricks are counted once the teams are named"
    assert current.leader is not None, "the start player leads once the teams are named"
    won, ruleset = current.won(state.players), state.ruleset
    first = current.teams.own if reader is None else current.teams.team_of(reader)
    if typed is None:
        counted = won if current.tricks else []
        typed = {f"tricks-{seat}": str(each.tricks) for seat, each in enumerate(counted)}
        typed |= {f"captured-{seat}": str(each.captured) for seat, each in enumerate(counted)}
    players, columns = players_of(state.setup), range(1, max(bounds.captured_per_trick) + 1)
    lines = []
    for player in players:
        least, most = state.captures_of_next_trick(player.seat)
        captures = list(range(least + 1, most + 1))
        lines.append(
            CountLine(
                player=player,
                words=words.count_line(won[player.seat].tricks, won[player.seat].captured),
                team="a" if player.seat in first else "b",
                tricks=won[player.seat].tricks,
                captured=won[player.seat].captured,
                typed_tricks=typed.get(f"tricks-{player.seat}", ""),
                typed_captured=typed.get(f"captured-{player.seat}", ""),
                per_trick=bounds.captured_per_trick[player.seat],
                least=least,
                captures=captures,
                slots=[number if number in captures else None for number in columns],
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
        leader=players[current.leader],
        next_trick=len(current.tricks) + 1,
        captured=captured,
        captured_least=bounds.captured_least,
        captured_most=bounds.captured_most,
        capturable=words.capturable(ruleset),
        capturable_plural=ones,
        progress=_("{done} of {all} tricks").format(done=len(current.tricks), all=bounds.tricks),
        captured_progress=words.captured_in_all(captured, ruleset),
        captured_rule=_captured_rule(ruleset, ones),
    )


def _captured_rule(ruleset: Ruleset, ones: str) -> str:
    if ruleset.options.captured_from is CapturedFrom.EVERYONE:
        return _("All {cards} in a trick are captured.").format(cards=ones)
    return _("Opponents’ {cards} in a trick are captured.").format(cards=ones)

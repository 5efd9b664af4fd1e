"""The end of a digital game for one reader: where they came in, the race, and three facts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.translation import gettext as _

from games.pages.parts.players import Player, players_of
from games.pages.parts.race import Chart, race_chart
from games.rules import PublicState
from games.texts import words


@dataclass(frozen=True)
class EndView:
    """The end as it is shown.  `place`: where a reader who lost came in, empty for others; `about`: whose facts."""

    place: str
    chart: Chart | None
    about: Player
    is_reader: bool
    facts: list[tuple[str, str]]


def end_view(state: PublicState, seat: int | None, hints: Mapping[int, int] | None = None) -> EndView | None:
    """The end for the reader in a seat, for a spectator (None) about the winner; None while the game is played.

    `hints`: how many each seat has asked for.
    """
    if not state.is_over or not state.finished:
        return None
    about = state.winners[0] if seat is None else seat
    place = "" if seat is None or seat in state.winners else _place(state, seat)
    shown = facts(state, about)
    if count := (hints or {}).get(about):
        shown.append((_("Hints asked for"), str(count)))
    return EndView(place, race_chart(state), players_of(state.setup)[about], seat is not None, shown)


def _place(state: PublicState, seat: int) -> str:
    alone = {
        2: _("You came second, {count} behind."),
        3: _("You came third, {count} behind."),
        4: _("You came fourth, {count} behind."),
        5: _("You came fifth, {count} behind."),
    }
    # Two share a place, so it is at most the fourth.
    shared = {
        2: _("You share the second place, {count} behind."),
        3: _("You share the third place, {count} behind."),
        4: _("You share the fourth place, {count} behind."),
    }
    rank = state.ranks[seat]
    sentence = (shared if state.ranks.count(rank) > 1 else alone)[rank]
    return sentence.format(count=max(state.totals) - state.totals[seat])


def facts(state: PublicState, seat: int) -> list[tuple[str, str]]:
    """Three facts about a player: the best round, the cards captured, and the best partner, or else the tricks won."""
    players, names = range(state.players), state.setup.names
    best = max(state.finished, key=lambda done: done.score.points[seat])
    captured = [sum(done.won[each].captured for done in state.finished) for each in players]
    is_most = all(captured[each] < captured[seat] for each in players if each != seat)
    label = words.plain(_("{cards} captured").format(cards=words.capturable_plural(state.ruleset)))
    together = {
        each: [done.score.points[seat] for done in state.finished if each in done.teams.team_of(seat)]
        for each in players
        if each != seat
    }
    partners = {each: sum(points) for each, points in together.items() if points}
    if partners:
        partner = max(partners, key=lambda each: partners[each])
        last = (
            _("Best partner"),
            _("{name}, {points} together").format(name=names[partner], points=words.change(partners[partner])),
        )
    else:
        last = (_("Tricks won"), str(sum(done.won[seat].tricks for done in state.finished)))
    points = words.change(best.score.points[seat])
    return [
        (_("Best round"), _("Round {number}, {points}").format(number=best.number, points=points)),
        (label, _("{count}, most of all").format(count=captured[seat]) if is_most else str(captured[seat])),
        last,
    ]

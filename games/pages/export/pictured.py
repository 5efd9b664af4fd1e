"""What the picture of a finished game shows.

Imports what draws it: import it only where one is asked for.
"""

from __future__ import annotations

from django.utils.translation import gettext as _

from games.formats import picture, summary
from games.formats.picture import Picture, PicturedPlayer
from games.formats.play import Play, board, remarks
from games.pages.parts.players import letters_of
from games.pages.parts.race import race_chart
from games.pages.parts.shape import Shape
from games.rules.scoring import signed
from games.texts import words
from games.texts.unnamed import name_by_number

SHAPE = Shape(
    width=picture.WIDTH,
    height=picture.RACE_HEIGHT,
    left=picture.MARGIN + 100,
    right=picture.RACE_RIGHT,
    top=40,
    bottom=picture.RACE_HEIGHT - 64,
    gap=54,
)


# How far lines that are equal are drawn from each other, in the shifts of a chart on a page.
APART = 3


def pictured(play: Play) -> Picture:
    """What is drawn of a game."""
    state = play.state
    names = [picture.drawable(name) or name_by_number(seat) for seat, name in enumerate(play.names, start=1)]
    letters = letters_of(names)
    chart = race_chart(state, SHAPE)
    lines = {line.player.seat: line for line in chart.lines} if chart else {}
    players = [
        PicturedPlayer(
            name=names[seat],
            sign=letters[seat],
            token=state.setup.seats[seat].token,
            rank=state.ranks[seat],
            total=signed(state.totals[seat]),
            is_winner=seat in state.winners,
            line=[(x, y + APART * lines[seat].shift) for x, y in lines[seat].places] if lines else (),
            token_y=lines[seat].label_y if lines else 0,
        )
        for seat in summary.by_place(state)
    ]
    return Picture(
        title=summary.sentence(summary.standings(state, [words.short(name) for name in names])),
        occasion=[summary.day(play.began), play.place, play.group[1] if play.group else ""],
        players=players,
        x_ticks=[(tick.at, tick.label) for tick in chart.x_ticks] if chart else [],
        y_ticks=[(tick.at, tick.label) for tick in chart.y_ticks] if chart else [],
        race=_("The race"),
        facts=[words.preset_name(state.ruleset.preset), board(play), *remarks(play)],
    )

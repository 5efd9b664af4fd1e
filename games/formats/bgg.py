"""A game as text for a comment at BoardGameGeek.

Knows: the markup of its forum.  Must not know: anything of the site's interfaces; nothing is sent.
"""

from __future__ import annotations

from django.utils.translation import gettext as _

from games.formats.play import GAME_NAME, Play, board, lines, remarks
from games.rules.scoring import signed
from games.texts import words

_BRACKETS = str.maketrans("[]", "()")


def comment(play: Play) -> str:
    """The result, the standings, and a line for each round with its conditions, teams and scores.

    All markup in it is our own: square brackets are removed from names and reasons.
    """
    state = play.state
    parts = [
        f"{_bold(GAME_NAME)} – {_defused(board(play))} – {_defused(words.preset_name(state.ruleset.preset))}",
        _bold(_defused(_victory(play))),
        *map(_defused, remarks(play)),
        "",
        *(_standing(play, seat) for seat in sorted(range(state.players), key=lambda seat: (state.ranks[seat], seat))),
        "",
        *map(_defused, lines(play)),
    ]
    return "\n".join(parts) + "\n"


def _victory(play: Play) -> str:
    winners = play.state.winners
    sentence = _("{names} share the victory.") if len(winners) > 1 else _("{names} wins.")
    return sentence.format(names=words.listing([play.names[seat] for seat in winners]))


def _standing(play: Play, seat: int) -> str:
    name = _defused(play.names[seat])
    shown = _bold(name) if seat in play.state.winners else name
    return f"{play.state.ranks[seat]}. {shown}: {signed(play.state.totals[seat])}"


def _bold(text: str) -> str:
    return f"[b]{text}[/b]"


def _defused(text: str) -> str:
    return text.translate(_BRACKETS)

"""A game with the deals of an earlier one, or played on from a step of it, compared with it at its end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.pages.parts.players import Player, players_of
from games.rules import PublicState
from games.rules.scoring import signed

Pair = tuple[str, str]
"""What a player scored: in the earlier game, and in this one."""


@dataclass(frozen=True)
class Comparison:
    """The points of both games for each player, in the rounds that both have, and a sentence about one player.

    `from_step`: where the earlier game was played on, None if all its deals were played again.
    """

    earlier_id: str
    from_step: int | None
    sentence: str
    players: Sequence[Player]
    rounds: list[tuple[int, list[Pair]]]
    totals: list[Pair]


def compare(
    earlier: PublicState,
    state: PublicState,
    earlier_id: str,
    seat: int | None,
    *,
    is_same: bool,
    from_step: int | None = None,
    begun: int = 1,
) -> Comparison | None:
    """Two games from the round `begun` on; None if none of these rounds was played in both.

    `seat`: whom the sentence is about, None: the winner; `is_same`: the reader had this seat in both games;
    `from_step`: as in `Comparison`.
    """
    both = list(zip(earlier.finished, state.finished, strict=False))[begun - 1 :]
    if not state.is_over or not both:
        return None
    pairs = [[(old.score.points[each], new.score.points[each]) for each in range(state.players)] for old, new in both]
    sums = [(sum(old for old, _new in column), sum(new for _old, new in column)) for column in zip(*pairs, strict=True)]
    about = state.winners[0] if seat is None else seat
    old, new = sums[about]
    name = "" if is_same else state.setup.names[about]
    return Comparison(
        earlier_id=earlier_id,
        from_step=from_step,
        sentence=_again(name, new - old) if from_step is None else _played_on(name, new - old, from_step),
        players=players_of(state.setup),
        rounds=[(done.number, _written(row)) for (_old, done), row in zip(both, pairs, strict=True)],
        totals=_written(sums),
    )


def _written(pairs: Sequence[tuple[int, int]]) -> list[Pair]:
    return [(signed(old), signed(new)) for old, new in pairs]


def _again(name: str, more: int) -> str:
    """How the points of a player have changed with the same deals.  `name`: empty for the reader."""
    count = abs(more)
    if more == 0:
        if name:
            return _("With the same deals {name} scored as many points as in the earlier game.").format(name=name)
        return _("With the same deals you scored as many points as in the earlier game.")
    if more > 0:
        mine = ngettext(
            "With the same deals you scored {count} point more than in the earlier game.",
            "With the same deals you scored {count} points more than in the earlier game.",
            count,
        )
        theirs = ngettext(
            "With the same deals {name} scored {count} point more than in the earlier game.",
            "With the same deals {name} scored {count} points more than in the earlier game.",
            count,
        )
    else:
        mine = ngettext(
            "With the same deals you scored {count} point fewer than in the earlier game.",
            "With the same deals you scored {count} points fewer than in the earlier game.",
            count,
        )
        theirs = ngettext(
            "With the same deals {name} scored {count} point fewer than in the earlier game.",
            "With the same deals {name} scored {count} points fewer than in the earlier game.",
            count,
        )
    return (theirs if name else mine).format(name=name, count=count)


def _played_on(name: str, more: int, step: int) -> str:
    """How they have changed in the rounds that were played on."""
    count = abs(more)
    if more == 0:
        if name:
            sentence = _("Played on from step {step}, {name} scored as many points as in the earlier game.")
        else:
            sentence = _("Played on from step {step}, you scored as many points as in the earlier game.")
        return sentence.format(step=step, name=name)
    if more > 0:
        mine = ngettext(
            "Played on from step {step}, you scored {count} point more than in the earlier game.",
            "Played on from step {step}, you scored {count} points more than in the earlier game.",
            count,
        )
        theirs = ngettext(
            "Played on from step {step}, {name} scored {count} point more than in the earlier game.",
            "Played on from step {step}, {name} scored {count} points more than in the earlier game.",
            count,
        )
    else:
        mine = ngettext(
            "Played on from step {step}, you scored {count} point fewer than in the earlier game.",
            "Played on from step {step}, you scored {count} points fewer than in the earlier game.",
            count,
        )
        theirs = ngettext(
            "Played on from step {step}, {name} scored {count} point fewer than in the earlier game.",
            "Played on from step {step}, {name} scored {count} points fewer than in the earlier game.",
            count,
        )
    return (theirs if name else mine).format(step=step, name=name, count=count)

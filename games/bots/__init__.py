"""Computer players: a bot sees only the `PlayerView` of its seat.

Must not know: logs, processes, who a seat belongs to.
"""

from __future__ import annotations

from games.rules.actions import Action
from games.rules.redaction import PlayerView

LEVELS = ("easy", "strong")
"""The levels, weakest first."""

SECONDS = 0.25
"""How long the strong bot searches by default."""


def decide(view: PlayerView, *, level: str, seed: int, budget: float | None = None) -> Action:
    """One of the legal actions of a view whose seat is due.

    `level`: one of `LEVELS`.  `seed`: of the strong bot's random numbers.  `budget`: its seconds of search.
    """
    # Only the bots' process decides: importing the search here keeps the start of a server fast.
    from games.bots.easy import decide_easily
    from games.bots.strong import Limit, decide_strongly

    if level not in LEVELS:
        raise ValueError(f"no bot plays at the level {level}")
    if len(view.legal) == 1:
        return view.legal[0]
    if level == "easy":
        return decide_easily(view)
    return decide_strongly(view, seed, Limit.of(SECONDS if budget is None else budget))


def can_claim(view: PlayerView) -> bool:
    """Whether the player of a view that is in the tricks could win all that remain, as far as they can know."""
    from games.bots.claims import can_take_all

    return can_take_all(view)


__all__ = ["LEVELS", "SECONDS", "can_claim", "decide"]

"""Players made of the rules: they see a `PlayerView` and nothing else.

Knows: which levels there are.  Must not know: games, logs, processes, who a seat belongs to.
"""

from __future__ import annotations

from games.rules.actions import Action
from games.rules.redaction import PlayerView

LEVELS = ("easy", "strong")
"""The levels, weakest first."""

SECONDS = 0.25
"""How long the strong bot searches, if nothing else is said."""


def decide(view: PlayerView, *, level: str, seed: int, budget: float | None = None) -> Action:
    """One of the legal actions of a view whose seat is due.

    `level`: one of `LEVELS`.  `seed`: what the strong bot's chance begins with.  `budget`: its seconds of search.
    """
    # Only the bots' own process thinks: a server that starts has no need of what is read here.
    from games.bots.easy import decide_easily
    from games.bots.strong import Limit, decide_strongly

    if level not in LEVELS:
        raise ValueError(f"no bot plays at the level {level}")
    if len(view.legal) == 1:
        return view.legal[0]
    if level == "easy":
        return decide_easily(view)
    return decide_strongly(view, seed, Limit.of(SECONDS if budget is None else budget))


__all__ = ["LEVELS", "SECONDS", "decide"]

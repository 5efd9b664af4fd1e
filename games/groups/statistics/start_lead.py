"""How far the team that the start player names is ahead between equals: they know their hand when they choose it.

Must not know: a player, a rating (`ratings` uses the figures and says how they were found), the library openskill.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

START_LEAD: Mapping[int, float] = {2: 0.0, 3: 0.83, 4: 0.43, 5: 0.38}
"""By the number of players, the logarithm of the odds that the start player's team wins a round between equals."""


def usual_rate(players: int, *, names_teams: bool) -> float:
    """The share of rounds that the start player's team wins between equals, or the other; a draw is half a win."""
    lead = START_LEAD[players]
    return 1 / (1 + math.exp(-lead if names_teams else lead))

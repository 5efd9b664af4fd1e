"""The reasons of hints: a closed list, because a log that names another one is refused.

Must not know: when a reason is true, which the bots compute (`games/bots/reasons.py`).
"""

from __future__ import annotations

from enum import StrEnum


class HintReason(StrEnum):
    """Why a bot would act so, in the order of the phases."""

    KEEPS_TOKEN = "keeps_token"
    KEEPS_LONG_TRUMP = "keeps_long_trump"
    COVERS_SHORT_TRUMP = "covers_short_trump"
    KEEPS_SUPER = "keeps_super"
    COVERS_OTHER_SUPER = "covers_other_super"
    STAKES_MORE = "stakes_more"
    STAKES_LESS = "stakes_less"
    COVERS_WORST = "covers_worst"
    STRONG_ALONE = "strong_alone"
    JOINS_BEHIND = "joins_behind"
    JOINS_TRUMP = "joins_trump"
    SHEDS_CAPTURABLE = "sheds_capturable"
    SHEDS_HIGH = "sheds_high"
    EMPTIES_SUIT = "empties_suit"
    SHEDS_LOW = "sheds_low"
    SURE_TRICK = "sure_trick"
    DRAWS_TRUMPS = "draws_trumps"
    SHORT_SUIT = "short_suit"
    WINS_CAPTURE = "wins_capture"
    WINS_CHEAPLY = "wins_cheaply"
    AHEAD_CHEAPLY = "ahead_cheaply"
    SAFE_WITH_PARTNER = "safe_with_partner"
    GIVES_CAPTURABLE = "gives_capturable"
    HIGHEST_BELOW = "highest_below"
    KEEPS_CAPTURABLE = "keeps_capturable"
    KEEPS_LAST_TRUMP = "keeps_last_trump"
    SAVES_TRUMPS = "saves_trumps"
    LOWEST = "lowest"
    BEST_IN_TRIALS = "best_in_trials"
    """It did best when the bot played the round on: true of every hint, and said if nothing else is."""

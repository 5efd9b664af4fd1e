"""The reasons of hints: a closed list, because a log that names another one is refused.

Must not know: when a reason is true, which the bots compute (`games/bots/reasons.py`).
"""

from __future__ import annotations

from enum import StrEnum

from games.rules.cards import Suit


class HintReason(StrEnum):
    """Why a bot would act so, in the order of the phases.  A code stays for as long as there are logs that have it."""

    KEEPS_TOKEN = "keeps_token"
    COVERS_OWN_TOKEN = "covers_own_token"
    COVERS_LEADER = "covers_leader"
    COVERS_TOKEN = "covers_token"
    KEEPS_LONG_TRUMP = "keeps_long_trump"
    COVERS_VOID_TRUMP = "covers_void_trump"
    COVERS_SHORT_TRUMP = "covers_short_trump"
    COVERS_LONG_TRUMP = "covers_long_trump"
    KEEPS_SUPER = "keeps_super"
    COVERS_OTHER_SUPER = "covers_other_super"
    COVERS_OWN_SUPER = "covers_own_super"
    STAKES_MORE = "stakes_more"
    STAKES_LESS = "stakes_less"
    SETTLES_TOKEN = "settles_token"
    SETTLES_LONG_TRUMP = "settles_long_trump"
    SETTLES_SUPER = "settles_super"
    SETTLES_MORE = "settles_more"
    SETTLES_LESS = "settles_less"
    SETTLES_COST = "settles_cost"
    COVERS_MINUS = "covers_minus"
    COVERS_NO_ZERO = "covers_no_zero"
    KEEPS_SHEDDING = "keeps_shedding"
    LITTLE_TO_SHED = "little_to_shed"
    COVERS_PASSING = "covers_passing"
    COVERS_WORST = "covers_worst"
    OTHERS_SUPER = "others_super"
    MINUS_COSTS = "minus_costs"
    HIGH_MAY_LEAVE = "high_may_leave"
    OTHERS_SHED = "others_shed"
    OTHERS_SHED_HIGH = "others_shed_high"
    STRONG_ALONE = "strong_alone"
    ALONE_DOUBLE = "alone_double"
    WEAK_ALONE = "weak_alone"
    JOINS_BEHIND = "joins_behind"
    JOINS_TRUMP = "joins_trump"
    STRONG_FEW = "strong_few"
    WEAK_MANY = "weak_many"
    LEAVES_MONSTER = "leaves_monster"
    LEAVES_LEADER = "leaves_leader"
    JOINS_BELOW = "joins_below"
    JOINS_ONE_TRUMP = "joins_one_trump"
    JOINS_SUPER = "joins_super"
    JOINS_POINTS = "joins_points"
    JOINS_LOW_POINTS = "joins_low_points"
    JOINS_HIGH_POINTS = "joins_high_points"
    JOINS_MINUS = "joins_minus"
    JOINS_LOWER_POINTS = "joins_lower_points"
    JOINS_HIGHER_POINTS = "joins_higher_points"
    LEAVES_HIGH_POINTS = "leaves_high_points"
    LEAVES_LOW_POINTS = "leaves_low_points"
    JOINS_MORE_TRUMPS = "joins_more_trumps"
    JOINS_MORE_SUPERS = "joins_more_supers"
    ONLY_ALONE = "only_alone"
    DOUBLES_OWN = "doubles_own"
    DOUBLES_PARTNER = "doubles_partner"
    DOUBLES_FEWEST = "doubles_fewest"
    SHEDS_CAPTURABLE = "sheds_capturable"
    SHEDS_ONE_CAPTURABLE = "sheds_one_capturable"
    SHEDS_HIGH = "sheds_high"
    SHEDS_HIGHER = "sheds_higher"
    SHEDS_WINNERS = "sheds_winners"
    SHEDS_SUIT = "sheds_suit"
    EMPTIES_SUIT = "empties_suit"
    EMPTIES_RED = "empties_red"
    EMPTIES_BLACK = "empties_black"
    EMPTIES_BLUE = "empties_blue"
    EMPTIES_YELLOW = "empties_yellow"
    EMPTIES_GREEN = "empties_green"
    SHEDS_LOW = "sheds_low"
    KEEPS_HIGH = "keeps_high"
    STAYS_IN_TEAM = "stays_in_team"
    SHORTENS_SUIT = "shortens_suit"
    SURE_TRICK = "sure_trick"
    DRAWS_TRUMPS = "draws_trumps"
    TOP_OF_SUIT = "top_of_suit"
    SOON_VOID = "soon_void"
    SHORT_SUIT = "short_suit"
    FEW_BEAT = "few_beat"
    MAY_LOSE = "may_lose"
    LEADS_NEXT = "leads_next"
    TOPS_PARTNER = "tops_partner"
    ONLY_AHEAD = "only_ahead"
    WINS_CAPTURE = "wins_capture"
    WINS_CHEAPLY = "wins_cheaply"
    AHEAD_CHEAPLY = "ahead_cheaply"
    HARDER_TO_BEAT = "harder_to_beat"
    FEWER_BEAT = "fewer_beat"
    MORE_BEAT = "more_beat"
    KEEPS_LOWER = "keeps_lower"
    BETTER_NOW = "better_now"
    BETTER_LATER = "better_later"
    LOST_ANYWAY = "lost_anyway"
    WINS_NOW = "wins_now"
    LOSES_NOW = "loses_now"
    WINS_LATER = "wins_later"
    LOSES_LATER = "loses_later"
    WINS_HIGH = "wins_high"
    OTHER_IN_DOUBT = "other_in_doubt"
    SAFE_WITH_PARTNER = "safe_with_partner"
    PARTNER_WINS = "partner_wins"
    LIKELY_WITH_PARTNER = "likely_with_partner"
    CANNOT_WIN = "cannot_win"
    SPENDS_LOWEST = "spends_lowest"
    GIVES_CAPTURABLE = "gives_capturable"
    HIGHEST_BELOW = "highest_below"
    DUCKS = "ducks"
    KEEPS_CAPTURABLE = "keeps_capturable"
    KEEPS_LAST_TRUMP = "keeps_last_trump"
    SAVES_TRUMPS = "saves_trumps"
    SAVES_SUPER = "saves_super"
    LOWEST = "lowest"
    KEEPS_HIGHER = "keeps_higher"
    ALL_EQUAL = "all_equal"
    BEST_IN_TRIALS = "best_in_trials"
    """It did best when the bot played the round on: true of every hint, and said if nothing else is."""
    AS_GOOD = "as_good"
    """The second best did about as well then, and there is no other reason: it matters little."""


RETIRED = frozenset(
    {
        HintReason.EMPTIES_SUIT,
        HintReason.COVERS_TOKEN,
        HintReason.COVERS_WORST,
        HintReason.LITTLE_TO_SHED,
        HintReason.LEAVES_LEADER,
        HintReason.JOINS_BELOW,
        HintReason.STAYS_IN_TEAM,
        HintReason.COVERS_MINUS,
        HintReason.ALONE_DOUBLE,
        HintReason.JOINS_POINTS,
        HintReason.SHORTENS_SUIT,
        HintReason.FEW_BEAT,
        HintReason.MAY_LOSE,
        HintReason.HARDER_TO_BEAT,
        HintReason.LOWEST,
        HintReason.KEEPS_HIGHER,
        HintReason.COVERS_OWN_TOKEN,
        HintReason.BETTER_NOW,
        HintReason.BETTER_LATER,
    }
)
"""What hints of before have for a reason, and no hint has any more."""

TRIED = frozenset(
    {
        HintReason.BEST_IN_TRIALS,
        HintReason.LOST_ANYWAY,
        HintReason.WINS_NOW,
        HintReason.LOSES_NOW,
        HintReason.WINS_LATER,
        HintReason.LOSES_LATER,
    }
)
"""What shows only when both actions are played out: never said where the second best did about as well."""

COMPARED = (TRIED - {HintReason.BEST_IN_TRIALS}) | frozenset(
    {
        HintReason.JOINS_LOWER_POINTS,
        HintReason.JOINS_HIGHER_POINTS,
        HintReason.LEAVES_HIGH_POINTS,
        HintReason.LEAVES_LOW_POINTS,
        HintReason.JOINS_MORE_TRUMPS,
        HintReason.JOINS_MORE_SUPERS,
        HintReason.SHEDS_HIGHER,
        HintReason.FEWER_BEAT,
        HintReason.MORE_BEAT,
        HintReason.BETTER_NOW,
        HintReason.BETTER_LATER,
        HintReason.OTHER_IN_DOUBT,
    }
)
"""What is said in comparison with the second best action, which the hint names."""

SPARES = frozenset(
    {
        HintReason.SAVES_TRUMPS,
        HintReason.SAVES_SUPER,
        HintReason.KEEPS_LAST_TRUMP,
        HintReason.KEEPS_CAPTURABLE,
        HintReason.KEEPS_HIGH,
    }
)
"""What most actions would keep: said only against a second best one that does not, which the hint names."""

SETTLED = {
    HintReason.KEEPS_TOKEN: HintReason.SETTLES_TOKEN,
    HintReason.KEEPS_LONG_TRUMP: HintReason.SETTLES_LONG_TRUMP,
    HintReason.KEEPS_SUPER: HintReason.SETTLES_SUPER,
    HintReason.STAKES_MORE: HintReason.SETTLES_MORE,
    HintReason.STAKES_LESS: HintReason.SETTLES_LESS,
}
"""What is certain, where it would only be likelier, once the action leaves one space of the row open."""

EMPTIES = {
    Suit.RED: HintReason.EMPTIES_RED,
    Suit.BLACK: HintReason.EMPTIES_BLACK,
    Suit.BLUE: HintReason.EMPTIES_BLUE,
    Suit.YELLOW: HintReason.EMPTIES_YELLOW,
    Suit.GREEN: HintReason.EMPTIES_GREEN,
}
"""The hand holds no card of a suit any more: a reason for each, because a hint does not say what was kept."""

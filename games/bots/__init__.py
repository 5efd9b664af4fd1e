"""Computer players: a bot sees only the `PlayerView` of its seat.

Must not know: logs, processes, who a seat belongs to.
"""

from __future__ import annotations

from games.bots.margins import CLEAR, LITTLE
from games.rules.actions import Action, NameTeam
from games.rules.hints import COMPARED, SPARES, TRIED, HintReason
from games.rules.redaction import PlayerView
from games.rules.rounds import Phase

LEVELS = ("easy", "medium", "strong")
"""The levels, weakest first."""

SECONDS = {"easy": 0.0, "medium": 0.05, "strong": 0.25}
"""How long a bot of each level searches by default."""

GUESSES = {"medium": 16}
"""The most guesses that a level compares its actions on: on a faster machine it plays no better."""

LEAST_OF_CHOICES = 1000
"""The fewest guesses of a hint for what to discard or pass: of about a hundred choices fewer often miss the best."""


def decide(view: PlayerView, *, level: str, seed: int, budget: float | None = None) -> Action:
    """One of the legal actions of a view whose seat is due.

    `level`: one of `LEVELS`.  `seed`: of the random numbers, which decide between actions of equal value and guess
    hidden cards.  `budget`: the seconds of search of a bot that searches.
    """
    # Only the bots' process decides: importing the search here keeps the start of a server fast.
    from games.bots.easy import decide_easily
    from games.bots.strong import Limit, decide_strongly

    if level not in LEVELS:
        raise ValueError(f"no bot plays at the level {level}")
    if len(view.legal) == 1:
        return view.legal[0]
    if level == "easy":
        return decide_easily(view, seed)
    seconds = SECONDS[level] if budget is None else budget
    return decide_strongly(view, seed, Limit.of(seconds, guesses=GUESSES.get(level)))


def can_claim(view: PlayerView) -> bool:
    """Whether the player of a view that is in the tricks is likely to win all that remain, and each brings points."""
    from games.bots.claims import can_take_all

    return can_take_all(view)


def advise(view: PlayerView, *, seed: int, budget: float) -> tuple[Action, HintReason, Action | None]:
    """What the strongest bot does, why rather than what it finds second best, and that if the reason is about it.

    Else the last is one that is about as good, if the reason is as true of it: not beside a team, for want of room.
    Of those that are about as good it is the first with a reason.  That the only other action is second goes without
    saying.  Parameters as of `decide`; a search among many cards to give takes longer if it has to.
    """
    from games.bots.reasons import is_true_of, reason, shared_reason
    from games.bots.strong import Limit, choose

    gives = view.public.phase in (Phase.DISCARDING, Phase.PASSING)
    found = choose(view, seed, Limit.of(budget, least=LEAST_OF_CHOICES if gives else 0))
    best, second = found.best, found.second
    why = reason(view, best, second)
    equal = [action for action, lead in found.others if lead < LITTLE]
    # On surer figures the third may be about as good where the second may be worse: then that one is compared.
    if why in TRIED and second in equal:
        # Against the best, which is the second best of any other one.
        whys = ((action, reason(view, action, best)) for action in equal)
        reasoned = next(((action, its) for action, its in whys if its not in TRIED), None)
        if reasoned is None:
            return best, shared_reason(view, best) or HintReason.AS_GOOD, second
        (best, why), second = reasoned, best
    if why not in COMPARED | TRIED | SPARES and not isinstance(best, NameTeam):
        others = (action for action in equal if action not in (best, second) and is_true_of(view, action, why))
        if (twin := next(others, None)) is not None:
            return best, why, twin
    is_named = why in COMPARED or (why in {HintReason.BEST_IN_TRIALS, *SPARES} and len(view.legal) > 2)
    return best, why, second if is_named else None


def why_holder(view: PlayerView, team: NameTeam) -> HintReason:
    """Why a player of a team, rather than another one of it, is to hold the monster."""
    from games.bots.reasons import holder_reason

    return holder_reason(view, team)


__all__ = ["CLEAR", "GUESSES", "LEVELS", "LITTLE", "SECONDS", "advise", "can_claim", "decide", "why_holder"]

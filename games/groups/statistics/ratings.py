"""A rating for changing partners, and games won in a row: what depends on the order of the games.

Knows: one small state for each player, carried forward game by game.  Must not know: who asks, how it is worded.
The only module that loads the library openskill.

The rating.  A strength is not known, it is believed: a normal distribution with the mean μ and the standard deviation
σ, for a newcomer 25 and 25/3.  Every round is one match of two teams, won by the higher team score (at −2 points by the
one closer to nothing), drawn if they are equal.  A team is as strong as its players together, and the holder of the
monster counts twice, because their tricks and captures do: so three against two, or two against one, are even between
equals whose teams are drawn by lot.  But the start player names the teams with their hand in mind, so their team is
ahead by h, which depends on the number of players (`START_LEAD`).  With t the sum of k·μ over a team (k = 2 for the
holder of the monster, else 1) and

    c² = Σ over both teams of Σ k²·σ²  +  2·β²
    p  = 1 / (1 + exp((t of the others − t) / c − h))     (of the start player's opponents: + h)

a team is expected to get p of a round and gets s = 1, ½ (drawn) or 0 of it.  Each of its players moves by

    μ → μ + k·σ²/c · (s − p)        σ² → σ² · (1 − k²·σ²·g/c² · p·(1 − p)),   g = √(Σ k²·σ² of their team) / c

so a surprising result moves a rating far, an expected one little, and an uncertain rating moves further than a certain
one.  Before each round σ² grows by τ²: a strength is never known for certain.  (R. Weng and C.-J. Lin, “A Bayesian
Approximation Method for Online Ranking”, Journal of Machine Learning Research 12 (2011), algorithm 1.)

What p says is nowhere shown as a chance, and what the library's `predict_win` and `predict_draw` say is nowhere used:
they are of another model.  (Of two newcomers against three `rate` expects 24 %, `predict_win` says 13 %.)

The lead h.  Strong bots (0.03 seconds of search) at every seat played 3,846 rounds of whole games; the start player's
team won 46.9 ± 5.2 % of them with two players, 69.7 ± 2.5 % with three, 60.7 ± 2.9 % with four and 59.3 ± 2.9 % with
five.  h is ln(p / (1 − p)), and 0 for two players, where no teams are named.  Tried instead:

- Nothing: equals are then said to win half, so a player's rating rises with the rounds that they happen to start.
- The size of the teams: it is not what decides.  Where teams were drawn by lot, two won 47.6 ± 4.5 % against three; and
  with three players the start player won 67.7 ± 3.9 % alone and 72.2 ± 3.4 % with a partner.
- Learning h from the rounds of a group: one group has too few, and each new round would change the ratings after all
  old ones.

The lead grows with the strength of the players: with four, strong bots of four guesses won 56 ± 2.5 %; with three, easy
bots won a quarter, because they play alone too often.  `tests.benchmarks.calibration` measures it for any bot: four
equal bots of four guesses end 200 games, seats rotated, at 1,464, 1,540, 1,494 and 1,502 ± 126 points, so no one rises
for sitting or starting.  Of 1,600 rounds 56 % were said and 58 % won, 64 % and 54 %, 73 % and 56 %; the mean squared
error is 0.2366, without the lead 0.2380.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Self

from openskill.models import BradleyTerryFull

from games.groups.statistics.facts import GameFacts, RoundFacts
from games.groups.statistics.start_lead import START_LEAD

MEAN = 25.0
DEVIATION = MEAN / 3
BETA = DEVIATION
"""The luck in a round.  Twice what the library assumes of a match: the cards decide much of a single round."""
DRIFT = MEAN / 300
"""The τ above, by how much a strength may have changed since the round before."""

SCALE = 60
"""Points for one unit of strength: an average player with many games has a little more than 1,000."""
CAUTION = 3
"""How many deviations are taken off: a player is at least as strong as shown in more than 99 of 100 cases."""
SETTLED_DEVIATION = DEVIATION / 2
"""While a rating is less certain than this it is still settling."""
SETTLED_GAMES = 5
"""With fewer games behind it a rating is still settling, however many rounds they had."""

# Bradley-Terry counts a draw as half a win for each side (s above), and moves each player of a team by their own
# uncertainty, for teams of any size.  For two teams Plackett-Luce is the same model.  Thurstone-Mosteller becomes more
# certain by a draw than by a win, and draws are frequent here.
# tau=0: the drift is added below, where a doubled player still has their own deviation.
_MODEL = BradleyTerryFull(mu=MEAN, sigma=DEVIATION, beta=BETA, tau=0.0)


@dataclass(frozen=True, slots=True)
class Form:
    """What is carried forward of one player: the estimate of their strength, and the games won in a row.

    `streak`: games won in a row up to now, shared ones too; `longest`: the most there ever were; `games`: all of them.
    """

    mu: float
    sigma: float
    streak: int
    longest: int
    games: int

    def to_json(self) -> dict[str, Any]:
        """The form as a JSON object, to the last bit."""
        return asdict(self)

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Self:
        """Read what `to_json` wrote.

        Errors: `KeyError` if a field is missing.
        """
        return cls(
            mu=float(value["mu"]),
            sigma=float(value["sigma"]),
            streak=value["streak"],
            longest=value["longest"],
            games=value["games"],
        )


@dataclass(frozen=True, slots=True)
class Shown:
    """A rating as it is read.  `rating`: points, 0 for a newcomer; `uncertainty`: one deviation, in points."""

    rating: int
    uncertainty: int
    settling: bool

    def to_json(self) -> dict[str, Any]:
        """The rating as a JSON object."""
        return asdict(self)


def start() -> Form:
    """The form of somebody who has not played yet."""
    return Form(mu=MEAN, sigma=DEVIATION, streak=0, longest=0, games=0)


def after(facts: GameFacts, forms: Sequence[Form], same: Sequence[int] | None = None) -> tuple[Form, ...]:
    """The forms of the participants after a game that they entered with `forms`.

    `same`: for each participant the first one who is the same person; None: all are others.
    The same games in the same order give the same numbers, to the last bit.
    Errors: `ValueError` if there is not one form for each participant.
    """
    if len(forms) != facts.participants:
        raise ValueError(f"{facts.participants} participants have {facts.participants} forms, not {len(forms)}")
    first = range(facts.participants) if same is None else same
    beliefs = [(form.mu, form.sigma) for form in forms]
    for played in facts.rounds:
        cast = [first[who] for who in facts.cast(played.number)]
        moved = [beliefs[who] for who in cast]
        _rate(played, moved)
        for who, belief in zip(cast, moved, strict=True):
            beliefs[who] = belief
    return tuple(_carried(facts, who, form, *beliefs[first[who]]) for who, form in enumerate(forms))


def shown(form: Form) -> Shown:
    """The rating to show: the mean less three deviations, in points.

    It rises with the first games even without wins, because the uncertainty falls.  It is negative for players who lost
    more than that.
    """
    return Shown(
        rating=round(SCALE * (form.mu - CAUTION * form.sigma)),
        uncertainty=round(SCALE * form.sigma),
        settling=form.games < SETTLED_GAMES or form.sigma > SETTLED_DEVIATION,
    )


def _carried(facts: GameFacts, who: int, form: Form, mu: float, sigma: float) -> Form:
    if who >= facts.players:
        # The end of the game is not theirs: no streak goes on or ends.
        return Form(mu, sigma, form.streak, form.longest, form.games + 1)
    streak = form.streak + 1 if who in facts.winners else 0
    # A game from paper names no teams: it says who won, and nothing of how strong they are.
    return Form(mu, sigma, streak, max(form.longest, streak), form.games + bool(facts.rounds))


def _rate(played: RoundFacts, beliefs: list[tuple[float, float]]) -> None:
    """Let one round change what is believed of its players, in place."""
    # Twice a normal variable is normal with twice the mean and deviation: the library gets a doubled player as
    # one twice as strong and twice as uncertain, and halved again.  (Its weights would not do: they change how far a
    # player moves, but not how strong their team is assumed to be.)
    weight = [2 if seat == played.monster else 1 for seat in range(len(beliefs))]
    drifted = [math.hypot(sigma, DRIFT) for _, sigma in beliefs]
    teams = [
        [_MODEL.rating(mu=weight[seat] * beliefs[seat][0], sigma=weight[seat] * drifted[seat]) for seat in team]
        for team in played.teams
    ]
    # The library knows no lead: one more player, whose strength is certain, has it.
    c = math.hypot(BETA, BETA, *(rating.sigma for team in teams for rating in team))
    teams[0].append(_MODEL.rating(mu=START_LEAD[len(beliefs)] * c, sigma=0.0))
    # Ranks and not scores: by how much a round was won depends on its points per trick.
    own, other = played.team_scores
    ranks: list[float] = [1 + (own < other), 1 + (other < own)]
    for team, ratings in zip(played.teams, _MODEL.rate(teams, ranks=ranks), strict=True):
        for seat, rating in zip(team, ratings, strict=False):
            beliefs[seat] = (rating.mu / weight[seat], rating.sigma / weight[seat])

"""What the strong bot would have done in place of a decision, and by how much better that is on average.

Must not know: anything but the `PlayerView` at that time; how the game went on.

The bot searches first.  Then its action and the one that was taken are judged over other guesses, common to both, so
that the choice of the better one among noisy figures does not flatter it.  What a hint advised stands in place of the
bot's action unless that is clearly better: hint and verdict speak with one voice.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from random import Random

from games.bots import CLEAR, LITTLE
from games.bots.knowledge import knowledge_of
from games.bots.margins import error_of
from games.bots.reasons import reason
from games.bots.strong import End, Ends, Hidden, Limit, compared_as, decide_strongly, ends_of, ends_of_board
from games.bots.win_probability import Standing
from games.rules.actions import Action, Place, Play
from games.rules.editions import RowKey
from games.rules.hints import HintReason
from games.rules.redaction import PlayerView
from games.rules.rounds import Phase

CHAINS = 12
"""Guesses of one chain resemble each other, so the standard error comes from the means of this many chains."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """A decision judged.

    `difference`: by how much `best` is better, in points of the game: what they count for the victory.  `error`: its
    standard error.  `points`: by how many points the seat's team is expected to win the round, after `best`; `lost`:
    how many of these points the action that was taken costs, which may be none where it costs victories.
    `chances`: of the victory, after the action that was taken and after `best`.
    `reason`: why `best` rather than what was taken, None if it was taken.
    """

    best: Action
    difference: float
    error: float
    points: float
    lost: float
    chances: tuple[float, float]
    reason: HintReason | None


def review(
    view: PlayerView,
    played: Action,
    *,
    seed: int,
    guesses: int,
    advised: Action | None = None,
    said: HintReason | None = None,
) -> Verdict:
    """The verdict on an action that was taken at a view.

    `guesses`: for the search, and again for the judgement; `advised`, `said`: what a hint said, and why.
    """
    best = decide_strongly(view, seed, Limit(until=0.0, guesses=guesses))
    actions = [played]
    for other in (best, advised):
        if other is not None and not any(is_equivalent(view, each, other) for each in actions):
            actions.append(other)
    standing = Standing.of(view)
    chains: list[list[list[End]]] = []
    for chain in range(CHAINS):
        ends = _ends_of(view, actions, Random(f"{seed} {chain}"))
        chains.append([ends(range(len(actions))) for _ in range(math.ceil(guesses / CHAINS))])

    def gap(one: int, other: int) -> tuple[float, float]:
        worths = [[(standing.worth(*end[one]), standing.worth(*end[other])) for end in chain] for chain in chains]
        difference, error = paired(worths)
        return standing.in_points(difference), standing.in_points(error)

    rival = 0 if is_equivalent(view, played, best) else 1
    if len(actions) > 2:
        further, doubt = gap(2, 1)
        rival = 1 if further > max(LITTLE, CLEAR * doubt) else 2
    difference, error = gap(0, rival)
    taken = rival if difference > 0 else 0
    ends_by = [[end[arm] for chain in chains for end in chain] for arm in (0, taken)]
    left, points = (statistics.fmean(standing.lead(*end) for end in each) for each in ends_by)
    before, after = (statistics.fmean(standing.chance(*end) for end in each) for each in ends_by)
    is_advised = advised is not None and is_equivalent(view, actions[taken], advised)
    return Verdict(
        actions[taken],
        max(0.0, difference),
        error,
        points,
        points - left,
        (before, after),
        reason(view, actions[taken], played, said=said if is_advised else None) if taken else None,
    )


def paired(chains: Sequence[Iterable[tuple[float, float]]]) -> tuple[float, float]:
    """The mean of the differences, second minus first, and its standard error from that of the chains."""
    means = [statistics.fmean(second - first for first, second in chain) for chain in chains]
    return statistics.fmean(means), error_of(means)


def is_equivalent(view: PlayerView, one: Action, other: Action) -> bool:
    """Whether two actions have the same effect: equal ones, or cards with no other card between them."""
    if not (isinstance(one, Play) and isinstance(other, Play)):
        return one == other
    knowledge = knowledge_of(view)
    kept = {knowledge.tables.card_of(card): least for card, least in compared_as(knowledge).items()}
    return kept[one.card] == kept[other.card]


def _ends_of(view: PlayerView, actions: Sequence[Action], rng: Random) -> Ends:
    if view.public.phase is not Phase.PLACING:
        return ends_of(view, knowledge_of(view), actions, rng)
    current = view.public.current
    assert current is not None, "a marker is placed in a round"
    rows = {row.key: row.open_spaces for row in current.board.rows}
    start = view.public.ruleset.first_placer(current.dealer)
    standing, hidden = Standing.of(view), Hidden(view)

    def ends(alive: Sequence[int]) -> list[End]:
        held, luck = hidden.deal(rng), rng.random()
        # The board is filled up in this order; the last spaces stay open.
        order = {key: rng.sample(spaces, len(spaces)) for key, spaces in rows.items()}
        found: dict[tuple[str, ...], End] = {}
        boards = [_left_open(order, actions[arm]) for arm in alive]
        for left in boards:
            key = tuple(left.values())
            if key not in found:
                stake = left[RowKey.POINTS]
                found[key] = ends_of_board(view, standing, held, left, start, [stake], Random(luck))[stake]
        return [found[tuple(left.values())] for left in boards]

    return ends


def _left_open(order: dict[RowKey, list[str]], cover: Action) -> dict[RowKey, str]:
    """The spaces that stay open if this one is covered now."""
    assert isinstance(cover, Place), "only markers are placed now"
    return {
        key: spaces[-2] if key is cover.row and spaces[-1] == cover.space else spaces[-1]
        for key, spaces in order.items()
    }

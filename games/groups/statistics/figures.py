"""Games as figures that add up: flat counters of whole numbers, for a group, a player and a pair.

Knows: what is counted of a game's facts, and the names of the counters.  Must not know: averages, rates and what is
worth showing (`summary`), anything that depends on the order of games (`ratings`), where figures are stored.

Figures are mappings from a name to a whole number, without zeros.  Those of many games are the sum of those of each, in
any order; a result that was reopened or deleted is subtracted.  Nothing here may become a maximum or a mean: those
could not be taken back.  The best round is therefore read off the counters `score.N`, one for each score that occurred.

Names, `<row>` being a row of the board and `<space>` a space of it (in the row `start`: `self` where a player covered
their own token, else `other`, because partners are not named yet):

all three
    games                       games played
    preset.<key>, players.<n>   games that anything is counted of, by the preset and by the number of players
of a player and of a group
    timed, minutes              games whose minutes are known, and these minutes
    timed_rounds, round_minutes     … of the games with rounds (not from paper): the rounds, the minutes
of a player
    wins, shared                games won (shared ones too), of these shared
    total                       sum of the games' totals, penalties included
    rounds, won, drawn, points  rounds, rounds won, drawn, points written on the sheet for them; and the same four
    start.*                     … as start player
    partner.*                   … in the start player's team, but not as start player
    opponent.*                  … in the other team
    alone.*                     … as start player without a partner against two; with two players there is no choice
    start.players.<n>           rounds as start player of n players; the same for partner, opponent and alone
    monster.*                   … as holder of the monster
    minus2.*                    … in rounds at −2 points per trick
    tricks, captured            tricks won, cards captured with them
    score.<N>                   rounds in which the own team's score was N
    placed                      rounds in which they placed a marker that was recorded
    cover.<row>.<space>         markers placed there
    first.<row>.<space>         … of these the player's first in the round
    open.<row>.<space>          rounds as start player with this space left open (rows discard to points)
of a group
    shared                      games with more than one winner
    digital, paper              games by kind (paper: nothing is known but their totals)
    rounds, seats, points       rounds, rounds × players, points written in all seats
    tricks, captured            of everybody together
    start.won, start.drawn      rounds that the start player's team won, and drawn ones
    minus2.rounds, .seats, .points          the same as above, in rounds at −2
    monster.rounds, .won, .points           rounds with a monster, won by its holder's team, the holders' points
    monster.others, .others_points          the other seats in the same rounds, their points
    score.<N>                   team scores of N (two in each round)
    placed                      rounds with recorded markers
    cover.<row>.<space>         markers placed there
    first.<row>.<space>         … of these the first of the round
    row_first.<row>.<space>     … of these the first of the row in the round
    open.<row>.<space>          rounds with this space left open (rows discard to points)
of a pair
    shared                      games that both won together
    with.rounds, .won, .drawn, .points      rounds as partners, and the points of each of the two
    with.chosen, .chosen_won    … of these: one of them was start player and took the other
    against.rounds, .drawn      rounds as opponents
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

from games.groups.statistics.facts import GameFacts, RoundFacts
from games.rules import RowKey

Figures = Mapping[str, int]

MINUS2 = -2
IN_NAMED_TEAM: Mapping[str, bool] = {"start.": True, "partner.": True, "alone.": True, "opponent.": False}
"""The roles that are counted by the number of players too, and whether they are in the start player's team."""

SETTLED_ROWS = (RowKey.DISCARD.value, RowKey.TRUMP.value, RowKey.SUPERTRUMP.value, RowKey.POINTS.value)
"""The rows whose open space means the same in every game; that of the row `start` is a seat."""


def of_group(facts: GameFacts) -> dict[str, int]:
    """What a game adds to the figures of its group."""
    count = _kind_of(facts)
    count["games"] += 1
    count["shared"] += len(facts.winners) > 1
    count["digital"] += facts.digital
    count["paper"] += not facts.rounds
    _count_minutes(count, facts)
    for played in facts.rounds:
        _count_round_of_group(count, played)
    return _without_zeros(count)


def of_player(facts: GameFacts, who: int) -> dict[str, int]:
    """What a game adds to the figures of a participant.

    The game itself, and its total, are those of who played to the end; of somebody before, only the rounds count.
    """
    count = _kind_of(facts)
    seat = facts.seat_of(who)
    if who == seat:
        won = seat in facts.winners
        count["games"] += 1
        count["wins"] += won
        count["shared"] += won and len(facts.winners) > 1
        count["total"] += facts.totals[seat]
        _count_minutes(count, facts)
    for played in facts.rounds:
        if facts.cast(played.number)[seat] == who:
            _count_round_of_player(count, played, seat)
    return _without_zeros(count)


def of_pair(facts: GameFacts, one: int, another: int) -> dict[str, int]:
    """What a game adds to the figures of two participants, whichever is named first.

    Two who had one seat after another did not play together.
    Errors: `ValueError` if it is the same participant twice.
    """
    if one == another:
        raise ValueError("a pair is made of two players")
    count: defaultdict[str, int] = defaultdict(int)
    seat, other = facts.seat_of(one), facts.seat_of(another)
    if (one, another) == (seat, other):
        count["games"] += 1
        count["shared"] += seat in facts.winners and other in facts.winners
    for played in facts.rounds:
        cast = facts.cast(played.number)
        if (cast[seat], cast[other]) != (one, another):
            continue
        gap = played.gap(seat)
        if other not in played.team_of(seat):
            count["against.rounds"] += 1
            count["against.drawn"] += gap == 0
            continue
        count["with.rounds"] += 1
        count["with.won"] += gap > 0
        count["with.drawn"] += gap == 0
        # Partners write down the same points: counted once.
        count["with.points"] += played.points[seat]
        if played.start in (seat, other):
            count["with.chosen"] += 1
            count["with.chosen_won"] += gap > 0
    if count:
        count.update(_kind_of(facts))
    return _without_zeros(count)


def added(a: Figures, b: Figures) -> dict[str, int]:
    """The figures of both."""
    return _sum(a, b, sign=1)


def subtracted(a: Figures, b: Figures) -> dict[str, int]:
    """The figures `a` as they were before `b` was added."""
    return _sum(a, b, sign=-1)


def _sum(a: Figures, b: Figures, *, sign: int) -> dict[str, int]:
    total = dict(a)
    for name, number in b.items():
        total[name] = total.get(name, 0) + sign * number
    return _without_zeros(total)


def _without_zeros(count: Mapping[str, int]) -> dict[str, int]:
    return {name: number for name, number in count.items() if number}


def _kind_of(facts: GameFacts) -> defaultdict[str, int]:
    return defaultdict(int, {f"preset.{facts.preset}": 1, f"players.{facts.players}": 1})


def _count_minutes(count: defaultdict[str, int], facts: GameFacts) -> None:
    if facts.minutes:
        count["timed"] += 1
        count["minutes"] += facts.minutes
        count["timed_rounds"] += len(facts.rounds)
        count["round_minutes"] += facts.minutes if facts.rounds else 0


def _count_round_of_group(count: defaultdict[str, int], played: RoundFacts) -> None:
    seats = len(played.points)
    points = sum(played.points)
    count["rounds"] += 1
    count["seats"] += seats
    count["points"] += points
    count["tricks"] += sum(played.tricks)
    count["captured"] += sum(played.captured)
    gap = played.gap(played.start)
    count["start.won"] += gap > 0
    count["start.drawn"] += gap == 0
    for score in played.team_scores:
        count[f"score.{score}"] += 1
    if played.conditions["points"] == MINUS2:
        count["minus2.rounds"] += 1
        count["minus2.seats"] += seats
        count["minus2.points"] += points
    if played.monster is not None:
        held = played.points[played.monster]
        count["monster.rounds"] += 1
        count["monster.won"] += played.gap(played.monster) > 0
        count["monster.points"] += held
        count["monster.others"] += seats - 1
        count["monster.others_points"] += points - held
    _count_open(count, played)
    rows: set[str] = set()
    for seat, row, space in played.placements:
        name = f"{row}.{_counted_space(seat, row, space)}"
        count[f"cover.{name}"] += 1
        if not rows:
            count["placed"] += 1
            count[f"first.{name}"] += 1
        if row not in rows:
            count[f"row_first.{name}"] += 1
            rows.add(row)


def _count_round_of_player(count: defaultdict[str, int], played: RoundFacts, seat: int) -> None:
    gap, points = played.gap(seat), played.points[seat]
    for role in _roles(played, seat):
        count[f"{role}rounds"] += 1
        count[f"{role}won"] += gap > 0
        count[f"{role}drawn"] += gap == 0
        count[f"{role}points"] += points
        if role in IN_NAMED_TEAM:
            count[f"{role}players.{len(played.points)}"] += 1
    count["tricks"] += played.tricks[seat]
    count["captured"] += played.captured[seat]
    count[f"score.{played.raw[seat]}"] += 1
    if played.start == seat:
        _count_open(count, played)
    own = [f"{row}.{_counted_space(seat, row, space)}" for placer, row, space in played.placements if placer == seat]
    for name in own:
        count[f"cover.{name}"] += 1
    if own:
        count["placed"] += 1
        count[f"first.{own[0]}"] += 1


def _roles(played: RoundFacts, seat: int) -> list[str]:
    """The beginnings of the names under which a round counts for a player."""
    own, _ = played.teams
    roles = [""]
    if seat == played.start:
        roles.append("start.")
        # Two players always play one against one, which is no choice.
        if len(own) == 1 and len(played.points) > 2:
            roles.append("alone.")
    else:
        roles.append("partner." if seat in own else "opponent.")
    if seat == played.monster:
        roles.append("monster.")
    if played.conditions["points"] == MINUS2:
        roles.append("minus2.")
    return roles


def _count_open(count: defaultdict[str, int], played: RoundFacts) -> None:
    settled = played.conditions
    spaces = (settled["discard"], settled["trump"], settled["supertrump"], str(settled["points"]))
    for row, space in zip(SETTLED_ROWS, spaces, strict=True):
        count[f"open.{row}.{space}"] += 1


def _counted_space(seat: int, row: str, space: str) -> str:
    """A space as it is counted: seats differ from game to game, so a token counts as the placer's own or another."""
    if row != RowKey.START:
        return space
    return "self" if space == str(seat) else "other"

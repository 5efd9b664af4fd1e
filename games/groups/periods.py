"""What the games of a period add up to, by preset and number of players, so that a selection reads few rows.

A group, each player and each pair has a row for each day of UTC on which it has games, for each month, each year and
for all time.  A selection is years, months, days, and the games of at most two days that it has only a part of, because
the days of a phone are those of its zone.

Must not know: permissions, pages, the log.  What is written here is written under the lock of the group.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import reduce
from itertools import combinations
from operator import or_

from django.db.models import Q

from games.groups.statistics import figures
from games.groups.statistics.facts import GameFacts
from games.groups.statistics.figures import Figures
from games.log.rows import insert
from games.models import Group, PeriodFigures

EVERYBODY = ""
"""The group as the owner of figures."""
EVER = ""

Combine = Callable[[Figures, Figures], dict[str, int]]
Key = tuple[str, str, str, int]
"""Owner, period, preset, number of players."""
KEY = ("owner", "period", "preset", "players")


def pair_of(one: str, other: str) -> str:
    """Two players as the owner of figures."""
    return f"{min(one, other)} {max(one, other)}"


def figures_of(facts: GameFacts, people: Sequence[str | None]) -> Iterator[tuple[str, Figures]]:
    """What a game adds to whose figures.  `people`: the players of its participants, as `GameFacts` numbers them."""
    yield EVERYBODY, figures.of_group(facts)
    known = [(who, person) for who, person in enumerate(people) if person is not None]
    for who, person in known:
        yield person, figures.of_player(facts, who)
    for (one, person), (another, other) in combinations(known, 2):
        # Who left a seat and sat in another one took part twice.
        if person != other:
            yield pair_of(person, other), figures.of_pair(facts, one, another)


def of_games(games: Iterable[tuple[GameFacts, Sequence[str | None], datetime]]) -> dict[Key, Counter[str]]:
    """What games add up to, in days; of each its facts, its people and its end."""
    found: defaultdict[Key, Counter[str]] = defaultdict(Counter)
    for facts, people, at in games:
        day = DAYS.name(at)
        for owner, more in figures_of(facts, people):
            found[owner, day, facts.preset, facts.players].update(more)
    return found


def of_owners(days: Mapping[Key, Counter[str]]) -> dict[str, Counter[str]]:
    """The same by owner alone."""
    found: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for (owner, *_rest), more in days.items():
        found[owner].update(more)
    return found


# --- what is kept ---


def keep(group: Group, days: Mapping[Key, Counter[str]], combine: Combine) -> None:
    """Add what games add up to, in days, to what is kept of a group, or subtract it."""
    wanted, shorter = dict(days), days
    for letter, length in (("m", 8), ("y", 5), (EVER, 1)):
        longer: defaultdict[Key, Counter[str]] = defaultdict(Counter)
        for (owner, period, preset, players), more in shorter.items():
            longer[owner, letter + period[1:length], preset, players].update(more)
        wanted |= longer
        shorter = longer
    found = PeriodFigures.objects.filter(
        group=group, owner__in={key[0] for key in wanted}, period__in={key[1] for key in wanted}
    )
    before = {tuple(key): kept for *key, kept in found.values_list(*KEY, "figures")}
    insert(
        PeriodFigures,
        ("group_id", *KEY, "figures"),
        ((group.pk, *key, json.dumps(combine(before.get(key, {}), more))) for key, more in wanted.items()),
        unique=("group_id", *KEY),
    )


def unite(group: Group, player: str, into: str) -> None:
    """Move a player's figures to another player."""
    moved: defaultdict[Key, Counter[str]] = defaultdict(Counter)
    old = PeriodFigures.objects.filter(group=group, owner__contains=player)
    for row in old.filter(period__startswith="d"):
        owners = sorted(into if each == player else each for each in row.owner.split())
        if len(set(owners)) == len(owners):
            moved[" ".join(owners), row.period, row.preset, row.players].update(row.figures)
    old.delete()
    keep(group, moved, figures.added)


def kept_of(group: Group) -> dict[Key, Figures]:
    """Everything that is kept of a group, to be compared; what has become empty left out."""
    rows = PeriodFigures.objects.filter(group=group).exclude(figures={}).order_by("owner", "period")
    return {row.key: row.figures for row in rows}


# --- what a selection reads ---


Span = tuple[datetime | None, datetime | None]
"""From a time on, up to another."""


@dataclass(frozen=True)
class Reach:
    """A time as periods that are `kept`, and as `edges` within days, whose games are read."""

    kept: Q | None
    edges: Sequence[Span]


def reach(since: datetime | None, until: datetime | None) -> Reach:
    """The time in [since, until); None: without an end."""
    first, last = _from(since, DAYS), _up_to(until, DAYS)
    if first and last and first >= last:
        return Reach(None, [(since, until)])
    edges = [span for span in ((since, first), (last, until)) if span[0] != span[1]]
    return Reach(reduce(or_, _kept(first, last)), edges)


def _kept(first: datetime | None, last: datetime | None) -> Iterator[Q]:
    """Whole days, the last one excluded: as months where there are whole ones, and these as years."""
    if first is None and last is None:
        yield Q(period=EVER)
        return
    unit = DAYS
    for longer in (MONTHS, YEARS):
        begin, end = _from(first, longer), _up_to(last, longer)
        if begin and end and begin >= end:
            break
        if first != begin:
            yield unit.between(first, begin)
        if last != end:
            yield unit.between(end, last)
        first, last, unit = begin, end, longer
    yield unit.between(first, last)


@dataclass(frozen=True)
class Unit:
    """A unit of periods: the letter and the length of its names, and a time that is longer than one and under two."""

    letter: str
    length: int
    longer: timedelta

    def name(self, at: datetime) -> str:
        """The name of the one that a time is in."""
        return f"{self.letter}{at.astimezone(UTC).date().isoformat()[: self.length]}"

    def begin(self, at: datetime) -> datetime:
        """When the one that a time is in begins."""
        first = self.name(at)[1:] + "2000-01-01"[self.length :]
        return datetime.fromisoformat(first).replace(tzinfo=UTC)

    def between(self, first: datetime | None, last: datetime | None) -> Q:
        """Those from one on, up to another."""
        lowest, highest = f"{self.letter}0", f"{self.letter}9999-99"
        return Q(
            period__gte=lowest if first is None else self.name(first),
            period__lt=highest if last is None else self.name(last),
        )


DAYS = Unit("d", 10, timedelta(days=1))
MONTHS = Unit("m", 7, timedelta(days=32))
YEARS = Unit("y", 4, timedelta(days=367))


def _from(at: datetime | None, unit: Unit) -> datetime | None:
    """The first one that begins at a time or after it."""
    if at is None or unit.begin(at) == at:
        return at
    return unit.begin(unit.begin(at) + unit.longer)


def _up_to(at: datetime | None, unit: Unit) -> datetime | None:
    return None if at is None else unit.begin(at)

"""Figures as they are read: rates, means, lists in order, and which of them have few games behind them.

Knows: the counters of `figures` and how they are divided.  Must not know: words, languages, pages, how the figures were
stored.

Every rate lies between 0 and 1, every mean is unrounded, and each is None where nothing was counted.  A `few` beside a
figure says that fewer than `FEW_GAMES` games or `FEW_ROUNDS` rounds stand behind that very figure.  `by_preset` and
`by_players` (its keys are numbers as texts) count the games behind all figures; `mixed` says that these are of more
than one box or number of players, so that means are over what is not alike.  `points` are those written on the sheet;
`score` is a team's score before a sheet by difference makes points of it.
`to_json` gives plain JSON: objects, lists, numbers, texts, true, false and null.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Self

from games.groups.statistics.figures import IN_NAMED_TEAM, SETTLED_ROWS, Figures
from games.groups.statistics.start_lead import usual_rate
from games.rules import PRESETS, RowKey
from games.rules.editions import EDITIONS, Edition

FEW_GAMES = 10
FEW_ROUNDS = 30

_ROWS = tuple(row.value for row in RowKey)

SpaceCounts = Mapping[str, Mapping[str, int]]
"""How often, by row and space; the rows from top to bottom, the most frequent space of a row first."""


@dataclass(frozen=True, slots=True)
class _Summary:
    """What all summaries can do."""

    def to_json(self) -> dict[str, Any]:
        """The summary as a JSON object."""
        return {each.name: _plain(getattr(self, each.name)) for each in fields(self)}


@dataclass(frozen=True, slots=True)
class Rounds(_Summary):
    """Rounds of one kind, from one player's (or one pair's) side.  `few`: by the rounds.

    `usual_rate`: the share of such rounds that one of equally strong players wins, with as many players at the table; a
    draw is half a win.  None where it is not known.
    """

    rounds: int
    won: int
    drawn: int
    win_rate: float | None
    usual_rate: float | None
    points: int
    points_per_round: float | None
    few: bool

    @classmethod
    def of(cls, figures: Figures, prefix: str = "") -> Self:
        """The rounds counted under the names that begin with `prefix` (“start.”; “”: all)."""
        rounds, won = figures.get(f"{prefix}rounds", 0), figures.get(f"{prefix}won", 0)
        points = figures.get(f"{prefix}points", 0)
        # In order, so that sums of fractions are the same to the last bit.
        counted = sorted(_below(figures, f"{prefix}players.")) if prefix in IN_NAMED_TEAM else ()
        tables = {int(players): number for players, number in counted}
        usual = [number * usual_rate(players, names_teams=IN_NAMED_TEAM[prefix]) for players, number in tables.items()]
        return cls(
            rounds=rounds,
            won=won,
            drawn=figures.get(f"{prefix}drawn", 0),
            win_rate=_ratio(won, rounds),
            usual_rate=_ratio(sum(usual), sum(tables.values())),
            points=points,
            points_per_round=_ratio(points, rounds),
            few=rounds < FEW_ROUNDS,
        )


@dataclass(frozen=True, slots=True)
class Cover(_Summary):
    """A space and how often it was covered.

    `count`: markers there; `first_count`: of these the player's (of a group: anybody's) first of a round;
    `row_first_count`: of these the first of the row, counted for groups only.
    """

    row: str
    space: str
    count: int
    first_count: int
    row_first_count: int | None = None


@dataclass(frozen=True, slots=True)
class PlayerSummary(_Summary):
    """What a player's figures say.

    `win_rate` is of games, `rounds_won_rate` of rounds; `few` and `few_rounds` belong to them.  `total`: the sum of the
    games' totals, penalties included; `points`: of the rounds alone.  `covers`: the most covered first, `few_covers` by
    the `placed_rounds`, those in which a marker of theirs was recorded.  `conditions`: what they left open as start
    player, as reliable as `start`.  `best_round`, `worst_round`: the highest and lowest score of their team.
    """

    games: int
    by_preset: Mapping[str, int] = field(hash=False)
    by_players: Mapping[str, int] = field(hash=False)
    mixed: bool
    wins: int
    shared: int
    minutes_per_game: float | None
    minutes_per_round: float | None
    win_rate: float | None
    few: bool
    total: int
    total_per_game: float | None
    rounds: int
    rounds_won: int
    rounds_drawn: int
    rounds_won_rate: float | None
    points: int
    points_per_round: float | None
    few_rounds: bool
    start: Rounds
    partner: Rounds
    opponent: Rounds
    alone: Rounds
    monster: Rounds
    tricks: int
    captured: int
    captures_per_trick: float | None
    rounds_at_minus2: int
    points_per_round_at_minus2: float | None
    few_at_minus2: bool
    placed_rounds: int
    covers: tuple[Cover, ...]
    few_covers: bool
    conditions: SpaceCounts = field(hash=False)
    best_round: int | None
    worst_round: int | None

    @property
    def every_round(self) -> Rounds:
        """All rounds, as rounds of one kind."""
        return Rounds(
            rounds=self.rounds,
            won=self.rounds_won,
            drawn=self.rounds_drawn,
            win_rate=self.rounds_won_rate,
            usual_rate=None,
            points=self.points,
            points_per_round=self.points_per_round,
            few=self.few_rounds,
        )

    @classmethod
    def of(cls, figures: Figures) -> Self:
        """The summary of figures that `figures.of_player` began."""
        games, wins, total = figures.get("games", 0), figures.get("wins", 0), figures.get("total", 0)
        rounds, minus2 = Rounds.of(figures), Rounds.of(figures, "minus2.")
        tricks, captured = figures.get("tricks", 0), figures.get("captured", 0)
        placed = figures.get("placed", 0)
        scores = _scores(figures)
        return cls(
            games=games,
            **_kinds(figures),
            wins=wins,
            shared=figures.get("shared", 0),
            **_minutes(figures),
            win_rate=_ratio(wins, games),
            few=games < FEW_GAMES,
            total=total,
            total_per_game=_ratio(total, games),
            rounds=rounds.rounds,
            rounds_won=rounds.won,
            rounds_drawn=rounds.drawn,
            rounds_won_rate=rounds.win_rate,
            points=rounds.points,
            points_per_round=rounds.points_per_round,
            few_rounds=rounds.few,
            start=Rounds.of(figures, "start."),
            partner=Rounds.of(figures, "partner."),
            opponent=Rounds.of(figures, "opponent."),
            alone=Rounds.of(figures, "alone."),
            monster=Rounds.of(figures, "monster."),
            tricks=tricks,
            captured=captured,
            captures_per_trick=_ratio(captured, tricks),
            rounds_at_minus2=minus2.rounds,
            points_per_round_at_minus2=minus2.points_per_round,
            few_at_minus2=minus2.few,
            placed_rounds=placed,
            covers=_covers(figures),
            few_covers=placed < FEW_ROUNDS,
            conditions=_conditions(figures),
            best_round=max(scores, default=None),
            worst_round=min(scores, default=None),
        )


@dataclass(frozen=True, slots=True)
class Monster(_Summary):
    """What the monster brings, in rounds that know it.

    `points_per_round` is its holder's mean, `others_points_per_round` that of all others in the same rounds, `brings`
    the first less the second; `win_rate`: of its holder's team.
    """

    rounds: int
    won: int
    win_rate: float | None
    points_per_round: float | None
    others_points_per_round: float | None
    brings: float | None
    few: bool

    @classmethod
    def of(cls, figures: Figures) -> Self:
        """The monster in the figures of a group."""
        rounds, won = figures.get("monster.rounds", 0), figures.get("monster.won", 0)
        holders = _ratio(figures.get("monster.points", 0), rounds)
        others = _ratio(figures.get("monster.others_points", 0), figures.get("monster.others", 0))
        return cls(
            rounds=rounds,
            won=won,
            win_rate=_ratio(won, rounds),
            points_per_round=holders,
            others_points_per_round=others,
            brings=None if holders is None or others is None else holders - others,
            few=rounds < FEW_ROUNDS,
        )


@dataclass(frozen=True, slots=True)
class GroupSummary(_Summary):
    """What a group's figures say.

    `paper_games`: games that were entered with their totals alone, which every figure of rounds leaves out.
    `points_per_round`: of one player in one round.  `start_won`, `start_drawn`: rounds of the start player's team.
    `few` belongs to what is said of games, `few_rounds` to what is said of rounds, `few_covers` to `covers` (by the
    `placed_rounds`, those with recorded markers).
    """

    games: int
    shared: int
    digital_games: int
    paper_games: int
    minutes_per_game: float | None
    minutes_per_round: float | None
    by_preset: Mapping[str, int] = field(hash=False)
    by_players: Mapping[str, int] = field(hash=False)
    mixed: bool
    few: bool
    rounds: int
    points_per_round: float | None
    tricks: int
    captured: int
    captures_per_trick: float | None
    start_won: int
    start_drawn: int
    start_win_rate: float | None
    few_rounds: bool
    conditions: SpaceCounts = field(hash=False)
    placed_rounds: int
    covers: tuple[Cover, ...]
    few_covers: bool
    rounds_at_minus2: int
    points_per_round_at_minus2: float | None
    few_at_minus2: bool
    monster: Monster
    largest_team_score: int | None
    smallest_team_score: int | None

    @classmethod
    def of(cls, figures: Figures) -> Self:
        """The summary of figures that `figures.of_group` began."""
        games, rounds, placed = figures.get("games", 0), figures.get("rounds", 0), figures.get("placed", 0)
        tricks, captured = figures.get("tricks", 0), figures.get("captured", 0)
        minus2 = figures.get("minus2.rounds", 0)
        scores = _scores(figures)
        return cls(
            games=games,
            shared=figures.get("shared", 0),
            digital_games=figures.get("digital", 0),
            paper_games=figures.get("paper", 0),
            **_minutes(figures),
            **_kinds(figures),
            few=games < FEW_GAMES,
            rounds=rounds,
            points_per_round=_ratio(figures.get("points", 0), figures.get("seats", 0)),
            tricks=tricks,
            captured=captured,
            captures_per_trick=_ratio(captured, tricks),
            start_won=figures.get("start.won", 0),
            start_drawn=figures.get("start.drawn", 0),
            start_win_rate=_ratio(figures.get("start.won", 0), rounds),
            few_rounds=rounds < FEW_ROUNDS,
            conditions=_conditions(figures),
            placed_rounds=placed,
            covers=_covers(figures, of_group=True),
            few_covers=placed < FEW_ROUNDS,
            rounds_at_minus2=minus2,
            points_per_round_at_minus2=_ratio(figures.get("minus2.points", 0), figures.get("minus2.seats", 0)),
            few_at_minus2=minus2 < FEW_ROUNDS,
            monster=Monster.of(figures),
            largest_team_score=max(scores, default=None),
            smallest_team_score=min(scores, default=None),
        )


@dataclass(frozen=True, slots=True)
class PairSummary(_Summary):
    """What the figures of two players say, the same from either side.

    `shared`: games that both won; `few`: by the games.  `partners`: rounds in one team.  `chosen`: of these, rounds in
    which one was start player and took the other.  `opponents`, `opponents_drawn`: rounds against each other.
    """

    games: int
    by_preset: Mapping[str, int] = field(hash=False)
    by_players: Mapping[str, int] = field(hash=False)
    mixed: bool
    shared: int
    few: bool
    partners: Rounds
    chosen: int
    chosen_won: int
    chosen_win_rate: float | None
    few_chosen: bool
    opponents: int
    opponents_drawn: int

    @classmethod
    def of(cls, figures: Figures) -> Self:
        """The summary of figures that `figures.of_pair` began."""
        chosen, chosen_won = figures.get("with.chosen", 0), figures.get("with.chosen_won", 0)
        return cls(
            games=figures.get("games", 0),
            **_kinds(figures),
            shared=figures.get("shared", 0),
            few=figures.get("games", 0) < FEW_GAMES,
            partners=Rounds.of(figures, "with."),
            chosen=chosen,
            chosen_won=chosen_won,
            chosen_win_rate=_ratio(chosen_won, chosen),
            few_chosen=chosen < FEW_ROUNDS,
            opponents=figures.get("against.rounds", 0),
            opponents_drawn=figures.get("against.drawn", 0),
        )


def boxes_of(presets: Iterable[str]) -> list[Edition]:
    """The boxes that these presets are played with, in the order of the editions."""
    played = {PRESETS[preset].edition.key for preset in presets if preset in PRESETS}
    return [edition for key, edition in EDITIONS.items() if key in played]


def _kinds(figures: Figures) -> dict[str, Any]:
    """The games by preset and number of players, and whether boxes or numbers of players are mixed."""
    by_preset = dict(_most_first(_below(figures, "preset.")))
    by_players = dict(sorted(_below(figures, "players.")))
    mixed = len(boxes_of(by_preset)) > 1 or len(by_players) > 1
    return {"by_preset": by_preset, "by_players": by_players, "mixed": mixed}


def _minutes(figures: Figures) -> dict[str, Any]:
    """The means of the games whose minutes are known; those of rounds leave out games from paper."""
    minutes, rounds = figures.get("minutes", 0), figures.get("timed_rounds", 0)
    return {
        "minutes_per_game": _ratio(minutes, figures.get("timed", 0)),
        "minutes_per_round": _ratio(figures.get("round_minutes", 0), rounds),
    }


def _ratio(part: float, whole: int) -> float | None:
    return part / whole if whole else None


def _below(figures: Figures, prefix: str) -> Iterator[tuple[str, int]]:
    """The counters under a prefix, without it."""
    return ((name.removeprefix(prefix), number) for name, number in figures.items() if name.startswith(prefix))


def _most_first(counts: Iterator[tuple[str, int]]) -> list[tuple[str, int]]:
    """The largest count first; equal ones by name, so that a page never changes its order by itself."""
    return sorted(counts, key=lambda each: (-each[1], each[0]))


def _scores(figures: Figures) -> list[int]:
    return [int(score) for score, _ in _below(figures, "score.")]


def _conditions(figures: Figures) -> dict[str, dict[str, int]]:
    return {row: dict(_most_first(_below(figures, f"open.{row}."))) for row in SETTLED_ROWS}


def _covers(figures: Figures, *, of_group: bool = False) -> tuple[Cover, ...]:
    """The covered spaces, the most covered first, equal ones from the top row to the bottom."""
    found = [
        Cover(
            row=row,
            space=space,
            count=count,
            first_count=figures.get(f"first.{row}.{space}", 0),
            row_first_count=figures.get(f"row_first.{row}.{space}", 0) if of_group else None,
        )
        for row in _ROWS
        for space, count in _below(figures, f"cover.{row}.")
    ]
    return tuple(sorted(found, key=lambda each: (-each.count, _ROWS.index(each.row), each.space)))


def _plain(value: object) -> Any:
    if isinstance(value, _Summary):
        return value.to_json()
    if isinstance(value, tuple):
        return [_plain(each) for each in value]
    if isinstance(value, Mapping):
        return {key: _plain(each) for key, each in value.items()}
    return value

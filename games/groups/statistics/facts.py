"""What a finished game leaves behind for the statistics: who did what in which round, and how it ended.

Knows: a replay of the rules, and which of its steps count (a voided round leaves nothing, nor does one that was not
completed).  Must not know: what is counted of it (`figures`), who sat in the seats.

Facts are kept in JSON with the game, so that exactly what was once added can be subtracted
again; therefore they have a version.  Every tuple “by seat” has one entry for each player.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Self, TypedDict

from games.groups.statistics import VERSION
from games.rules import NJET, FinishedRound, Place, RowKey, VoidRound
from games.rules.replay import Replay

Placement = tuple[int, str, str]
"""A marker: the seat that placed it, the row, the space (in the row `start` the number of a seat)."""

_ROW_LETTERS = {
    RowKey.START.value: "s",
    RowKey.DISCARD.value: "d",
    RowKey.TRUMP.value: "t",
    RowKey.SUPERTRUMP.value: "u",
    RowKey.POINTS.value: "p",
}
_ROWS_BY_LETTER = {letter: row for row, letter in _ROW_LETTERS.items()}


class Settled(TypedDict):
    """What a round was played under: the start player's seat, the open space of each other row, points per trick."""

    start: int
    discard: str
    trump: str
    supertrump: str
    points: int


@dataclass(frozen=True, slots=True)
class RoundFacts:
    """A completed round.

    `teams`: the start player's team first, each sorted by seat.  `raw`: by seat, the score of the seat's team;
    `points`: by seat, what was written on the sheet.  `placements`: the markers in the order in which they were
    placed; none where the board was entered in one go, the first few where it was completed in one go.
    """

    number: int
    start: int
    teams: tuple[tuple[int, ...], tuple[int, ...]]
    monster: int | None
    conditions: Settled = field(hash=False)
    raw: tuple[int, ...]
    points: tuple[int, ...]
    tricks: tuple[int, ...]
    captured: tuple[int, ...]
    placements: tuple[Placement, ...] = ()

    def team_of(self, seat: int) -> tuple[int, ...]:
        """The team that a seat played in."""
        own, other = self.teams
        return own if seat in own else other

    @property
    def team_scores(self) -> tuple[int, int]:
        """The raw scores of the two teams, the start player's first."""
        own, other = self.teams
        return self.raw[own[0]], self.raw[other[0]]

    def gap(self, seat: int) -> int:
        """By how much the seat's team scored more than the other: above 0 won, 0 drawn, below 0 lost."""
        own, other = self.team_scores
        return own - other if seat in self.teams[0] else other - own

    @classmethod
    def of(cls, done: FinishedRound, placements: tuple[Placement, ...]) -> Self:
        """The facts of a round on the sheet."""
        conditions = done.conditions
        return cls(
            number=done.number,
            start=conditions.start,
            teams=(done.teams.own, done.teams.other),
            monster=done.teams.monster,
            conditions=Settled(
                start=conditions.start,
                discard=conditions.discard,
                trump=NJET if conditions.trump is None else conditions.trump.value,
                supertrump=NJET if conditions.supertrump is None else conditions.supertrump.value,
                points=conditions.points,
            ),
            raw=done.score.raw,
            points=done.score.points,
            tricks=tuple(won.tricks for won in done.won),
            captured=tuple(won.captured for won in done.won),
            placements=placements,
        )

    def to_json(self) -> dict[str, Any]:
        """The round as a small JSON object; the markers are one text, “0tred 1p-2 2s1”: seat, row, space."""
        settled = self.conditions
        return {
            "number": self.number,
            "start": self.start,
            "teams": [list(team) for team in self.teams],
            "monster": self.monster,
            "open": [settled["discard"], settled["trump"], settled["supertrump"], settled["points"]],
            "raw": list(self.raw),
            "points": list(self.points),
            "tricks": list(self.tricks),
            "captured": list(self.captured),
            "placed": " ".join(f"{seat}{_ROW_LETTERS[row]}{space}" for seat, row, space in self.placements),
        }

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Self:
        """Read what `to_json` wrote."""
        own, other = value["teams"]
        discard, trump, supertrump, points = value["open"]
        return cls(
            number=value["number"],
            start=value["start"],
            teams=(tuple(own), tuple(other)),
            monster=value["monster"],
            conditions=Settled(
                start=value["start"], discard=discard, trump=trump, supertrump=supertrump, points=points
            ),
            raw=tuple(value["raw"]),
            points=tuple(value["points"]),
            tricks=tuple(value["tricks"]),
            captured=tuple(value["captured"]),
            placements=tuple((int(mark[0]), _ROWS_BY_LETTER[mark[1]], mark[2:]) for mark in value["placed"].split()),
        )


@dataclass(frozen=True, slots=True)
class GameFacts:
    """A finished game.  `totals`, `ranks`: by seat, penalties included; `winners`: the seats with the highest total.

    `rounds` is empty for a game from paper.  `minutes`: of play, None if nothing tells.  `stints`: of players whose
    seats others took over, the seat and the last round.  Participants are numbered: the seats, for those who played
    to the end, then the stints.
    """

    preset: str
    players: int
    totals: tuple[int, ...]
    ranks: tuple[int, ...]
    winners: tuple[int, ...]
    rounds: tuple[RoundFacts, ...]
    digital: bool
    minutes: int | None = None
    stints: tuple[tuple[int, int], ...] = ()

    @property
    def participants(self) -> int:
        """How many participants there are."""
        return self.players + len(self.stints)

    def seat_of(self, who: int) -> int:
        """The seat of a participant."""
        return who if who < self.players else self.stints[who - self.players][0]

    def cast(self, number: int) -> tuple[int, ...]:
        """The participants of a round, by seat."""
        seats = range(self.players)
        if not self.stints:
            return tuple(seats)
        cast = list(seats)
        for who, (seat, until) in reversed([*enumerate(self.stints, start=self.players)]):
            if number <= until:
                cast[seat] = who
        return tuple(cast)

    @classmethod
    def of(cls, replay: Replay, *, minutes: int | None = None) -> Self:
        """The facts of a finished game.

        Errors: `ValueError` if the game is not finished.
        """
        state = replay.state
        if state.current is not None:
            raise ValueError("only a finished game has facts")
        return cls(
            preset=state.ruleset.preset,
            players=state.players,
            totals=state.totals,
            ranks=state.ranks,
            winners=state.winners,
            rounds=rounds_of(replay),
            digital=state.setup.digital,
            minutes=minutes,
            stints=tuple((stint.seat, stint.until) for stint in state.setup.earlier),
        )

    def to_json(self) -> dict[str, Any]:
        """The game as a JSON object, about 350 bytes for each round."""
        return {
            "v": VERSION,
            "preset": self.preset,
            "players": self.players,
            "totals": list(self.totals),
            "ranks": list(self.ranks),
            "winners": list(self.winners),
            "digital": self.digital,
            "minutes": self.minutes,
            "stints": [list(stint) for stint in self.stints],
            "rounds": [each.to_json() for each in self.rounds],
        }

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Self:
        """Read what `to_json` wrote.

        Errors: `ValueError` for another version; `KeyError`, `TypeError` or `ValueError` for what no version wrote.
        """
        if value.get("v") != VERSION:
            raise ValueError(f"facts of version {value.get('v')!r} cannot be read, only {VERSION}")
        return cls(
            preset=value["preset"],
            players=value["players"],
            totals=tuple(value["totals"]),
            ranks=tuple(value["ranks"]),
            winners=tuple(value["winners"]),
            rounds=tuple(RoundFacts.from_json(each) for each in value["rounds"]),
            digital=value["digital"],
            minutes=value["minutes"],
            stints=tuple((seat, until) for seat, until in value["stints"]),
        )


def rounds_of(replay: Replay) -> tuple[RoundFacts, ...]:
    """The facts of the completed rounds of a game that may go on."""
    placed = _placements(replay)
    return tuple(RoundFacts.of(done, tuple(placed.get(done.number, ()))) for done in replay.state.finished)


def _placements(replay: Replay) -> dict[int, list[Placement]]:
    """The markers that count, by the number of their round."""
    placed: dict[int, list[Placement]] = {}
    for step in replay.applied:
        match step.action:
            case Place(row, space):
                # While markers are placed exactly one seat is due, so the step knows it.
                assert step.seat is not None, "a marker was placed by a seat"
                placed.setdefault(step.round_number, []).append((step.seat, row.value, space))
            case VoidRound():
                # The same round is dealt again, and its markers are placed again.
                placed.pop(step.round_number, None)
    return placed

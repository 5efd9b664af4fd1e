"""A finished game as other programs see it, and what all their formats say of it.

Knows: who played, when, the sheet in a few words.  Must not know: any one format; accounts, the database.

Names come from `Play.people`, never from the set-up: a name may have been changed or erased since.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID, uuid5

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.rules import FinishedRound, PenaltyLine, PublicState, RowKey, Ruleset
from games.rules.scoring import signed
from games.rules.setup import LONGEST_NAME
from games.rules.text import clean_line
from games.texts import words

PROGRAM = "NJET Assist"
"""The name of this program.  It must never change: BG Stats uses it to find plays that came from here."""

GAME_NAME = "NJET"

GAME_ID = "njet"
"""The id of the game between programs.  It must never change."""

NAMESPACE = UUID("75ccde64-fc5e-49bb-a1c5-80a227fd3bce")
"""The namespace of our UUIDs.  It must never change: every game and player would be imported twice."""


@dataclass(frozen=True, slots=True)
class Person:
    """A player.  `id` is the same in every game: the player's id in a group, else `guest_id` of the name."""

    id: str
    name: str


@dataclass(frozen=True, slots=True)
class Play:
    """A finished game.  `people` by seat; `began` and `ended` carry a time zone; `group` is its id and name.

    `changed`: when it was last corrected, the end unless given.  `minutes`: of play, 0 if that is unknown.

    Errors: `ValueError` if the game is not finished, a time has no zone, or not everybody is named.
    """

    game_id: str
    state: PublicState
    people: tuple[Person, ...]
    began: datetime
    ended: datetime
    group: tuple[str, str] | None
    digital: bool = False
    changed: datetime | None = None
    minutes: int = 0
    place: str = ""
    note: str = ""

    def __post_init__(self) -> None:
        if self.state.current is not None:
            raise ValueError(f"The game {self.game_id} is not finished.")
        if len(self.people) != self.state.players:
            raise ValueError(f"The game {self.game_id} has {self.state.players} players, not {len(self.people)}.")
        for time in (self.began, self.ended, self.last_change):
            _demand_zone(time)

    @property
    def last_change(self) -> datetime:
        """When the game was last corrected; its end if it never was."""
        return self.changed or self.ended

    @property
    def names(self) -> tuple[str, ...]:
        """The players' names, by seat: one line each, cut so that five of them fit into a link."""
        return tuple(_short(clean_line(person.name)) for person in self.people)

    @property
    def first_placer(self) -> int:
        """The seat that placed the first marker of the game: whom other programs call the start player."""
        return self.state.ruleset.first_placer(self.state.setup.dealer_of(1))


def guest_id(name: str) -> str:
    """A guest's id, from the case-folded name: the same in every game.

    The set-up compares names in the same way, so no two players of one game share an id.
    """
    return str(uuid5(NAMESPACE, f"guest:{clean_line(name).casefold()}"))


def stamp(time: datetime) -> str:
    """A time as BG Stats writes it: “2026-11-21 19:30:00”, by the clock of the phone, here of the reader.

    Exported files name no zone, and of 3,043 plays in four of them 31 were entered between four and eight o'clock.

    Errors: `ValueError` for a time without a time zone, which would be taken for the server's.
    """
    _demand_zone(time)
    return timezone.make_naive(time).isoformat(sep=" ", timespec="seconds")


# --- sentences ---


def board(play: Play) -> str:
    """The variant that was played: “4 players, 8 rounds”.  The rounds are those on the sheet."""
    count, rounds = play.state.players, play.state.rounds_on_sheet
    players = ngettext("{count} player", "{count} players", count).format(count=count)
    length = ngettext("{count} round", "{count} rounds", rounds).format(count=rounds)
    return _("{players}, {rounds}").format(players=players, rounds=length)


def remarks(play: Play) -> list[str]:
    """Remarks for readers of the result, a sentence each."""
    said = []
    if play.digital:
        said.append(_("Played apart, with the cards on the phones."))
    if play.state.setup.paper is not None:
        said.append(_("Entered from paper."))
    said += [words.finished_early(play.state), words.sheet_note(play.state.ruleset)]
    return [sentence for sentence in (play.place, play.note, *said, *words.taken_over(play.state.setup)) if sentence]


def lines(play: Play) -> list[str]:
    """The sheet from top to bottom: a line for each round, penalties where they were agreed."""
    state, names = play.state, play.names
    written = [_penalty_line(each, names) for each in state.penalties if not each.after_round]
    if state.setup.paper is not None and state.setup.paper.by_round:
        written += [_paper_line(*each, names) for each in enumerate(state.points_by_round, start=1)]
    for done in state.finished:
        written.append(_round_line(done, state.ruleset, names))
        written += [_penalty_line(each, names) for each in state.penalties if each.after_round == done.number]
    return written


def _round_line(done: FinishedRound, ruleset: Ruleset, names: Sequence[str]) -> str:
    """“Round 3: 2 points, red trump, no super trump, pass 2 right; Ana + Cleo 18, Ben + Dan 12”.

    The start player's team is first, and the start player is first in it.
    """
    spaces = words.condition_spaces(done.conditions)
    rows = (RowKey.POINTS, RowKey.TRUMP, RowKey.SUPERTRUMP, RowKey.DISCARD)
    line = _("Round {number}: {conditions}; {teams}").format(
        number=done.number,
        conditions=", ".join(words.condition(row, spaces[row], ruleset, names) for row in rows),
        teams=", ".join(_team(done, seats, names) for seats in (done.teams.own, done.teams.other)),
    )
    notes = list(_round_notes(done, ruleset, names))
    return _("{line} ({notes})").format(line=line, notes="; ".join(notes)) if notes else line


def _paper_line(number: int, points: Sequence[int], names: Sequence[str]) -> str:
    pairs = zip(names, points, strict=True)
    parts = (_("{names} {points}").format(names=name, points=signed(each)) for name, each in pairs)
    return _("Round {number}: {points}").format(number=number, points=", ".join(parts))


def _team(done: FinishedRound, seats: Sequence[int], names: Sequence[str]) -> str:
    ordered = sorted(seats, key=lambda seat: (seat != done.conditions.start, seat))
    together = " + ".join(names[seat] for seat in ordered)
    return _("{names} {points}").format(names=together, points=signed(done.score.points[seats[0]]))


def _round_notes(done: FinishedRound, ruleset: Ruleset, names: Sequence[str]) -> Iterator[str]:
    if done.teams.monster is not None:
        alone = words.plays_without_monster(ruleset)
        holder = _("{name} scores double") if alone else _("monster {name}")
        yield holder.format(name=names[done.teams.monster])
    if done.score.points != done.score.raw:
        yield _("by difference: {written}").format(written=done.score.difference_formula)


def _penalty_line(penalty: PenaltyLine, names: Sequence[str]) -> str:
    points = words.change(penalty.points)
    return _("Penalty: {name} {points} ({reason})").format(
        name=names[penalty.seat], points=points, reason=penalty.reason
    )


def _short(name: str) -> str:
    return name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1]}…"


def _demand_zone(time: datetime) -> None:
    if time.utcoffset() is None:
        raise ValueError(f"{time} has no time zone.")

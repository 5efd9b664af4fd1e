"""What the home page shows: the running games first, then the finished ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.models import Game, Seat, Status
from games.pages.parts.players import letters_of
from games.texts import words

SHOWN = 3
"""Finished games before “All games” is opened."""


@dataclass(frozen=True)
class TokenView:
    """The token of a player."""

    token: str
    sign: str


@dataclass(frozen=True)
class GameCard:
    """A game of this phone: one line in large type, one below it."""

    game_id: str
    mode: str
    names: str
    title: str
    line: str
    at: datetime
    tokens: list[TokenView]
    is_due: bool = False


@dataclass(frozen=True)
class HomePage:
    """The games of this phone.  `here`: the one to continue."""

    here: GameCard | None
    running: list[GameCard]
    latest: list[GameCard]
    older: list[GameCard]


def home_page(games: Sequence[Game], *, rounds: int | None, is_due: bool = False) -> HomePage:
    """The page of these games, the latest first.  `rounds`: of the first that is running; `is_due`: it waits for us."""
    running = [game for game in games if game.status == Status.PLAYING]
    finished = [_finished(game) for game in games if game.status == Status.FINISHED]
    cards = [_running(game, rounds=None if number else rounds) for number, game in enumerate(running)]
    return HomePage(
        here=replace(cards[0], is_due=is_due) if cards else None,
        running=cards[1:],
        latest=finished[:SHOWN],
        older=finished[SHOWN:],
    )


def _running(game: Game, *, rounds: int | None) -> GameCard:
    seats = _ranked(game)
    title = _("Round {number}").format(number=game.rounds_played + 1)
    if rounds is not None:
        title = _("Round {number} of {rounds}").format(number=game.rounds_played + 1, rounds=rounds)
    first = [seat for seat in seats if seat.rank == 1]
    leading = ngettext("{names} leads, {points}", "{names} lead, {points}", len(first))
    tied = not game.rounds_played or len(first) == len(seats)
    return _card(game, seats, title, "" if tied else _with_points(leading, first), game.created_at)


def _finished(game: Game) -> GameCard:
    seats = _ranked(game)
    winners = [seat for seat in seats if seat.is_winner]
    won = ngettext("{names} won with {points}", "{names} share the victory, {points}", len(winners))
    rounds = ngettext("{rounds} round", "{rounds} rounds", game.rounds_played).format(rounds=game.rounds_played)
    title = _with_points(won, winners) if winners else _("Finished")
    return _card(game, seats, title, rounds, game.finished_at or game.created_at)


def _ranked(game: Game) -> list[Seat]:
    return sorted(game.seats.all(), key=lambda seat: (seat.rank, seat.number))


def _with_points(sentence: str, seats: Sequence[Seat]) -> str:
    points = str(seats[0].total).replace("-", "−")
    return sentence.format(names=words.listing([seat.name for seat in seats]), points=points)


def _card(game: Game, ranked: Sequence[Seat], title: str, line: str, at: datetime) -> GameCard:
    seats = list(game.seats.all())
    letters = letters_of([seat.name for seat in seats])
    return GameCard(
        game_id=game.pk,
        mode=game.mode,
        names=", ".join(seat.name for seat in seats),
        title=title,
        line=line,
        at=at.replace(microsecond=0),
        tokens=[TokenView(seat.token, letters[seat.number]) for seat in ranked],
    )

"""Finished games as rows: the history of a group, and an evening with its standings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.groups.history import Evening, Standing, by_evening
from games.models import Game, Seat
from games.texts import words
from games.texts.unnamed import called


@dataclass(frozen=True)
class GameRow:
    """A finished game.  The winners come first."""

    game_id: str
    ended: datetime
    preset: str
    rounds: str
    seats: list[Seat]
    result: str
    mode: str


def rows_of(games: Iterable[Game]) -> list[GameRow]:
    """The rows of some games with their seats, in the same order."""
    return [_row(game) for game in games]


def _row(game: Game) -> GameRow:
    assert game.finished_at is not None, "only finished games are listed"
    seats = sorted(game.seats.all(), key=lambda seat: (seat.rank, seat.number))
    return GameRow(
        game_id=game.pk,
        ended=game.finished_at.replace(microsecond=0),
        preset=words.preset_name(game.preset),
        rounds=_rounds(game),
        seats=seats,
        result=_result([seat for seat in seats if seat.is_winner]),
        mode=game.mode,
    )


def _rounds(game: Game) -> str:
    """How many rounds were played, and that the game was entered from paper."""
    rounds = ngettext("{rounds} round", "{rounds} rounds", game.rounds_played).format(rounds=game.rounds_played)
    known = [rounds] if game.rounds_played else []
    return " · ".join([*known, _("from paper")] if "paper" in game.setup else [rounds])


COLUMNS = ("game", "date", "ended", "minutes", "place", "note", "rules", "rounds", "player", "points", "rank", "won")


def csv_rows(games: Iterable[Game]) -> Iterator[dict[str, object]]:
    """The games of a group, the newest first, as rows of a file: one for each player.

    `date`: the day on which the evening began; `ended`: the reader's time, without an offset, which spreadsheets would
    take for a text.
    """
    for began, game in by_evening(games):
        row = _row(game)
        about = {
            "game": row.game_id,
            "date": timezone.localdate(began),
            "ended": timezone.make_naive(row.ended),
            "minutes": game.minutes,
            "place": game.place,
            "note": game.note,
            "rules": row.preset,
            "rounds": game.rounds_played,
        }
        for seat in game.seats.all():
            result = {"points": seat.total, "rank": seat.rank, "won": int(seat.is_winner)}
            yield {**about, "player": called(seat.present_name), **result}


def _result(winners: Sequence[Seat]) -> str:
    names = words.listing([called(seat.present_name) for seat in winners])
    if len(winners) > 1:
        return _("{names} share the victory").format(names=names)
    return _("{names} won").format(names=names)


# --- an evening ---


@dataclass(frozen=True)
class EveningPage:
    """An evening, from its first game to its last."""

    began: datetime
    summary: str
    standings: Sequence[Standing]
    rows: list[GameRow]


def evening_page(evening: Evening) -> EveningPage:
    """The page of an evening."""
    rows = rows_of(evening.games)
    count = len(rows)
    return EveningPage(
        began=evening.games[0].created_at,
        summary=ngettext("{count} game", "{count} games", count).format(count=count),
        standings=evening.standings,
        rows=rows,
    )

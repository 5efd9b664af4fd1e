"""The documents about finished games: rows for lists, and the same for spreadsheets.

Knows: a row for each game, each player, each round; all of it from the columns that copy results.  Must not know:
requests, how a page is found; a log is never read here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from games.api.documents import Document, moment
from games.club.history import Change
from games.club.statistics.facts import GameFacts, RoundFacts
from games.models import Game, Seat, Status

RESULT_COLUMNS = (
    *("game", "mode", "preset", "players", "created_at", "finished_at", "locked", "rounds", "shared"),
    *("seat", "player", "name", "token", "total", "rank", "winner"),
)
ROUND_COLUMNS = (
    *("game", "mode", "preset", "players", "finished_at", "round", "seat", "player", "name"),
    *("start", "discard", "trump", "supertrump", "points_per_trick", "team", "opponents", "monster"),
    *("tricks", "captured", "raw", "points", "outcome"),
)


# --- games ---


def result(game: Game, links: Mapping[str, str]) -> Document:
    """A game with its seats.  `shared`: more than one won."""
    seats = list(game.seats.all())
    return {
        **_game(game),
        "shared": _is_shared(seats),
        "seats": [seat_row(seat) for seat in seats],
        "links": dict(links),
    }


def change(changed: Change, links: Mapping[str, str]) -> Document:
    """What became of a result: it is finished, it is played on, or the group has it no more."""
    if changed.game is None:
        return {"id": changed.game_id, "change": changed.number, "status": "gone"}
    return {**result(changed.game, links), "change": changed.number, "status": changed.game.status}


def result_rows(game: Game) -> Iterator[Document]:
    """A row for each player of a game."""
    seats = list(game.seats.all())
    known = {**_game(game), "game": game.pk, "shared": _is_shared(seats)}
    for seat in seats:
        yield {**known, **seat_row(seat)}


def _game(game: Game) -> Document:
    return {
        "id": game.pk,
        "mode": game.mode,
        "preset": game.preset,
        "players": game.players,
        "created_at": moment(game.created_at),
        "finished_at": None if game.finished_at is None else moment(game.finished_at),
        "locked": game.locked_at is not None,
        "rounds": game.rounds_played,
    }


def seat_row(seat: Seat) -> Document:
    """A place at a table of a group, with what it came to.  `name`: as it is written on the sheet."""
    return {
        "seat": seat.number,
        "player": seat.player_id,
        "name": seat.name,
        "token": seat.token,
        "total": seat.total,
        "rank": seat.rank,
        "winner": seat.is_winner,
    }


def _is_shared(seats: Sequence[Seat]) -> bool:
    return sum(seat.is_winner for seat in seats) > 1


# --- rounds ---


def round_rows(game: Game) -> Iterator[Document]:
    """A row for each round and player of a game, nothing while it is not counted."""
    if game.facts is None or game.status != Status.FINISHED or game.finished_at is None:
        return
    seats = list(game.seats.all())
    known = {
        "game": game.pk,
        "mode": game.mode,
        "preset": game.preset,
        "players": game.players,
        "finished_at": moment(game.finished_at),
    }
    for played in GameFacts.from_json(game.facts).rounds:
        for seat in seats:
            yield {**known, **_round(played, seat)}


def _round(played: RoundFacts, seat: Seat) -> Document:
    return {
        "round": played.number,
        "seat": seat.number,
        "player": seat.player_id,
        "name": seat.name,
        "conditions": dict(played.conditions),
        "teams": [list(team) for team in played.teams],
        "monster": played.monster,
        "tricks": played.tricks[seat.number],
        "captured": played.captured[seat.number],
        "raw": played.raw[seat.number],
        "points": played.points[seat.number],
        "outcome": _outcome(played.gap(seat.number)),
    }


def _outcome(gap: int) -> str:
    if gap == 0:
        return "drawn"
    return "won" if gap > 0 else "lost"


def flat_round_rows(game: Game) -> Iterator[Document]:
    """The same for spreadsheets: players by name, a column for each condition."""
    names = [seat.name for seat in game.seats.all()]
    for row in round_rows(game):
        own, other = row["teams"] if row["seat"] in row["teams"][0] else reversed(row["teams"])
        yield {
            **row,
            **row["conditions"],
            "start": names[row["conditions"]["start"]],
            "points_per_trick": row["conditions"]["points"],
            "points": row["points"],
            "team": ", ".join(names[seat] for seat in own),
            "opponents": ", ".join(names[seat] for seat in other),
            "monster": None if row["monster"] is None else names[row["monster"]],
        }

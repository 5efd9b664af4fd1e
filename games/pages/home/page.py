"""What the home page shows: the running games first, then the finished ones, then what lies in the bin."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from datetime import datetime

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.models import Game, GroupKey, Seat, Status
from games.pages.parts.players import Player, seated
from games.texts import words
from games.texts.unnamed import called

SHOWN = 3
"""Finished games before “All games” is opened."""
ON_A_PAGE = 25
"""Of all games."""


@dataclass(frozen=True)
class GameCard:
    """A game of this phone: one line in large type, one below it.

    `ranked`: its players, the first one first; `origin`: where another game was played on, empty if none was.
    """

    game_id: str
    mode: str
    names: str
    title: str
    line: str
    at: datetime
    ranked: list[Player]
    origin: str = ""
    is_due: bool = False
    is_over: bool = False


@dataclass(frozen=True)
class Known:
    """What the log of a game adds to its row.

    `rounds`: which a correction may have changed, None of a game that is over; `seats`: those of this browser;
    `is_due`: it waits for one of them; `begun`: the round in which another game was played on, 0 if none was.
    """

    rounds: int | None
    seats: Set[int] = frozenset()
    is_due: bool = False
    begun: int = 0


UNREAD = Known(rounds=None)
"""A game whose log was not read."""


@dataclass(frozen=True)
class HomePage:
    """The latest games of this phone.  `here`: the one to continue; `more`: there are others."""

    here: GameCard | None
    running: list[GameCard]
    latest: list[GameCard]
    more: bool


def home_page(games: Sequence[Game], known: Mapping[str, Known], *, more: bool = False) -> HomePage:
    """The page of these games, the latest first.

    `known`: by game, for those of whose log something was read; `more`: the phone has others besides.
    """
    cards = cards_of(games, known)
    finished, running = ([card for card in cards if card.is_over == over] for over in (True, False))
    return HomePage(
        here=running[0] if running else None,
        running=running[1:],
        latest=finished[:SHOWN],
        more=more or len(finished) > SHOWN,
    )


def cards_of(games: Iterable[Game], known: Mapping[str, Known]) -> list[GameCard]:
    """The cards of these games, in the same order."""
    return [
        (_finished if game.status == Status.FINISHED else running_card)(game, known.get(game.pk, UNREAD))
        for game in games
    ]


def running_card(game: Game, known: Known = UNREAD) -> GameCard:
    """A game that is being played."""
    seats = _ranked(game)
    title = _("Round {number}").format(number=game.rounds_played + 1)
    if known.rounds is not None:
        title = _("Round {number} of {rounds}").format(number=game.rounds_played + 1, rounds=known.rounds)
    card = _card(game, seats, title, _standing(game, seats, known), game.created_at)
    return replace(card, origin=_origin(known), is_due=known.is_due)


def _origin(known: Known) -> str:
    return _("played on from round {number}").format(number=known.begun) if known.begun else ""


def _standing(game: Game, seats: Sequence[Seat], known: Known) -> str:
    """Who leads; of a browser with one seat its place."""
    if not game.rounds_played or seats[0].rank == seats[-1].rank:
        return ""
    own = [seat for seat in seats if seat.number in known.seats]
    if len(own) == 1:
        places = {
            1: _("You lead, {points}"),
            2: _("You are second, {points}"),
            3: _("You are third, {points}"),
            4: _("You are fourth, {points}"),
            5: _("You are fifth, {points}"),
        }
        return _with_points(places[own[0].rank], own)
    first = [seat for seat in seats if seat.rank == 1]
    return _with_points(ngettext("{names} leads, {points}", "{names} lead, {points}", len(first)), first)


def _finished(game: Game, known: Known) -> GameCard:
    seats = _ranked(game)
    winners = [seat for seat in seats if seat.is_winner]
    won = ngettext("{names} won with {points}", "{names} share the victory, {points}", len(winners))
    rounds = ngettext("{rounds} round", "{rounds} rounds", game.rounds_played).format(rounds=game.rounds_played)
    title = _with_points(won, winners) if winners else _("Finished")
    card = _card(game, seats, title, rounds, game.finished_at or game.created_at)
    return replace(card, origin=_origin(known), is_over=True)


def _ranked(game: Game) -> list[Seat]:
    return sorted(game.seats.all(), key=lambda seat: (seat.rank, seat.number))


def _with_points(sentence: str, seats: Sequence[Seat]) -> str:
    points = str(seats[0].total).replace("-", "−")
    # The points stay with the word before them.
    sentence = sentence.replace(" {points}", "\N{NO-BREAK SPACE}{points}")
    return sentence.format(names=words.listing([called(seat.name) for seat in seats]), points=points)


def _card(game: Game, ranked: Sequence[Seat], title: str, line: str, at: datetime) -> GameCard:
    players = seated(game.seats.all())
    return GameCard(
        game_id=game.pk,
        mode=game.mode,
        names=", ".join(player.name for player in players),
        title=title,
        line=line,
        at=at.replace(microsecond=0),
        ranked=[players[seat.number] for seat in ranked],
    )


# --- the bin ---


@dataclass(frozen=True)
class Deleted:
    """A game or a group in the bin.  `who`: whose phone deleted it, if that is known; `card`: of a game."""

    address: str
    name: str
    at: datetime
    who: str
    card: GameCard | None = None


def deleted_game(game: Game) -> Deleted:
    """A game in the bin, read with its seats and who deleted it."""
    assert game.deleted_at is not None, "it lies in the bin"
    (card,) = cards_of([game], {})
    who = "" if game.deleted_by is None else game.deleted_by.label
    return Deleted(reverse("games:deleted", args=[game.pk]), card.names, game.deleted_at, who, card)


def deleted_group(key: GroupKey) -> Deleted:
    """The group of a key in the bin."""
    group = key.group
    assert group.deleted_at is not None, "it lies in the bin"
    who = "" if group.deleted_by is None else group.deleted_by.label
    return Deleted(reverse("games:deleted_group", args=[group.pk]), group.name, group.deleted_at, who)


def bin_of(games: Sequence[Game], keys: Sequence[GroupKey]) -> list[Deleted]:
    """What lies in the bin, the last deleted first.  `keys`: those of groups, valid or not."""
    groups = [deleted_group(key) for key in keys if key.revoked_at is not None]
    return sorted([*map(deleted_game, games), *groups], key=lambda each: each.at, reverse=True)

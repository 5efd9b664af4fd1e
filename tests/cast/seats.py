"""Browsers at a digital game: the host's key and seats that they have, and which phones are online."""

from __future__ import annotations

from games.live.hub import hub
from games.models import Key
from tests.cast.digital import DigitalTable
from tests.cast.pages import Phone


def at_seats(game: DigitalTable, *seats: int, key: Key | None = None, htmx: bool = False) -> Phone:
    """A phone on which these seats are played, perhaps with another key of the game."""
    return Phone(htmx=htmx).sits(game, *([] if key is None else [key]), *(game.keys[seat] for seat in seats))


def hosting(game: DigitalTable, *seats: int) -> Phone:
    """The host's phone, with the seats that are played on it."""
    return at_seats(game, *seats, key=game.host)


def watching(game: DigitalTable) -> Phone:
    """Somebody who looks on."""
    return at_seats(game, key=game.viewer)


def is_there(game: DigitalTable, *keys: Key) -> None:
    """The phones of these keys have just been heard of."""
    for key in keys:
        hub.note_request(game.id, key.pk, key.label, may_record=key.may_record)


def seats_of(phone: Phone) -> dict[str, int]:
    """The seats that a browser has, by game and seat."""
    return {seat: key for seats in phone.client.session.get("seats", {}).values() for seat, key in seats.items()}
